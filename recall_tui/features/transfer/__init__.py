"""Export, import, and sessions handed to another memory."""
