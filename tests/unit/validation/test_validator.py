import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction import CompactionContext, CompactionValidator, ValidationResult
from amplihack_compaction.base.size_limits import STATE_HEAD
from amplihack_compaction.extract.statements import Decision, SessionState
from amplihack_compaction.validation.before_and_after import Compacted, parse_messages, windows_in
from amplihack_compaction.validation.events import Outcome, record_event
from amplihack_compaction.validation.validator import (
    compacted_of,
    judge_compaction,
    last_window,
    split_at_boundary,
)
from tests.support.captured import session
from tests.support.transcripts import SUMMARY_HEAD, Transcript

FULL_SUMMARY = """1. Primary Request: the user wants a command line converter from CSV to Parquet.
2. Pending tasks:
- the progress bar has still to be added
- tests for empty input files need writing
3. Current work: the assistant had just finished the reader and committed it.
The user asked to commit the reader, which was done."""


def session_before() -> Transcript:
    log = Transcript()
    log.user("Build a command line converter from CSV to Parquet")
    log.assistant("I'll start with the reader.")
    log.tool(
        "TodoWrite",
        {
            "todos": [
                {"content": "Write the reader", "status": "completed"},
                {"content": "Add a progress bar", "status": "pending"},
                {"content": "Write tests for empty input files", "status": "pending"},
            ]
        },
    )
    log.user("Commit the reader now")
    log.tool("Bash", {"command": "git commit -am reader"}, "1 file changed")
    log.assistant("The reader is committed.")
    return log


def put_event(project: Path, log: Transcript, **fields: Any) -> None:
    log.write(project / "before.jsonl")
    record_event(
        str(project), "s", 0, pre_compaction_transcript_path="before.jsonl", turn_number=2, **fields
    )


def check(project: Path, transcript: Any) -> ValidationResult:
    return CompactionValidator(project).validate(transcript, "s")


def test_a_summary_that_keeps_every_item_gives_no_warning(project: Path) -> None:
    log = session_before()
    put_event(project, log)
    log.compact(FULL_SUMMARY, preserved=0)
    result = check(project, log.lines)
    assert result.passed
    assert (result.warnings, result.notes) == ([], [])


def test_of_an_append_only_transcript_only_what_follows_the_boundary_counts(project: Path) -> None:
    log = session_before()
    put_event(project, log)
    log.compact("The conversation went well.", preserved=0)
    result = check(project, log.lines)
    text = "\n".join(result.warnings)
    assert "Add a progress bar" in text
    assert "Write the reader" not in text
    assert "objective" in text
    assert "ecent" in text
    assert any("Recreate" in step for step in result.recovery_steps)
    assert any("Restate" in step for step in result.recovery_steps)


def test_preserved_messages_are_there(project: Path) -> None:
    log = Transcript()
    log.user("Port the parser to Rust")
    log.assistant("TODO: port the lexer first")
    put_event(project, log)
    log.compact("Nothing to say.", preserved=2)
    assert check(project, log.lines).warnings == []


def test_what_was_said_since_counts(project: Path) -> None:
    log = session_before()
    put_event(project, log)
    log.compact("The conversation went well.", preserved=0)
    log.user(f"To remind you: {FULL_SUMMARY}")
    assert check(project, log.lines).passed


def test_a_copy_that_goes_on_behind_the_boundary_is_cut_there(project: Path) -> None:
    log = session_before()
    log.compact("The conversation went well.", preserved=0)
    log.user("Where were we?")
    put_event(project, log)
    assert not check(project, log.lines).passed


def test_without_the_file_the_transcripts_own_window_serves(project: Path) -> None:
    log = session_before()
    record_event(str(project), "s", 0, pre_compaction_transcript_path="gone.jsonl")
    log.compact("The conversation went well.", preserved=0)
    result = check(project, log.lines)
    assert result.used_fallback
    assert any("progress bar" in warning for warning in result.warnings)


def test_flat_messages_with_a_summary_serve_too(project: Path) -> None:
    record_event(str(project), "s", 0)
    flat = [
        {"role": "user", "content": "Add a cache to the image loader"},
        {"role": "assistant", "content": "TODO: choose an eviction policy"},
        {"role": "user", "content": SUMMARY_HEAD + "Nothing of note."},
    ]
    result = check(project, flat)
    assert result.used_fallback


