"""What is answered at which address: routes translate and nothing more."""
