"""Maya's joint model, shared by the scene file reader and the open scene."""
