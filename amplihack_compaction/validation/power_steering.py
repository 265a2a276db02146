"""Ask a session's considerations; today that is whether its compaction was survived."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.validation.considerations import (
    COMPACTION_CHECKER,
    Consideration,
    load_steering,
)
from amplihack_compaction.validation.context import CompactionContext, ValidationResult
from amplihack_compaction.validation.reading import root_text
from amplihack_compaction.validation.validator import CompactionValidator

# What unforeseen input can raise; a check that fails must not stop anybody's work.
_FAULTS = (
    ArithmeticError, AttributeError, CompactionError, ImportError, LookupError, OSError,
    RuntimeError, TypeError, ValueError,
)  # fmt: skip


@dataclass(slots=True)
class CheckedConsideration:
    """A consideration's answer; `executed` is False where it was off or has no known checker."""

    id: str
    satisfied: bool = True
    reason: str = ""
    recovery_steps: list[str] = field(default_factory=list)
    executed: bool = True
    question: str = ""
    category: str = ""
    severity: str = "warning"


@dataclass(slots=True)
class SteeringResult:
    """All answers; `notes` say what could not be read or checked."""

    considerations: list[CheckedConsideration] = field(default_factory=list)
    compaction_context: CompactionContext = field(default_factory=CompactionContext)
    enabled: bool = True
    notes: list[str] = field(default_factory=list)

    @property
    def satisfied(self) -> bool:
        """Whether no consideration that was asked failed."""
        return all(item.satisfied for item in self.considerations)


class PowerSteeringChecker:
    """Checks one project's sessions by its configured considerations."""

    def __init__(self, project_root: Path | str) -> None:
        self.project_root = Path(project_root)
        self.steering = load_steering(root_text(project_root))
        self.validator = CompactionValidator(project_root)

    def check(self, transcript: Sequence[dict[str, Any]] | None, session_id: str) -> SteeringResult:
        """Ask every consideration that is on; fails open.

        `transcript` is what `CompactionValidator.validate` takes.
        """
        result = SteeringResult(enabled=self.steering.enabled, notes=list(self.steering.notes))
        for consideration in self.steering.considerations:
            result.considerations.append(
                self._answer(consideration, transcript, session_id, result)
            )
        return result

    def _answer(
        self,
        consideration: Consideration,
        transcript: Sequence[dict[str, Any]] | None,
        session_id: str,
        result: SteeringResult,
    ) -> CheckedConsideration:
        answer = CheckedConsideration(
            consideration.id,
            executed=False,
            question=consideration.question,
            category=consideration.category,
            severity=consideration.severity,
        )
        if not (self.steering.enabled and consideration.enabled):
            answer.reason = "turned off by the configuration"
            return answer
        checker = self._checkers().get(consideration.checker)
        if checker is None:
            answer.reason = f"no checker of the name {consideration.checker!r}"
            result.notes.append(f"{consideration.id}: {answer.reason}")
            return answer
        answer.executed = True
        checker(transcript, session_id, answer, result)
        return answer

    def _checkers(
        self,
    ) -> dict[
        str,
        Callable[
            [Sequence[dict[str, Any]] | None, str, CheckedConsideration, SteeringResult], None
        ],
    ]:
        """Return the known checkers: a name from a file never reaches anything else."""
        return {COMPACTION_CHECKER: self._answer_compaction}

    def _answer_compaction(
        self,
        transcript: Sequence[dict[str, Any]] | None,
        session_id: str,
        answer: CheckedConsideration,
        result: SteeringResult,
    ) -> None:
        validation = self._validate(transcript, session_id)
        result.compaction_context = validation.compaction_context
        result.notes += validation.notes
        answer.satisfied = validation.passed
        answer.reason = "; ".join(validation.warnings or validation.notes)
        answer.recovery_steps = list(validation.recovery_steps)

    def _check_compaction_handling(
        self, transcript: Sequence[dict[str, Any]] | None, session_id: str
    ) -> bool:
        """Return whether nothing that mattered is known to be lost; fails open."""
        return self._validate(transcript, session_id).passed

    def _validate(
        self, transcript: Sequence[dict[str, Any]] | None, session_id: str
    ) -> ValidationResult:
        try:
            return self.validator.validate(transcript=transcript, session_id=session_id)
        except _FAULTS as error:
            note = f"the compaction could not be checked: {type(error).__name__}: {error}"
            return ValidationResult(True, notes=[note])
