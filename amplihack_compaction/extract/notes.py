"""Collect what was learned and what was finished, newest first to stay."""

import re
from collections.abc import Iterable

from amplihack_compaction.extract.statements import Item
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.prompts import split_typed
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.shell.commands import URL, finished_actions
from amplihack_compaction.text.words import end_of_question, has_hint, normal_form, one_line
from amplihack_compaction.transcript.session import (
    ToolUse,
    TranscriptStep,
    bash_command,
    prose_lines,
)

_LIMIT = 20
_TEXT_CHARS = 200
_LEAST_CHARS = 20

_REMOTE_TOOL = re.compile(
    r"mcp__.*(?:create|merge|close|send|post|publish|delete|deploy|push|submit|add_comment)"
)
_REMOTE_KEYS = ("title", "name", "subject", "body", "message", "text", "path")

_LEARNED_HINTS = (
    "turn", "note", "nb:", "lesson", "gotcha", "caveat", "insight", "finding", "cause", "takeaway",
    "learned", "til:", "reason", "culprit", "found", "discovered", "reali", "problem", "issue",
    "bug",
)  # fmt: skip
_LEARNED = re.compile(
    r"\bturn(?:s|ed) out\b"
    r"|^\W{0,6}(?:note|nb|lesson|lessons learned|gotcha|caveat|key (?:insight|finding)|finding"
    r"|root cause|takeaway|learned|til)s?\b[\s*_]{0,4}[:：]"
    r"|\broot cause (?:is|was|here|turned|of [^.]{2,80} (?:is|was))\b|\bgotcha\b|\blesson learned\b"
    r"|\bthe (?:real |actual |underlying |main )?(?:reason|culprit|cause)\b[^.]{0,80}\b(?:is|was)\b"
    r"|\bI(?:'ve| have)? (?:just )?(?:found|discovered|learned|realized|realised) (?:out )?that\b"
    r"|\bthe (?:real|actual|underlying) (?:problem|issue|bug)\b[^.]{0,60}\b(?:is|was)\b"
    r"|\bthe (?:problem|issue|bug) (?:is|was) (?:that|because|in)\b",
    re.IGNORECASE,
)
_SEARCHING = re.compile(
    r"\?\s*$|\b(?:let me|let's|need to|going to|I'll|want to|trying to|have to) (?:\w+ ){0,3}"
    r"(?:find|identify|understand|determine|investigate|see|figure|check|look|confirm)\b"
    r"|\b(?:if|whether|maybe|perhaps|might be|could be|may be|possibly)\b",
    re.IGNORECASE,
)
_QUESTION_CHARS = 200
_ASKS_WHICH = re.compile(
    r"\b(?:which|prefer\w*|choose|pick|go with|option|either|or|ou|oder|cuál|qual|lequel|laquelle)"
    r"\b[^.?!\n]{0,80}\?$|(?:哪|还是|选)[^。？]{0,40}？$",
    re.IGNORECASE,
)


def extract_learnings(content: WindowContent) -> tuple[Item, ...]:
    """Return what the session found out, in the words it was said, oldest first.

    Each is cut to 200 characters; the newest 20 are kept. Questions, guesses and announcements
    of a search are none.
    """
    found = [
        make_item(step, sentence)
        for step in content.steps
        for sentence in spoken_sentences(step, _LEARNED_HINTS)
        if len(sentence) >= _LEAST_CHARS
        and _LEARNED.search(sentence)
        and not _SEARCHING.search(sentence)
    ]
    return tuple(_distinct(found)[-_LIMIT:])


def extract_progress(content: WindowContent) -> tuple[Item, ...]:
    """Return what was done outside the working tree, oldest first, the newest 20.

    Commits, pushes, pull requests, releases, deploys: they must not be done again. What the model
    only calls done is told by its files, todos and commits.
    """
    acted = [
        make_item(step, text)
        for step in content.steps
        if step.tool is not None
        for text in finished_by(step.tool)
    ]
    return tuple(_distinct(acted)[-_LIMIT:])


def make_item(step: TranscriptStep, text: str) -> Item:
    """Return a statement that was made in this step, cut to 200 characters."""
    return Item(
        text=one_line(text, _TEXT_CHARS),
        **step.place,
    )


def finished_by(tool: ToolUse) -> list[str]:
    """Return what one tool use finished outside the working tree, in words."""
    result = tool.result
    if result is None:
        return []
    if tool.succeeded and _REMOTE_TOOL.match(tool.name):
        values = (tool.input.get(key) for key in _REMOTE_KEYS)
        what = next((value for value in values if isinstance(value, str) and value), "")
        url = URL.search(result.text)
        name = tool.name.removeprefix("mcp__").replace("__", " ")
        return [f"{name}: {what}{' -> ' + url.group() if url else ''}"]
    line = bash_command(tool)
    return finished_actions(line, result.text, bool(tool.succeeded)) if line else []


def asks_which(step: TranscriptStep) -> bool:
    """Say whether a text ends with a choice for the user: what its options say is only offered."""
    end = end_of_question(step.text[-_QUESTION_CHARS:])
    return bool(end) and _ASKS_WHICH.search(end) is not None


def spoken_sentences(step: TranscriptStep, hints: tuple[str, ...]) -> list[str]:
    """Return a text's sentences, none of code, tables, quotations and pasted parts.

    A text without any of the hints (in small letters) is left alone: most have nothing. With no
    hints every text is taken apart.
    """
    text = split_typed(step.text).typed if step.by_user else step.text
    if hints and not has_hint(text, hints):
        return []
    lines = [line for line in prose_lines(text) if line.lstrip()[:1] not in ("|", ">")]
    return sentences("\n".join(lines))


def _distinct(items: Iterable[Item]) -> list[Item]:
    """Return the items, each wording once, at its newest place."""
    newest: dict[str, Item] = {}
    for item in items:
        words = normal_form(item.text)
        newest.pop(words, None)
        newest[words] = item
    return list(newest.values())
