"""Settings, key by key: what is in force, where it came from, and every way to change it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.widgets import Input, Static

from recall_tui.setting_schema import SCHEMA
from recall_tui.storage import trust
from recall_tui.tui.app import RecallApp
from recall_tui.tui.screens.settings.groups import COMMON_KEYS, SettingGroup
from recall_tui.tui.screens.settings.screen import Settings
from recall_tui.tui.screens.settings.setting_list import SettingList
from recall_tui.tui.screens.settings.setting_modal import ChoiceList, SettingChoiceModal, SettingInputModal
from recall_tui.tui.screens.settings.view_model import SettingView, filter_settings, load_settings
from recall_tui.workbench import Workbench
from tests.tui.piloting import AppMaker, footer_of, settled, toasts, typed

WIDE = (120, 36)
COMMENTED = """# mine
layout = "entity"

[ephemeral]
max_entries = 5  # five is enough
"""


@pytest.fixture
def bench(sample: Workbench) -> Workbench:
    """The sample memory with a settings file that a person wrote."""
    sample.layout.config.write_text(COMMENTED, encoding="utf-8")
    return sample


def screen_of(app: RecallApp) -> Settings:
    """The settings screen."""
    assert isinstance(app.screen, Settings)
    return app.screen


def row_of(app: RecallApp, key: str):
    """A row of the list by its key."""
    return next(row for row in shown(app) if row.key == key)


def shown(app: RecallApp) -> list[SettingView]:
    """The settings of the list, without the headings of their groups."""
    return [row for row in screen_of(app).settings.items if isinstance(row, SettingView)]


async def opened(pilot, key: str = "") -> None:
    """Open the screen, the cursor on a setting."""
    await settled(pilot)
    await pilot.press("7")
    await settled(pilot)
    settings = screen_of(pilot.app).settings
    settings.focus()
    if key:
        settings.cursor = next(at for at, row in enumerate(settings.items) if getattr(row, "key", "") == key)
    await settled(pilot)


def words(app: RecallApp) -> str:
    """All that is said of the setting under the cursor."""
    return str(screen_of(app).query_one("#words", Static).content)


@pytest.mark.long
async def test_every_setting_of_the_schema_is_there_with_its_value_and_origin(
    app_on: AppMaker, bench: Workbench
) -> None:
    env = {**bench.store.environment.env, "RECALL_INJECT_TOKENS": "500"}
    environment = bench.store.environment._replace(env=env)
    app = app_on(Workbench.open(bench.store.root, environment=environment, now=bench.store.now))
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "ephemeral.max_entries")
        assert sorted(row.key for row in shown(app)) == sorted(one.key for one in SCHEMA)
        told = {row.key: (row.value, row.origin) for row in shown(app)}
        assert told["ephemeral.max_entries"] == ("5", "file")
        assert told["inject.tokens"] == ("500", "environment")
        assert told["memory.max_lines"] == ("200", "default")
        help = next(one.help for one in SCHEMA if one.key == "ephemeral.max_entries")
        for fact in (help, "line 5", "1 to 50", "RECALL_EPHEMERAL_MAX_ENTRIES"):
            assert fact in words(app)


@pytest.mark.long
async def test_a_value_is_typed_kept_with_the_comments_and_taken_back(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "ephemeral.max_entries")
        await pilot.press("enter")
        assert isinstance(app.screen, SettingInputModal)
        assert app.screen.query_one(Input).value == "5"
        await pilot.press("7", "enter")
        await settled(pilot)
        text = bench.layout.config.read_text(encoding="utf-8")
        assert text == COMMENTED.replace("= 5", "= 7")
        assert toasts(app)[-1] == "Set ephemeral.max_entries = 7   u undo"
        assert row_of(app, "ephemeral.max_entries").value == "7"
        assert bench.config.whole("ephemeral.max_entries") == 7
        await pilot.press("u")
        await settled(pilot)
        assert bench.layout.config.read_text(encoding="utf-8") == COMMENTED
        assert row_of(app, "ephemeral.max_entries").value == "5"


@pytest.mark.long
async def test_a_folder_without_a_model_is_said_as_soon_as_it_is_set(app_on: AppMaker, bench: Workbench) -> None:
    folder = bench.store.environment.home / "[no] models"
    folder.mkdir(parents=True)
    bench.layout.config.write_text(COMMENTED + f'\n[embeddings]\npath = "{folder}"\n', encoding="utf-8")
    trust.confirm(bench.store)
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "embeddings.provider")
        await pilot.press("enter", *"local", "enter")
        await settled(pilot)
        said = next(one for one in toasts(app) if "Set embeddings.provider = local" in one)
        assert f"~/{folder.name} has no model.onnx; a folder with model.onnx and tokenizer.json is required" in said


@pytest.mark.long
async def test_what_is_out_of_range_is_refused_with_what_would_be_right(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "ephemeral.max_entries")
        await pilot.press("enter", "9", "9", "9", "enter")
        await settled(pilot)
        assert isinstance(app.screen, SettingInputModal), "it stays until the value is right"
        said = str(app.screen.query_one("#setting").border_subtitle)
        assert "out of range" in said and "1 to 50" in said
        await pilot.press("escape")
        await settled(pilot)
        assert bench.layout.config.read_text(encoding="utf-8") == COMMENTED


@pytest.mark.parametrize(
    ("key", "value", "hint"), [("keys.search", "ctrl+nokey", "such as f2"), ("keys.serch", "g", "search")]
)
async def test_an_unknown_command_or_key_is_refused(
    app_on: AppMaker, bench: Workbench, key: str, value: str, hint: str
) -> None:
    name = key.removeprefix("keys.")
    bench.layout.config.write_text(f'{COMMENTED}\n[keys]\n{name} = "f9"\n', encoding="utf-8")
    before = bench.layout.config.read_bytes()
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, key)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, SettingInputModal)
        app.screen.query_one("#value", Input).value = value
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, SettingInputModal)
        assert hint in str(app.screen.query_one("#setting").border_subtitle)
    assert bench.layout.config.read_bytes() == before


@pytest.mark.long
async def test_a_value_that_stays_as_it_was_changes_nothing(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "ephemeral.max_entries")
        settings = screen_of(app).settings
        settings.action_open()
        settings.action_open()
        await settled(pilot)
        assert len(app.screen_stack) == 2, "one screen, however fast the keys come"
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, Settings) and toasts(app) == []
        assert bench.journal.undo() is None


@pytest.mark.long
async def test_a_switch_is_turned_by_one_key(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "dream.enabled")
        await pilot.press("enter")
        await settled(pilot)
        assert bench.config.get("dream.enabled") is True
        assert (row_of(app, "dream.enabled").value, row_of(app, "dream.enabled").origin) == ("true", "file")
        await pilot.press("enter")
        await settled(pilot)
        assert bench.config.get("dream.enabled") is False


@pytest.mark.long
async def test_a_choice_is_taken_from_a_list_and_the_theme_is_seen_at_once(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "theme")
        await pilot.press("enter")
        assert isinstance(app.screen, SettingChoiceModal)
        choices = app.screen.query_one(ChoiceList)
        assert choices.current == "recall-dark" and set(choices.items) == set(app.available_themes)
        choices.cursor = choices.items.index("recall-light")
        await pilot.press("enter")
        await settled(pilot)
        assert bench.config.text("theme") == "recall-light" and app.theme == "recall-light"
        await pilot.press("u")
        await settled(pilot)
        assert app.theme == "recall-dark"


@pytest.mark.long
async def test_a_list_is_left_without_a_choice(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "salience.strategy")
        await pilot.press("enter", "down", "escape")
        await settled(pilot)
        assert isinstance(app.screen, Settings) and bench.layout.config.read_text(encoding="utf-8") == COMMENTED


@pytest.mark.long
@pytest.mark.parametrize("key", ["backspace", "delete"])
async def test_unsetting_brings_the_default_back(app_on: AppMaker, bench: Workbench, key: str) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "ephemeral.max_entries")
        await pilot.press(key)
        await settled(pilot)
        assert "max_entries" not in bench.layout.config.read_text(encoding="utf-8")
        assert row_of(app, "ephemeral.max_entries").origin == "default"
        await pilot.press(key)
        await settled(pilot)
        assert toasts(app)[-1] == "ephemeral.max_entries is not set in the file"


@pytest.mark.long
@pytest.mark.parametrize("key", ["enter", "backspace"])
async def test_what_the_environment_says_cannot_be_changed_and_says_why(
    app_on: AppMaker, bench: Workbench, key: str
) -> None:
    env = {**bench.store.environment.env, "RECALL_EPHEMERAL_MAX_ENTRIES": "9"}
    environment = bench.store.environment._replace(env=env)
    app = app_on(Workbench.open(bench.store.root, environment=environment, now=bench.store.now))
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "ephemeral.max_entries")
        assert "overrides the file" in words(app)
        await pilot.press(key)
        await settled(pilot)
        assert isinstance(app.screen, Settings)
        assert "RECALL_EPHEMERAL_MAX_ENTRIES is set in the environment" in toasts(app)[-1]
        assert bench.layout.config.read_text(encoding="utf-8") == COMMENTED


@pytest.mark.long
async def test_letters_leave_the_settings_that_hold_them(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert "All" not in footer_of(app)
        await pilot.press("slash")
        await typed(pilot, "memory lines")
        await settled(pilot)
        screen = screen_of(app)
        assert [row.key for row in screen.settings.items] == ["memory.max_lines"]
        assert "1 of" in str(screen.settings.border_subtitle)
        await pilot.press("enter")
        assert screen.focused is screen.settings
        await pilot.press("escape")
        await settled(pilot)
        assert len(shown(app)) == len(SCHEMA) and not screen.letters.display


@pytest.mark.long
async def test_the_letters_lead_the_cursor_of_the_list(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("slash", "down", "down", "up")
        await settled(pilot)
        assert screen_of(app).settings.cursor == 2 and screen_of(app).settings.is_led
        await typed(pilot, "no such setting")
        await settled(pilot)
        assert screen_of(app).settings.current is None and words(app) == ""


@pytest.mark.long
async def test_the_editor_is_given_the_file_at_the_line(
    app_on: AppMaker, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("o")
        assert "no editor is set" in toasts(app)[-1]


@pytest.mark.long
async def test_a_value_that_cannot_be_used_is_shown_with_its_line_and_the_rest_works(
    app_on: AppMaker, bench: Workbench
) -> None:
    bench.layout.config.write_text(COMMENTED.replace("= 5", "= 900") + "[memory]\nmax_lines = 300\n", encoding="utf-8")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "ephemeral.max_entries")
        warnings = str(app.screen.query_one("#warnings", Static).content)
        assert "line 5" in warnings and "1 to 50" in warnings
        assert "line 5" in words(app)
        assert row_of(app, "memory.max_lines").value == "300"
        await pilot.press("enter", "7", "enter")
        await settled(pilot)
        assert bench.config.whole("ephemeral.max_entries") == 7
        assert not app.screen.query_one("#wrong").display


@pytest.mark.long
async def test_a_file_that_cannot_be_read_is_never_written_over(app_on: AppMaker, bench: Workbench) -> None:
    broken = 'layout = "entity"\n[ephemeral\nmax_entries = 5\n'
    bench.layout.config.write_text(broken, encoding="utf-8")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "dream.enabled")
        assert "line 2" in str(app.screen.query_one("#warnings", Static).content)
        assert len(shown(app)) == len(SCHEMA)
        await pilot.press("enter")
        await settled(pilot)
        assert "fix the file; nothing in it was changed" in toasts(app)[-1]
        assert bench.layout.config.read_text(encoding="utf-8") == broken


@pytest.mark.long
async def test_a_change_that_somebody_else_makes_is_seen(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "ephemeral.max_entries")
        bench.layout.config.write_text(COMMENTED.replace("= 5", "= 8"), encoding="utf-8")
        await pilot.press("r")
        await settled(pilot)
        assert row_of(app, "ephemeral.max_entries").value == "8"
        assert screen_of(app).settings.current is row_of(app, "ephemeral.max_entries")


@pytest.mark.long
async def test_what_was_opened_by_a_setting_says_when_it_counts(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "layout")
        await pilot.press("enter", "end", "enter")
        await settled(pilot)
        assert "when you restart the app" in toasts(app)[-1]


@pytest.mark.long
async def test_secrets_are_never_shown(app_on: AppMaker, bench: Workbench) -> None:
    secret = "sk-" + "0123456789abcdef" * 2
    bench.layout.config.write_text(f'{COMMENTED}[llm]\napi_key = "{secret}"\n', encoding="utf-8")
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, "llm.api_key")
        assert row_of(app, "llm.api_key").value == "(hidden)" and secret not in words(app)
        await pilot.press("enter")
        box = app.screen.query_one(Input)
        assert box.value == "" and box.password
        await pilot.press("enter")
        await settled(pilot)
        assert secret in bench.layout.config.read_text(encoding="utf-8"), "nothing typed keeps what was there"


@pytest.mark.long
async def test_text_from_the_file_is_data(app_on: AppMaker, bench: Workbench) -> None:
    nasty = "[/x] [b @click=app.quit]"
    bench.layout.config.write_text(f'{COMMENTED}[llm]\nmodel = "{nasty}"\n"[/y] [b" = "x"\n', encoding="utf-8")
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, "llm.model")
        assert nasty in words(app)
        await pilot.press("enter")
        assert app.screen.query_one(Input).value == nasty
        await pilot.press("escape")
        await settled(pilot)
        assert row_of(app, "llm.[/y] [b").value == "x"


@pytest.mark.long
async def test_at_eighty_columns_everything_is_there(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        listed, told = app.screen.query_one(SettingList), app.screen.query_one("#about")
        assert listed.size.height >= 5 and told.region.bottom <= 23 and told.region.y >= listed.region.bottom


def test_every_word_of_the_letters_counts(sample: Workbench) -> None:
    rows = load_settings(sample, ["recall-dark"]).rows
    assert [row.key for row in filter_settings(rows, "WIKI hits")] == ["wiki.score_boost"]
    assert filter_settings(rows, "  ") == rows


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("budget", "memory.max_lines"),
        ("budget", "inject.tokens"),
        ("window", "ephemeral.max_entries"),
        ("delete", "keep.days"),
        ("expire", "keep.days"),
        ("color", "theme"),
        ("cost", "llm.price_asked"),
    ],
)
def test_a_setting_is_found_by_the_words_that_people_look_for(sample: Workbench, word: str, key: str) -> None:
    rows = load_settings(sample, ["recall-dark"]).rows
    assert key in [row.key for row in filter_settings(rows, word)]


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_all_there_is_to_say_of_a_refused_setting_fits(
    app_on: AppMaker, bench: Workbench, size: tuple[int, int]
) -> None:
    bench.layout.config.write_text(
        'layout = "entity"\n[ephemeral]\nmax_entries = 900\n[memory]\nmax_lines = "many"\n[no]\nsuch = 1\n',
        encoding="utf-8",
    )
    app = app_on(bench)
    async with app.run_test(size=size) as pilot:
        await opened(pilot, "ephemeral.max_entries")
        words, panel = app.screen.query_one("#words"), app.screen.query_one("#about")
        assert words.region.bottom <= panel.content_region.bottom
        assert app.screen.query_one(SettingList).content_size.height >= 2
        await pilot.press("slash")
        await settled(pilot)
        assert words.region.bottom <= panel.content_region.bottom
        assert app.screen.query_one(SettingList).content_size.height >= 2


@pytest.mark.long
async def test_a_value_is_offered_for_change_without_what_a_terminal_would_obey(
    app_on: AppMaker, bench: Workbench
) -> None:
    app = app_on(bench)
    row = next(one for one in load_settings(bench, ()).rows if one.key == "llm.model")
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        app.push_screen(SettingInputModal(replace(row, value="a\x1b]2;x\x07 \x0eb\u202e\nc")))
        await settled(pilot)
        assert app.screen.query_one("#value", Input).value == "a b c"


async def test_settings_stand_below_their_groups_the_common_ones_first(app_on: AppMaker, bench: Workbench) -> None:
    app = app_on(bench)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        settings = screen_of(app).settings
        groups = [row for row in settings.items if isinstance(row, SettingGroup)]
        assert groups[0].title == "Common" and all(group.title.startswith("Advanced") for group in groups[1:])
        assert all(group.description for group in groups)
        assert [getattr(row, "key", "") for row in settings.items[1 : len(COMMON_KEYS) + 1]] == [*COMMON_KEYS]
        assert len(COMMON_KEYS) == 12
        await pilot.press("home")
        assert settings.setting is not None and settings.setting.key == COMMON_KEYS[0]
        await pilot.press(*["down"] * len(COMMON_KEYS))
        assert settings.setting is not None, "the cursor steps over a heading"
        await pilot.press("up")
        assert settings.setting is not None and settings.setting.key == COMMON_KEYS[-1]
