"""Write the report: one page that stands by itself, without scripts, network or other files.

Its content security policy allows one style sheet, by its hash, and nothing else. Every text goes
through `markup`. The same transcripts and records give the same bytes.
"""

import base64
import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from string import Template
from typing import Any
from xml.etree.ElementTree import Element

from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.cli.diagnosis import (
    DONE_WORDS,
    Compaction,
    Diagnosis,
    boundary_in_short,
    state_counts,
    wanted_now,
)
from amplihack_compaction.cli.report.charts import (
    Child,
    Line,
    bar,
    details,
    draw,
    element,
    facts,
    markup,
    size_of,
    table,
    thinned,
    visible,
)
from amplihack_compaction.cli.report.measures import ContextPoint, SessionReport
from amplihack_compaction.cli.terminal import shown_time
from amplihack_compaction.clients.claude_code.wiring.hook_entries import hook_label
from amplihack_compaction.text.words import counted
from amplihack_compaction.validation.losses import FATE_WORDS, INJECTED, Fate

_WANTED_THEN = {
    "current": "The objective then",
    "goes on from": "It went on from",
    DONE_WORDS: "Done by hand",
}
_SAMPLED_ROWS = 40
_HEADROOM = 1.05
_TOP_ROWS = 15
_PATH_CHARS = 160
_HOOK_CHARS = 80
_ITEMS_LIMIT = 120
_OPEN_COMPACTIONS = 3
PAGE_LIMIT_BYTES = 1_900_000
"""Up to a thousand sessions the page stays below this; what has no room in it is named."""
STYLE_SHEET = Path(__file__).with_name("style.css")
_SECTIONS_LIMIT_BYTES = 1_500_000
_COMPACTIONS_LIMIT_BYTES = 700_000


def _context(report: SessionReport) -> Iterator[Element]:
    """Yield the context's tokens after each response, with levels and compactions."""
    points = report.measures.context
    if not points:
        yield element("p", "No response told its numbers.")
        return
    offsets, compactions = [point.offset for point in points], report.diagnosis.compactions
    before = (bisect_left(offsets, each.boundary.offset) for each in compactions)
    places = [max(count - 0.5, 0) for count in before]  # half way to the next response
    limit = report.status.max_tokens if report.status is not None else 0
    top = _HEADROOM * max(limit, report.peak_tokens)
    told = [(n, p.tokens, f"{shown_time(p.at)}: {p.tokens:,} tokens") for n, p in enumerate(points)]
    marks = [mark for at in places for mark in ((at, 0.0, ""), (at, top, ""), None)]
    course = sorted([*thinned(told), *_drops(points, places)], key=lambda point: point[0])
    lines = [Line("context", course, filled=True), Line("compactions", marks)]
    key = [("context", "tokens after each response")]
    key += [("compactions", counted(len(places), "compaction"))] if places else []
    for style, name, tokens in _levels(report, limit):
        end = max(len(points) - 1, 1)
        lines.append(Line(style, [(0, tokens, ""), (end, tokens, "")]))
        key.append((style, f"{name} {tokens:,.0f}"))
    what = (
        f"Line chart of the context's tokens over {counted(len(points), 'response')}: at most"
        f" {report.peak_tokens:,}, {points[-1].tokens:,} at the end;"
        f" {counted(len(places), 'compaction')}. The numbers are in the table below."
    )
    yield draw(what, lines, [point.at for point in points], top, _thousands)
    yield _key(key)
    yield _context_table(points, places)


def _drops(
    points: Sequence[ContextPoint], places: Sequence[float]
) -> Iterator[tuple[float, float, str]]:
    """Yield, for each compaction, what the context held before it and after it."""
    for place in places:
        before = int(place)
        if place > before and before + 1 < len(points):
            yield place, points[before].tokens, ""
            yield place, points[before + 1].tokens, ""


