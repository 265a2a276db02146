"""What rules are about, and what that says of two of them."""

import pytest

from amplihack_compaction.text.polarity import (
    Subject,
    contradicts,
    same_claim,
    shared_weight,
    subject_of,
)


def pair(first: str, second: str) -> tuple[Subject, Subject]:
    one, other = subject_of(first), subject_of(second)
    return one, other


@pytest.mark.parametrize(
    ("text", "asked", "barred"),
    [
        ("Use pnpm, never yarn.", {"pnpm"}, {"yarn"}),
        ("Run docker without sudo", {"run", "dock"}, {"sudo"}),
        ("pnpm, pas yarn", {"pnpm"}, {"yarn"}),
        ("moment ではなく dayjs", {"dayj"}, {"moment"}),
    ],
)
def test_what_is_asked_and_what_is_ruled_out_are_told_apart(
    text: str, asked: set[str], barred: set[str]
) -> None:
    subject = subject_of(text)
    assert (set(subject.asked), set(subject.barred)) == (asked, barred)
    assert subject.words == asked | barred


def test_everyday_words_alone_are_no_share_of_a_target() -> None:
    assert shared_weight(*pair("write the parser", "Keep the parser small")) > 0.5
    assert shared_weight(*pair("write the parser", "Never write to the disk")) == 0.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never use mocks in the tests", "never, ever use mocks in our tests please"),
        ("never commit without running the tests", "run the tests before committing"),
    ],
)
def test_the_same_in_other_words_is_the_same_claim(one: str, other: str) -> None:
    assert same_claim(*pair(one, other))


APART = [
    ("never edit src/a.py", "never edit src/b.py"),
    ("don't touch config/a.yml", "don't touch config/b.yml"),
    ("never delete table a", "never delete table b"),
    ("ask before deleting files", "never delete files"),
    ("never commit without running the tests", "always run the tests"),
    ("Never push to main", "Never push to main without asking me"),
    ("Never use mocks in integration tests", "Never use mocks in slow integration tests"),
    ("At most 100 columns in code", "At most 100 columns in code and 120 in tables"),
    ("do it like this", "use it"),
]


@pytest.mark.parametrize(("one", "other"), [*APART, *[pair[::-1] for pair in APART]])
def test_rules_for_other_things_or_for_less_stand_side_by_side(one: str, other: str) -> None:
    assert not same_claim(*pair(one, other))
    assert not contradicts(*pair(one, other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Never use mocks", "Always use mocks"), ("At most 100 columns", "At most 120 columns")],
)
def test_the_opposite_and_another_amount_are_another_claim(one: str, other: str) -> None:
    assert not same_claim(*pair(one, other))


@pytest.mark.parametrize(
    ("new", "old", "against"),
    [
        ("use spaces now, not tabs", "Use tabs.", True),
        ("Answer in English.", "Answer in German.", True),
        ("Max line length 120.", "Max line length 100.", True),
        ("Never touch migration 8.", "Never touch migration 7.", False),
        ("Always run the linter.", "Never push to main.", False),
    ],
)
def test_a_newer_rule_contradicts_an_older_one_on_its_subject(
    new: str, old: str, against: bool
) -> None:
    assert contradicts(*pair(new, old)) is against


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            "stripe-mock darfst du als dev dependency nehmen, aber nur das",
            "Beträge sind bei uns immer Cent als Integer, aber niemals float",
        ),
        ("den CSV Export brauchen wir nicht mehr", "jeder POST braucht einen Key im Header"),
        (
            "finalement on passe à T2T pour la référence, la revue l'exige",
            "seuil de qualité Q30 pour les variants",
        ),
        ("le benchmark, laisse, Paul le fait", "laisse tomber DeepVariant"),
        ("la música al final nada", "nada de assets de pago"),
        ("agora o README, em inglês, uma página só", "comenta em inglês, responde em português"),
        ("deixa o modal pra depois", "deixa as cores pra outra equipe"),
        ("если надо, из архива можно", "если тест упал, из ветки не вливать"),
    ],
)
def test_words_that_only_join_others_are_no_subject(said: str, rule: str) -> None:
    assert shared_weight(*pair(said, rule)) == 0


@pytest.mark.parametrize("rule", ["nie mehr als {} Versuche", "nunca más de {} intentos"])
def test_an_amount_that_is_ruled_out_is_superseded_by_the_next(rule: str) -> None:
    assert contradicts(*pair(rule.format(5), rule.format(3)))
