import sys

import pytest

from amplihack_compaction.cli.terminal.paint import paint
from amplihack_compaction.cli.terminal.progress import at_work


def test_colours_are_for_terminals_whose_users_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert paint("saved", "green", 7) == "saved  "
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert paint("saved", "green") == "\x1b[32msaved\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert paint("saved", "green") == "saved"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert paint("saved", "green") == "saved"


def test_work_is_shown_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with at_work("Compacting"):
        pass
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with at_work("Compacting"):
        pass
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Compacting" in shown.err
    with at_work("Compacting", quiet=True):
        pass
    assert capsys.readouterr() == ("", "")
