"""What is done on a memory that means no good while a terminal looks on: commands by their words, keys by screens."""

from __future__ import annotations

from tests.qa.trust.hostile_memory import WORD
from tests.qa.trust.hostile_terminal import MARK, NAME
from tests.qa.trust.hostile_text import READING, SAYING
from tests.qa.trust.soaking import ROUNDS

Words = tuple[str, ...]
_PAGE = f"memory/wiki/{NAME}.md"
_OUT: tuple[Words, ...] = (
    ("export", "memory"), ("export", "1", "--format", "html"), ("export", "evil", "1", "--format", "json"),
    ("export", "--search", WORD), ("--json", "search", "--ranked", WORD), ("--json", "show", "1"),
    ("--json", "list", "all"), ("--verbose", "sync"),
    ("search", "--ranked", "--json", "--batch", "{root}/memory/MEMORY.md"),
    ("log", f"### words {MARK} {NAME}"), ("--help",), ("search", "--help"), ("init", "{root}", "--dry-run"),
    ("install", "claude", "--dry-run"), ("agents",), ("undo", "--list"), ("undo",), ("redo",),
    ("doctor", "--fix", "--dry-run"),
)  # fmt: skip
_NAMED: tuple[Words, ...] = (
    (NAME,), (f"--{NAME}",), ("show", NAME), ("show", f"{NAME}:1-{NAME}"), ("read", NAME),
    ("read", f"topics/{NAME}.md"),
    ("archive", f"{{root}}/{NAME}.jsonl"),
    ("archive", "{root}/memory/MEMORY.md", f"{{root}}/{_PAGE}"),
    ("add", f"{{root}}/{_PAGE}"), ("import", f"{{root}}/{NAME}"), ("forget", NAME), ("export", NAME),
    ("export", "memory", "--to", f"{{root}}/../{NAME}.md"), ("config", "get", NAME), ("config", "set", NAME, NAME),
    ("config", "set", "theme", NAME), ("config", "set", "memory.max_lines", NAME), ("wiki", "show", NAME),
    ("wiki", "stub", NAME, "--description", NAME, "--category", NAME), ("review", "accept", NAME), ("search", NAME),
    ("search", "--ranked", "--at", NAME, "--since", NAME, WORD), ("recall", "--scope", NAME, WORD), ("undo", NAME),
    ("remember", f"a word {NAME}", "--topic", NAME), ("doctor", "--restore", NAME), ("archive", "--session", NAME),
)  # fmt: skip
SHORT: tuple[Words, ...] = (
    ("sync",), ("status",), ("search", WORD), ("search", "--ranked", "--explain", WORD), ("show", "memory"),
    ("show", "1"), ("read", "evil"), ("list", "all"), ("consume",), ("doctor",), ("distill",), ("wiki", "list"),
    ("wiki", "lint"), ("review",), ("review", "show", "{proposal}"), ("config", "show"),
    ("archive", "--all-unarchived"),
    ("undo", "--list"), ("recall", "--raw", WORD), *_OUT[:5], *_NAMED[:8],
)  # fmt: skip
CALLED: tuple[Words, ...] = (*READING, *_OUT, *_NAMED)
"""Every command that prints, then what it is given by name."""
SAID = SAYING
"""What tells of settings."""
BRIEF: tuple[Words, ...] = (
    ("2",), ("3",), ("4", "Down"), ("5",), ("6",), ("?", "Escape"), ("1", "/", *WORD[:2], "Down", "Enter", "y"),
)  # fmt: skip
OF_SETTINGS: tuple[Words, ...] = (("7", "Down", "End", "Enter"), ("Escape", "6"))
"""The screens that show settings."""
WALKED: tuple[Words, ...] = tuple(
    tuple(key for one in keys for key in (WORD[:5] if one == "WORD" else (one,))) for keys in ROUNDS
)
"""Every screen, reader, search, dialog and help."""
