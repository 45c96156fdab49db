"""Tiny sentence models for tests: a real ONNX graph that looks words up in a table, its tokenizer and its settings.

The graph's bytes are written here, so that making one needs no further package.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path

WORDS = ("[PAD]", "[UNK]", "[CLS]", "red", "crimson", "blue", "sea")
TABLE = (
    (9.0, 9.0, 9.0),  # what pads a text must never be seen in its vector
    (0.0, 0.0, 1.0),
    (0.0, 2.0, 0.0),
    (1.0, 0.0, 0.0),
    (0.8, 0.6, 0.0),
    (0.0, 1.0, 0.0),
    (0.0, 3.0, 4.0),
)
"""A row for each word."""
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_FLOAT, _INT32, _INT64 = 1, 6, 7


def write_model(
    folder: Path,
    *,
    file: str = "model.onnx",
    inputs: Sequence[str] = INPUTS,
    output: str = "last_hidden_state",
    rows: Sequence[Sequence[float]] = TABLE,
    is_small: bool = False,
    begins: bool = False,
    **settings: object,
) -> Path:
    """Write a model of these words into the folder; `settings` are those of further files by their names.

    With output `sentence_embedding` the graph takes the largest of each column by itself; `is_small` declares inputs of
    32 bits; `begins` has each text begin with `[CLS]`.
    """
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_graph(inputs, output, rows, _INT32 if is_small else _INT64))
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer(begins)), encoding="utf-8")
    for name, value in settings.items():
        place = folder / {"pooling": "1_Pooling/config.json"}.get(name, f"{name}.json")
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(value), encoding="utf-8")
    return folder


def _tokenizer(begins: bool) -> dict[str, object]:
    first = {"SpecialToken": {"id": "[CLS]", "type_id": 0}}
    rest = {"Sequence": {"id": "A", "type_id": 0}}
    known = {"[CLS]": {"id": "[CLS]", "ids": [WORDS.index("[CLS]")], "tokens": ["[CLS]"]}}
    template = {"type": "TemplateProcessing", "single": [first, rest], "pair": [first, rest], "special_tokens": known}
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    return {
        "version": "1.0",
        "truncation": {"max_length": 2, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": template if begins else None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }


def _graph(inputs: Sequence[str], output: str, rows: Sequence[Sequence[float]], kind: int) -> bytes:
    is_pooled = output == "sentence_embedding"
    looked_up = "rows" if is_pooled else output
    nodes = [_node("Gather", ("table", "input_ids"), looked_up)]
    if is_pooled:
        axes = _text(1, "axes") + _number(8, 1) + _number(20, 7)
        keep = _text(1, "keepdims") + _number(3, 0) + _number(20, 2)
        nodes.append(_node("ReduceMax", (looked_up,), output) + _field(5, axes) + _field(5, keep))
    numbers = [number for row in rows for number in row]
    table = _number(1, len(rows)) + _number(1, len(rows[0])) + _number(2, _FLOAT) + _text(8, "table")
    table += _field(9, struct.pack(f"<{len(numbers)}f", *numbers))
    shape: tuple[str | int, ...] = ("batch", len(rows[0])) if is_pooled else ("batch", "tokens", len(rows[0]))
    graph = b"".join(_field(1, node) for node in nodes) + _text(2, "words") + _field(5, table)
    graph += b"".join(_field(11, _value(name, kind, ("batch", "tokens"))) for name in inputs)
    graph += _field(12, _value(output, _FLOAT, shape))
    return _number(1, 8) + _field(7, graph) + _field(8, _text(1, "") + _number(2, 12))


def _node(kind: str, inputs: Sequence[str], output: str) -> bytes:
    return b"".join(_text(1, name) for name in inputs) + _text(2, output) + _text(4, kind)


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    sizes = b"".join(_field(1, _number(1, one) if isinstance(one, int) else _text(2, one)) for one in shape)
    return _text(1, name) + _field(2, _field(1, _number(1, kind) + _field(2, sizes)))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _text(field: int, value: str) -> bytes:
    return _field(field, value.encode())


def _field(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
