"""What runs in the background: shells, agents, monitors, jobs.

A compaction leaves it running, and who does not know of it starts it a second time.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.extract.statements import RunningWork
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.commands import fails_as_a_whole, finished_actions, split_commands
from amplihack_compaction.text.sentences import error_among
from amplihack_compaction.text.words import one_line
from amplihack_compaction.transcript.session import (
    ToolUse,
    as_object,
    bash_command,
    end_seen,
    text_in,
)

RUNNING_LIMIT = 20
# As the client numbers the lines of a file that it reads.
_LINE_NUMBER = re.compile(r"^ *\d+(?:→|\t)", re.MULTILINE)
_RUNNING_CHARS = 160
_STOPS = ("TaskStop", "KillShell", "KillBash", "CronDelete")
_LOOKS = ("TaskOutput", "BashOutput", "AgentOutputTool")
_TASK_NAMES = ("task_id", "shell_id", "bash_id", "agentId", "id")
_RUNNING = frozenset(("running", "pending", "in_progress", ""))


def extract_running(content: WindowContent) -> tuple[RunningWork, ...]:
    """Return what was started in the window and is not known to have ended, oldest first."""
    ended = set(extract_ended(content))
    now = content.steps[-1].at if content.steps else ""
    started = (
        replace(work, error=_error_shown(work.task_id, content), **step.place)
        for step, tool in content.uses
        if (work := _started(tool)) is not None
        if work.task_id not in ended and not (work.ends_at and work.ends_at < now)
    )
    return without_restarted(started)[-RUNNING_LIMIT:]


def without_restarted(works: Iterable[RunningWork]) -> tuple[RunningWork, ...]:
    """Return work, oldest first, without servers that were started again: a port has room for one.

    What they were stopped with in between need not be understood.
    """
    found = list(works)
    last = {work.serves: work for work in found}
    return tuple(work for work in found if not work.serves or last[work.serves] is work)


def _serving(line: str) -> str:
    """Return the command of a line that serves, with the folder it went to; empty without one."""
    commands = split_commands(line)
    serving = [" ".join(one.words) for one in commands if SERVES.search(" ".join(one.words))]
    folder = next((" ".join(one.words) for one in commands if one.head == "cd"), "")
    return f"{folder} {serving[-1]}".strip() if serving else ""


# What serves goes on until it is stopped, however long ago it was started.
SERVES = re.compile(
    r"(?:^|[\s/:])(?:dev|start|serve|server|runserver|watch|ngrok|uvicorn|gunicorn|vite|http\.server"
    r"|compose up|port-forward|cloudflared)(?:[\s:]|$)"
)


def extract_ended(content: WindowContent) -> tuple[str, ...]:
    """Return the ids of the work that ended in the window: it was stopped, or said to be done."""
    told = (noted.ended for _, noted in content.noted)
    seen = (_ended_task(tool) for _, tool in content.uses)
    return tuple(dict.fromkeys(task_id for task_id in (*told, *seen) if task_id))


def extract_ended_well(content: WindowContent) -> tuple[str, ...]:
    """Return the ids of the work that came to its own end in the window and did not fail."""
    told = (noted.ended for _, noted in content.noted if noted.ended_well)
    ends = (end_seen(tool) for _, tool in content.uses)
    return tuple(dict.fromkeys((*told, *(task_id for task_id, well in ends if well))))


def _started(tool: ToolUse) -> RunningWork | None:
    """Return the work that a tool use left going on, without its place."""
    if tool.result is None or tool.result.is_error:
        return None
    data = as_object(tool.result.data)
    text, told = one_line(_started_as(tool), _RUNNING_CHARS), tool.input.get
    if tool.task_id:
        line = bash_command(tool)
        does = finished_actions(line, "", succeeded=True) if fails_as_a_whole(line) else ()
        return RunningWork(text=text, task_id=tool.task_id, does=tuple(does), serves=_serving(line))
    if data.get("isAsync") and (task_id := text_in(data, "agentId")):
        return RunningWork(text=text, task_id=task_id, kind="agent")
    if tool.name == "Monitor" and (task_id := text_in(data, "taskId")):
        ends = "" if data.get("persistent") else _later(tool.timestamp, data.get("timeoutMs"))
        return RunningWork(text=text, task_id=task_id, kind="monitor", ends_at=ends)
    if tool.name == "CronCreate" and (task_id := text_in(data, "id")):
        when = data.get("humanSchedule") or told("cron")
        text = one_line(f"{when}: {told('prompt')}", _RUNNING_CHARS)
        ends = "" if data.get("recurring") else _later("", data.get("nextFireAt"))
        return RunningWork(text=text, task_id=task_id, kind="job", ends_at=ends)
    if tool.name == "ScheduleWakeup" and (ends := _later("", data.get("scheduledFor"))):
        text = one_line(f"at {ends[11:16]} UTC: {told('prompt')}", _RUNNING_CHARS)
        return RunningWork(text=text, kind="wakeup", ends_at=ends)
    return None


def _later(begun: str, milliseconds: object) -> str:
    """Return the time so long after another, or after 1970; empty where one is unknown."""
    if not isinstance(milliseconds, int | float) or not 0 <= milliseconds < _LATEST_MS:
        return ""
    try:
        start = datetime.fromisoformat(begun).timestamp() if begun else 0
    except ValueError:
        return ""
    return exact_utc_text(int(start * 1000 + milliseconds))


# In the year 2100.
_LATEST_MS = 4_102_444_800_000


def _started_as(tool: ToolUse) -> str:
    """Return what some work is, as the model described it, and the command that was started."""
    command = _TO_FOLDER.sub("", text_in(tool.input, "command"))
    described = text_in(tool.input, "description")
    return ": ".join(filter(None, (described, command))) or tool.used_on


_TO_FOLDER = re.compile(r"\A\s*cd\s[^\n;&|]{1,400}(?:&&|;|\n)\s*")
_WARNS = re.compile(r"\bwarn(?:ing)?\b", re.IGNORECASE)


def _error_shown(task_id: str, content: WindowContent) -> str:
    """Return the error that the last look at some work's output showed; empty without one."""
    if not task_id:
        return ""
    looks = (tool for _, tool in reversed([*content.uses]) if looks_at(task_id, tool))
    seen = next((tool.result.text for tool in looks if tool.result), "")
    lines = _LINE_NUMBER.sub("", seen).splitlines()
    errors = error_among(line for line in lines if not _WARNS.search(line))
    return one_line(errors, _RUNNING_CHARS)


def looks_at(task_id: str, tool: ToolUse) -> bool:
    """Return whether a tool read the output of some work, by its id or the file named after it."""
    return any(task_id in value for value in tool.input.values() if isinstance(value, str))


def _ended_task(tool: ToolUse) -> str:
    """Return the id of the work that a tool use stopped, or found at its end."""
    if tool.result is None:
        return ""
    if (task_id := end_seen(tool)[0]) != "":
        return task_id
    data = as_object(tool.result.data)
    status = text_in(as_object(data.get("task", data)), "status")
    is_over = not tool.succeeded or status not in _RUNNING
    is_stopped = tool.succeeded or "is not running" in tool.result.text
    if (tool.name in _STOPS and is_stopped) or (tool.name in _LOOKS and is_over):
        names = (text_in(tool.input, key) for key in _TASK_NAMES)
        return next(filter(None, names), "")
    return ""
