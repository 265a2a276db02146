"""What a rule bars from being written: words in code, imports and packages, a commit's message.

A clause of a rule in, what it bars out. `says_more` tells whether a clause has more in it than was
understood; then it bars nothing.
"""

import re
from collections.abc import Iterable, Iterator

from amplihack_compaction.extract.barred_calls import Ban
from amplihack_compaction.extract.barred_clauses import CONDITION
from amplihack_compaction.extract.barred_names import COMMANDS, FILLERS, paths_in
from amplihack_compaction.text.rule_subjects import subject_of
from amplihack_compaction.text.words import canonical, has_cjk, words_of

PACKAGE_MANAGERS = ("npm pnpm yarn bun", "pip pip3 poetry pdm pipenv conda uv")
# What stands in code so and nowhere else.
_CODE = re.compile(
    r"(?<![\w/`@])`?(@ts-[a-z-]+|eslint-disable[\w-]*|console\.\w+"
    r"|(?:x?it|test|describe)\.(?:skip|only)|type: ?ignore|noqa|!important"
    r"|dangerouslySetInnerHTML|innerHTML|debugger|\.(?:skip|only)\b)`?(?![\w/])"
    r"|`(@[\w.-]+|[a-z]\w*\.[a-z]\w*\(\)?|[a-z_]\w*\(\)?|as any|: any|any"
    r"|#\[\w{1,40}[^\]`]{0,60}\])`",
)
# What is looked for where the word itself stands in prose, too.
_FORMS = {"any": (": any", "as any", "<any>"), ".skip": (".skip(",), ".only": (".only(",)}
_ADDS = re.compile(
    r"\b(?:add|leav|writ|us|put|mark|insert|introduc|commit|allow|disabl|sprinkl|skip|hav)\w*\b"
    r"|\b(?:comments?|statements?|calls?|tests?|skipped|as|in|etc|lines?|debug|logs?|styles?|rules?"
    r"|annotations?|directives?|ignores?|with|to|of|or|and|css|production|source|typescript)\b",
    re.IGNORECASE,
)
_PACKAGE = r"[`'\"]?([a-z@][\w@/.-]*\w)[`'\"]?"
_IMPORTED = re.compile(
    rf"\b(?:import|depend on|bring in|pull in)\w*\s{_PACKAGE}(?=\W*$| any ?more| again)"
    rf"|^\W*{_PACKAGE}\s(?:is (?:banned|forbidden|verboten|not allowed here)"
    r"|must (?:not )?(?:ever )?come back(?: into .*)?)"
    rf"|\bwant\s{_PACKAGE}\s(?:in here|in this (?:project|repo)|back)(?: ever)?(?: again)?",
    re.IGNORECASE,
)
_IN_MESSAGES = re.compile(
    r"(?:\b(?:mention|put|writ|us|add|includ|say|nam)\w*\s|\bno\s)(?:the\s)?(?:words?\s)?"
    r"[`\"“']?(\w[\w.-]*)[`\"”']?"
    r"\s(?:in|into|to)\s(?:(?:any|an?|the|my|your|our)\s)*commit (?:messages?|titles?|subjects?)",
    re.IGNORECASE,
)
# "Getters" count as "get" does.
_FILLER_STEMS = FILLERS.union(map(canonical, FILLERS)) - {"get"}


def text_bans(clause: str) -> Iterator[Ban]:
    """Yield what bars words in what is written: in code, in imports, in a commit's message."""
    if texts := [next(filter(None, found)) for found in _CODE.findall(clause)]:
        below = paths_in(without(clause, texts))
        if not says_more(_ADDS.sub(" ", without(_CODE.sub(" ", clause), below))):
            what = [form for text in texts for form in _FORMS.get(text, (text,))]
            words = "|".join(map(re.escape, texts))
            yield Ban(kind="text", what=tuple(dict.fromkeys(what)), below=below, words=words)
            return
    if mentioned := _IN_MESSAGES.search(clause):
        word = mentioned[1].casefold()
        yield Ban(kind="command", what=(f"git commit ~~{word}",), words=re.escape(word))
    elif imported := _IMPORTED.search(clause):
        name = next(filter(None, imported.groups())).lower().removesuffix(".js")
        if name not in FILLERS | COMMANDS and not says_more(_IMPORTED.sub(" ", clause)):
            quoted = tuple(f"{mark}{name}{end}" for mark in "\"'" for end in (mark, "/"))
            yield Ban(kind="text", what=quoted, words=re.escape(name))
            yield from package_bans(name)


