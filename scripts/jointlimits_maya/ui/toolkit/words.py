"""Texts of the window: counts, options, joint shapes and dependencies, errors, changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import takewhile

from jointlimits_core.base import errors
from jointlimits_core.base.options import option, option_table
from jointlimits_core.base.text import channel_letter, number, plural
from jointlimits_core.limits import limit_set, records, vocabulary
from jointlimits_core.limits.diff import diff
from jointlimits_core.report.terminal.shapes import MAX_FLAT_SHARE, dependency_status, range_freedom

MAX_NAME, MAX_PATH = 24, 64
"""Maximum number of characters of names in narrow places, and of paths in menus."""


def counted(count: int, noun: str) -> str:
    """Count and noun: "1 frame", "12,000 frames"."""
    return f"{count:,} {plural(count, noun).partition(' ')[2]}"


def first_names(names: Sequence[str], most: int = 4) -> str:
    """The first names, and the number of others: "a, b and 3 more"."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def short_name(name: str, most: int = MAX_NAME) -> str:
    """A long name with its middle left out, to leave room for what is beside it."""
    first = (most - 1) // 2
    return name if len(name) <= most else f"{name[:first]}…{name[first + 1 - most :]}"


def own_parts(names: Sequence[str]) -> list[str]:
    """Long names without the words that all of them begin and end with: "arm_l" of "rig_arm_l_x".

    Short names, and names of which nothing would be left, stay as they are.
    """
    first, last = (
        "".join(letters[0] for letters in takewhile(lambda alike: len(set(alike)) == 1, zip(*each)))
        for each in (names, [name[::-1] for name in names])
    )
    first, last = first.rpartition("_")[0], last.rpartition("_")[0]
    own = [name[len(first) : len(name) - len(last)].strip("_") for name in names]
    is_long = max(map(len, names), default=0) > MAX_NAME
    return own if is_long and all(own) and len(set(own)) == len(set(names)) else list(names)


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
    """Label of an option's value, such as "hold every frame" for "lossless"."""
    item = option(name)
    known = item.choices or item.common
    return item.words[known.index(value)] if item.words and value in known else str(value)


def option_place(name: str) -> str:
    """Place of an option in the window: its quoted label and "in Options"; empty if unknown."""
    if name not in option_table():
        return ""
    opening, closing = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"
    return f"{opening}{option_label(name)}{closing} in Options"


def shape_words(joint: limit_set.JointLimit) -> str:
    """Description of a joint's shape and the freedom it leaves; empty without a shape."""
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
        text += f"; {counted(coupled.trimmed, 'sample')} outside"
    return text + "."


def dependencies_of(joint: str, limits: limit_set.LimitSet) -> list[records.Dependency]:
    """Dependencies of a joint, beginning with those that limit it."""
    dependencies = limits.dependencies
    own = [item for item in dependencies if item.joint == joint]
    return own + [item for item in dependencies if item.on_joint == joint and item not in own]


def dependency_line(joint: str, limits: limit_set.LimitSet) -> str:
    """The first dependency of a joint, and the number of others; empty if it has none."""
    found = dependencies_of(joint, limits)
    if not found:
        return ""
    more = f" And {len(found) - 1:,} more."
    return f"{dependency_status(limits, found[0])}." + (more if len(found) > 1 else "")


def dependency_list(joint: str, limits: limit_set.LimitSet) -> str:
    """All dependencies of a joint, one per line, and what enforces them; empty if it has none."""
    found = [f"{dependency_status(limits, item)}." for item in dependencies_of(joint, limits)]
    enforced = "Enforced on the command line, by checks with shapes and by projection."
    return "\n".join([*found, enforced] if found else [])


MAX_MOVED = 3
"""Maximum number of changes listed after an estimate."""


def sentence(error: BaseException, names: Collection[str] = ()) -> str:
    """Message of an error as a sentence; a name at its start keeps its case."""
    if isinstance(error, OSError) and error.strerror:
        place = f" ({error.filename})" if error.filename else ""
        text = f"{error.strerror}{place}"
    else:
        text = errors.reader_words(error, option_place)
    first = text.split(" ", 1)[0]
    if first not in names and first.rstrip(":,;.") not in names:
        text = f"{text[:1].upper()}{text[1:]}"
    return f"{text}{'' if text.endswith(('.', '?', '!')) else '.'}"


def missing_words(names: Collection[str], limits: limit_set.LimitSet) -> str:
    """Message about joints of a limit set that are missing from the scene."""
    if set(names) == set(limits.joints):
        return (
            "The character that these limits belong to is no longer in the scene: it was deleted, "
            "or its reference was unloaded. The limits are kept here; Save writes them to a file."
        )
    verb = "is" if len(names) == 1 else "are"
    return (
        f"{counted(len(names), limits.noun)} {verb} no longer in the scene under this name: "
        f"{first_names(sorted(names))}. "
        "Apply skips them; the limits are kept here."
    )


def moved_limits_words(before: limit_set.LimitSet, after: limit_set.LimitSet) -> str:
    """Changes that an estimate made to the limits in force, largest first."""
    found = []
    for change in diff(before, after).changes:
        is_end = change.what in ("min", "max") and change.by_deg is not None
        if is_end or change.what in ("type", "state"):
            letter = "" if change.channel is None else channel_letter(change.channel)
            what = "" if change.what == "state" else change.what
            place = " ".join(part for part in (change.joint or "", what, letter) if part)
            words = vocabulary.degrees if is_end else str
            text = f"{place} from {words(change.before)} to {words(change.after)}"
            found.append((-abs(change.by_deg or 0.0), text))
    if not found:
        return "No limit changed."
    found.sort(key=lambda each: each[0])
    return f"Changed: {first_names([text for _, text in found], MAX_MOVED)}."


@contextmanager
def rollback(undo: Callable[[], object]) -> Iterator[None]:
    """Call `undo` if the block raises, then raise the error again."""
    with ExitStack() as stack:
        stack.callback(undo)
        yield
        stack.pop_all()
