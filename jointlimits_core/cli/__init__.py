"""The command ``jointlimits``: one module per subcommand."""
