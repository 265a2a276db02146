"""Say in lines what the user wants and said, quoted and harmless, and values and files by need.

How the work stands is said in `work_lines`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from amplihack_compaction.extract.decisions import may_be_rule, weight_of_remark
from amplihack_compaction.extract.objective import (
    by_likelihood,
    has_content,
    is_done_by_hand,
    newest_prompt,
)
from amplihack_compaction.extract.recent_context import names_file
from amplihack_compaction.extract.replies import TAKES_ONE_WAY
from amplihack_compaction.extract.rules import (
    IMAGE,
    is_like_no_rule,
    is_likely_lifted,
    parted_by_hold,
    requests_beside,
)
from amplihack_compaction.extract.statements import (
    SAID_WITH,
    Decision,
    ExactValue,
    FileRecord,
    Item,
    Objective,
    PromptRecord,
    Rule,
    SessionState,
    ToolRecord,
    TurnDigest,
    ValueKind,
)
from amplihack_compaction.extract.values import is_machine_made, telling_values
from amplihack_compaction.ledger.edits import FORGOTTEN
from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.words import (
    LATER,
    TEXT_CHARS,
    asks,
    code_span,
    counted,
    has_cjk,
    inert,
    is_quoted,
    later,
    normal_form,
    printed,
)

SHOWN_FROM = 0.3
"""The least need of a line that is injected."""
SHORT_CHARS = 160
LABELLED = re.compile(r"[A-Z]{2,15}(?: [A-Z]{2,15}){0,2}: \w")
"""How what begins is meant to be kept: "FACT: ...", "IMPORTANT: ..."."""
_WHY_CHARS = 120
_BRANCH_CHARS = 160
_CONTEXT_CHARS = 110
_FILES_A_LINE = 12
# What was read among the last files is being worked on.
_READ_NOW = 4
_NEWEST_FILES = 10
# Of so many files edited last it is told what the edits brought in.
_TOLD_NAMES_OF = 3
_NAMES = 4
# By the client, with the instructions of their folders, after a compaction.
_FILES_SENT_AGAIN = 5
_MOST_ADDRESSES = 8
# How much a value is needed: what can be looked up nowhere most, then what only the user's words
# tie to the work. Names of the code and paths are found in the project itself.
_VALUE_NEEDS = (
    ((ValueKind.URL, ValueKind.PORT, ValueKind.VERSION), re.compile(""), 0.7),
    ((ValueKind.IDENTIFIER,), re.compile(r"^#?\d|^[A-Z]+-\d|^[A-Z0-9_]+="), 0.5),
    ((ValueKind.QUANTITY,), re.compile(""), 0.5),
    ((ValueKind.QUOTED,), re.compile(r"^\S{1,60}$"), 0.35),
)
_IDLE_VALUE = 0.1
# By so much less is a line needed for each line of its kind above it.
_NEXT_VALUE = 0.01
# One line of files is told: of 24 lines, two a window, none was of use in 12 real windows.
_NEXT_GROUP = 0.7


@dataclass(frozen=True, slots=True)
class StateLine:
    """A line of the text, and how much it is needed, from 0 to 1."""

    text: str
    need: float


def falling(texts: Iterable[str], first: float, step: float, least: float = 0.0) -> list[StateLine]:
    """Return texts as lines, each needed by a `step` less than the one before, and not below it."""
    return [StateLine(text, max(least, first - step * n)) for n, text in enumerate(texts)]


def prompts_since(state: SessionState, offset: int) -> int:
    """Return how many prompts were said behind a place in the transcript."""
    return sum(prompt.offset > offset for prompt in state.prompts)


def value_lines(state: SessionState) -> list[StateLine]:
    """Return the values' lines, the most needed first; values of one sentence share its line."""
    telling = set(telling_values(state))
    needs = [(_need_of(v) if v in telling else _IDLE_VALUE, v.offset, v) for v in state.values]
    told: set[str] = set()
    lines: dict[str, float] = {}
    for need, _, value in sorted(needs, key=lambda each: each[:2], reverse=True):
        lines.setdefault(_value_line(value, told), need)
    return [
        StateLine(line, max(0.0, need - _NEXT_VALUE * n))
        for n, (line, need) in enumerate(lines.items())
    ]


