"""Find the prompts that set what the session is after."""

import re
from collections.abc import Sequence
from functools import lru_cache

from amplihack_compaction.acts.chances import chances_of
from amplihack_compaction.language.putting_off import put_off
from amplihack_compaction.language.sentences import sentences
from amplihack_compaction.language.text import has_cjk, one_line, words_of
from amplihack_compaction.patterns.patterns import OneOf, lazily
from amplihack_compaction.phrasings.lifting import RELEASES
from amplihack_compaction.phrasings.markers import language_of, markers_for
from amplihack_compaction.phrasings.nods import NODS
from amplihack_compaction.phrasings.slips import put_right
from amplihack_compaction.phrasings.turning import RULE_TALK, SWITCHES
from amplihack_compaction.secrets.redaction import MARK
from amplihack_compaction.speech.norms import fold, is_question, kind_of_rule
from amplihack_compaction.speech.retractions import target_of
from amplihack_compaction.speech.statements import Said, prompts_said
from amplihack_compaction.speech.values import values_in
from amplihack_compaction.state.model import Objective, ValueKind
from amplihack_compaction.transcript.boundaries import Window

OBJECTIVE_CHARS = 600
# Chances from which a sentence counts as setting work, and as stating something only.
_SETS_WORK_ABOVE = 0.15
_ASKS_AT_LEAST = 0.15
# Of the requests and objectives kept apart 2 and 3 % are below it, of all else 38 to 68 %.
_MAY_ASK = 0.05
_KEPT_ABOVE = 0.7
_WORK_ABOVE = 0.6
_TURNS_AT_LEAST = 0.03
_LIFTS_ABOVE = 0.5
_FADING = 0.5
_CONTENT_WORDS = 2
_CJK_PAIRS = 4
_ANSWER_WORDS = 6
_CHOICE = lazily(
    r"\W{0,9}(?:option |choice |variant |#)?(?:\d{1,2}|[a-hA-H])\W{0,9}(?:please|bitte|pls)?"
    r"\W{0,9}$"
)
_REQUEST = lazily(
    r"(?:can|could|would|will|may) (?:you|we|i)\b|(?:please|pls)\b|.*\b(?:please|pls)\W*$"
    r"|(?:shall|should) we (?:add|build"
    r"|implement|try|make|do)\b|how about\b|what about (?:adding|using|making)|why don't (?:you"
    r"|we)\b|i (?:want|need|'d like)"
    r"|(?:kannst|könntest|würdest) du|können wir|(?:peux|pourrais)-tu|tu peux|pouvez-vous"
    r"|¿?(?:puedes|podrías|podemos)"
    r"|(?:pode|poderia|podemos|você pode)|(?:можешь|можно|мог бы)|(?:能不能|可以|能否|可否|请"
    r"|帮我|麻烦)"
    r"|.*(?:もらえ|いただけ|くれ)(?:ます|ません)?か|.*(?:줄래|주실래|줄 수|주시겠)"
)
_REMARK = lazily(r"(?:it|that|this)(?:'s| is| was| works?| does| did| looks?)\b")
_REMARK_WORDS = 8
# Worded like "don't", and meant as "leave it, and do the other thing".
_LEAVE_IT = lazily(r"\W*(?:别管|先?不做|先别做).{1,20}[,，]")
_HEAD = lazily(r"[^:：]{3,40}[:：]")
_TOLD = (ValueKind.URL, ValueKind.PORT, ValueKind.VERSION, ValueKind.IDENTIFIER)
_TELLS = lazily(
    r"(?!(?:please|now|next|let'?s)\b)[^,;:!?]{2,60}?\b(?:is|are|lives?|runs?|listens?|goes? to"
    r"|stays? on|ist|sind|läuft|lauscht|est|sont|tourne|écoute|es|son|está|corre|escucha|usa|é|são"
    r"|fica|roda|escuta|находится|работает|слушает)\b|[^，。！？]{1,30}?(?:是|在|用的是)|.{1,30}?は",
    re.IGNORECASE,
)
# How a sentence begins that tells something; one that asks for work begins with what to do.
_STATES = lazily(
    r"\W*(?:the|my|our|your|his|her|its|their|it|they|he|she|we|that|this|these|those|there|an?|each"
    r"|every|all|der|die|das|ein|eine|mein|meine|unser|unsere|es|er|sie|wir|jede[rs]?|alle|le|la|les"
    r"|un|une|mon|ma|mes|notre|nos|il|elle|ils|ce|cette|chaque|el|los|las|una|mi|mis|nuestr[oa]s?"
    r"|cada|o|os|as|um|uma|meu|minha|nosso|nossa|ele|ela|это|мой|моя|наш|наша|он|она|они|мы)\b"
    r"|我的|我们的|这|那|它|この|その|私の|이 |그 |내 ",
    re.IGNORECASE,
)
_TROUBLE = lazily(
    r"\b(?:wrong|broken|missing|slow|empty|error|bug|too|not|never|still|fails?|crash\w*|down)\b"
    r"|n't\b|错|失败|崩溃",
    re.IGNORECASE,
)
_BROKEN = lazily(
    r"\b(?:wrong|broken|missing|slow|error|bug|still|fails?|crash\w*|down)\b|n't (?:work|load)"
    r"|错|失败|崩溃|kaputt|cassé|roto|quebrad\w+",
    re.IGNORECASE,
)
_CLAUSES = lazily(r"[,;，；]\s*|\s[-–—]\s")
_SWITCHES = OneOf(SWITCHES, re.IGNORECASE | re.MULTILINE)
_CLAUSE_CHARS = 200
# A prompt as a whole, and its sentences up to three times.
_CACHED_TEXTS = 1024
_END = lazily(r"[.!?;。！？；](?:\s|$)")
# "I'd rather have you build the importer" is a preference in its form, and a task.
_KINDS_OF_WISHES = ("", "preference")
_CORRECTION_LEAD = lazily(
    r"(?:no|nope|wrong|wait|actually|nein|non|нет|不|いや|아니)\b[,!. ]", re.IGNORECASE
)


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
    """Tell whether a prompt asks for work; `answers` when the model had just asked something."""
    typed = said.typed.typed.strip()
    if not typed:
        return said.typed.pasted_chars > 0 and bool(said.typed.title)
    if said.origin == "rejection" or _CHOICE.match(typed) or _is_put_off(said):
        return False
    if (_turns_away(typed) or _chance(said) > _SETS_WORK_ABOVE) and _has_content(typed):
        return True
    if not _has_content(typed, _likely_words(typed)) and not said.typed.title:
        return False
    if answers and len(typed.split()) <= _ANSWER_WORDS and len(typed) <= 60:
        return False
    parts = said.sentences
    if parts and _corrects(parts[0]):
        # What is told with a correction belongs to it; the work stays what it was.
        parts = tuple(part for part in parts if not _states(part))
    return any(_asks_for_work(sentence) for sentence in parts)


