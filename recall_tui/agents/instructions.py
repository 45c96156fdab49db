"""What an agent is told about the memory: one text, adapted to what the agent does by itself.

It states facts and gives no orders, since agents distrust orders that come with their context; every path and command
in it is that of the memory it is bound to.
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from datetime import datetime
from os.path import relpath
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from recall_tui.config import env_name
from recall_tui.errors import UsageError
from recall_tui.resources import read_template
from recall_tui.storage.memory_context import Store
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.agents.target import Site
    from recall_tui.domain import EventName

PROTOCOL_RESOURCE = "rules/protocol.md"
PROGRAM = "recall-tui"
_CONDITION = lazy_pattern(r"\{([a-z! ]+)\} ?(.*)")
"""What must hold for the line behind it to stand in the text; `!` says that it must not."""
_BLANK_LINES = lazy_pattern(r"\n{3,}")
_BACKTICKS = lazy_pattern(r"`+")


@dataclass(frozen=True, slots=True)
class InstructionStyle:
    """What an agent does by itself, and so need not be told."""

    hooks: frozenset[EventName] = frozenset()
    """The events at which our hooks run in it."""
    imports: str = ""
    """The sign before a path that makes the agent read a file into the text; empty when it knows none."""
    imports_below: bool = False
    """It reads only files in the folder of the file that imports them, or below."""
    loads_memory: bool = False
    """The agent loads this memory's MEMORY.md without our help."""
    gets_window: bool = False
    """The agent is given the window's file at every start, by a list of files to read."""
    is_read: bool = True
    """Its transcripts are among those that can be archived."""
    is_shared: bool = False
    """Several agents read the text, with hooks and without."""
    level: int = 1
    """Of the first heading: 2 for a block in a shared file."""
    is_short: bool = False
    """Only what an agent without tools of its own can use."""
    limit: int = 0
    """Characters at most; 0 for any."""


def render_protocol(site: Site, form: InstructionStyle, path: Path) -> str:
    """The text for the file at `path`, ending with one newline.

    Past the form's limit the memory's path stands in it once; UsageError when that is too long, too, or no path for a
    text.
    """
    if re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", str(site.layout.root) + str(site.project)):
        raise UsageError(
            f"{str(site.layout.root)!r} has a control character in its name", hint="rename the folder, then install"
        )
    text = _fill_template(PROTOCOL_RESOURCE, site, form, path)
    if form.limit and len(text) > form.limit:
        text = _fill_template(PROTOCOL_RESOURCE, site, form, path, is_long=True)
    if form.limit and len(text) > form.limit:
        raise UsageError(
            f"{path}: the rules take {len(text)} characters, over {form.limit}", hint="a memory with a shorter path"
        )
    return text


def render_skill(site: Site) -> str:
    """The skill that teaches an agent to search this memory, with its frontmatter."""
    return _fill_template("skills/recall/SKILL.md", site, InstructionStyle(), site.project)


def render_slash_command(site: Site, name: str) -> str:
    """The command `/name`, as Claude Code reads it, with its frontmatter."""
    return _fill_template(f"commands/{name}.md", site, InstructionStyle(), site.project)


def render_summarizer(site: Site) -> str:
    """The sub-agent that summarises a session in a context of its own, with its frontmatter."""
    return _fill_template("agents/summarize-agent.md", site, InstructionStyle(), site.project)


def needs_memory_hook(site: Site, form: InstructionStyle, path: Path) -> bool:
    """Whether a hook has to hand over MEMORY.md at a start: neither the agent nor the text at `path` loads it."""
    is_loaded = form.loads_memory or _import_line(site, form, path, site.layout.memory_file) != ""
    return "start" in form.hooks and not is_loaded


def _fill_template(name: str, site: Site, form: InstructionStyle, path: Path, *, is_long: bool = False) -> str:
    facts = _template_conditions(site, form, path) | ({"long"} if is_long else set())
    lines: list[str] = []
    for line in read_template(name).splitlines():
        if condition := _CONDITION.fullmatch(line):
            if all((word.lstrip("!") in facts) != word.startswith("!") for word in condition[1].split()):
                lines.append(condition[2])
        else:
            lines.append(line)
    text = Template("\n".join(lines)).substitute(_template_values(site, form, path, is_long=is_long))
    return _BLANK_LINES.sub("\n\n", text).strip("\n") + "\n"


def _template_conditions(site: Site, form: InstructionStyle, path: Path) -> set[str]:
    """The conditions of the template's lines that hold."""
    layout = site.layout
    can_import = not form.loads_memory and _import_line(site, form, path, layout.memory_file) != ""
    holding = {
        "here": _is_shared_site(site),
        "elsewhere": not _is_shared_site(site),
        "loaded": form.loads_memory,
        "imported": can_import,
        "handed": needs_memory_hook(site, form, path),
        "windowed": "start" not in form.hooks and _import_line(site, form, path, layout.window) != "",
        "shared": form.is_shared,
        "hands": form.gets_window,
        "list": not layout.design.window_is_one_summary,
        "one": layout.design.window_is_one_summary,
        "archives": bool(layout.archives),
        "summaries": layout.design.summaries_are_archives,
        "lessons": layout.design.writes_lessons,
        "master": layout.design.starts_from_master,
        "masterimport": _file_setting(site, "master.imported") is True
        and _import_line(site, form, path, layout.master) != "",
        "writes": is_capture_enabled(site),
        "read": form.is_read,
        "full": not form.is_short,
    }
    return {name for name, holds in holding.items() if holds} | set(form.hooks)


