"""Classes that know only what is modelled: any other name raises."""

from __future__ import annotations

from typing import Any, NoReturn

from tests.maya_standin.errors import NotModelledError, NotModelledNameError
from tests.maya_standin.open_maya.current import session


class StrictType(type):
    """Raises for class attributes (constants, static methods) that are not modelled."""

    def __getattr__(cls, name: str) -> Any:
        raise NotModelledNameError(f"{cls.__name__}.{name}")


class Strict(metaclass=StrictType):
    """Raises for attributes that are not modelled; subclasses with slots take no new ones."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        raise NotModelledNameError(f"{type(self).__name__}.{name}")


class Display(Strict):
    """What MGlobal and the commands of plug-ins say to the user."""

    @staticmethod
    def displayInfo(msg: str, /) -> None:
        session().messages.append(("info", str(msg)))

    @staticmethod
    def displayWarning(msg: str, /) -> None:
        session().messages.append(("warning", str(msg)))

    @staticmethod
    def displayError(msg: str, /) -> None:
        session().messages.append(("error", str(msg)))


def not_modelled(what: str) -> NoReturn:
    """Refuse a use of a modelled call that is not itself modelled."""
    raise NotModelledError(what)


def check_kind(value: object, *kinds: type, what: str) -> None:
    """Refuse a value of a wrong type with a TypeError, as Maya's own binding does."""
    if not isinstance(value, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"{what} must be {names}, not {type(value).__name__}")
