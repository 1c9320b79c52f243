"""The layout: one energy over places, link curves, labels and region plates, lowered by simulated annealing.

Everything that is seen together is judged together: a link gives way to a label as readily as a label to a link.
A cost of about 1 is a flaw one would notice; what must not happen costs tens.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SEGMENTS = 24  # straight pieces a curve is judged by
DIRECTIONS = 24  # of a label around its disc
GRID = 5.0  # units between two samples of the land


class Layout(NamedTuple):
    """What is fixed (upper part) and what is being moved."""

    canvas: Floats  # left, top, right, bottom
    home: Floats  # (places, 2): the real place
    radius: Floats
    region: Ints
    ends: Ints  # (links, 2)
    touching: Ints  # (places, 10): links of a place, padded with -1
    label_size: Floats  # (places, variants, 2): in one line, in two lines
    plate_size: Floats  # (2)
    fixed: Floats  # (n, 4): rectangles kept free
    land: Floats  # (regions, rows, columns): distance from each region's outline, 0 inside
    plate_wish: Floats  # (regions, 2)

    place: Floats  # (places, 2)
    bend: Floats  # (links, 4): both control points, along and across the straight line
    curve: Floats  # (links, SEGMENTS + 1, 2), follows from place and bend
    box: Floats  # (links, 4)
    leaving: Floats  # (links, 2): directions in which the link is seen to leave its ends
    label: Ints  # (places, 2): direction, variant
    label_box: Floats  # (places, 4)
    plate: Floats  # (regions, 2): centres
    plate_box: Floats


@njit(cache=False)
def trace(s: Layout, k: int) -> None:
    """Bring the curve of a link up to date."""
    a, b = s.place[s.ends[k, 0]], s.place[s.ends[k, 1]]
    wx, wy = b[0] - a[0], b[1] - a[1]
    px = a[0] + s.bend[k, 0] * wx - s.bend[k, 1] * wy
    py = a[1] + s.bend[k, 0] * wy + s.bend[k, 1] * wx
    qx = a[0] + s.bend[k, 2] * wx - s.bend[k, 3] * wy
    qy = a[1] + s.bend[k, 2] * wy + s.bend[k, 3] * wx
    for i in range(SEGMENTS + 1):
        t = i / SEGMENTS
        c0, c1, c2, c3 = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        s.curve[k, i, 0] = c0 * a[0] + c1 * px + c2 * qx + c3 * b[0]
        s.curve[k, i, 1] = c0 * a[1] + c1 * py + c2 * qy + c3 * b[1]
    s.box[k, 0], s.box[k, 1] = s.curve[k, :, 0].min(), s.curve[k, :, 1].min()
    s.box[k, 2], s.box[k, 3] = s.curve[k, :, 0].max(), s.curve[k, :, 1].max()
    for end in range(2):
        centre = s.place[s.ends[k, end]]
        reach = s.radius[s.ends[k, end]] + 4.0
        for step in range(1, SEGMENTS + 1):
            i = step if end == 0 else SEGMENTS - step
            x, y = s.curve[k, i, 0] - centre[0], s.curve[k, i, 1] - centre[1]
            if x * x + y * y >= reach * reach:
                j = i - 1 if end == 0 else i + 1
                u, v = s.curve[k, j, 0] - centre[0], s.curve[k, j, 1] - centre[1]
                inner, outer = math.hypot(u, v), math.hypot(x, y)
                f = (reach - inner) / (outer - inner)
                s.leaving[k, end] = math.atan2(v + f * (y - v), u + f * (x - u))
                break


@njit(cache=False)
def put_label(s: Layout, i: int) -> None:
    """Bring the box of a label up to date."""
    turn = 2 * math.pi * s.label[i, 0] / DIRECTIONS
    half_width, half_height = s.label_size[i, s.label[i, 1]] / 2
    reach = s.radius[i] + 2.8
    c, d = math.cos(turn), math.sin(turn)
    x = s.place[i, 0] + c * reach + half_width * min(1.0, max(-1.0, 1.5 * c))
    y = s.place[i, 1] + d * reach + half_height * min(1.0, max(-1.0, 1.5 * d))
    s.label_box[i] = (x - half_width, y - half_height, x + half_width, y + half_height)


@njit(cache=False)
def put_plate(s: Layout, r: int) -> None:
    """Bring the box of a plate up to date."""
    w, h = s.plate_size / 2
    x, y = s.plate[r]
    s.plate_box[r] = (x - w, y - h, x + w, y + h)


@njit(cache=False)
def away(s: Layout, r: int, x: float, y: float) -> float:
    """Distance of a point from a region."""
    rows, columns = s.land.shape[1:]
    fx = min(max((x - s.canvas[0]) / GRID, 0.0), columns - 1.001)
    fy = min(max((y - s.canvas[1]) / GRID, 0.0), rows - 1.001)
    i, j = int(fy), int(fx)
    fy, fx = fy - i, fx - j
    g = s.land[r]
    return (g[i, j] * (1 - fx) + g[i, j + 1] * fx) * (1 - fy) + (g[i + 1, j] * (1 - fx) + g[i + 1, j + 1] * fx) * fy


@njit(cache=False)
def gap_to_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    wx, wy = bx - ax, by - ay
    share = min(1.0, max(0.0, ((px - ax) * wx + (py - ay) * wy) / (wx * wx + wy * wy + 1e-9)))
    return math.hypot(ax + share * wx - px, ay + share * wy - py)


@njit(cache=False)
def gap_to_box(x: float, y: float, box: Floats) -> float:
    return math.hypot(max(box[0] - x, 0.0, x - box[2]), max(box[1] - y, 0.0, y - box[3]))


@njit(cache=False)
def overlap(a: Floats, b: Floats, margin: float) -> float:
    """How deep two boxes, with a margin, lie in each other."""
    w = min(a[2], b[2]) - max(a[0], b[0]) + margin
    h = min(a[3], b[3]) - max(a[1], b[1]) + margin
    return min(w, h) if w > 0 and h > 0 else 0.0


@njit(cache=False)
def inside_length(s: Layout, k: int, box: Floats, margin: float) -> float:
    """Length of a link's curve within a box, counted double near its middle line."""
    if (
        s.box[k, 0] > box[2] + margin
        or s.box[k, 2] < box[0] - margin
        or s.box[k, 1] > box[3] + margin
        or s.box[k, 3] < box[1] - margin
    ):
        return 0.0
    total = 0.0
    for i in range(SEGMENTS):
        ax, ay = s.curve[k, i]
        bx, by = s.curve[k, i + 1]
        length = math.hypot(bx - ax, by - ay)
        pieces = int(length / 3) + 1
        for piece in range(pieces):
            f = (piece + 0.5) / pieces
            x, y = ax + f * (bx - ax), ay + f * (by - ay)
            depth = min(x - box[0], box[2] - x, y - box[1], box[3] - y) + margin
            if depth > 0:
                total += length / pieces * (0.5 + min(1.0, depth / 4))
    return total


