"""The injected text ends by saying how the rest is found, where the store is kept."""

import json
import threading
from pathlib import Path

import pytest

from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.size_limits import STATE_END
from amplihack_compaction.hook.session_start import answer_session_start
from amplihack_compaction.hook.store import store_event
from amplihack_compaction.injection import record as injection
from amplihack_compaction.injection.receipts import Prepared, take_receipt
from amplihack_compaction.injection.record import prepared_injection, record_compaction
from tests.support.transcripts import SESSION, Transcript


def injected(project: Path, transcript: Path) -> list[str]:
    log = logger(str(project), "PreCompact")
    recorded = record_compaction(str(project), SESSION, str(transcript), log, trigger="auto")
    return prepared_injection(recorded).text.splitlines()


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    session = Transcript()
    session.user("Never push to main.")
    return session.write(tmp_path / "t.jsonl")


def keep(project: Path, transcript: Path) -> None:
    store_event(
        {
            "session_id": SESSION,
            "transcript_path": str(transcript),
            "hook_event_name": "PreCompact",
        },
        str(project),
    )


def test_with_a_store_the_last_line_names_the_search(project: Path, transcript: Path) -> None:
    keep(project, transcript)
    *_, line, end = injected(project, transcript)
    assert line.startswith("All that was said and done before is kept: `")
    assert line.endswith(f"`{own_command()} recall WORDS` searches it.")
    assert end == STATE_END


def test_without_a_store_nothing_is_promised(project: Path, transcript: Path) -> None:
    assert "recall" not in "\n".join(injected(project, transcript))


def test_a_store_that_is_switched_off_is_not_named(project: Path, transcript: Path) -> None:
    keep(project, transcript)
    (project / ".claude" / "compaction.json").write_text(json.dumps({"store": "off"}))
    assert "recall" not in "\n".join(injected(project, transcript))


def test_of_two_hooks_that_meet_an_unused_receipt_one_injects(
    project: Path, transcript: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, size = session_folder(str(project), SESSION), transcript.stat().st_size
    ready = Prepared("the compaction that never came", 0, "", size)
    assert take_receipt(folder, SESSION, "SessionStart", ready)
    session = Transcript()
    session.user("Never push to main.")
    session.user("Where were we?")
    session.write(transcript)
    payload = {"session_id": SESSION, "transcript_path": str(transcript), "source": "compact"}
    answers: list[str] = []

    def answer() -> None:
        answers.append(answer_session_start(payload, str(project)))

    rival = threading.Thread(target=answer)
    look = injection._talk_since
    looks: list[int] = []

    def look_and_let_the_rival_go_first(path: str, offset: int) -> bool:
        looks.append(offset)
        found = look(path, offset)
        if len(looks) == 1:
            rival.start()
            rival.join(1.0)  # for as long as it is not kept waiting
        return found

    monkeypatch.setattr(injection, "_talk_since", look_and_let_the_rival_go_first)
    answer()
    rival.join()
    assert len([given for given in answers if given]) == 1
    log = project / ".claude/runtime/power-steering/hooks.log"
    assert log.read_text().count("its receipt was set aside") == 1
