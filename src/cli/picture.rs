//! Prints pictures of the graph in common formats.

use super::choices::GraphFormat;
use super::common::counted;
use super::graph::GraphArgs;
use super::ui::Ui;
use super::{Exit, output};
use crate::engine::Engine;
use crate::render::{self, PageLinks, line};
use whichfn_search::picture::{Drawing, View};
use whichfn_system::error::Result;

/// Maximum number of bytes of JSON that are printed on a terminal unless `--json` is set.
const LARGEST_ON_TERMINAL: usize = 4 << 10;

/// Draws part of the graph and prints it.
pub(super) fn print(engine: &Engine, part: View, asked: &GraphArgs, ui: Ui) -> Result<Exit> {
    let (drawing, file) = (engine.drawing(part)?, asked.output.as_deref());
    let text = match asked.format.unwrap_or_default() {
        GraphFormat::Json => line(&render::picture(&drawing)),
        GraphFormat::Dot => render::dot(&drawing),
        GraphFormat::Graphml => render::graphml(&drawing),
        GraphFormat::Mermaid => render::mermaid(&drawing),
        GraphFormat::Html => render::graph_page(&drawing, &PageLinks::files(engine.root(), file)),
    };
    let empty = drawing.centre.is_none() && drawing.nodes.len() + drawing.left_out <= 1;
    if empty {
        output::notice("nothing to draw: no files are indexed (see: whichfn status)");
    } else if matches!(part, View::Important(_)) && drawing.left_out > 0 {
        ui.notice(&left_out(&drawing));
    }
    ui.notices(&drawing.notices);
    if asked.is_for_reader() && text.len() > LARGEST_ON_TERMINAL {
        let (nodes, edges) = (counted(drawing.nodes.len(), "node"), counted(drawing.edges.len(), "edge"));
        output::text(&asked.summary(&format!("{nodes} and {edges}")))?;
    } else {
        output::write(file, &text)?;
    }
    Ok(if empty { Exit::Nothing } else { Exit::Found })
}

fn left_out(drawing: &Drawing) -> String {
    let (shown, left_out) = (drawing.nodes.len(), drawing.left_out);
    format!("showing the {shown} most connected nodes; {left_out} not shown (use -k N to show more)")
}
