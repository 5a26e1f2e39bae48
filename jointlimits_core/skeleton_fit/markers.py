"""Tracks of single markers, and marker groups from labels, distances, or full-body marker sets."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Union

import numpy as np

from ..base.findings import Finding
from ..base.text import plural
from ..geometry.arrays import Booleans, Floats
from ..io.input import SourceFile
from .cluster_pose import MIN_MARKERS
from .tracks import require_frame_rate

GroupPatterns = Mapping[str, Union[Sequence[str], Mapping[str, Sequence[str]]]]
"""Label patterns by body name; `{"limb": [start, end, beyond]}` for a limb's axes, with a fourth
point above the limb if `start` is on the limb's side."""
TOLERANCE_M = 0.005
"""Largest change of a distance within a body, up or down; about as far as skin moves."""
_INNER_SHARE = 0.90
"""Share of the frames that must be within this tolerance; the others may have swapped labels."""
_INNER_ENDS = 0.5 - 0.5 * _INNER_SHARE, 0.5 + 0.5 * _INNER_SHARE
_CHOSEN_FRAMES, _MIN_FRAMES, _MIN_SHARE = (200, 1000), 10, 0.05
_MAX_DISTANCES = 40_000_000
"""Approximate number of distances to examine; it sets the number of frames, within limits."""
_ENDING = re.compile(r"(?:[\s_.:-]+m|[\s_.:-]*(?:marker|mkr))?[\s_.:-]*\d+$", re.IGNORECASE)
_MIN_STEM = 2
_UNLABELLED = re.compile(r"\*\d*|unlabel+ed\W*\d*", re.IGNORECASE)
"""Names of unlabelled points in Vicon's and OptiTrack's files."""
_SUBJECT = re.compile(r"(.+)[:_.]")
"""Name of a subject in front of a label."""
_Body = Union[Sequence[str], Mapping[str, Sequence[str]]]
_MIDDLE: dict[str, _Body] = {
    "pelvis": ["LFWT", "RFWT", "LBWT", "RBWT"],
    "chest": ["CLAV", "STRN", "C7", "T10", "RBAC"],
    "head": ["LFHD", "RFHD", "LBHD", "RBHD"],
}
_THIGH = "+".join(["?THI"] * 10 + ["?FWT", "?BWT"])
"""Point a sixth of the way from the thigh's marker to the waist: the marker itself is on the side
of the thigh, and would turn the plane."""
# Thighs and upper arms have two markers: their axes need the next limb's end (Herda et al.).
_SIDE: dict[str, _Body] = {
    "upper_arm": {"limb": ["?UPA", "?ELB", "?WRA+?WRB"]},
    "forearm": ["?FRM", "?WRA", "?WRB"],
    "hand": ["?WRA", "?WRB", "?FIN"],
    "thigh": {"limb": ["?THI", "?KNE", "?ANK", _THIGH]},
    # Knee, shin and ankle are nearly on a line; the plane of the knee gives a better rotation.
    "shin": {"limb": ["?ANK", "?KNE", _THIGH]},
    "foot": ["?HEE", "?MT5", "?TOE"],
}
_WITHOUT_WAIST: dict[str, _Body] = {
    "thigh": {"limb": ["?THI", "?KNE", "?ANK"]},
    "shin": {"limb": ["?ANK", "?KNE", "?THI"]},
}
_OTHER_LABELS: tuple[dict[str, str], ...] = (
    {},
    {"FWT": "ASI", "BWT": "PSI", "RBAC": "RBAK", "SHN": "TIB", "MT5": "ANK"},
)
"""Labels of CMU's marker set, and their replacements in Vicon's Plug-in Gait set."""
MIN_BODIES = 5
MAX_LIMB_MARKERS = MIN_MARKERS + 1


