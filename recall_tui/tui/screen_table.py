"""The table of the app's screens: its keys, its tabs and its palette are made from it.

A screen's module is imported when it is first visited.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from recall_tui.tui.page import Page


@dataclass(frozen=True, slots=True)
class ScreenSpec:
    """One screen."""

    number: int
    """The key that opens it."""
    name: str
    title: str
    target: str
    """`module:Class`"""
    help: str
    """What it is for, in one sentence."""


SCREENS = (
    ScreenSpec(
        1, "home", "Home", "recall_tui.tui.screens.home.screen:Home", "Search and browse everything in this memory"
    ),
    ScreenSpec(
        2, "distill", "Distill", "recall_tui.tui.screens.distill.screen:Distill", "Keep MEMORY.md under its budget"
    ),
    ScreenSpec(
        3,
        "timeline",
        "Timeline",
        "recall_tui.tui.screens.timeline.screen:TimelineScreen",
        "Browse sessions and pages by date",
    ),
    ScreenSpec(4, "wiki", "Wiki", "recall_tui.tui.screens.wiki.screen:WikiScreen", "Read and edit pages by topic"),
    ScreenSpec(
        5, "review", "Review", "recall_tui.tui.screens.review.screen:Review", "Accept or dismiss proposed changes"
    ),
    ScreenSpec(
        6,
        "health",
        "Health",
        "recall_tui.tui.screens.health.screen:HealthScreen",
        "Check that everything works",
    ),
    ScreenSpec(
        7,
        "settings",
        "Settings",
        "recall_tui.tui.screens.settings.screen:Settings",
        "Show and change settings",
    ),
)
DEFAULT_SCREEN = SCREENS[0]
"""What the app opens with."""


def load_screen(entry: ScreenSpec) -> type[Page]:
    """The screen's class."""
    module, _, name = entry.target.partition(":")
    return cast("type[Page]", getattr(importlib.import_module(module), name))
