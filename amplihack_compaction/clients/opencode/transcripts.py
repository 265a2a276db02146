"""OpenCode's messages: each one, with its parts, into the session lines that all rooms read.

A message is `info` (role, time in ms, tokens, `summary`) and parts, as 1.18.33 keeps them:

    text         what was said; `synthetic` or `ignored` where the client wrote it
    file         an attachment, whose content stands in synthetic texts beside it
    tool         a call with its state: input, output or error, what the tool adds
    compaction   a message of the role user that asks for a compaction; `auto`

Who speaks is told by these fields alone: the user's are texts of his messages that are not
`synthetic`. The answer to a compaction is the message with `summary` below it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from amplihack_compaction.base.redaction.redact import redact_value
from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.transcript.session import JsonObject, as_object, others_tool, text_in

_TOOLS = {
    "bash": "Bash", "edit": "Edit", "glob": "Glob", "grep": "Grep", "question": "AskUserQuestion",
    "read": "Read", "task": "Task", "todowrite": "TodoWrite", "webfetch": "WebFetch",
    "websearch": "WebSearch", "write": "Write",
}  # fmt: skip
_INPUTS = {
    "filePath": "file_path", "oldString": "old_string", "newString": "new_string",
    "replaceAll": "replace_all",
}  # fmt: skip
_PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)
_REJECTED = "The user rejected permission"


@dataclass(frozen=True, slots=True)
class RecordedMessage:
    """One message of the database: its id, its own fields, its parts in order.

    `summary` is the answer to one that asks for a compaction, once that is finished.
    """

    id: str
    info: JsonObject
    parts: list[JsonObject]
    summary: "RecordedMessage | None" = None

    @property
    def compaction(self) -> JsonObject | None:
        """The part that asks for a compaction; None in any other message."""
        return next((part for part in self.parts if part.get("type") == "compaction"), None)

    @property
    def trigger(self) -> str:
        """How it was asked for: `auto` or `manual`."""
        return "auto" if (self.compaction or {}).get("auto") is True else "manual"

    @property
    def is_open(self) -> bool:
        """Whether the model is still at it."""
        ended = as_object(self.info.get("time")).get("completed") or self.info.get("error")
        return self.info.get("role") == "assistant" and not ended

    @property
    def tokens(self) -> int:
        """How many the response was sent and answered with; 0 where it does not tell."""
        total = as_object(self.info.get("tokens")).get("total")
        return total if type(total) is int else 0

    @property
    def text(self) -> str:
        """Its text, without what the client wrote."""
        return "\n".join(_texts(self.parts, synthetic=False))


def session_lines(
    message: RecordedMessage, common: JsonObject, before: int = 0
) -> list[JsonObject]:
    """Return the session lines of a message, of a compaction its boundary and summary.

    They are without secrets, their uuids begin with the message's id, and `common` stands in each.
    `before` are the context's tokens until a compaction, 0 where they are not known.
    """
    if message.summary is None:
        made = _of_user(message) if message.info.get("role") == "user" else _of_model(message)
        return _finished(message, made, common)
    data = {"trigger": message.trigger, **({"preTokens": before} if before else {})}
    boundary = {"type": "system", "subtype": "compact_boundary", "compactMetadata": data}
    said = {"type": "user", "isCompactSummary": True, **_said(message.summary.text)}
    return _finished(message, [boundary], common) + _finished(message.summary, [said], common)


def injected_line(message_id: str, text: str, common: JsonObject) -> JsonObject:
    """Return the session line that shows a state which the model is sent from here on."""
    attachment = {"type": "hook_additional_context", "hookEvent": "SessionStart", "content": [text]}
    return {
        "type": "attachment", "uuid": f"{message_id}.state", "attachment": attachment, **common
    }  # fmt: skip


def _finished(message: RecordedMessage, made: Any, common: JsonObject) -> list[JsonObject]:
    created = as_object(message.info.get("time")).get("created")
    is_known = type(created) is int and 0 < created < 10**14
    moment = exact_utc_text(created) if is_known else ""
    found = []
    for number, line in enumerate(made):
        name = f"{message.id}.{number}" if number else message.id
        line = redact_value(line)
        found.append(
            {"type": line.pop("type"), "uuid": name, "timestamp": moment, **common, **line}
        )
    return found


def _of_user(message: RecordedMessage) -> Iterator[JsonObject]:
    added = "\n".join(_texts(message.parts, synthetic=True))
    if added:
        yield {"type": "user", "isMeta": True, **_said(added)}
    if message.text:
        yield {"type": "user", "promptSource": "typed", **_said(_unquoted(message.text))}


def _texts(parts: list[JsonObject], *, synthetic: bool) -> Iterator[str]:
    for part in parts:
        text = text_in(part, "text") if part.get("type") == "text" else ""
        if text and bool(part.get("synthetic") or part.get("ignored")) is synthetic:
            yield text


def _unquoted(text: str) -> str:
    """Return a prompt without the quotation marks that `opencode run` puts around its words."""
    inner = text[1:-1]
    quoted = len(text) > 2 and text[0] == text[-1] == '"'
    return inner.replace('\\"', '"') if quoted and '"' not in inner.replace('\\"', "") else text


def _of_model(message: RecordedMessage) -> Iterator[JsonObject]:
    blocks, results = [], []
    for part in message.parts:
        kind, text = part.get("type"), text_in(part, "text")
        if kind == "text" and text:
            blocks.append({"type": "text", "text": text})
        elif kind == "tool":
            for called, result in _of_call(part):
                blocks.append(called)
                results.append(result)
    tokens = as_object(message.info.get("tokens"))
    cache = as_object(tokens.get("cache"))
    usage = {
        "input_tokens": tokens.get("input"),
        "cache_read_input_tokens": cache.get("read"),
        "cache_creation_input_tokens": cache.get("write"),
        "output_tokens": tokens.get("output"),
    }
    said: JsonObject = {"id": message.id, "role": "assistant", "content": blocks}
    said["model"] = text_in(message.info, "modelID")
    said["usage"] = {name: count for name, count in usage.items() if type(count) is int}
    if blocks:
        yield {"type": "assistant", "message": said}
    for result in results:
        yield {"type": "user", **result}


def _of_call(part: JsonObject) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Yield a call and the line of its result; one for each file of a patch."""
    state, tool = as_object(part.get("state")), text_in(part, "tool")
    given, call = as_object(state.get("input")), text_in(part, "callID")
    if tool == "apply_patch":
        for number, found in enumerate(_PATCHED.finditer(text_in(given, "patchText"))):
            named = {"file_path": found[2].strip(), "new_string": ""}
            name = "Write" if found[1] == "Add" else "Edit"
            yield _called(f"{call}.{number}", name, named), _result(f"{call}.{number}", state)
        return
    given = {_INPUTS.get(name, name): value for name, value in given.items()}
    if tool == "todowrite" and isinstance(given.get("todos"), list):
        todos = [todo for todo in given["todos"] if isinstance(todo, dict)]
        todos = [todo for todo in todos if todo.get("status") != "cancelled"]
        given = {"todos": [{**todo, "activeForm": todo.get("content")} for todo in todos]}
    result = _result(call, state)
    if tool == "question" and state.get("status") == "completed":
        result["toolUseResult"] = {"questions": given.get("questions"), "answers": _answers(state)}
    yield _called(call, _TOOLS.get(tool) or others_tool(tool), given), result


