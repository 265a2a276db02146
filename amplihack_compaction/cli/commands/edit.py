"""`remember`, `forget`, `done`, `pin`, `undo`: change a session's ledger by hand."""

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, cast, get_args

import typer

from amplihack_compaction.base.errors import CompactionError, reason_of
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import prepare_runtime
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.cli.commands.state import HISTORY, with_ids
from amplihack_compaction.cli.options import SESSION_OPTION, argument, option
from amplihack_compaction.cli.sessions import Session, folded_now, running_session
from amplihack_compaction.extract.statements import Item, Rule, SessionState
from amplihack_compaction.injection.render import render_whole
from amplihack_compaction.ledger.clauses import liftable_clauses, with_clause_lifted
from amplihack_compaction.ledger.edits import (
    EDIT_CHARS,
    NOTE,
    Edit,
    LedgerItem,
    add_edit,
    edit_of,
    find_items,
    find_sentences,
    has_words,
    is_id,
    kind_for,
    last_edit,
    list_items,
    made_edits,
    new_edit,
    shortest_id,
)
from amplihack_compaction.ledger.guard import GuardedRule, write_guard
from amplihack_compaction.text.words import counted, inert, normal_form, one_line

_CLIENT_VARIABLE = "CLAUDECODE"
_TEXT_CHARS = 120
_BEGUN_CHARS = 70
_TELLING_CHARS = 3
_NO_WORDS = "there are no words: say what is meant"
_KIND_TOLD = re.compile(r"--as[ =]+([^\s=]+) +(?=\S)")
_OPEN_WORK = ("todo", "issue", "objective")
DONE = {"forget": "Forgotten", "done": "Done", "pin": "Pinned"}
"""What is said when an item was changed so."""
_FINISHED = (*_OPEN_WORK, "note")
# What is kept of a sentence beside the todo or the objective that it tells of.
_BESIDE = {"remark", "value", "step"}


_Kind = Literal["rule", "decision", "value", "todo"]
_Who = Literal["user", "model"]
_WORDS = argument("TEXT", "The words; `-` reads them from standard input.", None)
_WHICH = argument("ID ...|WORDS", "Ids that `state` shows, or words that only one item has.", None)
_BY = option(
    "--by user|model",
    "Whose it is. The default is the model's where the client runs the command, else the user's.",
    None,
)


def remember(
    text: list[str] | None = _WORDS,
    kind: _Kind | None = option(
        "--as rule|decision|value|todo",
        "The default is a rule; a value for words with a number, path or address that read"
        " like no rule; where the client runs the command, a note of the model's.",
        None,
    ),
    by: _Who | None = _BY,
    session: str | None = SESSION_OPTION,
) -> None:
    """Keep something: the model is told it first after every compaction."""
    who, words = _who(by), _given_words(text)
    told = _KIND_TOLD.match(words)  # a slash command hands all its words over as text
    if told is not None and kind is None:
        if told[1] not in get_args(_Kind):
            raise typer.BadParameter(f"--as {told[1]}: there are {', '.join(get_args(_Kind))}")
        kind, words = cast("_Kind", told[1]), words[told.end() :]
    typer.echo(keep_words(running_session(session), words, kind or kind_for(words), who))


def keep_words(found: Session, words: str, kept: str, who: str) -> str:
    """Have words remembered as that kind of item, or the model's, and return what became of it."""
    if who == "model" and kept != "todo":
        kept = NOTE
    edit = new_edit("remember", kept, words, who)
    state = folded_now(found).state
    known = [item for item in list_items(state) if edit.item.startswith(item.id) and item.pinned]
    if known:
        return f"Kept already, nothing changed: {_shown(known[0])}"
    _, guarded = _change(found, edit)
    id_ = shortest_id(edit.item, [each.whole_id for each in list_items(state)])
    item = LedgerItem(id_, kept, edit.text, Item(text=edit.text), by_model=who == "model")
    left_out = "" if edit.text == inert(words, EDIT_CHARS) else " What looks like a secret is not."
    is_guarded = any(edit.item == rule.id and rule.can_be_broken for rule in guarded)
    which = "Tool calls are" if is_guarded else "No tool call can be"
    held = f" {which} held against it." if kept == "rule" else ""
    return f"Kept from now on in session {found.id[:8]}: {_shown(item)}.{held}{left_out}"


def forget(
    which: list[str] | None = _WHICH, by: _Who | None = _BY, session: str | None = SESSION_OPTION
) -> None:
    """Take something out of what is kept of a session, until it is said again."""
    _change_one("forget", which, by, session)


