"""What a rule forbids that a tool call can be held against.

A rule's sentence in, what it bars out: a command, a branch, a path, a tool, a package manager or a
host, as plain values that can be stored. A rule that says more than these, a purpose or a
condition, bars nothing here: who is told of a rule that he did not break stops listening.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from amplihack_compaction.extract.barred_calls import Ban
from amplihack_compaction.extract.barred_clauses import (
    COMMANDS,
    CONDITION,
    FILES,
    HOST,
    LEAVES,
    LEFT_SO,
    NEGATED,
    ONLY,
    PURPOSES,
    SLASHED_BRANCH,
    SPAN,
    Action,
    actions_in,
    barred_clauses,
    branches_in,
    clauses_of,
    commands_in,
    is_conditional,
    known_actions,
    paths_in,
    programs_that_write,
    sort_of_files,
    with_spaces,
    with_what_is_done,
)
from amplihack_compaction.extract.barred_needs import (
    LACKS,
    ODD_WAYS,
    bans_by_need,
    but_for,
    mentions,
    servers_in,
)
from amplihack_compaction.extract.barred_words import (
    PACKAGE_MANAGERS,
    WHOLE,
    acting_words,
    also_has,
    bans_by_words,
    bans_of_doings,
    branches_left,
    in_english,
    is_known_line,
    package_bans,
    place_of,
    programs,
    says_more,
    text_bans,
    without,
    words_left,
)
from amplihack_compaction.text.word_lists import patterns

_PATTERNS = patterns("prohibitions")

_NEGATIVE_WORD = re.compile(_PATTERNS["negative word"], re.IGNORECASE)
_IDLE = re.compile(_PATTERNS["idle"], re.IGNORECASE)
_NOT_TO_FORGET = re.compile(
    r"\bforget\b|vergiss|oubli|olvid|esque[çc]|забыва|забуд|忘|잊", re.IGNORECASE
)
_BRANCH_LIKE_A_PATH = re.compile(rf"(?<![\w/.-])(?:origin/)?{SLASHED_BRANCH}", re.IGNORECASE)
_NAMED_SERVICE = re.compile(_PATTERNS["named service"], re.IGNORECASE)
_NAMED_PACKAGE = re.compile(_PATTERNS["named package"], re.IGNORECASE)
_OUTSIDE = re.compile(_PATTERNS["outside"], re.IGNORECASE)
_KNOWN_SITE = re.compile(_PATTERNS["known site"], re.I)
_AS_A_SOURCE = re.compile(_PATTERNS["as a source"], re.I)
_DIRECTLY = re.compile(
    r"\b(?:bare|plain|raw|direkt|direct(?:ly|ement|amente)|diretamente|direttamente|напрямую)\b|直接|직접"
    r"|\b(?:on|outside) (?:of )?(?:the|my) (?:host|docker|containers?|venv)\b",
    re.IGNORECASE,
)
_WORKS = re.compile(r"\bwork(?:ing)?\b", re.IGNORECASE)
_ALL_BUT = re.compile(r"\b(?:anything|nothing) (?:but|other than)\b", re.IGNORECASE)
_TOOLS = re.compile(_PATTERNS["tools"])
_SERVICE = re.compile(_PATTERNS["service"], re.IGNORECASE)
_WRITES = re.compile(r"\b(?:writ|chang|modif|updat|insert|creat|schreib|écri|escrib)\w*", re.I)
# By the tools that are spoken of, how they are.
_TOOL_WORDS = {
    names: re.compile(words, re.IGNORECASE)
    for names, words in {
        "WebSearch": (
            r"search(?:ing|es)? (?:on |in )?(?:the )?(?:web|internet|online|net)"
            r"(?: for(?: \w+){1,4})?"
            r"|(?:web|internet|online|google)[ -]?(?:search|lookup|recherche|such)\w*"
            r"|look\w* (?:\w+ )?up (?:on the (?:web|internet|net)|online)"
            r"|(?:recherches?|búsquedas?|pesquisas?|buscas?)"
            r" (?:(?:en|na|sur) (?:la )?)?(?:web|internet|ligne)"
            r"|ウェブ検索|ネット検索|上?网上?搜索?|웹 ?검색|인터넷 ?검색|gugl\w*|гугл\w*"
            r"|googl(?:e|ing)\b(?: \w+){0,4}"
        ),
        "WebFetch": r"web[ -]?fetch\w*",
        "WebFetch WebSearch": (
            r"fetch\w* (?:any |the )?(?:urls?|web ?pages?|pages?|web ?sites?)"
            r"|(?:mak\w+ )?(?:any )?(?:network|web|internet|http) (?:requests?|access|calls?)"
            r"|(?:access|go on|brows\w*|surf\w*|go to)? ?(?:the )?(?:internet|(?<=brows. the )web"
            r"|(?<=on the )web)"
        ),
        "Task Agent": (
            r"(?:spawn\w*|launch\w*|start\w*|delegat\w* (?:anything |work |this )?to)?"
            r" ?(?:any |other |more |new |parallel |background |extra |tasks?(?: or |/)){0,3}"
            r"\b(?:sub-?agents?\b|подагент\w*|子代理|サブエージェント)"
            r"|(?:spawn\w*|launch\w*|delegat\w* (?:anything |work |this )?to)"
            r" (?:any |other |task )*agents?\b|^\W*(?:no|us(?:e|ing)) (?:other )?agents?\W*$"
        ),
    }.items()
}
_WAYS = {
    way: re.compile(words, re.IGNORECASE)
    for way, words in {
        "write": (
            r"\b(?:private|mine|not yours|untouched|alone|read[- ]only|frozen|leave .* be"
            r"|writ(?:e|es|ing)|as (?:it is|they are)|(?:stay|keep) (?:out|away)|go(?:ing)? near"
            r"|fass|finger)\b|\bmess with|hands off|off[- ]limits"
            r"|\b(?:touch|edit|modif|chang|alter|updat|overwrit|rewrit|regenerat|refactor|tamper"
            r"|format|disabl|loosen|relax|tweak|adjust|clean|tid[yi]|simplif|convert|patch|änder"
            r"|bearbeit|anfass|schreib|veränder|rühr|édit|toqu|toc|cambi|mex)\w*"
            r"|трога\w*|меня\w*|измен\w*|редактир\w*|прав(?:ь|ить|ьте)|修改|改|动|動|碰|触|変更|編集"
            rf"|수정|건드|변경|고치|{LEFT_SO}"
        ),
        "move": r"\b(?:renam|mov)(?:e|es|ed|ing)\b",
        "delete": (
            r"\b(?:delet|remov|eras|wip|lösch|supprim|effac|borr|elimin|apag|exclu)\w*|удал\w*"
            r"|删除|删|削除|消|삭제|지우"
        ),
        "create": (
            r"\b(?:generat|erstell|cré|cre[ae]|cri[ae])\w*|\badd(?:s|ing)?\b|\bleg\w* .* an\b"
            r"|созда\w*|创建|新建|作成|생성"
        ),
        "read": (
            r"\b(?:private|read(?:ing)?(?![- ]only)|open(?:ing)?|cat|print|show|view|display|dump"
            r"|look(?:ing)? (?:at|in|into)|access|off[- ]limits|lies|lese\w*|öffn\w*|lire|lis"
            r"|ouvr\w*|leas?|abra\w*|leia|acess\w*)\b|чита\w*|откры\w*|读取|读|読|읽"
        ),
        "commit": r"\bcommit\w*|комм?ит\w*|提交|コミット|커밋|\bcheck in\b|\bstage\b",
        "run": (
            r"\b(?:run|execut|call|start|launch|lanc|exécut|ejecut|rod|ausführ|führ|aufruf"
            r"|aufzuruf|ruf|invo[ck]|(?:n')?appel|llam|chame|chama)\w*|запус\w*|вызыва\w*"
            r"|运行|执行|调用|実行|呼び出\w*|실행|호출"
        ),
    }.items()
}
_OF_NEW = re.compile(r"\b(?:new|more|extra|additional)\b")
_LEFT_SO_BY_HAND = re.compile(_PATTERNS["left so by hand"], re.IGNORECASE)
# What is no file, or is in many.
_NO_FILE = frozenset(
    "api apis ui ux gui design layout logic behavior behaviour interface interfaces format"
    " formats name names naming style styles styling color colors colour colours text texts copy"
    " wording structure architecture performance type types signature signatures output input"
    " inputs result results order value values user users feature features look feel theme scope"
    " timing rest other others function functions method methods class classes variable variables"
    " component components page pages button buttons line lines comment comments import imports"
    " test tests spec part parts bit section sections field fields column columns property"
    " properties parameter parameters argument arguments setting settings config configuration"
    " logs log error errors message messages title titles header headers footer menu font fonts"
    " spacing margin margins work working task tasks issue issues main master commit commits"
    " history data story tone voice plan language typescript python javascript react backend"
    " frontend server client app application website site model models app's public private"
    " existing current first second last next previous unrelated network keyboard mouse window"
    " screen terminal shell session production prod staging db database cluster pods board device"
    " hardware phone secrets root library package packages".split()
)
_PARTS_OF_CODE = frozenset("module package component service layer subsystem app".split())
_NAMED_BEFORE = re.compile(_PATTERNS["named before"], re.I)
_POINTS = re.compile(_PATTERNS["points"], re.IGNORECASE)
_IN_ENVIRONMENT = re.compile(r"(?<![\w`])[A-Z][A-Z0-9_]{2,}=[\w.-]+")


def bans_of(sentence: str, *, is_prohibition: bool) -> tuple[Ban, ...]:
    """Return what a rule's sentence bars; nothing where it says more than can be checked."""
    clauses = _clauses_of(sentence)
    wanted = [each for clause in clauses for each in mentions(clause) if each.wanted]
    needed = list(bans_by_need(clauses, _bans_in))
    found: list[Ban] = []
    spoken = ["" if needed and LACKS.search(clause) else clause for clause in clauses]
    for clause in barred_clauses(spoken, is_prohibition=is_prohibition and not needed):
        if _ALL_BUT.search(clause):
            continue
        refused = [m.line for m in mentions(clause) if m.refused and m.head in COMMANDS | ODD_WAYS]
        if refused and _DIRECTLY.search(clause):
            clause = f"run {refused[0]}"
        if is_conditional(clause):
            return tuple(needed)
        if spoken[0] and clause != spoken[0] and (pointed := _POINTS.search(clause)):
            clause = clause[: pointed.start()] + _named_before(spoken[0]) + clause[pointed.end() :]
        bans = [but_for(ban, wanted) for ban in _bans_in(clause)]
        bans = [ban for ban in bans if ban.what or ban.kind == "outside"]
        if clause != spoken[0] and not any(map(_is_understood, bans)) and paths_in(spoken[0]):
            bans += _bans_in(clause + _named_before(spoken[0]))
        found += bans
    if any(ban.kind == "port" for ban in needed):  # of those that are named, one may be wanted
        found = [ban for ban in found if ban.kind != "port"]
    # "Never run it in api/, only in web/" says nothing of edits elsewhere: it has no verb.
    runs = any(map(commands_in, clauses))
    whole = [c for c in clauses if not runs or _WORKS.search(c) or _WAYS["write"].search(c)]
    others = (ban for clause in whole for ban in _bans_of_all_others(clause))
    return tuple(dict.fromkeys((*found, *needed, *others)))


