"""Settlement of the games that a link's tables play: what each box is paid, what is collected, what goes back."""