def test_with_nothing_to_compare_the_result_says_so(project: Path) -> None:
    record_event(str(project), "s", 0)
    result = check(project, [{"role": "user", "content": "Hello"}])
    assert result.passed
    assert result.used_fallback
    assert "nothing to compare" in result.notes[0]
    for missing in (None, "text", 5):
        untold = check(project, missing)
        assert untold.passed
        assert untold.notes


def test_an_item_in_another_language_is_noted_not_lost(project: Path) -> None:
    log = Transcript()
    log.user("请为图片加载器添加缓存")
    log.assistant("TODO: 选择缓存淘汰策略")
    put_event(project, log)
    log.compact(
        "The user wants a cache for the image loader, and the eviction policy is to be chosen.",
        preserved=0,
    )
    result = check(project, log.lines)
    assert not any("TODO" in warning or "objective" in warning for warning in result.warnings)
    assert any("another language" in note for note in result.notes)


def test_what_an_injection_has_word_for_word_is_not_in_another_language(project: Path) -> None:
    log = Transcript()
    log.user("Migra los informes. No instales nada con pip, aquí se usa uv.")
    put_event(project, log)
    log.compact(
        "The user wants the reports moved, and the assistant was about to do that.", "auto", 0
    )
    log.user("The state:\n- No instales nada con pip, aquí se usa uv.\n- Migra los informes.")
    assert check(project, log.lines).notes == []


@pytest.mark.parametrize("command", ["make release", "sed -i s/a/b/ x.py", "echo 1 > version"])
def test_an_open_tool_use_at_the_compaction_is_a_gap(project: Path, command: str) -> None:
    log = session_before()
    log.assistant(tools=[{"id": "t9", "name": "Bash", "input": {"command": command}}])
    put_event(project, log)
    log.compact(FULL_SUMMARY, preserved=0)
    result = check(project, log.lines)
    (warning,) = result.warnings
    assert "Recent" in warning
    assert command in warning
    content = [{"type": "tool_result", "tool_use_id": "t9", "content": "ok"}]
    log.add("user", message={"role": "user", "content": content})
    assert check(project, log.lines).passed


def test_an_open_tool_use_that_the_summary_speaks_of_is_no_gap(project: Path) -> None:
    log = session_before()
    log.assistant(tools=[{"id": "t9", "name": "Edit", "input": {"file_path": "/p/src/bar.py"}}])
    put_event(project, log)
    log.compact(FULL_SUMMARY + "\nThe assistant was editing bar.py.", preserved=0)
    assert check(project, log.lines).passed


@pytest.mark.parametrize(
    ("name", "given"),
    [("Grep", {"pattern": "entire"}), ("Read", {"file_path": "/p/a.py"}),
     ("Bash", {"command": "npm test"}),
     ("Bash", {"command": 'grep -n "total" src/*.py 2>/dev/null | head -30; git log -1'})],
)  # fmt: skip
def test_an_open_tool_use_that_only_looks_or_checks_is_no_gap(
    project: Path, name: str, given: dict[str, str]
) -> None:
    log = session_before()
    log.assistant(tools=[{"id": "t9", "name": name, "input": given}])
    put_event(project, log)
    log.compact(FULL_SUMMARY, preserved=0)
    assert not any("gap" in warning for warning in check(project, log.lines).warnings)


def test_where_the_newest_turn_is_there_the_ones_before_it_may_go(project: Path) -> None:
    validator = CompactionValidator(project)
    topics = "alpha bravo delta echo golf hotel india kilo lima mike oscar papa romeo sierra"
    before = [{"role": "user", "content": f"Describe the {name} screen"} for name in topics.split()]
    context = CompactionContext()
    assert validator.validate_recent_context(before, before[:5] + before[-1:], context).passed
    assert not validator.validate_recent_context(before, before[:9], context).passed


