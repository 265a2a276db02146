"""What a turn takes in the real client, with our hooks and without them.

    python -m tests.bench.turns codex|opencode [--turns N]

Two clients run at once, each with a home and a network of its own and the same scripted model, and
are asked in turn; neither is started anew meanwhile. A turn is one call of a tool and an answer.
The time on the clock goes from the prompt to the turn's end, and so does that of the processor: it
is the client's with all that it has started and waited for. What hooks do behind the turn, as
storing, stands apart. Printed are medians and lower quartiles; the latter are of turns in which
less else ran on the machine.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle
from os import sysconf
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from tests.e2e.codex import START, Answer, Codex, OwnHome
from tests.e2e.opencode import OpenCode

Json = dict[str, Any]
FIRST_TURNS = 3
# What hooks do behind a turn, as storing, is over by then.
PAUSE_SECONDS = 0.5
REPOSITORY = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "amplihack_compaction"]


class Talk:
    """A client that is spoken to in JSON-RPC on its standard input and output."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process, self.number = process, 0

    def ask(self, method: str, given: Json, until: str = "") -> Json:
        """Return what the client answers to a request, or says when `until` has come about."""
        self.number += 1
        self.say({"id": self.number, "method": method, "params": given})
        for told in self._told():
            if told.get("error"):
                raise RuntimeError(str(told))
            if told.get("method") == until if until else told.get("id") == self.number:
                found: Json = told.get("params" if until else "result") or {}
                return found
        raise RuntimeError(f"the client ended over {method}")

    def say(self, message: Json) -> None:
        """Send the client one message."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def _told(self) -> Iterator[Json]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            told = json.loads(line)
            if isinstance(told, dict):
                yield told

    def processor_seconds(self) -> float:
        """Return what the client has taken so far, with all that it started and that has ended."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / sysconf("SC_CLK_TCK")


class CodexTalk(Talk):
    """Codex as its editors speak to it."""

    @staticmethod
    def client(folder: Path) -> OwnHome:
        """Return a client that calls a tool in each turn."""
        call = Answer("", "exec_command", {"cmd": "true"})
        return Codex(Codex.find(), folder, cycle([call, Answer("Done.")]))

    @staticmethod
    def command(client: OwnHome) -> list[str]:
        """Return the command that starts it."""
        return ["/bin/sh", "-c", START, str(client.binary), "app-server"]

    def begin(self, project: Path) -> None:
        """Begin a session."""
        self.ask("initialize", {"clientInfo": {"name": "turns", "version": "1"}})
        self.say({"method": "initialized"})
        for hooks in self._hooks(project):
            trusted = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in hooks}
            change = {"keyPath": "hooks.state", "value": trusted, "mergeStrategy": "upsert"}
            self.ask("config/value/write", change)
        stays = [hook for hooks in self._hooks(project) for hook in hooks]
        assert all(hook["trustStatus"] == "trusted" for hook in stays), stays
        self.session = self.ask("thread/start", {"cwd": str(project)})["thread"]["id"]

    def _hooks(self, project: Path) -> list[list[Json]]:
        found = self.ask("hooks/list", {"cwds": [str(project)]})["data"]
        return [place["hooks"] for place in found]

    def turn(self, text: str) -> None:
        """Give a prompt, and wait until the turn has ended."""
        given = {"threadId": self.session, "input": [{"type": "text", "text": text}]}
        self.ask("turn/start", given, until="turn/completed")


class OpenCodeTalk(Talk):
    """OpenCode as its editors speak to it."""

    @staticmethod
    def client(folder: Path) -> OwnHome:
        """Return a client that calls a tool in each turn."""
        call = Answer("", "bash", {"command": "true", "description": "Nothing"})
        return OpenCode(OpenCode.find(), folder, cycle([call, Answer("Done.")]))

    @staticmethod
    def command(client: OwnHome) -> list[str]:
        """Return the command that starts it."""
        return [str(client.binary), "acp"]

    def begin(self, project: Path) -> None:
        """Begin a session."""
        self.ask("initialize", {"protocolVersion": 1, "clientCapabilities": {}})
        made = self.ask("session/new", {"cwd": str(project), "mcpServers": []})
        self.session = made["sessionId"]

    def turn(self, text: str) -> None:
        """Give a prompt, and wait until the turn has ended."""
        said = {"sessionId": self.session, "prompt": [{"type": "text", "text": text}]}
        self.ask("session/prompt", said)


AnyTalk = CodexTalk | OpenCodeTalk
TALKS: dict[str, type[CodexTalk] | type[OpenCodeTalk]] = {
    "codex": CodexTalk,
    "opencode": OpenCodeTalk,
}


def measure(name: str, turns: int, folder: Path) -> tuple[list[Json], list[Json]]:
    """Return what each turn took without our hooks, and what with them."""
    kind = TALKS[name]
    talks: list[AnyTalk] = []
    with ExitStack() as stack:
        for place in ("stock", "ours"):
            client = kind.client(folder / place)
            if place == "ours":
                install = [*COMMAND, "install", "--client", name, "--no-proof"]
                told = subprocess.DEVNULL
                env = {**client.environment, "PYTHONPATH": str(REPOSITORY)}
                subprocess.run(install, cwd=client.project, env=env, check=True, stdout=told)
            call = kind.command(client)
            process = stack.enter_context(client.started(call, subprocess.PIPE, subprocess.DEVNULL))
            talk = kind(process)
            talk.begin(client.project)
            talks.append(talk)
        took: tuple[list[Json], list[Json]] = ([], [])
        for number in range(FIRST_TURNS + turns):
            for which in (0, 1) if number % 2 else (1, 0):
                found = one_turn(talks[which], f"Go on with step {number}.")
                if number >= FIRST_TURNS:
                    took[which].append(found)
        if not (client.project / ".claude/runtime").is_dir() and name == "codex":
            raise RuntimeError("no hook has run")
        return took


def one_turn(talk: AnyTalk, text: str) -> Json:
    """Return what a turn takes, in milliseconds."""
    before, started = talk.processor_seconds(), time.perf_counter()
    talk.turn(text)
    clock, end = time.perf_counter() - started, talk.processor_seconds()
    time.sleep(PAUSE_SECONDS)
    behind = talk.processor_seconds() - end
    found = {"clock": clock, "processor": end - before, "processor behind it": behind}
    return {name: 1000 * seconds for name, seconds in found.items()}


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.turns")
    options.add_argument("client", choices=TALKS)
    options.add_argument("--turns", type=int, default=30)
    given = options.parse_args()
    with TemporaryDirectory() as name:
        stock, ours = measure(given.client, given.turns, Path(name))
    for what in stock[0]:
        for name, part in (("median", 2), ("quartile", 1)):
            one, other = (
                quantiles([turn[what] for turn in took], n=4)[part - 1] for took in (stock, ours)
            )
            told = f"{one:.0f} ms without hooks, {other:.0f} with: {other - one:+.0f}"
            sys.stdout.write(f"{given.client}, {given.turns} turns, {what}, {name}: {told}\n")


if __name__ == "__main__":
    main()
