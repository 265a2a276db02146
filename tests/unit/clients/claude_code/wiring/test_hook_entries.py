"""Our commands, what they say and that they are known again; put into a settings text and out."""

import json
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EMPTY_SETTINGS,
    EVENTS,
    READING_TOOLS,
    STORE_SUFFIX,
    TIMEOUT_SECONDS,
    add_hooks,
    allow_reading,
    check_settings,
    command_of,
    entry_of,
    hooks_of,
    is_ours,
    name_of,
    registered_hooks,
    remove_hooks,
)
from tests.support.wiring import earlier_command, earlier_entry, earlier_settings, hook_group

ODD_PATHS = ["/plain/path", "/with space/and'quote", '/with"double/$HOME', "/ünïcode/`x`"]


@pytest.mark.parametrize("name", TIMEOUT_SECONDS)
def test_a_command_is_short_and_known_again(name: str) -> None:
    commands = [command_of(name), *(earlier_command(name, base) for base in ODD_PATHS)]
    assert len(commands[0]) <= 80
    for command in commands:
        assert is_ours(command)
        assert name_of(name.removesuffix(STORE_SUFFIX), command) == name


def test_a_compaction_has_one_hook_on_each_side_and_the_client_waits_for_none_that_stores() -> None:
    storing = {event for event in EVENTS if len(hooks_of(event)) > 1}
    assert storing == {"SessionStart", "Stop", "SessionEnd"}
    for event in EVENTS:
        entries = hook_group(event)["hooks"]
        assert isinstance(entries, list)
        waited_for = [entry for entry in entries if not entry.get("async")]
        assert waited_for == [entry_of(event)]
        assert len(entries) == 1 + (event in storing)


@pytest.mark.parametrize(
    "command",
    [
        None,
        7,
        "",
        "true",
        "'unclosed",
        "python3 hooks/pre_compact.py",
        "~/.local/share/amplihack-compaction/hooks/Mine",
        "~/.local/share/other/hooks/Stop||:",
        "[ -x '/p' ] && [ -f '/hooks/mine.py' ] || exit 0; '/p' -I -S '/hooks/mine.py' || exit 0",
        "[ -x '/p' ] && [ -f '/other/stop.py' ] || exit 0; '/p' -I -S '/other/stop.py' || exit 0",
    ],
)
def test_somebody_elses_command_is_not_ours(command: object) -> None:
    assert not is_ours(command)


def test_a_command_that_the_user_wrapped_stays_ours() -> None:
    assert is_ours(f"nice -n 5 {command_of('Stop')}")


def test_the_example_file_is_what_install_writes() -> None:
    root = Path(__file__).parents[5]
    example = json.loads((root / "settings.example.json").read_text(encoding="utf-8"))
    assert example == {"hooks": {event: [hook_group(event)] for event in EVENTS}}
    assert list(example["hooks"]) == list(EVENTS)


