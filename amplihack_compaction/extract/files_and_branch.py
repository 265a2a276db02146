"""Which files a window read, edited, moved and removed, and on which git branch it ended."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from posixpath import join, normpath

from amplihack_compaction.extract.statements import FileRecord
from amplihack_compaction.extract.verify_commands import checks_of, was_started
from amplihack_compaction.extract.window_content import WindowContent, split_typed
from amplihack_compaction.text.commands import NEW_BRANCH, Command, split_commands, switched_branch
from amplihack_compaction.text.shell_files import (
    MOVED,
    READ,
    REMOVED,
    SAVED,
    WRITTEN,
    FileEvent,
    edits_in_place,
    file_events,
)
from amplihack_compaction.text.words import one_line
from amplihack_compaction.transcript.session import (
    EDITORS,
    Kind,
    ToolUse,
    TranscriptStep,
    as_list,
    as_object,
    bash_command,
    text_in,
    was_refused,
)

_FILES_LIMIT = 300
_ONLY_LOOKERS = ("Explore", "Plan", "claude-code-guide")
_NO_FOLDER = re.compile(r"\bcd: ")
# What a program says of a file that it cannot open: its name. One is looked for only where it
# begins: of what is long and no name, as encoded data is, each character would begin one.
_MISSING = re.compile(
    r"(?<![^\s:'\"])([^\s:'\"]+)['\"]?: (?:No such file|Permission denied|Is a directory)"
)
_UNREAD = re.compile(r"can't read ([^\s:]{1,200}):")
_SCRIPT_FAILED = re.compile(r'File "<(?:stdin|string)>"|\[stdin\]:\d|\[eval\]:\d')
_MADE = 8
DEFINES = re.compile(
    r"^(?:(?:export|default|async|pub|public|private|static|abstract) )*"
    r"(?:func|def|class|fn|type|struct|interface|enum|trait|function|CREATE TABLE"
    r"|(?<=export )const)"
    r" (?:\([^()\n]{0,60}\) ?)?([A-Za-z_$][\w$]{3,60})",
    re.MULTILINE,
)
_WHY_CHARS = 160
# A shorter stem is likely an everyday word: "make the app faster" does not name app.py.
_SHORT_STEM = 9
_READERS = frozenset(("Read", "NotebookRead"))
_NO_BRANCH = frozenset(("", "HEAD", "-", "--"))
_NAME = re.compile(r"[\w./@+#-]{1,120}$")
_REVISION = re.compile(r"(?:[0-9a-f]{7,40}$|HEAD$|[^~^@{]*[~^@{])")
_ELSEWHERE = re.compile(r"\bgit -C\b|\b(?:cd|pushd)[ \t]+[\"']?\.\.")
# No check that passed is out of date for a change of these.
_PROSE = (".md", ".txt", ".rst")
_REWRITING = frozenset(
    "am apply checkout cherry-pick merge pull rebase reset restore revert stash switch".split()
)
_SWITCHED = re.compile(r"^(?:Switched to (?:a new )?branch|Already on) '([^'\n]+)'", re.MULTILINE)
_ON_BRANCH = re.compile(r"^On branch (\S+)$", re.MULTILINE)
_COMMITTED = re.compile(
    r"^\[(?:detached )?([^\s\]]+)(?: \(root-commit\))? [0-9a-f]{7,40}\]", re.MULTILINE
)


def extract_files(content: WindowContent) -> tuple[FileRecord, ...]:
    """Return the files of succeeded reads and edits, each once, the last touched one last.

    `why` is the typed prompt under which a file was last edited, up to 160 characters, one that
    names it before one that does not; of very many files the newest 300 are kept.
    """
    files: dict[str, FileRecord] = {}
    for step, tool in content.uses:
        if tool.result is None:
            continue
        path = text_in(tool.input, "file_path") or text_in(tool.input, "notebook_path")
        if not path:
            files = _after_line(files, step, tool)
            continue
        if tool.result.is_error:
            continue
        known = files.pop(path, FileRecord(path=path))
        if tool.name in EDITORS:
            made = _made_by(tool, known.made)
            files[path] = replace(_edited(known, step), made=made[-_MADE:])
        elif tool.name in _READERS:
            files[path] = _read(known, step)
        elif known.offset:
            files[path] = known
    return tuple(files.values())[-_FILES_LIMIT:]


def _after_line(
    files: dict[str, FileRecord], step: TranscriptStep, tool: ToolUse
) -> dict[str, FileRecord]:
    """Return the files after what a shell line read, wrote, removed and moved."""
    for event in _events_of(tool):
        path = _known_as(event.path, files, tool.folder)
        target = event.target and _known_as(event.target, files, tool.folder)
        if event.kind in (REMOVED, MOVED):
            known = files.pop(path, FileRecord(path=path) if target else None)
            if known is not None and target:
                moved = replace(known, path=target)
                files[target] = moved if known.offset else _edited(moved, step)
            continue
        touched = _read if event.kind == READ else _edited
        files[path] = touched(files.pop(path, FileRecord(path=path)), step)
    return files


def _events_of(tool: ToolUse) -> Iterator[FileEvent]:
    """Yield what a shell line did to files; of one that failed, what was surely run before."""
    line, result = bash_command(tool), tool.result
    if not line or result is None or was_refused(tool) or not was_started(tool):
        return
    if result.is_error and _NO_FOLDER.search(result.text):
        return
    missing = {normpath(found) for found in _MISSING.findall(result.text)}
    unread = {normpath(found) for found in _UNREAD.findall(result.text)}
    script_failed = _SCRIPT_FAILED.search(result.text) is not None
    check_failed = result.is_error and any(c.passed is False for c in checks_of(tool))
    for event in file_events(line):
        was_run = event.is_sure or (check_failed and event.is_before_check)
        was_stopped = result.is_error and not was_run
        is_lacking = event.path in unread or (event.kind == READ and event.path in missing)
        if not was_stopped and not is_lacking and not (event.kind == SAVED and script_failed):
            yield event


def _read(file: FileRecord, step: TranscriptStep) -> FileRecord:
    return replace(file, reads=file.reads + 1, offset=step.offset)


def _edited(file: FileRecord, step: TranscriptStep) -> FileRecord:
    why = reason_for(file.path, file.why, one_line(split_typed(step.prompt).typed, _WHY_CHARS))
    return replace(
        file, edits=file.edits + 1, why=why, offset=step.offset, changed_offset=step.offset
    )


def _known_as(name: str, files: Iterable[str], folder: str) -> str:
    """Return the path of a file that a shell line names below the folder that it was run in."""
    if name[0] == "~" or name[1:3] in (":/", ":\\"):
        return name
    if folder:
        return normpath(join(folder, name))
    meant = [path for path in files if path.endswith(f"/{name}")]
    return meant[0] if len(meant) == 1 else name


def extract_change(content: WindowContent) -> int:
    """Return where the working tree was changed last, but for prose; 0 for never."""
    root = content.window.root
    changes = (step.offset for step, tool in content.uses if _changes(tool, root))
    return max(changes, default=0)


def _changes(tool: ToolUse, root: str) -> bool:
    if tool.name in ("Agent", "Task"):  # what it did stands in no line of this transcript
        return tool.result is not None and tool.input.get("subagent_type") not in _ONLY_LOOKERS
    if tool.name in EDITORS:
        path = str(tool.input.get("file_path") or "")
        return bool(tool.succeeded) and not path.endswith(_PROSE)
    paths: set[str] = set()
    for event in _events_of(tool):
        path = normpath(_known_as(event.path, (), tool.folder))
        if event.kind in (WRITTEN, SAVED) and not path.endswith(_PROSE):
            paths.add(path)
        elif event.kind == REMOVED:  # a script that was tried
            paths.discard(path)
    if any(not root or path.startswith(f"{root}/") or path[0] not in "/~." for path in paths):
        return True
    line = bash_command(tool)
    # What a line was stopped in has done something all the same: a merge with its conflicts.
    return not _ELSEWHERE.search(line) and any(map(_rewrites, split_commands(line)))


def _rewrites(command: Command) -> bool:
    """Return whether a command writes into files that are there: of git's, other commits' files."""
    if edits_in_place(command) or command.head == "patch":
        return True
    verb, rest = (*command.arguments[:1], "")[0], command.words[2:]
    is_new_branch = verb in ("checkout", "switch") and not NEW_BRANCH.isdisjoint(rest)
    only_looks = command.arguments[:2] in (("stash", "list"), ("stash", "show"))
    return command.head == "git" and verb in _REWRITING and not (is_new_branch or only_looks)


def extract_commit(content: WindowContent) -> int:
    """Return where changes were last committed, stashed or taken back; 0 for never."""
    return max((step.offset for step, tool in content.uses if _commits(tool)), default=0)


def _commits(tool: ToolUse) -> bool:
    line, result = bash_command(tool), tool.result
    if "git " not in line or result is None:
        return False
    if result.is_error:  # a push or a check behind it may have failed
        return _COMMITTED.search(result.text) is not None
    if "git status" in line and not _ELSEWHERE.search(line) and _CLEAN.search(result.text):
        return True
    cleared = False
    for command in split_commands(line):
        if command.head == "git":
            stays = command.arguments[:2] not in _BRINGS_BACK
            cleared = _clears(command) or (cleared and stays)
    return cleared


_CLEAN = re.compile(r"^nothing to commit, working (?:tree|directory) clean", re.MULTILINE)
_BRINGS_BACK = (("stash", "pop"), ("stash", "apply"))


def _clears(command: Command) -> bool:
    """Return whether a command of git's leaves no change in the files that it does not name."""
    verb, *rest = (*command.arguments, "")
    if verb == "commit":
        return "--dry-run" not in command.words
    if "--continue" in command.words:  # of a rebase, a merge
        return True
    if verb == "stash":
        return rest[0] in ("", "push", "save")
    options = set(command.words)
    if verb == "restore" and options & {"--staged", "-S"} and not options & {"--worktree", "-W"}:
        return False  # the index alone
    return (verb == "reset" and "--hard" in command.words) or (
        verb in ("checkout", "restore") and "." in command.words
    )


