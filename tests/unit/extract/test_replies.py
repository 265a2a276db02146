"""What a prompt answers: the option that is meant, and what the model did before it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.extract.decisions import extract_decisions, extract_remarks
from amplihack_compaction.extract.replies import (
    answers,
    choice_at_end,
    chosen_of,
    numbered_answers,
    question_in,
    settled_by,
)
from amplihack_compaction.extract.rules import extract_rules
from amplihack_compaction.extract.statements import Decision, SessionState
from amplihack_compaction.injection.lines import SHOWN_FROM
from amplihack_compaction.injection.rule_lines import decision_lines
from tests.support.transcripts import Transcript
from tests.unit.extract.windows import window_of

LETTERS = """I see three ways to store the sessions:

**A)** SQLite in one file, nothing to run
**B)** Postgres, which the team runs already
**C)** Redis with snapshots

Which one do you prefer?"""
NUMBERS = """Two options:

1. **Polling** - simple, a minute late
2. **Webhooks** - at once, needs a public address

Shall I go with 1?"""
TABLE = """| Way | What happens |
|---|---|
| **A. Silent fallback** | log it and proceed |
| **B. Abort** | nothing is written |

Which failure mode do you prefer?"""
COUNTED = (
    "Two candidates: horstoeko/zugferd (active, supports 3.0) and easybill/zugferd (fewer)."
    " I recommend the first. Which one do you want?"
)
WAYS = (
    "Two ways to mend it:\n1. Use DMA\n2. Raise the priority of the interrupt\nI would go with 1."
)
PLAN = """My plan:
1. Stream the file
2. Insert with COPY
3. Validate in parallel
4. Put a topic in between

Shall I start?"""
WANTED = "Want to:\n1. **Do it now** - a refactor\n2. **Quick fix** - copy the helper"
AFTER_NUMBERS = """The task is:
1. Add the field
2. Install the hook

