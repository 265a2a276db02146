"""Which session a user means."""

import json
import os
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.cli.sessions import chosen_session, sessions_above
from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from amplihack_compaction.compactor.transcripts.copy_plan import Original
from amplihack_compaction.compactor.transcripts.make_copy import make_copy, preview_copy
from tests.support.opencode import SESSION as DATABASE_SESSION
from tests.support.opencode import Database
from tests.support.transcripts import SESSION, Transcript, recorded
from tests.unit.compactor.transcripts.sessions_to_copy import SMALL, session

OTHER = "c5cbd2e7-ffff-4f7e-9f32-86b2df72f481"


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the current project's transcripts."""
    monkeypatch.chdir(project)
    return transcript_folder(str(project))


def test_without_a_name_it_is_the_newest_of_this_project(here: Path) -> None:
    recorded(here, SESSION, 10)
    newest = recorded(here, OTHER, 20)
    assert chosen_session(None).transcript == newest
    assert chosen_session(None).id == OTHER


def test_without_a_name_it_is_the_one_that_the_command_runs_in(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = recorded(here, SESSION, 10)
    newest = recorded(here, OTHER, 20)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    assert chosen_session(None).transcript == running
    for other in ("not-recorded-yet", SESSION[:9]):
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", other)
        assert chosen_session(None).transcript == newest
    elsewhere = recorded(here.with_name("-other-project"), "another", 5)
    assert elsewhere.exists()
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "another")
    assert chosen_session(None).transcript == newest


def test_a_session_that_has_not_begun_is_passed_over(here: Path) -> None:
    known = recorded(here, SESSION, 10)
    (here / f"{OTHER}.jsonl").touch()
    (here / "folder.jsonl").mkdir()
    assert chosen_session(None).transcript == known
    known.unlink()
    with pytest.raises(TranscriptError):
        chosen_session(None)


def test_where_one_cannot_be_looked_at_none_is_taken_for_the_newest(here: Path) -> None:
    known = recorded(here, SESSION, 10)
    loop = here / "loop.jsonl"
    loop.symlink_to(loop)
    with pytest.raises(
        TranscriptError, match=r"loop.jsonl cannot be looked at: .*name the session"
    ):
        chosen_session(None)
    assert chosen_session(SESSION).transcript == known
    loop.unlink()
    assert chosen_session(None).transcript == known


def test_a_session_kept_in_a_database_is_found_and_has_no_copy(here: Path, project: Path) -> None:
    Database(Path(os.environ["XDG_DATA_HOME"]), str(project))
    for named in (DATABASE_SESSION, DATABASE_SESSION[:12]):
        found = chosen_session(named)
        assert (found.id, found.root) == (DATABASE_SESSION, str(project))
    original = Original(path=str(found.transcript), session_id=found.id, root=found.root)
    with pytest.raises(TranscriptError, match="resumes no copy"):
        preview_copy(original, SMALL)


def test_a_copy_counts_when_somebody_goes_on_in_it(here: Path, project: Path) -> None:
    recorded(here, OTHER, 10)
    path = here / f"{SESSION}.jsonl"
    session(project).write(path)
    os.utime(path, (1_000_020,) * 2)
    original = Original(path=str(path), session_id=SESSION, root=str(project))
    copy = Path(make_copy(preview_copy(original, SMALL)).head.copy_path)
    assert copy.stat().st_mtime > path.stat().st_mtime
    assert chosen_session(None).transcript == path
    with copy.open("ab") as stream:
        stream.write(b'{"type":"user"}\n')
    assert chosen_session(None).transcript == copy


def test_a_copy_that_is_all_there_is_is_the_newest(here: Path, project: Path) -> None:
    path = here / f"{SESSION}.jsonl"
    session(project).write(path)
    original = Original(path=str(path), session_id=SESSION, root=str(project))
    copy = make_copy(preview_copy(original, SMALL)).head.copy_path
    path.unlink()
    assert str(chosen_session(None).transcript) == copy


def test_a_torn_manifest_hides_no_session(here: Path, project: Path) -> None:
    path = recorded(here)
    manifest = Path(session_folder(str(project), SESSION)) / "copy.jsonl"
    manifest.parent.mkdir(parents=True)
    manifest.write_text('{"version":')
    assert chosen_session(None).transcript == path


def test_the_project_is_the_one_that_the_client_names(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / "an other_one"))
    folder = transcript_folder(str(tmp_path / "an other_one"))
    assert folder.name.endswith("-an-other-one")
    recorded(here)
    path = recorded(folder, OTHER)
    assert chosen_session(None).transcript == path


