"""What may be a rule or a choice is quoted, though nothing in its wording tells which."""

from pathlib import Path

import pytest

from amplihack_compaction.extract.decisions import (
    LIKELY,
    REMARKS_LIMIT,
    extract_decisions,
    extract_remarks,
    weight_of,
    weight_of_remark,
)
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.injection.lines import SHOWN_FROM
from amplihack_compaction.injection.render import make_sections, render_state
from amplihack_compaction.ledger.merge import merge_window
from tests.support.transcripts import Transcript
from tests.unit.extract.windows import window_of, window_saying


def remarks(window: WindowContent) -> list[str]:
    return [remark.text for remark in extract_remarks(window, extract_decisions(window))]


def merged(*windows: WindowContent) -> SessionState:
    state = SessionState()
    for window in windows:
        state = merge_window(state, extract_window(window.window))
    return state


@pytest.mark.parametrize(
    "said",
    [
        "our lawyers warned about gpl code near billing",
        "a change in billing is not done until the docs say so too",
        "billing is for humans only, you can read it",
        "we'll do it the redis way because mongo confused everybody",
        "the certs don't get copied anywhere",
        "la tabla de pagos ni tocarla, que es de otro equipo",
        "ce sera redis, mongo coûte trop cher",
        "代码里先别出现 billing 这个词",
    ],
)
def test_what_denies_demands_or_chooses_is_a_remark(tmp_path: Path, said: str) -> None:
    window = window_saying(tmp_path, "Build the login page.", said)
    assert (
        remarks(window) == [said]
        or extract_window(window.window).rules
        or extract_decisions(window)
    )
    assert weight_of(said) > 0


def test_a_question_may_ask_for_what_is_to_be_kept(tmp_path: Path) -> None:
    said = "Could every new endpoint please get its own entry in the changelog from now on?"
    window = window_saying(tmp_path, said)
    assert said in remarks(window) or extract_window(window.window).rules
    assert weight_of("Does every new endpoint get its own entry in the changelog?") == 0


@pytest.mark.parametrize("said", ["wait, please make it blue", "wait, what is that?", "sorry"])
def test_who_only_asks_after_a_sorry_puts_nothing_right(said: str) -> None:
    assert weight_of(said) < LIKELY


@pytest.mark.parametrize(
    "said",
    [
        "fix the typo in the header",
        "the tests fail on my machine",
        "why is this not cached?",
        "thanks",
        "add more tests please, all of them",
        "somebody commented “we always deploy billing on mondays”, who was that",
        "each word " * 40,
    ],
)
def test_work_trouble_questions_and_quotations_are_none(tmp_path: Path, said: str) -> None:
    assert all(weight_of(text) < LIKELY for text in remarks(window_saying(tmp_path, said)))


def test_what_is_understood_is_no_remark(tmp_path: Path) -> None:
    window = window_saying(
        tmp_path, "Never push to main.", "Let's go with redis because it is small.",
        "You may push to main again.",
    )  # fmt: skip
    assert merged(window).remarks == ()


@pytest.mark.parametrize(
    "said",
    [
        "you don't need to run the full test suite each time, only the package you touched",
        "you may delete files that you made yourself in this session without asking",
    ],
)
def test_a_leave_that_meets_no_rule_is_quoted(tmp_path: Path, said: str) -> None:
    state = merged(window_saying(tmp_path, "Never push to main.", said))
    assert f'"{said}"' in render_state(state).text
    assert [rule.questioned_by for rule in state.rules] == [""]


def test_of_too_many_remarks_the_newest_are_kept(tmp_path: Path) -> None:
    said = [f"our lawyers say no to library {n}" for n in range(REMARKS_LIMIT + 5)]
    window = window_saying(tmp_path, *said)
    assert remarks(window) == said[5:]
    assert len(merged(window).remarks) == REMARKS_LIMIT


def test_a_correction_is_kept_though_it_names_only_the_value(tmp_path: Path) -> None:
    said = "ой не 30 а 60"
    assert said in remarks(window_saying(tmp_path, "таймаут 30 секунд и npm", said))


def test_a_remark_that_is_taken_back_is_no_longer_shown(tmp_path: Path) -> None:
    remark = "our accountants want the mirror kept in the vault"
    lift = "forget what I said about the mirror"
    said = merged(window_saying(tmp_path / "said", "Build the shop.", remark))
    assert [item.text for item in said.remarks] == [remark]
    window = window_saying(tmp_path / "lifted", "Build the shop.", remark, lift)
    for state in (merged(window), merged(window, window)):
        assert remark not in [item.text for item in state.remarks]


