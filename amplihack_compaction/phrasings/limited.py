"""How a leave is given for one time, or for one place: the rule stays for all else."""

import re

from amplihack_compaction.patterns.patterns import lazily

LIMITED = lazily(
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
    r"|только (?:этот|в этот|сегодня|в|для)\b|(?:в|на) этот раз|(?:только|лишь) один раз"
    r"|в виде исключения"
    r"|[就只仅]?这一?次|仅此一次|其[他它](?:地方|情况|时候)?[还仍]|破例|暂时"
    r"|(?<!从)今天(?!起|开始)|今回(?:だけ|のみ|は)|(?:一度|一回|今日)(?:だけ|のみ|限り)|이번만"
    r"|이번에만|이번 한 번만|한 번만",
    re.IGNORECASE,
)
