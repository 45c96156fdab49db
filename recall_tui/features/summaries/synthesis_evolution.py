"""What gave way to what: chains of decisions, drawn only from statements that one was made, with both ends named.

A complaint, a report of a bug or a discussion is no decision. What settles another is always later than it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from recall_tui.features.grounding.verify import is_supported
from recall_tui.features.summaries.extract_points import SWITCHED
from recall_tui.features.summaries.synthesis_points import (
    UNPLACED,
    MasterPoint,
    drop_answered,
    merge_sources,
    subject_terms,
)
from recall_tui.storage.documents.master_file import DECISIONS, EVOLUTION, LEARNINGS, clean_text

_CLAUSE_END = r"(?=\s+(?:because|since|as|so|after|due|when|which|that|in order)\b|\s*[,;:()—]|\.(?:\s|$)|\s+-\s|$)"
_SUBJECT = r"(?:[\w`'’./-]+ ){0,4}?"
_DECIDED = r"(?:(?:we|i|the team|it was|was|have|has|had|been|to|decided|agreed|chose|let's|now|and|will|on) )*"
_PREFERENCE = (
    r"\b(?:cho(?:se|osing)|pick(?:ed|ing)|opted for|went with|settled on|selected) "
    r"(?P<new>[\w`.+/-]+(?: [\w`.+/-]+){0,2}?)(?: for .+?| in .+?)? over (?P<old>.+?)"
)
"""A choice between two, which changes something only where the other had been decided on."""
_PREFERS = re.compile(_PREFERENCE, re.IGNORECASE)
_CHANGE_PATTERNS = tuple(
    re.compile(words + _CLAUSE_END, re.IGNORECASE)
    for words in (
        r"(?<![\w`])(?P<old>[\w`.+/-]+(?: [\w`.+/-]+){0,2}) ?(?:->|→|=>) ?(?P<new>[\w`.+/-]+(?: [\w`.+/-]+){0,2})"
        r"(?=,? not\b)",
        r"\b(?:switch|mov|migrat|chang|convert|went)\w* (?:[\w`-]+ ){0,3}?from (?P<old>.+?) (?:over "
        r"|back )?to (?P<new>.+?)",
        r"\brenam\w+ " + _SUBJECT + r"from (?P<old>.+?) to (?P<new>.+?)",
        r"\brenam\w+ (?P<old>.+?) (?:to|into|→|->) (?P<new>.+?)",
        r"\breplac\w+ (?P<old>.+?) (?:with|by) (?P<new>.+?)",
        r"\b(?:drop|abandon|ditch|remov)\w* (?P<old>.+?) (?:in favou?r of|for) (?P<new>.+?)",
        rf"^{_DECIDED}(?:use[sd]?|using|keep|adopt(?:ed)?|take|cho(?:o|)se|go(?:ing)? with|prefer|stay with|run"
        rf"|ship|write|settled on|picked|went with|opted for)\b "
        r"(?P<new>[\w`.+/-]+(?: [\w`.+/-]+){0,3}?)(?: for .+?| in .+?)? (?:instead of|rather than) (?P<old>.+?)",
        r"(?<![\w'’])(?P<new>[\w`.+/-]+)(?: (?:for|in) (?:the |our |a )?[\w`.+/-]+(?: [\w`.+/-]+)?)?"
        r" (?:instead of|rather than) (?P<old>[\w`.+/-]+)(?: (?:for|in) (?:the |our |a )?[\w`.+/-]+(?: [\w`.+/-]+)?)?",
        _PREFERENCE,
    )
)
_RETURN_PATTERNS = tuple(
    re.compile(words + _CLAUSE_END, re.IGNORECASE)
    for words in (
        r"\brevert\w* (?:from (?P<old>.+?) )?(?:back )?to (?P<new>.+?)",
        rf"(?:^{_DECIDED}|\b(?:go|going|went|gone|mov\w+|switch\w*|chang\w+|are"
        rf"|is) )back (?:from (?P<old>.+?) )?to (?P<new>.+?)",
        rf"^{_DECIDED}return(?:ed|ing)? to (?P<new>.+?)",
    )
)
"""A change to what held before, which is another end of the chain."""
_OPEN_PATTERNS = tuple(
    re.compile(words + _CLAUSE_END, re.IGNORECASE)
    for words in (r"\bswitch\w* (?:over )?to (?P<new>.+?)", r"\bsettled on (?P<new>.+?)")
)
"""A change whose first end another decision names."""
_COMPLAINT = re.compile(
    r"\b(?:lint\w*|complain\w*|warn(?:s|ed|ing|ings)\b|bugs?|error|fail(?:s|ed|ing|ure)?|wrong\w*|incorrect\w*"
    r"|broken|crash\w*|should(?:n't)?|discuss\w*|consider\w*"
    r"|propos\w*|suggest\w*|could|might|maybe|option|expected|returns?|shows?|prints?|undecided|unclear)\b|\?",
    re.IGNORECASE,
)
"""Words of a report or of a thought, in which nothing was decided."""
_EXPLICIT = re.compile(
    r"\b(?:decided|decision|agreed|chose|settled|switch\w*|migrat\w*|replaced|moved|renamed|reverted|back to"
    r"|dropped)\b",
    re.IGNORECASE,
)
_ATTEMPT_WORDS = re.compile(
    r"\b(?:tried|trying|attempted) (?!to\b)(?P<new>.+?)(?:(?=\s+(?:for|in|on|but|and)\b)|" + _CLAUSE_END + ")",
    re.IGNORECASE,
)
_FAILURE_LABEL = re.compile(r"failed[ \w]*:", re.IGNORECASE)
_LEADING_WORDS = re.compile(
    r"^(?:(?:we|i|to|the|a|an|use[sd]?|using|chose|choose|decided|now|go|going|went|with|on|will|should|let's|just"
    r"|keep|store|stores|adopt|adopted|back|that|this|hardcoded) )+",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"(?:and|or|but|from|to|in|on|of|for|with|by|at|only|not|requiring|being|having|it|them|that|this|those|doing|using"
    r"|when|if|\w+ing (?:it|them|the)|(?:the )?(?:old|new|same|other|whole|first|second|current|correct))\b|\d+$"
    r"|.*['’]s$",
    re.IGNORECASE,
)
_CHAIN_END = re.compile(r"→ (?:settled on|tried) ")
_REVOKED = re.compile(
    r"^(?:decision: )?(?:(?:we|the team) )?(?:(?:have |had )?(?:decided|agreed) )?"
    r"(?:(?:no|not?|never|don't|do not|stop(?:ped)?)\b.*"
    r"\b(?:any ?more|any longer|from now on|again)\b|no longer\b|stop(?:ped)? \w+ing\b)",
    re.IGNORECASE,
)
"""A decision that something which was done is not done any more."""
_MIN_REVOKED_WORDS = 2
_FORM_CHARS = 5
"""Characters in which forms of a word begin alike."""
_OWN_LABEL = re.compile(r"^(?:decision|agreed)\s?: ?(?=\S)", re.IGNORECASE)
_MAX_NAME_CHARS = 48
_MAX_NAME_WORDS = 5


def resolve_points(points: Sequence[MasterPoint]) -> list[MasterPoint]:
    """The points without those that a later one has settled; decisions that gave way stand in a chain of evolution."""
    found = drop_answered(_drop_revoked(_link_decisions(sorted(points, key=lambda one: one.when))))
    # The label told a decision from an edit until here; in the master the heading says it.
    return [
        replace(one, text=_OWN_LABEL.sub("", one.text)) if one.is_extract and one.section == DECISIONS else one
        for one in found
    ]


def find_change(text: str) -> tuple[str, str] | None:
    """What gave way to what, by the words of a decision; the first is empty when the line does not name it."""
    for pattern in (*_CHANGE_PATTERNS, *_RETURN_PATTERNS, *_OPEN_PATTERNS):
        if found := pattern.search(text):
            parts = found.groupdict()
            old, new = clean_name((parts.get("old") or "").partition(" for ")[0]), clean_name(parts.get("new") or "")
            if new and all(map(_is_name, filter(None, (old, new)))) and old.lower() != new.lower():
                return old, new
    return None


def find_decided_change(text: str) -> tuple[str, str] | None:
    """What gave way to what, by the words of a line that names both and says that it was decided."""
    change = find_change(text) if _EXPLICIT.search(text) and is_decision(text) else None
    return change if change and change[0] and is_supported(f"It was decided: {change[1]}", text) else None


def is_decision(text: str) -> bool:
    """Whether the line says that something was decided or changed, and is no report or thought."""
    body = text.partition(": ")[2] if re.match(r"[\w ]{1,24}: ", text) else text
    clause = re.split(r"\b(?:because|since|so that|as|after)\b|[,;(]", body, maxsplit=1)[0]
    return not _COMPLAINT.search(clause)


def clean_name(words: str) -> str:
    """A thing's name out of the words for it."""
    words = _LEADING_WORDS.sub("", words.strip(" .`*\"'")).strip(" .`*\"'")
    return (
        words
        if len(words) <= _MAX_NAME_CHARS
        else words[:_MAX_NAME_CHARS].rpartition(" ")[0] or words[:_MAX_NAME_CHARS]
    )


