"""How a leave is given for one time, or for one place: the rule stays for all else."""

import re

from amplihack_compaction.patterns.patterns import lazily

LIMITED = lazily(
    r"\b(?:just|only) (?:this|that|the) (?:once|one|time)\b|\bthis (?:once|one time|time)\b"
    r"|\bfor (?:now|once|today|tonight|the moment|this (?:one|commit|pr|file|task|time|fix|case"
    r"|branch))\b"
    r"|\b(?:today|tonight|exceptionally|otherwise|one[- ]off)\b|\bas an exception\b"
    r"|\b(?:the )?rest (?:stays|remains)\b"
    r"|\brules? (?:still )?(?:stays?|stands?|holds?|remains?)\b"
    r"|\b(?:but|and) (?:only|not) (?:in|for|on|with|when|if|inside|until)\b"
    r"|\bonly (?:in|for|on|when|if|with|inside|within|until)\b|\bexcept (?:in|for|on|when)\b"
    r"|^\W*(?:(?:ok|okay|fine|well|yes|but)[, ]+){0,3}(?:for|in|inside|within|during|when|if)"
    r" (?!now on\b|(?:the )?future\b|general\b|fact\b|that case\b)[^,.;]{2,40}?,? (?:you|we)"
    r" (?:may|can|could)\b"
    r"|\b(?:nur (?:dieses (?:eine )?mal|heute|in|für|bei)|dieses eine mal|diesmal|sonst"
    r"|ausnahmsweise)\b"
    r"|\b(?:(?:juste |seulement )?cette fois|exceptionnellement|sinon|pour l'instant"
    r"|seulement (?:dans|pour))\b"
    r"|\b(?:(?:solo |por )?esta vez|excepcionalmente|por ahora|solo (?:en|para|por hoy)"
    r"|por lo demás)\b"
    r"|\b(?:(?:só )?d?esta vez|só (?:dessa|hoje|no|na|para)|fora isso|por enquanto|de resto)\b"
    r"|только (?:этот|в этот|сегодня|в|для)\b|в этот раз|в виде исключения"
    r"|[就只仅]?这一?次|仅此一次|其[他它](?:地方|情况|时候)?[还仍]|破例|暂时|今天"
    r"|今回(?:だけ|のみ|は)|이번만|이번에만",
    re.IGNORECASE,
)
