import json
import posix
import re
from math import inf
from pathlib import Path

import pytest

import amplihack_compaction
from amplihack_compaction.base.settings import (
    OTHER_VARIABLES,
    RATIOS,
    SETTINGS,
    USER,
    FreshStart,
    Guard,
    OnLoss,
    Settings,
    Trust,
    load_settings,
    resolve_settings,
    setting_paths,
    unknown_variables,
    variable_of,
)
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.context.quiet_band import made_from


def load(project: Path, text: str) -> tuple[Settings, list[str]]:
    """Return the settings in force once the user's own file says this."""
    own_file(text)
    return load_settings(str(project))


def load_shared(project: Path, text: str) -> tuple[Settings, list[str]]:
    """Return the settings in force once the project's file says this."""
    (project / ".claude").mkdir(exist_ok=True)
    (project / ".claude" / "compaction.json").write_text(text)
    return load_settings(str(project))


@pytest.mark.parametrize("text", ["", " \n", "{}"])
def test_without_settings_the_defaults_are_in_force(project: Path, text: str) -> None:
    assert load_settings(str(project)) == (Settings(), [])
    assert load(project, text) == (Settings(), [])


def test_values_are_read(project: Path) -> None:
    settings, problems = load(project, '{"on_loss": "block", "injection_tokens": 900}')
    assert (settings.on_loss, settings.injection_tokens, problems) == (OnLoss.BLOCK, 900, [])


@pytest.mark.parametrize("text", ["[]", "{", "text", '{"on_loss": }'])
def test_a_broken_file_is_named_and_the_defaults_serve(project: Path, text: str) -> None:
    settings, problems = load(project, text)
    assert settings == Settings()
    assert "not a JSON object" in problems[0]


def test_one_bad_value_does_not_cost_the_others(project: Path) -> None:
    settings, problems = load(
        project, '{"on_loss": "maybe", "injection_tokens": -1, "snapshots": 3, "on_los": 1}'
    )
    assert settings == Settings(snapshots=3)
    assert len(problems) == 3
    assert any("did you mean 'on_loss'" in problem for problem in problems)
    assert any("between 400 and 20000" in problem for problem in problems)


def test_the_contexts_settings_are_read(project: Path) -> None:
    settings, problems = load(
        project,
        '{"compact_ratio": 0.5, "context_limit_tokens": 150000, "fresh_start": "off",'
        ' "token_api": false, "features_folder": "specs", "planning_folder": "plans"}',
    )
    assert problems == []
    assert settings.ratios == (0.5, 0.8, 0.85, 0.9, 0.95)
    assert settings.context_limit_tokens == 150_000
    assert settings.fresh_start is FreshStart.OFF
    assert (settings.token_api, settings.features_folder) == (False, "specs")
    assert settings.planning_folder == "plans"


@pytest.mark.parametrize(
    "text",
    [
        '{"compact_ratio": 1.5}',
        '{"compact_ratio": -0.1}',
        '{"compact_ratio": NaN}',
        '{"compact_ratio": 0.9}',
        '{"compact_ratio": 0.8}',
        '{"handoff_ratio": 0.7}',
        '{"context_limit_tokens": 0}',
        '{"features_folder": "/etc"}',
        '{"features_folder": "a/../.."}',
        '{"planning_folder": ""}',
        '{"fresh_start": "maybe"}',
    ],
)
def test_a_value_that_makes_no_sense_leaves_the_default(project: Path, text: str) -> None:
    settings, problems = load(project, text)
    assert settings == Settings()
    assert len(problems) == 1


def test_ratios_that_do_not_ascend_are_wrong_together(project: Path) -> None:
    settings, problems = load(
        project, '{"compact_ratio": 0.9, "handoff_ratio": 0.5, "snapshots": 3}'
    )
    assert settings == Settings(snapshots=3)
    assert len(problems) == 2
    assert all("must ascend" in problem for problem in problems)


def own_file(text: str) -> None:
    """Write the user's own settings file."""
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "compaction.json").write_text(text)


