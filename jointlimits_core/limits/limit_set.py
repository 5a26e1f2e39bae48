"""LimitSet: joint types and limits of one character, as data.

It is the estimator's result, and the input for the table, the report, the window and the writers.
Everything they show is stored here, so nothing is computed twice. Angles are in degrees, for
readability, and the field names say so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ..base.errors import LimitSetError
from ..base.findings import Finding
from ..base.records import with_tuples
from ..base.text import plural, suggestion
from ..base.version import __version__
from ..io import json, output
from ..io.input import DEFAULT_LIMITS, FilePath, ReadLimits
from . import document, records, review_entries

if TYPE_CHECKING:
    from ..motion.reorient import OrientAdvice
    from ..shapes.coupled_limit import CoupledLimit


@dataclass(frozen=True)
class BoundSource(records.Rounded):
    """Source of one limit, min or max."""

    kind: str = "observed"
    """One of "observed" (in the motion), "padded", "prior", "people" (others), or "artist"."""
    clip: str | None = None
    """Clip that reached furthest."""
    frame: float | None = None
    """Frame number in that clip."""
    value_deg: float | None = None
    """Value in that frame, before padding."""
    clips: int = 0
    """Number of clips that come within a degree of the limit."""
    visits: int = 0
    """Number of times that the motion comes within a degree of it."""
    stop: str | None = None
    """Motion at the limit: "held" (stays), "turned" (reverses) or "cut" (the clip starts or ends
    there, so the motion may have continued)."""
    band_deg: tuple[float, float] | None = None
    """90 % confidence band, (low, high), of the limit that more motion of this kind would show."""
    grade: str = "untested"
    """"firm" (confirmed), "seen" (reached once), "open" (may be wider), "untested" (no motion)."""
    ROUNDED: ClassVar = {
        "value_deg": records.without_rounding_error,
        "band_deg": records.round_measured,
    }


@dataclass(frozen=True)
class AxisSource:
    """Sources of a channel's min and max."""

    min: BoundSource | None = None
    max: BoundSource | None = None

    @property
    def known(self) -> list[BoundSource]:
        """Known sources, the minimum's first."""
        return [bound for bound in (self.min, self.max) if bound is not None]


@dataclass(frozen=True)
class AxisLimit(records.Rounded):
    """Contiguous range of one rotate channel."""

    state: str
    """One of "free" (no limit), "limited", or "locked" (the channel does not move)."""
    min_deg: float | None = None
    max_deg: float | None = None
    """The range on the branch nearest to zero; None if the channel is free. For a locked channel,
    the range of its observed values."""
    gap_deg: float | None = None
    """Size of the largest gap on the circle, the complement of the observed range."""
    source: AxisSource = AxisSource()
    ROUNDED = dict.fromkeys(("min_deg", "max_deg", "gap_deg"), records.without_rounding_error)

    def bound_deg(self, side: str) -> float | None:
        """Limit at one end, "min" or "max"."""
        return self.min_deg if side == "min" else self.max_deg

    def __repr__(self) -> str:
        low, high = ("" if end is None else f"{end:.1f}" for end in (self.min_deg, self.max_deg))
        return f"AxisLimit({self.state}{'' if self.state == 'free' else f', {low}..{high}'})"

    @property
    def is_limited(self) -> bool:
        """Whether the channel has a limit; a locked channel has two (nearly) equal limits."""
        return self.state != "free"

    @property
    def width_deg(self) -> float:
        """Width of the range; 0 if it is open at one end."""
        if self.min_deg is None or self.max_deg is None:
            return 0.0
        return self.max_deg - self.min_deg


@dataclass(frozen=True)
class Evidence(records.Rounded):
    """Evidence for a joint's type."""

    residual_deg: Mapping[str, float | None]
    """Root mean square residual rotation for each type; None if not needed."""
    runner_up: str | None
    margin_deg: float
    """Change of the deciding residual that would let the runner-up win."""
    spread_deg: tuple[float, float, float]
    """Principal spreads of the motion, largest first."""
    noise_deg: float
    """The character's noise floor, which was subtracted."""
    samples: int
    """Number of frames used, excluding those left out for this joint; 0 for declared limits."""
    sure: str
    """One of "clear" (sure), "close" (small margin or too few samples), or "no motion"."""
    settle: str = ""
    """Motion that would decide a close type."""
    ROUNDED = dict.fromkeys(
        ("residual_deg", "margin_deg", "spread_deg", "noise_deg"), records.evidence_deg
    )


