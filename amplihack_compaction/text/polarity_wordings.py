"""Wordings by which a sentence rules out, lifts, weakens, limits, reports or takes back.

Turns of phrase are put into plain words first, so that `hands off X` is `don't change X`: only what
means the same in every sentence. A pattern is tried where the letters that stand before it occur,
so that most of them cost a look for a few letters.
"""

import re
from functools import cache

LISTING = re.compile(r"(?<!\w)(?:or|and|nor|oder|und|ou|et|o|y|e|или|и)(?!\w)")
INCLUSIVE = re.compile(
    r"(?<!\w)(?:not (?:only|just)|in addition to|both|either|as well as|anyone|anybody"
    r"|everyone|everybody|(?:all|any|each|every)(?: \w+){0,2} (?:but|except))(?!\w)"
)
# What a ban says of these, it says of what was named before.
PRONOUN = re.compile(r"(?<!\w)(?:it|them|these|those)(?!\w)")
PREPOSITION = re.compile(
    r"(?<!\w)(?:for|in|on|to|at|when|if|by|from|with|as|because|since|für|pour"
    r"|para)(?!\w)|\("
)
_NEGATORS = (
    r"never|not|cannot|"
    r"no(?! (?:more|fewer|less|longer)(?!\w))"
    r"(?= (?:[\w-]+ ){1,4}(?:may|must|should|shall|can|is|are|will)(?!\w))"
    r"|n't|avoid(?:s|ed|ing)?|forbidden|forbids?|prohibit(?:s|ed)?|disallow(?:s|ed)?"
    r"|rul(?:es|ed) out|objects? to|opposed to|banned|bans?|off[- ]limits|refrains?|mustn't"
    r"|no longer|neither|nobody|nothing"
    r"|nicht|kein\w{0,2}|nie|niemals|verboten|untersagt|vermeide\w{0,2}"
    r"|pas|jamais|aucune?|interdite?s?|évite[rz]?|défense de"
    r"|nunca|jamás|tampoco|prohibid[oa]s?|evit[ae]r?"
    r"|não|nao|jamais|proibid[oa]s?"
    r"|не|никогда|нельзя|запрещен[оаы]?|запрещён|запрещено|запрещается|избега\w+"
)
NEGATION = re.compile(rf"(?<!\w)(?:{_NEGATORS})(?!\w)|(?<!\w)\w+n't(?!\w)")
NEGATION_CJK = re.compile(
    r"不要|不能|不可|不得|不许|不准|不应|不再|不会|请勿|切勿|勿|禁止|严禁|绝不|从不|避免|别|不用|不|没"
    r"|ではなく|말고|[이가] 아니라"
    r"|ないで|ません|禁止|てはいけ|てはなら|だめ|ダメ|ない|せず|避け|しません|べからず"
    r"|하지\s*마|지\s*마|지\s*말|말\s*것|금지|않|안\s*됩|안\s*돼|안\s*된|절대|피하"
)
# Verbs that turn what they govern around: to skip the tests is not to run them.
FLIP = re.compile(
    r"(?<!\w)(?:skip(?:s|ped|ping)?|forget(?:s|ting)?|omit(?:s|ted|ting)?|neglect(?:s|ed|ing)?"
    r"|ignor(?:e|es|ed|ing)|bypass(?:es|ed|ing)?|stop(?:s|ped|ping)?|disabl(?:e|es|ed|ing)"
    r"|exclud(?:e|es|ed|ing)"
    r"|(?:turn|switch)(?:ed|ing)?\s+off|leave\s+out|fails?\s+to"
    r"|abandon(?:s|ed|ing)?|intact)(?!\w)"
)
LIFT = re.compile(
    r"(?<!\w)(?:no longer (?:\w+ ){0,2}?(?:appl\w+|needed|required|necessary|valid|relevant"
    r"|forbidden|prohibited|holds?|in (?:force|effect)|stands?|off[- ]limits|mandatory)"
    r"|lifted|waived|revoked|retracted|withdrawn|rescinded|relaxed|dropped the (?:rule|ban)"
    r"|not (?:strictly |really )?(?:required|needed|necessary|mandatory|a must|obligatory)"
    r"|(?:no|without) need (?:to|for)|need not|needn't"
    r"|no \w+ (?:is |are )?(?:needed|required|necessary)"
    r"|no longer (?:has|have|needs?|had) to|no longer (?:insist|want|mind|care|require|need)\w*"
    r"|even (?:if|when|though)|regardless of|no reason (?:not )?to|(?:do|does) not depend on"
    r"|don't depend on|up to (?:the )?(?:assistant|you|model|it)|at will|at (?:its|your) discretion"
    r"|do(?:es)?(?:n't| not) (?:have to|need|require)"
    r"|optional|(?:may|can) now|now (?:allowed|ok(?:ay)?|fine)"
    r"|free to|any longer|abandon(?:ed)? the (?:rule|requirement)|doesn't matter|does not matter"
    r"|unnecessary|superfluous|obsolete|nicht mehr|ne \w+ plus|ya no|já não|больше не"
    r"|aufgehoben)(?!\w)"
    r"|不再|不必|无需|可以不|もう\S{0,6}ない|不要になった|必要はない|더 이상|필요\s*없"
)
PERMISSION = re.compile(
    r"(?<!\w)(?:fine|ok|okay|acceptable|allowed|permitted|encouraged|welcome"
    r"|(?:may|might|could)(?! (?:not|never|only)(?!\w))|can(?= (?:also |now |freely )?be(?!\w))"
    r"|free to|feel free|freely|as well)(?!\w)"
)
WEAK = re.compile(
    r"(?<!\w)(?:if|when|where|whenever) (?:possible|convenient|feasible|practical"
    r"|time (?:permits|allows)|you (?:can|want|like|have time)|there(?:'s| is) time|needed"
    r"|necessary|it helps|it makes sense|appropriate)(?!\w)"
    r"|\A\W*some (?=\w)"
    r"|(?<!\w)as (?:needed|necessary|one likes|you like)(?!\w)"
    r"|(?<!\w)(?:consider(?:ing)?|optionally|ideally|preferably|try(?:ing)? to"
    r"|tries to|generally|usually|sometimes|mostly|often|occasionally|nice[- ]to[- ]have"
    r"|rarely|seldom|hardly ever|now and then|a matter of (?:taste|opinion)"
    r"|suggest(?:s|ed|ion)?|maybe|perhaps|possibly|a good idea|good practice|tends? to"
    r"|recommended|worth|prefers? to|would be nice)(?!\w)"
)
WISH = re.compile(
    r"(?<!\w)(?:nice[- ]to[- ]have|would be (?:nice|good|great)|optional(?:ly)?|ideally"
    r"|(?:if|when|where|whenever) (?:possible|convenient|feasible|practical|there(?:'s| is) time"
    r"|time (?:permits|allows)))(?!\w)"
)
STRONG = re.compile(
    r"(?<!\w)(?:must|never|always|only|required?|don't|do not|mandatory|forbidden|need to|have to"
    r"|has to|make sure|ensures?|see to it|essential|every|all|no matter what|strictly|needs?|each"
    r"|under no circumstances)(?!\w)"
)
EXCLUSIVE = re.compile(
    r"(?<!\w)(?<!not )(?:only(?! exception)|solely|exclusively|nothing (?:but|else)|just(?= the)"
    r"|nur|(?:reserved|restricted|exclusive) (?:to|for)|limited to(?! \d)"
    r"|ausschließlich|seulement|uniquement|solo|sólo|solamente|só|apenas|somente|только)(?!\w)"
    r"|只|仅|だけ|のみ|만"
)
# What follows one of these is set aside in favour of something else.
ASIDE = re.compile(
    r"(?<!\w)(?:instead of|rather than|as opposed to|not|no(?! (?:more|fewer|less|longer)(?!\w))"
    r"|without|in place of|over(?= \w+ing)"
    r"|en lugar de|en vez de|em vez de|au lieu d[eu']|anstelle von|anstatt|statt|sin|sans|ohne|sem"
    r"|без|вместо|zero)(?!\w)"
)
PREFER = re.compile(
    r"(?<!\w)(?:prefer\w*|favou?r\w*|choose|chosen?|chose|pick(?:ed)?|select(?:ed)?|tak(?:e|en)"
    r"|(?:go|going|went) (?:with|for)|opted for|use)(?!\w)"
)
OVER = re.compile(r"(?<!\w)(?:over|(?<=preferred )to)(?!\w)")
CONDITION = re.compile(
    r"(?<!\w)(?:without|unless|until|except(?: for| when| if)?|before|other than|apart from"
    r"|aside from|outside(?: of)?|exceptions?(?=:)|exceptions? (?:is|are)|exception of"
    r"|exempt(?:ed)?|if|when|while|whenever|ohne|sin|sans"
    r"|sem|без|bevor"
    r"|avant|antes|salvo|sauf|außer|exceto)(?!\w)"
)
ONLY_IF = re.compile(
    r"(?<!\w)only(?: (?!in |on |for )\w+){0,4}? (?:if|when|after|with|once|upon|given)(?!\w)"
)
# What something has to come with, or wait for; and what says that it need not.
NEEDS = re.compile(
    r"(?<!\w)(?:needs?|requires?|(?:is|are|be) (?:required|needed|mandatory)"
    r"|(?:has|have) to (?:come with|be accompanied)|(?:comes?|accompanied) (?:with|by)"
    r"|must (?:have|come with|be accompanied)|waits? for|depends? on|each time|every time"
    r"|whenever)(?!\w)"
)
WITHOUT = re.compile(r"(?<!\w)(?:without|ohne|sin|sans|sem|без)(?!\w)")
LEADING_NO = re.compile(r"\A\W*(?:please |but |and )?no (?!longer|need|more than|fewer|less)(?=\w)")
BREAK = re.compile(
    r"[;。；！？]|\s?\((?=(?:never|not|don't|do not|no|avoid|always|only|must)\s)"
    r"|[.!?](?=\s|\Z)|\s[—–-]+\s|,?\s(?:but|however|yet|aber|sondern|mais|pero|mas|но|а)\s"
    r"|,\s*(?=(?:and\s+)?(?:never|not|don't|do not|no|avoid|always|only|use|must|instead"
    r"|prefer|run|keep|nicht|nie|kein\w{0,2}|pas|nunca|não|не)\s)"
    r"|\s(?=in favou?r of\s)"
    r"|\s(?:and|und)\s(?=(?:just|instead|then|please|rather|simply)\s)"
    r"|\s(?:and|und|et|y|e|и)\s(?=(?:never|not|don't|do not|avoid|always|use|nicht|nie|nunca"
    r"|não|не)\s)"
    r"|[，、]|(?<=ではなく)|(?<=말고)|(?<=[이가] 아니라)"
    r"|\s(?=不要|不用|别用|禁止|而不是|而非)|(?=而不是|而非)"
)
BEFORE = re.compile(
    r"(?<!\w)(?:before|prior to|bevor|avant(?: de)?|antes de|прежде чем|перед)(?!\w)"
)
BOUND_UP = re.compile(
    r"(?<!\w)(?<!no )(?:under|below|less than|fewer than|at most|no more than|up to"
    r"|max(?:imum)?(?: of)?|within|not exceed|<=?|smaller than|shorter than|faster than"
    r"|sooner than|limited to|limit of)\s+(?=[~$]?\d)"
    r"|(?<=\d) ?(?:[a-z%]+ ){0,2}(?:at most|max(?:imum)?|tops|or (?:less|fewer|below|under))(?!\w)"
)
BOUND_DOWN = re.compile(
    r"(?<!\w)(?<!no )(?:over|above|more than|at least|no less than|no fewer than"
    r"|min(?:imum)?(?: of)?|exceed(?:s|ing)?|>=?|greater than|longer than|larger than"
    r"|slower than|bigger than)\s+(?=[~$]?\d)"
    r"|(?<=\d) ?(?:[a-z%]+ ){0,2}(?:at least|min(?:imum)?|or (?:more|above|over))(?!\w)"
)
ORDER = re.compile(
    r"(?<!\w)(before|after|prior to|following|vor|nach|avant|après|antes|después)(?!\w)"
)
AFTER = frozenset({"after", "following", "nach", "après", "después"})
AUXILIARY = re.compile(
    r"(?<!\w)(?:do|does|did|must|should|shall|may|can|could|would|will|is|are|be|was|were|has|have"
    r"|to|please|also|absolutely|really|ever|and|or|but|it|them)\s*\Z"
)


