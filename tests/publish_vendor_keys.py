"""Write the lower part of the table of vendors' keys from the rules of a scanner.

    pip install kingfisher-secret-scanner
    python -m tests.publish_vendor_keys

The package has the rules of Betterleaks (MIT) and of Veles (Apache-2.0), and is itself under
Apache-2.0. Of a rule its marks and the characters behind them are taken, no text; a rule is left
out where a row that is written by hand finds the same, where it has no mark that words lack, and
where it finds an account and no secret. The last run of characters may be shorter and longer than
the rule says: what vendors issue changes, and half a key is no less a secret.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from amplihack_compaction.base.redaction.redact import (
    HINTLESS_CHARS,
    KEY_CHARS,
    LEAST_CHARS,
    LISTED,
    TABLE_PATH,
    vendors,
)
from amplihack_compaction.base.redaction.user_patterns import usable_patterns

PACKAGE = "kingfisher-secret-scanner"
LEAST_MARK_CHARS = 4
MOST_MARKS = 8
MOST_BETWEEN_CHARS = 400
_NO_SECRET = re.compile(
    r"(?:client-id|app-id|account-id|auth-id|-url|-host|-domain|name|public-key|-repository)$"
)
# What rules have around a key: a name before it, edges, an end.
_NAMED = r"""[\x60'"\s=]{0,5}"""
_ENDS = (r"""(?:\\?['"\x60]|[\s;]|\\[nr]|$)""", r"(?:[^\w-]|\z)", r"(?:[^A-Za-z0-9_-]|$)", r"\b")
_BEGINS = ("(?i)", r"\b", "(?:^|[^A-Za-z0-9_-])")
_PARSER: Any = re._parser  # type: ignore[attr-defined]


def main() -> None:
    """Write the table."""
    from kingfisher_sdk import Rules  # type: ignore[import-not-found]

    rules = Rules(confidence="low", cache=False)
    with open(TABLE_PATH, encoding="utf-8") as table:
        upper = table.read().partition(LISTED)[0]
    own = [re.compile(vendor.source) for vendor in vendors() if not vendor.is_listed]
    rows: dict[str, str] = {}
    for rule in rules.metadata():
        name = rule["id"].rpartition("/")[2].removeprefix("betterleaks.").split(".")[0]
        if not _NO_SECRET.search(name):
            for marks, pattern, key in _read(rules.detail(rule["id"])["pattern"]):
                if not any(each.match(key) for each in own):
                    rows.setdefault(pattern, f"{name}\t{' '.join(marks)}\t0\t{pattern}\n")
    with open(TABLE_PATH, "w", encoding="utf-8") as table:
        table.write(f"{upper}{LISTED}\n{''.join(sorted(rows.values()))}")


def _read(rule: str) -> Iterator[tuple[list[str], str, str]]:
    """Yield the marks of each shape that a rule has, its pattern and a key; of others nothing."""
    core = rule.rpartition(_NAMED)[2]
    for end in _ENDS:
        core = core.removesuffix(end)
    ignores_case = "(?i" in rule
    for _ in _BEGINS:
        for begin in _BEGINS:
            core = core.removeprefix(begin)
        if core[:1] == "(" and core[:2] != "(?" and core[-1:] == ")":
            core = core[1:-1]
    core = core.replace("[[:alnum:]]", "[A-Za-z0-9]").replace(r"\z", r"\Z").replace("(?i)", "")
    try:
        tree = list(_PARSER.parse(core))
    except re.error:
        return
    for shape in _alternatives(tree):
        marks = _marks(shape)
        try:
            pattern = _written(shape, ignores_case=ignores_case)
        except ValueError:
            continue
        if marks and _fits(marks, pattern):
            yield marks, pattern, "".join(_sample(shape))


def _alternatives(tree: list[Any]) -> list[list[Any]]:
    """Return the shapes of a rule that has several, which may begin alike."""
    if tree and str(tree[0][0]) == "BRANCH":
        return [[*branch, *tree[1:]] for branch in tree[0][1][1]]
    return [tree]


def _marks(shape: list[Any]) -> list[str]:
    """Return the strings with one of which all that has a shape begins."""
    parts: list[list[str]] = []
    for operation, argument in shape:
        name = str(operation)
        branches = argument[-1] if name == "SUBPATTERN" else []
        if len(branches) == 1 and str(branches[0][0]) == "BRANCH":
            name, argument = "BRANCH", branches[0][1]
        if name == "LITERAL":
            parts.append([chr(argument)])
        elif (
            name == "IN"
            and len(argument) <= 3
            and all(str(each[0]) == "LITERAL" for each in argument)
        ):
            parts.append([chr(each[1]) for each in argument])
        elif name == "BRANCH" and all(
            str(each[0]) == "LITERAL" for branch in argument[1] for each in branch
        ):
            parts.append(["".join(chr(each[1]) for each in branch) for branch in argument[1]])
        else:
            break
    marks = ["".join(each) for each in product(*parts)]
    return marks if len(marks) <= MOST_MARKS else []


def _written(shape: list[Any], *, ignores_case: bool) -> str:
    """Return a shape as a pattern, its last run open at the end. Raises ValueError."""
    last = len(shape) - 1
    while last > 0 and str(shape[last][0]) == "MAX_REPEAT" and shape[last][1][0] == 0:
        last -= 1  # signs that fill up
    marks = len("".join(_marks(shape)[:1]))
    made = []
    for place, (operation, argument) in enumerate(shape[: last + 1]):
        seen = place < marks and str(operation) == "LITERAL"
        if place == last and str(operation) == "MAX_REPEAT" and len(argument[2]) == 1:
            width = sum(part.getwidth()[0] for part in [_PARSER.SubPattern(_PARSER.State(), shape)])
            least = max(argument[0] * 2 // 3, LEAST_CHARS - (width - argument[0]))
            made.append(f"{_part(argument[2][0], ignores_case=ignores_case)}{{{least},}}")
        else:
            made.append(_part((operation, argument), ignores_case=ignores_case and not seen))
    return "".join(made)


def _sample(shape: Any) -> Iterator[str]:
    """Yield the pieces of a text that a pattern matches."""
    for operation, argument in shape:
        name = str(operation)
        if name == "LITERAL":
            yield chr(argument)
        elif name == "IN":
            yield chr(argument[-1][1][-1] if str(argument[-1][0]) == "RANGE" else argument[-1][1])
        elif name in ("MAX_REPEAT", "POSSESSIVE_REPEAT"):
            yield from list(_sample(argument[2])) * max(argument[0], 1)
        else:
            yield from _sample(argument[1][0] if name == "BRANCH" else argument[-1])


def _part(piece: tuple[Any, Any], *, ignores_case: bool) -> str:
    """Return a piece of a shape as text. Raises ValueError for one that no key has."""
    operation, argument = piece
    name = str(operation)
    if name == "LITERAL":
        sign = chr(argument)
        return (
            f"[{sign.upper()}{sign.lower()}]"
            if ignores_case and sign.isalpha()
            else re.escape(sign)
        )
    if name == "IN":
        return _class(argument, ignores_case=ignores_case)
    if name == "MAX_REPEAT":
        least, most, inner = argument
        part = "".join(_part(each, ignores_case=ignores_case) for each in inner)
        part = part if len(inner) == 1 else f"(?:{part})"
        if (least, most) == (0, 1):
            return f"{part}?"
        most = least + MOST_BETWEEN_CHARS if most == _PARSER.MAXREPEAT else most
        return part + (f"{{{least}}}" if least == most else f"{{{least},{most}}}+")
    if name == "SUBPATTERN":
        inner = "".join(_part(each, ignores_case=ignores_case) for each in argument[-1])
        return f"(?:{inner})"
    if name == "BRANCH":
        each = (
            "".join(_part(part, ignores_case=ignores_case) for part in one) for one in argument[1]
        )
        return f"(?:{'|'.join(each)})"
    raise ValueError(name)


def _class(items: Any, *, ignores_case: bool) -> str:
    """Return a class of characters as text."""
    signs = set()
    for operation, argument in items:
        name = str(operation)
        if name == "LITERAL":
            signs.add(chr(argument))
        elif name == "RANGE":
            signs |= {chr(code) for code in range(argument[0], argument[1] + 1)}
        elif name == "CATEGORY" and str(argument) in ("CATEGORY_WORD", "CATEGORY_DIGIT"):
            signs |= {chr(code) for code in range(128) if chr(code).isdigit()}
            if str(argument) == "CATEGORY_WORD":
                signs |= {chr(code) for code in range(128) if chr(code).isalpha()} | {"_"}
        else:
            raise ValueError(name)
    if ignores_case:
        signs |= {sign.upper() for sign in signs} | {sign.lower() for sign in signs}
    if any(ord(sign) > 127 for sign in signs):
        raise ValueError("not ASCII")
    return "[" + "".join(_ranges(sorted(signs))) + "]"


def _ranges(signs: list[str]) -> Iterator[str]:
    """Yield sorted characters, those of a row as a range, and a hyphen last."""
    hyphen = "-" in signs
    rest = [sign for sign in signs if sign != "-"]
    start = 0
    for place in range(1, len(rest) + 1):
        if place == len(rest) or ord(rest[place]) != ord(rest[place - 1]) + 1:
            run = rest[start:place]
            yield from [f"{run[0]}-{run[-1]}"] if len(run) > 2 else run
            start = place
    if hyphen:
        yield "-"


def _fits(marks: list[str], pattern: str) -> bool:
    """Return whether rows of the table may be so: told from words, long enough and linear."""
    signs = set(KEY_CHARS)
    for mark in marks:
        if len(mark) < LEAST_MARK_CHARS and mark.isalnum():
            return False
        if len(mark) < 3 or not set(mark) <= signs or set(mark) <= set(HINTLESS_CHARS):
            return False
    tree = _PARSER.parse(pattern)
    if tree.getwidth()[0] < LEAST_CHARS or re.search(r"[^\w$%+,./:=~\\(){}|?\[\]-]", pattern):
        return False
    return usable_patterns([pattern])[0] == [pattern]


if __name__ == "__main__":
    main()
