"""Change one value of a settings file; every other byte of it stays."""

from collections.abc import Callable
from pathlib import Path

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.settings.layers import (
    PROJECT,
    USER,
    Setting,
    layer_of_text,
    nearest,
    setting_paths,
)
from amplihack_compaction.base.settings.settings import SETTINGS, resolve_settings
from amplihack_compaction.clients.claude_code.wiring.json_edits import (
    insert_part,
    read_container,
    remove_part,
    replace_value,
)
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    Change,
    Scope,
    apply_edit,
    plan_edit,
)

# A store's address may carry a password.
_OWN_MODE = 0o600


def find_setting(key: str) -> Setting:
    """Return the setting of a key. Raises SettingsError that names the nearest known one."""
    found = SETTINGS.get(key)
    if found is None:
        near = nearest(key, SETTINGS)
        hint = f"; did you mean {near!r}?" if near else ""
        raise SettingsError(f"there is no setting {key!r}{hint}")
    return found


def set_value(root: str, scope: str, key: str, text: str) -> Change:
    """Write a value to the file of a scope, user or project, and return what changed.

    Raises SettingsError for a value that would not count there, and for a file that cannot be
    read or written; it then is as it was.
    """
    value = find_setting(key).parse(text)
    change = _plan(root, scope, lambda before: _put(before, key, value))
    data = change.after or b""
    layer = layer_of_text(change.scope.name, str(change.scope.path), data)
    problems = resolve_settings(root, other=layer).problems
    wrong = next((each for each in problems if each.layer is layer and each.key == key), None)
    if wrong is not None:
        hint = "; add --user" if "own file" in wrong.text else ""
        raise SettingsError(f"{key}: {wrong.text}{hint}")
    _apply(change)
    return change


def unset_value(root: str, scope: str, key: str) -> Change:
    """Take a key out of the file of a scope, known or not, and return what changed.

    Raises SettingsError for a file that cannot be read or written; it then is as it was.
    """
    change = _plan(root, scope, lambda before: _take_out(before, key))
    if change.before is not None:
        _apply(change)
    return change


def _plan(root: str, scope: str, edit: Callable[[str], str]) -> Change:
    if not root:
        raise SettingsError("the current folder is gone: change to the project's")
    paths = setting_paths(root)
    # At home, the project's file is the user's own.
    named = scope if scope in paths else USER
    return plan_edit(Scope(named, Path(paths[named])), edit)


def _apply(change: Change) -> None:
    apply_edit(change, None if change.scope.name == PROJECT else _OWN_MODE)


def _put(text: str, key: str, value: object) -> str:
    _check(text)
    root = read_container(text)
    member = root.member(key)
    if member is None:
        return insert_part(text, root, key, value)
    return text if member.value == value else replace_value(text, member, value)


def _take_out(text: str, key: str) -> str:
    _check(text)
    while (member := (root := read_container(text)).member(key)) is not None:
        text = remove_part(text, root, member)
    return text


def _check(text: str) -> None:
    problem = layer_of_text("", "", text.encode("utf-8")).problem
    if problem:
        raise SettingsError("it is not a JSON object")
