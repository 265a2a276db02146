import errno
import json
from dataclasses import replace
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.clients import reading, session_lines
from amplihack_compaction.clients.reading import read_task_files
from amplihack_compaction.extract.statements import (
    FileRecord,
    Rule,
    SessionState,
    VerifyCommand,
    VerifyKind,
    WindowState,
)
from amplihack_compaction.extract.window import redacted
from amplihack_compaction.ledger import stored
from amplihack_compaction.ledger import stored as folding
from amplihack_compaction.ledger.merge import merge_window
from amplihack_compaction.ledger.stored import (
    continue_from,
    current_state,
    dump_state,
    fold_transcript,
    load_ledger,
    moved_before,
    save_ledger,
    states_at_boundaries,
)
from amplihack_compaction.transcript.session import JsonObject, ReadReport
from tests.support.captured import session
from tests.support.states import full_state
from tests.support.transcripts import SESSION, Transcript

RULES = ["Never push to main.", "Use pnpm, not npm.", "Always run the linter."]


def three_windows(tmp_path: Path) -> Path:
    transcript = Transcript()
    for rule in RULES:
        transcript.user(f"Work on it. {rule}")
        transcript.tool("Read", {"file_path": "/home/user/project/a.py"})
        transcript.assistant("Yes.")
        transcript.compact("They talked.")
    transcript.user("Go on.")
    return transcript.write(tmp_path / "p" / "x" / f"{SESSION}.jsonl")


def texts(state: SessionState) -> list[str]:
    return [rule.text for rule in state.active_rules]


def test_all_windows_fold_into_one_state(tmp_path: Path) -> None:
    path = str(three_windows(tmp_path))
    folded = fold_transcript(path, SESSION)
    assert texts(folded.state) == RULES
    assert (folded.base.windows, folded.state.windows) == (3, 4)
    assert folded.state.turns == 4
    assert folded.state.root == "/home/user/project"
    (file,) = folded.state.files
    assert file.reads == 3


def test_a_stored_ledger_saves_reading_the_windows_again(tmp_path: Path) -> None:
    path = str(three_windows(tmp_path))
    first = current_state(str(tmp_path), SESSION, path)
    stored = load_ledger(str(tmp_path))
    assert stored == first.base
    again = current_state(str(tmp_path), SESSION, path)
    assert again.state == first.state
    marked = replace(first.base, rules=(*first.base.rules, Rule(text="Only in the ledger.")))
    save_ledger(str(tmp_path), marked)
    assert "Only in the ledger." in texts(current_state(str(tmp_path), SESSION, path).state)


def test_a_line_that_grows_while_it_is_read_is_not_missing_from_the_ledger_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = three_windows(tmp_path)
    whole = path.read_bytes()
    cut = whole.index(RULES[1].encode())
    path.write_bytes(whole[:cut])
    parse = session_lines.parse_line

    def parse_while_the_client_writes_on(line: bytes, report: ReadReport) -> list[JsonObject]:
        if not line.endswith(b"\n"):
            path.write_bytes(whole)
        return parse(line, report)

    monkeypatch.setattr(reading, "parse_line", parse_while_the_client_writes_on)
    assert texts(current_state(str(tmp_path), SESSION, str(path)).state) == RULES[:1]
    assert texts(current_state(str(tmp_path), SESSION, str(path)).state) == RULES
    assert load_ledger(str(tmp_path)) == fold_transcript(str(path), SESSION).base


@pytest.mark.parametrize(
    "change",
    [{"session_id": "other"}, {"covered_bytes": 10**9}, {"covered_uuid": ""},
     {"covered_bytes": 5}, {"covered_bytes": -5},
     {"covered_bytes": 10**30}],
)  # fmt: skip
def test_a_ledger_of_something_else_is_not_used(tmp_path: Path, change: dict[str, object]) -> None:
    path = str(three_windows(tmp_path))
    folded = current_state(str(tmp_path), SESSION, path)
    wrong = replace(folded.base, rules=(Rule(text="Of another session."),), **change)  # type: ignore[arg-type]
    save_ledger(str(tmp_path), wrong)
    assert texts(current_state(str(tmp_path), SESSION, path).state) == RULES


