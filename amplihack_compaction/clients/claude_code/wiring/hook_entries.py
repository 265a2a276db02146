"""The hooks' commands as the client runs them, put into the text of a settings file and taken out.

    {"hooks": {EVENT: [{"matcher": ..., "hooks": [{"type": "command", "command": ...}, ...]}]}}
    ~/.local/share/amplihack-compaction/hooks/Stop||:

The client prints a command whole, to the user and to the model, so it is short; and it names no
folder of one machine, so a team can share it. Where the launcher is missing the shell fails, and
`||:` makes that a success: a hook that exits 2 would refuse every tool and erase every prompt.

In a settings file everything that is not ours keeps its bytes. An entry of ours that is there
already stays where it is, with whatever the user set beside its command; only the command is
brought up to date.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.clients.claude_code.wiring.json_edits import (
    Way,
    insert_part,
    parts_along,
    read_container,
    remove_part,
    replace_value,
)
from amplihack_compaction.clients.claude_code.wiring.launchers import LAUNCHERS, LAUNCHERS_FOLDER
from amplihack_compaction.transcript.session import as_list, as_object, text_in

STORE_SUFFIX = "+store"
"""Ends the name of an event's second hook: the one that stores, and that nobody waits for."""
TIMEOUT_SECONDS = {
    "PreCompact": 30,
    "SessionStart": 30,
    "SessionStart+store": 30,
    "PostCompact": 30,
    "PreToolUse": 10,
    "UserPromptSubmit": 10,
    "Stop": 30,
    "Stop+store": 30,
    "SessionEnd": 10,  # without one the client allows 1.5 s
    "SessionEnd+store": 30,
}
"""Every hook. PreCompact and PostCompact have one each: a /compact prints a line for every hook."""
Entry = Callable[[str], dict[str, object]]
EVENTS = tuple(name for name in TIMEOUT_SECONDS if not name.endswith(STORE_SUFFIX))
_OURS = re.compile(rf"/amplihack-compaction/hooks/({'|'.join(LAUNCHERS)})\b")


def command_of(name: str) -> str:
    """Return the shell command of a hook."""
    return f"{LAUNCHERS_FOLDER}/{'Store' if name.endswith(STORE_SUFFIX) else name}||:"


def entry_of(name: str) -> dict[str, object]:
    """Return a hook's entry, as it stands in a settings file."""
    entry: dict[str, object] = {
        "type": "command",
        "command": command_of(name),
        "timeout": TIMEOUT_SECONDS[name],
    }
    return {**entry, "async": True} if name.endswith(STORE_SUFFIX) else entry


def hooks_of(event: str) -> list[str]:
    """Return the names of an event's hooks: its own, and the one that stores, where it has one."""
    return [name for name in (event, event + STORE_SUFFIX) if name in TIMEOUT_SECONDS]


def name_of(event: str, command: str) -> str:
    """Return the name of the hook that one of our commands under an event runs."""
    found = _OURS.search(command)
    return event + STORE_SUFFIX if found and found[1] == "Store" else event


def hook_label(event: str, command: str) -> str:
    """Return what a hook is called for people."""
    program = hook_program(command)
    name = name_of(event, command) if is_ours(command) else event
    return f"{name} ({program})" if program else name


def hook_program(command: str) -> str:
    """Return the name of what a hook runs, without its path and arguments."""
    if is_ours(command):
        return "amplihack-compaction"
    words = command.split()
    program = next((word for word in words if "/" in word), words[0] if words else "")
    return program.strip("\"';").rpartition("/")[2]


def is_ours(command: object) -> bool:
    """Return whether a command of a settings file runs a hook of this package."""
    return isinstance(command, str) and _OURS.search(command) is not None


MCP_SERVER = "amplihack"
READING_TOOLS = tuple(f"mcp__{MCP_SERVER}__{name}" for name in ("recall", "session_state"))
"""Tools of `amplihack-compaction mcp` that only read: rules by which the client asks nobody."""
EMPTY_SETTINGS = "{}\n"


@dataclass(frozen=True, slots=True)
class Registered:
    """One hook entry of ours in a settings file; `way` leads to it from the file's root."""

    event: str
    command: str
    timeout_seconds: float | None = None
    way: Way = ()

    @property
    def name(self) -> str:
        """The hook's name: its event's, or that with the suffix of the one that stores."""
        return name_of(self.event, self.command)


