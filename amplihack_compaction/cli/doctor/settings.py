"""Rows on this package's own settings, and on the tables that it counts and judges with."""

import os

from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.settings.layers import DEFAULT, unknown_variables
from amplihack_compaction.base.settings.settings import SETTINGS, resolve_settings
from amplihack_compaction.cli.doctor.rows import Grade, Row
from amplihack_compaction.context.tokens.exact import ranks_path, read_ranks
from amplihack_compaction.text.classifier import TOLD, TYPED

GROUP = "settings"
_REINSTALL = "run install.sh again, or install the package anew"


def check_settings(root: str) -> list[Row]:
    """Return the rows on the settings files and variables of a project."""
    resolved = resolve_settings(root)
    found = [str(problem) for problem in resolved.problems]
    found += unknown_variables(os.environ, SETTINGS)
    remedy = f"`{own_command()} config set KEY VALUE`, or --unset"
    rows = [Row(GROUP, Grade.WARNING, text, remedy) for text in found]
    if rows:
        return rows
    count = sum(origin.scope != DEFAULT for origin in resolved.origins.values())
    said = f"{count} of {len(SETTINGS)} are set" if count else "the defaults are in force"
    return [Row(GROUP, Grade.PASS, said)]


def check_ranks() -> Row:
    """Return the row on the tokenizer's ranks."""
    path = ranks_path()
    if path is None:
        text = "the tokenizer's ranks are not installed: tokens are estimated by characters"
        return Row(GROUP, Grade.WARNING, text, "run install.sh again")
    if read_ranks(path) is None:
        text = (
            f"{path} is not the file that the tokenizer expects: tokens are estimated by characters"
        )
        return Row(GROUP, Grade.WARNING, text, "run install.sh again")
    return Row(GROUP, Grade.PASS, "the tokenizer's ranks are there, and are the expected ones")


def check_weights() -> Row:
    """Return the row on the learnt weights of what sentences do."""
    broken = [table.path for table in (TYPED, TOLD) if not table.is_whole()]
    if broken:
        text = (
            f"missing or damaged: {', '.join(broken)}: rules, decisions and failures are found by"
            " patterns alone, and fewer of them"
        )
        return Row(GROUP, Grade.WARNING, text, _REINSTALL)
    return Row(GROUP, Grade.PASS, "the learnt weights of sentences are there, and whole")
