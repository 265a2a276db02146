"""The settings: what can be set, and what is in force in a project (cold).

`Settings` is the one table: checks, schema, documentation and environment names are made
from it. A value is taken from the first of these that has a usable one:

    AMPLIHACK_COMPACTION_<NAME>             the environment
    <project>/.claude/compaction.json       the project's file, shared with who works on it
    <client's folder>/compaction.json       the user's own file
    the default

What somebody else's repository could do harm with is settled by `Trust`. A value that cannot be
used is reported, and what it would have replaced serves: settings never stop a hook.

A layer is what one place says, as it stands there. Layers are resolved from the user's own file
upwards; each value is checked by itself, so that one that is wrong does not cost the others. They
are checked by hand: hooks read settings, and to import pydantic costs ten bare starts.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from itertools import pairwise
from math import inf
from typing import Any, TypeVar, cast, get_args, get_origin

from amplihack_compaction.base.files import parse_object, read_bytes
from amplihack_compaction.base.folders import read_inside
from amplihack_compaction.base.redaction.user_patterns import (
    parse_patterns,
    usable_patterns,
    use_patterns,
)

FILE_NAME = "compaction.json"
PROJECT_FILE = f".claude/{FILE_NAME}"
VARIABLE_PREFIX = "AMPLIHACK_COMPACTION_"
_LIMIT_BYTES = 1024 * 1024
"""A settings file is written by hand; one that is larger is something else."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Some editors begin a file with it, and JSON knows none."""
_T = TypeVar("_T")
_WORDS = {"1": True, "true": True, "yes": True, "on": True,
          "0": False, "false": False, "no": False, "off": False}  # fmt: skip
_NULL = frozenset({"null", "none"})
_KINDS = {bool: "true or false", str: "a text", int: "a whole number", float: "a number"}
_SHOWN_CHARS = 60


class Trust(StrEnum):
    """What a project's file can do, which may have come with somebody else's repository.

    `NEUTRAL`: any value, for none makes anything looser. `STRICTER`: only what is stricter than
    what the user's own file or the default says: a higher number, a switch that is off, a later one
    of the words, which stand from the loosest to the strictest. `OWN_ONLY`, where nothing else is
    said: nothing.
    """

    NEUTRAL = "neutral"
    STRICTER = "stricter"
    OWN_ONLY = "own only"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: `kind` is the type of its values, beside None where it is `optional`.

    `low` and `high` bound numbers, both included. A folder lies below the project. A tuple is of
    patterns: what each place says is added to what the others say, and what is wrong with one
    costs no other.
    """

    name: str
    kind: type[Any]
    default: Any
    what: str
    trust: Trust
    low: float = -inf
    high: float = inf
    optional: bool = False
    is_folder: bool = False

    @property
    def is_added(self) -> bool:
        """Whether places add to each other, instead of one counting over another."""
        return self.kind is tuple

    @property
    def choices(self) -> list[str]:
        """The words that are allowed, where only some are."""
        return [str(each) for each in self.kind] if issubclass(self.kind, StrEnum) else []

    def problem_with(self, value: object) -> str:
        """Return what is wrong with a value as JSON has it; empty for nothing."""
        if value is None and self.optional:
            return ""
        if self.is_added:
            return "; ".join(self.split(value)[1])
        if self.choices:
            return "" if value in self.choices else f"must be one of {', '.join(self.choices)}"
        of_kind = isinstance(value, (int, float) if self.kind is float else self.kind)
        if not of_kind or isinstance(value, bool) is not (self.kind is bool):
            return f"must be {_KINDS[self.kind]}"
        if isinstance(value, str):
            outside = value.startswith("/") or ".." in value.split("/")
            is_wrong = self.is_folder and (not value or outside or "\0" in value)
            return "must name a folder below the project" if is_wrong else ""
        in_range = self.low <= cast("float", value) <= self.high  # NaN is in none
        return "" if in_range else f"must lie between {self.low:.0f} and {self.high:.0f}"

    def problem_in_project(self, value: object, below: Any) -> str:
        """Return why a right value does not count in a project's file; `below` is in force."""
        if self.trust is Trust.NEUTRAL or value == below:
            return ""
        if self.trust is Trust.OWN_ONLY:
            return _OWN_FILE
        if self.choices:
            return "" if self.choices.index(str(value)) > self.choices.index(below) else _LOOSER
        is_stricter = value is False if self.kind is bool else cast("float", value) > below
        return "" if is_stricter else _LOOSER

    def split(self, value: object) -> tuple[list[str], list[str]]:
        """Return what can be used of a list, and what is wrong with the rest of it."""
        if not isinstance(value, list | tuple):
            return [], ["must be a list of patterns"]
        return usable_patterns(value)

    def convert(self, value: object) -> Any:
        """Return a value that was found right as the type that the program works with."""
        return None if value is None else self.kind(value)

    def parse(self, text: str) -> object:
        """Return the value that a text stands for in an environment or on a command line.

        A text that stands for none comes back as it is: `problem_with` then says so.
        """
        if self.is_added:
            return parse_patterns(text)
        if self.kind is str or self.choices:
            return text
        word = text.strip().lower()
        if self.optional and word in _NULL:
            return None
        if self.kind is bool:
            return _WORDS.get(word, text)
        try:
            return int(word) if self.kind is int else float(word)
        except ValueError:
            return text


