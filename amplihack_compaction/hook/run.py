"""Run one hook: read the payload, choose the handler, write its answer, never fail (hot).

The contract with the client: exit code 0 always, one answer or nothing on stdout, problems as
one line in the log. At the events of every turn there is nearly always nothing to say: what may be
needed then is imported where it is. Whatever else fails ends here; the tests set
`AMPLIHACK_COMPACTION_STRICT=1`, under which it raises.
"""

import posix

from amplihack_compaction.base.files import list_names, parse_object, read_bytes, write_all
from amplihack_compaction.base.paths import (
    GUARD_FILE,
    is_transcript_path,
    linked_folder,
    project_root,
    runtime_folder,
    session_folder,
)
from amplihack_compaction.base.size_limits import STDIN_LIMIT_BYTES
from amplihack_compaction.injection.position import is_pending, observe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

# As long as the client lets it run.
_STORE_SECONDS = 30
_CHUNK_BYTES = 1024 * 1024
_GUARD_BYTES = 256 * 1024
_SETTINGS_BYTES = 1024 * 1024
# So many new objects before the collector looks for cycles among them: a hook makes few, and ends
# soon; to look after every 700 takes a twentieth of a compaction.
_COLLECT_AFTER_OBJECTS = 50_000
STORE = "Store"
"""What the hook is called that stores; the client starts it for several events."""
_STORED = ("SessionStart", "Stop", "SessionEnd")
_REQUIRED = ("session_id", "transcript_path", "hook_event_name")


def run_hook(event: str) -> "NoReturn":
    """Run the hook of an event as a process: payload on stdin, answer on stdout, exit code 0."""
    if posix.isatty(0):
        _explain(event)
        posix._exit(0)
    if event == STORE:
        from _signal import alarm  # type: ignore[import-not-found] # without enum

        alarm(_STORE_SECONDS)  # nobody waits for this one: it outlives no time limit by itself
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


def problem_with(fields: "dict[str, Any]", event: str) -> str:
    """Return what makes a payload unusable for an event, or nothing.

    A required field that is missing is never replaced by a default: an empty transcript path,
    taken as a path, would be the current folder.
    """
    for name in _REQUIRED:
        value = fields.get(name)
        if not isinstance(value, str) or not value:
            return f"payload without a usable {name}"
        if "\0" in value:
            return f"NUL in {name}"
    name = fields["hook_event_name"]
    if name not in _STORED if event == STORE else name != event:
        return f"payload of another event: {name[:40]!r}"
    if not is_transcript_path(fields["transcript_path"]):
        return "payload whose transcript_path is no absolute path of a .jsonl file"
    return ""


def _handle(event: str, payload: "dict[str, Any]", root: str) -> str:
    """Call the event's handler; each is imported in its own branch, for start-up's sake."""
    if event == "PreToolUse" or event == "UserPromptSubmit":
        return answer_turn_event(payload, root)
    if event == "Stop":
        return answer_stop(payload, root)
    if event == STORE:
        from amplihack_compaction.hook.store import store_event

        return store_event(payload, root)
    is_begun = event == "SessionStart" and payload.get("source") != "compact"
    if is_begun and (linked_folder(root) or not list_names(f"{runtime_folder(root)}/offers")):
        return ""  # every session starts; hardly any has another one to go on with
    from gc import set_threshold

    set_threshold(_COLLECT_AFTER_OBJECTS)
    add_site_packages()
    if payload.get("client"):
        from amplihack_compaction.hook.mirrored import answer_mirrored as answer
    elif event == "PreCompact":
        from amplihack_compaction.hook.pre_compact import answer_pre_compact as answer
    elif event == "SessionStart":
        from amplihack_compaction.hook.session_start import answer_session_start as answer
    elif event == "PostCompact":
        from amplihack_compaction.hook.post_compact import answer_post_compact as answer
    elif event == "SessionEnd":
        from amplihack_compaction.hook.session_end import answer_session_end as answer
    else:
        _log(event, "no handler for this event")
        return ""
    return answer(payload, root)


def answer_turn_event(payload: "dict[str, Any]", root: str) -> str:
    """Return what a PreToolUse or UserPromptSubmit hook has to say: nearly always nothing."""
    folder = session_folder(root, payload["session_id"])
    is_prompt = payload["hook_event_name"] == "UserPromptSubmit"
    position = observe(root, folder, payload["transcript_path"], is_new_turn=is_prompt)
    if position is None:
        return ""
    if not is_prompt and may_break_rule(folder, payload, position.boundary):
        from amplihack_compaction.hook.rule_broken import answer_broken_rule

        add_site_packages()
        if said := answer_broken_rule(payload, root, folder, words_of_call(payload)):
            return said
    if position.missing:
        from amplihack_compaction.hook.late_injection import inject_missing

        add_site_packages()
        return inject_missing(payload, root, folder, position)
    if is_pending(folder):
        from amplihack_compaction.hook.late_injection import give_pending

        return give_pending(payload, folder)
    from amplihack_compaction.context.quiet_band import is_due

    if is_due(root, folder, payload["transcript_path"], position.boundary):
        from amplihack_compaction.hook.level_crossed import answer_level

        add_site_packages()
        return answer_level(payload, root, folder, position.boundary)
    return ""


