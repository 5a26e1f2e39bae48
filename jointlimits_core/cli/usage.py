"""What a subcommand raises when its arguments do not make sense together."""


class UsageError(Exception):
    """A combination of arguments that makes no sense; the message says what to do."""
