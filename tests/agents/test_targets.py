"""Every agent's installation comes and goes without a trace, and changes nothing the second time."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from pathlib import Path

import pytest
import yaml

from recall_tui.agents.hook_command import is_own_hook
from recall_tui.agents.target import SERVER_PIECE, Site, State, Target
from recall_tui.agents.targets import windsurf
from recall_tui.agents.targets.agents_md import AgentsMdTarget
from recall_tui.agents.targets.aider import AiderTarget
from recall_tui.agents.targets.codex import CodexTarget
from recall_tui.agents.targets.cursor import CursorTarget
from recall_tui.agents.targets.gemini import GeminiTarget
from recall_tui.agents.targets.windsurf import WindsurfTarget
from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from tests.agents.installing import SCOPED, Files, installed, name_of, removed, states
from tests.agents.sites import SiteMaker

OWN_TEXT = {
    ".md": "# Mine\n\nAlways answer in rhymes.\n",
    ".json": '{\n  "theme": "dark",\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "date"}]}]}\n}\n',
    ".yml": "# mine\nmodel: opus\nread: [style.md] # ours\n",
}  # fmt: skip
SHARED = {"AGENTS.md", "GEMINI.md", "global_rules.md", "hooks.json", "settings.json", ".aider.conf.yml"}


def own_files(site: Site, target: Target, newline: str = "\n") -> Files:
    """What a person has in the files that an installation shares."""
    paths = [piece.path for piece in target.pieces(site) if piece.path.name in SHARED]
    return {path: OWN_TEXT[path.suffix].replace("\n", newline) for path in paths}


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
@pytest.mark.parametrize(("target", "scope"), SCOPED, ids=name_of)
def test_into_nothing_and_out_again_leaves_nothing(site: SiteMaker, target: Target, scope: str, layout: str) -> None:
    pieces = target.pieces(site(scope, layout))  # type: ignore[arg-type]
    assert set(states(pieces, {})) == {State.ABSENT}
    files = installed(pieces, {})
    assert set(states(pieces, files)) == {State.CURRENT}
    assert installed(pieces, files) == files
    assert removed(pieces, files) == {}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("target", "scope"), SCOPED, ids=name_of)
def test_what_a_person_has_there_is_the_same_afterwards(
    site: SiteMaker, target: Target, scope: str, newline: str
) -> None:
    where = site(scope)  # type: ignore[arg-type]
    pieces, before = target.pieces(where), own_files(where, target, newline)
    files = installed(pieces, before)
    assert set(states(pieces, files)) == {State.CURRENT}
    assert installed(pieces, files) == files
    assert removed(pieces, files) == before
    for path, text in before.items():
        if path.suffix == ".md":
            assert files[path].startswith(text)
            assert files[path].count("\n") == files[path].count(newline)


@pytest.mark.parametrize(("target", "scope"), SCOPED, ids=name_of)
def test_for_another_memory_it_is_out_of_date_and_replaced(
    site: SiteMaker, tmp_path: Path, target: Target, scope: str
) -> None:
    here, there = site(scope), site(scope, root=tmp_path / "elsewhere")  # type: ignore[arg-type]
    before = own_files(here, target)
    files = installed(target.pieces(here), before)
    assert State.ABSENT not in states(target.pieces(there), files)
    assert State.CURRENT not in states(target.pieces(there), files)
    moved = installed(target.pieces(there), files)
    assert set(states(target.pieces(there), moved)) == {State.CURRENT}
    assert removed(target.pieces(there), moved) == before


@pytest.mark.parametrize(("target", "scope"), SCOPED, ids=name_of)
def test_it_touches_only_its_own_places(site: SiteMaker, environment: Environment, target: Target, scope: str) -> None:
    where = site(scope)  # type: ignore[arg-type]
    own = {
        "codex": [environment.codex],
        "gemini": [environment.gemini],
        "cursor": [environment.home / ".cursor"],
        "windsurf": [environment.home / ".codeium"],
        "aider": [environment.home / ".aider", environment.home / ".aider.conf.yml"],
    }.get(target.name, [])
    for piece in target.pieces(where):
        allowed = own if scope == "user" else [where.project]
        assert any(piece.path.is_relative_to(folder) for folder in allowed), piece.path
        assert "CLAUDE" not in piece.path.name


@pytest.mark.parametrize(
    ("target", "file", "unit"), [(CodexTarget(), "hooks.json", 1), (GeminiTarget(), "settings.json", 1000)], ids=name_of
)
def test_hooks_carry_an_absolute_command_bound_to_the_memory(
    site: SiteMaker, tmp_path: Path, target: Target, file: str, unit: int
) -> None:
    where = site("user", root=tmp_path / "my agent")
    files = installed(target.pieces(where), {})
    text = next(text for path, text in files.items() if path.name == file)
    handlers = [
        handler for groups in json.loads(text)["hooks"].values() for group in groups for handler in group["hooks"]
    ]
    assert len(handlers) == len(json.loads(text)["hooks"]) >= 4
    for handler in handlers:
        words = shlex.split(handler["command"])
        assert Path(words[0]).is_absolute()
        assert words[1:] == ["hook", "--root", str(tmp_path / "my agent"), "--agent", target.name, "--memory"]
        assert is_own_hook(words)
        assert 5 * unit <= handler["timeout"] <= 30 * unit


def test_codex_in_a_project_and_agents_md_share_one_block_that_goes_with_the_last(site: SiteMaker) -> None:
    where = site("project")
    codex, every = CodexTarget().pieces(where), AgentsMdTarget().pieces(where)
    path = where.project / "AGENTS.md"
    before = {path: "# Mine\n"}
    for first, second in itertools.permutations((codex, every)):
        both = installed(second, installed(first, before))
        assert both[path].count("## Memory across sessions") == 1
        assert set(states((*codex, *every), both)) == {State.CURRENT}
        one = removed(first, both)
        assert set(states(second, one)) == {State.CURRENT}
        assert "## Memory across sessions" in one[path]
        assert removed(second, one) == before


def test_gemini_imports_what_is_below_its_file_and_names_the_rest(site: SiteMaker, environment: Environment) -> None:
    inside = installed(GeminiTarget().pieces(site("project")), {})
    assert "\n@./memory/MEMORY.md\n" in inside[environment.cwd / "GEMINI.md"]
    outside = installed(GeminiTarget().pieces(site("user", "user", environment.claude)), {})[
        environment.gemini / "GEMINI.md"
    ]
    assert "\n@" not in outside
    assert "A hook hands it over at every start" in outside


def test_memory_is_handed_over_where_nothing_loads_it_and_nowhere_else(site: SiteMaker, tmp_path: Path) -> None:
    """In the text of Codex in a project stands what holds for every agent that reads AGENTS.md."""
    spaced = tmp_path / "my agent"
    for target, scope in SCOPED:
        for where in (site(scope), site(scope, root=spaced)):
            files = installed((piece for piece in target.pieces(where) if piece.what != SERVER_PIECE), {})
            if not files:  # Cursor takes a person's rules from no file.
                assert (target.name, scope) == ("cursor", "user")
                continue
            text = next(text for path, text in files.items() if "Memory across sessions" in text)
            is_imported = re.search(r"^@.*MEMORY\.md$", text, re.M) is not None
            hooks = [text for path, text in files.items() if path.suffix == ".json" and "--root" in text]
            assert len(hooks) == target.has_hooks
            assert all(("--memory" in one) != is_imported for one in hooks), (target.name, scope)
            if target.has_hooks:
                assert ("handed it" in text or "hands it over" in text) != is_imported


def test_the_window_is_never_handed_over_twice(site: SiteMaker) -> None:
    for target, scope in SCOPED:
        files = installed(target.pieces(site(scope)), {})
        listed = [yaml.safe_load(text)["read"] for path, text in files.items() if path.suffix == ".yml"]
        is_given = any("EPHEMERAL.md" in str(read) for read in listed)
        is_imported = any(re.search(r"^@.*EPHEMERAL\.md", text, re.M) for text in files.values())
        assert (is_given, is_imported) == (target.name == "aider", False)


def test_a_cursor_rule_is_applied_always(site: SiteMaker) -> None:
    text, _ = installed(CursorTarget().pieces(site("project")), {}).values()
    head, body = split_frontmatter(text)
    assert head["alwaysApply"] is True
    assert head["globs"] is None
    assert head["description"]
    assert body.lstrip().startswith("# Memory across sessions")


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_windsurf_rule_keeps_its_limit_however_long_the_path(site: SiteMaker, layout: str) -> None:
    long = Path("/", *(["d" * 250] * 15))
    (piece,) = WindsurfTarget().pieces(site("project", layout, long))  # type: ignore[arg-type]
    text = piece.installed(None)
    assert split_frontmatter(text)[0]["trigger"] == "always_on"
    assert len(text) <= windsurf.MAX_RULE_CHARS
    assert str(long) in text


def test_windsurfs_global_rules_leave_room_for_the_persons(site: SiteMaker, environment: Environment) -> None:
    piece, _ = WindsurfTarget().pieces(site("user", "user", environment.claude))
    assert len(piece.installed(None)) < windsurf.MAX_GLOBAL_CHARS * 2 / 3


def test_aider_reads_three_files_and_is_told_nothing_it_cannot_use(site: SiteMaker, environment: Environment) -> None:
    where = site("user", "user", environment.claude)
    rules, settings = AiderTarget().pieces(where)
    text = settings.installed("read: style.md\n")
    assert yaml.safe_load(text)["read"] == [
        "style.md",
        str(rules.path),
        str(where.layout.memory_file),
        str(where.layout.window),
    ]
    body = rules.installed(None)
    assert len(body) < 4_000
    assert "hook" not in body.lower()


@pytest.mark.parametrize(
    ("target", "sign"),
    [
        (CodexTarget(), ".codex"), (GeminiTarget(), ".gemini"), (CursorTarget(), ".cursor"),
        (WindsurfTarget(), ".codeium/windsurf"),
        (AiderTarget(), ".aider"),
    ],
    ids=name_of,
)  # fmt: skip
def test_an_agent_is_found_by_its_folder_or_its_program(environment: Environment, target: Target, sign: str) -> None:
    assert not target.is_found(environment)
    (environment.home / sign).mkdir(parents=True)
    assert target.is_found(environment)
    programs = environment.home / "bin"
    programs.mkdir()
    (programs / target.name).write_text("#!/bin/sh\n", encoding="utf-8")
    (programs / target.name).chmod(0o755)
    bare = Environment(environment.cwd, environment.cwd, {"PATH": str(programs)})
    assert target.is_found(bare)
    assert not target.is_found(Environment(environment.cwd, environment.cwd, {"PATH": str(environment.cwd)}))


def test_agents_md_is_found_by_its_file(environment: Environment) -> None:
    assert not AgentsMdTarget().is_found(environment)
    (environment.cwd / "AGENTS.md").write_text("# Mine\n", encoding="utf-8")
    assert AgentsMdTarget().is_found(environment)


def test_a_file_of_which_the_agent_would_cut_our_part_is_refused(site: SiteMaker) -> None:
    for target, characters in ((WindsurfTarget(), 6_000), (CodexTarget(), 32_768)):
        block = target.pieces(site("user"))[0]
        with pytest.raises(RecallError, match=f"reads {characters}"):
            block.installed("x" * (characters - 100))


def test_a_codex_block_leaves_most_of_what_codex_reads_to_the_person(site: SiteMaker) -> None:
    for scope in ("user", "project"):
        block, *_ = CodexTarget().pieces(site(scope))  # type: ignore[arg-type]
        assert len(block.installed(None).encode()) < 32 * 1024 / 5
