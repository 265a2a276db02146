"""Which statements a later one replaced, and which it did not."""

import pytest

from amplihack_compaction.extract.statements import (
    ExactValue,
    PromptRecord,
    Rule,
    RuleKind,
    SessionState,
    ValueKind,
)
from amplihack_compaction.extract.values import telling_values
from amplihack_compaction.injection.render import render_state, render_whole
from amplihack_compaction.ledger.superseded import superseded_by, without_superseded


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("Report all times in UTC.", "From now on, show times in Pacific time."),
        ("report all times in UTC", "From now on Pacific time please"),
        ("Report times in utc.", "Report times in cet from now on."),
        ("The release date is 2027-03-04.", "The release moved to June 6."),
        ("Keep the project budget below $800.", "New budget: five hundred dollars."),
        ("Maya Lindt owns the pager this week.", "Noor Haddad now owns the pager."),
        ("We work on branch feature/cart-12.", "We switched to branch feature/cart-13."),
        ("The access code is kilo-42.", "The access code changed, it is lima-77."),
        ("Budget cap is $300 in total.", "Budget cap is $700 in total."),
        ("The timeout is 30 s.", "The timeout is now 60 s."),
        ("The port is 8443.", "The port is now 9443."),
        ("Answers should be terse.", "I would rather get playful answers."),
        ("The price is $20.", "The price is $25 now - can you update the page?"),
        ("The port is 8080.", "The port is 9090 now, ok?"),
        ("Der Preis ist $20.", "Der Preis ist jetzt $25, passt du das an?"),
        ("The port is 8080.", "Can you change the port to 9090?"),
        ("Start redis on port 6379.", "Run redis on port 6380 now."),
        ("Pin react to 18.2.0.", "Upgrade react to 19.0.0 now."),
        ("The project budget is $500.", "The final budget is $700 now."),
        ("The port is 8080.", "The port of the server is 9090 now."),
        ("The staging port is 8443.", "Staging port: 9443 now."),
        ("The staging port is 8443.", "The port of staging is `9443` now."),
        ("The port is 8443.", "Sorry, the port is 9443, not 8443."),
        ("Le port de staging est 8443.", "Le port de staging est désormais 9443."),
        ("Nimm Port 8080.", "Nimm stattdessen Port 9090."),
        ("Work on branch feature/a.", "Switch to branch feature/b."),
        ("The budget is $500.", "The budget was raised to $700."),
        ("The launch is on March 4.", "We postponed the launch to April 1."),
        ("The deadline is Friday 2027-03-05.", "New deadline: 2027-03-12."),
        ("Der Timeout ist 30 Sekunden.", "Der Timeout ist nun 60 Sekunden."),
        ("Use Python 3.11.", "Use Python 3.12 now."),
        ("We target Postgres 14.", "We target Postgres 16 now."),
        ("The batch size is 500 rows.", "The batch size is 900 rows now."),
        ("The customer number is KD-77-1.", "The customer number changed to KD-77-2."),
        ("The database is on db1.example.org.", "The database is now on db2.example.org."),
        ("The server is at https://a.test/api.", "The server is at https://b.test/api now."),
        ("The demo is at 3 pm.", "The demo is at 4 pm now."),
        ("Write the docs in German.", "Write the docs in English instead."),
        ("Show dates in UTC.", "Show dates in Pacific time from now on."),
        ("Set the pool size to 10.", "Pool size: 20 now."),
        ("The host is db1.example.com.", "The host changed to db2.example.com."),
        ("Answer in English.", "Answer in German from now on."),
        ("Порт 8080.", "Порт теперь 9090."),
    ],
)
def test_what_was_told_anew_is_over(before: str, later: str) -> None:
    assert superseded_by([before, "Build the shop.", later]) == {before: later}


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("The project spending ceiling is $500.", "The conference spending ceiling is $350."),
        ("Staging runs in zone Europe/Berlin.", "Only Python may be used now."),
        ("The launch is on 2027-03-04.", "The docs are due on 2027-05-01 now."),
        ("Maya Lindt approves releases.", "Noor Haddad now reviews designs."),
        ("The budget is $500.", "The budget is $500 now, as before."),
        ("Retry after 5 seconds.", "Keep logs for 30 days now."),
        ("Use port 8443.", "The port is 8443 now."),
        ("Never push to main.", "Push to main now."),
        ("The staging port is 8443.", "The production port is now 9443."),
        ("The API timeout is 30 seconds.", "The database timeout is now 60 seconds."),
        ("The frontend runs on port 3000.", "The backend runs on port 4000 from now on."),
        ("Upload limit is 10 MB.", "Change the avatar limit to 2 MB."),
        ("The staging port is 8443.", "Is the staging port 9443 now?"),
        ("The upload limit is 10 MB.", "If legal agrees, the upload limit is 20 MB instead."),
        ("The upload limit is 10 MB.", "Why is the upload limit 50 MB now?"),
        ("The timeout of the API is 30 s.", "The timeout of the database is now 60 s."),
        ("The budget for the trip is $500.", "The budget for food is now $300."),
        ("Batch size for import is 500 rows.", "Batch size for export is now 900 rows."),
        ("Frontend: port 3000.", "Backend: port 4000 now."),
        ("Web uses port 80.", "Mail now uses port 25."),
        ("Release 1 is on 2027-03-04.", "Release 2 is now on 2027-05-04."),
        ("Phase 1 has 3 tasks.", "Phase 2 has 5 tasks now."),
        ("Fix the 3 failing tests in the shop.", "Now add 5 tests for the parser."),
        ("Fix 3 bugs.", "Fix 5 bugs."),
        ("Fix 3 bugs.", "Fix 5 bugs now."),
        ("Lies Kapitel 3.", "Lies jetzt Kapitel 4."),
        ("The timeout is 30 seconds.", "Don't raise the timeout to 60 seconds."),
        ("Use Python 3.11.", "Do not switch to Python 3.12 now."),
        ("The timeout is 30 seconds.", "Increase the timeout by 10 seconds."),
        ("Remind me at 9:00.", "Remind me at 15:00."),
        ("Fix the error at app.ts:12:15.", "Now fix the error at app.ts:40:11."),
        ("Add a page in French.", "Add a page in Spanish."),
        ("Write a short README.", "Write a detailed changelog."),
        ("Use Python 3.11.", "CI runs Python 3.9 now, that's wrong."),
        ("Open https://a.test/login.", "Open https://b.test/cart."),
        ("The target date is May 5.", "The limit is 5 now."),
        ("The API runs on port 8000.", "Start the docs server on port 8001 now."),
        ("Write the README in English.", "Write the release notes in German now."),
        ("Call https://api.test/v1/users for the list.", "Now call https://api.test/v1/orders."),
        ("The meeting with Anna is at 10:00.", "The meeting with Tom is now at 11:00."),
        ("Max file size is 10 MB.", "The video max size is now 200 MB."),
        ("Fix 3 bugs.", "Now fix 5 bugs."),
        ("Do not change part 3 of the schema.", "Do not change part 4 of the schema."),
        ("Translate the page 7 now.", "Translate the page 8 now."),
        ("The port is 8443.", "The docs still say the port is 9443 now."),
        ("The timeout is 30 s.", 'The log says: "API timeout is now 60 s". Have a look.'),
    ],
)
def test_what_is_of_another_subject_or_the_same_value_replaces_nothing(
    before: str, later: str
) -> None:
    assert superseded_by([before, later]) == {}


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Never let the import take longer than 5 minutes.", "The import now takes 20 minutes!"),
        ("Always keep API responses under 200 ms.", "The admin API now answers within 500 ms."),
        ("The login page must load in 200 ms.", "The login page takes 900 ms now, find out why."),
    ],
)
def test_a_report_of_how_it_is_replaces_no_rule(rule: str, later: str) -> None:
    state = SessionState(
        rules=(Rule(text=rule, kind=RuleKind.PROHIBITION, offset=1),),
        prompts=(
            PromptRecord(text=rule, uuid="1", offset=1),
            PromptRecord(text=later, uuid="2", offset=2),
        ),
    )
    left, over = without_superseded(state)
    assert (left.rules, left.prompts, over) == (state.rules, state.prompts, {})


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Always use port 8080 for the server.", "The server port is 9090 now. It took 5 minutes."),
        ("Always keep the upload limit at 10 MB.", "The upload limit is now 20 MB."),
    ],
)
def test_a_measure_beside_a_change_keeps_no_rule(rule: str, later: str) -> None:
    state = SessionState(
        rules=(Rule(text=rule, kind=RuleKind.OBLIGATION, offset=1),),
        prompts=(PromptRecord(text=later, uuid="2", offset=2),),
    )
    assert without_superseded(state)[0].rules == ()


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("The target date is May 5.", "New date: May 12."),
        ("The deadline is May 5.", "The deadline date is May 12 now."),
        ("Deadline date: 2027-03-04", "deadline changed to 2027-03-08"),
        ("The limit is 10 MB.", "The limit cap is now 20 MB."),
    ],
)
def test_values_of_which_only_a_limit_or_a_date_is_said_can_be_compared(
    before: str, later: str
) -> None:
    assert set(superseded_by([before, later])) <= {before}


