"""The Distill screen."""
