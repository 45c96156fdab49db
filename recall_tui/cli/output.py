"""The only module that prints: data on stdout, narration on stderr.

Text from disk is stripped of control characters before it reaches a terminal and is never parsed as markup; colour is
only for terminals; a stream that cannot encode a character prints a replacement.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from recall_tui.text.json_text import to_json

if TYPE_CHECKING:
    from rich.table import Table

    from recall_tui.cli.progress import ProgressLine

_DEFAULT_COLUMNS = 80
"""For a terminal that does not report its width."""
_GAP_CELLS = 2
"""Cells between two columns of a table, and before rows below a heading."""
_MIN_CUT_CELLS = 12
"""The narrowest column that is cut."""


class Output:
    """The output of a command."""

    def __init__(self, *, quiet: bool = False, verbose: bool = False, color: bool = True) -> None:
        self.is_quiet = quiet
        self.is_verbose = verbose
        self._color = color

    @property
    def is_terminal(self) -> bool:
        """Return whether stdout is a terminal."""
        return _is_terminal(sys.stdout)

    @property
    def columns(self) -> int | None:
        """Return the width of the terminal that stdout is; None when it is not one."""
        if not self.is_terminal:
            return None
        try:
            return os.get_terminal_size(sys.stdout.fileno()).columns or _DEFAULT_COLUMNS
        except OSError:
            return _DEFAULT_COLUMNS

    @property
    def can_ask(self) -> bool:
        """Return whether the user can be prompted: stdin and stderr are terminals."""
        return sys.stdin is not None and _is_terminal(sys.stdin) and _is_terminal(sys.stderr)

    def line(self, text: str = "") -> None:
        """Print one line of data; `text` may be styled by `style` and must otherwise be free of control characters."""
        _write_line(sys.stdout, text + "\n")

    def exact(self, text: str) -> None:
        """Print `text` unchanged, byte for byte into a pipe or a file, and flush."""
        stream = sys.stdout
        buffer = getattr(stream, "buffer", None)
        if self.is_terminal or buffer is None:
            _write_line(stream, strip_controls(text))
        else:
            stream.flush()
            buffer.write(text.encode("utf-8", "surrogateescape"))
        flush_stream(stream)

    def text(self, text: str) -> None:
        """Print a document without terminal control characters, also into a pipe, which may end at a terminal (`| less
        -R`).
        """
        self.exact(strip_controls(text))

    def flush(self) -> None:
        """Flush all data; BrokenPipeError when the reader has closed the pipe."""
        flush_stream(sys.stdout)

    def document(self, value: object) -> None:
        """Print `value` as a JSON document."""
        _write_line(sys.stdout, to_json(value, indent=2) + "\n")

    def row(self, value: object) -> None:
        """Print `value` as a JSON document on one line, and flush."""
        _write_line(sys.stdout, to_json(value) + "\n")
        flush_stream(sys.stdout)

    def table(
        self,
        heads: Sequence[str],
        rows: Iterable[Sequence[object]],
        *,
        right: Sequence[int] = (),
        cut: int | None = None,
    ) -> None:
        """Print a table; `right` lists the 0-based columns to align right, `cut` the one to shorten on a terminal."""
        if self.is_terminal:
            self.grouped_table(heads, [("", rows)], right=right, cut=cut)
            return
        cells = [[one_line(str(cell)) for cell in row] for row in rows]
        grid = [list(heads), *cells]
        widths = [max(_text_width(row[column]) for row in grid) for column in range(len(heads))]
        for row in grid:
            gaps = [" " * (width - _text_width(cell)) for cell, width in zip(row, widths, strict=True)]
            fitted = [
                gap + cell if column in right else cell + gap
                for column, (cell, gap) in enumerate(zip(row, gaps, strict=True))
            ]
            self.line("  ".join(fitted).rstrip())

    def grouped_table(
        self,
        heads: Sequence[str],
        groups: Iterable[tuple[str, Iterable[Sequence[object]]]],
        *,
        right: Sequence[int] = (),
        cut: int | None = None,
    ) -> None:
        """Print a table for a terminal, its rows below the heading of their group; an empty heading is left out."""
        cleaned = [(title, [[one_line(str(cell)) for cell in row] for row in rows]) for title, rows in groups]
        _print_groups(heads, cleaned, right, cut, self.columns or _DEFAULT_COLUMNS, color=self.has_color)

    def patch(self, text: str) -> None:
        """Print a unified diff with coloured lines."""
        for line in text.splitlines():
            fg = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
            self.line(self.style(line, fg=fg, bold=line.startswith(("+++", "---"))))

    def note(self, text: str) -> None:
        """Print narration on stderr, on a terminal without a break inside a word; silent with --quiet."""
        if not self.is_quiet:
            _write_line(sys.stderr, _fit_terminal(strip_controls(text)) + "\n")

    def detail(self, text: str) -> None:
        """Print narration on stderr only with --verbose."""
        if self.is_verbose:
            _write_line(sys.stderr, strip_controls(text) + "\n")

    def warn(self, text: str) -> None:
        """Print a warning on stderr, even with --quiet."""
        _write_line(sys.stderr, self._mark("!", "yellow") + _fit_terminal(strip_controls(text), 2) + "\n")

    def error(self, message: str, hint: str = "") -> None:
        """Print an error and its hint on stderr."""
        _write_line(sys.stderr, self._mark("✗", "red") + _fit_terminal(strip_controls(message), 2) + "\n")
        if hint:
            _write_line(sys.stderr, _fit_terminal("  " + strip_controls(hint)) + "\n")

    def asked(self, question: str, *, is_usual: bool = False) -> bool:
        """Ask a yes/no question on stderr and read the answer from stdin; no answer is no.

        An empty line is no too, or yes where that `is_usual`.
        """
        _write_line(sys.stderr, _fit_terminal(strip_controls(question) + (" [Y/n]" if is_usual else " [y/N]")) + " ")
        flush_stream(sys.stdout)
        flush_stream(sys.stderr)
        answer = sys.stdin.readline() if sys.stdin is not None else ""
        if not answer.endswith("\n"):
            _write_line(sys.stderr, "\n")
        return answer.strip().lower() in ("y", "yes") or (is_usual and answer == "\n")

    @contextmanager
    def progress(self, verb: str, clock: Callable[[], float], of: str = "") -> Iterator[ProgressLine | None]:
        """Yield a progress callback; on a terminal it updates one line, which is cleared at the end.

        Elsewhere it prints a line at each tenth with --verbose; None when nothing would be shown. `clock` returns
        seconds; `of` is the counted unit, empty for bytes.
        """
        is_terminal = _is_terminal(sys.stderr)
        if self.is_quiet or not (is_terminal or self.is_verbose):
            yield None
            return
        from recall_tui.cli.progress import ProgressLine

        meter = ProgressLine(
            verb, clock, _replace_line if is_terminal else self.detail, in_tenths=not is_terminal, of=of
        )
        try:
            yield meter
        finally:
            if is_terminal and meter.has_told:
                _replace_line("")

    @property
    def has_color(self) -> bool:
        """Return whether stdout accepts colour."""
        return self._color and self.is_terminal

    def style(self, text: str, *, fg: str | None = None, bold: bool = False, dim: bool = False) -> str:
        """Return `text` without control characters, styled when stdout is a terminal with colour."""
        text = strip_controls(text)
        return _style_text(text, fg=fg, bold=bold or None, dim=dim or None) if self.has_color else text

    def _mark(self, sign: str, fg: str) -> str:
        return _style_text(sign, fg=fg) + " " if self._color and _is_terminal(sys.stderr) else sign + " "


def strip_controls(text: str) -> str:
    """Return `text` without terminal control characters; line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    from recall_tui.text.cut import strip_controls as stripped

    return stripped(text)


