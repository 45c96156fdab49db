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
    before: int = 0
    """Characters of the match that stand before the lead."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when it is first needed, for most texts hold no lead; `re` keeps it."""
        return re.compile(self.source, re.ASCII)


@dataclass(frozen=True, slots=True)
class Family:
    """Shapes that share a trait which ordinary text rarely has."""

    trait: re.Pattern[str] | None
    """Begins with one literal and rare character, so that a search for it runs at the speed of memory; None where the
    leads are rare themselves."""
    shapes: tuple[Shape, ...]


CUT_KEY = (
    r"(?:(?:\s|\\{1,4}[nrt]|[\"'`+,>|→*#]|\d{1,6}→|[A-Za-z-]{4,20}: [^\n\\]{1,80}(?=\n|\\)){0,24}+"
    r"[A-Za-z0-9+/=]{16,}+)+"
    r"(?:(?:\r?\n|\\{1,4}[nrt]){1,4}+[+>| \t]{0,8}(?:\d{1,6}→)?[A-Za-z0-9+/]{1,80}+(?:={1,2}|(?=[\"'`]|\s*$))"
    r"| (?=[a-z]{0,15}[A-Z0-9+/])[A-Za-z0-9+/]{1,15}+(?=…?[\"'`\n\\]|…?\s*$|…))?"
)
"""The lines of a private key as far as they go, wherever they were cut off."""
_IN_BASE_64 = (
    r"LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFUR|BQUklWQVRF|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVE|BFTkNSWVBURUQgUFJJVkFUR)"
    r"[A-Za-z0-9+/=]{16,20000}+"
)
"""`-----BEGIN … PRIVATE` once more encoded."""
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=\\u[0-9A-Fa-f]{4}))"
"""No letter before it, but for that of an escape such as `\\n` in JSON."""
_ENDS = r"(?![A-Za-z0-9])"
_QUOTE = r"\\{0,15}[\"']?"
_OPTIONS = r"(?:[ ][^\s|;&]{1,80}){0,8}?"
_WORD = r"(?![$<{*%])([^\s\"'`$<>{}|;\\]{6,128}+)"
"""A value on a command line that is no variable and no place to fill in."""


def _shape(kind: str, leads: str, pattern: str, *, has_digit: bool = True) -> Shape:
    return Shape(kind, tuple(leads.split()), _START + rf"({pattern})", has_digit)


def _beside(kind: str, leads: tuple[str, ...], pattern: str, *, has_digit: bool = True, before: int = 0) -> Shape:
    """A secret known by what stands beside it; the first group of the pattern is the secret."""
    return Shape(kind, leads, pattern, has_digit, before)


