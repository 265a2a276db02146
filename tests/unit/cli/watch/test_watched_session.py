"""Which session `watch` looks at, before and after it has begun."""

from pathlib import Path

import pytest

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.cli.commands.watch import WatchedSession
from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from amplihack_compaction.compactor.transcripts.copy_plan import Original
from amplihack_compaction.compactor.transcripts.make_copy import make_copy, preview_copy
from tests.support.transcripts import SESSION, recorded
from tests.unit.compactor.transcripts.sessions_to_copy import SMALL, session

OTHER = "c5cbd2e7-ffff-4f7e-9f32-86b2df72f481"


@pytest.fixture
def folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the project's transcripts, which is not there yet."""
    monkeypatch.chdir(project)
    return transcript_folder(str(project))


def found(following: WatchedSession) -> str:
    session = following.session()
    return session.id if session is not None else ""


def test_a_session_is_waited_for(folder: Path) -> None:
    following = WatchedSession(None)
    assert following.session() is None
    folder.mkdir(parents=True)
    (folder / f"{SESSION}.jsonl").touch()
    assert following.session() is None  # begun, but nothing is in it
    recorded(folder, SESSION, 10)
    assert found(following) == SESSION


def test_it_is_the_newest_until_another_one_begins(folder: Path) -> None:
    recorded(folder, SESSION, 10)
    recorded(folder, OTHER, 5)
    following = WatchedSession(None)
    assert found(following) == SESSION
    recorded(folder, OTHER, 20)  # goes on beside it, as another client's does
    assert found(following) == SESSION
    third = "c5cbd2e7-eeee-4f7e-9f32-86b2df72f481"
    (folder / f"{third}.jsonl").touch()
    assert found(following) == SESSION
    recorded(folder, third, 30)
    assert found(following) == third


def test_a_transcript_that_is_a_link_is_looked_at_only_where_it_is_named(
    folder: Path, tmp_path: Path
) -> None:
    recorded(tmp_path, SESSION, 10)
    folder.mkdir(parents=True)
    link = folder / f"{SESSION}.jsonl"
    link.symlink_to(tmp_path / link.name)
    assert found(WatchedSession(None)) == ""
    assert found(WatchedSession(str(link))) == SESSION


def test_a_copy_is_gone_over_to_when_somebody_goes_on_in_it(folder: Path, project: Path) -> None:
    path = folder / f"{SESSION}.jsonl"
    session(project).write(path)
    original = Original(path=str(path), session_id=SESSION, root=str(project))
    first = Path(make_copy(preview_copy(original, SMALL)).head.copy_path)
    following = WatchedSession(None)
    assert found(following) == SESSION
    second = Path(make_copy(preview_copy(original, SMALL)).head.copy_path)
    assert found(following) == SESSION
    for copy in (first, second):
        with copy.open("ab") as stream:
            stream.write(b'{"type":"user"}\n')
        assert found(following) == copy.stem


def test_a_named_session_is_waited_for_and_kept(folder: Path) -> None:
    following = WatchedSession(OTHER)
    recorded(folder, SESSION, 10)
    assert following.session() is None
    recorded(folder, OTHER, 5)
    assert found(following) == OTHER
    recorded(folder, SESSION, 30)
    assert found(following) == OTHER


def test_a_session_that_is_there_can_be_named_by_its_first_characters(folder: Path) -> None:
    path = recorded(folder, OTHER, 5)
    assert found(WatchedSession("c5cbd2e7-ff")) == OTHER
    assert found(WatchedSession(str(path))) == OTHER


@pytest.mark.parametrize("named", ["c5cbd2e7-0", "nowhere.jsonl", "no such"])
def test_what_can_never_begin_is_refused(folder: Path, named: str) -> None:
    with pytest.raises(TranscriptError):
        WatchedSession(named)
