"""The joint list."""