@dataclass(frozen=True, eq=False)
class MarkerTracks:
    """Positions of markers over one clip.

    Raises ValueError for wrong shapes, repeated labels, or non-finite positions of present markers.
    """

    names: tuple[str, ...]
    positions: Floats
    """Positions in metres, shape (markers, frames, 3); NaN where a marker was not seen."""
    present: Booleans
    """Whether a marker was seen, shape (markers, frames)."""
    frames: Floats
    """Frame numbers of the source, shape (frames,)."""
    frame_rate: float
    name: str = "markers"
    """Name of the clip."""
    source: SourceFile | None = None
    findings: tuple[Finding, ...] = ()
    up: str | None = None
    """Up axis of the world; None if not stated."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        shape = (len(self.names), len(self.frames))
        if self.positions.shape != (*shape, 3) or self.present.shape != shape:
            raise ValueError(
                f"positions and present must have shapes {(*shape, 3)} and {shape}, "
                f"not {self.positions.shape} and {self.present.shape}"
            )
        if len(set(self.names)) != len(self.names):
            repeated = next(name for name in self.names if self.names.count(name) > 1)
            raise ValueError(f"two markers are called {repeated!r}")
        require_frame_rate(self.name, self.frame_rate)
        if not np.isfinite(self.positions[self.present]).all():
            raise ValueError("positions of present markers must be finite")

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return len(self.frames)


@dataclass(frozen=True)
class MarkerGroup:
    """Markers of one body, "A+B" for a midpoint; those of a limb are as in :func:`.limb_pose`."""

    name: str
    markers: tuple[str, ...]
    limb: bool = False


def groups_by_name(labels: Sequence[str], patterns: GroupPatterns) -> tuple[MarkerGroup, ...]:
    """Groups of markers whose labels match patterns, in the order of the patterns.

    Patterns are like those for file names ("LTHI*"), ignore letter case, and match the whole label
    or the part after its last colon; "A+B" is the midpoint of two markers, and `{"limb": [start,
    end, beyond]}` gives the axes of a limb (:func:`.limb_pose`). Raises ValueError naming the body
    if a pattern matches no label, or if the body has too few markers.
    """
    groups = []
    for body, wanted in patterns.items():
        limb = isinstance(wanted, Mapping)
        markers: dict[str, None] = {}
        for pattern in _points(wanted):
            parts = []
            for part in pattern.split("+"):
                regex = re.compile(fnmatch.translate(part.strip().lower()))
                found = [
                    label
                    for label in labels
                    if regex.match(label.lower()) or regex.match(label.lower().rpartition(":")[2])
                ]
                if not found:
                    raise ValueError(f"body {body!r}: no marker is called {part!r}")
                parts.append(found)
            names = ["+".join(part[0] for part in parts)] if len(parts) > 1 else parts[0]
            if limb and len(names) > 1:
                raise ValueError(f"body {body!r}: {pattern!r} fits {len(names)} markers, not one")
            markers.update(dict.fromkeys(names))
        if len(markers) < MIN_MARKERS or (limb and len(markers) > MAX_LIMB_MARKERS):
            count = f"{len(markers)} markers ({', '.join(markers)})"
            raise ValueError(f"body {body!r} has {count}; an orientation needs three")
        groups.append(MarkerGroup(body, tuple(markers), limb))
    return tuple(groups)


def groups_by_ending(labels: Sequence[str]) -> tuple[MarkerGroup, ...]:
    """Groups of at least three labels that differ only in the number at the end: `Leg1`, `Leg2`."""
    stems: dict[str, list[str]] = {}
    for label in labels:
        match = _ENDING.search(label)
        if match and match.start() >= _MIN_STEM:
            stems.setdefault(label[: match.start()], []).append(label)
    chosen = {stem: found for stem, found in stems.items() if len(found) >= MIN_MARKERS}
    return tuple(MarkerGroup(stem, tuple(found)) for stem, found in chosen.items())


def groups_by_distance(
    markers: MarkerTracks, tolerance: float = TOLERANCE_M, seeds: Sequence[MarkerGroup] = ()
) -> tuple[MarkerGroup, ...]:
    """Groups of at least three markers at constant distances from each other.

    Clusters are merged, most constant first, while all distances within them stay constant
    (complete linkage). Labels may be swapped in up to a tenth of the frames. `tolerance`: largest
    change of a distance, plus or minus, metres; ValueError if it is not positive. `seeds`: known
    groups, which other markers may join.
    """
    if not tolerance > 0.0:
        raise ValueError(f"tolerance must be positive, not {tolerance}")
    known = [[markers.names.index(label) for label in seed.markers] for seed in seeds]
    clusters = _link_clusters(distance_spreads(markers), tolerance, known)
    names = {cluster[0]: seed.name for seed, cluster in zip(seeds, known)}
    groups: dict[str, tuple[str, ...]] = {}
    for cluster in sorted(map(sorted, clusters)):
        if len(cluster) < MIN_MARKERS:
            continue
        labels = tuple(markers.names[index] for index in cluster)
        name = next((names[index] for index in cluster if index in names), "")
        if not name:
            # Common stem of the labels, or the first label, but never a name already in use.
            stems = {_ENDING.sub("", label) for label in labels}
            name = stems.pop() if len(stems) == 1 else ""
            if len(name) < _MIN_STEM or name in groups or name in names.values():
                name = f"{labels[0]}_body"
        groups[name] = labels
    return tuple(MarkerGroup(name, labels) for name, labels in groups.items())


def distance_spreads(markers: MarkerTracks) -> Floats:
    """Half the inner range of the distance between any two markers, metres, (markers, markers).

    Inf for pairs that are hardly ever seen together.
    """
    wanted = np.clip(_MAX_DISTANCES / max(1, len(markers.names) ** 2), *_CHOSEN_FRAMES)
    step = max(1, int(markers.frame_count / wanted))
    places, present = markers.positions[:, ::step], markers.present[:, ::step]
    count, frames = present.shape
    least = max(min(_MIN_FRAMES, frames), _MIN_SHARE * frames)
    spreads = np.full((count, count), np.inf)
    for one in range(count - 1):
        both = present[one] & present[one + 1 :]
        offsets = np.where(both[..., None], places[one + 1 :] - places[one], np.nan)
        # Sorting puts NaN last, so the first `seen` entries of each row are its distances.
        distances = np.sort(np.sqrt(np.einsum("mfi,mfi->mf", offsets, offsets)), axis=1)
        seen = both.sum(axis=1)
        at = np.rint(np.multiply.outer(np.maximum(seen - 1, 0), _INNER_ENDS)).astype(np.int64)
        low, high = np.take_along_axis(distances, at, axis=1).T
        spreads[one, one + 1 :] = np.where(seen >= least, 0.5 * (high - low), np.inf)
    spreads = np.asarray(np.minimum(spreads, spreads.T))
    np.fill_diagonal(spreads, 0.0)
    return spreads


def _link_clusters(
    spreads: Floats, tolerance: float, known: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Clusters of indices by complete linkage; `known` clusters never merge with each other."""
    linked = np.array(spreads)
    np.fill_diagonal(linked, np.inf)
    clusters: dict[int, list[int]] = {index: [index] for index in range(len(linked))}

    def join(one: int, other: int) -> None:
        clusters[one] += clusters.pop(other)
        linked[one] = np.maximum(linked[one], linked[other])
        linked[:, one] = linked[one]
        linked[other], linked[:, other], linked[one, one] = np.inf, np.inf, np.inf

    for cluster in known:
        for other in cluster[1:]:
            join(cluster[0], other)
    heads = [cluster[0] for cluster in known]
    linked[np.ix_(heads, heads)] = np.inf
    while len(clusters) > 1:
        one, other = divmod(int(np.argmin(linked)), len(linked))
        if not linked[one, other] <= tolerance:
            break
        # A known cluster keeps its head, so that it never merges with another known one.
        first, second = (other, one) if other in heads else (one, other)
        join(first, second)
        linked[np.ix_(heads, heads)] = np.inf
    return list(clusters.values())


