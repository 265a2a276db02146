"""The command `report` as a process, and its page in a real browser."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from amplihack_compaction.base.paths import session_folder
from tests.support.browser import MISSING, Browser, open_browser
from tests.support.captured import session as captured_session
from tests.support.commands import run_command
from tests.support.pages import read_page
from tests.support.processes import CHECKOUT, Answer, environment
from tests.support.transcripts import SESSION, Transcript

TAB, ENTER, SPACE = "\ue004", "\ue007", " "
LEAST_CONTRAST = 4.5  # WCAG 2.2, level AA, for text
HOSTILE = (
    '</script></style></svg><script>document.title="taken over"</script><img src=http://a.b/c>'
)


def report(project: Path, *arguments: object) -> Answer:
    return run_command("report", *map(str, arguments), env=environment(project), cwd=CHECKOUT)


def hostile_session(path: Path) -> Path:
    session = Transcript()
    session.user(f"Never use {HOSTILE}. Always write tests first.")
    entries = [{"content": f"Step {number} {HOSTILE}", "status": "pending"} for number in range(3)]
    session.tool("TodoWrite", {"todos": entries})
    session.tool("Read", {"file_path": f"/src/{HOSTILE}"}, HOSTILE * 20)
    session.tool(HOSTILE, {}, HOSTILE)
    for number in range(30):
        session.tool("Bash", {"command": f"make {number}"}, "x" * 100 * number)
    session.attachment("hook_success", hookEvent="Stop", command=HOSTILE, durationMs=12)
    session.compact("The user wants something.")
    session.user("Go on.")
    session.assistant("Yes.")
    return session.write(path)


def test_a_real_session_becomes_a_page(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    done = report(project, captured_session("auto_compact_x3"), "--out", out)
    assert (done.stdout, done.stderr, done.code) == (f"{out}\n", "", 0)
    page = read_page(out.read_text(encoding="utf-8"))
    assert page.text.count("Event: recorded") + page.text.count("Event: none recorded") == 3
    assert "Line chart" not in page.text  # said to screen readers alone
    again = report(project, captured_session("auto_compact_x3"), "--out", "-")
    assert again.stdout == out.read_text(encoding="utf-8")


def test_help_loads_no_command_and_no_library(project: Path) -> None:
    code = (
        "import sys; from amplihack_compaction.cli import app; "
        "print([name for name in ('pydantic', 'rich') if name in sys.modules]); "
        "rooms = {name.split('.')[1] for name in sys.modules if name.count('.')"
        " and name.startswith('amplihack_compaction.')}; print(sorted(rooms)); "
        "print([name for name in sys.modules if '.cli.commands.' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=CHECKOUT, env=environment(project), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "[]\n['base', 'cli', 'text']\n[]\n"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if MISSING:
        pytest.skip(f"not run: {MISSING}")
    with open_browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a report of a session whose texts try to be markup."""
    folder = tmp_path_factory.mktemp("report")
    out, kept = folder / "report.html", session_folder(str(folder), SESSION)
    Path(kept, "receipts").mkdir(parents=True)
    code = (  # in a process, since what it writes is signed by a key in its home
        "import sys; from amplihack_compaction.ledger.guard import GuardedRule, take_notice;"
        " rule = GuardedRule(id='r1', text='Never push to main; open a pull request. ' * 3);"
        " take_notice(sys.argv[1], 0, rule, 'Bash', 'git push --force origin main', asked=False)"
    )
    command = [sys.executable, "-c", code, kept]
    subprocess.run(command, cwd=CHECKOUT, env=environment(folder), check=True)
    done = report(folder, hostile_session(folder / f"{SESSION}.jsonl"), "--out", out)
    assert done.code == 0, done.stderr
    return out


@pytest.fixture
def shown(browser: Browser, page: Path) -> Browser:
    browser.screen(1000, 800)
    browser.prefer()
    browser.show(page)
    return browser


def test_the_page_loads_nothing_and_runs_nothing(shown: Browser) -> None:
    assert shown.complaints() == []
    assert shown.run("document.title") == "Compaction report"
    assert shown.run("document.scripts.length") == 0
    assert shown.run("performance.getEntriesByType('resource').length") == 0
    assert shown.run("document.images.length") == 0
    assert shown.run("document.querySelector('h1').getBoundingClientRect().height > 10")


