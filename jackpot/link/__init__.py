"""What a link knows, what is said to it, and what it writes down: its state and the parts of it, commands,
answers, facts, and the desk at which one command is carried out.

Records and the few questions they answer about themselves. Rules that decide something live in `pools`,
`play` and `house`; what a fact does to the state is said in `jackpot.machine`.
"""
