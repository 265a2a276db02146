"""How a sentence stands to its words: for them, against them or under a condition.

Each content word gets a sign: +1 where the sentence asks for or states it, -1 where it rules it
out, 0 where that hangs on a condition. `never push` and `pushing is forbidden` agree; `push` and
`do not push` do not. English in full; of the other languages, their negations. Two sentences
disagree as far as the signs of the words do that they share.

Whether two rules are the same, or contradict each other, is told by the signs and by the words.

Turns of phrase are put into plain words first, so that `hands off X` is `don't change X`: only what
means the same in every sentence. A pattern is tried where the letters that stand before it occur,
so that most of them cost a look for a few letters.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from amplihack_compaction.text.word_lists import data_lines, patterns, word_lists, words_of_all
from amplihack_compaction.text.words import (
    BARE_VERBS,
    anchors_of,
    canonical,
    fold_case,
    has_cjk,
    is_empty,
    is_light,
    raw_words,
)

_TEXTS = patterns("polarity")
_PARTS_OF_OTHERS = ("alone", "asked", "negators", "stands", "thing")
_SAYS = {n: re.compile(text) for n, text in _TEXTS.items() if n not in _PARTS_OF_OTHERS}
_LISTING = re.compile(r"(?<!\w)(?:or|and|nor|oder|und|ou|et|o|y|e|или|и)(?!\w)")
# What a ban says of these, it says of what was named before.
_PRONOUN = re.compile(r"(?<!\w)(?:it|them|these|those)(?!\w)")
_NEGATION = re.compile(rf"(?<!\w)(?:{_TEXTS['negators']})(?!\w)|(?<!\w)\w+n't(?!\w)")
_OVER = re.compile(r"(?<!\w)(?:over|(?<=preferred )to)(?!\w)")
_ONLY_IF = re.compile(
    r"(?<!\w)only(?: (?!in |on |for )\w+){0,4}? (?:if|when|after|with|once|upon|given)(?!\w)"
)
_WITHOUT = re.compile(r"(?<!\w)(?:without|ohne|sin|sans|sem|без)(?!\w)")
_LEADING_NO = re.compile(
    r"\A\W*(?:please |but |and )?no (?!longer|need|more than|fewer|less)(?=\w)"
)
_BEFORE = re.compile(
    r"(?<!\w)(?:before|prior to|bevor|avant(?: de)?|antes de|прежде чем|перед)(?!\w)"
)
_ORDER = re.compile(
    r"(?<!\w)(before|after|prior to|following|vor|nach|avant|après|antes|después)(?!\w)"
)
_AFTER = frozenset({"after", "following", "nach", "après", "después"})
_TURNS = [line.split("\t") for line in data_lines("turns_of_phrase.tsv")]
_MARKUP = re.compile(r"[*`\"“”«»]")


def plain_words(folded: str) -> str:
    """Return folded text without markup and with its turns of phrase put plainly."""
    text = f" {_MARKUP.sub('', folded)} "
    for words, trigger, pattern in _TURNS:
        if trigger in text:
            text = _idiom(pattern).sub(words, text)
    return text.strip()


@cache
def _idiom(pattern: str) -> re.Pattern[str]:
    """Return a pattern compiled when it is first needed: all of them would take 10 ms."""
    whole = re.sub("<([a-z]+)>", lambda part: _TEXTS[part[1]], pattern)
    return re.compile(rf"(?<!\w)(?:{whole})(?!\w)")


_ASKED = re.compile(
    r"(?<!\w)(?:asked (?:about|why|how|what|where|when|whether)|wanted to know|talked about)(?!\w)"
)
# The user's own change of mind, as a summary tells it.
_USER = re.compile(r"(?<!\w)(?:users?|user's|usuario|usuário|nutzer|benutzer)(?!\w)|用户")


def only_reports(folded: str) -> bool:
    """Return whether folded text only tells what was or is, and asks for nothing."""
    if _ASKED.search(folded) is not None:
        return True
    return _SAYS["report"].search(folded) is not None and _SAYS["directive"].search(folded) is None


def taken_back(folded: str) -> int:
    """Return 2 where folded text says that the user has changed their mind, 1 where it may."""
    if _USER.search(folded) is None:
        return 0
    if _SAYS["taken back"].search(folded):
        return 2
    return 1 if _SAYS["changed"].search(folded) else 0


TEXT_LIMIT_CHARS = 2_000
_ASIDE_WORDS = 2
_SHORT_SEGMENT_WORDS = 3


@dataclass(slots=True)
class Polarity:
    """How a text stands to its words.

    `signs` maps canonical content words to +1, -1 or 0. `bound` is +1 for an upper limit on a
    number, -1 for a lower one. `order` maps a word to whether something comes before (+1) or
    after (-1) it. `guarded` holds the words that are ruled out unless a condition is met,
    `aside` those that are set aside in favour of others, `predicate` what is ruled out first.
    `required` are the words of what has to come first or along, and `waives` says that it need
    not. A `wish` is less than what is merely `weak`.
    """

    signs: dict[str, int] = field(default_factory=dict)
    lifted: bool = False
    permitted: bool = False
    weak: bool = False
    wish: bool = False
    strong: bool = False
    exclusive: bool = False
    negative: bool = False
    bound: int = 0
    order: dict[str, int] = field(default_factory=dict)
    guarded: set[str] = field(default_factory=set)
    aside: set[str] = field(default_factory=set)
    predicate: str = ""
    inclusive: bool = False
    required: set[str] = field(default_factory=set)
    waives: bool = False


def read_polarity(text: str) -> Polarity:
    """Return how the text stands to its words."""
    folded = plain_words(fold_case(text[:TEXT_LIMIT_CHARS]))
    narrowed = _ONLY_IF.sub(" ", folded)
    found = _NEGATION.search(folded) or _LEADING_NO.search(folded)
    read = Polarity(
        lifted=_SAYS["lift"].search(folded) is not None,
        weak=_SAYS["weak"].search(narrowed) is not None,
        wish=_SAYS["wish"].search(narrowed) is not None,
        exclusive=_SAYS["exclusive"].search(narrowed) is not None,
        bound=_bound(folded),
        order=_order(folded),
        predicate=next(iter(_words(folded[found.end() :])), "") if found is not None else "",
        inclusive=_SAYS["inclusive"].search(folded) is not None,
    )
    is_before = False
    for segment in _segments(folded):
        is_before = _read_segment(segment, read, is_before=is_before)
    if not read.negative and _SAYS["needs"].search(folded):
        read.required.update(read.signs)
    read.strong = read.negative or _SAYS["strong"].search(folded) is not None
    read.waives = read.waives or read.lifted
    limits = read.negative or read.exclusive or read.required or read.bound
    read.permitted = not limits and _SAYS["permission"].search(folded) is not None
    return read


def sets_polarity(text: str) -> bool:
    """Return whether a heading says how the lines below it are meant."""
    folded = plain_words(fold_case(text))
    signs = (
        _NEGATION,
        _SAYS["lift"],
        _SAYS["aside"],
        _SAYS["permission"],
        _SAYS["weak"],
        _SAYS["exclusive"],
    )
    return any(sign.search(folded) for sign in signs)


def _sentences(folded: str) -> Iterator[str]:
    """Yield the parts between marks; a colon parts too, unless what is before it turns the rest."""
    for sentence in _SAYS["break"].split(folded):
        head, colon, rest = sentence.partition(": ")
        turns_rest = _SAYS["lift"].search(head) is not None or not _words(head)
        if colon and not turns_rest:
            yield from (head, rest)
        else:
            yield sentence


def _segments(folded: str) -> Iterator[str]:
    """Yield the parts of a sentence over which one negation reaches.

    A comma ends such a part unless it stands in a list (`a, b or c`).
    """
    for sentence in _sentences(folded):
        open_part = ""
        for part in sentence.split(","):
            listed = _LISTING.search(part) is not None or len(part.split()) < 2
            if not open_part or (listed and not has_cjk(part)):
                open_part = f"{open_part},{part}" if open_part else part
            elif all(is_empty(word) for word in raw_words(open_part)):
                open_part = f"{open_part} {part}"
            else:
                yield open_part
                open_part = part
        yield open_part


def _read_segment(segment: str, into: Polarity, *, is_before: bool) -> bool:
    """Add the segment's words with their signs, and whether it rules something out.

    Return whether it begins with "before": what has to come first stands in the next one then, to
    which `is_before` is told.
    """
    negation = (_SAYS["negation cjk"] if has_cjk(segment) else _NEGATION).search(segment)
    leading = _LEADING_NO.match(segment)
    aside = (_SAYS["aside"].search(segment) or _prefer_over(segment)) if leading is None else None
    flips = len(_SAYS["flip"].findall(segment))
    negative = negation is not None and not _is_constituent(segment, negation)
    negative = negative or leading is not None
    sign = -1 if (negative + flips) % 2 else 1
    before = _BEFORE.search(segment)
    condition = _ONLY_IF.search(segment) or (
        _SAYS["condition"].search(segment) if negative else None
    )
    begins_so = not is_before and before is not None and not segment[: before.start()].strip()
    if is_before or begins_so:
        into.required.update(_put(into.signs, segment, sign) if sign > 0 else ())
    elif condition is not None:
        into.guarded.update(_put(into.signs, segment[: condition.end()], 0))
        into.required.update(_put(into.signs, segment[condition.end() :], 1))
    elif before is not None and aside is None:
        first = _put(into.signs, segment[: before.start()], sign)
        _put(into.signs, segment[before.start() :], 0)
        into.required.update(first if sign > 0 else ())
    elif aside is not None and not negative:
        _put(into.signs, segment[: aside.start()], sign)
        _put(into.signs, segment[aside.end() :], -sign)
        named = _SAYS["preposition"].split(segment[aside.end() :], maxsplit=1)[0]
        into.aside.update(_words(named)[:_ASIDE_WORDS])
    else:
        _put(into.signs, segment, sign)
    if negative and sign < 0 and _PRONOUN.search(segment):
        into.signs.update((word, 0) for word, known in into.signs.items() if known > 0)
    into.negative = into.negative or negative or aside is not None or flips % 2 == 1
    if aside is not None and condition is None and not negative and _WITHOUT.search(segment):
        into.waives = True
    return begins_so


def _prefer_over(segment: str) -> re.Match[str] | None:
    found = _SAYS["prefer"].search(segment)
    if found is None and len(segment.split()) > _SHORT_SEGMENT_WORDS:
        return None
    return _OVER.search(segment, found.end() if found else 0)


def _is_constituent(segment: str, negation: re.Match[str]) -> bool:
    """Return whether a bare `not` rules out only what follows it: `use pnpm not npm`."""
    if negation.group() != "not":
        return False
    before = segment[: negation.start()].strip()
    if not before:
        return len(segment.split()) <= _SHORT_SEGMENT_WORDS
    return _SAYS["auxiliary"].search(before + " ") is None


def _put(signs: dict[str, int], part: str, sign: int) -> list[str]:
    """Give the part's content words a sign where they have none yet; return these words."""
    words = _words(part)
    for word in words:
        signs[word] = signs.get(word) or sign
    return words


