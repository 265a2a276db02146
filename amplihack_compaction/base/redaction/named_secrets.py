"""Secrets that are told by what stands around them: a name, an option of a command, an address.

Plain substring search finds the telling words; only what stands around one is matched, within some
hundred characters, so that the time grows with the text and no faster. A value is a secret where
it looks like one for that name: `token = tokens[0]`, a path, a placeholder and a plain word do not.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from string import ascii_letters, digits

from amplihack_compaction.base.redaction.user_patterns import Span

_Shape = tuple[str, str, str, Callable[[str], bool]]
ASSIGNED, BEARER, PASSWORD, COMMAND = KINDS = ("assigned", "bearer", "password", "command")
# What begins a telling name, without case. `key` tells only with a word before it that says whose.
_STEMS = (
    "pass", "secret", "token", "key", "credential", "pw", "auth", "signature", "psk", "signing",
    "salt", "_pat", "appid", "nøkkel", "schlüssel", "clé",
    "ключ", "密钥", "密鑰",
    "kennwort", "contrase", "clave", "senha", "wachtwoord", "heslo", "parol", "salasana",
    "adgangskode", "hasło", "парол", "密码", "密碼",
    "パスワード", "비밀번호", "암호", "lösenord",
    "şifre", "mật khẩu", "jelszó", "κωδικό",
    "كلمة", "סיסמ", "पासवर्ड",
)  # fmt: skip
_ASCII_STEMS = tuple(stem for stem in _STEMS if stem.isascii())
_PASSWORDS = (
    r"pass(?:w(?:or[dt]|d)s?|or[dt]|phrases?|codes?|e)?|pwd?|psk|kennwort|contrase(?:ñ|n)a|senha"
    r"|clave(?:\s(?:secreta|de\sacceso))?|wachtwoord|heslo|parol[ăae]?|salasana|adgangskoden?"
    r"|hasło|парол[ья]|密[码碼]"
    r"|パスワード|비밀번호|암호|lösenord(?:et)?"
    r"|şifre|mật\skhẩu|jelszó|κωδικός"
    r"|كلمة\s(?:المرور|السر)"
    r"|סיסמ[הא]|पासवर्ड"
)
_NAME = (
    rf"(?:(?P<pass>{_PASSWORDS})|secrets?|tokens?|credentials?|signature|auth(?:orization)?|key"
    r"|signing|salt|_pat|appid|nøkkel|schlüssel|clé|ключ"
    r"|密[钥鑰])"
)
_IS = (
    r"\s(?:is|to|was|ist|lautet|est|es|é|è|jest|är|er|on|van|—|–|->|→)\s{1,2}"
    r"|\s?(?:是|为|は|는|은)\s?"
)
_NAMED = (
    rf"{_NAME}(?P<rest>[A-Za-z0-9_.-]{{0,40}}+)"
    r"(?:(?P<assign>\\{0,3}(?:[\"'`\]]{0,2}|`?\*{1,2})\s{0,3}"
    r"(?::=|=>|<<<|={1,3}|:\s?&?\w[\w.?<>]{0,20}\s?=|[:：＝])"
    # Emphasis that ends there: `**Password:** ...`.
    r"(?:(?:\*{1,2}|_{1,2}|</[a-z]{1,6}>)(?=\s))?(?:[ \t]{4,30}|\s{0,3}))"
    # What an interpreter answers to a name.
    r"|(?P<answer>[\"'`\])]{0,3}\n(?:=> )?(?=[\"']))"
    r"|(?P<call>\\?[\"']?\s?,\s?(?=\\?[\"'](?!value\\?[\"'])))"
    r"|(?P<tag>[\"']?\s?>\s{0,9}(?:<[a-z]{1,20}>\s{0,9})?|</key>\s{0,9}<string>"
    r"|\\?[\"'](?:\s[a-z]{1,9}=\\?[\"'][^\"'<>\n]{0,40}[\"']){0,2}\s(?:value|content)=(?=\\?[\"']))"
    r"|(?P<pair>\\?[\"'`]?(?:,?[\s*-]{1,20}|,|:\s?\{[^{}]{0,80}\W)\\?[\"']?value(?:\\?[\"'*]){0,2}\s{0,2}[:=]\*{0,2}"
    r"\s{0,2}"
    r"|[\"']\s\{[^{}\"']{0,80}\bdefault\s{0,9}=\s{0,3})"
    rf"|(?P<is>{_IS})|(?P<blank>[ \t]{{1,4}}))"
    # What is taken where the environment has none.
    r"(?:(?:process\.|import\.meta\.)?env[\w.]{1,60}\s{1,2}(?:\|\||\?\?)\s{1,2}(?=[\"'`]))?"
    r"(?:(?:Basic|Bearer|Token|ApiKey|Key|Digest)\s{1,2}|(?<=uthorization: )[a-z-]{2,20}\s{1,2}"
    r"|[|>][+-]?\s{1,20}|\s{0,20}-\s|[(\[]\s{0,20}(?=\\{0,3}[\"']))?"
    # A quote with a backslash ends at the next one with a backslash.
    r"(?P<escaped>\\{1,3})?(?:(?P<quote>[\"'`])(?:(?:Basic|Bearer|Token|ApiKey|Key)\s{1,2})?"
    r"(?P<quoted>(?:(?!(?P=quote))[^\\\n]|\\(?(escaped)(?!(?P=quote))).){4,400})"
    r"|(?P<bare>(?:[^\s\"'`\\,;)}\]<>。]|[)}](?=\w)){4,400}))"
)
_NAME_CHARS = f"{ascii_letters}{digits}_.-"
_BEFORE_CHARS = 60
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
# Whose key it is; any other key is one of a table, of a keyboard or of a list.
_OF_KEYS = frozenset(
    "api apikey access account instrumentation secret private preshared shared encryption crypto"
    " signing sign fernet master auth app application subscription service admin hmac jwt aes"
    " session client deploy license webhook storage server publishable integration ingest write"
    " read functions".split()
)
# What names something about a secret that looks drawn as well, and is none.
_ABOUT = frozenset(
    "url uri file path name names id ids type kind header ref arn hash hashes hasher digest version"
    " class cookie".split()
)
_ABOUT_BEFORE = frozenset(
    "max min num n no is has pad eos bos sep cls mask unk next prev page continuation public"
    " primary foreign cache sort partition prompt completion output input total count unexpected"
    " invalid expected special stop start end first last".split()
)
_BESIDE = frozenset(
    "s prod production dev development staging stage live test base value new old default main"
    " key string data raw primary secondary current b64 base64 plain text".split()
)
_HARMLESS = re.compile(
    r"(?:\.{1,2}|~|[A-Za-z]:)[/\\]|\[[^\]]*\]?\Z"
    r"|\[(?:redacted|left out)|\$\{?[A-Za-z_][\w.:-]*\}?\Z|\$[({]|<[^<>]*>?\Z"
    r"|\{+[^}]*\}*\Z|%\w+%\Z|%[(sdv]|@|!|process\.env|os\.environ|env[.:(]|none\b|null\b|nil\b|true|false|str\b"
    r"|string\b|optional|(?:test|fake|mock|dummy|sample)[_-][a-z]|(?:[a-z_]{1,12}[_-])?x{3,}|#[0-9a-f]{3,8}\Z|\*{3,}|\.{3}"
    r"|your[_-]|<?my[_-]|example|placeholder|change_?me|required|undefined|todo\b|dummy|redacted|hidden|masked|arn:"
    r"|vault:|[a-z][a-z0-9+.-]{1,20}://|[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|(?:base64(?!:)|sha-?[0-9]|md5(?![0-9a-f]{32})|[bs]crypt|argon2|oauth|utf-?8|rfc[0-9]|[rhep]s(?:256|384|512)|saml|x509"
    r"|oidc|ed25519|aes-?[0-9]|http|python[0-9])",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"[+~-]?[0-9](?:[0-9.,:_/%+-]*|(?=.{0,12}\Z)[0-9.,:_/%+a-zA-Z-]*[a-zA-Z]{1,6})\Z"
)
_DIGIT = re.compile(r"\d")
# Digits behind letters, which no number with its unit has.
_RESUMED = re.compile(r"[0-9]+[a-zA-Z]+[0-9][0-9a-zA-Z]*\Z")
_PATH = re.compile(
    r"(?:\.{1,2}|~|[A-Za-z]:)?[/\\][\w.@/\\-]*\Z"
    r"|[\w./\\-]+\.(?:pem|key|crt|cer|txt|json|ya?ml|env|py|[jt]sx?|md|toml|ini|cfg|conf|gpg|p12|pfx"
    r"|jks|sh|go|rs|rb|java|html?|log)\Z"
)
_RELATIVE = re.compile(r"[a-z0-9_.-]{1,40}(?:/[\w.#-]{1,40})+/?\Z")
_CHAIN = re.compile(r"[$\w]+(?:(?:\??\.|::|->)[A-Za-z_]\w*)+;?\Z")
_CODE = re.compile(r"[\[(]|::|->|=>|!=|\|\||&&|\.\.\.")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\Z")
_PLAIN = re.compile(r"[^@/\s]+\Z|(?=.*[A-Z])[A-Za-z0-9+/]+=*\Z|.* ")
# A piece of a value behind the first one, and how many of them are followed.
_PIECE = re.compile(
    r"(?:[\"']\s{0,3}[+,.]?\s{0,40}[\"']|\\?\r?\n[ \t]{0,12})([A-Za-z0-9_+/-]{16,400}={0,2})"
)
_MOST_PIECES = 20
# So many telling names in one value are no text that anybody wrote; it goes as a whole.
_MOST_NAMES = 12
# What begins so far from a secret's end may reach beyond it.
_NAME_AND_VALUE_CHARS = 40
_CALLS = ("hmac", "aes.", "jwt", "crypt", "auth", "connect", "credential")
# The value that comes in the place of a secret, as a plan of changes shows it.
_CHANGED = re.compile(r"[\"']\s{1,3}[-=]>\s{1,3}[\"']([^\"'\n]{4,400})[\"']")
# In a cluster's secret every value is one, whatever its name.
_MANIFEST = re.compile(r"^ {0,20}(?:string)?data:\s*\n((?:^ .*\n?){1,100})", re.I | re.M)
_ENTRY = re.compile(r"^ {1,20}[\w.-]{1,60}: [\"']?([^\s\"'{}\[\]|>$<]{6,})", re.M)
_BLANKS = ("", " ", "\n", "\t", "(")
# What a sentence about a secret ends with, or announces.
_NEAR = re.compile(
    r"[^\n:>={}()\[\]\"`/]{3,80}(?:[:：—]|[-=]>)\s{1,4}[\"'`]?([A-Za-z0-9+/_-]{24,200}={0,2})(?![\w./(\[])"
)
# "Here is your encryption key:", and it alone in a block of code.
_FENCED = re.compile(
    r"[^\n:`]{2,80}:\*{0,2}\s{1,4}```[a-z]{0,10}\s{0,2}\n([A-Za-z0-9+/_-]{24,400}={0,2})\s{0,2}\n"
)
# "The password for the test server is X", in the languages of the words above.
_TOLD = (
    rf"(?:{_PASSWORDS})[^\n\t\\:：=(){{}}\[\]\"`<>/]{{0,60}}?(?:{_IS}|\s?(?::\s{{1,2}}|：\s?))"
    r"[\"'`「“«]?([^\s\"'`,;。，、<>(){}\[\]「」”»/:=]{8,64})"
)
_CHOSEN = re.compile(
    r"(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?:.*[A-Za-z][0-9][a-z]|.*[!#$%&*?@^]|.*[a-z][-_][0-9]{2,}\Z)"
)
_DRAWN_ALONE = frozenset({"auth", "signature", "signing", "salt", "_pat", "appid"})
_IS_PASSWORD = re.compile(_PASSWORDS, re.IGNORECASE)
# As far as a sentence and the value that it tells may reach; without a digit there it tells none.
_SENTENCE_CHARS = 520
_LONG_CHARS = 16
_LEAST_CHARS = 6
_FEW_DIGITS = 2


def around_spans(text: str, folded: str) -> Iterator[Span]:
    """Yield the secrets that are told by what is around them; `folded` is the text without case.

    Each search is made only where a word that it needs is there: that is tens of times faster.
    """
    if len(folded) != len(text):  # a few letters change their length with their case
        folded = text
    for word, shapes in _shapes(with_options=" -" in text or " /p:" in text).items():
        if word in folded:
            for shape in shapes:
                yield from _in_shape(shape, text, _places(folded, [word]))
    if "kind: secret" in folded or "kind: sealedsecret" in folded:
        yield from _in_manifests(text)
    yield from _at_names(text, folded)


@lru_cache(maxsize=1024)
def may_name_secret(name: str) -> bool:
    """Return whether what is assigned to a name may be a secret by that name."""
    folded = name.casefold()
    return any(stem in folded for stem in _STEMS)


def _at_names(text: str, folded: str) -> Iterator[Span]:
    """Yield the secrets behind or before a telling name."""
    stems = [stem for stem in (_ASCII_STEMS if text.isascii() else _STEMS) if stem in folded]
    if not stems:
        return
    pattern = _compiled(_NAMED, re.IGNORECASE)
    inside, taken, value_end, digit = 0, 0, 0, -1
    for start in sorted(_places(folded, stems)):
        if start < taken:
            continue
        found = pattern.match(text, start)
        if found is not None:
            span = _span_of(found, text)
            inside = inside + 1 if start < value_end else 0
            value_end = found.end()
            if span is None and inside == _MOST_NAMES:
                span = (start, value_end, ASSIGNED)
            if span is not None:
                yield span
                inside, taken = 0, span[1] - _NAME_AND_VALUE_CHARS
                changed = _CHANGED.match(text, span[1])
                if changed is not None:
                    yield (*changed.span(1), ASSIGNED)
        if digit < start:
            digit = following.start() if (following := _DIGIT.search(text, start)) else len(text)
        yield from _told(text, start, has_digit_behind=digit <= start + _SENTENCE_CHARS)


def _told(text: str, start: int, *, has_digit_behind: bool) -> Iterator[Span]:
    """Yield what a sentence with a telling name calls by it, before and behind the name."""
    if text[start - 1 : start] == " " and (span := _said_before(text, start)) is not None:
        yield span
    if has_digit_behind:
        yield from _announced(text, start)
        told = _compiled(_TOLD, re.IGNORECASE).match(text, start)
        if told is not None and _CHOSEN.match(told[1]) and not _HARMLESS.match(told[1]):
            yield told.start(1), told.start(1) + len(told[1].rstrip(".!?")), ASSIGNED


def _announced(text: str, start: int) -> Iterator[Span]:
    """Yield what a sentence with a telling name announces, also alone in a block of code."""
    if text[start - 1 : start] in _BLANKS and (near := _NEAR.match(text, start)):
        value = near.group(1)
        if _is_drawn(value) and not (value.islower() or value.isupper()):
            yield (*near.span(1), ASSIGNED)
    fenced = _FENCED.match(text, start)
    if fenced is not None and _is_drawn(fenced[1]):
        left = text[max(0, start - _BEFORE_CHARS) : start]
        before = _name_at_end(left)
        parts = [part.lower() for part in _PARTS.findall(before)]
        is_key = text[start : start + 3].lower() == "key"
        if not is_key or _likelihood_of_key(before, parts, left) > 1:
            yield (*fenced.span(1), ASSIGNED)


def _in_manifests(text: str) -> Iterator[Span]:
    """Yield the values of a cluster's secrets that look like one."""
    for data in _MANIFEST.finditer(text):
        for entry in _ENTRY.finditer(text, *data.span(1)):
            if _is_drawn(entry[1]):
                yield (*entry.span(1), ASSIGNED)


