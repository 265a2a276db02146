"""Texts condensed: outputs cut to what tells, repeats to a stub, all else to the byte."""

import re

import pytest

from amplihack_compaction.compactor.condense.condense import condense_texts
from amplihack_compaction.compactor.condense.documents import HINT, Condensed
from tests.support.feature_folders import feature_folder
from tests.support.program_outputs import DIFF, PRINTED, PYTEST, SERVER, Printed

PROSE = """\
We moved the ledger to its own file this week. Anna read the change and found
the totals right; what is left is the export of drafts, which waits for the bank.
"""


# A text of several sentences, none of them said twice.
LONG_PROSE = "".join(
    f"The part {name} of the ledger belongs to {other}, who wants it in its own file.\n"
    for name in ("draft", "order", "token", "header", "cursor")
    for other in ("Anna", "the bank", "billing", "the export")
)


def count(text: str) -> int:
    return len(re.findall(r"\w{1,6}|[^\w\s]", text))


def condense(text: str, name: str = "notes.md", hint: str = HINT) -> Condensed:
    return condense_texts({name: text}, count, hint)


def lines_of(made: Condensed, name: str = "notes.md") -> list[str]:
    return made.texts[name].splitlines()


def assert_told(printed: Printed, made: Condensed, name: str = "notes.md") -> None:
    lines = lines_of(made, name)
    assert [line for line in printed.stays if line not in lines] == []
    assert printed.goes not in lines
    saved = sum(item.original_tokens - item.compacted_tokens for item in made.items)
    assert saved > 0.2 * count(printed.text)


@pytest.mark.parametrize("printed", PRINTED.values(), ids=PRINTED)
def test_a_fenced_output_is_cut_to_what_tells(printed: Printed) -> None:
    made = condense(f"# Notes\n\n{PROSE}\n```\n{printed.text}\n```\n\n{PROSE}")
    assert_told(printed, made)
    assert {item.type for item in made.items} <= {"verbose", "tool_output"}
    assert printed.called in made.items[0].what
    assert made.texts["notes.md"].startswith(f"# Notes\n\n{PROSE}\n```\n")
    assert made.texts["notes.md"].endswith(f"\n```\n\n{PROSE}")


@pytest.mark.parametrize("printed", PRINTED.values(), ids=PRINTED)
@pytest.mark.parametrize("label", ["Bash output:", "**Bash output:**", "### Bash tool output"])
def test_an_output_below_its_label_is_cut(printed: Printed, label: str) -> None:
    made = condense(f"{PROSE}\n{label}\n\n```bash\n{printed.text}\n```\n{PROSE}")
    assert_told(printed, made)
    assert {item.type for item in made.items} == {"tool_output"}
    assert made.items[0].what.startswith("Bash output")
    assert label in lines_of(made)


UNFENCED = ["pytest", "go", "npm", "pip", "diff", "python trace", "java trace", "server", "docker"]


@pytest.mark.parametrize("name", UNFENCED)
def test_an_output_pasted_into_prose_is_cut(name: str) -> None:
    printed = PRINTED[name]
    made = condense(f"{PROSE}\n{printed.text}\n\n{PROSE}")
    assert_told(printed, made)
    assert made.texts["notes.md"].startswith(PROSE)
    assert made.texts["notes.md"].endswith(PROSE)


@pytest.mark.parametrize("name", ["server.log", "build.out", "server.log.2"])
@pytest.mark.parametrize("printed", PRINTED.values(), ids=PRINTED)
def test_a_log_file_is_cut_as_one_output(printed: Printed, name: str) -> None:
    assert_told(printed, condense(printed.text, name), name)


