"""The words, names, numbers and dates of a claim that its source lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recall_tui.features.grounding.everyday_words import EMPTY, words
from recall_tui.features.grounding.quantities import Day, Quantity
from recall_tui.features.grounding.tokens import LETTER, Token, is_everyday, word_key

NOT_IN_SOURCE = "not in the source"
"""The end of the reasons that name a missing word."""
MAX_NEW_SHARE = 0.5
"""Of a claim's words that mean something, the everyday ones that its source may lack."""
_FIRST_PERSON = words("i we my our me us")
PEOPLE = words("user person agent assistant author developer team speaker")
"""Who may be speaking where somebody says "I"."""
_ACHIEVING = ("check", "approve", "merge", "deploy", "finish", "implement", "revert", "remove", "fix", "rename")
ACHIEVED = frozenset(map(word_key, _ACHIEVING))
"""Keys of deeds that no other word stands for."""
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)$")
_SPLIT = re.compile(r"[^\w]+|_")
_WORDED = {
    "both": 2.0,
    "once": 1.0,
    "single": 1.0,
    "a": 1.0,
    "an": 1.0,
    "no": 0.0,
    "none": 0.0,
    "nothing": 0.0,
    "pair": 2.0,
}
_AGAIN = words("again second double doubled duplicate duplicated redundant redundantly both")
_EXTENSIONS = words(
    "go py js ts tsx jsx md rs rb ex java json jsonl yaml yml toml sh txt html css c h cpp sql lock log csv xml ini cfg"
)
"""Ends of the names of files, which many have."""
_MIN_PREFIX = 4
"""Letters of a word by which its longer forms are told."""
_REWORDING = re.compile(r"(?:ly|ed|ing|ize[sd]?|ise[sd]?)$")


class Vocabulary:
    """What a source can be asked for."""

    def __init__(self, tokens: Sequence[Token], *, has_speaker: bool = False) -> None:
        self.keys = {token.key for token in tokens if token.key}
        self.texts = {token.text.lower().removesuffix("()") for token in tokens}
        self.values = [token.value for token in tokens if token.value is not None]
        self.parts = {part for text in self.texts for part in _SPLIT.split(text) if part}
        if has_speaker or self.texts & _FIRST_PERSON:
            self.texts |= PEOPLE
            self.keys |= PEOPLE
        self.joined = {text.replace("-", "").replace("_", "") for text in self.texts}

    def has(self, token: Token) -> bool:
        """Return whether the source has the token, in whatever form."""
        if isinstance(token.value, Day):
            return any(isinstance(one, Day) and token.value.matches(one) for one in self.values)
        if isinstance(token.value, Quantity):
            return self._has_quantity(token, token.value)
        if token.key.startswith(LETTER):
            return token.key in self.keys
        if ordinal := _ORDINAL.match(token.text):
            return token.key in self.keys or ordinal[1] in self.parts
        if (
            token.key in self.keys
            or token.text.lower() in self.parts
            or token.text.lower().replace("-", "") in self.joined
        ):
            return True
        pieces = [piece for piece in _SPLIT.split(token.text.lower()) if piece]
        if len(pieces) > 1:
            if "." in token.text and self._is_elsewhere(token.text.lower()):
                return False
            if "/" in token.text and self._is_beside(token.text.lower()):
                return False
            return all(piece in self.parts or word_key(piece) in self.keys for piece in pieces if piece not in EMPTY)
        return token.kind == "word" and self._has_relative(token.key)

    def _is_elsewhere(self, text: str) -> bool:
        """Return whether the source has the last name of a dotted one only behind another prefix."""
        last = text.rpartition(".")[2]
        ends = [one for one in self.texts if one.rpartition(".")[2] == last]
        return (
            last not in _EXTENSIONS
            and bool(ends)
            and all("." in one and not one.endswith(text) and not text.endswith(one) for one in ends)
        )

    def _is_beside(self, text: str) -> bool:
        """Return whether the source has another thing in the folder of a path, and not this one."""
        folder = text[: text.rindex("/") + 1]
        paths = [one for one in self.texts if one.startswith(folder) and len(folder) > 1]
        return bool(paths) and not any(one.startswith(text) for one in paths)

    def _has_quantity(self, token: Token, value: Quantity) -> bool:
        known = [one for one in self.values if isinstance(one, Quantity)]
        if any(value.matches(one) for one in known):
            return True
        if not value.kind:
            worded = {number for word, number in _WORDED.items() if word in self.texts}
            text = token.text.lower()
            written = text in self.parts or (text == "twice" and not self.texts.isdisjoint(_AGAIN))
            return written or value.value in worded or any(one.bare == value.value for one in known)
        return False

    def _has_relative(self, key: str) -> bool:
        """Return whether a word that this one continues, or that continues it, stands in the source."""
        if len(key) < _MIN_PREFIX:
            return False
        return any(len(one) >= _MIN_PREFIX and (one.startswith(key) or key.startswith(one)) for one in self.keys)


def missing_words(claim: Sequence[Token], source: Vocabulary) -> Iterator[str]:
    """Yield what the claim names and the source does not; too many everyday words of its own count as well."""
    new: list[str] = []
    counted = 0
    for place, token in enumerate(claim):
        if token.is_empty or (token.text.lower() == "one" and _is_pronoun(claim, place)):
            continue
        counted += 1
        if source.has(token):
            continue
        if token.value is not None:
            yield f"{'date' if token.kind == 'date' else 'number'} {token.text!r} is {NOT_IN_SOURCE}"
        elif token.key in ACHIEVED and token.text.endswith("ed"):
            yield f"the source does not say {token.text!r}"
        elif token.kind == "word" and (is_everyday(token.key) or _REWORDING.search(token.text)):
            new.append(token.text)
        else:
            yield f"name {token.text!r} is {NOT_IN_SOURCE}"
    if new and len(new) > MAX_NEW_SHARE * counted:
        yield f"words {', '.join(new)} are {NOT_IN_SOURCE}"


def _is_pronoun(claim: Sequence[Token], place: int) -> bool:
    """Return whether "one" stands for a thing and counts nothing."""
    after = claim[place + 1] if place + 1 < len(claim) else None
    return after is None or after.is_empty or after.part != claim[place].part


_QUOTED = re.compile(r'"([^"\n]{2,200})"')
_LETTERS = re.compile(r"[\W_]+")


def missing_quotations(claim: str, source: str) -> Iterator[str]:
    """Yield the quotations of a claim that the source does not have word for word."""
    whole = _LETTERS.sub(" ", source).casefold()
    for quoted in _QUOTED.findall(claim):
        if _LETTERS.sub(" ", quoted).casefold().strip() not in whole:
            yield f"{quoted!r} is quoted, and {NOT_IN_SOURCE}"
