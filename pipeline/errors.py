"""The one exception a making function raises on purpose."""


class MakeError(Exception):
    """An artifact could not be made; the message is one line, with the values and the fix."""
