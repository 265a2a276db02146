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
# Before a word that names something, and orders nothing: "after every push", "what a push does".
_ASKS_ABOUT = r"who|which|what|when(?:ever)?|if|whether|how|why|while|before (?:you|we|i)"
_OF_A_THING = re.compile(
    rf"\b(?:{_ASKS_ABOUT}|an?|the|this|that|these|those|every|each|any|last|first|next|previous"
    r"|latest|your|his|her|their|on|after|before|of|about|from|since|by|eine?|eine[mnrs]|de[mnr]"
    r"|nach|beim|letzte\w{0,2}|jede\w|une?|le|la|du|el|del|los|um|uma|[oa]|il|un[oa]?|al)\s+$",
    re.IGNORECASE,
)
# A path is a thing whatever stands before it.
_ABOUT_A_PATH = re.compile(rf"\b(?:{_ASKS_ABOUT})\s+$|\bi(?:'ll| will)\s+$", re.IGNORECASE)
# "make a commit", "fais un commit": the verb orders, whatever article stands behind it.
_DO_ONE = re.compile(
    r"\b(?:do|make|create|run|start|open|perform|execute|approve|mach\w{0,2}|erstell\w{0,2}|öffne"
    r"|fai[st]?|crée|ouvre|haz|crea|abre|faça|crie|abra)\s+\w{1,5}\s+$",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|yep|sure|good|great|perfect|lgtm|alright|now|then|and|also|so|please|pls"
    r"|just|go ahead|let'?s|get this|i (?:want|need) (?:this|you to)|it'?s ok(?:ay)? to|finish by"
    r"|we need to|you (?:can|may|should)"
    r"|(?:can|could|would|will) (?:you|we)|do|run|execute|use|go with|bitte|jetzt|dann|und|verwende"
    r"|benutze|nimm|führe|utilise|usa|gebruik)\W+){0,6}$",
    re.IGNORECASE,
)
_ASKS_TO_DO = re.compile(
    r"\b(?:(?:can|could|would|will) (?:you|we)|mind|kannst du|(?:könnt|würd)est du|peux-tu"
    r"|pourrais-tu|puedes|podrías|pode|puoi|(?:kun|kan) je|можешь)\b|可以",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:]\s|[，；：]")
_ASKED_FROM = 0.1
_REFUSES = re.compile(
    r"\b(?:not|never|don't|no|without|avoid|stop|nobody|instead of|nicht|nie|kein\w*|pas|jamais"
    r"|nunca|não|non|niet|не|никогда)\b|n't\b|不要|别|禁止|ない|말",
    re.IGNORECASE,
)
# Where the verb comes first: "pushe nicht", "pushしないで".
_REFUSES_BEHIND = re.compile(
    r".{0,3}(?:ない|しない|するな|하?지 ?(?:마|말)|\s(?:마|말)|禁止|\b(?:nicht|nie|pas|niet)\b)",
    re.IGNORECASE,
)


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
    from amplihack_compaction.text.sentences import sentences

    said = (pointing_paragraph(prompt) or prompt)[:_ASKED_CHARS]
    wanted = (b for b in bans if b.words and (not b.branches or _names_any(said, b.branches)))
    words = dict.fromkeys((ban.words, ban.kind == "path") for ban in wanted)
    return any(
        _orders(sentence, *found.span(), is_path=is_path)
        for sentence in sentences(said)
        for each, is_path in words
        for found in re.finditer(each, sentence, re.IGNORECASE)
    )


def _orders(sentence: str, start: int, end: int, *, is_path: bool) -> bool:
    """Return whether a sentence asks for what is named there; no question or report of it does."""
    from amplihack_compaction.extract.rules import complains
    from amplihack_compaction.text.classifier import user_chances
    from amplihack_compaction.text.words import asks, opens_question

    before, behind = _CLAUSE.split(sentence[:start])[-1], _CLAUSE.split(sentence[start:])[0]
    if not _ASKS_TO_DO.search(before) and (asks(sentence) or opens_question(before + behind)):
        return False
    refused = _REFUSES.search(before) or _REFUSES.search(sentence[start:end])
    if refused or _REFUSES_BEHIND.match(sentence[end:]) or complains(sentence):
        return False
    named = (_ABOUT_A_PATH if is_path else _OF_A_THING).search(before)
    if named and not _DO_ONE.search(before):
        return False
    if _LEADS.match(before) or _DO_ONE.search(before) or _ASKS_TO_DO.search(before):
        return True
    chances = user_chances(before + behind)
    return max(chances.objective, chances.work, chances.lift, chances.rule) >= _ASKED_FROM


def _names_any(said: str, branches: tuple[str, ...]) -> bool:
    named = "|".join(re.escape(branch.rstrip("*/")) for branch in branches)
    return (
        re.search(rf"(?a:(?<![\w/-])(?:origin/)?(?:{named})(?![\w-]))", said, re.IGNORECASE)
        is not None
    )
