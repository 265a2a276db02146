"""Settings files of the client on disk: found by scope, registered in, and restored.

Of a file that existed before, a backup in the user's data folder keeps the bytes as they were.
`plan_removal` gives those back when nothing else has changed since; otherwise it takes out exactly
our entries. A link is followed and stays a link; mode, byte order mark and line breaks stay.

Managed settings, which may keep our hooks from running, stand above all others:
`managed-settings.json` and the files of `managed-settings.d`, in name order, in a folder of the
system. What is set by a server or by a device's policy is not seen from here.
"""

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import SettingsError, reason_of
from amplihack_compaction.base.files import (
    make_folder,
    open_regular,
    parse_object,
    read_bytes,
    read_whole,
)
from amplihack_compaction.base.installation import COMMAND_NAME, data_folder
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EMPTY_SETTINGS,
    EVENTS,
    Entry,
    Registered,
    add_hooks,
    allow_reading,
    allows_reading,
    check_settings,
    entry_of,
    registered_hooks,
    remove_hooks,
)
from amplihack_compaction.transcript.session import as_object

_MARK = "\ufeff"
_SIZE_LIMIT_BYTES = 16 * 1024 * 1024
_WAIT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Scope:
    """Where settings apply: `name` is project, local or user, `client` another than Claude Code."""

    name: str
    path: Path
    client: str = ""

    @property
    def backup(self) -> Path:
        """The file that keeps the original bytes."""
        name = blake2b(os.fsencode(self.path.absolute()), digest_size=8).hexdigest()
        return Path(data_folder()) / "backups" / f"{name}-{self.path.name}"


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of a settings file; None stands for no file."""

    scope: Scope
    before: bytes | None
    after: bytes | None

    @property
    def is_needed(self) -> bool:
        """Whether the file would change at all."""
        return self.before != self.after


def scopes(project: Path) -> dict[str, Scope]:
    """Return the three settings files that apply in a project, by the name of their scope."""
    folder = project / ".claude"
    return {
        "project": Scope("project", folder / "settings.json"),
        "local": Scope("local", folder / "settings.local.json"),
        "user": Scope("user", config_folder() / "settings.json"),
    }


def plan_registration(
    scope: Scope, events: Sequence[str] = EVENTS, *, recall: bool = False, entry: Entry = entry_of
) -> Change:
    """Return the change that registers our hooks for exactly these events.

    With `recall`, the MCP tools that only read are allowed as well. `entry` makes the entry of a
    hook. Raises SettingsError when the file cannot be read or cannot take them.
    """

    def registered(text: str) -> str:
        text = add_hooks(text, events, entry)
        return allow_reading(text) if recall else text

    return plan_edit(scope, registered)


def plan_removal(scope: Scope) -> Change:
    """Return the change that takes our hooks out of the file.

    Raises SettingsError when the file cannot be read.
    """

    def removed(mark: str, text: str) -> bytes | None:
        if registered_hooks(text):
            return _original(scope, mark, text)
        if COMMAND_NAME in text or parse_object(text.encode("utf-8", "replace")) is None:
            check_settings(text)  # what cannot be read may have them all the same
        return read_file(scope.path)

    return _plan(scope, removed)


def plan_edit(scope: Scope, edit: Callable[[str], str]) -> Change:
    """Return the change that a function makes of the file's text; of no file it is given `{}`.

    Raises SettingsError when the file cannot be read.
    """
    return _plan(scope, lambda mark, text: (mark + edit(text)).encode("utf-8"))


def _plan(scope: Scope, make: Callable[[str, str], bytes | None]) -> Change:
    """Return the change that a function makes of the file's byte order mark and its text."""
    before = read_file(scope.path)
    try:
        return Change(scope, before, make(*_decode(before)))
    except SettingsError as error:
        raise SettingsError(f"{scope.path} is left as it was: {error}") from None
    except UnicodeEncodeError:
        raise SettingsError(f"{scope.path} is left as it was: JSON cannot hold that") from None


def apply_registration(change: Change) -> None:
    """Write a registration, and first the backup, where one is due.

    The first original is kept: a backup is only replaced when the file has nothing of ours any
    more. Of a file that came with our hooks there is none. Raises SettingsError when the file
    cannot be written, or has changed in the meantime.
    """
    if not change.is_needed:
        return
    if change.before is None:
        change.scope.backup.unlink(missing_ok=True)  # of a file that was deleted since
    elif not registered_hooks(_decode(change.before)[1]):
        make_folder(str(change.scope.backup.parent))
        _write(change.scope.backup, change.before, None, change.scope.path)
    apply_edit(change)


def apply_removal(change: Change) -> None:
    """Write a removal, and remove the backup, which has served.

    Raises SettingsError when the file cannot be written, or has changed in the meantime.
    """
    apply_edit(change)
    change.scope.backup.unlink(missing_ok=True)
    if change.after is None and change.scope.name != "user":
        with suppress(OSError):  # not empty: it holds what is not ours
            change.scope.path.parent.rmdir()


def registered_in(scope: Scope) -> list[str]:
    """Return our commands in a settings file; none where it is missing or cannot be read."""
    with suppress(SettingsError):
        return [hook.command for hook in registered_hooks(read_text(scope))]
    return []


def read_text(scope: Scope) -> str:
    """Return the file's text, its byte order mark left out; empty settings for no file.

    Raises SettingsError when it cannot be read.
    """
    return _decode(read_file(scope.path))[1]


