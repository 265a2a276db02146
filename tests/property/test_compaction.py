"""Whatever is put in, the readers and the validator answer; what they store comes back."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction import CompactionContext, CompactionValidator, PowerSteeringChecker
from amplihack_compaction.clients.speakers import summary_part
from amplihack_compaction.text.polarity import disagreement, read_polarity
from amplihack_compaction.validation.before_and_after import (
    parse_messages,
    read_transcript,
    visible_texts,
    windows_in,
)
from amplihack_compaction.validation.events import (
    epoch_seconds,
    events_path,
    read_events,
    record_event,
)
from amplihack_compaction.validation.losses import report_losses, report_to_json
from amplihack_compaction.validation.matching.item_match import match
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import Label
from amplihack_compaction.validation.validator import split_at_boundary
from tests.support.states import full_state

TEXTS = st.text(max_size=80) | st.sampled_from(
    ["TODO: write it", "never push to main", "use pnpm, not npm", "不要修改", "- [x] a\n- [ ] b"]
)
ITEMS = st.lists(
    st.sampled_from(
        "never always use don't push main tests before without asking only remove keep 30 lines"
        " under not instead of the user changed docs unless leave alone no more than and or".split()
    ),
    min_size=2,
    max_size=12,
).map(" ".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
BLOCKS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "tool_use", "tool_result", "odd"])},
        optional={"text": TEXTS | JSON, "id": JSON, "input": JSON, "content": JSON},
    ),
    max_size=3,
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "role": st.sampled_from(["user", "assistant", "system"]) | JSON,
            "content": TEXTS | BLOCKS | JSON,
            "type": st.sampled_from(["user", "assistant", "system", "attachment"]) | JSON,
            "uuid": st.sampled_from(["a", "b", "c"]) | JSON,
            "parentUuid": st.sampled_from(["a", "b", "c"]) | JSON,
            "subtype": st.just("compact_boundary"),
            "compactMetadata": JSON,
            "isCompactSummary": st.booleans() | JSON,
            "isSidechain": st.booleans() | JSON,
            "message": st.dictionaries(st.sampled_from(["role", "content"]), JSON | BLOCKS),
            "attachment": JSON,
            "rendered": JSON,
        },
    )
    | JSON,
    max_size=6,
)


@given(MESSAGES, MESSAGES, TEXTS)
def test_any_messages_are_validated(before: Any, after: Any, session: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "t.json").write_text(json.dumps(before))
        record_event(folder, session, 0, pre_compaction_transcript_path="t.json")
        validator = CompactionValidator(root)
        result = validator.validate(after, session)
        assert result.passed == (not result.warnings)
        assert all(text in result.get_summary() for text in result.warnings)
        validator.validate_todos(before, after)
        validator.validate_objectives(before, after)
        validator.validate_recent_context(before, after, CompactionContext())
        assert PowerSteeringChecker(root).check(after, session).considerations


@given(MESSAGES)
def test_any_messages_become_a_window(messages: Any) -> None:
    split = split_at_boundary(messages)
    windows_in(split.before)
    window = windows_in([*split.earlier, *split.before, *split.follows])[-1]
    assert len(window.chain) <= len(messages)
    assert all(isinstance(text, str) for text in visible_texts(split.follows))


@given(st.binary(max_size=300))
def test_any_bytes_are_a_transcript_or_a_problem(data: bytes) -> None:
    read = parse_messages(data)
    assert (read.messages is None) == bool(read.problem)


@given(st.text(max_size=60))
def test_any_path_is_read_or_refused(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        read = read_transcript(folder, name)
        assert read.messages is None
        assert read.problem


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()), TEXTS)
def test_whatever_the_events_file_holds_recording_works(content: bytes, session: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(events_path(folder))
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        read_events(folder)
        for _ in range(2):
            record_event(folder, session, 5, turn_number=7)
        found = [event for event in read_events(folder).events if event.session_id == session]
        assert [event.turn_number for event in found if event.extra.get("window_start") == 5] == [7]


@given(JSON)
def test_any_value_is_a_moment_or_none(value: Any) -> None:
    moment = epoch_seconds(value)
    assert moment is None or isinstance(moment, float)
    CompactionContext(has_compaction_event=True, timestamp=value).get_diagnostic_summary()


@given(TEXTS, TEXTS, st.sampled_from(["rule", "todo", "objective", "decision", "value", "command"]))
def test_any_item_has_a_fate_in_any_text(item: str, text: str, kind: str) -> None:
    found = match(item, TextIndex(text), kind)
    assert found.label in Label
    assert 0.0 <= found.score <= 1.0
    read_polarity(text)


@given(ITEMS, st.sampled_from(["rule", "decision"]))
def test_an_item_is_never_lost_in_itself(item: str, kind: str) -> None:
    assert match(item, TextIndex(item), kind).label in {Label.KEPT, Label.REWORDED, Label.UNKNOWN}


@given(ITEMS | st.text(max_size=120), ITEMS)
def test_no_text_contradicts_itself(text: str, other: str) -> None:
    stance = read_polarity(text)
    assert disagreement(stance, stance, dict.fromkeys(stance.signs, 1.0)) <= 0
    assert -1 <= disagreement(stance, read_polarity(other), dict.fromkeys(stance.signs, 1.0)) <= 1


@given(st.text(max_size=200))
def test_a_report_on_any_text_is_told_as_json(text: str) -> None:
    report = report_losses(full_state(), summary_part(text))
    told = json.loads(json.dumps(report_to_json(report)))
    assert [(item["label"], item["lost"]) for item in told["items"]] == [
        (str(fate.label), fate.is_lost) for fate in report.items
    ]
