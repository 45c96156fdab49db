"""Transcripts that their agent rewrites as a whole: a JSON object, or in a retained copy several after each other."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recall_tui.errors import BrokenFileError
from recall_tui.transcripts.claude.records import parse_object
from recall_tui.transcripts.jsonl import MAX_OBJECT_BYTES, read_head
from recall_tui.transcripts.read_report import ReadReport

_BLANKS = re.compile(r"\s*")
_WRITING_SECONDS = 0.02
"""How long a file that is being written is waited for."""


def read_objects(path: Path, reading: ReadReport | None = None) -> list[Mapping[str, Any]]:
    """Return the objects in a file, read once more when it is only half written; `reading` notes what was read.

    Raises NotFoundError when there is no such file, and BrokenFileError when it cannot be read: what was known of it
    stays then.
    """
    for is_last in (False, True):
        text = _read_bounded(path)
        try:
            found = list(_objects(text))
        except ValueError as error:
            if is_last:
                hint = "if its agent is writing it, try again"
                raise BrokenFileError(f"{path} cannot be read: {error}", hint=hint) from error
            time.sleep(_WRITING_SECONDS)
            continue
        if reading is not None:
            reading.take_whole(text)
        return found
    raise AssertionError("unreachable")


def read_list(path: Path) -> list[Mapping[str, Any]]:
    """Return the objects of the list that a file is, read once more when it is only half written.

    Raises NotFoundError when there is no such file, and BrokenFileError when it cannot be read.
    """
    for is_last in (False, True):
        found, problem = parse_object(b'{"list": ' + _read_bounded(path) + b"}")
        if found is not None and isinstance(found["list"], list):
            return list_objects(found["list"])
        if not is_last:
            time.sleep(_WRITING_SECONDS)
    reason = problem or "it is no list"
    raise BrokenFileError(f"{path} cannot be read: {reason}", hint="if its agent is writing it, try again")


def list_objects(value: object) -> list[Mapping[str, Any]]:
    """Return the objects in a list; none when it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _read_bounded(path: Path) -> bytes:
    text = read_head(path, MAX_OBJECT_BYTES + 1)
    if len(text) > MAX_OBJECT_BYTES:
        reason = f"it is longer than {MAX_OBJECT_BYTES >> 20} MB"
        raise BrokenFileError(
            f"{path} cannot be read: {reason}", hint="its agent rewrites it as a whole; it is too long"
        )
    return text


def _objects(text: bytes) -> Iterator[Mapping[str, Any]]:
    """The objects in a text; ValueError when something in it is none."""
    found, problem = parse_object(text)
    if found is not None:
        yield found
        return
    whole, decoder = text.decode("utf-8-sig", "replace"), json.JSONDecoder()
    at = _after_blanks(whole, 0)
    if at == len(whole):
        raise ValueError("it is empty")
    while at < len(whole):
        try:
            _, end = decoder.raw_decode(whole, at)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        except ValueError:
            raise ValueError("not JSON, or only a part of it") from None
        found, problem = parse_object(whole[at:end].encode("utf-8", "replace"))
        if found is None:
            raise ValueError(problem)
        yield found
        at = _after_blanks(whole, end)


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at
