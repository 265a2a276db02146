"""Checkpoints: found again by their ids, and named after what the session works on."""

import errno
import shutil
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.files import read_if_there
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.handoff import checkpoint
from amplihack_compaction.handoff.checkpoint import (
    create_checkpoint,
    feature_of,
    list_checkpoints,
    read_moment,
    snapshot_now,
)
from amplihack_compaction.handoff.level_actions import take_automatic
from amplihack_compaction.injection.snapshot import load_snapshot
from tests.support.clocks import clock_in
from tests.support.sessions import write_own_settings
from tests.support.signing import change_signed
from tests.unit.handoff.kept import RULE, Kept, status


def test_a_checkpoint_has_its_snapshot_reason_and_tokens(kept: Kept) -> None:
    made = create_checkpoint(kept.moment(status(1234)), "before  the\nrewrite")
    assert (made.reason, made.feature, made.tokens) == ("before the rewrite", "feat/login", 1234)
    state = load_snapshot(str(kept.folder), made.snapshot).state
    assert [rule.text for rule in state.active_rules] == [RULE]
    assert list_checkpoints(kept.root) == [made]


def test_a_moment_in_which_nothing_was_said_makes_no_new_snapshot(kept: Kept) -> None:
    first = snapshot_now(kept.moment())
    path = kept.folder / "snapshots" / f"{first}.json"
    before = path.stat().st_ino
    assert snapshot_now(kept.moment()) == first
    assert path.stat().st_ino == before
    kept.say("Also use tabs, always.")
    assert snapshot_now(kept.moment()) == first
    assert "use tabs" in path.read_text()


@pytest.mark.parametrize("left", [None, b"", b"\0" * 4096, b'{"version": 1, "id": "2026'])
def test_a_snapshot_that_is_gone_or_torn_is_taken_anew(kept: Kept, left: bytes | None) -> None:
    made = create_checkpoint(kept.moment(), "first")
    path = kept.folder / "snapshots" / f"{made.snapshot}.json"
    if left is None:
        path.unlink()
    else:
        path.write_bytes(left)
    again = create_checkpoint(kept.moment(), "second")
    state = load_snapshot(str(kept.folder), again.snapshot).state
    assert [rule.text for rule in state.active_rules] == [RULE]
    assert [path.stem for path in kept.files("snapshots/*.json")] == [again.snapshot]


def test_a_snapshot_of_a_newer_version_is_left_alone(kept: Kept) -> None:
    made = snapshot_now(kept.moment())
    path = kept.folder / "snapshots" / f"{made}.json"
    change_signed(path, version=2)
    before = path.read_bytes()
    assert snapshot_now(kept.moment()) == made
    assert path.read_bytes() == before


def test_the_newest_checkpoint_comes_first_and_the_oldest_go(kept: Kept) -> None:
    write_own_settings(snapshots=2)
    made = [create_checkpoint(kept.moment(), f"reason {n}") for n in range(4)]
    assert list_checkpoints(kept.root) == [made[3], made[2]]


def test_the_newest_checkpoint_stays_when_the_clock_is_set_back(kept: Kept) -> None:
    write_own_settings(snapshots=2)
    made = []
    for year in (2031, 2026, 2026):
        with clock_in(year):
            made.append(create_checkpoint(kept.moment(), f"in {year}"))
    assert list_checkpoints(kept.root) == [made[2], made[1]]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 2}', '{"version": 1, "id": 4}'])
def test_a_checkpoint_that_cannot_be_read_is_left_out(kept: Kept, content: str) -> None:
    made = create_checkpoint(kept.moment(), "x")
    (kept.folder / "checkpoints" / "20990101-000000-0000.json").write_text(content)
    assert list_checkpoints(kept.root) == [made]


def test_what_cannot_be_read_now_is_named(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    older, newer = (create_checkpoint(kept.moment(), reason) for reason in ("a", "b"))
    problems: list[str] = []

    def fail(path: str, limit_bytes: int) -> bytes | None:
        if newer.id in path:
            raise OSError(errno.EIO, "Input/output error", path)
        return read_if_there(path, limit_bytes)

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "read_kept", fail)
        assert list_checkpoints(kept.root, problems) == [older]
    (problem,) = problems
    assert problem.endswith(f"/checkpoints/{newer.id}.json cannot be read: Input/output error")
    (kept.folder / "checkpoints" / f"{newer.id}.json").unlink()
    (kept.folder / "checkpoints" / f"{newer.id}.json").mkdir()
    assert list_checkpoints(kept.root, problems) == [older]
    assert len(problems) == 1


def test_unknown_keys_do_not_matter_and_values_of_another_kind_do(kept: Kept) -> None:
    made = create_checkpoint(kept.moment(), "x")
    path = kept.folder / "checkpoints" / f"{made.id}.json"
    change_signed(path, more=1)
    assert list_checkpoints(kept.root) == [made]
    change_signed(path, tokens="many")
    assert list_checkpoints(kept.root) == []


def test_a_session_without_a_transcript_is_a_clear_error(kept: Kept) -> None:
    with pytest.raises(TranscriptError):
        read_moment(kept.root, "s", f"{kept.root}/nothing.jsonl")


def test_a_project_that_is_gone_is_not_made_again(kept: Kept) -> None:
    kept.transcript.compact("They talked.")
    kept.say("Go on.")
    shutil.rmtree(kept.root)
    moment = kept.moment()
    assert [rule.text for rule in moment.state.active_rules] == [RULE]
    with pytest.raises(FileNotFoundError):
        create_checkpoint(moment, "before the rewrite")
    assert not Path(kept.root).exists()


def test_nothing_is_written_through_a_linked_folder(kept: Kept, tmp_path: Path) -> None:
    kept.transcript.compact("They talked.")
    kept.say("Go on.")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (Path(kept.root) / ".claude").mkdir(exist_ok=True)
    (Path(kept.root) / ".claude/runtime").symlink_to(elsewhere)
    moment = kept.moment()
    assert [rule.text for rule in moment.state.active_rules] == [RULE]
    for keep in (snapshot_now, take_automatic):
        with pytest.raises(OSError, match="is a link"):
            keep(moment)
    assert list(elsewhere.iterdir()) == []


def test_a_session_in_which_nothing_was_asked_is_not_worth_going_on_with(kept: Kept) -> None:
    assert kept.moment().has_begun
    kept.transcript.lines.clear()
    kept.transcript.user("Hi.")
    kept.transcript.assistant("Hello.")
    kept.write()
    assert not kept.moment().has_begun


@pytest.mark.parametrize(
    ("focus", "branch", "name"),
    [
        ("# Active focus\n\n- **Feature**: `login`\n", "main", "login"),
        ("feature: login page\n", "other", "login page"),
        ("# login\n\nmore", "main", "login"),
        ("", "feat/x", "feat/x"),
        ("\n\n", "HEAD", "project"),
        (None, "", "project"),
    ],
)
def test_the_feature_is_the_active_one_the_branch_or_the_project(
    project: Path, focus: str | None, branch: str, name: str
) -> None:
    if focus is not None:
        (project / ".claude").mkdir()
        (project / ".claude/active-focus.md").write_text(focus)
    assert feature_of(str(project), SessionState(branch=branch)) == name
