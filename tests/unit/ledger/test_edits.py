"""What is changed in a ledger by hand, and that it stays so."""

from dataclasses import replace
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.signature import own_part, signed
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.injection.receipts import Prepared, prepare, read_prepared
from amplihack_compaction.injection.render import render_long_prompts, render_state
from amplihack_compaction.injection.snapshot import (
    load_snapshot,
    take_snapshot,
    whole_snapshot_of_window,
)
from amplihack_compaction.ledger import edits
from amplihack_compaction.ledger.edits import (
    add_edit,
    edit_of,
    find_items,
    find_sentences,
    last_edit,
    list_items,
    new_edit,
    session_edits,
)
from amplihack_compaction.ledger.guard import guarded_rules
from amplihack_compaction.ledger.stored import current_state, states_at_boundaries
from tests.support.transcripts import SESSION, Transcript


class Talk:
    """A session on disk that goes on, and what is changed in its ledger by hand."""

    def __init__(self, tmp_path: Path, session: str = SESSION) -> None:
        self.said = Transcript(session)
        self.session = session
        self.path = tmp_path / f"{session}.jsonl"
        self.folder = str(tmp_path / "runtime" / "sessions" / session)

    def user(self, text: str) -> None:
        self.said.user(text)
        self.said.assistant("Fine.")
        self.said.write(self.path)

    def compact(self) -> None:
        self.said.compact("The work goes on.", preserved=0)
        self.user("Go on.")
        self.state()

    def edit(self, act: str, kind: str, text: str, by: str = "user") -> None:
        window = current_state(self.folder, self.session, str(self.path)).base.covered_uuid
        add_edit(self.folder, str(self.path), new_edit(act, kind, text, by), window)

    def undo(self) -> None:
        newest = last_edit(self.folder, str(self.path), "user")
        assert newest is not None
        undo = new_edit("undo", newest.kind, newest.text)
        add_edit(self.folder, str(self.path), replace(undo, item=newest.id))

    def state(self) -> SessionState:
        return current_state(self.folder, self.session, str(self.path)).state

    def rules(self) -> list[str]:
        return [rule.text for rule in self.state().active_rules]


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    made = Talk(tmp_path)
    made.user("Build the login page. Never push to main.")
    return made


def test_what_is_remembered_survives_three_compactions_and_a_lost_ledger(talk: Talk) -> None:
    talk.edit("remember", "rule", "Always sign the commits.")
    talk.edit("remember", "value", "the box is at 10.1.2.3")
    talk.edit("remember", "decision", "we take Postgres")
    talk.edit("remember", "todo", "write the docs")
    for _ in range(3):
        talk.compact()
    before = talk.state()
    Path(talk.folder, "ledger.json").unlink()
    for state in (before, talk.state()):
        assert "Always sign the commits." in [rule.text for rule in state.active_rules]
        assert "the box is at 10.1.2.3" in [value.text for value in state.values]
        assert "we take Postgres" in [made.text for made in state.decisions]
        assert "write the docs" in [todo.text for todo in state.open_todos]
        text = render_state(state).text
        assert text.count("Always sign the commits.") == 1
        assert text.index("## Kept by hand") < text.index("## Standing rules")


def test_what_is_remembered_just_before_a_compaction_belongs_to_the_window_that_it_ends(
    talk: Talk,
) -> None:
    talk.edit("remember", "rule", "Always sign the commits.")
    talk.edit("pin", "rule", "Never push to main.")
    talk.compact()
    ended, _ = states_at_boundaries(str(talk.path), SESSION, folder=talk.folder)
    rules = [(rule.text, rule.window) for rule in ended[1].active_rules]
    assert rules == [("Never push to main.", 0), ("Always sign the commits.", 0)]
    assert ended[1].pinned
    assert len(talk.rules()) == 2


def test_a_rule_that_is_forgotten_stays_so_until_it_is_said_again(talk: Talk) -> None:
    talk.edit("forget", "rule", "Never push to main.")
    assert talk.rules() == []
    for _ in range(3):
        talk.compact()
    assert talk.rules() == []
    assert '- lifted: "Never push to main." (forgotten by hand)' in render_state(talk.state()).text
    talk.user("Never push to main.")
    assert talk.rules() == ["Never push to main."]


