"""Phrases that the mechanisms were developed on: rules, decoys, and pairs with retractions."""

RULES = """
Never push to main.
never ever force push
Use tabs. Never spaces.
always run the linter before you commit
dont touch the migrations folder
Please don't add new dependencies without asking me.
No new dependencies please.
no emojis in commit messages
Use pnpm, not npm.
use ruff instead of flake8
The public API is off limits.
Hands off the vendor directory!
Leave the legacy module alone.
leave src/config.ts as it is
From now on, write the tests first.
Going forward I want every commit signed.
Whenever you change the schema, update the docs too.
when you add an endpoint, add an integration test for it
every commit needs a ticket number
Ask me before deleting anything.
check with me before you push
I don't want any comments in the generated code.
we only support python 3.11 and newer
The config format stays as it is.
It's important that the CLI stays backwards compatible.
Nothing goes to main without a review.
Treat warnings as errors.
Answer in German.
reply in English please
Keep functions under 30 lines.
Stick to the existing naming scheme.
Prefer composition over inheritance.
Avoid global state.
make sure you run make check before each commit
Make sure nothing in the public API changes.
fix the login bug, but don't touch the schema
Can you refactor the parser? But please never change its public interface.
could you please stop adding comments everywhere
no, use httpx not requests
No, I said port 8081.
I told you not to mock the database.
that's wrong, I asked for UTC timestamps everywhere
All strings must go through the i18n layer.
all public functions need docstrings
tests must not hit the network
The parser should never raise on bad input.
you must not edit generated files
you shouldn't commit directly
We don't use classes here.
we never merge on fridays
I prefer small commits.
I'd rather have duplication than the wrong abstraction
tabs, not spaces
English only please
only edit files under src/
Only use the standard library.
if you touch the API, bump the version
before you commit, run pytest -q
Run the full suite before every push.
Remember: no secrets in logs
Rule: one PR per feature.
Do not, under any circumstances, delete user data.
Under no circumstances run migrations on prod.
You can't change the wire format, other clients depend on it.
nver commit to master
alwyas use absolute imports
you shoudl not touch the ci config
Don't merge until I have approved.
wait for my ok before deploying
No commits without tests.
max line length 100
Functions at most 40 lines.
limit line length to 100 characters
Follow the Google style guide.
The lockfile must not be changed by hand.
Stop using any in TypeScript.
Keep the README short.
log in UTC, never in local time
nobody touches the billing code
use conventional commits
every new module gets a test file
You are not allowed to use eval.
secrets never go into the repo
please be concise in your answers
不要直接推送到 main 分支
以后所有注释都用英文写
必须先运行测试再提交
别动 legacy 目录
用 pnpm，不要用 npm
Nunca faça push direto na main.
Use sempre aspas simples.
Não mexa na pasta vendor.
No uses bibliotecas externas.
Siempre ejecuta los tests antes de hacer commit.
A partir de ahora responde en español.
Ne touche jamais au fichier de config.
Utilise pnpm au lieu de npm.
Toujours lancer les tests avant de commiter.
Niemals direkt auf main pushen.
Bitte keine neuen Abhängigkeiten.
Antworte ab jetzt nur noch auf Deutsch.
Fass die Migrationen nicht an.
コミット前に必ずテストを実行してください。
mainに直接プッシュしないでください。
npmではなくpnpmを使ってください
main 브랜치에 직접 푸시하지 마세요.
항상 한국어로 답해줘.
npm 말고 pnpm을 사용해줘
Никогда не пушь напрямую в main.
Не трогай папку vendor.
Всегда запускай тесты перед коммитом.
Используй pnpm вместо npm.
""".strip().splitlines()

