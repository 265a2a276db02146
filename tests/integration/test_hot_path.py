"""What a hook that runs on every tool call may load, and no more."""

import re
from pathlib import Path

import pytest

from tests.captured import payload, session
from tests.processes import run_hook

# Measured, each costs more than a fifth of the interpreter's own start.
ALLOWED = {
    "amplihack_compaction",
    "amplihack_compaction.answers",
    "amplihack_compaction.answers.turn_event",
    "amplihack_compaction.context",
    "amplihack_compaction.context.watch",
    "amplihack_compaction.files",
    "amplihack_compaction.hook",
    "amplihack_compaction.hook.payloads",
    "amplihack_compaction.hook.run",
    "amplihack_compaction.limits",
    "amplihack_compaction.paths",
    "amplihack_compaction.preservation",
    "amplihack_compaction.preservation.delivery",
    "amplihack_compaction.preservation.position",
    "amplihack_compaction.preservation.receipts",
    "amplihack_compaction.scanner",
    "amplihack_compaction.transcript",
    "amplihack_compaction.transcript.tail",
    "amplihack_compaction.transcript.usage",
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
    [
        ("PreToolUse", "PreToolUse.Bash"),
        ("UserPromptSubmit", "UserPromptSubmit"),
        ("Stop", "Stop"),
    ],
)
def test_a_hook_with_nothing_to_do_loads_next_to_nothing(
    event: str, name: str, project: Path
) -> None:
    modules = loaded(event, name, project)
    assert "amplihack_compaction.hook.run" in modules
    assert modules <= ALLOWED


@pytest.mark.parametrize(
    ("event", "name"),
    [("SessionStart", "SessionStart.startup"), ("SessionEnd", "SessionEnd.other")],
)
def test_a_session_without_a_compaction_loads_no_extractor(
    event: str, name: str, project: Path
) -> None:
    modules = loaded(event, name, project)
    assert not {m for m in modules if "pydantic" in m or ".speech" in m or ".ledger" in m}


def test_the_hooks_of_a_compaction_load_nothing_that_inspects_classes(project: Path) -> None:
    """They make their classes by `value_classes`: `dataclasses` costs two bare starts to load."""
    for event, name in [
        ("PreCompact", "PreCompact.auto"),
        ("SessionStart", "SessionStart.compact"),
        ("PostCompact", "PostCompact.auto"),
        ("PreCompact", "PreCompact.auto"),  # it reads the ledger that the first one wrote
        ("Stop", "Stop"),
    ]:
        stdin = payload(name, transcript_path=str(session("auto_compact_x3")))
        answer = run_hook(event, stdin, project, "-X", "importtime")
        assert answer.code == 0
        modules = set(IMPORTED.findall(answer.stderr))
        assert "amplihack_compaction.hook.run" in modules
        assert not modules & {"dataclasses", "inspect"}, event
