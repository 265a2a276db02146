"""Tell what of a text is never archived: open work, decisions and rules; and which files are.

Judged generously, in nine languages: what stays costs some tokens, what goes may be missed.
"""

import re

from amplihack_compaction.archives.dates import date_at_start
from amplihack_compaction.language.machine_text import is_machine_line, machine_lines
from amplihack_compaction.language.sentences import sentences
from amplihack_compaction.speech.norms import kind_of_rule

DOCUMENT_ENDINGS = frozenset({"md", "markdown", "mdown", "mkd", "rst", "txt", "text", "log"})
_OTHER_ENDINGS = frozenset(
    "json jsonl ndjson json5 yaml yml toml ini cfg conf env csv tsv xml html htm css scss svg"
    " js mjs cjs ts tsx jsx py pyi ipynb go rs java kt kts c h cc cpp hpp cs rb php swift scala"
    " sh bash zsh fish ps1 bat sql proto graphql tf lock diff patch tex bib vue svelte dart lua"
    " r pl ex exs erl hs clj properties plist gradle cmake mk pem crt key".split()
)
_NAMES_LEFT_ALONE = frozenset(
    "makefile dockerfile procfile gemfile rakefile vagrantfile jenkinsfile license licence"
    " copying notice codeowners".split()
)
_LINES_JUDGED = 400
_MACHINE_SHARE = 1 / 3

_BULLET = r"^[ \t>]*(?:(?:[-*+•]|[0-9]{1,9}[.)])[ \t]*)?"
_OPEN = re.compile(
    rf"{_BULLET}(?:\[[ \t~/>!?*.o-]?\](?![(\[:])|[☐⬜🔲]|\W{{0,4}}(?:TODO|FIXME|TBD)\b)",
    re.MULTILINE,
)
_TASK_FILE = re.compile(
    r"(?:^|[/_-])(?:tasks?|todos?|checklist|backlog)\.[a-z]{1,8}\Z", re.IGNORECASE
)
_DONE_ITEM = re.compile(
    r"\W*\[[xX✓✔✗✘]\]|\W*(?:~~|[✅✔✓☑❌✗✘])|.*(?:✅|✔|☑|\b(?:done|finished|completed|erledigt|fertig)\b)",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"^[ \t>]*(?:[-*+•]|[0-9]{1,9}[.)])[ \t]+\S.*$", re.MULTILINE)

_DECISION_NAMES = (
    r"decisions?|decided|adrs?|entscheidung(?:en)?|entschieden|beschl(?:uss|üsse)|décisions?"
    r"|décidé|decisi[oó]n(?:es)?|decidido|decis(?:ão|ões)|решени[ея]|решено"
)
_KEPT_HEADING = re.compile(
    rf"(?<![^\W_])(?:{_DECISION_NAMES}|architecture records?|rules?|constraints?|conventions?"
    r"|guidelines?|regeln?|vorgaben|règles?|contraintes|reglas?|restricciones|regras?|restrições"
    r"|правила|ограничения)(?![^\W_])"
    r"|决定|決定|결정|决策|规则|规范|约定|约束|ルール|規則|規約|制約|규칙|제약",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\W*ADR[- _]?[0-9]{1,5}\b"
    rf"|\W{{0,12}}(?:\w{{2,12}} ){{0,2}}(?:{_DECISION_NAMES}|决定|決定|결정)"
    r"(?: ?#?[0-9]{1,4})?(?: ?\([^)\n]{0,40}\))?[*_ ]{0,4}[:：]"
    r"|.{0,200}?\b(?:we|i)(?:'ve| have| had)? (?:decided|agreed|settled on|opted|chose)\b"
    r"|.{0,200}?(?:\b(?:wir haben|nous avons|hemos|temos|мы)\b.{0,60}?(?:entschieden|beschlossen"
    r"|décidé|choisi|decidido|elegido|escolhido|решили)|我们决定|に決め|을 결정|로 결정)",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(?:never|always|must(?:n'?t)?|shall not|forbidden|mandatory|niemals|nie|immer|muss|müssen"
    r"|verboten|jamais|toujours|doit|doivent|interdit|nunca|jamás|siempre|deben?|prohibido|sempre"
    r"|devem?|proibido|никогда|всегда|нельзя|должн\w{1,3}|обязательно|запрещено)\b"
    r"|不要|必须|禁止|绝不|不得|务必|始终|必ず|絶対|常に|しないで|반드시|절대|항상|금지",
    re.IGNORECASE,
)
_QUOTING = " \t>|"
_LINE_CHARS = 2_000


def is_document(path: str, text: str) -> bool:
    """Tell whether a file is notes rather than code or data, by its name, else by its text."""
    name = path.rpartition("/")[2].casefold()
    stem, dot, ending = name.rpartition(".")
    if dot and stem:
        if ending in DOCUMENT_ENDINGS:
            return True
        if ending in _OTHER_ENDINGS:
            return False
    if name.startswith(".") or name in _NAMES_LEFT_ALONE or text.startswith("#!"):
        return False
    lines = [line for line in text.splitlines()[:_LINES_JUDGED] if line.strip()]
    return bool(lines) and sum(machine_lines(lines)) <= len(lines) * _MACHINE_SHARE


def keeps_its_section(text: str, path: str) -> bool:
    """Tell whether a text holds open work, so that the section it stands in stays.

    In a file of tasks, each list item that is not marked as done is open.
    """
    if _OPEN.search(text):
        return True
    if _TASK_FILE.search(path) is None:
        return False
    return any(not _DONE_ITEM.match(item[0][:_LINE_CHARS]) for item in _LIST_ITEM.finditer(text))


def is_kept_heading(title: str) -> bool:
    """Tell whether a heading says that decisions or rules stand below it."""
    return _KEPT_HEADING.search(title) is not None


def states_decision_or_rule(text: str) -> bool:
    """Tell whether a block of prose states a decision, or how things are always to be done."""
    return any(_is_kept_line(line) for line in text.splitlines())


def _is_kept_line(line: str) -> bool:
    _, said = date_at_start(line)
    said = said.lstrip(_QUOTING)[:_LINE_CHARS]
    if not said.strip() or is_machine_line(said):
        return False
    if _STRONG.search(said) or _DECISION.match(said):
        return True
    return any(kind_of_rule(sentence)[0] for sentence in sentences(said))
