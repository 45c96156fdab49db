"""The parsers of what models, and the servers and programs that hand their answers on, say."""

from __future__ import annotations

import json
import shutil

from recall_tui.errors import ModelError
from recall_tui.features.capture import model_summary, model_summary_schema
from recall_tui.features.consolidation import period_model, wisdom
from recall_tui.features.dreaming import model as dream_model
from recall_tui.features.dreaming.signals import Signal
from recall_tui.features.grounding import answer_schemas, evidence, harness, verify
from recall_tui.features.grounding.evidence import NumberedLine
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.features.summaries import synthesis_model
from recall_tui.features.wiki import rebuild_model
from recall_tui.llm.client import decode_answer, repair_prompt
from recall_tui.llm.embedders.dialect import EmbeddingRequest, EmbeddingResponse, OpenAiEmbeddings
from recall_tui.llm.embedders.model_folder import open_model_folder
from recall_tui.llm.embedders.unit_vectors import to_unit_vectors
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import frame
from recall_tui.llm.providers import cli_output
from recall_tui.llm.providers.dialects import Anthropic, ChatRequest, OpenAi, error_text
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import WikiPage
from recall_tui.storage.files import atomic
from recall_tui.text.clean_sentence import clean_sentence
from recall_tui.text.json_text import to_json
from recall_tui.text.normalized_facts import unsupported_facts
from tests.qa.trust import seeds
from tests.qa.trust.parsing import Parser, folder, store

LINES = (
    NumberedLine(SourceLine("Tokens expire after 15 minutes.", "memory/2026-03-05.md", (4, 4)), "2026-03-05"),
    NumberedLine(
        SourceLine("Tokens expire after 5 minutes now.", "memory/2026-03-06.md", (6, 7)), "2026-03-06", "held"
    ),
)
PAGES = {
    "auth": WikiPage("auth", "Auth", "How", "concept", (), "Tokens expire after 15 minutes. (memory/2026-03-05.md:4)\n")
}
SHAPES = (
    dream_model.SignalAnswer,
    period_model.WeekSchema,
    period_model.MonthSchema,
    wisdom.WisdomSchema,
    rebuild_model.RebuildSchema,
    synthesis_model.SynthesisSchema,
    model_summary_schema.SummarySchema,
    answer_schemas.ClaimsSchema,
    answer_schemas.LessonsSchema,
)


def _answer(text: str) -> None:
    """An answer fits its form or says why not; what fits is held against the lines that it cites."""
    for shape in SHAPES:
        found = decode_answer(text, shape)
        if isinstance(found, str):
            repair_prompt("the question", text, found)
    wiki = Wiki(folder(), PAGES)
    said = decode_answer(text, dream_model.SignalAnswer)
    if not isinstance(said, str):
        signal = Signal("high_frequency", "auth", 0.5, ("memory/2026-03-05.md",), "asked often")
        made = dream_model.check_answer(said, dream_model.SignalPrompt(signal, LINES, tuple(PAGES.values())), wiki)
        assert all(one.slug and "/" not in one.slug for one in made.operations)
    week = decode_answer(text, period_model.WeekSchema)
    if not isinstance(week, str):
        numbered = {number: one.line for number, one in enumerate(LINES, 1)}
        period_model.supported_lines((*week.outcomes, *week.decisions), numbered, evidence.CitedLines(store(), {}), [])
    try:
        model_summary.parse_response(text)
    except ModelError as error:
        assert error.message