def may_break_rule(folder: str, payload: "dict[str, Any]", boundary: int) -> bool:
    """Return whether a tool call has what some rule is broken with; see `ledger.guard`.

    Nearly always there is no rule that a call could be held against, and no file.
    """
    data = read_bytes(f"{folder}/{GUARD_FILE}", _GUARD_BYTES)
    given = payload.get("tool_input")
    if data is None or not isinstance(given, dict):
        return False
    said = words_of_call(payload)
    head, *lines = data.partition(b"\n\n")[0].decode("utf-8", "replace").split("\n")
    texts = lines[0] if lines else "+"
    for word in lines[1].split("\t") if lines[1:] else ():
        if word in said:
            break
    else:
        return texts != "+" and _has_one(texts, given)
    is_same_window = head == f"4 {max(boundary, 0)}"
    was_told = False
    for line in lines[2:]:
        id_, _, needles = line.partition("\t")
        for needle in needles.split("\t"):
            if needle not in said:
                break
        else:
            if not is_same_window or id_[:1] != "-":
                return bool(needles)
            was_told = True
    return (was_told and _may_ask_again()) or (texts != "+" and _has_one(texts, given))


def words_of_call(payload: "dict[str, Any]") -> str:
    """Return what of a tool call is held against needles: its name, and what it is told to do."""
    given, said = payload["tool_input"], f"<{payload.get('tool_name')}>"
    # Of a server's tool any argument may be what is barred: a statement, a channel.
    names = (
        given if said[:5] == "<mcp_" else ("command", "file_path", "notebook_path", "path", "url")
    )
    for name in names:
        said += f" {given.get(name, '')}"
    return said.casefold()


def _may_ask_again() -> bool:
    """Return whether a setting may say `ask` now, by which a rule is told of at each breach.

    The file of rules may be older than the setting.
    """
    environ = posix.environ
    named = environ.get(b"CLAUDE_CONFIG_DIR") or environ.get(b"HOME", b"") + b"/.claude"
    for config in (named.decode("utf-8", "surrogateescape"), f"{project_root()}/.claude"):
        data = read_bytes(f"{config}/compaction.json", _SETTINGS_BYTES, follow=True)
        if b'"ask"' in (data or b""):
            return True
    return environ.get(b"AMPLIHACK_COMPACTION_GUARD") == b"ask"


def _has_one(texts: str, given: "dict[str, Any]") -> bool:
    """Return whether one of these texts stands in what a call writes."""
    written = ""
    for name in ("content", "new_string", "new_source", "edits", "command"):
        written += f" {given.get(name, '')}"
    written = written.casefold()
    return any(text in written for text in texts[2:].split("\t"))


def answer_stop(payload: "dict[str, Any]", root: str) -> str:
    """Return what Stop has to say: something only after a compaction that lost something."""
    if payload.get("stop_hook_active"):
        return ""  # a turn that a hook prolonged is never prolonged again
    folder = session_folder(root, payload["session_id"])
    position = observe(root, folder, payload["transcript_path"], look_back=True)
    if position is None or position.boundary <= position.checked:
        return ""
    from amplihack_compaction.hook.stop import check_losses

    add_site_packages()
    return check_losses(payload, root, folder, position)


def add_site_packages() -> None:
    """Put the site-packages folder of the running interpreter's environment on the path.

    Hooks run with `-I -S`, so it is not there; an installed hook has its own folder there, since
    the package lies in site-packages, but one that runs from a checkout has not.
    """
    import sys

    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    environment = sys.executable.rpartition("/")[0].rpartition("/")[0]
    folder = f"{environment}/lib/{version}/site-packages"
    if folder not in sys.path:
        sys.path.append(folder)


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
    from amplihack_compaction.base.hook_log import NOT_AWAITED, is_strict, log_error, log_line

    if is_strict():
        raise error
    if isinstance(error, BrokenPipeError):
        log_line(project_root(), event, NOT_AWAITED)
    else:
        log_error(project_root(), event, error)


def _explain(event: str) -> None:
    from amplihack_compaction.base.installation import own_command

    text = (
        f"This is the {event} hook of amplihack-compaction. Claude Code starts it with a JSON\n"
        "payload on standard input; by hand there is nothing to type. To see what the hooks did\n"
        f"in a session: {own_command()} diagnose\n"
    )
    write_all(2, text.encode())