def one_line(text: str) -> str:
    """Return `text` on one line, without control characters and with whitespace collapsed."""
    return " ".join(strip_controls(text).split())


def format_size(count: int) -> str:
    """Format a byte count: B, KB or MB with one decimal (1 KB = 1024 B)."""
    if count < 1024:
        return f"{count} B"
    return f"{count / 1024:.1f} KB" if count < 1024 * 1024 else f"{count / (1024 * 1024):.1f} MB"


def write_whole(text: str) -> None:
    """Write `text` to the process's stdout, unbuffered; an OSError when there is no reader.

    Nothing else may have been printed before.
    """
    if os.path.samestat(os.fstat(1), os.stat(os.devnull)):  # noqa: PTH116
        raise OSError(errno.EBADF, "nobody reads stdout")
    data = text.encode("utf-8", "surrogateescape")
    while data:
        data = data[os.write(1, data) :]


def fill_streams() -> None:
    """Open /dev/null for missing standard streams, so that no file takes their number, and for stderr in any case."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        try:
            os.fstat(stream)
        except OSError:
            os.dup2(nothing, stream)
    os.dup2(nothing, 2)
    if nothing > 2:
        os.close(nothing)


def prepare_streams() -> None:
    """Make both streams replace characters that they cannot encode; a closed stream discards everything."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def flush_stream(stream: IO[str]) -> None:
    """Flush the stream; BrokenPipeError when the reader has closed the pipe."""
    stream.flush()


