"""A feature's notes in a few lines: what is told, in which order, and never above the limit."""

import re

import pytest

from amplihack_compaction.compactor.condense.documents import sort_of
from amplihack_compaction.compactor.condense.summary import summarize_texts
from tests.support.feature_folders import feature_folder
from tests.support.program_outputs import DIFF, PYTEST


def count(text: str) -> int:
    return len(re.findall(r"\w{1,6}|[^\w\s]", text))


def summarize(limit: int = 500, note: str = "", **texts: str) -> str:
    named = {name.replace("__", "."): text for name, text in texts.items()}
    return summarize_texts(named, count, limit, note)


def section(summary: str, title: str) -> list[str]:
    """Return the lines of a section, whose heading may have numbers behind its title."""
    found = re.search(rf"^## {title}\b.*\n\n((?:- .*\n)+)", summary, re.MULTILINE)
    return found[1].splitlines() if found else []


def test_the_first_line_says_what_was_dropped_and_the_note() -> None:
    texts = {"a.md": "# One\n\nA line.\n", "b.md": "Another.\n"}
    made = summarize_texts(texts, count, 500, "The whole texts are in\n.compaction/backup/7.")
    assert made == (
        "Summary. Information was dropped: 2 files, 4 lines, 8 tokens became this."
        " The whole texts are in .compaction/backup/7.\n"
    )
    one = summarize_texts({"a.md": "x"}, count, 500, "")
    assert one == "Summary. Information was dropped: 1 file, 1 line, 1 token became this.\n"


def test_headings_boxes_and_leads_say_what_a_line_is() -> None:
    made = summarize(
        progress__md=f"""\
# Billing

## Goal

Move billing to the new ledger. It shall be done by May.

## Decisions

- Keep SQLite, because it is one file
- ~~Write our own store~~

## Next steps

1. Write the export of drafts
2. Ask Anna for the totals

## Tasks

- [ ] Read the totals
- [x] Draw the form
- [~] Move the rows
- Look at the logs
- Buy paper ✅

## Modified files

- `src/ledger.py`: the totals
- src/export/drafts.py

## Notes

We decided to drop the cache because nobody reads it.
TODO: tell the bank
Never write to the bank without a draft. The weather was fine.

```
- [ ] not a task, only an example
TODO: not either
```

```diff
{DIFF.text}
```
"""
    )
    assert section(made, "State") == ["- Move billing to the new ledger. (progress.md)"]
    assert section(made, "Decisions") == [
        "- We decided to drop the cache because nobody reads it. (progress.md)",
        "- Keep SQLite, because it is one file",
    ]
    assert section(made, "Next steps") == [
        "- Write the export of drafts (progress.md)",
        "- Ask Anna for the totals",
    ]
    assert section(made, "Open todos") == [
        "- tell the bank (progress.md)",
        "- Read the totals",
        "- Move the rows",
        "- Look at the logs",
    ]
    assert section(made, "Rules") == ["- Never write to the bank without a draft. (progress.md)"]
    assert section(made, "Files modified") == [
        "- src/part2.py, src/part1.py, src/part0.py, src/export/drafts.py, src/ledger.py"
    ]
    assert "example" not in made


def test_records_of_decisions_are_told_by_their_titles_unless_they_are_void() -> None:
    made = summarize(
        progress__md="""\
# Decisions

## ADR-001: Keep SQLite

Status: accepted

### Context

- Postgres would be one more server

## ADR-002: Write our own queue

Status: superseded by ADR-003

## ADR-003: Use the queue of the bank

### Status

Accepted

## ADR-004: Print the drafts

### Status

Rejected
"""
    )
    assert section(made, "Decisions") == [
        "- ADR-003: Use the queue of the bank (progress.md)",
        "- ADR-001: Keep SQLite",
    ]


def test_the_newest_part_is_told_first_and_its_lines_keep_their_order() -> None:
    made = summarize(
        progress__md="""\
# 2025-03-02

Decision: two ledgers

## Next steps

- first of the second
- second of the second

# 2025-03-09

Decision: one ledger

## Next steps

- first of the ninth
- second of the ninth

# 2025-03-05

Decision: three ledgers
"""
    )
    assert section(made, "Decisions") == [
        "- Decision: one ledger (progress.md)",
        "- Decision: three ledgers",
        "- Decision: two ledgers",
    ]
    assert section(made, "Next steps") == [
        "- first of the ninth (progress.md)",
        "- second of the ninth",
        "- first of the second",
        "- second of the second",
    ]


def test_what_is_said_twice_is_told_once() -> None:
    text = "- [ ] Write the **export**\n- [ ] write the export.\n"
    assert section(summarize(a__md=text, b__md=text), "Open todos") == [
        "- write the export. (b.md)"
    ]


