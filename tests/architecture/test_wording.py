"""The words that users read are plain English: pages, help, settings, keys, templates and messages.

The list grows by phrases that readers stumbled over. Lists of words to recognize in other texts are exempt.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from recall_tui.cli.command_table import COMMANDS, HIDDEN_COMMANDS
from recall_tui.setting_schema import OPEN_TABLES, PATH_RULES, SCHEMA
from recall_tui.storage.state.registry import ENTRIES

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = CHECKOUT / "recall_tui"
BANNED = (
    r"\bmend(s|ed|ing)?\b",
    r"\bshall\b",
    r"\banew\b",
    r"\bholds? no longer\b",
    r"\bno longer holds?\b",
    r"\bholds? (for safe|instead|what|nothing|something)\b",
    r"\bthat holds? (it|them)\b",
    r"\bheld against\b",
    r"\bstands? (in|below|above|beside|behind|before|where|here|there|on)\b",
    r"\bbears? out\b",
    r"\bleads? (to|out|nowhere|elsewhere|upward)\b",
    r"\b(lie|lies|lay) (in|below|beside|there|here|elsewhere|on)\b",
    r"\b(go|goes|gone|went) on with\b",
    r"\bcut short\b",
    r"\bnobody asked\b",
    r"\bweighs? on\b",
    r"\bmakes .{1,20} heavy\b",
    r"\bby which nothing\b",
    r"\bwhich memory this is\b",
    r"\bhow it is([.,;]|$)",
    r"\bmay have been written then\b",
    r"\bfewer or other words\b",
    r"\bcomes? near it\b",
    r"\bof which there is\b",
    r"\bthe very words\b",
    r"\btake(s|n)? in\b",
    r"\bpassed over\b",
    r"\bwhat of\b",
    r"\bwhat (makes|the memory shows|is heavy|of it|of them)\b",
    r"\bnothing weighs\b",
    r"\bbear(s|ing)? (the|a|its|no|what|up)\b",
    r"\bgone on with\b",
    r"\bor killed\b",
    r"\bthat mends it\b",
    r"\bcan be checked against its source\b",
    r"\bthe lines that hold it\b",
    r"\bnext holder\b",
    r"\bleft aside\b",
    r"\bput aside\b",
    r"\bunder the cursor\b",
    r"\bis (there|so) already\b",
    r"\btook back\b",
    r"\bmade again\b",
    r"\bnothing is (given|known|proven|asked|suggested)\b",
    r"\bof (yours|your own) to\b",
    r"\bwas to be (changed|done|made)\b",
    r"\bby themselves\b",
    r"\binjections?\b",
    r"(?<!there )\bis no (file|folder|memory|time|number|page|project|agent|layout|key|date|week|text)\b",
)
"""Patterns, in lower case; each has been in the program or its pages."""
LABELS = r"(what|which|whether|how|where|who|whose|when)\b"
"""A label is a noun or a verb, and no clause."""
PAGES = sorted(
    path.relative_to(CHECKOUT).as_posix()
    for pattern in (
        "*.md",
        "docs/*.md",
        *(f"templates/{name}/**/*.md" for name in ("agents", "commands", "memory", "rules", "skills")),
    )
    for path in CHECKOUT.glob(pattern)
)
LABELS_OF_SESSIONS = r"\btalks?\b"
"""A session is called a session in the app."""
WORD_LISTS = ("features/grounding/", "text/classify/")
"""Modules with words to recognize in other people's texts."""


def banned_in(text: str) -> list[str]:
    """Return the banned phrases of a text."""
    flat = " ".join(text.split()).lower()
    return [found[0] for pattern in BANNED if (found := re.search(pattern, flat))]


def helps(name: str, command: click.Command) -> Iterator[tuple[str, str]]:
    """Yield each help text of a command and its subcommands, by its place."""
    yield name, command.help or ""
    for param in command.params:
        yield f"{name} {param.opts[-1]}", getattr(param, "help", None) or ""
    for below in getattr(command, "commands", {}).values():
        yield from helps(f"{name} {below.name}", below)


def labels() -> Iterator[tuple[str, str]]:
    """Yield help texts, descriptions of settings and keys, and the table of state files."""
    for name, row in (COMMANDS | HIDDEN_COMMANDS).items():
        module, _, function = row.target.partition(":")
        yield name, row.help
        yield from helps(name, getattr(importlib.import_module(module), function))
    for setting in SCHEMA:
        yield setting.key, setting.help
    for rule in (*(one.reach for one in SCHEMA), *OPEN_TABLES.values(), *PATH_RULES.values()):
        yield "trust", rule.does
    for entry in ENTRIES:
        yield entry.path, entry.holds
    rows: list[tuple[str, str, str, str]] = importlib.import_module("recall_tui.tui.key_table").render_key_table()
    for key, text, where, _name in rows:
        yield f"{where} {key}", text


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the string literals of a module with a space in them, except docstrings."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield from [(node.lineno, node.value)] if " " in node.value.strip() else ()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_no_banned_phrase(page: str) -> None:
    assert banned_in((CHECKOUT / page).read_text(encoding="utf-8")) == []


def test_labels_have_no_banned_phrase() -> None:
    assert [(place, banned) for place, text in labels() if (banned := banned_in(text))] == []


def test_labels_are_no_clauses() -> None:
    assert [(place, text) for place, text in labels() if re.match(LABELS, text.lower())] == []


def test_messages_have_no_banned_phrase() -> None:
    found = [
        f"{path.relative_to(CHECKOUT)}:{line} {banned} in {text[:100]!r}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if not path.relative_to(PACKAGE).as_posix().startswith(WORD_LISTS)
        for line, text in messages(path)
        if (banned := banned_in(text))
    ]
    assert found == []


def test_the_app_calls_a_session_a_session() -> None:
    found = [
        f"{path.relative_to(CHECKOUT)}:{node.lineno} {node.value!r}"
        for path in sorted((PACKAGE / "tui").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(LABELS_OF_SESSIONS, node.value)
    ]
    assert found == []
