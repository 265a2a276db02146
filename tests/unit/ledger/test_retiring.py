"""Lifting rules, superseding them, and stating them again."""

from dataclasses import replace
from pathlib import Path

import pytest

from amplihack_compaction.extract.rules import extract_retractions, extract_rules
from amplihack_compaction.extract.statements import Retraction, Rule, RuleKind, SessionState
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.injection.render import render_state, render_whole
from amplihack_compaction.ledger.merge import merge_window, retire
from amplihack_compaction.ledger.stored import fold_transcript
from tests.support.transcripts import SESSION, Transcript
from tests.unit.extract.windows import window_saying


def after(folder: Path, *prompts: str) -> dict[str, bool]:
    window = window_saying(folder, *prompts)
    rules = retire(extract_rules(window), extract_retractions(window))
    return {rule.text: rule.active for rule in rules}


def test_a_permission_lifts_the_prohibition_it_names(tmp_path: Path) -> None:
    found = after(
        tmp_path, "Never push to main.", "Never push secrets.", "You may now push to main."
    )
    assert found == {"Never push to main.": False, "Never push secrets.": True}


def test_a_permission_names_in_the_sentence_before_what_it_lifts(tmp_path: Path) -> None:
    found = after(
        tmp_path,
        "The billing tables are audited. Never touch them.",
        "The vendor folder is a fork. Never touch it.",
        "The audit of the billing tables is over. You may touch them again.",
    )
    assert list(found.values()) == [False, True]


def test_a_permission_leaves_duties_alone(tmp_path: Path) -> None:
    found = after(tmp_path, "Always run the tests.", "you can now run the tests")
    assert found == {"Always run the tests.": True}


def test_a_lifted_rule_holds_the_words_that_lifted_it(tmp_path: Path) -> None:
    window = window_saying(tmp_path, "Never use lodash.", "you can use lodash again")
    (rule,) = retire(extract_rules(window), extract_retractions(window))
    assert rule.retired_by == "you can use lodash again"
    assert rule.retired_offset > rule.offset


def test_a_rule_typed_again_after_its_retraction_stands_again(tmp_path: Path) -> None:
    found = after(
        tmp_path, "Never push to main.", "You may now push to main.", "never push to main"
    )
    assert found == {"never push to main": True}
    window = window_saying(
        tmp_path, "Don't use lodash.", "lodash is fine now", "I said don't use lodash!"
    )
    rules = retire(extract_rules(window), extract_retractions(window))
    assert any(rule.active and "lodash" in rule.text for rule in rules)


def test_order_counts_inside_one_prompt(tmp_path: Path) -> None:
    found = after(tmp_path, "You may now push to main. Never push to main on fridays.")
    assert found == {"Never push to main on fridays.": True}


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        ("Never push to main.", "You pushed to main!"),
        ("Never push to main.", "Hey, you just pushed to main again. That was wrong."),
        ("Never use npm.", "You used npm!"),
        ("Never use npm.", "You're using npm again."),
        ("Never touch the vendor folder.", "You've touched the vendor folder!"),
        ("Always run the linter before you commit.", "You committed without running the linter!"),
        ("Never push to main.", "Du hast nach main gepusht, push to main is not ok!"),
        ("Never push to main.", "Damn, you pushed to main."),
        ("Never push to main.", "Please don't push to main any more."),
        ("Never edit generated files.", "Please don't edit generated files any more."),
        ("Always run the tests before committing.", "The tests don't run any more, fix that."),
        ("Never push to main.", "You push to main all the time!"),
        ("Benutze niemals lodash.", "Du benutzt schon wieder lodash!"),
    ],
)
def test_a_complaint_that_a_rule_was_broken_keeps_it(
    tmp_path: Path, rule: str, complaint: str
) -> None:
    assert after(tmp_path, rule, complaint)[rule]


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Always answer in German.", "Your answers must be in English."),
        ("Never push to main.", "You can push to main every time."),
    ],
)
def test_what_only_begins_like_a_complaint_lifts(tmp_path: Path, rule: str, later: str) -> None:
    assert not after(tmp_path, rule, later)[rule]