LANGUAGES = {
    "de": ("Nächste Schritte", "Entscheidung: wir behalten SQLite", "Niemals auf main pushen."),
    "fr": ("Prochaines étapes", "Décision : on garde SQLite", "Ne poussez jamais sur main."),
    "es": ("Próximos pasos", "Decisión: usamos SQLite", "Nunca hagas push a main."),
    "pt": ("Próximos passos", "Decisão: ficamos com SQLite", "Nunca faça push para main."),
    "ru": ("Следующие шаги", "Решение: оставляем SQLite", "Никогда не пушь в main."),
    "zh": ("下一步", "决定：保留 SQLite", "永远不要推送到 main。"),
    "ja": ("次のステップ", "決定：SQLite を使う", "絶対に main へ push しないでください。"),
    "ko": ("다음 단계", "결정: SQLite를 유지한다", "절대 main에 푸시하지 마세요."),
}


@pytest.mark.parametrize(("heading", "decision", "rule"), LANGUAGES.values(), ids=LANGUAGES)
def test_notes_are_read_in_the_languages_of_the_package(
    heading: str, decision: str, rule: str
) -> None:
    made = summarize(notes__md=f"# X\n\n{decision}\n\n{rule}\n\n## {heading}\n\n- SQLite 3.45\n")
    assert section(made, "Next steps") == ["- SQLite 3.45 (notes.md)"]
    assert section(made, "Decisions") == [f"- {decision} (notes.md)"]
    assert section(made, "Rules") == [f"- {rule} (notes.md)"]


@pytest.mark.parametrize(
    "line",
    [
        "Should we never push?", "The build never worked on Monday.", "PASSED never_push",
        "If it is always red, what then?",
    ],
)  # fmt: skip
def test_questions_and_stories_are_no_rules(line: str) -> None:
    assert section(summarize(notes__md=f"# X\n\n{line}\n"), "Rules") == []


def test_outputs_code_logs_and_data_are_no_notes() -> None:
    made = summarize(
        progress__md=f"Bash output:\n```\n{PYTEST.text}\nTODO: nothing\n```\n",
        server__log="TODO: nothing\n", code__py="# TODO: nothing\n- [ ] no\n",
        rows="{\n- [ ] no\n}",
    )  # fmt: skip
    assert "##" not in made


def test_a_long_item_ends_in_an_ellipsis_and_a_count_says_what_is_missing() -> None:
    long = "- [ ] " + "write the export of drafts " * 20 + "\n"
    rows = "".join(f"- [ ] write part {n} of the export of drafts\n" for n in range(200))
    made = summarize(300, notes__md=long + rows)
    items = section(made, "Open todos")
    assert items[0].endswith("… (notes.md)")
    assert f"## Open todos ({len(items)} of 201)" in made
    assert 15 < len(items) < 60


@pytest.mark.parametrize("limit", [60, 120, 500])
def test_the_limit_holds_whatever_it_is(limit: int) -> None:
    for note in ("", "The whole texts are in the backup of today."):
        made = summarize_texts(feature_folder(), count, limit, note)
        assert count(made) <= limit
        assert made.startswith("Summary. Information was dropped")


def test_a_feature_folder_is_summed_up_within_500_tokens() -> None:
    made = summarize_texts(feature_folder(), count, 500, "Backup 7.")
    assert 450 < count(made) <= 500
    assert all(f"## {title}" in made for title in ("Decisions", "Rules", "Open todos"))
    assert "- Ask Anna for the totals." in section(made, "Next steps")


@pytest.mark.parametrize(
    "text",
    [
        "# h\n" * 5_000, "- [ ] " * 5_000, "TODO:" * 5_000, " " * 50_000, "never " * 10_000,
        "a/" * 25_000, "## Modified files\n" + "a" * 50_000, "ADR-1 " * 7_500,
        "Never push to main.\n" * 5_000, "## Rules\n" + "- x\n" * 5_000, "```\n" * 5_001,
        "diff --git " + "a" * 50_000, "\x00\ud800" * 2_500,
    ],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_hostile_notes_are_summed_up_in_one_go(text: str) -> None:
    made = summarize_texts({"a.md": text}, lambda piece: len(piece) // 4, 500, "")
    assert made.startswith("Summary. Information was dropped: 1 file")
    assert len(made) // 4 <= 500


def test_words_at_the_start_of_a_line_say_what_follows() -> None:
    lines = ["Modified: `src/a.py` and src/b.py", "**Next:** tell Anna", "Status: in review"]
    made = summarize(notes__md="# X\n\n" + "\n".join(f"- {line}" for line in lines) + "\n")
    assert section(made, "Files modified") == ["- src/a.py, src/b.py"]
    assert section(made, "Next steps") == ["- tell Anna (notes.md)"]
    assert section(made, "State") == ["- status: in review (notes.md)"]


def test_a_name_that_is_no_text_stands_on_its_line() -> None:
    made = summarize_texts(
        {"a\udcff\n## Rules\x1b[1m.md": "- [ ] Write the form\n"}, count, 500, ""
    )
    assert made.endswith("- Write the form (a ## Rules [1m.md)\n")


@pytest.mark.parametrize("name", [".git", ".env", ".gitignore", "notes/.npmrc", ".env.local"])
def test_hidden_files_are_settings_and_no_prose(name: str) -> None:
    assert sort_of(name, "gitdir: /elsewhere\n") == "whole"
