"""Estimate the tokens of a text without a network: by cl100k, or by characters without it.

The text goes through the tokenizer in pieces. Whole, about 1 MB of one character overflows its
stack or makes it panic; in pieces of 16,000 characters 1 MB of anything takes under a second (with
tiktoken 0.13 and later; earlier ones need minutes), and the cuts change the count by 0.013 %.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from amplihack_compaction.context.tokens.estimate import legacy_line_for, line_for, token_line_for
from amplihack_compaction.context.tokens.ranks import is_installed, load_encoding

if TYPE_CHECKING:
    from tiktoken import Encoding

Calibration = Literal["line", "legacy"]
PIECE_CHARACTERS = 16_000
_PANIC = "PanicException"


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tokens before rounding, the measured p50 error, and how they were found.

    `method` is cl100k or legacy, or characters where the tokenizer is missing.
    """

    tokens: float
    error: float
    method: str


def estimate(text: str, model: str = "", calibration: Calibration = "line") -> Estimate:
    """Return the estimate for one text, by the line of the model's family; "" costs nothing.

    `calibration` "legacy" takes 0.92 x cl100k for every model, as the first plan of this package
    did.
    """
    method = planned_method(calibration)
    if not text:
        return Estimate(0.0, 0.0, method)
    tokens = None if method == "characters" else count_cl100k(text)
    if tokens is None:
        by_characters = line_for(model)
        cost = by_characters.base + by_characters.cost(text)
        return Estimate(cost, by_characters.error, "characters")
    line = legacy_line_for(model) if calibration == "legacy" else token_line_for(model)
    return Estimate(line.base + line.slope * tokens, line.error, method)


def planned_method(calibration: Calibration) -> str:
    """Return the method that `estimate` will use, without loading the tokenizer."""
    if not is_installed():
        return "characters"
    return "legacy" if calibration == "legacy" else "cl100k"


def count_cl100k(text: str) -> int | None:
    """Return the text's number of cl100k tokens, special ones read as plain text.

    None when tiktoken or its ranks are missing, or the tokenizer panicked.
    """
    encoding = load_encoding()
    if encoding is None:
        return None
    total = 0
    for start in range(0, len(text), PIECE_CHARACTERS):
        tokens = _count_piece(encoding, text[start : start + PIECE_CHARACTERS])
        if tokens is None:
            return None
        total += tokens
    return total


def _count_piece(encoding: "Encoding", piece: str) -> int | None:
    try:
        return len(encoding.encode_ordinary(piece))
    except BaseException as error:
        # A Rust panic is no Exception, and its class cannot be imported; no piece is known to
        # cause one.
        if type(error).__name__ != _PANIC:
            raise
        return None
