"""Drivers of channels in a model of the open scene: its curves, evaluated by Maya."""

from __future__ import annotations

from functools import cached_property

import maya.api.OpenMaya as om
import numpy as np

from jointlimits_core.arrays import Floats, Integers
from jointlimits_core.formats.maya_ascii.drivers import (
    Constant,
    Drivers,
    Keyed,
    Signal,
    UnresolvedDriverError,
)
from jointlimits_core.formats.maya_ascii.keyframes import TIME_CURVES
from jointlimits_core.formats.maya_ascii.scene import Node
from jointlimits_core.formats.maya_ascii.tangents import TangentType

from .scene_edit import curve_function
from .scene_picture import OpenScene


class OpenCurve:
    """A curve of the open scene, evaluated by Maya.

    Parameters
    ----------
    curve : MObject
    """

    def __init__(self, curve: om.MObject) -> None:
        self._function = curve_function(curve)

    @cached_property
    def times(self) -> Floats:
        """Times of the keys, seconds."""
        keys = range(self._function.numKeys)
        seconds = om.MTime.kSeconds
        return np.array([self._function.input(key).asUnits(seconds) for key in keys], np.float64)

    @cached_property
    def values(self) -> Floats:
        """Values of the keys in internal units."""
        keys = range(self._function.numKeys)
        return np.array([self._function.value(key) for key in keys], np.float64)

    @cached_property
    def out_types(self) -> Integers:
        """Stepped out-tangents as numbered in scene files; all other tangents are 0."""
        step = self._function.kTangentStep
        kinds = [self._function.outTangentType(key) for key in range(self._function.numKeys)]
        return np.array([TangentType.STEP if kind == step else 0 for kind in kinds], np.int64)

    @property
    def pre(self) -> int:
        """Pre-infinity type; Maya's numbers are those of scene files."""
        return int(self._function.preInfinityType)

    @property
    def post(self) -> int:
        """Post-infinity type."""
        return int(self._function.postInfinityType)

    def evaluate(self, seconds: Floats) -> Floats:
        """Values in internal units."""
        unit = om.MTime.kSeconds
        return np.array([self._function.evaluate(om.MTime(float(t), unit)) for t in seconds])


class OpenDrivers(Drivers):
    """Drivers of channels that are curves of the open scene; anything else is unresolved."""

    def __init__(self, picture: OpenScene) -> None:
        super().__init__(picture.scene)
        self._picture = picture

    def _output(self, node: Node, attribute: str) -> Signal:
        if node.node_type not in TIME_CURVES:
            raise UnresolvedDriverError(node, "which is not a time-based curve")
        curve = OpenCurve(self._picture.object(node))
        return Keyed(curve, node) if len(curve.times) else Constant(0.0)
