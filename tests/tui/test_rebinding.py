"""Every command can be given another key, which then is shown wherever keys are shown; a bad wish is said once."""

from __future__ import annotations

from threading import Event

import pytest
from textual.binding import Binding, BindingsMap
from textual.widgets import Input, OptionList, Static

from recall_tui.environment import Environment
from recall_tui.storage import trust
from recall_tui.tui.app import RecallApp
from recall_tui.tui.app_screen import AppScreen
from recall_tui.tui.keys.keymap import FrameClasses, apply_keymap, command_bindings, is_key, keymap_problems
from recall_tui.tui.screen_table import SCREENS
from recall_tui.tui.screens.health.view_model import index_rows
from recall_tui.tui.screens.home.screen import Home
from recall_tui.tui.screens.key_help import KeyHelp
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.screens.search.search_box import SearchBox
from recall_tui.tui.widgets.footer import KeyFooter
from recall_tui.tui.widgets.row_list import RowList
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.tui.piloting import AppMaker, settled, toasts, tooltip_of, typed

WIDE = (120, 36)
# Every binding that a class declares: what is not on the screen has no public list.
COMMANDS = command_bindings()
NAMED = sorted({(node.__name__, binding.id) for node, binding in COMMANDS if binding.id})


def keys_of(bindings: BindingsMap) -> set[tuple[str, str | None, str]]:
    return {(key, binding.id, binding.action) for key, binding in bindings}


def own(name: str) -> BindingsMap:
    node = next(node for node, _ in COMMANDS if node.__name__ == name)
    return BindingsMap(node.__dict__["BINDINGS"])


@pytest.mark.parametrize(("node", "name"), NAMED)
def test_every_command_takes_another_key_and_no_other_loses_its_own(node: str, name: str) -> None:
    before = keys_of(own(node))
    after = keys_of(apply_keymap(own(node), {name: "f9"}))
    mine = {one for one in before if one[1] == name}
    assert after == (before - mine) | {("f9", name, action) for _, _, action in mine}


def test_a_command_may_have_several_keys() -> None:
    after = apply_keymap(BindingsMap([Binding("a", "go", id="go")]), {"go": "f8,f9"})
    assert [key for key, _ in after] == ["f8", "f9"]


def test_two_commands_may_change_places() -> None:
    bindings = BindingsMap([Binding("a", "one", id="one"), Binding("b", "two", id="two")])
    after = apply_keymap(bindings, {"one": "b", "two": "a"})
    assert {key: binding.action for key, binding in after} == {"b": "one", "a": "two"}


def test_a_key_that_was_chosen_goes_before_one_that_was_there() -> None:
    bindings = BindingsMap([Binding("a", "one", id="one"), Binding("b", "two", id="two")])
    after = apply_keymap(bindings, {"two": "a"})
    assert [binding.action for binding in after.key_to_bindings["a"]] == ["two", "one"]


def test_an_empty_wish_changes_nothing() -> None:
    bindings = BindingsMap([Binding("a", "one", id="one")])
    assert keys_of(apply_keymap(bindings, {"one": "", "two": "a"})) == keys_of(bindings)


def changed(app_on: AppMaker, bench: Workbench, **keys: str) -> RecallApp:
    lines = "".join(f'{name} = "{key}"\n' for name, key in keys.items())
    bench.layout.config.write_text(f'layout = "entity"\n[keys]\n{lines}', encoding="utf-8")
    trust.confirm(bench.store)
    return app_on(bench)


@pytest.mark.long
async def test_the_new_key_is_in_the_footer_the_help_and_the_palette(app_on: AppMaker, sample: Workbench) -> None:
    app = changed(app_on, sample, search="f7", undo="?", keys="f1")
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        shown = {key.description: key.display for key in app.screen.query_one(KeyFooter).keys}
        assert (shown["Search"], shown["Undo"], shown["Keys"]) == ("f7", "?", "f1")
        await pilot.press("f1")
        await settled(pilot)
        assert isinstance(app.screen, KeyHelp)
        lines = str(app.screen.query_one("#keys Static", Static).content).splitlines()
        assert [line.split()[0] for line in lines if tooltip_of(Home, "search") in line] == ["f7"]
        await pilot.press("escape", "ctrl+p")
        await typed(pilot, "undo your last")
        await settled(pilot)
        options = app.screen.query_one(OptionList)
        assert "?" in str(options.get_option_at_index(0).prompt).split()
        assert toasts(app) == []


@pytest.mark.long
async def test_words_about_keys_name_the_new_ones(app_on: AppMaker, sample: Workbench) -> None:
    app = changed(app_on, sample, editor="ctrl+e", open_preview="f4", stop="f6", back="f8", close_help="f9")
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert str(app.screen.query_one("#preview").border_subtitle).endswith("f4 opens · ^e editor")
        # As if work went on: work of so small a memory is over before it can be asked about.
        app.screen._stop = Event()
        assert "f8 stops" in app.screen.why_not("archive", ())
        app.screen._stop = None
        await pilot.press("question_mark")
        await settled(pilot)
        assert str(app.screen.query_one("#keys").border_subtitle) == "f9 closes"
        await pilot.press("f9", "6")
        await settled(pilot)
        # Here, too.
        app.screen._working = "index"
        assert "f6 stops" in app.screen.why_not("prove", ())
        app.screen._working = None


