"""Rows on what is configured: where hooks are registered, what switches them off, the settings."""

import os
from collections.abc import Iterator
from pathlib import Path

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.settings import (
    DEFAULT,
    NO_OBJECT,
    SETTINGS,
    config_path,
    resolve_settings,
    unknown_variables,
)
from amplihack_compaction.base.size_limits import DISABLE_VARIABLE, NOT_DISABLING
from amplihack_compaction.cli.doctor.installation import (
    Installation,
    RegisteredIn,
    files_of_others,
    registered_above,
)
from amplihack_compaction.cli.doctor.rows import Repair, Row, failed, passed, warned
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EVENTS,
    TIMEOUT_SECONDS,
    command_of,
)
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    apply_registration,
    managed_obstacles,
    plan_registration,
    scope_option,
)
from amplihack_compaction.clients.reading import wiring_of
from amplihack_compaction.context.estimate import ranks_path, read_ranks
from amplihack_compaction.text.classifier import EAST_TABLE, USER_TABLE, read_rows
from amplihack_compaction.text.pasted import AUTHORS_TABLE, REMARKS_TABLE
from amplihack_compaction.text.words import counted
from amplihack_compaction.validation.power_steering import (
    COMPACTION_HANDLING,
    CONFIG_FOLDER,
    load_steering,
)

_REINSTALL = "run install.sh again, or install the package anew"


def check_registration(installed: Installation) -> list[Row]:
    """Return the rows on every settings file, and on the hooks that are registered twice."""
    mend = "mend the file: while it is broken, the client may ignore all of it"
    rows = [
        failed(f"{place.scope.path} cannot be used: {place.problem}", mend)
        for place in installed.places
        if place.problem
    ]
    places = [place for place in (*installed.places, *installed.others) if place.hooks]
    rows += [row for place in places for row in _check_place(place)]
    plugins, plugin = list(_plugins(installed.root)), installed.plugin
    if not places and not plugins and plugin is None:
        read = [str(place.scope.path) for place in installed.places if not place.problem]
        above = registered_above(installed.root)
        remedy = f"start the client in {above}, which has the hooks, or: " if above else ""
        # `install` refuses a file that is broken, and that file may have the hooks.
        remedy = remedy if len(read) == len(installed.places) else "once all can be read: "
        text = f"no hook is registered in {', '.join(read) or 'what can be read'}"
        rows.append(failed(text, f"{remedy}{own_command()} install"))
    elif not places and not plugins and plugin is not None:
        brought = counted(len(plugin.hooks), "hook")
        rows.append(passed(f"the plugin {plugin.id} brings {brought}"))
    return [*rows, *plugins, *check_doubled(installed)]


def check_switches(installed: Installation) -> list[Row]:
    """Return the rows on whatever switches hooks off; one that passes where nothing does."""
    rows: list[Row] = []
    if _is_set(os.environ.get(DISABLE_VARIABLE)):
        remedy = f"a client that is started here has no hooks of ours; unset {DISABLE_VARIABLE}"
        rows.append(warned(f"{DISABLE_VARIABLE} is set in this environment", remedy))
    for managed, key in managed_obstacles():
        remedy = "an administrator manages that file: ask for the plugin to be enabled there"
        rows.append(failed(f'"{key}" in {managed} keeps the hooks from running', remedy))
    for place in installed.places:
        path = place.scope.path
        if place.settings.get("disableAllHooks") is True:
            text = f'"disableAllHooks" in {path} keeps every hook from running'
            rows.append(failed(text, "remove it, or set it to false"))
        block = place.settings.get("env")
        if isinstance(block, dict) and _is_set(block.get(DISABLE_VARIABLE)):
            text = f'our hooks are switched off here by "env" in {path}: {DISABLE_VARIABLE}'
            rows.append(warned(text, "take it out there, unless you mean it"))
    rows += _steering(installed.root)
    return rows or [passed("nothing switches the hooks off")]


def _plugins(root: str) -> Iterator[Row]:
    """Return the rows on our plugins in clients that have no file of hooks."""
    for scope in files_of_others(root):
        if scope.path.suffix == ".json" or not scope.path.exists():
            continue
        try:
            is_old = wiring_of(scope.client).plan_client_registration(scope).is_needed
        except SettingsError as error:
            yield warned(str(error), "move it, and install again")
            continue
        if is_old:
            text = f"{scope.path} was changed by hand or is an older one"
            remedy = f"{own_command()} install {scope_option(scope)} writes the present one"
            yield warned(text, remedy)
        else:
            yield passed(f"{scope.path} is the plugin in {scope.client}")


