"""What a rule forbids that a tool call can be held against, and whether a call does it.

A rule's sentence in, what it bars out: a command, a branch, a path, a tool, a package manager or a
host, as plain values that can be stored. A rule that says more than these, a purpose or a
condition, bars nothing here: who is told of a rule that he did not break stops listening.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from amplihack_compaction.extract.barred_calls import Ban
from amplihack_compaction.text.rule_subjects import subject_of
from amplihack_compaction.text.words import canonical, words_of

_LONGEST_CHARS = 600
_WORDINGS_FILE = Path(__file__).with_name("barred_wordings.toml")

_COMMANDS = frozenset(
    "git gh npm npx pnpm yarn bun bunx deno cargo pip pip3 pipx uv poetry pdm conda mamba brew apt"
    " apt-get docker podman kubectl helm terraform tofu ansible aws gcloud az heroku vercel netlify"
    " firebase supabase wrangler flyctl rm rmdir sudo curl wget ssh scp sftp rsync psql mysql"
    " sqlite3 redis-cli mongosh sed awk perl grep rg chmod chown pkill killall dd eslint prettier"
    " tsc jest vitest mocha pytest mypy tox nox ts-node systemctl crontab nc telnet ftp composer"
    " bundler gem mvn gradle prisma alembic python2 nohup tmux jq yq xargs ack fd pipenv unittest"
    " nosetests flake8 pylint pyright isort biome webpack pulumi serverless skaffold pm2 glab svn"
    " husky lefthook pre-commit playwright cypress ngrok launchctl supervisorctl mongo pg_dump"
    " pg_restore dropdb createdb nvm pyenv asdf".split()
)
# Words of every day, which are commands only where something says so.
_ODD_COMMANDS = frozenset(
    "make just task go find kill cat mv cp tee node python python3 ruby php java black ruff touch"
    " echo head tail diff open source swift dart flutter rake rails ng nix fly bash sh export"
    " dotnet docker-compose easy_install cmake nodemon".split()
)
_SPAN = re.compile(r"`([^`\n]{1,200})`|\"([^\"\n]{1,80})\"|「([^」\n]{1,80})」|“([^”\n]{1,80})”")
_RUNS = re.compile(
    r"\b(?:run|runs|running|use|using|execute|call|invoke|lance\w*|exécut\w*|utilise\w*|ejecut\w*"
    r"|uses?|usa|usar|execute|rode|führe?|benutze?|verwende\w*|запуска\w*|использу\w*)\s+$",
    re.IGNORECASE,
)
_EXECUTES = re.compile(
    r"\b(?:run|execute|launch|invoke|running|executing)(?: the| any| a)?(?: bare)?\s+$",
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"(?:\./)?[A-Za-z:][\w:-]*(?: [\w:./=-]+)*")
_WORD = re.compile(r"[A-Za-z0-9_@~.*][\w@.:/*+-]*|--?[A-Za-z][\w-]*|/[\w.*/-]+", re.ASCII)
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]{2,}")
_SUBCOMMANDS = frozenset(
    "add amend apply audit bisect branch build cache checkout cherry-pick ci clean clone"
    " commit compose config create db delete deploy destroy dev diff dlx down drop exec fetch"
    " fix fmt force get global i import init install lint link list log login logout merge"
    " migrate migration new nextest outdated pack plan prune publish pull push rebase reflog"
    " release remote remove repo reset restart restore revert rm rollout run scale secrets"
    " serve ssh start stash state status stop submodule switch sync system tag test uninstall"
    " unlink up update upgrade worktree workspaces pop hard soft".split()
)
_NEGATED = re.compile(
    r"\b(?:not|never|don't|dont|no|avoid|stop|mustn't|shouldn't|can't|cannot|nicht|nie|niemals"
    r"|kein\w*|nichts|pas|jamais|aucun|ne|n'|nunca|jamás|ningún|ninguna|não|nao|nenhum"
    r"|hipótese|не|ни|никогда|нельзя|instead of|rather than|(?:use|prefer) \S+ over|statt"
    r"|au lieu de?|en (?:vez|lugar) de|em vez de|ao invés de|вместо"
    r"|nothing|none|nobody|forbidden|banned|prohibited|off[- ]limits|hands off|leave .{1,80} alone"
    r"|read[- ]only\W*$|frozen|skip|bypass|(?:stay|keep) (?:out|away|off|on)|verboten|tabu"
    r"|finger (?:weg|von)|interdite?s?"
    r"|prohibid[oa]s?|proibid[oa]s?|запрещ\w*)\b"
    r"|n't\b|不要|别|禁止|不|勿|ないで|禁止|지 ?마|말고|금지|ません|않|ではなく|じゃなく|아니라",
    re.IGNORECASE,
)
# These stand between a verb and what it is done to.
_NEGATIVE_WORD = re.compile(
    r"\b(?:not|never|nicht|nie|niemals|pas|jamais|nunca|jamás|não|nao|не|никогда)\b", re.IGNORECASE
)
_NOT_TO_FORGET = re.compile(r"\bforget\b|vergiss|oubli|olvid|esque[çc]|забыва|忘|잊", re.IGNORECASE)
# As "without my leave": "code that I have not seen", "files I didn't ask about".
_UNASKED = re.compile(
    r"(?:\b(?:code|files?|changes|things|anything))?(?: that| which)? I (?:have not|haven't|did not"
    r"|didn't|don't|do not)\b.*$"
)
_PREFERS = re.compile(
    r"\W*(?:please |bitte |always |only |immer |nur )*(?:use|prefer|take|go with|benutz\w*|nimm"
    r"|verwend\w*|utilis\w*|prends|usa|usen|usem|используй\w*)\s",
    re.IGNORECASE,
)
_IN_PLACE_OF = re.compile(
    r"\b(?:instead of|rather than|(?<=\w )over(?= \w+\W*$)|statt|au lieu de?"
    r"|en (?:vez|lugar) de|em vez de|ao invés de"
    r"|вместо)\b|而不是|而非",
    re.IGNORECASE,
)
# What stands before these is barred, what stands behind them is not.
_BEHIND = re.compile(r"ではなく|じゃなく|말고|이 아니라|가 아니라")
_CLAUSE = re.compile(
    r"(?<!\s)[,;.!?](?=\s|$)|[，；。！、]|\s[-–—]\s|\s(?:but|aber|mais|pero|mas|но)\s|:\s"
    r"|\s(?:because|weil|parce que|porque|потому что)\s"
)
_ASIDE = re.compile(r"\s\((?![^()]*(?:--|[./`]|\bno\b|\bnot\b|\bnever\b))[^()]*\)", re.IGNORECASE)
_SLASHED = re.compile(r"(?<![\w/.`-])\w[\w.-]*(?:/\w[\w.-]*)*/\w[\w.-]*\b(?![\w/`-])")
# What a list goes on with, and how it ends.
_ITEM = re.compile(
    r"(?:\S+ ){0,2}(?:`[^`]+`|\S+)(?:\s(?:or|nor)\s(?:`[^`]+`|[^,]{1,80}))?|(?:or|nor) .*"
)
_ENDS_LIST = re.compile(r"^\s*(?:or|nor|oder|ou|или)\s")
_OR = re.compile(r"\s(?:or|nor|oder|ou|или)\s(?=(?:[^`]*`[^`]*`)*[^`]*$)")
_LEAD = re.compile(
    r".{0,40}?\b(?:never|not|don't|dont|no|avoid|stop|nicht|nie|keine?|ne|não|no)\b"
    r"(?: (?:ever|just|directly))?\s+\S+",
    re.IGNORECASE,
)
_QUALIFIES = re.compile(
    r"\b(?:in|on|for|with|at|from|of|inside|within|during|via|against|as|than|once|twice)\b"
)
_ONLY = re.compile(
    r"\b(?:only|exclusively|solely|nur|ausschließlich|uniquement|exclusivement|exclusivamente"
    r"|только|`?any`? (?:package )?manager other than)\b|只",
    re.IGNORECASE,
)
_PACKAGE_MANAGERS = ("npm pnpm yarn bun", "pip pip3 poetry pdm pipenv conda uv")
# What must be true before a rule is broken; only the user's leave is none of them.
_CONDITION = re.compile(
    r"\b(?:when|whenever|while|if|unless|until|before|after|without|except|wenn|falls|sofern|außer"
    r"|bevor|ohne|bis|quand|lorsque|si|sauf|sans|avant|cuando|sin|salvo|antes|quando|se|sem|exceto"
    r"|если|когда|пока|без|кроме)\b|如果|除非|之前|没有|場合|前に|とき|경우|전에|없이",
    re.IGNORECASE,
)
# With an option that is barred, the time at which it could be given says nothing more.
_WHILE_DOING = re.compile(
    r"(?<=\s)(?:when|while) (?:you(?:'re| are)? )?(?:commit|push|merg|rebas|install|test)\w*\W*$",
    re.IGNORECASE,
)
_LEAVE = re.compile(
    r"\b(?:ask\w*|my|me|i|i'm|i've|permission|approval|approved?|consent|confirm\w*|told|tell|say|says"
    r"|PRs?|pull[- ]requests?|ok|okay|explicit\w*|instruct\w*|requests|requested|authori[sz]\w*"
    r"|ich|mir|mich|meine?\w*|freigabe|erlaubnis|rückfrage|moi|je|mon|accord"
    r"|demander|permiso|preguntar\w*|mi|yo|diga|permissão|perguntar|eu|разрешени\w*|спрос\w*"
    r"|моего|скажу)\b|我|许可|允许|確認|許可|私|내|허락|승인|말하",
    re.IGNORECASE,
)
_BRANCH_NAME = r"(?:main|master|develop|dev|production|prod|staging|trunk|release)"
_SLASHED_BRANCH = r"(?:release|feature|feat|hotfix|bugfix|fix|env|deploy)/[\w./-]*\w"
_BRANCH_LIKE_A_PATH = re.compile(rf"(?<![\w/.-])(?:origin/)?{_SLASHED_BRANCH}", re.IGNORECASE)
_BRANCH = re.compile(
    rf"(?<![\w/.-])(?:origin/)?({_SLASHED_BRANCH})"
    rf"|(?<![\w/.-])(?:origin/)?({_BRANCH_NAME})(?![A-Za-z0-9_/.-]*[A-Za-z0-9_])(?!\s*(?:folder|directory|file))"
    r"|\b([\w./-]+)[ -](?:branch|Branch|zweig)\b|\bbranch(?:e|es)?\s+[`\"]?([\w./-]+)"
    r"|ветк\w*\s+([\w./-]+)|([\w./-]+)\s*(?:分支|ブランチ|브랜치)",
    re.IGNORECASE,
)
_NO_BRANCH = frozenset(
    "the a any this that other another my your our new same feature remote current own protected"
    " der die das den la le el o a une un default".split()
)
_EXTENSIONS = (
    "py js jsx ts tsx mjs cjs json jsonc yaml yml toml ini cfg conf env lock md mdx txt rst html"
    " css scss sass less vue svelte go rs rb php java kt swift c h cc cpp hpp cs sh bash sql xml"
    " csv tsv proto graphql tf tfvars gradle properties ipynb log pem key crt db"
    " sqlite svg png lua ex exs dart scala pl r prisma snap"
)
_FILE = re.compile(
    rf"(?:[\w.@*-]+/)*[\w.@*-]*\.(?:{'|'.join(_EXTENSIONS.split())})(?:\.\w{{1,10}})?(?![\w/-])"
    r"|(?<![\w/])\.(?:env|gitignore|npmrc|github|vscode|husky|ssh|aws|git|claude)\b(?:[\w./-]*\w)?"
    r"|(?<![\w.])(?:Makefile|Dockerfile|Gemfile|Jenkinsfile|Procfile|LICENSE)\b"
)
_LANGUAGES = {
    "python": "py", "javascript": "js", "typescript": "ts", "ruby": "rb", "rust": "rs",
    "kotlin": "kt", "shell": "sh",
}  # fmt: skip
_FILES_IN = re.compile(
    r"(?<![\w.-])(?:any |the |new |existing |more )*"
    rf"\.?({'|'.join((*_EXTENSIONS.split(), *_LANGUAGES))}) (?:files?|dateien)\b",
    re.IGNORECASE,
)
_NAME_OF_FILE = re.compile(
    r"[\w.-]*\w\.[a-z]\w{1,9}|[\w.-]*\*[\w.*-]+|\.\w[\w-]+|node_modules|dist|out|vendor|coverage|__pycache__"
)
_FOLDER = re.compile(
    r"(?<![\w:/.])(?:~?\.{0,2}/)?(?:[\w.@*-]+/)+(?:[\w.@*-]+)?|(?<![\w:/.])~?/[\w.-]+"
)
_ALTERNATIVES = frozenset(
    "and/or or/and his/her he/she i/o w/o n/a ci/cd client/server input/output read/write tcp/ip"
    " yes/no on/off true/false dev/prod ui/ux".split()
)
_NAMED_FOLDER = re.compile(
    rf"\b(?!(?:{'|'.join(sorted(_NO_BRANCH))})\b)"
    r"([\w.@-]+)[ -](?:folder|directory|dir|Ordner|Verzeichnis)\b(?![-.])"
    r"|\b(?:folder|directory|Ordner|Verzeichnis|dossier|répertoire|carpeta|directorio|pasta|diretório|папк\w+"
    r"|каталог\w*)\s+[`\"]?([\w.@/-]+)|([\w.@/-]+)\s*(?:目录|文件夹|フォルダ|ディレクトリ|폴더|디렉토리)",
    re.IGNORECASE,
)
_ALL_IN_FOLDER = re.compile(
    r"\b(?:anything|everything|nothing|files?|stuff|things|dateien|fichiers?|archivos?|arquivos?"
    r"|файл\w*)(?: that(?:'s| is| are| lives?))?"
    r" (?:under|in|inside|below|within|unter|dans|sous|en|em|в) (?:the |our |le |la |el )?"
    r"([a-z][\w.-]*\w)(?=\W*$| is\b| are\b| nicht\b)",
    re.IGNORECASE,
)
_NAMED_SERVICE = re.compile(
    r"\b(restart|reload|stop|kill|ssh(?: in)?(?: ?to)?)\s+(?:the )?([a-z][\w.@-]*\w)\W*$",
    re.IGNORECASE,
)
_NAMED_PACKAGE = re.compile(
    r"\b(?:install|add|upgrad|updat|bump|downgrad)\w*(?: the)? [`\"]?([a-z@][\w@/.-]*\w)[`\"]?"
    r"(?: (?:package|library|dependency|version))?\W*$",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"\b(?:outside(?: of)?|außerhalb(?: von)?|en dehors d[eu]|hors d[eu]|fuera de|fora d[eoa]|вне)"
    r"\s+(?:the |den |dem |la |le |this |our )*[`\"]?"
    r"(?:(?P<here>(?:project|repo(?:sitory)?|workspace|scope|checkout|(?:current|working)(?= \w))"
    r"(?: root)?)|([\w./@-]*\w/?))[`\"]?"
    r"(?: (?:folder|directory|ordner))?\W*$",
    re.IGNORECASE,
)
_NAMED_SCRIPT = re.compile(
    r"\b(?:run|execute|invoke|launch|call|start)\s+(?:the |any |our )?([a-z][\w:.-]*\w)"
    r"(?: (?:script|task|target|job|pipeline)|\.\w{2,3})\W*$",
    re.IGNORECASE,
)
_HOST = re.compile(
    r"https?://([\w.-]+(?::\d+)?)|(?<![\w/@.-])((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|internal"
    r"|local|example|co|ai|cloud|de|fr|es|br|ru|cn|jp|kr|uk|eu|us|test|corp|lan)(?::\d+)?)(?![\w.-]*\w)"
    r"|(?<![\d.])((?:\d{1,3}\.){3}\d{1,3}(?::\d+)?)|\b(localhost:\d+)",
    re.IGNORECASE,
)
_TOOLS = re.compile(
    r"\b(WebFetch|WebSearch|MultiEdit|NotebookEdit|TodoWrite|mcp__\w+)\b"
    r"|\b(?:the )?(Task|Agent|Bash|Write|Edit|Read|Glob|Grep|Skill)[- ](?:tool|Tool|工具)"
    r"|(?:工具|tool) (Task|Agent|Bash|Write)\b"
    r"|^\W*(Task|Agent|Bash|Write|Edit|Read|Glob|Grep|Skill) is "
)
_MCP = re.compile(r"\b([\w-]+) mcp\b|\bmcp(?: server)? ([\w-]+)", re.IGNORECASE)
_TOOL_WORDS = (
    (re.compile(r"search(?:ing)? the (?:web|internet)|web ?search\w*|google\b", re.I), "WebSearch"),
    (
        re.compile(
            r"fetch\w* (?:any |the )?(?:urls?|web ?pages?|pages?|web ?sites?)"
            r"|(?:mak\w+ )?(?:any )?(?:network|web|internet|http) (?:requests?|access|calls?)"
            r"|(?:access|go on|brows\w+|go to)? ?(?:the )?internet",
            re.I,
        ),
        "WebFetch WebSearch",
    ),
    (
        re.compile(
            r"(?:spawn\w*|launch\w*|start\w*|delegat\w* (?:anything |work |this )?to)?"
            r" ?(?:any |other )?\b(?:sub-?agents?\b|подагент\w*|子代理|サブエージェント)"
            r"|(?:spawn\w*|launch\w*|delegat\w* (?:anything |work |this )?to)"
            r" (?:any |other |task )*agents?\b",
            re.I,
        ),
        "Task Agent",
    ),
)
_WAYS = {
    "write": re.compile(
        r"\b(?:touch|edit|modif|chang|alter|updat|overwrit|rewrit|refactor|tamper|renam|format)\w*"
        r"|\bwrite\b|\bmess with|hands off|\balone\b|off[- ]limits|\bas (?:it is|they are)\b"
        r"|\bread[- ]only\b|\bfrozen\b"
        r"|\b(?:stay|keep) (?:out|away)\b|\bänder\w*|\bbearbeit\w*"
        r"|\banfass\w*|\bfass\b|\bschreib\w*|\bveränder\w*|\btouch\w*|\bmodifi\w*|\bédit\w*"
        r"|\btoqu\w*|\btoc\w*|\bcambi\w*|\bmex\w*|\balter\w*|\bedit\w*|\brühr\w*|\bfinger\b|трога\w*|меня\w*|измен\w*"
        r"|редактир\w*|修改|改|动|碰|触|変更|編集|수정|건드|변경|고치",
        re.IGNORECASE,
    ),
    "delete": re.compile(
        r"\b(?:delet|remov|eras|wip|lösch|supprim|effac|borr|elimin|apag|delet|exclu)\w*|удал\w*"
        r"|删除|删|削除|消|삭제|지우",
        re.IGNORECASE,
    ),
    "create": re.compile(
        r"\bcreat\w*|\bgenerat\w*|\bleg\w* .* an\b|\berstell\w*|\bcré\w*|\bcre[ae]\w*|\bcri[ae]\w*"
        r"|созда\w*|创建|新建|作成|생성",
        re.IGNORECASE,
    ),
    "read": re.compile(
        r"\b(?:read(?![- ]only)|open|print|cat|look (?:at|in|into)|access|off[- ]limits"
        r"|lies|lese\w*|öffn\w*"
        r"|lire|lis|ouvr\w*|leas?|abra\w*|leia|acess\w*)\b|чита\w*|откры\w*|读取|读|読|읽",
        re.IGNORECASE,
    ),
    "commit": re.compile(r"\bcommit\w*|комм?ит\w*|提交|コミット|커밋|\bcheck in\b|\bstage\b", re.I),
    "run": re.compile(
        r"\b(?:run|execut|call|start|launch|lanc|exécut|ejecut|rod|ausführ|führ)\w*|запус\w*|运行|执行|実行|실행",
        re.IGNORECASE,
    ),
}
# Words beside an object that change nothing of what is meant.
_FILLERS = frozenset(
    "file files folder folders directory directories dir anything everything something any all"
    " thing content contents code changes change inside under within hand manually directly"
    " straight yourself own ever please repo repository project command commands tool tools server"
    " servers package manager flag flags option machine system box computer laptop remote"
    " origin upstream github branch branches environment env live real git generated auto here"
    " there again anymore yet now"
    " automatically blindly behalf user user's root main codespace protected default pass"
    " absolutely strictly simply really statement statements version control vcs"
    " leave keep allowed allow permitted let try need want going from let's point"
    " nothing none nobody direct forbidden banned prohibited limits alone off hands away anywhere"
    " anybody access rather process port dare pls must may should stay stays remain remains"
    " circumstances stop your yours get gets"
    " hinzufügen hinzu installieren machen ausführen benutzen verwenden ändern anfassen lassen"
    " finger muss müssen darf dürfen sollen direto directo diretamente fichiers aucune rien"
    " datei dateien ordner verzeichnis projekt bitte befehl direkt hier selbst inhalt fall"
    " umständen cas prétexte ningún ninguna caso concepto circunstancia hipótese alguma коем случае"
    " fais fait faire fasse fichier fichiers dossier projet commande directement ici répertoire"
    " archivo archivos carpeta proyecto comando directamente aquí directorio hagas hacer haga"
    " arquivo arquivos pasta projeto diretamente aqui diretório faça fazer dê"
    " файл файлы папка папку папке папки папок каталог каталоге каталога проект команду команда"
    " напрямую ветку ветка здесь".split()
)
# "Getters" count as "get" does.
_FILLER_STEMS = _FILLERS.union(map(canonical, _FILLERS)) - {"get"}
_SCOPED = re.compile(r"\b(?:to|for|zum|für|pour|para|чтобы|для)\s+(\w+)", re.IGNORECASE)


def bans_of(sentence: str, *, is_prohibition: bool) -> tuple[Ban, ...]:
    """Return what a rule's sentence bars; nothing where it says more than can be checked."""
    found: list[Ban] = []
    text = _ASIDE.sub("", sentence[:_LONGEST_CHARS]).replace("`/`", "` or `")
    clauses = _clauses(_SLASHED.sub(_apart, text))
    for clause in _barred_clauses(clauses, is_prohibition=is_prohibition):
        if _is_conditional(clause):
            return ()
        found += [ban for ban in _bans_in(clause) if not any(_covers(each, ban) for each in found)]
    return tuple(found) or tuple(ban for clause in clauses for ban in _bans_of_all_others(clause))


