"""What several commands check and print."""

from truerank.errors import UserError


def check_between(name: str, value: float, low: float, high: float) -> None:
    if not low < value < high:
        raise UserError(f"--{name} is {value:g}, expected more than {low} and less than {high}; correct it")


def percent(share: float) -> str:
    return f"{100 * share:.12g}%"
