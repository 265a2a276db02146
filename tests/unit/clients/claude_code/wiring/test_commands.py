"""The registered command: what it says, and that it is known again."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.installation import own_python
from amplihack_compaction.clients.claude_code.wiring import hook_entries as commands
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EVENTS,
    INSTALLED_FOLDER,
    SCRIPTS,
    STORE_SUFFIX,
    Runner,
    hook_scripts,
    hooks_of,
    is_ours,
    missing_programs,
    name_of,
    programs_of,
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
    monkeypatch.setattr(commands, "__file__", str(tmp_path / "a" / "b" / "commands.py"))
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