def setting(
    default: _T,
    what: str,
    low: float = -inf,
    high: float = inf,
    *,
    trust: Trust = Trust.OWN_ONLY,
    is_folder: bool = False,
) -> _T:
    """Return the field of a setting; see `Setting`."""
    about = {"what": what, "low": low, "high": high, "trust": trust, "is_folder": is_folder}
    return field(default=default, metadata=about)


def shown(value: object) -> str:
    """Return a value as JSON, on one line, cut where it is long."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}..."


def _read(each: "Field[Any]") -> Setting:
    of = get_args(each.type)
    kind = tuple if get_origin(each.type) is tuple else next(iter(of), each.type)
    optional = type(None) in of
    return Setting(
        each.name, cast("type[Any]", kind), each.default, optional=optional, **each.metadata
    )


SCHEMA_KEY = "$schema"
OTHER_VARIABLES = frozenset({"DISABLED", "HOME", "STORE", "STRICT"})
"""What follows the prefix in variables that are no settings; one of that name has no variable."""

USER, PROJECT, ENVIRONMENT, DEFAULT = "user", "project", "environment", "default"
_UNKNOWN_NAMED = 10
_OWN_FILE = "counts only in your own file"
_LOOSER = "a project's file can only make it stricter; this counts only in your own file"
_NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class Layer:
    """What one place says: `scope` is user, project, environment or default, `where` its file.

    `problem` says why nothing in it can be used.
    """

    scope: str
    where: str = ""
    values: Mapping[str, object] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a key of a layer; the key is empty where the layer is meant as a whole.

    `unused` is the value that does not count, as it is shown.
    """

    layer: Layer
    key: str
    text: str
    unused: str = ""

    def __str__(self) -> str:
        """Return the problem as one sentence that begins with the place."""
        is_variable = self.layer.scope == ENVIRONMENT
        where = variable_of(self.key) if is_variable else self.layer.where
        key = f"{self.key}: " if self.key and not is_variable else ""
        return f"{where}: {key}{self.text}" + (f"; {self.unused} is not used" * bool(self.unused))


@dataclass(slots=True)
class Resolved:
    """The values in force, by name the places that they come from, what is wrong in the layers."""

    values: dict[str, Any]
    origins: dict[str, Layer]
    problems: list[Problem] = field(default_factory=list)


def config_path() -> str:
    """Return the path of the client's own folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    # A user without a name and a home, as in some containers, has no such folder: `~` stays.
    return (named or os.path.expanduser("~/.claude")).rstrip("/")  # noqa: PTH111


def variable_of(name: str) -> str:
    """Return the environment variable of a setting."""
    return VARIABLE_PREFIX + name.upper()


def parse_settings(content: bytes | None) -> dict[str, Any] | None:
    """Return the settings in a file's content; None where it is no JSON object."""
    return parse_object((content or b"").removeprefix(_BYTE_ORDER_MARK))


