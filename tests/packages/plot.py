"""A plot, as SVG: what builds cost under Stet, against how many system calls they make in a second."""

import html
import math

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 60, 100, 20, 50  # names stand right of their marks
STEP = 0.1
STYLE = """
svg { background: white; font: 12px sans-serif }
line.grid { stroke: #ddd } line.one { stroke: #888; stroke-dasharray: 4 3 }
circle { fill: #1f6fb2; fill-opacity: .7 } circle.two { fill: #c2571a }
text { fill: #333 } text.name { font-size: 10px; fill: #666 }
"""


class Axes:
    """The horizontal one is logarithmic, in decades; the vertical one linear."""

    def __init__(self, points):
        self.low = math.floor(math.log10(min(x for x, *_ in points)))
        self.high = max(math.ceil(math.log10(max(x for x, *_ in points))), self.low + 1)
        self.bottom = math.floor(min(0.9, *(y for _, y, *_ in points)) / STEP) * STEP
        self.top = math.ceil(max(1.2, *(y for _, y, *_ in points)) / STEP) * STEP

    def x(self, value):
        return LEFT + (math.log10(value) - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - (value - self.bottom) / (self.top - self.bottom) * (HEIGHT - TOP - BOTTOM)


def grid(axes):
    for power in range(axes.low, axes.high + 1):
        x = axes.x(10 ** power)
        yield f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{10 ** power:,}</text>'
    for i in range(round((axes.top - axes.bottom) / STEP) + 1):
        value = axes.bottom + i * STEP
        y = axes.y(value)
        yield f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.1f}</text>'
    y = axes.y(1)
    yield f'<line class="one" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'


def titles():
    yield (f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">'
           "system calls per second of the native build</text>")
    middle = (TOP + HEIGHT - BOTTOM) / 2
    yield f'<text transform="rotate(-90 16 {middle})" x="16" y="{middle}" text-anchor="middle">wall time under Stet / native</text>'


def draw(points):
    """Each point: x, y, name, class of the mark."""
    axes = Axes(points)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
             f"<style>{STYLE}</style>", *grid(axes), *titles()]
    for x, y, name, mark in sorted(points):
        place, height = axes.x(x), axes.y(y)
        lines.append(f'<circle class="{mark}" cx="{place:.1f}" cy="{height:.1f}" r="4"><title>{html.escape(name)}: {y:.2f}</title>'
                     "</circle>")
        lines.append(f'<text class="name" x="{place + 6:.1f}" y="{height + 3:.1f}">{html.escape(name)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
