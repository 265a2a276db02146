"""Say in a few lines what a feature's notes hold: state, next steps, decisions, rules, files.

The rest is dropped, and the first line says so. Deterministic; no model is asked.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from amplihack_compaction.compactor.condense.document import read_document
from amplihack_compaction.compactor.condense.notes import Note, Section, read_notes
from amplihack_compaction.text.strings import counted, normal_form, one_line, printable

LIMIT_TOKENS = 500
_ITEM_CHARS = 180
# More of a section are never shown, whatever the limit.
_SHOWN_MOST = {"file": 12}
_SHOWN_ELSE = 60
# After so many that do not fit, shorter ones are not looked for.
_MISSES = 12
_TITLES: dict[Section, str] = {
    "state": "State",
    "next": "Next steps",
    "decision": "Decisions",
    "rule": "Rules",
    "todo": "Open todos",
    "file": "Files modified",
}
# Their newest section comes first, but its lines keep their order.
_IN_ORDER = ("state", "next", "todo", "rule")


def summarize_texts(
    texts: Mapping[str, str],
    count_tokens: Callable[[str], int],
    limit_tokens: int = LIMIT_TOKENS,
    note: str = "",
) -> str:
    """Return a summary in markdown of at most `limit_tokens`, whatever the texts hold.

    `note` stands at its top, where the whole texts are for example, and counts as well. Newest
    first, but for steps and todos, which keep their order. Where not even the first line fits,
    it is cut, at the worst to nothing.
    """
    notes = _by_section(read_notes(texts))
    lines = sum(len(read_document(name, text).lines) for name, text in texts.items())
    tokens = sum(count_tokens(text) for text in texts.values())
    dropped = f"{counted(len(texts), 'file')}, {counted(lines, 'line')}"
    head = f"Summary. Information was dropped: {dropped}, {counted(tokens, 'token')} became this."
    head = " ".join([head, *note.split()])
    return _fit(head, notes, lambda text: count_tokens(text) <= limit_tokens)


def _fit(head: str, notes: Mapping[Section, list[Note]], fits: Callable[[str], bool]) -> str:
    """Add notes, one of each section in turn, as long as they fit."""
    if not fits(head + "\n"):
        return _cut_to_fit(head, fits)
    shown: dict[Section, list[Note]] = {section: [] for section in notes}
    misses = 0
    for turn in range(_SHOWN_ELSE):
        for section, found in notes.items():
            if turn >= min(len(found), _SHOWN_MOST.get(section, _SHOWN_ELSE)):
                continue
            shown[section].append(found[turn])
            if not fits(_render(head, notes, shown)):
                shown[section].pop()
                misses += 1
        if misses >= _MISSES:
            break
    return _render(head, notes, shown)


def _cut_to_fit(text: str, fits: Callable[[str], bool]) -> str:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(one_line(text, middle)) else (low, middle - 1)
    cut = one_line(text, low) if low else ""
    return cut if fits(cut) else ""


def _render(
    head: str, notes: Mapping[Section, list[Note]], shown: Mapping[Section, list[Note]]
) -> str:
    parts = [head]
    for section, title in _TITLES.items():
        some = shown.get(section)
        if not some:
            continue
        all_of_them = len(notes[section])
        more = f" ({len(some)} of {all_of_them})" if len(some) < all_of_them else ""
        parts += ["", f"## {title}{more}", ""]
        if section == "file":
            parts.append("- " + ", ".join(found.text for found in some))
            continue
        file = ""
        for found in some:
            parts.append(
                f"- {found.text}" + (f" ({_shown(found.file)})" if found.file != file else "")
            )
            file = found.file
    return "\n".join(parts) + "\n"


def _shown(file: str) -> str:
    return one_line(printable(file), _ITEM_CHARS)


def _by_section(found: Iterable[Note]) -> dict[Section, list[Note]]:
    """Return the notes by section, the newest first, each said once, in its last words."""
    sections: dict[Section, dict[str, Note]] = {section: {} for section in _TITLES}
    for note in found:
        text = one_line(note.text.strip(" *_`"), _ITEM_CHARS)
        said = sections[note.section]
        if normal_form(text):
            said.pop(normal_form(text), None)
            said[normal_form(text)] = replace(note, text=text)
    ordered = {}
    for section, said in sections.items():
        parts = 2 if section in _IN_ORDER else 3
        newest = sorted(said.values(), key=lambda note: note.place[:parts], reverse=True)
        if newest:
            ordered[section] = newest
    return ordered
