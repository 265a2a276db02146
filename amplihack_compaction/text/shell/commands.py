"""The simple commands of a shell line, and the actions that must not be done twice."""

import re
from dataclasses import dataclass
from functools import lru_cache

_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1")
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
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_KEYWORDS = frozenset("if then else elif do while until ! { }".split())
# A program that only runs another one, and how many words of its own come before that one.
_WRAPPERS = {
    ("timeout",): 1,
    ("gtimeout",): 1,
    ("time",): 0,
    ("nohup",): 0,
    ("sudo",): 0,
    ("env",): 0,
    ("exec",): 0,
    ("command",): 0,
    ("nice",): 0,
    ("stdbuf",): 0,
    ("xvfb-run",): 0,
    ("cross-env",): 0,
    ("dotenv",): 0,
    ("npx",): 0,
    ("bunx",): 0,
    ("uvx",): 0,
    ("npm", "exec"): 0,
    ("pnpm", "exec"): 0,
    ("pnpm", "dlx"): 0,
    ("yarn", "exec"): 0,
    ("yarn", "dlx"): 0,
    ("uv", "run"): 0,
    ("poetry", "run"): 0,
    ("pipenv", "run"): 0,
    ("pdm", "run"): 0,
    ("rye", "run"): 0,
    ("hatch", "run"): 0,
    ("conda", "run"): 0,
    ("mise", "exec"): 0,
    ("direnv", "exec"): 1,
    ("bundle", "exec"): 0,
    ("doppler", "run"): 0,
    ("nix", "develop"): 0,
}
_WRAPPER_VALUE_OPTIONS = frozenset(
    "-n -u -k -s -p -e --with --project --directory --python --package --extra --group"
    " --env-file --kill-after --signal --name --prefix --module".split()
)
# Of these the second word says what is done; of all others the first does.
_FAMILIES = frozenset(
    "git gh npm pnpm yarn bun deno cargo go make just task docker podman kubectl helm mvn gradle"
    " gradlew dotnet mix terraform aws gcloud az pip pip3 uv poetry pdm brew apt apt-get rails"
    " rake composer bundle swift flutter dart vercel fly flyctl firebase supabase wrangler netlify"
    " heroku playwright ng prisma alembic systemctl".split()
)
_INTERPRETERS = frozenset(("bash", "sh", "node", "ruby", "php"))
_GLOBAL_VALUE_OPTIONS = frozenset(
    "-C -c --prefix --filter -F --cwd --dir --git-dir --work-tree --workspace -w -f --repo"
    " -R".split()
)
_PYTHON = re.compile(r"python[\d.]*$|pypy[\d.]*$")


@dataclass(frozen=True, slots=True)
class Command:
    """One simple command of a shell line.

    `words` are its words without quotes, redirections, assignments, and programs that only run
    it (`timeout 60 uv run`). `text` is it as typed. `before` and `after` are the operators
    around it.
    """

    words: tuple[str, ...]
    text: str
    before: str = ""
    after: str = ""

    @property
    def head(self) -> str:
        """The program's name without its folder; empty when there is none."""
        return self.words[0].rpartition("/")[2] if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words behind the program that are no options, nor an option's value."""
        kept: list[str] = []
        value = False
        for word in self.words[1:]:
            if not value and not word.startswith("-"):
                kept.append(word)
            value = word in _GLOBAL_VALUE_OPTIONS
        return tuple(kept)

    @property
    def phrase(self) -> str:
        """The command in short: `pytest`, `git push`, `npm run build`."""
        return " ".join(_phrase(self))


@lru_cache(maxsize=2048)
def split_commands(line: str) -> tuple[Command, ...]:
    """Return the simple commands of a shell line; heredocs and comments are left out."""
    text = _blank_heredocs(line)
    commands: list[Command] = []
    words: list[str] = []
    start = end = 0
    before, skip = "", False
    for token in _TOKEN.finditer(text):
        kind, value = token.lastgroup, token.group()
        if kind == "operator":
            _finish(commands, words, line[start:end], before, value)
            words, before, skip = [], value, False
        elif kind == "redirect":
            skip, end = not value.endswith(tuple("0123456789-")), token.end()
        elif kind == "word":
            start = start if words else token.start()
            end = token.end()
            if not skip:
                words.append(_QUOTES.sub(_unquote, value))
            skip = False
    _finish(commands, words, line[start:end], before, "")
    return tuple(commands)


def _finish(commands: list[Command], words: list[str], text: str, before: str, after: str) -> None:
    if words:
        commands.append(Command(unwrap(tuple(words)), text, before, after))


def _unquote(found: re.Match[str]) -> str:
    return found.group(found.lastindex or 0)


