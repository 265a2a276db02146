"""Everything that was left out comes back, and only our own unused copies are deleted."""

import json
import os
import time
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import CopyError
from amplihack_compaction.compactor.transcripts.copied_lines import follow
from amplihack_compaction.compactor.transcripts.copy_plan import Original
from amplihack_compaction.compactor.transcripts.expand import (
    delete_copy,
    find_copy,
    list_copies,
    recall_part,
)
from amplihack_compaction.compactor.transcripts.make_copy import make_copy, preview_copy
from amplihack_compaction.compactor.transcripts.manifest import manifest_path, read_head
from tests.support.signing import signed_text
from tests.support.transcripts import Transcript
from tests.unit.compactor.transcripts.sessions_to_copy import (
    LONG,
    SMALL,
    copied,
    entries,
    files_below,
    left_out,
    placed,
)


def test_every_part_comes_back_as_it_stood(project: Path) -> None:
    original = placed(project)
    copy = copied(original)
    lines = entries(original.path)
    for part in left_out(original, copy):
        recalled = recall_part(str(project), f"{copy.head.session_id[:8]}.{part.n}")
        value = follow(lines[part.line], tuple(part.pointer))
        if part.kind == "image":
            assert (recalled.data, recalled.media_type) == (b"hi", "image/png")
        elif part.kind == "thinking":
            assert recalled.text == value["thinking"]
        else:
            assert recalled.text == value


def test_a_placeholder_as_it_stands_in_the_copy_names_its_part(project: Path) -> None:
    copy = copied(placed(project))
    text = next(
        line["message"]["content"][0]["content"]
        for line in entries(copy.head.copy_path)
        if "toolUseResult" in line and "cat log again" in str(line["message"])
    )
    assert recall_part(str(project), text).text == LONG + "1"


def test_a_command_that_looks_like_an_id_is_not_taken_for_one(project: Path) -> None:
    copy = copied(placed(project))
    text = f"[Left out: output of `cat deadbeef.12`. See it: expand {copy.head.session_id[:8]}.1]"
    assert recall_part(str(project), text).text.startswith("I think")


