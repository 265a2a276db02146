"""What a hook that runs on every tool call may load, and no more."""

import re
from pathlib import Path

import pytest

from tests.support.captured import CAPTURES, payload, session
from tests.support.processes import run_hook

# Measured, each costs more than a fifth of the interpreter's own start.
ALLOWED = {
    "amplihack_compaction",
    "amplihack_compaction.base",
    "amplihack_compaction.context",
    "amplihack_compaction.context.quiet_band",
    "amplihack_compaction.base.files",
    "amplihack_compaction.hook",
    "amplihack_compaction.clients",
    "amplihack_compaction.clients.claude_code",
    "amplihack_compaction.clients.claude_code.tail",
    "amplihack_compaction.hook.run",
    "amplihack_compaction.base.size_limits",
    "amplihack_compaction.base.paths",
    "amplihack_compaction.injection",
    "amplihack_compaction.injection.position",
    "_json",
}
IMPORTED = re.compile(r"^import time:\s+\d+ \|\s+\d+ \|\s*(\S+)$", re.MULTILINE)
BARE = {
    "_frozen_importlib_external", "zipimport", "_codecs", "codecs", "encodings",
    "encodings.aliases", "encodings.utf_8", "_signal", "_abc", "abc", "io", "_io", "marshal",
    "posix", "time", "winreg", "_thread", "_warnings", "_weakref", "encodings.ascii",
    "encodings.latin_1",
}  # fmt: skip


def loaded(event: str, name: str, project: Path) -> set[str]:
    stdin = payload(name, transcript_path=str(session("short_tasks")))
    run_hook(event, stdin, project)  # the first of a session finds out what its limit is
    answer = run_hook(event, stdin, project, "-X", "importtime")
    assert (answer.stdout, answer.code) == ("", 0)
    return set(IMPORTED.findall(answer.stderr)) - BARE


@pytest.mark.parametrize(
    ("event", "name"),
    [("PreToolUse", "PreToolUse.Bash"), ("UserPromptSubmit", "UserPromptSubmit"), ("Stop", "Stop")],
)
def test_a_hook_with_nothing_to_do_loads_next_to_nothing(
    event: str, name: str, project: Path
) -> None:
    modules = loaded(event, name, project)
    assert "amplihack_compaction.hook.run" in modules
    assert modules <= ALLOWED


@pytest.mark.parametrize(
    ("event", "name"),
    [("PreToolUse", "PreToolUse.Bash"), ("UserPromptSubmit", "UserPromptSubmit"), ("Stop", "Stop")],
)
def test_in_another_client_a_hook_loads_no_more(event: str, name: str, project: Path) -> None:
    rollout = next((CAPTURES / "codex").glob("rollout-*.jsonl"))
    stdin = payload(name, transcript_path=str(rollout))
    for _ in range(3):  # what the first ones have to make up for
        run_hook(event, stdin, project)
    answer = run_hook(event, stdin, project, "-X", "importtime")
    assert (answer.stdout, answer.code) == ("", 0)
    modules = {name.replace(".codex", ".claude_code") for name in IMPORTED.findall(answer.stderr)}
    assert modules - BARE <= ALLOWED


@pytest.mark.parametrize(
    ("event", "name"),
    [("SessionStart", "SessionStart.startup"), ("SessionEnd", "SessionEnd.other")],
)
def test_a_session_without_a_compaction_loads_no_extractor(
    event: str, name: str, project: Path
) -> None:
    modules = loaded(event, name, project)
    assert not {m for m in modules if "pydantic" in m or ".extract." in m or ".ledger" in m}
