"""Statements that say another one holds no longer: a change, a correction, a new name, with the claim that gave way.

A claim gives way only when it is about the same subject and has the old value. Anything less would mark a true line as
outdated, so nothing is found then.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recall_tui.features.wiki.subjects import DIGEST_HEADINGS
from recall_tui.storage.documents.changing_facts import CHANGE_PATTERN, VALUE_END, DatedStatement
from recall_tui.text.classify.generic_words import GENERIC_WORDS
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import find_flaw

_WORD = r"[\w`'’./%€$@-]+(?::\d+)?"
_VALUE = rf"{_WORD}(?: {_WORD}){{0,4}}?"
_LEAD = r"(?:(?:on|at|in|to|from|with|by|a|the) )?"
_NEWER = (
    CHANGE_PATTERN,
    re.compile(rf"(?P<old>{_VALUE}) ?(?:->|→|=>) ?(?P<new>{_VALUE})(?:,| and) not\b", re.IGNORECASE),
    re.compile(
        rf"(?P<what>)\bno longer (?:on |at |in |from |with |by |a |the )?(?P<old>{_VALUE}){VALUE_END}", re.IGNORECASE
    ),
    re.compile(
        rf"(?P<new>{_VALUE}) (?:now )?(?:instead of|rather than) {_LEAD}(?P<old>{_VALUE}){VALUE_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:to|is|at|now) (?P<new>{_VALUE})[,;(] ?(?:it )?(?:was|were|before:?|formerly"
        rf"|until now) (?P<old>{_VALUE}){VALUE_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:is|are|at|on|was|to|uses|runs on|listens on) (?P<new>{_VALUE}),? (?:and )?not"
        rf" {_LEAD}(?P<old>{_VALUE}){VALUE_END}",
        re.IGNORECASE,
    ),
    re.compile(rf"\bnot {_LEAD}(?P<old>{_VALUE}),? but {_LEAD}(?P<new>{_VALUE}){VALUE_END}", re.IGNORECASE),
)
_RENAMED = re.compile(
    r"\brenamed (?:the )?(?:[\w-]+ )??(?:from )?(?P<old>[\w`./-]+) (?:to|into|→|->) (?P<new>[\w`./-]+)"
    r"|(?P<old2>[\w`./-]+) is (?:now called|called|now named) (?P<new2>[\w`./-]+)(?: now)?",
    re.IGNORECASE,
)
_NAMED = r"\b(?:is |was )?(?:called|named|its name is|name is|name:)\s+`?{}`?(?![\w-])"
_NUMBER_WORD = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_MEASURE = (
    r"(?P<value>\d{1,2}[:.]\d{2}|\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]{2,8}|[A-Z][a-z]{2,8} \d{1,2}|(?:Mon|Tues"
    r"|Wednes|Thurs|Fri)day"
    rf"|(?:\d+(?:[.,]\d+)? ?(?:%|[a-zA-Z]{{1,12}})|{_NUMBER_WORD} [a-z]{{3,12}}))\b"
)
_MOVED = re.compile(
    r"(?:the |our )?(?P<subject>[\w-]+(?: [\w-]+){0,2}?) (?:(?:is|are|was) )?(?:moves?|moved|postponed|goes|raised"
    r"|lowered|now|shifts?|changes?|rotates?)"
    rf"(?: again| now| back)? (?:to|at|on|is|every) {_MEASURE}",
    re.IGNORECASE,
)
_STANDS = re.compile(
    rf"(?:the |our )?(?P<subject>[\w-]+(?: [\w-]+){{0,2}}?) (?:is|are|stays|runs|starts)(?: always| still)? (?:at "
    rf"|on )?{_MEASURE}",
    re.IGNORECASE,
)
_VERBS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|uses?|used|moves?|moved|goes|runs?|takes?|stays?|switched|changed|raised"
    r"|lowered|cut|increased|reduced|bumped"
    r"|upgraded|downgraded|renamed|replaced|postponed|listens?|lasts?|costs?|starts?|ends?|gets?|needs?|will"
    r"|becomes?|became|shows?|no longer|now|->|→|=>)(?!\w)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:(?:correction|fix(?: \d+)?|update|note|decided|decision|entscheidung|agreed|no|wrong)\b[\w ]{0,20}[:,]"
    r"|=>|->)\s*",
    re.IGNORECASE,
)
_NO_SUBJECT = frozenset(
    """
    one two three four five six seven eight nine ten eleven twelve all both each they them everything rest half default
    now today again finally also decided correction moved changed switched team we
    """.split()  # noqa: SIM905
)
_STATE = re.compile(
    r"\b(?:is|are|has|have|runs?|listens?|lasts?|costs?|takes?|holds?|keeps?|uses?|stays?|allows?|needs?|limit"
    r"|timeout|port|version|threshold|budget"
    r"|maximum|minimum|price|ist|sind|=)(?!\w)",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"\b(?:today|yesterday|since|so far|closed|of \d+ (?:findings|tests)|measured|counted|finished|arrived|ordered"
    r"|paid|met|left|saw|found)\b",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\b(?:wants?|wishes|should|would|could|asks? (?:for|to)|propos\w+|suggest\w*|consider\w*|plan(?:s"
    r"|ned)? to|might"
    r"|maybe|discuss\w*|if we)\b",
    re.IGNORECASE,
)
"""Words of what nobody decided yet."""
_BEFORE_AMOUNT = re.compile(r"^.*\b(?:within|every|after|at|to|on|by|in) (?=\d[^ ]*(?: \w+)?$)", re.IGNORECASE)
"""What stands in front of an amount that a value ends with."""
_ARTICLE = re.compile(r"(?:(?:we|also|the|our|a|an|all|and|from|today|now|finally|has|have|been) )+", re.IGNORECASE)
_SECOND_CLAUSE = re.compile(r"[,;:.] |\band\b")
_MAX_NAME_WORDS = 5
_MAX_SUBJECT_TERMS = 4


class Revision(NamedTuple):
    """A statement that took the place of an earlier one."""

    subject: tuple[str, ...]
    """The words that both have for what they are about."""
    name: str
    """What it is about, as the later statement has it."""
    old: str
    new: str
    before: DatedStatement
    after: DatedStatement

    @property
    def is_partial(self) -> bool:
        """The earlier statement says something else as well, which may hold still."""
        return bool(_SECOND_CLAUSE.search(self.before.said.text.rstrip(" .")))


def find_revisions(said: Sequence[DatedStatement]) -> Iterator[Revision]:
    """Yield what was changed, renamed or corrected, with the last claim that has the old value."""
    words = [frozenset(_stems(one.said.text)) for one in said]
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for place, terms in enumerate(words):
        for term in terms:
            by_word[term].append(place)
    for after in said:
        if _UNDECIDED.search(after.said.text) or after.said.text.endswith("?") or _is_doubtful_digest(after):
            continue
        for subject, old, new in _changes(after.said.text):
            wanted = [_stem(term) for term in subject]
            near = set.intersection(*(set(by_word[term]) for term in wanted)) if wanted else set()
            earlier = [said[place] for place in sorted(near) if said[place].day < after.day]
            claims = [one for one in earlier if _claims(one.said.text, old) and not _has(one.said.text, new)]
            if claims:
                yield Revision(subject, _subject_name(after.said.text, subject), old, new, claims[-1], after)
                break
        else:
            yield from _moved(after, said)
            yield from _rename(after, said)


def _is_doubtful_digest(one: DatedStatement) -> bool:
    """Tell whether a session's digest has it, and it gives no reason and no change: then it describes code."""
    return one.said.heading in DIGEST_HEADINGS and bool(find_flaw(one.said.text))