def _called(call: str, name: str, given: JsonObject) -> JsonObject:
    return {"type": "tool_use", "id": call, "name": name, "input": given}


def _result(call: str, state: JsonObject) -> JsonObject:
    code = as_object(state.get("metadata")).get("exit")
    failed = state.get("status") != "completed" or (type(code) is int and code != 0)
    text = text_in(state, "error") or text_in(state, "output")
    text = f"Exit code {code}\n{text}" if type(code) is int and code else text
    block = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": failed}
    line: JsonObject = {"message": {"role": "user", "content": [block]}}
    if state.get("status") == "error" and text.startswith(_REJECTED):
        line["toolUseResult"] = "User rejected tool use"  # as other clients say it
    return line


def _answers(state: JsonObject) -> JsonObject:
    """Return what was chosen by question: the client keeps the answers in the questions' order."""
    asked = as_object(state.get("input")).get("questions")
    answers = as_object(state.get("metadata")).get("answers")
    pairs = zip(asked, answers, strict=False) if type(asked) is type(answers) is list else ()
    return {
        text_in(as_object(question), "question"): ", ".join(word for word in chosen)
        for question, chosen in pairs
        if isinstance(chosen, list) and all(isinstance(word, str) for word in chosen)
    }


def _said(text: str) -> JsonObject:
    return {"message": {"role": "user", "content": text}}
