"""The window without Maya, and its links to a host."""

from .standalone import StandaloneHost, waiting
from .sync import LimitsHandover, Live
