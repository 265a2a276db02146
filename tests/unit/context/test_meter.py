"""How full the context is, before and after a compaction."""

import os
from pathlib import Path

import pytest

from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.settings import Settings
from amplihack_compaction.clients.claude_code.tail import find_boundaries
from amplihack_compaction.context.meter import (
    Limit,
    ModelNotes,
    limit_details,
    measure_context,
    note_compaction,
    read_compaction,
    read_model_notes,
    read_status,
)
from amplihack_compaction.context.quiet_band import _VARIABLES, Band, without_breaks, write_band
from tests.support.captured import session
from tests.support.sessions import NEWER_MODEL, OLDER_MODEL, filled, respond
from tests.support.transcripts import SESSION, Transcript


@pytest.fixture(autouse=True)
def outside_of_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what a client that runs the tests says of its limits."""
    for name in ("CLAUDECODE", *map(os.fsdecode, _VARIABLES)):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the session's transcript lies."""
    return tmp_path / "t.jsonl"


def compacted(path: Path, answered: bool = False, kept: int | None = 2777) -> Path:
    transcript = Transcript()
    transcript.user("Go.")
    respond(transcript, 25_000, NEWER_MODEL)
    respond(transcript, 160_000, NEWER_MODEL)
    transcript.compact("s" * 1000)
    metadata = transcript.lines[-2]["compactMetadata"]
    if kept is None:
        del metadata["postTokens"]
    else:
        metadata["postTokens"] = kept
    transcript.user("n" * 1000)
    if answered:
        respond(transcript, 24_000, NEWER_MODEL)
    return transcript.write(path)


def test_the_newest_response_tells_the_tokens(project: Path, path: Path) -> None:
    filled(path, 120_000)
    status = read_status(str(project), SESSION, str(path))
    assert status is not None
    assert (status.current_tokens, status.max_tokens) == (120_000, 180_000)
    assert status.model == OLDER_MODEL
    assert status.window_tokens == 200_000
    assert status.source == "model family claude-sonnet-4, not compacted by the client"


def test_text_after_the_response_is_estimated(project: Path, path: Path) -> None:
    transcript = Transcript()
    respond(transcript, 100_000)
    transcript.user("x" * 10_000)
    measure = measure_context(str(project), str(transcript.write(path)))
    assert measure is not None
    assert measure.tokens == 100_000 + 102 + 3_350


def test_until_the_first_response_a_compaction_tells_what_was_kept(
    project: Path, path: Path
) -> None:
    measure = measure_context(str(project), str(compacted(path)))
    assert measure is not None
    assert not measure.exact
    # What was kept, the session's own first request as overhead, and the new prompt.
    assert measure.tokens == 2_777 + 24_990 + 108 + 440
    note_compaction(str(project), NEWER_MODEL, None, 40_000)
    measure = measure_context(str(project), str(path))
    assert measure is not None
    assert measure.tokens == 2_777 + 40_000 + 108 + 440


def test_without_the_kept_tokens_the_summary_is_estimated(project: Path, path: Path) -> None:
    measure = measure_context(str(project), str(compacted(path, kept=None)))
    assert measure is not None
    assert 24_990 + 7_000 + 108 + 880 < measure.tokens < 24_990 + 7_000 + 108 + 1_000


def test_after_the_first_response_its_numbers_count(project: Path, path: Path) -> None:
    measure = measure_context(str(project), str(compacted(path, answered=True)))
    assert measure is not None
    assert (measure.tokens, measure.exact) == (24_000, True)


def test_an_overhead_that_cannot_be_is_bounded(project: Path, path: Path) -> None:
    transcript = Transcript()
    respond(transcript, 150_000, NEWER_MODEL)
    transcript.compact("They talked.")
    measure = measure_context(str(project), str(transcript.write(path)))
    assert measure is not None
    assert measure.tokens < 70_000


@pytest.mark.parametrize("name", ["auto_compact_x3", "manual_compact"])
def test_the_estimate_after_real_compactions_is_near_the_next_response(
    name: str, project: Path, path: Path
) -> None:
    whole = session(name).read_bytes()
    path.write_bytes(whole)
    descriptor = os.open(path, os.O_RDONLY)
    offsets, _ = find_boundaries(descriptor, 0, len(whole))
    os.close(descriptor)
    for offset in offsets:
        _, overhead = read_compaction(str(path), offset)
        if overhead is None:
            continue
        kept_to = whole.find(b'"type":"assistant"', offset)
        cut = path.with_name("cut.jsonl")
        cut.write_bytes(whole[: whole.rfind(b"\n", 0, kept_to) + 1])
        measure = measure_context(str(project), str(cut))
        assert measure is not None
        assert not measure.exact
        assert 0.5 < measure.tokens / (overhead + 2_800) < 2


