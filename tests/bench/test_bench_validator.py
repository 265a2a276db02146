"""What loading and validating cost, beside what merely reading the file's JSON costs.

The ratio stands in each benchmark's extra_info; nothing is asserted in seconds.
"""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from amplihack_compaction import CompactionValidator
from amplihack_compaction.validation.events import record_event
from amplihack_compaction.validation.losses import report_losses
from amplihack_compaction.validation.matching.item_match import match
from amplihack_compaction.validation.matching.text_index import TextIndex
from tests.support.states import full_state

SIZES = (1_000, 10_000)


def words(count: int, source: random.Random) -> str:
    known = (
        "parser lexer cart page button export import table column row total price user session"
        " token header footer menu report chart filter search index cache queue worker job retry"
        " timeout error message field form label icon color layout test fixture mock client server"
        " route query schema migration script build deploy"
    ).split()
    return " ".join(source.choice(known) for _ in range(count))


def conversation(messages: int) -> list[dict[str, str]]:
    source = random.Random(7)
    made = []
    for number in range(messages // 2):
        file = f"src/{words(1, source)}.py"
        prompt = f"Please fix the {words(4, source)} and update {file}, part {number}."
        answer = f"I changed {words(50, source)}."
        if number % 50 == 0:
            answer += f"\nTODO: {words(6, source)}"
        made += [{"role": "user", "content": prompt}, {"role": "assistant", "content": answer}]
    return made


def after(before: list[dict[str, str]]) -> list[dict[str, str]]:
    todos = [
        line[6:]
        for message in before
        for line in message["content"].splitlines()
        if line.startswith("TODO")
    ]
    summary = "Summary:\n" + "\n".join(f"- still open: {todo}" for todo in todos)
    return [{"role": "user", "content": summary}, *before[-20:]]


def put(project: Path, before: list[dict[str, str]]) -> Path:
    path = project / "before.json"
    path.write_text(json.dumps(before))
    record_event(str(project), "s", 0, pre_compaction_transcript_path="before.json")
    return path


def note_ratio(benchmark: BenchmarkFixture, path: Path) -> None:
    """Note how many times the file's own read and json.loads it took."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        json.loads(path.read_bytes())
        best = min(best, time.perf_counter() - start)
    if benchmark.stats is not None:
        benchmark.extra_info["times_json"] = round(benchmark.stats.stats.median / best, 2)


@pytest.mark.parametrize("messages", SIZES)
def test_loading_the_context(benchmark: BenchmarkFixture, project: Path, messages: int) -> None:
    path = put(project, conversation(messages))
    validator = CompactionValidator(project)
    context = benchmark(validator.load_compaction_context, "s")
    assert len(context.pre_compaction_transcript) == messages
    note_ratio(benchmark, path)


@pytest.mark.parametrize("messages", SIZES)
def test_validating(benchmark: BenchmarkFixture, project: Path, messages: int) -> None:
    before = conversation(messages)
    path = put(project, before)
    validator = CompactionValidator(project)
    now = after(before)
    result = run_few(benchmark, lambda: validator.validate(transcript=now, session_id="s"))
    assert result.passed
    note_ratio(benchmark, path)


def test_a_hundred_items_against_two_thousand_messages(benchmark: BenchmarkFixture) -> None:
    before = conversation(2_000)
    source = random.Random(11)
    items = [words(7, source) for _ in range(60)]
    items += [message["content"][:80] for message in before[:80:2]]

    def look_for_all() -> int:
        text_index = TextIndex("\n".join(message["content"] for message in before))
        return len([match(item, text_index, "todo") for item in items])

    assert run_few(benchmark, look_for_all) == 100


def test_recording_an_event_among_five_hundred(benchmark: BenchmarkFixture, project: Path) -> None:
    record_event(str(project), "s", 0)
    path = project / ".claude/runtime/power-steering/compaction_events.json"
    (event,) = json.loads(path.read_text())
    path.write_text(json.dumps([{**event, "window_start": n} for n in range(500)]))
    benchmark(record_event, str(project), "s", 250, messages_removed=3)


def test_reporting_losses_against_a_summary(benchmark: BenchmarkFixture) -> None:
    summary = "\n".join(words(14, random.Random(number)) for number in range(160))
    report = benchmark(report_losses, full_state(), summary)
    assert report.lost


def run_few(benchmark: BenchmarkFixture, run: Callable[[], Any]) -> Any:
    """Run slow work a few times only."""
    return benchmark.pedantic(run, rounds=2)  # type: ignore[no-untyped-call]
