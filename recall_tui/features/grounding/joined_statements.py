"""The statements of a log: whole items, a fix with its cause, an answer with its question, `It` with a noun.

The title of a log, which says the day and who writes, is none. The words stay as they are written. Sentences of one
item or paragraph are joined, and items that follow each other when one says what went wrong and the next its cause or
its fix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from recall_tui.storage.documents import day_logs
from recall_tui.storage.documents.statements import MIN_STATEMENT_CHARS, Statement, is_item_line, page_statements
from recall_tui.text.classify.incomplete_lines import is_remainder
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import find_log_flaw, gives_reason, is_day_event, mentions_update
from recall_tui.text.classify.passing_lines import is_of_its_day, is_presence, is_rehearsal, is_undecided
from recall_tui.text.classify.remedies import (
    answers_demand,
    goes_on_briefly,
    introduces,
    is_contrast,
    is_handed_on,
    is_result,
    lacks_actor,
    measures_effect,
    names_occasion,
    shares_subject,
    states_cause,
    states_demand,
    states_event,
    states_problem,
    states_remedy,
    subject_words,
)
from recall_tui.text.classify.routine import has_trivia, is_errand, is_routine, is_trivia
from recall_tui.text.classify.sentence_labels import names_label
from recall_tui.text.classify.tags import decision_score
from recall_tui.text.sentences import split_sentences

MAX_JOINED_CHARS = 320
"""Characters of sentences that are joined."""
_MIN_SUBJECT_TERMS = 2
"""Words of content of a sentence that can be the subject of the next."""
_DEPENDENT_START = re.compile(
    r"(?:->|→|=>) \S|\w+ (?:has|had|does|did|took|sends|lets) (?:it|them)\b"
    r"|(?:he|she|it|they|this|that|these|those|both|his|her|its|their|we (?:stay|keep|take|use|go) (?:with|by|on)?"
    r"|we (?:refused|declined|said (?:no|yes))|good enough"
    r"|now|jetzt|so|until then|since then|therefore|otherwise|deshalb|daher|sonst|for (?:us|our|this|that)|not?"
    r"|(?:the )?(?:fix|reason|cause|root cause|ursache|grund|lösung|solution|consequence|result|finding)s?:"
    r"|(?:the|our|my) (?:fix|reason|solution|workaround|remedy|cure|answer) (?:is|was)\b"
    r"|(?:fixed|added|changed|set|raised|lowered|removed|turned|moved|restored|converted|loads|released as|reverted"
    r"|switched|replaced|deleted|enabled|disabled)\b)(?![\w-])",
    re.IGNORECASE,
)
"""A pronoun, a label, or what was done without who or to what: such a sentence depends on the one before."""
_LOWER_START = re.compile(r"[a-zäöü]+\b(?![-_.(/]\w)")
MAX_INCIDENT_CHARS = 380
"""Characters of items that are joined to what went wrong, its cause and its fix."""
MAX_BETWEEN_WORDS = 9
"""Words of a sentence between a problem and its remedy."""
_CAUSE = re.compile(
    r"(?:[^.:;]{2,60}: )?(?:the )?(?:root |real )?(?P<label>cause|reason|why|ursache|grund)(?P<subject>[^.:]{0,60})?"
    r"(?:\s?[:=–—]| (?:is|was|war|ist)\b)",
    re.IGNORECASE,
)
_FIX = re.compile(
    r"(?:the )?(?:fix|lösung|solution)(?: (?:\d|is|was))?\s?[:–—]|fixed\s?[:–—]|fixed by\b|behoben\b|corrigé\b",
    re.IGNORECASE,
)
_STATES_FIX = re.compile(r"\b(?:fix(?:ed)?|lösung|solution)\s?[:–—]|\bfixed by\b", re.IGNORECASE)
_DEFINITE = re.compile(r"\b[Tt]he (?:new|old|other|same) (?P<noun>[a-z]{3,})\b")
_PRONOUN_START = re.compile(r"(?:it|they|its|their)(?:['’]s)? (?!was (?:decided|agreed)\b)(?=[a-z])", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:of|for|behind|why|der|des|von|für)\b", re.IGNORECASE)
_CAUSE_INSIDE = re.compile(r"[.!] (?:(?:root |real )?cause|reason|why|ursache|grund)\s?[:=–—]", re.IGNORECASE)
"""A label inside of joined items: what follows is what was done."""
_CONSEQUENCE = re.compile(r"never again\b", re.IGNORECASE)
"""The beginning of an item that says what is to follow from the one before."""
_MAX_STORY_SENTENCES = 4
_MAX_WHOLE_SENTENCES = 5
_LEAD_WORDS = 7
"""Words at the beginning of a sentence that hold its subject."""
_MAX_GAP_LINES = 1
"""Lines between the end of one item and the beginning of the next that tells of the same incident."""

MAX_TITLE_CHARS = 40
MAX_TITLE_WORDS = 6
_REMARK = re.compile(r"\b(?:I|I'm|I've|(?i:my|suspect\w*|guess|perhaps|maybe|thank you|thanks))\b")
"""A guess, or words of the writer about the writer, which are no part of what an item states."""
_GIVES_REASON = re.compile(r"\b(?:so|because|since|no longer)\b")
"""A reason makes a sentence about the writer one about the work."""
_VERDICT = re.compile(
    r"[\w ]*\?|(?:still )?open\.?|un\w+\.?|(?:(?:it|that|all|everything) )?"
    r"(?:works|worked|held|fixed|solved|done|gone|went \w+)\.?|\d[^.]*\.?",
    re.IGNORECASE,
)
_RULE_LABEL = re.compile(
    r"(?:rules?|lessons?(?: learn(?:ed|t))?|decision|note to (?:self|myself|ourselves)(?: and others)?)\s?[:–—]\s",
    re.IGNORECASE,
)
_MAX_BARE_RULE_TERMS = 3
_WHY = re.compile(r"(?:why|how come)\b", re.IGNORECASE)
_DEFINITE_LEAD = re.compile(r"[Tt]he [a-z]+ (?:is|are|was|were|has|have|[a-z]+s)\b")
_BARE_LEAD = re.compile(r"(?P<noun>[a-z]{4,}) (?:is|are|was|were|has|have|can|may|must|[a-z]+s)\b")
_MAX_REASONS = 3
_DATE_WORD = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"|(?<![a-z])(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|montag|dienstag"
    r"|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)[a-z]{0,6}\b\.?"
    r"(?=.*\d)|\b\d{1,2}\. ?\d{1,2}\.",
    re.IGNORECASE,
)


def log_statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a log in order, without entries of sessions; those that mean nothing apart are joined."""
    lines = text.split("\n")

    def is_item(one: Statement) -> bool:
        return is_item_line(lines[one.lines[0] - 1]) and not (has_trivia(one.text) or _REMARK.search(one.text))

    def is_written(one: Statement) -> bool:
        return not day_logs.entry_text("\n".join(lines[one.lines[0] - 1 : one.lines[1]]))

    return join_incidents(join_dependent(filter(is_written, _below_title(text)), is_item))


