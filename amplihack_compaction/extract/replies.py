"""Find what of the model's questions, lists and proposals a short reply of the user's takes.

"B, it's less to explain" is a choice of nothing without the list that it chooses from, and "yes,
but without 4" says nothing of what is to be done.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from amplihack_compaction.text.classifier import user_chances
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import (
    GO_ON_WORDS,
    STOPWORDS,
    asks,
    end_of_question,
    has_cjk,
    has_hint,
    one_line,
    scripts_apart,
    words_of,
)

_PATTERNS = patterns("replies")

# Of what the model wrote, a list and its question stand at the end.
TEXT_CHARS = 6_000
QUESTION_CHARS = 160
# What offers a choice without a question mark.
_OFFERS = (
    "option", "choice", "choose", "pick", "prefer", "alternative", "which", "decide", "variant",
    " ways", "candidate", "recommend", "suggest", "propose", "i'd ", "i would ", "i’d ", "want to",
    "wähl", "choix", "préfér", "opci", "elige", "opç", "escolh", "选", "方案", "哪",
)  # fmt: skip
MARKS = re.compile(r"\*\*|__|`")
_QUESTION_SENTENCES = 3
_OR = re.compile(r"\W*(?:or|oder|ou|o|или|还是|それとも|아니면)\b", re.IGNORECASE)
_TWO_WAYS = re.compile(r"\b(?:or|instead of|rather than|versus|vs|over)\b", re.IGNORECASE)
# "REST or GraphQL?"
_ONLY_TWO_WAYS = re.compile(r"\W{0,3}\S{2,30}(?: \S{2,30})? or \S{2,30}(?: \S{2,30})?\?\W{0,3}")
_TWO_WAYS_ABROAD = re.compile(_PATTERNS["two ways abroad"], re.IGNORECASE)
# An English question that does not ask what is the case.
_PROPOSES = re.compile(_PATTERNS["proposes"], re.IGNORECASE)
# About how to go on now, and nothing else.
_ONLY_GOES_ON = re.compile(_PATTERNS["only goes on"], re.IGNORECASE)
# "Do you see it now, or is it still missing?" is answered by a report.
_ASKS_HOW_IT_IS = re.compile(_PATTERNS["asks how it is"], re.IGNORECASE)


def may_ask(text: str) -> bool:
    """Return at a glance whether a text of the model's may ask something: not every list does."""
    end = text[-TEXT_CHARS:]
    return has_hint(end, ("?", "？", *_OFFERS))


def question_in(text: str) -> str:
    """Return the last question in a text of the model's; empty without one."""
    return one_line(last_question(sentences(_plain_end(text))), QUESTION_CHARS)


def _newest_question(text: str) -> str:
    """Return the question near a text's end, which may be answered; empty without one."""
    return last_question(sentences(_plain_end(text))[-_QUESTION_SENTENCES:])


def _plain_end(text: str) -> str:
    return MARKS.sub("", text[-TEXT_CHARS:])


def last_question(parts: Sequence[str]) -> str:
    """Return the last of the sentences that asks; empty without one.

    "Or ...?" stands with the one before it: both are what was asked.
    """
    for number in reversed(range(len(parts))):
        if asks(parts[number]):
            is_half = number > 0 and _OR.match(parts[number]) and asks(parts[number - 1])
            return " ".join(parts[number - 1 : number + 1]) if is_half else parts[number]
    return ""


def names_two_ways(question: str) -> bool:
    """Return whether a question proposes two ways to do something."""
    in_english = _TWO_WAYS.search(question) and _PROPOSES.search(question)
    return bool(
        in_english or _ONLY_TWO_WAYS.fullmatch(question) or _TWO_WAYS_ABROAD.search(question)
    )


