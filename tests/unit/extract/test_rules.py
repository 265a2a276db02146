"""Rules are taken from what the user typed, and hold until he lifts them."""

from pathlib import Path

import pytest

from amplihack_compaction.extract.rules import (
    extract_retractions,
    extract_rules,
    is_like_no_rule,
    kind_of_rule,
    parted_by_hold,
    surely_holds,
)
from amplihack_compaction.extract.statements import Rule, RuleKind
from amplihack_compaction.ledger.merge import retire
from tests.support.transcripts import Transcript
from tests.unit.extract.windows import window_of, window_saying


def texts(folder: Path, *prompts: str) -> list[str]:
    return [rule.text for rule in extract_rules(window_saying(folder, *prompts))]


def test_a_rule_keeps_its_words_negation_and_scope(tmp_path: Path) -> None:
    prompt = "Fix the login. In src/api, never catch Exception unless I say so. Thanks!"
    assert texts(tmp_path, prompt) == ["In src/api, never catch Exception unless I say so."]


def test_what_was_left_out_is_no_part_of_the_rule_behind_it(tmp_path: Path) -> None:
    prompt = "The window is 30 days. <private>pin 1</private> And always keep amounts in cents."
    assert texts(tmp_path, prompt) == ["And always keep amounts in cents."]


def test_neighbouring_sentences_are_rules_of_their_own(tmp_path: Path) -> None:
    assert texts(tmp_path, "Use tabs. Never spaces.") == ["Use tabs.", "Never spaces."]


@pytest.mark.parametrize(
    "prompt",
    [
        "The schema is generated. Never edit it by hand.",
        "the sdk belongs to platform. do not change anything there",
        "vendor/ is a fork. hands off",
        "Push to main by pull request. Never without it.",
        "vendor 目录是自动生成的。不要动它。",
    ],
)
def test_a_rule_is_quoted_with_what_it_speaks_of(tmp_path: Path, prompt: str) -> None:
    assert texts(tmp_path, f"Fix the login first. Thanks. \n\n{prompt}") == [prompt]


@pytest.mark.parametrize(
    "prompt",
    [
        'Shorten the notice, and never use the word "sorry" in any notice of ours.',
        "mend it please, and never catch a KeyError with a default again",
        "Write the loader as you like; I only care that you never add new packages.",
        "Corrige o menu, e nunca apague a pasta vendor.",
        "look at the upload while you are at it please never write temp files to the home folder",
    ],
)
def test_a_rule_behind_a_request_in_one_sentence_is_known(tmp_path: Path, prompt: str) -> None:
    assert texts(tmp_path, prompt) == [prompt]


@pytest.mark.parametrize(
    "prompt",
    [
        "Run the tests, they never finish in time.",
        "It fails now and then, and never on my machine.",
        "Does it fail, and never tell me why?",
        "The export hangs, and never writes a file.",
        "the login works, but never after a restart",
    ],
)
def test_what_happens_never_or_always_is_no_rule(tmp_path: Path, prompt: str) -> None:
    assert texts(tmp_path, prompt) == []


def test_what_is_to_be_done_first_is_no_rule_unless_it_lasts(tmp_path: Path) -> None:
    assert texts(tmp_path, "Please start by adding a search page to the shop.") == []
    lasting = "Always start by reading the tests."
    assert texts(tmp_path, lasting) == [lasting]


def test_two_things_of_which_the_same_is_said_are_two_rules(tmp_path: Path) -> None:
    window = window_saying(
        tmp_path, "The billing tables are audited. Never touch them.", "Fix the login.",
        "The ledger is audited. Never touch it.",
    )  # fmt: skip
    assert len(retire(extract_rules(window), ())) == 2


def test_no_more_than_two_sentences_length_is_quoted_before_a_rule(tmp_path: Path) -> None:
    story = "the totals in the footer are off by a cent or two in every third report of it; " * 6
    (rule,) = texts(tmp_path, f"{story}as always. Never touch it.")
    assert rule.endswith("as always. Never touch it.")
    assert len(rule) < 300


def test_a_rule_in_a_pasted_log_is_not_the_users_rule(tmp_path: Path) -> None:
    prompt = (
        "why does this fail? here is the log:\n"
        "2026-01-02 10:00:00 ERROR value must never be null\n"
        "always call init() first\n"
        "2026-01-02 10:00:01 WARN you should always retry\n"
        "\nand keep the public API as it is"
    )
    assert texts(tmp_path, prompt) == ["and keep the public API as it is"]