def _addresses(state: SessionState) -> str:
    """Return the addresses and ids that the work uses, those used last first."""
    said = [value.text for value in state.values]
    # "https://pr-" is half of one that a script puts together.
    texts = [item.text for item in reversed(state.addresses) if item.text[-1:] not in "-_="]
    texts = [text for text in texts if text not in said]
    whole = [t for t in texts if not any(t.removeprefix("PR ") in o != t for o in texts)]
    names = ", ".join(code_span(text) for text in whole[:_MOST_ADDRESSES])
    return f"used by commands: {names}" if names else ""


def _need_of(value: ExactValue) -> float:
    needs = (n for kinds, p, n in _VALUE_NEEDS if value.kind in kinds and p.search(value.text))
    return next(needs, _IDLE_VALUE)


def _value_line(value: ExactValue, told: set[str]) -> str:
    """Return the sentence that a value stood in; the value beside it where it is not whole.

    Where a line `told` the sentence, the value alone.
    """
    room = _CONTEXT_CHARS * (1 + value.context.count(LATER))
    text, context = inert(value.text, TEXT_CHARS), inert(value.context, room)
    if text in context and len(context) > len(text):
        told.add(context)
        return f'- "{context}"'
    around = "" if context in text or context in told else f' ("{context}")'
    told.add(context)
    return f"- {value.kind}: {code_span(text)}{around}"


def file_lines(state: SessionState) -> list[StateLine]:
    """Return the files' lines: the last edited, on which branch, and those that were only read.

    What addresses the work uses stands in the first; files that the user spoke of stand with his
    words beside them.
    """
    newest_first = list(reversed(state.files))
    edited = [file for file in newest_first if file.edits]
    # Those of which he spoke are not lost among many.
    edited = [*edited[:_FILES_A_LINE], *sorted(edited[_FILES_A_LINE:], key=_is_unspoken)]
    worked = [f"- edited {_paths(state, group)}" for group in _groups(edited)]
    named = len(worked) > 1 and not _is_unspoken(edited[_FILES_A_LINE])
    unchanged = [file for file in newest_first if not file.edits]
    now = [file for file in unchanged[:_READ_NOW] if file in newest_first[:_NEWEST_FILES]]
    branch = f"on branch {code_span(state.branch, _BRANCH_CHARS)}" if state.branch else ""
    edits = worked[0].removeprefix("- ") if worked else ""
    reading = f"read last {_paths(state, now)}" if now else ""
    at_work = ", ".join(filter(None, (branch, edits, reading, _addresses(state))))
    worked[:1] = [f"- {at_work}"] if at_work else []
    read = [f"- read {_paths(state, group)}" for group in _groups(unchanged[len(now) :])]
    return [
        *instruction_lines(state),
        *falling(worked, 0.95, _NEXT_GROUP / 2 if named else _NEXT_GROUP),
        *falling(read, 0.2, 0.01),
    ]


def instruction_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield a line on the instructions that the client does not send again after a compaction.

    It sends those of the project whole, and with the last files read or edited those of their
    folders. What came with other files is gone until one of these is read.
    """
    sent = [file.path for file in state.files[-_FILES_SENT_AGAIN:]]
    gone = [
        path
        for path in reversed(state.instructions)
        if not any(file.startswith(f"{path.rpartition('/')[0]}/") for file in sent)
    ][:_FILES_A_LINE]
    if gone:
        names = ", ".join(code_span(below_root(state.root, path)) for path in gone)
        yield StateLine(f"- instructions for parts of the project, not sent again: {names}", 0.6)


def _groups(files: Iterable[FileRecord]) -> list[list[FileRecord]]:
    """Return files in groups of one line each."""
    listed = list(files)
    return [listed[start : start + _FILES_A_LINE] for start in range(0, len(listed), _FILES_A_LINE)]


def _paths(state: SessionState, files: list[FileRecord]) -> str:
    newest = [file for file in state.files if file.made][-_TOLD_NAMES_OF:]
    return ", ".join(
        f"{code_span(below_root(state.root, file.path))}{_told_of(file, made=file in newest)}"
        for file in files
    )


def _told_of(file: FileRecord, *, made: bool) -> str:
    """Return in brackets what the edits of a file brought in, and what the user said of it."""
    names = [code_span(name) for name in file.made[-_NAMES:]] if made else []
    if not _is_unspoken(file):
        names.append(f'for: "{inert(file.why, _WHY_CHARS)}"')
    return f" ({', '.join(names)})" if names else ""


def _is_unspoken(file: FileRecord) -> bool:
    return not (file.edits and names_file(file.why, file.path))


def below_root(root: str, path: str) -> str:
    """Return a path as the user names it: below the project's root without it."""
    return inert(path.removeprefix(f"{root}/") if root else path, TEXT_CHARS)


