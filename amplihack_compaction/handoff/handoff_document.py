"""A session's handoff document: made from its ledger, kept on disk, and found again.

`handoff-document.txt` is the template. Rendered, every section has content or says that nothing
is recorded. A backslash before a first `#`, `=` or `(` keeps what was said from being taken for the
document's own marks. `<session>/handoffs/<checkpoint id>.txt` is the document, beside the
checkpoint made with it.
"""

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import reason_of
from amplihack_compaction.base.files import read_if_there, replace_atomically
from amplihack_compaction.base.folders import remove_oldest
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.context.levels import ContextStatus
from amplihack_compaction.extract.files_and_branch import names_file
from amplihack_compaction.extract.objective import is_done_by_hand, newest_prompt
from amplihack_compaction.extract.statements import Decision, SessionState, TodoStatus
from amplihack_compaction.extract.values import telling_values
from amplihack_compaction.handoff.checkpoint import (
    Checkpoint,
    Moment,
    create_checkpoint,
    feature_of,
    list_checkpoints,
)
from amplihack_compaction.handoff.session_offers import announce
from amplihack_compaction.injection.objective_lines import (
    earlier_aims,
    objective_words,
    since_current,
)
from amplihack_compaction.injection.render import in_force
from amplihack_compaction.injection.rule_lines import (
    lifted_lines,
    questioned_lines,
    replaced_lines,
    rule_lines,
)
from amplihack_compaction.injection.work_lines import (
    issue_lines,
    likely_learnings,
    pending_line,
    recent_lines,
    verify_lines,
)
from amplihack_compaction.ledger.edits import is_kept
from amplihack_compaction.text.words import counted, distinct_words, inert

TEMPLATE = Path(__file__).with_name("handoff-document.txt")
NOTHING = "(nothing recorded)"
_LINE_CHARS = 1000
_HEADS = ("feature", "created", "session_id", "checkpoint_id")
_MARK = re.compile(r"^(?=[#=(])")
HANDOFF_REASON = "handoff"
_LIMIT_BYTES = 1024 * 1024
_SLASH_COMMAND = re.compile(r"/[A-Za-z][\w:-]*(?:\s|$)")
_ITEMS = 40
_VALUES = 20
_LEARNED = 6


@dataclass(slots=True, kw_only=True)
class HandoffDocument:
    """A handoff; `progress` is in percent of the todos listed since the last prompt, if any.

    A file is a pair of its path and what it was changed for, a decision one of what it says and its
    reason; the second may be empty.
    """

    feature: str
    created: str = ""
    session_id: str = ""
    checkpoint_id: str = ""
    current_task: str = ""
    progress: int | None = None
    completed: list[str] = field(default_factory=list)
    in_progress: list[str] = field(default_factory=list)
    next_steps: list[str] = field(default_factory=list)
    files_modified: list[tuple[str, str]] = field(default_factory=list)
    issues: list[str] = field(default_factory=list)
    decisions: list[tuple[str, str]] = field(default_factory=list)
    context: str = ""

    @property
    def command(self) -> str:
        """The command that prints what is needed to go on from here, whatever came later."""
        return continue_command(_line(self.checkpoint_id))

    def to_json(self) -> dict[str, Any]:
        """Return the document as JSON values; files and decisions are pairs."""
        return asdict(self)


def continue_command(name: str) -> str:
    """Return the command that prints what is needed to go on with a feature or a checkpoint."""
    return f"{own_command()} feature continue {shlex.quote(name)}"


def _keep_command(session_id: str) -> str:
    named = f" --session {shlex.quote(_line(session_id))}" if session_id else ""
    return f"{own_command()} handoff{named}"


def render_handoff(document: HandoffDocument) -> str:
    """Return the document as text; each item is made one harmless line."""
    values = {name: _line(getattr(document, name)) or "unknown" for name in _HEADS}
    task = _as_no_mark(document.current_task)
    if task and document.progress is not None:
        task += f" ({document.progress}% complete)"
    values["current_task"] = task or NOTHING
    for name in ("completed", "in_progress", "issues"):
        values[name] = _items(getattr(document, name))
    values["next_steps"] = _items(document.next_steps, numbered=True)
    values["files_modified"] = _items(
        f"{path}: {why}" if why else path for path, why in document.files_modified
    )
    values["decisions"] = _items(
        f"{text} (because: {reason})" if reason else text for text, reason in document.decisions
    )
    lines = [_as_no_mark(line) for line in document.context.splitlines()]
    values["context"] = "\n".join(line for line in lines if line) or NOTHING
    if document.checkpoint_id:
        values["last_line"] = f"To go on: {document.command}"
    else:
        values["checkpoint_id"] = "none, only printed"
        values["last_line"] = f"To keep it: {_keep_command(document.session_id)}"
    return TEMPLATE.read_text(encoding="utf-8").format_map(values)


def _items(items: Iterable[str], numbered: bool = False) -> str:
    lines = [line for item in items if (line := _line(item))]
    if numbered:
        lines = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    else:
        lines = [f"- {line}" for line in lines]
    return "\n".join(lines) or NOTHING


