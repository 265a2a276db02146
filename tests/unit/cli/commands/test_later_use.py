"""What the model used after a compaction although the summary lacked it."""

from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.cli.diagnosis.diagnosis import diagnose_session
from amplihack_compaction.cli.diagnosis.later_use import Use, UseSource
from amplihack_compaction.cli.sessions import chosen_session
from tests.support.transcripts import SESSION, Transcript

URL = "https://api.example.com:8443/v2/orders"
RULE = "Never push to main without asking Ada."
HEAD, END = "<!-- AMPLIHACK STATE -->", "<!-- END AMPLIHACK STATE -->"


class Play:
    """A session with one compaction whose summary says nothing."""

    def __init__(self, folder: Path, said: str, branch: str = "HEAD") -> None:
        self.path = folder / f"{SESSION}.jsonl"
        self.transcript = Transcript(branch=branch)
        self.transcript.user(said)
        self.transcript.assistant("Yes.")

    def compact(self, summary: str = "They talked.", preserved: int = 1) -> Transcript:
        self.transcript.compact(summary, preserved=preserved)
        return self.transcript

    @property
    def uses(self) -> tuple[Use, ...]:
        self.transcript.write(self.path)
        (compaction,) = diagnose_session(chosen_session(str(self.path))).compactions
        return tuple(compaction.used_later)

    @property
    def told(self) -> list[tuple[str, str, tuple[UseSource, ...]]]:
        return [(use.kind, use.by, use.sources) for use in self.uses]


def test_a_value_in_a_tools_input_is_found_with_its_place(tmp_path: Path) -> None:
    play = Play(tmp_path, f"Build the client of {URL} please.")
    after = play.compact()
    after.user("Go on.")
    after.tool("Bash", {"command": f"cd x\ncurl -s {URL}"}, "ok")
    after.tool("Bash", {"command": f"curl {URL}"}, "ok")
    (use,) = play.uses
    assert (use.kind, use.text, use.by, use.sources) == ("value", URL, "Bash", ())
    assert use.at


def test_what_the_summary_has_is_no_later_use(tmp_path: Path) -> None:
    play = Play(tmp_path, f"Build the client of {URL} please.")
    play.compact(f"It is at {URL}.").assistant(f"I call {URL}.")
    assert play.uses == ()


def test_what_the_compaction_kept_word_for_word_is_no_later_use(tmp_path: Path) -> None:
    play = Play(tmp_path, f"Build the client of {URL} please.")
    play.compact(preserved=2).assistant(f"I call {URL}.")
    assert play.uses == ()


def test_what_the_user_says_again_first_is_no_later_use(tmp_path: Path) -> None:
    play = Play(tmp_path, f"Build the client of {URL} please. {RULE}")
    after = play.compact()
    after.user(f"I told you: {URL}. And {RULE}")
    after.assistant(f"I call {URL}. I never push to main without asking Ada.")
    assert play.uses == ()


def test_what_the_user_says_afterwards_does_not_undo_a_use(tmp_path: Path) -> None:
    play = Play(tmp_path, f"Build the client of {URL} please.")
    after = play.compact()
    after.assistant(f"I call {URL}.")
    after.user(f"Yes, {URL}.")
    assert play.told == [("value", "text", ())]


def injected(after: Transcript, text: str) -> None:
    after.attachment("hook_additional_context", content=[f"{HEAD}\n{text}\n{END}"])


def read(after: Transcript, text: str) -> None:
    after.tool("Read", {"file_path": "/p/notes.md"}, text)


def attached(after: Transcript, text: str) -> None:
    after.attachment("file", filename="notes.md", content=text)


@pytest.mark.parametrize(
    ("show", "sources"),
    [
        ([injected], (UseSource.INJECTED,)),
        ([read], (UseSource.TOOL_OUTPUT,)),
        ([injected, read], (UseSource.INJECTED, UseSource.TOOL_OUTPUT)),
        ([attached], ()),
        ([], ()),
    ],
)
def test_where_it_stood_before_the_use_is_told(
    tmp_path: Path, show: list[Any], sources: tuple[UseSource, ...]
) -> None:
    play = Play(tmp_path, f"Build the client of {URL} please.")
    after = play.compact()
    for way in show:
        way(after, f"- url: {URL}")
    after.assistant(f"I call {URL}.")
    assert play.told == [("value", "text", sources)]


def test_what_comes_after_the_use_is_not_its_source(tmp_path: Path) -> None:
    play = Play(tmp_path, f"Build the client of {URL} please.")
    after = play.compact()
    after.tool("Bash", {"command": f"curl {URL}"}, f"GET {URL} 200")
    injected(after, URL)
    attached(after, URL)
    assert play.told == [("value", "Bash", ())]


def test_a_rule_that_the_model_states_is_a_use(tmp_path: Path) -> None:
    play = Play(tmp_path, f"Build the importer for the orders. {RULE}")
    after = play.compact()
    injected(after, f'- "{RULE}"')
    after.assistant("The importer is done.\nI never push to main without asking Ada, so I ask.")
    (use,) = [use for use in play.uses if use.kind == "rule"]
    assert (use.by, use.sources) == ("text", (UseSource.INJECTED,))


def test_a_sentence_that_shares_words_is_no_use(tmp_path: Path) -> None:
    play = Play(tmp_path, f"Build the importer for the orders. {RULE}")
    play.compact().assistant("I push to main without asking Ada, as ever.")
    assert play.uses == ()


def test_a_todo_that_is_written_down_again_is_a_use(tmp_path: Path) -> None:
    play = Play(tmp_path, "Build the importer for the orders.")
    todo = {"content": "Validate the postal codes", "status": "pending", "activeForm": "x"}
    play.transcript.tool("TodoWrite", {"todos": [todo]})
    play.transcript.assistant("Good.")
    after = play.compact()
    after.user("Go on.")
    after.tool("TodoWrite", {"todos": [todo]})
    assert ("todo", "TodoWrite", ()) in play.told


def test_edited_files_and_the_branch_count_where_nothing_names_them(tmp_path: Path) -> None:
    play = Play(tmp_path, "Build the importer for the orders.", branch="feat/orders-import")
    for name in ("importer", "readers"):
        path = f"/p/src/{name}_v2.py"
        play.transcript.tool("Edit", {"file_path": path, "old_string": "a", "new_string": "b"})
    play.transcript.assistant("Good.")
    after = play.compact("They worked on readers_v2.py.")
    after.tool("Read", {"file_path": "/p/src/importer_v2.py"}, "text")
    after.tool("Read", {"file_path": "/p/src/readers_v2.py"}, "text")
    after.tool("Bash", {"command": "git push origin feat/orders-import"}, "ok")
    uses = [(use.kind, use.text) for use in play.uses]
    assert uses == [("file", "/p/src/importer_v2.py"), ("branch", "feat/orders-import")]


@pytest.mark.parametrize("everyday", ['Call the button "Save".', "Write 2 files for it, please."])
def test_everyday_words_are_no_evidence(tmp_path: Path, everyday: str) -> None:
    play = Play(tmp_path, everyday)
    play.compact().assistant("I save 2 files.")
    assert [use for use in play.uses if use.kind == "value"] == []


def test_a_rule_in_a_script_without_spaces_is_found(tmp_path: Path) -> None:
    play = Play(tmp_path, "订单导入器要做好。不要在没有批准的情况下推送到主分支。")
    after = play.compact("他们聊了天。")
    after.assistant("不要在没有批准的情况下推送到主分支。")
    assert "rule" in [use.kind for use in play.uses]
