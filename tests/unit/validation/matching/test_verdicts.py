import os
import subprocess
import sys

import pytest

from amplihack_compaction.validation.matching import item_match
from amplihack_compaction.validation.matching.item_match import match
from amplihack_compaction.validation.matching.sought_item import (
    JUDGED_UNITS_LIMIT,
    candidates,
    prepare_item,
)
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import (
    LABELS,
    LOST_LABELS,
    Label,
    Weights,
    decide,
    weights,
)

AROUND = "The parser was read.\n{}\nThe next page is about the menu."


def label_of(item: str, text: str, kind: str = "rule") -> Label:
    return match(item, TextIndex(AROUND.format(text)), kind).label


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("Answer me in Italian.", "Replies have to be in Italian."),
        ("don't make a mess of the logs", "The logs must be kept free of a mess."),
        ("use the shared client", "The shared client has to be used for everything."),
    ],
)
def test_a_rule_in_other_words_is_kept(item: str, text: str) -> None:
    assert label_of(item, text) is Label.REWORDED


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("Never upload the archive.", "The archive may be uploaded."),
        ("Ask me before you upload the archive.", "The archive is uploaded without asking."),
        ("Every page needs a footer.", "Pages do not need a footer."),
    ],
)
def test_a_rule_turned_round_is_negated(item: str, text: str) -> None:
    assert label_of(item, text) is Label.NEGATED


def test_what_the_user_took_back_is_superseded() -> None:
    text = "The user has lifted the ban on uploading the archive."
    assert label_of("Never upload the archive.", text) is Label.SUPERSEDED


def test_a_report_with_the_same_words_keeps_no_rule() -> None:
    assert label_of("Never upload the archive.", "The archive has 40 files.") is Label.DROPPED


def test_a_part_is_named_with_what_is_missing() -> None:
    text = TextIndex(AROUND.format("Never merge into develop."))
    found = match("never merge into develop or release branches", text)
    assert found.label is Label.PARTLY
    assert {"release", "branches"} <= set(found.missing)


def test_an_item_of_which_no_word_is_there_is_dropped() -> None:
    found = match("Paint the fence green.", TextIndex("The parser was read."))
    assert found.label is Label.DROPPED
    assert 0.5 < found.certainty < 1


def test_what_is_certain_is_not_weighed() -> None:
    item = "Never upload the archive."
    found = match(item, TextIndex(AROUND.format(item)))
    assert (found.label, found.certainty) == (Label.KEPT, 1.0)
    assert match("8443", TextIndex("Port 8443 is used."), "value").certainty == 1.0


@pytest.mark.parametrize(
    "text", ["tell me when you are not sure", "- Tell me when you are not sure."]
)
def test_an_item_is_kept_that_stands_there_in_a_turn_of_phrase(text: str) -> None:
    assert label_of("tell me when you are not sure", text) is Label.KEPT


@pytest.mark.parametrize(
    "text",
    [
        "Never tell me when you are not sure.",
        "Forbidden:\n- tell me when you are not sure",
        "The assistant was not sure when the shop opens.",
    ],
)
def test_a_turn_of_phrase_with_more_around_it_does_not_keep_an_item(text: str) -> None:
    assert label_of("tell me when you are not sure", text) is not Label.KEPT


SELF_CORRECTED = "pnpm, not npm!! npm breaks the workspace links"


@pytest.mark.parametrize(
    "text", [SELF_CORRECTED, f"- **{SELF_CORRECTED}**", f"Rules:\n1. {SELF_CORRECTED}"]
)
def test_an_item_that_stands_there_does_not_contradict_itself(text: str) -> None:
    assert label_of(SELF_CORRECTED, text) is Label.KEPT


def test_marks_alone_are_not_found_in_other_marks() -> None:
    assert match("!!!", TextIndex("The parser was read.\n***\nMore.")).label is not Label.KEPT


@pytest.mark.parametrize("heading", ["Forbidden:", "Never:"])
def test_a_heading_turns_an_item_that_stands_there(heading: str) -> None:
    assert label_of("upload the archive", f"{heading}\n- upload the archive") is Label.NEGATED


