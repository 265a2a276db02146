"""`expand`: what was left out of a copy of a session, as it stands in the original."""

import sys
from pathlib import Path

import typer

from amplihack_compaction.base.errors import CompactionError, CopyError
from amplihack_compaction.base.files import create_exclusively
from amplihack_compaction.cli.commands.compact import project_of_copy
from amplihack_compaction.cli.options import argument, option
from amplihack_compaction.cli.terminal import STDOUT
from amplihack_compaction.compactor.transcripts.copied_lines import ID
from amplihack_compaction.compactor.transcripts.expand import find_copy, recall_part
from amplihack_compaction.compactor.transcripts.manifest import read_parts
from amplihack_compaction.text.words import harmless_lines, inert


def expand(
    placeholder: str | None = argument(
        "ID", "A placeholder's id. Without one, those of --session are listed.", None
    ),
    session: str = option("--session -s COPY", "The copy it stands in.", ""),
    output: Path | None = option(
        "--output -o FILE", "Write it to a new file as it is; `-` prints it so.", None
    ),
) -> None:
    """Print what was left out of a copy of a session; as it stands in the original with -o."""
    ids = ID.findall(placeholder or "")
    root = project_of_copy(session or (ids[-1][0] if ids else ""))
    if placeholder is None:
        if output is not None:
            raise typer.BadParameter("--output takes a placeholder's text: name its id")
        _list_parts(root, session)
        return
    recalled = recall_part(root, placeholder, session)
    data = recalled.data
    whole = recalled.text.encode("utf-8", "backslashreplace") if data is None else data
    to_stdout = str(output) == STDOUT
    if output is not None and not to_stdout:
        if not create_exclusively(str(output), whole):
            raise CompactionError(f"{output} exists: name another file")
    elif data is not None and sys.stdout.isatty() and not to_stdout:
        raise CopyError(f"this is {recalled.media_type or 'no text'}: name a file with --output")
    elif data is not None or to_stdout:
        typer.echo(whole, nl=False)
    else:
        # Control characters are shown, and no model takes a part for a tag.
        shown = (
            c if c.isprintable() or c in "\n\t" else repr(c)[1:-1]
            for c in recalled.text.replace("\r\n", "\n")
        )
        typer.echo(harmless_lines("".join(shown)), nl=sys.stdout.isatty())


def _list_parts(root: str, named: str) -> None:
    if not named:
        raise typer.BadParameter(
            "name a placeholder's id, or a copy with --session to list its ids"
        )
    path, head = find_copy(root, named)
    for part in read_parts(path):
        what = inert(part.what)
        typer.echo(f"{head.session_id[:8]}.{part.n}  {part.kind}  {part.characters:,}  {what}")
