#!/usr/bin/env python3
"""Writes terminal.svg next to this file: the output of the program on a terminal with 100 columns, with colors.

    cargo build --release && docs/pictures/record.py target/release/whichfn

The commands run in this repository, and `check` in a small repository that the script creates. The same source gives the
same file.
"""
import fcntl
import html
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

COLUMNS, HERE = 100, pathlib.Path(__file__).resolve().parent
QUESTION = "which function turns UTF-16 bytes into text"
STORE = {"store.py": "def save(path, data):\n    with open(path, 'w') as file:\n        file.write(data)\n",
         "app.py": "from store import save\n\n\ndef stop(state):\n    save('state.json', data=state)\n"}

# Width of a character and height of a line in pixels; the colors of SGR codes.
WIDE, HIGH, SIZE, EDGE = 8.43, 19, 14, 18
COLOURS = {31: "r", 32: "g", 33: "y", 34: "b", 35: "m", 36: "c"}
GROUND = "#1b1e24"
STYLE = """text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d4d7dd;white-space:pre}
.p{fill:#7f8794}.B{font-weight:bold}.d{fill:#8d95a3}.r{fill:#f08c7d}.g{fill:#9ecb7b}.y{fill:#e5c37a}.b{fill:#7fb0ee}
.m{fill:#cf9be6}.c{fill:#6fc3c9}"""


def on_a_terminal(program, arguments, folder, home):
    """Runs the program on a pseudo-terminal and returns its output."""
    child, terminal = pty.fork()
    if child == 0:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("WHICHFN_")}
        kept.pop("NO_COLOR", None)
        kept.update(TERM="xterm-256color", HOME=home, XDG_CACHE_HOME=home, XDG_CONFIG_HOME=home)
        os.chdir(folder)
        os.execve(program, [program, *arguments], kept)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    printed = b""
    try:
        while part := os.read(terminal, 1 << 16):
            printed += part
    except OSError:
        pass  # the program has ended
    os.waitpid(child, 0)
    return printed.decode().replace("\r\n", "\n")


def spans(line):
    """Yields the pieces of a line: column, class names, text."""
    column, classes = 0, []
    for code, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
        if text:
            yield column, " ".join(classes), text
            column += len(text)
        for number in [int(part or 0) for part in code.split(";")] if not text else []:
            classes = [] if number == 0 else classes + [{1: "B", 2: "d"}.get(number) or COLOURS.get(number, "")]


def row(number, line):
    across = lambda column: f"{EDGE + column * WIDE:.1f}"
    pieces = [f'<tspan x="{across(column)}"' + (f' class="{classes}"' if classes else "") + f">{html.escape(text)}</tspan>"
              for column, classes, text in spans(line) if text.strip()]
    return f'<text y="{EDGE + SIZE + number * HIGH}">' + "".join(pieces) + "</text>" if pieces else ""


def store_repository(folder):
    """Creates a repository with one commit, and a change that breaks a call."""
    git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for name, text in STORE.items():
        pathlib.Path(folder, name).write_text(text)
    for step in (["init", "-q"], ["add", "."], ["commit", "-qm", "store"]):
        subprocess.run([*git, *step], check=True)
    changed = STORE["store.py"].replace("path, data", "path, mode").replace("'w'", "mode").replace("data", "path")
    pathlib.Path(folder, "store.py").write_text(changed)


def save(name, lines, title):
    """Writes a picture of lines with SGR codes."""
    rows = filter(None, (row(number, line) for number, line in enumerate(lines)))
    write(name, rows, len(lines), title, GROUND)


def write(name, rows, count, title, ground):
    """Writes a picture. The rows and the title are SVG; `count` is the number of lines."""
    wide, high, rows = round(2 * EDGE + COLUMNS * WIDE), 2 * EDGE + count * HIGH, "\n".join(rows)
    picture = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img">\n'
               f"<title>{title}</title>\n<style>{STYLE}</style>\n"
               f'<rect width="{wide}" height="{high}" rx="8" fill="{ground}"/>\n{rows}\n</svg>\n')
    (HERE / name).write_text(picture)
    print(f"{HERE / name}: {len(picture.encode())} bytes")


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/whichfn")
    root, lines = str(HERE.parent.parent), []
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as store:
        store_repository(store)
        subprocess.run([program, "index", "-q", root], env={**os.environ, "XDG_CACHE_HOME": home, "HOME": home}, check=True,
                       capture_output=True)
        subprocess.run([program, "index", "-q", store], env={**os.environ, "XDG_CACHE_HOME": home, "HOME": home}, check=True,
                       capture_output=True)
        for arguments, folder in [([QUESTION, "-k", "2"], root), (["callers", "Sources::on_disk", "--depth", "2"], root),
                                  (["check"], store)]:
            typed = " ".join(f'"{word}"' if " " in word else word for word in arguments)
            printed = on_a_terminal(program, arguments, folder, home)
            lines += [f"\x1b[2m$\x1b[0m \x1b[1mwhichfn {typed}\x1b[0m", *printed.rstrip("\n").split("\n"), ""]
    lines.pop()
    save("terminal.svg", lines,
         "Three commands in a terminal: a question and its answers, who calls a function, what a change left behind")


if __name__ == "__main__":
    main()