def test_secrets_in_a_command_do_not_reach_the_manifest(project: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    transcript = Transcript()
    transcript.user("Call.")
    transcript.tool("Bash", {"command": f"curl -H 'key: {token}'"}, LONG)
    transcript.user("Next.")
    transcript.assistant("Done.")
    copy = copied(placed(project, transcript))
    path = Path(manifest_path(str(project), copy.head.session_id))
    assert token not in path.read_text()
    assert "[redacted:github-token]" in path.read_text()


def test_what_a_killed_run_left_is_forgotten_after_an_hour(project: Path) -> None:
    original = placed(project)
    tasks = Path(original.path).parents[2] / "tasks"
    (tasks / original.session_id).mkdir(parents=True)
    (tasks / original.session_id / "1.json").write_text("{}")
    lost, young, used = (copied(original).head for _ in range(3))
    for head in (lost, young):
        Path(head.copy_path).unlink()
    for head in (lost, used):
        os.utime(manifest_path(str(project), head.session_id), (time.time() - 7200,) * 2)
    newest = copied(original).head
    known = {head.session_id for _, head in list_copies(str(project)) if head}
    assert known == {young.session_id, used.session_id, newest.session_id}
    assert not (tasks / lost.session_id).exists()
    assert (tasks / young.session_id / "1.json").exists()


@pytest.mark.parametrize(
    ("placeholder", "message"),
    [("seventeen", "look like"), ("00000000.1", "no copy whose"), ("{}.999", "no placeholder")],
)
def test_what_is_no_placeholder_is_said(project: Path, placeholder: str, message: str) -> None:
    copy = copied(placed(project))
    with pytest.raises(CopyError, match=message):
        recall_part(str(project), placeholder.format(copy.head.session_id[:8]))


def test_a_placeholder_of_another_session_is_said(project: Path) -> None:
    copy = copied(placed(project))
    with pytest.raises(CopyError, match="is no placeholder of session"):
        recall_part(str(project), "00000000.1", copy.head.session_id)


def test_an_original_that_changed_or_is_gone_is_not_quoted(project: Path) -> None:
    original = placed(project)
    copy = copied(original)
    identifier = f"{copy.head.session_id[:8]}.1"
    data = Path(original.path).read_bytes()
    Path(original.path).write_bytes(data.replace(b"I think", b"I knew "))
    with pytest.raises(CopyError, match="is not what it was"):
        recall_part(str(project), identifier)
    Path(original.path).unlink()
    with pytest.raises(CopyError, match="cannot be read"):
        recall_part(str(project), identifier)


def test_an_original_that_only_grew_still_gives_its_parts(project: Path) -> None:
    original = placed(project)
    copy = copied(original)
    with Path(original.path).open("ab") as stream:
        stream.write(b'{"type":"user"}\n')
    assert recall_part(str(project), f"{copy.head.session_id[:8]}.1").text.startswith("I think")


def test_lists_urls_and_broken_images_come_back_as_what_they_are(project: Path) -> None:
    transcript = Transcript()
    transcript.user("Call.")
    texts = [{"type": "text", "text": LONG}, {"type": "text", "text": "end"}]
    broken = {"type": "image", "source": {"type": "base64", "data": "no base64!"}}
    linked = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
    transcript.tool("mcp__a__b", {}, texts)  # type: ignore[arg-type]
    transcript.tool("mcp__a__c", {}, [broken, linked])  # type: ignore[arg-type]
    transcript.user("Next.")
    transcript.assistant("Done.")
    copy = copied(placed(project, transcript))
    told = [recall_part(str(project), f"{copy.head.session_id[:8]}.{n}") for n in (1, 2, 3)]
    assert [one.text for one in told] == [
        f"{LONG}\nend", "no base64!", "https://example.com/a.png",
    ]  # fmt: skip


def test_a_pointer_that_leads_nowhere_is_said(project: Path) -> None:
    original = placed(project)
    copy = copied(original)
    path = Path(manifest_path(str(project), copy.head.session_id))
    lines = path.read_text().splitlines()
    for pointer in (["message", "nothing"], ["message", "content", "x"], ["isSidechain"]):
        lines[1] = json.dumps({**json.loads(lines[1]), "pointer": pointer}, separators=(",", ":"))
        path.write_text("\n".join(lines))
        with pytest.raises(CopyError, match="has no such part"):
            recall_part(str(project), f"{copy.head.session_id[:8]}.1")


def test_taking_back_leaves_what_was_there_before(project: Path) -> None:
    original = placed(project)
    tasks = Path(original.path).parents[2] / "tasks" / original.session_id
    tasks.mkdir(parents=True)
    (tasks / "1.json").write_text("{}")
    before = files_below(project.parent)
    copy = copied(original)
    assert delete_copy(str(project), copy.head.session_id[:8]).session_id == copy.head.session_id
    assert [name for name in files_below(project.parent) if ".gitignore" not in name] == before
    with pytest.raises(CopyError, match="no copy whose"):
        delete_copy(str(project), copy.head.session_id)


def test_a_copy_that_was_used_needs_force(project: Path) -> None:
    copy = copied(placed(project))
    path = Path(copy.head.copy_path)
    with path.open("ab") as stream:
        stream.write(b'{"type":"user"}\n')
    with pytest.raises(CopyError, match="went on after"):
        delete_copy(str(project), copy.head.session_id)
    assert path.exists()
    delete_copy(str(project), copy.head.session_id, force=True)
    assert not path.exists()


def test_the_last_that_is_left_of_a_session_needs_force(project: Path) -> None:
    original = placed(project)
    copy = copied(original)
    Path(original.path).unlink()
    with pytest.raises(CopyError, match="this copy is all that is left"):
        delete_copy(str(project), copy.head.session_id)
    assert Path(copy.head.copy_path).exists()
    delete_copy(str(project), copy.head.session_id, force=True)
    assert not Path(copy.head.copy_path).exists()


def test_a_copy_that_was_changed_needs_force(project: Path) -> None:
    copy = copied(placed(project))
    path = Path(copy.head.copy_path)
    path.write_bytes(path.read_bytes()[:-2] + b"?\n")
    with pytest.raises(CopyError, match="went on after"):
        delete_copy(str(project), copy.head.session_id)


def test_a_copy_that_another_was_made_of_is_taken_back_last(project: Path) -> None:
    first = copied(placed(project))
    original = Original(
        path=first.head.copy_path, session_id=first.head.session_id, root=str(project)
    )
    with Path(original.path).open("ab") as stream:
        stream.write(b'{"type":"api-request"}\n')
    second = make_copy(preview_copy(original, SMALL))
    Path(original.path).write_bytes(
        Path(original.path).read_bytes().removesuffix(b'{"type":"api-request"}\n')
    )
    with pytest.raises(CopyError, match="is a copy of this copy"):
        delete_copy(str(project), first.head.session_id)
    delete_copy(str(project), second.head.session_id)
    delete_copy(str(project), first.head.session_id)


@pytest.mark.parametrize(
    "values",
    [
        {"length": 10**15}, {"length": -1}, {"length": 0},
        {"offset": -1}, {"offset": 2**70}, {"offset": 10**15},
    ],
)  # fmt: skip
def test_a_manifest_with_places_that_no_file_has_is_an_error(
    project: Path, values: dict[str, int]
) -> None:
    copy = copied(placed(project))
    path = Path(manifest_path(str(project), copy.head.session_id))
    head, first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([head, json.dumps({**json.loads(first), **values}), *rest]))
    with pytest.raises(CopyError):
        recall_part(str(project), f"{copy.head.session_id[:8]}.1")


