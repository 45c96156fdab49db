"""Installing pieces into texts, as an installation does with files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from recall_tui.agents.target import Piece, State, Target
from recall_tui.agents.targets.agents_md import AgentsMdTarget
from recall_tui.agents.targets.aider import AiderTarget
from recall_tui.agents.targets.codex import CodexTarget
from recall_tui.agents.targets.cursor import CursorTarget
from recall_tui.agents.targets.gemini import GeminiTarget
from recall_tui.agents.targets.windsurf import WindsurfTarget

TARGETS: tuple[Target, ...] = (
    CodexTarget(),
    GeminiTarget(),
    CursorTarget(),
    WindsurfTarget(),
    AiderTarget(),
    AgentsMdTarget(),
)
SCOPED = [(target, scope) for target in TARGETS for scope in target.scopes]
Files = dict[Path, str]


def installed(pieces: Iterable[Piece], files: Files) -> Files:
    """The files with every piece in them."""
    after = dict(files)
    for piece in pieces:
        after[piece.path] = piece.installed(after.get(piece.path))
    return after


def removed(pieces: Iterable[Piece], files: Files) -> Files:
    """The files with every piece taken out; those that were made for them are gone."""
    after = dict(files)
    for piece in pieces:
        if piece.path not in after:
            continue
        left = piece.removed(after[piece.path])
        if left is None:
            del after[piece.path]
        else:
            after[piece.path] = left
    return after


def states(pieces: Iterable[Piece], files: Files) -> list[State]:
    """How each piece is in the files."""
    return [piece.state(files.get(piece.path)) for piece in pieces]


def name_of(value: object) -> str:
    """What a test's case is called by: a target's name, or the word itself."""
    return value if isinstance(value, str) else str(getattr(value, "name", ""))
