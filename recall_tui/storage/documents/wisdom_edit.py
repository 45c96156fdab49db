"""Changes of WISDOM.md: rendered anew where the program wrote all of it, else edited where entries come and go.

A file that a person or another program shaped keeps its headings, its titles and the order of its lines to the byte.
"""

from __future__ import annotations

import re
from datetime import date

from recall_tui.storage.documents.wisdom_file import (
    ENTRIES_SECTION,
    PROVENANCE,
    WISDOM_TITLE,
    WisdomFile,
    close_open_blocks,
    find_entries,
    find_map_lines,
    parse_wisdom,
    render_footer,
    render_provenance,
    render_row,
    render_wisdom,
)
from recall_tui.storage.markdown.outline import parse_sections, split_lines

_FOOTER = re.compile(r"\*Last compacted: (\d{4}-\d\d-\d\d) · \d+ entries · \d+ characters\*\n?")
_TITLE = re.compile(rf"# (?:(?P<name>.*) - )?{WISDOM_TITLE}\n")


def update_wisdom(text: str, new: WisdomFile, on: date, name: str = "") -> str:
    """Return the file `text` with the entries of `new`; `on` and `name` are those of `render_wisdom`."""
    return render_wisdom(new, on, name) if _is_own_form(text) else _edit_entries(text, new, on)


def _is_own_form(text: str) -> bool:
    """Return whether the file is as the program writes it: missing, or made again it would be the same."""
    title, footer = _TITLE.match(text), _FOOTER.search(text)
    if not text.strip():
        return True
    if not title or not footer:
        return False
    return render_wisdom(parse_wisdom(text), date.fromisoformat(footer[1]), title["name"] or "") == text


def _edit_entries(text: str, new: WisdomFile, on: date) -> str:
    """Return the text with lines of entries put in and taken out, and every other line as it is."""
    lines = list(split_lines(text))
    placed = find_entries(lines, find_map_lines(text))
    known = {one.entry for one in placed}
    added = [entry for entry in new.entries if entry not in known]
    kept = set(new.entries)
    for one in reversed([one for one in placed if one.entry not in kept]):
        changed = next((entry for entry in added if entry.id == one.entry.id), None)
        lines[one.start : one.end] = [render_row(changed)] if changed else []
        added = [entry for entry in added if entry is not changed]
    text = "".join(line for line in lines if not PROVENANCE.fullmatch(line.strip()))
    if added:
        text = _add_rows(text, "".join(map(render_row, added)))
    entries = parse_wisdom(text).entries
    lines = [render_footer(entries, on) if _FOOTER.fullmatch(line) else line for line in split_lines(text)]
    if new.made_from:
        lines.append(f"\n{render_provenance(new, entries)}")
    return "".join(lines)


def _add_rows(text: str, rows: str) -> str:
    """Return the text with rows behind the last entry of their section, or in a new section at its end."""
    section = next((one for one in parse_sections(text) if one.title == ENTRIES_SECTION and one.level == 2), None)
    lines = list(split_lines(text))
    if section is None:
        gap = "\n" if text.endswith("\n") else "\n\n"
        return close_open_blocks(text + gap) + f"## {ENTRIES_SECTION}\n\n{rows}"
    ends = [one.end for one in find_entries(lines, find_map_lines(text)) if section.start < one.start < section.end]
    at = max(ends, default=section.start + 1)
    if not lines[at - 1].endswith("\n"):
        lines[at - 1] += "\n"
    lines.insert(at, rows if ends else f"\n{rows}")
    return "".join(lines)
