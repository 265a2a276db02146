"""What was changed in a ledger by hand: a small log beside it, laid over every fold.

    <session>/edits.jsonl    {"mark", "version": 1, "id", "at", "act", "kind", "text", "item", "by",
                              "offset": the transcript's size then, "after": its newest entry's
                              uuid, "head": its first one's, "window": its newest boundary's}

`act` is remember, forget, done, pin or undo; `by` is user or model. `item` is the id of what is
changed, `text` its words, or those of the one clause of a rule that is forgotten, redacted. Lines
are only added, and the ledger stays a cache: what is remembered is merged with the window in which
that was done, so that later words can lift it, and all else is done to the state that a fold ends
with. What is said again later stands again.

A fork's transcript has its origin's entries, under another session: the uuids tell which of the
origin's edits were made before it was forked.
"""

import json
import posix
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from mmap import ACCESS_READ, mmap
from typing import Any, TypeVar
from zlib import crc32

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.files import (
    append_line,
    is_regular,
    list_names,
    parse_object,
    read_bytes,
    read_if_there,
    read_range,
)
from amplihack_compaction.base.folders import opened
from amplihack_compaction.base.paths import EDITS_FILE
from amplihack_compaction.base.records import read_record
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.base.signature import key_path, own_part, signed
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.clients.reading import iterate_entries
from amplihack_compaction.extract.issues import is_failure_of
from amplihack_compaction.extract.objective import is_done_by_hand, newest_prompt
from amplihack_compaction.extract.rules import kind_of_rule, permits
from amplihack_compaction.extract.statements import (
    Decision,
    ExactValue,
    Item,
    LongPrompt,
    Objective,
    PromptRecord,
    Retraction,
    Rule,
    RuleKind,
    SessionState,
    Todo,
    TodoSource,
    TodoStatus,
    TurnDigest,
    WindowState,
    as_item,
    field_values,
)
from amplihack_compaction.ledger.clauses import says_again, with_clause_lifted, with_said_again
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.words import counted, inert, normal_form, words_of

EDIT_CHARS = 600
"""The longest text that is remembered."""
_LOG_BYTES = 128 * 1024
_TAIL_BYTES = 256 * 1024
_HEAD_ENTRIES = 60
_ORIGINS = 100
_LEAST_DIGITS = 4
_TELLING_WORDS = 3
_EXACT = re.compile(r"[\d/=@]")
_BY_HAND, _BY_MODEL = "edit:", "edit:model:"
FORGOTTEN = "/forget"
"""What a rule that was taken out by hand is lifted by."""
# By the letter that an id begins with: the name of a kind, and the state's field.
_KINDS = {
    "r": ("rule", "rules"),
    "o": ("objective", "objective"),
    "t": ("todo", "todos"),
    "d": ("decision", "decisions"),
    "v": ("value", "values"),
    "n": ("note", "learnings"),
    "s": ("remark", "remarks"),
    "i": ("issue", "issues"),
    "f": ("failed approach", "failed"),
    "c": ("check", "verify"),
    "p": ("step", "progress"),
    "q": ("sentence", "prompts"),
}
_LETTERS = {kind: letter for letter, (kind, _) in _KINDS.items()}
_FIELDS = dict(_KINDS.values())
_EDIT_VERSION = 1
NOTE = "note"
_P = TypeVar("_P", PromptRecord, LongPrompt, Objective)
_S = TypeVar("_S", SessionState, WindowState)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One line of the log; see the module."""

    act: str
    kind: str
    text: str
    item: str
    by: str = "user"
    id: str = ""
    at: str = ""
    offset: int = 0
    after: str = ""
    head: str = ""
    window: str = ""


@dataclass(frozen=True, slots=True)
class LedgerItem:
    """Something in a ledger that can be changed by hand, with a short id that tells it.

    `by_model` says that the model had it noted.
    """

    id: str
    kind: str
    text: str
    said: Item
    pinned: bool = True
    by_model: bool = False

    @property
    def whole_id(self) -> str:
        """Its id at full length; the short one grows when another item's begins like it."""
        return item_id(self.kind, self.text if self.kind == "sentence" else self.said.key)

    @property
    def words(self) -> str:
        """Its words, without what of a rule was lifted."""
        return self.said.standing if isinstance(self.said, Rule) else self.text

    @property
    def line(self) -> str:
        """Its words, and what its line tells beside them: a value's sentence, a question."""
        beside = (getattr(self.said, name, "") for name in ("context", "question", "reason"))
        return " ".join((self.words, *beside))


