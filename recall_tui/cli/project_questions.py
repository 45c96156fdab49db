"""Messages and one-time questions about a memory's project and the visibility of its files."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.cli.click_ext import CommandContext
    from recall_tui.features.capture.project_extent import ProjectClaim
    from recall_tui.workbench import Workbench


def offer_join(run: CommandContext, bench: Workbench, others: Mapping[str, int]) -> bool:
    """Report folders that claim to be the memory's project; return True when the user joined one.

    On a terminal the user is asked, and the answer is stored so that it is asked only once.
    """
    if run.json or run.quiet or not others:
        return False
    from recall_tui.features.capture.project_extent import find_claims, plan_join

    is_joined = False
    for claim in find_claims(bench.store, others):
        if not run.out.can_ask:
            run.out.note(_join_hint(bench, claim))
            continue
        is_same = run.out.asked(f"{_claim_text(bench, claim)}. Are they of this project?")
        bench.apply(plan_join, claim.project.root, is_apart=not is_same)
        is_joined |= is_same
    return is_joined


def _claim_text(bench: Workbench, claim: ProjectClaim) -> str:
    from recall_tui.features.capture.project_extent import home_relative

    count = f"{claim.sessions} session{'s' * (claim.sessions != 1)}"
    return one_line(f"{count} of {home_relative(bench.store, claim.project.root)} say that they have the same origin")


def _join_hint(bench: Workbench, claim: ProjectClaim) -> str:
    folder = shlex.quote(str(claim.project.root))
    return (
        f"{_claim_text(bench, claim)}; if that is your own copy, join them: recall-tui config join {one_line(folder)}"
    )


def warn_about_repository(run: CommandContext, bench: Workbench) -> str:
    """Report which files of the memory the surrounding repository would publish, before the first session is stored.

    Return what was said; empty for nothing.
    """
    from recall_tui.storage import git_exclusion

    found = git_exclusion.find_exclusion(bench.store)
    if found is None:
        return ""
    summaries = bench.layout.summaries
    is_first = summaries is not None and not any(summaries.glob("*.md"))
    if not (found.edits or found.open or is_first):
        return ""
    said = git_exclusion.describe_exclusion(bench.store, found)
    run.out.note(one_line(said))
    return said


def warn_about_others(run: CommandContext, bench: Workbench, paths: list[Path]) -> None:
    """Report which of the named transcripts belong to another project; they are taken because the user named them."""
    from recall_tui.features.capture.archived_sessions import is_accepted
    from recall_tui.transcripts.shared_file import is_transcript

    others: Counter[str] = Counter()
    for path in paths:
        if is_transcript(path):
            is_accepted(bench.store, path, others)
    for folder in filter(None, others):
        run.out.note(one_line(f"from another project, archived because you named it: {folder}"))
