"""How a user takes something back, turns to something else, or only nods, in nine languages."""

import re
from functools import lru_cache

from amplihack_compaction.patterns.patterns import lazily
from amplihack_compaction.phrasings.markers import correct_slips, slips_of

# Words of the patterns here, and of those for decisions, that are put right when mistyped.
_KEYWORDS = (
    "forget ignore scrap drop stop leave instead change changed switch task objective later"
    " different something longer anymore again after need have allowed lifted required needed"
    " decided decision settled agreed opted picked choose with chose going because"
    " since lets rule about fine necessary said what mind feel free dont applies move moving"
    " focus gears"
    " priority goal switch that this limits option allowed"
)

# What lifts a prohibition: permission given. `t` is what is permitted.
PERMISSIONS = (
    r"^(?P<t>[^，。,]+?)(?:已经)?解冻",
    r"\b(?:you|we)(?:(?:'re| are)(?: now| also| again| finally)* (?:allowed to|free to|permitted to"
    r"|welcome to)| may| can| could)(?: now| also| again| freely| once more| finally)* (?!stop\b"
    r"|not\b"
    r"|never\b|only\b|no longer)(?P<t>.+)(?<=\w)",
    r"^(?:\W|ok(?:ay)?|so|now)*(?P<t>.+?) (?:is|are) (?:now |finally |all )?(?:fair game"
    r"|up for grabs"
    r"|back in (?:play|use|scope))\b",
    r"\b(?:turn|switch|put|bring) (?P<t>.+?) back(?: on| in)?\b|\b(?:re-?enable|reinstate"
    r"|unfreeze|unlock"
    r"|resume|restore) (?P<u>.+)",
    r"^(?:\W|ok(?:ay)?|so|and|now)*(?!(?:nobody|no one|nothing|only|i|they|he|she|it|users?"
    r"|customers?|people|who|what|which)\b)(?P<t>.+? (?:may|can) (?!'t|not\b|be\b|only\b"
    r"|never\b)\w+ .+? (?:now"
    r"|again|after all))\b",
    r"\bfeel free to (?P<t>.+)",
    r"\byou have my (?:permission|ok|okay|blessing|approval) (?:to|for) (?P<t>.+)",
    r"\bit(?:'s| is) (?:fine|ok|okay|alright|all right|allowed)(?: now| again)? to (?P<t>.+)",
    r"^(?:\W|ok(?:ay)?|so|and|now)*(?!(?:no|nothing|nobody|only)\b)(?P<t>.+? (?:may|can|could)"
    r"(?: now| again| also)* be \w+.*)",
    r"^(?:\W|ok(?:ay)?|so|and|from now on|now|(?:i(?:'ve)? )?changed my mind)*(?P<t>.+?) (?:is"
    r"|are)(?: now| again)? (?:fine"
    r"|ok|okay|allowed|permitted"
    r"|acceptable|alright|all right|open|possible|unfrozen|unlocked|good)\b",
    r"^(?P<t>.+?) (?:is|are)(?: no longer| not|n't) (?:off[- ]limits|forbidden|frozen"
    r"|out of (?:bounds|scope)|banned"
    r"|prohibited|taboo|a problem|read[- ]only|sacred)\b",
    r"\b(?:du|wir|ihr) (?:darfst|dürfen|dürft|kannst|können)(?P<t>.+)",
    r"^(?P<t>.+?) (?:ist|sind) (?:jetzt|nun|wieder|inzwischen|ab jetzt)(?: wieder)? (?:okay|ok"
    r"|erlaubt|in ordnung|frei|offen)",
    r"^(?P<t>.+?) (?:ist|sind) (?:aufgehoben|vorbei|nicht mehr (?:tabu|verboten|gesperrt"
    r"|eingefroren))",
    r"\b(?:tu peux|vous pouvez|on peut)(?P<t>.+)",
    r"^(?P<t>.+?) (?:est|sont) (?:maintenant|à nouveau|de nouveau|désormais) (?:ok|autorisée?s?"
    r"|permise?s?|possibles?)",
    r"^(?P<t>.+?) n'(?:est|était) plus (?:gelée?|interdite?|tabou|bloquée?|verrouillée?)",
    r"\bfinalement,? (?P<t>.+?),? c'est (?:ok|bon|permis|autorisé)",
    r"^(?P<t>.+?) (?:est|sont) (?:levée?s?|terminée?s?|finie?s?)",
    r"(?<!no )\b(?:puedes|podemos|se puede)(?P<t>.+)",
    r"^(?P<t>.+?) (?:ya|ahora) (?:está|están|es|son) (?:bien|permitid\w+|ok)",
    r"(?<!não )\b(?:pode|podemos|podes)(?P<t> .+)",
    r"^(?P<t>.+?) (?:agora |já )?(?:está|estão|é|são|foi|foram|tá) (?:agora )?(?:ok|permitid\w+"
    r"|liberad\w+"
    r"|tudo bem)",
    r"(?<!не )\b(?:можно|можешь|можете|разрешено|разрешаю)(?P<t> .+)",
    r"^(?P<t>.+?) (?:теперь|снова|уже) (?:можно|разрешен\w*|ок|нормально)",
    r"^(?P<t>.+?) (?:отмен[её]н\w*|снят[аоы]?|больше не (?:действует|запрещен\w*))",
    r"^(?P<t>[^，。]*?[^，。不](?:可以|允许|能)再?.+?)了?[。！!]?$",
    r"(?<!不)(?:可以|允许|能)(?P<t>.+?)了?[。！!]?$",
    r"^(?P<t>.+?)(?:现在|又|已经)?(?:没问题|可以|允许|解禁|放开|解除)了?[。！!]?$",
    r"^(?P<t>.+?)(?:しても|っても|んでも|でも|ても|も)(?:いい|よい|良い|大丈夫|構いません"
    r"|構わない|かまわない|OK|ok)",
    r"^(?P<t>.+?)(?:は|が)?(?:解禁|解除)",
    r"^(?P<t>.+?)(?:해도|써도|어도|아도|여도|워도|려도|쳐도|꿔도) ?(?:돼|된다|됩니다|괜찮|좋)",
    r"^(?P<t>.+?)(?:이|가|은|는)? ?(?:해제|풀렸|해금)",
)
# What marks a permission as news; without it "you can run the tests" is only an offer.
NEWS = (
    r"\b(?:now|again|after all|from (?:now|here) on|anymore|any ?more|any longer|no longer"
    r"|meanwhile|by now|finally"
    r"|you may (?!want|need|have|notice|see|find|get|encounter|run into|remember|know|wonder|ask)"
    r"|you have my|changed my mind|it(?:'s| is) (?:fine|ok|okay|alright|all right|allowed) to"
    r"|n'est plus|finalement|dropped|relaxed|optional"
    r"|fair game|up for grabs|back (?:in|on)\b|re-?enable|reinstate|unfreeze|unlock|finally"
    r"|c'est bon"
    r"|liberad\w+|vuelve\w* a|volt\w+ a"
    r"|feel free|lifted|over|gone|removed|dropped|ended|void|obsolete|history|cancel+ed|jetzt"
    r"|nun|wieder|doch"
    r"|inzwischen|aufgehoben|vorbei|nicht mehr|maintenant|désormais|à nouveau|de nouveau"
    r"|levée?s?|terminée?s?"
    r"|finie?s?|ya|ahora|de nuevo|otra vez|volver a|agora|já|de novo|novamente|voltar a|теперь"
    r"|снова|уже|опять"
    r"|отмен[её]н\w*|снят[аоы]?|больше не)\b|了[。！!]?$|现在|又|解除|解禁|解冻|も(?:いい|よい|良い"
    r"|大丈夫|構|かまわ|OK|ok)|解禁"
    r"|도 ?(?:돼|된다|됩니다|괜찮|좋)|해제|풀렸|해금"
)
# What lifts any rule.
WITHDRAWALS = (
    r"^(?:\W|the|ok(?:ay)?|so)*(?P<t>(?:(?!\buntil\b|\bbefore\b|\bonce\b|\bwhen\b"
    r"|\bas soon as\b).)*?"
    r"\b(?:freeze|ban|restriction|limit|lock|embargo|moratorium|rule)s?\b"
    r"(?:(?!\buntil\b|\bbefore\b|\bonce\b|\bwhen\b|\bas soon as\b).)*?)"
    r" (?:is|has been|was|are|have been|has|have) (?:now )?(?:lifted|over|gone|off|removed"
    r"|dropped|ended"
    r"|void|obsolete|history"
    r"|cancel+ed)\b",
    r"(?<!don't )(?<!not )(?<!never )(?<!didn't )(?<!i )(?<!always )(?<!i'll )\bforget (?:about "
    r")?(?!to\b)(?P<t>.+)",
    r"(?<!don't )(?<!not )\b(?:ignore|disregard|scrap|drop|scratch|cancel|revoke|lift|remove"
    r"|skip|undo|strike|never ?mind|abolish)"
    r" (?P<t>.*\b(?:rules?|said|restrictions?|limits?|instructions?|constraints?|requirements?"
    r"|conventions?|polic(?:y|ies)"
    r"|ban|freeze)\b.*)",
    r"\bno (?:more |longer a )?need (?:for|to) (?P<t>.+?),? (?:anymore|any ?more|any longer|now"
    r"|from now on)\b",
    r"\bno (?:longer a |more )need (?:for|to) (?P<t>.+)",
    r"\b(?:you|we) no longer (?:have|need) to (?P<t>.+)",
    r"\b(?:you|we) (?:don't|do not) (?:have|need) to (?P<t>.+?),? (?:anymore|any ?more"
    r"|any longer|now|from now on)\b",
    r"\byou (?:can|may) stop (?P<t>\w+ing .+)",
    r"^(?P<t>.+?) (?:doesn't|don't|does not|do not) (?:have|need) to .*\b(?:anymore|any ?more"
    r"|any longer)\b",
    r"^(?P<t>.+?) (?:no longer|don't|doesn't|do not|does not) (?:appl(?:y|ies)|matters?|counts?"
    r"|holds?)\b",
    r"^(?P<t>(?!(?:it|that|this) is(?:n't| not)\b).+?) (?:is|are)(?: no longer| not"
    r"|n't) (?:needed|required|necessary|mandatory|relevant"
    r"|valid)\b(?: anymore)?",
    r"\b(?:we|i)(?:'ve| have)? (?:dropped|lifted|removed|relaxed|scrapped) (?P<t>.+? (?:thing"
    r"|rules?"
    r"|requirements?|restrictions?|convention|policy|limits?|ban|freeze)\b.*)",
    r"^(?P<t>.+?) (?:is|are) (?:now )?optional\b",
    r"^(?P<t>.+? (?:doesn't|don't|does not|do not) (?:have|need) to .+)",
    r"\b(?:we|i|you) (?:don't|do not) (?P<t>(?!have\b|need\b).+?) (?:any ?more|any longer)\b",
    r"\bi no longer (?:care|mind|insist|need|want)(?: about| on)? (?P<t>.+)",
    r"\b(?:stop|no more|quit) asking (?:me )?(?:about|before|for) (?P<t>.+)",
    r"^(?P<t>.+?) (?:is|are) no longer (?:a must|enforced|in force|a rule|obligatory)\b",
    r"\bi take (?:that|it|this) back (?:about|on|for) (?P<t>.+)",
    r"\b(?:don't|do not) bother (?:with |about )?(?P<t>.+)",
    r"^(?P<t>[^，。,]+?)(?:不用|不需要|不必|无需)(?:先)?(?:问|跑|写|做|加|管|改)?.{0,6}了[。！!]?$",
    r"\b(?:i (?:take back|withdraw|revoke|was wrong about)|(?:changed my mind|had second thoughts)"
    r" (?:about|on)) (?P<t>.+)",
    r"\b(?:vergiss|ignoriere?|streiche?|verwirf) (?!nicht)(?:bitte )?(?P<t>.+)",
    r"\bdu (?:musst|brauchst) (?P<t>.*?nicht mehr.*)",
    r"^(?P<t>.+?) (?:gilt|gelten) nicht mehr",
    r"(?<!n')\b(?:oublie|laisse tomber|abandonne) (?!pas)(?P<t>.+)",
    r"(?<!n')\bignore (?P<t>(?:l[ae]s?|ce|cette|ces|mes|tout(?:es)?) .+)",
    r"\b(?:plus besoin|n'as plus besoin|n'as plus à) (?:de |d')?(?P<t>.+)",
    r"^(?P<t>.+?) ne s'applique(?:nt)? plus",
    r"(?<!no )\b(?:olvida|olvídate de|olvide|ignora|descarta) (?P<t>.+)",
    r"\bya no (?:hace falta|es necesario|tienes que|hay que|necesitas) (?P<t>.+)",
    r"^(?P<t>.+?) ya no (?:aplica|se aplica|vale|está prohibid\w+)",
    r"(?<!não )\b(?:esquece|esqueça|esqueçam|descarte) (?P<t>.+)",
    r"(?<!não )\bignore (?P<t>(?:[ao]s? )?(?:regras?|restriç|que eu|minhas?|isso|tudo).*)",
    r"\bnão precisa mais (?P<t>.+)",
    r"^(?P<t>.+?) não (?:vale|se aplica|é proibid\w+) mais",
    r"(?<!не )\b(?:забудь|забудьте|игнорируй|отмени|убери) (?P<t>(?:.*(?:правил|сказал|говорил"
    r"|запрет|ограничен)|про |о |об ).*)",
    r"\bбольше не (?:нужно|надо|обязательно) (?P<t>.+)",
    r"^(?P<t>.+?) больше не (?:действует|нужн\w+|обязательн\w+)",
    r"(?<!别)(?<!不要)(?:忘掉|忘了|忘记|忽略|取消|废除|撤销|作废)(?P<t>.+)",
    r"(?:^|[，。,])(?P<t>[^，。,]*(?:不用|不需要|不必|无需)再.+)",
    r"^(?P<t>.+?)(?:不再适用|作废|取消了)",
    r"^(?P<t>.+?)(?:は|のこと(?:は|を)?|を|という)?(?:忘れて(?!い|し)|無視して|取り消し|撤回)",
    r"^(?P<t>.+?)(?:する)?必要は(?:もう)?(?:ない|ありません|なくなり)",
    r"^(?P<t>.+?)(?:은|는|을|를|에 대한 규칙은?)? ?(?:잊어|무시해|취소해?|철회)",
    r"^(?P<t>.+?)(?:할|을|를)? ?필요(?:는|가)? ?(?:이제 |더 이상 )?없",
)
# A clause that says of something named before it that it is over.
RELEASES = lazily(
    r"^\W*(?:it'?s |that'?s |c'est |é )?(?:ya no (?:hace falta|es necesario|aplica|vale)"
    r"|não (?:precisa|vale)"
    r" mais|plus besoin|plus nécessaire|no(?:t| longer) (?:needed|necessary"
    r"|required)(?: any ?more)?"
    r"|no need(?: any ?more)?|不用了|不需要了|用不着了)\W*$",
    re.IGNORECASE,
)
# What a target is wrapped in: "what I said about X", "the X rule".
TARGET_HEAD = lazily(
    r"^(?:\W|the |my |all |that |what (?:i|we) (?:said|told you|wrote|asked)(?: earlier"
    r"| before)?\W*(?:about|on|with|regarding)? ?"
    r"|(?:rules?|restrictions?|limits?|instructions?|constraints?|requirements?|conventions?"
    r"|polic(?:y|ies)|ban|freeze)"
    r" (?:about|on|with|for|regarding|that|to|of|against) |now |again |die regel (?:mit|zu|über"
    r"|wegen) |was ich (?:über|zu|zum|zur) "
    r"|la règle (?:sur|de|concernant) |ce que j'ai dit (?:sur|de|à propos de) "
    r"|lo que dije (?:sobre|de|acerca de) "
    r"|la regla (?:sobre|de|del) |o que eu disse (?:sobre|de) |a regra (?:sobre|d[aeo]) "
    r"|правило (?:про|о|об|насчёт|насчет) "
    r"|про |о том,? что |关于|我说的|之前说的|もう|今は|これからは|이제|앞으로|다시|더 이상"
    r"|jetzt |wieder |nun |maintenant |désormais |ahora |agora )+",
    re.IGNORECASE,
)
TARGET_TAIL = lazily(
    r"(?:\W|\b(?:now|again|after all|from (?:now|here) on|anymore|any ?more|any longer|rules?"
    r"|restrictions?|thing|please|too|as well"
    r"|once more|gesagt habe|nicht mehr|wieder|maintenant|de nouveau|à nouveau|ahora|de nuevo"
    r"|otra vez|agora|de novo|gelten|gilt)\b"
    r"|的(?:规则|限制|规定)|了|の(?:ルール|件|制限)|규칙|снова|опять|теперь)+$",
    re.IGNORECASE,
)
# Targets that point back at the rule stated last.
POINTING_BACK = frozenset(
    "that it this that rule this rule the rule rule last rule the last rule the last one what i "
    "said what i just said my last"
    " instruction das die regel ça cette règle eso la regla isso a regra это это правило 这个 "
    "这条规则 这条 それ そのルール 그것 그 규칙 그거".split()
) | {
    "that rule", "this rule", "the rule", "last rule", "the last "
        "rule", "the last one", "what i said", ""
        "what i just said",
    "last one", "my last "
        "instructio"
        "n", "die regel", "cette règle", "la regla", "esa regla", "a regra", "essa regra",
    "это правило", "그 규칙",
}  # fmt: skip
EVERYTHING = lazily(
    r"^(?:all|every(?:thing)?|any)?\W*(?:of )?(?:the |my |our |these |previous |earlier "
    r"|old )*(?:rules|restrictions|constraints"
    r"|instructions)\W*(?:so far|from before|i gave you|above|until now)?$"
    r"|^everything(?: i said)?$|^alle regeln$"
    r"|^toutes les règles$|^todas las reglas$|^todas as regras$|^все правила$|^(?:所有"
    r"|全部)规则$|^すべてのルール$|^모든 규칙$",
    re.IGNORECASE,
)

