"""Chains of the survival benchmark in the real client, judged by what the model was sent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest

from amplihack_compaction.base.size_limits import STATE_HEAD
from amplihack_compaction.context.estimate import line_for
from tests.bench.survival import phrases_held_out
from tests.bench.survival.measure import Sides, table
from tests.bench.survival.plants import Plant
from tests.bench.survival.score import Tally
from tests.bench.survival.session import WINDOWS
from tests.bench.survival.summaries import WORST

from .client import SEARCH_PATH, Client, Setup
from .conftest import NewClient
from .played import PROGRAM, PROGRAMS, Chain
from .request import Request, texts
from .run import Run

CHAINS = 8
# The client waits for its hooks and the API most of the time.
AT_ONCE = 2
CHAINS_WITHOUT = 2
TURN_SECONDS = 300.0
EMPTY_HOOK = {"hooks": [{"type": "command", "command": "true"}]}
EMPTY_PLUGIN = {
    "hooks": {
        event: [EMPTY_HOOK]
        for event in ("SessionStart", "PreCompact", "PostCompact", "UserPromptSubmit", "Stop")
    }
}

Judge = Callable[[Tally, Request, Chain, int], None]


def test_chains_keep_what_was_planted(new_client: NewClient, installed: Setup) -> None:
    chains = [Chain(number, phrases_held_out, WORST) for number in range(CHAINS)]
    sides = Sides()
    for chain, run in play_all(new_client, chains, installed):
        judge(sides.ours, run, chain, injected)
    sys.stdout.write("\n".join([*table(sides), ""]))
    # What is done stands in the file with the whole state alone.
    told = [n for (kind, _), n in sides.ours.kept.items() if kind != "completed, said so"]
    kept = [sum(counts) for counts in zip(*told, strict=True)]
    assert kept[0] >= 0.95 * kept[1]
    assert max(sides.ours.tokens) <= 2000
    for kind in ("completed todo", "decoy", "objective", "branch"):
        assert sides.ours.stale[kind][0] == 0


@pytest.mark.parametrize("setup", [None, EMPTY_PLUGIN], ids=["stock", "empty"])
def test_the_client_alone_keeps_next_to_nothing(new_client: NewClient, setup: Setup | None) -> None:
    chains = [Chain(number, phrases_held_out, WORST) for number in range(CHAINS_WITHOUT)]
    sides = Sides()
    for chain, run in play_all(new_client, chains, setup):
        judge(sides.stock, run, chain, whole)
    kept = [sum(counts) for counts in zip(*sides.stock.kept.values(), strict=True)]
    assert kept[0] <= 0.2 * kept[1]


def play_all(
    new_client: NewClient, chains: Iterable[Chain], setup: Setup | None
) -> list[tuple[Chain, Run]]:
    """Play chains with clients of their own, some at once."""
    clients = [(chain, client_of(new_client, chain, setup)) for chain in chains]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs = pool.map(
            lambda pair: pair[1].run(pair[0].scenario().turns, turn_seconds=TURN_SECONDS), clients
        )
        return [(chain, run) for (chain, _), run in zip(clients, runs, strict=True)]


def client_of(new_client: NewClient, chain: Chain, setup: Setup | None) -> Client:
    """Return a client whose project is a repository and has the programs that a chain calls."""
    scenario = chain.scenario()
    client = new_client(
        scenario.script, setup=setup, files=scenario.files, env=scenario.env, model=scenario.model
    )
    for name, text in scenario.files.items():
        if text == PROGRAM:
            (client.project / name).chmod(0o755)
    client.env["PATH"] = f"{client.project / PROGRAMS}:{SEARCH_PATH}"
    git(client, "init", "--quiet", "--initial-branch", "main")
    git(client, "add", ".")
    git(client, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "Begin")
    return client


def git(client: Client, *arguments: str) -> None:
    """Run git in a client's project, with nobody's configuration."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(client.home)}
    subprocess.run(["git", *arguments], cwd=client.project, env=environment, check=True)


def judge(tally: Tally, run: Run, chain: Chain, add: Judge) -> None:
    """Judge the first request after each compaction of a chain."""
    assert run.exit_code == 0
    for compaction in range(1, WINDOWS + 1):
        add(tally, run.first_request_after_compaction(compaction), chain, compaction)


def injected(tally: Tally, request: Request, chain: Chain, compaction: int) -> None:
    """Judge the one text that a request has from the package."""
    (text,) = (text for text in blocks_of(request) if STATE_HEAD in text)
    # The line break before the closing tag is the client's.
    text = text.partition(STATE_HEAD)[2].partition("</system-reminder>")[0].removesuffix("\n")
    line = line_for(request.model)
    tokens = round(line.base + line.cost(STATE_HEAD + text))
    tally.add(text, tokens, known(chain, compaction), compaction, f"chain {chain.number}")


def whole(tally: Tally, request: Request, chain: Chain, compaction: int) -> None:
    """Judge all that a request says."""
    tally.add_free(request.text(), known(chain, compaction), compaction, f"chain {chain.number}")


def blocks_of(request: Request) -> list[str]:
    """Return the texts of a request's messages one by one."""
    return [text for message in request.messages for text in texts(message.get("content"))]


def known(chain: Chain, compaction: int) -> list[Plant]:
    """Return what had been planted before a compaction."""
    return [plant for plant in chain.plants if plant.window <= compaction]
