"""Whether a line stays wherever it stands: errors, results, checklists, decisions, rules.

The one place that judges single lines; whole sections are spared in `cuttable_parts`. How notes
are worded in the nine languages stands in `wording.toml`.
"""

import re
import tomllib
from pathlib import Path

from amplihack_compaction.compactor.condense.documents import is_stub
from amplihack_compaction.text.markdown import BULLET

_TABLES: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("wording.toml").read_text(encoding="utf-8")
)


def words_for(name: str) -> str:
    """Return what stands for one thing in any of the languages, as alternatives of a pattern."""
    return "|".join(_TABLES[name].values())


def month_numbers() -> dict[str, int]:
    """Return the number of each month by its names, in small letters."""
    months = enumerate(_TABLES["months"].values(), 1)
    return {name: number for number, names in months for name in names.split()}


# What a line is starts at its head; only errors are looked for in all of it.
_HEAD_CHARS = 600
_LINE_CHARS = 2_000
_ERROR = re.compile(words_for("error"), re.IGNORECASE)
# A test that passes may have `error` in its name; that is no error.
_PASSES = re.compile(
    r"\s*(?:[✓✔√]|PASS(?:ED)?\b|ok\b|--- PASS)|.*(?:\bPASSED\b|\.\.\. ok\b|\.\.\. PASSED\b)"
)
_NAME_SIGNS = frozenset("/_.:-")
_RESULT = re.compile(
    r"\b\d+ (?:passed|passing|pending|skipped|xfailed|examples?,|packages? in)\b"
    r"|^\s*(?:Tests?|Test Suites|Test Files|Snapshots):\s+\d|^test result:|^Ran \d+ tests?\b"
    r"|\bBUILD SUCCESS|\bexit(?:ed)?(?: with)?(?: code| status)? ?:? ?\d{1,3}\b"
)
# What a failing test found and what it wanted: its failure is in these, not in the word.
_FINDING = re.compile(
    r"E {3,}\S|> {5,}\S|\s{1,40}(?:expected|received|actual|left|right|got|want)(?: value)?\s?:\s",
    re.IGNORECASE,
)
_OPEN_MARKS, _DONE_MARKS = r" \t~/>!?*.o-", "xX✓✔✗✘"
_CHECKLIST = re.compile(
    rf"[ \t]{{0,80}}(?:>\s?)?(?:{BULLET}\s{{1,8}})?"
    rf"(?:\[[{_DONE_MARKS}{_OPEN_MARKS}]?\]\s|[☐☑☒✅❌⬜🔲])"
)
_OPEN_ITEM = re.compile(
    rf"^[ \t>]*(?:{BULLET}[ \t]*)?"
    rf"(?:\[[{_OPEN_MARKS}]?\](?![(\[:])|[☐⬜🔲]|\W{{0,4}}(?:TODO|FIXME|TBD)\b)",
    re.MULTILINE,
)
_DONE_ITEM = re.compile(
    rf"\W*\[[{_DONE_MARKS}]\]|\W*(?:~~|[✅✔✓☑❌✗✘])"
    r"|.*(?:✅|✔|☑|\b(?:done|finished|completed|erledigt|fertig)\b)",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(rf"^[ \t>]*{BULLET}[ \t]+\S.*$", re.MULTILINE)
_RECORD = re.compile(r"\bADR[- _]?\d{1,5}\b", re.IGNORECASE)
_DECISION = re.compile(
    r"\W*ADR[- _]?\d{1,5}\b"
    rf"|\W{{0,12}}(?:\w{{2,12}} ){{0,2}}(?:{words_for('decision')}|adrs?)"
    r"[ #\d*_]{0,8}(?:\([^)]{0,40}\))?[*_ ]{0,4}[:：]"
    rf"|.*?(?:{words_for('decided')})",
    re.IGNORECASE,
)
_STANDING_WORDS, _STANDING_SIGNS = words_for("standing"), words_for("standing_signs")
_STANDING = re.compile(rf"\b(?:{_STANDING_WORDS})\b|{_STANDING_SIGNS}", re.IGNORECASE)
_RULE = re.compile(
    rf"\b(?:{_STANDING_WORDS}|{words_for('rule')})\b|{_STANDING_SIGNS}|{words_for('rule_signs')}",
    re.IGNORECASE,
)
DECISION_HEADING = re.compile(
    rf"(?<![^\W_])(?:{words_for('decision')}|{words_for('decision_heading')})(?![^\W_])"
    rf"|{words_for('decision_heading_signs')}",
    re.IGNORECASE,
)
"""Finds, in a heading, that its section holds decisions, which stay whole."""
STATED_DECISION = re.compile(rf"(?:{words_for('decision')})\s*[:：]\s*\S", re.IGNORECASE)
"""Matches a heading that states the decision itself; a log below it is no part of it."""
RULES_HEADING = re.compile(
    rf"(?<![^\W_])(?:{words_for('rules_heading')})(?![^\W_])|{words_for('rules_heading_signs')}",
    re.IGNORECASE,
)
"""Finds, in a heading, that its section holds rules, which stay even where they are repeated."""


def stays(line: str) -> bool:
    """Return whether a line stays inside an output that is cut: stubs of earlier cuts do too."""
    head = line[:_HEAD_CHARS]
    return (
        is_error(line)
        or _RESULT.search(head) is not None
        or _FINDING.match(head) is not None
        or _CHECKLIST.match(head) is not None
        or _DECISION.match(head) is not None
        or _RECORD.search(line) is not None
        or is_stub(line)
    )


def stays_in_prose(line: str) -> bool:
    """Return whether a line of prose stays even where it says again what stands elsewhere."""
    return stays(line) or has_rule_word(line)


def is_error(line: str) -> bool:
    """Return whether a line speaks of an error, a failure or an exception, in nine languages.

    Generous: `0 errors` counts. Only a passing test with such a word in its name does not.
    """
    if _ERROR.search(line) is None:
        return False
    head = line[:_HEAD_CHARS]
    if _PASSES.match(head) is None:
        return True
    words = (word.strip(".,:;") for word in line.split())
    return any(_ERROR.search(word) for word in words if _NAME_SIGNS.isdisjoint(word))


def is_decision(line: str) -> bool:
    """Return whether a line states a decision, or names a record of one."""
    return _DECISION.match(line[:_HEAD_CHARS]) is not None


def has_rule_word(line: str) -> bool:
    """Return whether a line has a word that rules are made with: a cheap, generous guess."""
    return _RULE.search(line[:_HEAD_CHARS]) is not None


def speaks_of_always(line: str) -> bool:
    """Return whether a line says what is never or always so, in nine languages; generous."""
    return _STANDING.search(line[:_LINE_CHARS]) is not None


def is_open_item(text: str) -> bool:
    """Return whether a text has an item of a checklist that is not done, or a TODO."""
    return _OPEN_ITEM.search(text) is not None


def is_undone_list(text: str) -> bool:
    """Return whether a text has a list item that nothing marks as done."""
    return any(not _DONE_ITEM.match(item[0][:_LINE_CHARS]) for item in _LIST_ITEM.finditer(text))
