"""Codex's rollouts: each raw line into the session lines that all rooms read.

A rollout is JSONL of `{"timestamp", "ordinal", "type", "payload"}`. A line is read by itself, so
that reading may begin anywhere; what one line does not tell is left out. As 0.169.0 writes it:

    session_meta, turn_context    the session's id, folder, branch and model
    response_item                 what the model was sent and said, and the tools that it called
    event_msg item_completed      what became of a command and of a change to files
    token_usage_record            a response's own numbers
    compacted                     a boundary, its summary, and the prompts that the model keeps

Who speaks is told by the fields that the client sets beside each part of a message: what was typed
has the kind `user.text` and the provenance `user`. Instructions, environment and skills stand in
messages of the role `user` too; they, and whatever has no such fields, are not the user's.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from amplihack_compaction.base.files import parse_object
from amplihack_compaction.clients.codex.tail import usage_numbers
from amplihack_compaction.transcript.session import (
    JsonObject,
    ReadReport,
    as_list,
    as_object,
    as_text,
    others_tool,
    text_in,
)

# Of so many files of one patch it is told what was done to them; a state has room for fewer.
_MOST_FILES = 500
_CONVERSATION = (
    "response_item", "event_msg", "compacted", "session_meta", "turn_context", "token_usage_record",
)  # fmt: skip
_SUMMARY_FRAME = "use the information in this summary to assist with your own analysis:\n"
# How the client begins the output of a command or a patch; `item_completed` tells their end.
_RAN = re.compile(r"Chunk ID: |Exit code: -?\d+\nWall time|Wall time: ")
_FAILED = re.compile(
    r"(?:unsupported |unknown |invalid |failed |error\b|aborted by user|err: |.{0,40}rejected)",
    re.IGNORECASE,
)
_REJECTED = re.compile(r".{0,40}(?:rejected by user|aborted by user)", re.IGNORECASE)
_SHELLS = ("-c", "-lc")
_ABOVE_REQUEST = re.compile(
    r"\s*(?:# (?:Context from my IDE setup|Files mentioned by the user|In app browser):"
    r"|<in-app-browser-context\b)"
)
_REQUEST = re.compile(r"^## My request(?: for Codex)?:[^\S\n]*$", re.MULTILINE)
_PATCHED = re.compile(r"^\*\*\* (?:(Add|Update|Delete) File|Move to): (.{1,4096})$", re.MULTILINE)


def parse_line(line: bytes, report: ReadReport) -> list[JsonObject]:
    """Return the session lines of a raw line: none where it is no conversation."""
    data = parse_object(line)
    if data is not None and data.get("type") not in _CONVERSATION:
        return []
    payload = data.get("payload") if data is not None else None
    if data is None or not isinstance(payload, dict):
        report.skip("broken")
        return []
    moment = text_in(data, "timestamp")
    known_by = f"{moment}.{data.get('ordinal', '')}"
    return [
        {"timestamp": moment, "uuid": f"{known_by}.{number}" if number else known_by, **found}
        for number, found in enumerate(_lines_of(data, payload))
    ]


def _lines_of(data: JsonObject, payload: JsonObject) -> Iterator[JsonObject]:
    kind = data.get("type")
    if kind == "response_item":
        yield from _of_item(data, payload)
    elif kind == "event_msg":
        if payload.get("type") == "item_completed":
            yield from _of_outcome(as_object(payload.get("item")))
    elif kind == "compacted":
        yield from _of_compaction(payload, text_in(data, "timestamp"))
    elif kind == "token_usage_record":
        yield from _of_usage(payload)
    else:
        yield _of_context(as_text(kind), payload)


def _of_context(kind: str, payload: JsonObject) -> JsonObject:
    line = {
        "type": "system",
        "subtype": kind,
        "cwd": text_in(payload, "cwd"),
        "model": text_in(payload, "model"),
        "gitBranch": text_in(as_object(payload.get("git")), "branch"),
        "sessionId": text_in(payload, "id"),
        "version": text_in(payload, "cli_version"),
    }
    return {name: value for name, value in line.items() if value}


def _of_item(data: JsonObject, payload: JsonObject) -> Iterator[JsonObject]:
    kind = payload.get("type")
    if kind == "message":
        yield from _of_message(data, payload)
    elif kind in ("function_call", "custom_tool_call"):
        yield from _of_call(payload)
    elif kind in ("function_call_output", "custom_tool_call_output"):
        text = _output_text(payload.get("output"))
        # A command's and a patch's own outcome comes by itself, with its exit code.
        if not _RAN.match(text):
            yield _result(payload.get("call_id"), text, is_error=bool(_FAILED.match(text)))
    elif kind == "web_search_call" and isinstance(payload.get("action"), dict):
        yield _called(payload.get("id"), "WebSearch", {"query": payload["action"].get("query")})


def _of_message(data: JsonObject, payload: JsonObject) -> Iterator[JsonObject]:
    texts = list(_texts(payload))
    if payload.get("role") == "assistant":
        # What the model wrote for the compaction is the summary, and comes with it.
        if as_object(data.get("metadata")).get("compaction_output") is not True:
            blocks = [{"type": "text", "text": text} for text, _ in texts]
            yield {"type": "assistant", "message": {"role": "assistant", "content": blocks}}
        return
    typed = [text for text, kind in texts if kind == "user" and text]
    hooked = [text for text, kind in texts if kind == "hook"]
    others = [text for text, kind in texts if kind == ""]
    if hooked:
        yield {
            "type": "attachment",
            "attachment": {"type": "hook_additional_context", "content": hooked},
        }
    if others:
        yield {"type": "user", "isMeta": True, **_said("\n".join(others))}
    if typed and payload.get("role") == "user":
        yield {"type": "user", "promptSource": "typed", **_said("\n".join(typed))}


def _texts(payload: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield each text of a message, and whose it is: `user`, `hook` or empty for all others."""
    told = as_object(payload.get("internal_chat_message_metadata_passthrough"))
    kinds = as_list(told.get("content_item_kinds"))
    facts = as_list(told.get("content_item_metadata"))
    for number, part in enumerate(as_list(payload.get("content"))):
        text = text_in(as_object(part), "text")
        if not text:
            continue
        kind = kinds[number] if number < len(kinds) else None
        fact = as_object(facts[number] if number < len(facts) else None)
        by_user = as_object(fact.get("provenance")).get("type") == "user"
        if kind == "user.text" and by_user:
            yield _request(text), "user"
        else:
            yield text, "hook" if kind == "hooks.additional_context" else ""


