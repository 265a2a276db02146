"""Change files that the user's own process has signed, as if it had written them so."""

import json
from pathlib import Path
from typing import Any

from amplihack_compaction.base.signature import own_part, signed


def signed_text(content: str, path: Path) -> str:
    """Return a text as a signed file has it; what is no JSON object stays as it is."""
    is_object = content.startswith("{") and content.endswith("}")
    return signed(content.encode(), str(path)).decode() if is_object else content


def change_signed(path: Path, **changes: Any) -> None:
    """Change values of a signed JSON file."""
    own = own_part(path.read_bytes(), str(path))
    assert own is not None
    path.write_bytes(signed(json.dumps({**json.loads(own), **changes}).encode(), str(path)))
