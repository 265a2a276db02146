"""Pack a `.tar.gz` anew, smaller, with the same files in it.

python .ci/packed.py ARCHIVE

Only what lies within 32 kB is packed as a repetition. So files of a kind stand together, the README
beside PKG-INFO, which repeats it; and what repeats is sought by `zopfli`, which takes its time.
"""

import gzip
import io
import sys
import tarfile
from pathlib import Path

import zopfli.gzip

_REPEATED = ("README.md", "PKG-INFO")
_ITERATIONS = 30


def ordered(archive: bytes) -> bytes:
    """Return an archive with its members ordered by what they are like."""
    packed = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive)) as source,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as target,
    ):
        for member in sorted(source.getmembers(), key=_likeness):
            target.addfile(member, source.extractfile(member))
    return packed.getvalue()


def _likeness(member: tarfile.TarInfo) -> tuple[bool, str, str]:
    path = Path(member.name)
    return path.name not in _REPEATED, path.suffix, member.name


if __name__ == "__main__":
    package = Path(sys.argv[1])
    whole = ordered(gzip.decompress(package.read_bytes()))
    package.write_bytes(zopfli.gzip.compress(whole, numiterations=_ITERATIONS))
