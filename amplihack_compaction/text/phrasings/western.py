"""How standing rules are phrased in German, French, Spanish and Portuguese."""

from amplihack_compaction.text.phrasings.phrasing import Phrasing

_DE_VERBS = (
    r"(?:benutz|verwend|nutz|nimm|mach|änder|veränder|fass|lösch|push|committ?|schreib|ruf"
    r"|installier|füg"
    r"|rühr|berühr|entfern|deploy|merg|lass|setz|greif|überschreib|bau|start|erzeug|leg|test"
    r"|formatier"
    r"|antwort|frag|mock|refaktorier|veröffentlich|importier|hardcod|speicher|logg|verlass|führ"
    r"|geh|halt"
    r"|behalt|behandl|bleib|prüf|bearbeit|pack|gib|zeig|teil|ersetz|verschieb|benenn|arbeit"
    r"|sprich|kommentier"
    r"|stell|sorg|achte|vermeid|bevorzug|denk|spring|spar|trenn|mische?|lies|warte|hol|ergänz"
    r"|aktualisier)"
    r"(?:e|t|est|en|n)?"
)
_DE_INFINITIVES = (
    r"(?:pushen|committen|verwenden|benutzen|nutzen|ändern|anfassen|löschen|schreiben"
    r"|installieren|hinzufügen"
    r"|entfernen|deployen|mergen|überschreiben|machen|formatieren|antworten|fragen|mocken"
    r"|refaktorieren"
    r"|veröffentlichen|importieren|einbauen|einchecken|benennen|ausführen|laufen lassen|halten"
    r"|prüfen"
    r"|testen|dokumentieren|anlegen|einführen|nehmen|stehen|bleiben|berühren|umbenennen|verschieben"
    r"|anlegen|setzen|loggen|kommentieren|arbeiten|einfügen|bearbeiten|speichern)"
)

