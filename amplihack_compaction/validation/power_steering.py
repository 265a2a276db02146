"""Ask a session's considerations; today that is whether its compaction was survived.

Two files in `<root>/.claude/tools/amplihack`, both optional, and the same in `tools/amplihack` of
the client's own folder, which is the user's:
`.power_steering_config`, a JSON object: `enabled` (false turns everything off) and
`checkers_enabled`, a map of consideration ids to booleans;
`considerations.yaml`, a list of mappings with id, category, question, description, severity,
checker and enabled. What is not listed there keeps its default.

A repository brings its files with it: in a hook the check after a compaction is switched off by the
user's alone. Who calls the class has chosen the project, and its files switch as they did.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.folders import read_inside
from amplihack_compaction.base.settings import config_path
from amplihack_compaction.validation.before_and_after import Compacted, root_text
from amplihack_compaction.validation.events import CompactionContext, ValidationResult
from amplihack_compaction.validation.losses import LossReport
from amplihack_compaction.validation.validator import CompactionValidator

Transcript = Sequence[dict[str, Any]] | Compacted | None
CONFIG_FOLDER = ".claude/tools/amplihack"
CONFIG_FILE = ".power_steering_config"
CONSIDERATIONS_FILE = "considerations.yaml"
FILE_LIMIT_BYTES = 64 * 1024
COMPACTION_HANDLING = "compaction_handling"
COMPACTION_CHECKER = "_check_compaction_handling"


@dataclass(frozen=True, slots=True)
class Consideration:
    """One question that is asked of a session, and the checker that answers it."""

    id: str
    category: str = ""
    question: str = ""
    description: str = ""
    severity: str = "warning"
    checker: str = ""
    enabled: bool = True

    @property
    def is_off(self) -> bool:
        """Whether the check of a compaction is switched off, or given a checker of another."""
        is_known = self.enabled and self.checker == COMPACTION_CHECKER
        return self.id == COMPACTION_HANDLING and not is_known


DEFAULTS = (
    Consideration(
        COMPACTION_HANDLING,
        "Session Completion & Progress",
        "Did everything that matters survive the compaction?",
        "Compares the conversation with the transcript from before its latest compaction.",
        "warning",
        COMPACTION_CHECKER,
    ),
)


@dataclass(frozen=True, slots=True)
class Steering:
    """The configuration in force; `notes` say which file was not understood."""

    enabled: bool = True
    considerations: tuple[Consideration, ...] = DEFAULTS
    notes: list[str] = field(default_factory=list)


_NOT_SWITCHED = f"{CONFIG_FOLDER} of a project cannot switch off the check"


def load_steering(root: str, *, is_switched_by_project: bool = True) -> Steering:
    """Return the configuration of a project; a missing file is normal, a broken one noted."""
    notes: list[str] = []
    own = _read(config_path(), CONFIG_FOLDER.removeprefix(".claude/"), notes)
    shared = _read(root, CONFIG_FOLDER, notes)
    found = {item.id: item for item in own.considerations}
    for item in shared.considerations:
        if item in DEFAULTS:
            continue
        found_own = found.get(item.id, item)
        if not is_switched_by_project and item.is_off:
            notes.append(_NOT_SWITCHED)
            found[item.id] = replace(item, enabled=found_own.enabled, checker=COMPACTION_CHECKER)
        else:
            found[item.id] = replace(item, enabled=item.enabled and found_own.enabled)
    if not (is_switched_by_project or shared.enabled):
        notes.append(_NOT_SWITCHED)
    is_on = own.enabled and (shared.enabled or not is_switched_by_project)
    return Steering(is_on, tuple(found.values()), notes)


def _read(root: str, folder: str, notes: list[str]) -> Steering:
    config = _load(root, f"{folder}/{CONFIG_FILE}", json.loads, dict, notes) or {}
    listed = _load(root, f"{folder}/{CONSIDERATIONS_FILE}", _parse_yaml, list, notes) or []
    switches = config.get("checkers_enabled")
    switches = switches if isinstance(switches, dict) else {}
    found = {item.id: item for item in DEFAULTS}
    for raw in listed:
        item = _read_consideration(raw, notes)
        if item is not None:
            found[item.id] = item
    considerations = tuple(
        replace(item, enabled=item.enabled and switches.get(item.id) is not False)
        for item in found.values()
    )
    return Steering(config.get("enabled") is not False, considerations, notes)


def _load(root: str, name: str, parse: Callable[[str], Any], kind: type, notes: list[str]) -> Any:
    """Return the file's value when it is of the expected kind; None for a missing file."""
    data = read_inside(root, name, FILE_LIMIT_BYTES)
    path, name = f"{root}/{name}", name.rpartition("/")[2]
    if data is None:
        if os.path.lexists(path):
            notes.append(f"{name} cannot be read or is larger than 64 KiB: defaults are used")
        return None
    try:
        value = parse(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        reason = str(error).partition("\n")[0]
        notes.append(f"{name} is broken ({reason}): defaults are used")
        return None
    if value is not None and not isinstance(value, kind):
        notes.append(f"{name} holds no {kind.__name__}: defaults are used")
        return None
    return value


def _parse_yaml(text: str) -> Any:
    """Return the value of YAML text, of which JSON is a part; raises ValueError."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    import yaml

    class Loader(yaml.SafeLoader):
        """Refuses aliases: merged into one another they grow without bound."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("aliases are not supported")
            return super().compose_node(parent, index)

    try:
        return yaml.load(text, Loader=Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, TypeError, OverflowError, LookupError, AttributeError) as error:
        raise ValueError(str(error)) from error


def _read_consideration(raw: object, notes: list[str]) -> Consideration | None:
    if not isinstance(raw, dict) or not isinstance(raw.get("id"), str):
        notes.append(f"{CONSIDERATIONS_FILE}: an entry without an id was left out")
        return None
    texts = {
        key: value
        for key in ("category", "question", "description", "severity", "checker")
        if isinstance(value := raw.get(key), str)
    }
    if raw["id"] == COMPACTION_HANDLING:
        texts.setdefault("checker", COMPACTION_CHECKER)
    return Consideration(raw["id"], enabled=raw.get("enabled") is not False, **texts)


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
    """All answers; `notes` say what could not be read or checked.

    `losses` has every item of the compaction that was checked, `recent_warnings` what is said of
    the last turns before it.
    """

    considerations: list[CheckedConsideration] = field(default_factory=list)
    compaction_context: CompactionContext = field(default_factory=CompactionContext)
    enabled: bool = True
    notes: list[str] = field(default_factory=list)
    losses: LossReport | None = None
    recent_warnings: list[str] = field(default_factory=list)

    @property
    def satisfied(self) -> bool:
        """Whether no consideration that was asked failed."""
        return all(item.satisfied for item in self.considerations)


class PowerSteeringChecker:
    """Checks one project's sessions by its configured considerations."""

    def __init__(self, project_root: Path | str, *, is_switched_by_project: bool = True) -> None:
        self.project_root = Path(project_root)
        self.steering = load_steering(
            root_text(project_root), is_switched_by_project=is_switched_by_project
        )
        self.validator = CompactionValidator(project_root)

    def check(self, transcript: Transcript, session_id: str) -> SteeringResult:
        """Ask every consideration that is on; fails open.

        `transcript` is what `CompactionValidator.validate` takes.
        """
        result = SteeringResult(enabled=self.steering.enabled, notes=list(self.steering.notes))
        for asked in self.steering.considerations:
            answer = CheckedConsideration(
                asked.id,
                executed=False,
                question=asked.question,
                category=asked.category,
                severity=asked.severity,
            )
            result.considerations.append(answer)
            checker = self._checkers().get(asked.checker)
            if not (self.steering.enabled and asked.enabled):
                answer.reason = "turned off by the configuration"
            elif checker is None:
                answer.reason = f"no checker of the name {asked.checker!r}"
                result.notes.append(f"{asked.id}: {answer.reason}")
            else:
                answer.executed = True
                checker(transcript, session_id, answer, result)
        return result

    def _checkers(
        self,
    ) -> dict[str, Callable[[Transcript, str, CheckedConsideration, SteeringResult], None]]:
        """Return the known checkers: a name from a file never reaches anything else.

        A subclass adds its own, as `docs/extending.md` shows.
        """
        return {COMPACTION_CHECKER: self._answer_compaction}

    def _answer_compaction(
        self,
        transcript: Transcript,
        session_id: str,
        answer: CheckedConsideration,
        result: SteeringResult,
    ) -> None:
        validation = self._validate(transcript, session_id)
        result.compaction_context = validation.compaction_context
        result.notes += validation.notes
        result.losses = validation.losses
        result.recent_warnings = list(validation.recent_warnings)
        answer.satisfied = validation.passed
        answer.reason = "; ".join(validation.warnings or validation.notes)
        answer.recovery_steps = list(validation.recovery_steps)

    def _check_compaction_handling(self, transcript: Transcript, session_id: str) -> bool:
        """Return whether nothing that mattered is known to be lost; fails open."""
        return self._validate(transcript, session_id).passed

    def _validate(self, transcript: Transcript, session_id: str) -> ValidationResult:
        try:
            return self.validator.validate(transcript=transcript, session_id=session_id)
        except _FAULTS as error:
            note = f"the compaction could not be checked: {type(error).__name__}: {error}"
            return ValidationResult(True, notes=[note])
