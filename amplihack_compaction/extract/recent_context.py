"""Where in the work a window ends: its last prompts, turns and tools, and what keeps failing."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from amplihack_compaction.extract.replies import choice_at_end
from amplihack_compaction.extract.statements import (
    LongPrompt,
    PromptRecord,
    Strikes,
    ToolRecord,
    TurnDigest,
)
from amplihack_compaction.extract.verify_commands import checks_of, was_started
from amplihack_compaction.extract.window_content import UserPrompt, WindowContent, split_typed
from amplihack_compaction.text.commands import Command, split_commands
from amplihack_compaction.text.pasted import is_heading
from amplihack_compaction.text.sentences import has_cross, is_crossed, telling_line
from amplihack_compaction.text.shell_files import edits_in_place
from amplihack_compaction.text.words import GO_ON_WORDS, has_hint, one_line, words_of
from amplihack_compaction.transcript.session import (
    LONG_PROMPTS,
    ToolUse,
    TranscriptStep,
    Turn,
    bash_command,
    was_refused,
)

PROMPT_CHARS = 2_000
# With so much that was pasted a prompt is kept whole as well: a specification, a plan, a log.
_LEFT_OUT_CHARS = 1_000
_DIGEST_CHARS = 160
_ANSWER_CHARS = 300
_ANSWER_END_CHARS = 160
_OFFER_CHARS = 600
_BOUNDARY = re.compile(r"\n|[.!?:]\s|[。！？：]")


def extract_prompts(content: WindowContent) -> tuple[PromptRecord, ...]:
    """Return the user's prompts as typed, up to 2,000 characters each, pasted parts counted."""
    stopped = [step.offset for step, noted in content.noted if noted.interrupted]
    return tuple(
        PromptRecord(
            text=_cut(said.typed.typed),
            **said.place(),
            pasted=said.typed.pasted_chars,
            handed=said.typed.handed,
            queued=said.entry.origin == "queued",
            unanswered=then is not None and _was_stopped(said, then, stopped),
        )
        for said, then in zip(content.prompts, (*content.prompts[1:], None), strict=False)
    )


def _was_stopped(said: UserPrompt, then: UserPrompt, stopped: list[int]) -> bool:
    """Return whether a prompt was stopped and not gone on with, by where the client noted such."""
    goes_on = all(word in GO_ON_WORDS for word in words_of(then.typed.typed))
    if said.entry.origin == "queued" or (goes_on and then.typed.typed):
        return False
    is_noted = any(said.entry.offset < offset < then.entry.offset for offset in stopped)
    return is_noted or not (said.turn.texts or said.turn.tools)


def extract_long_prompts(content: WindowContent) -> tuple[LongPrompt, ...]:
    """Return the newest prompts that are kept shortened, as they were typed and pasted.

    Each up to 64,000 characters: a specification may describe work of many hours.
    """
    whole = {node.uuid: node.whole for node in content.window.chain if node.whole}
    return newest_long_prompts(
        LongPrompt(
            text=whole.get(said.entry.uuid, said.entry.text),
            **said.place(),
            is_document=is_heading(said.typed.title) or len(said.typed.typed) > PROMPT_CHARS,
        )
        for said in content.prompts
        if said.typed.pasted_chars > _LEFT_OUT_CHARS or len(said.typed.typed) > PROMPT_CHARS
    )


def newest_long_prompts(prompts: Iterable[LongPrompt]) -> tuple[LongPrompt, ...]:
    """Return of prompts, oldest first, the newest 4 documents, and the newest where it is a log."""
    found = [*{prompt.text: prompt for prompt in prompts}.values()]
    documents = [prompt for prompt in found if prompt.is_document][-LONG_PROMPTS:]
    newest = [prompt for prompt in found[-1:] if prompt not in documents]
    return (*documents, *newest)


