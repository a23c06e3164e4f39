"""The service over HTTP, its command line, and the client of table controllers."""
