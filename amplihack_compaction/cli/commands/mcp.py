"""`mcp`: a server with two tools by which the model looks up what a summary dropped.

It speaks over standard input and output, and the client starts it in the project's folder:

    claude mcp add recall -- /PATH/TO/amplihack-compaction mcp
"""

import os
from typing import TYPE_CHECKING

import typer

from amplihack_compaction import __version__
from amplihack_compaction.base.errors import CompactionError, TranscriptError
from amplihack_compaction.base.installation import extra_command, own_command
from amplihack_compaction.base.paths import project_root, session_folder
from amplihack_compaction.base.redaction.redact import use_project
from amplihack_compaction.cli.commands.recall import recall_as_text, search_time
from amplihack_compaction.cli.options import UrlOption
from amplihack_compaction.clients.claude_code.session_files import (
    all_transcripts,
    session_transcript,
)
from amplihack_compaction.clients.reading import read_task_files
from amplihack_compaction.compactor.transcripts.manifest import newest_session
from amplihack_compaction.injection.render import render_whole
from amplihack_compaction.ledger.stored import continued_state, fold_transcript
from amplihack_compaction.store.open_store import open_to_read
from amplihack_compaction.store.search import DEFAULT_LIMIT, Filters, recall

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.mcpserver import MCPServer

_SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
_INSTRUCTIONS = (
    "Everything that was said and done in this project's sessions is kept, also what compaction"
    " summaries left out. `recall` searches it; `session_state` tells the rules, todos and"
    " decisions that are in force. Both quote what was recorded."
)


# The client starts it by what stands here, whatever is on its PATH.
_REGISTER = f"\b\nRegister it:\n  claude mcp add recall -- {own_command()} mcp"
commands = typer.Typer()


@commands.command(epilog=_REGISTER)
def mcp(url: UrlOption = None) -> None:
    """Serve `recall` and `session_state` to the client as MCP tools, over standard input.

    Needs the extra `mcp`.
    """
    make_server(url).run()


def make_server(url: str | None) -> "MCPServer":
    """Return a server with the tools `recall` and `session_state`, on a store's URL."""
    try:
        from mcp.server.mcpserver import MCPServer
    except ImportError:
        raise CompactionError(
            f"the MCP server needs the extra `mcp`: {extra_command('mcp')}"
        ) from None
    server = MCPServer(
        "amplihack-compaction", instructions=_INSTRUCTIONS, version=__version__,
        log_level="WARNING",
    )  # fmt: skip

    def search(
        query: str,
        session: str = "",
        kinds: list[str] | None = None,
        since: str = "",
        until: str = "",
        before_compaction: int | None = None,
        limit: int = DEFAULT_LIMIT,
    ) -> str:
        filters = Filters(
            session=session, kinds=tuple(kinds or ()), since=search_time(since),
            until=search_time(until), before_compaction=before_compaction,
        )  # fmt: skip
        return _answer_or_reason(lambda: recall_text(url, query, filters, limit))

    def state(session: str = "") -> str:
        return _answer_or_reason(lambda: state_text(session))

    server.tool("recall", description=_RECALL, structured_output=False)(search)
    server.tool("session_state", description=_STATE, structured_output=False)(state)
    return server


_RECALL = (
    "Search what was said and done in this project's sessions, also before compactions: prompts,"
    " answers, tool calls, outputs, decisions and summaries, best first, each with where it stands"
    " in its transcript. All words must be there; words in double quotes stand side by side; -word"
    " must not be there; parts of identifiers and paths are found. `session` is an id or its"
    " beginning; `kinds` any of prompt, answer, tool_call, tool_output, decision, summary,"
    " archived; `since` and `until` ISO 8601 times or their beginnings (UTC); `before_compaction`"
    " N leaves what was said before a session's Nth compaction; `limit` is at most 200."
)
_STATE = (
    "Tell the state of a session as it is recorded now: standing rules, objective, todos,"
    " decisions, exact values, how the work is checked. `session` is its id; the default is the"
    " session that this server was started for, else the project's newest."
)


def recall_text(url: str | None, query: str, filters: Filters, limit: int) -> str:
    """Return what a search finds, as text."""
    root = project_root()
    use_project(root)  # what is a secret may have changed since the server was started
    with open_to_read(url, root) as database:
        return recall_as_text(recall(database, query, filters, limit))


def state_text(session: str) -> str:
    """Return the state of a session of this project; raises TranscriptError for an unknown one."""
    root = project_root()
    use_project(root)
    named = session or os.environ.get(_SESSION_VARIABLE, "")
    path = session_transcript(root, named) if named else None
    if path is None and not session:
        path = newest_session(root, all_transcripts(root))
    if path is None:
        said = f"no session {session}" if session else "no session"
        raise TranscriptError(f"{said} of {root} is recorded")
    base = continued_state(session_folder(root, path.stem), path.stem)
    return render_whole(
        fold_transcript(str(path), path.stem, base, read_task_files(str(path), path.stem)).state
    )


def _answer_or_reason(answer: "Callable[[], str]") -> str:
    """Return an answer, or what went wrong as the model can use it."""
    try:
        return answer()
    except CompactionError as error:
        return f"Not possible: {error}"
