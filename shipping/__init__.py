"""What is given to people: see CONTRIBUTING.md."""
