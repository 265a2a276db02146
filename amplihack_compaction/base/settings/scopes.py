"""Where settings come from, and which value of several is in force (cold).

A layer is what one place says, as it stands there. Layers are resolved from the user's own file
upwards; each value is checked by itself, so that one that is wrong does not cost the others.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from amplihack_compaction.base.client_folder import config_path
from amplihack_compaction.base.contained_files import read_inside
from amplihack_compaction.base.files import read_bytes
from amplihack_compaction.base.json_objects import parse_object
from amplihack_compaction.base.settings.values import Setting, Trust, shown

FILE_NAME = "compaction.json"
PROJECT_FILE = f".claude/{FILE_NAME}"
SCHEMA_KEY = "$schema"
VARIABLE_PREFIX = "AMPLIHACK_COMPACTION_"
OTHER_VARIABLES = frozenset({"DISABLED", "HOME", "STORE", "STRICT"})
"""What follows the prefix in variables that are no settings; one of that name has no variable."""

USER, PROJECT, ENVIRONMENT, DEFAULT = "user", "project", "environment", "default"
_SIZE_LIMIT_BYTES = 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UNKNOWN_NAMED = 10
_NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class Layer:
    """What one place says: `scope` is user, project or environment, `where` its file.

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


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from; `ignored` is what the project's file says without effect."""

    scope: str = DEFAULT
    where: str = ""
    ignored: str = ""


@dataclass(slots=True)
class Resolved:
    """The values in force with their origins by name, and what is wrong in the layers."""

    values: dict[str, Any]
    origins: dict[str, Origin]
    problems: list[Problem] = field(default_factory=list)


def variable_of(name: str) -> str:
    """Return the environment variable of a setting."""
    return VARIABLE_PREFIX + name.upper()


def setting_paths(root: str) -> dict[str, str]:
    """Return the settings files by scope: the user's own, and the project's.

    Where both are one file, as in a session that runs at home, it is the user's own.
    """
    own, shared = f"{config_path()}/{FILE_NAME}", f"{root}/{PROJECT_FILE}"
    paths = {USER: own, PROJECT: shared}
    if os.path.realpath(own) == os.path.realpath(shared):
        del paths[PROJECT]
    return paths


def read_layers(
    root: str, environment: Mapping[str, str], table: Mapping[str, Setting]
) -> list[Layer]:
    """Return what is set for a project, the least important first."""
    files = [_read_file(scope, path) for scope, path in setting_paths(root).items()]
    return [*files, _read_environment(environment, table)]


def layer_of_text(scope: str, where: str, data: bytes) -> Layer:
    """Return what the content of a settings file says; an empty one says nothing."""
    content = data.removeprefix(_BYTE_ORDER_MARK)
    if not content.strip():
        return Layer(scope, where)
    values = parse_object(content)
    if values is None:
        return Layer(scope, where, problem="not a JSON object; nothing in it counts")
    return Layer(scope, where, values)


def resolve_layers(
    layers: Sequence[Layer], table: Mapping[str, Setting], ascending: Sequence[str]
) -> Resolved:
    """Return what is in force; `layers` begin with the least important one.

    The numbers of the settings named in `ascending` have to ascend: in a layer that breaks that,
    all of them are wrong together, for which one was meant otherwise cannot be told.
    """
    result = Resolved(
        {name: each.default for name, each in table.items()}, dict.fromkeys(table, Origin())
    )
    for layer in layers:
        if layer.problem:
            result.problems.append(Problem(layer, "", layer.problem))
        result.problems += _unknown_keys(layer, table)
        usable = _usable(layer, table, result)
        numbers = [usable.get(name, result.values[name]) for name in ascending]
        if numbers != sorted(set(numbers)):
            for name in [name for name in ascending if name in usable]:
                unused = shown(usable.pop(name))
                result.problems.append(Problem(layer, name, "the ratios must ascend", unused))
        for name, value in usable.items():
            if table[name].is_added:
                _add(result, layer, name, value)
            else:
                result.values[name] = value
                result.origins[name] = Origin(layer.scope, layer.where)
    return result


