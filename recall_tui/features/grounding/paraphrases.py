"""Words that say the same in notes about work: synonyms, phrases with one meaning, and words that carry none.

General English of engineering teams, no names of products; the first word of a row stands for all of it.
"""

from __future__ import annotations

SYNONYMS = """
add introduce include insert gain
use employ utilize utilise adopt leverage
tidy clean clean-up neaten
remove delete drop take-out strip purge erase eliminate discard out-of
make create build generate produce write author
fix repair resolve solve correct patch cure
change modify alter adjust edit update amend
replace swap switch substitute supersede exchange
move migrate transfer relocate port shift
rename retitle
start begin launch kick-off boot initiate
stop halt quit end cease terminate
fail break crash abort error broken failure
pass succeed green
work function operate fine ok okay
keep maintain retain stay remain preserve hold leave
need require necessary must-have demand mandatory compulsory obligatory
want wish like would-like prefer desire
ask request demand plead please
say state tell mention note report according announce claim
think believe assume suppose opinion
show display present print output list
return give yield hand-back
read load fetch consume
store save persist keep-in
send deliver emit post push transmit
receive get obtain accept-in
check verify validate confirm examine
detect notice find discover recognize recognise spot
ignore skip omit bypass leave-out disregard
allow permit let enable-to may-do
forbid prohibit disallow ban block deny
reject refuse decline
choose pick select opt settle decide decision agree
consider evaluate look-at weigh discuss talk-about explore
propose suggest recommend proposal suggestion idea
plan intend going-to schedule goal aim
try attempt trial experiment
revert undo roll-back back-out turn-off-again
raise increase bump grow lift up
lower reduce decrease cut shrink bring-down down
exceed over above more-than beyond larger
below under less-than fewer
limit cap maximum max ceiling
minimum min least
cause reason root-cause owing culprit responsible behind
because since as due
quick fast rapid
slow sluggish
big large huge
small tiny little
short brief concise
wrong incorrect erroneous false invalid bad mistaken
right correct proper valid true
new fresh
old former previous earlier prior original legacy
current present now
same identical equal unchanged
different distinct
affect hit impact influence
happen occur take-place
lose loss lost
wait pending await blocked-on
finish complete done end-up conclude
merge land integrate
deploy release ship roll-out publish publication land-on
install set-up setup
run execute
enable activate turn-on switch-on enabled on
disable deactivate turn-off switch-off disabled off inactive
open unresolved outstanding
close closed
copy duplicate clone
own belong owner responsible-for
depend dependency rely
contain hold-in include-in comprise has
exist missing lack absent
document describe explain
review approve-check
approve sign-off approval
message notification-text
notify notification alert inform
line row-of
byte bytes
error exception
fault bug defect issue problem
job task
automatic automatically auto auto-
manual manually by-hand
only just solely merely exclusively alone
also too additionally besides
before prior-to ahead
after afterwards following once
again anew re-
always every-time
often frequently
sometimes occasionally
together jointly
separate individual independent own-
immediate immediately instantly
final last eventually
each every all any
prominent prominently
rather instead
search lookup query
size length
count number amount total
hour h
second s
minute min
monitor watch observe
reach get-to arrive
time-out timeout
quantity amount
colour color
behaviour behavior
log-in login sign-in
back-up backup
name call title
save-space saving
benefit gain advantage improvement
outdated stale obsolete old-fashioned
trim shorten truncate
encrypt encryption
expire expiry expiration
fall-back fallback
rate-limit throttle
spend cost take-time
speed performance
"""
"""Rows of synonyms."""

