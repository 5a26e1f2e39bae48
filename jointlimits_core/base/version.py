"""Version of the program, written only here."""

__version__ = "0.1.0"
