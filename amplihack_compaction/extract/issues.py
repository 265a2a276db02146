"""Find what was tried and failed, the issues unresolved at a window's end, and what settles them.

Later words that call an issue solved do, and so does the success of what had failed: of a check,
one that covers it; of any other command, such as a deployment, the same command's. What the model
says of its own is in `notes`. Trouble, and its end, is told in English by its wording, in other
languages only by what such sentences are like.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from amplihack_compaction.extract.notes import make_item, spoken_sentences
from amplihack_compaction.extract.recent_context import OpenFailure, open_failures
from amplihack_compaction.extract.statements import FailedApproach, Issue, Item, VerifyKind
from amplihack_compaction.extract.verify_commands import (
    Check,
    check_covers,
    checks_of,
    could_not_find,
    repeats_check,
)
from amplihack_compaction.extract.window_content import WindowContent
from amplihack_compaction.text.commands import (
    Command,
    command_kind,
    lasting_actions,
    line_kind,
    split_commands,
)
from amplihack_compaction.text.sentences import (
    reason_given,
    sentences,
    telling_line,
    with_following,
)
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import (
    anchors_of,
    distinct_words,
    has_hint,
    normal_form,
    one_line,
)
from amplihack_compaction.transcript.session import (
    ToolUse,
    TranscriptStep,
    bash_command,
    was_refused,
)

_PATTERNS = patterns("trouble")

_TEXT_CHARS = 200
_FAILED_LIMIT = 12
_NOT_WORK = (
    r"(?:did(?:n't| not)|does(?:n't| not)|won't|will not|is(?:n't| not) going to|never) work"
)
_FAILED_HINTS = ("work", "tried", "trying", "try", "again", "attempt")
_GIVEN_UP = re.compile(
    rf"^\W{{0,4}}(?:no[,.]? )?(?:that|this|it)(?: still| also)? {_NOT_WORK}\b"
    r"|\b(?:we|I|you)(?:'ve| have)?(?: already)? tried\b[^.?]{3,120}|\balready tried\b"
    r"|\bstop trying\b|\b(?:don't|do not) (?:try|retry|attempt)\b[^.?]{3,80}\bagain\b"
    r"|\bdidn't work (?:last time|before|either)\b",
    re.IGNORECASE,
)
# "The index helps after analyze, I tried" tells of no failure.
_HELPED = re.compile(r"\b(?:helps|helped|works|worked|fixes|fixed|faster|better)\b", re.I)
_DENIED = re.compile(r"\b(?:not|never|no|nor|neither|nothing|none)\b|n't\b", re.I)
_SUPPOSED = re.compile(_PATTERNS["supposed"], re.IGNORECASE)


_NOT_SETTLED = re.compile(_PATTERNS["not settled"], re.IGNORECASE)
_FRONT_CHARS = 150
_FIRST_SENTENCE = re.compile(r"(?:\[Image #\d+\]\s*)?[^.!?\n。！？]+[.!?]?")


def says_not_settled(prompt: str) -> bool:
    """Return whether a prompt begins by saying that what was done before it did not help."""
    front = _FIRST_SENTENCE.match(prompt[:_FRONT_CHARS])
    if front is None or "?" in front[0] or "unrelated" in front[0]:
        return False
    return _NOT_SETTLED.search(front[0]) is not None


def extract_failed(content: WindowContent) -> tuple[FailedApproach, ...]:
    """Return approaches that failed, as said by the user, the newest 12.

    Words that name nothing ("that didn't work") get the sentence beside them.
    """
    found: dict[str, FailedApproach] = {}
    for step in content.steps:
        if step.by_user:
            for approach in _approaches(step):
                found.setdefault(normal_form(approach.text), approach)
    return (*found.values(), *_refused(content))[-_FAILED_LIMIT:]


def _refused(content: WindowContent) -> Iterable[FailedApproach]:
    """Return the commands that the user refused, such as a push, and that were not run since."""
    refused: dict[str, FailedApproach] = {}
    for step in content.steps:
        if step.tool is None:
            continue
        for action, words in lasting_actions(bash_command(step.tool)).items():
            if was_refused(step.tool):
                text = one_line(words, _TEXT_CHARS)
                refused[action] = FailedApproach(text=text, **step.place, refused=True)
            elif step.tool.result is not None:  # also one that failed was run
                refused.pop(action, None)
    return refused.values()


def extract_acts(content: WindowContent) -> tuple[str, ...]:
    """Return what was run that acts on history or outside, however it ended."""
    ran = (
        step.tool
        for step in content.steps
        if step.tool is not None and step.tool.result is not None
    )
    lines = (bash_command(tool) for tool in ran if not was_refused(tool))
    return tuple(dict.fromkeys(action for line in lines for action in lasting_actions(line)))


def _approaches(step: TranscriptStep) -> Iterator[FailedApproach]:
    said = spoken_sentences(step, _FAILED_HINTS)
    last = -2
    for number, sentence in enumerate(said):
        # After one approach such words mostly speak of the same.
        if number == last + 1 or not has_hint(sentence, _FAILED_HINTS):
            continue
        if not _GIVEN_UP.search(sentence) or _SUPPOSED.search(sentence):
            continue
        if _helped(" ".join(said[max(0, number - 1) : number + 1])):
            continue
        text = one_line(with_referent(said, number), _TEXT_CHARS)
        yield FailedApproach(text=text, **step.place, reason=reason_given(sentence))
        last = number


def _helped(text: str) -> bool:
    """Return whether a user tells that something helped."""
    return _HELPED.search(text) is not None and _DENIED.search(text) is None


ISSUE_HINTS = (
    "still", "keep", "known", "open", "outstanding", "remain", "unresolved", "blocked", "bug:",
    "fixme", "have not", "haven't", "issue", "blocker", "unfixed", "fixed", "solved", "unblocked",
    "work", "pass", "no longer", "unable", "could not", "couldn't", "can't", "cannot", "no idea",
    "unclear", "know why", "helped", "did it", "did the trick", " gone", "went away",
    "disappeared", "was it", "the cause", "culprit", "the problem", "the bug",
    "s now", "s again", " ran", "succeed", "went through", "terminates",
)  # fmt: skip
_TROUBLES = (
    r"(?:fail(?:s|ing)?|broken|not \w+ing|crash\w*|hang(?:s|ing)?|flaky|error(?:s|ing)?|tim(?:es"
    r"|ing) out"
    r"|leak(?:s|ing)?|drop(?:s|ping)|los(?:es?|ing)|block(?:s|ing|ed)|stuck|red|unstable|incorrect"
    r"|wrong|missing|reject(?:s|ing|ed)|refus(?:es?|ing)|return(?:s|ing) (?:the wrong|an? error"
    r"|null"
    r"|nothing|stale|[45]\d\d)|does(?:n't| not)|do(?:n't| not)|can(?:'t|not)|throw(?:s|ing)?)"
)
_ISSUE = re.compile(
    rf"\b(?:still|keeps?) (?:(?:sometimes|occasionally|often) )?{_TROUBLES}\b"
    r"|^\W{0,6}(?:not|un)[ -]?(?:yet )?(?:fixed|solved|resolved|working)(?: yet)?\W{0,4}"
    r"[:：–-]\s*\S"
    r"|\b(?:could|can)(?: ?not|n't) (?:yet )?(?:get \S+(?: \S+){0,4} to \w+|reproduce|fix"
    r"|figure out"
    r"|find (?:out )?(?:why|the cause|what))\b|\bunable to (?:fix|reproduce|connect|build"
    r"|run)\b"
    r"|\b(?:ha(?:ve|s)(?:n't| not)|not) (?:yet )?(?:found|figured out|solved|managed)\b"
    r"|\bstill (?:one|two|some|an?) [^.]{0,20}\bopen\b"
    r"|\b(?:no idea|(?:don't|do not) know|unclear|not clear)(?: yet)? why\b"
    r"|\b(?:is|are)(?:n't| not) (?:fixed|solved|resolved) yet\b"
    r"|\b(?:known|open|outstanding|remaining|unresolved) (?:issue|bug|problem|limitation|failure)"
    r"s?\b|\bblocked (?:by|on)\b"
    r"|^\W{0,6}(?:BUG|FIXME|ISSUE|KNOWN ISSUE|BLOCKER)\b[^\w:]{0,4}:\s*\S"
    r"|\bremains? (?:unresolved|unfixed|broken)\b|\bunfixed\b",
    re.IGNORECASE,
)
_NO_ISSUE = re.compile(_PATTERNS["no issue"], re.IGNORECASE)
_RUNS = (
    r"(?:starts|runs|loads|builds|compiles|boots|connects|terminates|succeeds|answers|responds"
    r"|syncs|renders|sends|opens|comes up) (?:now|again)"
)
_RESOLVED = re.compile(
    r"\b(?:fixed|resolved|solved|unblocked|works? now|now works?|working now|now passes"
    r"|passes now|no longer (?:fails?|happens?|blocked|broken)|(?:is|are) (?:now )?gone|went away"
    rf"|disappeared|{_RUNS}"
    r"|both (?:[\w-]+ ){0,4}pass(?:es)?)\b"
    r"|(?<!it )(?<!that )(?<!this )\b(?<!\bI )(?:worked|ran(?: through)?|went through|succeeded)"
    r"(?= (?:now|again|fine)\b|\s*(?:$|[.,;!]))",
    re.IGNORECASE,
)
# Says that what was spoken of last is solved, and does not name it.
_NAMES_NOTHING = re.compile(
    r"^\W*(?:(?:yes|yep|ok|okay|great|perfect|nice|cool|thanks|thx|good|and)\W+){0,3}"
    r"(?:(?:that|this|it)(?:'s| is| has been)?(?: (?:now|finally|really|indeed))?"
    r" (?:worked|works|fixed|solved|did it|did the trick|fixes|solves|helped(?=\s*(?:$|[.!])))\b"
    rf"|(?:that|this|it) {_RUNS}\b"
    r"|(?:that|this|it) was (?:it|the (?:cause|culprit|problem|bug))\b"
    r"|(?:fixed|solved|works(?: now)?)(?: (?:now|it))?\s*(?:$|[.,;:!]|and\b|with\b|by\b))",
    re.IGNORECASE,
)
_UNRESOLVED = re.compile(_PATTERNS["unresolved"], re.I)


def tells_of_issue(sentence: str) -> bool:
    """Return whether a sentence surely speaks of something unsolved."""
    hinted = has_hint(sentence, ISSUE_HINTS)
    return hinted and _ISSUE.search(sentence) is not None and not denies_issue(sentence)


def denies_issue(sentence: str) -> bool:
    """Return whether a sentence asks, supposes or denies that there is an issue."""
    return _NO_ISSUE.search(sentence) is not None


def calls_resolved(sentence: str) -> bool:
    """Return whether a sentence calls something solved."""
    hinted = has_hint(sentence, ISSUE_HINTS)
    if not hinted or _UNRESOLVED.search(sentence):
        return False
    return any(pattern.search(sentence) for pattern in (_RESOLVED, _NAMES_NOTHING))


def names_no_issue(sentence: str) -> bool:
    """Return whether a sentence that calls something solved does not say what."""
    return _NAMES_NOTHING.search(sentence) is not None


_CLAUSES = re.compile(r"[,;]\s")
# A sentence of more words than this in its first clause says more than that something failed.
_BARE_WORDS = 12
# As much as is kept of a statement; less than the least of what stood before tells nothing.
_LEAST_REFERENT_CHARS = 40
_OF_ANOTHER = re.compile(_PATTERNS["of another"], re.IGNORECASE)
# Words that say that something is open or was given up, and not what.
NAMELESS = distinct_words(
    "i i'm i've we we've you it's that's there there's here they them those these so but and no not"
    " yet still now again already either though however unfortunately sorry hmm why what how where"
    " which have has had haven't hasn't was were been am are isn't wasn't don't didn't doesn't can"
    " can't cannot could couldn't will won't would able unable get got find found figure figured"
    " out know knew idea clue reason reasons cause causes explain understand understood see saw"
    " confirm confirmed verify verified reproduce reproduced solve solved solution fix fixes fixed"
    " resolve resolved unsolved unresolved unfixed problem problems issue issues bug bugs error"
    " errors open clear unclear sure"
    " manage managed rid help helped work works worked change changes changed revert reverted"
    " reverting undo undid undone back backed roll rolled took take taken put left leave drop"
    " dropped removed gave give up try tried trying just only at moment more further far from"
    " fail fails failed failing myself tell say really actually right"
    " other another anything something nothing"
)
"""The words of a sentence on trouble that do not say with what."""


def with_referent(said: Sequence[str], number: int) -> str:
    """Return a sentence; of what it speaks before it, where it names nothing itself.

    Of what it speaks is cut, the sentence never is.
    """
    sentence = said[number]
    beside = told_beside(said, number)
    leans = number > 0 and _OF_ANOTHER.match(sentence) is not None
    if not beside or not (leans or _names_nothing(sentence)):
        return sentence
    room = _TEXT_CHARS - len(sentence) - len(". ")
    if room < _LEAST_REFERENT_CHARS:
        return sentence
    beside = one_line(beside, room)
    first, second = (beside, sentence) if number else (sentence, beside)
    return with_following(first, second)


def told_beside(said: Sequence[str], number: int) -> str:
    """Return the sentence before one of a text's; of its first, the one behind it."""
    return said[number - 1] if number else " ".join(said[1:2])


