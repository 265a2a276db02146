"""The hooks' commands as the client runs them, put into the text of a settings file and taken out.

    {"hooks": {EVENT: [{"matcher": ..., "hooks": [{"type": "command", "command": ...}, ...]}]}}
    [ -x 'PY' ] && [ -f 'HOOK' ] || exit 0; 'PY' -I -S 'HOOK' || exit 0

With its script gone an interpreter exits 2, and the client then refuses every tool and erases
every prompt. So the command looks before it runs, and never passes on an exit code.

In a settings file everything that is not ours keeps its bytes. An entry of ours that is there
already stays where it is, with whatever the user set beside its command; only the command is
brought up to date.
"""

import json
import os
import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import CompactionError, SettingsError
from amplihack_compaction.base.installation import own_python
from amplihack_compaction.clients.claude_code.wiring.json_edits import (
    Container,
    Part,
    insert_part,
    read_container,
    remove_part,
    replace_value,
)

STORE_SUFFIX = "+store"
"""Ends the name of an event's second hook: the one that stores, and that nobody waits for."""
TIMEOUT_SECONDS = {
    "PreCompact": 30,
    "PreCompact+store": 30,
    "SessionStart": 30,
    "PostCompact": 30,
    "PostCompact+store": 30,
    "PreToolUse": 10,
    "UserPromptSubmit": 10,
    "Stop": 30,
    "Stop+store": 30,
    "SessionEnd": 10,  # without one the client allows 1.5 s
    "SessionEnd+store": 30,
}
EVENTS = tuple(name for name in TIMEOUT_SECONDS if not name.endswith(STORE_SUFFIX))
_STORE_SCRIPT = "store.py"
SCRIPTS = {
    "PreCompact": "pre_compact.py",
    "PreCompact+store": _STORE_SCRIPT,
    "SessionStart": "session_start.py",
    "PostCompact": "post_compact.py",
    "PostCompact+store": _STORE_SCRIPT,
    "PreToolUse": "pre_tool_use.py",
    "UserPromptSubmit": "user_prompt_submit.py",
    "Stop": "stop.py",
    "Stop+store": _STORE_SCRIPT,
    "SessionEnd": "session_end.py",
    "SessionEnd+store": _STORE_SCRIPT,
}
INSTALLED_FOLDER = "amplihack_compaction_hooks"
_CHECKOUT_FOLDER = "hooks"
_SHAPE = "[ -x {0} ] && [ -f {1} ] || exit 0; {0} -I -S {1} || exit 0"


@dataclass(frozen=True, slots=True)
class Runner:
    """What the registered commands run: an interpreter and the folder of the hook scripts."""

    python: str
    folder: str

    def command(self, name: str) -> str:
        """Return the shell command of a hook."""
        script = f"{self.folder}/{SCRIPTS[name]}"
        return _SHAPE.format(_quote(self.python), _quote(script))

    def entry(self, name: str) -> dict[str, object]:
        """Return a hook's entry, as it stands in a settings file."""
        entry: dict[str, object] = {
            "type": "command",
            "command": self.command(name),
            "timeout": TIMEOUT_SECONDS[name],
        }
        return {**entry, "async": True} if name.endswith(STORE_SUFFIX) else entry

    def group(self, event: str, names: Sequence[str] = ()) -> dict[str, object]:
        """Return the group that holds an event's hooks; it matches every source and every tool.

        `names` are the hooks that it is to hold, all of the event's by default.
        """
        matcher = {"matcher": "*"} if event == "SessionStart" else {}
        return {**matcher, "hooks": [self.entry(name) for name in names or hooks_of(event)]}


def hooks_of(event: str) -> list[str]:
    """Return the names of an event's hooks: its own, and the one that stores, where it has one."""
    return [name for name in (event, event + STORE_SUFFIX) if name in SCRIPTS]


def name_of(event: str, command: str) -> str:
    """Return the name of the hook that one of our commands under an event runs."""
    return event + STORE_SUFFIX if f"/{_STORE_SCRIPT}" in command else event


def running_package() -> Runner:
    """Return what the commands of the package that is running now are made of.

    Raises CompactionError when its hook scripts are not where they belong.
    """
    return Runner(own_python(), str(hook_scripts()))


def hook_scripts() -> Path:
    """Return the folder with the hook scripts: beside the package, installed or in a checkout."""
    beside = Path(__file__).parents[4]
    for name in (INSTALLED_FOLDER, _CHECKOUT_FOLDER):
        folder = beside / name
        if all((folder / script).is_file() for script in SCRIPTS.values()):
            return folder
    raise CompactionError(f"the hook scripts are missing beside {beside}: run install.sh again")


def is_ours(command: object) -> bool:
    """Return whether a command of a settings file runs a hook of this package, wherever it lies.

    It does when it has the shape that the installer writes and names one of the scripts in a
    folder of either name, or when it names a script of an installed environment at all.
    """
    if not isinstance(command, str):
        return False
    if any(f"/{INSTALLED_FOLDER}/{script}" in command for script in SCRIPTS.values()):
        return True
    hook = Path(programs_of(command)[1])
    return (
        hook.parent.name in (INSTALLED_FOLDER, _CHECKOUT_FOLDER) and hook.name in SCRIPTS.values()
    )


def programs_of(command: str) -> tuple[str, str]:
    """Return the interpreter and the script of a command in our shape; empty in any other."""
    try:
        words = shlex.split(command)
    except ValueError:
        return "", ""
    if len(words) != len(_SHAPE.split()):
        return "", ""
    python, hook = words[2], words[7]
    is_shaped = words == shlex.split(_SHAPE.format(_quote(python), _quote(hook)))
    return (python, hook) if is_shaped else ("", "")


