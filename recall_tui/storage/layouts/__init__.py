"""The five published designs, one module each: paths and differences in behavior.

`Design` has a default for what most designs share, so that each module states only its differences. A module is loaded
when a memory of its layout is opened; other code reads `layout.design`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recall_tui.domain import LayoutName


class Design(NamedTuple):
    """A design's paths in the root of a memory, and its differences."""

    name: LayoutName
    about: str
    """For a person who chooses: whose memory it is, where it lies, and what of it is committed."""
    base: str = "memory"
    """The folder of most documents; topics, days and summaries are relative to it."""
    topics: str = ""
    days: str = "days"
    has_window_at_root: bool = False
    """Window, archive index and settings lie in the root."""
    has_wisdom_at_root: bool = False
    """Wisdom, dreams and identity lie in the root."""
    archives: tuple[tuple[str, str], ...] = ()
    """Folders of numbered archives, relative to the root, with their files' prefix; new archives go to the first."""
    older_archives: tuple[tuple[str, str], ...] = ()
    """The same of an earlier generation: they are read where such a folder exists, and no new one is made."""
    summaries: str = ""
    """The folder of `<session-id>.md` summaries that take the place of archives."""

    is_of_agent_home: bool = False
    """The root is the agent's home, `~/.claude`."""
    is_of_project: bool = False
    """The root is a project's folder, and the memory is that project's."""
    is_of_claude_project: bool = False
    """The root is Claude Code's folder for one project, with its transcripts and its own MEMORY.md."""
    includes_every_project: bool = False
    """The memory takes in sessions of every project, unless it lies in a project."""
    reads_json_settings: bool = False
    """`.recall-echo.json` holds settings if there is no TOML file, and may set paths of documents."""

    captures_by_default: bool = True
    """Hooks write into the memory without a setting that enables them."""
    window_is_one_summary: bool = False
    """The window is the last session's summary instead of a list, unless it already holds entries."""
    logs_each_stretch: bool = False
    """A grown session gets a log for its new segment; otherwise its one archive is updated."""
    retains_transcripts: bool = False
    """A session's archive is its retained transcript and an index row, without a page."""
    keeps_day_lines: bool = False
    """Day logs have a line for each session that ended."""
    writes_lessons: bool = False
    """Day logs hold the lessons of sessions, extracted when a session ends."""
    keeps_typed_memories: bool = False
    """Notes beside the days are typed memories."""
    publishes_summaries: bool = False
    """Summaries, the master and the wiki are meant for the project's commits."""
    starts_from_master: bool = False
    """`recall` without a question answers with the master, and agents are told about it."""
    explains_itself: bool = False
    """A new memory has a page that tells whoever opens its folder what it is, and how to use it."""
    keeps_project_documents: bool = False
    """The project's `_docs/` belongs to the memory."""

    @property
    def summaries_are_archives(self) -> bool:
        """A session's archive is its summary; such a memory has scopes, and its master follows the summaries."""
        return bool(self.summaries)

    @property
    def is_of_agent(self) -> bool:
        """The root is the agent's own folder and holds no project's files."""
        return self.is_of_agent_home or self.is_of_claude_project

    @property
    def is_of_one_project(self) -> bool:
        """The memory belongs to one project."""
        return self.is_of_project or self.is_of_claude_project
