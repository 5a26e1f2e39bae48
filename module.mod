+ jointLimits 0.1.0 .
PYTHONPATH+:=.
MAYA_SHELF_PATH+:=shelves
