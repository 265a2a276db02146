"""How old notes are: by the dates that are written in them, or by their file's last change.

Dates are read in the house's nine languages. Only what can be read in one way is one: `03/04/2026`
is none, nor is a day without its year. When a file was changed last, git tells where its content is
the committed one, else its mtime: a checkout gives every file the time of the checkout, and only
git knows better.
"""

import hashlib
import os
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from amplihack_compaction.compactor.archive.archive_folder import DatedBy
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


_TIMEOUT_SECONDS = 3.0
_COMMIT = b"\x01"
_HASHES = {40: "sha1", 64: "sha256"}
# A repository that somebody else made must not have a program of its choice run.
_GIT = (
    "git", "--no-pager", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false",
    "-c", "log.showSignature=false", "-c", "protocol.allow=never", "-c", "core.quotePath=false",
    "-c", "color.ui=false", "-c", "log.follow=false", "-c", "log.showRoot=true",
    "-c", "gpg.program=false",
)  # fmt: skip
_LOG = (
    "log", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv",
    "--no-show-signature", "--no-notes", "--relative", "--format=%x01%ct", "--", ".",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LastChange:
    """The local day of a file's last change, and what told it."""

    day: date
    told_by: DatedBy


def last_changes(folder: str, images: Mapping[str, FileImage]) -> dict[str, LastChange]:
    """Return when the files of a folder were changed last; git is asked once for all of them.

    Without git, or where it says nothing within 3 seconds, by the files' own times. Never fails.
    """
    committed = dict(_newest_first(_git_log(folder))) if images else {}
    changes = {}
    for path, image in images.items():
        seconds, blob = committed.get(path, (0, b""))
        if blob and blob == _blob_name(image.content, len(blob)):
            changes[path] = LastChange(_day(seconds), DatedBy.GIT)
        else:
            changes[path] = LastChange(_day(image.status.st_mtime_ns / 10**9), DatedBy.MTIME)
    return changes


def _git_log(folder: str) -> bytes:
    environment = {name: value for name, value in os.environ.items() if name[:4] != "GIT_"}
    environment |= {
        "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1", "GIT_PAGER": "cat",
    }  # fmt: skip
    try:
        done = subprocess.run(  # noqa: S603 - fixed words; the folder is no argument
            [*_GIT, *_LOG],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return b""
    return done.stdout if done.returncode == 0 else b""


def _newest_first(log: bytes) -> Iterator[tuple[str, tuple[float, bytes]]]:
    """Yield path, commit time and blob from the oldest commit on, so that the newest is last."""
    found = []
    seconds = 0.0
    fields = iter(log.split(b"\0"))
    for field in fields:
        item = field.removeprefix(b"\n")  # stands before a commit's first file
        if item.startswith(_COMMIT):
            seconds = float(item[1:]) if item[1:].isdigit() else 0.0
        elif item.startswith(b":"):
            path = next(fields, b"")
            words = item.split(b" ")
            if path and len(words) == 5:
                found.append((os.fsdecode(path), (seconds, words[3])))
    return reversed(found)


def _blob_name(content: bytes, digits: int) -> bytes:
    """Return the name that git gives to this content, in a repository with names so long."""
    kind = _HASHES.get(digits)
    if kind is None:
        return b""
    blob = hashlib.new(kind, b"blob %d\0" % len(content), usedforsecurity=False)
    blob.update(content)
    return blob.hexdigest().encode()


def _day(seconds: float) -> date:
    return date.fromtimestamp(min(max(seconds, 0.0), time.time()))
