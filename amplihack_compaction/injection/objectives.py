"""Say in lines what the user wants now, and what that goes on from."""

import re
from collections.abc import Iterator, Mapping

from amplihack_compaction.extract.objective import by_likelihood
from amplihack_compaction.extract.statements import (
    Objective,
    PromptRecord,
    SessionState,
    ToolRecord,
    TurnDigest,
)
from amplihack_compaction.injection.lines import StateLine
from amplihack_compaction.text.words import counted, has_cjk, inert

# What is wanted now is needed word for word: nearly all prompts are shorter than this.
_CURRENT_CHARS = 1_000
_EARLIER_CHARS = 600
# Of what was pasted with a prompt the beginning tells what it is.
_HANDED_CHARS = 400
# Of what was done behind the model's last words the newest tell where the work stands.
_ACTS = frozenset("Bash Edit MultiEdit NotebookEdit Write Task Agent Skill".split())
_LAST_ACTS = 3
_ACT_CHARS = 100
_DID = 0.6
_IMAGE = re.compile(r"\[Image #\d")
# What is compacted is not sent again, its images neither; the last messages may be kept whole.
_IMAGE_GONE = " (its image may be gone: ask for it, or find its file)"
_LARGER_BY = 0.3
"""So much likelier set work what the objective is a detail of."""
# A go-ahead of so many words says nothing without what it answers.
_GO_AHEAD_WORDS = 8
_GO_AHEAD_CHARS = 20
# How much of what the model said before a go-ahead is quoted.
_ANSWERED_CHARS = 300
# A prompt that is a rule for so much of its length asks for nothing beside it.
_STATED_SHARE = 0.7


def objective_lines(state: SessionState, under: Mapping[int, StateLine]) -> Iterator[StateLine]:
    """Yield what the user wants now, and what that goes on from.

    That is the newest prompt, whatever it says, with what it answers where it says little; what
    set the work stands behind it. `under` has what the model told under prompts, by their places.
    """
    objective, newest = state.objective, newest_prompt(state)
    if newest is not None:
        turn = answered_turn(state)
        said = (
            f' (after model: "{inert(turn.answer, _ANSWERED_CHARS)}")' if turn is not None else ""
        )
        words = inert(newest.text, _CURRENT_CHARS)
        seen = _IMAGE_GONE if _IMAGE.search(newest.text) else ""
        yield StateLine(f"- Current: {quoted_prompt(newest, words, seen)}{said}", 1.0)
        yield from since_current(state, under)
    begun = _worked_on(state)
    if begun is not None:
        yield _goes_on_from(begun, under, 0.95, "Said while the model was at work on")
    if objective is None or (begun is not None and begun.offset == objective.offset):
        return
    if newest is None:
        words = inert(objective.text, _CURRENT_CHARS)
        yield StateLine(f"- Current: {quoted_prompt(objective, words)}", 1.0)
        yield from since_current(state, under)
    else:
        yield _goes_on_from(objective, under, 0.8)
    for aim in _larger_aims(state, objective):
        yield _goes_on_from(aim, under, 0.6)


def since_current(
    state: SessionState, under: Mapping[int, StateLine], lead: str = "- since then"
) -> Iterator[StateLine]:
    """Yield what the model said since the current prompt, and what it did behind its last words."""
    current = newest_prompt(state) or state.objective
    if current is None:
        return
    told, did = under.get(current.offset), _done_last(state)
    texts = [*([f"model: {told.text}"] if told else []), *([did] if did else [])]
    if texts:
        yield StateLine(f"{lead}, {'; '.join(texts)}", told.need if told else _DID)


def _done_last(state: SessionState) -> str:
    """Return the last acts of a turn that goes on; what only looks and notes is none."""
    uses = state.recent[-1].uses_since if state.recent else 0
    acts = [tool for tool in state.tools[-uses or len(state.tools) :] if tool.name in _ACTS]
    if not acts:
        return ""
    root = f"{state.root}/" if state.root else ""
    last = dict.fromkeys(
        f"{tool.name} `{inert(tool.detail.replace(root, ''), _ACT_CHARS)}`{_ended(tool)}"
        for tool in acts
    )
    return f"after {counted(uses, 'use')} of tools, last: {', '.join([*last][-_LAST_ACTS:])}"


