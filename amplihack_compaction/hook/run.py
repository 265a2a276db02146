"""Run one hook: read the payload, choose the handler, write its answer, never fail (hot).

The contract with the client: exit code 0 always, one answer or nothing on stdout, problems as
one line in the log. This module has the package's one broad `except`; the tests set
`AMPLIHACK_COMPACTION_STRICT=1`, under which it raises.
"""

import posix

from amplihack_compaction.base.files import list_names, parse_object, write_all
from amplihack_compaction.base.limits import STDIN_LIMIT_BYTES
from amplihack_compaction.base.paths import linked_folder, project_root, runtime_folder
from amplihack_compaction.clients.claude_code.payloads import STORE, problem_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_CHUNK_BYTES = 1024 * 1024
# So many new objects before the collector looks for cycles among them: a hook makes few, and ends
# soon; to look after every 700 takes a twentieth of a compaction.
_COLLECT_AFTER_OBJECTS = 50_000


def run_hook(event: str) -> "NoReturn":
    """Run the hook of an event as a process: payload on stdin, answer on stdout, exit code 0."""
    if posix.isatty(0):
        _explain(event)
        posix._exit(0)
    try:
        answer = run(event, _read_stdin())
        if answer:
            write_all(1, answer.encode("utf-8", "replace"))
    except Exception as error:  # noqa: BLE001 - the one boundary of the package
        _fail(event, error)
    # Skips the interpreter's teardown, a tenth of the whole run; nothing is left to flush.
    posix._exit(0)


def run(event: str, stdin: bytes) -> str:
    """Return the answer to one payload; empty for none. Unusable input is logged."""
    payload = parse_object(stdin)
    if payload is None:
        _log(event, "stdin is not a JSON object")
        return ""
    problem = problem_with(payload, event)
    if problem:
        _log(event, problem)
        return ""
    root = project_root()
    if payload.get("agent_id") or not root:
        return ""  # a subagent's event carries the main session's id, but is not the session's
    return _handle(event, payload, root)


def _handle(event: str, payload: "dict[str, Any]", root: str) -> str:
    """Call the event's handler; each is imported in its own branch, for start-up's sake."""
    if event == "PreToolUse" or event == "UserPromptSubmit":
        from amplihack_compaction.hook.every_turn import answer_turn_event

        return answer_turn_event(payload, root)
    if event == "Stop":
        from amplihack_compaction.hook.every_turn import answer_stop

        return answer_stop(payload, root)
    if event == STORE:
        from amplihack_compaction.hook.store import store_event

        return store_event(payload, root)
    if event == "SessionStart" and payload.get("source") != "compact":
        if linked_folder(root) or not list_names(f"{runtime_folder(root)}/offers"):
            return ""  # every session starts; hardly any has another one to go on with
        return _offer(payload, root)
    from gc import set_threshold

    from amplihack_compaction.base.installation import add_site_packages

    set_threshold(_COLLECT_AFTER_OBJECTS)
    add_site_packages()
    if event == "PreCompact":
        from amplihack_compaction.hook.pre_compact import answer_pre_compact

        return answer_pre_compact(payload, root)
    if event == "SessionStart":
        from amplihack_compaction.hook.session_start import answer_session_start

        return answer_session_start(payload, root)
    if event == "PostCompact":
        from amplihack_compaction.hook.post_compact import answer_post_compact

        return answer_post_compact(payload, root)
    if event == "SessionEnd":
        from amplihack_compaction.hook.session_end import answer_session_end

        return answer_session_end(payload, root)
    _log(event, "no handler for this event")
    return ""


def _offer(payload: "dict[str, Any]", root: str) -> str:
    from amplihack_compaction.base.installation import add_site_packages

    add_site_packages()
    from amplihack_compaction.hook.session_start import answer_session_offer

    return answer_session_offer(payload, root)


def _read_stdin() -> bytes:
    chunks = []
    total = 0
    while total <= STDIN_LIMIT_BYTES:
        chunk = posix.read(0, _CHUNK_BYTES)
        if not chunk:
            break
        chunks.append(chunk)
        total += len(chunk)
    return b"".join(chunks)


def _log(event: str, message: str) -> None:
    from amplihack_compaction.base.hook_log import log_line

    log_line(project_root(), event, message)


def _fail(event: str, error: Exception) -> None:
    if posix.environ.get(b"AMPLIHACK_COMPACTION_STRICT") == b"1":
        raise error
    from amplihack_compaction.base.hook_log import log_error

    log_error(project_root(), event, error)


def _explain(event: str) -> None:
    from amplihack_compaction.base.installation import own_command

    text = (
        f"This is the {event} hook of amplihack-compaction. Claude Code starts it with a JSON\n"
        "payload on standard input; by hand there is nothing to type. To see what the hooks did\n"
        f"in a session: {own_command()} diagnose\n"
    )
    write_all(2, text.encode())
