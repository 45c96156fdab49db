"""The only module that prints: data on stdout, narration on stderr.

Text from disk reaches a terminal stripped of control characters and is never parsed as markup; colour is for
terminals alone; a stream that cannot encode a character gets a replacement and no error.
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
    from recall_tui.cli.progress import ProgressLine

_DEFAULT_COLUMNS = 80
"""Of a terminal that does not say how wide it is."""


class Output:
    """Where a command's words go."""

    def __init__(self, *, quiet: bool = False, verbose: bool = False, color: bool = True) -> None:
        self.is_quiet = quiet
        self.is_verbose = verbose
        self._color = color

    @property
    def is_terminal(self) -> bool:
        """Stdout is looked at by a person."""
        return _is_terminal(sys.stdout)

    @property
    def can_ask(self) -> bool:
        """A person reads stderr and can answer on stdin."""
        return sys.stdin is not None and _is_terminal(sys.stdin) and _is_terminal(sys.stderr)

    def line(self, text: str = "") -> None:
        """Print one line of data; `text` may be styled by `style`, anything else in it must be `plain`."""
        _write_line(sys.stdout, text + "\n")

    def exact(self, text: str) -> None:
        """Print `text` as it is, byte for byte into a pipe or a file, and flush it whole."""
        stream = sys.stdout
        buffer = getattr(stream, "buffer", None)
        if self.is_terminal or buffer is None:
            _write_line(stream, strip_controls(text))
        else:
            stream.flush()
            buffer.write(text.encode("utf-8", "surrogateescape"))
        flush_stream(stream)

    def text(self, text: str) -> None:
        """Print a document without what steers a terminal, in which a pipe often ends too (`| less -R`)."""
        self.exact(strip_controls(text))

    def flush(self) -> None:
        """Hand on all data printed so far; BrokenPipeError when nobody reads any more."""
        flush_stream(sys.stdout)

    def document(self, value: object) -> None:
        """Print `value` as one JSON document."""
        _write_line(sys.stdout, to_json(value, indent=2) + "\n")

    def row(self, value: object) -> None:
        """Print `value` as one JSON document on one line, at once."""
        _write_line(sys.stdout, to_json(value) + "\n")
        flush_stream(sys.stdout)

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[int] = ()) -> None:
        """Print rows under their heads; `right` names the columns, from 0, whose numbers stand at the right."""
        cells = [[one_line(str(cell)) for cell in row] for row in rows]
        if self.is_terminal:
            _build_table(heads, cells, right, color=self.has_color)
            return
        grid = [list(heads), *cells]
        widths = [max(_text_width(row[column]) for row in grid) for column in range(len(heads))]
        for row in grid:
            gaps = [" " * (width - _text_width(cell)) for cell, width in zip(row, widths, strict=True)]
            fitted = [
                gap + cell if column in right else cell + gap
                for column, (cell, gap) in enumerate(zip(row, gaps, strict=True))
            ]
            self.line("  ".join(fitted).rstrip())

    def patch(self, text: str) -> None:
        """Print a unified diff, its lines coloured by what they do."""
        for line in text.splitlines():
            fg = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
            self.line(self.style(line, fg=fg, bold=line.startswith(("+++", "---"))))

    def note(self, text: str) -> None:
        """Narrate on stderr what was done; silent with --quiet."""
        if not self.is_quiet:
            _write_line(sys.stderr, strip_controls(text) + "\n")

    def detail(self, text: str) -> None:
        """Narrate what only --verbose asks for."""
        if self.is_verbose:
            _write_line(sys.stderr, strip_controls(text) + "\n")

    def warn(self, text: str) -> None:
        """Say on stderr that something is off, quiet or not."""
        _write_line(sys.stderr, self._mark("!", "yellow") + strip_controls(text) + "\n")

    def error(self, message: str, hint: str = "") -> None:
        """Say on stderr what failed and what to do next."""
        _write_line(sys.stderr, self._mark("✗", "red") + strip_controls(message) + "\n")
        if hint:
            _write_line(sys.stderr, "  " + strip_controls(hint) + "\n")

    def asked(self, question: str) -> bool:
        """Whether a person says yes to the question, on a line of stdin; silence is no."""
        _write_line(sys.stderr, strip_controls(question) + " [y/N] ")
        flush_stream(sys.stdout)
        flush_stream(sys.stderr)
        answer = sys.stdin.readline() if sys.stdin is not None else ""
        if not answer.endswith("\n"):
            _write_line(sys.stderr, "\n")
        return answer.strip().lower() in ("y", "yes")

    @contextmanager
    def progress(self, verb: str, clock: Callable[[], float], of: str = "") -> Iterator[ProgressLine | None]:
        """What tells in the block how far a work is: on a terminal one line, which is gone after it.

        Elsewhere --verbose asks for a line at each tenth; None where nobody looks. `clock` gives seconds; `of` is what
        is counted, empty for bytes.
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
        """Stdout takes colour."""
        return self._color and self.is_terminal

    def style(self, text: str, *, fg: str | None = None, bold: bool = False, dim: bool = False) -> str:
        """`text` without control characters, coloured when stdout is a terminal that takes colour."""
        text = strip_controls(text)
        return _style_text(text, fg=fg, bold=bold or None, dim=dim or None) if self.has_color else text

    def _mark(self, sign: str, fg: str) -> str:
        return _style_text(sign, fg=fg) + " " if self._color and _is_terminal(sys.stderr) else sign + " "


def strip_controls(text: str) -> str:
    """`text` without what could steer a terminal; line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    from recall_tui.text.cut import strip_controls as stripped

    return stripped(text)


