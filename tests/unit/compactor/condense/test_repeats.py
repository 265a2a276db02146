"""What stands twice to the letter stands once: whole outputs and whole paragraphs."""

import re

import pytest

from amplihack_compaction.compactor.condense import condense as condensing
from amplihack_compaction.compactor.condense.condense import condense_texts
from amplihack_compaction.compactor.condense.documents import Condensed

HINT = "`feature compact --revert` brings it back"
PART = """\
The ledger keeps every order of the shop until the bank has paid it, and the totals
of a day are written once the shop has closed. Anna reads them in the morning, and
what she finds goes into the list of the week, which the export takes from there."""
BEGINS = '"The ledger keeps every order of the…"'
OTHER = """\
The export of drafts waits for the bank, who changed the form of the file last week."""


@pytest.fixture
def whole_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no output cut because it is long."""
    monkeypatch.setattr(condensing, "_HEAD_LINES", 90)


def count(text: str) -> int:
    return len(re.findall(r"\w{1,6}|[^\w\s]", text))


def condense(**texts: str) -> Condensed:
    return condense_texts({f"{name}.md": text for name, text in texts.items()}, count)


def test_a_repeated_paragraph_becomes_a_stub_that_names_the_first() -> None:
    made = condense(a=f"# One\n\n{PART}\n", b=f"# Two\n\n{OTHER}\n\n{PART}\n\n{OTHER}!\n")
    assert made.texts == {
        "a.md": f"# One\n\n{PART}\n",
        "b.md": f"# Two\n\n{OTHER}\n\n"
        f"[compacted: 3 lines left out, as in a.md at {BEGINS}; {HINT}]\n\n{OTHER}!\n",
    }
    (item,) = made.items
    assert (item.type, item.file, item.first_line, item.last_line) == ("duplicate", "b.md", 5, 7)
    assert item.what == f"3 lines left out, as in a.md at {BEGINS}"
    assert item.original_size == len(PART) + 1


def test_the_first_copy_is_named_by_its_words_wherever_lines_move() -> None:
    rows = "\n".join(f"10:00:00 read {n}" for n in range(100))
    made = condense(a=f"```log\n{rows}\n```\n\n{PART}\n\n{OTHER}\n\n{PART}\n")
    lines = made.texts["a.md"].splitlines()
    [stub] = [line for line in lines if "as in" in line]
    found = re.search(r'as in this file at "(.+)…"', stub)
    assert found is not None
    assert [line for line in lines if line.startswith(found[1])] == [PART.splitlines()[0]]


def test_a_name_or_text_cannot_break_a_stub() -> None:
    part = f"[One](x) {PART}"
    texts = {"a]\n[b.md": f"# A\n\n{part}\n", "c.md": f"{part}\n"}
    stub = condense_texts(texts, count).texts["c.md"]
    begins = '"(One)(x) The ledger keeps every order…"'
    assert stub == f"[compacted: 3 lines left out, as in a) (b.md at {begins}; {HINT}]\n"


def test_one_long_line_is_enough_and_a_short_one_is_not() -> None:
    line = PART.replace("\n", " ")
    made = condense(a=f"{line}\n\nSo be it.\n", b=f"{line}\n\nSo be it.\n")
    stub = f"[compacted: 1 line left out, as in a.md at {BEGINS}; {HINT}]"
    assert made.texts["b.md"] == f"{stub}\n\nSo be it.\n"
    assert condense(a="So be it.\n", b="So be it.\n").items == []


KEPT = {
    "rules": "- Never write to the bank without a draft.\n- 永远不要直接写入银行。",
    "checklist": "- [ ] write the export of drafts to the bank\n- [x] read the totals of the day",
    "errors": "The export failed on Monday, and nobody has looked at it since then at all.",
    "decision": "Decision: one ledger per shop,\nand none of them in the cloud, whatever it costs.",
}


@pytest.mark.parametrize("kept", KEPT.values(), ids=KEPT)
def test_what_must_stay_stays_in_every_copy(kept: str) -> None:
    text = f"{PART}\n\n{kept}\n\n{PART.replace('Anna', 'Berta')}\n"
    made = condense(a=text, b=text)
    assert made.texts["a.md"] == text
    assert f"\n\n{kept}\n\n" in made.texts["b.md"]
    assert made.texts["b.md"].count(" lines left out, as in ") == 2


def test_a_section_of_rules_stays_in_every_copy() -> None:
    text = f"# Regeln\n\n{PART}\n"
    assert condense(a=text, b=text).items == []


def test_code_stays_in_every_copy() -> None:
    fence = "```python\n" + "\n".join(f"total_{n} = rows[{n}].total" for n in range(20)) + "\n```\n"
    indented = "Like this:\n\n" + "\n".join(f"    row_{n} = rows[{n}]" for n in range(20)) + "\n"
    assert condense(a=fence, b=fence).items == []
    assert condense(a=indented, b=indented).items == []


def test_half_a_sentence_is_no_copy() -> None:
    first, *rest = PART.splitlines()
    made = condense(a=f"{PART}\n", b="\n".join(["What she said is that", *rest, "in May", ""]))
    assert made.items == []
    ended = condense(a=f"{PART}\n", b="\n".join([f"{first}x", *rest, ""]))
    assert ended.items == []


def test_a_table_and_a_comment_are_not_cut_in_half() -> None:
    rows = [f"| {PART.splitlines()[n % 3]} | {n} |" for n in range(5)]
    made = condense(a="\n".join(rows) + "\n", b="\n".join(["| one more row | 7 |", *rows, ""]))
    assert made.items == []
    text = f"<!-- about\n{PART}\n\n{PART.upper()}\n-->\n"
    assert condense(a=text, b=text).items == []


@pytest.mark.usefixtures("whole_outputs")
def test_a_second_copy_of_an_output_goes_whole_but_for_its_errors() -> None:
    rows = [f"10:00:00 read {n}" for n in range(14)]
    rows[7] = "10:00:00 ERROR read nothing"
    text = "# Log\n\n```log\n" + "\n".join(rows) + "\n```\n"
    made = condense_texts({"a.md": text, "b.md": text}, count)
    assert made.texts["a.md"] == text
    assert made.texts["b.md"].splitlines() == [
        "# Log", "", "```log",
        f'[compacted: 7 lines left out, as in a.md at "10:00:00 read 0"; {HINT}]',
        rows[7],
        "[compacted: 6 of 14 lines left out]",
        "```",
    ]  # fmt: skip


def test_a_copy_of_an_output_that_was_cut_itself_says_so() -> None:
    rows = [f"10:00:00 read {n}" for n in range(200)]
    rows[100] += " of it" * 200
    for text in ("\n".join(rows), "\n".join(rows[95:105])):
        output = f"```log\n{text}\n```\n"
        made = condense(a=output, b=output)
        assert 'left out, as in a.md at "10:00:00 read ' in made.texts["b.md"]
        assert f'", cut there as well; {HINT}]' in made.texts["b.md"]


@pytest.mark.usefixtures("whole_outputs")
def test_source_that_was_read_twice_must_be_equal_to_the_letter() -> None:
    code = "\n".join(f"{n:>6}→limit_{n} = {n}" for n in range(20))
    first = f"Read tool output:\n```\n{code}\n```\n"
    same = condense_texts({"a.md": first, "b.md": first}, count)
    changed = condense_texts({"a.md": first, "b.md": first.replace("= 7", "= 8")}, count)
    assert '20 lines left out, as in a.md at "0→limit_0 = 0"' in same.texts["b.md"]
    assert changed.items == []


def test_a_name_that_is_no_text_breaks_no_stub() -> None:
    texts = {"in\udcff\nva\x1b[1m.md": PART + "\n", "b.md": f"{OTHER}\n\n{PART}\n"}
    made = condense_texts(texts, count)
    stub = made.texts["b.md"].splitlines()[-1]
    assert stub == f"[compacted: 3 lines left out, as in in va (1m.md at {BEGINS}; {HINT}]"
    assert condense_texts(made.texts, count).items == []
