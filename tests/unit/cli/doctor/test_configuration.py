"""Where the hooks are registered, in all the ways in which that goes wrong."""

import json
from pathlib import Path

import pytest

from amplihack_compaction.base.installation import own_command
from amplihack_compaction.cli.doctor.configuration import check_registration, check_switches
from amplihack_compaction.cli.doctor.installation import find_installation
from amplihack_compaction.cli.doctor.rows import Grade, Row
from amplihack_compaction.clients.claude_code.session_files import config_folder
from tests.support.sessions import make_own_tools
from tests.support.wiring import earlier_settings
from tests.unit.cli.doctor.conftest import Register, Write, grades, install_plugin, texts

PLUGIN = "amplihack-compaction@market"


def check(project: Path) -> list[Row]:
    return check_registration(find_installation(str(project)))


def switches(project: Path) -> list[Row]:
    return check_switches(find_installation(str(project)))


def edit(path: Path, old: str, new: str, count: int = -1) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


def test_nothing_registered_is_a_failure(project: Path) -> None:
    rows = check(project)
    assert grades(rows) == ["failure"]
    assert rows[0].remedy == f"{own_command()} install"


def test_install_is_not_advised_while_it_would_refuse_a_broken_file(project: Path) -> None:
    broken = project / ".claude" / "settings.local.json"
    broken.parent.mkdir()
    broken.write_text('{"hooks": {')
    first, second = check(project)
    assert f"{broken} cannot be used" in first.text
    assert str(broken) not in second.text
    assert second.remedy == f"once all can be read: {own_command()} install"


@pytest.mark.parametrize("scope", ["project", "local", "user"])
def test_what_install_writes_is_in_order(project: Path, register: Register, scope: str) -> None:
    register(scope)
    rows = check(project)
    assert grades(rows) == []
    assert "registers 10 hooks" in texts(rows)


def test_a_plugin_counts_when_it_is_enabled_and_installed(
    project: Path, settings: Write, tmp_path: Path
) -> None:
    settings("user", enabledPlugins={"amplihack-compaction@market": True})
    assert grades(check(project)) == ["failure"]
    install_plugin(tmp_path / "empty")
    assert "no hook is registered" in texts(check(project))
    install_plugin()
    assert grades(check(project)) == []
    assert "brings 10 hooks" in texts(check(project))
    settings("project", enabledPlugins={"amplihack-compaction@market": False})
    assert grades(check(project)) == ["failure"]


@pytest.mark.parametrize(
    ("user", "local", "expected"),
    [
        ({PLUGIN: True}, None, PLUGIN),
        ({PLUGIN: False}, {PLUGIN: True}, PLUGIN),
        ({PLUGIN: True}, {PLUGIN: False}, None),
        ({"amplihack-compaction-other@x": True}, None, None),
        ([PLUGIN], 7, None),
        (None, None, None),
    ],
)
def test_the_narrowest_scope_says_whether_the_plugin_is_enabled(
    project: Path, settings: Write, user: object, local: object, expected: str | None
) -> None:
    install_plugin()
    settings("user", enabledPlugins=user)
    settings("local", enabledPlugins=local)
    found = find_installation(str(project)).plugin
    assert (found.id if found is not None else None) == expected


@pytest.mark.parametrize("plugins", [[], {"amplihack-compaction@market": [{"installPath": 3}, 4]}])
def test_an_odd_list_of_plugins_is_none(project: Path, settings: Write, plugins: object) -> None:
    settings("user", enabledPlugins={"amplihack-compaction@market": True})
    install_plugin()
    path = config_folder() / "plugins" / "installed_plugins.json"
    path.write_text(json.dumps({"version": 2, "plugins": plugins}))
    assert grades(check(project)) == ["failure"]


def test_a_plugin_beside_the_settings_is_double_wiring(
    project: Path, settings: Write, register: Register
) -> None:
    install_plugin()
    settings("user", enabledPlugins={"amplihack-compaction@market": True, "other@market": True})
    register("local")
    rows = check(project)
    assert grades(rows) == ["warning"]
    assert "claude plugin uninstall amplihack-compaction@market" in texts(rows)
    assert f"{own_command()} uninstall --project {project}" in texts(rows)


