"""Text cut into lines that can stand alone: whole bullets, rows of tables, and sentences that belong together.

A line is never cut inside; what says nothing (narration, praise, questions of the agent, bare results) is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from recall_tui.text.classify.cause_pairs import begins_fix
from recall_tui.text.classify.imperatives import is_imperative
from recall_tui.text.classify.sentence_labels import find_point, is_unresolved
from recall_tui.text.classify.tags import action_score, decision_score
from recall_tui.text.cut import one_line
from recall_tui.text.markup import strip_emphasis, strip_markers
from recall_tui.text.secrets.redact import redact
from recall_tui.text.sentences import split_sentences

Kind = Literal["decision", "lesson", "open", "preference"]
"""What a line is worth keeping for."""
MAX_TEXT_CHARS = 40_000
"""Characters of one text that are looked at, half from its beginning and half from its end."""
MAX_SECRET_CHARS = 8_000
"""Characters around a cut that are searched for secrets before it is made, so that none is cut in two."""
MAX_LINE_CHARS = 300
"""Characters that sentences of one paragraph take together; a bullet or a single sentence may be longer."""
MAX_SHORT_CHARS, MAX_JOINED_CHARS = 50, 160
"""Characters of a bullet that is joined with its short neighbours, and of all of them."""
MAX_WHOLE_CHARS = 600
"""Characters of a line beyond which it is a paste."""
_MAX_CACHED_LINES = 8_192
"""Lines whose kind is remembered: of one session, each is asked for several times."""
_MIN_LINE_CHARS = 12
_MIN_WORDS = 3
_MIN_LEAD_CHARS = 30

_FENCE = re.compile(r"\s*(?:[-*+]\s+)?(?:`{3,}|~{3,})")
_HEADING = re.compile(r"\s*#{1,6}\s+(.*)|\s*\*\*([^*]{1,80})\*\*:?\s*$|\s*(?:Fix|Step|Issue) \d+[:.]\s*(.{0,80}):$")
_BULLET = re.compile(r"(\s*)(?:[-*+•–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_UNTICKED = re.compile(r"\s*(?:[-*+•–]|\d{1,3}[.)])\s+\[ \]\s")
_ROW = re.compile(r"\s*\|(.+)\|\s*$")
_RULE = re.compile(r"[\s\-=_*|:+#>~`]*")
_SIGNS = re.compile(r"^[\W_]*[✅✓✔❌⚠️🎉☑🔧📝🚀][^\w`\"'(<\[]*")
_TRAILER = re.compile(
    r"(?:co-authored-by|signed-off-by|entire-\w+|generated with|🤖)\b|^🤖|^https?://\S+$", re.IGNORECASE
)
_NARRATION = re.compile(
    r"(?:(?:now|so|ok|okay|good|great|perfect|excellent|first|then|next|and|also|actually|wait|hmm|alright"
    r"|right|yes|sure"
    r"|finally|done|all good)[,.!:—–-]*\s+)*"
    r"(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|i'm now|i need to|i should|i can see|i see"
    r"|i have a"
    r"|i now (?:have|see|understand)|i want to|i understand|i found (?:it|the)\b|going to|time to|here's"
    r"|here is|here are"
    r"|looking at|checking|reading|running|now (?:i|we|let|do|the|verify|check)\b)",
    re.IGNORECASE,
)
"""Openings of what the agent is about to do; none of it is worth a line."""
_STEP = re.compile(r"(?:now|first|second|third|then|next|finally|also|after that),? ", re.IGNORECASE)
_PLANNING = re.compile(r"\b(?:i'll|let me|i need to|i'm going to|i want to|i should)\b", re.IGNORECASE)
_INTERJECTION = re.compile(
    r"^(?:(?:good|right|ok|okay|great|perfect|excellent|yes|yep|yeah|ah|so|there it is|there's the (?:issue|problem"
    r"|bug)|got it|interesting|found it|confirmed|sorry|done|now i see(?: it)?|i see)(?:[,.:!]| ?[—–-])+\s+)+(?=\S)",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^()\s]{1,400}\)")
_TAG = re.compile(r"(?P<code>`[^`\n]{1,200}`)|</?[a-z_-]{2,20}>|<!--.*?(?:-->|$)")
_PRAISE = re.compile(
    r"(?:you're (?:absolutely )?right|you are (?:absolutely )?right|good (?:catch|point|question|idea|review|news)"
    r"|great (?:catch|point|question|idea|question)|excellent (?:catch|point|question)|fair point|perfect"
    r"|thanks|thank you"
    r"|sorry|my mistake|sounds good|no problem|no response requested|ready (?:for|when|to))\b",
    re.IGNORECASE,
)
_BARE_RESULT = re.compile(
    r"(?:\b(?:all|both|the|lint|linting|linter|formatting|build|unit|integration|tests?|checks?|everything|code"
    r"|errors?|suite|and|is|are|now|still|ci|green|clean|pass(?:es|ed|ing)?|compiles?|succe\w+|\d+|issues?|fine|done"
    r"|works?|good|no|with|up to date|committed|pushed|implementation|complete[d]?|has|been|changes|verified"
    r"|as expected|successfully|fully|task|updated|it|this)\b\W*+)+",
    re.IGNORECASE,
)
_PROCESS = re.compile(
    r"(?:(?:ok|okay|so|now|yes|yeah|great|cool|thanks|alright|and|then|well)[,.!:—–-]*\s+)*(?:let's (?:look"
    r"|have a look|see|start|do|get|go|begin|move|continue|check|try|note|commit|push|merge|follow|proceed|implement"
    r"|tackle|work|investigate|discuss)|(?:can|could|would|will) (?:you|we)\b|(?:give|show|tell) me\b|wait\b|like\b"
    r"|maybe (?:delete|try|check)\b|i've\b|question\b|any ideas?\b|no,? wait\b|it also\b|(?:oh|hm+|but|don't worry)\b"
    r"|yeah (?:it|that|this)\b|there(?:'s| is| are) (?:new |some )?(?:feedback|comments?)\b|i(?:'d"
    r"| would) like (?:you )?to (?:work|see|start|look|know|understand|discuss)\b|please,? (?:check|look|commit|push"
    r"|run|continue|go on|review)|look at|have a look|check|commit|push|continue|go on|go back to|going back"
    r"|create a (?:pr|pull request|commit)|i (?:got|see|get|think|guess|believe|had|have|tried|did|still|could"
    r"|couldn't|can|can't|just|also|was)\b|what|why|where|how|is there|do (?:we|you)|did (?:we|you)|are (?:we|you"
    r"|there)|does|is (?:it|this|that))\b",
    re.IGNORECASE,
)
"""Openings of what a person says to move things on; it is no wish, and says nothing of the project."""
_BRACKETS = re.compile(r"^(?:\[[^\]\n]{1,20}\]\s*)+")
"""Tags such as `[WIP]` in front of a line."""
_PROPOSAL = re.compile(
    r"\b(?:can't we|could we|(?:can|could) (?:we|you) (?:please |also |just )*(?:use|import|keep|drop|make|rename"
    r"|replace|move|switch|remove|name|call|put|split|merge|avoid)|how about|why (?:not|add\w*|keep\w*)"
    r"|let's (?:remove|use|keep|drop|make|add|rename|replace|move|switch))\b"
    r"|\b(?:instead|rather than|not just)\b.*[^?]$",
    re.IGNORECASE,
)
_LASTING = re.compile(r"\b(?:always|never|from now on|in future|as a rule|respond directly)\b", re.IGNORECASE)
_FOR_NOW = re.compile(
    r"\b(?:for now|just continue|wait,|first otherwise|right now|in this (?:branch|pr|session|commit))\b", re.IGNORECASE
)
_OUTPUT = re.compile(r"(?:[^:]{3,60}: ){3}|\b[\w/-]+\.\w{1,5}:\d+: ")
"""Output of a program, with a colon in each line."""
_SINGLE_NAME = re.compile(r"[`'\"]?[^`\s]+[`'\"]?[.,]?|`[^`]+`[.,]?|`?Test\w+`?(?:\s*[-–—:(].*)?")
"""A name alone, or a test by its name."""
_MIN_CUE_SCORE = 2
_LABEL_SCORE = 4
"""Of a line that begins with a label, such as `Remaining:`."""
_EXPLICIT = 2
"""Confidence of a label that stands in front of its line."""
_POINT_KINDS: dict[str, Kind] = {
    "Blocker": "open",
    "Open question": "open",
    "Status": "open",
    "Warning": "lesson",
    "Failed approach": "lesson",
    "Discovery": "lesson",
    "Pattern": "preference",
}
_ASSESSMENT = re.compile(
    r"\b(?:ready (?:to|for) (?:merge|ship|use|review|you|production)|production[- ]ready|no (?:outstanding|blocking"
    r"|further) (?:issues|problems|changes)|idiomatic|clean separation|well[- ](?:structured|organi[sz]ed|designed)"
    r"|best practices|(?:code|implementation|solution|design) is (?:now )?(?:clean|solid|robust|correct|good)\w*"
    r"|professional[- ]grade|already (?:fixed|done|handled|addressed|resolved|in place)|no action|not an issue"
    r"|verified ok|no changes? (?:is |are )?needed|the right thing to do|absolutely the|(?:solid|great"
    r"|good) (?:update|change|work|addition)|no answer provided|(?:all|both) (?:the )?\w* ?files (?:have been|were"
    r"|are)|(?:looks|is looking) (?:good|great|correct|solid)|lgtm)\b",
    re.IGNORECASE,
)
"""Praise of the work, which says nothing of it."""
_REASON = re.compile(r"\b(?:because|since|so that|due to|but|unless|until|except|once)\b", re.IGNORECASE)
_SUBORDINATE = re.compile(r"(?:now )?(?:when|if|after|before|while|once|since|as)\b[^,]*$", re.IGNORECASE)
"""A lead-in that is half a sentence."""
_DANGLING = re.compile(
    r"\b(?:produces?|returns?|handles?|prints?|documents|includes|contains|covers|shows|show|setting|using|but|so"
    r"|because|if|adding|changing|have|has|did|do|like|as|from|on|at|a|an|when|where|which|both|either|you can|now|in"
    r"|the|following|these|this|is|are|was|were|follows|with|to|by|of|for|and|that|two|three|here|below|things)$",
    re.IGNORECASE,
)
"""Ends of a lead-in that say nothing without what follows."""
_HALF = re.compile(r"(?:before|after|old|new|was|line \d+|lines \d+-\d+)\s?:", re.IGNORECASE)
"""Openings of lines that say nothing without the line beside them."""
_CHECK_LINE = re.compile(r"(?:`[^`]+`|\S+ (?:run|test) \S+|lint|tests?)\s*(?:&& [^-–—:]*)?\s*[-–—:]\s*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_PLAIN_WORD = re.compile(r"(?<![^\s(\"'])[^\W\d_]+(?:['’-][^\W\d_]+)*(?=[\s.,;:!?)\"']|$)")
_LITERAL = re.compile(r"`[^`]*`|\S*[/\\]\S+|\S+\.\w{1,5}(?::\d+)?(?=[\s.,;:)]|$)|\b\w+\(\)")
_SECRET_SIZED = re.compile(r"\S{16}")
_MASK = re.compile(r"\[redacted:[\w-]+\]")
_MIN_PLAIN_SHARE = 0.5
"""Share of a line's characters that are plain words; of output and code it is less."""


