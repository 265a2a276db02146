"""What was learned and what was finished."""

import pytest

from amplihack_compaction.extract.notes import extract_learnings, extract_progress
from amplihack_compaction.extract.window_content import WindowContent
from tests.unit.conftest import Read, started


def learned(window: WindowContent) -> list[str]:
    return [item.text for item in extract_learnings(window)]


def finished(window: WindowContent) -> list[str]:
    return [item.text for item in extract_progress(window)]


def test_the_models_sentences_are_kept_in_its_words(read: Read) -> None:
    transcript = started("Why does it hang?")
    transcript.assistant("I read the code.\n**Root cause:** the socket is closed twice\nMoving on.")
    assert learned(read(transcript)) == ["**Root cause:** the socket is closed twice"]


def test_a_way_that_the_model_says_it_goes_is_kept(read: Read) -> None:
    transcript = started("Build the login.")
    transcript.assistant("I'll go with JWT, since it needs no store. I'll add the route next.")
    assert learned(read(transcript)) == ["I'll go with JWT, since it needs no store."]


@pytest.mark.parametrize(
    "sentence",
    [
        "Let me find the root cause of this first, it is unclear.",
        "Now update the parser for the new shape.",
        "Still compiling the parser with all its features.",
        "Is the root cause in the parser?",
        "Want me to fix the parser and the lexer too?",
        "Note: yes",
        "Here is what I found in it:",
        "```\n# Note: this is a comment in code\n```",
        "> Note: this was quoted from elsewhere",
        "|---|---|",
    ],
)
def test_questions_announcements_and_code_are_no_learnings(read: Read, sentence: str) -> None:
    transcript = started()
    transcript.assistant(sentence)
    assert learned(read(transcript)) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "`draw_page` leaves two things out:\n\n---\n- the footer of every page\n- the date",
            "`draw_page` leaves two things out: the footer of every page",
        ),
        (
            "See how `draw_page` ends:\n```\nreturn 0\n```\nIt never draws the footer.",
            "See how `draw_page` ends: It never draws the footer.",
        ),
        ("Two things are left out:\n- the footer of every page", "the footer of every page"),
        ("Let me see `draw_page` first:\n- the footer of every page", "the footer of every page"),
        ("`draw_page` leaves two things out:", ""),
    ],
)
def test_what_leads_on_from_code_stands_before_what_it_leads_to(
    read: Read, text: str, kept: str
) -> None:
    transcript = started()
    transcript.assistant(text)
    assert learned(read(transcript)) == ([kept] if kept else [])


def test_what_the_model_names_again_later_is_needed_most(read: Read) -> None:
    transcript = started()
    transcript.assistant("The pager drops rows in page_rows when empty.")
    transcript.assistant("The header is drawn by draw_header before that.")
    transcript.assistant("Only page_rows is wrong here.")
    weights = {item.text[:9]: item.weight for item in extract_learnings(read(transcript))}
    assert weights["The pager"] > weights["The heade"]


def test_what_was_said_between_uses_of_tools_is_past_once_the_turn_is_over(read: Read) -> None:
    transcript = started()
    transcript.assistant("The header is drawn twice by draw_header.")
    transcript.tool("Bash", {"command": "ls"}, "a.py")
    assert learned(read(transcript)) == ["The header is drawn twice by draw_header."]
    transcript.assistant("It is drawn once now, by draw_page.")
    transcript.user("And the footer?")
    assert learned(read(transcript)) == ["It is drawn once now, by draw_page."]


def test_what_says_again_what_is_told_makes_room_for_something_else(read: Read) -> None:
    transcript = started()
    for number in range(30):
        transcript.assistant(f"`page_rows` drops the last row {number} of a page when it is full.")
    transcript.assistant("Nobody renews the licence of the scanner.")
    texts = learned(read(transcript))
    assert len(texts) == 20
    assert "Nobody renews the licence of the scanner." in texts


def test_a_row_of_a_table_is_told_by_its_cells(read: Read) -> None:
    transcript = started()
    transcript.assistant("| Task | State |\n|---|---|\n| Test in Premiere Pro | ❌ Not done |")
    assert learned(read(transcript)) == ["Test in Premiere Pro · ❌ Not done"]


def test_of_many_sentences_the_twenty_most_needed_stay_in_order(read: Read) -> None:
    transcript = started()
    for number in range(25):
        transcript.assistant(f"The parser takes case {number} as special.")
    texts = learned(read(transcript))
    assert texts == [f"The parser takes case {number} as special." for number in range(5, 25)]


