import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path

import pytest

from amplihack_compaction.context.tokens import count_cache
from amplihack_compaction.context.tokens.count_cache import (
    CACHE_SECONDS,
    CountCache,
    default_folder,
)

MODEL = "claude-sonnet-4-5"


@pytest.fixture
def cache(tmp_path: Path) -> CountCache:
    return CountCache(tmp_path / "counts")


def path_of(cache: CountCache) -> Path:
    return Path(str(cache.folder)) / "counts.db"


def aged(cache: CountCache, text: str, seconds: float) -> None:
    """Keep a count as if so many seconds ago."""
    cache.put(text, MODEL, 7, time.time())
    with closing(sqlite3.connect(path_of(cache))) as database, database:
        key = count_cache._key(text, MODEL)
        database.execute("UPDATE answers SET counted = counted - ? WHERE key = ?", (seconds, key))


def found(cache: CountCache, *texts: str) -> list[str]:
    return [text for text in texts if cache.get(text, MODEL)]


def test_what_was_put_is_found_by_another_instance_for_its_text_and_model(
    cache: CountCache,
) -> None:
    assert cache.get("a", MODEL) is None
    cache.put("a", MODEL, 5, time.time())
    cache.put("\ud800", "", 6, time.time())
    other = CountCache(cache.folder)
    assert [
        count for count, _ in filter(None, (other.get("a", MODEL), other.get("\ud800", "")))
    ] == [5, 6]
    assert [other.get("b", MODEL), other.get("a", "m"), other.get(f"{MODEL}a", "")] == [None] * 3


def test_no_text_is_stored_and_nobody_else_can_read(cache: CountCache) -> None:
    cache.put("the secret", MODEL, 7, time.time())
    folder = path_of(cache).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert b"secret" not in path.read_bytes()


def test_an_entry_counts_for_an_hour(cache: CountCache) -> None:
    ages = {"young": CACHE_SECONDS - 60, "old": CACHE_SECONDS + 1, "ahead": -30, "future": -7200}
    for text, age in ages.items():
        aged(cache, text, age)
    assert found(cache, *ages) == ["young", "ahead"]
    assert cache.size() == 2


def test_of_too_many_the_oldest_goes(cache: CountCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count_cache, "CACHE_ENTRIES", 3)
    for age, text in ((30, "a"), (40, "b"), (20, "c"), (0, "d")):
        aged(cache, text, age)
    cache.put("e", MODEL, 7, time.time())
    assert found(cache, *"abcde") == ["c", "d", "e"]


def test_clearing_forgets_counts_but_touches_nothing_else(cache: CountCache) -> None:
    cache.put("a", MODEL, 7, time.time())
    other = path_of(cache).with_name("notes.txt")
    other.write_text("mine")
    cache.clear()
    assert (cache.size(), other.read_text()) == (0, "mine")


@pytest.mark.parametrize("content", [b"x" * 5000, b"SQLite format 3\0" + b"x" * 5000, b"\xff"])
def test_a_torn_or_foreign_file_holds_nothing_and_is_made_anew(
    content: bytes, cache: CountCache
) -> None:
    cache.put("a", MODEL, 7, time.time())
    path_of(cache).write_bytes(content)
    assert cache.get("a", MODEL) is None
    cache.put("a", MODEL, 3, time.time())
    assert cache.get("a", MODEL) is not None


@pytest.mark.parametrize("count", ["many", None, b"7"])
def test_an_entry_that_is_no_count_is_none(count: object, cache: CountCache) -> None:
    cache.put("a", MODEL, 7, time.time())
    with closing(sqlite3.connect(path_of(cache))) as database, database:
        database.execute("UPDATE OR IGNORE answers SET count = ?", (count,))
    kept = cache.get("a", MODEL)
    assert kept is None or kept[0] == 7


def test_a_link_in_the_files_place_is_not_followed(cache: CountCache, tmp_path: Path) -> None:
    (tmp_path / "counts").mkdir()
    (tmp_path / "counts" / "counts.db").symlink_to(tmp_path / "elsewhere")
    cache.put("a", MODEL, 7, time.time())
    assert cache.get("a", MODEL) is None
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_cannot_be_used_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = CountCache(tmp_path / "file" / "counts")
    cache.put("a", MODEL, 7, time.time())
    cache.clear()
    assert (cache.get("a", MODEL), cache.size()) == (None, 0)


def test_the_users_cache_folder_is_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert CountCache().folder == f"{tmp_path}/xdg/amplihack-compaction/tokens"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == f"{tmp_path}/.cache/amplihack-compaction/tokens"


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "expanduser", homeless)
    cache = CountCache()
    cache.put("a", MODEL, 7, time.time())
    cache.clear()
    assert (cache.get("a", MODEL), cache.size()) == (None, 0)