def _places(folded: str, words: Iterable[str]) -> list[int]:
    finders = (_compiled(re.escape(word)).finditer(folded) for word in words)
    return [found.start() for finder in finders for found in finder]


def _span_of(found: re.Match[str], text: str) -> Span | None:
    """Return the secret that a telling name is followed by, if it is one."""
    start = found.start()
    left = text[max(0, start - _BEFORE_CHARS) : start]
    before = _name_at_end(left)
    word = found.group()[: found.start("rest") - start]
    name, rest = before + word, found.group("rest")
    likely = _likelihood(before, word, rest, left) if _begins_word(before, word) else 0
    if word.lower() == "signature" and found.group("assign") != "=":
        return None  # of a function, of a message of the model
    if word.lower() == "appid" and left[-1:] not in ("?", "&"):
        return None  # only in an address it is mostly a key
    if (found.group("call") or "'")[0] in ", " and left[: len(left) - len(before)][-1:] != ":":
        return None  # of the arguments of a call only a symbol names the next
    group = "quoted" if found.group("quoted") else "bare"
    value = found.group(group)
    if group == "bare" and "&" in value:
        value = _compiled(r"&[\w.-]{1,30}=").split(value)[0]
    if not likely or not _is_secret(found, name + rest, value, left, likely):
        return None
    begin = found.start(group)
    shown = value.rstrip(".:!?|") if group == "bare" else value
    end = begin + len(shown)
    may_go_on = len(shown) >= _LONG_CHARS and shown.isprintable() and " " not in shown
    return begin, _end_of_pieces(text, end) if may_go_on else end, ASSIGNED


