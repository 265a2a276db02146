"""What a rule asks for, and so bars: whatever stands in the place of what is to be used.

A clause of a rule in, what it bars out: a command without its option, a program where another is
wanted, a port that is taken or not the one to be kept, files of a sort, pages of other sites, a
way of merging. `barred_clauses` has what is refused in so many words, `barred_things` what is
refused by what it is done to.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from amplihack_compaction.extract.barred_calls import Ban
from amplihack_compaction.extract.barred_clauses import (
    COMMANDS,
    CONDITION,
    EXTENSIONS,
    FILLERS,
    NEGATED,
    NO_BRANCH,
    ODD_COMMANDS,
    SLASHED_BRANCH,
    actions_in,
    clauses_of,
    commands_in,
    is_conditional,
    known_actions,
    named_by,
)
from amplihack_compaction.extract.barred_things import (
    files_by_the_shell,
    ports_freed,
    posts_to_a_channel,
    rows_of_a_table,
    secrets_shown,
)
from amplihack_compaction.extract.barred_words import PACKAGE_MANAGERS, programs, says_more, without
from amplihack_compaction.text.word_lists import patterns

RIVALS = (
    *PACKAGE_MANAGERS, "docker podman nerdctl", "jest vitest mocha", "terraform tofu",
    "grep rg ag ack", "find fd", "curl wget", "black ruff", "flake8 pylint ruff", "eslint biome",
    "prettier biome", "mypy pyright", "make just task", "pytest unittest nosetests", "mvn gradle",
    "cat bat", "sed sd", "npx pnpx bunx", "nvm fnm volta asdf mise",
)  # fmt: skip
"""Programs of which one stands for another."""
LANGUAGES = {
    "python": "py", "javascript": "js", "typescript": "ts", "ruby": "rb", "rust": "rs",
    "kotlin": "kt", "shell": "sh", "bash": "sh",
}  # fmt: skip
"""What files in a language end in."""
SORTS = "|".join((*sorted(EXTENSIONS.split(), key=len, reverse=True), *LANGUAGES))
_RIVAL_SORTS = {"ts": "js jsx", "tsx": "js jsx", "js": "ts tsx", "scss": "css", "kt": "java"}
_NAME = r"`?(?<![A-Za-z0-9_./-])[a-z][A-Za-z0-9_.-]*(?<=[A-Za-z0-9_])`?"


def _pattern(name: str) -> re.Pattern[str]:
    text = patterns("barred_needs")[name].replace("NAME", _NAME).replace("SORTS", f"(?:{SORTS})")
    return re.compile(text, re.IGNORECASE)


_MUST_HAVE = _pattern("must have")
LACKS = _pattern("lacks")
"""What a command must not lack stands behind this."""
_AROUND_A_FLAG = _pattern("around a flag")
_DOING = _pattern("doing")
_EACH_RUN = re.compile(
    r"\b(every|each|any|all|no|an?)\s+([a-z][\w.-]*)\s+(?:runs?|calls?|invocations?|commands?)\b",
    re.IGNORECASE,
)
_ONE_FOR_ANOTHER = _pattern("one for another")
_WANTS = _pattern("wants")
_USED_HERE = _pattern("used here")
_IS_NOT_LIKED = _pattern("is not liked")
_WHY_NOT = _pattern("why not")
_ONLY_THROUGH = _pattern("only through")
_SAYS_PORT = _pattern("port")
_NUMBER = _pattern("number")
_IS_TAKEN = _pattern("is taken")
_IS_REFUSED = _pattern("is refused")
_IS_KEPT = _pattern("is kept")
_LISTENS = _pattern("what listens")
_FEW_WORDS = 4
_STAYS_ON = re.compile(r"\b(?:stays?|keeps?) (?:\w+ ){0,3}on\b", re.IGNORECASE)
_ENDS_IT = re.compile(r"\b(?:kill|stop|free|close|touch|end|expos|block|open)\w*", re.IGNORECASE)
_NO_SORT = _pattern("no sort")
_ALL_IN = _pattern("all in")
_WRITTEN = _pattern("written in")
_IN_A_LANGUAGE = re.compile(
    rf"\b(?:in|as|to|en|em|на)\s+\.?({SORTS})\b|^\W*({SORTS}) only\b"
    rf"|^\W*(?:only|nur|que du|uniquement du|s[oó]lo|só|apenas|только) ({SORTS})\W*$"
    rf"|用\s*({SORTS})",
    re.IGNORECASE,
)
_SITES_ALONE = _pattern("sites alone")
_READS_PAGES = _pattern("reads pages")
_HOST = re.compile(patterns("prohibitions")["host"], re.IGNORECASE)
_NO_PAGES = re.compile(r"\b(?:deploy|push|publish|send|ssh|request|install|upload)\w*", re.I)
_SERVER = _pattern("server")
_SERVICE = _pattern("service")
_ONLY_READS = _pattern("only reads")
_BY_A_WAY = _pattern("by a way of merging")
_MERGES = _pattern("merges")
_SPEAKS_OF_MERGING = re.compile(r"merg|\bPRs?\b|pull[- ]request|\bMRs?\b", re.IGNORECASE)
_REQUESTS = re.compile(r"\bPRs?\b|pull[- ]request|\bMRs?\b", re.IGNORECASE)
_LETS_HOOKS_RUN = _pattern("lets hooks run")
_PART_OF_TESTS = _pattern("tests of a part")
_PART = re.compile(r"[,;.!]\s+|\s[-–—]\s|[，；。、]\s*|\s(?:because|weil|denn|porque)\s")
_FLAG = re.compile(
    r"(?<![\w-])`?(--?[A-Za-z][\w-]{0,40})"
    r"(?:=([\w./-]{0,60}\w)|\s{1,3}([a-z0-9][\w./-]{0,60})(?=\W{0,3}$))?`?",
    re.IGNORECASE,
)
# Options that are spelled in two ways, and what is said of a command that has one.
_OR_SO = {
    "-s": "--signoff", "-d": "--detach", "-i": "--interactive", "-p": "--patch", "-S": "--gpg-sign",
    "-E": "--save-exact", "-n": "--dry-run", "-D": "--save-dev", "--fail": "-f", "--quiet": "-q",
    "--verbose": "-v", "--namespace": "-n", "--location": "-L", "--silent": "-s",
}  # fmt: skip
_DONE_AS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (
        re.compile(r"\bdrafts?\b|entwurf|brouillon|borrador|rascunho", re.I),
        (
            "gh pr create ]--draft|-d",
            "glab mr create ]--draft",
            "mcp create_pull_request ]draft=true",
        ),
    ),
    (re.compile(r"\bsigned[- ]off\b", re.I), ("git commit ]--signoff|-s",)),
)
_WAYS_OF_MERGING = {
    "squash": ("--squash|-s", "merge_method=squash"),
    "rebase": ("--rebase|-r", "merge_method=rebase"),
    "merge commit": ("--merge|-m", "merge_method=merge"),
}


def bans_by_need(clause: str) -> Iterator[Ban]:
    """Yield what a clause bars by what it asks for."""
    for reading in (
        _only_read,
        _only_some_commands,
        _values_of_options,
        files_by_the_shell,
        _stays_on_a_branch,
        _ways_of_merging,
        _without_an_option,
        _sorts_refused,
        rows_of_a_table,
    ):
        if bans := tuple(reading(clause)):
            yield from bans
            return


def bans_beside_what_is_wanted(sentence: str) -> Iterator[Ban]:
    """Yield what a sentence bars by what it wants in its place: programs, ports, sorts, sites."""
    parts = [part for part in _PART.split(sentence.replace("’", "'")) if part]
    yield from _other_programs(sentence, parts)
    yield from _ports(sentence)
    yield from _one_command_refused(parts)
    if _LETS_HOOKS_RUN.search(sentence) and not NEGATED.search(sentence):
        action = known_actions()["skip hooks"]
        yield Ban(kind="command", what=action.commands, words=action.words.pattern)
    for part in parts:
        yield from _around_what_runs_it(part)
        yield from _other_sites(part)
        yield from _others_than_used_here(part)
        yield from posts_to_a_channel(part)
        if _STAYS_INSIDE.search(part):
            yield Ban(kind="outside", what=(), words=r"\boutside\b")
        yield from _other_sorts(part)
        yield from _programs_only_read(part)
        yield from secrets_shown(part)
        yield from ports_freed(part)
        yield from _all_where_some_is_meant(part)


def says_why_not(clause: str, others: Iterable[str]) -> bool:
    """Return whether a clause only says why a program is not the one that others want."""
    found = _IS_NOT_LIKED.match(clause)
    is_program = found is not None and _is_program(named_by(found, "y"))
    return is_program and any(_WANTS.search(other) for other in others if other != clause)


def asks_for_something(sentence: str) -> bool:
    """Return whether a sentence that may be a rule asks for what a call can be held against."""
    if not _MAY_ASK.search(sentence):
        return False
    asked = (bans_beside_what_is_wanted(sentence), *map(bans_by_need, clauses_of(sentence)))
    return any(True for bans in asked for _ in bans)


def programs_wanted(sentence: str) -> set[str]:
    """Return the programs that are wanted in the place of others."""
    return {named_by(found, "x") for found in _ONE_FOR_ANOTHER.finditer(sentence)}


_MAY_ASK = re.compile(
    r"(?<![\w-])--?[a-z]|\bmcp\b|\bhooks?\b|\bdrafts?\b|\.(?:dev|org|com|io|rs)\b|\bports?\b"
    r"|\b\d{4,5}\b|порт|端口|ポート|포트|puerto|porta|squash|rebase|\btests?\b"
    rf"|\b(?:namespaces?|contexts?|profiles?|regions?|read[- ]?only|branch|tokens?|secrets?"
    rf"|passwords?)\b"
    rf"|\b(?:{'|'.join(sorted({*map(re.escape, COMMANDS), *' '.join(RIVALS).split()}))})",
    re.IGNORECASE,
)


def _without_an_option(clause: str) -> Iterator[Ban]:
    """Yield what bars a command without an option that it must have."""
    said = _DOING.sub(" ", clause.replace("`", ""))
    if not LACKS.search(said) and (
        CONDITION.search(said) or NEGATED.search(said) or not _MUST_HAVE.search(said)
    ):
        return
    for words, done in _DONE_AS:
        if words.search(said) and not says_more(_AROUND_A_FLAG.sub(" ", words.sub(" ", said))):
            yield Ban(kind="command", what=done, words=words.pattern)
            return
    if variable := _SET_SO.search(said):
        yield from _lacking(
            variable.group(), f"{said[: variable.start()]} {said[variable.end() :]}"
        )
        return
    flags = list(_FLAG.finditer(said))
    if len(flags) != 1 or "force" in flags[0][1] or "hard" in flags[0][1]:
        return
    flag, value, word = flags[0].groups()
    is_value = word and not _AROUND_A_FLAG.fullmatch(word) and word not in FILLERS
    if value or is_value:
        given = f"{flag}={value or word}"
    else:
        given = "|".join(each for each in (flag, _OR_SO.get(flag)) if each)
    end = flags[0].end() if value or is_value else flags[0].end(1)
    yield from _lacking(given, f"{said[: flags[0].start()]} {said[end:]}")


_SET_SO = re.compile(r"(?<![\w$-])(?-i:[A-Z][A-Z0-9_]*)=[\w./-]*\w")


def _lacking(given: str, rest: str) -> Iterator[Ban]:
    """Yield what bars the commands that the rest of a clause speaks of where this is not given."""
    rest = _EACH_RUN.sub(r"\1 \2", rest)
    lines = commands_in(" ".join(rest.split()))
    if not lines:
        actions = actions_in(rest)
        lines = tuple(
            line for act in actions.values() for line in act.commands if line[:4] != "mcp "
        )
        for action in actions.values():
            rest = action.words.sub(" ", rest)
    rest = without(rest, [word for line in lines for word in line.split()])
    if lines and not says_more(_AROUND_A_FLAG.sub(" ", rest)):
        what = tuple(f"{line} ]{given}" for line in lines)
        yield Ban(kind="command", what=what, words=re.escape(given.partition("=")[0]))


def _ways_of_merging(clause: str) -> Iterator[Ban]:
    """Yield what bars merging a request in another way than the one that is wanted."""
    named = _BY_A_WAY.search(clause)
    if re.search(r"\b(?:instead of|rather than|statt)\b", clause):
        return
    if not named or not _SPEAKS_OF_MERGING.search(clause) or says_more(_MERGES.sub(" ", clause)):
        return
    way = named["way"].lower()
    if way == "merge commit" and not _REQUESTS.search(clause):  # such a commit may be made by hand
        return
    option, argument = _WAYS_OF_MERGING[way]
    if NEGATED.search(clause):
        others = "|".join(a for w, (_, a) in _WAYS_OF_MERGING.items() if w != way)
        is_asked = f"]{others}" if way == "merge commit" else argument
        lines = [f"gh pr merge {each}" for each in option.split("|")]
        lines += ["git merge --squash"] * (way == "squash")
        yield _merging(*lines, f"mcp merge_pull_request {is_asked}")
    elif _MUST_HAVE.search(clause):
        yield _merging(
            f"gh pr merge ]{option}|--disable-auto",
            *(("glab mr merge ]--squash|-s",) if way == "squash" else ()),
            f"mcp merge_pull_request ]{argument}",
        )


def _merging(*lines: str) -> Ban:
    return Ban(kind="command", what=lines, words=r"\bmerg\w*")


def _other_programs(sentence: str, parts: Sequence[str]) -> Iterator[Ban]:
    """Yield what bars one program where another is wanted: "use rg, grep is too slow"."""
    for found in _ONE_FOR_ANOTHER.finditer(sentence):
        wanted, refused = named_by(found, "x"), named_by(found, "y")
        line = _line_at(sentence, found, "y") if refused else ""
        yield from _instead(wanted, refused, line)
    liked = [named_by(found, "x") for found in map(_WANTS.search, parts) if found]
    for disliked in filter(None, map(_IS_NOT_LIKED.match, parts)):
        refused = named_by(disliked, "y")
        why = disliked["y2"] or _WHY_NOT.search(disliked["why"])
        for name in liked:
            if why or are_rivals(name, refused):
                yield from _instead(name, refused, refused)


def _others_than_used_here(part: str) -> Iterator[Ban]:
    """Yield what bars other managers of packages or containers than the one that is used here."""
    found = None if NEGATED.search(part) else _USED_HERE.search(part)
    name = named_by(found, "x") if found else ""
    for names in RIVALS[:_WHERE_ONE_IS_USED]:
        if name in (rivals := names.split()):
            what = tuple(each for each in rivals if each != name and not each.startswith(name))
            yield Ban(kind="command", what=what, words="|".join(what))


_WHERE_ONE_IS_USED = 4  # of the first kinds, a project has one


def _one_command_refused(parts: Sequence[str]) -> Iterator[Ban]:
    """Yield what bars one command of a program of which another is fine: "apply is not"."""
    for before, part in pairwise(parts):
        found = _REFUSES_ONE.match(part)
        lines = commands_in(before)
        if found and lines and not NEGATED.search(before):
            head = lines[0].split()[0]
            yield Ban(
                kind="command", what=(f"{head} {found[1].lower()}",), words=re.escape(found[1])
            )


_REFUSES_ONE = re.compile(
    r"\W*(?:but |the |an? )*([a-z][\w-]+?)(?:s|es)? (?:(?:is|are) (?:not|n't|never|forbidden"
    r"|off[- ]limits|taboo|banned|mine"
    r"|my (?:call|job)|for me|only for me|on me)|isn't|aren't|ist (?:nicht|tabu)|n'est pas|no"
    r"|não|não é|не)\b",
    re.IGNORECASE,
)


def _line_at(sentence: str, found: "re.Match[str]", letter: str) -> str:
    """Return the command that begins with what is named, with its own words behind it."""
    start = next(found.start(k) for k, v in found.groupdict().items() if k[0] == letter and v)
    lines = commands_in(f"run {sentence[start:].replace('`', '')}")
    return lines[0] if lines else ""


def are_rivals(one: str, other: str) -> bool:
    """Return whether of two programs one stands for the other."""
    return any({one, other} <= {*names.split()} for names in RIVALS)


def _is_program(name: str) -> bool:
    return name in COMMANDS or name in ODD_COMMANDS or name in programs()


def _instead(wanted: str, refused: str, line: str) -> Iterator[Ban]:
    if (
        wanted == line
        or (wanted == refused and line == refused)
        or not _is_program(wanted)
        or not _is_program(refused)
    ):
        return
    line = line if line.split()[:1] == [refused] else refused
    is_other = are_rivals(wanted, refused) and not wanted.startswith(refused)
    also = "" if is_other else f" ]{wanted}"
    yield Ban(kind="command", what=(f"{line}{also}",), words=rf"(?<![\w-]){re.escape(refused)}\b")


def _around_what_runs_it(part: str) -> Iterator[Ban]:
    """Yield what bars a command around the only one that may run it: "tests only via make"."""
    through = _ONLY_THROUGH.search(part)
    if through is None or NEGATED.search(part) or is_conditional(part):
        return
    which = next(name for name in ("x1", "x2", "x3") if through[name])
    runner = through[which].removeprefix(through["the"] or "").strip("`").split()[0].lower()
    if through["the"] and not _is_program(runner):
        return
    rest = f"{part[: through.start(which)]} {part[through.end(which) :]}"
    rest = _AROUND_A_FLAG.sub(" ", _THROUGH_WORD.sub(" ", rest))
    words = rest.lower().split()
    lines = [word for word in words if _is_program(word)]
    for name, kind in _CHECKS.items():
        if found := re.search(rf"\b(?:{name})\b", rest, re.IGNORECASE):
            lines.append(f"={kind}")
            rest = rest.replace(found.group(), " ")
    rest = without(rest, lines)
    if len(lines) == 1 and runner != lines[0] and not says_more(rest):
        yield Ban(kind="command", what=(f"{lines[0]} ]{runner}",), words=re.escape(runner))


_THROUGH_WORD = re.compile(
    r"\b(?:via|through|thru|using|über|par|a través de|por medio de|através d[eo]|через"
    r"|go(?:es)?)\b",
    re.IGNORECASE,
)
_CHECKS = {
    "tests?|test ?suite|pruebas|testes|тесты": "test",
    "builds?|building": "build",
    "lint(?:er|ing|ers)?": "lint",
    "format(?:ter|ting)?": "format",
}


def _ports(sentence: str) -> Iterator[Ban]:
    """Yield what bars the ports that are taken, or all but the one that is to be kept."""
    if not _SAYS_PORT.search(sentence):
        return
    taken, free = list[str](), list[str]()
    for number in _NUMBER.finditer(sentence):
        before = sentence[: number.start()]
        refused = _IS_REFUSED.search(before)
        is_refused = refused is not None and not _ENDS_IT.search(before)
        is_taken = _IS_TAKEN.match(sentence[number.end() :].lstrip()) is not None
        (taken if is_taken or is_refused else free).append(number[1])
    if taken:
        yield port_ban(taken)
    elif len({*free}) == 1 and _IS_KEPT.search(sentence) and not CONDITION.search(sentence):
        is_told = _LISTENS.search(sentence) or len(sentence.split()) <= _FEW_WORDS
        if is_told and not NEGATED.search(_STAYS_ON.sub(" ", sentence)):
            yield port_ban([f"!{free[0]}"])


def port_ban(ports: Iterable[str]) -> Ban:
    """Return what bars taking these ports; with `!`, any other."""
    what = tuple(dict.fromkeys(ports))
    return Ban(kind="port", what=what, words=rf"\b(?:{'|'.join(p.lstrip('!') for p in what)})\b")


def _sorts_refused(clause: str) -> Iterator[Ban]:
    """Yield what bars new files of a sort: "no more .js"."""
    if found := _NO_SORT.fullmatch(clause):
        sort = (found["sort"] or found["sort2"]).lower()
        is_sort = found["dot"] or found["dot2"] or found["files"] or re.search("mehr|new", clause)
        if is_sort:
            yield _new_files(LANGUAGES.get(sort, sort))


def _new_files(*sorts: str) -> Ban:
    words = "|".join(map(re.escape, sorts))
    return Ban(
        kind="path", what=tuple(f"*.{sort}" for sort in sorts), ways=("create",), words=words
    )


def _other_sorts(part: str) -> Iterator[Ban]:
    """Yield what bars new files of the language that another is wanted for."""
    named = _IN_A_LANGUAGE.search(part)
    if named is None or NEGATED.search(part) or CONDITION.search(part):
        return
    language = next(filter(None, named.groups())).lower()
    is_all = _ALL_IN.search(part) and (_WRITTEN.search(part) or named[1] is None)
    rivals = _RIVAL_SORTS.get(LANGUAGES.get(language, language))
    if is_all and rivals:
        yield _new_files(*rivals.split())


def _other_sites(part: str) -> Iterator[Ban]:
    """Yield what bars pages of all sites but those that alone may be read."""
    hosts = [next(filter(None, found)).lower() for found in _HOST.findall(part)]
    if not hosts or not _SITES_ALONE.search(part) or _NO_PAGES.search(part):
        return
    said = part
    for host in hosts:
        said = said.replace(host, " docs " if host.startswith("docs.") else " ")
    if _READS_PAGES.search(said):
        what = (" ".join(f"!{host}" for host in dict.fromkeys(hosts)),)
        yield Ban(kind="host", what=what, words=r"https?://")


def servers_in(said: str) -> tuple[str, ...]:
    """Return what the tools of the servers begin with that are named: `the jira mcp`."""
    names = (named_by(found, "s") for found in _SERVER.finditer(said))
    return tuple(f"mcp__{name}" for name in names if name not in (FILLERS - {"github"}) | NO_BRANCH)


def _only_read(clause: str) -> Iterator[Ban]:
    """Yield what bars a server's tools but for those that read."""
    if not _ONLY_READS.search(clause):
        return
    services = (f"mcp__{named_by(found, 's')}" for found in _SERVICE.finditer(clause))
    if servers := (*servers_in(clause), *services):
        yield Ban(kind="tool", what=servers, ways=("write",), words="|".join(servers))


