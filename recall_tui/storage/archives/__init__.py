"""Archives of sessions, their index and retained transcripts."""