def extract_recent(content: WindowContent, turns: int = 10) -> tuple[TurnDigest, ...]:
    """Return a digest of the window's last turns: prompt, the model's last words, its tools.

    The turn that a compaction interrupted goes on without a prompt: its text is empty.
    """
    digests = [_digest(turn, content.window.index) for turn in content.window.turns[-turns:]]
    if digests:
        uses = takewhile(lambda step: step.tool is not None, reversed(content.steps))
        digests[-1] = replace(digests[-1], uses_since=sum(1 for _ in uses))
    return tuple(digests)


def _digest(turn: Turn, window: int) -> TurnDigest:
    said = turn.prompt or next(iter(turn.texts), None)
    said = said or TranscriptStep("", 0, turn.tools[0].timestamp, window)
    last = turn.texts[-1].text if turn.texts else ""
    return TurnDigest(
        text=one_line(_words(turn), _DIGEST_CHARS),
        **said.place,
        answer=_both_ends(last),
        offer=_offer(last),
        tools=tuple(dict.fromkeys(tool.name for tool in turn.tools if not only_looked(tool))),
    )


def only_looked(tool: ToolUse) -> bool:
    """Return whether a shell line only showed what is there."""
    commands = split_commands(bash_command(tool))
    return bool(commands) and all(only_looks(one) and not one.fills_file for one in commands)


def _both_ends(text: str) -> str:
    """Return a text on one line; of a long one how it begins, and how it ends: with a question.

    Where that is a choice, with all that may be chosen.
    """
    line = one_line(text, len(text))
    if len(line) <= _ANSWER_CHARS:
        return line
    end = line[-_ANSWER_END_CHARS:]
    end = choice_at_end(text) or end.partition(" ")[2] or end
    return f"{one_line(line, _ANSWER_CHARS - _ANSWER_END_CHARS)} {end}"


def _offer(text: str) -> str:
    """Return a long text that asks at its end: how it begins, and all that the question is about.

    Empty where it asks nothing, or has a choice at its end, which the answer names.
    """
    line = one_line(text, len(text))
    end = text.strip()[-_OFFER_CHARS:]
    if len(line) <= _ANSWER_CHARS or choice_at_end(text) or not has_hint(end, "?？"):
        return ""
    if len(line) <= _OFFER_CHARS:
        return line
    whole = end[found.end() :] if (found := _BOUNDARY.search(end)) else end.partition(" ")[2]
    return f"{one_line(line, _ANSWER_CHARS - _ANSWER_END_CHARS)} {one_line(whole, len(whole))}"


def _words(turn: Turn) -> str:
    """Return the typed prompt; of one that is all pasted, what stands at its head."""
    if turn.prompt is None:
        return ""
    typed = split_typed(turn.prompt.text)
    return typed.typed or typed.title or turn.prompt.text


