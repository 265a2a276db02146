"""A sentence that says nothing alone is known, and one that does is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.text.leaning import is_topic, leans, without_topic
from amplihack_compaction.text.sentences import sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "Never touch it.",
        "please don't ever change that",
        "It must not be edited by hand.",
        "leave them alone",
        "Those lines are frozen.",
        "that folder is off limits",
        "don't put anything there",
        "Same for the api.",
        "the same for the api",
        "do that everywhere",
        "Not in production.",
        "hands off",
        "so hands off, please",
        "Not again.",
        "never",
        "nothing else",
        "you can't, the board forbids that",
        "always join on both",
        "ok, put it into the header",
        "wait, keep them apart",
        "the same again, but move it up",
        "in the header, hide it",
        "no lo toques",
        "n'y touche pas",
        "das bleibt so",
        "deixa isso quieto",
        "не трогай его",
        "lass es so",
        "nicht anfassen",
        "别动它",
        "不要动。",
        "それは触らないで",
        "bei den Refunds genauso",
        "nickel. la même chose pour le vent",
        "lo mismo en iOS, en el Info.plist",
        "faz a mesma coisa nos links",
        "для второй реплики то же самое",
        "jellyfin 也一样，别用 root",
        "送料も同じやり方で",
        "환불도 같은 방식으로",
        "do the same in the worker",
        "die drei bitte auch",
        "eso mismo con los impuestos",
        "3 Versuche reichen, die Bank sperrt uns sonst",
        "100 мало, ложные срабатывания",
        "1000太高，改成200",
    ],
)
def test_what_speaks_of_something_before_it_leans_on_that(sentence: str) -> None:
    assert leans(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Never touch the billing tables.",
        "make sure that the tests pass",
        "there must be a test for every function",
        "keep the public API as it is",
        "It's important to write tests first.",
        "When you add a function to the public interface of the package, document it.",
        "Use tabs.",
        "no new dependencies",
        "this repo uses pnpm",
        "keep the docs in that style whatever the linter of the editor says of their form",
        "write the report, no names in it",
        "leave out NA12878, it was swapped",
        "legacy/ won't be migrated, it dies soon",
        "union types: put them beside the component",
        "kofi draws the icons, use grey squares until they come",
        "contrast: neutral-500 it is",
        "sizes are not used anywhere, drop it",
        "both services log to stdout",
        "run both suites",
        "start on prod at ten, I'm there",
        "no toques la base de datos",
        "El esquema es generado.",
        "el puerto es 8080",
        "ne touche pas au schéma",
        "fass die Datenbank nicht an",
        "não mexe no banco",
        "不要动数据库",
        "faz igual pros links: mesma coisa que nos botões, 40 telas, e não mexe no resto",
        "基准测试用 criterion，跟 parser 一样",
        "表4.2も表4.1と同じ書式で",
        "use the same as in api/retry.py",
        "de la même manière que dans le client",
        "100 requests per second are allowed for each of the customers",
        "40 telas usam o botão antigo",
    ],
)
def test_what_names_its_subject_stands_alone(sentence: str) -> None:
    assert not leans(sentence)


@pytest.mark.parametrize(
    ("text", "topic", "said"),
    [
        ("jquery? over my dead body", "jquery?", "over my dead body"),
        ("New endpoint? Always with an example.", "New endpoint?", "Always with an example."),
        ("l'auth ? keycloak", "l'auth ?", "keycloak"),
        ("要改数据库？先问我", "要改数据库？", "先问我"),
        ("mutating props?? not here", "mutating props??", "not here"),
    ],
)
def test_a_topic_stays_with_what_is_said_of_it(text: str, topic: str, said: str) -> None:
    assert is_topic(topic)
    assert sentences(text) == [text]
    assert without_topic(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "What about the db? Never drop tables.",
        "can you check the log? the build is red",
        "really? Never use var.",
        "we ship on friday, ok? Run the tests first.",
        "数据库是什么？不要动。",
        "kannst du das prüfen? Die Tests sind rot.",
    ],
)
def test_a_question_is_a_sentence_of_its_own(text: str) -> None:
    assert len(sentences(text)) == 2
    assert without_topic(text) == text


def test_topics_in_a_row_belong_to_what_follows_them() -> None:
    assert sentences("dates as strings? In this backend? no chance. Use utc.") == [
        "dates as strings? In this backend? no chance.",
        "Use utc.",
    ]


def test_what_is_named_and_nothing_said_of_it_stands_alone() -> None:
    assert sentences("Use utc. new endpoint?") == ["Use utc.", "new endpoint?"]


@given(st.text(max_size=300))
def test_any_text_can_be_asked(text: str) -> None:
    leans(text)
    assert without_topic(text) in text
