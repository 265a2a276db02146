"""Return whether an item is kept in a text: word for word, in other words, in part, turned round.

Sharing words is not enough. Identifiers and numbers must be there, and the sentence must stand to
its words as the item does. An item in another language than the text cannot be judged by words, and
then the answer is that it cannot be told.

What is certain comes first: an item that stands there word for word, one in another language, a
value, a command. Of an English sentence the learnt weights say what the likeliest place makes of
it, of others its share of the words. What is found so is held to the letter.
"""

import re
from dataclasses import dataclass, replace

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
    one_line,
    raw_words,
)
from amplihack_compaction.validation.matching.exact_parts import (
    has_literal,
    is_exchanged,
    is_replaced,
    missing_exact,
    quantities_in,
    turns_what_follows,
)
from amplihack_compaction.validation.matching.sought_item import (
    EVIDENCE_CHARS,
    SHORT_WORDS,
    Finding,
    SoughtItem,
    candidates,
    examine,
    prepare_item,
)
from amplihack_compaction.validation.matching.text_index import TextIndex, Unit, unnumbered_form
from amplihack_compaction.validation.matching.verdicts import (
    Label,
    decide,
    verdict_features,
    weights,
)
from amplihack_compaction.validation.matching.wording import replaced_words

ITEM_LIMIT_CHARS = 2_000
FOREIGN = "the text is in another language than the item"
JUDGED_KINDS = frozenset({"rule", "todo", "decision", "objective"})
"""What was learnt from; all its rows are English."""
KEPT_SHARE = 0.6
"""The share of its words from which a text speaks of an item, and not only of what it touches."""
CLAIM_SHARE = 0.5
"""That from which it contradicts an item."""
RECENT_SHARE = 0.7
"""That of a prompt's words: of three all must be there."""
SPREAD_SHARE = 0.85
"""So much of an item in a few units speaks of it: of todos lost to ordinary summaries at most 0.75
was found so, of those that real summaries speak of 0.88 and more."""
_SPREAD_KINDS = frozenset({"todo", "decision", "objective"})
"""What need not stand in one sentence: of a rule it would not tell how it is meant."""
_NEAR_UNITS = 8
_NAME_CHARS = 60
# It may be another word for the same: nobody is alarmed, and nothing is certified.
_OTHER_WORD_CERTAINTY = 0.5
_TURNED = frozenset({Label.NEGATED, Label.SUPERSEDED})
_NOT_WHOLE = frozenset({Label.REWORDED, Label.PARTLY, Label.NEGATED})
_FOUND = frozenset({Label.KEPT, Label.REWORDED})
_PRESENT = frozenset({*_FOUND, Label.UNKNOWN, Label.SUPERSEDED})


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


NOTHING = Match(Label.DROPPED)
# "Never do that again" may be kept by the name of what must not be done.
_WORDLESS = Match(Label.DROPPED, certainty=0.5)
NOTHING_FOUND = Match(Label.DROPPED, certainty=0.9)
"""What an item is of which no unit has a word: other words may still say it."""
# How the client shows where a picture was pasted.
_PICTURE = re.compile(r"\[Image #\d+\]")


def match(item_text: str, text_index: TextIndex, kind: str = "rule") -> Match:
    """Return what became of an item in the text.

    `kind` is rule, todo, objective, decision, value, verify, or recent for what was only said.
    Values and commands must be there to the letter; anything else counts by its sentences.
    """
    text = _PICTURE.sub(" ", MARK.sub(" ", item_text[:ITEM_LIMIT_CHARS])).strip()
    if not text:
        return Match(Label.UNKNOWN)
    if kind == "verify":
        return _match_command(text, text_index)
    if kind == "value":
        return _match_literal(text, text_index)
    quoted = _quotation(text, text_index)
    if quoted is not None:
        return quoted
    sentences = sentences_of(text)
    if len(sentences) > 1:
        return _match_sentences(sentences, text_index, kind)
    found = _match_sentence(text, text_index, kind)
    # A rule that leans on the sentence before it may be kept with its subject alone.
    short = _in_short(text) if kind == "rule" and found.label not in _PRESENT else ""
    again = match(short, text_index, kind) if short else found
    return again if again.label in _FOUND else found


def _quotation(text: str, text_index: TextIndex) -> Match | None:
    """Return the match of a text that stands there word for word; None where it does not.

    There is no need to read it: it does not contradict the text, whatever that says (`pnpm, not
    npm! npm breaks the links`), and has it though its words are not looked for as they stand there
    (`not sure` is looked for as `unsure`). What stands before it, or over it, may turn it round.
    """
    normal = unnumbered_form(text)
    if not normal or not has_literal(normal, text_index.normal):
        return None
    places = [unit for unit in text_index.units if has_literal(normal, unit.normal)]
    if not places:
        before = text_index.normal[: text_index.normal.find(normal)]
        is_turned = turns_what_follows(before)
        return None if is_turned else Match(Label.KEPT, 1.0, one_line(text, EVIDENCE_CHARS))
    meant = {_how_quoted(unit, normal): unit for unit in reversed(places)}
    label = next(each for each in _QUOTED if each in meant)
    return Match(label, 1.0, one_line(meant[label].text, EVIDENCE_CHARS))