DONE_BY_HAND = "Done, marked so by hand"
# What is wanted, and what that goes on from, is needed word for word: nearly all is shorter.
_AIM_CHARS = 1_000
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
# A go-ahead of so many words says nothing without what it answers.
_GO_AHEAD_WORDS = 8
_GO_AHEAD_CHARS = 20
# How much of what the model said before a go-ahead is quoted.
ANSWERED_CHARS = 500


def objective_lines(state: SessionState, under: Mapping[int, StateLine]) -> Iterator[StateLine]:
    """Yield what the user wants now, and what that goes on from.

    That is the newest prompt, whatever it says, with what it answers where it says little; what
    set the work stands behind it. `under` has what the model told under prompts, by their places.
    """
    current, objective = newest_prompt(state) or state.objective, state.objective
    if current is None:
        return
    turn = answered_turn(state)
    said = f' (after model: "{inert(turn.answer, ANSWERED_CHARS)}")' if turn is not None else ""
    is_pasted = current is not objective and IMAGE.search(current.text)
    seen = _IMAGE_GONE if is_pasted else ""
    words = quoted_prompt(current, inert(current.text, _AIM_CHARS), seen)
    label = DONE_BY_HAND if is_done_by_hand(state, current) else "Current"
    yield StateLine(f"- {label}: {words}{said}", 1.0)
    yield from since_current(state, under)
    begun = _worked_on(state)
    if begun is not None:
        label = "Said while the model was at work on"
        yield _goes_on_from(begun, state, under, 0.95, label, "model")
    if begun is not None and objective is not None and begun.offset == objective.offset:
        return
    for aim in earlier_aims(state).above:
        yield _goes_on_from(aim, state, under, 0.8 if aim is objective else 0.6)


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
    if newest_prompt(state) is None or not state.prompts[-1].queued:
        return None
    window = state.prompts[-1].window
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
    words = inert(rest if rest.strip(" …") else aim.text, _AIM_CHARS)
    return StateLine(f"- {label}: {quoted_prompt(aim, words)}{told}", need)


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

    above: list[Objective]
    among_prompts: list[Objective]


def earlier_aims(state: SessionState) -> EarlierAims:
    """Return what was wanted before the newest prompt, or what it may be a detail of.

    What says little is read with what was wanted before it. Whether that is done nobody can tell:
    behind longer ones most of it was, in 24 real windows, and what these were a detail of.
    """
    objective, newest = state.objective, newest_prompt(state)
    if objective is None:
        return EarlierAims([], [])
    aims = _larger_aims(state, objective)
    aims[:0] = [objective] if newest is not None else []
    says_little = newest is not None and _says_little(newest.text)
    told = {prompt.offset for prompt in state.prompts}
    above = [a for a in aims if a.offset not in told or (a is objective and says_little)]
    return EarlierAims(above, [aim for aim in aims if aim not in above])


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
    handed = printed(said.handed, _HANDED_CHARS)
    if not words:
        return f"(pasted without a word: {handed})" if handed else ""
    return f'"{words}"{beside}' + (f" (pasted with it: {handed})" if handed else "")


def prompts_above(state: SessionState) -> set[int]:
    """Return the places of the prompts that the objective's lines quote."""
    return {said.offset for said in _quoted(state)}


