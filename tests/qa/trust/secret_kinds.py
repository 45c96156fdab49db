"""The kinds of secrets that are planted: how each is written by its issuer, drawn at random.

No secret is real, and none stands in this file: what tells a service's secrets is put together when they are drawn, so
that nobody who looks for leaks in a repository takes these for some.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass, field

LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
MIXED = string.ascii_letters + string.digits
URLSAFE = MIXED + "-_"
HEX = "0123456789abcdef"
PIECE = 10
"""Characters of a secret that may be found nowhere; a shorter secret is looked for whole."""


@dataclass(slots=True)
class Drawing:
    """Draws at random, and remembers what of it is secret."""

    random: random.Random
    secret: list[str] = field(default_factory=list)

    def draw(self, alphabet: str, size: int) -> str:
        """A secret run of characters, with a small and a large letter and a digit where the alphabet has them."""
        run = self.public(alphabet, size)
        self.secret.append(run)
        return run

    def public(self, alphabet: str, size: int) -> str:
        """A run of characters that may be known."""
        wanted = [
            kind for kind in (string.digits, string.ascii_lowercase, string.ascii_uppercase) if {*kind} & {*alphabet}
        ]
        while True:
            run = "".join(self.random.choices(alphabet, k=size))
            ends_apart = run[0] not in "-_" and run[-1] not in "-_"
            if ends_apart and (size < 8 or all({*kind} & {*run} for kind in wanted)):
                return run

    def uuid(self) -> str:
        """A secret in the form of a UUID."""
        return "-".join(self.draw(HEX, size) for size in (8, 4, 4, 4, 12))

    def encoded(self, text: str, *secrets: str) -> str:
        """`text` in base 64, which is the secret from now on, in place of the `secrets` in it."""
        made = base64.b64encode(text.encode()).decode()
        self.secret = [one for one in self.secret if one not in secrets] + [made.rstrip("=")]
        return made

    def needles(self) -> tuple[str, ...]:
        """The pieces of what is secret that may be found nowhere."""
        found = []
        for run in self.secret:
            if len(run) < 2 * PIECE:
                found += [run] if len(run) >= 8 else []
                continue
            found += [run[at : at + PIECE] for at in range(0, len(run) - PIECE + 1, PIECE)]
        return tuple(found)


Recipe = Callable[[Drawing], str]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of secret."""

    name: str
    make: Recipe
    is_bare: bool = False
    """It is known by itself, whatever stands around it; others are known by what is said beside them."""


def _shape(name: str, *parts: str | tuple[str, int]) -> Kind:
    """A secret made of words, joined as they are, and of runs drawn from an alphabet."""

    def make(drawing: Drawing) -> str:
        return "".join(one if isinstance(one, str) else drawing.draw(*one) for one in parts)

    return Kind(name, make, is_bare=True)


def _line(name: str, line: str, alphabet: str, size: int) -> Kind:
    """A secret known by the line around it, where `{}` is its place."""
    return Kind(name, lambda drawing: line.replace("{}", drawing.draw(alphabet, size)))


def _block(drawing: Drawing, label: str, *, head: str = "", rows: int = 12, last: str = "==") -> str:
    """A key in armour, of as many rows."""
    body = [drawing.draw(MIXED + "+/", 64) for _ in range(rows)] + [drawing.draw(MIXED, 30) + last]
    dashes = "-" * 5
    return "\n".join(
        (f"{dashes}BEGIN {label}{dashes}", *([head] if head else []), *body, f"{dashes}END {label}{dashes}")
    )


def _service_account(drawing: Drawing) -> str:
    key = _block(drawing, "PRIVATE" + " KEY") + "\n"
    project = "shop-" + drawing.public(LOWER, 6)
    made = {
        "type": "service_account",
        "project_id": project,
        "private_key_id": drawing.public(HEX, 40),
        "private_key": key,
        "client_email": f"deploy@{project}.iam.gserviceaccount.com",
    }
    return json.dumps(made, indent=2)


def _jwt(drawing: Drawing) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    claims = json.dumps({"sub": drawing.public(LOWER, 12), "iat": 1770000000}).encode()
    body = base64.urlsafe_b64encode(claims).decode().rstrip("=")
    drawing.secret.append(body[12:])
    return f"{head}.{body}.{drawing.draw(URLSAFE, 43)}"


def _aws_pair(drawing: Drawing) -> str:
    id_, key = "AK" + "IA" + drawing.draw(UPPER, 16), drawing.draw(MIXED + "/+", 40)
    return f"[default]\naws_access_key_id = {id_}\naws_secret_access_key = {key}\n"


