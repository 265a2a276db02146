"""Keep what the user said that may be a rule or a choice, though its wording does not tell.

Rules and decisions are known by their wording, and people have wordings that nobody thought of.
What is left is weighed by what such sentences have (they deny, demand, choose) and ordinary ones
have (they ask for work, tell of trouble). The weightiest are quoted below what was understood.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache

from amplihack_compaction.language.text import has_cjk, normal_form
from amplihack_compaction.patterns import lazily
from amplihack_compaction.speech.norms import kind_of_rule
from amplihack_compaction.speech.retractions import target_of
from amplihack_compaction.speech.statements import Said, prompts_said
from amplihack_compaction.state.model import Decision, Rule
from amplihack_compaction.transcript.boundaries import Window

REMARKS_LIMIT = 80
_LONGEST_CHARS = 300
_FEWEST_WORDS = 4
_FEWEST_CJK = 7
_LEAST_WEIGHT = 1
_CACHED_SENTENCES = 2048
_ASKS = lazily(
    r"\W*(?:what|why|how|where|when|who|which|is|are|does|do (?:we|i|you)|did|can (?:we|i)"
    r"|should)\b"
    r"|.*(?:[?？]|吗|呢)\W*$"
)
_QUOTES = lazily(r"[\"“„«「『][^\"”“»」』]{4,}[\"”“»」』]|(?<!\w)'[^']{8,}'(?!\w)")
_DENIES = lazily(
    r"\b(?:no|not|never|none|nothing|nobody|without|cannot|nunca|jam[aá]s|jamais|n[aã]o|nada|nadie"
    r"|ning\w+|ni|pas|plus|rien|aucun\w*|sin|sem|sans|fuera|fora|nicht|nie|kein\w*)\b|n't\b"
    r"|\b(?:dont|doesnt|isnt|cant)\b|[不别勿禁]"
)
_DEMANDS = lazily(
    r"\b(?:must|should|shall|ha(?:s|ve) to|needs?|require\w*|expect|always|only|every|each|all|any"
    r"|keep\w*|stays?|remains?|leave|same|exactly|first|until|unless|before|except|ask|tell me"
    r"|go by"
    r"|please|rules?|style|guide|way|conventions?|optional|allowed|ours?|we|siempre|sempre|toujours"
    r"|cada|chaque|tod[oa]s?|tout\w*|s[oó]lo|só|seulement|hay que|tem que|il faut|doi(?:t|vent)"
    r"|deb\w+|dev\w+)\b|[都先须必只]|一定|每次|记得|统一"
)
_CHOOSES = lazily(
    r"\b(?:wins?|choose|pick|prefer|instead|over|plan|fine with|trust|take|going for|go for"
    r"|ended up|choice|fit|decided|has to be|ce sera|será|fica|eleg\w+"
    r"|escolh\w+|prend\w*)\b|[选用]"
)
# What may take something back.
_RELEASES = lazily(
    r"\b(?:go ahead|yours|whenever you like|as you like|up to you|permission|approved|no longer"
    r"|any ?more|don't care|(?:doesn|don)'t (?:have|need) to|may|freely|free to|allowed"
    r"|after all)\b"
)
_REASONS = lazily(
    r"\b(?:because|since|as|so|mostly|then|with|otherwise|doubt|vu que|parce que|car|porque|ya que"
    r"|pois|sinon|sino)\b|因为|毕竟|否则"
)
_ORDINARY = lazily(
    r"\b(?:errors?|bugs?|broken?|fail\w*|crash\w*|wrong|slow\w*|missing|stuck|works?|worked|looks?"
    r"|shows?|got|tried|happen\w*|misaligned|overlap|i (?:think|see|get|restarted)"
    r"|some(?:body"
    r"|one)|users?|customers?|whats?|thanks?|thx|merci)\b|错|报错|失败|怎么"
)
_ASKS_FOR_WORK = lazily(
    r"\W*(?:(?:ok(?:ay)?|please|pls|now|then|and|also|great|fine|good|hm+|yes|no|can you"
    r"|could you)\b"
    r"[,. ]*)*(?:fix|add|update|write|make|run|show|check|move|rename|create|remove|delete|clean"
    r"|print|undo|squash|split|go on|continue|look|read|find|change|implement|build|test|commit"
    r"|push"
    r"|merge|try|explain|open|replace|let'?s|let me|do|arregl\w+|añad\w+|ajout\w+|corrig\w+"
    r"|adicion\w+|arrum\w+|haz|加|改|删|打开)\b"
)
_TELLING = (_DENIES, _DEMANDS, _CHOOSES, _RELEASES, _REASONS)
_WORK_WEIGHT = 2
_ORDINARY_WEIGHT = 2


def extract_remarks(window: Window, decisions: Iterable[Decision]) -> tuple[Rule, ...]:
    """Return the window's remarks, oldest first; of too many, the newest.

    They are of the rules' form, so that a retraction lifts them as it lifts rules.
    """
    decided = {normal_form(made.text) for made in decisions}
    remarks = (remark for said in prompts_said(window) for remark in _remarks_of(said, decided))
    return tuple(deque(remarks, maxlen=REMARKS_LIMIT))


def _remarks_of(said: Said, decided: set[str]) -> Iterator[Rule]:
    for number, sentence in enumerate(said.sentences):
        if (
            weight_of(sentence) >= _LEAST_WEIGHT
            and not kind_of_rule(sentence)[0]
            and target_of(sentence) is None
            and normal_form(sentence) not in decided
        ):
            yield Rule(text=sentence, **said.place(number))


@lru_cache(maxsize=_CACHED_SENTENCES)
def weight_of(sentence: str) -> int:
    """Return how much a sentence has of a rule or a choice; below 1 for ordinary ones."""
    if len(sentence) > _LONGEST_CHARS or _is_short(sentence) or _QUOTES.search(sentence):
        return 0
    text = sentence.replace("’", "'").casefold()
    if _ASKS.match(text):
        return 0
    told = (each.search(text) for each in _TELLING)
    ordinary = _ORDINARY_WEIGHT * bool(_ORDINARY.search(text))
    return sum(map(bool, told)) - ordinary - _WORK_WEIGHT * bool(_ASKS_FOR_WORK.match(text))


def _is_short(sentence: str) -> bool:
    if has_cjk(sentence):
        return len(sentence) < _FEWEST_CJK
    return len(sentence.split()) < _FEWEST_WORDS
