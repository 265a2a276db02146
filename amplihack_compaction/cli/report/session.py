"""Gather all that the report shows of one session."""

from dataclasses import dataclass

from amplihack_compaction.base.settings.settings import load_settings
from amplihack_compaction.cli.diagnosis.diagnosis import Diagnosis, diagnose_session
from amplihack_compaction.cli.report.measures import Measures
from amplihack_compaction.cli.sessions import Session
from amplihack_compaction.context.levels import CompactionLevel, ContextStatus, compaction_config
from amplihack_compaction.context.meter import read_status


@dataclass(frozen=True, slots=True)
class SessionReport:
    """A session's compactions, its course, and how full its context is now.

    `status` is None while no response told its numbers; `levels` are those that are told.
    """

    diagnosis: Diagnosis
    measures: Measures
    status: ContextStatus | None
    levels: tuple[CompactionLevel, ...]

    @property
    def peak_tokens(self) -> int:
        """The most that the context held after a response; 0 when none told its numbers."""
        return max((point.tokens for point in self.measures.context), default=0)

    @property
    def lost(self) -> int:
        """How many items the summaries of all compactions lost."""
        return sum(compaction.lost for compaction in self.diagnosis.compactions)

    @property
    def brought_back(self) -> int:
        """How many of those an injection brought back."""
        return sum(compaction.brought_back for compaction in self.diagnosis.compactions)


def gather_session(session: Session) -> SessionReport:
    """Return what is known of a session. Raises TranscriptError when it cannot be read."""
    measures = Measures()
    diagnosis = diagnose_session(session, measures.take)
    settings = load_settings(session.root)[0]
    try:
        status = read_status(session.root, session.id, str(session.transcript), settings=settings)
    except OSError:  # gone since it was read
        status = None
    levels = tuple(each for each in compaction_config(settings).thresholds if each.threshold > 0)
    return SessionReport(diagnosis, measures, status, levels)
