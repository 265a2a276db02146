"""The simple commands of a shell line, which check the work or must not be done twice.

What a command checks (tests, a build, or style and types) is told by its words alone; the names of
programs stand in `data/commands.txt`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from amplihack_compaction.text.word_lists import lists_below, word_lists
from amplihack_compaction.text.words import ANSI

_HEREDOC = re.compile(r"(?<![<\d])<<(-?)[ \t]*(['\"]?)([\w.-]+)\2")
_TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+|\\\r?\n)
      | (?P<comment>\#[^\n]*)
      | (?P<redirect>&>>?|\d*(?:<<<|<<-?|<>|<|>>|>\||>)(?:&\d*-?)?)
      | (?P<operator>&&|\|\||\|&|;;|[;|&\n()])
      | (?P<word>(?:[^\s;|&()<>'"\\`$]|\\.|'[^']*'|"(?:[^"\\]|\\.)*"
                 |\$\([^()]*\)|\$|`[^`]*`)+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_QUOTES = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)", re.DOTALL)
_ONLY_ASKS = (("-v",), ("-V",))
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_KEYWORDS = frozenset("if then else elif do while until ! { }".split())
_LISTS = word_lists("commands")
_WRAPPERS = {name: own for own in (0, 1) for name in _LISTS[f"wrapper {own}"]}
_WRAPPER_VALUE_OPTIONS = _LISTS["wrapper value"]
_PYTHON = re.compile(r"python[\d.]*$|pypy[\d.]*$")


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command of a shell line.

    `words` are its words without quotes, redirections, assignments, and programs that only run
    it (`timeout 60 uv run`). `text` is it as typed. `before` and `after` are the operators
    around it. `into` are the files that its output goes to, `fed` is the heredoc that it reads.
    One without words only sets variables, or says where a group's output goes: `(...) > FILE`.
    """

    words: tuple[str, ...]
    text: str
    before: str = ""
    after: str = ""
    into: tuple[str, ...] = ()
    fed: str = ""

    @property
    def head(self) -> str:
        """The program's name without its folder; empty when there is none."""
        return self.words[0].rpartition("/")[2] if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words behind the program that are no options, nor an option's value."""
        return _without_options(self.words[1:])

    @property
    def fills_file(self) -> bool:
        """Whether its output goes into a file."""
        return any(not name.startswith("/dev/") for name in self.into)

    @property
    def phrase(self) -> str:
        """The command in short: `pytest`, `git push`, `npm run build`."""
        return " ".join(_phrase(self))


def fails_as_a_whole(line: str) -> bool:
    """Return whether a line fails where any command of it does: no pipe, `;` or `||` hides that."""
    commands = split_commands(line)
    operators = {command.before for command in commands} | {c.after for c in commands[-1:]}
    return operators <= {"", "&&"} and "!" not in line.split()


@lru_cache(maxsize=2048)
def split_commands(line: str) -> tuple[Command, ...]:
    """Return the simple commands of a shell line; comments are left out."""
    heredocs = _heredocs(line)
    commands: list[Command] = []
    words: list[str] = []
    into: list[str] = []
    start = end = 0
    before, redirect, fed = "", "", ""
    for token in _TOKEN.finditer(_blanked(line, heredocs.values())):
        kind, value = token.lastgroup, token.group()
        if kind == "operator":
            if words or into:
                commands.append(_command(words, line[start:end], before, value, into, fed))
            elif value == ")" and commands and commands[-1].after in (";", "\n"):
                commands[-1] = replace(commands[-1], after=value)  # the end of a group
            opens = before == "(" and value == "\n" and not words  # the group begins below
            before = before if opens else value
            words, into, redirect, fed = [], [], "", ""
        elif kind == "redirect":
            redirect = "" if value.endswith(tuple("0123456789-")) else value
            fed, end = fed or line[heredocs.get(token.start(), slice(0))], token.end()
        elif kind == "word":
            start = start if words else token.start()
            end = token.end()
            if not redirect or redirect.startswith((">", "&>", "1>")):
                (into if redirect else words).append(_QUOTES.sub(_unquote, value))
            redirect = ""
    if words or into:
        commands.append(_command(words, line[start:end], before, "", into, fed))
    return tuple(commands)


