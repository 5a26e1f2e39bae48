"""The module maya.api.OpenMayaAnim: every name of it that is modelled."""

from __future__ import annotations

from tests.maya_standin.open_maya.anim_control import MAnimControl
from tests.maya_standin.open_maya.anim_curve import MAnimCurveChange, MFnAnimCurve

__all__ = ["MAnimControl", "MAnimCurveChange", "MFnAnimCurve"]
