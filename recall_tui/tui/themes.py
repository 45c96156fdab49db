"""The app's own themes: a dark one, a light one and one of high contrast.

Every colour of the app is a variable of a theme, so each of Textual's themes works as well.
"""

from __future__ import annotations

from textual.theme import Theme

_QUIET = {
    "block-cursor-text-style": "none",
    "footer-background": "transparent",
    "footer-item-background": "transparent",
}

DARK = Theme(
    name="recall-dark",
    primary="#7fa7e8",
    secondary="#a3b0c9",
    accent="#7fa7e8",
    success="#84b98a",
    warning="#d9b26a",
    error="#df7c80",
    foreground="#d3d8e2",
    background="#14161b",
    surface="#1a1d24",
    panel="#20242d",
    variables={
        **_QUIET,
        "text-muted": "#949cac",
        "border": "#7fa7e8",
        "border-blurred": "#343a46",
        "block-cursor-background": "#283550",
        "block-cursor-foreground": "#eef2fa",
        "input-selection-background": "#7fa7e8 30%",
        "footer-key-foreground": "#7fa7e8",
        "footer-description-foreground": "#949cac",
        "scrollbar": "#343a46",
        "scrollbar-hover": "#4a5262",
        "scrollbar-active": "#7fa7e8",
        "scrollbar-background": "#14161b",
        "scrollbar-background-hover": "#14161b",
        "scrollbar-background-active": "#14161b",
    },
)

LIGHT = Theme(
    name="recall-light",
    primary="#2b5fb0",
    secondary="#4b5a75",
    accent="#2b5fb0",
    success="#2f7136",
    warning="#835500",
    error="#b02e35",
    foreground="#22262e",
    background="#fbfaf7",
    surface="#f2f1ec",
    panel="#e9e8e2",
    dark=False,
    variables={
        **_QUIET,
        "text-muted": "#5f6673",
        "border": "#2b5fb0",
        "border-blurred": "#cfcdc4",
        "block-cursor-background": "#d9e4f6",
        "block-cursor-foreground": "#14181f",
        "input-selection-background": "#2b5fb0 25%",
        "footer-key-foreground": "#2b5fb0",
        "footer-description-foreground": "#5f6673",
        "scrollbar": "#cfcdc4",
        "scrollbar-hover": "#b3b1a7",
        "scrollbar-active": "#2b5fb0",
        "scrollbar-background": "#fbfaf7",
        "scrollbar-background-hover": "#fbfaf7",
        "scrollbar-background-active": "#fbfaf7",
    },
)

HIGH_CONTRAST = Theme(
    name="recall-contrast",
    primary="#ffd75f",
    secondary="#ffffff",
    accent="#ffd75f",
    success="#5fff87",
    warning="#ffaf5f",
    error="#ff9c9c",
    foreground="#ffffff",
    background="#000000",
    surface="#101010",
    panel="#1c1c1c",
    variables={
        **_QUIET,
        "text-muted": "#d0d0d0",
        "border": "#ffd75f",
        "border-blurred": "#9e9e9e",
        "block-cursor-background": "#ffd75f",
        "block-cursor-foreground": "#000000",
        "block-cursor-text-style": "bold",
        "input-selection-background": "#ffd75f 40%",
        "footer-key-foreground": "#ffd75f",
        "footer-description-foreground": "#ffffff",
        "scrollbar": "#9e9e9e",
        "scrollbar-hover": "#ffffff",
        "scrollbar-active": "#ffd75f",
        "scrollbar-background": "#000000",
        "scrollbar-background-hover": "#000000",
        "scrollbar-background-active": "#000000",
    },
)

OWN = (DARK, LIGHT, HIGH_CONTRAST)
DEFAULT = DARK.name
