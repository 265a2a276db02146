"""A line of the text and its need; the lines of values and files.

What the user wants is said in `objective_lines`, what he said in `rule_lines`, how the work stands
in `work_lines`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amplihack_compaction.extract.files_and_branch import names_file
from amplihack_compaction.extract.statements import ExactValue, FileRecord, SessionState, ValueKind
from amplihack_compaction.extract.values import telling_values
from amplihack_compaction.text.words import LATER, TEXT_CHARS, code_span, inert, words_of

SHOWN_FROM = 0.3
"""The least need of a line that is injected."""
SHORT_CHARS = 160
_WHY_CHARS = 120
_BRANCH_CHARS = 160
_CONTEXT_CHARS = 110
_FILES_A_LINE = 12
# In the client's folder for a session's scripts: each path is long.
_SCRATCH_FILES = 2
# What was read among the last files is being worked on.
_READ_NOW = 6
_NEWEST_FILES = 10
# Of so many files edited last it is told what the edits brought in.
_TOLD_NAMES_OF = 3
_NAMES = 4
# By the client, with the instructions of their folders, after a compaction.
_FILES_SENT_AGAIN = 5
_MOST_ADDRESSES = 8
# What the client keeps for a session: outputs of its background work, screenshots, scripts.
_OWN_FOLDER = re.compile(r"[/\\](?:claude-\d{1,9}|[Tt]emp[/\\]claude)[/\\]")
_OWN = re.compile(r"[/\\](?:tasks|scratchpad)[/\\]")
# Its name is of a branch, and as long.
_WORKTREE = re.compile(r".*?/\.claude/worktrees/[^/]+(?=/)")
_DOCUMENTS = (".md", ".rst", ".adoc", ".pdf", ".docx")
_TELLING_CHARS = 5
_MOST_ASKED_FOR = 2
# How much a value is needed: what can be looked up nowhere most, then what only the user's words
# tie to the work. Names of the code and paths are found in the project itself.
_VALUE_NEEDS = (
    ((ValueKind.URL, ValueKind.PORT, ValueKind.VERSION), re.compile(""), 0.7),
    ((ValueKind.IDENTIFIER,), re.compile(r"^#?\d|^[A-Z]+-\d|^[A-Z0-9_]+="), 0.5),
    ((ValueKind.QUANTITY,), re.compile(""), 0.5),
    ((ValueKind.QUOTED,), re.compile(r"^\S{1,60}$"), 0.35),
)
_IDLE_VALUE = 0.1
# By so much less is a line needed for each line of its kind above it.
_NEXT_VALUE = 0.01
# One line of files is told: of 24 lines, two a window, none was of use in 12 real windows.
_NEXT_GROUP = 0.7


@dataclass(frozen=True, slots=True)
class StateLine:
    """A line of the text, and how much it is needed, from 0 to 1."""

    text: str
    need: float


def falling(texts: Iterable[str], first: float, step: float, least: float = 0.0) -> list[StateLine]:
    """Return texts as lines, each needed by a `step` less than the one before, and not below it."""
    return [StateLine(text, max(least, first - step * n)) for n, text in enumerate(texts)]


def prompts_since(state: SessionState, offset: int) -> int:
    """Return how many prompts were said behind a place in the transcript."""
    return sum(prompt.offset > offset for prompt in state.prompts)


def value_lines(state: SessionState) -> list[StateLine]:
    """Return the values' lines, the most needed first; values of one sentence share its line."""
    telling = set(telling_values(state))
    needs = [(_need_of(v) if v in telling else _IDLE_VALUE, v.offset, v) for v in state.values]
    told: set[str] = set()
    lines: dict[str, float] = {}
    for need, _, value in sorted(needs, key=lambda each: each[:2], reverse=True):
        lines.setdefault(_value_line(value, told), need)
    return [
        StateLine(line, max(0.0, need - _NEXT_VALUE * n))
        for n, (line, need) in enumerate(lines.items())
    ]


def _addresses(state: SessionState) -> str:
    """Return the addresses and ids that the work uses, those used last first."""
    said = tuple(value.text for value in state.values)
    # "https://pr-" is half of one that a script puts together.
    texts = [item.text for item in reversed(state.addresses) if item.text[-1:] not in "-_="]
    texts = [text for text in texts if not text.endswith(said)]
    whole = [t for t in texts if not any(t.removeprefix("PR ") in o != t for o in texts)]
    names = ", ".join(code_span(text) for text in whole[:_MOST_ADDRESSES])
    return f"used by commands: {names}" if names else ""


def _need_of(value: ExactValue) -> float:
    needs = (n for kinds, p, n in _VALUE_NEEDS if value.kind in kinds and p.search(value.text))
    return next(needs, _IDLE_VALUE)


def _value_line(value: ExactValue, told: set[str]) -> str:
    """Return the sentence that a value stood in; the value beside it where it is not whole.

    Where a line `told` the sentence, the value alone.
    """
    room = _CONTEXT_CHARS * (1 + value.context.count(LATER))
    text, context = inert(value.text, TEXT_CHARS), inert(value.context, room)
    if text in context and len(context) > len(text):
        told.add(context)
        return f'- "{context}"'
    around = "" if context in text or context in told else f' ("{context}")'
    told.add(context)
    return f"- {value.kind}: {code_span(text)}{around}"


