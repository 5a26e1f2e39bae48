"""Optional priors: how far human joints normally go, with a source for every number."""
