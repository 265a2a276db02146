"""`feature status`, `feature compact` and `history`."""

import json
from pathlib import Path

import pytest

from amplihack_compaction.base.installation import own_command
from tests.support.trees import picture, refuse_to_read
from tests.unit.cli.commands.test_context import command

Capture = pytest.CaptureFixture[str]
LOG = "".join(f"2026-01-02 10:00:{n % 60:02d} INFO request {n} served\n" for n in range(300))


@pytest.fixture
def login(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    folder = project / "features" / "login"
    folder.mkdir(parents=True)
    (folder / "progress.md").write_text(f"# Progress\n\n- [ ] limit\n- [x] form\n\n```\n{LOG}```\n")
    (folder / "state.json").write_text('{"status": "in progress"}')
    return folder


def test_a_feature_is_compacted_and_brought_back(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    before = picture(login)
    assert command(monkeypatch, "feature", "compact", "login", "--dry-run") == 0
    assert "login would have" in capsys.readouterr().out
    assert picture(login) == before
    assert command(monkeypatch, "feature", "compact", "login") == 0
    out = capsys.readouterr().out
    assert "% less, in 1 file." in out
    assert "progress.md:" in out
    assert f"Back again: {own_command()} feature compact login --revert" in out
    assert command(monkeypatch, "history") == 0
    assert "compact" in capsys.readouterr().out
    assert command(monkeypatch, "feature", "compact", "login", "--revert") == 0
    assert "1 file restored" in capsys.readouterr().out
    assert picture(login) == before
    assert command(monkeypatch, "feature", "compact", "login", "--revert") == 1
    assert "nothing of login can be reverted" in capsys.readouterr().err
    assert command(monkeypatch, "history", "login", "--json") == 0
    [entry] = json.loads(capsys.readouterr().out)["login"]
    assert (entry["level"], entry["status"]) == ("compact", "reverted")


def test_a_revert_counts_what_the_user_had_and_names_what_goes(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (login / "notes.md").write_text("# Notes\n\n" + "We looked at it and went on.\n\n" * 400)
    assert command(monkeypatch, "feature", "compact", "login", "--level", "summarize") == 0
    assert "% less, in 2 files." in capsys.readouterr().out
    assert command(monkeypatch, "history", "login") == 0
    assert "  2 files  done" in capsys.readouterr().out
    assert command(monkeypatch, "feature", "compact", "login", "--revert") == 0
    assert ": 2 files restored, SUMMARY.md removed.\n" in capsys.readouterr().out
    assert not (login / "SUMMARY.md").exists()


def test_json_is_one_object(login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert command(monkeypatch, "feature", "compact", "login", "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["saved_tokens"] == result["original_tokens"] - result["compacted_tokens"] > 0
    arguments = ("feature", "compact", "login", "--id", result["history_id"], "--json")
    assert command(monkeypatch, *arguments) == 0
    assert json.loads(capsys.readouterr().out)["restored"] == ["progress.md"]


def test_a_summary_is_shown(login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert command(monkeypatch, "feature", "compact", "login", "--level", "summarize") == 0
    out = capsys.readouterr().out
    assert "Information was dropped" in out
    assert (login / "SUMMARY.md").read_text().strip() in out


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (["--level", "raw"], "not one of 'compact', 'summarize'", 2),
        (["--with", "gpt"], "not one of 'claude'", 2),
        (["--with", "claude"], "add --level summarize", 2),
        (["--revert", "--keep", "--overwrite"], "exclude each other", 2),
        (["--revert", "--level", "summarize"], "do not belong to --revert", 2),
        (["--timeout", "0"], "--timeout", 2),
        (["--id", ""], "it is empty", 2),
        (["--id", "nonsense"], "no history id", 1), (["--revert"], "nothing of login", 1),
    ],
)  # fmt: skip
def test_a_wrong_call_says_what_to_do(
    login: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    arguments: list[str],
    said: str,
    code: int,
) -> None:
    before = picture(login)
    assert command(monkeypatch, "feature", "compact", "login", *arguments) == code
    assert said in capsys.readouterr().err
    assert picture(login) == before


def test_a_kept_file_is_named(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (login / "second.md").write_text((login / "progress.md").read_text())
    command(monkeypatch, "feature", "compact", "login")
    (login / "progress.md").write_text("mine")
    assert command(monkeypatch, "feature", "compact", "login", "--revert") == 1
    assert "progress.md" in capsys.readouterr().err
    assert command(monkeypatch, "feature", "compact", "login", "--revert", "--keep") == 0
    assert "Left as they are now: progress.md" in capsys.readouterr().out


def test_the_active_feature_needs_no_name(
    login: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert command(monkeypatch, "feature", "compact") == 1
    assert "no feature is active" in capsys.readouterr().err
    (project / ".claude").mkdir(exist_ok=True)
    (project / ".claude" / "active-focus.md").write_text("login")
    assert command(monkeypatch, "feature", "status", "--tokens") == 0
    out = capsys.readouterr().out
    for said in ("state       in progress", "progress    50 % (1 of 2 items checked)", "level raw"):
        assert said in out
    assert command(monkeypatch, "feature", "compact") == 0
    assert command(monkeypatch, "feature", "compact", "--revert") == 0


def test_nothing_done_is_said(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert command(monkeypatch, "history") == 0
    assert "Nothing was compacted or pruned" in capsys.readouterr().out
    assert command(monkeypatch, "history", "login") == 0
    assert "Feature login: nothing was done" in capsys.readouterr().out
    (login / "progress.md").write_text("short")
    assert command(monkeypatch, "feature", "compact", "login") == 0
    assert "Nothing to compact in login" in capsys.readouterr().out


def test_a_history_that_cannot_be_read_is_named(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    broken = login / ".compaction" / "backup" / "20260201-143022-a1b2c3d4"
    broken.mkdir(parents=True)
    (broken / "entry.json").write_text("{")
    assert command(monkeypatch, "history") == 1
    said = capsys.readouterr()
    assert "not readable" in said.out
    assert said.err.startswith("amplihack-compaction: ")


def test_nothing_that_is_printed_moves_the_cursor(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    name = "log\x1b[31min\udcff"
    folder = login.rename(login.with_name(name))
    text = (folder / "progress.md").read_text()
    (folder / "pro\x1b]0;x\x07.md").write_text(f"{text}\n- [ ] \x1b]0;mine\x07 todo\n")
    (folder / "gone\x1b[2J.md").symlink_to("/nowhere")
    calls = (
        ("status", name, "--tokens"), ("compact", name, "--dry-run"), ("compact", name),
        ("compact", name, "--revert"), ("compact", name, "--level", "summarize"),
        ("compact", name, "--revert"), ("compact", name, "--revert"), ("compact", "x\x1b[1m"),
    )  # fmt: skip
    for call in calls:
        command(monkeypatch, "feature", *call)
        said = capsys.readouterr()
        for part in (said.out, said.err):
            part.encode()
            assert all(each.isprintable() for each in part.splitlines()), call
    assert command(monkeypatch, "history") == 0
    assert capsys.readouterr().out.isascii()


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_kept_folder_that_is_none_is_a_clear_error(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, kind: str
) -> None:
    if kind == "link":
        (login / ".compaction").symlink_to(login.parent)
    else:
        (login / ".compaction").write_text("")
    for call in (("history", "login"), ("feature", "compact", "login", "--revert")):
        assert command(monkeypatch, *call) == 1
        assert "stands in the way" in capsys.readouterr().err


def test_a_newer_entry_is_told_in_json_too(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    command(monkeypatch, "feature", "compact", "login")
    [entry] = (login / ".compaction" / "backup").glob("*/entry.json")
    entry.write_text(entry.read_text().replace('"version": 1', '"version": 9'))
    capsys.readouterr()
    assert command(monkeypatch, "history", "login", "--json") == 1
    said = capsys.readouterr()
    assert json.loads(said.out) == {"login": []}
    assert "has version 9" in said.err
    assert command(monkeypatch, "feature", "compact", "login", "--revert") == 1
    assert "has version 9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("status", "said"), [("reverting", "Reverted compact"), ("prepared", "was cut off: taken back")]
)
def test_a_revert_ends_what_was_cut_off_and_nothing_else(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, status: str, said: str
) -> None:
    command(monkeypatch, "feature", "compact", "login")
    with (login / "progress.md").open("a") as notes:
        notes.write(f"\n```\n{LOG.replace('request', 'answer')}```\n")
    first = picture(login)
    command(monkeypatch, "feature", "compact", "login")
    newest = sorted((login / ".compaction" / "backup").glob("*/entry.json"))[-1]
    newest.write_text(newest.read_text().replace('"done"', f'"{status}"'))
    capsys.readouterr()
    assert command(monkeypatch, "feature", "compact", "login", "--revert") == 0
    assert said in capsys.readouterr().out
    assert picture(login) == first
    assert command(monkeypatch, "feature", "compact", "login", "--id", newest.parent.name) == 1


def test_a_file_that_cannot_be_read_is_left_out_and_no_success(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (login / "plan.md").write_text(f"# Plan\n\n```\n{LOG}```\n")
    (login / "logo.png").write_bytes(b"\xff\xfe")
    refuse_to_read(monkeypatch, "plan.md")
    problem = "amplihack-compaction: plan.md was left out: not readable (Input/output error)\n"
    for words in (["status", "login"], ["compact", "login", "--dry-run"], ["compact", "login"]):
        assert command(monkeypatch, "feature", *words) == 1
        said = capsys.readouterr()
        assert said.err == problem
        assert "plan.md: not readable" in said.out
    assert "% less, in 1 file." in said.out
    assert LOG in (login / "plan.md").read_text()
    assert LOG not in (login / "progress.md").read_text()
    assert command(monkeypatch, "feature", "compact", "login", "--json") == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["unread"], sorted(answer["skipped"])) == (["plan.md"], ["logo.png", "plan.md"])
    monkeypatch.undo()
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(login.parent.parent))
    assert command(monkeypatch, "feature", "compact", "login") == 0
    assert LOG not in (login / "plan.md").read_text()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--revert", "--dry-run"], "no dry run"),
        (["--id", "x", "--dry-run"], "no dry run"),
        (["--keep"], "belong to --revert"),
        (["--overwrite"], "belong to --revert"),
        (["--force"], "belong to --revert"),
    ],
)
def test_options_that_do_not_belong_together_change_nothing(
    login: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, given: list[str], said: str
) -> None:
    assert command(monkeypatch, "feature", "compact", "login") == 0
    compacted = picture(login)
    assert command(monkeypatch, "feature", "compact", "login", *given) == 2
    assert said in capsys.readouterr().err
    assert picture(login) == compacted
