"""The setting `redact_patterns`: what is in force, and that nothing of it can be lost."""

import json
from pathlib import Path

import pytest

from amplihack_compaction.base.hook_log import log_line
from amplihack_compaction.base.redaction import redact as redaction
from amplihack_compaction.base.redaction.redact import (
    read_user_patterns,
    redact,
    redact_again,
    redact_line,
)
from amplihack_compaction.base.redaction.user_patterns import (
    LONGEST_CHARS,
    MOST_PATTERNS,
    MOST_STEPS_TOGETHER,
    count_steps,
    usable_patterns,
    use_patterns,
)
from amplihack_compaction.base.settings import load_settings, resolve_settings
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.extract.statements import Rule, SessionState
from amplihack_compaction.extract.window import redacted
from amplihack_compaction.ledger.stored import dump_state, load_state
from tests.support.processes import log_of
from tests.support.sessions import Session, write_settings
from tests.support.user_patterns import forget_patterns

ACME, BADGE, ROOM = "ACME-[0-9]{6,10}", r"(?i)badge no\. \d{4}", r"\broom [A-Z]\d{1,4}\b"
TEXT = "Ship ACME-12345678 with Badge no. 4711 to room B12."


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the project that this process runs in."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    return project


def write_own(**values: object) -> None:
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "compaction.json").write_text(json.dumps(values))


def test_the_environments_patterns_add_to_the_users_own_and_a_projects_count_nowhere(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(redact_patterns=[ACME, BADGE])
    write_settings(here, redact_patterns=["Never[a-z ]{1,40}"])
    monkeypatch.setenv("AMPLIHACK_COMPACTION_REDACT_PATTERNS", ROOM)
    settings, (problem,) = load_settings(str(here))
    assert settings.redact_patterns == (ACME, BADGE, ROOM)
    assert "counts only in your own file" in problem
    origin = resolve_settings(str(here)).origins["redact_patterns"]
    assert origin.scope == "user + environment"
    assert "compaction.json" in origin.where
    mark = "[redacted:user-pattern]"
    assert redact(TEXT) == f"Ship {mark} with {mark} to {mark}."


def test_the_users_own_file_may_be_a_link(here: Path, tmp_path: Path) -> None:
    write_own(redact_patterns=[ACME])
    own = config_folder() / "compaction.json"
    own.rename(tmp_path / "dotfile.json")
    own.symlink_to(tmp_path / "dotfile.json")
    assert load_settings(str(here))[0].redact_patterns == (ACME,)


def test_an_empty_list_takes_nothing_away(here: Path) -> None:
    write_own(redact_patterns=[ACME])
    write_settings(here, redact_patterns=[])
    assert load_settings(str(here))[0].redact_patterns == (ACME,)
    assert resolve_settings(str(here)).origins["redact_patterns"].scope == "user"


def test_a_list_or_one_pattern_may_stand_in_a_variable(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text, expected in (
        (json.dumps([ACME, ROOM]), (ACME, ROOM)),
        ("[A-Z]{4}-[0-9]{4}", ("[A-Z]{4}-[0-9]{4}",)),
        ("12345678", ("12345678",)),
    ):
        monkeypatch.setenv("AMPLIHACK_COMPACTION_REDACT_PATTERNS", text)
        assert load_settings(str(here))[0].redact_patterns == expected


def test_a_pattern_that_is_refused_is_named_by_its_place_and_costs_no_other(here: Path) -> None:
    secret = "hunter2-is-my-secret"
    write_own(redact_patterns=[ACME, f"(?:{secret})+x", {}, ROOM, ACME], snapshots=3)
    settings, problems = load_settings(str(here))
    assert (settings.redact_patterns, settings.snapshots) == ((ACME, ROOM), 3)
    assert len(problems) == 2
    assert "redact_patterns: pattern 2 repeats" in problems[0]
    assert "pattern 3 must be a text; it is not used" in problems[1]
    assert secret not in str(problems)


@pytest.mark.parametrize("value", [ACME, 5, None, {"a": ACME}, True])
def test_what_is_no_list_is_named(here: Path, value: object) -> None:
    write_own(redact_patterns=value)
    settings, problems = load_settings(str(here))
    assert settings.redact_patterns == ()
    assert "must be a list of patterns" in problems[0]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("(", "does not compile"),
        ("[[a]bbbb", "is ambiguous"),
        ("a{99999999999999999999}", "too large"),
        ("(?:" * 60 + "aaaa" + ")" * 60, ""),
        ("x" * (LONGEST_CHARS + 1), "longer than"),
        ("a{0,9}", "fewer than 4"),
        (".*", "fewer than 4"),
        ("abc", "fewer than 4"),
        (r"(\w{4})\1", "refers back"),
        (r"(?:a+)+!!!!", "without a limit"),
        (r"[a-z]+@corp", "without a limit"),
        (r"(?=\w+)aaaa", "without a limit"),
        (r"aaaa(?:b|cd)*", "without a limit"),
        (r"\w{1,99}\w{1,99}aaaa", "too many steps"),
        (r"(?:a|aa){1,30}!!!!", "too many steps"),
        (r"(?:a?){1,5}aaaa", "can be empty"),
        (r"aaaa(?>bb|b)c", ""),
        (r"aaaa(?=bb)bb(?!c)(?<=bb)", ""),
        (r"[A-Za-z0-9._%+-]{1,64}@corp\.example\.com", ""),
        (r"key-[A-Za-z0-9+/]+={0,2}", ""),
        (r"(?x) a{4}  # a comment", ""),
    ],
)
def test_a_pattern_is_accepted_or_refused_with_its_reason(source: str, why: str) -> None:
    usable, problems = usable_patterns([source])
    assert why in str(problems)
    assert usable == ([] if why else [source])


