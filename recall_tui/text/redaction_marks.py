"""The marks that stand in place of redacted secrets."""

from recall_tui.text.lazy_pattern import lazy_pattern

MARK_PREFIX = "[redacted:"
"""The start of a redaction mark."""
MARK_PATTERN = lazy_pattern(r"\[redacted:[a-z0-9-]+\]")
"""A whole redaction mark."""
