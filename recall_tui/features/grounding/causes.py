"""Reasons that a claim gives and its source does not."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.features.grounding.everyday_words import words
from recall_tui.features.grounding.parsed_text import ParsedText
from recall_tui.features.grounding.tokens import Token

_CAUSAL = words("because since due owing")
_MARKERS = words("because since due owing so as therefore thus hence cause reason led")
_SUBJECTS = words("it they the a an this that there he she we i its their his her no")
_MAX_NEW_SHARE = 0.34
_MIN_SHARED_SHARE = 0.34


def cause_reasons(claim: ParsedText, source: ParsedText) -> Iterator[str]:
    """Yield the causes that the source gives no word of, or for which it gives others."""
    for reason in _causes(claim):
        if not reason:
            continue
        known = [token for token in reason if source.vocabulary.has(token)]
        words = " ".join(token.text for token in reason)
        if len(reason) - len(known) > _MAX_NEW_SHARE * len(reason):
            yield f"the source does not give the reason {words!r}"
            continue
        given = [cause for cause in _causes(source) if cause]
        if len(given) == 1 and not _is_part_of(reason, given[0]) and not _has_consequence(source):
            yield f"the source gives another reason than {words!r}"


def _is_part_of(reason: list[Token], given: list[Token]) -> bool:
    keys = {token.key for token in given}
    return sum(token.key in keys for token in reason) >= _MIN_SHARED_SHARE * len(reason)


def _has_consequence(source: ParsedText) -> bool:
    """Return whether the source draws a conclusion as well: what stands before it is a reason, too."""
    return any(token.text in ("so", "therefore", "thus", "hence", "cause") for token in source.tokens)


def _causes(said: ParsedText) -> Iterator[list[Token]]:
    """Yield the content of what follows each word that announces a cause, to the end of its sentence."""
    tokens = said.tokens
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        is_cause = token.text in _CAUSAL or (
            token.text == "as"
            and at > 0
            and tokens[at - 1].part != token.part
            and following is not None
            and following.text in _SUBJECTS
        )
        if not is_cause or (token.text == "since" and following is not None and following.value is not None):
            continue
        unit = token.unit
        is_first = at == 0 or tokens[at - 1].unit != unit
        end = next(
            (
                place
                for place in range(at, len(tokens))
                if tokens[place].unit != unit or (is_first and tokens[place].part != token.part)
            ),
            len(tokens),
        )
        yield [one for one in tokens[at + 1 : end] if not one.is_empty and one.text not in _MARKERS]