GERMAN = Phrasing(
    language="de",
    openers=r"(?:bitte|und|aber|also|ok(?:ay)?|ach|wichtig|übrigens|nochmal|grundsätzlich"
    r"|generell|denk dran"
    r"|hinweis|ausserdem|außerdem|im (?:projekt|repo|code)|in diesem (?:projekt|repo)|ja"
    r"|wie gesagt|ganz"
    r"|bei (?:\w+) )",
    opening={
        "correction": (
            r"nein\b[,.!:–-]*\s+(?:nimm|benutz\w*|verwend\w*|nicht|nie|kein\w*|immer"
            r"|ich (?:sagte|meinte|hab\w*"
            r"|will|wollte)|wir|nur|lass|mach\w*|das (?:muss|soll)|es (?:muss|soll)|schreib\w*"
            r"|behalt\w*)\b.{3,}",
            r"(?:das (?:ist|war) (?:so )?(?:falsch|nicht richtig|nicht was)|falsch)\b.{12,}",
        ),
        "prohibition": (
            r"(?:nie|niemals|auf keinen fall|unter keinen umständen|keinesfalls|bloß nicht"
            r"|ja nicht|nie wieder"
            r")\b (?!(?:gesehen|funktioniert|gehabt)\b).{3,}",
            _DE_VERBS + r" (?:mir |dich |dir |uns |das |es )?(?:[^,;]{0,80} )?(?:nie(?:mals)?|nicht"
            r"|keine?[nrms]?|nichts)\b",
            r"keine änderung(?:en)? (?:am|an|in|im|bei)\b.{3,}",
            r"kein(?:e|en|er|em|es)? (?!problem|ahnung|sorge|idee|fehler|wunder|änderung|thema"
            r"|zeit|stress|grund)"
            r"(?!.*\b(?:ist|sind|war|hat|haben|gefunden)\b).{3,}",
            r"nicht (?!mehr\b|schlimm|so\b|gut|sicher|wahr|dass).{2,80}\b"
            + _DE_INFINITIVES
            + r"\W*$",
            r"(?:finger|hände|pfoten) weg\b",
            r"lass(?:t|e)? .{2,60}\b(?:in ruhe|unangetastet|unverändert|wie (?:es|sie|er) (?:ist"
            r"|sind)|so)\b",
            r"hör(?:e|t)? (?:endlich )?auf\b",
            r"ohne (?:meine|zu fragen|rücksprache|tests?).{5,}",
            r"nichts .{3,}\bohne\b",
            r"pass auf,? dass .*\b(?:nicht|nie|kein\w*)\b",
        ),
        "preference": (
            r"(?:nimm|benutze?|verwende?|nutze?|schreibe?|lieber) .{2,60}\b(?:statt|anstatt"
            r"|anstelle|nicht|und nicht"
            r"|sondern)\b",
            r"(?:bevorzuge?|vermeide?|lieber|möglichst|am liebsten|besser)\b.{3,}",
            r"(?:benutze?|verwende?|nutze?|nimm) (?!das\b|dies|mal\b|es\b|bitte mal"
            r"|jetzt)(?:\S+ ?){1,6}\W*$",
            r"[\w`.+-]+ (?:statt|anstatt) [\w`.+-]+(?: [\w`.+-]+)?\W*$",
        ),
        "obligation": (
            r"(?:immer|stets|jedes ?mal|in zukunft|künftig|ab (?:jetzt|sofort|heute)"
            r"|von (?:jetzt|nun) an|zukünftig)\b"
            r" (?!noch\b|wieder\b|wenn ich\b|mehr\b).{3,}",
            r"nur (?!noch schnell|kurz|mal\b|ein\b|der\b|wenn\b|\d).{3,}\b"
            + _DE_INFINITIVES
            + r"\W*$",
            _DE_VERBS
            + r" (?:[^,;]{0,60} )?(?:immer|stets|ausschließlich|grundsätzlich|jedes ?mal)\b",
            _DE_VERBS + r" (?:\w+ )?nur\b (?!kurz|mal|schnell|den test|die tests?)",
            r"(?:achte?|pass) (?:bitte )?(?:immer )?(?:darauf|auf)\b.{4,}",
            r"(?:stell(?:e)? (?:bitte )?sicher|sorge? (?:bitte )?dafür)\b.{4,}",
            r"(?:halte?|bleibe?|behalte?) (?!mich\b|durch\b|dran\b|mal\b|an\b).{4,}",
            r"(?:antworte?|schreibe?|sprich|kommentiere?)\b[^,]{0,50}\b(?:auf|in) (?:deutsch"
            r"|englisch|französisch"
            r"|spanisch)\b",
            r"(?:auf )?(?:deutsch|englisch)\w*,? bitte\W*$",
            r"(?:frage?|sag|warte|informiere?)\b.{0,30}\b(?:bevor|vorher|zuerst|auf mein\w*"
            r"|erst)\b",
            r"(?:bevor|vor|nach|wenn|sobald|falls) (?:du|jede[mrs]?|dem (?:commit|push|merge)"
            r"|einem (?:commit|push))"
            r"\b[^,]{0,60},? (?:immer |bitte |zuerst |erst )*(?:"
            + _DE_VERBS
            + r"|immer|muss\w*|soll\w*|.{2,40}"
            + _DE_INFINITIVES
            + r")\b",
            _DE_VERBS
            + r" .{2,80}\b(?:bevor du|vor jede[mr]|nach jede[mr]|jedes ?mal|bei jede[mr])\b",
            r"behandle? .{2,50}\bals\b",
            r"alle? (?:\S+ ){1,5}(?:auf|in|unter|mit) \S+(?: \S+){0,2}\W*$",
            r"(?:regel|wichtig|merke?|konvention|vorgabe|achtung)\s*[:!–-]\s*\S.{4,}",
            r"höchstens \d|maximal \d",
        ),
    },
    anywhere={
        "correction": (
            r"\bich (?:hab(?:e)?|hatte) (?:dir |doch |schon |ja |es )*(?:gesagt|gebeten)\b.{4,}",
            r"\bich (?:sagte|meinte) (?:doch )?.{4,}",
        ),
        "prohibition": (
            r"\b(?:darf|dürfen|darfst|dürft|sollst|soll|sollen|sollte|sollten"
            r"|solltest)\b[^,;]{0,80}\b(?:nicht|nie(?:mals)?"
            r"|kein\w*|nichts)\b",
            r"\b(?:ist|sind|bleibt|bleiben) (?:absolut |streng |strikt )?(?:tabu|verboten"
            r"|untersagt|nicht erlaubt"
            r"|gesperrt|eingefroren|unantastbar)\b",
            r"\b(?:auf keinen fall|unter keinen umständen|keinesfalls|bloß nicht)\b",
            r"\bich (?:will|möchte|mag|brauche) (?:wirklich |hier |absolut )?(?:kein\w*"
            r"|nicht,? dass|nie|nichts)\b",
            r"\b(?:und|aber) (?:bitte )?(?:nie(?:mals)?|nicht|kein\w*) .{2,60}\b"
            + _DE_INFINITIVES
            + r"\b",
            r"^(?!.*\b(?:muss\w*|müss\w*|brauch\w*|kann\w*|könn\w*|lässt)\b).*\bnichts? mehr"
            r" (?:\S+ ){0,5}" + _DE_INFINITIVES + r"\W*$",
            r"\bniemand (?:darf|soll|fasst)\b|\bnichts (?:darf|geht|kommt|wird)\b.{3,}\bohne\b",
            r"\bwir (?:benutzen|verwenden|nutzen|unterstützen|wollen|committen|mocken"
            r"|schreiben) .{0,50}"
            r"\b(?:kein\w*|nicht|nie(?:mals)?)\b",
        ),
        "preference": (
            r"\b(?:ich|wir) (?:hätte gern|bevorzuge\w*|will lieber|möchte lieber|nutzen lieber)\b",
            r"\bsondern\b.{2,}",
        ),
        "obligation": (
            r"\b(?:ab (?:jetzt|sofort)|von (?:jetzt|nun) an|in zukunft|künftig|zukünftig"
            r"|fortan)\b.{4,}",
            r"\b(?:muss|müssen|musst|soll|sollen|sollst|sollte|sollten)\b[^;]{0,80}\b(?:immer"
            r"|stets|jede[rsmn]?|bevor"
            r"|bleiben|sein|laufen|haben|ausschließlich|nur|unterstützen)\b",
            r"\b(?:jede[rs]?|alle) (?:\S+ ){1,4}(?:muss|müssen|soll|sollen|braucht|brauchen"
            r"|bekommt|gehört|gehören)\b",
            r"\bdu (?:musst|sollst|solltest)\b (?!das\b|mal\b|jetzt\b|noch\b|es\b).{5,}",
            r"\bwir (?:benutzen|verwenden|nutzen|unterstützen|schreiben|sprechen) (?:immer "
            r"|hier )?(?:nur|ausschließlich"
            r"|immer|stets)\b",
            r"\bbleibt? (?:wie (?:es|sie|er)|so wie|unverändert|auf|bei|unter|in \S+ \d)\b",
            r"\b(?:wichtig|zwingend|notwendig),? dass\b",
            r"\bmeine? (?:freigabe|zustimmung|erlaubnis|ok|okay)\b",
        ),
    },
    report=r"\b(?:laut|angeblich|(?!ich\b|wir\b)[\w-]+ (?:sagt|sagte|meint|meinte|schreibt"
    r"|behauptet|meldet|empfiehlt"
    r"|warnt|fordert))\b",
    condition=r"(?:falls|angenommen|selbst wenn|wenn (?!du\b))",
    question=r"(?:warum|wieso|weshalb|was|wie|wer|wann|wo|welche\w*|soll(?:en|te|ten)?|muss"
    r"|müssen|darf|dürfen"
    r"|kann(?:st)?|können|könn\w*|ist|sind|hat|haben|gibt|würde)\b",
    polite=r"(?:kannst|könntest|würdest) du .*\b(?:nie|nicht mehr|immer|in zukunft|ab jetzt"
    r"|nur noch|aber .*(?:nicht"
    r"|kein\w*))\b",
    tag=r",? ?(?:ok(?:ay)?|ja|bitte|verstanden|klar|gell)\W*$",
    once=r"(?:jetzt|nun|dann)\b (?!immer|nie|an\b)|.*\b(?:diesmal|heute|morgen|gleich"
    r"|jetzt gerade|jetzt\W*$)"
    r"|vergiss(?:t)? (?:bitte )?nicht\b|denk (?:bitte )?dran?\b(?!.*\b(?:immer|jede\w*|nie)\b)"
    r"|mach dir (?:bitte )?kein|(?:sag|lass) mir nicht",
    narrative=r"\b(?:schlägt|schlug|fehlgeschlagen|funktionier\w*|ging|geht nicht|klappt\w*"
    r"|stürzt|abgestürzt|hat nie"
    r"|hatte|war nie|waren nie|wurde|kaputt|immer noch|schon immer|immer wieder|weiß nicht"
    r"|verstehe nicht"
    r"|(?:benutzer|nutzer|kunden?|anwender|man) (?:muss|müssen|darf|dürfen|soll|sollen))\b",
    standing=r"\b(?:ab (?:jetzt|sofort)|von (?:jetzt|nun) an|in zukunft|künftig)\b",
    keywords="niemals immer keine nicht bitte statt verwende benutze",
    words="der die das und ist nicht ich du wir bitte für auf mit ein eine kein keine nie immer "
    "wenn nur den dem auch"
    " noch muss soll darf statt ohne niemals lieber alle jeder jede finger wie dass zu von bei "
    "beim kannst sind",
)

