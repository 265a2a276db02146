"""Recall on SQLite and on PostgreSQL: what is found, where it is, and what is said about it."""

from collections.abc import Iterator

import pytest

from amplihack_compaction.base.redaction.user_patterns import use_patterns
from amplihack_compaction.store import ranking
from amplihack_compaction.store.compactions import SUMMARIZE, compact_session
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.messages import StoredMessage, index_document, insert_messages
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.search import Filters, Found, recall
from amplihack_compaction.store.sessions import (
    SessionKey,
    find_session,
    make_session,
    touch_session,
)
from tests.support.postgres import KINDS, new_store

SHOP, BLOG = SessionKey("/shop", "aaa-1"), SessionKey("/blog", "bbb-2")
TEXTS = {
    "port": "Use port 8443 for the admin server.",
    "path": "The bug is in src/payments/stripe_client.py:118, not in tests/test_api.py",
    "camel": "class InvoiceRenderer: def getUserNameFromToken(self): pass",
    "snake": "compaction_record = load_compaction_record(session_id)",
    "zh": "请把数据库端口改成八千四百四十三，不要动会话存储。",
    "ja": "セッションの保存先を変更しないでください",
    "ko": "데이터베이스 포트를 변경하세요",
    "accents": "Le café de l'été déjà fermé",
    "error": "ConnectionRefusedError: [Errno 111] connect ECONNREFUSED 127.0.0.1:5432",
    "cyrillic": "Не трогай сервер платежей",
}


