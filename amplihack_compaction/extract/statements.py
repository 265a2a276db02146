"""The session's state: everything worth keeping across a compaction, as stored and merged.

Items remember where they were said: `uuid` of the transcript's entry and `offset` of its line,
which orders all statements of a session. The model crosses processes and disk, so it carries a
version, and unknown keys are ignored. Texts are the user's or the model's own words.
"""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

STATE_VERSION = 1
BY_PLAN = "plan"
"""The source of a plan that the user approved: he agreed to it, the words are the model's."""
PLAN_APPROVED = "the approval of the plan"
"""Stands for the words that lifted what was barred until there was a plan."""
_WRITTEN_BY = {BY_PLAN: "model's plan, approved: ", "model": "model: "}


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A statement: its words, and the entry, byte offset, time and window they were said in.

    `position` orders the statements of one entry.
    """

    text: str
    uuid: str = ""
    offset: int = 0
    position: int = 0
    at: str = ""
    window: int = 0

    @property
    def key(self) -> str:
        """The words that tell it from others of its kind in the same entry."""
        return self.text


class RuleKind(StrEnum):
    """What a rule asks for."""

    PROHIBITION = "prohibition"
    OBLIGATION = "obligation"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftedClause:
    """A clause of a rule that was lifted: `by` these words, said at this offset."""

    text: str
    by: str
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Item):
    """A standing rule in the user's words; `retired_by` holds the words that lifted it.

    `lifted` are clauses of it that are over, while the rest stands.
    `questioned_by` holds later words that may have lifted it: it stands, with these beside it.
    Where they may be another's (`questioned_by_other`), calls are held against it as before.
    `after` says what the model did before it, where the rule speaks of that; `asked_with` what
    else its prompt asked for; `noted` that the model did nothing on these words but take note of
    them. Of an `unsure_author` it supersedes no other rule.
    """

    kind: RuleKind = RuleKind.OBLIGATION
    retired_by: str = ""
    retired_offset: int = -1
    questioned_by: str = ""
    questioned_by_other: bool = False
    after: str = ""
    asked_with: str = ""
    noted: bool = False
    unsure_author: bool = False
    lifted: tuple[LiftedClause, ...] = ()

    @property
    def standing(self) -> str:
        """The rule without its clauses that were lifted."""
        text = self.text
        for clause in self.lifted:
            text = text.replace(clause.text, "…")
        return text

    @property
    def lifted_of_it(self) -> str:
        """The clauses that were lifted, as told beside the rule; empty for none."""
        told = "; ".join(f'"{clause.text}"' for clause in self.lifted)
        return f"(lifted of it: {told})" if told else ""

    @property
    def active(self) -> bool:
        """Whether the rule still stands."""
        return not self.retired_by

    @property
    def whole(self) -> str:
        """The rule in quotation marks, with what it was said after."""
        after = f" (after {self.after})" if self.after else ""
        return f'"{self.text}"{after} {self.lifted_of_it}'.rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraction(Item):
    """Words that lift rules said before them; `target` is what they speak of, empty for all.

    A `guess` may only lift: it puts rules in question. What is `limited` lets off one time or one
    place: it puts rules in question, too, and so do words of an `unsure_author`.
    """

    target: str = ""
    guess: bool = False
    limited: bool = False
    unsure_author: bool = False


SAID_WITH = ' (said: "'
"""What stands in a decision between the option that was taken and the user's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Item):
    """A choice that was made: `question` and `reason` where they are known.

    `source` is answer (a multiple-choice answer), plan (an approved plan) or statement; older
    ledgers also have what the model decided by itself. `options` are all that could be chosen.
    """

    question: str = ""
    options: tuple[str, ...] = ()
    reason: str = ""
    source: str = "statement"
    superseded: bool = False

    @property
    def key(self) -> str:
        """The question, too: of equal answers each is one."""
        return f"{self.question} {self.text}"

    @property
    def by(self) -> str:
        """Who wrote the words, said before them where it was not the user."""
        return _WRITTEN_BY.get(self.source, "")

    @property
    def asked(self) -> str:
        """The question, where it is known and the text does not begin with it."""
        return "" if self.text.startswith(self.question) else self.question


