"""The client's own folder is where the environment says, written as one path."""

import json
import posix
from pathlib import Path

import pytest

from amplihack_compaction.base.settings import config_path
from amplihack_compaction.clients.claude_code.session_files import (
    carry_tasks,
    config_folder,
    drop_tasks,
    project_transcripts,
    session_transcript,
    transcript_folder,
)
from tests.support.transcripts import SESSION, Transcript

OTHER = "0b7f1c7e-1111-4222-8333-444444444444"


@pytest.mark.parametrize("ending", ["", "/", "//"])
def test_a_folder_that_is_named_is_the_clients(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{tmp_path}{ending}")
    assert config_path() == str(tmp_path)
    assert config_folder() == tmp_path


def test_the_root_can_be_the_clients_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/")
    assert (f"{config_path()}/settings.json", config_folder()) == ("/settings.json", Path("/"))


@pytest.mark.parametrize(
    ("project", "name"),  # as the client itself names them (2.1.330)
    [
        ("/w/my_app", "-w-my-app"),
        ("/w/проект", "-w-------"),
        ("/w/🚀app", "-w---app"),
        ("/" + "d" * 199, "-" + "d" * 199),
        ("/" + "d" * 200, "-" + "d" * 199 + "-25z2kx"),
        ("/🚀" + "d" * 200, "---" + "d" * 197 + "-w3rwry"),
    ],
)
def test_a_projects_folder_is_named_as_the_client_names_it(project: str, name: str) -> None:
    assert transcript_folder(project).name == name


def begun_in(cwd: Path, listed_for: Path, session_id: str = SESSION) -> Path:
    """Write a session that was begun in a folder to where a project's are."""
    session = Transcript(session_id)
    session.root = str(cwd)
    session.user("Go")
    return session.write(transcript_folder(str(listed_for)) / f"{session_id}.jsonl")


@pytest.fixture
def alike(tmp_path: Path) -> tuple[Path, Path]:
    """Return two projects whose transcripts the client keeps in one folder."""
    one, two = tmp_path / "my_app", tmp_path / "my-app"
    for folder in (one, two):
        folder.mkdir()
    return one, two


def test_two_projects_of_the_same_folder_name_have_each_their_own_sessions(
    alike: tuple[Path, Path],
) -> None:
    one, two = alike
    ours, theirs = begun_in(one, one), begun_in(two, two, OTHER)
    assert ours.parent == theirs.parent
    assert project_transcripts(str(one), []) == [ours]
    assert session_transcript(str(one), SESSION) == ours
    assert project_transcripts(str(two), []) == [theirs]
    assert session_transcript(str(two), SESSION) is None


def test_where_a_session_was_begun_elsewhere_it_is_still_the_projects(tmp_path: Path) -> None:
    project = tmp_path / "my_app"
    (project / "below").mkdir(parents=True)
    (tmp_path / "worktree").mkdir()
    (tmp_path / "my.app").symlink_to(project)
    for number, folder in enumerate(("my_app/below", "worktree", "my.app", "my-app", "my\0app")):
        ours = begun_in(tmp_path / folder, project, str(number))
        assert ours in project_transcripts(str(project), []), folder
        assert session_transcript(str(project), str(number)) == ours


@pytest.mark.parametrize(
    "content", [b"", b'{"type":"mode"}\n', b'{"cwd":7}\n', b'{"cwd":"/x', b"\xff\n", b"[]\n"]
)
def test_what_does_not_tell_where_it_was_begun_is_the_projects(
    project: Path, content: bytes
) -> None:
    path = begun_in(project, project)
    path.write_bytes(content)
    assert project_transcripts(str(project), []) == [path]


def test_where_a_session_was_begun_its_first_entry_tells(alike: tuple[Path, Path]) -> None:
    one, two = alike
    path = begun_in(one, one)
    call = json.dumps({"type": "mode", "input": {"cwd": str(two)}}, separators=(",", ":"))
    moved = path.read_text().replace(str(one), str(two))
    path.write_text(f"{call}\n{path.read_text()}{moved}")
    assert project_transcripts(str(one), []) == [path]
    assert project_transcripts(str(two), []) == []


@pytest.fixture
def transcript(tmp_path: Path) -> str:
    tasks = tmp_path / "tasks" / "old"
    tasks.mkdir(parents=True)
    for name in ("1.json", "2.json", ".lock", "odd name.json"):
        (tasks / name).write_text(name)
    return str(tmp_path / "projects" / "p" / "old.jsonl")


def test_task_files_are_carried_and_dropped(transcript: str, tmp_path: Path) -> None:
    assert carry_tasks(transcript, "old", "new") == ["1.json", "2.json"]
    assert (tmp_path / "tasks/new/2.json").read_text() == "2.json"
    drop_tasks(transcript, "new", ["1.json", "2.json", "../old/1.json"])
    assert not (tmp_path / "tasks/new").exists()
    assert len(list((tmp_path / "tasks/old").iterdir())) == 4


def test_a_folder_with_other_files_stays(transcript: str, tmp_path: Path) -> None:
    names = carry_tasks(transcript, "old", "new")
    (tmp_path / "tasks/new/9.json").write_text("the client's")
    drop_tasks(transcript, "new", names)
    assert [path.name for path in (tmp_path / "tasks/new").iterdir()] == ["9.json"]


@pytest.mark.parametrize("session", ["none", "../old", ".hidden"])
def test_a_session_without_tasks_has_nothing_to_carry(transcript: str, session: str) -> None:
    assert carry_tasks(transcript, session, "new") == []


def test_a_transcript_elsewhere_has_no_tasks(transcript: str, tmp_path: Path) -> None:
    assert carry_tasks(str(tmp_path / "old.jsonl"), "old", "new") == []
    drop_tasks(str(tmp_path / "old.jsonl"), "old", ["1.json"])
    assert (tmp_path / "tasks/old/1.json").exists()


def test_a_task_file_that_cannot_be_removed_is_no_success(
    transcript: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = carry_tasks(transcript, "old", "new")

    def refuse(path: str) -> None:
        raise OSError(30, "Read-only file system", path)

    with monkeypatch.context() as patch:
        patch.setattr(posix, "unlink", refuse)
        with pytest.raises(OSError, match="Read-only"):
            drop_tasks(transcript, "new", names)
    (tmp_path / "tasks/new/1.json").unlink()
    drop_tasks(transcript, "new", names)
    assert not (tmp_path / "tasks/new").exists()


def test_an_error_takes_back_what_was_carried(
    transcript: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_at_the_second(path: str, data: bytes) -> bool:
        if path.endswith("2.json"):
            raise OSError("full")
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_bytes(data)
        return True

    monkeypatch.setattr(
        "amplihack_compaction.clients.claude_code.session_files.create_exclusively",
        fail_at_the_second,
    )
    with pytest.raises(OSError, match="full"):
        carry_tasks(transcript, "old", "new")
    assert not (tmp_path / "tasks/new").exists()
