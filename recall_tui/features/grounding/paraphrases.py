"""Words that say the same in notes about work: synonyms, phrases with one meaning, and words that carry none.

General English of engineering teams, no names of products; the first word of a row stands for all of it.
"""

from __future__ import annotations

SYNONYMS = """
add introduce include insert gain
use employ utilize utilise adopt leverage
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
    ("pull request", r"pull requests?", r"pr"),
    ("merge request", r"merge requests?", r"pr"),
    ("prs", r"PRs", r"pr"),
    ("root cause", r"root causes?", r"cause"),
    ("set up", r"set up", r"setup"),
    ("sets up", r"sets up", r"setup"),
    ("looked at", r"looked at", r"considered"),
    ("looking at", r"looking at", r"considered"),
    ("look at", r"look at", r"considered"),
    ("looked into", r"(?:is|are|was|were) (?:being )?looked into", r"considered"),
    ("to", r"(?:got|get|gets) to", r"reach"),
    ("look", r"look(?:ed|s|ing)? (?:up)", r"search"),
    ("time", r"time(?:d|s) out", r"timeout"),
    ("sign", r"sign(?:ed|s)? off", r"approve"),
    ("carr", r"carr(?:y|ied|ies) out", r"run"),
    ("find", r"find(?:s)? out", r"discover"),
    ("found out", r"found out", r"discover"),
    ("end", r"end(?:ed|s)? up", r"finish"),
    ("more than", r"more than", r"over"),
    ("greater than", r"greater than", r"over"),
    ("upwards of", r"upwards of", r"over"),
    ("less than", r"less than", r"under"),
    ("fewer than", r"fewer than", r"under"),
    ("as well as", r"as well as", r"and"),
    ("up to date", r"up to date", r"current"),
    ("front end", r"front end", r"frontend"),
    ("back end", r"back end", r"backend"),
    ("data base", r"data base", r"database"),
    ("out of", r"run(?:ning)? out of", r"exhaust"),
    ("ran out of", r"ran out of", r"exhausted"),
    ("got rid of", r"got rid of", r"removed"),
    ("rid of", r"gets? rid of", r"removed"),
    ("to do", r"to do(?=[.,;]|$)", r"todo"),
    ("in parallel", r"in parallel", r"parallel"),
    ("at the same time", r"at the same time", r"parallel"),
    ("a couple of", r"a couple of", r"2"),
    ("a pair of", r"a pair of", r"2"),
    ("half an hour", r"half an hour", r"30 minutes"),
    ("an hour", r"an hour", r"1 hour"),
    ("a minute", r"a minute", r"1 minute"),
    ("a day", r"a day(?= |\.|$)", r"1 day"),
    ("a dozen", r"a dozen", r"12"),
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

VERBS = """
    abandon access acknowledge act add adjust allocate allow append apply approve archive ask assemble assert assign
    attach await back belong block break bring build cache call cancel capture carry cause change check choose claim
    clean clear clone close collect combine come commit compare compile complain compress compute configure confirm
    connect consume contain continue convert copy corrupt count crash create cut declare decline decode default
    define delay delegate delete deliver depend deploy derive detect differ disable discard dispatch display divide
    download drop dump duplicate emit enable encode encrypt enforce ensure evict exceed exclude execute exist exit
    expand expect expire explain export expose extend extract fail fetch fill filter find finish fix flag flush
    follow force forget format forward free generate get give go grow guard handle hang happen hide hit hold ignore
    implement imply import include increase inherit initialize inject insert install invalidate invoke issue join
    jump keep kill know lack last lead lean leak leave let limit link list listen live load lock log look loop lose
    lower maintain make manage map mark match mean measure merge migrate miss modify monitor mount move need notify
    observe occur offer omit open order overlap override overwrite own panic parse pass patch pause pick pin point
    poll populate prefer prepare preserve prevent print produce promise propose protect provide prune publish pull
    purge push put query queue raise reach read receive recommend record recover redirect reduce refer reference
    refresh refuse register reindex reject release rely remain remember remove rename render repeat replace reply
    report request require reset resolve respect respond restart restore restrict resume retain retry return reuse
    revert review rewrite roll rotate run save say scale scan schedule search see seem select send serve set share
    shift ship show shrink shut sign skip sort spawn specify spend split stall stand start stay stop store stream
    strip submit suggest supersede support suppress survive swallow swap switch sync take tell test think throw
    timeout toggle touch track transform translate trigger trim trust try turn undo unlink unload unlock update
    upgrade upload use validate verify violate wait walk want warn watch work wrap write yield
