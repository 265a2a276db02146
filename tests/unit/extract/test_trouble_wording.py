"""What tells of trouble or calls it solved, in any language, and of what it speaks."""

import pytest

from amplihack_compaction.extract.issues import extract_issues, extract_solved, is_called_fixed
from amplihack_compaction.extract.trouble_wording import (
    speaks_of,
    tells_solved,
    tells_trouble,
    with_referent,
)
from amplihack_compaction.text.languages import language_of
from tests.support.transcripts import Transcript
from tests.unit.conftest import Read

# What does not work, what is called solved of it, and what is solved of something else.
TOLD = {
    "de": (
        "Die Umlaute im Export sind weiterhin kaputt.",
        "Die Umlaute sind jetzt behoben, es war die Schrift.",
        "Die Anmeldung ist behoben.",
    ),
    "fr": (
        "La mémoire du worker monte toujours.",
        "La fuite de memoire est réglée.",
        "Le problème CORS est réglé.",
    ),
    "es": (
        "El lector de códigos sigue sin funcionar en Safari.",
        "El lector ya funciona.",
        "El inicio de sesión está corregido.",
    ),
    "pt": (
        "O upload continua falhando no Android.",
        "O upload no Android foi corrigido.",
        "O menu foi corrigido.",
    ),
    "ru": (
        "Память воркера всё равно растёт.",
        "Утечка памяти исправлена.",
        "Кодировка исправлена.",
    ),
    "zh": (
        "订单号偶尔重复，我还没查到原因。",
        "订单号重复的问题我修好了 是时钟回拨",
        "乱码已经修好了。",
    ),
    "ja": (
        "予約番号がまれに重複します。原因は特定できていません。",
        "重複の件は解決した、ロックが抜けてた",
        "文字化けは修正しました。",
    ),
    "ko": (
        "예약번호가 가끔 중복됩니다. 원인을 아직 못 찾았습니다.",
        "중복 문제 해결됐어 락이 빠져있었음",
        "한글 깨짐은 수정했습니다.",
    ),
}


@pytest.mark.parametrize("language", TOLD)
def test_what_does_not_work_is_an_issue_until_it_is_called_solved(
    read: Read, language: str
) -> None:
    trouble, solved, other = TOLD[language]
    transcript = Transcript()
    transcript.user("Fix the shop.")
    transcript.assistant(trouble)
    transcript.user(other)
    assert [issue.text for issue in extract_issues(read(transcript))] == [trouble]
    transcript.user(solved)
    assert extract_issues(read(transcript)) == ()


@pytest.mark.parametrize("language", TOLD)
def test_an_issue_of_an_earlier_window_is_called_solved_by_its_name(
    read: Read, language: str
) -> None:
    trouble, solved, other = TOLD[language]
    transcript = Transcript()
    transcript.user("Fix the shop.")
    transcript.assistant(trouble)
    (issue,) = extract_issues(read(transcript))
    transcript.user(other)
    assert not is_called_fixed(issue, extract_solved(read(transcript)))
    transcript.user(solved)
    assert is_called_fixed(issue, extract_solved(read(transcript)))


@pytest.mark.parametrize(
    "sentence",
    [
        "Wenn die Umlaute weiterhin kaputt sind, sag Bescheid.",
        "Sind die Umlaute immer noch kaputt?",
        "Ich habe die Umlaute im Export ersetzt.",
        "Le cache marche comme avant.",
        "¿Sigue sin funcionar?",
        "Sigo con el panel.",
        "Память больше не растёт.",
        "如果还是失败，请告诉我。",
        "我继续做权限校验。",
        "まだ失敗しますか？",
        "権限チェックを始めます。",
        "계속 진행하겠습니다.",
        "",
        "Die Umlaute sind weiterhin kaputt. " * 20,
    ],
)
def test_what_is_asked_supposed_or_fine_is_no_trouble(sentence: str) -> None:
    assert not tells_trouble(sentence, language_of(sentence))


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("Das muss noch behoben werden.", "de"),
        ("Ce n'est pas encore réglé.", "fr"),
        ("No está corregido.", "es"),
        ("Ainda não foi corrigido.", "pt"),
        ("Это ещё не исправлено.", "ru"),
        ("这个没解决了。", "zh"),
        ("文字化けは修正しましたか？", "ja"),
        ("아직 해결됐다고 못 하겠습니다.", "ko"),
        ("The leak is fixed.", "en"),
        ("Ist der Fehler behoben?", "de"),
    ],
)
def test_what_is_denied_or_asked_is_not_solved(sentence: str, language: str) -> None:
    assert not tells_solved(sentence, language)


def test_a_cause_that_nobody_knows_is_told_with_what_it_causes(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Fix the shop.")
    transcript.assistant(
        "Ich sehe nach. Die Umlaute sind weiterhin kaputt. Woran es liegt, weiß ich noch nicht."
    )
    (issue,) = extract_issues(read(transcript))
    assert issue.text == ("Die Umlaute sind weiterhin kaputt. Woran es liegt, weiß ich noch nicht.")


def test_that_is_fixed_speaks_of_the_sentence_above_it(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Fix the shop.")
    transcript.assistant("Die Umlaute sind weiterhin kaputt.")
    transcript.user("ok dann erst der Timeout")
    transcript.assistant("Der Timeout kam vom Proxy. Das ist behoben.")
    assert len(extract_issues(read(transcript))) == 1


def test_what_works_now_without_a_name_is_what_was_told_last(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Fix the shop.")
    transcript.assistant("Die Umlaute sind weiterhin kaputt.")
    transcript.user("klasse. geht jetzt")
    assert extract_issues(read(transcript)) == ()


def test_an_answer_that_knows_nothing_is_no_issue(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Кто это написал?")
    transcript.assistant("Не знаю.")
    assert extract_issues(read(transcript)) == ()


def test_english_is_known_elsewhere() -> None:
    assert not speaks_of("The leak is fixed.", "The leak is still there.", "en")


LONG = "The importer drops rows. " * 20


@pytest.mark.parametrize(
    ("said", "number", "language", "told"),
    [
        (["重複します。", "原因は分かりません。"], 1, "ja", "重複します。原因は分かりません。"),
        (["It leaks.", "No idea why."], 1, "en", "It leaks. No idea why."),
        (["No idea why.", "It leaks."], 0, "en", "No idea why. It leaks."),
        (["Das ist behoben."], 0, "de", "Das ist behoben."),
        (["It leaks.", "The importer drops rows."], 1, "en", "The importer drops rows."),
    ],
)
def test_what_names_nothing_is_told_with_what_stands_beside_it(
    said: list[str], number: int, language: str, told: str
) -> None:
    assert with_referent(said, number, language) == told


def test_only_what_is_spoken_of_is_cut() -> None:
    told = with_referent([LONG, "No idea why."], 1, "en")
    assert told.endswith("… No idea why.")
    assert len(told) <= 200


def test_a_sentence_that_leaves_no_room_stands_alone() -> None:
    sentence = "I still have no idea why, " + "and it fails again " * 9
    assert with_referent([LONG, sentence], 1, "en") == sentence
