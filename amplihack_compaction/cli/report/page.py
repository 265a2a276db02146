"""Write the report: one page that stands by itself, without scripts, network or other files.

Its content security policy allows one style sheet, by its hash, and nothing else. Every text goes
through `markup`. The same transcripts and records give the same bytes.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.cli.report.charts import (
    Child,
    element,
    facts,
    markup,
    size_of,
    table,
    visible,
)
from amplihack_compaction.cli.report.measures import SessionReport
from amplihack_compaction.cli.report.sections import (
    show_compactions,
    show_context,
    show_hooks,
    show_todos,
    show_tokens,
)
from amplihack_compaction.cli.terminal import shown_time
from amplihack_compaction.text.words import counted

PAGE_LIMIT_BYTES = 1_900_000
"""The page stays below this; what has no room in it is named."""
STYLE_SHEET = Path(__file__).with_name("style.css")
_SECTIONS_LIMIT_BYTES = 1_500_000
_COMPACTIONS_LIMIT_BYTES = 700_000
_ROWS_LIMIT = 600
_PATH_CHARS = 160
_THEMES = ("auto", "light", "dark")


def render_page(reports: Iterable[SessionReport]) -> str:
    """Return the page of sessions, in their order; of several, an overview comes first.

    Each report is let go before the next one is asked for, so that of many sessions from a
    generator one is in memory.
    """
    rows: list[Sequence[Child]] = []
    sections: list[Element] = []
    room, number = _SECTIONS_LIMIT_BYTES, 0
    for number, report in enumerate(reports, 1):
        anchor = f"session-{number}"
        section = _show_session(report, anchor)
        fits = size_of(section) <= room or not sections
        if fits:
            room -= size_of(section)
            sections.append(section)
        if number <= _ROWS_LIMIT:
            rows.append(_overview_row(report, anchor if fits else ""))
    several = [_overview(rows, len(sections), number)] if number > 1 else []
    return _whole_page([*several, *sections])


def content_policy(style: str) -> str:
    """Return the policy that lets the page have this style sheet and nothing else."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _whole_page(parts: Sequence[Element]) -> str:
    style = STYLE_SHEET.read_text(encoding="utf-8")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", content=content_policy(style), **{"http-equiv": "Content-Security-Policy"}),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", "Compaction report"),
        _style(style),
    )
    skip = element("a", "To the report", href="#report", class_="skip")
    title = element("header", element("h1", "Compaction report"), _theme_switch())
    body = element("body", skip, title, element("main", *parts, id="report"))
    return f"<!DOCTYPE html>\n{markup(element('html', head, body, lang='en'))}\n"


def _style(style: str) -> Element:
    made = Element("style")
    made.text = style  # as it is: the policy names its hash
    return made


def _theme_switch() -> Element:
    """Return the choice of colours; the style sheet looks at what is checked, without a script."""
    choices: list[Child] = []
    for theme in _THEMES:
        button = element("input", type="radio", name="theme", id=f"theme-{theme}")
        if theme == _THEMES[0]:
            button.set("checked", "checked")
        choices.append(element("label", button, f" {theme}"))
    return element("fieldset", element("legend", "Colours"), *choices)


def _show_session(report: SessionReport, anchor: str) -> Element:
    session = report.diagnosis.session
    heading = element("h2", f"Session {visible(session.id, 80)}", id=f"{anchor}-title")
    places = (
        visible(redact(place), _PATH_CHARS) for place in (session.root, str(session.transcript))
    )
    return element(
        "section",
        heading,
        element("p", " · ".join(places), class_="quiet"),
        element("p", _headline(report), class_="headline"),
        facts(_key_figures(report)),
        show_context(report),
        show_tokens(report),
        show_compactions(report.diagnosis.compactions, _COMPACTIONS_LIMIT_BYTES),
        show_todos(report),
        show_hooks(report),
        *_problems(report),
        id=anchor,
        aria_labelledby=f"{anchor}-title",
    )


def _headline(report: SessionReport) -> str:
    """Return what compactions did to the session, in a sentence."""
    compactions = len(report.diagnosis.compactions)
    if not compactions:
        return "Not compacted so far."
    said = f"{counted(compactions, 'compaction')}; "
    if not report.lost:
        return f"{said}nothing that was recorded was lost."
    things = counted(report.lost, "thing")
    if not report.brought_back:
        return f"{said}{things} lost."
    back = "all" if report.brought_back == report.lost else f"{report.brought_back:,}"
    return f"{said}{things} would have been lost, {back} came back."


def _key_figures(report: SessionReport) -> Iterator[tuple[str, str]]:
    status, measures = report.status, report.measures
    if status is not None:
        yield "Context now", f"{status.usage_percentage:.0f} % of {status.max_tokens:,} tokens"
    yield "Most in the context", counted(report.peak_tokens, "token")
    yield "Responses", f"{len(measures.context):,}"
    yield "Compactions", f"{len(report.diagnosis.compactions):,}"
    yield "Lost by summaries", f"{report.lost:,}"
    yield "Brought back", f"{report.brought_back:,}"
    if report.overflows.checks:
        yield "Checks of the context", f"{report.overflows.checks:,}"
        yield "Overflows avoided", str(report.overflows)
    yield "Began", shown_time(measures.began) or "unknown"
    yield "Last entry", shown_time(measures.ended) or "unknown"
    yield "Transcript", f"{report.diagnosis.size_bytes / 1e6:.1f} MB"


def _problems(report: SessionReport) -> Iterator[Element]:
    diagnosis = report.diagnosis
    problems = [visible(redact(problem)) for problem in diagnosis.problems]
    if diagnosis.unreadable_lines:
        lines = counted(diagnosis.unreadable_lines, "line")
        problems.append(f"{lines} of the transcript could not be read.")
    if problems:
        listed = element("ul", *(element("li", problem) for problem in problems))
        yield element("section", element("h3", "Problems"), listed)


def _overview(rows: Sequence[Sequence[Child]], shown: int, sessions: int) -> Element:
    heads = ("Session", "Began", "Most tokens", "Compactions", "Lost", "Brought back", "Transcript")
    caption = f"{counted(sessions, 'session')}, newest first"
    parts = [table(caption, heads, rows, frozenset({2, 3, 4, 5, 6}))]
    if shown < sessions:
        listed = f", and the newest {len(rows):,} are listed" if len(rows) < sessions else ""
        verb = "is" if shown == 1 else "are"
        note = f"{shown:,} {verb} shown below{listed}; name another one to see it."
        parts.append(element("p", note, class_="quiet"))
    return element("section", element("h2", "Sessions"), *parts)


def _overview_row(report: SessionReport, anchor: str) -> tuple[Child, ...]:
    diagnosis = report.diagnosis
    name = visible(diagnosis.session.id, 80)
    return (
        element("a", name, href=f"#{anchor}") if anchor else name,
        shown_time(report.measures.began) or "unknown",
        f"{report.peak_tokens:,}",
        f"{len(diagnosis.compactions):,}",
        f"{report.lost:,}",
        f"{report.brought_back:,}",
        f"{diagnosis.size_bytes / 1e6:.1f} MB",
    )
