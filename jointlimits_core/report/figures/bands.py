"""Parts of the limits' 90 % bands that lie beyond a range."""

from __future__ import annotations

from ...limits import AxisLimit, BoundSource

TURN_DEG = 360.0


def band_extensions(limit: AxisLimit) -> tuple[tuple[float, float], ...]:
    """Stretches beyond a range that the bands of its limits reach.

    Returns
    -------
    tuple of (start, end)
        Degrees on the branch of the range, `start` below `end`: below the minimum, above the
        maximum, or both. With the range they never cover more than a turn: if both exceed the
        gap, they share it in proportion. Empty for a free or locked channel, or limits without
        bands.
    """
    low, high = limit.min_deg, limit.max_deg
    if limit.state != "limited" or low is None or high is None:
        return ()
    below = _beyond(limit.source.min, low, -1.0)
    above = _beyond(limit.source.max, high, 1.0)
    room = max(TURN_DEG - (high - low), 0.0)
    if below + above > room:
        share = room / (below + above)
        below, above = share * below, share * above
    stretches = ((low - below, low), (high, high + above))
    return tuple(stretch for stretch in stretches if stretch[1] > stretch[0])


def _beyond(source: BoundSource | None, bound: float, outward: float) -> float:
    """Degrees by which a band extends beyond a limit, which may be padded."""
    if source is None or source.band_deg is None:
        return 0.0
    return max(*(outward * (end - bound) for end in source.band_deg), 0.0)
