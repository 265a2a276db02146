"""A number of things is told in words that fit it."""

import ast
import re
from itertools import pairwise

import pytest

from amplihack_compaction.text.words import counted
from tests.support.package import syntax_trees

NOUNS = (
    "command|compaction|copy|copie|decision|entrie|error|event|failure|file|hook|hour|item|key|line"
    "|message|part|problem|prompt|record|rule|session|setting|snapshot|step|text|todo|transcript"
    "|turn|use|value|warning|window"
)
# Always more than one: a part is told of a larger whole.
WHOLES = {"compactor/condense/condense.py", "extract/window.py", "compactor/archive/pruner.py"}
PLURAL = re.compile(rf"^ (?:more |new |unknown |open )*(?:{NOUNS})s\b")


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (2000, "2,000 files")]
)
def test_a_noun_agrees_with_its_number(number: int, said: str) -> None:
    assert counted(number, "file") == said


def test_no_text_has_a_plural_behind_whatever_number() -> None:
    found = []
    for path, tree in syntax_trees().items():
        for node in ast.walk(tree):
            parts = node.values if isinstance(node, ast.JoinedStr) else []
            for number, text in pairwise(parts):
                is_plural = (
                    isinstance(number, ast.FormattedValue)
                    and ".1f" not in ast.dump(number)
                    # A limit that is written in capitals is never one.
                    and not (isinstance(number.value, ast.Name) and number.value.id.isupper())
                    and isinstance(text, ast.Constant)
                    and PLURAL.match(str(text.value))
                )
                if is_plural:
                    found.append(f"{path}:{number.lineno}")
    found = [place for place in found if place.partition(":")[0] not in WHOLES]
    assert not found, "\n".join(found)
