import pytest

from amplihack_compaction.validation.matching.item_match import Match, match
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import Label

AROUND = "The parser was read.\n{}\nThe next page is about the menu."


def fate(item: str, text: str, kind: str = "rule") -> Match:
    return match(item, TextIndex(AROUND.format(text)), kind)


@pytest.mark.parametrize(
    ("item", "text", "missing"),
    [
        ("never push to main or release branches", "Never push to main.", ("release", "branches")),
        ("Log errors with the tenant id", "Errors are logged.", ("tenant", "id")),
        ("Write tests with vitest in lib", "Write tests in lib.", ("vitest",)),
        ("run the script with --dry-run first", "Run the script first.", ("dry", "--dry-run")),
    ],
)
def test_a_shorter_form_is_kept_in_part(item: str, text: str, missing: tuple[str, ...]) -> None:
    found = fate(item, text)
    assert found.label is Label.PARTLY
    assert set(found.missing) == set(missing)


def test_a_report_neither_keeps_a_rule_nor_breaks_it() -> None:
    text = "The tests were run at the end, before the commit was made."
    assert fate("Run the tests before every commit.", text).label is Label.DROPPED
    assert fate("Never run the tests before a commit.", text).label is Label.DROPPED


def test_a_rule_that_the_user_took_back_is_superseded() -> None:
    text = "The user lifted the rule to ask before a push to main."
    assert fate("Ask before you push to main.", text).label is Label.SUPERSEDED
    assert fate("Ask before you push to main.", text.replace("user", "model")).label is (
        Label.NEGATED
    )


def test_a_rule_under_a_heading_that_lifts_it_is_superseded_only_by_the_user() -> None:
    rule = "Never rebase shared branches."
    assert fate(rule, f"No longer wanted by the user:\n- {rule}").label is Label.NEGATED


def test_a_sentence_may_run_over_a_line() -> None:
    item = "Requests to the proxy must carry a signed token."
    assert fate(item, "Requests to the proxy\nmust carry a signed token.").label is Label.KEPT


@pytest.mark.parametrize(
    ("item", "text", "label"),
    [
        ("提交之前一定要跑测试", "每次提交前必须先运行测试。", Label.REWORDED),
        ("用 pnpm 不要用 npm", "用 npm，不要用 pnpm。", Label.NEGATED),
        ("不要动 vendor 目录", "可以修改 vendor 目录。", Label.NEGATED),
    ],
)
def test_chinese_is_compared_word_by_word(item: str, text: str, label: Label) -> None:
    assert match(item, TextIndex(text)).label is label


def test_must_not_be_changed_means_not_removed_either() -> None:
    assert fate("Leave the comments alone.", "Comments must not be removed.").label is (
        Label.REWORDED
    )
