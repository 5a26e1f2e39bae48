"""What only a running Maya can settle, as a kit that somebody with a licence runs once.

    mayapy tests/maya_live/run.py --json live.json

One function for every assumption about Maya, with how sure it is and where it comes from, and the
main paths from estimate to clear. It needs neither pytest nor anything else that Maya does not
bring, numpy excepted.
"""
