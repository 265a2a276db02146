import errno
import os
import re
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction import MemoryPruner, PruneResult
from amplihack_compaction.base.errors import (
    BackupError,
    ChangedError,
    CompactionError,
    FeatureError,
)
from amplihack_compaction.base.settings import Settings
from amplihack_compaction.base.timestamps import stamp_of, utc_text
from amplihack_compaction.compactor.archive import pruner as pruning
from amplihack_compaction.compactor.archive import selection
from amplihack_compaction.compactor.archive.archive_folder import (
    document_change,
    list_documents,
    read_archived,
    remove_expired_documents,
)
from amplihack_compaction.compactor.archive.selection import last_change
from amplihack_compaction.compactor.backups import changes
from amplihack_compaction.compactor.backups import folder as folders
from amplihack_compaction.compactor.backups.change_history import list_entries
from amplihack_compaction.compactor.backups.folder import Folder
from amplihack_compaction.compactor.features.feature import PROJECT_CONTEXT
from tests.support.prunable import FILLER, NEW, OLD, OLDER, TODAY, diary, put
from tests.support.sessions import write_own_settings
from tests.support.trees import picture


@pytest.fixture
def login(project: Path) -> Path:
    folder = project / "features" / "login"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def pruner(project: Path, login: Path) -> MemoryPruner:
    return MemoryPruner(project)


def contents(folder: Path, result: PruneResult) -> list[str]:
    with Folder(str(folder)) as opened:
        return [read_archived(opened, part.document)[1].decode() for part in result.archived]


def test_old_sections_go_to_the_archive_and_one_line_tells_of_them(
    login: Path, pruner: MemoryPruner
) -> None:
    path = put(login, "progress.md", diary(OLDER, OLD, NEW))
    result = pruner.prune_feature("login")
    parts = [f"Built part {n} of the form.\n{FILLER * 5}" for n in (0, 1)]
    assert contents(login, result) == [parts[0], f"{parts[1]}\n"]
    [first, second] = result.archived
    assert (first.source, first.heading) == ("progress.md", ("Progress", f"{OLDER} Work"))
    assert (first.first, first.last, first.dated_by) == (OLDER, OLDER, "text")
    assert (first.line, first.lines, second.lines) == (5, 6, 7)
    marker = "[archived: older parts, in .compaction/archived/]"
    assert path.read_text() == (
        f"# Progress\n\n## {OLDER} Work\n\n{marker}\n\n## {OLD} Work\n\n## {NEW} Work\n\n"
        f"Built part 2 of the form.\n{FILLER * 5}\n"
    )
    assert result.tokens_before > result.tokens_after > 0
    assert not result.notices


def test_a_dry_run_says_the_same_and_changes_nothing(login: Path, pruner: MemoryPruner) -> None:
    put(login, "progress.md", diary(OLDER, OLD, NEW))
    before = picture(login)
    planned = pruner.prune_feature("login", dry_run=True)
    assert picture(login) == before
    assert not (login / ".compaction").exists()
    assert (planned.dry_run, planned.history_id) == (True, "")
    done = pruner.prune_feature("login")
    assert [p.digest for p in planned.archived] == [p.digest for p in done.archived]
    assert (planned.tokens_before, planned.tokens_after) == (done.tokens_before, done.tokens_after)


def test_a_second_prune_finds_nothing_and_a_later_one_needs_no_second_line(
    login: Path, pruner: MemoryPruner
) -> None:
    path = put(login, "progress.md", diary(OLDER, OLD, NEW))
    pruner.prune_feature("login")
    now = path.read_text()
    second = pruner.prune_feature("login")
    assert (second.archived, second.history_id) == ((), "")
    assert path.read_text() == now
    older = re.sub(r"older parts", f"2 parts, 13 lines, 90 tokens of {OLDER} to {OLD}", now)
    path.write_text(older.replace(f"## {NEW}", f"## {OLD}\n\nMore.\n\n## {NEW}"))
    third = pruner.prune_feature("login")
    assert [part.lines for part in third.archived] == [2]
    assert path.read_text() == older.replace(f"## {NEW}", f"## {OLD}\n\n## {NEW}")


def test_the_newest_dated_content_stays_however_old(login: Path, pruner: MemoryPruner) -> None:
    put(login, "progress.md", diary(OLDER, OLD))
    result = pruner.prune_feature("login")
    assert [part.first for part in result.archived] == [OLDER]
    assert "Built part 1" in (login / "progress.md").read_text()