@pytest.mark.parametrize("place", ["start", "end"])
def test_a_long_typed_prompt_gives_its_rule(tmp_path: Path, place: str) -> None:
    story = (
        "I looked at the export page yesterday and the totals in the footer were off by a cent. "
        "It seems that the rounding happens per row and the sum is then taken of rounded values. "
    ) * 12
    rule = "Never round before summing up."
    prompt = f"{rule} {story}" if place == "start" else f"{story}{rule}"
    assert len(prompt) > 1500
    assert texts(tmp_path, prompt) == [rule]


def test_a_pasted_document_gives_no_rules_and_the_sentence_below_it_does(tmp_path: Path) -> None:
    prompt = (
        "Here is the contributing guide:\n\n# Contributing\n\nAlways sign your commits.\n\n"
        "## Style\n\n- Never use tabs\n- Must be formatted\n\n"
        "Please summarise it. And never touch the docs."
    )
    assert texts(tmp_path, prompt) == ["And never touch the docs."]


def test_what_others_say_is_not_the_users_rule(tmp_path: Path) -> None:
    prompts = (
        'the linter says: "never use var here"',
        "the README says 'always run make first'",
        "my colleague told me to never trust the cache",
    )
    assert texts(tmp_path, *prompts) == []


def test_words_given_with_a_refusal_are_a_correction(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("list the users")
    transcript.refuse("Bash", {"command": "curl http://x"}, "use the API client, not curl")
    (rule,) = extract_rules(window_of(transcript, tmp_path))
    assert (rule.text, rule.kind) == ("use the API client, not curl", RuleKind.CORRECTION)
    assert rule.offset > 0


def test_a_mere_stop_at_a_refusal_is_no_rule(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("list the users")
    transcript.refuse("Bash", {"command": "ls"}, "wait, let me look at it first")
    assert extract_rules(window_of(transcript, tmp_path)) == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Never push to main.", RuleKind.PROHIBITION),
        ("I prefer small commits.", RuleKind.OBLIGATION),
        ("Every commit needs a ticket number.", RuleKind.OBLIGATION),
    ],
)
def test_rules_are_told_apart_by_kind(tmp_path: Path, text: str, kind: RuleKind) -> None:
    (rule,) = extract_rules(window_saying(tmp_path, text))
    assert rule.kind is kind


def test_items_under_a_line_that_says_rules_are_rules(tmp_path: Path) -> None:
    prompt = "Add the export.\nRules for this repo:\n- tabs everywhere\n- small commits\n\nThanks"
    assert texts(tmp_path, prompt) == ["tabs everywhere", "small commits"]


def test_items_under_a_never_carry_it_along(tmp_path: Path) -> None:
    prompt = "Never touch:\n- the billing module\n- infra/prod"
    assert texts(tmp_path, prompt) == ["Never touch: the billing module", "Never touch: infra/prod"]


def test_a_rule_said_twice_stands_once_with_its_first_wording(tmp_path: Path) -> None:
    window = window_saying(tmp_path, "Never push to main.", "Use tabs.", "never push to main")
    other, rule = retire(extract_rules(window), ())
    assert (other.text, rule.text) == ("Use tabs.", "Never push to main.")


def test_rules_know_their_order(tmp_path: Path) -> None:
    window = window_saying(tmp_path, "不要推送到 main。必须先运行测试。", "Niemals direkt pushen.")
    rules = extract_rules(window)
    assert len(rules) == 3
    places = [(rule.offset, rule.position) for rule in rules]
    assert places == sorted(set(places))


