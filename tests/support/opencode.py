"""OpenCode's database as the real client left it, and messages added in its shapes."""

import json
import sqlite3
from pathlib import Path
from typing import Any

CAPTURE = Path(__file__).parents[1] / "captures/opencode/session.sql"
SESSION = "ses_df59fc50dffe1tkBYepmsOjZ00"
PROJECT = "/home/dev/shop"


class Database:
    """The client's database below a folder of data; `project` is where its session was begun."""

    def __init__(self, data: Path, project: str = PROJECT) -> None:
        (data / "opencode").mkdir(parents=True, exist_ok=True)
        self.connection = sqlite3.connect(data / "opencode/opencode.db")
        self.connection.executescript(CAPTURE.read_text().replace(PROJECT, project))
        self.now = 1795470600000

    def ids(self) -> list[str]:
        """Return the ids of all messages in order."""
        return [row[0] for row in self._run("SELECT id FROM message ORDER BY time_created, id")]

    def add(self, role: str, *parts: dict[str, Any], **info: Any) -> str:
        """Add a message, and return its id."""
        self.now += 1000
        name = f"msg_{self.now}"
        told = {"role": role, "time": {"created": self.now, "completed": self.now}, **info}
        row = (name, SESSION, self.now, self.now, json.dumps(told))
        self._run("INSERT INTO message VALUES (?, ?, ?, ?, ?)", *row)
        for number, part in enumerate(parts):
            inner = (f"prt_{self.now}_{number}", name, SESSION, self.now, self.now)
            self._run("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", *inner, json.dumps(part))
        self._run("UPDATE session SET time_updated = ?", self.now)
        return name

    def say(self, text: str, **part: Any) -> str:
        """Add what the user typed, or what `part` marks as something else."""
        return self.add("user", {"type": "text", "text": text, **part})

    def ask(self) -> str:
        """Add the message that asks for a compaction."""
        return self.add("user", {"type": "compaction", "auto": True, "overflow": False})

    def summarise(self, asked: str, text: str = "They talked.", **info: Any) -> str:
        """Add the summary that was asked for."""
        said = {"type": "text", "text": text}
        return self.add("assistant", said, summary=True, parentID=asked, **info)

    def end(self, message_id: str, **info: Any) -> None:
        """Change what is told of a message."""
        (data,) = self._run("SELECT data FROM message WHERE id = ?", message_id)[0]
        self.now += 1000
        told = json.dumps({**json.loads(data), **info})
        self._run("UPDATE message SET data = ? WHERE id = ?", told, message_id)
        self._run("UPDATE session SET time_updated = ?", self.now)

    def delete(self, message_id: str) -> None:
        """Take a message back."""
        self.now += 1000
        self._run("DELETE FROM part WHERE message_id = ?", message_id)
        self._run("DELETE FROM message WHERE id = ?", message_id)
        self._run("UPDATE session SET time_updated = ?", self.now)

    def _run(self, statement: str, *values: Any) -> list[Any]:
        with self.connection:
            return self.connection.execute(statement, values).fetchall()
