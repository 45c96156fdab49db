"""Subjects of which a memory may have a page: noun phrases that it defines, decides or revises something about.

A subject has at least three sentences of content, from two documents or more; half of a longer name, a date, a type of
file, a tool and a verb at the start of a sentence are none. Two subjects of the same sentences are one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from recall_tui.features.grounding.superseded import find_followed, find_removed_things
from recall_tui.features.grounding.topics import spoken_words, topic_words
from recall_tui.storage.documents.changing_facts import DatedStatement
from recall_tui.storage.documents.wiki_page import Category
from recall_tui.text.classify.generic_words import GENERIC_WORDS, TYPES_AND_TOOLS
from recall_tui.text.classify.imperatives import IMPERATIVE_VERBS
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import (
    PART,
    PASSING,
    find_flaw,
    find_log_flaw,
    find_passing_flaw,
    gives_reason,
    is_explicit,
    log_weight,
    mentions_update,
)
from recall_tui.text.classify.mentions import BARE_NUMBER, find_names
from recall_tui.text.classify.passing_lines import announces_event, is_of_its_day, lasts_until
from recall_tui.text.classify.remedies import is_handed_on, is_unsolved, states_question, subject_words
from recall_tui.text.classify.routine import is_trivia
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.classify.stopwords import STOP_WORDS

DIGEST_HEADINGS = ("Tracking Points", "Summary")
"""Where the digest of a session stands, in its summary or its archive."""
REPORT_HEADING = "Session report"
"""Heading of statements that a session's report has chosen already."""
MIN_SENTENCES = 3
"""Sentences of content that a page begins with at least."""
MIN_DOCUMENTS = 2
MIN_DAYS = 3
"""Days on which a name stands that a reader might look for."""
MIN_TELLING = 2
"""Of sentences that a session's digest has, those with a reason, a rule or a finding."""
MAX_SENTENCES = 6
_MAX_SHARED_LINES = 0.5
"""Share of its sentences from which a subject is another one, which says more."""
_MAX_LEAD_WORDS = 9
"""Words of a sentence among which its subject stands."""
_MAX_NOUN_LEAD_WORDS = 7
"""The same where the subject is no name."""
_DATES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
    montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember
    lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes today yesterday tomorrow
    week weekly daily monthly month year quarter sprint weekend morning evening night
    """.split()  # noqa: SIM905
)
_EMPTY_NOUNS = frozenset(
    """
    thing things part parts way time times one ones lot bit kind sort point case cases fact problem problems issue
    issues cause root reason idea question questions answer result results change changes fix fixes lesson lessons
    decision decisions plan plans step steps rest side end start number numbers line lines list everything everybody
    nobody somebody something nothing people person team meeting log logs day days work job test tests code file files
    all both each other others first last next new old same talk talked met context committed await awaits
    status summary update updates fixed added removed changed tried note notes need needs open done page pages event
    events user users data value values name names type types error errors function method class output input command
    message messages session sessions commit commits branch version danish dutch english finnish french german italian
    norwegian polish portuguese russian spanish swedish turkish chinese japanese korean european american british
    """.split()  # noqa: SIM905
)
_VERB = (
    r"(?:is|are|was|were|has|have|uses?|takes?|runs?|stays?|moves?|moved|needs?|gets?|writes?|reads?|holds?|lives?"
    r"|listens?|goes|wants?|owns?|requires?|replaces?|ends?|starts?|keeps?|now|no longer|must|may|can|cannot|will|does"
    r"|doesn't|sends?|stores?|costs?|lasts?|belongs?|works?|became|becomes|drops?|loses?|fails?|breaks?|switched"
    r"|changed"
    r"|shows?|expects?|returns?|accepts?|ignores?|postponed|closes?|opens?|handles?|decides?|draws?|maps?)"
)
_PERSON_VERB = (
    r"wants?|orders?|asks?|asked|says|said|thinks|found|wrote|will|is (?:ill|sick|back|away|off)|likes|loves"
    r"|met|and i"
    r"|knows|told|came|brings?|brought|offers?|agrees?|agreed|waits|hat|went|thanks|promised|lost|takes over"
)
_SUBJECT = re.compile(
    rf"(?:[A-Za-z][\w ]{{2,24}}: )?(?:(?:the|our|a|an|all|every|each|new) )?"
    rf"(?P<noun>(?:[\w-]+ ){{0,2}}?[\w-]*[a-z][\w-]*)(?: (?:{_VERB})\b|: )",
    re.IGNORECASE,
)
_AGREED = re.compile(r"(?:agreed|decided|settled|decision|result)\b[^:.]{0,40}: ", re.IGNORECASE)
"""What stands in front of a decision: who made it."""
_WORD = re.compile(r"[\w-]+")
_MAX_ENDING_CHARS = 2
"""Letters that a form of a word has more than its stem."""


class Subject(NamedTuple):
    """Something that a page may be about."""

    name: str
    category: Category
    lines: tuple[DatedStatement, ...]
    """What is said about it, oldest first."""
    weight: float
    """How much its sentences say."""


_UNSETTLED = re.compile(
    r"\b(?:proposals?|proposed|ideas?|not (?:yet )?(?:decided|signed)|nothing (?:is )?(?:decided|signed)|must agree"
    r"|half done|begun|suspect(?:s|ed)?|open)\b",
    re.IGNORECASE,
)
"""Words of what is not settled on its day: a page tells what became of it."""
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)?(?![\w.-])")
_MIN_FIGURES = 2
"""Numbers from which a sentence that gives no reason and no change is a measurement."""
_UNNAMED = re.compile(r"(?:I|we|he|she|they) \w+ (?:it|this|that|them)\b", re.IGNORECASE)
"""Somebody does something to what an earlier sentence names."""
_PROGRESS = re.compile(r"\b\d+ of (?:the )?\d+\b", re.IGNORECASE)
"""A count of work that goes on."""


def find_subjects(
    said: Sequence[DatedStatement],
    is_known: Callable[[str], bool] = lambda name: False,
    least_documents: int = MIN_DOCUMENTS,
) -> tuple[Subject, ...]:
    """Return what the statements say enough about, the most telling first, without those that are known."""
    content = [one for one in _without_removed(said) if not find_content_flaw(one)]
    lower = frozenset(word for one in said for word in re.findall(r"(?<![.!?:] )(?<!^)\b[a-z][a-z-]+\b", one.said.text))
    found = []
    for name, lines in _grouped(content, lower).items():
        distinct = _newest_figures(drop_followed(_distinct(lines)))
        if len(distinct) < MIN_SENTENCES or len({one.path for one in distinct}) < least_documents or is_known(name):
            continue
        drawn = [one for one in distinct if _is_of_digest(one)]
        if _is_first_name(name, distinct) or _is_head_of_several(name, distinct):
            continue
        if drawn and sum(not find_flaw(one.said.text) for one in drawn) < MIN_TELLING:
            continue
        best = _best(distinct)
        category: Category = "entity" if _is_proper(name) else "concept"
        chosen = tuple(sorted(best, key=lambda one: (one.day, one.path, one.said.lines)))
        found.append(Subject(name, category, chosen, round(sum(log_weight(one.said.text) for one in best), 2)))
    return tuple(_drop_same_subjects(sorted(found, key=lambda one: (-one.weight, -len(one.name), one.name))))


def find_unproposed(said: Sequence[DatedStatement]) -> tuple[str, ...]:
    """Return the names of three days and more about which too little is said for a page."""
    days: defaultdict[str, set[object]] = defaultdict(set)
    for one in said:
        for name in find_names(one.said.text):
            days[name].add(one.day)
    subjects = {normalize(one.name) for one in find_subjects(said)}
    found = (name for name, when in days.items() if len(when) >= MIN_DAYS and normalize(name) not in subjects)
    return tuple(sorted(found, key=lambda name: (-len(days[name]), name)))


def lines_about(name: str, said: Iterable[DatedStatement]) -> tuple[DatedStatement, ...]:
    """Return the statements that say something about the name, as `find_subjects` takes them."""
    about = [one for one in _without_removed(said) if _concerns(one, name) and not find_content_flaw(one)]
    found = _newest_figures(drop_followed(_distinct(about)))
    return tuple(sorted(_best(found), key=lambda one: (one.day, one.path, one.said.lines)))


def _best(found: Sequence[DatedStatement]) -> list[DatedStatement]:
    """The statements that say most; those of a digest that give no reason only where a page needs them."""
    telling = [one for one in found if not (_is_of_digest(one) and find_flaw(one.said.text))]
    rest = [one for one in found if one not in telling]
    by_weight = [sorted(some, key=lambda one: -log_weight(one.said.text)) for some in (telling, rest)]
    return [*by_weight[0][:MAX_SENTENCES], *by_weight[1][: max(MIN_SENTENCES - len(telling), 0)]]


def find_content_flaw(one: DatedStatement) -> str:
    """Return why a statement says too little for a page; empty when it does not."""
    text = one.said.text
    if is_trivia(text):
        return PASSING
    if one.said.heading == REPORT_HEADING:
        return ""
    if _UNNAMED.match(text):
        return PART
    if is_of_its_day(text) or is_handed_on(text) or is_unsolved(text) or states_question(text):
        return PASSING
    is_passing = _PROGRESS.search(text) or announces_event(text)
    if (
        _UNSETTLED.search(text)
        or (lasts_until(text) and not gives_reason(text))
        or (is_passing and not (gives_reason(text) or mentions_update(text)))
    ):
        return PASSING
    return find_log_flaw(text) or (find_passing_flaw(text) if _is_of_digest(one) else "")


def _is_of_digest(one: DatedStatement) -> bool:
    return one.said.heading in DIGEST_HEADINGS


def _is_coined(word: str) -> bool:
    """Whether a part of a name is no common word of English, nor a form of one: it names something of the project."""
    from recall_tui.search.spelling import is_english

    return not any(is_english(word[:end]) for end in range(len(word) - _MAX_ENDING_CHARS, len(word) + 1))


def _concerns(one: DatedStatement, name: str) -> bool:
    """Whether a statement is about the name; of a report's line the name may be a part of one."""
    is_report = one.said.heading == REPORT_HEADING
    lead = " ".join(one.said.text.split()[:_MAX_LEAD_WORDS])
    is_part = is_report and name == name.lower() and name in spoken_words(lead)
    return is_part or is_about(one.said.text, name, is_report=is_report)


