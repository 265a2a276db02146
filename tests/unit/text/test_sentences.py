"""Sentences in nine languages."""

import pytest

from amplihack_compaction.text.sentences import listed_under, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use tabs. Never spaces!", ["Use tabs.", "Never spaces!"]),
        ("use tabs. never spaces", ["use tabs.", "never spaces"]),
        ("Use v1.2.3 in src/a.py, e.g. for x. Ok?", ["Use v1.2.3 in src/a.py, e.g. for x.", "Ok?"]),
        ("See https://a.b/c.html?x=1. Then go.", ["See https://a.b/c.html?x=1.", "Then go."]),
        ("No. Use ruff.", ["No.", "Use ruff."]),
        ("Issue no. 5 stays.", ["Issue no. 5 stays."]),
        ("J. Doe said hi. Bye.", ["J. Doe said hi.", "Bye."]),
        ("使用制表符。不要用空格！好的", ["使用制表符。", "不要用空格！", "好的"]),
        ("「はい。」次へ。終わり", ["「はい。」", "次へ。", "終わり"]),
        ("Nimm z.B. ruff. Gut.", ["Nimm z.B. ruff.", "Gut."]),
        ("Am 3. ist frei. Gut.", ["Am 3. ist frei.", "Gut."]),
        ("das Zertifikat am 3. zu erneuern", ["das Zertifikat am 3. zu erneuern"]),
        ("vom 12. bis 14. Mai", ["vom 12. bis 14. Mai"]),
        ("die vom 12.3. ist kaputt", ["die vom 12.3. ist kaputt"]),
        ("es ist der 3. Dann geh.", ["es ist der 3.", "Dann geh."]),
        ("set it to 8. then run it", ["set it to 8.", "then run it"]),
        ("- one. two\n- three\n3) four\n[x] five", ["one.", "two", "three", "four", "five"]),
        ("- [ ] open box", ["open box"]),
        ("# Heading\ntext", ["Heading", "text"]),
        ("one\ntwo", ["one", "two"]),
        ("first,\nsecond", ["first, second"]),
        ("... and so on", ["...", "and so on"]),
        ("Ok. [left out: private] And keep cents. So.", ["Ok.", "And keep cents.", "So."]),
        ("[left out: private]. Keep cents.", ["Keep cents."]),
        ("[redacted:npm-token] [left out: private]\nKeep cents", ["Keep cents"]),
        ("[left out: private] 金额用分", ["金额用分"]),
        (
            "[left out: private] is my name. Use [left out: private] Bar",
            ["[left out: private] is my name.", "Use [left out: private] Bar"],
        ),
        ("", []),
    ],
)
def test_text_is_cut_where_sentences_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_hard_wrapped_lines_are_one_sentence() -> None:
    text = "please never change the public interface of the storage module in\nthis repository"
    assert sentences(text) == [text.replace("\n", " ")]


def test_a_run_without_full_stops_is_cut_at_its_joints() -> None:
    text = "; ".join(f"clause number {n} goes on and on" for n in range(30))
    assert len(sentences(text)) == 30


def test_list_items_know_the_line_above_their_list() -> None:
    text = "Do it.\n**Rules:**\n- tabs\n- one. two\n\n- three\nEnd\n- four"
    assert listed_under(text) == {
        "tabs": "Rules:",
        "one.": "Rules:",
        "two": "Rules:",
        "three": "Rules:",
    }
