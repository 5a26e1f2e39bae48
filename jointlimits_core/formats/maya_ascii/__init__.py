"""Maya ASCII scenes: parsed as data, never executed."""