def _covers(ban: Ban, other: Ban) -> bool:
    return ban.kind == other.kind and {*other.what} <= {*ban.what}


def _apart(found: "re.Match[str]") -> str:
    """Return `npm/yarn` as `npm or yarn`, which is no path."""
    names = found.group().split("/")
    are_known = all(name in _COMMANDS or _BRANCH.fullmatch(name) for name in names)
    are_files = all("." in name and _FILE.fullmatch(name) for name in names)
    return " or ".join(names) if are_known or are_files else found.group()


def _clauses(sentence: str) -> list[str]:
    """Return the parts of a sentence; what a list in it names stays with what stands before it."""
    kept, joints = [""], [""]
    # Of what stands in backquotes nothing ends a clause.
    text = sentence.replace("’", "'").replace(", ever", " ever")
    at = 0
    spans = [found.span() for found in _SPAN.finditer(text)]
    for joint in _CLAUSE.finditer(text):
        if any(start < joint.start() < end for start, end in spans):
            continue
        kept[-1] += text[at : joint.start()]
        kept.append("")
        joints.append(joint.group())
        at = joint.end()
    kept[-1] += text[at:]
    clauses: list[str] = []
    listed = 0
    for number, clause in enumerate(kept):
        is_item = joints[number] == "," and _ITEM.fullmatch(clause.strip()) is not None
        if not is_item or not clauses or _PREFERS.match(clause):
            listed = 0
        elif (
            _ENDS_LIST.match(clause)  # "a, b, or c"
            or _OR.search(clause)
            or clause.split()[0] in _COMMANDS & {*clauses[-1 - listed].split()}  # "git a, git b"
        ):
            clauses[-1 - listed :] = [
                " or ".join([*clauses[-1 - listed :], _ENDS_LIST.sub("", clause).strip()])
            ]
            listed = 0
            continue
        else:
            listed += 1
        if clause.strip():
            # A condition behind a full stop is not that of what stands before it.
            clauses += [clause.strip()] if joints[number] in ("", ",") else ["", clause.strip()]
    return clauses