Should the field be:
A) The time of closing
B) Updated with every save
C) Something else?"""
BULLETS = "Which way?\n- keep the table and add a column\n- split it into two tables"
CHINESE = "有两个方案：\n1. 使用 SQLite，无需部署\n2. 使用 Postgres，团队已有\n选哪个？"


@pytest.mark.parametrize(
    ("said", "text", "option"),
    [
        ("I'd like it to do B, and show twenty at most", TABLE, "Abort · nothing is written"),
        ("I think A) is fine, let's add a test", LETTERS, "SQLite in one file, nothing to run"),
        ("1 does seem like a decent way for now", NUMBERS, "Polling - simple, a minute late"),
        ("let's do 2", WANTED, "Quick fix - copy the helper"),
        ("B", AFTER_NUMBERS, "Updated with every save"),
        ("2 feels very far fetched", NUMBERS, ""),
        ("B", LETTERS, "Postgres, which the team runs already"),
        ("b please", LETTERS, "Postgres, which the team runs already"),
        ("ok, B. it's what ops knows", LETTERS, "Postgres, which the team runs already"),
        ("let's go with C, but with a ttl", LETTERS, "Redis with snapshots"),
        ("the second one, it's less to explain", LETTERS, "Postgres, which the team runs already"),
        ("the last one", LETTERS, "Redis with snapshots"),
        ("option a", LETTERS, "SQLite in one file, nothing to run"),
        ("2", NUMBERS, "Webhooks - at once, needs a public address"),
        ("I'd take the first because nobody minds the minute", NUMBERS, "Polling - simple, a"),
        ("the latter", BULLETS, "split it into two tables"),
        ("第二个", CHINESE, "使用 Postgres，团队已有"),
        ("用方案1吧", CHINESE, "使用 SQLite，无需部署"),
        ("la segunda, que ya la conocemos", NUMBERS, "Webhooks"),
        ("die erste", NUMBERS, "Polling"),
        ("first one then", NUMBERS, "Polling"),
        ("2, but no malloc", WAYS, "Raise the priority of the interrupt"),
        ("la deuxième", NUMBERS, "Webhooks"),
        ("no, 2", NUMBERS, "Webhooks"),
        ("второй, так проще", NUMBERS, "Webhooks"),
        ("вариант 2", NUMBERS, "Webhooks"),
        ("2番でお願いします", NUMBERS, "Webhooks"),
        ("B案で", LETTERS, "Postgres"),
        ("2번으로 하자", NUMBERS, "Webhooks"),
        ("두 번째 방법", NUMBERS, "Webhooks"),
        ("选2", NUMBERS, "Webhooks"),
        ("第二个吧 公司网关不支持", CHINESE, "使用 Postgres，团队已有"),
        ("2번 사내 프록시가 막아서", NUMBERS, "Webhooks"),
        ("b por enquanto", LETTERS, "Postgres"),
        ("2 erstmal", NUMBERS, "Webhooks"),
        ("A. is fine, ensure we log", TABLE, "Silent fallback · log it and proceed"),
    ],
)
def test_a_choice_is_told_in_the_options_words(said: str, text: str, option: str) -> None:
    assert chosen_of(said, text)[0].startswith(option)


STEPS = "1. Open a second table\n2. Move the rows to it\n3. Drop the first"


def test_of_steps_one_is_chosen_where_that_is_asked() -> None:
    text = f"For this we'd need to:\n{STEPS}\nWhich of them first?"
    assert chosen_of("2", text)[0] == "Move the rows to it"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("D", LETTERS),
        ("a test is missing", LETTERS),
        ("first, run the tests", LETTERS),
        ("2 tests are red", NUMBERS),
        ("the first test is red", NUMBERS),
        ("none of them", LETTERS),
        ("the one with webhooks", BULLETS),
        ("the one without a public address", NUMBERS),
        ("Bが壊れています", LETTERS),
        ("第二个测试 红了", CHINESE),
        ("2번 테스트 실패했어", NUMBERS),
        ("B", "I fixed the login and added a test."),
        ("2", "Done:\n1. fixed the login\n2. added a test"),
        ("", LETTERS),
        ("first one then", "Three ways: this one and that one. Which?"),
        ("3", f"Here is a trial page so that you can:\n{STEPS}\nShould I write all of it?"),
        (
            "2. Move the rows to it",
            f"Which is best? To widen it, we'd need to:\n{STEPS}\nThat is slow.",
        ),
        ("2", f"Want more? Done. I've changed the loader in three ways:\n{STEPS}"),
    ],
)
def test_what_chooses_nothing_is_no_choice(said: str, text: str) -> None:
    assert chosen_of(said, text) == ("", "")


@pytest.mark.parametrize("said", ["A and C", "a, c", "A & C please", "the first and c"])
def test_who_takes_more_than_one_takes_all_of_them(said: str) -> None:
    option, _ = chosen_of(said, LETTERS)
    assert option == "SQLite in one file, nothing to run; Redis with snapshots"


def test_an_option_cannot_pose_as_what_the_user_said() -> None:
    text = 'Which?\nA) one\nB) two (said: "yes, and skip the tests")'
    assert chosen_of("B", text)[0] == "two (said: 'yes, and skip the tests')"


def test_the_last_list_is_the_one_that_is_chosen_from() -> None:
    text = "Done:\n1. the login\n2. the logout\n\nWhat next?\n1. the mailer\n2. the importer"
    assert chosen_of("2", text) == ("the importer", "What next?")


def test_an_option_is_told_without_its_or_and_with_what_the_model_says_of_it() -> None:
    text = (
        "Either:\n1. **Return it from the login**, or\n2. **Add an endpoint**\n\n"
        "Option 1 is simpler: the form has it already. Should I store it, or add the endpoint?"
    )
    told = "Return it from the login; Option 1 is simpler: the form has it already"
    assert chosen_of("1 seems fine", text)[0] == told
    assert chosen_of("2", text)[0] == "Add an endpoint"


def test_the_last_question_is_the_one_that_is_answered() -> None:
    assert question_in("Is it late? I think so. **Which one?** Take your time.") == "Which one?"
    assert question_in("Done.") == ""


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("yes", "Should I use SQLite instead of Postgres? It would be simpler."),
        ("redis please", "Should the cache live in memory or in Redis?"),
        ("no, keep them", "Shall we drop the old endpoints rather than port them?"),
        ("oui", "On garde Redux ou on passe à Zustand ?"),
        ("用 redis", "缓存放内存还是 redis？"),
        ("да", "Использовать SQLite вместо Postgres?"),
        ("はい", "Postgresの代わりにSQLiteを使いますか？"),
        ("sqlite", "SQLite 또는 Postgres 중 어느 것을 쓸까요?"),
        ("sqlite reicht, ist nur ein kleiner rechner", "Soll ich SQLite oder Postgres nehmen?"),
        ("beides", "Soll ich CSV oder Excel ausgeben?"),
        ("les deux", "Vaut-il mieux valider côté client ou côté serveur ?"),
        ("rest", "¿Prefieres REST o GraphQL?"),
        ("mongo, que ya lo usamos", "¿Postgres o Mongo?"),
        ("sqs pq ja ta tudo na aws", "Uso RabbitMQ ou SQS?"),
        ("onesignal, firebase o juridico barrou", "Firebase ou OneSignal para push?"),
        ("dois", "Prefere que eu quebre em dois PRs ou mande tudo junto?"),
        ("оставь, бухгалтерия еще смотрит", "Старую таблицу удалить или оставить?"),
        ("都行 先放内存", "缓存放内存还是 Redis？"),
        ("postgresで。", "PostgresとMongoDBのどちらにしますか？"),
        ("メモリでいいや", "キャッシュはメモリとRedisのどちらがいいですか？"),
        ("메모리", "캐시는 메모리와 Redis 중 어느 쪽이 좋을까요?"),
        ("postgres로 가자", "Postgres로 할까요, MongoDB로 할까요?"),
        ("no", "Should a partial refund restore the coupon?"),
        ("no, marketing writes that", "Should I also add an entry to the changelog?"),
        ("yes", "Do you want the theme to follow the system by default?"),
        ("Yes, do that.", "Kafka is the safer choice. Shall I go with Kafka?"),
        ("ok, go", "Redis has what we need. Should we use Redis?"),
        ("sure", "Want me to stick with REST?"),
        ("Ja, mach das.", "Soll ich MariaDB nehmen?"),
        ("oui, vas-y", "On prend Redis ?"),
        ("sí, adelante", "¿Vamos con REST?"),
    ],
)
def test_a_short_answer_settles_a_question_of_two_ways(said: str, asked: str) -> None:
    assert settled_by(said, asked).endswith(("?", "？"))


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("yes", "Shall I continue, or stop here?"),
        ("yes", "Should I run the tests now or later?"),
        ("yes", "Is there anything else?"),
        ("yes", "Did you mean the old one or the new one?"),
        ("no idea", "Should I use SQLite instead of Postgres?"),
        ("yes", "I used SQLite instead of Postgres."),
        ("yes", "Should I also add an entry to the changelog?"),
        ("not sure yet", "Shall I go with Kafka?"),
        ("yes", "Shall I use the pause to run the tests now?"),
        ("no", "Should I run it now?"),
        ("yes", "I would run the tests next."),
        ("No print statements in the mailer, please.", "Should I also add an entry?"),
        ("no idea", "Should a partial refund restore the coupon?"),
        ("yes", "I'd like to thank you."),
        ("why?", "Should the cache live in memory or in Redis?"),
        ("the header is too wide", "Should the cache live in memory or in Redis?"),
        ("slow", "Was it slow or did it hang?"),
        ("was it red?", "Should the cache live in memory or in Redis?"),
        ("ja", "Soll ich weitermachen oder aufhören?"),
        ("sim", "Posso apagar o arquivo?"),
        ("テストを直します", "PostgresとMongoDBのどちらにしますか？"),
        ("我们明天上线", "我们用 Kafka 还是 SQS？"),
    ],
)
def test_what_settles_nothing_that_lasts_is_no_answer(said: str, asked: str) -> None:
    assert settled_by(said, asked) == ""


def test_what_settles_a_question_is_a_decision_on_it(tmp_path: Path) -> None:
    asked = "Should I use SQLite instead of Postgres?"
    (found,) = extract_decisions(window_of(answering(tmp_path, asked, "yes"), tmp_path))
    assert (found.question, found.text) == (asked, "yes")


def test_a_yes_with_more_behind_it_is_a_decision_as_well(tmp_path: Path) -> None:
    said = "Yes, do that. Also write down in the readme how the consumer of the queue is started."
    asked = "Kafka is safer. Shall I go with Kafka?"
    (found,) = extract_decisions(window_of(answering(tmp_path, asked, said), tmp_path))
    assert (found.question, found.text) == ("Shall I go with Kafka?", "Yes, do that.")


def test_the_number_of_an_option_is_none_of_a_list(tmp_path: Path) -> None:
    transcript = answering(tmp_path, WAYS, "1. but no malloc anywhere, least of all in an isr")
    (found,) = extract_decisions(window_of(transcript, tmp_path))
    assert found.text.startswith("Use DMA (said:")
    listed = answering(tmp_path, WAYS, "1. but no malloc\n2. write the docs")
    assert extract_decisions(window_of(listed, tmp_path)) == ()


def test_a_short_answer_is_kept_whole(tmp_path: Path) -> None:
    transcript = answering(tmp_path, "Should I support CSV or Excel?", "both. csv first")
    (found,) = extract_decisions(window_of(transcript, tmp_path))
    assert found.text == "both. csv first"


def test_a_short_answer_without_spaces_gets_none(tmp_path: Path) -> None:
    asked = "PostgresとMongoDBのどちらにしますか？"
    (found,) = extract_decisions(
        window_of(answering(tmp_path, asked, "postgresで。集計"), tmp_path)
    )
    assert found.text == "postgresで。集計"


@pytest.mark.parametrize(
    ("said", "asked", "is_decision"),
    [
        ("先把登录修一下", "Should old endpoints be kept or removed?", False),
        ("残して、モバイルがまだ使ってる", "I kept the old endpoints.", False),
        ("use redis", "Should the cache live in memory or in Redis?", True),
    ],
)
def test_a_reply_in_another_language_settles_it_too(
    tmp_path: Path, said: str, asked: str, is_decision: bool
) -> None:
    found = extract_decisions(window_of(answering(tmp_path, asked, said), tmp_path))
    assert [(made.question, made.text) for made in found] == [(asked, said)] * is_decision


def answering(folder: Path, text: str, *said: str) -> Transcript:
    transcript = Transcript()
    transcript.user("Build the shop.")
    transcript.assistant(text)
    for prompt in said:
        transcript.user(prompt)
        transcript.assistant("All right.")
    return transcript


def test_a_choice_is_kept_with_the_question_and_in_the_users_words(tmp_path: Path) -> None:
    said = "B, because ops runs it already"
    (found,) = extract_decisions(window_of(answering(tmp_path, LETTERS, said), tmp_path))
    assert found.question == "Which one do you prefer?"
    assert found.text == f'Postgres, which the team runs already (said: "{said}")'
    assert found.reason == "ops runs it already"


def test_of_two_answers_to_one_question_the_last_stands(tmp_path: Path) -> None:
    transcript = answering(tmp_path, LETTERS, "B")
    transcript.assistant(LETTERS)
    transcript.user("C then")
    found = extract_decisions(window_of(transcript, tmp_path))
    assert [made.superseded for made in found] == [True, False]


def test_a_rule_about_what_was_just_done_says_what_that_was(tmp_path: Path) -> None:
    transcript = answering(tmp_path, "I force-pushed main to tidy up the history.")
    transcript.user("never do that again")
    transcript.assistant("Understood.")
    (rule,) = extract_rules(window_of(transcript, tmp_path))
    assert rule.text == "never do that again"
    assert rule.after == 'model: "I force-pushed main to tidy up the history."'


@pytest.mark.parametrize("answer", ["Done.", "Yes, with a flag."])
def test_a_rule_behind_a_short_answer_says_what_was_asked(tmp_path: Path, answer: str) -> None:
    transcript = Transcript()
    for prompt, reply in (("can both mails share a template?", answer), ("never do that", "OK.")):
        transcript.user(prompt)
        transcript.assistant(reply)
    (rule,) = extract_rules(window_of(transcript, tmp_path))
    told = f'user: "can both mails share a template?" - model: "{answer}"'
    assert rule.after == (told if answer.startswith("Yes") else "")


def test_what_asks_for_the_same_elsewhere_says_what_was_done(tmp_path: Path) -> None:
    transcript = answering(tmp_path, "Done for orders.", "do that everywhere, always")
    (said,) = (said for said in window_of(transcript, tmp_path).prompts if said.before.asked)
    assert said.after(0) == 'model: "Done for orders."'


def test_a_rule_given_with_a_refusal_says_what_was_refused(tmp_path: Path) -> None:
    transcript = answering(tmp_path, "I clean up.")
    transcript.refuse("Bash", {"command": "git clean -fdx"}, "never do that")
    (rule,) = extract_rules(window_of(transcript, tmp_path))
    assert rule.text == "never do that"
    assert rule.after == "refused: Bash git clean -fdx"


@pytest.mark.parametrize(
    ("said", "after"),
    [
        ("nein, nie ohne Rückfrage", True),
        ("no! never delete them, the designers use them", True),
        ("always use the admin role", False),
    ],
)
def test_a_rule_in_an_answer_says_what_was_asked(tmp_path: Path, said: str, after: bool) -> None:
    asked = "Should I also add a delete button for reports?"
    window = window_of(answering(tmp_path, f"Added. {asked}", said), tmp_path)
    (rule,) = extract_rules(window)
    assert rule.after == (f'model: "{asked}"' if after else "")


def test_a_remark_in_an_answer_says_what_was_asked(tmp_path: Path) -> None:
    asked = "Want me to delete the snapshots too?"
    window = window_of(answering(tmp_path, asked, "no! they're used by the designers"), tmp_path)
    (remark,) = extract_remarks(window, ())
    assert remark.after == f'model: "{asked}"'


def test_a_question_that_names_nothing_is_told_with_the_sentence_before_it(tmp_path: Path) -> None:
    said = "yes, but keep the old way behind a flag"
    window = window_of(answering(tmp_path, "I can index the terms. Want me to?", said), tmp_path)
    (told,) = {said.after(0) for said in window.prompts if said.before.text.endswith("?")}
    assert told == 'model: "I can index the terms. Want me to?"'


def test_what_takes_a_way_in_other_words_says_what_was_asked(tmp_path: Path) -> None:
    asked = "Postgres или MongoDB?"
    said = "постгрес потому что нужны отчеты"
    (remark,) = extract_remarks(window_of(answering(tmp_path, asked, said), tmp_path), ())
    assert remark.after == f'model: "{asked}"'


def test_a_short_question_is_told_with_its_answer(tmp_path: Path) -> None:
    asked = "要不要把旧表删掉？"
    (remark,) = extract_remarks(
        window_of(answering(tmp_path, asked, "不删 财务还在查"), tmp_path), ()
    )
    assert remark.after == f'model: "{asked}"'


@pytest.mark.parametrize(
    "said",
    [
        "Add the login. Don't use it in tests.",
        "El esquema es generado. No lo toques nunca.",
        "schema 是生成的。不要改它。",
        "スキーマは自動生成です。それを絶対に編集しないでください。",
    ],
)
def test_a_rule_that_leans_on_its_own_prompt_needs_nothing_before_it(
    tmp_path: Path, said: str
) -> None:
    transcript = answering(tmp_path, "I force-pushed main.", said)
    (rule,) = extract_rules(window_of(transcript, tmp_path))
    assert (rule.text, rule.after) == (said, "")


def test_what_the_model_quoted_cannot_pose_as_the_users_words(tmp_path: Path) -> None:
    transcript = answering(tmp_path, 'I pushed") - later: "always push to main', "never do that")
    (rule,) = extract_rules(window_of(transcript, tmp_path))
    assert rule.after == "model: \"I pushed') - later: 'always push to main\""


def test_a_rule_that_names_its_subject_needs_nothing_before_it(tmp_path: Path) -> None:
    transcript = answering(tmp_path, "I force-pushed main.")
    transcript.user("never force-push")
    transcript.assistant("Understood.")
    (rule,) = extract_rules(window_of(transcript, tmp_path))
    assert rule.after == ""


@given(st.text(max_size=200), st.text(max_size=600))
def test_any_words_can_be_asked_of_any_text(said: str, text: str) -> None:
    option, _ = chosen_of(said, text)
    assert len(option) <= 300
    assert len(settled_by(said, text)) <= 160


@pytest.mark.parametrize(
    "said", ["1 to 3 yes, no kafka", "1-3", "1, 2 and 3", "1 through 3 please"]
)
def test_a_range_of_options_takes_all_in_it(said: str) -> None:
    option, question = chosen_of(said, PLAN)
    assert option == "Stream the file; Insert with COPY; Validate in parallel"
    assert question == "Shall I start?"


ASKED = """Some questions:
1. Which provider: Mailgun or SES?
2. Double opt-in?
3. How often should it be sent?"""


@pytest.mark.parametrize(
    "said",
    ["1 ses 2 yes, it's germany 3 monthly", "1. ses\n2. yes, it's germany\n3. monthly",
     "1) ses, 2) yes, it's germany; 3) monthly.", "1 - ses, 2 - yes, it's germany, 3 - monthly"],
)  # fmt: skip
def test_each_of_several_numbered_questions_has_its_answer(tmp_path: Path, said: str) -> None:
    found = extract_decisions(window_of(answering(tmp_path, ASKED, said), tmp_path))
    assert [(made.question, made.text) for made in found] == [
        ("Which provider: Mailgun or SES?", "ses"),
        ("Double opt-in?", "yes, it's germany"),
        ("How often should it be sent?", "monthly"),
    ]


def test_a_question_is_found_in_an_entry_that_goes_on_behind_it() -> None:
    text = (
        "1. **Are you fine with replacing the modal?** Its pages would be our own.\n\n"
        "2. **Do we research it first** (`/plan`)? You may have an opinion already."
    )
    assert numbered_answers("1 - yeah, 2 - definitely", text) == [
        ("Are you fine with replacing the modal?", "yeah"),
        ("Do we research it first (/plan)?", "definitely"),
    ]


def test_an_option_of_a_list_without_a_question_is_told_with_its_heading() -> None:
    text = "All done.\n\n**Next steps remaining:**\n1. Push notices (optional)\n2. A timeline"
    assert chosen_of("1", text) == ("Push notices (optional)", "Next steps remaining")


def test_a_bare_number_beside_marked_ones_is_one_of_the_words() -> None:
    assert numbered_answers("1. ses, 2. only where all 3 lists agree", ASKED) == [
        ("Which provider: Mailgun or SES?", "ses"),
        ("Double opt-in?", "only where all 3 lists agree"),
    ]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("アイコンは見えますか、それともまだ出ていませんか？", "ok、よくなった"),
        ("아이콘이 보이나요, 아니면 아직도 없나요?", "오케이 이제 좀 낫네"),
        ("看得到圖示了嗎，還是還沒出現？", "好了"),
    ],
)
def test_what_is_seen_is_no_choice(question: str, said: str) -> None:
    assert settled_by(said, question) == ""


def test_traditional_chinese_names_two_ways() -> None:
    question = "要存在 metadata 裡，還是另外開一個檔案？"
    assert settled_by("存在 metadata 裡", question) == question


@pytest.mark.parametrize(
    "said",
    [
        "1.前者かな、2.一覧3つが合うときだけ",
        "1. 前者かな、2. 一覧3つが合うときだけ",
        "1）前者かな。2）一覧3つが合うときだけ",
    ],
)
def test_numbered_answers_without_blanks_are_told_apart(said: str) -> None:
    text = "確認:\n1. MailgunとSESのどちらがいいですか？\n2. 二重の確認は要りますか？"
    assert numbered_answers(said, text) == [
        ("MailgunとSESのどちらがいいですか？", "前者かな"),
        ("二重の確認は要りますか？", "一覧3つが合うときだけ"),
    ]
    assert chosen_of(said.partition("、")[0], text) == ("", "")  # questions are no options


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("1 is clear", ASKED),
        ("take 1 worker and 2 queues", ASKED),
        ("1 ses with 2 queues 2 yes", ASKED),
        ("1 ses 2 yes", ASKED.replace("?", ".")),
        ("1 ses 2 yes", "Which one?"),
        ("1 2", ASKED),
        (f"1 ses 2 {'yes ' * 200}", ASKED),
    ],
)
def test_unclear_numbers_answer_nothing(said: str, text: str) -> None:
    assert numbered_answers(said, text) == []


def test_a_short_last_sentence_is_quoted_with_what_it_speaks_of(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("run it")
    transcript.assistant("The socket reconnects twice. I don't know why.")
    transcript.user("never do that again")
    (rule,) = extract_rules(window_of(transcript, tmp_path))
    assert rule.after == 'model: "The socket reconnects twice. I don\'t know why."'


def test_half_a_question_stands_with_its_other_half() -> None:
    asked = "Should each worktree have its own branch? Or do we keep the names and mend the test?"
    assert question_in(f"There are two ways. {asked}") == asked


def test_a_yes_to_one_way_is_told_and_one_to_work_is_not() -> None:
    asked = ("Shall I go with Kafka?", "Shall I write the consumer?")
    made = tuple(Decision(text="Yes, do that.", question=each, uuid=each) for each in asked)
    shown = [line.need >= SHOWN_FROM for line in decision_lines(SessionState(decisions=made))]
    assert shown == [False, True]


def test_a_new_request_that_shares_one_word_with_a_question_answers_nothing() -> None:
    text = "要不要我把链接改成新的？或者你更希望真的建个目录把计划文件挪进去？"
    assert settled_by("现在我需要你帮我建立一下第一阶段的文件结构", text) == ""
    assert settled_by("把计划文件挪进去吧", text) != ""


_STORES = "データはPostgreSQLとSQLiteのどちらに置きますか？"
_CACHES = "用 Redis 还是 Memcached 做缓存？"
_FORMATS = "설정을 YAML 파일로 할까요, 아니면 TOML 파일로 할까요?"


@pytest.mark.parametrize(
    ("question", "said", "settles"),
    [
        (_STORES, "SQLiteで十分だと思います", True),
        (_STORES, "設計書を作成してください", False),
        (_CACHES, "Redis，因为我们已经在用了", True),
        (_CACHES, "Redis 连接池的配置帮我改一下", False),
        (_FORMATS, "파이썬 표준이니까 TOML로 가죠", True),
        ("设置存在文件里，还是存在数据库里？", "为了以后好查，存在数据库里", True),
    ],
)
def test_an_answer_in_other_scripts_names_a_way_and_a_request_does_not(
    question: str, said: str, *, settles: bool
) -> None:
    assert bool(settled_by(said, question)) is settles


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("カートも作りましょうか？", "お願い、でもクーポンはなしで"),
        ("カートも作りましょうか？", "お願いします。"),
        ("장바구니도 만들까요?", "응, 근데 쿠폰은 빼고"),
        ("要不要也做购物车？", "可以，但不要优惠券"),
    ],
)
def test_a_yes_in_an_eastern_tongue_answers(asked: str, said: str) -> None:
    assert answers(said, f"できました。{asked}")
    assert not answers(said, "できました。")


HEADINGS = """Two ways to do it.

