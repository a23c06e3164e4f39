"""The jackpot's money: what a bet, a void, a payment and a reset move, to the unit.

Nothing here changes the pool. Each function drafts the moves on a copy of the balances and hands
them back, for a fact to carry and `applying` to post.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from jackpot.cards.evaluator import Hand
from jackpot.core.money import Account, Rates, displayed, shares_of, to_units
from jackpot.core.records import frozen, maker
from jackpot.games.progressive import ALL_OF_IT
from jackpot.link.awards import Policy
from jackpot.link.parameters import Parameters
from jackpot.link.state import PendingThen, Pool, Registered
from jackpot.link.wins import Proof
from jackpot.pools.policies import Sharer, proofs_of

WAGERS, METER, CARRYOVER, RESERVE, OVERFLOW, HOUSE, PRIZES, UNCLAIMED = Account
_new_registered = maker(Registered)


@frozen()
class Transfer:
    """Balanced moves, and what they add to the money that bets brought to the pool."""

    moves: dict[Account, int]
    contributed: int = 0


class Draft:
    """Balances in the making."""

    def __init__(self, pool: Pool) -> None:
        self._before = pool.accounts
        self._now = dict(pool.accounts)
        self.contributed = 0

    def __getitem__(self, account: Account) -> int:
        return self._now[account]

    def move(self, source: Account, target: Account, units: int) -> None:
        if units:
            self._now[source] -= units
            self._now[target] += units

    def take(self, source: Account, target: Account, units: int) -> int:
        """Move as much of it as the source has; return what is left to find."""
        moved = max(0, min(units, self._now[source]))
        self.move(source, target, moved)
        return units - moved

    def fund(self, target: Account, units: int) -> None:
        """From the reserve, any shortfall from the house."""
        self.move(HOUSE, target, self.take(RESERVE, target, units))

    def cap(self, ceiling: int | None) -> int:
        """What the ceiling leaves no room for goes to overflow."""
        excess = 0 if ceiling is None else max(0, self[METER] - to_units(ceiling))
        self.move(METER, OVERFLOW, excess)
        return excess

    def done(self) -> Transfer:
        before = self._before
        moves = {one: units - before[one] for one, units in self._now.items() if units != before[one]}
        return Transfer(moves, self.contributed)


def opening(seed: int) -> dict[Account, int]:
    """The first seed comes from the house."""
    return {METER: to_units(seed), HOUSE: -to_units(seed)}


def contribute(draft: Draft, bet: int, rates: Rates, *, held: bool, ceiling: int | None) -> None:
    """1.13/1.20: the jackpot increases with each accepted Progressive Jackpot Bet."""
    meter, reserve, house = shares_of(bet, rates)
    draft.move(WAGERS, RESERVE, reserve)
    draft.move(WAGERS, HOUSE, house)
    draft.move(WAGERS, CARRYOVER if held else METER, meter)
    draft.contributed += meter if held else meter - draft.cap(ceiling)


def give_back(draft: Draft, bet: int, rates: Rates, *, held: bool, mirrored: bool) -> None:
    """A returned bet. Its mirror, unless a major has been paid since: then the house returns it."""
    if not mirrored:
        draft.move(HOUSE, WAGERS, to_units(bet))
        return
    meter, reserve, house = shares_of(bet, rates)
    draft.move(HOUSE, WAGERS, house + draft.take(RESERVE, WAGERS, reserve))
    if held:
        draft.move(CARRYOVER, WAGERS, meter)
        return
    left = draft.take(OVERFLOW, WAGERS, meter)
    draft.move(HOUSE, WAGERS, draft.take(METER, WAGERS, left))


def award(draft: Draft, amount: int) -> None:
    """A minor, paid by the house; a negative one takes it back."""
    draft.move(HOUSE, PRIZES, to_units(amount))


@frozen()
class Release:
    """The carryover that joins the pool when a win leaves the queue unpaid."""

    transfer: Transfer
    joined: tuple[int, ...]


def released(pool: Pool, parameters: Parameters, waiting: Iterable[int]) -> Release:
    """Without a payment the carryover joins as it is; below zero it is a reversal, overflow first."""
    joined, units = _joining(pool, waiting)
    draft = Draft(pool)
    if units >= 0:
        draft.move(CARRYOVER, METER, units)
        draft.contributed -= draft.cap(parameters.ceiling)
    else:
        left = draft.take(OVERFLOW, CARRYOVER, -units)
        draft.move(HOUSE, CARRYOVER, draft.take(METER, CARRYOVER, left))
    return Release(draft.done(), joined)


def _joining(pool: Pool, waiting: Iterable[int]) -> tuple[tuple[int, ...], int]:
    """The segments older than the earliest registration among the wins still waiting; all if none waits."""
    earliest = min(waiting, default=None)
    joining = [one for one in pool.segments if earliest is None or one.number < earliest]
    return tuple(one.number for one in joining), sum(one.amount for one in joining)


@frozen()
class Payment:
    before: int
    base: int
    """What the percentage is of: the displayed value, or the amount registered before a malfunction. Wins
    that are paid together have one base."""
    percent: int
    amount: int
    after: int
    from_pool: int
    transfer: Transfer
    joined: tuple[int, ...]
    contributed_before_reset: int

    @property
    def needs_two(self) -> bool:
        """Reserve or house pays part of it (design of S 5.18.1, H 5.17.1)."""
        return self.from_pool < to_units(self.amount)


def payment(
    pool: Pool,
    parameters: Parameters,
    proof: Proof,
    *,
    waiting: Iterable[int],
    registered_amount: Registered | None,
    last: bool = True,
) -> Payment:
    """What paying a major moves (4.2, 4.5.1, 4.5.2). `parameters` are those in force after it. Of wins that
    are paid together only the last resets the pool and lets carryover join."""
    draft = Draft(pool)
    from_pool = _pay(draft, pool, to_units(proof.amount), registered_amount)
    reset = last and proof.percent == ALL_OF_IT
    joined, units = _joining(pool, waiting) if last else ((), 0)
    if reset:
        draft.fund(METER, to_units(parameters.seed))
        draft.move(OVERFLOW, METER, draft[OVERFLOW])
    elif last and parameters.top_up_to_seed:
        draft.fund(METER, max(0, to_units(parameters.seed) - draft[METER]))
    draft.move(CARRYOVER, METER, max(0, units))
    draft.move(HOUSE, CARRYOVER, max(0, -units))
    excess = draft.cap(parameters.ceiling)
    draft.contributed -= 0 if reset else min(excess, max(0, units))
    return Payment(
        before=pool.value,
        base=proof.reading,
        percent=proof.percent,
        amount=proof.amount,
        after=displayed(draft[METER]),
        from_pool=from_pool,
        transfer=draft.done(),
        joined=joined,
        contributed_before_reset=(
            pool.contributed - max(0, units) - max(0, draft[CARRYOVER])
            if reset
            else pool.contributed_before_reset
        ),
    )


def _pay(draft: Draft, pool: Pool, units: int, registered_amount: Registered | None) -> int:
    """Out of the meter as far as it reaches, of a registered amount only as far as bets made after it stay
    untouched; the rest from reserve, then house."""
    reach = pool.meter
    if registered_amount is not None:
        later = pool.contributed - max(registered_amount.contributed, pool.contributed_before_reset)
        reach -= max(0, later - max(0, pool.accounts[CARRYOVER]))
    left = units - max(0, min(units, reach))
    draft.move(METER, PRIZES, units - left)
    draft.fund(PRIZES, left)
    return units - left


def registered_now(
    pool: Pool, pending: Iterable[PendingThen], sequence: int, policy: Policy | None = None
) -> Registered:
    return _new_registered(
        sequence=sequence,
        meter=pool.meter,
        overflow=pool.accounts[OVERFLOW],
        segments=tuple(pool.segments),
        pending=tuple(pending),
        contributed=pool.contributed,
        policy=policy,
    )


class Leaving(NamedTuple):
    """A win that leaves the line."""

    win: str
    hand: Hand
    percent: int
    from_it: bool = True
    """Paid from the amount; otherwise it only shares with those that are."""


def registered_after(
    registered_amount: Registered, parameters: Parameters, wins: Sequence[Leaving], policy: Policy | None
) -> Registered:
    """What a registered amount leaves for the next major once these wins were paid from it, together, or (no
    policy) have left the line unpaid. 4.5.1 and 4.5.2 hold for it as for the displayed value."""
    pool, gone = _as_pool(registered_amount), {one.win for one in wins}
    left = tuple(one for one in registered_amount.pending if one.win not in gone)
    waiting = [one.segment for one in left]
    if policy is None:
        release = released(pool, parameters, waiting)
        post(pool, release.transfer.moves, 0, release.joined)
    else:
        sharers = [Sharer(one.win, one.hand, one.percent, pool.value) for one in wins]
        proofs = [proof for proof, one in zip(proofs_of(policy, sharers), wins, strict=True) if one.from_it]
        for place, proof in enumerate(proofs, 1):
            last = place == len(proofs)
            paid = payment(pool, parameters, proof, waiting=waiting, registered_amount=None, last=last)
            post(pool, paid.transfer.moves, 0, paid.joined)
    after = registered_now(pool, left, registered_amount.sequence, registered_amount.policy)
    return replace(after, contributed=registered_amount.contributed)


def _as_pool(registered_amount: Registered) -> Pool:
    accounts = dict.fromkeys(Account, 0)
    accounts |= {METER: registered_amount.meter, OVERFLOW: registered_amount.overflow}
    accounts[CARRYOVER] = sum(one.amount for one in registered_amount.segments)
    return Pool(accounts=accounts, segments=list(registered_amount.segments))


def claim_payment(pool: Pool, amount: int) -> Transfer:
    """A late claim is paid from reserve, then house; the pool neither falls nor resets."""
    draft = Draft(pool)
    draft.fund(PRIZES, to_units(amount))
    return draft.done()


def unclaimed(pool: Pool, amount: int) -> Transfer:
    """A prize that nobody came for in time; a negative one is claimed after all."""
    draft = Draft(pool)
    draft.move(PRIZES, UNCLAIMED, to_units(amount))
    return draft.done()


def adjustment(pool: Pool, parameters: Parameters, amount: int, account: Account) -> Transfer:
    draft = Draft(pool)
    draft.move(account, METER, to_units(amount))
    draft.cap(parameters.ceiling)
    return draft.done()


def changeover(pool: Pool, old: Parameters, new: Parameters) -> Transfer:
    """New parameters at once: the meter moves by the difference of the seeds."""
    draft = Draft(pool)
    difference = to_units(new.seed - old.seed)
    if difference >= 0:
        draft.fund(METER, difference)
    else:
        draft.take(METER, RESERVE, -difference)
    draft.cap(new.ceiling)
    return draft.done()


def post(
    pool: Pool, transfer_moves: dict[Account, int], contributed: int, joined: Iterable[int] | None
) -> None:
    """Post moves to the pool. With `joined` those segments leave the carryover; otherwise what the moves
    say of it is posted to the newest segment."""
    for account, units in transfer_moves.items():
        pool.accounts[account] += units
    pool.contributed += contributed
    if joined is not None:
        gone = set(joined)
        pool.segments = [one for one in pool.segments if one.number not in gone]
    elif CARRYOVER in transfer_moves:
        newest = pool.segments[-1]
        pool.segments[-1] = replace(newest, amount=newest.amount + transfer_moves[CARRYOVER])


def copied(pool: Pool) -> Pool:
    return replace(pool, accounts=dict(pool.accounts), segments=list(pool.segments))
