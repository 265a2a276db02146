"""The house has floors: a module imports only from lower ones, or from its own folder.

The top level, which names no folder, is one of them, and as bounded as each.
"""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "amplihack_compaction"
FOLDERS_BY_FLOOR = (
    ["patterns"],
    [""],
    ["client_files", "disk"],
    ["settings"],
    ["secrets"],
    ["asides", "backups", "hook_output", "transcript", "shell", "language", "phrasings"],
    ["prompts"],
    ["acts", "database", "replies", "state", "subjects", "tokens", "meaning"],
    ["condense", "store", "speech", "todos", "work", "wording"],
    ["aims", "amending", "problems"],
    ["archives", "ingest", "ledger", "recall", "judgement"],
    ["compaction", "context", "rendering"],
    ["features", "preservation", "resumable", "steering"],
    ["continuity", "pruning"],
    ["answers", "facade", "install"],
    ["hook", "past", "terminal"],
    ["diagnosis"],
    ["live", "report"],
    "checkup configuration context_commands continuity_commands file_commands session_commands"
    " store_commands".split(),
    ["cli"],
)
FLOORS = {folder: floor for floor, names in enumerate(FOLDERS_BY_FLOOR) for folder in names}
# Not stones of the house: they only name what is above.
ENTRANCES = {"__init__.py", "__main__.py"}
MODULES = [p for p in sorted(PACKAGE.rglob("*.py")) if p.name not in ENTRANCES]
NAME = "amplihack_compaction"


def folder_of(path: Path) -> str:
    below = path.relative_to(PACKAGE).parts[:-1]
    assert len(below) <= 1, f"{path}: a folder in a folder"
    return "".join(below)


def imported_folders(path: Path) -> set[str]:
    folders = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == NAME:
                folders.add(parts[1] if parts[1] in FLOORS else "")
    return folders


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_imports_upwards_or_sideways(path: Path) -> None:
    folder = folder_of(path)
    for other in imported_folders(path):
        allowed = other == folder or FLOORS[other] < FLOORS[folder]
        assert allowed, f"{path.name} (floor {FLOORS[folder]}) imports {other}"


def test_every_folder_has_a_floor_and_a_size() -> None:
    counts = Counter(folder_of(path) for path in MODULES)
    assert counts.keys() == FLOORS.keys()
    for folder, count in counts.items():
        assert 2 <= count <= 9, f"{folder or 'the top level'} has {count} modules"


def test_contributing_shows_each_folder_on_its_floor() -> None:
    page = (PACKAGE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shown = {
        folder.strip("` "): int(floor)
        for floor, folders in re.findall(r"^\| (\d+) \| ([^|]+) \|", page, re.MULTILINE)
        for folder in folders.split(",")
    }
    assert shown == {folder or "top level": floor for folder, floor in FLOORS.items()}
