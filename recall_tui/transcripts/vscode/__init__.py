"""Chats with Copilot in VS Code."""
