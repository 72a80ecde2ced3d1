//! The output of a command besides its results: notices and progress, unless `--quiet` is set, and
//! the log.

use super::common::CommonArgs;
use super::links::set_links;
use super::output;
use super::page::Page;
use super::progress::Bar;
use super::settings::Settings;
use whichfn_system::error::Result;

/// The messages of one command.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ui {
    is_quiet: bool,
}

impl Ui {
    /// Configures the log, colors and links according to flags and settings.
    pub fn new(shared: &CommonArgs, settings: &Settings) -> Self {
        output::set_color(shared.color.or(settings.color));
        set_links(shared.hyperlinks.clone().or_else(|| settings.hyperlinks.clone()));
        Self::for_server(shared)
    }

    /// Configures the log only, for servers, whose output is not for users.
    pub fn for_server(shared: &CommonArgs) -> Self {
        output::set_verbosity(shared.verbose);
        Self::with_quiet(shared.quiet)
    }

    /// Returns messages without a log.
    pub fn with_quiet(is_quiet: bool) -> Self {
        Self { is_quiet }
    }

    /// Prints a notice to standard error.
    pub fn notice(self, line: &str) {
        self.notifier()(line);
    }

    /// Returns the function that prints notices.
    pub fn notifier(self) -> fn(&str) {
        if self.is_quiet { |_| {} } else { output::notice }
    }

    /// Prints what an answer lacks.
    pub fn notices(self, notices: &[String]) {
        notices.iter().for_each(|notice| self.notice(notice));
    }

    /// Prints a summary, which is not a result, to standard output.
    pub fn text(self, lines: &str) -> Result<()> {
        if self.is_quiet { Ok(()) } else { output::text(lines) }
    }

    /// Prints a page, which is not a result, to standard output.
    pub fn page(self, page: &Page) -> Result<()> {
        if self.is_quiet { Ok(()) } else { output::page(page) }
    }

    /// Starts showing the progress of indexing or reading.
    pub fn progress(self) -> Bar {
        Bar::new(self.is_quiet)
    }
}
