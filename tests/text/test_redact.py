"""Redaction: every secret goes, ordinary text stays as it is.

The secrets are put together here from pieces, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import itertools
import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.secrets.redact import SecretMatch, find_secrets, redact
from tests.qa.trust import clean
from tests.qa.trust.planted import SPLIT, plants

HEX = "0123456789abcdef"
MIXED = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
BODY = "MIIEpAIBAAKCAQEA0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"
PEM = "-----BEGIN RSA PRIVATE" + f" KEY-----\n{BODY}\n{BODY}\nQw==\n-----END RSA PRIVATE" + " KEY-----"

SHAPED = [
    ("aws-access-key", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("aws-access-key", "ASIA" + "IOSFODNN7ABCDEFG"),
    ("github-token", "ghp_" + MIXED + "abcd"),
    ("github-token", "gho_" + MIXED + "abcd"),
    ("github-token", "ghs_" + MIXED + "abcd"),
    ("github-token", "github_pat_" + "11ABCDEFG0abcdefghijkl_" + MIXED),
    ("gitlab-token", "glpat-" + "ABCdef1234-67890wxyz"),
    ("slack-token", "xoxb-" + "123456789012-1234567890123-" + MIXED[:24]),
    ("slack-token", "xapp-" + "1-A0123456789-1234567890123-" + HEX * 4),
    ("openai-key", "sk-" + "proj-" + MIXED + "_" + MIXED),
    ("openai-key", "sk-" + MIXED + MIXED[:16]),
    ("anthropic-key", "sk-" + "ant-api03-" + MIXED + "-" + MIXED),
    ("google-api-key", "AIza" + "SyA1234567890abcdefghijklmnopqrstuv"),
    ("google-oauth", "ya29." + "a0AfH6SMB_" + MIXED),
    ("google-oauth", "GOCSPX-" + "abcdefghijklmnopqrstuvwxyz12"),
    ("stripe-key", "sk_" + "live_" + MIXED[:24]),
    ("stripe-key", "rk_" + "live_" + MIXED[:24]),
    ("twilio-key", "SK" + HEX * 2),
    ("sendgrid-key", "SG." + MIXED[:22] + "." + MIXED + "abcdefghijk"),
    ("npm-token", "npm_" + MIXED + "abcd"),
    ("pypi-token", "pypi-" + "AgEIcHlwaS5vcmc" + MIXED * 2),
    ("huggingface-token", "hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH"),
    ("digitalocean-token", "dop_v1_" + HEX * 4),
    ("jwt", "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0"),
]

ASSIGNED = [
    ("aws_secret_access_key = {}", "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY", "aws-secret-key"),
    ('"SecretAccessKey": "{}"', "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzEXAMPLKEY", "aws-secret-key"),
    (
        "DefaultEndpointsProtocol=https;AccountKey={};EndpointSuffix=x",
        MIXED * 2 + "abcdefghijklmnopqrstuv==",
        "azure-key",
    ),
    ("SharedAccessKey={}", MIXED + "abcdefghijk=", "azure-key"),
    ("postgres://admin:{}@db.internal:5432/prod", "hunter2", "url-password"),
    ("redis://:{}@localhost:6379/0", "s3cr3tpass", "url-password"),
    ("Authorization: Bearer {}", "abcdef1234567890", "authorization"),
    ('"Authorization": "Basic {}"', "dXNlcjpwYXNzd29yZDEyMw==", "authorization"),
    ("curl -H 'authorization: token {}'", "abc123def456", "authorization"),
    ("password={}", "hunter2hunter2", "password"),
    ('PASSWORD="{}"', "S3cure!Pass", "password"),
    ("export DB_PASS={}", "hunter2hunter2", "password"),
    ('password: str = "{}"', "hunter2hunter2", "password"),
    ("Password: {}", "hunter2hunter2", "password"),
    ("pwd: '{}'", "mYp@ssw0rd", "password"),
    ('password = "{}"', "pässwört漢9", "password"),
    ('{{"password": "{}"}}', "hunter2hunter2", "password"),
    ('{{\\"password\\": \\"{}\\"}}', "hunter2hunter2", "password"),
    ("mysql --password={} -u root", "hunter2hunter2", "password"),
    ("mycli --token {} go", "abc123def456ghi", "token"),
    ('api_key: "{}"', "abcd1234efgh5678", "api-key"),
    ("apiKey = '{}'", "abcd1234efgh5678", "api-key"),
    ("x-api-key: {}", "abc123def456ghi789", "api-key"),
    ("OPENAI_KEY={}", "abcdefghij1234567890KLMN", "api-key"),
    ("SECRET_KEY={}", "8f2k3j4h5g6f7d8s9a0", "secret"),
    ("client_secret: '{}'", "Zx9-kqPw3vLm2nB7", "secret"),
    ("GITHUB_TOKEN={}", "abcdef123456789", "token"),
    ("//registry.npmjs.org/:_authToken={}", "abcdef12-3456-7890-abcd-ef1234567890", "token"),
]

ORDINARY = """
password=None
token: str
def f(token: str, password: str | None = None) -> None:
password=os.environ["DB_PASSWORD"]
password = os.environ.get("PASSWORD2")
api_key=<your key>
api_key="your-api-key-here"
API_KEY=xxxxxxxxxxxxxxx
password=${DB_PASSWORD}
token = example
secret=$(cat /run/secrets/x1)
password = getpass.getpass("Password: ")
"input_tokens": 12345678, "cache_read_input_tokens": 123456789
max_tokens=4096000000
const token = await getToken2(user)
token = self.tokenizer.next_token()
{ token: "keyword.operator", foreground: "569cd6" }
primary_key=True
key = "some_dictionary_key1"
cache_key = "user:12345678:profile"
<input type="password" name="password" id="password1">
secretKeyRef: my-app-secrets
tokenUrl: "https://example.com/oauth2/token1"
Authorization: Bearer $TOKEN
Authorization: Bearer YOUR_TOKEN_HERE1
https://user@host/path
http://localhost:3000/@vite/client
postgres://user:${PASS}@host/db
-----BEGIN PRIVATE KEY-----
key.startswith("-----BEGIN PRIVATE KEY-----") and key.endswith("-----END PRIVATE KEY-----")
commit 0123456789abcdef0123456789abcdef01234567
task-1234567890abcdef1234567890
from 'sk-learn-something-long-package'
keyboard: "abcd1234efgh"
password: Enter your password2
the token is 12345678 and the key: abc
Passwords should be at least 8 characters
"next_page_token": "CAUQAAxyz123456"
SELECT password FROM users WHERE token = $1
uuid: 123e4567-e89b-12d3-a456-426614174000
password_field = "password_confirmation"
test_something_with_a_really_long_name_1234
""".strip().splitlines()


@pytest.mark.parametrize(("kind", "secret"), SHAPED)
def test_secrets_of_known_services_are_found_anywhere(kind: str, secret: str) -> None:
    for around in ("{}", "see {} here", '"{}"', "X={}\n", "漢{}字", "İß ({})", "a\\n{}\\nb"):
        text = around.format(secret)
        assert redact(text) == around.format(f"[redacted:{kind}]")


@pytest.mark.parametrize(("line", "secret", "kind"), ASSIGNED)
def test_secrets_are_found_by_what_they_are_assigned_to(line: str, secret: str, kind: str) -> None:
    for around in ("{}", "İ漢 {}", "first\n{}\nlast"):
        text = around.format(line.format(secret))
        assert redact(text) == around.format(line.format(f"[redacted:{kind}]"))


@pytest.mark.parametrize("line", ORDINARY)
def test_ordinary_lines_stay(line: str) -> None:
    assert redact(line) == line


def test_a_slack_webhook_keeps_its_scheme() -> None:
    url = "https://hooks.slack" + ".com/services/T00000000/B00000000/" + MIXED[:24]
    assert redact(f"post to {url}.") == "post to https://[redacted:slack-webhook]."


@pytest.mark.parametrize(
    "key",
    [
        PEM,
        PEM.replace("\n", "\\n"),
        PEM.replace("\n", "\r\n"),
        "\n".join(f"{number:6}→{line}" for number, line in enumerate(PEM.split("\n")))[7:],
        "\n".join("+" + line for line in PEM.split("\n"))[1:],
        PEM.replace("-----\n", "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n", 1),
        PEM.replace("RSA ", "OPENSSH "),
        PEM.replace("RSA PRIVATE", "PGP PRIVATE").replace(" KEY-----", " KEY BLOCK-----"),
        PEM[:140],
        PEM.replace("\n", "\\n")[:140],
    ],
)
def test_private_keys_go_whole_or_cut(key: str) -> None:
    assert redact(f'before "{key}" after') == 'before "[redacted:private-key]" after'


def test_prose_after_a_cut_key_stays() -> None:
    assert redact(PEM[:140] + "\n\nand then prose goes on").endswith("and then prose goes on")


def test_a_token_in_a_url_is_redacted_once() -> None:
    token = "ghp_" + MIXED + "abcd"
    assert redact(f"https://{token}@github.com/x") == "https://[redacted:github-token]@github.com/x"
    assert redact(f"TOKEN={token}") == "TOKEN=[redacted:github-token]"


def test_findings_say_where() -> None:
    assert find_secrets("x password=hunter2hunter2 y") == [SecretMatch("password", 11, 25)]


PIECES = st.sampled_from(
    [
        *(secret for _, secret in SHAPED),
        *(line.format(secret) for line, secret, _ in ASSIGNED),
        *ORDINARY,
        *(PEM, PEM[:120], "password=", "token: ", '"', "'", " ", "\n", "://", "@", "Bearer ", "=", "\\n", "-----"),
        *("漢İ", "\udc80", "["),
    ]
)


@given(st.lists(PIECES, max_size=8))
def test_redacting_twice_changes_nothing_more(pieces: list[str]) -> None:
    once = redact("".join(pieces))
    assert redact(once) == once
    assert find_secrets(once) == []


@given(st.text())
def test_no_text_breaks_it_and_findings_stand_apart(text: str) -> None:
    found = find_secrets(text + " password=" + text)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    assert all(one.start < one.end for one in found)


def test_a_key_that_begins_elsewhere_goes_up_to_its_end() -> None:
    rest = PEM[PEM.index(BODY) + len(BODY) + 1 :]
    for text in (rest, rest.replace("\n", "\\n")):
        assert redact(f"the rest: {text}\nand prose") == "the rest: [redacted:private-key]\nand prose"
    alone = "-----END RSA PRIVATE" + " KEY-----"
    assert redact(f"it ends with\n{alone}") == f"it ends with\n{alone}"


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    ["a", ".", "password=", 'password="', "token: A", "://a:b", "eyJ", ".eyJ", "-----BEGIN PRIVATE KEY-----", "_KEY=",
     "Authorization: ", "Bearer ", "SK", "sk-", "-", "\\", "xoxb-", "A_",
     "mysql -p", "mysql ", "login a password ", "-u a:", "Cookie: sid=", "-----END PRIVATE KEY-----", "AAAA+\n",
     "Private-Lines: 5\n", ".eyJM", "password>", "password',", "-us1"],
)  # fmt: skip
def test_hostile_texts_are_read_in_linear_time(piece: str) -> None:
    assert redact(piece * (100_000 // len(piece))).startswith(piece[:1])


@pytest.mark.parametrize(
    "text",
    ["pass" + 12 * "-123456789" + "q and more", "key_" + 40 * "base64" + "q and more", "auth_" + 40 * "forx" + "9q to",
     "mnemonic: " + (11 * " ").join(["branch", "string", "words"] * 4) + " 9"],
)  # fmt: skip
def test_short_texts_that_match_in_many_ways_are_read_at_once(text: str) -> None:
    begun = time.process_time()
    assert redact(text) == text
    assert time.process_time() - begun < 1


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for inner in value for text in _strings(inner)] if isinstance(value, list) else []


def test_real_transcripts_hold_next_to_nothing_that_is_taken_for_a_secret(test_data: Path) -> None:
    lines = found = 0
    for path in sorted((test_data / "transcripts").rglob("*.jsonl"))[:12]:
        for line in path.read_text(errors="surrogateescape").splitlines():
            try:
                texts = _strings(json.loads(line))
            except ValueError:
                texts = [line]
            lines += sum(text.count("\n") + 1 for text in texts)
            found += sum(len(find_secrets(text)) for text in texts)
    assert lines > 10_000 and found <= lines / 1000


def test_the_words_private_key_alone_are_no_key() -> None:
    text = "put the PRIVATE KEY into the vault"
    assert redact(text) == text


def test_many_cookies_in_one_line_are_looked_through_once() -> None:
    text = "Set-Cookie: " * 5_000
    assert redact(text) == text
    assert "[redacted:cookie]" in redact(text + "session=a1b2c3d4e5f6a7b8c9d0a1b2")


def test_a_short_text_is_looked_through_as_a_long_one() -> None:
    for number in range(500):
        assert find_secrets(f"nothing {number}") == []
    more = "\n\nand so on" * 60
    texts = [
        text for seed in (1, 2, 3) for plant in plants(seed) for text in plant.text.split(SPLIT) if len(text) <= 500
    ]
    assert len(texts) > 1_000
    for text in (*texts, *clean.lines()):
        assert find_secrets(text) == [one for one in find_secrets(text + more) if one.end <= len(text)], text


@pytest.mark.parametrize("depth", range(5))
def test_a_secret_in_quotes_goes_however_often_it_was_escaped(depth: int) -> None:
    value = "6EU9Klg9dUJeCR6H7qVNMI2rFuZK"
    for text in (f'SECRET_KEY = "{value}"', f'{{"api_key": "{value}"}}', f'String PASSWORD = "{value}";'):
        for _ in range(depth):
            text = json.dumps({"output": text})
        assert value not in redact(text), text
