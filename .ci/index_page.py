"""What a package index shows: the README with links that lead somewhere, and the project's pages.

The repository's address is in REPOSITORY_URL, which `.ci/release` asks for; whoever publishes the
package knows it. Without it the README is taken as it is.
"""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(?P<picture>!?)(?P<said>\[[^\]]*\])\((?!https?:|#)(?P<path>[^)\s]+)\)")
_PAGES = {
    "Repository": "",
    "Documentation": "/blob/HEAD/README.md",
    "Changelog": "/blob/HEAD/CHANGELOG.md",
    "Issues": "/issues",
}


class IndexPage(MetadataHookInterface):
    """Fills in `readme` and `urls`, which pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set both."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        address = os.environ.get("REPOSITORY_URL", "").rstrip("/")
        if address:
            text = with_addresses(text, address)
            metadata["urls"] = {name: address + page for name, page in _PAGES.items()}
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_addresses(text: str, address: str) -> str:
    """Return a text whose links to files of the repository are whole addresses."""

    def whole(link: re.Match[str]) -> str:
        kind = "raw" if link["picture"] else "blob"
        return f"{link['picture']}{link['said']}({address}/{kind}/HEAD/{link['path']})"

    return _LINK.sub(whole, text)