def is_state(text: str) -> bool:
    """Tell whether a statement says how something is, and not what happened on a day."""
    return bool(_STATE.search(text)) and not _EVENT.search(text)


def _changes(text: str) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """The subject, the old and the new value of each change that the text tells of."""
    body = _LABEL.sub("", text)
    for pattern in _NEWER:
        found = pattern.search(body)
        if found is None:
            continue
        parts = found.groupdict()
        old, new = (parts.get("old") or "").strip(" `.'"), (parts.get("new") or "").strip(" `.'")
        new = _BEFORE_AMOUNT.sub("", new)
        subject = _subject(body, found, parts.get("what") or "", f"{old} {new}")
        if old and subject and old.lower() != new.lower():
            yield subject, old, new


def _subject(body: str, found: re.Match[str], what: str, values: str) -> tuple[str, ...]:
    """The words for what changes: those before the verb, and between it and the old value."""
    lead = body[: found.start()] or body[: found.end()]
    lead = re.split(r"(?<=[.;:]) ", lead)[0] if not what.strip() else lead
    verb = _VERBS.search(lead)
    before = lead[: verb.start()] if verb else lead
    others = frozenset(topic_terms(values))
    terms = (term for term in topic_terms(f"{before} {what}") if term not in others and term not in _NO_SUBJECT)
    unique = tuple(dict.fromkeys(terms))[:_MAX_SUBJECT_TERMS]
    return unique if any(term not in GENERIC_WORDS or len(unique) > 1 for term in unique) else ()


