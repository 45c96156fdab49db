"""Sessions forgotten and secrets taken out, without a way back."""
