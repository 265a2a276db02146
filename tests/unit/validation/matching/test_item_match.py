import pytest

from amplihack_compaction.validation.matching.item_match import match
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import Label
from tests.unit.validation.loss_rows import FILLER, PAIRS, ROWS, Row

FOUND = {Label.KEPT, Label.REWORDED}
ENGLISH = [row for row in ROWS if row.item.isascii() and not row.item.startswith("Bitte")]


def summary(row: Row, sentence: str) -> TextIndex:
    """Return a summary that keeps every other item, and says this of the one in question."""
    others = [other.kept[0] for other in ENGLISH if other is not row]
    return TextIndex("\n".join([*FILLER, *others[:10], sentence, *others[10:]]))


def cases(attribute: str) -> list[tuple[Row, str]]:
    return [(row, sentence) for row in ROWS for sentence in getattr(row, attribute)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.item)
def test_an_item_word_for_word_is_kept(row: Row) -> None:
    assert match(row.item, summary(row, f"- {row.item}"), row.kind).label in FOUND


@pytest.mark.parametrize(("row", "sentence"), cases("kept"))
def test_an_item_in_other_words_is_kept(row: Row, sentence: str) -> None:
    assert match(row.item, summary(row, sentence), row.kind).label in FOUND


@pytest.mark.parametrize(("row", "sentence"), cases("against"))
def test_an_item_turned_round_or_weakened_is_negated(row: Row, sentence: str) -> None:
    found = match(row.item, summary(row, sentence), row.kind)
    assert found.label is Label.NEGATED
    assert found.evidence


@pytest.mark.parametrize(("row", "sentence"), cases("partly"))
def test_an_item_that_lost_its_scope_or_value_is_not_kept(row: Row, sentence: str) -> None:
    found = match(row.item, summary(row, sentence), row.kind)
    assert found.label in {Label.PARTLY, Label.DROPPED}


@pytest.mark.parametrize(("row", "sentence"), cases("translated"))
def test_of_an_item_in_another_language_nothing_is_said(row: Row, sentence: str) -> None:
    text = TextIndex("\n".join([sentence] * 6))
    assert match(row.item, text, row.kind).label is Label.UNKNOWN


def test_an_item_that_is_not_there_is_hardly_ever_taken_for_another_on_the_same_matter() -> None:
    labels = [match(row.item, summary(row, ""), row.kind).label for row in ENGLISH]
    assert sum(label is not Label.DROPPED for label in labels) <= 3


@pytest.mark.parametrize(("item", "text", "wanted"), PAIRS)
def test_one_sentence_on_one_item(item: str, text: str, wanted: str) -> None:
    around = "Some words on the project.\n{}\nThe assistant went on with the search page."
    found = match(item, TextIndex(around.format(text)))
    assert found.label == wanted or (wanted == "reworded" and found.label in FOUND)


@pytest.mark.parametrize(
    ("value", "text", "wanted"),
    [
        ("5432", "the port is 5432.", Label.KEPT),
        ("5432", "the port is 54321", Label.DROPPED),
        ("1.2", "version 1.2.3", Label.DROPPED),
        ("v1.2.3", "version 1.2.3", Label.KEPT),
        ("https://shop.example/api/", "at `https://shop.example/api`", Label.KEPT),
        ("src/app/config.py", "config.py was changed", Label.PARTLY),
        ("src/app/config.py", "nothing of that", Label.DROPPED),
        ("30 seconds", "after 30s it gives up", Label.REWORDED),
        ("512 MB", "512 megabytes at most", Label.REWORDED),
        ("2 minutes", "it waits 120s", Label.REWORDED),
        ("1,000 retries", "a 1000-retry limit", Label.REWORDED),
        ("3 retries", "after 3 threads", Label.DROPPED),
        ("“Save draft”", "the button says save draft now", Label.KEPT),
        ("my_var", "sets my_var", Label.KEPT),
        ("[redacted:assigned]", "anything", Label.UNKNOWN),
        ("`'`", "anything", Label.UNKNOWN),
    ],
)
def test_a_value_must_be_there_to_the_letter(value: str, text: str, wanted: Label) -> None:
    assert match(value, TextIndex(f"Some words.\n{text}\nMore."), "value").label is wanted


def test_a_command_without_its_flags_is_a_part_of_it() -> None:
    text = TextIndex("Verified with `pytest tests -q` only")
    assert match("pytest tests -q -x --lf", text, "verify").label is Label.PARTLY
    assert match("pytest  tests -q", text, "verify").label is Label.KEPT
    assert match("make", text, "verify").label is Label.DROPPED


@pytest.mark.parametrize(
    ("command", "text", "wanted"),
    [
        ("~/shop/tools/check_all.sh 2>&1 | tail", "`/home/u/shop/tools/check_all.sh`", Label.KEPT),
        ("cd shop && chmod +x test-it.sh && ./test-it.sh", "### test-it.sh (11 kB)", Label.KEPT),
        ("./test-it.sh", "### retest-it.sh", Label.DROPPED),
        ("ops/test-it.sh --env prod", "`ops/test-it.sh --env dev`", Label.PARTLY),
    ],
)
def test_a_script_without_arguments_is_known_by_its_name(
    command: str, text: str, wanted: Label
) -> None:
    assert match(command, TextIndex(f"Some words.\n{text}\nMore."), "verify").label is wanted


def test_a_choice_is_kept_where_the_answer_is_quoted_with_what_it_chose() -> None:
    item = 'Queue/Mail retries - safest of all (said: "ok, take 2")'
    told = 'User messages:\n- "ok, take 2" (write the test of the mail queue)'
    assert match(item, TextIndex(told), "decision").label in FOUND
    other = 'User messages:\n- "ok, take 2" (the blue theme)'
    assert match(item, TextIndex(other), "decision").label is Label.DROPPED


