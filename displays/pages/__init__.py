"""Pages for people: which there are, their templates and files, and what a browser may do with them."""