def is_about(text: str, name: str, *, is_report: bool = False) -> bool:
    """Tell whether a sentence is about the name: it stands in its lead, where a sentence has its subject.

    A line of a report has a title or a file in front of its sentence.
    """
    most = _MAX_LEAD_WORDS if name != name.lower() else _MAX_NOUN_LEAD_WORDS
    most += _MAX_LEAD_WORDS if is_report else 0
    lead = " ".join(_AGREED.sub("", text.replace("`", "")).split()[:most])
    return bool(
        re.search(
            rf"(?<![\w./-]){re.escape(name)}(?:s(?! (?:a|an|the|it|them)\b)|['’]s|\(\))?(?![\w/-]|\.\w)",
            lead,
            re.IGNORECASE,
        )
    )


def is_subject(name: str, lower: frozenset[str] = frozenset()) -> bool:
    """Tell whether a name can be a subject; `lower` are words that the memory has in lower case."""
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or BARE_NUMBER.fullmatch(name) or any(word in _DATES for word in words):
        return False
    if all(word in TYPES_AND_TOOLS or word in _EMPTY_NOUNS or word in STOP_WORDS for word in words):
        return False
    if words[0] in STOP_WORDS or words[0] in IMPERATIVE_VERBS or words[-1] in STOP_WORDS or words[-1] in _EMPTY_NOUNS:
        return False
    if len(words) > 1 and words[0].endswith(("ing", "ed")) and name[:1].isupper():
        return False
    if len(words) == 1 and words[0] in GENERIC_WORDS:
        return False
    if len(words) == 1 and ((name[:1].isupper() and words[0].endswith(("ed", "ly"))) or len(words[0]) < 3):
        return False
    is_sentence_start = name[:1].isupper() and name[1:].islower() and words[0] in lower
    return not (is_sentence_start or re.match(r"Test[A-Z]|test_", name) or re.match(r"HTTP \d", name))


