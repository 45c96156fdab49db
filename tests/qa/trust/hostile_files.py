"""A project that others wrote, of every layout, with things that are no documents in every place of one.

What each link leads to holds a word of its own, so that whoever hands one on is known by it.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.storage.layout import Layout
from recall_tui.workbench import Workbench
from tests.makers import bench_at

SPARSE_BYTES = 1 << 40
PRIVATE = "stolenword"
"""The beginning of each word that is nobody's business."""
DOCUMENT = """---
title: {word}
type: user
description: {word}
category: person
session_id: {word}
---
# {word}

## Context

We settled {word}. It was 2026-03-05.

## Tracking Points

- Decision: {word}
"""
MANIFESTS = {
    "package.json": '{{"name": "{word}", "scripts": {{"{word}": "x"}}}}',
    "pyproject.toml": '[project]\nname = "{word}"',
    "Cargo.toml": '[package]\nname = "{word}"', "go.mod": "module {word}",
}  # fmt: skip
AROUND = (
    "AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursor/rules/x.mdc", ".windsurf/rules/x.md", ".claude/rules/x.md",
    ".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json", ".gemini/settings.json",
    ".aider.conf.yml", "CONVENTIONS.md", "PLAN.md", "_docs/plan.md", "_docs/deep/notes.txt", ".recallignore",
    ".git/HEAD", ".git/config",
)  # fmt: skip
"""Files of a project beside its memory that somebody reads."""


def documents_of(layout: Layout) -> list[Path]:
    """Every place that a document of the memory may have, of each kind one; not the fixed documents."""
    archives = [place.folder / f"{place.prefix}-007.md" for place in layout.archives]
    summaries = [layout.summaries / "aaaa-bbbb.md"] if layout.summaries else []
    named = [
        layout.topics / "topic.md", layout.days / "2026-03-05.md", layout.weekly / "2026-W10.md",
        layout.monthly / "2026-02.md", layout.wiki / "evil.md", layout.wiki / "index.md", layout.base / "user_me.md",
        layout.base / "insights" / "2026-03-05.md", layout.base / ".archive" / "typed-memories" / "user_me.md",
        layout.base / "frontend" / "master.md", layout.base / "frontend" / "conversations" / "cccc.md",
        layout.base / ".synthesis-state.json", layout.base / "search-log.jsonl",
    ]  # fmt: skip
    return list(dict.fromkeys((*archives, *summaries, *named)))


def fixed_of(layout: Layout) -> list[Path]:
    """The fixed documents, and the settings."""
    return [*layout.fixed_files(), layout.config]


def folders_of(layout: Layout) -> list[Path]:
    """The folders below the memory's."""
    found = [path.parent for path in documents_of(layout)] + [layout.root / "_docs"]
    return [one for one in dict.fromkeys(found) if one not in (layout.base, layout.root)]


def beside(layout: Layout) -> list[Path]:
    """The files of the project that are none of the memory's."""
    return [layout.root / name for name in (*AROUND, *MANIFESTS)]


def cloned(environment: Environment, name: LayoutName) -> Workbench:
    """A memory of the layout in the working folder, as a clone has it."""
    root = environment.cwd / ".claude" if name == "user" else environment.cwd
    if name == "claude-project":
        root = environment.cwd / ".claude" / "projects" / "-home-u-api"
    return bench_at(environment, name, root)


class Laid:
    """Things that are laid, each with the word that must not be found."""

    def __init__(self, outside: Path) -> None:
        self.outside = outside
        self.words: dict[str, Path] = {}
        self.sparse: set[Path] = set()

    def private(self, path: Path) -> Path:
        """A private file that looks like what is wanted at `path`."""
        word = f"{PRIVATE}{len(self.words):03d}"
        self.words[word] = path
        self.outside.mkdir(exist_ok=True)
        target = self.outside / f"{len(self.words):03d}{path.suffix or '.txt'}"
        shape = MANIFESTS.get(path.name, DOCUMENT)
        target.write_text(shape.format(word=word), encoding="utf-8")
        return target

    def lay(self, path: Path, thing: str) -> None:
        """Put the thing there, whatever was there."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        _THINGS[thing](self, path)

    def lay_folder(self, folder: Path) -> None:
        """Make the folder a link to one elsewhere, which holds what a folder of its kind may hold."""
        there = self.outside / f"folder{len(self.words):03d}"
        there.mkdir(parents=True)
        for name in ("topic.md", "2026-03-05.md", "2026-W10.md", "2026-02.md", "evil.md", "user_me.md", "aaaa-bbbb.md",
                     "conversation-007.md", "archive-log-007.md", "master.md", "plan.md"):  # fmt: skip
            word = f"{PRIVATE}{len(self.words):03d}"
            self.words[word] = folder / name
            (there / name).write_text(DOCUMENT.format(word=word), encoding="utf-8")
        folder.parent.mkdir(parents=True, exist_ok=True)
        if folder.is_dir():
            folder.rename(folder.with_name(f"{folder.name}-was"))
        folder.symlink_to(there)

    def found_in(self, data: bytes) -> Iterator[str]:
        """The places whose word is in it."""
        if PRIVATE.encode() in data:
            yield from (str(path) for word, path in self.words.items() if word.encode() in data)


def _socket(_: Laid, path: Path) -> None:
    folder = os.open(path.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(f"/proc/self/fd/{folder}/{path.name}")
    os.close(folder)


def _sparse(laid: Laid, path: Path) -> None:
    laid.sparse.add(path)
    path.touch()
    os.truncate(path, SPARSE_BYTES)


def _chain(laid: Laid, path: Path) -> None:
    on = laid.outside / f"on{len(laid.words):03d}{path.suffix}"
    on.symlink_to(laid.private(path))
    path.symlink_to(on)


_THINGS: dict[str, Callable[[Laid, Path], object]] = {
    "link": lambda laid, path: path.symlink_to(laid.private(path)),
    "relative link": lambda laid, path: path.symlink_to(os.path.relpath(laid.private(path), path.parent)),
    "chain": _chain,
    "ring": lambda _, path: path.symlink_to(path.name),
    "dangling": lambda laid, path: path.symlink_to(laid.outside / "none" / path.name),
    "zeros": lambda _, path: path.symlink_to("/dev/zero"),
    "pipe": lambda _, path: os.mkfifo(path),
    "socket": _socket,
    "folder": lambda _, path: path.mkdir(),
    "sparse": _sparse,
}
THINGS = tuple(_THINGS)
