"""Read the labelled sentences that the weights of `acts` are learnt from, and those kept apart.

`typed/*.tsv`, `sessions/*.tsv`, `east/*.tsv` and `told/*.tsv` have a label, a language and a
sentence a line. What users type is a prohibition, obligation, decision, objective, lift, request,
question, report, fact, quoted or chat, or a fragment: a line of an output, a heading, an item of a
list. Of the phrases that the patterns were developed on, only some of that is known: `rule` is one
of the first two, `decoy` none of them. Those lists that nothing is developed on are never read
here. What the model tells is open, failed, solved, done, a plan, or only tells. `remarks.tsv` has
frames of what users say beside a text that they paste: it points at a text, at an output, or is the
user's own.
"""

import random
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

FOLDER = Path(__file__).parent
_PHRASES = ("tune", "fresh", "grammar", "last", "later")
_PLANTED = ("tune", "blind_3", "blind_4")
_NAMES = (
    "billing", "the parser", "checkout", "the importer", "scheduler", "auth.py", "redis",
    "the uploader", "dashboard", "the migrations", "mailer", "the invoice table", "search-index",
    "users_v2", "config.yaml", "the webhook", "renderer", "vendor/", "the cache", "logger",
)  # fmt: skip
# Those in the shapes of real sessions, of which there are few, count so often.
_SESSIONS_COUNT = 4
# So many sentences are made of a line of remarks; beside them one that a user types counts little.
_REMARKS_A_LINE = 60
_TYPED_COUNT = 0.1
_REMARKS_SEED = 7
_ONE_OF = re.compile(r"\{([^{}]*)\}")
_MAY_STAND = re.compile(r"\[([^\[\]]*)\]")
# One in so many is kept apart, to measure on.
_APART = 10


class Sentence(NamedTuple):
    """A sentence, what it is, and how often it counts where something is learnt from it."""

    label: str
    text: str
    counts: float = 1

    @property
    def is_apart(self) -> bool:
        """Whether nothing is learnt from it."""
        return crc32(self.text.encode()) % _APART == 0


def typed_sentences() -> list[Sentence]:
    """Return all sentences that users type, none of them twice."""
    sessions = _written("sessions", _SESSIONS_COUNT)
    return _once(*sessions, *_written("typed"), *_phrases(), *_planted())


def east_sentences() -> list[Sentence]:
    """Return those, and more in Chinese, Japanese and Korean, none of them twice."""
    return _once(*_written("east", _SESSIONS_COUNT), *typed_sentences())


def told_sentences() -> list[Sentence]:
    """Return all sentences that the model tells, none of them twice."""
    return _once(*_written("told"))


def remark_sentences() -> list[Sentence]:
    """Return remarks that point at a text or an output, and what users type that does not.

    A line of `remarks.tsv` stands for many: of `{a|b}` one is taken, of `[a|b]` one or none.
    """
    rng = random.Random(_REMARKS_SEED)
    remarks: list[Sentence] = []
    for line in (FOLDER / "remarks.tsv").read_text(encoding="utf-8").splitlines():
        label, _, frame = line.split("\t")
        found = {_filled(frame, rng) for _ in range(_REMARKS_A_LINE)}
        remarks += (Sentence(label, remark) for remark in sorted(found))
    typed = (
        Sentence("own", sentence.text, _TYPED_COUNT)
        for sentence in typed_sentences()
        if sentence.label not in ("quoted", "fragment")
    )
    return _once(*remarks, *typed)


def _filled(frame: str, rng: random.Random) -> str:
    some = _MAY_STAND.sub(lambda found: rng.choice(["", *found[1].split("|")]), frame)
    return _ONE_OF.sub(lambda found: rng.choice(found[1].split("|")), some).strip(" :：")


def _once(*sentences: Sentence) -> list[Sentence]:
    found: dict[str, Sentence] = {}
    for sentence in sentences:
        found.setdefault(" ".join(sentence.text.split()), sentence)
    return list(found.values())


def _written(folder: str, counts: float = 1) -> Iterator[Sentence]:
    for path in sorted((FOLDER / folder).glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            label, _, text = line.split("\t")
            yield Sentence(label, text, counts)


def _phrases() -> Iterator[Sentence]:
    for name in _PHRASES:
        module = import_module(f"tests.unit.extract.phrases_{name}")
        yield from (Sentence("rule", text) for text in module.RULES)
        yield from (Sentence("decoy", text) for text in module.DECOYS)
        for rule, lift, other in getattr(module, "PAIRS", ()):
            yield from (Sentence("rule", rule), Sentence("lift", lift), Sentence("rule", other))


def _planted() -> Iterator[Sentence]:
    rng = random.Random(3)

    def fill(phrase: str) -> str:
        name, other = rng.sample(_NAMES, 2)
        return re.sub(r"\[([^\]]+)\]", r"\1", phrase.format(m=name, r=other))

    for name in _PLANTED:
        module = import_module(f"tests.bench.survival.phrases_{name}")
        for label in ("prohibition", "obligation", "objective", "decision"):
            for phrases in getattr(module, f"{label.upper()}S").values():
                yield from (Sentence(label, fill(phrase)) for phrase in phrases)
        for pairs in module.LIFTED.values():
            for rule, lift in pairs:
                yield from (Sentence("rule", fill(rule)), Sentence("lift", fill(lift)))
        yield from (Sentence("decoy", text) for text in module.ORDINARY)
