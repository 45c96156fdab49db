"""Find secrets by their issuer's prefix: `nvapi-…`, `jina_…`, `FLWSECK_TEST-…`.

The prefixes are documented by their issuers and listed by scanners such as gitleaks, Nosey Parker and secretlint. The
text after an unknown prefix is a secret when it is long and a random mix of capitals, lower case and digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.value_positions import is_random_word
from recall_tui.text.secrets.values import entropy, is_irregular, is_random_body
from recall_tui.text.secrets.word_lists import HARMLESS_PREFIXES, INFIX_WORDS
from recall_tui.text.secrets.wrapped_values import wrapped_end

ISSUER_PREFIX = lazy_pattern(
    r"_(?:(?<=hf_)(?=[A-Za-z0-9]{24})"
    r"|(?=[A-Za-z]{16})(?:(?<=tk_)(?<![A-Za-z0-9]tk_)[a-z]{29}|(?=[A-Z]{0,15}[a-z])(?=[a-z]{0,15}[A-Z]))"
    r"|(?=[A-Za-z0-9+/_-]{16})(?=[A-Za-z+/_-]{0,40}\d)(?<!toolu_)(?<!msg_)(?<!req_)(?<!call_))"
)
DASH_PREFIX = lazy_pattern(
    r"-(?=[A-Za-z0-9_+/-]{16})(?=[A-Za-z+/_-]{0,24}\d|(?=[A-Za-z]{16})[A-Z]{0,15}[a-z]{1,15}[A-Z])"
    r"(?<![-:]-)(?<![0-9a-f]{4}-)"
)
_KINDS = {
    "xaat": "axiom-token", "xapt": "axiom-token",
    "nvapi": "nvidia-key", "jina": "jina-key", "pcsk": "pinecone-key", "tvly": "tavily-key", "fc": "firecrawl-key",
    "nfp": "netlify-token", "nfc": "netlify-token", "nfo": "netlify-token", "nfu": "netlify-token",
    "ccipat": "circleci-token", "cciprj": "circleci-token", "squ": "sonar-token", "sqp": "sonar-token",
    "sqa": "sonar-token", "p8e": "adobe-secret", "clojars": "clojars-token", "ico": "infracost-key",
    "fio": "frameio-token", "rdme": "readme-key", "shippo": "shippo-key", "sgp": "sourcegraph-token",
    "pnu": "prefect-key", "pnb": "prefect-key", "tfp": "typeform-token", "lin": "linear-key", "hrku": "heroku-key",
    "glc": "grafana-token", "glsa": "grafana-token", "ops": "onepassword-token", "phx": "posthog-key",
    "phs": "posthog-key", "tskey": "tailscale-key", "csk": "cerebras-key", "fw": "fireworks-key", "tgp": "together-key",
    "rpa": "runpod-key", "vck": "vercel-token", "vcp": "vercel-token", "vca": "vercel-token", "rnd": "render-key",
    "napi": "neon-key", "nyk": "nylas-key", "rzp": "razorpay-key", "bkua": "buildkite-token",
    "dbtc": "dbt-token", "dbtu": "dbt-token", "hxtp": "hex-token", "waka": "wakatime-key", "cfpat": "contentful-token",
    "nrii": "new-relic-key", "nrjs": "new-relic-key", "nrra": "new-relic-key", "duffel": "duffel-token",
    "flwseck": "flutterwave-key", "pdl": "paddle-key", "apify": "apify-token", "fo1": "fly-token", "fm1r": "fly-token",
    "fm1a": "fly-token", "fm2": "fly-token", "ctx7sk": "context7-key", "y0": "yandex-token", "swmtkn": "docker-token",
    "lsv2": "langsmith-key", "dnkey": "defined-key", "re": "resend-key", "sb": "supabase-key", "glsoat": "gitlab-token",
    "glffct": "gitlab-token", "glagent": "gitlab-token", "gltok": "gitlab-token", "sq0idp": "square-token",
    "dose": "databricks-token", "dkea": "databricks-token", "cal": "cal-key", "pa": "voyage-key", "figu": "figma-token",
    "figo": "figma-token", "zpka": "zuplo-key", "pplx": "perplexity-key", "sdk": "launchdarkly-key",
    "mob": "launchdarkly-key", "live": "api-key", "access": "plaid-token", "pat": "token", "ark": "api-key",
    "api": "api-key", "key": "api-key", "xkeysib": "brevo-key", "vercel": "vercel-token", "ntn": "notion-token",
    "secret": "secret", "oauth": "token", "rk": "stripe-key", "sk": "api-key", "sm": "settlemint-token",
    "tk": "scalingo-token", "scauth": "authress-key", "ext": "authress-key", "sc": "authress-key",
    "authress": "authress-key", "pscale": "planetscale-token", "lob": "lob-key", "test": "api-key", "b": "beamer-token",
    "bb": "api-key", "gsk": "groq-key", "hf": "huggingface-token", "sntryu": "sentry-token", "xoxd": "slack-token",
    "ak": "composio-key", "ajkey": "arcjet-key", "lip": "lichess-token", "lio": "lichess-token",
    "ccdb1": "cockroach-key", "persona": "persona-key",
    "bpk": "builder-key", "e2b": "e2b-key", "aik": "aikido-token", "vci": "vercel-token", "vcr": "vercel-token",
    "ddp": "deno-token", "ddo": "deno-token", "pha": "posthog-key", "phr": "posthog-key",
    "sbp": "supabase-token", "signkey": "inngest-key", "tr": "trigger-key", "dub": "dub-key",
    "slk": "sourcegraph-token", "pmak": "postman-key", "unkey": "unkey-key",
    "dapi": "databricks-token", "shpua": "shopify-token", "prvkey": "api-key", "atlas": "api-key", "mdb": "api-key",
}  # fmt: skip
"""Maps the first word of a prefix to a kind."""


_LONGER = {"os_v2_app": "onesignal-key"}
"""Kinds of full prefixes whose first word is too common."""
_BEFORE_CHARS = 40
_TOKEN_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_BODY = lazy_pattern(r"[A-Za-z0-9_-]{16,}+(?:[.][A-Za-z0-9_-]{16,}+)*=*")
_BASE_64 = lazy_pattern(r"[A-Za-z0-9+/_=-]{16,}+")
_BASE_64_PREFIXES = ("fm2", "fm1r", "fm1a", "ops", "glc", "y0")
_UUID = lazy_pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MIN_RANDOM_CHARS = 30
"""The minimum length of random text that is a secret after any prefix."""
_PIECE = lazy_pattern(r"[A-Za-z0-9]+")

WHOLE_PREFIXES = {"ci": ("cargo-token", "cio"), "cn": ("canva-secret", "cnvca"), "pi": ("databricks-token", "dapi")}
"""Maps the start of a name anchor's match to the kind and the prefix of a token."""
_TOKEN_START = lazy_pattern(
    r"(?:(?<![A-Za-z0-9])(?<![A-Za-z0-9][+/])|(?<=\\[nrt])|(?<=\\[nrt][+])|(?<=\\u[0-9A-Fa-f]{4}))"
)
"""No character before it can belong to the token."""


