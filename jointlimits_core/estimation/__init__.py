"""From motion to joint types and limits."""