def _end_of_pieces(text: str, end: int) -> int:
    """Return where a value ends that goes on in further texts of a list, or on further lines."""
    for _ in range(_MOST_PIECES):
        piece = _PIECE.match(text, end)
        if piece is None or not (_has_digit(piece[1]) and _has_few_words(piece[1])):
            break  # a short piece may have no more digits than one
        end = piece.end()
    return end


def _name_at_end(left: str) -> str:
    return left[len(left.rstrip(_NAME_CHARS)) :]


def _begins_word(before: str, word: str) -> bool:
    """Return whether a telling word is no end of another one, as in `bypass` and `monkey`."""
    if (
        not before[-1:].isalpha()
        or word[0] == "_"
        or (word[0].isupper() and not before[-1:].isupper())
    ):
        return True
    whose = before.lower()
    return (
        len(word) > len("credit")
        or word.lower() in ("token", "secret")
        or whose.endswith(("api", "access", "ssh", "require", "secret", "private", "master"))
    )


def _likelihood(before: str, word: str, rest: str, left: str) -> int:
    """Return 0 where a name tells of no secret, 1 where its value has to look drawn, else 2."""
    if rest[:1].islower() and not rest.startswith("s_") and rest != "s":
        return 0  # another word, as `tokenizer`
    parts = [part.lower() for part in _PARTS.findall(before)]
    after = [part.lower() for part in _PARTS.findall(rest)]
    if not _ABOUT.isdisjoint(after) or not _ABOUT_BEFORE.isdisjoint(parts):
        return 0
    if word.lower() == "key":
        return _likelihood_of_key(before, parts, left)
    if word.lower() in _DRAWN_ALONE or not (word.isascii() or _IS_PASSWORD.match(word)):
        return 1
    return 2 if all(part in _BESIDE or part.isdigit() for part in after) else 1


