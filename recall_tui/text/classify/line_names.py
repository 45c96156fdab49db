"""Names in the lines of a report: those of code, and those that people meet who use the project.

A line that has names of code alone tells of the inside of the project, which changes often.
"""

from __future__ import annotations

import re

from recall_tui.text.classify.generic_words import TYPES_AND_TOOLS
from recall_tui.text.classify.lasting import gives_reason

IDENTIFIER = re.compile(
    r"`([^`]+)`|(?<![\w`])(--[a-z][\w-]+)"
    r"|\b([a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z]+_\w+|[a-z]+-[a-z]+(?:-[a-z]+)*)\b"
)
_QUALIFIER = re.compile(r"[\s/.:=]+")
_LITERAL = re.compile(
    r"`([^`]+)`|\"([^\"]{2,120})\"|(?<![\w`])(--[a-z][\w-]+)|\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b"
    r"|(?<![\w/])(\.[a-z][\w-]+(?:/[\w.-]+)*)|\bv?(\d+(?:\.\d+)+)\b|\b(\d+\s?(?:ms|s|m|h|minutes?|hours?|days?|%"
    r"|[KMG]B))\b"
)
_INNER_NAME = re.compile(
    r"\.(?:go|py|ts|js|rs|java|rb|c|h|cpp|tsx|jsx|kt|swift|php|cs)\b|\(|^[a-z]+[A-Z]|^[A-Z][a-z0-9]+[A-Z]|\w\.[A-Z]"
    r"|_[a-z]|^[A-Za-z][a-z]*$|:=|//|^\*|\[\]"
)
"""A name of code, or of a file of code; what a person meets who uses the project looks otherwise."""
_USER_NAME = re.compile(
    r"(?:fatal|error|warning|panic): |--|\.|[a-z][\w-]* \S|[A-Z0-9_]{4,}$|\d|[a-z][\w-]*(?:[./:-][\w.<>*-]+)+$|<"
)
_MESSAGE = re.compile(r"[A-Z][\w']* \w")
"""Words that a program says to a person."""
_CODE = re.compile(r"`([^`]+)`|\b([a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[a-z]+_\w+)\b")
_CODE_NAME = re.compile(r"\w[A-Z]|_|\(|\.\w")
_REMOVAL = re.compile(r"\b(?:removed?|deleted?|dropped)\b", re.IGNORECASE)
_WORDING = re.compile(
    r"\b(?:message|warning|prompt|text|wording|label)s? (?:was |is |has been )?(?:now |also )*(?:changed|reworded|says?"
    r"|includes?|mentions?|reads)\b|\bshows? \"[^\"]+\" instead of \"|\bline only appears\b"
    r"|^(?:update|change|reword|improve)d? (?:[\w-]+ ){0,4}(?:message|wording|text)s?\b",
    re.IGNORECASE,
)
"""A change of the words in which a program says something."""

_PRODUCTS = frozenset(
    """
    AirTable BigQuery BitBucket ChatGPT CircleCI ClickHouse CloudFlare CloudFront CloudWatch CockroachDB ConvertKit
    CouchDB DataDog DigitalOcean DocuSign DuckDB DynamoDB ElasticSearch FastAPI FreeBSD GraphQL HubSpot InfluxDB
    JetBrains LangChain LaTeX LevelDB LinkedIn MailChimp MariaDB MongoDB MySQL NestJS NextJS NixOS NodeJS NoSQL
    NuGet NumPy OpenAI OpenAPI OpenGL OpenID OpenSearch OpenShift OpenSSL OpenTelemetry PagerDuty PayPal PostgREST
    PostgreSQL PowerShell PyPI PyTorch QuestDB RabbitMQ RocksDB SageMaker SendGrid ServiceNow SurrealDB SvelteKit
    TensorFlow TikTok TimescaleDB TypeORM VuePress WebAssembly WebGL WebRTC WebSocket WebSockets WhatsApp WordPress
    YouTube gRPC iCloud iOS iPad iPhone
    """.split()  # noqa: SIM905
)
"""Names of products and standards that are written as names of code are."""
_SAME = re.compile(
    r"\b(?:the )?same (?:logic|behaviou?r|checks?|output|result) (?:as|that|(?:\w+ ){1,3}(?:was|were|is|had))\b",
    re.IGNORECASE,
)
"""Words that say that nothing is otherwise than before."""
_EDIT_VERB = re.compile(r"\b(?:added|updated|removed|extracted|renamed|changed|created|moved)\b", re.IGNORECASE)
_MAX_EDITS = 2
_ENUMERATION = re.compile(r"\b(?:added|removed|updated|moved) (?:`[^`]+`, (?:and )?){2,}`[^`]+`", re.IGNORECASE)
"""Three names or more that were added to a list."""
_OPTION_ONLY = re.compile(r"(?:switched|changed|moved) to (?:the )?`-{1,2}[\w-]+`", re.IGNORECASE)
"""An option, and not of which command."""


def names_of(text: str) -> frozenset[str]:
    """Return the names of parts of the project that a line has, in lower case, whole and in their longer parts."""
    found: set[str] = set()
    for match in IDENTIFIER.finditer(text):
        name = re.sub(r"\(.*\)", "", next(filter(None, match.groups())).lower())
        found |= {name, *(part for part in _QUALIFIER.split(name) if len(part) >= 8 or "_" in part or "-" in part)}
    return frozenset(found)


def names_for_users(text: str) -> list[str]:
    """Return names and values that users of the project meet: commands, options, settings, messages, quantities."""
    found = ((next(filter(None, match.groups())), bool(match[2])) for match in _LITERAL.finditer(text))
    return [
        name
        for name, is_said in found
        if (is_said and _MESSAGE.match(name)) or (_USER_NAME.match(name) and not _INNER_NAME.search(name))
    ]


def mentions_removal(text: str) -> bool:
    """Return whether a line says that something is gone."""
    return bool(_REMOVAL.search(text))


def is_detail(text: str) -> bool:
    """Return whether a line tells of the inside of the code, or how a message is worded: of what changes often."""
    if is_wording(text):
        return True
    names = (found[1] or found[2] for found in _CODE.finditer(text))
    is_inner = any(
        _CODE_NAME.search(name) and name.lower() not in TYPES_AND_TOOLS and name not in _PRODUCTS for name in names
    )
    return is_inner and not names_for_users(text) and not mentions_removal(text)


def is_wording(text: str) -> bool:
    """Return whether a line tells how a message is worded."""
    return bool(_WORDING.search(text))


def is_inner_edit(text: str) -> bool:
    """Return whether a line lists edits, says that nothing changed, or has no command."""
    is_list = len(_EDIT_VERB.findall(text)) > _MAX_EDITS or bool(_ENUMERATION.search(text))
    return (is_list and not gives_reason(text)) or bool(_SAME.search(text)) or bool(_OPTION_ONLY.match(text))