def done(
    which: list[str] | None = _WHICH, by: _Who | None = _BY, session: str | None = SESSION_OPTION
) -> None:
    """Mark a todo, an issue or the objective as done."""
    _change_one("done", which, by, session)


def pin(
    which: list[str] | None = _WHICH, by: _Who | None = _BY, session: str | None = SESSION_OPTION
) -> None:
    """Keep an item that `state` shows for good, and tell it before the others."""
    _change_one("pin", which, by, session)


def undo(
    by: _Who | None = _BY,
    session: str | None = SESSION_OPTION,
    is_list: bool = option("--list", "Only list what was changed by hand.", False),
) -> None:
    """Take back what was changed by hand last."""
    found, who = running_session(session), _who(by)
    newest = last_edit(found.folder, str(found.transcript), who)
    if is_list:
        edits = made_edits(found.folder, str(found.transcript))
        if not edits:
            typer.echo("Nothing was changed by hand.")
        undone = {edit.item for edit in edits if edit.act == "undo"}
        for edit in edits:
            mark = "  (taken back)" if edit.id in undone else "  (next)" if edit == newest else ""
            typer.echo(f"{edit.at}  {edit.by:<5}  {edit.act:<8}  {edit.kind}: {edit.text}{mark}")
        return
    if newest is None:
        raise CompactionError("nothing is left to undo")
    undo_edit(found, newest, who)
    typer.echo(f'Taken back: {newest.act} {newest.kind} "{inert(newest.text, _TEXT_CHARS)}"')


def undo_edit(session: Session, edit: Edit, by: str = "user") -> None:
    """Take an edit back."""
    _change(session, replace(new_edit("undo", edit.kind, edit.text, by), item=edit.id))


def change_item(session: Session, act: str, item: LedgerItem) -> None:
    """Do to an item what its kind allows. Raises CompactionError, with why, where it does not."""
    _check_change(act, item, "user")
    _change(session, edit_of(act, item, "user"))


def _check_change(act: str, item: LedgerItem, by: str) -> None:
    """Raise CompactionError, with why, for what an item's kind does not allow."""
    if act == "done" and item.kind not in _FINISHED:
        raise CompactionError(f"a {item.kind} is never done: `forget {item.id}` takes it out")
    if act == "forget" and by == "model" and not item.by_model:
        raise CompactionError(
            f"{item.id} is the user's word, which only the user takes back: `/forget {item.id}`"
        )
    if act == "pin" and item.kind == "objective":
        raise CompactionError("the objective is always told; there is nothing to pin")


def _change_one(act: str, which: list[str] | None, by: _Who | None, session: str | None) -> None:
    who, words = _who(by), _given_words(which)
    found = running_session(session)
    state = folded_now(found).state
    chosen = _chosen_items(state, act, words)
    for item in chosen:  # all or none
        _check_change(act, item, who)
    forgotten: list[LedgerItem] = []
    for item in chosen:
        if act == "pin" and item.pinned:
            typer.echo(f"Kept already, nothing changed: {_shown(item)}")
            continue
        clause = _clause(item, words) if act == "forget" else ""
        edit = edit_of(act, item, who)
        state, _ = _change(found, replace(edit, text=inert(clause, EDIT_CHARS) or edit.text))
        part = f', of it: "{clause}". What else it says still holds.' if clause else ""
        typer.echo(f"{DONE[act]}: {_shown(item)}{part}")
        forgotten.append(replace(item, text=clause or item.text))
    if len(chosen) > 1:
        typer.echo(f"`{own_command()} undo` takes back one at a time, the last first.")
    if act == "forget":
        _tell_who_else_says(state, forgotten)


def _clause(item: LedgerItem, words: str) -> str:
    """Return the one clause of a rule that words speak of, where the rest stands without it."""
    if not isinstance(item.said, Rule) or is_id(words):
        return ""
    parts = [part for part in liftable_clauses(item.text) if part in item.words]
    meant = [part for part in parts if has_words(part, words)]
    stands = len(meant) == 1 and with_clause_lifted(item.said, meant[0], "", 0) is not None
    return meant[0] if stands else ""


def _chosen_items(state: SessionState, act: str, words: str) -> list[LedgerItem]:
    """Return the items that ids name, or the one that has the words.

    Raises CompactionError where that is none or several, and for an id among others that is none.
    """
    ids = words.split()
    found = {id_: _found(state, act, id_) for id_ in ids if is_id(id_)}
    named = {id_: items[0] for id_, items in found.items() if len(items) == 1}
    unknown = [id_ for id_ in ids if id_ not in named]
    if len(ids) > 1 and not unknown:
        return list(named.values())
    if named and unknown and not _found(state, act, words):
        raise CompactionError(f"none was changed: no item has the id {', '.join(unknown)}")
    return [_only_item(state, act, words)]


