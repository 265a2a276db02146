"""Split a shell line into its simple commands, and tell what each one runs."""

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
_VALUE_OPTIONS = frozenset(
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
        """What the command does, in short: `pytest`, `git push`, `npm run build`."""
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
        words = words[2:] if words[0] in _VALUE_OPTIONS else words[1:]
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