@pytest.fixture(scope="module", params=KINDS)
def kept(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Return a store that is only looked into: one of each kind for all such tests."""
    with open_store(new_store(request, tmp_path_factory.mktemp("store")), "") as opened:
        tell(opened, SHOP, TEXTS)
        yield opened


@pytest.fixture
def filled(database: Database) -> Database:
    tell(database, SHOP, TEXTS)
    return database


def tell(
    database: Database,
    key: SessionKey,
    texts: dict[str, str],
    kind: str = "prompt",
    day: int = 1,
    tool: str = "",
    tokens: int = 9,
) -> None:
    messages = [
        StoredMessage(
            "user",
            text,
            kind,
            text.partition("\n")[0] if kind == "tool_call" else tool,
            tokens=tokens,
            turn=1,
            said_at=f"2026-11-{day:02}T10:00:00.000Z",
            uuid=name,
            place=100 * place,
        )
        for place, (name, text) in enumerate(texts.items())
    ]
    with database.transaction():
        session = make_session(database, key, f"/t/{key.session_id}.jsonl")
        insert_messages(database, session, messages)
        touch_session(database, session, "2026-11-21T21:00:00.000Z")


def names(found: Found) -> list[str]:
    return [hit.uuid for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("8443", "port"),
        ("ADMIN server", "port"),
        ("src/payments/stripe_client.py", "path"),
        ("stripe_client", "path"),
        ("stripe_cli", "path"),  # the beginning of a row of words
        ("payments/stripe_client.py:118", "path"),
        ("InvoiceRenderer", "camel"),
        ("renderer", "camel"),  # a part of an identifier
        ("UserName", "camel"),
        ("FromTok", "camel"),
        ("load_compaction_record", "snake"),
        ("数据库", "zh"),
        ("端口", "zh"),  # two characters
        ("端", "zh"),  # one
        ("储", "zh"),  # the last one of its run
        ("会话存储", "zh"),
        ("保存先", "ja"),
        ("データベース", ""),
        ("セッション", "ja"),
        ("포트를", "ko"),
        ("데이터베이스", "ko"),
        ("cafe", "accents"),
        ("Été", "accents"),
        ("ECONNREFUSED", "error"),
        ("127.0.0.1:5432", "error"),
        ("refused", "error"),
        ("сервер", "cyrillic"),
        ("ПЛАТЕЖ", "cyrillic"),
        ('"not in tests"', "path"),
        ('"in not tests"', ""),
        ("server -port", ""),
        ("api -admin", "path"),
        ("x", ""),
        ("de", "accents"),
    ],
)
def test_what_is_looked_for_is_found(kept: Database, query: str, name: str) -> None:
    found = recall(kept, query)
    assert names(found) == ([name] if name else [])


def test_a_hit_says_where_it_is_and_shows_what_was_found(filled: Database) -> None:
    (hit,) = recall(filled, "admin").hits
    assert (hit.scope, hit.session_id, hit.transcript) == ("/shop", "aaa-1", "/t/aaa-1.jsonl")
    assert (hit.kind, hit.turn, hit.place, hit.compactions) == ("prompt", 1, 0, 0)
    assert hit.excerpt.marked("[", "]") == "Use port 8443 for the [admin] server."


def test_a_hit_shows_what_a_question_is_about_and_not_the_words_that_ask(
    database: Database,
) -> None:
    asks = "Is this one of those, and which is the one that this is? "
    tell(database, SHOP, {"long": 9 * asks + "It hangs on the parent, ent-221. " + 9 * asks})
    (hit,) = recall(database, "which is the parent of this one?").hits
    assert "[parent], ent-221" in hit.excerpt.marked("[", "]")
    assert hit.excerpt.marked("[", "]").count("[") == 1


def test_what_was_compacted_away_is_found(filled: Database) -> None:
    with filled.transaction():
        session = make_session(filled, SHOP)
        compact_session(filled, session, SUMMARIZE, "They spoke of the admin server.")
    found = recall(filled, "admin server")
    assert {(hit.kind, hit.archived_by) for hit in found.hits} == {("prompt", 1), ("summary", None)}
    before = recall(filled, "admin server", Filters(before_compaction=1))
    assert names(before) == ["port"]


def test_each_filter_leaves_out_the_rest(filled: Database) -> None:
    tell(filled, BLOG, {"later": "The admin page of the blog."}, kind="answer", day=5)
    assert set(names(recall(filled, "admin"))) == {"port", "later"}
    for filters, expected in (
        (Filters(scope="/shop"), ["port"]),
        (Filters(session="bbb"), ["later"]),
        (Filters(session="bb_"), []),
        (Filters(kinds=("answer", "decision")), ["later"]),
        (Filters(since="2026-11-02"), ["later"]),
        (Filters(until="2026-11-01"), ["port"]),
        (Filters(since="2026-11-05T09", until="2026-11-05T11"), ["later"]),
        (Filters(until="2026-10"), []),
        (Filters(scope="/shop", kinds=("answer",)), []),
        (Filters(before_compaction=1, scope="/none"), []),
    ):
        assert names(recall(filled, "admin", filters)) == expected, filters


def test_documents_beside_the_conversation_are_found(filled: Database) -> None:
    with filled.transaction():
        session = make_session(filled, SHOP)
        document = {"name": "pruned-1", "text": "A zebra in the log", "said_at": ""}
        assert index_document(filled, session, **document)
        assert not index_document(filled, session, **document)
    (hit,) = recall(filled, "zebra").hits
    assert (hit.kind, hit.uuid, hit.archived_by) == ("archived", "pruned-1", 0)


@pytest.mark.parametrize("word", ["falló", "Gehört", "¿cuánta?", "IPv6-Zebra", "µs", "数据庫"])
def test_what_occurs_nowhere_is_named_as_it_was_typed(filled: Database, word: str) -> None:
    assert recall(filled, f"admin {word}").notes[0].startswith(repr(word.strip("¿?")))


def test_with_no_message_that_has_all_words_some_are_enough(filled: Database) -> None:
    found = recall(filled, "admin zebra")
    assert names(found) == ["port"]
    assert found.notes == ["'zebra' occurs nowhere in the store: it was left out"]
    found = recall(filled, "admin refused")
    assert set(names(found)) == {"port", "error"}
    assert found.notes == ["no message has all of these words: these have some"]
    assert recall(filled, "admin server").notes == []


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which port does the admin server use?", "port"),
        ("Where was the bug that we had?", "path"),
        ("what refuses the connections", "error"),
        ("Welchen Port hat der admin server?", "port"),
        ("why is the connection refused, and what has that to do with zebras?", "error"),
    ],
)
def test_a_question_is_answered_first(kept: Database, question: str, name: str) -> None:
    assert names(recall(kept, question))[0] == name


def test_what_has_only_the_words_that_ask_is_no_hit(database: Database) -> None:
    said = {"port": "The staging box listens on 8443.", "hash": "Which hash is on your list?"}
    tell(database, SHOP, said)
    assert names(recall(database, "which port is staging on?")) == ["port"]


def test_what_is_about_little_of_a_question_is_called_so(kept: Database) -> None:
    found = recall(kept, "does the yellow submarine server dive below the admin zebra reef?")
    assert "'submarine' occurs nowhere in the store: it was left out" in found.notes
    assert names(found) == ["port"]
    assert recall(kept, "how do yellow submarines dive?").hits == []


def test_of_what_was_never_spoken_of_few_messages_are_shown_and_that_is_said(
    database: Database,
) -> None:
    tell(database, SHOP, {f"hook{n}": f"run {n} of the hooks and of their log" for n in range(20)})
    tell(database, SHOP, {"plan": "- [ ] Stripe subscriptions"}, "tool_output")
    found = recall(database, "what did we decide about Stripe webhooks and the hooks?")
    assert found.notes[0] == "no message is about most of this: these come nearest"
    assert "plan" in names(found)
    assert len(found.hits) <= 5


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("adress", "address"),
        ("kubbo", "kubo"),
        ("brach", "branch"),
        ("bracnh", "branch"),
        ("rbanch", "branch"),
        ("reassmbled", "reassembled"),
        ("postgress", "postgres"),
        ("configurtoin", "configuration"),
    ],
)
def test_a_misspelt_word_is_looked_for_as_the_nearest_one(
    database: Database, typed: str, meant: str
) -> None:
    tell(database, SHOP, {"named": f"It was {meant} then.", "other": "kub bran postgresql dress"})
    for query in (f"where was the {typed} of it?", typed):
        found = recall(database, query)
        assert names(found)[0] == "named"
        assert found.notes == [
            f"{typed!r} occurs nowhere in the store: looked for instead: {meant}"
        ]


def test_of_words_as_near_to_a_misspelt_one_that_of_most_messages_is_taken(
    database: Database,
) -> None:
    said = {"rare": "the breach", "one": "the branch", "two": "a branch", "log": "let it grow"}
    tell(database, SHOP, said)
    assert set(names(recall(database, "which brach was it?"))) == {"one", "two"}
    assert recall(database, "go lte").hits == []


def test_misspelt_words_that_only_ask_are_left_out_without_a_word(database: Database) -> None:
    tell(database, SHOP, {"port": "The port is 8443, which the proxy needs."})
    found = recall(database, "whcih is teh port that we decided on?")
    assert (names(found), found.notes) == (["port"], [])


def test_words_that_stand_together_come_before_the_same_words_apart(database: Database) -> None:
    apart = "the retry of the mail came late, and much later somebody spoke of another limit"
    together = "somebody spoke of it later: the retry limit of the mail came late, and another"
    tell(database, SHOP, {"together": together, "apart": apart})
    assert names(recall(database, "retry limit")) == ["together", "apart"]


def test_a_short_message_is_found_among_newer_long_ones_with_the_word(database: Database) -> None:
    long = {f"long{number}": f"Tokyo {number} " + "a b c d e " * 20 for number in range(150)}
    tell(database, SHOP, {"short": "Lunch in Tokyo at 12.", **long})
    assert names(recall(database, "Tokyo"))[0] == "short"


def test_what_was_compacted_away_of_the_asking_session_comes_first(database: Database) -> None:
    tell(database, SHOP, {"lost": "the zebra was seen 7 times, by the river"})
    with database.transaction():
        session = find_session(database, SHOP, to_write=True)
        compact_session(database, session, SUMMARIZE, "Nothing.")
    tell(database, SHOP, {"kept": "the zebra was seen 8 times, by the river"})
    tell(
        database, BLOG, {f"n{n}": f"the zebra was seen {n} times, by the road" for n in range(150)}
    )
    assert "lost" not in names(recall(database, "zebra"))
    asked = names(recall(database, "zebra", within=SHOP.session_id))
    assert (asked[0], "kept" in asked) == ("lost", False)
    only_blog = recall(database, "zebra", Filters(scope=BLOG.scope), within=SHOP.session_id)
    assert "lost" not in names(only_blog)


def test_what_people_said_comes_before_what_programs_printed(database: Database) -> None:
    tell(database, SHOP, {f"out{n}": f"zebra run {n} more" for n in range(5)}, kind="tool_output")
    tell(database, SHOP, {"said": "zebra run said once"}, kind="decision")
    tell(database, SHOP, {f"late{n}": f"zebra run {n} later" for n in range(5)}, "tool_output")
    assert names(recall(database, "zebra"))[0] == "said"


def test_a_copy_of_a_message_in_another_session_is_shown_once(filled: Database) -> None:
    tell(filled, BLOG, TEXTS)
    assert names(recall(filled, "8443")) == ["port"]


def test_the_same_call_again_is_shown_once(database: Database) -> None:
    runs = {f"run{number}": "Bash npm run lint" for number in range(30)}
    tell(database, SHOP, {"other": "npm run lint failed in the parser", **runs})
    assert len(recall(database, "npm run lint").hits) == 2


def test_a_list_of_todos_is_shown_once_whatever_is_done_of_it(database: Database) -> None:
    lists = {
        f"list{number}": f"TodoWrite\ncontent: Build the zebra image\nstatus: {status}\ntry: x"
        for number, status in enumerate(("pending", "in_progress", "completed"))
    }
    other = {"other": "TodoWrite\ncontent: Build the zebra house\nstatus: pending"}
    tell(database, SHOP, {**lists, **other}, "tool_call")
    found = names(recall(database, "zebra"))
    assert (len(found), "other" in found) == (2, True)
    runs = {"one": "zebra: expected 5 to be 4", "two": "zebra: expected 4 to be 5"}
    tell(database, SHOP, runs, "tool_output")
    assert {"one", "two"} <= set(names(recall(database, "zebra expected")))


@pytest.mark.parametrize(
    ("question", "name", "instead"),
    [
        ("which database did we choose, and why?", "table", "'database'"),
        ("¿por qué falló la construcción de la imagen?", "image", "'construcción'"),
    ],
)
def test_for_a_word_that_occurs_nowhere_a_question_looks_for_its_like(
    database: Database, question: str, name: str, instead: str
) -> None:
    said = {
        "table": "Then a Postgres table it is.",
        "other": "2, que así no depende de la imagen",
        "image": "La imagen no se construye: falta apt-get update en la misma capa.",
        "last": "Where are the prices, and why did we move them?",
        "more": "¿Qué opciones hay para la fuente de la imagen?",
    }
    tell(database, SHOP, said, "answer")
    found = recall(database, question)
    assert name in names(found)[:2]
    assert any(note.startswith(f"{instead} occurs nowhere") for note in found.notes)
    assert any("looked for instead: " in note for note in found.notes)


def test_what_answers_a_question_with_options_below_it_is_found(database: Database) -> None:
    said = {
        "asked": "Where should the zebra keys live?\n\na) Redis, with a TTL\nb) a Postgres table",
        "answered": "b, that is not there on staging",
    }
    tell(database, SHOP, said)
    assert names(recall(database, "where do the zebra keys live?")) == ["asked", "answered"]


def converse(database: Database, turns: list[tuple[str, str, str]]) -> None:
    """Store `(name, kind, text)` of one session in their order."""
    for name, kind, text in turns:
        tell(database, SHOP, {name: text}, kind, tokens=0)  # they are counted


def test_what_the_model_said_to_a_question_comes_before_that(database: Database) -> None:
    looked = [(f"out{n}", "tool_output", f"zoo/keys_{n}.go: func move{n}()") for n in range(4)]
    turns = [
        ("asked", "prompt", "where's archiveZebra and what is it used for?"),
        ("begun", "answer", "Let me look."),
        *looked,
        ("answer", "answer", "It moves the files of the last run to a folder of their own."),
        ("next", "prompt", "Fine, go on."),
        ("done", "answer", "The page is on its way, with all that was to be in it and some more."),
    ]
    converse(database, turns)
    found = names(recall(database, "what is archiveZebra used for, and what was wrong with it?"))
    assert found[:2] == ["answer", "asked"]
    assert "done" not in found
    said = "archiveZebra is used for the files that are moved"  # which the user may have said
    assert names(recall(database, said))[0] == "asked"


def test_what_was_decided_people_said(database: Database) -> None:
    log = "7ab7d8b when marshalling of a chunk fails log it"
    turns = [
        *((f"log{n}", "tool_output", f"{log} {n}") for n in range(12)),
        ("asks", "answer", "Marshalling fails for a chunk at times. What to do? I would log it."),
        ("call", "tool_call", "Bash ls"),
        ("decided", "prompt", "never get in the way of the user"),
        ("agreed", "answer", "Agreed, and a warning it is."),
        ("later", "prompt", "Now the docs."),
    ]
    converse(database, turns)
    question = "what did we decide to do when marshalling a chunk fails?"
    assert set(names(recall(database, question))[:3]) == {"asks", "decided", "agreed"}
    assert names(recall(database, "when does marshalling of a chunk fail?"))[0].startswith("log")


def test_an_excerpt_shows_where_the_words_stand_together(database: Database) -> None:
    filler = "The index of each landmark was looked up. Turn left for the next of them. " * 5
    body = f"{filler} The pupil is what matters. {filler} Reference: left pupil = 468."
    tell(database, SHOP, {"told": body}, "answer")
    (hit,) = recall(database, "which one is the left pupil?").hits
    assert "left pupil = 468" in hit.excerpt.text


def test_of_a_question_for_now_the_newest_comes_first(database: Database) -> None:
    turns = [
        ("old", "answer", "The migrations tab: the migrations tab lives below DATA."),
        *((f"other{n}", "answer", f"The page {n} is drawn.") for n in range(12)),
        ("new", "answer", "I moved it: the migrations tab lives below SYSTEM from here on."),
    ]
    converse(database, turns)
    assert names(recall(database, "where does the migrations tab live?"))[0] == "old"
    assert names(recall(database, "where does the migrations tab live now?"))[0] == "new"


def test_what_recall_printed_beside_other_programs_is_no_hit(database: Database) -> None:
    printed = {
        "found": "1. model · answer\n   quokka\n(`store show a.1` prints what was said around it)",
        "nothing": "Nothing of it was found.\n('quokka' occurs nowhere in the store)",
        "other": "zoo.py: quokka",
    }
    tell(database, SHOP, printed, "tool_output")
    assert set(names(recall(database, "quokka"))) == {"other"}


def test_words_that_most_messages_have_outweigh_no_rare_one(database: Database) -> None:
    words = "run test file error name value line path"
    often = {f"often{number}": f"{words} {number}" for number in range(30)}
    tell(database, SHOP, {"rare": "a zebra was seen by somebody at the river", **often})
    assert names(recall(database, f"{words} zebra"))[0] == "rare"


def test_words_are_counted_right_after_an_import(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("amplihack_compaction.store.query._MANY_MESSAGES", 100)
    monkeypatch.setattr(ranking, "_COUNTED", 10)
    rare = {f"rare{number}": f"zebra {number}" for number in range(20)}
    often = {f"often{number}": f"error {number}" for number in range(300)}
    tell(database, SHOP, rare | often)
    assert names(recall(database, "error zebra"))[0].startswith("rare")


def test_the_newest_of_very_many_are_ranked_and_that_is_said(
    filled: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CANDIDATES", "RANKED", "READ"):
        monkeypatch.setattr(ranking, name, 3)
    tell(filled, BLOG, {f"n{number}": f"port {number}" for number in range(9)})
    found = recall(filled, "port")
    assert set(names(found)) == {"n6", "n7", "n8"}
    assert found.notes == ["many messages match: the newest 3 were ranked"]


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("", "no word"),
        (" \n ", "no word"),
        ("*** --- ()", "no word"),
        ("-admin", "must not"),
        ('admin "server', "not closed"),
        ("admin AND server", "AND is no operator"),
        ("admin " + "x" * 2000, "first 1000 characters"),
        (" ".join(f"admin{number}" for number in range(40)), "first 20 words"),
    ],
)
def test_what_a_query_cannot_mean_is_explained(kept: Database, query: str, note: str) -> None:
    assert any(note in said for said in recall(kept, query).notes)


@pytest.mark.parametrize(
    "query",
    [
        "'", '"', '""', "a OR (b", "NEAR(a b, 5)", "body:x", "^admin", "admin*", "col : admin",
        "'; DROP TABLE message; --", "a & | ! <-> b:*", "\\", "%", "_", "\0", "\ud800",
        "admin' OR '1'='1", "\N{ZERO WIDTH JOINER}", "🙂", "{}[]", "--", "- -", "-\"", "ＡＤＭＩＮ",
    ],
)  # fmt: skip
def test_no_query_fails(kept: Database, query: str) -> None:
    recall(kept, query)
    recall(kept, query + " admin", Filters(session=query, scope=query or None, since=query))
    assert kept.one("SELECT count(*) FROM message") == (len(TEXTS),)


def test_what_has_become_a_secret_since_is_not_quoted(filled: Database) -> None:
    use_patterns(["stripe_client"])
    (hit,) = recall(filled, "payments").hits
    assert "src/payments/[redacted:user-pattern].py:118" in hit.excerpt.text


def test_options_of_a_command_are_looked_for_and_not_left_out(filled: Database) -> None:
    tell(filled, BLOG, {"lint": "npx tsc --noEmit -p web", "mail": "npx tsc mail"})
    assert names(recall(filled, "npx tsc --noEmit -p"))[0] == "lint"
    assert names(recall(filled, "npx tsc -noEmit")) == ["mail"]


def test_a_message_with_most_of_the_words_comes_with_those_that_have_all(filled: Database) -> None:
    tell(filled, BLOG, {"all": "zebra canter meadow", "most": "zebra meadow"})
    assert names(recall(filled, "zebra canter meadow")) == ["all", "most"]
