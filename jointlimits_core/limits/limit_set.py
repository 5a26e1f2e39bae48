"""LimitSet: joint types and limits of one character, as data.

This is what the estimator gives and what everything after it takes: the table, the report, the
window, the writers. Whatever those say is written here, so nothing has to be worked out twice.
Angles are degrees, because people read them; the field names say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from .._version import __version__
from ..findings import Finding
from .coupled_limit import CoupledLimit
from .dependency import Dependency
from .edits import ArtistEdit
from .frame_advice import FrameAdvice
from .symmetry_record import SymmetryRecord

FORMAT = "jointlimits.limit-set"
FORMAT_VERSION = 1

JOINT_TYPES = ("fixed", "hinge", "universal", "ball")
STATES = ("free", "limited", "locked")


@dataclass(frozen=True)
class BoundSource:
    """Where one bound comes from.

    Parameters
    ----------
    kind : str
        "observed" in the motion, "padded" beyond it, from a "prior", or set by the "artist".
    clip : str, optional
        Name of the clip that reached furthest.
    frame : float, optional
        The clip's own number of that frame.
    value_deg : float, optional
        The value there, before padding.
    clips : int
        How many clips come within a degree of the bound.
    visits : int
        How often they do.
    stop : str, optional
        What the motion does there: "held" (stays), "turned" (goes back), "cut" (the clip starts or
        ends there, so it may well go on).
    band_deg : (low, high), optional
        90 % band for the bound that more motion of this kind would show.
    grade : str
        "firm", "seen", "open" (may go much further) or "untested" (hardly moves).
    """

    kind: str = "observed"
    clip: str | None = None
    frame: float | None = None
    value_deg: float | None = None
    clips: int = 0
    visits: int = 0
    stop: str | None = None
    band_deg: tuple[float, float] | None = None
    grade: str = "untested"


@dataclass(frozen=True)
class AxisSource:
    """Where both bounds of a channel come from."""

    min: BoundSource | None = None
    max: BoundSource | None = None


@dataclass(frozen=True)
class AxisLimit:
    """The contiguous range of one rotate channel.

    Parameters
    ----------
    state : str
        "free" (no limit), "limited", or "locked" (the channel does not move).
    min_deg, max_deg : float, optional
        The range on the branch of the source's own keys; None where the channel is free. A locked
        channel has the values that it was seen at.
    gap_deg : float, optional
        Size of the largest empty stretch of the circle, the complement of the observed range.
    """

    state: str
    min_deg: float | None = None
    max_deg: float | None = None
    gap_deg: float | None = None
    source: AxisSource = AxisSource()


@dataclass(frozen=True)
class Evidence:
    """Why a joint has its type.

    Parameters
    ----------
    residual_deg : mapping of type to float or None
        Root mean square rotation that each type leaves unexplained; None where it was not needed.
    runner_up : str, optional
        The type that would have been next.
    margin_deg : float
        How much the deciding residual could change before the runner-up wins.
    spread_deg : tuple of three floats
        Principal spreads of the motion, largest first.
    noise_deg : float
        The noise floor of the character that was taken off.
    samples : int
        Frames that took part; 0 for limits that a file declares.
    sure : str
        "clear", "close" (small margin or too few samples), or "no motion".
    settle : str
        What motion would settle it, where it is close.
    """

    residual_deg: Mapping[str, float | None]
    runner_up: str | None
    margin_deg: float
    spread_deg: tuple[float, float, float]
    noise_deg: float
    samples: int
    sure: str
    settle: str = ""


@dataclass(frozen=True)
class Frame:
    """The joint's frame in which its channels are limited, degrees."""

    rotate_order: str
    joint_orient_deg: tuple[float, float, float]
    rotate_axis_deg: tuple[float, float, float]
    kind: str = "own"


@dataclass(frozen=True)
class Hinge:
    """Axis and signed angle of a hinge.

    Parameters
    ----------
    axis_parent, axis_child : tuple of three floats
        The unit axis in the parent's and in the joint's own frame.
    channel : str
        The rotate channel that is nearest to the axis.
    off_channel_deg : float
        Angle between the axis and that channel.
    min_deg, max_deg : float
        Range of the signed angle about the axis, zero at the rest pose.
    """

    axis_parent: tuple[float, float, float]
    axis_child: tuple[float, float, float]
    channel: str
    off_channel_deg: float
    min_deg: float
    max_deg: float


@dataclass(frozen=True)
class Universal:
    """The two axes of a universal joint: unit, at right angles in every pose."""

    axis_parent: tuple[float, float, float]
    axis_child: tuple[float, float, float]


@dataclass(frozen=True)
class RestPose:
    """A pose to start from, and whether it is inside the limits.

    Parameters
    ----------
    rotate_deg : tuple of three floats
        Rotate channels, on the branch of the limits where that is possible.
    outside_deg : float
        Largest distance of a channel from its range; 0 if feasible.
    """

    rotate_deg: tuple[float, float, float]
    feasible: bool
    outside_deg: float