def test_the_environment_counts_over_the_project_and_that_over_the_users_own(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_file('{"snapshots": 1, "ledger_items": 100, "injection_tokens": 450}')
    monkeypatch.setenv("AMPLIHACK_COMPACTION_INJECTION_TOKENS", "500")
    shared = '{"ledger_items": 200, "injection_tokens": 3000}'
    settings, problems = load_shared(project, shared)
    assert (settings.snapshots, settings.ledger_items, settings.injection_tokens) == (1, 200, 500)
    assert problems == []
    origins = resolve_settings(str(project)).origins
    scopes = [origins[name].scope for name in ("snapshots", "ledger_items", "injection_tokens")]
    assert scopes == ["user", "project", "environment"]
    assert origins["auto"].scope == "default"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("token_api", "Yes", True),
        ("auto", "0", False),
        ("context_limit_tokens", "null", None),
        ("backup_days", "7.5", 7.5),
        ("on_loss", "off", OnLoss.OFF),
        ("features_folder", "specs", "specs"),
    ],
)
def test_a_variable_is_read_as_its_settings_kind(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, value: object
) -> None:
    monkeypatch.setenv(variable_of(name), text)
    settings, problems = load_settings(str(project))
    assert (getattr(settings, name), problems) == (value, [])


@pytest.mark.parametrize(
    ("name", "text"),
    [("snapshots", "many"), ("snapshots", "1.5"), ("auto", "maybe"), ("features_folder", "/etc")],
)
def test_a_variable_that_makes_no_sense_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setenv(variable_of(name), text)
    settings, problems = load_settings(str(project))
    assert settings == Settings()
    assert [problem.partition(":")[0] for problem in problems] == [variable_of(name)]


def test_an_empty_variable_says_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_SNAPSHOTS", "")
    assert load_settings(str(project)) == (Settings(), [])


NEUTRAL = set(RATIOS)
"""What moves only when something is told of; whoever adds to it says why."""
STRICTER = {
    "on_loss": ("off", "block"),
    "injection_tokens": (400, 3000),
    "summary_hint_characters": (0, 3000),
    "ledger_items": (20, 500),
    "fresh_start": ("inject", "off"),
    "guard": ("off", "ask"),
    "store": (None, "off"),
    "token_api": (True, None),
    "auto": (True, None),
    "feature_tokens": (1000, 90_000),
    "project_context_lines": (20, 600),
}
"""Of each a value that is looser than the default, and one that is stricter."""


def test_every_setting_says_what_a_project_can_do_with_it() -> None:
    by_trust = {
        trust: {n for n, each in SETTINGS.items() if each.trust is trust} for trust in Trust
    }
    assert by_trust[Trust.NEUTRAL] == NEUTRAL
    assert by_trust[Trust.STRICTER] == set(STRICTER)
    assert by_trust[Trust.OWN_ONLY] == set(SETTINGS) - NEUTRAL - set(STRICTER)


def another(name: str) -> object:
    """Return a value of a setting that is right, and not its default."""
    each = SETTINGS[name]
    if each.is_added:
        return ["ACME-[0-9]{6}"]
    if each.is_folder:
        return "src"
    values = [*each.choices, not each.default] if each.kind is bool or each.choices else []
    numbers = [each.high, each.low] if not values else []
    wanted = [each.kind(n) for n in numbers] + values
    return next(v for v in wanted if v != each.default and each.problem_with(v) == "")


@pytest.mark.parametrize("name", sorted(set(SETTINGS) - NEUTRAL - set(STRICTER)))
def test_what_is_the_users_own_no_project_sets(project: Path, name: str) -> None:
    settings, problems = load_shared(project, json.dumps({name: another(name)}))
    assert settings == Settings()
    assert [problem.partition(f"{name}: ")[2][:29] for problem in problems] == [
        "counts only in your own file;"
    ]
    own_file(json.dumps({name: another(name)}))
    (project / ".claude/compaction.json").unlink()
    assert load_settings(str(project))[0] != Settings()


@pytest.mark.parametrize("name", sorted(STRICTER))
def test_a_project_can_make_it_stricter_and_never_looser(project: Path, name: str) -> None:
    loose, strict = STRICTER[name]
    if loose is not None:
        settings, problems = load_shared(project, json.dumps({name: loose}))
        assert settings == Settings()
        assert "can only make it stricter" in problems[0]
        own_file(json.dumps({name: loose}))
        assert load_settings(str(project))[0] != Settings()  # the user can
        default = json.dumps({name: SETTINGS[name].default})
        assert load_shared(project, default)[0] == Settings()  # and the project takes it back
    if strict is not None:
        own_file("{}")
        settings, problems = load_shared(project, json.dumps({name: strict}))
        assert (getattr(settings, name), problems) == (strict, [])
        own_file(json.dumps({name: strict}))
        looser = json.dumps({name: SETTINGS[name].default})
        assert getattr(load_shared(project, looser)[0], name) == strict