def test_the_name_of_a_command_is_not_its_argument(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user(
        "<command-name>/review</command-name>\n<command-args>src/ but never edit tests"
        "</command-args>"
    )
    (rule,) = extract_rules(window_of(transcript, tmp_path))
    assert rule.text == "src/ but never edit tests"


def test_a_sentence_that_only_lifts_a_rule_is_no_rule(tmp_path: Path) -> None:
    assert texts(tmp_path, "You don't have to ask before deleting files anymore.") == []


def test_a_paragraph_without_an_end_is_no_rule(tmp_path: Path) -> None:
    assert texts(tmp_path, "never " + "word " * 400) == []


@pytest.mark.parametrize(
    "said",
    ["I want docstrings everywhere in billing.", "Dotn touch billing.",
     "Noboyd edits billing by hand.", "Note: billing has to build on BSD.",
     "Teste toujours les montants négatifs.", "The table names are frozen.",
     "Only the migration tool touches billing.", "Use vitest, not jest.", "use poetry not pip",
     "DO NOT EVER RUN THE MIGRATIONS YOURSELF", "AND NEVER USE SLEEP() IN A TEST"],
)  # fmt: skip
def test_rules_typed_in_haste_or_of_few_words_are_rules(tmp_path: Path, said: str) -> None:
    (rule,) = extract_rules(window_saying(tmp_path, said))
    assert rule.text == said


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("las variables siempre en ingles aunque los textos esten en español", RuleKind.OBLIGATION),
        ("папку legacy не трогай", RuleKind.PROHIBITION),
        ("lodash не используем", RuleKind.PROHIBITION),
        ("на прод базе миграции не запускать никогда", RuleKind.PROHIBITION),
        ("в тестах никаких внешних апи", RuleKind.PROHIBITION),
    ],
)
def test_a_rule_may_begin_with_what_it_is_about(tmp_path: Path, said: str, kind: RuleKind) -> None:
    (rule,) = extract_rules(window_saying(tmp_path, said))
    assert (rule.text, rule.kind) == (said, kind)


@pytest.mark.parametrize(
    "said",
    [
        "les commits doivent etre en francais",
        "repondez toujours en francais",
        "n'ecris jamais dans le dossier dist",
        "nao mexe no schema.prisma sem falar comigo",
        "nunca faca deploy na sexta",
        "on deploie jamais le vendredi",
        "keine aenderungen am public api bitte",
        "asegurate de correr los tests antes de cada commit",
        "aendere nie die migrationen",
        "benutze fuer dates immer luxon",
    ],
)
def test_a_rule_is_known_without_its_accents(tmp_path: Path, said: str) -> None:
    assert texts(tmp_path, said) == [said]


@pytest.mark.parametrize(
    "said",
    [
        "os testes sempre quebram na sexta",
        "el test siempre falla en ci",
        "тест не запускается на ci",
        "sigue con el 2",
        "SQS。運用したくないので",
        "주문 데이터 저장소 정해야돼",
        'der kunde schrieb: "immer alle fehler auf deutsch"',
    ],
)
def test_what_happens_or_is_to_do_next_is_no_rule(tmp_path: Path, said: str) -> None:
    assert extract_rules(window_saying(tmp_path, said)) == ()


@pytest.mark.parametrize(
    "said",
    [
        "Kapitel 3 ist schon beim Betreuer, da nichts mehr ändern",
        "das Schema nicht mehr anfassen",
        "ya no toques el esquema, es de otro equipo",
    ],
)
def test_what_is_not_to_be_done_any_more_is_forbidden(tmp_path: Path, said: str) -> None:
    (rule,) = extract_rules(window_saying(tmp_path, "Hilf mir mit der Auswertung.", said))
    assert (rule.text, rule.kind) == (said, RuleKind.PROHIBITION)


def test_what_need_not_be_changed_any_more_is_not_forbidden(tmp_path: Path) -> None:
    said = "die Spalte müssen wir nicht mehr ändern"
    assert extract_rules(window_saying(tmp_path, "Hilf mir mit der Auswertung.", said)) == ()


def test_what_is_listed_beside_sure_rules_holds_like_them(tmp_path: Path) -> None:
    listed = "- Never push to main\n- Squash before merge\n- Type hints everywhere"
    rules = extract_rules(window_saying(tmp_path, f"Some rules for this repo:\n{listed}"))
    assert not all(map(surely_holds, rules))
    assert parted_by_hold(rules) == (list(rules), [])
    alone = extract_rules(window_saying(tmp_path, "Squash before merge"))
    assert parted_by_hold(alone) == ([], list(alone))


@pytest.mark.parametrize("said", ["以后所有的回复都用中文", "앞으로 커밋하기 전에 꼭 린트 돌려줘"])
def test_a_rule_that_is_said_to_last_holds(tmp_path: Path, said: str) -> None:
    (rule,) = extract_rules(window_saying(tmp_path, said))
    assert surely_holds(rule)


