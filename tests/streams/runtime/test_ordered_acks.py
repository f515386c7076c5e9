"""Acks leave in order of arrival, per partition: what a slow head holds back stays un-acked."""

from hypothesis import given
from hypothesis import strategies as st

from streams.runtime.ordered_acks import OrderedAcks


class Event:
    def __init__(self, name: int, acked: list[int]) -> None:
        self.name = name
        self._acked = acked

    def ack(self) -> None:
        self._acked.append(self.name)


def test_a_slow_head_holds_back_what_is_done_behind_it() -> None:
    acked: list[int] = []
    acks = OrderedAcks()
    first, second, third = (acks.arrived(Event(n, acked), "p0") for n in range(3))
    acks.done(second)
    acks.done(third)
    assert acked == []
    assert acks.waiting == 3
    acks.done(first)
    assert acked == [0, 1, 2]
    assert acks.waiting == 0


def test_partitions_do_not_hold_each_other_back() -> None:
    acked: list[int] = []
    acks = OrderedAcks()
    acks.arrived(Event(0, acked), "p0")
    acks.done(acks.arrived(Event(1, acked), "p1"))
    assert acked == [1]


@given(st.permutations(range(12)))
def test_the_acked_are_always_a_prefix_of_what_arrived(order: list[int]) -> None:
    acked: list[int] = []
    acks = OrderedAcks()
    arrivals = [acks.arrived(Event(n, acked), "p") for n in range(12)]
    done: set[int] = set()
    for n in order:
        acks.done(arrivals[n])
        done.add(n)
        prefix = next((i for i in range(12) if i not in done), 12)
        assert acked == list(range(prefix))
