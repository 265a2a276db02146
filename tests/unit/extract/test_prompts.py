"""What was typed and what was pasted."""

import pytest

from amplihack_compaction.extract.window_content import split_typed
from amplihack_compaction.text.pasted import cut_pastes
from tests.support.effort import counted

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


LINT = """  Error: pkg/store/post_test.go:1259:16: string `{"type":"a"}
  {"type":"assistant","content":"what was said"}
  ` has 3 occurrences, make it a constant (goconst)
      body := `{"type":"a"}
              ^
  1 issues:
  * goconst: 1

  Error: issues found"""


def test_what_stands_indented_among_errors_is_pasted_with_them() -> None:
    found = split_typed(f"This fails on the remote alone:\n\n{LINT}")
    assert found.typed == "This fails on the remote alone:"
    assert found.handed == (
        'Error: pkg/store/post_test.go:1259:16: string `{"type":"a"} {"type":"assistant","conten…`'
        " has 3 occurrences, make it a constant (goconst)"
    )


def test_an_announced_indented_text_is_pasted_to_its_end() -> None:
    text = "  From: Ana\n  The token is shown, so\n  created by the second one alone.\n"
    assert (
        split_typed(f"Can you explain this mail:\n\n{text}").typed == "Can you explain this mail:"
    )


def test_an_indented_list_of_the_users_own_stays_his() -> None:
    own = "Please do:\n  - add a flag\n  - never push to main\n\n> an old quotation"
    assert split_typed(own).typed == "Please do:\n  - add a flag\n  - never push to main"


@pytest.mark.parametrize(
    ("lead", "pasted", "asked"),
    [
        ("olha a msg do gerente:", "Nunca subam na sexta.", "monta um resumo disso"),
        ("产品发的消息：", "所有页面必须加埋点，不允许漏。", "帮我回复一下他说下周做"),
        ("上司からのメール:", "必ず事前に連絡すること。", "返信の下書き作って"),
        ("팀장님 메일:", "반드시 사전에 공유하세요.", "답장 초안 써줘"),
        ("письмо от шефа:", "Ничего не удалять.", "Напиши ответ что сделаем"),
        ("Nachricht vom Chef:", "Nie am Freitag deployen.", "Schreib ihm eine Antwort"),
        ("aus dem ticket:", "> Die API muss immer JSON liefern", "kannst du das pruefen"),
    ],
)
def test_a_message_in_any_language_is_pasted_and_what_is_asked_of_it_typed(
    lead: str, pasted: str, asked: str
) -> None:
    assert split_typed(f"{lead}\n{pasted}\n\n{asked}").typed == f"{lead}\n\n{asked}"


def test_a_quotation_ends_where_its_marks_do() -> None:
    text = "aus dem ticket:\n> Die API muss immer JSON liefern\n> Nie HTML\nkannst du das pruefen"
    assert split_typed(text).typed == "aus dem ticket:\n\nkannst du das pruefen"


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
        "task: split the report\nrules:\n  - never touch the schema\n  - no new packages",
        "goal: a faster start\nkeep: node 18\nnever: change the public api",
        "| what it does | how |\n| import | never twice a day |\n| report | not when empty |",
    ],
)
def test_what_the_user_typed_stays_whole(text: str) -> None:
    assert split_typed(text).pasted_chars == 0
    assert split_typed(text).typed == text


def test_text_below_a_lead_in_is_pasted_up_to_where_he_speaks_again() -> None:
    text = "here is the output:\nnever gonna work\nalways the same\n\nNever retry more than once."
    assert split_typed(text).typed.split("\n\n")[-1] == "Never retry more than once."
    assert "gonna" not in split_typed(text).typed


@pytest.mark.parametrize(
    ("pasted", "typed"),
    [
        ("12:00:01 ERROR db: connection refused\n12:00:02 ERROR db: retry 1", "why is that?"),
        ("[10:02 AM] raj: never remove it before v3\n[10:03 AM] kim: ok", "so keep it"),
        ("[09:12] ann: is the old form (with names) gone (it was)", "no, bring it back"),
    ],
)
def test_what_stands_below_a_log_or_a_chat_is_typed(pasted: str, typed: str) -> None:
    parts = split_typed(f"{pasted}\n{typed}")
    assert (parts.typed, parts.pasted_chars > 0) == (typed, True)