def test_ratios_that_break_what_another_file_says_cost_only_their_own_file(project: Path) -> None:
    own_file('{"compact_ratio": 0.5, "snapshot_ratio": 0.6}')
    settings, problems = load_shared(project, '{"summarize_ratio": 0.55, "guard": "ask"}')
    assert settings == Settings(compact_ratio=0.5, snapshot_ratio=0.6, guard=Guard.ASK)
    assert len(problems) == 1
    assert (
        "must ascend: snapshot_ratio 0.6 is not below summarize_ratio 0.55; 0.55 is not"
        in problems[0]
    )


def test_at_home_the_projects_file_is_the_users_own() -> None:
    home = config_folder().parent
    own_file('{"token_api": true}')
    settings, problems = load_settings(str(home))
    assert (settings.token_api, problems) == (True, [])


def test_where_no_project_is_named_only_the_users_own_file_counts() -> None:
    assert set(setting_paths("")) == {USER}


@pytest.mark.parametrize("kind", ["folder", "large", "unreadable link"])
def test_a_file_that_cannot_be_read_is_named(project: Path, kind: str) -> None:
    path = project / ".claude" / "compaction.json"
    path.parent.mkdir()
    if kind == "folder":
        path.mkdir()
    elif kind == "large":
        path.write_text("{" + " " * 1024 * 1024 + "}")
    else:
        path.symlink_to("nowhere")
    settings, problems = load_settings(str(project))
    assert settings == Settings()
    assert "cannot be read" in problems[0]


def test_a_byte_order_mark_and_the_schemas_address_are_no_problems(project: Path) -> None:
    settings, problems = load(project, '\ufeff{"$schema": "x", "snapshots": 3}')
    assert (settings, problems) == (Settings(snapshots=3), [])


def test_a_flood_of_unknown_keys_is_cut(project: Path) -> None:
    text = json.dumps({f"key{n}" + "x" * 100: n for n in range(5000)})
    problems = load(project, text)[1]
    assert len(problems) == 11
    assert "4,990 more, unknown as well" in problems[-1]
    assert max(map(len, problems)) < 200


def test_a_long_value_is_shown_cut(project: Path) -> None:
    problems = load_shared(project, json.dumps({"on_loss": "\n" * 10_000}))[1]
    assert len(problems[0]) < 200
    assert "\n" not in problems[0]


def test_a_value_of_several_is_named_by_its_kind(project: Path) -> None:
    problems = load(project, '{"snapshots": [1, 2], "auto": {"a": 1}}')[1]
    assert "a list is not used" in problems[0]
    assert "an object is not used" in problems[1]


def test_a_variable_of_another_purpose_sets_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It names the store's database.
    monkeypatch.setenv("AMPLIHACK_COMPACTION_STORE", "postgresql://localhost/x")
    assert load_settings(str(project)) == (Settings(), [])


def test_every_number_has_bounds() -> None:
    for name, each in SETTINGS.items():
        assert each.what
        assert each.problem_with(getattr(Settings(), name)) == ""
        if each.kind in (int, float):
            assert -inf < each.low < each.high < inf


def test_variables_that_are_no_settings_are_named_with_the_nearest_one() -> None:
    environment = {"AMPLIHACK_COMPACTION_SNAPSHOT": "3", "AMPLIHACK_COMPACTION_HOME": "x", "A": "b",
                   "AMPLIHACK_COMPACTION_AUTO": "1"}  # fmt: skip
    (problem,) = unknown_variables(environment)
    assert "did you mean 'AMPLIHACK_COMPACTION_SNAPSHOTS'" in problem


def test_every_variable_that_the_package_reads_is_known() -> None:
    package = Path(amplihack_compaction.__file__).parent
    texts = "".join(path.read_text() for path in package.rglob("*.py"))
    named = set(re.findall(r"AMPLIHACK_COMPACTION_([A-Z]+(?:_[A-Z]+)*)", texts))
    assert {each for each in named if each.lower() not in SETTINGS} <= OTHER_VARIABLES


def test_what_a_level_depends_on_is_watched_by_the_hot_path(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(project)
    for name in (*RATIOS, "context_limit_tokens"):
        before = made_from(root, root)
        monkeypatch.setitem(posix.environ, variable_of(name).encode(), b"0.5")
        assert made_from(root, root) != before
    monkeypatch.setitem(posix.environ, b"HOME", str(config_folder().parent).encode())
    before = made_from(root, root)
    own_file("{}")
    assert made_from(root, root) != before
