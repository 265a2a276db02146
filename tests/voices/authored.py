"""Prompts of which is known who wrote their lines, from which the weights of `authors` are learnt.

In `authored.txt` and `composed.txt` a line `%%% ...` begins a prompt, and what somebody else wrote
stands behind `| `. The latter are put together by chance, of labelled sentences and of remarks in
`tests/acts`: how users talk in several paragraphs, and what they say beside rules, their own or a
text's. Of the prompts in `pastes.toml`, `typed.toml` and `strangers.jsonl` sentences are known: who
wrote a line is told from these, or is not known. Of the strangers' the half with odd numbers is not
learnt from.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.voices.pasted import PASTED, PASTED_DEVELOP, TYPED, TYPED_DEVELOP
from tests.voices.prompt import Prompt

FOLDER = Path(__file__).parent


def strangers(half: int, name: str = "strangers") -> list[dict[str, Any]]:
    """Return a stranger's prompts with even numbers (0), or those with odd ones (1)."""
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    prompts = (json.loads(line) for line in lines if not line.startswith("#"))
    return [prompt for prompt in prompts if prompt["id"] % 2 == half]


def prompts_of(name: str) -> list[dict[str, Any]]:
    """Return the prompts of a table: each with its text and what in it is foreign or own."""
    found: list[dict[str, Any]] = tomllib.loads(
        (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    )["prompt"]
    return found


def learnt_from() -> list[Prompt]:
    """Return the prompts that the weights are learnt from."""
    known = [*prompts_of("pastes"), *prompts_of("typed"), *strangers(0)]
    sentences = (Prompt(p["text"], (*p.get("foreign", ()),), (*p.get("own", ()),)) for p in known)
    pasted_ones = [Prompt(text, (PASTED,), ()) for text in PASTED_DEVELOP.values()]
    typed_ones = [Prompt(text, (PASTED,), (TYPED,)) for text in TYPED_DEVELOP.values()]
    told = (*sentences, *pasted_ones, *typed_ones)
    return [*_written("authored"), *told, *_written("composed")]


def _written(name: str) -> Iterator[Prompt]:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    for part in re.split(r"^%%%.*\n", text, flags=re.MULTILINE)[1:]:
        lines = part.rstrip("\n").split("\n")
        foreign = tuple(line[2:] for line in lines if line.startswith("|"))
        own = tuple(line for line in lines if not line.startswith("|"))
        shown = "\n".join(line[2:] if line.startswith("|") else line for line in lines)
        yield Prompt(shown, foreign, own, is_whole=True)
