"""The lines of a session's digest that a report of its week holds: what was chosen and changed, and causes with fixes.

A cause stands with its fix, as one line. One that has no fix beside it is left out: by the end of a session it may not
be so any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from recall_tui.features.grounding.joined_lines import (
    DigestLine,
    ReportLine,
    find_cases,
    find_extended,
    find_set_value,
    without_demand,
)
from recall_tui.features.grounding.topics import spoken_words
from recall_tui.storage.documents.day_logs import SessionEntry
from recall_tui.text.classify.answered_questions import state_answer
from recall_tui.text.classify.cause_pairs import describes_previous, join_fix, kinship, may_fix
from recall_tui.text.classify.imperatives import is_imperative
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.line_names import is_inner_edit, is_wording, names_for_users, names_of
from recall_tui.text.classify.report_lines import (
    MAX_LINE_CHARS,
    ReportKind,
    clean_line,
    is_about_work,
    is_bare_cause,
    is_plain,
    is_talk,
    is_vague,
    mentions_change,
    report_kind,
)
from recall_tui.text.classify.report_titles import (
    bare_title,
    completes_title,
    explains_title,
    mentions_end,
    names_task,
    names_work,
)
from recall_tui.text.secrets.redact import redact
from recall_tui.text.sentences import split_sentences

MAX_SESSION_LINES = 4
"""Lines of one session."""
_WORTH: dict[ReportKind, float] = {"cause": 4.0, "choice": 3.5, "change": 3.0, "reason": 2.0}
_MIN_COMMON_TERMS = 3
"""Words of content that lines have in common when they are about one thing."""
_MIN_TITLE_TERMS = 2
_RULE = re.compile(r"\b(?:always|never|root cause|lesson|rule|convention|from now on)\b", re.IGNORECASE)
_INNER_START = re.compile(r"`[^`]+\(\)`\s*[-—:]")
_QUOTED_NAME = re.compile(r"`[^`]+`|\"[^\"]+\"|(?<!\w)--[a-z]|\b[a-z]+_\w+|\b[a-z]+[A-Z]\w*")
"""A name of code or a command; a title alone that has none says what was planned, and not what came of it."""
_REFACTORING = re.compile(
    r"(?:inline|extract|refactor|de-?dup\w*|consolidate|simplify|clean|tidy|split|unify)\b", re.IGNORECASE
)
"""A title of work inside of the code, after which the program does what it did."""
_ROUTINE = re.compile(
    r"(?i:rename[sd]?) (?:[a-z]+ )?`?[a-z_]*[A-Za-z]\w*[A-Z]\w*\b"
    r"|(?:[^—]* — )?(?i:add(?:s|ed)?|updat(?:es?|ed)|wrote) (?:an? |the |some )?"
    r"(?i:readmes?|doc(?:string|umentation)?s?|comments?|changelog)\b"
)
"""A new name inside of the code, or words about it: neither changes what the program does."""
_VALUE = re.compile(r"`[^`]{2,40}`|\"[^\"]{2,40}\"")
_COUNTED = re.compile(
    r"\b(?:two|three|four|five|six|several|some|both|multiple|\d+) (?:[\w-]+ ){0,2}"
    r"(?:issues|bugs|problems|things|places|changes|fixes|errors|items|points)\b",
    re.IGNORECASE,
)
"""Several things that a title announces, of which a line beside it tells one."""
_FIX_TITLE = re.compile(
    r"(?:[A-Z]{2,}-\d+: )?(?:fix(?:ed|es)?|prevent(?:ed|s)?|stop(?:ped)?|avoid(?:ed)?)\b", re.IGNORECASE
)
_COMMENT = re.compile(
    r"\b(?:seems?|probably|perhaps|maybe|i think|i guess|fine|acceptable|reasonable|makes sense|trade-?off|consider"
    r"|low[- ]priority|unlikely)\b",
    re.IGNORECASE,
)
"""Words with which somebody judges what was said before."""
_REQUEST_START = re.compile(
    r"(?:let's|can|could|please|i(?:'d)?|we|yeah|ok(?:ay)?|so|maybe|how about)\b", re.IGNORECASE
)
_FIXED_BUG = re.compile(r"fixed (?:a|the) (?:\w+ )?(?:bug|issue|problem) (?:where|in which|that|when)\b", re.IGNORECASE)
"""A fix that says what was wrong, and not how it was fixed."""
_PAST = re.compile(r"\b(?:was|were|had|did|didn't|wasn't|weren't|caused|failed|got)\b", re.IGNORECASE)
_NEEDS_CAUSE = re.compile(r"the (?:fix|solution|workaround)\b", re.IGNORECASE)
"""The beginning of a line that means nothing without what was wrong."""
_ALWAYS = re.compile(r"\bnow always\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:prompt|confirm|ask)(?:s|ed|ation)?\b|\b(?:unless|except)\b|`(?:prompt|confirm|ask)\w*", re.IGNORECASE
)
_MAX_SHARED = 0.6
"""Share of the shorter one's words from which a line repeats another of its session."""
_MIN_SAME_NAMES = 2
_MIN_TELLING_TERMS, _SHORT_COST = 5, 0.6
_TASK_WORTH, _EXPLAINED_TASK_WORTH = 2.9, 3.9
"""Of a title that says what was done, alone and with a line that says how."""


