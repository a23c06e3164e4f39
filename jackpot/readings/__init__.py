"""What people and signs are shown of a link: the meter, its tables, the wins that wait, alerts.

Worked out from the state and from what its tables may do now (`jackpot.play.status`), never kept. No
rule asks a reading.
"""
