from pathlib import Path
from typing import Any

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.validation.messages import text_since_boundary
from tests.support.captured import session
from tests.support.transcripts import Transcript


def present(path: Path) -> str:
    windows = list(read_windows(path))
    began = windows[-1].began
    assert began is not None
    return text_since_boundary(str(path), windows[-2].start, began)


def test_kept_messages_files_read_again_and_the_summary_are_present() -> None:
    text = present(session("manual_compact"))
    assert "First turn done." in text  # kept by name, from before the boundary
    assert "MOCK SUMMARY ONE" in text
    assert "one\n2\tTWO" in text  # a file that the client read again
    assert "Editing." not in text


def test_everything_said_since_is_present(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("gone with the window")
    transcript.lines[-1]["uuid"] = ["odd"]
    transcript.user("kept by name")
    transcript.compact("kept in the summary", preserved=1)
    transcript.attachment("hook_additional_context", content=["told by a hook", 5])
    transcript.add("attachment", attachment={"type": "file"}, rendered=[{"content": "a file"}, 7])
    transcript.add("attachment", attachment="odd")
    transcript.user([{"type": "text", "text": "asked since"}])
    transcript.tool("Bash", {"command": "ran since"}, "printed since")
    blocks: list[dict[str, Any]] = [
        {
            "type": "tool_result",
            "tool_use_id": "x",
            "content": [{"type": "text", "text": "in blocks"}],
        }
    ]
    transcript.add("user", message={"role": "user", "content": blocks})
    transcript.add("user", message="odd")
    transcript.user("of a subagent")
    transcript.lines[-1]["isSidechain"] = True
    text = present(transcript.write(tmp_path / "t.jsonl"))
    for part in ("kept in the summary", "kept by name", "told by a hook", "a file", "asked since",
                 "ran since", "printed since", "in blocks"):  # fmt: skip
        assert part in text
    assert "gone with the window" not in text
    assert "of a subagent" not in text
