"""Tables, pages and figures of limits."""