def missing_programs(command: str) -> list[str]:
    """Return what a command in our shape looks for before it runs, and does not find.

    Without it the command does nothing, silently.
    """
    python, hook = programs_of(command)
    missing = [python] if python and not os.access(python, os.X_OK) else []
    return [*missing, hook] if hook and not os.access(hook, os.R_OK) else missing


def _quote(path: str) -> str:
    """Quote a path for the shell, always: a reader of the settings sees where it ends."""
    return "'" + path.replace("'", "'\"'\"'") + "'"


EMPTY_SETTINGS = "{}\n"


@dataclass(frozen=True, slots=True)
class Registered:
    """One hook entry of ours in a settings file."""

    event: str
    command: str
    timeout_seconds: float | None = None

    @property
    def name(self) -> str:
        """The hook's name: its event's, or that with the suffix of the one that stores."""
        return name_of(self.event, self.command)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an entry of ours stands: in `groups[group].hooks`, a list of an event's."""

    event: Part
    groups: Container
    group: Part
    entries: Container
    entry: Part


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
    for place in _places(text):
        timeout = place.entry.value.get("timeout")
        seconds = timeout if isinstance(timeout, int | float) else None
        found.append(Registered(str(place.event.key), place.entry.value["command"], seconds))
    return found


def add_hooks(text: str, runner: Runner, events: Sequence[str]) -> str:
    """Return the text with our hooks registered for exactly these events.

    Raises SettingsError when the text cannot take them; see `check_settings`.
    """
    check_settings(text)
    names = [name for event in events for name in hooks_of(event)]
    while (surplus := _first_surplus(text, names)) is not None:
        text = _take_out(text, surplus, ())
    present = list(_places(text))
    # From the end, so that the earlier places stay where they were found.
    for place in reversed(present):
        command = read_container(text, place.entry.start).member("command")
        wanted = runner.command(_name(place))
        if command is not None and command.value != wanted:
            text = replace_value(text, command, wanted)
    there = {_name(place) for place in present}
    for event in events:
        missing = [name for name in hooks_of(event) if name not in there]
        if missing:
            text = append_group(text, event, runner.group(event, missing))
    check_settings(text)
    return text


def remove_hooks(text: str, kept: Collection[str] = ()) -> str:
    """Return the text without our hooks, and without what held only them.

    `kept` names what stays even if it is left empty: events, or "hooks" itself. A text of any
    other shape comes back as it is.
    """
    while (place := next(_places(text), None)) is not None:
        text = _take_out(text, place, kept)
    return text


def own_keys(text: str) -> frozenset[str]:
    """Return "hooks" and the events that a settings text names by itself."""
    hooks = json.loads(text).get("hooks")
    return frozenset({"hooks", *hooks}) if isinstance(hooks, dict) else frozenset()


def append_group(text: str, event: str, group: dict[str, object]) -> str:
    """Return the text with a group of hooks behind an event's others."""
    root = read_container(text)
    hooks = root.member("hooks")
    if hooks is None:
        return insert_part(text, root, "hooks", {event: [group]})
    events = read_container(text, hooks.value_start)
    groups = events.member(event)
    if groups is None:
        return insert_part(text, events, event, [group])
    return insert_part(text, read_container(text, groups.value_start), None, group)


def _first_surplus(text: str, names: Sequence[str]) -> _Place | None:
    """Return an entry of ours that is not asked for, or is there for the second time."""
    seen: set[str] = set()
    for place in _places(text):
        if _name(place) not in names or _name(place) in seen:
            return place
        seen.add(_name(place))
    return None


def _name(place: _Place) -> str:
    return name_of(str(place.event.key), place.entry.value["command"])


def _take_out(text: str, place: _Place, kept: Collection[str]) -> str:
    if len(place.entries.parts) > 1:
        return remove_part(text, place.entries, place.entry)
    event = str(place.event.key)
    if len(place.groups.parts) > 1 or event in kept:
        return remove_part(text, place.groups, place.group)
    root = read_container(text)
    hooks = root.member("hooks")
    if hooks is None:
        return text
    events = read_container(text, hooks.value_start)
    if len(events.parts) > 1 or "hooks" in kept:
        return remove_part(text, events, place.event)
    return remove_part(text, root, hooks)


def _places(text: str) -> Iterator[_Place]:
    """Yield where our entries stand; parts of another shape than the client's are passed over."""
    try:
        root = read_container(text)
    except (ValueError, IndexError, RecursionError):
        return
    hooks = root.member("hooks")
    if hooks is None or not isinstance(hooks.value, dict):
        return
    for event in read_container(text, hooks.value_start).parts:
        if not isinstance(event.value, list):
            continue
        groups = read_container(text, event.value_start)
        for group in groups.parts:
            yield from _places_in_group(text, event, groups, group)


def _places_in_group(text: str, event: Part, groups: Container, group: Part) -> Iterator[_Place]:
    member = read_container(text, group.start).member("hooks") if _is_object(group) else None
    if member is None or not isinstance(member.value, list):
        return
    entries = read_container(text, member.value_start)
    for entry in entries.parts:
        if _is_object(entry) and is_ours(entry.value.get("command")):
            yield _Place(event, groups, group, entries, entry)


def _is_object(part: Part) -> bool:
    return isinstance(part.value, dict)
