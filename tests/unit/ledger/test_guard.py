"""What PreToolUse looks for before it reads a rule lets every breach through to be looked at."""

from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.settings import Guard
from amplihack_compaction.extract.statements import Rule, RuleKind, SessionState
from amplihack_compaction.hook.run import may_break_rule
from amplihack_compaction.ledger.guard import guarded_rules, read_guard, write_guard
from tests.support.guard_lists import called


def test_what_is_written_and_what_a_server_is_told_are_looked_at(tmp_path: Path) -> None:
    """A statement, and words in what an edit writes, stand in no command and in no path."""
    edit = {"file_path": "/repo/a.ts", "old_string": "", "new_string": "Console.log(x)"}
    edits = {
        "file_path": "/repo/a.ts",
        "edits": [{"old_string": "", "new_string": "// @ts-ignore"}],
    }
    statement = {"sql": "DELETE FROM invoices WHERE id = 4"}
    rows: list[tuple[str, str, dict[str, Any], bool]] = [
        ("Never leave console.log in the code.", "Edit", edit, True),
        ("Never use @ts-ignore.", "MultiEdit", edits, True),
        ("Never import `moment()` again.", "Edit", edit, False),
        ("Never delete from the database.", "mcp__pg__query", statement, True),
    ]
    for rule, tool, given, is_looked_at in rows:
        stated = Rule(text=rule, kind=RuleKind.PROHIBITION, offset=0)
        assert write_guard(str(tmp_path), SessionState(rules=(stated,)), 0, Guard.TELL), rule
        call = {"tool_name": tool, "tool_input": given}
        assert may_break_rule(str(tmp_path), call, 0) == is_looked_at, rule


def test_of_more_rules_than_are_read_again_the_newest_are_kept(tmp_path: Path) -> None:
    rules = tuple(
        Rule(text=f"never start server number{n}", kind=RuleKind.PROHIBITION, offset=n)
        for n in range(60)
    )
    kept = write_guard(str(tmp_path), SessionState(rules=rules), 0, Guard.TELL)
    assert 1 < len(kept) < len(rules)
    assert kept[-1].text == rules[-1].text
    assert read_guard(str(tmp_path)) == kept


def test_a_call_that_has_nothing_of_a_rule_is_not_looked_at(tmp_path: Path) -> None:
    stated = Rule(text="Never push to main.", kind=RuleKind.PROHIBITION, offset=0)
    write_guard(str(tmp_path), SessionState(rules=(stated,)), 0, Guard.TELL)
    assert not may_break_rule(str(tmp_path), called("Bash", "git status"), 0)
    assert not may_break_rule(str(tmp_path), called("Edit", "/repo/push/main"), 0)


@pytest.mark.parametrize(
    ("said", "can_be"),
    [
        ("Never panic", False),
        ("don't use lodash", False),  # what nobody has heard of may be no package
        ("never import lodash", True),
        ("no wildcard imports", True),
        ("no print statements", True),
    ],
)
def test_whether_everyday_calls_break_a_rule_is_told_by_what_is_known(
    said: str, can_be: bool
) -> None:
    (rule,) = guarded_rules([Rule(text=said, kind=RuleKind.PROHIBITION)])
    assert rule.can_be_broken is can_be
