"""How standing rules are phrased in English, and what only looks like one."""

from amplihack_compaction.text.phrasings.phrasing import Phrasing

_GENERIC = (
    r"(?:always|never|only|whenever|unless|without|by default|(?:every|each|any)(?: ?time)?"
    r"|before (?:you|we|every|each|any|committing|pushing|merging|making|doing|touching|changing"
    r"|editing|deleting|adding|releasing|deploying|opening|a (?:commit|push|merge|release))"
    r"|after (?:every|each|any|changing|editing|adding|you|a change)"
    r"|all (?:the )?(?:time|new|files|code|functions|commits|tests|changes|strings|modules))"
)
_PEOPLE = (
    r"(?:users?|customers?|clients?|visitors?|admins?|people|players?|members?|guests?|subscribers?"
    r"|somebody|someone|they|he|she|there|this|that|which|who|what|whoever)"
)
_STATIVE = (
    r"(?:use|stay|remain|keep|support|follow|stick|respect|avoid|target|comply|prefer|treat|be kept"
    r"|be able|be compatible|work with|match|conform|adhere|preserve|never|not)"
)
_EPISTEMIC = (
    r"(?:have\b|be (?:a|an|the|some|something|due|because|wrong|broken|missing|down|that|there"
    r"|in|stuck"
    r"|cached|stale|outdated|old|misconfigured|dead|full|lost|crazy|tough|exhausted|corrupt\w*"
    r"|running"
    r"|joking|kidding|hard|fun|nice|tired|my|your|related|coming|caused|right|possible|another)\b)"
)
_BROKEN = (
    r"(?:fail|work|crash|break|hang|happen|get|got|see|saw|had|hit|end|lose|lost|forget|wonder|pass"
    r"|finish|load|appear|show|return|change|changed|come|came|complete|run into|ran|run out"
    r"|used to"
    r"|know|knew|have|has|think|thought|care|understand|remember|tried|managed|found|find|did"
    r"|do that"
    r"|makes?|said|say|gave|went|read|reproduce|figure|tell|reach|connect|log in|access)"
)
_NOT_MODAL = (
    r"(?:must(?:n't| not| never)|should(?:n't| not| never)|may (?:not|never)|shall (?:not|never)"
    r"|(?:is|are)(?:n't| not| never) (?:allowed|permitted|supposed|meant|to)\b|(?:are|is) never to"
    r"|(?:has|have|needs?|ought) (?:not|never) to|(?:has|have|needs?|ought) to (?:not|never))"
)
_LANGUAGES = (
    r"(?:english|german|french|spanish|portuguese|russian|chinese|mandarin|japanese|korean|italian"
    r"|dutch|polish|turkish|ukrainian|hindi|arabic|swedish)"
)
_IMPERATIVES = (
    r"(?:use|run|write|call|put|add|update|ask|check|read|show|tell|format|lint|test|commit|name"
    r"|log"
    r"|import|install|create|make|do|verify|rebase|squash|bump|rerun|re-run|recheck|redo|refresh"
    r"|mirror|notify|ping|inform|follow|prefer|avoid|stick|look|leave|move|copy|store|sort|wrap"
    r"|return|raise|throw|document|explain|propose|review|wait"
    r"|include|mention|sign|tag|start|begin|end|prefix|regenerate|rebuild|build|restart|back|sync"
    r"|remember|ensure|be|keep|give|list|describe|confirm|consult|stop|pull|fetch|validate|mark"
    r"|post"
    r"|don't|do not|never|always|please|also|first|you (?:must|should|have to|need to|always"
    r"|never))"
)

_TROUBLE = (
    r"(?:an? |the same |some )?(?:errors?|exceptions?|warnings?|null|undefined|nothing|wrong"
    r"|empty|blank"
    r"|twice|too|slow|stale|\d|two|three|four|five|ten|several|ages|forever|long\b|fail|problems?"
    r"|issues?|trouble|fix\w*|rework)"
)
# Verbs by which things are said to have their ways: "commits follow", "every handler returns".
_WAYS = (
    r"(?:follows?|needs? (?!" + _TROUBLE + r"\b)|requires?|belongs?|carr(?:y|ies)|stays?|remains?"
    r"|(?:go(?:es)?|pass(?:es)?|runs?) (?:only )?(?:in|into|to|through|under|via|behind|below"
    r"|with|on)"
    r"|lives? (?:in|under|next|below|beside)|comes? with|(?:starts?|begins?|ends?) with|inherits?"
    r"|extends?|implements?|(?:returns?|logs?|throws?|raises?|accepts?|takes?|has|have|gets?|uses?)"
    r" (?!" + _TROUBLE + r"\b|been\b|to\b|stuck|lost|called|run\b|\w+ed\b))"
)
# What all of a kind are told by: a bare plural, or words such as "each" and "anything".
_ALL_OF = (
    r"(?:(?:every(?:thing|one|body)?|each|any(?:thing|one|body)?|whatever|whoever|all|new)\b"
    r"(?:(?! (?:is|are|was|were|i|it|they)\b) [\w'`/.-]+){0,7}?"
    r"|(?!"
    + _PEOPLE
    + r"\b|(?:its|was|is|has|does|yes|this|us|always|as|the|a|my|your|these|those|your"
    r"|some|two|three|both|many|most|his|her|our|their|let's|there's|that's|it's|what's|here's"
    r"|looks"
    r"|seems|sometimes|perhaps|thanks|tests?|checks?|builds?|tries"
    # What is seen of a product is asked for once.
    r"|(?:[\w-]+ )?(?:images|buttons|links|icons|cards|modals|menus|dropdowns|tooltips|inputs|pages"
    r"|popups|toasts|banners|avatars|videos|photos|fonts|colou?rs|animations|screens|titles|labels"
    r"|placeholders))\b)"
    r"(?:(?:[\w`/-]+ ){0,2})[\w`/.-]{2,40}(?<![\Wsu])s\b(?: (?:in|of|from|for|to|on|under|inside"
    r"|at|with"
    r"|by|without|that|which|shown|written|sent|built|made|kept"
    r"|\w{2,}ed)\b(?: [\w`'/.()-]+){1,4}?)?)"
)
_HABITS = (
    r"(?:use|write|keep|run|name|call|put|follow|prefer|avoid|indent|stick|test|format|sort"
    r"|return|throw"
    r"|raise|wrap|mock|commit|squash|rebase|tag|import|spell|version|document|target|work with"
    r"|go (?:with|by|through)|never|always|only|store|pass|validate|review)"
)
_CHANGES = (
    r"(?:changes?|grows?|moves?|(?:is|are|gets?) (?:changed|added|touched|renamed|removed|bumped"
    r"|moved"
    r"|updated|edited|deleted|released|merged))"
)

