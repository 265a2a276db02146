"""What a secret looks like: the keys of vendors, and the user's own patterns (light).

A row belongs here when nothing but a key looks like it: hashes, ids and minified code must not. A
pattern is tried only where its hint stands, and is compiled when that happens first; each is linear
by the same measure as the user's own, see below.

The environment, the project's file and the user's own each add to the others: a pattern that one
place could take away from another would be a leak. For the same reason one that was in force once
in a process stays so. Those of the project that a process runs in are read when the first text is
redacted; who works on another one calls `redact.use_project`.

Python's matcher goes back to try again, and a hook must never hang. So a pattern is read as its
parse tree, and accepted only where it takes linear time. Two things are held to:

- What repeats without a limit is one character or class at the pattern's end: nothing that could
  fail comes after it, so what it has read is part of a match and is not read again.
- All else is bounded; how many steps an attempt at one place of a text can take, with every way
  back, is summed up and must stay below a limit.

So the time is at most the limit times the length of the text.
"""

import re
from _thread import allocate_lock
from functools import cache, lru_cache
from re import _parser  # type: ignore[attr-defined] # its tree is the one that the matcher follows

from amplihack_compaction.base.settings.settings_files import (
    read_own_file,
    read_project_file,
    read_variable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

Span = tuple[int, int, str]
"""Where a secret begins and ends in a text, and its kind."""


class Vendor:
    """A key's kind, the strings of which one is in each, and its pattern.

    The pattern begins so many characters `before` the hint; what its group holds is the secret,
    without a group all of it. `is_inside` says that any character may stand before it.
    """

    __slots__ = ("_pattern", "before", "hints", "is_inside", "kind", "source")

    def __init__(
        self, kind: str, hints: str, source: str, before: int = 0, *, is_inside: bool = False
    ) -> None:
        self.kind, self.hints, self.source = kind, tuple(hints.split()), source
        self.before, self.is_inside = before, is_inside
        self._pattern: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern; some fifty would cost a hook more than all else that it does."""
        if self._pattern is None:
            self._pattern = re.compile(self.source)
        return self._pattern


_ALNUM_END = r"(?![A-Za-z0-9])"
VENDORS = (
    Vendor("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{16,}"),
    # Names of style classes, as `sk-fading-circle-child`, are lower case.
    Vendor("openai-key", "sk-", r"sk-(?=[a-z_-]{0,99}[A-Z0-9])[A-Za-z0-9_-]{20,}"),
    Vendor("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{20,}"),
    Vendor("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,}"),
    Vendor("gitlab-token", "glpat- glptt- glrt- glrtr- gldt- gloas- glsoat- glcbt- glft- glimt- "
           "glagent- glwt- glffct-", r"gl[a-z]{2,6}-[A-Za-z0-9_.-]{16,}"),
    Vendor("slack-token", "xox", r"xox[abcdeoprs]-[A-Za-z0-9-]{16,}"),
    Vendor("slack-token", "xapp-", r"xapp-[A-Za-z0-9-]{16,}"),
    Vendor("slack-webhook", "hooks.slack.com/",
           r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/-]{20,})"),
    Vendor("aws-key", "AKIA ASIA ABIA ACCA", r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}" + _ALNUM_END),
    Vendor("aws-bedrock-key", "ABSK", r"ABSK[A-Za-z0-9+/]{100,}={0,2}"),
    Vendor("google-key", "AIza", r"AIza[A-Za-z0-9_-]{30,}"),
    Vendor("google-key", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,}"),
    Vendor("google-key", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,}"),
    Vendor("azure-storage-key", "+ASt", r"[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{5}[AQgw]==", 76),
    Vendor("azure-client-secret", "Q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}", 4),
    Vendor("azure-devops-token", "AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}" + _ALNUM_END, 76),
    Vendor("azure-search-key", "AzSe", r"[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}" + _ALNUM_END, 42),
    Vendor("azure-function-key", "AzFu", r"[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==", 44),
    # A JSON text may have the & before it as \u0026.
    Vendor("signature", "sig=", r"(?<![A-Za-z_-])sig=([A-Za-z0-9%+/]{43,120}+=?)", is_inside=True),
    Vendor("npm-token", "npm_", r"npm_[A-Za-z0-9]{30,}"),
    Vendor("pypi-token", "pypi-", r"pypi-[A-Za-z0-9_-]{40,}"),
    Vendor("rubygems-key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    Vendor("docker-token", "dckr_pat_ dckr_oat_", r"dckr_[op]at_[A-Za-z0-9_-]{24,}"),
    Vendor("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    Vendor("huggingface-token", "api_org_", r"api_org_[A-Za-z0-9]{34}"),
    Vendor("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    Vendor("xai-key", "xai-", r"xai-[A-Za-z0-9]{70,}"),
    Vendor("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    Vendor("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37,}"),
    Vendor("pinecone-key", "pcsk_", r"pcsk_[A-Za-z0-9_]{50,}"),
    Vendor("stripe-key", "k_live_ k_test_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}", 1),
    Vendor("stripe-key", "whsec_", r"whsec_[A-Za-z0-9+/]{16,}"),
    Vendor("square-token", "sq0atp- sq0csp-", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}"),
    Vendor("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    Vendor("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{16,64}+\.[A-Za-z0-9_-]{16,}"),
    Vendor("mailgun-key", "key-", r"key-[0-9a-f]{32}" + _ALNUM_END),
    Vendor("mailchimp-key", "-us", r"[0-9a-f]{32}-us[0-9]{1,2}" + _ALNUM_END, 32),
    Vendor("brevo-key", "xkeysib-", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    Vendor("twilio-key", "SK", r"SK[0-9a-f]{32}" + _ALNUM_END),
    Vendor("telegram-bot-token", ":AA", r"(?<=[0-9]{8}):(AA[A-Za-z0-9_-]{32,})", is_inside=True),
    Vendor("discord-webhook", "discord", r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/"
           r"[0-9]{15,20}+/([A-Za-z0-9_-]{40,})"),
    # It begins with the bot's number, of 17 to 20 digits, in base64.
    Vendor("discord-token", "MT Mj Mz ND NT Nj Nz OD OT",
           r"(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}+[MNO]?[A-Za-z]{0,3}+"
           r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}"),
    Vendor("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{40,}"),
    Vendor("cloudflare-token", "cfk_ cfut_ cfat_", r"cf(?:k|ut|at)_[A-Za-z0-9]{40,}"),
    Vendor("cloudflare-origin-key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    Vendor("vercel-token", "vcp_ vca_ vck_", r"vc[apk]_[A-Za-z0-9]{24,}"),
    Vendor("vercel-token", "vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9_]{30,}"),
    Vendor("netlify-token", "nfp_", r"nfp_[A-Za-z0-9]{36,}"),
    Vendor("heroku-key", "HRKU-", r"HRKU-[A-Za-z0-9_-]{36,}"),
    Vendor("flyio-token", "fm1_ fm1a_ fm1r_ fm2_", r"fm[12][ar]?_[A-Za-z0-9+/=,_-]{100,}"),
    Vendor("supabase-key", "sbp_", r"sbp_[a-f0-9]{40}"),
    Vendor("supabase-key", "sb_secret_", r"sb_secret_[A-Za-z0-9_-]{20,}"),
    Vendor("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_",
           r"pscale_[a-z]{2,5}_[A-Za-z0-9_.=-]{32,}"),
    Vendor("databricks-token", "dapi", r"dapi[a-f0-9]{32}(?:-[0-9])?" + _ALNUM_END),
    Vendor("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    Vendor("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{20,}"),
    Vendor("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
           r"dp\.[a-z]{2,5}+\.(?:[a-z0-9_-]{2,35}+\.)?[A-Za-z0-9]{40,}"),
    Vendor("1password-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/_-]{200,}"),
    Vendor("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}", 14),
    Vendor("pulumi-token", "pul-", r"pul-[a-f0-9]{40}"),
    Vendor("tailscale-key", "tskey-", r"tskey-[a-z]{2,10}-[A-Za-z0-9-]{20,}"),
    Vendor("grafana-token", "glsa_", r"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}"),
    Vendor("grafana-token", "glc_", r"glc_[A-Za-z0-9+/]{32,}={0,3}"),
    Vendor("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_-]{60,}"),
    Vendor("newrelic-key", "NRAK- NRII- NRIQ-", r"NR(?:AK|II|IQ)-[A-Za-z0-9_-]{25,}"),
    Vendor("newrelic-key", "NRAL", r"[a-f0-9]{36}NRAL" + _ALNUM_END, 36),
    Vendor("dynatrace-token", "dt0", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    Vendor("notion-token", "ntn_", r"ntn_[A-Za-z0-9]{40,}"),
    Vendor("notion-token", "secret_", r"secret_[A-Za-z0-9]{43}" + _ALNUM_END),
    Vendor("linear-key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    Vendor("figma-token", "figd_", r"figd_[A-Za-z0-9_-]{36,}"),
    Vendor("postman-key", "PMAK-", r"PMAK-[a-fA-F0-9]{24}-[a-fA-F0-9]{34}"),
    Vendor("atlassian-token", "ATATT3 ATCTT3 ATSTT3", r"AT[ACS]TT3[A-Za-z0-9_=-]{60,}"),
    Vendor("bitbucket-token", "ATBB", r"ATBB[A-Za-z0-9_=]{24,}"),
    Vendor("contentful-token", "CFPAT-", r"CFPAT-[A-Za-z0-9_-]{40,}"),
    Vendor("hubspot-token", "pat-na pat-eu", r"pat-(?:na|eu)[0-9]-[a-f0-9-]{36}" + _ALNUM_END),
    Vendor("circleci-token", "CCIPAT_", r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    Vendor("buildkite-token", "bkua_", r"bkua_[a-f0-9]{40}"),
    Vendor("sonar-token", "sqp_ squ_ sqa_", r"sq[apu]_[a-f0-9]{40}"),
    Vendor("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    Vendor("jwt", "eyJ", r"eyJ[A-Za-z0-9_-]{10,2000}+\.eyJ[A-Za-z0-9_.-]{20,}"),
)  # fmt: skip
LEAST_CHARS = 20
"""No key is shorter."""
KEY_CHARS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789%+,-./:=_~"
"""Of these each key is, with what its pattern takes before and behind it."""
HINTLESS_CHARS = b"0123456789abcdef-:.TZ"
"""No hint is of these alone, as ids, hashes and moments are."""
_KEY, _NOT_KEY = b"\0", b" "
_KEY_OR_NOT = bytes((_KEY if byte in KEY_CHARS else _NOT_KEY)[0] for byte in range(256))
_ROOM = _KEY * LEAST_CHARS
# Names of fields and files come again on every line.
_hintless_words: set[bytes] = set()
_SHORT_CHARS = 64
_MOST_WORDS = 4096
# What stands before a key is no letter of the same word; but escapes end with letters too.
_EDGE = re.compile(
    r"(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2})"
    r"|(?<=[\[;][0-9]m)|(?<=[\[;][0-9]{2}m)"
)


def vendor_spans(text: str) -> list[Span]:
    """Return where vendors' keys are in a text, hint by hint; they may overlap."""
    if len(text) < LEAST_CHARS:
        return []
    found = _hints_in(text.encode("utf-8", "surrogatepass"))
    return _spans_by(found, text) if found else []


def may_hold_key(line: bytes) -> bool:
    """Return whether a text of a line of JSON may hold a vendor's key; false is for sure.

    The line is UTF-8, and escapes in it no sign that a key can hold. Where a key begins is seen
    behind an escape as in the text, see `_EDGE`; but what patterns demand before one is not.
    """
    found = _hints_in(line)
    if not found:
        return False
    return not found.isdisjoint(_INSIDE_HINTS) or bool(_spans_by(found, line.decode()))


def _spans_by(found: set[str], text: str) -> list[Span]:
    return [
        span
        for hint, vendors in _BY_HINT.items()
        # Of hints that hold each other the longest one was found.
        if any(hint in longer for longer in found)
        for vendor in vendors
        for span in _spans_of(vendor, hint, text)
    ]


def _hints_in(data: bytes) -> set[str]:
    """Return the hints that stand in UTF-8 where there is room for a key.

    Few words have that room, and to find them in bytes takes a third of the time that it takes to
    split the text.
    """
    kinds = data.translate(_KEY_OR_NOT)
    start = kinds.find(_ROOM)
    words = set()
    while start >= 0:
        end = kinds.find(_NOT_KEY, start + LEAST_CHARS)
        end = len(data) if end < 0 else end
        word = data[start:end]
        if word not in _hintless_words and word.strip(HINTLESS_CHARS):
            words.add(word)
        start = kinds.find(_ROOM, end)
    return _hints_of(words) if words else set()


def _hints_of(words: set[bytes]) -> set[str]:
    """Return the hints in words, and remember those that are in many lines and have none."""
    text = b"\n".join(words).decode("ascii")
    found = set(_any_hint().findall(text))
    if not found and len(_hintless_words) < _MOST_WORDS:
        _hintless_words.update(word for word in words if len(word) <= _SHORT_CHARS)
    return found


@cache
def _any_hint() -> "re.Pattern[str]":
    """Return a pattern for all hints."""
    return re.compile(_any_of(list(_BY_HINT)))


def _spans_of(vendor: Vendor, hint: str, text: str) -> "Iterator[Span]":
    pattern = vendor.pattern
    at = text.find(hint)
    while at >= 0:
        start = at - vendor.before
        if start >= 0 and (vendor.is_inside or _EDGE.match(text, start)):
            found = pattern.match(text, start)
            if found is not None:
                yield (*found.span(pattern.groups), vendor.kind)
                at = max(at, found.end() - 1)
        at = text.find(hint, at + 1)


def _any_of(words: list[str]) -> str:
    """Return a pattern for any of several words: what begins alike is tried once."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[:1], []).append(word[1:])
    parts = [re.escape(first) + (_any_of(rest) if first else "") for first, rest in rests.items()]
    # The longer ones first: where a word goes on as another one, both have to be told.
    parts.sort(key=len, reverse=True)
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


_BY_HINT: dict[str, list[Vendor]] = {}
for _vendor in VENDORS:
    for _hint in _vendor.hints:
        _BY_HINT.setdefault(_hint, []).append(_vendor)
_INSIDE_HINTS = {hint for vendor in VENDORS if vendor.is_inside for hint in vendor.hints}


class OwnPatterns:
    """The patterns in force, and whether the project that the process runs in has been asked.

    `clean_texts` is for the hashes of long texts in which nothing was found to take out.
    """

    __slots__ = ("_adding", "_compiled", "clean_texts", "has_asked")

    def __init__(self) -> None:
        self.has_asked = False
        self._adding = allocate_lock()
        self.clean_texts: set[int] = set()
        self._compiled: dict[str, re.Pattern[str]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return not self._compiled

    @property
    def count(self) -> int:
        """How many there are; it never falls."""
        return len(self._compiled)

    def add(self, sources: "Iterable[str]") -> None:
        """Put accepted patterns in force, beside those that are."""
        wanted = list(sources)
        if all(source in self._compiled for source in wanted):
            return
        # One after the other: of two that add at once, one would put back what was before both.
        with self._adding:
            new = [source for source in wanted if source not in self._compiled]
            # Last, and replaced as a whole: another thread may be going through it.
            self._compiled = {**self._compiled, **{each: re.compile(each) for each in new}}
            self.clean_texts = set()  # another one: a thread that began before fills the old one

    def spans(self, text: str) -> "Iterator[tuple[int, int]]":
        """Yield where a text matches."""
        for pattern in self._compiled.values():
            for found in pattern.finditer(text):
                yield found.span()


IN_FORCE = OwnPatterns()


def use_patterns(sources: "Iterable[str]") -> None:
    """Put patterns in force that were found acceptable."""
    IN_FORCE.add(sources)


NAME = "redact_patterns"
KIND = "own-pattern"


def read_patterns(root: str) -> list[str]:
    """Return the accepted patterns of a project, of all places together."""
    text = read_variable(NAME)
    places = [read_own_file().get(NAME), read_project_file(root).get(NAME)] if root else []
    if not text and not any(places):
        return []
    if text:
        places.append(parse_patterns(text))
    found: list[str] = []
    for values in places:
        if isinstance(values, list):
            found += usable_patterns(values)[0]
    return list(dict.fromkeys(found))


MOST_PATTERNS = 50
LONGEST_CHARS = 400
LEAST_MATCH_CHARS = 4
"""A shorter text is no secret, and would be taken out of ordinary words."""
MOST_STEPS = 500
"""Steps at one place of a text; measured, a step takes up to 10 ns."""
MOST_STEPS_TOGETHER = 2000
_FOLDED_WIDTH_CHARS = 50_000
"""To ignore the case of wide ranges takes the compiler a while for each of their characters."""
_LITERALS_PER_STEP = 8
_ONE_CHARACTER = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN"})
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_UNLIMITED = (
    "repeats something without a limit before its end: give it one, as in {1,64}; only a single"
    " character or class may repeat without one, as the last of all"
)
_SLOW = "may take too many steps at each place of a text: smaller limits and fewer of them help"


class _RefusedError(Exception):
    """A pattern cannot be accepted; the message says why."""


def problem_with_pattern(source: object) -> str:
    """Return why a pattern is not accepted, and what to do; empty for an accepted one."""
    if not isinstance(source, str):
        return "must be a text"
    if len(source) > LONGEST_CHARS:
        return f"is longer than {LONGEST_CHARS} characters: make several of it"
    return _judge(source)[1]


@lru_cache(maxsize=256)
def _judge(source: str) -> tuple[int, str]:
    """Return a pattern's steps, and why it is not accepted; remembered, for a server asks often."""
    try:
        steps = count_steps(source, MOST_STEPS)
        _tried(re.compile, source)
    except _RefusedError as refused:
        return 0, str(refused)
    return steps, ""


def usable_patterns(values: "Iterable[object]") -> "tuple[list[str], list[str]]":
    """Return the patterns of a list that are accepted, each once, and what is wrong with others.

    Patterns are named by their place and never quoted: one may hold the secret itself.
    """
    usable: list[str] = []
    problems = []
    steps = 0
    for place, value in enumerate(values, 1):
        problem = problem_with_pattern(value)
        if not problem and value in usable:
            continue
        if not problem and len(usable) == MOST_PATTERNS:
            problem = f"is one too many: {MOST_PATTERNS} are allowed"
        more = 0 if problem else _judge(str(value))[0]
        if steps + more > MOST_STEPS_TOGETHER:
            problem = "takes too many steps together with those before it"
        if problem:
            problems.append(f"pattern {place} {problem}")
        else:
            usable.append(str(value))
            steps += more
    return usable, problems


def parse_patterns(text: str) -> object:
    """Return the patterns that a text on a command line or in a variable stands for.

    That is a JSON list of them, or one pattern as it is.
    """
    from json import loads

    try:
        value = loads(text)
    except (ValueError, RecursionError):
        return [text]
    return value if isinstance(value, list) else [text]


def count_steps(source: str, most: int) -> int:
    """Return how many steps a pattern can take at one place of a text. Raises what refuses it."""
    tree = _tried(_parser.parse, source)
    counter = _Counter(most)
    try:
        steps, _ = counter.sequence(tree, is_last=True)
    except RecursionError:
        raise _RefusedError("is nested too deeply") from None
    ignores_case = bool(tree.state.flags & re.IGNORECASE) or counter.ignores_case
    if ignores_case and counter.width > _FOLDED_WIDTH_CHARS:
        raise _RefusedError("ignores case in very wide ranges: name smaller ones")
    if tree.getwidth()[0] < LEAST_MATCH_CHARS:
        raise _RefusedError(
            f"can match fewer than {LEAST_MATCH_CHARS} characters: say more of what to look for"
        )
    return steps


def _tried(read: "Any", source: str) -> "Any":
    from warnings import catch_warnings, simplefilter

    try:
        with catch_warnings():
            simplefilter("error")
            return read(source)
    except re.error as error:
        raise _RefusedError(f"does not compile: {error.msg}") from None
    except (FutureWarning, DeprecationWarning) as warning:
        raise _RefusedError(f"is ambiguous: {warning}") from None
    except (OverflowError, RecursionError):
        raise _RefusedError("does not compile: it is too large") from None


def _is_single(parts: "Any") -> bool:
    return len(parts) == 1 and str(parts[0][0]) in _ONE_CHARACTER


def _is_optional(part: "Any") -> bool:
    """Return whether a part cannot fail: a character that may be missing."""
    name, argument = str(part[0]), part[1]
    return name in _REPEATS and argument[0] == 0 and _is_single(argument[2])


class _Counter:
    """Counts steps and ways: in how many ways a part matches is how often what follows is tried."""

    __slots__ = ("ignores_case", "most", "width")

    def __init__(self, most: int) -> None:
        self.most = most
        self.ignores_case = False
        self.width = 0

    def sequence(self, parts: "Any", *, is_last: bool) -> tuple[int, int]:
        steps, ways, literals = 0, 1, 0
        final = len(parts) - 1
        while final > 0 and _is_optional(parts[final]):
            final -= 1
        for place, (operation, argument) in enumerate(parts):
            name = str(operation)
            literals = literals + 1 if name == "LITERAL" else 0
            if literals > 1 and literals % _LITERALS_PER_STEP:
                continue  # a run of them is compared at once
            more, factor = self._part(name, argument, is_last=is_last and place >= final)
            steps += ways * more
            ways *= factor
            self._check(steps)
        return steps, ways

    def _part(self, name: str, argument: "Any", *, is_last: bool) -> tuple[int, int]:
        if name in _REPEATS:
            return self._repeat(name, argument, is_last=is_last)
        if name == "SUBPATTERN":
            _, added, _, inner = argument
            self.ignores_case |= bool(added & re.IGNORECASE)
            return self.sequence(inner, is_last=is_last)
        if name == "BRANCH":
            each = [self.sequence(inner, is_last=is_last) for inner in argument[1]]
            return sum(one[0] + 1 for one in each), sum(one[1] for one in each)
        if name == "ATOMIC_GROUP":
            return self.sequence(argument, is_last=is_last)[0], 1
        if name in ("ASSERT", "ASSERT_NOT"):
            return self.sequence(argument[1], is_last=False)[0] + 1, 1
        if name == "IN":
            self._add_width(argument)
        if name in _ONE_CHARACTER or name in ("AT", "FAILURE"):
            return 1, 1
        if name.startswith("GROUPREF"):
            raise _RefusedError("refers back to a group: write out what stands there")
        raise _RefusedError(f"has a part that is not known here ({name})")

    def _repeat(self, name: str, argument: "Any", *, is_last: bool) -> tuple[int, int]:
        least, most, inner = argument
        is_single = _is_single(inner)
        if most == _parser.MAXREPEAT:
            if not (is_last and is_single):
                raise _RefusedError(_UNLIMITED)
            self.sequence(inner, is_last=False)
            self._check(least + 1)
            return least + 1, 1
        steps, ways = self.sequence(inner, is_last=False)
        if inner.getwidth()[0] == 0:
            raise _RefusedError("repeats something that can be empty")
        total, times, matches = 1, 1, int(least == 0)
        for count in range(1, most + 1):
            total += times * steps
            times *= ways
            matches += times if count >= least else 0
            self._check(total)
        return total, 1 if name == "POSSESSIVE_REPEAT" else matches

    def _add_width(self, items: "Sequence[Any]") -> None:
        for operation, argument in items:
            if str(operation) == "RANGE":
                self.width += argument[1] - argument[0]

    def _check(self, steps: int) -> None:
        if steps > self.most:
            raise _RefusedError(_SLOW)
