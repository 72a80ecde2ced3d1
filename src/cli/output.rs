//! All output: results, notices and errors. The progress bar draws itself, and contains no foreign
//! text.
//!
//! Text for users is always escaped by [`super::page`]. Text for programs (JSON, dot, prompts,
//! scripts) is written byte for byte, except to a terminal, where a user reads it. A closed pipe is
//! not an error: the reader has seen enough.

use super::advice;
use super::common::Color;
use super::layout::{without_styles, wrapped_between_words};
use super::links;
use super::page::{Page, visible, visible_lines};
use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use terminal_size::{Height, Width};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::path_bytes;

/// Set once anything was written to standard output.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);

/// Checks whether part of the results was already written, so that the command cannot start over.
pub(super) fn has_begun() -> bool {
    HAS_BEGUN.load(Ordering::Relaxed)
}

/// Configures colors: by flag or setting, then by NO_COLOR and FORCE_COLOR, then by whether output
/// is a terminal.
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

/// Wraps a message for standard error between words, if a person reads it there.
fn for_terminal(line: &str) -> String {
    match terminal_size::terminal_size_of(std::io::stderr()) {
        Some((Width(columns), _)) => wrapped_between_words(line, columns.into()),
        None => line.to_owned(),
    }
}

/// Returns the columns and rows of the terminal; `None` for a pipe.
pub(super) fn screen() -> Option<(usize, usize)> {
    let (Width(columns), Height(rows)) = terminal_size::terminal_size_of(std::io::stdout())?;
    (columns > 0 && rows > 0).then(|| (columns.into(), rows.into()))
}

/// Prints results for a user; on a terminal, lines are fitted to its width.
pub(super) fn page(page: &Page) -> Result<()> {
    let text = screen().map_or(Cow::Borrowed(page.text()), |(columns, _)| page.fitted(columns).into());
    // Only paths still contain characters that represent invalid bytes.
    let bytes = |text: &str| path_bytes(text).unwrap_or_else(|| text.as_bytes().to_vec());
    // A stream without colors removes every escape, also the links that a pipe was requested to have.
    let is_plain = anstream::AutoStream::choice(&std::io::stdout()) == anstream::ColorChoice::Never;
    if is_plain && screen().is_none() && links::are_links() {
        return send(&mut std::io::stdout().lock(), &bytes(&without_styles(&text)));
    }
    send(&mut anstream::stdout().lock(), &bytes(&text))
}

/// Prints lines for a user.
pub(super) fn text(lines: &str) -> Result<()> {
    send(&mut std::io::stdout().lock(), visible_lines(lines).as_bytes())
}

/// Prints output for a program.
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

/// Writes output for a program to a file, or prints it.
pub(super) fn write(file: Option<&Path>, text: &str) -> Result<()> {
    let Some(file) = file else { return data(text) };
    std::fs::write(file, text).map_err(|cause| Error::io(Kind::Path, "write", file, &cause))
}

/// Minimum number of bytes written at a time.
const PIECE: usize = 1 << 16;

/// Writes a result to a file, or to standard output, while it is produced.
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

/// Prints a line for the user to standard error.
pub(super) fn notice(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", for_terminal(&format!("whichfn: {}", visible(line))));
}

/// Prints requested details for the user to standard error.
pub(super) fn detail(lines: &str) {
    let _ = write!(std::io::stderr(), "{}", visible_lines(lines));
}

/// Prints what failed and what to do next.
pub(super) fn error(error: &Error) {
    let red = anstyle::AnsiColor::Red.on_default().bold();
    let (what, next) = (visible(error.what()), advice::next(error.remedy()));
    let _ = writeln!(
        anstream::stderr(),
        "{red}error:{red:#} {what}\n{}",
        for_terminal(&format!(" next: {}", visible(&next)))
    );
}

/// Prints a message from clap: help and version, which are answers, or an error in the arguments.
pub(super) fn usage(message: &clap::Error) -> Result<()> {
    if !message.use_stderr() {
        return send(&mut anstream::stdout().lock(), message.render().ansi().to_string().as_bytes());
    }
    // Use colors only if no argument repeated in the message contains control characters.
    let plain = message.render().to_string();
    let _ = match visible_lines(&plain) {
        Cow::Borrowed(_) => write!(anstream::stderr(), "{}", message.render().ansi()),
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

/// Standard error for whole lines of the log.
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

/// Enables the log on stderr for `-vv`.
pub(super) fn set_verbosity(verbose: u8) {
    if verbose > 1 {
        let start = tracing_subscriber::fmt::time::uptime();
        let own = Targets::new().with_target("whichfn", tracing::Level::DEBUG);
        let _ = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_writer(|| Details)
            .with_timer(start)
            .with_target(false)
            .finish()
            .with(own)
            .try_init();
    }
}

/// Asks a person on a terminal; returns false without one.
pub(super) fn agrees(question: &str) -> bool {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return false;
    }
    let _ = write!(std::io::stderr(), "{question} [y/N] ");
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    read.is_ok() && matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}
