//! The one way out: results, notices and errors (the bar draws itself, and has no text of others).
//!
//! What is for people goes through [`super::page`] wherever it goes. What is for programs (JSON, dot, prompts, scripts) goes
//! out byte for byte, except to a terminal: a person is looking. A closed pipe is not an error: the reader has seen enough.

use super::advice;
use super::common::Color;
use super::page::{Page, visible, visible_lines};
use crate::error::{Error, Kind, Result};
use crate::text::path_bytes;
use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use terminal_size::{Height, Width};

/// Whether anything has gone to standard output.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);

/// Whether a part of the results is out, so that they cannot be begun anew.
pub(super) fn has_begun() -> bool {
    HAS_BEGUN.load(Ordering::Relaxed)
}

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

/// Columns and rows of the terminal that reads; none for a pipe.
pub(super) fn screen() -> Option<(usize, usize)> {
    let (Width(columns), Height(rows)) = terminal_size::terminal_size_of(std::io::stdout())?;
    (columns > 0 && rows > 0).then(|| (columns.into(), rows.into()))
}

/// Prints results for a person: on a terminal no line is wider than it is.
pub(super) fn page(page: &Page) -> Result<()> {
    let text = screen().map_or(Cow::Borrowed(page.text()), |(columns, _)| page.fitted(columns).into());
    // Only paths still hold characters that stand for bytes.
    let bytes = path_bytes(&text).map_or(Cow::Borrowed(text.as_bytes()), Cow::Owned);
    send(&mut anstream::stdout().lock(), &bytes)
}

/// Prints lines for a person.
pub(super) fn text(lines: &str) -> Result<()> {
    send(&mut std::io::stdout().lock(), visible_lines(lines).as_bytes())
}

/// Prints what a program reads.
pub(super) fn data(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.is_terminal() {
        true => send(&mut out, visible_lines(text).as_bytes()),
        false => send(&mut out, text.as_bytes()),
    }
}

fn send(out: &mut impl Write, bytes: &[u8]) -> Result<()> {
    HAS_BEGUN.fetch_or(!bytes.is_empty(), Ordering::Relaxed);
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => Err(Error::new(
            Kind::Path,
            format!("cannot write the results: {cause}"),
            "check where standard output goes",
        )),
        _ => Ok(()),
    }
}

/// Writes what a program reads to a file, or prints it.
pub(super) fn write(file: Option<&Path>, text: &str) -> Result<()> {
    let Some(file) = file else { return data(text) };
    std::fs::write(file, text).map_err(|cause| Error::io(Kind::Path, "write", file, &cause))
}

/// Bytes that are written at a time.
const PIECE: usize = 1 << 16;

/// Writes a result to a file, or to standard output, as it is made.
pub(super) fn stream(file: Option<&Path>, pieces: impl Iterator<Item = String>) -> Result<()> {
    let failed = |path: &Path, cause| Error::io(Kind::Path, "write", path, &cause);
    let mut open = file.map(|path| std::fs::File::create(path).map_err(|cause| failed(path, cause))).transpose()?;
    let mut put = |text: &str| match (&mut open, file) {
        (Some(open), Some(path)) => open.write_all(text.as_bytes()).map_err(|cause| failed(path, cause)),
        _ => data(text),
    };
    let mut held = String::with_capacity(2 * PIECE);
    for piece in pieces {
        held += &piece;
        if held.len() > PIECE {
            put(&held)?;
            held.clear();
        }
    }
    put(&held)
}

/// Prints a line for the person, not for the pipe.
pub(super) fn notice(line: &str) {
    let _ = writeln!(std::io::stderr(), "whichfn: {}", visible(line));
}

/// Says whose text is not shown or sent.
pub(super) fn left_out(paths: &[String]) {
    let Some(first) = paths.first() else { return };
    let more = if paths.len() > 1 { format!(" and of {} more", paths.len() - 1) } else { String::new() };
    notice(&format!(
        "the text of {first}{more} is left out: it is not what was indexed; a refresh of the index takes it in"
    ));
}

/// Prints lines for the person that were asked for.
pub(super) fn detail(lines: &str) {
    let _ = write!(std::io::stderr(), "{}", visible_lines(lines));
}

/// Prints what failed and what to do.
pub(super) fn error(error: &Error) {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    let (what, next) = (visible(error.what()), advice::next(error.remedy()));
    let _ = writeln!(anstream::stderr(), "{red}error:{red:#} {what}\n next: {}", visible(&next));
}

/// Prints what clap says: help and version, which are answers, or what is wrong with the arguments.
///
/// # Errors
/// When an answer cannot be written.
pub(super) fn usage(said: &clap::Error) -> Result<()> {
    if !said.use_stderr() {
        return send(&mut anstream::stdout().lock(), said.render().ansi().to_string().as_bytes());
    }
    // Colours only if no argument that is repeated brings orders of its own.
    let plain = said.render().to_string();
    let _ = match visible_lines(&plain) {
        Cow::Borrowed(_) => write!(anstream::stderr(), "{}", said.render().ansi()),
        Cow::Owned(shown) => write!(std::io::stderr(), "{shown}"),
    };
    Ok(())
}

/// Standard output for whole prompts, which programs read.
pub(super) struct PromptOutput;

impl Write for PromptOutput {
    fn write(&mut self, prompt: &[u8]) -> std::io::Result<usize> {
        HAS_BEGUN.store(true, Ordering::Relaxed);
        match std::io::stdout().is_terminal() {
            true => write!(std::io::stdout(), "{}", visible_lines(&String::from_utf8_lossy(prompt)))?,
            false => std::io::stdout().write_all(prompt)?,
        }
        Ok(prompt.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stdout().flush()
    }
}

/// Standard error for whole lines of what is done.
struct Details;

impl Write for Details {
    fn write(&mut self, lines: &[u8]) -> std::io::Result<usize> {
        detail(&String::from_utf8_lossy(lines));
        Ok(lines.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// With `-vv`, says on stderr what is done and when.
pub(super) fn set_verbosity(verbose: u8) {
    if verbose > 1 {
        let start = tracing_subscriber::fmt::time::uptime();
        let _ = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_env_filter("whichfn=debug")
            .with_writer(|| Details)
            .with_ansi(false)
            .with_timer(start)
            .with_target(false)
            .try_init();
    }
}
