"""`status`, `context status`, `feature status` and `statusline`."""

import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.cli.app import run_command_line
from amplihack_compaction.cli.commands.statusline import status_line
from amplihack_compaction.clients.claude_code.spending import Spending, read_spending
from amplihack_compaction.context.meter import read_model_notes
from tests.support.captured import payload
from tests.support.sessions import NEWER_MODEL, OLDER_MODEL, filled, respond, write_own_settings
from tests.support.transcripts import SESSION, Transcript

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def path(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the transcript of a session that is at 75 percent."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    return filled(project / f"{SESSION}.jsonl", 135_000)


@pytest.fixture
def feature(project: Path, path: Path) -> Path:
    """Return a feature's folder with texts and what is none."""
    folder = project / "features" / "login"
    folder.mkdir(parents=True)
    (folder / "plan.md").write_text("Build the login page. " * 100)
    (folder / "notes").mkdir()
    (folder / "notes" / "a.txt").write_text("Höhe")
    (folder / "picture.png").write_bytes(b"\x89PNG\x00\xff")
    (folder / "nul.txt").write_bytes(b"a\x00b")
    (folder / "link").symlink_to("/etc/hostname")
    return folder


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", *arguments])
    with pytest.raises(SystemExit) as left:
        run_command_line()
    return int(left.value.code or 0)


@pytest.mark.parametrize("words", [["status"], ["context", "status"]])
def test_the_status_says_all_that_the_meter_knows(
    words: list[str], path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert command(monkeypatch, *words, "--session", str(path)) == 0
    shown = capsys.readouterr().out
    for part in (
        SESSION,
        "75.0 % of the limit, filling up",
        "135,000 of 180,000 (±0.08 %)",
        "200,000 tokens",
        OLDER_MODEL,
        "model family claude-sonnet-4, not compacted by the client",
        "at 85 %",
        "A good moment",
    ):
        assert part in shown


def test_the_status_says_that_the_client_compacted_by_itself(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    session = Transcript()
    for tokens in (169_000, 51_000):
        respond(session, tokens)
        session.compact("They went.")
    respond(session, 51_000)
    session.write(path)
    assert command(monkeypatch, "status", "--session", str(path)) == 0
    shown = capsys.readouterr().out
    assert "51,000 of 170,074" in shown
    assert "limit       learnt: the client compacted there by itself" in shown


def test_the_status_as_json_keeps_the_originals_names(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert command(monkeypatch, "status", "-s", str(path), "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["session"], shown["usagePercentage"], shown["level"]) == (
        SESSION,
        75.0,
        "compact",
    )


def test_below_the_first_level_the_status_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    filled(path, 18_000)
    assert command(monkeypatch, "status", "-s", str(path)) == 0
    assert "10.0 % of the limit, plenty of room" in capsys.readouterr().out


def test_the_last_level_and_an_unknown_model_are_shown_too(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    filled(path, 166_000, "glm-9")
    assert command(monkeypatch, "status", "-s", str(path)) == 0
    shown = capsys.readouterr().out
    assert "not measured" in shown
    assert "none, this is the last" in shown


def test_a_session_without_a_response_is_an_error_that_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    transcript = Transcript()
    transcript.user("Go.")
    transcript.write(path)
    assert command(monkeypatch, "status", "-s", str(path)) == 1
    assert "told its token numbers yet" in capsys.readouterr().err


def test_a_feature_shows_its_texts(
    feature: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert command(monkeypatch, "feature", "status", "login") == 0
    shown = capsys.readouterr().out
    assert "2 texts, 2,204 characters" in shown
    assert "left alone  nul.txt: no UTF-8 text" in shown
    assert "left alone  link: a link" in shown
    assert "tokens" not in shown


def test_a_feature_shows_what_its_texts_cost(
    feature: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert command(monkeypatch, "feature", "status", "login", "--tokens") == 0
    assert "plan.md" in capsys.readouterr().out
    assert command(monkeypatch, "feature", "status", "login", "--tokens", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["tokens"] == sum(shown["tokensByFile"].values()) > 300
    assert 0 < shown["precision"] < 1
    assert command(monkeypatch, "feature", "status", "login", "--json") == 0
    assert "tokens" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", ["logout", "..", ".", "../features/login", "a\x00b"])
def test_a_feature_that_is_none_is_an_error_that_names_the_others(
    name: str, feature: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert command(monkeypatch, "feature", "status", name) == 1
    assert "features here: login" in capsys.readouterr().err


def test_the_features_folder_is_a_setting(
    feature: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    write_own_settings(features_folder="specs")
    assert command(monkeypatch, "feature", "status", "login") == 1
    feature.parent.rename(project / "specs")
    assert command(monkeypatch, "feature", "status", "login") == 0


def line_of(path: Path, **changes: Any) -> str:
    said = {**payload("statusLine"), "transcript_path": str(path), **changes}
    return status_line(json.dumps(said).encode())


def test_the_statusline_is_one_short_coloured_line(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert line_of(path) == "\x1b[33m68 % full, ends at 90 %, $0.01\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert line_of(path) == "68 % full, ends at 90 %, $0.01"
    filled(path, 100_000, "claude-opus-4-6[1m]")
    assert line_of(path) == "10 % full, ends at 98 %, $0.01"
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
    filled(path, 1_100_000, NEWER_MODEL)
    assert line_of(path) == "110 % full, ends at 98 %, $0.01"


@pytest.mark.parametrize("cost", [0, 0.001, -1, True, "5", None, 1e300])
def test_a_cost_without_sense_is_not_shown(path: Path, cost: object) -> None:
    assert "$" not in line_of(path, cost={"total_cost_usd": cost})
    assert "$12.50" in line_of(path, cost={"total_cost_usd": 12.5})


@pytest.mark.parametrize(
    ("other", "shown"),
    [
        ("tr -cd x | wc -c | tr -d ' '; echo second", "0\nsecond  68 % full"),
        ("exit 3", "68 % full"),
        ("echo left >&2", "68 % full"),
        ("no-such-command", "68 % full"),
    ],
)
@pytest.mark.parametrize("joined", [True, False])
def test_the_statusline_stands_behind_another_one(
    path: Path, other: str, shown: str, *, joined: bool
) -> None:
    said = json.dumps({**payload("statusLine"), "transcript_path": str(path)})
    beside = [f"--beside={other}"] if joined else ["--beside", other]
    done = subprocess.run(
        [sys.executable, "-m", "amplihack_compaction", "statusline", *beside],
        input=said.replace("x", "y"), capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[4], env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    assert done.stdout.startswith(shown)


def test_status_tells_cost_and_what_compactions_took_out(
    path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Transcript()
    session.user('Quote "subtype":"compact_boundary" and go on.')
    for _ in range(2):
        session.compact("They talked.", preserved=0)
        session.user("Go on.")
        session.assistant("Yes.")
    session.lines.append({"type": "cost-state", "totalCostUSD": 1.239})
    session.write(path)
    assert read_spending(str(path)) == Spending(1.239, 2, 2 * 170_074 - 1_003 - 2_003)
    assert read_spending(str(path.with_name("none.jsonl"))) == Spending()
    monkeypatch.setattr(sys, "argv", ["x", "status", "-s", str(path)])
    with pytest.raises(SystemExit):
        run_command_line()
    said = capsys.readouterr().out
    assert "cost        $1.24 so far" in said
    assert "saved       2 compactions took 337,142 tokens out of what each request sends" in said


def test_status_says_so_where_it_is_not_known_what_a_compaction_took_out(
    path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Transcript()
    session.user("Go on.")
    session.assistant("Yes.")
    session.compact("They talked.", preserved=0)
    del session.lines[-2]["compactMetadata"]["postTokens"]
    session.write(path)
    monkeypatch.setattr(sys, "argv", ["x", "status", "-s", str(path)])
    with pytest.raises(SystemExit):
        run_command_line()
    assert "saved       not known: the tokens before and after 1 comp" in capsys.readouterr().out


def test_the_statusline_notes_the_window_of_the_model(path: Path, project: Path) -> None:
    line_of(path)
    assert read_model_notes(str(project), "claude-opus-5-5").window_tokens == 1_000_000
    line_of(path, context_window={"context_window_size": 500_000})
    assert read_model_notes(str(project), "claude-opus-5-5").window_tokens == 500_000
    for size in (0, -1, True, "1m", None, 10**12):
        line_of(path, context_window={"context_window_size": size})
    line_of(path, model={"id": None})
    line_of(path, model="opus", context_window=[])
    assert read_model_notes(str(project), "claude-opus-5-5").window_tokens == 500_000


def test_before_the_first_response_it_is_the_clients_own_percentage(path: Path) -> None:
    none = path.with_name("none.jsonl")
    assert line_of(none) == "5 % full"
    assert line_of(none, context_window={"used_percentage": None}) == ""
    assert line_of(none, transcript_path="") == "5 % full"
    for used in (10**400, 1e300, -5, True, "5", float("nan"), float("inf")):
        assert line_of(none, context_window={"used_percentage": used}) == ""


@pytest.mark.parametrize("stdin", [b"", b"[]", b"{", b"{}", b'{"session_id": 7}'])
def test_a_statusline_without_sense_is_empty(path: Path, stdin: bytes) -> None:
    assert status_line(stdin) == ""


def test_without_the_clients_variable_the_payload_names_the_project(
    path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAUDE_PROJECT_DIR")
    assert line_of(path, workspace={"project_dir": str(project)})
    assert line_of(path, workspace=None) == ""


def test_the_command_statusline_loads_no_framework(path: Path) -> None:
    said = json.dumps({**payload("statusLine"), "transcript_path": str(path)})
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "amplihack_compaction", "statusline"],
        input=said, capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[4],
    )  # fmt: skip
    assert "68 % full" in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "amplihack_compaction.context.meter" in loaded
    assert not loaded & {"typer", "rich", "pydantic", "click"}


class _Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def test_the_statusline_is_listed_and_runs_from_the_command_line(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    said = json.dumps({**payload("statusLine"), "transcript_path": str(path)}).encode()
    monkeypatch.setattr(sys, "stdin", _Stdin(said))
    assert command(monkeypatch, "statusline") == 0
    monkeypatch.setattr(sys, "stdin", _Stdin(said))
    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", "statusline"])
    runpy.run_module("amplihack_compaction", run_name="__main__")
    assert capsys.readouterr().out.count("68 % full") == 2
    monkeypatch.setattr(sys, "stdin", _Stdin(b""))
    assert command(monkeypatch, "statusline") == 0
    assert capsys.readouterr().out == ""
