"""What waited to be said to the model, where a client of before 2.1.207 tells it nowhere else."""

from amplihack_compaction.clients.claude_code.speakers import (
    DENIALS_MARKED,
    QUEUED,
    blocks_of,
    is_before,
    typed_prompt,
)
from amplihack_compaction.transcript.session import JsonObject, as_object

_QUEUE_LIMIT = 50


class PromptQueue:
    """The prompts that were typed while the model worked, as clients up to 2.1 tell of them.

    What leaves the queue by `dequeue` comes as a prompt, and by `popAll` goes back to be edited.
    What is `remove`d was given to the model with the next results of a tool, and stands on no line
    of its own. Messages of other agents and tasks come the same way, each in its tag or as JSON.
    """

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._taken: list[str] = []

    def pass_by(self, data: JsonObject) -> None:
        """Note what a line tells of the queue; put what was taken beside results, as `QUEUED`."""
        kind = data.get("type")
        if kind == "queue-operation":
            self._change(str(data.get("operation")), data.get("content"))
        elif kind == "attachment":
            self._forget(data.get("attachment"))
        elif kind == "user":
            data.pop(QUEUED, None)
            if self._taken and not data.get("isSidechain"):
                self._hand_over(data)

    def _change(self, operation: str, content: object) -> None:
        if operation == "enqueue":
            self._waiting = [*self._waiting, str(content or "")][-_QUEUE_LIMIT:]
        elif operation == "popAll":
            self._waiting = []
        elif self._waiting:
            text = self._waiting.pop(0)
            if operation == "remove" and text and text[0] not in "<{/":
                self._taken = [*self._taken, text][-_QUEUE_LIMIT:]

    def _forget(self, attachment: object) -> None:
        """Drop what comes as an attachment: so do newer clients tell it, with who said it."""
        said = as_object(attachment).get("prompt")
        self._taken = [text for text in self._taken if text != said]

    def _hand_over(self, data: JsonObject) -> None:
        content = as_object(data.get("message")).get("content")
        if blocks_of(content, "tool_result") and is_before(data.get("version"), DENIALS_MARKED):
            data[QUEUED] = [text for text in self._taken if typed_prompt(text)[0]]
        self._taken = []