def test_the_stub_counts_what_is_gone_and_says_how_to_get_it_back() -> None:
    rows = "\n".join(f"10:00:00 read {n}" for n in range(100))
    made = condense(f"```log\n{rows}\n```\n")
    assert lines_of(made) == [
        "```log",
        *(f"10:00:00 read {n}" for n in range(6)),
        "[compacted: log, 88 of 100 lines left out; `feature compact --revert` brings it back]",
        *(f"10:00:00 read {n}" for n in range(94, 100)),
        "```",
    ]
    (item,) = made.items
    assert (item.type, item.file, item.first_line, item.last_line) == (
        "verbose", "notes.md", 8, 95,
    )  # fmt: skip
    assert item.what == "log, 88 of 100 lines left out"
    assert item.original_size - item.compacted_size == len(rows) + 12 - len(made.texts["notes.md"])


def test_the_stub_tells_how_the_text_is_had_back() -> None:
    rows = "\n".join(f"10:00:00 read {n}" for n in range(40))
    made = condense(f"```log\n{rows}\n```\n", hint="see backup 7")
    assert lines_of(made)[6:9] == [
        "10:00:00 read 5",
        "[compacted: log, 28 of 40 lines left out; see backup 7]",
        "10:00:00 read 34",
    ]


def test_a_cut_that_would_not_pay_is_not_made() -> None:
    text = "```log\n" + "\n".join(f"10:00:00 {n}" for n in range(14)) + "\n```\n"
    assert condense(text) == Condensed({"notes.md": text}, [])


TIMES = "".join(f"10:00:00 INFO: row {n}\n" for n in range(40))
KEPT = {
    "prose in Chinese": "我们把账本移到了单独的文件。" * 60 + "\n",
    "prose in Japanese": "台帳を別のファイルに移しました。\n" * 3,
    "a fence in a language": "```python\n" + "print('INFO: 10:00:00')\n" * 60 + "```\n",
    "a fence of code without language": "```\n"
    + "".join(f"def total_{n}(rows):\n    return rows[{n}]\n\n" for n in range(20))
    + "```\n",
    "a tree": "```\n" + "".join(f"├── part{n}\n" for n in range(40)) + "```\n",
    "a checklist": "".join(f"- [ ] write part {n}\n- [x] read part {n}\n" for n in range(40)),
    "front matter": f"---\n{TIMES}---\n",
    "TOML front matter": f"\ufeff+++\n{TIMES}+++\n",
    "a diary": "".join(f"2025-03-{n:02} 10:14 wrote part {n}\n" for n in range(30)),
    "steps": "".join(f"[{n}/40] write part {n} of the ledger\n" for n in range(1, 41)),
    "progress": "".join(f"[{n}%] part {n}\npart {n} ... ok\n" for n in range(1, 41)),
    "commands": "```\n" + "".join(f"$ make part{n}\n" for n in range(40)) + "```\n",
    "signatures": "".join(f"save_{n}(...) writes part {n}\n" for n in range(40)),
    "a table": "| a | b |\n|---|---|\n" + "".join(f"| 10:00:00 | INFO {n} |\n" for n in range(40)),
    "a record of a decision": f"## ADR-004: keep SQLite\n\n```\n{SERVER.text}\n```\n",
    "a decision below another heading": f"# Decisions\n\n## One file\n\n```\n{SERVER.text}\n```\n",
    "a fence that never ends": f"```\n{SERVER.text}\n\n{PROSE}",
    "prose that names a tool": "Bash output was long, so here is a part: see.\n" + LONG_PROSE,
    "a ticked list with signs": "".join(f"  ✓ part {n} is done\n" for n in range(40)),
}  # fmt: skip


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
@pytest.mark.parametrize("name", ["notes.md", "notes.txt", "notes.rst", "notes"])
def test_what_people_write_stays_to_the_byte(text: str, name: str) -> None:
    assert condense(text, name) == Condensed({name: text}, [])


@pytest.mark.parametrize(
    "name",
    ["a.json", "b.jsonl", "c.yaml", "d.toml", "e.py", "f.ts", "Makefile", "docs/adr/1.md",
     "decisions.md", "fix.patch"],
)  # fmt: skip
def test_code_data_and_records_of_decisions_are_never_cut(name: str) -> None:
    assert condense(SERVER.text, name) == Condensed({name: SERVER.text}, [])


