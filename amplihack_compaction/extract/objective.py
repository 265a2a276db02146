"""Find the prompts that set what the session is after, or turn from that to other work."""

import re
from collections.abc import Sequence

from amplihack_compaction.extract.rules import kind_of_rule, surely_holds
from amplihack_compaction.extract.statements import Objective, PromptRecord, RuleKind, SessionState
from amplihack_compaction.extract.window_content import UserPrompt, WindowContent
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.pasted import is_heading
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.word_lists import data_lines, patterns
from amplihack_compaction.text.words import (
    GO_ON_WORDS,
    asks,
    compile_all,
    has_cjk,
    one_line,
    opens_question,
    without_accents,
    words_of,
)

_PATTERNS = patterns("objective")

# Chances from which a sentence may turn to other work, and lifts a rule instead.
_TURNS_AT_LEAST = 0.03
LIFTS_ABOVE = 0.5
_SWITCHES = compile_all(
    map(without_accents, data_lines("switches.txt")), re.IGNORECASE | re.MULTILINE
)


def chance_of_work(said: UserPrompt) -> float:
    """Return how likely a prompt sets new work: a sentence of it, or all of them together."""
    return max(user_chances(text).objective for text in (*said.sentences, said.typed.typed))


def turns_to_other_work(said: UserPrompt) -> bool:
    """Return whether a sentence that is no rule of its own turns away from what was asked."""
    return chance_of_work(said) >= _TURNS_AT_LEAST and any(
        turns_away(sentence) and not kind_of_rule(sentence) for sentence in said.sentences
    )


def turns_away(text: str) -> bool:
    """Return whether a text turns from what was asked to something else."""
    chances = user_chances(text)
    if chances.lift > max(LIFTS_ABOVE, chances.objective):
        return False
    words = without_accents(text)
    return any(pattern.search(words) for pattern in _SWITCHES)


# The chance from which a sentence asks for work.
_ASKS_ABOVE = 0.3
_QUESTION_ASKS_ABOVE = 0.6
_CLAUSES = re.compile(r"[,;，；]\s*|\s[-–—]\s")
_WORK_ABOVE = 0.6
_CONTENT_WORDS = 2
_CJK_PAIRS = 4
_BROKEN = re.compile(_PATTERNS["broken"], re.IGNORECASE)


def asks_for_work(sentence: str) -> bool:
    """Return whether a sentence asks for work to be done, or a clause of it does."""
    is_question = asks(sentence) or opens_question(sentence)
    least = _QUESTION_ASKS_ABOVE if is_question else _ASKS_ABOVE
    parts = (sentence, *_CLAUSES.split(sentence))
    likely = (max(user_chances(part).work, user_chances(part).objective) for part in parts)
    broken = not is_question and _BROKEN.search(sentence) is not None
    asked = broken or max(likely) > least
    return asked and has_content(sentence, likely_words(sentence))


def likely_words(sentence: str) -> int:
    """Return how many content words a task needs: of what is surely one, "do billing" has it."""
    return 1 if user_chances(sentence).work > _WORK_ABOVE else _CONTENT_WORDS


def has_content(text: str, least: int = _CONTENT_WORDS) -> bool:
    """Return whether a text has more than nods and everyday words."""
    if has_cjk(text):
        pairs = [pair for pair in words_of(text) if pair not in GO_ON_WORDS]
        return text.strip(" 。.!！,，、") not in GO_ON_WORDS and len(pairs) >= _CJK_PAIRS
    words = {word for word in words_of(text) if word not in GO_ON_WORDS and len(word) > 1}
    return len(words) >= least


OBJECTIVE_CHARS = 2_000
# The chance from which a prompt counts as setting work; what is told with a correction sounds
# like work.
_SETS_WORK_ABOVE = 0.15
_FADING = 0.5
_ANSWER_WORDS = 6
_VALUE_REPLY = re.compile(_PATTERNS["value reply"], re.IGNORECASE)