def _clauses_of(sentence: str) -> list[str]:
    """Return the clauses of a sentence, those that say who alone does something as refusals."""
    clauses = clauses_of(sentence)
    clauses = [
        _of_the_program(with_what_is_done(c, b), b)
        for b, c in zip(["", *clauses], clauses, strict=False)
    ]
    return [_LEFT_TO_USER.sub(_as_barred, _ELSEWHERE.sub(_as_barred, c)) for c in clauses]


def _of_the_program(clause: str, before: str) -> str:
    """Return a clause that refuses one command of the program before it: "apply is not"."""
    found = _REFUSES_ONE.match(clause)
    named = mentions(before) if found else ()
    return f"{_NEVER}{named[0].head} {found[1].lower()}" if found and named else clause


_NEVER = "never "
_REFUSES_ONE = re.compile(_PATTERNS["refuses one"], re.IGNORECASE)


def asks_for_something(sentence: str) -> bool:
    """Return whether what may be a rule asks for what a call can be held against."""
    clauses = _clauses_of(sentence)
    refused = [each for each in clauses if each[:6] == _NEVER and each not in sentence]
    return any(True for _ in bans_by_need(clauses, _bans_in)) or any(map(surely_bars, refused))


def _as_barred(found: "re.Match[str]") -> str:
    """Return what others alone do as what is not to be done: "deploys happen through CI only"."""
    named = found.groupdict()
    how = named.pop("how", None) or ""
    done = next(filter(None, named.values()))
    return f"{_NEVER}{how} {done.strip()}"


