import os
import shutil
import stat
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amplihack_compaction import CompactionOptions, ContextCompactor, SummarizeResult
from amplihack_compaction.base.errors import BackupError, ChangedError, FeatureError
from amplihack_compaction.base.redaction.user_patterns import use_patterns
from amplihack_compaction.compactor.backups.change_history import (
    ChangeStatus,
    list_entries,
    write_entry,
)
from amplihack_compaction.compactor.backups.folder import Folder
from amplihack_compaction.compactor.condense.condense import condense_texts
from amplihack_compaction.compactor.features import compact_feature as compactor_module
from amplihack_compaction.compactor.features.compact_feature import compact_feature
from amplihack_compaction.compactor.features.feature import revert_command
from amplihack_compaction.context.estimate import estimate, estimate_part
from tests.support.sessions import write_own_settings
from tests.support.trees import picture, refuse_to_read
from tests.unit.context.counting_server import saying, serve

REPOSITORY = Path(__file__).parents[4]
NOTES = "Design of the login page.\n\nDecided: argon2 for passwords, because bcrypt truncates.\n\n"


@pytest.fixture
def compactor(project: Path, login: Path) -> ContextCompactor:
    return ContextCompactor(project)


def test_compacting_saves_tokens_and_keeps_what_matters(
    compactor: ContextCompactor, login: Path
) -> None:
    result = compactor.compact("login")
    text = (login / "progress.md").read_text()
    assert result.saved_tokens > 0.6 * result.original_tokens
    assert result.compacted_tokens == compactor.get_context_status("login").current_tokens
    assert "Decision: sessions live in Redis, because the nodes share them." in text
    assert "- [ ] rate limit" in text
    assert "feature compact login --revert" in text
    item = max(result.items, key=lambda item: item.original_tokens)
    assert item.type in ("tool_output", "verbose")
    assert item.can_revert
    assert (login / item.revert_path).read_text().count("INFO request") == 400


