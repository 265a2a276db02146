"""What a rule refuses by what it is done to: secrets, a channel, a table, a port's listener, files.

A clause of a rule in, what it bars out; nothing for one that refuses nothing, or only at times.
"""

import re
from collections.abc import Iterator

from amplihack_compaction.extract.barred_calls import Ban
from amplihack_compaction.extract.barred_clauses import (
    FILLERS,
    NEGATED,
    is_conditional,
    named_by,
    paths_in,
)
from amplihack_compaction.text.word_lists import patterns

_TABLE = re.compile(patterns("barred_things")["table"], re.IGNORECASE)
_SQL_CLIENTS = "psql|mysql|mariadb|sqlite3|sqlcmd|pgcli|duckdb|clickhouse-client|bq|snowsql|mycli"
_STATEMENTS = (
    (
        re.compile(
            r"\b(?:delet|remov|drop|lösch|supprim|borr|elimin|apag)\w*|удал|删|消|삭제", re.I
        ),
        "delete|drop|truncate",
    ),
    (re.compile(r"\binsert\w*|\badd (?:\w+ )?rows?|einfüg\w*", re.I), "insert"),
)
_ANY_STATEMENT = "insert|update|delete|drop|alter|truncate|replace|merge"


def bans_of_things(clause: str) -> Iterator[Ban]:
    """Yield what a clause bars by what it names."""
    for reading in (
        secrets_shown,
        posts_to_a_channel,
        ports_freed,
        files_by_the_shell,
        rows_of_a_table,
    ):
        yield from reading(clause)


def secrets_shown(clause: str) -> Iterator[Ban]:
    """Yield what bars showing what is secret on the screen."""
    if not NEGATED.search(clause) or not _SHOWS.search(clause) or is_conditional(clause):
        return
    if paths_in(clause):
        return
    secret = _IS_SECRET.search(clause)
    name = _VARIABLE.search(clause)
    if secret is None and name is None:
        return
    words = (name[1].lower(),) if name else _SECRETS
    lines = [f"{head} ~~$ ~~{word}" for head in ("echo", "printf") for word in words]
    lines += [f"printenv ~~{word}" for word in words]
    yield Ban(kind="command", what=tuple(lines), words="|".join(words))


_SHOWS = re.compile(
    r"\b(?:print|echo|show|display|dump|output|log|cat|expos|leak|reveal|ausgeb|anzeig|affich"
    r"|imprim|mostr)\w*"
    r"|вывод|печата|打印|输出|表示|出力|출력",
    re.IGNORECASE,
)
_IS_SECRET = re.compile(
    r"\b(?:secrets?|tokens?|passwords?|credentials?|api[- ]?keys?|env(?:ironment)? (?:vars?"
    r"|variables?)"
    r"|geheimnis\w*|passw[oö]rt\w*|mots? de passe|contraseñas?|senhas?|segredos?|secretos?)\b"
    r"|токен|парол|секрет|密码|密钥|令牌|パスワード|トークン|비밀번호|토큰",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"\$?(?-i:\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b)")
_SECRETS = ("token", "secret", "password", "api_key", "apikey", "_key", "credential")


def posts_to_a_channel(part: str) -> Iterator[Ban]:
    """Yield what bars messages to one channel."""
    found = _CHANNEL.search(part) if NEGATED.search(part) and not is_conditional(part) else None
    if found:
        said = (f"={found[1].lower()}{end}" for end in ",=")
        what = tuple(f"mcp {done} {each}" for each in said for done in ("message", "post"))
        yield Ban(kind="command", what=what, words=found.group())


_CHANNEL = re.compile(
    r"\b(?:post|send|write|message|slack|announce|schreib|poste|escrib"
    r"|env[ií]a)\w*\b.{0,40}?#([\w-]{2,40})",
    re.I,
)


def ports_freed(clause: str) -> Iterator[Ban]:
    """Yield what bars ending what listens on a port."""
    port = re.search(r"(?:\bports? |:)(\d{2,5})\b", clause)
    if port is None or not _ENDS_LISTENER.search(clause) or not NEGATED.search(clause):
        return
    number = port[1]
    yield Ban(
        kind="command",
        what=(
            f"lsof ~~-t ~~:{number}", f"fuser ~~-k ~~{number}", f"kill-port {number}",
            f"* !kill|pkill|xargs %{number}",
        ),
        words=number,
    )  # fmt: skip


_ENDS_LISTENER = re.compile(
    r"\b(?:kill|stop|terminat|shut|tu(?:e|er)|mat(?:a|ar|es)|beend)\w*|убива|杀|殺|죽",
    re.IGNORECASE,
)


def files_by_the_shell(clause: str) -> Iterator[Ban]:
    """Yield what bars writing files by what a shell prints into them."""
    found = _BY_THE_SHELL.search(clause)
    if found and NEGATED.search(clause) and not is_conditional(clause):
        heads = (found[1].lower(),) if found[1] else ("cat", "echo", "printf")
        yield Ban(
            kind="command", what=tuple(f"{head} >" for head in heads), words=r"cat|echo|heredoc"
        )


_BY_THE_SHELL = re.compile(
    r"\b(cat|echo|printf)\b ?(?:>|<<|with (?:a )?redirect|redirect|into (?:a )?files?"
    r"|to (?:write|create) files?)"
    r"|\bhere-?docs?\b|shell redirect\w*",
    re.IGNORECASE,
)


def rows_of_a_table(clause: str) -> Iterator[Ban]:
    """Yield what bars changing one table of a database."""
    names = [name for found in _TABLE.finditer(clause) if _is_table(name := named_by(found, "t"))]
    if not names or not NEGATED.search(clause) or is_conditional(clause):
        return
    name = names[0]
    kinds = "|".join(kinds for words, kinds in _STATEMENTS if words.search(clause))
    kinds = kinds or _ANY_STATEMENT
    places = "|".join(
        f"{word}.{schema}{name}"
        for word in ("into", "update", "from", "table", "exists", "only", "truncate")
        for schema in ("", "public.", "dbo.")
    )
    yield Ban(
        kind="command",
        what=(
            f"* !{_SQL_CLIENTS} %{kinds} %{places}",
            f"mongosh %insert|update|delete|drop|remove|replace ^{name}",
        ),
        words=re.escape(name),
    )


def _is_table(name: str) -> bool:
    is_word = name in FILLERS or name in _NO_TABLES or name[-3:] == "ing"
    return not is_word and re.fullmatch(r"[a-z_][\w.]*", name) is not None


_NO_TABLES = frozenset(
    "database db prod production staging live lookup pivot hash routing dynamodb dynamo existing"
    " drop delete alter truncate modify touch change create edit write add insert update lock"
    " rename new temp tmp test any the sql postgres mysql sqlite another other these those all of"
    " in to from with multiplication time truth system core legacy main and or is are".split()
)