# What turns from what was asked to something else.
SWITCHES = (
    r"(?<!don't )(?<!not )(?<!never )\bforget (?:about )?(?!to\b|what i said|it\b)(?:the|that"
    r"|this|those|my|all|everything|\w+ing)\b",
    r"\bnew (?:task|topic|goal|objective|plan|job|assignment)\b",
    r"\b(?:switch|move on|pivot|turn|move over|jump)(?:ing)? (?:over )?to\b",
    r"\b(?:now|next),? (?:we(?:'ll)?|let'?s|i want(?: you)? to|i'?d like you to) (?:tackle|build"
    r"|begin|implement|write|create|develop|design|migrate|port|turn to|go for|do|take|start)\b",
    r"\bwhat (?:we|i) (?:really )?(?:need|want) (?:now|next|first) is\b",
    r"\b(?:leave|keep) (?:that|this|it) for later\b",
    r"\b(?:park|shelv|paus|leav|dropp|scrapp|stopp|postpon|skipp)ing (?:that|this|it|all that)\b",
    r"\b(?:next up|up next)\b",
    r"\b(?:mov(?:e|ing)|go(?:ing)?) on(?:wards?)? to\b",
    r"\b(?:switch|shift|chang)(?:e|ing)? (?:gears|focus|topics?|tracks?|direction|course)\b",
    r"\b(?:goals?|objectives?|priorit(?:y|ies)|focus|plans?|aim)(?: for [\w ]{1,20}?)? (?:has"
    r"|have|is|are)(?: now)? (?:changed|shifted|different|now)\b",
    r"\b(?:priority|focus|goal) is .{2,60}\bnow\b",
    r"\bnew (?:priority|focus)\b",
    r"\b(?:leave|drop|stop|pause) (?:that|this|it|everything) and\b",
    r"\b(?:scratch|pause|postpone|shelve) (?:that|this|it)\b",
    r"\bon change (?:d'objectif|de (?:sujet|cap|plan))",
    r"\bcambiamos de\b",
    r"\bahora toca\b",
    r"\bmud(?:a|amos|ando) de (?:planos?|assunto|foco|ideia)\b",
    r"接下来做",
    r"做点?别的",
    r"\bchange of (?:plans?|direction|topic)\b",
    r"\bstop (?:working on|with|the work on)\b",
    r"^[^\w\n]*(?:ok(?:ay)?,? )?stop (?:that|this|it)\b",
    r"\b(?:forget|leave|postpone) [^.?!]{1,40} (?:for later|for another day)\b",
    r"\bchangement de (?:plan|programme|cap)\b",
    r"\bcambios? de planes?\b",
    r"\bmudanças? de planos?\b",
    r"\bplanänderung\b",
    r"\b(?:nouvel objectif|nuevo objetivo|novo objetivo|neues ziel)\b",
    r"\b(?:próxim[ao]|siguiente|seguinte) (?:tarea|tarefa|objetivo)\b",
    r"\b(?:prochaine|nächste) (?:tâche|aufgabe)\b",
    r"\bsuivant\b ?:",
    r"(?:下一个|下一项)(?:任务|工作|目标)",
    r"计划(?:有变|变了|改变)",
    r"新目标",
    r"先不做",
    r"改做",
    r"计划变更",
    r"\b(?:laisse|laissons) (?:ça|cela|tout) de côté\b",
    r"\bdejemos (?:eso|esto)\b",
    r"\bdeix(?:a|e|emos) (?:isso|isto) de lado\b",
    r"\bmudar de assunto\b",
    r"\b(?:drop|scrap|abandon|park|shelve|ditch) (?:that|this|it|the|all)\b",
    r"\bleave (?:that|this|it|the .{1,40}) (?:for now|for later|aside|be|behind)\b",
    r"\bput .{1,40} (?:aside|on hold|on ice)\b",
    r"^instead\b",
    r"^[^\w\n]*(?:no,? )?instead,",
    r"\binstead[.!]?$",
    r"\b(?:start|begin|work|continue|go|carry) (?:on|with) [^?.!]{2,40} instead\b",
    r"\b(?:today|now) (?:we|i|you) (?:work on|do|tackle|start|build)\b",
    r"\blet'?s (?:now )?(?:tackle|turn to|start (?:on|with)|begin with)\b",
    r"\benough \w+ing\b",
    r"\b(?:leave it there|we(?:'re| are) done (?:here|with)|(?:this|that|it) can wait)\b",
    r"^[^\w\n]*(?:ok(?:ay)?,? |now,? |so,? )*on to \w",
    r"\btime for [^,:.]{2,40}:",
    r"\b(?:next|new) (?:big|main|real) (?:thing|job|piece)\b",
    r"\b(?:first|second|third|fourth) (?:task|job)\b ?:",
    r"\bnew requirements? (?:came|have come|just)\b",
    r"\b(?:task|scope|requirements?|assignment) (?:has|have) changed\b",
    r"\bnow the real (?:work|thing|task)\b",
    r"\brather than (?:this|that)\b",
    r"\bdrop everything\b",
    r"\bbefore we go on\b",
    r"\b(?:i|we)(?:'ve| have)? changed (?:my|our) minds?\b",
    r"\b(?:can|could) we do [^?]{2,40} first\b",
    r"\blet'?s move (?:on )?to\b",
    r"\bfrom now on,? (?:we|you) work on\b",
    r"\b(?:comes|goes) first\b",
    r"\b(?:has|takes) priority\b",
    r"\bpause (?:here|that|this|it)\b",
    r"^(?:from the backlog|next (?:ticket|item|story)|próximo|siguiente|next)\b ?:",
    r"\bautre sujet\b",
    r"\botro tema\b",
    r"\boutro (?:assunto|tema)\b",
    r"\bon passe à\b",
    r"现在开始做|下面(?:把|做|来)|(?:这个|都)做完了",
    r"\bsomething (?:else|different|completely|bigger)\b",
    r"\b(?:different|another|next) (?:task|topic|issue|subject|thing|matter)\b",
    r"\bnever ?mind (?:that|the|about)\b",
    r"\bon to the next\b",
    r"\bvergiss (?!nicht)(?:das|die|den|alles)\b",
    r"\bneue aufgabe\b",
    r"\bstattdessen\b",
    r"\b(?:wechseln|gehen) wir\b",
    r"\blass (?:das|uns etwas)\b",
    r"\bhör auf (?:mit|an)\b",
    r"\betwas (?:anderes|ganz anderes)\b",
    r"\banderes thema\b",
    r"\bthemenwechsel\b",
    r"\b(?:oublie|laisse tomber|abandonne) (?!pas)(?:le|la|les|ça|tout|cette?|ce)\b",
    r"\bnouvelle tâche\b",
    r"\bpassons à\b",
    r"\bà la place\b",
    r"\bchangeons de\b",
    r"\bautre chose\b",
    r"\bplutôt,",
    r"\bolvida (?:el|la|lo|los|las|eso|todo)\b",
    r"\bolvídate de\b",
    r"\bnueva tarea\b",
    r"\b(?:cambiemos|pasemos) (?:a|de)\b",
    r"\ben su lugar\b",
    r"\ben vez de eso\b",
    r"\botra cosa\b",
    r"\bdeja (?:eso|lo de)\b",
    r"\besque[cç]\w+ (?:o|a|os|as|isso|tudo)\b",
    r"\bnova tarefa\b",
    r"\bvamos (?:mudar|passar) (?:para|de)\b",
    r"\bem vez disso\b",
    r"\boutra coisa\b",
    r"\bdeix[ae] isso\b",
    r"(?<!не )\bзабудь (?:про|о|об|это|всё)\b",
    r"\bновая задача\b",
    r"\bпереключ\w+ на\b",
    r"\bпереходим к\b",
    r"\bвместо этого\b",
    r"\bдавай (?:лучше|другое)\b",
    r"\bхватит (?:про|с)\b",
    r"\bброс(?:ь|ай)\b",
    r"\bдругая (?:задача|тема)\b",
    r"(?<!别)(?<!不要)忘(?:了|掉)",
    r"新任务",
    r"新的任务",
    r"换一?个",
    r"换成",
    r"改为做",
    r"转到",
    r"转而",
    r"先放下",
    r"先不管",
    r"别管",
    r"不做.{1,10}了",
    r"放弃",
    r"(?:は|のこと(?:は|を)?|を)忘れて(?!い)",
    r"新しいタスク",
    r"代わりに、",
    r"に切り替え",
    r"に移(?:り|ろう|って)",
    r"はやめて、",
    r"は置いておいて",
    r"別の(?:タスク|作業|件)",
    r"(?:은|는|을|를) (?:잊|그만|접|놔두|중단)",
    r"새로운? (?:작업|과제|태스크)",
    r"대신에,",
    r"로 (?:넘어|전환|바꿔)",
    r"다른 (?:작업|일|주제)",
)