def _names_nothing(sentence: str) -> bool:
    """Return whether an English sentence says that something is open or given up, but not what."""
    clause = _CLAUSES.split(sentence, maxsplit=1)[0]
    words = distinct_words(clause)
    return len(clause.split()) <= _BARE_WORDS and bool(words) and words <= NAMELESS


_COMMAND_CHARS = 160
_NEWEST_COMMANDS = 200
_CACHED_LINES = 2048
_TELLING = ("", "&&")
# Programs that only look, prepare or shorten an output: their failure is no trouble of its own.
_ASIDES = frozenset(
    "cd echo printf tail head grep rg egrep ls cat less find test [ [[ sleep export set source ."
    " tee wc sort uniq cut awk sed diff cmp which type true false pwd mkdir rm cp mv touch".split()
)
_BESIDE = re.compile(_PATTERNS["beside"], re.IGNORECASE)


def run_by(tool: ToolUse) -> str:
    """Return the command that a tool use ran, in short; empty for a known check and for asides."""
    return "" if was_refused(tool) else _in_short(bash_command(tool))


def succeeded_by(tool: ToolUse) -> str:
    """Return the command that a tool use ran with success, as far as its exit code tells."""
    ran = run_by(tool) if tool.succeeded else ""
    # A pipe, a semicolon and `|| true` hide how a command ended.
    told = all(command.after in _TELLING for command in _main(bash_command(tool)))
    return ran if told else ""