@pytest.mark.parametrize(
    "said",
    [
        "Take redis. I don't like cron jobs for that.",
        "kafka then. I tried nats at home and it ate my weekend",
    ],
)
def test_a_short_choice_is_quoted_with_the_sentence_that_says_why(
    tmp_path: Path, said: str
) -> None:
    assert said in remarks(window_saying(tmp_path, "Build the shop.", said))


def test_work_is_not_quoted_with_the_rule_behind_it(tmp_path: Path) -> None:
    window = window_saying(tmp_path, "Fix the login. Never touch the schema.")
    assert remarks(window) == []


def test_a_remark_inside_the_objective_is_said_once(tmp_path: Path) -> None:
    told = "our lawyers warned about gpl code near ours"
    said = f"Please add a new importer for the partner feeds. {told}"
    shown = render_state(merged(window_saying(tmp_path, said))).text
    assert f'- Current: "{said}"' in shown
    assert shown.count(told) == 1


def test_a_remark_is_quoted_with_what_it_speaks_of(tmp_path: Path) -> None:
    said = "the importer runs at the bank. our lawyers warned about gpl code near it"
    state = merged(window_saying(tmp_path, "Build the shop.", said, "Now translate the footer."))
    assert said in [remark.text for remark in state.remarks]
    assert f'- "{said}"' in render_state(state).text


def test_a_remark_that_is_all_of_the_objective_stays_when_that_is_over(tmp_path: Path) -> None:
    said = (
        "Please add a new importer for the partner feeds. our lawyers warned about gpl code near it"
    )
    state = merged(window_saying(tmp_path, said))
    assert [remark.text for remark in state.remarks] == [said]
    state = merged(window_saying(tmp_path, said, "Now let us build the exporter."))
    assert f'- "{said}"' in render_state(state).text


def test_taking_that_back_means_a_rule_and_no_remark(tmp_path: Path) -> None:
    said = (
        "Build the shop.", "our lawyers warned about gpl code near billing", "Never push to main.",
        "Forget that.",
    )  # fmt: skip
    state = merged(window_saying(tmp_path, *said))
    assert [remark.text for remark in state.remarks] == [said[1]]
    assert not state.active_rules


def test_a_rule_in_question_is_shown_with_what_was_said_later(tmp_path: Path) -> None:
    rule, later = "Never touch the billing tables.", "the billing freeze ended yesterday"
    state = merged(window_saying(tmp_path, rule, "Build the shop.", later))
    shown = render_state(state).text
    assert f'## Rules that may have changed\n- "{rule}" - later: "{later}"' in shown
    assert "Standing rules" not in shown
    assert [found.text for found in state.active_rules] == [rule]


def test_a_fact_is_not_put_in_question(tmp_path: Path) -> None:
    fact, later = "staging listens on 8443 these days", "legal signed off on staging, log away"
    shown = render_state(merged(window_saying(tmp_path, "Build the shop.", fact, later))).text
    assert f'"{fact}" - later' not in shown
    assert later in shown


def test_a_short_end_stays_with_what_it_ends(tmp_path: Path) -> None:
    said = "I talked to infra. kafka is off the table, too expensive. sqs then"
    window = window_saying(tmp_path, "Build it.", said, f"{said.removesuffix('sqs then')}thanks")
    assert remarks(window) == [said, said.removesuffix(" sqs then")]


def test_of_several_remarks_in_one_breath_only_the_one_meant_is_lifted(tmp_path: Path) -> None:
    said = "our lawyers warned about gpl code near billing. the certs don't get copied anywhere."
    state = merged(
        window_saying(tmp_path, "Build the shop.", said, "Forget what I said about the certs.")
    )
    assert [remark.text for remark in state.remarks] == [said.partition(" the certs")[0]]


def test_what_lifts_a_rule_lifts_no_remark_beside_it(tmp_path: Path) -> None:
    remark = "our accountants want the mirror kept in the vault"
    state = merged(
        window_saying(
            tmp_path, "Never touch the billing tables.", "Build the shop.", remark,
            "You may touch the billing tables again.",
        )
    )  # fmt: skip
    assert not state.active_rules
    assert [item.text for item in state.remarks] == [remark]


def test_whether_an_endless_sentence_asks_is_told_by_its_ends(tmp_path: Path) -> None:
    assert remarks(window_saying(tmp_path, "please look at this: " + "?" * 10_000 + "a")) == []


def test_a_rule_that_is_only_mentioned_stands_with_the_mention_beside_it(tmp_path: Path) -> None:
    rule, later = "Never touch the billing tables.", "the billing tables have 40 columns now"
    shown = render_state(merged(window_saying(tmp_path, rule, "Build the shop.", later))).text
    assert f'## Standing rules (the user\'s words)\n- "{rule}" - later: "{later}"' in shown