def _command(
    words: list[str], text: str, before: str, after: str, into: list[str], fed: str
) -> Command:
    return Command(unwrap(tuple(words)), text, before, after, tuple(into), fed)


def _unquote(found: re.Match[str]) -> str:
    return found.group(found.lastindex or 0)


def _heredocs(line: str) -> dict[int, slice]:
    """Return where heredocs are, with the lines that end them, by where `<<` stands."""
    found, position = {}, 0
    while (opened := _HEREDOC.search(line, position)) is not None:
        begin = line.find("\n", opened.end())
        tabs, word = r"\t*" if opened[1] else "", re.escape(opened[3])
        # A line of its own; without one, as the shell is not that strict in `$(...)`, a beginning.
        ending = re.compile(rf"\n{tabs}{word}[ \t\r]*$", re.MULTILINE)
        end = ending.search(line, begin) if begin >= 0 else None
        end = end or (re.compile(rf"\n{word}").search(line, begin) if begin >= 0 else None)
        position = end.end() if end is not None else len(line)
        if begin >= 0:
            found[opened.start()] = slice(begin, position)
    return found


def without_heredocs(line: str) -> str:
    """Return a shell line with spaces in the place of what its heredocs feed."""
    return _blanked(line, _heredocs(line).values())


def _blanked(line: str, parts: Iterable[slice]) -> str:
    """Put spaces in the place of parts, so that offsets stay."""
    for part in parts:
        line = line[: part.start] + " " * (part.stop - part.start) + line[part.stop :]
    return line


def unwrap(words: tuple[str, ...]) -> tuple[str, ...]:
    """Take assignments, shell keywords and programs that only run another one off the front."""
    while words:
        if words[0] in _KEYWORDS or _ASSIGNMENT.match(words[0]):
            words = words[1:]
            continue
        name = words[0].rpartition("/")[2]
        if name == "command" and words[1:2] in _ONLY_ASKS:
            return words
        size = 2 if " ".join((name, *words[1:2])) in _WRAPPERS else 1
        own = _WRAPPERS.get(" ".join((name, *words[1:size])))
        if own is None or len(words) <= size:
            return words
        words = _skip_options(words[size:])[own:]
    return words


def _skip_options(words: tuple[str, ...]) -> tuple[str, ...]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in _WRAPPER_VALUE_OPTIONS else words[1:]
    return words


def _phrase(command: Command) -> list[str]:
    head, words, arguments = command.head, command.words, command.arguments
    if _PYTHON.match(head):
        module = words[1:2] == ("-m",)
        named = words[2:3] if module else arguments[:1]
        return [*([] if module else ["python"]), *(name.rpartition("/")[2] for name in named)]
    if head in _LISTS["interpreter"]:
        named = () if words[1:2] == ("-c",) else arguments[:1]
        return [head, *(name.rpartition("/")[2] for name in named)]
    if head not in _LISTS["family"]:
        return [head]
    return [head, *arguments[: 2 if arguments[:1] == ("run",) else 1]]


NEW_BRANCH = frozenset(("-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"))
_GOES_TO_NONE = frozenset(("--", "--detach", "-p"))
_ENDS_AS_FILE = re.compile(r"\.|(?!.*\.x$).*\.[A-Za-z]\w{0,5}$")  # "10.x" is a branch


