"""Context that is handed over: at a session's start, to a prompt, as an answer, to the next program."""