def _grouped(content: Sequence[DatedStatement], lower: frozenset[str]) -> Mapping[str, list[DatedStatement]]:
    """The statements by the subjects that stand in their lead; half of a longer name is that name."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for one in content:
        text = one.said.text.replace("`", "")
        parts = filter(_is_coined, topic_words(one.said.text)) if one.said.heading == REPORT_HEADING else ()
        for name in (*find_names(text), *_lead_nouns(text, lower), *parts):
            if is_subject(name, lower):
                names[normalize(name)].add(name)
    shown = {key: max(forms, key=lambda form: (form != form.lower(), form)) for key, forms in names.items()}
    longer = {key: _longer_name(key, shown) for key in shown}
    grouped: defaultdict[str, list[DatedStatement]] = defaultdict(list)
    for key, name in shown.items():
        whole = shown[longer[key]]
        grouped[whole] += [one for one in content if _concerns(one, name)]
    return grouped


def _lead_nouns(text: str, lower: frozenset[str]) -> Iterator[str]:
    found = _SUBJECT.match(text)
    if found:
        noun = found["noun"]
        if noun.istitle() and found[0].endswith(": ") and noun.lower() not in lower:
            return  # Somebody speaks.
        for one in dict.fromkeys((noun, noun.rpartition(" ")[2])):
            is_name = one.isupper() or (one[:1].isupper() and one.lower() not in lower)
            yield one if is_name else one.lower()


def _longer_name(key: str, shown: Mapping[str, str]) -> str:
    """The one proper name that the key is half of; itself when there is none, or several."""
    if " " in key or not _is_proper(shown[key]):
        return key
    whole = [other for other in shown if other != key and key in other.split() and _is_proper(shown[other])]
    return whole[0] if len(whole) == 1 else key


def _is_proper(name: str) -> bool:
    return all(part[:1].isupper() for part in name.split()) and not name.isupper()


def _is_first_name(name: str, lines: Iterable[DatedStatement]) -> bool:
    """Tell whether a single name is somebody's of the team: a log tells of what they do, and not of them."""
    if " " in name or name.isupper():
        return False
    person = re.escape(name[:1].upper() + name[1:])
    does = re.compile(rf"(?<![\w-]){person}(?:: |['’]s? (?:wish|idea|question|log|story)| (?:{_PERSON_VERB})\b)")
    return any(does.search(one.said.text) for one in lines)


