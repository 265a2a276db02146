"""`recall` and `store` as a user calls them."""

import json
import multiprocessing
import os
import posix
import random
import shutil
import signal
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from amplihack_compaction.base.errors import (
    CompactionError,
    SessionNotFoundError,
    StoreError,
    TranscriptError,
)
from amplihack_compaction.base.files import replace_with_parts
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.cli.app import app
from amplihack_compaction.cli.commands import recall, store
from amplihack_compaction.cli.commands.mcp import recall_text
from amplihack_compaction.cli.commands.recall import joined
from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from amplihack_compaction.clients.reading import project_transcripts
from amplihack_compaction.compactor.transcripts.manifest import manifest_path
from amplihack_compaction.ledger.edits import add_edit, new_edit
from amplihack_compaction.store import importing, sqlite, upkeep
from amplihack_compaction.store.importing import import_transcripts
from amplihack_compaction.store.messages import text_of
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.search import Found
from amplihack_compaction.store.sessions import SessionKey, left_out, make_session
from amplihack_compaction.store.sqlite import default_place, open_project_store
from amplihack_compaction.store.store import SessionStore
from tests.support.sessions import write_own_settings
from tests.support.transcripts import SESSION, Transcript


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    monkeypatch.chdir(project)
    return project


def call(*words: object, code: int = 0) -> str:
    result = attempt(*words)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def attempt(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def spoken(name: str = SESSION, *texts: str) -> Transcript:
    session = Transcript(name)
    for text in texts or ("Use port 8443 for the admin server.",):
        session.user(text)
        session.assistant("I will.")
    session.compact("They chose a port.")
    session.user("Go on.")
    return session


@pytest.fixture
def recorded(here: Path) -> Path:
    return spoken().write(transcript_folder(str(here)) / f"{SESSION}.jsonl")


def test_sync_reads_what_the_hooks_have_not(here: Path, recorded: Path) -> None:
    assert "1 transcript, 3 new messages" in call("store", "sync")
    assert "0 new messages" in call("store", "sync")
    assert call("store", "sync", "--quiet") == ""


def test_sync_names_what_it_cannot_look_at_and_reads_the_rest(here: Path, recorded: Path) -> None:
    loop = recorded.with_name("loop.jsonl")
    loop.symlink_to(loop)
    said = call("store", "sync", code=1)
    assert "1 transcript, 3 new messages" in said
    assert f"left out: {loop} cannot be looked at: " in said
    recorded.unlink()
    with pytest.raises(TranscriptError, match=r"is recorded here; .*cannot be looked at"):
        call("store", "sync")


def test_sync_names_a_folder_that_it_cannot_look_into(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> list[str]:
        raise PermissionError(13, "Permission denied", path)

    project_transcripts(str(here))  # loads each client's modules, for which folders are listed too
    monkeypatch.setattr(posix, "listdir", refuse)
    with pytest.raises(TranscriptError, match="cannot be looked into: Permission denied"):
        call("store", "sync")


def test_import_names_what_it_cannot_look_at_and_reads_the_rest(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "src"
    spoken("s").write(source / "open" / "s.jsonl")
    loop = source / "open" / "loop.jsonl"
    loop.symlink_to(loop)
    (source / "open" / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    (source / "closed").mkdir()
    (source / "left").mkdir()
    real = os.scandir

    def refuse(path: object) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        if str(path).endswith("left"):
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return real(path)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "scandir", refuse)
    said = call("store", "import", source, code=1)
    assert "1 transcript, 3 new messages" in said
    assert f"left out: {source}/closed cannot be looked at: Permission denied" in said
    assert f"left out: {loop} cannot be looked at: " in said
    assert "nowhere" not in said
    assert f"{source}/left" not in said  # gone since its folder was listed


def test_recall_shows_what_was_said_and_where(here: Path, recorded: Path) -> None:
    call("store", "sync", "-q")
    out = call("recall", "admin")
    assert out.splitlines()[:-1] == [
        "1. user · prompt · 2026-11-21 21:00 · turn 1 · before compaction 1",
        "   Use port 8443 for the admin server.",
        f"   {SESSION[:8]}.1 · session {SESSION}",
    ]
    assert f"store show {SESSION[:8]}.1`" in out.splitlines()[-1]
    found = json.loads(call("recall", "8443", "--json"))
    (hit,) = found["hits"]
    start, end = hit["marks"][0]
    assert hit["excerpt"][start:end] == "8443"
    nothing = call("recall", "zebra", code=1)
    assert (
        nothing
        == "Nothing of it was found.\n('zebra' occurs nowhere in the store: it was left out)\n"
    )
    assert "no word" in call("recall", "***", code=1)


def test_recall_reads_in_what_is_new(
    here: Path, recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded.with_name("empty.jsonl").touch()
    assert "Use port 8443" in call("recall", "8443")
    spoken("later", "Ask Wolfgang.").write(recorded.with_name("later.jsonl"))
    (here / "ring").symlink_to("ring")
    for other in ("other", "ring"):
        assert "nowhere" in call("recall", "wolfgang", "--project", here / other, code=1)
    assert "Ask Wolfgang." in recall_text("wolfgang")
    spoken("last", "Ask Gundula.").write(recorded.with_name("last.jsonl"))
    monkeypatch.setattr(recall, "_READ_SECONDS", 0.0)
    said = call("recall", "gundula wolfgang").splitlines()
    assert said[0].startswith("(1 session is not read in yet: `")
    assert said[0].endswith(" store sync` does it)")
    assert "Ask Wolfgang." in "\n".join(said)
    assert "not read in yet" in json.loads(call("recall", "gundula", "--json", code=1))["notes"][0]


def test_recall_says_why_it_could_not_read_a_session(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise CompactionError("the disk is full")

    monkeypatch.setattr(recall, "ingest_transcript", full)
    said = call("recall", "8443", code=1)
    assert "(1 session is not read in yet (the disk is full): `" in said


def test_recall_leaves_a_store_that_is_named_or_switched_off_as_it_is(
    here: Path, recorded: Path, tmp_path: Path
) -> None:
    write_own_settings(store="off")
    assert "1 session is not read in yet" in call("recall", "8443", code=1)
    assert not Path(default_place(str(here))).exists()
    named = tmp_path / "named.db"
    call("store", "sync", "-q", "--url", named)
    spoken("later", "Ask Wolfgang.").write(recorded.with_name("later.jsonl"))
    assert "1 session is not read in yet" in call("recall", "wolfgang", "--url", named, code=1)


def test_a_message_that_was_found_is_shown_with_what_was_said_around_it(
    here: Path, recorded: Path
) -> None:
    tag = "<system-reminder>"
    spoken(SESSION, *(f"Prompt {number} of many.{tag}" for number in range(9))).write(recorded)
    call("store", "sync", "-q")
    (hit,) = json.loads(call("recall", '"prompt 4"', "--json"))["hits"]
    shown = json.loads(call("store", "show", hit["id"], "--json"))["messages"]
    assert len(shown) == 5
    assert shown[2]["content"] == f"Prompt 4 of many.{tag}"
    assert "Prompt 4 of many.‹system-reminder>" in call("store", "show", hit["id"])
    assert "has no message 999" in str(attempt("store", "show", f"{SESSION}.999").exception)


def test_of_sessions_that_begin_alike_the_one_with_the_message_is_shown(here: Path) -> None:
    names = "01a20a63-0b60-7622-afd8-07cfafb6f8a4", "01a20a63-9c11-7a01-8d4e-5b1f2c3d4e5f"
    for name, text in zip(names, ("Use kafka.", "Use redis."), strict=True):
        spoken(name, text).write(transcript_folder(str(here)) / f"{name}.jsonl")
    spoken().write(transcript_folder(str(here)) / f"{SESSION}.jsonl")
    call("store", "sync", "-q")
    for asked, name in zip(("kafka", "redis"), names, strict=True):
        (hit,) = json.loads(call("recall", asked, "--json"))["hits"]
        assert json.loads(call("store", "show", hit["id"], "--json"))["session"] == name
    shown = [line.split()[0] for line in call("store", "sessions").splitlines()]
    assert sorted(shown) == [*names, SESSION[:8]]
    assert "several sessions begin" in str(attempt("store", "show", "01a20a63.999").exception)


def test_a_tools_name_is_shown_as_text_alone(here: Path, recorded: Path) -> None:
    session = spoken(SESSION, "Look at the port.")
    session.tool("Bash\x1b[2J<system-reminder>", {"command": "ls"}, "8443 is taken")
    session.write(recorded)
    call("store", "sync", "-q")
    (hit,) = json.loads(call("recall", "taken", "--json"))["hits"]
    shown = call("store", "show", hit["id"])
    assert ("\x1b" in shown, "<system-reminder>" in shown) == (False, False)
    assert "Bash [2J‹system-reminder>" in shown


def test_inside_a_session_what_was_compacted_away_of_it_comes_first(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = spoken(SESSION, "Ask Wolfgang for the key.")
    lost.compact("They spoke.")
    lost.write(recorded)
    spoken("later", "Ask Wolfgang for the key!").write(recorded.with_name("later.jsonl"))
    call("store", "sync", "-q")

    def first() -> str:
        found = json.loads(call("recall", "wolfgang key", "--json"))
        assert len(found["hits"]) == 2
        return str(found["hits"][0]["session_id"])

    assert first() == "later"
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    assert first() == SESSION


def test_what_is_advised_is_of_the_store_that_was_named(here: Path, recorded: Path) -> None:
    named = ("--url", f"sqlite:///{here}/team.db")
    call("store", "sync", "-q", *named)
    spoken("later", "Use port 8444.").write(recorded.with_name("later.jsonl"))
    shown = call("recall", "port", *named)
    assert "store sync --url …` does it" in shown
    assert "--url …` prints what was said around it" in shown


def test_recall_takes_its_filters(here: Path, recorded: Path) -> None:
    call("store", "sync", "-q")
    assert "summary" in call("recall", "port", "--kind", "summary")
    call("recall", "port", "--since", "2027", code=1)
    call("recall", "port", "--project", here, "-k", "prompt", "--before-compaction", "1")
    call("recall", "port", "--before-compaction", "0", code=1)
    assert "there are prompt" in call("recall", "port", "--kind", "odd", code=2)


def test_a_session_that_there_is_not_is_an_error(here: Path, recorded: Path) -> None:
    call("store", "sync", "-q")
    for one in ("other", "%", SESSION[1:]):
        error = attempt("recall", "port", "--session", one).exception
        assert isinstance(error, SessionNotFoundError)
        assert f"no session {one}" in str(error)
    with pytest.raises(SessionNotFoundError):
        recall_text("port", session="other")
    call("recall", "nothing", "--session", SESSION[:6], code=1)


@pytest.mark.parametrize("out", ["-staging", "-kafka", "-nightly", "-admin", "-8443", "-ümlaut"])
def test_a_word_that_is_taken_out_is_no_option(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    asked: list[str] = []

    def search(query: str, *_: object) -> Found:
        asked.append(query)
        return Found()

    monkeypatch.setattr(recall, "search_store", search)
    for words in ([out, "port", "-n5"], ["port", out], ["port", "-k", "prompt", "--", out]):
        call("recall", *words, code=1)
    assert asked == [f"port {out}"] * 3


@pytest.mark.parametrize("time", ["2026-13", "2026-02-30", "2026-11-21T24", "0000", "today"])
def test_a_time_that_there_is_not_is_an_error(here: Path, recorded: Path, time: str) -> None:
    call("store", "sync", "-q")
    for option in ("--since", "--until"):
        error = attempt("recall", "port", option, time).exception
        assert isinstance(error, CompactionError)
        assert "is no time" in str(error)


def test_a_time_in_part_holds_all_that_lies_in_it_with_its_zone_or_without(
    here: Path, recorded: Path
) -> None:
    call("store", "sync", "-q")
    for time in ("2026", "2026-11", "2026-11-21", "2026-11-21T21", "2026-11-21T21:00"):
        for zone in ("", "Z") if ":" in time else ("",):
            assert "Use port 8443" in call("recall", "8443", "--since", time + zone)
            assert "Use port 8443" in call("recall", "8443", "--until", time + zone)


def test_a_phrase_survives_the_shell() -> None:
    assert joined(["exact words", "-not", "this"]) == '"exact words" -not this'
    assert joined(['all "of it"']) == 'all "of it"'


def test_sessions_can_be_listed_shown_and_exported(here: Path, recorded: Path) -> None:
    call("store", "sync", "-q")
    assert f"{SESSION[:8]}" in call("store", "sessions")
    (one,) = json.loads(call("store", "sessions", "--json"))["sessions"]
    assert (one["messages"], one["kept"], one["compactions"]) == (2, 4, 1)
    shown = call("store", "show", SESSION[:6])
    assert "They chose a port." in shown
    assert "8443" not in shown
    assert "8443" in call("store", "show", SESSION, "--archived")
    whole = json.loads(call("store", "show", SESSION, "--json"))
    assert [message["kind"] for message in whole["messages"]] == ["summary", "prompt"]
    assert (whole["session"], whole["project"]) == (SESSION, str(here))
    assert "3 messages" not in call("store", "history", SESSION)
    assert "2 messages" in call("store", "history", SESSION)
    (past,) = json.loads(call("store", "history", SESSION, "--json"))["compactions"]
    assert (past["messages_before"], past["messages_after"]) == (2, 1)
    stats = json.loads(call("store", "stats", "--json"))
    assert stats["kinds"] == {"prompt": 2, "answer": 1, "summary": 1}
    assert "4 messages" in call("store", "stats")
    output = here / "out.jsonl"
    call("store", "export", "--output", output)
    assert len(output.read_text().splitlines()) == 4
    assert output.stat().st_mode & 0o777 == 0o600
    assert len(call("store", "export", SESSION).splitlines()) == 4
    assert len(call("store", "export", "--output", "-").splitlines()) == 4
    assert not (here / "-").exists()


@pytest.mark.parametrize("command", ["show", "history", "export", "delete"])
def test_an_empty_id_is_no_session_also_where_there_is_but_one(
    here: Path, recorded: Path, command: str
) -> None:
    call("store", "sync", "-q")
    yes = ["--yes"] if command == "delete" else []
    error = attempt("store", command, "", *yes).exception
    assert isinstance(error, SessionNotFoundError)
    assert len(json.loads(call("store", "sessions", "--json"))["sessions"]) == 1


def test_an_export_that_fails_leaves_the_earlier_one(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("store", "sync", "-q")
    output = here / "out.jsonl"
    output.write_text("earlier")
    output.chmod(0o644)

    def fail(path: str, parts: Iterable[bytes]) -> None:
        def cut_off() -> Iterator[bytes]:
            yield next(iter(parts))
            raise OSError(28, "No space left on device")

        replace_with_parts(path, cut_off())

    with monkeypatch.context() as patch:
        patch.setattr("amplihack_compaction.cli.terminal.replace_with_parts", fail)
        with pytest.raises(CompactionError, match="No space left"):
            call("store", "export", "--output", output)
    assert output.read_text() == "earlier"
    assert [path.name for path in here.glob("out*")] == ["out.jsonl"]
    with pytest.raises(CompactionError, match="there is no folder"):
        call("store", "export", "--output", here / "none" / "out.jsonl")
    with pytest.raises(CompactionError, match="not a regular file"):
        call("store", "export", "--output", here)
    with pytest.raises(CompactionError, match="there is no folder"):
        call("store", "export", "--output", "~nobody-of-this-name/out.jsonl")
    link = here / "link"
    link.symlink_to(output)
    call("store", "export", "--output", link)
    assert link.is_symlink()
    assert len(output.read_text().splitlines()) == 4
    assert output.stat().st_mode & 0o777 == 0o600


def test_an_empty_store_says_how_to_fill_it(here: Path) -> None:
    assert "store sync" in call("store", "sessions")
    with pytest.raises(SessionNotFoundError, match="store sessions"):
        call("store", "show", "none")
    with pytest.raises(CompactionError, match="no session"):
        call("store", "sync")


def test_the_beginning_of_an_id_must_name_one_session(here: Path, tmp_path: Path) -> None:
    for name in ("ab-1", "ab-2"):
        spoken(name).write(tmp_path / "src" / f"{name}.jsonl")
    call("store", "import", tmp_path / "src", "-q")
    with pytest.raises(SessionNotFoundError, match=r"several .* ab-"):
        call("store", "show", "ab")
    call("store", "show", "ab-2")
    with open_store(None, str(here)) as database, database.transaction():
        for project in (str(here), "/elsewhere"):
            make_session(database, SessionKey(project, "cd-1"))
    call("store", "delete", "cd-1", "--yes")
    with open_store(None, str(here), only_read=True) as database:
        assert database.rows("SELECT scope FROM session WHERE session_id = 'cd-1'") == [
            ("/elsewhere",)
        ]
    with pytest.raises(SessionNotFoundError):
        call("store", "show", "%")


@pytest.mark.parametrize("jobs", [0, 2])
def test_import_reads_each_transcript_once(here: Path, tmp_path: Path, jobs: int) -> None:
    source = tmp_path / "src"
    texts = {}
    for number in range(7):
        texts[number] = [f"text {number} {part} " + "x" * 300 for part in range(12)]
        spoken(f"s{number}", *texts[number]).write(source / f"p{number % 2}" / f"s{number}.jsonl")
    (source / "p0" / "agent-1.jsonl").write_text((source / "p0" / "s0.jsonl").read_text())
    (source / "p0" / "odd.jsonl").mkdir()
    (source / "p0" / "empty.jsonl").touch()
    paths = importing.find_transcripts(source, [])
    assert len(paths) == 8
    told: list[Path] = []
    opening = partial(open_project_store, str(here))
    done = import_transcripts(opening, paths, jobs, advance=told.append)
    assert (done.files, done.messages, done.problems) == (8, 175, [])
    assert done.read_bytes == sum(path.stat().st_size for path in paths)
    assert told == paths
    with opening() as database:
        for number, expected in texts.items():
            rows = database.rows(
                "SELECT body FROM content JOIN message ON message.id = content.message"
                " JOIN session ON session.id = message.session"
                " WHERE session_id = :name AND kind = 'prompt' ORDER BY message.id",
                {"name": f"s{number}"},
            )
            assert [text_of(body) for (body,) in rows] == [*expected, "Go on."]
        assert (Transcript.root,) in database.rows("SELECT DISTINCT scope FROM session")
    again = import_transcripts(opening, paths, jobs)
    assert (again.files, again.messages, again.read_bytes) == (8, 0, 0)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_worker_that_is_ended_is_said_and_the_next_import_goes_on(
    here: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], sent: signal.Signals
) -> None:
    paths = [spoken(name, "text " * 60).write(tmp_path / f"{name}.jsonl") for name in "abcdefgh"]
    opening = partial(open_project_store, str(here))

    def signal_workers(_: Path) -> None:
        for worker in multiprocessing.active_children():
            os.kill(worker.pid or 0, sent)

    with pytest.raises(StoreError, match="--jobs 0; what was stored stays"):
        import_transcripts(opening, paths * 20, 1, advance=signal_workers)
    assert import_transcripts(opening, paths, 0).files == len(paths)
    with opening() as database:
        assert database.rows("SELECT count(*) FROM message") == [(4 * len(paths),)]
    assert capfd.readouterr().err == ""


def test_what_cannot_be_read_is_named_and_the_rest_imported(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("good", "bad"):
        spoken(name).write(tmp_path / "src" / f"{name}.jsonl")
    real = importing._project_of

    def refuse(path: Path) -> str:
        if path.stem == "bad":
            raise OSError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(importing, "_project_of", refuse)
    out = call("store", "import", tmp_path / "src", code=1)
    assert "left out" in out
    assert "bad.jsonl" in out
    assert "3 new messages" in out
    for wrong in (tmp_path / "none", here, "~nobody-of-this-name/x"):
        with pytest.raises(CompactionError, match="there is no"):
            call("store", "import", wrong)


def test_a_transcript_belongs_to_the_folder_it_says_or_to_its_own(
    here: Path, tmp_path: Path
) -> None:
    transcripts = tmp_path / "src"
    transcripts.mkdir()
    prompt = {"type": "user", "message": {"role": "user", "content": "Go."}}
    for name, folder in (("told", "/work/shop"), ("none", None), ("odd", 7)):
        lines = ({"type": "summary", "summary": "Go"}, {**prompt, "cwd": folder})
        (transcripts / f"{name}.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    call("store", "import", transcripts, "-q")
    with open_store(None, str(here), only_read=True) as database:
        rows = database.rows("SELECT session_id, scope FROM session ORDER BY session_id")
    own = str(transcripts)
    assert rows == [("none", own), ("odd", own), ("told", "/work/shop")]


def test_deleting_asks_first(here: Path, recorded: Path) -> None:
    call("store", "sync", "-q")
    with pytest.raises(CompactionError, match="--yes"):
        call("store", "delete", SESSION)
    copy = Path(manifest_path(str(here), SESSION))
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text("{}")
    said = call("store", "delete", SESSION[:8], "--yes")
    assert "4 messages" in said
    assert "what this shortened copy left out comes back no more" in said
    assert "unless you delete the transcript too" in said
    assert "no session yet" in call("store", "sessions")
    assert recorded.exists()
    assert "Nothing of it was found" in call("recall", "8443", code=1)  # which reads in what is new
    call("store", "sync", "-q")
    assert "8443" in call("recall", "8443")


def state_of(root: Path, transcript: Path) -> Path:
    """Return the folder of a session's state, in which two edits by hand are in force."""
    folder = Path(session_folder(str(root), SESSION))
    folder.mkdir(parents=True)
    for act in ("remember", "pin"):
        edit = new_edit(act, "rule", "Never push on Fridays.")
        add_edit(str(folder), str(transcript), edit)
    return folder


def test_recall_finds_what_was_remembered_by_hand(here: Path, recorded: Path) -> None:
    folder = Path(session_folder(str(here), SESSION))
    folder.mkdir(parents=True)
    for kind, text, by in (
        ("decision", "Import batches are at most 500 rows.", "user"),
        ("decision", "Batches of 10 rows are imported at night.", "user"),
        ("note", "The importer skips empty rows.", "model"),
    ):
        add_edit(str(folder), str(recorded), new_edit("remember", kind, text, by))
    said = call("recall", "how big may import batches be?").splitlines()
    assert said[0].startswith("Remembered by hand: decision of 20")
    assert said[0].endswith(', by you: "Import batches are at most 500 rows."')
    assert "by model" in call("recall", "importer skips")
    assert "Remembered" not in call("recall", "admin server")
    found = json.loads(call("recall", "500 rows", "--json"))
    assert (found["hits"], len(found["remembered"])) == ([], 1)
    assert "Remembered" not in call("recall", "500 rows", "-k", "prompt", code=1)
    gone = new_edit("forget", "decision", "Import batches are at most 500 rows.")
    add_edit(str(folder), str(recorded), gone)
    assert "at most 500" not in call("recall", "how big may import batches be?")
    again = new_edit("remember", "decision", "Import batches are at most 500 rows.")
    add_edit(str(folder), str(recorded), again)
    assert "at most 500" in call("recall", "how big may import batches be?")


def test_deleting_says_what_was_kept_by_hand_and_goes_too(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = state_of(here, recorded)
    call("store", "sync", "-q")
    asked: list[str] = []
    monkeypatch.setattr(store, "confirm", asked.append)
    said = call("store", "delete", SESSION)
    by_hand = ", with 2 edits by hand, which nothing brings back"
    assert asked == [f"Delete all that is kept of session {SESSION} of {here}{by_hand}?"]
    assert f"4 messages and 1 file of its state{by_hand}. Its transcript stays" in said
    assert not folder.exists()


def test_a_session_that_is_deleted_and_stored_again_meanwhile_is_deleted_as_it_is_now(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def delete_it(_: str) -> None:
        call("store", "delete", SESSION, "--yes")

    def store_it_again(question: str) -> None:
        delete_it(question)
        call("store", "sync", "-q")

    call("store", "sync", "-q")
    monkeypatch.setattr(store, "confirm", store_it_again)
    assert "4 messages" in call("store", "delete", SESSION)
    assert SESSION not in call("store", "sessions", "--json")
    call("store", "sync", "-q")
    monkeypatch.setattr(store, "confirm", delete_it)
    assert isinstance(attempt("store", "delete", SESSION).exception, SessionNotFoundError)


def test_a_store_deletes_no_file_of_another_project(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = tmp_path / "shop"
    monkeypatch.setattr(Transcript, "root", str(shop))
    transcript = spoken().write(tmp_path / "src" / f"{SESSION}.jsonl")
    folder = state_of(shop, transcript)
    before = (folder / "edits.jsonl").read_bytes()
    call("store", "import", transcript.parent, "-q")
    asked: list[str] = []
    monkeypatch.setattr(store, "confirm", asked.append)
    said = call("store", "delete", SESSION)
    assert asked == [f"Delete session {SESSION} of {shop} from this store?"]
    assert said == (
        f"Session {SESSION} is deleted from this store: 4 messages. Its state stays, which is its"
        f" project's: {folder}. {store._READ_AGAIN}\n"
    )
    assert (folder / "edits.jsonl").read_bytes() == before
    call("store", "import", transcript.parent, "-q")
    transcript.unlink()
    assert "Its transcript" not in call("store", "delete", SESSION, "--yes")


def test_a_project_that_is_named_by_a_link_is_the_same_project(
    here: Path, recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = state_of(here, recorded)
    call("store", "sync", "-q")
    (tmp_path / "link").symlink_to(here)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / "link"))
    assert "1 file of its state" in call("store", "delete", SESSION, "--yes")
    assert not folder.exists()


def test_only_what_can_be_read_again_is_said_to_be(here: Path, recorded: Path) -> None:
    call("store", "sync", "-q")
    moved = recorded.rename(here / recorded.name)
    assert "Its transcript" not in call("store", "delete", SESSION, "--yes")
    call("store", "import", here, "-q")
    row = call("store", "sessions", "--json")
    assert SESSION in row
    moved.unlink()
    with open_store(None, str(here)) as database, database.transaction():
        make_session(database, SessionKey(str(here), "archive"))
    said = call("store", "delete", "archive", "--yes")
    assert said.endswith("Its documents stay in their archives: `store sync` reads them again.\n")


def test_a_word_is_taken_out_wherever_it_stands(here: Path, recorded: Path) -> None:
    call("store", "sync")
    assert "8443" in call("recall", "admin")
    call("recall", "admin", "-port", code=1)
    call("recall", "admin", "-port", "--limit", "3", code=1)


def test_the_hit_is_marked_among_what_was_said_around_it(here: Path, recorded: Path) -> None:
    call("store", "sync")
    lines = call("store", "show", f"{SESSION[:8]}.1").splitlines()
    assert [line for line in lines if line.startswith("> ")] == [lines[0]]
    assert lines[0].endswith(f" · {SESSION[:8]}.1")
    assert any(line.endswith(f" · {SESSION[:8]}.2") for line in lines)


def test_a_store_where_nothing_can_be_written_is_searched(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("store", "sync")
    place = Path(default_place(str(here)))
    before = {path.name for path in place.parent.iterdir()}
    monkeypatch.setattr(sqlite, "_cannot_change", lambda _: True)
    assert "8443" in call("recall", "admin")
    assert {path.name for path in place.parent.iterdir()} == before


def test_a_deleted_session_stays_so_when_others_are_imported(
    here: Path, recorded: Path, tmp_path: Path
) -> None:
    call("store", "sync")
    call("store", "delete", SESSION[:8], "--yes")
    other = spoken().write(tmp_path / "elsewhere" / "0b5b0b5b-0000-4000-8000-000000000001.jsonl")
    call("store", "import", other.parent)
    with open_project_store(str(here)) as database:
        assert left_out(database) == {SESSION}
    call("store", "import", recorded.parent)
    with open_project_store(str(here)) as database:
        assert left_out(database) == set()


def kill_a_deletion(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch, module: object, step: str
) -> Path:
    """Begin to delete one of two sessions, up to a step; return where the store lies."""
    spoken("kept").write(recorded.with_name("kept.jsonl"))
    spoken(SESSION, "Ask Wolfgang.").write(recorded)
    call("store", "sync", "-q")
    place = Path(default_place(str(here)))
    with monkeypatch.context() as patch:
        patch.setattr(module, step, interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.store_delete(SESSION, yes=True, url=None)
    assert b"olfgang" in place.read_bytes()  # of the index
    return place


def test_a_deletion_that_was_killed_can_be_brought_to_its_end(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = kill_a_deletion(here, recorded, monkeypatch, store, "purge")
    assert "is deleted" in call("store", "delete", SESSION, "--yes")
    assert b"olfgang" not in place.read_bytes()
    assert SESSION not in call("store", "sessions", "--json")
    assert "kept" in call("store", "sessions", "--json")


def test_a_deletion_that_was_killed_behind_the_name_leaves_no_text_when_called_again(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = kill_a_deletion(here, recorded, monkeypatch, upkeep, "_merge")
    with pytest.raises(SessionNotFoundError):
        call("store", "delete", SESSION, "--yes")
    assert b"olfgang" not in place.read_bytes()


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_vacuum_keeps_the_store_within_its_bounds(here: Path, tmp_path: Path) -> None:
    rng = random.Random(3)
    words = [f"{rng.getrandbits(40):x}" for _ in range(2000)]
    for number in range(3):
        # Words by chance, which no compression makes much smaller.
        texts = [" ".join(rng.choices(words, k=900)) for part in range(150)]
        path = spoken(f"s{number}", *texts).write(tmp_path / "src" / f"s{number}.jsonl")
        os.utime(path, (1_000_000 + number, 1_000_000 + number))
        call("store", "import", path.parent, "-q")
    with open_project_store(str(here)) as database:
        before = database.number(database.used)
    write_own_settings(store_megabytes=2, odd=1)
    out = call("store", "vacuum")
    assert "sessions beyond the bounds deleted" in out
    assert "unknown key 'odd'" in out
    with open_project_store(str(here)) as database:
        assert database.number(database.used) < before
        assert database.rows("SELECT session_id FROM session") == [("s2",)]
        assert Path(default_place(str(here))).stat().st_size < before


def test_a_store_elsewhere_is_named_by_its_url(
    here: Path, recorded: Path, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "3 new messages" in call("store", "sync", "--url", store_url)
    assert "admin" in call("recall", "admin", "--url", store_url)
    monkeypatch.setenv("AMPLIHACK_COMPACTION_STORE", store_url)
    assert "admin" in call("recall", "admin")
    assert not Path(default_place(str(here))).exists()


def test_a_damaged_store_says_what_to_do(here: Path, recorded: Path) -> None:
    call("store", "sync", "-q")
    place = Path(default_place(str(here)))
    shutil.copy(place, here / "copy.db")
    place.write_bytes(b"\0" * 8192)
    with pytest.raises(StoreError, match="damaged"):
        call("recall", "admin")
    for url in ("mysql://x/y", "http://a@b"):
        with pytest.raises(StoreError, match="is not a store"):
            call("recall", "admin", "--url", url)
    assert "admin" in call("recall", "admin", "--url", f"sqlite:///{here}/copy.db")
    assert "admin" in call("recall", "admin", "--url", here / "copy.db")


def test_a_bar_is_shown_on_a_terminal_only(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    store.store_sync(jobs=None, url=None, quiet=False)
    assert "1 transcript " in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["state"],
        ["recall", "admin"],
        ["report", "--all"],
        ["fresh-start"],
        ["snapshot", "list"],
        ["store", "sync"],
        ["store", "sessions"],
    ],
)
def test_a_folder_below_is_told_where_the_sessions_are(
    here: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    (here / "below").mkdir()
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(here / "below"))
    result = attempt(*words)
    above = f"the folder above, {here}, has 1 session: call it there"
    assert above in f"{result.output}{result.exception}"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["recall", "anything"], 1, "Nothing of it was found"),
        (["store", "sessions"], 0, "The store has no session yet"),
        (["store", "stats"], 0, "store.db: not there yet\n0 sessions, 0 compactions, 0 messages"),
        (["store", "export"], 0, ""),
        (["store", "show", "abc"], 1, ""),
        (["store", "history", "abc"], 1, ""),
        (["store", "delete", "abc"], 1, ""),
        (["store", "vacuum"], 0, "store.db: not there yet"),
    ],
)
def test_who_only_looks_leaves_no_files_behind(
    here: Path, words: list[str], code: int, said: str
) -> None:
    result = attempt(*words)
    assert result.exit_code == code
    assert said in result.output
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ["recall", "x"],
        ["store", "sessions"],
        ["store", "stats"],
        ["store", "show", "x"],
        ["store", "history", "x"],
        ["store", "export"],
        ["store", "vacuum"],
        ["store", "delete", "x"],
    ],
)
@pytest.mark.parametrize("form", ["sqlite:///{}", "{}"])
def test_a_store_that_was_named_and_is_not_there_is_an_error_and_not_made(
    here: Path, words: list[str], form: str
) -> None:
    error = attempt(*words, "--url", form.format(here / "typo.db")).exception
    assert isinstance(error, StoreError)
    assert f"there is no store {here / 'typo.db'}" in str(error)
    assert list(here.iterdir()) == []


def test_a_store_that_cannot_be_made_names_no_file_of_our_own(here: Path, recorded: Path) -> None:
    url = str(here / "none" / "store.db")
    error = attempt("store", "sync", "-q", "--url", url).exception
    assert str(error) == f"the store {url} cannot be made: No such file or directory"


def test_a_store_behind_a_link_is_refused_by_who_only_looks_too(here: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (here / ".claude").symlink_to(tmp_path / "elsewhere")
    result = attempt("store", "stats")
    assert isinstance(result.exception, StoreError)
    assert "is a link" in str(result.exception)


def test_what_is_in_the_stores_place_is_said_by_who_only_looks(here: Path) -> None:
    (here / ".claude").write_text("x")
    assert isinstance(attempt("recall", "x").exception, StoreError)


@pytest.mark.parametrize(
    "named", ["2026", "2026-11", "2026-11-21", "2026-11-21T18", "2026-11-21T18:30:05.123Z"]
)
def test_a_time_or_its_beginning_bounds_a_search(here: Path, named: str) -> None:
    assert attempt("recall", "x", "--since", named, "--until", named).exit_code == 1


@pytest.mark.parametrize(
    "named", ["yesterday", "21.11.2026", "2026-11-21 18:30", "2026-11-21T18+02:00"]
)
@pytest.mark.parametrize("option", ["--since", "--until"])
def test_what_is_no_time_is_refused(here: Path, option: str, named: str) -> None:
    result = attempt("recall", "x", option, named)
    assert isinstance(result.exception, CompactionError)
    assert f"{named!r} is no time" in str(result.exception)


def test_an_export_to_a_file_says_what_it_wrote(here: Path, recorded: Path, tmp_path: Path) -> None:
    call("store", "sync")
    assert "1 session written to" in call("store", "export", "--output", tmp_path / "all.jsonl")


def test_sessions_are_listed_by_when_something_was_said(here: Path) -> None:
    for name, day in (("late", 20), ("early", 3)):  # the one read in last was said first
        log = Transcript(name)
        log.user("Go on.")
        log.lines[-1]["timestamp"] = f"2026-11-{day:02}T10:00:00.000Z"
        log.write(transcript_folder(str(here)) / f"{name}.jsonl")
        call("store", "sync")
    assert [line[:23] for line in call("store", "sessions").splitlines()] == [
        "late  2026-11-20 10:00 ", "early  2026-11-03 10:00",
    ]  # fmt: skip
    [first, _] = json.loads(call("store", "sessions", "--json"))["sessions"]
    assert first["lastSaid"] == "2026-11-20T10:00:00.000Z"
    assert first["updatedAt"] > first["lastSaid"]


def test_a_session_is_compacted_by_a_window_or_to_its_state(here: Path, recorded: Path) -> None:
    many = spoken(SESSION, *(f"Never touch table {number}." for number in range(5)))
    many.write(recorded)
    call("store", "sync")
    assert ", 2 now" in call("store", "compact", SESSION, "--window", 2)
    with SessionStore(None) as store:
        info = store.get_session_info(SessionKey(str(here), SESSION))
    assert (info.message_count, info.compaction_count) == (2, 1)
    assert info.created_at <= info.updated_at
    assert info.last_said_at is not None
    assert ", 1 now" in call("store", "compact", SESSION, "--strategy", "summarize")
    assert "1 message in the working history before, 1 now" in call("store", "compact", SESSION)


def test_where_nothing_was_stored_yet_recall_says_so(here: Path) -> None:
    told = call("recall", "admin", code=1)
    assert "the store has no message yet" in told
    assert "occurs nowhere" not in told