def _is_name(name: str) -> bool:
    """Whether it can be the name of something, and neither begins nor ends in the middle of a sentence."""
    return (
        name.count("`") % 2 == 0
        and name.count('"') % 2 == 0
        and len(name.split()) <= _MAX_NAME_WORDS
        and not _NO_NAME.match(name)
        and any(map(str.isalpha, name))
    )


def _link_decisions(points: list[MasterPoint]) -> list[MasterPoint]:
    """The points in order of time; each fresh decision that changes an earlier one lengthens a chain, or begins one."""
    now = list(points)
    for later in [one for one in points if one.section in (DECISIONS, EVOLUTION) and one.place == UNPLACED]:
        if later not in now or _is_chain(later) or not is_decision(later.text):
            continue
        change = find_change(later.text)
        if change is None or not is_supported(f"It was decided: {change[1]}", later.text):
            continue
        now = _with_change(now, later, *change)
    return now


def _drop_revoked(points: list[MasterPoint]) -> list[MasterPoint]:
    """The points without decisions that a later one takes back, such as `no deployments on Fridays any more`."""
    revoking = [one for one in points if one.section == DECISIONS and _REVOKED.search(one.text)]

    def is_revoked(point: MasterPoint) -> bool:
        if point.section != DECISIONS or _REVOKED.search(point.text):
            return False
        words = subject_terms(point.text)
        return len(words) >= _MIN_REVOKED_WORDS and any(
            point.when < later.when
            and point.sources != later.sources
            and all(_holds_form(word, subject_terms(later.text)) for word in words)
            for later in revoking
        )

    return [one for one in points if not is_revoked(one)]


