"""Secrets planted everywhere in a session are in no file that the package writes, and in no text.

Every hook runs through two compactions, with snapshots, checkpoints and a handoff in between; a
second session goes on from the first. Then every byte of every file, every name of one, and
everything that a hook or a command said is searched. The keys are made up, and put together here
so that no scanner takes this file for a leak.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.cli.app import main
from amplihack_compaction.continuity.actions import run_level_actions
from tests.captured import payload
from tests.processes import run_in_process
from tests.sessions import write_settings
from tests.unit.continuity.kept import OTHER, Kept, status

MIXED = "Zq7Rk2Vw9Xt4Lm8Np3Js6Hd1Gf5Cb0YaZq7Rk2Vw9Xt4"
HEX = "0d9f3a7b5c1e8f2460d9f3a7b5c1e8f2460d9f3a7b5c1e8f2460d9f3a7b5c1e8"
UPPER = "Q7RK2VW9XT4LM8NP"
PHRASE = "the-otter-sleeps-at-noon"
"""What `<private>` holds: nothing tells it from any other words."""
NEEDLE_CHARS = 16
_TEMPLATES = {
    "anthropic": "sk-" + "ant-api03-{m}",
    "openai": "sk-" + "proj-{m}",
    "github": "ghp" + "_{m:.36}",
    "github fine-grained": "github" + "_pat_{m}",
    "gitlab": "glpat" + "-{m:.20}",
    "slack": "xoxb" + "-{m:.30}",
    "aws secret": "AWS_SECRET_ACCESS_KEY={m:.40}",
    "google": "AIza" + "{m:.35}",
    "npm": "npm" + "_{m:.36}",
    "pypi": "pypi" + "-{m}{m}",
    "huggingface": "hf" + "_{m:.34}",
    "stripe": "sk" + "_live_{m:.24}",
    "sendgrid": "SG" + ".{m:.22}.{m:.43}",
    "vault": "hvs" + ".{m:.24}",
    "jwt": "eyJ" + "{m:.20}.eyJ{m:.30}.{m:.43}",
    "bearer": "Authorization: Bearer {m}",
    "private key": "-----BEGIN RSA PRIVATE" + " KEY-----\n{m}\n{m}\n-----END RSA PRIVATE KEY-----",
}
_OTHERS = {
    "aws": ("AKIA" + UPPER, UPPER),
    "digitalocean": ("dop" + f"_v1_{HEX}", HEX[:NEEDLE_CHARS]),
    "age": ("AGE-SECRET-" + f"KEY-1{UPPER[::-1] * 4}", UPPER[::-1]),
    "password in a url": ("postgres://app:hunter2Zq7@db.example.com/shop", "hunter2Zq7"),
    "env file": ("DB_PASSWORD=correcthorsebattery", "correcthorsebattery"),
    "private": (f"<private>{PHRASE}</private>", PHRASE),
}


def _made_up() -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield how each secret looks where it stands, and the part of it that nobody may see."""
    for turn, (vendor, template) in enumerate(_TEMPLATES.items()):
        mixed = MIXED[turn:] + MIXED[:turn]
        yield vendor, (template.format(m=mixed), mixed[:NEEDLE_CHARS])
    yield from _OTHERS.items()


SECRETS = dict(_made_up())
GROUPS = [list(SECRETS)[start::4] for start in range(4)]
ACTION_RATIOS = [0.7, 0.8, 0.85, 0.9, 0.95]