def test_a_ledger_of_a_transcript_that_is_gone_counts_as_said_before(tmp_path: Path) -> None:
    path = str(three_windows(tmp_path))
    folded = current_state(str(tmp_path), SESSION, path)
    before = replace(folded.base, rules=(Rule(text="Of before."),), covered_uuid="deleted")
    save_ledger(str(tmp_path), before)
    for _ in range(2):
        assert texts(current_state(str(tmp_path), SESSION, path).state) == ["Of before.", *RULES]


def made_by_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: object) -> str:
    """Have a ledger without the rules on disk, as code made it that did not know them."""
    path = str(three_windows(tmp_path))
    base = current_state(str(tmp_path), SESSION, path).base
    with monkeypatch.context() as patch:
        patch.setattr(stored, "_made_by", lambda: b'"made_by":"00000000"')
        save_ledger(str(tmp_path), replace(base, **change))  # type: ignore[arg-type]
    return path


def test_a_ledger_of_other_code_is_folded_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made_by_other_code(tmp_path, monkeypatch, {"rules": ()})
    folded = current_state(str(tmp_path), SESSION, path)
    assert texts(folded.state) == RULES
    assert load_ledger(str(tmp_path)) == folded.base
    assert current_state(str(tmp_path), SESSION, path).state == folded.state


def test_what_only_a_ledger_of_other_code_has_is_not_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only = Rule(text="Said in a transcript that is gone.", offset=-7)
    path = made_by_other_code(tmp_path, monkeypatch, {"rules": (only,)})
    assert only.text in texts(current_state(str(tmp_path), SESSION, path).state)


def test_what_goes_on_from_a_newer_state_says_so_and_keeps_no_ledger_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, folder = str(three_windows(tmp_path)), str(tmp_path / "session")
    earlier = SessionState(session_id=SESSION, rules=(Rule(text="Never deploy on Fridays."),))
    continue_from(folder, SESSION, replace(earlier, version=99))
    folded = current_state(folder, SESSION, path)
    assert "continues.json is of a newer version" in folded.unsaved
    assert load_ledger(folder) is None
    monkeypatch.setattr(stored, "STATE_VERSION", 99)
    assert "Never deploy" in str(current_state(folder, SESSION, path).state)


def test_a_long_first_read_is_saved_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folding, "_SAVE_STEP_BYTES", 1)
    path = str(three_windows(tmp_path))

    def stop(state: SessionState, *_: object) -> SessionState:
        if state.windows == 2:
            raise KeyboardInterrupt  # what a killed hook looks like from here
        return real(state, *_)  # type: ignore[arg-type]

    real = merge_window
    monkeypatch.setattr(folding, "merge_window", stop)
    with pytest.raises(KeyboardInterrupt):
        current_state(str(tmp_path), SESSION, path)
    stored = load_ledger(str(tmp_path))
    assert stored is not None
    assert stored.windows == 2
    monkeypatch.setattr(folding, "merge_window", real)
    assert texts(current_state(str(tmp_path), SESSION, path).state) == RULES


def test_a_ledger_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    path = str(three_windows(tmp_path))
    blocked = tmp_path / "blocked"
    blocked.write_text("a file")
    folded = current_state(str(blocked), SESSION, path)
    assert texts(folded.state) == RULES
    assert "the ledger stays as it was" in folded.unsaved
    blocked.unlink()
    assert current_state(str(blocked), SESSION, path) == replace(folded, unsaved="")
    assert load_ledger(str(blocked)) == folded.base


def test_a_ledger_that_cannot_be_read_for_a_moment_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, ledger = str(three_windows(tmp_path)), tmp_path / "session" / "ledger.json"
    ledger.parent.mkdir()
    newer = b'{"version": 99}'
    ledger.write_bytes(newer)

    def fail(*_: object) -> bytes | None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(stored, "read_kept", fail)
        assert "Input/output error" in current_state(str(ledger.parent), SESSION, path).unsaved
    assert ledger.read_bytes() == newer
    ledger.unlink()
    ledger.mkdir()
    assert "Is a directory" in current_state(str(ledger.parent), SESSION, path).unsaved