def _cut(text: str) -> str:
    """Cut a prompt at a word; line breaks stay, for these are the user's own words."""
    if len(text) <= PROMPT_CHARS:
        return text
    head = text[: PROMPT_CHARS - 1]
    space = head.rfind(" ")
    return (head[:space] if space > PROMPT_CHARS // 2 else head).rstrip() + "…"


RECENT_TOOLS = 10
_DETAIL_CHARS = 300
# What nothing followed up for so many tools was given up.
_FAILURE_TOOLS = 20

_EXPLORING = frozenset("Read Grep Glob LS WebFetch WebSearch NotebookRead ToolSearch".split())
_LOOKING = frozenset(
    "ls cat head tail grep rg find fd wc tree stat file diff which type pwd echo sed awk jq sort"
    " uniq cut less more test [ cd printf true sleep ps env printenv date pgrep lsof netstat ss du"
    " df id uname whoami dir findstr tasklist where".split()
)
_LOOKING_GIT = frozenset(
    "log status diff show branch blame ls-files grep rev-parse remote config".split()
)
# What any program does by such a word, or one of these on what is named before it: `gh pr checks`.
_LOOKING_VERBS = frozenset(
    "checks describe diff get info inspect list log logs ls ps show status version view"
    " whoami".split()
)
# What changes files whatever words stand behind it, and the options with which others do.
_CHANGES = frozenset("rm mv cp mkdir rmdir touch ln chmod".split())
_CHANGING_OPTION = re.compile(r"-(?:delete|exec|execdir|ok)$")
_NAMES_THINGS = frozenset("aws docker gh kubectl podman".split())
_ONLY_TELLS = frozenset(("--help", "--version", "-h", "-V"))
_SCRIPT = re.compile(r"\.(?:sh|bash|py|[cm]?js|ts|rb|pl|php)$")
_PRINTERS = ("echo", "printf")
# Git commits nothing while one of these is not worked out.
_COMMITTED_WITH = ("git add", "git merge", "git cherry-pick", "git revert")
# What git stops at a conflict is under way until it is continued or given up, prompts later too.
_MAY_STOP = frozenset(("git rebase", "git merge", "git cherry-pick", "git revert"))
_CONFLICT = re.compile(r"^CONFLICT \(|^error: could not apply \w", re.MULTILINE)


def only_looks(command: Command) -> bool:
    """Return whether a command only shows what is there; where its output goes is not asked."""
    by_option = edits_in_place(command) or any(map(_CHANGING_OPTION.match, command.words))
    if by_option or command.head in _CHANGES:
        return False
    if command.head == "git":
        return command.arguments[:1] != () and command.arguments[0] in _LOOKING_GIT
    verbs = command.arguments[: 2 if command.head in _NAMES_THINGS else 1]
    by_word = not _LOOKING_VERBS.isdisjoint(verbs) or not _ONLY_TELLS.isdisjoint(command.words)
    return command.head in _LOOKING or by_word


def extract_tools(content: WindowContent) -> tuple[ToolRecord, ...]:
    """Return the window's last ten tool uses, oldest first."""
    return tuple(
        ToolRecord(
            id=tool.id,
            name=tool.name,
            detail=tool_detail(tool),
            succeeded=True if tool.task_id else tool.succeeded,
            error=_error_of(tool),
            offset=step.offset,
        )
        for step, tool in [*content.uses][-RECENT_TOOLS:]
    )


def _error_of(tool: ToolUse) -> str:
    if tool.succeeded is not False or tool.result is None:
        return ""
    return one_line(telling_line(tool.result.text), _DETAIL_CHARS)


def tool_detail(tool: ToolUse) -> str:
    """Return what a tool was used on, in short: its command, file, pattern or subject."""
    return one_line(tool.used_on, _DETAIL_CHARS)


def extract_strikes(content: WindowContent) -> Strikes:
    """Return the kind of step that failed most often in a row without succeeding since."""
    failures = (failure.strikes for failure in open_failures(content))
    return max(failures, key=lambda strikes: (strikes.count, strikes.offset), default=Strikes())


@dataclass(frozen=True, slots=True)
class OpenFailure:
    """A kind of step that did not succeed since it failed: its last use, the `number`-th of all."""

    strikes: Strikes
    step: TranscriptStep
    tool: ToolUse
    number: int

    @property
    def goes_on_with(self) -> str:
        """Return what git goes on with, which it stopped at a conflict; empty for all else."""
        return f"{self.strikes.step} --continue" if stops_at_conflict(self.tool) else ""


def open_failures(content: WindowContent) -> list[OpenFailure]:
    """Return the kinds of step that failed last, a short while ago, oldest first.

    A kind is the tool and, for Bash, what the command does (`pytest`, `git push`). Looking at
    things (Read, Grep, `ls`) is no step, and a call that the user refused, or that did not come to
    run, says nothing. What failed before something else was done, and another prompt came, was left
    behind; but what git stopped at a conflict is under way.
    """
    failures: dict[str, OpenFailure] = {}
    uses = last_done = 0
    for step in content.steps:
        if step.by_user:
            failures = {
                name: one
                for name, one in failures.items()
                if one.number > last_done or one.goes_on_with
            }
        if step.tool is None or step.tool.result is None or was_refused(step.tool):
            continue
        uses += 1
        name, failed = step_result(step.tool)
        is_left = step.tool.task_id and not step.tool.succeeded
        if not name or not was_started(step.tool) or is_left:
            continue
        if not failed:
            last_done = uses
            for done in (name, *_done_beside(step.tool)):
                failures.pop(done, None)
            continue
        before = failures.pop(name, None)
        error = telling_line(step.tool.result.text)
        if error:
            count = before.strikes.count + 1 if before else 1
            strikes = Strikes(count=count, step=name, error=error, offset=step.offset)
            failures[name] = OpenFailure(strikes, step, step.tool, uses)
    recent = uses - _FAILURE_TOOLS
    return [one for one in failures.values() if one.number > recent or one.goes_on_with]


def extract_went_well(content: WindowContent) -> tuple[str, ...]:
    """Return the kinds of step that went well when they were last taken in a window."""
    kinds: dict[str, None] = {}
    for _, tool in content.uses:
        if tool.result is None or was_refused(tool) or not was_started(tool):
            continue
        kind, failed = step_result(tool)
        if failed:
            kinds.pop(kind, None)
        elif kind and not tool.task_id:
            kinds |= dict.fromkeys((kind, *_done_beside(tool)))
    return tuple(kinds)


def kind_of_step(line: str) -> str:
    """Return what kind of step a line that failed was; empty for mere looking."""
    doing = [command for command in split_commands(line) if not only_looks(command)]
    return _kind_of(doing[-1]) if doing else ""


def stops_at_conflict(tool: ToolUse) -> bool:
    """Return whether git stopped in what it was told to do, for the conflicts to be resolved."""
    found = tool.result is not None and _CONFLICT.search(tool.result.text) is not None
    kinds = map(_kind_of, split_commands(bash_command(tool)) if found else ())
    return not _MAY_STOP.isdisjoint(kinds)


def _done_beside(tool: ToolUse) -> Iterator[str]:
    """Yield the kinds of step that a line's success says were done, too."""
    commands = split_commands(bash_command(tool))
    if all(command.after in ("", "&&") for command in commands):
        for command in commands:
            yield _kind_of(command)
            if _kind_of(command) == "git commit":
                yield from _COMMITTED_WITH


def step_result(tool: ToolUse) -> tuple[str, bool]:
    """Return the kind of step and whether it failed; an empty kind for mere looking."""
    failed = tool.succeeded is False
    line = bash_command(tool)
    if not line:
        # What one tool of a server failed at, another of them does.
        name = tool.name.rpartition("__")[0] if tool.name.startswith("mcp__") else tool.name
        return ("" if tool.name in _EXPLORING else name), failed
    if checks := checks_of(tool):
        passed = checks[-1].passed
        return checks[-1].phrase, failed if passed is None else not passed
    commands = [c for c in split_commands(line) if c.before not in ("|", "|&")]
    doing = [command for command in commands if not only_looks(command)]
    if not doing:
        return "", failed
    output = tool.result.text if tool.result is not None else ""
    # A cross that the line itself prints is the answer that it asks for: `|| echo "❌ none"`.
    prints_cross = any(one.head in _PRINTERS and has_cross(one.text) for one in commands)
    crossed = not prints_cross and is_crossed(output)
    kind = _kind_of(_named_in_error(doing, output) if failed else doing[-1])
    return kind, failed or crossed or stops_at_conflict(tool)


def _named_in_error(doing: Sequence[Command], output: str) -> Command:
    """Return the command that the output of a failed line names with its error: "initdb: ...".

    Of those that `&&` joins with the last: the exit code is theirs. Else it is the last.
    """
    joined = next((n for n in range(len(doing) - 1, 0, -1) if doing[n].before != "&&"), 0)
    heads = {command.head: command for command in doing[joined:]}
    named = [found[1] for found in _NAMED_FIRST.finditer(output) if found[1] in heads]
    return heads[named[-1]] if named else doing[-1]


_NAMED_FIRST = re.compile(r"^([\w.-]{2,40}): ", re.MULTILINE)


def _kind_of(command: Command) -> str:
    """Return what a command does; a script is the same whoever runs it: `bash x.sh`, `./x.sh`."""
    name = command.phrase.rpartition(" ")[2]
    return name if _SCRIPT.search(name) else command.phrase