KEPT = {
    "open work": "- [ ] Write the docs\n",
    "work in progress": "* [~] Write the docs\n",
    "a task": "TODO: write the docs\n",
    "a rule": "Never push to main.\n",
    "a rule in a quotation": "> Always use pnpm.\n",
    "a rule after a date": f"- {OLD} 10:30 We must keep the API stable.\n",
    "a German rule": "Niemals auf main pushen.\n",
    "a Japanese rule": "必ずテストを実行する。\n",
    "a decision": "**Decision:** Postgres.\n",
    "a spoken decision": "After all of this we decided to take Postgres.\n",
    "a record": "ADR-012 Use Postgres\n",
    "an unclosed fence": "```\nnever closed\n",
}


@pytest.mark.parametrize("kept", KEPT.values(), ids=KEPT)
def test_what_is_protected_stays(login: Path, pruner: MemoryPruner, kept: str) -> None:
    text = f"# Log\n\n## {NEW}\n\nnew\n\n## {OLD} a\n\n{FILLER * 9}\n## {OLD} b\n\n{kept}"
    path = put(login, "progress.md", text)
    [part] = pruner.prune_feature("login").archived
    assert part.heading == ("Log", f"{OLD} a")
    assert kept in path.read_text()
    kept = kept.replace(f"{OLD} ", "")
    put(login, "undated.md", f"{FILLER * 20}\n## Part\n\n{kept}", OLD)
    [part] = pruner.prune_feature("login").archived
    assert not part.whole
    assert (login / "undated.md").read_text().endswith(f"## Part\n\n{kept}")


@pytest.mark.parametrize(
    "heading", ["Decisions", "ADR 3: storage", "Rules", "Entscheidungen", "Règles", "規則"]
)
def test_sections_of_decisions_and_rules_stay_with_all_below_them(
    login: Path, pruner: MemoryPruner, heading: str
) -> None:
    section = f"## {heading}\n\n### {OLDER}\n\n{FILLER * 9}\n"
    path = put(login, "notes.md", f"# {NEW}\n\nnew\n\n# {OLD}\n\n{FILLER * 9}\n{section}")
    [part] = pruner.prune_feature("login").archived
    assert part.heading == (str(OLD),)
    assert path.read_text().endswith(section)


def test_open_work_keeps_the_section_it_stands_in(login: Path, pruner: MemoryPruner) -> None:
    section = f"## {OLD} Open\n\n{FILLER * 5}\n- [x] done\n- [ ] open\n\n"
    path = put(login, "progress.md", f"{diary(OLDER, NEW)}{section}")
    assert len(pruner.prune_feature("login").archived) == 1
    assert section in path.read_text()


def test_in_a_file_of_tasks_every_item_that_is_not_done_is_open(
    login: Path, pruner: MemoryPruner
) -> None:
    text = f"## {OLD}\n\n- [x] Draw it\n- Write it\n{FILLER * 9}\n## {NEW}\n\n- new\n"
    put(login, "tasks.md", text)
    assert not pruner.prune_feature("login").archived
    put(login, "tasks.md", text.replace("- Write", "- ✅ Write"))
    assert pruner.prune_feature("login").archived


def test_a_whole_old_file_is_archived_and_removed(login: Path, pruner: MemoryPruner) -> None:
    text = f"---\ntitle: x\n---\n# Research\n\n{FILLER}"
    put(login, "notes/research.md", text, OLD)
    put(login, "fresh.md", text, NEW)
    result = pruner.prune_feature("login")
    [part] = result.archived
    assert (part.whole, part.first, part.dated_by, part.source) == (
        True, OLD, "mtime", "notes/research.md"
    )  # fmt: skip
    assert contents(login, result) == [text]
    assert not (login / "notes" / "research.md").exists()
    assert (login / "fresh.md").read_text() == text


