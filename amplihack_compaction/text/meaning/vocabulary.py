"""The words themselves: which say nothing, which mean the same, which are spelt out of order."""

STOPWORDS = frozenset(
    """
    a an the this that these those it its he she they them their his her we us our you your
    i my me is are was were be been being am do does did done has have had having will would
    shall should can could may might must need needs needed ought to of in on at by for from
    with without into onto over under as and or but so if then than when while where which
    who whom whose what how why there here all any each every both some such no not nor only
    own same too very just also again please always never ever don't doesn't didn't won't
    can't cannot couldn't shouldn't wouldn't mustn't isn't aren't wasn't weren't haven't
    hasn't let's let i'm it's that's we're they're about after before until unless except
    between through during per via up down out off s t re ve ll d instead rather still now
    yet want wants wanted like make sure ensure ensures user users said says wish wishes
    explicitly currently strictly forbidden prohibited required mandatory avoid banned
    allowed permitted todo todos item items der die das den dem des ein eine einen einem
    einer eines und oder aber wenn dann als wie ist sind war waren wird werden wurde hat
    haben ich du er sie es wir ihr mich mir dich uns nicht kein keine keinen keiner nie
    niemals immer nur bitte muss müssen soll sollen darf dürfen kann können zu zum zur im
    auf aus bei mit nach von vor für über unter auch noch schon sehr stets verboten le la
    les un une de et ou mais si quand que qui ne pas jamais aucun aucune toujours seulement
    il elle nous vous ils elles je tu est sont être ont avoir dans en sur sous pour par avec
    sans au aux ce cette ces son sa ses s'il plaît doit doivent faut interdit tout tous
    toute toutes plus el los las una unos unas y o pero cuando nunca jamás siempre solo sólo
    del al fue ser está están yo tú él ella nosotros ellos se te lo su sus para por con sin
    sobre entre hay debe deben favor prohibido toda todas os um uma umas e mas quando não
    nao sempre somente apenas da dos ao à é são foi estão eu ele ela nós eles com sem em na
    nos nas deve devem proibido и или но если когда то не ни никогда всегда только нельзя
    запрещено в во на с со к ко по за из от до для о об у это этот эта эти он она они мы вы
    я ты быть был была были надо нужно должен должны пожалуйста все всё что как так же бы ли
    dont doesnt didnt cant wont shouldnt wouldnt mustnt isnt arent wasnt werent havent hasnt im ive
    youre thats pls plz please u ur ok okay hey hi oh hmm lol thx thanks well really
    simply actually basically already ever anymore anything everything nothing something nobody
    anyone everyone none else one way together either neither because since own assistant
    maybe perhaps let lets say tell told i'd i'll i've you're there's here's what's who's
    above below beyond across along among around within toward towards whenever wherever whatever
    later earlier
    currently meanwhile hence thus therefore furthermore moreover respectively namely i.e e.g etc
    forget forgets forgetting remember decide decided decision
    不要 不能 不得 不可 禁止 绝不 总是 必须 永远 始终 一定 请勿 避免 没有 絶対 必要
    항상 절대 반드 드시 절대로
    """.split()
)

# Of Chinese, what carries no content; characters that stand in words of content are kept whole.
EMPTY_HAN = """
不要 不能 不得 不可以 不可 不许 不准 不应该 不应 不用 不必 不再 不需要 不会 禁止 严禁 切勿
请勿 绝不 从不 避免 必须 一定要 一定 务必 总是 始终 永远 可以 应该 应当 应 需要 无需 需 须
千万别 千万 之前 以前 之后 以后 的时候 每次 所有 全部 一律 任何 已经 已 完成 进行 使用 采用
用户 希望 要求 规则 约定 我们 你们 他们 如果 因为 所以 但是 而是 而不是 以及 或者 并且 没有
现在 后来 比如 这个 那个 这些 那些 一下 都要 都 要(?!求|点) 请(?!求) 把 将 被 在 里(?!程) 的
了 也 和 或 与 对(?!象|齐) 给 让 我 你 他 它 就 才 再 还 太 很 更 先(?!后) 前(?!端|缀|置)
后(?!端|台|缀|续) 用(?!例|途|法) 是 为 于 从 到 别(?!名) 勿 不 没 时(?!间|区)
"""