_BEFORE = re.compile(r"(?:previously|before|formerly)\b[:,]? (?=\S)", re.IGNORECASE)
_AFTER = re.compile(r"(?:now|after|afterwards)[:,] (?=\S)", re.IGNORECASE)
"""What a part of the project did, and what it does since: apart, neither says what changed."""
_DEFINITE = re.compile(
    r"(?:put|moved|kept|left|placed|made) (?:the|these|those|both) (?P<noun>[a-z]{4,}s)\b", re.IGNORECASE
)
"""The beginning of a line about things that only the line before names."""
_AIM = re.compile(r" for (?:consistency|clarity)(?=\.?$)", re.IGNORECASE)
"""Why something was chosen, in a word."""
_SETTING = re.compile(r"`[\w.-]+\s?[:=]\s?[\w\"'.-]+`")
_CHOSEN_TITLE = re.compile(r"\b(?:instead of|rather than|and not|,? not)\b", re.IGNORECASE)
"""A title that says what is done, and what is not."""


def entry_report(entry: SessionEntry) -> list[ReportLine]:
    """The lines of a report that a session's entry in a day log gives, in its order."""
    said = [DigestLine("Outcome", one, entry.line) for one in outcome_lines(entry.outcome or entry.title)]
    for point in entry.points:
        texts = outcome_lines(point.text) if point.label == "Outcome" else [point.text]
        said += [DigestLine(point.label, text, point.line) for text in texts]
    return session_report(DigestLine("Outcome", entry.title, entry.line), said)


