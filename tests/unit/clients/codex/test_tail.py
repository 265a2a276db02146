"""The end of a rollout, as the hot path reads it."""

import os
from pathlib import Path

import pytest

from amplihack_compaction.base.files import open_regular
from amplihack_compaction.clients import tail_of
from amplihack_compaction.clients.codex import tail
from amplihack_compaction.clients.reading import read_windows
from tests.unit.clients.codex.test_transcripts import ROLLOUT, line_of


def test_the_tail_of_a_rollout_is_known_by_its_name() -> None:
    assert tail_of(str(ROLLOUT)) is tail
    assert tail_of("/home/x/.claude/projects/p/1.jsonl") is not tail


def boundaries(path: Path, start: int = 0) -> list[int]:
    descriptor = open_regular(str(path))
    try:
        return tail.find_boundaries(descriptor, start, path.stat().st_size)[0]
    finally:
        os.close(descriptor)


def test_boundaries_are_where_windows_begin() -> None:
    assert boundaries(ROLLOUT) == [window.start for window in read_windows(ROLLOUT)][1:]


def test_a_line_that_quotes_a_boundary_is_none(tmp_path: Path) -> None:
    path = tmp_path / "rollout-x.jsonl"
    inner = {"type": "message", "content": [{"type": "compacted"}], "role": "x" * 200}
    path.write_bytes(line_of(inner) + b"\n" + line_of({"message": ""}, "compacted") + b"\n")
    assert boundaries(path) == [len(line_of(inner)) + 1]


def test_the_newest_response_tells_its_numbers() -> None:
    descriptor = open_regular(str(ROLLOUT))
    try:
        size = ROLLOUT.stat().st_size
        usage = tail.newest_usage(descriptor, size, size)
        assert usage is not None
        assert (usage.input_tokens, usage.tokens) == (9_000, 9_020)
        # Nothing came after the last answer.
        assert tail.estimate_tokens(descriptor, usage, size, 100, 400) == 9_020
    finally:
        os.close(descriptor)


def test_what_came_after_a_response_is_estimated(tmp_path: Path) -> None:
    path = tmp_path / "rollout-x.jsonl"
    usage = {"input_tokens": 1_000, "output_tokens": 10}
    record = line_of({"response_id": "r", "usage": usage}, "token_usage_record")
    output = line_of({"type": "function_call_output", "call_id": "c", "output": "x" * 1_000})
    path.write_bytes(record + b"\n" + output + b"\n")
    descriptor = open_regular(str(path))
    try:
        size = path.stat().st_size
        found = tail.newest_usage(descriptor, size, size)
        assert found is not None
        assert tail.estimate_tokens(descriptor, found, size, 100, 400) == 1_010 + 100 + 400
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("usage", [None, 3, {}, {"input_tokens": -1}, {"input_tokens": True}])
def test_numbers_that_make_no_sense_are_passed_over(usage: object) -> None:
    assert tail.usage_numbers({"usage": usage}) is None


def test_a_response_is_sought_further_back_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "rollout-x.jsonl"
    usage = {"input_tokens": 1_000, "output_tokens": 10}
    good = line_of({"response_id": "r", "usage": usage}, "token_usage_record")
    odd = line_of({"response_id": "s", "usage": None}, "token_usage_record")
    said = line_of({"type": "message", "content": [{"text": "x" * 70_000}, {"text": 1}, "y"]})
    path.write_bytes(b"\n".join((good, odd, line_of({}), said, b"")))
    descriptor = open_regular(str(path))
    try:
        size = path.stat().st_size
        assert tail.newest_usage(descriptor, size, 1_000) is None
        found = tail.newest_usage(descriptor, size, size)
        assert found is not None
        assert (found.offset, found.message_id) == (0, "r")
        assert tail.estimate_tokens(descriptor, found, size, 100, 400) == 1_010 + 100 + 28_000
    finally:
        os.close(descriptor)