def _words(part: str) -> list[str]:
    return [canonical(word) for word in raw_words(part) if not is_empty(word)]


def _bound(folded: str) -> int:
    up, down = _SAYS["bound up"].search(folded), _SAYS["bound down"].search(folded)
    found = up or down
    if found is None or (up and down):
        return 0
    before = folded[max(0, found.start() - 40) : found.start()]
    turned = _NEGATION.search(before) is not None or _SAYS["aside"].search(before) is not None
    return (1 if up is not None else -1) * (-1 if turned else 1)


def _order(folded: str) -> dict[str, int]:
    order: dict[str, int] = {}
    for found in _ORDER.finditer(folded):
        following = raw_words(folded[found.end() : found.end() + 60])
        target = next((word for word in following if not is_empty(word)), "")
        if target:
            order[canonical(target)] = -1 if found.group(1) in _AFTER else 1
    return order


_PLAIN_VERBS = BARE_VERBS.union(map(canonical, ("run", "write", "add", "go", "take", "give")))
_REMOVE = canonical("remove")
_TURNING = frozenset(map(canonical, ("disable", "exclude", "omit", "skip")))
"""Words that turn the sign of what they govern, and so their own."""
OPPOSITES: defaultdict[str, set[str]] = defaultdict(set)
"""By canonical word those that mean its opposite."""
for _pair in word_lists("en")["opposites"]:
    _left, _right = map(canonical, _pair.split())
    OPPOSITES[_left].add(_right)
    OPPOSITES[_right].add(_left)