def log_path(folder: str) -> str:
    """Return the log of a session's edits."""
    return f"{folder}/{EDITS_FILE}"


def list_items(state: SessionState) -> list[LedgerItem]:
    """Return what a state has in force, each once, with ids no longer than tells them apart."""
    found: dict[str, tuple[str, Item]] = {}
    for kind, field in _FIELDS.items():
        for said in _in_force(state, field):
            found.setdefault(item_id(kind, said.key), (kind, said))
    return [
        LedgerItem(
            shortest_id(id_, found),
            kind,
            said.text,
            said,
            is_kept(state, kind, said),
            said.uuid.startswith(_BY_MODEL),
        )
        for id_, (kind, said) in found.items()
    ]


def _in_force(state: SessionState, field: str) -> Iterator[Item]:
    if field == "rules":
        yield from state.active_rules
    elif field == "todos":
        yield from state.open_todos
    elif field == "decisions":
        yield from (made for made in state.decisions if not made.superseded)
    elif field == "objective":
        yield from filter(None, (state.objective, _prompt_since(state)))
    elif field != "prompts":
        yield from getattr(state, field)


def _prompt_since(state: SessionState) -> Objective | None:
    """Return the newest prompt as what is wanted now, where that is another than the objective."""
    newest = newest_prompt(state)
    if newest is None or not newest.text.strip() or is_done_by_hand(state, newest):
        return None
    return Objective(**field_values(as_item(newest)))


def item_id(kind: str, text: str) -> str:
    """Return the whole id of a text of a kind; it is the same wherever the text was said."""
    return f"{_LETTERS[kind]}{crc32(normal_form(text).encode('utf-8', 'replace')):08x}"


def shortest_id(id_: str, others: Iterable[str]) -> str:
    """Return the beginning of an id that none of the others has."""
    size, rest = 1 + _LEAST_DIGITS, [other for other in others if other != id_]
    while any(other.startswith(id_[:size]) for other in rest):
        size += 1
    return id_[:size]


def is_kept(state: SessionState, kind: str, said: Item) -> bool:
    """Return whether something was remembered or pinned by hand, and so comes first."""
    return item_id(kind, said.key) in state.pinned


def without_kept(state: SessionState) -> SessionState:
    """Return a state without what was remembered or pinned by hand, but for its objective."""
    if not state.pinned:
        return state
    others: Any = {
        field: tuple(said for said in getattr(state, field) if not is_kept(state, kind, said))
        for kind, field in _FIELDS.items()
        if field not in ("objective", "prompts")
    }
    return replace(state, **others)


def is_id(word: str) -> bool:
    """Return whether a word is written as an id, or as an id's beginning that `state` may show."""
    return re.fullmatch(rf"[{''.join(_KINDS)}][0-9a-f]{{{_LEAST_DIGITS},8}}", word) is not None


def find_items(
    state: SessionState, words: str, kinds: Container[str] | None = None
) -> list[LedgerItem]:
    """Return what of these `kinds` an id names, or its beginning; else what has all the words.

    A word counts where one in the text begins with it (`port` finds ports, and no report), a number
    where it stands by itself. What has them only in its line, as in a value's sentence, comes last.
    """
    items, wanted = list_items(state), normal_form(words)
    items = [each for each in items if kinds is None or each.kind in kinds]
    if not wanted:
        return []
    named = [each for each in items if each.whole_id.startswith(wanted)]
    if named and len(wanted) > _LEAST_DIGITS:
        return named
    exact = [each for each in items if normal_form(each.text) == wanted]
    having = [each for each in items if has_words(each.words, wanted)]
    # The objective is a whole prompt, which says what else was said in it.
    found = exact or [each for each in having if each.kind != "objective"] or having
    return found or [each for each in items if has_words(each.line, wanted)]


def find_sentences(state: SessionState, words: str) -> list[LedgerItem]:
    """Return the sentences of the prompts that an id names, or that have all the words."""
    prompts = (*state.long_prompts, *state.prompts)
    said = ((item_id("sentence", s), s, p) for p in prompts for s in sentences(p.text))
    known = {id_: (text, prompt) for id_, text, prompt in said}
    return [
        LedgerItem(shortest_id(id_, known), "sentence", text, prompt, pinned=False)
        for id_, (text, prompt) in known.items()
        if id_.startswith(words) or has_words(text, words)
    ]


