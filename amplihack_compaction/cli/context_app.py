"""The commands `context ...`."""

import typer

from amplihack_compaction.cli.options import JsonOption, SessionOption

context_app = typer.Typer(help="How full a session's context is.", no_args_is_help=True)


@context_app.command("status")
def context_status(session: SessionOption = None, as_json: JsonOption = False) -> None:
    """Show how full a session's context is; the same as `status`."""
    from amplihack_compaction.session_commands.context import show_status

    show_status(session, as_json=as_json)