SYNONYM_ROWS = """
write author draft compose
add introduce insert append include install
create build generate construct make implement implementation develop produce scaffold
fix repair resolve correct debug solve patch mend
remove delete erase drop discard clear purge strip eliminate removal deletion
update refresh revise change modify alter edit touch adjust tweak modification altere
change alterar alterado
run execute launch invoke
check verify validate confirm inspect ensure review
use employ adopt utilize utilise usage
commit commits
push publish
ask consult consultation agree agreement approval approve permission consent confirmation
ask authorization sign-off asking
keep retain preserve maintain stay remain
rename relabel
move relocate migrate migration port
doc docs documentation document
test tests testing spec specs
config configuration configure settings setup
auth authentication authenticate login
database db
repository repo repos
dependency dependencies deps package
environment env
directory dir folder
function func method
parameter param argument
error errors failure exception
message msg
production prod
development dev
large big huge
small tiny little short brief concise terse
quick fast rapid speed sped speedy
start begin commence
finish complete finalize finalise
show display print
explain describe
reply respond answer response
english englisch
typescript ts
javascript js
python py
postgres postgresql
kubernetes k8s
javadoc docstring
file files
need require
directly straight
second seconds sec secs
minute minutes min mins
hour hours hr hrs
millisecond milliseconds ms
megabyte megabytes mb
kilobyte kilobytes kb
percent pct
character characters chars char
line lines
maximum max
test 测试
commit 提交
run 跑 运行 执行
remove 删除 删 移除 删掉
update 修改 改 动 改动 变更 编辑 更改
ask 问 询问 同意 批准 确认
write 写 编写 书写
comment 注释
code 代码
english 英文 英语
branch 分支
push 推送
file 文件
function 函数
directory 目录 文件夹
database 数据库
error 错误 报错
add 添加 增加 新增 加
fix 修复 修正
page 页面
list 列表
dependency 依赖
log 日志
line 行
second 秒
minute 分钟
minimum min
comment comments annotation
mock stub fake
css stylesheet
markdown md
save store persist
guess assume speculate
unsure uncertain
investigate investigation examine analyse analyze
old ancient
silent quiet
invent fabricate
single individual
identical equal
restrict limit cap
wait pause
decide opt
help assist
separate split divide
select choose pick choice
translate translation
chunk block
bug defect
icon icons
feature functionality
endpoint route
""".strip().splitlines()

IRREGULAR = {
    "used": "use", "uses": "use", "using": "use",
    "written": "write", "wrote": "write", "ran": "run", "built": "build", "kept": "keep",
    "made": "make", "sent": "send", "chose": "choose", "chosen": "choose", "broken": "break",
    "broke": "break", "began": "begin", "begun": "begin", "found": "find", "left": "leave",
    "held": "hold", "shown": "show", "done": "do", "gone": "go", "went": "go", "taken": "take",
    "took": "take", "given": "give", "gave": "give", "spoken": "speak", "told": "tell",
    "unmodified": "modify", "alterado": "altere", "alterada": "altere", "preferred": "prefer",
    "preferring": "prefer", "thrown": "throw", "threw": "throw",
    "hidden": "hide", "understood": "understand",
    "prs": "pr", "mrs": "mr", "ids": "id", "vms": "vm", "dbs": "db", "uis": "ui", "pcs": "pc",
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "hundred": "100",
}  # fmt: skip

# Words that say little about which item is meant.
LIGHT_WORDS = frozenset(
    """
    use do get go make thing stuff way code project work task step new good need want take put give
    update add create write run check first last 代码
    """.split()
)