def _is_put_off(said: Said) -> bool:
    """Tell whether a prompt only asks to be reminded later: that is a todo, the work goes on."""
    return bool(said.sentences) and all(map(put_off, said.sentences))


def _corrects(sentence: str) -> bool:
    return _CORRECTION_LEAD.match(fold(sentence, markers_for(language_of(sentence)))) is not None


def _states(sentence: str) -> bool:
    return _STATES.match(sentence) is not None and _TROUBLE.search(sentence) is None


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
        switches=_switches(said),
        chance=round(_chance(said), 2),
    )


def _chance(said: Said) -> float:
    """Return how likely one of a prompt's sentences sets new work."""
    texts = (*said.sentences, said.typed.typed)
    return max(chances_of(text).objective for text in texts)


def _switches(said: Said) -> bool:
    """Tell whether a sentence that is no rule of its own turns away from what was asked."""
    return _chance(said) >= _TURNS_AT_LEAST and any(
        _turns_away(sentence)
        and (
            kind_of_rule(sentence)[0] in _KINDS_OF_WISHES
            or _LEAVE_IT.match(sentence)
            or _announces(sentence)
        )
        for sentence in said.sentences
    )


def _announces(sentence: str) -> bool:
    """Tell whether a sentence is headed as something else: "New plan: the page must load"."""
    head = _HEAD.match(sentence)
    return head is not None and _turns_away(head.group())