_LEFT_TO_USER = re.compile(_PATTERNS["left to the user"], re.IGNORECASE)
"""What is not done without the user: "ask me before you push"."""
_ELSEWHERE = re.compile(_PATTERNS["done elsewhere"], re.IGNORECASE)


def _named_before(clause: str) -> str:
    """Return what a later clause's "it" stands for, with a space before it."""
    sort, named = sort_of_files(clause), _NAMED_BEFORE.match(clause)
    paths = [f"{path}/" if f"{path}/" in clause else path for path in paths_in(clause)]
    branches = [f"the {branch} branch" for branch in branches_in(clause)]
    told = [named[1] or named[2]] if named else branches or ["it"]
    spoken = sort[1] if sort else paths or told
    return f" {spoken[0]}"


def surely_bars(sentence: str) -> bool:
    """Return whether a sentence bars something that is known, not just what it names."""
    bans = bans_of(sentence, is_prohibition=True)
    named = [ban for ban in bans if not ban.is_guess]
    return any(ban.kind != "command" or is_known_line(ban.what[0], programs()) for ban in named)


def _bans_of_all_others(clause: str) -> Iterator[Ban]:
    """Yield what bars all but what alone may be used or changed: "only use yarn"."""
    only = ONLY.search(clause)
    rest = ONLY.sub(" ", clause)
    is_barred = (
        NEGATED.search(clause) and only and not only.group().endswith(("other than", " but"))
    )
    if only is None or is_barred or is_conditional(clause):
        return
    paths = paths_in(rest)
    unsaid = _WORKS.sub(" ", _WAYS["write"].sub(" ", without(rest, paths)))
    if paths and unsaid != rest and not says_more(unsaid):
        yield Ban(kind="outside", what=paths)


