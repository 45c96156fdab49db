"""Topics of a memory and a prompt that is about them."""

from __future__ import annotations

TOPICS = (
    ("the token refresh races with logout", "A mutex around `refreshToken` ended the race; logout waits for it."),
    ("snapshots flake on the slow runner", "The cursor blinked; a frozen clock made the snapshots stable."),
    ("invoice rounding is off by a cent", "Rounding happens once now, on the total, half to even."),
    ("watering schedule of the greenhouse", "The pump runs at dawn, twenty minutes for every bed."),
    ("migrate the sqlite catalogue to version four", "A numbered migration adds the column `stretches`."),
)
RACE = "how did we end the race of token refresh and logout?"