def _likelihood_of_key(before: str, parts: list[str], left: str) -> int:
    if before.isupper() and before[-1:] == "_":
        return 2 if parts and parts[-1] in _OF_KEYS else 1
    whose = parts[-1] if parts else left.rstrip(" ").rpartition(" ")[2].strip("*`").lower()
    if whose in _OF_KEYS:
        return 2
    return 1 if left[-1:] in ("?", "&") or whose.endswith(("secret", "token")) else 0


def _is_secret(found: re.Match[str], name: str, value: str, left: str, likely: int) -> bool:
    """Return whether a value is a secret, and not code, a placeholder, a path or a plain word."""
    if not _has_digit(value) and not (found.group("pass") and _is_signed(found.group("quoted"))):
        is_let = likely > 1 and _is_of_environment(found, name)
        return is_let and not _is_harmless(found, name, value)
    if _is_harmless(found, name, value) or (found.group("assign") == ":" and left[-1:] == ":"):
        return False  # or a part of a longer name, as in `arn:aws:...:secret:name-1`
    value = value.rstrip(".:!?|")
    if found.group("answer"):
        return _is_drawn(value)
    if found.group("blank"):
        return _is_said(found, value, left, likely)
    if likely < 2 or _is_drawn(value):
        return _is_drawn(value)
    if found.group("is") or not name.isascii():
        return _is_mixed(value) and value[:_LEAST_CHARS].isascii()
    return True


