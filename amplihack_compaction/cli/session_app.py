"""The commands on a session: what happened in it, and how it stands."""

import json
from typing import Annotated

import typer

from amplihack_compaction.base.installation import own_command
from amplihack_compaction.cli.options import (
    JsonOption,
    SessionArgument,
    SessionOption,
    complete_session,
    examples,
)

# The client starts it by what stands here, whatever is on its PATH.
_LINE = {"statusLine": {"type": "command", "command": f"{own_command()} statusline"}}
_REGISTER = f"\b\nRegister it in the client's settings:\n  {json.dumps(_LINE, ensure_ascii=False)}"
commands = typer.Typer()


@commands.command(
    epilog=examples(
        "diagnose",
        "diagnose 1f2e3d4c --json",
        "diagnose 1f2e3d4c --before 2",
        "diagnose ~/.claude/projects/-home-me-shop/1f2e3d4c-....jsonl",
    )
)
def diagnose(
    session: SessionArgument = None,
    before: Annotated[
        int | None,
        typer.Option("--before", metavar="N", min=1, help="The state before compaction N, whole."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what happened at each compaction of a session: kept, lost, brought back, used later.

    Works on any transcript, also one that was recorded before the hooks were there.
    """
    from amplihack_compaction.cli.commands.diagnose import show_diagnosis

    show_diagnosis(session, before, as_json=as_json)


@commands.command(epilog=examples("simulate", "simulate old-session.jsonl --json"))
def simulate(session: SessionArgument = None, as_json: JsonOption = False) -> None:
    """Show what the hooks would have injected at each compaction, and would now.

    Works on any transcript, and writes nothing. Lines are marked as new (+) or gone (-) since
    the injection before.
    """
    from amplihack_compaction.cli.commands.simulate import show_simulation

    show_simulation(session, as_json=as_json)


@commands.command(epilog=examples("validate", "validate 1f2e3d4c --json"))
def validate(session: SessionArgument = None, as_json: JsonOption = False) -> None:
    """Return whether the model still has what mattered at a session's latest compaction.

    It may have it from the summary, from what was injected or from the client; what each summary
    kept by itself, `diagnose` shows.

    Exit code 1 when something is lost, 0 when all is there. What could not be checked is named;
    the exit code is 0 then too.
    """
    from amplihack_compaction.cli.commands.validate import show_validation

    raise typer.Exit(show_validation(session, as_json=as_json))


@commands.command(epilog=examples("events", "events 1f2e3d4c --json"))
def events(
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="[SESSION]",
            help="Only this session's: an id or its first characters. The default is all.",
            autocompletion=complete_session,
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the compactions that the hooks recorded in this project, and what cannot be read.

    Exit code 1 when the list itself cannot be.
    """
    from amplihack_compaction.cli.commands.events import show_events

    show_events(session, as_json=as_json)


@commands.command(
    epilog=examples("report --open", "report 1f2e3d4c --out report.html", "report --all --open")
)
def report(
    session: SessionArgument = None,
    every: Annotated[
        bool, typer.Option("--all", help="All sessions of this project, on one page.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write it there; `-` prints it."),
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Show it in the browser.")] = False,
) -> None:
    """Write one HTML page that shows a session: context, tokens, compactions, todos, hooks.

    It needs neither network nor scripts. Prints the path of the page, which by default lies among
    what the hooks store in the project.
    """
    from amplihack_compaction.cli.commands.report_command import write_report

    write_report(session, every=every, out=out, open_it=open_it)


@commands.command(epilog=examples("watch", "watch 1f2e3d4c"))
def watch(session: SessionArgument = None) -> None:
    """Keep a view of the running session on the terminal: context, ledger, last hook calls.

    Waits for a session that has not begun. Without a name it goes over to the next session that
    begins in this project. Press q to quit; in a pipe it prints the view once.
    """
    from amplihack_compaction.cli.watch.screen import watch as watch_session

    watch_session(session)


@commands.command(
    epilog=examples(
        "state",
        "state 1f2e3d4c --json",
        "state --diff 1 now",
        "state --diff 20260201-143022-a1b2 latest",
    )
)
def state(
    session: SessionArgument = None,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--diff",
            metavar="A B",
            help="What changed from A to B: a snapshot's id, `latest`, `now`, or the number of a"
            " compaction.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the state of a session as of now, nothing left out, or what changed in it."""
    from amplihack_compaction.cli.commands.state import show_state

    show_state(session, diff, as_json=as_json)


@commands.command(
    epilog=examples(
        "status",
        "status --session 1f2e3d4c --json",
    )
)
def status(session: SessionOption = None, as_json: JsonOption = False) -> None:
    """Show how full a session's context is: tokens, limit and level, and where they come from.

    Exit code 1 when there is no session, or none of its responses told its numbers yet.
    """
    from amplihack_compaction.cli.commands.context import show_status

    show_status(session, as_json=as_json)


@commands.command(epilog=_REGISTER)
def statusline() -> None:
    """Print one line for the client's status bar, from the JSON that it gives.

    Always exits with 0.
    """
    from amplihack_compaction.cli.commands.statusline import main as print_line

    print_line()