def keep_labelled(markers: MarkerTracks) -> MarkerTracks:
    """Markers with a label, with a finding about the others; all markers if none has a label."""
    without = [name for name in markers.names if _UNLABELLED.fullmatch(name)]
    kept = [row for row, name in enumerate(markers.names) if name not in without]
    if not kept or not without:
        return markers
    shown = ", ".join(without[:6]) + (" ..." if len(without) > 6 else "")
    message = f"{plural(len(without), 'point')} without a label ({shown}) left out"
    finding = Finding("unlabelled-points", message, clip=markers.name, left_out=True)
    return replace(
        markers,
        names=tuple(markers.names[row] for row in kept),
        positions=markers.positions[kept],
        present=markers.present[kept],
        findings=(*markers.findings, finding),
    )


def known_groups(labels: Collection[str]) -> tuple[MarkerGroup, ...]:
    """Groups of a full-body marker set with known labels; none if there are fewer than five groups.

    Labels may begin with a subject's name ("Ann:LFHD", "Ann_LFHD"); if several subjects wear a set,
    their body names also begin with the subject's name.
    """
    subjects: dict[str, dict[str, str]] = {}
    for label in labels:
        match = _SUBJECT.match(label)
        subject, bare = (match[1], label[match.end() :]) if match else ("", label)
        subjects.setdefault(subject, {})[bare] = label
    wearing = {name: _known_groups(own) for name, own in subjects.items() if _known_groups(own)}
    found = []
    for name, groups in wearing.items():
        for group in groups:
            parts = (marker.split("+") for marker in group.markers)
            whole = tuple("+".join(subjects[name][part] for part in own) for own in parts)
            body = f"{name}:{group.name}" if len(wearing) > 1 and name else group.name
            found.append(MarkerGroup(body, whole, group.limb))
    return tuple(found)


def _known_groups(labels: Collection[str]) -> tuple[MarkerGroup, ...]:
    """Groups of one subject, from labels without the subject's name."""
    best: tuple[MarkerGroup, ...] = ()
    capitals = {label.upper() for label in labels}
    for names in _OTHER_LABELS:
        patterns: dict[str, _Body] = {}
        for sides in ({**_SIDE, **_WITHOUT_WAIST}, _SIDE):
            known = [(body, wanted, "?") for body, wanted in _MIDDLE.items()]
            known += [(f"left_{body}", wanted, "L") for body, wanted in sides.items()]
            known += [(f"right_{body}", wanted, "R") for body, wanted in sides.items()]
            for body, wanted, sign in known:
                points = [_rename_point(point, names, sign) for point in _points(wanted)]
                if all(part in capitals for point in points for part in point.split("+")):
                    is_limb = isinstance(wanted, Mapping)
                    patterns[body] = {"limb": points} if is_limb else points
        if len(patterns) > max(len(best), MIN_BODIES - 1):
            best = groups_by_name(tuple(labels), patterns)
    return best


def _rename_point(point: str, names: Mapping[str, str], sign: str) -> str:
    """Point on one side of the body, by its label in another marker set."""
    parts = point.replace("?", sign).split("+")
    for old, new in names.items():
        parts = [new if p == old else p[:1] + new if p[1:] == old else p for p in parts]
    return "+".join(parts)


def _points(wanted: _Body) -> Sequence[str]:
    return wanted["limb"] if isinstance(wanted, Mapping) else wanted
