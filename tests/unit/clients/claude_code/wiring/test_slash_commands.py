"""The slash commands beside a settings file: written as this machine calls them, and taken out."""

from pathlib import Path

from amplihack_compaction.clients.claude_code.wiring.slash_commands import (
    remove_commands,
    slash_commands,
    write_commands,
)

CALLED = "~/.local/bin/amplihack-compaction"


def test_the_command_is_called_as_it_is_here_and_spoken_of_by_its_name() -> None:
    texts = dict(slash_commands(CALLED))
    doctor = texts["compaction-doctor.md"]
    assert "the hooks of amplihack-compaction are in order" in doctor
    assert f"Bash({CALLED} doctor:*)" in doctor
    assert f"\n{CALLED} doctor " in doctor
    assert f"!`{CALLED} handoff" in texts["handoff.md"]
    assert "compaction-setup.md" not in texts  # what only the plugin needs


def test_what_was_written_goes_again_and_what_is_somebodys_own_stays(tmp_path: Path) -> None:
    folder = tmp_path / ".claude"
    (folder / "commands").mkdir(parents=True)
    (folder / "commands/recall.md").write_text("mine")
    written, others = write_commands(folder, CALLED)
    assert others == ["recall.md"]
    assert "forget.md" in written
    remove_commands(folder)
    assert [path.name for path in (folder / "commands").iterdir()] == ["recall.md"]
    (folder / "commands/recall.md").unlink()
    (folder / "commands").rmdir()
    write_commands(folder, CALLED)
    remove_commands(folder)
    assert list(tmp_path.iterdir()) == []


def test_what_was_edited_is_neither_overwritten_nor_removed(tmp_path: Path) -> None:
    folder = tmp_path / ".claude"
    write_commands(folder, CALLED)
    path = folder / "commands/forget.md"
    path.write_text(path.read_text() + "And tell me so.\n")
    edited = path.read_text()
    assert write_commands(folder, CALLED)[1] == ["forget.md"]
    assert remove_commands(folder)[1] == ["forget.md"]
    assert [left.name for left in (folder / "commands").iterdir()] == ["forget.md"]
    assert path.read_text() == edited


def test_the_commands_of_an_earlier_version_are_brought_up_to_date(tmp_path: Path) -> None:
    _, old = write_commands(tmp_path, CALLED)
    path = tmp_path / "commands/forget.md"
    path.write_text("---\nallowed-tools: Bash(~/x/amplihack-compaction forget:*)\n---\nOld.\n")
    assert write_commands(tmp_path, CALLED)[1] == old == []
    assert path.read_text() == dict(slash_commands(CALLED))["forget.md"]