_THING = r"((?:[^\s;:!?]*[^\s.;:!?] ){1,8}?)"
_ALONE = r"(?:as|where|how|the way) (?:it is|it was|they are|they were|is)"
_STANDS = r"(?:be|is|are|stays?|remains?|turn(?:ed)?|switch(?:ed)?|defaults? to|set to)"
_ASKED_FOR = (
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
    (" but", r"nothing but|none but|nowhere but", "only"),
    ("noth", r"nothing (?:other than|else than|except)", "only"),
    ("nobody ", r"nobody (?:but|other than|except)", "only"),
    ("one ", r"(?:none|no one|noone) (?:but|other than|except)", "only"),
    ("under no", r"under no circumstances", "never"),
    (" ever", r"never,? ever", "never"),
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
    ("unless", rf"unless (?:i|the user|you were|they|explicitly) (?:\w+ )?{_ASKED_FOR}"
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


def plain_words(folded: str) -> str:
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


_ASKED = re.compile(
    r"(?<!\w)(?:asked (?:about|why|how|what|where|when|whether)|wanted to know|talked about)(?!\w)"
)
# What was done or found, as against what is to be done.
_REPORT = re.compile(
    r"(?<!\w)(?:was|were|(?:has|have|had) been|got|lies? on|(?:has|have|had) (?:a|an|its|their|two"
    r"|three|four|five|some|several|no|\d+)|(?:i|we|assistant) (?:\w+ed|ran|read|wrote|made|found)"
    r"|made|found|passed|came|worked|took|printed|returned|showed|started|stopped"
    r"|happened|appeared|finished|asked|went|said)(?!\w)"
    r"|\A\W*(?:(?!need|feed|embed|used)\w+ed|ran|wrote|read|built)(?!\w)"
)
_DIRECTIVE = re.compile(
    r"(?<!\w)(?:must|never|always|only|should|shall|may|can|cannot|could|would|will|has to|have to"
    r"|had to|to be|needs?|required?|requires|requirement|not|n't|no|without|unless|forbidden"
    r"|prohibited|banned|mandatory|optional|allowed|permitted|prefers?|preferred|wants?|wanted"
    r"|wishes|demands?|insists?|expects?|asked (?:to|for|that|not)|told|requested|instructed"
    r"|reminded|warned|agreed|decided|decision|decisions|convention|rules?|constraints?|policy"
    r"|guidelines?|preferences?|instead|rather|every|each|all|avoid|don't|fine|ok|welcome|use"
    r"|is|are|keep|ensure|lifted|withdr\w+|revoked|waived|dropped|restriction|ban)(?!\w)|(?<=\w)n't(?!\w)"
)
# The user's own change of mind, as a summary tells it.
_USER = re.compile(r"(?<!\w)(?:users?|user's|usuario|usuário|nutzer|benutzer)(?!\w)|用户")
_TAKEN_BACK = re.compile(
    r"(?<!\w)(?:withdr[ae]w\w*|revoked|retracted|rescinded|cancell?ed|call(?:ed|s)? off|given? up"
    r"|gave up|abandon(?:ed|s)|put (?:\w+ ){0,9}(?:aside|on ice|on hold)|postponed|supersede[ds]"
    r"|(?:raised|reduced|lowered|increased|extended|changed|moved)(?: [\w-]+){0,12}? (?:to|from)"
    r"|no longer (?:insist|want|mind|care|require)\w*|replaced|switched|went back"
    r"|chang(?:ed|es) (?:his|her|their|its) mind|changed? (?:by|that)"
    r"|overr(?:ode|uled|idden)|reversed|reconsidered|after all|off the list|decided not to"
    r"|(?:dropped|lifted|waived) (?:the|by|for now)|(?:dropped|lifted|waived|off) by"
    r"|no longer wanted|not wanted any|moved from|(?:first|initially|originally|at first)"
    r"(?=.{0,90}(?<!\w)(?:then|later|since|now|but)(?!\w)))(?!\w)|取消了?|改变了|后来"
)
_CHANGED = re.compile(
    r"(?<!\w)(?:lifted|waived|relaxed|dropped|moved|changed|raised|reduced|lowered|increased"
    r"|opted|no longer|any ?more|any longer|since|later|then|now|said (?:not )?to|allow(?:s|ed)"
    r"|permit(?:s|ted)|no reason)(?!\w)|不再|改用|改为|现在"
)


def only_reports(folded: str) -> bool:
    """Return whether folded text only tells what was or is, and asks for nothing."""
    if _ASKED.search(folded) is not None:
        return True
    return _REPORT.search(folded) is not None and _DIRECTIVE.search(folded) is None


def taken_back(folded: str) -> int:
    """Return 2 where folded text says that the user has changed their mind, 1 where it may."""
    if _USER.search(folded) is None:
        return 0
    return 2 if _TAKEN_BACK.search(folded) else int(_CHANGED.search(folded) is not None)