def setting_paths(root: str) -> dict[str, str]:
    """Return the settings files by scope: the user's own, and the project's where one is named.

    Where both are one file, as in a session that runs at home, it is the user's own.
    """
    own, shared = f"{config_path()}/{FILE_NAME}", f"{root}/{PROJECT_FILE}"
    if not root or os.path.realpath(own) == os.path.realpath(shared):
        return {USER: own}
    return {USER: own, PROJECT: shared}


NO_OBJECT = "not a JSON object"
"""How a settings file is called that cannot be read as one."""


def layer_of_text(scope: str, where: str, data: bytes) -> Layer:
    """Return what the content of a settings file says; an empty one says nothing."""
    if not data.removeprefix(_BYTE_ORDER_MARK).strip():
        return Layer(scope, where)
    values = parse_settings(data)
    if values is None:
        return Layer(scope, where, problem=f"{NO_OBJECT}; nothing in it counts")
    return Layer(scope, where, values)


def resolve_layers(layers: Sequence[Layer]) -> Resolved:
    """Return what is in force; `layers` begin with the least important one.

    The ratios have to ascend: in a layer that breaks that, all of them are wrong together, for
    which one was meant otherwise cannot be told.
    """
    defaults = {name: each.default for name, each in SETTINGS.items()}
    result = Resolved(defaults, dict.fromkeys(SETTINGS, Layer(DEFAULT)))
    for layer in layers:
        if layer.problem:
            result.problems.append(Problem(layer, "", layer.problem))
        result.problems += _unknown_keys(layer)
        usable = _usable(layer, result)
        ratios = [(name, usable.get(name, result.values[name])) for name in RATIOS]
        wrong = next((pair for pair in pairwise(ratios) if pair[0][1] >= pair[1][1]), None)
        if wrong is not None:
            (low, above), (high, below) = wrong
            said = f"the ratios must ascend: {low} {above} is not below {high} {below}"
            for name in [name for name in RATIOS if name in usable]:
                unused = shown(usable.pop(name))
                result.problems.append(Problem(layer, name, said, unused))
        for name, value in usable.items():
            if not SETTINGS[name].is_added:
                result.values[name], result.origins[name] = value, layer
            elif value:
                result.values[name] = tuple(dict.fromkeys((*result.values[name], *value)))
                result.origins[name] = _both(result.origins[name], layer)
    return result


def _both(below: Layer, layer: Layer) -> Layer:
    """Return the place of what two layers say together."""
    if below.scope == DEFAULT:
        return layer
    where = " + ".join(filter(None, (below.where, layer.where)))
    return Layer(f"{below.scope} + {layer.scope}", where)


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Return what is wrong with variables that look like settings and are none."""
    known = OTHER_VARIABLES | {name.upper() for name in SETTINGS}
    rests = (n.removeprefix(VARIABLE_PREFIX) for n in environment if n.startswith(VARIABLE_PREFIX))
    return [
        f"unknown variable {VARIABLE_PREFIX}{each}{_hint(each.lower(), variable_of)}"
        for each in rests
        if each not in known
    ]


def nearest(name: str) -> str:
    """Return the known name that is most like this one; empty when none is."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name[:_NAME_CHARS], SETTINGS, n=1)), "")


def _read_file(scope: str, path: str) -> Layer:
    """Return what a file says; of a project's, links are followed that stay in the project."""
    if scope == PROJECT:
        where, root = PROJECT_FILE, path.removesuffix(f"/{PROJECT_FILE}")
        data = read_inside(root, PROJECT_FILE, _LIMIT_BYTES, linked=True)
    else:  # whose own file it is may keep it elsewhere, and have a link here
        where, data = path, read_bytes(path, _LIMIT_BYTES, follow=True)
    if data is not None:
        return layer_of_text(scope, where, data)
    problem = "cannot be read as a file of at most 1 MB; nothing in it counts"
    return Layer(scope, where, problem=problem if os.path.lexists(path) else "")


def _read_environment() -> Layer:
    values = {}
    for name, each in SETTINGS.items():
        text = os.environ.get(variable_of(name), "")
        if text and name.upper() not in OTHER_VARIABLES:
            values[name] = each.parse(text)
    return Layer(ENVIRONMENT, "", values)


