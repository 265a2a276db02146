"""A compaction that left little behind, and one that left very much."""

from dataclasses import replace
from pathlib import Path

from amplihack_compaction.cli.diagnosis import Compaction, current_objective, diagnose_session
from amplihack_compaction.cli.report.page import _lost_or_changed, show_compactions
from amplihack_compaction.cli.sessions import chosen_session
from amplihack_compaction.extract.statements import Objective, PromptRecord
from amplihack_compaction.validation.losses import Fate, LossReport
from amplihack_compaction.validation.matching.verdicts import Label
from tests.support.transcripts import Transcript


def compaction(project: Path, summary: str) -> Compaction:
    transcript = Transcript()
    transcript.user("Build the login page. Never push to main. Use port 8443.")
    transcript.assistant("Yes.")
    transcript.compact(summary)
    transcript.user("Go on.")
    for line in transcript.lines:
        line["cwd"] = str(project)
    path = transcript.write(project / "session.jsonl")
    return diagnose_session(chosen_session(str(path))).compactions[0]


def text_of(*compactions: Compaction) -> str:
    return "".join(text for part in show_compactions(compactions) for text in part.itertext())


def test_a_compaction_without_summary_and_injection_says_so(project: Path) -> None:
    bare = replace(compaction(project, "They talked."), losses=None, injections=[])
    said = text_of(bare)
    assert "The transcript has no summary of it." in said
    assert "Injected: nothing." in said


def test_what_has_no_room_in_a_table_is_counted(project: Path) -> None:
    made = compaction(project, "They talked.")
    assert made.losses
    many = replace(made, losses=LossReport(made.losses.items * 200))
    assert "more; diagnose --json has them all." in text_of(many)


def test_the_objective_is_that_which_the_model_is_told(project: Path) -> None:
    made = compaction(project, "They talked.")
    asked = PromptRecord(text="Now the footer.", offset=10**6, uuid="p1")
    state = replace(made.state, objective=Objective(text="Build the page."), prompts=(asked,))
    said = text_of(replace(made, state=state))
    assert "The objective then: “Now the footer.”It went on from: “Build the page.”" in said
    assert current_objective(state) == "Now the footer."
    done = replace(state, past_objectives=(Objective(text=asked.text, uuid=asked.uuid),))
    assert "Done by hand: “Now the footer.”" in text_of(replace(made, state=done))
    assert current_objective(done) == "Build the page."


def test_what_is_changed_and_not_lost_is_counted_in_headline_and_heading(project: Path) -> None:
    made = compaction(project, "They talked.")
    fates = (
        Fate("decision", Label.NEGATED, "Postgres", certainty=0.1),
        Fate("rule", Label.DROPPED, "Never push."),
        Fate("rule", Label.KEPT, "Use pnpm."),
    )
    assert [fate.is_lost for fate in fates] == [False, True, False]
    said = text_of(replace(made, losses=LossReport(fates)))
    assert "Lost or changed: 1 lost, 1 changed" in said
    assert "Kept: 1" in said
    assert _lost_or_changed(0, 1, 0) == "changed 1 thing"
    assert _lost_or_changed(2, 1, 1) == "lost 2 things and changed 1 thing; 1 came back"
    assert _lost_or_changed(2, 0, 2) == "lost 2 things; all came back"


def test_a_state_without_objective_and_losses_is_short(project: Path) -> None:
    made = compaction(project, "They talked.")
    nothing = replace(
        made, losses=LossReport(), state=replace(made.state, objective=None, prompts=())
    )
    said = text_of(nothing)
    assert "there was nothing to keep" in said
    assert "The objective then" not in said
