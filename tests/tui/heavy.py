"""A MEMORY.md over its budget with something of every kind that weighs."""

from __future__ import annotations


def _section(title: str, lines: int) -> str:
    return f"## {title}\n\n" + "".join(f"- {title} fact {n} about thing {n * 7}\n" for n in range(lines - 3)) + "\n"


HEAVY = (
    "# Memory\n\n<!-- Curated facts only. Keep under 200 lines. -->\n\nLead-in of the person.\n\n"
    + _section("Debugging", 70)
    + _section("Deploys", 55)
    + "## Empty one\n\n<!-- nothing yet -->\n\n"
    + _section("Testing", 24)
    + _section("Commands", 45)
    + "## Habits\n\n- We deploy on Fridays after the review.\n- Keys were rotated on 2026-01-12.\n"
    + "- Every test cleans up after itself, whatever happens in between.\n\n"
    + "## Ways\n\n* we deploy on fridays, after the review\n- Small pull requests.\n"
)
"""214 lines: three long sections, an empty one, a template comment, an old line, and one that is said twice."""
