"""Tell what went wrong, what somebody demands, and what was done about it: in a log these are sentences of their own.

A problem that is told without its remedy reads as if it were still so, and a demand as if it had been met.
"""

from __future__ import annotations

import re

from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.sentences import split_sentences

_PROBLEM = re.compile(
    r"\b(?:lost|los(?:s|es|e|ing)|fail(?:s|ed|ing|ure)?|wrong(?:ly)?|missing|refused|rejected|broken?|breaks|broke"
    r"|crash\w*"
    r"|hangs?|hung|stuck|silent(?:ly)?|dead|dark|down(?! to)|late|slow(?:er|ly)?|full|empty|cut|twice|duplicates?"
    r"|doubled?|stale|corrupt\w*|damaged|leak\w*|timed? out|times out|time-?outs?|false"
    r"|bottleneck|complain\w*|complaints?"
    r"|(?:it|they) (?:switched|turned|shut) (?:itself |themselves )?(?:off|down)|trouble|crawl\w*|fault|faulty|bug"
    r"|error|errors|gave up|gives up|stops?|stopped|too (?!with\b)\w+|out of|nobody (?:reads"
    r"|read|knew|noticed)|without telling|restart(?:s|ed)?|expires?|runs out|only every|had (?:been )?\w+ed"
    r"|w(?:as|ere) \w+ed, not|never (?:been|read"
    r"|deleted|closed|checked|freed|reached|arrived))\b"
    r"|\b(?:does|do|did|is|are|was|were|could|can|has|had)(?: not|n't) |\bcannot\b|\bhad been\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|since (?!\d)|as (?:the|it|its|they|our|one|two)|cause[sd]?|reason|why|found|turn(?:s|ed) out|due to"
    r"|so (?:the|it|they|that)|had been|was set to|is tied to|reads|compares?|compared|counts?|comes from"
    r"|it(?:'s| is| was) (?:the|a|an|our)"
    r"|not \w+ and)\b|(?:^|\W)(?:cause|reason|why)\s?[:=]",
    re.IGNORECASE,
)
_DONE = (
    r"made|put|set|switched|changed|removed|replaced|moved|turned|added|fixed|raised|lowered|limited|installed|taught"
    r"|wrote|rewrote|restored|converted|grounded|cleaned|cleared|connected|disconnected|updated|patched|swapped|built"
    r"|read|check|send|keep|use|drop|gave|took|let|checked|cut|corrected|renamed|deleted|reverted|enabled|disabled"
)
_REMEDY = re.compile(
    rf"(?:(?:so |then |and )?(?:I|we|she|he|they|[A-Z][a-z]+) (?:have |has |also )?(?:{_DONE})\b)"
    r"|\b(?:I|we|she|he|they) [a-z]{3,}ed (?:it|them)\b"
    r"|\b(?:[Nn]ow|no longer|not any ?more|any ?more|instead|from now on|from this \w+ on|since (?:yesterday|today"
    r"|tonight|then"
    r"|this|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b"
    r"|\b(?:is|are|was|were) (?:(?:off|gone)(?! for\b)|back|fixed|solved|replaced|removed|grounded|ignored|dropped"
    r"|compared(?!, not)|checked)"
    r"\b|\bignores?\b|\bsolves?\b|\bcannot be \w+ any ?more\b"
    r"|(?:^|[.;] )(?i:solved|switched|removed|replaced|raised|lowered|added|changed|turned|moved|restored|converted"
    r"|corrected|stopped|excluded|opened|limited)\b"
    r"|\b[a-z]+ (?:moved|raised|lowered|limited|switched|set) to \d|\bfrom \d[\d.,]* ?[A-Za-z]+ to \d",
)
_UNDECIDED = re.compile(r"\W*(?:proposal|idea|suggestion|plan|wish|request|todo)s?\s?[:–—]", re.IGNORECASE)
_RULE = re.compile(r"\b(?:lessons?|rules?|decisions?|decided|agreed)\b", re.IGNORECASE)
_SINCE_WHEN = re.compile(r"\b(?:since|now for) \w+", re.IGNORECASE)
"""Since when something is wrong."""
_PROBLEM_LABEL = re.compile(r"\W*(?:bug|problem|issue|incident|outage|error|failure|trouble)s?\s?[:–—]", re.IGNORECASE)
_LOOKED_AT = re.compile(
    r"\b(?:asked|ask) \w+ to (?:look|check|find)|\b(?:is|are) (?:going to|to) (?:look|check|compare)\b"
    r"|\b(?:looks?|looking|will look|look) (?:(?:at|into) (?:it|this|that)|how|whether)\b|\b(?-i:[A-Z])\w+ is on it\b"
    r"|\b(?:I|we)(?:'ll| will)? ask (?-i:[A-Z])\w|, technician (?:on )?\w+day\b",
    re.IGNORECASE,
)
_INCIDENT_DAY = re.compile(
    r", (?:again|restarted (?:it|them))$|\bsince (?:\w+day|\w+ (?:in the|o'clock))\b"
    r"|\bon \w+day(?: \w+)?\.?$|\b(?:this|last|all) (?:morning|night|evening|afternoon)\b",
    re.IGNORECASE,
)
_DEMAND = re.compile(
    r"\b(?:wants?|wanted|asks? (?:for|whether|if|why)|asked (?:for|again for|whether|if|why)|demands?|demanded"
    r"|would like|insists?|requests?)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\b(?:asks|asked) (?:again )?(?:whether|if|why|what|how|for)\b", re.IGNORECASE)