_BARE_NOT = lazily(r"\b(do|does|did|is|are|must|should)nt\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _slips() -> dict[str, str]:
    return slips_of(_KEYWORDS.split())


def put_right(text: str) -> str:
    """Return the text with mistyped English words of taking back, turning and deciding right."""
    if not text.isascii():
        return text
    return _BARE_NOT.sub(r"\1n't", correct_slips(text, _slips()))


# To forget a rule is to lift it, and no turn to other work.
RULE_TALK = lazily(
    r"\b(?:rules?|restrictions?|constraints?|requirements?|conventions?|ban|regel\w*|règles?"
    r"|reglas?|regras?|правил\w*)\b|规则|规定|限制|ルール|規則|규칙",
    re.IGNORECASE,
)
# A prompt of nothing but these words sets no objective.
NODS = frozenset(
    "yes yeah yep yup y ok okay k sure go on ahead continue proceed resume next please pls "
    "thanks thank thx ty you great good nice perfect"
    " cool fine right correct exactly do it that this these those now commit push merge pr open "
    "a an and the changes change again retry try"
    " more stop wait no nope not hm hmm undo revert looks lgtm works work done both all run "
    "them then also so too i we let's lets me my is"
    " are was to of in for with on keep going one two three first second third last option "
    "latter former either whatever ship send file"
    " everything still yet very much awesome love see sounds agreed agree approved approve "
    "confirm confirmed restart start finish test tests"
    " check git status same here there what how why up out off or but if just be can could "
    "would step steps rest part branch main message"
    " ja jo jap nein weiter mach mache bitte danke gut genau passt super klar jetzt alles das "
    "es und los nochmal auch noch den die der"
    " oui non continue continuez vas-y merci d'accord parfait bien c'est ça bon maintenant "
    "encore et le la les"
    " sí si no sigue continúa continua dale gracias vale bien perfecto claro adelante ahora "
    "otra vez hazlo eso el los y"
    " sim não continue segue prossiga obrigado obrigada beleza certo isso perfeito ótimo agora "
    "faça pode vai e o os"
    " да нет ок хорошо давай продолжай дальше спасибо отлично супер верно делай ладно угу ага "
    "готово пожалуйста и это"
    " 是 是的 好 好的 行 可以 继续 谢谢 不 不是 对 嗯 没问题 完美 提交 推送 请 请继续 好的继续 "
    "开始 开始吧"
    " はい いいえ うん ok 続けて 続けてください お願いします ありがとう ありがとうございます "
    "そうです 了解 次 進めて どうぞ コミットして"
    " 네 예 응 아니 아니요 계속 계속해 계속해줘 계속해주세요 고마워 감사합니다 좋아 좋아요 "
    "그래 진행해 진행해줘 커밋해줘".split()
)
