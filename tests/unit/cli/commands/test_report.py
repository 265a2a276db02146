"""The command `report`: where the page goes, and what it refuses."""

import sys
from pathlib import Path

import pytest

from amplihack_compaction.base.files import open_regular
from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.cli.app import run_command_line
from amplihack_compaction.clients import session_lines
from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from amplihack_compaction.compactor.transcripts.copy_plan import Original
from amplihack_compaction.compactor.transcripts.make_copy import make_copy, preview_copy
from tests.support.pages import read_page
from tests.support.transcripts import SESSION, Transcript
from tests.unit.compactor.transcripts.sessions_to_copy import SMALL, session

OTHER = "c5cbd2e7-ffff-4f7e-9f32-86b2df72f481"


def recorded(project: Path, session_id: str) -> Path:
    transcript = Transcript(session_id)
    transcript.user("Fix the login.")
    transcript.assistant("Done.")
    transcript.lines[0]["cwd"] = str(project)
    return transcript.write(transcript_folder(str(project)) / f"{session_id}.jsonl")


@pytest.fixture
def sessions(project: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.chdir(project)
    return [recorded(project, SESSION), recorded(project, OTHER)]


class Call:
    """Calls the command line and keeps what it said."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.err = ""

    def __call__(self, *arguments: object, code: int = 0) -> str:
        self.monkeypatch.setattr(sys, "argv", ["amplihack-compaction", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            run_command_line()
        said = self.capsys.readouterr()
        self.err = said.err
        assert (left.value.code or 0) == code, said.err
        return said.out


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return Call(monkeypatch, capsys)


def test_the_page_lies_among_the_projects_own_files(
    sessions: list[Path], project: Path, call: Call
) -> None:
    path = Path(call("report", SESSION).rstrip("\n"))
    assert path == Path(runtime_folder(str(project))) / "reports" / f"{SESSION}.html"
    assert path.stat().st_mode & 0o777 == 0o600
    assert f"Session {SESSION}" in read_page(path.read_text(encoding="utf-8")).text
    assert (path.parent.parent / ".gitignore").read_text() == "*\n"


def test_all_sessions_of_the_project_are_one_page(sessions: list[Path], call: Call) -> None:
    (sessions[0].parent / "torn.jsonl").write_text("nothing\n")
    path = Path(call("report", "--all").rstrip("\n"))
    assert path.name == "all-sessions.html"
    page = read_page(path.read_text(encoding="utf-8"))
    assert {f"Session {SESSION}", f"Session {OTHER}"} <= set(page.texts)
    assert "left out" in call.err
    assert "torn.jsonl is not a transcript" in call.err


def test_a_transcript_that_is_a_link_is_left_out(
    sessions: list[Path], call: Call, tmp_path: Path
) -> None:
    real = sessions[1].rename(tmp_path / sessions[1].name)
    sessions[1].symlink_to(real)
    page = read_page(Path(call("report", "--all", code=1).rstrip("\n")).read_text())
    assert f"Session {OTHER}" not in page.texts
    assert f"{sessions[1]}: it is a link" in call.err


def test_a_page_without_a_session_that_cannot_be_read_is_no_success(
    sessions: list[Path], call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = sessions[0].parent / "loop.jsonl"
    loop.symlink_to(loop)
    page = read_page(Path(call("report", "--all", code=1).rstrip("\n")).read_text())
    assert {f"Session {SESSION}", f"Session {OTHER}"} <= set(page.texts)
    assert "left out" in call.err
    assert "loop.jsonl cannot be looked at" in call.err
    assert "Session" in call("report", "--all", "--out", "-", code=1)
    loop.unlink()

    def refuse(path: str) -> int:
        if path.endswith(f"{OTHER}.jsonl"):
            raise PermissionError(13, "Permission denied", path)
        return open_regular(path)

    monkeypatch.setattr(session_lines, "open_regular", refuse)
    page = read_page(Path(call("report", "--all", code=1).rstrip("\n")).read_text())
    assert f"Session {OTHER}" not in page.texts
    assert "left out: cannot read the transcript" in call.err


def test_a_copy_that_nobody_has_gone_on_in_is_no_session_of_its_own(
    project: Path, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    monkeypatch.chdir(project)
    path = transcript_folder(str(project)) / f"{SESSION}.jsonl"
    log = session(project)
    log.compact("They talked.")
    log.write(path)
    original = Original(path=str(path), session_id=SESSION, root=str(project))
    copy = make_copy(preview_copy(original, SMALL)).head.session_id[:8]
    assert copy not in call("report", "--all", "--out", "-")
    assert call("store", "sync").startswith("1 transcript, ")
    told = call("doctor", code=1)  # no hooks are registered here
    assert f"session {SESSION[:8]}" in told
    assert copy not in told


def test_the_page_goes_where_it_is_wanted(sessions: list[Path], tmp_path: Path, call: Call) -> None:
    out = tmp_path / "report.html"
    assert call("report", sessions[0], "--out", out) == f"{out}\n"
    assert call("report", sessions[0], "--out", "-") == out.read_text(encoding="utf-8")


def test_the_browser_is_asked_to_show_it(
    sessions: list[Path], tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    import webbrowser

    opened: list[str] = []

    def open_none(uri: str) -> bool:
        opened.append(uri)
        return False

    monkeypatch.setattr(webbrowser, "open", open_none)
    call("report", SESSION, "--out", tmp_path / "r.html", "--open")
    assert opened == [(tmp_path / "r.html").as_uri()]
    assert "open the file by hand" in call.err


def test_a_transcript_is_never_written_over(sessions: list[Path], call: Call) -> None:
    before = sessions[0].read_bytes()
    call("report", SESSION, "--out", sessions[0], code=1)
    assert "is the session's transcript" in call.err
    assert sessions[0].read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        ((SESSION, "--all"), "not both", 2),
        (("--out", "-", "--open"), "give --out a file", 2),
        (("--out", "nowhere/r.html"), "there is no folder", 1),
        (("--out", "."), "not a regular file", 1),
        (("ffffffff",), "no session ffffffff", 1),
    ],
)
def test_what_cannot_be_done_is_said(
    sessions: list[Path], call: Call, arguments: tuple[str, ...], message: str, code: int
) -> None:
    assert call("report", *arguments, code=code) == ""
    assert message in call.err


def test_without_any_session_that_is_said(
    project: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    call("report", "--all", code=1)
    assert "is recorded yet" in call.err


def test_nothing_is_written_through_links(
    sessions: list[Path], project: Path, tmp_path: Path, call: Call
) -> None:
    runtime = Path(runtime_folder(str(project)))
    runtime.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (runtime / "reports").symlink_to(tmp_path / "elsewhere")
    call("report", SESSION, code=1)
    assert "is a link; say with --out" in call.err
    runtime.rename(tmp_path / "before")
    runtime.symlink_to(tmp_path / "elsewhere")
    call("report", SESSION, code=1)
    assert "is a link" in call.err
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_page_that_cannot_be_written_is_an_error_of_ours(
    sessions: list[Path], tmp_path: Path, call: Call
) -> None:
    call("report", SESSION, "--out", tmp_path / ("x" * 300 + ".html"), code=1)
    assert "cannot write" in call.err
