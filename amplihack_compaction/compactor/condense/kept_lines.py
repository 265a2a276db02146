"""Whether a line stays wherever it stands: errors, results, checklists, decisions, rules.

The one place that judges single lines; whole sections are spared in `cuttable_parts`.
"""

import re

from amplihack_compaction.compactor.condense.documents import is_stub
from amplihack_compaction.text.markdown import BULLET
from amplihack_compaction.text.phrasings.markers import languages_of, markers_for
from amplihack_compaction.text.words import match_any, search_any

# What a line is starts at its head; only errors are looked for in all of it.
_HEAD_CHARS = 600
_LINE_CHARS = 2_000
_RULE_CHARS = 300
_ERROR = re.compile(
    r"error|fail|critical|fatal|exception|err!|panic|traceback|abort|segfault|out of memory"
    r"|fehler|fehlgeschlagen|ausnahme|kritisch|erreur|échec|échou|critique|excepci[oó]n|fall[oóa]s?\b"
    r"|cr[ií]tic[oa]|\berros?\b|falh|exceç|ошибк|сбо[йяи]|исключени|критическ|фатальн"
    r"|错误|失败|异常|致命|崩溃|エラー|失敗|例外|오류|에러|실패|예외|치명",
    re.IGNORECASE,
)
# A test that passes may have `error` in its name; that is no error.
_PASSES = re.compile(
    r"\s*(?:[✓✔√]|PASS(?:ED)?\b|ok\b|--- PASS)|.*(?:\bPASSED\b|\.\.\. ok\b|\.\.\. PASSED\b)"
)
_NAME_SIGNS = frozenset("/_.:-")
_RESULT = re.compile(
    r"\b\d+ (?:passed|passing|pending|skipped|xfailed|examples?,|packages? in)\b"
    r"|^\s*(?:Tests?|Test Suites|Test Files|Snapshots):\s+\d|^test result:|^Ran \d+ tests?\b"
    r"|\bBUILD SUCCESS|\bexit(?:ed)?(?: with)?(?: code| status)? ?:? ?\d{1,3}\b"
)
# What a failing test found and what it wanted: its failure is in these, not in the word.
_FINDING = re.compile(
    r"E {3,}\S|> {5,}\S|\s{1,40}(?:expected|received|actual|left|right|got|want)(?: value)?\s?:\s",
    re.IGNORECASE,
)
_OPEN_MARKS, _DONE_MARKS = r" \t~/>!?*.o-", "xX✓✔✗✘"
_CHECKLIST = re.compile(
    rf"[ \t]{{0,80}}(?:>\s?)?(?:{BULLET}\s{{1,8}})?"
    rf"(?:\[[{_DONE_MARKS}{_OPEN_MARKS}]?\]\s|[☐☑☒✅❌⬜🔲])"
)
_OPEN_ITEM = re.compile(
    rf"^[ \t>]*(?:{BULLET}[ \t]*)?"
    rf"(?:\[[{_OPEN_MARKS}]?\](?![(\[:])|[☐⬜🔲]|\W{{0,4}}(?:TODO|FIXME|TBD)\b)",
    re.MULTILINE,
)
_DONE_ITEM = re.compile(
    rf"\W*\[[{_DONE_MARKS}]\]|\W*(?:~~|[✅✔✓☑❌✗✘])"
    r"|.*(?:✅|✔|☑|\b(?:done|finished|completed|erledigt|fertig)\b)",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(rf"^[ \t>]*{BULLET}[ \t]+\S.*$", re.MULTILINE)
_DECISION_WORDS = (
    r"decisions?|decided|entscheidung(?:en)?|entschieden|beschl(?:uss|üsse)|décisions?|décidé"
    r"|decisi[oó]n(?:es)?|decidido|decis(?:ão|ões)|решени[ея]|решено|决定|決定|결정"
)
_RECORD = re.compile(r"\bADR[- _]?\d{1,5}\b", re.IGNORECASE)
_DECISION = re.compile(
    r"\W*ADR[- _]?\d{1,5}\b"
    rf"|\W{{0,12}}(?:\w{{2,12}} ){{0,2}}(?:{_DECISION_WORDS}|adrs?)"
    r"[ #\d*_]{0,8}(?:\([^)]{0,40}\))?[*_ ]{0,4}[:：]"
    r"|.*?\b(?:we|i)(?:'ve| have| had|'ll| will)? (?:decided|agreed|settled on|opted|chose|chosen"
    r"|go with|use [^.]{1,200} because)\b"
    r"|.*?(?:\b(?:wir haben|nous avons|on a|hemos|temos|decidimos|мы)\b.{0,60}?"
    r"(?:entschieden|beschlossen|décidé|choisi|decidido|elegido|escolhido|decidimos|решили)"
    r"|我们决定|决定[用采选]|に決め|を採用|[을로] 결정|하기로 (?:했|결정))",
    re.IGNORECASE,
)
# With these words a line is held to state a rule wherever it stands ...
_STANDING_WORDS = (
    r"never|always|must(?:n'?t)?|shall not|forbidden|mandatory|niemals|nie|immer|muss|müssen"
    r"|verboten|jamais|toujours|doit|doivent|interdit|nunca|jamás|siempre|deben?|prohibido|sempre"
    r"|devem?|proibido|никогда|всегда|нельзя|должн\w{1,3}|обязательно|запрещено"
)
_STANDING_SIGNS = "不要|必须|禁止|绝不|不得|务必|始终|必ず|絶対|常に|しないで|반드시|절대|항상|금지"
_STANDING = re.compile(rf"\b(?:{_STANDING_WORDS})\b|{_STANDING_SIGNS}", re.IGNORECASE)
# ... with these it may.
_RULE = re.compile(
    rf"\b(?:{_STANDING_WORDS}|do not|don['’]?t|required|niemals?|dürfen|deve|должн\w+)\b"
    rf"|{_STANDING_SIGNS}|ないこと|마세요",
    re.IGNORECASE,
)
DECISION_HEADING = re.compile(
    rf"(?<![^\W_])(?:{_DECISION_WORDS}|adrs?|architecture records?)(?![^\W_])"
    r"|决定|決定|결정|决策",
    re.IGNORECASE,
)
"""Finds, in a heading, that its section holds decisions, which stay whole."""
RULES_HEADING = re.compile(
    r"(?<![^\W_])(?:rules?|constraints?|conventions?|guidelines?|regeln?|vorgaben|règles?"
    r"|contraintes|reglas?|restricciones|regras?|restrições|правила|ограничения)(?![^\W_])"
    r"|规则|规范|约定|约束|ルール|規則|規約|制約|규칙|제약",
    re.IGNORECASE,
)
"""Finds, in a heading, that its section holds rules, which stay even where they are repeated."""


def stays(line: str) -> bool:
    """Return whether a line stays inside an output that is cut: stubs of earlier cuts do too."""
    head = line[:_HEAD_CHARS]
    return (
        is_error(line)
        or _RESULT.search(head) is not None
        or _FINDING.match(head) is not None
        or _CHECKLIST.match(head) is not None
        or _DECISION.match(head) is not None
        or _RECORD.search(line) is not None
        or is_stub(line)
    )


def stays_in_prose(line: str) -> bool:
    """Return whether a line of prose stays even where it says again what stands elsewhere."""
    return stays(line) or has_rule_word(line)


def is_error(line: str) -> bool:
    """Return whether a line speaks of an error, a failure or an exception, in nine languages.

    Generous: `0 errors` counts. Only a passing test with such a word in its name does not.
    """
    if _ERROR.search(line) is None:
        return False
    head = line[:_HEAD_CHARS]
    if _PASSES.match(head) is None:
        return True
    words = (word.strip(".,:;") for word in line.split())
    return any(_ERROR.search(word) for word in words if _NAME_SIGNS.isdisjoint(word))


def is_decision(line: str) -> bool:
    """Return whether a line states a decision, or names a record of one."""
    return _DECISION.match(line[:_HEAD_CHARS]) is not None


def has_rule_word(line: str) -> bool:
    """Return whether a line has a word that rules are made with: a cheap, generous guess."""
    return _RULE.search(line[:_HEAD_CHARS]) is not None


def speaks_of_always(line: str) -> bool:
    """Return whether a line says what is never or always so, in nine languages; generous."""
    return _STANDING.search(line[:_LINE_CHARS]) is not None


def is_open_item(text: str) -> bool:
    """Return whether a text has an item of a checklist that is not done, or a TODO."""
    return _OPEN_ITEM.search(text) is not None


def is_undone_list(text: str) -> bool:
    """Return whether a text has a list item that nothing marks as done."""
    return any(not _DONE_ITEM.match(item[0][:_LINE_CHARS]) for item in _LIST_ITEM.finditer(text))


def states_rule(sentence: str) -> bool:
    """Return whether a sentence says what is never or always to be done, in nine languages."""
    text = sentence.replace("’", "'").casefold().strip()
    if len(text) > _RULE_CHARS or text.endswith(("?", "？")):
        return False
    for language in languages_of(text):
        markers = markers_for(language)
        opener = markers.openers.match(text)
        bare = text[opener.end() :] if opener else text
        if markers.question.match(bare) or markers.once.match(bare):
            continue
        if markers.report.search(bare) or markers.narrative.search(bare):
            continue
        for kind, several in markers.opening:
            if kind in ("prohibition", "obligation") and match_any(several, bare):
                return True
        if any(k == "prohibition" and search_any(pattern, bare) for k, pattern in markers.anywhere):
            return True
    return False
