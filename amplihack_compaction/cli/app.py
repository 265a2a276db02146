"""The command line: `amplihack-compaction`, one module per group of commands.

Commands import what they need when they run, so that `--help` stays quick. Exit codes: 0 for
done, 1 for an error that the message explains, 2 for a call that cannot be understood.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from amplihack_compaction import __version__
from amplihack_compaction.cli.compact_app import compact_app, expand
from amplihack_compaction.cli.context_app import context_app
from amplihack_compaction.cli.feature_app import feature_app, history
from amplihack_compaction.cli.options import (
    DryRunOption,
    JsonOption,
    LocalOption,
    ProjectOption,
    SessionArgument,
    SessionOption,
    UserOption,
    examples,
    session_names,
)
from amplihack_compaction.cli.snapshot_app import fresh_start, handoff, snapshot_app
from amplihack_compaction.cli.store_app import add_commands
from amplihack_compaction.configuration.commands import config_app
from amplihack_compaction.errors import CompactionError

app = typer.Typer(
    name="amplihack-compaction",
    help="Carry a Claude Code session's state across context compaction.",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain text: the same in a pipe, and nothing to load
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"amplihack-compaction {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Carry a Claude Code session's state across context compaction."""


@app.command(
    epilog=examples(
        "install",
        "install --project ~/work/shop --dry-run",
        "install --user --events PreCompact,SessionStart",
    )
)
def install(
    project: ProjectOption = None,
    local: LocalOption = False,
    user: UserOption = False,
    events: Annotated[
        str | None,
        typer.Option("--events", metavar="A,B", help="Register these hook events only."),
    ] = None,
    plugin: Annotated[
        Path | None,
        typer.Option(
            "--plugin",
            metavar="DIR",
            help="Register nothing: the plugin in DIR does. Only prove that its hooks work.",
        ),
    ] = None,
    dry_run: DryRunOption = False,
    proof: Annotated[
        bool, typer.Option("--proof/--no-proof", help="Replay a recorded session afterwards.")
    ] = True,
) -> None:
    """Register the hooks in a settings file, and prove that they work.

    The rest of the file keeps every byte; the original is kept beside it until `uninstall`.
    """
    from amplihack_compaction.install.registration import (
        choose_scope,
        install_hooks,
        prove_plugin,
    )

    if plugin is not None:
        if project is not None or local or user or events is not None or dry_run:
            raise typer.BadParameter("--plugin goes with none of the other options but --no-proof")
        raise typer.Exit(prove_plugin(plugin, proof=proof))
    scope = choose_scope(project, local=local, user=user)
    raise typer.Exit(install_hooks(scope, events, dry_run=dry_run, proof=proof))