_CHANGES = ("add", "i", "install", "up", "update", "upgrade")


def package_bans(name: str) -> Iterator[Ban]:
    """Yield what bars installing one package, or changing its version."""
    managers = {each for names in (*PACKAGE_MANAGERS, "cargo gem brew") for each in names.split()}
    lines = (f"{m} {verb} ~{name}" for m in sorted(managers) for verb in _CHANGES)
    if name not in FILLERS:
        yield Ban(kind="command", what=tuple(lines), words=re.escape(name))


def without(text: str, parts: Iterable[str]) -> str:
    """Return a text without these parts, where they stand as whole words."""
    for part in sorted(parts, key=len, reverse=True):
        whole = rf"(?<![A-Za-z0-9_]){re.escape(part)}(?![A-Za-z0-9_])"
        text = re.sub(whole, " ", text, flags=re.IGNORECASE)
    return text


def says_more(text: str) -> bool:
    """Return whether words of content are left, beside what was understood of a rule."""
    return bool(words_left(text))


def words_left(text: str) -> tuple[str, ...]:
    """Return the words of content beside what was understood of a rule, as they are written."""
    text = CONDITION.split(text, maxsplit=1)[0]
    said = {canonical(word): word for word in words_of(text) if word not in FILLERS}
    words = (subject_of(text).words & said.keys()) - _FILLER_STEMS
    written = [said[word] for word in words if not has_cjk(said[word])]
    written += _EAST_ASIAN.findall(SAYS_NOTHING.sub(" ", text))
    return tuple(sorted(written, key=text.casefold().find))


_EAST_ASIAN = re.compile(r"[\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7af々]+")
# Of Chinese, Japanese and Korean, what says only that something is barred, always, by whom.
SAYS_NOTHING = re.compile(
    r"[\u3041-\u309f]+"
    r"|不要|不准|不许|不許|不得|不可以?|不能|不用|不再|不|没有|没|别|別|勿|禁止|严禁|嚴禁|请|請|麻烦|拜托|千万|绝对|絶対|絕對|永远|一律"
    r"|自动|任何|所有|一切|直接|随便|隨便|擅自|自己|自行|动不动|以后|以後|今后|从现在开始|再也?|也|都|就|可以|允许|许可|同意|点头|谁也?|我们?|你们?"
    r"|这个?|那个?|这里|那里|项目|専案|仓库|命令|工具|东西|東西|代码|程式碼|底下|手动|手|内容|目[录錄]下?|资料夹|資料夾|檔案|裡面?|文件夹?|下面?|里面?|中|上|内|的|了|着|过|地|得|把|将|被|给|給|对|对于|在"
    r"|到|去|来|往|向|从|用|使用|做|干|搞|进行|执行|運行|运行|跑|和|与|或者?|还有|并且?|吗|吧|啊|哦|呢|一个?|个|是|让|会|要|想"
    r"|本当|直(?=push|プッシュ)|必|許可|勝手|直接|今後|全部|私|一切|禁|使用|実行|利用|事|方|時|中身|中|内|以下|プロジェクト|コマンド|ツール|フォルダ|ディレクトリ|ファイル"
    r"|절대로?|제발|그냥|직접|함부로|마음대로|앞으로|다시는?|아무것?도?|아무|모든|내|제|허락|승인|없이는?|말(?:고|아)?|하지는?|하지|하면|하는|하기|하십시오|해|하세요"
    r"|마세요|마십시오|마라|마요|마|말아|주세요|줘|써|쓰지|쓰면|쓰|사용|건드리지|건드리|리지|하진|금지(?:입니다|예요|이에요)?|안\s?[돼됩]\w*|돼|됩니다|것|거|좀|꼭|폴더|디렉토리|파일|프로젝트|명령어?"
    r"|(?<=[a-zA-Z가-힣`/])(?:으로|로|에서|에게|에는|에|을|를|은|는|이|가|의|도|와|과|만)(?![가-힣])|(?<![가-힣])(?:으로|로|에서|에는|에|을|를|은|는|이|가|의|도|와|과|만|지|하)(?![가-힣])"
)