def _quoted(state: SessionState) -> list[Objective | PromptRecord]:
    newest = newest_prompt(state)
    aim = state.objective if newest is None else None
    told = (newest, _worked_on(state), aim, *earlier_aims(state).above)
    return [said for said in told if said is not None]


# A rule and the objective are needed word for word: nearly all are shorter than this.
_RULE_CHARS = 600
_REQUEST_CHARS = 60
_TOGETHER_CHARS = 600
_REMARK_CHARS = 200
# Of what the same words were said after, the newest are shown.
_MOST_OCCASIONS = 3
_DECISION = 0.85
_DECISION_FADES = 0.02
_TAKEN_UP = 0.25
# So many prompts on, and with a commit between, a question's answer was carried out.
_PROMPTS_OF_WORK = 4
_COMMITS = ("commit", "pushed: ", "merged: ")
_OFFERS = re.compile(
    r"\b(?:want|like) me to\b|\b(?:shall|should|may|can) i\b|\bwhich ones\b|\bsomething else\?",
    re.IGNORECASE,
)
_TAKES_UP = re.compile(
    r"\W*(?:y(?:es|eah|ep|up)|ok(?:ay)?|sure|do it|go ahead|please|just|let'?s)\b", re.IGNORECASE
)

# A menu of what to do next: what was taken from it is done.
_MENU = re.compile(r"\bnext\b|\bsomething else\b", re.IGNORECASE)

# Chances are the text classifier's, from 0 to 1.
_ASKS_FOR_WORK_CHANCE = 0.5
"""It rather asks for work than says what holds on."""
_RULE_LIKE_CHANCE = 0.3
_MAY_BE_RULE = 0.1
_HOLDS_ON_CHANCE = 0.2
"""Below it what led to an edit was rather a request for it than something that holds on."""
_EDITED_SHARE = 0.3
"""So much less such a request is needed, as a ratio: what it asked for is done."""
_LIKE_RULE_OR_CHOICE = 0.5
_REMARK_NEED = 0.4
_REMARK_SPAN = 0.25

_LABELLED_NEED = 0.98
_SHORT_PROMPT_CHARS = 130
_LONG_PROMPT_CHARS = 400
_WEIGHTY = 0.8


def rule_lines(state: SessionState, *, sure: bool) -> Iterator[str]:
    """Yield the standing rules, newest first: those that surely hold on, or the others."""
    return _rule_lines(_standing(state)[0 if sure else 1])


def possible_rule_lines(
    state: SessionState, current: str, decided: Iterable[str]
) -> list[StateLine]:
    """Return the rules that may have been meant once, but for one that is the `current` prompt.

    Those that were said with a request share a line that tells it. Left out is what a line on what
    was `decided` tells, with what it answers. What is like no rule is seldom needed.
    """
    is_current, decided = normal_form(current), list(decided)
    doubted = [
        rule
        for rule in _standing(state)[1]
        if normal_form(rule.text) != is_current and not is_quoted(inert(rule.text), decided)
    ]
    unlike = [rule for rule in doubted if is_like_no_rule(rule)]
    others = _lines_by_request(state, [rule for rule in doubted if rule not in unlike])
    return [*falling(others, 0.9, 0.01, least=0.5), *falling(_rule_lines(unlike), 0.2, 0.001)]


def _lines_by_request(state: SessionState, rules: Sequence[Rule]) -> list[str]:
    """Return lines for the rules that were said with one request, and one for each other.

    A line that has no room is left out as a whole: of many rules each line takes some.
    """
    requests = requests_beside(rules, state.prompts)
    current = newest_prompt(state) or state.objective
    lines: list[str] = []
    for uuid, said in groupby(rules, lambda rule: rule.uuid):
        told = [line.removeprefix("- ") for line in _rule_lines(said)]
        if uuid not in requests:
            lines += [f"- {rule}" for rule in told]
            continue
        is_current = current is not None and current.uuid == uuid
        request = f'"{printed(requests[uuid], _REQUEST_CHARS)}"'
        head = f"- with {'the current prompt' if is_current else request}: "
        line = head
        for rule in told:
            if line != head and len(line) + len(rule) > _TOGETHER_CHARS:
                lines.append(line)
                line = head
            line += rule if line == head else f" · {rule}"
        lines.append(line)
    return lines


