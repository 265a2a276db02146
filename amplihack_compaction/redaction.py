"""Take secrets out of text before it is stored or injected (light: imports only `re`).

Vendors mark their keys with prefixes; those, passwords in URLs, private key blocks, bearer
headers and assignments to names that say "secret" are replaced by `[redacted:KIND]`. What stands
between `<private>` and `</private>` is left out whole.
"""

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MARK = re.compile(r"\[(?:redacted|left out):[^\]\n]{0,40}\]")
"""What stands in the place of a secret."""
_VENDORS = (
    ("anthropic-key", r"sk-ant-[A-Za-z0-9_-]{16,}"),
    ("openai-key", r"sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}"),
    ("github-token", r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"),
    ("gitlab-token", r"gl(?:pat|ptt|rt|dt|soat|cbt)-[A-Za-z0-9_.-]{16,}"),
    ("slack-token", r"xox[abposre]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}"),
    ("aws-key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    ("google-key", r"AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}"),
    ("npm-token", r"npm_[A-Za-z0-9]{30,}"),
    ("pypi-token", r"pypi-[A-Za-z0-9_-]{40,}"),
    ("huggingface-token", r"hf_[A-Za-z0-9]{20,}"),
    ("stripe-key", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{16,}"),
    ("sendgrid-key", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("digitalocean-token", r"do[opr]_v1_[a-f0-9]{40,}"),
    ("vault-token", r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
    ("age-key", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    ("jwt", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
)
_VENDOR = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    + "|".join(f"(?P<v{place}>{pattern})" for place, (_, pattern) in enumerate(_VENDORS))
    + ")"
)
# By what several of them hold: a text without that needs no look for each.
_VENDOR_HINTS = (
    ("-", ("sk-", "t-", "xapp-", "xox", "pypi-", "GOCSPX-", "AGE-SECRET")),
    ("gh", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")),
    ("_", ("_pat_", "npm_", "hf_", "_live_", "_test_", "whsec_", "_v1_")),
    ("hv", ("hvs.", "hvb.", "hvr.")),
    (".", ("ya29.", "SG.", "eyJ")),
    ("IA", ("AKIA", "ASIA", "ABIA")),
    ("A", ("ACCA", "AIza")),
)
_KEY_EDGE = re.compile(r"-----(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_URL_PASSWORD = re.compile(r"(://[^\s/:@\"'\\]{0,100}:)[^\s/@\"'\\]{1,200}(?=@)")
_BEARER = re.compile(r"(\b(?:Bearer|Basic|token)\s+)[A-Za-z0-9_.~+/=-]{20,}", re.IGNORECASE)
# Only what follows the telling word is matched; what stands before it is looked at afterwards,
# since a pattern that begins with "any name" would try every position of a text many times.
_ASSIGNMENT = re.compile(
    r"((?:passw(?:or)?d|passphrase|secret|token|api_?key|access_?key|account_?key|private_?key|credentials?)"
    r"[A-Za-z0-9_]{0,30}\\{0,3}[\"']?\s{0,3}(?::=|=>|[=:])\s{0,3}\\{0,3}[\"']?)"
    r"([^\s\"'\\,;)}\]]{6,400})",
    re.IGNORECASE,
)
_NAME_CHARS = 60
_NAME_END = re.compile(r"[A-Za-z0-9_]+\Z")
_HARMLESS_VALUE = re.compile(
    r"\[redacted|\$|<|\{|%|process\.env|os\.environ|env\.|none\b|null\b|true\b|false\b"
    r"|str\b|string\b|optional|x{3,}|\*{3,}|\.{3}|your[_-]|example|placeholder|changeme"
    r"|required|undefined",
    re.IGNORECASE,
)
_BEARER_WORDS = ("bearer", "basic", "token")
_ASSIGNED_WORDS = (
    "passw", "passphrase", "secret", "token", "apikey", "api_key", "accesskey", "access_key",
    "accountkey", "account_key", "privatekey", "private_key", "credential",
)  # fmt: skip
_LEAST_CHARS = len("://:x@")
# Names of files, commands and times come again and again in a session.
_SHORT_CHARS = 256
_CACHED_TEXTS = 4096
_KEY_MARK = "[redacted:private-key]"
_OPEN, _CLOSE = "<private>", "</private>"
_LOOKS_SECRET = re.compile(r"[0-9]")


def redact(text: str) -> str:
    """Return the text without its secrets; without any, the same text."""
    if len(text) < _LEAST_CHARS:
        return text
    return _redact_short(text) if len(text) <= _SHORT_CHARS else _redact(text)


def _redact(text: str) -> str:
    """Ask each pattern only where a word that it needs is there.

    Plain substring search is tens of times faster than the patterns, and most texts of a session
    have none of the words.
    """
    folded = text.casefold()
    if _OPEN in folded:
        text = _without_private(text)
    if _may_hold_key(text):
        text = _VENDOR.sub(_vendor_mark, text)
    if "PRIVATE KEY" in text:
        text = _without_private_keys(text)
    if "://" in text and "@" in text:
        text = _URL_PASSWORD.sub(r"\1[redacted:password]", text)
    text = _replace_at_words(_BEARER, _BEARER_WORDS, _bearer_mark, text, folded)
    return _replace_at_words(_ASSIGNMENT, _ASSIGNED_WORDS, _assignment_mark, text, folded)


_redact_short = lru_cache(maxsize=_CACHED_TEXTS)(_redact)


def redact_line(line: str) -> str:
    """Return a line of JSON without its secrets, still JSON; of other text, the same as `redact`.

    The line is taken apart: in raw JSON a key that begins a line of its text follows the letter
    of an escape, and a block of lines is a list of texts.
    """
    import json

    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return redact(line)
    clean = _redact_value(value)
    if clean == value:
        return line
    return json.dumps(clean, separators=(",", ":")) + ("\n" if line.endswith("\n") else "")


def _redact_value(value: "Any") -> "Any":
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return _redact_list(value)
    if isinstance(value, dict):
        return {redact(key): _redact_value(item) for key, item in value.items()}
    return value


def _redact_list(values: "list[Any]") -> "list[Any]":
    """Redact a list; of a list of texts, also what spans several of them, as lines of a file do."""
    if len(values) > 1 and all(isinstance(value, str) for value in values):
        whole = "\n".join(values)
        clean = redact(whole)
        return values if clean == whole else clean.split("\n")
    return [_redact_value(value) for value in values]


def _may_hold_key(text: str) -> bool:
    """Tell whether a vendor's key may be in a text; faster than the pattern by a hundred times."""
    for needed, hints in _VENDOR_HINTS:
        if needed in text:
            for hint in hints:
                if hint in text:
                    return True
    return False


def _replace_at_words(
    pattern: "re.Pattern[str]",
    words: "tuple[str, ...]",
    mark: "Callable[[re.Match[str]], str]",
    text: str,
    folded: str,
) -> str:
    """Replace what a pattern finds; it is tried only where one of its first words stands.

    `folded` is the text without case, as it was before the last replacement.
    """
    for word in words:  # a generator costs as much as the search itself
        if word in folded:
            break
    else:
        return text
    folded = text.casefold()
    if len(folded) != len(text):  # a few letters change their length with their case
        return pattern.sub(mark, text)
    starts: list[int] = []
    for word in words:
        start = folded.find(word)
        while start >= 0:
            starts.append(start)
            start = folded.find(word, start + len(word))
    parts, position = [], 0
    for start in sorted(starts):
        found = pattern.match(text, start) if start >= position else None
        if found is not None:
            parts.append(text[position:start] + mark(found))
            position = found.end()
    return "".join(parts) + text[position:] if parts else text


def _without_private(text: str) -> str:
    """Leave out what stands in `<private>` tags; one that is never closed reaches to the end."""
    folded = text.lower()
    if len(folded) != len(text):  # a few letters change their length with their case
        folded = text
    parts, position = [], 0
    while (start := folded.find(_OPEN, position)) >= 0:
        parts.append(text[position:start] + "[left out: private]")
        end = folded.find(_CLOSE, start)
        position = len(text) if end < 0 else end + len(_CLOSE)
    return "".join(parts) + text[position:]


def _without_private_keys(text: str) -> str:
    """Replace key blocks; one that does not end, or not before a quote, reaches to there."""
    parts, position, begin = [], 0, -1
    for edge in _KEY_EDGE.finditer(text):
        if edge.group(1) == "BEGIN":
            if begin < 0:
                begin = edge.start()
        elif begin >= position:
            parts.append(text[position:begin] + _KEY_MARK)
            position, begin = edge.end(), -1
    if begin >= position:
        quote = text.find('"', begin)
        parts.append(text[position:begin] + _KEY_MARK)
        position = quote if quote >= 0 else len(text)
    return "".join(parts) + text[position:]


def _vendor_mark(found: re.Match[str]) -> str:
    place = int((found.lastgroup or "v0")[1:])
    return f"[redacted:{_VENDORS[place][0]}]"


def _bearer_mark(found: re.Match[str]) -> str:
    return f"{found.group(1)}[redacted:bearer]"


def _assignment_mark(found: re.Match[str]) -> str:
    """Redact an assigned value unless it is code, a placeholder or a plain word.

    `password: Optional` and `token = get_token` are no secrets; a password of letters alone is
    taken for one only where the assignment is in the style of an env file.
    """
    name, value = found.group(1), found.group(2)
    counts = value.isdigit() and name[:5].lower() != "passw"  # as in "output_tokens": 12345
    if counts or _HARMLESS_VALUE.match(value) or "(" in value:
        return found.group()
    before = found.string[max(0, found.start() - _NAME_CHARS) : found.start()]
    assigned, equals, _ = (before + name).rpartition("=")
    assigned_name = _NAME_END.search(assigned.rstrip(" :"))
    env_style = bool(equals) and assigned_name is not None and assigned_name.group().isupper()
    if not env_style and not _LOOKS_SECRET.search(value):
        return found.group()
    return f"{name}[redacted:assigned]"