def test_a_note_on_a_picture_is_no_part_of_an_item() -> None:
    text = TextIndex('- "[Image] the total is not rounded"')
    assert match("[Image #1] the total is not rounded", text).label in FOUND


def test_a_text_that_only_says_what_is_not_so_is_not_turned_round() -> None:
    item = (
        "the import works now but the mail page shows an error. It is not a warning, though it"
        " should be avoided."
    )
    text = TextIndex('- User: "the import works now but the mail page shows an error"')
    assert match(item, text, "objective").label is not Label.CHANGED


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ("The assistant had pushed to main before; the user then said: {}", Label.KEPT),
        ("The user withdrew the rule: {}", Label.SUPERSEDED),
    ],
)
def test_a_rule_that_is_quoted_is_taken_back_only_where_that_is_said(
    told: str, wanted: Label
) -> None:
    rule = "Never push to main."
    text = TextIndex(f"They built a shop.\n{told.format(rule)}\nThen they went on.")
    assert match(rule, text).label is wanted


def test_a_heading_speaks_for_the_list_under_it() -> None:
    rule = "Never rebase shared branches."
    assert match(rule, TextIndex("Never:\n- rebase shared branches")).label in FOUND
    lifted = TextIndex("## Rules that no longer apply\n- Never rebase shared branches.")
    assert match(rule, lifted).label is Label.NEGATED
    freed = TextIndex("Never:\n- delete tags\nIt is fine to rebase shared branches.")
    assert match(rule, freed).label is Label.NEGATED


def test_a_long_item_is_judged_by_its_sentences() -> None:
    item = (
        "Build a command line tool that converts CSV files to Parquet. "
        "It should stream the input in chunks. "
        "Add a progress bar based on the file size."
    )
    text = TextIndex(
        "The user wants a command line tool which converts CSV to Parquet files.\n"
        "Input is streamed in chunks."
    )
    assert match(item, text, "objective").label is Label.REWORDED
    assert match(item, text, "rule").label is Label.PARTLY
    assert match(item, TextIndex("Nothing of this kind."), "objective").label is Label.DROPPED
    assert match(item, TextIndex(item), "objective").label is Label.KEPT
    turned = TextIndex(item.replace("It should stream", "It should not stream"))
    assert match(item, turned, "rule").label is Label.NEGATED


def test_an_item_of_empty_words_is_found_only_to_the_letter() -> None:
    assert match("do it", TextIndex("he said: do it")).label is Label.KEPT
    assert match("do it", TextIndex("nothing here")).label is Label.DROPPED
    assert match("  ", TextIndex("nothing here")).label is Label.UNKNOWN
    assert match("do it", TextIndex("")).label is Label.DROPPED


def test_a_foreign_item_whose_identifiers_are_all_gone_is_dropped() -> None:
    english = TextIndex("The assistant and the user spoke of the search page and of its colours.")
    assert match("不要修改 src/db/schema.sql 文件。", english).label is Label.DROPPED
    assert match("不要修改文件。", english).label is Label.UNKNOWN


def test_a_text_too_short_for_a_translation_is_none() -> None:
    item = "Bitte niemals die alten Backups von der Platte löschen."
    assert match(item, TextIndex("All is well.")).label is Label.DROPPED


def test_very_long_lines_and_items_are_cut_into_pieces() -> None:
    text = TextIndex("word " * 20_000 + "never push to main " + "word " * 20_000)
    assert match("Never push to main", text).label in FOUND
    assert match("word " * 10_000, text).label in FOUND


def test_another_item_of_a_series_is_not_the_todo() -> None:
    text = TextIndex("- [ ] Port screen 8 of the setup wizard\n- [ ] Port screen 9 of the wizard")
    assert match("Port screen 7 of the setup wizard", text, "todo").label is Label.DROPPED
    assert match("Port screen 8 of the setup wizard", text, "todo").label in FOUND


VENDOR = "The vendor folder is a fork which we took over from the old team in 2019. Never touch it."


@pytest.mark.parametrize(
    ("rule", "said", "kept"),
    [
        (VENDOR, "Never touch the vendor folder.", True),
        (VENDOR, "Do not touch the vendor folder, it is forked.", True),
        (VENDOR, "Never touch the footer.", False),
        (VENDOR, "The vendor folder is a fork.", False),
        ("The schema is generated. Never edit it.", "Never edit the footer.", False),
        ("Thanks! Never do that again.", "The user said: never do that again.", True),
        ("Thanks! Never do that again.", "The tests are green.", False),
    ],
)
def test_a_rule_with_what_it_speaks_of_is_kept_by_its_subject(
    rule: str, said: str, kept: bool
) -> None:
    text_index = TextIndex(f"The user builds a shop for a partner in Bern.\n{said}")
    assert (match(rule, text_index).label in FOUND) is kept


def test_that_a_rule_of_empty_words_is_gone_is_not_sure() -> None:
    found = match("never do that again", TextIndex("Never force-push main."))
    assert (found.label, found.certainty) == (Label.DROPPED, 0.5)


def test_a_name_that_was_only_given_is_kept_by_the_name() -> None:
    named = TextIndex("The service is being moved.\nHarbour now has its own repository.")
    assert match("Let's call it Harbour", named, "decision").label is Label.REWORDED
    assert (
        match("Let's call it Harbour", TextIndex("It was moved."), "decision").label
        is Label.DROPPED
    )
