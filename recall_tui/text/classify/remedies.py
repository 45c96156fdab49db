"""Tell what went wrong, what somebody demands, and what was done about it: in a log these are sentences of their own.

A problem that is told without its remedy reads as if it were still so, and a demand as if it had been met.
"""

from __future__ import annotations

import re

from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.sentences import split_sentences

_PROBLEM = re.compile(
    r"\b(?:lost|los(?:s|es|e|ing)|fail(?:s|ed|ing|ure)?|wrong(?:ly)?|missing|refused|rejected|broken?|breaks|broke|crash\w*"
    r"|hangs?|hung|stuck|silent(?:ly)?|dead|dark|down(?! to)|late|slow(?:er|ly)?|full|empty|cut|twice|duplicates?"
    r"|doubled?|stale|corrupt\w*|damaged|leak\w*|timed? out|times out|time-?outs?|false"
    r"|bottleneck|complain\w*|complaints?"
    r"|trouble|crawl\w*|fault|faulty|bug|error|errors|gave up|gives up|stops?|stopped|too (?!with\b)\w+|out of|nobody (?:reads"
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
    r"|\b(?:now|no longer|not any ?more|any ?more|instead|from now on|from this \w+ on|since (?:yesterday|today|then"
    r"|this|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b"
    r"|\b(?:is|are|was|were) (?:off|gone|back|fixed|solved|replaced|removed|grounded|ignored|dropped|compared|checked)"
    r"\b|\bignores?\b|\bsolves?\b|\bcannot be \w+ any ?more\b"
    r"|(?:^|[.;] )(?i:solved|switched|removed|replaced|raised|lowered|added|changed|turned|moved|restored|converted"
    r"|corrected|stopped|excluded|opened|limited)\b"
    r"|\b[a-z]+ (?:moved|raised|lowered|limited|switched|set) to \d",
)
_UNDECIDED = re.compile(r"\W*(?:proposal|idea|suggestion|plan|wish|request|todo)s?\s?[:–—]", re.IGNORECASE)
_RULE = re.compile(r"\b(?:lessons?|rules?|decisions?|decided|agreed)\b", re.IGNORECASE)
_SINCE_WHEN = re.compile(r"\b(?:since|now for) \w+", re.IGNORECASE)
"""Since when something is wrong."""
_LOOKED_AT = re.compile(
    r"\b(?:asked|ask) \w+ to (?:look|check|find)|\b(?:is|are) (?:going to|to) (?:look|check|compare)\b"
    r"|\b(?:looks?|looking|will look|look) (?:at|into) (?:it|this|that)\b|\b[A-Z]\w+ is on it\b"
    r"|\b(?:I|we)(?:'ll| will)? ask [A-Z]\w|, technician (?:on )?\w+day\b",
    re.IGNORECASE,
)
_DAY_OF_TROUBLE = re.compile(
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
_RESPONSE = re.compile(
    r"(?:I|we)\b(?! (?:want|need|ask|asked|wonder|hope)\b)|(?:no|yes|refused|agreed|declined|approved|open)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:it|its|them|both|that|this|the same)\b", re.IGNORECASE)
_MIN_TERM_CHARS = 3
_OCCASION = re.compile(
    r"(?:[\w'’-]+ ){0,4}(?:meeting|rehearsal|review|workshop|call|trouble|incident|outage|discussion|debate)"
    r"(?: (?:of|on|about|with|at|for|in|from) [^.!?,;:]{2,50})?\.",
    re.IGNORECASE,
)
"""A first sentence without a verb that says on what occasion the others were written."""
_ACTOR_LESS = re.compile(
    r"(?:[a-z]{3,}ed|put|set|made|took|cut|wrote|rewrote|split) (?:the|it|its|them|both|all|off|out|a|an|one|two)\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r"[\w'’ -]{3,40} (?:was|were) \w+(?:ed|en|t), not\b")
_MAX_RESULT_WORDS = 6
_SHORT_RESULT = re.compile(r"\d|\bnow\b|\b(?:second|minute|hour)s?\b")


def states_problem(text: str) -> bool:
    """Return whether a sentence says that something does not go as it should."""
    return bool(_PROBLEM.search(text))


def states_cause(text: str) -> bool:
    """Return whether a sentence says why."""
    return bool(_CAUSE.search(text))


def states_remedy(text: str) -> bool:
    """Return whether a sentence says what was done, or what is otherwise since."""
    return bool(_REMEDY.search(text)) and "?" not in text and not _UNDECIDED.match(text)


def is_unsolved(text: str) -> bool:
    """Return whether a sentence says only what is wrong: neither why nor what was done about it."""
    words = _SINCE_WHEN.sub("", text)
    return states_problem(words) and not (states_remedy(words) or states_cause(words) or _RULE.search(words))


def is_trouble_of_a_day(text: str) -> bool:
    """Return whether a single sentence says what went wrong on a day, and neither why nor what was done about it."""
    is_one = len(split_sentences(text)) == 1 and "without" not in text
    return is_one and is_unsolved(text) and bool(_DAY_OF_TROUBLE.search(text))


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
    """Return whether a sentence only names a meeting, a rehearsal or a trouble: the next ones say what came of it."""
    return bool(_OCCASION.fullmatch(text))


def lacks_actor(text: str) -> bool:
    """Return whether a line begins with what was done, without who did it: `stopped the old one`."""
    return bool(_ACTOR_LESS.match(text))


def is_contrast(text: str) -> bool:
    """Return whether a line says only what was done wrongly: `the name was compared, not name and day`."""
    return bool(_CONTRAST.match(text))


def is_result(text: str) -> bool:
    """Return whether a sentence is only a figure that came of what stands before it: `Under a second now.`"""
    return len(text.split()) <= _MAX_RESULT_WORDS and bool(_SHORT_RESULT.search(text))


def shares_subject(text: str, before: str) -> bool:
    """Return whether a sentence names something that the one before names, or only points at it."""
    return bool(subject_words(text) & subject_words(before)) or bool(_POINTS.search(" ".join(text.split()[:5])))


def subject_words(text: str) -> frozenset[str]:
    """Return the words of content, those with hyphens also in parts, without the `s` of a plural or a verb."""
    terms = (part for term in topic_terms(text) for part in {term, *term.split("-")})
    return frozenset(term.removesuffix("'s").removesuffix("s") for term in terms if len(term) >= _MIN_TERM_CHARS)
