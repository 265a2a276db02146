"""Extract the choices that the client recorded: answers to its questions, and approved plans."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from amplihack_compaction.extract.model import Decision
from amplihack_compaction.text.sentences import reason_of
from amplihack_compaction.text.strings import one_line
from amplihack_compaction.transcript.nodes import ToolUse
from amplihack_compaction.transcript.windows import Window

DECISION_CHARS = 300
# A plan that lies in a file can be read there; of another, its steps are nowhere else.
_PLAN_LINES = 3
_PLAN_LINES_WITHOUT_FILE = 10
# What the client notes for an answer that is a note alone.
_NO_OPTION = "(notes only)"
_ANSWER = re.compile(
    r"\"(?P<question>[^\"\n]{1,600})\"\s*=\s*\"(?P<answer>[^\"\n]{0,600})\""
    r"(?:[^\"\n]{0,40}?(?:user )?notes?:\s*(?P<notes>[^\"\n]{1,400}?)(?=, \"|\.\s|$))?"
)
_REFUSED = re.compile(
    r"doesn't want to proceed|was rejected|user rejected|stay in plan mode", re.IGNORECASE
)
_SAVED = re.compile(r"saved to:?\s+(\S+\.md)")
_MARK = re.compile(r"^\s*(?:#+|[-*+](?=\s))\s*")


@dataclass(frozen=True, slots=True)
class _Place:
    uuid: str
    offset: int
    at: str


def choices_recorded(window: Window) -> Iterator[Decision]:
    """Yield what the user answered and which plans he approved, as the tools' results have it."""
    places = _result_places(window)
    for turn in window.turns:
        for tool in turn.tools:
            if tool.result is None or tool.result.is_error:
                continue
            place = places.get(tool.id, _Place("", window.start, tool.timestamp))
            if tool.name == "AskUserQuestion":
                yield from _answers(tool, place, window.index)
            elif tool.name in ("ExitPlanMode", "exit_plan_mode"):
                yield from _plan(tool, place, window.index)


def _result_places(window: Window) -> dict[str, _Place]:
    return {
        tool_id: _Place(node.uuid, node.offset, node.timestamp)
        for node in window.chain
        for tool_id, _ in node.results
    }


def _answers(tool: ToolUse, place: _Place, window: int) -> Iterator[Decision]:
    assert tool.result is not None  # noqa: S101 - the caller has looked
    for number, (question, answer, notes) in enumerate(_answered(tool)):
        answer = "" if answer == _NO_OPTION else answer
        text = f"{answer} ({notes})" if answer and notes and notes != answer else answer or notes
        if not text.strip():
            continue
        yield Decision(
            text=one_line(text, DECISION_CHARS),
            question=one_line(question, DECISION_CHARS),
            reason=reason_of(notes or answer),
            source="answer",
            uuid=place.uuid,
            offset=place.offset,
            position=number,
            at=place.at,
            window=window,
        )


def _answered(tool: ToolUse) -> Iterator[tuple[str, str, str]]:
    """Yield question, answer and notes, from the client's structure or else from its text."""
    assert tool.result is not None  # noqa: S101 - the caller has looked
    data = tool.result.data
    answers = data.get("answers") if isinstance(data, dict) else None
    if isinstance(answers, dict) and answers:
        annotations = data.get("annotations")
        for question, answer in answers.items():
            yield str(question), _joined(answer), _notes(annotations, str(question))
        return
    for found in _ANSWER.finditer(tool.result.text):
        yield found["question"], found["answer"], (found["notes"] or "").strip(" .")


def _joined(answer: Any) -> str:
    if isinstance(answer, list):
        return ", ".join(str(part) for part in answer)
    return str(answer) if answer is not None else ""


def _notes(annotations: Any, question: str) -> str:
    note = annotations.get(question) if isinstance(annotations, dict) else None
    if isinstance(note, dict):
        note = note.get("notes")
    return note.strip() if isinstance(note, str) else ""


def _plan(tool: ToolUse, place: _Place, window: int) -> Iterator[Decision]:
    assert tool.result is not None  # noqa: S101 - the caller has looked
    if _REFUSED.search(tool.result.text[:300]):
        return
    data = tool.result.data if isinstance(tool.result.data, dict) else {}
    plan = str(tool.input.get("plan") or data.get("plan") or "")
    saved = _SAVED.search(tool.result.text)
    path = str(
        data.get("filePath") or tool.input.get("planFilePath") or (saved.group(1) if saved else "")
    )
    head = _plan_head(plan, _PLAN_LINES if path else _PLAN_LINES_WITHOUT_FILE)
    if not head and not path:
        return
    text = f"{head} ({path})" if head and path else head or path
    yield Decision(
        text=text,
        question="Plan",
        source="plan",
        uuid=place.uuid,
        offset=place.offset,
        at=place.at,
        window=window,
    )


def _plan_head(plan: str, most_lines: int) -> str:
    """Return a plan's title and first lines on one line."""
    lines = [_MARK.sub("", line).strip() for line in plan.splitlines()]
    lines = [line for line in lines if line][:most_lines]
    return one_line(" · ".join(lines), DECISION_CHARS)
