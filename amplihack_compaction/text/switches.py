"""The words of turning from what was asked for to something else."""

import re

from amplihack_compaction.text.word_lists import data_lines
from amplihack_compaction.text.words import without_accents

SWITCHES = tuple(map(without_accents, data_lines("switches.txt")))
# To forget a rule is to lift it, and no turn to other work.
RULE_TALK = re.compile(
    r"\b(?:rules?|restrictions?|constraints?|requirements?|conventions?|ban|regel\w*|règles?"
    r"|reglas?|regras?|правил\w*)\b|规则|规定|限制|ルール|規則|규칙",
    re.IGNORECASE,
)
