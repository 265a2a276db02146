"""Return whether an item is kept in a text: word for word, in other words, in part, turned round.

Sharing words is not enough. Identifiers and numbers must be there, the sentence must stand to
its words as the item does, and what the item is limited to must not be gone. An item in another
language than the text cannot be judged by words, and then the answer is that it cannot be told.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from amplihack_compaction.base.redaction.redact import MARK
from amplihack_compaction.extract.verify_commands import commands_checking
from amplihack_compaction.text.polarity import is_limited_otherwise, sets_polarity, taken_back
from amplihack_compaction.text.sentences import needs_sentence_before
from amplihack_compaction.text.words import (
    are_foreign,
    canonical,
    certain_language,
    content_words,
    differ,
    fold_case,
    has_cjk,
    normal_form,
    one_line,
    raw_words,
)
from amplihack_compaction.validation.matching.exact_parts import (
    is_exchanged,
    is_other_name,
    is_replaced,
    is_switched,
    is_turned_round,
    missing_exact,
    quantities_in,
    turns_what_follows,
)
from amplihack_compaction.validation.matching.findings import (
    EVIDENCE_CHARS,
    KEPT_COVERAGE,
    PART_COVERAGE,
    Finding,
    find,
    has_literal,
    is_about,
    is_shorter_form,
    is_sibling,
    is_verbatim,
    literal_form,
    literal_part,
    needed_coverage,
    quality,
    said_alone,
)
from amplihack_compaction.validation.matching.sought_item import (
    SHORT_WORDS,
    SoughtItem,
    prepare_item,
)
from amplihack_compaction.validation.matching.text_index import TextIndex, Unit
from amplihack_compaction.validation.matching.wording import replaced_words


def may_be_foreign(
    sought: SoughtItem,
    best: Finding | None,
    against: Finding | None,
    findings: list[Finding],
    text_index: TextIndex,
) -> bool:
    """Return whether only another language keeps the item from being found."""
    if best is not None and best.coverage >= KEPT_COVERAGE and not differ(sought.text, best.text):
        return False
    if sought.anchors and not any(has_literal(a, text_index.folded) for a in sought.anchors):
        return False
    named = [f for f in findings if sought.anchors - f.missing_anchors]
    if named and all(f.reports for f in named):
        return False
    if against is not None and not differ(sought.text, against.text):
        return False
    return is_foreign(sought.text, text_index)


def is_foreign(text: str, text_index: TextIndex) -> bool:
    """Return whether the item may stand in the text in another language."""
    if len(raw_words(text_index.folded)) < len(raw_words(fold_case(text))):
        return False
    if has_cjk(text) != text_index.has_cjk and (has_cjk(text) or len(text_index.language) == 2):
        return has_cjk(text) or text_index.language in ("zh", "ja", "ko")
    return are_foreign(certain_language(text), text_index.language)


ITEM_LIMIT_CHARS = 2_000
FOREIGN = "the text is in another language than the item"
_NAME_CHARS = 60


class Label(StrEnum):
    """What became of an item."""

    KEPT = "kept"
    REWORDED = "reworded"
    PARTLY = "partly"
    CHANGED = "changed"
    NEGATED = "negated"
    SUPERSEDED = "superseded"
    UNKNOWN = "translated_or_unknown"
    DROPPED = "dropped"


_GONE = frozenset({Label.PARTLY, Label.DROPPED})
_NOT_WHOLE = frozenset({Label.REWORDED, Label.PARTLY, Label.NEGATED})
PRESENT = frozenset({Label.KEPT, Label.REWORDED, Label.UNKNOWN, Label.SUPERSEDED})


@dataclass(frozen=True, slots=True)
class Match:
    """The verdict on one item: `score` is the share of its words found (0 to 1).

    `evidence` is the sentence that decided, `missing` what of the item is gone, `certainty` (0 to
    1) how likely the verdict is right about whether the item is lost.
    """

    label: Label
    score: float = 0.0
    evidence: str = ""
    missing: tuple[str, ...] = ()
    certainty: float = 1.0


# How the client shows where a picture was pasted.
_PICTURE = re.compile(r"\[Image #\d+\]")
Judge = Callable[[SoughtItem, TextIndex, str], Match | None]
"""Says what became of a sentence of a kind; None where the rules here have to."""


def match(
    item_text: str, text_index: TextIndex, kind: str = "rule", judge: Judge | None = None
) -> Match:
    """Return what became of an item in the text.

    `kind` is rule, todo, objective, decision, value or command. Values and commands must be
    there to the letter; an objective counts by its sentences. A todo has no polarity to turn round.
    `judge` decides on sentences that stand there neither word for word nor in another language.
    """
    text = _PICTURE.sub(" ", MARK.sub(" ", item_text[:ITEM_LIMIT_CHARS])).strip()
    if not text:
        return Match(Label.UNKNOWN)
    if kind == "command":
        return _match_command(text, text_index)
    if kind == "value":
        return _match_literal(text, text_index)
    alone = said_alone(text, text_index)
    if alone is not None:
        return Match(Label.KEPT, 1.0, one_line(alone.text, EVIDENCE_CHARS))
    sentences = sentences_of(text)
    if len(sentences) > 1 and _stands_verbatim(text, text_index):
        return Match(Label.KEPT, 1.0, one_line(text, EVIDENCE_CHARS))
    if len(sentences) > 1:
        return _match_sentences(sentences, text_index, kind, judge)
    found = _match_sentence(text, text_index, kind, judge)
    # A rule that leans on the sentence before it may be kept with its subject alone.
    short = _in_short(text) if kind == "rule" and found.label in _GONE else ""
    again = _match_sentence(short, text_index, kind, judge) if short else found
    return again if again.label in (Label.KEPT, Label.REWORDED) else found


def _in_short(text: str) -> str:
    """Return the last sentence of a rule with only the subject of the one that it leans on.

    "The vendor folder is a fork. Never touch it." is kept by "Never touch the vendor folder."
    """
    *others, last = map(str.strip, _SENTENCE.split(text))
    if not others or not needs_sentence_before(last):
        return ""
    subject = " ".join(_VERB.split(others[-1], maxsplit=1)[0].split()[:_SUBJECT_WORDS])
    return f"{subject} {last}" if content_words(subject) and content_words(last) else last


def _match_sentence(text: str, text_index: TextIndex, kind: str, judge: Judge | None) -> Match:
    sought = prepare_item(text, text_index.variants)
    if not sought.weights:
        return _match_wordless(text, text_index)
    named = _name_given(sought, text_index) if kind == "decision" else None
    if named is not None:
        return Match(Label.REWORDED, 1.0, one_line(named.text, EVIDENCE_CHARS))
    findings = find(sought, text_index, kind in ("rule", "decision"))
    # The todos of a series differ by their number only.
    if kind == "todo":
        findings = [f for f in findings if not is_sibling(sought, f)]
    if any(is_verbatim(text, f) for f in findings):
        return _match_verbatim(text, sought, findings, kind)
    telling = findings
    # A report of what was done keeps no rule, unless it says that the rule was taken back.
    if kind == "rule":
        telling = [f for f in findings if not f.reports or f.taken_back]
    best, against = _best(telling), _against(sought, telling)
    if may_be_foreign(sought, best, against, findings, text_index):
        return Match(Label.UNKNOWN, 0.0, FOREIGN)
    given = judge(sought, text_index, kind) if judge is not None else None
    return given if given is not None else _by_rules(sought, telling, kind, text_index)


# "Let's name it Harbour" is kept by the name.
_NAMING = frozenset(map(canonical, ("call", "name")))


def _name_given(sought: SoughtItem, text_index: TextIndex) -> Unit | None:
    """Return a place with the name that an item only gives."""
    others = [word for word in sought.weights if word not in _NAMING]
    if len(others) != 1 or len(sought.weights) == 1 or sought.polarity.negative:
        return None
    places = text_index.units_having(others[0])
    return text_index.units[places[0]] if places else None


def _by_rules(
    sought: SoughtItem, findings: list[Finding], kind: str, text_index: TextIndex
) -> Match:
    """Decide by the share of the item's words and by what contradicts them."""
    best, against = _best(findings), _against(sought, findings)
    superseded = _superseding(sought, findings) if kind != "recent" else None
    if best is not None and best.coverage >= needed_coverage(sought) and best is not superseded:
        verdict = _judge(sought.text, best, kind in ("rule", "decision"))
        if kind != "recent":
            verdict = to_the_letter(verdict, sought, kind, best.units, text_index)
        if verdict.label is not Label.PARTLY or against is None:
            return verdict
    if superseded is not None:
        return Match(Label.SUPERSEDED, superseded.coverage, superseded.text)
    if against is not None:
        return Match(Label.NEGATED, against.coverage, against.text)
    return _without_match(sought, findings)


