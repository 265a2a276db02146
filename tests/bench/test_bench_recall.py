"""What recall finds: facts among many messages that speak of the same things, and turns of talks.

RECALL_BENCH_MESSAGES=100000 asks for so many, RECALL_BENCH_HALF=held_out for the facts that nothing
was developed on, RECALL_BENCH_FACTS=recall_facts_2.tsv for those of other topics. Beside it, on
SQLite: the index's own ranking by BM25 of any of the words.

A line of `recall_dialogues.tsv` is a piece of a talk, its turns apart by ` | `, the one that
answers the question marked by a star. They lie among talk about the same things.
"""

import os
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.store.database import SQLITE, Database
from amplihack_compaction.store.messages import StoredMessage, insert_messages
from amplihack_compaction.store.query import parse_query, update_words
from amplihack_compaction.store.search import recall
from amplihack_compaction.store.sessions import SessionKey, make_session, touch_session
from tests.bench.spoken import Speech

SIZE = int(os.environ.get("RECALL_BENCH_MESSAGES", "5000"))
HALVES = {"develop": 0, "held_out": 1}
HALF = HALVES[os.environ.get("RECALL_BENCH_HALF", "develop")]
FORMS = ("keywords", "questions", "ids and paths", "other words")
_FACTS = Path(__file__).with_name(os.environ.get("RECALL_BENCH_FACTS", "recall_facts.tsv"))
FACTS = [row.split("\t") for row in _FACTS.read_text("utf-8").splitlines()]
DIALOGUES = [
    row.split("\t")
    for row in Path(__file__).with_name("recall_dialogues.tsv").read_text("utf-8").splitlines()
]
TURNS = 1_200
SESSION_MESSAGES = 5_000
FIRST = 10
# All but the names that are asked for alone: thousands of messages with one of these say it all.
_SUBJECTS = sorted(
    {word for fact in FACTS for word in fact[1].split()}
    - {word for fact in FACTS for word in fact[3].split()}
)
_SAID = (
    "I looked at the {0}: the {1} depends on it, so we keep the {2} as it is.",
    "Which {0} do you mean, the one of the {1} or of the {2}?",
    "The test of the {0} passes now; the {1} is next, then the {2}.",
    "We should not change the {0} before the {1} is done. How long does the {2} take?",
    "Ran the {0} by hand; it took {3} seconds. The {1} failed, see the {2}.",
    "Why does the {0} need the {1}? What was wrong with the {2} in {3}?",
)
_SMALL_TALK = (
    "I thought of the {0} again, and of the {1} too.",
    "Do you remember the {0}? It was before the {1}.",
    "The {0} was fine, but the {1} took for ever.",
    "We talked about the {0} yesterday, did we not?",
    "No idea about the {0}. What do you think of the {1}?",
    "My mother asks about the {0} every week.",
)


def small_talk() -> "Iterator[tuple[str, str]]":
    """Yield `(speaker, turn)` of talk that has the words of the questions, but no answer."""
    rng = random.Random(11)
    words = sorted(
        {
            word.lower()
            for told, question in DIALOGUES
            for word in re.findall(r"[^\W\d_]{4,}", told + " " + question)
        }
        - {"nadia"}
    )
    while True:
        for name in ("Nadia", "Tom"):
            said = rng.choice(_SMALL_TALK).format(*rng.sample(words, k=2))
            yield name, f"{name}: {said}"


