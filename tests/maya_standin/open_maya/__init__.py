"""maya.api of the stand-in: om.py and oma.py are the modules, the other files one noun each."""
