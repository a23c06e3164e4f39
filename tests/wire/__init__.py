"""The service as callers meet it: the contract, the House, signs, identity, hostile callers, outages."""
