"""Sessions for tests to play: prompts, the model's part in them, and the compactions between.

session = compacting_session(numbered_windows(3), how="auto")
run = run_client(session, setup=settings)
assert "..." in run.first_request_after_compaction(2).text()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from .client import Turn
from .script import Answer, ApiError, Script, Step, Tool

How = Literal["manual", "auto", "mid-turn", "overflow"]
"""When a window is compacted: by /compact; at the start of the next window's first prompt; between
the last tool round of the window and its reply; or because the API refuses the next request."""

FULL_TOKENS = 170_000
"""More than the 167,000 tokens above which AUTO_COMPACTS makes the client compact."""

AUTO_COMPACTS = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200000"}

TODO_MODEL = "claude-sonnet-4-5"
"""A model which is offered todo tools, has a window of 200,000 tokens, and no system messages in
mid-conversation: what hooks add stands in its user messages."""

TODO_WRITE = {"CLAUDE_CODE_ENABLE_TASKS": "0"}
"""Makes TodoWrite the todo tool of TODO_MODEL; else it has the Task tools."""

REFUSED = ApiError(
    400, "invalid_request_error", "prompt is too long: 212345 tokens > 200000 maximum"
)

PRECOMPUTES = {"cachedGrowthBookFeatures": {"tengu_sepia_moth": True}}
PRECOMPUTES_ENV = {**AUTO_COMPACTS, "CLAUDE_CODE_GB_DISK_CACHE_WHEN_TELEMETRY_OFF": "1"}
PRECOMPUTING_TOKENS = 150_000
"""Enough for a summary in the background, not enough for a compaction."""

Round = Tool | Sequence[Tool] | Step
"""One answer of the model which uses a tool, or several at once."""


@dataclass(frozen=True)
class Scenario:
    """A script, the turns which play it, and what the client needs for it."""

    script: Script
    turns: Sequence[Turn]
    env: Mapping[str, str] = field(default_factory=dict)
    model: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    state: Mapping[str, object] = field(default_factory=dict)
    interactive: bool = False


@dataclass(frozen=True)
class Exchange:
    """A prompt, the rounds of tools the model answers it with, and its closing words."""

    prompt: str
    rounds: Sequence[Round] = ()
    reply: str = "Done."

    def steps(self) -> list[Step]:
        """Return the model's part."""
        return [*map(as_round, self.rounds), Step(self.reply)]


@dataclass(frozen=True)
class Window:
    """What is said before a compaction, and the summary which then stands for it.

    The client compacts by itself only what has two finished rounds. For `auto` and `overflow`, give
    a window either two exchanges or one with a round of tools; for `mid-turn`, two rounds of tools.
    """

    exchanges: Sequence[Exchange]
    summary: str = ""


def compacting_session(
    windows: Sequence[Window],
    *,
    how: How = "auto",
    model: str = "",
    env: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
) -> Scenario:
    """Return a session which is compacted after each window but the last."""
    turns: list[Turn] = []
    main: list[Answer] = []
    for number, window in enumerate(windows, 1):
        ends = number == len(windows)
        turns += [exchange.prompt for exchange in window.exchanges]
        main += list_of_answers(window, "" if ends else how)
        turns += ["/compact"] * (how == "manual" and not ends)
    script = Script(main=main, summaries=[w.summary for w in windows[:-1] if w.summary])
    needed = AUTO_COMPACTS if how in ("auto", "mid-turn") else {}
    chosen = model or (TODO_MODEL if how == "overflow" else "")
    return Scenario(script, turns, {**needed, **(env or {})}, chosen, files or {})


def list_of_answers(window: Window, how: How | Literal[""]) -> list[Answer]:
    """Return the model's part in a window, made such that it ends in a compaction."""
    steps = [step for exchange in window.exchanges for step in exchange.steps()]
    if how == "auto":
        steps[-1] = full(steps[-1])
    elif how == "mid-turn":
        steps[-2] = full(steps[-2])
    elif how == "overflow":
        steps.append(Step(error=REFUSED))
    return list(steps)