def test_what_cannot_be_read_for_a_moment_is_in_the_ledger_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, folder = three_windows(tmp_path), str(tmp_path / "session")
    earlier = SessionState(session_id=SESSION, rules=(Rule(text="Never deploy on Fridays."),))
    continue_from(folder, SESSION, earlier)

    def fail(*_: object) -> bytes | None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(stored, "read_bytes", lambda *_: None)
        patch.setattr(stored, "read_if_there", fail)
        assert "Never deploy" not in str(current_state(folder, SESSION, str(path)).state)
    assert load_ledger(folder) is None
    assert "Never deploy" in str(current_state(folder, SESSION, str(path)).state)
    assert "Never deploy" in str(load_ledger(folder))


def test_every_boundary_has_its_state(tmp_path: Path) -> None:
    states = [s for _, s in states_at_boundaries(str(three_windows(tmp_path)), SESSION)]
    assert [len(texts(state)) for state in states] == [1, 2, 3, 3]


def test_folding_a_window_twice_changes_nothing(tmp_path: Path) -> None:
    path = str(three_windows(tmp_path))
    once = fold_transcript(path, SESSION)
    base = replace(once.base, covered_bytes=0, windows=0)
    again = fold_transcript(path, SESSION, base)
    assert texts(again.state) == texts(once.state)
    assert again.state.todos == once.state.todos
    assert again.state.objective == once.state.objective


def test_a_fork_begins_with_what_its_origin_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin = three_windows(tmp_path)
    lines = [json.loads(line) for line in origin.read_text().splitlines()]
    start = [n for n, line in enumerate(lines) if line.get("subtype") == "compact_boundary"][1]
    fork = Transcript("11111111-2222-4333-8444-555555555555")
    fork.lines = lines[start:]
    summary = fork.lines[1]["message"]
    summary["content"] += f"\n\nread the full transcript at: {origin}\nContinue"
    fork.leaf, fork.count = fork.lines[-1]["uuid"], 9000
    fork.user("You may now push to main.")
    fork.user("Keep functions short.")
    path = str(fork.write(origin.with_name(f"{fork.session_id}.jsonl")))
    state = fold_transcript(path, fork.session_id).state
    assert "Use pnpm, not npm." in texts(state)
    assert "Never push to main." not in texts(state)
    assert texts(state)[-1] == "Keep functions short."
    assert state.session_id == fork.session_id
    monkeypatch.chdir(origin.parent)
    assert fold_transcript(Path(path).name, fork.session_id).state.rules == state.rules
    assert all(rule.offset < 0 for rule in state.rules if rule.text == RULES[1])
    assert texts([s for _, s in states_at_boundaries(path, fork.session_id)][-1]) == texts(state)


def test_what_was_done_before_a_fork_lies_before_all_that_it_does() -> None:
    file = FileRecord(path="/p/a.py", edits=1, offset=7, changed_offset=7)
    check = VerifyCommand(text="pytest", kind=VerifyKind.TEST, offset=9, passed=True)
    origin = SessionState(changed_offset=7, committed_offset=5, files=(file,), verify=(check,))
    state = merge_window(moved_before(origin, 20), WindowState(index=1, start=0))
    assert state.committed_offset < state.files[0].changed_offset == state.changed_offset < 0
    assert state.changed_offset < state.verify[0].offset


@pytest.mark.parametrize("named", ["/etc/passwd", "gone.jsonl", "itself"])
def test_an_origin_that_is_not_beside_it_is_none(tmp_path: Path, named: str) -> None:
    transcript = Transcript()
    transcript.compact("s", preserved=0)
    path = tmp_path / f"{SESSION}.jsonl"
    target = path if named == "itself" else Path("/tmp") / named
    content = transcript.lines[1]["message"]
    content["content"] += f"\nread the full transcript at: {target}\n"
    transcript.user("Hello.")
    transcript.write(path)
    assert fold_transcript(str(path), SESSION).state.turns == 1