FOREIGN = {"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}


def hooks_in(text: str) -> dict[str, list[dict[str, object]]]:
    value = json.loads(text)["hooks"]
    assert isinstance(value, dict)
    return value


def test_every_event_is_registered_once() -> None:
    text = add_hooks(EMPTY_SETTINGS, EVENTS)
    assert hooks_in(text) == {event: [hook_group(event)] for event in EVENTS}
    assert add_hooks(text, EVENTS) == text
    assert remove_hooks(text) == EMPTY_SETTINGS


def test_other_hooks_stay_in_front_of_ours() -> None:
    text = json.dumps({"hooks": {"PreToolUse": [FOREIGN], "Notification": [FOREIGN]}}, indent=4)
    merged = add_hooks(text, EVENTS)
    assert hooks_in(merged)["PreToolUse"] == [FOREIGN, hook_group("PreToolUse")]
    assert hooks_in(merged)["Notification"] == [FOREIGN]
    assert remove_hooks(merged) == text


def test_an_earlier_entry_is_brought_up_to_date_and_keeps_what_the_user_set() -> None:
    old = {**earlier_entry("Stop"), "timeout": 77, "statusMessage": "checking"}
    group = {"matcher": "*", "hooks": [{"type": "command", "command": "true"}, old]}
    text = json.dumps({"hooks": {"Stop": [group]}}, indent=1)
    changed, added = hooks_in(add_hooks(text, ["Stop"]))["Stop"]
    assert added == hook_group("Stop", ["Stop+store"])
    assert changed["hooks"] == [
        {"type": "command", "command": "true"},
        {**old, "command": command_of("Stop")},
    ]
    found, stores = registered_hooks(add_hooks(text, ["Stop"]))
    assert (found.name, found.event, found.timeout_seconds) == ("Stop", "Stop", 77)
    assert (stores.name, stores.event, stores.timeout_seconds) == ("Stop+store", "Stop", 30)


def test_second_entries_and_events_not_asked_for_go() -> None:
    text = json.dumps(
        {
            "hooks": {
                "Stop": [*earlier_settings("Stop")["hooks"]["Stop"], FOREIGN, hook_group("Stop")],
                "PreCompact": [hook_group("PreCompact")],
                "SessionEnd": [{"hooks": [entry_of("SessionEnd")] * 3}],
            }
        }
    )
    merged = add_hooks(text, ["Stop", "SessionEnd"])
    assert hooks_in(merged) == {
        "Stop": [hook_group("Stop"), FOREIGN],
        "SessionEnd": [
            {"hooks": [entry_of("SessionEnd")]},
            hook_group("SessionEnd", ["SessionEnd+store"]),
        ],
    }


def test_what_stored_at_a_compaction_before_goes() -> None:
    stores = {**earlier_entry("PreCompact"), "command": earlier_command("PreCompact+store")}
    text = json.dumps({"hooks": {"PreCompact": [{"hooks": [earlier_entry("PreCompact"), stores]}]}})
    assert hooks_in(add_hooks(text)) == {event: [hook_group(event)] for event in EVENTS}


def test_what_is_left_empty_goes_with_our_hooks() -> None:
    for text in ('{"a": 1, "hooks": {"Stop": []}}', '{"a": 1, "hooks": {}}'):
        assert remove_hooks(add_hooks(text, EVENTS)) == '{"a": 1}'


def test_a_foreign_hook_inside_our_group_stays() -> None:
    text = add_hooks(EMPTY_SETTINGS, ["Stop"])
    settings = json.loads(text)
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "true"})
    rest = json.loads(remove_hooks(json.dumps(settings)))
    assert rest == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ('{"a": 1} // comment', "not JSON"),
        ("[]", "not an object"),
        ("null", "not an object"),
        ('{"hooks": []}', '"hooks" in it'),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop"),
        ('{"a": ' * 100_000 + "1" + "}" * 100_000, "too deeply"),
    ],
)
def test_settings_of_another_shape_are_refused(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        check_settings(text)
    with pytest.raises(SettingsError, match=message):
        add_hooks(text, EVENTS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "not json",
        '{"hooks": 7}',
        '{"hooks": {"Stop": 7}}',
        '{"hooks": {"Stop": [7, {"hooks": 7}, {"hooks": [7, {"command": 7}]}]}}',
    ],
)
def test_removing_leaves_other_shapes_alone(text: str) -> None:
    assert remove_hooks(text) == text
    assert registered_hooks(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"permissions": {"allow": ["Read"], "deny": []}}',
        '{"permissions": {"deny": []}, "model": "opus"}',
        '{\n  "permissions": {\n    "deny": ["Bash"]\n  }\n}\n',
    ],
)
def test_what_only_reads_is_allowed_once_and_no_longer_afterwards(text: str) -> None:
    allowed = allow_reading(text)
    rules = json.loads(allowed)["permissions"]["allow"]
    assert [rule for rule in rules if rule != "Read"] == list(READING_TOOLS)
    assert allow_reading(allowed) == allowed
    assert json.loads(remove_hooks(allowed)) == json.loads(text)


@pytest.mark.parametrize("permissions", ["[]", '{"allow": "Read"}'])
def test_rules_of_another_shape_are_refused_and_left_alone(permissions: str) -> None:
    text = f'{{"permissions": {permissions}}}'
    with pytest.raises(SettingsError, match="permissions"):
        allow_reading(text)
    assert remove_hooks(text) == text
