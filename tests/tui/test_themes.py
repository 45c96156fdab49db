"""The app's own themes are readable, and every other theme works."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from recall_tui.tui import themes
from recall_tui.tui.app import RecallApp
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, settled

READABLE = 4.5
"""Contrast of text, WCAG 2.1 AA."""
CLEAR = 7.0
"""The same, AAA; what a theme of high contrast promises."""
WORDS = ("foreground", "text-muted", "secondary", "accent", "success", "warning", "error")


def luminance(color: Color) -> float:
    """Relative luminance, WCAG 2.1."""
    parts = [part / 255 for part in color.rgb]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", themes.OWN, ids=lambda theme: theme.name)
def test_words_are_readable_on_every_ground(theme: Theme) -> None:
    colors = {name: Color.parse(value) for name, value in theme.to_color_system().generate().items() if name in (
        *WORDS, "background", "surface", "primary")}  # fmt: skip
    ground = colors["background"]
    cursor = ground + colors["primary"].with_alpha(0.2)
    needed = CLEAR if theme.name == "recall-contrast" else READABLE
    for word in WORDS:
        for behind in (ground, colors["surface"], cursor):
            measured = contrast(colors[word], behind)
            assert measured >= needed, f"{theme.name}: {word} on {behind.hex} has {measured:.2f}"


async def test_every_theme_paints(demo_app: RecallApp) -> None:
    async with demo_app.run_test(size=(80, 24)) as pilot:
        for name in (*sorted(BUILTIN_THEMES), *(theme.name for theme in themes.OWN)):
            demo_app.theme = name
            await pilot.pause()
            assert "recall-tui" in demo_app.export_screenshot(), name


async def test_the_theme_comes_from_the_settings(app_on: AppMaker, sample: Workbench) -> None:
    sample.layout.config.write_text('layout = "entity"\ntheme = "recall-light"\n', encoding="utf-8")
    app = app_on(sample)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert app.theme == "recall-light"


async def test_a_theme_that_does_not_exist_falls_back(app_on: AppMaker, sample: Workbench) -> None:
    sample.layout.config.write_text('layout = "entity"\ntheme = "no such"\n', encoding="utf-8")
    app = app_on(sample)
    async with app.run_test(size=(80, 24)):
        assert app.theme == themes.DEFAULT