class TextLine(NamedTuple):
    """A line that can stand alone."""

    text: str
    heading: str = ""
    """The heading it stands under."""
    lead_in: str = ""
    """The line ending in a colon that it follows."""
    is_bullet: bool = False
    is_unticked: bool = False
    """A box in front of it is empty."""
    is_lead_in: bool = False
    """It announces what follows, and lost its colon; it can say what was done, and holds nothing of it."""
    before: str = ""
    """The sentence right before it, which names what `This` or `It` at its beginning stands for."""


def cut_lines(text: str, *, by_person: bool = False) -> Iterator[TextLine]:
    """The lines of a text in Markdown, in order; at most MAX_WHOLE_CHARS characters each, on one line.

    Code in fences is left out, and so is what says nothing: narration and questions only where the agent said them.
    Short bullets of a list that follow each other are one line: alone, each says half a thing.
    """
    held: TextLine | None = None
    for one in _cut_text(text, by_person=by_person):
        if held is not None and _are_siblings(held, one):
            held = held._replace(text=f"{held.text.rstrip('.;:–—- ')}; {one.text}")
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def _are_siblings(held: TextLine, one: TextLine) -> bool:
    return (
        held.is_bullet
        and one.is_bullet
        and not (held.is_unticked or one.is_unticked)
        and (held.heading, held.lead_in) == (one.heading, one.lead_in)
        and len(one.text) <= MAX_SHORT_CHARS >= len(held.text.rpartition("; ")[2])
        and len(held.text) + len(one.text) <= MAX_JOINED_CHARS
        and not (_names_kind(one.text) or _names_kind(held.text))
    )