_PREDICATE_WEIGHT = 2.5
_SAME_PREDICATE_WEIGHT = 4.0
"""What is ruled out in both texts tells more than the words around it."""


def disagreement(item: Polarity, other: Polarity, shared: dict[str, float]) -> float:
    """Return how far two stances contradict each other, in [-1, 1]; above 0 they do.

    `shared` holds the words that both texts have, and their weights.
    """
    if item == other:
        return -1.0
    against = agreeing = 0.0
    turn = -1 if _removes(other, item) or _removes(item, other) else 1
    for word, weight in shared.items():
        mine, half = _sign(item, other, word)
        theirs, other_half = _sign(other, item, word)
        theirs *= turn
        weight *= 0.5 if half or other_half else 1.0
        is_barred = word == other.predicate and mine > 0 > theirs and not other.guarded
        if (word == item.predicate or is_barred) and word not in BARE_VERBS:
            weight = max(weight, 1.0) * _predicate_weight(word, mine, theirs)
        if mine * theirs < 0:
            against += weight
        elif mine and theirs:
            agreeing += weight
    heavy = 2 * max(against + agreeing, 1.0)
    turned = [
        item.bound * other.bound < 0,
        any(item.order[w] * other.order.get(w, 0) < 0 for w in item.order if w in shared),
        _is_swapped(item, other, 1),
        other.lifted and not item.lifted,
        _is_weakened(item, other),
        _is_traded(item, other, shared),
        item.exclusive and other.inclusive,
        item.required and other.waives and not item.waives,
    ]
    if any(turned):
        against += heavy * sum(map(bool, turned))
    else:
        agreeing += heavy * bool(item.required & other.required)
        agreeing += heavy * (item.bound * other.bound > 0)
        agreeing += heavy * _is_swapped(item, other, -1)
    total = against + agreeing
    return (against - agreeing) / total if total else 0.0


