"""A choice that is overruled later is told no more; what was said instead is, with its question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.extract.statements import Decision, PromptRecord, SessionState
from amplihack_compaction.injection.render import render_state
from amplihack_compaction.ledger.overruled import with_overruled

ORM = Decision(
    text="Prisma (Recommended)",
    question="Which ORM do you want?",
    options=("Prisma (Recommended)", "Drizzle", "TypeORM", "Raw SQL"),
    source="answer",
    uuid="d",
    offset=10,
)
STORE = Decision(
    text='Redis with snapshots (said: "B")',
    question="Which one do you prefer?",
    options=("SQLite in one file", "Redis with snapshots"),
    uuid="d",
    offset=10,
)
SETTLED = Decision(
    text="Redis", question="Should I use Redis or Memcached for the cache?", uuid="d", offset=10
)
YES = Decision(text="yes", question="Should we ship a CLI?", uuid="d", offset=10)
NO = Decision(text="no", question="Should we add telemetry?", uuid="d", offset=10)
PLACE = Decision(
    text="Fly.io",
    question="Where should it be deployed?",
    options=("Fly.io", "Railway", "Own VPS"),
    uuid="d",
    offset=10,
)


def after(decision: Decision, said: str) -> tuple[Decision, ...]:
    return with_overruled((decision,), (PromptRecord(text=said, uuid="p", offset=20),))


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (ORM, "let's switch to drizzle"),
        (ORM, "Use Drizzle, not Prisma"),
        (ORM, "Go with Drizzle instead."),
        (ORM, "actually drizzle would be better, use that"),
        (ORM, "drop prisma and do it with raw sql"),
        (ORM, "no more prisma, raw sql only"),
        (ORM, "change the ORM to Drizzle"),
        (ORM, "Lass uns doch lieber Drizzle nehmen"),
        (ORM, "cambia a Drizzle"),
        (ORM, "переходим на Drizzle"),
        (ORM, "改用 Drizzle"),
        (ORM, "やっぱり Prisma ではなく Drizzle にして。"),
        (STORE, "Actually A"),
        (STORE, "Go back to option A"),
        (STORE, "let's go with A after all"),
        (STORE, "Redis is out, SQLite then"),
        (SETTLED, "switch to memcached"),
        (SETTLED, "forget redis, memcached it is"),
        (YES, "Drop the CLI."),
        (YES, "no CLI after all"),
        (NO, "add telemetry after all"),
        (PLACE, "Fly is too expensive, use Railway"),
        (PLACE, "move it to our own VPS"),
    ],
)
def test_a_choice_is_overruled_in_many_words(decision: Decision, said: str) -> None:
    old, new = after(decision, said)
    assert old.superseded
    assert (new.question, new.text, new.options) == (decision.question, said, decision.options)


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (ORM, "Prisma generate fails with P1012"),
        (ORM, "Use raw SQL for the report query only"),
        (ORM, "Add a Drizzle example to the docs too"),
        (ORM, "is drizzle faster?"),
        (ORM, "Don't switch to Drizzle"),
        (ORM, "I know Drizzle is faster, but keep Prisma"),
        (ORM, "drop the Prisma warning from the log"),
        (ORM, "use prisma's transaction API instead of raw SQL in checkout.ts"),
        (ORM, "Don't use Prisma's raw queries"),
        (STORE, "Use hiredis instead of the python parser for Redis"),
        (STORE, "Now add option A to the docs as an alternative"),
        (SETTLED, "flush redis before the tests"),
        (SETTLED, "Move the redis config to config/cache.py"),
        (YES, "drop the CLI's colour option"),
        (YES, "The CLI needs a --version flag"),
        (PLACE, "The app on our own VPS must stay up until friday"),
        (PLACE, "set the fly.io secrets"),
    ],
)
def test_what_only_speaks_of_it_overrules_no_choice(decision: Decision, said: str) -> None:
    assert after(decision, said) == (decision,)


def test_the_text_tells_what_was_said_instead_once() -> None:
    said = "Actually, let's go with Drizzle."
    prompts = (PromptRecord(text=said, uuid="p", offset=20), PromptRecord(text="Go on", offset=30))
    spoken = Decision(text=said, uuid="p", offset=20)
    text = render_state(SessionState(decisions=(ORM, spoken), prompts=prompts)).text
    assert f"## Decisions\n- {ORM.question} -> {said}\n" in text
    assert "Prisma" not in text


def test_a_choice_can_be_overruled_twice_and_what_was_said_before_it_overrules_nothing() -> None:
    prompts = tuple(
        PromptRecord(text=text, uuid=f"p{offset}", offset=offset)
        for offset, text in ((5, "use TypeORM"), (20, "switch to Drizzle"), (30, "no, use TypeORM"))
    )
    told = [one.text for one in with_overruled((ORM,), prompts) if not one.superseded]
    assert told == ["no, use TypeORM"]


def test_an_answer_to_another_question_overrules_nothing() -> None:
    other = Decision(text="use Drizzle", question="And in the tests?", uuid="p", offset=20)
    prompt = PromptRecord(text="use Drizzle", uuid="p", offset=20)
    assert with_overruled((ORM, other), (prompt,)) == (ORM, other)


WORDS = st.lists(
    st.sampled_from(
        "actually use switch to not instead of drop Redis Postgres A B the no Fly.io 改用 ? . , ("
        " [x] \\ or yes".split()
    ),
    max_size=9,
).map(" ".join)


@given(text=WORDS, question=WORDS, options=st.lists(WORDS, max_size=3), said=WORDS)
def test_any_words_can_be_held_against_any_choice(
    text: str, question: str, options: list[str], said: str
) -> None:
    made = Decision(text=text, question=question, options=tuple(options), offset=1)
    told = with_overruled((made,), (PromptRecord(text=said, uuid="p", offset=2),))
    assert [one for one in told if not one.superseded]
