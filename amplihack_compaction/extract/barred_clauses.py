"""Which clauses of a rule's sentence bar something, and what of commands and files they name.

What stands in place of something else, what a list goes on with, and what a negation is said of are
told apart here; whether what is named is barred is told by `prohibitions`.
Words of every day that speak of actions and of sorts of files stand in `barred_wordings.toml`.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from amplihack_compaction.text.word_lists import patterns

_WORDINGS_FILE = Path(__file__).with_name("barred_wordings.toml")
# Between words of Chinese and Japanese there is no space. Large ranges take long to compile.
_LATIN, _NO_CJK = re.compile(r"(?<=[a-z)])\\w\*"), r"[a-z\d_\u00c0-\u052f]*"


@dataclass(frozen=True, slots=True)
class Action:
    """What a rule may speak of, and the commands that do it."""

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
            re.compile(
                rf"(?<![a-z])(?:{_LATIN.sub(lambda _: _NO_CJK, '|'.join(action['words']))})", re.I
            ),
            tuple(action["commands"]),
            tuple(action.get("instead_of", ())),
            action.get("branches", False),
        )
        for name, action in _wordings()["actions"].items()
    }


def actions_in(said: str) -> dict[str, Action]:
    """Return the actions that are spoken of, without those that stand in another's words."""
    found = {
        name: action
        for name, action in known_actions().items()
        if (match := action.words.search(said)) is not None and match.group().strip()
    }
    meant = {less for action in found.values() for less in action.instead_of}
    return {name: action for name, action in found.items() if name not in meant}