def numbered_windows(count: int) -> list[Window]:
    """Return plain windows whose prompts, tool results and summaries can be told by number.

    Window 2 is asked `prompt 2`, runs commands which print `early 2` and `late 2`, is answered
    `reply 2`, and becomes `SUMMARY 2`.
    """
    return [
        Window([numbered_exchange(number)], summary=f"SUMMARY {number}")
        for number in range(1, count + 1)
    ]


def numbered_exchange(number: int) -> Exchange:
    """Return the exchange of a numbered window."""
    rounds = [bash(f"echo early {number}"), bash(f"echo late {number}")]
    return Exchange(f"prompt {number}", rounds, f"reply {number}")


def subagent_session(name: str = "helper", summary: str = "SUMMARY OF THE SUBAGENT") -> Scenario:
    """Return a session which delegates to a subagent whose own conversation is compacted."""
    steps = [
        as_round(bash("echo sub 1")),
        full(as_round(bash("echo sub 2"))),
        as_round(bash("echo sub 3")),
        Step("The subagent is done."),
    ]
    main = [as_round(agent(name, "do the work")), Step("The session is done.")]
    script = Script(main=main, subagents={name: steps}, summaries=[summary])
    return Scenario(script, ["delegate the work"], AUTO_COMPACTS)


def precomputed_session(summary: str = "PRECOMPUTED SUMMARY") -> Scenario:
    """Return a session whose summary is made rounds before the compaction which uses it."""
    sizes = [100_000, PRECOMPUTING_TOKENS, PRECOMPUTING_TOKENS + 5_000, FULL_TOKENS]
    rounds = [
        Step(f"At {size}.", tools=[bash(f"echo size {size}")], context_tokens=size)
        for size in sizes
    ]
    script = Script(main=[*rounds, "The first turn is done.", "The second."], summaries=[summary])
    turns: list[Turn] = ["first prompt", "second prompt"]
    return Scenario(script, turns, PRECOMPUTES_ENV, state=PRECOMPUTES, interactive=True)


def as_round(tools: Round) -> Step:
    """Turn a round into the model's step."""
    if isinstance(tools, Step):
        return tools
    return Step(tools=[tools] if isinstance(tools, Tool) else tools)


def full(step: Step) -> Step:
    """Return a step which reports a context too full to go on."""
    return replace(step, context_tokens=FULL_TOKENS)


def bash(command: str) -> Tool:
    """Return a shell command."""
    return Tool("Bash", {"command": command})


def failing(message: str, code: int = 1) -> Tool:
    """Return a shell command which says a message on stderr and fails."""
    return bash(f"echo '{message}' >&2; exit {code}")


def read(name: str) -> Tool:
    """Return the reading of a file of the project."""
    return Tool("Read", {"file_path": f"{{project}}/{name}"})


def write(name: str, text: str) -> Tool:
    """Return the writing of a file of the project."""
    return Tool("Write", {"file_path": f"{{project}}/{name}", "content": text})


def edit(name: str, old: str, new: str) -> Tool:
    """Return the editing of a file of the project, which must have been read before."""
    path = f"{{project}}/{name}"
    return Tool("Edit", {"file_path": path, "old_string": old, "new_string": new})


def todos(statuses: Mapping[str, str]) -> Tool:
    """Return a TodoWrite with a status for each todo: pending, in_progress or completed."""
    items = [
        {"content": content, "status": status, "activeForm": f"{content}, now"}
        for content, status in statuses.items()
    ]
    return Tool("TodoWrite", {"todos": items})


def task_create(subject: str, description: str = "") -> Tool:
    """Return a TaskCreate; the client numbers a session's tasks from 1."""
    return Tool("TaskCreate", {"subject": subject, "description": description or subject})


def task_update(number: int, status: str) -> Tool:
    """Return a TaskUpdate to pending, in_progress or completed."""
    return Tool("TaskUpdate", {"taskId": str(number), "status": status})


def agent(name: str, prompt: str) -> Tool:
    """Return the start of a subagent which is scripted under a name."""
    asked = {
        "description": f"scripted {name}",
        "prompt": f"[[sub:{name}]] {prompt}",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    }
    return Tool("Agent", asked)
