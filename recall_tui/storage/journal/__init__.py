"""The journal: every change of a file of the person, with its way back."""
