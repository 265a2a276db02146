"""The client's own folder is where the environment says, written as one path."""

import subprocess
import sys
from pathlib import Path

import pytest

from amplihack_compaction.base.settings.settings_files import config_path
from amplihack_compaction.clients.claude_code.locations import config_folder


@pytest.mark.parametrize("ending", ["", "/", "//"])
def test_a_folder_that_is_named_is_the_clients(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{tmp_path}{ending}")
    assert config_path() == str(tmp_path)
    assert config_folder() == tmp_path


def test_the_root_can_be_the_clients_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/")
    assert (f"{config_path()}/settings.json", config_folder()) == ("/settings.json", Path("/"))


def test_a_compaction_imports_no_pathlib() -> None:
    root = Path(__file__).parents[4]
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import amplihack_compaction.hook.pre_compact\n"
        "import amplihack_compaction.hook.session_start\n"
        "print('pathlib' in sys.modules)"
    )
    argv = [sys.executable, "-I", "-S", "-c", code, str(root)]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
