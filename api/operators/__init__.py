"""What people of the House see and do: sessions, links, wins, proposals, irregularities, previews.

Routes translate and nothing more: the rules are in `jackpot`.
"""
