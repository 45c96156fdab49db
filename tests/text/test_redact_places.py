"""Secrets that a command, a setter, a sentence or a value one level deeper tells of, and what only looks like them."""

from __future__ import annotations

import pytest

from recall_tui.text.secrets.redact import redact

SECRETS = (
    ("redis-cli -h cache.example -a {} ping", "q7Rt2LmPzW9x"),
    ("ldapsearch -x -D cn=admin,dc=example -w {} -b dc=example uid=jo", "vN3kT8qLw2"),
    ("htpasswd -b /etc/nginx/.htpasswd grafana {}", "Lw93kdPqz"),
    ("echo 'deploy:{}' | sudo chpasswd", "Zt81mmQpw"),
    ("curl -u robot:'{}' https://jenkins.example/job", "Xa72kqLmn"),
    ("$pw = ConvertTo-SecureString '{}' -AsPlainText -Force", "Kd83!mmPq"),
    ("bundle config set --global gems.example ci:{}", "pX82kkQmz1"),
    ("define( 'DB_PASSWORD', '{}' );", "Qm%Ld@2kPz"),
    ('"api_token": {{"sensitive": true, "type": "string", "value": "{}"}}', "4f0c1d9b-e0a7-c63d-5512-ab90ffe3c1bb"),
    ("db_password:\n  sensitive: true\n  value: {}\n", "hT83kkqLm2"),
    ("the SERVICE_TOKEN for staging is {} - please rotate it", "4f0c1d9be0a7c63d5512ab90ffe3c1bb"),
    ("the password for the staging admin is {}, change it", "Qb~DRx86.L0"),
    ("pw is {} (user root)", "mge?RQuAyMz!"),
    ("A temporary password is generated for root@localhost: {}", "a8Kq;2lPw.Tz"),
    ("recovery: {}", "1PRK-" + "-".join(["A7KD"] * 13)),
    ("key e2b_{} in use", "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"),
)
HARMLESS = (
    "ls -a src/v2 && git checkout -b fix-2 && grep -w v2 README.md",
    "the token for staging is rotated every 30 days",
    "the password for the admin is in the vault",
    "define('DB_PASSWORD', getenv('DB_PASSWORD'));",
    '"max_tokens": {"type": "number", "value": 4096}',
    "password is required!",
    "htpasswd -c /etc/nginx/.htpasswd grafana",
)


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_told_by_its_place(text: str, secret: str) -> None:
    assert secret not in redact(text.format(secret))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_stands_in_such_a_place_stays(text: str) -> None:
    assert redact(text) == text
