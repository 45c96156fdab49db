"""A session's title from its stored title or the words that it began with.

A greeting, a bare command, an id or the heading of a pasted plan names nothing; the plan's own title does. A request
that could be made of any project, such as `Fix lint errors`, is followed by its branch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.lazy_pattern import lazy_pattern

MAX_TITLE_CHARS = 90
_MAX_READ_CHARS = 4_000
_MAX_SENTENCES = 3
"""Sentences of a prompt to look at; a request comes early."""
_MIN_WORDS = 3

PLAN_PROMPT = lazy_pattern(r"\s*(?:please )?implement the following plan:?\s*", re.IGNORECASE)
PLAN_SECTION = lazy_pattern(
    r"(?:context|overview|summary|background|goals?|problem|plan|approach|changes)\W*$", re.IGNORECASE
)
"""A heading of a plan that is not its title."""
PREFIX = lazy_pattern(r"^(?:implementation )?plan\s*[:—–-]\s*|^(?:\w+(?:\([^)]*\))?!?):\s+(?=\S)", re.IGNORECASE)
"""The prefix of a plan's title or a commit's subject, such as `Plan:` or `fix(api):`."""
GENERIC = lazy_pattern(
    r"^(?:look(?:ing)? (?:at|into|through)|take a look|have a look|check|read|review this|see|continue"
    r"|resume|go (?:on|back)|do it|fix (?:it|this)|help|start|yes|no|one more|do (?:it|this|that)|show|explain|tell"
    r"|give|link|hi|hello|test|warmup|i got|i've noticed|here(?:'s| is)|okay|implement (?:the|this)|when running"
    r"|commit|push)\b",
    re.IGNORECASE,
)
"""The beginning of a request that says little about its subject."""
ASKING = lazy_pattern(r"(?:explain|tell|show|describe)\b", re.IGNORECASE)
"""The beginning of a request to be told something: all that a session may be about."""
_POLITE = lazy_pattern(
    r"^(?:(?:hi|hey|hello|ok|okay|so|now|thanks|great|please|and|also|yes|yeah|alright|right|like)[,!.:\s]+)*"
    r"(?:(?:could|can|would|will) (?:you|we) (?:please |also |just |maybe )*"
    r"|please |i(?:'d| would) like (?:you |us )?to |i (?:want|need) (?:you |us )?to |i think (?:we|you) should "
    r"|let's (?:also |just )?|we (?:need|want|should|have) (?:to )?(?:also )?|help me (?:to )?)*",
    re.IGNORECASE,
)
_GREETING = lazy_pattern(
    r"\W*(?:hi|hiya|hey|hello|hallo|greetings|howdy|yo|good (?:morning|afternoon|evening|day))\b"
    r"(?:\W+(?:there|again|hi|hey|hello|good|morning|afternoon|evening|day|my|dear|old|friends?|of|mine|folks|mate|buddy"
    r"|pal|everyone|everybody|all|team|claude|codex|gemini|copilot|assistant|and|how|how's|what's|are|is|you|it|up|doing"
    r"|going|today|nice|to|see|meet))*\W*",
    re.IGNORECASE,
)
"""A sentence that only greets, which asks for nothing."""
MARKS = lazy_pattern(r"^[^\w`\"'«“<(\[/]+")
"""Signs of lists and of a shell, in front of a request."""
_AFTER_GENERIC = lazy_pattern(r"(?:\band\b|[,;:–—-]\s|\s[\"“](?=\w)(?=[^\"”]*[\"”]?[.!?]?$))\s*(?:then |also )?(?=\w)")
"""The end of what says little; a quotation is the request if nothing follows it."""
_EMPTY_TITLE = lazy_pattern(
    r"(?:hi|hey|hello|hallo|ok(?:ay)?|yes|no|thanks|test|warmup|continue|untitled|new (?:chat|session|conversation)"
    r"|no prompt|session)?[\s.!?…]*$|(?:please )?implement the following plan\b|/[\w:-]+$|<[a-z]|\[request interrupted"
    r"|caveat:|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$|(?:conversation|archive-log)[ -]\d+$|Session [0-9a-f]{8}$",
    re.IGNORECASE,
)
_NOT_A_REQUEST = lazy_pattern(r"\s*(?:<[a-z]+-[a-z-]+>|\[image|\[request interrupted|caveat:)", re.IGNORECASE)
_QUESTION = lazy_pattern(
    r"\b(?:what|why|how|where|when|who|which|is|are|was|were|does|did|do|has|have|should|any)\b", re.IGNORECASE
)
_HEADING = lazy_pattern(r"^#{1,3}\s+(.+)$", re.MULTILINE)
_SPACE_BEFORE_MARK = lazy_pattern(r"\s+(?=[?？]$)")
_LABEL = lazy_pattern(
    r"^(?:(?:first|second|next|another|new|one more) )?(?:problem|issue|question|debug|task|bug|decision)\s*:\s+",
    re.IGNORECASE,
)
"""The label in front of a request."""
_NAME_OF_CODE = lazy_pattern(r"\w+[._/:]\w")
"""The beginning of a title that is not capitalized."""
_SUBJECT = lazy_pattern(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d{2,}")
_IDENTIFIER = lazy_pattern(r"\w*[a-z][A-Z]\w*|\w+_\w+|\w+\.\w{1,6}\b")
_COMMIT = lazy_pattern(r"\b(?=\w*\d)[0-9a-f]{7,40}\b")
_VAGUE_WORD_LIST = """
a about above add added address again all also an and another any anything are as at back be been both branch bug bugs
but by can change changed changes check code comment comments commit committed create did do does doing don't effort
error errors failing feedback file files first fix fixed fixes following for from get go got had has have haven't here
how i i'd i'm i've if implement implementation implemented improve in into is issue issues it it's its just know last
let let's lint little look made main make me message more moved my need new next no not now of on one ones open or our
out plan please pr problem problems prs push quickly quite raised reason refactor refactored remove removed represents
request respond review reviews run second see show since so some something step task tell test tests than that that's
the their them then there there's these they thing things this those to together too try two up update updated us use
valid want was we what what's when where which why will with work working works would you your
"""
_VAGUE_WORDS = frozenset(_VAGUE_WORD_LIST.split())
"""Words that say nothing about the subject of a session."""
_MIN_SUBJECT_WORDS = 2
_MIN_WHOLE_WORDS = 5
"""Words about its subject with which a request says enough, however it begins."""
_SHARED_BRANCHES = frozenset(("main", "master", "develop", "development", "dev", "trunk", "head", "temp", "tmp", "wip"))
_DATE_PREFIX = lazy_pattern(r"^\d{6,8}[-_]")


def is_telling(title: str) -> bool:
    """Return whether a title names its session: no greeting, id, bare command or heading of a pasted plan."""
    return not _EMPTY_TITLE.match(one_line(title))


def is_vague(title: str) -> bool:
    """Return whether a title could stand for a session about anything: `Fix lint errors`, `Add one more thing`."""
    return title.isascii() and _subject_size(title) < _MIN_SUBJECT_WORDS


def session_title(stored: str, prompts: Iterable[str], branch: str = "") -> str:
    """Return the stored title if it is telling, else the first real request, condensed; empty when there is none.

    `prompts` are the session's first ones, in order; no more of them are taken than needed. A vague request gives way
    to a later one, or is followed by the branch.
    """
    if stored.strip() and is_telling(stored):
        return one_line(strip_controls(stored))
    fallback = vague = ""
    for prompt in prompts:
        text = strip_controls(prompt[:_MAX_READ_CHARS])
        if _NOT_A_REQUEST.match(text) or _GREETING.fullmatch(text):
            continue
        found = [title] if (title := _plan_title(text)) else list(requests_in(text))
        if title := next((one for one in found if not is_vague(one)), ""):
            return shorten(capitalize(title), MAX_TITLE_CHARS)
        vague = vague or next(iter(found), "")
        words = strip_request(text)
        fallback = fallback or (words if is_telling(words) else "")
    return shorten(with_branch(capitalize(vague or fallback), branch), MAX_TITLE_CHARS)


def with_branch(title: str, branch: str) -> str:
    """Return a vague title with the last part of its branch's name, unless others share that branch."""
    name = _DATE_PREFIX.sub("", one_line(strip_controls(branch)).rpartition("/")[2])
    is_shared = name.casefold() in _SHARED_BRANCHES or not any(char.isalpha() for char in name)
    return title if is_shared or not title or not is_vague(title) else f"{title} ({name})"


