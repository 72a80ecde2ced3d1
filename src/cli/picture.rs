//! Prints pictures of the graph in common formats.

use super::choices::GraphFormat;
use super::common::counted;
use super::graph::GraphArgs;
use super::ui::Ui;
use super::{Exit, output};
use crate::engine::Engine;
use crate::render::{self, PageLinks, line};
use whichfn_graph::EdgeKind;
use whichfn_search::picture::{Drawing, DrawnEdge, View};
use whichfn_system::error::Result;

/// Maximum number of bytes of JSON that are printed on a terminal unless `--json` is set.
const LARGEST_ON_TERMINAL: usize = 4 << 10;

/// Draws part of the graph and prints it.
pub(super) fn print(engine: &Engine, part: View, asked: &GraphArgs, ui: Ui) -> Result<Exit> {
    let (drawing, file) = (engine.drawing(part)?, asked.output.as_deref());
    let empty = drawing.centre.is_none() && drawing.nodes.len() + drawing.left_out <= 1;
    if empty {
        output::notice("nothing to draw: no files are indexed (see: whichfn status)");
    }
    let cut = match part {
        View::Important(_) => (drawing.left_out > 0).then(|| left_out(&drawing)),
        View::Calls(..) => not_drawn(&drawing),
        View::Whole | View::Near(..) => None,
    };
    cut.filter(|_| !empty).iter().chain(&drawing.notices).for_each(|line| ui.notice(line));
    match asked.format.unwrap_or_default() {
        GraphFormat::Json => print_json(&drawing, asked)?,
        GraphFormat::Dot => output::stream(file, render::dot(&drawing))?,
        GraphFormat::Graphml => output::stream(file, render::graphml(&drawing))?,
        GraphFormat::Mermaid => output::stream(file, render::mermaid(&drawing))?,
        GraphFormat::Html => {
            output::write(file, &render::graph_page(&drawing, &PageLinks::files(engine.root(), file)))?;
        }
    }
    Ok(if empty { Exit::Nothing } else { Exit::Found })
}

fn print_json(drawing: &Drawing, asked: &GraphArgs) -> Result<()> {
    let text = line(&render::picture(drawing));
    if asked.is_for_reader() && text.len() > LARGEST_ON_TERMINAL {
        let (nodes, edges) = (counted(drawing.nodes.len(), "node"), counted(drawing.edges.len(), "edge"));
        return output::text(&asked.summary(&format!("{nodes} and {edges}")));
    }
    output::write(asked.output.as_deref(), &text)
}

/// Returns how many callers and callees of the center are drawn, unless all are.
fn not_drawn(drawing: &Drawing) -> Option<String> {
    let centre = drawing.nodes.iter().find(|node| Some(node.id) == drawing.centre)?;
    let all = (centre.callers + centre.callees) as usize;
    let is_centre = |edge: &&DrawnEdge| edge.kind == EdgeKind::Call && (edge.a == centre.id || edge.b == centre.id);
    let drawn = drawing.edges.iter().filter(is_centre).count();
    let what = format!("showing {drawn} of {all} callers and callees of {} (use -k N to show more)", centre.label);
    (drawn < all).then_some(what)
}

fn left_out(drawing: &Drawing) -> String {
    let (shown, left_out) = (drawing.nodes.len(), drawing.left_out);
    format!("showing the {shown} most connected nodes; {left_out} not shown (use -k N to show more)")
}
