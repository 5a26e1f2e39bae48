"""Text of the window, ready for translation, and formatting of numbers."""

from __future__ import annotations

from jointlimits_core.option_table import option
from jointlimits_core.wording import number

from .qt import QtCore

CONTEXT = "JointLimits"
MINUS = "\N{MINUS SIGN}"


def tr(text: str, **values: object) -> str:
    """Text in the language of the window.

    Parameters
    ----------
    text : str
        English literal, so that Qt's tools find it; `{name}` stands for a value.
    **values
        Inserted after the translation.
    """
    translated = str(QtCore.QCoreApplication.translate(CONTEXT, text))
    return translated.format(**values) if values else translated


def counted(count: int, one: str, many: str) -> str:
    """One of two texts, with `{count}` inserted: "1 frame", "12,000 frames".

    Parameters
    ----------
    one, many : str
        English with `{count}`, as for :func:`tr`.
    """
    return tr(one if count == 1 else many, count=f"{count:,}")


def degrees(value: float, digits: int = 1) -> str:
    """Angle as text: "−12.3°"."""
    return number(value, digits).replace("-", MINUS) + "°"


def one_end(state: str, low: float | None, high: float | None, digits: int = 1) -> str:
    """Range that is open at one end: "from −12.3°"; "" for any other."""
    if state == "free" or (low is None) == (high is None):
        return ""
    if high is None:
        return tr("from {angle}", angle=degrees(low or 0.0, digits))
    return tr("up to {angle}", angle=degrees(high, digits))


def millimetres(value: float, digits: int = 1) -> str:
    """Length as text: "12.3 mm"."""
    return number(value, digits).replace("-", MINUS) + " mm"


def frame_number(value: float) -> str:
    """Frame number of the source: "12", "12.5"."""
    return f"{value:.10g}".replace("-", MINUS)


def option_label(name: str) -> str:
    """Label of an option, from the option table."""
    plain = name.rpartition("_")[0] if name.endswith(("_deg", "_mm")) else name
    return tr(option(name).label or plain.replace("_", " ").capitalize())


def option_words(name: str, value: object) -> str:
    """Label of an option's value: "lossless" is "hold every frame"."""
    item = option(name)
    known = item.choices or item.common
    return tr(item.words[known.index(value)]) if item.words and value in known else str(value)


def option_help(name: str) -> str:
    """One line of help on an option, from the option table."""
    return tr(option(name).help)