def _barred_clauses(clauses: list[str], *, is_prohibition: bool) -> list[str]:
    """Return the clauses that bar something: those with a negation, or all."""
    barred: list[str] = []
    for number, clause in enumerate(clauses):
        if _NEGATED.search(clause) is None:
            continue
        instead = _IN_PLACE_OF.search(clause)
        refused = _NEGATED.search(clause) if _PREFERS.match(clause) else None
        behind = _BEHIND.search(clause)
        if behind is not None:
            clause = clause[: behind.start()]
        elif instead is not None:
            clause = clause[instead.end() :]
        elif refused is not None:  # "use 127.0.0.1, not localhost", without the comma
            clause = clause[refused.start() :]
        # "push without asking, or until I say so": a condition behind the comma belongs to it.
        after = clauses[number + 1] if number + 1 < len(clauses) else ""
        if _CONDITION.match(after):
            clause = f"{clause} {after}"
        barred += [clause, *_alternatives(clause)]
    if barred or not is_prohibition:
        return barred
    return [c for c in clauses if c and not _PREFERS.match(c) and _ONLY.search(c) is None]


def _alternatives(clause: str) -> Iterator[str]:
    """Yield each of the things that a clause bars with "or", as a clause of its own."""
    first, *others = _OR.split(clause)
    lead = _LEAD.match(first)
    # "Don't run the tests or the linter in watch mode": that is said of both.
    is_shared = _QUALIFIES.search(others[-1] if others else "") and others[-1][:3] != "any"
    if not others or lead is None or (is_shared and _SPAN.search(first) is None):
        return
    if not first[lead.end() :].strip():  # "never amend or rewrite commits"
        first = f"{first} {others[-1].partition(' ')[2]}"
    yield first
    for other in others:
        yield from (other, f"{lead.group()} {other}")