def _cut_text(text: str, *, by_person: bool) -> Iterator[TextLine]:
    if len(text) > MAX_TEXT_CHARS:
        half = MAX_TEXT_CHARS // 2
        text = f"{cut_redacted(text, half)}\n\n{redact(text[-half - MAX_SECRET_CHARS :])[-half:]}"
    heading = lead_in = ""
    before = ""
    for block in _blocks(text):
        first = block[0]
        if match := _HEADING.match(first):
            heading, lead_in = _clean(next(filter(None, match.groups()), "")).strip("*: "), ""
            before = ""
        elif match := _ROW.match(first):
            if words := _row_words(match[1]):
                yield from _join_telling([words], heading, lead_in, by_person, is_bullet=True)
        elif _BULLET.match(first):
            whole = _clean(" ".join(block))
            if whole.endswith((":", "：")):
                lead_in = whole
            else:
                for one in _join_telling([whole], heading, lead_in, by_person, is_bullet=True, before=before):
                    yield one._replace(is_unticked=bool(_UNTICKED.match(first)))
            before = whole
        else:
            said = split_sentences("\n".join(block))
            yield from _join_telling(said, heading, "", by_person, before=before)
            before = said[-1] if said else before
            lead_in = said[-1] if said and said[-1].endswith((":", "：")) else ""
            words = _clean(lead_in).rstrip(":： ")
            if (
                len(words) >= _MIN_LEAD_CHARS
                and not _DANGLING.search(words)
                and not _SUBORDINATE.match(words)
                and is_telling(words, by_person=by_person)
            ):
                yield TextLine(words, heading, is_lead_in=True)


