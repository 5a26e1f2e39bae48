"""Error for arguments that do not make sense together."""


class UsageError(Exception):
    """Invalid combination of arguments; the message says what to do."""
