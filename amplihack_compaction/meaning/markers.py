"""The words by which a sentence rules out, lifts, weakens, limits or sets aside."""

import re

from amplihack_compaction.meaning.words import canonical

_QUOTES = re.compile(r"[*`\"]")
LISTING = re.compile(r"(?<!\w)(?:or|and|nor|oder|und|ou|et|o|y|e|или|и)(?!\w)")
INCLUSIVE = re.compile(r"(?<!\w)(?:not only|anyone|anybody|everyone|everybody)(?!\w)")
PREPOSITION = re.compile(
    r"(?<!\w)(?:for|in|on|to|at|when|if|by|from|with|as|für|pour|para)(?!\w)|\("
)
_NEGATORS = (
    r"never|not|cannot|"
    r"no(?= (?:[\w-]+ ){1,4}(?:may|must|should|shall|can|is|are|will)(?!\w))"
    r"|n't|avoid(?:s|ed|ing)?|forbidden|forbids?|prohibit(?:s|ed)?|disallow(?:s|ed)?"
    r"|banned|bans?|off[- ]limits|refrains?|mustn't|no longer|neither|nobody|nothing"
    r"|nicht|kein\w{0,2}|nie|niemals|verboten|untersagt|vermeide\w{0,2}"
    r"|pas|jamais|aucune?|interdite?s?|évite[rz]?|défense de"
    r"|nunca|jamás|tampoco|prohibid[oa]s?|evit[ae]r?"
    r"|não|nao|jamais|proibid[oa]s?"
    r"|не|никогда|нельзя|запрещен[оаы]?|запрещён|запрещено|запрещается|избега\w+"
)
NEGATION = re.compile(rf"(?<!\w)(?:{_NEGATORS})(?!\w)|\w+n't(?!\w)")
NEGATION_CJK = re.compile(
    r"不要|不能|不可|不得|不许|不准|不应|不再|不会|请勿|切勿|勿|禁止|严禁|绝不|从不|避免|别|不用|不|没"
    r"|ないで|ません|禁止|てはいけ|てはなら|だめ|ダメ|ない|せず|避け|しません|べからず"
    r"|하지\s*마|지\s*마|지\s*말|말\s*것|금지|않|안\s*됩|안\s*돼|안\s*된|절대|피하"
)
# Verbs that turn what they govern around: to skip the tests is not to run them.
FLIP = re.compile(
    r"(?<!\w)(?:skip(?:s|ped|ping)?|forget(?:s|ting)?|omit(?:s|ted|ting)?|neglect(?:s|ed|ing)?"
    r"|ignor(?:e|es|ed|ing)|bypass(?:es|ed|ing)?|stop(?:s|ped|ping)?|disabl(?:e|es|ed|ing)"
    r"|delet(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|exclud(?:e|es|ed|ing)|discard(?:s|ed|ing)?"
    r"|(?:turn|switch)(?:ed|ing)?\s+off|leave\s+out|fails?\s+to"
    r"|drop(?:s|ped|ping)?|abandon(?:s|ed|ing)?|un(?:changed|touched|modified)|intact)(?!\w)"
)
LIFT = re.compile(
    r"(?<!\w)(?:no longer (?:\w+ ){0,2}?(?:appl\w+|needed|required|necessary|valid|relevant"
    r"|forbidden|prohibited|holds?|in (?:force|effect)|stands?|off[- ]limits|mandatory)"
    r"|lifted|waived|revoked|retracted|withdrawn|rescinded|relaxed|dropped the (?:rule|ban)"
    r"|not (?:strictly |really )?(?:required|needed|necessary|mandatory|a must|obligatory)"
    r"|(?:no|without) need (?:to|for)|need not|needn't|do(?:es)?(?:n't| not) (?:have|need) to"
    r"|optional|(?:may|can) now|now (?:allowed|ok(?:ay)?|fine)"
    r"|free to|any longer|abandon(?:ed)? the (?:rule|requirement)|doesn't matter|does not matter"
    r"|unnecessary|superfluous|obsolete|nicht mehr|ne \w+ plus|ya no|já não|больше не"
    r"|aufgehoben)(?!\w)"
    r"|不再|不必|无需|可以不|もう\S{0,6}ない|不要になった|必要はない|더 이상|필요\s*없"
)
PERMISSION = re.compile(
    r"(?<!\w)(?:fine|ok|okay|acceptable|allowed|permitted|encouraged|welcome"
    r"|(?:may|might|could)(?! (?:not|never|only)(?!\w))|free to|feel free)(?!\w)"
)
WEAK = re.compile(
    r"(?<!\w)(?:if|when|where|whenever) (?:possible|convenient|feasible|practical"
    r"|time (?:permits|allows)|you (?:can|want|like|have time)|there(?:'s| is) time|needed"
    r"|appropriate)(?!\w)"
    r"|(?<!\w)(?:consider(?:ing)?|optionally|ideally|preferably|try(?:ing)? to"
    r"|tries to|generally|usually|sometimes|mostly|often|occasionally|nice[- ]to[- ]have"
    r"|suggest(?:s|ed|ion)?|maybe|perhaps|possibly|a good idea|good practice|tends? to"
    r"|recommended|worth|prefers? to|would be nice)(?!\w)"
)
STRONG = re.compile(
    r"(?<!\w)(?:must|never|always|only|required?|don't|do not|mandatory|forbidden|need to|have to"
    r"|has to|every|all|no matter what|strictly|under no circumstances)(?!\w)"
)
EXCLUSIVE = re.compile(
    r"(?<!\w)(?:only|solely|exclusively|nothing (?:but|else)|just|nur|ausschließlich|seulement"
    r"|uniquement|solo|sólo|solamente|só|apenas|somente|только)(?!\w)|只|仅|だけ|のみ|만"
)
# What follows one of these is set aside in favour of something else.
ASIDE = re.compile(
    r"(?<!\w)(?:instead of|rather than|as opposed to|not|no|without|in place of|over(?= \w+ing)"
    r"|en lugar de|en vez de|em vez de|au lieu d[eu']|anstelle von|anstatt|statt|sin|sans|ohne|sem"
    r"|без|вместо|zero)(?!\w)"
)
PREFER = re.compile(r"(?<!\w)(?:prefer\w*|favou?r\w*|choose|use)(?!\w)")
OVER = re.compile(r"(?<!\w)(?:over|(?<=preferred )to)(?!\w)")
CONDITION = re.compile(
    r"(?<!\w)(?:without|unless|until|except(?: for| when| if)?|before|other than|apart from"
    r"|aside from|outside(?: of)?|exceptions?|exempt(?:ed)?|if|when|ohne|sin|sans|sem|без|bevor"
    r"|avant|antes|salvo|sauf|außer|exceto)(?!\w)"
)
ONLY_IF = re.compile(r"(?<!\w)only (?:if|when|after|with|once|upon)(?!\w)")
BREAK = re.compile(
    r"[;。；！？]|[.!?](?=\s|\Z)|\s[—–-]+\s|,?\s(?:but|however|yet|aber|sondern|mais|pero|mas|но|а)\s"
    r"|,\s*(?=(?:and\s+)?(?:never|not|don't|do not|no|avoid|always|only|use|must|instead"
    r"|prefer|run|keep|nicht|nie|kein\w{0,2}|pas|nunca|não|не)\s)"
    r"|\s(?:and|und|et|y|e|и)\s(?=(?:never|not|don't|do not|avoid|always|use|nicht|nie|nunca"
    r"|não|не)\s)"
    r"|[，、]"
)
IDIOMS = (
    (re.compile(r"(?<!\w)(?:nothing|none) (?:but|other than|else than|except)(?!\w)"), "only"),
    (re.compile(r"(?<!\w)under no circumstances(?!\w)"), "never"),
    (re.compile(r",? (?:under any circumstances|no matter what|at any time|ever)(?!\w)"), ""),
    (_QUOTES, ""),
)
BEFORE = re.compile(
    r"(?<!\w)(?:before|prior to|bevor|avant(?: de)?|antes de|прежде чем|перед)(?!\w)"
)
BOUND_UP = re.compile(
    r"(?<!\w)(?<!no )(?:under|below|less than|fewer than|at most|no more than|up to"
    r"|max(?:imum)?(?: of)?|within|not exceed|<=?|smaller than|shorter than)\s+(?=[~$]?\d)"
)
BOUND_DOWN = re.compile(
    r"(?<!\w)(?<!no )(?:over|above|more than|at least|no less than|no fewer than"
    r"|min(?:imum)?(?: of)?|exceed(?:s|ing)?|>=?|greater than|longer than|larger than)\s+"
    r"(?=[~$]?\d)"
)
ORDER = re.compile(
    r"(?<!\w)(before|after|prior to|following|vor|nach|avant|après|antes|después)(?!\w)"
)
AFTER = frozenset({"after", "following", "nach", "après", "después"})
OPPOSITES = {
    canonical(left): canonical(right)
    for pair in (
        "true false", "on off", "tab space", "uppercase lowercase", "sync async", "public private",
        "synchronous asynchronous", "single double", "increase decrease", "ascending descending",
        "internal external", "light dark", "left right", "allow deny", "enable disable",
        "open close", "top bottom", "horizontal vertical", "always never", "strict loose",
        "camelcase snakecase", "oldest newest", "smallest largest", "required optional",
    )
    for left, right in (pair.split(), pair.split()[::-1])
}  # fmt: skip
AUXILIARY = re.compile(
    r"(?<!\w)(?:do|does|did|must|should|shall|may|can|could|would|will|is|are|be|was|were|has|have"
    r"|to|please|also|absolutely|really|ever|and|or|but|it|them)\s*\Z"
)
