"""What a model is asked: a file in templates/prompts, or the person's own in its place, and the material in a frame.

What is inside a frame cannot end it: its mark is made of the material itself, and no text can hold its own hash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from recall_tui.resources import read_template
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.text.cut import strip_controls
from recall_tui.text.secrets.redact import redact

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_FENCE_DIGITS = 16


def render_prompt(
    store: Store, name: str, *, facts: Mapping[str, str] | None = None, material: Mapping[str, str]
) -> str:
    """The prompt `name`, such as `session`, with what belongs in its places.

    `facts` are our own words and stand as they are; `material` is from files or transcripts: its secrets are marked
    and it stands in a frame, at the end when a person's file has no place for it.
    """
    own = read_text(store.places.prompts / f"{name}.md")
    text = own if own.strip() else read_template(f"prompts/{name}.md")
    values = {**(facts or {}), **{key: frame(key, value) for key, value in material.items()}}
    missing = [values[key] for key in material if f"{{{key}}}" not in text]
    whole = _PLACEHOLDER.sub(lambda place: values.get(place[1], place[0]), text)
    return "\n\n".join([whole.rstrip("\n"), *missing])


def frame(name: str, material: str) -> str:
    """The material between two lines that it cannot hold."""
    inside = redact(strip_controls(material))
    mark = content_digest(f"{name}\n{inside}")[:_FENCE_DIGITS]
    return f"<{name} {mark}>\n{inside}\n</{name} {mark}>"