def _moved(after: DatedStatement, said: Sequence[DatedStatement]) -> Iterator[Revision]:
    """A subject that moves to a time, a day or an amount takes the place of the last one of the same kind."""
    found = _MOVED.match(_LABEL.sub("", after.said.text))
    if found is None:
        return
    subject = tuple(topic_terms(found["subject"]))
    if not subject or all(term in GENERIC_WORDS for term in subject):
        return
    wanted = frozenset(map(_stem, subject))
    for before in reversed([one for one in said if one.day < after.day]):
        there = _STANDS.match(_LABEL.sub("", before.said.text)) or _MOVED.match(_LABEL.sub("", before.said.text))
        if there and frozenset(map(_stem, topic_terms(there["subject"]))) == wanted:
            old, new = there["value"], found["value"]
            if _kind(old) == _kind(new) and old.lower() != new.lower():
                yield Revision(subject, _subject_name(after.said.text, subject), old, new, before, after)
            return


def _kind(value: str) -> str:
    """What a value is: a time of day, a date, a day of the week, or an amount of something."""
    for kind, pattern in (
        ("clock", r"\d{1,2}[:.]\d{2}$"),
        ("weekday", r"[A-Z][a-z]+day$"),
        ("date", r".*[A-Z][a-z]{2,}"),
    ):
        if re.match(pattern, value):
            return kind
    return re.sub(rf"[\d.,]+|^{_NUMBER_WORD}\b", "#", value)


def _subject_name(text: str, subject: tuple[str, ...]) -> str:
    """The shortest stretch of the text that has all words of the subject; those alone when it is long."""
    words = _LABEL.sub("", text).split()
    places = [place for place, word in enumerate(words) if any(term in word.lower() for term in subject)]
    spans = [
        (last - first, first, last)
        for first in places
        for last in places
        if first <= last and all(any(term in word.lower() for word in words[first : last + 1]) for term in subject)
    ]
    if not spans or min(spans)[0] >= _MAX_NAME_WORDS:
        return " ".join(subject)
    _, first, last = min(spans)
    if last + 2 < len(words) and first == last and _VERBS.match(words[last + 2]) and words[last + 1].isalpha():
        last += 1  # The noun that the word belongs to.
    name = " ".join(words[first : last + 1])
    lead = _ARTICLE.match(name)
    return name[lead.end() if lead else 0 :].strip(" .,;:()`'\"")


def _rename(after: DatedStatement, said: Sequence[DatedStatement]) -> Iterator[Revision]:
    """A new name takes the place of a claim of the old name, and of nothing else that is said with it."""
    found = _RENAMED.search(after.said.text)
    if found is None:
        return
    old, new = (found["old"] or found["old2"]).strip("`"), (found["new"] or found["new2"]).strip("`")
    named = re.compile(_NAMED.format(re.escape(old)), re.IGNORECASE)
    claims = [one for one in said if one.day < after.day and named.search(one.said.text)]
    if claims and old.lower() != new.lower():
        yield Revision((old,), new, old, new, claims[-1], after)


def _claims(text: str, value: str) -> bool:
    """Tell whether a statement has the value, and does not speak of another time or ask."""
    return _has(text, value) and not text.endswith("?") and not re.search(r"\b(?:will|would|could|if|should)\b", text)


def _has(text: str, value: str) -> bool:
    return bool(value) and bool(re.search(rf"(?<![\w.]){re.escape(value)}(?![\w%]|\.\d)", text, re.IGNORECASE))


def _stems(text: str) -> Iterator[str]:
    return map(_stem, topic_terms(text))


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 4 and not word.endswith("ss") else word
