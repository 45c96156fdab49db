"""The app's own themes: a dark one, a light one and one of high contrast.

Every colour of the app is a variable of a theme, so each of Textual's themes works as well. In our own every word has
a contrast of 4.5 to what it stands on, 7 in the one of high contrast, and every line and bar one of 3.
"""

from __future__ import annotations

from textual.theme import Theme

_QUIET_VARIABLES = {
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
    error="#e58a8e",
    foreground="#d3d8e2",
    background="#14161b",
    surface="#1a1d24",
    panel="#20242d",
    variables={
        **_QUIET_VARIABLES,
        "text-muted": "#9ca4b4",
        "border": "#7fa7e8",
        "border-blurred": "#636b7b",
        "input-selection-background": "#7fa7e8 30%",
        "footer-key-foreground": "#7fa7e8",
        "footer-description-foreground": "#9ca4b4",
        "scrollbar": "#636b7b",
        "scrollbar-hover": "#828b9d",
        "scrollbar-active": "#7fa7e8",
        "scrollbar-background": "#14161b",
        "scrollbar-background-hover": "#14161b",
        "scrollbar-background-active": "#14161b",
    },
)

LIGHT = Theme(
    name="recall-light",
    primary="#28579f",
    secondary="#4b5a75",
    accent="#28579f",
    success="#255f2c",
    warning="#7a4f00",
    error="#a52a31",
    foreground="#22262e",
    background="#fbfaf7",
    surface="#f2f1ec",
    panel="#e9e8e2",
    dark=False,
    variables={
        **_QUIET_VARIABLES,
        "text-muted": "#4f5662",
        "border": "#28579f",
        "border-blurred": "#8b8980",
        "input-selection-background": "#28579f 25%",
        "footer-key-foreground": "#28579f",
        "footer-description-foreground": "#4f5662",
        "scrollbar": "#8b8980",
        "scrollbar-hover": "#6c6a62",
        "scrollbar-active": "#28579f",
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
    warning="#ffc27a",
    error="#ffb5b5",
    foreground="#ffffff",
    background="#000000",
    surface="#101010",
    panel="#1c1c1c",
    variables={
        **_QUIET_VARIABLES,
        "text-muted": "#d0d0d0",
        "border": "#ffd75f",
        "border-blurred": "#9e9e9e",
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

OWN_THEMES = (DARK, LIGHT, HIGH_CONTRAST)
DEFAULT_THEME = DARK.name
