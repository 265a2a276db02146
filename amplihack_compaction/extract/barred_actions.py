"""What a rule may speak of in words of every day, and the commands that do it.

A clause in, the actions and the sorts of files out that it speaks of: see `barred_wordings.toml`.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_WORDINGS_FILE = Path(__file__).with_name("barred_wordings.toml")
# Between words of Chinese and Japanese there is no space.
_LATIN, _NO_CJK = re.compile(r"(?<=[a-z)])\\w\*"), r"[^\W\u3041-\u9fff\uac00-\ud7af]*"


@dataclass(frozen=True, slots=True)
class Action:
    """What a rule may speak of, and the commands that do it."""

    words: re.Pattern[str]
    commands: tuple[str, ...]
    instead_of: tuple[str, ...] = ()
    branches: bool = False

    def names_files(self, said: str) -> bool:
        """Return whether it is spoken of as what is done to a sort of files: `update snapshots`."""
        found, sort = self.words.search(said), sort_of_files(said)
        return bool(found and sort and " " in found.group().strip() and sort[1][0] in found.group())


@cache
def _wordings() -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads(_WORDINGS_FILE.read_text(encoding="utf-8"))


@cache
def known_actions() -> dict[str, Action]:
    """Return the actions that a rule may bar, by name."""
    return {
        name: Action(
            re.compile(
                rf"(?<![a-z])(?:{_LATIN.sub(lambda _: _NO_CJK, '|'.join(action['words']))})", re.I
            ),
            tuple(action["commands"]),
            tuple(action.get("instead_of", ())),
            action.get("branches", False),
        )
        for name, action in _wordings()["actions"].items()
    }


def actions_in(said: str) -> dict[str, Action]:
    """Return the actions that are spoken of, without those that stand in another's words."""
    found = {
        name: action
        for name, action in known_actions().items()
        if (match := action.words.search(said)) is not None and match.group().strip()
    }
    meant = {less for action in found.values() for less in action.instead_of}
    return {name: action for name, action in found.items() if name not in meant}


def sort_of_files(said: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return what a sort of files is called that is spoken of, and the words that speak of it."""
    for sort in _wordings()["files"].values():
        words = rf"(?<![\w/.-])(?:{sort['words']})(?![A-Za-z0-9_/-])"
        if found := re.search(words, said, re.IGNORECASE):
            return tuple(sort["names"]), (found.group(),)
    return None