def _all_where_some_is_meant(part: str) -> Iterator[Ban]:
    """Yield what bars doing to all what only what was changed is to have: tests, a formatter."""
    if NEGATED.search(part):
        return
    if _UNIT_TESTS_ALONE.search(part):
        others = ("=test %integration|e2e|end-to-end|acceptance", "playwright test", "cypress run")
        yield Ban(kind="command", what=others, words=r"\b(?:integration|e2e)\b")
    elif _PART_OF_TESTS.search(part):
        yield Ban(kind="command", what=("=test all",), words=r"\btests?\b")
    elif _PART_OF_FILES.search(part) and (lines := commands_in(part)):
        what = tuple(f"{line} [" for line in lines)
        yield Ban(kind="command", what=what, words="|".join(map(re.escape, lines)))


_UNIT_TESTS_ALONE = re.compile(
    r"\b(?:only|just|nur|uniquement|solo|sólo|só|apenas)\b.{0,20}\bunit[- ]?tests?\b"
    r"|\bunit tests? only\b",
    re.I,
)
_PART_OF_FILES = re.compile(
    r"\bonly\b.{0,30}\b(?:(?:you|that|were?|was|ha[sv]e?|i) (?:\w+ )?(?:chang|touch|edit"
    r"|modif)\w*|(?:touched|changed|modified|staged) files?)"
    r"|\bnur\b.{0,30}\b(?:geänderte\w*|angefasste\w*)|\b(?:seulement|uniquement"
    r"|que)\b.{0,30}modifi",
    re.IGNORECASE,
)