def _holds_form(word: str, others: Collection[str]) -> bool:
    """Whether a form of a word is among others: `deploy` and `deployment` begin alike."""
    start = word[:_FORM_CHARS] if len(word) >= _FORM_CHARS else word
    return word in others or (len(start) == _FORM_CHARS and any(one.startswith(start) for one in others))


def _with_change(now: list[MasterPoint], later: MasterPoint, old: str, new: str) -> list[MasterPoint]:
    before = [one for one in now if one is not later and one.when <= later.when and one.sources != later.sources]
    chain = _find_chain(before, old or later.text) or _find_chain_through(before, new, later)
    if chain is not None and not old:
        old = clean_name(_stages(chain.text)[-1])
    earlier = _find_decision(before, old, later.text)
    if later.is_extract and not _EXPLICIT.search(later.text):
        return now  # An edit of the code is no decision against what it replaces.
    is_stated = not later.is_extract or SWITCHED.match(later.text) is not None
    is_told = bool(old and _EXPLICIT.search(later.text) and is_stated and not _PREFERS.search(later.text))
    if chain is None and earlier is None and not is_told:
        return now  # Only one end of it is named, or nobody decided on the other.
    kept = [one for one in now if one is not chain and one is not earlier]
    attempt = _ATTEMPT_WORDS.search(later.text)
    end = f"tried {new}" if attempt and clean_name(attempt["new"]).startswith(new) else f"settled on {new}"
    if chain is not None:
        text = " → ".join([*_tried_stages(chain.text), end])
        sources = merge_sources(chain.sources, earlier.sources if earlier else (), later.sources)
        kept.insert(
            min(now.index(chain), len(kept)), replace(chain, text=clean_text(text), sources=sources, when=later.when)
        )
    else:
        first = old or clean_name(earlier.text if earlier else "")
        if not _is_name(first) or first.lower() == new.lower():
            return now
        tried = _failed_attempts(before, later, earlier)
        text = " → ".join([first, *(f"tried {name}" for name, _ in tried), end])
        given = [earlier.sources if earlier else (), *(one.sources for _, one in tried), later.sources]
        kept.append(MasterPoint(EVOLUTION, clean_text(text), merge_sources(*given), later.when))
    if later.section == EVOLUTION:
        kept.remove(later)
    return kept