def test_too_many_patterns_and_too_many_steps_together_are_named(here: Path) -> None:
    many = [f"name-{number:04}" for number in range(MOST_PATTERNS + 1)]
    write_own(redact_patterns=many)
    settings, (problem,) = load_settings(str(here))
    assert settings.redact_patterns == tuple(many[:MOST_PATTERNS])
    assert f"pattern {MOST_PATTERNS + 1} is one too many" in problem
    slow = [f"[a-z]{{1,14}}[a-z]{{1,9}}name-{number:04}" for number in range(9)]
    assert count_steps(slow[0]) * len(slow) > MOST_STEPS_TOGETHER
    write_own(redact_patterns=slow)
    settings, problems = load_settings(str(here))
    assert 0 < len(settings.redact_patterns) < len(slow)
    assert len(problems) == len(slow) - len(settings.redact_patterns)
    assert "together" in problems[0]


def test_a_pattern_in_force_stays_so_and_others_come_beside_it(here: Path) -> None:
    write_own(redact_patterns=[ACME])
    assert "ACME" not in redact(TEXT)
    assert "B12" in redact(TEXT)
    write_own(redact_patterns=[ROOM])
    read_user_patterns()
    write_own(redact_patterns=[])
    read_user_patterns()
    assert "ACME" not in redact(TEXT)
    assert "B12" not in redact(TEXT)


def test_who_asks_for_a_projects_settings_redacts_what_it_calls_secret(
    here: Path, tmp_path: Path
) -> None:
    write_own(redact_patterns=[ACME])
    load_settings(str(here))
    assert "ACME" not in redact(TEXT)


def test_of_secrets_that_share_letters_nothing_is_left(here: Path) -> None:
    token = "gh" + "p_" + "A1b2C3d4E5f6" * 3
    write_own(redact_patterns=["A1b2C3d4", f"use {token[:12]}", f"{token[-6:]} now"])
    assert redact(f"please use {token} now") == "please [redacted:user-pattern]"