def strip_label(text: str) -> str:
    """Return a line without the label in front of it, such as `Decision:`."""
    return _LABEL.sub("", text)


def strip_request(text: str) -> str:
    """Return a request on one line, without list marks and politeness."""
    return MARKS.sub("", _POLITE.sub("", _LABEL.sub("", MARKS.sub("", one_line(text)))))


def requests_in(text: str, strip: Callable[[str], str] = strip_request) -> Iterator[str]:
    """Yield the requests in a prompt, without politeness; of `look at this and do that` the second part."""
    from recall_tui.text.classify.imperatives import is_imperative
    from recall_tui.text.classify.summary import strip_banner
    from recall_tui.text.sentences import split_sentences

    for sentence in split_sentences(strip_controls(strip_banner(text)))[:_MAX_SENTENCES]:
        if _GREETING.fullmatch(sentence):
            continue
        words = strip(sentence)
        if GENERIC.match(words) and (rest := _AFTER_GENERIC.search(words)):
            after = strip(words[rest.end() :])
            # `explain the login and the store` is one request, of which `the store` says nothing.
            is_whole = (ASKING.match(words) and not is_imperative(after)) or is_vague(after)
            words = words if is_whole else after
        is_long = len(words.split()) >= _MIN_WORDS or not words.isascii()
        is_generic = GENERIC.match(words) and not ASKING.match(words) and _subject_size(words) < _MIN_WHOLE_WORDS
        is_aside = words.startswith("(") and words.endswith(")")
        if words and is_long and not is_generic and not is_aside and not _EMPTY_TITLE.match(words):
            yield words


def capitalize(text: str) -> str:
    """Return a title with a capital letter and without a full stop, or the mark of what is no question.

    The name of a file or an identifier keeps its own first letter; what is left of a polite question is a request.
    """
    is_question = _QUESTION.search(text) and not ASKING.match(text)
    ended = _SPACE_BEFORE_MARK.sub("", text.rstrip(".!: ")) if is_question else text.rstrip(".!:?？ ")
    return ended if _NAME_OF_CODE.match(ended) else ended[:1].upper() + ended[1:]


def _subject_size(title: str) -> int:
    """Count the different words that name a subject; an identifier counts as two."""
    names = {name for name in _IDENTIFIER.findall(title) if not _COMMIT.fullmatch(name)}
    words = {word for word in _SUBJECT.findall(_COMMIT.sub(" ", title).lower()) if word not in _VAGUE_WORDS}
    return len(words) + len(names)


def _plan_title(text: str) -> str:
    """Return the title of a plan that was pasted to be implemented; empty for any other prompt."""
    if (start := PLAN_PROMPT.match(text)) is None:
        return ""
    plan = text[start.end() :]
    headings = (one_line(heading) for heading in _HEADING.findall(plan))
    title = next((heading for heading in headings if not PLAN_SECTION.match(heading)), "")
    return PREFIX.sub("", title).strip() or next(requests_in(plan), "")