def _bans_of_all_others(clause: str) -> Iterator[Ban]:
    """Yield what bars all but what alone may be used or changed: "only use yarn"."""
    only = _ONLY.search(clause)
    rest = _ONLY.sub(" ", clause)
    is_barred = _NEGATED.search(clause) and only and not only.group().endswith("other than")
    if only is None or is_barred or _is_conditional(clause):
        return
    for names in _PACKAGE_MANAGERS:
        used = [name for name in _commands_in(clause) if name in names.split()]
        if used and not _says_more(_USES.sub(" ", _without(rest, used))):
            others = tuple(name for name in names.split() if name not in used)
            yield Ban(kind="command", what=others, words=rf"\b(?:{'|'.join(others)})\b")
    paths = _paths_in(rest)
    unsaid = _WAYS["write"].sub(" ", _without(rest, paths))
    if paths and unsaid != rest and not _says_more(unsaid):
        yield Ban(kind="outside", what=paths)


def _is_conditional(clause: str) -> bool:
    """Return whether a clause bars something only at times, but for want of the user's leave."""
    found = _CONDITION.search(_WHILE_DOING.sub(" ", _SPAN.sub(" ", clause)))
    return found is not None and _LEAVE.search(clause[max(0, found.start() - 1) :]) is None


def _bans_in(clause: str) -> Iterator[Ban]:
    if _NOT_TO_FORGET.search(clause):
        return
    clause = " ".join(_NEGATIVE_WORD.sub(" ", _UNASKED.sub(" ", clause)).split())
    condition = _CONDITION.search(_SPAN.sub(lambda found: "_" * len(found.group()), clause))
    said = clause[: condition.start()] if condition and condition.start() > 3 else clause
    hosts = tuple(dict.fromkeys(next(filter(None, f)).lower() for f in _HOST.findall(said)))
    if hosts:
        yield Ban(kind="host", what=hosts, words="|".join(map(re.escape, hosts)))
        return
    if tools := _tools_in(said):
        yield Ban(kind="tool", what=tools, words="|".join(tools))
        return
    actions = {} if _USED_TO.search(said) else _actions_in(said)
    named = None if actions else _NAMED_PACKAGE.search(said)
    if named and not _says_more(said[: named.start()]):
        yield from _package_bans(named[1].lower())
        return
    commands = _commands_in(said)
    pushes = any(action.branches for action in actions.values())
    files = _BRANCH_LIKE_A_PATH.sub(" ", said) if pushes else said
    if not commands and (bans := _bans_of_files(files)) is not None:
        yield from bans
    elif _NAMED_SCRIPT.search(said) and not commands:
        yield from _script_bans(said)
    elif (
        actions
        and (bans := tuple(_action_bans(said, actions)))
        and not any(" " in command for command in commands)
    ):
        yield from bans
    elif service := _NAMED_SERVICE.search(said):
        yield from _service_bans(said, service)
    elif commands:
        yield from _command_bans(said, commands)