def test_a_turn_is_spoken_of_by_a_file_that_it_changed(project: Path) -> None:
    log = Transcript()
    log.user("make it nicer somehow, as we said")
    log.assistant(tools=[{"id": "t1", "name": "Edit", "input": {"file_path": "/p/cart_view.py"}}])
    content = [{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]
    log.add("user", message={"role": "user", "content": content})
    before = list(log.lines)
    validator, context = CompactionValidator(project), CompactionContext()
    for said, is_there in (("Colours in cart_view.py were changed.", True), ("Nothing.", False)):
        after = [{"role": "user", "content": said}]
        assert validator.validate_recent_context(before, after, context).passed is is_there


@pytest.mark.parametrize(
    "done",
    ["Write tests - done", "[x] Write tests", "Write tests (completed)", "Write tests ✅",
     "写测试：已完成"],
)  # fmt: skip
def test_a_todo_that_says_it_is_done_is_not_lost(project: Path, done: str) -> None:
    before = [{"role": "assistant", "content": f"TODO: {done}"}]
    after = [{"role": "user", "content": "Let us talk about the weather"}]
    assert CompactionValidator(project).validate_todos(before, after).passed


def test_a_todo_that_is_reported_done_is_kept(project: Path) -> None:
    before = [{"role": "assistant", "content": "TODO: Write the migration guide"}]
    after = [{"role": "assistant", "content": "The migration guide is written."}]
    assert CompactionValidator(project).validate_todos(before, after).passed


def test_very_many_lost_todos_are_counted(project: Path) -> None:
    lines = "\n".join(f"TODO: port screen {n} of the wizard" for n in range(25))
    result = CompactionValidator(project).validate_todos(
        [{"role": "assistant", "content": lines}], [{"role": "user", "content": "Well?"}]
    )
    assert "25 of 25" in result.warnings[0]
    assert "15 more" in result.recovery_steps[-1]


def test_a_new_objective_takes_the_old_ones_place(project: Path) -> None:
    before = [{"role": "user", "content": "Implement the export to spreadsheets"}]
    after = [
        {"role": "user", "content": "Forget that, let's switch: implement the login page instead"}
    ]
    assert CompactionValidator(project).validate_objectives(before, after).passed


def test_a_first_prompt_that_says_little_is_no_objective(project: Path) -> None:
    validator = CompactionValidator(project)
    after = [{"role": "user", "content": "Hello again, my friend"}]
    assert validator.validate_objectives([{"role": "user", "content": "Hi there"}], after).passed
    long = "Trouble with database connections dropping overnight on staging"
    assert not validator.validate_objectives([{"role": "user", "content": long}], after).passed


def test_one_turn_of_many_that_is_missing_is_noted(project: Path) -> None:
    topics = "alpha bravo delta echo golf hotel india kilo lima mike oscar papa romeo sierra"
    before = [{"role": "user", "content": f"Describe the {name} screen"} for name in topics.split()]
    after = before[:10] + before[11:]
    result = CompactionValidator(project).validate_recent_context(
        before, after, CompactionContext()
    )
    assert result.passed
    assert "turns 11" in result.notes[0]


def test_the_project_can_be_named_by_text_and_needs_not_exist(tmp_path: Path) -> None:
    validator = CompactionValidator(str(tmp_path / "nowhere"))
    assert validator.runtime_dir.name == "power-steering"
    assert not validator.load_compaction_context("s").has_compaction_event


@pytest.mark.parametrize("name", ["", "../..", "a/b", "séance\ud800", "x" * 10_000, "\0"])
def test_session_ids_are_any_string(project: Path, name: str) -> None:
    record_event(str(project), name, 0, turn_number=3)
    context = CompactionValidator(project).load_compaction_context(name)
    assert context.turn_at_compaction == 3


def test_a_broken_events_file_is_said(project: Path) -> None:
    record_event(str(project), "s", 0)
    path = project / ".claude/runtime/power-steering/compaction_events.json"
    path.write_text("{")
    context = CompactionValidator(project).load_compaction_context("s")
    assert not context.has_compaction_event
    assert context.note


def test_ancestor_events_without_our_keys_are_read(project: Path) -> None:
    folder = project / ".claude/runtime/power-steering"
    folder.mkdir(parents=True)
    (project / "t.json").write_text("[]")
    event = {"timestamp": "2026-01-22T10:00:00Z", "turn_number": 4, "messages_removed": 2,
             "pre_compaction_transcript_path": "t.json", "session_id": "s"}  # fmt: skip
    (folder / "compaction_events.json").write_text(json.dumps([event]))
    context = CompactionValidator(project).load_compaction_context("s")
    assert context.pre_compaction_transcript == []
    assert context.timestamp == "2026-01-22T10:00:00Z"


def told_rules() -> Transcript:
    log = Transcript()
    log.user("Build the login page. Never push to main, and always use pnpm instead of npm.")
    log.assistant("I'll begin with the form.")
    return log


def test_without_a_record_the_transcripts_own_compaction_is_checked(project: Path) -> None:
    log = session_before()
    log.compact("The conversation went well.", preserved=0)
    result = check(project, log.lines)
    assert result.outcome is Outcome.LOST
    assert result.used_fallback
    assert result.compaction_context.has_compaction_event
    assert result.compaction_context.turn_at_compaction == 2
    assert result.compaction_context.messages_removed == 8
    text = result.get_summary()
    assert "Add a progress bar" in text
    assert "not recorded" in text


def test_rules_whose_injection_never_came_are_lost(project: Path) -> None:
    log = told_rules()
    log.compact("The login page is being built; the form has been begun.", preserved=0)
    result = check(project, log.lines)
    assert result.outcome is Outcome.LOST
    assert any("Never push to main" in warning for warning in result.warnings)
    assert any("pnpm" in step for step in result.recovery_steps)
    log.attachment("hook_non_blocking_error", stdout="Never push to main. Always use pnpm")
    assert check(project, log.lines).outcome is Outcome.LOST
    log.attachment(
        "hook_additional_context",
        content=["Never push to main, and always use pnpm instead of npm."],
    )
    assert check(project, log.lines).outcome is Outcome.PASSED


def test_rules_of_earlier_windows_count_and_lifted_ones_do_not(project: Path) -> None:
    log = told_rules()
    log.user("Never touch the schema.")
    log.compact("Never push to main, always use pnpm instead of npm, never touch the schema.")
    log.user("Go on with the login page's form")
    log.assistant("The form stands.")
    log.user("You may touch the schema again.")
    log.compact("The login page is being built, the form stands; the schema may be touched.")
    (warning,) = (w for w in check(project, log.lines).warnings if "rules" in w.lower())
    assert "Never push to main" in warning
    assert "schema" not in warning


def test_a_rule_lifted_since_the_compaction_is_not_missed(project: Path) -> None:
    log = Transcript()
    log.user("Build the login page.")
    log.user("Never touch the schema.")
    log.compact("Building the login page.", preserved=0)
    log.user("You may touch the schema again.")
    assert not any("rule" in warning.lower() for warning in check(project, log.lines).warnings)


def test_without_any_compaction_nothing_is_called_passed(project: Path) -> None:
    for transcript in (session_before().lines, [{"role": "user", "content": "Hello"}], []):
        result = check(project, transcript)
        assert result.outcome is Outcome.UNCHECKED
        assert result.passed
        assert "passed" not in result.get_summary()


def test_events_that_cannot_be_read_are_said(project: Path) -> None:
    record_event(str(project), "s", 0)
    (project / ".claude/runtime/power-steering/compaction_events.json").write_text("{")
    result = check(project, [{"role": "user", "content": "Hello"}])
    assert result.outcome is Outcome.UNCHECKED
    assert "cannot be read" in result.get_summary()


def test_without_what_followed_the_boundary_nothing_is_known(project: Path) -> None:
    log = session_before()
    put_event(project, log)
    log.compact(FULL_SUMMARY, preserved=3)
    del log.lines[-1]
    result = check(project, log.lines)
    assert result.outcome is Outcome.UNCHECKED
    assert "after the compaction" in result.notes[0]
    assert check(project, []).outcome is Outcome.UNCHECKED


def test_a_transcript_from_before_the_boundary_shows_nothing(project: Path) -> None:
    log = session_before()
    put_event(project, log)
    assert check(project, log.lines).outcome is Outcome.UNCHECKED
    start = len(log.lines)
    log.compact(FULL_SUMMARY, preserved=0)
    log.user("Add a second reader for TSV")
    window = Transcript()
    window.lines = log.lines[start:]
    put_event(project, window)
    assert check(project, log.lines).outcome is Outcome.UNCHECKED


def test_a_compaction_after_the_recorded_one_is_the_one_that_is_checked(project: Path) -> None:
    log = Transcript()
    log.user("Port the parser to Rust")
    put_event(project, log)
    log.compact("The parser is to be ported to Rust.", preserved=0)
    for line in session_before().lines:
        log.add(line["type"], message=line["message"])
    log.compact("The parser is to be ported to Rust.", preserved=0)
    result = check(project, log.lines)
    assert result.used_fallback
    assert any("progress bar" in warning for warning in result.warnings)
    assert "not recorded" in result.get_summary()


def test_what_is_only_in_part_comparable_is_not_called_passed_flatly() -> None:
    result = ValidationResult(passed=True, notes=["1 of 2 TODO items: another language"])
    assert result.outcome is Outcome.PASSED
    assert "not everything could be checked" in result.get_summary().splitlines()[0]


def test_with_nothing_from_before_there_is_nothing_to_pass(project: Path) -> None:
    (project / "before.json").write_text("[]")
    record_event(str(project), "s", 0, pre_compaction_transcript_path="before.json")
    assert check(project, [{"role": "user", "content": "Hi"}]).outcome is Outcome.UNCHECKED
    log = session_before()
    log.compact(FULL_SUMMARY)
    assert check(project, log.lines[-2:]).outcome is Outcome.UNCHECKED


def test_a_flat_list_is_cut_at_its_last_summary(project: Path) -> None:
    flat = [
        {"role": "user", "content": "Never push to main. Add a cache to the image loader."},
        {"role": "assistant", "content": "TODO: choose an eviction policy"},
        {"role": "user", "content": SUMMARY_HEAD + "A cache for the image loader is wanted."},
    ]
    result = check(project, flat)
    assert result.outcome is Outcome.LOST
    assert any("eviction" in warning for warning in result.warnings)
    assert any("push" in warning for warning in result.warnings)


def test_a_rule_in_another_language_is_noted_not_lost(project: Path) -> None:
    log = Transcript()
    log.user("请为图片加载器添加缓存。不要修改数据库迁移文件。")
    log.compact("A cache for the image loader is wanted, and the migrations stay.", preserved=0)
    result = check(project, log.lines)
    assert not any("rule" in warning for warning in result.warnings)
    assert any("rule: cannot be compared" in note for note in result.notes)


FLAT = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]


