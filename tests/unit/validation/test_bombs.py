"""Steering files that would grow, or nest, without bound are read as broken, and said to be."""

from pathlib import Path

import pytest

from amplihack_compaction.validation.power_steering import CONFIG_FOLDER, load_steering

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("considerations.yaml", LAUGHS),
        ("considerations.yaml", "- &a [*a]"),
        ("considerations.yaml", "- !!int ''"),
        ("considerations.yaml", "[" * 20_000),
        ("considerations.yaml", "- id: 0x" + "f" * 60_000),
        ("considerations.yaml", "!!python/object/apply:os.system ['touch owned']"),
        ("considerations.yaml", "- " * 30_000),
        (".power_steering_config", '{"enabled":' + "[" * 60_000),
        (".power_steering_config", '{"enabled": ' + "9" * 60_000 + "}"),
        (".power_steering_config", "x" * 70_000),
    ],
)
def test_a_bomb_costs_the_file_and_nothing_else(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str
) -> None:
    monkeypatch.chdir(project)
    folder = project / CONFIG_FOLDER
    folder.mkdir(parents=True)
    (folder / name).write_text(content)
    steering = load_steering(str(project))
    assert steering.enabled
    assert [each.id for each in steering.considerations] == ["compaction_handling"]
    assert any(name in note for note in steering.notes)
    assert not (project / "owned").exists()
