"""Own examples: a humanoid whose limits are known, a tracked arm, and bodies that look captured."""