_ANSWERS_ASKER = re.compile(
    r"\bthat was [A-Z][\w-]+['’]s? question\b|\banswers? (?:to )?[A-Z][\w-]+['’]s? question\b", re.IGNORECASE
)
_RESPONSE = re.compile(
    r"(?:I|we)\b(?! (?:want|need|ask|asked|wonder|hope)\b)|(?:no|yes|refused|agreed|declined|approved|granted"
    r"|fine (?:with|by)"
    r"|rejected|accepted|denied|open)\b",
    re.IGNORECASE,
)
_REASON = re.compile(r"\b(?:because|since (?!\d)|due to|caused by|as (?:the|it|its|our)\b)", re.IGNORECASE)
_FIX = re.compile(
    r"\b(?:fixed|solved|resolved|repaired|cured|worked around)(?: (?:it|this|that))? (?:by|with|in|through)\b"
    r"|\b(?:fix|solution|remedy|workaround|resolution) ?(?:is\b|was\b|:)",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:it|its|them|both|that|this|the same)\b", re.IGNORECASE)
_NEW_ONE = re.compile(r"\bthe (?:new|old|other|first|second) ones?\b", re.IGNORECASE)
_MIN_TERM_CHARS = 3
_OCCASION = re.compile(
    r"(?:talked|spoke|discussed) [^.!?]{2,80}\.|"
    r"(?:[\w'’-]+ ){0,4}(?:meeting|rehearsal|review|workshop|call|trouble|incident|outage|discussion|debate)"
    r"(?: (?:of|on|about|with|at|for|in|from) (?:[^.!?,;:]|:\d){2,60})?\."
    r"|[\w'’ -]{3,30} (?:is|are) (?:gone|fixed|solved|over)\."
    r"|(?:the|our|a|an|one|both) [\w' -]{3,40} (?:was|were) (?:opened|examined|inspected|taken apart|analy[sz]ed)\b"
    r"[^.,;:]{0,40}\.",
    re.IGNORECASE,
)
"""A sentence that says on what occasion the next ones were written, what is over, or what was looked at."""
_ACTOR_LESS = re.compile(
    r"(?:[a-z]{3,}ed|put|set|made|took|cut|wrote|rewrote|split) (?:the|it|its|them|both|all|off|out|a|an|one|two)\b"
    r"|(?:keep|drop|use|delete|remove|move) (?:the|it|only|all|one|two|three|\d+)\b",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"(?:below|above|under|over|beyond|before|after|without|with|for) (?:the|a|an|it|this|that)\b", re.IGNORECASE
)
_MAX_CASE_WORDS = 10
_MAX_INTRODUCTION_WORDS = 8
_NEW_THING = re.compile(r"\b(?:is|are) (?:in|live|out|here|there|up|new)\b|\b(?:came|arrived|exists?)\b")
_PRONOUN = re.compile(r"\b(?:it|them)\b")
_CONTRAST = re.compile(r"[\w'’ -]{3,40} (?:was|were) \w+(?:ed|en|t), not\b")
_MEASURE = re.compile(r"\b(?:went|fell|rose|dropped|grew|is|are|came) (?:down |up )?from \d[\d.,]*[^.]{0,20} to \d")
_ACTION = re.compile(r"\b(?:renewed|replaced|changed|cleaned|adjusted|rewritten|reworked|updated|rebuilt)\b")
_EVENT = re.compile(
    r"(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bbeen )\b(?:was|were|had|got|went|came|took|fell|sent|lost|left|gave|ran"
    r"|found|saw|broke|drew|[a-z]{3,}ed)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=\w)")
"""The end of a sentence, or of an item of a list that begins in lower case."""
_MAX_RESULT_WORDS = 6
_SHORT_RESULT = re.compile(
    r"(?:under|now|down|only|about|nearly|over|less|from|costs|takes|took|that took|\w+ed once|\w+ed)\b[^.]*(?:\d"
    r"|\bnow\b"
    r"|\b(?:second|minute|hour)s?\b)",
    re.IGNORECASE,
)


def states_problem(text: str) -> bool:
    """Return whether a sentence says that something does not go as it should."""
    return bool(_PROBLEM.search(text))


