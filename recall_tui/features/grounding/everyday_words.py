"""Words of everyday prose about work: those that say nothing alone, verbs, and those that a rewording may bring in."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


IRREGULAR = """
write wrote written
run ran running
take took taken
go went gone
give gave given
get got gotten
choose chose chosen
break broke broken
find found
keep kept
leave left
lose lost
make made
send sent
think thought
see saw seen
speak spoke spoken
fall fell fallen
rise rose risen
grow grew grown
know knew known
bring brought
build built
buy bought
catch caught
drive drove driven
hold held
lead led
mean meant
meet met
pay paid
say said
sell sold
show shown
sit sat
spend spent
stand stood
stick stuck
tell told
win won
begin began begun
draw drew drawn
forget forgot forgotten
hide hid hidden
shake shook
freeze froze frozen
do did done
come came
become became
bind bound
feel felt
hear heard
understand understood
wake woke woken
wear wore
throw threw thrown
swear swore
teach taught
undo undid undone
rewrite rewrote rewritten
override overrode overridden
shrink shrank shrunk
sink sank sunk
drink drank
spring sprang
steal stole
fly flew
blow blew
tear tore
seek sought
fight fought
lend lent
bend bent
feed fed
dig dug
hang hung
slide slid
spin spun
strike struck
shoot shot
lay laid
shut shutting
cut cutting
overwrite overwrote overwritten
fix fixes fixed
unchange unchanged
ship shipped
log logged
stop stopped
use uses used using
tie ties tied
try tries tried
die dies died
lie lies lied
submit submission
assume assumption
permit permission
omit omission
transmit transmission
convert conversion
extend extension
expand expansion
compare comparison
describe description
subscribe subscription
consume consumption
produce production
reduce reduction
introduce introduction
resolve resolution
solve solution
intend intention
respond response
divide division
revise revision
conclude conclusion
include inclusion
exclude exclusion
collide collision
confuse confusion
explain explanation
repeat repetition
retain retention
maintain maintenance
analyze analysis analyse
prove proof
believe belief
receive reception receipt
perceive perception
succeed success
enter entry
choose choice
advise advice
destroy destruction
know knowledge
invert inversion
suspend suspension
"""
"""Rows of a verb with its irregular forms."""

VERBS = """
    abandon accept access acknowledge act add adjust admit allocate allow appear append apply approve archive ask
    assemble assert assign assume attach avoid await back bail balance become behave belong bind block break bring
    build bump bypass cache call cancel capture carry cast cause change check choose claim clean clear climb clone
    close collect combine come commit compare compete compile complain complete compress compute configure confirm
    conflict connect consume contain continue convert copy correct corrupt cost count cover crash crawl create cut
    declare decline decode deduplicate default define delay delegate delete deliver deny depend deploy deprecate
    derive describe destroy detach detect determine differ disable discard discover dispatch display divide double
    download drain drift drop dump duplicate embed emit enable encode encrypt enforce ensure enter escape evaluate
    evict examine exceed exclude execute exempt exist exit expand expect expire explain export expose extend extract
    fail fall fetch fill filter find finish fire fix flag flush fold follow force forget format forward free gather
    generate get give go grow guard handle hang happen help hide hit hold identify ignore implement imply import
    improve include increase indicate infer inform inherit initialize inject insert install integrate interpret
    introduce invalidate invent invoke issue iterate join jump keep kill know lack land last lead leak lean leave
    let limit link list listen live load lock log look loop lose lower maintain make manage map mark mask match mean
    measure mention merge migrate mirror miss modify monitor mount move mutate narrow need normalize note notify
    observe obtain occupy occur offer omit open operate order overlap override overwrite own panic parse pass patch
    pause perform permit persist pick pin point poll pollute populate post precede prefer prepare preserve prevent
    print produce promise prompt propagate propose protect prove provide prune publish pull purge push put query
    queue quote race raise reach read receive recommend record recover redact redirect reduce refer reference
    reflect refresh refuse regenerate register reindex reject release rely remain remember remind remove rename
    render reorder repeat replace reply report request require resemble reset resolve respect respond restart
    restore restrict resume retain retrieve retry return reuse reveal revert review rewrite rise roll rotate ruin
    run satisfy save say scale scan schedule score search see seem select send serve set share shift ship show
    shrink shut sign signal simplify sit skip slip slow solve sort spawn specify spell spend split spread stage
    stall stand start stay steal stem stop store strand stream strip struggle submit substitute succeed suffer
    suggest supersede support suppress surface survive swallow swap switch sync take target tell test think throw
    timeout toggle tolerate touch track trail transform translate trap treat trigger trim truncate trust try turn
    undo unify unlink unload unlock unwrap update upgrade upload use validate vanish vary verify violate wait walk
    want warn waste watch widen wire work wrap write yield
"""
"""Verbs of work, by which the verb of a clause is found where its form alone does not tell."""

EMPTY = words(
    """
    whether non a an the this that these those it its he she him her his they them their we us our i me my you your
    who whom whose which what there here is are was were be been being am do does did done has have had having will
    would shall should can could may might must of in on at to for from with by as into onto out up off over about
    than then so and or but if when while whereas although though because since until unless also too both either
    still yet already just very really quite rather instead now currently again even more most less least much many
    some any each every all such same own other others another one ones thing things way etc e.g i.e per via not no
    nor never none nobody nothing without neither cannot only once after before during between among against towards
    toward upon within across however therefore thus hence please ok okay well get gets got getting go goes going
    went gone make makes made making take takes took taken come comes came let lets s t d ll re ve m don due anymore
    given through inside outside along around behind beside beneath versus vs plus unto ought whatever whichever whoever
    longer ever yes like would-like want wants wanted lot lots bit kind sort fact case cases thereby hereby namely
    respectively according instead where why how able able-to try tried tries trying way ways
    """
)
"""Words whose presence is not asked of a source; what they do to a statement is checked by rules of their own."""

LOOSE = words(
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
    thereafter thereof thick think thorough throughout tight tighten time tired together tolerate top
    total totally touch tough trace track train transform translate transmit travel treat trivial trouble trust try
    turn type typical typically ugly ultimate ultimately unable unchanged unclear undergo undertake unexpectedly
    unfortunately uniform unify unique unite universal unknown unlike unlikely unlock unnecessary unresolved
    unstable untouched unused unusual upcoming update upper urge urgent useful usual usually utilise valid valuable
    value vanish various vary vast verify viable view violate virtually visible visit vital vote vulnerable want
    warm warn warrant waste watch weak weaken week weigh weird whenever whereby wherever whether whole wholly wide
    widely widen willing win wish withdraw withstand witness wonder work worldwide worse worsen worst worth
    worthwhile write wrong year yield young
    """
)
"""Everyday words that a rewording may bring in; any other word that the source lacks is taken for an invention."""
