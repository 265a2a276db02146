"""Validate that what mattered survived a session's latest compaction.

Reads the events that the hooks record, compares the window that was compacted with what the
model has now, and never stands in the way: what cannot be read or compared is said, not guessed.
"""

from collections.abc import Sequence
from pathlib import Path

from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.base.redaction.redact import use_project
from amplihack_compaction.validation.checks import (
    Check,
    check_objectives,
    check_recent,
    check_rules,
    check_todos,
    todo_fates,
)
from amplihack_compaction.validation.context import CompactionContext, ValidationResult
from amplihack_compaction.validation.events import latest_event, read_events
from amplihack_compaction.validation.reading import read_transcript, root_text
from amplihack_compaction.validation.sides import (
    Messages,
    context_of,
    gap_between,
    recorded_window,
    sides_of,
    split_transcript,
    two_sides,
)


class CompactionValidator:
    """Validates compactions of one project's sessions."""

    def __init__(self, project_root: Path | str) -> None:
        self.project_root = Path(project_root)
        self._root = root_text(project_root)
        use_project(self._root)
        self.runtime_dir = Path(runtime_folder(self._root))

    def load_compaction_context(self, session_id: str) -> CompactionContext:
        """Return the session's latest compaction with its transcript; never raises.

        Without a readable event the defaults come back. The transcript is None where it is
        missing, unreadable, too large, or not inside the project; the last is flagged.
        """
        read = read_events(self._root)
        event = latest_event(read.events, session_id)
        if event is None:
            return CompactionContext(note=read.problem)
        transcript = read_transcript(self._root, event.pre_compaction_transcript_path)
        return CompactionContext(
            has_compaction_event=True,
            turn_at_compaction=event.turn_number,
            messages_removed=event.messages_removed,
            pre_compaction_transcript=transcript.messages,
            timestamp=event.timestamp or None,
            has_security_violation=transcript.is_violation,
            note=transcript.problem,
        )

    def validate(self, transcript: Messages | None, session_id: str) -> ValidationResult:
        """Compare the session's present transcript with what its latest compaction took away.

        `transcript` is what the model has: flat messages, or the entries of the client's file, of
        which only what follows the last compaction counts. It alone tells what reached the model:
        what was recorded is not needed, and without what follows the compaction nothing passes.
        Where the pre-compaction transcript is not available, or is another compaction's, the
        given one serves for both sides.
        """
        context = self.load_compaction_context(session_id)
        if not isinstance(transcript, (list, tuple)):
            return _unchecked(context, "there is no current transcript to compare with")
        split = split_transcript(transcript)
        before = recorded_window(context, split)
        used_fallback = before is None and (context.has_compaction_event or split.is_compacted)
        if before is None and split.is_compacted:
            before, context = split.before, context_of(split, context)
        gap = gap_between(context, split, before)
        if before is None or gap is not None:
            return _unchecked(context, gap or "", used_fallback)
        sides = sides_of(before, split, transcript)
        fates = todo_fates(sides.before, sides.now)
        checks = [
            check_rules(sides.rules, sides.now),
            check_todos(fates),
            check_objectives(sides.before, fates, sides.now, sides.after),
            check_recent(sides.before, sides.now, context.turn_at_compaction, sides.results),
        ]
        return _result(checks, context, used_fallback)

    def validate_todos(
        self, pre_compaction: Messages, post_compaction: Messages
    ) -> ValidationResult:
        """Return whether the open todos survived; each lost one is named."""
        sides = two_sides(pre_compaction, post_compaction)
        return _result([check_todos(todo_fates(sides.before, sides.now))])

    def validate_objectives(
        self, pre_compaction: Messages, post_compaction: Messages
    ) -> ValidationResult:
        """Return whether what the session is after is still clear."""
        sides = two_sides(pre_compaction, post_compaction)
        fates = todo_fates(sides.before, sides.now)
        return _result([check_objectives(sides.before, fates, sides.now, sides.after)])

    def validate_recent_context(
        self, pre_compaction: Messages, post_compaction: Messages, context: CompactionContext
    ) -> ValidationResult:
        """Return whether the last ten turns survived, and name gaps at the compaction point."""
        sides = two_sides(pre_compaction, post_compaction)
        check = check_recent(sides.before, sides.now, context.turn_at_compaction, sides.results)
        return _result([check], context)


def _unchecked(
    context: CompactionContext, note: str, used_fallback: bool = False
) -> ValidationResult:
    return ValidationResult(
        True,
        compaction_context=context,
        used_fallback=used_fallback,
        notes=[note] if note else [],
        checked=False,
    )


def _result(
    checks: Sequence[Check],
    context: CompactionContext | None = None,
    used_fallback: bool = False,
) -> ValidationResult:
    warnings = [warning for check in checks for warning in check.warnings]
    return ValidationResult(
        passed=not warnings,
        warnings=warnings,
        recovery_steps=[step for check in checks for step in check.steps],
        compaction_context=context if context is not None else CompactionContext(),
        used_fallback=used_fallback,
        notes=[note for check in checks for note in check.notes],
    )
