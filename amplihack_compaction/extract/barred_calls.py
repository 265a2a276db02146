"""What a tool call may not do by a rule, as plain values, and whether a call does it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from posixpath import exists, expanduser, join, normpath
from typing import Any

from amplihack_compaction.text.commands import CHECK_OPTIONS, Command, command_kind, switched_branch
from amplihack_compaction.text.run_commands import commands_run, searched_by
from amplihack_compaction.text.shell_files import behind_script, edits_in_place, written_files


@dataclass(frozen=True, slots=True, kw_only=True)
class Ban:
    """What one rule bars; `kind` is command, path, outside, host, port, text or tool.

    `outside` are all other paths of the project, or all outside of it where no path is named.

    `what` has, of commands, lines as in `barred_doings.toml`, which says how they are written; else
    it has paths, hosts, ports, tools, or what an edit may not add, below the paths `below`.
    `branches` limit a command of git. `!x` is any host or port but x. `ways` are how a path is
    barred: write, change (what is there), delete, create, move, read, commit
    or run; a tool that only reads does not write. Of texts, import: of what may be no package.
    Of a path, an edit is barred that has one of the words `below` in it, if there are any; a
    command of which the line names one of the folders `below`.
    `words` ask for it when they stand in a later prompt.
    """

    kind: str
    what: tuple[str, ...]
    branches: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    words: str = ""

    @property
    def is_guess(self) -> bool:
        """Whether it bars the import of a word that nobody has heard of: "panic"."""
        return self.ways == ("import",)


_LONGEST_CHARS = 20_000
_PYTHON = re.compile(r"python[\d.]*$")
# What reads and what changes a file, as a command.
_READERS = frozenset(
    "source . cat tac less more head tail bat grep rg ag sed awk nl strings xxd od hexdump base64"
    " jq yq tar zip openssl diff cut sort vim vi nano gpg curl".split()
)
_CHANGERS = frozenset(
    "rm mv cp tee touch truncate unlink rmdir shred dd patch"
    " vim vi nano emacs code exiftool mogrify dos2unix jpegoptim optipng pngquant svgo black isort"
    " autopep8 rustfmt plutil PlistBuddy".split()
)
_IN_PLACE_EDITORS = frozenset(
    "sed gsed perl ruby yq prettier eslint ruff gofmt goimports clang-format biome"
    " stylelint".split()
)
# What writes what it is told last.
_COPIERS = frozenset("cp scp rsync install ln".split())
_FILE_COMMANDS = frozenset("cp mkdir mv rm rmdir tee touch".split())
# Options behind which programs are told where to write.
_WRITES_BEHIND = {
    "curl": ("-o", "--output", "--output-dir"), "wget": ("-O", "-P"), "tar": ("-C",),
    "unzip": ("-d",), "cp": ("-t",), "mv": ("-t",), "install": ("-t",), "ln": ("-t",),
}  # fmt: skip
_EXTRACTS = re.compile(r"^-?\w*x|^--extract$")
_MAKERS = frozenset("ffmpeg convert magick sox pandoc cwebp".split())
_SAYERS = frozenset(
    "echo printf grep rg cat less head tail ls find wc git ssh curl cd mkdir touch chmod".split()
)
_RUNNERS = frozenset("bash sh zsh python python3 node source ruby".split())
# What git does to a path, by its command.
_GIT_DOES = {
    "add": ("commit",), "commit": ("commit",), "mv": ("write", "change", "move"),
    **dict.fromkeys(("rm", "checkout", "restore", "clean"), ("write", "change", "delete")),
}  # fmt: skip
# Options with which a name is of none that is new: of requirements, or what is listed or deleted.
_OF_NONE_NEW = frozenset(
    "-r --requirement -e --editable -d -D --delete -l --list --contains".split()
)
_QUIET = frozenset("echo printf grep rg cat ls find wc".split())
ONE_OF = frozenset("part verb thing first word whole unknown first-unknown".split())
"""Conditions of a command as a whole, that has one of their words: see `barred_doings.toml`."""
UNSURE = re.compile(r" (?:unknown|first-unknown|whole):")
"""Stands in a line of which a word is not known."""
# Names of one program; "use ./gradlew, not gradle" tells them apart.
_SAME = {"gradlew": "gradle", "mvnw": "mvn", "apt-get": "apt", "python3": "python", "pip3": "pip"}
_VERSIONED = re.compile(r"(?<=^pip)3$|(?<=^python)3$")
_ENDING = re.compile(r"\.(?:py|sh|exe|bat|cmd)$")
# Who has statements or commands in quotes, where others have prose.
_CLIENTS = frozenset(
    "psql mysql mariadb sqlite3 mongosh mongo redis-cli sqlcmd bq snowsql duckdb cqlsh"
    " clickhouse-client openocd docker kubectl".split()
)
_PROSE = re.compile(r"\"[^\"\s]*\s[^\"]*\"|'[^'\s]*\s[^']*'")
_WRITTEN = re.compile(r"\$\(cat <<.*", re.DOTALL)  # a message, a body
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LEFT_OUT = re.compile(r"--?(?:ignore|exclude|skip|deselect|not)(?:-\w+)*[= ]\S+")
_IS_FILE = re.compile(r"[./~]|.*\.[a-z]{1,5}$")
_SEES = re.compile(
    r"(?:get|list|ls|describe|show|status|logs?|view|diff|plan|inspect|ps|top|version|help|info"
    r"|history|current-context|validate|lint|check|search|images|whoami|get-caller-identity|output"
    r"|template|explain|preview|render|cat|tail)\b|--(?:version|help|list|get)"
)
# Options with which nothing is done, and what git only tries with `-n`.
_TRIES = frozenset(
    "--help --diff --dry-run --dryrun --check --noop --what-if --whatif --simulate".split()
)
_NESTED = frozenset("git terraform tofu gh glab docker podman nomad argocd consul helm".split())
_SHOWN = (("list",), ("show",), ("status",), ("ls",), ("view",), ("inspect",))
_TELLS = (("status",), ("version",), ("help",))
_OF_ITSELF = frozenset(
    "--version --help -h -V version help configure config init fmt validate login logout output"
    " completion workspace providers".split()
)
_LISTS_ALONE = (("remote",), ("branch",), ("tag",))
_TRIED = (("clean",), ("push",), ("add",), ("rm",), ("mv",))
_SERVES = re.compile(
    r"(?<![\w-])(?:dev|serve|start|runserver|preview|http\.server|vite|next|uvicorn|flask|gunicorn"
    r"|rails s(?:erver)?|nuxt|astro|ng)(?![\w-])"
)
# What asks a port, or ends what is on it, takes none.
_ASKERS = _QUIET | frozenset(
    "curl wget lsof nc kill fuser netstat ss http ab wrk open ping psql pg_dump pg_isready mysql"
    " mysqldump redis-cli mongosh ssh scp sftp rsync git telnet nmap".split()
)
_SPELLED = {
    "a": "--all", "A": "--all", "f": "--force", "r": "--recursive", "R": "--recursive",
    "v": "--volumes",
}  # fmt: skip
_SHORT_OPTIONS = re.compile(r"-[A-Za-z]+")
_IN_PLACE = re.compile(r"-\w*i(?:$|[.'\"=])|--in-?place|-i|-w$|--(?:write|fix)$")
_ONLY_READS = re.compile(
    r"(?:\w+_)?(?:get|list|search|read|fetch|find|view|query|describe|download)"
    r"|\w+_(?:history|list|info|members|replies)$"
)
# A statement that a server of a database is given; of what reads data nothing is barred.
_CHANGING = "insert|update|delete|drop|alter|truncate|create|replace|grant|revoke|merge|vacuum"
_CHANGES_DATA = re.compile(rf"\s*(?:{_CHANGING})\s", re.IGNORECASE)
_READS_DATA = re.compile(r"\s*(?:select|with|show|explain|describe|pragma|values)\s", re.IGNORECASE)
_ASKS = re.compile(r"\bselect\s", re.IGNORECASE)
_ALTERS = re.compile(rf"\b(?:{_CHANGING})\s", re.IGNORECASE)
_EVALUATES = re.compile(r"\b(?:python[\d.]*|node|bun|deno|ruby)\s(?:-[ce]\s|-?\s*<<)")
# What makes of all tests some: a file, a folder below one, an expression.
_NARROWS = re.compile(
    r"\.\w+$|\w/\w|^\./\w|::|^-(?:k|m|t|g|run|-filter|-grep|-testNamePattern)\b|^--last-failed$"
)
_EDITORS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
# What a tool asks for by this name, whatever else is written in.
_CONFIGURES = re.compile(r"\.config\.[cm]?[jt]s$|rc\.[cm]?js$|\.d\.ts$")
_OWN, _PLANS = "/.claude/", "/.claude/plans/"
_PATHS_OF = ("file_path", "notebook_path", "path")
CALL_KEYS = ("command", *_PATHS_OF, "url", "query", "description")
"""What tells of a call what it does, in this order."""


def is_broken(ban: Ban, tool: str, given: Mapping[str, Any], root: str, branch: str) -> bool:
    """Return whether a tool call does what is barred.

    `root` is the project, `branch` what is checked out in it, empty where that is not known.
    """
    if ban.kind == "tool":
        named = tool.casefold()
        if "write" in ban.ways and _only_reads(named, given):
            return False
        return any(named == n.casefold() or named.startswith(f"{n}__") for n in ban.what)
    said = given.get("command")
    if tool != "Bash" or not isinstance(said, str):
        return _is_broken_by_tool(ban, tool, given, root)
    line = said[:_LONGEST_CHARS]
    if ban.kind == "text":
        if ban.below or not any(text in line for text in ban.what):
            return False
        return bool(_EVALUATES.search(line)) or any(c.fills_file for c, _ in commands_run(line))
    if ban.kind == "command" and ban.below and not any(folder in line for folder in ban.below):
        return False
    on = branch
    for command, folder in commands_run(line):
        if ban.kind == "path" and _touches(ban, command, folder, root):
            return True
        if ban.kind != "path" and command.words and _is_broken_by(ban, command, on):
            return True
        on = switched_branch(command) or on
    saved = written_files(line) if ban.kind == "path" and _EVALUATES.search(line) else ()
    return _is_written(ban, saved, root)


def _only_reads(tool: str, given: Mapping[str, Any]) -> bool:
    """Return whether a tool changes nothing: by the statement it is given, else by its name."""
    said = [each for each in given.values() if isinstance(each, str)]
    if any(map(_CHANGES_DATA.match, said)):
        return False
    named = _ONLY_READS.match(tool.rpartition("__")[2])
    return named is not None or any(map(_READS_DATA.match, said))


def _is_broken_by(ban: Ban, command: Command, branch: str) -> bool:
    if ban.kind == "host":
        return command.head not in _QUIET and any(
            h[0] != "!" and _names_host(command.text, h) for h in ban.what
        )
    if ban.kind == "port":
        return command.head not in _ASKERS and any(_takes_port(command.text, p) for p in ban.what)
    does = any(_is_command(each, command) for each in ban.what)
    is_bare = command.head in ban.what
    return does and _meets(ban, command, branch) and (is_bare or not _only_shows(command))


def _is_broken_by_tool(ban: Ban, tool: str, given: Mapping[str, Any], root: str) -> bool:
    if ban.kind == "host":
        url = given.get("url") or given.get("query")
        return isinstance(url, str) and any(_is_of_host(url, host) for host in ban.what)
    path = next((given[name] for name in _PATHS_OF if isinstance(given.get(name), str)), "")
    if ban.kind == "command":
        return tool.startswith("mcp__") and _is_done_by_server(ban, tool, given)
    if ban.kind == "text":
        is_there = not ban.below or any(_is_under(path, each, root) for each in ban.below)
        return tool in _EDITORS and is_there and any(_adds(given, each) for each in ban.what)
    if ban.kind == "outside":
        is_ours = path.startswith(f"{root}/")
        if not ban.what:  # the client's own plans and notes are nobody's project
            is_meant = tool in _EDITORS or (tool == "Read" and "read" in ban.ways)
            return is_meant and path[:1] == "/" and not is_ours and _OWN not in path
        return tool in _EDITORS and is_ours and not any(_is_under(path, w, root) for w in ban.what)
    if ban.kind != "path" or _PLANS in path:
        return False
    if tool in _EDITORS:
        is_new = tool == "Write" and not Path(path).exists()
        does = {"write", "create" if is_new else "change"}
    else:
        does = {"read"} if tool == "Read" else set()
    if not does & set(ban.ways) or (ban.ways == ("create",) and _CONFIGURES.search(path)):
        return False
    written = " ".join(_written(given)).casefold()
    is_of_it = not ban.below or not written.strip() or any(w[:5] in written for w in ban.below)
    return is_of_it and any(_is_under(path, each, root) for each in ban.what)


def _is_done_by_server(ban: Ban, tool: str, given: Mapping[str, Any]) -> bool:
    """Return whether a tool's name, or the statement it is given, has what a command must have."""
    named = tool.rpartition("__")[2]
    for said in given.values():
        if isinstance(said, str) and _CHANGES_DATA.match(said):
            said = said[:_LONGEST_CHARS]
            asked = Command(words=("psql", "-c", said), text=f"psql -c {said}")
            return any(_is_command(each, asked) for each in ban.what)
    if any(each[:4] == "mcp " and _is_asked_of_server(each, named, given) for each in ban.what):
        return True
    parts = tuple(re.split(r"[_-]+", tool.removeprefix("mcp__")))
    made = Command(words=parts, text=" ".join(parts))
    is_done = any(each[:2] == "* " and _is_command(each, made) for each in ban.what)
    return is_done and _ONLY_READS.match(named) is None