def test_a_learning_is_cut_at_two_hundred_characters(read: Read) -> None:
    transcript = started()
    transcript.assistant("It turns out that " + "very " * 60 + "much.")
    (item,) = extract_learnings(read(transcript))
    assert len(item.text) <= 200
    assert item.offset > 0


def test_finished_actions_are_told_in_order(read: Read) -> None:
    transcript = started()
    transcript.tool("Bash", {"command": "git commit -am x"}, "[main 1a2b3c4] Add parser")
    transcript.tool("Bash", {"command": "git push"}, "main -> main")
    transcript.tool("Bash", {"command": "git push"}, "fatal: denied", error=True)
    url = "https://github.com/a/b/pull/7"
    transcript.tool("Bash", {"command": "gh pr create --fill"}, url)
    transcript.tool("mcp__github__merge_pull_request", {"title": "Parser"}, f"merged {url}")
    transcript.tool("mcp__github__create_issue", {"title": "x"}, "failed", error=True)
    transcript.tool("mcp__github__get_issue", {"title": "x"}, "ok")
    transcript.tool("mcp__Browser__tabs_close", {"tabId": 7}, "closed")
    transcript.assistant(tools=[{"id": "t", "name": "Bash", "input": {"command": "git push"}}])
    assert finished(read(transcript)) == [
        "commit 1a2b3c4 on main: Add parser",
        "pushed: git push",
        f"{url}: gh pr create --fill",
        f"{url}: github merge_pull_request: Parser",
    ]


def test_what_was_amended_or_rebased_is_told_without_the_id_it_had(read: Read) -> None:
    transcript = started()
    for message, told in (("-am x", "[main 1a2b3c4] Add it"), ("--amend", "[main 2b3c4d5] Add it")):
        transcript.tool("Bash", {"command": f"git commit {message}"}, told)
    assert finished(read(transcript)) == ["commit 2b3c4d5 on main: Add it"]
    rebased = "Rebasing (1/1)Successfully rebased and updated refs/heads/main."
    transcript.tool("Bash", {"command": "git pull --rebase && git push"}, rebased)
    transcript.tool("Bash", {"command": "git commit -am y"}, "[main 3c4d5e6] Mend it")
    assert finished(read(transcript)) == [
        "commit on main: Add it",
        "pushed: git push",
        "commit 3c4d5e6 on main: Mend it",
    ]
    told = "Rebase aplicado satisfactoriamente y actualizado refs/heads/main."
    transcript.tool("Bash", {"command": "git stash && git rebase origin/main"}, told)
    assert finished(read(transcript))[-1] == "commit on main: Mend it"


def test_what_the_model_only_calls_done_is_no_finished_step(read: Read) -> None:
    transcript = started("I've implemented the parser myself already.")
    transcript.assistant("Fixed the off-by-one error in the window.")
    assert finished(read(transcript)) == []


def test_of_finished_actions_the_newest_stay(read: Read) -> None:
    transcript = started()
    for number in range(30):
        transcript.tool("Bash", {"command": f"git push origin b{number}"}, "ok")
    texts = finished(read(transcript))
    assert len(texts) == 20
    assert texts[0] == "pushed: git push origin b10"


@pytest.mark.parametrize(
    ("end", "kept"), [("Which do you prefer?", False), ("Both are in now.", True)]
)
def test_what_is_offered_to_choose_from_is_nothing_found(read: Read, end: str, kept: bool) -> None:
    transcript = started()
    text = f"Two ways:\n1. Cache the `parse` result for 5 minutes\n2. Call `parse` once\n\n{end}"
    transcript.assistant(text)
    assert ("Cache the `parse` result for 5 minutes" in learned(read(transcript))) is kept


@pytest.mark.parametrize(("said", "kept"), [("B, C costs too much", False), ("Go on.", True)])
def test_what_the_next_prompt_chose_among_is_nothing_found(
    read: Read, said: str, kept: bool
) -> None:
    transcript = started()
    offered = (
        "Drei Wege für die Labels von `events_total`:\n\nA: nur der Anbieter des Dienstes\n"
        "B: der Anbieter und das Ergebnis\nC: dazu noch die Nummer des Kunden\n\n"
        "Mit B kann man auf Fehler alarmieren. Was nehmen wir?"
    )
    transcript.assistant(offered)
    transcript.user(said)
    told = " ".join(learned(read(transcript)))
    assert ("nur der Anbieter" in told) is kept
    assert "Mit B kann man" in told
    assert ("Drei Wege" in told) is kept
