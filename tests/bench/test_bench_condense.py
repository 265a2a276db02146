"""What condensing and summing up a feature folder of 100,000 tokens saves and costs.

Times stand beside what counting the folder's tokens costs; nothing is asserted in seconds.
"""

import time
from collections.abc import Callable

from pytest_benchmark.fixture import BenchmarkFixture

from amplihack_compaction.compactor.condense.condense import condense_texts
from amplihack_compaction.compactor.condense.summary import summarize_texts
from amplihack_compaction.context.estimate import count_cl100k
from tests.support.feature_folders import feature_folder

Report = Callable[[str], None]
LEAST_SAVED_RATIO = 0.3


def count(text: str) -> int:
    """Count with cl100k, or by characters where it is not installed."""
    tokens = count_cl100k(text)
    return len(text) // 4 if tokens is None else tokens


def seconds(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def test_condensing_a_feature_folder(benchmark: BenchmarkFixture, report: Report) -> None:
    texts = feature_folder()
    before = sum(map(count, texts.values()))
    made = condense_texts(texts, count)
    after = sum(map(count, made.texts.values()))
    assert after < (1 - LEAST_SAVED_RATIO) * before
    counting = seconds(lambda: [count(text) for text in texts.values()])
    whole = seconds(lambda: condense_texts(texts, count))
    own = seconds(lambda: condense_texts(texts, lambda text: len(text) // 4))
    benchmark(condense_texts, texts, lambda text: len(text) // 4)
    kinds = {item.type for item in made.items}
    saved = {
        kind: sum(i.original_tokens - i.compacted_tokens for i in made.items if i.type == kind)
        for kind in sorted(kinds)
    }
    report(f"condense: {before} tokens became {after}, {1 - after / before:.0%} saved ({saved})")
    report(f"condense: without counting          {1000 * own:7.0f} ms")
    report(f"condense: with cl100k               {1000 * whole:7.0f} ms")
    report(f"condense: to counting all of it     {whole / counting:7.1f} x")


def test_summing_up_a_feature_folder(benchmark: BenchmarkFixture, report: Report) -> None:
    texts = feature_folder()
    made = benchmark(summarize_texts, texts, count, 500, "")
    assert count(made) <= 500
    took = seconds(lambda: summarize_texts(texts, count, 500, ""))
    report(f"condense: summary, with cl100k      {1000 * took:7.0f} ms ({count(made)} tokens)")
