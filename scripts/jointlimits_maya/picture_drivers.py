"""What drives channels in a picture of the open scene: its curves, as Maya evaluates them."""

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
    """A curve of the open scene; Maya itself evaluates it.

    Parameters
    ----------
    curve : MObject
    """

    def __init__(self, curve: om.MObject) -> None:
        self._function = curve_function(curve)

    @cached_property
    def times(self) -> Floats:
        """Seconds of the keys."""
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
        """Steps as scenes number them; all other tangents are 0."""
        step = self._function.kTangentStep
        kinds = [self._function.outTangentType(key) for key in range(self._function.numKeys)]
        return np.array([TangentType.STEP if kind == step else 0 for kind in kinds], np.int64)

    @property
    def pre(self) -> int:
        """How it goes on before its keys; Maya's numbers are those of scenes."""
        return int(self._function.preInfinityType)

    @property
    def post(self) -> int:
        """And behind them."""
        return int(self._function.postInfinityType)

    def evaluate(self, seconds: Floats) -> Floats:
        """Values in internal units."""
        unit = om.MTime.kSeconds
        return np.array([self._function.evaluate(om.MTime(float(t), unit)) for t in seconds])


class OpenDrivers(Drivers):
    """Follows channels to the curves of the open scene, and no further."""

    def __init__(self, picture: OpenScene) -> None:
        super().__init__(picture.scene)
        self._picture = picture

    def _output(self, node: Node, attribute: str) -> Signal:
        if node.node_type not in TIME_CURVES:
            raise UnresolvedDriverError(node, "which is no curve over time")
        curve = OpenCurve(self._picture.object(node))
        return Keyed(curve, node) if len(curve.times) else Constant(0.0)