def _tools_in(said: str) -> tuple[str, ...]:
    tools = [name for found in _TOOLS.findall(said) for name in found if name]
    servers = (next(filter(None, found)).lower() for found in _MCP.findall(said))
    tools += [f"mcp__{name}" for name in servers if name not in _FILLERS | _NO_BRANCH]
    for pattern, names in _TOOL_WORDS:
        if pattern.search(said) and not _says_more(_USES.sub(" ", pattern.sub(" ", said))):
            tools += names.split()
    if "Task" in tools or "Agent" in tools:
        tools += ["Task", "Agent"]
    return tuple(dict.fromkeys(tools))


def _commands_in(said: str) -> tuple[str, ...]:
    """Return the commands that are named, each as the words that one must have."""
    found: list[str] = []
    for span in _SPAN.finditer(said):
        words = (span[1] or span[2] or span[3] or span[4] or "").split()
        if words and (words[0] in _COMMANDS or (words[0] in _ODD_COMMANDS and span[1])):
            found.append(" ".join(words))
        elif span[1] and words and words[0].startswith("--"):
            found.append(f"* {words[0]}")
        elif span[1] and _EXECUTES.search(said[: span.start()]) and _SCRIPT.fullmatch(span[1]):
            line = span[1].removeprefix("./")
            found.append(line if words[1:] else f"* ~{line.lower()}")
    rest = _SPAN.sub(lambda span: " " * len(span.group()), said)
    named = list(_WORD.finditer(rest))
    number = 0
    while number < len(named):
        word = named[number]
        name = word.group()
        number += 1
        runs = _RUNS.search(rest[: word.start()]) is not None
        if name not in _COMMANDS and not (name in _ODD_COMMANDS and runs):
            continue
        line = [name]
        while number < len(named) and _goes_on(rest, named[number - 1], named[number]):
            line.append(named[number].group())
            number += 1
        after = rest[named[number - 1].end() :].strip(" .!")
        is_object = not after or any(purpose.match(after) for purpose in _PURPOSES.values())
        if name not in _ODD_COMMANDS or len(line) > 1 or is_object:
            found.append(" ".join(line))
    flags = [f"* {flag}" for flag in _FLAG.findall(rest) if not any(flag in f for f in found)]
    if "* --no-verify" in (*found, *flags):
        flags.append("git commit -n")
    return tuple(dict.fromkeys([*found, *flags]))


