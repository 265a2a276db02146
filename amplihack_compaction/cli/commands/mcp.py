"""`mcp`: a server with tools by which the model looks up what a summary dropped, and notes things.

It speaks over standard input and output, a JSON-RPC message a line, and the client starts it in the
project's folder:

    amplihack-compaction install --recall

A server of some hundred lines, since it starts with every session: the library takes seconds.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amplihack_compaction import __version__
from amplihack_compaction.base.errors import CompactionError, TranscriptError
from amplihack_compaction.base.folders import read_end
from amplihack_compaction.base.installation import COMMAND_NAME
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.base.redaction.redact import read_user_patterns
from amplihack_compaction.cli.options import SESSION_VARIABLE, URL
from amplihack_compaction.clients.reading import (
    all_transcripts,
    project_transcripts,
    session_id_of,
    session_transcript,
)
from amplihack_compaction.text.words import harmless_lines

if TYPE_CHECKING:
    from amplihack_compaction.cli.sessions import Session

_PROTOCOLS = ("2025-06-18", "2025-03-26", "2024-11-05")
_PARSE_ERROR, _INVALID_REQUEST, _NO_METHOD = -32700, -32600, -32601
_INSTRUCTIONS = (
    "Everything that was said and done in this project's sessions is kept, also what compaction"
    " summaries left out. `recall` searches it; `session_state` tells the rules, todos and"
    " decisions that are in force. Both quote what was recorded. `remember` notes what every"
    " compaction is to leave in force, as the model's own words."
)
TOOLS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("mcp_tools.json").read_text(encoding="utf-8")
)
# Beside a call other calls of the same response are written, with whole files in them.
_END_BYTES = 1_000_000
_NEWEST = 5
_WRITTEN_SECONDS, _BETWEEN_LOOKS_SECONDS = 1.0, 0.02


def mcp(url: str | None = URL) -> None:
    """Serve `recall`, `session_state` and `remember` as MCP tools, for Claude Code to start."""
    for line in sys.stdin.buffer:
        answer = answer_message(line, url) if line.strip() else None
        if answer is not None:
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


def answer_message(line: bytes, url: str | None) -> dict[str, Any] | None:
    """Return the answer to a message of the client; None for one that wants none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, _PARSE_ERROR, "not JSON")
    if not isinstance(message, dict):
        return _error(None, _INVALID_REQUEST, "not an object")
    id_, method, given = message.get("id"), message.get("method"), message.get("params")
    if id_ is None or not isinstance(method, str):
        return None  # a notification, or an answer to what nobody asked
    params = given if isinstance(given, dict) else {}
    result: dict[str, Any] = {}
    if method == "initialize":
        wanted = params.get("protocolVersion")
        result = {
            "protocolVersion": wanted if wanted in _PROTOCOLS else _PROTOCOLS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": COMMAND_NAME, "version": __version__},
            "instructions": _INSTRUCTIONS,
        }
    elif method == "tools/list":
        result = {"tools": TOOLS}
    elif method == "tools/call":
        _follow_session(params.get("_meta"))
        result = _call(params.get("name"), params.get("arguments") or {}, url)
    elif method != "ping":
        return _error(id_, _NO_METHOD, f"no method {method[:40]}")
    return {"jsonrpc": "2.0", "id": id_, "result": result}


def _follow_session(meta: object) -> None:
    """Name the session that calls, which the client tells once, when it starts the server.

    After `/clear` or another session resumed it is one whose transcript has the call. The client
    writes the call while it makes it (within 0.1 s, measured with 2.1.330).
    """
    call = meta.get("claudecode/toolUseId") if isinstance(meta, dict) else None
    if not isinstance(call, str) or not call:
        return
    until = time.monotonic() + _WRITTEN_SECONDS
    while True:
        for path in project_transcripts(project_root())[:_NEWEST]:
            with suppress(OSError, ValueError):  # gone, or no file any more
                if call.encode("utf-8", "replace") in read_end(str(path), _END_BYTES):
                    os.environ[SESSION_VARIABLE] = session_id_of(path)
                    return
        if time.monotonic() > until:
            return  # a subagent's, or of a client that writes later
        time.sleep(_BETWEEN_LOOKS_SECONDS)