def _is_asked_of_server(line: str, named: str, given: Mapping[str, Any]) -> bool:
    """Return whether a server's tool is meant, and is given what it must have or lacks it."""
    name, *wanted = line.split()[1:]
    has = re.sub(r"[^\w.,/-]+", "=", f",{','.join(f'{k}={v}' for k, v in given.items())},").lower()
    return name in named and all(
        not any(one in has for one in each.removeprefix("lacks:").split("|"))
        if each.startswith("lacks:")
        else each in has
        for each in wanted
    )


def _only_shows(command: Command) -> bool:
    """Return whether a command only says what it would do."""
    verb = command.arguments[:1]
    if command.head in _NESTED and command.arguments[1:2] in _SHOWN:
        return True
    if command.head == "git" and command.arguments in _LISTS_ALONE:
        return True
    if "-n" in command.words and (command.head in ("make", "rsync") or verb in _TRIED):
        return True
    return any(word.partition("=")[0] in _TRIES for word in command.words)


def _adds(given: Mapping[str, Any], text: str) -> bool:
    """Return whether an edit has a text in what it writes more often than in what it replaces."""
    new, old = _written(given)
    return new.count(text) > old.count(text)


def _written(given: Mapping[str, Any]) -> tuple[str, str]:
    """Return what an edit writes, and what it replaces."""
    listed = given.get("edits")
    edits = (
        [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
    )
    new = old = "\n"
    for edit in (given, *edits):
        new += "\n".join(
            str(edit.get(key) or "") for key in ("content", "new_string", "new_source")
        )
        old += f"\n{edit.get('old_string') or ''}"
    return new, old


def _takes_port(text: str, port: str) -> bool:
    """Return whether a port is named as the one to be taken; of `!x`, whether another is."""
    begins = (
        r"PORT=|[.-]port[= ]|-[pl][= ]?|http\.server |runserver |-S "
        r"|(?:localhost|\d+(?:\.\d+){3}|(?<![\w.])):"
    )
    if port[0] != "!":
        return re.search(rf"(?:{begins}){port}(?![\d.])", text) is not None
    taken = re.findall(rf"(?:{begins})(\d{{4,5}})(?![\d.])", text)
    return _SERVES.search(text) is not None and bool(taken) and port[1:] not in taken


def _is_command(line: str, command: Command) -> bool:
    name, *wanted = line.split()
    conditions = [each for each in wanted if _is_condition(each)]
    if _only_tells(line, conditions, command):
        return False
    if not all(_meets_condition(each, command) for each in conditions):
        return False
    wanted = [each for each in wanted if each not in conditions]
    if name.startswith("does:"):
        return _does(name.removeprefix("does:"), command)
    head, words = _program_of(command)
    if name not in ("*", *_names_of(head, command, is_alone=line == name)):
        return False
    if name == "*" and len(wanted) == 1:
        is_named = wanted[0].startswith(("named:", "text:"))
        quiet = _SAYERS if is_named else _QUIET if wanted[0][0] == "-" else ()
        if head in quiet:
            return False
    every = (head, *words) if name == "*" else words
    return all(_has_word(each, every, words, command.text) for each in wanted)


def _only_tells(line: str, conditions: Sequence[str], command: Command) -> bool:
    """Return whether a program only says something, of itself or of what another said."""
    is_quiet = command.head in _QUIET or command.arguments[:1] in _TELLS
    if conditions and line[0] == "*" and is_quiet:
        return True
    if line == "grep" and command.before == "|":
        return True
    told = _OF_ITSELF.intersection(command.words[1:3])
    is_told_of_some = any(each.startswith("lacks:") for each in conditions)
    return is_told_of_some and bool(told) and not told.intersection(line.split())


def _program_of(command: Command) -> tuple[str, tuple[str, ...]]:
    """Return the program that a command runs, also as a module of Python, and its words."""
    head, words = command.head, command.words[1:]
    while head == "git" and words[:1] in (("-C",), ("-c",)):
        words = words[2:]
    if _PYTHON.match(head) and words[:1] == ("-m",) and len(words) > 1:
        return words[1], words[2:]
    is_forced = any(_SHORT_OPTIONS.fullmatch(word) and "f" in word for word in words)
    return head, (*words, "--force") if head == "git" and is_forced else words


def _names_of(head: str, command: Command, *, is_alone: bool) -> tuple[str, ...]:
    """Return what a program is called; by another's name only where that is not all there is."""
    plain = _ENDING.sub("", command.head)
    known = _VERSIONED.sub("", plain)
    return (head, plain, known) if is_alone else (head, plain, _SAME.get(plain, plain))


def _is_condition(word: str) -> bool:
    kind, _, given = word.partition(":")
    return kind in ONE_OF or kind == "lacks" or (kind == "if" and given in _HOW)


def _meets_condition(condition: str, command: Command) -> bool:
    """Return whether a command as a whole has, lacks or does what a condition of a line says."""
    kind, _, given = condition.partition(":")
    if kind == "if":
        return _HOW[given](command)
    wanted = given.split("|")
    if kind == "lacks":
        every = (*command.words, *command.text.split())
        return not any(_has_given(word, every, command.text) for word in wanted)
    if kind == "word":
        return any(word.partition("/")[0] in wanted for word in command.words[1:])
    named = _first_words(command) if kind in ("first", "first-unknown") else _all_words(command)
    if kind in ("thing", "first", "first-unknown"):
        named = [word.strip("\"'") for word in named if not _IS_FILE.match(word)]
    if kind == "whole":
        whole = rf"(?<![\w.-]){re.escape(given.lower())}(?![\w./-])"
        return command.head != "git" and re.search(whole, " ".join(named)) is not None
    behind = "-" if kind == "verb" else "non-"
    alternatives = "|".join(_spelled(each.lower(), behind) for each in wanted)
    return re.search(alternatives, " ".join(named)) is not None


def _first_words(command: Command) -> list[str]:
    words = command.words
    named = [word.lower() for word in (command.head, *words[1 : 2 if words[0] == "git" else 4])]
    return [word for word in named if word.count("/") < 2 and "=" not in word[:-1]]


def _all_words(command: Command) -> list[str]:
    """Return the words of a command without prose and what it leaves out; `deleteMany` is two."""
    text = _WRITTEN.sub(" ", command.text)
    text = text if command.head in _CLIENTS else _PROSE.sub(" ", text)
    inner = " ".join(word for word in command.words if " " not in word or command.head in _CLIENTS)
    return _LEFT_OUT.sub(" ", f"{text} {_HUMP.sub(' ', text)} {inner}".lower()).split()


def _changes(command: Command) -> bool:
    """Return whether a command does not only show, ask, list or fetch something."""
    words = command.words
    told = (*words[1:4], *command.arguments[:2])
    sees = (_SEES.match(word) or word.endswith(":status") for word in told)
    only_asks = command.head in _CLIENTS and _ASKS.search(command.text)
    if only_asks and not _ALTERS.search(command.text):
        return False
    return not any(sees) and "--list" not in words and not _downloads(words)


def _downloads(words: tuple[str, ...]) -> bool:
    """Return whether a command copies from afar to here."""
    is_copy = any(word in ("cp", "sync", "copy", "rsync") for word in words[1:3])
    named = [word for word in words if word[:1] != "-"]
    return is_copy and "://" not in named[-1] and any("://" in word for word in named)


def _has_given(word: str, every: tuple[str, ...], text: str) -> bool:
    """Return whether a command has a word, or an option with its value, wherever that stands."""
    option, _, value = word.partition("=")
    if option[:1] != "-" or not value:
        return _has_option(word, every, every)
    sign = rf"{option}[= ]?" if len(option) == 2 else r"(?<![A-Za-z0-9])"
    return re.search(rf"{sign}{re.escape(value)}(?![A-Za-z0-9])", text) is not None


def _spelled(word: str, behind: str) -> str:
    """Return the pattern of a word that does not stand `behind` a sign, or an option."""
    if word[0] == "-":
        return rf"(?<!\S){re.escape(word)}(?![\w-])"
    spelled = re.escape(word).replace(r"\.", r"[\W_]{1,3}")
    if word.endswith("://"):
        return rf"{spelled}(?!localhost|127\.|0\.0\.|\[)"
    is_word = word[0].isalnum() and word[-1].isalnum()
    ends = "[a-z_]" if behind == "-" else "[a-z]"
    return rf"(?<![a-z0-9])(?<!{behind}){spelled}(?!{ends})" if is_word else spelled


def _does(kind: str, command: Command) -> bool:
    """Return whether a command tests, builds, lints or formats."""
    if kind != "format":
        return command_kind(command) == kind
    if command.head in CHECK_OPTIONS:
        return command_kind(command) is None
    return not {"fmt", "format"}.isdisjoint(command.arguments[:2])


def _is_whole(command: Command) -> bool:
    """Return whether a command does what it does to all, and not to a file, a folder, a name."""
    return not any(_NARROWS.search(word) for word in _program_of(command)[1])


# How a command is run, by what a condition `if:` names.
_HOW: dict[str, Callable[[Command], bool]] = {
    "changes": _changes,
    "background": lambda command: command.after == "&",
    "piped": lambda command: command.before == "|",
    "redirected": lambda command: command.fills_file,
    "whole": _is_whole,
}


def _has_named(name: str, word: str, head: str) -> bool:
    """Return whether a word is of what is named; of a host, with a user and a domain around it."""
    around, domain = ("@", r"|\.[a-z]") if head == "ssh" else ("", "")
    ends = rf"(?:$|[:_@=<>~-]|\.(?:sh|py|js|ts|service)${domain})"
    part = rf"(?:^|[/:_={around}-]){re.escape(name)}{ends}"
    return "://" not in word and re.search(part, word, re.IGNORECASE) is not None


def _has_word(wanted: str, every: tuple[str, ...], words: tuple[str, ...], text: str) -> bool:
    if wanted == "<name>":
        return _names_new(words)
    if wanted == "<branch>":
        named = [word for word in words[1:] if not word.startswith("-")]
        return len(named) == 1 and "--" not in words and not re.search(r"\.\w{1,4}$|/$", named[0])
    kind, _, given = wanted.partition(":")
    if kind == "text":
        return given.replace("+", " ") in text.casefold()
    if kind == "starts":
        return any(word.startswith(given) for word in words)
    if kind == "named":
        return any(_has_named(given, word, every[0]) for word in every[:3])
    return _has_option(wanted, every, words)


def _names_new(words: tuple[str, ...]) -> bool:
    """Return whether a command names what is new: a package to be added, a tag, a branch."""
    named = [word for word in words[1:] if not word.startswith("-")]
    # With `-D` npm adds, where git deletes.
    adds = words[:1] in (("install",), ("i",), ("add",))
    listed = any(word in _OF_NONE_NEW and not (adds and word in "-D-d") for word in words)
    return any(word not in (".", "install", "pip") for word in named) and not listed


def _has_option(wanted: str, every: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Return whether a command has a word, or an option in any of its spellings."""
    if wanted[0] == "-" and any(word.split("=")[0] == wanted for word in words):
        return True
    if re.fullmatch(r"-[A-Za-z]{2,3}", wanted):  # "-rf" is "-fr", and "-r -f"
        flags = "".join(word[1:] for word in words if _SHORT_OPTIONS.fullmatch(word))
        flags += "r" * ("R" in flags)  # "rm -Rf"
        long = {word for word in words if word.startswith("--")}
        return all(sign in flags or _SPELLED.get(sign) in long for sign in wanted[1:])
    if re.fullmatch(r"-[A-Za-z]", wanted):
        if _SPELLED.get(wanted[1]) in words:
            return True
        return any(_SHORT_OPTIONS.fullmatch(word) and wanted[1] in word for word in words) or (
            wanted == "-i" and any(word.startswith(("-i", "--in-place")) for word in words)
        )
    if wanted.isdigit() and any(word.lstrip("0") == wanted for word in words):
        return True  # "777" is "0777"
    return wanted in every or wanted.casefold() in (word.casefold() for word in every)


def _meets(ban: Ban, command: Command, branch: str) -> bool:
    """Return whether a command is of a branch that is barred; any is where none is named."""
    if not ban.branches:
        return True
    if command.arguments[:1] != ("push",):
        return branch in ban.branches or (command.head == "gh" and "merge" in command.arguments)
    if any(word in ("--all", "--mirror") for word in command.words):
        return True
    named = [word for word in command.words[1:] if word[:1] != "-"][2:]
    if not named and "--tags" in command.words:
        return False
    targets = [word.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/") for word in named]
    targets = [branch if target in ("HEAD", "") else target for target in targets]
    return any(_is_branch(each, ban.branches) for each in targets or (branch,))


def _is_branch(branch: str, barred: tuple[str, ...]) -> bool:
    """Return whether a branch is barred; "the release branches" are those below `release/`."""
    return branch in barred or branch.partition("/")[0] in barred


def _is_of_host(url: str, host: str) -> bool:
    """Return whether a page is of a site; of `!x !y`, whether it is of any but these."""
    if host[0] != "!":
        return _names_host(url, host)
    is_local = re.search(r"://(?:localhost|127\.|0\.0\.0\.0|\[)", url) is not None
    is_ours = is_local or any(_names_host(url, each[1:]) for each in host.split())
    return "://" in url and not is_ours


def _names_host(text: str, host: str) -> bool:
    if "." not in host and ":" not in host:  # a site by its name
        name = re.escape(host)
        place = rf"://(?:(?:[\w-]+\.)*{name}\.[\w.-]+|[\w.:-]+/(?:\S*/)?{name}(?![\w-]))"
        return re.search(place, text, re.I) is not None
    whole = rf"(?<![\w.-])(?:www\.)?{re.escape(host)}(?![\w-])(?!\.\w)"
    return re.search(whole, text, re.I) is not None


def _is_under(path: str, barred: str, root: str) -> bool:
    """Return whether a path is the one that is barred, or lies below it."""
    if barred[:1] in "/~":
        home = barred.removeprefix("~")
        return (
            path == barred
            or path.startswith(f"{barred}/")
            or (barred[0] == "~" and f"{home}/" in f"{path}/")
        )
    path = expanduser(path) if path[:1] == "~" else path
    here = f"/{path.removeprefix(f'{root}/')}/" if root else f"/{path}/"
    if not _is_named(here, barred):
        return False
    return not (root and _is_elsewhere(path, root) and _is_in_project(barred, root))


def _is_named(here: str, barred: str) -> bool:
    if "*" in barred:
        parts = here.casefold().split("/")  # a project may be a folder
        return any(fnmatchcase(part, barred.casefold()) for part in parts) or (
            "/" in barred and fnmatchcase(here.strip("/"), f"*{barred}")
        )
    return f"/{barred}/".casefold() in here.casefold()


def _is_in_project(barred: str, root: str) -> bool:
    """Return whether what is barred is there in the repository; a file may be meant anywhere."""
    is_path = "/" in barred.strip("/") or "." not in barred
    return is_path and exists(join(_repository_of(root), barred))


def _is_elsewhere(path: str, root: str) -> bool:
    """Return whether a path lies outside the repository, and outside a worktree beside it."""
    here = _repository_of(root)
    return path[:1] == "/" and not (path.startswith(here) and path[len(here) :][:1] in "/-_.")


@lru_cache(maxsize=4)
def _repository_of(root: str) -> str:
    """Return the repository that a project is a folder of; the project where it is of none."""
    above = (str(folder) for folder in (Path(root), *Path(root).parents))
    return next((folder for folder in above if exists(f"{folder}/.git")), root)


def _touches(ban: Ban, command: Command, folder: str, root: str) -> bool:
    """Return whether a command does to a path what is barred."""
    if _is_written(ban, (normpath(join(folder, each)) for each in command.into), root):
        return True
    below = {*_paths_in(command)} if folder else set()
    named = [
        word
        for word in command.words[1:]
        if _names_barred(ban, word, folder if word in below else "", root)
    ]
    if command.words and "run" in ban.ways and _names_barred(ban, command.words[0], "", root):
        return True
    if is_branch := bool(named and switched_branch(command)):
        # A folder is taken back by its name, too.
        is_branch = not any(word.strip("/") in ban.what for word in named)
    if is_branch or not (named and _is_touched(command, named)):
        return False
    is_last = named[-1] == command.words[-1]
    return not {*ban.ways}.isdisjoint(_does_to(command, named, is_last=is_last))


def _is_touched(command: Command, named: Sequence[str]) -> bool:
    """Return whether one of the paths is no condition of `find`: "-not -path './vendor/*'"."""
    return command.head != "find" or not set(named).isdisjoint(searched_by(command))


def _names_barred(ban: Ban, word: str, folder: str, root: str) -> bool:
    """Return whether a word of a command in a folder is a path that is barred, or below it."""
    if any(_is_under(word, each, root) for each in ban.what):
        return True
    path = normpath(join(folder, word)) if folder else ""
    return bool(path) and any(_is_under(path, each, root) for each in ban.what)


def _paths_in(command: Command) -> Iterator[str]:
    """Yield the words of a command that may be paths below the folder that it runs in."""
    words = behind_script(command) if edits_in_place(command) else command.words[1:]
    for word in words:
        is_like_path = "." in word or "/" in word or command.head in _FILE_COMMANDS
        if word[:1] not in ("", "-", "/", "~") and is_like_path:
            yield word


def _does_to(command: Command, named: Sequence[str], *, is_last: bool) -> tuple[str, ...]:
    """Return the ways in which a command treats a path that it names, as its last word or not."""
    head, words = command.head, command.words
    if not _TRIES.isdisjoint(words):
        return ()
    if head == "git":
        return _git_does_to(command)
    if head in ("rm", "unlink", "rmdir", "shred") or (head == "find" and "-delete" in words):
        return ("write", "change", "delete")
    if _is_told_as_target(command, named):
        return ("write", "create")
    is_formatted = head == "ruff" and command.arguments[:1] == ("format",)
    if head in _IN_PLACE_EDITORS and (is_formatted or any(map(_IN_PLACE.match, words))):
        return ("write", "change")
    if head in _COPIERS:  # what is copied is only read
        return ("write",) if is_last else ("read",)
    if head in _CHANGERS or (head in _MAKERS and is_last):
        return ("write", "create", "move") if head == "mv" else ("write", "create")
    if head in _READERS:
        return ("read",)
    return ("run",) if head in _RUNNERS else ()


def _git_does_to(command: Command) -> tuple[str, ...]:
    verb, words = " ".join(command.arguments[:1]), command.words
    is_kept = "--cached" in words or (verb == "clean" and "-n" in words)
    is_staged = "--staged" in words and "--worktree" not in words
    return () if is_kept or is_staged else _GIT_DOES.get(verb, ())


def _is_told_as_target(command: Command, named: Sequence[str]) -> bool:
    """Return whether a path is given by an option behind which a program writes: `curl -o`."""
    options = _WRITES_BEHIND.get(command.head, ())
    if command.head == "tar" and not _EXTRACTS.search(" ".join(command.words[1:2])):
        return False
    return any(word in options and path in named for word, path in pairwise(command.words))


def _is_written(ban: Ban, targets: Iterable[str], root: str) -> bool:
    """Return whether files that are written are barred from that."""
    if "write" not in ban.ways:  # what is there may be changed
        made = "create" in ban.ways
        targets = [each for each in targets if made and not Path(root, each).exists()]
    return any(_is_under(target, each, root) for target in targets for each in ban.what)
