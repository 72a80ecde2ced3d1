//! `whichfn completions` and `whichfn man`.

use super::args::Cli;
use super::{Exit, output};
use crate::error::{Error, Kind, Result};
use clap::CommandFactory;

pub(super) fn completions(shell: clap_complete::Shell) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "whichfn", &mut script);
    output::data(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Found)
}

pub(super) fn man() -> Result<Exit> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(Cli::command()).render(&mut page);
    rendered.map_err(|cause| Error::new(Kind::Usage, format!("cannot render the manual: {cause}"), "report this"))?;
    output::data(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Found)
}
