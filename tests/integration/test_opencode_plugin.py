"""The plugin in OpenCode, run by Node.js: what it adds to requests, and that nothing stops it."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.clients.opencode import wiring

NODE = shutil.which("node")
PLUGIN = Path(wiring.__file__).with_name("plugin.js")
ID = "ses_1"
# One compaction, from its beginning to the second request behind it.
PLAY = f"""
import {{ existsSync }} from "node:fs"
import {{ AmplihackCompaction }} from "./plugin.mjs"
const hooks = await AmplihackCompaction({{ directory: process.cwd() }})
if (Object.keys(hooks).length === 0) process.exit(0)
const told = []
const request = async (sessionID) => {{
  const output = {{ system: [] }}
  await hooks["experimental.chat.system.transform"]({{ sessionID }}, output)
  told.push(output.system)
}}
await request("{ID}")
const output = {{ context: [] }}
await hooks["experimental.session.compacting"]({{ sessionID: "{ID}" }}, output)
told.push(output.context)
const later = () => new Promise((done) => setTimeout(done, 50))
while (process.argv[2] === "wait" && !existsSync("told")) await later()
await later() // what the hook wrote before it was done has come by now
await request("{ID}")
await hooks.event({{ event: {{ type: "session.compacted", properties: {{ sessionID: "{ID}" }} }} }})
await request("{ID}")
await request("{ID}")
await request("ses_2")
await request(undefined)
console.log(JSON.stringify(told))
process.exit(0)
"""
WRITES = (
    "#!/bin/sh\ncat >> given; echo >> given\nd=$HOME/.local/share/amplihack-compaction/opencode\n"
    f'mkdir -p "$d"; printf "msg_1\\nThe state" > "$d/{ID}.state"; : > told\n'
)


def play(
    folder: Path, launchers: dict[str, str], wait: bool = False, **env: str
) -> list[list[str]]:
    """Return what each request is told, by launchers with these texts.

    Where `wait`, the summary is asked for when PreCompact's has made the file `told`.
    """
    hooks = folder / ".local/share/amplihack-compaction/hooks"
    hooks.mkdir(parents=True)
    for name, text in launchers.items():
        (hooks / name).write_text(text)
        (hooks / name).chmod(0o755)
    shutil.copy(PLUGIN, folder / "plugin.mjs")
    (folder / "play.mjs").write_text(PLAY)
    done = subprocess.run(
        [str(NODE), "play.mjs", "wait" if wait else ""],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **env},
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert done.stderr == b""
    told: list[list[str]] = json.loads(done.stdout or "[]")
    return told


def payloads(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "given").read_text().splitlines() if line]


pytestmark = pytest.mark.skipif(NODE is None, reason="the plugin is JavaScript: it needs Node.js")


def test_a_hook_that_is_not_there_changes_nothing(tmp_path: Path) -> None:
    assert play(tmp_path, {}) == [[]] * 7


def test_a_hook_that_fails_changes_nothing(tmp_path: Path) -> None:
    failing = "#!/bin/sh\necho oops >&2; exit 1\n"
    assert play(tmp_path, {"PreCompact": failing, "SessionStart": failing}) == [[]] * 7


def test_a_hook_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    hanging = "#!/bin/sh\nexec sleep 300\n"
    assert play(tmp_path, {"PreCompact": hanging, "SessionStart": hanging}) == [[]] * 7


def test_switched_off_it_has_no_hook_at_all(tmp_path: Path) -> None:
    assert play(tmp_path, {"PreCompact": WRITES}, AMPLIHACK_COMPACTION_DISABLED="1") == []
    assert not (tmp_path / "given").exists()
    told = play(tmp_path / "on", {"PreCompact": WRITES}, AMPLIHACK_COMPACTION_DISABLED="False")
    assert len(told) == 7


def test_every_request_behind_a_compaction_has_the_state_once(tmp_path: Path) -> None:
    # What is told in time is a matter of the machine; what was written before the summary is not.
    told = play(tmp_path, {"PreCompact": WRITES, "SessionStart": WRITES}, wait=True)
    state = ["The state"]
    assert told[0] == []
    assert told[3:] == [state, state, [], []]
    (before, after) = payloads(tmp_path)
    assert (before["hook_event_name"], after["hook_event_name"]) == ("PreCompact", "SessionStart")
    assert after["client"] == "opencode"
    assert after["transcript_path"].endswith(f"/opencode/{ID}.jsonl")


def test_the_summariser_is_told_once(tmp_path: Path) -> None:
    told = play(tmp_path, {"PreCompact": "#!/bin/sh\nprintf 'Keep this.'\n: > told\n"}, wait=True)
    # In its prompt, or where that was made already, in its instructions; never in both.
    assert told[1] + told[2] == ["Keep this."]


def test_the_summariser_is_told_what_came_too_late_for_its_prompt(tmp_path: Path) -> None:
    slow = "#!/bin/sh\nsleep 1\nprintf 'Keep this.'\n: > told\n"
    told = play(tmp_path, {"PreCompact": slow}, wait=True)
    assert told[1:3] == [[], ["Keep this."]]
