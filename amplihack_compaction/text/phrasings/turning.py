"""How a user turns from what he asked for to something else, in nine languages."""

import re

from amplihack_compaction.text.words import without_accents

# What turns from what was asked to something else.
_SWITCHES = (
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
    r"\bcambiamos de (?:tarea|tema|objetivo|planes|plan|rumbo|prioridad\w*|foco|idea)\b",
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
    r"\b(?:scrap|abandon|park|shelve|ditch) (?:that|this|it|the|all)\b",
    r"\bdrop (?:that|this|it|all)\b",
    # "drop the batch endpoint" is work on it.
    r"\bdrop the [^.!?]{2,40}(?:\bfor (?:now|today|the moment)\b|\b(?:and|work|task|thing|idea|plan"
    r"|topic)\b|[,;] (?:let'?s|we|now|do|build|start|go|work|instead|fix|look)\b)",
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
    r"\bпереключ(?:ись|имся|аемся|айся|айтесь|итесь|аюсь|усь) на\b",
    r"\bпереходим к\b",
    r"\bвместо этого\b",
    r"\bдавай (?:лучше|другое)\b",
    r"\bхватит (?:про|с)\b",
    r"\bброс(?:ь|ай)\b",
    r"\bдругая (?:задача|тема)\b",
    r"(?<!别)(?<!不要)忘(?:了|掉)",
    r"新任务",
    r"新的任务",
    r"(?:^|[，。,！!；;])(?:\w{0,3})换一?个(?:任务|方向|话题|目标|事|活|吧|\W*$)",
    r"(?:^|[，。,！!；;]|任务|目标|计划|工作)(?:我们|现在|先|改)?换成",
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
    r"로 넘어|(?:작업|일|과제|태스크|쪽|기능|개발)(?:으)?로 (?:전환|바꿔)",
    r"다른 (?:작업|일|주제)",
)
SWITCHES = tuple(map(without_accents, _SWITCHES))
# What puts one thing aside: with nothing else to do it is no turn from the work, but a part less.
PARKS = re.compile(
    r"\b(?:leave|put|postpone|pause|park|shelve)\b.{1,60}\b(?:for now|for later|for another day"
    r"|aside"
    r"|be|behind|on hold|on ice)\b|\b(?:laisse|laissons|deja|dejemos|deix\w+)\b.{1,60}\bde"
    r" (?:côté|lado)\b"
    r"|\bброс(?:ь|ай)\b|先不(?:做|管)|先放下|は置いておいて|(?:은|는|을|를) 놔두",
    re.IGNORECASE,
)
# To forget a rule is to lift it, and no turn to other work.
RULE_TALK = re.compile(
    r"\b(?:rules?|restrictions?|constraints?|requirements?|conventions?|ban|regel\w*|règles?"
    r"|reglas?|regras?|правил\w*)\b|规则|规定|限制|ルール|規則|규칙",
    re.IGNORECASE,
)
# What goes back to work that was left.
RETURNS = re.compile(
    r"\b(?:back to|return(?:ing)? to|resum(?:e|ing)|(?:continue|carry on|go on|keep going) with"
    r"|pick(?:ing)? up|tak(?:e|ing) up|zurück zu[mr]?|weiter mit|reprend|reprends|reprenons"
    r"|revien(?:t|s) (?:à|au|aux)|revenons (?:à|au|aux)|retom\w+|volvamos|volvemos|vuelve a"
    r"|sigamos con|sigue con|seguimos con|voltamos|voltemos|volta (?:pro|para|ao|à)|continua com"
    r"|вернёмся к|вернемся к|возвращаемся к|возвращайся к|продолжай(?:те)?)\b"
    r"|回到|继续做?|接着做|(?:に|へ)(?:戻|もど)|の続き|を再開|(?:으?로) (?:돌아|복귀)"
    r"|다시 (?:이어|계속)",
    re.IGNORECASE,
)
# What turns to the next work, for the one before is done.
FOLLOWS = re.compile(
    r"\W{0,4}(?:(?:ok|okay|great|good|nice|perfect|thanks|thx|cool|super|fine|done|gut|danke"
    r"|merci|vale|gracias|bien|ótimo|obrigad[oa]|спасибо|отлично|хорошо|好的?|はい|네)[\s,.;:!，。]"
    r"{1,3}){0,3}(?:(?:next|up next|now|then|(?:(?:move|go|moving|going) )?on to"
    r"|let'?s (?:now|move on)|weiter|jetzt|nun|als nächstes|maintenant|ensuite|passons|on passe"
    r"|ahora|siguiente|luego|agora|próxim[oa]|depois|теперь|дальше|далее|следующ\w+|переходим)\b"
    r"|接下来|然后|现在|下一|次(?:は|に)|続いて|다음|이제)",
    re.IGNORECASE,
)
GIVES_UP = re.compile(
    r"\b(?:forget|drop|scrap|stop|instead|abandon|ditch|never ?mind|vergiss|stattdessen|oublie"
    r"|laisse tomber|plutôt|olvida|olvídate|en vez|esque[cç]\w+|em vez|забудь|вместо|брось)\b"
    r"|放弃|不做|别管|やめ|忘れ|대신|그만",
    re.IGNORECASE,
)