FAMILIES: tuple[Family, ...] = (
    Family(
        re.compile(
            r"_(?=[A-Za-z0-9_-]{16})(?:(?<=gh[pousr]_)|(?<=[sr]k_live_)|(?<=[sr]k_test_)|(?<=whsec_)|(?<=do[opr]_v1_)"
            r"|(?<=(?:hf|r8)_)|(?<=(?:npm|gsk|sbp|ntn|_pw)_)|(?<=(?:_pat|_api|_tkn|glsa|figd)_)"
            r"|(?<=shp(?:at|ca|pa|ss)_)|(?<=sntry[su]_)|(?<=ygems_))"
        ),
        (
            _shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{20,255}+"),
            _shape("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,255}+"),
            _shape("stripe-key", "sk_ rk_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}+"),
            _shape("stripe-key", "whsec_", r"whsec_[A-Za-z0-9]{20,255}+"),
            _shape("npm-token", "npm_", rf"npm_[A-Za-z0-9]{{20,64}}+{_ENDS}"),
            _shape("huggingface-token", "hf_", rf"hf_[A-Za-z0-9]{{24,64}}+{_ENDS}", has_digit=False),
            _shape("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rf"do[opr]_v1_[a-f0-9]{{40,64}}+{_ENDS}"),
            _shape("docker-token", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,64}+"),
            _shape("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{32,64}+"),
            _shape("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{32,96}+"),
            _shape("replicate-token", "r8_", r"r8_[A-Za-z0-9]{24,64}+"),
            _shape("supabase-token", "sbp_", r"sbp_[0-9a-f]{30,64}+"),
            _shape("notion-token", "ntn_", r"ntn_[A-Za-z0-9]{30,64}+"),
            _shape("linear-key", "lin_api_", r"lin_api_[A-Za-z0-9]{24,64}+"),
            _shape("grafana-token", "glsa_", r"glsa_[A-Za-z0-9]{24,40}+(?:_[0-9a-f]{8})?"),
            _shape("figma-token", "figd_", r"figd_[A-Za-z0-9_-]{24,64}+"),
            _shape("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|api)_[A-Za-z0-9_.=-]{24,80}+"),
            _shape("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{24,64}+"),
            _shape("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_-]{40,300}+"),
        ),
    ),
    Family(
        re.compile(
            r"-(?:(?<=(?:sk|x[abeoprs]|at|tt|bt|mt|gt|dt|rt|ft|pp|pi|lx|AK|PX|tp|sp|ai|ul|ey|ib|EY)-)"
            r"(?=[A-Za-z0-9_-]{10})"
            r"(?:(?<=sk-)|(?<=xox[abeoprs]-)|(?<=gl(?:pat|ptt|cbt|imt|agt)-)|(?<=gl[drf]t-)"
            r"|(?<=(?:xapp|pypi|pplx|NRAK|PMAK)-)|(?<=(?:GOCSPX|sq0atp|sq0csp)-)|(?<=xai-)|(?<=pul-)"
            r"|(?<=key-)[0-9a-f]{32}|(?<=xkeysib-)|(?<=xsmtpsib-)|(?<=SECRET-KEY-))"
            r"|us\d(?<=[0-9a-f]{8}-us\d)|u (?<= -u )|-user[ =]|Signature=|MAC: |Lines: \d|key-data|p(?<=sshpass -p)"
            r"|(?<=login -)|p(?<= -p)[^\s-]{0,40}\d)"
        ),
        (
            _shape("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{16,300}+"),
            _shape("openai-key", "sk-", r"sk-(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{16,300}+"),
            _shape("openai-key", "sk-", r"sk-[A-Za-z0-9]{20,200}+"),
            _shape("gitlab-token", "gl", r"gl(?:pat|ptt|cbt|imt|agt|dt|rt|ft)-[A-Za-z0-9_-]{16,255}+"),
            _shape("slack-token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{12,255}+"),
            _shape("slack-token", "xapp-", r"xapp-\d-[A-Za-z0-9-]{12,255}+"),
            _shape("google-oauth", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,64}+", has_digit=False),
            _shape("pypi-token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{40,512}+", has_digit=False),
            _shape("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{32,96}+"),
            _shape("xai-key", "xai-", r"xai-[A-Za-z0-9]{40,160}+"),
            _shape("mailgun-key", "key-", rf"key-[0-9a-f]{{32}}{_ENDS}"),
            _shape("brevo-key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[0-9a-f]{40,80}+(?:-[A-Za-z0-9]{1,32}+)?"),
            _shape("new-relic-key", "NRAK-", rf"NRAK-[A-Z0-9]{{20,32}}+{_ENDS}"),
            _shape("postman-key", "PMAK-", r"PMAK-[0-9a-f]{16,24}+(?:-[0-9a-f]{1,40}+)?"),
            _shape("pulumi-token", "pul-", rf"pul-[0-9a-f]{{40}}{_ENDS}"),
            _shape("square-token", "sq0atp- sq0csp-", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{20,64}+"),
            _shape("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{30,64}+"),
            _beside("mailchimp-key", ("-us",), rf"{_START}([0-9a-f]{{32}}-us\d{{1,2}}){_ENDS}", before=32),
            _beside("signature", ("-Signature=",), r"-Signature=([0-9a-f]{32,1024}+)"),
            _beside(
                "private-key",
                ("client-key-data",),
                rf"client-key-data{_QUOTE}: {{0,4}}{_QUOTE}([A-Za-z0-9+/=]{{40,20000}}+)",
            ),
            _beside("private-key", ("Private-MAC: ",), r"Private-MAC: ([0-9a-f]{40,64}+)"),
            _beside("private-key", ("Private-Lines: ",), rf"Private-Lines: \d{{1,3}}({CUT_KEY})"),
            _beside(
                "password",
                ("-u ", "--user ", "--user="),
                rf"(?<![\w-])--?u(?:ser)?[ =][\"']?[\w.@-]{{1,64}}:(?=\S*[a-z]){_WORD}",
            ),
            _beside("password", ("sshpass -p",), rf"sshpass -p ?[\"']?{_WORD}"),
            _beside("password", ("mysql", "mariadb"), rf"m[a-z]{{4,12}}{_OPTIONS} -p[\"']?(?=\S*[a-z]){_WORD}"),
            _beside("password", ("login -",), rf"login{_OPTIONS} -p[ ][\"']?{_WORD}"),
        ),
    ),
    Family(
        re.compile(
            r"\.(?:eyJ|slack\.com/|office\.com/webhookb2/|com/api/webhooks/\d|atlasv1\.|(?<=ya29\.)|(?<=SG\.)"
            r"|(?<=hv[sbr]\.)|(?<=dp\.)(?:pt|st|ct|sa)\.|(?=[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20})(?<=[A-Za-z0-9]{23}\.))"
        ),
        (
            _shape("jwt", "eyJ", r"eyJ[A-Za-z0-9_-]{10,8192}+\.eyJ[A-Za-z0-9_-]{4,8192}+(?:\.[A-Za-z0-9_-]{0,8192}+)?"),
            _shape("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/[a-z]{1,12}/[A-Za-z0-9+/_-]{20,255}+"),
            _shape("teams-webhook", "webhook.office.com/", r"webhook\.office\.com/webhookb2/[A-Za-z0-9@/_-]{20,400}+"),
            _shape(
                "discord-webhook",
                "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
                r"discord(?:app)?\.com/api/webhooks/\d{10,24}/[A-Za-z0-9_-]{20,128}+",
            ),
            _shape("google-oauth", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,1024}+"),
            _shape("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{16,64}+\.[A-Za-z0-9_-]{20,128}+", has_digit=False),
            _shape("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{20,300}+"),
            _shape("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{24,64}+"),
            _shape("discord-token", "M N O", r"[MNO][A-Za-z0-9]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20,64}+"),
            _beside(
                "terraform-token",
                (".atlasv1.",),
                rf"{_START}([A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{24,128}}+)",
                before=14,
            ),
        ),
    ),
    Family(
        re.compile(
            r"A(?:(?:KIA|SIA|Iza)[A-Za-z0-9_-]{8}|TATT3|A(?:(?<=\d:AA)|(?<=EAA)(?<![A-Za-z0-9+]EAA)[A-Za-z0-9]{60})[A-Za-z0-9_-]{20})"
        ),
        (
            _shape("aws-access-key", "AKIA ASIA", rf"(?:AKIA|ASIA)[A-Z0-9]{{16}}{_ENDS}", has_digit=False),
            _shape("google-api-key", "AIza", r"AIza[A-Za-z0-9_-]{20,45}+"),
            _shape("atlassian-token", "ATATT3", r"ATATT3[A-Za-z0-9_=-]{40,400}+"),
            _shape("facebook-token", "EAA", r"EAA[A-Za-z0-9]{80,400}+"),
            _beside("telegram-token", (":AA",), r"(?<=\d{8}):(AA[A-Za-z0-9_-]{24,40}+)"),
        ),
    ),
    Family(
        re.compile(r"S(?:(?=K[0-9a-f]{32})|0tLS1CRUdJTi)"),
        (
            _shape("twilio-key", "SK", rf"SK[0-9a-f]{{32}}{_ENDS}"),
            _shape("private-key", "LS0tLS1CRUdJTi", _IN_BASE_64, has_digit=False),
        ),
    ),
    Family(
        re.compile(r"~(?<=\dQ~)"),
        (
            _beside(
                "azure-secret",
                ("Q~",),
                rf"{_START}([A-Za-z0-9_~.-]{{3}}\dQ~[A-Za-z0-9_~.-]{{20,40}}+)",
                before=4,
            ),
        ),
    ),
    Family(
        None,
        (
            _shape("databricks-token", "dapi", rf"dapi[0-9a-f]{{32}}(?:-\d)?{_ENDS}"),
            _shape("google-oauth", "1//0", r"1//0[A-Za-z0-9_-]{30,200}+"),
            _beside("signature", ("sig=",), r"(?<=[?&;6])sig=([A-Za-z0-9%+/_=-]{30,200}+)"),
            _beside(
                "docker-auth",
                ('"auth',),
                rf"\"auth{_QUOTE}\s{{0,4}}:\s{{0,4}}{_QUOTE}([A-Za-z0-9+/]{{16,400}}+={{0,2}})(?=\\{{0,7}}\")",
            ),
        ),
    ),
)
