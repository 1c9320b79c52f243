"""95% intervals."""

import math
from typing import NamedTuple

LEVEL = 0.95
Z = 1.959963984540054  # a normal variable stays within this in 95% of cases
MANY = 1000  # degrees of freedom from which a series is exact enough


class Estimate(NamedTuple):
    """A value and the interval around it."""

    value: float
    low: float
    high: float

    def data(self, digits: int) -> dict[str, float | None]:
        """As JSON-able data; unknown values are null."""
        return {
            name: round(number, digits) if math.isfinite(number) else None for name, number in self._asdict().items()
        }


def share(won: float, games: int) -> Estimate:
    """A share of games with Wilson's interval.

    Shared victories are divided. Fractions vary less than whole wins with the same mean, so the interval, which treats
    `won` as a number of whole wins, is then slightly wider than necessary.
    """
    if not games:
        return Estimate(0.0, 0.0, 1.0)
    part = won / games
    weight = 1 + Z * Z / games
    middle = (part + Z * Z / (2 * games)) / weight
    reach = Z / weight * math.sqrt(part * (1 - part) / games + Z * Z / (4 * games * games))
    return Estimate(part, max(0.0, min(part, middle - reach)), min(1.0, max(part, middle + reach)))


def mean_of_sums(count: int, total: float, squares: float) -> Estimate:
    """The same from the number of values, their sum and the sum of their squares."""
    if count < 2:
        return Estimate(total, -math.inf, math.inf) if count else Estimate(math.nan, -math.inf, math.inf)
    middle = total / count
    variance = max(0.0, squares - count * middle * middle) / (count - 1)
    reach = student(count - 1) * math.sqrt(variance / count)
    return Estimate(middle, middle - reach, middle + reach)


def student(freedom: int) -> float:
    """Student's t: the bound that contains 95% of the distribution with that many degrees of freedom."""
    if freedom > MANY:
        return Z + (Z**3 + Z) / (4 * freedom)
    low, high = 0.0, 13.0
    while high - low > 1e-10:
        middle = (low + high) / 2
        if within(middle, freedom) < LEVEL:
            low = middle
        else:
            high = middle
    return low


def within(t: float, freedom: int) -> float:
    """The probability of a value between -t and t (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    term = math.cos(angle) if freedom % 2 else 1.0
    total = term if freedom > 1 else 0.0
    for step in range(3 if freedom % 2 else 2, freedom - 1, 2):
        term *= (step - 1) / step * math.cos(angle) ** 2
        total += term
    if freedom % 2:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total
