+ jointLimits 0.0.1 .
PYTHONPATH+:=.
MAYA_SHELF_PATH+:=shelves
