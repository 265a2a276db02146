"""What is fuzzed: for each kind of input its first cases, and what must hold of every one."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatch

from amplihack_compaction.context.counter import TokenCounter
from amplihack_compaction.validation.power_steering import PowerSteeringChecker
from tests.fuzz import seeds
from tests.fuzz.case import Case, Part
from tests.fuzz.entry import Outcome, run_command, run_hook
from tests.fuzz.seeds import CYCLE, EVENTS, STORED, hook, own, transcript
from tests.fuzz.world import RUNTIME, SESSION, World
from tests.support.accepted import problem_with_stdout

# What may stand in a terminal's text beside what can be printed.
_CONTROL = re.compile(
    r"[^\S\n\t ]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_HOOK_NAMES = frozenset({*EVENTS, "Store"})
_CODES = (0, 1, 2)


class FailedError(AssertionError):
    """What must hold of every case does not hold of this one."""


Seeds = Callable[[World], Iterable[Case]]


@dataclass(frozen=True, slots=True)
class Target:
    """One kind of input; `checks_texts` where what is injected must be inert as well."""

    name: str
    what: str
    seeds: Seeds
    share: int
    checks_texts: bool = True


def run_case(world: World, target: Target, case: Case) -> None:
    """Live through a case in an empty world; raise FailedError when something is wrong.

    The world has been entered. What hooks and commands raise comes out as it is, Escaped and Hung
    included.
    """
    world.empty()
    for part in case:
        if part.is_step:
            with world.watched():
                _take(world, target, part)
        else:
            world.write(part)


def _take(world: World, target: Target, step: Part) -> None:
    name, content = step.plain_name, world.fill_in(step.content)
    if name.startswith(">"):
        event = name[1:]
        if event in _HOOK_NAMES:
            _check_hook(event, run_hook(event, content), target)
        return
    words = name[1:].split()
    library = _LIBRARY.get(words[0] if words else "")
    if library is not None:
        library(world, content)
    elif words and words[0] in _COMMANDS:
        _check_command(words, run_command(words, content))


def _check_hook(event: str, outcome: Outcome, target: Target) -> None:
    if outcome.code != 0 or outcome.stderr:
        raise FailedError(f"{event}: exit code {outcome.code}, stderr {outcome.stderr[:300]!r}")
    problem = problem_with_stdout(event, outcome.stdout, texts=target.checks_texts)
    if problem:
        raise FailedError(f"{event}: {problem}: {outcome.stdout[:2000]!r}")


def _check_command(words: list[str], outcome: Outcome) -> None:
    if outcome.code not in _CODES or b"Traceback" in outcome.stderr:
        raise FailedError(f"{words}: exit code {outcome.code}, stderr {outcome.stderr[-500:]!r}")
    if words[0] in _RAW:
        return
    for stream in (outcome.stdout, outcome.stderr):
        found = _CONTROL.search(stream.decode("utf-8", "replace"))
        if found is not None:
            raise FailedError(
                f"{words}: U+{ord(found.group()):04X} on a terminal: {stream[-500:]!r}"
            )


def _count_tokens(world: World, content: bytes) -> None:
    text = content.decode("utf-8", "surrogateescape")
    counter = TokenCounter()
    first, second = counter.count(text), counter.count(text)
    if first.count != second.count or first.count < 0:
        raise FailedError(f"counted {first} and {second}")
    counter.get_cache_stats()


def _check_steering(world: World, content: bytes) -> None:
    PowerSteeringChecker(world.project).check([], SESSION)


_LIBRARY: dict[str, Callable[[World, bytes], None]] = {
    "count": _count_tokens,
    "steering": _check_steering,
}
_COMMANDS = frozenset(
    "status statusline diagnose events validate state snapshot fresh-start handoff expand compact"
    " recall store context feature history config report simulate".split()
)
_RAW = frozenset({"statusline", "expand"})


def _turns(world: World) -> Iterable[Case]:
    """Events of every turn with nothing to say, which is what they are nearly always."""
    session = transcript(seeds.short_session(compacted=False))
    events = ("UserPromptSubmit", "PreToolUse", "Stop")
    files = _lived_through(world, (session, *(hook(event) for event in events)))
    kept = [Part(name, data) for name, data in files.items() if "/sessions/" in name]
    for event in (*events, "SessionStart"):
        for name in EVENTS[event]:
            if name != "SessionStart.compact":
                yield session, *kept, hook(event, name)


def _payloads(world: World) -> Iterable[Case]:
    session = transcript(seeds.short_session(compacted=False))
    compacted = transcript(seeds.short_session())
    for event, names in EVENTS.items():
        for name in names:
            yield session, hook(event, name)
        yield compacted, hook(event)
        yield (hook(event),)
    for name in STORED:
        yield session, Part(">Store", seeds.stdin(name))
    yield CYCLE


def _transcripts(world: World) -> Iterable[Case]:
    contents = [seeds.short_session(), seeds.short_session(compacted=False)]
    contents += [seeds.captured_session(name) for name in seeds.CAPTURED]
    for content in contents:
        yield transcript(content), hook("PreCompact"), hook("SessionStart")
        yield transcript(content), hook("PreToolUse"), hook("Stop")
        yield transcript(content), hook("PostCompact"), Part(">Store", seeds.stdin("Stop"))
    yield CYCLE


def _states(world: World) -> Iterable[Case]:
    files = _lived_through(world, CYCLE[:5])
    session = transcript(seeds.short_session())
    for pattern, steps in (
        ("*/position", ("PreToolUse", "Stop")),
        ("*/prepared", ("SessionStart",)),
        ("*/receipts/*", ("PreToolUse", "SessionStart")),
        ("*/limits", ("PreToolUse", "UserPromptSubmit")),
        ("*/levels/*", ("PreToolUse",)),
        ("*/context.json", ("PreToolUse", "PreCompact")),
        ("*/ledger.json", ("PreCompact", "Stop")),
        ("*/windows/*", ("Stop",)),
        ("*/snapshots/*.json", ("Stop", "SessionEnd")),
        ("*/firings/*", ("PreCompact",)),
    ):
        parts = [Part(name, data) for name, data in files.items() if fnmatch(name, pattern)]
        yield (session, *parts, *(hook(event) for event in steps))
    yield session, Part(own("pending"), b"5a" * 20 + b"\nSaid before."), hook("UserPromptSubmit")
    whole = [Part(name, data) for name, data in files.items() if not name.endswith(".db")]
    yield (session, *whole, hook("PreToolUse"), hook("Stop"), hook("SessionEnd"))
    ended = _lived_through(world, CYCLE)
    offered = [Part(name, data) for name, data in ended.items() if not name.endswith(".db")]
    inject = Part("home/.claude/compaction.json", b'{"fresh_start": "inject"}')
    for start in ("SessionStart.clear", "SessionStart.startup"):
        yield (*offered, hook("SessionStart", start))
        yield (inject, *offered, hook("SessionStart", start))


def _settings(world: World) -> Iterable[Case]:
    session = transcript(seeds.short_session())
    own_file = Part(
        "home/.claude/compaction.json",
        b'{"on_loss": "block", "injection_tokens": 500, "ratios": [0.5, 0.6, 0.7],'
        b' "store": "off", "ledger_items": 50, "fresh_start": "inject"}',
    )
    shared = Part("project/.claude/compaction.json", b'{"on_loss": "prompt", "auto": true}')
    yield session, own_file, shared, hook("PreToolUse")
    yield session, own_file, shared, hook("PreCompact")
    yield session, own_file, shared, Part("$config check", b""), Part("$config show", b"")
    folder = "project/.claude/tools/amplihack"
    steering = Part(
        f"{folder}/considerations.yaml",
        b'- id: compaction_handling\n  question: "q"\n  enabled: true\n- {id: a, severity: x}\n',
    )
    config = Part(
        f"{folder}/.power_steering_config",
        b'{"enabled": true, "checkers_enabled": {"compaction_handling": true}}',
    )
    yield steering, config, Part("$steering", b"")
    yield session, steering, config, hook("Stop")
    client = Part("home/.claude/settings.json", b'{"autoCompactWindow": 150000, "env": {}}')
    yield session, client, hook("PreToolUse"), Part("$status", b"")


def _databases(world: World) -> Iterable[Case]:
    files = _lived_through(world, CYCLE)
    store = Part(f"{RUNTIME}/store.db", files[f"{RUNTIME}/store.db"])
    session = transcript(seeds.short_session())
    yield session, store, Part(">Store", seeds.stdin("Stop"))
    yield session, store, Part(">Store", seeds.stdin("SessionEnd.other"))
    yield store, Part("$recall pnpm", b"")
    yield store, Part("$store stats", b""), Part("$store sessions", b"")


def _events(world: World) -> Iterable[Case]:
    files = _lived_through(world, CYCLE)
    events = f"{RUNTIME}/compaction_events.json"
    kept = [Part(name, data) for name, data in files.items() if "/windows/" in name]
    session = transcript(seeds.short_session())
    for step in ("$events", f"$validate -s {SESSION}", "$steering", f"$diagnose -s {SESSION}"):
        yield session, *kept, Part(events, files[events]), Part(step, b"")
    yield session, *kept, Part(events, files[events]), hook("Stop"), hook("PreCompact")


def _documents(world: World) -> Iterable[Case]:
    files = _lived_through(world, CYCLE)
    kept = [Part(name, data) for name, data in files.items() if "/snapshots/" in name]
    session = transcript(seeds.short_session())
    yield *kept, Part("$snapshot list", b""), Part("$snapshot show", b"")
    yield session, *kept, Part("$fresh-start", b"")
    note = (
        b"# Login\n\n## 2026-01-02\n\nDecision: tokens.\n\n- [ ] Tests\n- [x] Form\n\n```\nx\n```\n"
    )
    yield Part("project/features/login/CONTEXT.md", note * 3), Part("$feature status login", b"")
    yield (
        Part("project/features/login/CONTEXT.md", note * 9),
        Part("$feature compact login", b""),
        Part("$history login", b""),
        Part("$feature compact login --revert", b""),
    )
    memory = Part("project/.claude/memory/PROJECT_CONTEXT.md", note * 9)
    yield memory, Part("$context prune --dry-run", b"")


def _copies(world: World) -> Iterable[Case]:
    session = transcript(seeds.long_results())
    words = f"$compact transcript {SESSION} --keep-turns 0"
    files = _lived_through(world, (session, Part(words, b"")))
    yield session, Part(words, b"")
    manifests = [Part(name, data) for name, data in files.items() if name.endswith("copy.jsonl")]
    if not any(b'"n":1,' in manifest.content for manifest in manifests):
        raise FailedError("the copy that the cases begin with leaves nothing out")
    yield session, *manifests, Part("$expand", b""), Part("$compact transcript --list", b"")
    number = manifests[0].name.split("/")[-2][:8]
    yield session, *manifests, Part(f"$expand {number}.1", b"")


def _counters(world: World) -> Iterable[Case]:
    text = b"Never push to main; use pnpm. 12345 \xf0\x9f\x99\x82\n"
    yield (Part("$count", text),)
    yield (Part("$count", text * 20),)


def _status(world: World) -> Iterable[Case]:
    said = Part("$statusline", seeds.stdin("statusLine"))
    yield transcript(seeds.short_session()), said
    yield (said,)


def _lived_through(world: World, case: Case) -> dict[str, bytes]:
    run_case(world, _PLAIN, case)
    return seeds.kept_files(world)


_PLAIN = Target("plain", "", lambda _: (), 0)
TARGETS = {
    target.name: target
    for target in (
        Target("turns", "standard input of every turn's hooks, and their marks", _turns, 400),
        Target("payloads", "standard input of every hook", _payloads, 50),
        Target("transcripts", "transcripts, read by every hook", _transcripts, 45),
        Target("states", "files of the runtime folder", _states, 35, checks_texts=False),
        Target("settings", "settings and steering files", _settings, 20),
        Target("databases", "the session store's database", _databases, 15),
        Target("events", "lists of compactions and their windows", _events, 15),
        Target("documents", "snapshots, features, memory", _documents, 10, checks_texts=False),
        Target("copies", "manifests of copies", _copies, 10),
        Target("counters", "texts to count", _counters, 200),
        Target("statusline", "what the client tells its status line", _status, 200),
    )
}
"""Every target by its name; the shares are thousandths of a whole run, by what a case costs."""