def has_words(text: str, words: str) -> bool:
    """Return whether each of the words begins one in the text; a number has to be all of one."""
    said, parts = normal_form(text), normal_form(words).split()
    return bool(parts) and all(
        re.search(
            rf"(?<![a-z0-9])(?<!\d[.,]){re.escape(part)}(?![.,]?\d)"
            if part[-1].isdigit()
            else rf"(?<![a-z0-9]){re.escape(part)}",
            said,
        )
        for part in parts
    )


def kind_for(text: str) -> str:
    """Return what a text is remembered as where nobody says so.

    A value is what has something exact in it and does not read like a rule.
    """
    return "value" if _EXACT.search(text) and not kind_of_rule(text) else "rule"


def new_edit(act: str, kind: str, text: str, by: str = "user") -> Edit:
    """Return an edit of the item that has this text, without secrets and on one line."""
    clean = inert(redact(text), EDIT_CHARS)
    return Edit(act=act, kind=kind, text=clean, item=item_id(kind, clean), by=by)


def edit_of(act: str, item: LedgerItem, by: str = "user") -> Edit:
    """Return an edit of what stands in a ledger."""
    return replace(new_edit(act, item.kind, item.text, by), item=item.whole_id)


def add_edit(folder: str, transcript_path: str, edit: Edit, window: str = "") -> None:
    """Write an edit down; `window` is the uuid of the newest boundary.

    What was made of the ledger before it is older than the log from then on, and is made anew.
    Raises CompactionError where the log is full, or a newer version wrote in it, OSError where it
    cannot be read or written.
    """
    path = log_path(folder)
    known = read_if_there(path, 2 * _LOG_BYTES) or b""
    if newer := sum(_is_newer(own_part(line, path)) for line in known.split(b"\n")):
        raise CompactionError(
            f"a newer version made {counted(newer, 'change')} by hand to this session, which this"
            " one cannot read: update amplihack-compaction"
        )
    place = _place(transcript_path)
    # A fork has its origin's edits, too: the number alone would not tell them apart.
    number = known.count(b"\n") + 1
    id_ = f"{number}-{place['offset']}-{edit.item}"
    placed = replace(edit, id=id_, at=utc_text(), window=window, **place)
    content = {"version": _EDIT_VERSION, **field_values(placed)}
    line = signed(json.dumps(content, ensure_ascii=False).encode("utf-8", "replace"), path) + b"\n"
    if own_part(line[:-1], path) is None:
        raise CompactionError(f"{key_path()} cannot be kept: without it nothing is read back")
    if len(known) + len(line) > _LOG_BYTES:
        raise CompactionError(
            f"{path} is full ({_LOG_BYTES // 1024} kB of changes by hand): begin a new session, or"
            " move lasting rules to CLAUDE.md"
        )
    if edit.act == "undo":  # what was remembered may be merged in the ledger, which is a cache
        with suppress(FileNotFoundError):
            posix.unlink(f"{folder}/ledger.json")
    append_line(path, line, 2 * _LOG_BYTES)


def _place(transcript_path: str) -> dict[str, Any]:
    with opened(transcript_path) as descriptor:
        size = posix.fstat(descriptor).st_size
        tail = read_range(descriptor, max(0, size - _TAIL_BYTES), _TAIL_BYTES)
    uuids = (parse_object(line) or {} for line in reversed(tail.split(b"\n")) if b'"uuid"' in line)
    after = next((u["uuid"] for u in uuids if isinstance(u.get("uuid"), str)), "")
    return {"offset": size, "after": after[:64], "head": _first_uuid(transcript_path)}


def _first_uuid(transcript_path: str) -> str:
    head = islice(iterate_entries(transcript_path), _HEAD_ENTRIES)
    uuids = (entry.data.get("uuid") for entry in head)
    return next((uuid[:64] for uuid in uuids if isinstance(uuid, str) and uuid), "")


def session_edits(folder: str, transcript_path: str) -> list[Edit]:
    """Return a session's edits that were not undone, oldest first: its own, and its origin's.

    None where no folder is named.
    """
    return _not_undone(made_edits(folder, transcript_path))


def made_edits(folder: str, transcript_path: str) -> list[Edit]:
    """Return the edits of a session, its origin's before its own, also those that were undone."""
    return [*_inherited(folder, transcript_path), *read_edits(folder)] if folder else []