def is_limited_otherwise(item: Polarity, other: Polarity) -> bool:
    """Return whether a bound on a number became its opposite, or `only` its exception."""
    widened = item.exclusive and other.inclusive and not other.exclusive
    narrowed = item.inclusive and other.exclusive and not (item.exclusive or other.inclusive)
    return item.bound * other.bound < 0 or widened or narrowed


def _predicate_weight(word: str, mine: int, theirs: int) -> float:
    """Return how much more a word tells that is the first to be ruled out in one of the texts."""
    if mine < 0 and theirs < 0:
        return _SAME_PREDICATE_WEIGHT
    return 1.0 if word in _PLAIN_VERBS else _PREDICATE_WEIGHT


def _sign(one: Polarity, other: Polarity, word: str) -> tuple[int, bool]:
    """Return a word's sign, and whether it is ruled out under a condition in this text only."""
    if word in one.guarded and word not in other.guarded:
        return -1, True
    return one.signs.get(word, 0), False


def _is_traded(item: Polarity, other: Polarity, shared: dict[str, float]) -> bool:
    """Return whether one text sets aside what the other asks for."""
    return any(
        (word in other.aside and item.signs.get(word, 0) > 0)
        or (word in item.aside and other.signs.get(word, 0) > 0 and word not in other.guarded)
        for word in shared
        if not is_light(word)
    )


def _is_swapped(item: Polarity, other: Polarity, sense: int) -> bool:
    """Return whether a word's opposite has taken its place, in the same sense (1) or not (-1)."""
    return any(
        sense * (-1 if _TURNING & {word, opposite} else 1) * sign * other.signs[opposite] > 0
        for word, sign in item.signs.items()
        for opposite in OPPOSITES.get(word, ())
        if opposite in other.signs.keys() - item.signs.keys() and word not in other.signs
    )


def _removes(one: Polarity, other: Polarity) -> bool:
    """Return whether one text takes away what it names, and the other does not speak of that."""
    return one.signs.get(_REMOVE, 0) > 0 and not one.required and _REMOVE not in other.signs


def _is_weakened(item: Polarity, other: Polarity) -> bool:
    """Return whether what the item demands is merely allowed or suggested."""
    if item.weak or item.permitted or other.exclusive:
        return False
    if not item.strong:
        return other.wish and not item.wish
    return other.permitted or (other.weak and (item.negative or not other.negative))


