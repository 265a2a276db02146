"""Show what took the most: tokens by kind, tool and file, and the time of hooks."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from xml.etree.ElementTree import Element

from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.cli.report.markup import Child, bar, element, table, visible
from amplihack_compaction.cli.report.session import SessionReport
from amplihack_compaction.text.strings import counted

_TOP_ROWS = 15
_PATH_CHARS = 160
_COMMAND_CHARS = 120


def show_tokens(report: SessionReport) -> Element:
    """Return what the tokens went to, by kind, by tool and by file."""
    shares, root = report.measures.shares, report.diagnosis.session.root
    section = element("section", element("h3", "Where the tokens went"))
    total = shares.kinds.total()
    if not total:
        section.append(element("p", "No text is in the transcript."))
        return section
    said = "Estimated from characters; each text counts once, as it entered the context."
    section.append(element("p", said, class_="quiet"))
    section.append(_ranking("Tokens by kind", "Kind", shares.kinds, total, str))
    if shares.tools:
        caption = "Tokens by tool: its calls and their outputs"
        names = partial(_tool_name, uses=shares.uses)
        section.append(_ranking(caption, "Tool", shares.tools, total, names))
    if shares.files:
        caption = "Tokens by file: read, written and edited"
        paths = partial(_short_path, root=root)
        section.append(_ranking(caption, "File", shares.files, total, paths))
    return section


def _ranking(
    caption: str, head: str, counts: Counter[str], total: int, word: Callable[[str], str]
) -> Element:
    """Return a table of bars, the largest first; of many, 15 and the sum of the others."""
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
    return table(caption, (head, "Tokens", "Share", "Compared"), cells, frozenset({1, 2}))


def show_hooks(report: SessionReport) -> Element:
    """Return how long hooks took, as far as the client wrote it down."""
    title = element("h3", "How long hooks took")
    hooks = sorted(report.measures.hooks, key=lambda h: (-sum(h.runs_ms), h.event, h.command))
    if not hooks:
        said = (
            "Not recorded. The client writes the time of a hook into the transcript only when the"
            " hook printed something, and at the end of a turn."
        )
        return element("section", title, element("p", said))
    longest = max(hook.median_ms for hook in hooks[:_TOP_ROWS]) or 1
    rows: list[tuple[Child, ...]] = [
        (
            visible(hook.event, 60),
            f"{len(hook.runs_ms):,}",
            f"{hook.median_ms:,.0f} ms",
            f"{hook.longest_ms:,.0f} ms",
            bar(hook.median_ms / longest),
            element("code", visible(redact(hook.command), _COMMAND_CHARS)),
        )
        for hook in hooks[:_TOP_ROWS]
    ]
    heads = ("Event", "Runs", "Median", "Longest", "Compared", "Command")
    caption = "Runs whose time the client wrote into the transcript: those that printed something"
    note = (
        [element("p", f"{counted(len(hooks) - _TOP_ROWS, 'more command')}.")]
        if len(hooks) > len(rows)
        else []
    )
    return element("section", title, table(caption, heads, rows, frozenset({1, 2, 3})), *note)


def _tool_name(name: str, uses: Counter[str]) -> str:
    """Return a tool's name and how often it was called; outputs without a call have no name."""
    return f"{visible(redact(name), 80) or 'unknown'} × {uses[name]:,}"


def _short_path(path: str, root: str) -> str:
    inside = path.removeprefix(f"{root}/") if root else path
    return visible(redact(inside), _PATH_CHARS)
