"""The house has rooms in an order: a module imports only from rooms above it, or from its own.

No two modules import each other in a circle. How many modules a room has is nobody's rule.
"""

import ast
import inspect
import re
from functools import cache
from pathlib import Path

from amplihack_compaction.clients.reading import OTHER_CLIENTS, wiring_of
from tests.support.package import PACKAGE, syntax_trees

NAME = "amplihack_compaction"
ROOMS = [
    "base",
    "transcript",
    "clients",
    "context",
    "text",
    "extract",
    "ledger",
    "validation",
    "injection",
    "store",
    "compactor",
    "handoff",
    "api",
    "hook",
    "cli",
]
# They name what lies in the rooms, and are in none.
ENTRANCES = {
    "__init__.py", "__main__.py", "compaction_validator.py", "power_steering_checker.py",
}  # fmt: skip


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
INSIDE = {
    name: path
    for name, path in MODULES.items()
    if path.parent != PACKAGE or path.name not in ENTRANCES
}


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules of the package that a file imports anywhere, also for types alone."""
    found: set[str] = set()
    for node in ast.walk(syntax_trees()[path.relative_to(PACKAGE).as_posix()]):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [str(node.module)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        inner = (name.partition(".")[2] for name in names if name.partition(".")[0] == NAME)
        found |= {name for name in inner if name in INSIDE}
    return frozenset(found)


# Who knows one client by name: what decides when it compacts, and what copies its transcripts with
# their task files. All others read sessions by `clients.reading`, their ends by `clients.tail_of`.
KNOWS_A_CLIENT = {
    "compactor.transcripts.expand",
    "compactor.transcripts.make_copy",
    "context.meter",
}
CLIENTS = tuple(f"clients.{name}" for name in ("claude_code", *OTHER_CLIENTS))


def room_of(module: str) -> str:
    return module.partition(".")[0]


def test_a_module_imports_only_from_rooms_above_it() -> None:
    below = {}
    for module, path in INSIDE.items():
        allowed = set(ROOMS[: ROOMS.index(room_of(module)) + 1])
        below[module] = {other for other in imported(path) if room_of(other) not in allowed}
    assert {module: others for module, others in below.items() if others} == {}


def test_a_client_is_known_by_name_to_few() -> None:
    named = {
        module
        for module, path in INSIDE.items()
        if room_of(module) not in ("clients", "hook", "cli")
        and any(other.startswith(CLIENTS) for other in imported(path))
    }
    assert named == KNOWS_A_CLIENT


def test_no_room_but_clients_names_another_client() -> None:
    others = "|".join(OTHER_CLIENTS)
    assert {path.name for path in (PACKAGE / "clients").iterdir()} > {*OTHER_CLIENTS}
    naming = {
        module
        for module, path in INSIDE.items()
        if room_of(module) != "clients"
        and re.search(rf"{others}|is_rollout", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    assert naming == set()


def test_every_client_is_known_to_the_registry() -> None:
    folders = {path.parent.name for path in (PACKAGE / "clients").glob("*/__init__.py")}
    assert folders == {"claude_code", *OTHER_CLIENTS}
    for client in OTHER_CLIENTS:
        wiring = wiring_of(client)
        expected = {
            "client_file": ["project", "user"],
            "plan_client_registration": ["scope"],
            "plan_client_removal": ["scope"],
        }
        for name, wanted in expected.items():
            asked = list(inspect.signature(getattr(wiring, name)).parameters)
            assert asked == wanted, (client, name)
        assert wiring.client_file(PACKAGE).client == client
        assert wiring.AFTERWARDS


def test_no_modules_import_each_other_in_a_circle() -> None:
    rest = {module: imported(path) - {module} for module, path in INSIDE.items()}
    while free := [module for module, others in rest.items() if not others & rest.keys()]:
        for module in free:
            del rest[module]
    assert rest == {}


def test_each_room_says_what_it_is_for() -> None:
    for path in PACKAGE.rglob("*/__init__.py"):
        tree = syntax_trees()[path.relative_to(PACKAGE).as_posix()]
        docstring = ast.get_docstring(tree) or ""
        assert len(docstring.split()) >= 8, f"{path}: what comes in, what goes out?"


def test_contributing_shows_each_room_in_its_place() -> None:
    page = (PACKAGE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)/` \|", page, re.MULTILINE) == ROOMS
    assert sorted(ROOMS, key=ROOMS.index) == ROOMS
    assert {path.name for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__"} == set(
        ROOMS
    )
