"""What screens are made of; each shows one thing."""
