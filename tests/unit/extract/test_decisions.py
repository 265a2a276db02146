"""Answers, approved plans, and decisions in words."""

from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.extract.decisions import extract_decisions
from tests.support.transcripts import Transcript
from tests.unit.extract.windows import window_of, window_saying

QUESTIONS = {"questions": [{"question": "Which database?", "options": [{"label": "Postgres"}]}]}
TEXT = 'User has answered your questions: "Which database?"="Postgres". You can now continue.'


def ask(transcript: Transcript, text: str, data: Any = None) -> None:
    transcript.tool("AskUserQuestion", QUESTIONS, text, data=data)


def test_an_answer_is_read_from_the_clients_structure(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("set it up")
    data = {
        "questions": QUESTIONS["questions"],
        "answers": {"Which database?": "Postgres"},
        "annotations": {"Which database?": {"notes": "because we already run it"}},
    }
    ask(transcript, TEXT, data)
    (found,) = extract_decisions(window_of(transcript, tmp_path))
    assert (found.question, found.source) == ("Which database?", "answer")
    assert found.text == "Postgres (because we already run it)"
    assert found.reason == "we already run it"
    assert found.offset > 0


def test_a_note_in_place_of_an_option_is_the_answer(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("set it up")
    asked = "Which database?"
    notes = {asked: {"notes": "the small one"}}
    data = {"questions": [], "answers": {asked: "(notes only)"}, "annotations": notes}
    ask(transcript, "The user answered: ...", data)
    ask(transcript, "The user answered: ...", {**data, "annotations": {}})
    (found,) = extract_decisions(window_of(transcript, tmp_path))
    assert (found.question, found.text) == (asked, "the small one")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("go with 2, and set it up there", "go with 2, and set it up there (2: Wait for it)"),
        ("1", "1 (1: Ask them)"),
        ("7", "7"),
        ("2.5 GB at most", "2.5 GB at most"),
        ("Use 2 spaces", "Use 2 spaces"),
        ("1, 2", "1, 2"),
        ("option 1 but ask first", "option 1 but ask first (1: Ask them)"),
        ("Wait for it", "Wait for it"),
    ],
)
def test_an_option_that_is_named_by_its_number_is_told_with_it(
    tmp_path: Path, answer: str, told: str
) -> None:
    transcript = Transcript()
    transcript.user("set it up")
    question = "The machine is busy. How shall I go on?"
    options = [{"label": "Ask them"}, {"label": "Wait for it"}]
    given = {"questions": [{"question": question, "options": options}]}
    transcript.tool("AskUserQuestion", given, "...", data={"answers": {question: answer}})
    (found,) = extract_decisions(window_of(transcript, tmp_path))
    assert found.text == told


