"""The panels around a joint."""