def last_edit(folder: str, transcript_path: str, by: str) -> Edit | None:
    """Return the newest edit that can be undone, also its origin's; the model undoes its own."""
    left = reversed(session_edits(folder, transcript_path))
    return next((edit for edit in left if by == "user" or edit.by == by), None)


def edits_in_force(folder: str) -> list[Edit]:
    """Return what was edited in a session itself and not undone, oldest first."""
    return _not_undone(read_edits(folder))


def _not_undone(made: Sequence[Edit]) -> list[Edit]:
    undone = {edit.item for edit in made if edit.act == "undo"}
    return [edit for edit in made if edit.act != "undo" and edit.id not in undone]


def _inherited(folder: str, transcript_path: str) -> Iterator[Edit]:
    """Yield what was edited in the session that this one was forked from, before it was."""
    sessions, _, own = folder.rpartition("/")
    others = [
        f"{sessions}/{name}"
        for name in list_names(sessions)
        if name != own and is_regular(log_path(f"{sessions}/{name}"))
    ]
    head = _first_uuid(transcript_path) if others else ""
    for other in others[-_ORIGINS:] if head else ():
        edits = [edit for edit in read_edits(other, head) if head in (edit.head, edit.window)]
        for edit in edits:
            offset = _find(transcript_path, edit.after)
            if offset >= 0:
                yield replace(edit, offset=offset)


def _find(transcript_path: str, uuid: str) -> int:
    """Return where an entry is in a transcript; -1 where it is not."""
    if not uuid:
        return -1
    try:
        with opened(transcript_path) as at, mmap(at, 0, access=ACCESS_READ) as data:
            return data.find(uuid.encode())
    except ValueError:  # an empty file
        return -1


def read_edits(folder: str, naming: str = "") -> list[Edit]:
    """Return what a session's log says; a line that is no edit of this user's says nothing.

    Only lines in which a text stands are looked at: a repository may bring thousands of logs.
    """
    path, named = log_path(folder), naming.encode("utf-8", "replace")
    lines = (read_bytes(path, 2 * _LOG_BYTES) or b"").split(b"\n")
    own = (own_part(line, path) for line in lines if named in line)
    return [edit for line in own if line and (edit := _read_line(line)) is not None]


def _is_newer(line: bytes | None) -> bool:
    version = (parse_object(line) or {}).get("version") if line else None
    return isinstance(version, int) and version > _EDIT_VERSION


def _read_line(line: bytes) -> Edit | None:
    content = parse_object(line)
    if content is not None and content.get("version") == _EDIT_VERSION:
        with suppress(ValueError):
            edit = read_record(Edit, content)
            clean = replace(edit, text=inert(redact(edit.text), EDIT_CHARS))
            return clean if edit.kind in _FIELDS else None
    return None


def with_remembered(
    found: WindowState, edits: Sequence[Edit], start: int, end: int | None
) -> WindowState:
    """Return a window's findings with what was remembered in it, up to `end` where it has ended.

    What was remembered just before a compaction lies where its boundary is then written.
    """
    for edit in edits:
        is_later = edit.offset > start or start == 0
        inside = is_later and (end is None or edit.offset <= end)
        if edit.act == "remember" and inside and edit.kind != "todo":
            found = _with(found, _FIELDS[edit.kind], _remembered(edit, found.index))
            if edit.by == "user" and permits(edit.text):  # what barred it holds no longer
                lifts = Retraction(**_place_of(edit, found.index), target=edit.text)
                found = _with(found, "retractions", lifts)
    return found


def _with(state: _S, field: str, said: Item) -> _S:
    changes: Any = {field: (*getattr(state, field), said)}
    return replace(state, **changes)


def _place_of(edit: Edit, window: int) -> dict[str, Any]:
    mark, number = _BY_MODEL if edit.by == "model" else _BY_HAND, edit.id.partition("-")[0]
    return {
        "text": edit.text, "uuid": f"{mark}{edit.id}", "offset": edit.offset, "at": edit.at,
        "window": window, "position": int(number) if number.isdecimal() else 0,
    }  # fmt: skip