def _programs_only_read(part: str) -> Iterator[Ban]:
    """Yield what bars what a program changes: "kubectl is read-only for you"."""
    lines = commands_in(part) if _ONLY_READS.search(part) else ()
    what = tuple(f"{line} ?" for line in lines if " " not in line)
    if what and not says_more(_ONLY_READS.sub(" ", without(part, lines))):
        yield Ban(kind="command", what=what, words="|".join(map(re.escape, lines)))


def _only_some_commands(clause: str) -> Iterator[Ban]:
    """Yield what bars a program but for what of it alone may be used: `only kubectl get`."""
    lines = [line.split() for line in commands_in(clause)]
    if not lines or not _ONLY.search(clause) or NEGATED.search(clause) or CONDITION.search(clause):
        return
    heads = {line[0] for line in lines}
    rest = without(clause, [word for line in lines for word in line])
    is_all = all(len(line[1:]) == 1 and line[1].isalpha() for line in lines)
    is_all = is_all and (len(lines) > 1 or not heads & {*" ".join(PACKAGE_MANAGERS).split()})
    if is_all and len(heads) == 1 and not says_more(_AROUND_A_FLAG.sub(" ", rest)):
        head = heads.pop()
        used = "|".join(line[1] for line in lines)
        yield Ban(kind="command", what=(f"{head} ]{used}",), words=re.escape(head))


