"""The form an answer shall have: a msgspec Struct, the JSON schema a provider is given for it, and the reading of it.

An answer is taken only when it fits; what is around the JSON object, such as a code fence, is passed over.
"""

from __future__ import annotations

from typing import TypeVar

from recall_tui.llm.model import JsonSchema

Shape = TypeVar("Shape")
MOST_CHARACTERS = 100_000
"""Of an answer that is read."""
_SHOWN = 2_000
"""Characters of an answer that are sent back to be mended."""
_MENDING = (
    "{prompt}\n\nThe answer to this was no JSON object of the form that was asked for ({why}). It began:\n\n"
    "{answer}\n\n"
    "Answer again, with the JSON object alone."
)


def schema_of(shape: type[object]) -> JsonSchema:
    """The JSON schema of a Struct, without references, closed to further keys, every key required."""
    import msgspec

    (schema,), parts = msgspec.json.schema_components([shape], ref_template="{name}")
    whole: JsonSchema = _resolved(schema, parts)
    return whole


def _resolved(schema: object, parts: dict[str, object]) -> dict[str, object]:
    """The schema with its parts put in where they are named."""

    def walked(value: object) -> object:
        if isinstance(value, list):
            return [walked(one) for one in value]
        if not isinstance(value, dict):
            return value
        if isinstance(ref := value.get("$ref"), str):
            return walked(parts[ref])
        found = {key: walked(one) for key, one in value.items() if key not in ("title", "default")}
        if found.get("type") == "object" and isinstance(properties := found.get("properties"), dict):
            found |= {"additionalProperties": False, "required": list(properties)}
        return found

    found = walked(schema)
    assert isinstance(found, dict)
    return found


def fitted(text: str, shape: type[Shape]) -> Shape | str:
    """The first JSON object in the text as a `shape`; else why there is none, in words."""
    import msgspec

    text = text[:MOST_CHARACTERS]
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return "no JSON object in the answer"
    try:
        return msgspec.json.decode(text[start : end + 1].encode("utf-8", "replace"), type=shape)
    except (msgspec.DecodeError, RecursionError) as error:
        return str(error).splitlines()[0][:200] or "the JSON cannot be read"


def mending(prompt: str, answer: str, why: str) -> str:
    """The question that asks for the answer again, in the form it shall have; what was answered is material by now."""
    from recall_tui.llm.prompts import framed

    return _MENDING.format(prompt=prompt, why=why, answer=framed("answer", answer[:_SHOWN]))
