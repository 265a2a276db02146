"""Find what runs in the background: commands and agents that were started, and have not ended.

The client names each with an id, by which its output is read and it is stopped. A compaction
leaves it running; who does not know of it starts it a second time.
"""

import re

from amplihack_compaction.extract.statements import RunningWork
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.outputs import error_among
from amplihack_compaction.text.words import one_line
from amplihack_compaction.transcript.session import ToolUse

RUNNING_LIMIT = 20
# As the client numbers the lines of a file that it reads.
_LINE_NUMBER = re.compile(r"^ *\d+(?:→|\t)", re.MULTILINE)
_TEXT_CHARS = 160
_STOPS = ("TaskStop", "KillShell", "KillBash")
_LOOKS = ("TaskOutput", "BashOutput", "AgentOutputTool")
_RUNNING = frozenset(("running", "pending", "in_progress", ""))


def extract_running(content: WindowContent) -> tuple[RunningWork, ...]:
    """Return what was started in the window and is not known to have ended, oldest first."""
    ended = set(extract_ended(content))
    started = [
        RunningWork(
            text=one_line(step.tool.input.get("command") or step.tool.used_on, _TEXT_CHARS),
            task_id=task_id,
            is_agent=step.tool.name != "Bash",
            error=_error_of(task_id, content),
            **step.place,
        )
        for step in content.steps
        if step.tool is not None and (task_id := _started(step.tool)) and task_id not in ended
    ]
    return tuple(started)[-RUNNING_LIMIT:]


def extract_ended(content: WindowContent) -> tuple[str, ...]:
    """Return the ids of the work that ended in the window: it was stopped, or said to be done."""
    told = (node.noted.ended for node in content.window.chain if node.noted is not None)
    seen = (_ended(step.tool) for step in content.steps if step.tool is not None)
    return tuple(dict.fromkeys(task_id for task_id in (*told, *seen) if task_id))


def _started(tool: ToolUse) -> str:
    """Return the id of the work that a tool use left running."""
    data = tool.result.data if tool.succeeded and tool.result is not None else None
    if not isinstance(data, dict):
        return ""
    task_id = data.get("backgroundTaskId") or (data.get("isAsync") and data.get("agentId"))
    return task_id if isinstance(task_id, str) else ""


def _error_of(task_id: str, content: WindowContent) -> str:
    """Return the error that the last look at some work's output showed; empty without one."""
    tools = (step.tool for step in reversed(content.steps) if step.tool is not None)
    looks = (tool for tool in tools if tool.result and _looks_at(task_id, tool))
    seen = next((tool.result.text for tool in looks if tool.result), "")
    return one_line(error_among(_LINE_NUMBER.sub("", seen).splitlines()), _TEXT_CHARS)


def _looks_at(task_id: str, tool: ToolUse) -> bool:
    """Return whether a tool read the output of some work, by its id or the file named after it."""
    return any(task_id in value for value in tool.input.values() if isinstance(value, str))


def _ended(tool: ToolUse) -> str:
    """Return the id of the work that a tool use stopped, or found at its end."""
    if tool.result is None:
        return ""
    names = (tool.input.get(key) for key in ("task_id", "shell_id", "bash_id", "agentId"))
    task_id = next((name for name in names if isinstance(name, str)), "")
    if tool.name in _STOPS:
        return task_id if tool.succeeded else ""
    if tool.name not in _LOOKS:
        return ""
    return task_id if not tool.succeeded or _status(tool.result.data) not in _RUNNING else ""


def _status(data: object) -> str:
    """Return the status that a look at some work found; empty where none is told."""
    task = data.get("task", data) if isinstance(data, dict) else None
    status = task.get("status") if isinstance(task, dict) else None
    return status if isinstance(status, str) else ""
