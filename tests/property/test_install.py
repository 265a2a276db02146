"""Install and uninstall over odd settings files: what was there comes back to the byte."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EVENTS,
    TIMEOUT_SECONDS,
    append_below,
    command_of,
    is_ours,
)
from amplihack_compaction.clients.claude_code.wiring.json_edits import insert_part, read_container
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    Scope,
    apply_registration,
    apply_removal,
    plan_registration,
    plan_removal,
    registered_in,
)

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.text().filter(lambda key: key != "hooks" and not key.startswith("edited"))
COMMANDS = st.builds(
    lambda text: {"type": "command", "command": text}, st.text().filter(lambda t: not is_ours(t))
)
GROUPS = st.lists(
    st.fixed_dictionaries({"hooks": st.lists(COMMANDS, max_size=2)}, optional={"matcher": VALUES}),
    max_size=2,
)
Edit = tuple[str | None, object]
EDITS = st.tuples(st.none() | st.sampled_from([*EVENTS, "Notification"]), VALUES)
HOOKS = st.dictionaries(st.sampled_from([*EVENTS, "Notification", "Odd"]), GROUPS, max_size=5)


@st.composite
def settings_bytes(draw: st.DrawFn) -> bytes:
    """Return a settings file in one of the layouts that people and editors give it."""
    members: dict[str, Any] = draw(st.dictionaries(KEYS, VALUES, max_size=3))
    if draw(st.booleans()):
        place = draw(st.integers(0, len(members)))
        pairs = list(members.items())
        pairs.insert(place, ("hooks", draw(HOOKS)))
        members = dict(pairs)
    text = json.dumps(
        members,
        indent=draw(st.sampled_from([None, 0, 1, 2, 4, "\t"])),
        separators=draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,", " : ")])),
        ensure_ascii=draw(st.booleans()),
    )
    if draw(st.booleans()):
        text = text.replace("{}", draw(st.sampled_from(["{ }", "{\n}", "{\t\n \n}"])), 1)
    text += draw(st.sampled_from(["", "\n", "\n\n", "  "]))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return (mark + text).encode("utf-8", "surrogatepass")


def usable(data: bytes) -> bool:
    """Tell whether the text is UTF-8, and still JSON after its layout was made odd."""
    try:
        json.loads(data.decode("utf-8").removeprefix("\ufeff"))
    except ValueError:
        return False
    return True


def in_file(data: bytes | None, folder: str) -> Scope:
    scope = Scope("project", Path(folder) / ".claude" / "settings.json")
    if data is not None:
        scope.path.parent.mkdir()
        scope.path.write_bytes(data)
    return scope


@given(st.none() | settings_bytes().filter(usable))
def test_install_then_uninstall_gives_back_every_byte(data: bytes | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        scope = in_file(data, folder)
        apply_registration(plan_registration(scope))
        apply_registration(plan_registration(scope))
        assert sorted(registered_in(scope)) == sorted(map(command_of, TIMEOUT_SECONDS))
        apply_removal(plan_removal(scope))
        assert (scope.path.read_bytes() if scope.path.exists() else None) == data
        assert not scope.backup.exists()


@given(settings_bytes().filter(usable), st.sets(st.sampled_from(EVENTS), min_size=1))
def test_everything_that_is_not_ours_keeps_its_bytes(data: bytes, events: set[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        scope = in_file(data, folder)
        change = plan_registration(scope, sorted(events))
        assert change.after is not None
        # What was inserted is in one piece per place: without it, the original is a subsequence.
        rest = iter(change.after)
        skipped_space = bytes(byte for byte in data if byte not in b" \t\r\n")
        assert all(byte in rest for byte in skipped_space)
        assert len(change.after) > len(data)


@given(
    st.none() | settings_bytes().filter(usable),
    st.lists(EDITS, min_size=1, max_size=4),
    st.booleans(),
)
def test_edits_between_stay_and_nothing_of_ours_is_left(
    data: bytes | None, edits: list[Edit], again: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        scope = in_file(data, folder)
        apply_registration(plan_registration(scope))
        scope.path.write_bytes(edited(scope.path.read_bytes(), edits))
        if again:
            apply_registration(plan_registration(scope))
        apply_removal(plan_removal(scope))
        after = without_empty_hooks(read(scope.path.read_bytes()))
        expected = without_empty_hooks(read(edited(data or b"{}\n", edits)))
        assert after == expected
        assert others(after) == others(expected)
        assert registered_in(scope) == []
        assert "amplihack-compaction/hooks" not in json.dumps(after)
        assert not scope.backup.exists()


def edited(data: bytes, edits: list[Edit]) -> bytes:
    """Make the edits as an editor does that leaves the rest of the text alone."""
    text = data.decode("utf-8")
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix("\ufeff")
    for number, (event, value) in enumerate(edits):
        if event is None:
            text = insert_part(text, read_container(text), f"edited {number}", plain(value))
        else:
            text = append_below(text, "hooks", event, {"hooks": [], "edited": plain(value)})
    return (mark + text).encode("utf-8")


def plain(value: object) -> object:
    """Return a value that UTF-8 can hold."""
    return json.loads(json.dumps(value).encode("ascii", "backslashreplace"))


def read(data: bytes) -> dict[str, Any]:
    value = json.loads(data.decode("utf-8").removeprefix("\ufeff"))
    assert isinstance(value, dict)
    return value


def without_empty_hooks(settings: dict[str, Any]) -> dict[str, Any]:
    """Leave out what the client reads as no hook, and what goes with ours."""
    hooks = {event: groups for event, groups in settings.get("hooks", {}).items() if groups}
    rest = {key: value for key, value in settings.items() if key != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


def others(settings: dict[str, Any]) -> list[str]:
    """Return the settings' keys in their order, but for the one that we add to."""
    return [key for key in settings if key != "hooks"]
