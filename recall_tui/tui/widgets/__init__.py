"""The widgets that screens are made of; each shows one thing."""