def _standing(state: SessionState) -> tuple[list[Rule], list[Rule]]:
    standing = [r for r in reversed(state.active_rules) if not is_likely_lifted(r)]
    return parted_by_hold(standing, state.prompts)


def questioned_lines(state: SessionState) -> Iterator[str]:
    """Yield the rules that later words likely take back, with these words."""
    likely_lifted = (r for r in reversed(state.active_rules) if is_likely_lifted(r))
    return _rule_lines(likely_lifted)


def _rule_lines(rules: Iterable[Rule]) -> Iterator[str]:
    """Yield a line for each wording: what the same words were said after stands in one."""
    worded: dict[str, list[Rule]] = {}
    for rule in rules:
        worded.setdefault(rule.text, []).append(rule)
    for same in worded.values():
        after = "; after ".join(rule.after for rule in same[:_MOST_OCCASIONS] if rule.after)
        said = _rule_quoted(replace(same[0], after=after), _RULE_CHARS)
        yield f"{said}{later(same[0].questioned_by)}"


def _rule_quoted(said: Rule, limit_chars: int) -> str:
    after = f" (after {inert(said.after)})" if said.after else ""
    lifted = f" {inert(said.lifted_of_it)}" if said.lifted else ""
    return f'- "{inert(said.text, limit_chars)}"{after}{lifted}'


def remark_lines(
    state: SessionState, other_lines: Iterable[str] = (), values: Iterable[str] = ()
) -> list[StateLine]:
    """Return the lines of the remarks, the newest first.

    Left out is what a rule, a decision or the objective's lines say. What other lines quote, as far
    as these are not cut short, is hardly needed; what may be a rule is more than a value that
    stands in it.
    """
    decided = [made for made in state.decisions if not made.superseded]
    understood = [item.text for item in (*state.active_rules, *decided)]
    aims = [inert(aim.text, PAST_PROMPT_CHARS) for aim in earlier_aims(state).among_prompts]
    said = [*understood, *objective_words(state), *aims]
    asked = (remark for remark in state.remarks if remark.questioned_by)
    # A fact cannot be taken back.
    likely = (each for each in asked if user_chances(each.text).rule >= _RULE_LIKE_CHANCE)
    doubted = [*state.questioned_rules, *likely]
    beside = {rule.retired_by for rule in state.rules} | {rule.questioned_by for rule in doubted}
    over = [rule.text for rule in state.rules if not rule.active]
    quoted, values = [*understood, *other_lines], tuple(values)
    needs: dict[str, float] = {}
    for remark in reversed(state.remarks):
        if remark.text in beside or is_quoted(remark.text, [*said, *over]):
            continue
        doubt = remark.questioned_by if remark in doubted else ""
        line = f"{_rule_quoted(remark, _remark_chars(remark.text))}{later(doubt)}"
        quoting = quoted if may_be_rule(remark.text, _RULE_LIKE_CHANCE) else (*quoted, *values)
        needs[line] = 0 if is_quoted(remark.text, quoting) else _need_of_remark(remark, state)
    return [StateLine(line, need) for line, need in needs.items()]


def _need_of_remark(remark: Rule, state: SessionState) -> float:
    """Return how much a remark is needed: as likely as it is a rule or a choice in other words.

    What the model only took note of was no request, nor is what stands beside one. Of 200 other
    remarks in 25 real compactions one in ten was of use, and of those in long prompts hardly one.
    """
    prompt = next((p.text for p in state.prompts if p.uuid == remark.uuid), "")
    if len(prompt) > _LONG_PROMPT_CHARS or is_machine_made(remark.text):
        return 0.0
    if not has_content(remark.text):
        return 0.0  # "yes, that makes sense"
    if LABELLED.match(remark.text):
        return _LABELLED_NEED
    chances, weight = user_chances(remark.text), weight_of_remark(remark)
    likely = max(chances.rule, chances.decision, chances.lift) >= _LIKE_RULE_OR_CHOICE
    alone = weight >= _WEIGHTY and len(prompt) < _SHORT_PROMPT_CHARS
    beside = chances.rule >= _MAY_BE_RULE and _stands_beside_request(remark, prompt)
    states = likely or alone or remark.noted or beside
    if remark.after and _TAKES_UP.match(remark.text):
        return 0.0  # what the model offered then was done
    asks_for_work = chances.work >= _ASKS_FOR_WORK_CHANCE and not likely
    if asks(remark.text) and not likely:
        return 0.0  # the model answered it
    base = _REMARK_NEED if states and not asks_for_work else 0
    share = _EDITED_SHARE if _led_to_edits(remark.text, state) else 1
    return share * (base + _REMARK_SPAN * max(weight, chances.rule, chances.decision))


