"""What the session is after."""

from pathlib import Path

import pytest

from amplihack_compaction.extract.objective import OBJECTIVE_CHARS, extract_objectives
from amplihack_compaction.extract.statements import SessionState, WindowState
from amplihack_compaction.ledger.merge import merge_window
from tests.support.transcripts import Transcript
from tests.unit.extract.windows import window_of, window_saying

SECRET = "My key is sk-ant-api03-abcdefghijklmnopqrstuvwx0123456789."


def texts(folder: Path, *prompts: str) -> list[str]:
    return [found.text for found in extract_objectives(window_saying(folder, *prompts))]


@pytest.mark.parametrize(
    "aside",
    [
        "yes",
        "ok continue",
        "go on",
        "commit this",
        "thanks!",
        "push it please",
        "2",
        "option B",
        "what does this function do?",
        "Never push to main.",
        "好的，继续",
        "ja, mach weiter",
        "you can use lodash again",
        "Where is the config file stored?",
        "这个函数干嘛的",
        "ci node 버전 뭐야",
        "какая нода в ci",
        "а это зачем тут",
        "c'est quoi cette fonction de tri",
        "cade o arquivo de config",
        "testのポートどれだっけ",
        "o banco de homolog ta na 5436",
        "that's it for today, we'll pick this up on monday. bye!",
        "Good morning! Where did we stop?",
        "no, that is not right",
        "Forget the rule about lodash.",
        "The staging server is https://staging.example.com:8443/x.",
        "The ticket is SHOP-4711, by the way.",
        "O servidor fica em https://staging.example.com.",
        "端口是 8443。",
        f"No, the refund window is 30 days. {SECRET} And always keep amounts in cents.",
        "No, the refund window is 30 days. My pin is huhu. And always keep amounts in cents.",
        "No, it is 30 days. <private>My pin</private> And keep amounts in cents always.",
        "Nein, es sind 30 Tage. Mein Schlüssel liegt im Tresor. Beträge müssen immer in Cent sein.",
        SECRET,
    ],
)
def test_asides_set_no_objective(tmp_path: Path, aside: str) -> None:
    task = "Add a CSV export to the report page."
    assert texts(tmp_path, task, aside) == [task]


@pytest.mark.parametrize(
    "task",
    [
        "can you implement the password reset?",
        "Good morning! Today the login page needs a captcha.",
        "gotta run, but please finish the importer while I'm away",
        "I'm back. now write the docs for the exporter",
        "No, the window is 30 days. Add a test for the last day of it.",
        "No, the window is 30 days. The export is still broken on Safari.",
        "fix the login bug, but don't touch the schema",
        "Bitte baue die Suche in die Liste ein.",
        "实现用户登录页面的密码重置功能",
        "ログインページにパスワード再設定を実装してください",
        "Исправь ошибку в парсере дат.",
    ],
)
def test_requests_set_an_objective(tmp_path: Path, task: str) -> None:
    assert texts(tmp_path, "Build the report page first.", task)[-1] == task


def test_an_answer_to_the_models_question_sets_nothing(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Build the login page with sessions.")
    transcript.assistant("Which storage should hold the sessions?")
    transcript.user("redis cluster please")
    (found,) = extract_objectives(window_of(transcript, tmp_path))
    assert found.text == "Build the login page with sessions."


def test_the_first_prompt_is_better_than_none(tmp_path: Path) -> None:
    assert texts(tmp_path, "hello") == ["hello"]
    assert texts(tmp_path) == []


def test_a_later_window_of_nods_sets_nothing(tmp_path: Path) -> None:
    transcript = Transcript()
    transcript.user("Build the login page.")
    transcript.assistant("Done.")
    transcript.compact("summary")
    transcript.user("ok continue")
    assert extract_objectives(window_of(transcript, tmp_path)) == ()


def test_pasted_text_is_left_out_and_a_plan_is_named(tmp_path: Path) -> None:
    prompt = "Implement the following plan:\n\n# Export as CSV\n\n1. never mind this"
    assert texts(tmp_path, prompt) == ["Implement the following plan: Export as CSV"]


def test_a_document_alone_is_named_by_its_heading(tmp_path: Path) -> None:
    assert texts(tmp_path, "```\n# Spec of the parser\nalways\n```") == ["Spec of the parser"]


def test_a_long_prompt_is_cut_at_a_sentence(tmp_path: Path) -> None:
    (found,) = texts(tmp_path, "Rework the importer of bank statements. " * 40)
    assert len(found) <= OBJECTIVE_CHARS
    assert found.endswith("statements.")
    (found,) = texts(tmp_path, "rework the importer " * 100)
    assert len(found) <= OBJECTIVE_CHARS


def test_what_only_tells_does_not_take_the_objectives_place(tmp_path: Path) -> None:
    said = (
        "Start the api on port 8080.",
        "the port is 8081, not 8080",
        "my name is Ada, I use fish",
    )
    assert texts(tmp_path, *said) == [said[0]]


def test_what_was_handed_over_with_the_work_is_kept_beside_it(tmp_path: Path) -> None:
    prompt = (
        "please work through this review:\n\n> 1. `parse` unwraps\n> 2. no docs\n\nstart with 1"
    )
    (found,) = extract_objectives(window_saying(tmp_path, prompt))
    assert found.text == "please work through this review: start with 1"
    assert found.handed == "1. `parse` unwraps · 2. no docs"


def test_how_to_talk_and_what_to_do_is_an_objective(tmp_path: Path) -> None:
    said = "answer in german. Build the importer of the bank."
    found = extract_objectives(window_saying(tmp_path, "Build the shop with a cart.", said))
    assert found[-1].text == said


@pytest.mark.parametrize(
    ("said", "is_other"),
    [
        ("Next, let's build the settings page", True),
        ("换一个任务:做导出功能和报表", True),
        ("forget the login page, now build the export", True),
        ("Stop working on the parser and repair the CI pipeline", True),
        ("let's switch gears and look at the export", True),
        ("enough refactoring, ship the export please", True),
        ("on change d'objectif : il faut un export", True),
        ("이제 가져오기 작업으로 전환하자", True),
        ("put the dark mode on hold. Build the importer of the bank.", True),
        ("don't forget the logout link there", False),
        ("could we shorten the commit message instead?", False),
        ("olvida lo de eslint, ya no hace falta", False),
        ("drop the batch endpoint, the client uses a loop now", False),
        ("主题色换成 #ff6a00，品牌升级", False),
        ("메시지 브로커를 SQS로 전환하자", False),
        ("цвет брось, пусть будет серый", False),
    ],
)
def test_who_turns_to_other_work_leaves_what_was_asked(
    tmp_path: Path, said: str, is_other: bool
) -> None:
    work = "Build the shop with a cart, a checkout and accounts."
    window = window_saying(tmp_path, work, said)
    state = merge_window(SessionState(), WindowState(objectives=extract_objectives(window)))
    assert [past.text for past in state.past_objectives] == ([work] if is_other else [])
