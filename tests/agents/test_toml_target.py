"""A person's own description of an agent makes a target; a wrong one is told with its line and costs no other."""

from __future__ import annotations

import inspect
import re
import textwrap
from pathlib import Path

import pytest
import yaml

from recall_tui.agents.target import State
from recall_tui.agents.targets import from_toml
from recall_tui.agents.targets.from_toml import load_target, load_targets
from recall_tui.environment import Environment
from recall_tui.errors import ConfigError
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from tests.agents.installing import installed, removed, states
from tests.agents.sites import SiteMaker

CHECKOUT = Path(__file__).resolve().parents[2]
BLOCK = 'name = "zed"\ntitle = "Zed"\ndetect = ["~/.config/zed", "zed"]\nform = "block"\n\n[project]\nfile = ".rules"\n'
FILE = """name = "kilo"
form = "file"
limit = 9000
imports = "@"
front_matter = '''
trigger: always_on
'''

[user]
file = "~/.kilo/rules/recall-tui.md"

[project]
file = ".kilo/rules/recall-tui.md"
"""
LIST = 'name = "helper"\nform = "read-list"\nshort = true\n[user]\nfile = "~/.helper.md"\nsettings = "~/.helper.yml"\n'


def write(environment: Environment, name: str, text: str) -> Path:
    """A description in the person's folder."""
    path = environment.targets / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_folder_is_the_one_for_settings(environment: Environment) -> None:
    assert environment.targets == environment.home / ".config" / "recall-tui" / "targets"
    moved = Environment(environment.home, environment.cwd, {"XDG_CONFIG_HOME": "/etc/mine"})
    assert moved.targets == Path("/etc/mine/recall-tui/targets")
    assert load_targets(environment) == ((), ())


def test_a_description_says_who_it_is_and_whether_it_is_there(environment: Environment) -> None:
    write(environment, "zed.toml", BLOCK)
    ((zed,), problems) = load_targets(environment)
    assert (zed.name, zed.title, zed.scopes, zed.has_hooks, problems) == ("zed", "Zed", ("project",), False, ())
    assert not zed.is_found(environment)
    (environment.home / ".config" / "zed").mkdir()
    assert zed.is_found(environment)


@pytest.mark.parametrize(("text", "scope"), [(BLOCK, "project"), (FILE, "user"), (FILE, "project"), (LIST, "user")])
def test_each_form_comes_and_goes_without_a_trace(
    site: SiteMaker, environment: Environment, text: str, scope: str
) -> None:
    target = load_target(write(environment, "one.toml", text))
    pieces = target.pieces(site(scope))  # type: ignore[arg-type]
    shared = [piece.path for piece in pieces if piece.path.name in (".rules", ".helper.yml")]
    for before in ({}, dict.fromkeys(shared, "# mine\r\n")):
        files = installed(pieces, before)
        assert set(states(pieces, files)) == {State.CURRENT}
        assert installed(pieces, files) == files
        assert removed(pieces, files) == before


def test_a_file_has_its_front_matter_and_its_import(site: SiteMaker, environment: Environment) -> None:
    (piece,) = load_target(write(environment, "one.toml", FILE)).pieces(site("project"))
    text = piece.installed(None)
    assert split_frontmatter(text)[0] == {"trigger": "always_on"}
    assert "\n@../../memory/MEMORY.md\n" in text
    assert "\n@../../memory/EPHEMERAL.md\n" in text
    assert len(text) <= 9_000