@dataclass(frozen=True)
class Orientation(records.Rounded):
    """Orientation in which a joint's channels are limited, degrees."""

    rotate_order: str
    joint_orient_deg: tuple[float, float, float]
    rotate_axis_deg: tuple[float, float, float]
    kind: str = "own"
    ROUNDED = dict.fromkeys(("joint_orient_deg", "rotate_axis_deg"), records.without_rounding_error)


MAX_ON_CHANNEL_DEG = 1.0
"""A hinge counts as on a rotate channel if its axis is within this angle of the channel."""


@dataclass(frozen=True)
class Hinge(records.Rounded):
    """Axis and signed angle of a hinge."""

    axis_parent: tuple[float, float, float]
    axis_child: tuple[float, float, float]
    """The unit axis, in the parent's space and in the joint's own space."""
    channel: str
    """Rotate channel nearest to the axis."""
    off_channel_deg: float
    """Angle between the axis and that channel."""
    min_deg: float
    max_deg: float
    """Range of the signed angle about the axis, zero at the rest pose."""
    ROUNDED = dict.fromkeys(
        ("axis_parent", "axis_child", "off_channel_deg", "min_deg", "max_deg"),
        records.round_measured,
    )

    @property
    def is_on_channel(self) -> bool:
        """Whether the axis is that of a rotate channel, whose range is then the hinge's range."""
        return abs(self.off_channel_deg) < MAX_ON_CHANNEL_DEG


@dataclass(frozen=True)
class Universal(records.Rounded):
    """The two axes of a universal joint: unit vectors, perpendicular in every pose."""

    axis_parent: tuple[float, float, float]
    axis_child: tuple[float, float, float]
    ROUNDED = dict.fromkeys(
        ("axis_parent", "axis_child"), partial(records.round_measured, decimals=7)
    )


@dataclass(frozen=True)
class HingeCandidate(records.Rounded):
    """Hinge that would keep nearly all motion of a joint with more freedom, and its cost.

    An artist accepts it by editing the joint's type to "hinge".
    """

    hinge: Hinge
    """The axis that fits best, which orient advice would follow."""
    locked_deg: Mapping[str, float]
    """Angles at which the hinge locks the two other channels, by channel name."""
    rms_deg: float
    worst_deg: float
    """Rotation that locking them removes from the motion, degrees: root mean square and largest."""
    clip: str | None = None
    """Clip that loses the largest rotation."""
    frame_ranges: tuple[tuple[float, float], ...] = ()
    """Frames of that clip, (first, last), that lose more than half of the largest rotation."""
    type: str = "hinge"
    ROUNDED: ClassVar = {
        "rms_deg": records.round_measured,
        "worst_deg": records.round_measured,
        "locked_deg": records.without_rounding_error,
    }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> HingeCandidate:
        """Inverse of ``dataclasses.asdict``, also for lists from JSON."""
        ranges = tuple((float(first), float(last)) for first, last in data["frame_ranges"])
        hinge = Hinge(**with_tuples(data["hinge"]))
        return cls(**{**data, "hinge": hinge, "frame_ranges": ranges})


@dataclass(frozen=True)
class RestPose(records.Rounded):
    """A pose to start from, and whether it is inside the limits.

    `rotate_deg`: rotate channels, on the branch of the limits if possible.
    `outside_deg`: largest distance of a channel from its range; 0 if feasible.
    """

    rotate_deg: tuple[float, float, float]
    feasible: bool
    outside_deg: float
    ROUNDED = dict.fromkeys(("rotate_deg", "outside_deg"), records.round_measured)


def preferred_pose(
    rest: RestPose, others: Mapping[str, RestPose | None]
) -> tuple[float, float, float]:
    """First feasible pose among the rest pose and the remedies, else the rest pose."""
    for pose in (rest, *others.values()):
        if pose is not None and pose.feasible:
            return pose.rotate_deg
    return rest.rotate_deg


