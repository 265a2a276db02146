"""A state that was stored is the state that is read, and nothing else is."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.base.files import parse_object
from amplihack_compaction.extract.statements import Rule, SessionState
from amplihack_compaction.ledger.stored import dump_state, load_state, version_of
from tests.support.states import full_state


def stored(**changes: Any) -> bytes:
    return json.dumps({**json.loads(dump_state(full_state())), **changes}).encode()


def test_a_state_round_trips() -> None:
    state = full_state()
    assert load_state(dump_state(state)) == state
    odd = replace(state, rules=(Rule(text="lone \ud800 surrogate"),))
    assert load_state(dump_state(odd)).rules[0].text.startswith("lone ")


def test_what_an_older_version_did_not_store_has_its_default() -> None:
    assert load_state(b"{}") == SessionState()
    assert load_state(b'{"rules": [{"text": "No."}]}').rules == (Rule(text="No."),)


def test_unknown_keys_are_ignored_and_unknown_versions_refused() -> None:
    data = json.loads(dump_state(full_state()))
    data["from_the_future"] = {"x": 1}
    data["rules"][0]["colour"] = "red"
    assert load_state(json.dumps(data).encode()) == full_state()
    with pytest.raises(SnapshotError, match="update amplihack-compaction"):
        load_state(stored(version=2))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"rules": 5}, "rules: not a list"),
        ({"rules": ["No."]}, "rules: a Rule is no object"),
        ({"rules": [{"uuid": "u"}]}, "rules: a Rule lacks what it needs"),
        ({"rules": [{"text": 5}]}, "rules: text: '5' is no str"),
        ({"rules": [{"text": "No.", "kind": "law"}]}, "rules: kind: 'law'"),
        ({"rules": [{"text": "No.", "kind": {}}]}, "rules: kind:"),
        ({"rules": [{"text": "No.", "offset": True}]}, "rules: offset: 'True' is no int"),
        ({"objective": {"text": "Build.", "chance": "high"}}, "objective: chance: 'high'"),
        ({"objective": {"text": "Build.", "chance": math.nan}}, "objective: chance: 'nan'"),
        ({"objective": {"text": "Build.", "chance": 10**400}}, "is no number"),
        ({"rules": [{"text": "lone \ud800 surrogate"}]}, "rules: text: "),
        ({"turns": 1.5}, "turns: '1.5' is no int"),
        ({"phase": None}, "phase: a Phase is no object"),
    ],
)
def test_what_is_no_state_is_refused_and_said(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(SnapshotError, match="the state cannot be read") as error:
        load_state(stored(**changes))
    assert told in str(error.value)


def test_a_refusal_quotes_little() -> None:
    with pytest.raises(SnapshotError) as error:
        load_state(stored(rules=[{"text": "No.", "kind": "law" * 10_000}]))
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"5", b"\xff{}", b"[" * 100_000])
def test_what_is_torn_is_refused_and_has_no_version(data: bytes) -> None:
    assert version_of(parse_object(data)) == 0
    with pytest.raises(SnapshotError, match="cannot be read"):
        load_state(data)


def test_nothing_else_is_stored() -> None:
    with pytest.raises(TypeError):
        dump_state(replace(full_state(), branch=object()))  # type: ignore[arg-type]


def test_a_whole_number_counts_as_a_number() -> None:
    given = stored(objective={"text": "Build.", "chance": 1})
    objective = load_state(given).objective
    assert objective is not None
    assert isinstance(objective.chance, float)
