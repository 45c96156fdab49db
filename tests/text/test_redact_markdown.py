"""Secrets in answers that are written in Markdown, in shells' pipes, in calls that log in, and in words."""

from __future__ import annotations

import json

import pytest

from recall_tui.text.secrets.redact import redact

PASSWORDS = ("q7Rt2LmPzW9x", "hT8!kkqLm2w", "Sommer-2024x")
ANSWERS = (
    "**Password**: `{}`",
    "**Password:** `{}`",
    "**API key** — `{}`",
    "- **Password** – {}",
    "* Password: **{}**",
    "__Password__: {}",
    "### Password\n\n`{}`",
    "| **Password** | `{}` |",
    "| password | {} |",
    "Password → `{}`",
    "The **password** is **{}**.",
    "I set it up. Your **API_TOKEN** is `{}`, keep it safe.",
    'Password ("{}")',
    "Use `{}` as the password",
    "{} is the password",
)
PIPES = (
    "echo {} | docker login -u jo --password-stdin",
    "printf '%s' '{}' | docker login ghcr.io -u jo --password-stdin",
    "docker login -u jo --password-stdin <<< '{}'",
    "echo '{}' | su -c ls jo",
    "sudo -S ls <<< '{}'",
    "kinit jo@EX.COM <<< '{}'",
    "echo {} | cryptsetup open /dev/sda x",
    "echo {} | vault login -",
    "echo '{}' | gh auth login --with-token",
    "echo {} | gh secret set DB_PASSWORD",
    "gh secret set DB_PASSWORD --body {}",
    "echo -n {} | gcloud secrets create db --data-file=-",
    "echo {} | kubectl create secret generic db --from-file=password=/dev/stdin",
    "(echo '{}'; echo '{}') | passwd jo",
    'echo "{}" | openssl enc -aes-256-cbc -pass stdin',
    "htpasswd -i f jo <<< {}",
    "ssh-keygen -t rsa -N '{}' -f k",
    "zip -e -P{} a.zip dir",
    "7z x a.7z -p{}",
    'expect "password:"\nsend "{}\\r"',
)
CALLS = (
    'login("jo", "{}")',
    'client.login(user, "{}")',
    'authenticate("jo", "{}")',
    "await page.fill('#password', '{}')",
    "page.getByLabel('Password').fill('{}')",
    'driver.find_element(By.ID, "password").send_keys("{}")',
    'pymysql.connect("db", "jo", "{}", "shop")',
    "new PDO('mysql:host=db', 'jo', '{}')",
    "User.objects.create_user('jo', 'jo@example.com', '{}')",
    "auth: { user: 'jo', pass: '{}' }",
    'user.setDbPassword("{}")',
)
COOKIES = (
    "curl -b 'sessionid={}' https://shop.example/",
    'curl --cookie "auth_token={}; theme=dark" https://shop.example/',
    "Cookie: theme=dark; sid={}",
    'cookies={"sessionid": "{}"}',
)
WORDS_12 = "legal winner thank year wave sausage worth useful legal winner thank yellow"
WORDS_24 = f"{WORDS_12} hamster diagram private dutch cause delay private meat slide toddler razor book"
PHRASES = (
    "seed phrase: {}",
    "my mnemonic is {}",
    'MNEMONIC="{}"',
    '"mnemonic": "{}"',
    "Secret Recovery Phrase\n\n{}",
    "your 12-word seed phrase `{}`",
)
HARMLESS = (
    "the seed phrase has twelve words which you should never share with anyone online ever",
    "a mnemonic of twelve short words for this list: every good boy does fine always",
    "**Password**: required",
    "Password — at least 12 characters",
    "| `API_TOKEN` | required | see docs/auth2.md |",
    "- **Token** – the token of the step-2 job",
    'echo "$TOKEN" | gh auth login --with-token',
    "echo hello-2 | cat",
    "cat <<< 'hello-2'",
    "curl -b cookies.txt -c cookies2.txt https://shop.example",
    'login_page.click("Sign-in-2")',
    'socket.connect("tcp://db", 1883)',
    '$ftp->login("anonymous", "-anonymous@")',
    "await page.fill('#name', 'Step-2')",
    "git checkout -b feature=login-2x",
    "see the recovery codes page, section 2",
)


def _is_masked(text: str, secret: str) -> bool:
    """Tell whether nothing of the secret is left in the text, as it stands and as a line of JSON holds it."""
    line = redact(json.dumps({"text": text}))
    return secret not in redact(text) and json.dumps(secret)[1:-1] not in line


@pytest.mark.parametrize("text", [*ANSWERS, *PIPES, *CALLS, *COOKIES])
def test_a_secret_is_told_by_what_stands_around_it(text: str) -> None:
    for password in PASSWORDS:
        assert _is_masked(text.replace("{}", password), password), password


@pytest.mark.parametrize("text", PHRASES)
def test_the_words_of_a_wallet_are_masked(text: str) -> None:
    for words in (WORDS_12, WORDS_24):
        for line in (text.replace("{}", words), json.dumps({"text": text.replace("{}", words)})):
            assert "sausage" not in redact(line)
            assert redact(redact(line)) == redact(line)


def test_recovery_codes_below_their_heading_are_masked() -> None:
    text = "Save these recovery codes:\nc2743-87a24\nb96b9-8e222\n"
    assert _is_masked(text, "c2743-87a24")
    assert _is_masked(text, "b96b9-8e222")


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_such_a_place_stays(text: str) -> None:
    assert redact(text) == text
