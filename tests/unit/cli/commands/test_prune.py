"""`context prune`, with what it says and how it is taken back."""

import json
import re
import sys
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.cli.app import run_command_line
from amplihack_compaction.compactor.archive.pruner import Expired, MemoryPruner
from amplihack_compaction.compactor.features.feature import PROJECT_CONTEXT
from tests.support.prunable import FILLER, NEW, OLD, OLDER, diary, put
from tests.support.sessions import write_own_settings
from tests.support.trees import picture, refuse_to_read
from tests.unit.handoff.test_retention import session

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def features(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the features' folder of a project with something to prune everywhere."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    write_own_settings(project_context_lines=20)
    put(project, "features/login/progress.md", diary(OLDER, OLD, NEW))
    put(project, "features/my shop/old.md", FILLER, OLD)
    put(project, PROJECT_CONTEXT, "# A\n\n" + FILLER * 30)
    return project / "features"


def run(monkeypatch: pytest.MonkeyPatch, capsys: Capture, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", "context", "prune", *words])
    with pytest.raises(SystemExit) as left:
        run_command_line()
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


def test_everything_is_pruned_and_it_is_said_how_to_get_it_back(
    project: Path, features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    session(project, 1, 100)
    session(project, 2, 1)
    before = picture(project)
    code, planned, _ = run(monkeypatch, capsys, "--dry-run")
    assert (code, picture(project)) == (0, before)
    assert "login: would be archived: 2 parts" in planned
    assert "to get it back" not in planned
    code, out, err = run(monkeypatch, capsys)
    assert (code, err) == (0, "")
    assert "login: archived 2 parts" in out
    assert "progress.md: 2 parts, 13 lines, 3" in out
    assert f"of {OLDER} to {OLD}\n" in out
    assert re.search(r"    features/login/\.compaction/archived/\S+\.md\n", out)
    assert re.search(r"old\.md: 1 part, 1 line, .*, the whole file\n", out)
    assert out.count("context prune --revert 2") == 3
    assert f"{PROJECT_CONTEXT}: archived 1 part" in out
    assert "session 00000001-1111-4222-8333-444444444444: removed all that was kept" in out
    assert run(monkeypatch, capsys)[1] == "Nothing to prune.\n"
    for number in re.findall(r"--revert (\d\S+)", out):
        code, said, _ = run(monkeypatch, capsys, "--revert", number)
        assert code == 0
        assert ": 1 file restored.\n" in said
    now = {path: seen for path, seen in picture(project).items() if "/runtime" not in path}
    assert now.keys() - {".compaction"} <= before.keys()
    for path in ("features/login/progress.md", "features/my shop/old.md", PROJECT_CONTEXT):
        assert now[path] == before[path]


def test_one_feature_can_be_named(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    code, out, _ = run(monkeypatch, capsys, "--feature", "login")
    assert code == 0
    assert "my shop" not in out
    assert (features / "my shop" / "old.md").exists()
    code, _, err = run(monkeypatch, capsys, "--feature", "logout")
    assert code == 1
    assert "no feature 'logout'" in err


def test_as_json_it_is_one_object(
    project: Path, features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    session(project, 1, 100)
    session(project, 2, 1)
    code, out, _ = run(monkeypatch, capsys, "--json")
    shown = json.loads(out)
    assert code == 0
    assert [each["feature"] for each in shown["pruned"]] == ["login", "my shop", PROJECT_CONTEXT]
    login = shown["pruned"][0]
    assert login["tokensBefore"] > login["tokensAfter"]
    assert login["archived"][0]["first"] == str(OLDER)
    assert (features / "login" / login["archived"][0]["document"]).exists()
    assert [each["freedBytes"] > 0 for each in shown["sessions"]] == [True]
    assert (shown["dryRun"], shown["problems"]) == (False, [])


def test_a_feature_that_cannot_be_pruned_does_not_stop_the_others(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    (features / "login" / ".compaction").symlink_to(tmp_path)
    code, out, err = run(monkeypatch, capsys)
    assert code == 1
    assert re.search(r"login: .* link", err)
    assert "my shop: archived" in out


def test_what_is_left_alone_and_what_expired_is_said(
    project: Path, features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    put(features, "login/wide.md", "ä".encode("utf-16"), OLD)
    put(features, "login/\udcff.md", FILLER, OLD)
    put(features, "login/large.md", FILLER * 15_000, OLD)
    write_own_settings(archive_megabytes=1, backup_megabytes=1)
    assert "removed" not in run(monkeypatch, capsys)[1]
    write_own_settings(archive_megabytes=1, backup_megabytes=1, revert_hours=0)
    _, out, _ = run(monkeypatch, capsys)
    assert "login: wide.md: no UTF-8 text" in out
    assert "login: removed 3 archived documents and 1 backup beyond" in out
    assert run(monkeypatch, capsys)[1] == "login: wide.md: no UTF-8 text\nNothing to prune.\n"


def test_many_documents_are_not_all_listed(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    put(features, "login/progress.md", diary(*[OLDER] * 15, NEW))
    _, out, _ = run(monkeypatch, capsys, "--feature", "login")
    assert out.count("/archived/") == 10
    assert "and 5 more beside them" in out


def test_the_history_counts_no_archive_among_the_files_that_changed(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for _ in range(2):
        put(features, "login/progress.md", diary(OLDER, OLD, NEW))
        assert run(monkeypatch, capsys, "--feature", "login")[0] == 0
    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", "history", "login"])
    with pytest.raises(SystemExit):
        run_command_line()
    assert capsys.readouterr().out.count("  1 file  done") == 2


def test_a_revert_says_what_it_leaves(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    put(features, "login/second.md", (features / "login/progress.md").read_text())
    _, out, _ = run(monkeypatch, capsys)
    number = re.findall(r"context prune --revert (\S+)", out)[0]
    put(features, "login/progress.md", "mine")
    code, _, err = run(monkeypatch, capsys, "--revert", number)
    assert code == 1
    assert "--keep" in err
    code, _, err = run(monkeypatch, capsys, "--revert", number, "--keep", "--overwrite")
    assert code == 2
    assert "exclude each other" in err
    code, _, err = run(monkeypatch, capsys, "--revert", "")
    assert (code, "it is empty" in err) == (2, True)
    code, out, _ = run(monkeypatch, capsys, "--revert", number, "--keep")
    assert code == 0
    assert "Left as they are now: progress.md." in out


@pytest.mark.parametrize(
    "words",
    [("--keep",), ("--force",), ("--revert", "x", "--dry-run"), ("--revert", "x", "--json")],
)
def test_options_that_make_no_sense_together_are_a_wrong_call(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, words: tuple[str, ...]
) -> None:
    before = picture(features)
    assert run(monkeypatch, capsys, *words)[0] == 2
    assert picture(features) == before


@pytest.mark.parametrize("number", ["20260201-143022-a1b2c3d4", "../x"])
def test_a_prune_that_there_is_not_cannot_be_reverted(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, number: str
) -> None:
    code, _, err = run(monkeypatch, capsys, "--revert", number)
    assert code == 1
    assert "there is no prune" in err


def test_a_bar_is_shown_on_a_terminal_but_for_json(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert "Pruning" in run(monkeypatch, capsys, "--dry-run")[2]
    assert run(monkeypatch, capsys, "--dry-run", "--json")[2] == ""


def test_the_history_has_the_memory_too(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    run(monkeypatch, capsys)
    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", "history"])
    with pytest.raises(SystemExit):
        run_command_line()
    said = capsys.readouterr().out
    [change] = re.findall(rf"{re.escape(PROJECT_CONTEXT)}\n  (\S+)  prune ", said)
    assert run(monkeypatch, capsys, "--revert", change)[0] == 0


def test_what_cannot_be_read_is_named_and_the_rest_pruned(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    put(features, "login/other.md", diary(OLDER, OLD, NEW))
    with monkeypatch.context() as patch:
        refuse_to_read(patch, "other.md")
        code, out, err = run(patch, capsys, "--json")
    assert code == 1
    said = json.loads(out)
    (problem,) = said["problems"]
    assert problem == "login: other.md was left out: not readable (Input/output error)"
    assert [len(each["archived"]) for each in said["pruned"]] == [2, 1, 1]
    assert err == f"amplihack-compaction: {problem}\n"
    assert "login: archived 2 parts" in run(monkeypatch, capsys)[1]


def test_what_was_pruned_is_told_where_something_after_it_fails(
    features: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def fail(*_: object) -> Expired:
        raise BackupError("the disk is full")

    monkeypatch.setattr(MemoryPruner, "remove_expired", fail)
    code, out, err = run(monkeypatch, capsys, "--feature", "login")
    assert (code, err) == (1, "amplihack-compaction: login: the disk is full\n")
    assert "to get it back" in out
