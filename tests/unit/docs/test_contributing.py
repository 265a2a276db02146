"""What CONTRIBUTING names by its path is there."""

import re

import pytest

from tests.support.processes import CHECKOUT

PLACES = ("", "amplihack_compaction/")
TEXT = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
# `api` and the like are rooms; what has a slash is a path. A capital stands for any name.
NAMED = sorted(set(re.findall(r"`([a-z_.]+/[a-z_./]*)`", TEXT)))


def test_paths_are_named() -> None:
    assert "injection/render.py" in NAMED


@pytest.mark.parametrize("path", NAMED)
def test_a_path_that_is_named_is_there(path: str) -> None:
    rooms = (f"amplihack_compaction/{room}/" for room in ("base", "cli", "context"))
    beginnings = [f"{place}{path}" for place in (*PLACES, *rooms)]
    known = [*beginnings, *(f"{begun}.py" for begun in beginnings)]
    assert any((CHECKOUT / name).exists() for name in known)
