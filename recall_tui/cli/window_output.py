"""Print the window, and with `clear` empty it once all of it has arrived.

The text is exact, without the line by which the program recognises a summary of its own; a window that came with a
repository is quoted.
"""

from __future__ import annotations

from recall_tui.cli.context import CommandContext
from recall_tui.cli.output import strip_controls


def print_window(
    run: CommandContext,
    root: str | None,
    *,
    clear: bool = False,
    markers: bool | None = None,
    max_chars: int | None = None,
    dry_run: bool = False,
) -> int:
    """Print the window of the memory at `root` and return the exit code; without `markers` its origin decides."""
    from recall_tui.features.context import consume

    bench = run.open(root)
    held = consume.window_text(bench.store)
    told = consume.handed_text(held)
    text = _tail_lines(told, max_chars)
    is_whole = text == told
    if len(text) < len(told):
        run.out.warn(f"{len(told) - len(text)} characters of the recent sessions are left out by --max-chars")
    if text and markers is None and (markers := consume.came_with_repository(bench.store)):
        text = strip_controls(text)
    shown = _mark_window(text) if markers and text else text
    if run.json:
        run.out.document({"root": bench.layout.root, "text": shown, "characters": len(told), "is_cut": not is_whole})
    elif shown:
        run.out.exact(shown + "\n")
    if not (held and clear):
        return 0
    if not is_whole:
        run.out.warn("nothing is cleared, because not all of it was printed")
        return 0
    if dry_run:
        run.out.note("the recent sessions would be cleared now (not done: --dry-run)")
        return 0
    run.out.flush()
    if bench.apply(consume.clear_window, held) is None:
        run.out.warn("EPHEMERAL.md changed while it was read; it is left unchanged")
    else:
        run.out.note("the recent sessions are cleared; undo with: recall-tui undo")
    return 0


def _mark_window(text: str) -> str:
    from recall_tui.text.framing import frame_window

    return frame_window(text)


def _tail_lines(text: str, limit: int | None) -> str:
    """The last whole lines of `text` that fit into `limit` characters; the end of the last line when none does."""
    if limit is None or len(text) <= limit:
        return text
    tail = text[-limit:]
    if text[-limit - 1] != "\n":
        _, found, rest = tail.partition("\n")
        tail = rest if found and rest.strip() else tail
    return tail.strip()
