"""What signs and displays ask: the stream, the line for LED controllers, receipts, enrolment, and the pages
they show."""