def test_what_lies_ahead_is_not_old(login: Path, pruner: MemoryPruner) -> None:
    ahead = TODAY + timedelta(days=9)
    plan = put(login, "plan.md", f"# Release {ahead}\n\n{FILLER * 9}", OLD)
    items = put(login, "items.md", f"# {OLD}\n\n- {ahead} party\n\n# {NEW}\n\nnew\n")
    before = plan.read_text(), items.read_text()
    assert not pruner.prune_feature("login").archived
    assert (plan.read_text(), items.read_text()) == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("state.json", "{}"), ("main.py", "x = 1\n"), ("run", "#!/bin/sh\necho\n"),
        (".hidden", FILLER), ("Makefile", "all:\n"), ("data", "a = 1\nb = 2\nc = 3\n"),
        ("empty.md", ""), ("blank.md", "\n \n"), ("bare.md", "# Only a heading\n"),
        ("picture.md", b"\x89PNG\xff"), ("nul.md", b"a\0b"), ("wide.md", "ä".encode("utf-16")),
    ],
)  # fmt: skip
def test_code_data_and_what_is_no_text_is_left_alone(
    login: Path, pruner: MemoryPruner, name: str, content: str | bytes
) -> None:
    put(login, name, content, OLD)
    before = picture(login)
    result = pruner.prune_feature("login")
    assert not result.archived
    assert picture(login) == before
    assert bool(result.notices) == isinstance(content, bytes)


def test_texts_of_other_names_are_judged_by_what_they_hold(
    login: Path, pruner: MemoryPruner
) -> None:
    put(login, "NOTES", FILLER * 5, OLD)
    put(login, "idea.adoc", FILLER * 5, OLD)
    put(login, "server.log", f"{OLDER} 10:00:00 ERROR must not be empty\n" * 50, OLD)
    result = pruner.prune_feature("login")
    assert {part.source for part in result.archived} == {"NOTES", "idea.adoc"}
    put(login, "server.log", f"{OLDER} 10:00:00 ERROR must not\n" * 50 + f"{NEW} 10:00:00 ok\n")
    assert [part.lines for part in pruner.prune_feature("login").archived] == [50]


def test_a_few_words_that_cost_less_than_the_line_about_them_stay(
    login: Path, pruner: MemoryPruner
) -> None:
    path = put(login, "log.md", f"- {OLD} a\n- {NEW} b\n")
    assert not pruner.prune_feature("login").archived
    assert path.read_text() == f"- {OLD} a\n- {NEW} b\n"


def test_a_file_below_names_the_archive_from_where_it_stands(
    login: Path, pruner: MemoryPruner
) -> None:
    path = put(login, "a/b/log.md", diary(OLD, NEW).replace("\n", "\r\n"))
    pruner.prune_feature("login")
    [marker] = re.findall(r"\[archived: .*\]\r\n", path.read_bytes().decode())
    assert marker.endswith(", in ../../.compaction/archived/]\r\n")
    assert "\n\n" not in path.read_bytes().decode()


def test_a_revert_gives_everything_back_and_the_archive_is_empty_again(
    login: Path, pruner: MemoryPruner
) -> None:
    put(login, "progress.md", diary(OLDER, OLD, NEW), NEW)
    put(login, "notes/old.md", FILLER, OLD)
    os.chmod(login / "notes" / "old.md", 0o640)
    before = picture(login)
    result = pruner.prune_feature("login")
    assert pruner.has_change("login", result.history_id)
    pruner.revert("login", result.history_id)
    assert picture(login) == before
    with Folder(str(login)) as folder:
        assert list_documents(folder) == []
    assert len(pruner.prune_feature("login").archived) == 3


def test_what_was_archived_of_a_file_that_stays_stays_too(
    login: Path, pruner: MemoryPruner
) -> None:
    edited, other = (put(login, name, diary(OLDER, OLD, NEW)) for name in ("a.md", "b.md"))
    before = other.read_text()
    result = pruner.prune_feature("login")
    with edited.open("a") as file:
        file.write("one more line\n")
    pruner.revert("login", result.history_id, on_changed="keep")
    assert other.read_text() == before
    assert edited.read_text().endswith("one more line\n")
    of_edited = [part.document for part in result.archived if part.source == "a.md"]
    with Folder(str(login)) as opened:
        assert sorted(list_documents(opened)) == sorted(of_edited) != []
        assert b"Built part 0" in read_archived(opened, of_edited[0])[1]


def test_a_revert_is_refused_when_a_file_changed_since(login: Path, pruner: MemoryPruner) -> None:
    path = put(login, "progress.md", diary(OLDER, OLD, NEW))
    result = pruner.prune_feature("login")
    path.write_text("mine")
    with pytest.raises(ChangedError):
        pruner.revert("login", result.history_id)
    pruner.revert("login", result.history_id, on_changed="overwrite")
    assert path.read_text() == diary(OLDER, OLD, NEW)