def _made_by(tool: ToolUse, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that edits brought into a file: `known` ones, and those of one more edit.

    An edit brings in what it defines and what it replaces has not. What it takes out, or a new
    text of the whole file has not, is there no more.
    """
    parts = [as_object(edit) for edit in as_list(tool.input.get("edits")) or [tool.input]]
    new = "\n".join(text_in(part, "new_string") or text_in(part, "content") for part in parts)
    old = "\n".join(text_in(part, "old_string") for part in parts)
    replaced = known if "content" in tool.input else DEFINES.findall(old)
    left = [name for name in known if name in new or name not in replaced]
    brought = [name for name in DEFINES.findall(new) if name not in old]
    return tuple(dict.fromkeys((*left, *brought)))


def extract_instructions(content: WindowContent) -> tuple[str, ...]:
    """Return the files of instructions that came with what was read, the newest last."""
    told = (noted.instructions for _, noted in content.noted)
    return tuple(dict.fromkeys(path for path in told if path))


def reason_for(path: str, old: str, new: str) -> str:
    """Return which prompt tells why a file was edited: the newer, unless only the old names it."""
    return old if not new or (names_file(old, path) and not names_file(new, path)) else new


def names_file(prompt: str, path: str) -> bool:
    """Return whether a prompt speaks of a file: by its name, or that without its ending."""
    name = path.rpartition("/")[2]
    stem = name.rpartition(".")[0]
    return bool(name) and (name in prompt or (len(stem) > _SHORT_STEM and stem in prompt))


def extract_branch(content: WindowContent) -> str:
    """Return the git branch at the window's end, empty when nothing tells it.

    The newest of two: what the client notes on its lines when that changes, and what succeeded
    git commands and their output say. One on another folder (`git -C`, `cd ..`) does not count.
    """
    branch = noted = ""
    window = content.window
    for node in window.chain:
        if node.kind is not Kind.ASSISTANT:
            continue
        seen = node.noted.branch if node.noted else ""
        if seen != noted and seen not in _NO_BRANCH:
            branch = noted = seen
        for tool in node.tools:
            branch = branch_of(tool) or branch
    return branch or ("" if window.branch in _NO_BRANCH else window.branch)


def branch_of(tool: ToolUse) -> str:
    """Return the git branch that one tool use tells of, empty when it tells of none."""
    text = tool.result.text if tool.result else ""
    if tool.name == "EnterWorktree":
        data = as_object(tool.result.data if tool.result else None)
        return _valid(text_in(data, "worktreeBranch"))
    line = bash_command(tool)
    if "git" not in line or _ELSEWHERE.search(line):
        return ""
    asked = [_commanded(c, text) for c in split_commands(line) if c.head == "git"]
    answers = [found for p in (_SWITCHED, _ON_BRANCH, _COMMITTED) for found in p.finditer(text)]
    # What git answered is surer than what it was asked, even where the line failed later.
    told = _valid(max(answers, key=lambda found: found.start()).group(1)) if answers else ""
    return told or next((name for name in reversed(asked) if name and tool.succeeded), "")


def _commanded(command: Command, output: str) -> str:
    """Return the branch that a git command switches to, or asks for."""
    if branch := switched_branch(command):
        return _valid(branch)
    verb, rest = (*command.arguments[:1], "")[0], command.words[2:]
    if verb == "worktree":
        return next((_valid(n) for f, n in pairwise(rest) if f in NEW_BRANCH), "")
    shows = verb == "branch" and "--show-current" in rest
    if shows or (verb == "rev-parse" and "--abbrev-ref" in rest and "HEAD" in rest):
        lines = output.strip().splitlines()
        return _valid(lines[0].strip()) if len(lines) == 1 else ""
    return ""


def _valid(name: str) -> str:
    if name in _NO_BRANCH or not _NAME.match(name) or _REVISION.match(name):
        return ""
    return name
