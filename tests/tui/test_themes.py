"""The app's own themes are readable, and every other theme works."""

from __future__ import annotations

import contextlib
import re

import pytest
from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

from recall_tui import resources
from recall_tui.environment import Environment
from recall_tui.tui import themes
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.first_run import demo
from recall_tui.tui.screens.first_run.app import FirstRunApp
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, settled

READABLE = 4.5
"""Contrast of text, WCAG 2.1 AA."""
CLEAR = 7.0
"""The same, AAA; what a theme of high contrast promises."""
VISIBLE = 3.0
"""Contrast of lines and bars, WCAG 2.1 AA."""
WORDS = (
    "foreground", "text-muted", "secondary", "accent", "success", "warning", "error",
    "footer-key-foreground", "footer-description-foreground",
)  # fmt: skip
"""Everything that words are written in; a match is lit in `warning`."""
LINES = ("border", "border-blurred", "scrollbar", "scrollbar-hover", "scrollbar-active")
BARS = ("success", "warning", "error", "primary", "accent")
CURSOR = ("primary", 0.2)
"""What lies over the ground of the row under a cursor, as the style sheets say."""


def luminance(color: Color) -> float:
    """Relative luminance, WCAG 2.1."""
    parts = [part / 255 for part in color.rgb]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def colors_of(theme: Theme) -> dict[str, Color]:
    """The theme's variables that are colours."""
    colors: dict[str, Color] = {}
    for name, value in theme.to_color_system().generate().items():
        word, *percent = value.split()
        with contextlib.suppress(ColorParseError):
            color = Color.parse(word)
            colors[name] = color.multiply_alpha(float(percent[0].rstrip("%")) / 100) if percent else color
    return colors


def grounds_of(colors: dict[str, Color]) -> dict[str, Color]:
    """What words stand on: the screen, code and toasts, panels, and each of them under a cursor."""
    name, alpha = CURSOR
    plain = {ground: colors[ground] for ground in ("background", "surface", "panel")}
    lit = {f"{ground} under the cursor": colors[ground] + colors[name].with_alpha(alpha) for ground in plain}
    del lit["panel under the cursor"]
    return plain | lit


each_of_ours = pytest.mark.parametrize("theme", themes.OWN_THEMES, ids=lambda theme: theme.name)


@each_of_ours
def test_words_are_readable_on_every_ground(theme: Theme) -> None:
    colors = colors_of(theme)
    needed = CLEAR if theme.name == "recall-contrast" else READABLE
    for word in WORDS:
        for name, ground in grounds_of(colors).items():
            measured = contrast(colors[word], ground)
            assert measured >= needed, f"{theme.name}: {word} on {name} has {measured:.2f}"


@pytest.mark.parametrize("name", sorted(name for name in BUILTIN_THEMES if not name.startswith("ansi")))
def test_words_and_borders_of_every_theme_can_be_seen(name: str, demo_app: RecallApp) -> None:
    demo_app.theme = name
    shown = demo_app.get_css_variables()
    ground = Color.parse(shown["background"])
    cursor = ground + Color.parse(shown[CURSOR[0]]).with_alpha(CURSOR[1])
    for word in ("foreground", "accent", "success", "warning", "error", "footer-key-foreground"):
        for behind in (ground, cursor):
            measured = contrast(Color.parse(shown[word]), behind)
            assert measured >= READABLE, f"{name}: {word} on {behind.hex} has {measured:.2f}"
    border = Color.parse(shown["border-blurred"])
    assert contrast(border, ground) >= VISIBLE, f"{name}: the border of a panel without focus"


@each_of_ours
def test_what_is_selected_or_stands_in_colour_is_readable(theme: Theme) -> None:
    colors = colors_of(theme)
    ground, accent = colors["background"], colors["accent"]
    assert contrast(colors["foreground"], ground + colors["input-selection-background"]) >= READABLE
    assert contrast(ground, accent) >= READABLE, "the letters to jump by"


@each_of_ours
def test_lines_and_bars_are_visible(theme: Theme) -> None:
    colors = colors_of(theme)
    ground = colors["background"]
    cursor = ground + colors[CURSOR[0]].with_alpha(CURSOR[1])
    for line in LINES:
        for name in ("background", "surface"):
            measured = contrast(colors[line], colors[name])
            assert measured >= VISIBLE, f"{theme.name}: {line} on {name} has {measured:.2f}"
    for bar in BARS:
        assert min(contrast(colors[bar], behind) for behind in (ground, cursor)) >= VISIBLE, f"{theme.name}: {bar}"


def test_the_cursor_is_drawn_as_it_is_measured() -> None:
    sheets = "".join(path.read_text(encoding="utf-8") for path in sorted(resources.styles_folder().glob("*.tcss")))
    assert set(re.findall(r"(?:--cursor|highlighted) \{ background: ([^;]+);", sheets)) == {"$primary 20%"}


@pytest.mark.long
@pytest.mark.parametrize("keys", ["1", "2", "6", "7", "enter", "question_mark", "ctrl+o", "ctrl+r", "ctrl+p"])
async def test_every_theme_paints_every_screen(demo_app: RecallApp, keys: str) -> None:
    async with demo_app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press(keys)
        await settled(pilot)
        painted = set()
        for name in (*sorted(BUILTIN_THEMES), *(theme.name for theme in themes.OWN_THEMES)):
            demo_app.theme = name
            await pilot.pause()
            painted.add(demo_app.export_screenshot())
        assert len(painted) > len(BUILTIN_THEMES) // 2, "the theme is seen"


@pytest.mark.long
async def test_every_theme_paints_the_first_run(world: Environment) -> None:
    app = FirstRunApp(world, now=demo.demo_now, follows=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for name in BUILTIN_THEMES:
            app.theme = name
            await pilot.pause()
            assert "No&#160;memory&#160;found" in app.export_screenshot()


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
        assert app.theme == themes.DEFAULT_THEME
