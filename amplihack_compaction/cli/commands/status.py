"""`status`: how full a session's context is; `statusline`: the same for the client's status bar."""

import json
from collections.abc import Iterator

import typer

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.installation import own_path
from amplihack_compaction.cli.commands.statusline import print_status_line
from amplihack_compaction.cli.options import AS_JSON, SESSION_OPTION, option
from amplihack_compaction.cli.sessions import Session, chosen_session
from amplihack_compaction.cli.terminal import LEVEL_COLOURS, coloured, show
from amplihack_compaction.clients.claude_code.spending import Spending, read_spending
from amplihack_compaction.context.levels import DESCRIPTIONS, ContextStatus
from amplihack_compaction.context.meter import read_status
from amplihack_compaction.text.words import counted

_BAR_CHARS = 40
_SOURCES = {"learnt": "learnt: the client compacted there by itself"}
# The client starts it by what stands here, whatever is on its PATH.
_LINE = {"statusLine": {"type": "command", "command": f"{own_path()} statusline"}}
_REGISTER = f"\b\nRegister it in the client's settings:\n  {json.dumps(_LINE, ensure_ascii=False)}"
commands = typer.Typer()


@commands.command()
def status(session: str | None = SESSION_OPTION, as_json: bool = AS_JSON) -> None:
    """Show how full a session's context is: tokens, limit and level, and where they come from.

    Exit code 1 when there is no session, or none of its responses told its numbers yet.
    """
    found = chosen_session(session)
    now = read_status(found.root, found.id, str(found.transcript))
    if now is None:
        raise TranscriptError(f"no response of session {found.id} told its token numbers yet")
    spent = read_spending(str(found.transcript))
    costs = {"costUsd": spent.dollars, "compactions": spent.compactions,
             "tokensTakenOut": None if _is_unmeasured(spent) else spent.tokens_out}  # fmt: skip
    content = {"session": found.id, **now.to_json(), **costs}
    show(content, _lines(found, now, spent), as_json=as_json)


@commands.command(epilog=_REGISTER)
def statusline(
    beside: str | None = option(  # noqa: ARG001 - read where no framework is loaded
        "--beside COMMAND", "Another status line's command: its line first.", None
    ),
) -> None:
    """Print one line for the client's status bar, from the JSON that it gives.

    Always exits with 0.
    """
    print_status_line()


def _lines(session: Session, status: ContextStatus, spent: Spending) -> Iterator[str]:
    filled = min(_BAR_CHARS, round(_BAR_CHARS * status.usage_percentage / 100))
    colour = LEVEL_COLOURS[status.level]
    rest = coloured("░" * (_BAR_CHARS - filled), "bright_black")
    told = coloured(
        f" {status.usage_percentage:.1f} % of the limit, {DESCRIPTIONS[status.level]}", colour
    )
    yield f"Session {session.id}\n  {coloured('█' * filled, colour)}{rest}{told}"
    following, error = status.next_threshold, status.precision
    precise = f"±{100 * error:.2f} %" if error is not None else "not measured"
    rows = {
        "tokens": f"{status.current_tokens:,} of {status.max_tokens:,} ({precise})",
        "limit": _SOURCES.get(status.source, f"from {status.source}"),
        "window": f"{status.window_tokens:,} tokens" if status.window_tokens else "unknown",
        "model": status.model or "unknown",
        "next level": "none, this is the last" if following is None else f"at {following:g} %",
        "advice": status.recommendation,
    }
    if spent.dollars is not None:
        rows["cost"] = f"${spent.dollars:,.2f} so far, as the client reckons"
    if spent.compactions:
        rows["saved"] = _taken_out(spent)
    yield from (f"  {name:<11} {value}" for name, value in rows.items())


def _taken_out(spent: Spending) -> str:
    compactions = counted(spent.compactions, "compaction")
    if _is_unmeasured(spent):
        return f"not known: the tokens before and after {compactions} are not told"
    some = f", {spent.unmeasured:,} of them not measured" if spent.unmeasured else ""
    return f"{compactions} took {spent.tokens_out:,} tokens out of what each request sends{some}"


def _is_unmeasured(spent: Spending) -> bool:
    return 0 < spent.compactions == spent.unmeasured
