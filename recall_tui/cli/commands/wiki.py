"""The wiki's group of commands: those that look are in `wiki_read`, those that change it in `wiki_edit`."""

from __future__ import annotations

import click

from recall_tui.cli.click_ext import CliGroup
from recall_tui.cli.commands import wiki_edit, wiki_read


@click.group(cls=CliGroup, invoke_without_command=True)
@click.pass_context
def wiki(ctx: click.Context) -> None:
    """Read, write and check pages by topic (default: list)."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(wiki_read.list_)


for _one in (
    wiki_read.list_,
    wiki_read.show,
    wiki_edit.stub,
    wiki_edit.append,
    wiki_edit.rebuild,
    wiki_edit.merge,
    wiki_edit.rename,
    wiki_edit.supersede,
    wiki_read.lint,
    wiki_edit.knowledge_map,
    wiki_read.targets,
    wiki_read.status,
    wiki_edit.migrate_typed_memories,
    wiki_edit.migrate_insights,
):
    wiki.add_command(_one)
