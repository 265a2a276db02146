"""What the client takes from a hook, as it was measured: stdout that it would refuse is named.

Events differ. PreCompact's stdout is plain text for the summariser, and JSON there is pasted into
the prompt; what PostCompact prints is echoed into the conversation; the others want nothing, or
one JSON object as JavaScript parses it.
"""

import json
import re
from typing import Any

LIMIT_UTF16 = 10_000
WITH_CONTEXT = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"})
_KEYS = frozenset({"hookSpecificOutput", "systemMessage", "decision", "reason"})
# Told on their own here, not with the package's pattern: a hole in that one would be one in both.
_POSING = re.compile(
    r"<\s{0,9}[/!]?\s{0,9}(?:system|local-command|command-|user-prompt|persisted-output|task-"
    r"|function|antml|!--|summary>|analysis>|tools-used|tool_use_error|total_tokens|budget"
    r"|\|im_)|\[/?INST\]",
    re.IGNORECASE,
)
_ROLE = re.compile(r"^(?:human|assistant|system|user)\s{0,9}:", re.IGNORECASE | re.MULTILINE)
_HEAD, _END = "<!-- AMPLIHACK STATE", "-->"


def problem_with_stdout(event: str, stdout: bytes, *, texts: bool = True) -> str:
    """Return why the client would not take this answer of a hook that exited 0; empty when it does.

    `event` is the hook's own, `Store` for the one that is started for several. With `texts`, what
    the answer says has to be inert as well.
    """
    problem, said = _read(event, stdout)
    return problem or (next(filter(None, map(problem_with_text, said)), "") if texts else "")


def _read(event: str, stdout: bytes) -> tuple[str, list[str]]:
    """Return what is wrong with an answer's form, and the texts that it holds."""
    try:
        text = stdout.decode("utf-8")
    except UnicodeDecodeError:
        return "stdout is not UTF-8", []
    if not text:
        return "", []
    if event == "PreCompact":
        return _problem_with_hint(text), [text]
    if event not in WITH_CONTEXT:
        return f"{event} prints {text[:80]!r}", []
    try:
        answer = json.loads(text, parse_constant=_refuse)
    except ValueError as error:
        return f"no JSON as the client parses it: {error}", []
    if not isinstance(answer, dict):
        return "stdout is no JSON object", []
    output = answer.get("hookSpecificOutput")
    given = output.get("additionalContext") if isinstance(output, dict) else None
    found = [given, answer.get("reason"), answer.get("systemMessage")]
    return _problem_with_answer(event, answer), [one for one in found if isinstance(one, str)]


def problem_with_text(text: str) -> str:
    """Return what in a text for the model is not inert; empty when all is.

    Inert: printable characters and line ends, no tag that the client gives a meaning to, no line
    that begins as a speaker's, and no end of our frame but the last.
    """
    odd = next((c for c in text if c != "\n" and not c.isprintable()), "")
    if odd:
        return f"U+{ord(odd):04X} in a text for the model"
    body = _without_frame(text)
    found = _POSING.search(body) or _ROLE.search(body)
    if found is not None:
        return f"{body[found.start() : found.start() + 40]!r} in a text for the model"
    if _END in body or "AMPLIHACK STATE" in body:
        return "the frame is closed or opened inside the text"
    return ""


def _without_frame(text: str) -> str:
    """Return a text without the comments of its own first and last line."""
    lines = text.strip("\n").split("\n")
    for place in (0, -1):
        if lines and re.fullmatch(r"<!-- [^<>]{1,200} -->", lines[place]):
            lines.pop(place)
    return "\n".join(lines)


def _problem_with_hint(text: str) -> str:
    if text.lstrip().startswith(("{", "[")):
        return "PreCompact prints JSON"
    if _units(text) > LIMIT_UTF16:
        return f"{_units(text)} UTF-16 units of text"
    return ""


def _problem_with_answer(event: str, answer: dict[str, Any]) -> str:
    if not answer.keys() <= _KEYS:
        return f"unknown keys {sorted(answer.keys() - _KEYS)}"
    problem = _problem_with_block(event, answer) or _problem_with_context(event, answer)
    is_text = isinstance(answer.get("systemMessage", ""), str)
    return problem or ("" if is_text else "systemMessage is no text")


def _problem_with_block(event: str, answer: dict[str, Any]) -> str:
    if "decision" not in answer and "reason" not in answer:
        return ""
    if event != "Stop" or answer.get("decision") != "block":
        return f"decision {answer.get('decision')!r} for {event}"
    reason = answer.get("reason")
    return _problem_with_model_text(reason)


def _problem_with_context(event: str, answer: dict[str, Any]) -> str:
    if "hookSpecificOutput" not in answer:
        return ""
    output = answer["hookSpecificOutput"]
    if not isinstance(output, dict) or output.get("hookEventName") != event:
        return f"hookSpecificOutput of another event than {event}"
    if output.keys() != {"hookEventName", "additionalContext"}:
        return f"hookSpecificOutput with the keys {sorted(output)}"
    return _problem_with_model_text(output["additionalContext"])


def _problem_with_model_text(text: object) -> str:
    if not isinstance(text, str) or not text:
        return "a text for the model that is none"
    if _units(text) > LIMIT_UTF16:
        return f"{_units(text)} UTF-16 units of text"
    return ""


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no JSON")