@pytest.mark.parametrize("level", ["compact", "summarize"])
def test_a_token_api_that_fails_is_asked_once_a_compaction(
    level: Any, project: Path, login: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own_settings(token_api=True)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serve(saying(500, b"{}")) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        result = compact_feature(str(project), login.name, CompactionOptions(level=level))
        assert len(server.asked) == 1
    assert result.saved_tokens > 0


def test_compact_then_revert_is_the_identity(compactor: ContextCompactor, login: Path) -> None:
    os.chmod(login / "progress.md", 0o640)
    os.utime(login / "progress.md", ns=(10**18, 10**18))
    before = picture(login)
    result = compactor.compact("login")
    assert picture(login) != before
    assert stat.S_IMODE((login / "progress.md").stat().st_mode) == 0o640
    assert result.history_id is not None
    assert compactor.revert_compaction("login", result.history_id) is True
    assert picture(login) == before
    [entry] = compactor.history("login")
    assert (entry.level, entry.tokens_before, entry.tokens_after) == (
        "compact", result.original_tokens, result.compacted_tokens
    )  # fmt: skip
    assert entry.items_compacted[0]["file"] == "progress.md"
    assert entry.restored == ("progress.md",)


def test_a_dry_run_changes_nothing_and_promises_what_is_done(
    compactor: ContextCompactor, login: Path
) -> None:
    before = picture(login)
    planned = compactor.compact("login", CompactionOptions(dry_run=True))
    assert picture(login) == before
    assert not (login / ".compaction").exists()
    assert planned.history_id is None
    done = compactor.compact("login")
    assert (planned.saved_tokens, planned.files) == (done.saved_tokens, done.files)


def test_a_second_compaction_has_nothing_to_do(compactor: ContextCompactor, login: Path) -> None:
    compactor.compact("login")
    before = picture(login)
    again = compactor.compact("login")
    assert (again.history_id, again.files, again.saved_tokens) == (None, (), 0)
    assert picture(login) == before


def test_a_file_with_a_second_name_is_left_alone(compactor: ContextCompactor, login: Path) -> None:
    os.link(login / "progress.md", login.parent / "other-name.md")
    before = picture(login)
    result = compactor.compact("login")
    assert "second name" in result.skipped["progress.md"]
    assert picture(login) == before


def test_what_was_cut_off_is_ended_first_and_said(compactor: ContextCompactor, login: Path) -> None:
    before = picture(login)
    first = compactor.compact("login")
    with Folder(str(login)) as folder:
        [entry] = list_entries(folder)[0]
        write_entry(folder, entry.with_status(ChangeStatus.PREPARED))
    assert picture(login) != before
    result = compactor.compact("login")
    assert result.saved_tokens == first.saved_tokens
    assert "was cut off; it was taken back" in result.notices[0]
    assert result.history_id is not None
    compactor.revert_compaction("login", result.history_id)
    assert picture(login) == before


def test_a_file_that_changes_meanwhile_is_a_clear_error(
    compactor: ContextCompactor, login: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    condense = condense_texts

    def and_write(*arguments: Any) -> Any:
        with (login / "progress.md").open("a") as stream:
            stream.write("one more line\n")
        return condense(*arguments)

    monkeypatch.setattr(compactor_module, "condense_texts", and_write)
    with pytest.raises(ChangedError, match="changed meanwhile; nothing was replaced"):
        compactor.compact("login")
    assert (login / "progress.md").read_text().count("one more line") == 2


def test_what_changes_once_meanwhile_is_read_again(
    compactor: ContextCompactor, login: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    condense, lines = condense_texts, ["one more line\n"]

    def and_write(*arguments: Any) -> Any:
        with (login / "progress.md").open("a") as stream:
            stream.writelines(lines)
        lines.clear()
        return condense(*arguments)

    monkeypatch.setattr(compactor_module, "condense_texts", and_write)
    assert compactor.compact("login").history_id
    assert (login / "progress.md").read_text().count("one more line") == 1


def test_a_revert_names_the_file_that_changed_since(
    compactor: ContextCompactor, login: Path
) -> None:
    result = compactor.compact("login")
    assert result.history_id
    (login / "progress.md").write_text("mine")
    with pytest.raises(ChangedError, match=r"progress\.md"):
        compactor.revert_compaction("login", result.history_id)
    with pytest.raises(ChangedError, match="every file was changed"):
        compactor.revert_compaction("login", result.history_id, on_changed="keep")
    assert (login / "progress.md").read_text() == "mine"


def test_a_dry_run_says_that_something_was_cut_off(
    compactor: ContextCompactor, login: Path
) -> None:
    cut_off = login / ".compaction/preparing/20260201-143022-a1b2c3d4"
    cut_off.mkdir(parents=True)
    said = compactor.compact("login", CompactionOptions(dry_run=True)).notices
    assert said[0].startswith("a change was cut off")
    assert cut_off.exists()


def test_the_command_that_reverts_takes_a_name_for_no_option() -> None:
    assert revert_command("login", "x") == "x feature compact login --revert"
    assert revert_command("-rf", "x") == "x feature compact --revert -- -rf"


def test_how_long_a_revert_is_possible_is_a_setting(
    compactor: ContextCompactor, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: time.time_ns() / 10**9 - 2 * 3600)
    result = compactor.compact("login")
    monkeypatch.undo()
    assert result.history_id
    write_own_settings(revert_hours=1)
    with pytest.raises(BackupError, match="can be reverted within 1 h; --force"):
        compactor.revert_compaction("login", result.history_id)
    assert compactor.revert_compaction("login", result.history_id, force=True)


def test_a_backup_that_cannot_be_removed_is_no_failure(
    compactor: ContextCompactor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BackupError("busy")

    monkeypatch.setattr(compactor_module, "remove_expired", refuse)
    result = compactor.compact("login")
    assert result.history_id is not None
    assert result.notices == ("old backups could not be removed: busy",)


def test_the_level_follows_the_size_of_the_texts(
    compactor: ContextCompactor, project: Path
) -> None:
    assert compactor.should_compact("login").level == "raw"
    tokens = compactor.get_context_status("login").current_tokens
    write_own_settings(feature_tokens=int(tokens / 0.86))
    status = compactor.get_context_status("login")
    assert (status.level, status.max_tokens) == ("summarize", int(tokens / 0.86))
    assert compactor.should_compact("login").level == "summarize"


def test_a_summary_takes_the_place_of_the_prose(compactor: ContextCompactor, login: Path) -> None:
    (login / "design.md").write_text(NOTES + "Long explanation of the page. " * 400)
    before = picture(login)
    result = compactor.summarize("login")
    assert sorted(p.name for p in login.iterdir() if p.name != ".compaction") == [
        "SUMMARY.md", "logo.png", "state.json"
    ]  # fmt: skip
    text = (login / "SUMMARY.md").read_text()
    assert result.summary == text
    assert 0 < result.summary_tokens < 500
    for fact in (
        "argon2",
        "Redis",
        "rate limit",
        f"backup/{result.history_id}",
        "Information was dropped",
    ):
        assert fact in text
    assert result.history_id
    compactor.revert_compaction("login", result.history_id)
    assert picture(login) == before


def test_no_summary_is_made_of_half_the_prose(login: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (login / "design.md").write_text("A long thought. " * 600)
    before = picture(login)
    with monkeypatch.context() as patch:
        refuse_to_read(patch, "progress.md")
        with pytest.raises(FeatureError, match=r"no summary .* progress.md was left out: not read"):
            compact_feature(str(login.parent.parent), "login", CompactionOptions(level="summarize"))
    assert picture(login) == before
    done = compact_feature(str(login.parent.parent), "login", CompactionOptions(level="summarize"))
    assert "progress.md" in done.files


def test_a_second_summary_finds_nothing_to_do(compactor: ContextCompactor, login: Path) -> None:
    compactor.summarize("login")
    before = picture(login)
    again = compactor.compact("login", CompactionOptions(level="summarize"))
    assert isinstance(again, SummarizeResult)
    assert again.history_id is None
    assert "no more than a summary" in again.notices[0]
    assert picture(login) == before


def test_without_prose_there_is_nothing_to_summarise(
    compactor: ContextCompactor, login: Path
) -> None:
    (login / "progress.md").unlink()
    with pytest.raises(FeatureError, match="no prose"):
        compactor.summarize("login")


@pytest.mark.parametrize(
    ("answer", "made_by", "said"),
    [
        (
            SimpleNamespace(returncode=0, stdout=b"## Decisions\n- argon2\n", stderr=b""),
            "claude",
            "",
        ),
        (SimpleNamespace(returncode=0, stdout=b"- word\n" * 5_000, stderr=b""), "claude", ""),
        (SimpleNamespace(returncode=1, stdout=b"", stderr=b"no account"), "rules", "no account"),
        (SimpleNamespace(returncode=0, stdout=b" ", stderr=b""), "rules", "failed with 0"),
        (subprocess.TimeoutExpired("claude", 7), "rules", "did not answer within 7 s"),
        (PermissionError("refused"), "rules", "could not be started"),
        (None, "rules", "no `claude` on the PATH"),
    ],
)
def test_whatever_claude_does_there_is_a_summary(
    compactor: ContextCompactor,
    monkeypatch: pytest.MonkeyPatch,
    answer: Any,
    made_by: str,
    said: str,
) -> None:
    def run(*_: object, **__: object) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(shutil, "which", lambda _: answer and "/bin/claude")
    monkeypatch.setattr(subprocess, "run", run)
    options = CompactionOptions(level="summarize", with_claude=True, claude_seconds=7)
    result = compactor.summarize("login", options)
    assert result.made_by == made_by
    assert 0 < result.summary_tokens < 500
    assert "Information was dropped" in result.summary
    assert said in " ".join(result.notices)
    assert bool(result.notices) == bool(said)


def test_a_long_answer_is_cut_after_a_few_counts(
    compactor: ContextCompactor, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return estimate_part(text)

    most = compactor_module.SUMMARY_TOKENS - round(estimate(".").wrapping) - 1

    answer = SimpleNamespace(returncode=0, stdout=b"- word\n" * 5_000, stderr=b"")
    monkeypatch.setattr(shutil, "which", lambda _: "/bin/claude")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: answer)
    monkeypatch.setattr(compactor_module, "estimate_part", count)
    result = compactor.summarize("login", CompactionOptions(level="summarize", with_claude=True))
    cut = result.summary
    assert estimate_part(cut) <= most < estimate_part(f"{cut}- word\n")
    assert sum("- word" in text for text in counted) < 20


@pytest.mark.parametrize("answers", [True, False])
def test_a_summary_has_no_secrets_whoever_writes_it(
    compactor: ContextCompactor, login: Path, monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    (login / "keys.md").write_text(f"# Keys\n\nDecided: the badge 4711-B opens it.\n\n{NOTES * 9}")
    given: list[bytes] = []

    def run(*_: object, **how: Any) -> Any:
        given.append(how["input"])
        said = b"## Decisions\n- the badge 4711-B opens it\n" if answers else b""
        return SimpleNamespace(returncode=0, stdout=said, stderr=b"")

    monkeypatch.setattr(shutil, "which", lambda _: "/bin/claude")
    monkeypatch.setattr(subprocess, "run", run)
    use_patterns(["[0-9]{4}-B"])
    options = CompactionOptions(level="summarize", with_claude=True, claude_seconds=7)
    result = compactor.summarize("login", options)
    assert result.made_by == ("claude" if answers else "rules")
    for text in (given[0].decode(), result.summary, (login / "SUMMARY.md").read_text()):
        assert "4711-B" not in text
        assert "[redacted:user-pattern] opens it" in text
    assert compactor.revert_compaction("login", str(result.history_id))
    assert "4711-B" in (login / "keys.md").read_text()


def test_a_summary_takes_the_place_of_none_that_was_left_alone(
    compactor: ContextCompactor, login: Path
) -> None:
    (login / "SUMMARY.md").write_bytes(b"\xff\xfe not ours")
    before = picture(login)
    result = compactor.summarize("login")
    assert (login / "SUMMARY.md").read_bytes() == b"\xff\xfe not ours"
    assert (login / "SUMMARY-2.md").read_text() == result.summary
    assert compactor.revert_compaction("login", str(result.history_id))
    assert picture(login) == before


@pytest.mark.parametrize("name", ["SUMMARY.md", "Summary.md"])
def test_a_summary_that_is_prose_gives_way_to_the_next(
    compactor: ContextCompactor, login: Path, name: str
) -> None:
    (login / name).write_text(f"# Earlier\n\n{NOTES * 40}")
    result = compactor.summarize("login")
    assert (login / name).read_text() == result.summary
    assert [each.name for each in login.iterdir() if each.suffix == ".md"] == [name]


def test_a_link_named_like_the_summary_is_no_obstacle(
    compactor: ContextCompactor, login: Path
) -> None:
    (login / "SUMMARY.md").symlink_to("/nowhere")
    result = compactor.summarize("login")
    assert (login / "SUMMARY-2.md").read_text() == result.summary


def test_a_dry_run_names_files_with_a_second_name_too(
    compactor: ContextCompactor, login: Path
) -> None:
    os.link(login / "progress.md", login.parent / "elsewhere.md")
    result = compactor.compact("login", CompactionOptions(dry_run=True))
    assert "hard link" in result.skipped["progress.md"]
    assert result.files == ()