@lru_cache(maxsize=_CACHED_LINES)
def _in_short(line: str) -> str:
    if any(command_kind(command) for command in split_commands(line)):
        return ""
    return one_line(" && ".join(" ".join(command.words) for command in _main(line)), _COMMAND_CHARS)


def _main(line: str) -> list[Command]:
    return [command for command in split_commands(line) if command.head not in _ASIDES]


def tells_beside(sentence: str) -> bool:
    """Return whether a sentence goes on to something else than the command that failed."""
    return _BESIDE.match(sentence) is not None


def extract_succeeded(content: WindowContent) -> tuple[Item, ...]:
    """Return the newest commands of the window that succeeded and are no known checks.

    They are read off the calls: without an entry's id, for nothing rests on what these showed.
    """
    newest: dict[str, Item] = {}
    for step in content.steps:
        if step.tool is not None and (ran := succeeded_by(step.tool)):
            newest.pop(ran, None)
            newest[ran] = Item(text=ran, offset=step.offset, window=step.window)
    return tuple(newest.values())[-_NEWEST_COMMANDS:]


_SOLVED_LIMIT = 40
# "That worked" speaks of what was told since the prompt before the last.
TURNS_BACK = 2
_KIND_WORDS = (
    (VerifyKind.TEST, re.compile(r"\btests?\b|\bfail|\bspec", re.IGNORECASE)),
    (VerifyKind.BUILD, re.compile(r"\bbuilds?\b|\bcompil", re.IGNORECASE)),
    (VerifyKind.LINT, re.compile(r"\blint|\btype ?(?:check|error)", re.IGNORECASE)),
)
_SHARED = 0.5
_LEAST_NAMED = 2
_ANNOUNCES = re.compile(_PATTERNS["announces"], re.IGNORECASE)
# What these fail at is a slip: the model looks again and goes on.
_OWN_HANDS = frozenset("Edit Glob Grep MultiEdit NotebookEdit Read Write".split())
FAILING_CHECK = re.compile(r"`([^`]+)` fails: ")
_WORDS_OF_CHECKS = frozenset(
    "test tests suite suites spec specs unit integration build builds check checks lint run fails"
    " fail failing failed error errors expected received assertion src pytest npm make"
    " cargo jest pnpm yarn python code module modules".split()
)
_TROUBLE_BEGINS = re.compile(_PATTERNS["trouble begins"], re.IGNORECASE)
# Stands for a check of something unnamed, which only a check of everything covers.
_SOMETHING = "check some/thing"