def _match_verbatim(text: str, sought: SoughtItem, findings: list[Finding], kind: str) -> Match:
    """Judge an item that stands there word for word: what is over it may turn it round."""
    # A quotation turns nothing round, whatever else is said beside it.
    quoting = [f for f in findings if is_verbatim(text, f)]
    plain = next((f for f in quoting if not _is_turned(text, f)), None)
    best, against = _best(findings), _against(sought, findings)
    # Of what only hints at a change ("then"), the quotation is none.
    changed = against is not None and against.taken_back > (against in quoting)
    if plain is not None and not changed:
        return Match(Label.KEPT, 1.0, plain.text)
    withdrawn = next((f for f in quoting if taken_back(_before(text, f)) > 1), None)
    if plain is None and withdrawn is not None:
        return Match(Label.SUPERSEDED, 1.0, withdrawn.text)
    if against is None and plain is None and kind != "recent":
        return Match(Label.CHANGED, 1.0, quoting[0].text)
    if against is None or (best is not None and best.coverage >= against.coverage):
        return Match(Label.KEPT, 1.0, best.text if best else one_line(text, EVIDENCE_CHARS))
    if against.taken_back:
        return Match(Label.SUPERSEDED, against.coverage, against.text)
    return Match(Label.NEGATED, against.coverage, against.text)


