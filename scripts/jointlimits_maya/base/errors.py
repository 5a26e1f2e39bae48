"""Errors about the open scene; their messages say what to do.

Imports neither numpy nor the core, so that the commands can be registered, and can say what is
missing, in a Maya without numpy.
"""

from __future__ import annotations


class SceneError(ValueError):
    """A problem of the open scene, or of a request, that the user must fix first.

    Parameters
    ----------
    message : str
        What is wrong and what to do about it.
    where : str
        The node concerned; empty for the scene.
    """

    def __init__(self, message: str, where: str = "") -> None:
        self.message, self.where = message, where
        super().__init__(f"{where}: {message}" if where else message)


class MayaRefusedError(RuntimeError):
    """Maya rejected a change; everything done so far was rolled back.

    Parameters
    ----------
    reason : object
        Maya's own error.
    """

    def __init__(self, reason: object) -> None:
        super().__init__(
            f"Maya rejected a change, and the scene was restored: {str(reason).strip().rstrip('.')}"
            ". Check for locked or connected attributes and locked references, and try again"
        )