def _usable(layer: Layer, below: Resolved) -> dict[str, Any]:
    """Return the values of a layer that count, over what the layers below it say."""
    usable = {}
    for name in filter(layer.values.__contains__, SETTINGS):
        each, value = SETTINGS[name], layer.values[name]
        if each.is_added and layer.scope != PROJECT:
            good, problems = each.split(value)
            usable[name] = each.convert(good)
        else:
            problem = each.problem_with(value)
            if not problem and layer.scope == PROJECT:
                problem = each.problem_in_project(value, below.values[name])
            problems = [problem] if problem else []
            if not problem:
                usable[name] = each.convert(value)
        unused = "it" if each.is_added else shown(value)  # a pattern may be the secret itself
        below.problems += [Problem(layer, name, problem, unused) for problem in problems]
    return usable


def _unknown_keys(layer: Layer) -> list[Problem]:
    if layer.scope == ENVIRONMENT:
        return []
    unknown = [name for name in layer.values if name not in SETTINGS and name != SCHEMA_KEY]
    problems = [
        Problem(layer, "", f"unknown key {name[:_NAME_CHARS]!r}{_hint(name, str)}")
        for name in unknown[:_UNKNOWN_NAMED]
    ]
    if len(unknown) > _UNKNOWN_NAMED:
        left = len(unknown) - _UNKNOWN_NAMED
        problems.append(Problem(layer, "", f"and {left:,} more, unknown as well"))
    return problems


def _hint(name: str, spelling: Callable[[str], str]) -> str:
    near = nearest(name)
    return f"; did you mean {spelling(near)!r}?" if near else ""


class OnLoss(StrEnum):
    """What the Stop hook does when something that mattered is missing after a compaction."""

    OFF = "off"
    PROMPT = "prompt"
    CONTINUE = "continue"
    BLOCK = "block"


class Guard(StrEnum):
    """What PreToolUse does about a call that breaks a standing rule of the user's."""

    OFF = "off"
    TELL = "tell"
    ASK = "ask"


class FreshStart(StrEnum):
    """What SessionStart does about a session that can be gone on with."""

    INJECT = "inject"
    OFFER = "offer"
    OFF = "off"


class StoreStrategy(StrEnum):
    """What compacts a session in the store when a run of it ends."""

    NONE = "none"
    SLIDING_WINDOW = "sliding_window"
    SUMMARIZE = "summarize"


class Switch(StrEnum):
    """Whether something is done at all."""

    ON = "on"
    OFF = "off"


def _stricter(default: _T, what: str, low: float = -inf, high: float = inf) -> _T:
    return setting(default, what, low, high, trust=Trust.STRICTER)


def _ratio(default: float, what: str) -> float:
    return setting(default, what, 0, 1, trust=Trust.NEUTRAL)


def _days(default: float, what: str, low: float = 1) -> float:
    return setting(default, what, low, 36_500)


