"""Extract the choices that were made, and remarks that may be a choice or a rule.

Choices are recorded by the client (answers to its questions, approved plans) or told in words.
Rules and choices told in words are known by their wording, and people have wordings that nobody
thought of: what is left is weighed by what such sentences and ordinary ones are like, see
`user_chances`. The weightiest of these remarks are quoted below what was understood.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, reduce

from amplihack_compaction.extract.objective import turns_away
from amplihack_compaction.extract.replies import (
    TEXT_CHARS,
    chosen_of,
    numbered_answers,
    options_in,
    settled_by,
)
from amplihack_compaction.extract.rules import UNNAMED, each_once, kind_of_rule, target_of
from amplihack_compaction.extract.statements import BY_PLAN, SAID_WITH, Decision, Rule
from amplihack_compaction.extract.window_content import (
    UserPrompt,
    WindowContent,
    has_fewer,
    step_at,
)
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.pasted import is_quotation
from amplihack_compaction.text.sentences import reason_given, sentences, with_following
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import (
    GO_ON_WORDS,
    asks,
    has_cjk,
    normal_form,
    one_line,
    opens_question,
    words_of,
)
from amplihack_compaction.transcript.session import (
    ToolResult,
    ToolUse,
    as_list,
    as_object,
    as_text,
    text_in,
)

_PATTERNS = patterns("decisions")

DECISION_CHARS = 300
# A plan that lies in a file can be read there; of another, its steps are nowhere else.
_PLAN_LINES = 3
_PLAN_LINES_WITHOUT_FILE = 10
# What the client notes for an answer that is a note alone.
_NO_OPTION = "(notes only)"
_ANSWER = re.compile(_PATTERNS["answer"])
_REFUSED = re.compile(
    r"doesn't want to proceed|was rejected|user rejected|stay in plan mode", re.IGNORECASE
)
_SAVED = re.compile(r"saved to:?\s+(\S+\.md)")
_MARK = re.compile(r"^\s*(?:#+|[-*+](?=\s))\s*")
_DOUBLE_QUOTES = re.compile(r"[\"“”„«»]")


def _recorded(content: WindowContent) -> Iterator[Decision]:
    """Yield what the user answered and which plans he approved, as the tools' results have it."""
    told_in = {tool_id: node for node in content.window.chain for tool_id, _ in node.results}
    for _, tool in content.uses:
        result = tool.result
        if result is None or result.is_error or result.by_another:
            continue
        made: Iterable[Decision] = ()
        if tool.name == "AskUserQuestion":
            made = _answers(tool, result)
        elif tool.name in ("ExitPlanMode", "exit_plan_mode"):
            made = _plan(tool, result)
        place = step_at(told_in[tool.id], content.window).place
        yield from (replace(one, **place | {"position": one.position}) for one in made)


def _answers(tool: ToolUse, result: ToolResult) -> Iterator[Decision]:
    for number, (question, answer, notes) in enumerate(_questions_answered(result)):
        answer = "" if answer == _NO_OPTION else answer + _numbered_option(tool, question, answer)
        text = f"{answer} ({notes})" if answer and notes and notes != answer else answer or notes
        if text.strip():
            yield Decision(
                text=one_line(text, DECISION_CHARS),
                question=one_line(question, DECISION_CHARS),
                options=_labels_of(tool, question),
                reason=reason_given(notes or answer),
                source="answer",
                position=number,
            )