def _ended(tool: ToolRecord) -> str:
    if tool.succeeded is None:
        return " (no result)"
    error = inert(tool.error, _ACT_CHARS)
    return "" if tool.succeeded else f" (error: {error})" if error else " (error)"


def _worked_on(state: SessionState) -> PromptRecord | None:
    """Return the prompt that the model was at work on when the newest was typed, if any was."""
    if newest_prompt(state) is None or not state.prompts[-1].queued:
        return None
    window = state.prompts[-1].window
    begun = (said for said in reversed(state.prompts) if not said.queued)
    return next((said for said in begun if said.window == window and said.text.strip()), None)


def _goes_on_from(
    aim: Objective | PromptRecord,
    under: Mapping[int, StateLine],
    need: float,
    label: str = "Goes on from",
) -> StateLine:
    told = f" — model: {under[aim.offset].text}" if aim.offset in under else ""
    words = inert(aim.text, _EARLIER_CHARS)
    return StateLine(f"- {label}: {quoted_prompt(aim, words)}{told}", need)


def _larger_aims(state: SessionState, objective: Objective) -> list[Objective]:
    """Return what the objective may be a detail of: what likelier set work, or turned to it.

    One at most: of those behind a second one most were over.
    """
    turning = [step for step in reversed(state.continues) if step.switches][:1]
    likelier = [s for s in state.continues if s.chance >= objective.chance + _LARGER_BY]
    newest = max((step.window for step in likelier), default=0)
    larger = by_likelihood([step for step in likelier if step.window == newest])[:1]
    return [*larger, *turning][:1]


def newest_prompt(state: SessionState) -> PromptRecord | None:
    """Return the newest prompt where it is another than the objective, and stands nowhere else."""
    newest = state.prompts[-1] if state.prompts else None
    if newest is None or not (newest.text.strip() or newest.handed):
        return None
    objective = state.objective
    if objective is not None and newest.offset <= objective.offset:
        return None
    ruled = sum(len(rule.text) for rule in state.active_rules if rule.uuid == newest.uuid)
    is_stated = ruled > _STATED_SHARE * len(newest.text)
    return None if is_stated and objective is not None else newest


def _says_little(text: str) -> bool:
    return len(text.split()) <= _GO_AHEAD_WORDS and not has_cjk(text[_GO_AHEAD_CHARS:])


def answered_turn(state: SessionState) -> TurnDigest | None:
    """Return the turn that the newest prompt answers, where it says little by itself."""
    newest = newest_prompt(state)
    turns = [turn.uuid for turn in state.recent]
    if newest is None or newest.text.startswith("/") or not _says_little(newest.text):
        return None
    if newest.uuid not in turns[1:]:
        return None
    turn = state.recent[turns.index(newest.uuid) - 1]
    return turn if turn.answer else None


def objective_words(state: SessionState) -> Iterator[str]:
    """Yield what the objective's lines say."""
    yield from (said.text for said in _quoted(state))


def quoted_prompt(said: Objective | PromptRecord, words: str, beside: str = "") -> str:
    """Return a prompt's words in quotes, with what was pasted with them: somebody else wrote that.

    What stands `beside` them, and what was pasted, is told where there is any.
    """
    # Its own quotation marks would let it seem to be what the user said.
    handed = inert(said.handed, _HANDED_CHARS).replace('"', "'")
    if not words:
        return f"(pasted without a word: {handed})" if handed else ""
    return f'"{words}"{beside}' + (f" (pasted with it: {handed})" if handed else "")


def prompts_above(state: SessionState) -> set[int]:
    """Return the places of the prompts that the objective's lines quote."""
    return {said.offset for said in _quoted(state)}


def _quoted(state: SessionState) -> list[Objective | PromptRecord]:
    aims = _larger_aims(state, state.objective) if state.objective is not None else []
    told = (newest_prompt(state), _worked_on(state), state.objective, *aims)
    return [said for said in told if said is not None]
