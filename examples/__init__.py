"""The project's own examples: a humanoid whose joint types and limits are known, a tracked arm."""
