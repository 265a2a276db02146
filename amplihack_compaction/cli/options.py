"""What several commands take: options, arguments, and how a help text shows examples."""

from pathlib import Path
from typing import Annotated

import typer


def session_names(incomplete: str) -> list[str]:
    """Return the ids of this project's sessions that begin so, for the shell's completion."""
    from amplihack_compaction.cli.terminal.completion import complete_session

    return complete_session(incomplete)


def _snapshots(incomplete: str) -> list[str]:
    from amplihack_compaction.cli.terminal.completion import complete_snapshot

    return complete_snapshot(incomplete)


def _features(incomplete: str) -> list[str]:
    from amplihack_compaction.cli.terminal.completion import complete_feature

    return complete_feature(incomplete)


def named_folder(text: str) -> Path:
    """Return a folder that was named; an empty name, as of a script's variable, is none.

    Raises BadParameter: the current folder is not what was meant.
    """
    if not text:
        raise typer.BadParameter("the folder's name is empty")
    return Path(text)


ProjectOption = Annotated[
    Path | None,
    typer.Option(
        "--project",
        metavar="DIR",
        parser=named_folder,
        help="Use DIR/.claude/settings.json, shared by all who work on the project."
        " The default, with the current folder.",
    ),
]
LocalOption = Annotated[
    bool,
    typer.Option("--local", help="Use .claude/settings.local.json: this project, only you."),
]
UserOption = Annotated[
    bool, typer.Option("--user", help="Use ~/.claude/settings.json: all of your projects.")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
SessionArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[SESSION|TRANSCRIPT]",
        help="A session id, its first characters, or the path of a transcript."
        " The default is the newest session of this project.",
        autocompletion=session_names,
        show_default=False,
    ),
]
SessionOption = Annotated[
    str | None,
    typer.Option(
        "--session",
        "-s",
        metavar="SESSION",
        help="A session id, its first characters, or the path of a transcript."
        " The default is the newest session of this project.",
        autocompletion=session_names,
        show_default=False,
    ),
]
SnapshotArgument = Annotated[
    str,
    typer.Argument(
        metavar="[ID]",
        help="A snapshot's or checkpoint's id, or `latest`.",
        autocompletion=_snapshots,
    ),
]
FeatureArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="A feature's name, a checkpoint's id, or a session's.",
        autocompletion=_features,
    ),
]
FolderArgument = Annotated[
    str,
    typer.Argument(
        metavar="[NAME]",
        help="A folder below `features_folder`. The default is the active feature.",
        autocompletion=_features,
    ),
]
EveryFolderArgument = Annotated[
    str,
    typer.Argument(
        metavar="[NAME]",
        help="A folder below `features_folder`. The default is all, and the project's memory.",
        autocompletion=_features,
    ),
]
KeepOption = Annotated[
    bool, typer.Option("--keep", help="With --revert: leave files that changed since.")
]
OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="With --revert: replace files that changed since.")
]
ForceOption = Annotated[
    bool, typer.Option("--force", help="With --revert: also after `revert_hours`.")
]


def examples(*calls: str) -> str:
    r"""Return the end of a help text; after a `\b`, lines are not joined."""
    return "\b\nExamples:\n" + "\n".join(f"  amplihack-compaction {call}" for call in calls)
