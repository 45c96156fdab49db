"""Names of modules, classes and functions that are written as strings lead to something that is there.

A rename that misses one of them breaks no import and no type: the table of commands and of screens, values that
`domain` loads on demand, style sheets, entry points, and dotted names in tests.
"""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator

import pytest
import textual.command
import textual.containers
import textual.screen
import textual.widgets

from recall_tui import domain
from recall_tui.cli.command_table import COMMANDS
from recall_tui.tui.screen_table import SCREENS
from tests.architecture.graph import imports
from tests.architecture.trees import CHECKOUT, tree

DOTTED = re.compile(r"(?<![\w./])recall_tui(?:\.[A-Za-z_]\w*)+(?:[:][A-Za-z_]\w*)?")
SELECTOR = re.compile(r"(?<![\w#.$&:-])[A-Z]\w+")
FOREIGN = {
    "recall_tui.readers",
    "recall_tui.targets",
    "recall_tui.models",
    "recall_tui.embedders",
    "recall_tui.host_plugins",
}
"""Groups of entry points, which are no modules."""


def is_there(name: str) -> bool:
    """Whether `package.module[.name][:name]` can be imported as far as modules go, and read from there on."""
    path = name.replace(":", ".").split(".")
    for end in range(len(path), 0, -1):
        try:
            found: object = importlib.import_module(".".join(path[:end]))
        except ModuleNotFoundError:
            continue
        return all(hasattr(found, part) and ((found := getattr(found, part)) or True) for part in path[end:])
    return False


def dotted_strings() -> Iterator[tuple[str, str]]:
    """Each dotted name in a string of the package and its tests, with the file that it is in."""
    for folder in ("recall_tui", "tests"):
        for path in sorted((CHECKOUT / folder).rglob("*.py")):
            name = path.relative_to(CHECKOUT).as_posix()
            for node in ast.walk(tree(name)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield from ((name, found) for found in DOTTED.findall(node.value))


@pytest.mark.long
def test_every_dotted_name_in_a_string_is_there() -> None:
    missing = [f"{file}: {name}" for file, name in dotted_strings() if name not in FOREIGN and not is_there(name)]
    assert missing == []


def test_every_command_screen_and_entry_point_is_there() -> None:
    targets = [row.target for row in COMMANDS.values()] + [entry.target for entry in SCREENS]
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    targets += [*project["scripts"].values()]
    targets += [target for group in project["entry-points"].values() for target in group.values()]
    assert [target for target in targets if not is_there(target)] == []


def test_every_value_that_is_loaded_on_demand_is_there() -> None:
    assert [name for name in domain._MODULES if not hasattr(domain, name)] == []


@pytest.mark.long
def test_every_type_in_a_style_sheet_is_a_widget() -> None:
    known = {"Toast", *textual.widgets.__all__}
    known |= {name for module in (textual.command, textual.containers, textual.screen) for name in dir(module)}
    ours = [f"{name.replace('.', '/')}.py" for name in imports() if name.startswith("recall_tui.tui.")]
    known |= {node.name for name in ours for node in ast.walk(tree(name)) if isinstance(node, ast.ClassDef)}
    sheets = {path.name: path.read_text() for path in sorted((CHECKOUT / "styles").glob("*.tcss"))}
    for name in ours:
        for node in ast.walk(tree(name)):
            if isinstance(node, ast.Assign) and any(
                getattr(one, "id", "") in ("CSS", "DEFAULT_CSS") for one in node.targets
            ):
                sheets[name] = str(ast.literal_eval(node.value))
    for name, sheet in sheets.items():
        rules = re.sub(r"/\*.*?\*/|\{.*?\}", " ", sheet, flags=re.DOTALL)
        used = set(SELECTOR.findall(rules))
        assert used <= known, f"{name} names {sorted(used - known)}"


def test_every_file_that_contributing_names_is_there() -> None:
    page = (CHECKOUT / "CONTRIBUTING.md").read_text()
    files = [path.relative_to(CHECKOUT).as_posix() for path in CHECKOUT.rglob("*.py") if ".venv" not in path.parts]
    named = set(re.findall(r"`([\w/]+\.py)`", page))
    assert [name for name in named if not any(f"/{file}".endswith(f"/{name}") for file in files)] == []
