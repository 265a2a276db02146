"""Several places of wiring and managed settings: what keeps hooks from running once is said."""

import json
import os
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.cli.doctor.configuration import check_switches
from amplihack_compaction.cli.doctor.installation import find_installation
from amplihack_compaction.clients.claude_code.wiring import wiring_problems as registered_hooks
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EMPTY_SETTINGS,
    add_hooks,
)
from amplihack_compaction.clients.claude_code.wiring.settings_file import Scope, scopes
from amplihack_compaction.clients.claude_code.wiring.wiring_problems import (
    PLUGIN_NAME,
    enabled_plugin,
    managed_obstacles,
    plugin_hooks,
    wiring_warnings,
)
from tests.unit.cli.doctor.conftest import grades, texts

PLUGIN = "amplihack-compaction@amplihack"


def write(scope: Scope, **settings: object) -> None:
    scope.path.parent.mkdir(parents=True, exist_ok=True)
    scope.path.write_text(json.dumps(settings), encoding="utf-8")


def wire(scope: Scope) -> None:
    scope.path.parent.mkdir(parents=True, exist_ok=True)
    scope.path.write_text(add_hooks(EMPTY_SETTINGS, ["Stop"]), encoding="utf-8")


def test_one_wiring_is_no_reason_to_warn(project: Path) -> None:
    own = scopes(project)["project"]
    wire(own)
    assert wiring_warnings(project, own) == []
    assert wiring_warnings(project, scopes(project)["local"]) != []


def test_every_second_wiring_is_told_with_its_way_out(project: Path) -> None:
    found = scopes(project)
    wire(found["user"])
    wire(found["local"])
    warnings = wiring_warnings(project, found["project"])
    assert [w for w in warnings if "registered in" in w and "uninstall --user" in w]
    assert [w for w in warnings if f"uninstall --project {project}" in w]
    assert len(warnings) == 2


def test_the_plugin_is_a_second_wiring_for_settings_and_they_for_it(project: Path) -> None:
    found = scopes(project)
    wire(found["project"])
    write(found["user"], enabledPlugins={PLUGIN: True, "other@x": True})
    (warning,) = wiring_warnings(project, found["project"])
    assert f"claude plugin uninstall {PLUGIN}" in warning
    (warning,) = wiring_warnings(project, None)
    assert f"uninstall --team --project {project}" in warning


def test_in_the_home_one_file_is_spoken_of_once() -> None:
    home = Path(os.environ["HOME"])
    wire(scopes(home)["user"])
    assert len(wiring_warnings(home, None)) == 1
    assert wiring_warnings(home, scopes(home)["project"]) == []


@pytest.mark.parametrize(
    ("user", "local", "expected"),
    [
        ({PLUGIN: True}, None, PLUGIN),
        ({PLUGIN: False}, {PLUGIN: True}, PLUGIN),
        ({PLUGIN: True}, {PLUGIN: False}, ""),
        ({"amplihack-compaction-other@x": True}, None, ""),
        ({PLUGIN: False, "amplihack-compaction@mine": True}, None, "amplihack-compaction@mine"),
        ([PLUGIN], 7, ""),
        (None, None, ""),
    ],
)
def test_the_narrowest_scope_says_whether_the_plugin_is_enabled(
    project: Path, user: object, local: object, expected: str
) -> None:
    found = scopes(project)
    write(found["user"], enabledPlugins=user)
    write(found["local"], enabledPlugins=local)
    assert enabled_plugin(project) == expected


def test_a_folder_without_the_plugin_is_refused(project: Path) -> None:
    with pytest.raises(SettingsError, match="no plugin"):
        plugin_hooks(project)
    (project / "hooks").mkdir()
    (project / "hooks" / "hooks.json").write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="no plugin"):
        plugin_hooks(project)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the managed settings."""
    made = tmp_path / "claude-code"
    (made / "managed-settings.d").mkdir(parents=True)
    monkeypatch.setattr(registered_hooks, "FOLDERS", (tmp_path / "none", made))
    return made


def test_without_managed_settings_nothing_is_in_the_way(folder: Path) -> None:
    assert managed_obstacles(PLUGIN_NAME) == []


def test_each_file_that_is_in_the_way_is_named_by_its_key(folder: Path) -> None:
    one, other = folder / "managed-settings.json", folder / "managed-settings.d/10-hooks.json"
    one.write_text('{"disableAllHooks": true, "allowManagedHooksOnly": true}')
    other.write_text('{"allowManagedHooksOnly": true}')
    (folder / "managed-settings.d/20-more.json").write_text('{"disableAllHooks": false}')
    (folder / "managed-settings.d/30-torn.json").write_text("{")
    (folder / "managed-settings.d/40-list.json").write_text("[]")
    found = managed_obstacles(PLUGIN_NAME)
    assert found == [(one, "disableAllHooks"), (other, "allowManagedHooksOnly")]


def test_a_managed_file_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text('{"disableAllHooks": true}')
    link = folder / "managed-settings.json"
    link.symlink_to(tmp_path / "policy.json")
    assert managed_obstacles(PLUGIN_NAME) == [(link, "disableAllHooks")]


@pytest.mark.parametrize(
    ("plugins", "is_spared"),
    [
        ('{"amplihack-compaction@company": true}', True),
        ('{"amplihack-compaction@company": false}', False),
        ('{"other@company": true}', False),
        ("[]", False),
    ],
)
def test_a_plugin_that_is_managed_too_is_spared(
    folder: Path, plugins: str, is_spared: bool
) -> None:
    (folder / "managed-settings.json").write_text('{"allowManagedHooksOnly": true}')
    (folder / "managed-settings.d/10.json").write_text(f'{{"enabledPlugins": {plugins}}}')
    assert (managed_obstacles(PLUGIN_NAME) == []) is is_spared


def test_doctor_and_install_say_so(folder: Path, project: Path) -> None:
    path = folder / "managed-settings.json"
    path.write_text('{"allowManagedHooksOnly": true}')
    rows = check_switches(find_installation(str(project)))
    assert grades(rows) == ["failure"]
    assert f'"allowManagedHooksOnly" in {path}' in texts(rows)
    assert any(str(path) in warning for warning in wiring_warnings(project, None))
