"""Tell sentences of a log that mean nothing without the one before, which names their subject or what they are about.

Logs are written in haste, and a sentence that is quoted alone has lost what stood above it.
"""

from __future__ import annotations

import re

from recall_tui.text.classify.keywords import topic_terms

_CLAUSE_END = r"[,;:.!?()–—]|\b(?:and|or|but|because|since|so|that|which|who|when|while|if|until|where|than|as)\b"
_VERB = (
    r"is|are|was|were|has|have|had|does|did|can|cannot|may|must|will|would|should|could|just|only|also|now|never|no"
    r"|not|\w+s|\w+ed"
)
_POINTED_AT = re.compile(
    rf"(?!(?i:we |they )?(?i:talked|argued|spoke|thought) )(?:(?!(?i:{_CLAUSE_END}|ha(?:s|ve) )).)*?"
    r"(?<=\w )(?:it|them)\b"
    rf"(?! (?!\w+selves\b)(?:{_VERB})\b)(?!:)"
)
"""`it` as what the first clause is about: nothing in front of it but the subject can be what it means."""
_OWN_NOUN = re.compile(r"(?:[A-Z][\w-]+|\w+) (?:makes?|made|finds?|found|thinks?|takes) (?:it|them) \w", re.IGNORECASE)
_QUANTITY = re.compile(
    r"(?:most|some|all|none|half|part|one|each|both|two|three|four|five|\d+|the rest) of (?:it|them|these|those)\b"
    r"|(?:only|these|those|the) (?:two|three|four|five|six)\b(?! of\b|-)"
    r"|(?:a|an|the) (?:first|second|third|other|last|next) (?:one|finding|case|part|half)\b"
    r"|two \w+ (?:were|are|was) for\b",
    re.IGNORECASE,
)
"""A number of things that the sentence before names."""
_BOTH = re.compile(
    r"\bboth (?:kinds|sorts|types|sides|ways|cases|forms|versions)\b(?!.*\b(?:and|of)\b)"
    r"|^(?!.*\band\b.*\bboth\b).*\b(?<!the )both (?:have|are|were|had|can|must|say|show|get|agree)\b",
    re.IGNORECASE,
)
_DONE_TO = re.compile(
    r"(?:deployed|shipped|released|rolled out|installed|tested|tried|merged|printed|sent|started|stopped|restarted"
    r"|finished|done|made|built|ordered|signed|counted|watched|published|compares|counts|refunds|checks|cleared"
    r"|took) (?=[^:]*$)"
    r"(?:as|to|on|in|by|with|for|at|again|it|them|once|twice|both|today|now|just|only|\d+ (?:h|min|hours?"
    r"|minutes?))\b",
    re.IGNORECASE,
)
"""An action without its object."""
_NO_SUBJECT = re.compile(
    r"(?:compares|counts|refunds|checks|shows|sends|keeps|reads|writes|returns|waits|uses|works|needs|takes) the\b"
)
"""A verb in the first place: its subject stands in the sentence before."""
_WITHOUT = re.compile(
    r"(?:until|since|after|before|because of|apart from|besides|without|instead of) (?:then|that|this)\b"
)
_BY_THEN = re.compile(
    r"[^.!?]*\b(?:till|until|by) then\b|(?:I|we) [^.]*\b(?:told|asked) (?:them|him|her)\b", re.IGNORECASE
)
_NEW_ONE = re.compile(r"\b(?:uses?|takes?|reads?|gets?) the new \w+ now\b")
_NAMELESS_OBJECT = re.compile(
    r"[^.!?]*\b(?:what|whatever|anything|everything) (?:is|was) (?:older|newer|larger|left)\b"
)
"""An object by its age or size: what it is of stands in the sentence before."""
_WORDING = re.compile(r"The (?:word|wording|term|phrase|caption)\b[^.\"]{0,30} (?:is|was|says|reads) \"", re.IGNORECASE)
"""Words that somebody reads now, without those that they stand for."""
_PERSON = re.compile(r"(?:^|[.!;] )(?:He|She|His|Her)\b")
_HE = re.compile(r"\b(?:he|she)\b")
_THERE = re.compile(
    r"(?:[\w'’-]+ ){1,4}there[,.]|[^,.;]*\b(?:after|before|until) that (?:is|are|was|were|we|they|the)\b"
)
_NAMED = re.compile(r"(?<=\w )[A-Z][a-z]+\b|^[A-Z][a-z]+(?= (?:is|was|has|had|will|wants?|says?|said|\w+ed|\w+s)\b)")
"""A name, or a word that can be one."""
_SPEECH = re.compile(
    r"(?:The )?[A-Za-z]\w+ (?:says?|said|agree[sd]?|wants?|thinks?|answer(?:s|ed)|promise[sd]|offer(?:s|ed)?) "
)
_ENDS_BACK = re.compile(r"\b(?:because|on account|as a result|in spite) of (?:that|this)\.?$", re.IGNORECASE)
"""An end that means the sentence before."""
_MIN_TERMS = 4
"""Words of content of what somebody says that tells something by itself."""


def is_incomplete(text: str) -> bool:
    """Return whether a sentence names neither what it is about nor who does it; the one before does."""
    words = text.replace("’", "'")
    return bool(
        _points_at(words)
        or _QUANTITY.match(words)
        or _BOTH.search(words)
        or _DONE_TO.match(words)
        or _NO_SUBJECT.match(words)
        or _NEW_ONE.search(words)
        or _WITHOUT.match(words.lower())
        or _BY_THEN.match(words)
        or _NAMELESS_OBJECT.match(words)
        or _WORDING.match(words)
    )


def is_about_unnamed(text: str) -> bool:
    """Return whether a sentence begins with `He` or `She` where no one before it names a person."""
    found = _PERSON.search(text)
    return found is not None and not _NAMED.search(text[: found.start()])


def _points_there(text: str) -> bool:
    """Return whether a sentence means a person or a place of the one before: `..., and he stored it`."""
    found = _HE.search(text)
    return bool(_THERE.match(text)) or (found is not None and not _NAMED.search(text[: found.start()]))


def is_remainder(text: str) -> bool:
    """Return whether a sentence only goes on with the one before, such as `The yard says June.`"""
    leans = (
        _points_there(text)
        or _points_at(text)
        or _WITHOUT.match(text.lower())
        or _ENDS_BACK.search(text)
        or _BY_THEN.match(text)
        or _QUANTITY.match(text)
        or _NAMELESS_OBJECT.match(text)
    )
    return bool(leans) or (bool(_SPEECH.match(text)) and len(set(topic_terms(text))) < _MIN_TERMS)


def _points_at(words: str) -> bool:
    return bool(_POINTED_AT.match(words)) and not _OWN_NOUN.match(words)