def issued_secrets(flat: str, joints: re.Pattern[str], first: int) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of each secret with an issuer's prefix, at the joints that the pattern matches."""
    done = 0
    for joint in joints.finditer(flat, first):
        if joint.start() < done:
            continue
        found = _issued_secret(flat, joint.start())
        if found is not None:
            kind, start, end = found
            done = wrapped_end(flat, start, end) or end
            yield kind, start, done


def _issued_secret(flat: str, joint: int) -> tuple[str, int, int] | None:
    start = joint
    lowest = max(0, joint - _BEFORE_CHARS)
    while start > lowest and flat[start - 1] in _TOKEN_CHARS:
        start -= 1
    if flat[start - 1 : start] == "\\" and flat[start] in "nrt":
        start += 1
    words = flat[start:joint].lower().replace("-", "_").split("_")
    if len(words) > 4 or not words[0] or len(words[-1]) > 14 or (start == lowest and start):
        return None
    kind = _KINDS.get(words[0], "") if all(word in INFIX_WORDS or word in _KINDS for word in words[1:]) else ""
    kind = kind or _LONGER.get("_".join(words), "")
    body = (_BASE_64 if words[0] in _BASE_64_PREFIXES else _BODY).match(flat, joint + 1)
    if body is None:
        return None
    if kind and _UUID.fullmatch(body[0]):
        return kind, start, body.end()
    is_common = kind in ("api-key", "token", "secret", "beamer-token", "voyage-key")
    if kind and _is_random(body[0], is_common, may_lack_digits=not is_common and len(words[0]) > 2):
        return kind, start, body.end()
    piece = _PIECE.match(flat, joint + 1)
    if (
        piece
        and len(piece[0]) >= _MIN_RANDOM_CHARS
        and not HARMLESS_PREFIXES.intersection(words)
        and _is_mixed(piece[0])
    ):
        return "token", start, body.end()
    return None


def _is_random(body: str, is_common: bool, *, may_lack_digits: bool) -> bool:
    """Return whether the body looks random; after a common word it must be longer."""
    digits = sum(map(str.isdigit, body))
    least = 24 if is_common else 16
    if len(body) < least or entropy(body[:128]) < 3:
        return False
    if not digits:
        return may_lack_digits and len(body) >= 20 and is_random_body(body)
    if not is_common and digits >= 3 and any(len(piece) >= least for piece in _PIECE.findall(body[:128])):
        return True
    return (digits >= 2 or not is_common) and is_irregular(body[:128])


def _is_mixed(run: str) -> bool:
    digits = sum(map(str.isdigit, run))
    has_both = not run.isupper() and not run.islower()
    return digits >= 2 and has_both and entropy(run[:128]) >= 4 and is_irregular(run[:128])


def whole_token(text: str, place: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """Yield a token whose prefix has no separator."""
    start, end = place.span()
    kind, lead = WHOLE_PREFIXES[place[0][:2]]
    start -= lead.find(place[0][:2])
    if (
        _TOKEN_START.match(text, start)
        and text.startswith(lead, start)
        and (lead == "dapi" or is_random_word(text[start:end]))
    ):
        yield kind, start, end