_QUOTED = (Label.KEPT, Label.SUPERSEDED, Label.NEGATED)


def _how_quoted(unit: Unit, normal: str) -> Label:
    """Return what stands before a quoted item, or over it, makes of it."""
    before = unit.normal[: unit.normal.find(normal)].rpartition(". ")[2]
    is_turned = turns_what_follows(before) or sets_polarity(unit.heading)
    # What only hints at a change is one where it turns the item round.
    if taken_back(before) > (not is_turned):
        return Label.SUPERSEDED
    return Label.NEGATED if is_turned else Label.KEPT


def _in_short(text: str) -> str:
    """Return the last sentence of a rule with only the subject of the one that it leans on.

    "The vendor folder is a fork. Never touch it." is kept by "Never touch the vendor folder."
    """
    *others, last = map(str.strip, _SENTENCE.split(text))
    if not others or not needs_sentence_before(last):
        return ""
    subject = " ".join(_VERB.split(others[-1], maxsplit=1)[0].split()[:_SUBJECT_WORDS])
    return f"{subject} {last}" if content_words(subject) and content_words(last) else last


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


def _match_sentences(sentences: list[str], text_index: TextIndex, kind: str) -> Match:
    """Judge an item of several sentences by each of them, weighed by its words."""
    matches = [(match(part, text_index, kind), len(content_words(part))) for part in sentences]
    total = sum(weight for _, weight in matches) or 1
    share = sum(weight for found, weight in matches if found.label in _PRESENT) / total
    partly = sum(weight for found, weight in matches if found.label is Label.PARTLY) / total
    for found, _ in matches:
        if found.label in (Label.NEGATED, Label.CHANGED):
            return found
    evidence = next((found.evidence for found, _ in matches if found.evidence), "")
    for label in (Label.UNKNOWN, Label.KEPT):
        if all(found.label is label for found, _ in matches):
            return Match(label, share, evidence)
    certainty = min(found.certainty for found, _ in matches)
    # Half of an objective or a todo still leads to the work, half of a rule does not hold.
    enough = 0.75 if kind in ("rule", "decision") else 0.5
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


def _match_sentence(text: str, text_index: TextIndex, kind: str) -> Match:
    sought = prepare_item(text, text_index)
    if not sought.weights:
        is_untold = _is_foreign(sought, [], text_index)
        return Match(Label.UNKNOWN, 0.0, FOREIGN) if is_untold else _WORDLESS
    named = _name_given(sought, text_index) if kind == "decision" else None
    if named is not None:
        return Match(Label.REWORDED, 1.0, one_line(named.text, EVIDENCE_CHARS))
    read = [examine(sought, unit) for unit in candidates(sought, text_index)]
    if _is_foreign(sought, read, text_index):
        return Match(Label.UNKNOWN, 0.0, FOREIGN)
    if kind not in JUDGED_KINDS or certain_language(text) not in ("", "en"):
        return _by_share(sought, read, kind)
    return judge(sought, read, kind, text_index)


def judge(sought: SoughtItem, read: list[Finding], kind: str, text_index: TextIndex) -> Match:
    """Return what became of a sentence by what was learnt."""
    if not read:
        return _spread(sought, text_index, kind) or NOTHING_FOUND
    features = [verdict_features(sought, kind, each, text_index) for each in read]
    place, label, certainty = decide(features, kind, weights())
    found = read[place]
    # Work is given up, or done otherwise, only where it is spoken of.
    is_of_other_work = kind in ("todo", "objective") and found.coverage < KEPT_SHARE
    if label is Label.DROPPED or (is_of_other_work and label in _TURNED):
        dropped = Match(Label.DROPPED, found.coverage, certainty=certainty)
        return _spread(sought, text_index, kind) or dropped
    gone = found.missing_anchors | found.missing_scope | found.left_out
    missing = _in_own_words(sought.text, gone) if label is Label.PARTLY else ()
    given = Match(label, found.coverage, found.text, missing, certainty)
    return _to_the_letter(given, sought, kind, [found.unit])


def _by_share(sought: SoughtItem, read: list[Finding], kind: str) -> Match:
    """Return what became of a sentence by the share of its words, and by what contradicts them."""
    best = max(read, key=lambda finding: finding.coverage, default=None)
    if best is None:
        return NOTHING
    is_order = kind in ("rule", "decision")
    is_against = is_order and best.contradiction > 0
    needed = CLAIM_SHARE if is_against else RECENT_SHARE if kind == "recent" else KEPT_SHARE
    if best.coverage < needed:
        return NOTHING
    gone = best.missing_anchors | (best.missing_scope if is_order else frozenset())
    label = Label.NEGATED if is_against else Label.PARTLY if gone else Label.REWORDED
    # What only hints at a change says that one was made where it contradicts, too.
    if best.taken_back > (not is_against):
        label = Label.SUPERSEDED
    given = Match(label, best.coverage, best.text, _in_own_words(sought.text, gone))
    return _to_the_letter(given, sought, kind, [best.unit])


