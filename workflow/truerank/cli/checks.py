"""What several commands check and print."""

from reprlib import repr as shortened

from truerank.errors import UserError


def check_between(name: str, value: float, low: float, high: float) -> None:
    if not low < value < high:
        raise UserError(f"--{name} is {value:g}, expected more than {low} and less than {high}; correct it")


def check_whole(name: str, value: int, low: int, high: int, where: str = "") -> None:
    if not low <= value <= high:
        span = f"expected a whole number from {low} to {high:,}{where}"
        raise UserError(f"--{name} is {shortened(value)}, {span}; correct it")


def percent(share: float) -> str:
    return f"{100 * share:.12g}%"
