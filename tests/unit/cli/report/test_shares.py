"""Where the tokens of a session went."""

from amplihack_compaction.cli.report.measures import (
    ADDED,
    ANSWERS,
    CALLS,
    OUTPUTS,
    PROMPTS,
    SUMMARIES,
    THINKING,
    TokenShares,
)
from amplihack_compaction.clients.reading import IMAGE_CHARACTERS
from amplihack_compaction.context.estimate import line_for
from amplihack_compaction.transcript.session import JsonObject
from tests.support.transcripts import Transcript

SLOPE = line_for("claude-opus-5-5").slope


def shares_of(lines: list[JsonObject]) -> TokenShares:
    shares = TokenShares()
    for line in lines:
        shares.take(line)
    return shares


def user(content: object, **fields: object) -> JsonObject:
    return {"type": "user", "message": {"content": content}, **fields}


def answer(*blocks: JsonObject, model: str = "claude-opus-5-5") -> JsonObject:
    return {"type": "assistant", "message": {"model": model, "content": list(blocks)}}


def test_each_text_counts_for_its_kind() -> None:
    lines = [
        user("p" * 1000),
        answer({"type": "thinking", "thinking": "t" * 2000}, {"type": "text", "text": "a" * 3000}),
        user("m" * 4000, isMeta=True),
        user("s" * 5000, isCompactSummary=True),
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "q" * 1000}},
        {"type": "attachment", "attachment": {"type": "date"}, "rendered": "d" * 2000},
    ]
    kinds = shares_of(lines).kinds
    expected = {PROMPTS: 2000, THINKING: 2000, ANSWERS: 3000, ADDED: 6000, SUMMARIES: 5000}
    assert {kind: round(tokens / SLOPE, -2) for kind, tokens in kinds.items()} == expected


def test_a_result_counts_for_the_tool_and_the_file_of_its_call() -> None:
    session = Transcript()
    session.tool("Read", {"file_path": "/a.py"}, "x" * 10_000)
    session.tool("NotebookEdit", {"notebook_path": "/b.ipynb"}, "y" * 1000)
    session.tool("Bash", {"command": "ls"}, "z" * 5000)
    shares = shares_of(session.lines)
    assert shares.uses == {"Read": 1, "NotebookEdit": 1, "Bash": 1}
    assert [name for name, _ in shares.tools.most_common()] == ["Read", "Bash", "NotebookEdit"]
    assert set(shares.files) == {"/a.py", "/b.ipynb"}
    assert shares.tools["Read"] == shares.files["/a.py"]
    assert shares.tools.total() == shares.kinds[CALLS] + shares.kinds[OUTPUTS]


def test_a_result_without_its_call_has_no_name() -> None:
    block = {"type": "tool_result", "tool_use_id": "gone", "content": "x" * 1000}
    shares = shares_of([user([block])])
    assert set(shares.tools) == {""}
    assert not shares.uses


def test_an_image_counts_as_the_texts_that_cost_as_much() -> None:
    block = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image"}]}
    assert shares_of([user([block])]).kinds[OUTPUTS] == round(SLOPE * IMAGE_CHARACTERS)


def test_each_model_has_its_own_line() -> None:
    text = {"type": "text", "text": "a" * 100_000}
    newer = shares_of([answer(text)]).kinds[ANSWERS]
    older = shares_of([answer(text, model="claude-sonnet-4-5")]).kinds[ANSWERS]
    assert newer > older
    errors = [answer(text, model="claude-sonnet-4-5"), answer(text, model="<synthetic>")]
    assert shares_of(errors).kinds[ANSWERS] == 2 * older


def test_what_is_no_text_costs_nothing() -> None:
    lines: list[JsonObject] = [
        user(7),
        user([7, {"type": 3}]),
        answer({"type": "server_tool_use"}, {"type": ["text"]}),
        {"type": "assistant", "message": {"content": "text"}, "isApiErrorMessage": True},
        {"type": "attachment"},
        {"type": "user", "message": "x"},
    ]
    assert shares_of(lines).kinds.total() == 0
