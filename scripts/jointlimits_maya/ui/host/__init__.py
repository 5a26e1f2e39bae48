"""The window without Maya, and its links to a host."""

from .name_matching import moves_alike
from .standalone import StandaloneHost, waiting
from .sync import LimitsHandover, Live