def test_an_origin_without_the_boundary_is_nothing(tmp_path: Path) -> None:
    origin = three_windows(tmp_path)
    fork = Transcript("11111111-2222-4333-8444-555555555555")
    fork.count = 5000
    fork.compact(f"s\nread the full transcript at: {origin}\n", preserved=0)
    fork.user("Hello.")
    path = fork.write(origin.with_name("f.jsonl"))
    assert texts(fold_transcript(str(path), "f").state) == []


def test_a_file_in_which_nothing_is_understood_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("no json\nat all\n")
    with pytest.raises(TranscriptError, match="nothing in"):
        fold_transcript(str(path), SESSION)
    path.write_text("")
    assert fold_transcript(str(path), SESSION).state.turns == 0


def test_task_files_are_read_from_beside_the_transcripts() -> None:
    path = session("auto_compact_x3")
    tasks = path.parent / "tasks" / path.stem
    home = path.parents[2]
    assert read_task_files(str(home / "projects" / "z" / "t.jsonl"), "none") == []
    assert read_task_files(str(path), "../evil") == []
    assert read_task_files(str(path), ".hidden") == []
    assert read_task_files(str(path.parent / "a" / "b" / "t.jsonl"), path.stem) == []
    found = read_task_files(str(path.parent / "projects" / "b" / "t.jsonl"), path.stem)
    assert [task["id"] for task in found] == [json.loads(p.read_text())["id"] for p in
                                              sorted(tasks.glob("*.json"))]  # fmt: skip


def test_redaction_reaches_every_text_of_a_state() -> None:
    secret = "gh" + "p_" + "A1b2C3d4E5f6" * 3
    state = replace(full_state(), rules=(Rule(text=f"Never print {secret}."),), branch=secret)
    clean = redacted(state)
    assert secret not in dump_state(clean).decode()
    assert redacted(full_state()) == full_state()


def test_the_mark_of_a_long_texts_middle_is_nothing_that_was_said(tmp_path: Path) -> None:
    long = "".join(f"The column c{number} of the table was looked at.\n" for number in range(2000))
    log = Transcript()
    log.user(f"Never push to main.\n{long}Use pnpm, not npm.")
    log.user(long.replace("\n", " "))
    log.user("x" * 50_000)
    log.tool("Bash", {"command": "pytest"}, f"{long}FAILED test_a", error=True)
    log.assistant(f"{long}It still fails.")
    path = log.write(tmp_path / "p" / "x" / f"{SESSION}.jsonl")
    state = fold_transcript(str(path), SESSION).state
    assert texts(state) == ["Never push to main.", "Use pnpm, not npm."]
    assert b"characters ..." not in dump_state(replace(state, long_prompts=()))


def test_files_of_instructions_stay_known_the_newest_last(tmp_path: Path) -> None:
    transcript = Transcript()
    for names in (["a/CLAUDE.md", "b/CLAUDE.md"], ["a/CLAUDE.md"]):
        transcript.user("Work on it.")
        for name in names:
            content = {"path": name, "content": "Be kind."}
            transcript.attachment("nested_memory", path=name, content=content)
            part = {**content, "parent": name}
            transcript.attachment("nested_memory", path=f"{name}.part", content=part)
        transcript.compact("They talked.")
    path = transcript.write(tmp_path / "p" / "x" / f"{SESSION}.jsonl")
    assert fold_transcript(str(path), SESSION).base.instructions == ("b/CLAUDE.md", "a/CLAUDE.md")


@pytest.mark.parametrize("command", ["git push", "docker compose up -d", "npm install"])
def test_a_step_that_went_well_behind_the_boundary_is_no_longer_unresolved(
    tmp_path: Path, command: str
) -> None:
    session = Transcript()
    session.user("Deploy it.")
    session.tool("Bash", {"command": command}, "Exit code 1\nerror: refused", error=True)
    session.compact("It goes on.", preserved=0)
    session.user("And now?")
    path = session.write(tmp_path / "t.jsonl")
    assert len(fold_transcript(str(path), SESSION).state.issues) == 1
    session.tool("Bash", {"command": command}, "done")
    assert fold_transcript(str(session.write(path)), SESSION).state.issues == ()
