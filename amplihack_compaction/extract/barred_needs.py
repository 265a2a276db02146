"""What a rule asks for, and so bars: whatever does the same in another way.

Of "run the tests only through make" the way is `make`; what is left, the tests, may not be run
without it. Where nothing is left, what does the same as the way is barred: "pnpm only".
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from amplihack_compaction.extract.barred_calls import Ban
from amplihack_compaction.extract.barred_clauses import (
    COMMANDS,
    CONDITION,
    EXTENSIONS,
    FILLERS,
    HOST,
    NEGATED,
    NO_BRANCH,
    ODD_COMMANDS,
    SLASHED_BRANCH,
    branches_in,
    commands_in,
    line_at,
    named_by,
    paths_in,
)
from amplihack_compaction.extract.barred_words import (
    PACKAGE_MANAGERS,
    bans_of_doings,
    in_english,
    is_known_line,
    programs,
    says_more,
    without,
)
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import has_cjk

FAMILIES = (
    *PACKAGE_MANAGERS, "docker podman nerdctl", "jest vitest mocha", "terraform tofu",
    "grep rg ag ack", "find fd", "curl wget httpie", "black ruff autopep8 yapf",
    "flake8 pylint ruff",
    "eslint biome", "prettier biome", "mypy pyright", "make just task", "pytest unittest nosetests",
    "mvn gradle", "cat bat", "sed sd", "npx pnpx bunx", "nvm fnm volta asdf mise",
)  # fmt: skip
"""Programs of which one stands for another."""
_OF_ONE_KIND = 4  # of the first kinds, a project has one
LANGUAGES = {
    "python": "py", "javascript": "js", "typescript": "ts", "ruby": "rb", "rust": "rs",
    "kotlin": "kt", "shell": "sh", "bash": "sh",
}  # fmt: skip
"""What files in a language end in."""
SORTS = "|".join((*sorted(EXTENSIONS.split(), key=len, reverse=True), *LANGUAGES))
_RIVAL_SORTS = {"ts": "js jsx", "tsx": "js jsx", "js": "ts tsx", "scss": "css", "kt": "java"}
_PATTERNS = {
    name: re.compile(text.replace("SORTS", f"(?:{SORTS})"), re.IGNORECASE)
    for name, text in patterns("barred_needs").items()
}
ALONE = _PATTERNS["alone"]
"""Says that something holds always, or for one thing alone."""
_OF_EACH = _PATTERNS["of each"]
LACKS = _PATTERNS["lacks"]
"""What a command must not lack stands behind this."""
_AROUND = _PATTERNS["around"]
_NAME = re.compile(r"(?<![A-Za-z0-9_./@-])(?:\./)?[a-z][A-Za-z0-9_.-]*[A-Za-z0-9_]", re.IGNORECASE)
# Words of every day that are programs where they stand as one.
ODD_WAYS = {*" ".join(FAMILIES).split(), *"node python python3 ruby php rails rake".split()}
# What runs other programs.
_RUNNERS = frozenset(
    "uv poetry pdm pipenv hatch rye conda mise bundle docker npx bunx pnpm yarn bun npm fvm".split()
)
Bar = Callable[[str], Iterable[Ban]]


@dataclass(frozen=True, slots=True)
class Mention:
    """A program that a clause names, with its own words: it is wanted, refused, or neither."""

    line: str
    start: int
    end: int
    wanted: bool
    refused: bool

    @property
    def head(self) -> str:
        """The program."""
        return self.line.split()[0]


def mentions(clause: str) -> list[Mention]:
    """Return the programs that a clause names, in its order."""
    said, found, at = clause.replace("`", " "), list[Mention](), 0
    for name in _NAME.finditer(said):
        before = found[-1] if found else None
        if name.start() >= at and (each := _mentioned(said, at, name, before)):
            found.append(each)
            at = each.end
    if ALONE.search(said) and not any(each.wanted for each in found):
        found = [replace(each, wanted=not each.refused) for each in found]
    return found


def _mentioned(said: str, at: int, name: "re.Match[str]", before: Mention | None) -> Mention | None:
    line, end = line_at(said, name)
    between, behind = said[at : name.start()], said[end:]
    is_used = _PATTERNS["used"].search(between) is not None
    if not _is_named(said, name, line, is_used=is_used):
        return None
    is_used = is_used or bool(
        _PATTERNS["but for"].search(between) or _PATTERNS["used behind"].match(behind)
    )
    is_refused = _is_refused(between, behind, before, is_used=is_used)
    if before and _AND.fullmatch(between):
        is_used = before.wanted
    return Mention(line, name.start(), end, is_used and not is_refused, is_refused)


def _is_refused(between: str, behind: str, before: Mention | None, *, is_used: bool) -> bool:
    if _PATTERNS["but for"].search(between):
        return False
    if _PATTERNS["refused behind"].match(behind) or re.search(r"\bover\s$", between):
        return True
    # Of "npm 말고 pnpm" the negation is said of what stands before it.
    if NEGATED.search(between) and not (before and before.refused and has_cjk(between)):
        return True
    return before is not None and before.refused and not is_used


def _is_named(said: str, name: "re.Match[str]", line: str, *, is_used: bool) -> bool:
    """Return whether a word stands for a program, and not for what it says on every day."""
    word = name.group().removeprefix("./")
    if word.lower() in COMMANDS:
        return True
    before, behind = said[: name.start()], said[name.start() + len(line) :]
    if word not in ODD_WAYS | ODD_COMMANDS:
        is_through = _PATTERNS["through"].search(before) and ALONE.search(said)
        return is_used and (word in programs() or bool(is_through))
    if is_used or " " in line or _NOT.search(before) or _PATTERNS["refused behind"].match(behind):
        return True
    is_whole = not behind.strip(" .!") or _IS_SO.match(behind) is not None
    return word in ODD_WAYS and is_whole and not before.strip()


_NOT = re.compile(
    r"\b(?:no|not|never|than|instead of|over|and|or|statt|kein\w*|nicht|pas|de|не|вместо|bare"
    r"|direkt)\s+$",
    re.IGNORECASE,
)
_IS_SO = re.compile(
    r" (?:is|has|takes|keeps|was|hangs|breaks|only|please|instead|ist|est|es)\b", re.I
)
_AND = re.compile(r"\W*(?:and|or|und|oder|et|ou|y|o|e|и|或|/|,)\W*")


def but_for(ban: Ban, wanted: Sequence[Mention], *, is_way: bool = False) -> Ban:
    """Return a ban of commands without those that are run by what is wanted, or are it."""
    if ban.kind != "command":
        return ban
    what = []
    for line in ban.what:
        heads = line.split()
        if heads[0] == "sudo" or any(each.line == line for each in wanted):
            what += [line] * (heads[0] == "sudo")
            continue
        names = dict.fromkeys(
            filter(None, (_told_by(each, line, is_way=is_way) for each in wanted))
        )
        what.append(f"{line} lacks:{'|'.join(names)}" if names else line)
    return replace(ban, what=tuple(what))


def _told_by(wanted: Mention, line: str, *, is_way: bool) -> str:
    """Return the word by which what is wanted is told from a line that is barred."""
    if not is_way and " " not in wanted.line and wanted.head not in _RUNNERS:
        return ""
    return next((word for word in wanted.line.split() if word not in line.split()), "")


def bans_by_need(clauses: Sequence[str], bar: Bar) -> Iterator[Ban]:
    """Yield what clauses bar by what they ask for; `bar` tells what bars what is refused."""
    named = [each for clause in clauses for each in mentions(clause)]
    wanted = [each for each in named if each.wanted]
    for other in named:
        rivals = [each for each in wanted if _stands_for(each, other)]
        if not other.wanted and rivals:
            yield but_for(_ban(other.line), rivals)
    yield from _ports(clauses)
    for clause in clauses:
        yield from tuple(_elsewhere(clause)) or _by_no_other_way(clause, bar)
        yield from _read_alone(clause)
        yield from _other_sites(clause)
        if NEGATED.search(clause):
            continue
        yield from _other_sorts(clause)
        yield from _all_where_some_is_meant(clause)
        if _PATTERNS["by request"].search(clause):
            yield from bar(f"push to {' or '.join(branches_in(clause) or ('main', 'master'))}")
        if _PATTERNS["lets hooks run"].search(clause):
            yield from bar("skip hooks")


def _ban(*lines: str) -> Ban:
    words = "|".join(rf"(?<![\w-]){re.escape(line.split()[0])}(?![\w-])" for line in lines)
    return Ban(kind="command", what=lines, words=words)


def _stands_for(wanted: Mention, other: Mention) -> bool:
    if other.refused:
        return wanted.line != other.line
    if wanted.head == other.head:
        return " " in wanted.line and " " in other.line and wanted.line != other.line
    return any({wanted.head, other.head} <= {*names.split()} for names in FAMILIES)


_FLAG = re.compile(
    r"(?<![\w-])(--?[A-Za-z][\w-]{0,40})"
    r"(?:=([\w./-]{0,60}\w)|\s{1,3}([a-z0-9][\w./-]{0,60})(?=\W{0,3}$))?",
    re.IGNORECASE,
)
_SET_SO = re.compile(r"(?<![\w$-])(?-i:[A-Z][A-Z0-9_]*)=[\w./-]*\w")
# Options that are spelled in two ways.
_OR_SO = {
    "-s": "--signoff", "-d": "--detach", "-i": "--interactive", "-p": "--patch", "-S": "--gpg-sign",
    "-E": "--save-exact", "-n": "--dry-run", "-D": "--save-dev", "--fail": "-f", "--quiet": "-q",
    "--verbose": "-v", "--namespace": "-n", "--location": "-L", "--silent": "-s",
}  # fmt: skip
# What is said of a command that has an option.
_SAID_SO = {
    re.compile(words, re.IGNORECASE): tuple(lines)
    for words, *lines in (
        (r"\bdrafts?\b|entwurf|brouillon|borrador|rascunho", "gh pr create lacks:--draft|-d",
         "glab mr create lacks:--draft", "mcp create_pull_request lacks:draft=true"),
        (r"\bsigned[- ]off\b", "git commit lacks:--signoff|-s"),
        (r"\bsigned\b|\bsigniert\b|\bsigné\w*|\bfirmad\w+|\bassinad\w+",
         "git commit lacks:-S|--gpg-sign"),
        (r"\bsquash(?:e?d|ing)?(?:[- ]merg\w*)?\b", "gh pr merge lacks:--squash|-s|--disable-auto",
         "glab mr merge lacks:--squash|-s",
         "mcp merge_pull_request lacks:merge_method=squash"),
        (r"\brebas(?:e|ed|ing)(?:[- ]merg\w*)?\b", "gh pr merge lacks:--rebase|-r|--disable-auto",
         "mcp merge_pull_request lacks:merge_method=rebase"),
    )
}  # fmt: skip
_OF_REQUESTS = re.compile(
    r"\bmerg|\bPRs?\b|\bMRs?\b|\b(?:pull|merge)[- ]requests?\b", re.IGNORECASE
)
_OF_COMMITS = re.compile(
    r"\b(?:commits?|PRs?|pull[- ]requests?|MRs?|merg\w*|requests?|branch(?:es)?|master|main|github"
    r"|as|be|into|history|method)\b",
    re.I,
)


def _by_no_other_way(clause: str, bar: Bar) -> Iterator[Ban]:
    """Yield what bars doing what a clause speaks of without the option or program it wants."""
    said = _WHEN.sub(" ", clause.replace("`", ""))
    is_always = _holds_always(said)
    if not LACKS.search(said) and (
        not (is_always or _OF_EACH.search(clause)) or CONDITION.search(said) or _refuses(said)
    ):
        return
    if lines := _said_so(said):
        yield _ban(*lines)
    elif option := _option(said):
        given, start, end = option
        yield from _lacking(f"{said[:start]} {said[end:]}", f"lacks:{given}", bar)
    elif is_always and (ways := [each for each in mentions(said) if each.wanted]):
        yield from _but_by(said, ways, bar)


def _but_by(said: str, ways: Sequence[Mention], bar: Bar) -> Iterator[Ban]:
    """Yield what bars doing what is spoken of, or what stands for the ways, but by these."""
    rest = said
    for each in reversed(ways):
        rest = f"{rest[: each.start]} {rest[each.end :]}"
    if says_more(_AROUND.sub(" ", rest)):
        heads = {way.head for way in ways}
        for ban in _doing(rest, bar):
            if not any(line.split()[0] in heads for line in ban.what):
                yield but_for(ban, ways, is_way=True)
    else:
        yield from _rest_of_family(ways)


def _said_so(said: str) -> tuple[str, ...]:
    """Return what is lacking where each commit or request is to be so: drafts, signed, squashed."""
    for words, lines in _SAID_SO.items():
        left = _AROUND.sub(" ", _OF_COMMITS.sub(" ", words.sub(" ", said)))
        if lines[0].startswith("gh pr merge") and not _OF_REQUESTS.search(said):
            continue  # "we need to rebase on main now" speaks of a branch
        if words.search(said) and _OF_COMMITS.search(said) and not says_more(left):
            return lines
    return ()


def _option(said: str) -> tuple[str, int, int] | None:
    """Return the one option or variable that is named, with where it stands; None for none."""
    if variable := _SET_SO.search(said):
        return variable.group(), *variable.span()
    flags = list(_FLAG.finditer(said))
    if len(flags) != 1 or "force" in flags[0][1] or "hard" in flags[0][1]:
        return None
    flag, value, word = flags[0].groups()
    if word and says_more(word) and not _AROUND.fullmatch(word):
        value = value or word
    if value:
        return f"{flag}={value}", *flags[0].span()
    return "|".join(filter(None, (flag, _OR_SO.get(flag)))), *flags[0].span(1)


_WHEN = re.compile(
    r"\b(?:when(?:ever)?|while|if|beim|for|on)\s+"
    r"(?:you(?:'re| are| need| use| run| call| want)? )?(?:to )?"
    r"(?=[a-z]+\b)",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(
    r"\b(?:and )?nothing (?:else|but|other than)\b"
    r"|\b(?:(?:not|never|no|don'?t)\b.{1,40})?\b(?:other than|anything but)\b",
    re.IGNORECASE,
)


def _refuses(said: str) -> bool:
    """Return whether a clause refuses something, and does not only allow one thing alone."""
    return NEGATED.search(_NOTHING_ELSE.sub(" ", said)) is not None


def _holds_always(said: str) -> bool:
    """Return whether something is said to hold alone; of what a project has one, without a word."""
    used = [each.head for each in mentions(said) if each.wanted]
    return ALONE.search(said) is not None or (
        len(used) == 1 and any(used[0] in names.split() for names in FAMILIES[:_OF_ONE_KIND])
    )


def _doing(rest: str, bar: Bar) -> list[Ban]:
    """Return what bars what the rest of a clause speaks of, that is done with commands."""
    for said in (ALONE.sub(" ", rest), f"run {_AROUND.sub(' ', rest)}"):
        bans = [ban for ban in bar(" ".join(said.split())) if ban.kind == "command"]
        if bans := [ban for ban in bans if is_known_line(ban.what[0], programs())]:
            return bans
    return []


_EACH_RUN = re.compile(
    r"\b(every|each|any|all|no|an?)\s+([a-z][\w.-]*)\s+(?:runs?|calls?|invocations?|commands?)\b",
    re.IGNORECASE,
)


def _lacking(rest: str, sign: str, bar: Bar) -> Iterator[Ban]:
    """Yield what bars the commands that the rest of a clause speaks of where this is not given."""
    rest = _EACH_RUN.sub(r"\1 \2", rest)
    lines = tuple(each.line for each in mentions(rest)) or commands_in(" ".join(rest.split()))
    if lines:
        if not says_more(
            _AROUND.sub(" ", without(rest, [w for line in lines for w in line.split()]))
        ):
            yield _ban(*(f"{line} {sign}" for line in lines))
        return
    for ban in _doing(NEGATED.sub(" ", rest), bar):
        lines = tuple(f"{line} {sign}" for line in ban.what if line[:4] != "mcp ")
        yield replace(ban, what=lines)


def _rest_of_family(ways: Sequence[Mention]) -> Iterator[Ban]:
    """Yield what bars all that stands for what alone is used."""
    used = {each.head for each in ways}
    others = [
        name
        for names in FAMILIES
        if used & {*names.split()}
        for name in names.split()
        if name not in used
    ]
    if others:
        for other in dict.fromkeys(others):
            yield but_for(_ban(other), ways)
    elif len(used) == 1 and used != {"git"} and all(" " in each.line for each in ways):
        head = ways[0].head
        yield _ban(f"{head} lacks:{'|'.join(each.line.split()[1] for each in ways)}")


def _read_alone(clause: str) -> Iterator[Ban]:
    """Yield what bars changing what is only to be read: by a server, a program, a database."""
    found = _PATTERNS["only reads"].search(clause)
    if found is None:
        return
    service = _PATTERNS["service"].search(clause)
    if servers := (*servers_in(clause), *((f"mcp__{named_by(service, 's')}",) if service else ())):
        yield Ban(kind="tool", what=servers, ways=("write",), words="|".join(servers))
    rest = f"{clause[: found.start()]} {clause[found.end() :]}"
    lines = tuple(each.line for each in mentions(rest) if " " not in each.line)
    if lines and not says_more(without(rest, lines)):
        yield _ban(*(f"{line} if:changes" for line in lines))
    elif not paths_in(clause):
        rest += " the database" * ("select" in found.group().lower())
        yield from bans_of_doings(in_english(f"write to {rest}"))


def servers_in(said: str) -> tuple[str, ...]:
    """Return what the tools of the servers begin with that are named: `the jira mcp`."""
    names = (named_by(found, "s") for found in _PATTERNS["server"].finditer(said))
    return tuple(f"mcp__{name}" for name in names if name not in (FILLERS - {"github"}) | NO_BRANCH)


_NUMBER = re.compile(r"(?<![A-Za-z0-9_.:/-])(?:localhost)?:?(\d{4,5})(?![A-Za-z0-9_/%-]|\.\d)")
_ENDS_IT = re.compile(r"\b(?:kill|stop|free|close|touch|end|expos|block|open)\w*", re.IGNORECASE)


def _ports(clauses: Sequence[str]) -> Iterator[Ban]:
    """Yield what bars the ports that are taken or refused; else all but the one that is kept."""
    if not any(map(_PATTERNS["port"].search, clauses)):
        return
    taken, kept = list[str](), list[str]()
    for clause in clauses:
        is_always = ALONE.search(clause) or _OF_EACH.search(clause)
        is_kept = is_always and not (NEGATED.search(clause) or CONDITION.search(clause))
        for number in _NUMBER.finditer(clause):
            before = clause[: number.start()]
            refused = NEGATED.search(before) or _PATTERNS["refused behind"].match(
                clause, number.end()
            )
            if _PATTERNS["is taken"].match(clause[number.end() :].lstrip()) or (
                refused and not _ENDS_IT.search(before)
            ):
                taken.append(number[1])
            elif is_kept:
                kept.append(number[1])
    if not taken and len({*kept}) > 1:
        return
    if numbers := tuple(dict.fromkeys(taken or kept)):
        what = numbers if taken else (f"!{numbers[0]}",)
        yield Ban(kind="port", what=what, words=rf"\b(?:{'|'.join(numbers)})\b")


def _other_sites(clause: str) -> Iterator[Ban]:
    """Yield what bars pages of all sites but those that alone may be read."""
    hosts = [next(filter(None, found)).lower() for found in HOST.findall(clause)]
    is_alone = ALONE.search(clause) and _PATTERNS["reads pages"].search(HOST.sub(" ", clause))
    if hosts and is_alone and not _refuses(clause):
        what = (" ".join(f"!{host}" for host in dict.fromkeys(hosts)),)
        yield Ban(kind="host", what=what, words=r"https?://")


_IN_A_LANGUAGE = re.compile(
    rf"\b(?:in|as|to|en|em|на)\s+\.?({SORTS})\b|^\W*({SORTS}) only\b"
    rf"|^\W*(?:only|nur|que du|uniquement du|s[oó]lo|só|apenas|только) ({SORTS})\W*$"
    rf"|用\s*({SORTS})(?![a-z])",
    re.IGNORECASE,
)


def _other_sorts(clause: str) -> Iterator[Ban]:
    """Yield what bars new files of the language that another is wanted for."""
    named = _IN_A_LANGUAGE.search(clause)
    if named is None or CONDITION.search(clause):
        return
    language = next(filter(None, named.groups())).lower()
    rivals = _RIVAL_SORTS.get(LANGUAGES.get(language, language), "").split()
    if rivals and _PATTERNS["all in"].search(clause):
        what = tuple(f"*.{sort}" for sort in rivals)
        yield Ban(kind="path", what=what, ways=("create",), words="|".join(rivals))


_UNIT_TESTS_ALONE = re.compile(
    r"\b(?:only|just|nur|uniquement|solo|sólo|só|apenas)\b.{0,20}\bunit[- ]?tests?\b"
    r"|\bunit tests? only\b",
    re.I,
)


def _all_where_some_is_meant(clause: str) -> Iterator[Ban]:
    """Yield what bars doing to all what only what was changed is to have: tests, a formatter."""
    if _UNIT_TESTS_ALONE.search(clause):
        yield _ban(
            "does:test part:integration|e2e|end-to-end|acceptance", "playwright test", "cypress run"
        )
    elif _PATTERNS["a part"].search(clause):
        if lines := tuple(each.line for each in mentions(clause)):
            yield _ban(*(f"{line} if:whole" for line in lines))
        elif re.search(r"\btests?\b|测试|テスト|테스트|тест", clause, re.IGNORECASE):
            yield _ban("does:test if:whole")


_PLACE = r"(?<!-)\b(?P<noun>projects?|namespaces?|contexts?|profiles?|regions?)"
_IN_A_PLACE = re.compile(
    rf"{_PLACE} `?(?P<v>(?!only\b|in\b|for\b|please\b|pls\b|is\b)[a-z][\w-]*)`?", re.IGNORECASE
)
_IN_PLACE_NAMED_BEFORE = re.compile(rf"`?(?<![\w-])(?P<v>[a-z][\w-]*)`? {_PLACE}\b", re.IGNORECASE)
_PLACES_OF = {
    "proj": ("gcloud --project", "firebase --project", "firebase -P", "bq --project_id"),
    "name": ("kubectl -n", "kubectl --namespace", "helm -n", "helm --namespace"),
    "cont": ("kubectl --context", "helm --kube-context", "docker --context"),
    "prof": ("aws --profile",),
    "regi": ("aws --region", "gcloud --region"),
}
_STAYS_INSIDE = re.compile(
    r"\b(?:stay|remain|keep) (?:inside|within|in) (?:of )?(?:the|this|our) (?:repo\w*|project"
    r"|workspace|folder|directory)\b"
    r"|\b(?:never|not|don'?t) leave (?:the|this|our) (?:repo\w*|project|workspace)\b",
    re.IGNORECASE,
)
_ON_BRANCH = re.compile(
    r"\b(?:(?P<stays>stay|remain|bleib\w*|reste\w*|quédate|fique)|work\w*|arbeite\w*|travaill\w*"
    r"|trabaj\w*|trabalh\w*) (?:only |nur |solo |só )?(?:on|in|auf|sur|en|em|na) "
    r"(?:the |my |our |dem |der |la |el |o |a )?(?:(?:branch|zweig|branche"
    r"|rama) `?(?P<b1>[\w./-]*\w)`?"
    rf"|`?(?P<b2>{SLASHED_BRANCH}|main|master|develop)`?(?: branch)?"
    r"|(?:this|same|current|your) (?P<b3>branch))",
    re.IGNORECASE,
)


def _elsewhere(clause: str) -> Iterator[Ban]:
    """Yield what bars leaving the folder, the branch, the project, the region that is meant."""
    if _STAYS_INSIDE.search(clause):
        yield Ban(kind="outside", what=(), words=r"\boutside\b")
    branch = _ON_BRANCH.search(clause)
    name = named_by(branch, "b") if branch else ""
    if branch and name not in NO_BRANCH and (branch["stays"] or ALONE.search(clause)):
        yield _ban(
            f"git checkout <branch> lacks:{name}",
            f"git switch <branch> lacks:{name}",
            "git checkout -b",
            "git switch -c",
        )
    place = _IN_A_PLACE.search(clause) or _IN_PLACE_NAMED_BEFORE.search(clause)
    value = named_by(place, "v") if place else ""
    is_meant = ALONE.search(clause) and not NEGATED.search(clause)
    if place and is_meant and value not in FILLERS | NO_BRANCH:
        flags = _PLACES_OF[place["noun"].lower()[:4]]
        yield _ban(*(f"{each} lacks:{each.split()[1]}={value}" for each in flags))
