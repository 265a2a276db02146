"""Marks by which a user's own state is told."""

from pathlib import Path

import pytest

from amplihack_compaction.base.signature import is_marked, key_path, mark_of, own_part, signed


def test_what_was_signed_is_given_back_as_it_was() -> None:
    data = b'{"version": 1, "text": "Never push."}\n'
    assert own_part(signed(data, "ledger"), "ledger") == data
    assert Path(key_path()).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("changed", [b"", b"{}", b'{"version": 1}', b'{"mark": "', b"x" * 99])
def test_what_was_not_signed_is_not_his(changed: bytes) -> None:
    mark_of(b"", "ledger")
    assert own_part(changed, "ledger") is None


def test_a_change_another_place_and_another_key_tell() -> None:
    made = signed(b'{"text": "Never push."}', "ledger")
    assert own_part(made.replace(b"Never", b"Always"), "ledger") is None
    assert own_part(made, "offer") is None
    Path(key_path()).unlink()
    assert own_part(made, "ledger") is None
    signed(b"{}", "ledger")
    assert own_part(made, "ledger") is None


def test_a_file_is_bound_to_its_place_in_a_session_which_may_move(tmp_path: Path) -> None:
    made = signed(b'{"a": 1}', "/home/a/p/.claude/runtime/power-steering/sessions/s/ledger.json")
    assert own_part(made, "/elsewhere/sessions/s/ledger.json") is not None
    assert own_part(made, "/home/a/p/.claude/runtime/power-steering/sessions/t/ledger.json") is None
    (tmp_path / "linked").symlink_to(tmp_path)
    made = signed(b'{"a": 1}', f"{tmp_path}/offers/s.json")
    assert own_part(made, f"{tmp_path}/linked/offers/s.json") is not None
    assert own_part(made, "/another/offers/s.json") is None


@pytest.mark.parametrize("home", ["keys", "/dev/null/x"])
def test_where_no_key_can_be_kept_nothing_is_his(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: str
) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_HOME", home)
    monkeypatch.chdir(tmp_path)
    assert mark_of(b"x", "pending") == ""
    assert signed(b'{"a": 1}', "ledger") == b'{"a": 1}'
    assert not is_marked(b"x", "pending", "")
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_is_torn_is_none() -> None:
    mark = mark_of(b"x", "pending")
    Path(key_path()).write_text("not hexadecimal")
    assert not is_marked(b"x", "pending", mark)
    assert mark_of(b"x", "pending") == ""
