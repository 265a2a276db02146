"""Run inside a mount namespace: a project on a small disk that is full, then read-only, then free.

    small_disk.py FOLDER

Prints one JSON object: what each try said, and whether the files were as before after it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

SIZE_KIB = 512
LOG = "".join(f"2026-01-02 10:00:{n % 60:02d} INFO request {n} served\n" for n in range(2_000))
COMMAND = [sys.executable, "-m", "amplihack_compaction", "feature", "compact", "login"]


def mount(folder: Path, *options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", str(folder)], check=True)


def contents(folder: Path) -> dict[str, str]:
    return {p.name: p.read_text() for p in folder.iterdir() if p.is_file()}


def fill_up(folder: Path) -> Path:
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as stream:
        for size in (4096, 1):
            try:
                while stream.write(b"x" * size):
                    pass
            except OSError:
                continue
    return ballast


def attempt(feature: Path, *arguments: str) -> dict[str, object]:
    before = contents(feature)
    done = subprocess.run(
        [*COMMAND, *arguments], cwd=feature.parents[1], capture_output=True, text=True
    )
    said = (done.stdout + done.stderr).strip()
    return {"code": done.returncode, "said": said, "same": contents(feature) == before}


def main(project: Path) -> None:
    mount(project, "-o", f"size={SIZE_KIB}k")
    feature = project / "features" / "login"
    feature.mkdir(parents=True)
    (feature / "progress.md").write_text(f"# Progress\n\n```\n{LOG}```\n")
    (feature / "plan.md").write_text(f"# Plan\n\nBash output:\n```\n{LOG}```\n")
    tries = {}
    ballast = fill_up(project)
    tries["full"] = attempt(feature)
    ballast.unlink()
    subprocess.run(["mount", "-o", "remount,ro", str(project)], check=True)
    tries["read-only"] = attempt(feature)
    subprocess.run(["mount", "-o", "remount,rw", str(project)], check=True)
    tries["free"] = attempt(feature)
    ballast = fill_up(project)
    tries["revert on a full disk"] = attempt(feature, "--revert")
    ballast.unlink()
    tries["revert"] = attempt(feature, "--revert")
    tries["whole"] = {"same": LOG in (feature / "progress.md").read_text()}
    sys.stdout.write(json.dumps(tries))


if __name__ == "__main__":
    os.environ.pop("CLAUDE_PROJECT_DIR", None)
    main(Path(sys.argv[1]))
