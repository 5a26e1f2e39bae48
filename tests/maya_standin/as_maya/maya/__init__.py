"""`import maya` in a process of its own: the folder above is on its PYTHONPATH.

The modules replace this package at once; the session lives as long as the process.
"""

from __future__ import annotations

import os

from tests.maya_standin.modules import install
from tests.maya_standin.session import Session, start

_session = Session(int(os.environ.get("STANDIN_VERSION", "2025")), batch=True)
# As in mayapy: there are no commands before maya.standalone.initialize().
_session.started = False
start(_session)
install()
