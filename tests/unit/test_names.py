"""Names and docstrings that a newcomer can trust: one name for one thing, said plainly."""

import ast
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "amplihack_compaction"
TREES = {
    str(path.relative_to(PACKAGE)): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# A riddle, not a result: "Tell what of a text is never archived".
RIDDLES = ("Tell ", "What ")


def test_no_two_public_names_are_equal() -> None:
    places = defaultdict(list)
    for path, tree in TREES.items():
        for node in tree.body:
            if isinstance(node, DEFINITIONS) and not node.name.startswith("_"):
                places[node.name].append(path)
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_a_function_says_first_what_it_returns_or_does() -> None:
    found = [
        f"{path}:{node.lineno} {node.name}"
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (ast.get_docstring(node) or "").startswith(RIDDLES)
    ]
    assert found == []
