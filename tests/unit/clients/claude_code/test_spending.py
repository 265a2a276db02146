"""Costs and savings are told only where the client's own lines tell them."""

import json
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.clients.claude_code.spending import Spending, read_spending


def spending_of(tmp_path: Path, *lines: dict[str, Any]) -> Spending:
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(json.dumps(line, separators=(",", ":")) for line in lines))
    return read_spending(str(path))


def cost(dollars: object) -> dict[str, Any]:
    return {"type": "cost-state", "totalCostUSD": dollars}


def boundary(told: object) -> dict[str, Any]:
    return {"type": "system", "subtype": "compact_boundary", "compactMetadata": told}


def response(tokens: int, **fields: Any) -> dict[str, Any]:
    usage = {"input_tokens": 1, "cache_read_input_tokens": tokens - 1, "output_tokens": 7}
    return {"type": "assistant", "message": {"id": "msg", "usage": usage}, **fields}


def test_an_empty_transcript_and_a_folder_tell_nothing(tmp_path: Path) -> None:
    assert spending_of(tmp_path) == Spending()
    assert read_spending(str(tmp_path)) == Spending()


def test_the_newest_cost_counts(tmp_path: Path) -> None:
    assert spending_of(tmp_path, cost(1.5), cost(2), {"type": "user"}) == Spending(2.0)


@pytest.mark.parametrize("dollars", [-1, True, "1.5", None, float("nan")])
def test_a_cost_that_is_none_is_not_told(dollars: object, tmp_path: Path) -> None:
    assert spending_of(tmp_path, cost(dollars)) == Spending()


@pytest.mark.parametrize("told", [None, {}, {"preTokens": 9}, {"preTokens": "9", "postTokens": 1}])
def test_a_compaction_without_usable_numbers_is_counted_as_not_measured(
    told: object, tmp_path: Path
) -> None:
    lines = boundary(told), boundary({"preTokens": 170, "postTokens": 20})
    assert spending_of(tmp_path, *lines) == Spending(None, 2, 150, unmeasured=1)


def test_a_compaction_after_which_more_is_sent_saves_nothing(tmp_path: Path) -> None:
    lines = boundary({"preTokens": 1, "postTokens": 9}), boundary({"preTokens": 170})
    assert spending_of(tmp_path, *lines, response(20)) == Spending(None, 2, 150)


def test_what_is_sent_after_a_compaction_its_first_response_tells(tmp_path: Path) -> None:
    """Older clients note no `postTokens`; of others they leave out system prompt and tools."""
    for told in ({"preTokens": 170}, {"preTokens": 170, "postTokens": 20}):
        lines = response(160), boundary(told), response(9, isSidechain=True), response(58)
        assert spending_of(tmp_path, *lines, response(90)) == Spending(None, 1, 170 - 58)


def test_a_boundary_that_a_line_quotes_is_no_compaction(tmp_path: Path) -> None:
    quoting = {"type": "user", "toolUseResult": boundary({"preTokens": 170, "postTokens": 20})}
    assert spending_of(tmp_path, quoting) == Spending()
