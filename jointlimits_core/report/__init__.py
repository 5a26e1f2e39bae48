"""Tables, pages and figures that present limits."""
