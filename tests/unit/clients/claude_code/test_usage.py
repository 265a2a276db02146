"""The newest response's own numbers, and the characters of what came after it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.files import open_regular
from amplihack_compaction.clients.claude_code.tail import (
    Usage,
    characters_since,
    estimate_tokens,
    newest_usage,
)
from amplihack_compaction.clients.reading import IMAGE_CHARACTERS, text_characters, usage_of
from tests.support.captured import session
from tests.support.sessions import NEWER_MODEL, respond, usage_of_tokens
from tests.support.transcripts import Transcript

EVERYTHING = 1 << 30


def newest(path: Path, limit_bytes: int = EVERYTHING) -> Usage | None:
    descriptor = open_regular(str(path))
    try:
        return newest_usage(descriptor, path.stat().st_size, limit_bytes)
    finally:
        os.close(descriptor)


def since(path: Path) -> tuple[int, int]:
    usage = newest(path)
    assert usage is not None
    descriptor = open_regular(str(path))
    try:
        return characters_since(descriptor, usage, path.stat().st_size)
    finally:
        os.close(descriptor)


def estimated(path: Path, base: int = 100, per_1000: int = 500) -> int:
    usage = newest(path)
    assert usage is not None
    descriptor = open_regular(str(path))
    try:
        return estimate_tokens(descriptor, usage, path.stat().st_size, base, per_1000)
    finally:
        os.close(descriptor)


@pytest.fixture
def transcript() -> Transcript:
    """Return a session with one response at 5,000 tokens."""
    made = Transcript()
    made.user("Go.")
    respond(made, 5000)
    return made


@pytest.mark.parametrize("name", ["auto_compact_x3", "manual_compact", "short_tasks"])
def test_a_real_sessions_newest_response_is_found(name: str) -> None:
    path = session(name)
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    last = [line for line in lines if line.get("type") == "assistant"][-1]["message"]
    usage = newest(path)
    assert usage is not None
    expected = last["usage"]
    assert usage.tokens - usage.input_tokens == expected["output_tokens"]
    assert usage.model == last["model"]
    assert usage.message_id == last["id"]


def test_numbers_count_once_for_a_response_of_several_lines(
    transcript: Transcript, tmp_path: Path
) -> None:
    tools = [{"id": f"toolu_{n}", "name": "Read", "input": {"n": n}} for n in range(3)]
    respond(transcript, 9000, tools=tools)
    usage = newest(transcript.write(tmp_path / "t.jsonl"))
    assert usage is not None
    assert (usage.tokens, usage.input_tokens) == (9000, 8990)
    assert usage.start < usage.offset


def test_of_lines_that_differ_the_last_one_counts(transcript: Transcript, tmp_path: Path) -> None:
    respond(transcript, 9000, tools=[{"id": "toolu_1", "name": "Read", "input": {}}])
    transcript.lines[-2]["message"]["usage"]["output_tokens"] = 1
    assert estimated(transcript.write(tmp_path / "t.jsonl")) == 9000


@pytest.mark.parametrize(
    "changes", [{"isSidechain": True}, {"isApiErrorMessage": True}, {"type": "progress"}]
)
def test_subagents_and_api_errors_are_left_out(
    transcript: Transcript, tmp_path: Path, changes: dict[str, Any]
) -> None:
    respond(transcript, 9000, **changes)
    usage = newest(transcript.write(tmp_path / "t.jsonl"))
    assert usage is not None
    assert usage.tokens == 5000


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        [],
        "many",
        {"input_tokens": 0, "output_tokens": 0},
        {"input_tokens": -5, "output_tokens": 1},
        {"input_tokens": 5, "output_tokens": -1},
        {"input_tokens": 9000, "cache_read_input_tokens": -1},
        {"input_tokens": "9000"},
        {"input_tokens": True},
        {"input_tokens": 9e3},
        {"input_tokens": 10**12},
    ],
)
def test_numbers_that_make_no_sense_are_passed_over(
    transcript: Transcript, tmp_path: Path, usage: Any
) -> None:
    respond(transcript, 9000)
    transcript.lines[-1]["message"]["usage"] = usage
    found = newest(transcript.write(tmp_path / "t.jsonl"))
    assert found is not None
    assert found.tokens == 5000


def test_the_clients_own_words_are_no_response(transcript: Transcript, tmp_path: Path) -> None:
    respond(transcript, 9000, model="<synthetic>")
    assert estimated(transcript.write(tmp_path / "t.jsonl"), base=0, per_1000=0) == 5000


def test_a_proxys_names_are_taken_as_they_are() -> None:
    message = {"model": None, "id": 7, "usage": {"input_tokens": 5}}
    usage = usage_of({"type": "assistant", "message": message}, 3)
    assert usage is not None
    assert (usage.model, usage.message_id, usage.tokens, usage.offset) == ("", "", 5, 3)
    assert usage_of({"type": "assistant", "message": "text"}, 0) is None


def test_a_file_without_a_response_has_none(tmp_path: Path) -> None:
    transcript = Transcript()
    assert newest(transcript.write(tmp_path / "empty.jsonl")) is None
    transcript.user('The field is called "usage".')
    assert newest(transcript.write(tmp_path / "t.jsonl")) is None


def test_a_response_far_from_the_end_is_found_up_to_the_limit(
    transcript: Transcript, tmp_path: Path
) -> None:
    for _ in range(40):
        transcript.user("word " * 2000)
    path = transcript.write(tmp_path / "t.jsonl")
    assert newest(path) is not None
    assert newest(path, limit_bytes=200_000) is None


def test_a_last_line_without_its_newline_counts_once_it_is_whole(
    transcript: Transcript, tmp_path: Path
) -> None:
    respond(transcript, 9000)
    path = transcript.write(tmp_path / "t.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert estimated(path) == 9000
    path.write_bytes(whole[:-20])
    found = newest(path)
    assert found is not None
    assert found.tokens == 5000


def test_what_came_after_is_measured_by_its_text(transcript: Transcript, tmp_path: Path) -> None:
    transcript.user("x" * 1000)
    transcript.user([{"type": "text", "text": "y" * 500}, {"type": "image", "source": {}}, 7])
    transcript.user("a subagent's", isSidechain=True)
    transcript.add("system", content="z" * 300)
    transcript.attachment("file", content="not as sent")
    transcript.lines[-1]["rendered"] = [{"content": "w" * 200}]
    after, own = since(transcript.write(tmp_path / "t.jsonl"))
    assert after == 1700 + IMAGE_CHARACTERS
    assert own == len("Yes.")


def test_results_between_a_responses_lines_came_after_it(
    transcript: Transcript, tmp_path: Path
) -> None:
    tools = [{"id": f"toolu_{n}", "name": "Read", "input": {"n": n}} for n in range(2)]
    respond(transcript, 9000, text="", tools=tools)
    second = transcript.lines.pop()
    result = {"tool_use_id": "toolu_0", "type": "tool_result", "content": "r" * 400}
    transcript.user([result], toolUseResult={"stdout": "r" * 400})
    transcript.lines.append(second)
    after, _ = since(transcript.write(tmp_path / "t.jsonl"))
    assert after == 400


def test_the_estimate_is_a_line_on_the_characters(transcript: Transcript, tmp_path: Path) -> None:
    assert estimated(transcript.write(tmp_path / "t.jsonl")) == 5000
    transcript.user("x" * 1000)
    assert estimated(transcript.write(tmp_path / "t.jsonl")) == 5000 + 100 + 500


def test_an_answer_that_older_clients_noted_too_early_is_estimated(
    transcript: Transcript, tmp_path: Path
) -> None:
    respond(transcript, 9000, text="t" * 4000)
    transcript.lines[-1]["message"]["usage"]["output_tokens"] = 2
    assert estimated(transcript.write(tmp_path / "t.jsonl")) == 8990 + 2000


def test_a_response_without_an_id_is_followed_by_others(
    transcript: Transcript, tmp_path: Path
) -> None:
    respond(transcript, 9000, model=NEWER_MODEL)
    del transcript.lines[-1]["message"]["id"]
    found = newest(transcript.write(tmp_path / "t.jsonl"))
    assert found is not None
    assert found.start == found.offset


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"type": "user"},
        {"type": "user", "message": "text"},
        {"type": "user", "message": {"content": 7}},
        {"type": "user", "message": {"content": [{"type": "text", "text": None}]}},
        {"type": "assistant", "isApiErrorMessage": True, "message": {"content": "no"}},
        {"type": "attachment", "rendered": None},
        {"type": "attachment", "rendered": [{"other": "x"}]},
    ],
)
def test_entries_without_text_have_no_characters(entry: dict[str, Any]) -> None:
    assert text_characters(entry) == 0


def test_numbers_of_all_kinds_are_added_up() -> None:
    numbers = usage_of_tokens(500) | {"cache_creation_input_tokens": 40}
    usage = usage_of({"type": "assistant", "message": {"usage": numbers}}, 0)
    assert usage is not None
    assert usage.tokens == 540