@dataclass(frozen=True)
class JointLimit:
    """Type and limits of one joint."""

    type: str
    """One of :data:`JOINT_TYPES`."""
    parent: str | None
    evidence: Evidence
    orientation: Orientation
    limits: Mapping[str, AxisLimit]
    """Ranges by channel: "rotateX", "rotateY", "rotateZ"; in paper mode "phi", "psi", "theta" for a
    ball joint and "theta" for a hinge."""
    rest: RestPose
    """The rest pose used for the estimate."""
    remedies: Mapping[str, RestPose | None]
    """The paper's three remedies for a rest pose outside the limits, by name: "nearest-pose",
    "middle", "circular-mean" (None if undefined)."""
    preferred_deg: tuple[float, float, float]
    """A pose inside the limits: the rest pose if it is inside, else the first feasible remedy."""
    hinge: Hinge | None = None
    universal: Universal | None = None
    """Axes of a hinge or of a universal joint."""
    candidate: HingeCandidate | None = None
    """Simpler type that would keep nearly all of the motion."""
    advice: OrientAdvice | None = None
    """Orientation or rotate order that would match the joint's motion."""
    coupled: CoupledLimit | None = None
    """Limit of all channels together, tighter than the ranges."""
    animated: bool = True
    """False if nothing in the source drives the rotation."""
    root: bool | None = None
    """Whether the joint places the character; None if unknown, as in files from older versions."""
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        ranges = ", ".join(f"{channel} {axis!r}" for channel, axis in self.limits.items())
        return f"JointLimit({self.type}: {ranges})".replace("AxisLimit", "")

    @property
    def frame(self) -> Orientation:
        """Orientation, under its name up to version 0.1."""
        return self.orientation

    @property
    def is_from_people(self) -> bool:
        """Whether all limits are from other people, so that nothing was measured."""
        known = {bound.kind for axis in self.limits.values() for bound in axis.source.known}
        return known == {"people"}

    @property
    def is_root(self) -> bool:
        """Whether the joint places the character; if unknown, whether it has no parent."""
        return self.parent is None if self.root is None else self.root

    def __getitem__(self, channel: str) -> AxisLimit:
        """Limit of a channel: ``joint["rotateZ"]``."""
        return self.limits[channel]

    def __iter__(self) -> Iterator[str]:
        return iter(self.limits)

    def __len__(self) -> int:
        return len(self.limits)


@dataclass(frozen=True)
class ClipRecord:
    """One clip used, with file name and content hash to identify it."""

    name: str
    file: str | None
    sha256: str | None
    frames: int
    first_frame: float
    last_frame: float
    frame_rate: float

    @property
    def frame_step(self) -> float:
        """Distance between sampled frames; rounded if it is nearly a whole number."""
        step = (self.last_frame - self.first_frame) / max(self.frames - 1, 1)
        return float(round(step)) if abs(step - round(step)) < 0.05 and step > 0.5 else step


