//! The `whichfn serve` command.

use super::Exit;
use super::common::CommonArgs;
use clap::Args;
use std::path::PathBuf;
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(super) struct ServeArgs {
    /// Directories to serve [default: the repository around the current directory].
    #[arg(value_name = "DIRECTORY")]
    pub directories: Vec<PathBuf>,
    /// Port to listen on; 0 picks a free one.
    #[arg(long, value_name = "N", default_value_t = 7373)]
    pub port: u16,
    /// Address to listen on. An address that other machines can reach needs a token.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: String,
    /// Token that clients must send: at least 16 characters. The variable keeps it out of the
    /// process list.
    #[arg(long, value_name = "TOKEN", env = "WHICHFN_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    #[command(flatten)]
    pub shared: CommonArgs,
}

#[cfg(feature = "serve")]
pub(super) fn run(asked: &ServeArgs) -> Result<Exit> {
    use super::ui::Ui;
    use super::{mcp, output};
    use crate::serve::{ServeOptions, serve};

    let ui = Ui::for_server(&asked.shared);
    let repositories = mcp::repositories(&asked.directories, &asked.shared, ui)?;
    let options = ServeOptions {
        host: asked.host.clone(),
        port: asked.port,
        token: asked.token.clone().filter(|token| !token.is_empty()),
    };
    serve(repositories, &options, |address| {
        ui.notice("serving at the address below until Ctrl-C; open it in a browser, or see docs/programs.md");
        output::text(&format!("{address}\n"))
    })?;
    Ok(Exit::Found)
}

#[cfg(not(feature = "serve"))]
pub(super) fn run(_: &ServeArgs) -> Result<Exit> {
    use whichfn_system::error::{Error, Kind};

    let next = "install a build with the server: cargo install --path . --features serve";
    Err(Error::new(Kind::Usage, "this build of whichfn has no HTTP server", next))
}
