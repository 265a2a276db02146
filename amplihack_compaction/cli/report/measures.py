"""What the report shows of a session, measured: its context, hooks, tokens, compactions.

Where the tokens went is estimated from characters, by the line of the model's family without its
base: of what a text adds when it enters the context. Texts stay in the context and are sent again
with every request, which is not counted.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.cli.diagnosis import Diagnosis, diagnose_session
from amplihack_compaction.cli.sessions import Session, hook_traces
from amplihack_compaction.clients.reading import content_characters, text_characters, usage_of
from amplihack_compaction.clients.speakers import blocks_of, is_by_another, typed_prompt
from amplihack_compaction.context.estimate import CharacterLine, line_for
from amplihack_compaction.context.levels import CompactionLevel, ContextStatus, compaction_config
from amplihack_compaction.context.meter import Overflows, count_overflows, read_status
from amplihack_compaction.transcript.session import Entry, JsonObject, as_object, text_in

PROMPTS, ANSWERS, THINKING = "Prompts", "Answers", "Thinking"
CALLS, OUTPUTS = "Tool calls", "Tool outputs"
SUMMARIES, ADDED = "Summaries", "Added by the client and hooks"
_KINDS_BY_BLOCK = {"text": ANSWERS, "thinking": THINKING, "tool_use": CALLS}
_FILE_KEYS = ("file_path", "notebook_path")


@dataclass(slots=True)
class TokenShares:
    """Estimated tokens by kind, by tool's name and by file's path; fill it with `take`."""

    kinds: Counter[str] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    uses: Counter[str] = field(default_factory=Counter)
    _open: dict[str, tuple[str, str]] = field(default_factory=dict)
    _line: CharacterLine = field(default_factory=lambda: line_for(""))
    _model: str = ""

    def take(self, data: JsonObject) -> None:
        """Count one entry of the transcript."""
        kind, message = data.get("type"), data.get("message")
        if kind == "attachment":
            attachment = as_object(data.get("attachment"))
            if attachment.get("type") == "queued_command":
                self._add(PROMPTS, content_characters(attachment.get("prompt")))
            else:
                self._add(ADDED, text_characters(data))
        elif not isinstance(message, dict) or data.get("isApiErrorMessage"):
            return
        elif kind == "assistant":
            self._take_answer(message)
        elif kind == "user":
            self._take_user(data, message.get("content"))

    def _take_answer(self, message: JsonObject) -> None:
        model = message.get("model")
        # `<synthetic>` is the client's own, and costs what the model before it costs.
        if isinstance(model, str) and model != self._model and not model.startswith("<"):
            self._model, self._line = model, line_for(model)
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            kind = _KINDS_BY_BLOCK.get(text_in(block, "type")) if isinstance(block, dict) else None
            call = None
            if kind == CALLS:
                name, given = text_in(block, "name"), as_object(block.get("input"))
                path = next(filter(None, (text_in(given, key) for key in _FILE_KEYS)), "")
                call = self._open[text_in(block, "id")] = (name, path)
                self.uses[name] += 1
            if kind is not None:
                self._add(kind, content_characters([block]), call)

    def _take_user(self, data: JsonObject, content: Any) -> None:
        results = blocks_of(content, "tool_result")
        if data.get("isCompactSummary"):
            self._add(SUMMARIES, content_characters(content))
        elif results:
            for block in results:
                call = self._open.pop(text_in(block, "tool_use_id"), ("", ""))
                self._add(OUTPUTS, content_characters(block.get("content")), call)
        else:
            typed = "" if is_by_another(data) else typed_prompt(content)[0]
            self._add(PROMPTS if typed else ADDED, content_characters(content))

    def _add(self, kind: str, characters: int, call: tuple[str, str] | None = None) -> None:
        """Count a text, and for the tool and the file of a call."""
        tokens = round(self._line.slope * characters)
        self.kinds[kind] += tokens
        if call is not None:
            self.tools[call[0]] += tokens
            if call[1]:
                self.files[call[1]] += tokens


@dataclass(frozen=True, slots=True)
class ContextPoint:
    """How full the context was after a response: what it was sent and its own output."""

    offset: int
    at: str
    tokens: int


class Measures:
    """What a transcript says of its session's course; fill it with `take`, entry by entry.

    `hooks` has the milliseconds of each run by the event and the command, as the client wrote them
    down: it leaves no line of a hook that said nothing.
    """

    def __init__(self) -> None:
        self.began = ""
        self.ended = ""
        self.hooks: dict[tuple[str, str], list[float]] = {}
        self.shares = TokenShares()
        self._points: dict[str, ContextPoint] = {}
        self._runs: set[tuple[str, str, str]] = set()
        self._sidechain: bool | None = None

    @property
    def context(self) -> list[ContextPoint]:
        """How full the context was after each response."""
        return list(self._points.values())

    def take(self, entry: Entry) -> None:
        """Measure one entry. A subagent's, in the file of its session, is left out."""
        data = entry.data
        sidechain = data.get("isSidechain")
        if isinstance(sidechain, bool):
            self._sidechain = sidechain and self._sidechain is not False
            if sidechain != self._sidechain:
                return
        at = text_in(data, "timestamp")
        self.began = self.began or at
        self.ended = at or self.ended
        if (usage := usage_of(data, entry.offset)) is not None:
            # Of a response's several lines the last one counts.
            response = usage.message_id or str(entry.offset)
            self._points[response] = ContextPoint(entry.offset, at, usage.tokens)
        self.shares.take(data)
        self._take_hooks(data)

    def _take_hooks(self, data: JsonObject) -> None:
        """Add an entry's runs: one that its own line and the sum at a turn's end tell of, once."""
        for trace in hook_traces(data):
            run = (trace.event, trace.use_id, trace.command)
            if trace.milliseconds is None or (trace.use_id and run in self._runs):
                continue
            self._runs.add(run)
            self.hooks.setdefault((trace.event, trace.command), []).append(trace.milliseconds)


@dataclass(frozen=True, slots=True)
class SessionReport:
    """A session's compactions, its course, and how full its context is now.

    `status` is None while no response told its numbers; `levels` are those that are told.
    `overflows` are of all sessions of the project. `peak_tokens` is the most that the context held
    after a response; `lost` says how many items the summaries lost, `changed` how many others they
    changed, `brought_back` how many of these an injection brought back.
    """

    diagnosis: Diagnosis
    measures: Measures
    status: ContextStatus | None
    levels: tuple[CompactionLevel, ...]
    overflows: Overflows
    peak_tokens: int
    lost: int
    changed: int
    brought_back: int


def gather_session(session: Session) -> SessionReport:
    """Return what is known of a session. Raises TranscriptError when it cannot be read."""
    measures = Measures()
    diagnosis = diagnose_session(session, measures.take)
    settings = load_settings(session.root)[0]
    status = read_status(session.root, session.id, str(session.transcript), settings=settings)
    levels = tuple(each for each in compaction_config(settings).thresholds if each.threshold > 0)
    peak = max((point.tokens for point in measures.context), default=0)
    compactions, overflows = diagnosis.compactions, count_overflows(session.root)
    lost = sum(c.lost for c in compactions)
    changed = sum(len(c.altered) for c in compactions) - lost
    back = sum(c.brought_back for c in compactions)
    return SessionReport(diagnosis, measures, status, levels, overflows, peak, lost, changed, back)