def _is_chain(point: MasterPoint) -> bool:
    return point.section == EVOLUTION and _CHAIN_END.search(point.text) is not None


def _stages(text: str) -> list[str]:
    return [one.removeprefix("tried ").removeprefix("settled on ") for one in text.split(" → ")]


def _tried_stages(text: str) -> list[str]:
    first, *rest = text.split(" → ")
    return [first, *(one.replace("settled on ", "tried ", 1) for one in rest)]


def _find_chain(points: Collection[MasterPoint], old: str) -> MasterPoint | None:
    """The chain that ended with what gives way now."""
    wanted = subject_terms(old)
    for one in reversed([one for one in points if _is_chain(one)]):
        last = subject_terms(_stages(one.text)[-1])
        if last and wanted and (last <= wanted or wanted <= last):
            return one
    return None


def _find_chain_through(points: Collection[MasterPoint], new: str, later: MasterPoint) -> MasterPoint | None:
    """The chain that had, before its end, what is gone back to."""
    wanted = subject_terms(new)
    if not any(pattern.search(later.text) for pattern in _RETURN_PATTERNS):
        return None
    chains = [one for one in points if _is_chain(one)]
    return next(
        (one for one in reversed(chains) if any(wanted and wanted <= subject_terms(s) for s in _stages(one.text)[:-1])),
        None,
    )


def _find_decision(points: Collection[MasterPoint], old: str, text: str) -> MasterPoint | None:
    """The latest decision for what gives way, or, when that is not named, on the same subject."""
    wanted = subject_terms(old)
    for one in reversed([one for one in points if one.section == DECISIONS and is_decision(one.text)]):
        about = subject_terms(one.text)
        if wanted and wanted <= about:
            return one
        shared = about & subject_terms(text)
        if not old and len(shared) >= 2 and 2 * len(shared) >= min(len(about), len(subject_terms(text))):
            return one
    return None


def _failed_attempts(
    points: Collection[MasterPoint], later: MasterPoint, earlier: MasterPoint | None
) -> list[tuple[str, MasterPoint]]:
    """What was tried on the subject in between and failed."""
    about = subject_terms(later.text) | (subject_terms(earlier.text) if earlier else frozenset())
    since = earlier.when if earlier else ""
    found: list[tuple[str, MasterPoint]] = []
    for one in points:
        said = _ATTEMPT_WORDS.search(one.text)
        if one.section != LEARNINGS or one.is_extract or one.when < since:
            continue
        if not (said or _FAILURE_LABEL.match(one.text)):
            continue
        name = clean_name(said["new"] if said else _FAILURE_LABEL.sub("", one.text).strip())
        if name and _is_name(name) and subject_terms(one.text) & about:
            found.append((name, one))
    return found[:2]