_FR_VERBS = (
    r"(?:utilise|utilisez|garde|gardez|fais|faites|écris|écrivez|lance|lancez|mets|mettez|ajoute"
    r"|ajoutez|réponds"
    r"|répondez|vérifie|vérifiez|demande|demandez|teste|testez|exécute|exécutez|commence|commite"
    r"|passe|préviens"
    r"|attends|nomme|documente|formate|crée|appelle|prends|prenez|parle|mentionne|rédige|traite"
    r"|respecte|suis)"
)
_FR_NEVER = (
    r"(?:utilise|fais|touche|modifie|change|pousse|commite|ajoute|supprime|écris|installe|mets"
    r"|oublie"
    r"|efface|déploie|fusionne|laisse|crée|réponds|lance)z?s?"
)

FRENCH = Phrasing(
    language="fr",
    openers=r"(?:s'il te pla[iî]t|s'il vous pla[iî]t|stp|svp|et|mais|aussi|alors|ok|donc"
    r"|important|attention|au fait"
    r"|en général|dans ce (?:projet|dépôt)|rappel|surtout|oui|encore une fois|bon)",
    opening={
        "correction": (
            r"non\b[,.!:]*\s+(?:utilise|pas|ne|n'|jamais|toujours|j'ai dit|je (?:veux|voulais"
            r"|t'ai)|on|garde|il faut"
            r"|c'est|fais|prends|mets)\b.{3,}",
            r"(?:c'est faux|ce n'est pas (?:ça|ce que))\b.{10,}",
        ),
        "prohibition": (
            r"(?:ne|n')\s?(?!t'inquiète|vous inquiétez|oublie|oubliez|me dis pas|sais|marche"
            r"|fonctionne|comprends|pas "
            r"(?:oublier|s'inquiéter))\S+.{0,60}\b(?:jamais|pas|plus|aucun\w*|rien|que)\b",
            r"jamais (?!vu\b|eu\b|marché).{3,}",
            r"pas (?:de |d'|touche)(?!problème|souci|panique|quoi|soucis|chance).{2,}",
            r"(?:touche|touchez|utilise|utilisez|ajoute|modifie|change|pousse|commite|fais|mets"
            r"|supprime|installe)z? "
            r"(?:surtout |jamais |plus |pas )+.{2,}",
            _FR_NEVER + r" .{2,40}\bjamais\b",
            r"(?:arrête|arrêtez|cesse) (?:de |d').{3,}",
            r"(?:aucun|aucune|plus aucun|plus de|zéro) (?!problème|souci|idée|erreur|doute).{3,}",
            r"(?:rien|personne) ne .{3,}",
            r"laisse[zr]? .{2,50}\b(?:tranquille|tel quel|tels quels|comme|intact\w*)\b",
            r"(?:en aucun cas|sous aucun prétexte|hors de question)\b",
            r"^on (?!a\b|est\b|y\b|sait\b|voit\b|arrive\b)\w+ jamais (?!marché|vu|eu|su)\b.{3,}",
            r"interdi(?:t|ction|te) (?:de|d').{3,}",
        ),
        "preference": (
            r"(?:évite|évitez|préfère|préférez|privilégie|privilégiez|plutôt|de préférence"
            r"|mieux vaut)\b.{3,}",
            r"(?:utilise|utilisez|prends|prenez|écris|mets) .{2,60}\b(?:au lieu|plutôt|et non"
            r"|pas|à la place)\b",
            r"(?:utilise|utilisez) (?!ce\b|cette\b|ça\b|le\b|la\b)(?:\S+ ?){1,6}\W*$",
            r"[\w`.+-]+ (?:au lieu de|plutôt que|et pas|pas) [\w`.+-]+(?: [\w`.+-]+)?\W*$",
        ),
        "obligation": (
            r"(?:toujours|dorénavant|désormais|à partir de maintenant|à l'avenir"
            r"|systématiquement)\b,? (?!pas\b|l[ae]s? mêmes?"
            r"|rien\b|en\b).{3,}",
            _FR_VERBS + r" .{0,50}\b(?:toujours|systématiquement|uniquement|seulement|que|à chaque"
            r"|avant (?:chaque|de"
            r"|tout)|après chaque|chaque fois|partout|exclusivement)\b",
            r"(?!ça\b|il\b|elle\b|ils\b|on\b|reste\b|semble\b)[a-zà-ÿ]+(?:e|ez|is|ds) (?:toujours"
            r"|systématiquement) (?:l[aes]s?|l'|une?|des|tes|ton|ta|mes|mon|ma|avec|en|dans"
            r"|par)\b.{3,}",
            r"(?:pense[sz]?(?: bien)? à|n'oublie[sz]?(?: pas)? (?:de |d')|rappelle-toi (?:de |d')"
            r"|souviens-toi (?:de |d')).{3,80}\b(?:avant|après|à chaque|chaque fois|quand|lorsque"
            r"|dès)\b",
            r"(?:dans|pour|sur|avec) [^,;]{2,40},? on (?:utilise|écrit|garde|met|teste|préfère"
            r"|suit|range)\b.{2,}",
            r"(?:assure-toi|assurez-vous|veille|veillez|fais attention|garantis)\b.{5,}",
            r"(?:garde|gardez|conserve|reste|restez|respecte|respectez|suis|tiens-t'en"
            r"|limite-toi) (?!à l'écoute|calme"
            r"|ça\b).{4,}",
            r"(?:réponds|répondez|écris|écrivez|parle|rédige"
            r"|commente)\b[^,]{0,50}\ben (?:français|anglais|allemand"
            r"|espagnol)\b",
            r"(?:demande|demandez|préviens|consulte|attends|montre)\S* .{0,40}\bavant\b",
            r"(?:avant|après|à|pour|dans|lors de) (?:de |d'|chaque|tout|toute|tous les"
            r"|toutes les)\b[^,]{2,60},? .*"
            r"\b(?:" + _FR_VERBS + r"|toujours|il faut|doit|tu dois)\b",
            r"(?:chaque fois que|quand|lorsque|si) tu (?!veux|peux|as le temps|as fini"
            r"|penses)[^,]{3,60}, ?(?:tu dois|toujours"
            r"|pense à|" + _FR_VERBS + r")\b",
            r"(?:seulement|uniquement|que du|que des) .{3,}",
            r"tou(?:s|tes) les .{3,60}\b(?:en|dans|avec|sous)\b \S+\W*$",
            r"(?:règle|important|rappel|convention|attention)\s*[:!]\s*\S.{4,}",
            r"traite .{2,50}\bcomme\b",
        ),
    },
    anywhere={
        "correction": (
            r"\bj(?:e t)?'ai (?:déjà |bien |pourtant )?(?:dit|demandé)\b.{4,}",
            r"\bje t'avais (?:dit|demandé)\b.{4,}",
        ),
        "prohibition": (
            r"\b(?:tu|on|vous|nous|il) ne (?:dois|doit|devez|devons|faut|peux|peut) (?:pas"
            r"|jamais|plus|surtout)\b",
            r"\bne (?:doit|doivent|devrait|devraient) (?:pas|jamais|plus|en aucun cas)\b",
            r"\b(?:il ne )?faut (?:pas|jamais|surtout pas)\b",
            r"\bje ne (?:veux|souhaite) (?:pas|plus|aucun\w*|jamais)\b(?! (?:savoir|attendre"
            r"|déranger))",
            r"\b(?:est|sont|reste|restent) (?:strictement |totalement )?(?:interdit\w*"
            r"|intouchable\w*|hors limites"
            r"|gelée?s?|tabou\w*)\b",
            r"\bon (?:n'utilise|ne touche|ne met|ne commite|ne pousse|ne fait|n'ajoute"
            r"|ne supporte|ne mocke|ne change|ne modifie) .{0,40}\b(?:pas|jamais"
            r"|que|rien|aucun\w*|plus)\b",
            r"\b(?:et|mais) (?:ne |n').{2,60}\b(?:pas|jamais|rien|plus"
            r"|aucun\w*)\b(?!.*\b(?:marche|fonctionne)\b)",
            r"\b(?:aucun|aucune) .{2,50}\bne (?:doit|peut|va)\b|\bsans (?:me demander|mon accord"
            r"|ma permission|tests?)\b",
            r"\b(?:en aucun cas|sous aucun prétexte)\b",
        ),
        "preference": (r"\b(?:je préfère|on préfère|je préférerais|j'aime mieux)\b.{3,}",),
        "obligation": (
            r"\b(?:dorénavant|désormais|à partir de maintenant|à l'avenir)\b",
            r"\b(?:tu dois|vous devez|il faut|on doit)\b.*\b(?:toujours|chaque|tous|toutes|avant"
            r"|uniquement|rester"
            r"|garder|systématiquement|seulement)\b",
            r"\b(?:chaque|tous les|toutes les|tout|toute) .{2,50}\b(?:doit|doivent|devrait"
            r"|devraient|passe par|nécessite|a besoin|ont besoin|exige|requiert|utilise|reste"
            r"|commence par"
            r"|se termine par|vit dans|va dans)\b",
            r"(?<!utilisateurs )(?<!clients )\b(?:doit|doivent) (?:toujours |absolument "
            r"|impérativement )?(?:rester|être|avoir"
            r"|utiliser|passer|garder|supporter|fonctionner|respecter)\b",
            r"\b(?:on|nous) (?!(?:est|a|sont|avons|va|voit|perd)\b)[a-zà-ÿ]+(?:e|t|ons|d"
            r"|s) (?:toujours"
            r"|uniquement|seulement|exclusivement|systématiquement)\b",
            r"\b(?:passe(?:nt)?|transite(?:nt)?) (?:toujours |uniquement |forcément )?par\b",
            r"\bon ne (?:supporte|utilise|garde|prend en charge) que\b",
            r"\breste(?:nt)? (?:comme|tel\w*|inchangée?s?|en|à|sur|sous)\b",
            r"\b(?:important|essentiel|indispensable|obligatoire|crucial) (?:que|de)\b",
            r"\bje veux (?:toujours|uniquement|seulement|que tu .*(?:toujours|jamais|chaque)"
            r"|des? .{2,40}partout)\b",
            r"\bmon (?:accord|feu vert|autorisation|approbation)\b",
        ),
    },
    report=r"\b(?:d'après|selon|apparemment|(?!je\b|on\b|nous\b|tu\b)[\w'-]+ (?:dit|disent"
    r"|disait|écrit|affirme"
    r"|recommande|conseille|prétend|demande))\b",
    condition=r"(?:si (?!tu\b)|s'il (?!te)|supposons|au cas où|même si)",
    question=r"(?:pourquoi|c'est quoi|(?:ça|ca) (?:sert|fait) (?:à|a)? ?quoi"
    r"|est-ce|qu'est-ce|comment|quand est|où|qui|quel\w*|combien|faut-il"
    r"|doit-on|devrait-on|peut-on"
    r"|peux-tu|dois-je|devons-nous|a-t-on|y a-t-il)\b",
    polite=r"(?:peux-tu|pourrais-tu|tu peux|tu pourrais) .*\b(?:jamais|ne pas|ne plus|toujours"
    r"|désormais|éviter"
    r"|arrêter de|mais (?:ne|n'))",
    tag=r",? ?(?:ok|d'accord|s'il te plaît|stp|svp|merci|compris)\W*$",
    once=r"(?:maintenant|là)\b|.*\b(?:cette fois|aujourd'hui|demain|tout de suite"
    r"|maintenant\W*$)|n'oublie(?:z)? pas\b(?!.*\b(?:chaque|avant de)\b)"
    r"|ne t'(?:inquiète|en fais)|ne vous inquiétez",
    narrative=r"\b(?:marche|marchait|fonctionne\w*|échoue\w*|plante\w*|a jamais|n'a|n'ont"
    r"|n'avait|était|étaient|est toujours"
    r"|sont toujours|toujours pas|ne sais|ne comprends|utilisateurs? (?:ne )?doi\w+"
    r"|clients? (?:ne )?doi\w+)\b",
    standing=r"\b(?:dorénavant|désormais|à partir de maintenant|à l'avenir)\b",
    keywords="jamais toujours évite préfère utilise plutôt",
    words="le la les des du et est pas ne je tu nous on vous pour dans avec une un jamais "
    "toujours que qui sur au aux"
    " ce cette il faut ça mais plus sans chaque tous toutes doit doivent s'il n'utilise c'est "
    "j'ai d'abord évite"
    " utilise réponds en de sont",
)