def extract_solved(content: WindowContent) -> tuple[Item, ...]:
    """Return what the window calls fixed in words, which settles issues of earlier windows."""
    said: deque[Item] = deque(maxlen=_SOLVED_LIMIT)
    for step in content.steps:
        said.extend(
            make_item(step, sentence)
            for sentence in spoken_sentences(step, ISSUE_HINTS)
            if calls_resolved(sentence)
        )
    return tuple(said)


def left_open(issues: list[Issue], sentence: str, near: set[str]) -> list[Issue]:
    """Return the issues that a sentence leaves open; of those told `near` it need not name any."""
    bare = names_no_issue(sentence)
    return [
        issue
        for issue in issues
        if not (bare and issue.uuid in near) and not _resolves(sentence, issue.text)
    ]


def is_settled(issue: Issue, kind: VerifyKind, passed: str) -> bool:
    """Return whether the passing of a check settles an issue.

    The failure of a check is settled by one that covers it. What was said of tests or a build is
    settled by a check of all of them, or by one of what it names; what was told of a command that
    failed by one that covers that.
    """
    if issue.command:
        return line_kind(issue.command) == kind and check_covers(passed, issue.command)
    command = FAILING_CHECK.match(issue.text)
    if command is not None:
        ran = command.group(1).rstrip("…")
        return line_kind(ran) == kind and check_covers(passed, ran)
    if not any(kind is known and words.search(issue.text) for known, words in _KIND_WORDS):
        return False
    named = distinct_words(issue.text) & distinct_words(passed) - _WORDS_OF_CHECKS
    return check_covers(passed, _SOMETHING) or bool(named)


