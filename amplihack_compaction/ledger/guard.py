"""The rules that tool calls are held against: compiled into one small file, and read from it.

    <session>/guard     4 WINDOW                    the byte offset at which the window began
                        + <tab> TEXT <tab> ...      what a call may not write
                        NEEDLE <tab> ...            one of these a call has that breaks another rule
                        ID <tab> NEEDLE <tab> ...   a call may break the rule where it has them all
                        -ID <tab> NEEDLE ...        told in this window: only where each is asked
                                                    (an empty line)
                        {"mark", "rules": [{"id", "text", "offset", "bans": [...]}, ...]}

PreToolUse reads the lines with needles alone, and nothing where there is no file. The file is made
anew whenever the ledger is brought up to date; a rule that was lifted, or is in question, is not in
it.

    <session>/receipts/<WINDOW>.<ID>.notice     {"at", "id", "text", "tool", "call"}: what was told;
                                                <ID>.asked, where the user was asked instead
"""

import json
import posix
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from amplihack_compaction.base.files import (
    create_exclusively,
    list_names,
    parse_object,
    read_bytes,
    replace_atomically,
)
from amplihack_compaction.base.paths import GUARD_FILE
from amplihack_compaction.base.records import read_record
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.base.settings import Guard
from amplihack_compaction.base.signature import own_part, signed
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.extract.barred_calls import ONE_OF, Ban, is_broken
from amplihack_compaction.extract.statements import Rule, RuleKind, SessionState, field_values
from amplihack_compaction.text.words import inert, later