def one_line(text: str) -> str:
    """`text` on one line, its white space folded, without control characters."""
    return " ".join(strip_controls(text).split())


def format_size(count: int) -> str:
    """A number of bytes for a person: B, KB or MB with one decimal (1 KB = 1024 B)."""
    if count < 1024:
        return f"{count} B"
    return f"{count / 1024:.1f} KB" if count < 1024 * 1024 else f"{count / (1024 * 1024):.1f} MB"


def write_whole(text: str) -> None:
    """Hand `text` to whoever reads the process's stdout, in one piece; an OSError when nobody does.

    Nothing else of the process may have been printed.
    """
    if os.path.samestat(os.fstat(1), os.stat(os.devnull)):  # noqa: PTH116
        raise OSError(errno.EBADF, "nobody reads stdout")
    data = text.encode("utf-8", "surrogateescape")
    while data:
        data = data[os.write(1, data) :]


def fill_streams() -> None:
    """Have something behind each stream, so that no file gets its number, and nothing behind stderr, whoever writes."""
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
    """Make both streams replace what they cannot encode; a stream that is closed becomes one that drops everything."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def flush_stream(stream: IO[str]) -> None:
    """Hand on what the stream still holds; BrokenPipeError when nobody reads any more."""
    stream.flush()


def close_streams() -> OSError | None:
    """Flush both streams at the end of a process, so that nothing complains later; what kept data from arriving.

    A reader who has gone is nothing to complain about.
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
    """Point the stream's descriptor at nothing, so that the interpreter's own flush at exit has nobody to fail on."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, stream.fileno())
    os.close(sink)


def _write_line(stream: IO[str], text: str) -> None:
    stream.write(text)


def _replace_line(text: str) -> None:
    """Put `text` in the place of the last line of stderr, which is a terminal."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or _DEFAULT_COLUMNS
    except OSError:
        columns = _DEFAULT_COLUMNS
    # A line that is longer than the terminal is wide could not be written over.
    _write_line(sys.stderr, f"\r{text[: columns - 1]}\x1b[K")
    flush_stream(sys.stderr)


def _is_terminal(stream: IO[str]) -> bool:
    return stream.isatty()


def _text_width(text: str) -> int:
    """Columns that `text` takes on a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _build_table(heads: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[int], *, color: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold" if color else "")
    for column, head in enumerate(heads):
        table.add_column(Text(head), justify="right" if column in right else "left", overflow="fold")
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    Console(file=sys.stdout, no_color=not color, highlight=False, markup=False, emoji=False).print(table)
