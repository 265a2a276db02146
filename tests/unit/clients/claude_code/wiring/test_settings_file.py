"""Settings files on disk: merged whole, backed up once, and given back byte for byte."""

import errno
import fcntl
import json
import multiprocessing
import os
import threading
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.files import make_folder
from amplihack_compaction.base.folders import lock_file
from amplihack_compaction.base.installation import data_folder
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.clients.claude_code.wiring import settings_file
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EVENTS,
    READING_TOOLS,
    TIMEOUT_SECONDS,
    command_of,
    hooks_of,
    registered_hooks,
)
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    Scope,
    apply_edit,
    apply_registration,
    apply_removal,
    plan_edit,
    plan_registration,
    plan_removal,
    read_text,
    registered_in,
    scopes,
)

ODD = b'\xef\xbb\xbf{\r\n\t"permissions" : { "allow": ["Bash(ls:*)"] },\r\n\t"hooks":{ }}\r\n\r\n'


@pytest.fixture
def scope(project: Path) -> Scope:
    return scopes(project)["project"]


def register(scope: Scope, events: tuple[str, ...] = EVENTS) -> bytes:
    apply_registration(plan_registration(scope, events))
    return scope.path.read_bytes()


def unregister(scope: Scope) -> None:
    apply_removal(plan_removal(scope))


def put(scope: Scope, data: bytes) -> None:
    scope.path.parent.mkdir(exist_ok=True)
    scope.path.write_bytes(data)


def test_scopes_are_the_clients(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Path(os.environ["HOME"])
    assert config_folder() == home / ".claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/config")
    paths = {name: str(scope.path) for name, scope in scopes(project).items()}
    assert paths == {
        "project": f"{project}/.claude/settings.json",
        "local": f"{project}/.claude/settings.local.json",
        "user": "/config/settings.json",
    }


def test_a_missing_file_is_made_and_goes_again(scope: Scope, project: Path) -> None:
    assert registered_hooks(register(scope).decode())
    assert not scope.backup.exists()
    unregister(scope)
    assert list(project.iterdir()) == []


def test_a_folder_with_other_things_stays(scope: Scope, project: Path) -> None:
    (project / ".claude").mkdir()
    (project / ".claude" / "agents").mkdir()
    register(scope)
    unregister(scope)
    assert [path.name for path in (project / ".claude").iterdir()] == ["agents"]


@pytest.mark.parametrize("data", [ODD, b"", b" \n", b"{}", b'{"a":1}'])
def test_the_original_bytes_come_back(scope: Scope, data: bytes) -> None:
    put(scope, data)
    register(scope)
    assert scope.backup.read_bytes() == data
    unregister(scope)
    assert scope.path.read_bytes() == data
    assert not scope.backup.exists()


@pytest.mark.parametrize("data", [ODD, b"{}", b'{"permissions":{"deny":[]}}', b'{"a":1}'])
def test_the_original_bytes_come_back_with_tools_allowed_too(scope: Scope, data: bytes) -> None:
    put(scope, data)
    for _ in range(2):
        apply_registration(plan_registration(scope, recall=True))
    allowed = json.loads(scope.path.read_text("utf-8-sig"))["permissions"]["allow"]
    assert [rule for rule in allowed if "ls" not in rule] == list(READING_TOOLS)
    unregister(scope)
    assert scope.path.read_bytes() == data


def test_a_second_run_changes_nothing(scope: Scope) -> None:
    put(scope, ODD)
    first = register(scope)
    before = scope.path.stat()
    assert not plan_registration(scope).is_needed
    assert register(scope) == first
    assert scope.path.stat().st_mtime_ns == before.st_mtime_ns


def test_the_first_original_is_kept_over_an_upgrade(scope: Scope) -> None:
    put(scope, ODD)
    register(scope)
    register(scope, ("Stop",))
    assert scope.backup.read_bytes() == ODD
    assert registered_in(scope) == [command_of(name) for name in hooks_of("Stop")]
    unregister(scope)
    assert scope.path.read_bytes() == ODD


def test_a_made_file_stays_a_made_one_over_an_upgrade(scope: Scope) -> None:
    register(scope)
    register(scope)
    assert not scope.backup.exists()
    unregister(scope)
    assert not scope.path.exists()


def test_an_edit_in_between_stays_and_ours_goes(scope: Scope) -> None:
    put(scope, b'{\n  "model": "opus"\n}\n')
    text = register(scope).decode()
    scope.path.write_text(text.replace('"opus"', '"sonnet"'), encoding="utf-8")
    unregister(scope)
    assert scope.path.read_text(encoding="utf-8") == '{\n  "model": "sonnet"\n}\n'