def test_a_question_takes_no_change_for_itself() -> None:
    texts = ["The port is 8443.", "Is the port 7443 now?", "No. The port is 9443 now."]
    assert superseded_by(texts) == {texts[0]: texts[2]}


@pytest.mark.parametrize(
    "ports", [("8011", "8021", "8011"), ("8011", "8021", "8031"), ("8011", "8021", "8031", "8021")]
)
def test_only_the_last_of_several_changes_holds(ports: tuple[str, ...]) -> None:
    texts = [f"The page's port is now {port}." for port in ports]
    prompts = tuple(
        PromptRecord(text=text, uuid=str(n), offset=n)
        for n, text in enumerate([*texts, "Build the shop."])
    )
    text = render_state(SessionState(prompts=prompts), 2_000).text
    told = {port for port in ports if port in text}
    assert told == {ports[-1]}, text


def test_an_address_in_a_lifted_rule_is_told() -> None:
    text = "Never push to main, the repo is at https://git.example.org/shop.git."
    address = "https://git.example.org/shop.git"
    rule = Rule(text=text, kind=RuleKind.PROHIBITION, offset=1, retired_by="You may push now.")
    value = ExactValue(text=address, context=text, kind=ValueKind.URL, offset=1)
    assert list(telling_values(SessionState(rules=(rule,), values=(value,)))) == [value]