def _request(text: str) -> str:
    """Return what was typed, without what an editor or the app puts above it.

    A file's selected lines stand there, too, and may hold such a heading: the last one counts.
    """
    asked = [*_REQUEST.finditer(text)] if _ABOVE_REQUEST.match(text) else []
    return text[asked[-1].end() :].strip() if asked else text


def _of_call(payload: JsonObject) -> Iterator[JsonObject]:
    name, call = text_in(payload, "name"), payload.get("call_id")
    if name == "apply_patch":
        return  # told by its outcome, file by file
    try:
        given = json.loads(text_in(payload, "arguments") or "{}")
    except (ValueError, RecursionError):
        given = None
    given = given if isinstance(given, dict) else {"input": payload.get("arguments")}
    if payload.get("type") == "custom_tool_call":
        given = {"input": payload.get("input")}
    if name == "update_plan":
        steps = [step for step in as_list(given.get("plan")) if isinstance(step, dict)]
        told = [(step.get("step"), step.get("status")) for step in steps]
        todos = [{"content": it, "activeForm": it, "status": status} for it, status in told]
        yield _called(call, "TodoWrite", {"todos": todos})
    elif name in ("exec_command", "shell_command", "shell"):
        command = given.get("cmd") or given.get("command")
        yield _called(call, "Bash", {"command": _command(command)})
    elif name != "write_stdin" or given.get("chars"):
        server = text_in(payload, "namespace")
        whole = f"{server}__{name}" if server.startswith("mcp__") else name
        yield _called(call, others_tool(whole), given)