def test_a_compaction_teaches_its_threshold_and_its_overhead(path: Path) -> None:
    compacted(path, answered=True)
    (boundary,) = boundaries(path)
    assert read_compaction(str(path), boundary) == (170_074, 23_990 - 2_777)
    transcript = Transcript()
    transcript.user("Go.")
    transcript.compact("They talked.", trigger="manual")
    transcript.write(path)
    (boundary,) = boundaries(path)
    assert read_compaction(str(path), boundary) == (None, None)
    assert read_compaction(str(path), 0) == (None, None)
    assert read_compaction(str(path.with_name("none")), 0) == (None, None)


def boundaries(path: Path) -> list[int]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return find_boundaries(descriptor, 0, path.stat().st_size)[0]
    finally:
        os.close(descriptor)


def test_without_a_response_there_is_no_status(project: Path, path: Path) -> None:
    transcript = Transcript()
    transcript.user("Go.")
    assert read_status(str(project), SESSION, str(transcript.write(path))) is None
    with pytest.raises(OSError, match=r"regular|No such"):
        read_status(str(project), SESSION, str(path.with_name("none")))


def test_the_newest_models_limit_counts_in_a_file_of_several(project: Path, path: Path) -> None:
    transcript = Transcript()
    respond(transcript, 100_000, NEWER_MODEL)
    respond(transcript, 100_000, OLDER_MODEL)
    status = read_status(str(project), SESSION, str(transcript.write(path)))
    assert status is not None
    assert status.max_tokens == 180_000


def test_more_than_the_window_is_shown_as_it_is(project: Path, path: Path) -> None:
    filled(path, 1_200_000, NEWER_MODEL)
    status = read_status(str(project), SESSION, str(path))
    assert status is not None
    assert status.usage_percentage > 120
    assert (status.level, status.can_continue) == ("handoff", False)


def test_an_automatic_compaction_in_the_transcript_shows_where_the_client_compacts(
    project: Path, path: Path
) -> None:
    transcript = Transcript()
    for begun, trigger in ((168_000, "auto"), (167_231, "auto"), (121_904, "manual")):
        transcript.user("Go.")
        respond(transcript, begun - 1_000)
        transcript.compact("They went.", trigger)
        transcript.lines[-2]["compactMetadata"]["preTokens"] = begun
    respond(transcript, 51_000)
    transcript.write(path)
    status = read_status(str(project), SESSION, str(path))
    assert status is not None
    assert (status.max_tokens, status.source) == (167_231, "learnt")
    note_compaction(str(project), OLDER_MODEL, 167_900, None)
    status = read_status(str(project), SESSION, str(path))
    assert status is not None
    assert status.max_tokens == 167_900


@pytest.mark.parametrize(("trigger", "model"), [("manual", OLDER_MODEL), ("auto", NEWER_MODEL)])
def test_a_manual_or_another_models_compaction_shows_nothing(
    project: Path, path: Path, trigger: str, model: str
) -> None:
    transcript = Transcript()
    respond(transcript, 166_000, model)
    transcript.compact("They went.", trigger)
    respond(transcript, 51_000)
    status = read_status(str(project), SESSION, str(transcript.write(path)))
    assert status is not None
    assert status.max_tokens == 180_000


def test_outside_of_the_client_the_limit_is_what_its_hooks_saw(
    project: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path, 100_000)
    folder = session_folder(str(project), SESSION)
    seen = Limit(90_000, 200_000, "client: CLAUDE_CODE_AUTO_COMPACT_WINDOW")
    write_band(
        folder, Band([-1, 0, 1, 1, 1], b"", without_breaks(OLDER_MODEL), limit_details(seen))
    )
    outside = read_status(str(project), SESSION, str(path))
    with monkeypatch.context() as patch:
        patch.setenv("CLAUDECODE", "1")
        inside = read_status(str(project), SESSION, str(path))
    assert outside is not None
    assert inside is not None
    assert (outside.max_tokens, inside.max_tokens) == (90_000, 180_000)
    named = Settings(context_limit_tokens=70_000)
    status = read_status(str(project), SESSION, str(path), settings=named)
    assert status is not None
    assert status.max_tokens == 70_000
    write_band(folder, Band([-1, 0, 1, 1, 1], b"", without_breaks(OLDER_MODEL), b"{}"))
    status = read_status(str(project), SESSION, str(path))
    assert status is not None
    assert status.max_tokens == 180_000


@pytest.mark.parametrize("told", [500_000_000, -(10**400), 0])
def test_a_damaged_number_of_one_session_teaches_nothing(project: Path, told: int) -> None:
    note_compaction(str(project), NEWER_MODEL, told, told)
    assert read_model_notes(str(project), NEWER_MODEL) == ModelNotes()
    note_compaction(str(project), NEWER_MODEL, 167_900, 21_000)
    assert read_model_notes(str(project), NEWER_MODEL) == ModelNotes(None, 167_900, 21_000)
