"""What a dream changes in WISDOM.md: patches of single entries, as one proposal, each with the line it rests on.

An entry that cites nothing is a person's and is never touched; there are never more entries than the settings say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from recall_tui.features.dreaming.state import SignalAnalysis, WisdomPatch
from recall_tui.features.grounding.evidence import NumberedLine, document_day, fit_lines, render_lines, select_lines
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.features.grounding.harness import check_claim, is_still_supported
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import render_prompt
from recall_tui.storage.documents import identity, wisdom_file
from recall_tui.storage.documents.identity import Identity
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wisdom_edit import update_wisdom
from recall_tui.storage.documents.wisdom_file import WisdomEntry, WisdomFile
from recall_tui.storage.files import atomic
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import search_log
from recall_tui.storage.state.proposals import DocumentChange, Proposal
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.similarity import near_duplicates

WISDOM_KEY = "wisdom"
MAX_PATCHES = 10
MAX_PAGES = 30
MAX_CLAIM_CHARS = 200
"""Characters of a claim."""
_PROMPT = "dream-wisdom"
_ANSWER_TOKENS = 1_500


class PatchSchema(msgspec.Struct):
    """One patch."""

    op: str
    id: str = ""
    claim: str = ""
    lines: list[int] = []


class PatchesSchema(msgspec.Struct):
    """What is to be changed."""

    patches: list[PatchSchema] = []


def analyze_wisdom(
    store: Store, calls: ModelClient, analyses: Iterable[SignalAnalysis], wiki: Wiki, who: Identity
) -> SignalAnalysis | Failure | None:
    """What a model would change in WISDOM.md after the session's analyses; None when nothing was found anew."""
    lines = _operation_lines(analyses)
    if not lines:
        return None
    wisdom = wisdom_file.parse_wisdom(read_text(store.layout.wisdom))
    material = {
        "identity": who.told,
        "entries": "\n".join(f"{one.id}: {one.claim}" for one in wisdom.entries) or "(none)",
        "pages": _popular_pages(store, wiki) or "(none)",
        "lines": render_lines(lines),
    }
    most = str(store.config.whole("wisdom.max_entries"))
    asked = LLMRequest(
        render_prompt(store, _PROMPT, facts={"most": most}, material=material), max_tokens=_ANSWER_TOKENS
    )
    answer = calls.answer("dream", asked, PatchesSchema)
    if isinstance(answer, Failure):
        return answer
    patches = tuple(one for said in answer.patches[:MAX_PATCHES] for one in _supported_patches(said, lines, wisdom))
    return SignalAnalysis(patches=patches, is_told=True)


def build_proposal(store: Store, patches: Sequence[WisdomPatch]) -> Proposal | None:
    """The patches as one change of WISDOM.md; None when nothing of it is left to do."""
    path = store.layout.wisdom
    text = read_text(path)
    now = wisdom_file.parse_wisdom(text)
    entries, evidence = _apply_patches(store, now, patches)
    if not evidence or tuple(entries) == now.entries:
        return None
    entries = _cap_entries(entries, now, store.config.whole("wisdom.max_entries"))
    new = update_wisdom(
        text, replace(now, entries=tuple(entries)), store.now().date(), identity.read_identity(store).name
    )
    if new == text:
        return None
    change = DocumentChange(store.relative(path), new, atomic.content_digest(text) if text else "")
    count = len(evidence)
    title = f"Change {count} {'entry' if count == 1 else 'entries'} of {path.name}"
    why = "new findings add to it, restate it or contradict it"
    return Proposal("wisdom", f"{path.name} by dreaming", title, why, (change,), tuple(dict.fromkeys(evidence)))


def _operation_lines(analyses: Iterable[SignalAnalysis]) -> tuple[NumberedLine, ...]:
    """What the session found: the lines of its pages, each once."""
    found: dict[SourceLine, NumberedLine] = {}
    for one in analyses:
        for operation in one.operations if one.is_told else ():
            for line in operation.lines:
                found.setdefault(line, NumberedLine(line, document_day(line.path)))
    return fit_lines(sorted(found.values(), key=lambda one: (one.day, one.line.path, one.line.lines)))


def _popular_pages(store: Store, wiki: Wiki) -> str:
    """The pages by how often they were found of late, then some that never were."""
    from recall_tui.features.dreaming.signals import WINDOW

    found: Counter[str] = Counter()
    for row in search_log.read_searches(store, store.now() - WINDOW):
        found.update(set(row.results))
    counts = {page.slug: found[store.relative(wiki.path(page.slug))] for page in wiki.own}
    ordered = sorted(wiki.own, key=lambda page: (-counts[page.slug], page.slug))[:MAX_PAGES]
    return "\n".join(f"{page.slug} (found {counts[page.slug]} times): {page.description}" for page in ordered)


def _supported_patches(said: PatchSchema, lines: Sequence[NumberedLine], wisdom: WisdomFile) -> list[WisdomPatch]:
    """The patch when its lines hold it and it may be made."""
    there = {one.id: one for one in wisdom.entries}
    cited = select_lines(lines, said.lines)
    if said.op in ("update", "remove") and not (there.get(said.id) and there[said.id].source):
        return []
    if said.op == "remove":
        words = frozenset(topic_terms(there[said.id].claim))
        last = document_day(there[said.id].source.partition(":")[0])
        near = [one for one in cited if one.day > last and len(words & frozenset(topic_terms(one.line.text))) >= 2]
        return [WisdomPatch("remove", said.id, near[0].line)] if near else []
    for line in check_claim(said.claim, cited).lines if said.op in ("add", "update") else ():
        if len(line.text) <= MAX_CLAIM_CHARS:
            return [WisdomPatch("add" if said.op == "add" else "update", said.id, line)]
    return []


def _apply_patches(
    store: Store, now: WisdomFile, patches: Sequence[WisdomPatch]
) -> tuple[list[WisdomEntry], list[str]]:
    """The entries with the patches whose evidence is still there, and that evidence."""
    entries = list(now.entries)
    evidence: list[str] = []
    for one in patches:
        place = next((at for at, entry in enumerate(entries) if entry.id == one.id and entry.source), -1)
        claim, source = one.line.text, one.line.citation
        if not is_still_supported(store, one.line):
            continue
        if one.op == "add":
            claims = [*(entry.claim for entry in entries), claim]
            if any(later == len(entries) for _, later in near_duplicates(claims)):
                continue
            words = one.id.replace("-", " ").split() or list(dict.fromkeys(topic_terms(claim)))[:4]
            entries.append(WisdomEntry(wisdom_file.unique_id(words, (e.id for e in entries)), claim, source))
        elif place < 0:
            continue
        elif one.op == "update":
            entries[place] = WisdomEntry(entries[place].id, claim, source)
        else:
            del entries[place]
        evidence.append(source)
    return entries, evidence


def _cap_entries(entries: list[WisdomEntry], now: WisdomFile, most: int) -> list[WisdomEntry]:
    """At most so many: of those that cite something the ones that stood there longest go first."""
    old = {one.id for one in now.entries}
    spare = len(entries) - most
    kept: list[WisdomEntry] = []
    for one in entries:
        if spare > 0 and one.source and one.id in old:
            spare -= 1
        else:
            kept.append(one)
    while len(kept) > most and kept[-1].source:
        kept.pop()
    return kept