def _add(result: Resolved, layer: Layer, name: str, value: tuple[str, ...]) -> None:
    """Add what a layer says to what those below it say, and its place to theirs."""
    if not value:
        return
    result.values[name] = tuple(dict.fromkeys((*result.values[name], *value)))
    below = result.origins[name]
    if below.scope == DEFAULT:
        result.origins[name] = Origin(layer.scope, layer.where)
    else:
        where = " + ".join(filter(None, (below.where, layer.where)))
        result.origins[name] = Origin(f"{below.scope} + {layer.scope}", where)


def unknown_variables(environment: Mapping[str, str], table: Mapping[str, Setting]) -> list[str]:
    """Return what is wrong with variables that look like settings and are none."""
    rests = (name.removeprefix(VARIABLE_PREFIX) for name in environment
             if name.startswith(VARIABLE_PREFIX))  # fmt: skip
    unknown = [each for each in rests if each not in OTHER_VARIABLES and each.lower() not in table]
    return [
        f"unknown variable {VARIABLE_PREFIX}{each}{_hint(each.lower(), table, variable_of)}"
        for each in unknown
    ]


def nearest(name: str, table: Mapping[str, Setting]) -> str:
    """Return the known name that is most like this one; empty when none is."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name[:_NAME_CHARS], table, n=1)), "")


def _read_file(scope: str, path: str) -> Layer:
    where = PROJECT_FILE if scope == PROJECT else path
    if scope == PROJECT:
        root = path.removesuffix(f"/{PROJECT_FILE}")
        data = read_inside(root, PROJECT_FILE, _SIZE_LIMIT_BYTES, linked=True)
    else:
        data = read_bytes(path, _SIZE_LIMIT_BYTES, follow=True)
    if data is not None:
        return layer_of_text(scope, where, data)
    problem = "cannot be read as a file of at most 1 MB; nothing in it counts"
    return Layer(scope, where, problem=problem if os.path.lexists(path) else "")


def _read_environment(environment: Mapping[str, str], table: Mapping[str, Setting]) -> Layer:
    values = {}
    for name, each in table.items():
        text = environment.get(variable_of(name), "")
        if text and name.upper() not in OTHER_VARIABLES:
            values[name] = each.parse(text)
    return Layer(ENVIRONMENT, "", values)


def _usable(layer: Layer, table: Mapping[str, Setting], below: Resolved) -> dict[str, Any]:
    """Return the values of a layer that count, over what the layers below it say."""
    usable = {}
    for name, each in table.items():
        if name not in layer.values:
            continue
        value = layer.values[name]
        if each.is_added:
            good, problems = each.split(value)
            below.problems += [Problem(layer, name, problem, "it") for problem in problems]
            usable[name] = each.convert(good)
            continue
        problem = each.problem_with(value)
        if not problem and layer.scope == PROJECT and each.trust is Trust.OWN_ONLY:
            problem = "" if value == each.default else "counts only in your own file"
        if problem:
            below.problems.append(Problem(layer, name, problem, shown(value)))
        elif _is_overruled(layer, each, below):
            origin = below.origins[name]
            below.origins[name] = Origin(origin.scope, origin.where, shown(value))
        else:
            usable[name] = each.convert(value)
    return usable


def _is_overruled(layer: Layer, each: Setting, below: Resolved) -> bool:
    """Return whether the user's own file has said it, and counts."""
    said = below.origins[each.name].scope == USER
    return said and layer.scope == PROJECT and each.trust is Trust.OWN_FIRST


def _unknown_keys(layer: Layer, table: Mapping[str, Setting]) -> list[Problem]:
    if layer.scope == ENVIRONMENT:
        return []
    unknown = [name for name in layer.values if name not in table and name != SCHEMA_KEY]
    problems = [
        Problem(layer, "", f"unknown key {name[:_NAME_CHARS]!r}{_hint(name, table, str)}")
        for name in unknown[:_UNKNOWN_NAMED]
    ]
    if len(unknown) > _UNKNOWN_NAMED:
        left = len(unknown) - _UNKNOWN_NAMED
        problems.append(Problem(layer, "", f"and {left:,} more, unknown as well"))
    return problems


def _hint(name: str, table: Mapping[str, Setting], spelling: Callable[[str], str]) -> str:
    near = nearest(name, table)
    return f"; did you mean {spelling(near)!r}?" if near else ""