def _below_title(text: str) -> Iterator[Statement]:
    """Yield the statements without a title that is no heading: the day, and who writes."""
    for at, one in enumerate(_with_verdicts(page_statements(text, min_chars=1))):
        if at or not _is_title(one):
            yield one


def _with_verdicts(said: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements that are long enough, with a word behind them that says how it stands: `Open.`, `Which?`."""
    held: Statement | None = None
    for one in said:
        if len(one.text) >= MIN_STATEMENT_CHARS:
            if held is not None:
                yield held
            held = one
        elif held is not None and held.lines == one.lines and _VERDICT.fullmatch(one.text):
            held = held._replace(text=f"{held.text} {one.text}")
    if held is not None:
        yield held


def _is_title(one: Statement) -> bool:
    is_short = len(one.text) <= MAX_TITLE_CHARS and len(one.text.split()) <= MAX_TITLE_WORDS
    return is_short and not one.heading and not one.cited and bool(_DATE_WORD.match(one.text))


def join_dependent(
    said: Iterable[Statement], is_item: Callable[[Statement], bool] = lambda one: False
) -> Iterator[Statement]:
    """Yield the statements in order, each sentence that depends on the one before it in its item joined with it.

    A short item of a list, as `is_item` tells, is one statement: its writer put its sentences together.
    """
    rows = list(_join_stories(list(said)))
    held: Statement | None = None
    for place, one in enumerate(rows):
        if held is not None and (
            _depends_on(one, held)
            or _replies_to(one, held)
            or (is_item(one) and _is_of_item(one, held))
            or (place + 1 < len(rows) and _is_between(one, held, rows[place + 1]))
        ):
            held = held._replace(text=f"{held.text} {one.text}")
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def _join_stories(rows: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements, a short paragraph that tells what happened and what was done about it as one."""
    for _, some in groupby(rows, key=lambda one: one.lines):
        told = _with_reasons(list(some))
        if is_rehearsal(told[0].text) and not told[0].cited:
            lasting = [
                one
                for one in told[1:]
                if names_label(one.text) or _RULE_LABEL.search(one.text) or decision_score(one.text) > 1
            ]
            measured = told[:1] if _RULE_LABEL.search(told[0].text) else [one for one in told if one not in lasting]
            yield told[0]._replace(text=" ".join(one.text for one in measured))
            yield from lasting
            continue
        if (whole := _find_whole(told)) is not None:
            yield whole
            continue
        ends = [at for at, one in enumerate(told, 1) if _ends_story(one.text)]
        story = told[: max(ends, default=0)]
        if _is_story(story):
            yield story[0]._replace(text=" ".join(one.text for one in story))
            yield from told[len(story) :]
        else:
            yield from told


def _with_reasons(told: Sequence[Statement]) -> list[Statement]:
    """The sentences of a paragraph, a rule of few words together with the sentences before it that say of what."""
    found: list[Statement] = []
    for one in told:
        label = _RULE_LABEL.match(one.text)
        if label and not one.cited and len(set(topic_terms(one.text[label.end() :]))) <= _MAX_BARE_RULE_TERMS:
            while found and one.text.count(". ") < _MAX_REASONS:
                if len(found[-1].text) + len(one.text) >= MAX_JOINED_CHARS or found[-1].text.endswith("?"):
                    break
                one = one._replace(text=f"{found.pop().text} {one.text}")
        found.append(one)
    return found


def _find_whole(told: Sequence[Statement]) -> Statement | None:
    """The sentences of a short paragraph as one, without those at its ends that tell only of the day; else None."""
    rows = list(told)
    while rows and _is_edge_remark(rows[0].text):
        del rows[0]
    while rows and _is_edge_remark(rows[-1].text):
        del rows[-1]
    if not 1 < len(rows) <= _MAX_WHOLE_SENTENCES or any(one.cited for one in rows):
        return None
    whole = " ".join(one.text for one in rows)
    decides = any(decision_score(one.text) > 1 or _RULE_LABEL.match(one.text) for one in rows)
    stands_apart = "?" in whole or has_trivia(whole) or decides
    if stands_apart or len(whole) >= MAX_INCIDENT_CHARS or find_log_flaw(whole) or is_of_its_day(whole):
        return None
    return rows[0]._replace(text=whole)


def _is_edge_remark(text: str) -> bool:
    """Whether a sentence at the edge of a paragraph is about the day: who was there, what was done in it, a remark."""
    if is_trivia(text) or is_presence(text) or is_handed_on(text):
        return True
    if (
        _RULE_LABEL.search(text)
        or is_undecided(text)
        or is_rehearsal(text)
        or mentions_update(text)
        or lacks_actor(text)
        or is_result(text)
    ):
        return False
    return bool(_REMARK.search(text)) or is_of_its_day(text) or is_day_event(text)


def _ends_story(text: str) -> bool:
    return (states_remedy(text) or is_result(text)) and not is_routine(text)


def _is_story(told: Sequence[Statement]) -> bool:
    whole = " ".join(one.text for one in told)
    if not 1 < len(told) <= _MAX_STORY_SENTENCES or len(whole) >= MAX_JOINED_CHARS or any(one.cited for one in told):
        return False
    if "?" in whole or has_trivia(whole) or any(decision_score(one.text) > 1 for one in told):
        return False
    first, *rest = (one.text for one in told)
    is_event = states_event(first) and not states_remedy(first)
    return is_event and any(map(states_remedy, rest)) and not any(map(is_errand, rest))


def _is_between(one: Statement, held: Statement, later: Statement) -> bool:
    """Whether a short sentence stands between what is wrong and what was done about it."""
    is_short = len(one.text.split()) <= MAX_BETWEEN_WORDS and one.lines == held.lines == later.lines
    whole = len(held.text) + len(one.text) + len(later.text)
    is_plain = not (one.cited or later.cited or later.text.endswith("?") or has_trivia(held.text + later.text))
    return is_short and whole < MAX_INCIDENT_CHARS and is_plain and _answers(later.text, held.text)


def _replies_to(one: Statement, held: Statement) -> bool:
    """Whether a sentence of the same paragraph says what was done about what is wrong, or what a demand came to."""
    if one.lines != held.lines or one.cited or held.cited or len(held.text) + len(one.text) >= MAX_INCIDENT_CHARS:
        return False
    if held.text.endswith("?") or one.text.endswith("?") or has_trivia(one.text) or has_trivia(held.text):
        return False
    return _answers(one.text, held.text) or _continues(one.text, held.text)


def _answers(text: str, before: str) -> bool:
    return _is_remedy_of(text, before) or (states_demand(before) and answers_demand(text))


def _continues(text: str, before: str) -> bool:
    """Whether a sentence of a paragraph says why, or what was done about what is wrong, or goes on about the same."""
    if names_occasion(before) or introduces(before, text):
        return True
    if decision_score(text) > 1 or _REMARK.search(text):
        return False
    if is_result(text):
        return True
    if states_problem(before) and not states_remedy(before) and (states_cause(text) or states_remedy(text)):
        return True
    lead = subject_words(text if gives_reason(text) else " ".join(text.split()[:_LEAD_WORDS]))
    return bool(lead & subject_words(before)) and len(before) + len(text) < MAX_JOINED_CHARS


def _is_remedy_of(text: str, before: str) -> bool:
    is_open = states_problem(before) and not states_remedy(before)
    return is_open and states_remedy(text) and shares_subject(text, before)


def join_incidents(said: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements in order, items of one incident as one: what went wrong, its cause, its fix.

    A cause that names what it is the cause of needs no item before it.
    """
    held: Statement | None = None
    for one in said:
        if held is not None and _is_same_incident(one, held):
            end = "" if held.text.endswith((".", "!", "?", ":")) else "."
            held = held._replace(text=f"{held.text}{end} {one.text}", lines=(held.lines[0], one.lines[1]))
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def _is_same_incident(one: Statement, held: Statement) -> bool:
    is_next = held.lines[1] < one.lines[0] <= held.lines[1] + _MAX_GAP_LINES and one.heading == held.heading
    is_short = len(held.text) + len(one.text) < MAX_INCIDENT_CHARS
    if not (is_next and is_short) or one.cited or held.cited or held.text.endswith("?"):
        return False
    if cause := _CAUSE.match(one.text):
        is_bare = one.text.lower().find(cause["label"].lower()) < len("the root  ")
        tells_subject = bool(_SUBJECT.match((cause["subject"] or "").strip())) or not is_bare
        return not (tells_subject or _CAUSE.match(held.text) or _STATES_FIX.search(held.text))
    if has_trivia(held.text) or has_trivia(one.text) or is_handed_on(one.text):
        return False
    if _is_bare_rule(one.text) or _needs_subject(one.text, held.text):
        return True
    if _is_remedy_of(one.text, held.text) or _CONSEQUENCE.match(one.text):
        return True
    if _REMARK.search(one.text):
        return False
    if goes_on_briefly(one.text, held.text):
        return True
    if _CAUSE_INSIDE.search(held.text) and states_remedy(one.text):
        return True
    if states_problem(held.text) and not states_remedy(held.text) and lacks_actor(one.text):
        return True
    if (is_contrast(one.text) and not states_remedy(held.text)) or measures_effect(one.text, held.text):
        return True
    return (bool(_FIX.match(one.text)) and not _FIX.match(held.text)) or _goes_on_with(one.text, held.text)


def _is_bare_rule(text: str) -> bool:
    """Whether an item is a rule or a lesson of so few words that only the item before says of what."""
    label = _RULE_LABEL.match(text)
    is_rule = label is not None and not decision_score(text.partition(" ")[0])
    return is_rule and len(set(topic_terms(text.partition(": ")[2]))) <= _MAX_BARE_RULE_TERMS


def _needs_subject(text: str, before: str) -> bool:
    """Whether an item begins with a part of what the one before names, or says what was done about its question.

    `model runs on the box` behind `The new camera model: ...`; `the contract says` behind `Meeting with the bank. ...`;
    `put the piles beside it` behind `Why does ...?`.
    """
    if _WHY.match(before) and "? " in before and lacks_actor(text):
        return True
    if _DEFINITE_LEAD.match(text) and names_occasion(next(iter(split_sentences(before)), before)):
        return len(text) + len(before) < MAX_JOINED_CHARS
    lead = _BARE_LEAD.match(text)
    return lead is not None and re.match(rf"(?:The |A )?(?:new |old )?[a-z]+ {lead['noun']}\b", before) is not None


def _goes_on_with(text: str, before: str) -> bool:
    """Whether an item means what the one before names: `it`, or `the new key` after a key."""
    if len(set(topic_terms(before))) < _MIN_SUBJECT_TERMS or len(before) + len(text) >= MAX_JOINED_CHARS:
        return False
    if pointed := _DEFINITE.search(text):
        return re.search(rf"\b{re.escape(pointed['noun'])}s?\b", before, re.IGNORECASE) is not None
    return bool(_PRONOUN_START.match(text)) or is_remainder(text)


def _is_of_item(one: Statement, held: Statement) -> bool:
    """Whether two sentences are of one short item, and neither is a question, or a decision that stands by itself."""
    is_short = len(held.text) + len(one.text) < MAX_JOINED_CHARS
    is_same = one.lines == held.lines and is_short and not (one.cited or held.cited)
    return is_same and not (held.text.endswith("?") or one.text.endswith("?") or decision_score(one.text) > 1)


def _depends_on(one: Statement, held: Statement) -> bool:
    if one.lines != held.lines or one.cited or held.cited or len(held.text) + len(one.text) >= MAX_JOINED_CHARS:
        return False
    if held.text.endswith("?"):
        return not one.text.endswith("?")
    if len(set(topic_terms(held.text))) < _MIN_SUBJECT_TERMS or decision_score(one.text) > 1:
        return False  # A decision stands by itself.
    is_rest = is_remainder(one.text) and not (_REMARK.search(one.text) and not _GIVES_REASON.search(one.text))
    return is_rest or bool(_DEPENDENT_START.match(one.text) or _LOWER_START.match(one.text))