def patched_files(patch: str, folder: str) -> list[tuple[str, JsonObject]]:
    """Return what a patch is about to do as calls of tools: each file that it adds or changes."""
    found = []
    for how, path in _PATCHED.findall(patch):
        name = path.strip()
        given = {"file_path": name if name.startswith("/") else f"{folder}/{name}"}
        found.append(("Write" if how == "Add" else "Edit", given))
    return found


def _command(value: Any) -> str:
    """Return a command line: as it was given, or out of the shell that it was given to."""
    if isinstance(value, list):
        words = [word for word in value if isinstance(word, str)]
        return words[2] if len(words) == 3 and words[1] in _SHELLS else " ".join(words)
    return as_text(value)


def _of_outcome(item: JsonObject) -> Iterator[JsonObject]:
    call, kind = text_in(item, "id"), item.get("type")
    if kind == "CommandExecution":
        code = item.get("exit_code")
        text = text_in(item, "aggregated_output")
        text = f"Exit code {code}\n{text}" if code else text
        yield _result(call, text, is_error=code != 0, refused=item.get("status") == "declined")
    elif kind == "FileChange" and isinstance(item.get("changes"), dict):
        failed = item.get("status") != "completed"
        said = as_text(item.get("stderr" if failed else "stdout"))
        for number, (path, change) in enumerate(islice(item["changes"].items(), _MOST_FILES)):
            name = f"{call}.{number}"
            told = as_object(change)
            is_new = told.get("type") == "add"
            body = told.get("content") if is_new else told.get("unified_diff")
            given = {"file_path": path, "content" if is_new else "new_string": as_text(body)}
            yield _called(name, "Write" if is_new else "Edit", given)
            yield _result(name, said, is_error=failed, refused=item.get("status") == "declined")
            said = ""  # it is of all


def _of_compaction(payload: JsonObject, moment: str) -> Iterator[JsonObject]:
    # It is known by what its line begins with: a reader looks for that there.
    yield {"type": "system", "subtype": "compact_boundary", "uuid": moment}
    message = text_in(payload, "message")
    summary = message.partition(_SUMMARY_FRAME)[2] or message
    yield {"type": "user", "isCompactSummary": True, **_said(summary)}
    for kept in as_list(payload.get("replacement_history")):
        if isinstance(kept, dict) and kept.get("role") == "user":
            texts = [text for text, whose in _texts(kept) if whose == "user"]
            if texts:  # said already, where it was typed
                yield {"type": "user", "isMeta": True, **_said("\n".join(texts))}


def _of_usage(payload: JsonObject) -> Iterator[JsonObject]:
    numbers = usage_numbers(payload)
    if numbers is not None:
        sent, output, name = numbers
        usage = {"input_tokens": sent, "output_tokens": output}
        # Of the numbers alone nothing was said: without a uuid it is no part of the conversation.
        message = {"id": name, "role": "assistant", "content": [], "usage": usage}
        yield {"type": "assistant", "uuid": None, "message": message}


def _said(text: str) -> JsonObject:
    return {"message": {"role": "user", "content": text}}


def _called(call: Any, name: str, given: JsonObject) -> JsonObject:
    block = {"type": "tool_use", "id": as_text(call), "name": name, "input": given}
    return {"type": "assistant", "message": {"role": "assistant", "content": [block]}}


def _result(call: Any, text: str, *, is_error: bool, refused: bool = False) -> JsonObject:
    block = {"type": "tool_result", "tool_use_id": as_text(call), "content": text}
    content = [{**block, "is_error": is_error}]
    line: JsonObject = {"type": "user", "message": {"role": "user", "content": content}}
    if refused or (is_error and _REJECTED.match(text)):
        # As other clients say it; of what the user said with it nothing is told.
        line["toolUseResult"] = "User rejected tool use"
    return line


def _output_text(value: Any) -> str:
    """Return a tool's output: a text, or the texts of its parts."""
    if isinstance(value, dict):
        value = value.get("content")
    if isinstance(value, list):
        parts = [part.get("text") for part in value if isinstance(part, dict)]
        return "\n".join(part for part in parts if isinstance(part, str))
    return as_text(value)
