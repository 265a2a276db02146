"""Recognise finished actions that must not be done twice: commits, pushes, releases, deploys."""

import re

from amplihack_compaction.text.shell.commands import Command, split_commands

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