def _blank_heredocs(line: str) -> str:
    """Put spaces in the place of heredoc bodies, so that offsets stay."""
    position = 0
    while (found := _HEREDOC.search(line, position)) is not None:
        begin = line.find("\n", found.end())
        end = line.find("\n" + found.group(2), begin) if begin >= 0 else -1
        if end < 0:
            return line if begin < 0 else line[:begin] + " " * (len(line) - begin)
        end += 1 + len(found.group(2))
        line = line[:begin] + " " * (end - begin) + line[end:]
        position = end
    return line


def unwrap(words: tuple[str, ...]) -> tuple[str, ...]:
    """Take assignments, shell keywords and programs that only run another one off the front."""
    while words:
        if words[0] in _KEYWORDS or _ASSIGNMENT.match(words[0]):
            words = words[1:]
            continue
        name = words[0].rpartition("/")[2]
        size = 2 if (name, *words[1:2]) in _WRAPPERS else 1
        own = _WRAPPERS.get((name, *words[1:size]))
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
    if head in _INTERPRETERS:
        named = () if words[1:2] == ("-c",) else arguments[:1]
        return [head, *(name.rpartition("/")[2] for name in named)]
    if head not in _FAMILIES:
        return [head]
    return [head, *arguments[: 2 if arguments[:1] == ("run",) else 1]]


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
_REDIRECTION_CHARS = 500
_REDIRECTION = re.compile(r"\s*(?:&>|\d?>)\S*\s*$")
_DRY = frozenset("--dry-run -n --check --plan --list -l --help".split())
_PUBLISH = {
    "npm": ("publish",), "pnpm": ("publish",), "yarn": ("publish", "npm"), "cargo": ("publish",),
    "twine": ("upload",), "poetry": ("publish",), "uv": ("publish",), "gem": ("push",),
    "docker": ("push",), "mvn": ("deploy",), "vsce": ("publish",), "hatch": ("publish",),
    "vercel": ("deploy", "--prod"), "netlify": ("deploy",), "fly": ("deploy",),
    "flyctl": ("deploy",), "firebase": ("deploy",), "wrangler": ("deploy", "publish"),
    "kubectl": ("apply", "delete", "rollout", "scale"), "terraform": ("apply", "destroy"),
    "helm": ("install", "upgrade", "uninstall"), "pulumi": ("up", "destroy"), "cdk": ("deploy",),
    "serverless": ("deploy",), "sls": ("deploy",), "sam": ("deploy",), "eb": ("deploy",),
    "railway": ("up",), "supabase": ("db", "functions"), "prisma": ("migrate",),
    "alembic": ("upgrade", "downgrade"), "rails": ("db:migrate",), "flask": ("db",),
    "ansible-playbook": (), "gcloud": ("deploy",), "heroku": ("releases",),
}  # fmt: skip
_DEPLOY_SCRIPT = re.compile(r"(?:^|[/_-])(?:deploy|release|publish)(?:[_-][\w-]+)?(?:\.\w+)?$")
_GITHUB_VERBS = frozenset(
    "create merge close comment review edit delete reopen ready upload run enable disable".split()
)


def finished_actions(line: str, output: str, succeeded: bool) -> list[str]:
    """Return what a shell line has finished outside the working tree, in short words.

    `output` is what the line printed. A commit that git reports counts even where a later
    command of the line failed.
    """
    commits = _commits(line, output, succeeded) if "commit" in line else []
    if not succeeded:
        return commits
    return commits + [text for c in split_commands(line) if (text := _finished(c, output))]


def _commits(line: str, output: str, succeeded: bool) -> list[str]:
    """Return the commits that git reports; of a silent one, its message."""
    told = [
        f"commit {sha} on {branch}: {subject}" for branch, sha, subject in _COMMIT.findall(output)
    ]
    if told or not succeeded:
        return told
    made = any(
        c.head == "git" and c.arguments[:1] == ("commit",) and not _DRY & set(c.words)
        for c in split_commands(line)
    )
    message = _MESSAGE.search(line) if made and "nothing to commit" not in output else None
    words = next((group for group in message.groups() if group), "") if message else ""
    return [f"commit: {words}"] if words else []


def _finished(command: Command, output: str) -> str:
    words, head = command.words, command.head
    if _DRY & set(words):
        return ""
    end = command.text[-_REDIRECTION_CHARS:]
    said = command.text[: -len(end) or None] + _REDIRECTION.sub("", end)
    if head == "git":
        return _git(command, said, output)
    if head == "gh" and command.arguments[1:2] and command.arguments[1] in _GITHUB_VERBS:
        url = URL.search(output)
        return f"{said} -> {url.group()}" if url else said
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
        return "" if "CONFLICT" in output else f"merged: {said}"
    tagged = verb == "tag" and rest and not {"-d", "--delete"} & set(command.words)
    return f"tagged: {said}" if tagged else ""


def _hides_failure(command: Command, output: str) -> bool:
    """Return whether a pipe or `;` hid a failure that the output shows."""
    return command.after not in ("", "&&") and _REFUSED.search(output) is not None
