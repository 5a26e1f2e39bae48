"""The command ``jointlimits``: one subcommand a module."""

from .main import main

__all__ = ["main"]