def _levels(report: SessionReport, limit_tokens: int) -> Iterator[tuple[str, str, float]]:
    """Yield style, name and tokens of what the hooks tell, and of the limit, where it is known."""
    if limit_tokens:
        for each in report.levels:
            yield f"level-{each.level}", f"{each.description} from", each.threshold * limit_tokens
        yield "limit", "limit", limit_tokens


def _context_table(points: Sequence[ContextPoint], places: Sequence[float]) -> Element:
    """Return the numbers behind the chart: around compactions, and evenly spread between."""
    step = max(1, len(points) // _SAMPLED_ROWS)
    around = {int(place) + more for place in places[-_SAMPLED_ROWS:] for more in (0, 1)}
    every = range(len(points))
    chosen = sorted({*every[::step], every[-1], *around}.intersection(every))
    rows = [(f"{n + 1:,}", f"{points[n].tokens:,}", shown_time(points[n].at)) for n in chosen]
    caption = f"The context after {len(rows)} of {counted(len(points), 'response')}"
    heads = ("Response", "Tokens", "At")
    return details("The numbers as a table", table(caption, heads, rows, frozenset({0, 1})))


def _todos(report: SessionReport) -> Iterator[Element]:
    """Yield how many todos were open and closed at each compaction, and are now."""
    compactions = report.diagnosis.compactions[-_SAMPLED_ROWS:]
    moments = [(f"Compaction {c.number}", c.boundary.timestamp, c.state) for c in compactions]
    moments.append(("Now", report.measures.ended, report.diagnosis.state))
    counts = [
        (len(state.open_todos), sum(not todo.is_open for todo in state.todos))
        for *_, state in moments
    ]
    if compactions and any(map(any, counts)):
        courses = zip(("open", "done"), zip(*counts, strict=True), strict=True)
        lines = [
            Line(style, [(place, number, "") for place, number in enumerate(numbers)])
            for style, numbers in courses
        ]
        now = "{} open and {} closed".format(*counts[-1])
        what = f"Line chart of the todos: {now} at the end. The numbers are in the table below."
        times, most = [at for _, at, _ in moments], max(map(max, counts))
        yield draw(what, lines, times, most + 1, lambda value: f"{value:,.0f}")
        yield _key([("open", "open"), ("done", "closed")])
    rows = [(name, *map(str, numbers)) for (name, *_), numbers in zip(moments, counts, strict=True)]
    caption = "All todos that were recorded, checklists and TODO lines included"
    yield table(caption, ("When", "Open", "Closed"), rows, frozenset({1, 2}))


def _key(entries: Sequence[tuple[str, str]]) -> Element:
    """Return a chart's lines with what they stand for, by their styles."""
    key = element("ul", class_="key")
    for style, text in entries:
        line = element("g", element("path", d="M0 5H32", class_="line"), class_=style)
        sample = {"viewBox": "0 0 32 10", "class_": "chart-key chart", "aria_hidden": "true"}
        key.append(element("li", element("svg", line, **sample), text))
    return key


def _thousands(value: float) -> str:
    if value >= 1_000_000:
        return f"{value / 1e6:.1f}M"
    return f"{value / 1000:,.0f}k" if value >= 1000 else f"{value:,.0f}"


def _tokens(report: SessionReport) -> Iterator[Element]:
    """Yield what the tokens went to, by kind, by tool and by file."""
    shares, root = report.measures.shares, report.diagnosis.session.root

    def tool(name: str) -> str:  # an output without its call has none
        return f"{visible(redact(name), 80) or 'unknown'} × {shares.uses[name]:,}"

    def file(path: str) -> str:
        return visible(redact(path.removeprefix(f"{root}/")), _PATH_CHARS)

    total = shares.kinds.total()
    if not total:
        yield element("p", "No text is in the transcript.")
        return
    said = "Estimated from characters; each text counts once, as it entered the context."
    yield element("p", said, class_="quiet")
    yield from _ranking("Tokens by kind", "Kind", shares.kinds, total, str)
    by_tool, by_file = "its calls and their outputs", "read, written and edited"
    yield from _ranking(f"Tokens by tool: {by_tool}", "Tool", shares.tools, total, tool)
    yield from _ranking(f"Tokens by file: {by_file}", "File", shares.files, total, file)


def _ranking(
    caption: str, head: str, counts: Counter[str], total: int, word: Callable[[str], str]
) -> Iterator[Element]:
    """Yield a table of bars, the largest first; of many, 15 and the sum of the others."""
    if not counts:
        return
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    rows = [(word(name), tokens) for name, tokens in ranked[:_TOP_ROWS] if tokens]
    rest = ranked[_TOP_ROWS:]
    if rest:
        rows.append((counted(len(rest), "other"), sum(tokens for _, tokens in rest)))
    longest = max((tokens for _, tokens in rows), default=1) or 1
    cells: list[tuple[Child, ...]] = [
        (name, f"{tokens:,}", f"{100 * tokens / total:.1f} %", bar(tokens / longest))
        for name, tokens in rows
    ]
    yield table(caption, (head, "Tokens", "Share", "Compared"), cells, frozenset({1, 2}))


def _hooks(report: SessionReport) -> Iterator[Element]:
    """Yield how long hooks took, as far as the client wrote it down."""
    hooks = sorted(report.measures.hooks.items(), key=lambda each: (-sum(each[1]), each[0]))
    if not hooks:
        said = (
            "Not recorded. The client writes the time of a hook into the transcript only when the"
            " hook printed something, and at the end of a turn."
        )
        yield element("p", said)
        return
    shown = [(*hook, runs, median(runs)) for hook, runs in hooks[:_TOP_ROWS]]
    longest = max(middle for *_, middle in shown) or 1
    rows: list[tuple[Child, ...]] = [
        (
            visible(redact(hook_label(event, command)), _HOOK_CHARS),
            f"{len(runs):,}",
            f"{middle:,.0f} ms",
            f"{max(runs):,.0f} ms",
            bar(middle / longest),
        )
        for event, command, runs, middle in shown
    ]
    heads = ("Hook", "Runs", "Median", "Longest", "Compared")
    caption = "Runs whose time the client wrote into the transcript: those that printed something"
    yield table(caption, heads, rows, frozenset({1, 2, 3}))
    if len(hooks) > len(rows):
        yield element("p", f"{counted(len(hooks) - len(rows), 'more hook')}.")


def show_compactions(compactions: Sequence[Compaction]) -> Iterator[Element]:
    """Yield the compactions in their order; the newest ones where not all have room."""
    if not compactions:
        yield element("p", "The session was not compacted so far.")
    shown: list[Element] = []
    limit_bytes = _COMPACTIONS_LIMIT_BYTES
    for compaction in reversed(compactions):
        is_open = len(shown) < _OPEN_COMPACTIONS
        article = element("article", *_told_of(compaction, is_open=is_open))
        limit_bytes -= size_of(article)
        if limit_bytes < 0 and shown:
            break
        shown.append(article)
    if left := len(compactions) - len(shown):
        yield _left_out(f"{counted(left, 'earlier compaction')} left out here")
    yield from reversed(shown)


def _left_out(what: str) -> Element:
    command = element("code", "diagnose --json")
    return element("p", f"{what}; ", command, " has them all.", class_="quiet")


def _told_of(compaction: Compaction, *, is_open: bool) -> Iterator[Element]:
    at = shown_time(compaction.boundary.timestamp) or "time unknown"
    yield element("h4", f"Compaction {compaction.number}: {at}")
    yield element("p", f"{boundary_in_short(compaction.boundary)}.")
    yield element("p", f"The state then: {state_counts(compaction.state)}.")
    for what, text in wanted_now(compaction.state):
        yield element("p", f"{_WANTED_THEN[what]}: “{visible(text)}”")
    yield from _summary(compaction, is_open=is_open)
    given = [
        f"Injected by {visible(each.hook or 'a hook', 60)}: {each.in_short}"
        + (f", {shown_time(each.at)}" if each.at else "")
        for each in compaction.injections
    ]
    injections = element("ul", *(element("li", each) for each in given))
    yield injections if given else element("p", "Injected: nothing.")
    yield element("p", f"Event: {compaction.event_in_short}.")


def _summary(compaction: Compaction, *, is_open: bool) -> Iterator[Element]:
    if compaction.losses is None:
        yield element("p", "The transcript has no summary of it.")
        return
    yield element("p", f"What the summary did: {compaction.losses.in_short}.")
    altered, kept, number = compaction.altered, compaction.kept, compaction.number
    if altered:
        lost, back = compaction.lost, compaction.brought_back
        counts = {"lost": lost, "changed": len(altered) - lost, "of them brought back": back}
        told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
        shown = _items(altered, f"Lost or changed at compaction {number}")
        yield details(f"Lost or changed: {told}", *shown, is_open=is_open)
    if kept:
        yield details(f"Kept: {len(kept)}", *_items(kept, f"Kept at compaction {number}"))


def _items(fates: Sequence[Fate], caption: str) -> Iterator[Element]:
    rows: list[tuple[Child, ...]] = []
    for fate in fates[:_ITEMS_LIMIT]:
        is_back = fate.beside == INJECTED
        word = FATE_WORDS[fate.label] + (", brought back" if is_back else "")
        gone = f" (without {', '.join(fate.missing)})" if fate.missing and not is_back else ""
        text = visible(fate.text) + visible(gone)
        label = f"fate fate-{'back' if is_back else fate.label}"
        kind = element("span", fate.kind, class_="kind")
        rows.append((kind, element("span", word, class_=label), text))
    yield table(caption, ("Kind", "What became of it", "In the words of the session"), rows)
    left = len(fates) - len(rows)
    if left:
        yield _left_out(f"{left} more")


def render_page(reports: Iterable[SessionReport]) -> str:
    """Return the page of sessions, in their order; of several, an overview comes first.

    Each report is let go before the next one is asked for, so that of many sessions from a
    generator one is in memory.
    """
    rows: list[Sequence[Child]] = []
    sections: list[Element] = []
    room = _SECTIONS_LIMIT_BYTES
    for number, report in enumerate(reports, 1):
        anchor = f"session-{number}"
        section = _show_session(report, anchor)
        fits = size_of(section) <= room or not sections
        if fits:
            room -= size_of(section)
            sections.append(section)
        rows.append(_overview_row(report, anchor if fits else ""))
    several = [_overview(rows, len(sections))] if len(rows) > 1 else []
    style = STYLE_SHEET.read_text(encoding="utf-8")
    # Its policy lets the page have this style sheet alone.
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    page = Template(STYLE_SHEET.with_name("page.html").read_text(encoding="utf-8"))
    shown = "".join(map(markup, (*several, *sections)))
    return page.substitute(style=style, digest=digest, report=shown)


def _show_session(report: SessionReport, anchor: str) -> Element:
    session = report.diagnosis.session
    heading = element("h2", f"Session {visible(session.id, 80)}", id=f"{anchor}-title")
    places = (
        visible(redact(place), _PATH_CHARS) for place in (session.root, str(session.transcript))
    )
    parts = {
        "Context over time": _context(report),
        "Where the tokens went": _tokens(report),
        "Compactions": show_compactions(report.diagnosis.compactions),
        "Todos over time": _todos(report),
        "Rules that a call broke": _rules_broken(report.diagnosis.rules_broken),
        "How long hooks took": _hooks(report),
        "Problems": _problems(report.diagnosis),
    }
    sections = ((title, list(part)) for title, part in parts.items())
    return element(
        "section",
        heading,
        element("p", " · ".join(places), class_="quiet"),
        element("p", _headline(report), class_="headline"),
        facts(_key_figures(report)),
        *(element("section", element("h3", title), *part) for title, part in sections if part),
        id=anchor,
        aria_labelledby=f"{anchor}-title",
    )


def _headline(report: SessionReport) -> str:
    """Return what compactions did to the session, in a sentence."""
    compactions = len(report.diagnosis.compactions)
    if not compactions:
        return "Not compacted so far."
    said = counted(compactions, "compaction")
    if not report.lost + report.changed:
        return f"{said}; nothing that was recorded was lost or changed."
    by = "its summary" if compactions == 1 else "their summaries"
    return f"{said}; {by} {_lost_or_changed(report.lost, report.changed, report.brought_back)}."


def _lost_or_changed(lost: int, changed: int, back: int) -> str:
    """Return how much summaries lost and changed, and how much of that came back, in words."""
    told = [f"lost {counted(lost, 'thing')}"] if lost else []
    told += [f"changed {counted(changed, 'thing')}"] if changed else []
    came = "all" if 1 < lost + changed == back else "it" if lost + changed == back else f"{back:,}"
    return " and ".join(told) + (f"; {came} came back" if back else "")


def _key_figures(report: SessionReport) -> Iterator[tuple[str, str]]:
    status, measures = report.status, report.measures
    if status is not None:
        yield "Context now", f"{status.usage_percentage:.0f} % of {status.max_tokens:,} tokens"
    yield "Most in the context", counted(report.peak_tokens, "token")
    yield "Responses", f"{len(measures.context):,}"
    yield "Compactions", f"{len(report.diagnosis.compactions):,}"
    yield "Lost by summaries", f"{report.lost:,}"
    yield "Changed by summaries", f"{report.changed:,}"
    yield "Brought back", f"{report.brought_back:,}"
    if report.overflows.checks:
        yield "Times the fill level was checked", f"{report.overflows.checks:,}"
        yield "Overflows avoided", str(report.overflows)
    yield "Began", shown_time(measures.began) or "unknown"
    yield "Last entry", shown_time(measures.ended) or "unknown"
    yield "Transcript", f"{report.diagnosis.size_bytes / 1e6:.1f} MB"


def _rules_broken(notices: Sequence[Mapping[str, Any]]) -> Iterator[Element]:
    """Yield the rules that a call broke, with the calls, as far as any did."""
    if notices:
        rows: list[tuple[Child, ...]] = []
        for notice in notices:
            rule, tool, call = (visible(redact(notice[key])) for key in ("text", "tool", "call"))
            tool_name = element("span", tool, class_="name")
            rows.append((shown_time(notice["at"]), rule, tool_name, call))
        told = "The model was told, or you were asked (as the setting guard says), once in a window"
        yield table(told, ("At", "Rule", "Tool", "Call"), rows)


def _problems(diagnosis: Diagnosis) -> Iterator[Element]:
    problems = [visible(redact(problem)) for problem in diagnosis.problems]
    if diagnosis.unreadable_lines:
        lines = counted(diagnosis.unreadable_lines, "line")
        problems.append(f"{lines} of the transcript could not be read.")
    if problems:
        yield element("ul", *(element("li", problem) for problem in problems))


def _overview(rows: Sequence[Sequence[Child]], shown: int) -> Element:
    heads = ("Session", "Began", "Most tokens", "Compactions", "Lost", "Changed", "Brought back",
             "Transcript")  # fmt: skip
    caption = f"{counted(len(rows), 'session')}, newest first"
    parts = [table(caption, heads, rows, frozenset({2, 3, 4, 5, 6, 7}))]
    if shown < len(rows):
        verb = "is" if shown == 1 else "are"
        note = f"{shown:,} {verb} shown below; name another one to see it."
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
        f"{report.changed:,}",
        f"{report.brought_back:,}",
        f"{diagnosis.size_bytes / 1e6:.1f} MB",
    )
