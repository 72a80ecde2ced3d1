//! `whichfn completions` and `whichfn man`.

use super::{Exit, output};
use crate::error::{Error, Kind, Result};
use clap::{Args, Command};
use std::path::PathBuf;

pub(super) fn completions(shell: clap_complete::Shell, mut program: Command) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "whichfn", &mut script);
    output::data(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Found)
}

#[derive(Debug, Clone, Args)]
pub(super) struct ManArgs {
    /// The page of this command: callers, or mcp install [default: of the program].
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Vec<String>,
    /// Write the pages of the program and of each command into this directory: whichfn.1, whichfn-ask.1, and so on.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

pub(super) fn man(asked: &ManArgs, program: Command) -> Result<Exit> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &asked.output {
        let failed = |cause: std::io::Error| Error::io(Kind::Path, "write the manual to", folder, &cause);
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(program, folder)).map_err(failed)?;
        return Ok(Exit::Found);
    }
    let mut of = &program;
    for name in &asked.command {
        of = of.find_subcommand(name).ok_or_else(|| {
            let known: Vec<&str> = of.get_subcommands().map(Command::get_name).collect();
            let next = format!("choose from: {}", known.join(", "));
            Error::new(Kind::Usage, format!("no command is called `{name}`"), next)
        })?;
    }
    let name = of.get_display_name().unwrap_or_else(|| of.get_name()).to_owned();
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(of.clone()).title(name).render(&mut page);
    rendered.map_err(|cause| Error::new(Kind::Usage, format!("cannot render the manual: {cause}"), "report this"))?;
    output::data(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Found)
}
