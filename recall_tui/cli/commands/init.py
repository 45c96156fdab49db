"""`init`: the folders and files of a memory, and what is put into agents with it.

An agent that is unknown, or whose settings make no sense, is found before anything is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CliCommand, CommandContext, command
from recall_tui.cli.commands.agents import scope_option
from recall_tui.cli.output import one_line
from recall_tui.errors import NotFoundError, RecallError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from recall_tui.agents.target import Scope
    from recall_tui.domain import Plan
    from recall_tui.features.setup.init import InitFacts
    from recall_tui.storage.existing_memory import MemoryExistsError
    from recall_tui.storage.layout import Layout
    from recall_tui.workbench import Workbench

_FILES = "MEMORY.md contains what every session should know; EPHEMERAL.md what the last {window}; {session}."
_NEXT_STEPS = """\
  recall-tui archive --all-unarchived   archive existing transcripts
  recall-tui status                     show the memory's health
  recall-tui                            see, search and curate it"""


class _InitCommand(CliCommand):
    """`init`, with the meaning of each layout below its options."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a line for each layout."""
        from recall_tui.storage.layout import LAYOUT_NAMES, find_design

        with formatter.section("Layouts"):
            formatter.write_dl([(name, find_design(name).about) for name in LAYOUT_NAMES])


@command(cls=_InitCommand)
@click.argument("root", required=False)
@click.option("--target", "agents", multiple=True, metavar="AGENT", help="also install into this agent, such as claude")
@scope_option
@click.option("--no-install", is_flag=True, help="do not install into any agent")
@click.option("--dry-run", is_flag=True, help="preview without creating anything")
@click.option("--yes", is_flag=True, help="install without confirmation")
def init(
    run: CommandContext,
    root: str | None,
    agents: tuple[str, ...],
    scope: Scope | None,
    no_install: bool,
    dry_run: bool,
    yes: bool,
) -> int | None:
    """Create the folders and files of a memory in ROOT; existing files are kept.

    Without ROOT: RECALL_ECHO_HOME, else the memory of the current folder, else a terminal asks. Without a terminal or
    with --yes: ~/.claude if it exists or is the target, else the current folder; in a project always its top. For a
    memory in ~/.claude, hooks for Claude Code are offered too. The memory and each agent are separate changes. --layout
    names one of the layouts listed below; a memory that is there is never hidden by one of another layout.
    """
    from recall_tui.features.setup.init import choose_layout, plan_init
    from recall_tui.storage.existing_memory import MemoryExistsError, describe_outer
    from recall_tui.storage.layout import LocatedMemory
    from recall_tui.workbench import Workbench

    if no_install and agents:
        raise UsageError("--target and --no-install contradict each other")
    folder = run.folder(root)
    named = folder or run.environment.memory
    if named is not None and not (run.environment.cwd / named).parent.exists():
        raise NotFoundError(f"{named.parent} does not exist", hint=f"is {named.name} the right path?")
    if folder is None and not (run.layout or agents or scope):
        folder = _ask_folder(run, yes=yes)
    try:
        layout = choose_layout(run.environment, folder, run.layout, is_for_claude="claude" in agents)
    except MemoryExistsError as error:
        layout = _go_on_with(run, error, yes=yes)
    if outer := describe_outer(run.environment, layout, (run.environment.cwd / (folder or "")).absolute()):
        run.out.note(one_line(outer))
    bench = Workbench.at(LocatedMemory(layout, "init"), run.environment, run.now)
    run.memory_root = bench.store.root
    chosen = () if no_install else agents or (("claude",) if layout.design.is_of_agent_home else ())
    if scope and not chosen:
        raise UsageError("--scope says where to install, and nothing is to be installed", hint="add: --target claude")
    plan = bench.preview(plan_init)
    whole = _add_install_plans(bench, plan, chosen, scope)
    if dry_run:
        from recall_tui.features.capture.project_extent import describe_extent

        told = describe_extent(bench.store, is_all=plan.facts["projects"] == "all")
        run.show(replace(whole, notes=(*plan.notes, *told, *whole.notes[len(plan.notes) :])))
        return None
    trouble = ""
    try:
        bench.initialise()
    except OSError as error:
        trouble = f"{error.strerror}: {error.filename}"
    is_guided = run.out.can_ask and not run.json

    def go_on() -> tuple[list[dict[str, object]], int]:
        if is_guided:
            from recall_tui.cli.commands.archive import offer_to_keep

            offer_to_keep(run, bench, yes=yes)
        others = [] if no_install or agents or yes or not is_guided else _other_agents(bench, chosen)
        return _install_agents(run, bench, (*chosen, *others), scope, yes=yes)

    return _print_init_result(run, bench, plan, trouble, go_on, is_guided=is_guided)