def switched_branch(command: Command) -> str:
    """Return the branch that a command of git's switches to, also a new one; empty for none."""
    verb, rest = (*command.arguments[:1], "")[0], command.words[2:]
    if command.head != "git" or verb not in ("checkout", "switch"):
        return ""
    new = [name for flag, name in pairwise(rest) if flag in NEW_BRANCH]
    names = new[:1] or [word for word in rest if not word.startswith("-")]
    if len(names) != 1 or (not new and not _GOES_TO_NONE.isdisjoint(rest)):
        return ""
    is_remote = not {"--track", "-t"}.isdisjoint(rest)
    # `git checkout README.md` takes a file back; a branch has no such ending.
    is_file = not new and verb == "checkout" and _ENDS_AS_FILE.match(names[0])
    return "" if is_file else names[0].removeprefix("origin/" if is_remote else "")


_COMMIT = re.compile(
    r"^\[([^\]\n]{1,120}?)(?: \(root-commit\))? ([0-9a-f]{7,40})\] ([^\n]{1,300})", re.MULTILINE
)
_MESSAGE = re.compile(
    r"-[a-zA-Z]*m[ \t]*(?:\"\$\(cat <<-?[ \t]*['\"]?\w+['\"]?\n[ \t]*([^\n]+)"
    r"|\"((?:[^\"\\]|\\.)+)\"|'([^']+)')"
)
URL = re.compile(r"https://[^\s\"'<>)]{4,200}")
"""An address in the output of a command or a tool: of what was made there."""
_REFUSED = re.compile(
    r"\[?(?:remote )?rejected|^error:|^fatal:|denied|npm ERR!|Everything up-to-date|^Error\b",
    re.MULTILINE | re.IGNORECASE,
)
_BODY = re.compile(r"\s(?:--body(?:-file)?|-[bF])[ =].*\Z", re.DOTALL)
_REDIRECTION_CHARS = 500
_REDIRECTION = re.compile(r"\s*(?:&>|\d?>)\S*\s*$")
_DRY = _LISTS["only tries"]
_LASTING = frozenset("cherry-pick clean commit merge push rebase reset revert tag".split())
_PUBLISH = lists_below(_LISTS, "publish")
_DEPLOY_SCRIPT = re.compile(
    r"(?:^|[/_-])(?:deploy|release|publish)(?:[_-][\w-]{1,60})?(?:\.\w{1,9})?$"
)


_ASKS_BACK = re.compile(r"[(\[]y(?:es)?/no?[)\]]\W{0,9}\Z", re.IGNORECASE)
_LAST_LINE_CHARS = 200


_MERGED = "merged: "
_TRIAL_TREE = re.compile(r"\bworktree add\b[^\n;&|]{0,200} (?:--detach|-d)\b")


def finished_actions(line: str, output: str, succeeded: bool) -> list[str]:
    """Return what a shell line has finished outside the working tree, in short words.

    `output` is what the line printed. A commit that git reports counts even where a later
    command of the line failed. What ends with a question that nobody answered has done nothing
    since.
    """
    commits = _commits(line, output, succeeded) if "commit" in line else []
    if not succeeded or _ASKS_BACK.search(ANSI.sub("", output[-_LAST_LINE_CHARS:])):
        return commits
    done = [text for c in split_commands(line) if (text := _finished(c, output))]
    if _TRIAL_TREE.search(line):  # what is merged there is seen whether it can be
        done = [text for text in done if not text.startswith(_MERGED)]
    return commits + done


def lasting_actions(line: str) -> dict[str, str]:
    """Return the commands of a line that act on history or outside, by program and first word."""
    return {
        " ".join((c.head, *c.arguments[:1])): c.text
        for c in split_commands(line)
        if (c.head == "git" and c.arguments[:1] and c.arguments[0] in _LASTING) or _finished(c, "")
    }


def _commits(line: str, output: str, succeeded: bool) -> list[str]:
    """Return the commits that git reports; of a silent one, its message."""
    told = [
        f"commit {sha}{'' if branch == 'detached HEAD' else f' on {branch}'}: {subject}"
        for branch, sha, subject in _COMMIT.findall(output)
    ]
    if told or not succeeded:
        return told
    made = any(
        c.head == "git" and c.arguments[:1] == ("commit",) and not _DRY.intersection(c.words)
        for c in split_commands(line)
    )
    message = _MESSAGE.search(line) if made and "nothing to commit" not in output else None
    words = next((group for group in message.groups() if group), "") if message else ""
    subject = words.strip().partition("\n")[0]
    return [f"commit: {subject}"] if subject else []


