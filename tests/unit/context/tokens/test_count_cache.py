import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from amplihack_compaction.context.tokens.count_cache import (
    CACHE_ENTRIES,
    CACHE_SECONDS,
    CachedCount,
    TokenCache,
    cache_key,
    default_folder,
)

WRITER = """
import sys, time
sys.path.insert(0, ".")
from amplihack_compaction.context.tokens.count_cache import CachedCount, TokenCache, cache_key
cache = TokenCache(sys.argv[1])
for n in range(100):
    key = cache_key(f"{sys.argv[2]} {n}", "m", "offline", "line")
    cache.put(key, CachedCount(n, 0.9, time.time()))
    common = cache_key(f"common {n % 5}", "m", "offline", "line")
    cache.put(common, CachedCount(n % 5, 0.9, time.time()))
    found = cache.get(common)
    assert found is not None and found.count == n % 5
    cache.note(True)
"""


def key(text: str) -> str:
    return cache_key(text, "model", "offline", "line")


def kept(count: int = 7, age: float = 0.0) -> CachedCount:
    return CachedCount(count, 0.92, time.time() - age)


@pytest.fixture
def cache(tmp_path: Path) -> TokenCache:
    return TokenCache(tmp_path / "counts")


def test_what_was_put_is_found_with_its_precision_and_time(cache: TokenCache) -> None:
    entry = kept()
    assert cache.get(key("a")) is None
    cache.put(key("a"), entry)
    assert cache.get(key("a")) == entry


def test_another_instance_finds_it_too(cache: TokenCache) -> None:
    cache.put(key("a"), kept())
    assert TokenCache(cache.folder).get(key("a")) is not None


def test_the_key_tells_text_model_source_and_calibration_apart() -> None:
    keys = [
        cache_key("a", "m", "api", ""),
        cache_key("b", "m", "api", ""),
        cache_key("a", "n", "api", ""),
        cache_key("a", "m", "offline", ""),
        cache_key("a", "m", "offline", "line"),
        cache_key("am", "", "api", ""),
        cache_key("\ud800", "m", "api", ""),
    ]
    assert len(set(keys)) == len(keys)


def test_no_text_is_stored_and_nobody_else_can_read(cache: TokenCache) -> None:
    cache.put(key("the secret"), kept())
    cache.note(True)
    folder = Path(str(cache.folder))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert b"secret" not in path.read_bytes()


def test_an_entry_counts_for_an_hour(cache: TokenCache) -> None:
    cache.put(key("young"), kept(age=CACHE_SECONDS - 60))
    cache.put(key("old"), kept(age=CACHE_SECONDS + 1))
    cache.put(key("ahead"), kept(age=-30))
    cache.put(key("of the future"), kept(age=-7200))
    found = [name for name in ("young", "old", "ahead", "of the future") if cache.get(key(name))]
    assert found == ["young", "ahead"]
    assert cache.stats()["size"] == 2


def test_the_entry_used_longest_ago_goes_first(cache: TokenCache) -> None:
    for n in range(CACHE_ENTRIES):
        cache.put(key(str(n)), kept(n))
    assert cache.get(key("0")) is not None
    cache.put(key("one more"), kept())
    assert cache.stats()["size"] == CACHE_ENTRIES
    assert cache.get(key("0")) is not None
    assert cache.get(key("1")) is None
    assert cache.get(key("2")) is not None


def test_hits_and_misses_are_counted_across_processes(cache: TokenCache) -> None:
    cache.note(True)
    TokenCache(cache.folder).note(True)
    cache.note(False)
    assert cache.stats() == {"size": 0, "hits": 2, "misses": 1}


def test_clearing_forgets_counts_and_counters_but_touches_nothing_else(cache: TokenCache) -> None:
    cache.put(key("a"), kept())
    cache.note(True)
    other = Path(str(cache.folder)) / "notes.txt"
    other.write_text("mine")
    cache.clear()
    assert cache.stats() == {"size": 0, "hits": 0, "misses": 0}
    assert other.read_text() == "mine"


@pytest.mark.parametrize("content", [b"x" * 5000, b"SQLite format 3\0" + b"x" * 5000, b"\xff"])
def test_a_torn_or_foreign_file_holds_nothing_and_is_made_anew(
    content: bytes, cache: TokenCache
) -> None:
    cache.put(key("a"), kept())
    (Path(str(cache.folder)) / "counts.db").write_bytes(content)
    assert cache.get(key("a")) is None
    cache.put(key("a"), kept(3))
    assert cache.get(key("a")) is not None


@pytest.mark.parametrize("count", ["many", None, b"7"])
def test_an_entry_that_is_no_count_is_none(count: object, cache: TokenCache) -> None:
    cache.put(key("a"), kept())
    with closing(sqlite3.connect(Path(str(cache.folder)) / "counts.db")) as database, database:
        database.execute("UPDATE OR IGNORE kept SET count = ?", (count,))
    found = cache.get(key("a"))
    assert found is None or found.count == 7


def test_a_link_in_the_files_place_is_not_followed(cache: TokenCache, tmp_path: Path) -> None:
    (tmp_path / "counts").mkdir()
    (tmp_path / "counts" / "counts.db").symlink_to(tmp_path / "elsewhere")
    cache.put(key("a"), kept())
    assert cache.get(key("a")) is None
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_cannot_be_used_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = TokenCache(tmp_path / "file" / "counts")
    cache.put(key("a"), kept())
    cache.note(True)
    cache.clear()
    assert cache.get(key("a")) is None
    assert cache.stats() == {"size": 0, "hits": 0, "misses": 0}


def test_the_users_cache_folder_is_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert TokenCache().folder == f"{tmp_path}/xdg/amplihack-compaction/tokens"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == f"{tmp_path}/.cache/amplihack-compaction/tokens"


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "expanduser", homeless)
    cache = TokenCache()
    cache.put(key("a"), kept())
    cache.note(False)
    cache.clear()
    assert cache.get(key("a")) is None
    assert cache.stats() == {"size": 0, "hits": 0, "misses": 0}


def test_parallel_writers_lose_and_tear_nothing(cache: TokenCache) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-I", "-c", WRITER, str(cache.folder), str(n)],
            stderr=subprocess.PIPE,
        )
        for n in range(6)
    ]
    errors = [writer.communicate(timeout=300)[1] for writer in writers]
    assert errors == [b""] * 6
    assert cache.stats() == {"size": 605, "hits": 600, "misses": 0}
    for writer in range(6):
        for n in range(100):
            found = cache.get(key_of(f"{writer} {n}"))
            assert found is not None
            assert found.count == n


def key_of(text: str) -> str:
    return cache_key(text, "m", "offline", "line")
