"""Rows on the hooks themselves: each fired as a process, in a temporary project, and timed."""

from collections.abc import Iterator, Sequence

from amplihack_compaction.cli.doctor.programs import Interpreter
from amplihack_compaction.cli.doctor.rows import Grade, Row, install_command
from amplihack_compaction.cli.doctor.subject import (
    Place,
    Subject,
    may_be_run,
    missing_programs,
    runner_of,
)
from amplihack_compaction.cli.install.replay import Answer, Replay, replay_session
from amplihack_compaction.clients.claude_code.wiring.hook_commands import TIMEOUT_SECONDS, Runner
from amplihack_compaction.clients.claude_code.wiring.merge import Registered

GROUP = "hooks"
# Events of every turn, and what they may take above a bare start before it is felt.
_FREQUENT = frozenset({"PreToolUse", "UserPromptSubmit"})
_FREQUENT_MS = 150
# The client drops a hook at its time limit; on a busier day it takes longer than now.
_LIMIT_PART = 0.25


def check_hooks(subject: Subject, interpreters: dict[str, Interpreter]) -> list[Row]:
    """Fire every registered hook on a recorded compaction, and return a row for each.

    Only what `install` writes is fired, and nothing that lies inside the project.
    """
    rows: list[Row] = []
    fired: set[tuple[str, ...]] = set()
    for place in subject.places:
        hooks = [hook for hook in place.hooks if _can_be_fired(subject, place, hook)]
        rows += _left_out(subject, place)
        commands = tuple(sorted(hook.command for hook in hooks))
        if commands and commands not in fired:
            fired.add(commands)
            rows += _fire(str(place.scope.path), hooks, None, interpreters)
    plugin = subject.plugin
    if plugin is not None and plugin.runner.python in interpreters:
        rows += _fire(f"the plugin {plugin.id}", plugin.hooks, plugin.runner, interpreters)
    return rows


def _remedy() -> str:
    return f"{install_command()}; or install.sh, where it is a package that is missing"


def _can_be_fired(subject: Subject, place: Place, hook: Registered) -> bool:
    runner = runner_of(hook)
    if runner is None or hook.name not in TIMEOUT_SECONDS or missing_programs(runner, hook):
        return False
    return may_be_run(subject, place, runner)


def _left_out(subject: Subject, place: Place) -> Iterator[Row]:
    runners = {runner_of(hook) for hook in place.hooks}
    foreign = [r for r in runners if r is not None and not may_be_run(subject, place, r)]
    if foreign:
        inside = foreign[0].python if len(foreign) == 1 else "several interpreters"
        text = f"{place.scope.path}: hooks that lie inside the project were not fired ({inside})"
        remedy = f"read them; `{install_command()}` registers those of this command instead"
        yield Row(GROUP, Grade.WARNING, text, remedy)


def _fire(
    where: str,
    hooks: Sequence[Registered],
    known: Runner | None,
    interpreters: dict[str, Interpreter],
) -> Iterator[Row]:
    """Yield a row for each hook; `known` is what they run where their commands do not tell."""
    replay = replay_session(hooks, is_sample=True)
    for hook in hooks:
        answers = [answer for answer in replay.answers if answer.event == hook.name]
        if answers:
            runner = known or runner_of(hook)
            interpreter = interpreters.get(runner.python) if runner is not None else None
            yield _row_of(hook, answers, interpreter)
    yield from _as_a_whole(where, replay)


def _row_of(hook: Registered, answers: list[Answer], interpreter: Interpreter | None) -> Row:
    problem = next((answer.problem for answer in answers if answer.problem), "")
    if problem:
        return Row(GROUP, Grade.FAILURE, f"{hook.name}: {problem}", _remedy())
    fastest, bare = min(answer.milliseconds for answer in answers), 0.0
    beside = ""
    if interpreter is not None and interpreter.bare_ms:
        bare = interpreter.bare_ms
        beside = f"; {bare:.0f} of it the interpreter's start"
    longest = max((answer.stdout for answer in answers), key=len)
    said = f"{len(longest)} characters" if longest else "nothing, as it should"
    text = f"{hook.name} answers {said}, in {fastest:.0f} ms{beside}"
    if hook.name in _FREQUENT and fastest - bare > _FREQUENT_MS:
        remedy = "every turn pays for that: is the machine busy, the disk remote, or the"
        return Row(GROUP, Grade.WARNING, text, f"{remedy} package not compiled? install.sh does it")
    limit_ms = 1000 * (hook.timeout_seconds or TIMEOUT_SECONDS[hook.name])
    if fastest > _LIMIT_PART * limit_ms:
        remedy = f'the client gives it {limit_ms / 1000:g} s: raise its "timeout" in the settings'
        return Row(GROUP, Grade.WARNING, text, remedy)
    return Row(GROUP, Grade.PASS, text)


def _as_a_whole(where: str, replay: Replay) -> Iterator[Row]:
    """Yield what no single answer shows: what was logged, and what the model was not told."""
    of_answers = {f"{answer.event}: {answer.problem}" for answer in replay.answers}
    rest = [problem for problem in dict.fromkeys(replay.problems) if problem not in of_answers]
    if rest:
        text = f"the hooks of {where} do not carry a compaction: {rest[0]}"
        yield Row(GROUP, Grade.FAILURE, text, install_command(), details=tuple(rest))
