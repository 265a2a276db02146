"""No line of a transcript makes a hook take the memory of the machine, however it is made.

Each hook runs as a process on a transcript whose last lines are as long as lines are read, or
longer, of nothing but text or of nothing but empty objects, and what it took at most is asked for.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.captured import payload
from tests.support.processes import SAMPLES, environment, log_of, script
from tests.support.transcripts import SESSION, Transcript

MOST_MEGABYTES = 400  # a reader of the whole line's values took 880
LINES = {
    "text": '{"type":"text","text":"' + "lorem ipsum " * 1_200_000 + '"}',
    "objects": "{}," * 5_000_000 + "{}",
    "lists in objects": '{"a":[]},' * 1_600_000 + "{}",
    "beyond the limit": '{"type":"text","text":"' + "a" * 60_000_000 + '"}',
}


@pytest.mark.parametrize("name", LINES)
def test_no_line_makes_a_hook_take_much_memory(project: Path, name: str) -> None:
    transcript = Transcript()
    transcript.user("Always use tabs.")
    path = transcript.write(project.parent / f"{SESSION}.jsonl")
    line = (
        '{"type":"assistant","uuid":"1","parentUuid":null,"message":{"role":"assistant","content":['
    )
    with path.open("a", encoding="utf-8") as stream:
        stream.writelines(f"{line}{LINES[name]}]}}}}\n" for _ in range(3))
    took = {}
    for event, sample in SAMPLES.items():
        read = payload(sample, session_id=SESSION, transcript_path=str(path), cwd=str(project))
        with subprocess.Popen(
            [script(event)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            env=environment(project),
        ) as process:  # fmt: skip
            assert process.stdin is not None
            process.stdin.write(json.dumps(read).encode())
            process.stdin.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
        assert status == 0, event
        took[event] = usage.ru_maxrss // 1024
    assert max(took.values()) < MOST_MEGABYTES, took
    if name != "text":
        assert any("too long: 3" in line for line in log_of(project)), log_of(project)
