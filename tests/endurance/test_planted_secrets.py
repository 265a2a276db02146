"""Secrets planted everywhere in a session are in no file that the package writes, and in no text.

Every hook runs through two compactions, with snapshots, checkpoints and a handoff in between; a
second session goes on from the first. Then every command that shows something is run, the MCP
server's tools are asked, a feature is pruned and summarised, and every byte of every file, every
name of one, and everything that a hook or a command said is searched. The keys are made up, and put
together here so that no scanner takes this file for a leak.
"""

import json
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from amplihack_compaction.api.state_manager import StateManager
from amplihack_compaction.cli.app import run_command_line
from amplihack_compaction.cli.commands.mcp import recall_text, state_text
from amplihack_compaction.cli.sessions import chosen_session
from amplihack_compaction.cli.watch import SessionReader, lay_out_view
from amplihack_compaction.handoff.level_actions import run_level_actions
from tests.support.captured import payload
from tests.support.processes import run_in_process
from tests.support.prunable import FILLER, NEW, OLD, put
from tests.support.sessions import write_own_settings
from tests.unit.handoff.kept import OTHER, Kept, status

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
    "azure": "abc8" + "Q~{m:.31}",
    "signature": "https://x.blob.core.windows.net/c?sv=2024-11-04&" + "sig={m:.43}%3D",
    "telegram": "123456789:A" + "A{m:.33}",
    "webhook": "https://hooks.slack" + ".com/services/T0001/B0002/{m:.24}",
    "atlassian": "ATA" + "TT3{m}{m}",
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
    "the user's pattern": ("ACME-48151623", "acme-48151623"),
    "the project's pattern": ("badge no. QX7781", "QX7781"),
}
OWN_PATTERNS = ["(?i)acme-[0-9]{8}", r"badge no\. [A-Z]{2}[0-9]{4}"]


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
        transcript.refuse("Bash", {"command": secret}, f"Never use {secret} again.")
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

    def store(self) -> None:
        """Let the hook that stores do its work, and the log tell of files of these names."""
        self.hook("Store", "Stop")
        for secret in self.secrets:
            self.hook(
                "SessionStart", "SessionStart.compact", transcript_path=f"/none/{secret}.jsonl"
            )

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
    ("simulate", "--json"), ("validate",), ("validate", "--json"),
    ("state",), ("state", "--json"), ("state", "--diff", "1", "now"),
    ("snapshot", "list"), ("snapshot", "show"), ("snapshot", "show", "--json"),
    ("fresh-start",), ("handoff", "--print"), ("handoff", "--json"), ("report",),
    ("report", "--all"), ("status",), ("context", "status", "--json"),
    ("context", "prune", "--feature", "login"), ("feature", "status", "login"),
    ("feature", "compact", "login", "--json"),
    ("feature", "compact", "login", "--level", "summarize", "--json"),
    ("feature", "continue", "login"), ("history",), ("store", "sync"), ("store", "sessions"),
    ("store", "show", "--archived"), ("store", "show", "--json"), ("store", "history"),
    ("store", "export"), ("recall", "rotate"), ("recall", "rotate", "--json"),
    ("recall", "deploy", "--kind", "archived"), ("config", "check"), ("doctor",),
)  # fmt: skip
OF_A_SESSION = ("diagnose", "simulate", "validate", "state", "report")


def run_commands(monkeypatch: pytest.MonkeyPatch, kept: Kept) -> None:
    for command, *rest in COMMANDS:
        where = [str(kept.path)] if command in OF_A_SESSION and "--all" not in rest else []
        where = ["--session", str(kept.path)] if command == "handoff" else where
        if command == "store" and rest[0] in ("show", "history"):
            rest.insert(1, kept.session_id)
        monkeypatch.setattr(sys, "argv", ["amplihack-compaction", command, *where, *rest])
        with pytest.raises(SystemExit) as left:
            run_command_line()
        # `validate` exits with 3 for what was recorded more than a day ago.
        assert left.value.code in (None, 0, 1, 3), (command, *rest)


def ask_the_server() -> Iterator[str]:
    """Yield what the MCP server's tools answer."""
    yield state_text("")
    for words in ("rotate", "deploy", "login"):
        yield recall_text(words, limit=200)


def look_at(kept: Kept) -> str:
    """Return what `watch` shows of the session."""
    reader = SessionReader(chosen_session(str(kept.path)))
    reader.picture()
    stream = StringIO()
    Console(file=stream, width=200, force_terminal=False).print(
        lay_out_view(reader.picture(), 200, 60)
    )
    return stream.getvalue()


def plant_in_a_feature(project: Path, secrets: list[str]) -> dict[str, bytes]:
    """Write a feature's notes, of which a part is old, and return them."""
    lines = "".join(
        f"- Decided: the deploy uses {secret}.\n- [ ] Rotate {secret}\n" for secret in secrets
    )
    text = f"# Notes\n\n## {OLD} Old\n\n{lines}{FILLER * 9}\n## {NEW} New\n\n{lines}{FILLER * 40}"
    put(project, "features/login/notes.md", text)
    return {"features/login/notes.md": text.encode()}


def leaks(folder: Path, needles: list[str]) -> Iterator[str]:
    """Yield the files below a folder that have a secret in them, or in their name.

    What a feature's files held is kept beside them to the byte, to be given back.
    """
    for path in folder.rglob("*"):
        if ".compaction" in path.parts:
            continue
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
    write_own_settings(redact_patterns=OWN_PATTERNS, fresh_start="inject")
    play = Play(project, secrets)
    play.compact()
    play.fill()
    play.act()
    play.compact()
    play.store()
    play.go_on()
    notes = plant_in_a_feature(project, secrets)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    StateManager(project, play.kept.session_id).save_unified_state({"keys": secrets})
    run_commands(monkeypatch, play.kept)
    out, err = capsys.readouterr()
    answers = [*ask_the_server(), look_at(play.kept)]
    assert list(leaks(project, needles)) == []
    said = {"a hook": "\n".join(play.said), "stdout": out, "stderr": err,
            "the server": "\n".join(answers)}  # fmt: skip
    found = [(who, n) for who, text in said.items() for n in needles if n.lower() in text.lower()]
    assert found == []
    # The search had something to find: each kind of file is there, and texts were given.
    for pattern in (
        "compaction_events.json", "sessions/*/ledger.json", "sessions/*/snapshots/*.json",
        "sessions/*/snapshots/*.md", "sessions/*/windows/*.jsonl", "sessions/*/losses/*.json",
        "sessions/*/receipts/*.json", "sessions/*/prepared", "sessions/*/handoffs/*.txt",
        "sessions/*/checkpoints/*.json", "offers/*.json", "sessions/*/continues.json",
        "sessions/*/unified.json", "hooks.log", "store.db", "reports/*.html",
    ):  # fmt: skip
        assert list(play.kept.runtime.glob(pattern)), pattern
    for text in (*play.said[:1], *answers, (project / "features/login/SUMMARY.md").read_text(),
                 (play.kept.runtime / "hooks.log").read_text(), out):  # fmt: skip
        assert "[redacted" in text or "[left out" in text
    assert sum("[redacted" in text or "[left out" in text for text in play.said) >= 4
    assert len(list(leaks(play.kept.path.parent, needles))) == len(needles)
    kept_beside = b"".join(
        p.read_bytes() for p in project.glob("features/login/.compaction/**/*.old")
    )
    assert all(content in kept_beside for content in notes.values())


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(json.dumps({"x": f"..{MIXED.lower()}.."}))
    (tmp_path / f"{MIXED}.md").write_text("")
    assert len(list(leaks(tmp_path, [MIXED]))) == 2
