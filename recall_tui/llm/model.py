"""A language model as everything here knows it: a question in, an answer or a reason out.

Nothing is raised past it: a model that is slow, broken or not there is a `Failure`, and whoever asked goes on without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

CHARS_PER_TOKEN = 4
"""English text in common tokenizers, near enough for a budget."""
_MAX_TOKEN_COUNT = 10**12
"""Beyond which a provider's count is a mistake."""
JsonSchema = Mapping[str, Any]


class Usage(NamedTuple):
    """What a call took."""

    asked: int
    """Tokens of the question."""
    answered: int
    """Tokens of the answer."""
    cost: float | None = None
    """US dollars; None when nobody said."""
    is_estimated: bool = False
    """The provider counts nothing: the tokens are from the number of characters."""

    @property
    def tokens(self) -> int:
        """Tokens in all."""
        return self.asked + self.answered


class Completion(NamedTuple):
    """What a model answered."""

    text: str
    usage: Usage
    model: str = ""
    """As the provider names it; empty when it does not say."""


class Failure(NamedTuple):
    """Why there is no answer."""

    reason: str
    """One line for a person, without secrets and without control characters."""
    hint: str = ""
    """What to do about it."""
    usage: Usage | None = None
    """What was spent all the same, when that is known."""
    is_refusal: bool = False
    """Nobody was asked: a limit is reached, or there is no model."""

    @property
    def words(self) -> str:
        """The reason, and what to do about it."""
        return f"{self.reason}; {self.hint}" if self.hint else self.reason


def never_cancelled() -> bool:
    """Go on: the answer of an `is_cancelled` that nobody gave."""
    return False


@runtime_checkable
class Model(Protocol):
    """A language model, of this package or of another (entry point group `recall_tui.models`)."""

    @property
    def name(self) -> str:
        """Provider and model for the ledger, such as `claude/haiku`."""

    def complete(
        self,
        prompt: str,
        system: str = "",
        schema: JsonSchema | None = None,
        max_tokens: int = 1_000,
        *,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> Completion | Failure:
        """The answer to `prompt`; with a `schema`, JSON that a provider was asked to make so, unchecked.

        It ends by itself within the time it was made with, soon after `is_cancelled` says so, and leaves no process.
        """


def provider_usage(asked: object, answered: object, cost: object = None) -> Usage | None:
    """What a provider says that a call took; None when it says nothing that can be counted."""
    if (of_question := _token_count(asked)) is None or (of_answer := _token_count(answered)) is None:
        return None
    return Usage(of_question, of_answer, _number(cost))


def estimate_usage(asked: str, answered: str) -> Usage:
    """What a call took, by the number of characters."""
    return Usage(_tokens(asked), _tokens(answered), is_estimated=True)


estimated, never = estimate_usage, never_cancelled
"""Names by which packages of others import them."""


def _token_count(value: object) -> int | None:
    """A number of tokens; None for what cannot be one."""
    number = _number(value)
    return None if number is None else int(number)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= _MAX_TOKEN_COUNT else None


def _tokens(text: str) -> int:
    return -(-len(text) // CHARS_PER_TOKEN)