def _check_place(place: RegisteredIn) -> Iterator[Row]:
    path = place.scope.path
    install = f"{own_command()} install {scope_option(place.scope)}"
    repair = None
    if not place.scope.client:
        repair = Repair(f"registered the hooks in {path} anew", lambda: _register(place))
    changed = [hook.name for hook in place.hooks if hook.command != command_of(hook.name)]
    if changed:
        text = f"{path}: the command of {', '.join(changed)} was changed by hand or is an older one"
        yield warned(text, f"{install} writes the present one", repair=repair)
    names = [hook.name for hook in place.hooks]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        yield warned(f"{path} registers {', '.join(twice)} twice", install, repair=repair)
    absent = [name for name in TIMEOUT_SECONDS if name not in names]
    if absent:
        text = f"{path} does not register {', '.join(absent)}"
        yield warned(text, f"{install}, unless that is what you want")
    if not (changed or twice or absent):
        yield passed(f"{path} registers {counted(len(names), 'hook')}")


def _register(place: RegisteredIn) -> None:
    present = {hook.event for hook in place.hooks}
    events = [event for event in EVENTS if event in present]
    apply_registration(plan_registration(place.scope, events=events))


def check_doubled(installed: Installation) -> Iterator[Row]:
    """Yield what is wired in two places, and whether it runs twice for that."""
    by_place = {place.scope: {hook.name for hook in place.hooks} for place in installed.places}
    names = [name for some in by_place.values() for name in some]
    shared = {name for name in names if names.count(name) > 1}
    doubled = [scope for scope, some in by_place.items() if some & shared]
    if doubled:
        options = " or ".join(f"`{own_command()} uninstall {scope_option(s)}`" for s in doubled)
        text = f"the hooks are registered in {' and in '.join(str(s.path) for s in doubled)}"
        # Of identical commands the client runs one.
        told = ((hook.name, hook.command) for _, hook in installed.registered)
        commands = {each for each in told if each[0] in shared}
        often = "once" if len(commands) == len(shared) else "twice"
        yield warned(f"{text}: they run {often}", f"one place is enough: {options}")
    if installed.plugin is not None and installed.registered:
        option, plugin = scope_option(installed.registered[0][0].scope), installed.plugin.id
        text = f"the hooks run twice: the plugin {plugin} has them, and so have the settings"
        remedy = f"one is enough: `claude plugin uninstall {plugin}`, or"
        yield warned(text, f"{remedy} `{own_command()} uninstall {option}`")


def _steering(root: str) -> Iterator[Row]:
    steering = load_steering(root, is_switched_by_project=False)
    folder = Path(config_path(), *Path(CONFIG_FOLDER).parts[1:])
    asked = {each.id: each.enabled for each in steering.considerations}
    if not steering.enabled or not asked.get(COMPACTION_HANDLING):
        text = f"the check after a compaction is off, by the files in {folder}"
        yield warned(text, "switch it on there, unless you mean it")
    for note in steering.notes:
        yield warned(f"power steering: {note}", f"mend it in {CONFIG_FOLDER}")


def _is_set(value: object) -> bool:
    return value not in (None, "") and str(value).lower() not in NOT_DISABLING


def check_own_settings(root: str) -> list[Row]:
    """Return the rows on the settings files and variables of a project."""
    resolved = resolve_settings(root)
    found = [str(problem) for problem in resolved.problems]
    found += unknown_variables(os.environ)
    remedy = f"`{own_command()} config set KEY VALUE`, or --unset"
    by_hand = "mend the file by hand (`python3 -m json.tool FILE` tells where), or delete it"
    rows = [warned(text, by_hand if NO_OBJECT in text else remedy) for text in found]
    count = sum(origin.scope != DEFAULT for origin in resolved.origins.values())
    said = f"{count} of {len(SETTINGS)} are set" if count else "the defaults are in force"
    return rows or [passed(said)]


def check_data() -> list[Row]:
    """Return the rows on the files that the package brings, or needs of another package."""
    ranks, rows = ranks_path(), []
    if ranks is None or read_ranks(ranks) is None:
        found = "is not the file that is expected" if ranks else "is missing"
        text = f"{ranks or 'the list of tokens'} {found}: tokens are estimated by characters"
        rows.append(warned(text, _REINSTALL))
    tables = (USER_TABLE, EAST_TABLE, REMARKS_TABLE, AUTHORS_TABLE)
    broken = [table.path for table in tables if read_rows(table.path) is None]
    if broken:
        text = f"missing or damaged: {', '.join(broken)}: fewer rules and decisions are found"
        rows.append(warned(text, _REINSTALL))
    return rows
