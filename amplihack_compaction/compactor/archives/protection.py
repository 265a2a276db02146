"""What of a text is never archived: open work, decisions and rules; and which files are.

Judged generously, in nine languages: what stays costs some tokens, what goes may be missed.
"""

import re

from amplihack_compaction.compactor.archives.dates import date_at_start
from amplihack_compaction.compactor.condense.keep import (
    DECISION_HEADING,
    RULES_HEADING,
    is_decision,
    is_open_item,
    is_undone_list,
    speaks_of_always,
)
from amplihack_compaction.extract.rule_wording import kind_of_rule
from amplihack_compaction.text.machine_text import is_machine_line, machine_lines
from amplihack_compaction.text.sentences import sentences

DOCUMENT_ENDINGS = frozenset({"md", "markdown", "mdown", "mkd", "rst", "txt", "text", "log"})
_OTHER_ENDINGS = frozenset(
    "json jsonl ndjson json5 yaml yml toml ini cfg conf env csv tsv xml html htm css scss svg"
    " js mjs cjs ts tsx jsx py pyi ipynb go rs java kt kts c h cc cpp hpp cs rb php swift scala"
    " sh bash zsh fish ps1 bat sql proto graphql tf lock diff patch tex bib vue svelte dart lua"
    " r pl ex exs erl hs clj properties plist gradle cmake mk pem crt key".split()
)
_NAMES_LEFT_ALONE = frozenset(
    "makefile dockerfile procfile gemfile rakefile vagrantfile jenkinsfile license licence"
    " copying notice codeowners".split()
)
_LINES_JUDGED = 400
_MACHINE_SHARE = 1 / 3

_TASK_FILE = re.compile(
    r"(?:^|[/_-])(?:tasks?|todos?|checklist|backlog)\.[a-z]{1,8}\Z", re.IGNORECASE
)

_QUOTING = " \t>|"
_LINE_CHARS = 2_000


def is_document(path: str, text: str) -> bool:
    """Return whether a file is notes rather than code or data, by its name, else by its text."""
    name = path.rpartition("/")[2].casefold()
    stem, dot, ending = name.rpartition(".")
    if dot and stem:
        if ending in DOCUMENT_ENDINGS:
            return True
        if ending in _OTHER_ENDINGS:
            return False
    if name.startswith(".") or name in _NAMES_LEFT_ALONE or text.startswith("#!"):
        return False
    lines = [line for line in text.splitlines()[:_LINES_JUDGED] if line.strip()]
    return bool(lines) and sum(machine_lines(lines)) <= len(lines) * _MACHINE_SHARE


def keeps_its_section(text: str, path: str) -> bool:
    """Return whether a text holds open work, so that the section it stands in stays.

    In a file of tasks, each list item that is not marked as done is open.
    """
    return is_open_item(text) or (_TASK_FILE.search(path) is not None and is_undone_list(text))


def is_kept_heading(title: str) -> bool:
    """Return whether a heading says that decisions or rules stand below it."""
    return any(each.search(title) for each in (DECISION_HEADING, RULES_HEADING))


def states_decision_or_rule(text: str) -> bool:
    """Return whether a block of prose states a decision, or how things are always to be done."""
    return any(_is_kept_line(line) for line in text.splitlines())


def _is_kept_line(line: str) -> bool:
    _, said = date_at_start(line)
    said = said.lstrip(_QUOTING)[:_LINE_CHARS]
    if not said.strip() or is_machine_line(said):
        return False
    if speaks_of_always(said) or is_decision(said):
        return True
    return any(kind_of_rule(sentence)[0] for sentence in sentences(said))