def test_colours_follow_the_reader_and_the_switch(shown: Browser) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = shown.run(background)
    shown.prefer(colors="dark")
    dark = shown.run(background)
    assert dark != light
    shown.click("#theme-light")
    assert shown.run(background) == light
    shown.prefer(colors="light")
    shown.click("#theme-dark")
    assert shown.run(background) == dark
    shown.prefer(colors="light", media="print")
    assert shown.run(background) == light
    assert shown.run("getComputedStyle(document.querySelector('fieldset')).display") == "none"


CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const light = color => {
    canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    const part = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const behind = node => {
    for (let at = node; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (color !== 'rgba(0, 0, 0, 0)') return color;
    }
  };
  const texts = [...document.querySelectorAll('body *')].filter(node =>
    [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim()) &&
    getComputedStyle(node).display !== 'none');
  return texts.map(node => {
    const style = getComputedStyle(node);
    const ink = node.closest('svg') ? style.fill : style.color;
    const [a, b] = [light(ink), light(behind(node))].sort((x, y) => y - x);
    return [(a + 0.05) / (b + 0.05), node.tagName + ': ' + node.textContent.slice(0, 40)];
  });
})()"""


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_every_text_can_be_read_on_its_ground(shown: Browser, colors: str) -> None:
    shown.prefer(colors=colors)
    ratios = shown.run(CONTRAST)
    assert len(ratios) > 100
    assert [row for row in ratios if row[0] < LEAST_CONTRAST] == []


def test_a_phone_shows_it_without_scrolling_sideways(shown: Browser) -> None:
    display = "getComputedStyle(document.querySelector('.chart.{}')).display"
    assert shown.run(display.format("wide")) == "block"
    assert shown.run(display.format("narrow")) == "none"
    shown.screen(360, 740)
    assert shown.run("document.documentElement.scrollWidth") == 360
    assert shown.run(display.format("wide")) == "none"
    assert shown.run(display.format("narrow")) == "block"
    size = "document.querySelector('.chart.narrow text').getBoundingClientRect().height"
    assert shown.run(size) >= 9


@pytest.mark.parametrize("width", [400, 1200])
def test_the_name_of_a_tool_stands_in_one_line(shown: Browser, width: int) -> None:
    shown.screen(width, 800)
    assert shown.run("document.querySelector('td .name').getClientRects().length") == 1


def test_what_a_summary_lost_fits_a_phone_and_what_does_not_fit_shows_it(shown: Browser) -> None:
    shown.screen(400, 800)
    box = "document.querySelector('article details[open] .scroll')"
    assert shown.run(f"{box}.scrollWidth - {box}.clientWidth") <= 0
    assert shown.run(f"getComputedStyle({box}).backgroundAttachment").count("scroll") == 2


def test_all_of_it_can_be_reached_by_keyboard(shown: Browser) -> None:
    focused = "document.activeElement.className || document.activeElement.tagName"
    shown.press(TAB)
    assert shown.run(focused) == "skip"
    shown.press(TAB)
    assert shown.run("document.activeElement.id") == "theme-auto"
    shown.press(TAB)
    assert shown.run(focused) == "SUMMARY"
    opened = "document.activeElement.parentElement.open"
    assert shown.run(opened) is False
    shown.press(ENTER)
    assert shown.run(opened) is True
    shown.press(TAB)
    assert shown.run(focused) == "scroll"
    shown.press(TAB)
    assert shown.run(focused) == "scroll"  # the next table


def test_screen_readers_are_told_what_charts_show(shown: Browser) -> None:
    chart = shown.find(".chart.wide")
    assert shown.ask("GET", f"element/{chart}/computedrole") in ("image", "img")
    label = shown.ask("GET", f"element/{chart}/computedlabel")
    assert label.startswith("Line chart of the context's tokens over 34 responses")
    table = shown.find("section > .scroll table")  # what is folded away has no role
    assert shown.ask("GET", f"element/{table}/computedrole") == "table"
    switch = shown.find("#theme-dark")
    assert shown.ask("GET", f"element/{switch}/computedlabel") == "dark"
    assert shown.run("document.querySelectorAll('th:not([scope])').length") == 0


def test_it_can_be_printed(shown: Browser) -> None:
    assert shown.pdf().startswith(b"%PDF-")
