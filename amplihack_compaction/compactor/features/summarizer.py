"""Write the summary that takes the place of a feature's prose: by rules, or by the user's client.

The client is asked as `claude -p`, with the user's own settings and account but without tools,
hooks and a transcript; whatever goes wrong with it, the rules write the summary.
"""

import os
import shutil
import subprocess
import tempfile
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from amplihack_compaction.base.installation import COMMAND_NAME
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.base.size_limits import DISABLE_VARIABLE
from amplihack_compaction.compactor.backups.change_history import BACKUP_FOLDER
from amplihack_compaction.compactor.condense.condense import condense_texts
from amplihack_compaction.compactor.condense.documents import sort_of
from amplihack_compaction.compactor.condense.summary import summarize_texts
from amplihack_compaction.compactor.features.feature import Feature
from amplihack_compaction.compactor.features.results import revert_command
from amplihack_compaction.context.tokens.estimate import estimate, estimate_part
from amplihack_compaction.text.words import counted

SUMMARY_FILE = "SUMMARY.md"
SUMMARY_TOKENS = 500
CLAUDE_SECONDS = 120.0
# About 100,000 tokens: what every model's window takes beside the client's own texts.
_PROMPT_LIMIT_CHARS = 400_000
_ANSWER_LIMIT_CHARS = 20_000
# A client within a session says so to the processes that it starts.
_SESSION_VARIABLES = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT")
_INSTRUCTIONS = (
    "You summarise the notes of a software feature for the engineer who goes on with it. Answer"
    " with Markdown alone, under 400 tokens, with these headings where there is something to say:"
    " Decisions, Files modified, Next steps, Open todos, Rules. Keep names, paths, numbers and"
    " commands exactly as they are written. Say nothing that the notes do not say."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSummary:
    """A summary in Markdown, under its limit, who made it, and what has to be said about that."""

    text: str
    made_by: Literal["rules", "claude"] = "rules"
    notices: list[str] = field(default_factory=list)


def prose_of(feature: Feature) -> dict[str, str]:
    """Return the texts of a feature that are written for people: no data, code or ADR."""
    return {path: text for path, text in feature.texts.items() if sort_of(path, text) != "whole"}


def summary_path(feature: Feature, prose: Mapping[str, str]) -> str:
    """Return where a summary goes: in the place of the last one, never of what is left alone.

    Names that differ in case are one, as they are on some file systems.
    """
    there = (*feature.files, *feature.skipped)
    name, number = SUMMARY_FILE, 1
    while True:
        taken = [path for path in there if path.casefold() == name.casefold()]
        if all(path in prose for path in taken):
            return taken[0] if taken else name
        number += 1
        name = SUMMARY_FILE.replace(".", f"-{number}.")


def write_summary(
    feature: Feature,
    prose: Mapping[str, str],
    prose_tokens: int,
    identifier: str,
    claude_seconds: float = 0.0,
) -> WrittenSummary:
    """Summarise prose in less than 500 tokens, without its secrets.

    `identifier` is that of the change to come. With `claude_seconds` the user's client is asked
    first, for so long at most.
    """
    note = (
        f"What they said is whole in `{BACKUP_FOLDER}/{identifier}`;"
        f" `{revert_command(feature.name, program=COMMAND_NAME)}` brings it back."
    )
    notices = []
    prose = {path: redact(text) for path, text in prose.items()}
    if claude_seconds > 0:
        answer, problem = ask_claude(prose, claude_seconds)
        if answer:
            dropped = (
                f"{counted(len(prose), 'file')} with {counted(prose_tokens, 'token')} became this"
            )
            head = f"Summary. Information was dropped: {dropped}. {note}"
            text = _fit(f"{head}\n\n{redact(answer)}\n")
            return WrittenSummary(text=text, made_by="claude")
        notices.append(f"the summary was made by rules: {problem}")
    text = summarize_texts(prose, estimate_part, _limit_tokens(), note=note)
    return WrittenSummary(text=_fit(redact(text)), notices=notices)


def ask_claude(prose: Mapping[str, str], seconds: float) -> tuple[str, str]:
    """Have the user's own client summarise texts; return its answer, or "" and why there is none.

    Its answer is as it came; secrets are taken out of what it is given.
    """
    program = shutil.which("claude")
    if program is None:
        return "", "there is no `claude` on the PATH"
    command = [
        program, "-p", "--no-session-persistence", "--tools", "", "--strict-mcp-config",
        "--system-prompt", _INSTRUCTIONS,
    ]  # fmt: skip
    environment = {k: v for k, v in os.environ.items() if k not in _SESSION_VARIABLES}
    environment[DISABLE_VARIABLE] = "1"
    with tempfile.TemporaryDirectory() as empty:
        try:
            done = subprocess.run(  # noqa: S603 - the user's own program, without a shell
                command,
                input=_prompt(prose).encode("utf-8", "replace"),
                capture_output=True,
                timeout=seconds,
                cwd=empty,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "", f"`claude -p` did not answer within {seconds:g} s"
        except OSError as error:
            return "", f"`claude -p` could not be started: {error}"
    answer = done.stdout.decode("utf-8", "replace").strip()[:_ANSWER_LIMIT_CHARS]
    if done.returncode or not answer:
        said = done.stderr.decode("utf-8", "replace").strip() or answer
        return "", f"`claude -p` failed with {done.returncode}: {said[:200]!r}"
    return answer, ""


def _prompt(prose: Mapping[str, str]) -> str:
    """Return the texts, shortened as level `compact` does it, cut where they are too long."""
    condensed = condense_texts(prose, estimate_part).texts
    share = _PROMPT_LIMIT_CHARS // max(1, len(condensed))
    return "\n\n".join(
        f"=== {path} ===\n{redact(text)[:share]}" for path, text in condensed.items()
    )


def _fit(text: str) -> str:
    """Return the text without the last lines that are too many for a summary."""
    lines = text.splitlines(keepends=True)
    counts = range(1, len(lines) + 1)
    fitting = bisect_right(counts, _limit_tokens(), key=lambda n: estimate_part("".join(lines[:n])))
    return "".join(lines[: max(1, fitting)])


def _limit_tokens() -> int:
    """Return how many tokens a summary may have, so that it costs less than its limit."""
    return SUMMARY_TOKENS - round(estimate(".").wrapping) - 1