def is_told_of(issue: Item, settled: Iterable[Item]) -> bool:
    """Return whether an issue was told of a check's failure that is settled: they name the same."""
    if FAILING_CHECK.match(issue.text):
        return False
    named = distinct_words(issue.text) - _WORDS_OF_CHECKS
    return any(
        issue.window == failure.window
        and FAILING_CHECK.match(failure.text) is not None
        and len(named & distinct_words(failure.text)) >= _LEAST_NAMED
        for failure in settled
    )


def is_called_fixed(issue: Item, solved: Iterable[Item], prompts: Sequence[int] = ()) -> bool:
    """Return whether a later sentence calls an issue of an earlier window fixed: it names most.

    `prompts` are the offsets of all prompts: of an issue that was told lately none need be named.
    """
    words = distinct_words(issue.text)
    least = max(_LEAST_NAMED, _SHARED * len(words))
    later = [said for said in solved if issue.offset < said.offset]
    return any(
        len(words & distinct_words(said.text)) >= least
        or _has_its_name(said.text, issue.text)
        or _is_near(issue, said, prompts)
        for said in later
    )


def _is_near(issue: Item, said: Item, prompts: Sequence[int]) -> bool:
    """Say whether words that name nothing speak of an issue: it was told a prompt ago at most."""
    if not prompts or issue.window == said.window:
        return False
    between = sum(issue.offset < prompt < said.offset for prompt in prompts)
    return between < TURNS_BACK and names_no_issue(said.text)


def _has_its_name(sentence: str, issue: str) -> bool:
    """Return whether a sentence has the name of what an issue calls broken, all of it.

    That is what stands before its trouble, or else all words that name something.
    """
    trouble = _TROUBLE_BEGINS.search(issue)
    said, named = distinct_words(sentence), distinct_words(issue) - NAMELESS
    name = distinct_words(issue[: trouble.start()]) - NAMELESS if trouble else frozenset()
    if name - _WORDS_OF_CHECKS and name <= said:
        return True
    return len(named) >= _LEAST_NAMED and named <= said


def _resolves(sentence: str, issue: str) -> bool:
    """Return whether a sentence that calls something fixed speaks of this issue."""
    if anchors_of(sentence) & anchors_of(issue) or _has_its_name(sentence, issue):
        return True
    words = distinct_words(issue)
    shared = len(words & distinct_words(sentence))
    return bool(words) and shared >= _SHARED * min(len(words), len(distinct_words(sentence)) or 1)


