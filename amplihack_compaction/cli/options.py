"""What several commands take: options and arguments."""

from typing import Any, Literal

import typer

from amplihack_compaction.base.paths import project_root
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.clients.reading import project_transcripts, session_id_of

SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
"""The client names the session in it that a command runs in."""
_COMPLETIONS_SHOWN = 50
"""How many completions are offered; the newest of more."""


def complete_session(incomplete: str) -> list[str]:
    """Return the ids of this project's sessions that begin so, newest first."""
    return _that_begin(list(map(session_id_of, project_transcripts(project_root()))), incomplete)


def complete_snapshot(incomplete: str) -> list[str]:
    """Return `latest` and the ids of this project's snapshots that begin so, newest first."""
    from amplihack_compaction.injection.snapshot import project_snapshots

    known = [snapshot.id for snapshot in project_snapshots(project_root())]
    return _that_begin(["latest", *known], incomplete)


def complete_feature(incomplete: str) -> list[str]:
    """Return the folders below the project's `features_folder` that begin so."""
    from amplihack_compaction.compactor.features.feature import feature_names

    root = project_root()
    return _that_begin(feature_names(root, load_settings(root)[0]), incomplete)


def _that_begin(names: list[str], incomplete: str) -> list[str]:
    # Of what is in the files nothing is read: the shell waits with every tab.
    return [name for name in names if name.startswith(incomplete)][:_COMPLETIONS_SHOWN]


def option(call: str, said: str, default: Any = ..., **more: Any) -> Any:
    """Return an option as it is called, as `--out -o FILE`, with what the help says of it."""
    names = [word for word in call.split() if word.startswith("-")]
    value = " ".join(word for word in call.split() if word not in names)
    return typer.Option(default, *names, metavar=value or None, help=said, **more)


def argument(shown: str, said: str, default: Any = ..., **more: Any) -> Any:
    """Return an argument as the usage shows it, with what the help says of it."""
    return typer.Argument(default, metavar=shown, help=said, **more)


def filled(text: str) -> str:
    """Return what an option was given; nothing, as of a script's empty variable, is no wish."""
    if not text:
        raise typer.BadParameter("it is empty")
    return text


DRY_RUN = option("--dry-run", "Show what would change, and change nothing.", False)
AS_JSON = option("--json", "Print one JSON object.", False)
_NAMED = "A session id, its first characters, or the path of a transcript."
_SESSION = (
    f"{_NAMED} The default is the session that this runs in, else the newest of this project."
)
SESSION_ARGUMENT = argument("SESSION|TRANSCRIPT", _SESSION, None, autocompletion=complete_session)
FOLLOWED_ARGUMENT = argument("SESSION|TRANSCRIPT", _NAMED, None, autocompletion=complete_session)
SESSION_OPTION = option("--session -s SESSION", _SESSION, None, autocompletion=complete_session)
_SNAPSHOT = "A snapshot's or checkpoint's id, or `latest`."
SNAPSHOT = argument("ID", _SNAPSHOT, "latest", autocompletion=complete_snapshot)
URL = option(
    "--url URL",
    "sqlite:///FILE or postgresql://USER@HOST/DATABASE. The default is"
    " $AMPLIHACK_COMPACTION_STORE, else this project's own store.",
    None,
)
KEEP = option("--keep", "With --revert: leave files that changed since.", False)
OVERWRITE = option("--overwrite", "With --revert: replace files that changed since.", False)
FORCE = option("--force", "With --revert: also after `revert_hours`.", False)


def what_on_changed(
    *, reverts: bool, keep: bool, overwrite: bool, force: bool
) -> Literal["refuse", "keep", "overwrite"]:
    """Return what a revert does with files that changed since.

    Raises BadParameter for two answers, and for options of a revert where nothing is reverted.
    """
    if not reverts and (keep or overwrite or force):
        raise typer.BadParameter("--keep, --overwrite and --force belong to --revert")
    if keep and overwrite:
        raise typer.BadParameter("--keep and --overwrite exclude each other")
    return "keep" if keep else "overwrite" if overwrite else "refuse"


def command_group(name: str, said: str) -> typer.Typer:
    """Return a group of commands, which says what it is for where no command of it is named."""
    return typer.Typer(name=name, help=said, no_args_is_help=True)