@dataclass(frozen=True)
class LimitSet:
    """Joint types and limits of one character."""

    character: str
    joints: Mapping[str, JointLimit]
    """Limits by joint name, parents first."""
    clips: tuple[ClipRecord, ...] = ()
    rest_source: str = "identity"
    """Origin of the rest pose."""
    mode: str = "standard"
    """Either "standard", or "paper" for the method as published."""
    options: Mapping[str, Any] = field(default_factory=dict)
    edits: tuple[records.ArtistEdit, ...] = ()
    """Artist's edits, already applied to the joints."""
    symmetry: records.SymmetryRecord | None = None
    dependencies: tuple[records.Dependency, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Findings about whole clips; those about a joint are stored with the joint."""
    program_version: str = __version__

    @property
    def of_controls(self) -> bool:
        """Whether the limits are on controls rather than joints."""
        return self.options.get("controls") is True

    @property
    def noun(self) -> str:
        """Noun for what the set limits: "joint" or "control"."""
        return "control" if self.of_controls else "joint"

    def __repr__(self) -> str:
        count, clips = plural(len(self.joints), self.noun), plural(len(self.clips), "clip")
        return f"LimitSet({self.character!r}, {count} from {clips})"

    def _repr_html_(self) -> str:
        """HTML table for a notebook."""
        from html import escape

        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{joint.type}</td>"
            + "".join(f"<td>{escape(repr(axis)[10:-1])}</td>" for axis in joint.limits.values())
            + "</tr>"
            for name, joint in self.joints.items()
        )
        return f"<table><caption>{escape(repr(self))}</caption>{rows}</table>"

    def __len__(self) -> int:
        return len(self.joints)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self.joints)

    def __contains__(self, name: object) -> bool:
        return name in self.joints

    def __getitem__(self, name: str) -> JointLimit:
        """Limits of a joint. Raises KeyError for an unknown name, with a suggestion."""
        if name not in self.joints:
            every = f"; {self.character} has {', '.join(self.joints)}"
            raise KeyError(f"no joint {name!r}{suggestion(str(name), self.joints) or every}")
        return self.joints[name]

    def save(self, path: FilePath) -> None:
        """Write the set to a file, completely or not at all.

        Raises LimitSetError for a set that :meth:`load` would reject.
        """
        output.write_text_atomically(path, document.checked_text(self, os.fspath(path)))

    @classmethod
    def load(cls, path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> LimitSet:
        """Read a set from a file.

        `limits`: only `max_json_bytes` is used. Raises LimitSetError if the file cannot be read or
        does not follow the schema.
        """
        text = json.json_text(path, LimitSetError, document.OTHER_FILE, limits)
        return cls.from_json(text, os.fspath(path))

    def to_dict(self) -> dict[str, Any]:
        """Plain data that follows ``limit_set.schema.json``."""
        review = _plain(review_entries.review(self).to_dict())
        head = {"format": document.FORMAT, "version": document.FORMAT_VERSION}
        return {**head, **_plain(self), "review": review}

    def to_json(self) -> str:
        """JSON text: the same bytes for the same content, with one newline at the end.

        Raises LimitSetError for a set that :meth:`from_json` would reject.
        """
        return document.checked_text(self, self.character)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LimitSet:
        """Inverse of :meth:`to_dict`; `data` must follow the schema."""
        data = document.set_of_today(data)
        # The review is derived from the other fields.
        derived = ("format", "version", "review")
        given = {key: value for key, value in data.items() if key not in derived}
        given["joints"] = {name: _joint_from_dict(joint) for name, joint in data["joints"].items()}
        given["clips"] = tuple(ClipRecord(**clip) for clip in data["clips"])
        given["edits"] = tuple(records.ArtistEdit.from_dict(item) for item in data["edits"])
        if data["symmetry"] is not None:
            given["symmetry"] = records.SymmetryRecord.from_dict(data["symmetry"])
        # Files written before dependencies existed have none.
        depending = data.get("dependencies", ())
        given["dependencies"] = tuple(records.Dependency.from_dict(item) for item in depending)
        given["findings"] = tuple(Finding.from_dict(item) for item in data["findings"])
        return cls(**given)

    @classmethod
    def from_json(cls, text: str, name: str = "limit set") -> LimitSet:
        """Read JSON text.

        `name`: name of the document in errors, usually its path. Raises LimitSetError with the
        place in the document, for text that is not JSON or not a limit set.
        """
        data = document.checked_data(text, name)
        try:
            limit_set = cls.from_dict(data)
        except ValueError as error:
            # Contradictions between fields, which the schema cannot express.
            raise LimitSetError(name, f"{error}; {document.NEXT}") from None
        document.check(limit_set, name)
        return limit_set


def _plain(value: Any) -> Any:
    kind = type(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if is_dataclass(kind):
        known = ((one, getattr(value, one.name)) for one in fields(kind))
        return {one.name: _plain(item) for one, item in known if one.name != "driver" or item}
    if isinstance(value, (dict, Mapping)):
        return {str(key): _plain(item) for key, item in value.items()}
    return value


_Record = TypeVar("_Record")


def _make_record(kind: Callable[..., _Record], data: Mapping[str, Any] | None) -> _Record | None:
    return None if data is None else kind(**with_tuples(data))


def axis_from_dict(data: Mapping[str, Any]) -> AxisLimit:
    """Inverse of ``dataclasses.asdict``, also for lists from JSON."""
    bounds = {side: _make_record(BoundSource, bound) for side, bound in data["source"].items()}
    return AxisLimit(**{**data, "source": AxisSource(**bounds)})


def _joint_from_dict(data: Mapping[str, Any]) -> JointLimit:
    # Imported here, since an estimate makes limit sets but reads none.
    from ..motion.reorient import OrientAdvice
    from ..shapes.coupled_limit import CoupledLimit

    # Files written before coupled limits and candidates existed have none.
    coupled, candidate, advice = data.get("coupled"), data.get("candidate"), data["advice"]
    return JointLimit(
        **{
            **data,
            "evidence": _make_record(Evidence, data["evidence"]),
            "orientation": _make_record(Orientation, data["orientation"]),
            "limits": {channel: axis_from_dict(limit) for channel, limit in data["limits"].items()},
            "rest": _make_record(RestPose, data["rest"]),
            "remedies": {key: _make_record(RestPose, one) for key, one in data["remedies"].items()},
            "preferred_deg": tuple(data["preferred_deg"]),
            "hinge": _make_record(Hinge, data["hinge"]),
            "universal": _make_record(Universal, data["universal"]),
            "candidate": None if candidate is None else HingeCandidate.from_dict(candidate),
            "advice": None if advice is None else OrientAdvice.from_dict(advice),
            "coupled": None if coupled is None else CoupledLimit(**coupled),
            "findings": tuple(Finding.from_dict(item) for item in data["findings"]),
        }
    )


def read_limit_set(path: FilePath, limits: ReadLimits = DEFAULT_LIMITS) -> LimitSet:
    """Read a limit set from a file, like :meth:`LimitSet.load`."""
    return LimitSet.load(path, limits)


def write_limit_set(limit_set: LimitSet, path: FilePath) -> None:
    """Write a limit set to a file, like :meth:`LimitSet.save`."""
    limit_set.save(path)