class Play:
    """A session that is full of secrets, and all that the package said about it."""

    def __init__(self, project: Path, secrets: list[str]) -> None:
        self.project, self.secrets = project, secrets
        self.kept = Kept(project)
        self.said: list[str] = []
        self.fill()

    def fill(self) -> None:
        """Put the secrets wherever a session has words."""
        for secret in self.secrets:
            self._plant(secret)
        self.kept.usage(150_000)

    def _plant(self, secret: str) -> None:
        transcript = self.kept.transcript
        # A name of one part: no file system has the others.
        file = f"/srv/{secret}/notes.txt" if "/" not in secret else "/srv/notes.txt"
        transcript.user(f"Never print {secret} in a log. The key is {secret}, use it for login.")
        transcript.user(f'We decided to use `{secret}` for the deploy. Build with "{secret}".')
        transcript.user(f"New task: rotate {secret} on the server.\n```\n{secret}\n```")
        transcript.assistant(f"I decided to use {secret}.\n- [ ] Rotate {secret}\nTODO: {secret}")
        transcript.tool("Bash", {"command": f"export TOKEN='{secret}' && pytest -q"}, secret)
        transcript.tool("Bash", {"command": f"curl '{secret}'"}, f"failed: {secret}", error=True)
        transcript.tool("Bash", {"command": f"git commit -m '{secret}'"}, f"[x 1a2b3c4] {secret}")
        transcript.tool("Write", {"file_path": file, "content": secret}, "ok")
        edit = {"file_path": file, "old_string": secret, "new_string": f"{secret} 2"}
        transcript.tool("Edit", edit, secret, data={"filePath": file, "newString": secret})
        todo = {"content": f"Rotate {secret}", "status": "in_progress", "activeForm": secret}
        transcript.tool("TodoWrite", {"todos": [todo]}, data={"oldTodos": [], "newTodos": [todo]})
        transcript.tool("TaskCreate", {"subject": f"Rotate {secret}", "description": secret})
        asked = {"questions": [{"question": f"Use {secret}?", "options": []}]}
        answers = {"answers": {f"Use {secret}?": f"Yes, {secret}"}}
        transcript.tool("AskUserQuestion", asked, f"User has answered: {secret}", data=answers)
        transcript.tool("ExitPlanMode", {"plan": f"# Rotate {secret}\n- {secret}"}, "approved")
        said = f"The user doesn't want to proceed. the user said:\nNever use {secret} again."
        transcript.tool("Bash", {"command": secret}, said, error=True)
        transcript.add(
            "attachment",
            attachment={"type": "queued_command", "prompt": f"Always keep {secret} safe."},
        )
        transcript.assistant(f"Fixed: {secret} works now. The problem was {secret}.")

    def hook(self, event: str, name: str, **changes: Any) -> str:
        self.kept.write()
        place = {"session_id": self.kept.session_id, "transcript_path": str(self.kept.path)}
        answer = run_in_process(event, payload(name, **{**place, **changes}), self.project)
        self.said.append(answer.stdout)
        return answer.context if answer.stdout.startswith("{") else ""

    def compact(self) -> None:
        """Play a compaction whose summary repeats the secret, and what follows it."""
        secret = " ".join(self.secrets)
        self.hook("PreCompact", "PreCompact.auto", custom_instructions=f"Keep {secret}")
        injected = self.hook("SessionStart", "SessionStart.compact")
        summary = f"<analysis>{secret}</analysis><summary>They rotated {secret}.</summary>"
        self.hook("PostCompact", "PostCompact.auto", compact_summary=summary)
        transcript = self.kept.transcript
        transcript.compact(f"They rotated {secret}.", preserved=0)
        transcript.attachment("hook_additional_context", content=[injected])
        transcript.assistant(f"Going on with {secret}.")
        self.hook("PreToolUse", "PreToolUse.Bash", tool_input={"command": f"echo {secret}"})
        self.hook("UserPromptSubmit", "UserPromptSubmit", prompt=f"Use {secret}")
        self.hook("Stop", "Stop", last_assistant_message=f"Done with {secret}.")

    def act(self) -> None:
        """Take snapshot, checkpoint and handoff as the levels do."""
        self.kept.write()
        place = (str(self.project), self.kept.session_id, str(self.kept.path))
        written = run_level_actions(*place, status(), ACTION_RATIOS, self.said.append)
        assert len(written) >= 3

    def go_on(self) -> None:
        """End the session, and begin another that is given its context."""
        self.hook("SessionEnd", "SessionEnd.clear")
        new = Kept(self.project, OTHER)
        place = {"session_id": OTHER, "transcript_path": str(new.path)}
        self.hook("SessionStart", "SessionStart.clear", **place)
        self.hook("UserPromptSubmit", "UserPromptSubmit", prompt="Go on.", **place)
        self.hook("PreCompact", "PreCompact.auto", **place)
        self.hook("SessionStart", "SessionStart.compact", **place)


COMMANDS = (
    ("diagnose",), ("diagnose", "--json"), ("diagnose", "--before", "1"), ("simulate",),
    ("simulate", "--json"), ("validate",), ("validate", "--json"), ("events",),
    ("events", "--json"), ("state",), ("state", "--json"), ("state", "--diff", "1", "now"),
    ("snapshot", "list"), ("snapshot", "show"), ("snapshot", "show", "--json"),
    ("fresh-start",), ("handoff", "--print"), ("handoff", "--json"),
)  # fmt: skip


def run_commands(monkeypatch: pytest.MonkeyPatch, session: str) -> None:
    named = {"diagnose", "simulate", "validate", "state"}
    for command, *rest in COMMANDS:
        where = [session] if command in named else []
        where = ["--session", session] if command == "handoff" else where
        monkeypatch.setattr(sys, "argv", ["amplihack-compaction", command, *where, *rest])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code in (None, 0, 1)


def leaks(folder: Path, needles: list[str]) -> Iterator[str]:
    """Yield the files below a folder that have a secret in them, or in their name."""
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder)).lower()
        content = path.read_bytes().lower() if path.is_file() else b""
        for needle in needles:
            if needle.lower() in name or needle.lower().encode() in content:
                yield f"{needle} in {path}"


@pytest.mark.parametrize("vendors", GROUPS, ids=lambda vendors: vendors[0])
def test_planted_secrets_are_nowhere(
    project: Path,
    vendors: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    secrets, needles = map(list, zip(*(SECRETS[vendor] for vendor in vendors), strict=True))
    write_settings(project, fresh_start="inject")
    play = Play(project, secrets)
    play.compact()
    play.fill()
    play.act()
    play.compact()
    play.go_on()
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    run_commands(monkeypatch, str(play.kept.path))
    out, err = capsys.readouterr()
    assert list(leaks(project, needles)) == []
    said = {"a hook": "\n".join(play.said).lower(), "stdout": out.lower(), "stderr": err.lower()}
    found = [(who, n) for who, text in said.items() for n in needles if n.lower() in text]
    assert found == []
    # The search had something to find: each kind of file is there, and texts were given.
    for pattern in (
        "compaction_events.json", "sessions/*/ledger.json", "sessions/*/snapshots/*.json",
        "sessions/*/snapshots/*.md", "sessions/*/windows/*.jsonl", "sessions/*/losses/*.json",
        "sessions/*/receipts/*.json", "sessions/*/prepared", "sessions/*/handoffs/*.txt",
        "sessions/*/checkpoints/*.json", "offers/*.json", "sessions/*/continues.json",
    ):  # fmt: skip
        assert list(play.kept.runtime.glob(pattern)), pattern
    assert sum("[redacted" in text or "[left out" in text for text in play.said) >= 4
    assert len(list(leaks(play.kept.path.parent, needles))) == len(needles)


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(json.dumps({"x": f"..{MIXED.lower()}.."}))
    (tmp_path / f"{MIXED}.md").write_text("")
    assert len(list(leaks(tmp_path, [MIXED]))) == 2