def test_what_a_lifted_rule_quotes_is_no_remark(tmp_path: Path) -> None:
    rule = "The schema is generated. Never edit it."
    window = window_saying(tmp_path, "Build the shop.", rule, "You may edit the schema now.")
    shown = render_state(merged(window)).text
    assert "Also said" not in shown
    assert f'- lifted: "{rule}"' in shown


@pytest.mark.parametrize("rule", ["schema 是生成的。不要改它。", "规范在这里。不要改它。"])
def test_a_rule_of_two_sentences_without_a_space_is_said_once(tmp_path: Path, rule: str) -> None:
    shown = render_state(merged(window_saying(tmp_path, "Build the shop.", rule))).text
    assert f'- "{rule}"' in shown
    assert "Also said" not in shown


def test_what_a_remark_speaks_of_leaves_room_for_the_remark(tmp_path: Path) -> None:
    topic = "the importer, which we wrote for the first bank" + " that asked for one" * 12 + "."
    said = "our lawyers warned about gpl code near it"
    window = window_saying(tmp_path, "Build it.", f"{topic} {said}", "Now translate the footer.")
    assert f'that asked for one. {said}"' in render_state(merged(window)).text


def test_what_the_model_only_took_note_of_holds_whatever_its_wording(tmp_path: Path) -> None:
    said = "the exporter likes tabs, the importer two spaces"
    window = window_saying(tmp_path, "Build the shop.", said, "thanks, looks good", "go on then")
    (remark,) = (one for one in extract_remarks(window, ()) if one.text == said)
    assert remark.noted
    assert weight_of_remark(remark) >= LIKELY
    assert said in render_state(merged(window)).text
    noted = [one.text for one in extract_remarks(window, ()) if one.noted]
    assert "Build the shop." not in noted
    assert "thanks, looks good" not in noted


def test_what_was_done_is_not_taken_for_noted(tmp_path: Path) -> None:
    said = "the exporter likes tabs, the importer two spaces"
    transcript = Transcript()
    transcript.user(said)
    transcript.tool("Bash", {"command": "ls"}, "a.py")
    transcript.assistant("Done.")
    window = window_of(transcript, tmp_path)
    assert not any(remark.noted for remark in extract_remarks(window, ()))


def also_said(state: SessionState) -> list[str]:
    """Return the injected lines of remarks."""
    sections = (s for s in make_sections(state) if s.title.startswith("Also said"))
    return [line.text for s in sections for line in s.lines if line.need >= SHOWN_FROM]


def test_remarks_are_shown_in_their_own_words_the_newest_first(tmp_path: Path) -> None:
    said = ("la page de garde en bleu, le client aime", "der importer kommt besser ohne tabs aus")
    for first, last in (said, said[::-1]):
        window = window_saying(tmp_path / last, "arruma a tela", first, last, "arruma o menu")
        state = merged(window)
        assert also_said(state) == [f'- "{last}"', f'- "{first}"']


def test_what_another_line_quotes_is_said_there_alone(tmp_path: Path) -> None:
    value = "the mirror listens on 9443, ops like it there"
    rule = "our lawyers warned about gpl code near billing"
    state = merged(window_saying(tmp_path, "Build the shop.", value, rule, "Go on."))
    assert [remark.text for remark in state.remarks] == [value, rule]
    assert also_said(state) == [f'- "{rule}"']
    assert render_state(state).text.count("9443") == 1


def test_what_may_be_a_rule_is_more_than_the_value_in_it(tmp_path: Path) -> None:
    said = "9443 stays with the mirror, ops like it there"
    state = merged(window_saying(tmp_path, "Build the shop.", said, "Go on."))
    assert also_said(state) == [f'- "{said}"']


def test_a_sentence_of_a_long_prompt_is_no_remark_of_its_own(tmp_path: Path) -> None:
    rule = "our lawyers warned about gpl code near billing"
    long = " ".join((rule, *(f"The page number {n} of the shop is empty." for n in range(12))))
    state = merged(window_saying(tmp_path, "Build the shop.", long, "Go on."))
    assert any(rule in remark.text for remark in state.remarks)
    assert also_said(state) == []


def test_what_only_sets_work_is_no_remark(tmp_path: Path) -> None:
    work, told = "We ship the app to both stores this week.", "our lawyers warned about gpl code"
    state = merged(window_saying(tmp_path, work, told, "Fix the crash in the map on iPad."))
    assert also_said(state) == [f'- "{told}"']