class TodoStatus(StrEnum):
    """Where a todo stands."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


OPEN_STATUSES = frozenset({TodoStatus.PENDING, TodoStatus.IN_PROGRESS})


class TodoSource(StrEnum):
    """Where a todo was written down."""

    TODO_WRITE = "todo_write"
    TASK = "task"
    CHECKLIST = "checklist"
    MARKER = "marker"
    USER_TODOS = "user_todos"


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo(Item):
    """A piece of work; `task_id` for the client's tasks, with their description as `detail`.

    `parked` means that a later list replaced the one it stood on without a word on it: it was
    never marked done.
    """

    status: TodoStatus = TodoStatus.PENDING
    source: TodoSource = TodoSource.MARKER
    task_id: str = ""
    parked: bool = False
    detail: str = ""

    @property
    def is_open(self) -> bool:
        """Whether there is still work to do."""
        return self.status in OPEN_STATUSES


class ValueKind(StrEnum):
    """What an exact value is."""

    URL = "url"
    PATH = "path"
    PORT = "port"
    VERSION = "version"
    IDENTIFIER = "identifier"
    QUANTITY = "quantity"
    QUOTED = "quoted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactValue(Item):
    """A value that must survive to the letter; `context` is the sentence it stood in."""

    kind: ValueKind = ValueKind.QUOTED
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRecord(Item):
    """A prompt as the user said it; `pasted` counts characters of pasted text left out.

    `handed` is what tells of that: what somebody else wrote, or an error in it. `queued` was typed
    while the model worked on the prompt before. `unanswered` is what the user stopped, or said anew
    before the model said or did anything.
    """

    pasted: int = 0
    handed: str = ""
    queued: bool = False
    unanswered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LongPrompt(Item):
    """A prompt with all that was typed and pasted, where the others have it shortened.

    `is_document` tells a specification or a plan from a log, which nobody needs later.
    """

    is_document: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective(Item):
    """A prompt that sets what the session is after.

    `switches` says that it turns away from what was asked before, instead of going on from it;
    `chance` how likely it sets new work, from 0 to 1; `handed` is the mail, ticket, review or
    error that was pasted with it, which is nothing that the user said.
    """

    switches: bool = False
    chance: float = 0.0
    handed: str = ""


class VerifyKind(StrEnum):
    """What a verify command checks."""

    TEST = "test"
    BUILD = "build"
    LINT = "lint"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyCommand(Item):
    """A command that checks the work; `passed` is None when its result is unknown."""

    kind: VerifyKind = VerifyKind.TEST
    passed: bool | None = None

    @property
    def result(self) -> str:
        """How it went, in words."""
        return "result unknown" if self.passed is None else "passed" if self.passed else "failed"


PLAN_MODE = "plan mode"
"""What told that the session plans: the client lets the model change nothing meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """Where in the work the session is; `source` says what told it.

    Planning began with the prompt at `offset`; another phase was told there.
    """

    name: str = ""
    source: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Strikes:
    """Consecutive failures of one kind of step (`step`); reset by its success."""

    count: int = 0
    step: str = ""
    error: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRecord:
    """One tool use; `succeeded` is None when no result was recorded, `error` tells of a failure."""

    id: str = ""
    name: str
    detail: str = ""
    succeeded: bool | None = None
    error: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """A file that was read or edited; `why` is the last prompt under which it was edited.

    `made` has the names of what its newest edits brought in: functions, types, constants.
    `changed_offset` is where it was edited last, 0 for never.
    """

    path: str
    reads: int = 0
    edits: int = 0
    why: str = ""
    made: tuple[str, ...] = ()
    offset: int = 0
    changed_offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue(Item):
    """Something unsolved; `command` is the one that had failed before it was told, if any."""

    command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedApproach(Item):
    """Something that was tried, failed and was given up; `reason` says why.

    Or a command that was `refused` and not run since: by the user, or by what `reason` names.
    """

    reason: str = ""
    refused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning(Item):
    """What the model said that it found out or did; `weight` is how much it is needed, but for age.

    That is the logarithm of the odds.
    """

    weight: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningWork(Item):
    """What goes on in the background, by the id that the client gave it, if it gave one.

    `kind` is command, agent, monitor (it tells of each line that a command prints), job (a prompt
    that comes at set times) or wakeup (one that comes once). `error` is what its output was last
    seen to tell of one. It is over at `ends_at`, where that is known. `does` is what it has
    finished outside the working tree once it has ended well, and `serves` the command of it that
    serves, with its folder.
    """

    task_id: str = ""
    error: str = ""
    serves: str = ""
    kind: str = "command"
    ends_at: str = ""
    does: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDigest(Item):
    """One turn in short: `text` is the prompt, `answer` the model's last words.

    `tools` names those that were used, but for a shell that only showed what is there.
    `offer` is more of a long answer that asks at its end, for a prompt that only says "do it".
    `uses_since` counts the uses of tools behind the last words, or the prompt, of a window's end.
    """

    answer: str = ""
    offer: str = ""
    tools: tuple[str, ...] = ()
    uses_since: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What is kept of a window and of a session alike; counts are of the main chain.

    `long_prompts` are the newest of those that `prompts` has shortened, whole.
    `remarks` may be rules or choices, though their wording does not tell. `instructions` are the
    files of them that came with files that were read, the newest last. `changed_offset` is where
    the working tree was changed last, and `committed_offset` where its changes were last committed,
    stashed or taken back; 0 for never.
    """

    prompts: tuple[PromptRecord, ...] = ()
    long_prompts: tuple[LongPrompt, ...] = ()
    rules: tuple[Rule, ...] = ()
    remarks: tuple[Rule, ...] = ()
    decisions: tuple[Decision, ...] = ()
    todos: tuple[Todo, ...] = ()
    values: tuple[ExactValue, ...] = ()
    verify: tuple[VerifyCommand, ...] = ()
    phase: Phase = Phase()
    strikes: Strikes = Strikes()
    tools: tuple[ToolRecord, ...] = ()
    files: tuple[FileRecord, ...] = ()
    failed: tuple[FailedApproach, ...] = ()
    issues: tuple[Issue, ...] = ()
    learnings: tuple[Learning, ...] = ()
    progress: tuple[Item, ...] = ()
    recent: tuple[TurnDigest, ...] = ()
    addresses: tuple[Item, ...] = ()
    running: tuple[RunningWork, ...] = ()
    instructions: tuple[str, ...] = ()
    root: str = ""
    branch: str = ""
    changed_offset: int = 0
    committed_offset: int = 0
    model: str = ""
    turns: int = 0
    messages: int = 0
    tool_uses: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowState(Findings):
    """What one window says: the extractors' findings, before they are merged.

    `solved` has what was called fixed, `acts` what was run at all of what lasts, `went_well` the
    kinds of step that went well when they were last taken, `ended` the ids of background work,
    `ended_well` of what came to its own end without failing. `cut` names what a window of extreme
    size said beyond the bounds, and is not in here.
    """

    index: int = 0
    start: int = 0
    objectives: tuple[Objective, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    solved: tuple[Item, ...] = ()
    acts: tuple[str, ...] = ()
    went_well: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    ended_well: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState(Findings):
    """The ledger: all windows of a session, merged; the newest one holds everything.

    `objective` is the latest one, `continues` the prompts that it goes on from (oldest first),
    `past_objectives` what was turned away from. `covered_bytes` is the offset up to which the
    transcript's windows are merged in, and `covered_uuid` the boundary that lies there (empty at
    the end of an open window). `skipped` counts the transcript's lines that could not be read.
    `pinned` has the ids of what was remembered or pinned by hand.
    """

    version: int = STATE_VERSION
    session_id: str = ""
    windows: int = 0
    covered_bytes: int = 0
    covered_uuid: str = ""
    objective: Objective | None = None
    continues: tuple[Objective, ...] = ()
    past_objectives: tuple[Objective, ...] = ()
    pinned: tuple[str, ...] = ()
    skipped: int = 0

    @property
    def active_rules(self) -> tuple[Rule, ...]:
        """The rules that still stand, oldest first."""
        return tuple(rule for rule in self.rules if rule.active)

    @property
    def questioned_rules(self) -> tuple[Rule, ...]:
        """The rules that stand though later words may have lifted them, oldest first."""
        return tuple(rule for rule in self.active_rules if rule.questioned_by)

    @property
    def open_todos(self) -> tuple[Todo, ...]:
        """The work still to do, in the order it was written down.

        A task whose subject was never seen has no text, and is left out.
        """
        return tuple(todo for todo in self.todos if todo.is_open and todo.text)


def field_values(value: Any) -> dict[str, Any]:
    """Return what a dataclass value holds, by the names of its fields.

    Unlike `dataclasses.asdict` it neither copies nor goes into what the fields hold.
    """
    return {each.name: getattr(value, each.name) for each in fields(value)}


def as_item(said: Item) -> Item:
    """Return what was said, when and where, without what its kind adds to that."""
    return Item(**{each.name: getattr(said, each.name) for each in fields(Item)})
