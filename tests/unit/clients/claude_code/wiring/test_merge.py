"""Putting the hooks into a settings text, and taking them out."""

import json

import pytest

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EMPTY_SETTINGS,
    EVENTS,
    INSTALLED_FOLDER,
    Runner,
    add_hooks,
    check_settings,
    own_keys,
    registered_hooks,
    remove_hooks,
)

HERE = Runner("/env/bin/python", f"/env/{INSTALLED_FOLDER}")
ELSEWHERE = Runner("/old/python", "/old checkout/hooks")
FOREIGN = {"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}


def hooks_of(text: str) -> dict[str, list[dict[str, object]]]:
    value = json.loads(text)["hooks"]
    assert isinstance(value, dict)
    return value


def test_every_event_is_registered_once() -> None:
    text = add_hooks(EMPTY_SETTINGS, HERE, EVENTS)
    assert hooks_of(text) == {event: [HERE.group(event)] for event in EVENTS}
    assert add_hooks(text, HERE, EVENTS) == text
    assert remove_hooks(text) == EMPTY_SETTINGS


def test_other_hooks_stay_in_front_of_ours() -> None:
    text = json.dumps({"hooks": {"PreToolUse": [FOREIGN], "Notification": [FOREIGN]}}, indent=4)
    merged = add_hooks(text, HERE, EVENTS)
    assert hooks_of(merged)["PreToolUse"] == [FOREIGN, HERE.group("PreToolUse")]
    assert hooks_of(merged)["Notification"] == [FOREIGN]
    assert remove_hooks(merged) == text


def test_an_entry_of_another_place_is_brought_here_and_keeps_what_the_user_set() -> None:
    old = {**ELSEWHERE.entry("Stop"), "timeout": 77, "statusMessage": "checking"}
    group = {"matcher": "*", "hooks": [{"type": "command", "command": "true"}, old]}
    text = json.dumps({"hooks": {"Stop": [group]}}, indent=1)
    changed, added = hooks_of(add_hooks(text, HERE, ["Stop"]))["Stop"]
    assert added == HERE.group("Stop", ["Stop+store"])
    assert changed["hooks"] == [
        {"type": "command", "command": "true"},
        {**old, "command": HERE.command("Stop")},
    ]
    found, stores = registered_hooks(add_hooks(text, HERE, ["Stop"]))
    assert (found.name, found.event, found.timeout_seconds) == ("Stop", "Stop", 77)
    assert (stores.name, stores.event, stores.timeout_seconds) == ("Stop+store", "Stop", 30)


def test_second_entries_and_events_not_asked_for_go() -> None:
    text = json.dumps(
        {
            "hooks": {
                "Stop": [ELSEWHERE.group("Stop"), FOREIGN, HERE.group("Stop")],
                "PreCompact": [HERE.group("PreCompact")],
                "SessionEnd": [{"hooks": [HERE.entry("SessionEnd")] * 3}],
            }
        }
    )
    merged = add_hooks(text, HERE, ["Stop", "SessionEnd"])
    assert hooks_of(merged) == {
        "Stop": [HERE.group("Stop"), FOREIGN],
        "SessionEnd": [
            {"hooks": [HERE.entry("SessionEnd")]},
            HERE.group("SessionEnd", ["SessionEnd+store"]),
        ],
    }


def test_what_was_empty_before_can_stay_empty() -> None:
    text = '{"a": 1, "hooks": {"Stop": []}}'
    merged = add_hooks(text, HERE, EVENTS)
    assert remove_hooks(merged) == '{"a": 1}'
    assert remove_hooks(merged, own_keys(text)) == text
    merged = add_hooks('{"a": 1, "hooks": {}}', HERE, ["Stop"])
    assert remove_hooks(merged, {"hooks"}) == '{"a": 1, "hooks": {}}'
    assert own_keys("{}") == frozenset()


def test_a_foreign_hook_inside_our_group_stays() -> None:
    text = add_hooks(EMPTY_SETTINGS, HERE, ["Stop"])
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
        add_hooks(text, HERE, EVENTS)


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
