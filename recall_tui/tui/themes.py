"""The app's own themes: a dark one, a light one and one of high contrast.

Every colour of the app is a variable of a theme, so each of Textual's themes works as well. Every word has a contrast
of 4.5 to what it stands on, 7 in our theme of high contrast, and every border one of 3. Colors of other themes are
moved towards black or white until they have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.color import BLACK, WHITE, Color, ColorParseError
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

_WORDS = ("foreground", "secondary", "accent", "success", "warning", "error", "footer-key-foreground")
_BORDERS = ("border", "border-blurred")
_WORD_CONTRAST = 4.5
_BORDER_CONTRAST = 3.0
"""WCAG 2.1 AA."""
_CURSOR_ALPHA = 0.2
"""What lies of `$primary` over the row under a cursor."""
_STEPS = 20


def readable_colors(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a theme whose contrast is too low, with the nearest colours that have it."""
    plain = [color for name in ("background", "surface", "panel") if (color := _parse_color(variables.get(name, "")))]
    primary = _parse_color(variables.get("primary", ""))
    if not plain or primary is None:
        return {}
    primary = _with_contrast(primary, plain, _WORD_CONTRAST)
    grounds = [*plain, *(ground + primary.with_alpha(_CURSOR_ALPHA) for ground in plain[:2])]
    found = {"primary": primary}
    for names, behind, least in ((_WORDS, grounds, _WORD_CONTRAST), (_BORDERS, plain[:2], _BORDER_CONTRAST)):
        colors = ((name, _parse_color(variables.get(name, ""))) for name in names)
        found |= {name: _with_contrast(color, behind, least) for name, color in colors if color is not None}
    return {name: color.hex for name, color in found.items() if color.hex != variables[name].upper()}


def _parse_color(text: str) -> Color | None:
    """The colour of a variable; None for one that follows its ground or lets it through."""
    try:
        color = Color.parse(text)
    except ColorParseError:
        return None
    return color if color.a == 1 and color.ansi is None and not color.auto else None


def _with_contrast(color: Color, grounds: Iterable[Color], least: float) -> Color:
    """The colour, moved as far towards black or white, whichever is farther from the grounds, as `least` asks."""
    behind = tuple(grounds)
    pole = max((BLACK, WHITE), key=lambda one: _contrast(one, behind[0]))
    moved = (color.blend(pole, step / _STEPS, alpha=1) for step in range(_STEPS + 1))
    return next((one for one in moved if min(_contrast(one, ground) for ground in behind) >= least), pole)


def _contrast(one: Color, other: Color) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2.1)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: Color) -> float:
    parts = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized)
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
