"""Of a rule that says several things, the clause that is lifted by itself.

The rule stays one, in the user's words, with what was lifted of it told beside it.
"""

import re
from dataclasses import replace

from amplihack_compaction.extract.barred_clauses import clauses_of
from amplihack_compaction.extract.prohibitions import bans_of
from amplihack_compaction.extract.rules import kind_of_rule
from amplihack_compaction.extract.statements import LiftedClause, Rule, RuleKind
from amplihack_compaction.text.words import normal_form

_AND = re.compile(r"(?:and|but|und|aber|et|mais|y|pero|e|mas|и|а|но)\s+", re.IGNORECASE)
# A clause that is no rule by itself goes with the one before it, unless somebody acts in it.
SOMEBODY = re.compile(
    r"(?:we|i|you|they|wir|ich|man|nous|on|je|nosotros|yo|nós|eu|мы|я)\b", re.IGNORECASE
)
# "not spaces" is said of what stands before it.
_LEAST_WORDS = 3


def liftable_clauses(sentence: str) -> list[str]:
    """Return what of a rule can be lifted by itself, in its words; the whole where that is none."""
    found: list[tuple[int, int]] = []
    end = 0
    for clause in filter(None, clauses_of(sentence)):
        start = sentence.find(clause, end)
        if start < 0:
            return [sentence]  # it is written otherwise there
        end = start + len(clause)
        if lead := _AND.match(clause):
            start += lead.end()
        words = sentence[start:end]
        stands = len(words.split()) >= _LEAST_WORDS and (
            kind_of_rule(words) or SOMEBODY.match(words)
        )
        if found and not stands:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return [sentence[start:end] for start, end in found]


def with_clause_lifted(rule: Rule, clause: str, by: str, offset: int) -> Rule | None:
    """Return a rule without one of its clauses; None where nothing that is a rule would be left."""
    left = [
        part for part in liftable_clauses(rule.text) if part in rule.standing and part != clause
    ]
    if clause not in rule.standing or not (kind_of_rule(clause) or SOMEBODY.match(clause)):
        return None
    if not any(map(kind_of_rule, left)):
        return None
    lifted = LiftedClause(text=clause, by=by, offset=offset)
    made = replace(rule, lifted=(*rule.lifted, lifted))
    return None if _bars_it_still(made, clause) else made


def _bars_it_still(rule: Rule, clause: str) -> bool:
    """Return whether what is left bars what a clause barred: "never use npm, we use pnpm"."""
    lifted, left = (
        {
            ban.words or ban.what
            for ban in bans_of(text, is_prohibition=kind_of_rule(text) == RuleKind.PROHIBITION)
        }
        for text in (clause, rule.standing)
    )
    return bool(lifted & left)


def with_said_again(rule: Rule, words: str) -> Rule:
    """Return a rule in which a clause that was lifted, and is said again, stands again."""
    left = tuple(clause for clause in rule.lifted if not says_again(words, clause.text))
    return rule if left == rule.lifted else replace(rule, lifted=left)


def says_again(words: str, lifted: str) -> bool:
    """Return whether words say again what was lifted, or a part of it."""
    said, over = normal_form(words), normal_form(lifted)
    return bool(said) and (said in over or over in said)
