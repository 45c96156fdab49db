"""Line endings: text that we write into an existing file uses the line endings the file already has."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from recall_tui.domain import Append, Edit, Plan, Replace
from recall_tui.storage.files import atomic
from recall_tui.text.line_ends import ended_like, main_end, with_ends


def with_line_ends(plan: Plan) -> Plan:
    """Return the plan with the line endings of its target files; edits that then change nothing are dropped."""
    edits = tuple(_edit(edit) for edit in plan.edits)
    return plan if edits == plan.edits else replace(plan, edits=tuple(filter(None, edits)))


def _edit(edit: Edit) -> Edit | None:
    if not isinstance(edit, Append | Replace) or (isinstance(edit, Replace) and (edit.body or edit.is_exact)):
        return edit
    data: bytes | None = None
    # The later write reports why the file cannot be read.
    with contextlib.suppress(OSError):
        data = atomic.read_bytes(edit.path)
    if not data or b"\r\n" not in data:
        return edit
    there = atomic.decode(data)
    if isinstance(edit, Append):
        return replace(edit, text=with_ends(edit.text, main_end(there)))
    text = ended_like(edit.text, there)
    return None if text == there else replace(edit, text=text)