_OPENERS = (
    r"(?:just so you know|just so we're clear|for your information|fyi|heads[- ]up|as you know"
    r"|keep in"
    r" mind(?: that)?|mind you|one thing|small thing|quick (?:note|reminder)"
    r"|let's(?= (?:please )?(?:keep|stick|stay|avoid|not|never|always|only|prefer|use)\b)"
    r"|(?:can|could|would|will) you(?: please)?|please|pls|plz|and|but|also|so|ok(?:ay)?|btw|hey"
    r"|remember(?! to\b)|again|oh|well|then|right|just to be"
    r" clear|to be clear|for the record|as i said|like i said|as always|in general|generally"
    r"|in (?:this"
    r"|the|our) (?:repo|repository|project|codebase|session|code)|as a rule|one more thing"
    r"|another thing|important|reminder|note|yes|yeah|actually|seriously|ever|really|going forward"
    r"|from now on|in (?:the )?future|that said|plus|at all times|by the way|first|second|third"
    r"|finally|last|i repeat|once more|claude|for (?:python|go|rust|js|javascript|typescript"
    r"|java|css"
    r"|sql|tests?|commits?|docs|names|everything))"
)

_OPENING = {
    "correction": (
        r"(?:no|nope|nah|wrong|wait|hey)\b[,.!:–—-]*\s+(?:no,? )?(?:please )?(?:use|do it|do not"
        r"|don't"
        r"|never|always|not|keep|put|write|only|leave|go with|stick|stop|call|name|i (?:said|told"
        r"|meant|asked|want|specified)|we (?:use|don't|said|agreed|never|always)|it (?:should|must"
        r"|has to|needs to)|the \S+ (?:is|should|must|has to))\b",
        r"(?:that'?s|this is|it'?s|that is) (?:not what|wrong|incorrect|not right|not how)\b.{12,}",
        r"(?:it'?s|it is|the (?:\S+ ){1,3}is|that'?s) (?!not\b)\S+(?: \S+){0,3}, ?(?:and )?not"
        r" (?!sure|yet|only|just|really|because|that|working)\S+",
        r"you(?:'re| are)? (?:keep|still) (?!up|in|on|at)\w+ing\b.{5,}",
    ),
    "prohibition": (
        r"never,? (?:ever,? )?(?!mind|again\b\W*$|worked|works|had|has|got|saw|seen|happened"
        r"|been|was"
        r"|heard|tried|did|noticed|fails?|failed|knew|thought)[\w`'\"/@.-]+",
        r"(?:do not|don't)(?: you)?(?: dare)?(?: ever| just)?,? (?!forget|worry|bother|know"
        r"|think|see|get"
        r"|understand|remember|care|mind|hesitate|give up|panic|be (?:shy|afraid|sorry)|stop|sweat"
        r"|need|have|want|like|believe|wait|laugh|quote|tell me|ask me (?:why|how)|we\b|i\b"
        r"|seem|appear|really|feel|even (?:know|see)|work|i\b)[\w`'\"/@.-]+",
        r"no more (?!errors?\b|issues?\b|questions?\b|problems?\b|warnings?\b|complaints?\b"
        r"|time\b|ideas?\b)\S+",
        r"zero (?!idea|clue|chance|\w+ (?:failed|left|found))\w+",
        r"nothing (?!(?:else|more|less) (?:to|is|was|needed|for)\b)(?:older|newer|else|more|less"
        r"|fancy|other|beyond|outside|below|above)\b",
        r"no (?!warnings?\W*$|responses?\b|answers?\b|repl(?:y|ies)\b|effect|success|signs?\b"
        r"|traces?\b"
        r"|match|data\b|connection|such\b|problem|idea|worr|luck|need|error|issue|change"
        r"|difference|result"
        r"|output|reason|way\b"
        r"|one\b|longer|matter|doubt|clue|thank|wonder|it\b|i\b|that\b|this\b|they\b|we\b|you\b"
        r"|not\b"
        r"|the\b|but\b|yes\b|wait\b|my\b|let|use\b|do\b|don't\b|need|objection|complaint|question"
        r"|hurry|rush|pressure|big deal|offen[cs]e|surprise|hard feelings|diff\b|more\b|there\b"
        r"|nothing\b|biggie|shit|just\b|still\b|go\b|sorry\b)"
        r"(?!.*\b(?:is|are|was|were|has|have|fails?|failed|works?|found|changed|passed?|running"
        r"|left)\b)"
        r"[\w`'\"-]+.{0,90}$",
        r"(?:stop|quit) (?!the\b|being\b|working\b)(?:\w+ly )?\w+ing\b",
        r"hands off\b",
        r"leave .{1,60}\b(?:alone|untouched|unchanged|as[- ]is|as (?:it|they) (?:is|are)|out of)\b",
        r"(?:stay|keep|steer) (?:well )?(?:away|off|clear|out)\b",
        r"(?:refrain|abstain) from\b",
        r"(?:i(?:'m| am) )?(?:not a (?:big |huge )?fan of|(?:so |really )?(?:tired|sick) of"
        r"|fed up with"
        r"|allergic to|(?:dead )?against) (?!this\b|that\b|it\b).{3,}",
        r"(?:the )?(?:last|very last) thing (?:i|we) (?:want|need)\b.{3,}",
        r"(?:resist the (?:urge|temptation)|think twice before|lay off|spare me|enough with"
        r"|keep (?:your (?:hands|fingers|paws)|it) (?:off|out)|keep \S+(?: \S+){0,2} (?:out of|away"
        r" from))\b.{3,}",
        r"(?:be careful|take care|make sure|try|be sure|ensure) (?:you |we )?(?:not to|never to"
        r"|to never"
        r"|to not|don't|do not|never)\b",
        r"(?:under no circumstances|at no point|by no means|in no case|on no account)\b",
        r"skip (?:the )?\w+ (?:on|in|for) (?:every|all|each)\b",
        r"without (?:asking|my (?:ok|approval|permission)).{5,}",
        r"not (?:in|on|to|into|a single|one) .{3,60} without\b",
        r"(?:nothing|nobody|no one|none of)\b(?=.{0,90}\b(?:without|until|unless|except|may"
        r"|should|must"
        r"|touch\w*|is allowed|are allowed|(?:is|are) to)\b).+",
        r"(?:absolutely|strictly) (?:no|never|nothing)\b.{3,}",
        r"(?!i\b|i'[md]|this|that|it\b|they|he\b|she\b)[\w`'/.-]+(?: [\w`'/.-]+){0,5} (?:is|are"
        r"|stays?"
        r"|remains?) (?:strictly |absolutely |still |completely )?(?:off[- ]limits|taboo|forbidden"
        r"|prohibited|banned|verboten|untouchable|out of bounds|out of scope|a no-go|not an option"
        r"|not negotiable|not to be|not allowed|not permitted|never to be|not acceptable"
        r"|not yours|not for you|not ours|none of your business|mine\b|no place for"
        r"|read[- ]only"
        r"|sacred)\b",
        r"(?:[\w-]+ ){0,3}(?:code|schemas?|apis?|branch|main|release|interfaces?|contract|format"
        r"|config|layout|module|notes|keys|names?|files?|docs|tables?|texts?|types?|styles?|prices?"
        r"|dependencies|versions?)\S* (?:is|are)"
        r" frozen\b",
    ),
    "preference": (
        r"(?:use|prefer|write|call|pick|choose|go with|go for|take|install|import|log|run|name"
        r"|reach for"
        r"|format|make it|do|throw|raise|say|spell|work with|go) (?:[^,;]{1,70}?)"
        r"(?:,? (?:and )?(?:not|never)(?! (?:found|working|sure|yet))|,? (?:instead(?: of)?"
        r"|rather than|over|in place of|no longer))\b",
        r"prefer(?:ably)?\b(?! not\b\W*$).{2,}",
        r"avoid (?!that\b\W*$|this\b\W*$).{2,}",
        r"(?:default to|lean towards?|favou?r|opt for|try to (?:avoid|keep|use|stay|stick))\b",
        r"use (?!cases?\b|this\b|that\b|it\b|these\b|your\b|my (?:key"
        r"|account)\b)[^,]{2,60}? (?:for (?:all|every"
        r"|each|any|new)|everywhere|throughout|consistently|exclusively|whenever|across"
        r"|when(?:ever)? you)\b",
        r"rather .{3,60} than\b",
        r"(?:it'?s |is )?better to\b.{3,80}\bthan\b",
        r"(?:i|we)(?:'d| would)? (?:much |strongly |really )?(?:rather(?: you| we| have| see"
        r"| not)|prefer"
        r"(?!red\b))\b.{3,}",
    ),
    "obligation": (
        r"when in doubt\b.{2,}",
        r"only (?:i|we|me) (?:may|can|should|will|merge|push|deploy|approve|release|publish"
        r"|decide|edit|touch|commit)\b",
        r"(?:do|make|solve|implement|build) (?:it|this|that|everything) (?:without|only with"
        r"|by hand)\b.{3,}",
        r"always (?!on\b|the same|been|was|had|got|worked|(?:it|this|that|there)\b)(?!\w*[^s\W]s\b"
        r"(?<!process)(?<!pass)(?<!access)(?<!discuss))(?!\w+ed\b(?<!need))[\w`'\"/@.-]+",
        r"only (?!\d|one\b|two\b|then\b|now\b|thing\b|problem\b|issue\b|if\b|the\b(?!.*\b(?:may"
        r"|should|must"
        r"|can)\b)|a\b|this\b|that\b|because\b|works?\b|happens?\b|fails?\b|when\b|after\b|it\b"
        r"|in\b|on\b"
        r"|there\b|question\b|i\b|(?:re)?run the\b|(?:run|show|check|test|look|print"
        r"|list) (?:the|this|that"
        r"|me|at|a|it)\b|some\b)[\w`'\"/@.-]+.{2,}",
        r"(?:you|we) (?:can |may |should |must |will )?(?:only|always|exclusively) (?!"
        + _BROKEN
        + r"\w*\b|\w+ed\b)\w+",
        r"(?:you|we) never (?!" + _BROKEN + r"\w*\b|\w+ed\b)\w+",
        r"keep (?!(?!(?:every|any|no)thing|string|logging|naming|formatting|spacing|ordering"
        r"|caching|wording|testing)"
        r"\w+ing\b|me\b|us\b|it up|in touch|calm|up\b|that in mind\W*$|track\b|at it|on\b|your"
        r" (?:hair|hat)|the change\b|.*\b(?:running|open for now|going)\b)\S+ .{2,}",
        r"keep in mind\b.{5,}",
        r"(?:stick (?:to|with)|stay (?:with|within|on|in)|adhere to|comply with|conform to|obey"
        r"|respect"
        r"|honou?r|abide by|match the (?:existing|style|surrounding))\b",
        r"follow .{0,50}\b(?:styles?|conventions?|guides?|guidelines?|patterns?|rules?|pep"
        r"|conventional"
        r"|existing|standards?|naming|semver|semantic|principles?|layout|tdd|format)\b",
        r"(?:make sure|ensure|be sure|see to it|take care)\b(?=.*\b(?:"
        + _GENERIC
        + r"|stays?|remains?|keeps?|kept|compatib\w+|nothing|nobody|no one|no|all|doesn't|don't"
        r"|isn't"
        r"|aren't|not|backwards?|still)\b).+",
        r"treat .{2,60}\b(?:as|like)\b.{2,}",
        r"(?:answer|reply|respond|write|speak|talk|comment|explain|communicate|document|commit"
        r"|report|chat"
        r")\b[^,]{0,60}\bin " + _LANGUAGES + r"\b",
        r"(?:answer|reply|respond)(?: me| to me)? (?:briefly|shortly|concisely|in (?:one|two"
        r"|short|plain"
        r"|full|bullet|at most|a single)|with)\b",
        r"(?:in )?" + _LANGUAGES + r"(?: only| please|,? please)+\W*$",
        r"(?:if|when) (?:unsure|in doubt|uncertain|(?:any|some)thing is unclear|you(?:'re"
        r"| are) (?:unsure|not sure|uncertain))\b.{3,}",
        r"leave .{1,50} to me\b",
        r"indent (?:with|by|using)\b",
        r"be (?:concise|brief|terse|careful with|precise|consistent|explicit|direct|strict"
        r"|conservative)\b",
        r"(?:limit|cap|restrict|constrain|pin|confine) .{2,60}\b(?:to|at|below|under)\b",
        r"(?:write|start with|begin with|do|run) (?:the |a |failing )*tests? (?:first|before)\b",
        r"tests? first\b",
        r"(?:assume|consider) (?:that )?.{3,}\b(?:always|never|unless|only|by default)\b",
        r"(?:ask|check with|consult|ping|tell|warn|notify|confirm with|get my|wait for my)\b.{0,60}"
        r"\b(?:before|first|prior|until i|unless)\b",
        r"(?:always )?wait for (?:my|me)\b.{3,}",
        r"(?:the |our |my |one |house |ground |hard |golden |general |standing |new "
        r"|another )*(?:rules?|"
        r"conventions?|polic(?:y|ies)|constraints?|requirements?|standard)(?: (?:is|here is|here"
        r"|for \w+"
        r"|#?\d+|one|two|three))*\s*(?:[:：–—-]| is (?:to|that|no|never|always|simple"
        r"|:))\s*\S.{3,}",
        r"(?:important|remember|reminder|careful|attention|warning|caution)\s*[:：!–—-]\s*\S.{8,}",
        r"(?:note|nb|n\.b\.|heads[- ]up|fyi)\s*[:：!–—-]\s*(?=.*\b(?:must|has to|have to|needs? to"
        r"|should|shall|stays?|only)\b)\S.{8,}",
        r"(?!i\b|i'|it\b|they\b|he\b|she\b|the \w+s? (?:it )?[a-z]+s\b)"
        + _IMPERATIVES
        + r"\b.{2,90}\b"
        r"(?:whenever|every time|each time|any ?time|before (?:you (?!start|begin|go|do that|leave)"
        r"|every|each|any|committing|pushing|merging|editing|deleting|changing|touching|making"
        r"|releasing"
        r"|deploying|opening|a (?:commit|push|merge|release))|after (?:every|each|any (?!luck)"
        r"|changing|editing|you"
        r" (?:change|edit|touch|add|modify|make)))",
        r"(?:whenever|every time|each time|any ?time|when|if|once|before|after"
        r"|as soon as) (?:you|we)"
        r"(?:'re|'ve| are| have)? (?!want|can\b|think|see\b|know|need\b|like\b|done|ready|finished"
        r"|time\b|questions|any\b|get\b|start|begin|could|would|prefer|look|remember|mean|say|wish"
        r"|unsure|not sure|find\b|must|go\b|run into|had|were|got|did|saw|tried|was"
        r"|have\b)\w+[^,]{0,90},"
        r" ?(?:then |also |always |first |please |just )*" + _IMPERATIVES + r"\b",
        r"(?:whenever|every time|each time) (?!i\b|it\b)[^,]{3,60}, ?(?:please |always |first )*"
        + _IMPERATIVES
        + r"\b",
        r"(?:before|after|for|on|at|with|in) (?:every|each|any|all)\b[^,]{2,60}?,? (?:then "
        r"|also |always"
        r" |first |please |we |you )*" + _IMPERATIVES + r"\b",
        r"(?:before|after) (?:committing|pushing|merging|editing|deleting|changing|touching"
        r"|releasing"
        r"|deploying|opening|adding)\b[^,]{0,60}, ?(?:always |first |please |you )*"
        + _IMPERATIVES
        + r"\b",
    ),
}

