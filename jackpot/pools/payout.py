"""What paying the wins in line moves, and in which order: the one place that says what a major is paid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from jackpot.core.records import frozen
from jackpot.core.versions import RULES_OF_0_1
from jackpot.games.progressive import ALL_OF_IT
from jackpot.link.answers import Meter
from jackpot.link.awards import Policy
from jackpot.link.parameters import Basis, Parameters
from jackpot.link.rounds import Round
from jackpot.link.state import Link, PendingThen, Pit, Registered
from jackpot.link.wins import Due, Proof, Win
from jackpot.pools.order import Cluster, Simultaneous, basis_of, line
from jackpot.pools.policies import Sharer, proofs_of
from jackpot.pools.pool import (
    Leaving,
    Payment,
    copied,
    payment,
    post,
    registered_after,
    registered_now,
)

Registers = Mapping[int, Registered]


def simultaneous(link: Link) -> Simultaneous:
    return Simultaneous(link.awards.window or 0, link.awards.together)


def clusters(link: Link) -> tuple[Cluster, ...]:
    return line(link.queue.items(), link.decisions, link.parameters.order_basis, simultaneous(link))


def in_line(link: Link) -> list[str]:
    """As they are paid; of wins that are paid together those that take all come last."""
    return [win for several in _paid_at_once(link) for win in several]


def _paid_at_once(link: Link) -> list[list[str]]:
    """The line in the portions in which it is paid."""
    if not link.awards.together:
        return [[win] for cluster in clusters(link) for win in cluster.wins]
    begun = [one.win for one in link.due if one.win in link.queue]
    rest = [[win for win in cluster.wins if win not in begun] for cluster in clusters(link)]
    portions = [sorted(wins, key=lambda win: link.queue[win].takes_all) for wins in rest if wins]
    return [begun, *portions] if begun else portions


def first_in_line(link: Link) -> list[str]:
    """Who is paid next, and who together with him."""
    return _paid_at_once(link)[0] if link.queue else []


def open_rounds(link: Link) -> dict[str, int]:
    """The rounds of tables in play that can still bring a major, by table."""
    return {name: current.number for name, current in _open(link)}


def _open(link: Link) -> list[tuple[str, Round]]:
    return [
        (name, table.round)
        for name, table in link.tables.items()
        if table.round is not None and table.round.open and link.in_play(table)
    ]


def waiting_for(link: Link, cluster: Cluster) -> dict[str, int]:
    """The open rounds, by table, of which a hand may have been dealt before the end of this cluster. A round
    journalled later is dealt later; whether a table is heard or not does not matter."""
    return {name: current.number for name, current in _open(link) if current.dealt_from <= cluster.end}


def place_rests_on(link: Link, win: str) -> Basis | None:
    """What it rests on that a win stands where it does; None where the order is ambiguous (4.5.2)."""
    cluster = next(one for one in clusters(link) if win in one.wins)
    if cluster.ambiguous:
        return None
    if link.queue[win].rules == RULES_OF_0_1:
        return Basis.STAMPED  # its only interval was made of what its table said
    with_it = {win, *cluster.wins, *[one.win for one in link.due]} if cluster.together else {win}
    others = [one for name, one in link.queue.items() if name not in with_it]
    paid = [hit for hit in link.hits if hit.win not in with_it]
    return basis_of(link.queue[win], [*others, *paid], simultaneous(link))


def due_parameters(link: Link) -> Parameters:
    """In force after the next reset: what was confirmed before the hold began, and nothing later."""
    parameters = link.parameters
    for scheduled in link.scheduled:
        if link.held_since is None or scheduled.sequence < link.held_since:
            parameters = scheduled.changes.applied_to(parameters)
    return parameters


def scheduled_parameters(link: Link) -> Parameters:
    """In force once every confirmed change is, also those that a hold makes wait."""
    parameters = link.parameters
    for scheduled in link.scheduled:
        parameters = scheduled.changes.applied_to(parameters)
    return parameters


def approvals_needed(link: Link, win: Win, paid: Payment) -> int:
    """How many different people: two at least, if reserve or house pays part of it, if it came from a spool,
    or if it is paid from a registered reading that is not what the pool shows now."""
    two = paid.needs_two
    if win.rules != RULES_OF_0_1:
        two = two or win.evidence.spooled or (win.registered is not None and paid.base != paid.before)
    return max(link.parameters.approvals_for(win.percent), 2 if two else 0)


@frozen()
class Payout:
    win: str
    proof: Proof
    payment: Payment
    parameters: Parameters
    """In force after it."""
    resets: bool
    registers: tuple[Registered, ...]
    """The registered amounts that it has changed."""
    due: tuple[Due, ...]
    """All that are paid together, if it is the first of several."""


class _Money:
    """What paying is worked out on: the link's own, or a copy that is carried on."""

    def __init__(self, link: Link) -> None:
        self.link, self.pool, self.parameters = link, link.pool, link.parameters
        self.registers: Mapping[int, Registered] = link.registers

    def payouts(self, portion: Sequence[str], behind: Sequence[str]) -> Iterator[Payout]:
        """One after the other; whoever goes on has posted the one before."""
        link = self.link
        begun = link.due if any(one.win == portion[0] for one in link.due) else ()
        due = begun or self._due([link.queue[win] for win in portion])
        proofs = {one.win: one.proof for one in due}
        for place, name in enumerate(portion, 1):
            last, win = place == len(portion), link.queue[name]
            resets = last and win.takes_all
            parameters = due_parameters(link) if resets else self.parameters
            paid = payment(
                self.pool,
                parameters,
                proofs[name],
                waiting=[link.queue[other].segment for other in behind],
                registered_amount=None if win.registered is None else self.registers[win.registered],
                last=last,
            )
            several = due if place == 1 and not begun and len(portion) > 1 else ()
            changed = self._changed(parameters, due) if last else ()
            yield Payout(name, proofs[name], paid, parameters, resets, changed, several)

    def _due(self, wins: Sequence[Win]) -> tuple[Due, ...]:
        sharers = [
            Sharer(
                one.id,
                one.hand,
                one.percent,
                self.pool.value if one.registered is None else self.registers[one.registered].value,
            )
            for one in wins
        ]
        proofs = proofs_of(self.link.awards.policy, sharers)
        return tuple(
            Due(win=one.id, hand=one.hand, registered=one.registered, proof=proof)
            for one, proof in zip(wins, proofs, strict=True)
        )

    def _changed(self, parameters: Parameters, due: tuple[Due, ...]) -> tuple[Registered, ...]:
        """Registered amounts after these have been paid: those they were paid from, or were pending at."""
        found: list[Registered] = []
        for one in self.registers.values():
            pending = {then.win for then in one.pending}
            paid = [
                Leaving(
                    each.win,
                    each.hand,
                    each.proof.percent,
                    from_it=each.registered == one.sequence or each.win in pending,
                )
                for each in due
            ]
            if any(each.from_it for each in paid):
                found.append(registered_after(one, parameters, paid, self.link.awards.policy))
        return tuple(found)

    def post(self, paid: Payout) -> None:
        payment = paid.payment
        post(self.pool, payment.transfer.moves, payment.transfer.contributed, payment.joined)
        self.pool.contributed_before_reset = payment.contributed_before_reset
        self.parameters = paid.parameters
        self.registers = {**self.registers, **{one.sequence: one for one in paid.registers}}


