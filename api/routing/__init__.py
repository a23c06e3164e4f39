"""What all routes share: who may, streams that end with their token, pages as CSV."""