def _finished(command: Command, output: str) -> str:
    words, head = command.words, command.head
    if _DRY.intersection(words):
        return ""
    end = command.text[-_REDIRECTION_CHARS:]
    said = command.text[: -len(end) or None] + _REDIRECTION.sub("", end)
    if head == "git":
        return _git(command, said, output)
    if head == "gh" and command.arguments[1:2] and command.arguments[1] in _LISTS["github"]:
        url, said = URL.search(output), _BODY.sub("", said)
        return f"{url.group()}: {said}" if url else said
    wanted = _PUBLISH.get(head)
    published = wanted is not None and (not wanted or any(word in wanted for word in words[1:4]))
    script = words[2:3] if head in ("npm", "pnpm", "yarn") and words[1:2] == ("run",) else words[:1]
    if head in ("make", "just", "task", "bash", "sh", "yarn", "pnpm"):
        script = words[1:2] if words[1:2] != ("run",) else words[2:3]
    scripted = bool(script) and _DEPLOY_SCRIPT.search(script[0]) is not None
    if not (published or scripted) or _hides_failure(command, output):
        return ""
    return said


def _git(command: Command, said: str, output: str) -> str:
    verb, *rest = command.arguments or ("",)
    if verb == "push":
        return "" if _REFUSED.search(output) else f"pushed: {said}"
    if verb == "merge" and rest:
        return "" if "CONFLICT" in output else f"{_MERGED}{said}"
    tagged = verb == "tag" and rest and not {"-d", "--delete"} & set(command.words)
    return f"tagged: {said}" if tagged else ""


def _hides_failure(command: Command, output: str) -> bool:
    """Return whether a pipe or `;` hid a failure that the output shows."""
    return command.after not in ("", "&&") and _REFUSED.search(output) is not None


CheckKind = Literal["test", "build", "lint"]

TEST: CheckKind = "test"
BUILD: CheckKind = "build"
LINT: CheckKind = "lint"
_PART = re.compile(r"[:_\-./\s]+")


def _kinds_below(name: str) -> dict[str, CheckKind]:
    """Return by word the kind of check in whose list below a name it stands."""
    kinds: tuple[CheckKind, ...] = (TEST, BUILD, LINT)
    return {word: kind for kind in kinds for word in _LISTS[f"{name} {kind}"]}


_PROGRAMS = _kinds_below("program")
_SUBCOMMANDS = {
    program: _kinds_below(f"subcommand {program}")
    for program in {name.partition(" ")[0] for name in lists_below(_LISTS, "subcommand")}
}
_ALIASES = {alias: name for alias, (name,) in lists_below(_LISTS, "alias").items()}
CHECK_OPTIONS = lists_below(_LISTS, "checks with")
"""Programs that rewrite files, and the options with which they only check."""
# They run a project's own tasks, and do other things by other words: "mise use test".
_TASK_RUNNERS = lists_below(_LISTS, "task runner")
_PART_KINDS = _kinds_below("part")
# Of Gradle's tasks for one variant (testDebugUnitTest) the first and the last word tell.
_VARIANT_KINDS = _kinds_below("variant")
_CONTAINER_VERBS = frozenset(("run", "exec", "ssh"))
_NO_SCRIPTS = _LISTS["part other"] | {"ci", "add", "i", "exec", "x", "init", "audit"}

_SCRIPT = re.compile(r"\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|php|ps1)$")
_INTERPRETER = re.compile(r"(?:python[\d.]*|pypy[\d.]*|node|tsx|ts-node|ruby|perl|php|bun|deno)$")
_CONTAINER_LOOK_AHEAD = 14
_CAMEL = re.compile(r"[A-Z]?[a-z]+")
_VARIANT_WORDS = 2
_CACHED_COMMANDS = 2048