def _call(name: object, arguments: object, url: str | None) -> dict[str, Any]:
    """Return a tool's answer, or what went wrong as the model can use it."""
    tool = next((tool for tool in TOOLS if tool["name"] == name), None)
    problem = _problem(arguments, tool["inputSchema"]) if tool else f"there is no tool {name!r}"
    try:
        if problem or not isinstance(arguments, dict):
            raise CompactionError(problem)
        if name == "recall":
            arguments = {**arguments, "url": url}
        text, failed = _ANSWERS[str(name)](**arguments), False
    except (CompactionError, OSError) as error:
        text, failed = f"Not possible: {harmless_lines(str(error))}", True
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def _problem(arguments: object, schema: dict[str, Any]) -> str:
    """Return what is wrong with a call's arguments, by the schema that the client was given."""
    known = schema["properties"]
    if not isinstance(arguments, dict):
        return "the arguments are no object"
    for name in schema["required"]:
        if name not in arguments:
            return f"`{name}` is missing"
    for name, value in arguments.items():
        if name not in known:
            return f"there is no argument `{name[:40]}`; there are {', '.join(known)}"
        if not _fits(value, known[name]):
            allowed = known[name].get("items", known[name])
            return f"`{name}` is not as it must be: {json.dumps(allowed)}"
    return ""


def _fits(value: object, schema: dict[str, Any]) -> bool:
    if schema["type"] == "array":
        return isinstance(value, list) and all(_fits(each, schema["items"]) for each in value)
    if schema["type"] == "integer":
        least, most = schema.get("minimum", 0), schema.get("maximum", sys.maxsize)
        return type(value) is int and least <= value <= most
    return isinstance(value, str) and value in schema.get("enum", [value])


def _error(id_: object, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}}


def recall_text(
    query: str, url: str | None = None, limit: int = 10, kinds: Sequence[str] = (), **named: Any
) -> str:
    """Return what a search finds, as text; `named` are other filters of it."""
    from amplihack_compaction.cli.commands.recall import recall_as_text, search_store, search_time
    from amplihack_compaction.store.search import Filters

    for name in ("since", "until"):
        named[name] = search_time(named.get(name, ""))
    filters = Filters(kinds=tuple(dict.fromkeys(kinds)), **named)
    read_user_patterns()  # what is a secret may have changed since the server was started
    return recall_as_text(search_store(query, filters, limit, url), url)


def state_text(session: str = "") -> str:
    """Return the state of a session of this project; raises TranscriptError for an unknown one."""
    from amplihack_compaction.cli.commands.state import with_ids
    from amplihack_compaction.cli.sessions import folded_now
    from amplihack_compaction.injection.render import render_whole
    from amplihack_compaction.ledger.edits import list_items

    state = folded_now(_session_of(session)).state
    return "\n".join(with_ids(render_whole(state).splitlines(), list_items(state)))


def note_text(text: str, kind: str = "note") -> str:
    """Have something noted in the session that the server was started for; return what it is."""
    from amplihack_compaction.cli.commands.edit import joined_words, keep_words

    return keep_words(_session_of(""), joined_words([text]), kind, "model")


_ANSWERS: dict[str, Callable[..., str]] = {
    "recall": recall_text,
    "session_state": state_text,
    "remember": note_text,
}


def _session_of(session: str) -> "Session":
    from amplihack_compaction.cli.sessions import Session
    from amplihack_compaction.compactor.transcripts.manifest import newest_session

    root = project_root()
    read_user_patterns()
    named = session or os.environ.get(SESSION_VARIABLE, "")
    path = session_transcript(root, named) if named else None
    if path is None and not session:
        path = newest_session(root, all_transcripts(root))
    if path is None:
        said = f"no session {session}" if session else "no session"
        raise TranscriptError(f"{said} of {root} is recorded")
    return Session(session_id_of(path), path, root)
