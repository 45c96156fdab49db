"""A diff with long lines wrapped, additions and deletions marked by colour and sign, a page's metadata folded.

Only the visible rows are rendered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from recall_tui.tui.text import line_strip, plain_line, plain_text
from recall_tui.tui.widgets.diff_metadata import find_metadata

_STYLES = {"+": "$success", "-": "$error", "@": "$accent", "\\": "$text-muted", "…": "$text-muted", "=": "bold"}
_MAX_LINE_CHARS = 4_000
"""The maximum of a line's characters that are shown."""


class DiffView(ScrollView, can_focus=True, inherit_bindings=False):
    """The lines of a unified diff, or a message instead of them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_down", "Down", show=False, id="scroll_down"),
        Binding("up,k", "scroll_up", "Up", show=False, id="scroll_up"),
        Binding("pagedown,space", "page_down", "Next page", show=False, id="page_down"),
        Binding("pageup", "page_up", "Previous page", show=False, id="page_up"),
        Binding("home,g", "scroll_home", "Start of the change", show=False, id="scroll_home"),
        Binding("end,G", "scroll_end", "End of the change", show=False, id="scroll_end"),
    ]

    def __init__(self, *, id: str | None = None, folds_metadata: bool = False) -> None:
        super().__init__(id=id)
        self.lines: tuple[Content, ...] = ()
        """The styled lines before wrapping."""
        self._diff: tuple[str, ...] = ()
        """The unstyled lines; none of a message."""
        self._is_unfolded = not folds_metadata
        self._rows: list[Content] = []
        self._laid_out = 0

    def show(self, lines: Sequence[str]) -> None:
        """Show a diff from its first line; the same diff keeps its scroll position."""
        self._diff = tuple(lines)
        self._take(self._styled())

    def say(self, words: Content) -> None:
        """Show a message instead of a diff."""
        self._diff = ()
        self._take((words.stylize("$text-muted"),) if words.plain else ())

    def unfold(self) -> None:
        """Show the metadata, or fold it again."""
        self._is_unfolded = not self._is_unfolded
        if self._diff:
            self._take(self._styled())

    def _styled(self) -> tuple[Content, ...]:
        styled, folds = _style_lines(self._diff), [] if self._is_unfolded else list(find_metadata(self._diff))
        for start, end in reversed(folds):
            words = f"{self._diff[start][:1]}{end - start} lines of metadata · t shows them"
            styled[start:end] = [Content(words).stylize("$text-muted")]
        return tuple(line for line in styled if line is not None)

    def _take(self, lines: tuple[Content, ...]) -> None:
        if [line.plain for line in lines] != [line.plain for line in self.lines]:
            self.scroll_to(y=0, animate=False, force=True)
        self.lines = lines
        self._lay_out(force=True)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Rewrap the lines."""
        self._lay_out()

    def _lay_out(self, *, force: bool = False) -> None:
        width = self.scrollable_content_region.width - 2
        if width <= 0:
            # Hidden: whatever is shown next is wrapped as soon as there is room, at the same width too.
            self._laid_out = 0
            return
        if width == self._laid_out and not force:
            return
        self._laid_out = width
        self._rows = [row for line in self.lines for row in _wrap(line, width)]
        self.virtual_size = Size(0, len(self._rows))

    def render_line(self, y: int) -> Strip:
        """Render a line of the screen."""
        width = self.scrollable_content_region.width
        style = self.visual_style
        row = y + self.scroll_offset.y
        if row >= len(self._rows) or width <= 0:
            return Strip.blank(max(0, width), style.rich_style)
        return line_strip(Content.assemble(" ", self._rows[row]), width, style)


def _style_lines(lines: Sequence[str]) -> list[Content | None]:
    """The lines in colour; None where one is not shown, such as the old name of a file."""
    styled: list[Content | None] = []
    for place, line in enumerate(lines):
        text = plain_text(line[:_MAX_LINE_CHARS].replace("\t", "    "))
        is_head = line.startswith(("--- a/", "+++ b/")) and _is_file_header(lines, place)
        if is_head and line.startswith("+++"):
            styled.append(Content(plain_line(line.removeprefix("+++ b/"))).stylize("bold"))
        else:
            styled.append(None if is_head else text.stylize(_STYLES.get(line[:1], "")))
    return styled


def _is_file_header(lines: Sequence[str], place: int) -> bool:
    """Return whether the line is a file header: a hunk follows, and the line is not part of a hunk."""
    first = place if lines[place].startswith("---") else place - 1
    return (
        first >= 0
        and first + 2 < len(lines)
        and lines[first].startswith("--- a/")
        and lines[first + 1].startswith("+++ b/")
        and lines[first + 2].startswith("@@ ")
    )


def _wrap(line: Content, width: int) -> list[Content]:
    """Wrap the line; continuation rows are indented below the text, not below the sign."""
    if line.cell_length <= width and "\n" not in line.plain:
        return [line]
    first, *rest = line.wrap(width) or [Content("")]
    if not rest:
        return [first]
    below = line[len(first) :].wrap(max(1, width - 1))
    return [first, *(Content.assemble(" ", row) for row in below)]