@pytest.mark.parametrize("kind", ["todo", "decision", "objective"])
def test_work_may_be_spoken_of_by_a_list_and_what_stands_over_it(kind: str) -> None:
    item = "Research the audio silence detection libraries"
    listed = "Seven agents research:\n1. Clips (agent a1)\n2. {} detection libraries (agent b2)"
    assert label_of(item, listed.format("Audio silence"), kind) is Label.REWORDED
    assert label_of(item, listed.format("Video face"), kind) is Label.DROPPED


def test_no_rule_is_kept_by_words_of_several_lines() -> None:
    text = "Pushed the archive.\nThe upload to main\nfollows tonight."
    assert label_of("Never upload the archive to main tonight.", text) is Label.DROPPED


def weigh_by(table: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(item_match, "weights", lambda: table)


def test_another_language_is_not_judged_by_what_was_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TextIndex("Vorgaben: Keine neuen Abhängigkeiten ohne Rückfrage, bitte.")
    item = "Bitte keine neuen Abhängigkeiten ohne Rückfrage hinzufügen."
    found = match(item, text)
    weigh_by({"always": (0, 0, 0, 0, 9)}, monkeypatch)
    assert match(item, text) == found


@pytest.mark.parametrize("kind", ["rule", "todo", "decision", "objective"])
@pytest.mark.parametrize("label", LABELS)
def test_the_label_is_on_the_likelier_side(kind: str, label: Label) -> None:
    table = {"always": tuple(2.0 * (one is label) for one in LABELS)}
    place, chosen, certainty = decide([{"always": 1.0}], kind, table)
    assert place == 0
    assert 0.5 <= certainty <= 1
    is_lost = label in LOST_LABELS[kind]
    assert chosen is label or (chosen in LOST_LABELS[kind]) != is_lost


def test_the_unit_that_tells_most_of_the_item_answers() -> None:
    table = {"there": (9.0, 0.0, 0.0, 0.0, 0.0), "always": (0.0, 0.0, 0.0, 0.0, 1.0)}
    units = [{"always": 1.0}, {"always": 1.0, "there": 1.0}, {"always": 1.0}]
    assert decide(units, "rule", table)[:2] == (1, Label.REWORDED)


def test_units_with_related_words_are_looked_at_and_others_are_not() -> None:
    text = TextIndex("Conversation: in Spanish\nThe menu is blue.\nThe cart has four columns.")
    sought = prepare_item("Reply in Spanish.", text)
    assert [unit.text for unit in candidates(sought, text)] == ["Conversation: in Spanish"]


def test_of_many_units_only_the_best_are_looked_at() -> None:
    lines = [f"Reply number {number}" for number in range(500)]
    text = TextIndex("\n".join([*lines, "Reply in Spanish"]))
    found = candidates(prepare_item("Reply in Spanish.", text), text)
    assert found[0].text == "Reply in Spanish"
    assert len(found) == JUDGED_UNITS_LIMIT


def test_a_word_that_is_everywhere_is_looked_for_where_there_is_no_rarer_one() -> None:
    text = TextIndex("\n".join(f"Reply number {number}" for number in range(500)))
    assert len(candidates(prepare_item("Reply in Spanish.", text), text)) == JUDGED_UNITS_LIMIT


def test_the_label_is_what_the_weights_say(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TextIndex("The archive is uploaded at night.")
    for label in LABELS:
        weigh_by({"always": tuple(9.0 * (one is label) for one in LABELS)}, monkeypatch)
        assert match("Never upload the archive.", text).label is label


def test_every_feature_has_a_weight_for_every_label() -> None:
    assert weights()
    assert {len(row) for row in weights().values()} == {len(LABELS)}


def test_a_verdict_is_the_same_whatever_order_a_set_has() -> None:
    said = "Using console.log is fine, the logger in utils/log.ts is not required."
    item = "always use the logger in utils/log.ts, no console.log"
    code = (
        "from amplihack_compaction.validation.losses import fate_of;"
        "from amplihack_compaction.validation.matching.text_index import TextIndex;"
        f"print(fate_of('rule', {item!r}, TextIndex({said!r})).certainty)"
    )
    told = {
        subprocess.check_output(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}
        )
        for seed in "012"
    }
    assert len(told) == 1
