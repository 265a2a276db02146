"""PreToolUse where a call may break a standing rule: hold it against the rule, and say so, once.

The window that is open is read again first: what the user has lifted since, or asks for now, is
told of nobody.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.paths import prepare_runtime
from amplihack_compaction.base.settings import Guard, Settings, load_settings
from amplihack_compaction.clients import tail_of
from amplihack_compaction.clients.claude_code.answers import additional_context, ask_first
from amplihack_compaction.clients.reading import calls_of
from amplihack_compaction.extract.barred_calls import CALL_KEYS, Ban
from amplihack_compaction.ledger.guard import (
    GuardedRule,
    checked_out_branch,
    read_guard,
    take_notice,
    write_guard,
)

if TYPE_CHECKING:
    from amplihack_compaction.ledger.stored import Folded

EVENT = "PreToolUse"
BansBroken = Callable[[GuardedRule], Sequence[Ban]]
"""Return what of a rule a call breaks."""
_ASKED_CHARS = 2000
_REFUSES = re.compile(
    r"\b(?:not|never|don't|no|without|nicht|nie|kein\w*|pas|jamais|nunca|não|не|никогда)\b|n't\b"
    r"|不要|别|禁止|ない|말",
    re.IGNORECASE,
)


def answer_broken_rule(payload: dict[str, Any], root: str, folder: str) -> str:
    """Return what is said of a call that breaks a rule; nothing for one that does not."""
    given = payload.get("tool_input")
    tool = payload.get("tool_name")
    if not isinstance(given, dict) or not isinstance(tool, str):
        return ""
    here = payload.get("cwd") if isinstance(payload.get("cwd"), str) else root
    branch = checked_out_branch(str(here)) or checked_out_branch(root)
    calls = calls_of(payload["transcript_path"], tool, given, str(here))

    def broken_of(rule: GuardedRule) -> list[Ban]:
        return [ban for call in calls for ban in rule.broken_by(*call, root, branch)]

    if not any(map(broken_of, read_guard(folder))):
        return ""
    try:
        prepare_runtime(root)
        return _told(payload, folder, load_settings(root)[0], broken_of)
    except (TranscriptError, OSError) as error:
        logger(root, EVENT)(f"a rule could not be told of: {error}")
        return ""


def _told(payload: dict[str, Any], folder: str, settings: Settings, broken_of: BansBroken) -> str:
    from amplihack_compaction.ledger.stored import current_state

    path, session_id, wanted = payload["transcript_path"], payload["session_id"], settings.guard
    folded = current_state(folder, session_id, path, settings.ledger_items)
    window = folded.window.start
    standing = write_guard(folder, folded.state, window, wanted)
    call = next((payload["tool_input"][k] for k in CALL_KEYS if k in payload["tool_input"]), "")
    asks = wanted is Guard.ASK and tail_of(path).CAN_ASK
    said = []
    for rule in broken_unasked(standing, folded, broken_of):
        is_new = take_notice(folder, window, rule, payload["tool_name"], str(call), asked=asks)
        if is_new or wanted is Guard.ASK:
            said.append(rule.told)
    if not said:
        return ""
    write_guard(folder, folded.state, window, wanted)  # told from here on
    text = "\n".join(said)
    return ask_first(text) if asks else additional_context(EVENT, text)


def broken_unasked(
    rules: Iterable[GuardedRule], folded: "Folded", broken_of: BansBroken
) -> Iterator[GuardedRule]:
    """Yield the rules that a call breaks, but for those whose breach the newest prompt asks for."""
    prompts = [prompt for prompt in folded.state.prompts if prompt.offset >= folded.window.start]
    newest = prompts[-1] if prompts else None
    for rule in rules:
        broken = broken_of(rule)
        asked = newest is not None and newest.offset > rule.offset and _asks(newest.text, broken)
        if broken and not asked:
            yield rule


def _asks(prompt: str, bans: Sequence[Ban]) -> bool:
    """Return whether the user's newest words ask for what is barred: on a branch, by its name."""
    from amplihack_compaction.text.pasted import pointing_paragraph

    said = (pointing_paragraph(prompt) or prompt)[:_ASKED_CHARS]
    asked = (b.words for b in bans if b.words and (not b.branches or _names_any(said, b.branches)))
    found = next((m for each in asked if (m := re.search(each, said, re.IGNORECASE))), None)
    if found is None:
        return False
    sentence = re.split(r"[.!?。！？\n]", said[: found.end()])[-1]
    return _REFUSES.search(sentence) is None


def _names_any(said: str, branches: tuple[str, ...]) -> bool:
    named = "|".join(re.escape(branch.rstrip("*/")) for branch in branches)
    return (
        re.search(rf"(?<![\w/-])(?:origin/)?(?:{named})(?![\w-])", said, re.IGNORECASE) is not None
    )
