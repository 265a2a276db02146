"""The language of a text, by its script or its function words."""

import re

from amplihack_compaction.text.words import fold_case

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_LANGUAGE_WORDS = {
    "en": "the and is are to of that with this be not must never always should from have for you"
    " in on any all no don't it use when only before after without or if by as at every keep do an"
    " was were has have been can will which what how these they their then than out into about",
    "de": "der die das und ist nicht ein eine mit den für auf immer nie niemals sind wird keine"
    " bitte kein keinen werden dürfen soll müssen zu im vom von ohne nur auch sollen in bei bevor"
    " alles wenn dass oder aber noch nach mach mich ich wir du es sie dem als wie schreib"
    " schreibst alle jede jeder jedem dann doch lieber einen einem eines hat haben muss darf"
    " schon sollte",
    "fr": "le la les et est pas une des dans jamais toujours pour avec sur ne du qui vous il"
    " avant de sans doivent doit être au aux un que et ou mais si quand ce cette tout tous toute"
    " n'est n'utilise n'écris ne fais page fichier fichiers dossier finir on"
    " garde par elle nous leur",
    "es": "el los las es una del nunca siempre para con por que en se usa lo sin al"
    " la de hay no antes debe deben ser un nada dentro toques toca tocar usa uses usar cuando esto"
    " esta este todos todas cada carpeta archivo archivos favor hagas escribe escribir corregir del"
    " necesita módulo después si pero muy sobre nuevo nueva fallo las los",
    "pt": "os as uma não nunca sempre para com por que em do da no na um"
    " de antes deve devem ser cada arquivo arquivos pasta quero isso esse"
    " essa todos todas depois mas se quando sem rode apague testes dos das ao à"
    " pelo pela fazer faça crie novo nova migrar foi já são está ainda você",
}
LATIN = "latin"
"""A language in Latin letters that is not English; which one cannot be told."""
_ACCENT = re.compile(r"[à-öø-ÿ]")
_LEAST_WORDS = 2
_LANGUAGES = {name: frozenset(words.split()) for name, words in _LANGUAGE_WORDS.items()}
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[a-zà-ÿ]")
_SAMPLE_CHARS = 20_000


def certain_language(text: str) -> str:
    """Return the text's language as a code, or an empty string when it cannot be told.

    Scripts decide first; Latin text is told by its function words, or is `latin` where accents
    say no more than that it is not English. Only the first 20,000 characters are looked at.
    """
    sample = fold_case(text[:_SAMPLE_CHARS])
    counts = {
        "ja": len(_KANA.findall(sample)) * 3,
        "ko": len(_HANGUL.findall(sample)) * 3,
        "zh": len(_HAN.findall(sample)) * 2,
        "ru": len(_CYRILLIC.findall(sample)),
    }
    if counts["ja"]:
        counts["ja"] += counts["zh"]
        counts["zh"] = 0
    script, amount = max(counts.items(), key=lambda pair: pair[1])
    if amount and amount * 2 >= len(_LATIN.findall(sample)):
        return script
    votes = _votes(sample)
    (best, most), (_, second) = votes[:2]
    if most > second and (most[0] >= _LEAST_WORDS or best == "en"):
        return best
    is_foreign = _ACCENT.search(sample) is not None or most[0] >= _LEAST_WORDS
    return LATIN if is_foreign and dict(votes)["en"] == (0, 0) else ""


def language_of(text: str, fallback: str = "en") -> str:
    """Return the text's likeliest language as a code, the `fallback` where none is likelier."""
    found = certain_language(text)
    if found not in ("", LATIN):
        return found
    (best, most), (_, second) = _votes(fold_case(text[:_SAMPLE_CHARS]))[:2]
    return best if most > second else fallback


def _votes(folded: str) -> list[tuple[str, tuple[int, int]]]:
    """Return the languages in Latin letters, that of the most function words first."""
    words = _WORD.findall(folded)
    seen = set(words)
    votes = [(name, _vote(words, seen, known)) for name, known in _LANGUAGES.items()]
    return sorted(votes, key=lambda vote: vote[1], reverse=True)


def _vote(words: list[str], seen: set[str], known: frozenset[str]) -> tuple[int, int]:
    """Return how many of a language's words a text has, and how often."""
    return len(seen & known), sum(word in known for word in words)


def differ(left: str, right: str) -> bool:
    """Return whether two texts are in different languages; False where one cannot be told."""
    return are_foreign(certain_language(left), certain_language(right))


def are_foreign(left: str, right: str) -> bool:
    """Return whether two codes are of languages that differ for certain."""
    if LATIN in (left, right):
        other = right if left == LATIN else left
        return other not in ("", LATIN, "de", "fr", "es", "pt")
    return bool(left) and bool(right) and left != right