def test_a_rule_that_was_remembered_and_forgotten_before_a_compaction_leaves_nothing(
    talk: Talk,
) -> None:
    talk.edit("remember", "rule", "Always sign the commits.")
    talk.edit("forget", "rule", "Always sign the commits.")
    for _ in range(3):
        assert "sign the commits" not in render_state(talk.state()).text
        talk.compact()
    talk.edit("remember", "rule", "Always sign the commits.")
    talk.compact()
    assert "Always sign the commits." in talk.rules()
    talk.edit("forget", "rule", "Always sign the commits.")
    talk.compact()  # the model was told of it: it is told that it is over
    assert 'lifted: "Always sign the commits."' in render_state(talk.state()).text


def test_later_words_lift_a_rule_that_was_remembered(talk: Talk) -> None:
    talk.edit("remember", "rule", "Never use the staging database.")
    talk.compact()
    assert "Never use the staging database." in talk.rules()
    talk.user("You can use the staging database again.")
    talk.compact()
    assert "Never use the staging database." not in talk.rules()


def test_a_todo_is_done_and_an_item_pinned(talk: Talk) -> None:
    talk.edit("remember", "todo", "write the docs")
    talk.edit("done", "todo", "write the docs")
    talk.edit("pin", "rule", "Never push to main.")
    state = talk.state()
    assert not state.open_todos
    assert '- rule: "Never push to main."' in render_state(state).text


def test_undo_takes_the_newest_back_also_after_a_compaction(talk: Talk) -> None:
    talk.edit("forget", "rule", "Never push to main.")
    talk.edit("remember", "rule", "Always sign the commits.")
    talk.compact()
    talk.undo()
    assert talk.rules() == []
    talk.undo()
    assert talk.rules() == ["Never push to main."]
    assert last_edit(talk.folder, str(talk.path), "user") is None


def test_what_the_model_notes_is_marked_as_its_own_and_no_rule(talk: Talk) -> None:
    talk.edit("remember", "note", "Never trust the cache", by="model")
    state = talk.state()
    assert [rule.text for rule in state.active_rules] == ["Never push to main."]
    assert "- note: model: Never trust the cache" in render_state(state).text
    assert last_edit(talk.folder, str(talk.path), "model") is not None
    talk.edit("pin", "rule", "Never push to main.")
    newest = last_edit(talk.folder, str(talk.path), "model")
    assert newest is not None
    assert newest.kind == "note"


def test_a_fork_has_what_was_edited_before_it_and_nothing_later(talk: Talk, tmp_path: Path) -> None:
    talk.edit("remember", "rule", "Always sign the commits.")
    fork = Talk(tmp_path, "49bd40e9-ea38-44ac-a905-8fdef4095fa1")
    fork.said.lines = [{**line, "sessionId": fork.session} for line in talk.said.lines]
    fork.said.count, fork.said.leaf = 500, talk.said.leaf
    talk.user("Go on here.")
    talk.edit("remember", "rule", "Always test in Firefox.")
    fork.user("Go on there.")
    fork.edit("remember", "value", "the box is at 10.1.2.3")
    fork.compact()
    assert fork.rules() == ["Never push to main.", "Always sign the commits."]
    assert "the box is at 10.1.2.3" in [value.text for value in fork.state().values]
    fork.undo()
    fork.undo()
    assert fork.rules() == ["Never push to main."]


def test_ids_are_short_stable_and_tell_items_apart(talk: Talk) -> None:
    (rule,) = [item for item in list_items(talk.state()) if item.kind == "rule"]
    assert len(rule.id) == 5
    talk.user("Use tabs for the code. Never touch vendor/.")
    talk.compact()
    assert find_items(talk.state(), rule.id)[0].text == "Never push to main."
    assert [item.text for item in find_items(talk.state(), "PUSH main")] == ["Never push to main."]
    assert len(find_items(talk.state(), "never")) == 2
    assert find_items(talk.state(), "zebra") == []
    assert find_items(talk.state(), " ") == []


def test_secrets_and_control_characters_are_not_written_down(talk: Talk) -> None:
    talk.edit(
        "remember",
        "value",
        "key ghp_0123456789abcdefABCDEF0123456789abcd\n\x1b[2J <system-reminder>",
    )
    log = Path(talk.folder, "edits.jsonl").read_text(encoding="utf-8")
    assert "ghp_0123456789abcdef" not in log
    assert "\\u001b" not in log
    assert "<system-reminder>" not in log


