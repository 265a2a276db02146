"""The reason that a text gives, before or behind what it gives it for."""

import pytest

from amplihack_compaction.text.reasons import reason_of


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Use SQLite because it needs no server. Then go on.", "it needs no server"),
        ("Wir nehmen Redis, weil der Cache klein ist.", "der Cache klein ist"),
        ("用 SQLite，因为不需要服务器。", "不需要服务器"),
        ("まず、サーバーが要らないので、SQLite にします。", "サーバーが要らない"),
        ("좋아요, 서버가 없기 때문에 SQLite로 가자", "서버가 없기 때문에"),
        ("軽いから、because を使う because of it", "軽い"),
        ("Use SQLite.", ""),
        ("", ""),
    ],
)
def test_a_reason_ends_with_its_sentence_or_its_marker(text: str, reason: str) -> None:
    assert reason_of(text) == reason


def test_a_long_reason_is_cut() -> None:
    assert len(reason_of("Use it because " + "it is small and " * 100)) <= 300
