import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

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
    assert len(os.listdir(str(cache.folder))) == 2


def test_the_entry_used_longest_ago_goes_first(cache: TokenCache) -> None:
    folder = Path(str(cache.folder))
    recent = time.time() - 2000
    for n in range(CACHE_ENTRIES):
        cache.put(key(str(n)), kept(n))
        os.utime(folder / key(str(n)), (recent + n, recent + n))
    assert cache.get(key("0")) is not None
    cache.put(key("one more"), kept())
    assert cache.stats()["size"] == CACHE_ENTRIES - 100
    assert cache.get(key("0")) is not None
    assert [cache.get(key(str(n))) for n in (1, 101)] == [None, None]
    assert cache.get(key("102")) is not None


def test_the_folder_is_not_looked_through_with_each_count(
    cache: TokenCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    scan = os.scandir

    def look(folder: str) -> Any:
        looked.append(folder)
        return scan(folder)

    monkeypatch.setattr(os, "scandir", look)
    for n in range(2 * CACHE_ENTRIES):
        cache.put(key(str(n)), kept(n))
        assert n % 100 or len(os.listdir(str(cache.folder))) <= CACHE_ENTRIES
    assert len(looked) <= 2 * CACHE_ENTRIES / 100 + 1


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


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"version": 2, "count": 1, "precision": 1, "counted": 99999999999}',
        b'{"version": 1, "count": "1", "precision": 1, "counted": 1}',
        b'{"version": 1, "count": -1, "precision": 1, "counted": NOW}',
        b'{"version": 1, "count": 1, "precision": null, "counted": NOW}',
        b'{"version": 1, "count": 1, "precision": 1, "counted": NaN}',
        b'{"version": 1, "count": true, "precision": 1, "counted": NOW}',
        b'{"version": 1, "count": 1' + b"0" * 400 + b', "precision": 1, "counted": NOW}',
        b'{"version": 1, "count": 1, "precision": 1, "counted": 1' + b"0" * 400 + b"}",
        b'{"version": 1, "count": 1, "precision": 1e9, "counted": NOW}',
        b"x" * 5000,
    ],
)
def test_a_torn_or_foreign_entry_is_a_miss(content: bytes, cache: TokenCache) -> None:
    cache.put(key("a"), kept())
    path = Path(str(cache.folder)) / key("a")
    path.write_bytes(content.replace(b"NOW", str(time.time()).encode()))
    assert cache.get(key("a")) is None
    cache.put(key("a"), kept(3))
    assert cache.get(key("a")) is not None


def test_the_next_process_removes_what_is_older_than_an_hour(cache: TokenCache) -> None:
    cache.put(key("old"), kept())
    path = Path(str(cache.folder)) / key("old")
    os.utime(path, (time.time() - 3700, time.time() - 3700))
    TokenCache(cache.folder).put(key("new"), kept())
    assert not path.exists()


def test_what_a_dead_process_left_is_removed_after_an_hour(cache: TokenCache) -> None:
    cache.put(key("a"), kept())
    folder = Path(str(cache.folder))
    old, new = (folder / f"{key(name)}.12.ab.tmp" for name in ("b", "c"))
    old.write_bytes(b"{")
    new.write_bytes(b"{")
    os.utime(old, (1, 1))
    TokenCache(cache.folder).put(key("d"), kept())
    assert (old.exists(), new.exists()) == (False, True)


def test_a_folder_that_cannot_be_used_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = TokenCache(tmp_path / "file" / "counts")
    cache.put(key("a"), kept())
    cache.note(True)
    cache.clear()
    assert cache.get(key("a")) is None
    assert cache.stats() == {"size": 0, "hits": 0, "misses": 0}


def test_an_entry_removed_by_another_process_meanwhile_still_counts(
    cache: TokenCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put(key("a"), kept())

    def gone(_path: str) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(os, "utime", gone)
    assert cache.get(key("a")) is not None


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
