import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.validation import before_and_after as reading
from amplihack_compaction.validation.before_and_after import (
    parse_messages,
    read_transcript,
    summary_of,
    text_since_boundary,
    visible_texts,
    windows_in,
)
from tests.support.captured import session
from tests.support.transcripts import SUMMARY_HEAD, Transcript

FLAT = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]


def put(project: Path, name: str, content: str) -> Path:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def test_an_array_and_jsonl_read_alike(project: Path) -> None:
    put(project, "a.json", json.dumps(FLAT))
    put(project, "a.jsonl", "\n".join(json.dumps(message) for message in FLAT) + "\n")
    put(project, "bom.json", "\ufeff" + json.dumps(FLAT, indent=2))
    for name in ("a.json", "a.jsonl", "bom.json", str(project / "a.json"), "./a.json"):
        assert read_transcript(str(project), name).messages == FLAT


def test_an_empty_array_stays_one_and_an_empty_file_is_unreadable(project: Path) -> None:
    put(project, "a.json", " [] ")
    put(project, "b.json", "")
    assert read_transcript(str(project), "a.json").messages == []
    nothing = read_transcript(str(project), "b.json")
    assert nothing.messages is None
    assert nothing.problem
    assert not nothing.is_violation


@pytest.mark.parametrize("content", ['[{"role": "us', "[" * 200_000, "\0\1\2", "{ torn"])
def test_what_cannot_be_understood_is_a_problem_not_a_success(content: str, project: Path) -> None:
    put(project, "a.json", content)
    read = read_transcript(str(project), "a.json")
    assert read.messages is None
    assert read.problem


def test_what_is_no_object_is_skipped() -> None:
    read = parse_messages(json.dumps([*FLAT, "x", 5, None, [1]]).encode())
    assert read.messages == FLAT
    glued = parse_messages(b'{"role":"user","content":"a"}{"role":"user","content":"b"}\n5\n{"ro')
    assert glued.messages is not None
    assert [message["content"] for message in glued.messages] == ["a", "b"]


@pytest.mark.parametrize(
    "name",
    [
        "../x.json",
        "/etc/passwd",
        "sub/../../x.json",
        "sub/../a.json",
        "/nowhere/x.json",
        "/proc/self/environ",
    ],
)
def test_paths_out_of_the_project_are_violations(project: Path, name: str) -> None:
    put(project, "a.json", "[]")
    put(project.parent, "x.json", "[]")
    read = read_transcript(str(project), name)
    assert read.is_violation
    assert read.messages is None


def test_links_are_followed_only_inside_the_project(project: Path) -> None:
    inside = put(project, "real/a.json", "[]")
    outside = put(project.parent, "elsewhere/a.json", "[]")
    (project / "in.json").symlink_to(inside)
    (project / "infolder").symlink_to(inside.parent)
    (project / "out.json").symlink_to(outside)
    (project / "outfolder").symlink_to(outside.parent)
    (project / "gone.json").symlink_to(outside.parent / "none.json")
    for name in ("in.json", "infolder/a.json"):
        assert read_transcript(str(project), name).messages == []
    for name in ("out.json", "outfolder/a.json", "gone.json"):
        assert read_transcript(str(project), name).is_violation


def test_a_project_reached_through_a_link_is_the_project(project: Path) -> None:
    path = put(project, "a.json", "[]")
    link = project.parent / "link"
    link.symlink_to(project)
    assert read_transcript(str(link), str(path)).messages == []
    assert read_transcript(str(link), str(link / "a.json")).messages == []


