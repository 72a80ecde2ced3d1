#!/usr/bin/env python3
"""Writes neovim.svg, neovim-callers.svg and emacs.svg next to this file: the language server in two editors.

    docs/pictures/language_server.py target/release/whichfn

It needs tmux, Neovim 0.11 or later, and Emacs with eglot on PATH. The settings are the recipes of docs/editors.md. The
repository is a small one that the script creates. The script stops if an editor does not show what the page promises.
"""
import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter

from record import COLUMNS, EDGE, GROUND, HERE, HIGH, SIZE, WIDE, write

ROWS, SESSION = 26, "shop"
NAMED = {30: "#000000", 37: "#c0c0c0"}  # of the colors with a code of their own, Emacs uses these
QUESTION = "retry a card payment that fails"
SHOP = {
    "cart.py": '''"""The cart of one customer."""

from prices import in_euros, without_discount, with_voucher


class Cart:
    def __init__(self, items, voucher=None):
        self.items = items
        self.voucher = voucher

    def total(self):
        """Returns the sum of the items, in cents, after the voucher."""
        cents = sum(item.cents for item in self.items)
        if self.voucher:
            return with_voucher(cents, self.voucher)
        return without_discount(cents)

    def receipt(self):
        """Writes one line for each item and one for the total."""
        lines = [f"{item.name}: {in_euros(item.cents)}" for item in self.items]
        return "\\n".join([*lines, f"total: {in_euros(self.total())}"])
''',
    "prices.py": '''"""Prices are whole cents."""


def with_voucher(cents, voucher):
    """Takes a percentage off a price. Rounds in favor of the customer."""
    return cents - -(-cents * voucher.percent // 100)


def without_discount(cents):
    return cents


def in_euros(cents):
    """Formats a price for people, for example 12.50."""
    return f"{cents // 100}.{cents % 100:02} EUR"
''',
    "checkout.py": '''"""Takes the money."""

from cart import Cart
from prices import with_voucher


class Declined(Exception):
    pass


def pay(cart: Cart, card):
    """Charges the card. Tries three times before it gives up."""
    for _ in range(3):
        if card.charge(cart.total()):
            return cart.receipt()
    raise Declined(card.number[-4:])


def preview(item, voucher):
    """Shows what an item would cost with a voucher."""
    return with_voucher(item.cents, voucher)


def refund(card, cart: Cart):
    """Gives the money back to the customer."""
    card.charge(-cart.total())
''',
}
# Settings for the look of the pictures.
NEOVIM = "vim.o.background, vim.o.winborder, vim.o.swapfile, vim.o.laststatus = 'dark', 'rounded', false, 2\n"
EMACS = """(setq inhibit-startup-screen t native-comp-async-report-warnings-errors nil frame-background-mode 'dark)
(setq suggest-key-bindings nil auto-save-default nil create-lockfiles nil)
(menu-bar-mode -1)
"""


def recipes(language):
    """Returns the recipes of the documentation in a language."""
    return re.findall(rf"```{language}\n(.*?)```", (HERE.parent / "editors.md").read_text(), re.S)


def tmux(*arguments):
    # A server of its own: settings of the user's server would change the colors.
    command = ["tmux", "-L", f"whichfn-{os.getpid()}", "-f", "/dev/null", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def settled(expected):
    """Waits until the screen contains a text and no longer changes. Returns the screen with SGR codes."""
    until, former = time.time() + 60, None
    while time.time() < until:
        shown = tmux("capture-pane", "-p", "-t", SESSION)
        if expected in shown and shown == former:
            return tmux("capture-pane", "-e", "-p", "-t", SESSION)
        former = shown
        time.sleep(1)
    raise SystemExit(f"no {expected!r} on this screen:\n{former}")


def screen(program, folder, environment, steps):
    """Runs an editor in tmux. A step is the keys to type and a text that the screen shows then."""
    size = ["-x", str(COLUMNS), "-y", str(ROWS)]
    # Two or more arguments run without a shell, whose start files may change PATH.
    command = ["env", *(f"{name}={value}" for name, value in environment.items()), *program]
    tmux("new-session", "-d", "-s", SESSION, *size, "cat", ";", "set", "-g", "status", "off",
         ";", "set", "-g", "default-terminal", "tmux-256color", ";", "set", "-sg", "escape-time", "0",
         ";", "respawn-pane", "-k", "-c", folder, *command)
    try:
        for keys, expected in steps:
            for key in keys:
                tmux("send-keys", "-t", SESSION, key)
            shown = settled(expected)
        return shown
    finally:
        tmux("kill-server")


def cells(line, style):
    """Yields the cells of a line: text, foreground, background and weight. `style` continues across lines."""
    for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b])", line):
        if text:
            front, back, bold, swapped = style["front"], style["back"], style["bold"], style["swapped"]
            yield text, back or GROUND if swapped else front, front or "#d4d7dd" if swapped else back, bold
            continue
        numbers = [int(code or 0) for code in codes.split(";")]
        while numbers:
            code = numbers.pop(0)
            if code == 0:
                style.update(front=None, back=None, bold=False, swapped=False)
            elif code in (1, 7):
                style["bold" if code == 1 else "swapped"] = True
            elif code in (38, 48):
                style["front" if code == 38 else "back"] = color(numbers)
            elif code in (39, 49):
                style["front" if code == 39 else "back"] = None
            elif code in NAMED:
                style["front"] = NAMED[code]