def command_kind(command: Command) -> CheckKind | None:
    """Return what a simple command checks, or None when it is no check."""
    return _kind(command.words)


@lru_cache(maxsize=_CACHED_COMMANDS)
def _kind(words: tuple[str, ...]) -> CheckKind | None:
    if not words or not _LISTS["only asks"].isdisjoint(words[1:]):
        return None
    head = words[0].rpartition("/")[2]
    head = _ALIASES.get(head, head)
    rest = words[1:]
    if rest[:1] in (("help",), ("version",)) or _installs_a_program(head, rest):
        return None
    if _INTERPRETER.match(head) and rest:
        return _interpreted(head, rest)
    if head in _LISTS["shell"] and rest:
        return _in_shell(rest)
    if head in CHECK_OPTIONS:
        return None if CHECK_OPTIONS[head].isdisjoint(rest) else LINT
    if head in _LISTS["package runner"]:
        return _package_script(head, rest)
    if head in _LISTS["target runner"]:
        return _target(head, rest)
    if head in _TASK_RUNNERS and rest[:1] and rest[0] in _TASK_RUNNERS[head]:
        return _target(head, rest[1:])
    if head in _LISTS["container"] and not _CONTAINER_VERBS.isdisjoint(rest[:3]):
        return _in_container(rest)
    return _program(head, words)


def _installs_a_program(head: str, rest: tuple[str, ...]) -> bool:
    """Return whether a command of Go's builds a program of others: `go install x@latest`."""
    return head == "go" and rest[:1] == ("install",) and any("@" in word for word in rest)


def _program(head: str, words: tuple[str, ...]) -> CheckKind | None:
    rest = words[1:]
    if head == "tsc":
        return LINT if "--noEmit" in rest else BUILD
    if head == "coverage":
        return _interpreted("python", rest[1:]) if rest[:1] == ("run",) and rest[1:] else None
    if rest[:1] and rest[0] in ("fmt", "format") and head in (_SUBCOMMANDS.keys() | _PROGRAMS):
        checks = any(word.startswith(("--check", "-check", "--verify", "--diff")) for word in rest)
        return LINT if checks else None
    if head in _SUBCOMMANDS:
        return _subcommand(head, rest)
    if head in _PROGRAMS:
        return _PROGRAMS[head]
    return _script(words[0], checks=True) if "/" in words[0] or _SCRIPT.search(head) else None


def _subcommand(head: str, rest: tuple[str, ...]) -> CheckKind | None:
    known = _SUBCOMMANDS[head]
    if head in _LISTS["goals anywhere"]:  # `mvn -q clean test`
        names = [word.rpartition(":")[2] for word in rest]
        kinds = (
            known.get(name) or (_variant(name) if head == "gradle" else None) for name in names
        )
        return next((kind for kind in kinds if kind), None)
    first = next((word for word in rest if not word.startswith(("-", "+"))), "")
    return known.get(first) or known.get(rest[0] if rest else "")


def _variant(task: str) -> CheckKind | None:
    """Return what a Gradle task of one variant checks: testDebugUnitTest, assembleRelease."""
    words = [word.lower() for word in _CAMEL.findall(task)]
    if len(words) < _VARIANT_WORDS or task.startswith("-"):
        return None
    return TEST if words[-1] == "test" else _VARIANT_KINDS.get(words[0])


def _interpreted(head: str, rest: tuple[str, ...]) -> CheckKind | None:
    """Return the kind of `python -m NAME`, `node --test`, or a script run by an interpreter."""
    if rest[0] == "-m" and len(rest) > 1:
        module = rest[1].partition(".")[0]
        return BUILD if module == "build" else _kind((module, *rest[2:]))
    if kind := _SUBCOMMANDS.get(head, {}).get(rest[0]):
        return kind
    if head == "bun":
        return _package_script(head, rest)
    if rest[0] in ("manage.py", "setup.py", "artisan", "bin/rails", "bin/console") and rest[1:]:
        return part_kind(rest[1]) if rest[1] in ("test", "build") else None
    script = next((word for word in rest if not word.startswith("-")), "")
    if not _SCRIPT.search(script) or "-c" in rest or "-e" in rest:
        return None
    kind = _script(script, checks=False)
    return None if kind is BUILD and head.startswith("py") else kind


