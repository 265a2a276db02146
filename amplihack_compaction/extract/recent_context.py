"""Where in the work a window ends: its last prompts, turns and tools.

Also the phase that the work is in, what keeps failing, and what runs in the background: a
compaction leaves it running, and who does not know of it starts it a second time.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.extract.replies import choice_at_end
from amplihack_compaction.extract.statements import (
    PLAN_MODE,
    LongPrompt,
    Phase,
    PromptRecord,
    RunningWork,
    Strikes,
    Todo,
    TodoStatus,
    ToolRecord,
    TurnDigest,
)
from amplihack_compaction.extract.verify_commands import checks_of, was_started
from amplihack_compaction.extract.window_content import WindowContent, split_typed, typed_or_said
from amplihack_compaction.text.commands import (
    Command,
    fails_as_a_whole,
    finished_actions,
    split_commands,
)
from amplihack_compaction.text.pasted import is_heading
from amplihack_compaction.text.sentences import error_among, has_cross, is_crossed, telling_line
from amplihack_compaction.text.shell_files import edits_in_place
from amplihack_compaction.text.words import has_hint, one_line
from amplihack_compaction.transcript.session import (
    EDITORS,
    LONG_PROMPTS,
    ToolUse,
    TranscriptStep,
    Turn,
    Window,
    as_object,
    bash_command,
    end_seen,
    prose_lines,
    text_in,
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
    return tuple(
        PromptRecord(
            text=_cut(said.typed.typed),
            **said.place(),
            pasted=said.typed.pasted_chars,
            handed=said.typed.handed,
            queued=said.entry.origin == "queued",
            unanswered=said.entry.origin != "queued"
            and said is not content.prompts[-1]
            and not (said.turn.texts or said.turn.tools),
        )
        for said in content.prompts
    )


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
_PHASE_CHARS = 80
# A marker older than this many turns speaks of another piece of work.
PHASE_TURNS = 10
# What nothing followed up for so many tools was given up.
_FAILURE_TOOLS = 20

_MARKER = re.compile(
    r"^[ \t]*(?:[-*>]+[ \t]+|#{1,6}[ \t]+|[^\w\s]{1,3}[ \t]+)?(?:\*\*|__)?"
    r"(?P<lead>(?:now|next|starting|begin|beginning|entering|moving (?:on )?to|on to|current"
    r"|continuing(?: with)?)[ \t:]+(?:with[ \t]+)?)?"
    r"(?P<kind>phase|step|stage|milestone|iteration)[ \t]+"
    r"(?P<number>\d{1,3}(?:\.\d{1,2})?|[IVX]{1,4}|[A-H])\b(?:/\d+|[ \t]+of[ \t]+\d+)?(?:\*\*)?"
    r"(?:[ \t]*[:–—-][ \t]*|[ \t]*\([ \t]*|[ \t]+(?=complete|done|finished))"
    r"(?P<name>[^\n]{2,200})",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.;!?](?:\s|$)")
_EDGES = " \t*_#()`.:-–—"

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


def extract_phase(content: WindowContent, todos: Sequence[Todo]) -> Phase:
    """Return the phase of the work at the window's end; an empty name when nothing tells it.

    Plan mode comes first, then the last explicit marker ("Phase 2: testing"; a list of several
    is an outline, not a marker), then the todo in progress. `source` is plan mode, marker or todo.
    """
    since = _planning_since(content)
    if since is not None:
        return Phase(name="planning", source=PLAN_MODE, offset=since)
    return _last_marker(content.steps) or phase_of_todos(todos) or Phase()


def phase_of_todos(todos: Sequence[Todo]) -> Phase | None:
    """Return the phase that the todo in progress names; None when none is."""
    active = [todo for todo in todos if todo.status is TodoStatus.IN_PROGRESS and not todo.parked]
    if not active or not active[-1].text:
        return None
    todo = active[-1]
    return Phase(name=one_line(todo.text, _PHASE_CHARS), source="todo", offset=todo.offset)


def _planning_since(content: WindowContent) -> int | None:
    """Return the place of the prompt at which the planning began that goes on; None without one.

    The client's attachments tell it, the two tools that enter and leave plan mode, and an edit of
    another file than the plan's. Where only a plan that the user rejected does, it is over with
    whatever is run.
    """
    told = [(step.offset, noted.plan_mode) for step, noted in content.noted]
    moves = [
        *((offset, _BEGINS if plans else _ENDS) for offset, plans in told if plans is not None),
        *((step.offset, _move(tool, content.window)) for step, tool in content.uses),
    ]
    since, is_told = None, False
    for offset, move in sorted(moves, key=lambda move: move[0]):
        if move == _ENDS or (move == _WORKS and not is_told):
            since, is_told = None, False
        elif move in (_BEGINS, _REJECTED):
            since = _begun_with(content, offset) if since is None else since
            is_told = is_told or move == _BEGINS
    return since


_BEGINS, _ENDS, _REJECTED, _WORKS = "begins", "ends", "rejected", "works"


def _begun_with(content: WindowContent, offset: int) -> int:
    """Return the place of the prompt before an offset; of a window's first the window's own."""
    begun = [said.entry.offset for said in content.prompts if said.entry.offset <= offset]
    return begun[-1] if len(begun) > 1 else content.window.start


def _move(tool: ToolUse, window: Window) -> str:
    """Return what a use of a tool tells of plan mode, if anything."""
    if tool.name == "ExitPlanMode" and tool.succeeded:
        return _ENDS
    if tool.name == "ExitPlanMode":
        by_user = was_refused(tool) and tool.result is not None and not tool.result.by_client
        return _REJECTED if by_user else ""
    if not tool.succeeded:
        return ""
    if tool.name in EDITORS:
        path = text_in(tool.input, "file_path") or text_in(tool.input, "notebook_path")
        return "" if path == window.plan_path or "/.claude/plans/" in path else _ENDS
    if tool.name == "EnterPlanMode":
        return _BEGINS
    looks = only_looked(tool) or bool(checks_of(tool))
    return _WORKS if bash_command(tool) and not looks else ""


def _last_marker(steps: list[TranscriptStep]) -> Phase | None:
    turns = 0
    for step in reversed(steps):
        if step.tool is None and turns <= PHASE_TURNS:
            found = _marker_in(step)
            if found is not None:
                return found
        turns += step.by_user
    return None


def _marker_in(step: TranscriptStep) -> Phase | None:
    found: dict[str, tuple[str, bool]] = {}
    for line in prose_lines(typed_or_said(step)):
        mark = _MARKER.match(line)
        if mark is not None:
            title = f"{mark['kind'].capitalize()} {mark['number']}"
            found[title] = (_titled(title, mark["name"]), mark["lead"] is not None)
    # Several that nobody announces are an outline of the work, not where it is.
    announced = [name for name, led in found.values() if led]
    names = announced or ([name for name, _ in found.values()] if len(found) == 1 else [])
    if not names:
        return None
    return Phase(name=one_line(names[-1], _PHASE_CHARS), source="marker", offset=step.offset)


def _titled(title: str, rest: str) -> str:
    if ")" in rest and "(" not in rest.partition(")")[0]:  # all of it stood in brackets
        rest = rest.partition(")")[0]
    rest = _SENTENCE_END.split(rest, maxsplit=1)[0].strip(_EDGES)
    joint = " " if rest.startswith(("complete", "done", "finished")) else ": "
    return f"{title}{joint}{rest}" if rest else title


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


RUNNING_LIMIT = 20
# As the client numbers the lines of a file that it reads.
_LINE_NUMBER = re.compile(r"^ *\d+(?:→|\t)", re.MULTILINE)
_RUNNING_CHARS = 160
_STOPS = ("TaskStop", "KillShell", "KillBash", "CronDelete")
_LOOKS = ("TaskOutput", "BashOutput", "AgentOutputTool")
_TASK_NAMES = ("task_id", "shell_id", "bash_id", "agentId", "id")
_RUNNING = frozenset(("running", "pending", "in_progress", ""))


def extract_running(content: WindowContent) -> tuple[RunningWork, ...]:
    """Return what was started in the window and is not known to have ended, oldest first."""
    ended = set(extract_ended(content))
    now = content.steps[-1].at if content.steps else ""
    started = (
        replace(work, error=_error_shown(work.task_id, content), **step.place)
        for step, tool in content.uses
        if (work := _started(tool)) is not None
        if work.task_id not in ended and not (work.ends_at and work.ends_at < now)
    )
    return tuple(started)[-RUNNING_LIMIT:]


def extract_ended(content: WindowContent) -> tuple[str, ...]:
    """Return the ids of the work that ended in the window: it was stopped, or said to be done."""
    told = (noted.ended for _, noted in content.noted)
    seen = (_ended_task(tool) for _, tool in content.uses)
    return tuple(dict.fromkeys(task_id for task_id in (*told, *seen) if task_id))


def extract_ended_well(content: WindowContent) -> tuple[str, ...]:
    """Return the ids of the work that came to its own end in the window and did not fail."""
    told = (noted.ended for _, noted in content.noted if noted.ended_well)
    ends = (end_seen(tool) for _, tool in content.uses)
    return tuple(dict.fromkeys((*told, *(task_id for task_id, well in ends if well))))


def _started(tool: ToolUse) -> RunningWork | None:
    """Return the work that a tool use left going on, without its place."""
    if tool.result is None or tool.result.is_error:
        return None
    data = as_object(tool.result.data)
    text, told = one_line(_started_as(tool), _RUNNING_CHARS), tool.input.get
    if tool.task_id:
        line = bash_command(tool)
        does = finished_actions(line, "", succeeded=True) if fails_as_a_whole(line) else ()
        return RunningWork(text=text, task_id=tool.task_id, does=tuple(does))
    if data.get("isAsync") and (task_id := text_in(data, "agentId")):
        return RunningWork(text=text, task_id=task_id, kind="agent")
    if tool.name == "Monitor" and (task_id := text_in(data, "taskId")):
        ends = "" if data.get("persistent") else _later(tool.timestamp, data.get("timeoutMs"))
        return RunningWork(text=text, task_id=task_id, kind="monitor", ends_at=ends)
    if tool.name == "CronCreate" and (task_id := text_in(data, "id")):
        when = data.get("humanSchedule") or told("cron")
        text = one_line(f"{when}: {told('prompt')}", _RUNNING_CHARS)
        ends = "" if data.get("recurring") else _later("", data.get("nextFireAt"))
        return RunningWork(text=text, task_id=task_id, kind="job", ends_at=ends)
    if tool.name == "ScheduleWakeup" and (ends := _later("", data.get("scheduledFor"))):
        text = one_line(f"at {ends[11:16]} UTC: {told('prompt')}", _RUNNING_CHARS)
        return RunningWork(text=text, kind="wakeup", ends_at=ends)
    return None


def _later(begun: str, milliseconds: object) -> str:
    """Return the time so long after another, or after 1970; empty where one is unknown."""
    if not isinstance(milliseconds, int | float) or not 0 <= milliseconds < _LATEST_MS:
        return ""
    try:
        start = datetime.fromisoformat(begun).timestamp() if begun else 0
    except ValueError:
        return ""
    return exact_utc_text(int(start * 1000 + milliseconds))


# In the year 2100.
_LATEST_MS = 4_102_444_800_000


def _started_as(tool: ToolUse) -> str:
    """Return what some work is, as the model described it, and the command that was started."""
    command = _TO_FOLDER.sub("", text_in(tool.input, "command"))
    described = text_in(tool.input, "description")
    return ": ".join(filter(None, (described, command))) or tool.used_on


_TO_FOLDER = re.compile(r"\A\s*cd\s[^\n;&|]{1,400}(?:&&|;|\n)\s*")
_WARNS = re.compile(r"\bwarn(?:ing)?\b", re.IGNORECASE)


def _error_shown(task_id: str, content: WindowContent) -> str:
    """Return the error that the last look at some work's output showed; empty without one."""
    if not task_id:
        return ""
    looks = (tool for _, tool in reversed([*content.uses]) if looks_at(task_id, tool))
    seen = next((tool.result.text for tool in looks if tool.result), "")
    lines = _LINE_NUMBER.sub("", seen).splitlines()
    errors = error_among(line for line in lines if not _WARNS.search(line))
    return one_line(errors, _RUNNING_CHARS)


def looks_at(task_id: str, tool: ToolUse) -> bool:
    """Return whether a tool read the output of some work, by its id or the file named after it."""
    return any(task_id in value for value in tool.input.values() if isinstance(value, str))


def _ended_task(tool: ToolUse) -> str:
    """Return the id of the work that a tool use stopped, or found at its end."""
    if tool.result is None:
        return ""
    if (task_id := end_seen(tool)[0]) != "":
        return task_id
    data = as_object(tool.result.data)
    status = text_in(as_object(data.get("task", data)), "status")
    is_over = not tool.succeeded or status not in _RUNNING
    is_stopped = tool.succeeded or "is not running" in tool.result.text
    if (tool.name in _STOPS and is_stopped) or (tool.name in _LOOKS and is_over):
        names = (text_in(tool.input, key) for key in _TASK_NAMES)
        return next(filter(None, names), "")
    return ""
