from amplihack_compaction.validation.messages import parse_messages, window_of
from amplihack_compaction.validation.validator import split_at_boundary, split_at_summary
from tests.support.captured import session
from tests.support.transcripts import SUMMARY_HEAD, Transcript

FLAT = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]


def compacted() -> Transcript:
    log = Transcript()
    log.user("Build it")
    log.assistant("First part done")
    log.user("Go on")
    log.assistant("Second part done")
    log.compact("The user wants it built.", preserved=1)
    return log


def test_after_a_compaction_the_model_has_the_preserved_messages_and_what_follows() -> None:
    log = compacted()
    split = split_at_boundary(log.lines)
    window = window_of(split.now)
    texts = [node.text for node in window.chain]
    assert "Second part done" in texts
    assert "First part done" not in texts
    assert "wants it built" in window.summary
    assert window.began is not None
    log.user("And now?")
    assert [p.text for p in window_of(split_at_boundary(log.lines).now).prompts] == ["And now?"]
    assert [p.text for p in window_of(split.before).prompts] == ["Build it", "Go on"]


def test_of_several_compactions_the_last_one_counts_unless_one_is_named() -> None:
    log = compacted()
    first = log.lines[-2]["uuid"]
    log.user("Third")
    log.compact("Nothing.")
    log.user("Fourth")
    split = split_at_boundary(log.lines)
    assert [prompt.text for prompt in window_of(split.before).prompts] == ["Third"]
    named = split_at_boundary(log.lines, first)
    assert [prompt.text for prompt in window_of(named.before).prompts] == ["Build it", "Go on"]
    assert split_at_boundary(log.lines, "unknown").before == []


def test_old_clients_wrote_a_summary_and_no_boundary() -> None:
    log = Transcript()
    log.user("Build it")
    content = {"role": "user", "content": SUMMARY_HEAD + "x"}
    log.add("user", None, message=content, isCompactSummary=True)
    log.user("Go on")
    split = split_at_boundary(log.lines)
    assert [prompt.text for prompt in window_of(split.before).prompts] == ["Build it"]
    assert [prompt.text for prompt in window_of(split.now).prompts] == ["Go on"]


def test_a_subagents_boundary_is_not_the_sessions() -> None:
    log = compacted()
    log.lines = [{**x, "isSidechain": x.get("subtype") == "compact_boundary"} for x in log.lines]
    log.lines = [x for x in log.lines if not x.get("isCompactSummary")]
    assert split_at_boundary(log.lines).before == []


def test_flat_messages_have_no_boundary_but_may_have_a_summary() -> None:
    flat = [*FLAT, {"role": "user", "content": SUMMARY_HEAD + "x"}]
    assert split_at_boundary(flat).now == flat
    assert split_at_summary(flat).before == FLAT
    assert not split_at_summary(FLAT).is_compacted
    wrapped = [{"message": message} for message in flat]
    assert split_at_summary(wrapped).before == wrapped[:2]


def test_what_a_compaction_removes_is_the_messages_less_the_preserved() -> None:
    log = compacted()
    window = window_of(split_at_boundary(log.lines).before)
    kept = log.lines[-2]["compactMetadata"]["preservedMessages"]["uuids"]
    assert window.count_messages(kept) == 3
    assert window.count_messages() == 4


def test_a_captured_session_splits_at_its_last_compaction() -> None:
    read = parse_messages(session("auto_compact_x3").read_bytes())
    assert read.messages is not None
    split = split_at_boundary(read.messages)
    window = window_of(split.now)
    assert window.summary
    assert split.boundary_uuid
    assert window_of(split.before).turns
