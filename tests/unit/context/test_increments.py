from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.transcript.session import Entry
from tests.support import increments as reading
from tests.support.captured import session as captured_session
from tests.support.increments import added_text, increments, read_increments
from tests.support.transcripts import Transcript
from tests.unit.context.sessions import entries


def test_only_the_newest_part_of_a_large_transcript_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.unit.context.sessions import session

    path = session(60, lambda text: 105 + len(text) / 3).write(tmp_path / "s.jsonl")
    assert len(list(read_increments(path))) == 59
    monkeypatch.setattr(reading, "READ_BYTES", path.stat().st_size // 2)
    assert 20 < len(list(read_increments(path))) < 40


def test_a_transcript_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="missing"):
        list(read_increments(tmp_path / "missing.jsonl"))


def respond(transcript: Transcript, tokens: Any, text: str = "I see.", **fields: Any) -> None:
    transcript.assistant(text)
    line = transcript.lines[-1]
    usage = {"input_tokens": tokens} if isinstance(tokens, int) else tokens
    line["message"]["usage"] = usage
    line.update(fields)


def texts_and_tokens(transcript: Transcript) -> list[tuple[str, int]]:
    return [(pair.text, pair.tokens) for pair in increments(entries(transcript))]


def test_a_pair_is_what_the_context_grew_by_and_the_text_in_between() -> None:
    transcript = Transcript()
    respond(transcript, 1000)
    transcript.user("Now the tests.")
    respond(transcript, 1150, "Done.")
    respond(transcript, 1260)
    assert texts_and_tokens(transcript) == [("I see.\nNow the tests.", 150), ("Done.", 110)]


def test_one_response_on_several_lines_counts_once_by_its_last_line() -> None:
    transcript = Transcript()
    transcript.assistant("Two calls.", [{"id": "t1", "name": "Bash", "input": {"command": "ls"}}])
    first, last = transcript.lines
    first["message"]["usage"] = {"input_tokens": 1}
    last["message"]["usage"] = {"input_tokens": 1000}
    respond(transcript, 1100)
    assert texts_and_tokens(transcript) == [('Two calls.\nBash{"command": "ls"}', 100)]


@pytest.mark.parametrize("fields", [{"isSidechain": True}, {"isApiErrorMessage": True}])
def test_subagents_and_api_errors_are_no_responses(fields: dict[str, Any]) -> None:
    transcript = Transcript()
    respond(transcript, 1000)
    respond(transcript, 50, "API Error: 529", **fields)
    respond(transcript, 1100)
    assert texts_and_tokens(transcript) == [("I see.", 100)]


def test_what_the_client_made_up_is_no_response() -> None:
    transcript = Transcript()
    respond(transcript, 1000)
    respond(transcript, 0, "No response requested.")
    transcript.lines[-1]["message"]["model"] = "<synthetic>"
    respond(transcript, 1100)
    assert texts_and_tokens(transcript) == [("I see.", 100)]


def test_no_pair_spans_a_compaction_or_a_change_of_model() -> None:
    transcript = Transcript()
    respond(transcript, 1000)
    transcript.compact("what was done")
    respond(transcript, 1500)
    transcript.model = "claude-opus-4-6"
    respond(transcript, 1900)
    assert texts_and_tokens(transcript) == []


@pytest.mark.parametrize(
    "usage",
    [None, {}, 0, {"input_tokens": 0}, {"input_tokens": "9"}, {"input_tokens": -5}, [1], 900, 1000],
)
def test_no_pair_without_usage_or_growth(usage: Any) -> None:
    transcript = Transcript()
    respond(transcript, 1000)
    respond(transcript, usage)
    assert texts_and_tokens(transcript) == []


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "source": {}},
        {"type": "document", "source": {}},
        {"type": "tool_result", "content": [{"type": "image"}]},
    ],
)
def test_a_pair_with_an_image_tells_nothing(block: dict[str, Any]) -> None:
    transcript = Transcript()
    respond(transcript, 1000)
    transcript.user([block, {"type": "text", "text": "Look."}])
    respond(transcript, 2600)
    respond(transcript, 2700)
    assert texts_and_tokens(transcript) == [("I see.", 100)]


@pytest.mark.parametrize(
    "block", [{"type": "thinking", "thinking": "", "signature": "x"}, {"type": "redacted_thinking"}]
)
def test_a_pair_with_hidden_thinking_tells_nothing(block: dict[str, Any]) -> None:
    transcript = Transcript()
    respond(transcript, 1000)
    transcript.lines[-1]["message"]["content"].insert(0, block)
    respond(transcript, 3000)
    assert texts_and_tokens(transcript) == []


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ({"type": "user", "message": {"content": "plain"}}, "plain"),
        ({"type": "user", "message": {"content": 7}}, ""),
        ({"type": "user", "message": "no object"}, ""),
        ({"type": "user", "message": {"content": ["a", {"type": "text", "text": 5}]}}, ""),
        (
            {"type": "assistant", "message": {"content": [{"type": "thinking", "thinking": "hm"}]}},
            "hm",
        ),
        ({"type": "attachment", "attachment": {"type": "date", "rendered": "Today"}}, "Today"),
        ({"type": "attachment", "attachment": {"rendered": [{"type": "text", "text": "a"}]}}, "a"),
        ({"type": "attachment", "attachment": None}, ""),
        ({"type": "system", "content": "Conversation compacted"}, ""),
        ({}, ""),
    ],
)
def test_the_text_is_what_the_model_is_sent(entry: dict[str, Any], text: str) -> None:
    assert added_text(entry) == text


def test_responses_without_an_id_are_responses_of_their_own() -> None:
    transcript = Transcript()
    for tokens in (1000, 1100, 1250):
        respond(transcript, tokens)
        del transcript.lines[-1]["message"]["id"]
    assert [tokens for _, tokens in texts_and_tokens(transcript)] == [100, 150]


def test_real_transcripts_give_pairs() -> None:
    from amplihack_compaction.clients.reading import iterate_entries

    found = list(increments(iterate_entries(captured_session("auto_compact_x3"))))
    assert found
    assert all(pair.tokens > 0 and pair.text and pair.model for pair in found)
    assert list(increments([Entry(0, {})])) == []
