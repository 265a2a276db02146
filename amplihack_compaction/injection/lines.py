"""Say what was found in lines: quoted and harmless, values and files by later need."""

import re

from amplihack_compaction.extract.recent_context import names_file
from amplihack_compaction.extract.statements import ExactValue, FileRecord, SessionState, ValueKind
from amplihack_compaction.ledger.replaced import ValueCorrections
from amplihack_compaction.text.words import TEXT_CHARS, inert, normal_form

SHORT_CHARS = 160
_PATH = re.compile(r"(?<![\w.@/-])(?:[\w.@-]{1,255}/)+[\w.@-]*\w")
_BRANCH_CHARS = 160
_CONTEXT_CHARS = 110
_FILES_A_LINE = 5
# Lines of edited files that a successor needs: of the files of older prompts hardly one was.
_EDITED_CORE = 4
_PROSE_SIGNS = " ,.'?!"
# Of the values in such lines 4 of 60 were of use, of others one in seven (25 real compactions).
_ODD_SHARE = 0.25
_WHY_CHARS = 120
_SHORT_WHY_CHARS = 60
# What can be looked up nowhere comes first, then what only the user's words tie to the work.
# Names of the code and paths are found in the project itself.
_VALUE_RANKS = (
    ((ValueKind.URL, ValueKind.PORT, ValueKind.VERSION), re.compile("")),
    ((ValueKind.IDENTIFIER,), re.compile(r"^#?\d|^[A-Z]+-\d|^[0-9a-f-]{7,}$|^[A-Z0-9_]+=")),
    ((ValueKind.QUANTITY,), re.compile("")),
    ((ValueKind.QUOTED,), re.compile(r"^\S{1,60}$")),
)


def later(words: str) -> str:
    """Return what ends a line that later words speak of: these; nothing where there are none."""
    return f' - later: "{inert(words)}"' if words else ""


def value_lines(state: SessionState, corrected: ValueCorrections) -> tuple[list[str], list[str]]:
    """Return the values' lines: what cannot be looked up in the project is the core.

    Values of one sentence share its line. What rules and objective, or the files, say already,
    and what stood in a log or in code, comes last.
    """
    said = said_above(state)
    edited = {below_root(state.root, file.path) for file in state.files if file.edits}
    ranked: dict[str, int] = {}
    for value in sorted(state.values, key=lambda value: -value.offset):
        known = value.text in edited or any(value.text in other for other in said)
        known = known or _is_machine_made(value.context)
        rank = len(_VALUE_RANKS) if known else _rank(value)
        line = f"{_value_line(value)}{later(corrected.of(value.context))}"
        ranked[line] = min(rank, ranked.get(line, rank))
    lines = sorted(ranked, key=lambda line: ranked[line])
    core = [line for line in lines if ranked[line] < len(_VALUE_RANKS)]
    return core, lines[len(core) :]


def _is_machine_made(context: str) -> bool:
    """Return whether a value stood in a log, in code or in a line too long to have been typed."""
    odd = sum(not (sign.isalpha() or sign in _PROSE_SIGNS) for sign in context)
    return context.startswith("…") or odd > _ODD_SHARE * len(context)


def _rank(value: ExactValue) -> int:
    for rank, (kinds, pattern) in enumerate(_VALUE_RANKS):
        if value.kind in kinds and pattern.search(value.text):
            return rank
    return len(_VALUE_RANKS)


def _value_line(value: ExactValue) -> str:
    """Return the sentence that a value stood in; the value beside it where it is not whole."""
    text, context = inert(value.text, TEXT_CHARS), inert(value.context, _CONTEXT_CHARS)
    if text in context and len(context) > len(text):
        return f'- "{context}"'
    around = "" if context in text else f' ("{context}")'
    return f"- {value.kind}: `{text}`{around}"


def said_above(state: SessionState) -> list[str]:
    """Return what rules, objective and decisions say, so that it is not said a second time."""
    objectives = (state.objective, *state.continues[:1]) if state.objective else ()
    items = (*state.active_rules, *objectives, *state.decisions)
    return [item.text for item in items if item]


def is_said(text: str, said: list[str]) -> bool:
    """Return whether a text, cut short perhaps, stands in one of those said."""
    words = normal_form(text.strip("…"))
    return not words or any(words in normal_form(other) for other in said)


def file_lines(state: SessionState) -> tuple[list[str], list[str]]:
    """Return the files' lines: the branch and the files last edited are the core.

    Of these, those that the user spoke of come first, each with his words.
    """
    core = [f"- git branch: `{inert(state.branch, _BRANCH_CHARS)}`"] if state.branch else []
    newest_first = list(reversed(state.files))
    edited = [file for file in newest_first if file.edits]
    spoken = [file for file in edited if names_file(file.why, file.path)]
    core += [_edited(state, [file], file.why, _WHY_CHARS) for file in spoken]
    under: dict[str, list[FileRecord]] = {}
    for file in edited:
        if file not in spoken:
            under.setdefault(file.why, []).append(file)
    worked = [
        _edited(state, files[start : start + _FILES_A_LINE], why, _SHORT_WHY_CHARS)
        for why, files in under.items()
        for start in range(0, len(files), _FILES_A_LINE)
    ]
    core += worked[:_EDITED_CORE]
    read = [file for file in newest_first if not file.edits]
    others = worked[_EDITED_CORE:] + [
        f"- read {_paths(state, read[start : start + _FILES_A_LINE])}"
        for start in range(0, len(read), _FILES_A_LINE)
    ]
    return core, others


def _edited(state: SessionState, files: list[FileRecord], why: str, limit: int) -> str:
    """Return the line of files that were edited under one prompt; its words may name the file."""
    reason, paths = inert(why, limit), _paths(state, files)
    if [f"`{path}`" for path in _PATH.findall(reason)] == [paths]:
        return f'- edited for "{reason}"'
    return f'- edited {paths} (for: "{reason}")' if why else f"- edited {paths}"


def _paths(state: SessionState, files: list[FileRecord]) -> str:
    return ", ".join(f"`{below_root(state.root, file.path)}`" for file in files)


def below_root(root: str, path: str) -> str:
    """Return a path as the user names it: below the project's root without it."""
    return inert(path.removeprefix(f"{root}/") if root else path, TEXT_CHARS)
