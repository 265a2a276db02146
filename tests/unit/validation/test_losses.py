import json
from dataclasses import replace

import pytest

from amplihack_compaction.clients.speakers import summary_part
from amplihack_compaction.extract.statements import (
    Decision,
    ExactValue,
    PromptRecord,
    Rule,
    RuleKind,
    SessionState,
    Todo,
    ValueKind,
    VerifyCommand,
)
from amplihack_compaction.injection.render import render_state
from amplihack_compaction.validation.losses import (
    INJECTED,
    LEFT_OUT,
    LossReport,
    fate_of,
    report_losses,
    report_to_json,
)
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import Label
from tests.support.states import full_state

NOTHING = "The conversation was about several things."


def names(report: LossReport) -> list[tuple[str, str]]:
    return [(fate.kind, fate.text) for fate in report.lost]


def test_a_complete_injection_leaves_nothing_lost() -> None:
    state = full_state()
    assert report_losses(state, render_state(state).text).lost == ()


def test_a_summary_that_says_nothing_loses_all_that_mattered() -> None:
    report = report_losses(full_state(), NOTHING)
    assert names(report) == [
        ("rule", "Never push to main."),
        ("rule", "Use pnpm, not npm."),
        ("objective", "Add rate limiting"),
        ("todo", "Write the docs"),
        ("todo", "Run it"),
        ("verify", "pytest -q"),
        ("verify", "ruff check"),
        ("decision", "Which database? Postgres"),
        ("value", "8443"),
    ]


def test_a_value_that_was_told_beside_what_was_replaced_is_lost_where_nothing_tells_it() -> None:
    urls = ("amqp://north.example.com:5672", "amqp://south.example.com:5673")
    old = f"The broker of contract TR-208-4 is at {urls[0]}."
    new = f"Change of plan: the broker is at {urls[1]} now."
    state = SessionState(
        prompts=(PromptRecord(text=old, offset=1), PromptRecord(text=new, offset=2)),
        values=(
            ExactValue(text=urls[0], kind=ValueKind.URL, context=old, offset=1),
            ExactValue(text="TR-208-4", kind=ValueKind.IDENTIFIER, context=old, offset=1),
            ExactValue(text=urls[1], kind=ValueKind.URL, context=new, offset=2),
        ),
    )
    report = report_losses(state, NOTHING, {"injected": f'- "{new}"'}, state)
    assert [fate.text for fate in report.lost] == [urls[1], "TR-208-4"]
    assert [fate.text for fate in report.missing] == ["TR-208-4"]


def test_a_rule_that_may_have_been_meant_once_is_lost_only_where_it_is_changed() -> None:
    state = SessionState(rules=(Rule(text="Set the timeout to 45 seconds."),))
    assert report_losses(state, NOTHING).items == ()
    (fate,) = report_losses(state, "Set the timeout to 90 seconds.").items
    assert fate.is_lost


def test_what_the_injection_left_out_as_seldom_needed_is_lost_and_not_missing() -> None:
    report = report_losses(full_state(), NOTHING, {LEFT_OUT: "- Which database? -> Postgres"})
    assert ("decision", "Which database? Postgres") in names(report)
    assert "decision" not in {fate.kind for fate in report.missing}
    assert "1 seldom needed" in report.in_short


def test_a_rule_that_is_injected_as_one_perhaps_meant_once_is_there_as_it_was_said() -> None:
    rule = Rule(text="rebase to main before we start")
    injected = TextIndex(render_state(SessionState(rules=(rule,))).text)
    assert fate_of("rule", rule.text, injected).label is Label.KEPT


def test_of_a_line_of_checks_one_leads_to_the_others() -> None:
    state = SessionState(verify=(VerifyCommand(text="just lint && just test"),))
    (fate,) = report_losses(state, "Ran `just lint`.").items
    assert (fate.label, fate.is_lost) == (Label.PARTLY, False)


def test_lifted_finished_and_parked_items_are_no_loss() -> None:
    texts = {fate.text for fate in report_losses(full_state(), NOTHING).items}
    assert texts.isdisjoint({"Use tabs.", "Draw the form", "Port to Windows", "Old thing"})


def test_a_rule_turned_round_or_halved_is_lost_and_a_todo_in_part_is_not() -> None:
    state = SessionState(
        rules=(Rule(text="Never push to main."), Rule(text="Set the timeout to 45 seconds.")),
        todos=(Todo(text="Raise the timeout of the upload client in net/pool.py"),),
    )
    text = "Push to main.\nSet the timeout to 90 seconds.\nTimeout of the upload client: raise it"
    report = report_losses(state, text)
    assert [fate.label for fate in report.items] == [Label.NEGATED, Label.PARTLY, Label.PARTLY]
    assert [kind for kind, _ in names(report)] == ["rule", "rule"]
    assert report.lost[1].missing == ("45",)


def test_surviving_todos_carry_the_objective() -> None:
    report = report_losses(full_state(), "Still to do: write the docs.")
    assert "objective" not in {fate.kind for fate in report.lost}
    assert next(f for f in report.items if f.kind == "objective").label is Label.REWORDED


def test_an_objective_that_is_there_is_not_called_carried() -> None:
    report = report_losses(full_state(), "Write the docs. The objective is: add rate limiting.")
    evidence = next(f for f in report.items if f.kind == "objective").evidence
    assert "rate limiting" in evidence