@pytest.mark.parametrize(
    "leave",
    [
        "You can push to main if CI is green.",
        "When the review is done you can push to main.",
        "As soon as Anna approves you can push to main.",
        "You can push to main if it is green.",
        "You can push to main as long as the tests pass.",
        "You can push to main when you have my ok.",
    ],
)
def test_a_leave_on_a_condition_stands_beside_the_rule(tmp_path: Path, leave: str) -> None:
    assert after(tmp_path, "Never push to main.", leave)["Never push to main."]


@pytest.mark.parametrize(
    "leave",
    [
        "You can push to main if you want.",
        "The push to main may be done by you after all.",
        "You can push to main even if CI is red.",
        "After thinking about it, you can push to main.",
        "You can push to main when ready.",
        "You pushed to main by mistake, but you can push to main from now on.",
    ],
)
def test_a_leave_that_only_sounds_conditional_lifts(tmp_path: Path, leave: str) -> None:
    assert not after(tmp_path, "Never push to main.", leave)["Never push to main."]


def test_a_later_rule_takes_the_place_of_the_one_it_contradicts(tmp_path: Path) -> None:
    assert after(tmp_path, "Use tabs.", "use spaces now, not tabs") == {
        "Use tabs.": False,
        "use spaces now, not tabs": True,
    }


def test_what_is_not_to_be_done_any_more_is_over(tmp_path: Path) -> None:
    later = "Don't use npm any more."
    assert after(tmp_path, "Always use npm.", later) == {"Always use npm.": False, later: True}


def test_a_duty_that_need_not_be_done_any_more_is_over(tmp_path: Path) -> None:
    later = "You don't have to ask before you commit any more."
    assert after(tmp_path, "Ask me before you commit.", later) == {
        "Ask me before you commit.": False
    }


def test_a_new_number_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    found = after(tmp_path, "Max line length 100.", "Max line length 120.")
    assert found == {"Max line length 100.": False, "Max line length 120.": True}


def test_another_language_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    found = after(tmp_path, "Answer in German.", "Answer in English.")
    assert found == {"Answer in German.": False, "Answer in English.": True}


def test_never_after_always_supersedes_it(tmp_path: Path) -> None:
    found = after(tmp_path, "Always run the linter.", "Never run the linter.")
    assert found == {"Always run the linter.": False, "Never run the linter.": True}


def test_a_duty_that_mentions_the_matter_does_not_lift_a_prohibition(tmp_path: Path) -> None:
    found = after(
        tmp_path, "Never push to main.", "Always run the tests before you push to develop."
    )
    assert all(found.values())


def test_everything_can_be_lifted_at_once(tmp_path: Path) -> None:
    found = after(tmp_path, "Use tabs.", "Never use mocks.", "forget all the rules")
    assert not any(found.values())


def test_that_rule_is_the_one_stated_last(tmp_path: Path) -> None:
    found = after(tmp_path, "Use tabs.", "Never use mocks.", "scrap that rule")
    assert found == {"Use tabs.": True, "Never use mocks.": False}


@pytest.mark.parametrize(
    "rules",
    [
        ("Always run the tests before committing.", "Don't run the slow tests."),
        ("Never use mocks in integration tests.", "Never use mocks in slow integration tests."),
        ("Never edit src/a.py.", "Never edit src/b.py."),
        ("Never delete table a.", "Never delete table b."),
        ("Ask before deleting files.", "Never delete files."),
        ("Never commit without running the tests.", "Always run the tests."),
        ("Never push to main.", "Never push to main without asking me."),
    ],
)
def test_rules_for_other_things_or_for_less_stand_side_by_side(
    tmp_path: Path, rules: tuple[str, str]
) -> None:
    assert after(tmp_path, *rules) == dict.fromkeys(rules, True)
    assert after(tmp_path, *rules[::-1]) == dict.fromkeys(rules, True)
    assert after(tmp_path, "\n".join(f"- {rule}" for rule in rules)) == dict.fromkeys(rules, True)


def test_a_retraction_before_the_rule_does_not_lift_it() -> None:
    rule = Rule(text="Never push to main.", offset=5, kind=RuleKind.PROHIBITION)
    lifted = Retraction(text="you may now push to main", offset=1, target="push to main")
    assert retire([rule], [lifted]) == (rule,)


