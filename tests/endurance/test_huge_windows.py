"""A window of extreme size is bounded, and what its bounds leave out is said."""

from pathlib import Path

from tests.support.processes import log_of
from tests.support.sessions import Session


def test_what_the_bounds_of_a_huge_window_drop_is_logged_once(project: Path) -> None:
    session = Session(project)
    session.compact()
    assert log_of(session.project) == []
    for part in range(11):
        rules = "\n".join(f"- Never touch module{part}x{n}." for n in range(40))
        session.transcript.user(f"Rules:\n{rules}")
    for number in range(1_000):
        session.transcript.user(f"look at part {number}")
    session.compact()
    (line,) = log_of(session.project)
    assert line.endswith(
        "of a window of extreme size these were left out: the oldest 11 of 1011 prompts"
    )
    for part in range(11):
        rules = "\n".join(f"- Never move widget{part}x{n}." for n in range(40))
        session.transcript.user(f"Rules:\n{rules}")
    session.compact()
    assert log_of(session.project)[-1].endswith("left out: rules beyond the newest 400")