_ES_NO = (
    r"no (?!s[eé]\b|hay\b|es\b|est[aá]n?\b|funciona|pasa\b|me\b|te (?:olvides|preocupes)|olvides"
    r"|entiendo|pude|puedo"
    r"|tengo|veo|fue|era|ha\b|he\b|hace falta|importa|problem|creo|lo s[eé]|olvid|se (?:ve"
    r"|puede ver|muestra|abre)"
    r"|gracias|sirve|sale|aparece|sab[ií]a|queremos saber|debería haber)"
)
SPANISH = Phrasing(
    language="es",
    openers=r"(?:por favor|porfa|y|pero|también|entonces|ok|vale|importante|además|recuerda|ojo"
    r"|por cierto|en general"
    r"|en este (?:proyecto|repo)|sí|otra vez|bueno|eso sí)",
    opening={
        "correction": (
            r"no\b[,.!:]+\s+(?:usa|no|nunca|siempre|te dije|dije|quiero|quería|usamos|mantén"
            r"|tiene que|debe|el|la|hazlo"
            r"|pon|escribe|es)\b.{3,}",
            r"(?:eso (?:está mal|no es)|está mal|mal)\b.{10,}",
        ),
        "prohibition": (
            r"ya no (?:toques|uses|cambies|borres|subas|hagas|modifiques|agregues|añadas|pongas"
            r"|escribas|renombres|instales|muevas|mandes|despliegues)\b.{3,}",
            _ES_NO
            + r"(?:[mtn]e |se |l[oae]s? |nos )?\w+(?:as|es|a|e|an|en|is|amos|emos|[aeá]l[oa]s?"
            r"|r)\b.{0,}",
            r"(?:nunca|jamás)\b,? (?!funcion|hab|ha\b|he\b|pude|vi\b|más\W*$|tuv|fue).{3,}",
            r"(?:prohibido|nada de|cero|ningún|ninguna|ni un\w?) (?!problema|error|idea"
            r"|cambio).{2,}",
            r"(?:deja|dejen|para) de \w+r\b.{2,}",
            r"deja .{2,50}\b(?:en paz|como est[aá]n?|tal cual|intact\w+|sin tocar)\b",
            r"(?:bajo ningún|de ninguna manera|en ningún caso|ni se te ocurra)\b.{3,}",
            r"(?:nadie|nada) .{3,}\b(?:sin|toca|debe|puede)\b",
            r"sin (?:preguntar|mi permiso|mi aprobación).{4,}",
        ),
        "preference": (
            r"(?:evita|evite|eviten|prefiere|prefiero|preferiblemente|mejor|preferimos)\b.{3,}",
            r"(?:usa|use|utiliza|escribe|llama|pon|trabaja con) .{2,60}\b(?:en (?:vez|lugar) de"
            r"|no|y no|antes que|nunca)\b",
            r"(?:usa|utiliza) (?!est[eao]\b|eso\b|el\b|la\b|lo\b)(?:\S+ ?){1,6}\W*$",
            r"[\w`.+-]+ (?:en (?:vez|lugar) de|y no|no) [\w`.+-]+(?: [\w`.+-]+)?\W*$",
        ),
        "obligation": (
            r"siempre\b,? (?!falla|da\b|sale|se\b|ha\b|me\b|es\b|está\b|pasa (?:lo|algo|esto|eso"
            r"|nada|igual|cuando|que)\b|pasa\W*$|hay\b|lo mismo).{3,}",
            r"(?:de ahora en adelante|a partir de ahora|en adelante|en el futuro"
            r"|desde ahora)\b.{3,}",
            r"(?:usa|corre|ejecuta|escribe|pregunta|pregúntame|consulta|avisa|avísame|revisa|haz"
            r"|actualiza|pasa|lanza|pon"
            r"|verifica|comprueba|documenta|agrega|añade|espera)\b.{0,60}\b(?:siempre"
            r"|antes (?:de|que)|después de cada|cada"
            r" vez|solo|sólo|únicamente|en cada|en tod[oa]s)\b",
            r"(?:recuerda|acuérdate de|acordate de|no (?:te )?olvides(?: de)?|piensa en"
            r"|hay que)? ?\w+r"
            r" .{3,80}\b(?:antes de (?:cada|tod[oa])|después de cada|cada vez que|siempre que)\b",
            r"(?:(?:en|para|con) [^,;]{2,40},? )?(?:aquí |nosotros )?(?:siempre |solo "
            r"|sólo )?(?:usamos"
            r"|trabajamos|escribimos|probamos|seguimos|mantenemos|preferimos)\b (?!est[eo]\b"
            r"|eso\b).{2,}",
            r"(?:asegúrate|asegúrese|cuida|procura|garantiza) .{5,}",
            r"(?:mant[eé]n|mantener|mantenga|conserva|respeta|sigue(?! con\b)|cíñete|limítate"
            r"|quédate|apégate) (?!así\W*$|adelante|con eso"
            r"\W*$|trabajando|intentando).{4,}",
            r"(?:responde|contesta|escribe|habla|comenta|contéstame"
            r"|respóndeme)\b[^,]{0,50}\ben (?:español|inglés|alemán"
            r"|francés|castellano)\b",
            r"(?:antes de|después de|cada vez que|cuando) (?!que\b)[^,]{3,60}, ?(?:siempre|debes"
            r"|tienes que|usa|corre|ejecuta"
            r"|pregunta\w*|actualiza|revisa|pasa|avisa\w*|haz|no)\b",
            r"(?:solo|sólo|solamente|únicamente) (?!falla|quiero saber|pasa|corre (?:el|la)"
            r"|ejecuta (?:el|la)|falta|\d).{3,}",
            r"tod[oa]s l[oa]s .{3,60}\b(?:en|con|bajo|por)\b \S+\W*$",
            r"(?:regla|importante|recuerda|convención|norma|ojo)\s*[:!]\s*\S.{4,}",
            r"trata .{2,50}\bcomo\b",
        ),
    },
    anywhere={
        "correction": (r"\b(?:ya )?(?:te )?(?:dije|he dicho|había dicho|pedí)\b.{4,}",),
        "prohibition": (
            r"\bno (?:debes|debe|deben|debemos|se debe|se puede|se permite|puedes|podemos"
            r"|se toca|quiero|queremos|usamos"
            r"|tocamos|hacemos|soportamos)\b(?! (?:saber|esperar|molestar|ver nada|abrir|entrar"
            r"|iniciar|reproducir))",
            r"\b(?:está|están|queda|quedan) (?:totalmente |estrictamente )?(?:prohibid\w+"
            r"|vetad\w+|congelad\w+|fuera de)\b",
            r"\b(?:nunca|jamás) (?:debes|debe|deben|uses|usamos|se|hagas|toques|subas|cambies"
            r"|borres|modifiques|escribas)\b",
            r"\b(?:y|pero) (?:por favor )?" + _ES_NO + r"\w+(?:as|es|a|e)\b.{3,}",
            r"\b(?:y|pero) (?:nunca|jamás) (?!funcion|ha\b|pude).{3,}",
            r"\bsin (?:preguntarme|mi permiso|mi aprobación|consultarme|tests|pruebas)\b",
            r"\b(?:en ningún caso|bajo ningún concepto|bajo ninguna circunstancia)\b",
        ),
        "preference": (r"\b(?:prefiero|preferimos|preferiría|me gusta más)\b.{3,}",),
        "obligation": (
            r"\b(?:de ahora en adelante|a partir de ahora|en adelante|desde ahora)\b",
            r"\b(?:debes|deben|debe|tienes que|hay que|tiene que|tienen que|debemos"
            r"|tenemos que)\b.*\b(?:siempre|cada|tod[oa]s"
            r"|antes|solo|sólo|únicamente|seguir|mantener|ser compatib\w+|nunca)\b",
            r"\b(?:cada|tod[oa]s l[oa]s|tod[oa]|cualquier) .{2,50}\b(?:debe|deben|necesitan?"
            r"|tiene que|tienen que|llevan?|van?|pasan? por|usan?|requieren?|empiezan? (?:por|con)"
            r"|terminan? (?:en|con)|quedan?)\b(?! (?:mal|lent|\d))",
            r"(?<!usuarios )(?<!clientes )\b(?:debe|deben) (?:siempre )?(?:ser|estar|tener|usar"
            r"|quedar|mantener\w*|seguir|funcionar"
            r"|soportar|permanecer|pasar)\b",
            r"\b(?:solo|sólo|únicamente) (?:usamos|soportamos|se (?:usa|permite|puede)"
            r"|aceptamos)\b",
            r"\b(?:usamos|soportamos|escribimos) (?:solo|sólo|únicamente|siempre)\b",
            r"\b(?:se queda|queda|quedan|permanece|permanecen) (?:como|igual|tal|en|sin)\b",
            r"\b(?:es|muy) (?:importante|esencial|obligatorio|imprescindible|fundamental) (?:que"
            r"|\w+r)\b",
            r"\bquiero (?:siempre|solo|sólo|únicamente|que .*(?:siempre|nunca|cada|tod[oa]s))\b",
            r"\bmi (?:permiso|aprobación|visto bueno|autorización)\b",
        ),
    },
    report=r"\b(?:según|al parecer|supuestamente|(?!yo\b|te\b|ya\b|nosotros\b)[\w-]+ (?:dice"
    r"|dicen|dijo|dijeron|escribió"
    r"|recomienda|sugiere|afirma|pide))\b",
    condition=r"(?:si (?!tocas|cambias|agregas|añades|haces)|suponiendo|en caso de|aunque)",
    question=r"(?:¿|por qué|cómo|cuándo|dónde|donde (?:está|esta|vive)|quién|qué|cuál\w*"
    r"|cual(?:es)?\b|por que|que (?:hace|pasa|significa)\b|como se (?:llama|corre|ejecuta)"
    r"|deberíamos|debería|es necesario)",
    polite=r"¿?(?:puedes|podrías|podemos) .*\b(?:nunca|siempre|no \w+[rs]|dejar de|evitar"
    r"|de ahora en adelante|pero no)\b",
    tag=r",? ?¿?(?:ok|vale|por favor|de acuerdo|sí|entendido|gracias)\W*$",
    once=r"(?:ahora)\b (?!siempre|nunca|en adelante)|.*\b(?:esta vez|hoy|mañana|ahora mismo"
    r"|ahora\W*$)|no (?:te )?olvides\b(?!.*\bcada\b)"
    r"|no te preocupes",
    narrative=r"\b(?:funcion(?:a|an|ó|aba|aban|aron|ar)\b|fall[aó]n?|se cae|se rompe|rompió|ha"
    r"|han|pasaba|pasó|sale|usuarios? (?:no )?deben?"
    r"|clientes? (?:no )?deben?)\b",
    standing=r"\b(?:de ahora en adelante|a partir de ahora|en adelante|desde ahora)\b",
    keywords="nunca siempre evita prefiero asegúrate mantén",
    words="el la los las y es que de en un una por para con se lo nunca siempre pero como más "
    "este esta antes cada"
    " todos todas debe deben usa uses favor sin solo sólo hay del al muy está estoy mi te me "
    "ahora hagas toques"
    " responde español jamás evita prefiero funciona sé qué falla cuando porque puedes ya hacer "
    "archivos cambios",
)

