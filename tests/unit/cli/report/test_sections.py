"""A compaction that left little behind, and one that left very much."""

from dataclasses import replace
from pathlib import Path

from amplihack_compaction.cli.diagnosis import Compaction, diagnose_session
from amplihack_compaction.cli.report.page import show_compactions
from amplihack_compaction.cli.sessions import chosen_session
from amplihack_compaction.validation.losses import LossReport
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


def test_a_state_without_objective_and_losses_is_short(project: Path) -> None:
    made = compaction(project, "They talked.")
    nothing = replace(made, losses=LossReport(), state=replace(made.state, objective=None))
    said = text_of(nothing)
    assert "there was nothing to keep" in said
    assert "The objective then" not in said