def _megabytes(default: int, what: str) -> int:
    return setting(default, what, 1, 1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings in force.

    Each is its default, what it is for, and the smallest and largest number that makes sense. To
    add one, add it here, and run `python -m tests.publish_settings`.
    """

    on_loss: OnLoss = _stricter(
        OnLoss.CONTINUE, "what Stop does when something that mattered is missing after a compaction"
    )
    injection_tokens: int = _stricter(
        2000,
        "token budget of the injected state; the client's limit of 10,000 UTF-16 units holds in"
        " any case",
        400,
        20_000,
    )
    summary_hint_characters: int = _stricter(2000, "longest text for the summariser", 0, 10_000)
    ledger_items: int = _stricter(
        400, "items of each kind that a session's ledger keeps", 20, 10_000
    )
    snapshots: int = setting(40, "snapshots kept per session", 1, 1_000)
    window_copies: int = setting(
        20, "redacted window transcripts kept per session; 0 writes none", 0, 1_000
    )
    compact_ratio: float = _ratio(0.70, "where level `compact` begins, as a ratio of the limit")
    snapshot_ratio: float = _ratio(0.80, "where the automatic snapshot is taken")
    summarize_ratio: float = _ratio(0.85, "where level `summarize` begins")
    checkpoint_ratio: float = _ratio(0.90, "where the safety checkpoint is made")
    handoff_ratio: float = _ratio(
        0.95, "where level `handoff` begins and the handoff document is written"
    )
    context_limit_tokens: int | None = setting(
        None,
        "the limit itself, in tokens, where you know it better than the client's settings tell",
        1_000,
        100_000_000,
    )
    fresh_start: FreshStart = _stricter(
        FreshStart.OFFER,
        "what a new session is given of one that can be gone on with: one line, all of it, nothing",
    )
    guard: Guard = _stricter(
        Guard.TELL,
        "what PreToolUse does about a call that breaks a standing rule: `tell` the model, once in"
        " a window, `ask` you each time, `off`: nothing",
    )
    store: Switch = _stricter(Switch.ON, "`off` keeps nothing in the session store")
    store_megabytes: int = setting(
        2048, "above this the oldest sessions leave the store", 1, 10_000_000
    )
    store_days: int = setting(
        0,
        "sessions not gone on with for so many days leave the store too; 0 keeps them",
        0,
        100_000,
    )
    store_strategy: StoreStrategy = setting(
        StoreStrategy.NONE,
        "what compacts a session in the store when a run of it ends: nothing, a window of the"
        " newest messages, one summary",
    )
    store_window: int = setting(200, "messages that `sliding_window` keeps", 1, 1_000_000)
    token_api: bool = _stricter(
        False, "count tokens with the Messages API where a key is set; never in a hook"
    )
    features_folder: str = setting(
        "features", "the folder whose folders are features", is_folder=True
    )
    planning_folder: str = setting(
        ".planning", "the folder with PLAN.md, STATE.md and ROADMAP.md", is_folder=True
    )
    auto: bool = _stricter(
        False,
        "compact the active feature's files by itself: level `compact` at `compact_ratio`,"
        " `summarize` at `summarize_ratio`",
    )
    feature_tokens: int = _stricter(
        80_000,
        "how large a feature's texts may become; its levels are ratios of that",
        1_000,
        100_000_000,
    )
    revert_hours: float = setting(
        24.0, "how long a compaction is taken back without `--force`", 0, 87_600
    )
    backup_days: float = _days(30.0, "how long backups are kept, at least `revert_hours`")
    backup_megabytes: int = _megabytes(
        200, "how large the backups of one feature may become; the oldest go first"
    )
    prune_days: float = _days(30.0, "what is older goes to the archive with `context prune`", 0)
    archive_days: float = _days(365.0, "how long the archive is kept")
    archive_megabytes: int = _megabytes(
        200, "how large the archive of one feature may become; the oldest goes first"
    )
    snapshot_days: float = _days(
        90.0, "`context prune` drops the snapshots of sessions that are older"
    )
    snapshot_megabytes: int = _megabytes(
        500, "`context prune` drops the oldest snapshots where all together are larger"
    )
    project_context_lines: int = _stricter(
        500,
        "the length to which `context prune` brings `.claude/memory/project-context.md`, in lines",
        20,
        1_000_000,
    )
    redact_patterns: tuple[str, ...] = setting(
        (), "what else is a secret and redacted everywhere, as regular expressions"
    )

    @property
    def ratios(self) -> tuple[float, ...]:
        """Where each level and action begins, ascending, as ratios of the limit."""
        return tuple(getattr(self, name) for name in RATIOS)


SETTINGS: dict[str, Setting] = {each.name: _read(each) for each in fields(Settings)}
# In the order in which they have to ascend.
RATIOS = ("compact_ratio", "snapshot_ratio", "summarize_ratio", "checkpoint_ratio", "handoff_ratio")


def load_settings(root: str) -> tuple[Settings, list[str]]:
    """Return the settings in force in a project and what is wrong, one sentence each.

    Whoever asks works on that project: its patterns of what is a secret are in force from then on.
    """
    resolved = resolve_settings(root)
    if patterns := resolved.values["redact_patterns"]:
        use_patterns(patterns)
    return Settings(**resolved.values), [str(problem) for problem in resolved.problems]


def resolve_settings(root: str, other: Layer | None = None) -> Resolved:
    """Return what is in force in a project, with where it comes from and what is wrong.

    `other` stands in the place of the layer of its scope, to try it before it is written.
    """
    layers = [_read_file(scope, path) for scope, path in setting_paths(root).items()]
    layers.append(_read_environment())
    tried = [other if other is not None and each.scope == other.scope else each for each in layers]
    return resolve_layers(tried)
