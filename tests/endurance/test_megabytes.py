"""A megabyte of anything is counted: no text makes the tokenizer hang or crash."""

import json
import subprocess
import sys

HOSTILE = """
import base64, json, random, sys
sys.path.insert(0, ".")
from amplihack_compaction.context.estimate import count_cl100k, estimate
N = 1_000_000
texts = {
    "one letter": "a" * N, "spaces": " " * N, "line breaks": "\\n" * N, "signs": "=" * N,
    "base64": base64.b64encode(random.Random(1).randbytes(N * 3 // 4)).decode(),
    "emoji": "\\U0001f600" * N, "joined emoji": "\\U0001f469\\u200d" * (N // 2),
    "lone surrogates": "\\ud800" * N, "mixed surrogates": "\\udc00a" * (N // 2),
    "NULs": "\\0" * N, "ideographs": "\\u4e2d" * N, "combining": "e\\u0301" * (N // 2),
}
for name, text in texts.items():
    made = estimate(text, "claude-opus-4-6")
    print(json.dumps([name, made.tokens, count_cl100k(text) is not None]), flush=True)
"""


def test_a_megabyte_of_anything_neither_hangs_nor_crashes() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", HOSTILE],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 12
    for name, tokens, is_counted in rows:
        assert is_counted, name
        assert 5_000 < tokens < 6_000_000, name
