"""Say in lines what the user wants, quoted and harmless, and what that goes on from."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from amplihack_compaction.extract.objective import (
    by_likelihood,
    has_content,
    is_done_by_hand,
    newest_prompt,
)
from amplihack_compaction.extract.replies import BEGINS_WITH_NO
from amplihack_compaction.extract.rules import IMAGE, is_like_no_rule
from amplihack_compaction.extract.statements import (
    PLAN_MODE,
    Item,
    Objective,
    PromptRecord,
    Rule,
    SessionState,
    ToolRecord,
    TurnDigest,
)
from amplihack_compaction.injection.lines import StateLine
from amplihack_compaction.text.words import (
    GO_ON_WORDS,
    asks,
    code_span,
    counted,
    end_of_question,
    has_cjk,
    inert,
    printed,
    words_of,
)
from amplihack_compaction.transcript.session import is_cut

DONE_BY_HAND = "Done, marked so by hand"
# What is wanted, and what that goes on from, is needed word for word: nearly all is shorter.
_AIM_CHARS = 1_000
# Of the current one so much more, of letters that are few bytes and cost few tokens.
_CURRENT_BYTES = 2_000
PAST_PROMPT_CHARS = 320
"""So much of a past prompt is told: what else it says counts as untold."""
# Of what was pasted with a prompt the beginning tells what it is.
_HANDED_CHARS = 400
# Of what was done behind the model's last words the newest tell where the work stands.
_ACTS = frozenset("Bash Edit MultiEdit NotebookEdit Write Task Agent Skill".split())
# Before there was one, what was looked for tells what the model was after.
_SEARCHES = frozenset("Grep Glob WebSearch WebFetch".split())
_LAST_ACTS = 3
_ACT_CHARS = 100
_DID = 0.6
# What is compacted is not sent again, its images neither; the last messages may be kept whole.
_IMAGE_GONE = " (its image may be gone: ask for it, or find its file)"
_LARGER_BY = 0.3
"""So much likelier set work what the objective is a detail of."""
# Of what was said for one plan the newest is told.
_PLANNED_LIMIT = 4
_PLANNED_CHARS = 600
_SAME_PLAN = "For the same plan"
# A go-ahead of so many words says nothing without what it answers.
_GO_AHEAD_WORDS = 8
_GO_AHEAD_CHARS = 20
# So many prompts that say nothing may stand behind a yes.
_NODS = 4
_ACCEPTED = 0.85
_CLAUSE = re.compile(
    r"[,.;:!–—，。、；！]|\s-\s|\b(?:but|and|aber|pero|mais|mas|но)\b", re.IGNORECASE
)
# How much of what the model said before a go-ahead is quoted.
_ANSWERED_CHARS = 800


def objective_lines(
    state: SessionState, under: Mapping[int, StateLine], *, has_room: bool
) -> Iterator[StateLine]:
    """Yield what the user wants now, and what that goes on from.

    That is the newest prompt, whatever it says, with what it answers where it says little; what
    set the work stands behind it. `under` has what the model told under prompts, by their places.
    Where a budget `has_room`, more of the newest prompt is quoted.
    """
    current, objective = newest_prompt(state) or state.objective, state.objective
    if current is None:
        return
    answered = answered_words(state)
    said = f' (after model: "{answered}")' if answered else ""
    is_pasted = current is not objective and IMAGE.search(current.text)
    seen = _IMAGE_GONE if is_pasted else ""
    quoted = _current_words(current, has_room=has_room)
    words = quoted_prompt(current, quoted, seen + _whole(current, state))
    label = DONE_BY_HAND if is_done_by_hand(state, current) else "Current"
    yield StateLine(f"- {label}: {words}{said}", 1.0)
    yield from since_current(state, under)
    if accepted := _accepted_before(state):
        words = inert(accepted.prompt.text, _ANSWERED_CHARS)
        offer = inert(accepted.offer, _ANSWERED_CHARS)
        yield StateLine(f'- Accepted before: "{words}" (after model: "{offer}")', _ACCEPTED)
    begun = _worked_on(state)
    if begun is not None:
        label = "Said while the model was at work on"
        yield _goes_on_from(begun, state, under, 0.95, label, "model")
    planned = {prompt.offset for prompt in _planned(state)}
    for aim in _told_above(state):
        is_set = objective is not None and aim.offset == objective.offset
        need = 0.85 if is_set else 0.8 if aim.offset in planned else 0.6
        label = _SAME_PLAN if aim.offset in planned else "Before that"
        yield _goes_on_from(aim, state, under, need, label)


def _current_words(current: Objective | PromptRecord, *, has_room: bool) -> str:
    text = inert(current.text, _CURRENT_BYTES)
    head = text.encode("utf-8", "replace")[:_CURRENT_BYTES].decode("utf-8", "ignore")
    return inert(current.text, max(_AIM_CHARS, len(head) if has_room else 0))


def _told_above(state: SessionState) -> list[Objective | PromptRecord]:
    """Return the earlier aims that are told with the newest prompt: not again what is begun."""
    begun, above = _worked_on(state), earlier_aims(state).above
    if begun is None:
        return above
    if state.objective is not None and begun.offset == state.objective.offset:
        above = [*_planned(state)]
    return [aim for aim in above if aim.offset != begun.offset]


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
    """Return the last acts of a turn that goes on; before the first, what was searched for."""
    uses = state.recent[-1].uses_since if state.recent else 0
    since = state.tools[-uses or len(state.tools) :]
    acts = [tool for tool in since if tool.name in _ACTS]
    acts = acts or [tool for tool in since if tool.name in _SEARCHES]
    if not acts:
        return ""
    root = f"{state.root}/" if state.root else ""
    last = dict.fromkeys(
        f"{tool.name} {code_span(tool.detail.replace(root, ''), _ACT_CHARS)}{_ended(tool)}"
        for tool in acts
    )
    return f"after {counted(uses, 'tool use')}, last: {', '.join([*last][-_LAST_ACTS:])}"


def _ended(tool: ToolRecord) -> str:
    if tool.succeeded is None:
        return " (no result)"
    error = printed(tool.error, _ACT_CHARS)
    return "" if tool.succeeded else f" (error: {error})" if error else " (error)"


def _worked_on(state: SessionState) -> PromptRecord | None:
    """Return the prompt that the model was at work on when the newest was typed, if any was."""
    current = newest_prompt(state) or state.objective
    newest = state.prompts[-1] if state.prompts else None
    if current is None or newest is None or current.offset != newest.offset or not newest.queued:
        return None
    window = newest.window
    begun = (said for said in reversed(state.prompts) if not said.queued)
    return next((said for said in begun if said.window == window and said.text.strip()), None)


def _goes_on_from(
    aim: Objective | PromptRecord,
    state: SessionState,
    under: Mapping[int, StateLine],
    need: float,
    label: str = "Before that",
    model: str = "model then",
) -> StateLine:
    told = f" — {model}: {under[aim.offset].text}" if aim.offset in under else ""
    likely = (rule for rule in state.rules if not is_like_no_rule(rule))  # or seldom told
    rest = without_told(aim, likely)
    limit_chars = _PLANNED_CHARS if label == _SAME_PLAN else _AIM_CHARS
    words = inert(rest if rest.strip(" …") else aim.text, limit_chars)
    return StateLine(f"- {label}: {quoted_prompt(aim, words, _whole(aim, state))}{told}", need)


def _whole(said: Objective | PromptRecord, state: SessionState) -> str:
    """Say how long it is, and where it can be read, of what is kept shortened."""
    text = next((long.text for long in state.long_prompts if long.uuid == said.uuid), "")
    if not text:
        return ""
    if any(map(is_cut, text.split("\n"))):
        return " (more of it in the state's file)"
    return f" ({len(text):,} characters; whole in the state's file)"


def without_told(said: Objective | PromptRecord, told: Iterable[Item]) -> str:
    """Return what was said on one line, without what of it is told apart, or holds no longer."""
    text = " ".join(said.text.split())
    for one in told:
        if one.uuid == said.uuid:
            text = text.replace(one.text, "…")
            text = text.replace(one.standing, "…") if isinstance(one, Rule) else text
    return re.sub(r"…(?: …)+", "…", text)


class EarlierAims(NamedTuple):
    """What the newest prompt goes on from, and what is told among the prompts before it."""

    above: list[Objective | PromptRecord]
    among_prompts: list[Objective]


def earlier_aims(state: SessionState) -> EarlierAims:
    """Return what was wanted before the newest prompt, or what it may be a detail of.

    What says little is read with what was wanted before it, if nothing longer was said between.
    Whether that is done nobody can tell: behind longer ones most of it was, in 24 real windows, and
    what these were a detail of. Of a plan that is not approved nothing is done.
    """
    objective, newest = state.objective, newest_prompt(state)
    if objective is None:
        return EarlierAims([], [])
    aims = _larger_aims(state, objective)
    aims[:0] = [objective] if newest is not None else []
    since = [prompt for prompt in state.prompts if prompt.offset > objective.offset]
    says_little = all(_says_little(prompt.text) for prompt in since)
    told = {prompt.offset for prompt in state.prompts}
    planned = _planned(state)
    aims = [aim for aim in aims if aim.offset not in {prompt.offset for prompt in planned}]
    above = [a for a in aims if a.offset not in told or (a is objective and says_little)]
    return EarlierAims([*planned, *above], [aim for aim in aims if aim not in above])


def _planned(state: SessionState) -> list[PromptRecord]:
    """Return what was said for the plan that is not approved, before the newest prompt."""
    if state.phase.source != PLAN_MODE:
        return []
    current = newest_prompt(state) or state.objective
    before = [
        prompt
        for prompt in reversed(state.prompts)
        if current
        and state.phase.offset <= prompt.offset < current.offset
        and not is_done_by_hand(state, prompt)
    ]
    return [prompt for prompt in before if has_content(prompt.text)][:_PLANNED_LIMIT]


def _larger_aims(state: SessionState, objective: Objective) -> list[Objective]:
    """Return what the objective may be a detail of: what likelier set work, or turned to it.

    Of each one at most: of those behind a second one most were over.
    """
    turning = [step for step in reversed(state.continues) if step.switches][:1]
    likelier = [s for s in state.continues if s.chance >= objective.chance + _LARGER_BY]
    newest = max((step.window for step in likelier), default=0)
    larger = by_likelihood([step for step in likelier if step.window == newest])[:1]
    return [*larger, *(step for step in turning if step not in larger)]


def _says_little(text: str) -> bool:
    return len(text.split()) <= _GO_AHEAD_WORDS and not has_cjk(text[_GO_AHEAD_CHARS:])


def answered_turn(state: SessionState) -> TurnDigest | None:
    """Return the turn that the newest prompt answers, where it says little by itself."""
    newest = newest_prompt(state)
    if newest is None or newest.text.startswith("/") or not _says_little(newest.text):
        return None
    before = (old for old, new in pairwise(state.recent) if new.uuid == newest.uuid)
    turn = next(before, None)
    return turn if turn is not None and turn.answer else None


def answered_words(state: SessionState) -> str:
    """Return what the model said that the newest prompt answers, as it is quoted with that."""
    turn = answered_turn(state)
    return inert(turn.offer or turn.answer, _ANSWERED_CHARS) if turn is not None else ""


def quoted_of_model(state: SessionState) -> str:
    """Return what of the model's words the objective's lines quote, as what the user answered."""
    accepted = _accepted_before(state)
    offer = inert(accepted.offer, _ANSWERED_CHARS) if accepted else ""
    return f"{answered_words(state)} {offer}"


class _Accepted(NamedTuple):
    """A short yes, and what the model had proposed."""

    prompt: PromptRecord
    offer: str


def _accepted_before(state: SessionState) -> _Accepted | None:
    """Return the yes that the newest prompts go on from without another word.

    What was proposed is nowhere else: it is under way until it is committed, or has become a list
    of todos.
    """
    newest = newest_prompt(state)
    before = {new.uuid: old for old, new in pairwise(state.recent)}
    if newest is None or not _is_nod(newest.text) or _offer_of(before.get(newest.uuid)):
        return None
    for prompt in state.prompts[-2 : -2 - _NODS : -1]:
        if not _says_little(prompt.text):
            return None
        if offer := _offer_of(before.get(prompt.uuid)):
            is_yes = _is_nod(_CLAUSE.split(prompt.text)[0])
            is_over = state.committed_offset > prompt.offset or any(
                todo.offset > prompt.offset for todo in state.todos
            )
            return _Accepted(prompt, offer) if is_yes and not is_over else None
    return None


def _is_nod(text: str) -> bool:
    """Return whether a text says to go on, and nothing else."""
    words = words_of(text)
    says_go_on = bool(words) and all(word in GO_ON_WORDS for word in words)
    return says_go_on and not asks(text) and not BEGINS_WITH_NO.match(f"{text} ")


def _offer_of(turn: TurnDigest | None) -> str:
    """Return what the model said that ends with a question; empty where it does not."""
    if turn is None:
        return ""
    return turn.offer or (turn.answer if end_of_question(turn.answer) else "")


def objective_words(state: SessionState) -> Iterator[str]:
    """Yield what the objective's lines say."""
    yield from (said.text for said in _quoted(state))


def quoted_prompt(said: Objective | PromptRecord, words: str, beside: str = "") -> str:
    """Return a prompt's words in quotes, with what was pasted with them: somebody else wrote that.

    What stands `beside` them, and what was pasted, is told where there is any.
    """
    handed = printed(said.handed, _HANDED_CHARS)
    if not words:
        return f"(pasted without a word: {handed}){beside}" if handed else ""
    return f'"{words}"{beside}' + (f" (pasted with it: {handed})" if handed else "")


def prompts_above(state: SessionState) -> set[int]:
    """Return the places of the prompts that the objective's lines quote."""
    return {said.offset for said in _quoted(state)}


def _quoted(state: SessionState) -> list[Objective | PromptRecord]:
    newest = newest_prompt(state)
    aim = state.objective if newest is None else None
    accepted = _accepted_before(state)
    told = (newest, accepted and accepted.prompt, _worked_on(state), aim, *_told_above(state))
    return [said for said in told if said is not None]