DECOYS = """
should we always use tabs?
why must it be a singleton?
don't forget to push
now only run the parser test
fix the bug, must be quick
this never worked
it always fails on Monday
users must log in first to see the page
if we must use redis then ok
the linter says: never use var
The README says "always run make first".
Did you ever run the tests?
ok continue
never mind
no problem, go ahead
no idea why it fails
I don't know what happened
The build always breaks after midnight.
we never got this to work
don't worry about the warnings
can you always reproduce it?
there must be a bug in the cache layer
it must have been the last commit
the server should be up by now
what should I do next?
Only the parser test fails.
I only see one error
it only happens on windows
he said we should never deploy on friday
The docs claim you must restart the server.
run the tests and tell me what fails
commit this
implement the export feature
Add a button to the settings page.
I never saw this error before
the tests always pass on my machine
no, it still fails
no errors in the log now
keep going
keep me posted
stop the server
Use the new endpoint in login.ts
make sure it works
let's look at the other file first
we could always revert later
I would never have guessed that
the app never starts when the db is down
You should see a green banner now.
just run it again
how do I avoid this warning?
is it important that the order is kept?
the deploy must be stuck
explain how the cache works
there's no need to hurry
please review the diff
all tests pass now
every request returns 500 since yesterday
Every time I run it, it crashes.
why don't we use postgres instead of mysql?
I don't think that is right
it returns 404 instead of 200
when I click on save, nothing happens
don't stop, keep working on the list
not sure this is correct
I've always liked that design
the function must return null in that case or what?
that's not the problem
Please fix the failing test in test_api.py today.
do you prefer tabs?
somebody told me to never trust the cache
where is the config file?
the user cannot log in
为什么必须先登录？
测试总是失败
别忘了推送
用户必须先登录才能看到页面
por que sempre falha?
não esqueça de fazer push
los usuarios deben iniciar sesión primero
no sé por qué falla
no funciona
pourquoi est-ce que ça échoue toujours ?
n'oublie pas de pousser
ça n'a jamais marché
Warum schlägt der Test immer fehl?
vergiss nicht zu pushen
das hat noch nie funktioniert
なぜ必ず失敗するのですか？
プッシュを忘れないでください
왜 항상 실패하나요?
푸시하는 거 잊지 마
почему тест всегда падает?
не забудь запушить
это никогда не работало
""".strip().splitlines()

# A rule, the words that lift it, and another rule that must stand.
PAIRS = [
    ("Never push to main.", "You may now push to main.", "Never push secrets."),
    ("Don't use lodash.", "you can use lodash again", "Don't use moment."),
    ("Always answer in German.", "forget the German thing", "Always run the tests."),
    ("Use tabs.", "forget what I said about tabs", "Use single quotes."),
    ("Don't touch the migrations.", "ignore the rule about migrations", "Don't touch the CI."),
    ("No mocks in the tests.", "mocks are fine now", "No sleeps in the tests."),
    ("Run the linter before each commit.", "no need to run the linter anymore", "Sign commits."),
    ("The code freeze: don't merge anything.", "the freeze is lifted", "Don't mock the db."),
    (
        "Ask me before deleting files.",
        "You don't have to ask before deleting files anymore.",
        "Ask me before pushing.",
    ),
    (
        "Never commit without a ticket number.",
        "scrap the rule about ticket numbers",
        "Never commit secrets.",
    ),
    ("Use tabs.", "use spaces now, not tabs", "Use single quotes."),
    (
        "Leave the config alone.",
        "ok, you're allowed to edit the config now",
        "Leave the docs alone.",
    ),
    (
        "Do not use any external libraries.",
        "external libraries are allowed now",
        "No global state.",
    ),
    (
        "Don't touch legacy/billing.py.",
        "legacy/billing.py is no longer off limits",
        "Don't touch legacy/orders.py.",
    ),
    ("Only edit files under src.", "you can edit files outside of src now", "Only use python."),
    ("不要推送到 main", "现在可以推送到 main 了", "不要使用全局变量"),
    ("Nunca faça push na main.", "agora você pode fazer push na main", "Não use mocks."),
    ("No uses lodash.", "ya puedes usar lodash", "No toques el esquema."),
    ("Ne touche pas au schéma.", "tu peux maintenant toucher au schéma", "N'utilise pas de mocks."),
    ("Niemals auf main pushen.", "du darfst jetzt auf main pushen", "Keine Mocks verwenden."),
    (
        "mainにプッシュしないでください。",
        "もうmainにプッシュしてもいいです",
        "モックを使わないでください。",
    ),
    ("main에 푸시하지 마세요.", "이제 main에 푸시해도 돼", "목을 쓰지 마세요."),
    ("Не пушь в main.", "теперь можно пушить в main", "Не используй моки."),
]
