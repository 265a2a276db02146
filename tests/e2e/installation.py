"""The product as a user installs it: by `./install.sh`, from a copy of the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .client import Client

REPOSITORY = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", ".cache", "__pycache__", ".*_cache", ".hypothesis", "captures", "*.egg-info"
)
INSTALL_SECONDS = 300


@dataclass(frozen=True)
class Installation:
    """A checkout and the environment made from it."""

    checkout: Path
    home: Path

    @property
    def environment(self) -> Path:
        """The environment that the hooks run in."""
        return self.home / "venv"

    @property
    def command(self) -> Path:
        """The command line."""
        return self.environment / "bin" / "amplihack-compaction"

    def into(self, client: Client) -> None:
        """Register the hooks in a client's project, as the user's command does."""
        run([self.command, "install", "--project", client.project, "--no-proof"], client.home)

    def set_up(self, client: Client) -> None:
        """Have the plugin's hooks run from here, as its setup command does."""
        run([self.command, "install", "--plugin", self.checkout, "--no-proof"], client.home)

    def moved_to(self, folder: Path) -> Installation:
        """Return a copy of checkout and environment that a test may destroy."""
        checkout = shutil.copytree(self.checkout, folder / "checkout")
        home = shutil.copytree(self.home, folder / "home", symlinks=True)
        for script in (home / "venv" / "bin").iterdir():
            if not script.is_symlink() and script.is_file():
                text = script.read_bytes()
                script.write_bytes(text.replace(os.fsencode(self.home), os.fsencode(home)))
        return Installation(checkout, home)


def installed_in(folder: Path) -> Installation:
    """Return what is installed below a folder; if nothing is, from a fresh copy of the checkout."""
    installation = Installation(folder / "checkout", folder / "environment")
    finished = folder / "finished"
    if not finished.exists():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(REPOSITORY, installation.checkout, ignore=LEFT_OUT)
        project = folder / "first-project"
        project.mkdir()
        script = installation.checkout / "install.sh"
        run([script, project], folder, AMPLIHACK_COMPACTION_HOME=installation.home)
        finished.touch()
    return installation


def run(command: list[str | Path], home: Path, **env: str | Path) -> str:
    """Run a command of the product in an environment of its own and return what it printed."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "PIP_INDEX_URL", "PIP_CONFIG_FILE")
            if name in os.environ}  # fmt: skip
    environment = {**kept, "HOME": str(home), **{name: str(value) for name, value in env.items()}}
    done = subprocess.run(
        [str(part) for part in command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=INSTALL_SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout
