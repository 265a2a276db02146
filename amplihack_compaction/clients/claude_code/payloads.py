"""The payloads that the client sends to hooks, and what each must hold (hot)."""

from amplihack_compaction.base.paths import is_transcript_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NotRequired, TypedDict

    class Payload(TypedDict):
        """Fields of the events that this package answers; the client sends more."""

        session_id: str
        transcript_path: str
        hook_event_name: str
        cwd: NotRequired[str]
        agent_id: NotRequired[str]
        source: NotRequired[str]
        trigger: NotRequired[str]
        custom_instructions: NotRequired[str | None]
        compact_summary: NotRequired[str]
        prompt: NotRequired[str]
        tool_name: NotRequired[str]
        stop_hook_active: NotRequired[bool]
        last_assistant_message: NotRequired[str]
        reason: NotRequired[str]


STORE = "Store"
"""What the hook is called that stores; the client starts it for several events."""
_STORED = ("Stop", "PreCompact", "PostCompact", "SessionEnd")
_REQUIRED = ("session_id", "transcript_path", "hook_event_name")


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