def test_paths_tell_similar_rules_apart(tmp_path: Path) -> None:
    found = after(
        tmp_path,
        "Don't touch legacy/billing.py.",
        "Don't touch legacy/orders.py.",
        "you can edit legacy/orders.py now",
    )
    assert found == {"Don't touch legacy/billing.py.": True, "Don't touch legacy/orders.py.": False}


def test_going_back_and_forth_leaves_the_last_word(tmp_path: Path) -> None:
    assert after(tmp_path, "Use tabs.", "use spaces, not tabs", "Use tabs.") == {
        "Use tabs.": True,
        "use spaces, not tabs": False,
    }


def test_merging_the_lifted_rules_with_what_was_said_changes_nothing(tmp_path: Path) -> None:
    window = window_saying(
        tmp_path, "Never push to main.", "You may now push to main.", "Never push to main again."
    )
    rules, lifted = extract_rules(window), extract_retractions(window)
    once = retire(rules, lifted)
    assert retire(once, lifted) == once
    assert retire((*once, *(rule for rule in rules if rule not in once)), lifted) == once


@pytest.mark.parametrize(
    ("rule", "lift"),
    [
        ("Hands off the cart templates.", "The cart templates may be edited after all."),
        ("不要改 billing 的颜色。", "billing 的颜色现在可以改了。"),
    ],
)
def test_passives_other_tongues_and_slips_lift_too(tmp_path: Path, rule: str, lift: str) -> None:
    assert after(tmp_path, rule, "Never push secrets.", lift) == {
        rule: False,
        "Never push secrets.": True,
    }


@pytest.mark.parametrize(
    "later",
    ["Then the search field: it should ignore accents.", "Ignore a missing header in the parser."],
)
def test_words_that_only_sound_like_it_lift_nothing(tmp_path: Path, later: str) -> None:
    rule = "No network access in the tests, please."
    assert after(tmp_path, rule, later)[rule]


def test_a_retraction_in_other_words_lifts_the_rule_it_is_nearest_to(tmp_path: Path) -> None:
    found = after(
        tmp_path,
        "Keep the parser on the old api.",
        "Keep the writer below 200 lines.",
        "The parser can move to the new api now, the freeze is over.",
    )
    assert found == {
        "Keep the parser on the old api.": False,
        "Keep the writer below 200 lines.": True,
    }


@pytest.mark.parametrize(
    "turn",
    ["Forget that, let's build the search page.", "Oublie ça, faisons la recherche.",
     "Olvida eso, hagamos la búsqueda."],
)  # fmt: skip
def test_to_forget_that_for_other_work_lifts_no_rule(tmp_path: Path, turn: str) -> None:
    rule = "Ask me before you delete rows."
    assert after(tmp_path, rule, turn)[rule]
    assert not after(tmp_path, rule, "Forget that.")[rule]


# Commas that two branches of a pattern could each take cost a power of two for every one.
@pytest.mark.parametrize("opening", ["now" + " ," * 40, "Ok, so and now" + ", and so" * 30])
def test_a_run_of_opening_words_and_commas_is_read_at_once(tmp_path: Path, opening: str) -> None:
    rule = "Never push to main."
    assert after(tmp_path, rule, f"{opening} we go.")[rule]


def questioned(folder: Path, *prompts: str) -> dict[str, str]:
    window = window_saying(folder, *prompts)
    retractions = extract_retractions(window)
    rules = retire(extract_rules(window), retractions)
    assert retire(rules, retractions) == rules
    return {rule.text: rule.questioned_by for rule in rules if rule.active}


def test_work_on_a_rules_subject_puts_nothing_in_question(tmp_path: Path) -> None:
    rule = "Never touch the billing tables."
    for later in (
        "now the billing page needs a header",
        "why is billing so slow?",
        "billing is the slowest part of it",
    ):
        assert questioned(tmp_path, rule, later) == {rule: ""}


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Never say what you did after an edit.", "Park says the opposite of what you wrote"),
        ("Never sort the imports first.", "just cast it to unknown first, one place is ok"),
    ],
)
def test_words_that_many_sentences_have_question_no_rule(
    tmp_path: Path, rule: str, later: str
) -> None:
    assert questioned(tmp_path, rule, later)[rule] == ""


