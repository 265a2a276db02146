"""Sessions to plant into: generated ones with the noise of real work, and real structures."""

import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from amplihack_compaction.clients.reading import read_windows
from tests.bench.survival.session import WINDOWS, Session

PROMPTS_A_WINDOW = (8, 20, 36)
_FEW_WORDS = 3
_TALKS = 0.5
Slots = list[Callable[[], None]]

_FOLDERS = "api auth billing cart core db export forms jobs mail orders report search users".split()
_NOUNS = "batch cache client command config event filter handler index loader model parser".split()
_WORK = (
    "Write tests for the {n}", "Update the {n} documentation", "Refactor the {n}",
    "Check the {n} for errors", "Add logging to the {n}", "Run the whole suite for the {n}",
)  # fmt: skip
_CLOSING = (
    "I've updated the {n} and the tests pass.", "Done. The {n} now handles both cases.",
    "The {n} is read once at the start, then kept in memory.", "All set.",
    "I fixed the {n}; the cause was a wrong default.", "Let me know if the {n} should go further.",
    "The change is small: the {n} now returns early when there is nothing to do.",
)  # fmt: skip
_LOG = "2026-11-20T08:{n:02}:11Z INFO worker-{n} picked job {n} from queue default"


class Generated:
    """A session of ordinary work: prompts, tool rounds, edits, todo lists, pasted logs."""

    def __init__(self, number: int, ordinary: tuple[str, ...]) -> None:
        self.rng = random.Random(1000 + number)
        self.session = Session(self.rng, tasks=number % 2 == 1)
        self.prompts = PROMPTS_A_WINDOW[number % len(PROMPTS_A_WINDOW)]
        self.name = f"generated-{number} ({self.prompts} prompts a window)"
        self.ordinary = ordinary
        self.noise: list[str] = []

    def slots(self, window: int) -> Slots:
        return [self._turn] * self.prompts

    def _turn(self) -> None:
        session, rng = self.session, self.rng
        prompt = rng.choice(self.ordinary)
        if rng.random() < 0.05:
            prompt += "\n" + "\n".join(_LOG.format(n=n) for n in range(15))
        session.say(prompt)
        # A question or a word is often answered without any work.
        only_talks = prompt.endswith("?") or len(prompt.split()) <= _FEW_WORDS
        if not (only_talks and rng.random() < _TALKS):
            for _ in range(rng.randint(1, 4)):
                self._round()
        if rng.random() < 0.3:
            self._plan()
        session.transcript.assistant(rng.choice(_CLOSING).format(n=self._thing()))

    def _round(self) -> None:
        session, rng = self.session, self.rng
        kind = rng.choice(("look", "search", "edit", "edit", "test", "shell"))
        if kind == "look":
            path = f"{session.transcript.root}/src/{rng.choice(_FOLDERS)}/{rng.choice(_NOUNS)}.py"
            session.transcript.tool("Read", {"file_path": path}, "x = 1  # a line\n" * 40)
        elif kind == "search":
            session.transcript.tool("Grep", {"pattern": rng.choice(_NOUNS)}, "src/a.py:1: x = 1")
        elif kind == "edit":
            session.edit(f"src/{rng.choice(_FOLDERS)}/{rng.choice(_NOUNS)}_{rng.randint(1, 9)}.py")
        elif kind == "test":
            self._test()
        else:
            command = rng.choice(("ls -la src", "git status --short", "git diff --stat",
                                  "cat package.json"))  # fmt: skip
            session.run(command, "ok")

    def _test(self) -> None:
        command = f"pytest -q tests/test_{self.rng.choice(_NOUNS)}.py"
        if self.rng.random() < 0.3:
            self.session.run(command, "E   assert 1 == 2\n1 failed, 3 passed in 0.3s", error=True)
        self.session.run(command, "4 passed in 0.31s")

    def _plan(self) -> None:
        """Go on with the list of todos, and begin a new one when it is done."""
        for text in self.noise[:2]:
            self.session.set_todo(text, "completed")
        self.noise = self.noise[2:]
        if not self.noise:
            self.session.forget_done()
            texts = {self.rng.choice(_WORK).format(n=self._thing()) for _ in range(3)}
            self.noise = sorted(texts - set(self.session.todos))
            if self.noise:
                self.session.add_todos(*self.noise)
        if self.rng.random() < 0.2:
            name = self._thing()
            branch = self.session.transcript.branch
            self.session.run(
                f"git commit -am 'Improve the {name}'", f"[{branch} 1a2b3c4] the {name}"
            )

    def _thing(self) -> str:
        return f"{self.rng.choice(_FOLDERS)} {self.rng.choice(_NOUNS)}"


class Real:
    """A real session's lines, its windows' main chains told again in one line each."""

    def __init__(self, path: Path, number: int) -> None:
        self.rng = random.Random(number)
        self.session = Session(self.rng)
        self.name = path.stem
        self.chunks = _chunks(path)
        # Whoever works in a session works where it is.
        folders = (line.get("cwd") for chunk in self.chunks for line in chunk)
        root = next((folder for folder in folders if isinstance(folder, str) and folder), "")
        self.session.transcript.root = root or self.session.transcript.root

    def slots(self, window: int) -> Slots:
        share = len(self.chunks) / WINDOWS
        chosen = self.chunks[round((window - 1) * share) : round(window * share)]
        return [self._teller(chunk) for chunk in chosen] or [lambda: None]

    def _teller(self, chunk: list[dict[str, Any]]) -> Callable[[], None]:
        def tell() -> None:
            transcript = self.session.transcript
            for line in chunk:
                told = {**line, "parentUuid": transcript.leaf, "sessionId": transcript.session_id}
                transcript.lines.append(told)
                transcript.leaf = line["uuid"]

        return tell


def carriers(count: int, ordinary: tuple[str, ...]) -> Iterator[Generated | Real]:
    """Yield `count` generated carriers, and one for each transcript of COMPACTION_CORPUS."""
    for number in range(count):
        yield Generated(number, ordinary)
    corpus = os.environ.get("COMPACTION_CORPUS")
    for number, path in enumerate(sorted(Path(corpus).glob("*.jsonl")) if corpus else ()):
        real = Real(path, number)
        if len(real.chunks) >= WINDOWS:
            yield real


def _chunks(path: Path) -> list[list[dict[str, Any]]]:
    """Return a transcript's main chain, cut before every prompt; no boundaries, no summaries."""
    lines = _lines(path)
    chunks: list[list[dict[str, Any]]] = []
    for window in read_windows(path):
        starts = {prompt.uuid for prompt in window.prompts}
        for node in window.chain:
            line = lines.get(node.uuid)
            if line is None or line.get("isCompactSummary") or line.get("type") == "system":
                continue
            if node.uuid in starts or not chunks:
                chunks.append([])
            chunks[-1].append(line)
    return chunks


def _lines(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for text in path.read_bytes().splitlines():
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if isinstance(line, dict) and isinstance(line.get("uuid"), str):
            found.setdefault(line["uuid"], line)
    return found
