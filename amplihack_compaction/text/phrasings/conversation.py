"""The words of going on, and of turning from what was asked for to something else."""

import re

from amplihack_compaction.text.words import without_accents

# A prompt of nothing but these words sets no objective.
GO_ON_WORDS = frozenset(
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
    " gotta that's it's today tomorrow tonight monday bye brb night morning lunch home back pick"
    " day were um okay we'll i'm we're"
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


# What turns from what was asked to something else.
_SWITCHES = (
    r"(?<!don't )(?<!not )(?<!never )\bforget (?:about )?(?!to\b|what i said|it\b)(?:the|that"
    r"|this|those|my|all|everything|\w+ing)\b",
    r"\bnew (?:task|topic|goal|objective|plan|job|assignment)\b",
    r"\b(?:switch|move on|pivot|turn|move over|jump)(?:ing)? (?:over )?to\b",
    r"\b(?:now|next),? (?:we(?:'ll)?|let'?s|i want(?: you)? to|i'?d like you to) (?:tackle|build"
    r"|begin|implement|write|create|develop|design|migrate|port|turn to|go for|do|take|start)\b",
    r"\bwhat (?:we|i) (?:really )?(?:need|want) (?:now|next|first) is\b",
    r"\b(?:park|shelv|paus|leav|dropp|scrapp|stopp|postpon|skipp)ing (?:that|this|it|all that)\b",
    r"\b(?:next up|up next)\b",
    r"\b(?:mov(?:e|ing)|go(?:ing)?) on(?:wards?)? to\b",
    r"\b(?:switch|shift|chang)(?:e|ing)? (?:gears|focus|topics?|tracks?|direction|course)\b",
    r"\b(?:goals?|objectives?|priorit(?:y|ies)|focus|plans?|aim)(?: for [\w ]{1,20}?)? (?:has"
    r"|have|is|are)(?: now)? (?:changed|shifted|different|now)\b",
    r"\b(?:priority|focus|goal) is .{2,60}\bnow\b",
    r"\b(?:leave|drop|stop|pause) (?:that|this|it|everything) and\b",
    r"\b(?:scratch|pause|postpone|shelve) (?:that|this|it)\b",
    r"\bon change (?:d'objectif|de (?:sujet|cap|plan))",
    r"\bahora toca\b",
    r"\bmud(?:a|amos|ando) de (?:planos?|assunto|foco|ideia)\b",
    r"接下来做",
    r"\bchange of (?:plans?|direction|topic)\b",
    r"\bstop (?:working on|with|the work on)\b",
    r"^[^\w\n]*(?:ok(?:ay)?,? )?stop (?:that|this|it)\b",
    r"\bchangement de (?:plan|programme|cap)\b",
    r"\bcambios? de planes?\b",
    r"\bmudanças? de planos?\b",
    r"\bplanänderung\b",
    r"\b(?:nouvel objectif|nuevo objetivo|novo objetivo|neues ziel)\b",
    r"\b(?:próxim[ao]|siguiente|seguinte) (?:tarea|tarefa|objetivo)\b",
    r"\b(?:prochaine|nächste) (?:tâche|aufgabe)\b",
    r"(?:下一个|下一项)(?:任务|工作|目标)",
    r"计划(?:有变|变了|改变)",
    r"先不做",
    r"\b(?:laisse|laissons) (?:ça|cela|tout) de côté\b",
    r"\bdejemos (?:eso|esto)\b",
    r"\b(?:scrap|abandon|park|shelve|ditch) (?:that|this|it|the|all)\b",
    r"\bdrop (?:that|this|it|all)\b",
    # "drop the batch endpoint" is work on it.
    r"\bdrop the [^.!?]{2,40}(?:\bfor (?:now|today|the moment)\b|\b(?:and|work|task|thing|idea|plan"
    r"|topic)\b|[,;] (?:let'?s|we|now|do|build|start|go|work|instead|fix|look)\b)",
    r"\bleave (?:that|this|it|the .{1,40}) (?:for now|for later|aside|be|behind)\b",
    r"\bput .{1,40} (?:aside|on hold|on ice)\b",
    r"^instead\b",
    r"\binstead[.!]?$",
    r"\b(?:start|begin|work|continue|go|carry) (?:on|with) [^?.!]{2,40} instead\b",
    r"\b(?:today|now) (?:we|i|you) (?:work on|do|tackle|start|build)\b",
    r"\blet'?s (?:now )?(?:tackle|turn to|start (?:on|with)|begin with)\b",
    r"\benough \w+ing\b",
    r"\b(?:leave it there|we(?:'re| are) done (?:here|with)|(?:this|that|it) can wait)\b",
    r"^[^\w\n]*(?:ok(?:ay)?,? |now,? |so,? )*on to \w",
    r"\b(?:task|scope|requirements?|assignment) (?:has|have) changed\b",
    r"\brather than (?:this|that)\b",
    r"\b(?:i|we)(?:'ve| have)? changed (?:my|our) minds?\b",
    r"\b(?:can|could) we do [^?]{2,40} first\b",
    r"\b(?:comes|goes) first\b",
    r"\bpause (?:here|that|this|it)\b",
    r"^(?:from the backlog|next (?:ticket|item|story)|próximo|siguiente|next)\b ?:",
    r"\bautre sujet\b",
    r"\bon passe à\b",
    r"现在开始做|下面(?:把|做|来)|(?:这个|都)做完了",
    r"\bsomething (?:else|different|completely|bigger)\b",
    r"\b(?:different|another|next) (?:task|topic|issue|subject|thing|matter)\b",
    r"\bnever ?mind (?:that|the|about)\b",
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
    r"\bchangeons de\b",
    r"\bolvida (?:el|la|lo|los|las|eso|todo)\b",
    r"\bolvídate de\b",
    r"\bnueva tarea\b",
    r"\b(?:cambiemos|pasemos) (?:a|de)\b",
    r"\bdeja (?:eso|lo de)\b",
    r"\besque[cç]\w+ (?:o|a|os|as|isso|tudo)\b",
    r"\bnova tarefa\b",
    r"\bvamos (?:mudar|passar) (?:para|de)\b",
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
    r"新任务",
    r"(?:^|[，。,！!；;])(?:\w{0,3})换一?个(?:任务|方向|话题|目标|事|活|吧|\W*$)",
    r"先不管",
    r"别管",
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
# To forget a rule is to lift it, and no turn to other work.
RULE_TALK = re.compile(
    r"\b(?:rules?|restrictions?|constraints?|requirements?|conventions?|ban|regel\w*|règles?"
    r"|reglas?|regras?|правил\w*)\b|规则|规定|限制|ルール|規則|규칙",
    re.IGNORECASE,
)
