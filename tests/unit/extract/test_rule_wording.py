"""What words take back or offer, and what takes nothing back."""

from amplihack_compaction.extract.rules import offered_by, target_of


def test_questions_and_reminders_take_nothing_back() -> None:
    assert target_of("can you use lodash again?") is None
    assert target_of("don't forget the tests") is None
    assert target_of("you can run the tests") is None
    assert target_of("From now on you may not push to main.") is None


def test_neither_a_name_nor_a_question_offers_anything() -> None:
    assert offered_by("look at part 4") == offered_by("can lodash be bumped?") == ""


def test_words_without_accents_take_back_as_well() -> None:
    assert target_of("nao precisa mais rodar os testes") == "rodar os testes"
    assert target_of("olvidate de la regla de los tests") == "los tests"
    assert target_of("wir duerfen die migrationen wieder aendern") is not None
