"""`consume`: the window on stdout, for whoever starts the next session.

What is printed is the window's exact text without the line by which the program knows a summary of its own; a window
that came with a repository is quoted. It is emptied only after all of it arrived.
"""

from __future__ import annotations

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import strip_controls


@command()
@click.argument("root", required=False)
@click.option("--clear/--no-clear", default=None, help="empty the window afterwards (default: only in layout user)")
@click.option(
    "--markers/--no-markers",
    "markers",
    default=None,
    help="wrap it in markers of quoted memory (default: only if it came with a repository)",
)
@click.option(
    "--max-chars", type=click.IntRange(1), metavar="N", help="print at most N characters: whole lines, the newest ones"
)
def consume(
    run: CommandContext, root: str | None, clear: bool | None, markers: bool | None, max_chars: int | None
) -> None:
    """Print the window's exact text; nothing if it is empty."""
    from recall_tui.features.context import consume

    bench = run.open(root)
    held = consume.window_text(bench.store)
    told = consume.handed_text(held)
    text = _tail_lines(told, max_chars)
    is_whole = text == told
    if len(text) < len(told):
        run.out.warn(f"{len(told) - len(text)} characters of the window are left out by --max-chars")
    if text and markers is None and (markers := consume.came_with_repository(bench.store)):
        text = strip_controls(text)
    shown = _mark_window(text) if markers and text else text
    if run.json:
        run.out.document({"root": bench.layout.root, "text": shown, "characters": len(told), "is_cut": not is_whole})
    elif shown:
        run.out.exact(shown + "\n")
    if not held or not _should_clear(clear, bench.layout.design.window_is_one_summary, is_whole=is_whole):
        return
    run.out.flush()
    if bench.apply(consume.clear_window, held) is None:
        run.out.warn("the window changed while it was read; it is left unchanged")
    else:
        run.out.note("the window is empty now; undo with: recall-tui undo")


def _mark_window(text: str) -> str:
    from recall_tui.text.framing import frame_window

    return frame_window(text)


def _should_clear(asked: bool | None, is_default: bool, *, is_whole: bool) -> bool:
    """Whether the window shall be emptied; what was handed over in part is emptied only on request."""
    return asked if asked is not None else is_default and is_whole


def _tail_lines(text: str, limit: int | None) -> str:
    """The last whole lines of `text` that fit into `limit` characters; the end of the last line when none does."""
    if limit is None or len(text) <= limit:
        return text
    tail = text[-limit:]
    if text[-limit - 1] != "\n":
        _, found, rest = tail.partition("\n")
        tail = rest if found and rest.strip() else tail
    return tail.strip()