def _is_signed(value: str | None) -> bool:
    """Return whether a text in quotes is mixed with signs as no word and no expression is."""
    return (
        value is not None
        and re.fullmatch(r"[^\s$<>(){}\[\]/.,:;=_-]{8,64}", value) is not None
        and re.search(r"[!#%^*?&@~+][A-Za-z]", value) is not None
        and not (value.islower() or value.isupper())
    )


def _is_harmless(found: re.Match[str], name: str, value: str) -> bool:
    """Return whether a value is none that a secret could have."""
    is_password = bool(found.group("pass"))
    is_path = _PATH.match(value) is not None
    if not is_path or value[0].isalnum():
        is_path = is_path or _RELATIVE.match(value) is not None
        # A password of letters alone may have a path behind it, where it is part of one.
        is_path = is_path and (_has_digit(value) or not is_password)
    if _HARMLESS.match(value) or (is_path and not _is_drawn(value)):
        return True
    if not found.group("quoted") and _is_code(found, name, value):
        return True
    value = value.rstrip(".:!?|")
    least = 2 * _LEAST_CHARS - 4 if name[-2:].lower() == "pw" else _LEAST_CHARS
    if len(value) < least or _repeats_name(found, value):
        return True
    if _NUMBER.match(value) and not (is_password and (value.isdigit() or _RESUMED.match(value))):
        return True
    return " " in value and not (is_password or "secret" in name.lower())


def _is_code(found: re.Match[str], name: str, value: str) -> bool:
    """Return whether a value without quotes is an expression, or the name of a kind of token."""
    assign = found.group("assign") or ""
    if (_CODE.search(value) and not _is_of_environment(found, name)) or "==" in assign:
        return True
    if _CHAIN.match(value) and not (_is_drawn(value) or (assign == "=" and name.isupper())):
        return True
    return value.isupper() and value[:-1].isalpha() and not found.group("pass")


def _is_of_environment(found: re.Match[str], name: str) -> bool:
    """Return whether it is assigned as in an env file, where a plain word may be a password."""
    return (found.group("assign") or "").strip("\"'` :") == "=" and name.isupper()