def test_a_browsers_stack_is_pasted() -> None:
    stack = (
        "Call Stack\nabort\nhttps://cdn.test/face.js (9:69527)\nObject.get\n"
        "node_modules/face/face.js (42:1353)\nnew Promise\nnode_modules/face/face.js (42:1140)"
    )
    parts = split_typed(f"it crashes on start:\n\n{stack}\n\nfind out why")
    assert ".js" not in parts.typed
    assert "new Promise" not in parts.typed
    assert parts.typed.endswith("find out why")


def test_what_was_said_below_its_senders_name_and_time_is_pasted() -> None:
    parts = split_typed("from the chat:\nKim  10:03 AM\nnever remove it\nit is used\n\nis it?")
    assert parts.typed == "from the chat:\n\nis it?"


@pytest.mark.parametrize(
    ("lead", "quoted", "typed"),
    [
        (
            "Das hier kommt vom Kunden:",
            '"Die Rechnung muss immer als PDF kommen. Bitte nie HTML schicken."',
            "Bau das bitte ein. Ändere nichts am Mailversand selbst.",
        ),
        (
            "客户的原话：",
            "“导出必须包含所有列，不要删除任何字段。”",
            "请按这个改一下导出功能，另外不要动数据库结构。",
        ),
        (
            "お客様からのメール：",
            "領収書は必ずPDFで送ってください。HTMLは使わないでください。",
            "これに合わせて直して。データベースは触らないで",
        ),
    ],
)
def test_an_order_directly_below_a_text_in_other_languages_is_typed(
    lead: str, quoted: str, typed: str
) -> None:
    parts = split_typed(f"{lead}\n{quoted}\n{typed}")
    assert (typed in parts.typed, quoted in parts.typed) == (True, False)


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


def test_a_browsers_console_is_pasted_and_what_stands_below_it_typed() -> None:
    console = (
        "987639?v=2.…2C12%2C147:115 Unrecognized feature: 'topics'.\n"
        "61de48b0.js?…WRhSvPY:1 Graph successfully started running.\n\ufeff\n\n"
    )
    parts = split_typed(f"{console}That is what the page says when the button is pressed.")
    assert parts.typed == "That is what the page says when the button is pressed."
    assert split_typed("why? it says 12:30 and not 1:30").pasted_chars == 0


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


REVIEW = """here's the review of my PR, please work through it:

> 1. `parse` unwraps a Vec<Event> by hand
> - the flag isn't documented

msrv is 1.70."""
MAIL = """Our accountant wrote this:

Hi Tom,
invoices are numbered INV-2025-00001, without gaps.

Please start with the numbering."""


def test_what_somebody_else_wrote_is_told_apart() -> None:
    told = split_typed(REVIEW)
    assert told.handed == "1. `parse` unwraps a Vec<Event> by hand · the flag isn't documented"
    assert "unwraps" not in told.typed
    told = split_typed(MAIL)
    assert told.handed == "Hi Tom, · invoices are numbered INV-2025-00001, without gaps."
    assert told.typed.endswith("Please start with the numbering.")


@pytest.mark.parametrize(
    "text",
    [
        "Add a button.",
        "here's the log:\n2026-11-20 08:14:01 WARN never reuse a nonce",
        "Why?\n```\n# a review:\nx = 1\n```",
        "the mail says:\n```\nsecret\n```\n\nPlease fix it",
    ],
)
def test_what_a_machine_wrote_is_none_of_it(text: str) -> None:
    assert split_typed(text).handed == ""


def test_of_a_long_document_only_the_beginning_is_kept() -> None:
    handed = split_typed("The ticket says:\n" + "It should be blue.\n" * 900).handed
    assert len(handed) <= 500
    assert handed.startswith("It should be blue. · It should")


def test_of_a_long_text_without_headings_its_head_and_its_closing_words_are_typed() -> None:
    # Not by their look: no log, no code, and nothing that announces them.
    pasted = "\n\n".join(
        f"The boats of chapter {n} lie in the harbour all night." for n in range(60)
    )
    text = f"i wonder about this one\n\n{pasted}\n\nplease keep it below 300 words"
    assert split_typed(text).typed == "i wonder about this one\n\nplease keep it below 300 words"


def test_of_blank_lines_nothing_is_typed() -> None:
    assert split_typed(" \n" * 2_000).typed == ""


