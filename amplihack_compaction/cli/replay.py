"""Prove a registration: play a recorded session through the registered hooks, as processes.

`replay_session/` is a session of the real client (tests/integration/record_session.py made it):
`before.jsonl` is its transcript up to the compaction, `after.jsonl` what the client wrote from
the boundary on, `payloads.json` what it sent to its hooks, in order, each with the part of the
transcript that was on disk then. In `after.jsonl`, `{{STATE}}` stands where the client put what
the SessionStart hook had told the model.
"""

import json
import os
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amplihack_compaction.base.files import parse_object
from amplihack_compaction.base.hook_log import NOT_AWAITED, read_log
from amplihack_compaction.base.settings import SETTINGS, variable_of
from amplihack_compaction.base.size_limits import DISABLE_VARIABLE, STATE_HEAD
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    STORE_SUFFIX,
    TIMEOUT_SECONDS,
    Registered,
)
from amplihack_compaction.transcript.session import as_object, text_in

EXPECTED = ("Never push to main", "Use pnpm, not npm", "30 days", "8443", "docs/api.md")
"""What the user said or left open in the recorded session, and the model must be told."""

_SESSION = Path(__file__).parent / "replay_session"
_HOME, _DASHED = "/home/user", "-home-user-shop"
_PLACEHOLDER = "{{STATE}}"
# A second run of these shows what they take where there is nothing to do.
_SAMPLED_TWICE = frozenset({"PreToolUse", "UserPromptSubmit"})
# The recording is full enough for a level, at which a hook does as much as at a compaction.
_NO_LEVELS = {variable_of("context_limit_tokens"): "100000000"}
_INDENT = "  "
_SILENT = frozenset({"PostCompact", "SessionEnd"})
_TELLS = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What the hook of a name answered to one payload; `problem` is empty when it was in order."""

    event: str
    stdout: str
    milliseconds: float
    problem: str = ""

    @property
    def context(self) -> str:
        """The text for the model; empty for none."""
        answer = parse_object(self.stdout.encode()) or {}
        return text_in(as_object(answer.get("hookSpecificOutput")), "additionalContext")


@dataclass(slots=True)
class Replay:
    """All answers in order, what the model was told after the compaction, and what went wrong."""

    answers: list[Answer] = field(default_factory=list)
    told: str = ""
    problems: list[str] = field(default_factory=list)


def _recorded(name: str, base: Path, told: str = "") -> str:
    """Return a file of the recorded session as if it lay in a folder, and the model was told so."""
    lines = (_SESSION / name).read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if told or _PLACEHOLDER not in line)
    dashed = "".join(c if c.isascii() and c.isalnum() else "-" for c in f"{base}/shop")
    # As the inside of a JSON string: a temporary folder's name may hold anything.
    place, said = (json.dumps(each)[1:-1] for each in (str(base), told))
    return text.replace(_DASHED, dashed).replace(_HOME, place).replace(_PLACEHOLDER, said)


def replay_session(hooks: Sequence[Registered], *, is_sample: bool = False) -> Replay:
    """Play the recorded session through hooks exactly as they are registered.

    A sample is the compaction and a few of the other events, and no level of the context.
    """
    more = _NO_LEVELS if is_sample else {}
    result = Replay()
    commands: dict[str, list[Registered]] = {}
    for hook in sorted(hooks, key=lambda hook: hook.name):
        commands.setdefault(hook.event, []).append(hook)
    with tempfile.TemporaryDirectory(prefix="amplihack-compaction-") as folder:
        base = Path(folder).resolve()
        project = base / "shop"
        project.mkdir()
        steps = json.loads(_recorded("payloads.json", base))
        transcript = Path(steps[0]["payload"]["transcript_path"])
        transcript.parent.mkdir(parents=True)
        part = ""
        for step in _sample(steps) if is_sample else steps:
            if step["part"] != part:
                part = step["part"]
                with transcript.open("a", encoding="utf-8") as stream:
                    stream.write(_recorded(f"{part}.jsonl", base, result.told))
            for hook in commands.get(step["payload"]["hook_event_name"], ()):
                answer = _run(hook, step["payload"], project, more)
                result.answers.append(answer)
                if not result.told and STATE_HEAD in answer.context:
                    result.told = answer.context
        result.problems += [f"{a.event}: {a.problem}" for a in result.answers if a.problem]
        logged = [line.partition(" ")[2] for line in read_log(str(project))]
        # One that came too late twice has no answer; one that did so once was asked again.
        result.problems += [f"logged: {said}" for said in logged if not said.endswith(NOT_AWAITED)]
        # Shown to people, the recorded home reads better than a folder that is gone.
        result.told = result.told.replace(str(base), _HOME)
    if _TELLS & commands.keys():
        nothing = ["after the compaction the model was told nothing"]
        missing = [f"the model was not told of {t!r}" for t in EXPECTED if t not in result.told]
        result.problems += missing if result.told else nothing
    return result


def _sample(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the first steps of each kind, cut off at the compaction."""
    # To look back at a compaction takes as long as to record it: the session ends with it.
    seen: Counter[tuple[object, ...]] = Counter()
    sample = []
    for step in steps:
        payload = step["payload"]
        kind = (payload["hook_event_name"], payload.get("source"))
        seen[kind] += 1
        if seen[kind] <= 1 + (kind[0] in _SAMPLED_TWICE):
            sample.append({**step, "part": "before"})
    return sample


