from dataclasses import replace

import pytest

from amplihack_compaction.extract.issues import UNDER_WAY
from amplihack_compaction.extract.statements import (
    Decision,
    ExactValue,
    Issue,
    Item,
    LongPrompt,
    Objective,
    Phase,
    Rule,
    SessionState,
    Todo,
    TodoStatus,
    VerifyCommand,
    VerifyKind,
    WindowState,
)
from amplihack_compaction.ledger.merge import merge_window


def window(index: int = 0, **fields: object) -> WindowState:
    return replace(WindowState(index=index), **fields)  # type: ignore[arg-type]


def test_an_objective_goes_on_or_turns_away() -> None:
    first = window(objectives=(Objective(text="A", uuid="a"), Objective(text="B", uuid="b")))
    state = merge_window(SessionState(), first)
    assert (state.objective, state.continues) == (first.objectives[1], first.objectives[:1])
    turned = window(1, objectives=(Objective(text="C", uuid="c", switches=True),))
    state = merge_window(state, turned)
    assert state.objective == turned.objectives[0]
    assert state.continues == ()
    assert [o.text for o in state.past_objectives] == ["A", "B"]
    assert merge_window(state, turned) == state


def test_a_long_thread_keeps_its_beginning_and_its_end() -> None:
    texts = [f"Part {n}" for n in range(30)]
    objectives = tuple(Objective(text=t, uuid=t) for t in texts)
    state = merge_window(SessionState(), window(objectives=objectives))
    assert state.continues[0].text == "Part 0"
    assert state.continues[-1].text == "Part 28"
    assert len(state.continues) == 10


def test_a_long_thread_keeps_what_set_new_work_most_likely() -> None:
    objectives = tuple(
        Objective(text=f"Part {n}", uuid=f"{n}", chance=0.4 if n == 7 else 0.1) for n in range(30)
    )
    state = merge_window(SessionState(), window(objectives=objectives))
    assert "Part 7" in [objective.text for objective in state.continues]


def test_a_rule_said_again_is_one_rule() -> None:
    said = (
        Rule(text="Never push.", uuid="1", offset=1),
        Rule(text="never push", uuid="2", offset=2),
    )
    state = merge_window(SessionState(), window(rules=said))
    assert len(state.active_rules) == 1


def test_what_matters_least_goes_first_at_the_bound() -> None:
    rules = tuple(
        Rule(text=f"Rule about topic{n}", uuid=f"{n}", offset=n, retired_by="x" if n < 6 else "")
        for n in range(10)
    )
    todos = tuple(
        Todo(text=f"Do thing{n}", uuid=f"t{n}", offset=n,
             status=TodoStatus.PENDING if n < 3 else TodoStatus.COMPLETED)
        for n in range(10)
    )  # fmt: skip
    state = merge_window(SessionState(), window(rules=rules, todos=todos), 5)
    assert [rule.offset for rule in state.active_rules] == [6, 7, 8, 9]
    assert [todo.text for todo in state.open_todos] == ["Do thing0", "Do thing1", "Do thing2"]
    assert (len(state.rules), len(state.todos)) == (5, 5)
    few = merge_window(SessionState(), window(rules=rules[6:]), 2)
    assert [rule.offset for rule in few.rules] == [8, 9]


def test_a_later_answer_supersedes_the_earlier_one() -> None:
    old = Decision(text="SQLite", question="Which database?", uuid="1", offset=1)
    new = Decision(text="Postgres", question="which database", uuid="2", offset=2)
    state = merge_window(SessionState(), window(decisions=(old,)))
    state = merge_window(state, window(1, decisions=(new,)))
    assert [(d.text, d.superseded) for d in state.decisions] == [
        ("SQLite", True),
        ("Postgres", False),
    ]


def test_values_and_commands_are_the_newest_of_their_kind() -> None:
    old = window(
        values=(ExactValue(text="8443", uuid="1", offset=1, context="old"),),
        verify=(VerifyCommand(text="pytest", uuid="1", offset=1, passed=False),
                VerifyCommand(text="ruff", uuid="1", offset=1, kind=VerifyKind.LINT)),
    )  # fmt: skip
    new = window(
        1,
        values=(ExactValue(text="8443", uuid="2", offset=9, context="new"),),
        verify=(VerifyCommand(text="pytest -q", uuid="2", offset=9, passed=True),),
    )
    state = merge_window(merge_window(SessionState(), old), new)
    assert [value.context for value in state.values] == ["new"]
    assert {c.kind: c.text for c in state.verify} == {"test": "pytest -q", "lint": "ruff"}


def test_an_issue_ends_with_the_check_that_passes() -> None:
    failure = Issue(text="`pytest` fails: x", offset=1, command="pytest")
    state = merge_window(SessionState(), window(issues=(failure,)))
    assert len(state.issues) == 1
    passed = VerifyCommand(text="pytest", uuid="2", offset=9, passed=True)
    assert merge_window(state, window(1, verify=(passed,))).issues == ()


