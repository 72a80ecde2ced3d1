//! Where results, notices and errors are printed (clap prints its own help, the bar draws itself). A closed pipe is not an error: the reader has seen enough.

use super::advice;
use super::common::Color;
use crate::error::{Error, Kind, Result};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Decides on colours: flag or setting, then NO_COLOR and FORCE_COLOR, then whether a terminal reads.
pub(super) fn set_color(choice: Option<Color>) {
    let choice = match choice.unwrap_or(Color::Auto) {
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
        Color::Auto => {
            let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
            if set("NO_COLOR") {
                anstream::ColorChoice::Never
            } else if set("FORCE_COLOR") {
                anstream::ColorChoice::Always
            } else {
                anstream::ColorChoice::Auto
            }
        }
    };
    choice.write_global();
}

/// Prints a result.
pub(super) fn print(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => Err(Error::new(
            Kind::Path,
            format!("cannot write the results: {cause}"),
            "check where standard output goes",
        )),
        _ => Ok(()),
    }
}

/// Writes a result to a file, or prints it.
pub(super) fn write(file: Option<&Path>, text: &str) -> Result<()> {
    let Some(file) = file else { return print(text) };
    std::fs::write(file, text).map_err(|cause| Error::io(Kind::Path, "write", file, &cause))
}

/// Prints a line for the person, not for the pipe.
pub(super) fn notice(line: &str) {
    let _ = writeln!(anstream::stderr(), "whichfn: {line}");
}

/// Prints lines for the person that were asked for.
pub(super) fn detail(text: &str) {
    let _ = write!(anstream::stderr(), "{text}");
}

/// Prints what failed and what to do.
pub(super) fn error(error: &Error) {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    let _ =
        writeln!(anstream::stderr(), "{red}error:{red:#} {}\n next: {}", error.what(), advice::next(error.remedy()));
}

/// With `-vv`, says on stderr what is done and when.
pub(super) fn set_verbosity(verbose: u8) {
    if verbose > 1 {
        let start = tracing_subscriber::fmt::time::uptime();
        let _ = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_env_filter("whichfn=debug")
            .with_writer(std::io::stderr)
            .with_timer(start)
            .with_target(false)
            .try_init();
    }
}
