"""The command ``jointlimits``: one module per subcommand."""

from .main import main, program

__all__ = ["main", "program"]
