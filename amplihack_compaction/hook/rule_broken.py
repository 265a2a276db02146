"""PreToolUse where a call may break a standing rule: hold it against the rule, and say so, once.

The window that is open is read again first: what the user has lifted since, or asks for now, is
told of nobody.
"""

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


def answer_broken_rule(payload: dict[str, Any], root: str, folder: str, said: str) -> str:
    """Return what is told of a call that breaks a rule, which has these words; else nothing."""
    given = payload.get("tool_input")
    tool = payload.get("tool_name")
    if not isinstance(given, dict) or not isinstance(tool, str):
        return ""
    here = payload.get("cwd") if isinstance(payload.get("cwd"), str) else root
    branch = checked_out_branch(str(here)) or checked_out_branch(root)
    calls = calls_of(payload["transcript_path"], tool, given, str(here))

    def broken_of(rule: GuardedRule) -> list[Ban]:
        narrow = rule.narrowed_to(said)
        return [ban for call in calls for ban in narrow.broken_by(*call, root, branch)]

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
    from amplihack_compaction.extract.orders import asks_for_breach

    prompts = [prompt for prompt in folded.state.prompts if prompt.offset >= folded.window.start]
    newest = prompts[-1] if prompts else None
    for rule in rules:
        broken = broken_of(rule)
        asked = (
            newest is not None
            and newest.offset > rule.offset
            and asks_for_breach(newest.text, broken)
        )
        if broken and not asked:
            yield rule