def _original(scope: Scope, mark: str, text: str) -> bytes | None:
    """Return what the file was before us, as far as nobody else has changed it since.

    Taking our entries out leaves the same text of the backup and of the present file when only
    we have changed it; white space in an emptied object is what may differ from the backup.
    """
    backup = read_file(scope.backup)
    rest = remove_hooks(text)
    with suppress(SettingsError):
        earlier = _decode(backup)[1]
        events = list(dict.fromkeys(hook.event for hook in registered_hooks(text)))
        ours = add_hooks(earlier, events)
        ours = allow_reading(ours) if allows_reading(text) else ours
        if remove_hooks(ours) == rest:
            return backup
    return (mark + rest).encode("utf-8")


def _decode(data: bytes | None) -> tuple[str, str]:
    """Return the byte order mark, if there is one, and the text; empty settings for no text."""
    if data is None:
        return "", EMPTY_SETTINGS
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SettingsError(f"it is not UTF-8: {error.reason} at byte {error.start}") from None
    mark = _MARK if text.startswith(_MARK) else ""
    text = text.removeprefix(_MARK)
    return mark, text if text.strip() else EMPTY_SETTINGS


def read_file(path: Path) -> bytes | None:
    """Return what is in a file; None for none. Raises SettingsError when it cannot be read."""
    try:
        return read_whole(open_regular(str(path), follow=True), _SIZE_LIMIT_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path} cannot be read: {reason_of(error)}") from None


def apply_edit(change: Change, new_mode: int | None = None) -> None:
    """Write an edit; `new_mode` is the mode of a file that was not there.

    Raises SettingsError when the file cannot be written, or has changed in the meantime.
    """
    path = change.scope.path
    with _alone(path):
        if read_file(path) != change.before:
            raise SettingsError(f"{path} changed in the meantime and is left as it is: try again")
        if change.after is None:
            Path(os.path.realpath(path)).unlink(missing_ok=True)
        elif change.is_needed:
            _write(path, change.after, change.before, path, new_mode)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other processes of ours from changing a file between a look at it and a write.

    Where the lock cannot be had, as in a home that cannot be written, the look alone has to do.
    Raises SettingsError when another process holds it for more than five seconds.
    """
    # It takes longer to load than Python to start, and who only reads settings needs no lock.
    from filelock import FileLock, Timeout

    # It leaves its file behind: in a folder of ours, never beside the client's files.
    folder = f"{data_folder()}/locks"
    with ExitStack() as held:
        try:
            if os.path.isabs(folder):  # noqa: PTH117 - else it would be made where a command is run
                make_folder(folder)
                lock = FileLock(f"{folder}/settings.lock", timeout=_WAIT_SECONDS, mode=0o600)
                held.enter_context(lock)
        except Timeout:
            raise SettingsError(f"{path} is being changed by another process: try again") from None
        except OSError:
            pass
        yield


def _write(
    path: Path, data: bytes, before: bytes | None, like: Path, new_mode: int | None = None
) -> None:
    """Put the file into place whole, through a link, with the mode of `like` if that exists."""
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        if before is not None and not os.access(target, os.W_OK):
            raise SettingsError(f"{path} is write-protected and is left as it was")
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            if new_mode is not None:
                temporary.touch(new_mode)  # from its first byte on
            temporary.write_bytes(data)
            if like.exists():
                temporary.chmod(like.stat().st_mode & 0o7777)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {reason_of(error)}") from None


PLUGIN_NAME = "amplihack-compaction"
_HOOKS_FILE = "hooks/hooks.json"


def plugin_hooks(folder: Path) -> list[Registered]:
    """Return the hooks that a plugin's folder wires.

    Raises SettingsError when it holds no such plugin.
    """
    try:
        hooks = registered_hooks((folder / _HOOKS_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        hooks = []
    if not hooks:
        raise SettingsError(f"there is no plugin of this package in {folder}")
    return hooks


def scope_option(scope: Scope) -> str:
    """Return the options of the command line that name a scope."""
    if scope.client:
        return f"--client {scope.client}{' --user' * (scope.name == 'user')}"
    if scope.name == "user":
        return "--user"
    project = f"--project {shlex.quote(str(scope.path.parent.parent))}"
    return f"--team {project}" if scope.name == "project" else project


FOLDERS = (Path("/etc/claude-code"), Path("/Library/Application Support/ClaudeCode"))


def managed_obstacles() -> list[tuple[Path, str]]:
    """Return each managed file that keeps our hooks from running, with the key that does so.

    `allowManagedHooksOnly` spares a plugin that the managed settings enable themselves.
    """
    files = list(_managed_files())
    is_managed = any(True in plugin_switches(settings).values() for _, settings in files)
    keys = ("disableAllHooks",) if is_managed else ("disableAllHooks", "allowManagedHooksOnly")
    return [(path, key) for path, settings in files for key in keys if settings.get(key) is True]


def _managed_files() -> Iterator[tuple[Path, dict[str, Any]]]:
    for folder in FOLDERS:
        more = sorted((folder / "managed-settings.d").glob("*.json"))
        for path in (folder / "managed-settings.json", *more):
            settings = parse_object(read_bytes(str(path), _SIZE_LIMIT_BYTES, follow=True) or b"")
            if settings is not None:
                yield path, settings


def plugin_switches(settings: dict[str, Any]) -> dict[str, bool]:
    """Return whether settings enable our plugin, by its id NAME@MARKETPLACE, where they name it."""
    plugins = as_object(settings.get("enabledPlugins"))
    own = (name for name in plugins if name.partition("@")[0] == PLUGIN_NAME)
    return {name: plugins[name] is True for name in own}