def test_what_is_copied_from_a_list_of_the_models_is_a_rule_only_where_it_surely_is_one(
    tmp_path: Path,
) -> None:
    copied = "Keep all limits of the importer in one table"
    rule = "Never push to main, not even for a hotfix."
    for is_told in (True, False):
        transcript = Transcript()
        transcript.user("What is weak in the importer?")
        told = f"Two things:\n1. **{copied[:15]}** {copied[16:]}\n2. {rule}"
        transcript.assistant(told if is_told else "A few things.")
        transcript.user(f"1. {copied}\n2. {rule}\nHm, is that worth it?")
        found = [rule.text for rule in extract_rules(window_of(transcript, tmp_path))]
        assert found == ([rule] if is_told else [copied, rule])


def test_what_somebody_else_did_not_do_bars_nothing() -> None:
    assert kind_of_rule("but he had no changes in the worktree") == ""
    assert kind_of_rule("but no changes in the worktree") == RuleKind.PROHIBITION


def test_a_piece_of_an_output_that_names_a_file_is_no_rule() -> None:
    assert kind_of_rule("/home/me/.zshrc:.:6: no such file or directory: /home/me/bin/env") == ""
    assert kind_of_rule("no writes to /home/me/bin/env") == "prohibition"


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("dont give me a prompt, just spawn agents in parallel to help you", False),
        ("never give me a prompt, just spawn agents in parallel to help you", True),
        ("don't push to main", True),
    ],
)
def test_what_is_worded_as_a_rule_in_an_order_is_meant_for_it(said: str, holds: bool) -> None:
    assert surely_holds(Rule(text=said)) is holds


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("Do not touch any other file.", False),
        ("no further changes to the importer", False),
        ("don't push yet", False),
        ("Do not touch the vendor folder.", True),
        ("please always ask before you push", True),
        ("Write all comments in English, no other language.", True),
        ("Don't touch the other team's module.", True),
        ("Don't add any further dependencies to this repo.", True),
        ("Don't use anything else than pnpm.", True),
    ],
)
def test_what_is_over_with_the_work_at_hand_does_not_surely_hold(said: str, holds: bool) -> None:
    assert surely_holds(Rule(text=said)) is holds


def test_what_tells_how_something_always_is_lasts_no_more_than_its_request() -> None:
    for text, holds in (
        ("the head sticks to the top so it's always in view", False),
        ("Always ask first.", True),
    ):
        assert surely_holds(Rule(text=text, asked_with="Polish the page.")) is holds


def test_a_rule_that_came_with_a_request_may_have_been_meant_for_it(tmp_path: Path) -> None:
    rule, lasting = "Do not change the schema.", "From now on use pnpm."
    request = "Add a page for exports to the report."
    for asked in (request, ""):
        content = window_saying(tmp_path, f"{asked} {rule} {lasting}".strip())
        rules = extract_rules(content)
        assert {rule.asked_with for rule in rules} == {asked}
        sure, once = parted_by_hold(rules)
        assert [r.text for r in sure] == ([lasting] if asked else [rule, lasting])
        assert [r.text for r in once] == ([rule] if asked else [])


def test_what_is_asked_about_or_is_a_rule_itself_is_no_request_beside(tmp_path: Path) -> None:
    content = window_saying(tmp_path, "Never push to main. Use tabs. Is the page there?")
    assert {rule.asked_with for rule in extract_rules(content)} == {""}


def test_a_polite_question_is_a_request_and_a_rule_that_has_its_words_is_another(
    tmp_path: Path,
) -> None:
    said = "Can you fix the login bug? Never fix the login bug without a test."
    (rule,) = extract_rules(window_saying(tmp_path, said))
    assert rule.asked_with == "Can you fix the login bug?"


def test_one_rule_that_lasts_makes_no_others_of_its_request_last(tmp_path: Path) -> None:
    said = "Always run make check. Fix the login bug in auth.py. Don't touch the tests. No new css."
    sure, once = parted_by_hold(extract_rules(window_saying(tmp_path, said)))
    assert [rule.text for rule in sure] == ["Always run make check."]
    assert len(once) == 2