def test_a_rule_said_again_is_no_longer_in_question(tmp_path: Path) -> None:
    rule = "Never touch the billing tables."
    found = questioned(tmp_path, rule, "accounting is done, billing is all yours", rule)
    assert found == {rule: ""}


def test_a_leave_under_a_condition_takes_the_rules_place(tmp_path: Path) -> None:
    later = "you may push to main again, but only with a tag"
    assert questioned(tmp_path, "Never push to main.", "Build the shop.", later) == {later: ""}


@pytest.mark.parametrize(
    "later",
    [
        "just this once you can push to main",
        "you can push to main for this fix",
        "ok for the hotfix you may push to main, otherwise the rule stays",
        "today you can push to main",
        "diesmal darfst du auf main pushen, push to main is fine",
        "you can push to main now. Just this once.",
        "the release manager is away, you may push to main freely until friday",
        "you can push to main until the audit is over",
        "one push only, you may push to main now",
        "it's fine to push to main now, once is ok",
        "you don't have to ask, you may push to main for typos, for the rest still no",
        "you may push to main with docs now, the others still not",
        "you may push to main now, for typos only",
        "you may push to main on the build server",
        "you can push to main now in the sandbox",
    ],
)
def test_a_leave_for_one_time_leaves_the_rule(tmp_path: Path, later: str) -> None:
    rule = "Never push to main."
    assert questioned(tmp_path, rule, "Build the shop.", later) == {rule: later}


@pytest.mark.parametrize(
    "later",
    [
        "you can now push to main",
        "from now on you can push to main",
        "if you want you can push to main now",
        "the audit was done today. you can push to main again",
    ],
)
def test_a_leave_without_a_bound_lifts_the_rule(tmp_path: Path, later: str) -> None:
    rule = "Never push to main."
    assert rule not in questioned(tmp_path, rule, "Build the shop.", later)


def test_what_may_take_back_several_rules_speaks_of_none(tmp_path: Path) -> None:
    rules = [f"Never touch the billing {part}." for part in ("tables", "page", "mailer")]
    found = questioned(tmp_path, *rules, "accounting is done, billing is all yours")
    assert found == dict.fromkeys(rules, "")


def test_that_is_the_rule_which_the_words_around_it_name() -> None:
    rules = [
        Rule(text="Never use lodash here.", offset=1, kind=RuleKind.PROHIBITION),
        Rule(text="Never push to main.", offset=2, kind=RuleKind.PROHIBITION),
    ]
    lift = Retraction(text="Take lodash, I take that back.", offset=3, target="that")
    assert [rule.active for rule in retire(rules, [lift])] == [False, True]
    bare = Retraction(text="I take that back.", offset=3, target="that")
    assert [rule.active for rule in retire(rules, [bare])] == [True, False]


def test_doing_it_twice_leaves_the_question_as_it_is(tmp_path: Path) -> None:
    window = window_saying(
        tmp_path, "Never touch the billing tables.", "accounting is done, billing is all yours"
    )
    once = retire(extract_rules(window), extract_retractions(window))
    assert retire(once, extract_retractions(window)) == once
    assert retire(once, ()) == once


def test_doing_it_twice_finds_no_other_rule_for_the_question(tmp_path: Path) -> None:
    window = window_saying(
        tmp_path, "Never touch the billing tables.", "Never rename the billing reports.",
        "Never delete the billing backups.", "accounting is done, billing is all yours",
        "You may touch the billing tables again.",
    )  # fmt: skip
    lifts = extract_retractions(window)
    once = retire(extract_rules(window), lifts)
    assert retire(once, lifts) == once


@pytest.mark.parametrize(
    "prompts",
    [
        ("Never edit the schema.", "Never edit the schema.", "schema? hands off"),
        (
            "don't touch the schema. Not in production either.",
            "edit the schema, it is fine",
            "Never edit the schema.",
            "schema? hands off",
        ),
    ],
)
def test_what_is_merged_twice_leaves_places_and_questions(
    tmp_path: Path, prompts: tuple[str, ...]
) -> None:
    state = SessionState()
    for number in range(1, len(prompts) + 1):
        found = replace(
            extract_window(window_saying(tmp_path, *prompts[:number]).window), index=number
        )
        state = merge_window(state, found)
        twice = merge_window(state, found)
        assert replace(twice, turns=state.turns, messages=state.messages) == state


