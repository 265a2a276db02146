"""A session that is being played: its transcript, and what model and user do in it."""

import random
from typing import Any

from tests.support.transcripts import Transcript

WINDOWS = 3
_SYLLABLES = (
    "bra vel kor tin dus mel fra gon lip nar sto quin zer hal pom rud sev tak wim yol".split()
)


class Session:
    """The client's part in a session; todos go through lists or tasks, as its model has them."""

    def __init__(self, rng: random.Random, tasks: bool = False) -> None:
        self.rng = rng
        self.tasks = tasks
        self.transcript = Transcript(branch="main")
        self.todos: dict[str, str] = {}
        self.task_ids: dict[str, str] = {}
        self.tasks_made = 0
        self.words: set[str] = set()

    def word(self) -> str:
        """Return a word that occurs nowhere else in the session."""
        while True:
            word = "".join(self.rng.choice(_SYLLABLES) for _ in range(3))
            if word not in self.words:
                self.words.add(word)
                return word

    def say(self, text: str, answer: str = "") -> None:
        self.transcript.user(text)
        if answer:
            self.transcript.assistant(answer)

    def run(self, command: str, output: str, error: bool = False) -> None:
        self.transcript.tool("Bash", {"command": command}, output, error=error)

    def edit(self, path: str) -> None:
        path = f"{self.transcript.root}/{path}"
        self.transcript.tool("Read", {"file_path": path}, "x = 1\n" * 20)
        change = {"file_path": path, "old_string": "x = 1", "new_string": "x = 2"}
        self.transcript.tool("Edit", change, "The file has been updated.")

    def add_todos(self, *texts: str) -> None:
        for text in texts:
            self.todos[text] = "pending"
            if self.tasks:
                self.tasks_made += 1
                number = self.task_ids[text] = str(self.tasks_made)
                self.transcript.tool(
                    "TaskCreate", {"subject": text, "description": text},
                    f"Task #{number} created successfully: {text}",
                    data={"task": {"id": number, "subject": text}},
                )  # fmt: skip
        if not self.tasks:
            self._write_list()

    def set_todo(self, text: str, status: str) -> None:
        before, self.todos[text] = self.todos[text], status
        if not self.tasks:
            self._write_list()
            return
        number = self.task_ids[text]
        change = {"success": True, "taskId": number,
                  "statusChange": {"from": before, "to": status}}  # fmt: skip
        given = {"taskId": number, "status": status}
        self.transcript.tool("TaskUpdate", given, f"Updated task #{number}", data=change)

    def forget_done(self) -> None:
        """Begin a new list: what is done is left out of it."""
        self.todos = {text: s for text, s in self.todos.items() if s != "completed"}

    def _write_list(self) -> None:
        todos: list[dict[str, Any]] = [
            {"content": text, "status": status, "activeForm": text}
            for text, status in self.todos.items()
        ]
        self.transcript.tool("TodoWrite", {"todos": todos}, "Todos have been modified.",
                             data={"oldTodos": [], "newTodos": todos})  # fmt: skip
