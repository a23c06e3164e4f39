"""Signs, table displays and the console in a real browser."""
