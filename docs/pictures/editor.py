#!/usr/bin/env python3
"""Writes editor.svg next to this file: Neovim with the answers to a question in its quickfix list.

    pip install pyte && docs/pictures/editor.py target/release/whichfn

It needs Neovim on PATH. The commands are those of docs/editors.md.
"""
import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

import pyte

from record import COLUMNS, HERE, save

ROWS = 26
CODES = {"red": 31, "green": 32, "brown": 33, "blue": 34, "magenta": 35, "cyan": 36}
DIM = 2


def commands():
    """Returns the Vim commands of the documentation."""
    text = (HERE.parent / "editors.md").read_text()
    return re.search(r"```vim\n(.*?)```", text, re.S).group(1)


def question():
    """Returns the question of the README. In a string here, it would be a literal text that the answer contains."""
    return re.search(r'\$ whichfn -k \d "(.*)"', (HERE.parent.parent / "README.md").read_text()).group(1)


def screen(arguments, folder, environment, keys):
    """Runs a program on a pseudo-terminal, types keys, and returns its screen."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(arguments[0], arguments, environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    shown = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(shown)
    for typed in [b"", *keys]:
        os.write(terminal, typed)
        until = time.time() + 30
        # The screen is complete when nothing was drawn for five seconds.
        while time.time() < until and select.select([terminal], [], [], 5)[0]:
            stream.feed(os.read(terminal, 1 << 16))
    os.write(terminal, b"\x1b:qa!\r")
    os.waitpid(child, 0)
    return shown


def sgr(line):
    """Returns a line of a screen with SGR codes."""
    out, former = "", None
    for column in range(COLUMNS):
        sign = line[column]
        codes = [CODES.get(sign.fg)] + ([1] if sign.bold else []) + ([DIM] if sign.fg == "brightblack" else [])
        style = "".join(f"\x1b[{code}m" for code in codes if code)
        if style != former:
            out += f"\x1b[0m{style}"
            former = style
        out += sign.data
    return out.rstrip()


def main():
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/release/whichfn").resolve()
    with tempfile.TemporaryDirectory() as home:
        settings = pathlib.Path(home, "init.vim")
        settings.write_text(commands() + "\nset noswapfile shortmess+=I laststatus=2 nowrap\n")
        environment = {**os.environ, "HOME": home, "XDG_CACHE_HOME": home, "TERM": "xterm-256color",
                       "PATH": f"{program.parent}:{os.environ['PATH']}"}
        # So that the question does not wait for the index.
        subprocess.run([program, "index", "-q", HERE.parent.parent], env=environment, check=True)
        shown = screen(["nvim", "-u", str(settings)], str(HERE.parent.parent), environment,
                       [f":Which {question()}\r".encode(), b":cc 1\r", b"zt"])
    lines = [sgr(shown.buffer[number]) for number in range(ROWS)]
    save("editor.svg", lines, f"Neovim: the answers to the question '{question()}' in the quickfix list, and the first one")


main()