def compacted() -> Transcript:
    log = Transcript()
    log.user("Build it")
    log.assistant("First part done")
    log.user("Go on")
    log.assistant("Second part done")
    log.compact("The user wants it built.", preserved=1)
    return log


def test_after_a_compaction_the_model_has_the_preserved_messages_and_what_follows() -> None:
    log = compacted()
    split = split_at_boundary(log.lines)
    sides = compacted_of(split.before, split)
    assert "Second part done" in sides.beside
    assert "First part done" not in sides.beside
    assert "wants it built" in sides.summary
    log.user("And now?")
    follows = split_at_boundary(log.lines).follows
    assert [p.text for p in windows_in(follows)[-1].prompts] == ["And now?"]
    assert [p.text for p in windows_in(split.before)[-1].prompts] == ["Build it", "Go on"]


def test_of_several_compactions_the_last_one_counts_unless_one_is_named() -> None:
    log = compacted()
    first = split_at_boundary(log.lines).boundary
    assert first is not None
    log.user("Third")
    log.compact("Nothing.")
    log.user("Fourth")
    split = split_at_boundary(log.lines)
    assert [prompt.text for prompt in windows_in(split.before)[-1].prompts] == ["Third"]
    named = last_window(log.lines, first)
    assert [prompt.text for prompt in windows_in(named)[-1].prompts] == ["Build it", "Go on"]
    unknown = last_window(log.lines, replace(first, uuid="unknown"))
    assert [prompt.text for prompt in windows_in(unknown)[-1].prompts] == ["Fourth"]