def _claim(text: str) -> None:
    for cited in (LINES, LINES[:1], ()):
        for line in harness.check_claim(text, cited, PAGES).lines:
            assert line.path in {one.line.path for one in LINES}
    evidence.clean_claim(text, PAGES)
    verify.is_supported(text, text)
    harness.check_text(text, [text, LINES[0].line.text])
    assert evidence.select_lines(LINES, range(-3, 9)) == LINES
    list(evidence.number_lines("memory/2026-03-06.md", text, "2026-03-06"))
    unsupported_facts(text, text[: len(text) // 2])
    clean_sentence(text)


def _frame(text: str) -> None:
    """Nothing inside a frame ends it, and JSON of any text is read back."""
    lines = frame("page", text).split("\n")
    assert lines.count(lines[-1]) == 1
    assert len(json.loads(to_json({"a": text}))["a"]) == len(text)


_QUESTION = ChatRequest("m", "why?", "", None, 9)


def _http(text: str) -> None:
    data = atomic.encode(text)
    error_text(data)
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not isinstance(said, dict):
        return
    for dialect in (OpenAi(True), OpenAi(False), Anthropic()):
        assert dialect.understood(said, _QUESTION)
        dialect.simpler(_QUESTION, frozenset(), text)
    found = OpenAiEmbeddings().understood(said, EmbeddingRequest("m", ("a", "b")))
    if isinstance(found, EmbeddingResponse):
        to_unit_vectors(found.rows, 2, 0, "m")


def _program(text: str) -> None:
    for read in (cli_output.parse_claude, cli_output.parse_codex, cli_output.parse_gemini, cli_output.parse_plain):
        found = read(text)
        assert isinstance(found.text, str) and isinstance(found.trouble, str) and isinstance(found.model, str)


_FILES = ("config.json", "modules.json", "sentence_bert_config.json", "tokenizer_config.json", "1_Pooling/config.json")


def _model_folder(text: str) -> None:
    place = folder() / "model"
    shutil.rmtree(place, ignore_errors=True)
    (place / "1_Pooling").mkdir(parents=True)
    for name in ("model.onnx", "tokenizer.json", *_FILES):
        (place / name).write_bytes(atomic.encode(text))
    found = open_model_folder(place)
    if not isinstance(found, Failure):
        assert found.dimensions >= 0 and found.max_tokens > 0 and "/" in found.name


_DREAMT = {
    "insights": [{"text": "Tokens expire after 5 minutes now.", "theme": "tokens", "lines": [1, 2]}],
    "gaps": [{"text": "nobody says why", "lines": []}],
    "operations": [
        {"op": "update", "slug": "auth", "claims": [{"text": "Tokens expire after 5 minutes now.", "lines": [2]}]},
        {
            "op": "supersede",
            "slug": "auth",
            "fact": "Tokens expire after 15 minutes.",
            "claims": [{"text": "Tokens expire after 5 minutes now.", "lines": [2]}],
            "lines": [2],
        },
        {"op": "create", "slug": "x", "category": "concept", "name": "X", "claims": [{"text": "a", "lines": [1]}]},
    ],
}
_SESSION = {
    "summary": "Fixed the refresh.",
    "title": "T",
    "topics": ["auth"],
    "decisions": ["use httpx"],
    "action_items": [],
    "points": [{"label": "Note", "text": "x"}],
}
_OPENAI = {
    "model": "m",
    "choices": [{"message": {"content": "Because."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 3, "completion_tokens": 4, "cost": 0.1},
}
_ANTHROPIC = {
    "content": [{"type": "tool_use", "input": {"a": 1}}, {"type": "text", "text": "x"}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 3, "output_tokens": 4},
}
_VECTORS = {
    "data": [{"index": 1, "embedding": [0.1, 1e39]}, {"index": 0, "embedding": [1, 2.5]}],
    "usage": {"prompt_tokens": 3},
}
_CLAUDE = {
    "type": "result",
    "result": "Because.",
    "usage": {"input_tokens": 1, "output_tokens": 2},
    "modelUsage": {"m": {}},
}
_CODEX = (
    '{"type":"item.completed","item":{"type":"agent_message","text":"x"}}\n'
    '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":2}}\n'
)
_GEMINI = {"response": "x", "stats": {"models": {"m": {"tokens": {"prompt": 1, "candidates": 2, "thoughts": 3}}}}}
_POOLING = {
    "pooling_mode_mean_tokens": True,
    "word_embedding_dimension": 4,
    "max_seq_length": 256,
    "model_max_length": 1e30,
    "_name_or_path": "a/b",
    "hidden_size": 4,
}

ANSWERS = (
    Parser(
        "model's answer",
        _answer,
        (
            f"```json\n{json.dumps(_DREAMT)}\n```",
            json.dumps(_SESSION),
            '{"outcomes": [{"text": "a", "sources": [1]}], "memories": []}',
            '{"claims": [{"text": "x", "evidence": [1]}], "lessons": ["y"]}',
        ),
        ('{"a":', "[{", '{"text": "a", "lines": [1]}, '),
    ),
    Parser(
        "model's claim",
        _claim,
        ("Tokens expire after 5 minutes now. [1]", *seeds.SAID, seeds.MEMORY),
        ("[[a|", "[a](", "<a ", "(a.md:1) ", "[1] ", "<!--", "`a` ", "1.5 "),
    ),
    Parser("frame", _frame, (seeds.MEMORY, *seeds.SAID), ("</page ", "\u2028")),
    Parser(
        "server's answer", _http, tuple(map(json.dumps, (_OPENAI, _ANTHROPIC, _VECTORS))), ('{"a":', '[{"index": 1')
    ),
    Parser(
        "program's answer",
        _program,
        (json.dumps(_CLAUDE), _CODEX, json.dumps(_GEMINI), "Because.\n"),
        ('{"a":', "[", "{\n", "{} ", '{"type": "result"}\n'),
    ),
    Parser(
        "model folder",
        _model_folder,
        (json.dumps(_POOLING), '[{"type": "a.Transformer"}]', "{}"),
        ('{"a":',),
        is_slow=True,
    ),
)
"""All of them."""
