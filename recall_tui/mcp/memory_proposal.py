"""`remember`: an agent proposes a line for the curated memory, and the person decides.

Nothing is written without the person: the client is asked to show a form, and where it cannot, or nobody is there to
see it, the proposal waits for review.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.domain import Plan
from recall_tui.errors import RecallError, UsageError
from recall_tui.mcp.messages import JsonObject
from recall_tui.mcp.tools import MAX_MEMORY_CHARS, Arguments, text_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recall_tui.mcp.server import Caller
    from recall_tui.storage.state.proposals import Proposal
    from recall_tui.workbench import Workbench

KIND = "agent"
MAX_PROPOSALS_A_DAY = 20
_INPUT = "keep"
_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {_INPUT: {"type": "boolean", "title": "Keep it", "default": True}},
    "required": [_INPUT],
}


def propose_memory(bench: Workbench, given: Arguments, caller: Caller, params: Mapping[str, Any]) -> JsonObject:
    """Propose the text, ask the person where that is possible, and return what became of it."""
    from recall_tui.features.curation import review
    from recall_tui.storage.state import proposals

    text = given.required("text")
    if len(text) > MAX_MEMORY_CHARS:
        raise UsageError(f"the text has more than {MAX_MEMORY_CHARS} characters", hint="propose one fact")
    plan = _plan(bench, text, given.text("topic"), given.text("replaces"))
    if not plan.edits:
        return text_result(plan.title)
    made = _proposal(bench, plan, text)
    today = [one for one in proposals.list_all(bench.store) if one.kind == KIND and _is_of_today(bench, one)]
    saved = proposals.save(bench.store, made) if len(today) < MAX_PROPOSALS_A_DAY else None
    if saved is None:
        is_full = len(today) >= MAX_PROPOSALS_A_DAY
        reason = f"{MAX_PROPOSALS_A_DAY} proposals wait or were decided today" if is_full else "it was declined before"
        return text_result(f"Not proposed: {reason}. It is not in the memory.")
    if KIND in review.automatic_kinds(bench.store):
        return _accept(bench, saved)
    if not caller.can_ask:
        return _waiting(saved)
    question = f"Keep this in {saved.changes[0].path}?\n\n{text}"
    if not caller.is_modern:
        return _decide(bench, saved, caller.ask(question, _SCHEMA))
    responses = params.get("inputResponses")
    if isinstance(responses, dict) and params.get("requestState") == saved.id:
        # The id is a digest of the proposal, so that a form cannot decide about another text than it showed.
        answer = responses.get(_INPUT)
        return _decide(bench, saved, answer if isinstance(answer, dict) else None)
    form = {"mode": "form", "message": question, "requestedSchema": _SCHEMA}
    asked = {_INPUT: {"method": "elicitation/create", "params": form}}
    return {"resultType": "input_required", "inputRequests": asked, "requestState": saved.id}


def _plan(bench: Workbench, text: str, topic: str, replaces: str) -> Plan:
    from recall_tui.features.curation.remember import remember

    if replaces:
        raise UsageError(
            "replacing a line is not offered to agents yet",
            hint="propose the new line alone; the user can take out the old one",
        )
    return remember(bench.store, text, topic or None)


def _proposal(bench: Workbench, plan: Plan, text: str) -> Proposal:
    from recall_tui.storage.state.proposals import Proposal, change_of_edit

    change = change_of_edit(bench.store, plan.edits[0])
    return Proposal(KIND, text, plan.title.replace("Remembered in", "Remember in"), "An agent proposes it.", (change,))


def _is_of_today(bench: Workbench, proposal: Proposal) -> bool:
    return proposal.made_at is not None and proposal.made_at.date() == bench.store.now().date()


def _decide(bench: Workbench, proposal: Proposal, answer: Mapping[str, Any] | None) -> JsonObject:
    """Do what the person chose; without a choice the proposal waits."""
    from recall_tui.features.curation import review

    action = answer.get("action") if answer else None
    content = answer.get("content") if answer else None
    if action == "accept" and isinstance(content, dict) and content.get(_INPUT) is True:
        return _accept(bench, proposal)
    is_declined = action == "decline" or (action == "accept" and isinstance(content, dict) and _INPUT in content)
    if is_declined and has_person(bench.store.environment.env):
        bench.apply(review.dismiss, [proposal.id])
        return text_result("The user declined it. It is not in the memory.")
    return _waiting(proposal)


def _accept(bench: Workbench, proposal: Proposal) -> JsonObject:
    from recall_tui.features.curation import review

    try:
        bench.apply(review.accept, [proposal.id])
    except RecallError as error:
        return text_result(f"{error.message}. It waits for the user's review and is not in the memory yet.")
    return text_result(f"Remembered in {proposal.changes[0].path} (undo: recall-tui undo).")


def _waiting(proposal: Proposal) -> JsonObject:
    return text_result(
        f"Waits for the user's review (recall-tui review show {proposal.id}). It is not in the memory yet."
    )


def has_person(env: Mapping[str, str]) -> bool:
    """Return False for a client that nobody sits at: it declines forms without having shown them."""
    if env.get("CLAUDE_CODE_ENTRYPOINT") == "sdk-cli":
        return False
    if not sys.platform.startswith("linux"):
        return True
    try:
        return str(Path(f"/proc/{os.getppid()}/fd/0").readlink()).startswith(("/dev/pts/", "/dev/tty", "/dev/console"))
    except OSError:
        return False