_ISSUES_LIMIT = 10
_NAMED_COMMAND_CHARS = 80
_OPENING_CHARS = 40
_OUTPUT_CHARS = 8_000
# Of what longer texts of the model's call a problem, 2 of 12 were one: they weigh and explain.
_REPORT_SENTENCES = 6
_WORD = re.compile(r"[A-Za-z_]\w+", re.ASCII)
_NO_CHECK = ("", "")
_CASE = re.compile(r"\b(?:FAIL|FAILED|ERROR):? (?:\S+::)?(\w*[Tt]est\w+)")


def extract_issues(content: WindowContent) -> tuple[Issue, ...]:
    """Return what is unresolved at the window's end, at most ten, oldest first.

    A check that last failed, any other step that did lately, and sentences on what still fails or
    blocks; left out is what a later sentence calls fixed, a later passing check of its kind, or the
    success of the command whose failure it was told of.
    """
    reader = _Reader()
    for step in content.steps:
        reader.read(step)
    failing = [issue for one in open_failures(content) for issue in _failing_step(one)]
    return _each_once([*reader.issues, *failing, *_failed_work(content)])


def _failed_work(content: WindowContent) -> Iterator[Issue]:
    """Yield what the client says has failed in the background: an agent, a command."""
    for node in content.window.chain:
        if node.noted is not None and node.noted.failure:
            work, _, error = node.noted.failure.partition(" failed")
            text = f"`{work}` fails: {error.strip(': ') or 'no error told'}"
            yield Issue(
                text=one_line(text, _TEXT_CHARS),
                uuid=node.uuid,
                offset=node.offset,
                at=node.timestamp,
                window=content.window.index,
            )


class _Reader:
    """What of a window is open so far."""

    def __init__(self) -> None:
        self.issues: list[Issue] = []
        self._failed, self._failed_check = "", _NO_CHECK
        # The uuids of what told of trouble, by turn.
        self._turns: deque[set[str]] = deque([set()], maxlen=TURNS_BACK)

    def read(self, step: TranscriptStep) -> None:
        """Take one more step in: a tool's use, or what somebody said."""
        if step.by_user:
            self._turns.append(set())
            self._failed, self._failed_check = "", _NO_CHECK
        if step.tool is not None:
            self._see(step, step.tool)
        else:
            self._hear(step)

    def _see(self, step: TranscriptStep, tool: ToolUse) -> None:
        self._failed = _failed_now(self._failed, tool)
        self.issues = _not_told_of(succeeded_by(tool), self.issues)
        for check in checks_of(step, tool):
            self._failed_check = _failed_check_now(self._failed_check, check, tool)
            self.issues = _after_check(self.issues, check, tool)

    def _hear(self, step: TranscriptStep) -> None:
        said = spoken_sentences(step, ISSUE_HINTS)
        beside, in_report = False, not step.by_user and len(said) > _REPORT_SENTENCES
        for number, sentence in enumerate(said):
            beside = beside or tells_beside(sentence)
            if not step.by_user and _ANNOUNCES.match(sentence):
                continue  # "Now let me see what still fails" tells what comes next
            if tells_of_issue(sentence) and not in_report:
                self._keep(step, with_referent(said, number), beside)
            elif calls_resolved(sentence):
                self._settle(sentence if step.by_user else with_referent(said, number))

    def _keep(self, step: TranscriptStep, text: str, beside: bool) -> None:
        """Keep what a step tells; `beside` what failed last: that is not what it is told of."""
        command = ""
        if not step.by_user:
            named = _check_named(text, self._failed_check)
            command = named if beside else self._failed or named
        self.issues.append(_told(step, text, command))
        self._turns[-1].add(step.uuid)

    def _settle(self, text: str) -> None:
        self.issues = left_open(self.issues, text, set().union(*self._turns))


def _failed_now(failed: str, tool: ToolUse) -> str:
    """Return the command that failed last, and did not succeed since."""
    if tool.succeeded is False:
        return run_by(tool) or failed
    return "" if failed and run_by(tool) == failed else failed


def _failed_check_now(before: tuple[str, str], check: Check, tool: ToolUse) -> tuple[str, str]:
    """Return the check that failed last and did not pass since, with what it showed."""
    if check.passed is None:
        return before
    output = tool.result.text[-_OUTPUT_CHARS:] if tool.result else ""
    return _NO_CHECK if check.passed else (check.text, output)


def _check_named(text: str, check: tuple[str, str]) -> str:
    """Return the check that failed if a text has a name of the code that its output has, too."""
    command, output = check
    return command if any(name in output for name in _names_of_code(text)) else ""