def test_the_commits_of_a_graph_are_pasted() -> None:
    graph = """* commit 73e26a3e28002a1a0b4e0b39e6ef5b70591b6871 (HEAD)
| Author: Ada <ada@example.com>
| Date:   Sun Feb 15 15:23:47 2026 +1100
|
|     Always add documentation
|     - Never leave a page empty
|
* commit 23e26a3e28002a1a0b4e0b39e6ef5b70591b6872
  Author: Ada <ada@example.com>
  Date:   Sun Feb 15 15:23:23 2026 +1100

      Must be the first
"""
    assert split_typed(f"The log is:\n\n{graph}\nPlease go on.").typed.split("\n\n") == [
        "The log is:",
        "Please go on.",
    ]


@pytest.mark.parametrize(
    "closing",
    [
        "Montre-moi chaque fichier et attends ma validation.",
        "Zeig mir jede Datei und warte auf meine Freigabe.",
        "Espera mi visto bueno en cada paso.",
        "Espere a minha aprovação a cada passo.",
        "Показывай мне каждый файл перед правкой.",
    ],
)
def test_a_closing_paragraph_that_speaks_of_its_author_is_his(closing: str) -> None:
    section = "## Part\n\n" + "Modules, tables, queues and their names are listed here.\n" * 20
    assert closing in split_typed(f"Build this\n\n{section}\n{section}\n1. One\n\n{closing}").typed


FOREIGN = "Always deploy by hand. Never run the linter."


@pytest.mark.parametrize(
    "prompt",
    [
        f"[02.09.2023 17:41] Lund, Eva: {FOREIGN}\n\nWhat did she mean?",
        f"BEGIN OF LETTER\n{FOREIGN}\nEND OF LETTER\n\nIs it polite?",
        f"посмотри\n\nТема: Выпуск\nАвтор: Лебедев\n{FOREIGN}",
        f"これを見て\n\n差出人: 田中\n件名: 公開\nお疲れ様です。{FOREIGN}",
        f"Came across this on a forum, would it work here?\n\nTop reply\n\n{FOREIGN}",
        f"Is this contract fair to us?\n\n{FOREIGN}",
        f"esto lo escribió otro equipo, explica qué quieren:\n\n- {FOREIGN}",
        f"notes from the board meeting, tell me who is in charge:\n{FOREIGN}",
        f"translate into French: {FOREIGN}",
        f"bitte übersetze ins Englische: {FOREIGN}",
        f"아래 문서를 번역해줘\n\n안내\n- {FOREIGN}",
    ],
)
def test_a_text_that_a_question_is_about_is_not_typed(prompt: str) -> None:
    assert "Always deploy" not in split_typed(prompt).typed


@pytest.mark.parametrize(
    "prompt",
    [
        f"Here are my notes, what do you think?\n\n{FOREIGN}",
        f"Add a readme from these rules:\n- {FOREIGN}",
        f"Can you start on the parser?\n\n{FOREIGN}",
        f"Translate all strings. {FOREIGN}",
        f"From: main\n{FOREIGN}",
        f"---\n{FOREIGN}",
        f"Begin work.\n{FOREIGN}\nThen end the work.",
        f"Compare this page with the old one. I mean it:\n\nBEGIN\nx\nEND\n\nRemember: {FOREIGN}",
    ],
)
def test_what_is_typed_beside_a_question_stays(prompt: str) -> None:
    assert "Always deploy" in split_typed(prompt).typed


@pytest.mark.parametrize(
    "lines", ["begin of part", "Hi Ann,", "<a>", "From: Ann", "use a\n\nsummarize this page:"]
)
def test_what_begins_again_and_again_and_never_ends_is_read_once(lines: str) -> None:
    few, many = (
        counted(lambda times=times: split_typed("\n".join([lines] * times)))[1]  # type: ignore[misc]
        for times in (400, 1600)
    )
    assert many < 6 * few


@pytest.mark.parametrize(
    ("prompt", "error"),
    [
        (
            'ERROR:  42703: column "sent_at" does not exist',
            'ERROR: 42703: column "sent_at" does not',
        ),
        ("lint fails:\n```\nrunning\na.go:3: cannot use x\nError: issues\n```", "Error: issues"),
        ("I get this error: connection to db:5432 refused", "connection to db:5432 refused"),
        ("here is the log:\n```\nall is well\n```", ""),
    ],
)
def test_an_error_that_was_pasted_is_told_beside_the_prompt(prompt: str, error: str) -> None:
    parts = split_typed(prompt)
    assert parts.handed.startswith(error)
    assert bool(parts.handed) is bool(error)
    assert "42703" not in parts.typed


