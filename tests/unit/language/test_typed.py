"""What was typed and what was pasted."""

import pytest

from amplihack_compaction.language.typed import split_typed

ASK = "why does this fail?"


@pytest.mark.parametrize(
    "pasted",
    [
        "```\nnever use this\n```",
        "~~~python\nx = 1  # always\n~~~",
        '"""\nyou must always retry\n"""',
        "2026-01-02 10:00:00,123 INFO always starting",
        "[12:01:02] WARN never seen",
        "ERROR: value must not be null",
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: must be',
        "    at Object.run (/app/index.js:10:5)",
        "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n-never do it\n+always do it",
        '{"rule": "never",\n "always": true}',
        "<rules>\nalways obey\nnever stop\n</rules>",
        "| rule | text |\n|------|------|\n| 1 | never |",
        "> never use tabs, he wrote",
        "$ npm run always",
        "user@host:~/x$ never",
        "npm ERR! must be installed",
        "src/app.py:12:3: E501 line must not exceed 100",
        "  ✓ must always pass (3 ms)",
        "    never = 1\n    always = 2",
        "host: always\nport: 80\nmode: never",
        "def always():\n    return never",
        "const never = always();",
        "⎿  never do this",
    ],
)
def test_pasted_text_is_not_typed(pasted: str) -> None:
    found = split_typed(f"{ASK}\n{pasted}\n\nthanks for looking")
    assert found.typed.split() == f"{ASK} thanks for looking".split()
    assert found.pasted_chars >= len(pasted)


@pytest.mark.parametrize(
    "text",
    [
        "Use tabs.\n- never spaces\n- always LF\n  and a last line",
        "public functions must have docstrings",
        "import the module lazily; never at module level",
        "1. never push\n2. always pull",
        "Rules:\n- tabs\n- no mocks",
        "return codes must be documented",
        "Goal: faster\nScope: parser only\nStyle: tabs",
        "Keep the following in mind:\nnever push",
        "不要推送到 main。\n必须先运行测试。",
        "- item one\n\n    runs on below its bullet\n    and further",
    ],
)
def test_what_the_user_typed_stays_whole(text: str) -> None:
    assert split_typed(text).pasted_chars == 0
    assert split_typed(text).typed == text


def test_text_below_a_lead_in_is_pasted_up_to_where_he_speaks_again() -> None:
    text = "here is the output:\nnever gonna work\nalways the same\n\nNever retry more than once."
    assert split_typed(text).typed.split("\n\n")[-1] == "Never retry more than once."
    assert "gonna" not in split_typed(text).typed


def test_a_last_line_that_asks_for_something_is_typed() -> None:
    text = "the error is:\nsomething must be set\nplease fix it and never swallow errors"
    assert split_typed(text).typed.endswith("please fix it and never swallow errors")


def test_an_error_on_the_same_line_ends_with_its_sentence() -> None:
    typed = split_typed("I get this error: key must always be set. Don't touch the schema.").typed
    assert "must always" not in typed
    assert typed.endswith("Don't touch the schema.")


def test_a_document_without_anything_behind_its_announcement_is_no_paste() -> None:
    assert split_typed("This is what the README says:").typed == "This is what the README says:"


def test_a_rule_behind_a_structured_document_is_typed() -> None:
    text = "From the docs:\n\n## Setup\n\n- always run make\n\nNever run make yourself."
    assert split_typed(text).typed.endswith("Never run make yourself.")


def test_a_long_text_with_headings_is_a_document() -> None:
    body = "\n\n".join(f"## Part {n}\n\nYou must always do {n} first." for n in range(60))
    found = split_typed(f"Please go through this.\n\n{body}\n\nThen tell me what you think.")
    assert found.typed.split("\n")[0] == "Please go through this."
    assert "must" not in found.typed
    assert found.title == "## Part 0"


def test_a_plans_title_is_known() -> None:
    found = split_typed("Implement the following plan:\n\n# Export as CSV\n\nfirst do this")
    assert (found.typed, found.title) == ("Implement the following plan:", "# Export as CSV")


def test_inline_code_stays_in_its_sentence() -> None:
    assert split_typed("```x``` is fine here").typed == "```x``` is fine here"
    assert split_typed("never call `eval()` here").typed == "never call `eval()` here"
    assert split_typed("```one line```").typed == ""


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    assert split_typed("look:\n```\nnever\n\nalways").typed == "look:"


def test_windows_line_ends_are_lines_too() -> None:
    assert split_typed("a b\r\n```\r\nnever\r\n```\r\nc d").typed == "a b\n\nc d"


def test_the_mark_of_what_was_left_out_was_typed_by_nobody() -> None:
    typed = split_typed("Never push to main.\n[... 80022 characters ...]\nUse pnpm.")
    assert typed.typed == "Never push to main.\n\nUse pnpm."
    assert typed.title == ""


@pytest.mark.parametrize("lead", ["here's the plan:", "Plan:", "the plan is this:", "计划："])
def test_a_short_plan_is_the_users_own(lead: str) -> None:
    text = f"{lead}\n1. migrate the users\n2. add the login\n\nstart with 1"
    assert split_typed(text).typed == text


def test_a_long_plan_is_a_document() -> None:
    steps = "\n".join(f"{number}. step {'on ' * 80}" for number in range(1, 4))
    assert split_typed(f"here's the plan:\n{steps}").typed == "here's the plan:"
