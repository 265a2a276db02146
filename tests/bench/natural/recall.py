"""Does `recall` find what is needed after real compactions, against BM25 alone?

    COMPACTION_NATURAL=FOLDER python -m tests.bench.natural.recall [--half develop|held_out]

All labelled sessions are in one store. What a reader wrote down is the question, asked from
nowhere and, as a model asks, inside its session; right is any message from before that compaction,
no summary, that says it. Left out is what no message says.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from amplihack_compaction.store.ingest import ingest_transcript
from amplihack_compaction.store.messages import text_of
from amplihack_compaction.store.query import parse_query
from amplihack_compaction.store.search import Found, recall
from amplihack_compaction.store.sessions import SessionKey
from amplihack_compaction.store.sqlite import SqliteDatabase, open_sqlite
from tests.bench.natural.labels import (
    HALVES,
    VARIABLE,
    Compaction,
    labelled_folder,
    sessions,
    unpacked,
)
from tests.bench.natural.score import plain, says

FIRST = (1, 5, 10)
_NOT_FOUND = max(FIRST) + 1


def measure_recall(folder: Path, half: str) -> dict[str, list[int]]:
    """Return by who looks for it, for each item of a half, the first right message's place."""
    labelled = list(sessions(folder, half))
    places: dict[str, list[int]] = {"recall": [], "inside the session": [], "BM25 alone": []}
    with (
        unpacked(folder) as transcripts,
        TemporaryDirectory() as made,
        open_sqlite(f"{made}/store.db") as database,
    ):
        for every in HALVES:
            for compactions in sessions(folder, every):
                name = compactions[0].transcript
                ingest_transcript(database, SessionKey("/p", name), str(transcripts / name))
        for compactions in labelled:
            session = compactions[0].transcript
            for question, right in _questions(database, compactions):
                found = (
                    _numbers(recall(database, question)),
                    _numbers(recall(database, question, within=session)),
                    _by_bm25(database, question),
                )
                for place, numbers in zip(places.values(), found, strict=True):
                    place.append(_place(numbers, right))
    return places


def _numbers(found: Found) -> list[int]:
    return [int(hit.id.split(".")[1]) for hit in found.hits]


def _questions(
    database: SqliteDatabase, compactions: list[Compaction]
) -> Iterator[tuple[str, set[int]]]:
    rows = database.rows(
        "SELECT message.id, compactions, kind, body FROM message"
        " JOIN session ON session.id = message.session JOIN content ON content.message = message.id"
        " WHERE session.session_id = :name",
        {"name": compactions[0].transcript},
    )
    texts = [(int(row[0]), int(row[1]), row[2], plain(text_of(row[3]))) for row in rows]
    for compaction in compactions:
        for item in compaction.items:
            right = {
                number
                for number, before, kind, text in texts
                if kind != "summary" and before < compaction.number and says(text, item)
            }
            if item.kind != "secret" and right:
                yield item.text, right


def _by_bm25(database: SqliteDatabase, question: str) -> list[int]:
    words = {word for term in parse_query(question).wanted for word in term.words}
    rows = database.rows(
        "SELECT rowid FROM search WHERE search MATCH :match ORDER BY bm25(search) LIMIT :most",
        {"match": " OR ".join(f'"{word}"' for word in sorted(words)), "most": max(FIRST)},
    )
    return [int(row[0]) for row in rows]


def _place(found: list[int], right: set[int]) -> int:
    return next((at for at, each in enumerate(found, 1) if each in right), _NOT_FOUND)


def main() -> None:
    """Print for each half how many items are found in the first places."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.natural.recall")
    options.add_argument("--half", choices=HALVES)
    given = options.parse_args()
    folder = labelled_folder()
    if folder is None:
        options.error(f"{VARIABLE} has to name the folder of labels and transcripts")
    for half in [given.half] if given.half else HALVES:
        for name, places in measure_recall(folder, half).items():
            told = ", ".join(
                f"first {most}: {sum(each <= most for each in places)}" for most in FIRST
            )
            sys.stdout.write(f"{half}, {name}: {told} of {len(places)}\n")


if __name__ == "__main__":
    main()
