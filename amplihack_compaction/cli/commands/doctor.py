"""`doctor`: look at everything, say what to do, and do what is safe when asked."""

import os
from collections.abc import Iterable, Iterator
from itertools import chain

import typer

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.installation import own_command, shortened
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.doctor.compactions import check_history
from amplihack_compaction.cli.doctor.configuration import (
    check_data,
    check_own_settings,
    check_registration,
    check_switches,
)
from amplihack_compaction.cli.doctor.installation import find_installation
from amplihack_compaction.cli.doctor.programs import check_client, check_hooks, check_versions
from amplihack_compaction.cli.doctor.rows import Grade, Row, worst
from amplihack_compaction.cli.doctor.storage import check_storage
from amplihack_compaction.cli.options import AS_JSON, option
from amplihack_compaction.cli.terminal import coloured, show, showing_progress
from amplihack_compaction.text.words import counted, inert

_LINE_CHARS = 1000
_STYLES = {Grade.PASS: "green", Grade.WARNING: "yellow", Grade.FAILURE: "red"}


def doctor(
    as_json: bool = AS_JSON,
    fix: bool = option("--fix", "Mend what is safe to mend; see the rows' last words.", False),
) -> None:
    """Check that the hooks work here: programs, registration, hooks, settings, storage, history.

    Each hook is fired in a temporary project. Nothing is changed without --fix, which mends rights
    and paths of our own, and removes leftovers. Exit code 1 when a row is a failure, else 0.
    """
    root = os.path.abspath(project_root())  # noqa: PTH100 - links stay links
    with showing_progress("Checking", quiet=as_json):
        groups = examine_project(root)
        fixed = _repair(chain(*groups.values())) if fix else {}
        if fixed:
            groups = examine_project(root)
    told = [{"group": group, **row.to_json()} for group in groups for row in groups[group]]
    result = worst(chain(*groups.values()))
    content = {"project": root, "result": str(result), "rows": told, "fixed": list(fixed)}
    show(content, _lines(root, groups, fixed), as_json=as_json)
    raise typer.Exit(int(result is Grade.FAILURE or not all(fixed.values())))


def examine_project(root: str) -> dict[str, list[Row]]:
    """Return what there is to say about a project, in groups; nothing is changed."""
    installed = find_installation(root)
    return {
        "programs": [*check_versions(installed), check_client()],
        "registration": check_registration(installed),
        "switches": check_switches(installed),
        "hooks": check_hooks(installed),
        "settings": [*check_own_settings(root), *check_data()],
        "storage": check_storage(root),
        "compactions": check_history(installed),
    }


def _repair(rows: Iterable[Row]) -> dict[str, bool]:
    """Do what is safe, and return what was done, and with False why something could not be."""
    done: dict[str, bool] = {}
    for row in rows:
        if row.repair is None or row.repair.what in done:
            continue
        try:
            row.repair.run()
        except (CompactionError, OSError) as error:
            done[f"could not have {row.repair.what}: {error}"] = False
        else:
            done[row.repair.what] = True
    return done


def _lines(root: str, groups: dict[str, list[Row]], fixed: dict[str, bool]) -> Iterator[str]:
    yield _one_line(root)
    for each, is_done in fixed.items():
        label, colour = ("fixed", "green") if is_done else ("not fixed", "red")
        yield f"  {coloured(label, colour, 9)} {inert(each, _LINE_CHARS)}"
    for group in filter(groups.get, groups):
        yield f"\n{coloured(group, 'bright_white')}"
        for row in groups[group]:
            yield f"  {coloured(row.grade, _STYLES[row.grade], 9)}{_one_line(row.text)}"
            yield from (f"{'':13}{_one_line(detail)}" for detail in row.details)
            if row.remedy:
                yield f"{'':11}-> {_one_line(row.remedy)}"
    yield f"\n{_summary(list(chain(*groups.values())))}"


def _summary(rows: list[Row]) -> str:
    grades = [row.grade for row in rows]
    if worst(rows) is Grade.PASS:
        return f"All {len(rows)} are in order."
    fixable = sum(row.repair is not None for row in rows)
    end = f"; `{own_command()} doctor --fix` mends {fixable}" if fixable else ""
    failures, warnings = grades.count(Grade.FAILURE), grades.count(Grade.WARNING)
    return f"{counted(failures, 'failure')}, {counted(warnings, 'warning')}{end}"


def _one_line(text: str) -> str:
    return shortened(inert(text, _LINE_CHARS))
