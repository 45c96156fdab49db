"""The formats of secrets from well-known services.

Each shape has literal leads, so that searching for a lead finds every candidate.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.commands import OPTION_PATTERN
from recall_tui.text.secrets.private_keys import CUT_KEY_PATTERN


class SecretShape(NamedTuple):
    """A kind of secret, as documented by its issuer."""

    kind: str
    leads: tuple[str, ...]
    """The literals that it starts with, case-sensitive."""
    source: str
    """The pattern, matched where a lead was found; group 1 is the secret."""
    has_digit: bool
    """A match without a digit must look random."""
    before: int = 0
    """The number of characters of the match before the lead."""
    is_beside: bool = False
    """It is recognized by the text next to it."""
    is_long: bool = False
    """It is so long that tools wrap it."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return the compiled pattern, compiled on first use as most texts contain no lead; `re` caches it."""
        return re.compile(self.source, re.ASCII)


class ShapeFamily(NamedTuple):
    """Shapes that share a trait which is rare in ordinary text."""

    trait: re.Pattern[str]
    """Starts with one rare literal character, so that searches run at memory speed."""
    shapes: tuple[SecretShape, ...]
    literals: tuple[str, ...] = ()
    """In lower case, one of them in each text with the trait; empty when any other character may follow its first."""

    @property
    def sign(self) -> str:
        """Return the first character of the trait."""
        return self.trait.pattern.lstrip("\\")[0]


_BASE_64_KEY = (
    r"LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFUR|BQUklWQVRF|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVE|BFTkNSWVBURUQgUFJJVkFUR)"
    r"[A-Za-z0-9+/=]{16,20000}+"
)
"""`-----BEGIN … PRIVATE` in base64."""
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=\\u[0-9A-Fa-f]{4}))"
"""No letter before it, except that of an escape such as a newline in JSON."""
_ENDS = r"(?![A-Za-z0-9])"
_QUOTE = r"\\{0,15}[\"']?"
_WORD = r"(?![$<{*%])([^\s\"'`$<>{}|;\\]{6,128}+)"
"""A value on a command line that is not a variable or a placeholder."""


def _shape(kind: str, leads: str, pattern: str, *, has_digit: bool = True, is_long: bool = False) -> SecretShape:
    return SecretShape(kind, tuple(leads.split()), _START + rf"({pattern})", has_digit, is_long=is_long)


def _shape_near(
    kind: str, leads: tuple[str, ...], pattern: str, *, has_digit: bool = True, before: int = 0
) -> SecretShape:
    """Build the shape of a secret recognized by the text next to it; group 1 of the pattern is the secret."""
    return SecretShape(kind, leads, pattern, has_digit, before, is_beside=True)


_WEB_TOKEN = _shape(
    "jwt",
    "eyJ",
    r"eyJ[A-Za-z0-9_-]{10,}+\.(?:eyJ[A-Za-z0-9_-]{4,}+|[A-Za-z0-9_-]*+)(?:\.[A-Za-z0-9_-]*+){0,3}",
    is_long=True,
)
_AFTER_DASH = (
    r"(?:(?=[A-Za-z0-9_-]{10})"
    r"(?<=(?:sk|x[abeoprs]|at|tt|bt|mt|gt|dt|rt|ft|ct|nt|wt|as|ud|pp|pi|lx|AK|PX|tp|sp|ai|ul|ey|ib|EY|RK)-)"
    r"(?:(?<=sk-)|(?<=xox[abeoprsd]-)|(?<=gl(?:pat|ptt|cbt|imt|agt)-)|(?<=gl[drfw]t-)|(?<=gloas-)|(?<=glagent-)"
    r"|(?<=gl(?:soat|ffct)-)|(?<=[su]-s4t2ud-)"
    r"|(?<=(?:xapp|pypi|pplx|NRAK|PMAK)-)|(?<=(?:GOCSPX|sq0atp|sq0csp)-)|(?<=xai-)|(?<=pul-)"
    r"|(?<=key-)[0-9a-f]{32}|(?<=xkeysib-)|(?<=xsmtpsib-)|(?<=SECRET-KEY-))"
    r"|us\d(?<=[0-9a-f]{8}-us\d)|[0-9a-f]{24}-[0-9a-f]{64}(?<=v1\.0-.{89})"
    r"|server (?:community|key) |(?<=1PRK-)[A-Z0-9]{4}-|Signature=|MAC: |Lines: \d|key-data)"
)

