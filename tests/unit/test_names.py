"""Names and docstrings that a newcomer can trust: one name for one thing, said plainly."""

import ast
from collections import defaultdict

from tests.support.package import syntax_trees

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# A riddle, not a result: "Tell what of a text is never archived".
RIDDLES = ("Tell ", "What ")


def test_no_two_public_names_are_equal() -> None:
    places = defaultdict(list)
    for path, tree in syntax_trees().items():
        for node in tree.body:
            if isinstance(node, DEFINITIONS) and not node.name.startswith("_"):
                places[node.name].append(path)
    twice = {name: paths for name, paths in places.items() if len(paths) > 1}
    # What every client has to bring is called the same in each one's folder.
    in_clients = {name for name, paths in twice.items() if is_one_a_client(paths)}
    assert {name: paths for name, paths in twice.items() if name not in in_clients} == {}


def is_one_a_client(paths: list[str]) -> bool:
    folders = [path.split("/")[:2] for path in paths]
    return all(folder[0] == "clients" for folder in folders) and len(paths) == len(
        {folder[1] for folder in folders}
    )


def test_a_function_says_first_what_it_returns_or_does() -> None:
    found = [
        f"{path}:{node.lineno} {node.name}"
        for path, tree in syntax_trees().items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (ast.get_docstring(node) or "").startswith(RIDDLES)
    ]
    assert found == []