def test_a_stale_backup_does_not_win_over_a_newer_file(scope: Scope) -> None:
    put(scope, b'{"a": 1}')
    register(scope)
    put(scope, b'{"a": 2}')  # by hand, without the hooks
    register(scope)
    assert scope.backup.read_bytes() == b'{"a": 2}'
    unregister(scope)
    assert scope.path.read_bytes() == b'{"a": 2}'


def test_a_backup_that_says_nothing_is_not_given_back(scope: Scope) -> None:
    put(scope, b'{"a": 1}')
    register(scope)
    scope.backup.write_bytes(b"torn {")
    unregister(scope)
    assert scope.path.read_bytes() == b'{"a": 1}'


def test_an_example_pasted_by_hand_is_taken_over_and_removed(scope: Scope) -> None:
    example = Path(__file__).parents[5] / "settings.example.json"
    settings = {**json.loads(example.read_text(encoding="utf-8")), "model": "opus"}
    put(scope, json.dumps(settings, indent=2).encode())
    register(scope)
    assert registered_in(scope) == [command_of(name) for name in TIMEOUT_SECONDS]
    unregister(scope)
    assert json.loads(read_text(scope)) == {"model": "opus"}


def test_a_link_stays_a_link_and_the_mode_stays(scope: Scope, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.json"
    target.write_bytes(b'{"a": 1}')
    target.chmod(0o640)
    scope.path.parent.mkdir()
    scope.path.symlink_to(target)
    register(scope)
    assert scope.path.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert scope.backup.stat().st_mode & 0o777 == 0o640
    assert registered_hooks(target.read_text(encoding="utf-8"))
    unregister(scope)
    assert scope.path.is_symlink()
    assert target.read_bytes() == b'{"a": 1}'


def test_a_dangling_link_gets_its_file_and_loses_it_again(scope: Scope, tmp_path: Path) -> None:
    target = tmp_path / "not yet" / "settings.json"
    scope.path.parent.mkdir()
    scope.path.symlink_to(target)
    register(scope)
    assert target.is_file()
    unregister(scope)
    assert scope.path.is_symlink()
    assert not target.exists()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"// settings\n{}", "not JSON"),
        (b'{"hooks": []}', '"hooks" in it'),
        (b"[1]", "not an object"),
    ],
)
def test_a_file_that_cannot_take_hooks_is_left_as_it_was(
    scope: Scope, data: bytes, message: str
) -> None:
    put(scope, data)
    with pytest.raises(SettingsError, match=message):
        register(scope)
    assert scope.path.read_bytes() == data
    assert not scope.backup.exists()
    assert registered_in(scope) == []


def test_removal_from_a_file_that_cannot_be_read_says_so(scope: Scope) -> None:
    put(scope, b"\xff")
    with pytest.raises(SettingsError, match="not UTF-8"):
        plan_removal(scope)


def test_removal_from_a_torn_file_says_that_nothing_was_taken_out(scope: Scope) -> None:
    register(scope)
    torn = scope.path.read_bytes()[:-40]
    scope.path.write_bytes(torn)
    with pytest.raises(SettingsError, match="is left as it was"):
        plan_removal(scope)
    assert scope.path.read_bytes() == torn


def test_removal_without_hooks_changes_nothing(scope: Scope) -> None:
    assert not plan_removal(scope).is_needed
    put(scope, b'{"hooks": 7}')
    assert not plan_removal(scope).is_needed


def test_a_folder_or_a_fifo_in_the_files_place_is_refused(scope: Scope) -> None:
    scope.path.mkdir(parents=True)
    with pytest.raises(SettingsError, match="not a regular file"):
        register(scope)
    scope.path.rmdir()
    os.mkfifo(scope.path)
    with pytest.raises(SettingsError, match="not a regular file"):
        register(scope)


def test_a_file_in_the_folders_place_is_refused(scope: Scope, project: Path) -> None:
    (project / ".claude").write_text("", encoding="utf-8")
    with pytest.raises(SettingsError, match="cannot be read"):
        register(scope)


def test_a_huge_file_is_refused(scope: Scope) -> None:
    put(scope, b"{}")
    os.truncate(scope.path, 17 * 1024 * 1024)
    with pytest.raises(SettingsError, match="larger"):
        register(scope)


