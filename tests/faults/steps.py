"""What is run under faults: every hook at its moments, and every command that writes.

The commands are held against the command line itself: a new one has to be named here.
"""

from dataclasses import dataclass, field

from tests.faults.moments import KEEPING_NOTHING, NEXT, OWNER
from tests.faults.world import COMMAND_LINE, Done, World, hook_command
from tests.support.transcripts import SESSION


@dataclass(frozen=True)
class Step:
    """One hook or command, and the moment of the world at which it is run.

    `leaf` is the command as the command line has it, empty for a hook. Of its words some stand
    for what only the world knows, see `_known`. `is_given_once`: a process that dies while it
    gives an offer, or tells of a rule, has given it, so that nobody gets it twice. `erases`: a
    word that is in nothing of the store any more once the step was run. `is_for_its_words`: its
    work is what it prints; what it stores beside that the next run may do.
    """

    name: str
    moment: str
    leaf: str = ""
    words: tuple[str, ...] = ()
    event: str = ""
    payload: str = ""
    session: str = SESSION
    changes: dict[str, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    is_given_once: bool = False
    erases: str = ""
    is_for_its_words: bool = False

    @property
    def is_hook(self) -> bool:
        """Whether the client runs it."""
        return bool(self.event)

    def argv(self, world: World) -> list[str]:
        """Return the command with the ids of a world in place of their names."""
        if self.is_hook:
            return hook_command(self.event)
        words = [_known(word, world) for word in self.words]
        return [*COMMAND_LINE, *self.leaf.split(), *words]

    def reason(self, done: Done) -> str:
        """Return where it says why it failed: a checkup in its rows, all others on stderr."""
        return done.stdout if self.leaf == "doctor" else done.stderr

    def stdin(self, world: World) -> bytes:
        """Return what it reads."""
        if not self.payload:
            return b""
        return world.payload(self.payload, self.session, **self.changes)


def _known(word: str, world: World) -> str:
    if word == "PRUNE":
        (entry,) = (world.project / "features/login/.compaction/backup").iterdir()
        return entry.name
    if word == "COPY":
        (head,) = world.runtime.glob("sessions/*/copy.jsonl")
        return head.parent.name
    if word == "PART":
        return f"{_known('COPY', world)[:8]}.1"
    return word.replace("ROOT", str(world.root))


def hook(event: str, payload: str, moment: str, session: str = SESSION, **changes: str) -> Step:
    """Return a hook's step."""
    name = f"{payload}, {moment}" if event != "Store" else f"store of {payload}, {moment}"
    return Step(
        name, moment, event=event, payload=payload, session=session, changes=changes,
        is_given_once=(event == "SessionStart" and session == NEXT) or moment == "guarded",
    )  # fmt: skip


def command(
    leaf: str, *words: str, moment: str = "working", payload: str = "", erases: str = "", **env: str
) -> Step:
    """Return a command's step."""
    name = " ".join((leaf, *words)).replace(SESSION, "SESSION")
    if moment != "working":
        name += f", {moment}"
    return Step(
        name, moment, leaf=leaf, words=words, payload=payload, env=env, erases=erases,
        is_for_its_words=leaf in ("fresh-start", "statusline"),
    )  # fmt: skip


SUMMARY = "<analysis>x</analysis><summary>They went on talking.</summary>"
HOOKS = (
    hook("PreCompact", "PreCompact.auto", "fresh"),
    hook("Store", "Stop", "fresh"),
    hook("PreCompact", "PreCompact.auto", "working"),
    hook("PreCompact", "PreCompact.auto", "full"),
    hook("SessionStart", "SessionStart.compact", "recorded"),
    hook("SessionStart", "SessionStart.compact", "working"),
    hook("PostCompact", "PostCompact.auto", "injected", compact_summary=SUMMARY),
    hook("PreToolUse", "PreToolUse.Bash", "working"),
    hook("PreToolUse", "PreToolUse.Bash", "missed"),
    hook("PreToolUse", "PreToolUse.Bash", "full"),
    hook("PreToolUse", "PreToolUse.Bash", "automatic"),
    hook("PreToolUse", "PreToolUse.Bash", "restored"),
    hook("PreToolUse", "PreToolUse.Bash", "guarded"),
    hook("UserPromptSubmit", "UserPromptSubmit", "working"),
    hook("UserPromptSubmit", "UserPromptSubmit", "missed"),
    hook("UserPromptSubmit", "UserPromptSubmit", "full"),
    hook("Stop", "Stop", "made up for"),
    hook("Stop", "Stop", "missed"),
    hook("SessionEnd", "SessionEnd.other", "working"),
    hook("SessionEnd", "SessionEnd.clear", "missed"),
    hook("SessionStart", "SessionStart.startup", "working", NEXT),
    hook("SessionStart", "SessionStart.startup", "injecting", NEXT),
    hook("SessionStart", "SessionStart.clear", "cleared", NEXT),
    hook("SessionStart", "SessionStart.resume", "working"),
    hook("Store", "Stop", "missed"),
    hook("Store", "SessionStart.compact", "full"),
    hook("Store", "SessionEnd.other", "missed"),
    hook("Store", "Stop", "outgrown"),
)

COMMANDS = (
    command("install", "--no-proof"),
    command("install", "--user", "--no-proof"),
    command("install", "--team", "--no-proof"),
    command("uninstall", "--team", moment="installed"),
    command("uninstall", "--team", "--purge", "--yes", moment="installed"),
    command("config set", "snapshots", "12"),
    command("config set", "snapshots", "12", "--team"),
    command("config set", "snapshots", "--unset", "--team", moment="set"),
    command("feature compact", "login"),
    command("feature compact", "login", "--level", "summarize"),
    command("feature compact", "billing", "--revert"),
    command("feature compact", "billing", "--revert", "--keep", moment="edited"),
    command("feature compact", "billing", "--revert", "--overwrite", moment="edited"),
    command("feature checkpoint", "login", "--reason", "now", "-s", SESSION),
    command("context prune"),
    command("context prune", moment="expired"),
    command("context prune", "--revert", "PRUNE", "--feature", "login", moment="pruned"),
    command("snapshot restore", "latest", "-s", SESSION),
    command("fresh-start", "latest", CLAUDE_CODE_SESSION_ID=NEXT),
    command("handoff", "--session", SESSION),
    command("remember", "Never", "ask", "twice", "-s", SESSION),
    command("forget", "Makefile", "-s", SESSION),
    command("pin", "Makefile", "-s", SESSION),
    command("done", "docs", "-s", SESSION),
    command("undo", "-s", SESSION, moment="remembered"),
    command("compact transcript", SESSION, *KEEPING_NOTHING),
    command("compact transcript", "--revert", "COPY", moment="copied"),
    command("expand", "PART", "--output", "ROOT/part.txt", moment="copied"),
    command("report", SESSION),
    command("report", SESSION, "--out", "ROOT/page.html"),
    command("report", "--all"),
    command("store sync", "--jobs", "0", moment="missed"),
    command("store sync", "--jobs", "0", moment="fresh"),
    command("store import", "ROOT/home/.claude/projects", "--jobs", "1", moment="missed"),
    command("store compact", SESSION, "--window", "1"),
    command("store export", "--output", "ROOT/all.jsonl"),
    command("store export", "--output", "ROOT/all.jsonl", moment="exported"),
    command("store vacuum"),
    command("store vacuum", moment="outgrown"),
    command("store delete", SESSION, "--yes", erases=OWNER),
    command("statusline", payload="statusLine"),
    command("doctor", "--fix", moment="untidy"),
)

READING = (
    command("config show"), command("config check"), command("config schema"),
    command("diagnose"), command("simulate"), command("validate"),
    command("watch"), command("state"), command("status"), command("context status"),
    command("feature status", "login", "--tokens"), command("feature continue", "login"),
    command("history"), command("snapshot list"), command("snapshot show"),
    command("recall", "login"), command("mcp"), command("upgrade"), command("store sessions"),
    command("store show", SESSION), command("store history", SESSION), command("store stats"),
)  # fmt: skip
"""What leaves every file as it is, which is tried as well."""
