"""Find the states that a session was given: in its transcript, and in our hooks' receipts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from amplihack_compaction.injection.receipts import STATE_MARKER
from amplihack_compaction.transcript.session import Entry, as_object


@dataclass(frozen=True, slots=True)
class Injection:
    """A state that the model was given: `hook` is the event; None where it is not known.

    `delivered` says that the transcript shows it, `receipt` that one of our hooks took one.
    `offset` is the byte offset of the line that shows it, -1 without one.
    """

    hook: str | None = None
    at: str | None = None
    characters: int | None = None
    delivered: bool = False
    receipt: bool = False
    text: str = ""
    offset: int = -1

    @property
    def in_short(self) -> str:
        """Its size, and what came of it, in words."""
        size = "?" if self.characters is None else f"{self.characters:,}"
        arrived = "delivered" if self.delivered else "given, but not seen in the transcript"
        return f"{size} characters, {arrived}{'' if self.receipt else ', no receipt here'}"


def read_injection(entry: Entry) -> Injection | None:
    """Return the state that an entry shows to have been injected; None for any other."""
    attachment = as_object(entry.data.get("attachment"))
    if attachment.get("type") != "hook_additional_context":
        return None
    content = attachment.get("content")
    texts = content if isinstance(content, list) else [content]
    text = "\n".join(text for text in texts if isinstance(text, str))
    if STATE_MARKER.decode() not in text:
        return None
    hook, at = attachment.get("hookEvent"), entry.data.get("timestamp")
    return Injection(
        hook if isinstance(hook, str) else None,
        at if isinstance(at, str) else None,
        len(text),
        delivered=True,
        text=text,
        offset=entry.offset,
    )


def with_receipts(
    shown: Sequence[Injection], receipts: Sequence[dict[str, Any]], window_start: int
) -> list[Injection]:
    """Return the injections with the receipts of the window, matched by the hook that gave them.

    A receipt that nothing in the transcript matches is an injection that did not arrive.
    """
    injections = list(shown)
    for receipt in receipts:
        if receipt.get("window_start") != window_start:
            continue
        hook, at, characters = receipt.get("event"), receipt.get("at"), receipt.get("utf16")
        place = next(
            (n for n, i in enumerate(injections) if i.hook in (hook, None) and not i.receipt), None
        )
        if place is not None:
            injections[place] = replace(injections[place], receipt=True)
        else:
            injections.append(
                Injection(
                    hook if isinstance(hook, str) else None,
                    at if isinstance(at, str) else None,
                    characters if isinstance(characters, int) else None,
                    receipt=True,
                )
            )
    return injections