def _as_no_mark(text: str) -> str:
    return _MARK.sub(r"\\", _line(text))


def _line(text: str) -> str:
    return " ".join(inert(text, _LINE_CHARS).split())


@dataclass(frozen=True, slots=True)
class Handoff:
    """A handoff document on disk, with the checkpoint that was made for it."""

    path: str
    text: str
    checkpoint: Checkpoint
    document: HandoffDocument


def create_handoff_document(moment: Moment, feature: str = "", *, by_hand: bool = False) -> Handoff:
    """Write the session's handoff document, make its checkpoint, and offer it to new sessions.

    Made `by_hand` of a session that has ended, the next one is offered it. Raises OSError when it
    cannot be written.
    """
    checkpoint = create_checkpoint(moment, HANDOFF_REASON, feature)
    document = build_handoff(moment.state, checkpoint, moment.transcript_path, moment.status)
    text = render_handoff(document)
    path = handoff_path(moment.root, checkpoint)
    replace_atomically(path, text.encode("utf-8", "replace"))
    remove_oldest(path.rpartition("/")[0], ".txt", moment.settings.snapshots)
    announce(moment.root, moment.offer(checkpoint.snapshot, path), by_hand=by_hand)
    return Handoff(path, text, checkpoint, document)


def preview_handoff(moment: Moment) -> str:
    """Return the session's handoff document as text; nothing is written."""
    unkept = Checkpoint(
        id="",
        session_id=moment.session_id,
        feature=feature_of(moment.root, moment.state),
        reason=HANDOFF_REASON,
        created=utc_text(),
        snapshot="",
    )
    return render_handoff(
        build_handoff(moment.state, unkept, moment.transcript_path, moment.status)
    )


def build_handoff(
    state: SessionState,
    checkpoint: Checkpoint,
    transcript_path: str = "",
    status: ContextStatus | None = None,
) -> HandoffDocument:
    """Return the handoff document of a session, filled from what its ledger has in force."""
    kept, holding, over = in_force(state)
    decisions = [
        made
        for made in state.decisions
        if made in holding.decisions or (is_kept(state, "decision", made) and not made.superseded)
    ]
    state = replace(holding, todos=state.todos, decisions=tuple(decisions))
    task, root = current_task(state), f"{state.root}/" if state.root else ""
    _, _, under = recent_lines(state, objective_words(state))
    in_progress = [
        *(todo.text for todo in state.open_todos if todo.status is TodoStatus.IN_PROGRESS),
        *(line.text for line in since_current(state, under, "Since the last prompt")),
    ]
    next_steps = list(_next_steps(state))[:_ITEMS]
    told = [*in_progress, *next_steps]
    by_hand = [line for line in kept if not line.startswith(("- todo:", "- decision:"))]
    context = [
        *_labelled("Kept by hand, ", by_hand),
        *_context(state, told, transcript_path, status),
        *_labelled("No longer in force, ", islice(lifted_lines(state), _ITEMS)),
        *_labelled("Replaced since: ", islice(replaced_lines(over), _ITEMS)),
    ]
    return HandoffDocument(
        feature=checkpoint.feature,
        created=checkpoint.created,
        session_id=checkpoint.session_id,
        checkpoint_id=checkpoint.id,
        current_task=task,
        progress=progress_percent(state),
        completed=[
            *(p.text for p in state.prompts[-1:] if is_done_by_hand(state, p)),
            *(t.text for t in reversed(state.todos) if t.status is TodoStatus.COMPLETED and t.text),
            *(step.text for step in reversed(state.progress)),
        ][:_ITEMS],
        in_progress=in_progress,
        next_steps=next_steps,
        files_modified=[
            # A prompt that does not name the file tells what was wanted then, not what was changed.
            (
                file.path.removeprefix(root),
                file.why if file.why != task and names_file(file.why, file.path) else "",
            )
            for file in reversed(state.files)
            if file.edits
        ][:_ITEMS],
        issues=list(open_issues(state))[:_ITEMS],
        decisions=[
            (decision_text(d), d.reason) for d in reversed(state.decisions) if not d.superseded
        ][:_ITEMS],
        context="\n".join(context),
    )


def find_handoff(root: str, name: str, problems: list[str]) -> tuple[Checkpoint, str] | None:
    """Return the newest checkpoint of a feature, and its handoff's text where it has one.

    `name` is a feature's, a checkpoint's id, or a session's id or its first eight characters and
    more. A checkpoint with a handoff comes before newer ones without. None when there is none.
    `problems` gets a sentence for each file and folder that cannot be read now.
    """
    known = list_checkpoints(root, problems)
    found = [checkpoint for checkpoint in known if _is_named(checkpoint, name)]
    for checkpoint in found:
        path = handoff_path(root, checkpoint)
        try:
            data = read_if_there(path, _LIMIT_BYTES)
        except OSError as error:
            problems.append(f"{path} cannot be read: {reason_of(error)}")
            continue
        if data is not None:
            return checkpoint, data.decode("utf-8", "replace")
    return (found[0], "") if found else None


def handoff_path(root: str, checkpoint: Checkpoint) -> str:
    """Return the file of the handoff that was made with a checkpoint, which may not exist."""
    return f"{session_folder(root, checkpoint.session_id)}/handoffs/{checkpoint.id}.txt"


