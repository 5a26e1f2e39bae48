+ jointLimits 0.2.0 .
PYTHONPATH+:=.
MAYA_SHELF_PATH+:=shelves