def _is_turned(text: str, finding: Finding) -> bool:
    """Return whether what stands before a quoted item, or over it, turns it round."""
    before, heading = _before(text, finding), finding.units[0].heading
    is_turned = turns_what_follows(before) or taken_back(before) > 1
    return is_turned or (bool(heading) and sets_polarity(heading))


def _before(text: str, finding: Finding) -> str:
    """Return what leads into a quoted item, in its sentence."""
    place = normal_form(" ".join(unit.text for unit in finding.units))
    return place[: max(0, place.find(normal_form(text)))].rpartition(". ")[2]


def to_the_letter(
    found: Match, sought: SoughtItem, kind: str, units: tuple[Unit, ...], text_index: TextIndex
) -> Match:
    """Return a match, no longer a good one where a part is gone, replaced or turned round."""
    if found.label not in _NOT_WHOLE:
        return found
    text, place = sought.text, " ".join(unit.text for unit in units)
    missing = missing_exact(text, place, text_index.around(units))
    # How a rule and a decision are meant was judged already.
    turned = kind in ("todo", "objective") and is_turned_round(text, place)
    # Half a rule is lost anyway; of anything else half would do, but not with another half.
    tests = (is_exchanged, is_other_name, is_switched)
    is_whole = found.label is Label.REWORDED
    exchanged = is_whole and any(test(text, place) for test in tests)
    limited = is_whole and any(
        is_limited_otherwise(sought.polarity, unit.polarity) for unit in units
    )
    is_other = kind != "rule" and is_replaced(missing, text, place)
    if turned or exchanged or limited or is_other:
        return replace(found, label=Label.CHANGED, missing=missing, certainty=1.0)
    if missing:
        label = Label.PARTLY if is_whole else found.label
        return replace(found, label=label, missing=missing, certainty=1.0)
    # Only English endings are well known.
    is_known = is_whole and len(units) == 1 and certain_language(text) in ("", "en")
    gone = replaced_words(sought, units[0]) if is_known else frozenset()
    if not gone:
        return found
    # It may be another word for the same: nobody is alarmed, and nothing is certified.
    own = in_own_words(text, gone)
    return replace(found, label=Label.PARTLY, missing=own, certainty=_OTHER_WORD_CERTAINTY)


_OTHER_WORD_CERTAINTY = 0.5


def _best(findings: list[Finding]) -> Finding | None:
    return max((f for f in findings if f.contradiction <= 0), key=quality, default=None)


