"""What `recall` and `store` take on the command line; their work is imported when they run."""

from pathlib import Path
from typing import Annotated

import typer

from amplihack_compaction.base.installation import own_command
from amplihack_compaction.cli.options import JsonOption, examples

UrlOption = Annotated[
    str | None,
    typer.Option(
        "--url",
        metavar="URL",
        help="sqlite:///FILE or postgresql://USER@HOST/DATABASE. The default is"
        " $AMPLIHACK_COMPACTION_STORE, else this project's own store.",
        show_default=False,
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", metavar="N", min=0, max=64, show_default=False,
        help="Processes that read ahead; by default one for each core but one.",
    ),
]  # fmt: skip
NamedArgument = Annotated[
    str, typer.Argument(metavar="SESSION", help="A session's id, or its first characters.")
]
# The client starts it by what stands here, whatever is on its PATH.
_REGISTER = f"\b\nRegister it:\n  claude mcp add recall -- {own_command()} mcp"
commands = typer.Typer()
store_app = typer.Typer(
    help="What was kept of all sessions: read in, listed, compacted, deleted.",
    no_args_is_help=True,
)
commands.add_typer(store_app, name="store")


@commands.command(epilog=examples("recall stripe_client", "recall '\"port 8443\"' -k prompt"))
def recall(
    query: Annotated[
        list[str],
        typer.Argument(
            metavar="QUERY...",
            help='Words that must all be there; "in quotes" side by side; -word must not. Before'
            " a query that begins with -word, put --.",
        ),
    ],
    session: Annotated[
        str,
        typer.Option(
            "--session", "-s", metavar="SESSION", help="Only this session, or those that begin so."
        ),
    ] = "",
    project: Annotated[
        Path | None, typer.Option("--project", metavar="DIR", help="Only this project's sessions.")
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind", "-k", metavar="KIND",
            help="prompt, answer, tool_call, tool_output, decision, summary or archived; may be"
            " repeated.",
        ),
    ] = None,
    since: Annotated[
        str,
        typer.Option("--since", metavar="TIME", help="Not before this time (UTC), as 2026-11-21."),
    ] = "",
    until: Annotated[
        str, typer.Option("--until", metavar="TIME", help="Not after this time, as 2026-11-21T18.")
    ] = "",
    before_compaction: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Only before a session's Nth compaction.")
    ] = None,
    limit: Annotated[
        int,
        typer.Option("--limit", "-n", metavar="N", min=1, max=200, help="At most so many."),
    ] = 10,
    url: UrlOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Find what was said or done in this project's sessions, also what was compacted away.

    Exit code 1 when nothing is found.
    """
    from amplihack_compaction.cli.commands.finding import moment, run_recall
    from amplihack_compaction.store.messages import KINDS
    from amplihack_compaction.store.search import Filters

    unknown = [name for name in kind or () if name not in KINDS]
    if unknown:
        raise typer.BadParameter(f"--kind {unknown[0]}: there are {', '.join(KINDS)}")
    filters = Filters(
        scope=str(project.resolve()) if project else None,
        session=session,
        kinds=tuple(kind or ()),
        since=moment(since),
        until=moment(until),
        before_compaction=before_compaction,
    )
    raise typer.Exit(run_recall(url, query, filters, limit, as_json=as_json))


@commands.command(epilog=_REGISTER)
def mcp(url: UrlOption = None) -> None:
    """Serve `recall` and `session_state` to the client as MCP tools, over standard input.

    Needs the extra `mcp`.
    """
    from amplihack_compaction.cli.commands.mcp_server import serve

    serve(url)


@store_app.command("import", epilog=examples("store import ~/.claude/projects"))
def store_import(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where transcripts lie.")],
    jobs: JobsOption = None,
    url: UrlOption = None,
    quiet: QuietOption = False,
) -> None:
    """Read all transcripts below a folder into the store; run again, only what is new.

    Each session is stored under the project that it was begun in. Exit code 1 when one could not
    be read.
    """
    from amplihack_compaction.cli.commands.keeping import import_folder

    raise typer.Exit(import_folder(url, folder.expanduser(), jobs, quiet=quiet))


@store_app.command("sync")
def store_sync(jobs: JobsOption = None, url: UrlOption = None, quiet: QuietOption = False) -> None:
    """Read what the hooks have not stored yet of this project's transcripts.

    Exit code 1 when one could not be read.
    """
    from amplihack_compaction.cli.commands.keeping import sync_project

    raise typer.Exit(sync_project(url, jobs, quiet=quiet))


@store_app.command("sessions")
def store_sessions(url: UrlOption = None, as_json: JsonOption = False) -> None:
    """List the sessions of the store, with when something was last said, the newest first."""
    from amplihack_compaction.cli.commands.listing import list_sessions

    list_sessions(url, as_json=as_json)


@store_app.command("show")
def store_show(
    session: NamedArgument,
    archived: Annotated[
        bool, typer.Option("--archived", help="Also what compactions took out.")
    ] = False,
    url: UrlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the messages of a session."""
    from amplihack_compaction.cli.commands.listing import show_session

    show_session(url, session, archived=archived, as_json=as_json)


@store_app.command("history")
def store_history(
    session: NamedArgument, url: UrlOption = None, as_json: JsonOption = False
) -> None:
    """Show every compaction of a session, with what there was before and after it."""
    from amplihack_compaction.cli.commands.listing import show_history

    show_history(url, session, as_json=as_json)


@store_app.command("stats")
def store_stats(url: UrlOption = None, as_json: JsonOption = False) -> None:
    """Show how much the store holds, and its size."""
    from amplihack_compaction.cli.commands.listing import show_stats

    show_stats(url, as_json=as_json)


@store_app.command("export", epilog=examples("store export --output sessions.jsonl"))
def store_export(
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="[SESSION]",
            help="A session's id, or its first characters. The default is all.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write them there, for you alone; `-` prints them.",
        ),
    ] = None,
    url: UrlOption = None,
) -> None:
    """Print all messages as JSON lines: of one session, or of all."""
    from amplihack_compaction.cli.commands.listing import export_sessions

    export_sessions(url, session, output)


@store_app.command("vacuum")
def store_vacuum(url: UrlOption = None) -> None:
    """Delete what is beyond `store_megabytes` and `store_days`, and give the space back."""
    from amplihack_compaction.cli.commands.keeping import vacuum_store

    vacuum_store(url)


@store_app.command("delete")
def store_delete(
    session: NamedArgument,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
    url: UrlOption = None,
) -> None:
    """Delete a session from the store for good: also from its index and its log."""
    from amplihack_compaction.cli.commands.keeping import delete_named

    raise typer.Exit(delete_named(url, session, yes=yes))
