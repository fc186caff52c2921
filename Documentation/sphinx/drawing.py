# SPDX-License-Identifier: GPL-2.0
"""Converts drawings that are made of characters to SVG.

A drawing consists of lines of text. These characters become shapes where they do not belong to
a word: - = . ~ are horizontal lines, | is a vertical line, / and \\ are diagonals, < and > at a
horizontal line and ^ are heads of arrows, + is a corner, and text in brackets is in a box. All
other characters remain text, each word in its column.
"""

import html
import re

WIDTH = 7.8     # of a column, pixels
HEIGHT = 17     # of a line
MARGIN = 10
SIZE = 12.5     # of the font

STYLE = (
    'text{font:%gpx "DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#1f2328;'
    'white-space:pre}'
    'line,path{stroke:#57606a;stroke-width:1.2;fill:none}'
    'polygon{fill:#57606a}'
    '.dots{stroke-dasharray:1.5 4}'
    '.waves{stroke-dasharray:5 3}'
    '.box{fill:#ddf4ff;stroke:#0969da;stroke-width:1}'
    '.page{fill:#ffffff;stroke:none}' % SIZE)

RUNS = {'-': 'solid', '=': 'solid', '.': 'dots', '~': 'waves'}


class Drawing:
    """The characters of a drawing, and the shapes that they become."""

    def __init__(self, text):
        lines = text.expandtabs().rstrip().split('\n')
        self.columns = max(len(line) for line in lines)
        self.rows = [line.ljust(self.columns) for line in lines]
        self.used = [[False] * self.columns for _ in lines]
        self.shapes = []

    def at(self, row, column):
        """The character at a position, a blank outside of the drawing."""
        if 0 <= row < len(self.rows) and 0 <= column < self.columns:
            return self.rows[row][column]
        return ' '

    def is_word(self, row, column):
        """Whether a letter or a digit is at a position."""
        return self.at(row, column).isalnum()

    def use(self, row, first, last):
        """The characters from first to before last are shapes, not text."""
        for column in range(first, last):
            self.used[row][column] = True

    def line(self, x1, y1, x2, y2, kind='solid'):
        """A line between two points in columns and rows."""
        self.shapes.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s"/>' % (
            MARGIN + x1 * WIDTH, MARGIN + y1 * HEIGHT,
            MARGIN + x2 * WIDTH, MARGIN + y2 * HEIGHT, kind))

    def head(self, x, y, dx, dy):
        """The head of an arrow with its tip at a point, in a direction."""
        x, y = MARGIN + x * WIDTH, MARGIN + y * HEIGHT
        back = (x - 7 * dx, y - 7 * dy)
        points = [(x, y), (back[0] + 3.5 * dy, back[1] + 3.5 * dx),
                  (back[0] - 3.5 * dy, back[1] - 3.5 * dx)]
        self.shapes.append('<polygon points="%s"/>' % ' '.join('%.1f,%.1f' % p for p in points))

    def boxes(self):
        """Text in brackets gets a box. Its text remains text."""
        for row, text in enumerate(self.rows):
            for match in re.finditer(r'\[[^][]*\]', text):
                self.shapes.append(
                    '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="3" class="box"/>' % (
                        MARGIN + (match.start() + 0.35) * WIDTH, MARGIN + (row + 0.06) * HEIGHT,
                        (match.end() - match.start() - 0.7) * WIDTH, 0.88 * HEIGHT))
                self.use(row, match.start(), match.start() + 1)
                self.use(row, match.end() - 1, match.end())

    def in_box(self, row, column):
        """Whether a position is between brackets."""
        before = self.rows[row][:column]
        return before.rfind('[') > before.rfind(']') and ']' in self.rows[row][column:]

    def horizontals(self):
        """Runs of - = . ~ with the heads of arrows at their ends."""
        for row, text in enumerate(self.rows):
            for match in re.finditer(r'<?(-+|=+|~+|\.{2,})>?|<[-=]|[-=]>', text):
                first, last = match.span()
                run = match.group().strip('<>')
                if not run or self.in_box(row, first):
                    continue
                plain = len(run) == 1 and run == match.group()
                ends = self.at(row, first - 1) + self.at(row, last)
                if plain and (not set(ends) & set('|+[]()<>/\\') or
                              self.is_word(row, first - 1) and self.is_word(row, last)):
                    continue
                start, stop = first, last
                if self.at(row, first - 1) in '|+' and run[0] != '.':
                    start -= 0.5
                if self.at(row, last) in '|+' and run[0] != '.':
                    stop += 0.5
                self.use(row, first, last)
                self.line(start, row + 0.5, stop, row + 0.5, RUNS[run[0]])
                if match.group()[0] == '<':
                    self.head(start, row + 0.5, -1, 0)
                if match.group()[-1] == '>':
                    self.head(stop, row + 0.5, 1, 0)

    def verticals(self):
        """| and +, diagonals, and heads of arrows that point upwards."""
        for row, text in enumerate(self.rows):
            for column, char in enumerate(text):
                if self.used[row][column] or self.in_box(row, column):
                    continue
                x, alone = column + 0.5, not (self.is_word(row, column - 1) and
                                              self.is_word(row, column + 1))
                if char == '|':
                    self.line(x, row, x, row + 1)
                elif char == '+' and (set(self.at(row, column - 1) + self.at(row, column + 1)) &
                                      set('-<>')):
                    self.corner(row, column)
                elif char == '/' and alone and not self.divides(row, column):
                    self.line(column + 1, row, column, row + 1)
                elif char == 'X' and '\\' in self.at(row - 1, column - 1) + self.at(row - 1, column - 2):
                    self.line(column, row, column + 1, row + 1)
                    self.line(column + 1, row, column, row + 1)
                elif char == '\\' and alone:
                    self.line(column, row, column + 1, row + 1)
                elif char == '^' and alone:
                    self.line(x, row + 0.2, x, row + 1)
                    self.head(x, row, 0, -1)
                elif char in '<>' and (set(self.at(row, column - 1) + self.at(row, column + 1)) &
                                       set('|')):
                    self.head(column + (char == '>'), row + 0.5, 1 if char == '>' else -1, 0)
                else:
                    continue
                self.use(row, column, column + 1)

    def divides(self, row, column):
        """Whether a / belongs to the words beside it."""
        return self.is_word(row, column - 1) or \
            self.is_word(row, column - 2) and self.is_word(row, column + 2)

    def corner(self, row, column):
        """The lines of a + to its neighbours."""
        x, y = column + 0.5, row + 0.5
        for dx, dy, joins in ((-1, 0, '-+'), (1, 0, '-+'), (0, -1, '|+'), (0, 1, '|+')):
            if self.at(row + dy, column + dx) in joins:
                self.line(x, y, x + dx / 2, y + dy / 2)

    def words(self):
        """The remaining text, as words with single blanks between them."""
        for row, text in enumerate(self.rows):
            left = ''.join(' ' if used else char
                           for char, used in zip(text, self.used[row]))
            for match in re.finditer(r'\S+( \S+)*', left):
                self.shapes.append('<text x="%.1f" y="%.1f" textLength="%.1f">%s</text>' % (
                    MARGIN + match.start() * WIDTH, MARGIN + (row + 0.75) * HEIGHT,
                    len(match.group()) * WIDTH, html.escape(match.group())))

    def svg(self):
        """The drawing as a document of SVG."""
        self.boxes()
        self.horizontals()
        self.verticals()
        self.words()
        width = 2 * MARGIN + self.columns * WIDTH
        height = 2 * MARGIN + len(self.rows) * HEIGHT
        return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
                'viewBox="0 0 %d %d"><style>%s</style>'
                '<rect class="page" width="%d" height="%d" rx="6"/>%s</svg>\n' % (
                    width, height, width, height, STYLE, width, height, ''.join(self.shapes)))


def svg(text):
    """Convert a drawing to SVG."""
    return Drawing(text).svg()