_WHOLE = {
    "preference": (
        r"(?!it\b|this\b|that\b|just\b|day\b|night\b|week\b|year\b|long\b|as\b|not\b|never\b"
        r"|like\b)[\w-]+ before [\w-]+\W*$",
        r"(?!it\b|this\b|i\b|that\b|we\b|not\b|yes\b|no\b|but\b|maybe\b|why\b|probably\b)[\w`.+-]+"
        r"(?: [\w`.+-]+){0,2},? (?:not|instead of|rather than|over) (?!sure\b|yet\b|working"
        r"|found|the same"
        r"|only\b|just\b|there\b|the\b|a\b|\d|really\b|necessarily"
        r"|because\b)[\w`.+-]+(?: [\w`.+-]+){0,2}\W*$",
        r"use (?!cases?\b|this\b|that\b|it\b|the (?!existing|same|repo)"
        r"|your\b)[\w.+-]+(?: [\w.+-]+)? (?:for|in|as) "
        r"(?!this\b|that\b|it\b|now\b).{3,50}",
        r"use (?!this\b|that\b|it\b|these\b|those\b|your\b|my\b|the (?!existing|same|standard"
        r"|repo|project"
        r"|shared|official)|a (?:different|new)\b|what|cases?\b)(?:\S+ ?){1,6}\W*$",
    ),
    "obligation": (
        r"(?!.*\b(?:wrong|broken|missing|nowhere|twice|why|fix|(?:can|could) you)\b)"
        + _ALL_OF
        + r" (?:always |only |also |all |each )*"
        + _WAYS
        + r"\b",
        _ALL_OF
        + r" (?:must|should|shall|ha(?:s|ve) to|needs? to|ought to|(?:is|are) to|may only|can only)"
        r" (?!" + _EPISTEMIC + r"|be (?:fixed|there|here|enough|fine|ok|visible)\b|have\b)\w+",
        r"(?:in|for|on|inside|within|under|across|at|with) (?!case\b|some reason|the meantime"
        r"|theory|practice|short|fact"
        r"|addition|order|the end|my opinion|case of|a (?:moment|minute|second)"
        r"|the morning)[^,;]{2,50}?,?"
        r" (?:we|you|everybody|everyone)(?: all| always| only| just| also)* (?!"
        + _BROKEN
        + r"\w*\b)"
        + _HABITS
        + r"s?\b",
        r"(?:whenever|every time|each time|any ?time) (?:you|we|a|an|any|some(?:one|body|thing)"
        r"|any(?:one|body|thing))\b(?: (?!it\b|i\b)[\w'`/.-]+){2,8},?(?: (?:please|then|also"
        r"|first))* " + _IMPERATIVES + r"\b.{3,}",
        r"(?:please )?(?:remember|be sure|make sure|see) (?:to\b"
        r"|that\b)?.{3,80}\b(?:when(?:ever)?|if|once"
        r"|as soon as|before|after|each time|every time|any ?time) (?!you(?:'re| are)? (?:done"
        r"|ready"
        r"|finished?|can)\b|done\b|you have\b).{3,}",
        _IMPERATIVES
        + r" .{2,90}\b(?:when(?:ever)?|as soon as|if|once) (?:you|we) (?!are\b|can\b|have\b"
        r"|want\b|like\b|think\b|see\b|need\b|get\b|find\b|finish|did\b|run into|look|know|could"
        r"|wish"
        r"|know|must|would|start|begin|were|had|go\b|say|feel|notice)\w+",
        _IMPERATIVES
        + r" .{2,90}\b(?:when(?:ever)?|as soon as|if|once|each time|every time) (?:the |an? |any"
        r" |its |our )?[\w`/.-]+(?: [\w`/.-]+){0,3} " + _CHANGES + r"\b",
        r"(?:the )?(?:only|one|single) (?:way|place|source|thing|tool|path|client"
        r"|entry point)\b.{2,60}\b(?:is"
        r"|stays|allowed)\b",
        r"(?:by convention|around here|in this (?:house|team|shop)|our (?:way|habit|practice"
        r"|default))\b.{5,}",
        r"err on the side of\b",
        r"(?:write|name|format|put|place|store|log|sort|prefix|document|spell|wrap|indent|return"
        r"|declare|annotate"
        r"|handle|throw|raise|express|group|order|quote|report|round|encode|number) (?!the\b"
        r"|this\b|that\b|a\b|an\b"
        r"|it\b|these\b|those\b|my\b|your\b|me\b|some\b|what|one\b|down\b|out\b|up\b"
        r"|tests\b)(?:[\w-]+ ){0,3}"
        r"[\w-]+s (?:in|with|under|as|at|using|like|into|to|by|next to|before|after|per) .{2,}",
        r"(?:[\w-]+ ){1,4}in " + _LANGUAGES + r"(?: only)?(?:,? please)?\W*$",
        r"(?:sort|order|name|write|test|format|document|handle|group|indent) (?!the\b|this\b"
        r"|that\b|it\b|a\b)[\w-]+s? \w+ly\b",
        r"(?:exactly |at least |only )?(?:one|a single|two) [\w-]+(?: [\w-]+)? per \w+",
        r"must (?:not|never|always|work|run|support|have|stay|compile|be (?!quick|fast|easy|done"
        r"|the\b|an?\b|some|here|because))\b.{2,}",
        r"(?:target|support|assume|require) [\w.+]+ ?v?\d[\w.+]*\b.{0,30}$",
        r"(?!it\b|this\b|that\b|what\b)(?:[\w-]+ ){1,5}(?:is|are) (?:always )?required\W*$",
        r"(?:new|shared|all|common|public|private) (?:[\w-]+ ){1,3}(?:go|goes) (?:in|into|under"
        r"|to|through)\b.{2,}",
        r"(?:[\w-]+ ){1,4}(?:lives?|belongs?) (?:in|under|to|next to|beside|outside|inside"
        r"|at)\b(?! https?:).{2,}",
        r"all (?!good|done|right|green|tests?\b|set\b|clear|of (?:a|it|them|that)|the (?:tests"
        r"|time|best)|in all"
        r"|i\b|is\b|are\b|was\b)(?!.*\b(?:is|are|was|were|fails?|failed|has|have|passe?[sd]?"
        r"|works?)\b)"
        r"(?:\S+ ){1,6}(?:in|under|with|through|via|behind|inside|on|goes?"
        r"|use) \S+(?: \S+){0,4}\W*$",
        r"(?:[\w-]+ ){0,4}(?:at most|no more than|max(?:imum"
        r"|\.)?(?: of)?(?: [\w-]+){0,3}(?: is)?|not more than|at least|under|below)"
        r" \d[\w%.]*(?!.*\b(?:fail\w*|is|are|was|were|left|remaining|took|takes)\b).{0,50}$",
        r"(?!i\b|it\b|that\b|this\b|if\b|not\b|the\b|and\b|you\b|yes\b"
        r"|read\b)[\w`.+/-]+(?: [\w`.+/-]+){0,5} only"
        r"(?:,? (?:please|pls|from now on|here|everywhere|ok))*\W*$",
    ),
}