def _bans_in(clause: str) -> Iterator[Ban]:
    if _NOT_TO_FORGET.search(clause):
        return
    if written := tuple(text_bans(clause)):
        yield from (*written, *_bans_of_places(clause))
        return
    clause = " ".join(_NEGATIVE_WORD.sub(" ", _IDLE.sub(" ", clause)).split())
    condition = CONDITION.search(SPAN.sub(lambda found: "_" * len(found.group()), clause))
    said = clause[: condition.start()] if condition and condition.start() > 3 else clause
    guesses: list[Ban] = []
    for each in dict.fromkeys((said, in_english(said))):
        bans = tuple(_bans_of_places(each)) or tuple(_bans_of_work(each))
        is_exact = any(" " in line for line in commands_in(each))
        is_exact = is_exact or any(ban.kind == "host" for ban in bans)
        is_exact = is_exact or (
            bool(bans) and all(b.what == ("git push",) and b.branches for b in bans)
        )
        is_exact = is_exact or (bool(bans) and any(_is_path(path, each) for path in paths_in(each)))
        doings = () if is_exact else tuple(bans_of_doings(each))
        if bans and not any(map(_is_narrowed, bans)):
            yield from (*bans, *doings)
            return
        guesses += [*bans, *doings, *bans_by_words(each)]
    yield from guesses
    if not any(map(_is_understood, guesses)):
        yield from _bans_of_a_named_thing(said)


def _is_path(path: str, said: str) -> bool:
    return "/" in path or "." in path or f"{path}/" in said


def _is_understood(ban: Ban) -> bool:
    return ban.kind != "command" or not re.search(r" (?:first-)?unknown:", ban.what[0])


def _bans_of_a_named_thing(said: str) -> Iterator[Ban]:
    """Yield what bars files and folders that are called as what is not to be touched is."""
    if paths_in(said) or not _LEFT_SO_BY_HAND.search(said):
        return
    words = [
        w.lower() for w in words_left(_WAYS["write"].sub(" ", _LEFT_SO_BY_HAND.sub(" ", said)))
    ]
    if len(words) > 1 and words[-1] in _PARTS_OF_CODE:  # "the auth module"
        words.pop()
    is_name = all(re.fullmatch(r"[a-z][a-z0-9-]{2,}", word) for word in words)
    if not 0 < len(words) <= 2 or not is_name or _NO_FILE.intersection(words):
        return
    names = sorted({sign.join(words) for sign in ("-", "_", "", "/", ".")})
    what = tuple(f"{name}{end}" for name in names for end in ("", ".*"))
    what += (f"*.{words[-1]}",)
    yield Ban(kind="path", what=what, ways=("write",), words=re.escape(words[-1]))


