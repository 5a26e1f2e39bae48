"""Tables of the skeleton page: joints, slips, loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..bodies.body_fit import BodyFit, BodyJoint
from ..bodies.doubts import Doubt
from ..bodies.limbs import Limb, limbs
from ..wording import millimetres
from .bars import bar, bar_part, type_glyph
from .markup import Html, element
from .skeleton_words import length_words, margin_words, place_words

_GLYPHS = {"ball": "ball", "single-axis": "hinge", "rigid": "fixed"}
BAR_SHARE = 0.25
"""Share of the bars' scale for the widest gap; the rest shows gaps of runner-up parents."""
DEEPEST = 12
"""Most levels of the hierarchy that are indented."""


def joints_table(fit: BodyFit, doubts: Mapping[int, Sequence[Doubt]]) -> Html:
    """Every body with its joint to its parent, parents first."""
    head = ("body", "parent", "kind", "gap, rms", "", "runner-up parent")
    names = [*head, "limb", "place", "how sure"]
    kinds = {"gap, rms": "right", "how sure": "sure"}
    cells = [element("th", name, class_=kinds.get(name)) for name in names]
    by_child = {joint.child: (joint, limb) for joint, limb in zip(fit.joints, limbs(fit))}
    widest = max((joint.residual_m for joint in fit.joints), default=0.0)
    rows = []
    for figure in fit.figures:
        depth = {figure[0]: 0}
        rows.append(_root_row(fit, figure[0]))
        for body in _down(fit, figure[0]):
            depth[body] = depth[int(fit.parents[body])] + 1
            joint, limb = by_child[body]
            rows.append(_row(fit, joint, limb, widest / BAR_SHARE, depth[body], doubts))
    rows += [_free_row(fit, body) for body in fit.free]
    head_row = element("tr", *cells)
    return element("table", element("thead", head_row), element("tbody", *rows), class_="bodies")


def _down(fit: BodyFit, root: int) -> list[int]:
    """Bodies below a root, depth first."""
    found: list[int] = []
    for body in np.flatnonzero(fit.parents == root).tolist():
        found += [body, *_down(fit, body)]
    return found


def _root_row(fit: BodyFit, root: int) -> Html:
    words = element("td", "root of the figure", class_="quiet", colspan=8)
    return element("tr", element("th", fit.names[root]), words)


def _free_row(fit: BodyFit, body: int) -> Html:
    words = element("td", "joined to nothing", class_="bad", colspan=8)
    return element("tr", element("th", fit.names[body]), words)


def _row(
    fit: BodyFit,
    joint: BodyJoint,
    limb: Limb,
    scale_m: float,
    depth: int,
    doubts: Mapping[int, Sequence[Doubt]],
) -> Html:
    found = doubts.get(joint.child, ())
    kinds = {doubt.kind for doubt in found}
    indent = f"padding-left:{12 * min(depth, DEEPEST)}px"
    return element(
        "tr",
        element("th", fit.names[joint.child], style=indent),
        element("td", fit.names[joint.parent], class_="n"),
        element("td", kind_badge(joint.kind)),
        element(
            "td", f"{millimetres(joint.residual_m)} mm", class_=_bad("right", "wide gap" in kinds)
        ),
        element("td", gap_bar(joint, scale_m, bool(kinds))),
        element("td", margin_words(joint, fit.names), class_=_bad("next", "close call" in kinds)),
        element("td", length_words(limb.length_m, limb.deviation_m), class_="n"),
        element("td", place_words(joint), class_=_bad("place", "open place" in kinds)),
        _sure(found),
    )


def _bad(kind: str, bad: bool) -> str:
    return f"{kind} bad" if bad else kind


def _sure(doubts: Sequence[Doubt]) -> Html:
    if not doubts:
        return element("td", "sure", class_="good sure")
    why = "; ".join(doubt.words for doubt in doubts)
    return element("td", ", ".join(doubt.kind for doubt in doubts), class_="bad sure", title=why)


def gap_bar(joint: BodyJoint, scale_m: float, doubted: bool) -> Html:
    """A joint's gap as a bar, with a mark at the gap of its runner-up parent.

    Parameters
    ----------
    scale_m : float
        End of the scale; a mark beyond it is drawn at the end.
    """
    scale = scale_m if scale_m > 0.0 else 1.0
    own = 100.0 * min(joint.residual_m / scale, 1.0)
    other = 100.0 * min((joint.residual_m + joint.margin_m) / scale, 0.985)
    kind = "own doubted" if doubted else "own"
    mark = None if joint.next_best is None else bar_part("other", max(other, 0.0), 1.5, 0, 11)
    return bar(bar_part("rail", 0, 100, 3, 5), bar_part(kind, 0, max(own, 0.6)), mark)


def kind_badge(kind: str) -> Html:
    """A joint's kind with the glyph of the matching joint type."""
    return element("span", type_glyph(_GLYPHS[kind]), kind, class_="kind")


def slips_table(fits: Sequence[BodyFit]) -> Html | None:
    """Slips with times and sizes; None if there are none."""
    slips = [(fit, slip) for fit in fits for slip in fit.slips]
    if not slips:
        return None
    names = ("body", "clip", "at", "at frame", "moved by", "turned by")
    head = element("tr", *(element("th", name) for name in names))
    rows = [
        element(
            "tr",
            element("th", slip.body),
            element("td", fit.tracks.name),
            element("td", f"{slip.seconds:.1f} s"),
            element("td", f"{slip.frame:.10g}"),
            element("td", f"{millimetres(slip.distance_m, 0)} mm"),
            element("td", f"{slip.angle_deg:.1f}°" if np.isfinite(slip.angle_deg) else "unknown"),
        )
        for fit, slip in slips
    ]
    return element("table", element("thead", head), element("tbody", *rows), class_="slips")


def loops_table(fit: BodyFit) -> Html | None:
    """Pairs joined outside the tree; None if there are none."""
    if not fit.loops:
        return None
    head = element("tr", *(element("th", name) for name in ("body", "and", "kind", "gap, rms")))
    rows = [
        element(
            "tr",
            element("th", fit.names[loop.child]),
            element("td", fit.names[loop.parent]),
            element("td", kind_badge(loop.kind)),
            element("td", f"{millimetres(loop.residual_m)} mm"),
        )
        for loop in fit.loops
    ]
    return element("table", element("thead", head), element("tbody", *rows), class_="slips")