def file_lines(state: SessionState) -> list[StateLine]:
    """Return the files' lines: the last edited, on which branch, and those that were only read.

    What addresses the work uses stands in the first; files that the user spoke of stand with his
    words beside them.
    """
    newest_first = list(reversed(state.files))
    edited = [file for file in newest_first if file.edits]
    own = [file for file in edited if _is_clients(file.path)]
    edited = [file for file in edited if file not in own[_SCRATCH_FILES:]]
    # Those of which he spoke are not lost among many.
    edited = [*edited[:_FILES_A_LINE], *sorted(edited[_FILES_A_LINE:], key=_is_unspoken)]
    worked = [f"- {_edits_told(state, group)}" for group in _groups(edited)]
    named = len(worked) > 1 and not _is_unspoken(edited[_FILES_A_LINE])
    unchanged = [file for file in newest_first if not file.edits]
    asked = _asked_for(state, unchanged)
    unchanged = [file for file in unchanged if file not in asked and not _is_clients(file.path)]
    now = [file for file in unchanged[:_READ_NOW] if file in newest_first[:_NEWEST_FILES]]
    branch = f"on branch {code_span(state.branch, _BRANCH_CHARS)}" if state.branch else ""
    tree = _worktree(state)
    place = f"in worktree {code_span(below_root(state.root, tree))}" if tree else ""
    edits = worked[0].removeprefix("- ") if worked else ""
    reading = f"read last {_paths(state, now)}" if now else ""
    told = f"read as asked {_paths(state, asked)}" if asked else ""
    parts = (branch, place, edits, told, reading, _addresses(state))
    at_work = ", ".join(filter(None, parts))
    worked[:1] = [f"- {at_work}"] if at_work else []
    read = [f"- read {_paths(state, group)}" for group in _groups(unchanged[len(now) :])]
    return [
        *instruction_lines(state),
        *falling(worked, 0.95, _NEXT_GROUP / 2 if named else _NEXT_GROUP),
        *falling(read, 0.2, 0.01),
    ]


def _is_clients(path: str) -> bool:
    return _OWN_FOLDER.search(path) is not None and _OWN.search(path) is not None


def _edits_told(state: SessionState, files: list[FileRecord]) -> str:
    """Return files as edited; those of a git repository that no commit was seen of, as that."""
    open_ = [
        file
        for file in files
        if file.changed_offset > state.committed_offset
        and (state.branch or state.committed_offset > 0)
        and file.path.startswith(f"{state.root}/" if state.root else "")
    ]
    rest = [file for file in files if file not in open_]
    told = f"edited, not seen committed: {_paths(state, open_)}" if open_ else ""
    return ", ".join(filter(None, (told, f"edited {_paths(state, rest)}" if rest else "")))


def _asked_for(state: SessionState, read: Iterable[FileRecord]) -> list[FileRecord]:
    """Return the documents that were read since the user spoke of them: a plan, a handoff."""
    aims = (*state.continues, *filter(None, (state.objective,)), *state.prompts[-1:])
    said = {(aim.offset, word) for aim in aims for word in words_of(aim.text)}
    documents = (file for file in read if file.path.endswith(_DOCUMENTS))
    return [
        file
        for file in documents
        if any(
            offset < file.offset and len(word) >= _TELLING_CHARS and named.startswith(word)
            for named in words_of(" ".join(below_root(state.root, file.path).split("/")[-2:]))
            for offset, word in said
        )
    ][:_MOST_ASKED_FOR]


def instruction_lines(state: SessionState) -> Iterator[StateLine]:
    """Yield a line on the instructions that the client does not send again after a compaction.

    It sends those of the project whole, and with the last files read or edited those of their
    folders. What came with other files is gone until one of these is read.
    """
    sent = [file.path for file in state.files[-_FILES_SENT_AGAIN:]]
    gone = [
        path
        for path in reversed(state.instructions)
        if not any(file.startswith(f"{path.rpartition('/')[0]}/") for file in sent)
    ][:_FILES_A_LINE]
    if gone:
        names = ", ".join(code_span(below_root(state.root, path)) for path in gone)
        yield StateLine(f"- instructions for parts of the project, not sent again: {names}", 0.6)


def _groups(files: Iterable[FileRecord]) -> list[list[FileRecord]]:
    """Return files in groups of one line each."""
    listed = list(files)
    return [listed[start : start + _FILES_A_LINE] for start in range(0, len(listed), _FILES_A_LINE)]


def _paths(state: SessionState, files: list[FileRecord]) -> str:
    newest = [file for file in state.files if file.made][-_TOLD_NAMES_OF:]
    root = _worktree(state) or state.root
    shown = (below_root(root, file.path) for file in files)
    return ", ".join(
        f"{code_span(path)}{_told_of(file, made=file in newest)}"
        for path, file in zip(shown, files, strict=True)
    )


def _worktree(state: SessionState) -> str:
    """Return the client's worktree that the file edited last is in; empty where it is in none."""
    edited = (file.path for file in reversed(state.files) if file.edits)
    found = _WORKTREE.match(next(edited, ""))
    return found[0] if found else ""


def _told_of(file: FileRecord, *, made: bool) -> str:
    """Return in brackets what the edits of a file brought in, and what the user said of it."""
    names = [code_span(name) for name in file.made[-_NAMES:]] if made else []
    if not _is_unspoken(file):
        names.append(f'for: "{inert(file.why, _WHY_CHARS)}"')
    return f" ({', '.join(names)})" if names else ""


def _is_unspoken(file: FileRecord) -> bool:
    return not (file.edits and names_file(file.why, file.path))


def below_root(root: str, path: str) -> str:
    """Return a path as the user names it: below the project's root without it."""
    return inert(path.removeprefix(f"{root}/") if root else path, TEXT_CHARS)