def test_a_rule_about_what_was_done_is_lifted_by_what_names_that() -> None:
    pushed, deleted = 'model: "I force-pushed main."', 'model: "I deleted the tests."'
    rules = [
        Rule(text="never do that again", offset=1, kind=RuleKind.PROHIBITION, after=deleted),
        Rule(text="never do that again", offset=2, kind=RuleKind.PROHIBITION, after=pushed),
    ]
    lift = Retraction(text="delete the tests again", offset=3, target="delete the tests")
    assert [rule.active for rule in retire(rules, [lift])] == [False, True]


def test_what_only_may_lift_a_rule_does_not_in_its_own_prompt(tmp_path: Path) -> None:
    window = window_saying(tmp_path, "stop writing into data/raw. raw is raw. use data/interim")
    rules = retire(extract_rules(window), extract_retractions(window))
    assert [rule.questioned_by for rule in rules] == [""] * len(rules) != []


@pytest.mark.parametrize(
    ("lifted", "other", "by"),
    [
        ("lodash는 쓰지마", "axios는 쓰지마", "lodash 써도 돼"),
        ("lodash는 쓰지마", "axios는 쓰지마", "lodash는 이제 써도 돼"),
        ("redisは使わないで", "mongoは使わないで", "redis使ってもいいよ"),
        ("不要用lodash", "config目录不要动", "lodash可以用了"),
        (
            "no uses migraciones en caliente",
            "no uses mocks",
            "ya puedes usar migraciones en caliente",
        ),
    ],
)
def test_a_name_is_a_word_where_no_space_stands_beside_it(
    tmp_path: Path, lifted: str, other: str, by: str
) -> None:
    assert after(tmp_path, lifted, other, by) == {lifted: False, other: True}


@pytest.mark.parametrize(
    ("rule", "leave"),
    [
        ("legacy 폴더는 건드리지 마세요", "이번만 legacy의 auth.js 고쳐도 돼"),
        ("legacyフォルダは触らないでください", "今回だけlegacyのauth.jsは直していいよ"),
        ("папку legacy не трогай", "ладно в этот раз можешь поправить legacy/auth.js"),
        ("在庫APIには触らないで。", "在庫APIは取得だけなら呼んでいいよ"),
    ],
)
def test_a_leave_for_one_thing_stands_beside_what_forbids_more(
    tmp_path: Path, rule: str, leave: str
) -> None:
    window = window_saying(tmp_path, "never use lodash", rule, leave)
    rules = retire(extract_rules(window), extract_retractions(window))
    assert [(each.active, each.questioned_by) for each in rules] == [(True, ""), (True, leave)]


@pytest.mark.parametrize(
    ("rule", "partly"),
    [
        (
            "toda rota precisa de teste de integracao",
            "a regra do teste de integracao nao vale mais pra rota de health",
        ),
        ("每个函数都要写类型注解", "类型注解测试文件里就不用写了"),
        ("nie direkt auf main pushen", "für die doku darfst du jetzt direkt auf main pushen"),
        ("jamais de réseau dans les tests", "pour les e2e tu peux désormais utiliser le réseau"),
        ("nunca uses mocks", "en los e2e ya puedes usar mocks"),
        (
            "nunca faz chamadas sincronas pro erp",
            "pra consulta de estoque pode chamar o erp sincrono, so la",
        ),
        ("никогда не используй моки", "в e2e теперь можно использовать моки"),
        ("테스트에서 외부 api 호출 금지", "e2e에서는 외부 api 호출해도 돼"),
    ],
)
def test_what_is_let_off_in_one_place_stays_a_rule(tmp_path: Path, rule: str, partly: str) -> None:
    window = window_saying(tmp_path, rule, partly)
    rules = retire(extract_rules(window), extract_retractions(window))
    assert [(each.active, each.questioned_by) for each in rules][:1] == [(True, partly)]


def test_what_nobody_does_is_lifted_by_leave_to_do_it(tmp_path: Path) -> None:
    rule, leave = "on deploie jamais le vendredi", "tu peux desormais deployer le vendredi"
    assert after(tmp_path, rule, leave)[rule] is False