_ONLY = re.compile(
    r"\b(?:only|nur|uniquement|seulement|solo|sólo|somente|só|apenas|только)\b", re.I
)


def _values_of_options(clause: str) -> Iterator[Ban]:
    """Yield what bars another project, namespace, region than the only one, or one of these."""
    region = _REGION.search(clause)
    if region and _OUT_OF.search(clause):
        yield Ban(kind="command", what=(f"* ~~{region.group().lower()}",), words=region.group())
        return
    found = _IN_A_PLACE.search(clause) or _IN_PLACE_NAMED_BEFORE.search(clause)
    if found is None or not _ONLY.search(clause) or NEGATED.search(clause):
        return
    noun = _PLACES_OF[found["noun"].lower()[:4]]
    value = named_by(found, "v")
    if value in FILLERS or value in NO_BRANCH:
        return
    lines = tuple(
        f"{head} {flag} ]{flag}={value}" for head, flags in noun for flag in flags.split("|")
    )
    yield Ban(kind="command", what=lines, words=re.escape(value))


_REGION = re.compile(
    r"\b(?:us|eu|ap|sa|ca|af|me)-(?:north|south|east|west|central)\w{0,4}-\d\b", re.I
)
_OUT_OF = re.compile(
    r"\b(?:(?:stay|keep) (?:out|away)|never|don'?t|do not|not|no|nie|nicht|pas|nunca|não|не)\b",
    re.I,
)
_PLACE = r"(?P<noun>projects?|namespaces?|contexts?|profiles?|regions?)"
_IN_A_PLACE = re.compile(
    rf"\b{_PLACE} `?(?P<v>(?!only\b|in\b|for\b|please\b|pls\b|is\b)[a-z][\w-]*)`?", re.IGNORECASE
)
_IN_PLACE_NAMED_BEFORE = re.compile(rf"`?(?<![\w-])(?P<v>[a-z][\w-]*)`? {_PLACE}\b", re.IGNORECASE)
_PLACES_OF = {
    "proj": (("gcloud", "--project"), ("firebase", "--project|-P"), ("bq", "--project_id")),
    "name": (("kubectl", "-n|--namespace"), ("helm", "-n|--namespace")),
    "cont": (("kubectl", "--context"), ("helm", "--kube-context"), ("docker", "--context")),
    "prof": (("aws", "--profile"),),
    "regi": (("aws", "--region"), ("gcloud", "--region")),
}