def test_old_clients_wrote_a_summary_and_no_boundary() -> None:
    log = Transcript()
    log.user("Build it")
    content = {"role": "user", "content": SUMMARY_HEAD + "x"}
    log.add("user", None, message=content, isCompactSummary=True)
    log.user("Go on")
    split = split_at_boundary(log.lines)
    assert [prompt.text for prompt in windows_in(split.before)[-1].prompts] == ["Build it"]
    assert [prompt.text for prompt in windows_in(split.follows)[-1].prompts] == ["Go on"]


def test_a_subagents_boundary_is_not_the_sessions() -> None:
    log = compacted()
    log.lines = [{**x, "isSidechain": x.get("subtype") == "compact_boundary"} for x in log.lines]
    log.lines = [x for x in log.lines if not x.get("isCompactSummary")]
    assert split_at_boundary(log.lines).before == []


def test_flat_messages_have_no_boundary_but_may_have_a_summary() -> None:
    flat = [*FLAT, {"role": "user", "content": SUMMARY_HEAD + "x"}]
    assert split_at_boundary(flat).before == FLAT
    assert split_at_boundary(FLAT).boundary is None
    wrapped = [{"message": message} for message in flat]
    assert split_at_boundary(wrapped).before == wrapped[:2]


def test_what_a_compaction_removes_is_the_messages_less_the_preserved() -> None:
    log = compacted()
    window = windows_in(split_at_boundary(log.lines).before)[-1]
    kept = log.lines[-2]["compactMetadata"]["preservedMessages"]["uuids"]
    assert window.count_messages(kept) == 3
    assert window.count_messages() == 4


