"""Collect the addresses that the work uses: servers, endpoints and hosts of the model's commands.

What a command was sent to, the next one will be sent to again; a summary that says "the dev server
is running" lost it. The user's own values are in `values`.
"""

import re
from collections import Counter
from collections.abc import Iterator

from amplihack_compaction.extract.statements import Item
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.transcript.session import TranscriptStep, bash_command

_LIMIT = 8
_IDS = 8
# What a command names once is of the moment.
_LEAST_USES_OF_ID = 2
# Ids of things that live elsewhere: of letters and digits, of a commit, of an issue. Of variables
# that commands name 3 in 28 were of use after real compactions.
_ID = re.compile(
    r"(?<![\w./-])(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[a-z])"
    r"(?:[a-z0-9]{8,40}|[0-9a-f]{7}|[0-9a-f]{8}(?:-[0-9a-f]{4,12}){4})(?![\w/-]|\.[\w])"
    r"|\b[A-Z]{2,8}-\d{1,6}\b"
)
_GIT = re.compile(r"\bgit\s")
# What the model only speaks of counts where it is one of this machine, and spoken of twice.
_LEAST_USES = 2
_URL = re.compile(
    r"(?P<server>(?:https?|wss?)://(?:[\w-]{1,63}\.){0,6}[\w-]{1,63}(?::\d{2,5})?)"
    r"(?P<path>(?:/[\w.~-]{1,80}){0,8})"
    r"|(?P<login>\b[a-z][\w.-]{0,30}@(?:\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]{1,63}\.){1,5}[a-z]{2,12}))"
    r"(?=[\s:'\"]|$)"
    r"|(?P<port>\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):\d{2,5}\b)"
)
_LOCAL = re.compile(
    r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|192\.168\.\d+\.\d+|10\.\d+\.\d+\.\d+)\b"
)
# Programs that log in to a host; an address behind others, such as an author's, is none.
_LOGS_IN = re.compile(r"\b(?:ssh|scp|rsync|sftp)\b")
# Pull requests: what their creation printed, and the number that a command names; runs of the CI.
_CREATES_PULL = re.compile(r"\b(?:gh pr|glab mr) create\b")
_PULL_URL = re.compile(
    r"https?://[\w.-]{1,80}(?:/[\w.-]{1,80}){1,6}/(?:pull|merge_requests)/\d{1,7}"
)
_PULL_NUMBER = re.compile(
    r"\b(?:gh pr|glab mr) (?:view|checks|diff|edit|merge|ready|comment|review|checkout|update)"
    r"\s+(?:-\S+\s+)*#?(?P<number>\d{1,7})\b(?!>)"
)
_CI_RUN = re.compile(r"\bgh run (?:view|watch|rerun|download)\s+(?:-\S+\s+)*(?P<number>\d{5,12})\b")
_MESSAGE = re.compile(r"\bgit (?:\S+ )*?commit\b|\bgh (?:pr|issue) (?:create|comment|edit)\b")


def extract_addresses(content: WindowContent) -> tuple[Item, ...]:
    """Return the addresses that commands of the window used, and local ones the model told twice.

    In order of their last use, at most eight. Of a path only what looks like an id is kept. Pull
    requests and runs of the CI count as such: the next command names them again.
    """
    used: dict[str, Item] = {}
    told: Counter[str] = Counter()
    for step in content.steps:
        for address, counts in _addresses_of(step):
            told[address] += 1
            if counts or told[address] >= _LEAST_USES:
                used.pop(address, None)
                used[address] = Item(text=address, **step.place)
    ids = _ids_used(content)
    return (*tuple(ids)[-_IDS:], *tuple(used.values())[-_LIMIT:])


def _ids_used(content: WindowContent) -> list[Item]:
    """Return the ids that several commands named, those named last at the end."""
    uses: Counter[str] = Counter()
    last: dict[str, Item] = {}
    for step in content.steps:
        command = bash_command(step.tool) if step.tool is not None else ""
        if _GIT.search(command):
            continue  # a commit that was looked at: the log has it
        for name in dict.fromkeys(_ID.findall(command)):
            uses[name] += 1
            last.pop(name, None)
            last[name] = Item(text=name, **step.place)
    return [item for name, item in last.items() if uses[name] >= _LEAST_USES_OF_ID]


def _addresses_of(step: TranscriptStep) -> Iterator[tuple[str, bool]]:
    """Yield each address of a step once, and whether one use is enough."""
    if step.by_user:
        return
    command = bash_command(step.tool) if step.tool is not None else ""
    yield from ((named, True) for named in _numbered(step, command))
    if _MESSAGE.search(command):
        return  # what is written to others is no address that is used
    text = command if step.tool is not None else step.text
    for address in dict.fromkeys(_address(found, text) for found in _URL.finditer(text)):
        if address and (command or _LOCAL.search(address)):
            yield address, bool(command)


def _numbered(step: TranscriptStep, command: str) -> Iterator[str]:
    """Yield the pull request and the CI's run that a command names or makes."""
    if named := _PULL_NUMBER.search(command):
        yield f"PR #{named['number']}"
    if named := _CI_RUN.search(command):
        yield f"CI run {named['number']}"
    result = step.tool.result if step.tool is not None else None
    if result is not None and not result.is_error and _CREATES_PULL.search(command):
        yield from _PULL_URL.findall(result.text)[:1]


def _address(found: re.Match[str], text: str) -> str:
    login = found["login"]
    if login:
        return login if _LOGS_IN.search(text) else ""
    if found["port"]:
        return f"http://{found['port']}"
    parts = found["path"].split("/")[1:]
    last = max((n for n, part in enumerate(parts) if _is_id(part)), default=-1)
    return found["server"] + "".join(f"/{part}" for part in parts[: last + 1])


def _is_id(part: str) -> bool:
    """Return whether a part of a path names one thing: it has digits beside letters."""
    return len(part) >= 8 and any(map(str.isdigit, part)) and any(map(str.isalpha, part))
