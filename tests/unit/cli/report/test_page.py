"""The page of a report: whole, safe, the same each time, and never too large."""

import base64
import hashlib
import json
from pathlib import Path

import pytest

from amplihack_compaction.cli.report import page as page_module
from amplihack_compaction.cli.report.measures import SessionReport, gather_session
from amplihack_compaction.cli.report.page import PAGE_LIMIT_BYTES, render_page
from amplihack_compaction.cli.sessions import chosen_session
from amplihack_compaction.injection.receipts import claim
from tests.support.pages import Page, read_page
from tests.support.transcripts import SESSION, Transcript

STATE = "<!-- AMPLIHACK STATE -->\n- Never push to main.\n<!-- END -->"
HOSTILE = (
    '</script></style></svg><script>alert(1)</script><img src=x onerror="a"> &amp; \x1b[2J\u202e\0'
)


def gather(path: Path) -> SessionReport:
    return gather_session(chosen_session(str(path)))


def rendered(*reports: SessionReport) -> Page:
    return read_page(render_page(reports))


@pytest.fixture
def transcript(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    session = Transcript()
    session.user("Add a login page. Never push to main. Always write tests first.")
    todos = [
        {"content": "Write the form", "status": "completed", "activeForm": "x"},
        {"content": "Store the session cookie", "status": "in_progress", "activeForm": "x"},
    ]
    session.tool("TodoWrite", {"todos": todos[1:]})
    session.tool("Read", {"file_path": f"{project}/src/form.py"}, "def form(): ...\n" * 40)
    session.tool("TodoWrite", {"todos": todos})
    session.assistant("The form is there.")
    session.compact("The user wants a login page. Always write tests first.")
    session.attachment("hook_additional_context", content=[STATE], hookEvent="SessionStart")
    session.attachment(
        "hook_success", hookEvent="PreToolUse", command="check --token=abcd1234efgh", durationMs=31,
        toolUseID="t1",
    )  # fmt: skip
    session.user("Go on.")
    session.assistant("Yes.")
    for line in session.lines:
        line["cwd"] = str(project)
    return session.write(project / f"{SESSION}.jsonl")


def test_a_session_is_shown_with_all_that_happened_in_it(transcript: Path) -> None:
    report = gather(transcript)
    folder = report.diagnosis.session.folder
    start = report.diagnosis.compactions[0].window_start
    receipt = {"window_start": start, "event": "SessionStart", "at": "2026-11-21T21:00:00Z"}
    claim(folder, start, json.dumps(receipt).encode())
    page = rendered(gather(transcript))
    assert f"Session {SESSION}" in page.text
    headings = [
        "Context over time", "Where the tokens went", "Compactions", "Todos over time",
        "How long hooks took",
    ]  # fmt: skip
    assert [text for text in page.texts[page.texts.index(headings[0]) :] if text in headings] == (
        headings
    )
    assert "auto, 170,074 tokens before, 2,777 after." in page.text
    place = page.texts.index("Never push to main.")
    assert page.texts[place - 2 : place] == ["rule", "lost, brought back"]
    assert "Injected by SessionStart: 59 characters, delivered" in page.text
    assert "Lost or changed: 2 lost, 1 of them brought back" in page.text
    assert "src/form.py" in page.texts  # below the project's root
    assert "Read × 1" in page.texts
    assert "1 compaction; its summary lost 2 things; 1 came back." in page.text
    place = page.texts.index("PreToolUse (check)")
    assert page.texts[place : place + 4] == ["PreToolUse (check)", "1", "31 ms", "31 ms"]
    assert "abcd1234efgh" not in page.text


def test_the_charts_say_what_they_show_and_have_their_numbers_in_tables(transcript: Path) -> None:
    page = rendered(gather(transcript))
    images = [attributes for _, attributes in page.tags if attributes.get("role") == "img"]
    assert len(images) == 4  # context and todos, each wide and narrow
    assert all((attributes["aria-label"] or "").startswith("Line chart") for attributes in images)
    assert "1 open and 1 closed at the end" in str(images[2]["aria-label"])
    captions = [tag for tag, _ in page.tags].count("caption")
    scrolled = [attributes for _, attributes in page.tags if attributes.get("role") == "region"]
    assert len(scrolled) == captions
    assert all(attributes["tabindex"] == "0" for attributes in scrolled)
    assert all(attributes["aria-label"] for attributes in scrolled)


def test_nothing_but_the_pages_own_style_is_allowed(transcript: Path) -> None:
    html = render_page([gather(transcript)])
    page = read_page(html)
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    assert page.policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert "url(" not in page.style
    assert "@import" not in page.style
    assert "http" not in html.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_the_same_session_gives_the_same_bytes(transcript: Path) -> None:
    assert render_page([gather(transcript)]) == render_page([gather(transcript)])


def test_hostile_texts_stay_texts(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    session = Transcript(session_id=HOSTILE)
    session.user(f"Never use {HOSTILE} here. The goal is {HOSTILE}")
    session.tool(HOSTILE, {"file_path": HOSTILE}, HOSTILE)
    session.attachment("hook_success", hookEvent=HOSTILE, command=HOSTILE, durationMs=5)
    session.compact("The user said nothing.")
    session.attachment("hook_additional_context", content=[STATE + HOSTILE], hookEvent=HOSTILE)
    session.user("Go on.")
    for line in session.lines:
        line["timestamp"] = line["cwd"] = HOSTILE
    page = rendered(gather(session.write(project / "odd.jsonl")))
    assert "<script>alert(1)</script>" in page.text  # shown, as text
    assert "\x1b" not in page.text


def test_a_session_that_says_nothing_is_a_page_too(project: Path) -> None:
    path = project / "empty.jsonl"
    path.write_text('{"type":"user","uuid":"u","message":{"content":7}}\n{"torn\n')
    page = rendered(gather(path))
    assert "No response told its numbers." in page.text
    assert "No text is in the transcript." in page.text
    assert "The session was not compacted so far." in page.text
    assert "Todos over time" in page.text
    assert "Line chart of the todos" not in page.text
    assert page.text.count("Not recorded.") == 1
    assert "1 line of the transcript could not be read." in page.text


def test_rules_that_a_call_broke_are_listed(transcript: Path) -> None:
    report = gather(transcript)
    assert "Rules that a call broke" not in rendered(report).text
    told = {"at": "2026-11-21T21:00:00Z", "id": "r1", "text": "Never push to main.",
            "tool": "Bash", "call": "git push origin main", "window": 0}  # fmt: skip
    report.diagnosis.rules_broken.append(told)
    page = rendered(report)
    place = page.texts.index("git push origin main")
    assert page.texts[place - 2 : place] == ["Never push to main.", "Bash"]
    assert "`" not in page.text


def test_several_sessions_begin_with_an_overview(transcript: Path, project: Path) -> None:
    other = Transcript(session_id="another-session")
    other.user("Hello")
    other.assistant("Hello.")
    page = rendered(gather(transcript), gather(other.write(project / "another-session.jsonl")))
    assert page.texts.index("Sessions") < page.texts.index(f"Session {SESSION}")
    assert page.links == ["#report", "#session-1", "#session-2"]


def test_what_has_no_room_is_named(transcript: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "_SECTIONS_LIMIT_BYTES", 1000)
    page = rendered(*[gather(transcript)] * 3)
    assert page.links == ["#report", "#session-1"]
    assert "3 sessions, newest first" in page.text
    assert "1 is shown below; name another one to see it." in page.text


def test_many_compactions_of_many_sessions_stay_below_the_limit(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    monkeypatch.setattr(page_module, "_COMPACTIONS_LIMIT_BYTES", 60_000)
    session = Transcript()
    for number in range(10):
        for rule in range(4):
            session.user(f"Never use <library & {number} {rule}> in here, {'<&>' * 90}.")
            session.assistant("Right.")
        session.compact("Nothing was said.")
    report = gather(session.write(project / f"{SESSION}.jsonl"))
    html = render_page(report for _ in range(25))
    page = read_page(html)
    assert len(html.encode()) < PAGE_LIMIT_BYTES
    assert "are shown below; name another one to see it." in page.text
    assert "earlier compactions left out here" in page.text
    assert "Compaction 10: 2026" in page.text
    assert "Compaction 1: 2026" not in page.text
