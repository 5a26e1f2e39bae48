"""The project's own example: a humanoid whose true joint types and limits are known."""