def current_task(state: SessionState) -> str:
    """Return what the session is at: its objective, else the newest prompt."""
    return state.objective.text if state.objective is not None else newest_request(state)


def newest_request(state: SessionState) -> str:
    """Return the newest prompt that is no slash command: what these do is done.

    Empty where it was marked as done.
    """
    asking = (said for said in reversed(state.prompts) if not _SLASH_COMMAND.match(said.text))
    newest = next(asking, None)
    return "" if newest is None or is_done_by_hand(state, newest) else newest.text


def progress_percent(state: SessionState) -> int | None:
    """Return how many of the todos listed since the newest prompt are done, in percent.

    None without any: what was listed before tells nothing of what that asks for.
    """
    asked = state.prompts[-1].offset if state.prompts else -1
    counted = [t for t in state.todos if t.text and not t.parked and t.offset > asked]
    done = sum(todo.status is TodoStatus.COMPLETED for todo in counted)
    whole = done + sum(todo.is_open for todo in counted)
    return round(100 * done / whole) if whole else None


def open_issues(state: SessionState) -> Iterator[str]:
    """Yield what is in the way, newest first; a check that an issue tells of is not told again."""
    if state.strikes.count > 1:
        step = f" of {state.strikes.step}" if state.strikes.step else ""
        error = f": {state.strikes.error}" if state.strikes.error else ""
        yield f"{counted(state.strikes.count, 'failure')} in a row{step}{error}"
    for command in state.verify:
        told = any(
            command.text in (issue.command, *issue.text.split("`")) for issue in state.issues
        )
        if command.passed is False and not told:
            yield f"{command.text} failed when last run"
    for issue in reversed(state.issues):
        yield issue.text


def decision_text(made: Decision) -> str:
    """Return a decision as one sentence, with its question, and who wrote it if not the user."""
    return f"{made.by}{made.asked}{' -> ' if made.asked else ''}{made.text}"


def _last_prompt(state: SessionState) -> str:
    """Return the newest prompt where it is another than the task."""
    last = newest_prompt(state)
    if last is None or is_done_by_hand(state, last):
        return ""
    return last.text if last.text != current_task(state) else ""


def _next_steps(state: SessionState) -> Iterator[str]:
    if current_task(state) and progress_percent(state) is None and not any(pending_line(state)):
        last = _last_prompt(state)
        yield f'Last prompt: "{last}"' if last else "The current task: no todo was listed for it"
    pending = [todo for todo in state.open_todos if todo.status is TodoStatus.PENDING]
    for todo in sorted(pending, key=lambda todo: todo.parked):
        yield todo.text + (" (from an earlier list, never marked done)" if todo.parked else "")


def _context(
    state: SessionState, told: list[str], transcript_path: str, status: ContextStatus | None
) -> Iterator[str]:
    """Yield what else is known, but for what is `told` above."""
    task, last = current_task(state), _last_prompt(state)
    yield from _labelled("Standing rule: ", rule_lines(state, sure=True))
    yield from _labelled("Rule that may have been meant once: ", rule_lines(state, sure=False))
    yield from _labelled("Rule that may have changed: ", questioned_lines(state))
    aims = (*objective_words(state), *(aim.text for aim in earlier_aims(state).among_prompts))
    begun = (words for words in dict.fromkeys(aims) if words not in (task, last))
    yield from (f'The task goes on from: "{words}"' for words in begun if words)
    if state.phase.name:
        yield f"Phase: {state.phase.name}"
    if state.branch:
        yield f"Git branch: {state.branch}"
    checks = verify_lines(state, list(issue_lines(state)))
    yield from (f"Checked, {line.removeprefix('- ')}" for line in checks)
    for value in list(telling_values(state))[: -_VALUES - 1 : -1]:
        stood = f' ("{value.context}")' if value.context not in ("", value.text) else ""
        yield f"Exact {value.kind}: {value.text}{stood}"
    for approach in reversed(state.failed):
        reason = f" ({approach.reason})" if approach.reason else ""
        yield f"Tried and given up: {approach.text}{reason}"
    known = set().union(*map(distinct_words, told))
    learned = [learning for _, learning in islice(likely_learnings(state, known), _LEARNED)]
    learned.sort(key=lambda learning: -learning.offset)
    yield from (f"Learned, model: {learning.text}" for learning in learned)
    if last and (prompt := f'Last prompt: "{last}"') not in told:
        yield prompt
    if status is not None:
        share = f"{status.usage_percentage:.0f} %"
        yield f"Context: {status.current_tokens} of {status.max_tokens} tokens ({share})"
    if transcript_path:
        yield f"Transcript: {transcript_path}"


def _labelled(label: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of the injection with a label in place of their dashes."""
    yield from (f"{label}{line.removeprefix('- ')}" for line in lines)


def _is_named(checkpoint: Checkpoint, name: str) -> bool:
    if checkpoint.feature.casefold() == name.casefold() or checkpoint.id == name:
        return True
    return len(name) >= 8 and checkpoint.session_id.startswith(name)
