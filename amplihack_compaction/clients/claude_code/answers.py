"""The answers that hooks give to the client, as it parses them.

Exactly one JSON object, or nothing. PreCompact is the exception: its stdout is plain text for the
summariser, and a JSON object there would be pasted into the summary prompt.
"""

import json

from amplihack_compaction.base.size_limits import INJECTION_LIMIT_UTF16

_CUT = "\n[cut]"


def additional_context(event: str, text: str, system_message: str = "") -> str:
    """Return an answer that gives the model a text, and the user a message where there is one.

    The client replaces a text above its limit by a preview, so it is cut here where that is to
    happen: losing the end is better than losing all but the head.
    """
    answer: dict[str, object] = {
        "hookSpecificOutput": {"hookEventName": event, "additionalContext": fit(text)}
    }
    if system_message:
        answer["systemMessage"] = system_message
    return json.dumps(answer)


def ask_first(reason: str) -> str:
    """Return an answer to PreToolUse that has the user asked before the tool runs."""
    answer = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "ask",
        "permissionDecisionReason": fit(reason),
    }
    return json.dumps({"hookSpecificOutput": answer})


def block(reason: str) -> str:
    """Return an answer to Stop that makes the model go on, with the reason."""
    return json.dumps({"decision": "block", "reason": fit(reason)})


def fit(text: str) -> str:
    """Return the text, cut to the client's limit of UTF-16 code units."""
    encoded = text.encode("utf-16-le", "replace")
    if len(encoded) <= 2 * INJECTION_LIMIT_UTF16:
        return text
    room = 2 * (INJECTION_LIMIT_UTF16 - len(_CUT))
    return encoded[:room].decode("utf-16-le", "ignore") + _CUT
