"""Rules that are told by their grammar more than by a word, and what is built alike and is none."""

RULES = """
commits follow the angular convention
Tests for the parser belong in tests/parser.
migrations need a down step
endpoints under /admin require a token
each worker logs its own id
every module has a docstring
anything that touches money goes through review
whatever you add needs a type
new columns must be nullable
errors from the gateway have to be wrapped
responses of the public api should be json
secrets stay out of the repository
strings shown to users go through i18n
in the frontend we use tabs
for dates we use luxon
on this branch we squash
inside handlers we return early, always
whenever you add a route rerun the contract tests
every time you change a model regenerate the client
remember to bump the version when the schema changes
make sure to tell me whenever you skip something
please update the snapshot when you change a component
rerun the linter as soon as a file changes
just so you know, the vendor folder is off limits until the audit
the importer isn't allowed to write to disk
workers are not supposed to talk to each other
not a fan of decorators, leave them out
the last thing I want is another config file
jquery has no place in this code
sql doesn't belong in the views
there must be no globals
resist the urge to refactor the parser
only through the queue, never directly
the only way to the database is the repository class
err on the side of too many tests
by convention private helpers start with an underscore
the user's own settings take precedence over ours
the deployment scripts are none of your business
you can't use lodash here
don't let the handler grow
I'd rather not see any of this in the bundle
每个接口都要写文档
这里统一用 pnpm
提交信息一律用英文
改表结构只能通过迁移
凡是改接口都得通知前端
on passe toujours par le proxy
chaque endpoint passe par la passerelle
pense à lancer les tests avant chaque commit
tout changement de schéma a besoin d'une migration
n'oublie pas de formater avant de pousser
cada endpoint pasa por el proxy
toda migración necesita una vuelta atrás
recuerda pasar el linter antes de cada commit
siempre pasa los tests antes de subir
en este repo usamos siempre tabs
toda rota precisa de teste
cada alteração passa por revisão
lembra de rodar o lint antes de cada commit
aqui a gente sempre usa yarn
""".strip().splitlines()
DECOYS = """
tests fail on my machine
requests from mobile go to the wrong host, can you check the env file
images should load lazily on the gallery page
buttons in the toolbar need a hover state
in src/cart.py we should cache the total instead of asking every time
the function should return null if nothing is found
on friday we release, until then this has to be done
in staging you can reproduce it easily
we call the service twice for each order, that's why it is slow
whenever the user logs out the cart is emptied, find out why
requests take two seconds now
errors show up in the console
users need a way to reset their password
logs of the worker show nothing
the buttons should be blue
three tests are still red
both files have the same content
commits from last week broke it
every page throws an error since the update
each run takes ten minutes
anything else?
whatever works
new error, same place
new users get a blank page
in the second test we get a timeout
in the logs we see a 500
for some reason we call it twice
on windows it crashes
whenever I click save it crashes
every time you reload the page breaks
remember the bug we had when the disk was full?
let me know when you're done
tell me when you see the prompt
stop when you find it
run it again if you have time
call me if you need anything
check what happens when the token expires
look at what the client does when the server restarts
fix the crash that happens when the config changes
add a test for when the list is empty
the only way I found was to restart
the only test that fails is the last one
there should be a file called notes.txt
there must be a bug somewhere
it isn't supposed to do that
this is not supposed to happen
they aren't allowed to see the page, is that right?
I'm tired of this bug
it doesn't go there
the link doesn't go anywhere
the last thing I tried was a restart
the request goes through nginx and then it dies
it only fails through the proxy
make sure it works
remember me checkbox is missing
update the docs and push
move the helpers to utils
use the second one
write tests for the parser
all tests pass
all good
changes look fine
looks like the cache is stale
thanks, that works
docs are outdated
things look good now
prices are wrong in the summary
columns are misaligned when the window is small
images don't load
it works if you restart it
the build is green if you skip the e2e tests
每次都报错
这个接口每次返回 500
chaque test échoue
tout est cassé
chaque fois que je clique ça plante
cada vez que abro la página falla
todo está roto
cada test tarda un minuto
toda vez que rodo dá erro
tudo certo
cada página demora muito
""".strip().splitlines()
PAIRS = (
    ("keep the parser on the old api", "the parser can move to the new api now, the freeze is over",
     "keep the writer below 200 lines"),
    ("we don't write docstrings in the models", "changed my mind on docstrings, write them",
     "we don't mock the database"),
    ("only use redis through the wrapper", "no need for the wrapper anymore, call redis directly",
     "errors from the gateway have to be wrapped"),
    ("do not deploy the api this week", "ok you may deploy the api", "do not push to main"),
    ("keep billing on node 16", "billing doesn't have to stay on node 16",
     "keep vendor on node 16"),
    ("always run the parser linter", "I no longer care about the parser linter",
     "always run the type checker"),
    ("always ask before changing billing", "stop asking me about billing",
     "always ask before pushing"),
    ("use tabs in billing", "tabs in billing are no longer a must", "use spaces in vendor"),
    ("billing is off limits", "you have my permission to change billing", "vendor is off limits"),
    ("don't use billing", "it is alright to use billing", "don't use vendor"),
    ("stay away from billing", "the ban on billing has ended", "stay away from vendor"),
    ("every billing endpoint must be documented", "we don't document billing endpoints anymore",
     "every class must have a test"),
    ("no mocks in billing", "I changed my mind, mocks in billing are fine", "no globals in vendor"),
    ("hands off billing please", "I take that back about billing, go wild", "hands off vendor"),
    ("always squash parser commits", "don't bother squashing parser commits", "always sign tags"),
    ("use tabs in billing", "we dropped the tabs thing in billing", "use spaces in vendor"),
    ("every parser function needs a docstring", "docstrings in the parser are optional now",
     "every class needs a test"),
    ("别碰 billing", "billing 解冻了,可以动", "别碰 vendor"),
    ("必须先问我再改 billing", "改 billing 不用问我了", "必须先问我再删 vendor"),
    ("jamais de billing", "finalement billing c'est ok", "jamais de vendor"),
    ("billing est gelé", "billing n'est plus gelé", "vendor est gelé"),
    ("nunca borres billing", "ahora sí puedes borrar billing", "nunca borres vendor"),
    ("avoid lambdas in new code", "avoiding lambdas is not necessary any longer",
     "avoid globals"),
    ("the billing folder is off limits", "billing isn't off limits anymore",
     "the vendor folder is off limits"),
    ("the billing folder is off limits", "billing is fair game again",
     "never touch vendor"),
    ("skip the gpu tests", "turn the gpu tests back on", "skip the slow suite"),
    ("always run prettier before committing", "running prettier isn't needed anymore",
     "always run mypy before committing"),
    ("提交前必须跑 pytest", "pytest 不用再跑了", "提交前必须跑 eslint"),
    ("não mexe no billing", "pode mexer no billing de novo", "não mexe no vendor"),
    ("não mexe no billing", "o billing está liberado", "não mexe no vendor"),
    ("ne touche pas à billing", "c'est bon, tu peux toucher à billing", "ne touche pas à vendor"),
    ("siempre pasa eslint antes de subir", "olvida lo de eslint, ya no hace falta",
     "siempre pasa mypy antes de subir"),
    ("no uses redis", "ya se puede usar redis", "no uses mongo"),
)  # fmt: skip