def session_report(title: DigestLine, said: Sequence[DigestLine]) -> list[ReportLine]:
    """The lines of a report that a session gives, the worthiest few in their order."""
    clean = [one._replace(text=words) for one in said if (words := _report_words(one.text)) and redact(words) == words]
    kinds = ["cause" if is_bare_cause(one.text) else report_kind(one.text) for one in clean]
    paired = dict(_pairs(clean, kinds))
    fixes = set(paired.values())
    found: list[tuple[int, ReportLine]] = []
    for at, (one, kind) in enumerate(zip(clean, kinds, strict=True)):
        if kind is None or at in fixes or _ROUTINE.match(one.text) or is_wording(one.text):
            continue
        if _is_restricted(one.text, clean) or is_inner_edit(one.text):
            continue
        text = one.text
        lines: tuple[int, ...] = (one.line,)
        definite = _DEFINITE.match(text)
        named = _find_named(definite["noun"], clean) if definite else None
        if named is not None and len(named.text) + len(text) < MAX_LINE_CHARS:
            text, lines = f"{named.text.rstrip('.')}. {text}", (named.line, one.line)
        elif kind == "change" and (
            before := next(
                (each for each in said if each.label != "Outcome" and describes_previous(each.text, text)), None
            )
        ):
            text, lines = f"{without_demand(before.text, text)}. {text}", (before.line, one.line)
            for more, line in find_extended(text, clean):
                text, lines = f"{text.rstrip('.')}. {more}", (*lines, line)
        elif kind == "reason" and (value := find_set_value(text, clean)) is not None:
            text, lines = f"{text.rstrip('.')}. {value.text}", (one.line, value.line)
        if at in paired:
            fix = clean[paired[at]]
            text, lines = join_fix(one.text, fix.text), (one.line, fix.line)
        elif (kind == "cause" and (_is_task_of(title.text, one.text) or _is_fix_of(title.text, one))) or (
            kind == "change" and _lacks_subject(one, title)
        ):
            text, lines = f"{bare_title(title.text)}: {one.text}", (title.line, one.line)
        elif kind == "cause" or is_bare_cause(one.text):
            continue  # Without its fix a reader cannot tell whether it is still so.
        elif _NEEDS_CAUSE.match(one.text):
            continue
        text = state_answer(text)
        worth = _WORTH[kind] + 0.4 * min(2, len(_terms(title.text) & _terms(text))) + 1.0 * (at in paired)
        worth -= _SHORT_COST * (bool(_INNER_START.match(text)) and len(_terms(text)) < _MIN_TELLING_TERMS)
        is_learned = kind == "cause" and len(lines) > 1 and (at in paired or _is_task_of(title.text, one.text))
        found.append((at, ReportLine(text, kind, lines, worth, is_learned or _is_learned(one, kind))))
    if redact(title.text) == title.text and (change := _find_turn(title, said)) is not None:
        found.append((-1, change))
    elif redact(title.text) == title.text and (task := _find_task(title, clean, said)) is not None:
        is_named = any(names_of(task.text) & names_of(one.text) for _, one in found if not _INNER_START.match(one.text))
        is_named = is_named or any(title.line in one.lines for _, one in found)
        if not (is_named and task.worth == _TASK_WORTH):  # Another line says of it what was done.
            found.append((-1, task))
    if (cases := find_cases((title, *said))) is not None:
        found.append((-1, cases))
    return _select(found)


def _find_named(noun: str, said: Sequence[DigestLine]) -> DigestLine | None:
    """The outcome that says which things a later line is about; None when there is none."""
    named = re.compile(
        rf"(?<!the )(?<!these )\b(?!the |these |those |both )[\w`\"-]+ {re.escape(noun)}\b", re.IGNORECASE
    )
    return next((one for one in said if one.label == "Outcome" and named.search(one.text)), None)


def _find_turn(title: DigestLine, said: Sequence[DigestLine]) -> ReportLine | None:
    """What the part that the title names did before and does now, where lines say both; None when they do not."""
    lines = [one._replace(text=clean_line(one.text)) for one in said]
    before = next((one for one in lines if _BEFORE.match(one.text)), None)
    after = next((one for one in lines if _AFTER.match(one.text)), None)
    if before is None or after is None or not (names_of(title.text) or names_for_users(title.text)):
        return None
    text = f"{bare_title(title.text)}: {before.text.rstrip('.')}. {after.text}"
    is_whole = len(text) < MAX_LINE_CHARS and redact(text) == text and not (is_talk(text) or is_about_work(text))
    return (
        ReportLine(text, "change", (title.line, before.line, after.line), _EXPLAINED_TASK_WORTH) if is_whole else None
    )


def _report_words(text: str) -> str:
    """The clean line; without the sentences at its end that only comment on the ones before, where these can stand."""
    words = clean_line(text)
    if report_kind(words) or len(sentences := split_sentences(words)) < 2:
        return words
    told = " ".join(sentences[:-1])
    is_comment = not is_plain(sentences[-1]) and _COMMENT.search(sentences[-1])
    return told if is_comment and report_kind(told) not in (None, "cause") else words