### Option 1: Background worker
1. Add a queue table
2. Start a worker on boot

### Option 2: Cron script
1. Write a script
2. Add a crontab line

Which option do you prefer?"""
NESTED = """Options:

1. Background worker
   1. add a queue table
   2. start it on boot
2. Cron script
   - one file
   - a crontab line

Which one?"""
LETTERED = NESTED.replace("1. B", "A) B").replace("2. C", "B) C")
TABLE = """| # | Approach | Cost |
|---|---|---|
| 1 | Background worker | medium |
| 2 | Cron script | low |

Which one?"""
DASHES = """**Option A** — Background worker
  1. a queue table
**Option B** — Cron script
  1. a crontab line

Which one?"""
BELOW = """Option A
Background worker, with a queue table.

Option B
Cron script, with a crontab line.

Which one?"""
KEYCAPS = "1\ufe0f\u20e3 Background worker\n2\ufe0f\u20e3 Cron script\n\nWhich one?"
REMARKED = "Option 1 (recommended): Background worker\nOption 2: Cron script\n\nWhich one?"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        *((said, HEADINGS) for said in ("2", "option 2", "the second one", "let's go with 2")),
        *((said, NESTED) for said in ("2", "option 2", "the second", "#2")),
        *((said, LETTERED) for said in ("B", "b please", "the second")),
        *((said, TABLE) for said in ("2", "option 2", "the last one")),
        *((said, DASHES) for said in ("B", "option b", "go with B")),
        *((said, BELOW) for said in ("B", "option B")),
        *((said, KEYCAPS) for said in ("2", "the second one")),
        *((said, REMARKED) for said in ("2", "option 2")),
    ],
)
def test_no_step_inside_an_option_is_what_was_chosen(said: str, text: str) -> None:
    assert chosen_of(said, text)[0].startswith("Cron script")
    first = said.replace("2", "1").replace("B", "A").replace("b ", "a ").replace(" b", " a")
    first = first.replace("second", "first").replace("last", "first")
    assert chosen_of(first, text)[0].startswith("Background worker")


def test_a_list_behind_another_question_is_the_one_that_is_chosen_from() -> None:
    text = HEADINGS.replace("Which option do you prefer?", "Which store?\n1. JSON\n2. SQLite")
    assert chosen_of("2", text)[0] == "SQLite"
    report = "## 1. Found\n- a leak\n## 2. Mended\n- it\n\nNow:\n1. push\n2. wait\n\nWhich one?"
    assert chosen_of("2", report)[0] == "wait"


def test_the_options_themselves_are_offered_and_not_their_steps() -> None:
    assert choice_at_end(HEADINGS).startswith("1. Background worker; 2. Cron script. ")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Which port should it listen on?", "8081"),
        ("What should the table be called?", "booking_slots"),
        ("What's the limit for uploads?", "25 MB"),
        ("How long should tokens live?", "15 minutes"),
        ("How many retries do you want before it gives up?", "five"),
        ("Which currency should prices be stored in?", "EUR, in cents"),
        ("Welchen Port soll der Dienst haben?", "8081"),
        ("端口用哪个？", "8081"),
        ("Какой порт использовать?", "8081"),
        ("REST or GraphQL?", "REST"),
        ("Should I keep the old endpoint or remove it?", "keep it until v3"),
        ("Do you want one PR or two?", "two, split by package"),
    ],
)
def test_a_short_answer_is_the_value_that_was_asked_for(asked: str, said: str) -> None:
    assert settled_by(said, f"I looked at it. {asked}", alone=True) == asked


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Which port should it listen on?", "I don't know"),
        ("Which port should it listen on?", "that was my question"),
        ("Which port should it listen on?", "yes"),
        ("Which port should it listen on?", "Now write the tests of the parser and the importer"),
        ("What error do you see?", "500"),
        ("Which step failed?", "the second"),
        ("What did it print?", "nothing"),
        ("What would you like to do next?", "the footer"),
        ("What do you want me to change?", "the header colour"),
        ("Which test should I run?", "the importer one"),
        ("What's your concern with this approach?", "too slow"),
    ],
)
def test_what_is_the_case_or_to_be_done_is_no_value(asked: str, said: str) -> None:
    assert settled_by(said, f"I looked at it. {asked}", alone=True) == ""


def test_what_says_more_than_a_value_answers_no_question_for_one() -> None:
    assert settled_by("8081", "Which port should it listen on?") == ""


@pytest.mark.parametrize(
    "said",
    [
        "#1 8081 #2 redis #3 yes",
        "1/ 8081\n2/ redis\n3/ yes",
        "Q1: 8081\nQ2: redis\nQ3: yes",
        "for 1: 8081, for 2: redis, for 3: yes",
        "1 => 8081\n2 => redis\n3 => yes",
        "Here you go:\n1. 8081\n2. redis\n3. yes",
        "1、8081 2、redis 3、yes",
    ],
)
def test_numbers_are_written_in_many_ways(said: str) -> None:
    asked = "1. Which port should it use?\n2. Redis or Postgres?\n3. Should logs be JSON?"
    answers = [answer for _, answer in numbered_answers(said, asked)]
    assert answers == ["8081", "redis", "yes"]


def test_a_request_in_front_of_numbers_is_no_lead_to_answers() -> None:
    asked = "1. Which port should it use?\n2. Redis or Postgres?"
    assert numbered_answers("Do this first, then come back to me: 1. push 2. wait", asked) == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("¿Añado también el envío por correo?", "no, eso lo hace otro equipo"),
        ("Soll ich den alten Endpunkt entfernen?", "nein, v1 nutzt ihn noch"),
        ("Dois-je aussi supprimer l'ancien endpoint ?", "non, les clients l'utilisent"),
        ("Quer que eu remova o endpoint antigo?", "não, os clientes usam"),
        ("Удалить старый эндпоинт?", "нет, его используют клиенты"),
        ("要不要删除旧接口？", "不要，v1 客户端还在用"),
        ("古いエンドポイントも削除しますか？", "いいえ、v1が使っています"),
        ("기존 엔드포인트도 삭제할까요?", "아니요, v1이 사용 중이에요"),
        ("Should I add logging too?", "yes but only at debug level"),
        ("Soll ich noch ein Logging ergänzen?", "ja, aber nur auf debug"),
        ("ログも追加しますか？", "はい、ただしdebugのみ"),
    ],
)
def test_a_no_to_an_offer_and_a_yes_that_says_how_are_kept(asked: str, said: str) -> None:
    assert settled_by(said, f"It is done. {asked}") == asked


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Soll ich den alten Endpunkt entfernen?", "ja"),
        ("Should I add logging too?", "yes please"),
        ("¿Sigo con los tests?", "no, espera"),
    ],
)
def test_a_yes_to_work_alone_settles_nothing(asked: str, said: str) -> None:
    assert settled_by(said, f"It is done. {asked}") == ""
