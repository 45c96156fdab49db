"""Render prompts from templates/prompts or the user's own files, with the material in frames.

Framed text cannot close its frame: the marker is a hash of the content, and no text can contain its own hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from recall_tui.resources import read_template
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.text.cut import strip_controls
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.redact import redact

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

_PLACEHOLDER = lazy_pattern(r"\{([a-z_]+)\}")
_FENCE_DIGITS = 16


def render_prompt(
    store: Store, name: str, *, facts: Mapping[str, str] | None = None, material: Mapping[str, str]
) -> str:
    """Render the prompt `name`, such as `session`, with its placeholders filled.

    `facts` are trusted and inserted verbatim; `material` is from files or transcripts: its secrets are redacted and it
    is framed, and appended at the end when the user's file has no placeholder for it.
    """
    own = read_text(store.environment.prompts / f"{name}.md")
    text = own if own.strip() else read_template(f"prompts/{name}.md")
    values = {**(facts or {}), **{key: frame(key, value) for key, value in material.items()}}
    missing = [values[key] for key in material if f"{{{key}}}" not in text]
    whole = _PLACEHOLDER.sub(lambda place: values.get(place[1], place[0]), text)
    return "\n\n".join([whole.rstrip("\n"), *missing])


def frame(name: str, material: str) -> str:
    """Return the material between two marker lines that it cannot contain."""
    inside = redact(strip_controls(material))
    mark = content_digest(f"{name}\n{inside}")[:_FENCE_DIGITS]
    return f"<{name} {mark}>\n{inside}\n</{name} {mark}>"
