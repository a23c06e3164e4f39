"""Settlement of the games that are played at a link's tables: what is paid, collected, handed back."""
