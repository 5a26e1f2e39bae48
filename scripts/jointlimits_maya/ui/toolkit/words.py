"""Words of the window: counts, options by their labels, shapes and dependencies of a joint."""

from __future__ import annotations

from collections.abc import Sequence

from jointlimits_core.base.options import option, option_table
from jointlimits_core.base.text import number
from jointlimits_core.limits import limit_set, records, vocabulary
from jointlimits_core.report.terminal.shapes import MAX_FLAT_SHARE, dependency_status, range_freedom


def count_words(count: int, one: str, many: str) -> str:
    """One of two texts with `{count}` inserted: "1 frame", "12,000 frames"."""
    return (one if count == 1 else many).format(count=f"{count:,}")


def first_names(names: Sequence[str], most: int = 4) -> str:
    """The first names, and how many more there are: "a, b and 3 more"."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def millimetres(value: float, digits: int = 1) -> str:
    """Length as text: "12.3 mm"."""
    return number(value, digits).replace("-", vocabulary.MINUS) + " mm"


def frame_number(value: float) -> str:
    """Frame number of the source: "12", "12.5"."""
    return f"{value:.10g}".replace("-", vocabulary.MINUS)


def option_label(name: str) -> str:
    """Label of an option, from the option table."""
    plain = name.rpartition("_")[0] if name.endswith(("_deg", "_mm")) else name
    return option(name).label or plain.replace("_", " ").capitalize()


def option_words(name: str, value: object) -> str:
    """Label of an option's value: "lossless" is "hold every frame"."""
    item = option(name)
    known = item.choices or item.common
    return item.words[known.index(value)] if item.words and value in known else str(value)


def option_place(name: str) -> str:
    """Where the window has an option: its label in quotation marks, "in Options"; "" if unknown."""
    if name not in option_table():
        return ""
    opening, closing = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"
    return f"{opening}{option_label(name)}{closing} in Options"


KEPT_BY = "Enforced by checks with shapes, and by projection on the command line."


def shape_words(joint: limit_set.JointLimit) -> str:
    """Description of a joint's shape and the freedom it leaves; empty without one."""
    coupled = joint.coupled
    if coupled is None:
        return ""
    pad = f"{coupled.pad_deg:g}°"
    if coupled.freedom <= MAX_FLAT_SHARE:
        axes = "both its axes" if joint.type == "universal" else "its axis"
        return f"Shape about {axes} only, with a margin of {pad}."
    share = f"{100 * coupled.freedom:.2g}"
    text = f"Shape ({coupled.kind} + {pad}) allows {share} % of all rotations"
    ranges = range_freedom(joint, coupled.pad_deg)
    if ranges > MAX_FLAT_SHARE:
        part = f"{100 * coupled.freedom / ranges:.0f}"
        text += f", {part} % of what its X/Y/Z ranges allow"
    if coupled.trimmed:
        text += "; " + count_words(
            coupled.trimmed, "{count} sample outside", "{count} samples outside"
        )
    return text + "."


def dependencies_of(joint: str, limits: limit_set.LimitSet) -> list[records.Dependency]:
    """Dependencies of a joint, beginning with the dependencies that limit it."""
    dependencies = limits.dependencies
    own = [item for item in dependencies if item.joint == joint]
    return own + [item for item in dependencies if item.on_joint == joint and item not in own]


def dependency_line(joint: str, limits: limit_set.LimitSet) -> str:
    """The first dependency of a joint, and the number of others; empty without one."""
    found = dependencies_of(joint, limits)
    if not found:
        return ""
    more = f" And {len(found) - 1:,} more."
    return f"{dependency_status(limits, found[0])}." + (more if len(found) > 1 else "")


def dependency_list(joint: str, limits: limit_set.LimitSet) -> str:
    """All dependencies of a joint, one per line, and what enforces them; empty without one."""
    found = [f"{dependency_status(limits, item)}." for item in dependencies_of(joint, limits)]
    return "\n".join([*found, KEPT_BY] if found else [])