def test_a_request_is_seen_far_behind_the_rule_of_its_prompt(tmp_path: Path) -> None:
    told = " ".join(f"The {number}th report lies in the archive." for number in range(60))
    (rule,) = extract_rules(window_saying(tmp_path, f"No new css. {told} Fix the login bug."))
    assert rule.asked_with == "Fix the login bug."


@pytest.mark.parametrize(
    "said",
    [
        "Benutze immer pnpm statt npm.",
        "Committe niemals direkt auf main.",
        "Ne pousse jamais sur main.",
        "N'utilise jamais npm.",
        "Usa siempre pnpm.",
        "Remember to always run the linter before committing.",
        "I want you to always use tabs.",
        "Committe nie auf main.",
        "Il ne faut jamais pousser sur main.",
        "Don't ever push to main.",
    ],
)
def test_what_is_said_to_hold_always_lasts_whatever_came_with_it(said: str) -> None:
    assert surely_holds(Rule(text=said, asked_with="Build the page."))
    assert not surely_holds(Rule(text="Do not push.", asked_with="Build the page."))


def test_what_the_user_reminds_of_is_a_rule_that_lasts(tmp_path: Path) -> None:
    prompt = "Two more. Remember, answer in short words and to the point:\n- what is it?\n- why?"
    (rule,) = extract_rules(window_saying(tmp_path, prompt))
    assert "Remember, answer in short words" in rule.text
    assert surely_holds(rule)
    assert not is_like_no_rule(rule)
    assert texts(tmp_path, "Remember that bug in the pager? It is back.") == []


def test_what_is_quoted_to_ask_what_it_means_is_no_rule(tmp_path: Path) -> None:
    quoted = "No scaling, no split here. Never fit on all rows."
    assert texts(tmp_path, f"{quoted}\n- what does this even mean?") == []
    assert len(texts(tmp_path, quoted)) > 0


@pytest.mark.parametrize(
    "behind", ["What does this error mean?", "What does this warning mean: EBADENGINE?"]
)
def test_a_question_about_something_else_takes_no_rule_away(tmp_path: Path, behind: str) -> None:
    assert texts(tmp_path, f"Never commit to main. {behind}") == ["Never commit to main."]


def test_what_is_to_be_remembered_for_the_moment_is_no_rule(tmp_path: Path) -> None:
    assert texts(tmp_path, "Remember to restart the server, I changed the config.") == []


def test_a_complaint_takes_back_no_rule(tmp_path: Path) -> None:
    said = "Your words are weird. they don't sound natural so it makes it hard to understand"
    assert extract_retractions(window_saying(tmp_path, said)) == ()


@pytest.mark.parametrize(
    "said",
    [
        "delete them there and never touch shared databases again",
        "revert that and never use force push again",
        "undo it and don't ever commit to main again",
        "put it back and never edit generated files",
        "rename it back and always ask before renaming public methods",
        "take it out and don't add dependencies without asking",
    ],
)
def test_what_is_to_be_mended_comes_with_a_rule_for_good(said: str) -> None:
    assert kind_of_rule(said)


@pytest.mark.parametrize(
    "said",
    [
        "fix the bug where it loops and never returns",
        "find out why it starts and always fails",
        "check why the cache is filled and never cleared",
        "make the button blue and don't show it on mobile",
    ],
)
def test_what_never_happens_is_no_rule(said: str) -> None:
    assert not kind_of_rule(said)


@pytest.mark.parametrize(
    "lead", ["And", "So", "But", "Also", "Also,", "ok,", "And please", "Und", "oh, and"]
)
def test_what_leads_on_to_a_rule_hides_none(lead: str) -> None:
    barred = "nie" if lead == "Und" else "never"
    assert kind_of_rule(f"{lead} {barred} import from server/ in client code again.")


@pytest.mark.parametrize(
    "said",
    [
        "But never mind the docs",
        "it never loads",
        "never finishes",
        "I don't see it anywhere",
        "can't find the button",
        "ich sehe keine Änderung",
    ],
)
def test_what_only_tells_how_it_is_is_no_rule(said: str) -> None:
    assert not kind_of_rule(said)


def test_a_rule_right_behind_a_line_that_announces_a_paste_is_one(tmp_path: Path) -> None:
    window = window_saying(tmp_path, "报错了：\n不要修改数据库结构。")
    assert [rule.text for rule in extract_rules(window)] == ["不要修改数据库结构。"]