def _against(sought: SoughtItem, findings: list[Finding]) -> Finding | None:
    turned = (f for f in findings if f.contradiction > 0 and is_about(sought, f))
    return max(turned, key=quality, default=None)


def _superseding(sought: SoughtItem, findings: list[Finding]) -> Finding | None:
    """Return the place that says that the user took the item back; a hint needs a contradiction."""
    back = (f for f in findings if is_about(sought, f) and f.taken_back > (f.contradiction <= 0))
    return max(back, key=quality, default=None)


def _judge(text: str, finding: Finding, judged: bool) -> Match:
    missing = finding.missing_anchors
    if judged:
        missing |= finding.missing_scope
    if finding.exclusive_lost and judged:
        missing |= {"only"}
    label = Label.PARTLY if missing else Label.REWORDED
    return Match(label, finding.coverage, finding.text, in_own_words(text, missing))


def in_own_words(text: str, missing: frozenset[str]) -> tuple[str, ...]:
    """Return what is missing as the item says it, in its order; words are compared by stems."""
    words = dict.fromkeys(word for word in raw_words(fold_case(text)) if canonical(word) in missing)
    stems = {canonical(word) for word in words}
    return (*words, *sorted(missing - stems))


def _without_match(sought: SoughtItem, findings: list[Finding]) -> Match:
    """Decide between partly and dropped, where no sentence carries the item."""
    best = max((f for f in findings if len(f.units) == 1), key=quality, default=None)
    if best is None:
        return Match(Label.DROPPED)
    named = sought.anchors - best.missing_anchors
    shorter = max(filter(is_shorter_form, findings), key=quality, default=None)
    if shorter is not None:
        gone = shorter.missing_anchors | shorter.missing_scope | shorter.left_out
        return Match(Label.PARTLY, shorter.coverage, shorter.text, in_own_words(sought.text, gone))
    if best.coverage >= PART_COVERAGE and named and len(sought.weights) >= SHORT_WORDS:
        missing = best.missing_anchors | best.missing_scope
        return Match(Label.PARTLY, best.coverage, best.text, in_own_words(sought.text, missing))
    return Match(Label.DROPPED, best.coverage)


def _match_sentences(
    sentences: list[str], text_index: TextIndex, kind: str, judge: Judge | None
) -> Match:
    """Judge an item of several sentences by each of them, weighed by its words."""
    matches = [
        (_match_sentence(part, text_index, kind, judge), len(content_words(part)))
        for part in sentences
    ]
    total = sum(weight for _, weight in matches) or 1
    share = sum(weight for found, weight in matches if found.label in PRESENT) / total
    partly = sum(weight for found, weight in matches if found.label is Label.PARTLY) / total
    for found, _ in matches:
        if found.label in (Label.NEGATED, Label.CHANGED):
            return found
    evidence = next((found.evidence for found, _ in matches if found.evidence), "")
    if all(found.label is Label.UNKNOWN for found, _ in matches):
        return Match(Label.UNKNOWN, share, evidence)
    if all(found.label is Label.KEPT for found, _ in matches):
        return Match(Label.KEPT, 1.0, evidence)
    certainty = min(found.certainty for found, _ in matches)
    # Half of an objective or a todo still leads to the work, half of a rule does not hold.
    enough = 0.5 if kind in ("objective", "recent", "todo") else 0.75
    if share + partly / 2 >= enough:
        return Match(Label.REWORDED, share, evidence, (), certainty)
    missing = tuple(
        one_line(part, _NAME_CHARS)
        for part, (found, _) in zip(sentences, matches, strict=True)
        if found.label is Label.DROPPED
    )
    if share + partly > 0:
        return Match(Label.PARTLY, share, evidence, missing, certainty)
    return Match(Label.DROPPED, share, certainty=certainty)


_SUBJECT_WORDS = 6
_VERB = re.compile(
    r"(?<!\w)(?:is|are|was|were|has|have|had|which|that|runs?|comes?|belongs?|gets?|lives?"
    r"|ist|sind|wird|hat|est|sont|es|son|está|están|é|são|fica)(?!\w)|[,;:.!?]",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。！？])")


