"""Phrases written before the mechanisms were measured on them; they are not developed on."""

RULES = """
Do not rename public functions.
you must never log passwords
please always squash before merging
Don't ever use sudo.
The database schema is frozen until the release.
stay away from the payment module
Every endpoint must validate its input.
each PR should contain only one change
I want all dates in ISO format.
i never want to see a bare except again
We target Node 20, nothing older.
stay on Python 3.10
Don't deploy without my approval.
tell me before you install anything
Tests live in tests/unit, not next to the code.
Write commit messages in the imperative mood.
Use British spelling.
For tests use pytest, not unittest.
Call it "workspace", never "project".
the response must be valid JSON
You have to keep the old signature working.
Let me review the plan before you start coding.
After every change run the type checker.
As a rule, no function may have more than four parameters.
never mix formatting changes with logic changes
We stay with Postgres.
Nothing gets deleted unless I say so.
Refrain from using regular expressions for HTML.
don't you dare touch prod
no hardcoded paths, ever
Names must be lowercase with underscores.
When in doubt, ask.
If you change a model, write a migration.
Only I merge pull requests.
Do it without external services.
keep the diff minimal
please use type hints everywhere
always prefer async code
Add the pandas import only lazily; never at module level.
wrong, we use yarn not npm
nope, not in utils.py - put helpers next to their callers
I said no print statements.
you keep forgetting the type hints, add them always
Let's keep everything in one file.
The tests are read-only for you.
docs folder is out of bounds
Never assume the network is up.
One more thing: no TODO comments.
Anything that touches auth needs my sign-off.
don't squash my commits
Please alwasy use f-strings
dont evr commit the .env file
avoid useing wildcards in imports
make sure all new code has tests
ensure the output stays sorted
Respond briefly.
No abbreviations in variable names.
You may not change the license header.
In this repo we write everything in TypeScript.
Commit often, but don't push.
the build has to work offline
I need the error messages to stay unchanged.
all SQL goes through the query builder
Errors should never pass silently.
Do the migrations by hand, never automatically
Always show me the plan first.
请始终使用中文回答
禁止修改数据库结构
每次提交前都要跑一遍测试
不许在代码里写死密码
Sempre rode os testes antes do commit.
Não adicione dependências novas.
Evite usar variáveis globais.
No toques los archivos generados.
Nunca subas cambios sin preguntarme.
Mantén las funciones cortas.
N'ajoute pas de nouvelles dépendances.
Réponds toujours en français.
Il ne faut jamais modifier le schéma.
Verwende immer einfache Anführungszeichen.
Die API darf nicht geändert werden.
Frag mich, bevor du etwas löschst.
Lass die Konfiguration in Ruhe.
新しい依存関係を追加しないでください。
常に日本語で回答してください。
変更する前に必ず確認してください
새로운 라이브러리를 추가하지 마세요.
커밋하기 전에 반드시 테스트를 실행해줘.
Не добавляй новые зависимости.
Отвечай только на русском.
Перед каждым коммитом запускай линтер.
""".strip().splitlines()