def _stands_beside_request(remark: Rule, prompt: str) -> bool:
    """Return whether another sentence of a prompt asked for what was done on it."""
    others = (part for part in sentences(prompt) if part not in remark.text)
    return any(user_chances(part).work >= _ASKS_FOR_WORK_CHANCE for part in others)


def _remark_chars(text: str) -> int:
    """Return how much of a remark is shown: what it speaks of may stand before it."""
    parts = sentences(text)
    return _REMARK_CHARS + (len(text) - len(parts[-1]) if len(parts) > 1 else 0)


def _led_to_edits(text: str, state: SessionState) -> bool:
    """Return whether a remark rather asked for what was done: it is like no rule and no choice.

    What stands beside a likelier request is not what was asked for.
    """
    chances = user_chances(text)
    if max(chances.rule, chances.decision, chances.lift) >= _HOLDS_ON_CHANCE:
        return False
    led = {file.why for file in state.files if file.edits and text in file.why}
    return any(
        all(user_chances(part).work <= chances.work for part in sentences(why)) for why in led
    )


def decision_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield the decisions with their reasons, newest first.

    Who takes up an offer to work has chosen nothing that holds once the work is done, and what was
    answered or approved before a commit is in the code some prompts later. A rule that was told as
    a choice stands among the rules.
    """
    rules = {normal_form(rule.text) for rule in state.active_rules}
    made = [one for one in reversed(state.decisions) if not one.superseded]
    standing = [one for one in made if one.question or normal_form(one.text) not in rules]
    for number, decision in enumerate(standing):
        question = f"{inert(decision.asked, SHORT_CHARS)} -> " if decision.asked else ""
        known = normal_form(decision.reason) in normal_form(decision.text)
        reason = "" if known else f" (because: {inert(decision.reason, SHORT_CHARS)})"
        need = _DECISION - _DECISION_FADES * number
        offered = _OFFERS.search(decision.question) and _TAKES_UP.match(decision.text)
        idle = offered and not TAKES_ONE_WAY.search(decision.question)
        over = idle or _MENU.search(decision.question) or _is_carried_out(decision, state)
        if decision.question and over:
            need = _TAKEN_UP
        line = f"- {decision.by}{question}{inert(decision.text, TEXT_CHARS)}{reason}"
        yield StateLine(line, max(need, 0.0))


def _is_carried_out(decision: Decision, state: SessionState) -> bool:
    """Return whether work was committed since what was answered in prose, or was planned."""
    is_chosen = decision.source == "answer" or SAID_WITH in decision.text
    return (
        not is_chosen
        and prompts_since(state, decision.offset) >= _PROMPTS_OF_WORK
        and any(
            step.offset > decision.offset and step.text.startswith(_COMMITS)
            for step in state.progress
        )
    )


def lifted_lines(state: SessionState) -> Iterator[str]:
    """Yield the rules that are no longer in force, newest first."""
    for rule in reversed(state.rules):
        if not rule.active:
            by = f'by: "{inert(rule.retired_by, SHORT_CHARS)}"'
            how = "forgotten by hand" if rule.retired_by == FORGOTTEN else by
            yield f'- lifted: "{inert(rule.text, SHORT_CHARS)}" ({how})'


def replaced_lines(over: Mapping[str, str]) -> Iterator[str]:
    """Yield the statements that later ones replaced, with these, newest first."""
    for old, new in reversed(list(over.items())):
        yield f'- "{inert(old, SHORT_CHARS)}" (now: "{inert(new, SHORT_CHARS)}")'