def _remembered(edit: Edit, window: int) -> Item:
    place = _place_of(edit, window)
    if edit.kind == "rule":
        kind = "" if permits(edit.text) else kind_of_rule(edit.text)
        return Rule(**place, kind=RuleKind(kind or RuleKind.OBLIGATION))
    if edit.kind == "decision":
        return Decision(**place)
    if edit.kind == "value":
        return ExactValue(**place, context=edit.text)
    if edit.kind == "todo":
        return Todo(**place, source=TodoSource.USER_TODOS)
    return Item(**place)


def apply_edits(state: SessionState, edits: Sequence[Edit]) -> SessionState:
    """Return the state that a fold ended with, and all edits done to it, the oldest first.

    Prompts say no more what was forgotten.
    """
    forgotten: list[tuple[Edit, Item]] = []
    for number, edit in enumerate(edits, 1):
        field = _FIELDS[edit.kind]
        if edit.act in ("remember", "pin"):
            if edit.act == "remember" and edit.kind == "rule":
                since = {later.text for later in edits[number:]}
                state = replace(state, rules=tuple(_said_again(state.rules, edit, since)))
            kept = dict.fromkeys((*state.pinned, edit.item))
            state = _with_item(replace(state, pinned=tuple(kept)), field, edit)
            continue
        is_clause = _is_of_clause(edit)
        if not is_clause:
            state = replace(state, pinned=tuple(id_ for id_ in state.pinned if id_ != edit.item))
        if field == "objective":
            state = _without_objective(state, edit)
        elif field == "prompts":
            forgotten.append((edit, Item(text=edit.text)))
        elif edit.act in ("forget", "done"):
            meant = [said for said in getattr(state, field) if _is_before(edit, said)]
            if edit.act == "forget":
                texts = (replace(said, text=edit.text) if is_clause else said for said in meant)
                forgotten += ((edit, said) for said in texts)
            state = _edited(state, field, edit, edits, meant)
    return _without_sentences(state, forgotten) if forgotten else state


def _edited(
    state: SessionState, field: str, edit: Edit, edits: Sequence[Edit], meant: Sequence[Any]
) -> SessionState:
    """Return the state with the items that are `meant` lifted, done, or gone."""
    items = getattr(state, field)
    left = (_edited_item(said, edit, edits, items) if said in meant else said for said in items)
    changes: Any = {field: tuple(said for said in left if said is not None)}
    if field == "issues":  # nor is the failing of a check told that is one of them
        changes["verify"] = tuple(
            replace(check, passed=None)
            if check.passed is False and any(is_failure_of(issue, check.text) for issue in meant)
            else check
            for check in state.verify
        )
    return replace(state, **changes)


def _edited_item(
    said: Item, edit: Edit, edits: Sequence[Edit], items: Sequence[Any]
) -> Item | None:
    """Return an item as it is once an edit of it is made; None where it is gone."""
    if isinstance(said, Rule) and edit.kind == "rule":  # a remark is one, too
        if _is_of_clause(edit):
            return _without_clause(said, edit, items)
        # No injection has told of what was remembered since the last: there is nothing to lift.
        made = (each for each in edits if said.uuid == f"{_BY_HAND}{each.id}")
        if any(each.window == edit.window for each in made):
            return None
        lifted = replace(said, retired_by=FORGOTTEN, retired_offset=edit.offset)
        return lifted if said.active else said
    if isinstance(said, Todo) and edit.act == "done":
        return replace(said, status=TodoStatus.COMPLETED) if said.is_open else said
    return None