_ANSWER_WORDS = 12
_OFFERS_WORK = re.compile(_PATTERNS["offers work"], re.IGNORECASE)
TAKES_ONE_WAY = re.compile(_PATTERNS["takes one way"], re.IGNORECASE)
_ONE_WAY = re.compile(r"\b(?:should|shall|want|like|may i|can i|could i)\b", re.IGNORECASE)
_ASKS_FOR_VALUE = re.compile(_PATTERNS["asks for value"], re.IGNORECASE)
_ASKS_NO_VALUE = re.compile(_PATTERNS["asks no value"], re.IGNORECASE)
_GIVES_NO_VALUE = re.compile(_PATTERNS["gives no value"], re.IGNORECASE)
# Who says more than that tells something else.
_VALUE_WORDS = 6
_VALUE_CHARS = 60
_SAYS_NO = re.compile(_PATTERNS["says no"], re.IGNORECASE)
_OFFERS_ABROAD = re.compile(_PATTERNS["offers abroad"], re.IGNORECASE)
_SAYS_NO_ABROAD = re.compile(_PATTERNS["says no abroad"], re.IGNORECASE)
SAYS_YES_BUT = re.compile(_PATTERNS["says yes but"], re.IGNORECASE)
_SAYS_YES_OR_NO = re.compile(_PATTERNS["says yes or no"], re.IGNORECASE)
BEGINS_WITH_NO = re.compile(
    r"(?:no|nope|nein|nee?|non|não|нет|不(?:对|是|要)|いや|いいえ|아니\w{0,4})\b[\s,.:;!，、]", re.I
)
# Pairs of characters that many sentences have.
_NAMES_NO_WAY = re.compile(
    r"[\u3040-\u309f]|我们|这个|那个|需要|使用|一个|现在|으로|에서|하는|할까|까요"
)
_ASKS_FOR_WORK = 0.8
_SHARE_OF_ANSWER = 0.4
# Endings differ between a way and the answer that takes it: "оставить", "оставь".
_STEM_CHARS = 5
# A prompt of so few words is an answer of nothing else.
_BARE_WORDS = 2
# What answers a question of two ways in no word of it is not longer than this.
_REPLY_WORDS = 8


def answers(sentence: str, text: str) -> bool:
    """Return whether a short sentence answers the question that a text ends with.

    It says yes or no, or is said where two ways were named.
    """
    if not end_of_question(text[-QUESTION_CHARS:]) or asks(sentence):
        return False
    length = len(sentence.split())
    if length <= _ANSWER_WORDS and _SAYS_YES_OR_NO.match(sentence):
        return True
    question = _newest_question(text)
    offers = names_two_ways(question) and not _ONLY_GOES_ON.search(question)
    return length <= _REPLY_WORDS and offers


def settled_by(sentence: str, text: str, *, alone: bool = False) -> str:
    """Return what of a text of the model's a short sentence settles; empty when it settles nothing.

    That is a question which names two ways, asks whether something is to be, or, where
    the sentence stands `alone`, asks for a value.
    """
    if not may_ask(text) or len(sentence.split()) > _ANSWER_WORDS or asks(sentence):
        return ""
    question = _newest_question(text)
    if not question or _ONLY_GOES_ON.search(question) or _ASKS_HOW_IT_IS.search(question):
        return ""
    if alone and _is_value_for(sentence, question):
        return one_line(question, QUESTION_CHARS)
    if not names_two_ways(question) and not _asks_one_way(sentence, question):
        return ""
    settles = _SAYS_YES_OR_NO.match(sentence) or _names_a_way(sentence, question)
    return one_line(question, QUESTION_CHARS) if settles else ""


def _is_value_for(sentence: str, question: str) -> bool:
    """Return whether a short sentence is the value that a question asks for: "8081", "EUR"."""
    if not _ASKS_FOR_VALUE.search(question) or _ASKS_NO_VALUE.search(question):
        return False
    words = words_of(sentence)
    is_nod = all(word in GO_ON_WORDS for word in words) or _SAYS_YES_OR_NO.match(sentence)
    if not words or is_nod or _GIVES_NO_VALUE.match(sentence):
        return False
    is_short = len(sentence.split()) <= _VALUE_WORDS and len(sentence) <= _VALUE_CHARS
    return is_short and user_chances(sentence).work < _ASKS_FOR_WORK


def _asks_one_way(sentence: str, question: str) -> bool:
    """Return whether a yes or no to whether something is to be holds on: no to work does, too."""
    if TAKES_ONE_WAY.search(question) and _SAYS_YES_OR_NO.match(sentence):
        return True
    if _OFFERS_ABROAD.search(question):
        return bool(_SAYS_NO_ABROAD.match(sentence) or SAYS_YES_BUT.match(sentence))
    is_one_way = _ONE_WAY.search(question) and not _ASKS_FOR_VALUE.search(question)
    if not is_one_way or not _PROPOSES.search(question):
        return False
    says_how = SAYS_YES_BUT.match(sentence) or not _OFFERS_WORK.search(question)
    yes = says_how and _SAYS_YES_OR_NO.match(sentence)
    return bool(yes or _SAYS_NO.match(sentence))


