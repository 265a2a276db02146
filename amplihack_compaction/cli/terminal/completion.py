"""Complete arguments in the shell: sessions, snapshots, features.

Only names in folders are read, never what is in the files: the shell waits with every tab.
"""

import os
from pathlib import Path

from amplihack_compaction.base.paths import project_root
from amplihack_compaction.base.settings.settings import load_settings
from amplihack_compaction.clients.claude_code.locations import project_transcripts
from amplihack_compaction.injection.snapshot import project_snapshots

SHOWN = 50
"""How many completions are offered; the newest of more."""


def complete_session(incomplete: str) -> list[str]:
    """Return the ids of this project's sessions, newest first."""
    return _that_begin([path.stem for path in project_transcripts(project_root())], incomplete)


def complete_snapshot(incomplete: str) -> list[str]:
    """Return `latest` and the ids of this project's snapshots, newest first."""
    known = [snapshot.id for snapshot in project_snapshots(project_root())]
    return _that_begin(["latest", *known], incomplete)


def complete_feature(incomplete: str) -> list[str]:
    """Return the folders below the project's `features_folder`."""
    root = project_root()
    folder = Path(root) / load_settings(root)[0].features_folder
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    except OSError:
        return []
    return _that_begin([name for name in names if not name.startswith(".")], incomplete)


def _that_begin(names: list[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)][:SHOWN]