def test_only_the_newest_command_of_a_kind_counts() -> None:
    state = SessionState(verify=(VerifyCommand(text="make old"), VerifyCommand(text="make new")))
    assert names(report_losses(state, NOTHING)) == [("verify", "make new")]


def test_the_same_words_are_looked_for_once() -> None:
    value = ExactValue(text="8443", kind=ValueKind.PORT)
    state = SessionState(values=(value, replace(value, uuid="x")), rules=(Rule(text="  "),))
    assert len(report_losses(state, NOTHING).items) == 1


@pytest.mark.parametrize(
    ("text", "kind", "context"),
    [
        ("4bd1b696.js", ValueKind.PATH, "s5 @ 4bd1b696.js?dpl=dpl_4YsEF:1 nS @ x.js:1"),
        ("8080", ValueKind.PORT, "the request to port 8080 failed"),
        ("v2", ValueKind.QUOTED, "could you rename `v2` in the form?"),
        ("8443", ValueKind.PORT, "use port 8443 for the gateway"),
    ],
)
def test_what_nobody_told_or_a_rule_says_already_is_no_value_that_is_lost(
    text: str, kind: ValueKind, context: str
) -> None:
    rule = Rule(text="Always use port 8443 for the gateway.")
    values = (ExactValue(text=text, kind=kind, context=context),)
    report = report_losses(SessionState(values=values, rules=(rule,)), NOTHING)
    assert [fate.kind for fate in report.lost] == ["rule"]


def test_a_decision_of_several_words_stands_for_itself() -> None:
    decision = Decision(text="Use a queue for mails", question="How?")
    assert report_losses(SessionState(decisions=(decision,)), "Mails: a queue is used").lost == ()


def test_a_consent_without_a_word_of_its_own_stands_for_its_question() -> None:
    consent = Decision(text="yes, that's what I mean.", question="Keep mails in a queue?")
    (fate,) = report_losses(SessionState(decisions=(consent,)), "Mails: kept in a queue").items
    assert (fate.text, fate.is_lost) == (f"{consent.question} {consent.text}", False)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("hold on, I'll get you the log of the server", RuleKind.CORRECTION),
        (
            "can you list what the two exports do? Keep in mind that the first has no header",
            RuleKind.OBLIGATION,
        ),
    ],
)
def test_what_is_said_on_the_work_at_hand_is_no_rule_that_is_lost(
    text: str, kind: RuleKind
) -> None:
    assert report_losses(SessionState(rules=(Rule(text=text, kind=kind),)), NOTHING).items == ()


def test_an_option_of_a_table_is_looked_for_by_its_name() -> None:
    text = 'Mail queue (Recommended) · Keeps what was sent, needs a worker… (said: "B, please")'
    state = SessionState(decisions=(Decision(text=text, question="Which one?"),))
    (fate,) = report_losses(state, "Mails go through a mail queue.").items
    assert (fate.text, fate.is_lost) == ('Mail queue (said: "B, please")', False)


def test_an_indexed_text_can_be_used_again() -> None:
    text = TextIndex(render_state(full_state()).text)
    assert report_losses(full_state(), text) == report_losses(full_state(), text)


def test_a_report_is_told_as_json() -> None:
    report = report_losses(full_state(), "Push to main. Use pnpm.")
    stored = json.loads(json.dumps(report_to_json(report)))
    assert [item["lost"] for item in stored["items"]] == [fate.is_lost for fate in report.items]
    assert stored["counts"]["dropped"] == report.counts["dropped"] > 0


@pytest.mark.parametrize(
    ("raw", "part"),
    [
        ("<analysis>secret</analysis>\n<summary>\nGo on\n</summary>", "Go on"),
        ("<analysis>a <summary> of it</analysis><summary>Go on</summary>", "Go on"),
        ("<summary>Go on", "Go on"),
        ("<summary>quote </summary> end</summary> tail", "quote </summary> end"),
        ("Go on", "Go on"),
        ("Go on <analysis>torn", "Go on"),
        ("Keep our `<summary>` tag.\nGo on", "Keep our `<summary>` tag.\nGo on"),
        ("", ""),
    ],
)
def test_the_model_goes_on_with_the_summary_and_never_its_analysis(raw: str, part: str) -> None:
    assert summary_part(raw) == part


RULE = Rule(text="No instales nada con pip, aquí se usa uv.", kind=RuleKind.PROHIBITION)
ENGLISH = "The user wants the reports moved to another engine, and the assistant has done so."


def test_of_what_cannot_be_told_by_the_summary_another_text_may_have_it() -> None:
    (fate,) = report_losses(
        SessionState(rules=(RULE,)), ENGLISH, {INJECTED: f'The rules:\n- "{RULE.text}"'}
    ).items
    assert (fate.label, fate.beside) == (Label.UNKNOWN, INJECTED)


def test_what_cannot_be_told_of_another_text_is_not_given_there() -> None:
    summary = "Resumen: los informes ya se hacen con otro motor, y las plantillas también."
    (fate,) = report_losses(SessionState(rules=(RULE,)), summary, {INJECTED: ENGLISH}).items
    assert (fate.label, fate.beside) == (Label.DROPPED, "")


def test_a_sentence_of_two_languages_that_a_text_has_nothing_of_is_lost() -> None:
    text = "And don't touch anything in legacy/, das ist eingefroren bis zum Audit."
    assert fate_of("rule", text, TextIndex(f"{ENGLISH} Nothing else is known.")).is_lost