def _names_a_way(sentence: str, question: str) -> bool:
    """Return whether a sentence has a word of the question that names one of the ways."""
    said, asked = words_of(scripts_apart(sentence)), words_of(scripts_apart(question))
    length = len(sentence.split())
    may_begin = length <= _BARE_WORDS or (
        length <= _VALUE_WORDS and said[:1] and said[0] not in STOPWORDS
    )
    if may_begin and not has_cjk(sentence) and said and said[0] in asked:
        return True
    names = {word for word in said if _may_name(word)}
    stems = {word[:_STEM_CHARS] for word in asked if len(word) >= _STEM_CHARS}
    named = sum(
        name in asked or (len(name) >= _STEM_CHARS and name[:_STEM_CHARS] in stems)
        for name in names
    )
    # A request in Chinese has one pair of characters or another of every question.
    if has_cjk(sentence) and user_chances(sentence).work >= _ASKS_FOR_WORK:
        return named >= _SHARE_OF_ANSWER * len(names)
    return named > 0


def _may_name(word: str) -> bool:
    """Return whether a word may name a way; of CJK text, pairs of characters are the words."""
    if word in GO_ON_WORDS:
        return False
    return _NAMES_NO_WAY.search(word) is None if has_cjk(word) else len(word) > 2


_OPTION_CHARS = 120
_OPTIONS_CHARS = 300
_MOST_OPTIONS = 9
# Who chooses and explains why has said so by then.
_CHOICE_CHARS = 400

