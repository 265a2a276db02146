"""A last argument `-`: words from a slash command, with all that a shell would take apart."""

import io
import runpy
import sys

import pytest

from amplihack_compaction.cli import app


def arguments(monkeypatch: pytest.MonkeyPatch, stdin: str, *given: str) -> list[str]:
    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", *given])
    monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
    seen: list[str] = []
    monkeypatch.setattr(app, "main", lambda: seen.extend(sys.argv[1:]))
    runpy.run_module("amplihack_compaction", run_name="__main__")
    return seen


@pytest.mark.parametrize("words", ["plain", 'it\'s "x" $HOME `date`', "-1 below", "日本\nzwei"])
def test_words_on_standard_input_become_arguments_as_they_are(
    monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    given = arguments(monkeypatch, f" {words}\n", "recall", "-")
    assert given == ["recall", "--", *words.split()]


def test_empty_input_becomes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert arguments(monkeypatch, " \n", "fresh-start", "-") == ["fresh-start"]


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["status"],
        ["recall", "-", "x"],
        ["recall", "a-"],
        ["report", "--out", "-"],
        ["report", "-o", "-"],
    ],
)
def test_otherwise_standard_input_is_not_read(
    monkeypatch: pytest.MonkeyPatch, given: list[str]
) -> None:
    assert arguments(monkeypatch, "words", *given) == given
