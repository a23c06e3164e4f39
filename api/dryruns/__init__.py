"""Dry runs of a book's links, for the command line and the console: what is asked, the run, and what is
told of it as JSON, CSV and a picture. The rules are in `jackpot.dryrun`.
"""
