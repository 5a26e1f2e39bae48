"""Version of the program, written only here."""

__version__ = "0.2.0"