_EDGES = " :;,.—–·-"
_GOES_ON = re.compile(r",?\s(?:or|and|oder|und|ou|et|o|y|или|и)$", re.IGNORECASE)
_CELL_ENDS = re.compile(r" ?\| ?")
_KIND = (
    r"(?:option|variant|choice|plan|alternative|approach|number|version|opción|opcion|opção|opcao"
    r"|variante|вариант|方案|选项|方法|案)"
)
_OPTION = re.compile(
    rf"""
    ^(?P<indent>[ \t]{{0,12}})
    (?:(?P<heading>\#{{1,6}}[ \t])|(?P<row>\|)|[ \t>*+•-]{{0,12}})[ \t]{{0,4}}(?:\*\*|__)?
    (?P<kind>{_KIND}[ ]?)?\#?[(\[]?(?P<label>[1-9]|[A-Ha-h]|[一二三四五])
    (?(kind)(?:[ ]\([^()\n]{{1,30}}\))?)        # "Option 1 (recommended)"
    (?:
        [.):：、\]]|\ufe0f?\u20e3|\*\*|__         # "1.", "[1]", a keycap, "**A**"
        |(?=[ \t][—–-][ \t])                      # "A — by hand"
        |(?(row)[ \t]?(?=\|)|(?!))                # "| A | by hand |"
        |(?(kind)(?=\n)|(?!))                     # "Option A" above the line that tells it
    )
    [)*_:：.]{{0,4}}[ \t|]{{0,4}}(?(kind)(?:\n{{1,2}}(?=\*\*|[^\s\d*+•|>-]))?)
    [—–-]?[ \t]{{0,4}}(?P<text>\S[^\n]*)$
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_BULLET = re.compile(r"^(?P<indent>[ \t]{0,12})[-*+•][ \t]+(?P<text>\S[^\n]*)$", re.MULTILINE)
_ORDINALS = {
    "first": 1, "former": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "one": 1, "two": 2,
    "three": 3, "four": 4, "five": 5, "last": -1, "latter": -1, "erste": 1, "zweite": 2,
    "dritte": 3, "vierte": 4, "letzte": -1, "premier": 1, "première": 1, "premiere": 1,
    "deuxième": 2, "deuxieme": 2, "seconde": 2, "troisième": 3, "troisieme": 3,
    "dernier": -1, "dernière": -1, "primera": 1, "primero": 1, "primeira": 1, "primeiro": 1,
    "segunda": 2, "segundo": 2, "tercera": 3, "tercero": 3, "terceira": 3, "terceiro": 3,
    "última": -1, "ultima": -1, "último": -1, "ultimo": -1, "первый": 1, "второй": 2, "третий": 3,
    "последний": -1, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5,
    "첫": 1, "두": 2, "세": 3, "네": 4,
}  # fmt: skip
_COUNTED = "one|two|three|four|five"
# "The one with hooks" is not the first one.
_NAMES = "|".join(
    sorted((name for name in _ORDINALS if name not in _COUNTED.split("|")), key=len, reverse=True)
)
_TAKES = (
    r"(?:(?:ok|okay|yes|yeah|yep|no|nope|nein|non|não|hm+|fine|alright|right|then|so|well|please"
    r"|pls|i'd|i'll|i would|i will|let's|let us|i think|i|we|we'll|we go|go|do|take|taking|pick"
    r"|choose|prefer|like|use|try|make|it|to|going|with|for|rather|definitely|clearly|my vote|vote"
    r"|is|ja|ich nehme|nimm|wir nehmen|dann|bitte|oui|prends|on prend|je prends|va pour"
    r"|allons-y avec|sí|si|vale|vamos con|toma|usa|mejor|prefiero|sim|vamos com|vai de|fico com"
    r"|pega|да|нет|давай|тогда|возьм[иеё]м?|бер[иеё]м?|лучше)(?:[ ,:]+|$)){0,5}"
)
_ENDS = (
    r"(?:\s(?:it is|then|please|pls|bitte|por favor|stp))?\s*(?:$|[,.;:!&+–—-]|\s(?:but|because"
    r"|since|as|with|without|and|minus|plus|though|for now|weil|denn|aber|mit|ohne|erstmal|vorerst"
    r"|mais|car|parce|vu que|avec|sans|pour l'instant|pero|porque|pq|ya que|con|sin|por ahora"
    r"|por enquanto|mas|pois|com|sem|потому|так как|пока|но)\b|\s?(?:to|through|bis) (?=\d))"
)
# "A is fine", "1 does seem like a decent path"; not "2 feels far fetched".
_APPROVED = (
    r"\s(?:is|does|would|seems?|looks?|sounds?|feels?|works|ist|klingt)\b"
    r"(?: (?:be|do|seem|look|sound|like|the|a|an|most|much|really|pretty)){0,3}"
    r" (?:fine|good|great|nice|best|better|right|decent|ok|okay|perfect|enough|gut|besser)\b"
)
_CHOOSES = re.compile(
    rf"\W*{_TAKES}(?:(?:the |la |le |el |a |o |die |das |den |der )?(?:{_KIND}[ ]?)?"
    rf"\#?\(?(?:(?P<lettered>[a-h])\)(?=\s)|(?P<label>[1-9]|[a-h])\)?(?:{_ENDS}|{_APPROVED}))"
    rf"|(?:the |la |le |el |a |o |die |das |den |der )(?P<named>{_NAMES})[nrs]?"
    rf"(?: (?:one|way|idea|proposal|suggestion|{_KIND}))?{_ENDS}"
    rf"|(?P<placed>{_NAMES}) (?:one|option|way){_ENDS}"
    rf"|(?P<russian>первый|второй|третий|последний)(?: вариант)?{_ENDS}"
    rf"|{_KIND} (?P<counted>{_NAMES}|{_COUNTED}){_ENDS})",
    re.IGNORECASE,
)
_CHOOSES_EAST = re.compile(_PATTERNS["chooses east"])
_FURTHER = re.compile(_PATTERNS["further"], re.IGNORECASE)
_TELLS_STEPS = re.compile(_PATTERNS["tells steps"], re.IGNORECASE)
_ASKS_WHICH = re.compile(r"\b(?:which|any|these|those|them)\b", re.IGNORECASE)


def chosen_of(sentence: str, text: str) -> tuple[str, str]:
    """Return the option that a sentence chooses among those of the model's text, and the question.

    Of several options all are told. Both are empty where it chooses none: the label or the place
    must be one of a list's.
    """
    if len(sentence) > _CHOICE_CHARS or not may_ask(text):
        return "", ""
    words = sentence.replace("’", "'")
    found = _CHOOSES.match(words) or _CHOOSES_EAST.match(words)
    if found is None:
        return "", ""
    end = text[-TEXT_CHARS:]
    options = options_in(end)
    if len(options) < 2 or _lists_steps(end) or all(asks(said) for _, said in options):
        return "", ""
    wanted = next(filter(None, found.groups())).casefold()
    labels = [wanted, *_further(words, found)]
    taken = dict.fromkeys(_named(label, options) for label in labels)
    option = one_line("; ".join(filter(None, (*taken, _said_of(wanted, end)))), _OPTIONS_CHARS)
    asked = question_in(text) or _heading_of_list(end)
    return option, asked if option else ""


def _said_of(label: str, text: str) -> str:
    """Return what the model says of an option behind the list: "Option 1 is simpler: ..."."""
    behind = text[_last_list(text)[-1].end() :]
    said = re.search(
        rf"^\W*option {re.escape(label)} (?:is|means|has|would)\b.+", behind, re.I | re.M
    )
    return _told(sentences(said[0])[0]) if said else ""


def _further(words: str, found: "re.Match[str]") -> Iterator[str]:
    """Yield the labels that follow the first one in a row of them, or in a range of numbers."""
    last = max(range(1, len(found.groups()) + 1), key=found.end)
    end, label = found.end(last), found[last]
    while another := _FURTHER.match(words, end):
        if another["range"] and label.isdigit() and another["label"].isdigit():
            yield from map(str, range(int(label) + 1, int(another["label"])))
        label, end = another["label"], another.end()
        yield label.casefold()


def _named(wanted: str, options: list[tuple[str, str]]) -> str:
    """Return the option of a label, or at a place of that name."""
    place = _ORDINALS.get(wanted, 0)
    at_place = options[-1:] if place < 0 else options[max(place - 1, 0) : place]
    labelled = [option for option in options if option[0] == wanted]
    return next((said for _, said in (*labelled, *at_place) if said), "")


def options_in(text: str) -> list[tuple[str, str]]:
    """Return the last list's options with their labels; of plain bullets the labels are empty."""
    return [(_label_of(each), _told(each["text"])) for each in _last_list(text)]


def choice_at_end(text: str) -> str:
    """Return the options that a text ends by letting choose among, with its question, on one line.

    Each option is cut to its first words. Empty for any other text.
    """
    end = text[-TEXT_CHARS:]
    entries = _last_list(end)
    behind = end[entries[-1].end() :].strip() if entries else ""
    if not entries or len(behind) > QUESTION_CHARS or not behind.endswith(_ASKS_AT_END):
        return ""
    if not _label_of(entries[0]) or _lists_steps(end):
        return ""
    options = "; ".join(
        f"{label}. {one_line(said, _SHOWN_OPTION_CHARS)}" for label, said in options_in(end)
    )
    return f"{options}. {one_line(behind, QUESTION_CHARS)}"


_ASKS_AT_END = ("?", "？", "?**", "?*")
_SHOWN_OPTION_CHARS = 80


def is_option(line: str) -> bool:
    """Return whether a line offers something by a label: `B: provider and outcome`."""
    return _OPTION.match(line) is not None


def _last_list(text: str) -> list["re.Match[str]"]:
    """Return the entries of a text's last list, without those of lists that stand in it."""
    options = _outermost(_OPTION, text)
    named = _last_found([each for each in options if each["kind"] or each["heading"]])
    if len(named) > 1:
        # The steps of an option follow it; a list behind another question is one of its own.
        last = named[-1]
        behind = _last_found([each for each in options if each.start() > last.start()])
        between = text[last.end() : behind[0].start()] if behind else ""
        asked = _ENDS_OF_QUESTION if last["kind"] else _ENDS_OF_LEAD
        return behind if len(behind) > 1 and asked.search(between) else named
    for entries in (options, _outermost(_BULLET, text)):
        if len(found := _last_found(entries)) > 1:
            return found
    return []


_ENDS_OF_QUESTION = re.compile(r"[?？][*_]{0,2}$", re.MULTILINE)
_ENDS_OF_LEAD = re.compile(r"[?？:：][*_]{0,2}$", re.MULTILINE)
_UNINDENTED = re.compile(r"^\S", re.MULTILINE)


def _outermost(pattern: "re.Pattern[str]", text: str) -> list["re.Match[str]"]:
    """Return the entries that are not indented below the one above them."""
    found: list[re.Match[str]] = []
    end = 0
    for each in pattern.finditer(text):
        is_apart = not found or _UNINDENTED.search(text, end + 1, each.start())
        if is_apart or len(each["indent"]) <= len(found[-1]["indent"]):
            found.append(each)
        end = each.end()
    return found


def _heading_of_list(text: str) -> str:
    """Return the line above a text's last list: of what the list is."""
    entries = _last_list(text)
    above = text[: entries[0].start()].rstrip().rpartition("\n")[2] if entries else ""
    return one_line(MARKS.sub("", above).strip(_EDGES + "#"), QUESTION_CHARS)


def _lists_steps(text: str) -> bool:
    """Return whether a text's last list is of steps, or of what was done: none is to be chosen."""
    behind = text[_last_list(text)[-1].end() :]
    which = _ASKS_WHICH.search(question_in(behind))
    return bool(_TELLS_STEPS.search(_heading_of_list(text))) and not which


def _last_found(found: list["re.Match[str]"]) -> list["re.Match[str]"]:
    labels = [_label_of(each) for each in found]
    # A list begins anew with its first label, also with that of letters after numbers.
    anew = (at for at, label in enumerate(labels) if label and label in (labels[0], "1", "a"))
    start = max(anew, default=0)
    return found[start : start + _MOST_OPTIONS]


def _label_of(found: "re.Match[str]") -> str:
    label = (found.groupdict().get("label") or "").casefold()
    return str(_ORDINALS[label]) if label in "一二三四五" and label else label


def _told(option: str) -> str:
    # Its own quotation marks would let it seem to be what the user said.
    said = _CELL_ENDS.sub(" · ", MARKS.sub("", option)).replace('"', "'").strip(_EDGES)
    return one_line(_GOES_ON.sub("", said), _OPTION_CHARS)


# Who answers more than that writes a text of his own.
_ANSWERS_CHARS = 600
_ANSWER_CHARS = 160
_LEAST_ANSWERS = 2
# Chinese and Japanese have no blank behind "1." or between two answers.
_NUMBER = re.compile(
    r"(?:^|(?<=[\s,;，；、。]))(?:(?:q|a|re|for|question|answer|问题|問題|回答)[ ]?)?"
    r"(?:\*\*|[#(（\[])?(?P<label>[1-9])"
    r"(?:(?P<mark>[.):．：、/\]]|\*\*:?|[ ]?[-–—=]>?(?=\s)|\ufe0f?\u20e3|)(?=\s)"
    r"|(?P<close>[、：]|[.):．）](?=[^\x00-\x7f])))",
    re.IGNORECASE,
)
# "Here you go:", above the first answer.
_LEADS = re.compile(r"\W*(?:\w{1,12}\W{1,3}){0,5}[:：\n]\W*", re.IGNORECASE)
_ANSWER_EDGES = " \t\n,;.:–—-，；、。"


def numbered_answers(prompt: str, text: str) -> list[tuple[str, str]]:
    """Return the questions of a text's numbered list with a prompt's answers to them.

    There are none where the numbers of the answers are not clear. Beside "1." and "2." a bare
    number is one of the words: "if all 3 lanes fit".
    """
    if len(prompt) > _ANSWERS_CHARS or not has_hint(text, "?？"):
        return []
    found = list(_NUMBER.finditer(prompt))
    marked = [bool(each["mark"] or each["close"]) for each in found]
    found = [each for each, mark in zip(found, marked, strict=True) if mark == marked[0]]
    if len(found) < _LEAST_ANSWERS:
        return []
    questions = {
        _label_of(each): one_line(asked, QUESTION_CHARS)
        for each in _last_list(text[-TEXT_CHARS:])
        if (asked := last_question(sentences(MARKS.sub("", each["text"]))))
    }
    found = [each for each in found if each["label"] in questions]
    labels = [each["label"] for each in found]
    clear = labels == sorted(labels) and max(Counter(labels).values(), default=0) == 1
    if len(found) < _LEAST_ANSWERS or not clear:
        return []
    lead = prompt[: found[0].start()]
    if lead.strip(_ANSWER_EDGES) and not _LEADS.fullmatch(lead):
        return []
    ends = [*(each.start() for each in found[1:]), len(prompt)]
    answers = (
        (
            questions[each["label"]],
            one_line(prompt[each.end() : end].strip(_ANSWER_EDGES), _ANSWER_CHARS),
        )
        for each, end in zip(found, ends, strict=True)
    )
    return [(asked, answer) for asked, answer in answers if answer]