def test_a_link_in_the_place_of_a_copy_stays(project: Path) -> None:
    copy = copied(placed(project))
    path = Path(copy.head.copy_path)
    path.rename(project / "kept.jsonl")
    path.symlink_to(project / "kept.jsonl")
    with pytest.raises(CopyError, match="no regular file"):
        delete_copy(str(project), copy.head.session_id, force=True)
    assert path.is_symlink()


def test_a_copy_whose_file_is_gone_can_be_forgotten(project: Path) -> None:
    copy = copied(placed(project))
    Path(copy.head.copy_path).unlink()
    delete_copy(str(project), copy.head.session_id)
    assert list_copies(str(project)) == []


def test_copies_are_listed_with_those_that_cannot_be_used(project: Path) -> None:
    copy = copied(placed(project))
    torn = Path(manifest_path(str(project), "torn"))
    newer = Path(manifest_path(str(project), "newer"))
    for path, text in ((torn, '{"version": 1}'), (newer, '{"version": 2}')):
        path.parent.mkdir(parents=True)
        path.write_text(signed_text(text, path))
    heads = [head.session_id if head else None for _, head in list_copies(str(project))]
    assert heads == [None, None, copy.head.session_id]
    with pytest.raises(CopyError, match="is torn"):
        read_head(str(torn))
    with pytest.raises(CopyError, match="update amplihack-compaction"):
        read_head(str(newer))
    with pytest.raises(CopyError, match="cannot read"):
        read_head(f"{torn}.gone")


def test_a_beginning_that_two_copies_have_is_not_enough(project: Path) -> None:
    original = placed(project)
    copied(original)
    head = copied(original).head
    twin = Path(manifest_path(str(project), f"{head.session_id[:8]}-other"))
    twin.parent.mkdir()
    twin.write_text("{}")
    with pytest.raises(CopyError, match="several copies begin"):
        find_copy(str(project), head.session_id[:8])
    for named in ("", "../x", "zzz"):
        with pytest.raises(CopyError, match="no copy whose"):
            find_copy(str(project), named)


def test_nothing_is_read_through_a_linked_folder(project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    os.symlink(tmp_path / "elsewhere", project / ".claude")
    with pytest.raises(CopyError, match="is a link"):
        list_copies(str(project))
