"""Write a feature's context files as a project collects them: notes, logs, diffs, decisions.

Deterministic: the same seed gives the same folder. What a person wrote and what programs printed
stand beside each other in the proportions of a folder that was never tidied up.
"""

import json
from random import Random

PARTS = "ledger parser invoice billing session cache router worker report export import".split()
VERBS = "load save merge check build fetch split render retry expire match count".split()
NOUNS = "order total page token batch row queue header lease draft cursor record".split()
PACKAGES = (
    "aiohttp attrs click fastapi httpx jinja2 numpy pillow pydantic redis rich urllib3".split()
)
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class Writer:
    """Writes a folder's texts from one source of chance."""

    def __init__(self, seed: int = 11) -> None:
        self.random = Random(seed)

    def name(self) -> str:
        pick = self.random.choice
        return f"{pick(VERBS)}_{pick(NOUNS)}_{self.random.randint(1, 99)}"

    def number(self, most: int) -> int:
        return self.random.randint(1, most)

    def path(self) -> str:
        pick = self.random.choice
        return f"src/{pick(PARTS)}/{pick(VERBS)}_{pick(NOUNS)}.py"

    def prose(self, sentences: int) -> str:
        pick = self.random.choice
        made = [
            pick(
                (
                    f"The {pick(PARTS)} holds each {pick(NOUNS)} until the {pick(NOUNS)} is gone,"
                    f" which took {self.random.randint(2, 90)} minutes to see.",
                    f"I looked at `{self.path()}` and moved the {pick(NOUNS)} into"
                    f" `{self.name()}`, so that the {pick(PARTS)} can {pick(VERBS)} it.",
                    f"What is left of the {pick(NOUNS)} belongs to the {pick(PARTS)}.",
                    f"Anna wants the {pick(NOUNS)} in the {pick(PARTS)} before we {pick(VERBS)}"
                    f" {self.random.randint(2, 9)} more.",
                )
            )
            for _ in range(sentences)
        ]
        return " ".join(made)

    def pytest(self, tests: int, failures: int = 2) -> str:
        lines = [
            "=" * 29 + " test session starts " + "=" * 29,
            "platform linux -- Python 3.12.4, pytest-8.3.3, pluggy-1.5.0 -- /usr/bin/python3",
            "rootdir: /home/anna/shop",
            "plugins: cov-6.0.0, asyncio-0.24.0",
            f"collected {tests} items",
            "",
        ]
        for number in range(tests):
            name = f"tests/test_{self.random.choice(PARTS)}.py::test_{self.name()}"
            verdict = "FAILED" if number < failures else "PASSED"
            lines.append(f"{name} {verdict:<8} [{100 * (number + 1) // tests:>3}%]")
        if failures:
            lines += ["", "=" * 35 + " FAILURES " + "=" * 35]
        for _ in range(failures):
            name = self.name()
            lines += [
                f"_____________________________ test_{name} _____________________________",
                "",
                f"    def test_{name}():",
                f"        book = make_book({self.random.randint(1, 9)})",
                f">       assert book.total == {self.random.randint(10, 99)}",
                f"E       AssertionError: assert {self.random.randint(100, 999)} == 41",
                f"E        +  where 7 = Book({self.random.randint(1, 9)}).total",
                "",
                f"tests/test_{self.random.choice(PARTS)}.py:{self.number(200)}: AssertionError",
            ]
        seconds = self.random.uniform(1, 60)
        told = f"{failures} failed, " if failures else ""
        lines.append(f"{'=' * 20} {told}{tests - failures} passed in {seconds:.2f}s {'=' * 20}")
        return "\n".join(lines)

    def diff(self, files: int, lines_each: int) -> str:
        lines = []
        for _ in range(files):
            path, start = self.path(), self.random.randint(1, 400)
            lines += [
                f"diff --git a/{path} b/{path}",
                f"index {self.number(2**28):07x}..{self.number(2**28):07x} 100644",
                f"--- a/{path}",
                f"+++ b/{path}",
                f"@@ -{start},{lines_each} +{start},{lines_each} @@ def {self.name()}(self):",
            ]
            for number in range(lines_each):
                sign = " +-"[number % 3]
                lines.append(f"{sign}        {self.name()} = self.{self.name()}({number})")
                if sign == "-":
                    lines.append(f"+        {self.name()} = None")
            lines.pop()
        return "\n".join(lines)

    def source(self, functions: int) -> str:
        pick = self.random.choice
        lines = ["import json", "from pathlib import Path", ""]
        for _ in range(functions):
            lines += [
                f"def {self.name()}(path: Path, limit: int = {self.number(99)}) -> list[str]:",
                f'    """Return each {pick(NOUNS)} of a {pick(PARTS)}."""',
                "    found = json.loads(path.read_text())",
                f"    return [row for row in found if row['{self.random.choice(NOUNS)}'] < limit]",
                "",
            ]
        return "\n".join(lines)

    def read(self, functions: int) -> str:
        return "\n".join(
            f"{number:>6}→{line}"
            for number, line in enumerate(self.source(functions).split("\n"), 1)
        )

    def glob(self, paths: int) -> str:
        return "\n".join(sorted(self.path() for _ in range(paths)))

    def npm(self, lines: int) -> str:
        made = ["$ npm install"]
        for _ in range(lines):
            package = self.random.choice(PACKAGES)
            made.append(
                f"npm http fetch GET 200 https://npm.example/{package} {self.number(900)}ms"
            )
        made.append("npm warn deprecated inflight@1.0.6: This module is not supported")
        made.append(f"added {lines} packages, and audited {lines + 3} packages in 14s")
        return "\n".join(made)

    def server_log(self, lines: int) -> str:
        made = []
        for number in range(lines):
            level = "ERROR" if number % 97 == 50 else "INFO"
            made.append(
                f"2025-03-{1 + number // 400:02} 10:{number // 60 % 60:02}:{number % 60:02},"
                f"{self.random.randint(100, 999)} {level} {self.random.choice(PARTS)}:"
                f" {self.random.choice(VERBS)} {self.name()} took {self.random.randint(1, 900)} ms"
            )
        return "\n".join(made)

    def base64(self, chars: int) -> str:
        return "".join(self.random.choices(BASE64, k=chars))

    def trace(self, frames: int) -> str:
        lines = ["Traceback (most recent call last):"]
        for _ in range(frames):
            lines += [
                f'  File "/home/anna/{self.path()}", line {self.number(400)}, in {self.name()}',
                f"    return self.{self.name()}(request, {self.random.randint(1, 9)})",
            ]
        return "\n".join([*lines, f"KeyError: '{self.random.choice(NOUNS)}'"])


