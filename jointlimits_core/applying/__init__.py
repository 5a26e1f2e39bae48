"""What a limit set means for the attributes of a joint, whoever writes them."""
