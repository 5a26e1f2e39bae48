"""The joint list."""

from .line import JointLine, outcome
from .model import COLUMNS, FINDINGS, JOINT, LAYER, RANGE, SURE, TYPE
from .view import JointList, fitting, initial_joint
