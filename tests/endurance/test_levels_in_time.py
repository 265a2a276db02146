"""Generated sessions that fill their context: what is due is done before the limit."""

import random
from itertools import pairwise
from pathlib import Path

from amplihack_compaction.base.paths import session_folder
from tests.support.sessions import OLDER_LIMIT, Session, respond
from tests.support.transcripts import SESSION

SESSIONS = 40


# By how much one round filled the context in 1,764 rounds of 21 real sessions: share of the
# rounds, and tokens up to there. The largest is a guess.
QUANTILES = (
    (0.0, 100), (0.1, 217), (0.25, 378), (0.5, 705), (0.75, 1_450), (0.9, 3_276),
    (0.95, 5_884), (0.99, 16_031), (1.0, 60_000),
)  # fmt: skip


def increment(source: random.Random) -> int:
    """Return by how many tokens one round fills the context."""
    share = source.random()
    for (low, begin), (high, end) in pairwise(QUANTILES):
        if share <= high:
            return round(begin + (end - begin) * (share - low) / (high - low))
    raise AssertionError(share)


def in_time(project: Path, source: random.Random) -> tuple[bool, int]:
    """Play a session up to its compaction; say what was on disk before, and how often it spoke.

    The client looks at the context after each round's results, and compacts before the next one.
    """
    project.mkdir(parents=True)
    session = Session(project)
    tokens, spoken = OLDER_LIMIT // 2, 0
    while tokens < OLDER_LIMIT:
        respond(session.transcript, tokens)
        answer = session.hook("PreToolUse", "PreToolUse.Bash")
        spoken += " % full, " in answer.stdout
        added = increment(source)
        tokens += added
        # Words, as most outputs are: each character of one endless word might begin a secret.
        result = {"type": "tool_result", "tool_use_id": "t", "content": "words " * (added // 2)}
        session.transcript.user([result], toolUseResult={})
    session.pre_compact()
    folder = Path(session_folder(str(project), SESSION))
    kinds = ("snapshots/*.json", "checkpoints/*.json", "handoffs/*")
    return all([*folder.glob(kind)] for kind in kinds), spoken


def test_warning_snapshot_and_handoff_are_there_before_the_limit(tmp_path: Path) -> None:
    source = random.Random(4711)
    played = [in_time(tmp_path / str(number) / "project", source) for number in range(SESSIONS)]
    assert all(spoken <= 3 for _, spoken in played)
    assert sum(spoken > 0 and done for done, spoken in played) >= 0.9 * SESSIONS
