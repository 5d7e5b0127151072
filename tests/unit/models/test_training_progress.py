"""What training tells."""

import logging

from truerank.models._core.progress import Progress, phase


def test_steps_are_logged_with_the_time_left_and_losses_are_remembered(caplog):
    seconds = iter([10.0, 12.0, 14.0, 16.0])
    callback = Progress(clock=lambda: next(seconds))
    with caplog.at_level(logging.INFO):
        callback(1, 4, 0.5)
        callback(2, 4, 0.25)
        callback(3, 4)
    assert callback.curve == {"step": [1, 2], "loss": [0.5, 0.25], "seconds": [2.0, 4.0]}
    assert caplog.messages == [
        "step 1 of 4, loss 0.5, 2.0 s, about 6 s left",
        "step 2 of 4, loss 0.25, 4.0 s, about 4 s left",
        "step 3 of 4, 6.0 s, about 2 s left",
    ]


def test_phases_count_on_and_only_the_first_is_on_the_curve(caplog):
    seconds = iter([0.0, 1.0, 2.0, 3.0])
    callback = Progress(clock=lambda: next(seconds))
    with caplog.at_level(logging.INFO):
        phase(callback, 0, 3)(1, 1, 0.5)
        then = phase(callback, 1, 3, curve=False)
        then(1, 2, 9.0)
        then(2, 2, 8.0)
    assert callback.curve == {"step": [1], "loss": [0.5], "seconds": [1.0]}
    assert [message.partition(" s,")[0] for message in caplog.messages] == [
        "step 1 of 3, loss 0.5, 1.0",
        "step 2 of 3, loss 9, 2.0",
        "step 3 of 3, loss 8, 3.0",
    ]


def test_a_phase_of_no_callback_has_none():
    assert phase(None, 0, 3) is None