@lru_cache(maxsize=_CACHED_TEXTS)
def _turns_away(text: str) -> bool:
    """Tell whether a text turns from what was asked to something else."""
    chances = chances_of(text)
    if chances.lift > max(_LIFTS_ABOVE, chances.objective):
        return False
    words = put_right(text)
    if any(RELEASES.match(clause) for clause in _CLAUSES.split(words)):
        return False
    for pattern in _SWITCHES.among(words):
        for found in pattern.finditer(words):
            clause = _END.split(words[found.start() : found.end() + _CLAUSE_CHARS], maxsplit=1)[0]
            if not RULE_TALK.search(clause):
                return True
    return False


def _asks_for_work(sentence: str) -> bool:
    if not _has_content(sentence, _likely_words(sentence)):
        return False
    markers = markers_for(language_of(sentence))
    text = fold(sentence, markers)
    if _REMARK.match(text) and len(text.split()) <= _REMARK_WORDS:
        return False
    if is_question(text, markers):
        return _REQUEST.match(text) is not None
    if _CORRECTION_LEAD.match(text) or target_of(sentence) is not None:
        return _turns_away(sentence)
    if kind_of_rule(sentence)[0]:
        return _mixes_work(text)
    return not _only_tells(sentence) and not _states_only(sentence) and _may_ask(sentence)


def _may_ask(sentence: str) -> bool:
    """Tell whether a sentence may ask for work: most that tell, lift or decide are unlike that.

    What is broken is to be mended, whoever only says so.
    """
    chances = chances_of(sentence)
    likely = max(chances.work, chances.objective) >= _MAY_ASK
    return likely or _BROKEN.search(sentence) is not None


def _states_only(sentence: str) -> bool:
    """Tell whether a sentence is a rule or choice in its own words, or lifts one; asks nothing."""
    chances = chances_of(sentence)
    asks = max(chances.work, chances.objective)
    states = chances.kept > _KEPT_ABOVE or chances.lift > _LIFTS_ABOVE
    return asks < _ASKS_AT_LEAST and states


def _only_tells(sentence: str) -> bool:
    """Tell whether a sentence only says what an address, a port, a secret or a ticket is."""
    told = MARK.search(sentence) or any(kind in _TOLD for kind, _, _ in values_in(sentence))
    return bool(told) and _TELLS.match(sentence) is not None and _TROUBLE.search(sentence) is None


def _mixes_work(text: str) -> bool:
    """Tell whether a rule hangs on a task: "fix the login bug, but don't touch the schema"."""
    head = re.split(r"[,;，；]|\s(?:but|and|aber|und|mais|pero|mas|но)\s|但", text, maxsplit=1)[0]
    mixed = head != text and len(head) > 8 and _has_content(head)
    return mixed and not kind_of_rule(head)[0] and _may_ask(head)


def _likely_words(sentence: str) -> int:
    """Return how many content words a task needs: of what is surely one, "do billing" has it."""
    return 1 if chances_of(sentence).work > _WORK_ABOVE else _CONTENT_WORDS


def _has_content(text: str, least: int = _CONTENT_WORDS) -> bool:
    """Tell whether a text has more than nods and everyday words."""
    if has_cjk(text):
        whole = text.strip(" 。.!！,，、")
        return whole not in NODS and len([w for w in words_of(text) if w not in NODS]) >= _CJK_PAIRS
    words = {word for word in words_of(text) if word not in NODS and len(word) > 1}
    return len(words) >= least


def _asked_before(window: Window) -> dict[str, bool]:
    """Map each prompt to whether the model's words before it ended with a question."""
    asked: dict[str, bool] = {}
    last = ""
    for turn in window.turns:
        if turn.prompt is not None:
            asked[turn.prompt.uuid] = last.rstrip().endswith(("?", "？"))
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
