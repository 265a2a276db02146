"""Record the picture of the README: a session in the real client, without the hooks and with them.

    python -m tests.e2e.record OUT.svg       needs the client (fetch_client.sh) and pyte

The model is scripted: it acts on a rule when the rule is in what it is sent, and only then.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from . import terminal
from .client import Client, Setup
from .conftest import BINARIES, REPOSITORY
from .installation import installed_in
from .request import Request
from .scenarios import Exchange, Window, compacting_session

COLUMNS, ROWS = 62, 26
LAST, SECONDS = 3, 20
"""The last frame stands still for as long as three."""
CHARACTER, LINE, GAP = 7.3, 16, 24
RULE = "Never push to main."
NOTHING = "The user and the assistant talked about the project."


def main() -> None:
    """Write the picture."""
    terminal.ROWS, terminal.COLUMNS = ROWS, COLUMNS
    terminal.Terminal = _Watched  # type: ignore[misc]
    binary = Path(os.environ.get("CLAUDE_BIN") or sorted(REPOSITORY.glob(BINARIES))[0])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        installed = installed_in(folder / "installed").into
        drawn = [play(binary, folder / title, setup) for title, setup in
                 (("without", None), ("with", installed))]  # fmt: skip
    panes = [frames(each) for each in drawn]
    Path(sys.argv[1]).write_text("".join(picture(panes)), encoding="utf-8")


def frames(drawn: Sequence[bytes]) -> list[list[str]]:
    """Return the screen's lines after each turn, of all that was drawn until then."""
    import pyte

    found = []
    for until in drawn[1:]:
        display = pyte.Screen(COLUMNS, ROWS)
        pyte.ByteStream(display).feed(until)
        found.append([line.rstrip() for line in display.display])
    return found


class _Watched(terminal.Terminal):
    """Keeps what was drawn by the end of each turn; between, the screen is torn."""

    turns: list[bytes]

    def _settle(self, waiting_for: str, seconds: float, first: bytes = b"") -> None:
        super()._settle(waiting_for, seconds, first)
        self.turns.append(bytes(self._drawn))


def play(binary: Path, root: Path, setup: Setup | None) -> list[bytes]:
    """Return what was drawn by the end of each turn of a session that is compacted twice."""
    windows = [
        Window(
            [Exchange(f"{RULE} Build the login page.", [], "The login page is there.")], NOTHING
        ),
        Window([Exchange("Add rate limiting.", [], "It is limited to 5 a minute.")], NOTHING),
        Window([Exchange("Ship it.")]),
    ]
    scenario = compacting_session(windows, how="manual")
    scenario.script.main = [*scenario.script.main[:-1], ship]
    client = Client(binary, root, scenario.script, setup=setup, env=scenario.env)
    _Watched.turns = []
    client.run(scenario.turns, interactive=True)
    place = str(client.project).encode()
    return [drawn.replace(place, b"~/shop") for drawn in _Watched.turns]


def ship(request: Request) -> str:
    """Return what the model says: by the rule, if it was told."""
    if RULE in request.text():
        return "I opened a pull request: you said never to push to main."
    return "Done: I pushed it to main."


def picture(panes: Sequence[Sequence[Sequence[str]]]) -> Iterator[str]:
    """Yield the parts of an SVG that shows the panes beside each other, frame after frame."""
    width, height = COLUMNS * CHARACTER, (ROWS + 2) * LINE
    whole = 2 * width + 3 * GAP
    count = len(panes[0])
    frame, share = SECONDS / (count + LAST - 1), 100 / (count + LAST - 1)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole:.0f} {height + 2 * GAP}">'
        "<style>text{font:12px monospace;fill:#d6dae0;white-space:pre}"
        ".t{fill:#8fb8ff;font-weight:bold}"
        f"g.f{{opacity:0;animation:f {SECONDS}s step-end infinite}}"
        f"@keyframes f{{0%{{opacity:1}}{share:.3f}%{{opacity:0}}}}"
        f"g.l{{animation-name:l}}@keyframes l{{0%{{opacity:1}}{LAST * share:.3f}%{{opacity:0}}}}"
        "</style><rect width='100%' height='100%' rx='8' fill='#16181b'/>"
    )
    for place, (title, frames) in enumerate(zip(("stock", "with the hooks"), panes, strict=True)):
        left = GAP + place * (width + GAP)
        yield f"<text class='t' x='{left:.0f}' y='{GAP}'>{title}</text>"
        for number, lines in enumerate(frames):
            kind = "f l" if number == count - 1 else "f"
            yield f"<g class='{kind}' style='animation-delay:{number * frame - SECONDS:.2f}s'>"
            for row, line in enumerate(lines):
                if line:
                    y = GAP + (row + 2) * LINE
                    yield f"<text x='{left:.0f}' y='{y}'>{escape(line)}</text>"
            yield "</g>"
    yield "</svg>\n"


if __name__ == "__main__":
    main()