_STAYS_INSIDE = re.compile(
    r"\b(?:stay|remain|keep) (?:inside|within|in) (?:of )?(?:the|this|our) (?:repo\w*|project"
    r"|workspace|folder|directory)\b",
    re.IGNORECASE,
)


def _stays_on_a_branch(clause: str) -> Iterator[Ban]:
    """Yield what bars leaving the branch that is to be worked on."""
    found = _STAYS_ON_BRANCH.search(clause)
    if found is None:
        return
    name = named_by(found, "b")
    is_branch = "/" in name or "branch" in clause.lower() or name in ("main", "master", "develop")
    if is_branch and name not in NO_BRANCH and (found["stays"] or _ONLY.search(clause)):
        what = (
            f"git checkout @ ]{name}",
            f"git switch @ ]{name}",
            "git checkout -b",
            "git switch -c",
        )
        yield Ban(kind="command", what=what, words=r"\bbranch|" + re.escape(name))


_STAYS_ON_BRANCH = re.compile(
    r"\b(?:(?P<stays>stay|remain|bleib\w*|reste\w*|quédate|fique)|work\w*|arbeite\w*|travaill\w*"
    r"|trabaj\w*|trabalh\w*) (?:only |nur |solo |só )?(?:on|in|auf|sur|en|em|na) "
    r"(?:the |my |our |dem |der |la |el |o |a )?(?:(?:branch|zweig|branche"
    r"|rama) `?(?P<b1>[\w./-]*\w)`?"
    rf"|`?(?P<b2>{SLASHED_BRANCH}|main|master|develop)`?(?: branch)?)",
    re.IGNORECASE,
)
