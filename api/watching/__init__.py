"""What a serving process keeps an eye on: commits counted, the state of every link, hands that are not
likely."""
