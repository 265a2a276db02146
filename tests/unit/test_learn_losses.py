"""The learnt weights belong to the data, and are in the file as they are written."""

import importlib.resources

from amplihack_compaction.validation.losses import Fate
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import (
    WEIGHTS_PATH,
    Label,
    parse_weights,
    weights,
)
from tests.bench.losses.frames import read_templates
from tests.bench.losses.rows import Row, handwritten
from tests.bench.losses.whole import ITEMS, WAYS, Alarms, alarms_of
from tests.learn_losses import COMMENT, DATA, digest, file_text, lesson_of, with_others


def test_the_weights_were_learnt_from_the_data_that_is_here() -> None:
    first = WEIGHTS_PATH.read_text(encoding="utf-8").partition("\n")[0]
    assert first == f"{COMMENT}{digest()}", "run python -m tests.learn_losses"


def test_the_held_out_rows_are_not_learnt_from() -> None:
    assert not [name for name in DATA if "held_out" in name or "blind" in name]


def test_the_file_is_as_it_is_written() -> None:
    assert file_text(weights()) == WEIGHTS_PATH.read_text(encoding="utf-8")
    assert parse_weights(file_text({"a": (0.045, -1.179)})) == {"a": (0.045, -1.179)}


def test_the_weights_are_a_file_of_the_package() -> None:
    folder = importlib.resources.files("amplihack_compaction.validation.matching")
    assert folder.joinpath(WEIGHTS_PATH.name).is_file()


def test_an_item_is_read_beside_texts_about_others_once() -> None:
    rows = [row for row in handwritten("tune") if row.kind == "rule"][:12]
    known = [lesson for row in rows for lesson in lesson_of(row, "hand", row.item)]
    twice = list(with_others([*known, *known]))
    assert [lesson.row for lesson in twice] == [lesson.row for lesson in (*known, *known)]
    assert any(lesson.elsewhere for lesson in twice)
    assert not any(lesson.elsewhere for lesson in twice[len(known) :])
    assert list(with_others([*known, *known])) == twice


def test_an_item_that_is_no_english_sentence_teaches_nothing() -> None:
    row = Row("negated", "rule", "Bitte niemals direkt nach main pushen.", "Push.", "Push.")
    assert not list(lesson_of(row, "hand", "item"))


def test_summaries_are_counted_as_somebody_judges_them() -> None:
    templates = read_templates("tune", with_real=False)
    reworded = WAYS["all in other words"]

    def judged(label: Label, certainty: float) -> Alarms:
        def fate(kind: str, text: str, text_index: TextIndex) -> Fate:
            assert text_index.units
            return Fate(kind, label, text, certainty=certainty)

        return alarms_of(templates, range(2), reworded, 1, fate)

    alarmed, doubting, calm = (
        judged(Label.DROPPED, 1.0), judged(Label.PARTLY, 0.6), judged(Label.KEPT, 1.0)
    )  # fmt: skip
    assert (alarmed.raised, len(alarmed.rows)) == (2, 2 * (ITEMS - 1))
    assert (doubting.raised, calm.raised) == (0, 0)
    alarmed.add(calm)
    assert (alarmed.summaries, alarmed.raised, len(alarmed.rows)) == (4, 2, 2 * (ITEMS - 1))
