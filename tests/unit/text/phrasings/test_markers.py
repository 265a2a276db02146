"""Languages and their markers."""

import pytest

from amplihack_compaction.text.phrasings.markers import (
    LANGUAGES,
    language_of,
    languages_of,
    markers_for,
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Never push to the main branch.", "en"),
        ("Bitte nicht auf main pushen.", "de"),
        ("Ne touche pas au schéma.", "fr"),
        ("No toques los archivos.", "es"),
        ("Não mexa nos arquivos.", "pt"),
        ("Не трогай схему.", "ru"),
        ("不要改 package.json", "zh"),
        ("mainにプッシュしないで", "ja"),
        ("main에 푸시하지 마세요", "ko"),
        ("xyzzy plugh", "en"),
    ],
)
def test_a_sentence_tells_its_language(text: str, language: str) -> None:
    assert language_of(text) == language


def test_without_evidence_the_text_around_decides() -> None:
    assert languages_of("xyzzy", "fr") == ("fr",)


def test_english_is_tried_too_where_its_words_abound() -> None:
    found = languages_of("bitte nicht und auch kein mit you must not use it in this")
    assert found[0] == "de" or "en" in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_markers_for_prohibitions_and_duties(language: str) -> None:
    kinds = {kind for kind, _ in markers_for(language).opening}
    kinds |= {kind for kind, _ in markers_for(language).anywhere}
    assert {"prohibition", "obligation", "preference", "correction"} <= kinds