def test_a_project_reached_through_a_link_has_its_sessions_under_either_name(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to(project)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(link))
    path = recorded(transcript_folder(str(project)))
    assert chosen_session(None).transcript == path


def test_an_id_or_its_beginning_is_enough(here: Path) -> None:
    path = recorded(here)
    assert chosen_session(SESSION).transcript == path
    assert chosen_session(SESSION[:8]).transcript == path
    elsewhere = recorded(transcript_folder("/some/where/else"), OTHER)
    assert chosen_session(SESSION[:8]).transcript == path  # this project's come first
    assert chosen_session(OTHER[:13]).transcript == elsewhere


def test_another_project_whose_folder_has_the_same_name_has_its_own_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alike = tmp_path / "my_app"
    alike.mkdir()
    transcript = Transcript(f"{SESSION[:-1]}0")
    transcript.root = str(alike)
    transcript.user("Write the invoice.")
    theirs = transcript.write(transcript_folder(str(alike)) / f"{transcript.session_id}.jsonl")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / "my-app"))
    with pytest.raises(TranscriptError, match=r"no session of .*my-app is recorded yet"):
        chosen_session(None)
    assert chosen_session(SESSION[:8]).transcript == theirs  # who names one may mean any
    ours = recorded(theirs.parent)
    assert chosen_session(None).transcript == ours
    assert chosen_session(SESSION[:8]).transcript == ours


def test_a_transcript_can_lie_anywhere(tmp_path: Path, project: Path) -> None:
    path = recorded(tmp_path).rename(tmp_path / "copy.txt")
    session = chosen_session(str(path))
    assert (session.id, session.transcript) == (SESSION, path)
    assert session.root == "/home/user/project"  # the folder that the session was started in


def test_a_transcript_named_from_its_folder_has_its_whole_path(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = recorded(here)
    monkeypatch.chdir(here)
    assert chosen_session(path.name).transcript == path


def test_our_files_are_looked_for_where_they_are(here: Path, project: Path) -> None:
    recorded(here)
    assert chosen_session(SESSION).root == "/home/user/project"
    Path(session_folder(str(project), SESSION)).mkdir(parents=True)
    session = chosen_session(SESSION)
    assert session.root == str(project)
    assert session.folder == session_folder(str(project), SESSION)


def test_a_file_name_that_is_an_id_counts_more_than_what_a_fork_copied(here: Path) -> None:
    recorded(here).rename(here / f"{OTHER}.jsonl")
    assert chosen_session(OTHER).id == OTHER


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (None, r"no session of .* is recorded yet .*: start `claude` there"),
        ("ffffffff", "no session ffffffff"),
        ("*", r"no session \*"),
        ("./none.jsonl", "there is no transcript"),
        ("none.jsonl", "there is no transcript"),
        ("~nobody-of-this-name", "no session ~nobody-of-this-name"),
        (".", "is a folder"),
        ("/dev/null", "not a regular file"),
    ],
)
def test_what_cannot_be_found_is_said(here: Path, named: str | None, message: str) -> None:
    with pytest.raises(TranscriptError, match=message):
        chosen_session(named)


def test_the_folder_above_that_has_sessions_is_named(
    here: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sessions_above(str(project)) == ""
    recorded(here)
    assert sessions_above(str(project)) == ""
    below = project / "informes" / "2026"
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(below))
    above = f"the folder above, {project}, has 1 session: call it there"
    with pytest.raises(TranscriptError, match=f" is recorded yet .*: {above}, or name a session"):
        chosen_session(None)
    assert sessions_above(str(below)) == above
    assert chosen_session(SESSION).id == SESSION


def test_several_sessions_with_one_beginning_are_listed(here: Path) -> None:
    for number in range(7):
        recorded(here, f"c5cbd2e7-000{number}-4f7e-9f32-86b2df72f481")
    with pytest.raises(TranscriptError, match=r"several sessions begin with c5cb: .* and 2 more"):
        chosen_session("c5cb")


@pytest.mark.parametrize("text", ["", "hello\n", "[1]\n", '{"a": 1}\n'])
def test_a_file_that_is_no_transcript_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TranscriptError, match="not a transcript"):
        chosen_session(str(path))


@pytest.mark.parametrize(
    "folder", ["", "/home/\0", "/home/\ud800", "/" + "a b " * 2_000, "/dev/zero", "project"]
)
def test_a_folder_that_no_system_has_is_not_the_projects(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(project)
    transcript = Transcript()
    transcript.user("Fix the login.")
    path = transcript.write(tmp_path / "odd.jsonl")
    line = json.dumps({**transcript.lines[-1], "cwd": folder})
    path.write_text(line + "\n", encoding="utf-8")
    assert chosen_session(str(path)).root == str(project)
