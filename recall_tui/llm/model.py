"""The interface of a language model: a request in, a completion or a failure out.

No exception crosses it: a slow, broken or missing model returns a `Failure`, and the caller continues without a model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

CHARS_PER_TOKEN = 4
"""An estimate for English text in common tokenizers, good enough for a budget."""
_MAX_TOKEN_COUNT = 10**12
"""A larger count from a provider is treated as an error."""
JsonSchema = Mapping[str, Any]


class Usage(NamedTuple):
    """The tokens and the cost of a call."""

    asked: int
    """Prompt tokens."""
    answered: int
    """Completion tokens."""
    cost: float | None = None
    """US dollars; None when unknown."""
    is_estimated: bool = False
    """The provider reports no tokens; they are estimated from the number of characters."""

    @property
    def tokens(self) -> int:
        """Return the sum of prompt and completion tokens."""
        return self.asked + self.answered


class Completion(NamedTuple):
    """A model's response."""

    text: str
    usage: Usage
    model: str = ""
    """The name reported by the provider; empty when it reports none."""


class Failure(NamedTuple):
    """The reason that there is no response."""

    reason: str
    """A single line to show, without secrets and control characters."""
    hint: str = ""
    """The next step for the user."""
    usage: Usage | None = None
    """The tokens spent regardless, when known."""
    is_refusal: bool = False
    """No call was made: a limit is reached, or there is no model."""

    @property
    def words(self) -> str:
        """Return the reason and the hint as one message."""
        return f"{self.reason}; {self.hint}" if self.hint else self.reason


def never_cancelled() -> bool:
    """Return False: the default `is_cancelled`."""
    return False


@runtime_checkable
class Model(Protocol):
    """A language model of this package or of a plugin (entry point group `recall_tui.models`)."""

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
        """Return the response to `prompt`; with a `schema`, JSON that the provider was asked to constrain, not
        validated.

        Returns within its configured timeout, soon after `is_cancelled` returns True, and leaves no process running.
        """


def provider_usage(asked: object, answered: object, cost: object = None) -> Usage | None:
    """Return the usage reported by a provider; None when it reports no valid token counts."""
    if (of_question := _token_count(asked)) is None or (of_answer := _token_count(answered)) is None:
        return None
    return Usage(of_question, of_answer, _number(cost))


def estimate_usage(asked: str, answered: str) -> Usage:
    """Estimate the usage of a call from the number of characters."""
    return Usage(_tokens(asked), _tokens(answered), is_estimated=True)


estimated, never = estimate_usage, never_cancelled
"""Aliases that plugins import."""


def _token_count(value: object) -> int | None:
    """Return the token count; None for an invalid value."""
    number = _number(value)
    return None if number is None else int(number)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= _MAX_TOKEN_COUNT else None


def _tokens(text: str) -> int:
    return -(-len(text) // CHARS_PER_TOKEN)
