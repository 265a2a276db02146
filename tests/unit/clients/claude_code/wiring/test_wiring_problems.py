"""The plugin's hooks and managed settings: what keeps hooks from running is said."""

from pathlib import Path

import pytest

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.cli.doctor.configuration import check_switches
from amplihack_compaction.cli.doctor.installation import find_installation
from amplihack_compaction.clients.claude_code.wiring import settings_file
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    managed_obstacles,
    plugin_hooks,
)
from tests.unit.cli.doctor.conftest import grades, texts


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
    monkeypatch.setattr(settings_file, "FOLDERS", (tmp_path / "none", made))
    return made


def test_without_managed_settings_nothing_is_in_the_way(folder: Path) -> None:
    assert managed_obstacles() == []


def test_each_file_that_is_in_the_way_is_named_by_its_key(folder: Path) -> None:
    one, other = folder / "managed-settings.json", folder / "managed-settings.d/10-hooks.json"
    one.write_text('{"disableAllHooks": true, "allowManagedHooksOnly": true}')
    other.write_text('{"allowManagedHooksOnly": true}')
    (folder / "managed-settings.d/20-more.json").write_text('{"disableAllHooks": false}')
    (folder / "managed-settings.d/30-torn.json").write_text("{")
    (folder / "managed-settings.d/40-list.json").write_text("[]")
    found = managed_obstacles()
    both = [(one, "disableAllHooks"), (one, "allowManagedHooksOnly")]
    assert found == [*both, (other, "allowManagedHooksOnly")]


def test_a_managed_file_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text('{"disableAllHooks": true}')
    link = folder / "managed-settings.json"
    link.symlink_to(tmp_path / "policy.json")
    assert managed_obstacles() == [(link, "disableAllHooks")]


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
    assert (managed_obstacles() == []) is is_spared


def test_it_is_said_what_is_in_the_way(folder: Path, project: Path) -> None:
    path = folder / "managed-settings.json"
    path.write_text('{"allowManagedHooksOnly": true}')
    rows = check_switches(find_installation(str(project)))
    assert grades(rows) == ["failure"]
    assert f'"allowManagedHooksOnly" in {path}' in texts(rows)
