"""Whatever a folder holds: a change and its revert are the identity."""

import os
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.compactor.backups.change_history import list_entries
from amplihack_compaction.compactor.backups.changes import revert_change
from amplihack_compaction.compactor.backups.folder import Folder, read_tree
from tests.support.trees import picture, replace_contents

# Any bytes but the two that no name can hold; short, for the file system's limit of 255.
NAMES = (
    st.binary(min_size=1, max_size=12)
    .map(lambda name: name.replace(b"/", b"_").replace(b"\0", b"_"))
    .filter(lambda name: name not in (b".", b"..", b".compaction"))
)
CONTENTS = st.binary(max_size=60) | st.sampled_from([b"", b"# A\r\n\r\n", "日本語\n".encode()])
FILES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=3).map(tuple),
    st.tuples(CONTENTS, st.sampled_from([0o600, 0o644, 0o755, 0o444]), st.integers(0, 2**60)),
    min_size=1,
    max_size=6,
)


def build(folder: Path, files: dict[tuple[bytes, ...], tuple[bytes, int, int]]) -> None:
    for parts, (content, mode, mtime_ns) in files.items():
        path = Path(os.fsdecode(os.path.join(os.fsencode(folder), *parts)))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError:  # a file in the way of a folder, or the other way round
            continue
        os.chmod(path, mode)
        os.utime(path, ns=(mtime_ns, mtime_ns))


@given(FILES, st.lists(st.tuples(st.integers(0, 9), CONTENTS | st.none()), max_size=6), st.data())
def test_a_change_and_its_revert_are_the_identity(
    files: dict[tuple[bytes, ...], tuple[bytes, int, int]],
    wishes: list[tuple[int, bytes | None]],
    data: st.DataObject,
) -> None:
    with tempfile.TemporaryDirectory() as above:
        path = Path(above, "feature")
        path.mkdir()
        build(path, files)
        (path / "link").symlink_to("/nowhere")
        before = picture(path)
        with Folder(str(path)) as folder:
            known = sorted(read_tree(folder).files)
            changes: dict[str, bytes | None] = {}
            for number, content in wishes:
                if number < len(known):
                    changes[known[number]] = content
                elif content is not None:
                    changes[f"new {number}"] = content
            if not changes:
                return
            entry = replace_contents(folder, changes).entry
            assert list_entries(folder) == ([entry], [])
            for name, content in changes.items():
                now = folder.stat(name)
                assert (now is None) == (content is None)
            if data.draw(st.booleans()):
                revert_change(folder, entry.id)
                assert picture(path) == before


@given(st.binary(max_size=300))
def test_no_entry_file_breaks_the_reader(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as above, Folder(above) as folder:
        folder.write_new(".compaction/backup/20260201-143022-a1b2c3d4/entry.json", content)
        entries, problems = list_entries(folder)
        assert len(entries) + len(problems) == 1
        try:
            revert_change(folder, "20260201-143022-a1b2c3d4")
        except BackupError:
            return
        raise AssertionError
