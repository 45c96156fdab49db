"""The project's own part in a master: what it tells of itself, and whether that changed since the master was made."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.features.summaries.project_state import ProjectState
from recall_tui.features.summaries.synthesis_points import MasterPoint
from recall_tui.storage.documents.master_file import STATUS, Master, MasterSource, clean_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line

GIT_SOURCE, CODE_SOURCE = "git", "code"
"""The sources of what is said of a project as it is now; such lines are made anew each time."""
_MAX_COMMITS = 5


def project_points(store: Store, project: ProjectState) -> Iterator[MasterPoint]:
    """What code and repository tell of the project today."""
    day = store.now().date().isoformat()
    if project.code.is_code and project.code.words.strip("."):
        yield MasterPoint(STATUS, clean_text(project.code.words), (MasterSource(CODE_SOURCE, day),), day)
    if project.git is not None:
        yield MasterPoint(STATUS, clean_text(project.git.words), (MasterSource(GIT_SOURCE, day),), day)
        subjects = [one_line(commit.partition(" ")[2]) for commit in project.git.commits[:_MAX_COMMITS]]
        if subjects:
            yield MasterPoint(
                STATUS, clean_text(f"Last commits: {'; '.join(subjects)}"), (MasterSource(GIT_SOURCE, day),), day
            )


def is_other_project(before: Master, after: Master) -> bool:
    """Whether a master made of the same summaries says another thing of the project, or of a line against it.

    On which day the project was looked at is no news, and neither are commits: the master's own would be one.
    """
    return _statements(before) != _statements(after)


def _statements(master: Master) -> set[tuple[str, str]]:
    told = (one for one in master.bullets() if any(source.id != GIT_SOURCE for source in one.sources))
    return {(one.text, one.check) for one in told}
