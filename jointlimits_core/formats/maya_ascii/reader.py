"""Motion from a Maya ASCII scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ...arrays import Floats
from ...errors import MayaAsciiError
from ...euler import quaternion_from_euler
from ...findings import Finding
from ...joint_frame import CHANNELS, local_from_rotate
from ...motion import Motion, SourceFile
from ...skeleton import Declaration, Skeleton
from ..source import source_file
from .bind_pose import LocalPose, RestPose, rest_pose
from .drivers import (
    Constant,
    Drivers,
    Evaluator,
    Signal,
    UnresolvedDriverError,
    curves_of,
    inverse_kinematics_joints,
    is_keyed,
)
from .hierarchy import JointPlace, joint_places
from .lexer import DEFAULT_LIMITS, Limits, PathLike
from .scene import Node, Scene
from .scene_reader import read_scene
from .transforms import rotate_order, stored_matrix, transform_matrix

MAX_SAMPLES = 30_000_000
"""Most joints times frames; beyond it only the key times are read."""

_TRANSFORM_COMPOUNDS = (
    "translate",
    "rotate",
    "scale",
    "shear",
    "rotateAxis",
    "rotatePivot",
    "rotatePivotTranslate",
    "scalePivot",
    "scalePivotTranslate",
)


def read_maya_ascii(path: PathLike, limits: Limits = DEFAULT_LIMITS) -> Motion:
    """Read the joints of a scene and their animation.

    Nothing in the scene is run: script nodes and expressions are named in the findings.

    Parameters
    ----------
    path : path-like
        A ``.ma`` file. Referenced files are looked for beside it.
    limits : Limits
        Bounds for broken or hostile files.

    Returns
    -------
    Motion
        Frame numbers are in the scene's unit of time: every whole frame from the first to the last
        key of the joints' rotations, and the key times themselves. A scene without animation has
        one frame, 0. Lengths are in the scene's unit; ``rotates`` keep the branch of the keys.
        Channels whose driver cannot be resolved exactly hold the value that the file has for them,
        are findings ("unresolved-driver"; for what only moves a joint "unresolved-placement"), and
        do not count as animated.

    Raises
    ------
    MayaAsciiError
        With the line where there is one, if the file cannot be read or has no joints.
    InputError
        If the file cannot be opened.
    """
    scene = read_scene(path, limits)
    source = source_file(path)
    places = joint_places(scene)
    try:
        # Scales of hostile scenes may multiply to infinity; the result is looked at below.
        with np.errstate(all="ignore"):
            return _motion(scene, places, source)
    except ValueError as error:
        raise MayaAsciiError(
            scene.path, f"{error}; repair this joint in Maya and save the scene again"
        ) from None


def _motion(scene: Scene, places: Sequence[JointPlace], source: SourceFile) -> Motion:
    channels = _Channels(scene, places)
    rate = scene.units.frames_per_second
    frames = _frame_numbers(scene, channels, len(places))
    sampled = _Sampled(scene, places, channels, Evaluator(frames / rate))
    compensates = [_compensates(scene, place, places) for place in places]
    rest = rest_pose(scene, places, sampled.first_pose(), sampled.first_between(), compensates)
    name = Path(scene.path).stem
    return Motion.from_rotates(
        _skeleton(scene, places, rest, compensates, name),
        np.ascontiguousarray(np.moveaxis(sampled.rotate, 2, 1)),
        frames,
        rate,
        name,
        source=source,
        findings=(*scene.findings, *channels.findings),
        animated=channels.animated,
        **_moving_parts(sampled, rest, 1.0 / scene.units.centimeters),
    )


class _Channels:
    """Signals of every joint's, and every transform's, channels."""

    def __init__(self, scene: Scene, places: Sequence[JointPlace]) -> None:
        self.scene = scene
        self.drivers = Drivers(scene)
        self.findings: list[Finding] = []
        self.signals: dict[tuple[Node, str], Signal] = {}
        solved = inverse_kinematics_joints(scene, self.drivers)
        animated = []
        for place in places:
            for compound in ("rotate", "translate", "scale"):
                resolved = self._take(place.node, compound, place.name)
                if compound == "rotate" and resolved and place.node not in solved:
                    keyed = any(is_keyed(signal) for signal in self.of(place.node, "rotate"))
                    animated += [place.name] if keyed else []
            if place.node in solved:
                self._solved(place, solved[place.node])
        for node in {node: None for place in places for node in place.between}:
            for compound in ("rotate", "translate", "scale", "shear"):
                self._take(node, compound, None)
        self.animated = frozenset(animated)

    def of(self, node: Node, compound: str) -> list[Signal]:
        """Signals of a compound's three children."""
        return [self.signals[node, child] for child in node.family.children[compound]]

    def _take(self, node: Node, compound: str, joint: str | None) -> bool:
        """Resolve a compound; False if a part of it could not be."""
        failures: dict[Node, tuple[list[str], str]] = {}
        default = 1.0 if compound == "scale" else 0.0
        for child in node.family.children[compound]:
            try:
                self.signals[node, child] = self.drivers.channel(node, child, default)
            except UnresolvedDriverError as unresolved:
                stored = unresolved.value
                value = node.number(child, default) if stored is None else stored
                self.signals[node, child] = Constant(value)
                failures.setdefault(unresolved.node, ([], unresolved.reason))[0].append(child)
        for driver, (children, reason) in failures.items():
            self._unresolved(node, joint, ", ".join(children), driver, reason)
        return not failures

    def _solved(self, place: JointPlace, handle: Node) -> None:
        self._unresolved(place.node, place.name, "rotate", handle, "an IK solver")

    def _unresolved(
        self, node: Node, joint: str | None, what: str, driver: Node, reason: str
    ) -> None:
        message = (
            f"{what} of {joint or node.path!r}: driven by {driver.name!r} ({driver.node_type}), "
            f"{reason}; the value in the file is used. "
            "Bake the animation in Maya (Edit > Keys > Bake Simulation) and save again"
        )
        turns_a_joint = joint is not None and "rotate" in what
        rule = "unresolved-driver" if turns_a_joint else "unresolved-placement"
        self.findings.append(Finding(rule, message, joint))