def extract_objectives(content: WindowContent) -> tuple[Objective, ...]:
    """Return the prompts that set what the session is after, oldest first.

    Not among them: nods, asides that only ask, prompts of rules alone, answers to the model.
    When the session's first window has none, its first prompt stands in.
    """
    prompts = content.prompts
    found = tuple(map(_make, filter(sets_objective, prompts)))
    if not found and prompts and content.window.index == 0:
        return (_make(prompts[0]),)
    return found


def sets_objective(said: UserPrompt) -> bool:
    """Return whether a prompt asks for work."""
    typed = said.typed.typed.strip()
    # One line of it looks like a test's output: "ok 11".
    if _VALUE_REPLY.fullmatch(typed or said.typed.title):
        return False
    if not typed:
        return said.typed.pasted_chars > 0 and bool(said.typed.title)
    if said.entry.origin == "rejection":
        return False
    sets_work = chance_of_work(said) > _SETS_WORK_ABOVE
    if (turns_away(typed) or sets_work) and has_content(typed):
        return True
    if not has_content(typed, likely_words(typed)) and not said.typed.title:
        return False
    if asks(said.before.text) and len(typed.split()) <= _ANSWER_WORDS and len(typed) <= 60:
        return False
    return any(map(asks_for_work, said.sentences))


def objective_text(said: UserPrompt) -> str:
    """Return a prompt's own words, cut at a sentence, with what was pasted named."""
    typed, title = said.typed.typed, said.typed.title
    announces = typed.rstrip().endswith((":", "："))
    is_named = is_heading(title) or not said.typed.handed  # else that is told beside it
    if title and ((announces and is_named) or not typed):
        typed = f"{typed} {title.lstrip('# ')}".strip()
    text = " ".join(typed.split())
    if len(text) <= OBJECTIVE_CHARS:
        return text
    kept = ""
    for sentence in sentences(text):
        if len(kept) + len(sentence) > OBJECTIVE_CHARS:
            break
        kept = f"{kept} {sentence}".strip()
    return kept or one_line(text, OBJECTIVE_CHARS)


def _make(said: UserPrompt) -> Objective:
    return Objective(
        text=objective_text(said),
        **said.place(),
        switches=turns_to_other_work(said),
        chance=round(chance_of_work(said), 2),
        handed=said.typed.handed,
    )


def by_likelihood(steps: Sequence[Objective]) -> list[Objective]:
    """Return objectives, the ones that set new work most likely first.

    What was said windows ago is less likely to be what the work is about now.
    """
    newest = max((step.window for step in steps), default=0)

    def likelihood(step: Objective) -> tuple[float, int]:
        return step.chance * _FADING ** (newest - step.window), step.offset

    return sorted(steps, key=likelihood, reverse=True)


# A prompt that is a lasting rule, or bars something, for so much of its length asks for nothing
# beside it.
_STATED_SHARE = 0.7


def newest_prompt(state: SessionState) -> PromptRecord | None:
    """Return the newest prompt where it is another than the objective, and stands nowhere else."""
    newest = state.prompts[-1] if state.prompts else None
    if newest is None or not (newest.text.strip() or newest.handed):
        return None
    objective = state.objective
    if objective is not None and newest.offset <= objective.offset:
        return None
    stated = (rule for rule in state.active_rules if rule.uuid == newest.uuid)
    ruled = sum(
        len(rule.text)
        for rule in stated
        if rule.kind is not RuleKind.OBLIGATION or surely_holds(rule)
    )
    is_stated = ruled > _STATED_SHARE * len(newest.text)
    return None if is_stated and objective is not None else newest


def is_done_by_hand(state: SessionState, prompt: Objective | PromptRecord) -> bool:
    """Return whether a prompt is an objective that was marked as done."""
    return any(past.uuid == prompt.uuid for past in state.past_objectives)
