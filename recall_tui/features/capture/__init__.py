"""Sessions into archives, the window and day logs; their expiry and what is kept of transcripts."""
