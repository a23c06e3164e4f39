"""What `make bench` measures. Nothing here passes or fails: figures belong to the machine they came from."""
