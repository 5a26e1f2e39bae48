"""Checks that only a running Maya can settle, as a kit that somebody with a licence runs once.

    mayapy tests/maya_live/run.py --json live.json

It has one function for every assumption about Maya, with its confidence and its source, and one
for each main path from estimate to clear. It needs neither pytest nor anything else that Maya does
not include, except numpy.
"""
