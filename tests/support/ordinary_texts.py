"""What stands in the texts of developers and looks random, but is no secret."""

import base64
import hashlib
import random
import uuid
from functools import cache

_LINES = 400


@cache
def make_texts() -> dict[str, str]:
    """Return texts by what they are; they are the same in every run."""
    rng = random.Random("ordinary")

    def digest(name: str) -> str:
        return hashlib.new(name, rng.randbytes(16), usedforsecurity=False).hexdigest()

    def integrity() -> str:
        return "sha512-" + base64.b64encode(rng.randbytes(64)).decode()

    def ids() -> str:
        return str(uuid.UUID(bytes=rng.randbytes(16)))

    def blob(count: int) -> str:
        return base64.b64encode(rng.randbytes(count)).decode()

    def repeated(template: str, *values: object) -> str:
        made = [value() if callable(value) else value for value in values]
        return template.format(*made)

    def many(template: str, *values: object) -> str:
        return "\n".join(repeated(template, *values) for _ in range(_LINES))

    short = ("t", "e", "n", "r", "MTx", "SKy", "pat", "NzA", "key", "dp", "sig")
    return {
        "commits": many("commit {}\nMerge: {:.7} {:.7}", *(lambda: digest("sha1"),) * 3),
        "hashes": many("{} {} {}", *(lambda: digest("md5"), lambda: digest("sha256"), ids)),
        "ids": many("id={} trace-{} req_{}", ids, ids, lambda: digest("md5")),
        "lock file": many('    "integrity": "{}",\n    "node_modules/{:.8}": {{', integrity, ids),
        "digests": many("FROM python@sha256:{} AS b", lambda: digest("sha256")),
        "data address": f'<img src="data:image/png;base64,{blob(60_000)}">',
        "wrapped base64": many("{}", lambda: blob(57)),
        "hex dump": many("{:.8}  {:.32}  |................|", lambda: digest("md5"),
                         lambda: digest("sha256")),
        "minified": "".join(
            f"function {rng.choice(short)}({rng.choice(short)},n){{return n.{rng.choice(short)}-us"
            f".{digest('md5')[:8]}.prototype.call(this,{rng.randrange(9999)})}}var "
            f"{rng.choice(short)}=e=>{{}};" for _ in range(_LINES)
        ),
        "minified on one line with names": ".".join(
            rng.choice(("MTableRow", "prototype", "toString", "NzModuleRegistryContainerProvider"))
            for _ in range(_LINES)
        ),
        "style": many(".sk-{:.6}-circle .key-{:.8}::before{{content:'x'}}", ids, ids),
        "paths": many("/srv/app/releases/{}/node_modules/.pnpm/x@1.0-{:.12}/dist.min.js",
                      lambda: digest("sha1"), lambda: digest("md5")),
        "names of things": many("npm_config_{0:.4}_cache hf_hub_download_{0:.4} ghp_pages dp.x",
                                ids),
        "addresses": many("https://example.com/en-us/{}?page=2&sort=asc&design={:.8}#L10-L20",
                          ids, ids),
        "numbers": many("{0} {0:,} {1:.12f} 2026-11-22T05:21:49Z 10.0.0.1:8443",
                        lambda: rng.randrange(10**15), rng.random),
        "keyed numbers": many('"output_tokens": {}, "cache_read_input_tokens": {},',
                              lambda: rng.randrange(10**6), lambda: rng.randrange(10**6)),
    }  # fmt: skip
