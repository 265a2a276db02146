"""Write transcripts in the shapes of the client's own lines (see `tests/captures/`).

A `Transcript` builds one session line by line; `write` puts it on disk as the client would.
"""

import json
import os
from pathlib import Path
from typing import Any

SESSION = "c5cbd2e7-2b3f-4f7e-9f32-86b2df72f481"
SUMMARY_HEAD = (
    "This session is being continued from a previous conversation that ran out of context. "
    "The summary below covers the earlier portion of the conversation.\n\nSummary:\n"
)
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was"
    " a file edit, the new_string was NOT written to the file)."
)
BY_USER = {"source": "user_temporary", "grantScope": "once"}


class Transcript:
    """A session's lines; every method returns the uuid of the line it added."""

    root = "/home/user/project"

    def __init__(self, session_id: str = SESSION, branch: str = "HEAD") -> None:
        self.session_id = session_id
        self.branch = branch
        self.model = "claude-opus-5-5"
        self.version = "2.1.330"
        self.lines: list[dict[str, Any]] = []
        self.leaf: str | None = None
        self.count = 0
        self.messages = 0

    def add(self, kind: str, parent: str | object | None = ..., **fields: Any) -> str:
        """Add one line of the tree; `parent` defaults to the newest one."""
        self.count += 1
        uuid = f"{self.count:08x}-0000-4000-8000-000000000000"
        above = self.leaf if parent is ... else parent
        second = self.count % 60
        self.lines.append(
            {
                "parentUuid": above,
                "isSidechain": False,
                "type": kind,
                **fields,
                "uuid": uuid,
                "timestamp": f"2026-11-21T21:{self.count // 60 % 60:02}:{second:02}.000Z",
                "userType": "external",
                "entrypoint": "sdk-cli",
                "cwd": self.root,
                "sessionId": self.session_id,
                "version": self.version,
                "gitBranch": self.branch,
            }
        )
        self.leaf = uuid
        return uuid

    def user(self, text: Any, **fields: Any) -> str:
        """Add a prompt."""
        message = {"role": "user", "content": text}
        return self.add("user", message=message, **{"promptSource": "sdk", **fields})

    def assistant(self, text: str = "", tools: list[dict[str, Any]] | None = None) -> list[str]:
        """Add a message of the model: one line for the text, one for each tool use."""
        self.messages += 1
        blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        blocks += [{"type": "tool_use", **tool} for tool in tools or []]
        usage = {
            "input_tokens": 3,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 1000 * self.messages,
            "output_tokens": 12,
        }
        message_id = f"msg_{self.messages:06d}"
        return [
            self.add(
                "assistant",
                message={
                    "id": message_id,
                    "type": "message",
                    "role": "assistant",
                    "model": self.model,
                    "content": [block],
                    "usage": usage,
                },
            )
            for block in blocks
        ]

    def tool(
        self,
        name: str,
        tool_input: dict[str, Any],
        result: str = "ok",
        error: bool = False,
        data: Any = None,
        beside: str = "",
        **fields: Any,
    ) -> str:
        """Add one tool use and its result; return the tool use's id.

        `beside` is what the user typed with the permission, `fields` go to the result's line.
        """
        if beside:
            fields.setdefault("permissionDecision", {"decision": "accept", **BY_USER})
        tool_id = f"toolu_{self.count:06d}"
        (line,) = self.assistant(tools=[{"id": tool_id, "name": name, "input": tool_input}])
        block = {"tool_use_id": tool_id, "type": "tool_result", "content": result}
        if error:
            block["is_error"] = True  # type: ignore[assignment]
        content = [block, {"type": "text", "text": beside}] if beside else [block]
        self.add(
            "user",
            message={"role": "user", "content": content},
            toolUseResult=data if data is not None else (f"Error: {result}" if error else result),
            sourceToolAssistantUUID=line,
            **fields,
        )
        return tool_id

    def refuse(self, name: str, tool_input: dict[str, Any], said: str = "") -> str:
        """Add a tool use that the user refused, with his comment; return the tool use's id."""
        how: dict[str, Any]
        if not said:
            how = {"data": "User rejected tool use", "toolDenialBeforeRun": True}
            text = REFUSED + " STOP what you are doing and wait for the user."
        else:
            decision = {"decision": "reject", "source": "user_reject", "reasonCode": "unknown"}
            how = {"userFeedback": said, "holdsPersonsWords": True, "permissionDecision": decision}
            text = f"{REFUSED} To tell you how to proceed, the user said:\n{said}"
        return self.tool(name, tool_input, text, True, toolDenialKind="user-rejected", **how)

    def attachment(self, kind: str, **fields: Any) -> str:
        """Add an attachment line."""
        return self.add("attachment", attachment={"type": kind, **fields})

    def compact(self, summary: str, trigger: str = "auto", preserved: int = 1) -> str:
        """Add a boundary and its summary; the last `preserved` lines are kept by name."""
        uuids = [line["uuid"] for line in self.lines if "uuid" in line]
        kept = uuids[len(uuids) - preserved :]
        leaf = self.leaf
        boundary = self.add(
            "system",
            None,
            logicalParentUuid=leaf,
            subtype="compact_boundary",
            content="Conversation compacted",
            level="info",
            compactMetadata={
                "trigger": trigger,
                "preTokens": 170074,
                "postTokens": 2777,
                "preservedMessages": {"uuids": kept, "allUuids": kept},
            },
        )
        self.add(
            "user",
            message={"role": "user", "content": SUMMARY_HEAD + summary},
            isVisibleInTranscriptOnly=True,
            isCompactSummary=True,
        )
        return boundary

    def write(self, path: Path) -> Path:
        """Write the lines and return the path."""
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(
            json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
            for line in self.lines
        )
        path.write_text(text, encoding="utf-8")
        return path


def recorded(folder: Path, session_id: str = SESSION, seconds: int = 0) -> Path:
    """Write a short session that was last written to so many seconds after a fixed moment."""
    transcript = Transcript(session_id)
    transcript.user("Fix the login.")
    path = transcript.write(folder / f"{session_id}.jsonl")
    os.utime(path, (1_000_000 + seconds, 1_000_000 + seconds))
    return path
