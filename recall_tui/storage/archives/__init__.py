"""Session archives, their index and retained transcripts."""
