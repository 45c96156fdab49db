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
    ("snmpget -v2c -c {} 10.0.0.1 sysDescr.0", "kT8vLq2xW"),
    ("snmpwalk -c {} -v 2c 10.0.0.1", "c0mmun1ty-RW"),
    ("rwcommunity {} 10.0.0.0/8", "kT8vLq2xW"),
    ("com2sec readonly default {}", "kT8vLq2xW"),
    ("snmp-server community {} RO", "kT8vLq2xW"),
    ("AUTH {}", "kT8vLq2xW"),
    ("127.0.0.1:6379> auth default {}\nOK", "blueWhaleSong"),
    ("requirepass {}\nmasterauth x", "kT8vLq2xW"),
    ("masterauth {}\n", "blueWhaleSong"),
    ("CONFIG SET masterauth {}", "kT8vLq2xW"),
    ('expect "assword:" {{ send "{}\\r" }}', "kT8vLq2xW"),
    ('expect -re "assword.*"\nsend -- "{}\\r"', "blueWhale"),
    ("the PIN is {}", "4821"),
    ("my PIN: {}", "4821"),
    ("My PIN is {}, please remember it.", "4821"),
    ("The pin code is {}.", "482193"),
    ("the PIN of the card is {}", "9173"),
    ("unlock it with PIN {}", "4821"),
    ("the passcode is {}", "4821"),
    ("sshpass -p {} ssh root@host", "blueWhale"),
    ("mysql -u root -p{} shop", "blueWhale"),
    ("ldapsearch -x -D cn=admin,dc=x -w {} -b dc=x", "blueWhale"),
    ("smbclient //srv/share {} -U jo", "kT8vLq2xW"),
)
HARMLESS = (
    "snmpget -v2c -c public 10.0.0.1 sysDescr.0; rocommunity public; com2sec readonly default public",
    "python3 -c print(1) and git -c core.pager=cat log and bash -c 'set -e1'",
    "AUTH failed again2 today",
    "535 AUTH LOGIN failed1",
    "masterauth <master-password>",
    'expect "assword:"\nsend "$password\\r"',
    "GPIO pin 17 of pin header 1024, the map pin is 4000 px wide, PIN 1000 ohm, pin: 40000 px",
    "the pin for port 8080 is open, the pin of row 2024 is missing, pin: 2024.1.0, pinned 4821",
    "PIN codes have 4 to 8 digits",
    "mkdir -p srcFolder && docker run -p hostPort && tmux -p someValue",
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
