"""What a remark of the user's points at: a text that somebody else wrote, or a program's output.

"fyi", "got this from legal", "what do they want from me?" stand beside such a text, and no list of
words has them all: the weights were learnt from remarks in nine languages, and against what users
type otherwise (`python -m tests.publish_acts`).
"""

import re
from functools import lru_cache
from typing import NamedTuple

from amplihack_compaction.text.classifier import Table

REMARKS_TABLE = Table("remarks.weights", (0.0, 0.0), mistyped=True, known_share=0.3)
LIKELY = 0.5
_LEAD_CHARS = 160
_CLAUSE_END = re.compile(r"(?<![.!?…])[.!?…]+(?:\s+|$)|[。！？]+\s*|\s[-–—]\s|\n")
_CACHED_CLAUSES = 1024
# What people ask to have read, and where it comes from.
_DOCUMENTS = (
    r"(?:e-?mails?|mail|licen[cs]e|contract|ticket|minutes|notes|transcript|thread|article"
    r"|(?:blog )?post|page|wiki|readme|changelog|spec|rfc|policy|guidelines?|guide|template|memo"
    r"|announcement|letter|proposal|answer|comment|review|lizenz|vertrag|protokoll|artikel"
    r"|seite|richtlinien?|nachricht|licence|contrat|compte[- ]rendu|courriel|règlement"
    r"|licencia|contrato|acta|correo|página|guía|artículo|licença|ata|guia|artigo"
    r"|письмо|задач[уае]|тикет|лицензи[юяи]|протокол|стать[юяе]|договор)"
)
_THIS_DOCUMENT = re.compile(
    r"\b(?:this|that|these|the following|the attached|dies(?:e[nmrs]?)?|folgenden?|cette|cet?|ces"
    rf"|est[ae]s?|ess[ae]s?|эт[оуи]\w*) (?:[\w.'-]+ )?{_DOCUMENTS}\b"
    rf"|\b{_DOCUMENTS} (?:below|from|of|unten|ci-dessous|abajo|abaixo|ниже)\b"
    r"|\b(?:письмо|задач[уа]|тикет|протокол|статью)\b"
    r"|\b(?:translate (?:in)?to|übersetze (?:ins?|auf)|traduis en|traduce al|traduza para o"
    r"|переведи на) \w{3,20}\s?:$"
    r"|(?:以下|下面|这封|这篇|这份|这个|次の|この|下記の)の?(?:邮件|文章|会议纪要|协议|文档|页面|工单"
    r"|メール|議事録|記事|文書|規約|ページ|チケット)"
    r"|(?:아래|다음|이) ?(?:메일|이메일|회의록|기사|문서|글|티켓|계약서|페이지)",
    re.IGNORECASE,
)
_FROM_ELSEWHERE = re.compile(
    r"\b(?:found|saw|read|got|copied|came across|stumbled (?:on|upon)) (?:this|these|that|it)\b"
    r"|\b(?:an)?other (?:team|repo|project|company|department|vendor)(?:'?s)?\b"
    r"|\bsome(?:body|one) else's\b"
    r"|\b(?:ander(?:e[nrms]?) (?:team|projekt|repo|abteilung|firma)"
    r"|autre (?:équipe|projet|dépôt)|otr[oa] (?:equipo|proyecto|repo|empresa)"
    r"|outr[oa] (?:equipe|time|projeto|repo|empresa))\b"
    r"|\bдруг(?:ой|ого) (?:команды|проекта|репозитория)\b|别的(?:团队|项目)|他のチーム|다른 팀",
    re.IGNORECASE,
)
_OWN_DOCUMENT = re.compile(
    rf"\b(?:my|our|mein\w*|unser\w*|mon|ma|mes|nos|notre|mis?|nuestr\w+|minhas?|meus?|noss\w+)"
    rf" (?:[\w.'-]+ )?{_DOCUMENTS}\b",
    re.IGNORECASE,
)
_READS = re.compile(
    r"\b(?:summari[sz]e|sum up|compare|translate|tell me|list (?:all|every|the|what)|explain"
    r"|check|extract|what|which|how|who|reply|respond|wasn'?t there"
    r"|vergleiche?|fasse|sag mir|übersetze|erkläre|liste|compare"
    r"|résume|dis[- ]moi|traduis|explique|compara|dime|resume|traduce|explica|diga|traduza|resuma"
    r"|сравни|скажи|переведи|объясни|перескажи)\b|总结|翻译|要約|翻訳|まとめて|요약|번역|정리",
    re.IGNORECASE,
)


class RemarkChances(NamedTuple):
    """How likely a remark points at somebody's text, and at what a program wrote, from 0 to 1."""

    text: float
    output: float


@lru_cache(maxsize=_CACHED_CLAUSES)
def _chances(clause: str) -> RemarkChances:
    return RemarkChances(*REMARKS_TABLE.chances_of(clause))


def last_remark(line: str) -> RemarkChances:
    """Return what the last clause of a line announces, as what stands below it."""
    clauses = _clauses(line[-_LEAD_CHARS:])
    return _chances(clauses[-1]) if clauses else RemarkChances(0.0, 0.0)


def any_remark(paragraph: str) -> RemarkChances:
    """Return what the clauses of a closing paragraph point back at, at most."""
    found = [_chances(clause) for clause in _clauses(paragraph[: _LEAD_CHARS * 2])]
    return RemarkChances(*map(max, zip((0.0, 0.0), *found, strict=True)))


def asks_about_document(line: str) -> bool:
    """Return whether a line asks to read a document that is not the user's own.

    What is to be written is no document yet: "add a page for this" asks for none to be read.
    """
    if len(line) > _LEAD_CHARS or _OWN_DOCUMENT.search(line):
        return False
    from_elsewhere = _FROM_ELSEWHERE.search(line) is not None
    reads = line.rstrip().endswith(("?", "？")) or _READS.search(line) is not None
    return reads and (from_elsewhere or _THIS_DOCUMENT.search(line) is not None)


def _clauses(text: str) -> list[str]:
    parts = (part.strip(" \t:：") for part in _CLAUSE_END.split(text.strip()))
    return [part for part in parts if part]
