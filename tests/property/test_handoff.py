"""Handoffs, planning folders and offers, on generated input."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.handoff.checkpoint import feature_of
from amplihack_compaction.handoff.fresh_start import read_planning
from amplihack_compaction.handoff.handoff_document import (
    NOTHING,
    TEMPLATE,
    HandoffDocument,
    render_handoff,
)
from amplihack_compaction.handoff.session_offers import announced, offers_folder, take_offer
from amplihack_compaction.text.words import inert


def plain(text: str) -> str:
    """Return what a document makes of a text; done once, it stays as it is."""
    return " ".join(inert(text, 200).split())


lines = st.text(
    st.one_of(st.sampled_from("#=-(:\\ )1.{}`'\"\n%"), st.characters(exclude_categories=["Cs"])),
    max_size=40,
).map(plain)
words = lines.filter(bool)
pieces = st.sampled_from(
    [": ", " (because: ", ":", "\\", "(because:", "a", " ", ")", "(", "=", "#"]
)
tricky = st.lists(pieces, max_size=8).map("".join).map(plain).filter(bool)
texts = st.one_of(words, tricky)
documents = st.builds(
    HandoffDocument,
    feature=words.filter(lambda name: name != "unknown"),
    created=st.sampled_from(["", "2026-11-21T21:04:53Z"]),
    session_id=st.sampled_from(["", "c5cbd2e7"]),
    checkpoint_id=st.sampled_from(["", "20261121-210453-a1b2"]),
    completed=st.lists(texts, max_size=4),
    in_progress=st.lists(texts, max_size=4),
    next_steps=st.lists(texts, max_size=4),
    issues=st.lists(texts, max_size=4),
    files_modified=st.lists(st.tuples(texts, st.one_of(st.just(""), texts))),
    decisions=st.lists(st.tuples(texts, st.one_of(st.just(""), texts))),
    context=st.lists(texts, max_size=4).map("\n".join),
)


@given(documents, texts, st.one_of(st.none(), st.integers(0, 100)))
def test_whatever_was_said_the_sections_are_the_documents_own(
    document: HandoffDocument, task: str, progress: int | None
) -> None:
    document.current_task, document.progress = task, progress
    text = render_handoff(document)
    assert re.findall("^## .*", text, re.MULTILINE) == re.findall(
        "^## .*", TEMPLATE.read_text(), re.MULTILINE
    )
    for title, items in (("COMPLETED", document.completed), ("BLOCKING ISSUES", document.issues)):
        body = text.partition(f"## {title}\n")[2].partition("\n\n")[0]
        assert body == ("\n".join(f"- {item}" for item in items) or NOTHING)


@given(st.binary(max_size=400))
def test_any_bytes_in_a_planning_folder_or_focus_file_are_survived(data: bytes) -> None:
    with TemporaryDirectory() as root:
        folder = Path(root) / ".planning"
        folder.mkdir()
        (Path(root) / ".claude").mkdir()
        (Path(root) / ".claude/active-focus.md").write_bytes(data)
        for name in ("STATE.md", "PLAN.md", "ROADMAP.md"):
            (folder / name).write_bytes(data)
        read_planning(root)
        assert feature_of(root, SessionState())


@given(st.binary(max_size=200), st.text(max_size=20))
def test_any_bytes_as_an_offer_are_survived(data: bytes, session_id: str) -> None:
    with TemporaryDirectory() as root:
        folder = Path(offers_folder(root))
        folder.mkdir(parents=True)
        for name in ("x.json", "clear.5.json"):
            (folder / name).write_bytes(data)
        assert announced(root, "x") is None
        assert take_offer(root, "clear", session_id, "5") is None
