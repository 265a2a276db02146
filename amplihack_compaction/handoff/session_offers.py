"""Offers: what a new session can be told it may go on with.

A session's own lies in `<runtime>/offers/<session>.json`; what SessionEnd(clear) of the client PID
leaves in `clear.<PID>.json`, and that a session has ended in `<session>/ended`. An offer is taken
by renaming its file, so that of sessions that start at once one gets it, and nobody gets it twice.
Only a session that has ended is offered: one that runs beside the new one is somebody's work.
`/clear` ends a session and starts the next in the same client process, which is how the two are
paired.
"""

import json
import posix
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from amplihack_compaction.base.files import list_names, parse_object, read_bytes, replace_atomically
from amplihack_compaction.base.paths import runtime_folder, session_folder, session_name
from amplihack_compaction.base.records import read_record
from amplihack_compaction.base.signature import own_part, signed

OFFER_VERSION = 1
OFFER_SECONDS = 24 * 3600
PAIR_SECONDS = 300
"""`/clear` starts its new session at once; later, the process id may be another client's."""

_AFTER_END_SECONDS = 60
"""How long after SessionEnd the client may still write notes of its own into the transcript."""

_LIMIT_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A session that can be gone on with; `at` is the time of the offer in epoch seconds."""

    session_id: str
    snapshot: str
    transcript_path: str
    handoff: str = ""
    at: float = 0.0


def offers_folder(root: str) -> str:
    """Return the folder of a project's offers."""
    return f"{runtime_folder(root)}/offers"


def announce(root: str, offer: Offer, *, by_hand: bool = False) -> None:
    """Leave an offer; the session goes on, so that it is nobody's until it ends.

    One that is made `by_hand` of a session that has ended is somebody's at once. A handoff that was
    announced before stays named. Raises OSError.
    """
    is_over = by_hand and _ended_at(root, offer) >= 0
    _write(root, _path(root, offer.session_id), offer)
    if is_over:
        mark_ended(root, offer.session_id)
    else:
        forget_end(root, offer.session_id)


def announced(root: str, session_id: str) -> Offer | None:
    """Return the offer that a session has left; None without one."""
    return _read(_path(root, session_id))


def pair_clear(root: str, pid: str, offer: Offer) -> None:
    """Leave an offer for the session that the client with this process id starts next."""
    _write(root, f"{offers_folder(root)}/clear.{pid}.json", offer)


def withdraw(root: str, session_id: str) -> None:
    """Remove a session's offer: it was gone on with another way."""
    with suppress(OSError):
        posix.unlink(_path(root, session_id))


def mark_ended(root: str, session_id: str) -> None:
    """Write down that a session has ended. Raises OSError."""
    content = json.dumps({"version": OFFER_VERSION, "at": time.time()}).encode()
    replace_atomically(f"{session_folder(root, session_id)}/ended", content + b"\n")


def forget_end(root: str, session_id: str) -> None:
    """Take back that a session has ended: it was resumed, or goes on."""
    with suppress(OSError):
        posix.unlink(f"{session_folder(root, session_id)}/ended")


def take_offer(root: str, source: str, session_id: str, pid: str) -> Offer | None:
    """Take what a session that starts now can go on with; None when there is nothing.

    `source` is SessionStart's: after `clear`, what the same client process left comes first. Else
    it is the newest offer of an ended session.
    """
    if source == "clear" and pid:
        paired = _take(f"{offers_folder(root)}/clear.{pid}.json", PAIR_SECONDS)
        if paired is not None:
            withdraw(root, paired.session_id)  # the same, announced before it was cleared
            return paired
    found, cleared = [], set()
    for path, offer, age in _in_time(root):
        if not path.rpartition("/")[2].startswith("clear."):
            found.append((offer.at, path, offer))
        elif age <= PAIR_SECONDS:
            cleared.add(offer.session_id)  # it belongs to the client that cleared it
    for _, path, offer in sorted(found, key=lambda entry: entry[:2], reverse=True):
        if offer.session_id in (session_id, *cleared) or _ended_at(root, offer) < offer.at:
            continue
        taken = _take(path, OFFER_SECONDS)
        if taken is not None:
            return taken
    return None


def remove_old(root: str) -> None:
    """Remove the offers that are too old to be taken, whoever asks for none."""
    for _ in _in_time(root):
        pass


def _in_time(root: str) -> Iterator[tuple[str, Offer, float]]:
    """Yield the path, content and age in seconds of each offer; those too old are removed."""
    folder = offers_folder(root)
    for name in list_names(folder):
        path = f"{folder}/{name}"
        offer = _read(path) if name.endswith(".json") else None
        if offer is None:
            continue  # whatever it is, it is not this package's to remove
        age = time.time() - offer.at
        if age > OFFER_SECONDS:
            with suppress(OSError):
                posix.unlink(path)
        else:
            yield path, offer, age


def _ended_at(root: str, offer: Offer) -> float:
    """Return when an offer's session ended; -1 while it runs, or where it was gone on with."""
    data = read_bytes(f"{session_folder(root, offer.session_id)}/ended", _LIMIT_BYTES)
    at = (parse_object(data or b"") or {}).get("at")
    if not isinstance(at, (int, float)):
        return -1
    with suppress(OSError, ValueError):
        if posix.stat(offer.transcript_path).st_mtime > at + _AFTER_END_SECONDS:
            return -1
    return at


def _take(path: str, seconds: float) -> Offer | None:
    """Take the offer in a file, if it is not older than this many seconds."""
    taken = f"{path}.{posix.getpid()}.tmp"
    try:
        posix.rename(path, taken)
    except OSError:
        return None
    offer = _read(path, taken)
    with suppress(OSError):
        posix.unlink(taken)
    return offer if offer is not None and time.time() - offer.at <= seconds else None


def _path(root: str, session_id: str) -> str:
    return f"{offers_folder(root)}/{session_name(session_id)}.json"


def _write(root: str, path: str, offer: Offer) -> None:
    known = announced(root, offer.session_id)
    handoff = offer.handoff or (known.handoff if known else "")
    whole = replace(offer, handoff=handoff, at=offer.at or time.time())
    content = {"version": OFFER_VERSION, **asdict(whole)}
    replace_atomically(path, signed(json.dumps(content).encode("ascii") + b"\n", path))


def _read(path: str, taken: str = "") -> Offer | None:
    data = read_bytes(taken or path, _LIMIT_BYTES)
    content = parse_object(own_part(data, path) or b"") or {}
    try:
        return read_record(Offer, content) if content.get("version") == OFFER_VERSION else None
    except ValueError:
        return None
