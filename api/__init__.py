"""The service's edge: the command line now, HTTP to come."""