_LIMIT_BYTES = 256 * 1024
_RULES_LIMIT = 60
_HEAD = re.compile(rb"ref: refs/heads/([^\n]{1,200})")
_TEXT_CHARS = 200
_QUOTE = re.compile(r"[\"'\\\n\t]")
# What a call has that takes a port, or reads a page.
_OF_ANY = {"port": ("port", "-p", ":", "http.server", "-l", "-s "), "host": ("://",)}
# A ban by a word that names no known program, or only on a day, is one that calls hardly break.
_BY_WORDS = re.compile(
    r"(?:\* word:)?\S+ if:changes|\* .*first-unknown:.*"
    r"|.* unknown:\S*(?:mon|tues|wednes|thurs|fri|satur|sun)day.*"
)
_SHELL_SIGNS = {"if:background": "&", "if:piped": "|", "if:redirected": ">"}
_PLACEHOLDER = re.compile(r"[*<]|-(?!-)")  # short options are spelled in many ways
_WORDLESS = ONE_OF | {"starts", "lacks", "if"}
# A command that tests, builds, lints or formats has one of these in it.
_WORDS_OF_CHECKS = {
    "test": "test spec jest tox nox behave mocha ava karma cypress cucumber bats prove e2e".split(),
    "build": "build compile make package tsc webpack rollup javac gcc clang rustc".split(),
    "lint": "lint check mypy pyright ruff flake8 bandit vet clippy rubocop phpstan psalm".split(),
    "format": "format fmt black isort prettier".split(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedRule:
    """A standing rule that calls are held against; `offset` is where it was said.

    `later` are words below it that may be another's, and that would lift it.
    """

    id: str
    text: str
    offset: int = 0
    later: str = ""
    bans: tuple[Ban, ...] = ()

    @property
    def told(self) -> str:
        """The rule as the model is told of it, or the user asked."""
        return f'The user\'s rule: "{self.text}"{later(self.later)}'

    @property
    def can_be_broken(self) -> bool:
        """Whether some everyday call would break it: "Never panic" names none."""
        return any(
            ban.kind != "command" or not all(map(_BY_WORDS.fullmatch, ban.what))
            for ban in self.bans
            if not ban.is_guess
        )

    def broken_by(
        self, tool: str, given: Mapping[str, Any], root: str, branch: str
    ) -> tuple[Ban, ...]:
        """Return what of it a call breaks, in a project on a branch: see `is_broken`."""
        return tuple(ban for ban in self.bans if is_broken(ban, tool, given, root, branch))

    def narrowed_to(self, said: str) -> "GuardedRule":
        """Return what of it a call with these words may break: see `hook.run.words_of_call`."""

        def may_be(ban: Ban) -> bool:
            ways = _needles((ban,))
            return ban.kind == "text" or any(all(map(said.__contains__, way)) for way in ways)

        return replace(self, bans=tuple(filter(may_be, self.bans)))


def write_guard(
    folder: str, state: SessionState, window_start: int, wanted: Guard
) -> tuple[GuardedRule, ...]:
    """Store what of the standing rules can be checked, and return it.

    Nothing is stored where nothing can be, or nothing is `wanted`. Raises OSError.
    """
    rules = guarded_rules(state.active_rules) if wanted is not Guard.OFF else ()
    guarded = tuple(rules)[-_RULES_LIMIT:]
    path = f"{folder}/{GUARD_FILE}"
    if not guarded:
        with suppress(FileNotFoundError):
            posix.unlink(path)
        return ()
    told = rules_told(folder, window_start) if wanted is Guard.TELL else frozenset[str]()
    while len(content := _content(guarded, window_start, told, path)) > _LIMIT_BYTES:
        guarded = guarded[len(guarded) // 2 + 1 :]  # as much as is read again, of the newest
    replace_atomically(path, content)
    return guarded


def _content(guarded: Sequence[GuardedRule], window_start: int, told: Set[str], path: str) -> bytes:
    """Return what the file has for these rules, of which some were `told` of."""
    lines: list[str] = []
    longest: list[str] = []
    texts: list[str] = []
    for rule in guarded:
        mark = "-" if rule.id in told else ""
        ways = list(_needles(rule.bans))
        lines += ["\t".join((f"{mark}{rule.id}", *needles)) for needles in ways]
        texts += [text for ban in rule.bans if ban.kind == "text" for text in ban.what]
        longest += [max(needles, key=len) for needles in ways]
    # A call that has none of these is done with: it need not be held against each way.
    words = "\t".join(dict.fromkeys(longest))
    plain = [{**field_values(r), "bans": [field_values(ban) for ban in r.bans]} for r in guarded]
    # Of a text that is barred quotes and line ends may be written otherwise, in a list of edits;
    # what stands behind them names it.
    parts = (list(filter(None, _QUOTE.split(text.casefold()))) for text in texts)
    written = "\t".join(dict.fromkeys(("+", *(each[-1] for each in parts))))
    head = (f"4 {window_start}", written, *((words,) if words else ()), *dict.fromkeys(lines))
    content = "\n".join((*head, "", "")).encode("utf-8", "replace")
    return content + signed(json.dumps({"rules": plain}).encode(), path)


def guarded_rules(rules: Sequence[Rule]) -> Iterator[GuardedRule]:
    """Yield the rules of these that stand, and that calls can be held against."""
    from amplihack_compaction.extract.prohibitions import bans_of
    from amplihack_compaction.extract.rules import permits
    from amplihack_compaction.ledger.edits import item_id

    for rule in rules:
        text = rule.standing
        in_question = rule.questioned_by and not rule.questioned_by_other
        if not rule.active or in_question or rule.noted or permits(text):
            continue
        bans = bans_of(text, is_prohibition=rule.kind is RuleKind.PROHIBITION)
        if bans:
            yield GuardedRule(
                id=item_id("rule", rule.text),
                text=text,
                offset=rule.offset,
                later=rule.questioned_by,
                bans=bans,
            )


def read_guard(folder: str) -> tuple[GuardedRule, ...]:
    """Return the rules that the file has; none where it cannot be understood or is not signed."""
    path = f"{folder}/{GUARD_FILE}"
    data = (read_bytes(path, _LIMIT_BYTES) or b"").partition(b"\n\n")[2]
    rules = (parse_object(own_part(data, path) or b"") or {}).get("rules")
    try:
        return tuple(read_record(GuardedRule, rule) for rule in rules or ())
    except (ValueError, TypeError):
        return ()


def _needles(bans: Sequence[Ban]) -> Iterator[tuple[str, ...]]:
    """Yield, for each way to break a rule, what a call must have: see `hook.run`."""
    for ban in bans:
        if ban.kind == "outside":
            yield from (("<edit",), ("<write",), ("<multiedit",), ("<notebookedit",))
            yield from (("<read",),) * ("read" in ban.ways)
        for each in map(str.casefold, ban.what if ban.kind not in ("outside", "text") else ()):
            if each[0] == "!":
                yield from ((sign,) for sign in _OF_ANY[ban.kind])
            elif ban.kind == "command":
                yield from _needles_of(each)
            elif ban.kind == "path":
                yield (max(each.split("*"), key=len).removeprefix("~") or "<write",)
            else:
                yield (f"<{each}" if ban.kind == "tool" else each,)


def _needles_of(line: str) -> Iterator[tuple[str, ...]]:
    """Yield its plain words; else one of the group of words that stand in the fewest calls."""
    name, *words = line.split()
    if name.startswith("does:"):
        yield from ((word,) for word in _WORDS_OF_CHECKS[name.removeprefix("does:")])
        return
    if name == "mcp":  # what its arguments are called stands in no call
        yield (name, words[0])
        return
    if name in ("*", "git") and "--force" in words:  # "git push -f" does not say it
        yield from _needles_of(" ".join(("git", *(word for word in words if word != "--force"))))
    plain = tuple(dict.fromkeys(_plain_words(line)))
    parted = (word.partition(":") for word in words)
    groups = [given for kind, _, given in parted if kind in ONE_OF]
    if plain or not groups:
        first = line.removeprefix("* ").partition(" ")[0]
        yield plain or (_SHELL_SIGNS.get(first, first),)
    else:
        rarest = max((group.split("|") for group in groups), key=lambda words: min(map(len, words)))
        yield from ((max(word.split("."), key=len),) for word in rarest)  # a dot parts words


def _plain_words(line: str) -> Iterator[str]:
    for word in line.casefold().split():
        kind, _, given = word.partition(":")
        if kind == "named":
            yield given
        elif kind == "text":
            yield from given.split("+")
        elif kind not in _WORDLESS and not _PLACEHOLDER.match(word):
            yield word


def checked_out_branch(folder: str) -> str:
    """Return the branch that is checked out in a folder or one above it; empty for none."""
    while folder:
        found = _HEAD.match(read_bytes(f"{folder}/.git/HEAD", 400) or b"")
        if found is not None:
            return found[1].decode("utf-8", "replace").strip()
        folder = folder.rpartition("/")[0]
    return ""


def take_notice(
    folder: str, window_start: int, rule: GuardedRule, tool: str, call: str, *, asked: bool
) -> bool:
    """Write down that the model is told of a rule in this window, or the user `asked`.

    False when it was already. Raises OSError when it cannot be.
    """
    content = {
        "at": utc_text(), "id": rule.id, "text": rule.text, "tool": inert(tool, 60),
        "call": inert(redact(call), _TEXT_CHARS),
    }  # fmt: skip
    path = f"{folder}/receipts/{window_start}.{rule.id}{_ASKED * asked}.notice"
    return create_exclusively(path, signed(json.dumps(content).encode() + b"\n", path))


_ASKED = ".asked"


def rules_told(folder: str, window_start: int) -> Set[str]:
    """Return the ids of the rules that the model was told of in a window."""
    found = list_notices(folder)
    return {n["id"] for n in found if n["window"] == window_start and not n["asked"]}


def list_notices(folder: str) -> list[dict[str, Any]]:
    """Return what was told of rules in a session, oldest first, each with its `window`.

    `asked` are those that the user was asked about, and the model not told.
    """
    found = []
    for name in list_names(f"{folder}/receipts"):
        window, _, rest = name.partition(".")
        path = f"{folder}/receipts/{name}"
        content = parse_object(own_part(read_bytes(path, 4096), path) or b"")
        if rest.endswith(".notice") and window.isdecimal() and content is not None:
            texts = {key: str(content.get(key, "")) for key in ("at", "id", "text", "tool", "call")}
            asked = rest.endswith(f"{_ASKED}.notice")
            found.append({**texts, "window": int(window), "asked": asked})
    return sorted(found, key=lambda notice: str(notice["at"]))
