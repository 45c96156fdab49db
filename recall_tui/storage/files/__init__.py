"""Files written whole or not at all, locked, and compared before they are replaced."""