_PT_NO = (
    r"não (?!sei\b|há\b|é\b|está\b|funciona|tem\b|deu\b|esqueça|se (?:preocupe|esqueça)|entendi"
    r"|entendo|consigo|consegui"
    r"|foi\b|era\b|precisa se|vi\b|acho|abre|aparece|importa|tenho|posso|lembro|esquece|problema"
    r"|estou|são\b|vai\b"
    r"|sabia|faz sentido|roda\b|compila\b|carrega)"
)
PORTUGUESE = Phrasing(
    language="pt",
    openers=r"(?:por favor|pfv|e|mas|também|então|ok|importante|além disso|lembre-se|aliás"
    r"|atenção|em geral|lembra"
    r"|neste (?:projeto|repo)|sim|de novo|bom|só que)",
    opening={
        "correction": (
            r"não\b[,.!:]+\s+(?:use|usa|não|nunca|sempre|eu (?:disse|falei|quero|queria)|usamos"
            r"|mantenha|tem que|deve|o|a|é"
            r"|faça|coloque|escreva)\b.{3,}",
            r"(?:isso (?:está errado|não é)|está errado|errado)\b.{10,}",
        ),
        "prohibition": (
            _PT_NO + r"(?:me |se |l?[oa]s? )?\w+(?:a|e|am|em|es|as|r|amos|emos)\b.{0,}",
            r"(?:nunca|jamais)\b,? (?!funcion|tinha|vi\b|consegui|foi\b|mais\W*$|deu|rodou).{3,}",
            r"(?:proibido|nada de|zero|nenhum|nenhuma|sem mais|chega de) (?!problema|erro"
            r"|ideia).{2,}",
            r"(?:pare|para|parem) de \w+r\b.{2,}",
            r"deix[ae] .{2,50}\b(?:em paz|como está\w*|do jeito|intact\w+|quieto|sem mexer)\b",
            r"(?:de jeito nenhum|em hipótese alguma|de forma alguma|nem pense)\b.{3,}",
            r"(?:ninguém|nada) .{3,}\b(?:sem|mexe|deve|pode)\b",
            r"sem (?:perguntar|minha|me perguntar|novas?|novos?|dependências).{3,}",
        ),
        "preference": (
            r"(?:evite|evita|prefira|prefere|prefiro|preferencialmente|de preferência|melhor"
            r"|preferimos)\b.{3,}",
            r"(?:use|usa|utilize|escreva|chame|coloque) .{2,60}\b(?:em vez d\w+|ao invés d\w+"
            r"|no lugar d\w+|não|e não|nunca)\b",
            r"(?:use|usa|utilize) (?!est[ea]\b|ess[ea]\b|isso\b|o\b|a\b)(?:\S+ ?){1,6}\W*$",
            r"[\w`.+-]+ (?:em vez de|ao invés de|e não|não) [\w`.+-]+(?: [\w`.+-]+)?\W*$",
        ),
        "obligation": (
            r"sempre\b,? (?!falha|dá\b|cai\b|foi|deu|é\b|está\b|que (?:eu|a|o)\b|o mesmo).{3,}",
            r"(?:de agora em diante|a partir de agora|daqui (?:pra|para) frente|no futuro"
            r"|doravante)\b.{3,}",
            r"(?:use|usa|rode|roda|execute|escreva|pergunte|me pergunte|consulte|avise|me avise"
            r"|revise|faça|atualize|passe|verifique"
            r"|documente|adicione|espere|confirme|coloque|peça)\b.{0,60}\b(?:sempre|antes (?:de"
            r"|que|do|da)|depois de cada"
            r"|após cada|toda vez|cada vez|só|somente|apenas|em cada|em tod[oa]s?)\b",
            r"(?:me )?(?:pergunte|avise|consulte|peça|confirme)\b.{0,40}\bantes\b",
            r"(?:lembr[ae](?:-se)? de|não (?:se )?esque[cç][ae]s? de"
            r"|tem que)? ?\w+r .{3,80}\b(?:antes de (?:cada"
            r"|tod[oa])|depois de cada|toda vez que|sempre que|a cada)\b",
            r"(?:(?:em|no|na|para|com) [^,;]{2,40},? )?(?:aqui |nós |a gente )+(?:sempre |só "
            r"|somente )?(?:usamos"
            r"|usa|escrevemos|testamos|seguimos|mantemos|preferimos)\b (?!iss[eo]\b).{2,}",
            r"(?:certifique-se|garanta|assegure|cuide para|tenha certeza) .{5,}",
            r"(?:mantenha|mantém|manter|preserve|respeite|siga|limite-se|fique com"
            r"|atenha-se) (?!assim\W*$|tentando).{4,}",
            r"(?:responda|escreva|fale|comente|responde"
            r"|me responda)\b[^,]{0,50}\bem (?:português|inglês|espanhol|alemão)\b",
            r"(?:antes de|antes do|antes da|depois de|após|toda vez que|sempre que|quando"
            r"|ao) (?!que\b)[^,]{3,60}, ?(?:sempre|você deve"
            r"|use|rode|execute|pergunte|atualize|revise|passe|avise|faça|não|me avise)\b",
            r"(?:só|somente|apenas|unicamente) (?!falha|quero saber|roda (?:o|a)|rode (?:o|a)"
            r"|falta|\d).{3,}",
            r"tod[oa]s [oa]s .{3,60}\b(?:em|com|sob|por|no|na)\b \S+\W*$",
            r"(?:regra|importante|lembre-se|lembrete|convenção|norma|atenção)\s*[:!]\s*\S.{4,}",
            r"trate .{2,50}\bcomo\b",
        ),
    },
    anywhere={
        "correction": (r"\b(?:eu )?(?:já )?(?:te )?(?:disse|falei|pedi|tinha dito)\b.{4,}",),
        "prohibition": (
            r"\bnão (?:deve|devem|devemos|pode|podem|podemos|se deve|é permitido|quero|queremos"
            r"|usamos|mexemos|suportamos)\b"
            r"(?! (?:saber|esperar|incomodar|abrir|ser (?:isso|verdade)))",
            r"\b(?:está|estão|fica|ficam|é|são) (?:totalmente |estritamente )?(?:proibid\w+"
            r"|vetad\w+|congelad\w+|fora de"
            r"|intocáve\w+)\b",
            r"\b(?:nunca|jamais) (?:deve|devem|use|usamos|se|faça|mexa|suba|mude|apague"
            r"|modifique|escreva|altere|commite)\b",
            r"\b(?:e|mas) (?:por favor )?" + _PT_NO + r"\w+(?:a|e|am|em)\b.{3,}",
            r"\b(?:e|mas) (?:nunca|jamais) (?!funcion|tinha).{3,}",
            r"\bsem (?:me perguntar|minha (?:permissão|aprovação|autorização)|me consultar"
            r"|testes)\b",
            r"\b(?:de jeito nenhum|em hipótese alguma|de forma alguma)\b",
        ),
        "preference": (r"\b(?:prefiro|preferimos|preferia|gosto mais)\b.{3,}",),
        "obligation": (
            r"\b(?:de agora em diante|a partir de agora|daqui (?:pra|para) frente|doravante)\b",
            r"\b(?:deve|devem|tem que|têm que|precisa|precisam|temos que|devemos)\b.*\b(?:sempre"
            r"|cada|tod[oa]s?|antes|só|somente"
            r"|apenas|seguir|manter|ser compatíve\w+|nunca)\b",
            r"\b(?:cada|tod[oa]s? [oa]s?|tod[oa]|qualquer) .{2,50}\b(?:devem?|precisam?"
            r"|t[eê]m que|levam?|vão"
            r"|vai (?:em|para|n[oa])|passam? por|usam?|exigem?|começam? com|terminam? em|ficam?)\b"
            r"(?! (?:mal|lent|\d))",
            r"(?<!usuários )(?<!clientes )\b(?:deve|devem) (?:sempre )?(?:ser|estar|ter|usar"
            r"|ficar|manter\w*|seguir|funcionar|suportar"
            r"|permanecer|passar)\b",
            r"\b(?:só|somente|apenas) (?:usamos|suportamos|se (?:usa|permite)|aceitamos)\b",
            r"\b(?:usamos|suportamos|escrevemos) (?:só|somente|apenas|sempre)\b",
            r"\b(?:fica|ficam|permanece|permanecem|continua|continuam) (?:como|igual|do jeito"
            r"|em \S+ \d|sem|no \w+ \d)\b",
            r"\b(?:é|muito) (?:importante|essencial|obrigatório|imprescindível"
            r"|fundamental) (?:que|\w+r)\b",
            r"\bquero (?:sempre|só|somente|apenas|que .*(?:sempre|nunca|cada|tod[oa]s?))\b",
            r"\bminha (?:permissão|aprovação|autorização)\b|\bmeu (?:ok|aval|consentimento)\b",
        ),
    },
    report=r"\b(?:segundo|aparentemente|supostamente|(?!eu\b|te\b|já\b|nós\b)[\w-]+ (?:diz|dizem"
    r"|disse que|escreveu|recomenda"
    r"|sugere|afirma))\b",
    condition=r"(?:se (?!mexer|mudar|adicionar|alterar)|supondo|caso\b|mesmo que)",
    question=r"(?:por que|por quê|porque é que|cad[êe]|quanto (?!ao?s?\b|à)|como|quando|onde|quem"
    r"|o que"
    r"|qual|quais|deveríamos"
    r"|devemos|será que|é necessário)\b",
    polite=r"(?:pode|poderia|podemos|você pode) .*\b(?:nunca|sempre|não \w+r|parar de|evitar"
    r"|a partir de agora|mas não)\b",
    tag=r",? ?(?:ok|tá|por favor|certo|beleza|entendido|obrigado)\W*$",
    once=r"(?:agora)\b (?!sempre|nunca|em diante)|.*\b(?:desta vez|dessa vez|hoje|amanhã"
    r"|agora mesmo|agora\W*$)"
    r"|não (?:se )?esque[cç]\w*(?!.*\b(?:cada|toda vez)\b)|não se preocupe",
    narrative=r"\b(?:funcion(?:a|am|ou|ava|avam|aram|ar)\b|falh[aou]u?m?|cai\b|quebr[aou]u?"
    r"|tinha|aconteceu|usuários? (?:não )?deve\w*"
    r"|clientes? (?:não )?deve\w*)\b",
    standing=r"\b(?:de agora em diante|a partir de agora|daqui (?:pra|para) frente)\b",
    keywords="nunca sempre evite prefiro mantenha",
    words="o os e é não que de em um uma por para com se nunca sempre mas como mais este esta "
    "antes cada todos"
    " todas deve devem favor sem só apenas há da na muito está você eu me agora faça mexa responda"
    " português jamais evite prefiro são ao pelo isso já também funciona arquivos falha porque "
    "pode quando fazer aqui gente usa rodar",
)