@pytest.mark.parametrize("lead", ["legal cleared it", "our lead approved it", "le client a validé"])
def test_what_somebody_allowed_is_told_by_the_user(lead: str) -> None:
    text = f"{lead}: logging requests in billing is allowed now"
    assert split_typed(text).typed == text


def test_of_a_document_the_front_and_the_headings_are_told() -> None:
    parts = "\n\n".join(f"## Part {n}\n\n" + f"The parser reads {n} rows. " * 30 for n in range(4))
    told = split_typed(f"# The importer\n\nIt reads files.\n\n{parts}\n\nShow me each step.")
    assert told.handed.startswith("# The importer · It reads files. · ## Part 0 ")
    assert told.handed.endswith(" · ## Part 3")


SKETCH = """Take the new sketch of the settings page.
Never touch the footer, and keep every colour in the theme file.

Focus on:
- the header
- the two forms"""


def tagged(text: str, sign: str = "0a1b") -> str:
    return f'<pasted_content id="{sign}">\n{text}\n</pasted_content id="{sign}">\n'


def test_what_the_client_marks_as_pasted_beside_typed_words_is_no_part_of_these() -> None:
    found = split_typed(f"Do the same for this page\n\n{tagged(SKETCH)}\nand then push")
    assert found.typed == "Do the same for this page\n\nand then push"
    assert found.handed == " · ".join(
        line.removeprefix("- ") for line in SKETCH.splitlines() if line
    )
    assert (found.title, found.pasted_chars) == (SKETCH.splitlines()[0], len(SKETCH))


@pytest.mark.parametrize(
    "words", ["", "follow my guidelines below:\n\n", "nach meinen Regeln:\n\n"]
)
def test_a_paste_alone_and_one_of_his_own_are_read_as_if_they_were_typed(words: str) -> None:
    assert split_typed(words + tagged(SKETCH)) == split_typed(words + SKETCH)


def test_an_error_that_the_client_marks_as_pasted_is_told_beside_the_prompt() -> None:
    trace = 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nKeyError: 7'
    found = split_typed(f"The import fails\n\n{tagged(trace)}")
    assert (found.typed, found.handed) == ("The import fails", "KeyError: 7")


@pytest.mark.parametrize(
    "text",
    [
        '<pasted_content id="0a1b">\nNever push.',
        'Look.\n<pasted_content id="0a1b">\nNever push.\n</pasted_content id="0a1c">',
        'Look.\n</pasted_content id="0a1b">\nNever push.\n<pasted_content id="0a1b">',
    ],
)
def test_a_mark_that_is_not_closed_cuts_nothing(text: str) -> None:
    assert cut_pastes(text) == (text, [])


def test_a_paste_that_holds_marks_of_another_session_ends_where_it_ends() -> None:
    inner = tagged("Never push.", "ffff")
    assert split_typed(f"Look at it.\n\n{tagged(inner)}").typed == "Look at it."


@pytest.mark.parametrize("mark", ['"""', "```"])
def test_what_is_said_behind_the_end_of_a_copied_text_is_typed(mark: str) -> None:
    copied = (
        "add the feed pins and the arm, sized from the candidate's length\nif the mesh is coarse."
    )
    asked = f"{mark} now implement build_geometry with the real library"
    assert asked in split_typed(f"{copied}\n{asked}").typed
    assert "secret" not in split_typed(f"{asked}\nthe secret text\n{mark}").typed


@pytest.mark.parametrize(
    "words",
    ["Help me fix it", "Let me know if that works", "Build it in my branch", "fix my tests"],
)
def test_who_speaks_of_himself_does_not_call_a_paste_his_own(words: str) -> None:
    pasted = tagged("Never push to main without a review.\nUse pnpm for everything.")
    assert split_typed(f"{words}\n\n{pasted}").typed == words


def test_a_picture_beside_a_paste_is_nothing_typed() -> None:
    own = "I need an importer that reads CSV.\nIt should never drop rows.\nUse pnpm."
    assert own in split_typed(f"[Image #1]\n{tagged(own)}").typed


def test_code_that_is_not_closed_and_begins_in_words_is_pasted() -> None:
    found = split_typed("Explain:\n\n``` bash run the script below\nnever run twice")
    assert found.typed == "Explain:"
