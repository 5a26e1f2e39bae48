"""Words of the window: ready to be translated, numbers as people write them."""

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
        English, a literal, so that Qt's tools find it; `{name}` stands for a value.
    **values
        What is put in after the translation.
    """
    translated = str(QtCore.QCoreApplication.translate(CONTEXT, text))
    return translated.format(**values) if values else translated


def counted(count: int, one: str, many: str) -> str:
    """One of two texts, with `{count}` in place: "1 frame", "12,000 frames".

    Parameters
    ----------
    one, many : str
        English with `{count}`, as :func:`tr` wants it.
    """
    return tr(one if count == 1 else many, count=f"{count:,}")


def degrees(value: float, digits: int = 1) -> str:
    """Angle for people: "−12.3°"."""
    return number(value, digits).replace("-", MINUS) + "°"


def one_end(state: str, low: float | None, high: float | None, digits: int = 1) -> str:
    """Range with a bound at one end only, for people: "from −12.3°"; "" for any other."""
    if state == "free" or (low is None) == (high is None):
        return ""
    if high is None:
        return tr("from {angle}", angle=degrees(low or 0.0, digits))
    return tr("up to {angle}", angle=degrees(high, digits))


def millimetres(value: float, digits: int = 1) -> str:
    """Length for people: "12.3 mm"."""
    return number(value, digits).replace("-", MINUS) + " mm"


def frame_number(value: float) -> str:
    """Frame as its source numbers it: "12", "12.5"."""
    return f"{value:.10g}".replace("-", MINUS)


def option_label(name: str) -> str:
    """What an option is called beside its field, as the option table has it."""
    plain = name.rpartition("_")[0] if name.endswith(("_deg", "_mm")) else name
    return tr(option(name).label or plain.replace("_", " ").capitalize())


def option_words(name: str, value: object) -> str:
    """What a value of an option is called: "lossless" is "hold every frame"."""
    item = option(name)
    known = item.choices or item.common
    return tr(item.words[known.index(value)]) if item.words and value in known else str(value)


def option_help(name: str) -> str:
    """One line on an option, as the option table has it."""
    return tr(option(name).help)