def _is_narrowed(ban: Ban) -> bool:
    """Return whether a command must have words beside what the rule was understood to bar."""
    if ban.kind != "command":
        return False
    is_package = ban.what[0].startswith("brew add named:")  # a name that may be none of a package
    return " unknown:" in ban.what[0] or is_package


def _bans_of_places(said: str) -> Iterator[Ban]:
    """Yield what bars hosts, services and the client's tools."""
    hosts = tuple(dict.fromkeys(next(filter(None, f)).lower() for f in HOST.findall(said)))
    named = (next(filter(None, found)) for found in _SERVICE.findall(said))
    services = tuple(f"mcp__{name.lower()}" for name in named)
    sites = _KNOWN_SITE.findall(HOST.sub(" ", said))
    if sites and not says_more(_AS_A_SOURCE.sub(" ", _KNOWN_SITE.sub(" ", said))):
        hosts += tuple(dict.fromkeys(each.lower().replace(" ", "") for each in sites))
    if hosts:
        yield Ban(kind="host", what=hosts, words="|".join(map(re.escape, hosts)))
    elif services and (channel := _CHANNEL.search(said)):
        ends = (f"={channel[1].lower()}{end}" for end in ",=")
        what = tuple(f"mcp {done} {each}" for each in ends for done in ("message", "post"))
        yield Ban(kind="command", what=what, words=channel.group())
    elif services and not says_more(_SERVICE.sub(" ", said)):
        yield Ban(kind="tool", what=services, ways=("write",), words="|".join(services))
    elif tools := _tools_in(said):
        ways = ("write",) if _WRITES.search(said) else ()
        yield Ban(kind="tool", what=tools, ways=ways, words="|".join(tools))


_CHANNEL = re.compile(r"(?<!\w)#([\w-]{2,40})")


def _bans_of_work(said: str) -> Iterator[Ban]:
    """Yield what bars commands, ports, packages, files and what is known by its name."""
    actions = {} if _USED_TO.search(said) else actions_in(said)
    named = None if actions else _NAMED_PACKAGE.search(said)
    is_name = named and named[1] not in COMMANDS and named[1] in in_english(said)
    if named and is_name and not says_more(said[: named.start()]):
        yield from package_bans(named[1].lower())
    sort = sort_of_files(said)
    spoken = sort[1][0].split() if sort else ()
    commands = tuple(name for name in commands_in(said) if name not in spoken)
    if commands and _IN_ENVIRONMENT.search(said):
        yield from _bans_in_environment(said, commands)
        return
    yield from _bans_of_what_is_named(said, actions, commands)


def _bans_in_environment(said: str, commands: tuple[str, ...]) -> Iterator[Ban]:
    """Yield what bars commands with a variable that is set so."""
    also = "".join(f" text:{each.casefold()}" for each in _IN_ENVIRONMENT.findall(said))
    for ban in _command_bans(_IN_ENVIRONMENT.sub(" ", said), commands):
        yield replace(ban, what=tuple(line + also for line in ban.what))


def _bans_of_what_is_named(
    said: str, actions: Mapping[str, Action], commands: tuple[str, ...]
) -> Iterator[Ban]:
    pushes = any(action.branches for action in actions.values())
    files = _BRANCH_LIKE_A_PATH.sub(" ", said) if pushes else said
    bans = None if commands else _bans_of_files(files)
    if bans is None and not any(" " in command for command in commands):
        bans = tuple(_action_bans(said, actions)) or None
    if bans is not None:
        yield from bans
    elif service := _NAMED_SERVICE.search(said):
        yield from _service_bans(said, service)
    elif commands:
        yield from _command_bans(said, commands)


def _tools_in(said: str) -> tuple[str, ...]:
    tools = [name for found in _TOOLS.findall(said) for name in found if name]
    tools += servers_in(said)
    for names, words in _TOOL_WORDS.items():
        rest, number = words.subn(" ", said)
        if number and not says_more(_USES.sub(" ", rest)):
            tools += names.split()
    if "Task" in tools or "Agent" in tools:
        tools += ["Task", "Agent"]
    return tuple(dict.fromkeys(tools))