def sentences_of(text: str) -> list[str]:
    """Return the item's sentences that say something of their own."""
    parts: list[str] = []
    for part in map(str.strip, _SENTENCE.split(text)):
        if parts and needs_sentence_before(part):
            parts[-1] = f"{parts[-1]} {part}"
        else:
            parts.append(part)
    telling = [part for part in parts if len(content_words(part)) >= 2]
    return telling or [text]


# "Never do that again" may be kept by the name of what must not be done.
_WORDLESS_CERTAINTY = 0.5


def _stands_verbatim(text: str, text_index: TextIndex) -> bool:
    normal = normal_form(text)
    if not normal or not has_literal(normal, text_index.normal):
        return False
    return not turns_what_follows(text_index.normal[: text_index.normal.find(normal)])


def _match_wordless(text: str, text_index: TextIndex) -> Match:
    if _stands_verbatim(text, text_index):
        return Match(Label.KEPT, 1.0, one_line(text, EVIDENCE_CHARS))
    if is_foreign(text, text_index):
        return Match(Label.UNKNOWN, 0.0, FOREIGN)
    return Match(Label.DROPPED, certainty=_WORDLESS_CERTAINTY)


def _match_literal(text: str, text_index: TextIndex) -> Match:
    """Look for a value to the letter; a path's last part alone is a part of it."""
    wanted = literal_form(text)
    if not wanted:
        return Match(Label.UNKNOWN)
    for form in filter(None, (wanted, wanted.removesuffix("/"), wanted.removeprefix("v"))):
        if has_literal(form, text_index.folded):
            return Match(Label.KEPT, 1.0, one_line(text, EVIDENCE_CHARS))
    # A file's name still points to the value.
    part = literal_part(wanted)
    if part and has_literal(part, text_index.folded):
        return Match(Label.PARTLY, 0.5, part, (one_line(text, _NAME_CHARS),))
    if quantities_in(wanted) & quantities_in(text_index.folded):
        return Match(Label.REWORDED, 1.0, wanted)
    return Match(Label.DROPPED)


def _match_command(text: str, text_index: TextIndex) -> Match:
    """Look for what a line checks with, wherever it is piped to; each of its checks counts."""
    checks = commands_checking(text)
    there = [check for check in checks if _has_command(check, text_index)]
    if len(there) == len(checks):
        return Match(Label.KEPT, 1.0, one_line(text, EVIDENCE_CHARS))
    if there:
        gone = tuple(one_line(check, _NAME_CHARS) for check in checks if check not in there)
        return Match(Label.PARTLY, len(there) / len(checks), there[0], gone)
    # Without its options a command still points to it.
    short = next((s for c in checks if _has_command(s := " ".join(c.split()[:2]), text_index)), "")
    return Match(Label.PARTLY, 0.5, short, (one_line(text, _NAME_CHARS),)) if short else NOTHING


NOTHING = Match(Label.DROPPED)


def _has_command(check: str, text_index: TextIndex) -> bool:
    """Return whether a text has a command; a script without arguments is known by its name."""
    by, _, script = check.rpartition(" ")
    folder, _, name = script.rpartition("/")
    is_script = " " not in by and bool(folder) and name.endswith(_SCRIPT_ENDINGS)
    if is_script and has_literal(fold_case(name), text_index.folded):
        return True
    named = _RUN.fullmatch(check)
    # `check-types` of `pnpm run check-types`: a name with a sign in it is no word of everyday.
    if named is not None and _stands_as_command(f"{named[1]} {named[2]}", text_index):
        return True
    if named is not None and not named[2].isalpha() and _stands_as_command(named[2], text_index):
        return True
    return _stands_as_command(check, text_index)


_RUN = re.compile(r"(npm|pnpm|yarn|bun|mise|deno) run ([\w:.-]+)")
_SCRIPT_ENDINGS = (".sh", ".bash", ".py", ".js", ".ts", ".rb", ".pl")


def _stands_as_command(check: str, text_index: TextIndex) -> bool:
    words = r"(?:\s+-[\w=-]+)*\s+".join(map(re.escape, fold_case(check).split()))
    return re.search(rf"(?<![\w./:-]){words}(?![:/.=-]?\w)", text_index.folded) is not None