def check_settings(text: str) -> dict[str, Any]:
    """Return the settings that a text holds.

    Raises SettingsError when it is no JSON object, or when `hooks` in it has another type than
    the client's; the message says what is wrong and where.
    """
    try:
        settings = json.loads(text)
    except RecursionError:
        raise SettingsError("it is nested too deeply") from None
    except ValueError as error:
        raise SettingsError(f"it is not JSON: {error}") from None
    if not isinstance(settings, dict):
        raise SettingsError("it is JSON, but not an object")
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise SettingsError('"hooks" in it is not an object')
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise SettingsError(f'"hooks.{event}" in it is not a list')
    return settings


def registered_hooks(text: str) -> list[Registered]:
    """Return our entries in a settings text, in its order; none where it has another shape."""
    found = []
    for event, groups in as_object(_read(text).get("hooks")).items():
        for place, group in enumerate(as_list(groups)):
            for number, hook in enumerate(as_list(as_object(group).get("hooks"))):
                way = ("hooks", event, place, "hooks", number)
                timeout = as_object(hook).get("timeout")
                seconds = timeout if isinstance(timeout, int | float) else None
                command = text_in(as_object(hook), "command")
                if is_ours(command):
                    found.append(Registered(event, command, seconds, way))
    return found


def add_hooks(text: str, events: Sequence[str] = EVENTS, entry: Entry = entry_of) -> str:
    """Return the text with our hooks registered for exactly these events.

    Raises SettingsError when the text cannot take them; see `check_settings`.
    """
    check_settings(text)
    wanted = {name for event in events for name in hooks_of(event)}
    backwards = registered_hooks(text)[::-1]  # so that the ways to those before one stay
    first = {hook.name: hook for hook in backwards if hook.name in wanted}
    for hook in backwards:
        if first.get(hook.name) is not hook:
            text = _take_out(text, hook.way)
    for hook in registered_hooks(text):
        if hook.command != command_of(hook.name):
            _, command = parts_along(text, (*hook.way, "command"))[-1]
            text = replace_value(text, command, command_of(hook.name))
    for event in events:
        missing = [name for name in hooks_of(event) if name not in first]
        if missing:
            group = {"hooks": [entry(name) for name in missing]}  # for every source and every tool
            text = append_below(text, "hooks", event, group)
    check_settings(text)
    return text


def remove_hooks(text: str) -> str:
    """Return the text without our hooks, and without what held only them.

    A text of any other shape comes back as it is.
    """
    for hook in reversed(registered_hooks(text)):
        text = _take_out(text, hook.way)
    for place, rule in reversed(list(enumerate(_allowed(text)))):
        if rule in READING_TOOLS:
            text = _take_out(text, ("permissions", "allow", place))
    return text


def allow_reading(text: str) -> str:
    """Return the text with our tools that only read allowed, so that nobody is asked for each call.

    Raises SettingsError when `permissions` in it has another type than the client's.
    """
    for tool in READING_TOOLS:
        if not allows_reading(text, tool):
            text = append_below(text, "permissions", "allow", tool)
    return text


def allows_reading(text: str, tool: str = READING_TOOLS[0]) -> bool:
    """Return whether a settings text allows one of our tools that only read."""
    return tool in _allowed(text)


def append_below(text: str, object_key: str, list_key: str, item: object) -> str:
    """Return the text with an item behind the others of a list in an object; both may be missing.

    Raises SettingsError where one of them is something else.
    """
    root = read_container(text)
    outer = root.member(object_key)
    if outer is None:
        return insert_part(text, root, object_key, {list_key: [item]})
    if not isinstance(outer.value, dict):
        raise SettingsError(f'"{object_key}" in it is not an object')
    inside = read_container(text, outer.value_start)
    inner = inside.member(list_key)
    if inner is None:
        return insert_part(text, inside, list_key, [item])
    if not isinstance(inner.value, list):
        raise SettingsError(f'"{object_key}.{list_key}" in it is not a list')
    return insert_part(text, read_container(text, inner.value_start), None, item)


def _allowed(text: str) -> list[Any]:
    return as_list(as_object(_read(text).get("permissions")).get("allow"))


def _take_out(text: str, way: Way) -> str:
    """Return the text without what a way leads to, and without what held only that."""
    along = parts_along(text, way)
    del along[3:4]  # a group goes with its last entry, whatever it matches
    while len(along) > 1 and len(along[-1][0].parts) == 1:
        along.pop()
    return remove_part(text, *along[-1])


def _read(text: str) -> dict[str, Any]:
    try:
        return as_object(json.loads(text))
    except (ValueError, RecursionError):
        return {}
