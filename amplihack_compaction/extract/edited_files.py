"""Find the files that a window read and edited, and the git branch it worked on."""

import re
from dataclasses import replace
from itertools import pairwise

from amplihack_compaction.extract.model import FileRecord
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.prompts import split_typed
from amplihack_compaction.text.shell.commands import Command, split_commands
from amplihack_compaction.text.strings import one_line
from amplihack_compaction.transcript.nodes import Kind, ToolUse, bash_command

_FILES_LIMIT = 300
_WHY_CHARS = 160
# A shorter stem is likely an everyday word: "make the app faster" does not name app.py.
_SHORT_STEM = 9
_READERS = frozenset(("Read", "NotebookRead"))
_EDITORS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit"))
_NO_BRANCH = frozenset(("", "HEAD", "-", "--"))
_NAME = re.compile(r"[\w./@+#-]{1,120}$")
_REVISION = re.compile(r"(?:[0-9a-f]{7,40}|HEAD|.*[~^@{].*)$")
_ELSEWHERE = re.compile(r"\bgit -C\b|\b(?:cd|pushd)[ \t]+[\"']?\.\.")
_SWITCHED = re.compile(r"^(?:Switched to (?:a new )?branch|Already on) '([^'\n]+)'", re.MULTILINE)
_ON_BRANCH = re.compile(r"^On branch (\S+)$", re.MULTILINE)
_COMMITTED = re.compile(r"^\[([^\s\]]+)(?: \(root-commit\))? [0-9a-f]{7,40}\]", re.MULTILINE)


def extract_files(content: WindowContent) -> tuple[FileRecord, ...]:
    """Return the files of succeeded reads and edits, each once, the last touched one last.

    `why` is the typed prompt under which a file was last edited, up to 160 characters, one that
    names it before one that does not; of very many files the newest 300 are kept.
    """
    files: dict[str, FileRecord] = {}
    for step in content.steps:
        tool = step.tool
        if tool is None or not tool.succeeded:
            continue
        path = tool.input.get("file_path") or tool.input.get("notebook_path")
        if not isinstance(path, str) or not path:
            continue
        known = files.pop(path, FileRecord(path=path))
        if tool.name in _EDITORS:
            why = reason_for(path, known.why, one_line(split_typed(step.prompt).typed, _WHY_CHARS))
            files[path] = replace(known, edits=known.edits + 1, why=why, offset=step.offset)
        elif tool.name in _READERS:
            files[path] = replace(known, reads=known.reads + 1, offset=step.offset)
        elif known.offset:
            files[path] = known
    return tuple(files.values())[-_FILES_LIMIT:]


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
        data = tool.result.data if tool.result and isinstance(tool.result.data, dict) else {}
        return _valid(str(data.get("worktreeBranch") or ""))
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
    verb, rest = (*command.arguments[:1], "")[0], command.words[2:]
    if verb in ("checkout", "switch"):
        return _switched(verb, rest)
    if verb == "worktree" and rest[:1] == ("add",):
        return next((_valid(n) for f, n in pairwise(rest) if f in ("-b", "-B")), "")
    shows = verb == "branch" and "--show-current" in rest
    if shows or (verb == "rev-parse" and "--abbrev-ref" in rest and "HEAD" in rest):
        lines = output.strip().splitlines()
        return _valid(lines[0].strip()) if len(lines) == 1 else ""
    return ""


def _switched(verb: str, rest: tuple[str, ...]) -> str:
    new = ("-b", "-B", "-c", "-C", "--create", "--orphan")
    for flag, name in pairwise(rest):
        if flag in new:
            return _valid(name)
    names = [word for word in rest if not word.startswith("-")]
    if "--" in rest or len(names) != 1 or "--detach" in rest or "-p" in rest:
        return ""
    name = names[0].removeprefix("origin/") if "--track" in rest or "-t" in rest else names[0]
    # `git checkout README.md` takes a file back; a branch has no such ending.
    is_file = verb == "checkout" and (
        name.startswith(".") or re.search(r"\.[A-Za-z]\w{0,5}$", name)
    )
    return "" if is_file else _valid(name)


def _valid(name: str) -> str:
    if name in _NO_BRANCH or not _NAME.match(name) or _REVISION.match(name):
        return ""
    return name
