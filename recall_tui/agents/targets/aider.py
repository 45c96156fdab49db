"""Aider: entries of `read:` in its settings, for a short text of ours, MEMORY.md and the window.

It reads those files at every start; a `read:` in a project's settings takes the place of that in the home folder. Its
history has no times and no sessions, so nothing archives it.
"""

from __future__ import annotations

from recall_tui.agents.detection import is_present
from recall_tui.agents.instructions import InstructionStyle, render_protocol
from recall_tui.agents.pieces.own_file import OwnFile
from recall_tui.agents.target import Piece, Scope, Site
from recall_tui.environment import Environment

SETTINGS_FILE = ".aider.conf.yml"
_STYLE = InstructionStyle(is_read=False, loads_memory=True, gets_window=True, is_short=True)


class AiderTarget:
    """Aider."""

    name = "aider"
    title = "Aider"
    scopes: tuple[Scope, ...] = ("user", "project")
    has_hooks = False

    def is_found(self, environment: Environment) -> bool:
        """Its folder, its settings or its program is there."""
        return is_present(environment, [environment.home / ".aider", environment.home / SETTINGS_FILE], ["aider"])

    def pieces(self, site: Site) -> tuple[Piece, ...]:
        """A file of ours, and what is to be read at each start.

        In a project it is named `.aider.recall-tui.md`, since aider keeps `.aider*` out of git.
        """
        from recall_tui.agents.pieces.yaml_list_entry import YamlListEntry

        folder = site.environment.home if site.scope == "user" else site.project
        path = folder / ".aider" / "recall-tui.md" if site.scope == "user" else folder / ".aider.recall-tui.md"
        read = tuple(map(str, (path, site.layout.memory_file, site.layout.window)))
        return (
            OwnFile(path, "rules", render_protocol(site, _STYLE, path)),
            YamlListEntry(folder / SETTINGS_FILE, "files to read", "read", read),
        )
