"""What compacting a feature of about 100,000 tokens costs and saves; printed, not asserted."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from amplihack_compaction.compactor.features.compact_feature import (
    CompactionOptions,
    compact_feature,
)
from amplihack_compaction.compactor.features.feature import FeatureLevel, revert_feature
from amplihack_compaction.context.estimate import load_encoding
from tests.support.feature_folders import feature_folder

Report = Callable[[str], None]
ROUNDS = 5


def build(project: Path) -> int:
    """Write the feature; return its size in bytes."""
    folder = project / "features" / "login"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    texts = feature_folder()
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return sum(len(text.encode()) for text in texts.values())


def read_seconds(folder: Path) -> float:
    start = time.process_time()
    for path in folder.rglob("*"):
        if path.is_file():
            path.read_bytes()
    return time.process_time() - start


def measure(project: Path, level: FeatureLevel, report: Report) -> None:
    size_bytes = build(project)
    taken, wall, reading, back = [], [], [], []
    for _ in range(ROUNDS):
        build(project)
        reading.append(read_seconds(project / "features" / "login"))
        start, began = time.process_time(), time.perf_counter()
        result = compact_feature(str(project), "login", CompactionOptions(level=level))
        taken.append(time.process_time() - start)
        wall.append(time.perf_counter() - began)
        start = time.perf_counter()
        revert_feature(str(project), "login")
        back.append(time.perf_counter() - start)
    median = ROUNDS // 2
    cpu, read = sorted(taken)[median], sorted(reading)[median]
    report(
        f"features: {level:<9} {result.original_tokens:,} tokens ({size_bytes / 1000:.0f} kB)"
        f" to {result.compacted_tokens:,}: {cpu:.2f} s CPU ({cpu / read:.0f} x reading),"
        f" {sorted(wall)[median]:.2f} s; revert {sorted(back)[median]:.2f} s"
    )
    assert result.saved_tokens > 0.3 * result.original_tokens


def test_compact_100k_tokens(report: Report, tmp_path: Path) -> None:
    load_encoding()
    measure(tmp_path, "compact", report)


def test_summarize_100k_tokens(report: Report, tmp_path: Path) -> None:
    load_encoding()
    measure(tmp_path, "summarize", report)
