"""Writes the tables of docs/ and SECURITY.md from the code; with --check, says whether they are stale.

A block stands between `<!-- begin: NAME -->` and `<!-- end: NAME -->`; the text around it is a person's.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

    from recall_tui.agents.target import Scope, Target

CHECKOUT = Path(__file__).resolve().parents[1]
PAGES = tuple(
    CHECKOUT / name
    for name in ("docs/agents.md", "docs/commands.md", "docs/keys.md", "docs/settings.md", "SECURITY.md")
)
if str(CHECKOUT) not in sys.path:
    sys.path.insert(0, str(CHECKOUT))


def commands() -> str:
    """The commands of the table, by group."""
    from recall_tui.cli.command_table import COMMANDS, GROUPS

    rows = [("", "`recall-tui`", "open the app on the memory")]
    for group in GROUPS:
        of_group = [(name, row) for name, row in COMMANDS.items() if row.group == group]
        for position, (name, row) in enumerate(of_group):
            rows.append((f"**{group}**" if position == 0 else "", f"`{f'{name} {row.usage}'.strip()}`", row.help))
    return table(("", "command", "what it does"), rows)


def options() -> str:
    """Each command's own options, and those of its subcommands."""
    from recall_tui.cli.click_ext import Program
    from recall_tui.cli.command_table import COMMANDS

    program, parts = Program("recall-tui"), []
    for name, row in COMMANDS.items():
        command = program.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        lines = [*_options_of(command, "")]
        if lines:
            parts.append(f"### {name}\n\n{row.help[:1].upper()}{row.help[1:]}.\n\n{table(('option', ''), lines)}")
    return "\n\n".join(parts)


def _options_of(command: click.Command, within: str) -> list[tuple[str, str]]:
    rows = []
    for param in command.params:
        text = getattr(param, "help", None)
        if text and not (param.name or "").startswith("shared_"):
            names = ", ".join((*param.opts, *param.secondary_opts))
            rows.append((f"{within}`{f'{names} {_value_of(param)}'.strip()}`", text))
    for name, below in getattr(command, "commands", {}).items():
        rows += _options_of(below, f"{within}{name} ")
    return rows


def _value_of(param: click.Parameter) -> str:
    choices = getattr(param.type, "choices", None)
    if getattr(param, "is_flag", False):
        return ""
    number = "N" if "integer" in param.type.name or "float" in param.type.name else param.type.name.upper()
    return param.metavar or ("|".join(map(str, choices)) if choices else number)


def keys() -> str:
    """The keys of the app."""
    rows: list[tuple[str, str, str, str]] = importlib.import_module("recall_tui.tui.key_table").render_key_table()
    lines = [(f"`{key}`", text, where, f"`{name}`" if name else "") for key, text, where, name in rows]
    return table(("key", "what it does", "where", "name"), lines)


def settings() -> str:
    """The settings of the schema, each with its default, its range and its environment variable."""
    from recall_tui.config import allowed_values, env_name, render_value
    from recall_tui.setting_schema import SCHEMA

    rows = []
    for one in SCHEMA:
        default = "" if one.default in (None, "", ()) else f"`{render_value(one.default)}`"
        rows.append((f"`{one.key}`", default, allowed_values(one), one.help, f"`{env_name(one.key)}`"))
    return table(("setting", "default", "values", "what it is", "environment"), rows)


def reach() -> str:
    """What a memory's settings file may set that came with a repository, and why."""
    from recall_tui.setting_schema import OPEN_TABLES, PATH_RULES, SCHEMA, TrustRule

    words = {
        "a word": "only after `config trust`, or in `~/.claude` itself",
        "a word everywhere": "only after `config trust`",
    }

    def row(name: str, one: TrustRule) -> tuple[str, ...]:
        may = "yes" if one.needs == "nothing" else f"{f'{one.only}: ' if one.only else ''}{words[one.needs]}"
        return name, may, one.does

    rows = [row(f"`{one.key}`", one.reach) for one in SCHEMA]
    rows += [row(f"any further `{name}.…`", one) for name, one in OPEN_TABLES.items()]
    rows += [row(f"`{name}` of `.recall-echo.json`", one) for name, one in PATH_RULES.items()]
    return table(("setting", "may a memory that came with a repository set it", "since it"), rows)


