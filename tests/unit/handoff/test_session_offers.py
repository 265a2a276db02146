"""Offers between sessions: only ended ones, each once, and never one that runs beside."""

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from amplihack_compaction.handoff.session_offers import (
    OFFER_SECONDS,
    PAIR_SECONDS,
    Offer,
    announce,
    announced,
    forget_end,
    mark_ended,
    offers_folder,
    pair_clear,
    take_offer,
    withdraw,
)
from tests.support.captured import payload
from tests.support.processes import run_in_process

SNAPSHOT = "20260201-143022-a1b2"


@pytest.fixture
def offer(project: Path) -> Offer:
    """Return an offer whose session has written its transcript a while ago."""
    path = project / "t.jsonl"
    path.write_text("")
    os.utime(path, (1_000_000, 1_000_000))
    return Offer(session_id="old", snapshot=SNAPSHOT, transcript_path=str(path))


def test_a_running_session_is_not_offered(project: Path, offer: Offer) -> None:
    announce(str(project), offer)
    assert take_offer(str(project), "startup", "new", "7") is None
    assert announced(str(project), "old") is not None


def test_an_ended_session_is_offered_once(project: Path, offer: Offer) -> None:
    root = str(project)
    announce(root, offer)
    mark_ended(root, "old")
    taken = take_offer(root, "startup", "new", "7")
    assert taken is not None
    assert (taken.session_id, taken.snapshot) == ("old", SNAPSHOT)
    assert take_offer(root, "startup", "newer", "8") is None
    assert os.listdir(offers_folder(root)) == []


def test_a_session_is_not_offered_to_itself(project: Path, offer: Offer) -> None:
    announce(str(project), offer)
    mark_ended(str(project), "old")
    assert take_offer(str(project), "startup", "old", "5") is None


def test_a_session_that_went_on_after_its_end_is_not_offered(project: Path, offer: Offer) -> None:
    root = str(project)
    announce(root, offer)
    mark_ended(root, "old")
    later = time.time() + 600
    os.utime(offer.transcript_path, (later, later))
    assert take_offer(root, "startup", "new", "7") is None
    os.utime(offer.transcript_path, (1, 1))
    forget_end(root, "old")
    assert take_offer(root, "startup", "new", "7") is None


def test_a_new_offer_takes_an_earlier_end_back(project: Path, offer: Offer) -> None:
    root = str(project)
    mark_ended(root, "old")
    announce(root, offer)
    assert take_offer(root, "startup", "new", "7") is None


def test_an_offer_by_hand_of_an_ended_session_is_offered(project: Path, offer: Offer) -> None:
    root = str(project)
    mark_ended(root, "old")
    announce(root, offer, by_hand=True)
    found = take_offer(root, "startup", "new", "6")
    assert found is not None
    assert (found.session_id, found.snapshot) == (offer.session_id, offer.snapshot)


def test_an_offer_by_hand_of_a_session_that_went_on_waits_for_its_end(
    project: Path, offer: Offer
) -> None:
    root = str(project)
    mark_ended(root, "old")
    Path(offer.transcript_path).parent.mkdir(parents=True, exist_ok=True)
    Path(offer.transcript_path).write_text("{}\n")
    later = time.time() + 3600
    os.utime(offer.transcript_path, (later, later))
    announce(root, offer, by_hand=True)
    assert take_offer(root, "startup", "new", "6") is None


def test_an_offer_lasts_a_day(project: Path, offer: Offer) -> None:
    root = str(project)
    announce(root, replace(offer, at=time.time() - OFFER_SECONDS - 5))
    mark_ended(root, "old")
    assert take_offer(root, "startup", "new", "7") is None
    assert os.listdir(offers_folder(root)) == []


def test_clear_gives_the_session_of_the_same_client(project: Path, offer: Offer) -> None:
    root = str(project)
    for name, pid in (("mine", "5"), ("beside", "6")):
        announce(root, replace(offer, session_id=name))
        mark_ended(root, name)
        pair_clear(root, pid, replace(offer, session_id=name))
    taken = take_offer(root, "clear", "new", "5")
    assert taken is not None
    assert taken.session_id == "mine"
    # Neither again, nor what another client has cleared a moment ago.
    assert take_offer(root, "clear", "newer", "5") is None
    assert take_offer(root, "startup", "newer", "") is None


def test_an_old_pair_is_of_another_process(project: Path, offer: Offer) -> None:
    root = str(project)
    pair_clear(root, "5", replace(offer, at=time.time() - PAIR_SECONDS - 5))
    assert take_offer(root, "clear", "new", "5") is None


def test_after_clear_without_a_pair_an_ended_session_is_offered(
    project: Path, offer: Offer
) -> None:
    announce(str(project), offer)
    mark_ended(str(project), "old")
    assert take_offer(str(project), "clear", "new", "") is not None


def test_a_handoff_stays_named_when_the_snapshot_is_refreshed(project: Path, offer: Offer) -> None:
    announce(str(project), replace(offer, handoff="/h.txt"))
    announce(str(project), offer)
    known = announced(str(project), "old")
    assert known is not None
    assert known.handoff == "/h.txt"


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"version": 9, "at": 1}', '{"version": 1, "at": "x"}',
                '{"version": 1, "at": 1, "session_id": 5}']
)  # fmt: skip
def test_what_is_no_offer_is_passed_over_and_left_alone(project: Path, content: str) -> None:
    folder = Path(offers_folder(str(project)))
    folder.mkdir(parents=True)
    path = folder / "x.json"
    path.write_text(content)
    assert take_offer(str(project), "startup", "new", "7") is None
    assert path.exists()
    os.utime(path, (1, 1))
    assert take_offer(str(project), "startup", "new", "7") is None
    assert path.exists()  # whatever it is, it is not this package's to remove


def test_an_end_that_cannot_be_understood_is_none(project: Path, offer: Offer) -> None:
    root = str(project)
    announce(root, offer)
    mark_ended(root, "old")
    path = project / ".claude/runtime/power-steering/sessions/old/ended"
    path.write_text(json.dumps({"at": "yesterday"}))
    assert take_offer(root, "startup", "new", "7") is None


def test_a_withdrawn_offer_is_gone(project: Path, offer: Offer) -> None:
    announce(str(project), offer)
    withdraw(str(project), "old")
    withdraw(str(project), "old")
    assert announced(str(project), "old") is None


def test_nothing_is_removed_or_read_through_a_linked_folder(tmp_path: Path, project: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "thesis.json").write_text("mine")
    os.utime(documents / "thesis.json", (1, 1))
    (documents / "a.tmp").write_text("mine too")
    os.utime(documents / "a.tmp", (1, 1))
    folder = Path(offers_folder(str(project)))
    folder.parent.mkdir(parents=True)
    folder.symlink_to(documents)
    start = payload("SessionStart.startup", transcript_path="/none.jsonl")
    assert run_in_process("SessionStart", start, project).stdout == ""
    end = payload("SessionEnd.other", transcript_path="/none.jsonl")
    assert run_in_process("SessionEnd", end, project).stdout == ""
    assert sorted(os.listdir(documents)) == ["a.tmp", "thesis.json"]


def test_a_session_of_which_nothing_was_kept_leaves_nothing_at_its_end(project: Path) -> None:
    end = payload("SessionEnd.other", transcript_path="/none.jsonl")
    assert run_in_process("SessionEnd", end, project).stdout == ""
    assert os.listdir(project) == []
