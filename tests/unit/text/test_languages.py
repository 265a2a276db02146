import pytest

from amplihack_compaction.text.words import are_foreign, certain_language, differ


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The tests are run and the docs are written.", "en"),
        ("Die Tests sind nicht für den Server.", "de"),
        ("Les tests ne sont pas dans le dossier avec une erreur.", "fr"),
        ("Nunca uses la consola para el registro del sistema.", "es"),
        ("Nunca use o console para os testes, não é permitido.", "pt"),
        ("Никогда не удаляй файлы", "ru"),
        ("テストを削除しない", "ja"),
        ("mainにプッシュしないで", "ja"),
        ("테스트 없이 커밋하지 마세요", "ko"),
        ("不要修改数据库", "zh"),
        ("Añadir barra de progreso", "latin"),
        ("Add a progress bar", ""),
        ("The café is open and the naïve approach is used.", "en"),
        ("And don't touch anything in legacy/, das ist eingefroren bis zum Audit.", ""),
        ("Keine neuen Dependencies ohne mich zu fragen, we already have croner.", ""),
        ("Mach erst das Inkrement fertig, then terraform.", "de"),
        ("No instales nada con pip, aquí se usa uv.", "es"),
        ("npm ci", ""),
        ("", ""),
    ],
)
def test_languages_are_told_by_script_and_function_words(text: str, language: str) -> None:
    assert certain_language(text) == language


@pytest.mark.parametrize(
    ("left", "right", "foreign"),
    [
        ("en", "de", True),
        ("en", "en", False),
        ("", "en", False),
        ("latin", "en", True),
        ("latin", "zh", True),
        ("latin", "es", False),
        ("latin", "", False),
        ("latin", "latin", False),
    ],
)
def test_only_what_is_certain_is_foreign(left: str, right: str, foreign: bool) -> None:
    assert are_foreign(left, right) is foreign
    assert are_foreign(right, left) is foreign


def test_texts_of_two_languages_differ() -> None:
    assert differ("The tests are run for you.", "Les tests ne sont pas dans le dossier.")
    assert not differ("The tests are run for you.", "Push it to the server and go.")


def test_a_long_text_has_the_language_of_most_of_it_whatever_it_quotes() -> None:
    english = (
        "The user wants the reports moved, and they were to be tested before that was done with"
        " what is there; all of this has to be in the files by then."
    )
    quoted = "Die Tests sind nicht für den Server und werden bitte nur mit mir gemacht."
    assert certain_language(f"{english} {quoted}") == "en"
