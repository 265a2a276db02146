"""Whatever a feature holds: nothing protected is archived, and a revert gives all of it back."""

import re
import tempfile
from datetime import date, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from amplihack_compaction.compactor.archive.archive_folder import (
    is_marker,
    list_documents,
    marker_of,
    read_archived,
)
from amplihack_compaction.compactor.archive.pruner import MemoryPruner
from amplihack_compaction.compactor.archive.selection import (
    DatedText,
    date_at_start,
    dates_in,
    is_only_a_date,
)
from amplihack_compaction.compactor.backups.folder import Folder
from amplihack_compaction.compactor.features.feature import PROJECT_CONTEXT
from amplihack_compaction.text.markdown import read_blocks, split_lines
from tests.support.prunable import FILLER, NEW, OLD, OLDER, TODAY, put
from tests.support.sessions import write_own_settings
from tests.support.trees import picture

DAYS = st.sampled_from([OLDER, OLD, NEW, TODAY, TODAY + timedelta(days=40)])
LINES = st.one_of(
    st.sampled_from(
        [
            "", "", "text", FILLER.strip(), "- item", "  more", "- [ ] open", "- [x] done", "```",
            "~~~", "| a | b |", "|---|---|", "---", "===", "> said", "Never push to main.",
            "Decision: Postgres", "## Decisions", "# A", "### B", "Title", "<!--", "-->", "  c",
            "ADR-7 x", "03/04/2026", "2026-02-30", "1. one", "title: x", "\u2028", "必ず",
        ]
    ),
    st.builds("## {} Work\n{}".format, DAYS, st.sampled_from(["", FILLER * 4])),
    st.builds("- {}: did it\n  {}".format, DAYS, st.just(FILLER * 3)),
    st.builds("{} 10:00:00 INFO did it {}".format, DAYS, st.sampled_from(["", "again " * 60])),
    st.builds("**{}**".format, DAYS),
    st.builds("# Release {}".format, DAYS),
    st.text(max_size=12),
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n", ""])
TEXTS = st.lists(st.tuples(LINES, ENDS), max_size=30).map(
    lambda pairs: "".join(line + end for line, end in pairs)
)
NAMES = st.sampled_from(["progress.md", "tasks.md", "notes/a.rst", "b.log", "c.txt", "d", "s.json"])
FILES = st.dictionaries(
    NAMES, st.tuples(TEXTS, st.sampled_from([OLD, NEW])), min_size=1, max_size=4
)
OPEN = re.compile(r"^[ \t>]*- \[ \]", re.MULTILINE)
STATED = re.compile(r"^[ \t>]*(?:Never push|Decision: P|ADR-7|必ず)", re.MULTILINE)
FRAME = re.compile(r"\A---\ntitle|^#{1,3} ", re.MULTILINE)


@given(TEXTS | st.text(max_size=300), st.booleans())
@settings(max_examples=300)
def test_the_blocks_joined_are_the_text(text: str, rst: bool) -> None:
    dated = DatedText("a.rst" if rst else "a.md", text, TODAY)
    assert "".join(each.text for each in dated.blocks) == text
    blocks = read_blocks(split_lines(text), rst=rst)
    assert [b.end for b in blocks[:-1]] == [b.first for b in blocks[1:]]
    assert all(b.first < b.end for b in blocks)
    assert all(each.date is None or each.date <= TODAY for each in dated.content)


@given(st.text(max_size=200))
def test_no_text_breaks_the_readers_of_dates(text: str) -> None:
    dates_in(text)
    is_only_a_date(text)
    day, rest = date_at_start(text)
    assert text.endswith(rest)
    assert (day is not None) or rest == text
    assert not is_marker(text)


@given(st.lists(st.sampled_from("ab"), max_size=4).map("/".join))
def test_a_marker_is_known_again(source: str) -> None:
    assert is_marker(marker_of(source))
    assert is_marker(f"{marker_of(source)}\r\n")


@given(FILES)
@settings(max_examples=150)
def test_prune_and_revert_are_the_identity_and_nothing_protected_goes(
    files: dict[str, tuple[str, date]],
) -> None:
    with tempfile.TemporaryDirectory() as above:
        login = Path(above, "features", "login")
        login.mkdir(parents=True)
        for name, (text, day) in files.items():
            put(login, name, text.encode("utf-8", "surrogatepass"), day)
        before = picture(login)
        pruner = MemoryPruner(above)
        planned = pruner.prune_feature("login", dry_run=True)
        assert picture(login) == before
        result = pruner.prune_feature("login")
        assert [p.digest for p in result.archived] == [p.digest for p in planned.archived]
        after = picture(login)
        again = pruner.prune_feature("login")
        assert (again.archived, picture(login)) == ((), after)
        if not result.archived:
            assert after == before
            return
        assert result.tokens_after < result.tokens_before
        with Folder(str(login)) as folder:
            for document in list_documents(folder):
                part, content = read_archived(folder, document)
                original = files[part.source][0].encode("utf-8", "surrogatepass")
                assert content in original
                assert part.last < NEW
                said = content.decode()
                assert not OPEN.search(said)
                if "```" not in said and "~~~" not in said:  # code is what it is
                    assert not STATED.search(said)
                    assert part.whole or not FRAME.search(said)
        pruner.revert("login", result.history_id)
        assert picture(login) == before


@given(TEXTS, st.integers(20, 30))
def test_the_memory_loses_no_heading_and_comes_back(text: str, limit: int) -> None:
    with tempfile.TemporaryDirectory() as above:
        write_own_settings(project_context_lines=limit)
        path = put(Path(above), PROJECT_CONTEXT, text.encode("utf-8", "surrogatepass"))
        before = picture(path.parent)
        pruner = MemoryPruner(above)
        result = pruner.prune_project_context()
        if not result.archived:
            assert picture(path.parent) == before
            return
        left = split_lines(path.read_bytes().decode())
        assert len(left) <= limit or result.notices
        assert not pruner.prune_project_context().archived
        pruner.revert(PROJECT_CONTEXT, result.history_id)
        assert picture(path.parent) == before
