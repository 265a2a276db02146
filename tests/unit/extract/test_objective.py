"""What the session is after."""

from pathlib import Path

import pytest

from amplihack_compaction.extract.objective import OBJECTIVE_CHARS, extract_objectives
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


@pytest.mark.parametrize(
    "turn",
    [
        "Stop that, I'd rather have you write the importer",
        "What we need first is a cache for the feeds",
        "Next, let's build the settings page",
        "Changement de plan : on fait l'export",
        "计划有变,先做导出功能",
        "别管登录了,先做导出功能",
        "换一个任务:做导出功能和报表",
        "Something else: the export must work without a network",
        "Siguiente tarea: exportar los pedidos",
        "forget the login page, now build the export",
        "New task: write the migration script",
        "let's switch to the payment module",
        "Stop working on the parser and repair the CI pipeline",
        "drop that and look into the memory leak",
        "vergiss die Suche, baue den Export",
        "parking this. next up: the export to csv",
        "moving on to the export, it has to resume",
        "let's switch gears and look at the export",
        "the goal for today has changed: export all orders",
        "actually, priority is the export now",
        "can you leave that and build the export?",
        "scratch that, build the export",
        "ok different thing. the export should get an undo button",
        "that was the easy part. let's tackle the export now",
        "enough refactoring, ship the export please",
        "could you start on the export instead? we need invoices in it",
        "boss wants the export by tomorrow, so that comes first",
        "这个做完了,下面把导出功能迁移到新服务器",
        "leave it there. I need the export to send reminders",
        "we're done here. start with the export, it should read yaml",
        "the task has changed: the export has to work without a network",
        "I changed my mind, build the export first",
        "on to the export, which should get a command line",
        "rather than this, make the export faster",
        "on change d'objectif : il faut un export",
        "接下来做别的:做导出功能",
        "olvida el login, ahora haz la exportación",
        "oublie la page de login, fais l'export CSV",
        "esqueça o login, agora faça a exportação",
        "забудь про логин, сделай экспорт отчёта",
        "先不管登录页面，改为实现导出功能",
        "ログインは置いておいて、エクスポート機能を作って",
        "로그인은 그만하고 내보내기 기능을 만들어줘",
    ],
)
def test_turning_away_is_told(tmp_path: Path, turn: str) -> None:
    found = extract_objectives(window_saying(tmp_path, "Build the login page.", turn))
    assert [objective.switches for objective in found] == [False, True]


def test_going_on_is_no_switch(tmp_path: Path) -> None:
    found = extract_objectives(
        window_saying(tmp_path, "Build the login page.", "don't forget the logout link there")
    )
    assert not any(objective.switches for objective in found)


def test_another_way_to_do_it_is_no_switch(tmp_path: Path) -> None:
    found = extract_objectives(
        window_saying(
            tmp_path, "Write the message.", "could we shorten the commit message instead?"
        )
    )
    assert not any(objective.switches for objective in found)


def test_what_is_no_longer_needed_is_no_switch(tmp_path: Path) -> None:
    found = extract_objectives(
        window_saying(tmp_path, "Build the login page.", "olvida lo de eslint, ya no hace falta")
    )
    assert not any(objective.switches for objective in found)


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


@pytest.mark.parametrize(
    "said",
    [
        "主题色换成 #ff6a00，品牌升级",
        "图标换一个，这个太丑",
        "메시지 브로커를 SQS로 전환하자",
        "очередь переключи на sqs",
        "цвет брось, пусть будет серый",
        "cambiamos de color: azul",
    ],
)
def test_who_puts_one_thing_aside_or_changes_it_goes_on_with_the_work(
    tmp_path: Path, said: str
) -> None:
    work = "Build the shop with a cart, a checkout and accounts."
    found = extract_objectives(window_saying(tmp_path, work, said))
    assert found[0].text == work
    assert not any(objective.switches for objective in found)


@pytest.mark.parametrize(
    "said",
    [
        "leave the coupon field for now and build the importer of the bank",
        "put the dark mode on hold. Build the importer of the bank.",
        "переключись на импорт из банка",
        "이제 가져오기 작업으로 전환하자",
    ],
)
def test_who_turns_to_other_work_leaves_what_was_asked(tmp_path: Path, said: str) -> None:
    found = extract_objectives(window_saying(tmp_path, "Build the shop with a cart.", said))
    assert [objective.switches for objective in found] == [False, True]


def test_how_to_talk_and_what_to_do_is_an_objective(tmp_path: Path) -> None:
    said = "answer in german. Build the importer of the bank."
    found = extract_objectives(window_saying(tmp_path, "Build the shop with a cart.", said))
    assert found[-1].text == said


def test_dropping_a_part_of_the_work_turns_not_away_from_it(tmp_path: Path) -> None:
    window = window_saying(
        tmp_path, "Build a small service.", "drop the batch endpoint, the client uses a loop now"
    )
    assert not any(objective.switches for objective in extract_objectives(window))
