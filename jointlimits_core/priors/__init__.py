"""Optional priors: published normal ranges of human joints, each with its source."""