def _netrc(drawing: Drawing) -> str:
    return f"machine git.example.test\n  login build\n  password {drawing.draw(MIXED, 16)}\n"


def _netrc_line(drawing: Drawing) -> str:
    return f"machine api.example.test login deploy password {drawing.draw(MIXED, 14)}"


def _kube_config(drawing: Drawing) -> str:
    data = drawing.encoded(f"{'-' * 5}BEGIN {'RSA PRIVATE' + ' KEY'}{'-' * 5}\n{drawing.public(MIXED, 400)}")
    return f"users:\n- name: admin\n  user:\n    client-key-data: {data}\n    username: admin\n"


def _kube_token(drawing: Drawing) -> str:
    return f"users:\n- name: ci\n  user:\n    token: {drawing.draw(MIXED, 48)}\n"


def _docker_config(drawing: Drawing) -> str:
    pair = drawing.encoded(f"build:{drawing.public(MIXED, 20)}")
    return json.dumps({"auths": {"registry.example.test": {"auth": pair}}}, indent=2)


def _basic(drawing: Drawing) -> str:
    return f"Authorization: Basic {drawing.encoded('deploy:' + drawing.public(MIXED, 18))}"


def _url_password(scheme: str, host: str) -> Recipe:
    return lambda drawing: f"{scheme}://admin:{drawing.draw(MIXED, 14)}@{host}"


def _putty(drawing: Drawing) -> str:
    rows = "\n".join(drawing.draw(MIXED + "+/", 64) for _ in range(5))
    mac = drawing.draw(HEX, 64)
    head = "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: deploy\nPrivate-Lines: 5"
    return f"{head}\n{rows}\nPrivate-MAC: {mac}\n"


def _cookie(drawing: Drawing) -> str:
    return f"Cookie: theme=dark; sessionid={drawing.draw(LOWER, 32)}; lang=en"


def _set_cookie(drawing: Drawing) -> str:
    return f"Set-Cookie: connect.sid={drawing.draw(URLSAFE, 40)}; Path=/; HttpOnly"


def _discord(drawing: Drawing) -> str:
    id_ = base64.b64encode("".join(drawing.random.choices("123456789", k=18)).encode()).decode()
    return f"{id_}.{drawing.public(URLSAFE, 6)}.{drawing.draw(URLSAFE, 38)}"


def _telegram(drawing: Drawing) -> str:
    return f"{drawing.random.randrange(10**8, 10**10)}:AA{drawing.draw(URLSAFE, 33)}"


def _sas(drawing: Drawing) -> str:
    signature = drawing.draw(MIXED, 42) + "%3D"
    return f"https://shop.blob.core.windows.net/backups?sv=2024-11-04&ss=b&se=2026-12-31&sp=rl&sig={signature}"


def _presigned(drawing: Drawing) -> str:
    return (
        "https://backups.s3.amazonaws.com/db.tar?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600"
        f"&X-Amz-Signature={drawing.draw(HEX, 64)}"
    )