def _bans_of_files(said: str) -> tuple[Ban, ...] | None:
    """Return what bars the files that are named or spoken of; None where none are."""
    said = _TOLD_APART.sub(r" \1 ", with_spaces(said))
    paths = paths_in(said)
    if outside := _OUTSIDE.search(said):
        before = _WAYS["read"].sub(" ", said[: outside.start()])
        if says_more(_WAYS["write"].sub(" ", before)):
            return None
        name = outside["here"] or outside[2]
        what = () if outside["here"] else paths or (name,)
        reads = _WAYS["read"].search(said) is not None
        ways = ("read",) if reads else ()
        return (Ban(kind="outside", what=what, ways=ways, words=re.escape(name)),)
    if (sort := sort_of_files(said)) and all(path in sort[1][0] for path in paths):
        return tuple(_path_bans(said.replace("`", ""), *sort)) or None
    return tuple(_path_bans(said, paths, paths)) if paths else None


# "Test files (*_test.dart)": what the brackets have says which are meant.
_TOLD_APART = re.compile(
    rf"(?:\S{{1,40}}\s?)?{FILES}\s?\(\s?([^()\s]*[.*/][^()\s]*)\s?\)", re.IGNORECASE
)
_IS_ENDING = re.compile(r"\.(?!(?:env|config|git)$)[a-z]\w{0,9}")
_SECRET = re.compile(
    r"(?<![a-z])env|secret|key|pem|credential|token|ssh|private|password|netrc", re.IGNORECASE
)


def _path_bans(said: str, paths: tuple[str, ...], spoken: tuple[str, ...]) -> Iterator[Ban]:
    """Yield what bars `paths`, of which the rule's words that are `spoken` speak."""
    bare = without(said, spoken)
    ways = _ways_of(said, bare, paths) or _ways_of(said, in_english(bare), paths)
    if not ways or (set(ways) == {"run"} and not any("/" in p or "." in p for p in spoken)):
        return
    for pattern in (_OF_NEW, re.compile(LEAVES, re.IGNORECASE), *_WAYS.values()):
        bare = pattern.sub(" ", bare)
    left = words_left(bare) and words_left(in_english(bare))
    are_named = all("/" in path or "." in path for path in spoken)
    if not left or (are_named and _SOMEWHERE.search(bare) is None):
        words = "|".join(re.escape(path.rpartition("/")[2] or path) for path in spoken)
        paths += tuple(f"*{path}" for path in spoken if _IS_ENDING.fullmatch(path))
        yield Ban(kind="path", what=paths, ways=ways, below=left, words=words)
        if "write" in ways and not left and not _BY_HAND.search(said):
            programs = tuple(line for path in paths for line in programs_that_write(path))
            yield from (Ban(kind="command", what=programs, words=words),) * bool(programs)


_BY_HAND = re.compile(r"\b(?:by hand|manual|direct)", re.IGNORECASE)  # programs may change it
# "No .md files in the repo root": not everywhere.
_SOMEWHERE = re.compile(
    r"\b(?:in|on|of|from|inside|within|for|with|to|into)\s+(?:the |our |my |any )*(?=[a-z]{3})",
    re.IGNORECASE,
)