def test_what_is_said_of_the_index_names_the_key_that_mends_it(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.config.write_text('layout = "entity"\n[keys]\nrefresh = "f5"\n', encoding="utf-8")
    trust.confirm(bench.store)
    (first, *_) = index_rows(Workbench.open(bench.store.root, environment=environment)).rows
    assert first.text == "nothing is indexed yet; f5 builds the index"


def key_of(number: int) -> str:
    """A key that no other number has."""
    return f"ctrl+alt+{chr(0x4E00 + number)}"


@pytest.mark.long
@pytest.mark.parametrize("entry", SCREENS, ids=lambda entry: entry.name)
async def test_every_live_command_of_a_screen_works_with_its_new_key(
    app_on: AppMaker, sample: Workbench, entry: object
) -> None:
    ids = sorted({binding.id for node, binding in COMMANDS if binding.id})
    app = changed(app_on, sample, **{name: key_of(number) for number, name in enumerate(ids)})
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        app.action_go(entry.name)  # type: ignore[attr-defined]
        await settled(pilot)
        for key, active in app.screen.active_bindings.items():
            if active.binding.id:
                assert key == key_of(ids.index(active.binding.id))
        await pilot.press(key_of(ids.index("keys")))
        await settled(pilot)
        assert isinstance(app.screen, KeyHelp)
    assert toasts(app) == []


@pytest.mark.long
async def test_a_new_key_works_from_an_input_that_would_have_eaten_the_old_one(
    app_on: AppMaker, sample: Workbench
) -> None:
    app = changed(app_on, sample, search="ctrl+f", settings="f7", complete="ctrl+e")
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+f")
        box = app.screen.focused
        assert isinstance(box, SearchBox)
        await typed(pilot, "kind:mem")
        await settled(pilot)
        await pilot.press("left", "right")
        assert box.cursor_position == len("kind:mem"), "the arrow moves as before"
        await pilot.press("ctrl+e")
        assert box.value == "kind:memory"
        await pilot.press("f7")
        await settled(pilot)
        assert type(app.screen).__name__ == "Settings"


@pytest.mark.long
async def test_a_letter_that_was_given_to_a_command_is_typed_in_an_input_still(
    app_on: AppMaker, sample: Workbench
) -> None:
    app = changed(app_on, sample, undo="z")
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("slash", "z", "z")
        await settled(pilot)
        assert isinstance(app.screen.focused, Input) and app.screen.focused.value == "zz"
        assert toasts(app) == []


@pytest.mark.long
async def test_the_reader_and_what_is_over_a_screen_take_other_keys(app_on: AppMaker, sample: Workbench) -> None:
    app = changed(app_on, sample, open="f2", back="f3", searches="f4", close_searches="f5")
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("f2")
        await settled(pilot)
        assert isinstance(app.screen, ReaderScreen)
        await pilot.press("f3", "f4")
        await settled(pilot)
        assert type(app.screen).__name__ == "SavedSearchesModal"
        await pilot.press("f5")
        await settled(pilot)
        assert type(app.screen).__name__ == "Home"


@pytest.mark.parametrize(
    ("keymap", "said"),
    [
        ({}, ()),
        ({"search": "f7"}, ()),
        ({"seerch": "f7"}, ("keys.seerch: there is no such command; did you mean search?",)),
        ({"openai": "sk-secret"}, ("keys.openai: there is no such command; did you mean open?",)),
        ({"search": "crtl+s"}, ("keys.search = crtl+s: there is no such key",)),
        ({"copy": "o"}, ("keys.copy = o: Editor (editor) also uses this key",)),
        ({"copy": "u"}, ("keys.copy = u: Undo (undo) also uses this key",)),
        ({"search": "j"}, ("keys.search = j: Next row (next_row) also uses this key",)),
        ({"turn_all": "d"}, ()),
        ({"merge": "x", "drop": "m"}, ()),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_wish_is_said(keymap: dict[str, str], said: tuple[str, ...]) -> None:
    assert keymap_problems(keymap, FrameClasses(RecallApp, AppScreen, RowList)) == said


async def test_bad_wishes_are_one_warning(app_on: AppMaker, sample: Workbench) -> None:
    app = changed(app_on, sample, seerch="f7", copy="o")
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert toasts(app) == [
            "keys.seerch: there is no such command; did you mean search?\n"
            "keys.copy = o: Editor (editor) also uses this key"
        ]
        app.memory_changed.publish(None)
        await settled(pilot)
        assert len(toasts(app)) == 1


@pytest.mark.long
@pytest.mark.parametrize("key", ["ctrl+m", "ctrl+i", "ctrl+h", "ctrl+j", "ctrl+[", "Ctrl+M", "f7,ctrl+m"])
async def test_a_key_that_terminals_cannot_send_is_refused(app_on: AppMaker, sample: Workbench, key: str) -> None:
    app = changed(app_on, sample, search=key)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert len(toasts(app)) == 1 and "a terminal cannot tell it from" in toasts(app)[0]
        await pilot.press("slash")
        assert isinstance(app.screen.focused, Input), "its own key holds"


@pytest.mark.parametrize("name", ["a", "A", "?", "question_mark", "slash", "f12", "ctrl+up", "shift+tab", "é"])
def test_keys_there_are(name: str) -> None:
    assert is_key(name)


@pytest.mark.parametrize("name", ["crtl+a", "f99", "escap", "ctrl+", "ctrl+nowhere"])
def test_keys_there_are_not(name: str) -> None:
    assert not is_key(name)


def test_every_node_with_keys_is_looked_at() -> None:
    assert {SearchBox, RecallApp, ReaderScreen, KeyHelp} <= {node for node, _ in COMMANDS}