def states_cause_and_fix(text: str) -> bool:
    """Return whether a statement says what went wrong, why, and behind that how it was fixed."""
    reason = _REASON.search(text)
    return (
        reason is not None
        and _FIX.search(text, reason.end()) is not None
        and (_PROBLEM_LABEL.match(text) is not None or states_problem(text[: reason.start()]))
    )


def states_cause(text: str) -> bool:
    """Return whether a sentence says why."""
    return bool(_CAUSE.search(text))


def states_remedy(text: str) -> bool:
    """Return whether a sentence says what was done, or what is otherwise since."""
    return bool(_REMEDY.search(text)) and "?" not in text and not _UNDECIDED.match(text)


def states_solution(text: str) -> bool:
    """Return whether a line of several sentences says what went wrong, and why or what was done about it."""
    is_told = states_remedy(text) or (states_cause(text) and not is_handed_on(text))
    return len(_SENTENCE_END.split(text)) > 1 and states_problem(text) and is_told


def answers_asker(text: str) -> bool:
    """Return whether a line says itself that it is the answer to somebody's question."""
    return bool(_ANSWERS_ASKER.search(text))


def is_unsolved(text: str) -> bool:
    """Return whether a sentence says only what is wrong: neither why nor what was done about it."""
    words = _SINCE_WHEN.sub("", text)
    return states_problem(words) and not (states_remedy(words) or states_cause(words) or _RULE.search(words))


def is_passing_incident(text: str) -> bool:
    """Return whether a single sentence says what went wrong on a day, and neither why nor what was done about it."""
    is_one = len(split_sentences(text)) == 1 and "without" not in text
    return is_one and is_unsolved(text) and bool(_INCIDENT_DAY.search(text))


def is_handed_on(text: str) -> bool:
    """Return whether a line says that somebody is to look at it: what came of it is told by others."""
    return bool(_LOOKED_AT.search(text))


def states_demand(text: str) -> bool:
    """Return whether a sentence says what somebody wants."""
    return bool(_DEMAND.search(text))


def states_question(text: str) -> bool:
    """Return whether a line says only what somebody asked."""
    return bool(_ASKED.search(text)) and is_unanswered(text)


def is_unanswered(text: str) -> bool:
    """Return whether a line says what somebody wants, and not what came of it."""
    first, *rest = split_sentences(text) or [text]
    return states_demand(first) and not any(map(answers_demand, rest))


def answers_demand(text: str) -> bool:
    """Return whether a sentence behind a demand is what the team says about it."""
    return bool(_RESPONSE.match(text)) and not text.endswith("?")


def names_occasion(text: str) -> bool:
    """Return whether a sentence names only what the next ones are about: a meeting, a trouble, what was looked at."""
    return bool(_OCCASION.fullmatch(text))


def goes_on_briefly(text: str, before: str) -> bool:
    """Return whether a short item says what is done in the case that the one before names: `below it we ask`."""
    is_short = len(text.split()) <= _MAX_CASE_WORDS and bool(_CASE.match(text))
    return is_short and bool(subject_words(text) & subject_words(before))


def introduces(before: str, text: str) -> bool:
    """Return whether a short sentence names what the next one means with `it`."""
    is_short = len(before.split()) <= _MAX_INTRODUCTION_WORDS
    return is_short and bool(_NEW_THING.search(before) and _PRONOUN.search(text))


def lacks_actor(text: str) -> bool:
    """Return whether a line begins with what was done, without who did it: `stopped the old one`."""
    return bool(_ACTOR_LESS.match(text))


def is_contrast(text: str) -> bool:
    """Return whether a line says only what was done wrongly: `the name was compared, not name and day`."""
    return bool(_CONTRAST.match(text))


def measures_effect(text: str, before: str) -> bool:
    """Return whether a line gives the figures before and after what the line before it says was changed."""
    return bool(_MEASURE.search(text) and _ACTION.search(before))


def states_event(text: str) -> bool:
    """Return whether a sentence tells what happened, or what goes wrong."""
    return bool(_EVENT.search(text)) or states_problem(text)


def is_result(text: str) -> bool:
    """Return whether a sentence is only a figure that came of what stands before it: `Under a second now.`"""
    return len(text.split()) <= _MAX_RESULT_WORDS and bool(_SHORT_RESULT.match(text))


def shares_subject(text: str, before: str) -> bool:
    """Return whether a sentence names something that the one before names, or only points at it."""
    points = _POINTS.search(" ".join(text.split()[:5])) or _NEW_ONE.search(text)
    return bool(subject_words(text) & subject_words(before)) or bool(points)


def subject_words(text: str) -> frozenset[str]:
    """Return the words of content, those with hyphens also in parts, without the `s` of a plural or a verb."""
    terms = (part for term in topic_terms(text) for part in {term, *term.split("-")})
    return frozenset(term.removesuffix("'s").removesuffix("s") for term in terms if len(term) >= _MIN_TERM_CHARS)