def _names_of_code(text: str) -> list[str]:
    """Return the words that are "test_mask" or "TestRefund", and none that any sentence has."""
    return [word for word in _WORD.findall(text) if not (word.isalpha() and word[1:].islower())]


def _names_its_case(line: str, issue: Issue) -> bool:
    """Return whether a line checks the very case that a failure tells of: `-run TestRefund`."""
    failing = FAILING_CHECK.match(issue.text)
    case = _CASE.search(issue.text, failing.end()) if failing else None
    return case is not None and case[1] in _WORD.findall(line)


def _not_told_of(command: str, told: list[Issue]) -> list[Issue]:
    return [issue for issue in told if issue.command != command] if command else told


def _told(step: TranscriptStep, text: str, command: str = "") -> Issue:
    return Issue(text=one_line(text, _TEXT_CHARS), **step.place, command=command)


def _each_once(issues: list[Issue]) -> tuple[Issue, ...]:
    """Return the issues, each once, oldest first; of two that begin alike the later."""
    opened = {_opening(issue): issue for issue in issues}
    named = list(opened.values())
    whole = [issue for issue in named if not _is_told_within(issue, named)]
    distinct = {normal_form(issue.text): issue for issue in whole}
    return tuple(sorted(distinct.values(), key=lambda issue: issue.offset))[-_ISSUES_LIMIT:]


def _is_told_within(issue: Issue, issues: list[Issue]) -> bool:
    """Return whether another issue of the same text says this one too, and more."""
    return any(
        other.uuid == issue.uuid and issue.text != other.text and issue.text in other.text
        for other in issues
    )


def _opening(issue: Issue) -> tuple[str, str]:
    """Return what two statements of one text share where the second is told with the first."""
    first = next(iter(sentences(issue.text)), "")
    return issue.uuid, first[:_OPENING_CHARS]


def is_failure_of(issue: Issue, command: str) -> bool:
    """Return whether an issue is that what a line checks failed, perhaps with another pipe."""
    return FAILING_CHECK.match(issue.text) is not None and repeats_check(command, issue.command)


def _is_told_by_failure(issue: Issue, check: Check) -> bool:
    """Return whether the failing of a check tells an issue anew: its own, or "tests still fail"."""
    if FAILING_CHECK.match(issue.text) or issue.command:
        return is_failure_of(issue, check.text)
    names_it = re.search(rf"\b{check.kind}", issue.text, re.IGNORECASE) is not None
    return names_it and is_settled(issue, check.kind, check.text)


def is_failed_step(issue: Issue) -> bool:
    """Return whether an issue is that something else than a check failed."""
    failing = FAILING_CHECK.match(issue.text)
    return failing is not None and line_kind(issue.command or failing.group(1)) is None


def _failing(check: Check, tool: ToolUse) -> Issue:
    error = telling_line(tool.result.text if tool.result else "")
    # The whole command beside its short name: by that it is known again when it passes.
    return _told(check.step, f"{command_name(check.text)} fails: {error}", check.text)


def command_name(command: str) -> str:
    """Return a command as an issue names it that tells of its failure."""
    return f"`{one_line(command, _NAMED_COMMAND_CHARS)}`"


def _failing_step(failure: OpenFailure) -> Iterator[Issue]:
    """Yield the issue that a step failed, unless it is a check whose result is known."""
    step, tool = failure.step, failure.tool
    if tool.name in _OWN_HANDS:
        return
    checks = checks_of(step, tool)
    if checks and could_not_find(tool):
        return
    if failure.strikes.error and all(check.passed is None for check in checks):
        command = checks[-1].text if checks else run_by(tool)
        name = command_name(command or f"{tool.name} {tool.used_on}".strip())
        yield _told(step, f"{name} fails: {failure.strikes.error}", command)


def _after_check(issues: list[Issue], check: Check, tool: ToolUse) -> list[Issue]:
    """Return the issues after one more check: those that it settles go, its own failure comes."""
    if check.told_passed is None:
        return issues
    if not check.told_passed:
        # What was said of it before is told with how it went last.
        again = [issue for issue in issues if not _is_told_by_failure(issue, check)]
        return again if check.passed is None else [*again, _failing(check, tool)]
    settled = [
        issue
        for issue in issues
        if is_settled(issue, check.kind, check.text) or _names_its_case(check.text, issue)
    ]
    return [issue for issue in issues if issue not in settled and not is_told_of(issue, settled)]