_TIMES = "second|minute|hour|day|week|month|year|dozen"
_AMOUNT = rf"(?= (?:\d|~|an? (?:{_TIMES})|one|two|three|four|five|six|seven|eight|nine|ten|half|twenty|hundred))"
_ORDINALS = ("fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_FREQUENCIES = (("hour", "hourly"), ("day", "daily"), ("night", "nightly"), ("week", "weekly"), ("month", "monthly"))
_NEAR = ("next", "last", "this")
PHRASES: tuple[tuple[str, str, str], ...] = (
    ("than", r"(?:no|not) (?:more|later|greater|longer) than", r"at most"),
    ("quarters of an hour", r"three[- ]quarters of an hour", r"45 minutes"),
    ("quarter of an hour", r"(?:a )?quarter of an hour", r"15 minutes"),
    ("down", r"(?:went|go(?:es|ing)?|came|comes?|br(?:ought|ings?)) down", r"lowered"),
    ("up", r"(?:went|go(?:es|ing)?|came|comes?) up", r"raised"),
    ("by hand", r"by hand", r"manually"),
    ("own", r"on (?:its|their|his|her) own", r"by itself"),
    ("by", r"by (?:himself|herself|themselves)", r"by itself"),
    ("out", r"(?:took|taken|takes?|taking) ((?:\S+ ){0,6}?)out(?: of)?", r"removed \1from"),
    ("back", r"(?:rolled|rolls?|rolling) back", r"reverted"),
    ("off", r"(?:turn(?:ed|s|ing)?|switch(?:ed|es|ing)?) (?:(\S+) )?off(?: again)?", r"disabled \1"),
    ("on", r"(?:turn(?:ed|s|ing)?|switch(?:ed|es|ing)?) (?:(\S+) )?on(?= |$)", r"enabled \1"),
    ("request", r"(?:pull|merge) requests?", r"pr"),
    ("prs", r"PRs", r"pr"),
    ("root cause", r"root causes?", r"cause"),
    ("set", r"sets? up", r"setup"),
    ("look", r"look(?:ed|ing)? at|(?:is|are|was|were) (?:being )?looked into", r"considered"),
    ("to", r"(?:got|get|gets) to", r"reach"),
    ("look", r"look(?:ed|s|ing)? (?:up)", r"search"),
    ("time", r"time(?:d|s) out", r"timeout"),
    ("sign", r"sign(?:ed|s)? off", r"approve"),
    ("carr", r"carr(?:y|ied|ies) out", r"run"),
    (" out", r"(?:finds?|found) out", r"discover"),
    ("end", r"end(?:ed|s)? up", r"finish"),
    ("than", rf"(?:more|greater) than{_AMOUNT}", r"over"),
    ("upwards of", r"upwards of", r"over"),
    ("than", rf"(?:less|fewer) than{_AMOUNT}", r"under"),
    ("after", r"after ((?:\S+ ){1,6})(?:but|and) before", r"between \1and"),
    ("as well as", r"as well as", r"and"),
    ("up to date", r"up to date", r"current"),
    (" end", r"(front|back) end", r"\1end"),
    ("data base", r"data base", r"database"),
    ("out of", r"run(?:ning)? out of", r"exhaust"),
    ("ran out of", r"ran out of", r"exhausted"),
    ("rid of", r"(?:gets?|got) rid of", r"removed"),
    ("to do", r"to do(?=[.,;]|$)", r"todo"),
    ("a", r"in parallel|at the same time", r"parallel"),
    ("from", r"ke(?:eps?|pt) (\S+) from", r"blocked \1 from"),
    ("a", r"a (?:couple|pair) of", r"2"),
    ("half an hour", r"half an hour", r"30 minutes"),
    ("an hour", r"an hour", r"1 hour"),
    ("a minute", r"a minute", r"1 minute"),
    ("a day", r"a day(?= |\.|$)", r"1 day"),
    ("in all", r"in all(?=\s*[:,.;(]|$)", r"total"),
    ("un", r"un(?:bounded|limited)", r"without limit"),
    ("on account of", r"on account of", r"because of"),
    ("go through", r"(?:did|does|do|could) not go through", r"failed"),
    ("away", r"(?:throws?|threw|thrown|throwing) (?:(\S+) )?away", r"discarded \1"),
    *((f"{each} {time}", f"{each} {time}", often) for time, often in _FREQUENCIES for each in ("every", "each")),
    *((f"{word} ", rf"{word} (week|month|quarter|year|sprint)", rf"{word}-\1") for word in _NEAR),
    ("nothing to do with", r"(?:has|have|had) nothing to do with", r"is unrelated to"),
    ("third", r"third(?! part)", r"3rd"),
    *((word, word, rf"{place}th") for place, word in enumerate(_ORDINALS, 4)),
    (
        "un",
        r"un(committed|changed|used|handled|tested|tracked|pushed|merged|documented|cleared|named|needed|sent|saved"
        r"|signed|supported|resolved|reviewed|formatted|released|modified|affected|staged|checked|verified|answered"
        r"|finished|solved|touched|covered|reached|escaped|validated|protected|cached|mapped|paid|read|necessary|expected|related)",
        r"non \1",
    ),
    ("a dozen", r"a dozen", r"12"),
    ("nothing ", r"nothing (?:but|except|other than)", r"only"),
    ("no ", r"no \w+ (?:but|except|other than) (\S+)", r"only \1"),
)
"""Letters that each text with the phrase has, the phrase as a pattern, and the words that say the same."""

THINGS = """
licence license
version release-version
setting configuration config option preference
log logging logged
postgres postgresql pg
kubernetes k8s
javascript js
typescript ts
python py
docs documentation
app application
admin administrator
info information
stats statistics
spec specification
char character
str string
int integer
bool boolean
msg message
cmd command
lib library
pkg package
src source-code
tmp temporary
auth authentication
ci continuous-integration
id identifier
os operating-system
ui user-interface
url address-link
perf performance
sec security
user customer client-user human
file document-file
folder directory dir
function method
argument parameter param
machine host server-box
database db
repository repo
pull-request pr merge-request
team people crew folks
environment env
dev development
prod production
staging stage
front-end frontend
back-end backend
email e-mail mail
picture image
"""
"""Rows of spellings of one thing: a rewording may choose among them, and does not bring them in."""

OPPOSITES = """
daily weekly
daily monthly
favour against
long short
high low
strict lenient
strong weak
wide narrow
deep shallow
easy hard
simple complex
hot cold
full empty
cheap expensive
clean dirty
safe unsafe
stable unstable
static dynamic
manual automatic
optional required
single multiple
positive negative
parent child
upper lower
light dark
online offline
past future
early late
primary secondary
odd even
ascending descending
mutable immutable
valid wrong
verbose quiet
visible hidden
loose tight
same different
win lose
rise fall
increase decrease
attach detach
connect disconnect
mount unmount
encode decode
compress decompress
hire fire
approve reject
agree disagree
like dislike
keep revert
major minor
inner outer
inbound outbound
incoming outgoing
ingress egress
forward backward
eager lazy
permanent temporary
direct indirect
relative absolute
explicit implicit
stateful stateless
known unknown
reliable unreliable
available unavailable
complete incomplete
sender receiver
caller callee
head tail
prefix suffix
row column
leader follower
serial parallel
sequential concurrent
urgent normal
stable change
same change
keep change
exist missing
block allow
lose keep
add skip
use ignore
keep remove
keep replace
add remove
enable disable
pass fail
work fail
start stop
raise lower
over under
before after
allow forbid
open close
receive reject
first final
quick slow
big small
new old
right wrong
limit minimum
include exclude
public private
local remote
internal external
frontend backend
read write
send receive
production staging
production development
encrypted unencrypted
merge revert
commit revert
success failure
lock unlock
upgrade downgrade
horizontal vertical
synchronous asynchronous
sync async
client server
left right
top bottom
import export
push pull
upload download
input output
source target
source destination
"""
"""Rows of two words of which a source that says one does not mean the other."""
