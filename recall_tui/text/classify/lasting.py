"""Judge whether a line that nobody labelled is worth a place on a derived page.

A line is kept when it is whole, names something, and says a reason, a rule, a change or a finding that is of use after
the work at hand is over. `find_flaw` says why another is not.
"""

from __future__ import annotations

import re
from functools import lru_cache

from recall_tui.text.classify.imperatives import is_imperative
from recall_tui.text.classify.incomplete_lines import is_incomplete
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.sentences import split_sentences

MIN_TERMS = 4
"""Words of content that a line has at least."""
MAX_LITERALS = 6
"""Names of code from which a line is a list of them."""
PART, SPOKEN, ASKS = "part of something", "said to somebody", "a question"
PASSING, LISTS, NAMELESS = "about the work at hand", "a list of names", "naming nothing"
NO_REASON, TOO_LITTLE = "without a reason, rule or finding", "saying too little"
"""Flaws of a line, as they follow "it is"."""
MIN_WEIGHT = 2.0
"""Of a line that is kept; a reason weighs two, a rule or a finding one, a name half."""
_CODE = re.compile(r"`[^`]+`|\b\w+[._/]\w[\w./-]*\w|\b[a-z]+[A-Z]\w*|\b[A-Z]\w*[a-z][A-Z]\w*|(?<!\w)--[a-z][\w-]+")
_NAME = re.compile(
    r"(?<=[a-z,;:)] )[A-Z][\w-]+|\b[A-Z][A-Z0-9]{2,}\b|\b[a-z]+-[a-z]+\b|\b\d+(?:[.,]\d+)?\s?(?:[a-zA-Z%]+)\b"
)
_CITED_LINE = re.compile(
    r"\s*\((?:at |on )?(?:lines?|L)\s?~?\d[\d\s,–-]*\)|\blines? ~?\d+(?:[-–]\d+)? in |\s*\(recommended\)$"
    r"|`?[\w./-]+\.\w{1,4}:\d+(?:[-–]\d+)?`?|(?:\b(?:at|on|near|of) )?\blines? ~?\d+(?:[-–]\d+)?\b"
    r"|^`[\w./-]+`:\d+",
    re.IGNORECASE,
)
_EMPTY_START = re.compile(r"\((?: ?[-–—,;:])? (?=\S)")
"""The beginning of a bracket that held the number of a line."""
_FRAGMENT_START = re.compile(
    r"(?:this|that|these|those|given (?:this|that)|it|they|he|she|both|and|or|but|so|also|then|here"
    r"|there(?:'s| is| are| was| were)?"
    r"|such|which|where|if not|now|wait|previously|meanwhile|otherwise|since|for the (?:first|second|other)"
    r"|the (?:simplest|first|second|third|other|same|existing|current|old|new|remaining|relevant|key|approach|fix"
    r"|bot|comment"
    r"|following|above|below|issue|problem|risk|plan|save/load|code|root cause is now|test|tests|linter|lint|timeout)"
    r"|one more|to summari[sz]e|in summary|note|looking|example|sure|yes|no|ok(?:ay)?|thanks|please|line|lines|step"
    r"|first|second|finally|next|returns?|reads?|uses?|calls?|creates?|checks?|gets?|has|have|is|are|was|were"
    r"|ensures?|eliminates?|handles?|verif(?:y|ies)|tests?|sets?|parses?|extracts?|threads|converts?|makes?|made"
    r"|ends|points|avoids|appends|rejected|pattern|phase|case|part|what|why|how|when does|who|can|could|do|does|did"
    r"|without (?:this|that|it)|actually|one thing|unreachable|as expected|conflict \d|migration from"
    r"|`?[0-9a-f]{7,8}|prevents"
    r"|the (?:fallbacks|result|change|codebase|new version)|hit"
    r"|should we|would|will|let|let's|maybe|perhaps|consider|medium|high|low|critical|major|minor|nit)\b",
    re.IGNORECASE,
)
"""Words with which a line leans on what stood before it, or tells of a step."""
_TALK = re.compile(
    r"\b(?:I|I'm|I've|I'd|I'll|me|my|you|You|your|Your|you're|you'll|let's|let me|please|thanks|sorry"
    r"|wait(?=[,!])|hmm|oh"
    r"|yeah|nope"
    r"|guess|weird|actually|we (?:never|had|were|didn't|don't|already|also|just|deleted|removed|pushed|called)"
    r"|we need|we should|we could|we might|we can|we want|should we|could we|can we)\b",
)
_CHAT = re.compile(
    r"\b(?:thanks|thank you|awesome|amazing|yeah|yep|wow|haha|lol|glad|stunning|vibes?|hey|can't wait|so (?:happy"
    r"|proud|excited)"
    r"|sounds (?:great|good|like)|agreed, [A-Z]|cherish\w*|total success|worth it"
    r"|cool(?=,)|me too|going (?:great|well))\b|!(?=\s|$)|\[image:",
    re.IGNORECASE,
)
"""Words of people who talk with each other, and of no project."""
_SPEAKER = re.compile(r"[A-Z][a-z]{1,15}: ")
_WORK_AT_HAND = re.compile(
    r"\b(?:PR ?#?\d*|pull requests?|issue #\d+|review(?:s|er|ers|ed)?(?! (?:board|step|queue))|suggestions?|comments?"
    r"|feedback|commit(?:ted)? (?:as|message)|force-push\w*|rebas(?:e|ed|ing)|cherry-pick\w*|merge conflicts?"
    r"|conflict markers?|lint(?:er|ing)?|golangci\w*|gosec|noctx|ireturn|nolint|gofmt|unused|dead code|compiler error"
    r"|doc ?strings?|stub|TODO|WIP|bot|bugbot|copilot|scenario|plan(?:ned)? file"
    r"|(?-i:(?<=[a-z,(] )Cursor)(?! (?:class|object|position|type))"
    r"|cursor(?:'s)? (?:agent|bugbot|says|said|suggest\w*|flag\w*)|this (?:change|branch|session"
    r"|test|fix|case|file|function|code|migration|pattern)"
    r"|(?:added|new|updated?|existing|comprehensive|unit|integration|all|these|the|failing|e2e"
    r"|\d+) (?:[\w-]+ ){0,3}tests?"
    r"|tests? (?:pass|fail|case|expect|verif|check|creat|for|need)\w*|assert\w*|helper|parameters?|signature|variables?"
    r"|imports?|call ?sites?|round-trip|uncommitted|unstaged|verify|double-check|as intended|low priority|legit"
    r"|easy fix|somehow|straightforward|open questions?|sound design|unrelated|conflict \d|bug \d|currently"
    r"|no longer (?:necessary|needed|used)|(?<=— )(?:fixed|important)"
    r"|suppress\w*|inaccurate|misleading|duplicat\w+|magic string|follow-?up)\b|\bTest[A-Z]\w+|_test\.\w+|\bt\.Parallel"
    r"|[a-z]\d{2,3}-\d|\[[ x]\]|https?://|❌|✅|✓|\.\.\.|…",
    re.IGNORECASE,
)
_SUGGESTION = re.compile(
    r"\b(?:consider(?:ing)?|would be (?:nice|better|great)|might (?:be|want)|could (?:be|use|also)|it would"
    r"|should (?:be|also|add|say"
    r"|mention|return|log|have|handle|error|include|probably|either)|may want|worth (?:adding|checking|fixing)"
    r"|ideally)\b",
    re.IGNORECASE,
)
_EDIT = re.compile(
    r"(?:[^:—]{1,70}(?::| —| -) )?(?:remove[sd]?|rename[sd]?|move[sd]?|update[sd]?|create[sd]?|add(?:s|ed|ing)?"
    r"|extract(?:s|ed)?"
    r"|modif(?:y|ied)|change[sd]?|replace[sd]?|fixed|refactored|introduce[sd]?|implement(?:s|ed)?|wired|threaded"
    r"|deleted?"
    r"|moved|inlined?|initiali[sz]e[sd]?|now (?:takes|returns|accepts|uses|calls|has|includes))\b",
    re.IGNORECASE,
)
"""A change of the code, which the code itself tells: it needs a reason to be worth a line."""
_SWAP = re.compile(
    r"\bnow (?:just |also |only )?(?:uses?|takes?|returns?|calls?|accepts?|includes?|has|have)\b|\bmoved from\b"
    r"|\breturns? .+ instead of\b"
    r"|\breplac(?:es|ed)\b",
    re.IGNORECASE,
)
"""The same, wherever it stands in the line."""
_MODEL_CHANGE = re.compile(
    r"chang(?:es|ed) (?:the )?(?:[\w`-]+ ){0,3}(?:flag|model|default|format|schema|scheme|strategy|policy|protocol"
    r"|driver|storage)s? from .+(?:\bto\b|→)",
    re.IGNORECASE,
)
"""A change of how the project works, with both of its ends."""
_REASON = re.compile(
    r"\b(?:because|so that|which means|meaning that|root cause|caus(?:e[sd]?|ed by|ing)|due to|otherwise|in order to"
    r"|to (?:avoid|prevent|keep|ensure|allow|protect|survive|save)|avoids|prevents|preserves|so (?:the|it|they"
    r"|that|existing|a|an|we|no|all|only|users?)\b"
    r"|since (?!\d|yesterday|monday|then|last)|turn(?:s|ed) out|thus|therefore|hence|even (?:if|when|though)"
    r"|without (?=\w+ing\b)"
    r"|regardless of|as (?:it|they|the \w+) (?:is|are|was|were|has|have|does|cannot|can't)|weil|damit|wegen)\b"
    r"|[:;] (?=the reason)|\(since |\(because ",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\b(?:always|never|from now on|no longer|not any ?more|instead of|rather than|only (?:when|if|for|on|the|one"
    r"|by)|must(?: not)?|may not|is required|requires?"
    r"|defaults? (?:is|to)|by default|decided|agreed|chose|settled on|going with|we use|we keep|we go"
    r"|keep(?:s)? (?:the|current)|backwards? compat\w*|deprecated"
    r"|stays?|remains?|convention|belongs? (?:in|to)|source of truth|not \w+ but|over \w+ because"
    r"|switch(?:ed)? (?:from|to)|migrat\w+ (?:from|to)"
    r"|mov(?:ed|es) (?:from|to)|replaces)\b|(?<=\w\?) → ",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:always|from now on|no longer|decided|agreed|chose|settled on|by default|defaults? to|now|convention"
    r"|deprecated|should use|must)\b",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"\b(?:doesn't|does not|don't|do not|isn't|is not|aren't|cannot|can't|won't|never|silently|ignores?|ignored"
    r"|fails? (?:when|if|on|with|because|to)|breaks?"
    r"|leaks?|drops?|dropped|loses|lost|overwrites|mismatch\w*|stale|races?|deadlocks?|corrupts?|hangs?|wrong"
    r"|incorrect(?:ly)?|only (?:reads?|works?|supports?|handles?|checks?|applies|strips)"
    r"|doubles?|crash\w*|panics?|bug)\b",
    re.IGNORECASE,
)
_ANSWER = re.compile(r"\?\s*→\s*(?P<answer>.+)$")
_PROCESS_QUESTION = re.compile(
    r"\b(?:(?:should|shall|can|want me to|like me to|would you)(?: (?:i|we))? (?:also )?commit"
    r"|commit (?:this|these|them|it|now|all|everything|the|your|my|and|as|message)|(?:be|get|are|is|not"
    r"|new) commit(?:ted|s)?"
    r"|push|PRs?|plan|proceed|ready|go ahead|look good|prefer fewer|how should we (?:start|proceed)"
    r"|which tests?|what would you like)\b|^commit\b|→\s*(?:yes,? )?(?:new )?commit\b|\?[^→]*→.*\?",
    re.IGNORECASE,
)
"""Questions of how to go on; a product may have commits of its own."""
_EXPLICIT = re.compile(
    r"(?:we (?:have )?)?(?:decided (?:not )?(?:to|on|that|against|for)|agreed (?:not )?(?:to|on|that)|chose|settled on"
    r"|switched (?:from|to)|go(?:es)? with|went with)\b"
    r"|(?-i:keep|use|adopt|stay with|write|store|ship|run) (?!(?:it|that|this|them|the same|please)\b)"
    r"|(?:decision|decided|agreed|rule|lesson|lessons learned|root cause|never again|convention)\s?:",
    re.IGNORECASE,
)
"""Words by which a line says itself that it is a decision, a rule or a lesson."""
_COMPOUND = re.compile(r"[a-z]+[-_.]\w")
"""A name that is written in lower case, at the start of a sentence, too."""
_UNFINISHED = re.compile(
    r"(?:[,:;(–—-]|\b(?:and|or|the|a|an|of|to|for|with|in|that|only|but|from)|(?<! now) on)$", re.IGNORECASE
)
_ENDS_SO = re.compile(
    r"\bonly\.$|\b(?:after|before|for|about|like|with|do|did) that\.$|\bfrom [\w ]{2,20} on\.?$", re.IGNORECASE
)
"""An end of a whole sentence, though its last word can be the middle of one."""
_SINCE = re.compile(
    r"\b(?:moves?|moved|now|from \w+ on|instead of|no longer|dropped|changes?|changed|postponed|replac(?:e[sd]?|ing)"
    r"|raised|lowered|goes (?:up|down|by)|switched (?:off|to|from)|is (?:live|gone|off|in production|in use)"
    r"|ends? on|runs on"
    r"|since (?!\w+ing\b)\w+)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8_192)
def find_flaw(text: str) -> str:
    """Return why the line is not worth a place; empty when it is."""
    words = strip_places(text).replace("’", "'")
    if _ANSWER.search(words):
        return PASSING if _PROCESS_QUESTION.search(words) else _short(words)
    if _CHAT.search(words):
        return SPOKEN
    if _EXPLICIT.match(words) and not _TALK.search(words.partition(" ")[2]) and not _WORK_AT_HAND.search(words):
        return PART if is_cut(words) else ""
    if flaw := find_passing_flaw(words):
        return flaw
    if _MODEL_CHANGE.match(words):
        return _short(words)
    is_edit = bool(_EDIT.match(words) or _SWAP.search(words))
    if not _REASON.search(words) and (is_edit or not (_RULE.search(words) or _FINDING.search(words))):
        return NO_REASON
    return _short(words) or ("" if weight(words) >= MIN_WEIGHT else TOO_LITTLE)


def find_passing_flaw(words: str) -> str:
    """Return why the line cannot stand alone, or tells of the work at hand; what it is worth is not asked."""
    if words.endswith("?") or "? " in words:
        return ASKS
    is_lower = bool(words) and words[0].islower() and not _COMPOUND.match(words)
    if not words or is_lower or words[0] in "(,;:/+=" or _FRAGMENT_START.match(words) or is_cut(words):
        return PART
    speaker = _SPEAKER.match(words)
    if speaker and _FRAGMENT_START.match(words[speaker.end() :]):
        return PART
    if _TALK.search(words) or _CHAT.search(words) or is_imperative(words):
        return SPOKEN
    if _WORK_AT_HAND.search(words) or _SUGGESTION.search(words):
        return PASSING
    if names_in(words) > MAX_LITERALS or words.count("→") > 1:
        return LISTS
    return "" if names_in(words) or _REASON.search(words) else NAMELESS


def weight(text: str) -> float:
    """Return how much a line says, to rank those without a flaw."""
    reason, rule, finding = (1.0 * bool(cue.search(text)) for cue in (_REASON, _RULE, _FINDING))
    answer = 2.0 * bool(_ANSWER.search(text))
    return 2 * reason + rule + finding + answer + 0.5 * min(names_in(text), 2) - 0.5 * bool(_EDIT.match(text))


def strip_places(text: str) -> str:
    """Return the line without numbers of lines, which hold for a day."""
    words = " ".join(_CITED_LINE.sub(lambda found: _file_of(found[0]), text).split())
    return _EMPTY_START.sub("(", words).replace(" :", ":").replace(" )", ")")


def names_in(text: str) -> int:
    """Return how many things of the project the line names."""
    code = _CODE.findall(text)
    return len(code) or len(_NAME.findall(text))


def _file_of(place: str) -> str:
    found = re.match(r"`?([\w./-]+\.[A-Za-z]\w{0,3}):\d", place)
    return f"`{found[1]}`" if found else ""


def _short(words: str) -> str:
    return TOO_LITTLE if len(set(topic_terms(words))) < MIN_TERMS else ""


def changes_model(text: str) -> bool:
    """Return whether a line says how the project worked before and works now."""
    return bool(_MODEL_CHANGE.search(text))


def is_cut(words: str) -> bool:
    """Return whether the line ends in the middle, or has a bracket or a quotation that is open."""
    is_open = words.count("`") % 2 == 1 or words.count("(") != words.count(")")
    return is_open or bool(_UNFINISHED.search(words.rstrip(" .")) and not _ENDS_SO.search(words))


def mentions_update(text: str) -> bool:
    """Return whether a line of a log says that something is otherwise since."""
    return bool(_SINCE.search(text)) and "?" not in text


def is_settled(text: str) -> bool:
    """Return whether the line tells of something that was decided or changed."""
    return bool(
        _DECIDED.search(text)
        or _ANSWER.search(text)
        or _EDIT.match(text)
        or _SWAP.search(text)
        or _MODEL_CHANGE.match(text)
    )


_LOG_START = re.compile(
    r"(?:this|that|these|those|it|they|he|she|his|her|their|both|and|or|but|so|also|then|here|there|such|which"
    r"|where|now"
    r"|same|again|yes|no|ok(?:ay)?|thanks|please|maybe|perhaps|hope|hey|hi|wow|glad|great|cool|nice|good|sorry|sure"
    r"|added|updated?|fixed|removed|renamed|refactored|created|implemented|wrote|ran|see|looked|checked|tried"
    r"|asked|talked)\b",
    re.IGNORECASE,
)
_LOG_TALK = re.compile(
    r"\b(?:you|your|yours|please|thanks?|thank you|let's|I (?:shall|will|think|guess|hope|wonder|am|was|would"
    r"|could|do not|don't|'m|have|said|asked)|rumou?rs?"
    r"|I (?:like|prefer|hate|dislike)|to me|(?:can|does|will) (?:anybody|anyone|somebody|someone)"
    r"|do not (?:ask|worry|mind)|don't (?:ask|worry|mind)"
    r"|I'(?:m|ll|d)|hope(?:fully)?|sounds|wow|haha|love|excited|amazing|awesome|feel)\b|!",
    re.IGNORECASE,
)
_LOG_WORK = re.compile(
    r"\b(?:PRs?|pull requests?|rebas(?:e|ed|ing)|merge conflicts?|lint\w*|refactor\w*|unused|WIP|cherry-pick\w*"
    r"|tests? (?:pass|fail)\w*|(?:ran|added|fixed) (?:the |all )?tests?)\b|\bTest[A-Z]\w+|_test\.\w+|\[[ x]\]",
    re.IGNORECASE,
)
_LOG_EVENT = re.compile(
    r"\bI (?:read|went|looked|wrote|met|talked|came|got|asked|told)\b|\bwent on with\b|\basked (?:whether|if|for)\b"
    r"|(?<!since )(?<!from )(?<!since \w{3} )(?<!since \w{4} )(?<!since \w{5} )\b(?:today(?!['’]s)"
    r"|yesterday(?!['’]s)|tonight(?!['’]s)"
    r"|this (?:morning|afternoon|evening)"
    r"|last (?:night|week|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b"
    r"|^sat (?:with|in|down) |^(?:handover|call|talk|meeting|lunch|visit) (?:from|with|of|to) ",
    re.IGNORECASE,
)
"""An event of a day, which is over with it."""
_STATES = re.compile(
    r"\b(?:is|are|has|have|may|can|uses|takes|runs|stays|holds|lives|listens|owns|requires|ends|starts|sends"
    r"|stores|costs|lasts"
    r"|belongs|writes|reads|wants|answers|decides|pays|approves|must|moves?|moved|switched|raised|lowered"
    r"|postponed|replaced|decided|agreed|from)\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?:\w+ ){1,3}at \d{1,2}[:.]\d\d\.?")
"""A sentence that says only at what time of the day something was done."""
MIN_LOG_WEIGHT = 1.5
"""Of a sentence of a log that has a place on a page."""
MIN_LOG_TERMS = 3
MIN_LOG_CHARS, MAX_LOG_CHARS = 25, 400


def find_log_flaw(text: str) -> str:
    """Return why a sentence of a log is not worth a place on a page; empty when it is.

    Logs are written in haste: a sentence may begin in lower case, and may state a fact without a reason.
    """
    words = text.replace("\u2019", "'").strip()
    if words.endswith("?"):
        return ASKS
    is_whole = words[:1].isalnum() or words[:1] in "`\"'*["
    if (
        not is_whole
        or not MIN_LOG_CHARS <= len(words) <= MAX_LOG_CHARS
        or _LOG_START.match(words)
        or is_cut(words)
        or "…" in words
        or is_incomplete(next(iter(split_sentences(words)), words))
    ):
        return PART
    if _LOG_TALK.search(words) or is_imperative(words):
        return SPOKEN
    is_event = _LOG_EVENT.search(words) and not any(cue.search(words) for cue in (_REASON, _DECIDED, _EXPLICIT))
    if _LOG_WORK.search(words) or is_event:
        return PASSING
    is_short = len(set(topic_terms(words))) < MIN_LOG_TERMS and not _EXPLICIT.match(words)
    return "" if log_weight(words) >= MIN_LOG_WEIGHT and not is_short else TOO_LITTLE


def is_day_event(text: str) -> bool:
    """Return whether a sentence tells what happened on a day, without a reason or a decision."""
    return bool(_LOG_EVENT.search(text)) and not (_REASON.search(text) or _DECIDED.search(text))


def lasting_part(text: str) -> str:
    """Return the line without a last sentence that tells of its day, where the ones before it can stand."""
    *told, last = split_sentences(text) or [text]
    part = " ".join(told)
    is_of_day = is_day_event(last) or _CLOCK.fullmatch(last)
    return part if told and is_of_day and not find_log_flaw(part) else text


def log_weight(text: str) -> float:
    """Return how much a sentence of a log says."""
    cues = (_RULE, _FINDING, _DECIDED, _STATES, _EXPLICIT)
    told = 0.5 * min(names_in(text), 2) + 0.5 * (len(set(topic_terms(text))) >= MIN_TERMS)
    return 2.0 * bool(_REASON.search(text)) + sum(bool(cue.search(text)) for cue in cues) + told


def is_explicit(text: str) -> bool:
    """Return whether the line says itself that it is a decision, a rule or a lesson."""
    return bool(_EXPLICIT.match(text))


def gives_reason(text: str) -> bool:
    """Return whether the line says why."""
    return bool(_REASON.search(text))


def is_answer(text: str) -> bool:
    """Return whether the line is a question with the option that was chosen."""
    return bool(_ANSWER.search(text))


def is_process_answer(text: str) -> bool:
    """Return whether such a line is about how to go on, and not about the project."""
    return bool(_PROCESS_QUESTION.search(text))
