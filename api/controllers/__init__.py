"""What table controllers send and are told."""