@dataclass(frozen=True)
class JointLimit:
    """Type and limits of one joint.

    Parameters
    ----------
    type : str
        One of :data:`JOINT_TYPES`.
    parent : str, optional
    limits : mapping of channel to AxisLimit
        "rotateX", "rotateY", "rotateZ"; in the paper's mode "phi", "psi", "theta" of a ball and
        "theta" of a hinge.
    rest : RestPose
        The rest pose that the estimate was asked to use.
    remedies : mapping of name to RestPose or None
        The paper's three: "nearest-pose", "middle", "circular-mean" (None where undefined).
    preferred_deg : tuple of three floats
        A pose inside the limits: the rest pose if it is, else the first feasible remedy.
    hinge, universal : optional
        The axes, where the joint has that type.
    advice : FrameAdvice, optional
        In which frame or rotate order the channels would say what the joint does.
    coupled : CoupledLimit, optional
        A limit of all channels together, tighter than the ranges.
    animated : bool
        False if nothing in the source drives the rotation.
    """

    type: str
    parent: str | None
    evidence: Evidence
    frame: Frame
    limits: Mapping[str, AxisLimit]
    rest: RestPose
    remedies: Mapping[str, RestPose | None]
    preferred_deg: tuple[float, float, float]
    hinge: Hinge | None = None
    universal: Universal | None = None
    advice: FrameAdvice | None = None
    coupled: CoupledLimit | None = None
    animated: bool = True
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class ClipRecord:
    """One clip that took part: file name and content hash, so that it can be found again."""

    name: str
    file: str | None
    sha256: str | None
    frames: int
    first_frame: float
    last_frame: float
    frame_rate: float


@dataclass(frozen=True)
class LimitSet:
    """Joint types and limits of one character.

    Parameters
    ----------
    joints : mapping of joint name to JointLimit
        Parents first.
    rest_source : str
        Where the rest pose comes from.
    mode : str
        "standard", or "paper" for the publication as printed.
    options : mapping
        The options of the estimate.
    purpose : str
        What the set is for: "locomotion", "stunt", "anatomical", ...
    edits : tuple of ArtistEdit
        What an artist decided; it is in the joints already.
    symmetry : SymmetryRecord, optional
        What is known of left and right.
    dependencies : tuple of Dependency
        Ranges that depend on another channel.
    findings : tuple of Finding
        About whole clips; those about a joint are with the joint.
    """

    character: str
    joints: Mapping[str, JointLimit]
    clips: tuple[ClipRecord, ...] = ()
    rest_source: str = "identity"
    mode: str = "standard"
    options: Mapping[str, Any] = field(default_factory=dict)
    purpose: str = ""
    edits: tuple[ArtistEdit, ...] = ()
    symmetry: SymmetryRecord | None = None
    dependencies: tuple[Dependency, ...] = ()
    findings: tuple[Finding, ...] = ()
    program_version: str = __version__

    def to_dict(self) -> dict[str, Any]:
        """Plain data that follows ``limit_set.schema.json``."""
        return {"format": FORMAT, "version": FORMAT_VERSION, **_plain(asdict(self))}

    def to_json(self) -> str:
        """JSON text: the same bytes for the same content, one newline at the end."""
        from .limit_file import json_from_limit_set

        return json_from_limit_set(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LimitSet:
        """Inverse of :meth:`to_dict`; `data` must follow the schema."""
        fields = {key: value for key, value in data.items() if key not in ("format", "version")}
        fields["joints"] = {name: _joint(joint) for name, joint in data["joints"].items()}
        fields["clips"] = tuple(ClipRecord(**clip) for clip in data["clips"])
        fields["edits"] = tuple(ArtistEdit.from_dict(item) for item in data["edits"])
        if data["symmetry"] is not None:
            fields["symmetry"] = SymmetryRecord.from_dict(data["symmetry"])
        # Files of versions before there were dependencies have none.
        depending = data.get("dependencies", ())
        fields["dependencies"] = tuple(Dependency.from_dict(item) for item in depending)
        fields["findings"] = tuple(Finding.from_dict(item) for item in data["findings"])
        return cls(**fields)

    @classmethod
    def from_json(cls, text: str, name: str = "limit set") -> LimitSet:
        """Read JSON text.

        Parameters
        ----------
        name : str
            What to call the document in an error, usually its path.

        Raises
        ------
        LimitSetError
            Naming the place in the document, for text that is not JSON or not a limit set.
        """
        from .limit_file import limit_set_from_json

        return limit_set_from_json(text, name)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _axis(data: Mapping[str, Any]) -> AxisLimit:
    bounds = {
        side: None if bound is None else BoundSource(**_tuples(bound))
        for side, bound in data["source"].items()
    }
    return AxisLimit(**{**data, "source": AxisSource(**bounds)})


def _rest(data: Mapping[str, Any]) -> RestPose:
    return RestPose(**{**data, "rotate_deg": tuple(data["rotate_deg"])})


def _tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(item) if isinstance(item, list) else item for key, item in data.items()}


def _joint(data: Mapping[str, Any]) -> JointLimit:
    hinge, universal, advice = data["hinge"], data["universal"], data["advice"]
    # Files of versions before there were coupled limits have none.
    coupled = data.get("coupled")
    return JointLimit(
        **{
            **data,
            "evidence": Evidence(**_tuples(data["evidence"])),
            "frame": Frame(**_tuples(data["frame"])),
            "limits": {channel: _axis(limit) for channel, limit in data["limits"].items()},
            "rest": _rest(data["rest"]),
            "remedies": {
                name: None if pose is None else _rest(pose)
                for name, pose in data["remedies"].items()
            },
            "preferred_deg": tuple(data["preferred_deg"]),
            "hinge": None if hinge is None else Hinge(**_tuples(hinge)),
            "universal": None if universal is None else Universal(**_tuples(universal)),
            "advice": None if advice is None else FrameAdvice.from_dict(advice),
            "coupled": None if coupled is None else CoupledLimit(**coupled),
            "findings": tuple(Finding.from_dict(item) for item in data["findings"]),
        }
    )