def _goes_on(text: str, before: "re.Match[str]", word: "re.Match[str]") -> bool:
    """Return whether a word belongs to the command before it: `git push --force`."""
    name = word.group()
    if text[before.end() : word.start()] != " " or name in _COMMANDS:
        return False
    return name in _SUBCOMMANDS or name == "." or name.isdigit() or ":" in name or "-" in name


def _paths_in(said: str) -> tuple[str, ...]:
    spans = [s[1] or s[2] or s[3] or s[4] or "" for s in _SPAN.finditer(said)]
    text = _SPAN.sub(lambda s: f" {s[1] or s[2] or s[3] or s[4]} ", said)
    found = [match.group() for match in _FILE.finditer(text)]
    found += [span for span in spans if _NAME_OF_FILE.fullmatch(span) and span not in found]
    for match in _FOLDER.finditer(text):
        path = match.group()
        if path.lower() in _ALTERNATIVES or any(path in file for file in found):
            continue
        sure = path.endswith("/") or path[0] in "/~." or path.count("/") > 1 or path in spans
        if sure or "/" in path.strip("/"):
            found.append(path)
    for named in (*_NAMED_FOLDER.finditer(text), *_all_in_folders(text)):
        path = next(filter(None, named.groups()))
        # "leave that folder alone" names none; "the generated folder" does.
        no_name = _NO_BRANCH if named[1] else _NO_BRANCH | _FILLERS
        if path.lower() not in no_name and not any(path in file for file in found):
            found.append(path)
    plain = (path.removeprefix("./").rstrip("/.,") for path in found)
    return tuple(dict.fromkeys(path for path in plain if path))