def _find_task(title: DigestLine, said: Sequence[DigestLine], raw: Sequence[DigestLine]) -> ReportLine | None:
    """A title that names what was done, with the line that says most of it; None when nobody said that it was done."""
    outcomes = [one.text for one in said if one.label == "Outcome"]
    if not any(map(mentions_end, outcomes)):
        return None
    name = title.text[:1].upper() + bare_title(title.text)[1:]
    if _ROUTINE.match(name) or is_wording(name):
        return None
    ranked = [
        (len(_terms(name) & _terms(one.text)), -at)
        for at, one in enumerate(said)
        if completes_title(one.text)
        and len(_terms(one.text) - _terms(name)) >= _MIN_COMMON_TERMS
        and len(name) + len(one.text) < MAX_LINE_CHARS
    ]
    shared, at = max(ranked, default=(0, 0))
    detail = said[-at]
    is_detailed = shared >= _MIN_TITLE_TERMS or (shared > 0 and not is_plain(detail.text))
    if is_detailed and (names_work(title.text) or names_task(title.text)):
        return ReportLine(f"{name}: {detail.text}", "change", (title.line, detail.line), _EXPLAINED_TASK_WORTH)
    effect = next((one for one in raw if explains_title(one.text, name) and redact(one.text) == one.text), None)
    if effect is not None and names_task(name):
        return ReportLine(f"{name}: {effect.text}", "change", (title.line, effect.line), _EXPLAINED_TASK_WORTH)
    if _CHOSEN_TITLE.search(name) and names_task(name):
        clear = (one for one in said if one.label == "Outcome" and not is_vague(_AIM.sub("", one.text)))
        carried = [one for one in clear if _carries_out(one.text, name)]
        done = max(carried, key=lambda one: bool(_SETTING.search(one.text)), default=None)
        if done and len(name) + len(done.text) < MAX_LINE_CHARS:
            return ReportLine(f"{name}: {done.text}", "choice", (title.line, done.line), _EXPLAINED_TASK_WORTH)
    is_same = any(len(_terms(title.text) & _terms(one)) >= _MIN_TITLE_TERMS for one in outcomes)
    if _FIX_TITLE.match(name) or _REFACTORING.match(name) or not _QUOTED_NAME.search(name):
        return None  # It says neither what was wrong nor which part it was of, or nothing that anybody meets.
    if any(one.label != "Outcome" and _is_requested_title(one.text, name) for one in said):
        return None
    if names_task(title.text) and (names_work(title.text) or is_same):
        if is_imperative(name) and not mentions_change(name) and (done := _find_done(name, said)) is not None:
            if _INNER_START.match(done.text) and len(_terms(done.text) - _terms(name)) <= _MIN_TITLE_TERMS:
                return None  # A function's change, and an order that nobody says was done.
            return ReportLine(f"{name}: {done.text}", "change", (title.line, done.line), _TASK_WORTH)
        return ReportLine(name, "change", (title.line,), _TASK_WORTH)
    return None


def _find_done(title: str, said: Sequence[DigestLine]) -> DigestLine | None:
    """The line that says that what a title orders was done: a change that has one of its quoted names."""
    names = {name.strip('`"') for name in _VALUE.findall(title)}
    return next(
        (
            one
            for one in said
            if mentions_change(one.text)
            and len(title) + len(one.text) < MAX_LINE_CHARS
            and is_plain(one.text)
            and any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", one.text) for name in names)
        ),
        None,
    )


def _carries_out(outcome: str, title: str) -> bool:
    """Whether an outcome says that the choice of a title was made: it changed something that the title names."""
    quoted = (value.strip("`\"'").lower() for value in _VALUE.findall(outcome))
    values = {part for value in quoted for part in (value, value.rpartition(": ")[2])}
    return (mentions_change(outcome) or _SETTING.search(outcome) is not None) and any(
        re.search(rf"(?<!\w){re.escape(one)}(?!\w)", title.lower()) for one in values if one
    )


def _is_requested_title(text: str, title: str) -> bool:
    """Whether a title is what somebody asked for, in their words: what came of it is told by others."""
    words = _terms(title)
    return bool(_REQUEST_START.match(text)) and len(words & _terms(text)) >= _MAX_SHARED * len(words)


def outcome_lines(outcome: str) -> Iterator[str]:
    """Yield the sentences of an outcome, one that begins with `This` or `It` together with the one before."""
    held = ""
    for sentence in split_sentences(outcome):
        if held and sentence.startswith(("This ", "It ", "These ", "That ")):
            held = f"{held} {sentence}"
            continue
        if held:
            yield held
        held = sentence
    if held:
        yield held


