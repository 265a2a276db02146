"""Sentences that break off the work, or come back to it."""

import pytest

from amplihack_compaction.text.phrasings.conversation import (
    corrects_itself,
    only_breaks,
)


@pytest.mark.parametrize(
    "sentence",
    [
        "gotta go, continue tomorrow.",
        "okay so I'm back from lunch um where were we",
        "Good morning!",
        "That's it for today, we'll pick this up on Monday. Bye!",
        "brb",
        "I have to run. Write down where you stopped, please.",
        "Das war's für heute, morgen geht's weiter.",
        "ich muss los, bis später",
        "on s'arrête là, à demain",
        "bon, c'est tout pour aujourd'hui. Merci",
        "lo dejamos aquí por hoy, seguimos mañana",
        "por hoje chega, até amanhã",
        "voltei, onde a gente parou?",
        "на сегодня всё, продолжим завтра",
        "今天先到这吧，明天继续",
        "吃饭去了，回来再说",
        "今日はここまで。お疲れさまでした",
        "오늘은 여기까지, 내일 이어서 하자",
    ],
)
def test_what_only_breaks_off_or_comes_back_is_told(sentence: str) -> None:
    assert only_breaks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "ok",
        "Continue with the importer tomorrow.",
        "back up the database",
        "gotta go, finish the importer",
        "the morning job fails",
        "Good night mode for the app",
        "morgen machen wir den Importer",
        "on s'arrête là, corrige le test",
        "seguimos mañana con el importador",
        "até amanhã o relatório tem que sair",
        "продолжим завтра с импортом",
        "明天继续做导入",
        "今日はここまでのログを消して",
        "오늘은 여기까지 배포해",
        f"brb {'and so ' * 60}",
    ],
)
def test_what_says_more_is_no_break(sentence: str) -> None:
    assert not only_breaks(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "actually, use 3 workers",
        "wait, what is that?",
        "sorry",
        "the sorry state of v2",
        "sorryless 3",
    ],
)
def test_what_only_begins_alike_puts_no_value_right(sentence: str) -> None:
    assert not corrects_itself(sentence)