_ANYWHERE = {
    "correction": (
        r"\bi (?:already |just |explicitly |clearly |repeatedly |have )?(?:said|told you"
        r"|specified)\b"
        r"(?! (?:yes|ok|hi|hello|thanks|maybe|about|him|her|them)\b)(?=\W*\w+.{4,})",
        r"\bi (?:already |explicitly |clearly )?(?:asked (?:you )?(?:for|to|not)|meant)\b.{6,}",
        r"\bas i (?:said|told you)\b",
    ),
    "prohibition": (
        r"\b(?:you|we) " + _NOT_MODAL + r" (?!" + _EPISTEMIC + r"|see\b|worry|expect|feel)\w+",
        r"\b(?:you|we) (?:can't|cannot|can not|can never) (?!be serious|(?:find|get|see"
        r"|reproduce|tell|figure"
        r"|reach|connect|log|access|read|remember|understand|know|have|load|pass|say|do that)\b"
        r"|run\b|build\b"
        r"|make it\b|open\b|start\b|wait\b|believe|imagine|possibly)\w+",
        r"\b(?:you|we)(?:'re| are) (?:not|only) (?:allowed|permitted|supposed|to)\b",
        r"\b(?:you|we) never (?:ever )?(?!" + _BROKEN + r"\w*\b|\w+ed\b)\w+",
        r"(?<![\w'])(?!"
        + _PEOPLE
        + r"\b|i\b)[\w`'/.*)-]+ (?:must(?:n't| not| never)|should(?:n't| not| "
        r"never)|may (?:not|never)|shall (?:not|never)|(?:is|are) (?:not|never) to be"
        r"|needs? to never"
        r"|(?:has|have) to never) (?!"
        + _EPISTEMIC
        + r"|happen|take\b|matter|fail\b|crash|throw an? error"
        r"|be (?:this|that|so|too|hard|difficult|possible|necessary|here|empty|null)\b)\w+",
        r"(?<![\w'])(?!"
        + _PEOPLE
        + r"\b|i\b|it\b)[\w`'/.*)-]+ (?:is|are)(?:n't| not| never) (?:allowed|permitted|supposed"
        r"|meant)"
        r" (?:to|in|into|near|inside|anywhere)\b",
        r"\b(?:doesn't|don't|does not|do not) belong (?:in|into|here|there|near|anywhere|on|under"
        r"|inside)\b",
        r"\b(?:has|have) no place (?:in|on|here|near)\b",
        r"\bthere (?:must|shall|may|should) (?:be no|never be|not be)\b",
        r"\b(?:nobody|no one) (?:but \w+ )?(?:touch\w*|may|should|must|is allowed|gets to|pushes"
        r"|edits?"
        r"|merges?)\b",
        r"\bnothing (?:ever )?(?:goes|gets|is|may|should|must|leaves|lands|ships|can"
        r"|merges)\b.{2,80}\b"
        r"(?:without|until|unless|before|except)\b",
        r"(?<![\w'])(?!"
        + _PEOPLE
        + r"\b)[\w`/.-]+s never (?!"
        + _BROKEN
        + r"\w*\b|\w+ed\b)\w+ (?!up\b)\w+",
        r"\bi (?:really |absolutely |definitely )?(?:don't|do not"
        r"|never) (?:ever )?want (?:(?!to\b)\S+"
        r"|to (?:see|find|have|end up))\b",
        r"\b(?:i|we) (?:want|need|expect) (?:no|zero|none|nothing)\b",
        r"\bi (?:hate|can't stand|don't like) (?:it )?(?:when )?(?:you|seeing|having)\b",
        r"\bi (?:want|need|expect|'d like|would like) you to (?:never|not|stop|avoid)\b",
        r"\bwe (?:don't|do not) (?:ever )?(?!"
        + _BROKEN
        + r"\w*\b|need\b|want to (?!break)|yet\b|see\b|seem|"
        r"even\b|really\b)\w+",
        r"\bno matter what\b",
        r"\bnot (?:without|before) (?:asking|my|telling|a test|tests|i)\b",
        r"\b(?:is|are) (?:strictly |absolutely )?(?:off[- ]limits|taboo|forbidden|prohibited"
        r"|verboten)\b",
    ),
    "preference": (
        r"\b(?:i|we) (?:strongly |really |always |generally )?prefer (?!not\b\W*$).{3,}",
        r"\bi(?:'d| would) (?:much |really )?(?:rather|prefer)\b.{3,}",
        r"\bi (?:really )?(?:don't|do not) like (?!how\b|this\b|it\b|that\b|the\b"
        r"|what\b)(?:[\w-]+ )?[\w-]+s\b",
        r"\bi like (?:it|my|the|our)? ?.{2,40}\bbetter\b",
        r"\bwe (?:use|write|run|call|do|name|log|import|target|deploy) (?:[^,;]{1,60}?),? "
        r"(?:not|instead of|rather than)\b",
    ),
    "obligation": (
        r"\b(?:from (?:now|here|this point|today) on(?:wards?)?|going forward|as of (?:now|today)"
        r"|henceforth|at all times|in (?:the )?future|for the rest of (?:the|this) (?:session"
        r"|project))\b"
        r"(?=.{6,}|\W*$)",
        r"\b(?:you|we) (?:must|shall) (?!" + _EPISTEMIC + r"|be\b|mean|think|say|go\b|know)\w+",
        r"\b(?:you|we|i) (?:should|have to|need to|need you to|want you to|expect you to"
        r"|ought to|will|are to)"
        r"\b(?=(?:(?!\binstead of\b).)*\b" + _GENERIC + r"\b)",
        r"\b(?:you|we) (?:should|have to|need to|ought to) (?:also |still )?" + _STATIVE + r"\b",
        r"\bi (?:always |only )(?:want|need|expect)\b",
        r"\b(?:i|we) (?:want|need|expect|'d like) (?:only|every|each|all|the same|everything)\b",
        r"\b(?:i|we)(?:'?d| would)? (?:like|want|need|expect) (?!to\b|you\b)[^,;]{2,40} to (?:be"
        r"|stay|have|use|go|run|come)\b(?=.*\b(?:all|every|each|always|any|everywhere)\b)",
        r"^only (?:the |an? )?[\w`'/.-]+(?: [\w`'/.-]+){0,3} (?:writes?|edits?|merges?|pushes"
        r"|deploys?|touche?s?|changes?|calls?|imports?|reads?|owns?|publishes|releases?)"
        r" (?:to |into |from )?\S+",
        r"\b(?:i|we) (?:want|need|expect) (?!to\b|you\b)[^,;]{2,60}\b(?:everywhere|throughout"
        r"|at all times|for (?:every|each|all)|on (?:every|each|all)|in (?:every|each|all))\b",
        r"\bi insist\b",
        r"\bonly (?:ever )?(?:via|through|by way of|by means of)\b(?!.*\b(?:works?|happens?|occurs?"
        r"|appears?|fails?)\b)",
        r"\b(?:takes? precedence over|wins? over|overrides? every\w*)\b",
        r"(?<!\bas),? (?:always|without exception|no exceptions|at all times)\W*$",
        r"\byou(?:'re| are) (?:supposed|expected) to (?!see\b|be able|know|have\b)\w+",
        r"\bi(?:'ll| will)? (?:do|handle|make|run|write|merge|push|deploy|commit) (?:all |the "
        r"|my )?(?:[\w-]+ ){0,4}myself\b",
        r"\b(?:every|each|all|any|no) (?:[\w'`/.-]+ ){1,7}?(?:must|should|shall|has to|have to"
        r"|may|needs? "
        r"(?!(?:\d|more|less|time|fixing)\b)|requires?|is to|are to|goes? (?:through|to|in|into"
        r"|under|via|on)|gets? "
        r"(?:its|a test|a \w+|an \w+|reviewed|tested|squashed|signed)|carr(?:y|ies)|follows?|uses? "
        r"|belongs?|lives? (?:in|under)|stays?|remains?|comes? with|starts? with|ends? with"
        r"|contains?)\b",
        r"\beverything (?:must|should|goes|needs|has to|stays|you (?:write|do|add))\b",
        r"(?<![\w'])(?!"
        + _PEOPLE
        + r"\b|i\b|you\b|we\b|it\b(?= must be\b))[\w`'/.*)-]+ must (?:always |only |also "
        r"|still )?(?!" + _EPISTEMIC + r"|not\b|never\b|say\b)\w+",
        r"(?<![\w'])(?!"
        + _PEOPLE
        + r"\b|i\b)[\w`'/.*)-]+ (?:should|has to|have to|needs? to) (?:always |only "
        r"|still |continue to )?(?:stay|remain|be kept|keep|work with|compile|pass before"
        r"|support|match|follow"
        r"|be compatible|always|only)\b(?! have been| work\w*\W*$)",
        r"\b(?!it\b|they\b)[\w`'/.-]+ (?:stays?|remains?) (?:exactly |just )?(?:as (?:it|they"
        r"|is)|as-is|untouched"
        r"|unchanged|the same|the way|in (?!the air|progress|touch)|out of|at|on \w+ \d"
        r"|on (?:python|node|java|go)"
        r"|private|public|green|frozen|read-only|below|under|within|backwards?|compatible"
        r"|optional|where)\b",
        r"\bneeds? (?:my|a|an) (?:explicit )?(?:ok|okay|approval|permission|sign-?off"
        r"|green light|review"
        r"|consent|go-?ahead)\b",
        r"\bask (?:me |us )?(?:first|before)\b",
        r"\b(?:check|confirm) with me\b",
        r"\b(?:i|let me) (?:want to |need to |must |have to )?(?:approve|review|confirm"
        r"|sign off on|see)\b"
        r".{2,60}\b(?:before|first)\b.{2,}",
        r"\b(?:it's|it is|that's|this is) (?:really |very |absolutely |super |extremely "
        r"|so )?(?:important"
        r"|essential|crucial|vital|critical|mandatory|imperative|a must) (?:that|to|you|we)\b",
        r"\b(?:is|are) (?:mandatory|required (?:for|on|before) (?:every|each|all|any)"
        r"|non-?negotiable"
        r"|a must|a hard requirement|compulsory|obligatory)\b",
        r"\b(?:our|my|the) (?:rule|policy|convention|standard|house style) is\b",
        r"\bwe(?:'ve| have)? (?:agreed|settled) (?:that|to|on)\b",
        r"\bwe (?:only|always|exclusively|strictly) (?!" + _BROKEN + r"\w*\b|\w+ed\b)\w+",
        r"\bwe (?:stay|stick|follow|write|target|indent|avoid|require|enforce|aim for"
        r"|standardi[sz]e) .{3,}",
        r"\bwe (?:use|support|run|name|call|test|keep|format|do|log) .{2,60}\b(?:here|only"
        r"|everywhere|throughout|always"
        r"|for (?:all|every\w*)|in (?:this|the|our) (?:repo|repository|project|codebase|team"
        r"|code))\b",
        r"\b(?:the|our|all|my) (?:[\w-]+ ){1,3}(?:has to|have to|needs? to) (?:work|run|support"
        r"|handle|fit|match|follow"
        r"|compile|build|start|return|accept|keep|use|include|contain|stay|remain|be (?!\w+ed\b"
        r"|done\b|redone\b|in\b|there\b|a\b)\w+)\b",
        r"\b(?:counts? as|is treated as) (?:a |an )?(?:failure|error|bug|blocker)\b",
        r"\bunless i (?:say|ask|tell|explicitly|approve|request)\b",
        r"\buntil i (?:say|approve|tell|confirm|give|have (?:approved|reviewed))\b",
    ),
}