def knowing(link: Link, win: Win, due: Sequence[Due]) -> frozenset[int]:
    """The registered amounts that know of the reset by this win and those paid with it: who takes all
    was pending at them or is paid from them. Every other one is emptied by it."""
    several = due or link.due
    resetting = [(one.win, one.registered) for one in several if one.proof.percent == ALL_OF_IT]
    resetting = resetting or [(win.id, win.registered)]
    return frozenset(
        one.sequence
        for one in link.registers.values()
        for name, registered in resetting
        if registered == one.sequence or any(then.win == name for then in one.pending)
    )


def first_payout(link: Link) -> Payout:
    """What paying the first in line now would be."""
    first, *behind = _paid_at_once(link)
    return next(_Money(link).payouts(first, [win for several in behind for win in several]))


def without(registers: Registers, parameters: Parameters, win: Win) -> tuple[Registered, ...]:
    """Registered amounts at which a win was pending, after it has left the line unpaid."""
    return tuple(
        registered_after(one, parameters, [Leaving(win.id, win.hand, win.percent)], None)
        for one in registers.values()
        if any(then.win == win.id for then in one.pending)
    )


def prospects(link: Link) -> dict[str, Payment]:
    """What each waiting win would be paid, if all were paid now in the proposed order."""
    return {name: paid for portion in _foreseen(link) for name, paid in portion.items()}


def first_payments(link: Link) -> dict[str, Payment]:
    """What the first in line, and who is paid together with it, would be paid now."""
    return next(_foreseen(link), {})


def _foreseen(link: Link) -> Iterator[dict[str, Payment]]:
    if not link.queue:
        return
    money, portions = _Money(link), _paid_at_once(link)
    money.pool = copied(link.pool)
    for place, portion in enumerate(portions, 1):
        behind = [win for several in portions[place:] for win in several]
        found: dict[str, Payment] = {}
        for paid in money.payouts(portion, behind):
            found[paid.win] = paid.payment
            money.post(paid)
        yield found


def registered(link: Pit) -> Registered:
    """The pool as a malfunction would fall back to it; nothing, where there is none."""
    if not isinstance(link, Link):
        return Registered(sequence=link.sequence, meter=0, overflow=0, segments=(), pending=(), contributed=0)
    pending = [
        PendingThen(
            win=win,
            hand=link.queue[win].hand,
            segment=link.queue[win].segment,
            said_percent=link.queue[win].said_percent,
            cluster=number if link.awards.together else 0,
        )
        for number, several in enumerate(_paid_at_once(link) if link.queue else ())
        for win in several
    ]
    policy = link.awards.policy if pending and link.awards.together else None
    return registered_now(link.pool, pending, link.sequence, policy)


def registered_next(amount: Registered, parameters: Parameters) -> int | None:
    """What it leaves once the wins that were pending then are paid; None if none was."""
    if not amount.pending:
        return None
    policy, together = amount.policy or Policy.ORDERED, amount.policy is not None
    for _, several in groupby(enumerate(amount.pending), lambda one: one[1].cluster if together else one[0]):
        paid = [Leaving(then.win, then.hand, then.percent) for _, then in several]
        amount = registered_after(amount, parameters, paid, policy)
    return amount.value


def meter_of(link: Link) -> Meter:
    """The reading that comes with every answer."""
    left = registered_next(registered(link), due_parameters(link)) if link.queue else None
    return Meter(value=link.pool.value, sequence=link.sequence, next=left)
