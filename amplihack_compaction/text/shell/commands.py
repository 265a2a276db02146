"""The simple commands of a shell line: which check the work, and which must not be done twice.

What a command checks (tests, a build, or style and types) is told by its words alone.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

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


CheckKind = Literal["test", "build", "lint"]

TEST: Final = "test"
BUILD: Final = "build"
LINT: Final = "lint"


def _table(kind: CheckKind, names: str) -> dict[str, CheckKind]:
    return dict.fromkeys(names.split(), kind)


PROGRAMS: dict[str, CheckKind] = {
    **_table(
        TEST,
        "pytest py.test tox nox unittest nosetests nose2 behave vitest jest mocha ava karma jasmine"
        " cypress ctest gotestsum rspec cucumber minitest phpunit pest paratest bats prove busted"
        " testem wtr nextest hypothesis doctest",
    ),
    **_table(
        BUILD,
        "ninja tsup webpack rollup esbuild javac gcc g++ clang clang++ rustc"
        " webpack-cli ng-packagr tsc",
    ),
    **_table(
        LINT,
        "mypy pyright basedpyright pyre pytype flake8 pylint bandit vulture ruff eslint oxlint"
        " stylelint vue-tsc svelte-check golangci-lint staticcheck revive rubocop standardrb"
        " phpstan psalm phpcs pint ktlint detekt shellcheck hadolint yamllint markdownlint"
        " markdownlint-cli2 clang-tidy cppcheck swiftlint tflint ansible-lint actionlint knip"
        " biome xo checkov semgrep luacheck kubeconform kubeval",
    ),
}
SUBCOMMANDS: dict[str, dict[str, CheckKind]] = {
    "cargo": {
        **_table(TEST, "test nextest t"), **_table(BUILD, "build b check"), "clippy": LINT,
    },
    "go": {"test": TEST, "build": BUILD, "install": BUILD, "vet": LINT},
    "dotnet": {"test": TEST, "build": BUILD, "publish": BUILD},
    "mix": {"test": TEST, "compile": BUILD, "credo": LINT, "dialyzer": LINT},
    "swift": {"test": TEST, "build": BUILD},
    "flutter": {"test": TEST, "build": BUILD, "analyze": LINT},
    "dart": {"test": TEST, "compile": BUILD, "analyze": LINT},
    "deno": {"test": TEST, "lint": LINT, "check": LINT, "compile": BUILD},
    "playwright": {"test": TEST},
    "ng": {"test": TEST, "e2e": TEST, "build": BUILD, "lint": LINT},
    "nx": {"test": TEST, "build": BUILD, "lint": LINT},
    "turbo": {"test": TEST, "build": BUILD, "lint": LINT},
    "next": {"build": BUILD, "lint": LINT},
    "vite": {"build": BUILD},
    "astro": {"build": BUILD, "check": LINT},
    "react-scripts": {"test": TEST, "build": BUILD},
    "rails": {"test": TEST, "spec": TEST},
    "rake": {"test": TEST, "spec": TEST, "default": TEST},
    "artisan": {"test": TEST},
    "sbt": {"test": TEST, "compile": BUILD},
    "lein": {"test": TEST, "compile": BUILD},
    "stack": {"test": TEST, "build": BUILD},
    "cabal": {"test": TEST, "build": BUILD},
    "bazel": {"test": TEST, "build": BUILD},
    "zig": {"test": TEST, "build": BUILD},
    "meson": {"test": TEST, "compile": BUILD},
    "hatch": {"test": TEST, "build": BUILD, "fmt": LINT},
    "poetry": {"build": BUILD},
    "uv": {"build": BUILD},
    "pdm": {"test": TEST, "build": BUILD, "lint": LINT},
    "composer": {"test": TEST, "lint": LINT},
    "docker": {"build": BUILD, "buildx": BUILD},
    "mkdocs": {"build": BUILD},
    "xcodebuild": {"test": TEST, "build": BUILD},
    "pre-commit": {"run": LINT},
    "ty": {"check": LINT},
    "sqlfluff": {"lint": LINT},
    "buf": {"lint": LINT, "build": BUILD},
    "terraform": {"validate": LINT, "fmt": LINT},
    "bun": {"test": TEST, "build": BUILD},
    "node": {"--test": TEST},
    "dbt": {"test": TEST, "build": TEST, "compile": BUILD, "parse": LINT},
    "helm": {"lint": LINT},
    "gleam": {"test": TEST, "build": BUILD},
    "forge": {"test": TEST, "build": BUILD},
    "hardhat": {"test": TEST, "compile": BUILD},
    "anchor": {"test": TEST, "build": BUILD},
    "pio": {"test": TEST, "run": BUILD, "check": LINT},
    "west": {"build": BUILD},
    "idf.py": {"build": BUILD},
    "arduino-cli": {"compile": BUILD},
    "esphome": {"compile": BUILD, "config": LINT},
    "detox": {"test": TEST, "build": BUILD},
    "maestro": {"test": TEST},
    "mvn": {
        **_table(TEST, "test verify integration-test"),
        **_table(BUILD, "compile package install"),
    },
    "gradle": {
        **_table(TEST, "test check"),
        **_table(BUILD, "build assemble compileJava"),
        "lint": LINT,
    },
}  # fmt: skip
ALIASES = {"mvnw": "mvn", "gradlew": "gradle", "nvim": "", "bazelisk": "bazel", "platformio": "pio"}
# Of Gradle's tasks for one variant (testDebugUnitTest) the first and the last word tell.
VARIANT_PARTS: dict[str, CheckKind] = {
    **_table(TEST, "test"),
    **_table(BUILD, "assemble bundle compile build"),
    "lint": LINT,
}
# Programs that rewrite files and only check with one of these options.
CHECK_OPTIONS = {
    "black": ("--check", "--diff"),
    "isort": ("--check", "--check-only", "-c", "--diff"),
    "prettier": ("--check", "-c", "-l", "--list-different"),
    "gofmt": ("-l", "-d"),
    "rustfmt": ("--check",),
    "clang-format": ("--dry-run", "-n"),
    "php-cs-fixer": ("--dry-run",),
}
PART = re.compile(r"[:_\-./\s]+")
TEST_PARTS = frozenset(
    "test tests testing unittest unittests spec specs e2e integration unit smoke runtests vitest"
    " jest pytest cypress playwright coverage tests1".split()
)
CHECK_PARTS = frozenset("check checks ci verify validate preflight prepush precommit".split())
BUILD_PARTS = frozenset("build builds compile bundle dist package".split())
LINT_PARTS = frozenset(
    "lint lints typecheck types tsc format fmt style mypy eslint prettier ruff clippy vet".split()
)
OTHER_PARTS = frozenset(
    "start dev serve watch deploy clean install fix generate publish release setup seed create new"
    " preview storybook server run db migrate update".split()
)

_PACKAGE_RUNNERS = frozenset(("npm", "pnpm", "yarn", "bun"))
_TARGET_RUNNERS = frozenset(("make", "gmake", "just", "task", "invoke", "inv", "mage"))
# They run a project's own tasks, and do other things by other words: "mise use test".
_TASK_RUNNERS = {"mise": ("run", "r"), "moon": ("run",), "pixi": ("run",)}
_CONTAINERS = frozenset(("docker", "docker-compose", "podman", "kubectl", "vagrant"))
_CONTAINER_VERBS = frozenset(("run", "exec", "ssh"))
_CHECK_VALUE_OPTIONS = frozenset(
    "-C -f -w -F --prefix --filter --workspace --cwd --dir --file --directory -p".split()
)
_ASKS = frozenset("--version -V --help -h --collect-only --co --list --listTests --init".split())

_SCRIPT = re.compile(r"\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|php|ps1)$")
_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "source", "."))
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
    if not words or any(word in _ASKS for word in words[1:]):
        return None
    head = words[0].rpartition("/")[2]
    head = ALIASES.get(head, head)
    rest = words[1:]
    if _INTERPRETER.match(head) and rest:
        return _interpreted(head, rest)
    if head in _SHELLS and rest:
        return _in_shell(rest)
    if head in CHECK_OPTIONS:
        return LINT if any(word in CHECK_OPTIONS[head] for word in rest) else None
    if head in _PACKAGE_RUNNERS:
        return _package_script(head, rest)
    if head in _TARGET_RUNNERS:
        return _target(head, rest)
    if head in _TASK_RUNNERS and rest[:1] and rest[0] in _TASK_RUNNERS[head]:
        return _target(head, rest[1:])
    if head in _CONTAINERS and any(word in _CONTAINER_VERBS for word in rest[:3]):
        return _in_container(rest)
    return _program(head, words)


def _program(head: str, words: tuple[str, ...]) -> CheckKind | None:
    rest = words[1:]
    if head in _CHOOSERS:
        return _CHOOSERS[head](rest)
    if rest[:1] and rest[0] in ("fmt", "format") and head in SUBCOMMANDS:
        return (
            LINT
            if any(word.startswith(("--check", "-check", "--verify")) for word in rest)
            else None
        )
    if head in SUBCOMMANDS:
        return _subcommand(head, rest)
    if head in PROGRAMS:
        return PROGRAMS[head]
    return _script(words[0], checks=True) if "/" in words[0] or _SCRIPT.search(head) else None


def _subcommand(head: str, rest: tuple[str, ...]) -> CheckKind | None:
    known = SUBCOMMANDS[head]
    if head in _ANYWHERE:
        names = [word.rpartition(":")[2] for word in rest if word not in _CHECK_VALUE_OPTIONS]
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
    return TEST if words[-1] == "test" else VARIANT_PARTS.get(words[0])


def _tsc(rest: tuple[str, ...]) -> CheckKind:
    return LINT if "--noEmit" in rest else BUILD


def _ruff(rest: tuple[str, ...]) -> CheckKind | None:
    return LINT if rest[:1] != ("format",) or "--check" in rest or "--diff" in rest else None


def _biome(rest: tuple[str, ...]) -> CheckKind | None:
    return LINT if rest[:1] and rest[0] in ("check", "lint", "ci") else None


def _cmake(rest: tuple[str, ...]) -> CheckKind | None:
    return BUILD if "--build" in rest else None


def _coverage(rest: tuple[str, ...]) -> CheckKind | None:
    return _interpreted("python", rest[1:]) if rest[:1] == ("run",) and rest[1:] else None


_CHOOSERS: dict[str, Callable[[tuple[str, ...]], CheckKind | None]] = {
    "tsc": _tsc,
    "ruff": _ruff,
    "biome": _biome,
    "cmake": _cmake,
    "coverage": _coverage,
}
# Of these the goals may stand anywhere: `mvn -q clean test`.
_ANYWHERE = frozenset(("mvn", "gradle", "bazel", "nx", "turbo", "rake", "xcodebuild", "sbt"))


def _interpreted(head: str, rest: tuple[str, ...]) -> CheckKind | None:
    """Return the kind of `python -m NAME`, `node --test`, or a script run by an interpreter."""
    if rest[0] == "-m" and len(rest) > 1:
        module = rest[1].partition(".")[0]
        return BUILD if module == "build" else _kind((module, *rest[2:]))
    if head in SUBCOMMANDS and SUBCOMMANDS[head].get(rest[0]):
        return SUBCOMMANDS[head][rest[0]]
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
    if not words or words[0] in OTHER_PARTS | {"ci", "add", "i", "exec", "x", "init", "audit"}:
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
        value = word in _CHECK_VALUE_OPTIONS
    return tuple(kept)


def part_kind(name: str, check: CheckKind = TEST) -> CheckKind | None:
    """Return what a script or target of this name checks; `check` is what "check" means."""
    parts = _parts(name)
    return None if not parts or parts[0] in OTHER_PARTS else _kind_of_parts(parts, check)


def _parts(name: str) -> list[str]:
    return [part for part in PART.split(name.lower()) if part]


def _kind_of_parts(parts: list[str], check: CheckKind = TEST) -> CheckKind | None:
    for part in parts:
        if part in TEST_PARTS:
            return TEST
        if part in LINT_PARTS:
            return LINT
        if part in BUILD_PARTS:
            return BUILD
        if part in CHECK_PARTS:
            return check if part in ("check", "checks") else TEST
    return None


def _script(path: str, checks: bool) -> CheckKind | None:
    """Return what a script checks by its name; a throw-away in /tmp checks nothing."""
    if path.startswith(("/tmp/", "/var/tmp/")):  # noqa: S108 - a prefix to leave out
        return None
    folder, _, name = path.rpartition("/")
    parts, place = _parts(_SCRIPT.sub("", name)), folder.rpartition("/")[2]
    if not checks and not set(parts) & (TEST_PARTS | LINT_PARTS | BUILD_PARTS):
        # `check_data.py` checks data; `tests/run.js` runs tests.
        return TEST if place in TEST_PARTS and parts[:1] == ["run"] else None
    return _kind_of_parts(parts) or (TEST if checks and place in (".ci", "ci") else None)
