"""Put our hooks into the text of a settings file, and take them out again.

    {"hooks": {EVENT: [{"matcher": ..., "hooks": [{"type": "command", "command": ...}, ...]}]}}

Everything that is not ours keeps its bytes. An entry of ours that is there already stays where
it is, with whatever the user set beside its command; only the command is brought up to date.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.clients.claude_code.wiring.hook_commands import (
    Runner,
    hooks_of,
    is_ours,
    name_of,
)
from amplihack_compaction.clients.claude_code.wiring.json_edits import (
    Container,
    Part,
    insert_part,
    read_container,
    remove_part,
    replace_value,
)

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
