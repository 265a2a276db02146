"""Put turns of phrase into plain words, so that `hands off X` is `don't change X`.

Only what means the same in every sentence stands here. A pattern is tried where the letters that
stand before it occur, so that most of them cost a look for a few letters.
"""

import re
from functools import cache

_THING = r"((?:[^\s;:!?]*[^\s.;:!?] ){1,8}?)"
_ALONE = r"(?:as|where|how|the way) (?:it is|it was|they are|they were|is)"
_STANDS = r"(?:be|is|are|stays?|remains?|turn(?:ed)?|switch(?:ed)?|defaults? to|set to)"
_ASKED = (
    r"(?:sa(?:id|ys?)|ask(?:s|ed)?|tells?|told|agree(?:s|d)?|allow(?:s|ed)?|approve(?:s|d)?"
    r"|want(?:s|ed)?)"
)
_WITHOUT_ASKING = "without asking"
_NO_CHANGE = "must not be changed"
_ROWS = (
    # Spellings first: the patterns behind them count on these.
    ("nt ", r"(do|does|did|must|should|would|could|is|are|was|were) ?nt", r"\1n't"),
    (" ca", r"ca ?nt", "can't"),
    (" wo", r"wo ?nt", "won't"),
    ("dnot", r"dnot", "don't"),
    ("dn't", r"dn't|do'nt", "don't"),
    (" pl", r"pls|plz", "please"),
    (" but", r"nothing but|none but", "only"),
    ("noth", r"nothing (?:other than|else than|except)", "only"),
    ("nobody ", r"nobody (?:but|other than|except)", "only"),
    ("one ", r"(?:none|no one|noone) (?:but|other than|except)", "only"),
    ("under no", r"under no circumstances", "never"),
    ("never ever", r"never ever", "never"),
    ("at no", r"at no time", "never"),
    ("any ", r",? (?:under any circumstances|at any time)", ""),
    ("matter", r",? no matter what", ""),
    ("ever", r",? ever", ""),
    (" on", r"from (?:now|here) on(?:wards?)?", ""),
    ("going f", r"going forward", ""),
    ("told", r"i(?:'ve| have)? (?:already )?told you(?: \w+){0,3} (?:times|before|already),?", ""),
    ("stop ", r"(?:please )?stop(?= \w+ing )", "don't"),
    ("before we", r"before we (?:go on|continue|start),?", ""),
    ("thing", r"one (?:more |last )?thing(?: i forgot to say)?[:,]", ""),
    ("i keep", r",? i (?:always |keep )forget(?:ting)? (?:that|it)(?: myself)?", ""),
    ("leave", rf"leave {_THING}(?:alone|untouched|unchanged|intact|in peace)", r"don't change \1"),
    ("leave", rf"leave {_THING}{_ALONE}", r"don't change \1"),
    ("keep", rf"keep {_THING}{_ALONE}", r"don't change \1"),
    (" out ", rf"leave {_THING}out of", r"omit \1from"),
    (" out ", rf"keep {_THING}out of", r"don't put \1in"),
    (" out ", rf"take {_THING}out(?: from| of)?", r"remove \1from"),
    ("left out", r"left out", "omitted"),
    ("hands off", r"(?:keep (?:your )?)?hands off(?: of)?", "don't change"),
    ("away", r"(?:stay|keep) away from", "don't change"),
    (" out of", r"(?:stay|keep) out of", "don't change"),
    ("off", r"(?:is|are|remains?|stays?) (?:strictly )?off[- ]limits", _NO_CHANGE),
    ("off", r"off[- ]limits", _NO_CHANGE),
    ("frozen", r"(?:is|are|remains?|stays?) frozen", _NO_CHANGE),
    ("left", rf"(?:to |must )?be left (?:alone|untouched|{_ALONE})", _NO_CHANGE),
    ("left", rf"(?:is|are) (?:to be )?left (?:alone|untouched|{_ALONE})", _NO_CHANGE),
    (" as ", rf"(?:must |should |has to |have to )?(?:stay|remain)s? {_ALONE}", _NO_CHANGE),
    (" un", r"(?:must |should )?(?:stay|remain)s? (?:untouched|unchanged)", _NO_CHANGE),
    (" un", r"untouched|unchanged|unmodified", "not changed"),
    (" un", r"un(encrypted|tested|validated|checked|verified|documented|typed|escaped|signed"
           r"|authenticated|formatted|pinned|handled|committed|sorted|cached|reviewed|merged|quoted"
           r"|protected|restricted|limited)", r"omitted \1"),
    ("unless", rf"unless (?:i|the user|you were|they|explicitly) (?:\w+ )?{_ASKED}"
               r"(?: (?:so|you|it|otherwise|for it|to))?", _WITHOUT_ASKING),
    ("unless", r"unless (?:asked|requested|told|approved|instructed)(?: to| for| so)?",
     _WITHOUT_ASKING),
    (" un", r"unasked(?: for)?|unrequested|unsolicited", _WITHOUT_ASKING),
    ("asked for", r"(?:that )?(?:nobody|no one) (?:has )?asked for", _WITHOUT_ASKING),
    (" ok", r"(?:my|the user's|an|your|his|her|their) ok(?:ay)?", "approval"),
    ("go", r"(?:my|the user's|a|the|your) (?:go[- ]ahead|green light|blessing|nod)", "approval"),
    ("say-so", r"(?:my|the user's) say-so", "approval"),
    ("noth", r"(?:there is |there's )?nothing (?:against|wrong with)", "fine is"),
    (" no", r"(?:is |are )?(?:no|not a) (?:problem|issue)", "is fine"),
    ("no obj", r"(?:has |have )?no objections? (?:to|against)", "fine is"),
    ("independ", r"independent (?:of|from)", "not depending on"),
    ("decided against", r"decided against", "decided not"),
    ("only", r"(?:is |are |stays? |remains? )?read[- ]only", "must not be written"),
    ("free ", r"free (?:of|from)", "without"),
    ("better than", r"better than", "rather than"),
    ("make up", r"make up", "invent"),
    ("making up", r"making up", "inventing"),
    ("made up", r"made up|made-up", "invented"),
    ("rid of", r"get(?:ting)? rid of", "remove"),
    (" into", r"look(?:ing)? into", "investigate"),
    (" out", r"(?:find|figure)(?:ing)? out(?: about)?", "investigate"),
    ("not sure", r"not sure", "unsure"),
    (" up", r"speed(?:ing)? up|sped up", "faster"),
    (" up", r"set(?:ting)? up", "setup"),
    ("end-to-end", r"end-to-end", "e2e"),
    (" off", rf"{_STANDS} off", "is disabled"),
    (" on", rf"{_STANDS} on(?= by default|[.,;!]|$)", "is enabled"),
    (" no", r"(?:is|are) (?:a )?(?:no[- ]go|not ok(?:ay)?|not wanted)", "is forbidden"),
    (" un", r"(?:is|are) (?:unwanted|undesired|unwelcome)", "is forbidden"),
)  # fmt: skip
_MARKUP = re.compile(r"[*`\"“”«»]")


def plain(folded: str) -> str:
    """Return folded text without markup and with its turns of phrase put plainly."""
    text = f" {_MARKUP.sub('', folded)} "
    for trigger, pattern, words in _ROWS:
        if trigger in text:
            text = _idiom(pattern).sub(words, text)
    return text.strip()


@cache
def _idiom(pattern: str) -> re.Pattern[str]:
    """Return a pattern compiled when it is first needed: all of them would take 10 ms."""
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")
