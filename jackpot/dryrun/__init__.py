"""What recorded play would have come to under other parameters: the facts of a journal made anew on an
alternative link, by the functions that made them, and compared. With nothing changed they are the journal's
own. No rule of money is told here a second time.
"""