def test_a_full_log_refuses_and_says_what_to_do(talk: Talk) -> None:
    talk.edit("remember", "value", "one")
    with Path(talk.folder, "edits.jsonl").open("ab") as log:
        log.write(b"x" * 131_000 + b"\n")
    with pytest.raises(CompactionError, match=r"is full .* CLAUDE\.md"):
        talk.edit("remember", "value", "two")


@pytest.mark.parametrize(
    "line",
    [
        b"no json",
        b"{}",
        b'{"version": 2}',
        b'{"version": 1, "act": 5}',
        b'{"version": 1, "act": "forget", "kind": "zebra", "text": "", "item": "", "by": "",'
        b' "id": "", "at": "", "offset": 1, "after": "", "head": "", "window": ""}',
    ],
)
def test_a_line_that_is_no_edit_says_nothing(talk: Talk, line: bytes) -> None:
    talk.edit("remember", "rule", "Always sign the commits.")
    path = f"{talk.folder}/edits.jsonl"
    with Path(path).open("ab") as log:
        log.write(signed(line, path) + b"\n")
    assert len(session_edits(talk.folder, str(talk.path))) == 1


def test_of_logs_that_came_along_none_is_checked_that_does_not_name_this_session(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.edit("remember", "rule", "Always sign the commits.")
    for number in range(30):
        other = Path(f"{talk.folder}-{number}")
        other.mkdir()
        (other / "edits.jsonl").write_text('{"mark": "x", "head": "y"}\n' * 4000)
    checked: list[str] = []

    def counted(line: bytes, path: str) -> bytes | None:
        checked.append(path)
        return own_part(line, path)

    monkeypatch.setattr("amplihack_compaction.ledger.edits.own_part", counted)
    assert len(session_edits(talk.folder, str(talk.path))) == 1
    assert {*checked} == {f"{talk.folder}/edits.jsonl"}


def test_what_was_made_before_an_edit_is_made_anew(talk: Talk) -> None:
    taken = snapshot_of(talk)
    prepare(talk.folder, Prepared("before", 0, taken, talk.path.stat().st_size))
    assert read_prepared(talk.folder, str(talk.path)) is not None
    assert whole_snapshot_of_window(talk.folder, 0)[1] > 0
    talk.edit("remember", "rule", "Always sign the commits.")
    assert read_prepared(talk.folder, str(talk.path)) is None
    assert whole_snapshot_of_window(talk.folder, 0) == (taken, 0)
    assert snapshot_of(talk) == taken
    assert whole_snapshot_of_window(talk.folder, 0)[1] > 0
    rules = load_snapshot(talk.folder).state.active_rules
    assert "Always sign the commits." in [rule.text for rule in rules]


def snapshot_of(talk: Talk) -> str:
    return take_snapshot(talk.folder, talk.state(), 0, str(talk.path), 9).id


def test_what_is_done_is_not_what_a_later_prompt_goes_on_from(talk: Talk) -> None:
    talk.edit("done", "objective", "Build the login page. Never push to main.")
    talk.user("Now build the settings page with the dark theme.")
    state = talk.state()
    assert state.objective is not None
    assert "settings" in state.objective.text
    assert state.continues == ()


SEVERAL = "Commit messages always in English, and never push to main, we open PRs against develop."


@pytest.fixture
def several(tmp_path: Path) -> Talk:
    """Return a session with a rule that says several things."""
    made = Talk(tmp_path)
    made.user(f"Build the login page. {SEVERAL}")
    return made


def test_words_lift_the_clause_that_they_speak_of(several: Talk) -> None:
    several.user("You can push to main again.")
    for _ in range(3):
        (rule,) = several.state().active_rules
        assert rule.text == SEVERAL
        assert [each.text for each in rule.lifted] == ["never push to main"]
        assert '(lifted of it: "never push to main")' in render_state(several.state()).text
        assert [each.text for each in guarded_rules([rule])] == []
        several.compact()
    several.user("Never push to main.")
    standing = several.state().active_rules
    assert [(rule.text, rule.lifted) for rule in standing] == [
        (SEVERAL, ()),
        ("Never push to main.", ()),
    ]


@pytest.mark.parametrize(
    ("said", "lifts"),
    [
        ("Never use npm, we use pnpm.", "You can use npm again."),  # what is left bars it, too
        ("Never push to main, we open PRs.", "You can push to main again."),
        (SEVERAL, "Forget what I said about the commit messages and pushing to main."),
    ],
)
def test_where_no_rule_is_left_or_several_are_meant_all_of_it_is_lifted(
    tmp_path: Path, said: str, lifts: str
) -> None:
    talk = Talk(tmp_path)
    talk.user(f"Build the login page. {said}")
    talk.user(lifts)
    assert talk.state().active_rules == ()


def test_a_rule_that_is_said_again_whole_has_nothing_lifted(several: Talk) -> None:
    several.user("You can push to main again.")
    several.compact()
    several.user(SEVERAL)
    assert [(rule.text, rule.lifted) for rule in several.state().active_rules] == [(SEVERAL, ())]


def test_what_is_remembered_again_is_not_told_as_lifted(several: Talk) -> None:
    several.edit("forget", "rule", SEVERAL)
    assert "lifted: " in render_state(several.state()).text
    several.edit("remember", "rule", "Never push to main")
    for _ in range(3):
        assert "lifted" not in render_state(several.state()).text
        several.compact()


def test_a_sentence_of_the_models_that_is_forgotten_is_told_in_no_answer(talk: Talk) -> None:
    stale = "The deployments of the shop should be building now."
    talk.said.user("Deploy the shop, please.")
    told = "Both tasks are done in `deploy.yml`."
    shown = "The banner is shown on top."
    talk.said.assistant(f"{told * 9}\n\n{stale} {shown} Shall I go on?")
    talk.said.write(talk.path)
    assert stale in render_state(talk.state()).text
    talk.user("do")
    assert stale in render_state(talk.state()).text.partition("## Recent")[0]
    talk.edit("forget", "note", stale)
    text = render_state(talk.state()).text
    assert stale not in text
    assert shown in text


def test_what_is_forgotten_stands_in_no_long_prompt(talk: Talk) -> None:
    secret = "The customer is Mallory of Gizmo Works."
    part = "- The shop has a page for each of the goods, with a price.\n"
    talk.user(f"Build this.\n\n# The shop, specified\n\n{part * 60}\n{secret}\n\n{part * 60}")
    talk.user("Fix the login page.")
    assert secret in render_long_prompts(talk.state())
    (found,) = find_sentences(talk.state(), "customer Mallory")
    talk.edit("forget", found.kind, found.text)
    for _ in range(2):
        told = render_long_prompts(talk.state())
        assert "Mallory" not in told
        assert told.count("a price") == 120
        talk.compact()


def test_a_request_that_is_forgotten_is_not_told_beside_its_rule(talk: Talk) -> None:
    asked, rule = "Migrate the payroll of Jane Doe to the new server.", "No new css."
    talk.user(f"{asked} {rule}")
    talk.user("Fix the login page.")
    assert f'- with "{asked}": "{rule}"' in render_state(talk.state()).text
    (item,) = find_items(talk.state(), "payroll of Jane Doe")
    talk.edit("forget", item.kind, item.text)
    for _ in range(2):
        text = render_state(talk.state()).text
        assert "Jane Doe" not in text
        assert f'- with a request: "{rule}"' in text
        talk.compact()


def test_where_a_newer_version_changed_something_an_older_one_changes_nothing(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.edit("remember", "rule", "Never deploy on Fridays.")
    with monkeypatch.context() as patch:
        patch.setattr(edits, "_EDIT_VERSION", 2)
        talk.edit("remember", "rule", "Never delete data.")
    told = "a newer version made 1 change by hand"
    with pytest.raises(CompactionError, match=told):
        talk.edit("forget", "rule", "Never deploy on Fridays.")
    with pytest.raises(CompactionError, match=told):
        talk.undo()
    assert "Never deploy on Fridays." in render_state(talk.state()).text


def test_of_equal_answers_each_is_told_and_one_can_be_forgotten(talk: Talk) -> None:
    talk.said.assistant("1. Should we use Redis?\n2. Add telemetry?\n3. Should we ship a CLI?")
    talk.user("1 yes 2 no 3 yes")
    asked = [f"{made.question} {made.text}" for made in talk.state().decisions]
    assert asked == ["Should we use Redis? yes", "Add telemetry? no", "Should we ship a CLI? yes"]
    talk.compact()
    (redis,) = (item for item in list_items(talk.state()) if "Redis" in item.line)
    add_edit(talk.folder, str(talk.path), edit_of("forget", redis))
    left = [made.question for made in talk.state().decisions]
    assert left == ["Add telemetry?", "Should we ship a CLI?"]