def _pairs(said: Sequence[DigestLine], kinds: Sequence[ReportKind | None]) -> Iterator[tuple[int, int]]:
    """Yield each cause with the line that tells best how it was fixed."""
    taken: set[int] = set()
    for at, one in enumerate(said):
        if kinds[at] != "cause" and not _FIXED_BUG.match(one.text):
            continue
        likely = [
            (kinship(one.text, other.text), -place)
            for place, other in enumerate(said)
            if place != at and place not in taken and kinds[place] != "cause" and may_fix(other.text)
        ]
        shared, place = max(likely, default=(0.0, 0))
        if shared > 0:
            taken.add(-place)
            yield at, -place


def _is_restricted(text: str, said: Sequence[DigestLine]) -> bool:
    """Whether a line says `always` of what another line of the session makes depend on a question or a condition."""
    if not _ALWAYS.search(text):
        return False
    words = spoken_words(text)
    return any(
        _CONDITION.search(one.text) and len(words & spoken_words(one.text)) >= _MIN_COMMON_TERMS
        for one in said
        if one.text != text
    )


def _lacks_subject(one: DigestLine, title: DigestLine) -> bool:
    """Whether a change names no part of the project, and the title of its session does."""
    has_name = any("-" not in name for name in names_of(one.text)) or bool(names_for_users(one.text))
    is_short = len(title.text) + len(one.text) < MAX_LINE_CHARS
    is_other = len(_terms(one.text) & _terms(title.text)) < _MAX_SHARED * len(_terms(title.text))
    is_named = bool(names_of(title.text) or names_for_users(title.text))
    says_what = (names_task(title.text) or mentions_change(title.text)) and is_plain(title.text)
    return not has_name and is_short and is_other and one.line != title.line and is_named and says_what


def _is_task_of(title: str, cause: str) -> bool:
    """Whether a title names the task that a cause was the reason for."""
    return (
        names_task(title)
        and bool(names_of(title) & names_of(cause))
        and len(_terms(title) & _terms(cause)) >= _MIN_TITLE_TERMS
        and len(title) + len(cause) < MAX_LINE_CHARS
    )


def _is_fix_of(title: str, cause: DigestLine) -> bool:
    """Whether a title says what was fixed, and a session's outcome tells in the past what was wrong."""
    return (
        bool(_FIX_TITLE.match(title))
        and not _COUNTED.search(title)
        and names_task(title)
        and cause.label == "Outcome"
        and bool(_PAST.search(cause.text))
        and len(title) + len(cause.text) < MAX_LINE_CHARS
    )


def _is_learned(one: DigestLine, kind: ReportKind) -> bool:
    """Whether a line says a reason that was found, or a decision that is a rule from then on."""
    return (one.label == "Lesson" and kind == "reason") or (kind == "choice" and bool(_RULE.search(one.text)))


def _select(found: Iterable[tuple[int, ReportLine]]) -> list[ReportLine]:
    chosen: list[tuple[int, ReportLine]] = []
    for at, one in sorted(found, key=lambda each: (-each[1].worth, -len(each[1].text))):
        if not any(_is_same_thing(one, other) for _, other in chosen):
            chosen.append((at, one))
    return [one for _, one in sorted(chosen[:MAX_SESSION_LINES])]


def _is_same_thing(one: ReportLine, other: ReportLine) -> bool:
    """Whether two lines of a session have most of their words in common, or tell of one bug."""
    words, others = _terms(one.text), _terms(other.text)
    is_same_bug = one.kind == other.kind == "cause" and bool(names_of(one.text) & names_of(other.text))
    return (
        is_same_bug
        or _have_same_surface(one.text, other.text)
        or len(words & others) >= _MAX_SHARED * min(len(words), len(others))
    )


def _have_same_surface(text: str, other: str) -> bool:
    """Whether two lines name the same commands and options, or the shorter one has nothing else to tell."""
    names, others = names_for_users(text), names_for_users(other)
    shared = {name for name in names if any(one.startswith(name) or name.startswith(one) for one in others)}
    shorter = min(_terms(text), _terms(other), key=len)
    return len(shared) >= _MIN_SAME_NAMES or (bool(shared) and len(shorter) <= _MIN_SAME_NAMES + 2)


def _terms(text: str) -> frozenset[str]:
    return frozenset(topic_terms(text))
