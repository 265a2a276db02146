"""Which words speak of the same matter, though they do not mean the same.

A group is looser than a synonym: `reply` and `language` may stand in for each other when a summary
says in its own words what was asked, but sharing such a word is worth less than sharing the word.
A word may stand in several groups.
"""

from functools import cache

from amplihack_compaction.text.meaning.words import canonical

_GROUPS = """
talk speak reply answer respond communicate communication conversation language message write chat
say tell state mention report inform notify announce
explain explanation describe clarify elaborate detail
short brief concise terse compact succinct lengthy brevity length long verbose
simple simplicity plain easy basic complicated complex overengineered
fast speed performance slow quick latency optimize optimization duration time response
ask question consult confirm confirmation approval permission agree check clarify wait instruction
approve allow permit accept sign-off authorize grant green
tell say instruct request instruction word order command explicit
wait hold pause stop until before
stop cease quit end halt terminate abort cancel
remove delete drop discard eliminate strip purge erase clear rid dispose throw away
replace swap substitute exchange switch convert migrate instead
move extract separate split own transfer relocate port
convert port rewrite translate migrate transform rework
rewrite redo replace rework refactor
refactor restructure reorganize clean cleanup tidy rewrite
change edit modify touch alter adapt adjust rewrite amend update modification
untouched intact unchanged frozen same preserve keep leave stay remain stays
keep maintain support remain retain stay preserve continue
break broken breaking compatible compatibility backward backwards stable stability
work working functional run function operate support
fail failure failing error broken red crash exception bug wrong problem issue defect
fix repair resolve correct solve cure remedy handle
error erroneous faulty invalid incorrect wrong mistake
bug issue problem defect ticket fault
crash die abort hang freeze stuck
stuck blocked hang progress
block blocking wait synchronous freeze
async asynchronous concurrent parallel background
thread process worker concurrency parallel
test tests spec suite coverage case cover unit testing covering
coverage covered cover percentage
fixture factory sample data seed
mock fake stub dummy simulate
real actual live genuine
check verify validate validation inspect control examine confirm test
review read look feedback inspect audit
look see view inspect read examine investigate
find discover locate identify determine track cause reason learn detect
cause reason why root source origin
investigate analyze debug diagnose examine research explore
guess assume assumption invent speculate suppose make
unsure uncertain doubt unclear unknown sure
know known knowledge familiar understand
beginner new newcomer novice introductory basic basics
expert senior experienced advanced experience
verify prove evidence confirm proof
run execute start launch invoke call perform
call invoke use request
start begin launch boot init initial first
finish complete end done close conclude finalize ready
deploy release ship rollout publish deployment launch production live
release version ship tag publish
version pin range upgrade update exact
upgrade update bump raise migrate newer latest newest
latest newest current recent new
old legacy deprecated outdated ancient previous former stale
new further additional another extra more fresh create
add introduce create new include extend extra additional
create make generate produce build write implement develop set
generate generated produce automatic derive build
build compile bundle package assemble
implement code develop program build write
code coding program implement implementation source
write author compose put save store
save store storage persist keep write put live
store storage database saved column table
read load fetch get retrieve query access
access read reach connect query permission
connect connection network contact reach
network internet online http connection remote web
offline disconnected online network
query sql select statement request
sql query database statement
database table schema migration row column sql postgres mysql sqlite db
schema structure model table migration column
row record entry
column field attribute
field property attribute key column
transaction commit rollback atomic
soft logical flag
backup copy safeguard restore
copy duplicate clone
duplicate repeat repetition twice copy same unique
unique distinct different
cache memoize buffer caching
memory ram heap leak
leak memory expose
file document path
folder directory path place location
place location put live belong go reside position
inside within scope confine restrict limit only belong
outside elsewhere beyond other anywhere nowhere
everywhere throughout always all every any anywhere
only exclusive exclusively solely just nothing nowhere restrict reserve
limit cap maximum restrict bound ceiling most exceed threshold
exceed over more above longer beyond limit
minimum least below under
size length large small big width height
line length row lines
name naming rename call identifier label title
identifier id uuid key name
abbreviate abbreviation short abbreviated full spell
variable name identifier parameter
function method routine procedure
class object type inheritance
component widget element view
page screen view site
button link control click
icon image symbol emoji picture
style css stylesheet theme styling design layout format look
design layout look ui ux style
layout responsive design view
format formatting style prettier reformat indentation indent
indentation indent space tab
sort order alphabetical sorted sorting sortable
order sequence first before after
comment documentation docstring note remark annotate explain
document documentation readme docs describe describing guide manual
changelog history notes release
readme documentation guide
commit change revision message push
commit squash rebase merge branch
merge combine join integrate
push upload publish
branch trunk main fork
review pr pull request
pr pull request
log logging logger print output console trace
print output console log stdout
output result print show display
show display present visible see view indicate
visible hidden show see surface
hide hidden conceal invisible mask
silent quiet silently swallow suppress ignore hide
ignore skip suppress bypass disregard neglect
disable off deactivate turn switch
enable on activate turn switch
secret password token credential key
password token credential secret login
auth login authentication session sso sign
user customer client person visitor people
customer client buyer user
personal private data privacy user
security secure safe vulnerability protect
safe secure protect protection guard
escape sanitize unescaped raw
input data form entry
validate validation sanitize check
boundary edge border limit
type typed typing annotation types hint
strict rigorous strictly
config configuration setting option env environment
env environment variable
hardcode hardcoded literal constant
dependency package library module install
install installation setup package dependency
global globally system-wide system
local locally project
project repository repo codebase workspace
module package library component
service server backend microservice
server backend host machine
frontend client ui browser
mobile phone android ios tablet app
desktop computer screen
app application program
api endpoint route interface rest service
endpoint route url path api
route path url endpoint
request call query http
response reply answer result
retry repeat attempt again
timeout time limit wait duration
second minute hour time
day daily night nightly evening
week weekly
month monthly
early late deadline date
date time timestamp calendar
schedule cron job timer
cron schedule job task
job task worker queue
queue broker message kafka rabbitmq
event message notification
notify notification alert message
mail email message newsletter send delivery
send deliver delivery transmit
receive arrive get
import export load
export download output
upload download file
money price amount cost bill spending payment
cost bill spending expense price
cut reduce lower decrease reduction saving less
increase raise grow more higher
improve better enhance improvement
quality good clean
important crucial essential critical key
careful caution attention mind
mandatory required must need obligatory
forbid prohibit ban disallow reject refuse rule
reject refuse deny decline
prefer favor favour like want choose preference
choose pick select opt decide decision choice go
decide decision agree settle resolve
want wish desire like request
plan planning outline roadmap strategy
step stage phase
idea proposal suggestion
goal objective aim purpose target intent task
task work job todo assignment
work task effort
pending open remaining outstanding todo still
support handle allow enable capability
handle handling treat process deal deal
process handle pipeline
pipeline ci workflow continuous integration
ci continuous integration pipeline
machine hand manual manually
manual manually hand person personally
automatic automatically auto script
tool utility program command
command cli terminal shell
script program command
docker container image
kubernetes cluster container
cloud aws azure gcp
monitor monitoring metrics observability alert
metric measure measurement monitoring
measure benchmark measurement performance profile
benchmark measure measurement performance
dashboard chart report overview
report summary overview list
list enumerate enumeration table
table grid list
search find filter
filter search select
pagination page paging
translate translation i18n locale language localization
language english german french spanish
english language
accessibility aria contrast
contrast color colour
color colour theme
dark theme night light
spinner loading indicator loader progress
loading load loader
form field input
modal dialog popup overlay
menu navigation header sidebar
image picture photo thumbnail
tenant tenancy multi-tenant customer
role permission access right
owner ownership own belong responsible
team group department colleague
designer design
meeting discuss discussion talk
discuss discussion talk debate
example sample instance
feature functionality capability
flag toggle switch option
option alternative variant choice
variant version option alternative
pattern approach way method
architecture structure design
monolith microservice service split
render rendering html template
html markup template dom
parse parser parsing
regex regular expression pattern
expression formula regex
json yaml toml format
markdown md document
icon emoji symbol
emoji emoticon smiley
apology apologize sorry excuse
excuse apology
thank praise polite
number count amount quantity
count number total
integer number float decimal
float decimal floating
array list collection
string text
text string word content
word term text
singular single one individual
several multiple many more
single one only individual
pair both two
half part
whole entire complete full
part partial portion
different differ other separate
similar same equal identical like
equal same identical unique
consistent match conform adhere follow consistency
follow adhere conform comply obey match according
reflect sync synchronize match
sync synchronize step together
attach accompany together along with
accompany include come along
share common shared
reuse existing use
exist existing present already
throw raise exception propagate
catch handle exception
return give yield
nullable null empty missing
missing absent lack empty
empty blank null
dead unused obsolete
unused dead unnecessary
redundant unnecessary duplicate superfluous
experimental beta unstable
temporary temp provisional
permanent forever durable
physical hard real
history log past record
audit log history
deny refuse block
freeze lock block
lock block mutex
unlock release free
quit exit leave stop
leave keep remain stay
""".strip().splitlines()


@cache
def _members() -> dict[str, frozenset[str]]:
    """Return by canonical word the words of all its groups."""
    found: dict[str, set[str]] = {}
    for row in _GROUPS:
        group = {canonical(word) for word in row.split()}
        for word in group:
            found.setdefault(word, set()).update(group)
    return {word: frozenset(group - {word}) for word, group in found.items()}


def related_to(word: str) -> frozenset[str]:
    """Return the canonical words that may stand in for a canonical word."""
    return _members().get(word, frozenset())