def _ask_folder(run: CommandContext, *, yes: bool) -> Path | None:
    """Ask where a new memory goes; where nobody can be asked, the agent's home is left alone in a project.

    None where it is clear: the environment names it, or one stands in a memory.
    """
    from recall_tui.environment import shorten_path
    from recall_tui.features.setup.init import is_in_memory
    from recall_tui.storage.existing_memory import memory_place
    from recall_tui.storage.project_root import find_project

    here, home, claude = run.environment.cwd, run.environment.home, run.environment.claude
    if run.environment.memory or here in (home, claude) or is_in_memory(run.environment):
        return None
    here = memory_place(here, home)
    if is_in_memory(run.environment._replace(cwd=here)):
        return here
    own, folder = one_line(shorten_path(claude, home)), one_line(shorten_path(here, home))
    if not run.out.can_ask or run.json or yes:
        if not claude.is_dir() or not find_project(here, home):
            return None
        run.out.note(f"a memory for this project, in {folder}; for one of all projects: recall-tui init {own}")
        return here
    width = max(len(own), len(folder))
    run.out.note("No memory found. It can be in one of two folders:")
    run.out.note(f"  {own:<{width}}  one memory for all projects, your own; projects stay untouched")
    which = "folder" if here == run.environment.cwd else "project"
    run.out.note(f"  {folder:<{width}}  a memory in this {which}: in a project for its sessions, elsewhere for all")
    if (project := find_project(here, home)) and project.system:
        top = one_line(shorten_path(project.top, home))
        run.out.note(f"For one that the team of {top} shares: ctrl+c, then recall-tui init {top} --layout project")
    return claude if run.out.asked(f"Set it up in {own}? With n, in {folder}.", is_usual=True) else here


def _go_on_with(run: CommandContext, error: MemoryExistsError, *, yes: bool) -> Layout:
    """Offer the memory that is there; where that is not wanted, or nobody can be asked, the error is raised."""
    if not run.out.can_ask or run.json or yes:
        raise error
    run.out.note(one_line(error.message))
    if not run.out.asked("Continue with the memory that is there?", is_usual=True):
        raise error
    return error.layout


def _other_agents(bench: Workbench, chosen: Collection[str]) -> list[str]:
    """The other agents on the machine that the memory is not in yet."""
    return [one.target.name for one in bench.agents.offers() if one.target.name not in chosen]


def _add_install_plans(
    bench: Workbench, plan: Plan[InitFacts], names: Iterable[str], scope: Scope | None
) -> Plan[InitFacts]:
    """The plan, and what would then be put into the agents."""
    for name in names:
        seen = bench.agents.install_plan(name, scope)
        edits = tuple(edit for edit in seen.edits if not edit.path.is_relative_to(bench.store.state))
        plan = replace(plan, edits=plan.edits + edits, notes=plan.notes + seen.notes)
    return plan


