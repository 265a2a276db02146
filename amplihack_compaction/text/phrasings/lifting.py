"""How a user takes a rule back or permits what was forbidden, also for one time or one place."""

import re

from amplihack_compaction.text.words import without_accents

# What lifts a prohibition: permission given. `t` is what is permitted.
_PERMISSIONS = (
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
    r"^(?P<t>.+?) n'(?:est|était) plus (?:gelée?|interdite?|tabou|bloquée?|verrouillée?)",
    r"\bfinalement,? (?P<t>.+?),? c'est (?:ok|bon|permis|autorisé)",
    r"^(?P<t>.+?) (?:est|sont) (?:levée?s?|terminée?s?|finie?s?)",
    r"(?<!no )\b(?:puedes|podemos|se puede)(?P<t>.+)",
    r"(?<!não )\b(?:pode|podemos|podes)(?P<t> .+)",
    r"^(?P<t>.+?) (?:agora |já )?(?:está|estão|é|são|foi|foram|tá) (?:agora )?(?:ok|permitid\w+"
    r"|liberad\w+"
    r"|tudo bem)",
    r"(?<!не )\b(?:можно|можешь|можете|разрешено|разрешаю)(?P<t> .+)",
    r"^(?P<t>.+?) (?:теперь|снова|уже) (?:можно|разрешен\w*|ок|нормально)",
    r"^(?P<t>.+?) (?:отмен[её]н\w*|снят[аоы]?|больше не (?:действует|запрещен\w*))",
    r"^(?P<t>[^，。]*?[^，。不](?:可以|允许|能)再?.+?)了?[。！!]?$",
    r"(?<!不)(?:可以|允许|能)(?P<t>.+?)了?[。！!]?$",
    r"^(?P<t>.+?)(?:しても|っても|んでも|でも|ても|も)(?:いい|よい|良い|大丈夫|構いません"
    r"|構わない|かまわない|OK|ok)",
    r"^(?P<t>.+?)(?:は|が)?(?:解禁|解除)",
    r"^(?P<t>[^、。]+?)(?:だけ|のみ|まで)?なら(?:[^、。\s]{0,8}で?)?(?:いい|よい|良い|大丈夫"
    r"|構いません"
    r"|構わない|OK|ok)",
    r"^(?P<t>[^、。]+?)(?:だけ|のみ)は?(?:、)?(?:OK|ok|許可)",
    r"(?:끝났|나갔|됐|받았|났)\S{0,4},? (?P<t>[^,]+?)(?:해도|써도|어도|아도|여도|워도|려도)"
    r" ?(?:돼|된다|됩니다"
    r"|괜찮|좋)",
    r"^(?P<t>.+?)(?:해도|써도|어도|아도|여도|워도|려도|쳐도|꿔도) ?(?:돼|된다|됩니다|괜찮|좋)",
    r"^(?P<t>.+?)(?:이|가|은|는)? ?(?:해제|풀렸|해금)",
)
PERMISSIONS = tuple(map(without_accents, _PERMISSIONS))
# What marks a permission as news; without it "you can run the tests" is only an offer.
NEWS = without_accents(
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
_WITHDRAWALS = (
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
    r"\b(?:you|we) no longer (?:have|need) to (?P<t>.+)",
    r"\byou (?:can|may) stop (?P<t>\w+ing .+)",
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
    r"\b(?:plus besoin|n'as plus besoin|n'as plus à) (?:de |d')?(?P<t>.+)",
    r"(?<!no )\b(?:olvida|olvídate de|olvide|ignora|descarta) (?P<t>.+)",
    r"\bya no (?:hace falta|es necesario|tienes que|hay que|necesitas) (?P<t>.+)",
    r"^(?P<t>.+?) ya no (?:aplica|se aplica|vale|está prohibid\w+)",
    r"(?<!não )\b(?:esquece|esqueça|esqueçam|descarte) (?P<t>.+)",
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
WITHDRAWALS = tuple(map(without_accents, _WITHDRAWALS))
# A clause that says of something named before it that it is over.
RELEASES = re.compile(
    r"^\W*(?:it'?s |that'?s |c'est |é )?(?:ya no (?:hace falta|es necesario|aplica|vale)"
    r"|não (?:precisa|vale)"
    r" mais|plus besoin|plus nécessaire|no(?:t| longer) (?:needed|necessary"
    r"|required)(?: any ?more)?"
    r"|no need(?: any ?more)?|不用了|不需要了|用不着了)\W*$",
    re.IGNORECASE,
)
# What a target is wrapped in: "what I said about X", "the X rule".
TARGET_HEAD = re.compile(
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
TARGET_TAIL = re.compile(
    r"(?:\W|\b(?:now|again|after all|from (?:now|here) on|anymore|any ?more|any longer|rules?"
    r"|restrictions?|thing|please|too|as well"
    r"|once more|gesagt habe|nicht mehr|wieder|maintenant|de nouveau|à nouveau|ahora|de nuevo"
    r"|otra vez|agora|de novo|gelten|gilt)\b"
    r"|的(?:规则|限制|规定)|了|现在|の(?:ルール|件|制限)|もう|규칙|이제|снова|опять|теперь)+$",
    re.IGNORECASE,
)
# Targets that point back at the rule stated last.
POINTING_BACK = frozenset(
    "that it this that rule this rule the rule rule last rule the last rule the last one what i "
    "said what i just said my last"
    " instruction das die regel ça cette règle eso la regla isso a regra это это правило 这个 "
    "这条规则 这条 それ そのルール 그것 그 규칙 그거".split()
) | {
    "that rule", "this rule", "the rule", "last rule", "the last rule", "the last one",
    "what i said", "what i just said", "last one", "my last instruction", "die regel",
    "cette règle", "la regla", "esa regla", "a regra", "essa regra", "это правило", "그 규칙",
}  # fmt: skip
EVERYTHING = re.compile(
    r"^(?:all|every(?:thing)?|any)?\W*(?:of )?(?:the |my |our |these |previous |earlier "
    r"|old )*(?:rules|restrictions|constraints"
    r"|instructions)\W*(?:so far|from before|i gave you|above|until now)?$"
    r"|^everything(?: i said)?$|^alle regeln$"
    r"|^toutes les règles$|^todas las reglas$|^todas as regras$|^все правила$|^(?:所有"
    r"|全部)规则$|^すべてのルール$|^모든 규칙$",
    re.IGNORECASE,
)


LIMITED = re.compile(
    r"\b(?:just|only) (?:this|that|the) (?:once|one|time)\b|\bthis (?:once|one time|time)\b"
    r"|\bonly once\b"
    r"|\bfor (?:now|once|today|tonight|the moment|this (?:one|commit|pr|file|task|time|fix|case"
    r"|branch))\b"
    r"|(?<!from )(?<!of )(?<!starting )(?<!beginning )\b(?:today|tonight)\b(?! on\b)"
    r"|\b(?:exceptionally|one[- ]off)\b|\botherwise[,:]? (?:it|the|that|this|no|never|always|keep"
    r"|ask|don't)\b|\bas an exception\b"
    r"|\b(?:the )?rest (?:stays|remains)\b"
    r"|\brules? (?:still )?(?:stays?|stands?|holds?|remains?)\b"
    r"|\b(?:but|and) (?:only|not) (?:in|for|on|with|when|if|inside|until)\b"
    r"|\bonly (?:in|for|on|when|if|with|inside|within|until)\b|\bexcept (?:in|for|on|when)\b"
    r"|\b(?:in|on|for|to|with|from) (?:the |my |your |our )?[\w/.-]+ only\b"
    r"|\b(?:one|a single) [a-z]+ only\b|\bonce is (?:fine|ok(?:ay)?|enough|all right)\b"
    r"|\b(?:rest|else|others?|elsewhere)\b(?: of [^,.;]{1,20}?)?,? (?:is |are |it's )?"
    r"(?:still|stays?|remains?|as (?:before|it was)|not|no)\b"
    r"|\b(?:may|can|could|free(?:ly)?|(?:fine|ok(?:ay)?|allowed) to|(?:don't|not) (?:have|need)"
    r" to)\b[^,.;]{0,60}? until (?!now\b)"
    r"|^\W*(?:(?:ok|okay|fine|well|yes|but)[, ]+){0,3}(?:for|in|inside|within|during|when|if)"
    r" (?!(?:now on|(?:the )?(?:future|end|meantime|record)|general|fact|that case|me|my part"
    r"|(?:you|it) (?:want|like|need|wish|prefer|must|helps?)|i (?:asked|said|told|wrote))\b)"
    r"[^,.;]{2,40}?,? (?:you|we)"
    r" (?:may|can|could)\b"
    r"|\b(?:nur (?:dieses (?:eine )?mal|heute|in|für|bei)|dieses eine mal|diesmal|nur einmal"
    r"|sonst(?! nichts)"
    r"|ausnahmsweise)\b"
    r"|\b(?:(?:juste |seulement )?cette fois|juste une fois|une seule fois|exceptionnellement"
    r"|sinon|pour l'instant"
    r"|seulement (?:dans|pour))\b"
    r"|\b(?:(?:solo |por )?esta vez|s[oó]lo una vez|excepcionalmente|por ahora|solo (?:en|para"
    r"|por hoy)"
    r"|por lo demás)\b"
    r"|\b(?:(?:só )?d?esta vez|só uma vez|só (?:dessa|hoje|no|na|para)|fora isso|por enquanto"
    r"|de resto)\b"
    r"|\b(?:gilt|gelten) (?:\w+ ){0,2}nicht (?:mehr )?(?:für|fuer|in|bei|im)\b"
    r"|^\W*(?:(?:für|fuer|in|im|bei|beim|pour|dans|sur|para|pra|pro|en|em|no|na|nos|nas)"
    r" (?!(?:zukunft|l'avenir|el futuro|o futuro|adelante|général)\b)[^,.;]{2,40}?,? (?:darfst"
    r"|dürfen|duerfen|kannst|brauchst|musst|tu peux|on peut|vous pouvez|plus besoin|pas besoin"
    r"|puedes|podemos|se puede|ya no|no hace falta|pode|podemos|n[ãa]o precisa)\b)"
    r"|\b(?:plus besoin|ne s'appliquent? plus|ya no (?:hace falta|vale|aplica|se aplica)"
    r"|n[ãa]o (?:vale|precisa|se aplica) mais) (?:[^\s,.;]+ ){0,3}(?:pour|dans|aux?|para|pra|pro|en"
    r"|em|nos?|nas?)\b"
    r"|^\W*(?:в|для|на) [^,.;]{2,40}? (?:можно|не (?:нужн\w+|надо|обязательн\w+))"
    r"|больше не (?:действует|нужн\w+) (?:в|для|на)\b"
    r"|[里中]面?(?:就|也)?(?:不用|不需要|不必|无需|可以)|[里中](?:的 ?)?[^，。]{1,20}可以"
    r"|(?:だけ|のみ|まで)なら|(?:だけ|のみ)(?:OK|許可)"
    r"|(?:だけ|のみ|[にで])は(?!いけ|だめ|ダメ)[^、。]{0,16}(?:なくて|て|で)も?(?:いい|よい|OK|大丈夫)"
    r"|(?:에서[는만]?|에선|에는|코드[는에]) [^,.]{0,20}(?:도 ?돼|도 ?됩니다|도 ?괜찮)"
    r"|только (?:этот|в этот|сегодня|в|для)\b|(?:в|на) этот раз|(?:только|лишь) один раз"
    r"|в виде исключения"
    r"|[就只仅]?这一?次|仅此一次|(?:其[他它]|别)的?(?:地方|情况|时候)?[还仍]|破例|暂时"
    r"|(?<!从)今天(?!起|开始)|今回(?:だけ|のみ|は)|(?:一度|一回|今日)(?:だけ|のみ|限り)|이번만"
    r"|이번에만|이번 한 번만|한 번만",
    re.IGNORECASE,
)
