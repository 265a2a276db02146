"""No line of a transcript makes a hook take the memory of the machine, however it is made.

Each hook runs as a process on a transcript whose last lines are as long as lines are read, or
longer, of nothing but text or of nothing but empty objects, and what it took at most is asked for.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.captured import payload
from tests.support.processes import SAMPLES, environment, log_of, script
from tests.support.transcripts import SESSION, Transcript

MOST_MEGABYTES = 200  # a reader of the whole line's values took 880
# A process counts what its parent had when it was made, so that the parent has to be a small one.
MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
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
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", MEASURED, script(event)],
            input=json.dumps(read).encode(), capture_output=True,
            env=environment(project), check=True, timeout=300,
        )  # fmt: skip
        took[event] = int(done.stdout) // 1024
    assert max(took.values()) < MOST_MEGABYTES, took
    if name != "text":
        assert any("too long: 3" in line for line in log_of(project)), log_of(project)
