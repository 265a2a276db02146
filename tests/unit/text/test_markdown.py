"""One reader tells what is a heading, a fence, a list item and front matter in a file of notes."""

import pytest

from amplihack_compaction.compactor.condense.condense import condense_texts
from amplihack_compaction.text.markdown import (
    BlockKind,
    HeadingReader,
    ListItem,
    atx_heading,
    fence_at,
    front_matter_end,
    list_item,
    read_blocks,
)


@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("- plain", ListItem("plain")),
        ("  12. [x] done", ListItem("done", "x")),
        ("• [ ] open", ListItem("open", " ")),
        ("1、 first", ListItem("first")),
        ("- [~]", ListItem("", "~")),
        ("-no space", None),
        ("**bold** text", None),
    ],
)
def test_a_list_item_says_its_text_and_its_box(line: str, item: ListItem | None) -> None:
    assert list_item(line) == item


def test_a_line_of_number_signs_and_a_space_is_a_heading() -> None:
    heading = atx_heading("## Next steps ##")
    assert heading is not None
    assert (heading.level, heading.title) == (2, "Next steps")
    assert atx_heading("#hashtag") is None
    assert atx_heading("    # code") is None


def test_other_underlines_than_markdowns_are_headings_in_restructured_text_only() -> None:
    lines = ["Output", "~~~~~~", "", "Title", "====="]
    assert HeadingReader(lines).read(0, plain=True) is None
    assert HeadingReader(lines, rst=True).read(0, plain=True) is not None
    assert HeadingReader(lines).read(3, plain=True) is not None


def test_a_fence_may_be_indented_or_quoted() -> None:
    fence = fence_at("  > ```log")
    assert fence is not None
    assert (fence.indent, fence.mark, fence.info) == ("  > ", "```", "log")
    assert fence_at("```code` in a line") is None


def test_what_stands_between_two_rulers_is_no_front_matter() -> None:
    assert front_matter_end(["---", "title: x", "---", "text"]) == 3
    assert front_matter_end(["---", "We decided to keep it.", "---", "text"]) == 0


def test_a_fence_of_tildes_below_a_line_of_text_is_no_heading() -> None:
    log = [f"2026-01-01 10:00:{n % 60:02d} INFO step {n} of the build is done" for n in range(80)]
    text = "\n".join(["What it said", "~~~log", *log, "~~~", "", "We go on.", ""])
    made = condense_texts({"notes.md": text}, lambda piece: len(piece) // 4).texts["notes.md"]
    assert "left out" in made
    assert made.endswith("~~~\n\nWe go on.\n")
    assert [block.kind for block in read_blocks(text.splitlines())][1] is BlockKind.FENCE
