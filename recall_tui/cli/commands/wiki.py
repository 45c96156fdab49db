"""The wiki's group of commands: those that look are in `wiki_look`, those that change it in `wiki_change`."""

from __future__ import annotations

import click

from recall_tui.cli.click_ext import CliGroup
from recall_tui.cli.commands import wiki_edit as wiki_change
from recall_tui.cli.commands import wiki_read as wiki_look


@click.group(cls=CliGroup, invoke_without_command=True)
@click.pass_context
def wiki(ctx: click.Context) -> None:
    """The memory's pages by topic: look at them, write them, and find what is wrong; without a word: list."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(wiki_look.list_)


for _one in (
    wiki_look.list_,
    wiki_look.show,
    wiki_change.stub,
    wiki_change.append,
    wiki_change.rebuild,
    wiki_change.merge,
    wiki_change.rename,
    wiki_change.supersede,
    wiki_look.lint,
    wiki_change.knowledge_map,
    wiki_look.targets,
    wiki_look.status,
    wiki_change.migrate_typed_memories,
    wiki_change.migrate_insights,
):
    wiki.add_command(_one)
