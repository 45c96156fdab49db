"""What the secrets of well-known services look like.

Each shape starts with one of its leads, so that a search for the lead finds every place worth a closer look.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of secret, as its issuer documents it."""

    kind: str
    leads: tuple[str, ...]
    """What it begins with, case included."""
    source: str
    """Its pattern, matched where a lead was found; the first group is the secret."""
    has_digit: bool
    """A match without a digit is a word."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when it is first needed, for most texts hold no lead; `re` keeps it."""
        return re.compile(self.source, re.ASCII)


@dataclass(frozen=True, slots=True)
class Family:
    """Shapes that share a trait which ordinary text rarely has."""

    trait: re.Pattern[str]
    """Begins with one literal and rare character, so that a search for it runs at the speed of memory."""
    shapes: tuple[Shape, ...]


_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
"""No letter before it, but for that of an escape such as `\\n` in JSON."""


def _shape(kind: str, leads: str, pattern: str, *, has_digit: bool = True) -> Shape:
    return Shape(kind, tuple(leads.split()), _START + rf"({pattern})", has_digit)


_ENDS = r"(?![A-Za-z0-9])"

FAMILIES: tuple[Family, ...] = (
    Family(
        re.compile(
            r"_(?=[A-Za-z0-9]{16})(?:(?<=gh[pousr]_)|(?<=github_pat_)|(?<=[sr]k_live_)|(?<=[sr]k_test_)|(?<=whsec_)|(?<=npm_)|(?<=hf_)"
            r"|(?<=do[opr]_v1_))"
        ),
        (
            _shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{20,255}+"),
            _shape("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,255}+"),
            _shape("stripe-key", "sk_ rk_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}+"),
            _shape("stripe-key", "whsec_", r"whsec_[A-Za-z0-9]{20,255}+"),
            _shape("npm-token", "npm_", rf"npm_[A-Za-z0-9]{{30,64}}+{_ENDS}"),
            _shape("huggingface-token", "hf_", rf"hf_[A-Za-z0-9]{{30,64}}+{_ENDS}", has_digit=False),
            _shape("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rf"do[opr]_v1_[a-f0-9]{{40,64}}+{_ENDS}"),
        ),
    ),
    Family(
        re.compile(r"-(?:(?<=sk-)|(?<=glpat-)|(?<=xox[abeoprs]-)|(?<=xapp-)|(?<=GOCSPX-)|(?<=pypi-))[A-Za-z0-9_-]{10}"),
        (
            _shape("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{16,300}+"),
            _shape("openai-key", "sk-", r"sk-(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{16,300}+"),
            _shape("openai-key", "sk-", r"sk-[A-Za-z0-9]{20,200}+"),
            _shape("gitlab-token", "glpat-", r"glpat-[A-Za-z0-9_-]{16,255}+"),
            _shape("slack-token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{12,255}+"),
            _shape("slack-token", "xapp-", r"xapp-\d-[A-Za-z0-9-]{12,255}+"),
            _shape("google-oauth", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,64}+", has_digit=False),
            _shape("pypi-token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{40,512}+", has_digit=False),
        ),
    ),
    Family(
        re.compile(r"\.(?:eyJ|slack\.com/|(?<=ya29\.)|(?<=SG\.))"),
        (
            _shape("jwt", "eyJ", r"eyJ[A-Za-z0-9_-]{10,8192}+\.eyJ[A-Za-z0-9_-]{4,8192}+(?:\.[A-Za-z0-9_-]{0,8192}+)?"),
            _shape("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/[a-z]{1,12}/[A-Za-z0-9+/_-]{20,255}+"),
            _shape("google-oauth", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,1024}+"),
            _shape("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{16,64}+\.[A-Za-z0-9_-]{20,128}+", has_digit=False),
        ),
    ),
    Family(
        re.compile(r"A(?:KIA|SIA|Iza)[A-Za-z0-9_-]{16}"),
        (
            _shape("aws-access-key", "AKIA ASIA", rf"(?:AKIA|ASIA)[A-Z0-9]{{16}}{_ENDS}", has_digit=False),
            _shape("google-api-key", "AIza", r"AIza[A-Za-z0-9_-]{30,45}+"),
        ),
    ),
    Family(re.compile(r"S(?=K[0-9a-f]{32})"), (_shape("twilio-key", "SK", rf"SK[0-9a-f]{{32}}{_ENDS}"),)),
)