@njit(cache=False)
def under_disc(s: Layout, k: int, i: int) -> float:
    """Cost of a link that comes near a third place."""
    wish = s.radius[i] + 11.0
    x, y = s.place[i]
    if gap_to_box(x, y, s.box[k]) > wish:
        return 0.0
    best = 1e9
    for j in range(SEGMENTS):
        gap = gap_to_segment(x, y, s.curve[k, j, 0], s.curve[k, j, 1], s.curve[k, j + 1, 0], s.curve[k, j + 1, 1])
        best = min(best, gap)
    if best >= wish:
        return 0.0
    cost = 3 * ((wish - best) / 11) ** 2
    must = s.radius[i] + 7.0
    if best < must:
        cost += 15 + 4 * (must - best)
    return cost


@njit(cache=False)
def shared_end(s: Layout, k: int, m: int) -> int:
    for a in s.ends[k]:
        for b in s.ends[m]:
            if a == b:
                return a
    return -1


@njit(cache=False)
def alongside(s: Layout, k: int, m: int, end: int) -> float:
    """Cost of stretches of link k that run close to link m in nearly its direction."""
    near = 10.0
    total = 0.0
    for i in range(1, SEGMENTS):
        x, y = s.curve[k, i]
        if gap_to_box(x, y, s.box[m]) > near:
            continue
        if end >= 0 and math.hypot(x - s.place[end, 0], y - s.place[end, 1]) < s.radius[end] + 16:
            continue
        best, at = 1e9, 0
        for j in range(SEGMENTS):
            gap = gap_to_segment(x, y, s.curve[m, j, 0], s.curve[m, j, 1], s.curve[m, j + 1, 0], s.curve[m, j + 1, 1])
            if gap < best:
                best, at = gap, j
        if best >= near:
            continue
        ux, uy = s.curve[k, i + 1, 0] - s.curve[k, i - 1, 0], s.curve[k, i + 1, 1] - s.curve[k, i - 1, 1]
        vx, vy = s.curve[m, at + 1, 0] - s.curve[m, at, 0], s.curve[m, at + 1, 1] - s.curve[m, at, 1]
        along = abs(ux * vx + uy * vy) / (math.hypot(ux, uy) * math.hypot(vx, vy) + 1e-9)
        total += (1 - best / near) ** 1.5 * along**3 * math.hypot(ux, uy) / 2
    return 0.09 * total