def test_the_history_and_the_documents_name_each_other(login: Path, pruner: MemoryPruner) -> None:
    put(login, "progress.md", diary(OLDER, OLD, NEW))
    result = pruner.prune_feature("login")
    with Folder(str(login)) as folder:
        [entry] = list_entries(folder)[0]
        documents = list_documents(folder)
    assert (entry.id, entry.level) == (result.history_id, "prune")
    assert [item["document"] for item in entry.items_compacted] == documents
    assert {document_change(path) for path in documents} == {entry.id}
    assert entry.items_compacted[0]["date"] == str(OLDER)


def test_a_time_of_change_that_lies_ahead_is_today(login: Path) -> None:
    path = put(login, "old.md", FILLER)
    os.utime(path, (1e11, 1e11))
    with Folder(str(login)) as folder:
        assert last_change(folder.read("old.md")) == TODAY


def test_what_was_dated_by_its_last_commit_is_still_read(login: Path, pruner: MemoryPruner) -> None:
    put(login, "old.md", FILLER, OLD)
    document = login / pruner.prune_feature("login").archived[0].document
    document.write_bytes(document.read_bytes().replace(b'"mtime"', b'"git"'))
    with Folder(str(login)) as folder:
        assert read_archived(folder, str(document.relative_to(login)))[0].dated_by == "git"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:40], lambda data: data + b"x",
        lambda data: data.replace(b"version: 1", b"version: 2"),
        lambda data: data.replace(b"date: ", b"dote: "), lambda data: b"",
    ],
)  # fmt: skip
def test_a_document_that_is_not_what_was_archived_is_said(
    login: Path, pruner: MemoryPruner, damage: Any
) -> None:
    put(login, "progress.md", diary(OLDER, OLD, NEW))
    document = pruner.prune_feature("login").archived[0].document
    (login / document).write_bytes(damage((login / document).read_bytes()))
    with Folder(str(login)) as folder, pytest.raises(BackupError, match=r"understood|not what"):
        read_archived(folder, document)


