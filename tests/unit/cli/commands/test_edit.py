"""`remember`, `forget`, `done`, `pin`, `undo`, and what each says of a mistake."""

import errno
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from amplihack_compaction.base.errors import CompactionError, place_and_reason
from amplihack_compaction.cli.app import app
from amplihack_compaction.cli.commands import edit
from amplihack_compaction.ledger.edits import list_items
from amplihack_compaction.ledger.stored import fold_transcript
from tests.support.sessions import write_own_settings
from tests.support.transcripts import SESSION, Transcript

Run = Callable[..., str]


@pytest.fixture
def run(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what calls a command on a session, and what it printed or why it failed."""
    said = Transcript()
    said.root = str(project)
    said.user("Build the login page. Never push to main. Never touch vendor/.")
    said.tool("TaskCreate", {"subject": "Sow"}, "Task #1 created successfully: Sow")
    said.tool("Bash", {"command": "pytest tests/page"}, "1 failed, 2 passed", error=True)
    said.assistant("Fine.\n- [ ] Write the docs")
    path = str(said.write(tmp_path / f"{SESSION}.jsonl"))
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    monkeypatch.delenv("CLAUDECODE", raising=False)

    def call(command: str, *words: str) -> str:
        option = ["--session", path] if command not in ("state", "diagnose") else [path]
        done = CliRunner().invoke(app, [command, *option, *words])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            assert isinstance(done.exception, (CompactionError, OSError))
            refused = done.exception
            said = place_and_reason(refused) if isinstance(refused, OSError) else str(refused)
            return f"refused: {said}"
        return done.output

    return call


def id_of(run: Run, words: str) -> str:
    return ids_at(run, words)[0]


def ids_at(run: Run, words: str) -> list[str]:
    """Return the ids that the line with these words ends with."""
    line = next(line for line in run("state").splitlines() if words in line and "[" in line)
    return line.rpartition("[")[2].rstrip("]").split()


def test_a_change_that_calls_could_not_be_held_against_is_said_to_be_made(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(edit, "write_guard", full)
        said = run("remember", "Never deploy on Fridays.")
    assert said.startswith("refused: the change was made")
    assert "No space left on device" in said
    assert "Never deploy on Fridays." in run("undo", "--list")


def test_a_todo_has_its_id_and_not_the_call_that_made_it(run: Run) -> None:
    assert id_of(run, "- [ ] Sow")
    assert "- TaskCreate Sow" in run("state").splitlines()


def test_where_the_project_is_gone_it_is_said_what_to_do(run: Run, project: Path) -> None:
    shutil.rmtree(project)
    said = run("remember", "Always sign the commits.")
    assert f"{project}: the project's folder is gone" in said
    assert "make it anew" in said
    project.mkdir()
    assert "Kept from now on" in run("remember", "Always sign the commits.")


def test_it_is_said_for_which_session_and_whether_calls_are_held_against_it(run: Run) -> None:
    told = run("remember", "Never push to release/1.0.")
    assert f"in session {SESSION[:8]}" in told
    assert "Tool calls are held against it." in told
    assert "No tool call can be held against it." in run("remember", "Always be friendly.")
    assert "held against" not in run("remember", "500 rows", "--as", "decision")


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Never panic", False),
        ("Never BCC anybody", False),
        ("Never deploy on Sundays", False),
        ("Never deploy to staging", True),
        ("Never commit secrets", True),
        ("Never use sed", True),
    ],
)
def test_calls_are_said_to_be_held_against_what_one_can_break(
    run: Run, text: str, held: bool
) -> None:
    assert ("Tool calls are held against it." in run("remember", text)) is held
    assert (text in run("state", "--try", "mail --bcc x@y").partition("Calls are held")[2]) is held


@pytest.mark.parametrize(
    "leave",
    [
        "You may push to main",
        "It is fine to push to main.",
        "From now on pushing to main is allowed",
    ],
)
def test_what_is_allowed_is_held_against_no_call_and_lifts_what_barred_it(
    run: Run, leave: str
) -> None:
    assert "It would break:" in run("state", "--try", "git push origin main")
    assert "No tool call can be held against it." in run("remember", leave)
    assert "It would break:" not in run("state", "--try", "git push origin main")
    run("remember", "Never push to main, really.")
    assert "It would break:" in run("state", "--try", "git push origin main")
    run("remember", f"{leave.rstrip('.')} again")
    assert "It would break:" not in run("state", "--try", "git push origin main")
    assert "It would break:" in run("state", "--try", "rm -r vendor/")


def test_secrets_alone_are_what_a_rule_on_committing_them_bars(run: Run) -> None:
    run("remember", "Never commit secrets")
    assert "would break none" in run("state", "--try", "git commit -m done")
    assert "It would break:" in run("state", "--try", "git commit .env -m done")


def test_what_a_slash_command_hands_over_may_say_what_it_is(run: Run) -> None:
    assert '  value: "the admin port is 9443"' in run(
        "remember", "--", "--as value the admin port is 9443"
    )
    assert "there are rule, decision, value, todo" in run("remember", "--", "--as note the port")
    assert "the port" not in run("state")


def test_what_is_remembered_is_shown_with_its_id_and_undone(run: Run) -> None:
    assert "rule" in run("remember", "Always sign", "the commits.")
    rule = id_of(run, "Always sign the commits.")
    assert rule.startswith("r")
    assert rule in run("remember", "Always sign the commits.")
    assert json.loads(run("state", "--json"))["items"][rule]["text"] == "Always sign the commits."
    assert "Taken back" in run("undo")
    assert "Always sign" not in run("state")
    assert "nothing is left to undo" in run("undo")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("the box is 10.1.2.3",), "value"),
        (("Never use npm.",), "rule"),
        (("Sign every commit",), "rule"),
        (("Never open port 8080.",), "rule"),
        (("--as", "todo", "write tests"), "todo"),
        (("--as", "decision", "we take Postgres"), "decision"),
    ],
)
def test_a_text_is_kept_as_what_it_reads_like_or_as_what_is_said(
    run: Run, words: tuple[str, ...], kind: str
) -> None:
    assert f"  {kind}: " in run("remember", *words)


def test_words_that_several_items_have_change_none_and_show_them(run: Run) -> None:
    said = run("forget", "never")
    assert said.startswith("refused: 2 items have these words")
    assert id_of(run, "Never push to main") in said
    assert "Never touch vendor/" in said
    assert "Forgotten" in run("forget", id_of(run, "Never touch vendor/"))
    assert 'lifted: "Never touch vendor/."' in run("state")
    assert "Forgotten" in run("forget", "push main")


def test_several_ids_are_changed_at_once(run: Run) -> None:
    both = (id_of(run, "Never push to main"), id_of(run, "Never touch vendor/"))
    said = run("forget", *both)
    assert said.count("Forgotten: ") == 2
    assert all(id_ in said for id_ in both)
    assert run("state").count("lifted: ") == 2


def test_a_todo_that_is_done_has_no_id_any_more(run: Run) -> None:
    run("done", "docs")
    assert "nothing in force has all of these words: docs" in run("pin", "docs")


def test_a_todo_is_done_and_a_rule_is_not(run: Run) -> None:
    assert "Done" in run("done", "docs")
    assert "- [x] Write the docs" in run("state")
    assert "a rule is never done" in run("done", "main")
    assert "Pinned" in run("pin", "main")
    assert "## Kept by hand" in run("state")
    assert "objective is always told" in run("pin", "login page")


def test_what_is_done_is_not_what_only_speaks_of_it(run: Run) -> None:
    assert "Kept from now on" in run("remember", "--as", "value", "login page 10.1.2.3")
    assert "Done" in run("done", "login page")
    assert "Taken back: done objective" in run("undo")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("remember",), "there are no words"),
        (("remember", " "), "there are no words"),
        (("remember", "\u200b\ufe00"), "there are no words"),
        (("remember", "x" * 601), "601 characters"),
        (("forget", "zebra"), "nothing in force has all of these words: zebra"),
        (("forget", "r0000"), "nothing in force"),
        (("forget", "ush"), "nothing in force"),
        (("forget", "r0000", "r1111"), "nothing in force"),
        (("remember", "--as", "zebra", "x"), "zebra"),
        (("remember", "--by", "nobody", "x"), "nobody"),
    ],
)
def test_a_mistake_gets_a_message_that_says_what_is_wrong(
    run: Run, words: tuple[str, ...], reason: str
) -> None:
    assert reason in run(*words)
    assert "Kept by hand" not in run("state")


@pytest.mark.parametrize("command", ["remember", "forget", "done", "pin"])
@pytest.mark.parametrize("words", [(), ("",), (" ", " ")])
def test_a_call_without_words_is_a_wrong_one(command: str, words: tuple[str, ...]) -> None:
    assert CliRunner().invoke(app, [command, *words]).exit_code == 2


def test_what_the_model_notes_is_its_own_and_it_lifts_no_rule(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "note, the model's" in run("remember", "Never use npm.")
    assert "- note: model: Never use npm." in run("state")
    assert "only the user takes back" in run("forget", "main")
    assert "Forgotten" in run("forget", "npm")
    assert "Forgotten" in run("forget", "main", "--by", "user")
    assert run("undo", "--list").count("\n") == 3


def test_a_secret_is_not_kept_and_that_is_said(run: Run) -> None:
    said = run("remember", "the key is ghp_0123456789abcdefABCDEF0123456789abcd")
    assert "ghp_" not in said
    assert "looks like a secret" in said


def test_where_nothing_was_changed_the_list_says_so(run: Run) -> None:
    assert run("undo", "--list") == "Nothing was changed by hand.\n"


def test_of_several_that_are_named_all_are_changed_or_none(run: Run) -> None:
    run("remember", "Always sign the commits.")
    todo, rule = id_of(run, "Sow"), id_of(run, "Always sign")
    assert "is never done" in run("done", todo, rule)
    assert "- [ ] Sow" in run("state")


def test_done_means_the_todo_and_not_a_note_of_the_same_words(run: Run) -> None:
    run("remember", "--by", "model", "The docs live in two places.")
    assert "Done: " in run("done", "docs")
    assert "[x] Write the docs" in run("state")


def test_of_several_only_what_can_be_done_is_offered(run: Run) -> None:
    run("remember", "--as", "value", "the zebra box is 10.1.2.3")
    for place in ("attic", "cellar"):
        run("remember", "--by", "model", f"A zebra lives in the {place}.")
    offered = run("done", "zebra")
    assert "2 items have these words" in offered
    assert "10.1.2.3" not in offered


def test_what_a_command_would_break_is_told_without_running_it(run: Run) -> None:
    broken = run("state", "--try", "git push origin main")
    assert broken.splitlines()[0] == "It would break:"
    assert "Never push to main." in broken.splitlines()[1]
    assert f"  {id_of(run, 'Never push to main.')}  " in broken.splitlines()[1]
    assert "Never touch vendor/." in broken.partition("Also held against:")[2]
    assert run("state", "--try", "git status").startswith("It would break none of the rules.")
    assert "(not yet)" in broken.splitlines()[1]
    assert "(not yet): held from the next compaction on" in broken.splitlines()[-1]
    run("pin", "push", "to", "main")  # now calls are held against all rules
    assert "(not yet)" not in run("state", "--try", "git push origin main")
    assert json.loads(run("state", "--try", "git push origin main", "--json"))["broken"][0]["text"]
    assert "there is no call" in run("state", "--try", " ")


def test_it_is_told_what_the_guard_would_do_about_a_call(run: Run) -> None:
    def effect(*call: str) -> str:
        told = run("state", *call).splitlines()
        return next((line for line in told if " would " in line and "break" not in line), "")

    push = ("--try", "git push origin main")
    assert effect("--try", "git status") == ""
    assert effect(*push) == "Nothing would happen: (not yet)."
    run("pin", "push", "to", "main")
    assert effect(*push).startswith("The model would be told, once until the next compaction: ")
    write_own_settings(guard="ask")
    assert effect(*push) == "You would be asked before it runs, each time: `guard` is ask."
    write_own_settings(guard="off")
    assert effect(*push) == "Nothing would happen: `guard` is off."
    assert "(not yet)" not in run("state", *push)
    assert json.loads(run("state", *push, "--json"))["guard"] == "off"


def test_a_call_of_another_tool_is_tried_too(run: Run, project: Path) -> None:
    run("remember", "Don't fetch anything from example.com, and don't touch go.mod")
    breaking = (
        ("go.mod", "Edit"), (f"{project}/go.mod", "write"), ("vendor/x.js", "Edit"),
        ("https://example.com/a", "WebFetch"),
    )  # fmt: skip
    for given, tool in breaking:
        assert "It would break:" in run("state", "--try", given, "--tool", tool), given
    assert "--tool goes with --try" in run("state", "--tool", "Edit")
    keeping = ("go.mod", "Read"), ("go.sum", "Edit"), ("https://example.org/a", "WebFetch")
    for given, tool in keeping:
        assert "It would break none" in run("state", "--try", given, "--tool", tool), given


def test_of_a_push_that_names_no_branch_the_one_checked_out_counts(run: Run, project: Path) -> None:
    (project / ".git").mkdir()
    for branch, told in (("main", "It would break:"), ("topic", "It would break none")):
        (project / ".git/HEAD").write_text(f"ref: refs/heads/{branch}\n")
        assert run("state", "--try", "git push").startswith(told)


def test_the_newest_prompt_is_done_as_the_objective_that_it_stands_for(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    said = Transcript()
    said.root = str(tmp_path / "project")
    said.user("Build the login page. Never push to main.")
    said.assistant("Fine.")
    said.user("/checkpoint")
    said.assistant("Written down.")
    said.write(path)
    objective = ids_at(run, '- Current: "/checkpoint"')[0]
    assert "Done: " in run("done", "/checkpoint")
    assert '- Done, marked so by hand: "/checkpoint"' in run("state")
    run("undo")
    assert "Forgotten: " in run("forget", objective)
    assert '- Current: "Build the login page.' in run("state")
    run("undo")
    assert '- Current: "/checkpoint"' in run("state")


def test_a_newest_prompt_that_is_a_rule_has_the_rules_id_alone(run: Run, tmp_path: Path) -> None:
    said = Transcript()
    said.root = str(tmp_path / "project")
    said.user("Build the login page.")
    said.assistant("Fine.")
    said.user("Never push to main.")
    said.assistant("I will not.")
    said.write(tmp_path / f"{SESSION}.jsonl")
    assert "Forgotten: r" in run("forget", "never push to main")


def test_what_still_says_the_words_of_a_forgotten_rule_is_named(run: Run) -> None:
    run("remember", "--as", "value", "Never push to main. The box is 10.1.2.3.")
    told = run("forget", id_of(run, '- "Never push to main."'))
    assert "The same words are still told in:" in told
    assert "10.1.2.3" in told.partition("still told in")[2]


def test_a_line_that_is_cut_still_says_the_words(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = f"By the way, port 8443 of the box in Bern {'answers where the proxy is up, ' * 8}too."
    said = Transcript()
    said.user(f"Build the login page. {whole}")
    state = fold_transcript(str(said.write(tmp_path / "t.jsonl")), SESSION).state
    value = next(item for item in list_items(state) if item.kind == "value")
    assert "…" in value.line
    edit._tell_who_else_says(state, [replace(value, text=whole)])
    assert f"[{value.id}" in capsys.readouterr().out


def test_after_several_changes_it_is_said_that_undo_takes_back_one(run: Run) -> None:
    run("remember", "Always sign the commits.")
    told = run("forget", id_of(run, "Always sign"), id_of(run, "Never touch"))
    assert "takes back one at a time" in told


def test_an_objective_that_is_done_is_told_as_wanted_by_no_command(run: Run) -> None:
    words = "Build the login page."
    assert f'- Current: "{words}' in run("state")
    objective = next(i for i in ids_at(run, "- Current: ") if i[0] == "o")
    assert "Done: " in run("done", objective)
    assert f'- Done, marked so by hand: "{words}' in run("state")
    assert "Current: " not in run("state")
    assert "    done by hand " in run("diagnose")
    document = run("handoff", "--print")
    assert words not in document.partition("## COMPLETED")[0]
    assert words in document.partition("## COMPLETED")[2]
    assert "Last prompt" not in document
    run("undo")
    assert f'- Current: "{words}' in run("state")
    run("forget", objective)
    assert words not in run("state").partition("## Also said")[0]


def test_a_failing_check_that_is_done_is_not_told_as_failed_elsewhere(run: Run) -> None:
    assert "`pytest tests/page` fails" in run("state")
    run("done", id_of(run, "`pytest tests/page` fails"))
    assert "fail" not in run("state").partition("## Recent Tool History")[0]
    assert "- result unknown: test `pytest tests/page`" in run("state")


@pytest.fixture
def job(run: Run, project: Path, tmp_path: Path) -> Run:
    """Return what calls a command on a session in which a sentence has two values."""
    said = Transcript()
    said.root = str(project)
    said.user("Write the cleanup job. Keys older than 72 hours go every night at 03:15.")
    said.assistant("The job is there.")
    said.user("Measure a batch of 500 parcels.")
    said.assistant("It takes 20 seconds.")
    said.user("Now the page with the table of the keys.")
    said.assistant("It is there.")
    said.write(tmp_path / f"{SESSION}.jsonl")
    return run


def test_a_wrong_value_is_forgotten_with_all_that_says_it(job: Run) -> None:
    told = job("forget", "72 hours")
    others = told.partition("still told in:")[2].splitlines()
    assert sum("Keys older than 72 hours" in line for line in others) >= 2
    ids = " ".join(line.rpartition("[")[2].rstrip("]") for line in others if line[-1:] == "]")
    for kind in "vs":
        id_ = next(each for each in ids.split() if each[0] == kind)
        last = job("forget", id_)
    assert "72 hours" not in job("state")
    assert "still told" not in last
    assert "Write the cleanup job." in job("state")
    for _ in range(3):
        job("undo")
    assert "72 hours" in job("state")


def test_a_short_newest_prompt_that_is_forgotten_is_told_no_more_as_the_current_one(
    project: Path, run: Run, tmp_path: Path
) -> None:
    said = Transcript()
    said.root = str(project)
    said.user("Write the page of the cart.")
    said.assistant("Loading it takes a while.")
    said.user("its loaded")
    said.assistant("Then the page comes next.")
    said.write(tmp_path / f"{SESSION}.jsonl")
    assert 'Current: "its loaded"' in run("state")
    assert "Done: o" in run("done", "its loaded")
    run("undo")
    assert "still told" not in run("forget", "its loaded")
    assert 'Current: "Write the page of the cart."' in run("state")
    run("undo")
    assert 'Current: "its loaded"' in run("state")


def test_what_alone_a_prompt_says_is_left_out_of_it(job: Run) -> None:
    assert "Measure a batch" in job("state")
    for _ in range(3):  # what has an id first
        if "still told" not in job("forget", "batch of 500 parcels"):
            break
    assert "parcels" not in job("state")
    assert "nothing in force" in job("forget", "parcels")
    assert "Forgotten: " in job("forget", "page table")
    assert "page with the table" not in job("state")


def test_a_number_is_meant_as_a_whole(job: Run) -> None:
    assert "nothing in force" in job("forget", "50 parcels")
    assert "nothing in force" in job("forget", "2 hours")
    assert "Forgotten: " in job("forget", "500 parcel")


def test_of_several_ids_the_one_that_is_unknown_is_named(run: Run) -> None:
    rule = id_of(run, "Never push")
    for wrong in ("nosuchid", "rffff"):
        told = run("forget", rule, wrong)
        assert told == f"refused: none was changed: no item has the id {wrong}"
    assert "Never push to main." in run("state")


def test_the_list_says_what_is_taken_back_and_what_is_next(run: Run) -> None:
    run("remember", "Always sign the commits.")
    run("remember", "Never use yarn.")
    run("undo")
    first, second, third = run("undo", "--list").splitlines()
    assert first.endswith("Always sign the commits.  (next)")
    assert second.endswith("Never use yarn.  (taken back)")
    assert third.endswith("undo      rule: Never use yarn.")


def test_of_a_rule_that_says_several_things_only_the_clause_is_forgotten(run: Run) -> None:
    rule = "Commit messages always in English, and never run npm, we open PRs against develop."
    run("remember", rule)
    assert "It would break:" in run("state", "--try", "npm ci")
    told = run("forget", "never npm")
    assert 'of it: "never run npm". What else it says still holds.' in told
    assert "still told in" not in told
    assert f'rule: "{rule}" (lifted of it: "never run npm")' in run("state")
    assert "It would break none" in run("state", "--try", "npm ci")
    assert "nothing in force" in run("forget", "never npm")
    run("remember", "Never run npm")
    assert "lifted" not in run("state")
    assert "It would break:" in run("state", "--try", "npm ci")
    run("undo")
    run("undo")
    assert f'rule: "{rule}"' in run("state")
    assert "lifted" not in run("state")
    run("forget", id_of(run, rule))
    assert "PRs against develop" not in run("state").partition("## No longer in force")[0]
