"""Plant one item of every kind in a window, and know what must become of each."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.bench.survival.session import WINDOWS, Session

PLACES = (0.1, 0.5, 0.9)
PLACES_OF_WORK = ("ui/sidebar", "ui/spinner", "core/handlers")
ROMANCE = ("pt", "fr", "es")
_MODAL = re.compile(r"\[([^\]]+)\]")


@dataclass
class Plant:
    """A planted item: what must stand beside its marker, and when it was ended or moved on.

    `ended` is the window in which it was lifted, completed or set to work; 0 for never.
    """

    kind: str
    marker: str
    window: int
    text: str
    beside: list[str] = field(default_factory=list)
    about: str = ""
    ended: int = 0


Act = Callable[[], None]
Step = tuple[float, Act]


class Planter:
    """Plants into one session, window by window, in the words of one phrasing file."""

    def __init__(self, session: Session, phrases: Any, number: int) -> None:
        self.session, self.phrases, self.number = session, phrases, number
        self.rng = session.rng
        self.plants: list[Plant] = []
        self.turn = 0
        self.due: list[Act] = []

    def window(self, window: int) -> list[Step]:
        """Return what is to be done in a window, with its place in it (0 to 1), in order."""
        makers = (
            self._objective, self._prohibition, self._obligation, self._lifted, self._answer,
            self._decision, self._todo, self._task, self._done, self._value, self._check,
            self._file, self._branch, self._failure, self._decoys,
        )  # fmt: skip
        self.turn = self.number * WINDOWS + window
        steps: list[Step] = [(0.5, act) for act in self.due]
        self.due = []
        for number, make in enumerate(makers):
            place = PLACES[(window + number + self.number) % len(PLACES)]
            steps += [(place if at is None else at, act) for at, act in make(window)]
        return sorted(steps, key=lambda step: step[0])

    def _later(self, window: int, act: Act) -> Iterator[tuple[float | None, Act]]:
        """Do it in the next window; in the last one, at its end."""
        if window < WINDOWS:
            self.due.append(act)
        else:
            yield 0.95, act

    def _plant(self, kind: str, window: int, text: str, marker: str, **more: Any) -> Plant:
        plant = Plant(kind, marker, window, text, **more)
        self.plants.append(plant)
        return plant

    def _phrase(self, table: dict[str, Any]) -> tuple[Any, bool]:
        """Return the next phrase in the language that is drawn, and whether slips go into it."""
        tongue = self.rng.choices(("en", "zh", "romance", "slips"), (70, 10, 10, 10))[0]
        language = {"romance": self.rng.choice(ROMANCE), "slips": "en"}.get(tongue, tongue)
        return table[language][self.turn % len(table[language])], tongue == "slips"

    def _worded(self, table: dict[str, Any], **values: str) -> tuple[str, list[str]]:
        """Return a text to say, and the pieces of it that are its modality."""
        phrase, slips = self._phrase(table)
        return fill(phrase, self.rng, slips, values)

    def _say(self, text: str) -> None:
        """Say something on its own, or in one breath with an ordinary request, which is done."""
        if self.rng.random() < 0.4:
            self.session.say(f"{self.rng.choice(REQUESTS)} {text}")
            self.session.edit(f"src/{self.rng.choice(PLACES_OF_WORK)}.py")
            self.session.transcript.assistant("Done.")
        else:
            self.session.say(text, self.rng.choice(("Understood.", "Noted.", "I will do that.")))

    def _said(self, kind: str, window: int, table: dict[str, Any]) -> Iterator[tuple[None, Act]]:
        marker = self.session.word()
        text, beside = self._worded(table, m=marker)
        self._plant(kind, window, text, marker, beside=beside)
        yield None, lambda: self._say(text)

    def _prohibition(self, window: int) -> Iterator[tuple[float | None, Act]]:
        yield from self._said("prohibition", window, self.phrases.PROHIBITIONS)

    def _obligation(self, window: int) -> Iterator[tuple[float | None, Act]]:
        yield from self._said("obligation", window, self.phrases.OBLIGATIONS)

    def _objective(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker = self.session.word()
        text, _ = self._worded(self.phrases.OBJECTIVES, m=marker)
        self._plant("objective", window, text, marker)
        yield None, lambda: self.session.say(text, "On it.")

    def _lifted(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker = self.session.word()
        pair, slips = self._phrase(self.phrases.LIFTED)
        text, beside = fill(pair[0], self.rng, slips, {"m": marker})
        lift, _ = fill(pair[1], self.rng, slips, {"m": marker})
        ended = min(window + 1, WINDOWS)
        self._plant("lifted rule", window, text, marker, beside=beside, ended=ended)
        yield 0.1, lambda: self._say(text)
        yield from self._later(window, lambda: self._say(lift))

    def _answer(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker, reason = self.session.word(), self.session.word()
        made = self.phrases.ANSWERS[(self.number + window) % len(self.phrases.ANSWERS)]
        question, option, why = (t.format(m=marker, r=reason) for t in made)
        self._plant("decision, answered", window, f"{option} {why}", option, beside=[reason])
        asked = {"questions": [{"question": question, "header": "Choice", "multiSelect": False,
                                "options": [{"label": option, "description": why}]}]}  # fmt: skip
        data = {**asked, "answers": {question: option}, "annotations": {question: {"notes": why}}}
        told = f'User has answered your questions: "{question}"="{option}" user notes: {why}.'
        yield None, lambda: _tool(self.session, "AskUserQuestion", asked, told, data)

    def _decision(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker, reason = self.session.word(), self.session.word()
        text, _ = self._worded(self.phrases.DECISIONS, m=marker, r=reason)
        self._plant("decision, said", window, text, marker, beside=[reason])
        yield None, lambda: self._say(text)

    def _todo_text(self, marker: str) -> str:
        text: str = self.rng.choice(self.phrases.TODOS)
        return text.format(m=marker)

    def _todo(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker = self.session.word()
        text = self._todo_text(marker)
        self._plant("open todo", window, text, marker)
        if (window + self.number) % 2:
            yield None, lambda: self.session.add_todos(text)
        else:
            yield None, lambda: _assistant(self.session, f"What is left:\n- [ ] {text}")

    def _task(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker = self.session.word()
        text = self._todo_text(marker)
        self._plant("task, status", window, text, marker, ended=min(window + 1, WINDOWS))
        yield 0.1, lambda: self.session.add_todos(text)
        yield from self._later(window, lambda: self.session.set_todo(text, "in_progress"))

    def _done(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker = self.session.word()
        text = self._todo_text(marker)
        self._plant("completed todo", window, text, marker, ended=min(window + 1, WINDOWS))
        yield 0.5, lambda: self.session.add_todos(text)
        yield from self._later(window, lambda: self.session.set_todo(text, "completed"))

    def _value(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker, rng = self.session.word(), self.rng
        kind = ("url", "port", "version", "id")[(self.number + window) % 4]
        number = rng.randint(10_000, 59_999)
        value = {"url": f"https://{marker}.example.net:8{number % 1000:03}/v2/feed",
                 "port": str(number), "version": f"{number % 40}.{number % 97}.{number % 13}",
                 "id": f"{marker[:3].upper()}-{number}"}[kind]  # fmt: skip
        tables = {tongue: kinds[kind] for tongue, kinds in self.phrases.VALUES.items()}
        text, _ = self._worded(tables, m=marker, v=value)
        self._plant("exact value", window, text, value, about=marker)
        yield None, lambda: self._say(text)

    def _check(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker = self.session.word()
        kind = ("test", "build", "lint")[(self.number + window) % 3]
        command = self.phrases.CHECKS[kind].format(m=marker)
        self._plant("verify command", window, command, command, beside=["passed"])
        output = {"test": "128 passed in 4.20s", "build": "built in 3s", "lint": ""}[kind]
        yield None, lambda: self.session.run(command, output)

    def _file(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker, reason = self.session.word(), self.session.word()
        path = f"src/{marker[:3]}/{marker}.py"
        text, _ = self._worded(self.phrases.FILES, f=path, r=reason)
        self._plant("file and why", window, text, f"{marker}.py", beside=[reason])

        def act() -> None:
            self.session.say(text)
            self.session.edit(path)
            self.session.transcript.assistant("That is in place.")

        yield None, act

    def _branch(self, window: int) -> Iterator[tuple[float | None, Act]]:
        name = f"feat/{self.session.word()}"
        self._plant("branch", window, name, name)

        def act() -> None:
            self.session.run(f"git checkout -b {name}", f"Switched to a new branch '{name}'")
            self.session.transcript.branch = name

        yield None, act

    def _failure(self, window: int) -> Iterator[tuple[float | None, Act]]:
        marker = self.session.word()
        if (window + self.number) % 2:
            command, error = (text.format(m=marker) for text in self.phrases.FAILING)
            self._plant("failure", window, command, marker)
            output = f"collected 9 items\nE   {error}\n1 failed, 8 passed in 2.1s"
            yield None, lambda: self.session.run(command, output, error=True)
            return
        text = self.rng.choice(self.phrases.FAILURES).format(m=marker)
        self._plant("failure", window, text, marker)
        yield None, lambda: _assistant(self.session, f"I looked into it. {text} More later.")

    def _decoys(self, window: int) -> Iterator[tuple[float | None, Act]]:
        for number, (kind, phrases) in enumerate(self.phrases.DECOYS.items()):
            marker = self.session.word()
            phrase = phrases[(self.number + window) % len(phrases)]
            text = phrase.format(m=marker, n="2026-11-20 08:14:0{n}") if kind != "log" else phrase
            if kind == "log":
                lines = (phrase.format(m=marker, n=f"2026-11-20 08:14:{n:02}") for n in range(14))
                text = "This is what I see:\n" + "\n".join(lines)
            elif kind == "code":
                text = f"Here it is:\n```\n{text}\n```\nWhat does it do?"
            self._plant("decoy", window, text, marker)
            yield PLACES[number % 3], self._decoy(kind, text)

    def _decoy(self, kind: str, text: str) -> Act:
        if kind == "output":
            path = {"file_path": f"{self.session.transcript.root}/CONTRIBUTING.md"}
            return lambda: _tool(self.session, "Read", path, text)
        return lambda: self.session.say(text, "I see.")


def fill(phrase: str, rng: Any, slips: bool, values: dict[str, str]) -> tuple[str, list[str]]:
    """Fill a phrase in; return its text and the pieces of it that are its modality."""
    if slips:
        phrase = with_slips(phrase, rng)
    phrase = phrase.format(**values)
    return _MODAL.sub(r"\1", phrase), [found.casefold() for found in _MODAL.findall(phrase)]


def with_slips(text: str, rng: Any) -> str:
    """Type a text badly: no apostrophes, and in every fifth word (one at least) a letter wrong."""
    words = text.replace("'", "").split(" ")
    chances = [n for n, word in enumerate(words) if _slip(word, rng) != word]
    for number in rng.sample(chances, min(len(chances), max(1, len(words) // 5))):
        words[number] = _slip(words[number], rng)
    return " ".join(words)


def _slip(word: str, rng: Any) -> str:
    bare = word.strip("[].,:;?!")
    if len(bare) < 4 or not bare.isalpha():
        return word
    at = rng.randrange(1, len(bare) - 1)
    wrong = rng.choice((
        bare[:at] + bare[at + 1] + bare[at] + bare[at + 2 :],
        bare[:at] + bare[at + 1 :],
        bare[:at] + bare[at] + bare[at:],
    ))  # fmt: skip
    return word.replace(bare, wrong)


def _tool(session: Session, name: str, given: Any, result: str, data: Any = None) -> None:
    session.transcript.tool(name, given, result, data=data)


def _assistant(session: Session, text: str) -> None:
    session.transcript.assistant(text)


REQUESTS = (
    "Please have a look at the sidebar as well.",
    "The spinner never stops on slow lines, fix that.",
    "Add a test for the empty case.",
    "Clean up the imports in the handlers.",
)