def test_a_link_put_in_place_after_the_check_is_not_followed(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = put(project.parent, "secret.json", json.dumps(FLAT))
    path = put(project, "sub/a.json", "[]")
    real = os.path.realpath

    def swap(name: Any, **keywords: Any) -> Any:
        resolved = real(name, **keywords)
        if str(name).endswith("a.json"):
            path.unlink()
            path.symlink_to(outside)
        return resolved

    monkeypatch.setattr(os.path, "realpath", swap)
    read = read_transcript(str(project), "sub/a.json")
    assert read.messages is None


def test_a_folder_swapped_for_a_link_is_a_violation(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(project.parent, "elsewhere/a.json", json.dumps(FLAT))
    put(project, "sub/a.json", "[]")
    real = os.path.realpath

    def swap(name: Any, **keywords: Any) -> Any:
        resolved = real(name, **keywords)
        if str(name).endswith("a.json"):
            (project / "sub").rename(project / "old")
            (project / "sub").symlink_to(project.parent / "elsewhere")
        return resolved

    monkeypatch.setattr(os.path, "realpath", swap)
    assert read_transcript(str(project), "sub/a.json").messages is None


def test_nothing_but_a_regular_file_of_bounded_size_is_read(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(project / "fifo")
    (project / "folder").mkdir()
    put(project, "big.json", json.dumps(FLAT))
    monkeypatch.setattr(reading, "TRANSCRIPT_LIMIT_BYTES", 10)
    for name in (
        "fifo",
        "folder",
        "big.json",
        ".",
        "",
        "a\0b",
        "x" * 5000,
        "none.json",
        "\ud800.json",
    ):
        read = read_transcript(str(project), name)
        assert read.messages is None
        assert read.problem
        assert not read.is_violation


def test_flat_messages_become_turns() -> None:
    window = windows_in(
        [
            {"role": "user", "content": "Build it"},
            {"role": "assistant", "content": [{"type": "text", "text": "On it"}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "a.py"}]},
            {"role": "human", "content": "And test it"},
            {"role": "system", "content": "Be brief"},
            {"content": 5}, {"role": ["user"]}, {"role": "user", "content": None},
        ]
    )[-1]  # fmt: skip
    assert [prompt.text for prompt in window.prompts] == ["Build it", "And test it"]
    (tool,) = window.turns[0].tools
    assert tool.succeeded


def test_entries_without_a_uuid_count_by_their_message() -> None:
    window = windows_in([{"type": "user", "message": {"role": "user", "content": "Build it"}}])[-1]
    assert [prompt.text for prompt in window.prompts] == ["Build it"]


def test_a_flat_summary_is_no_prompt() -> None:
    window = windows_in([{"role": "user", "content": SUMMARY_HEAD + "All is well."}, *FLAT])[-1]
    assert window.summary.endswith("All is well.")
    assert [prompt.text for prompt in window.prompts] == ["Hello"]


def test_a_real_transcript_and_a_flat_one_give_the_same_turns() -> None:
    log = Transcript()
    log.user("Build it")
    log.assistant("On it")
    log.tool("Bash", {"command": "ls"}, "a.py")
    log.user("Now test it")
    real = windows_in([*log.lines, *FLAT])[-1]
    assert [prompt.text for prompt in real.prompts] == ["Build it", "Now test it", "Hello"]
    assert real.turns[0].tools[0].succeeded
    assert real.branch == "HEAD"


def test_a_subagents_lines_are_left_out_and_its_own_file_is_not() -> None:
    log = Transcript()
    log.user("Build it")
    log.add("user", isSidechain=True, message={"role": "user", "content": "Sub task"})
    assert [prompt.text for prompt in windows_in(log.lines)[-1].prompts] == ["Build it"]
    only = [{**line, "isSidechain": True} for line in log.lines]
    assert len(windows_in(only)[-1].prompts) == 2


def test_todos_of_old_clients_are_noted() -> None:
    log = Transcript()
    log.user("Build it", todos=[{"content": "a", "status": "pending"}, "noise"])
    assert windows_in(log.lines)[-1].todos == [{"content": "a", "status": "pending"}]


def test_texts_of_tools_and_shown_attachments_are_before_the_model() -> None:
    log = Transcript()
    log.user("Build it")
    log.tool("Bash", {"command": "make all"}, "built 3 files")
    log.attachment("plan_file_reference", planContent="The plan")
    log.attachment("hook_success", hookEvent="PreCompact", content="only for the summary")
    log.attachment("hook_success", hookEvent="SessionStart", content="the state")
    log.attachment("prompt_snapshot", systemPrompt="the system prompt")
    log.attachment("hook_non_blocking_error", stdout="of a hook that failed")
    log.attachment("hook_blocking_error", blockingError="stopped by a hook")
    log.add("system", subtype="local_command", content="for the user's eyes")
    log.add("attachment", attachment={"type": "file", "content": "raw"}, rendered="as shown")
    text = "\n".join(visible_texts([*log.lines, *FLAT]))
    for part in (
        "Build it",
        "make all",
        "built 3 files",
        "The plan",
        "the state",
        "as shown",
        "stopped by a hook",
        "Hi",
    ):
        assert part in text
    for part in ("only for the summary", "the system prompt", "raw", "failed", "user's eyes"):
        assert part not in text


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


def test_no_more_is_read_than_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(lines: Iterable[dict[str, Any]]) -> Iterator[str]:
        for text in visible_texts(lines):
            read.append(text)
            yield text

    monkeypatch.setattr(reading, "_WHOLE_CHARS", 20)
    monkeypatch.setattr(reading, "visible_texts", noted)
    transcript = Transcript()
    transcript.user("before")
    transcript.compact("a summary that is long enough")
    transcript.user("never read")
    assert len(present(transcript.write(tmp_path / "t.jsonl")).replace("\n", "")) == 20
    assert "never read" not in read


@pytest.mark.parametrize(
    "between", ["", "<system-reminder>\n<used>Bash</used>\n</system-reminder>\n"]
)
@pytest.mark.parametrize("heading", ["Summary:\n", ""])
def test_the_clients_opening_is_no_part_of_the_summary(between: str, heading: str) -> None:
    opening = SUMMARY_HEAD.removesuffix("Summary:\n") + between + heading
    assert summary_of(f"{opening}Resumen:\n1. Los PDF.") == "Resumen:\n1. Los PDF."