def state() -> str:
    """What lies in the state folder."""
    from recall_tui.storage.state.registry import ENTRIES

    erased = {
        "nothing": "names none",
        "lines": "its lines go",
        "files": "files that name it go",
        "module": "what is of it goes",
    }
    rows = [(f"`{one.path}`", one.holds, erased[one.erasure], one.on_damage or "–") for one in ENTRIES]
    return table(("file", "what it holds", "of a forgotten session", "when damaged"), rows)


def agents() -> str:
    """Each agent, what of it is kept, and what an installation adds for a person and for a project."""
    from recall_tui.agents.registry import load_registry
    from recall_tui.agents.target import Site
    from recall_tui.environment import Environment
    from recall_tui.storage.layout import make_layout
    from recall_tui.transcripts.registry import own_readers

    home, project = Path("/home/you"), Path("/project")
    environment = Environment(home=home, cwd=project, env={})
    kept = {reader.agent for reader in own_readers()}

    def place(path: Path) -> str:
        of_person = path.is_relative_to(home)
        return f"`~/{path.relative_to(home)}`" if of_person else f"`{path.relative_to(project)}`"

    def cell(target: Target, scope: Scope) -> str:
        if scope not in target.scopes:
            return ""
        pieces = target.pieces(Site(scope, project, make_layout(project, "entity"), environment, ("recall-tui",)))
        named = [f"{one.what} {place(one.path)}" for one in pieces if one.what in ("rules", "hooks", "server")]
        return ", ".join([*named, *(one.what for one in pieces if one.what in ("skill", "sub-agent"))])

    rows = [
        (f"`{one.name}`", one.title, "yes" if one.name in kept else "", cell(one, "user"), cell(one, "project"))
        for one in load_registry(environment).targets
    ]
    return table(("agent", "product", "sessions kept", "for you", "for one project"), rows)


def abilities() -> str:
    """What works with each agent: history, hooks, server, rules, and the command that resumes a session."""
    from recall_tui.agents.registry import load_registry
    from recall_tui.agents.target import Site
    from recall_tui.environment import Environment
    from recall_tui.storage.layout import make_layout
    from recall_tui.transcripts.registry import own_readers

    environment = Environment(home=Path("/home/you"), cwd=Path("/project"), env={})
    layout = make_layout(environment.cwd, "entity")
    targets = {one.name: one for one in load_registry(environment).targets}
    readers = {one.agent: one for one in own_readers()}

    def row(name: str) -> tuple[str, ...]:
        target, reader = targets.get(name), readers.get(name)
        sites = (
            [Site(scope, environment.cwd, layout, environment, ("recall-tui",)) for scope in target.scopes]
            if target
            else []
        )
        added = {piece.what for site in sites for piece in (target.pieces(site) if target else ())}
        words = reader.resume_arguments("ID") if reader else ()
        resume = f"`{' '.join(((reader.program or reader.agent), *words))}`" if reader and words else ""
        has = [name in readers, "hooks" in added, "server" in added, "rules" in added]
        title = target.title if target else reader.label if reader else name
        return (title, *("yes" if one else "" for one in has), resume)

    return table(
        ("agent", "history", "hooks", "MCP", "rules", "resume"), [row(name) for name in {**targets, **readers}]
    )


def retention() -> str:
    """For how long each agent that is read keeps its sessions, by default."""
    from recall_tui.environment import Environment
    from recall_tui.transcripts.registry import own_readers

    environment = Environment(home=Path("/nowhere"), cwd=Path("/nowhere"), env={})
    rows = [(one.label, one.retention(environment).describe()) for one in own_readers()]
    return table(("agent", "keeps its sessions, unless you set it otherwise"), rows)


BLOCKS: Mapping[str, Callable[[], str]] = {
    "commands": commands,
    "options": options,
    "keys": keys,
    "abilities": abilities,
    "agents": agents,
    "retention": retention,
    "settings": settings,
    "reach": reach,
    "state": state,
}


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A markdown table; a `|` inside a cell is escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def render(text: str) -> str:
    """Return `text` with every block replaced by a fresh one."""
    for name, make in BLOCKS.items():
        begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
        pattern = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.DOTALL)
        if pattern.search(text):
            block = f"{begin}\n{make()}\n{end}"
            text = pattern.sub(lambda _match, block=block: block, text)
    return text


def main(words: Sequence[str]) -> int:
    """Write the pages, or with --check return 1 when one is stale."""
    code = 0
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = render(before)
        if "--check" not in words:
            page.write_text(after, encoding="utf-8")
        elif before != after:
            print(f"{page.name} is stale; run: make docs", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