def test_of_two_edits_at_once_the_second_is_refused_and_the_first_stays(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(scope, b"{}")
    first = plan_edit(scope, lambda _: '{"a": 1}')
    second = plan_edit(scope, lambda _: '{"b": 1}')
    refused: list[str] = []
    write = settings_file._write

    def edit_too() -> None:
        try:
            apply_edit(second)
        except SettingsError as error:
            refused.append(str(error))

    other = threading.Thread(target=edit_too)

    def write_while_another_edits(*arguments: Any) -> None:
        if not other.ident:
            other.start()
            other.join(0.2)  # it has to wait for this one
        write(*arguments)

    monkeypatch.setattr(settings_file, "_write", write_while_another_edits)
    apply_edit(first)
    other.join(60)
    assert scope.path.read_bytes() == b'{"a": 1}'
    assert ["changed in the meantime" in each for each in refused] == [True]


def test_a_file_that_another_process_is_changing_for_long_is_left_alone(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(scope, b"{}")
    monkeypatch.setattr(settings_file, "_WAIT_SECONDS", 0.0)
    locks = f"{data_folder()}/locks"
    make_folder(locks)
    with (
        lock_file(f"{locks}/settings.lock", 0),
        pytest.raises(SettingsError, match="by another process: try again"),
    ):
        apply_edit(plan_edit(scope, lambda _: '{"a": 1}'))
    assert scope.path.read_bytes() == b"{}"


def add_up(path: Path, name: str) -> None:
    """Count up an entry of a settings file many times, again where another one was faster."""
    scope = Scope("project", path)
    number = 1
    while number <= 20:
        with suppress(SettingsError):
            apply_edit(plan_edit(scope, partial(put_number, name=name, number=number)))
            number += 1


def put_number(text: str, name: str, number: int) -> str:
    values = json.loads(text)
    assert values.get(name, 0) == number - 1
    return json.dumps({**values, name: number})


def test_of_processes_that_edit_one_file_none_loses_what_another_one_wrote(scope: Scope) -> None:
    put(scope, b"{}")
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=add_up, args=(scope.path, name)) for name in "abc"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert json.loads(scope.path.read_bytes()) == {"a": 20, "b": 20, "c": 20}


def test_the_lock_lies_in_our_own_folder_and_nothing_of_it_beside_the_file(
    scope: Scope, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_HOME", str(tmp_path / "ours"))
    apply_edit(plan_edit(scope, lambda _: '{"a": 1}'))
    lock = tmp_path / "ours/locks/settings.lock"
    with settings_file._alone(scope.path):
        assert (lock.read_bytes(), lock.stat().st_mode & 0o777) == (b"", 0o600)
    assert lock.parent.stat().st_mode & 0o777 == 0o700
    assert os.listdir(scope.path.parent) == [scope.path.name]


@pytest.mark.parametrize("home", ["a file", "a link to nothing", "/proc/none", "relative"])
def test_without_a_place_for_the_lock_a_file_is_written_all_the_same(
    scope: Scope, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: str
) -> None:
    (tmp_path / "a file").write_bytes(b"")
    (tmp_path / "a link to nothing").symlink_to(tmp_path / "nothing")
    monkeypatch.chdir(tmp_path)
    place = home if home == "relative" else str(tmp_path / home)
    monkeypatch.setenv("AMPLIHACK_COMPACTION_HOME", place)
    apply_edit(plan_edit(scope, lambda _: '{"a": 1}'))
    assert scope.path.read_bytes() == b'{"a": 1}'
    assert not (tmp_path / "relative").exists()


def test_a_drive_without_locks_is_written_to_all_the_same(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    apply_edit(plan_edit(scope, lambda _: '{"a": 1}'))
    assert scope.path.read_bytes() == b'{"a": 1}'


def test_a_change_in_the_meantime_is_not_overwritten(scope: Scope) -> None:
    put(scope, b'{"a": 1}')
    change = plan_registration(scope)
    put(scope, b'{"a": 2}')
    with pytest.raises(SettingsError, match="meantime"):
        apply_registration(change)
    assert scope.path.read_bytes() == b'{"a": 2}'


def test_a_write_protected_file_is_left_alone(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(scope, b"{}")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    change = plan_registration(scope)
    with pytest.raises(SettingsError, match="write-protected"):
        apply_registration(change)
    assert scope.path.read_bytes() == b"{}"


def test_a_disk_that_refuses_is_said(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    put(scope, b"{}")
    change = plan_registration(scope)

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(SettingsError, match="No space left"):
        apply_registration(change)
    assert scope.path.read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize("data", [None, b"\xff", b"// x", b"[1]", b"null", b"[" * 100_000])
def test_what_cannot_be_read_has_no_hooks(scope: Scope, data: bytes | None) -> None:
    if data is not None:
        put(scope, data)
    assert registered_in(scope) == []