def _ways_of(said: str, bare: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return how paths are barred; `bare` is what is said without them."""
    ways = tuple(way for way, pattern in _WAYS.items() if pattern.search(bare))
    if "commit" in ways and not _WAYS["write"].search(re.sub(r"\bchanges\b", " ", bare)):
        ways = tuple(way for way in ways if way != "write")
    if re.search(r"\boff[- ]limits\b", said) and not _SECRET.search(" ".join(paths)):
        ways = tuple(way for way in ways if way != "read")
    if _SECRET.search(" ".join(paths)) and re.search(r"\btouch|\bhands off\b", said, re.I):
        ways += ("read",)
    is_of_new = _OF_NEW.search(said) is not None
    if is_of_new and (not ways or {"write", "create"} & {*ways}):
        ways = ("create",)
    elif re.search(r"\b(?:existing|applied)\b", said):
        ways = tuple("change" if way == "write" else way for way in ways)
    if not ways and re.match(r"\W*(?:no|keine?|pas de|aucun)\b", said, re.IGNORECASE):
        ways = ("create",)
    return ways


def _action_bans(said: str, actions: Mapping[str, Action]) -> Iterator[Ban]:
    branches = branches_in(said) if any(a.branches for a in actions.values()) else ()
    rest = said
    for action in actions.values():
        rest = action.words.sub(" ", rest)
        for less in action.instead_of:
            rest = known_actions()[less].words.sub(" ", rest)
    names = ("npm", "pypi", "crates", "production", "prod", "database", "npm registry")
    also = also_has(without(rest, (*branches, *names)))
    also += "" if branches else "".join(f" unknown:{name}" for name in branches_left(rest, names))
    place = place_of(said)
    named = [] if branches else _LIKE_A_BRANCH.findall(rest)
    named = named if not says_more(without(rest, named)) else []
    for name, action in actions.items():
        if named and action.branches:  # "rebase infra-v2": while that is checked out
            words = action.words.pattern
            yield Ban(kind="command", what=action.commands, branches=tuple(named), words=words)
        limit = branches if action.branches else ()
        where = "" if limit or name in ("deploy", "publish") else place
        if limit or name != "reach a branch":
            yield Ban(
                kind="command",
                what=tuple(line + also + where for line in action.commands),
                branches=limit,
                words=action.words.pattern,
            )


def _service_bans(said: str, named: "re.Match[str]") -> Iterator[Ban]:
    """Yield what bars doing to one service, or one machine, what the rule says."""
    name = named[2]
    verb = named[1].split()[0].lower()
    if says_more(said.replace(named.group(), " ")):
        return
    verbs = "part:kill|pkill|killall" if verb == "kill" else verb
    line = f"* {verbs} named:{name}" if says_more(name) else verb
    if verb == "ssh" or line != verb:
        yield Ban(kind="command", what=(line,), words=re.escape(name))


_PASSES = re.compile(r"\b(?:pass|use|add|give|run|call)\w* -\S+ (?:to|with|on|for) ", re.IGNORECASE)


def _command_bans(said: str, commands: tuple[str, ...]) -> Iterator[Ban]:
    said, is_whole = WHOLE.subn(" ", said)
    options = [line[2:] for line in commands if line.startswith("* -")]
    if options and _PASSES.search(said):
        named = [line for line in commands if not line.startswith("* ")]
        commands = tuple(f"{line} {each}" for line in named for each in options) or commands
    words = "|".join(rf"(?<![\w-]){re.escape(line.split()[-1])}(?![\w-])" for line in commands)
    starts = {*commands} <= {"docker", "podman"} and re.search(r"\b(?:start|launch)", said, re.I)
    also = " if:whole" * bool(is_whole) + " part:up|run|start|create" * bool(starts)
    commands = tuple(f"{line}{also}" for line in commands)
    rest = without(SPAN.sub(" ", said), [word for line in commands for word in line.split()])
    exact = all(len(line.split()) > 1 for line in commands)
    for names, purpose in PURPOSES.items():
        if {*commands} <= {*names.split()}:
            rest = purpose.sub(" ", rest)
    if commands == ("sed",) and _WAYS["write"].search(rest):
        commands, exact = ("sed -i",), True
    managers = {name for names in PACKAGE_MANAGERS for name in names.split()}
    rest = _WAYS["run"].sub(" ", rest)
    if {*commands} <= {*managers, *"brew apt apt-get".split()}:
        rest = _USES.sub(" ", rest)
    if place := _AGAINST.search(said):
        where = place_of(place[1]) or f" named:{place[1].lower()}"
        commands = tuple(line + where for line in commands)
        rest = without(rest, [place.group().strip()])
    if not exact and acting_words().search(rest):
        return  # see `bans_by_words`
    if exact and (sort := sort_of_files(rest)):
        names = "|".join(name for name in sort[0] if "*" not in name)
        commands = tuple(f"{each} unknown:{names}" for each in commands) if names else commands
    elif not exact and says_more(rest):
        commands = tuple(each + also_has(rest) for each in commands)
    branches = branches_in(said) if all(line.startswith("git ") for line in commands) else ()
    folders = tuple(found[1].strip("/") for found in _IN_FOLDER.finditer(rest)) if exact else ()
    yield Ban(kind="command", what=commands, branches=branches, below=folders, words=words)


_LIKE_A_BRANCH = re.compile(r"(?<![\w./-])[a-z][\w.]*[-_/][\w./-]*\w", re.IGNORECASE)
_IN_FOLDER = re.compile(
    r"\b(?:in|inside(?: of)?|within|under|from|at) (?:the )?[`\"']?((?:[\w.@-]+/)+[\w.@-]*)", re.I
)
_AGAINST = re.compile(_PATTERNS["against"], re.IGNORECASE)
_USED_TO = re.compile(
    rf"\b(?:use|using)\s+`?(?:{'|'.join(map(re.escape, sorted(COMMANDS)))})`?\s+(?:to|for)\s", re.I
)
_USES = re.compile(_PATTERNS["uses"], re.IGNORECASE)
