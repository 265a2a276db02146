"""What lies in a folder is opened, and nothing that links lead out to, also while they change."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from amplihack_compaction.base.contained_files import list_inside, open_inside, read_inside
from amplihack_compaction.base.settings.settings import load_settings
from amplihack_compaction.base.settings.settings_files import read_project_file
from amplihack_compaction.clients.claude_code.compaction_limits import read_client_settings
from amplihack_compaction.compactor.features.feature import active_feature
from amplihack_compaction.handoff.fresh_start import read_planning
from amplihack_compaction.validation.power_steering import load_steering
from tests.support.meanwhile import meanwhile

LIMIT = 1000
ROUNDS = 400


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder outside of the project, with a secret in it."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_text("secret")
    return folder


def test_a_file_inside_is_read_up_to_the_limit(project: Path) -> None:
    (project / "a").mkdir()
    (project / "a" / "f").write_bytes(b"12345")
    assert read_inside(str(project), "a/f", 5) == b"12345"
    assert read_inside(str(project), "a/f", 4) is None
    assert read_inside(str(project), "a/missing", 5) is None


def test_the_folder_itself_may_be_a_link(project: Path, tmp_path: Path) -> None:
    (project / "f").write_bytes(b"x")
    (tmp_path / "link").symlink_to(project)
    assert read_inside(f"{tmp_path}/link", "f", LIMIT) == b"x"


@pytest.mark.parametrize(
    "path", ["", ".", "..", "../outside/secret", "a/../../outside/secret", "/etc/passwd", "a//f",
             "a\0b", "\ud800"],
)  # fmt: skip
def test_paths_that_are_not_plain_are_refused(project: Path, outside: Path, path: str) -> None:
    with pytest.raises((OSError, ValueError)):
        open_inside(str(project), path)
    assert read_inside(str(project), path, LIMIT) is None


def test_links_folders_and_fifos_are_refused(project: Path, outside: Path) -> None:
    (project / "file").symlink_to(outside / "secret")
    (project / "folder").symlink_to(outside)
    os.mkfifo(project / "fifo")
    (project / "plain").mkdir()
    for path in ("file", "folder/secret", "fifo", "plain"):
        assert read_inside(str(project), path, LIMIT) is None, path


def test_links_that_stay_inside_are_followed_where_that_is_asked(project: Path) -> None:
    (project / "a" / "b").mkdir(parents=True)
    (project / "a" / "b" / "f").write_text("own")
    (project / "c").mkdir()
    for link, target in (
        ("to-file", "a/b/f"), ("to-folder", "a"), ("c/up", "../a/./b//f"), ("chain", "c/up"),
        ("whole", f"{project}/a/b/f"), ("c/whole", f"{project.resolve()}/to-folder/b"),
    ):  # fmt: skip
        (project / link).symlink_to(target)
    root = str(project)
    for path in ("a/b/f", "to-file", "to-folder/b/f", "c/up", "chain", "whole", "c/whole/f"):
        assert read_inside(root, path, LIMIT, linked=True) == b"own", path
        assert (read_inside(root, path, LIMIT) == b"own") == (path == "a/b/f"), path


def test_links_that_lead_out_or_nowhere_are_refused_also_then(project: Path, outside: Path) -> None:
    (project / "a").mkdir()
    os.mkfifo(project / "fifo")
    for link, target in (
        ("out", "../outside/secret"), ("a/out", "../../outside/secret"), ("whole", outside),
        ("back", f"../{project.name}/plain"), ("sly", f"{project}/../outside/secret"),
        ("like", f"{project}x/secret"), ("loop", "loop"), ("one", "two"), ("two", "one"),
        ("pipe", "fifo"), ("folder", "a"), ("up", "a/.."), ("gone", "none"), ("root", project),
        ("process", "/proc/self/root/etc/passwd"),
    ):  # fmt: skip
        (project / link).symlink_to(target)
    Path(f"{project}x").mkdir()
    Path(f"{project}x/secret").write_text("secret")
    (project / "plain").write_text("own")
    for found in project.rglob("*"):
        if found.is_symlink():
            path = str(found.relative_to(project))
            assert read_inside(str(project), path, LIMIT, linked=True) is None, path
    assert read_inside(str(project), "whole/secret", LIMIT, linked=True) is None
    for path in ("..", "a/../plain", "", "a//f"):
        assert read_inside(str(project), path, LIMIT, linked=True) is None, path


def test_at_most_eight_links_are_followed(project: Path) -> None:
    (project / "0").write_text("own")
    for number in range(1, 10):
        (project / str(number)).symlink_to(str(number - 1))
    assert read_inside(str(project), "8", LIMIT, linked=True) == b"own"
    assert read_inside(str(project), "9", LIMIT, linked=True) is None


def test_a_link_turned_out_meanwhile_leads_nowhere(project: Path, outside: Path) -> None:
    (project / "a").mkdir()
    (project / "a" / "secret").write_text("own")
    (project / "linked").symlink_to("a/secret")
    seen = set()
    with swapped_all_the_time(project / "a", outside):
        for _ in range(ROUNDS):
            seen.add(read_inside(str(project), "linked", LIMIT, linked=True))
    assert seen <= {b"own", None}
    assert read_inside(str(project), "linked", LIMIT, linked=True) == b"own"


def test_settings_behind_a_link_inside_the_project_count(project: Path) -> None:
    (project / ".claude").mkdir()
    (project / "tools").mkdir()
    (project / "tools/compaction.json").write_text('{"store": "off", "injection_tokens": 777}')
    (project / "tools/settings.json").write_text('{"autoCompactWindow": 123456}')
    for name in ("compaction.json", "settings.json"):
        (project / ".claude" / name).symlink_to(f"../tools/{name}")
    settings = load_settings(str(project))[0]
    assert (settings.store, settings.injection_tokens) == ("off", 777)
    assert read_project_file(str(project))["store"] == "off"
    found = read_client_settings(str(project), "claude-opus-5-5", {})
    assert found.window_tokens == 123456


def test_settings_in_a_folder_that_is_linked_are_inside_or_none(
    project: Path, outside: Path
) -> None:
    (outside / "compaction.json").write_text('{"injection_tokens": 777}')
    (project / "config").mkdir()
    (project / "config/compaction.json").write_text('{"injection_tokens": 888}')
    link = project / ".claude"
    for target, expected in ((outside, {}), ("config", {"injection_tokens": 888})):
        link.symlink_to(target)
        assert read_project_file(str(project)) == expected
        assert (load_settings(str(project))[0].injection_tokens == 888) == bool(expected)
        link.unlink()


def test_names_are_listed_inside_alone(project: Path, outside: Path) -> None:
    (project / "a" / "b").mkdir(parents=True)
    (project / "link").symlink_to(outside)
    root = str(project)
    assert list_inside(root, "") == ["a", "link"]
    assert list_inside(root, "a") == ["b"]
    for path in ("link", "missing", "..", "a/../..", "/etc", "a/\0"):
        assert list_inside(root, path) == [], path


@contextmanager
def swapped_all_the_time(path: Path, other: Path) -> Iterator[None]:
    """Have another thread put a link to `other` in the place of a folder, and the folder back."""
    link, kept = path.with_name("link"), path.with_name("kept")
    link.symlink_to(other)

    def swap() -> None:
        os.rename(path, kept)
        os.rename(link, path)
        os.rename(path, link)
        os.rename(kept, path)

    with meanwhile(swap):
        yield


def test_a_folder_swapped_for_a_link_meanwhile_leads_nowhere(project: Path, outside: Path) -> None:
    (project / "a").mkdir()
    (project / "a" / "secret").write_text("own")
    seen = set()
    with swapped_all_the_time(project / "a", outside):
        for _ in range(ROUNDS):
            seen.add(read_inside(str(project), "a/secret", LIMIT))
    assert seen <= {b"own", None}
    assert read_inside(str(project), "a/secret", LIMIT) == b"own"


def test_a_planning_folder_swapped_for_a_link_meanwhile_leads_nowhere(
    project: Path, outside: Path
) -> None:
    (project / ".planning").mkdir()
    (project / ".planning" / "STATE.md").write_text("Phase: own\n")
    (outside / "STATE.md").write_text("Phase: secret\n")
    phases = set()
    with swapped_all_the_time(project / ".planning", outside):
        for _ in range(ROUNDS // 4):
            planning = read_planning(str(project))
            phases.add(planning.phase if planning is not None else "")
    assert phases <= {"own", ""}


def test_what_a_project_links_to_outside_is_never_read(project: Path, outside: Path) -> None:
    claude = project / ".claude"
    claude.mkdir()
    for name, text in (
        ("compaction.json", '{"injection_tokens": 777}'),
        ("settings.json", '{"autoCompactWindow": 123456}'),
        ("active-focus.md", "feature: secret"),
        (".power_steering_config", '{"enabled": false}'),
        ("considerations.yaml", "- id: secret"),
    ):
        (outside / name).write_text(text)
        if not name.startswith((".power", "considerations")):
            (claude / name).symlink_to(outside / name)
    (claude / "tools").mkdir()
    (claude / "tools" / "amplihack").symlink_to(outside)
    root = str(project)
    assert load_settings(root)[0].injection_tokens != 777
    assert read_project_file(root) == {}
    assert read_client_settings(root, "claude-opus-5-5", {}).window_tokens is None
    assert active_feature(root) == ""
    steering = load_steering(root)
    assert steering.enabled
    assert [item.id for item in steering.considerations] == ["compaction_handling"]