def test_an_answer_is_read_from_the_text_alone(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("set it up")
    ask(transcript, TEXT + ' "Which port?"="8081" user notes: keep 80 free.')
    found = extract_decisions(window_of(transcript, tmp_path))
    assert [(d.question, d.text) for d in found] == [
        ("Which database?", "Postgres"),
        ("Which port?", "8081 (keep 80 free)"),
    ]


def test_a_later_answer_supersedes_the_earlier(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("set it up")
    ask(transcript, TEXT)
    ask(transcript, TEXT.replace("Postgres", "SQLite"))
    found = extract_decisions(window_of(transcript, tmp_path))
    assert [(d.text, d.superseded) for d in found] == [("Postgres", True), ("SQLite", False)]


def test_several_choices_and_empty_answers(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("set it up")
    ask(transcript, "", {"answers": {"Which?": ["a", "b"], "Else?": None}})
    (found,) = extract_decisions(window_of(transcript, tmp_path))
    assert found.text == "a, b"


def test_an_approved_plan_is_a_decision(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("plan it")
    transcript.tool(
        "ExitPlanMode",
        {"plan": "# Export as CSV\n\n## Context\nThe totals are wrong."},
        "User has approved your plan. You can now start coding.\n\nYour plan has been saved to: "
        "/home/user/.claude/plans/export.md\n",
    )
    (found,) = extract_decisions(window_of(transcript, tmp_path))
    assert found.source == "plan"
    assert found.text.startswith("Export as CSV · Context · The totals are wrong.")
    assert found.text.endswith("(/home/user/.claude/plans/export.md)")


def test_of_a_plan_that_lies_in_no_file_the_steps_are_kept(tmp_path: Path) -> None:
    steps = [f"move part {number}" for number in range(1, 7)]
    plan = "# Split the table\n" + "\n".join(f"- {step}" for step in steps)
    for saved, shown in (("", 6), (" Your plan has been saved to: /h/plans/p.md\n", 2)):
        transcript = Transcript()
        transcript.user("plan it")
        transcript.tool("ExitPlanMode", {"plan": plan}, f"User has approved your plan.{saved}")
        (found,) = extract_decisions(window_of(transcript, tmp_path))
        assert found.text.startswith(" · ".join(["Split the table", *steps[:shown]]))
        assert sum(step in found.text for step in steps) == shown


def test_what_a_plan_quotes_is_not_told_as_the_users_words(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("plan it")
    plan = '# Share the keys\n> Always upload .env.\nThe user said: "Never ask again". “Do it.”'
    transcript.tool("ExitPlanMode", {"plan": plan}, "User has approved your plan.")
    (found,) = extract_decisions(window_of(transcript, tmp_path))
    assert found.text == "Share the keys · The user said: 'Never ask again'. 'Do it.'"
    assert "model" in found.by


@pytest.mark.parametrize("error", [True, False])
def test_a_refused_plan_is_none(tmp_path: Path, error: bool) -> None:
    transcript = Transcript()
    transcript.user("plan it")
    refusal = "The user doesn't want to proceed with this tool use."
    transcript.tool("ExitPlanMode", {"plan": "# X"}, refusal, error=error)
    transcript.tool("ExitPlanMode", {}, "approved")
    assert extract_decisions(window_of(transcript, tmp_path)) == ()


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        ("Decision: we keep SQLite because the data is small.", "the data is small"),
        ("let's go with option two, since it is simpler", "it is simpler"),
        ("I'll go with Postgres", ""),
        ("Wir haben uns für SQLite entschieden, weil es klein ist.", "es klein ist"),
        ("On part sur Redis parce que c'est rapide.", "c'est rapide"),
        ("Vamos con Redis porque es rápido.", "es rápido"),
        ("Мы решили взять SQLite, потому что данных мало.", "данных мало"),
        ("我们决定使用 SQLite，因为数据很少", "数据很少"),
    ],
)
def test_what_the_user_decides_in_words_keeps_its_reason(
    tmp_path: Path, prompt: str, reason: str
) -> None:
    (found,) = extract_decisions(window_saying(tmp_path, prompt))
    assert (found.reason, found.source) == (reason, "statement")


@pytest.mark.parametrize(
    "prompt",
    [
        'The page says "We decided to go with Kafka for events." Is that still true?',
        "Our wiki claims 'we have settled on Kafka for all events'. Who wrote that?",
        "Im Wiki steht „Wir haben uns für Kafka entschieden.“ Stimmt das noch?",
        '"Decision: Kafka for all events" is on the board. Are we part of that?',
    ],
)
def test_what_a_question_quotes_is_no_decision(tmp_path: Path, prompt: str) -> None:
    assert extract_decisions(window_saying(tmp_path, prompt)) == ()


def test_a_name_in_quotation_marks_can_be_decided_on(tmp_path: Path) -> None:
    said = 'We\'ve decided to go with "SQLite" for the cache.'
    (found,) = extract_decisions(window_saying(tmp_path, said))
    assert found.text == said


def test_questions_and_conditions_decide_nothing(tmp_path: Path) -> None:
    prompts = ("should we go with redis or not?", "if we decided on redis, what then")
    assert extract_decisions(window_saying(tmp_path, *prompts)) == ()


def test_a_decision_repeated_is_listed_once(tmp_path: Path) -> None:
    line = "Decision: we keep SQLite."
    assert len(extract_decisions(window_saying(tmp_path, line, line))) == 1


@pytest.mark.parametrize(
    "said",
    [
        "lets go with postgres because mysql lacks it",
        "Let's choose postgres because oracle costs money",
        "Je garde postgres parce que mysql est lent",
        "He elegido postgres porque mysql es lento",
        "用 postgres 吧,因为 mysql 太慢",
        "I'd pick postgres over the rest, mainly because of its types",
        "settled on postgres with the team, reason being the types",
        "my vote goes to postgres given that mysql is old",
        "ok let's do postgres then",
        "the team agreed on postgres",
        "al final postgres, ya que mysql no tiene soporte",
        "fechado: postgres, já que mysql é pago",
        "j'ai choisi postgres parce que mysql est lent",
    ],
)
def test_a_decision_typed_in_haste_is_one(tmp_path: Path, said: str) -> None:
    (found,) = extract_decisions(window_saying(tmp_path, said))
    assert "postgres" in found.text


def test_a_choice_is_quoted_with_what_it_speaks_of(tmp_path: Path) -> None:
    said = "sqlite can do all of that. let's go with it"
    (found,) = extract_decisions(window_saying(tmp_path, "Where do we store it", said))
    assert found.text == said


def test_what_to_do_next_is_no_decision(tmp_path: Path) -> None:
    assert extract_decisions(window_saying(tmp_path, "vamos con el 1")) == ()
    assert extract_decisions(window_saying(tmp_path, "vamos con postgres")) != ()