def _in_shell(rest: tuple[str, ...]) -> CheckKind | None:
    if rest[0].startswith("-") and "c" in rest[0] and len(rest) > 1:
        return line_kind(rest[1])
    script = next((word for word in rest if not word.startswith("-")), "")
    return _script(script, checks=True)


def _in_container(rest: tuple[str, ...]) -> CheckKind | None:
    for start in range(1, min(len(rest), _CONTAINER_LOOK_AHEAD)):
        if not rest[start].startswith("-"):
            kind = _kind(unwrap(rest[start:]))
            if kind is not None:
                return kind
    return None


def line_kind(line: str) -> CheckKind | None:
    """Return what a whole shell line checks: its first check's kind."""
    return next((kind for c in split_commands(line) if (kind := command_kind(c))), None)


def _package_script(head: str, rest: tuple[str, ...]) -> CheckKind | None:
    words = _without_options(rest)
    if words[:1] == ("workspace",) or words[:1] == ("workspaces",):
        words = words[2:] if words[0] == "workspace" else words[1:]
    if words[:1] and words[0] in ("run", "run-script", "foreach"):
        words = words[1:]
        return part_kind(words[0], check=LINT) if words else None
    if not words or words[0] in _NO_SCRIPTS:
        return None
    if words[0] == "t" and head == "npm":
        return TEST
    if head == "npm":
        return TEST if words[0] == "test" else None
    return _kind((words[0], *rest[1:])) or part_kind(words[0], check=LINT)


def _target(head: str, rest: tuple[str, ...]) -> CheckKind | None:
    targets = [w for w in _without_options(rest) if "=" not in w and not w.isdigit()]
    if not targets:
        return BUILD if head in ("make", "gmake") and "-n" not in rest else None
    kinds = [BUILD if target == "all" else part_kind(target) for target in targets]
    return next((kind for kind in (TEST, BUILD, LINT) if kind in kinds), None)


def _without_options(words: tuple[str, ...]) -> tuple[str, ...]:
    kept: list[str] = []
    value = False
    for word in words:
        if word == "--":
            break
        if not value and not word.startswith("-"):
            kept.append(word)
        value = word in _LISTS["option with value"]
    return tuple(kept)


def part_kind(name: str, check: CheckKind = TEST) -> CheckKind | None:
    """Return what a script or target of this name checks; `check` is what "check" means."""
    parts = _parts(name)
    return None if not parts or parts[0] in _LISTS["part other"] else _kind_of_parts(parts, check)


def _parts(name: str) -> list[str]:
    return [part for part in _PART.split(name.lower()) if part]


def _kind_of_parts(parts: list[str], check: CheckKind = TEST) -> CheckKind | None:
    for part in parts:
        if part in _PART_KINDS:
            return _PART_KINDS[part]
        if part in _LISTS["part check"]:
            return check if part in ("check", "checks") else TEST
    return None


def _script(path: str, checks: bool) -> CheckKind | None:
    """Return what a script checks by its name; a throw-away in /tmp checks nothing."""
    if path.startswith(("/tmp/", "/var/tmp/")):  # noqa: S108 - a prefix to leave out
        return None
    folder, _, name = path.rpartition("/")
    parts, place = _parts(_SCRIPT.sub("", name)), folder.rpartition("/")[2]
    if not checks and _PART_KINDS.keys().isdisjoint(parts):
        # `check_data.py` checks data; `tests/run.js` runs tests.
        return TEST if _PART_KINDS.get(place) == TEST and parts[:1] == ["run"] else None
    return _kind_of_parts(parts) or (TEST if checks and place in (".ci", "ci") else None)
