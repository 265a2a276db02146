"""Build the text that is injected after a compaction, and see that its receipt can be taken."""

from collections.abc import Callable

from amplihack_compaction.base.files import is_regular
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import STORE_FILE
from amplihack_compaction.base.settings.settings import Settings, Switch
from amplihack_compaction.base.shared_folders import lock_folder
from amplihack_compaction.extract.model import SessionState
from amplihack_compaction.injection.receipts import is_claimed, read_receipt, set_aside
from amplihack_compaction.injection.record import Recorded
from amplihack_compaction.injection.render import Rendered, render_state
from amplihack_compaction.transcript.entries import ReadReport, iterate_entries

_LOCK_SECONDS = 5.0


def build_injection(recorded: Recorded) -> str:
    """Return the state as the model will read it."""
    return render_injection(
        recorded.folded.state, recorded.settings, recorded.text_file, _recall_line(recorded)
    ).text


def render_injection(
    state: SessionState, settings: Settings, text_file: str, last_line: str = ""
) -> Rendered:
    """Return a state as it is injected; `text_file` is named where something is left out."""
    return render_state(state, settings.injection_tokens, text_file, last_line=last_line)


def _recall_line(recorded: Recorded) -> str:
    """Say how everything else is found again; nothing where the store is not kept."""
    runtime = recorded.folder.rpartition("/sessions/")[0]
    if recorded.settings.store is not Switch.ON or not is_regular(f"{runtime}/{STORE_FILE}"):
        return ""
    return f"All that was said and done before is kept: `{own_command()} recall WORDS` searches it."


def void_unused_receipt(
    folder: str, window_start: int, transcript_path: str, log: Callable[[str], None]
) -> None:
    """Set a receipt aside whose compaction never came to pass.

    A compaction can fail after SessionStart, when the client dies before it writes the boundary.
    The window then goes on, and its next compaction must not find its receipt taken. Two hooks
    of one compaction, running in parallel, see no conversation behind the receipt's offset. They
    look one after the other: else the second would set the receipt aside that the first one took
    since. Raises OSError when it cannot be done, as where the lock is held too long.
    """
    if not is_claimed(folder, window_start):
        return
    with lock_folder(f"{folder}/receipts", _LOCK_SECONDS):
        receipt = read_receipt(folder, window_start)
        offset = receipt.get("transcript_offset") if receipt else 0
        is_there = is_claimed(folder, window_start)  # another hook may have set it aside by now
        if not is_there or not isinstance(offset, int) or not _talk_since(transcript_path, offset):
            return
        set_aside(folder, window_start, offset)
    log(f"the compaction announced at byte {offset} never came; its receipt was set aside")


def _talk_since(transcript_path: str, offset: int) -> bool:
    entries = iterate_entries(transcript_path, offset, None, ReadReport())
    return any(entry.data.get("type") in ("user", "assistant") for entry in entries)
