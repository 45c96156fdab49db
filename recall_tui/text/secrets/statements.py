"""Find secrets that a sentence or a command states after their name: `creds are bob / …`, `gh secret set NAME --body
…`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.commands import is_password_value
from recall_tui.text.secrets.value_positions import is_random_word

_QUOTE = r"\\{0,7}[\"'`]?"
_USER_AND_PASSWORD = lazy_pattern(
    rf"(?: are| is|:) {_QUOTE}[\w.@+-]{{1,64}}{_QUOTE} ?/ ?{_QUOTE}([^\s\"'`/\\]{{6,128}})"
)
_CHANGED = lazy_pattern(rf" from {_QUOTE}([^\s\"'`\\]{{4,128}}){_QUOTE} to {_QUOTE}([^\s\"'`\\]{{6,128}})")
_SET = lazy_pattern(
    rf" set [A-Za-z_]\w{{0,100}}(?: [^\n;|]{{0,80}}?)?? (?:--body|-b)(?:=| ){_QUOTE}([^\s\"'`\\]{{6,4096}})"
)
"""GitHub's command (https://cli.github.com/manual/gh_secret_set)."""


def statement_secrets(text: str, word: str, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the secrets after the name whose last part is `word` and which ends at `end`."""
    if word.startswith("cre") and (pair := _USER_AND_PASSWORD.match(text, end)):
        yield from (("credential", *span) for span in _random_words(pair))
    elif word.startswith("p") and (changed := _CHANGED.match(text, end)):
        yield from (("password", *span) for span in _random_words(changed))
    elif word == "cret" and (given := _SET.match(text, end)) and is_password_value(given[1]):
        yield "secret", *given.span(1)


def _random_words(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the groups that are random, without final punctuation."""
    for number, group in enumerate(match.groups(), 1):
        word = group.rstrip(".,;:!?)")
        if is_random_word(word):
            yield match.start(number), match.start(number) + len(word)