def test_a_captured_session_splits_at_its_last_compaction() -> None:
    read = parse_messages(session("auto_compact_x3").read_bytes())
    assert read.messages is not None
    split = split_at_boundary(read.messages)
    assert windows_in(split.follows)[-1].summary
    assert split.boundary is not None
    assert windows_in(split.before)[-1].turns


LONG = "Rewrite the importer so that it streams, and keep the tests green"


def long_turn(steps: int = 30) -> Transcript:
    log = Transcript()
    log.user(LONG)
    for number in range(steps):
        log.tool("Edit", {"file_path": f"/p/importer/module_{number // 3}.py"}, "done")
    log.assistant("The chunk reader is half done; quoting is next in module_9.py.")
    return log


def test_the_current_work_of_a_long_turn_that_is_gone_is_noticed(project: Path) -> None:
    log = long_turn()
    log.compact(f"The user asked: {LONG}.", preserved=0)
    (warning,) = check(project, log.lines).warnings
    assert "of the last turn's 30 steps" in warning
    assert "module_9.py" in warning


def test_a_long_turn_whose_current_file_is_named_is_there(project: Path) -> None:
    log = long_turn()
    log.compact(f"The user asked: {LONG}. Edited last: importer/module_9.py.", preserved=0)
    assert check(project, log.lines).passed


def test_plain_results_of_tools_in_a_flat_list_are_no_turns_and_no_objective(project: Path) -> None:
    flat: list[dict[str, Any]] = [{"role": "user", "content": "Build the login page with a cache"}]
    for number in range(12):
        use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "x"}}
        flat += [
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": f"ok {number}"},
        ]
    assert [prompt.text for prompt in windows_in(flat)[-1].prompts] == [flat[0]["content"]]
    text = SUMMARY_HEAD + "The user wants a login page with a cache; it is being built."
    flat.append({"role": "user", "content": text})
    assert check(project, flat).passed


@pytest.mark.parametrize("reply", ["ok 11", "ok 30 days", "fine, 500ms", "make it 30 days", "ok 5"])
def test_a_short_reply_never_becomes_the_objective(project: Path, reply: str) -> None:
    before = [
        {"role": "user", "content": "Build the login page with a cache"},
        {"role": "assistant", "content": "Done so far."},
        {"role": "user", "content": reply},
    ]
    after = [{"role": "user", "content": "We talked about the weather."}]
    (warning,) = CompactionValidator(project).validate_objectives(before, after).warnings
    assert "Build the login page" in warning


def test_a_command_that_was_cut_off_and_is_spoken_of_since_is_no_gap(project: Path) -> None:
    call = {"type": "tool_use", "id": "t1", "name": "Bash"}
    line = "git add src/reader.py && git commit -m 'Read /etc/hosts'"
    before: list[dict[str, Any]] = [
        {"role": "user", "content": "Commit the reader of host names now"},
        {"role": "assistant", "content": [{**call, "input": {"command": line}}]},
    ]

    def warnings(said: str) -> list[str]:
        after = [{"role": "user", "content": f"Commit the reader of host names now. {said}"}]
        validator = CompactionValidator(project)
        return validator.validate_recent_context(before, after, CompactionContext()).warnings

    assert not warnings("`git add src/reader.py` failed: index.lock exists.")
    assert "no result of Bash git add" in warnings("Nothing else is known.")[0]


@pytest.mark.parametrize(("given", "is_missing"), [(STATE_HEAD, False), ("Nothing.", True)])
def test_only_an_injection_leaves_something_out(given: str, is_missing: bool) -> None:
    state = SessionState(decisions=(Decision(text="Tabs", question="Tabs or spaces?"),))
    sides = Compacted(
        state, windows_in([])[-1], "Nothing.", given, left_out="- Tabs or spaces? -> Tabs"
    )
    assert bool(judge_compaction(sides).warnings) is is_missing
