"""Words that say the same in notes about work: synonyms, phrases with one meaning, and words that carry none.

General English of engineering teams, no names of products; the first word of a row stands for all of it.
"""

from __future__ import annotations

SYNONYMS = """
use employ utilize utilise adopt leverage
add introduce include insert append gain get-added
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
keep retain stay remain preserve hold leave
need require necessary must-have demand
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
wrong incorrect erroneous false invalid bad
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
disable deactivate turn-off switch-off disabled off
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
setting configuration config option preference
message notification-text
notify notification alert inform
log logging logged
line row-of
byte bytes
error exception
fault bug defect issue problem
job task
version release-version
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
licence license
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

PHRASES: dict[str, str] = {
    r"on (?:its|their|his|her) own": "by itself",
    r"by (?:himself|herself|themselves)": "by itself",
    r"(?:took|taken|takes?|taking) (\S+ \S+ \S+ )?out(?: of)?": r"removed \1from",
    r"(?:rolled|rolls?|rolling) back": "reverted",
    r"(?:turn(?:ed|s|ing)?|switch(?:ed|es|ing)?) (?:(\S+) )?off(?: again)?": r"disabled \1",
    r"(?:turn(?:ed|s|ing)?|switch(?:ed|es|ing)?) (?:(\S+) )?on(?= |$)": r"enabled \1",
    r"pull requests?|merge requests?": "pr",
    r"PRs": "pr",
    r"root causes?": "cause",
    r"set up|sets up": "setup",
    r"looked at|looking at|look at": "considered",
    r"(?:is|are|was|were) (?:being )?looked into": "considered",
    r"(?:got|get|gets) to": "reach",
    r"look(?:ed|s|ing)? (?:up)": "search",
    r"time(?:d|s) out": "timeout",
    r"sign(?:ed|s)? off": "approve",
    r"carr(?:y|ied|ies) out": "run",
    r"find(?:s)? out|found out": "discover",
    r"end(?:ed|s)? up": "finish",
    r"more than|greater than|upwards of": "over",
    r"less than|fewer than": "under",
    r"as well as": "and",
    r"up to date": "current",
    r"front end": "frontend",
    r"back end": "backend",
    r"data base": "database",
    r"run(?:ning)? out of": "exhaust",
    r"ran out of": "exhausted",
    r"got rid of|gets? rid of": "removed",
    r"in parallel": "parallel",
    r"at the same time": "parallel",
    r"a couple of": "2",
    r"a pair of": "2",
    r"half an hour": "30 minutes",
    r"an hour": "1 hour",
    r"a minute": "1 minute",
    r"a day(?= |\.|$)": "1 day",
    r"a dozen": "12",
}
"""Phrases, as patterns, with the words that say the same."""

THINGS = """
user customer client-user
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
keep undo
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

EMPTY = frozenset(
    """
    non a an the this that these those it its he she him her his they them their we us our i me my you your who whom whose
    which what there here is are was were be been being am do does did done has have had having will would shall should
    can could may might must of in on at to for from with by as into onto out up off over about than then so and or but
    if when while whereas although though because since until unless also too both either still yet already just very
    really quite rather instead now currently again even more most less least much many some any each every all such
    same own other others another one ones thing things way etc e.g i.e per via not no nor never none nobody nothing
    without neither cannot only once after before during between among against towards toward upon within across
    however therefore thus hence please ok okay well get gets got getting go goes going went gone make makes made
    making take takes took taken come comes came let lets s t d ll re ve m don due anymore longer ever yes
    like would-like want wants wanted lot lots bit kind sort fact case cases thereby hereby namely respectively
    according instead where why how able able-to try tried tries trying way ways
    """.split()
)
"""Words whose presence is not asked of a source; what they do to a statement is checked by rules of their own."""

LOOSE = frozenset(
    """
    work change set add keep need want part result value state form note detail time place point start end approach
    item number amount count bring call run give find see look know show turn put mean help seem appear become
    happen occur leave let try ask tell talk speak explain describe mention report say plan decide choose agree
    propose suggest consider think believe expect hope intend prefer wish require allow enable support handle
    provide contain include involve concern regard relate affect cause lead follow reach exist remain stay last
    belong consist depend apply perform execute carry complete finish achieve ensure guarantee avoid prevent reason
    issue problem error failure bug fix option type kind version step task job goal aim purpose code update piece
    new old existing present former latter first final next previous later earlier current recent longer possible
    able ready available necessary needed wrong right good bad better best full whole entire total several various
    different similar separate additional further single main general common usual normal specific particular
    certain clear simple automatic mere actual real explicit original initial overall directly simply finally
    successfully properly correctly explicitly together apart besides addition instead meanwhile eventually recently
    originally initially still matter idea proposal decision agreement conclusion discussion outcome effect impact
    consequence measure figure level rate side hand term manner means process action event situation condition
    circumstance moment period day week month year hour minute second morning afternoon evening today yesterday
    tomorrow lot majority rest half hit face meet deal come go move get take make do have be own sit stand lie live
    fall rise drop grow lose gain win save spend pay cost serve hold send receive open close read write notice
    notify brief short extra effort attempt success gracefully themselves itself himself herself sum detect noticed
    setup
    """.split()
)
"""Everyday words that a rewording may bring in; any other word that the source lacks is taken for an invention."""