def color(numbers):
    """Reads a color of 24 bits. COLORTERM asks the editors for these."""
    kind = numbers.pop(0)
    if kind != 2:
        raise SystemExit(f"color {kind};{numbers} is not of 24 bits")
    red, green, blue = numbers[:3]
    del numbers[:3]
    return f"#{red:02x}{green:02x}{blue:02x}"


def runs(line):
    """Yields runs of cells with one style: column, text, foreground, background, weight."""
    start, text, former = 0, "", None
    for column, (sign, *look) in enumerate(line):
        if look != former and text:
            yield start, text, *former
            start, text = column, ""
        text, former = text + sign, look
    if text:
        yield start, text, *former


def draw(name, screen_text, title):
    """Writes a picture of a screen."""
    style = {"front": None, "back": None, "bold": False, "swapped": False}
    lines = [list(cells(line, style)) for line in screen_text.removesuffix("\n").split("\n")]
    # tmux leaves out cells at the end of a line, and a window may cover most of the others.
    ground = Counter(line[0][2] for line in lines if line).most_common(1)[0][0] or GROUND
    across = lambda column: f"{EDGE + column * WIDE:.1f}"
    body = []
    for number, line in enumerate(lines):
        top, pieces = EDGE + number * HIGH, ""
        for column, text, front, back, bold in runs(line):
            if back not in (None, ground):
                body.append(f'<rect x="{across(column)}" y="{top}" width="{len(text) * WIDE:.1f}" height="{HIGH}" fill="{back}"/>')
            look = (f' fill="{front}"' if front else "") + (' class="B"' if bold else "")
            lead = len(text) - len(text.lstrip())
            if text.strip():
                pieces += f'<tspan x="{across(column + lead)}"{look}>{html.escape(text.strip())}</tspan>'
        if pieces:
            body.append(f'<text y="{top + SIZE}">{pieces}</text>')
    write(name, body, len(lines), html.escape(title), ground)


def main():
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/release/whichfn").resolve()
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home, SESSION)
        folder.mkdir()
        for name, text in SHOP.items():
            (folder / name).write_text(text)
        subprocess.run(["git", "init", "-q", folder], check=True)
        settings = pathlib.Path(home, ".config/nvim/init.lua")
        settings.parent.mkdir(parents=True)
        settings.write_text(recipes("lua")[0] + NEOVIM)
        pathlib.Path(home, ".emacs").write_text(EMACS + "\n".join(recipes("elisp")))
        environment = {"HOME": home, "XDG_CACHE_HOME": f"{home}/cache", "XDG_CONFIG_HOME": f"{home}/.config",
                       "XDG_DATA_HOME": home, "XDG_STATE_HOME": home, "COLORTERM": "truecolor",
                       "PATH": f"{program.parent}:{os.environ['PATH']}"}
        neovim, emacs = ["nvim", "checkout.py"], ["emacs", "-nw", "checkout.py"]
        asked = screen(neovim, str(folder), environment,
                       [([], "Declined"), ([f":Which {QUESTION}", "Enter"], "[Function] pay")])
        draw("neovim.svg", asked, f"Neovim: the answers of the language server to '{QUESTION}'")
        callers = screen(neovim, str(folder), environment,
                         [([], "Declined"), ([":call cursor(21, 12)", "Enter"], "21,12"),
                          ([":lua vim.lsp.buf.incoming_calls()", "Enter"], "cart.py|15 col 20| Cart.total"),
                          (["C-w", "p", "K"], "Takes a percentage off")])
        draw("neovim-callers.svg", callers, "Neovim: the callers of a function, and its documentation")
        answers = screen(emacs, str(folder), environment,
                         [([], "Declined"), (["M-x", "eglot", "Enter"], "[eglot:shop]"),
                          (["M-x", "xref-find-apropos", "Enter"], "pattern"), ([QUESTION, "Enter"], "11: def pay")])
        draw("emacs.svg", answers, f"Emacs: the answers of the language server to '{QUESTION}'")


if __name__ == "__main__":
    main()