def test_a_list_reads_the_file_and_the_memory(site: SiteMaker, environment: Environment) -> None:
    rules, settings = load_target(write(environment, "one.toml", LIST)).pieces(site("user"))
    assert rules.path == environment.home / ".helper.md"
    listed = yaml.safe_load(settings.installed(None))["read"]
    assert [Path(entry).name for entry in listed] == [".helper.md", "MEMORY.md", "EPHEMERAL.md"]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('name = "zed"\nform = block\n', 2, "value"),
        ('form = "block"\n[project]\nfile = "a"\n', 1, "name"),
        ('title = "Z"\nname = "Zed!"\n', 2, "name"),
        ('name = "zed"\nform = "page"\n[project]\nfile = "a"\n', 2, "form"),
        ('name = "zed"\nform = "block"\n', 1, "nowhere"),
        ('name = "zed"\nform = "block"\ncolour = 1\n[project]\nfile = "a"\n', 3, "colour"),
        ('name = "zed"\nform = "block"\nlimit = "a"\n[project]\nfile = "a"\n', 3, "limit"),
        ('name = "zed"\nform = "block"\ntitle = 3\n[project]\nfile = "a"\n', 3, "title"),
        ('name = "zed"\nform = "block"\ndetect = "zed"\n[project]\nfile = "a"\n', 3, "detect"),
        ('name = "zed"\nform = "block"\n[project]\nfile = "../a"\n', 4, "inside the project"),
        ('name = "zed"\nform = "block"\n[project]\nfile = "/etc/a"\n', 4, "inside the project"),
        ('name = "zed"\nform = "block"\n[user]\nfile = "a"\n', 4, "inside the home folder"),
        ('name = "zed"\nform = "block"\n[project]\nfiles = "a"\n', 4, "files"),
        ('name = "zed"\nform = "read-list"\n[project]\nfile = "a"\n', 1, "settings"),
        ('name = "zed"\nform = "block"\nfront_matter = "a: b"\n[project]\nfile = "a"\n', 3, "front matter"),
        ('name = "claude"\nform = "block"\n[project]\nfile = "a"\n', 1, "already"),
        ('name = "zed"\nform = "block"\nproject = "a"\n', 3, "table"),
    ],
)
def test_a_wrong_description_is_told_with_its_line_and_costs_no_other(
    environment: Environment, text: str, line: int, what: str
) -> None:
    path = write(environment, "a.toml", text)
    write(environment, "b.toml", BLOCK.replace('"zed"\ntitle', '"good"\ntitle'))
    targets, problems = load_targets(environment, ["claude"])
    assert [target.name for target in targets] == ["good"]
    (problem,) = problems
    assert isinstance(problem, ConfigError)
    assert problem.message.startswith(f"{path}, line {line}: ")
    assert what in problem.message.lower()
    assert problem.hint


def test_the_examples_in_the_documentation_are_right(environment: Environment) -> None:
    page = (CHECKOUT / "docs" / "agents.md").read_text(encoding="utf-8")
    example = next(block for block in re.findall(r"```toml\n(.*?)```", page, re.S) if "detect" in block)
    shown = inspect.cleandoc(from_toml.__doc__ or "").partition('name = "zed"')
    for text in (example, textwrap.dedent(shown[1] + shown[2]).replace("\n    ", "\n")):
        text = text.replace("front_matter =", "# front_matter =")
        assert load_target(write(environment, "zed.toml", text)).scopes == ("project",)


def test_of_two_with_one_name_the_second_is_told(environment: Environment) -> None:
    write(environment, "a.toml", BLOCK)
    write(environment, "b.toml", BLOCK)
    targets, problems = load_targets(environment)
    assert len(targets) == 1
    assert "b.toml, line 1: there is an agent zed already" in problems[0].message


def test_a_file_that_is_no_text_is_told(environment: Environment) -> None:
    environment.targets.mkdir(parents=True)
    (environment.targets / "a.toml").write_bytes(b"\xff\xfe")
    (environment.targets / "b.toml").mkdir()
    assert [len(found) for found in load_targets(environment)] == [0, 2]


def test_a_description_that_nests_without_end_is_told_as_broken(tmp_path: Path) -> None:
    path = tmp_path / "zed.toml"
    path.write_text("a = " + "[" * 5_000, encoding="utf-8")
    with pytest.raises(ConfigError):
        load_target(path)
