"""Our commands, what they say and that they are known again; put into a settings text and out."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import CompactionError, SettingsError
from amplihack_compaction.base.installation import own_python
from amplihack_compaction.clients.claude_code.wiring import hook_entries
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EMPTY_SETTINGS,
    EVENTS,
    INSTALLED_FOLDER,
    SCRIPTS,
    STORE_SUFFIX,
    Runner,
    add_hooks,
    check_settings,
    hook_scripts,
    hooks_of,
    is_ours,
    missing_programs,
    name_of,
    own_keys,
    programs_of,
    registered_hooks,
    remove_hooks,
    running_package,
)

ODD_PATHS = [
    "/plain/path",
    "/with space/and'quote",
    '/with"double/$HOME',
    "/with;semicolon && more/x",
    "/ünïcode/日本",
    "/with\\backslash/`x`",
]


@pytest.mark.parametrize("base", ODD_PATHS)
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_command_is_known_again_wherever_the_package_lies(base: str, name: str) -> None:
    for folder in ("hooks", INSTALLED_FOLDER):
        runner = Runner(f"{base}/bin/python", f"{base}/{folder}")
        command = runner.command(name)
        assert is_ours(command)
        assert name_of(name.removesuffix(STORE_SUFFIX), command) == name
        assert programs_of(command) == (runner.python, f"{runner.folder}/{SCRIPTS[name]}")


def test_the_client_waits_for_no_hook_that_stores() -> None:
    runner = Runner("/p", "/hooks")
    storing = {event for event in EVENTS if len(hooks_of(event)) > 1}
    assert storing == {"PreCompact", "PostCompact", "Stop", "SessionEnd"}
    for event in EVENTS:
        entries = runner.group(event)["hooks"]
        assert isinstance(entries, list)
        waited_for = [entry for entry in entries if not entry.get("async")]
        assert waited_for == [runner.entry(event)]
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
        "[ -x 'a' ] && [ -f 'b' ] || exit 0; 'a' -I -S 'b' || exit 0",
        "[ -x '/p' ] && [ -f '/hooks/stop.py' ] || exit 0; '/q' -I -S '/hooks/stop.py' || exit 0",
        "[ -x '/p' ] && [ -f '/hooks/mine.py' ] || exit 0; '/p' -I -S '/hooks/mine.py' || exit 0",
        "[ -x '/p' ] && [ -f '/other/stop.py' ] || exit 0; '/p' -I -S '/other/stop.py' || exit 0",
    ],
)
def test_somebody_elses_command_is_not_ours(command: object) -> None:
    assert not is_ours(command)


def test_a_command_that_the_user_wrapped_stays_ours() -> None:
    command = f"nice -n 5 /env/bin/python -I -S /env/{INSTALLED_FOLDER}/stop.py"
    assert is_ours(command)
    assert programs_of(command) == ("", "")
    assert programs_of("'unclosed") == ("", "")


@pytest.mark.parametrize("missing", ["python", "hook", "both"])
def test_a_command_whose_programs_are_gone_says_nothing_and_succeeds(
    tmp_path: Path, missing: str
) -> None:
    folder = tmp_path / "it's here" / "hooks"
    folder.mkdir(parents=True)
    if missing == "python":
        (folder / "stop.py").write_text("print('hook')", encoding="utf-8")
    python = sys.executable if missing == "hook" else str(tmp_path / "no python")
    done = subprocess.run(
        ["/bin/sh", "-c", Runner(python, str(folder)).command("Stop")],
        input=b"{}",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_hook_that_fails_does_not_fail_the_command(tmp_path: Path) -> None:
    folder = tmp_path / "hooks"
    folder.mkdir()
    (folder / "stop.py").write_text("raise SystemExit(2)", encoding="utf-8")
    command = Runner(sys.executable, str(folder)).command("Stop")
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, check=False)
    assert done.returncode == 0


def test_the_scripts_of_the_running_package_are_found() -> None:
    folder = hook_scripts()
    assert sorted(set(SCRIPTS.values())) == sorted(path.name for path in folder.glob("*.py"))
    assert running_package() == Runner(own_python(), str(folder))


def test_missing_scripts_are_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(hook_entries, "__file__", str(tmp_path / "a" / "b" / "hook_entries.py"))
    with pytest.raises(CompactionError, match=r"install\.sh"):
        hook_scripts()


def test_what_a_command_looks_for_in_vain_is_named(tmp_path: Path) -> None:
    script = tmp_path / INSTALLED_FOLDER / "stop.py"
    runner = Runner(sys.executable, str(script.parent))
    assert missing_programs(runner.command("Stop")) == [str(script)]
    script.parent.mkdir()
    script.touch()
    assert missing_programs(runner.command("Stop")) == []
    gone = Runner("/no/python", runner.folder).command("Stop")
    assert missing_programs(gone) == ["/no/python"]
    assert missing_programs(f"nice {gone}") == []


def test_the_example_file_is_what_install_writes() -> None:
    root = Path(__file__).parents[5]
    example = json.loads((root / "settings.example.json").read_text(encoding="utf-8"))
    runner = Runner("/PATH/TO/python", "/PATH/TO/hooks")
    assert example == {"hooks": {event: [runner.group(event)] for event in EVENTS}}
    assert list(example["hooks"]) == list(EVENTS)


HERE = Runner("/env/bin/python", f"/env/{INSTALLED_FOLDER}")
ELSEWHERE = Runner("/old/python", "/old checkout/hooks")
FOREIGN = {"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}


def hooks_in(text: str) -> dict[str, list[dict[str, object]]]:
    value = json.loads(text)["hooks"]
    assert isinstance(value, dict)
    return value


def test_every_event_is_registered_once() -> None:
    text = add_hooks(EMPTY_SETTINGS, HERE, EVENTS)
    assert hooks_in(text) == {event: [HERE.group(event)] for event in EVENTS}
    assert add_hooks(text, HERE, EVENTS) == text
    assert remove_hooks(text) == EMPTY_SETTINGS


def test_other_hooks_stay_in_front_of_ours() -> None:
    text = json.dumps({"hooks": {"PreToolUse": [FOREIGN], "Notification": [FOREIGN]}}, indent=4)
    merged = add_hooks(text, HERE, EVENTS)
    assert hooks_in(merged)["PreToolUse"] == [FOREIGN, HERE.group("PreToolUse")]
    assert hooks_in(merged)["Notification"] == [FOREIGN]
    assert remove_hooks(merged) == text


def test_an_entry_of_another_place_is_brought_here_and_keeps_what_the_user_set() -> None:
    old = {**ELSEWHERE.entry("Stop"), "timeout": 77, "statusMessage": "checking"}
    group = {"matcher": "*", "hooks": [{"type": "command", "command": "true"}, old]}
    text = json.dumps({"hooks": {"Stop": [group]}}, indent=1)
    changed, added = hooks_in(add_hooks(text, HERE, ["Stop"]))["Stop"]
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
    assert hooks_in(merged) == {
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