TONGUES = frozenset(map(canonical, words_of_all("tongue")))
"""Languages, of which a rule names one as it names an amount."""
# What rules are made of, whatever they are about; getters count as "get".
_BARE = BARE_VERBS.union(map(canonical, words_of_all("bare"))) - {"get"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a statement is about; `asked` and `barred` are its words by polarity.

    Those that hang on a condition ("without asking me") are neither. `names` are identifiers,
    numbers, paths, addresses, and single letters: what two of a kind differ by.
    """

    words: frozenset[str]
    asked: frozenset[str]
    barred: frozenset[str]
    names: frozenset[str]


def subject_of(text: str) -> Subject:
    """Return the subject of a rule or of what a retraction speaks of."""
    signs = {
        word: sign
        for word, sign in read_polarity(_without_any_more(text)).signs.items()
        if word not in _BARE and (len(word) > 1 or word.isdigit() or has_cjk(word))
    }
    return Subject(
        frozenset(signs),
        frozenset(word for word, sign in signs.items() if sign > 0),
        frozenset(word for word, sign in signs.items() if sign < 0),
        frozenset(anchors_of(text)).union(map(str.casefold, _LETTER.findall(text))),
    )


def _without_any_more(text: str) -> str:
    """Return an order without "any more"; a report that something is not so any more as it is."""
    return _ANY_MORE.sub("", text) if _ORDERS.match(text) else text


# Everyday verbs and nouns of the trade say little about which rule is meant.
_EVERYDAY = frozenset(map(canonical, words_of_all("everyday")))
_EVERYDAY_WEIGHT = 0.5
# "table a", "plan B": with a word behind it, a letter is an article or a pronoun as a rule.
_LETTER = re.compile(r"(?<![\w'’-])[A-Za-z](?![\w'’-]|\s+\w)")
_ANY_MORE = re.compile(r"\s(?:any ?more|any longer)\b", re.IGNORECASE)
_ORDERS = re.compile(r"\W*(?:please,? )?(?:do not|don['’]?t|never|stop|you|we)\b", re.IGNORECASE)
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*[a-z%]{0,3}")
_MEASURES = frozenset(map(canonical, words_of_all("measure")))
# Shares of the words' weight; chosen on the phrases in the tests.
_TARGET_SHARE = 0.6
_SUPERSEDED_SHARE = 0.34


def shared_weight(target: Subject, rule: Subject) -> float:
    """Return which share of a target's words a rule has.

    Nothing for everyday words alone, nor for a language: many rules say which one to write in;
    but where the target has no other words.
    """
    shared = target.words & rule.words
    tells = shared and (shared == target.words or shared - _EVERYDAY - TONGUES)
    return _weight(shared) / _weight(target.words) if tells else 0.0


def same_claim(old: Subject, new: Subject) -> bool:
    """Return whether two rules say the same of the same things, in whatever order or form.

    One that says more may hold for less ("never delete files", "never delete files in docs"): both
    are needed.
    """
    return bool(old.words) and old == new


def contradicts(new: Subject, old: Subject) -> bool:
    """Return whether a newer rule takes the place of an older one on the same subject."""
    if _differ_by_value(new, old):
        return True
    replaced = new.barred & old.asked
    if replaced and new.asked and replaced == new.barred and not new.asked <= old.asked:
        return _weight(replaced) >= _SUPERSEDED_SHARE * _weight(old.asked)
    if replaced and not new.asked and not old.barred:
        # "Don't run the slow tests" takes only some away of "always run the tests".
        return new.barred <= old.words and _are_alike(new.barred, old.asked)
    allowed = new.asked & old.barred
    if not allowed or (new.barred and not replaced):
        return False
    return old.barred <= new.words and _are_alike(new.asked, old.barred)


def _differ_by_value(new: Subject, old: Subject) -> bool:
    """Return whether two rules differ in nothing but one amount, version or language.

    A number in what is ruled out tells which thing is meant ("never touch migration 7"), unless
    the words around it make it an amount ("never more than 3 retries").
    """
    if len(new.words) != len(old.words):
        return False
    extra, missing = new.words - old.words, old.words - new.words
    if len(extra) != 1 or len(missing) != 1 or not new.words & old.words:
        return False
    (put,), (gone,) = extra, missing
    if put in TONGUES and gone in TONGUES:
        return bool(new.barred) == bool(old.barred)
    if not (_AMOUNT.fullmatch(put) and _AMOUNT.fullmatch(gone)):
        return False
    if put in new.barred and gone in old.barred:
        return bool(new.words & _MEASURES)
    return put in new.asked and gone in old.asked


def _weight(words: frozenset[str]) -> float:
    return sum(_EVERYDAY_WEIGHT if word in _EVERYDAY else 1.0 for word in words)


def _are_alike(left: frozenset[str], right: frozenset[str]) -> bool:
    return _weight(left & right) >= _TARGET_SHARE * max(_weight(left), _weight(right))
