"""The command ``jointlimits``: one module per subcommand."""

from .main import main

__all__ = ["main"]
