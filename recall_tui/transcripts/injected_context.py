"""What we put into sessions ourselves: it is nobody's speech, and never comes back into memory as such."""

from __future__ import annotations

import re

from recall_tui.text.framing import TAG

_FRAME = re.compile(rf"(?:(?<!\s)\s++)?<{TAG}[^<>]*>.*?(?:</{TAG}>|\Z)\s*", re.DOTALL)


def without_frames(text: str) -> str:
    """The text without the frames in which a memory was handed over."""
    return _FRAME.sub("\n", text).strip() if f"<{TAG}" in text else text
