"""From any bytes to an injection: nothing raises, nothing grows beyond its bounds."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.files import open_regular, parse_object
from amplihack_compaction.base.redaction.redact import redact, redact_line
from amplihack_compaction.base.size_limits import STATE_END, STATE_HEAD
from amplihack_compaction.clients.claude_code.tail import find_boundaries
from amplihack_compaction.extract.statements import ExactValue, Issue, Rule, SessionState, Todo
from amplihack_compaction.injection.render import render_state, summary_hint
from amplihack_compaction.ledger.stored import dump_state, fold_transcript, load_state
from amplihack_compaction.text.words import utf16_length
from tests.support.captured import session
from tests.support.transcripts import SESSION

texts = st.text(max_size=200)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@cache
def real_lines() -> tuple[dict[str, Any], ...]:
    lines: list[dict[str, Any]] = []
    for name in ("auto_compact_x3", "short_todowrite", "plan_file", "tool_errors"):
        lines += [json.loads(line) for line in session(name).read_text().splitlines()]
    return tuple(line for line in lines if not line["type"].startswith("api-request"))


@st.composite
def mutated_line(draw: st.DrawFn) -> bytes:
    """Draw a real line in which one field, at any depth, is something else."""
    line = json.loads(json.dumps(draw(st.sampled_from(real_lines()))))
    place: Any = line
    while isinstance(place, (dict, list)) and place:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw(st.sampled_from(keys))
        if not isinstance(place[key], (dict, list)) or draw(st.booleans()):
            place[key] = draw(json_values)
            break
        place = place[key]
    return json.dumps(line).encode("utf-8", "replace")


lines = st.lists(st.binary(max_size=80) | mutated_line(), max_size=25)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(content=lines)
def test_any_transcript_folds_or_says_why_not(content: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\n".join(content))
    try:
        state = fold_transcript(str(path), SESSION).state
    except TranscriptError:
        return
    assert load_state(dump_state(state)) == state
    rendered = render_state(state, 2000, "/state.md")
    assert rendered.tokens <= 2000
    assert rendered.text.count(STATE_HEAD) == rendered.text.count(STATE_END) == 1
    assert len(summary_hint(state, 2000)) <= 2000


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=4000), start=st.integers(0, 50))
def test_any_bytes_are_searched_for_boundaries(content: bytes, start: int, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(content)
    descriptor = open_regular(str(path))
    with open(descriptor, "rb"):
        offsets, end = find_boundaries(descriptor, start, len(content))
    assert offsets == []
    assert start <= end <= max(start, len(content))


@given(st.binary(max_size=300) | json_values.map(lambda value: json.dumps(value).encode()))
def test_the_scanner_agrees_with_the_json_module(data: bytes) -> None:
    try:
        expected = json.loads(data.decode("utf-8"))
    except ValueError:
        expected = None
    found = parse_object(data)
    if isinstance(expected, dict):
        assert found == expected
    else:
        assert found is None


@given(st.lists(texts, max_size=60), st.integers(200, 4000))
def test_any_state_is_rendered_within_its_bounds(said: list[str], budget: int) -> None:
    state = SessionState(
        rules=tuple(Rule(text=t, uuid=str(n), offset=n) for n, t in enumerate(said)),
        todos=tuple(Todo(text=t, uuid=str(n), offset=n) for n, t in enumerate(said)),
        values=tuple(ExactValue(text=t, uuid=str(n), context=t) for n, t in enumerate(said)),
        issues=tuple(Issue(text=t, uuid=str(n)) for n, t in enumerate(said)),
    )
    rendered = render_state(state, budget, "/state.md")
    assert rendered.tokens <= max(budget, render_state(SessionState(), 0).tokens + 200)
    assert utf16_length(rendered.text) <= 10_000
    assert rendered.text.count(STATE_HEAD) == rendered.text.count(STATE_END) == 1
    assert all(c == "\n" or c.isprintable() for c in rendered.text)


@given(texts)
def test_redaction_is_idempotent_and_keeps_json_whole(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
    line = json.dumps({"content": text})
    assert isinstance(json.loads(redact_line(line))["content"], str)


@pytest.mark.parametrize("piece", ["password=", "sk-ant-", "<private>", "token: ", "://a:b@"])
def test_redaction_stays_whole_around_its_own_words(piece: str) -> None:
    for text in (piece * 50, piece + '"' + piece, piece + "\\" * 9):
        line = json.dumps({"content": text})
        assert isinstance(json.loads(redact_line(line)), dict)