def _template_values(site: Site, form: InstructionStyle, path: Path, *, is_long: bool) -> dict[str, str]:
    """What the template's names stand for."""
    layout = site.layout
    option = "" if is_long else f" --root {shlex.quote(_root_text(site))}"
    archives = [place for place in layout.archives if place.folder.is_dir()] or layout.archives[:1]
    # What goes into a repository holds on another machine, where the program lies elsewhere.
    command = PROGRAM if _is_shared_site(site) else shlex.join(site.command)
    numbered = [_code_span(_path_text(site, place.folder / f"{place.prefix}-NNN.md")) for place in archives]
    return {
        "h": "#" * form.level,
        "root": _code_span(str(layout.root)),
        "memory": _code_span(_path_text(site, layout.memory_file)),
        "topics": _code_span(_path_text(site, layout.topics / "<topic>.md")),
        "window": _code_span(_path_text(site, layout.window)),
        "rows": _code_span(_path_text(site, layout.rows)),
        "archives": " and ".join(numbered),
        "summaries": _code_span(_path_text(site, layout.summaries / "<session-id>.md")) if layout.summaries else "",
        "lessons": _code_span(_path_text(site, layout.days / "<date>.md")),
        "program": PROGRAM,
        "executable": _code_span(shlex.join(site.command)),
        "option": option,
        "shown": "14:30-63" if archives else "MEMORY.md:1-40",
        "command": command,
        "may_summarize": _permission_entry(f"{command} summarize"),
        "may_synthesize": _permission_entry(f"{command} synthesize"),
        "may_show": _permission_entry(f"{command} show"),
        "master": _code_span(_path_text(site, layout.master)),
        "recall": _code_span(f"{PROGRAM} recall{option}"),
        "consume": _code_span(f"{PROGRAM} consume --clear{option}"),
        "remember": _code_span(f'{PROGRAM} remember "TEXT"{option}'),
        "archive_all": _code_span(f"{PROGRAM} archive --all-unarchived{option}"),
        "distill": _code_span(f"{PROGRAM} distill{option}"),
        "master_import": _import_line(site, form, path, layout.master),
        "memory_import": _import_line(site, form, path, layout.memory_file),
        "window_import": _import_line(site, form, path, layout.window),
    }


def is_capture_enabled(site: Site) -> bool:
    """Return whether hooks write into the memory, by its settings file: in layout project only when that says so."""
    wanted = _file_setting(site, "capture.auto")
    return site.layout.design.captures_by_default if wanted is None else bool(wanted)


def _file_setting(site: Site, key: str) -> object:
    """What of the memory's settings file is in force; an environment is one machine's alone."""
    env = {name: value for name, value in site.environment.env.items() if name != env_name(key)}
    return Store(site.layout, site.environment._replace(env=env), _no_clock).config.get(key)


def _no_clock() -> datetime:
    raise AssertionError("settings are the same at any time")


def _is_shared_site(site: Site) -> bool:
    """Whether the text goes into the project that holds the memory, so that it must hold on another machine too."""
    return site.scope == "project" and site.layout.root.is_relative_to(site.project)


def _root_text(site: Site) -> str:
    return relpath(site.layout.root, site.project) if _is_shared_site(site) else str(site.layout.root)


def _path_text(site: Site, path: Path) -> str:
    """The path as the text names it: from the project's folder, or from the memory's, else whole."""
    base = site.project if _is_shared_site(site) else site.layout.root
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else str(path)


def _import_line(site: Site, form: InstructionStyle, path: Path, imported: Path) -> str:
    """The line that reads `imported` into the file at `path`; empty when the agent cannot.

    A path ends at its first space, for every agent that imports.
    """
    if not form.imports or (form.imports_below and not imported.is_relative_to(path.parent)):
        return ""
    own_folder = path.parent if path.parent.parent == site.environment.home else path.parent.parent
    is_near = _is_shared_site(site) or (site.scope == "user" and imported.is_relative_to(own_folder))
    shown = Path(relpath(imported, path.parent)).as_posix() if is_near else str(imported)
    if any(letter.isspace() for letter in shown):
        return ""
    return form.imports + (shown if shown.startswith(("/", "../")) or not is_near else f"./{shown}")


def _permission_entry(command: str) -> str:
    """The entry, as YAML, by which an agent may run the command without asking."""
    return json.dumps(f"Bash({command}:*)", ensure_ascii=False)


def _code_span(text: str) -> str:
    """The text as a code span, whatever back-ticks are in it."""
    fence = "`" * (max(map(len, _BACKTICKS.findall(text)), default=0) + 1)
    space = " " if len(fence) > 1 else ""
    return f"{fence}{space}{text}{space}{fence}"