def talk(database: Database) -> dict[int, str]:
    """Store the talks among small talk, in twenty sessions; return the uuid of each answer."""
    named, rng, idle = {}, random.Random(12), small_talk()
    order = list(range(len(DIALOGUES)))
    rng.shuffle(order)
    turns: list[str] = []
    for number in order:
        turns += [next(idle)[1] for _ in range(TURNS // len(DIALOGUES) // 2 * 2)]
        for turn in DIALOGUES[number][0].split(" | "):
            if turn.startswith("*"):
                named[number] = f"turn{len(turns)}"
            turns.append(turn.removeprefix("*"))
    for first in range(0, len(turns), 160):
        some = [
            StoredMessage(
                "user",
                turns[place],
                "prompt",
                tokens=20,
                turn=place,
                said_at="2026-11-21T10:00:00.000Z",
                uuid=f"turn{place}",
                place=place,
            )
            for place in range(first, min(first + 160, len(turns)))
        ]
        with database.transaction():
            row = make_session(database, SessionKey("/talk", f"talk{first}"))
            insert_messages(database, row, some)
            touch_session(database, row, exact_utc_text())
    update_words(database)
    return named


def distractors(count: int) -> "Iterator[StoredMessage]":
    """Yield messages that have the words of all questions, but no answer."""
    rng, speech = random.Random(5), Speech()
    for message in speech.messages(0, count):
        words = rng.choices(_SUBJECTS, k=3)
        said = rng.choice(_SAID).format(*words, rng.randrange(9000))
        text = f"{said}\n{message.content[: rng.randrange(80, 600)]}"
        yield replace(message, content=text, tokens=0)  # which are counted, as of a transcript


def fill(database: Database) -> dict[int, str]:
    """Store the messages with the facts among them; return the uuid of each fact."""
    messages = list(distractors(SIZE))
    named = {}
    for number, fact in enumerate(FACTS):
        place = (number * 7919 + 13) % SIZE
        messages[place] = replace(messages[place], content=fact[0])
        named[number] = messages[place].uuid
    for first in range(0, SIZE, SESSION_MESSAGES):
        with database.transaction():
            key = SessionKey(f"/p{first // 50_000}", f"s{first // SESSION_MESSAGES}")
            row = make_session(database, key)
            insert_messages(database, row, messages[first : first + SESSION_MESSAGES])
            touch_session(database, row, exact_utc_text())
    update_words(database)
    return named


def plain(database: Database, text: str) -> list[str]:
    """Return the uuids that the index's own BM25 puts first, of any of the words."""
    if database.dialect != SQLITE:
        return []
    words = {word for term in parse_query(text).wanted for word in term.words}
    match = " OR ".join(f'"{word}"' for word in sorted(words))
    rows = database.rows(
        "SELECT message.uuid FROM search JOIN message ON message.id = search.rowid"
        " WHERE search MATCH :match ORDER BY bm25(search) LIMIT :most",
        {"match": match, "most": FIRST},
    )
    return [str(row[0]) for row in rows]


def test_questions_are_answered(database: Database, report: Callable[[str], None]) -> None:
    named = fill(database)
    recall(database, "warm up")
    chosen = [number for number in named if number % 2 == HALF]
    for form, name in enumerate(FORMS, 1):
        first_five = first_ten = by_plain = 0
        times = []
        for number in chosen:
            began = time.process_time()
            uuids = [hit.uuid for hit in recall(database, FACTS[number][form]).hits]
            times.append(1000 * (time.process_time() - began))
            first_five += named[number] in uuids[:5]
            first_ten += named[number] in uuids[:FIRST]
            by_plain += named[number] in plain(database, FACTS[number][form])
        times.sort()
        report(
            f"{database.dialect:10} {name:14} {SIZE:9,} messages  first five {first_five:2}"
            f"  first ten {first_ten:2}"
            f"  by BM25 alone {by_plain:2}  of {len(chosen)}"
            f"  CPU p50 {times[len(times) // 2]:6.1f} ms  most {times[-1]:6.1f} ms"
        )


def test_turns_of_dialogues_are_found(database: Database, report: Callable[[str], None]) -> None:
    named = talk(database)
    chosen = [number for number in sorted(named) if number % 2 == HALF]
    first_five = first_ten = by_plain = 0
    for number in chosen:
        question = DIALOGUES[number][1]
        uuids = [hit.uuid for hit in recall(database, question).hits]
        first_five += named[number] in uuids[:5]
        first_ten += named[number] in uuids[:FIRST]
        by_plain += named[number] in plain(database, question)
    report(
        f"{database.dialect:10} dialogues  first five {first_five:2}  first ten {first_ten:2}"
        f"  by BM25 alone {by_plain:2}  of {len(chosen)}"
    )