@pytest.mark.parametrize(
    ("begun", "acts", "is_over"),
    [
        ("git rebase main", ("git rebase",), True),
        ("git rebase main", ("git commit", "git push"), False),
        ("git merge main", ("git commit",), True),
        ("git merge main", (), False),
    ],
)
def test_what_git_stopped_is_under_way_until_a_later_window_goes_on_with_it(
    begun: str, acts: tuple[str, ...], is_over: bool
) -> None:
    text = f"`{begun}` fails: CONFLICT{UNDER_WAY} `{' '.join(begun.split()[:2])} --continue`"
    stopped = Issue(text=text, uuid="1", offset=1, command=begun)
    state = merge_window(SessionState(), window(issues=(stopped,), acts=("git rebase",)))
    assert (merge_window(state, window(1, acts=acts)).issues == ()) is is_over


def test_counts_add_up() -> None:
    found = window(turns=2, messages=5, tool_uses=3)
    later = merge_window(merge_window(SessionState(), found), replace(found, index=1))
    assert (later.turns, later.messages, later.tool_uses) == (4, 10, 6)


def test_a_task_in_progress_is_the_phase_until_it_is_done() -> None:
    task = Todo(text="Write the lexer", uuid="1", offset=1, status=TodoStatus.IN_PROGRESS,
                task_id="1")  # fmt: skip
    announced = Phase(name="Write the lexer", source="todo", offset=1)
    state = merge_window(SessionState(), window(todos=(task,), phase=announced))
    state = merge_window(state, window(1, turns=1, tool_uses=2))
    assert (state.phase.name, state.phase.source) == ("Write the lexer", "todo")
    done = replace(task, status=TodoStatus.COMPLETED, offset=12)
    assert merge_window(state, window(2, todos=(done,))).phase == Phase()


def test_what_was_announced_outlives_a_few_turns_and_plan_mode_does_not() -> None:
    announced = Phase(name="Phase 2: tests", source="marker", offset=1)
    state = merge_window(SessionState(), window(phase=announced, turns=3))
    assert merge_window(state, window(1, turns=2)).phase == announced
    assert merge_window(state, window(1, turns=30)).phase == Phase()
    planned = Phase(name="planning", source="plan mode", offset=9)
    state = merge_window(state, window(1, phase=planned, turns=1))
    assert state.phase == planned
    assert merge_window(state, window(2, turns=1)).phase == Phase()


def test_planning_that_goes_on_in_a_next_window_began_before_it() -> None:
    planned = Phase(name="planning", source="plan mode", offset=9)
    state = merge_window(SessionState(), window(phase=planned, turns=1))
    found = window(1, start=40, phase=replace(planned, offset=40))
    assert merge_window(state, found).phase == planned
    anew = replace(found, phase=replace(planned, offset=55))
    assert merge_window(state, anew).phase.offset == 55


def test_the_newest_long_prompts_outlive_their_windows() -> None:
    state = SessionState()
    for number in range(6):
        long = LongPrompt(
            text=f"{number}", uuid=f"{number}", offset=number, is_document=number != 5
        )
        state = merge_window(state, window(number, long_prompts=(long,)))
    assert [prompt.text for prompt in state.long_prompts] == ["1", "2", "3", "4", "5"]
    again = LongPrompt(text="4", uuid="x", offset=5, is_document=True)
    same = merge_window(state, window(6, long_prompts=(again,)))
    assert [prompt.text for prompt in same.long_prompts] == ["1", "2", "3", "4", "5"]
    log = LongPrompt(text="6", uuid="6", offset=6)
    state = merge_window(state, window(6, long_prompts=(log,)))
    assert [prompt.text for prompt in state.long_prompts] == ["1", "2", "3", "4", "6"]


def test_objectives_that_went_at_the_bound_do_not_come_back() -> None:
    objectives = tuple(Objective(text=f"Part {n}", uuid=f"{n}", offset=n) for n in range(30))
    once = merge_window(SessionState(), window(objectives=objectives))
    assert merge_window(once, window(objectives=objectives)).objective == once.objective


def test_an_issue_is_over_when_a_later_window_calls_it_fixed() -> None:
    told = window(issues=(Issue(text="The export still crashes on umlauts.", uuid="1", offset=1),))
    state = merge_window(SessionState(), told)
    other = window(1, solved=(Item(text="Fixed the export's title.", uuid="2", offset=2),))
    assert merge_window(state, other).issues == told.issues
    fixed = window(1, solved=(Item(text="The export no longer crashes.", uuid="2", offset=2),))
    merged = merge_window(state, fixed)
    assert merged.issues == ()
    assert merge_window(merged, fixed) == merged


def test_a_check_that_passes_later_settles_what_was_told_of_its_failure() -> None:
    text = "`npm test` fails: refunds an order twice"
    failure = Issue(text=text, uuid="1", offset=1, command="npm test")
    told = Issue(text="Two tests of the order still fail.", uuid="2", offset=2)
    other = Issue(text="I could not reach the mail server.", uuid="3", offset=3)
    lint = Issue(text="`ruff check` fails: order.py refunds twice", uuid="4", offset=4)
    state = merge_window(SessionState(), window(issues=(failure, told, other, lint)))
    passed = VerifyCommand(text="npm test", kind=VerifyKind.TEST, passed=True, offset=9)
    assert merge_window(state, window(1, verify=(passed,))).issues == (other, lint)
