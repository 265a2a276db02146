"""How old notes are: by the dates that are written in them, or by their file's last change.

Dates are read in the house's nine languages. Only what can be read in one way is one: `03/04/2026`
is none, nor is a day without its year.
"""

import re
import time
from datetime import date

from amplihack_compaction.compactor.backups.folder import FileImage
from amplihack_compaction.compactor.wording import month_numbers, words_for
from amplihack_compaction.text.markdown import BULLET

_YEAR = re.compile(r"[0-9]{4}")
_DATED_CHARS = 300
_START_CHARS = 120

_NUMBERS = month_numbers()
_NAME = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_CLOCK = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
_DATE = re.compile(
    r"(?<![\w.-])(?:"
    r"(?P<y1>[0-9]{4})-(?P<m1>[0-9]{2})-(?P<d1>[0-9]{2})(?![0-9]|-[0-9])"
    r"|(?P<y2>[0-9]{4})/(?P<m2>[0-9]{1,2})/(?P<d2>[0-9]{1,2})(?![\w/])"
    r"|(?P<d3>[0-9]{1,2})\.[ ]?(?P<m3>[0-9]{1,2})\.[ ]?(?P<y3>[0-9]{4})(?![\w.]*[0-9])"
    r"|(?P<d4>[0-9]{1,2})(?:st|nd|rd|th|er|\.|º)?[ /-](?:of |de )?"
    rf"(?P<m4>{_NAME})\.?(?:,? |[/-]| de | do )(?P<y4>[0-9]{{4}})(?![0-9])"
    rf"|(?P<m5>{_NAME})\.? (?P<d5>[0-9]{{1,2}})(?:st|nd|rd|th)?(?: {_CLOCK})?,? "
    r"(?P<y5>[0-9]{4})(?![0-9])"
    r"|(?P<y6>[0-9]{4})[年년] ?(?P<m6>[0-9]{1,2})[月월] ?(?P<d6>[0-9]{1,2})[日일]"
    r")",
    re.IGNORECASE,
)
_FORMS = 6
_WEEKDAY = words_for("weekdays")
_ZONE = r"(?:T|Z|UTC|GMT|CET|CEST|AM|PM|Uhr|h|\[0-9]{4})"
_BEFORE = re.compile(rf"[\W_]*(?:(?:on|le|am|el)\s)?(?:(?:{_WEEKDAY})[\W_]+)?", re.IGNORECASE)
_BULLET = re.compile(rf"[\s>]*{BULLET}\s+(?:\[[^\]\n]?\]\s+)?")
_CLOCKS = re.compile(rf"T?{_CLOCK}(?:[.,][0-9]+)?(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?")
_BESIDE = re.compile(rf"\b(?:{_WEEKDAY}|{_ZONE})\b|[\W_]+", re.IGNORECASE)


def dates_in(text: str) -> list[date]:
    """Return the dates of a text's first 300 characters, in order; impossible ones are none."""
    found = (_value(match) for match in _DATE.finditer(text[:_DATED_CHARS]))
    return [each for each in found if each is not None]


def date_at_start(line: str) -> tuple[date | None, str]:
    """Return the date that a line or list item begins with, and what the line says behind it.

    Bullets, boxes, brackets, emphasis and a weekday may stand before it, a time of day behind
    it. Without a date, the line itself comes back.
    """
    head = line[:_START_CHARS]
    if _YEAR.search(head) is None:
        return None, line
    for start in (0, _bullet_end(head)):
        match = _DATE.search(head, start)
        if match is None or _BEFORE.fullmatch(head, start, match.start()) is None:
            continue
        value = _value(match)
        if value is not None:
            rest = line[match.end() :]
            clock = _CLOCKS.match(rest.lstrip())
            return value, rest.lstrip()[clock.end() :] if clock else rest
    return None, line


def is_only_a_date(line: str) -> bool:
    """Return whether a line holds a date and nothing else but a weekday and a time of day.

    A list item does not: it belongs to what is indented below it.
    """
    if len(line) > _START_CHARS or _YEAR.search(line) is None:
        return False
    if dates_in(line[_bullet_end(line) or len(line) :]):
        return False
    match = _DATE.search(line)
    if match is None or _value(match) is None:
        return False
    rest = _CLOCKS.sub(" ", f"{line[: match.start()]} {line[match.end() :]}")
    return not _BESIDE.sub("", rest)


def _bullet_end(head: str) -> int:
    bullet = _BULLET.match(head)
    return bullet.end() if bullet else 0


def _value(match: "re.Match[str]") -> date | None:
    for form in range(1, _FORMS + 1):
        year = match[f"y{form}"]
        if year is not None:
            month = match[f"m{form}"].casefold()
            # A letter may match without being one of the name's own: the dotless i.
            number = int(month) if month.isdecimal() else _NUMBERS.get(month, 0)
            try:
                return date(int(year), number, int(match[f"d{form}"]))
            except ValueError:
                return None
    return None


def last_change(image: FileImage) -> date:
    """Return the local day on which a file was written last; none lies ahead."""
    seconds = image.status.st_mtime_ns / 10**9
    return date.fromtimestamp(min(max(seconds, 0.0), time.time()))