@app.command(
    epilog=examples(
        "uninstall",
        "uninstall --project ~/work/shop --purge",
    )
)
def uninstall(
    project: ProjectOption = None,
    local: LocalOption = False,
    user: UserOption = False,
    dry_run: DryRunOption = False,
    purge: Annotated[
        bool,
        typer.Option("--purge", help="Also delete what the hooks stored in the project."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
) -> None:
    """Take the hooks out of a settings file.

    The file gets its original bytes back if nothing else has changed in it since.
    """
    from amplihack_compaction.install.registration import (
        choose_scope,
        purge_runtime,
        uninstall_hooks,
    )

    scope = choose_scope(project, local=local, user=user)
    uninstall_hooks(scope, dry_run=dry_run)
    if purge:
        purge_runtime(project or Path.cwd(), dry_run=dry_run, yes=yes)


@app.command(
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
    from amplihack_compaction.session_commands.diagnose import show_diagnosis

    show_diagnosis(session, before, as_json=as_json)


@app.command(epilog=examples("simulate", "simulate old-session.jsonl --json"))
def simulate(session: SessionArgument = None, as_json: JsonOption = False) -> None:
    """Show what the hooks would have injected at each compaction, and would now.

    Works on any transcript, and writes nothing. Lines are marked as new (+) or gone (-) since
    the injection before.
    """
    from amplihack_compaction.session_commands.simulate import show_simulation

    show_simulation(session, as_json=as_json)


@app.command(epilog=examples("validate", "validate 1f2e3d4c --json"))
def validate(session: SessionArgument = None, as_json: JsonOption = False) -> None:
    """Tell whether what mattered survived a session's latest compaction.

    Exit code 1 when something is lost, 0 when all is there. What could not be checked is named;
    the exit code is 0 then too.
    """
    from amplihack_compaction.session_commands.validate import show_validation

    raise typer.Exit(show_validation(session, as_json=as_json))


@app.command(epilog=examples("events", "events 1f2e3d4c --json"))
def events(
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="[SESSION]",
            help="Only this session's: an id or its first characters. The default is all.",
            autocompletion=session_names,
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the compactions that the hooks recorded in this project, and what cannot be read."""
    from amplihack_compaction.session_commands.events import show_events

    show_events(session, as_json=as_json)


@app.command(
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
    from amplihack_compaction.session_commands.report import write_report

    write_report(session, every=every, out=out, open_it=open_it)


@app.command(epilog=examples("watch", "watch 1f2e3d4c"))
def watch(session: SessionArgument = None) -> None:
    """Keep a view of the running session on the terminal: context, ledger, last hook calls.

    Waits for a session that has not begun. Without a name it goes over to the next session that
    begins in this project. Press q to quit; in a pipe it prints the view once.
    """
    from amplihack_compaction.live.screen import watch as watch_session

    watch_session(session)


@app.command(
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
    from amplihack_compaction.session_commands.state import show_state

    show_state(session, diff, as_json=as_json)


@app.command(
    epilog=examples(
        "status",
        "status --session 1f2e3d4c --json",
    )
)
def status(session: SessionOption = None, as_json: JsonOption = False) -> None:
    """Show how full a session's context is: tokens, limit and level, and where they come from.

    Exit code 1 when there is no session, or none of its responses told its numbers yet.
    """
    from amplihack_compaction.context_commands.context import show_status

    show_status(session, as_json=as_json)


@app.command()
def statusline() -> None:
    """Print one line for the client's status bar, from the JSON that it gives.

    Register it in the client's settings as
    {"statusLine": {"type": "command", "command": "amplihack-compaction statusline"}}.
    Always exits with 0.
    """
    from amplihack_compaction.context_commands.statusline import main as print_line

    print_line()


app.add_typer(config_app, name="config")
app.add_typer(context_app, name="context")
app.add_typer(feature_app, name="feature")
app.add_typer(snapshot_app, name="snapshot")
app.add_typer(compact_app, name="compact")
add_commands(app)
app.command(epilog=examples("history", "history login --json"))(history)
app.command("fresh-start", epilog=examples("fresh-start", "fresh-start 20260201-143022-a1b2"))(
    fresh_start
)
app.command(epilog=examples("handoff", "handoff --session 1f2e3d4c --print"))(handoff)
app.command(
    epilog=examples(
        "expand 5a6b7c8d.17",
        "expand 5a6b7c8d.17 --output picture.png",
        "expand --session 5a6b7c8d",
    )
)(expand)


@app.command(epilog=examples("doctor", "doctor --json", "doctor --fix"))
def doctor(
    as_json: JsonOption = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend what is safe to mend; see the rows' last words.")
    ] = False,
) -> None:
    """Check that the hooks work here: programs, registration, hooks, settings, storage, history.

    Each hook is fired in a temporary project. Nothing is changed without --fix, which mends rights
    and paths of our own, and removes leftovers. Exit code 1 when a row is a failure, else 0.
    """
    from amplihack_compaction.checkup.doctor import run_doctor

    raise typer.Exit(run_doctor(as_json=as_json, fix=fix))


def main() -> None:
    """Run the command line; an error of the package's own becomes a message and exit code 1."""
    try:
        app()
    except CompactionError as error:
        from amplihack_compaction.language.text import printable

        typer.echo(f"amplihack-compaction: {printable(str(error))}", err=True)
        sys.exit(1)
