"""Sentences that only say how the model is to talk."""

import pytest

from amplihack_compaction.text.phrasings.manners import clauses_beside


@pytest.mark.parametrize(
    "sentence",
    [
        "answer in two lines",
        "stop summarising",
        "stop apologizing",
        "you keep re-reading the same file",
        "antworte auf deutsch",
        "du liest ständig dieselbe Datei neu ein",
        "du fragst immer dasselbe, lass das",
        "réponds en français s'il te plaît",
        "arrête de me proposer des graphiques",
        "respóndeme en español a partir de ahora",
        "no me copies el código entero en el chat",
        "para de pedir confirmação a cada arquivo",
        "не извиняйся каждый раз",
        "以后回答短一点",
        "每次回复别超过五行",
        "毎回ファイル全部貼らないで、差分だけ見せて",
        "말끝마다 요약하지 마",
    ],
)
def test_how_the_model_is_to_talk_is_told(sentence: str) -> None:
    assert clauses_beside(sentence) == []


def test_what_is_said_beside_it_is_given_back() -> None:
    assert clauses_beside("answer in two lines, I'm on my phone") == ["I'm on my phone"]
    assert clauses_beside("antworte kurz und repariere den Login") == ["repariere den Login"]


@pytest.mark.parametrize(
    "sentence",
    [
        "fix the answer page",
        "lass das Menü wie es ist",
        "stop that, I'd rather have you build the importer",
        "reply to the ticket of the bank",
        "never touch the billing tables",
        "die Antwortzeit ist zu hoch",
        "explica o cálculo do imposto no README",
        "answer in two lines " * 20,
    ],
)
def test_what_speaks_of_the_work_is_no_manner(sentence: str) -> None:
    assert clauses_beside(sentence) is None
