"""Which instructions the client sends again after a compaction, and that we name the others.

The first test is of the client alone: should it begin to send all of them, the hooks need not tell.
"""

from __future__ import annotations

from .client import Setup
from .conftest import RunClient
from .request import Request
from .scenarios import Exchange, Scenario, Window, bash, compacting_session, read

FILES = {
    "CLAUDE.md": "TOP says so.\n@docs/more.md\n",
    "docs/more.md": "IMPORTED says so.\n",
    ".claude/rules/all.md": "EVERYWHERE says so.\n",
    ".claude/rules/code.md": "---\npaths: src/**\n---\nMATCHED says so.\n",
    "shop/CLAUDE.md": "NESTED says so.\n",
    "shop/a.txt": "a\n",
    "src/b.py": "b = 1\n",
    **{f"{n}.txt": f"{n}\n" for n in range(12)},
}
WORDS = ("TOP", "IMPORTED", "EVERYWHERE", "MATCHED", "NESTED")
GONE = "- instructions for parts of the project, not sent again: "


def session() -> Scenario:
    """Return a session in which many files are read after those that bring instructions."""
    # One by one, and many: the client sends the last read again, with what these brought.
    names = ("shop/a.txt", "src/b.py", *(f"{n}.txt" for n in range(12)))
    first = Window(
        [Exchange("Read.", [read(name) for name in names]), Exchange("Go.", [bash("true")])],
        "Nothing of it.",
    )
    last = Window([Exchange("Go on.")])
    return compacting_session([first, last], how="manual", files=FILES)


def said_in(request: Request) -> set[str]:
    text = request.text()
    return {word for word in WORDS if f"{word} says so" in text}


def test_the_client_sends_only_those_again_that_hold_everywhere(run_client: RunClient) -> None:
    run = run_client(session())
    before = run.main_requests[3]
    assert said_in(before) == set(WORDS)
    after = said_in(run.first_request_after_compaction())
    assert after == {"TOP", "IMPORTED", "EVERYWHERE"}


def test_those_that_are_gone_are_named(run_client: RunClient, installed: Setup) -> None:
    run = run_client(session(), setup=installed)
    text = run.first_request_after_compaction().text()
    line = text[text.index(GONE) :].partition("\n")[0]
    assert "`shop/CLAUDE.md`" in line
    assert "`.claude/rules/code.md`" in line
