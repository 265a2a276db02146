"""The commands `config show|check|set|schema`: the settings of this package.

Nothing but typer is imported to define them, so that `--help` stays quick.
"""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from amplihack_compaction.base.installation import COMMAND_NAME

if TYPE_CHECKING:
    from amplihack_compaction.base.settings.layers import Origin, Resolved

config_app = typer.Typer(
    help="The settings: what is in force, what is wrong, and changing one.", no_args_is_help=True
)


def _examples(*calls: str) -> str:
    return "\b\nExamples:" + "".join(f"\n  {COMMAND_NAME} config {call}" for call in calls)


@config_app.command("show", epilog=_examples("show", "show --json"))
def config_show(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print every setting that is in force, and where it comes from."""
    from amplihack_compaction.base.paths import project_root
    from amplihack_compaction.base.settings.settings import resolve_settings

    resolved = resolve_settings(project_root())
    if as_json:
        typer.echo(json.dumps(_to_json(resolved), indent=2))
        return
    for line in _lines(resolved):
        typer.echo(line)


@config_app.command("check", epilog=_examples("check"))
def config_check() -> None:
    """Name what is wrong in the settings files and the environment.

    Exit code 1 when anything is.
    """
    import os

    from amplihack_compaction.base.paths import project_root
    from amplihack_compaction.base.settings.layers import unknown_variables
    from amplihack_compaction.base.settings.settings import SETTINGS, resolve_settings

    found = [str(problem) for problem in resolve_settings(project_root()).problems]
    found += unknown_variables(os.environ, SETTINGS)
    for problem in found:
        typer.echo(problem)
    if found:
        raise typer.Exit(1)
    typer.echo("The settings are in order.")


@config_app.command(
    "set",
    epilog=_examples(
        "set on_loss prompt", "set injection_tokens 1500 --user", "set on_loss --unset"
    ),
)
def config_set(
    key: Annotated[str, typer.Argument(metavar="KEY", help="As `config show` names it.")],
    value: Annotated[
        str | None,
        typer.Argument(
            metavar="[VALUE]",
            help="A number, true, false, null or a text; for `redact_patterns` a list as JSON.",
            show_default=False,
        ),
    ] = None,
    user: Annotated[
        bool, typer.Option("--user", help="In your own file instead of the project's.")
    ] = False,
    unset: Annotated[bool, typer.Option("--unset", help="Take the key out.")] = False,
) -> None:
    """Set one value; every other byte of the file stays.

    Exit code 1 for a value that cannot be used; the file is then as it was.
    """
    if (value is None) is not unset:
        raise typer.BadParameter("give a value, or --unset")
    from amplihack_compaction.base.paths import project_root
    from amplihack_compaction.base.settings.layers import PROJECT, USER
    from amplihack_compaction.base.settings.settings import SETTINGS, resolve_settings
    from amplihack_compaction.cli.commands.config_edit import set_value, unset_value

    root, scope = project_root(), USER if user else PROJECT
    change = unset_value(root, scope, key) if value is None else set_value(root, scope, key, value)
    path = change.scope.path
    typer.echo(f"{path} {'changed' if change.is_needed else 'has it so already'}.")
    if key in SETTINGS:
        resolved = resolve_settings(root)
        typer.echo(_line(key, resolved.values[key], resolved.origins[key]))


@config_app.command("schema", epilog=_examples("schema --path"))
def config_schema(
    path: Annotated[bool, typer.Option("--path", help="Print where it lies instead.")] = False,
) -> None:
    """Print the JSON schema of the settings files, for editors."""
    from amplihack_compaction.base.settings.published import SCHEMA_PATH

    typer.echo(SCHEMA_PATH if path else SCHEMA_PATH.read_text(encoding="utf-8"), nl=path)


def _lines(resolved: "Resolved") -> "list[str]":
    lines = [_line(name, value, resolved.origins[name]) for name, value in resolved.values.items()]
    if resolved.problems:
        from amplihack_compaction.base.installation import own_command
        from amplihack_compaction.text.strings import counted

        found = counted(len(resolved.problems), "problem")
        lines.append(f"\n{found}: {own_command()} config check")
    return lines


def _line(name: str, value: object, origin: "Origin") -> str:
    from amplihack_compaction.base.settings.layers import shown

    where = f" {origin.where}" if origin.where else ""
    ignored = f"; the project's {origin.ignored} does not count" if origin.ignored else ""
    return f"{name:<24} {shown(value):<14} {origin.scope}{where}{ignored}"


def _to_json(resolved: "Resolved") -> "dict[str, object]":
    settings = {
        name: {
            "value": value,
            "from": resolved.origins[name].scope,
            "where": resolved.origins[name].where or None,
            "ignored": resolved.origins[name].ignored or None,
        }
        for name, value in resolved.values.items()
    }
    return {"settings": settings, "problems": [str(problem) for problem in resolved.problems]}
