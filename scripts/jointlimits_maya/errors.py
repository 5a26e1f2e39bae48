"""What stands in the way in the open scene, in sentences that say what to do next.

Neither numpy nor the core is imported here, so that the commands can be registered, and can say
what is missing, in a Maya that has no numpy yet.
"""

from __future__ import annotations


class SceneError(ValueError):
    """Something in the open scene, or in what was asked of it, that has to be put right first.

    Parameters
    ----------
    message : str
        What is wrong and what to do about it, in a sentence or two.
    where : str
        The node it is about; empty for the scene.
    """

    def __init__(self, message: str, where: str = "") -> None:
        self.message, self.where = message, where
        super().__init__(f"{where}: {message}" if where else message)


class MayaRefusedError(RuntimeError):
    """Maya refused a change, and everything that was begun has been taken back.

    Parameters
    ----------
    reason : object
        What Maya said.
    """

    def __init__(self, reason: object) -> None:
        super().__init__(
            f"Maya refused a change, all is as it was: {str(reason).strip().rstrip('.')}. See "
            "whether something is locked, connected or in a locked reference, and try again"
        )
