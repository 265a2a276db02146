"""Our plugin in OpenCode's folder."""

from pathlib import Path

import pytest

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    apply_registration,
    apply_removal,
)
from amplihack_compaction.clients.opencode import wiring


@pytest.mark.parametrize("user", [False, True])
def test_the_plugin_is_put_there_and_taken_out(tmp_path: Path, user: bool) -> None:
    scope = wiring.client_file(tmp_path, user=user)
    apply_registration(wiring.plan_client_registration(scope))
    assert not wiring.plan_client_registration(scope).is_needed
    apply_removal(wiring.plan_client_removal(scope))
    assert not scope.path.exists()
    assert not wiring.plan_client_removal(scope).is_needed


def test_an_older_one_is_replaced(tmp_path: Path) -> None:
    scope = wiring.client_file(tmp_path)
    apply_registration(wiring.plan_client_registration(scope))
    scope.path.write_text(f"{scope.path.read_text()}// more\n")
    change = wiring.plan_client_registration(scope)
    assert change.is_needed
    apply_registration(change)
    assert not wiring.plan_client_registration(scope).is_needed


def test_a_file_of_somebody_elses_is_left_alone(tmp_path: Path) -> None:
    scope = wiring.client_file(tmp_path)
    scope.path.parent.mkdir(parents=True)
    scope.path.write_text("export const Other = 1\n")
    for plan in (wiring.plan_client_registration, wiring.plan_client_removal):
        with pytest.raises(SettingsError, match="left as it was"):
            plan(scope)


def test_it_names_no_folder_of_the_users(tmp_path: Path) -> None:
    change = wiring.plan_client_registration(wiring.client_file(tmp_path))
    assert str(Path.home()).encode() not in (change.after or b"")
