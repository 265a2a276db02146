"""The room of a text goes to what is needed, and to all of it that fits."""

from amplihack_compaction.context.tokens.estimate import line_for
from amplihack_compaction.injection.sections import Section
from amplihack_compaction.injection.token_room import Part, Purse, pay_headings, share_out

LONG = "- " + "a long line of many words " * 12


def shared_out(budget: float, *sections: Section) -> list[Part]:
    """Return the sections' parts after the budget of tokens has been shared out."""
    parts = [Part(section) for section in sections]
    purse = Purse(line_for(""), budget, 100_000)
    pay_headings(parts, purse)
    share_out(parts, purse)
    assert purse.tokens >= 0
    return parts


def test_a_line_that_does_not_fit_keeps_no_shorter_one_out() -> None:
    remarks = Section("Also said", (LONG, "- short", "- shorter"), 1.0, "remark", core=3)
    (part,) = shared_out(40, remarks)
    assert part.text == "## Also said\n- short\n- shorter"
    assert (part.core_left_out, part.others_left_out) == (1, 0)


def test_nothing_that_is_only_useful_stands_where_something_needed_is_left_out() -> None:
    rules = Section("Rules", ("- one", LONG, "- useful"), 1.0, "rule", core=2, spare=1.0)
    (part,) = shared_out(40, rules)
    assert part.text == "## Rules\n- one"
    assert (part.core_left_out, part.others_left_out) == (1, 1)


def test_what_is_needed_comes_before_what_is_useful_elsewhere() -> None:
    useful = Section("Tools", tuple(f"- tool {n}" for n in range(30)), 0, "tool use", spare=1.0)
    needed = Section("Rules", ("- one", "- two"), 0.1, "rule", core=2)
    tools, rules = shared_out(60, useful, needed)
    assert rules.core_left_out == 0
    assert 0 < len(tools.chosen) < 30
    assert tools.others_left_out == 30 - len(tools.chosen)


def test_a_section_without_room_is_not_printed_unless_it_says_something_in_any_case() -> None:
    silent = Section("Tools", (LONG,), 0, "tool use", spare=1.0)
    phase = Section("Phase", (), 0, "", always=("Workflow Phase: unknown",))
    tools, told = shared_out(30, silent, phase)
    assert tools.text == ""
    assert told.text == "## Phase\nWorkflow Phase: unknown"


def test_lines_are_printed_in_their_own_order_whichever_is_needed_more() -> None:
    section = Section("Also said", ("- b", "- a"), 1.0, "remark", core=2, in_print=("- a", "- b"))
    (part,) = shared_out(100, section)
    assert part.text == "## Also said\n- a\n- b"