def replay_table(replay: Replay) -> str:
    """Return a line for each event: how often it ran, its median and longest time, its answer."""
    lines = [f"{_INDENT}{'hook':<18}{'runs':>4}{'ms':>6}{'at most':>9}  answered"]
    for event in TIMEOUT_SECONDS:
        answers = [answer for answer in replay.answers if answer.event == event]
        if not answers:
            continue
        times = [answer.milliseconds for answer in answers]
        took = f"{statistics.median(times):>6.0f}{max(times):>9.0f}"
        longest = max((answer.stdout for answer in answers), key=len)
        said = f"{len(longest)} characters" if longest else "nothing, as it should"
        if any(answer.problem for answer in answers):
            said = "FAILED"
        lines.append(f"{_INDENT}{event:<18}{len(answers):>4}{took}  {said}")
    return "\n".join(lines)


def _run(hook: Registered, payload: dict[str, Any], project: Path, more: dict[str, str]) -> Answer:
    """Return what a hook answers, asked again where it did not in time."""
    # What is told is compared with what this session must tell, by default settings.
    ours = {DISABLE_VARIABLE, *map(variable_of, SETTINGS)}
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ours},
        "CLAUDE_PROJECT_DIR": str(project),
        "CLAUDE_CODE_SESSION_ID": payload["session_id"],
        "CLAUDECODE": "1",
        "CLAUDE_CONFIG_DIR": str(project.parent / ".claude"),
        **more,
    }
    limit = hook.timeout_seconds or TIMEOUT_SECONDS[hook.name]
    for _ in range(2):  # a machine that stalled answers the second time, a hook that hangs does not
        started = time.perf_counter()
        with suppress(subprocess.TimeoutExpired):
            done = subprocess.run(  # noqa: S603 - the command that the client is to run
                ["/bin/sh", "-c", hook.command],
                input=json.dumps(payload).encode(),
                capture_output=True,
                cwd=project,
                env=environment,
                timeout=limit,
                check=False,
            )
            took = 1000 * (time.perf_counter() - started)
            said = done.stdout.decode(errors="replace")
            problem = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            if done.returncode:  # it is hidden from the client
                problem = f"exit code {done.returncode} {problem}".rstrip()
            return Answer(hook.name, said, took, problem or _check_output(hook.name, said))
    return Answer(hook.name, "", 1000 * limit, f"no answer in {limit:g} seconds, twice")


def _check_output(event: str, stdout: str) -> str:
    """Return what is wrong with an answer, by what the client accepts from the event."""
    if event == "PreCompact":
        return "" if stdout and not stdout.lstrip().startswith("{") else "no text for the summary"
    if event in _SILENT or event.endswith(STORE_SUFFIX):
        return f"printed {stdout[:60]!r}, where nothing is expected" if stdout else ""
    if not stdout:
        return ""
    answer = parse_object(stdout.encode()) or {}
    output = answer.get("hookSpecificOutput")
    named = output.get("hookEventName") if isinstance(output, dict) else event
    return "" if answer and named == event else f"printed {stdout[:60]!r}, which is no answer"
