from pathlib import Path

import pytest

LOG = "\n".join(
    f"2026-01-02 10:00:{n % 60:02d} INFO request {n} served in {n} ms" for n in range(400)
)
PROGRESS = f"""# Progress

Decision: sessions live in Redis, because the nodes share them.

Bash output:
```
{LOG}
```

- [x] form
- [ ] rate limit
"""


@pytest.fixture
def login(project: Path) -> Path:
    """Return the folder of a feature with prose, state, a log and what is no text."""
    folder = project / "features" / "login"
    folder.mkdir(parents=True)
    (folder / "progress.md").write_text(PROGRESS)
    (folder / "state.json").write_text('{"status": "in progress", "progress": 0.4}')
    (folder / "logo.png").write_bytes(b"\x89PNG\x00\xff")
    return folder