DECOYS = """
Do we ever need the old signature?
must the response be valid JSON?
what happens if I never call close?
the cron job never ran last night
it should always have been like this
I always forget how this works
we had to restart it every time
don't know, maybe the cache
No, that did not help.
no changes needed
There is no config file in this repo.
Should I prefer async here?
Which one do you prefer?
go on
yes, do that
thanks, looks good
Let me know when it is done.
show me the failing test again
only 3 of 20 tests pass
now fix the second failure
The old API required a token, so requests failed.
Customers must confirm their email before ordering.
My colleague always uses vim.
The compiler complains that a variable is never used.
it says you should always call super()
According to the manual the flag must be set.
CI keeps failing on the same step
I must say this looks great
you must be kidding
You don't need to explain.
he told us to avoid that library
The test never finishes.
it must be a race condition
the page only loads after a refresh
could it be that the token is never refreshed?
the button doesn't do anything
I can't reproduce it
We need to finish this today.
Please add validation to the signup form.
Write a test for the parser.
rename foo to bar in utils.py
remove the debug output again
Push the branch and open a PR.
Let's stop here for today.
Is there a way to never lose the data?
My guess is that the lock is never released
hm, that was not what I expected
The first request is always slow.
nothing works anymore
nobody knows why
just do it
not yet
update the changelog
The script must be broken.
why is this file off limits?
have you checked whether every handler returns?
Don't you think we should use an enum?
what do you mean by "never"?
when did we decide to only support linux?
the error says 'must be a string'
wait, what does this do?
This branch has always been red.
he never answers
Sounds good, no objections.
how would I keep the order?
I'm not allowed to see that page
try again please
Everything is broken since the update
it looks like the hook is only called once
one test needs 20 seconds
这个测试从来没有通过
为什么不能用缓存？
现在只跑这一个测试
系统总是在启动时崩溃
esse teste nunca passou
por que você sempre faz isso?
el servidor siempre se cae por la noche
¿deberíamos usar siempre tabs?
no olvides actualizar el changelog
le test échoue toujours
il n'y a pas de problème
est-ce qu'on doit toujours utiliser ça ?
der Server stürzt immer ab
Müssen wir immer Tabs verwenden?
kein Problem, mach weiter
ich weiß nicht, warum das nie klappt
テストがいつも失敗します
どうして必ずエラーになるの？
테스트가 항상 실패해요
걱정하지 마세요
сервер всегда падает ночью
не знаю, почему не работает
надо ли всегда писать тесты?
""".strip().splitlines()

PAIRS = [
    ("Don't deploy on Fridays.", "Deploying on Fridays is okay now.", "Don't deploy secrets."),
    (
        "Never use regular expressions here.",
        "you may use regular expressions after all",
        "Never use recursion here.",
    ),
    ("Always write docstrings.", "you can stop writing docstrings", "Always write tests."),
    ("Keep the diff small.", "forget the small diff rule", "Keep the README short."),
    ("Don't add dependencies.", "from now on adding dependencies is fine", "Don't add comments."),
    ("Use npm.", "Switch to pnpm from now on instead of npm.", "Use eslint."),
    (
        "The docs folder is out of bounds.",
        "The docs folder is open again.",
        "The ci folder is out of bounds.",
    ),
    ("Respond in French.", "you don't need to respond in French any longer", "Respond briefly."),
    ("No sleeps in tests.", "I take back what I said about sleeps", "No network in tests."),
    (
        "Don't edit the changelog.",
        "Feel free to edit the changelog from here on.",
        "Don't edit the license.",
    ),
    (
        "Ask before every push.",
        "You no longer need to ask before a push.",
        "Ask before every release.",
    ),
    ("Never touch auth.py.", "disregard the restriction on auth.py", "Never touch billing.py."),
    ("max 80 columns", "drop the 80 column limit", "no emojis in commits"),
    (
        "Only commit on the dev branch.",
        "commits on other branches than dev are allowed again",
        "Only use python.",
    ),
    (
        "Treat warnings as errors.",
        "warnings don't have to be errors anymore",
        "Treat me as a novice.",
    ),
    ("禁止修改数据库结构", "可以修改数据库结构了", "禁止使用 eval"),
    ("Não altere o esquema.", "pode alterar o esquema agora", "Não use eval."),
    ("Nunca uses mocks.", "olvida lo que dije sobre los mocks", "Nunca subas secretos."),
    ("N'utilise jamais de mocks.", "oublie la règle sur les mocks", "Ne pousse jamais sur main."),
    ("Keine Mocks verwenden.", "vergiss die Regel mit den Mocks", "Nicht auf main pushen."),
    (
        "モックを使わないでください。",
        "モックを使っても大丈夫です",
        "mainにプッシュしないでください。",
    ),
    ("목 객체를 쓰지 마세요.", "이제 목 객체를 써도 됩니다", "전역 변수를 쓰지 마세요."),
    ("Не меняй схему.", "забудь правило про схему", "Не используй eval."),
]
