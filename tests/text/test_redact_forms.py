"""Secrets in the forms that programs and people write them in; each form is named with the document that shows it.

The values are drawn when a test runs, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import base64
import html
import json
import quopri
import random
import string
from urllib.parse import quote

import pytest

from recall_tui.text.secrets.redact import find_secrets, redact

MIXED = string.ascii_letters + string.digits
DRAWN = random.Random(20260401)


def drawn(size: int, alphabet: str = MIXED) -> str:
    """A run with a small and a large letter and a digit."""
    while True:
        run = "".join(DRAWN.choices(alphabet, k=size))
        if alphabet != MIXED or (any(map(str.isdigit, run)) and not run.islower() and not run.isupper()):
            return run


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


PASSWORD = drawn(12)
KEY = drawn(32)
AWS_ID = "AK" + "IA" + drawn(16, string.ascii_uppercase)
AWS_KEY = f"{drawn(20)}/{drawn(19)}"
TOKEN = "gh" + "p_" + drawn(36)
JWT = ".".join((encoded('{"alg":"HS256","typ":"JWT"}'), encoded(f'{{"sub":"{drawn(60)}"}}').rstrip("="), drawn(43)))
LONG = drawn(620)
HEX = "".join(DRAWN.choices("0123456789abcdef", k=40))
BCRYPT = "$2" + "y$10$" + drawn(53)


def pieces(secret: str) -> list[str]:
    """What of the secret may be found nowhere."""
    return [secret[at : at + 10] for at in range(0, max(len(secret) - 9, 1), 10)]


FORMS = {
    # docs.aws.amazon.com/cli: configure, configure set, iam create-access-key --output table and text, console CSV
    "aws configure": (f"AWS Access Key ID [None]: {AWS_ID}\nAWS Secret Access Key [None]: {AWS_KEY}", AWS_KEY),
    "aws configure set": (f"aws configure set aws_secret_access_key {AWS_KEY}", AWS_KEY),
    "aws table": (f"||  AccessKeyId     |  {AWS_ID}  ||\n||  SecretAccessKey |  {AWS_KEY}||", AWS_KEY),
    "aws text": (f"ACCESSKEY\t{AWS_ID}\t2026-01-01T00:00:00Z\t{AWS_KEY}", AWS_KEY),
    "aws csv": (f"User name,Access key ID,Secret access key\nbob,{AWS_ID},{AWS_KEY}", AWS_KEY),
    "aws sts": (json.dumps({"SecretAccessKey": AWS_KEY, "SessionToken": LONG}, indent=2), LONG),
    # 12factor.net/config, docs.docker.com/reference/dockerfile, kubernetes.io/docs/tasks/inject-data-application
    "long value": (f"export API_SECRET={LONG}", LONG),
    "compose": (f"    environment:\n      - DB_PASSWORD={PASSWORD}", PASSWORD),
    "name and value": (f"  - name: DB_PASSWORD\n    value: {PASSWORD}\n", PASSWORD),
    "parameter": (json.dumps({"ParameterKey": "DBPassword", "ParameterValue": PASSWORD}), PASSWORD),
    "ENV": (f"ENV API_KEY {KEY}", KEY),
    "from literal": (f"kubectl create secret generic x --from-literal=password={PASSWORD}", PASSWORD),
    "manifest": (f"kind: Secret\ndata:\n  cert: {encoded(PASSWORD * 2)}", encoded(PASSWORD * 2).rstrip("=")),
    # yaml.org/spec/1.2.2, 8.1
    "literal block": (f"password: |\n  {PASSWORD}\nnext: a", PASSWORD),
    "folded block": (f"session_token: >-\n  {LONG[:76]}\n  {LONG[76:152]}\nnext: a", LONG[:152]),
    # postgresql.org/docs: libpq-connect, libpq-pgpass, sql-createrole; mongodb, redis, learn.microsoft.com/sql
    "libpq": (f"psql \"host=h user=u password='ab {PASSWORD}' dbname=d\"", PASSWORD),
    "pgpass": (f"localhost:5432:db:user:{PASSWORD}\n", PASSWORD),
    "role": (f"CREATE USER app WITH LOGIN PASSWORD '{PASSWORD}' VALID UNTIL '2027-01-01';", PASSWORD),
    "mongodb": (f"mongodb+srv://u:{PASSWORD}@c0.example.test/db?retryWrites=true", PASSWORD),
    "redis with a slash": (f"redis://:ab/{PASSWORD}@h:6379/0", PASSWORD),
    "ado": (f"Server=tcp:x,1433;User ID=u;Password={PASSWORD};Encrypt=True;", PASSWORD),
    "requirepass": (f"bind 0.0.0.0\nrequirepass {KEY}\n", KEY),
    # git-scm.com/docs/gitcredentials, docs.sentry.io/concepts/key-terms/dsn-explainer
    "token as a user": (f"https://{HEX}@github.com/x/y.git", HEX),
    "token as a password": (f"https://x-access-token:{KEY}@github.com/x/y.git", KEY),
    # docs.npmjs.com/cli/configuring-npm/npmrc, docs.docker.com/reference/cli/docker/login, curl.se/docs/manpage.html
    "npm _auth": (f"//registry.example.test/:_auth={encoded('a:' + PASSWORD)}", encoded("a:" + PASSWORD).rstrip("=")),
    "docker auth": (json.dumps({"auths": {"h": {"auth": encoded("a:" + PASSWORD)}}}), encoded("a:" + PASSWORD)[:14]),
    "docker login": (f"docker login registry.example.test -u ci -p {KEY}", KEY),
    "curl -u": (f"curl -k https://h \\\n  -u developer:{PASSWORD}", PASSWORD),
    "proxy": (f"Proxy-Authorization: Basic {encoded('a:' + PASSWORD)}", encoded("a:" + PASSWORD).rstrip("=")),
    "other scheme": (f'curl -H "Authorization: SSWS {KEY}" h', KEY),
    # rfc-editor.org/rfc/rfc7517#appendix-A, man7.org/linux/man-pages/man5/shadow.5.html, httpd.apache.org/docs htpasswd
    "jwk": (json.dumps({"kty": "RSA", "n": drawn(342), "e": "AQAB", "d": LONG[:342]}), LONG[:342]),
    "htpasswd": (f"bob:{BCRYPT}", BCRYPT[7:]),
    # maven.apache.org/settings.html, learn.microsoft.com/aspnet web.config, developer.android.com string resources
    "element": (f"<password>{PASSWORD}</password>", PASSWORD),
    "attributes": (f'<property name="password" value="{PASSWORD}"/>', PASSWORD),
    "string resource": (f'<string name="api_key">{KEY}</string>', KEY),
    # developer.hashicorp.com/vault/docs/commands, developer.hashicorp.com/terraform/language/state
    "aligned": (f"Key         Value\n---         -----\npassword    {PASSWORD}\nusername    u", PASSWORD),
    "unseal": (f"Unseal Key 1: {KEY}", KEY),
    "state": (f'"type": "random_password", "instances": [{{"attributes": {{"result": "{PASSWORD}"}}}}]', PASSWORD),
    # commonmark and GitHub tables, a dashboard copied as text
    "column": (f"| name | password |\n|---|---|\n| bob | {PASSWORD} |", PASSWORD),
    "columns of psql": (f"name | token\n-----+------\nbob  | {KEY}\n", KEY),
    "next line": (f"Your API key:\n\n    {KEY}\n", KEY),
    "said": (f"the password is '{PASSWORD}'", PASSWORD),
    # developer.mozilla.org: nullish coalescing; docs.python.org os.environ.get
    "fallback": (f"apiKey: process.env.KEY ?? '{KEY}',", KEY),
    "default": (f'API_KEY = os.environ.get("API_KEY", "{KEY}")', KEY),
    # prefixes: docs.api.nvidia.com, docs.pinecone.io, fly.io/docs/security/tokens
    "prefix with a dash": ("nv" + "api-" + drawn(64), ""),
    "prefix with words": ("sb_" + "secret_" + drawn(31), ""),
    "scheme and token": (f"fly_api_token = FlyV1 fm2_{LONG[:220]}", LONG[:220]),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("around", ["{}", "before\n{}\nafter", "json"])
def test_a_secret_goes_in_every_form(form: str, around: str) -> None:
    line, secret = FORMS[form]
    secret = secret or line
    text = json.dumps({"output": line}) if around == "json" else around.format(line)
    masked = redact(text)
    assert not [piece for piece in pieces(secret) if piece in masked], masked
    assert redact(masked) == masked and find_secrets(masked) == []


@pytest.mark.parametrize("sign", list("/,()&$#;:'\"<|%@!*{}~^=+?"))
def test_a_password_goes_to_its_true_end(sign: str) -> None:
    password = f"aB3x{sign}{PASSWORD}"
    quotation = "'" if sign == '"' else '"'
    for text in (
        f"DB_PASSWORD={password}",
        f"export API_SECRET={password}\nX=1",
        f"password = {quotation}{password}{quotation}",
        json.dumps({"password": password}),
        json.dumps({"content": f"DB_PASSWORD={password}\nX=1"}),
    ):
        assert PASSWORD not in redact(text), text


def test_what_only_says_where_the_secret_is_stays() -> None:
    for value in ("$HOME", "${VAR}", "$(cmd)", "%(x)s", "{{ x }}", "<your-token>", "xxxxxxxx", "null", "true", "*****"):
        for text in (f"password={value}", f'password="{value}"', f"DB_PASSWORD={value}", f"--password {value}"):
            assert redact(text) == text
    assert PASSWORD not in redact(f'password="${PASSWORD}!x"')


CODES = ("\x1b[0m", "\x1b[1;32m", "\u200b", "\u00ad", "\u2060", "\ufeff", "\x08")


@pytest.mark.parametrize("code", CODES)
def test_a_code_inside_a_secret_hides_nothing(code: str) -> None:
    for text, secret in ((TOKEN[:12] + code + TOKEN[12:], TOKEN), (f"password={KEY[:9]}{code}{KEY[9:]}", KEY)):
        assert redact(text).endswith("]"), text
        assert secret[12:] not in redact(text)


def test_colours_around_names_and_values_hide_nothing() -> None:
    text = f'\x1b[34;1m"password"\x1b[0m: \x1b[32m"{PASSWORD}"\x1b[0m'
    assert PASSWORD not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        quote(f"https://h/?api_key={KEY}&a=b", safe=""),
        quote(quote(f"password={KEY}&x=1", safe=""), safe=""),
        f"https://h/?next=a%3D{TOKEN}%26b",
        f"password\\u003d{KEY}",
        json.dumps({"url": f"https://hooks.slack.com/services/T0A/B0A/{KEY[:24]}"}).replace("/", "\\/"),
        html.escape(f'<password>{KEY}</password> password="{KEY}"'),
        f"token&#61;{KEY}",
        quopri.encodestring(f"{'x' * 50} token={JWT} and password={KEY}".encode()).decode(),
        f"tool --token \\\n  {KEY} \\\n  --go",
        f"export T={TOKEN[:15]}\\\n{TOKEN[15:]}",
    ],
)
def test_what_was_encoded_is_read_as_what_it_says(text: str) -> None:
    masked = redact(text)
    for secret in (KEY, TOKEN, JWT):
        assert not [piece for piece in pieces(secret)[1:-1] if piece in masked], masked


@pytest.mark.parametrize("width", [64, 76])
@pytest.mark.parametrize("lead", ["", "    ", "> ", "+", "{number:6}→"])
@pytest.mark.parametrize(("before", "secret"), [("", JWT), ("Authorization: Bearer ", JWT), ("SESSION_TOKEN=", LONG)])
def test_a_secret_broken_over_lines_goes_whole(width: int, lead: str, before: str, secret: str) -> None:
    lines = [secret[at : at + width] for at in range(0, len(secret), width)]
    text = "\n".join(
        lead.format(number=number) + line for number, line in enumerate([before + lines[0], *lines[1:]], 1)
    )
    for told in (text, json.dumps({"output": text})):
        masked = redact(told + "\n")
        assert not [piece for line in lines for piece in pieces(line) if piece in masked], masked


def test_a_line_after_a_token_stays() -> None:
    text = f"{TOKEN}\nand then prose goes on for more than forty characters on this line\n"
    assert redact(text) == text.replace(TOKEN, "[redacted:github-token]")


CODE_AND_PROSE = """
token = get_token(user)
secretKey: process.env.SECRET_KEY,
password: string;
the token is invalid
password: required
--- PASS: TestIsOutdated/patch_version_bump (0.06s)
export ANTHROPIC_API_KEY=sk-ant-...
postgres://user:<password>@localhost:5432/app
docker run -e DRONE_TOKEN=<DRONE_TOKEN> -e DRONE_ID=<ID> image
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-7OMaey
<password>${env.NEXUS_PASSWORD}</password>
| name | password |
|---|---|
| bob | required |
mysql -h db1 -u root -p$MYSQL_PASSWORD shop
PWD=/home/u/work
"password": "Enter your new password"
setState({ token: nextToken })
auth0  package.json:51:6
""".strip()


def test_code_and_prose_stay() -> None:
    for text in (CODE_AND_PROSE, *CODE_AND_PROSE.splitlines()):
        assert redact(text) == text