_CAPITAL_A_LITERALS = (
    "akia", "asia", "abia", "acca", "aiza", "aqvn", "akcp", "a3t", "atatt3", "atctt3", "atbb", "ltai", "ezak", "apa91b",
    "api-", "a3-", "absk", "aaaaaaaaaaaaaaaaaaaa", ":aa", "eaa",
)  # fmt: skip
_DOT_LITERALS = (
    "eyj", "dt0", "slack.com/", "/webhookb2/", "/api/webhooks/", ".atlasv1.", "dp.pt.", "dp.st.", "dp.ct.", "dp.sa.",
    "vk1.a.", "ya29.", "hvs.", "hvb.", "hvr.", "mlsn.", "hawk.", "wpl_ap", "api_live", "api_sandbox",
)  # fmt: skip
_DOLLAR_LITERALS = (
    "$2a$", "$2b$", "$2x$", "$2y$", "$apr1$", "$argon2", "$scrypt$", "$y$", "$7$", "$1$", "$5$", "$6$",
    "$bcrypt-sha256$", "$pbkdf2-sha", "$production$", "$sandbox$",
)  # fmt: skip

SHAPE_FAMILIES: tuple[ShapeFamily, ...] = (
    ShapeFamily(
        lazy_pattern(
            r"_(?=[A-Za-z0-9_-]{16})(?:(?<=gh[pousr]_)|(?<=[sr]k_live_)|(?<=[sr]k_(?:test|prod)_)|(?<=whsec_)"
            r"|(?<=do[opr]_v1_)"
            r"|(?<=(?:hf|r8)_)|(?<=(?:npm|gsk|sbp|ntn|_pw)_)|(?<=(?:_pat|_api|_tkn|glsa|figd)_)"
            r"|(?<=shp(?:at|ca|pa|ss)_)|(?<=sntry[su]_)|(?<=ygems_)|(?<=tk_)(?<![A-Za-z0-9]tk_)[a-z0-9]{29})"
        ),
        (
            _shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{20,255}+"),
            _shape("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,255}+"),
            _shape("stripe-key", "sk_ rk_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,255}+"),
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
            _shape("ntfy-token", "tk_", rf"tk_(?!(.)\2{{3}})[a-z0-9]{{29}}{_ENDS}", has_digit=False),
            _shape("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_-]{40,300}+"),
        ),
    ),
    ShapeFamily(
        lazy_pattern(f"-(?:{_AFTER_DASH})"),
        (
            _shape("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{16,300}+"),
            _shape("openai-key", "sk-", r"sk-(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{16,300}+"),
            _shape("openai-key", "sk-", r"sk-[A-Za-z0-9]{20,200}+"),
            _shape(
                "gitlab-token",
                "gl",
                r"gl(?:pat|ptt|cbt|imt|agt|dt|rt|ft|wt|oas|soat|agent|ffct)-[A-Za-z0-9_-]{16,300}+"
                r"(?:\.[0-9a-z]{2}\.[0-9a-z]{7,12}+)?",
            ),
            _shape("intra42-secret", "s-s4t2ud- u-s4t2ud-", r"[su]-s4t2ud-[0-9a-f]{64}"),
            _shape("slack-token", "xox", r"(?:xoxe\.)?xox[abeoprsd]-[A-Za-z0-9%-]{12,400}+"),
            _shape("slack-token", "xapp-", r"xapp-\d-[A-Za-z0-9-]{12,255}+"),
            _shape("google-oauth", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,64}+", has_digit=False),
            _shape("pypi-token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{40,512}+", has_digit=False),
            _shape("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{32,96}+"),
            _shape("xai-key", "xai-", r"xai-[A-Za-z0-9]{40,160}+"),
            _shape("mailgun-key", "key-", rf"key-[0-9a-f]{{32}}{_ENDS}"),
            _shape("brevo-key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[0-9a-f]{40,80}+(?:-[A-Za-z0-9]{1,32}+)?"),
            _shape(
                "new-relic-key",
                "NRAK-",
                rf"NRAK-(?!(.)\2{{3}})(?:[A-Z0-9]{{27}}|(?=[A-Z]*\d)[A-Z0-9]{{20,32}}+){_ENDS}",
                has_digit=False,
            ),
            _shape("postman-key", "PMAK-", r"PMAK-[0-9a-f]{16,24}+(?:-[0-9a-f]{1,40}+)?"),
            _shape("pulumi-token", "pul-", rf"pul-[0-9a-f]{{40}}{_ENDS}"),
            _shape("square-token", "sq0atp- sq0csp-", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{20,64}+"),
            _shape("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{30,64}+"),
            _shape_near("mailchimp-key", ("-us",), rf"{_START}([0-9a-f]{{32}}-us\d{{1,2}}){_ENDS}", before=32),
            _shape_near("signature", ("-Signature=",), r"-Signature=([0-9a-f]{32,1024}+)"),
            _shape_near(
                "private-key",
                ("client-key-data",),
                rf"client-key-data{_QUOTE}: {{0,4}}{_QUOTE}([A-Za-z0-9+/=]{{40,20000}}+)",
            ),
            _shape("cloudflare-key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{64,}+"),
            _shape_near("private-key", ("Private-MAC: ",), r"Private-MAC: ([0-9a-f]{40,64}+)"),
            _shape_near("private-key", ("Private-Lines: ",), rf"Private-Lines: \d{{1,3}}({CUT_KEY_PATTERN})"),
            _shape_near(
                "password",
                ("snmp-server community ", "tacacs-server key ", "radius-server key "),
                rf"[a-z]+-server [a-z]+ (?:[0-9] )?(?!public\b|private\b){_WORD}",
            ),
            _shape("onepassword-key", "1PRK-", r"1PRK-(?:[A-Z0-9]{4,8}-){6,16}[A-Z0-9]{4,8}"),
        ),
    ),
    ShapeFamily(
        lazy_pattern(
            r"\.(?:eyJ|[A-Z0-9]{8}\.(?<=dt0s\d\d\..{9})|slack\.com/|office\.com/webhookb2/|com/api/webhooks/\d"
            r"|atlasv1\.|(?:pt|st|ct|sa)\.(?<=dp\...\.)"
            r"|a\.[A-Za-z0-9_-]{16}(?<=vk1\.a\..{16})"
            r"|(?=[A-Za-z0-9_-]{10})(?:(?<=ya29\.)|(?<=hv[sbr]\.)|(?<=dt0[cs]\d\d\.)|(?<=mlsn\.)[0-9a-f]{32}"
            r"|(?<=hawk\.)[A-Za-z0-9_-]{16}"
            r"|(?<=WPL_AP[01]\.)|(?<=api_live\.)|(?<=api_sandbox\.)|(?<=api_live_..\.)))"
        ),
        (
            _WEB_TOKEN,
            _shape("linkedin-secret", "WPL_", r"WPL_AP[01]\.[A-Za-z0-9]{12,20}+\.[A-Za-z0-9+/]{4,16}+={0,2}"),
            _shape("onfido-token", "api_", r"api_(?:live|sandbox)(?:_[a-z]{2})?\.[A-Za-z0-9_-]{11}\.[A-Za-z0-9_-]{32}"),
            _shape("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/[a-z]{1,12}/[A-Za-z0-9+/_-]{20,255}+"),
            _shape("teams-webhook", "webhook.office.com/", r"webhook\.office\.com/webhookb2/[A-Za-z0-9@/_-]{20,400}+"),
            _shape(
                "discord-webhook",
                "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
                r"discord(?:app)?\.com/api/webhooks/\d{10,24}/[A-Za-z0-9_-]{20,128}+",
            ),
            _shape("google-oauth", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,1024}+"),
            _shape("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{20,300}+"),
            _shape("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{24,64}+"),
            _shape("dynatrace-token", "dt0", r"dt0[cs]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{32,}+"),
            _shape("stackhawk-key", "hawk.", r"hawk\.[A-Za-z0-9_-]{16,40}+\.[A-Za-z0-9_-]{16,40}+"),
            _shape("mailersend-token", "mlsn.", r"mlsn\.[0-9a-f]{32,}+"),
            _shape("mapbox-token", "sk.eyJ", r"sk\.eyJ[A-Za-z0-9_-]{20,}+\.[A-Za-z0-9_-]{16,}+"),
            _shape("vk-token", "vk1.a.", r"vk1\.a\.[A-Za-z0-9_-]{60,}+"),
            _shape_near(
                "terraform-token",
                (".atlasv1.",),
                rf"{_START}([A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{24,128}}+)",
                before=14,
            ),
        ),
        _DOT_LITERALS,
    ),
    ShapeFamily(
        lazy_pattern(
            r"\.(?=[A-Za-z0-9_-]{6})(?:(?<=[A-Za-z0-9]{23}\.)[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20}"
            r"|(?=[A-Za-z0-9_-]{10})(?:(?<=SG\.)|(?<=[ps]at\.)[A-Za-z0-9_-]{22}\.|(?<=sl\.)[A-Za-z0-9_-]{100}"
            r"|(?<=pat[A-Za-z0-9]{14}\.)[0-9a-f]{32}|(?<=t1\.)"
            r"|(?<=[A-Za-z0-9_-]{20}\.)[A-Za-z0-9_-]{22,800}\.[A-Za-z0-9_-]{10,40}\.[A-Za-z0-9_-]))"
        ),
        (
            _WEB_TOKEN,
            _shape("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{16,64}+\.[A-Za-z0-9_-]{20,128}+", has_digit=False),
            _shape("harness-key", "pat. sat.", r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
            _shape("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{32,}+"),
            _shape("dropbox-token", "sl.", r"sl\.[A-Za-z0-9_=-]{100,}+"),
            _shape("yandex-token", "t1.", r"t1\.[A-Za-z0-9_-]{10,}+={0,2}\.[A-Za-z0-9_-]{80,}+={0,2}"),
            _shape("discord-token", "M N O", r"[MNO][A-Za-z0-9]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20,64}+"),
        ),
    ),
    ShapeFamily(
        lazy_pattern(
            r"A(?:(?:KIA|SIA|BIA|CCA|Iza|QVN|KCp|3T[A-Z0-9])[A-Za-z0-9_-]{8}|TATT3|TCTT3|TBB[A-Za-z0-9]{24}"
            r"|I[A-Za-z0-9]{16}(?<=LTAI.{16})"
            r"|K[A-Za-z0-9]{54}(?<=EZAK.{54})|PA91b(?<=:APA91b)|PI-[A-Z0-9]{26}|3-[A-Z0-9]{6}-"
            r"|BSK[A-Za-z0-9+/]{80}|A{19}[A-Za-z0-9]{5,60}%(?:2[BF]|3D)|A(?:(?<=\d:AA)"
            r"|(?<=EAA)(?<![A-Za-z0-9+]EAA)[A-Za-z0-9_-]{58})[A-Za-z0-9_-]{20})"
        ),
        (
            _shape(
                "aws-access-key",
                "AKIA ASIA ABIA ACCA A3T",
                rf"(?:A[KSB]IA|ACCA|A3T[A-Z0-9])[A-Z0-9]{{16}}{_ENDS}",
                has_digit=False,
            ),
            _shape("aws-bedrock-key", "ABSK", r"ABSK[A-Za-z0-9+/]{80,}+={0,2}"),
            _shape("easypost-key", "EZAK EZTK", rf"EZ[AT]K[A-Za-z0-9]{{54}}{_ENDS}"),
            _shape("alibaba-key", "LTAI", rf"LTAI[A-Za-z0-9]{{16,24}}+{_ENDS}"),
            _shape("artifactory-key", "AKCp", r"AKCp[A-Za-z0-9]{50,}+"),
            _shape("yandex-key", "AQVN", r"AQVN[A-Za-z0-9_-]{35,38}+"),
            _shape("octopus-key", "API-", rf"API-[A-Z0-9]{{26,32}}+{_ENDS}"),
            _shape("onepassword-key", "A3-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,4}[A-Z0-9]{5}"),
            _shape_near(
                "firebase-key",
                (":APA91b",),
                rf"{_START}((?:AAAA[A-Za-z0-9_-]{{7}}):APA91b[A-Za-z0-9_-]{{100,}}+)",
                before=11,
            ),
            _shape("google-api-key", "AIza", r"AIza[A-Za-z0-9_-]{20,45}+"),
            _shape(
                "atlassian-token", "ATATT3 ATCTT3 ATBB", r"(?:AT[AC]TT3[A-Za-z0-9_=-]{40,400}+|ATBB[A-Za-z0-9]{24,}+)"
            ),
            _shape("facebook-token", "EAA", r"EAA[A-Za-z0-9]{80,400}+"),
            _shape("square-token", "EAAA", rf"EAAA[A-Za-z0-9_-]{{58,62}}+{_ENDS}"),
            _shape(
                "x-token", "AAAAAAAAAAAAAAAAAAAA", r"A{20,22}[A-Za-z0-9]{5,60}+(?:%(?:2[BF]|3D)[A-Za-z0-9]{0,90}+){1,8}"
            ),
            _shape_near("telegram-token", (":AA",), r"(?<=\d{8}):(AA[A-Za-z0-9_-]{24,40}+)"),
        ),
        _CAPITAL_A_LITERALS,
    ),
    ShapeFamily(
        lazy_pattern(r"K(?:(?<=SK)[0-9a-f]{32})"),
        (_shape("twilio-key", "SK", rf"SK[0-9a-f]{{32}}{_ENDS}"),),
        tuple(f"sk{digit}" for digit in "0123456789abcdef"),
    ),
    ShapeFamily(
        lazy_pattern(
            r"\$(?:(?:2[abxy]|apr1|argon2(?:id?|d)|scrypt|y|7|[156]|bcrypt-sha256"
            r"|pbkdf2-sha\d+)\$[^\s$]{1,80}\$?[^\s$]{8}|(?:production|sandbox)\$[a-z0-9]{8})"
        ),
        (
            _shape(
                "braintree-token",
                "access_token$",
                r"access_token\$(?:production|sandbox)\$[a-z0-9]{8,24}\$[0-9a-f]{24,40}+",
            ),
            _shape_near(
                "password-hash",
                ("$2", "$apr1$", "$argon2", "$scrypt$", "$y$", "$7$", "$1$", "$5$", "$6$", "$pbkdf2"),
                r"(\$(?:2[abxy]|apr1|argon2(?:id?|d)|scrypt|y|7|[156]|pbkdf2-sha\d+)\$[A-Za-z0-9./$=,+]{20,400}+)",
            ),
        ),
        _DOLLAR_LITERALS,
    ),
    ShapeFamily(
        lazy_pattern(r"~(?:(?<=\dQ~)|(?<=sha256~))"),
        (
            _shape("openshift-token", "sha256~", r"sha256~[A-Za-z0-9_-]{40,48}+"),
            _shape_near(
                "azure-secret",
                ("Q~",),
                rf"{_START}([A-Za-z0-9_~.-]{{3}}\dQ~[A-Za-z0-9_~.-]{{20,40}}+)",
                before=4,
            ),
        ),
        ("q~", "sha256~"),
    ),
    ShapeFamily(
        lazy_pattern(r"!(?:A[QR](?<=00D.{15}))"),
        (
            _shape_near(
                "salesforce-token",
                ("!AQ", "!AR"),
                rf"{_START}(00D[A-Za-z0-9]{{12}}!A[QR][A-Za-z0-9._]{{60,200}}+)",
                before=15,
            ),
        ),
        ("!aq", "!ar"),
    ),
    ShapeFamily(
        lazy_pattern(r"J(?:hdXRocyI6|hIjoi(?<=eyJhIjoi)|0eXBlIjo[gi]|Ti(?<=LS0tLS1CRUdJTi))"),
        (
            _shape("private-key", "LS0tLS1CRUdJTi", _BASE_64_KEY, has_digit=False, is_long=True),
            _shape("cloudflare-token", "eyJhIjoi", r"eyJhIjoi[A-Za-z0-9+/_-]{80,400}+={0,2}", is_long=True),
            _shape("docker-auth", "eyJhdXRocyI6 ewogICJhdXRocyI6", r"e[A-Za-z0-9+/]{40,20000}+={0,2}", is_long=True),
            _shape(
                "google-key",
                "eyJ0eXBlIjoic2VydmljZV9 ewogICJ0eXBlIjogInNlcnZpY2Vf",
                r"e[A-Za-z0-9+/]{40,20000}+={0,2}",
                is_long=True,
            ),
        ),
        ("jhdxrocyi6", "jhijoi", "j0exblijo", "ls0tls1crudjti"),
    ),
    ShapeFamily(
        lazy_pattern(r"=(?:=(?<=[A-Za-z0-9+/]{86}==))"),
        (_shape_near("azure-key", ("key1 ", "key2 "), r"key[12] [^\n]{0,80}?(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{86}==)"),),
        tuple(f"{sign}==" for sign in "abcdefghijklmnopqrstuvwxyz0123456789+/"),
    ),
    ShapeFamily(
        lazy_pattern(r"0(?:(?<=1//0)[A-Za-z0-9_-]{30})"),
        (_shape("google-oauth", "1//0", r"1//0[A-Za-z0-9_-]{30,200}+"),),
        ("1//0",),
    ),
)
DASH_TRAIT = lazy_pattern(f"-(?:{_AFTER_DASH}|{OPTION_PATTERN}|(?:BEGIN|END)[ ]|[ ](?:BEGIN|END)[ ])")
"""The trait of the shapes with a dash, of a command option, or of a line around a private key."""
