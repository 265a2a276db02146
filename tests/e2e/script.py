"""What the scripted model says: steps, and the script which strings them together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .request import Request


@dataclass(frozen=True)
class Tool:
    """One tool use; `{project}` and `{home}` in its input stand for the session's folders."""

    name: str
    input: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True)
class ApiError:
    """An error the API answers instead of a message."""

    status: int = 529
    type: str = "overloaded_error"
    message: str = "overloaded"


@dataclass(frozen=True)
class Step:
    """One answer of the model.

    `context_tokens` is how full the model reports its context to be; None means an estimate from
    the size of the request.
    """

    text: str = ""
    thinking: str = ""
    tools: Sequence[Tool] = ()
    context_tokens: int | None = None
    error: ApiError | None = None
    delay_seconds: float = 0.0
    stop_reason: str = ""


Answer = str | Step | Callable[["Request"], str | Step]
"""A text, a step, or a function which is given the request and says either."""


@dataclass
class Script:
    """Answers by kind of request, each list used up in order; `default` serves what is left over.

    `summaries` answers compactions of the session and of its subagents, in the order in which they
    arrive. `<summary>` tags are added where a text has none. A subagent belongs to the list under
    NAME in `subagents` when its prompt holds `[[sub:NAME]]`. Every answer takes `latency_seconds`:
    without, the model is faster than the client's writing to its transcript, as no real one is.
    """

    main: Sequence[Answer] = ()
    summaries: Sequence[Answer] = ()
    subagents: Mapping[str, Sequence[Answer]] = field(default_factory=dict)
    default: Answer = "Done."
    aux: Answer = "{}"
    latency_seconds: float = 0.0

    def answers(self, kind: str) -> Sequence[Answer]:
        """Return the list which belongs to a kind of request."""
        if kind == "main":
            return self.main
        if kind == "summary":
            return self.summaries
        return self.subagents.get(kind.removeprefix("sub:"), ()) if kind.startswith("sub:") else ()

    def answer(self, kind: str, index: int) -> Answer:
        """Return answer number `index` (from 0) for a kind of request."""
        answers = self.answers(kind)
        if index < len(answers):
            return answers[index]
        if kind == "summary":
            return f"Summary number {index + 1}."
        return self.aux if kind == "aux" else self.default


def as_step(answer: Answer, request: Request) -> Step:
    """Turn whatever form an answer has into a step."""
    if not isinstance(answer, str | Step):
        answer = answer(request)
    step = Step(text=answer) if isinstance(answer, str) else answer
    if request.kind == "summary" and step.text and "<summary>" not in step.text:
        return replace(step, text=f"<summary>\n{step.text}\n</summary>")
    return step
