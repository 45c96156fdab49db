"""A weekly or monthly page: its sources in frontmatter, and the text derived from them below.

We read what the published design writes, and it reads what we write. Our additional keys record the versions of the
sources, and whether somebody has changed the text since.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from types import MappingProxyType
from typing import Literal, NamedTuple

from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.markdown import frontmatter

PeriodKind = Literal["weekly", "monthly"]
MIN_CHILDREN: Mapping[PeriodKind, int] = MappingProxyType({"weekly": 3, "monthly": 2})
"""Days with a log that make a week, weeks that make a month; an existing page is refreshed with fewer."""
_DIGEST_DIGITS = 16
"""Hex digits of a digest in the frontmatter."""
_OWN_KEYS = ("type", "period", "pointers", "salience", "made_from", "made_by", "hash")


class Period(NamedTuple):
    """A week from Monday on, or a month."""

    span: PeriodKind
    first: date
    last: date

    @property
    def key(self) -> str:
        """The name of its page: `2026-W10` (ISO week) or `2026-03`."""
        if self.span == "monthly":
            return f"{self.first:%Y-%m}"
        year, week, _ = self.first.isocalendar()
        return f"{year}-W{week:02d}"

    @property
    def title(self) -> str:
        """The heading of its page."""
        return f"Week {self.key}" if self.span == "weekly" else self.key


def iso_week(day: date) -> Period:
    """Return the ISO week that contains the day."""
    monday = day - timedelta(days=day.weekday())
    return Period("weekly", monday, monday + timedelta(days=6))


def month_containing(day: date) -> Period:
    """Return the month that contains the day."""
    first = day.replace(day=1)
    return Period("monthly", first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1))


def month_of_week(monday: date) -> Period:
    """Return the month of a week: that of its Thursday, as ISO 8601 does with years."""
    return month_containing(monday + timedelta(days=3))


@dataclass(frozen=True, slots=True)
class PeriodPage:
    """A parsed page."""

    span: PeriodKind
    period: str
    pointers: tuple[str, ...]
    """The source documents, relative to the memory's root, oldest first."""
    salience: Mapping[str, float]
    """The share of each source in the page; they add up to 1."""
    body: str
    made_from: Mapping[str, str] = field(default_factory=dict)
    """Digests of the sources at that time; empty when somebody else made the page."""
    made_by: str = ""
    """`extract`, or the name of the model that wrote it."""
    seal: str = ""
    """Digest of the body as written."""
    extra: Mapping[str, object] = field(default_factory=dict)
    """Other frontmatter values; they are preserved."""

    @property
    def is_edited(self) -> bool:
        """Return whether its text is not as we wrote it: somebody else's, or changed since."""
        return self.seal != text_digest(self.body)

    def is_of(self, children: Mapping[str, str]) -> bool:
        """Return whether it was made from exactly these documents (texts by path)."""
        return self.made_from == {path: text_digest(text) for path, text in children.items()}


def text_digest(text: str) -> str:
    """Return the digest of a text for a page's frontmatter."""
    return content_digest(text.strip())[:_DIGEST_DIGITS]


def parse_period_page(text: str, period: Period) -> PeriodPage:
    """Parse the page of that period, whoever wrote it."""
    values, body = frontmatter.split_frontmatter(text)
    pointers, salience, made = values.get("pointers"), values.get("salience"), values.get("made_from")
    return PeriodPage(
        period.span,
        period.key,
        tuple(map(str, pointers)) if isinstance(pointers, list) else (),
        {str(path): float(share) for path, share in salience.items() if isinstance(share, int | float)}
        if isinstance(salience, dict)
        else {},
        body,
        {str(path): str(one) for path, one in made.items()} if isinstance(made, dict) else {},
        str(values.get("made_by") or ""),
        str(values.get("hash") or ""),
        {key: value for key, value in values.items() if key not in _OWN_KEYS},
    )


def render_period_page(page: PeriodPage) -> str:
    """Render the page with the checksum of its text."""
    values: dict[str, object] = {
        "type": page.span,
        "period": page.period,
        "pointers": list(page.pointers),
        "salience": round_shares(page.salience),
    }
    if page.made_from:
        values |= {"made_from": dict(page.made_from), "made_by": page.made_by, "hash": text_digest(page.body)}
    return frontmatter.join_frontmatter({**values, **page.extra}, page.body)


def round_shares(shares: Mapping[str, float]) -> dict[str, float]:
    """Round shares to two decimals and keep their sum: the largest remainders are rounded up."""
    exact = {path: share * 100 for path, share in shares.items()}
    whole = {path: int(share) for path, share in exact.items()}
    missing = round(sum(exact.values())) - sum(whole.values())
    for path in sorted(exact, key=lambda path: whole[path] - exact[path])[:missing]:
        whole[path] += 1
    return {path: share / 100 for path, share in whole.items()}