def _frame_numbers(scene: Scene, channels: _Channels, joints: int) -> Floats:
    """Whole frames from the first key to the last, and all key times, increasing."""
    rate = scene.units.frames_per_second
    rotations = [
        signal
        for (node, attribute), signal in channels.signals.items()
        if node.is_joint and attribute.startswith("rotate")
    ]
    keys = [np.asarray(keyed.curve.times) * rate for keyed in curves_of(rotations)]
    times = np.unique(np.concatenate(keys)) if keys else np.zeros(0)
    if not len(times):
        return np.zeros(1)
    whole = np.round(times)
    # A key time that went through another unit may be a hair off its frame.
    times = np.where(np.abs(times - whole) < 1e-6, whole, times)
    first, last = np.ceil(times[0]), np.floor(times[-1])
    if (last - first + len(times)) * joints > MAX_SAMPLES:
        scene.note(
            "sparse-keys",
            f"the keys reach from frame {times[0]:g} to {times[-1]:g}, too many frames to read all "
            "of them; only the frames that have keys are read",
        )
        if len(times) * joints > MAX_SAMPLES:
            raise MayaAsciiError(
                scene.path,
                f"{joints} joints with {len(times)} key times are more than this program holds; "
                "split the scene",
            )
    else:
        times = np.concatenate([times, np.arange(first, last + 1.0)])
    return np.unique(times)


@dataclass
class _Sampled:
    """Channels of every joint at the frames, centimetres and radians."""

    scene: Scene
    places: Sequence[JointPlace]
    channels: _Channels
    evaluate: Evaluator
    rotate: Floats = field(init=False)
    translations: dict[int, Floats] = field(init=False)
    scales: dict[int, Floats] = field(init=False)
    between: dict[int, Floats] = field(init=False)

    def __post_init__(self) -> None:
        nodes = [place.node for place in self.places]
        self.rotate = np.stack([self._vector(node, "rotate") for node in nodes])
        self.translations = {i: self._few(node, "translate") for i, node in enumerate(nodes)}
        self.scales = {i: self._few(node, "scale") for i, node in enumerate(nodes)}
        local: dict[Node, Floats] = {}
        for place in self.places:
            for node in place.between:
                if node not in local:
                    local[node] = self._local_matrix(node)
        self.between = {i: self._between(place, local) for i, place in enumerate(self.places)}

    def _vector(self, node: Node, compound: str) -> Floats:
        """Channels at every frame, shape (frames, 3)."""
        signals = self.channels.of(node, compound)
        return np.stack([self.evaluate(signal) for signal in signals], axis=-1)

    def _few(self, node: Node, compound: str) -> Floats:
        """Channels at every frame if any of them moves, else at one: shape (frames or 1, 3)."""
        values = self._vector(node, compound)
        return values[:1] if np.all(values == values[:1]) else values

    def _local_matrix(self, node: Node) -> Floats:
        """Place of a transform below its parent, shape (frames or 1, 4, 4)."""
        moving = {name: self._few(node, name) for name in ("translate", "rotate", "scale", "shear")}
        still = {name: node.vector(name)[None] for name in _TRANSFORM_COMPOUNDS[4:]}
        order = rotate_order(node)
        return np.asarray(_offset_parent(node) @ transform_matrix({**still, **moving}, order))

    def _between(self, place: JointPlace, local: Mapping[Node, Floats]) -> Floats:
        """Product of everything between parent joint and joint, shape (frames or 1, 4, 4)."""
        product = np.eye(4)[None]
        for node in place.between:
            product = product @ local[node]
        return np.asarray(product @ _offset_parent(place.node))

    def first_pose(self) -> list[LocalPose]:
        """What every joint has at the first frame."""
        poses = []
        for index, place in enumerate(self.places):
            node = place.node
            turn = local_from_rotate(
                self.rotate[index, 0], _joint_orient(node), _rotate_axis(node), rotate_order(node)
            )
            poses.append(LocalPose(self.translations[index][0], turn, self.scales[index][0]))
        return poses

    def first_between(self) -> list[Floats]:
        """What stands above every joint at the first frame."""
        return [self.between[index][0] for index in range(len(self.places))]