def _repeats_name(found: re.Match[str], value: str) -> bool:
    """Return whether a value is a name again: `password=password1_field`, `token = token2`."""
    word = found.group()[: found.start("rest") - found.start()].lower().rstrip("s")
    rest = value.lower().removeprefix(word)
    if len(rest) == len(value):
        return re.fullmatch(rf"[a-z]+(?:_[a-z]+)*_{word}[0-9]?", value.lower()) is not None
    return re.fullmatch(r"[0-9]?|[0-9]{0,4}[_.-]?[a-z_.-]+[0-9]?", rest) is not None


def _is_said(found: re.Match[str], value: str, left: str, likely: int) -> bool:
    """Return whether what follows a name behind a blank is its value."""
    if not _PLAIN.match(value):
        return False
    if _is_drawn(value):
        return not _UUID.match(value)
    option, is_password = _name_at_end(left), bool(found.group("pass"))
    if likely < 2 or not _is_mixed(value) or "/" in value:
        return False
    if option.startswith("--") or option.lower() == "require":
        return True
    word = found.group()[: found.start("rest") - found.start()].lower()
    if is_password and (found.group("quote") or (word[4:] and _is_strong(value.rstrip(".:!?|")))):
        return True
    account = _compiled(r"\b(?:login|user(?:name)?)\s{1,4}\S+\s{1,9}\Z")
    return is_password and account.search(left.removesuffix(option)) is not None


def _said_before(text: str, start: int) -> Span | None:
    """Return what is called by a telling name behind it: `hunter2-x9Q is the password`."""
    words = text[max(0, start - 2 * _BEFORE_CHARS) : start].split(" ")[:-1]
    for place in range(len(words) - 1, max(len(words) - 4, 1), -1):
        if words[place].lower() in _OURS and words[place - 1].lower() in ("as", "is", "for"):
            break
    else:
        return None
    value = words[place - 2].strip("\"'`(),")
    is_key = text[start : start + 3].lower() == "key"
    if is_key and not (_is_drawn(value) or words[-1].lower() in _OF_KEYS):
        return None
    if len(value) < 2 * _LEAST_CHARS - 4 or not _is_mixed(value) or not value.isprintable():
        return None
    if _HARMLESS.match(value) or _PATH.match(value) or _RELATIVE.match(value):
        return None
    if _CHAIN.match(value) or _UUID.match(value):
        return None
    end = start - sum(len(word) + 1 for word in words[place - 1 :])
    begin = text.rfind(value, max(0, end - 2 * _BEFORE_CHARS), end)
    return None if begin < 0 or _CODE.search(value) else (begin, begin + len(value), ASSIGNED)


_OURS = ("the", "my", "our", "your", "a", "an")


def _has_digit(value: str) -> bool:
    return _DIGIT.search(value) is not None


def _is_mixed(value: str) -> bool:
    """Return whether a value has digits and letters, and is no name with a number behind it."""
    if not _has_digit(value) or not any(sign.isalpha() for sign in value):
        return False
    return re.fullmatch(r"[a-z_-]+[0-9]|v[0-9.]+|[a-z]+_[a-z0-9_]+", value) is None


def _is_strong(value: str) -> bool:
    """Return whether a value is what rules for passwords ask for, and no name with a number."""
    return (
        len(value) >= 2 * _LEAST_CHARS - 4
        and not value.islower()
        and not value.isupper()
        and re.fullmatch(r"[A-Za-z]+[0-9]{1,2}|[\w-]*[./][\w./-]*", value) is None
    )


def _is_drawn(value: str) -> bool:
    """Return whether nobody would choose a value: long, without blanks, of letters and digits."""
    if len(value) < _LONG_CHARS or " " in value:
        return False
    digits = sum(sign.isdigit() for sign in value)
    if digits < _FEW_DIGITS or digits == len(value):
        return False
    return _has_few_words(value)


