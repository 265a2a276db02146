"""Find the prompts that set what the session is after."""

import re
from collections.abc import Sequence

from amplihack_compaction.extract.asks_for_work import (
    asks_for_work,
    corrects,
    has_content,
    likely_words,
    states,
)
from amplihack_compaction.extract.model import Objective, RuleKind
from amplihack_compaction.extract.norms import kind_of_rule
from amplihack_compaction.extract.statements import Said, prompts_said
from amplihack_compaction.extract.turns_to_work import chance_of_work, told_in, turns, turns_away
from amplihack_compaction.text.classifier import chances_of
from amplihack_compaction.text.phrasings.conversation import clauses_beside, only_breaks, put_off
from amplihack_compaction.text.phrasings.turning import PARKS
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.strings import asks, one_line
from amplihack_compaction.transcript.windows import Window

OBJECTIVE_CHARS = 600
# The chance from which a prompt counts as setting work; what is told with a correction sounds
# like work.
_SETS_WORK_ABOVE = 0.15
_CORRECTED_SETS_WORK_ABOVE = 0.3
# Up to which chance of work a clause only says why: "I'm on my phone".
_TALKS_BESIDE = 0.3
_FADING = 0.5
_ANSWER_WORDS = 6
_CHOICE = re.compile(
    r"\W{0,9}(?:option |choice |variant |#)?(?:\d{1,2}|[a-hA-H])\W{0,9}(?:please|bitte|pls)?"
    r"\W{0,9}$"
)
_PARTS = re.compile(r"[,;:，；：、]\s*|\s[-–—]\s|\s(?:and|then|und|dann|et|y|e|и)\s", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:because|since|says?|said|weil|denn|sagt|parce que|car|dit|porque|dice|diz|потому"
    r"|говорит|сказал\w*)\b|说|因为|等|下个?[月周]|から|なので|니까|라서",
    re.IGNORECASE,
)
# "half done right? write it down": a small letter begins the next sentence, too.
_AFTER_QUESTION = re.compile(r"(?<=\?)\s")


def extract_objectives(window: Window) -> tuple[Objective, ...]:
    """Return the prompts that set what the session is after, oldest first.

    Not among them: nods, asides that only ask, prompts of rules alone, answers to the model.
    When the session's first window has none, its first prompt stands in.
    """
    said_all = list(prompts_said(window))
    asked = _asked_before(window)
    found = tuple(
        _make(said) for said in said_all if sets_objective(said, asked.get(said.uuid, False))
    )
    if not found and said_all and window.index == 0:
        return (_make(said_all[0]),)
    return found


def sets_objective(said: Said, answers: bool = False) -> bool:
    """Return whether a prompt asks for work; `answers` when the model had just asked something."""
    typed = said.typed.typed.strip()
    if not typed:
        return said.typed.pasted_chars > 0 and bool(said.typed.title)
    if said.origin == "rejection" or _CHOICE.match(typed) or _is_put_off(said):
        return False
    if _only_takes_a_break(said) or _only_says_how_to_talk(said):
        return False
    corrected = any(map(corrects, said.sentences[:1]))
    least = _CORRECTED_SETS_WORK_ABOVE if corrected else _SETS_WORK_ABOVE
    sets_work = chance_of_work(told_in(said)) > least
    if (turns_away(typed) or sets_work) and has_content(typed):
        return True
    if not has_content(typed, likely_words(typed)) and not said.typed.title:
        return False
    if answers and len(typed.split()) <= _ANSWER_WORDS and len(typed) <= 60:
        return False
    # What is told with a correction belongs to it; the work stays what it was.
    parts = (part for part in said.sentences if not (corrected and states(part)))
    return any(map(asks_for_work, parts))


def _is_put_off(said: Said) -> bool:
    """Return whether a prompt only asks to be reminded later: that is a todo, the work goes on."""
    parts = [part for part in said.sentences if has_content(part)]
    return bool(parts) and all(map(put_off, parts))


def _only_takes_a_break(said: Said) -> bool:
    """Return whether a prompt breaks off or comes back, and asks for no work beside that."""
    parts = [part for sentence in said.sentences for part in _AFTER_QUESTION.split(sentence)]
    others = [part for part in parts if not only_breaks(part)]
    return len(others) < len(parts) and not any(map(asks_for_work, others))


def _only_says_how_to_talk(said: Said) -> bool:
    """Return whether a prompt only says how the model is to talk: "answer in two lines"."""
    beside = [clauses_beside(sentence) for sentence in said.sentences]
    return bool(beside) and all(
        clauses is not None and not any(_may_set_work(part, _TALKS_BESIDE) for part in clauses)
        for clauses in beside
    )


def _only_parks(said: Said) -> bool:
    """Return whether a prompt puts one thing aside and asks for nothing else: the work goes on."""
    clauses = [part for sentence in said.sentences for part in _PARTS.split(sentence)]
    parked = [clause for clause in clauses if PARKS.search(clause)]
    others = [clause for clause in clauses if clause not in parked and not _REASON.search(clause)]
    return bool(parked) and not any(
        asks_for_work(part) or _may_set_work(part, _SETS_WORK_ABOVE) for part in others
    )


def _may_set_work(clause: str, above: float) -> bool:
    """Return whether a clause may set work, perhaps as a wish: "I'd rather have you build it"."""
    chances = chances_of(clause)
    is_wish = kind_of_rule(clause)[0] == RuleKind.PREFERENCE
    return is_wish or max(chances.work, chances.objective) > above


def objective_text(said: Said) -> str:
    """Return a prompt's own words, cut at a sentence, with what was pasted named."""
    typed = said.typed.typed
    if said.typed.title and (not typed or typed.rstrip().endswith((":", "："))):
        typed = f"{typed} {said.typed.title.lstrip('# ')}".strip()
    text = " ".join(typed.split())
    if len(text) <= OBJECTIVE_CHARS:
        return text
    kept = ""
    for sentence in sentences(text):
        if len(kept) + len(sentence) > OBJECTIVE_CHARS:
            break
        kept = f"{kept} {sentence}".strip()
    return kept or one_line(text, OBJECTIVE_CHARS)


def _make(said: Said) -> Objective:
    return Objective(
        text=objective_text(said),
        **said.place(),
        switches=turns(said) and not _only_parks(said),
        chance=round(chance_of_work(told_in(said)), 2),
        handed=said.typed.handed,
    )


def _asked_before(window: Window) -> dict[str, bool]:
    """Map each prompt to whether the model's words before it ended with a question."""
    asked: dict[str, bool] = {}
    last = ""
    for turn in window.turns:
        if turn.prompt is not None:
            asked[turn.prompt.uuid] = asks(last)
        last = turn.texts[-1].text if turn.texts else ""
    return asked


def by_likelihood(steps: Sequence[Objective]) -> list[Objective]:
    """Return objectives, the ones that set new work most likely first.

    What was said windows ago is less likely to be what the work is about now.
    """
    newest = max((step.window for step in steps), default=0)

    def likelihood(step: Objective) -> tuple[float, int]:
        return step.chance * _FADING ** (newest - step.window), step.offset

    return sorted(steps, key=likelihood, reverse=True)
