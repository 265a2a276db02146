from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.size_limits import STATE_END, STATE_HEAD
from amplihack_compaction.clients.reading import read_windows
from amplihack_compaction.transcript import session as boundaries
from amplihack_compaction.transcript.session import Window, was_refused
from tests.support.captured import session
from tests.support.transcripts import REFUSED, Transcript


def windows(transcript: Transcript, tmp_path: Path) -> list[Window]:
    return list(read_windows(transcript.write(tmp_path / "t.jsonl")))


def prompts(window: Window) -> list[str]:
    return [prompt.text for prompt in window.prompts]


def test_a_rewound_prompt_was_taken_back(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Start")
    (fork,) = transcript.assistant("Fine.")
    transcript.user("Never use tabs")
    transcript.tool("Bash", {"command": "ls"})
    transcript.assistant("Rewound soon.")
    transcript.user("Always use tabs", parent=fork)
    transcript.assistant("Yes.")
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["Start", "Always use tabs"]
    assert [speech.text for turn in window.turns for speech in turn.texts] == ["Fine.", "Yes."]
    assert not any(turn.tools for turn in window.turns)


def test_an_entry_without_a_name_ends_no_chain(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("One")
    transcript.add("system", subtype="odd")
    transcript.lines[-1]["uuid"] = ""
    transcript.user("Two: use pnpm")
    transcript.assistant("Yes.")
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["One", "Two: use pnpm"]


def test_parallel_calls_keep_all_their_results(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Go")
    calls = [{"id": f"t{n}", "name": "Read", "input": {"file_path": f"{n}"}} for n in range(3)]
    lines = transcript.assistant("Reading.", calls)
    # Results hang off their own call, and arrive in any order.
    for number in (0, 2, 1):
        block = {"tool_use_id": f"t{number}", "type": "tool_result", "content": f"r{number}"}
        transcript.add(
            "user", lines[number + 1], message={"role": "user", "content": [block]},
            toolUseResult=f"r{number}",
        )  # fmt: skip
    (window,) = windows(transcript, tmp_path)
    results = {t.id: t.result.text for turn in window.turns for t in turn.tools if t.result}
    assert results == {"t0": "r0", "t1": "r1", "t2": "r2"}


def test_a_dangling_parent_does_not_cut_the_session(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("One")
    transcript.assistant("1")
    transcript.user("Two", parent="gone")
    transcript.user("Three", parent=None)
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["One", "Two", "Three"]


def test_copied_entries_count_once(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("One")
    transcript.lines.append(dict(transcript.lines[0]))
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["One"]


@pytest.mark.parametrize(
    "text",
    [
        "<local-command-stdout>Bye</local-command-stdout>", "<task-notification>x",
        "[Request interrupted by user for tool use]", "/compact", "/clear now", "  ",
        "<command-name>/compact</command-name>\n<command-args>keep all</command-args>",
        "<command-name>/fix</command-name>\n<command-args></command-args>",
        "This session is being continued from a previous conversation that ran out",
        "Operation stopped by hook: another session is active. Never push.",
    ],
)  # fmt: skip
def test_what_the_client_writes_as_user_is_no_prompt(tmp_path: Path, text: str) -> None:
    transcript = Transcript()
    transcript.user(text)
    (window,) = windows(transcript, tmp_path)
    assert window.prompts == []


def test_prompts_come_in_every_form_the_client_has(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user([{"type": "text", "text": "as blocks"}, {"type": "image"}])
    transcript.user("<command-name>/fix</command-name><command-args>issue 7</command-args>")
    transcript.user("<command-message>tidy</command-message>\n<command-name>/tidy</command-name>")
    transcript.attachment("queued_command", prompt="while you work", commandMode="prompt")
    transcript.user("meta", isMeta=True)
    transcript.refuse("Bash", {"command": "psql"}, "Use the staging database")
    (window,) = windows(transcript, tmp_path)
    assert [(p.origin, p.text) for p in window.prompts] == [
        ("typed", "as blocks"),
        ("command", "/fix issue 7"),
        ("command", "/tidy"),
        ("queued", "while you work"),
        ("rejection", "Use the staging database"),
    ]


def turn(number: int, prompt: str) -> dict[str, Any]:
    return {"turnPosition": {"promptIndex": number, "turnIndex": number}, "promptId": prompt}


def test_what_was_said_before_a_rewind_to_the_beginning_was_taken_back(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Never use tabs.", **turn(1, "a"))
    transcript.assistant("Yes.")
    transcript.user("Never push.", **turn(2, "b"))
    transcript.assistant("No.")
    transcript.user(
        "Always use tabs.", **turn(1, "c")
    )  # below the last entry, as the client has it
    transcript.assistant("Yes.")
    transcript.user("Go on.", **turn(2, "d"))
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["Always use tabs.", "Go on."]


@pytest.mark.parametrize("before", [{}, turn(1, "a")])
def test_two_lines_of_the_first_turn_are_no_rewind(tmp_path: Path, before: dict[str, Any]) -> None:
    transcript = Transcript()
    transcript.user("Never use tabs.", **before)
    transcript.user("And never push.", **turn(1, "a"))
    transcript.assistant("Yes.")
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["Never use tabs.", "And never push."]


@pytest.mark.parametrize("direction", ["from", "up_to"])
def test_what_the_rewind_menu_summarised_was_not_taken_back(tmp_path: Path, direction: str) -> None:
    transcript = Transcript()
    transcript.user("Never push to main.")
    (point,) = transcript.assistant("Fine.")
    transcript.user("Never use tabs.")
    transcript.assistant("Yes.")
    transcript.compact("They talked.", trigger="manual", preserved=2)
    boundary, summary = transcript.lines[-2:]
    boundary["logicalParentUuid"] = point
    boundary["compactMetadata"]["messagesSummarized"] = 2
    summary["summarizeMetadata"] = {"messagesSummarized": 2, "direction": direction}
    transcript.user("Go on.")
    first, second = windows(transcript, tmp_path)
    assert prompts(first) == ["Never push to main.", "Never use tabs."]
    assert first.ended is not None
    assert first.count_messages(first.ended.preserved) == 2
    assert prompts(second) == ["Go on."]


CLARIFIED = """The user wants to clarify these questions.
    This means they may have additional information, context or questions for you.
    Take their response into account and then reformulate the questions if appropriate.
    Start by asking them what they would like to clarify.

    Questions asked:
- "Which database?"
  (No answer provided)"""
MARKED = {"toolDenialKind": "user-rejected"}
BY_USER = {"permissionDecision": {"decision": "reject", "source": "user_reject"}}
BY_HOST = {"toolDenialKind": "permission-rule", "holdsPersonsWords": True, **BY_USER}


@pytest.mark.parametrize(
    ("result", "fields", "said"),
    [
        (f"{REFUSED} STOP what you are doing and wait for the user.", BY_USER, []),
        (f"{REFUSED} To tell you how to proceed, the user said:\nUse pnpm",
         {"toolDenialKind": "user-rejected", "userFeedback": "Use pnpm", **BY_USER}, ["Use pnpm"]),
        (f"{REFUSED} To tell you how to proceed, the user said:\nUse pnpm", MARKED, ["Use pnpm"]),
        ("Permission for this tool use was denied. The tool use was rejected (eg. it was not"
         " written). The user said:\nUse pnpm", MARKED, ["Use pnpm"]),
        ("No. Never delete legacy.", BY_HOST, ["No. Never delete legacy."]),
        ("No. Never delete legacy.", BY_USER, []),
        (f"{REFUSED} STOP what you are doing.", BY_HOST, []),
        ("User denied permission", BY_HOST, []),
        ("claude-sonnet-5[1m] is temporarily unavailable (connection failed), so auto mode cannot"
         " determine the safety of Bash right now. Wait briefly and then try again.", {}, []),
        ("Exit code 1\nremote: x is temporarily unavailable, so auto mode cannot determine the"
         " safety of Bash", {}, []),
        ("Exit code 1\nNever delete legacy.", {"holdsPersonsWords": True}, []),
        (f"{REFUSED} To tell you how to proceed, the user said:\n{CLARIFIED}",
         {"userFeedback": CLARIFIED, **BY_USER}, []),
        (f"{REFUSED} To tell you how to proceed, the user said:\n{CLARIFIED}\n  User notes: Why?",
         MARKED, ["Why?"]),
    ],
)  # fmt: skip
def test_what_the_user_said_with_a_refusal_is_his_and_nothing_else_is(
    tmp_path: Path, result: str, fields: dict[str, Any], said: list[str]
) -> None:
    transcript = Transcript()
    transcript.user("Go")
    transcript.tool("Bash", {"command": "rm -r legacy"}, result, error=True, **fields)
    (window,) = windows(transcript, tmp_path)
    assert [p.text for p in window.prompts if p.origin == "rejection"] == said
    (tool,) = window.turns[0].tools
    assert was_refused(tool) is not result.startswith("Exit code")


@pytest.mark.parametrize("error", [False, True])
def test_what_was_typed_with_a_permission_is_a_prompt(tmp_path: Path, error: bool) -> None:
    transcript = Transcript()
    transcript.user("Go")
    transcript.tool("Bash", {"command": "make"}, "done", error, beside="but never delete vendor")
    transcript.tool("Bash", {"command": "make"}, beside="[Request interrupted by user]")
    transcript.tool("Read", {}, beside="<system-reminder>Never mind.</system-reminder>")
    (window,) = windows(transcript, tmp_path)
    assert [(p.origin, p.text) for p in window.prompts[1:]] == [
        ("approval", "but never delete vendor")
    ]
    assert not was_refused(window.turns[0].tools[0])


def test_what_older_clients_tell_beside_a_result_was_typed(tmp_path: Path) -> None:
    for version, said in (("2.1.33", ["Test as you go."]), ("2.1.207", []), ("later", [])):
        transcript = Transcript()
        transcript.version = version
        transcript.user("Go")
        result = [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"},
            {"type": "text", "text": "Test as you go."},
        ]
        transcript.add("user", message={"role": "user", "content": result})
        (window,) = windows(transcript, tmp_path)
        assert prompts(window) == ["Go", *said]


def queue(transcript: Transcript, *operations: str) -> None:
    """Add lines of the client's queue: `enqueue TEXT`, `remove`, `dequeue` or `popAll`."""
    for operation in operations:
        name, _, text = operation.partition(" ")
        told = {"content": text} if text else {}
        transcript.lines.append({"type": "queue-operation", "operation": name, **told})


@pytest.mark.parametrize(
    ("operations", "said"),
    [
        (["enqueue Never amend commits.", "remove"], ["Never amend commits."]),
        (["enqueue Wait.", "enqueue Never amend.", "remove", "remove"], ["Wait.", "Never amend."]),
        (["enqueue Never amend commits.", "dequeue"], []),
        (["enqueue Wait.", "popAll Wait.", "enqueue Wait, all of you.", "remove"],
         ["Wait, all of you."]),
        (["enqueue <task-notification> Never amend. </task-notification>", "remove"], []),
        (["enqueue <channel source='x'>Never amend.</channel>", "remove"], []),
        (['enqueue {"task_id": "b1", "description": "Never amend."}', "remove"], []),
        (["enqueue /agents", "remove"], []),
        (["remove", "popAll", "enqueue", "remove", "dequeue"], []),
    ],
)  # fmt: skip
def test_what_was_queued_and_given_with_a_tools_results_was_said(
    tmp_path: Path, operations: list[str], said: list[str]
) -> None:
    transcript = Transcript()
    transcript.version = "2.1.33"
    transcript.user("Go")
    queue(transcript, *operations)
    transcript.tool("Bash", {"command": "make"}, "done")
    transcript.tool("Bash", {"command": "make test"}, "done")
    (window,) = windows(transcript, tmp_path)
    assert [(p.origin, p.text) for p in window.prompts[1:]] == [("queued", text) for text in said]


def test_what_comes_as_an_attachment_is_not_said_twice(tmp_path: Path) -> None:
    for version in ("2.1.33", "2.1.330"):
        transcript = Transcript()
        transcript.version = version
        transcript.user("Go")
        queue(transcript, "enqueue Never amend commits.", "remove")
        transcript.attachment("queued_command", prompt="Never amend commits.", commandMode="prompt")
        transcript.tool("Bash", {"command": "make"}, "done")
        (window,) = windows(transcript, tmp_path)
        assert prompts(window) == ["Go", "Never amend commits."]


def test_what_was_typed_in_place_of_an_option_is_a_prompt(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Go")
    asked = {"questions": [{"question": "Which database?"}], "answers": {}}
    said = "Never ask me about databases."
    data = {**asked, "response": said}
    transcript.tool("AskUserQuestion", {}, f"The user responded: {said}", data=data)
    transcript.tool("AskUserQuestion", {}, "The user did not answer the questions.", data=asked)
    transcript.tool("mcp__x__y", {}, "sent", data={"response": "Always say yes."})
    (window,) = windows(transcript, tmp_path)
    assert [(p.origin, p.text) for p in window.prompts[1:]] == [("answer", said)]


@pytest.mark.parametrize(
    ("fields", "is_prompt"),
    [
        ({}, True), ({"origin": {"kind": "human"}}, True), ({"origin": {"kind": "new"}}, False),
        ({"origin": "human"}, False), ({"origin": {"kind": ["peer"]}}, False),
        ({"origin": {}}, False),
        ({"origin": {"kind": "peer", "from": "1"}}, False),
        ({"origin": {"kind": "auto-continuation"}}, False),
        ({"origin": {"kind": "plugin", "name": "x"}}, False),
        ({"origin": {"kind": "plugin", "name": "x", "asUser": True}}, False),
        ({"promptSource": "typed", "turnOrigin": "human"}, True),
        ({"promptSource": "system"}, False),
        ({"turnOrigin": "scheduled"}, False), ({"textNotTyped": True}, False),
        ({"wakeupSource": "loop"}, False), ({"fromAnotherSession": True}, False),
        ({"origin": {"kind": "channel", "server": "x"}, "isMeta": True}, False),
    ],
)  # fmt: skip
def test_what_others_prompt_is_not_the_users(
    tmp_path: Path, fields: dict[str, Any], is_prompt: bool
) -> None:
    transcript = Transcript()
    transcript.user("Never push.", **fields)
    transcript.attachment("queued_command", prompt="Never pull.", commandMode="prompt", **fields)
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == (["Never push.", "Never pull."] if is_prompt else [])


STATE = f'{STATE_HEAD}\n## Standing rules\n- "Never push."\n{STATE_END}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"What is this?\n{STATE}\nExplain.", ["What is this?\n\nExplain."]),
        (f"{STATE}{STATE}", []),
        (f"Cut off: {STATE_HEAD}\n- never", [f"Cut off: {STATE_HEAD}\n- never"]),
        (f"{STATE_HEAD} and {STATE} and", [f"{STATE_HEAD} and  and"]),
        (f"It ends with {STATE_END}.", [f"It ends with {STATE_END}."]),
    ],
)
def test_a_state_that_is_pasted_back_is_not_the_users_words(
    tmp_path: Path, text: str, said: list[str]
) -> None:
    transcript = Transcript()
    transcript.user(text)
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == said


def test_windows_of_a_real_session_end_at_its_boundaries() -> None:
    found = list(read_windows(session("auto_compact_x3")))
    assert [w.index for w in found] == [0, 1, 2, 3]
    assert [w.ended.trigger if w.ended else None for w in found] == ["auto"] * 3 + [None]
    assert [w.ended.pre_tokens for w in found[:3] if w.ended] == [170074, 175047, 175046]
    assert [w.start for w in found[1:]] == [w.ended.offset for w in found[:3] if w.ended]
    assert "SUMMARY-ONE" in found[1].summary
    assert found[0].ended is not None
    assert len(found[0].ended.preserved) == 6
    assert found[0].model == "claude-sonnet-4-5"


def test_reading_from_a_boundary_gives_the_same_windows() -> None:
    path = session("auto_compact_x3")
    whole = list(read_windows(path))
    later = list(read_windows(path, whole[1].start, 1))
    assert [(w.index, w.start, w.end, prompts(w)) for w in later] == [
        (w.index, w.start, w.end, prompts(w)) for w in whole[1:]
    ]
    assert later[0].began == whole[1].began


def test_clients_before_2_0_wrote_only_the_summary(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("One")
    transcript.add(
        "user", None, message={"role": "user", "content": "Summary: s"}, isCompactSummary=True
    )
    transcript.user("Two")
    first, second = windows(transcript, tmp_path)
    assert (prompts(first), prompts(second)) == (["One"], ["Two"])
    assert first.ended is not None
    assert first.ended.trigger == ""
    assert second.summary == "Summary: s"


def test_a_subagents_lines_are_not_the_sessions(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Main")
    transcript.user("Sub")
    transcript.lines[-1]["isSidechain"] = True
    transcript.assistant("Main answers.")
    transcript.lines[-1]["parentUuid"] = transcript.lines[0]["uuid"]
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["Main"]


def test_a_file_of_a_subagent_alone_is_read_as_its_own(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Sub")
    transcript.lines[-1]["isSidechain"] = True
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["Sub"]


def test_plan_files_and_old_todo_lists_are_noted() -> None:
    found = list(read_windows(session("plan_file")))
    assert found[0].plan_mode is True
    assert found[1].plan == "# My plan\n1. do x\n"
    assert found[1].plan_path.endswith(".md")


def test_todos_of_old_clients_are_noted(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Go", todos=[{"content": "x", "status": "pending"}, "broken"])
    (window,) = windows(transcript, tmp_path)
    assert window.todos == [{"content": "x", "status": "pending"}]


def test_a_huge_window_keeps_its_prompts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boundaries, "RECENT_NODES", 5)
    transcript = Transcript()
    transcript.user("First")
    for _ in range(10):
        transcript.assistant("a text")
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["First"]
    assert sum(len(turn.texts) for turn in window.turns) == 5


def test_an_empty_transcript_has_one_empty_window(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("")
    (window,) = read_windows(path)
    assert (window.turns, window.chain, window.start, window.end) == ([], [], 0, 0)


@pytest.mark.parametrize("message", [None, "text", 5, {"content": 7}, {"content": ["x", {}]}])
def test_odd_messages_break_nothing(tmp_path: Path, message: object) -> None:
    transcript = Transcript()
    transcript.add("user", message=message)
    transcript.add("assistant", message=message)
    transcript.add("attachment", attachment=message)
    transcript.add("system", subtype="compact_boundary", compactMetadata=message)
    transcript.user("still here")
    assert prompts(windows(transcript, tmp_path)[-1]) == ["still here"]


def test_what_an_editor_adds_to_a_prompt_is_not_said(tmp_path: Path) -> None:
    transcript = Transcript()
    opened = "<ide_opened_file>The user opened a.py. Never mind.</ide_opened_file>"
    transcript.user([{"type": "text", "text": opened}, {"type": "text", "text": "Fix it."}])
    transcript.user("<system-reminder>x</system-reminder>\nAnd <b>this</b>.")
    transcript.user("<ide_selection>only a selection</ide_selection>")
    transcript.user("<ide_selection>never closed")
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["Fix it.", "And <b>this</b>."]


@pytest.mark.parametrize(
    "shown",
    [
        "<system-reminder>",
        "<git-pre-hook>ok</git-pre-hook>",
        "<private>",
        "-----BEGIN PRIVATE KEY-----",
    ],
)
def test_a_mark_in_code_that_was_pasted_hides_nothing_below_it(tmp_path: Path, shown: str) -> None:
    transcript = Transcript()
    transcript.user(f"It prints:\n```\n{shown}\n```\n\nNever deploy on Fridays.")
    (window,) = windows(transcript, tmp_path)
    assert prompts(window)[0].endswith("\n```\n\nNever deploy on Fridays.")


def test_a_programs_error_output_is_not_the_users_speech(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Go")
    transcript.tool("Bash", {"command": "x"}, "Exit 1\nthe user said:\nnever stop", error=True)
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["Go"]


def test_a_file_that_begins_with_a_warmed_up_subagent_is_the_main_conversation(
    tmp_path: Path,
) -> None:
    transcript = Transcript()
    transcript.user("Warmup")
    transcript.assistant("Ready.")
    for line in transcript.lines:
        line["isSidechain"] = True
    transcript.user("Build the shop.", parent=None)
    transcript.assistant("On it.")
    (window,) = windows(transcript, tmp_path)
    assert prompts(window) == ["Build the shop."]


def test_what_the_client_says_in_the_models_place_is_not_the_models(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Go on.")
    transcript.assistant("The API is done.")
    transcript.assistant("No response requested.")
    transcript.lines[-1]["message"]["model"] = "<synthetic>"
    [window] = windows(transcript, tmp_path)
    assert [text.text for turn in window.turns for text in turn.texts] == ["The API is done."]
    assert window.model == transcript.model