def _has_few_words(value: str) -> bool:
    """Return whether at most half of a value are words or numbers of their own."""
    long_words = sum(map(len, re.findall(r"[a-z]{6,}|[A-Z]{6,}", value)))
    pieces = re.split(r"[^A-Za-z0-9]+", value)
    words = [piece for piece in pieces if re.fullmatch(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+", piece)]
    return max(long_words, sum(map(len, words))) * 2 <= len(value)


_AUTHORITY = re.compile(r"[0-9]{0,5}(?:/|\Z)")


def _is_of_address(value: str) -> bool:
    """Return whether what stands for a password in an address is one, also with a slash in it."""
    if (value.isupper() and may_name_secret(value)) or "[redacted:" in value:
        return False
    return "/" not in value or not _AUTHORITY.match(value)


def _is_credential(value: str) -> bool:
    """Return whether what follows the scheme of a header is no word."""
    is_drawn = value.isalnum() and not (value.islower() or value.istitle())
    return (_has_digit(value) or is_drawn) and _has_few_words(value)


def _is_argument(value: str) -> bool:
    """Return whether only a key or a password looks so, of what encrypts or logs in."""
    if _HARMLESS.match(value) or _CODE.search(value) or _UUID.match(value):
        return False
    return _is_drawn(value) or (_has_digit(value) and _is_strong(value))


_SET = r"(?P<q>['\"]?)(?P<v>(?![$<({-])[^\s'\"]{4,200})(?P=q)"
_PAIR = (
    r"['\"]?(?:[^\s:'\"]{1,99}:(?=[^\s'\"]))?(?P<v>(?!\$)"
    r"(?:(?<=:)[^\s'\"]{3,200}|[^\s:'\"]{16,99}(?=:(?:['\"\s]|\Z))))"
)
# The word of a command, and how a secret is among what follows it on its line.
_COMMANDS = {
    "mysql": rf"\s-p{_SET}", "mariadb": rf"\s-p{_SET}", "sshpass": rf"\s-p\s?{_SET}",
    "login": rf"\s-p\s?(?![0-9]+\b){_SET}", "freerdp": rf"\s/p:{_SET}",
    "mongo": rf"\s-p\s?{_SET}", "zip": rf"\s-P\s?{_SET}",
    "7z": rf"\s-p{_SET}", "sqlcmd": rf"\s-P\s?{_SET}", "redis-cli": rf"\s-a\s{_SET}",
    "ldap": rf"\s-w\s?{_SET}", "curl": rf"\s(?:-u|--user|-U|--proxy-user)\s?{_PAIR}",
    "http": rf"\s(?:-a|--auth)\s{_PAIR}",
    "smb": r"\s-U\s?['\"]?[^\s%'\"]{1,99}%(?P<v>[^\s'\"]{3,200})",
    "openssl": rf"(?:\bpass:|\s-k\s){_SET}",
    "ssh-keygen": rf"\s-N\s?{_SET}", "htpasswd": rf"\s-\w{{0,4}}b\w{{0,4}}\s\S+\s\S+\s{_SET}",
    "keytool": rf"\s-(?:store|key|srcstore|deststore)pass(?:word)?\s{_SET}",
    "secret set": rf"\s(?:-b|--body)[\s=]{_SET}",
}  # fmt: skip
_BEHIND_NAME = r"\s\S{1,40}\s/\s(?P<v>(?=\S*[0-9])(?=\S*[A-Za-z])[^\s/,]{8,64})"
# Words that are followed by it at once.
_LOGINS = {
    "identified by": rf"\s{_SET}", "vault login": rf"\s{_SET}", "wandb login": rf"\s{_SET}",
    "securestring": rf"\s(?:-string\s)?(?=['\"]){_SET}",
    "net use": rf"\s\S{{1,99}}(?:\s\\\\\S{{1,200}})?(?:\s/user:\S{{1,99}})?\s(?!/){_SET}",
    "jdbc:oracle": r":\w{2,5}:[^\s/:@]{1,64}/(?P<v>[^\s/@]{3,99})@",
    "log in as": _BEHIND_NAME, "log in with": _BEHIND_NAME,
    "sqlplus ": r"(?:-\w\s)?[^\s/:@]{1,64}/(?P<v>[^\s/@]{3,99})@",
    "mc alias": rf"\sset\s\S+\s\S+\s\S+\s{_SET}",
}  # fmt: skip
_LINE = r"(?:[^\n|;&\\]|\\\n?){0,400}+"
_BEARER = r"(?i)(?:Bearer|Basic|token)\s+(?P<v>[A-Za-z0-9_.~+/=-]{20,})"
_COOKIE_VALUE = r"[\w.-]{0,60}=(?P<v>[^\s;,\"'\\]{6,4000}+)"
_CALL = r"[\w.:]{0,40}(?:\s?=?\s?\(|\s(?=['\"]))([^()\n]{12,300})"
_PHRASE = (
    r"(?i)(?:phrase|mnemonic|words)[\"'`]?\s?(?:[:=]|\bis\b)\s{0,3}[\"'`]?"
    r"(?P<v>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})"
)
_CODES = (
    r"(?i)\w{4,8} codes?(?: are)?\s?:?\s{1,4}"
    r"(?P<v>(?:(?=[a-z-]{0,11}[0-9])[a-z0-9-]{6,12}[\s,]{1,4}){1,20}(?=[a-z-]{0,11}[0-9])[a-z0-9-]{6,12})"
)
# Host, port, database and user, as the clients of PostgreSQL have them.
_PGPASS = (
    r"(?m)^(?:[\w.-]{1,100}|\*):(?:[0-9]{2,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:(?P<v>[^\s:]{4,200})$"
)
# What is private in a key as JSON has it.
_WEB_KEY = r'"(?:d|p|q|dp|dq|qi|k)\\?"\s{0,4}:\s{0,4}\\?"(?P<v>[A-Za-z0-9_-]{16,2000})'
_PIPED = (
    r"(?i)(?:echo|printf)\s(?:-n\s)?(?P<q>['\"]?)(?P<v>(?!\$)[^\s'\"|]{4,200})(?P=q)\s{0,3}\|"
    r"[^\n|]{0,200}?(?:sudo -s|password-stdin)"
)
_EVERYWHERE, _HERE = "everywhere", "here"


@cache
def _shapes(*, with_options: bool) -> dict[str, list[_Shape]]:
    """Return by the word that it needs each shape: `(where, pattern, kind, is_secret)`.

    Where the word is, the group `v` of the pattern is a secret of that kind, if it looks like one:
    it is looked for everywhere, here, from the word on, or in what another pattern matches there
    (in its group, if it has one).
    """
    address = r"://[^\s/:\"'\\<>]{0,100}:(?P<v>[^\s\"'\\<>@]{1,200}(?:@[^\s\"'\\<>@/]{1,40})?)@(?=[\w\[.-])"
    alone = r"://(?P<v>[^\s/:@\"'\\<>]{16,200})@(?=[\w\[.-])"
    cookies, to_end = ("cookie: ", "cookie = "), r".{0,8000}"
    phrases = ("seed phrase", "recovery phrase", "mnemonic")
    argument = r"(?P<q>['\"])(?P<v>[^\s'\"\\]{8,200})(?P=q)"
    rows: list[tuple[Iterable[str], _Shape]] = [
        (["://"], (_EVERYWHERE, address, PASSWORD, _is_of_address)),
        (["://"], (_EVERYWHERE, alone, PASSWORD, _is_drawn)),
        ([":5432:", ":*:"], (_EVERYWHERE, _PGPASS, PASSWORD, bool)),
        (["bearer", "basic", "token"], (_HERE, _BEARER, BEARER, _is_credential)),
        (cookies, (to_end, _COOKIE_VALUE, ASSIGNED, _is_drawn)),
        (cookies, (to_end, rf"(?i)(?:sess|auth){_COOKIE_VALUE}", ASSIGNED, _is_mixed)),
        (["sudo -s", "password-stdin"], (_EVERYWHERE, _PIPED, COMMAND, bool)),
        (_CALLS, (_CALL, argument, ASSIGNED, _is_argument)),
        (phrases, (r"(?s).{0,300}", _PHRASE, ASSIGNED, bool)),
        (["backup code", "recovery code"], (_HERE, _CODES, ASSIGNED, bool)),
        (['"kty'], (_EVERYWHERE, _WEB_KEY, ASSIGNED, bool)),
    ]
    rows += [
        ([word], (_HERE, f"(?i){word}{rest}", COMMAND, bool)) for word, rest in _LOGINS.items()
    ]
    if with_options:
        rows += [([word], (_LINE, option, COMMAND, bool)) for word, option in _COMMANDS.items()]
    shapes: dict[str, list[_Shape]] = {}
    for words, shape in rows:
        for word in words:
            shapes.setdefault(word, []).append(shape)
    return shapes


def _in_shape(shape: _Shape, text: str, places: list[int]) -> Iterator[Span]:
    where, source, kind, is_secret = shape
    pattern, due = _compiled(source), 0
    for start in places[:1] if where == _EVERYWHERE else places:
        if where == _EVERYWHERE:
            found = pattern.finditer(text)
        elif where == _HERE:
            found = filter(None, [pattern.match(text, start)])
        else:
            # A word may stand there thousands of times: the quarter behind it is looked through.
            room = _compiled(where).match(text, start) if start >= due else None
            due = start + len(room[0]) // 4 if room else due
            found = pattern.finditer(text, *room.span(room.re.groups)) if room else iter(())
        yield from ((*each.span("v"), kind) for each in found if is_secret(each["v"]))


@cache
def _compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern when a text has what it needs: most never are."""
    return re.compile(source, flags)