def _found(state: SessionState, act: str, words: str) -> list[LedgerItem]:
    """Return what is meant by words; of what is to be forgotten also what a prompt says."""
    found = find_items(state, words)
    return found if found or act != "forget" else find_sentences(state, words)


def _tell_who_else_says(state: SessionState, forgotten: Sequence[LedgerItem]) -> None:
    """Print the lines of a state that still have the words of what was forgotten."""
    # A value was said in a sentence.
    texts = [text for item in forgotten for text in (item.text, getattr(item.said, "context", ""))]
    # A line may be cut: it says the same if it begins so.
    begun = (one_line(normal_form(text), _BEGUN_CHARS).rstrip("…") for text in texts)
    words = [re.escape(each) for each in begun if len(each) >= _TELLING_CHARS]
    if not words:
        return
    says = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(words)})(?![a-z0-9])")
    items = list_items(state)
    # Such a line tells what of it was lifted.
    over = [normal_form(item.text) for item in items if item.words != item.text]
    lines = with_ids(render_whole(state).partition(f"\n{HISTORY}\n")[0].splitlines(), items)
    told = [
        line
        for line in lines
        if says.search(said := normal_form(line)) and not line.startswith("- lifted: ")
        if not any(text in said for text in over)
    ]
    if told:
        typer.echo("\n  ".join(["The same words are still told in:", *told]))
    if not all(line.endswith("]") for line in told):
        typer.echo("Of a line without an id `forget` leaves a prompt's sentence out by its words.")


def _only_item(state: SessionState, act: str, words: str) -> LedgerItem:
    """Return the item that is meant. Raises CompactionError where it is none or several."""
    items = _found(state, act, words)
    if act == "done":
        if not is_id(words):  # what the model said is no work
            items = [item for item in items if item.kind != NOTE or item.by_model]
        if {item.kind for item in items} <= _BESIDE:
            items = find_items(state, words, _FINISHED) or items
        for kinds in (_FINISHED, _OPEN_WORK):  # beside open work its note is not what is meant
            items = [item for item in items if item.kind in kinds] or items
    if len(items) == 1:
        return items[0]
    if not items:
        raise CompactionError(
            f"nothing in force has all of these words: {inert(words, _TEXT_CHARS)}"
            f" (`{own_command()} state` shows what has an id; files, branches, addresses and"
            " running commands have none)" + "; `remember` keeps any words" * (act == "pin")
        )
    lines = "\n".join(f"  {_shown(item)}" for item in items)
    raise CompactionError(
        f"{counted(len(items), 'item')} have these words, and none was changed. Name one:\n{lines}"
    )


def _change(session: Session, edit: Edit) -> tuple[SessionState, tuple[GuardedRule, ...]]:
    """Change the ledger; return it, and the rules that calls are held against from then on."""
    prepare_runtime(session.root)
    window = folded_now(session).base.covered_uuid
    add_edit(session.folder, str(session.transcript), edit, window)
    folded, wanted = folded_now(session), load_settings(session.root)[0].guard
    try:
        guarded = write_guard(session.folder, folded.state, folded.window.start, wanted)
    except OSError as error:
        raise CompactionError(
            "the change was made, but not written for the tool calls that are held against rules:"
            f" {reason_of(error)}. The next compaction does that"
        ) from None
    return folded.state, guarded


def _who(by: _Who | None) -> str:
    return by or ("model" if os.environ.get(_CLIENT_VARIABLE) else "user")


def _given_words(words: Sequence[str] | None) -> str:
    """Return a call's words as one text; a call without any is a wrong one."""
    if not " ".join(words or ()).strip():
        raise typer.BadParameter(_NO_WORDS)
    return joined_words(words)


def joined_words(words: Sequence[str] | None) -> str:
    """Return words as one text. Raises CompactionError for none, and for too many."""
    text = " ".join(" ".join(words or ()).split())
    if not inert(text).strip():  # nor what nobody can see
        raise CompactionError(_NO_WORDS)
    if len(text) > EDIT_CHARS:
        raise CompactionError(
            f"that has {len(text):,} characters, and at most {EDIT_CHARS} are kept: say it shorter"
        )
    return text


def _shown(item: LedgerItem) -> str:
    who = ", the model's" if item.by_model else ""
    return f'{item.id}  {item.kind}{who}: "{inert(item.text, _TEXT_CHARS)}"'