def _in_own_words(text: str, missing: frozenset[str]) -> tuple[str, ...]:
    """Return what is missing as the item says it, in its order; words are compared by stems."""
    words = dict.fromkeys(word for word in raw_words(fold_case(text)) if canonical(word) in missing)
    stems = {canonical(word) for word in words}
    return (*words, *sorted(missing - stems))


def _is_foreign(sought: SoughtItem, read: list[Finding], text_index: TextIndex) -> bool:
    """Return whether only another language keeps the item from being found."""
    there = (finding.text for finding in read if finding.coverage >= KEPT_SHARE)
    if any(not differ(sought.text, place) for place in there):
        return False
    if sought.anchors and not any(has_literal(a, text_index.folded) for a in sought.anchors):
        return False
    text = sought.text
    if len(raw_words(text_index.folded)) < len(raw_words(fold_case(text))):
        return False
    if has_cjk(text) != text_index.has_cjk and (has_cjk(text) or len(text_index.language) == 2):
        return has_cjk(text) or text_index.language in ("zh", "ja", "ko")
    return are_foreign(certain_language(text), text_index.language)


# "Let's name it Harbour" is kept by the name.
_NAMING = frozenset(map(canonical, ("call", "name")))


def _name_given(sought: SoughtItem, text_index: TextIndex) -> Unit | None:
    """Return a place with the name that an item only gives."""
    others = [word for word in sought.weights if word not in _NAMING]
    if len(others) != 1 or len(sought.weights) == 1 or sought.polarity.negative:
        return None
    places = text_index.units_having(others[0])
    return text_index.units[places[0]] if places else None


def _spread(sought: SoughtItem, text_index: TextIndex, kind: str) -> Match | None:
    """Return the match of an item that neighbouring units have together, to the letter.

    A list below its heading, or sentences on one thing, say what no line of them says alone.
    """
    if kind not in _SPREAD_KINDS or len(sought.weights) < SHORT_WORDS:
        return None
    total = sum(sought.weights.values())
    known: dict[int, dict[str, float]] = {}
    for word, weight in sought.weights.items():
        for number in text_index.units_with(word):
            known.setdefault(number, {})[word] = weight
    for start in sorted(known):
        end = start + _NEAR_UNITS
        near = {word: w for n in range(start, end) for word, w in known.get(n, {}).items()}
        share = sum(near.values()) / total
        if share >= SPREAD_SHARE:
            units = text_index.units[start:end]
            evidence = one_line(" ".join(unit.text for unit in units), EVIDENCE_CHARS)
            found = Match(Label.REWORDED, share, evidence, certainty=min(1.0, share))
            found = _to_the_letter(found, sought, kind, units)
            if found.label is Label.REWORDED:
                return found
    return None


def _to_the_letter(found: Match, sought: SoughtItem, kind: str, units: list[Unit]) -> Match:
    """Return a match, no longer a good one where an exact part or a word is gone or replaced."""
    if found.label not in _NOT_WHOLE or kind == "recent":
        return found
    text, place = sought.text, " ".join(unit.text for unit in units)
    missing = missing_exact(text, place)
    is_whole = found.label is Label.REWORDED
    # Half a rule is lost anyway; of anything else half would do, but not with another half.
    is_other = kind != "rule" and is_replaced(missing, text, place)
    limited = is_whole and any(
        is_limited_otherwise(sought.polarity, unit.polarity) for unit in units
    )
    if is_other or limited or (is_whole and is_exchanged(text, place)):
        return replace(found, label=Label.CHANGED, missing=missing, certainty=1.0)
    if missing:
        label = Label.PARTLY if is_whole else found.label
        return replace(found, label=label, missing=missing, certainty=1.0)
    # Only English endings are well known.
    is_known = is_whole and len(units) == 1 and certain_language(text) in ("", "en")
    gone = replaced_words(sought, units[0]) if is_known else frozenset()
    if not gone:
        return found
    own = _in_own_words(text, gone)
    return replace(found, label=Label.PARTLY, missing=own, certainty=_OTHER_WORD_CERTAINTY)


_VALUE_EDGES = " \t\n`'\"“”‘’«»「」.,;:()[]<>"
_LEAST_NAME_CHARS = 3


def _match_literal(text: str, text_index: TextIndex) -> Match:
    """Look for a value to the letter; a path's last part alone is a part of it."""
    wanted = " ".join(fold_case(text).strip(_VALUE_EDGES).split())
    if not wanted:
        return Match(Label.UNKNOWN)
    for form in filter(None, (wanted, wanted.removesuffix("/"), wanted.removeprefix("v"))):
        if has_literal(form, text_index.folded):
            return Match(Label.KEPT, 1.0, one_line(text, EVIDENCE_CHARS))
    # A file's name still points to the value.
    folder, _, part = wanted.rstrip("/").rpartition("/")
    if folder and len(part) > _LEAST_NAME_CHARS and has_literal(part, text_index.folded):
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
