"""Public benchmark of joint limits: frozen splits by person, published baselines, one page."""
