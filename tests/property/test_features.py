"""Whatever a feature's folder holds, compacting it and taking that back is the identity."""

import os
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.base.errors import FeatureError
from amplihack_compaction.compactor.features.compact_feature import (
    CompactionOptions,
    compact_feature,
)
from amplihack_compaction.compactor.features.feature import FeatureLevel, revert_feature
from tests.support.trees import picture

LINES = st.sampled_from(
    [
        "# Notes", "Decided: argon2, because bcrypt truncates.", "- [ ] write the migration",
        "2026-01-02 10:00:00 INFO request 7 served", "ERROR: connection refused", "```", "~~~",
        "Bash output:", "Read tool output:", "diff --git a/x b/x", "+added", "-removed",
        "tests/test_a.py::test_b PASSED", "Traceback (most recent call last):", "", "---",
        '  File "a.py", line 3, in f', "设计说明", "café", "[compacted: 3 lines left out]", "\x0b",
    ]
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n"])
BLOCKS = st.tuples(LINES, st.integers(1, 60), ENDS).map(lambda b: (b[0] + b[2]) * b[1])
TEXTS = st.lists(BLOCKS, max_size=8).map("".join)
CONTENTS = TEXTS.map(str.encode) | st.binary(max_size=80) | TEXTS.map(lambda t: t.encode("utf-16"))
NAMES = st.sampled_from(
    ["progress.md", "notes.txt", "run.log", "state.json", "a.py", "sub/deep.md", "SUMMARY.md",
     "naïve 名.md", "NOTES"]
)  # fmt: skip
FOLDERS = st.dictionaries(
    NAMES, st.tuples(CONTENTS, st.sampled_from([0o644, 0o600, 0o755])), min_size=1, max_size=5
)


def build(project: Path, files: dict[str, tuple[bytes, int]]) -> Path:
    feature = project / "features" / "login"
    for number, (name, (content, mode)) in enumerate(files.items()):
        path = feature / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.chmod(path, mode)
        os.utime(path, ns=(10**18 + number, 10**18 + number))
    (feature / "link.md").symlink_to("progress.md")
    return feature


@given(FOLDERS, st.sampled_from(["compact", "summarize"]))
def test_compact_then_revert_is_the_identity(
    files: dict[str, tuple[bytes, int]], level: FeatureLevel
) -> None:
    with tempfile.TemporaryDirectory() as above:
        project = Path(above)
        feature = build(project, files)
        before = picture(feature)
        try:
            result = compact_feature(above, "login", CompactionOptions(level=level))
        except FeatureError:
            assert level == "summarize"
            assert picture(feature) == before
            return
        assert result.compacted_tokens <= result.original_tokens
        if level == "compact":
            again = compact_feature(above, "login", CompactionOptions(level=level))
            assert again.history_id is None
        if result.history_id:
            revert_feature(above, "login", result.history_id)
        assert picture(feature) == before