@pytest.mark.parametrize("go", ["go.", "ok, go ahead", "yes you can start now"])
def test_a_go_stands_beside_what_waited_for_it(tmp_path: Path, go: str) -> None:
    rule, other = "don't write any code before I say go.", "Never push to main."
    assert questioned(tmp_path, rule, other, go) == {rule: go, other: ""}


def test_a_go_on_is_no_go(tmp_path: Path) -> None:
    rule = "don't write any code before I say go."
    assert questioned(tmp_path, rule, "go on with the plan") == {rule: ""}


def test_what_forbids_the_same_elsewhere_puts_no_rule_in_question(tmp_path: Path) -> None:
    rule = "pas de numéro de facture dans les logs"
    too = "comme pour les logs, pas de numéro dans les noms de fichiers temporaires"
    window = window_saying(tmp_path, rule, too)
    rules = retire(extract_rules(window), extract_retractions(window))
    assert [(each.text, each.questioned_by) for each in rules] == [(rule, ""), (too, "")]


def test_a_leave_behind_what_sounds_like_a_complaint_puts_the_rule_in_question(
    tmp_path: Path,
) -> None:
    later = "You convinced me, npm is fine."
    assert questioned(tmp_path, "Never use npm.", later)["Never use npm."] == later


PLAN = "# Plan\n\n1. Port a\n2. Port b"


@pytest.mark.parametrize(
    ("said", "is_over"),
    [
        ("Don't write code yet.", True),
        ("Plan first, don't implement.", True),
        ("Don't touch any file before I've seen the plan.", True),
        ("Do not start implementing until we agree on the plan", True),
        ("Noch keinen Code schreiben.", True),
        ("Don't push yet.", False),
        ("Don't use axios.", False),
        ("Never edit files in vendor/.", False),
    ],
)
def test_what_was_barred_until_there_is_a_plan_is_over_with_its_approval(
    tmp_path: Path, said: str, is_over: bool
) -> None:
    session = Transcript()
    session.user(f"Let's plan the move to Fastify. {said}")
    session.tool("ExitPlanMode", {"plan": PLAN}, "User has approved your plan.")
    session.user(said)
    path = str(session.write(tmp_path / "t.jsonl"))
    (rule,) = fold_transcript(path, SESSION).state.rules
    assert rule.active  # it was said again
    session.tool("ExitPlanMode", {"plan": PLAN}, "User has approved your plan.")
    session.write(tmp_path / "t.jsonl")
    state = fold_transcript(path, SESSION).state
    assert [rule.text for rule in state.active_rules] == [said] * (not is_over)
    assert ("by the approval of the plan" in render_whole(state)) is is_over


@pytest.mark.parametrize(
    ("rule", "leave"),
    [
        ("Never commit directly to develop.", "hotfixes can go directly to develop"),
        ("Never use console.log.", "console.log is ok in the CLI script"),
        ("Do not edit package.json.", "you can edit the scripts section of package.json"),
        ("Never touch auth/, billing/ or legacy/.", "you can touch legacy/ now"),
    ],
)
def test_a_leave_for_a_part_puts_the_rule_in_question_and_lifts_nothing(
    tmp_path: Path, rule: str, leave: str
) -> None:
    session = Transcript()
    for text in (rule, leave):
        session.user(text)
        session.assistant("Fine.")
    state = fold_transcript(str(session.write(tmp_path / "t.jsonl")), SESSION).state
    (kept,) = (each for each in state.rules if each.text == rule)
    assert (kept.active, kept.questioned_by) == (True, leave)


@pytest.mark.parametrize(
    "again", ["ok stop pushing to main again please", "don't push to main any more, please"]
)
def test_what_is_barred_once_more_after_a_leave_is_barred(tmp_path: Path, again: str) -> None:
    session = Transcript()
    for text in ("Never push to main.", "You can push to main now.", again):
        session.user(text)
        session.assistant("Fine.")
    state = fold_transcript(str(session.write(tmp_path / "t.jsonl")), SESSION).state
    assert [rule.text for rule in state.active_rules] == [again]
    assert again in render_state(state).text
