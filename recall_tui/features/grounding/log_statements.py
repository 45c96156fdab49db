"""The statements of a day's log as a page can use them: without its title, whole items, incidents with cause and fix."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recall_tui.features.grounding.joined_statements import join_dependent, join_incidents
from recall_tui.storage.documents import day_logs
from recall_tui.storage.documents.statements import Statement, is_item_line, page_statements

MAX_TITLE_CHARS = 40
MAX_TITLE_WORDS = 6
_TRIVIA = re.compile(
    r"\b(?:(?:weekly|monthly|status) report (?:is )?(?:sent|out|done|mailed)|cake|waffles?|pizza|ice cream|sandwich(?:es)?|lunch|birthday"
    r"|dentist|doctor's|at the doctor|flu shots?|vaccination|wedding|barbecue|coffee machine|(?:my|'s) (?:desk|chair)|kuchen|waffeln|zahnarzt"
    r"|(?:is|are|was|am|calls? in) (?:ill|sick|on (?:leave|vacation|holiday)|krank)|out of office|day off"
    r"|parental leave|geburtstag|lost (?:his|her) voice)\b",
    re.IGNORECASE,
)
"""Personal and recurring things, which are in no page of a period."""
_ASIDE = re.compile(r"\b(?:I|I'm|I've|(?i:my|suspect\w*|guess|perhaps|maybe|thank you|thanks))\b")
"""A guess, or words of the writer about the writer, which are no part of what an item states."""
_DATE_WORD = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"|(?<![a-z])(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|montag|dienstag"
    r"|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)[a-z]{0,6}\b\.?"
    r"(?=.*\d)|\b\d{1,2}\. ?\d{1,2}\.",
    re.IGNORECASE,
)


def log_statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a log in order, without entries of sessions; those that mean nothing apart are joined."""
    lines = text.split("\n")

    def is_item(one: Statement) -> bool:
        return is_item_line(lines[one.lines[0] - 1]) and not (has_trivia(one.text) or _ASIDE.search(one.text))

    def is_written(one: Statement) -> bool:
        return not day_logs.entry_text("\n".join(lines[one.lines[0] - 1 : one.lines[1]]))

    return join_incidents(join_dependent(filter(is_written, _below_title(text)), is_item))


def has_trivia(text: str) -> bool:
    """Return whether a line has something personal in it, or what every day has."""
    return bool(_TRIVIA.search(text))


def _below_title(text: str) -> Iterator[Statement]:
    """Yield the statements without a title that is no heading: the day, and who writes."""
    for at, one in enumerate(page_statements(text)):
        if at or not _is_title(one):
            yield one


def _is_title(one: Statement) -> bool:
    is_short = len(one.text) <= MAX_TITLE_CHARS and len(one.text.split()) <= MAX_TITLE_WORDS
    return is_short and not one.heading and not one.cited and bool(_DATE_WORD.match(one.text))