def test_a_mark_is_taken_whole_or_not_at_all(here: Path) -> None:
    write_own(redact_patterns=["redacted", "jwt. and", r"\[redacted:jwt\] or"])
    assert redact("[redacted:jwt]") == "[redacted:jwt]"
    assert redact("a [redacted:jwt] and b") == "a [redacted:user-pattern] b"
    assert redact("a [redacted:jwt] or b") == "a [redacted:user-pattern] b"
    # What only looks like a mark hides nothing.
    write_own(redact_patterns=[ACME])
    read_user_patterns()
    assert "ACME" not in redact("[redacted: ACME-12345678]")


def test_texts_and_numbers_of_json_are_redacted_and_ids_are_not(here: Path) -> None:
    identifier = "0b7f1c7e-1111-4222-8333-444444444444"
    write_own(redact_patterns=["[0-9a-f]{8}-[0-9a-f]{4}", "[0-9]{12}"])
    line = json.dumps({"uuid": identifier, "account": 123456789012, "n": 5, "ok": True,
                       "text": f"id {identifier}", "parentUuid": "123456789012"})  # fmt: skip
    clean = json.loads(redact_line(line))
    assert (clean["uuid"], clean["n"], clean["ok"]) == (identifier, 5, True)
    assert "123456789012" not in str(clean)
    assert "0b7f1c7e" not in clean["text"]
    state = SessionState(session_id=identifier, rules=(Rule(text=identifier, uuid=identifier),))
    clean_state = redacted(state)
    assert (clean_state.session_id, clean_state.rules[0].uuid) == (identifier, identifier)
    assert "0b7f1c7e" not in clean_state.rules[0].text


def test_what_was_stored_before_a_pattern_came_is_redacted_when_it_is_read(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = dump_state(SessionState(rules=(Rule(text=TEXT),)))
    assert load_state(stored).rules[0].text == TEXT
    assert redact_again(TEXT) == TEXT
    write_own(redact_patterns=[ACME])
    forget_patterns(monkeypatch)
    assert "ACME" not in load_state(stored).rules[0].text
    assert "ACME" not in redact_again(TEXT)


def test_the_log_holds_no_secrets(here: Path) -> None:
    write_own(redact_patterns=[ACME])
    log_line(str(here), "Stop", f"cannot read {TEXT} {'x' * 900} ACME-87654321")
    (line,) = log_of(here)
    assert "ACME" not in line
    assert "with Badge no. 4711" in line


def test_a_hook_goes_on_without_a_refused_pattern_and_logs_it(project: Path) -> None:
    write_own(redact_patterns=["(?:a+)+!!!!", "page at https"])
    session = Session(project)
    session.transcript.user("a" * 5000)
    assert "[redacted:user-pattern]" in session.compact()
    assert [line for line in log_of(project) if "redact_patterns: pattern 1 repeats" in line]


def test_a_long_text_that_was_clean_is_looked_at_again_once_a_pattern_is_new() -> None:
    text = "The plan of hangar 51 is ready. " * 20
    assert redact(text) == text
    assert redact(text) == text
    use_patterns([r"hangar \d+"])
    assert "hangar 51" not in redact(text)


@pytest.mark.parametrize("more", [0, 400])
def test_what_another_thread_found_clean_before_a_pattern_is_looked_at_again(
    here: Path, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    forget_patterns(monkeypatch)
    text = f"Go to room B12.{' And on.' * more}"
    write_own(redact_patterns=[ACME])
    own_spans = redaction._user_spans

    def look_then_lose_the_processor(text: str) -> list[tuple[int, int, str]]:
        found = own_spans(text)
        use_patterns([ROOM])
        return found

    monkeypatch.setattr(redaction, "_user_spans", look_then_lose_the_processor)
    assert "B12" in redact(text)
    monkeypatch.setattr(redaction, "_user_spans", own_spans)
    assert "B12" not in redact(text)
