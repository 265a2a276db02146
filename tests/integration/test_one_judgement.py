"""Stop, `validate`, `diagnose` and the report say the same of the same compactions."""

import json
import os
import re
from pathlib import Path

import pytest

from tests.support.commands import run_command
from tests.support.processes import environment
from tests.support.sessions import RULE, Session

TODOS = ["Write the docs", "Add an index on orders.customer_id", "Rename the settings module"]
SUMMARIES = {
    "keeps nothing": "The conversation was about several things.",
    "keeps all": f"Build the login page. The user said: {RULE} Still to do: write the docs, add an"
    " index on orders.customer_id, rename the settings module. Check with `pytest -q`. The service"
    " is at https://example.com:8443/x.",
    "changes one thing": f"Build the login page. The user said: {RULE} Still to do: write the docs,"
    " add an index on invoices.customer_id. Check with `pytest -q`.",
    "turns a rule round": "Build the login page, push to main. Still to do: the docs.",
}


CASES = [(name, "") for name in SUMMARIES] + [("keeps nothing", RULE)]


@pytest.mark.parametrize(("name", "injected"), CASES)
def test_all_four_tell_the_same_of_a_compaction(project: Path, name: str, injected: str) -> None:
    session, summary = Session(project), SUMMARIES[name]
    session.transcript.tool(
        "TodoWrite", {"todos": [{"content": text, "status": "pending"} for text in TODOS]}
    )
    session.pre_compact()
    session.post_compact(summary)
    session.boundary(injected, summary)
    session.transcript.user("Go on.")
    session.transcript.assistant("Going on.")
    guidance = session.stop().context
    session.transcript.write(session.path)

    def run(*words: str) -> str:
        done = run_command(*words, env=environment(project, HOME=os.environ["HOME"]), cwd=project)
        assert "Traceback" not in done.stderr
        return done.stdout

    validated = json.loads(run("validate", str(session.path), "--json"))
    diagnosed = json.loads(run("diagnose", str(session.path), "--json"))["compactions"][-1]
    page = project / "report.html"
    run("report", str(session.path), "--out", str(page))

    judged = {(i["kind"], i["text"]): i for i in validated["losses"]["items"]}
    by_diagnose = {(i["kind"], i["text"]): i for i in diagnosed["items"]}
    assert judged.keys() == by_diagnose.keys()
    assert {k: i["label"] for k, i in judged.items()} == {
        k: i["label"] for k, i in by_diagnose.items()
    }
    lost = {key for key, item in by_diagnose.items() if item["lost"]}
    assert diagnosed["counts"] == validated["losses"]["counts"]
    assert f"{len(lost)} of {len(judged)} items lost" in page.read_text()
    told = [key for key, item in judged.items() if item["lost"] and not item["beside"]]
    assert set(told) <= lost
    for kind, text in told:
        assert text in guidance or kind == "value"
    worth = [text for kind, text in told if kind != "value"]
    assert bool(guidance) == bool(worth)
    assert validated["outcome"] == ("lost" if worth else "passed")
    for text in worth:
        assert any(text in warning for warning in validated["warnings"])
    brought = {key for key, item in by_diagnose.items() if item["brought_back"]}
    assert brought.isdisjoint(told)
    assert not re.search(r"in nothing that the model", guidance)