def test_the_value_of_a_lifted_rule_is_told_nowhere_as_in_force() -> None:
    text = "Always keep the batch size at 500 rows."
    rule = Rule(text=text, kind=RuleKind.OBLIGATION, offset=1, retired_by="No.")
    value = ExactValue(text="500 rows", context=text, kind=ValueKind.QUANTITY, offset=1)
    assert list(telling_values(SessionState(rules=(rule,), values=(value,)))) == []


@pytest.mark.parametrize(
    ("said", "later", "left"),
    [
        (
            "The broker is on mqtt://b1.example.org:1883 and the customer number is KD-2208-4.",
            "Change of plan: the broker is on mqtt://b2.example.org:1884 now.",
            "… and the customer number is KD-2208-4.",
        ),
        (
            "The release is on 2027-03-04, and the ticket is SHOP-91.",
            "The release moved to 2027-04-01.",
            "…, and the ticket is SHOP-91.",
        ),
        (
            "Die Kundennummer ist KD-77-1 und der Timeout ist 30 s.",
            "Der Timeout ist jetzt 60 s.",
            "Die Kundennummer ist KD-77-1 und …",
        ),
        (
            "Write the exporter for the shop. Report all times in UTC.",
            "From now on, report all times in Pacific time.",
            "Write the exporter for the shop. …",
        ),
    ],
)
def test_of_several_things_said_at_once_the_others_stand(said: str, later: str, left: str) -> None:
    prompts = tuple(
        PromptRecord(text=text, uuid=text, offset=n) for n, text in enumerate((said, later))
    )
    state, over = without_superseded(SessionState(prompts=prompts))
    assert [prompt.text for prompt in state.prompts] == [left, later]
    assert list(over.values()) == [later]


def test_a_value_beside_one_that_was_replaced_stands() -> None:
    said = "The broker is on mqtt://b1.example.org:1883 and the customer number is KD-2208-4."
    later = "The broker is on mqtt://b2.example.org:1884 now."
    values = tuple(
        ExactValue(text=text, context=said, kind=ValueKind.IDENTIFIER, offset=1)
        for text in ("mqtt://b1.example.org:1883", "KD-2208-4")
    )
    prompts = tuple(
        PromptRecord(text=text, uuid=text, offset=n) for n, text in enumerate((said, later))
    )
    state, _ = without_superseded(SessionState(prompts=prompts, values=values))
    assert [value.text for value in telling_values(state)] == ["KD-2208-4"]


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("Report all times in UTC and never in local time.", "Report times in CET from now on."),
        ("Our trips may cost $300 and $500.", "Trips may cost $700 now."),
    ],
)
def test_what_goes_on_about_the_same_goes_with_it(said: str, later: str) -> None:
    assert superseded_by([said, later]) == {said: later}


def test_what_is_said_in_one_prompt_replaces_nothing_in_it() -> None:
    rule = "The shop's port is now 9443."
    assert superseded_by([f"The forum's port is 8443. {rule}", rule]) == {}


def test_of_two_that_may_be_meant_the_one_nearest_is() -> None:
    texts = ["The trip budget is $700.", "The office budget is $900.", "New trip budget: $500."]
    assert superseded_by(texts) == {texts[0]: texts[2]}


def test_what_is_over_stands_in_the_whole_state_alone() -> None:
    old, new = "Report all times in UTC.", "From now on, report all times in Pacific time."
    said = list(enumerate((old, new)))
    state = SessionState(
        prompts=tuple(PromptRecord(text=text, uuid=text, offset=n) for n, text in said),
        rules=tuple(Rule(text=text, uuid=text, offset=n) for n, text in said),
    )
    text = render_state(state).text
    assert "UTC" not in text
    assert f'## Standing rules (the user\'s words)\n- "{new}"\n' in text
    assert f'- "{old}" (now: "{new}")' in render_whole(state)