def _without_sentences(state: SessionState, forgotten: Sequence[tuple[Edit, Item]]) -> SessionState:
    """Return the state with prompts and answers that do not say what was forgotten after them.

    A value's sentence stays in the newest one, which may be a request with another value.
    """
    newest = state.prompts[-1].uuid if state.prompts else None
    last_said = {" ".join(prompt.text.split()): prompt.uuid for prompt in state.prompts}

    def without(text: str, prompt: Item) -> str:
        for edit, said in forgotten:
            sentence = said.context if isinstance(said, ExactValue) else said.text
            is_kept = isinstance(said, ExactValue) and prompt.uuid == newest
            # "yes" stands in many prompts, and was forgotten of one: that it is all of, last.
            of_prompt = said.uuid or last_said.get(sentence)
            is_meant = of_prompt == prompt.uuid or len(sentence.split()) >= _TELLING_WORDS
            if sentence and is_meant and not is_kept and prompt.offset <= edit.offset:
                words = r"\s+".join(map(re.escape, sentence.split()))
                text = re.sub(rf"(?<!\w){words}(?!\w)", "…", text)
        return text

    def left_of(prompt: _P) -> _P:
        text = without(prompt.text, prompt)
        if text == prompt.text:
            return prompt
        return replace(prompt, text=text if words_of(text) else "")

    def rule_of(rule: Rule) -> Rule:
        return replace(rule, asked_with=without(rule.asked_with, rule))

    def answer_of(turn: TurnDigest) -> TurnDigest:
        answer, offer = turn.answer, turn.offer
        for edit, said in forgotten:
            if turn.offset <= edit.offset and len(said.text.split()) >= _TELLING_WORDS:
                answer, offer = (text.replace(said.text, "…") for text in (answer, offer))
        return replace(turn, answer=answer, offer=offer)

    return replace(
        state,
        prompts=tuple(map(left_of, state.prompts)),
        long_prompts=tuple(map(left_of, state.long_prompts)),
        rules=tuple(map(rule_of, state.rules)),
        continues=tuple(map(left_of, state.continues)),
        recent=tuple(map(answer_of, state.recent)),
    )


def _with_item(state: SessionState, field: str, edit: Edit) -> SessionState:
    """Return the state with what was remembered, where it is neither there nor was lifted."""
    if field == "objective" or any(_is_meant(edit, said) for said in getattr(state, field)):
        return state
    return _with(state, field, _remembered(edit, state.windows - 1))


def _is_meant(edit: Edit, said: Item) -> bool:
    return item_id(edit.kind, said.key) == edit.item


def _is_of_clause(edit: Edit) -> bool:
    """Return whether an edit is of one clause of a rule, whose id it has."""
    return edit.kind == "rule" and item_id("rule", edit.text) != edit.item


def _said_again(rules: Sequence[Rule], edit: Edit, since: Container[str]) -> Iterator[Rule]:
    """Yield the rules without what was lifted before it was remembered.

    `since` are the words of later edits: nothing need be said between two.
    """
    for rule in rules:
        is_over = not rule.active and rule.retired_offset <= edit.offset
        is_over = is_over and rule.retired_by not in since
        if not (is_over and says_again(edit.text, rule.text)):
            yield with_said_again(rule, edit.text)


def _without_clause(rule: Rule, edit: Edit, rules: Sequence[Rule]) -> Rule:
    """Return a rule without the clause that an edit is of, unless it was said again since."""
    since = (later for later in rules if later.active and later.offset > edit.offset)
    is_over = not rule.active or any(clause.text == edit.text for clause in rule.lifted)
    if is_over or any(says_again(later.text, edit.text) for later in since):
        return rule
    part = with_clause_lifted(rule, edit.text, FORGOTTEN, edit.offset)
    # Nothing may be left of it, with what was lifted otherwise; or its words are redacted since.
    return part or replace(rule, retired_by=FORGOTTEN, retired_offset=edit.offset)


def _is_before(edit: Edit, said: Item) -> bool:
    return _is_meant(edit, said) and said.offset <= edit.offset


def _without_objective(state: SessionState, edit: Edit) -> SessionState:
    """Return the state without an objective and what it went on from, also where others came since.

    The prompt of one that is forgotten is told no more either; of one that is done, as done.
    """
    now = _prompt_since(state)
    if now is not None and _is_before(edit, now):
        return _ended(state, now, edit)
    thread = [*state.continues, *filter(None, (state.objective,))]
    place = next((n for n, said in enumerate(thread) if _is_before(edit, said)), None)
    if place is None:
        return state
    left = thread[place + 1 :]
    newest = left.pop() if left else None
    return replace(_ended(state, thread[place], edit), objective=newest, continues=tuple(left))


def _ended(state: SessionState, said: Objective, edit: Edit) -> SessionState:
    """Return the state with what was wanted among what is past, or its prompt blank."""
    if edit.act != "forget":
        return replace(state, past_objectives=(*state.past_objectives, said))
    blank = (replace(p, text="", handed="") if p.uuid == said.uuid else p for p in state.prompts)
    rules = (
        replace(r, asked_with="…") if r.uuid == said.uuid and r.asked_with else r
        for r in state.rules
    )
    long = (prompt for prompt in state.long_prompts if prompt.uuid != said.uuid)
    return replace(state, prompts=tuple(blank), long_prompts=tuple(long), rules=tuple(rules))