KINDS: tuple[Kind, ...] = (
    _shape("aws-access-key-id", "AK", "IA", (UPPER, 16)),
    _shape("aws-temporary-key-id", "AS", "IA", (UPPER, 16)),
    Kind("aws-credentials-file", _aws_pair),
    _line("aws-session-token", "AWS_SESSION_TOKEN={}", MIXED + "/+", 180),
    Kind("aws-presigned-url", _presigned),
    Kind("gcp-service-account", _service_account),
    _shape("google-api-key", "AI", "za", (URLSAFE, 35)),
    _shape("google-oauth-secret", "GOC", "SPX-", (URLSAFE, 28)),
    _shape("google-access-token", "ya", "29.", (URLSAFE, 120)),
    _shape("google-refresh-token", "1/", "/0", (URLSAFE, 60)),
    _line("azure-storage-key", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={}==", MIXED + "+/", 86),
    _line("azure-client-secret", "AZURE_CLIENT_SECRET={}", MIXED, 40),
    _shape("azure-ad-secret", (MIXED, 3), "8Q", "~", (MIXED, 34)),
    Kind("azure-sas-url", _sas),
    _shape("github-classic", "gh", "p_", (MIXED, 36)),
    _shape("github-fine-grained", "github", "_pat_", (MIXED, 22), "_", (MIXED, 59)),
    _shape("github-app", "gh", "s_", (MIXED, 36)),
    _shape("github-oauth", "gh", "o_", (MIXED, 36)),
    _shape("gitlab-personal", "gl", "pat-", (URLSAFE, 20)),
    _shape("gitlab-pipeline", "gl", "ptt-", (HEX, 40)),
    _shape("gitlab-runner", "gl", "rt-", (URLSAFE, 20)),
    _shape("slack-bot", "xo", "xb-", "2345678901-2345678901234-", (MIXED, 24)),
    _shape("slack-user", "xo", "xp-", "2345678901-2345678901-2345678901234-", (HEX, 32)),
    _shape("slack-app", "xa", "pp-1-A0123456789-2345678901234-", (HEX, 64)),
    _shape("slack-webhook", "https://hooks.", "slack.com/services/", (UPPER, 11), "/", (UPPER, 11), "/", (MIXED, 24)),
    _shape(
        "teams-webhook",
        "https://shop.webhook.",
        "office.com/webhookb2/",
        (HEX, 36),
        "@",
        (HEX, 36),
        "/IncomingWebhook/",
        (HEX, 32),
    ),
    _shape("discord-webhook", "https://discord", ".com/api/webhooks/1234567890123456789/", (URLSAFE, 68)),
    Kind("discord-bot", _discord, is_bare=True),
    Kind("telegram-bot", _telegram, is_bare=True),
    _shape("stripe-live", "sk", "_live_", (MIXED, 24)),
    _shape("stripe-restricted", "rk", "_live_", (MIXED, 99)),
    _shape("stripe-webhook", "wh", "sec_", (MIXED, 32)),
    _shape("twilio-key", "S", "K", (HEX, 32)),
    _line("twilio-auth-token", "TWILIO_AUTH_TOKEN={}", HEX, 32),
    _shape("sendgrid", "S", "G.", (URLSAFE, 22), ".", (URLSAFE, 43)),
    _shape("mailgun", "ke", "y-", (HEX, 32)),
    _shape("mailchimp", (HEX, 32), "-us", "14"),
    _shape("brevo", "xkey", "sib-", (HEX, 64), "-", (MIXED, 16)),
    _shape("npm", "np", "m_", (MIXED, 36)),
    _line("npmrc", "//registry.npmjs.org/:_authToken={}", MIXED, 36),
    _shape("pypi", "pypi-", "AgEIcHlwaS5vcmc", (URLSAFE, 150)),
    _shape("rubygems", "ruby", "gems_", (HEX, 48)),
    _shape("docker-hub", "dckr", "_pat_", (URLSAFE, 27)),
    Kind("docker-config", _docker_config),
    Kind("heroku-key", lambda drawing: f"HEROKU_API_KEY={drawing.uuid()}"),
    _line("cloudflare-token", "CLOUDFLARE_API_TOKEN={}", URLSAFE, 40),
    _line("cloudflare-key", "X-Auth-Key: {}", HEX, 37),
    _shape("digitalocean", "dop", "_v1_", (HEX, 64)),
    _shape("openai-project", "sk", "-proj-", (URLSAFE, 120)),
    _shape("openai-classic", "sk", "-", (MIXED, 20), "T3Blbk", "FJ", (MIXED, 20)),
    _shape("anthropic", "sk", "-ant-api03-", (URLSAFE, 93), "AA"),
    _shape("huggingface", "h", "f_", (string.ascii_letters, 34)),
    _shape("groq", "gs", "k_", (MIXED, 52)),
    _shape("xai", "xa", "i-", (MIXED, 80)),
    _shape("perplexity", "pp", "lx-", (MIXED, 48)),
    _shape("replicate", "r", "8_", (MIXED, 37)),
    _shape("databricks", "da", "pi", (HEX, 32)),
    _shape("vault", "hv", "s.", (URLSAFE, 90)),
    _shape("terraform-cloud", (MIXED, 14), ".atlas", "v1.", (URLSAFE, 67)),
    _shape("shopify", "shp", "at_", (HEX, 32)),
    _shape("square", "sq0", "atp-", (URLSAFE, 22)),
    _shape("linear", "lin", "_api_", (MIXED, 40)),
    _shape("notion", "nt", "n_", (MIXED, 46)),
    _shape("atlassian", "ATA", "TT3", (URLSAFE, 180)),
    _shape("grafana", "gl", "sa_", (MIXED, 32), "_", (HEX, 8)),
    _shape("new-relic", "NR", "AK-", (UPPER, 27)),
    _shape("sentry", "sntr", "ys_", (MIXED, 100)),
    _shape("supabase", "sb", "p_", (HEX, 40)),
    _shape("planetscale", "pscale", "_tkn_", (URLSAFE, 43)),
    _shape("figma", "fi", "gd_", (URLSAFE, 40)),
    _shape("postman", "PM", "AK-", (HEX, 24), "-", (HEX, 34)),
    _shape("pulumi", "pu", "l-", (HEX, 40)),
    _shape("doppler", "dp", ".pt.", (MIXED, 43)),
    _shape("age", "AGE-SECRET", "-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    _shape("facebook", "EA", "AC", (MIXED, 150)),
    Kind("jwt", _jwt, is_bare=True),
    _line("bearer", "Authorization: Bearer {}", URLSAFE, 40),
    Kind("basic-auth", _basic),
    Kind("curl-user", lambda drawing: f"curl -u deploy:{drawing.draw(MIXED, 14)} https://api.example.test/v1/jobs"),
    Kind("url-password", _url_password("https", "git.example.test/shop.git"), is_bare=True),
    Kind("postgres-url", _url_password("postgresql", "db.example.test:5432/shop"), is_bare=True),
    Kind("mongo-url", _url_password("mongodb+srv", "cluster0.example.test/shop"), is_bare=True),
    Kind("redis-url", lambda drawing: f"redis://:{drawing.draw(MIXED, 18)}@cache.example.test:6379/0", is_bare=True),
    Kind("amqp-url", _url_password("amqps", "queue.example.test/vhost"), is_bare=True),
    _line("jdbc-url", "jdbc:postgresql://db.example.test/shop?user=app&password={}", MIXED, 16),
    Kind("private-key-rsa", lambda drawing: _block(drawing, "RSA PRIVATE" + " KEY")),
    Kind("private-key-pkcs8", lambda drawing: _block(drawing, "PRIVATE" + " KEY")),
    Kind("private-key-ec", lambda drawing: _block(drawing, "EC PRIVATE" + " KEY", rows=2)),
    Kind("private-key-openssh", lambda drawing: _block(drawing, "OPENSSH PRIVATE" + " KEY", rows=24)),
    Kind(
        "private-key-pgp",
        lambda drawing: _block(drawing, "PGP PRIVATE" + " KEY BLOCK", head="Version: GnuPG v2\n", last="\n=aB3x"),
    ),
    Kind("private-key-putty", _putty),
    _line("dotenv-password", "DB_PASSWORD={}", MIXED + "!#%", 18),
    _line("dotenv-secret", "SESSION_SECRET={}", HEX, 64),
    _line("dotenv-key", 'export STRIPE_API_KEY="{}"', MIXED, 32),
    Kind("netrc", _netrc),
    Kind("netrc-line", _netrc_line),
    Kind("kube-client-key", _kube_config),
    Kind("kube-token", _kube_token),
    Kind("cookie", _cookie),
    Kind("set-cookie", _set_cookie),
    _line("python-assignment", 'SECRET_KEY = "{}"', MIXED + "!@#%^&*", 50),
    _line("javascript-assignment", "const apiKey = '{}';", MIXED, 32),
    _line("go-assignment", 'authToken := "{}"', MIXED, 40),
    _line("java-assignment", 'private static final String PASSWORD = "{}";', MIXED, 16),
    _line("ruby-assignment", "config.secret_key_base = '{}'", HEX, 64),
    _line("php-assignment", "define('AUTH_KEY', '{}');", MIXED + "!#%&*", 64),
    _line("yaml-assignment", "password: {}", MIXED, 16),
    _line("json-assignment", '{"client_secret": "{}"}', MIXED, 40),
    _line("xml-assignment", "<password>{}</password>", MIXED, 16),
    _line("properties-assignment", "spring.datasource.password={}", MIXED, 16),
    _line("terraform-assignment", '  master_password = "{}"', MIXED, 20),
    _line("flag-password", "mysqldump --user=root --password={} shop", MIXED, 16),
    _line("flag-token", "helm upgrade --set image=shop --token {} shop", MIXED, 32),
    _line("mysql-p", "mysql -u root -p{} shop", MIXED, 16),
    _line("sshpass", "sshpass -p {} ssh deploy@web1.example.test", MIXED, 14),
    _line("pgpassword", "PGPASSWORD={} psql -h db.example.test shop", MIXED, 16),
    _line("docker-login", "docker login -u build -p {} registry.example.test", MIXED, 20),
    _line("header-api-key", "curl -H 'X-API-Key: {}' https://api.example.test/v1", LOWER, 32),
    _line("query-api-key", "https://api.example.test/v1/items?api_key={}&page=2", MIXED, 32),
    _line("query-access-token", "https://api.example.test/v1/me?access_token={}", URLSAFE, 40),
)
