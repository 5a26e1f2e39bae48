"""Joint types and joint limits, read from motion.

Names are imported when they are first used, so that what needs no numpy (the version, the option
table, the errors) can be used where numpy is missing: Maya brings none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .base.version import __version__ as __version__

if TYPE_CHECKING:
    from .public import *  # noqa: F403


def __getattr__(name: str) -> Any:
    if not name.startswith("__") or name == "__all__":
        public = import_module(".public", __name__)
        if name == "__all__" or name in public.__all__:
            return getattr(public, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(import_module(".public", __name__).__all__)