"""
"""Verbs of work, by which the verb of a clause is found where its form alone does not tell."""

OPPOSITES = """
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

EMPTY = frozenset(
    """
    whether non a an the this that these those it its he she him her his they them their we us our i me my you your who whom whose
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
    abandon able absorb accelerate access accommodate accompany accomplish accordingly achieve acknowledge acquire
    act action activate actively actual actually adapt add addition additional additionally address adjust
    administer admit advance advise affect affirm afternoon aggregate agree agreement aid aim alert align alike
    alive allocate allow alone alongside alternate altogether amount analyse analyze anticipate anyway apart
    apparent appear apply appreciate approach approximately argue arise around arrange aside ask aspect assemble
    assess assign assist associate assure attach attempt attend attribute augment automate automatic available avoid
    await aware away back bad badly balance barely base basic be bear become beforehand behave believe belong
    benefit besides best better beyond bind blame border bound brief bring broaden broadly bug burden calculate call
    cancel capture carry cater cause certain challenge change characterise chiefly choose circumstance cite clarify
    clash classify clean clear climb close closely code coincide collapse collect combine come comment common
    commonly communicate compare compensate compile complain complete complicate compose compute conceal concentrate
    concern concerning conclusion condition conduct conflict conform confuse connect consequence consequently
    conserve consider considerable consist constant constitute constrain construct consult consume contain continue
    contrast contribute convert convince cooperate coordinate cope correctly correspond cost count couple cover
    crash crucial current currently customise damage date dates day deal debate decide decision declare decrease
    dedicate deem deep defer define delay delegate deliberate deliver demonstrate denote dense depend derive
    describe deserve designate despite detach detail detect deteriorate determine develop deviate devote diagnose
    differ different diminish direct directly disappear disclose discussion disrupt distant distinguish distribute
    divide do double doubt drag draw drift drive drop due duly eager earlier early earn ease easy edit effect
    effective effectively efficient effort elaborate elect eliminate elsewhere embed emerge emit emphasise employ
    empty enable enclose encounter encourage end endure enforce engage enhance enlarge ensure enter entire entirely
    equally equip error escape especially essential essentially establish estimate even evening event eventual
    eventually evident exact exactly exceed excessive exchange exclude exclusive execute exercise exhibit exist
    existing expand expect experience expire explain explicit explicitly explore expose express extend extensive
    extra extract extreme face facilitate failure fair fall familiar far faulty favor favour feasible fetch few
    figure fill final finalise finally find fine finish firm first fix flexible flow fold follow force foresee
    forget form former formerly forward free frequent fresh front fulfil full fully further furthermore gain gather
    general generalise generally get give go goal good gracefully gradual grant great grow guarantee guard guess
    guide half halt hamper hand handle handy happen happy hard hardly harmless have heal heavy help helpful herself
    hesitate high highlight himself hinder hit hitherto hold hope hour huge hurt idea ideal ideally identical
    identify illustrate imagine immediate imminent impact imply import important impose impossible improve include
    inconsistent incorporate incur indeed independent indicate indirect individual induce inevitable infer inherit
    inhibit initial initially inner insist inspect inspire instead instruct insufficient intact integrate intend
    intended intentional interact interfere intermediate intermittent interpret interrupt introduce investigate
    invite invoke involve isolate issue item itself join judge jump justify keep kind know lack large largely last
    lastly late later latest latter launch lead learn leave lend lengthy lessen let level lie lift light likely
    likewise limit list literal little live long longer look loop loose lose lot loud low main mainly maintain major
    majority make manage manner mark massive match matter mature maximise maximum mean meaningful means meanwhile
    measure meet mention mere merely merge middle mild mind minimal minimise minor minute miss mistake misuse mix
    modify moment month moreover morning mostly motivate move multiply mutual namely narrow natural nearby nearly
    neat necessarily necessary necessitate need needed negative neglect neutral nevertheless new next nice normal
    normally notably note notice noticed notify novel number numerous oblige observe obstruct obtain obvious
    occasionally occupy occur odd offer old omit online open oppose optimise order organise orient original
    originally originate otherwise outcome outer outline overall overcome overlap overlook overly override oversee
    owe own pack parallel part partial partially participate particular particularly partly past pause pay perceive
    perfect perform perhaps period permanent permanently permit persist persuade pick piece place plain plan please
    plenty point poor popular populate pose positive possess possible possibly postpone potential potentially
    practical practise praise precede precise precisely predict predominantly prefer preliminary premature prepare
    prescribe present presently preserve press presumably presume prevail prevent previous previously primarily
    primary prior prioritise problem proceed process produce progress prohibit promise promising promote prompt
    promptly prone proof proper properly proposal propose protect prove provide pull punish purchase pure purely
    purpose purposely pursue push put qualify question quick quickly quit quote raise random rank rapid rapidly rare
    rarely rate raw reach read readily ready real reason reasonable recall receive recent recently recognise
    recommend reconsider record recover recreate reduce redundant refer reflect refrain refuse regain regard
    regarding regardless register regret regular regularly reinforce reject relate relatively relax release relevant
    reliable relieve reluctant rely remain remark remarkable remind remote render renew repeat rephrase replace
    reply report represent reproduce request require rescue resemble reserve reset reside resist resolve respect
    respective respectively respond responsible rest restart restore restrict result resume retain retire retrieve
    reuse reveal reverse review revise rewrite right rise risk roll rough roughly round route routine rude ruin rule
    run sad safe safely satisfactory satisfy save say scarce scarcely scope second secret see seek seem seemingly
    segment select send senior sensible sensitive separate separately serious serve set settle setup several severe
    shape share sharp sheer shift short shorten shortly show side sign significant silent similar similarly simple
    simplify simply simulate single sit situate situated situation skip slight slightly slow slowly smart smooth
    smoothly sole solid somewhat soon sort sound spare speak special specific specifically speculate spend split
    spot spread stabilise stable stall stand standard start state stay steady stem step stick still straight strange
    stress stretch strict strictly strike strip strive strong strongly struggle stuck submit subsequently
    substantially succeed success successfully sudden suddenly suffer suffice sufficient suggest suit suitable sum
    summarise super supply support suppose supposedly suppress sure surface surprise surround survive suspect
    suspend sustain switch tackle take talk tall tell temporarily temporary tend term terminate thank themselves
    thereafter thereof thick think thorough throughout tight tighten time tired today together tolerate tomorrow top
    total totally touch tough trace track train transform translate transmit travel treat trivial trouble trust try
    turn type typical typically ugly ultimate ultimately unable unchanged unclear undergo undertake unexpectedly
    unfortunately uniform unify unique unite universal unknown unlike unlikely unlock unnecessary unresolved
    unstable untouched unused unusual upcoming update upper urge urgent useful usual usually utilise valid valuable
    value vanish various vary vast verify viable view violate virtually visible visit vital vote vulnerable want
    warm warn warrant waste watch weak weaken week weigh weird whenever whereby wherever whether whole wholly wide
    widely widen willing win wish withdraw withstand witness wonder work worldwide worse worsen worst worth
    worthwhile write wrong year yesterday yield young
    """.split()
)
"""Everyday words that a rewording may bring in; any other word that the source lacks is taken for an invention."""