def fenced(text: str, info: str = "") -> str:
    return f"```{info}\n{text}\n```"


def progress(writer: Writer, days: int) -> str:
    again = writer.pytest(60, 0)
    parts = ["---", "feature: billing", "owner: anna", "---", "", "# Progress", ""]
    for day in range(1, days + 1):
        parts += [f"## 2025-03-{day:02}", "", writer.prose(14), "", "Bash output:", ""]
        parts += [fenced(writer.pytest(90) if day % 2 else again), "", writer.prose(3), ""]
        parts += ["Decision: keep the ledger append-only because audits need it.", ""]
        parts += [f"- [x] {writer.name()} written", f"- [ ] {writer.name()} reviewed", ""]
        parts += [fenced(writer.diff(3, 40), "diff"), "", writer.prose(12), ""]
    return "\n".join(parts) + "\n"


def research(writer: Writer, topics: int) -> str:
    parts = ["# Research", ""]
    shared = writer.prose(8)
    for number in range(topics):
        parts += [f"## Topic {number}: {writer.name()}", "", writer.prose(16), ""]
        parts += [f"Read tool output: ({writer.path()})", fenced(writer.read(28), "python"), ""]
        parts += ["Glob results:", writer.glob(40), "", shared, ""]
        parts += [fenced(writer.source(8), "python"), "", fenced(writer.trace(14)), ""]
        parts += ["Never change the shape of an invoice that was sent.", "", writer.prose(6), ""]
    parts += ["![chart](data:image/png;base64," + writer.base64(6_000) + ")", ""]
    return "\n".join(parts)


def tasks(writer: Writer, count: int) -> str:
    lines = ["# Tasks", "", "## Open", ""]
    lines += [f"- [ ] {writer.prose(1)}" for _ in range(count)]
    lines += ["", "## Done", "", *(f"- [x] {writer.prose(1)}" for _ in range(count))]
    lines += [
        "",
        "## Next steps",
        "",
        "1. Write the export of drafts.",
        "2. Ask Anna for the totals.",
    ]
    return "\n".join(lines) + "\n"


def decisions(writer: Writer, count: int) -> str:
    parts = ["# Decisions", ""]
    for number in range(1, count + 1):
        parts += [f"## ADR-{number:03}: {writer.name()}", "", "Status: accepted", ""]
        parts += [writer.prose(5), ""]
    return "\n".join(parts) + "\n"


def feature_folder(scale: int = 1, seed: int = 11) -> dict[str, str]:
    """Return a folder's files by name: about 100,000 tokens at scale 1."""
    writer = Writer(seed)
    state = {
        "objective": "Move billing to the new ledger",
        "status": "in_progress",
        "phase": "build",
    }
    return {
        "progress.md": progress(writer, 9 * scale),
        "research.md": research(writer, 9 * scale),
        "tasks.md": tasks(writer, 30 * scale),
        "decisions.md": decisions(writer, 8 * scale),
        "state.json": json.dumps(state, indent=2) + "\n",
        "install.txt": writer.npm(120 * scale) + "\n",
        "server.log": writer.server_log(420 * scale) + "\n",
    }
