"""The lists of rules and calls in `tests/guard`, and whether a call breaks a rule of them."""

from pathlib import Path
from typing import Any

from amplihack_compaction.extract.barred_calls import Ban, is_broken
from amplihack_compaction.extract.prohibitions import bans_of
from amplihack_compaction.extract.rules import kind_of_rule

_TABLES = Path(__file__).parents[1] / "guard"
_KEYS = {"Bash": "command", "WebFetch": "url", "WebSearch": "query", "Task": "prompt"}


def guard_list(name: str) -> list[tuple[str, ...]]:
    """Return the rows of `NAME.tsv`: a rule, a tool, what it is given, the branch, and a mark."""
    lines = (_TABLES / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")]


def tool_input(tool: str, given: str) -> dict[str, Any]:
    """Return the input of a tool that is given one text."""
    return {_KEYS.get(tool, "file_path"): given}


def bans_for(rule: str) -> tuple[Ban, ...]:
    """Return what a rule bars that a user has stated; nothing of what is no rule."""
    kind = kind_of_rule(rule)
    return bans_of(rule, is_prohibition=kind == "prohibition") if kind else ()


def called(tool: str, given: str) -> dict[str, Any]:
    """Return what a hook is told of a call."""
    return {"tool_name": tool, "tool_input": tool_input(tool, given)}


def breaks(rule: str, tool: str, given: str | dict[str, Any], branch: str = "") -> bool:
    """Return whether a call breaks a rule that a user has stated, in the folder `/repo`."""
    call = tool_input(tool, given) if isinstance(given, str) else given
    return any(is_broken(ban, tool, call, "/repo", branch) for ban in bans_for(rule))
