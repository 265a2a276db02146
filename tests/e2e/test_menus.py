"""What the user says and takes back in the client's menus, each recorded in its own way."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from .client import Client, Setup, Turn
from .conftest import NewClient
from .conversation import DOWN, ENTER, UP, Keys
from .run import Run
from .script import Answer, Script, Step, Tool

RULE = "Never push to main."
LATER = "Use pnpm, not npm."
HEAD = "<!-- AMPLIHACK STATE -->"
QUESTION = "Which database?"
ASKED: dict[str, object] = {
    "questions": [
        {
            "question": QUESTION,
            "header": "DB",
            "multiSelect": False,
            "options": [{"label": label, "description": "-"} for label in ("Postgres", "SQLite")],
        }
    ]
}
ASKING: list[Answer] = [Step(tools=[Tool("AskUserQuestion", ASKED)]), "B.", "C."]
# A line that stands in the input already is taken away by this.
EMPTY_LINE = Keys("\x15")


def play(client: Client, turns: Sequence[Turn]) -> Run:
    """Play turns in a terminal, then a compaction."""
    run = client.run([*turns, "/compact", "Go on."], interactive=True)
    assert run.exit_code == 0
    return run


def injected(run: Run) -> str:
    """Return the state that the last request has."""
    return run.main_requests[-1].text().rpartition(HEAD)[2]


def test_what_the_rewind_menu_summarised_outlives_the_next_compaction(
    new_client: NewClient, installed: Setup
) -> None:
    main: list[Answer] = ["A.", "B.", "C.", "D.", "E."]
    client = new_client(Script(main=main, summaries=["One.", "Two."]), setup=installed)
    up_to_here = [UP, UP, ENTER, DOWN, DOWN, ENTER]
    said = [f"{RULE} Build the importer.", LATER, "Never use tabs."]
    run = play(client, [*said, "/rewind", *up_to_here, EMPTY_LINE, "Go on."])
    assert [b["trigger"] for b in run.boundaries] == ["manual", "manual"]
    for rule in (RULE, LATER, "Never use tabs."):
        assert f'- "{rule}"' in injected(run)


def test_what_was_taken_back_to_the_first_prompt_is_not_said_again(
    new_client: NewClient, installed: Setup
) -> None:
    client = new_client(Script(main=["A.", "B.", "C.", "D."]), setup=installed)
    said = [f"{RULE} Build the importer.", LATER]
    again = "Build the exporter. Never use tabs."
    run = play(client, [*said, "/rewind", UP, UP, ENTER, ENTER, EMPTY_LINE, again])
    assert '- "Never use tabs."' in injected(run)
    for text in (RULE, LATER, "importer"):
        assert text not in injected(run)


def test_what_the_client_says_was_pasted_is_not_told_as_the_users_word(
    new_client: NewClient, installed: Setup
) -> None:
    client = new_client(Script(main=["A.", "B.", "C."]), setup=installed)
    review = "\r".join(f"Never use tabs in module {n}, and keep its tests short." for n in range(9))
    pasted = Keys(f"Fix what the review says. {LATER} \x1b[200~{review}\x1b[201~")
    run = play(client, ["Build the importer.", pasted, ENTER])
    assert '<pasted_content id=\\"' in run.transcript_path.read_text()
    assert f'"{LATER}"' in injected(run)
    assert '"Never use tabs' not in injected(run)


def test_chatting_about_a_question_is_nobodys_words(
    new_client: NewClient, installed: Setup
) -> None:
    client = new_client(Script(main=ASKING), setup=installed)
    run = play(client, ["Build the importer.", DOWN, DOWN, DOWN, ENTER])
    assert "The user wants to clarify these questions." in run.transcript_path.read_text()
    assert "Build the importer." in injected(run)
    assert "wants to clarify" not in injected(run)
    assert "(No answer provided)" not in injected(run)


@pytest.mark.parametrize(
    ("decision", "keys", "told"),
    [("ask", [DOWN, ENTER], f"- {QUESTION} -> SQLite"), ("allow", [], "Build the importer.")],
)
def test_an_answer_that_a_hook_puts_into_a_question_is_nobodys(
    new_client: NewClient, installed: Setup, decision: str, keys: list[Keys], told: str
) -> None:
    changed = {**ASKED, "answers": {QUESTION: LATER}, "annotations": {QUESTION: {"notes": LATER}}}
    says = {"permissionDecision": decision, "updatedInput": changed}
    answer = {"hookSpecificOutput": {"hookEventName": "PreToolUse", **says}}

    def beside_another(client: Client) -> None:
        assert callable(installed)
        installed(client)
        (client.project / "answer.json").write_text(json.dumps(answer))
        hook = {"type": "command", "command": f"cat {client.project}/answer.json"}
        groups = {"PreToolUse": [{"matcher": "AskUserQuestion", "hooks": [hook]}]}
        (client.project / ".claude" / "settings.json").write_text(json.dumps({"hooks": groups}))

    client = new_client(Script(main=ASKING), setup=beside_another)
    run = play(client, ["Build the importer.", *keys])
    assert LATER in run.transcript_path.read_text()
    assert told in injected(run)
    assert LATER not in injected(run)
