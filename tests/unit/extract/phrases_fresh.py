"""Phrases written after the first measurement, to measure the improved mechanisms once more."""

RULES = """
Never delete branches on the remote.
don't log user emails
Do not reformat files you did not change.
please dont use recursion
You must run the migrations in a transaction.
Always keep a changelog entry per fix.
We don't do default exports.
Only touch the frontend.
I don't want you to create new files unless I ask.
No third-party fonts.
Everything has to be accessible by keyboard.
each migration needs a rollback
the tests should never depend on each other
API keys must come from the environment.
Stick with the current layout.
Keep error messages short.
Prefer early returns.
Avoid deep nesting.
Use snake_case for columns.
use bun instead of node
Write the docs in Markdown, not in HTML.
prettier, not standard
Comments in English please.
Ask me before you change the database.
Wait for my approval before merging.
Whenever you add a dependency, tell me why.
After each step, run make lint.
If a test is flaky, never just retry it.
from now on answer in one paragraph
The old endpoints stay as they are.
src/generated is off limits
Leave package-lock.json alone.
Treat the spec as the source of truth.
Make sure every handler closes its connection.
Nothing may be written to stdout.
No one touches the release branch.
stop adding type ignores
Can you please never amend my commits?
don't ever touch that folder, ok?
It's crucial that the order of fields never changes.
Rule of thumb: no function above 50 lines.
Important: the app has to run without internet.
No, we use UTC everywhere.
I told you to keep the tabs.
wrong, the port is 9090, not 9000
You are only allowed to edit the tests.
I prefer explicit imports
I'd rather you ask than guess
we want no global variables
Limit retries to 3.
at most 80 characters per line
the public interface must remain stable
neevr commit without running the tests
plase always use const
dont' touch the lockfile
Respond in French.
one commit per change
Under no circumstances expose the admin port.
Versions are pinned, don't bump them.
Do everything on a branch, never on main.
不要修改公共接口
必须使用 TypeScript
以后请先问我再删除文件
Não use bibliotecas externas.
Sempre escreva testes.
Mantenha os commits pequenos.
No cambies la API pública.
Usa siempre comillas simples.
Evita los comentarios innecesarios.
N'utilise pas de variables globales.
Garde les fonctions courtes.
Demande-moi avant de supprimer un fichier.
Benutze keine globalen Variablen.
Halte die Funktionen kurz.
Antworte immer auf Englisch.
グローバル変数は使わないでください
必ず型を付けてください
전역 변수를 사용하지 마세요
모든 함수에 타입을 반드시 달아줘
Не меняй публичный интерфейс.
Пиши комментарии только на английском.
Избегай глобальных переменных.
""".strip().splitlines()

DECOYS = """
Is the order never guaranteed?
does it always need a token?
what if I never commit?
it always hangs after the login
the worker never picks up the job
We always had this problem.
I never got an answer
don't see any difference
Do you know why the test needs so long?
no, that's the wrong file
no luck
The docs recommend that you avoid this.
pylint tells me to never use that
My boss said that we must ship on Monday.
Visitors must accept the cookies before they can continue.
The token must have expired.
that must be it
the cache should be warm now
Fix the typo in the header.
Add a test for the empty list.
run only the second test for now
please show me the diff
Rebase the branch on main.
now push it
let's continue with step 3
keep working on this
Only two errors left.
there is only one place where this is called
it only works on my machine
we can always change it later
you could never tell from the logs
looks good, ship it
thank you
hm
Where do you keep the fixtures?
I have to leave soon
I must have missed that
The user wants to see the list.
The import fails because the module was never installed.
Tests are green, nothing else to do.
It is not possible to log in.
We don't have a staging server.
I can't find the file
We can't reproduce it here.
don't forget the changelog
let me think about it
How many lines may a function have?
Could you check whether we always close the file?
the report says "never ship on friday"
Maybe we should use a queue.
Before the update everything worked.
When I open the page it is empty.
if it must be so, fine
Rename the function.
The linter warning is gone.
Explain what this regex does.
all good
everything works
No tests fail.
Which tests must I run?
这个函数从不返回
是不是必须重启？
别担心
nunca vi esse erro
qual é a regra?
siempre me sale este error
¿por qué no usamos tabs?
ça marche toujours
pourquoi jamais ?
das klappt nie
ist das immer so?
いつもエラーになります
心配しないでください
항상 느려요
왜 안 돼?
он всегда так делает
никогда не видел такого
""".strip().splitlines()

PAIRS = [
    ("Don't touch the lockfile.", "You may edit the lockfile now.", "Don't touch the license."),
    (
        "Never amend commits.",
        "amending commits is fine from now on",
        "Never delete commits on main.",
    ),
    (
        "Ask me before you add a dependency.",
        "no need to ask about dependencies anymore",
        "Ask me before you deploy.",
    ),
    (
        "Comments in English please.",
        "forget the rule about English comments",
        "Keep commits small.",
    ),
    ("No third-party fonts.", "third-party fonts are ok again", "No inline styles."),
    (
        "src/generated is off limits",
        "src/generated is no longer off limits",
        "vendor is off limits",
    ),
    ("Always squash before merging.", "you don't have to squash any more", "Always sign commits."),
    (
        "Don't deploy anything.",
        "the deploy ban is over, you can deploy again",
        "Don't rename files.",
    ),
    ("Use yarn.", "use pnpm instead of yarn", "Use jest."),
    ("Do not use async here.", "ignore what I said about async", "Do not use threads here."),
    ("不要修改公共接口", "现在可以修改公共接口了", "不要提交密码"),
    ("No cambies la API.", "ya puedes cambiar la API", "No subas secretos."),
    (
        "Benutze keine globalen Variablen.",
        "globale Variablen sind jetzt erlaubt",
        "Benutze keine Makros.",
    ),
    ("Не трогай тесты.", "теперь можно трогать тесты", "Не трогай схему."),
]
