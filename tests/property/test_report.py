"""Any transcript gives a page that is whole and harmless."""

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.cli.report.charts import element, markup, visible
from amplihack_compaction.cli.report.measures import gather_session
from amplihack_compaction.cli.report.page import PAGE_LIMIT_BYTES, render_page
from amplihack_compaction.cli.sessions import chosen_session
from tests.property.test_pipeline import mutated_line
from tests.support.pages import Page, read_page
from tests.support.transcripts import Transcript

MARKUP = ["</script>", "<script>", "-->", "<!--", "]]>", "&lt;", '"', "'", "<svg onload=x>", "\0"]
texts = st.text(max_size=60) | st.lists(st.sampled_from(MARKUP) | st.text(max_size=9)).map("".join)
lines = st.lists(st.binary(max_size=80) | mutated_line(), max_size=25)
quick = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=40,
)


def page_of(path: Path) -> Page | None:
    try:
        html = render_page([gather_session(chosen_session(str(path)))])
    except TranscriptError:
        return None
    assert len(html.encode()) < PAGE_LIMIT_BYTES
    return read_page(html)


@quick
@given(content=lines)
def test_any_lines_give_a_page_or_a_reason(content: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\n".join(content))
    page_of(path)


@quick
@given(said=st.lists(texts, min_size=8, max_size=8))
def test_texts_in_every_place_stay_texts(said: list[str], tmp_path: Path) -> None:
    prompt, tool, path, output, hook, command, session_id, moment = said
    session = Transcript(session_id=session_id)
    session.user(f"Never use {prompt}. {prompt}")
    call = [
        {"id": "t1", "name": tool, "input": {"file_path": path, "todos": [{"content": prompt}]}}
    ]
    session.assistant(prompt, call)
    session.user([{"type": "tool_result", "tool_use_id": "t1", "content": output}])
    session.attachment("hook_success", hookEvent=hook, command=command, durationMs=3)
    session.compact(output)
    session.user(prompt)
    for line in session.lines[1:]:
        line["timestamp"] = moment
        line["cwd"] = path
    transcript = tmp_path / "t.jsonl"
    transcript.write_text("".join(json.dumps(line) + "\n" for line in session.lines))
    assert page_of(transcript) is not None


@given(text=st.text(), value=st.text())
def test_an_element_says_what_it_was_given(text: str, value: str) -> None:
    parsed = Page()
    parsed.feed(markup(element("p", text, " end", class_=value)))
    parsed.close()
    shown: dict[str, Any] = dict(parsed.tags[0][1])
    assert parsed.tags[0][0] == "p"
    assert len(parsed.tags) == 1
    assert len(str(shown["class"])) == len(value)
    assert "".join(parsed.texts).endswith(" end")
    assert visible(text, 40).isprintable()
    assert len(visible(text, 40)) <= 40