def cut_redacted(text: str, most: int) -> str:
    """The beginning of a text; where it is cut, no part of a secret is left."""
    return redact(text[: most + MAX_SECRET_CHARS])[:most] if len(text) > most else text


def is_telling(text: str, *, by_person: bool = False) -> bool:
    """Whether a line can be worth keeping, by its form alone; a secret in it counts for nothing."""
    return _is_telling(text, by_person) or (
        _SECRET_SIZED.search(text) is not None
        and explicit_kind(text) is not None
        and (bare := _MASK.sub("", redact(text))) != text
        and _is_telling(bare, by_person)
    )


def _is_telling(text: str, by_person: bool) -> bool:
    if not _MIN_LINE_CHARS <= len(text) <= MAX_WHOLE_CHARS or text.endswith((":", "：", "…", "...")):
        return False
    if text.isascii() and _is_too_short(len(_WORD.findall(text)), text):
        return False
    if (
        text.startswith(("//", "/*", "#!"))
        or _TRAILER.search(text[:40])
        or _BARE_RESULT.fullmatch(text)
        or _SINGLE_NAME.fullmatch(text)
        or _HALF.match(text)
    ):
        return False
    if (check := _CHECK_LINE.match(text)) and _BARE_RESULT.fullmatch(text[check.end() :] or "ok"):
        return False
    if sum(map(len, _PLAIN_WORD.findall(text))) < _MIN_PLAIN_SHARE * len(text) and (by_person or "`" not in text):
        return False
    count = len(_WORD.findall(_LITERAL.sub(" ", text)))
    if count < 2 or ("→" not in text and _is_too_short(count, text)):
        return False
    if by_person:
        words = text.replace("’", "'")
        if (
            _ASSESSMENT.search(words)
            or _OUTPUT.search(words)
            or (_FOR_NOW.search(words) and not _LASTING.search(words))
        ):
            return False
        if _LASTING.search(words) and not words.endswith("?"):
            return True
        return bool(_PROPOSAL.search(words)) or not (_PROCESS.match(_BRACKETS.sub("", words)) or words.endswith("?"))
    if _ASSESSMENT.search(text) and not _REASON.search(text):
        return False
    said = text.replace("’", "'")
    if kind := explicit_kind(said):
        return kind == "open" or not said.endswith(("?", "？"))
    if (step := _STEP.match(said)) and is_imperative(said[step.end() :]):
        return False
    return not (begins_work(said) or said.endswith(("?", "？")))


