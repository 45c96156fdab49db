"""Judge whether a line of a session's digest belongs in a report of a week or a month, and as what.

A report tells what was chosen, what changed for those who use the project, and what was learned, with its cause and its
fix. Steps, edits that the code itself tells, talk, and lines that mean nothing alone have no place in it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from recall_tui.text.classify.generic_words import GENERIC_WORDS, TYPES_AND_TOOLS
from recall_tui.text.classify.imperatives import is_imperative
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import (
    changes_model,
    gives_reason,
    is_answer,
    is_cut,
    is_process_answer,
    strip_places,
)
from recall_tui.text.classify.line_names import IDENTIFIER, names_for_users, names_of

ReportKind = Literal["choice", "change", "cause", "reason"]
"""An option that a person chose, a change that was made, something that goes wrong, or a fact with its reason."""
MIN_LINE_CHARS, MAX_LINE_CHARS = 35, 420
MAX_NAMES = 7
"""Names of code from which a line is a list of them."""
_MIN_PLAIN_TERMS = 5
"""Words of content of a line that names no part of the project."""
_MIN_RULE_TERMS = 3
_MIN_NAMELESS_TERMS = 8
"""Words of content of an addition that names no part: with fewer, nobody knows to what it was added."""
_ADDED = re.compile(r"(?:added|made|updated?|created|implemented)\b", re.IGNORECASE)
_RULE = re.compile(r"\b(?:keeps?|stays?|decided|chose|always|never|must)\b", re.IGNORECASE)
_FACTS = re.compile(
    r"\s*\((?:not committed|committed [0-9a-f]{6,}|(?:lint|tests?|build"
    r"|type check)(?:, \w+)*(?: and \w+)* (?:pass|fail))"
    r"[^()]*\)"
)
"""Facts from results, behind the outcome of a session."""
_REVIEW_ITEM = re.compile(
    r"\s*\((?:suggestion|comment|item|finding|issue|point|thread|review)s? #?\d+\)", re.IGNORECASE
)
"""A reference to a review, which means nothing after it."""
_THREAD = re.compile(
    r"^(?:thread|comment|item|finding|issue|suggestion) #?\d+ "
    r"\((?:(?:critical|high|major|medium|low|minor)\w*\s?[-–—:,]\s)?(?P<about>[^()]{8,80})\): "
    r"(?:(?:fixed|done) in `?[0-9a-f]{7,40}`?\. )?",
    re.IGNORECASE,
)
"""A number in a review, with what it was about."""
_HASH = re.compile(r"^`?(?=[0-9a-f]*\d)[0-9a-f]{7,10}`? [-–—] (?:(?:bug)?fix: )?", re.IGNORECASE)
_MINE = re.compile(
    r"^(?:(?:i've|i have|we've|we have|we|i) (?:(?:also|now|just|successfully|completely) )*"
    r"(?=(?:\w+(?:ed|ade|ent|ote)|put|kept|chose|left|split|built|set)\b)"
    r"|successfully )+",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"(?:we (?:have )?(?:now )?)?(?:decided (?:to|on|that|against|for)|agreed (?:to|on|that)|chose|settled on)\b"
    r"|(?:decision|decided|agreed|rule|lesson|convention|never again)\s?:(?:\s*we(?:'ll| will| now)?\b)?",
    re.IGNORECASE,
)
_DECISION_SENTENCE = re.compile(rf"(?:^|(?<=[.!?] ))(?:{_DECIDED.pattern})", re.IGNORECASE)
_MIN_DECISION_CHARS = 25
_LABEL = re.compile(
    r"^(?:(?:key |critical |root cause )?(?:insight|discovery|finding|issue|bug|problem|changed? behaviou?r|note"
    r"|fix|summary|prerequisite"
    r"|solution|result))\s*(?:\([^)]*\))?: (?=\S)",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"^(?:(?:[A-Z][\w' ]{2,40}[.!] )?(?:the )?(?:(?:root|real|actual|main|underlying|key|core) )*"
    r"(?:issue|problem|cause|bug|reason|insight) (?:is|was) that "
    r"|(?:the )?(?:only |last )?(?:outstanding|remaining|open) (?:issue|problem|bug|finding|item) (?:is|was)"
    r"(?: #\d+)?: "
    r"|the fix is in (?=`[^`]+` — )|(?:the fix (?:works|worked)|(?:the )?\w+ is right)[.!] )",
    re.IGNORECASE,
)
"""Words in front of a cause that say that it is one."""
_BARE_CAUSE = re.compile(
    r"(?:the )?(?:root |real |actual )?cause(?: is| was|:)(?!.*(?:, so |which means|caus(?:es|ed|ing)|— ))",
    re.IGNORECASE,
)
"""A cause of nobody knows what."""
_POINTING_START = re.compile(
    r"(?:this|that|these|those|it|they|he|she|both|and|or|but|so|also|then|here|there(?:'s| is| are| was| were)"
    r"|such|which|how about|what about|in (?:go|python|rust|java|typescript|javascript|kotlin|swift|ruby)(?=,)"
    r"|where|all (?:two|three|four|five|\d+)|without (?:this|that|it)|since (?:this|that|then)|given (?:this"
    r"|that)|based on"
    r"|as expected|otherwise|previously|example|one (?:more|thing|example)|next|note|not|only|no,|yes|if not"
    r"|now (?:both|all (?:two|three)|it|this|these|that|they|when)|(?:changed|switched|moved|updated"
    r"|renamed) (?:from|to(?! `[^`]+`(?: \w+)? [-—(]))\b"
    r"|(?:returns|reads|uses|calls|creates|checks|gets|handles|shows|ensures|sets|parses|eliminates|threads|converts"
    r"|ends|points|makes|lists|runs|accepts|distinguishes|inits|includes)"
    r"|the fix(?:es)? (?:works?|is|was|here)|the (?:check|issue|problem|changes?|files?|tests?|message|plan|code"
    r"|document|key|other|same|first|second|third"
    r"|latter|former|following|above|result|reviewer|bot|approach|session|implementation|remaining|pattern|risk"
    r"|two|three"
    r"|new|old|current|existing|simplest|linter|author|save|returned|removed|only)"
    r")\b|now: |`?[0-9a-f]{7,10}`? |\W{0,3}\[redacted",
    re.IGNORECASE,
)
"""Words with which a line leans on what stood before it, or a mask in place of its subject."""
_WORK = re.compile(
    r"\b(?:PRs?|pull requests?|(?:code|pr|the|two|all|both) review(?:er)?s?|review(?:er|ed)?s? (?:items?|feedback"
    r"|found"
    r"|recommend\w*|comments?|threads?)|(?:bug)?bot|copilot|comments?|feedback|rebas(?:ed|ing)|rebase (?:on|onto)"
    r"|cherry-pick\w*|(?:merge|unresolved) conflicts?|conflicts? (?:resolved|in|resolution)|merged? (?:from|main)"
    r"|branch is|lint(?:er|ing|s)?|golangci\w*|nolint\S*|docstrings?|documentation|documented|docs?(?= |$)|tests?"
    r"|subtests?|coverage|assert\w*|mock\w*|fixtures?|imports?(?! `)|unused|dead code|refactor\w*|stub|TODO|WIP"
    r"|suggest\w*"
    r"|call(?:ers?| ?sites?)|typo|compiler error|unrelated|out of scope|magic string|code duplication"
    r"|duplicate (?:code|logic|checks?)|uncommitted|unstaged|diagnostics|severity|(?<!helps )debug"
    r"|needs? (?:to|its|an?)"
    r"|note in|step \d|overview|(?:bug|issue|item|point|scenario|case|phase|task|option|thread|conflict) #?\d+|#\d+"
    r"|(?:has|have) been (?:fully )?implemented|(?:the|implementation) plan|plan file|earlier\)"
    r"|working tree|scratch|junk|unreachable code|(?:identical|no) behaviou?r(?: change)?|post-rebase|(?:is"
    r"|are) now (?:empty|done|complete|ready|clean))(?!\w)",
    re.IGNORECASE,
)
"""Words of the work at hand."""
_WORK_NAME = re.compile(r"\bTest[A-Z]\w+|_test\.|\[[ x]\]|https?://|❌|✅|✓|…|\.\.\.")
_QUOTED = re.compile(r"`[^`]+`|\"[^\"]+\"")
"""Names, and words that a program says."""
_TALK = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|me|my|you|you're|you'll|we|us|let's|let me|please|thanks|sorry|wait(?=[,!])|hmm|oh|yeah"
    r"|maybe|probably|perhaps|really|anyway|guess|consider|should|might|could|would (?:be (?:nice|better|great)"
    r"|like|prefer"
    r"|suggest)|appears? to|seems?)\b",
    re.IGNORECASE,
)
_ANYBODY = re.compile(
    r"\b(?:giv(?:es|ing)|lets|letting|allow(?:s|ing)|tell(?:s|ing)|ask(?:s|ing)|show(?:s|ing)) you\b"
    r"|\b(?:if|when|until|unless|once) [^.;:?]{1,80}, you (?=(?:wait|get|lose|see|never|cannot|can't|end up)\b)"
    r"|\b(?:even though|although|whether|in case) [^.,;:?]{1,30}\b(?:might|could)\b",
    re.IGNORECASE,
)
"""Words about whoever uses the project, and what may be beside the point of a line."""
_PRAISE = re.compile(
    r"\b(?:correctly|good|sound|right call|clean(?:er|ly)?|robust|appropriate|easy to follow|elegant|intentional"
    r"|works? well)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(?:(?:read|write|helper|test) functions|now (?:much )?(?:useful|better|simpler|cleaner|clear|clean|easier"
    r"|more \w+)|everything|various|several|the following"
    r"|relevant|alternatives|for consistency|redundant)\b"
    r"|\b(?:this|that|the same) (?:reason|issue|bug|problem|fix|layer|conversion)\b"
    r"|\bboth (?:files|places|cases|functions|methods|commands|sides|issues)\b"
    r"|(?:\b(?:this|that|the)|`) (?:approach|attempt|workaround)\b",
    re.IGNORECASE,
)
"""Words that do not say which."""
_THING = r"(?:`[^`]+`(?:/`[^`]+`)*|[\w.'*()\"/-]+)"
_PREFIX = r"(?:[^:—]{1,120}(?:: | [-—] ))?"
"""The part that a change is of, in front of it."""
_CODE_EDIT = re.compile(
    rf"{_PREFIX}(?:add(?:s|ed)?|remove[sd]?|create[sd]?|extract(?:s|ed)|update[sd]?|rename[sd]?|move[sd]?|change[sd]?"
    r"|introduce[sd]?|implement(?:s|ed)|wired|threaded|delete[sd]?|inline[sd]|replace[sd]?|refactored|modif(?:y|ied)"
    rf"|convert(?:s|ed))\b(?: {_THING},?){{0,7}}? (?:fields?|structs?|functions?|helpers?|methods?|constants?|types?"
    r"|interfaces?|imports?|variables?|parameters?|params?|signatures?|logic|calls?|blocks?|vars?|packages?|sections?"
    r"|args?|returns?|code|statements?|class(?:es)?|modules?|issues?|notes?|entry|entries|wrappers?|support|logging)\b"
    rf"|{_PREFIX}(?:add(?:s|ed)|create[sd]|extracted|introduced) `\w+(?:\([^`]*)?[^`\s.-]*(?: \w+)?`",
    re.IGNORECASE,
)
"""An edit of the code, which the code itself tells."""
_INNER_PART = re.compile(
    rf"{_PREFIX}(?:add(?:s|ed)|create[sd]|extracted|introduced) (?:a |the )?(?:new )?`[^`]+` (?:helper|function|method"
    r"|struct|type|class|interface|constant)s?\b",
    re.IGNORECASE,
)
"""A part of the code that was added, which nobody meets who uses the program."""
_SIGNATURE = re.compile(
    r"\bnow (?:just |also |only )?(?:takes?|returns?|accepts?|calls?|includes?|has|have|typed|reads?|uses?)\b"
    r"|\b(?:returns?|takes?|uses?) .+ instead of\b|\bto use .+ instead of\b|\bmoved from\b|\bchanged from\b"
    r"|\breplaced\b",
    re.IGNORECASE,
)
"""A change of how code calls code; it needs a reason to matter."""
_WRONG = re.compile(
    r"\b(?:bug|root cause|wrong(?:ly)?|incorrect\w*|fails?|failing|failure|breaks?|broke|breaking|silently|ignored?"
    r"|los(?:t|es|ing)|leaks?|panics?|crash\w*|race condition|stale|overwrites|mismatch\w*|corrupt\w*|doesn't"
    r"|does not|wasn't|weren't|(?:is|are) empty"
    r"|do not|don't|isn't|is not|aren't|are not|never|cannot|can't|missing|drops?|dropped|(?:was|were) being"
    r"|orphaned|undercounted|undefined order|interfer\w+|insufficient|omits?"
    r"|hardcode[sd]?|redundant(?:ly)?|would always|without checking|only (?:reads?|strips?|handles?|checks?|returns?)"
    r"|the (?:root )?cause|unreachable)\b",
    re.IGNORECASE,
)
_BUG = re.compile(r"\b(?:bug|root cause|incorrect(?:ly)?|wrong(?:ly)?|mismatch\w*|corrupt\w*)\b", re.IGNORECASE)
_PURPOSE = re.compile(
    r"(?:\bso that|, so (?!it\b)\w+|(?<![.!?] )\bso (?:existing|the|they|all|no|only|users?|a|an)|\bto (?:avoid|prevent"
    r"|ensure|protect|keep)|\bprevents"
    r"|\bpreserves|\bensures)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    rf"^{_PREFIX}(?:(?:fully|completely|also) )?(?:add(?:s|ed)|remove[sd]|change[sd]|replace[sd]|rename[sd]|move[sd]"
    r"|switched|increase[sd]|raise[sd]|lowered|reduce[sd]|updated|dropped|disabled|enabled|fixed|introduce[sd]"
    r"|implemented|configured|extended|inverted|restored|bumped|merged|deployed|shipped|released|reverted|made)\b"
    r"|^the fix (?:adds|makes|keeps)\b|^modified (?=`[^`]+` to )"
    r"|(?<!\band )(?<![.`])\bnow\b(?!\()|\bno longer (?!used|needed|necessary|required|referenced)\w+"
    r"|(?<=[.!] )(?:added|fixed|changed|replaced|switched|removed)\b(?! in\b)"
    r"|\b(?:has|have) been (?:completely )?\w+ed\b|\bfixed (?:by|a|the|an)\b|\bchanged from .{1,60} to\b",
    re.IGNORECASE,
)
_BOTH_ENDS = re.compile(
    r"\b(?:instead of|rather than|not just|no longer|not any ?more|from .{1,60}(?:\bto\b|→)|replac(?:ed|es"
    r"|ing) .{1,80}\bwith\b"
    r"|defaults? to|by default|always|only (?:when|if|for|on)|never)\b",
    re.IGNORECASE,
)
_SURFACE = re.compile(
    r"\b(?:flags?|options?|commands?|settings?|env(?:ironment)? var(?:iable)?s?|endpoints?|keys?|tasks?|scripts?"
    r"|targets?|output|messages?"
    r"|warnings?)\b",
    re.IGNORECASE,
)
"""Parts of a program that its users meet."""
_LITERAL_ARROW = re.compile(r"[`\"'\d)]\s*→|→\s*[`\"'\d]")
_BEFORE_CHANGE = re.compile(_PREFIX)
_HALF = re.compile(
    r"\bnow (?:also |only )?(?:checks?|looks?|verif(?:y|ies)) (?:if|whether|for|at)\b[^,;]*$"
    r"|^[^,;]{0,60}\b(?:do|does|did|is|was)(?:n't| not) \w+ (?:it|this|that|them)\b",
    re.IGNORECASE,
)
"""A check without what comes of it, and something that does not do `it`."""
_POINTS_BACK = re.compile(r"(?:this|that|these|those|it|they|both)\b", re.IGNORECASE)
_LOWER_NAME = re.compile(r"[a-z]+[-_.A-Z]\w")
_PROPER_NAME = re.compile(r"(?<=\w )(?:[A-Z][a-z]{2,}|[A-Z]{3,})\b|`")
_POINTED_AT = re.compile(
    r"\b(?:about|to|for|of|with|on|in) (?:this|that|it|them|these|those)(?= (?:because|since|so|and|but)\b|[.,;]|$)",
    re.IGNORECASE,
)
"""Something chosen that only the line before names."""
_MIN_TITLE_TERMS, _MIN_QUESTION_TERMS = 3, 4
_MIN_SUBJECT_TERMS = 3
"""Words of a question, beside those of any project, from which it tells what it is about."""
_OF_ANY_PROJECT = frozenset(("readme", "changelog", "repo", "repository", "inline"))
_COMMAND = re.compile(r"`[a-z][\w-]* [^`]+`|\"[a-z][\w-]* [^\"]+\"|`[a-z][\w-]*` (?:sub)?command|\b[a-z]+ command\b")
_NOW_COMMAND = re.compile(r"Now `[a-z][^`]*`")
_REQUIRES = re.compile(r"\brequires? .+(?:, (?:and )?not |\brather than\b|\binstead of\b)", re.IGNORECASE)
"""A rule of an interface, with what it is taken for."""
_ORDERED_CHOICE = re.compile(r"\b(?:rather than|instead of)\b", re.IGNORECASE)
_MIN_INNER_TERMS = 7
"""Words of content of a change of code that gives no reason and no other end."""
_DEFAULT_FACT = re.compile(r"(?:the )?default (?:value )?(?:of )?`[^`]+` is [^.]+, which means ", re.IGNORECASE)
"""A value that holds when nobody sets another, with its effect."""
_REASON_BEHIND = re.compile(r" \([^()]{8,}\)\.?$")


def clean_line(text: str) -> str:
    """Return the line without label, numbers of lines, who did it, and what results bear out."""
    words = _HASH.sub("", _THREAD.sub(r"\g<about>: ", text.strip()))
    words = strip_places(_REVIEW_ITEM.sub("", _FACTS.sub("", words)))
    if decided := _DECISION_SENTENCE.search(words):
        return words[decided.start() :]
    words = _ANNOUNCED.sub("", _LABEL.sub("", _MINE.sub("", words)))
    return words if _LOWER_NAME.match(words) else words[:1].upper() + words[1:]


@lru_cache(maxsize=8_192)
def report_kind(text: str) -> ReportKind | None:
    """Return what a clean line is in a report; None when it has no place there."""
    words = text.replace("’", "'")
    if is_answer(words):
        asked = words.partition("→")[0]
        least = _MIN_TITLE_TERMS if _PROPER_NAME.search(asked) else _MIN_QUESTION_TERMS
        is_vague = len(set(topic_terms(asked))) < least or not _names_subject(asked)
        return None if is_process_answer(words) or is_vague else "choice"
    if decided := _DECIDED.match(words):
        rest = words[decided.end() :]
        is_whole = len(words) >= _MIN_DECISION_CHARS and not (is_cut(words) or words.endswith(("?", "…")))
        is_vague = bool(_VAGUE.search(rest) or _POINTED_AT.search(rest))
        chosen = _REASON_BEHIND.sub("", rest)
        return "choice" if is_whole and not (_TALK.search(chosen) or is_about_work(chosen) or is_vague) else None
    if is_imperative(words):
        return "choice" if _is_ordered_choice(words) else None
    if _DEFAULT_FACT.match(words) and is_plain(words) and MIN_LINE_CHARS <= len(words) <= MAX_LINE_CHARS:
        return "reason"
    if not stands_alone(words) or _VAGUE.search(words) or _BARE_CAUSE.match(words):
        return None
    has_names, user_names = bool(names_of(words)), names_for_users(words)
    has_reason, is_changed = gives_reason(words), bool(_CHANGED.search(words))
    if _WRONG.search(words) and not is_changed and not _is_purpose(words):
        return "cause"
    if _PRAISE.search(words) and not is_changed:
        return None
    has_ends = bool(_BOTH_ENDS.search(words))
    is_edit = bool(_CODE_EDIT.match(words) or _SIGNATURE.search(words))
    is_visible = bool(user_names) and (has_ends or bool(_SURFACE.search(words)))
    is_visible = is_visible and not _INNER_PART.match(words)
    is_reasoned = has_reason and has_names and not _SIGNATURE.search(words)
    if is_edit and not (_PURPOSE.search(words) or is_visible or is_reasoned or changes_model(words)):
        return None
    terms = len(set(topic_terms(words)))
    if _ADDED.match(words) and not (has_names or user_names) and terms < _MIN_NAMELESS_TERMS:
        return None
    if is_changed or (has_ends and any(not name[0].isdigit() for name in user_names)):
        has_surface = any(not name.startswith("--") for name in user_names)
        has_surface = has_surface or bool(user_names and _COMMAND.search(words))
        least = _MIN_INNER_TERMS if has_names else _MIN_PLAIN_TERMS
        is_told = has_surface or (has_names and (has_reason or has_ends)) or terms >= least
        return "change" if is_told and (terms > 1 or len(user_names) > 1) else None
    least = _MIN_RULE_TERMS if _RULE.search(words) else _MIN_PLAIN_TERMS
    return "reason" if (has_reason or _REQUIRES.search(words)) and has_names and terms >= least else None


def _is_ordered_choice(words: str) -> bool:
    """Return whether an order says what to do instead of what, and why: that is a decision, whoever gave it."""
    is_whole = MIN_LINE_CHARS <= len(words) <= MAX_LINE_CHARS and not words.endswith(("?", ":")) and "? " not in words
    is_reasoned = bool(_ORDERED_CHOICE.search(words)) and gives_reason(words) and bool(names_of(words))
    return is_whole and is_reasoned and is_plain(words) and not (_VAGUE.search(words) or _is_list(words))


def is_bare_cause(text: str) -> bool:
    """Return whether a line says a cause, and not of what; beside its fix it can stand."""
    words = text.replace("’", "'")
    return bool(_BARE_CAUSE.match(words)) and stands_alone(words) and not _VAGUE.search(words)


def _names_subject(asked: str) -> bool:
    """Return whether a question says which part of the project it is about."""
    if names_of(asked) or _PROPER_NAME.search(asked):
        return True
    terms = {term.removesuffix("s") for term in topic_terms(asked)}
    return len(terms - GENERIC_WORDS - TYPES_AND_TOOLS - _OF_ANY_PROJECT) >= _MIN_SUBJECT_TERMS


def _is_purpose(words: str) -> bool:
    """Return whether a line only names what it keeps from going wrong: `…, so that no order is lost`."""
    purpose = _PURPOSE.search(words)
    return purpose is not None and not _BUG.search(words) and not _WRONG.search(words[: purpose.start()])


def stands_alone(words: str) -> bool:
    """Return whether a line is whole, means something alone, and tells of more than the work at hand."""
    if not MIN_LINE_CHARS <= len(words) <= MAX_LINE_CHARS or words.endswith(("?", ":")) or "? " in words:
        return False
    if (words[0].islower() and not _LOWER_NAME.match(words)) or words[0] in "(,;:/+=-#":
        return False
    start = _BEFORE_CHANGE.match(words).end()  # type: ignore[union-attr]
    rest = words[start:]
    points_back = _POINTS_BACK.match(rest) and not (start and _CHANGED.search(words[:start]))
    points_back = points_back or (rest.startswith("Now ") and not (gives_reason(words) or _names_both_ends(rest)))
    if is_imperative(words) or is_imperative(rest) or points_back or _HALF.search(words):
        return False
    return is_plain(words) and not _is_list(words)


def _names_both_ends(words: str) -> bool:
    """Return whether a line says of a command what it does now instead of what."""
    return bool(_NOW_COMMAND.match(words) and _BOTH_ENDS.search(words))


def _is_list(words: str) -> bool:
    """Return whether a line is a list of names, or of steps with arrows between them."""
    arrows = words.count("→")
    is_flow = arrows > 1 or (arrows == 1 and not _LITERAL_ARROW.search(words))
    return is_flow or len(IDENTIFIER.findall(words)) > MAX_NAMES


def is_vague(words: str) -> bool:
    """Return whether a line has words that do not say which thing they mean."""
    return bool(_VAGUE.search(words))


def is_plain(words: str) -> bool:
    """Return whether a line is no talk, and not about the work at hand; it may be short."""
    return not (_POINTING_START.match(words) or is_talk(words) or is_about_work(words) or is_cut(words))


def is_talk(words: str) -> bool:
    """Return whether somebody speaks to somebody, outside of what the line quotes."""
    return bool(_TALK.search(_ANYBODY.sub("", _QUOTED.sub("`x`", words))))


def is_about_work(words: str) -> bool:
    """Return whether a line is about the work at hand; what it quotes is a name."""
    return bool(_WORK.search(_QUOTED.sub("`x`", words)) or _WORK_NAME.search(words))


def mentions_change(text: str) -> bool:
    """Return whether a line says that something was changed."""
    return bool(_CHANGED.search(text))


def is_code_edit(text: str) -> bool:
    """Return whether a line tells of an edit that the code itself tells."""
    return bool(_CODE_EDIT.match(text))
