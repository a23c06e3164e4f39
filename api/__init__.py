"""The service over HTTP and its command line, in rooms by who asks."""