def _offset_parent(node: Node) -> Floats:
    stored = node.matrices.get("offsetParentMatrix")
    return np.eye(4) if stored is None or len(stored) != 16 else stored_matrix(stored)


def _joint_orient(node: Node) -> Floats:
    return quaternion_from_euler(node.vector("jointOrient"))


def _rotate_axis(node: Node) -> Floats:
    return quaternion_from_euler(node.vector("rotateAxis"))


def _compensates(scene: Scene, place: JointPlace, places: Sequence[JointPlace]) -> bool:
    """True if a joint takes back the scale of its parent joint."""
    node = place.node
    if place.parent < 0 or node.number("segmentScaleCompensate", 1.0) == 0.0:
        return False
    parent = places[place.parent].node
    children = node.family.children["inverseScale"]
    fed = [scene.sources.get((node, child)) for child in children]
    return all(source is not None and source[0] is parent for source in fed)


def _skeleton(
    scene: Scene,
    places: Sequence[JointPlace],
    rest: RestPose,
    compensates: Sequence[bool],
    name: str,
) -> Skeleton:
    nodes = [place.node for place in places]
    unit = 1.0 / scene.units.centimeters
    between = {
        index: _in_units(matrix, unit)
        for index, matrix in enumerate(rest.between)
        if not np.array_equal(matrix, np.eye(4))
    }
    return Skeleton(
        names=tuple(place.name for place in places),
        parents=np.array([place.parent for place in places]),
        offsets=np.stack([pose.translation for pose in rest.local]) * unit,
        rest_rotations=np.stack([pose.rotation for pose in rest.local]),
        rest_source=rest.source,
        rotate_orders=tuple(rotate_order(node) for node in nodes),
        joint_orients=np.stack([_joint_orient(node) for node in nodes]),
        rotate_axes=np.stack([_rotate_axis(node) for node in nodes]),
        scales=np.stack([pose.scale for pose in rest.local]),
        compensates_scale=np.array(compensates),
        between=between,
        declarations={place.name: declaration_of(place.node) for place in places},
        name=name,
        meters_per_unit=scene.units.centimeters / 100.0,
    )


def _in_units(matrices: Floats, unit: float) -> Floats:
    """Matrices with their translation in the scene's unit."""
    result = np.array(matrices)
    result[..., :3, 3] *= unit
    return result


def _moving_parts(sampled: _Sampled, rest: RestPose, unit: float) -> dict[str, dict[int, Floats]]:
    """Translations, scales and transforms between joints that are not those of the rest pose."""
    count = sampled.rotate.shape[1]

    def spread(values: Floats) -> Floats:
        return np.array(np.broadcast_to(values, (count, *values.shape[1:])))

    translations = {
        index: spread(values) * unit
        for index, values in sampled.translations.items()
        if not _same(values, rest.local[index].translation)
    }
    scales = {
        index: spread(values)
        for index, values in sampled.scales.items()
        if not _same(values, rest.local[index].scale)
    }
    between = {
        index: spread(_in_units(values, unit))
        for index, values in sampled.between.items()
        if not _same(values, rest.between[index])
    }
    return {"translations": translations, "scales": scales, "between": between}


def _same(values: Floats, rest: Floats) -> bool:
    """True for values that do not move and are, up to rounding, those of the rest pose."""
    return len(values) == 1 and bool(np.allclose(values[0], rest, rtol=1e-9, atol=1e-9))


def declaration_of(node: Node) -> Declaration:
    """What a joint's author declares: enabled limits, degrees of freedom, locks.

    Parameters
    ----------
    node : Node
        A joint.

    Returns
    -------
    Declaration
        Limits in degrees. Limits that are not enabled are none, whatever their values.
    """
    limits: dict[str, tuple[float | None, float | None]] = {}
    for axis, channel in zip("XYZ", CHANNELS):
        bounds = [
            float(np.degrees(node.number(f"{edge}Rot{axis}Limit", np.radians(default))))
            if node.number(f"{edge}Rot{axis}LimitEnable")
            else None
            for edge, default in (("min", -45.0), ("max", 45.0))
        ]
        if bounds != [None, None]:
            limits[channel] = (bounds[0], bounds[1])
    free = tuple(c for axis, c in zip("XYZ", CHANNELS) if node.number(f"jointType{axis}", 1.0))
    return Declaration(
        dof=None if len(free) == len(CHANNELS) else free,
        limits_deg=limits,
        locked=frozenset(channel for channel in CHANNELS if node.is_locked(channel)),
    )