def _install_agents(
    run: CommandContext, bench: Workbench, names: Iterable[str], scope: Scope | None, *, yes: bool
) -> tuple[list[dict[str, object]], int]:
    """Put the memory into the agents; what became of each, and 1 when one of them failed."""
    from recall_tui.agents.registry import get_target
    from recall_tui.cli.install_flow import InstallOptions, install_with_prompt, print_result

    rows: list[dict[str, object]] = []
    code = 0
    for name in names:
        try:
            # Where nobody can be asked the memory is made and the agent is left: that is no failure.
            how = InstallOptions(dry_run=run.json and not yes, yes=yes)
            outcome = install_with_prompt(run, bench, get_target(name, run.environment), scope, how)
        except RecallError as error:
            run.out.error(error.message, error.hint)
            rows.append({"agent": name, "trouble": error.message})
            code = 1
            continue
        rows.append({**outcome.as_json(run), "trouble": None})
        if outcome.code:
            run.out.note(f"to install it later: recall-tui install {name}")
        elif not run.json:
            print_result(run, outcome)
    return rows, code


def _print_init_result(
    run: CommandContext,
    bench: Workbench,
    plan: Plan[InitFacts],
    trouble: str,
    install: Callable[[], tuple[list[dict[str, object]], int]],
    *,
    is_guided: bool,
) -> int | None:
    """Print what became of every file and go on to the agents; 1 when something could not be made."""
    wanted, kept = plan.facts["created"], plan.facts["kept"]
    there = {path: (bench.layout.root / path).exists() for path in wanted}
    created = [path for path, is_there in there.items() if is_there]
    failed = [path for path, is_there in there.items() if not is_there]
    code = 0
    if run.json:
        rows, code = ([], 1) if failed or trouble else install()
        from recall_tui.index.project_scope import captures_all_projects

        projects = "all" if captures_all_projects(bench.store) else "here"
        facts = {"root": bench.layout.root, "layout": bench.layout.name, "projects": projects, "agents": rows}
        run.out.document({**facts, "created": created, "kept": kept, "failed": failed, "trouble": trouble or None})
    else:
        run.out.line(run.out.style(f"{bench.layout.root}  (layout {bench.layout.name})", bold=True))
        for mark, word, paths in (("✓", "created", created), ("~", "kept", kept), ("✗", "failed", failed)):
            for path in paths:
                run.out.line(f"{mark} {word:<8}{run.out.style(path)}")
    if failed or trouble:
        run.out.error(trouble or "some files could not be made", "fix that and run init again; existing files are kept")
        return 1
    if not run.json:
        from recall_tui.features.capture.project_extent import describe_extent

        for sentence in describe_extent(bench.store):
            run.out.note(one_line(sentence))
        if found := _sessions_found(bench):
            run.out.note(one_line(found))
        code = install()[1]
    run.out.note(_describe_files(bench))
    run.out.note("recall-tui opens it: / searches every session, ? shows the keys" if is_guided else _NEXT_STEPS)
    return code or None


def _sessions_found(bench: Workbench) -> str:
    """Say whose sessions are on this machine; empty when there are none. Only the beginnings of files are read."""
    from recall_tui.features.capture import project_extent
    from recall_tui.index.project_scope import captures_all_projects
    from recall_tui.index.sources.transcripts import list_transcripts

    store = bench.store
    sessions = {file.session_id: file.path for file in list_transcripts(store)}
    if not sessions:
        return ""
    counts = project_extent.sessions_by_project(store, sessions.values())
    found = f"{len(sessions)} session{'s' * (len(sessions) != 1)}"
    if captures_all_projects(store):
        return f"found {found}: {project_extent.describe_projects(counts)}"
    own = project_extent.home_relative(store, project_extent.memory_project(store).root)
    held = dict(counts).get(own, 0)
    share = "none" if not held else "all" if held == len(sessions) > 1 else f"{held:,}"
    return f"found {found} on this machine, {share} of them in {own}"


def _describe_files(bench: Workbench) -> str:
    """Describe the files of the memory's design."""
    layout, design = bench.layout, bench.layout.design
    window = "session did" if design.window_is_one_summary else "ones did"
    if layout.summaries:
        session = f"a session has a page in {bench.store.relative(layout.summaries)}/ once it is summarized"
    elif design.retains_transcripts:
        session = "each session is kept as its transcript, with a row in ARCHIVE.md"
    elif design.logs_each_stretch:
        session = f"each session is logged in {bench.store.relative(layout.archives[0].folder)}/"
    else:
        session = "each session gets an archive"
    return _FILES.format(window=window, session=session)
