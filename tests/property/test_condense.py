"""Condensing any texts: done twice it changes nothing, keeps what must stay, grows nothing."""

import re
from collections.abc import Callable, Mapping
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.compactor.condense.condense import condense_texts
from amplihack_compaction.compactor.condense.documents import Condensed, is_stub
from amplihack_compaction.compactor.condense.summary import summarize_texts
from tests.support.feature_folders import Writer, fenced

# Written down apart from the package's own expressions, on purpose.
MUST_STAY = re.compile(
    r"\b(?:error|errors|failed|failure|fatal|critical|exception)\b|^\s*[-*] \[[ xX]\] |ADR-\d+"
    r"|^Decision: ",
    re.IGNORECASE,
)
HEADING = re.compile(r"#{1,6} \S")
LINES = (
    "", "", "# Plan", "## Rules", "## Decisions", "### Bash output", "Title", "=====", "---", "```",
    "```python", "```log", "```text", "~~~", "Bash output:", "Read tool output: (src/a.py)",
    "Glob results:", "> quoted", "- item of a list", "- [ ] write the export", "- [x] done",
    "ERROR: disk is full", "FATAL it broke", "2025-01-02 10:00:01 INFO ledger: saved 12 rows",
    "    return total", "def total(rows):", "diff --git a/a.py b/a.py", "@@ -1,3 +1,3 @@", "-old",
    "+new", " same", "=== test session starts ===", "tests/test_a.py::test_x PASSED [ 10%]",
    "===== 3 passed in 0.12s =====", "Traceback (most recent call last):",
    '  File "a.py", line 3, in total', "KeyError: 'a'", "    at Book.total (book.js:3:1)",
    "Decision: keep SQLite because it is one file", "Never push to main.", "ADR-012 stays",
    "[compacted: 3 of 9 lines left out]", "[compacted: 12 characters of hex left out]",
    "请不要删除日志。", "数据库连接失败", "word " * 40, "A" * 500, "x=1;" * 600, "\ufeff", "\x00",
    "The ledger holds each order until the invoice is written, which took an hour to find out.",
)  # fmt: skip
BLOCKS = tuple(
    block
    for writer in [Writer(5)]
    for block in (
        fenced(writer.pytest(20)), "Bash output:\n" + writer.pytest(12, 0), writer.diff(2, 12),
        fenced(writer.read(4), "python"), "Grep results:\n" + writer.glob(20), writer.prose(4),
        writer.server_log(30), writer.trace(9), fenced(writer.npm(20), "log"), writer.prose(5),
        fenced(writer.server_log(25)), writer.base64(700), fenced(writer.source(3)),
    )
)  # fmt: skip
NAMES = st.sampled_from(["a.md", "b.md", "c.log", "d.txt", "e", "f.py", "adr/1.md", "g\n].md"])
PARTS = st.one_of(
    st.sampled_from(LINES),
    st.sampled_from(LINES).flatmap(lambda line: st.integers(2, 30).map(lambda n: [line] * n)),
    st.sampled_from(BLOCKS),
    st.text(max_size=80),
)
HINTS = st.sampled_from(["", "ask Anna", "see [backup]\n7"])


def joined(parts: list[str | list[str]], ending: str, last: bool) -> str:
    lines = [line for part in parts for line in (part if isinstance(part, list) else [part])]
    text = "\n".join(lines) + ("\n" if last else "")
    return text.replace("\n", ending)


TEXTS = st.builds(
    joined, st.lists(PARTS, max_size=14), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans()
)
FOLDERS = st.dictionaries(NAMES, TEXTS, max_size=4)


def count(text: str) -> int:
    """Count as a tokenizer does, roughly: words and signs."""
    return len(re.findall(r"\w{1,6}|[^\w\s]|\s{4,}", text))


COUNTERS: list[Callable[[str], int]] = [count, lambda text: 90 + len(text) // 4]


def lines_of(text: str) -> list[str]:
    return re.split(r"\r\n|\n|\r", text)


def once(lines: list[str]) -> list[str]:
    return [line for line, _ in groupby(lines)]


def is_part(few: list[str], many: list[str]) -> bool:
    rest = iter(many)
    return all(line in rest for line in few)


@given(FOLDERS, st.sampled_from(COUNTERS), HINTS)
def test_condensing_twice_changes_nothing(
    texts: Mapping[str, str], counter: Callable[[str], int], hint: str
) -> None:
    made = condense_texts(texts, counter, hint)
    again = condense_texts(made.texts, counter, hint)
    assert again == Condensed(made.texts, [])


@given(FOLDERS, HINTS)
def test_what_must_stay_is_there_in_its_order(texts: Mapping[str, str], hint: str) -> None:
    made = condense_texts(texts, count, hint)
    for name, text in texts.items():
        kept = [line for line in lines_of(text) if MUST_STAY.search(line) and len(line) < 400]
        assert is_part(once(kept), lines_of(made.texts[name]))


@given(FOLDERS, HINTS)
def test_nothing_but_stubs_is_new_and_nothing_grows(texts: Mapping[str, str], hint: str) -> None:
    made = condense_texts(texts, count, hint)
    assert list(made.texts) == list(texts)
    for name, text in texts.items():
        changed = [item for item in made.items if item.file == name]
        after = made.texts[name]
        assert len(after) < len(text) if changed else after == text
        ours = [line for line in lines_of(after) if "[compacted: " not in line]
        assert is_part(ours, lines_of(text))
        assert set(re.findall(r"\r\n|\n|\r", after)) <= set(re.findall(r"\r\n|\n|\r", text))


@given(FOLDERS, HINTS)
def test_items_say_what_was_saved_and_where(texts: Mapping[str, str], hint: str) -> None:
    made = condense_texts(texts, count, hint)
    for name, text in texts.items():
        items = [item for item in made.items if item.file == name]
        saved = sum(item.original_size - item.compacted_size for item in items)
        assert len(text) - len(made.texts[name]) == saved
        for item in items:
            assert 1 <= item.first_line <= item.last_line <= len(lines_of(text))
            assert item.original_tokens > item.compacted_tokens


@given(FOLDERS)
def test_stubs_count_the_lines_that_are_gone(texts: Mapping[str, str]) -> None:
    texts = {name: text for name, text in texts.items() if "[compacted: " not in text}
    made = condense_texts(texts, count)
    for name, text in texts.items():
        stubs = [line for line in lines_of(made.texts[name]) if is_stub(line)]
        counts = [re.search(r"(\d+) (?:of \d+ )?(?:lines? )?left out", stub) for stub in stubs]
        gone = sum(int(found[1]) for found in counts if found)
        assert all(counts)
        assert len(lines_of(text)) - len(lines_of(made.texts[name])) == gone - len(stubs)


@given(TEXTS)
def test_the_same_texts_give_the_same(text: str) -> None:
    assert condense_texts({"a.md": text}, count) == condense_texts({"a.md": text}, count)


@pytest.mark.parametrize("name", ["a.py", "b.json", "c.yaml", "adr/0001-use-sqlite.md", "Makefile"])
@given(text=TEXTS)
def test_code_data_and_records_of_decisions_stay_whole(name: str, text: str) -> None:
    assert condense_texts({name: text}, count) == Condensed({name: text}, [])


@given(FOLDERS, st.integers(200, 600), st.text(max_size=60), st.sampled_from(COUNTERS))
def test_a_summary_of_anything_keeps_its_limit(
    texts: Mapping[str, str], limit: int, note: str, counter: Callable[[str], int]
) -> None:
    made = summarize_texts(texts, counter, limit, note)
    assert counter(made) <= limit
    assert made == summarize_texts(texts, counter, limit, note)