def close_streams() -> OSError | None:
    """Flush both streams at exit, so that nothing fails later; return the error that kept data from being written.

    A closed pipe is not an error.
    """
    trouble: OSError | None = None
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            trouble = trouble if isinstance(error, BrokenPipeError) else error
            _discard_stream(stream)
    return trouble


def _style_text(text: str, **style: Any) -> str:
    import click

    return click.style(text, **style)


def _discard_stream(stream: IO[str]) -> None:
    """Point the stream's descriptor at /dev/null, so that the interpreter's flush at exit cannot fail."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, stream.fileno())
    os.close(sink)


def _write_line(stream: IO[str], text: str) -> None:
    stream.write(text)


def _fit_terminal(text: str, before: int = 0) -> str:
    """Return `text` in lines that fit the terminal of stderr, broken between words; a command stays in one piece.

    `before` counts the cells in front of the first line.
    """
    if not _is_terminal(sys.stderr):
        return text
    width = _stderr_columns()
    lines = text.split("\n")
    if all(_text_width(line) + before <= width for line in lines):
        return text
    from recall_tui.text.line_wrap import wrap_line

    return "\n".join(wrap_line(line, width, before) for line in lines)


def _stderr_columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _DEFAULT_COLUMNS
    except OSError:
        return _DEFAULT_COLUMNS


def _replace_line(text: str) -> None:
    """Replace the last line of stderr, a terminal, with `text`."""
    columns = _stderr_columns()
    # A line longer than the terminal's width could not be overwritten.
    _write_line(sys.stderr, f"\r{text[: columns - 1]}\x1b[K")
    flush_stream(sys.stderr)


def _is_terminal(stream: IO[str]) -> bool:
    return stream.isatty()


def _text_width(text: str) -> int:
    """Return the number of terminal columns of `text`."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _print_groups(
    heads: Sequence[str],
    groups: Sequence[tuple[str, Sequence[Sequence[str]]]],
    right: Sequence[int],
    cut: int | None,
    width: int,
    *,
    color: bool,
) -> None:
    """Print rows below the headings of their groups; only a column that is cut keeps every row on one line."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(file=sys.stdout, width=width, no_color=not color, highlight=False, markup=False, emoji=False)
    indent = _GAP_CELLS if any(title for title, _ in groups) else 0
    every_row = [row for _, rows in groups for row in rows]
    widths = _fit_widths(heads, every_row, cut, width - indent)
    bold = "bold" if color else ""
    table = _build_table(heads, widths, right, cut, bold)
    for row in every_row if not indent else ():
        table.add_row(*map(Text, row))
    console.print(Padding(table, (0, 0, 0, indent)))
    for title, rows in groups if indent else ():
        console.print(Text(title, style=bold))
        table = _build_table(heads, widths, right, cut)
        table.show_header = False
        for row in rows:
            table.add_row(*map(Text, row))
        console.print(Padding(table, (0, 0, 0, indent)))


def _fit_widths(
    heads: Sequence[str], rows: Sequence[Sequence[str]], cut: int | None, width: int
) -> Sequence[int | None]:
    """Return the width of each column, the one that is cut narrowed to what the others leave; None: Rich fits it."""
    if cut is None:
        return [None] * len(heads)
    widths = [max(map(_text_width, cells)) for cells in zip(heads, *rows, strict=True)]
    others = sum(widths) - widths[cut] + _GAP_CELLS * (len(widths) - 1)
    widths[cut] = min(widths[cut], max(_MIN_CUT_CELLS, width - others))
    return widths


def _build_table(
    heads: Sequence[str], widths: Sequence[int | None], right: Sequence[int], cut: int | None, style: str = ""
) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style=style)
    for number, (head, cells) in enumerate(zip(heads, widths, strict=True)):
        table.add_column(
            Text(head),
            justify="right" if number in right else "left",
            overflow="ellipsis" if number == cut else "fold",
            no_wrap=number == cut,
            width=cells,
        )
    return table
