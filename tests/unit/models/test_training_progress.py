"""What training tells."""

import logging

import pytest
from truerank.models._core.progress import Progress, phase, quiet


def test_steps_are_logged_with_the_time_left_and_losses_are_remembered(caplog):
    seconds = iter([10.0, 12.0, 14.0, 16.0])
    tell = Progress(clock=lambda: next(seconds))
    with caplog.at_level(logging.INFO):
        tell(1, 4, 0.5)
        tell(2, 4, 0.25)
        tell(3, 4)
    assert tell.curve == {"step": [1, 2], "loss": [0.5, 0.25], "seconds": [2.0, 4.0]}
    assert caplog.messages == [
        "step 1 of 4, loss 0.5, 2.0 s, about 6 s left",
        "step 2 of 4, loss 0.25, 4.0 s, about 4 s left",
        "step 3 of 4, 6.0 s, about 2 s left",
    ]


def test_phases_count_on_and_only_the_first_is_on_the_curve(caplog):
    seconds = iter([0.0, 1.0, 2.0, 3.0])
    tell = Progress(clock=lambda: next(seconds))
    with caplog.at_level(logging.INFO):
        phase(tell, 0, 3)(1, 1, 0.5)
        then = phase(tell, 1, 3, curve=False)
        then(1, 2, 9.0)
        then(2, 2, 8.0)
    assert tell.curve == {"step": [1], "loss": [0.5], "seconds": [1.0]}
    assert [message.partition(" s,")[0] for message in caplog.messages] == [
        "step 1 of 3, loss 0.5, 1.0",
        "step 2 of 3, loss 9, 2.0",
        "step 3 of 3, loss 8, 3.0",
    ]


@pytest.mark.parametrize("loss", [None, 1.0])
def test_nobody_is_told_by_default(caplog, loss):
    with caplog.at_level(logging.INFO):
        assert quiet(1, 2, loss) is None
    assert not caplog.messages