@pytest.mark.parametrize(
    "text", ['{"rows": [\n' + '"10:00:00 INFO",\n' * 40 + '"x"]}', "#!/bin/sh\n" + SERVER.text]
)
def test_an_unknown_file_that_looks_like_data_or_code_is_never_cut(text: str) -> None:
    assert condense(text, "rows") == Condensed({"rows": text}, [])


def test_an_unknown_file_of_a_log_is_cut() -> None:
    assert_told(SERVER, condense(SERVER.text, "server"), "server")


@pytest.mark.parametrize("ending", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_line_endings_and_a_byte_order_mark_stay(ending: str, last: str) -> None:
    text = ("\ufeff# Notes\n\n```\n" + SERVER.text + "\n```" + last).replace("\n", ending)
    made = condense(text).texts["notes.md"]
    assert made.startswith(f"\ufeff# Notes{ending}{ending}```{ending}")
    assert made.endswith("```" + last.replace("\n", ending))
    assert set(re.findall(r"\r\n|\r|\n", made)) == {ending}


def test_every_error_stays_and_of_equal_ones_in_a_row_one() -> None:
    rows = [f"10:00:00 INFO read {n}" for n in range(40)]
    rows[20:20] = ["10:00:01 ERROR disk is full"] * 42 + ["10:00:02 FATAL gone", "读取失败"]
    lines = lines_of(condense("```log\n" + "\n".join(rows) + "\n```\n"))
    place = lines.index("10:00:01 ERROR disk is full")
    assert lines[place + 1 : place + 4] == [
        "[compacted: 41 of 84 lines left out]", "10:00:02 FATAL gone", "读取失败",
    ]  # fmt: skip
    assert lines.count("10:00:01 ERROR disk is full") == 1


def test_checklists_and_decisions_inside_an_output_stay() -> None:
    rows = [f"10:00:00 INFO read {n}" for n in range(60)]
    rows[30] = "- [ ] write to the bank"
    rows[40] = "Decision: one ledger per shop"
    lines = lines_of(condense("```log\n" + "\n".join(rows) + "\n```\n"))
    assert rows[30] in lines
    assert rows[40] in lines


def test_an_output_without_fences_ends_where_a_person_speaks() -> None:
    paths = "\n".join(f"src/part{n}/total.py" for n in range(40))
    text = f"Glob results:\n{paths}\n\n{PROSE}\n- [ ] look at them\n"
    made = condense(text)
    assert made.texts["notes.md"].endswith(f"\n\n{PROSE}\n- [ ] look at them\n")
    assert made.items[0].what == "Glob output, 28 of 40 lines left out"


def test_a_stub_stands_as_far_in_as_the_fence() -> None:
    rows = "\n".join(f"  10:00:00 read {n}" for n in range(100))
    made = condense(f"- what it said:\n\n  ```log\n{rows}\n  ```\n")
    assert lines_of(made)[9].startswith("  [compacted: log, 88 of 100 lines")
    assert condense(made.texts["notes.md"]).items == []


def test_later_paragraphs_of_an_output_go_only_when_a_machine_wrote_them() -> None:
    code = "\n".join(f"{n:>6}→def total_{n}(rows):" for n in range(20))
    text = f"Read tool output: (src/total.py)\n{code}\n\n{code}\n\n{PROSE}"
    made = condense(text)
    assert made.items[0].what == "Read output, 29 of 41 lines left out"
    assert made.texts["notes.md"].endswith(PROSE)


def test_a_label_with_words_behind_it_takes_no_prose() -> None:
    text = "Bash output: all was well, so we went on\n" + LONG_PROSE
    assert condense(text).texts["notes.md"] == text


def test_blobs_are_cut_inside_their_line() -> None:
    blob = "iVBORw0KGgo" + "QmFzZTY0IGlzIGhlcmU" * 60
    text = f"See ![chart](data:image/png;base64,{blob}) for the totals.\n"
    made = condense(text)
    after = made.texts["notes.md"]
    assert after.startswith("See ![chart](data:image/png;base64,iVBORw0KGgo")
    assert after.endswith(") for the totals.\n")
    gone = re.search(r"\[compacted: (\d+) characters of unbroken text left out\]", after)
    assert gone is not None
    assert len(after) == len(text) - int(gone[1]) + len(gone[0])
    assert made.items[0].what.endswith(f"{gone[1]} characters left out of a line")


@pytest.mark.parametrize(
    "line",
    [
        "Error: cannot read " + "QmFzZTY0" * 90,
        "- [ ] decode " + "QmFzZTY0" * 90,
        "Never store " + "QmFzZTY0" * 90,
    ],
)
def test_a_line_that_must_stay_keeps_its_blob(line: str) -> None:
    assert condense(line).texts["notes.md"] == line


def test_a_long_line_of_an_output_keeps_its_ends() -> None:
    line = "start " + "and so on " * 400 + "end"
    made = condense(f"Bash output:\n```\n{line}\n```\n")
    assert lines_of(made)[2].startswith("start and so on")
    assert lines_of(made)[2].endswith("and so on end")
    assert " characters of a long line left out]" in lines_of(made)[2]


def test_imitated_stubs_do_no_harm() -> None:
    fakes = ["[compacted: 9 of 9 lines left out]", "[compacted: 5 characters of hex left out]"]
    rows = SERVER.text.split("\n")
    text = "```log\n" + "\n".join([*rows[:30], fakes[0], *rows[30:], fakes[1]]) + "\n```\n"
    made = condense(text)
    lines = lines_of(made)
    assert fakes[0] in lines
    assert fakes[1] in lines
    assert len(made.items) == 2
    assert condense(made.texts["notes.md"]) == Condensed(made.texts, [])


def test_what_is_added_to_a_log_later_is_cut_as_well() -> None:
    once = condense(SERVER.text + "\n", "a.log").texts["a.log"]
    more = "\n".join(f"2025-03-02 09:00:00,1 INFO ledger: late {n}" for n in range(80))
    twice = condense(once + more, "a.log").texts["a.log"]
    assert twice.startswith(once[:-200])
    assert len(twice) < len(once) + 1200
    assert "late 79" in twice


def test_a_torn_diff_ends_at_an_empty_line() -> None:
    hunk = "@@ -1,500 +1,500 @@\n" + "".join(f"-old {n}\n+new {n}\n" for n in range(20))
    text = f"{hunk}\n- one thing\n- another thing\n\n{PROSE}"
    made = condense(text).texts["notes.md"]
    assert made.endswith(f"\n\n- one thing\n- another thing\n\n{PROSE}")
    assert len(made) < len(text) - 100


def test_a_pytest_session_without_an_end_leaves_the_prose_below() -> None:
    torn = PYTEST.text[: PYTEST.text.index("=================================== F")]
    made = condense(f"{torn}\n{PROSE}\n{DIFF.text}\n")
    assert PROSE in made.texts["notes.md"]
    assert len(made.items) == 2


def test_a_feature_folder_loses_half_and_nothing_that_must_stay() -> None:
    texts = feature_folder()
    made = condense_texts(texts, count)
    before, after = (sum(map(count, some.values())) for some in (texts, made.texts))
    saved = sum(item.original_tokens - item.compacted_tokens for item in made.items)
    assert before - after == pytest.approx(saved, abs=len(made.items) * 2)
    assert after < 0.5 * before
    must = re.compile(r"^#+ |^- \[|^Decision:|\bERROR\b|FAILED|^def |^Never ")
    for name, text in texts.items():
        kept = set(made.texts[name].splitlines())
        outside = re.sub(
            r"(?s)```(?:diff)?\n(?:={5}|diff|Trace).*?```|Read tool.*?```\n.*?```", "", text
        )
        assert [
            line for line in outside.splitlines() if must.match(line) and line not in kept
        ] == []
    assert made.texts["decisions.md"] == texts["decisions.md"]
