from datetime import date
from textwrap import dedent

import pytest

from amplihack_compaction.compactor.archive.selection import DatedText
from amplihack_compaction.text.markdown import BlockKind, read_blocks, split_lines

TODAY = date(2026, 3, 1)


def shape(text: str, *, rst: bool = False) -> list[tuple[str, str]]:
    lines = split_lines(dedent(text))
    blocks = read_blocks(lines, rst=rst)
    assert "".join("".join(lines[b.first : b.end]) for b in blocks) == dedent(text)
    return [
        (b.kind.name, "".join(lines[b.first : b.end]).strip())
        for b in blocks
        if b.kind is not BlockKind.BLANK
    ]


def dates(text: str, *, rst: bool = False) -> dict[str, str]:
    """Return the dates of a text's content by the first word of each block."""
    dated = DatedText("a.rst" if rst else "a.md", dedent(text), TODAY)
    assert "".join(each.text for each in dated.blocks) == dedent(text)
    return {each.text.split()[-1]: str(each.date) for each in dated.content}


def test_headings_date_what_is_below_them_and_nested_ones_inherit() -> None:
    assert dates("""\
        opening
        # Progress
        undated
        ## 2026-01-05 Login
        first
        ### Details
        inherited
        ### 2026-01-07
        nested
        ## Other
        other
        # 2026年1月31日
        chinese
        """) == {
        "opening": "None", "undated": "None", "first": "2026-01-05", "inherited": "2026-01-05",
        "nested": "2026-01-07", "other": "None", "chinese": "2026-01-31",
    }  # fmt: skip


def test_the_newest_date_of_a_heading_counts_and_one_to_come_dates_nothing() -> None:
    text = """\
        # 2025-01-01
        ## 2026-01-05 to 2026-01-09
        range
        ## Release 2027-01-01
        future
        ### Steps
        below
        ### 2026-01-02
        past
        - 2026-12-24 party
        """
    assert dates(text) == {
        "range": "2026-01-09", "future": "None", "below": "None", "past": "2026-01-02",
        "party": "None",
    }  # fmt: skip
    dated = DatedText("a.md", dedent(text), TODAY)
    to_come = [each.text.split()[-1] for each in dated.content if each.is_to_come]
    assert to_come == ["future", "below", "party"]
    assert dated.newest == date(2026, 1, 9)
    assert DatedText("a.md", "# 2026-01-05\n", TODAY).newest is None


def test_items_and_log_lines_have_dates_of_their_own_but_are_no_older_than_their_section() -> None:
    assert dates("""\
        - 2026-01-05: one
          carried on
        - 2026-01-06: two
        - three

        2026-01-07 10:00:00 INFO four
          Traceback five
        2026-01-08 10:00:00 INFO six

        # 2026-02-01
        - 2025-12-24 seven
        - 2026-02-03 eight
        """) == {
        "on": "2026-01-05", "two": "2026-01-06", "three": "None", "five": "2026-01-07",
        "six": "2026-01-08", "seven": "2026-02-01", "eight": "2026-02-03",
    }  # fmt: skip


def test_a_line_that_is_only_a_date_is_a_heading() -> None:
    assert dates("""\
        # Log
        **2026-01-05**
        one

        two

        31. Januar 2026
        three
        ## Notes
        four
        """) == {"one": "2026-01-05", "two": "2026-01-05", "three": "2026-01-31", "four": "None"}


def test_a_fence_is_not_cut_whatever_it_holds() -> None:
    assert shape("""\
        ~~~~md
        # 2026-01-05
        ~~~
        ```
        ~~~~
        text
        ```py
        # heading
        """) == [
        ("FENCE", "~~~~md\n# 2026-01-05\n~~~\n```\n~~~~"), ("TEXT", "text"),
        ("OPEN_FENCE", "```py\n# heading"),
    ]  # fmt: skip
    assert shape("```one line``` of code\n# A\n")[1] == ("HEADING", "# A")


def test_an_item_keeps_its_continuation_its_nested_items_and_its_fences() -> None:
    assert shape("""\
        - one
          more
        lazy

          after a gap
          ```
        # no heading
          ```
          - nested

        text
        * two
        3. ```
           code
           ```
        4. four
        # A
        - ```
        open
        """) == [
        ("ITEM", "- one\n  more\nlazy\n\n  after a gap\n  ```\n# no heading\n  ```\n  - nested"),
        ("TEXT", "text"), ("ITEM", "* two"), ("ITEM", "3. ```\n   code\n   ```"),
        ("ITEM", "4. four"), ("HEADING", "# A"), ("OPEN_FENCE", "- ```\nopen"),
    ]  # fmt: skip


def test_tables_rulers_comments_and_quotations_are_whole() -> None:
    assert shape("""\
        a | b
        --|--
        2026-01-05 | x

        | c |
        | 2026-01-06 |
        +---+
        | d |
        +---+

        ***
        <!-- one
        # two
        -->
        > 2026-01-05
        > said
        <!-- never closed
        """) == [
        ("TABLE", "a | b\n--|--\n2026-01-05 | x"),
        ("TABLE", "| c |\n| 2026-01-06 |\n+---+\n| d |\n+---+"), ("RULER", "***"),
        ("TEXT", "<!-- one\n# two\n-->"), ("TEXT", "> 2026-01-05\n> said\n<!-- never closed"),
    ]  # fmt: skip


def test_front_matter_is_whole_and_a_ruler_is_none() -> None:
    assert shape("---\ntitle: x\n# 2026-01-05\n---\ntext\n")[0][0] == "FRONT"
    assert shape("\ufeff+++\na = 1\n+++\ntext\n")[0][0] == "FRONT"
    assert shape("---\ntitle: x\nnever closed\n")[0][0] == "RULER"
    assert shape("---\n\ntext\n\n---\n")[0][0] == "RULER"
    assert [b.kind for b in read_blocks([])] == []


def test_underlined_headings_of_both_languages() -> None:
    assert shape("A\n===\ntext\n\nB\n---\n\ntwo\nlines\n---\n- x\n---\n") == [
        ("HEADING", "A\n==="), ("TEXT", "text"), ("HEADING", "B\n---"), ("TEXT", "two\nlines"),
        ("RULER", "---"), ("ITEM", "- x"), ("RULER", "---"),
    ]  # fmt: skip
    log = "====\nLog\n====\n\n2026-01-05\n~~~~~~~~~~\none\n\nDetail\n^^^^^^\ntwo\n"
    assert dates(f"{log}\nNotes\n~~~~~\nthree\n", rst=True) == {
        "one": "2026-01-05",
        "two": "2026-01-05",
        "three": "None",
    }
    assert shape("Too long a title\n~~~\n", rst=True)[0][0] == "TEXT"
    assert shape("Title\n~~~~~\n")[0][0] == "TEXT"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_stay_what_they_are(end: str) -> None:
    text = end.join(["# 2026-01-05", "one", "", "\u2028two\x0b", "no end"])
    dated = DatedText("a.md", text, TODAY)
    assert "".join(each.text for each in dated.blocks) == text
    assert {each.headings for each in dated.blocks} == {("2026-01-05",)}
    assert [str(each.date) for each in dated.content] == ["2026-01-05"] * 2
