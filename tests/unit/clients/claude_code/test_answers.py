import json

import pytest

from amplihack_compaction.base.hook_log import log_line
from amplihack_compaction.clients.claude_code.answers import additional_context, block, fit
from tests.support.processes import log_of


def test_answers_are_what_the_client_parses() -> None:
    answer = json.loads(additional_context("Stop", "té \ud800xt", "for the user"))
    assert answer["hookSpecificOutput"]["hookEventName"] == "Stop"
    assert answer["systemMessage"] == "for the user"
    assert "systemMessage" not in json.loads(additional_context("Stop", "x"))
    assert json.loads(block("why")) == {"decision": "block", "reason": "why"}


@pytest.mark.parametrize("text", ["a" * 9_999, "a" * 10_000, "é" * 10_000, "🚫" * 5_000])
def test_what_the_client_takes_whole_is_not_cut(text: str) -> None:
    assert fit(text) == text


@pytest.mark.parametrize("text", ["a" * 10_001, "🚫" * 5_001, "é🚫" * 9_000])
def test_what_the_client_would_replace_is_cut_below_its_limit(text: str) -> None:
    cut = fit(text)
    assert len(cut.encode("utf-16-le")) <= 20_000
    assert cut.endswith("[cut]")


def test_a_log_line_is_one_line(project: pytest.TempPathFactory) -> None:
    log_line(str(project), "Stop", "two\nlines\x1b[31m " + "x" * 5_000)
    (line,) = log_of(project)  # type: ignore[arg-type]
    assert "two lines [31m" in line
    assert len(line) < 1_200
