"""Tell the summariser what the summary must keep word for word.

The client puts this text behind its own instructions for the summary. It is short: what matters
is injected after the compaction anyway, and this only keeps the summary from contradicting it.
"""

from collections.abc import Iterator

from amplihack_compaction.base.limits import utf16_length
from amplihack_compaction.extract.model import SessionState
from amplihack_compaction.injection.lines import inert

_HEAD = (
    "Keep the following in the summary word for word: it comes from the record of this session"
    " and is needed later."
)
_LIMIT_CHARS = 240
# Of a rule of two sentences the second is the rule.
_RULE_CHARS = 600


def summary_hint(state: SessionState, limit_characters: int) -> str:
    """Return the text, at most `limit_characters` long; empty when there is nothing to keep.

    Characters are UTF-16 code units, as the client counts them.
    """
    lines = [_HEAD]
    room = limit_characters - len(_HEAD)
    for line in _lines(state):
        length = utf16_length(line) + 1
        if length > room:
            continue  # a shorter one may still fit
        lines.append(line)
        room -= length
    return "\n".join(lines) if len(lines) > 1 else ""


def _lines(state: SessionState) -> Iterator[str]:
    for rule in reversed(state.active_rules):
        yield f"- standing rule: {inert(rule.whole, _RULE_CHARS)}"
    if state.objective is not None:
        yield f'- current objective: "{inert(state.objective.text, _LIMIT_CHARS)}"'
    for todo in state.open_todos:
        yield f"- still to do: {inert(todo.text, _LIMIT_CHARS)}"
    for command in state.verify:
        yield f"- {command.kind} command: `{inert(command.text, _LIMIT_CHARS)}`"
    for decision in reversed(state.decisions):
        if not decision.superseded:
            asked = f"{inert(decision.question, _LIMIT_CHARS)} -> " if decision.question else ""
            yield f"- decided: {asked}{inert(decision.text, _LIMIT_CHARS)}"
    for value in reversed(state.values):
        yield f"- exact {value.kind}: `{inert(value.text, _LIMIT_CHARS)}`"