def begins_work(said: str) -> bool:
    """Whether an agent says what it is about to do, or praises what was said."""
    said = said.replace("’", "'")
    return bool(_NARRATION.match(said) or _PLANNING.search(said) or _PRAISE.match(said))


def _is_too_short(count: int, text: str) -> bool:
    """Whether so many words are too few; a label says what the words behind it are, however few."""
    return count < _MIN_WORDS and (count < 2 or max(decision_score(text), action_score(text)) < _LABEL_SCORE)


def _blocks(text: str) -> Iterator[list[str]]:
    """Lines that belong together: a heading, a row, a bullet with its continuation, a paragraph."""
    block: list[str] = []
    is_fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_fenced = not is_fenced
            line = ""
        elif is_fenced:
            continue
        starts = bool(_BULLET.match(line) or _HEADING.match(line) or _ROW.match(line))
        if block and (starts or _RULE.fullmatch(line) or _HEADING.match(block[0]) or _ROW.match(block[0])):
            yield block
            block = []
        if not _RULE.fullmatch(line):
            block.append(line)
    if block:
        yield block


def _row_words(row: str) -> str:
    """A row of a table as a line, without its number; empty for a head or a rule."""
    cells = [_clean(cell) for cell in row.split("|")]
    cells = [cell for cell in cells if cell and not re.fullmatch(r"[#\d\W]+", cell)]
    return " — ".join(cells) if sum(map(len, cells)) > 40 else ""


def _clean(text: str) -> str:
    words = _SIGNS.sub(
        "", strip_emphasis(strip_markers(_LINK.sub(r"\1", _TAG.sub(lambda tag: tag["code"] or "", one_line(text)))))
    ).strip()
    return _INTERJECTION.sub("", words)


@lru_cache(maxsize=_MAX_CACHED_LINES)
def explicit_kind(text: str) -> Kind | None:
    """The kind that a line names itself, such as `We decided to …`, `Next step: …` or `The root cause was …`."""
    if decision_score(text) >= _MIN_CUE_SCORE:
        return "decision"
    if action_score(text) >= _MIN_CUE_SCORE:
        return "open"
    if is_unresolved(text) and not text.rstrip().endswith("?"):
        return "open"
    found = find_point(text.replace("’", "'"))
    if found is None or (found[0] == "Status" and found[1] < _EXPLICIT):
        return None
    return _POINT_KINDS.get(found[0])


def _names_kind(text: str) -> bool:
    """Whether a sentence says itself what it is: a decision, a next step, a cause."""
    return decision_score(text) > 1 or action_score(text) > 1 or find_point(text.replace("’", "'")) is not None


def _join_telling(
    said: list[str], heading: str, lead_in: str, by_person: bool, *, is_bullet: bool = False, before: str = ""
) -> Iterator[TextLine]:
    """The telling ones, sentences that follow each other joined as far as they fit."""
    held: TextLine | None = None
    for one in said:
        words = _clean(one) if not is_bullet else one
        if not is_telling(words, by_person=by_person):
            if held:
                yield held
            held = None
        elif held and _can_join(held.text, words):
            held = held._replace(text=f"{held.text} {words}")
        else:
            if held:
                yield held
            held = TextLine(words, heading, lead_in, is_bullet, before=_clean(before))
        before = one
    if held:
        yield held


def _can_join(text: str, words: str) -> bool:
    if len(text) + len(words) >= MAX_LINE_CHARS:
        return False
    if begins_fix(words) and explicit_kind(text) == "lesson":
        return True
    return not (_names_kind(words) or _names_kind(text))
