"""Read what the client wrote down of hook calls: a line of each that printed something or failed.

At the end of a turn, one more line sums up the hooks of Stop.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from amplihack_compaction.transcript.session import JsonObject, text_in


@dataclass(frozen=True, slots=True)
class HookTrace:
    """A hook call: `kind` is the client's word for what came of it, empty in a sum at a turn's end.

    `milliseconds` is None where the client wrote none down.
    """

    kind: str
    event: str
    command: str
    use_id: str
    milliseconds: float | None


def hook_traces(data: JsonObject) -> Iterator[HookTrace]:
    """Yield the hook calls that an entry of a transcript tells of."""
    attachment, infos = data.get("attachment"), data.get("hookInfos")
    if isinstance(attachment, dict) and attachment.get("hookEvent"):
        event, use_id = text_in(attachment, "hookEvent"), text_in(attachment, "toolUseID")
        yield _trace(text_in(attachment, "type"), event, use_id, attachment)
    elif data.get("subtype") == "stop_hook_summary" and isinstance(infos, list):
        for info in infos:
            if isinstance(info, dict):
                yield _trace("", "Stop", text_in(data, "toolUseID"), info)


def _trace(kind: str, event: str, use_id: str, told: JsonObject) -> HookTrace:
    took: Any = told.get("durationMs")
    is_time = type(took) in (int, float) and 0 <= took < inf
    return HookTrace(
        kind, event, text_in(told, "command"), use_id, float(took) if is_time else None
    )
