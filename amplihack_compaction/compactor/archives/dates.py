"""Find the dates that are written in a text, in the house's nine languages.

Only what can be read in one way is a date: `03/04/2026` is none, nor is a day without its year.
"""

import re
from datetime import date

_YEAR = re.compile(r"[0-9]{4}")
_DATED_CHARS = 300
_START_CHARS = 120

_MONTHS = (
    "jan january januar jänner janvier enero ene janeiro января январь янв",
    "feb february februar février févr fevrier febrero fevereiro fev февраля февраль фев",
    "mar march märz mrz mär mars marzo março marco марта март мар",
    "apr april avril avr abril abr апреля апрель апр",
    "may mai mayo maio мая май",
    "jun june juni juin junio junho июня июнь июн",
    "jul july juli juillet juil julio julho июля июль июл",
    "aug august août aout agosto ago августа август авг",
    "sep sept september septembre septiembre setembro set сентября сентябрь сен сент",
    "oct october okt oktober octobre octubre outubro out октября октябрь окт",
    "nov november novembre noviembre novembro ноября ноябрь ноя нояб",
    "dec december dez dezember décembre déc decembre diciembre dic dezembro декабря декабрь дек",
)
_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
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
_WEEKDAY = (
    r"(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mo|di|mi|do|fr|sa|so"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes"
    r"|sábado|domingo|segunda|terça|quarta|quinta|sexta(?:-feira)?|понедельник|вторник|среда"
    r"|четверг|пятница|суббота|воскресенье|[周週]?[一二三四五六日天]|[月火水木金土日]曜?日?|[월화수목금토일]요?일?"
)
_ZONE = r"(?:T|Z|UTC|GMT|CET|CEST|AM|PM|Uhr|h|\[0-9]{4})"
_BEFORE = re.compile(rf"[\W_]*(?:(?:on|le|am|el)\s)?(?:(?:{_WEEKDAY})[\W_]+)?", re.IGNORECASE)
_BULLET = re.compile(r"[\s>]*(?:[-*+•]|[0-9]{1,4}[.)])\s+(?:\[[^\]\n]?\]\s+)?")
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
