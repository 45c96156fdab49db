"""The app: where a person sees what their agents remember."""
