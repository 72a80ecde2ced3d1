//! A pseudo-terminal.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;

/// Opens a terminal with this number of columns and rows: the end of the person, and the end of the
/// program.
pub fn terminal((columns, rows): (u16, u16)) -> (File, File) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("its other end");
    let name = ptsname(&master, Vec::new()).expect("its name").into_string().expect("text");
    let size = rustix::termios::Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&master, size).expect("its size");
    let slave = File::options().read(true).write(true).open(name).expect("its other end");
    (File::from(master), slave)
}
