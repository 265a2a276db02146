"""A cached environment is exchanged for one that stays, and each is upgraded by its installer."""

import json
import sys
from pathlib import Path

import pytest

from amplihack_compaction import __version__
from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.installation import COMMAND_NAME, extra_command, own_python
from amplihack_compaction.cli.commands.install import (
    lasting_command,
    removal_command,
    upgrade,
    upgrade_command,
)

ARCHIVE = {"url": "https://example.org/package.whl", "archive_info": {}}


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the one folder where programs are found; the package counts as not installed."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site-packages")])
    return folder


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the running environment, which is below a folder that is marked as a cache."""
    prefix = tmp_path / "uv" / "archive" / "environment"
    prefix.mkdir(parents=True)
    (tmp_path / "uv" / "CACHEDIR.TAG").touch()
    monkeypatch.setattr(sys, "prefix", str(prefix))
    return prefix


def installed(tmp_path: Path, noted: str | None) -> None:
    """Install the package's metadata, with what the installer noted of its origin."""
    folder = tmp_path / "site-packages" / f"amplihack_compaction-{__version__}.dist-info"
    folder.mkdir(parents=True)
    if noted is not None:
        (folder / "direct_url.json").write_text(noted)


def program(path: Path, rest: str = "echo /home/bin") -> Path:
    """Write a program that notes its calls beside itself, and return where it does."""
    calls = path.with_suffix(".calls")
    path.write_text(f'#!/bin/sh\necho "$*" >> "{calls}"\n{rest}\n')
    path.chmod(0o755)
    return calls


def test_an_environment_that_stays_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    assert lasting_command() == ""


def test_uv_installs_the_same_version_where_it_stays(programs: Path, cached: Path) -> None:
    calls = program(programs / "uv")
    program(programs / "pipx")
    assert lasting_command() == f"/home/bin/{COMMAND_NAME}"
    assert calls.read_text().splitlines() == [
        f"tool install --quiet {COMMAND_NAME}=={__version__}",
        "tool dir --bin",
    ]
    assert not (programs / "pipx.calls").exists()


def test_the_uv_that_started_it_need_not_be_on_the_path(
    tmp_path: Path, cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "uv-elsewhere")
    monkeypatch.setenv("UV", str(tmp_path / "uv-elsewhere"))
    assert lasting_command() == f"/home/bin/{COMMAND_NAME}"


@pytest.mark.parametrize("prefix", ["/home/a/.cache/x/y", "/Users/a/Library/Caches/pipx/x"])
def test_pipx_installs_from_where_the_cached_one_came(
    prefix: str, programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    installed(tmp_path, json.dumps(ARCHIVE))
    calls = program(programs / "pipx")
    assert lasting_command() == f"/home/bin/{COMMAND_NAME}"
    assert calls.read_text().splitlines() == [
        f"install {COMMAND_NAME} @ {ARCHIVE['url']}",
        "environment --value PIPX_BIN_DIR",
    ]


def test_without_an_installer_it_says_what_to_do(cached: Path) -> None:
    with pytest.raises(CompactionError, match=f"{cached} may vanish: use `pip install"):
        lasting_command()


def test_an_installer_that_fails_is_quoted(programs: Path, cached: Path) -> None:
    calls = program(programs / "uv", "echo no such version >&2; exit 2")
    with pytest.raises(CompactionError, match=r"uv failed: no such version$"):
        lasting_command()
    assert len(calls.read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/a/.local/share/uv/tools/x", ["uv", "tool", "upgrade", COMMAND_NAME]),
        ("/home/a/.local/share/pipx/venvs/x", ["pipx", "upgrade", COMMAND_NAME]),
    ],
)
def test_a_tools_environment_is_upgraded_and_removed_by_that_tool(
    prefix: str, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    assert upgrade_command() == command
    tool = command[0]
    assert removal_command().startswith(
        {"uv": "uv tool uninstall ", "pipx": "pipx uninstall "}[tool]
    )
    added = {"uv": "uv tool install ", "pipx": "pipx install --force "}[tool]
    assert extra_command("postgres") == f"{added}'{COMMAND_NAME}[postgres]'"


def test_an_upgrade_whose_installer_fails_is_no_upgrade(
    programs: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "prefix", "/home/a/.local/share/uv/tools/x")
    program(programs / "uv", "echo no such index >&2; exit 2")
    with pytest.raises(CompactionError, match="nothing was upgraded"):
        upgrade()
    assert capfd.readouterr() == ("", "no such index\n")


@pytest.mark.parametrize("noted", [None, "", "{", "[]", json.dumps(ARCHIVE)])
def test_any_other_environment_is_upgraded_by_its_own_pip(
    noted: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, noted)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    pip = [own_python(), "-m", "pip", "install", "--quiet", "--upgrade"]
    assert upgrade_command() == [*pip, COMMAND_NAME]
    assert removal_command() == ""
    assert extra_command("api") == f"{own_python()} -m pip install '{COMMAND_NAME}[api]'"


def test_what_was_installed_from_a_folder_is_upgraded_there(tmp_path: Path) -> None:
    installed(tmp_path, json.dumps({"url": "file:///src/package", "dir_info": {}}))
    with pytest.raises(CompactionError, match=r"from file:///src/package: .*\./install\.sh"):
        upgrade_command()
