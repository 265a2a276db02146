"""Record the session that the installer replays: the real client, with a scripted model.

    python -m tests.integration.record_session CLIENT [FOLDER]

CLIENT is the client's binary (see tests/e2e/fetch_client.sh). Every hook only writes down its
payload and how much of the transcript was there; SessionStart gives the model a placeholder, which
the replay fills with what our own hook said. Lines with the client's own prompt text are emptied,
and the recording's folders are renamed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.e2e.client import SEARCH_PATH, Client
from tests.e2e.run import Run
from tests.e2e.scenarios import (
    AUTO_COMPACTS,
    TODO_MODEL,
    Exchange,
    Window,
    bash,
    compacting_session,
    edit,
    read,
    task_create,
    task_update,
    write,
)

BUNDLE = Path(__file__).parents[2] / "amplihack_compaction/cli/replay_session"
STATE = "{{STATE}}"
EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PreCompact", "PostCompact", "Stop",
    "SessionEnd",
)  # fmt: skip
BOUNDARY = b'"subtype":"compact_boundary"'
HOOK = """
import json, os, sys
payload = json.load(sys.stdin)
path = payload["transcript_path"]
size = os.path.getsize(path) if os.path.exists(path) else 0
with open(sys.argv[1], "a") as log:
    log.write(json.dumps({"transcript_bytes": size, "payload": payload}) + "\\n")
if payload.get("source") == "compact":
    context = {"hookEventName": "SessionStart", "additionalContext": "{{STATE}}"}
    print(json.dumps({"hookSpecificOutput": context}))
"""

REFUNDS = """export const WINDOW_DAYS = 14;

export function refund(order, payment) {
  if (order.refundId) return order.refundId;
  if (payment.ageDays > WINDOW_DAYS) throw new Error("refund window is over");
  return `refund-${order.id}`;
}
"""
TEST = """import assert from "node:assert";
import test from "node:test";
import { refund } from "../src/refunds.js";

test("a payment of 20 days can be refunded", () => {
  assert.strictEqual(refund({ id: "42" }, { ageDays: 20 }), "refund-42");
});
"""
FILES = {
    "package.json": '{"name": "shop", "type": "module", "scripts": {"test": "node --test"}}\n',
    "test/refunds.test.js": TEST,
}
GIT_USER = ("-c", "user.name=User", "-c", "user.email=user@example.com")
PNPM = "#!/bin/sh\nexec node --test --test-reporter=tap\n"
SUMMARY = (
    "The user is adding refunds to the shop API. src/refunds.js was written and its tests were"
    " made to pass. Next comes the text of the pull request."
)
WINDOWS = [
    Window(
        [
            Exchange(
                "Add refunds to the shop API, idempotent by order id. Never push to main; open a"
                " pull request instead. Use pnpm, not npm. The staging API is at"
                " https://staging.shop.example.com/api on port 8443.",
                [
                    read("package.json"),
                    [
                        task_create("Write refund() with its tests"),
                        task_create("Add POST /refunds to the router"),
                        task_create("Describe refunds in docs/api.md"),
                    ],
                    task_update(1, "in_progress"),
                    write("src/refunds.js", REFUNDS),
                    bash("pnpm test"),
                ],
                "One test fails: the window of 14 days refuses a payment of 20 days.",
            ),
            Exchange(
                "No, the refund window is 30 days. And always keep amounts in cents.",
                [
                    edit("src/refunds.js", "WINDOW_DAYS = 14", "WINDOW_DAYS = 30"),
                    bash("pnpm test"),
                    task_update(1, "completed"),
                    task_update(2, "in_progress"),
                ],
                "Decision: the order id is the idempotency key, because a client may retry after a"
                " timeout. The tests pass now; the router is next.",
            ),
        ],
        summary=SUMMARY,
    ),
    Window(
        [
            Exchange(
                "Go on with the router.",
                [bash("git status --short"), read("src/refunds.js")],
                "The router comes next; I will open a pull request when it is done.",
            ),
            Exchange("Which port was it again?", [], "Port 8443 on staging."),
        ]
    ),
]


def record(binary: Path, root: Path) -> tuple[Run, list[dict[str, Any]]]:
    """Play the session and return it with what the hooks wrote down."""
    hook, log, tools = root / "hook.py", root / "hooks.jsonl", root / "bin"
    hook.write_text(HOOK, encoding="utf-8")
    tools.mkdir()
    (tools / "pnpm").write_text(PNPM, encoding="utf-8")
    (tools / "pnpm").chmod(0o755)

    def set_up(client: Client) -> None:
        for words in ("init -q -b refunds", "add .", "commit -q -m Shop"):
            subprocess.run(["git", *GIT_USER, *words.split()], cwd=client.project, check=True)
        command = {"type": "command", "command": f"{sys.executable} {hook} {log}", "timeout": 20}
        hooks = {event: [{"hooks": [command]}] for event in EVENTS}
        settings = client.project / ".claude" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps({"hooks": hooks}), encoding="utf-8")

    scenario = compacting_session(WINDOWS, how="auto", model=TODO_MODEL, files=FILES)
    scenario.script.latency_seconds = 0.2
    client = Client(
        binary,
        root / "run",
        scenario.script,
        setup=set_up,
        files=scenario.files,
        model=scenario.model,
        env={**AUTO_COMPACTS, "PATH": f"{tools}:{SEARCH_PATH}"},
    )
    run = client.run(scenario.turns)
    return run, [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def slim_line(line: bytes) -> bytes:
    """Return a transcript line without the client's own prompt text; empty for one to leave out."""
    entry = json.loads(line)
    kind = str(entry.get("type"))
    if kind.startswith("api-request"):
        return b""
    attachment = entry.get("attachment")
    if isinstance(attachment, dict) and attachment.get("type") != "hook_additional_context":
        # The line stays for its place in the tree; what it tells the model is the client's.
        entry["attachment"] = {"type": attachment.get("type")}
        entry.pop("rendered", None)
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def dashed(path: Path) -> str:
    """Return the name that the client gives the folder of a project's transcripts."""
    return re.sub(r"[^a-zA-Z0-9]", "-", str(path))


def main() -> None:
    """Record the session and write the bundle."""
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else BUNDLE
    with tempfile.TemporaryDirectory() as root:
        base = Path(root).resolve()
        run, hooks = record(Path(sys.argv[1]).resolve(), base)
        lines = run.transcript_path.read_bytes().splitlines(keepends=True)
        client = run.client
        names = {
            f"{sys.executable} {base}/hook.py {base}/hooks.jsonl": "hook",
            str(client.project): "/home/user/shop",
            str(client.home): "/home/user",
            dashed(client.project): "-home-user-shop",
        }

        def rename(data: bytes) -> str:
            text = data.decode("utf-8")
            for old, new in names.items():
                text = text.replace(old, new)
            return text

        boundary = next(n for n, line in enumerate(lines) if BOUNDARY in line)
        folder.mkdir(parents=True, exist_ok=True)
        slim = [slim_line(line) for line in lines]
        (folder / "before.jsonl").write_text(rename(b"".join(slim[:boundary])), encoding="utf-8")
        (folder / "after.jsonl").write_text(rename(b"".join(slim[boundary:])), encoding="utf-8")
        full = sum(map(len, lines[:boundary]))
        steps = [
            {"part": "after" if h["transcript_bytes"] > full else "before", "payload": h["payload"]}
            for h in hooks
        ]
        text = rename(json.dumps(steps, indent=1, ensure_ascii=False).encode())
        (folder / "payloads.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