# Cut where the sentence goes on to report what somebody or something else says.
_REPORT = (
    r"\b(?!(?:i|we|you|as|don't|not|to|never|always|must|should|please)\b)[\w'`.-]+(?:'s| has"
    r"| have| had| always"
    r"| also| just| still| keeps?| already)? (?:says?|said|saying|claims?|claimed|tells? (?:me"
    r"|us|you)"
    r"|told (?:me|us|him|her|them)|wrote|writes|complain(?:s|ed|ing)?|warn(?:s|ed|ing)?"
    r"|recommend(?:s|ed)?"
    r"|suggest(?:s|ed)?|thinks?|thought|believes?|mention(?:s|ed)|asked (?:me|us)|states that"
    r"|argues?|advis(?:es|ed)"
    r"|reads|quotes?|demands?)\b"
    r"|\b(?:according to|apparently|supposedly|allegedly|it says|which says|someone said)\b"
)
_CONDITION = (
    r"(?:(?:and|but|so|well|ok)[, ]+)?(?:if|suppose|supposing|assuming|imagine|in case|even if"
    r"|unless)\b"
)
_QUESTION = (
    r"(?:(?:and|but|so|ok|hm+|wait|also)[, ]+)*(?:maybe|perhaps|i wonder|should|do (?:we|you|i"
    r"|they|people)|does|did|is|are|was|were|why|how|what|when"
    r" (?:do|does|did|should|will|is|are)|where|who|which|can (?:we|i|it|they)|could (?:we|i|it"
    r"|they)|shall"
    r"|must (?:we|i|it|the)|would|have you|has|isn't|aren't|doesn't|don't (?:we|you (?:think"
    r"|want))|didn't"
    r"|shouldn't|won't|any reason|is there|am i)\b(?! not (?:touch|use|push|commit|change|edit"
    r"|delete|add)\b)"
)
_POLITE = (
    r"(?:can|could|would|will) (?:you|we) (?:please always\b|(?:please |maybe |just "
    r"|also )*(?:not\b|never|stop|avoid|only"
    r"|keep|stick|use .{1,60}(?:instead|not|rather)|make sure|refrain|from now on))"
    r"|.*\b(?:but|and)(?: please)? (?:don't|do not|never|keep|leave|always|only use|avoid)\b"
    r"|(?:can|could|would|will) you (?:please )?.*\b(?:from now on|every time|each time"
    r"|in the future)\b"
)
_TAG = (
    r",? ?(?:ok|okay|alright|please|pls|understood|got it|clear|deal|agreed|yeah|will you"
    r"|thanks)\W*$"
)
# What is meant for this one time, whatever words of a rule it has.
_ONCE = (
    r"(?:find|list|show|search|grep|look (?:for|up|at|into)|count|collect|print|give me|tell me"
    r"|explain"
    r"|check|see|verify|figure out|let me know|fix|remove|delete|investigate)\b[^,;]*\b(?:that"
    r"|which|where"
    r"|who|how|why|whether|if)\b(?!.*\b(?:before|after) (?:every|each|you|any)\b|.*\b(?:whenever"
    r"|every time"
    r"|each time|unless)\b|.*(?:, ?|\bbut |\band )(?:please )?(?:don't|do not|never|always|keep"
    r"|leave|only)\b)"
    r"|(?:ok(?:ay)?[, ]+|so[, ]+|and[, ]+|then[, ]+)*(?:right )?now,? (?!on\b|always|never|that\b)"
    r"|.*\b(?:this time|right now|for a (?:sec|second|moment|minute)|just this once|real quick|asap"
    r"|now\W*$)"
    r"|(?!.*\b(?:don't|do not|never|nobody|no|avoid|leave|hands off|keep|without)\b)"
    r".*\b(?:today|tonight|tomorrow|this (?:week|evening|morning|afternoon)|by (?:mon|tues|wednes"
    r"|thurs|fri)day)\W*$"
)
# What has been, is or seems so: the failing of things is no rule.
_NARRATIVE = (
    r"\b(?:fail(?:s|ed|ing)|crash(?:es|ed|ing)|broke\b|times? out|timed out|doesn't work|didn't"
    r"|wasn't|weren't"
    r"|worked|happen(?:s|ed)|used to|yesterday|last (?:week|night|month|year)|ago\b|flaky|hangs?\b"
    r"|throws?\b|errors? out|gives? me|gets? stuck|turns? red|slow(?:er)?\b|returned|i (?:get"
    r"|got|see|saw|had))"
)
_STANDING = (
    r"\b(?:from (?:now|here) on(?:wards?)?|going forward|henceforth|at all times"
    r"|in (?:the )?future)\b"
)

ENGLISH = Phrasing(
    language="en",
    openers=_OPENERS,
    opening=_OPENING,
    whole=_WHOLE,
    anywhere=_ANYWHERE,
    report=_REPORT,
    condition=_CONDITION,
    question=_QUESTION,
    polite=_POLITE,
    tag=_TAG,
    once=_ONCE,
    narrative=_NARRATIVE,
    standing=_STANDING,
    keywords="never always don't should please avoid prefer instead whenever every before without"
    " ensure stick leave want nobody hands sure must nothing only each make keep frozen touch"
    " remember important dont cant limits stay stays refrain circumstances follow follows belong"
    " belongs goes through require requires should allowed expect rerun each",
    words="the a an and is are not i you we to of in on for with it this that never always only use"
    " don't do from be must should please must make sure keep any all every when if my me your our"
    " before after by as at or but can will have has was what how there need want just now new",
)
