"""Patterns taken back from a file are those that were compiled, whatever becomes of the file."""

import gc
import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.hook import keeping
from amplihack_compaction.hook.keeping import keep_compiled
from amplihack_compaction.patterns import compiled as module
from amplihack_compaction.patterns.compiled import Programs, compiled
from amplihack_compaction.patterns.patterns import Lazy
from tests.publish_patterns import lazy_sources, sources

NAMED = (r"(?P<port>\d+)/(?:tcp|udp)(?P<rest>.*)", int(re.IGNORECASE | re.DOTALL))
PLAIN = ("nev(er|ah)", 0)


def kept(path: Path, *patterns: tuple[str, int]) -> Path:
    """Write the file of these patterns."""
    programs = Programs(str(path))
    for pattern in patterns:
        programs.compiled(*pattern)
    path.write_bytes(programs.to_be_kept())
    return path


def test_a_pattern_is_taken_back_as_it_was_compiled(tmp_path: Path) -> None:
    programs = Programs(str(kept(tmp_path / "file", NAMED, PLAIN)))
    for pattern in (NAMED, PLAIN):
        taken, made = programs.compiled(*pattern), re.compile(*pattern)
        assert taken == made
        assert (taken.flags, taken.groups, taken.groupindex) == (
            made.flags, made.groups, made.groupindex,
        )  # fmt: skip
    found = programs.compiled(*NAMED).match("80/TCP\nx")
    assert found is not None
    assert (found["port"], found["rest"], found.lastgroup) == ("80", "\nx", "rest")
    assert not programs.new


def test_every_pattern_of_the_package_can_be_kept(tmp_path: Path) -> None:
    list(lazy_sources())  # loads all modules
    patterns = {value.given for value in gc.get_objects() if isinstance(value, Lazy)}
    patterns |= {(source, int(re.IGNORECASE)) for source in sources()}
    taken = Programs(str(kept(tmp_path / "file", *patterns)))
    assert all(taken.compiled(*pattern) == re.compile(*pattern) for pattern in patterns)
    assert not taken.new
    assert len(patterns) > 500


def test_what_is_new_comes_beside_what_is_known(tmp_path: Path) -> None:
    path = kept(tmp_path / "file", NAMED)
    programs = Programs(str(path))
    programs.compiled(*NAMED)
    programs.compiled(*PLAIN)
    assert list(programs.new) == [PLAIN]
    path.write_bytes(programs.to_be_kept())
    both = Programs(str(path))
    both.compiled(*NAMED)
    both.compiled(*PLAIN)
    assert not both.new
    assert both.to_be_kept() == b""


def test_a_pattern_of_other_flags_is_another(tmp_path: Path) -> None:
    programs = Programs(str(kept(tmp_path / "file", PLAIN)))
    assert programs.compiled(PLAIN[0], int(re.IGNORECASE)).match("NEVER")
    assert not programs.compiled(*PLAIN).match("NEVER")


@given(st.data())
def test_a_file_that_was_changed_is_not_believed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = kept(tmp_path_factory.mktemp("kept") / "file", NAMED, PLAIN)
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    torn, byte = data.draw(st.booleans()), data.draw(st.integers(0, 255))
    path.write_bytes(whole[:at] if torn else whole[:at] + bytes([byte]) + whole[at + 1 :])
    programs = Programs(str(path))
    assert programs.compiled(*PLAIN) == re.compile(*PLAIN)
    assert programs.compiled(*NAMED) == re.compile(*NAMED)


@pytest.mark.parametrize(("name", "other"), [("_INTERPRETER", "cpython 9.9.9"), ("_VERSION", 2)])
def test_the_file_of_another_interpreter_or_version_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, other: object
) -> None:
    path = kept(tmp_path / "file", PLAIN)
    monkeypatch.setattr(module, name, other)
    programs = Programs(str(path))
    assert programs.compiled(*PLAIN) == re.compile(*PLAIN)
    assert list(programs.new) == [PLAIN]


def test_where_an_interpreter_is_other_inside_patterns_are_compiled_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept(tmp_path / "file", PLAIN)
    monkeypatch.setitem(sys.modules, "_sre", None)
    programs = Programs(str(path))
    assert programs.compiled(*PLAIN) == re.compile(*PLAIN)
    assert programs.to_be_kept() == b""


def put_folder(path: Path) -> None:
    path.mkdir()


def put_link(path: Path) -> None:
    path.symlink_to(kept(path.with_name("elsewhere"), PLAIN))


def put_pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("put", [put_folder, put_link, put_pipe])
def test_what_is_no_file_is_not_read(tmp_path: Path, put: object) -> None:
    assert callable(put)
    put(tmp_path / "file")
    programs = Programs(str(tmp_path / "file"))
    assert programs.compiled(*PLAIN) == re.compile(*PLAIN)
    assert list(programs.new) == [PLAIN]


def test_a_hook_keeps_what_it_compiled_and_nothing_without_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    programs = use(monkeypatch, tmp_path / "file")
    keep_compiled()
    assert list(tmp_path.iterdir()) == []
    programs.compiled(*PLAIN)
    dead = tmp_path / "file.1.aa.tmp"
    dead.touch()
    os.utime(dead, (0, 0))
    keep_compiled()
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600


def test_where_modules_are_not_kept_patterns_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    use(monkeypatch, tmp_path / "file").compiled(*PLAIN)
    keep_compiled()
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_kept_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setitem(sys.modules, "_sre", None)
    use(monkeypatch, tmp_path / "file").compiled(*PLAIN)
    keep_compiled()
    assert list(tmp_path.iterdir()) == []


def test_where_no_folder_for_modules_is_nothing_is_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    programs = use(monkeypatch, tmp_path / "nothing" / "file")
    programs.compiled(*PLAIN)
    asked: list[str] = []
    monkeypatch.setattr(module, "_program_of", lambda source, _: asked.append(source))
    keep_compiled()
    assert not asked
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_grew_beyond_all_bounds_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept(tmp_path / "file", NAMED, PLAIN)
    large = path.stat().st_size
    monkeypatch.setattr(module, "LIMIT_BYTES", large - 1)
    programs = Programs(str(path))
    programs.compiled(*PLAIN)
    assert list(programs.new) == [PLAIN]
    path.write_bytes(programs.to_be_kept())
    assert path.stat().st_size < large
    assert Programs(str(path)).compiled(*PLAIN) == re.compile(*PLAIN)


def test_what_cannot_be_written_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "file").mkdir()
    use(monkeypatch, tmp_path / "file").compiled(*PLAIN)
    keep_compiled()
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def use(monkeypatch: pytest.MonkeyPatch, path: Path) -> Programs:
    """Let hooks keep patterns in another file."""
    programs = Programs(str(path))
    monkeypatch.setattr(keeping, "PROGRAMS", programs)
    return programs


def test_the_packages_patterns_are_compiled_through_its_file() -> None:
    assert compiled(r"\d+") == re.compile(r"\d+")
