from pathlib import Path

import pytest

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.clients import session_lines, speakers
from amplihack_compaction.clients.reading import iterate_entries, iterate_lines
from amplihack_compaction.transcript.session import ReadReport
from tests.support.captured import session


def read(path: Path) -> tuple[list[dict[str, object]], ReadReport]:
    report = ReadReport()
    return [entry.data for entry in iterate_entries(path, report=report)], report


def test_a_real_session_is_read_without_the_clients_own_records() -> None:
    found, report = read(session("auto_compact_x3"))
    kinds = {str(data["type"]) for data in found}
    assert {"user", "assistant", "system", "attachment"} <= kinds
    assert not any(kind.startswith("api-request") for kind in kinds)
    assert report.skipped == 0
    assert report.lines > len(found)


@pytest.mark.parametrize(
    ("line", "kept", "skipped"),
    [
        (b'{"a":1}{"b":2}', [{"a": 1}, {"b": 2}], 0),
        (b'{"a":1} {"b":2} \n', [{"a": 1}, {"b": 2}], 0),
        (b'{"a":"torn {"parentUuid":null,"x":1}', [{"parentUuid": None, "x": 1}], 1),
        (b"[... 11 lines ...]\n", [], 1),
        (b'"text"\n42\n[1]\nnull\n', [], 4),
        (b'{"a":"\\ud800"}\n', [{"a": "\ud800"}], 0),
        (b'{"a":"\xff"}\n', [{"a": "\ufffd"}], 0),
        (b'{"a":1}', [{"a": 1}], 0),
        (b"\n  \n", [], 0),
        (b'{"a":' + b"[" * 100_000 + b"\n", [], 1),
        (b'{"a":' + b"9" * 5_000 + b"}\n", [], 1),
        (b'{"a":1}{"b":' + b"9" * 5_000 + b"}\n", [{"a": 1}], 1),
        (b'{"type":"' * 10_000 + b"}\n", [], 8),
        (b"1 " * 100_000 + b"\n", [], 8),
    ],
)
def test_what_cannot_be_read_is_counted_and_takes_nothing_along(
    tmp_path: Path, line: bytes, kept: list[object], skipped: int
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"first":true}\n' + line + b'\n{"last":true}\n')
    found, report = read(path)
    assert found == [{"first": True}, *kept, {"last": True}]
    assert report.skipped == skipped
    assert sum(report.reasons.values()) == skipped


def test_lines_that_hold_no_object_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'junk\n{{{{\n{"torn\n42\n"text"\n{"a":1}\n')
    found, report = read(path)
    assert found == [{"a": 1}]
    assert report.reasons == {"broken": 3, "not an object": 2}


def test_a_line_above_the_limit_is_left_out_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_lines, "LINE_LIMIT_BYTES", 100)
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":"' + b"x" * 450 + b'"}\n{"c":3}\n')
    found, report = read(path)
    assert found == [{"a": 1}, {"c": 3}]
    assert report.reasons == {"line too long": 1}
    offsets = [entry.offset for entry in iterate_entries(path)]
    assert offsets == [0, path.read_bytes().index(b'{"c"')]


def test_a_line_that_is_still_being_written_ends_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"first":true}\n{"second":')
    report = ReadReport()
    lines = iterate_lines(path, 0, None, report)
    assert [next(lines), next(lines)] == [(0, b'{"first":true}\n'), (15, b'{"second":')]
    with path.open("ab") as stream:
        stream.write(b'true}\n{"third":true}\n')
    assert list(lines) == []
    assert report.end == 15
    assert [entry.data for entry in iterate_entries(path, report.end)] == [
        {"second": True}, {"third": True},
    ]  # fmt: skip


def test_a_range_holds_the_lines_that_start_in_it(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":2}\n{"c":3}\n')
    assert [e.data for e in iterate_entries(path, 8, 16)] == [{"b": 2}]
    assert [e.offset for e in iterate_entries(path, 8)] == [8, 16]


@pytest.mark.parametrize("name", ["missing.jsonl", ".", "a\0b"])
def test_what_cannot_be_opened_is_a_clear_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(TranscriptError, match="cannot read the transcript"):
        list(iterate_entries(f"{tmp_path}/{name}"))


@pytest.mark.parametrize("name", ["/remember", "/amplihack-compaction:forget", "/forget"])
def test_what_the_plugins_commands_were_told_is_no_prompt(name: str) -> None:
    told = f"<command-name>{name}</command-name><command-args>never push</command-args>"
    assert speakers.typed_prompt(told) == ("", "command")
    other = told.replace(name, "/remembered")
    assert speakers.typed_prompt(other) == ("/remembered never push", "command")


@pytest.mark.parametrize("name", ["/btw", "/color", "/feedback", "/reload-skills"])
def test_what_the_client_runs_itself_is_no_prompt_and_a_command_of_that_name_is(name: str) -> None:
    typed = f"<command-name>{name}</command-name>\n<command-args>the login is slow</command-args>"
    assert speakers.typed_prompt(typed) == ("", "command")
    own = f"<command-message>{name[1:]} is running…</command-message>\n{typed}"
    assert speakers.typed_prompt(own) == (f"{name} the login is slow", "command")


def test_what_the_client_writes_below_a_plan_or_a_summary_is_nobodys_words() -> None:
    note = (
        "\n\n\nIf you need specific details from before exiting plan mode (like errors),"
        " read the full transcript at: /home/u/t.jsonl"
    )
    plan = "Implement the following plan:\n\n# Export as CSV"
    assert speakers.typed_prompt(plan + note) == (plan, "typed")
    ending = "\nPlease continue the conversation from where we left off without asking."
    kept = "If you need specific details from before compaction, say so.\n\nThe export is built."
    assert speakers.summary_part(kept + note + ending) == kept
    newer = (
        "\nContinue the conversation from where it left off without asking the user any further"
        " questions. Pick up the last task as if the break never happened.\n\nThe messages after"
        " this summary are the most recent messages from before compaction, kept verbatim."
    )
    assert speakers.summary_part(kept + note + newer) == kept