def sort_of_files(said: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return what a sort of files is called that is spoken of, and the words that speak of it."""
    for sort in _wordings()["files"].values():
        words = rf"(?<![\w/.-])(?:{sort['words']})(?![A-Za-z0-9_/-])"
        if found := re.search(words, said, re.IGNORECASE):
            return tuple(sort["names"]), (found.group(),)
    return None


def programs_that_write(path: str) -> tuple[str, ...]:
    """Return the commands that change a file without its name in them, as `Ban.what` has them."""
    return tuple(_wordings()["written_by"].get(path.rpartition("/")[2], ()))


COMMANDS = frozenset(
    "git gh npm npx pnpm yarn bun bunx deno cargo pip pip3 pipx uv poetry pdm conda mamba brew apt"
    " apt-get docker podman kubectl helm terraform tofu ansible aws gcloud az heroku vercel netlify"
    " firebase supabase wrangler flyctl rm rmdir sudo curl wget ssh scp sftp rsync psql mysql"
    " sqlite3 redis-cli mongosh sed awk perl grep rg chmod chown pkill killall dd eslint prettier"
    " tsc jest vitest mocha pytest mypy tox nox ts-node systemctl crontab nc telnet ftp composer"
    " bundler gem mvn gradle prisma alembic python2 nohup tmux jq yq xargs ack fd pipenv unittest"
    " nosetests flake8 pylint pyright isort biome webpack pulumi serverless skaffold pm2 glab svn"
    " husky lefthook pre-commit playwright cypress ngrok launchctl supervisorctl mongo pg_dump"
    " pg_restore dropdb createdb nvm pyenv asdf openocd esptool pyocd avrdude platformio pio"
    " arduino-cli st-flash minicom picocom gdb lldb ollama vllm huggingface-cli wandb mlflow dvc"
    " kaggle jupyter papermill sbatch srun scancel qsub mpirun mpiexec torchrun deepspeed"
    " snakemake nextflow apptainer latexmk pdflatex xelatex pandoc ffmpeg mogrify butler steamcmd"
    " p4 adb fastboot fastlane gradlew mvnw bazel tofu terragrunt vagrant"
    " ansible-playbook argocd helmfile kustomize k9s minikube eksctl doctl hcloud sops gpg openssl"
    " ssh-keygen certbot nmap tcpdump strace k6 sqlx liquibase dbmate knex drizzle-kit"
    " typeorm sequelize snowsql mongodump clickhouse-client duckdb journalctl iptables ufw fdisk"
    " parted rclone lftp sendmail mailx uvicorn gunicorn rollup esbuild nx lerna semantic-release"
    " goreleaser twine protoc rubocop swiftlint ktlint golangci-lint clang-format clang-tidy bandit"
    " airflow dagster prefect dbt spark-submit databricks gmx matlab vivado yosys kicad-cli ros2"
    " roslaunch cansend mosquitto_pub rabbitmqctl consul nomad zfs zpool wp supabase neonctl turso"
    " detox maestro appium flutter cloudflared doxygen sphinx-build mkdocs typedoc lighthouse"
    " release-please changeset colima minikube devcontainer packer logcat butler hugo caddy haproxy"
    " semgrep hyperfine valgrind py-spy podman-compose buildah skopeo crane".split()
)
# Words of every day, which are commands only where something says so.
ODD_COMMANDS = frozenset(
    "make just task go find kill cat mv cp tee node python python3 ruby php java black ruff touch"
    " echo head tail diff open source swift dart flutter rake rails ng nix fly bash sh export"
    " dotnet docker-compose easy_install cmake nodemon exit time test history set wait true sort"
    " cut date host"
    " file top who at which env type read printf strings break entire job fold look split".split()
)
# Of these, what begins with them and goes on with what they do.
_TOOLS = frozenset("go rake rails dotnet flutter dart nix ng swift mix".split())
SPAN = re.compile(r"`([^`\n]{1,200})`|\"([^\"\n]{1,80})\"|「([^」\n]{1,80})」|“([^”\n]{1,80})”")
_RUNS = re.compile(
    r"\b(?:run|runs|running|do|doing|uses?|using|execute|call|invoke|rode|führe?|mach\w*"
    r"|fais|hagas|faça|делай)\s+$",
    re.IGNORECASE,
)
_EXECUTES = re.compile(
    r"\b(?:run|execute|launch|invoke|running|executing)(?: the| any| a)?(?: bare)?\s+$",
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"(?:\./)?[A-Za-z:][\w:-]*(?: [\w:./=-]+)*")
_WORD = re.compile(r"[A-Za-z0-9_@~.*][\w@.:/*+-]*|--?[A-Za-z0-9][\w-]*|/[\w.*/-]+", re.ASCII)
# "eslint with --fix": without it, the command is allowed.
_WITH_FLAG = re.compile(
    r"\s+(?:with|using|mit|avec|con|com)\s+(?:the |an? |l[ea] |el |o )?"
    r"(--?[A-Za-z][\w-]*)(?![\w=])"
)
_FLAG = re.compile(r"(?<![\w-])(?:--[a-z][a-z-]{2,}|-[a-z]+-[a-z-]+)|(?<= or )-[a-zA-Z]\b")
_SUBCOMMANDS = frozenset(
    "add amend apply audit bisect branch build cache checkout cherry-pick ci clean clone commit"
    " compose config create db delete deploy destroy dev diff dlx down drop exec fetch fix fmt"
    " force get global i import init install lint link list log login logout merge migrate"
    " migration new nextest outdated pack plan prune publish pull push rebase reflog release"
    " remote remove repo reset restart restore revert rm rollout run scale secrets serve ssh start"
    " stash state status stop submodule switch sync system tag test uninstall unlink up update"
    " upgrade worktree workspaces pop hard soft mod tidy vendor vet generate logs describe inspect"
    " validate output volume image container network attach console runner rollback rerun cancel"
    " s3 ec2".split()
)
_BRANCH_NAME = r"(?:main|master|develop|dev|production|prod|staging|trunk|release)"
_BRANCH_FOLDERS = "release|feature|feat|hotfix|bugfix|fix|env|deploy"
SLASHED_BRANCH = rf"(?:{_BRANCH_FOLDERS})/[\w./-]*\w"
BRANCH = re.compile(
    rf"(?<![\w/.-])(?:origin/)?({SLASHED_BRANCH})"
    rf"|(?<![\w/.-])(?:origin/)?({_BRANCH_NAME})(?![A-Za-z0-9_/.-]*[A-Za-z0-9_])(?!\s*(?:folder"
    rf"|directory|file))"
    r"|\b([\w./-]+)[ -](?:branch|Branch|zweig)\b|\bbranch(?:e|es)?\s+[`\"]?([\w./-]+)"
    r"|ветк\w*\s+([\w./-]+)|([\w./-]+)\s*(?:分支|ブランチ|브랜치)",
    re.IGNORECASE,
)
NO_BRANCH = frozenset(
    "the a any this that other another my your our new same feature remote current own protected"
    " der die das den la le el o a une un default".split()
)
EXTENSIONS = (
    "py js jsx ts tsx mjs cjs json jsonc yaml yml toml ini cfg conf env lock md mdx txt rst html"
    " css scss sass less vue svelte go rs rb php java kt swift c h cc cpp hpp cs sh bash sql xml"
    " csv tsv proto graphql tf tfvars gradle properties ipynb log pem key crt db sqlite svg png"
    " lua ex exs dart scala pl r prisma snap plist entitlements bib tex unity prefab asset uasset"
    " umap ld dts dtsi overlay podspec kts xcconfig pbxproj storyboard xib gltf glb fbx blend wav"
    " mp3 mp4 mov h5 pt pth onnx safetensors parquet npz npy pkl rmd qmd jl zig hs elm clj erl fs"
    " f90 vhd sv xdc sdc ino hex elf stl dxf docx xlsx pptx csproj sln resx xaml razor cshtml twig"
    " erb haml pug hbs ejs liquid j2 tpl po pot arb strings srt vtt pdf epub tscn tres gd glsl"
    " hlsl shader gguf ckpt jpg jpeg gif webp ico zip gz tgz bak orig pcap pro"
)
FILE = re.compile(
    rf"(?:[\w.@*-]+/)*[\w.@*-]*\.(?:{'|'.join(EXTENSIONS.split())})(?:\.\w{{1,10}})?(?![\w/-])"
    rf"|(?<![\w/.*])\.(?:env\b|(?!(?:{'|'.join(EXTENSIONS.split())})\b)[a-z][a-z0-9-]{{2,30}}\b)"
    r"(?:[\w./-]*\w)?(?!\()"
    r"|(?:[\w.@-]+/)*[\w.@-]*\*[\w.@*-]*\.[\w*]{1,10}(?![\w/-])"
    r"|(?<![\w.])(?:[A-Z][a-z]+file|go\.(?:mod|sum|work(?:\.sum)?)|CODEOWNERS|OWNERS|LICENSE"
    r"|NOTICE|AUTHORS|VERSION)\b"
)
FILES = (
    r"(?:files?|datei(?:en)?|fichiers?|archivos?|ficheros?|arquivos?|файл\w*|文件|檔案|ファイル"
    r"|파일)"
)
# ".po files": which files by what their names end in.
_ENDING = re.compile(
    rf"(?<![\w./*])(\.[a-z]\w{{0,9}})\s*{FILES}|\b{FILES}\s*(\.[a-z]\w{{0,9}})(?![\w./-])", re.I
)
_NAME_OF_FILE = re.compile(
    r"[\w.-]*\w\.[a-z]\w{1,9}|[\w.-]*\*[\w.*-]+|\.\w[\w-]+|node_modules|dist|out|vendor|coverage"
    r"|__pycache__"
)
_FOLDER = re.compile(
    r"(?<![\w:/.])(?:~?\.{0,2}/)?(?:[\w.@*-]+/)+(?:[\w.@*-]+)?|(?<![\w:/.])~?/[\w.-]+"
)
_EAST = r"[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
_NAMES = r"[A-Za-z0-9_/*.~@)(-]"
_JOINED = re.compile(rf"(?<={_NAMES})(?={_EAST})|(?<={_EAST})(?={_NAMES})")
_ALTERNATIVES = frozenset(
    "and/or or/and his/her he/she i/o w/o n/a ci/cd client/server input/output read/write tcp/ip"
    " yes/no on/off true/false dev/prod ui/ux".split()
)
_NAMED_FOLDER = re.compile(
    rf"\b(?!(?:{'|'.join(sorted(NO_BRANCH))})\b)"
    r"([\w.@-]+)[ -](?:folder|directory|dir|Ordner|Verzeichnis)\b(?![-.])"
    r"|\b(?:folder|directory|Ordner|Verzeichnis|dossier|répertoire|carpeta|directorio|pasta"
    r"|diretório|папк\w+"
    r"|каталог\w*)\s+[`\"]?([\w.@/-]+)|([\w.@/-]+)\s*(?:目[录錄]|文件夹|資料夾|フォルダ|ディレクトリ|폴더|디렉토리)",
    re.IGNORECASE,
)
_ALL_IN_FOLDER = re.compile(
    r"\b(?:anything|everything|nothing|files?|stuff|things|dateien|fichiers?|archivos?|arquivos?"
    r"|файл\w*)(?: that(?:'s| is| are| lives?))?"
    r" (?:under|in|inside|below|within|unter|dans|sous|en|em|в) (?:the |our |le |la |el )?"
    r"([a-z][\w.-]*\w)(?=\W*$| is\b| are\b| nicht\b)",
    re.IGNORECASE,
)
# Words beside an object that change nothing of what is meant.
FILLERS = frozenset(
    "file files folder folders directory dir content code changes change inside hand manually"
    " directly straight yourself repo repository project command commands tool tools server"
    " servers package manager flag flags option machine system box computer laptop remote origin"
    " upstream github branch branches environment env live real git auto here there automatically"
    " blindly behalf user's main codespace protected default pass absolutely statement statements"
    " version control vcs marked tagged labelled labeled happens fare fai faccia doen doe gaan"
    " naar pro cli binary welcome treat leave try going point direct alone away anywhere anybody"
    " access process port dare circumstances stop yours get gets against back resource object"
    " entry query call mode stp svp merci через помощью даже вообще сам этом этой эту nessa nesse"
    " nesta neste aquí más aqui ici einfach mehr irgendwas máquina on gracias obrigado danke piece"
    " kind sort locally lokal tabu weg plain bare dentro debajo bajo stuff hinzufügen hinzu"
    " installieren machen ausführen ändern anfassen finger direto directo diretamente fichiers"
    " datei ordner verzeichnis projekt befehl direkt hier selbst inhalt fall umständen cas"
    " prétexte ningún caso concepto circunstancia hipótese alguma коем случае fais fait faire"
    " fasse dossier projet directement répertoire archivo carpeta proyecto comando directamente"
    " directorio hagas arquivo pasta projeto diretório dê файл файлы папка папку папке папки папок"
    " каталог каталоге каталога проект команду команда напрямую ветку ветка здесь".split()
)


def commands_in(said: str) -> tuple[str, ...]:
    """Return the commands that are named, each as the words that one must have."""
    found: list[str] = []
    for span in SPAN.finditer(said):
        words = _inside(span).split()
        if words and (words[0] in COMMANDS or (words[0] in ODD_COMMANDS and span[1])):
            found.append(" ".join(words))
        elif span[1] and words and words[0].startswith("--"):
            found.append(f"* {words[0]}")
        elif span[1] and _EXECUTES.search(said[: span.start()]) and _SCRIPT.fullmatch(span[1]):
            line = span[1].removeprefix("./")
            found.append(line if words[1:] else f"* named:{line.lower()}")
    rest = SPAN.sub(lambda span: " " * len(span.group()), said)
    named = list(_WORD.finditer(rest))
    number = 0
    while number < len(named):
        word = named[number]
        name = word.group()
        number += 1
        runs = _RUNS.search(rest[: word.start()]) is not None
        runs = runs or any(p.match(rest[word.end() :].lstrip()) for p in PURPOSES.values())
        if name in _TOOLS and not rest[: word.start()].strip(" no"):
            runs = len(_line_from(rest, named, number)[0]) > 1
        if name not in COMMANDS and not (name in ODD_COMMANDS and runs):
            continue
        line, number = _line_from(rest, named, number)
        behind = rest[named[number - 1].end() :]
        after = behind.strip(" .!")
        is_object = not after or any(purpose.match(after) for purpose in PURPOSES.values())
        if name not in ODD_COMMANDS or len(line) > 1 or is_object:
            found.append(" ".join(line))
    flags = [f"* {flag}" for flag in _FLAG.findall(rest) if not any(flag in f for f in found)]
    if "* --no-verify" in (*found, *flags):
        flags.append("git commit -n")
    return tuple(dict.fromkeys([*found, *flags]))


def _inside(span: "re.Match[str]") -> str:
    """Return what stands in a pair of quotes, of whichever kind."""
    return next(filter(None, span.groups()), "")


def _line_from(text: str, named: "list[re.Match[str]]", number: int) -> tuple[list[str], int]:
    """Return the words of the command before a place, with its flag, and the place behind it."""
    line = [named[number - 1].group()]
    while number < len(named) and _goes_on(text, named[number - 1], named[number]):
        line.append(named[number].group())
        number += 1
    if flag := _WITH_FLAG.match(text, named[number - 1].end()):
        line.append(flag[1])
    return line, number


def _goes_on(text: str, before: "re.Match[str]", word: "re.Match[str]") -> bool:
    """Return whether a word belongs to the command before it: `git push --force`."""
    name = word.group()
    if text[before.end() : word.start()] != " " or name in COMMANDS:
        return False
    return name in _SUBCOMMANDS or name == "." or name.isdigit() or ":" in name or "-" in name


def line_at(text: str, name: "re.Match[str]") -> tuple[str, int]:
    """Return the command that begins with what is named, and the place behind it."""
    named = list(_WORD.finditer(text, name.start()))
    line, number = _line_from(text, named, 1)
    return " ".join(line).removeprefix("./"), named[number - 1].end()


def with_spaces(said: str) -> str:
    """Return a text with a space between a name and Chinese, Japanese or Korean beside it."""
    return _JOINED.sub(" ", said)


def paths_in(said: str) -> tuple[str, ...]:
    """Return the files and folders that are named, in the clause's words."""
    spans = [_inside(span) for span in SPAN.finditer(said)]
    text = SPAN.sub(lambda span: f" {_inside(span)} ", said)
    found = [match.group() for match in FILE.finditer(text)]
    found += [next(filter(None, e.groups())) for e in _ENDING.finditer(text)]
    found += [span for span in spans if _NAME_OF_FILE.fullmatch(span) and span not in found]
    for match in _FOLDER.finditer(text):
        path = match.group()
        if path.lower() in _ALTERNATIVES or any(path in file for file in found):
            continue
        found.append(path)
    all_in = (each for each in _ALL_IN_FOLDER.finditer(text) if each[1].lower() not in FILLERS)
    for named in (*_NAMED_FOLDER.finditer(text), *all_in):
        path = next(filter(None, named.groups()))
        # "leave that folder alone" names none; "the generated folder" does.
        no_name = NO_BRANCH if named[1] else NO_BRANCH | FILLERS
        if path.lower() not in no_name and not any(path in file for file in found):
            found.append(path)
    plain = (path.removeprefix("./").rstrip("/.,") for path in found)
    return tuple(dict.fromkeys(path for path in plain if path))


def branches_in(said: str) -> tuple[str, ...]:
    """Return the branches that are named; of the protected ones the usual two."""
    text = said.replace("`", "")
    found = (next(filter(None, match.groups()), "") for match in BRANCH.finditer(text))
    names = (*found, *re.findall(r"[`\"]([\w./-]+)[`\"] branches", said))
    names += ("main", "master") if re.search(r"\b(?:protected|default) branch", said, re.I) else ()
    return tuple(dict.fromkeys(name for name in names if name.lower() not in NO_BRANCH))


# What a program is for says nothing more when it is barred for that.
PURPOSES = {
    names: re.compile(rf"\b(?:to|for) (?:{done})\W*$", re.IGNORECASE)
    for names, done in {
        "curl wget": (
            r"(?:download|fetch|get|test|check|call|quer)\w*(?: (?:the|our|any))?(?: \w+)?"
        ),
        "grep rg find ag ack": r"(?:search|find|look)\w*(?: \w+)*",
        "cat head tail": r"(?:read|view|show|print)\w*(?: \w+)*",
        "npm pnpm yarn bun pip pip3 poetry pipenv conda brew apt apt-get": (
            r"(?:install|add|manag)\w*(?: \w+){0,2}|\w+ packages"
        ),
        "rm": r"(?:delet|remov)\w*(?: \w+)*",
    }.items()
}


_PATTERNS = patterns("barred_clauses")
HOST = re.compile(patterns("prohibitions")["host"], re.IGNORECASE)

_LONGEST_CHARS = 600
# What is left as it is, is not changed.
LEAVES = (
    r"\b(?:leave|keep|stays?|remains?|lass\w*|bleib\w*|laiss\w*|gard\w*|dej[ae]\w*|deix[ae]\w*"
    r"|остав\w*)"
)
LEFT_SO = (
    r"\b(?:as (?:it |they )?(?:is|are)|untouched|wie (?:sie|es|er) (?:ist|sind)|in ruhe|unverändert"
    r"|tel(?:le)?s? quel(?:le)?s?|tranquilles?|intacte?s?|como est(?:á|a|ão|án)|tal cual|en paz"
    r"|em paz|intact[oa]s?|как есть|в покое|без изменений)\b"
    r"|そのまま|保持原样|保持不变|保持不動|原封不动|그대로 [두둬놔]\w*"
)
_LEAVES_SO = rf"{LEAVES} .{{0,80}}(?:{LEFT_SO})|(?:in ruhe|unverändert) lassen"
NEGATED = re.compile(
    r"(?<!-)\b(?:not|never|dont|no(?!-)|avoid|refrain|abstain|stop|dead to me|off the table"
    r"|cannot|instead of|rather than|(?:use|prefer) \S+ over|nothing|none|nobody|untouched"
    r"|(?:is|are) (?:mine|not yours|out(?=\W*$| (?:as|for|here)\b))|no[- ]go|private|forbidden"
    r"|hör auf|arrête[zr]? d[e']|deja de|par[ea] de|перестань"
    r"|banned|prohibited|off[- ]limits|hands off|frozen|skip|bypass|(?:stay|keep) (?:out|away|off)"
    rf"|(?:leave|keep) .{{1,80}} (?:alone|be)|{_LEAVES_SO}"
    r"|read[- ]only(?: (?:on|access|to) |(?: (?:for|to) you| please)?\W*$)|select only"
    r"|nicht|nie|niemals|kein\w*|nichts|statt|anstatt|anstelle von|in ruhe|verboten|tabu"
    r"|finger (?:weg|von)|non(?!-)|mai|niente|nessun\w*|invece d[ei]l?|al posto d[ei]l?|niet|nooit"
    r"|geen|in plaats van|pas|jamais|aucun|ne|n'|au lieu de?|plutôt que|interdite?s?|interdiction"
    r"|nunca|jamás|ningún|ninguna|en (?:vez|lugar) de|prohibid[oa]s?|não|nao|nenhum|hipótese"
    r"|em vez de|ao invés de|proibid[oa]s?|не|ни|никогда|нельзя|вместо|запрещ\w*|никак\w*)\b|n't\b"
    r"|대신|代わりに|代替|取代|不要|别|禁止|不|勿|ないで|지 ?마|말고|금지|ません|않"
    r"|ではなく|じゃなく|아니라|そのまま|保持原样|保持不变|保持不動|原封不动|그대로 [두둬놔]",
    re.IGNORECASE,
)
_PREFERS = re.compile(_PATTERNS["prefers"], re.IGNORECASE)
_IN_PLACE_OF = re.compile(_PATTERNS["in place of"], re.IGNORECASE)
# What stands before these is barred, what stands behind them is not.
_BEHIND = re.compile(r"ではなく|じゃなく|말고|이 아니라|가 아니라|대신|の?代わりに")
_CLAUSE = re.compile(_PATTERNS["clause"])
_ASIDE = re.compile(r"\s\((?![^()]*(?:--|[./`]|\bno\b|\bnot\b|\bnever\b))[^()]*\)", re.IGNORECASE)
_REFUSED_ASIDE = re.compile(r"\s\(((?:no|not|never|kein\w*|pas|nicht|не) [^()]*)\)", re.IGNORECASE)
_SLASHED = re.compile(r"(?<![\w/.`-])\w[\w.-]*(?:/\w[\w.-]*)*/\w[\w.-]*\b(?![\w/`-])")
# What a list goes on with, and how it ends.
_ITEM = re.compile(
    r"(?:\S+ ){0,2}(?:`[^`]+`|\S+)(?:\s(?:or|nor)\s(?:`[^`]+`|[^,]{1,80}))?|(?:or|nor) .*"
)
_ABOUT = re.compile(_PATTERNS["about"], re.DOTALL | re.IGNORECASE)
_REFUSES = re.compile(r"^\s*(?:no|never|don'?t|do not|kein|nie|pas de|nunca|não)\b", re.IGNORECASE)
_ENDS_LIST = re.compile(r"^\s*(?:or|nor|oder|ou|или)\s")
_OR = re.compile(r"\s(?:or|nor|oder|noch|ou|ni|или|и|或者?|や|또는)\s(?=(?:[^`]*`[^`]*`)*[^`]*$)")
_LEAD = re.compile(_PATTERNS["lead"], re.IGNORECASE)
_QUALIFIES = re.compile(
    r"\b(?:in|on|for|with|at|from|of|inside|within|during|via|against|as|than|once|twice)\b"
)
ONLY = re.compile(_PATTERNS["only"], re.IGNORECASE)
CONDITION = re.compile(_PATTERNS["condition"], re.IGNORECASE)
_WHILE_DOING = re.compile(_PATTERNS["while doing"], re.IGNORECASE)
_LEAVE = re.compile(_PATTERNS["leave"], re.IGNORECASE)


def _apart(found: "re.Match[str]") -> str:
    """Return `npm/yarn` as `npm or yarn`, which is no path."""
    names = found.group().split("/")
    are_known = all(name in COMMANDS or BRANCH.fullmatch(name) for name in names)
    are_files = all("." in name and FILE.fullmatch(name) for name in names)
    return " or ".join(names) if are_known or are_files else found.group()


def named_by(found: "re.Match[str]", letter: str) -> str:
    """Return what is named by one of the groups of a letter."""
    groups = found.groupdict()
    return next((v.strip("`").lower() for k, v in groups.items() if k[0] == letter and v), "")


# "CI makes it, so never edit it": the rule is behind the reason.
_SO = re.compile(
    r"\s(?:so|therefore|deshalb|daher|donc|así que|por eso|então|por isso|поэтому)\s"
    r"(?=(?:please |bitte |just )?(?:leave|don't|do not|never|keep|no|hands|stay|nie|nicht"
    r"|finger|lass|ne|n'|jamais|nunca|não|no|не|никогда)\b)",
    re.IGNORECASE,
)


# What is read as other words that say the same; the ban of a branch bars those below it.
_SAID_PLAINER = (
    (re.compile(rf"`?\b({_BRANCH_FOLDERS})/\*+`?(?: branch(?:es)?\b)?"), r"\1 branch"),
    (re.compile(r"\bquit (?=[\w-]+ing\b)", re.IGNORECASE), "stop "),
    (re.compile(r"^\W*nothing (?=(?:on|in|against) )", re.IGNORECASE), "never do anything "),
    (
        re.compile(
            r"\b(?:leave|hands off(?: of)?) (?:the )?(main|master|develop|trunk|[\w/-]+ branch)"
            r"(?: (?:alone|be)\b)?",
            re.IGNORECASE,
        ),
        r"never touch \1",
    ),
)
# Until then it holds.
_UNTIL = re.compile(
    r",? (?:until|till|bis|jusqu'à|hasta(?: el)?|até|до) (?:(?:next |nächsten |kommenden )?"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag"
    r"|lundi|mardi|mercredi|jeudi|vendredi|lunes|martes|miércoles|jueves|viernes|segunda|sexta"
    r"|week|month|woche)|tomorrow|morgen|demain|mañana|amanhã|further notice"
    r"|(?:the|our) (?:[\w-]+ ){1,2}(?:is|are) (?:over|out|through|closed|behind us)"
    r"|i(?:'m| am) back)\b"
    r"|(?:(?<=frozen|locked)|(?<=gefroren|gesperrt)) (?:while|until|till|bis|solange) [^,;]*",
    re.IGNORECASE,
)


def clauses_of(sentence: str) -> list[str]:
    """Return the parts of a sentence; what a list in it names stays with what stands before it.

    Asides are no part, and `npm/yarn` are two things. Of a longer sentence than 600 characters the
    rest is left out.
    """
    text = sentence[:_LONGEST_CHARS].replace("’", "'")
    text = _ASIDE.sub("", text).replace("`/`", "` or `")
    for pattern, plainer in _SAID_PLAINER:
        text = pattern.sub(plainer, text)
    text = _UNTIL.sub("", _SO.sub(", ", _REFUSED_ASIDE.sub(r", \1", text)))
    if about := _ABOUT.match(text):
        text = ", ".join(f"{part.rstrip('.!')} {about[1]}" for part in about[2].split(", "))
    text = _SLASHED.sub(_apart, text).replace(", ever ", " ever ")
    kept, joints = [""], [""]
    at = 0
    # Of what stands in backquotes nothing ends a clause.
    spans = [found.span() for found in SPAN.finditer(text)]
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
        stands_alone = any(p.search(clause) for p in (_PREFERS, _REFUSES, ONLY))
        if not is_item or not clauses or stands_alone:
            listed = 0
        elif (
            _ENDS_LIST.match(clause)  # "a, b, or c"
            or _OR.search(clause)
            or clause.split()[0] in COMMANDS & {*clauses[-1 - listed].split()}  # "git a, git b"
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


def barred_clauses(clauses: list[str], *, is_prohibition: bool) -> list[str]:
    """Return the clauses that bar something: those with a negation, or all."""
    barred: list[str] = []
    for number, clause in enumerate(clauses):
        if NEGATED.search(clause) is None:
            continue
        instead = _IN_PLACE_OF.search(clause)
        refused = NEGATED.search(clause) if _PREFERS.match(clause) else None
        behind = _BEHIND.search(clause)
        if behind is not None:
            before, rest = clause[: behind.start()], clause[behind.end() :]
            refuses = NEGATED.search(rest) is not None
            clause = rest if refuses else before
            # "main 말고 dev에 푸시해": what is done is said last.
            if not refuses and len(rest.split()) > 1:
                barred.append(f"{before} {rest.split()[-1]}")
        elif instead is not None:
            clause = clause[instead.end() :]
        elif refused is not None:  # "use 127.0.0.1, not localhost", without the comma
            clause = clause[refused.start() :]
        # "push without asking, or until I say so": a condition behind the comma belongs to it.
        after = clauses[number + 1] if number + 1 < len(clauses) else ""
        if CONDITION.match(after):
            clause = f"{clause} {after}"
        barred += [clause, *_alternatives(clause)]
    if barred or not is_prohibition:
        return barred
    return [c for c in clauses if c and not _PREFERS.match(c) and ONLY.search(c) is None]


def _alternatives(clause: str) -> Iterator[str]:
    """Yield each of the things that a clause bars with "or", as a clause of its own."""
    first, *others = _OR.split(clause)
    lead = _LEAD.match(first)
    # "Don't run the tests or the linter in watch mode": that is said of both.
    is_shared = _QUALIFIES.search(others[-1] if others else "") and others[-1][:3] != "any"
    if not others or lead is None or (is_shared and SPAN.search(first) is None):
        return
    if not first[lead.end() :].strip():  # "never amend or rewrite commits"
        first = f"{first} {others[-1].partition(' ')[2]}"
    yield first
    for other in others:
        yield from (other, f"{lead.group()} {other}")
        if " " not in other:  # "terraform apply or destroy"
            yield f"{first.rpartition(' ')[0]} {other}"


def with_what_is_done(clause: str, before: str) -> str:
    """Return a clause without a verb with that of the one before: "never on main"."""
    found = _WITHOUT_VERB.match(clause)
    done = _FIRST_WORD.match(before)
    return f"{found[1]} {done[1]} {clause[found.end(1) :].strip()}" if found and done else clause


_WITHOUT_VERB = re.compile(
    r"\W*((?:but )?(?:never|not|nie|niemals|nicht|jamais|pas|nunca|não|mai|никогда"
    r"|не)(?: (?:ever|directly|directement|direkt))?)"
    r"\s+(?=(?:on|to|in|into|onto|auf|nach|in|sur|dans|en|em|na|a|на|в)\s)",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(
    r"\W*(?:(?:please|only|always|you|we|may|can|should|must|bitte|nur"
    r"|immer) ){0,3}([^\W\d]{3,20})",
    re.IGNORECASE,
)


def is_conditional(clause: str) -> bool:
    """Return whether a clause bars something only at times, but for want of the user's leave."""
    found = CONDITION.search(_WHILE_DOING.sub(" ", SPAN.sub(" ", clause)))
    return found is not None and _LEAVE.search(clause[max(0, found.start() - 1) :]) is None