@njit(cache=False)
def crossings(s: Layout, k: int, m: int) -> int:
    count = 0
    for i in range(SEGMENTS):
        ax, ay = s.curve[k, i]
        bx, by = s.curve[k, i + 1]
        if (
            max(ax, bx) < s.box[m, 0]
            or min(ax, bx) > s.box[m, 2]
            or max(ay, by) < s.box[m, 1]
            or min(ay, by) > s.box[m, 3]
        ):
            continue
        for j in range(SEGMENTS):
            cx, cy = s.curve[m, j]
            dx, dy = s.curve[m, j + 1]
            if ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) * (
                (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
            ) < 0 and ((dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)) * (
                (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
            ) < 0:
                count += 1
    return count


@njit(cache=False)
def between_links(s: Layout, k: int, m: int) -> float:
    """Cost of two links with each other."""
    margin = 10.0
    if (
        s.box[k, 0] > s.box[m, 2] + margin
        or s.box[k, 2] < s.box[m, 0] - margin
        or s.box[k, 1] > s.box[m, 3] + margin
        or s.box[k, 3] < s.box[m, 1] - margin
    ):
        return 0.0
    end = shared_end(s, k, m)
    cost = alongside(s, k, m, end) + alongside(s, m, k, end)
    cost += (4.0 if end >= 0 else 0.35) * crossings(s, k, m)
    if end >= 0:
        departure = s.leaving[k, 0] if s.ends[k, 0] == end else s.leaving[k, 1]
        two = s.leaving[m, 0] if s.ends[m, 0] == end else s.leaving[m, 1]
        turn = abs(departure - two) % (2 * math.pi)
        degrees = math.degrees(min(turn, 2 * math.pi - turn))
        if degrees < 30:
            cost += 3 * ((30 - degrees) / 30) ** 2
        if degrees < 22:
            cost += 0.8 * (22 - degrees)
    return cost


@njit(cache=False)
def shape_of_link(s: Layout, k: int) -> float:
    """Cost of detours, turns, and of leaving the land."""
    a, b = s.place[s.ends[k, 0]], s.place[s.ends[k, 1]]
    straight = math.hypot(b[0] - a[0], b[1] - a[1])
    length, turned, sea = 0.0, 0.0, 0.0
    sharpest = 0.0
    for i in range(SEGMENTS):
        ux, uy = s.curve[k, i + 1, 0] - s.curve[k, i, 0], s.curve[k, i + 1, 1] - s.curve[k, i, 1]
        step = math.hypot(ux, uy)
        length += step
        if i:
            px, py = s.curve[k, i, 0] - s.curve[k, i - 1, 0], s.curve[k, i, 1] - s.curve[k, i - 1, 1]
            turn = abs(math.atan2(px * uy - py * ux, px * ux + py * uy))
            turned += turn
            sharpest = max(sharpest, turn / (step + 0.5))
        x, y = s.curve[k, i]
        shore = 1e9
        for r in range(s.land.shape[0]):
            shore = min(shore, away(s, r, x, y))
            if shore == 0:
                break
        sea += max(0.0, shore - 34) * step
    cost = 14 * (length / straight - 1) + 0.6 * turned**2 + 0.004 * sea
    if s.bend[k, 1] * s.bend[k, 3] < 0:
        cost += 5 * min(abs(s.bend[k, 1]), abs(s.bend[k, 3]))
    if sharpest > 0.05:
        cost += 30 * (sharpest - 0.05)
    return cost


@njit(cache=False)
def link_energy(s: Layout, k: int, skip: Ints) -> float:
    """All of a link; links marked in `skip` are left out of the pairs."""
    cost = shape_of_link(s, k)
    for i in range(len(s.place)):
        if i != s.ends[k, 0] and i != s.ends[k, 1]:
            cost += under_disc(s, k, i)
        cost += inside_length(s, k, s.label_box[i], 1.2)
    for r in range(len(s.plate)):
        cost += 0.3 * inside_length(s, k, s.plate_box[r], 2.0)
    for f in range(len(s.fixed)):
        cost += inside_length(s, k, s.fixed[f], 2.0)
    for m in range(len(s.ends)):
        if m != k and not skip[m]:
            cost += between_links(s, k, m)
    return cost


@njit(cache=False)
def box_energy(s: Layout, box: Floats, label: int, plate: int) -> float:
    """Cost of a label's or plate's box with discs, other boxes and the canvas."""
    cost = 0.0
    wish = 2.0 if label >= 0 else 4.0
    for i in range(len(s.place)):
        gap = gap_to_box(s.place[i, 0], s.place[i, 1], box) - s.radius[i]
        if gap < wish:
            cost += 12 + 5 * (wish - gap)
        elif i != label and label >= 0 and gap < 5:
            cost += 0.25 * (5 - gap)
        if i != label:
            deep = overlap(box, s.label_box[i], 2.0)
            if deep > 0:
                cost += 12 + 4 * deep
    for r in range(len(s.plate)):
        if r != plate:
            deep = overlap(box, s.plate_box[r], 4.0)
            if deep > 0:
                cost += 12 + 4 * deep
    for f in range(len(s.fixed)):
        deep = overlap(box, s.fixed[f], 4.0)
        if deep > 0:
            cost += 12 + 4 * deep
    for out in (s.canvas[0] - box[0], s.canvas[1] - box[1], box[2] - s.canvas[2], box[3] - s.canvas[3]):
        if out > -6:
            cost += 12 + 2 * (out + 6)
    return cost


@njit(cache=False)
def label_energy(s: Layout, i: int, links: bool) -> float:
    box = s.label_box[i]
    cost = box_energy(s, box, i, -1)
    if s.label[i, 1] == 1:
        cost += 0.25
    turn = 2 * math.pi * s.label[i, 0] / DIRECTIONS
    cost += 0.12 * (1 - max(abs(math.cos(turn)), abs(math.sin(turn)) * 0.9))
    if links:
        for k in range(len(s.ends)):
            cost += inside_length(s, k, box, 1.2)
    return cost


@njit(cache=False)
def plate_energy(s: Layout, r: int, links: bool) -> float:
    box = s.plate_box[r]
    cost = box_energy(s, box, -1, r)
    cost += 0.03 * math.hypot(s.plate[r, 0] - s.plate_wish[r, 0], s.plate[r, 1] - s.plate_wish[r, 1])
    for i in range(5):
        for j in range(3):
            x = box[0] + (box[2] - box[0]) * i / 4
            y = box[1] + (box[3] - box[1]) * j / 2
            for other in range(len(s.plate)):
                if other != r and away(s, other, x, y) < 0.5:
                    cost += 0.8
            own = away(s, r, x, y)
            cost += 0.05 * min(1.0, own / 10)
    if links:
        for k in range(len(s.ends)):
            cost += 0.3 * inside_length(s, k, box, 2.0)
    return cost


@njit(cache=False)
def place_energy(s: Layout, i: int, skip: Ints) -> float:
    """All that changes when a place moves."""
    x, y = s.place[i]
    moved = math.hypot(x - s.home[i, 0], y - s.home[i, 1])
    cost = (moved / 11) ** 2 + 0.6 * max(0.0, moved - 20)
    outside = away(s, s.region[i], x, y)
    if outside > 0:
        cost += 1.5 + outside
    for j in range(len(s.place)):
        if j != i:
            gap = math.hypot(x - s.place[j, 0], y - s.place[j, 1]) - s.radius[i] - s.radius[j]
            if gap < 16:
                cost += 2 * ((16 - gap) / 8) ** 2
            if gap < 6:
                cost += 20
            near = gap_to_box(x, y, s.label_box[j]) - s.radius[i]
            if near < 2.0:
                cost += 12 + 5 * (2.0 - near)
    for r in range(len(s.plate)):
        near = gap_to_box(x, y, s.plate_box[r]) - s.radius[i]
        if near < 4:
            cost += 12 + 5 * (4 - near)
    cost += label_energy(s, i, True)
    for k in range(len(s.ends)):
        if s.ends[k, 0] != i and s.ends[k, 1] != i:
            cost += under_disc(s, k, i)
    for k in s.touching[i]:
        if k >= 0:
            cost += link_energy(s, k, skip)
            skip[k] = 1
    for k in s.touching[i]:
        if k >= 0:
            skip[k] = 0
    return cost


@njit(cache=False)
def taken(before: float, after: float, heat: float) -> bool:
    """Whether a change stays: a better one always, a worse one sometimes, while it is hot."""
    return bool(np.random.random() < math.exp(min(0.0, (before - after) / heat)))


@njit(cache=False)
def try_bend(s: Layout, heat: float, reach: float, skip: Ints) -> None:
    """Bend a link: sideways, straight, or one of its ends."""
    k = np.random.randint(len(s.ends))
    old = s.bend[k].copy()
    before = link_energy(s, k, skip)
    if np.random.random() < 0.4:
        shift = np.random.normal() * 0.15 * reach
        s.bend[k, 1] += shift
        s.bend[k, 3] += shift
    elif np.random.random() < 0.1:
        s.bend[k] = np.array([0.33, 0.0, 0.67, 0.0])
    else:
        end = 2 * np.random.randint(2)
        s.bend[k, end] += np.random.normal() * 0.06 * reach
        s.bend[k, end + 1] += np.random.normal() * 0.15 * reach
    s.bend[k, 0] = min(max(s.bend[k, 0], 0.15), 0.5)
    s.bend[k, 2] = min(max(s.bend[k, 2], 0.5), 0.85)
    s.bend[k, 1] = min(max(s.bend[k, 1], -0.7), 0.7)
    s.bend[k, 3] = min(max(s.bend[k, 3], -0.7), 0.7)
    trace(s, k)
    if not taken(before, link_energy(s, k, skip), heat):
        s.bend[k] = old
        trace(s, k)


@njit(cache=False)
def try_label(s: Layout, heat: float) -> None:
    """Turn a label around its disc, or write it in one line instead of two."""
    i = np.random.randint(len(s.place))
    old = s.label[i].copy()
    before = label_energy(s, i, True)
    if np.random.random() < 0.5:
        s.label[i, 0] = np.random.randint(DIRECTIONS)
    else:
        s.label[i, 0] = (s.label[i, 0] + np.random.randint(-2, 3)) % DIRECTIONS
    if np.random.random() < 0.3:
        s.label[i, 1] = 1 - s.label[i, 1]
    put_label(s, i)
    if not taken(before, label_energy(s, i, True), heat):
        s.label[i] = old
        put_label(s, i)


@njit(cache=False)
def try_place(s: Layout, heat: float, reach: float, skip: Ints) -> None:
    """Push a disc, with its label and its links."""
    i = np.random.randint(len(s.place))
    old = s.place[i].copy()
    before = place_energy(s, i, skip)
    s.place[i, 0] += np.random.normal() * 6 * reach
    s.place[i, 1] += np.random.normal() * 6 * reach
    put_place(s, i)
    if not taken(before, place_energy(s, i, skip), heat):
        s.place[i] = old
        put_place(s, i)


@njit(cache=False)
def put_place(s: Layout, i: int) -> None:
    """Bring what hangs on a disc up to date."""
    put_label(s, i)
    for k in s.touching[i]:
        if k >= 0:
            trace(s, k)


@njit(cache=False)
def try_plate(s: Layout, heat: float, reach: float) -> None:
    """Push a region's plate."""
    r = np.random.randint(len(s.plate))
    old = s.plate[r].copy()
    before = plate_energy(s, r, True)
    size = (80 if np.random.random() < 0.3 else 8) * reach
    s.plate[r, 0] += np.random.normal() * size
    s.plate[r, 1] += np.random.normal() * size
    put_plate(s, r)
    if not taken(before, plate_energy(s, r, True), heat):
        s.plate[r] = old
        put_plate(s, r)


@njit(cache=False)
def anneal(s: Layout, seed: int, steps: int, hot: float, cold: float) -> None:
    """Propose small changes; take the better ones, and the worse ones while it is hot."""
    np.random.seed(seed)
    skip = np.zeros(len(s.ends), np.int64)
    for step in range(steps):
        progress = step / steps
        heat = hot * (cold / hot) ** progress
        reach = 1 - 0.85 * progress
        dice = np.random.random()
        if dice < 0.55:
            try_bend(s, heat, reach, skip)
        elif dice < 0.8:
            try_label(s, heat)
        elif dice < 0.9:
            try_place(s, heat, reach, skip)
        else:
            try_plate(s, heat, reach)


@njit(cache=False)
def energy(s: Layout) -> float:
    """The sum over all, pairs counted once (boxes with boxes twice)."""
    skip = np.zeros(len(s.ends), np.int64)
    total = 0.0
    for k in range(len(s.ends)):
        total += link_energy(s, k, skip)
        skip[k] = 1
    for i in range(len(s.place)):
        total += label_energy(s, i, False) + ((s.place[i] - s.home[i]) ** 2).sum() / 11**2
    for r in range(len(s.plate)):
        total += plate_energy(s, r, False)
    return total