def _bans_of_files(said: str) -> tuple[Ban, ...] | None:
    """Return what bars the files that are named or spoken of; None where none are."""
    paths = _paths_in(said)
    if outside := _OUTSIDE.search(said):
        if _says_more(_WAYS["write"].sub(" ", said[: outside.start()])):
            return None
        name = outside["here"] or outside[2]
        what = () if outside["here"] else paths or (name,)
        return (Ban(kind="outside", what=what, words=re.escape(name)),)
    sort = _sort_of_files(said) or _with_extension(said)
    if sort and all(path in sort[1][0] for path in paths):
        return tuple(_path_bans(said.replace("`", ""), *sort)) or None
    return tuple(_path_bans(said, paths, paths)) if paths else None


def _with_extension(said: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the files that are spoken of by what they are written in: `log files`."""
    found = _FILES_IN.search(said.replace("`", ""))
    if found is None:
        return None
    return (f"*.{_LANGUAGES.get(found[1].lower(), found[1].lower())}",), (found.group(),)


def _all_in_folders(text: str) -> Iterator["re.Match[str]"]:
    return (found for found in _ALL_IN_FOLDER.finditer(text) if found[1].lower() not in _FILLERS)


def _sort_of_files(said: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return what a sort of files is called that is spoken of, and the words that speak of it."""
    for sort in _wordings()["files"].values():
        words = rf"(?<![\w/.-])(?:{sort['words']})(?![A-Za-z0-9_/-])"
        if found := re.search(words, said, re.IGNORECASE):
            return tuple(sort["names"]), (found.group(),)
    return None


def _path_bans(said: str, paths: tuple[str, ...], spoken: tuple[str, ...]) -> Iterator[Ban]:
    """Yield what bars `paths`, of which the rule's words that are `spoken` speak."""
    bare = _without(said, spoken)
    ways = tuple(way for way, pattern in _WAYS.items() if pattern.search(bare))
    if "write" in ways or "delete" in ways:
        ways = tuple(way for way in ways if way not in ("run", "commit"))
    is_of_new = re.search(r"\b(?:new|more|extra|additional)\b", said) is not None
    if is_of_new and (not ways or {"write", "create"} & {*ways}):
        ways = ("create",)
    elif re.search(r"\b(?:existing|applied)\b", said):
        ways = tuple("change" if way == "write" else way for way in ways)
    if not ways or (set(ways) == {"run"} and not any("/" in p or "." in p for p in spoken)):
        return
    if ways == ("run",):  # "the deploy script ./deploy.sh"
        bare = _without(bare, ["script", *re.findall(r"\w+", " ".join(paths))])
    for pattern in _WAYS.values():
        bare = pattern.sub(" ", bare)
    if not _says_more(bare):
        words = "|".join(re.escape(path.rpartition("/")[2] or path) for path in spoken)
        yield Ban(kind="path", what=paths, ways=ways, words=words)


@dataclass(frozen=True, slots=True)
class Action:
    """What a rule may speak of, and the commands that do it: see `barred_wordings.toml`."""

    words: re.Pattern[str]
    commands: tuple[str, ...]
    instead_of: tuple[str, ...] = ()
    branches: bool = False


@cache
def _wordings() -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads(_WORDINGS_FILE.read_text(encoding="utf-8"))


@cache
def known_actions() -> dict[str, Action]:
    """Return the actions that a rule may bar, by name."""
    return {
        name: Action(
            re.compile("|".join(action["words"]), re.IGNORECASE),
            tuple(action["commands"]),
            tuple(action.get("instead_of", ())),
            action.get("branches", False),
        )
        for name, action in _wordings()["actions"].items()
    }


def _actions_in(said: str) -> dict[str, Action]:
    """Return the actions that are spoken of, without those that stand in another's words."""
    found = {
        name: action
        for name, action in known_actions().items()
        if (match := action.words.search(said)) is not None and match.group().strip()
    }
    meant = {less for action in found.values() for less in action.instead_of}
    return {name: action for name, action in found.items() if name not in meant}


def _action_bans(said: str, actions: Mapping[str, Action]) -> Iterator[Ban]:
    branches = _branches_in(said) if any(a.branches for a in actions.values()) else ()
    rest = said
    for action in actions.values():
        rest = action.words.sub(" ", rest)
        for less in action.instead_of:
            rest = known_actions()[less].words.sub(" ", rest)
    names = ("npm", "pypi", "crates", "production", "prod", "database", "npm registry")
    if _says_more(_without(rest, (*branches, *names))):
        return
    for name, action in actions.items():
        limit = branches if action.branches else ()
        if limit or name != "reach a branch":
            yield Ban(
                kind="command", what=action.commands, branches=limit, words=action.words.pattern
            )


def _service_bans(said: str, named: "re.Match[str]") -> Iterator[Ban]:
    """Yield what bars doing to one service, or one machine, what the rule says."""
    name = named[2]
    verb = named[1].split()[0].lower()
    if _says_more(said.replace(named.group(), " ")):
        return
    line = verb if name.lower() in _FILLERS else f"* {verb} {name}"
    if verb == "ssh" or line != verb:
        yield Ban(kind="command", what=(line,), words=re.escape(name))


def _package_bans(name: str) -> Iterator[Ban]:
    """Yield what bars installing one package, or changing its version."""
    managers = {each for names in (*_PACKAGE_MANAGERS, "cargo gem brew") for each in names.split()}
    lines = (f"{m} {verb} ~{name}" for m in sorted(managers) for verb in ("add", "i", "install"))
    if name not in _FILLERS:
        yield Ban(kind="command", what=tuple(lines), words=re.escape(name))


def _script_bans(said: str) -> Iterator[Ban]:
    """Yield what bars running what is only named, as a script of the project's."""
    named = _NAMED_SCRIPT.search(said)
    if named is None or named[1].lower() in _FILLERS or _says_more(said[: named.start()]):
        return
    yield Ban(kind="command", what=(f"* ~{named[1].lower()}",), words=re.escape(named[1]))


def _branches_in(said: str) -> tuple[str, ...]:
    text = said.replace("`", "")
    found = (next(filter(None, match.groups()), "") for match in _BRANCH.finditer(text))
    names = (*found, *re.findall(r"[`\"]([\w./-]+)[`\"] branches", said))
    names += ("main", "master") if re.search(r"\b(?:protected|default) branch", said, re.I) else ()
    return tuple(dict.fromkeys(name for name in names if name.lower() not in _NO_BRANCH))


def _command_bans(said: str, commands: tuple[str, ...]) -> Iterator[Ban]:
    rest = _without(_SPAN.sub(" ", said), [word for line in commands for word in line.split()])
    exact = all(len(line.split()) > 1 for line in commands)
    for programs, purpose in _PURPOSES.items():
        if {*commands} <= {*programs.split()}:
            rest = purpose.sub(" ", rest)
    scoped = _SCOPED.search(rest)
    if scoped is not None and commands == ("sed",) and _WAYS["write"].search(rest):
        commands, exact = ("sed -i",), True
    for pattern in (_WAYS["run"], _USES):
        rest = pattern.sub(" ", rest)
    if place := _AGAINST.search(said):
        commands = tuple(f"{line} ~{place[1].lower()}" for line in commands)
        rest = _without(rest, [place.group().strip()])
    if not exact and _says_more(rest):
        line = _WHOLE_LINE.search(said)  # "never run redis-cli flushall"
        if line is None or line[1].split()[0] not in commands:
            return
        commands = (line[1],)
    words = "|".join(rf"(?<![\w-]){re.escape(line.split()[-1])}(?![\w-])" for line in commands)
    branches = _branches_in(said) if all(line.startswith("git ") for line in commands) else ()
    yield Ban(kind="command", what=commands, branches=branches, words=words)


# What a program is for says nothing more when it is barred for that.
_PURPOSES = {
    "curl wget": re.compile(
        r"\b(?:to|for) (?:download|fetch|get|test|check|call|quer)\w*"
        r"(?: (?:the|our|any))?(?: \w+)?\W*$",
        re.I,
    ),
    "grep rg find ag ack": re.compile(r"\b(?:to|for) (?:search|find|look)\w*(?: \w+)*\W*$", re.I),
    "cat head tail": re.compile(r"\b(?:to|for) (?:read|view|show|print)\w*(?: \w+)*\W*$", re.I),
    "npm pnpm yarn bun pip pip3 poetry pipenv conda brew apt apt-get": re.compile(
        r"\b(?:to|for) (?:(?:install|add|manag)\w*(?: \w+){0,2}|\w+ packages)\W*$", re.I
    ),
    "rm": re.compile(r"\b(?:to|for) (?:delet|remov)\w*(?: \w+)*\W*$", re.I),
}
_AGAINST = re.compile(
    r"\b(?:against|on|in|to|for|with)\s+(?:(?:the|our|any|my)\s+)*"
    r"([\w-]*(?:prod|production|staging|live|remote)[\w-]*)"
    r"(?: (?:context|env\w*|cluster|db|database|server|project|account|namespace|profile))?\W*$",
    re.IGNORECASE,
)
_USED_TO = re.compile(
    rf"\b(?:use|using)\s+`?(?:{'|'.join(map(re.escape, sorted(_COMMANDS)))})`?\s+(?:to|for)\s", re.I
)
_WHOLE_LINE = re.compile(r"\b(?:run|use|execute|call)\s+(\S+(?: [a-z][\w-]*){1,2})\W*$")
_USES = re.compile(
    r"\b(?:us|utilis|employ|install|benutz|verwend|nutz|usen|uséis|us[ae]s?|emple|execut)\w*|использ\w*"
    r"|使用|用|使|쓰|사용|実行|하지|ない",
    re.IGNORECASE,
)


def _without(text: str, parts: Iterable[str]) -> str:
    for part in sorted(parts, key=len, reverse=True):
        whole = rf"(?<![A-Za-z0-9_]){re.escape(part)}(?![A-Za-z0-9_])"
        text = re.sub(whole, " ", text, flags=re.IGNORECASE)
    return text


def _says_more(text: str) -> bool:
    """Return whether words of content are left, beside what was understood of a rule."""
    text = _CONDITION.split(text, maxsplit=1)[0]
    said = {canonical(word) for word in words_of(text) if word not in _FILLERS}
    words = (subject_of(text).words & said) - _FILLER_STEMS
    return not all(_is_east_asian(word) for word in words)


def _is_east_asian(word: str) -> bool:
    return any("\u3040" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7af" for sign in word)
