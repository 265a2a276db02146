"""A planted session as the real client plays it: prompts, tools that exist, and `/compact`.

What the survival benchmark writes as lines of a transcript is collected as turns instead. The
commands in it are programs of the project which print what the session says they printed. Multiple
choice is left out: nobody answers it in print mode.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.bench.survival.carriers import Slots
from tests.bench.survival.plants import Plant, Planter
from tests.bench.survival.session import WINDOWS, Session
from tests.bench.survival.summaries import summary
from tests.support.transcripts import Transcript

from .scenarios import (
    TODO_MODEL,
    TODO_WRITE,
    Exchange,
    Scenario,
    Window,
    bash,
    compacting_session,
    edit,
    read,
)
from .script import Tool

PROMPTS_A_WINDOW = 4
LEFT_OUT = ("AskUserQuestion",)
PROGRAMS = "programs"
# Answers as the newest line of `commands` that is the command says, and fails where it failed.
PROGRAM = """#!/bin/sh
case $0 in */programs/*) name=${0##*/} ;; *) name=$0 ;; esac
line=$(grep -nxF -- "$name${*:+ $*}" programs/commands | tail -n 1)
number=${line%%:*}
cat "programs/output-$number"
exit "$(cat "programs/code-$number")"
"""


@dataclass
class _Turn:
    prompt: str
    rounds: list[Tool] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)

    def exchange(self) -> Exchange:
        return Exchange(self.prompt, self.rounds, "\n\n".join(self.replies) or "Done.")


class Played(Transcript):
    """Takes what is said and done in a session, as turns for the client to play."""

    def __init__(self) -> None:
        super().__init__(branch="main")
        self.windows: list[Window] = []
        self.turns: list[_Turn] = []
        self.files: dict[str, str] = {}
        self.commands: list[tuple[str, str, bool]] = []

    def user(self, text: Any, **fields: Any) -> str:
        """Begin a turn."""
        self.turns.append(_Turn(str(text)))
        return ""

    def assistant(self, text: str = "", tools: list[dict[str, Any]] | None = None) -> list[str]:
        """Let the model say something in the turn."""
        self.turns[-1].replies.append(text)
        return []

    def tool(
        self,
        name: str,
        tool_input: dict[str, Any],
        result: str = "ok",
        error: bool = False,
        data: Any = None,
        beside: str = "",
        **fields: Any,
    ) -> str:
        """Let the model use a tool in the turn, which does in the project what it says."""
        if name not in LEFT_OUT:
            self.turns[-1].rounds.extend(self._real(name, tool_input, result, error))
        return ""

    def compact(self, summary: str, trigger: str = "auto", preserved: int = 1) -> str:
        """End the window; its summary is what the model will answer."""
        self.windows.append(Window([turn.exchange() for turn in self.turns], summary))
        self.turns = []
        return ""

    def _real(
        self, name: str, tool_input: dict[str, Any], result: str, error: bool
    ) -> Iterator[Tool]:
        if name == "Bash":
            command = str(tool_input["command"])
            if not command.startswith("git "):
                self.commands.append((command, result, error))
            yield bash(command)
        elif name == "Read":
            path = f"docs/{len(self.files)}.md"
            self.files[path] = result
            yield read(path)
        else:
            yield Tool(name, tool_input)


class PlayedSession(Session):
    """A session whose todos, files and commands are the client's own."""

    def __init__(self, rng: random.Random, tasks: bool) -> None:
        super().__init__(rng, tasks)
        self.transcript: Played = Played()

    def edit(self, path: str) -> None:
        """Change a file of the project, which must have been read before."""
        self.transcript.files[path] = "x = 1\ny = 0\n"
        self.transcript.turns[-1].rounds += [read(path), edit(path, "x = 1", "x = 2")]


class Chain:
    """A chain of three compactions: the scenario, and what was planted in it."""

    def __init__(self, number: int, phrases: Any, kind: str) -> None:
        self.number, self.phrases = number, phrases
        self.rng = random.Random(1000 + number)
        self.session = PlayedSession(self.rng, tasks=number % 2 == 1)
        self.planter = Planter(self.session, phrases, number)
        for window in range(1, WINDOWS + 1):
            self._play(window, kind)

    @property
    def plants(self) -> list[Plant]:
        """What was planted and can be played."""
        return [plant for plant in self.planter.plants if plant.kind != "decision, answered"]

    def scenario(self) -> Scenario:
        """Return the session as turns; the repository and its programs lie in `files`."""
        played = self.session.transcript
        env = {} if self.session.tasks else TODO_WRITE
        windows = [*played.windows, Window([Exchange("Go on.")])]
        return compacting_session(
            windows, how="manual", model=TODO_MODEL, env=env,
            files={**played.files, **_programs(played.commands)},
        )  # fmt: skip

    def _play(self, window: int, kind: str) -> None:
        steps = self.planter.window(window)
        slots: Slots = [self._prompt] * PROMPTS_A_WINDOW
        for number, slot in enumerate(slots):
            slot()
            while steps and steps[0][0] <= (number + 1) / len(slots):
                steps.pop(0)[1]()
        told = summary(kind, self.planter.plants, window, random.Random(self.number))
        self.session.transcript.compact(told)

    def _prompt(self) -> None:
        self.session.say(self.rng.choice(self.phrases.ORDINARY), "All set.")


def _programs(commands: list[tuple[str, str, bool]]) -> dict[str, str]:
    """Return the files of programs that print what the commands are to print."""
    files = {f"{PROGRAMS}/commands": "".join(f"{command}\n" for command, _, _ in commands)}
    for number, (command, output, failed) in enumerate(commands, 1):
        name = command.split()[0]
        files[name if "/" in name else f"{PROGRAMS}/{name}"] = PROGRAM
        files[f"{PROGRAMS}/output-{number}"] = f"{output}\n"
        files[f"{PROGRAMS}/code-{number}"] = str(int(failed))
    return files
