"""The rules alone: no service, no network. What `make quick` runs, and where coverage is measured."""