def test_what_was_archived_too_long_ago_goes(
    project: Path, login: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own_settings(archive_days=10, backup_days=5)
    pruner = MemoryPruner(project)
    now = time.time()
    made = []
    for age_days in (30, 20, 1):
        put(login, "progress.md", diary(OLD, NEW) + FILLER * age_days)
        then = now - age_days * 86_400
        monkeypatch.setattr(changes, "next_stamp", lambda _, at=then: stamp_of(at))
        monkeypatch.setattr(changes, "utc_text", lambda _, at=then: utc_text(at))
        made.append(pruner.prune_feature("login"))
    monkeypatch.undo()
    old = [result.archived[0].document for result in made[:2]]
    planned = pruner.remove_expired("login", dry_run=True)
    assert (planned.documents, planned.backups) == (old, [r.history_id for r in made[:2]])
    assert (login / old[0]).exists()
    assert pruner.remove_expired("login") == planned
    assert pruner.remove_expired("login").documents == []
    with Folder(str(login)) as folder:
        kept = made[2].archived[0].document
        assert list_documents(folder) == [kept]
        all_of_it = Settings(archive_days=10, archive_megabytes=0, revert_hours=0)
        assert remove_expired_documents(folder, all_of_it, dry_run=False) == [kept]


def test_of_a_too_large_archive_the_oldest_goes_first(
    login: Path, pruner: MemoryPruner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MEGABYTE", 1)
    put(login, "progress.md", diary(OLDER, OLD, NEW))
    first, second = (part.document for part in pruner.prune_feature("login").archived)
    room = (login / second).stat().st_size
    with Folder(str(login)) as folder:
        enough, little = (
            Settings(archive_days=10, archive_megabytes=size, revert_hours=0)
            for size in (room + 10, room - 1)
        )
        assert remove_expired_documents(folder, enough, dry_run=True) == [first]
        assert remove_expired_documents(folder, little, dry_run=False) == [first, second]


def memory(project: Path, text: str, **settings: int) -> Path:
    write_own_settings(**{"project_context_lines": 40, **settings})
    return put(project, PROJECT_CONTEXT, text)


def test_the_projects_memory_comes_down_to_its_lines_oldest_first(project: Path) -> None:
    text = (
        f"# Project\n\n{FILLER * 3}\n" + diary(OLDER, OLD, NEW, OLDER) + f"## Notes\n\n{FILLER * 9}"
    )
    path = memory(project, text, project_context_lines=45)
    result = MemoryPruner(project).prune_project_context()
    assert [part.first for part in result.archived] == [OLDER, OLDER]
    left = path.read_text()
    assert len(left.splitlines()) <= 45
    assert [line for line in left.splitlines() if line[:1] == "#"] == [
        line for line in text.splitlines() if line[:1] == "#"
    ]
    assert left.count("[archived: ") == 1
    assert not result.notices
    assert not MemoryPruner(project).prune_project_context().archived
    MemoryPruner(project).revert(PROJECT_CONTEXT, result.history_id)
    assert path.read_text() == text


def test_without_dates_as_few_sections_as_possible_lose_their_text(project: Path) -> None:
    sizes = {"Opening": 14, "A": 6, "B": 12, "C": 9, "D": 9}
    text = "".join(f"# {name}\n\n{FILLER * size}\n" for name, size in sizes.items())
    path = memory(project, text, project_context_lines=56)  # of 65
    headings = [part.heading for part in MemoryPruner(project).prune_project_context().archived]
    assert headings == [("B",)]  # eleven lines have to go, the marker's among them
    assert len(path.read_text().splitlines()) <= 56
    path = memory(project, text, project_context_lines=46)
    headings = [part.heading for part in MemoryPruner(project).prune_project_context().archived]
    assert headings == [("B",), ("D",)]
    path = memory(project, text, project_context_lines=21)
    headings = [part.heading for part in MemoryPruner(project).prune_project_context().archived]
    assert headings == [("Opening",), ("A",), ("B",), ("C",), ("D",)]


def test_what_has_to_stay_of_the_memory_stays_and_that_is_said(project: Path) -> None:
    rules = "".join(f"- Never do thing {number}.\n" for number in range(60))
    path = memory(project, f"# Project\n\n{FILLER * 9}\n# Rules\n\n{rules}\n## 3\n\n- [ ] open\n")
    result = MemoryPruner(project).prune_project_context()
    assert [part.heading for part in result.archived] == [("Project",)]
    assert rules in path.read_text()
    [notice] = result.notices
    assert "has 70 lines, more than 40, when all has gone that may" in notice
    again = MemoryPruner(project).prune_project_context()
    assert (again.archived, again.notices) == ((), result.notices)


def test_a_memory_that_fits_or_is_none_is_left_alone(project: Path) -> None:
    pruner = MemoryPruner(project)
    assert pruner.prune_project_context() == PruneResult(feature=PROJECT_CONTEXT, dry_run=False)
    path = memory(project, FILLER * 40)
    assert not pruner.prune_project_context().archived
    path.write_bytes(b"\xff\n" * 600)
    assert pruner.prune_project_context().notices == ("project-context.md: no UTF-8 text",)
    assert not MemoryPruner(project).prune_project_context(dry_run=True).archived


@pytest.mark.parametrize("linked", [".claude/memory", PROJECT_CONTEXT])
def test_a_memory_behind_a_link_is_not_touched(project: Path, linked: str, tmp_path: Path) -> None:
    path = memory(project, FILLER * 60)
    outside = tmp_path / "outside"
    (project / linked).rename(outside)
    (project / linked).symlink_to(outside)
    with pytest.raises(BackupError, match="link"):
        MemoryPruner(project).prune_project_context()
    assert path.read_text() == FILLER * 60


def test_links_in_a_feature_are_not_followed(
    login: Path, pruner: MemoryPruner, tmp_path: Path
) -> None:
    outside = put(tmp_path, "outside.md", FILLER, OLD)
    (login / "linked.md").symlink_to(outside)
    (login / ".compaction").symlink_to(tmp_path)
    put(login, "old.md", FILLER, OLD)
    before = picture(login), picture(tmp_path)
    for dry_run in (True, False):
        with pytest.raises(CompactionError, match="link"):
            pruner.prune_feature("login", dry_run=dry_run)
    with pytest.raises(CompactionError, match="link"):
        pruner.remove_expired("login")
    assert (picture(login), picture(tmp_path)) == before
    (login / ".compaction").unlink()
    result = pruner.prune_feature("login")
    assert [part.source for part in result.archived] == ["old.md"]
    assert result.notices == ("linked.md: a link",)
    assert outside.read_text() == FILLER


def test_a_feature_that_is_none_is_an_error(pruner: MemoryPruner) -> None:
    for name in ("logout", "..", "", "a/b"):
        with pytest.raises(FeatureError):
            pruner.prune_feature(name)
    assert not pruner.has_change("logout", "20260201-143022-a1b2c3d4")


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "No space left"), (errno.EROFS, "Read-only")]
)
def test_a_disk_that_refuses_leaves_every_file_as_it_was(
    login: Path, pruner: MemoryPruner, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    put(login, "progress.md", diary(OLDER, OLD, NEW))
    put(login, "old.md", FILLER, OLD)
    before = picture(login)
    written = Folder.write_new
    for call in range(1, 7):
        calls = [0]

        def failing(self: Folder, *arguments: Any, at: int = call, calls: Any = calls) -> None:
            calls[0] += 1
            if calls[0] == at:
                raise OSError(number, os.strerror(number))
            written(self, *arguments)

        monkeypatch.setattr(Folder, "write_new", failing)
        with pytest.raises(BackupError, match=words):
            pruner.prune_feature("login")
        monkeypatch.undo()
        assert picture(login) == before
        with Folder(str(login)) as folder:
            assert list_documents(folder) == []


def test_a_file_that_changes_meanwhile_stops_the_prune(
    login: Path, pruner: MemoryPruner, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(login, "progress.md", diary(OLDER, OLD, NEW))
    planned = selection.DatedText

    def edit(*arguments: Any, **named: Any) -> Any:
        path.write_text("typed meanwhile")
        return planned(*arguments, **named)

    monkeypatch.setattr(pruning, "DatedText", edit)
    with pytest.raises(ChangedError):
        pruner.prune_feature("login")
    assert path.read_text() == "typed meanwhile"


def test_what_was_cut_off_before_is_put_right_first(login: Path, pruner: MemoryPruner) -> None:
    put(login, "progress.md", diary(OLDER, OLD, NEW))
    put(login, ".compaction/preparing/20260201-143022-a1b2c3d4/1.new", "x")
    assert "cut off" in pruner.prune_feature("login", dry_run=True).notices[0]
    result = pruner.prune_feature("login")
    assert "was dropped" in result.notices[0]
    assert len(result.archived) == 2


def test_two_prunes_at_once_archive_everything_once(login: Path, pruner: MemoryPruner) -> None:
    put(login, "progress.md", diary(OLDER, OLD, NEW))
    results: list[PruneResult | CompactionError] = []

    def prune() -> None:
        try:
            results.append(pruner.prune_feature("login"))
        except ChangedError as error:
            results.append(error)

    threads = [threading.Thread(target=prune) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = [each for each in results if isinstance(each, PruneResult) and each.archived]
    assert (len(done), len(results)) == (1, 3)
    with Folder(str(login)) as folder:
        assert len(list_documents(folder)) == 2


def test_a_name_that_is_no_utf8_is_a_name(login: Path, pruner: MemoryPruner) -> None:
    put(login, "\udcff.md", FILLER, OLD)
    before = picture(login)
    result = pruner.prune_feature("login")
    assert contents(login, result) == [FILLER]
    assert result.archived[0].source == "\udcff.md"
    pruner.revert("login", result.history_id)
    assert picture(login) == before


@pytest.mark.parametrize("dry_run", [True, False])
def test_files_with_a_second_name_are_left_alone(
    login: Path, project: Path, pruner: MemoryPruner, dry_run: bool
) -> None:
    write_own_settings(project_context_lines=5)
    notes = put(login, "progress.md", diary(OLDER, OLD, NEW))
    memory = put(project, PROJECT_CONTEXT, diary(OLDER, OLD, NEW))
    for path in (notes, memory):
        os.link(path, path.with_suffix(".link"))
    for result in (
        pruner.prune_feature("login", dry_run),
        MemoryPruner(project).prune_project_context(dry_run),
    ):
        assert result.archived == ()
        assert "hard link" in result.notices[0]


def test_a_document_of_no_day_is_a_strangers(login: Path, pruner: MemoryPruner) -> None:
    stranger = put(login, ".compaction/archived/2026-02-31_a.md_20260231-101112-a1b2c3d4_1.md", "x")
    put(login, ".compaction/backup/20260231-101112-a1b2c3d4/entry.json", "{}")
    put(login, "progress.md", diary(OLDER, OLD, NEW))
    assert len(pruner.prune_feature("login").archived) == 2
    assert pruner.remove_expired("login").documents == []
    assert stranger.exists()
