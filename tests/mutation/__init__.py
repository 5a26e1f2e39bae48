"""Single changes of the product, each of which a test has to notice."""