def test_two_scopes_with_different_commands_are_doubled(
    project: Path, register: Register, settings: Write
) -> None:
    register("project")
    settings("user", **earlier_settings("Stop"))
    said = texts(check(project))
    assert "settings.json: they run twice" in said
    assert "uninstall --user" in said


def test_two_scopes_with_the_same_commands_are_named(project: Path, register: Register) -> None:
    own, users = register("project", events=["Stop"]), register("user")
    rows = [row for row in check(project) if "are registered in" in row.text]
    assert [row.grade for row in rows] == [Grade.WARNING]
    assert f"{users} and in {own}: they run once" in rows[0].text
    command = own_command()
    team = f"`{command} uninstall --team --project {project}`"
    assert rows[0].remedy.endswith(f"`{command} uninstall --user` or {team}")


def test_two_scopes_with_all_hooks_run_them_once(project: Path, register: Register) -> None:
    register("project")  # of which several start the store by one command
    register("user")
    assert "they run once" in texts(check(project))


def test_two_scopes_that_share_no_hook_are_not_doubled(project: Path, register: Register) -> None:
    register("project", events=["Stop"])
    register("user", events=["PreCompact"])
    assert "are registered in" not in texts(check(project))


def test_at_home_one_file_is_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    home = config_folder().parent
    places = find_installation(str(home)).places
    assert [place.scope.name for place in places] == ["user", "local"]


def test_commands_of_an_earlier_version_are_brought_up_to_date(
    project: Path, settings: Write
) -> None:
    path = settings(**earlier_settings("PreCompact", "Stop"))
    edit(path, "{", '{"model":   "opus", ', 1)
    row = check(project)[0]
    assert (
        "the command of PreCompact, Stop, Stop+store was changed by hand or is an older" in row.text
    )
    assert row.repair is not None
    row.repair.run()
    text = path.read_text()
    assert '"model":   "opus",' in text
    assert list(json.loads(text)["hooks"]) == ["PreCompact", "Stop"]
    assert "/old" not in text


def test_an_event_registered_twice_in_a_file_is_named(project: Path, register: Register) -> None:
    path = register()
    data = json.loads(path.read_text())
    data["hooks"]["Stop"] *= 2
    path.write_text(json.dumps(data))
    rows = check(project)
    assert "registers Stop, Stop+store twice" in texts(rows)
    assert rows[0].repair is not None
    rows[0].repair.run()
    assert grades(check(project)) == []


def test_missing_events_are_named(project: Path, register: Register) -> None:
    register(events=["PreCompact", "SessionStart"])
    assert "does not register PostCompact, PreToolUse" in texts(check(project))


def test_a_broken_settings_file_is_a_failure(project: Path) -> None:
    path = project / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text("{oops")
    rows = check(project)
    assert grades(rows) == ["failure", "failure"]
    assert "it is not JSON" in texts(rows)


def test_without_a_switch_there_is_one_row(project: Path) -> None:
    assert [row.text for row in switches(project)] == ["nothing switches the hooks off"]


def test_every_switch_is_named(
    project: Path, settings: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_DISABLED", "1")
    settings("user", disableAllHooks=True)
    settings("local", env={"AMPLIHACK_COMPACTION_DISABLED": 1})
    folder = make_own_tools()
    (folder / ".power_steering_config").write_text('{"enabled": false}')
    rows = switches(project)
    assert grades(rows) == ["warning", "failure", "warning", "warning"]
    for word in (
        "in this environment",
        "disableAllHooks",
        f'here by "env" in {project}',
        "check after a compaction",
    ):
        assert word in texts(rows)


def test_switches_that_are_set_to_nothing_switch_nothing(
    project: Path, settings: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_DISABLED", "Off")
    settings("user", disableAllHooks=False, env={"AMPLIHACK_COMPACTION_DISABLED": ""})
    settings("local", env={"AMPLIHACK_COMPACTION_DISABLED": False})
    settings("project", env=[], enabledPlugins=[])
    assert grades(switches(project)) == []


def test_a_consideration_that_is_off_and_a_broken_file_are_named(project: Path) -> None:
    folder = make_own_tools()
    (folder / "considerations.yaml").write_text('[{"id": "compaction_handling", "enabled": false}]')
    (folder / ".power_steering_config").write_text("{")
    rows = switches(project)
    assert grades(rows) == ["warning", "warning"]
    assert "is broken" in texts(rows)