def _is_head_of_several(name: str, lines: Iterable[DatedStatement]) -> bool:
    """Tell whether a noun is the second half of different things in all lines: `harbour office`, `tax office`."""
    if " " in name or name != name.lower():
        return False
    before = re.compile(rf"(?<![\w-])([\w-]+) {re.escape(name)}(?![\w-])", re.IGNORECASE)
    found = [before.search(one.said.text) for one in lines]
    firsts = {one[1].lower() for one in found if one} - STOP_WORDS
    return len(firsts) > 1 and all(one and one[1].lower() in firsts for one in found)


def _distinct(lines: Iterable[DatedStatement]) -> list[DatedStatement]:
    """The statements, each thing once: the latest of those that say the same."""
    latest = {normalize(one.said.text): one for one in sorted(lines, key=lambda one: one.day)}
    kept: list[DatedStatement] = []
    terms: list[frozenset[str]] = []
    for one in reversed(latest.values()):
        words = frozenset(topic_terms(one.said.text))
        if all(len(words & other) < 0.8 * max(1, min(len(words), len(other))) for other in terms):
            kept.append(one)
            terms.append(words)
    return kept[::-1]


def _without_removed(said: Iterable[DatedStatement]) -> list[DatedStatement]:
    """The statements, each once, without those that say how things are with something that is gone later."""
    lines = list(dict.fromkeys(said))
    gone = [(one.day, noun) for one in lines for noun in find_removed_things(one.said.text)]
    return [
        one
        for one in lines
        if mentions_update(one.said.text)
        or is_explicit(one.said.text)
        or one.said.heading == REPORT_HEADING
        or not any(one.day < day and noun in subject_words(one.said.text) for day, noun in gone)
    ]


def drop_followed(lines: Sequence[DatedStatement]) -> list[DatedStatement]:
    """The statements without those of which a later one tells what came of them."""
    said = sorted(lines, key=lambda one: (one.day, one.path, one.said.lines))
    gone = set(find_followed([one.said.text for one in said], newest_values=True))
    return [one for place, one in enumerate(said) if place not in gone or one.said.heading == REPORT_HEADING]


def _newest_figures(lines: Sequence[DatedStatement]) -> list[DatedStatement]:
    """The statements without measurements that a newer one follows: a page says what holds now."""
    figures = [one for one in lines if _is_measurement(one.said.text)]
    return [one for one in lines if one not in figures[:-1]]


def _is_measurement(text: str) -> bool:
    is_told = gives_reason(text) or mentions_update(text) or is_explicit(text)
    return len(_NUMBER.findall(text)) >= _MIN_FIGURES and not is_told


def _drop_same_subjects(found: Iterable[Subject]) -> Iterator[Subject]:
    """The subjects without those of which most sentences stand in one that says more."""
    taken: list[frozenset[DatedStatement]] = []
    for one in found:
        lines = frozenset(one.lines)
        if all(len(lines & other) <= _MAX_SHARED_LINES * len(lines) for other in taken):
            taken.append(lines)
            yield one