# "2", "go with 2, but ...": words of the user's own that name an option by its place.
_BY_NUMBER = re.compile(
    r"\W{0,3}(?:(?:ok|yes|go|let'?s|take|do|use|with|for|option|number|the|#)[\s,.]{0,3}){0,4}"
    r"(?P<number>[1-4])(?:\W{0,3}$|[.,;:)]\s|\s(?:and|but|please|then|with)\b)"
    r"(?!\W{0,3}(?:and |option )?[1-9])",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\bhow (?:big|large|long|many|much|often)\b", re.IGNORECASE)


def _numbered_option(tool: ToolUse, question: str, answer: str) -> str:
    """Return in brackets the option that an answer names by its number; empty where it does not."""
    named = _BY_NUMBER.match(answer)
    if named is None or _AMOUNT.search(question):
        return ""
    labels, number = _labels_of(tool, question), int(named["number"])
    has_digits = any(map(str.isdigit, "".join(labels)))
    if answer in labels or number > len(labels) or has_digits:
        return ""
    return f" ({number}: {labels[number - 1]})"


def _labels_of(tool: ToolUse, question: str) -> tuple[str, ...]:
    """Return the labels of a question's options."""
    asked = map(as_object, as_list(tool.input.get("questions")))
    options = next((each.get("options") for each in asked if each.get("question") == question), ())
    return tuple(text_in(as_object(one), "label") for one in as_list(options))


def _questions_answered(result: ToolResult) -> Iterator[tuple[str, str, str]]:
    """Yield question, answer and notes, from the client's structure or else from its text."""
    data = as_object(result.data)
    answers, annotations = as_object(data.get("answers")), as_object(data.get("annotations"))
    for question, answer in answers.items():
        parts = answer if isinstance(answer, list) else [answer]
        said = ", ".join(str(part) for part in parts if part is not None)
        note = annotations.get(question)
        yield question, said, (text_in(as_object(note), "notes") or as_text(note)).strip()
    for found in _ANSWER.finditer("" if answers else result.text):
        yield found["question"], found["answer"], (found["notes"] or "").strip(" .")


def _plan(tool: ToolUse, result: ToolResult) -> Iterator[Decision]:
    if _REFUSED.search(result.text[:300]):
        return
    data = as_object(result.data)
    plan = text_in(tool.input, "plan") or text_in(data, "plan")
    saved = _SAVED.search(result.text)
    path = text_in(data, "filePath") or text_in(tool.input, "planFilePath")
    path = path or (saved[1] if saved else "")
    head = _plan_head(plan, _PLAN_LINES if path else _PLAN_LINES_WITHOUT_FILE)
    if head or path:
        text = f"{head} ({path})" if head and path else head or path
        yield Decision(text=text, question="Plan", source=BY_PLAN)


def _plan_head(plan: str, most_lines: int) -> str:
    """Return a plan's title and first lines on one line, without those that quote a text.

    Its quotation marks become single ones: between double ones stand the user's own words.
    """
    told = (line for line in plan.splitlines() if not is_quotation(line))
    lines = [_MARK.sub("", line).strip() for line in told]
    lines = [line for line in lines if line][:most_lines]
    return one_line(_DOUBLE_QUOTES.sub("'", " · ".join(lines)), DECISION_CHARS)


_MARKED = re.compile(_PATTERNS["marked"], re.IGNORECASE | re.MULTILINE)
_SPOKEN = re.compile(_PATTERNS["spoken"], re.IGNORECASE)
# A choice among the model's options stands at the beginning of the answer.
_CHOICE_SENTENCES = 2
# "2. but with a limit" is a choice; its number looks like that of a list of one entry.
_LABEL = re.compile(
    r"\s*\(?(?P<label>[1-9](?=[.)])|[A-Ha-h](?=\)))[.)]\s(?!.*\n[ \t]*\(?[1-9A-H][.)]\s)", re.DOTALL
)
# "both. csv first": a prompt as short as this answers as a whole.
_SHORT_ANSWER_CHARS = 80


def extract_decisions(content: WindowContent) -> tuple[Decision, ...]:
    """Return the window's decisions in order; of those on one question only the last stands.

    A reason is kept where one was given.
    """
    return supersede([*_recorded(content), *_from_user(content)])


def supersede(decisions: list[Decision] | tuple[Decision, ...]) -> tuple[Decision, ...]:
    """Mark each decision that a later one on the same question replaces; drop repetitions."""
    unique: dict[tuple[str, str], Decision] = {}
    for decision in decisions:
        unique[(normal_form(decision.question), normal_form(decision.text))] = decision
    return mark_superseded(
        sorted(unique.values(), key=lambda decision: (decision.offset, decision.position))
    )


def mark_superseded(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return decisions, oldest first, with those marked whose question was answered anew."""
    last = {normal_form(made.question): number for number, made in enumerate(decisions)}
    return tuple(
        replace(made, superseded=True)
        if made.question and last[normal_form(made.question)] != number
        else made
        for number, made in enumerate(decisions)
    )


def _from_user(content: WindowContent) -> Iterator[Decision]:
    for said in content.prompts:
        answered = list(_answered_by(said))
        yield from answered
        for number, sentence in enumerate(said.sentences):
            chosen, question, options = ("", "", ()) if answered else _chosen(said, number)
            text = chosen or _decided(sentence) or (_spoken(sentence) and said.quoted(number))
            if text:
                yield Decision(
                    text=one_line(text, DECISION_CHARS),
                    question=question,
                    options=options,
                    reason=reason_given(sentence if chosen else text),
                    **said.place(number),
                )


def _answered_by(said: UserPrompt) -> Iterator[Decision]:
    """Yield the numbered questions of the model's that a prompt answers."""
    answers = numbered_answers(said.typed.typed, said.before.text)
    for number, (question, answer) in enumerate(answers):
        yield Decision(text=answer, question=question, **said.place(number))


def _chosen(said: UserPrompt, number: int) -> tuple[str, str, tuple[str, ...]]:
    """Return which option a sentence at a prompt's beginning takes, of what, and all options."""
    if number >= _CHOICE_SENTENCES or not said.before.text:
        return "", "", ()
    sentence = said.sentences[number]
    label = _LABEL.match(said.typed.typed) if number == 0 else None
    words = f"{label['label']}, {sentence}" if label else sentence
    option, question = chosen_of(words, said.before.text)
    if option:
        options = tuple(text for _, text in options_in(said.before.text[-TEXT_CHARS:]))
        return f'{option}{SAID_WITH}{sentence}")', question, options
    is_alone = len(said.sentences) == 1
    settled = settled_by(sentence, said.before.text, alone=is_alone) if number == 0 else ""
    whole = reduce(with_following, said.sentences)
    short = len(whole) <= _SHORT_ANSWER_CHARS
    return ((whole if short else sentence) if settled else ""), settled, ()


def _spoken(sentence: str) -> str:
    if sentence.rstrip().endswith(("?", "？", "吗")) or re.match(
        r"(?i)(?:if|should|wenn|si|se|если)\b", sentence
    ):
        return ""
    # What stands in quotation marks was decided by somebody else, or is a name.
    words = _QUOTES.sub('""', sentence).replace("’", "'")
    return sentence if _SPOKEN.search(words) else ""


def _decided(line: str) -> str:
    found = None if _QUOTES.match(line.strip()) else _MARKED.search(line)
    return found["text"].strip(" *_") if found else ""


REMARKS_LIMIT = 120
_LONGEST_CHARS = 300
_WHOLE_WORDS = 6
_FEWEST_WORDS = 3
_FEWEST_CJK = 5
LIKELY = 0.3
_LEAST_WEIGHT = 0.06
_ASKS_FOR_WORK = 0.5
# From which chances a sentence asks for work and is nothing else, and how little that weighs.
_ONLY_ASKS = 0.7
_NOTHING_ELSE = 0.25
_ASKED_SHARE = 0.3
# From which chance a question asks for what is to be kept: "could each of these get a test?"
_ASKS_FOR_GOOD = 0.7
# From which chance words that take something back also say what holds instead.
_SAYS_WHAT_HOLDS = 0.3
# What the model only took note of: how much it weighs, of how many sentences at most, and from
# which chances it rather sets work that was not begun.
_NOTED_WEIGHT = 0.35
_NOTED_SENTENCES = 3
_SETS_WORK = 0.3
_SURELY_WORK = 0.88
_CACHED_SENTENCES = 2048
_QUOTES = re.compile(r"[\"“„«「『][^\"”“»」』]{4,}[\"”“»」』]|(?<!\w)'[^']{8,}'(?!\w)")


def extract_remarks(content: WindowContent, decisions: Iterable[Decision]) -> tuple[Rule, ...]:
    """Return the window's remarks, oldest first; of too many, the newest.

    They are of the rules' form, so that a retraction lifts them as it lifts rules.
    """
    decided = {normal_form(made.text) for made in decisions}
    remarks = (
        remark for said in content.prompts for remark in each_once(_remarks_of(said, decided))
    )
    return tuple(deque(remarks, maxlen=REMARKS_LIMIT))


def _remarks_of(said: UserPrompt, decided: set[str]) -> Iterator[Rule]:
    """Yield a prompt's remarks, one for each sentence; two that say it only together are one."""
    parts = (*said.sentences, "", "")
    noted = said.only_noted and len(said.sentences) <= _NOTED_SENTENCES
    behind = 0
    for number, first in enumerate(said.sentences):
        is_told = number < behind or _is_known(first, decided)
        if is_told or (asks(first) and not weight_of(first)):
            continue
        joined = _belong_together(first, parts[number + 1], decided)
        holds = noted and _may_hold(first)
        if joined or holds or weight_of(first) >= _LEAST_WEIGHT:
            text, behind = said.quoted(number), number + 1
            if joined:
                text, behind = with_following(text, parts[behind]), behind + 1
            if _says_the_rest(text, parts[behind], decided):
                text, behind = with_following(text, parts[behind]), behind + 1
            yield Rule(text=text, **said.place(number), after=said.after(number), noted=holds)


def _may_hold(sentence: str) -> bool:
    """Return whether a sentence that was only taken note of may hold from then on."""
    if not _may_be_weighed(sentence) or asks(sentence) or turns_away(sentence):
        return False
    chances = user_chances(sentence)
    if chances.objective >= _SETS_WORK or chances.work >= _SURELY_WORK:
        return False
    named = [word for word in words_of(sentence) if word not in GO_ON_WORDS]
    return len(named) >= (1 if has_cjk(sentence) else _FEWEST_WORDS)


def _says_the_rest(text: str, tail: str, decided: set[str]) -> bool:
    """Say whether a sentence too short to weigh ends what was said: "Kafka is out. SQS then."."""
    if not tail or not _is_short(tail) or _is_known(tail, decided) or asks(tail):
        return False
    words = {word for word in words_of(tail) if word not in GO_ON_WORDS}
    weighs = weight_of(with_following(text, tail)) >= LIKELY
    return bool(words) and weighs and not _rather_asks_for_work(tail)


def _belong_together(first: str, second: str, decided: set[str]) -> bool:
    """Return whether two sentences, of which one is short, say only together what must be kept.

    The second may be known for a rule: "Take the queue. I don't like cron."
    """
    if asks(second) or (_is_known(second, decided) and not kind_of_rule(second)):
        return False
    short = min(len(first.split()), len(second.split())) < _WHOLE_WORDS
    weighs = weight_of(f"{first} {second}") >= LIKELY
    return short and weighs and not _rather_asks_for_work(first)


def _rather_asks_for_work(text: str) -> bool:
    """Return whether a text asks for work, and more likely than it says what must be kept."""
    chances = user_chances(text)
    return chances.work > max(_ASKS_FOR_WORK, chances.kept)


def _is_known(sentence: str, decided: set[str]) -> bool:
    """Return whether a sentence was understood as something else."""
    return (
        not sentence
        or bool(kind_of_rule(sentence))
        or _only_takes_back(sentence)
        or normal_form(sentence) in decided
    )


def _only_takes_back(sentence: str) -> bool:
    """Return whether a sentence takes something back and says nothing else that is to be kept.

    A leave says what may be done from now on, also where it meets no rule that was known for one;
    so does "you need not run all tests each time, only those of the package".
    """
    target = target_of(sentence)
    if target is None or target in UNNAMED:
        return target is not None
    return user_chances(sentence).rule < _SAYS_WHAT_HOLDS


def weight_of_remark(remark: Rule) -> float:
    """Return how likely it is that a remark must not be lost, from 0 to 1."""
    return max(weight_of(remark.text), _NOTED_WEIGHT if remark.noted else 0)


@lru_cache(maxsize=_CACHED_SENTENCES)
def weight_of(text: str) -> float:
    """Return how likely it is that a text must not be lost, by its words.

    Of several sentences each may be why, or only all together.
    """
    return max(map(_weight_of, (text, *sentences(text))))


def may_be_rule(text: str, least: float) -> bool:
    """Return whether a remark, or a sentence of it, is a rule with at least this chance."""
    return any(user_chances(part).rule >= least for part in (text, *sentences(text)))


def _weight_of(sentence: str) -> float:
    if not _may_be_weighed(sentence):
        return 0
    chances = user_chances(sentence)
    if asks(sentence) or opens_question(sentence):
        return chances.kept if chances.kept >= _ASKS_FOR_GOOD else 0
    only_asks = (
        chances.work > _ONLY_ASKS
        and max(chances.rule, chances.decision, chances.lift) < _NOTHING_ELSE
    )
    return max(chances.kept, chances.rule) * (_ASKED_SHARE if only_asks else 1)


def _may_be_weighed(sentence: str) -> bool:
    """Return whether a sentence is neither too long nor too short, and quotes nobody."""
    fits = len(sentence) <= _LONGEST_CHARS and not _is_short(sentence)
    return fits and _QUOTES.search(sentence) is None


def _is_short(sentence: str) -> bool:
    return has_fewer(sentence, _FEWEST_WORDS, _FEWEST_CJK)
