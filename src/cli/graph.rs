//! `whichfn graph`: the whole structure graph of a directory as JSON, or a picture of the graph or
//! of the part around a name in a common format. With `--calls`: all definitions of a directory and the
//! calls between them as JSON, for programs that compare the calls with those of a compiler.

use super::choices::{self, GraphFormat};
use super::common::{CommonArgs, counted};
use super::target::Target;
use super::ui::Ui;
use super::{Exit, output, page, place, resolve};
use crate::engine::{Engine, NamedDefinition, NamedFragment, WholeGraph};
use crate::render::{self, PageLinks, line, with_path};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use whichfn_graph::EdgeKind;
use whichfn_search::answer::LocatedCall;
use whichfn_search::picture::{Drawing, DrawnEdge, View};
use whichfn_search::relation::FragmentUnit;
use whichfn_search::search::Unit;
use whichfn_system::error::{Error, Kind, Result};

/// Default number of nodes around a name: as many as fit on a screen with their names.
const AROUND_NAME: usize = 60;
/// Default number of nodes on the page of a directory: with more, they cannot be distinguished.
const ON_PAGE: usize = 500;
/// Maximum number of nodes of a directory that are printed on a terminal as JSON.
const FEW_NODES: usize = 100;
/// Maximum number of bytes of JSON that are printed on a terminal unless `--json` is set.
const LARGEST_ON_TERMINAL: usize = 4 << 10;

#[derive(Debug, Clone, Args)]
pub(super) struct GraphArgs {
    /// A directory, or the center of the graph: a function or type (`renew`, `Session.renew`), a
    /// file (`path/file.py`), or a location in it (`path/file.py:LINE`, `path/file.py:NAME`)
    /// [default: the repository around the current directory].
    #[arg(value_name = "PATH|NAME")]
    pub wanted: Option<PathBuf>,
    /// The repository [default: the one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// Output format [default: json].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<GraphFormat>,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Maximum number of nodes in a picture [default: 60 around a NAME, 500 on the HTML page for a
    /// directory, otherwise all].
    #[arg(short = 'k', long, value_name = "N")]
    pub nodes: Option<usize>,
    /// Around a NAME: show the most related definitions, also by file and directory, instead of
    /// callers and callees.
    #[arg(long)]
    pub siblings: bool,
    /// Print all definitions and the calls between them instead, as JSON.
    #[arg(long, conflicts_with_all = ["output", "nodes", "siblings", "relations"])]
    pub calls: bool,
    /// Print JSON; the same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Print the relation of each fragment to every other fragment instead, as JSON.
    #[arg(long, conflicts_with_all = ["output", "nodes", "siblings"])]
    pub relations: bool,
    /// Fragments to relate: definition or window [default: definition].
    #[arg(long, value_name = "UNIT", requires = "relations", value_parser = choices::unit())]
    pub unit: Option<Unit>,
    /// Compute relations pair by pair over the whole graph, without a cutoff (slow).
    #[arg(long, requires = "relations")]
    pub exact: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn run(asked: &GraphArgs) -> Result<Exit> {
    let (directory, name) = match asked.wanted.as_deref() {
        Some(wanted) if asked.directory.is_none() && wanted.is_dir() => (Some(wanted), None),
        wanted => (asked.directory.as_deref(), wanted),
    };
    let target = Target::read(place::root_for(name.and_then(Path::to_str), directory)?, &asked.shared)?;
    if asked.nodes == Some(0) {
        return Err(Error::new(Kind::Usage, "-k 0 requests no nodes", "pass a number of at least 1"));
    }
    let (engine, format) = (target.engine(false)?, asked.format.unwrap_or_default());
    let whole = if asked.relations { Some("--relations") } else { asked.calls.then_some("--calls") };
    if let Some(option) = whole.filter(|_| name.is_some() || format != GraphFormat::Json) {
        let next = "pass a directory or nothing, and omit --format";
        return Err(Error::new(Kind::Usage, format!("{option} prints a whole directory, as JSON"), next));
    }
    if asked.calls {
        return print_calls(&engine);
    }
    if asked.relations {
        if print_relations(&engine, asked.unit, asked.exact)? {
            return Ok(Exit::Found);
        }
        output::notice("nothing to relate: no functions are indexed (see: whichfn status)");
        return Ok(Exit::Nothing);
    }
    let part = match (name, asked.nodes, format) {
        (Some(name), most, _) => {
            let here = place::current_dir();
            let name = place::typed_paths(directory, &target.root, &here).name(&name.to_string_lossy())?;
            let most = most.unwrap_or(AROUND_NAME);
            match resolve::definition(&engine, &name)? {
                Some(centre) if asked.siblings => View::Near(centre, most),
                Some(centre) => View::Calls(centre, most),
                None => return Ok(Exit::Nothing),
            }
        }
        (None, None, GraphFormat::Json) => return structure(asked, &engine, target.ui),
        (None, Some(_), GraphFormat::Json) => {
            let next = "omit -k, or add --format dot, graphml, mermaid or html";
            return Err(Error::new(
                Kind::Usage,
                "-k cannot be used with the JSON of a directory, which contains every node",
                next,
            ));
        }
        (None, None, GraphFormat::Html) => View::Important(ON_PAGE),
        (None, None, _) => View::Whole,
        (None, Some(most), _) => View::Important(most),
    };
    print_picture(&engine, part, asked, target.ui)
}

/// Prints every node of the structure graph, in the format of SPEC section 3.
fn structure(asked: &GraphArgs, engine: &Engine, ui: Ui) -> Result<Exit> {
    let graph = engine.whole_graph()?;
    if asked.is_for_reader() && graph.node_count() > FEW_NODES {
        output::text(&asked.summary(&counted(graph.node_count(), "node")))?;
    } else {
        output::stream(asked.output.as_deref(), pieces(&graph))?;
    }
    ui.notices(&graph.notices());
    if graph.edges().next().is_none() {
        output::notice("nothing to draw: no files are indexed (see: whichfn status)");
        return Ok(Exit::Nothing);
    }
    Ok(Exit::Found)
}

impl GraphArgs {
    /// Checks whether the graph would be printed for a person who did not ask for a format.
    pub fn is_for_reader(&self) -> bool {
        let has_format = self.format.is_some() || self.json;
        !has_format && self.output.is_none() && output::screen().is_some()
    }

    /// Returns what a person sees instead of a graph that is too large for a terminal.
    pub fn summary(&self, size: &str) -> String {
        let part = self.wanted.as_ref().map_or_else(String::new, |wanted| format!(" {}", page::quoted(wanted)));
        format!(
            "the graph has {size}\nas a page: whichfn graph{part} --format html -o graph.html\n\
             as JSON: whichfn graph{part} --json -o graph.json (or without -o, to print it)\n"
        )
    }
}

/// Returns the format of SPEC section 3 piece by piece.
fn pieces<'g>(graph: &'g WholeGraph<'_>) -> impl Iterator<Item = String> + use<'g> {
    let edges =
        graph.edges().map(|(a, b, kind)| json!({"a": a.0, "b": b.0, "kind": kind.name(), "weight": kind.weight()}));
    let units = [FragmentUnit::Definition, FragmentUnit::Window].into_iter();
    let fragments = units.flat_map(|unit| graph.fragments(unit).map(move |one| fragment(unit, &one)));
    let notices = graph.notices();
    let notices = if notices.is_empty() { String::new() } else { format!(",\"notices\":{}", json!(notices)) };
    let text = |text: &str| std::iter::once(text.to_owned());
    text("{\"edges\":[")
        .chain(listed(edges))
        .chain(text("],\"fragments\":["))
        .chain(listed(fragments))
        .chain(text("],\"nodes\":["))
        .chain(listed(graph.nodes().map(|node| render::named_node(&node))))
        .chain(text("]"))
        .chain(text(&notices))
        .chain(text(",\"version\":1}\n"))
}

fn listed(values: impl Iterator<Item = Value>) -> impl Iterator<Item = String> {
    values.enumerate().map(|(at, value)| if at == 0 { value.to_string() } else { format!(",{value}") })
}

fn fragment(unit: FragmentUnit, fragment: &NamedFragment) -> Value {
    let nodes: Vec<(u32, u32)> = fragment.nodes.iter().map(|&(node, len)| (node.0, len)).collect();
    let value = json!({
        "id": fragment.id,
        "unit": unit.name(),
        "start_line": fragment.start_line,
        "end_line": fragment.end_line,
        "nodes": nodes,
    });
    with_path(value, &fragment.path)
}

/// Prints the weights between all fragments of a unit, row by row while they are computed:
/// `{"version":1,"unit":..,"rows":[{"fragment":n,"weights":[[fragment,w],..]},..]}` and returns
/// whether there are any rows. Fragments have the same numbers as in the JSON of the graph.
fn print_relations(engine: &Engine, unit: Option<Unit>, exact: bool) -> Result<bool> {
    let unit = match unit.unwrap_or_default() {
        Unit::Definition => FragmentUnit::Definition,
        Unit::Window => FragmentUnit::Window,
        Unit::File => return Err(no_fragments()),
    };
    let row = |fragment: u32, weights: Vec<(u32, f64)>| json!({"fragment": fragment, "weights": weights}).to_string();
    let mut any = false;
    output::data(&format!("{{\"version\":1,\"unit\":\"{}\",\"rows\":[", unit.name()))?;
    engine.relations(unit, exact, row, |rows| {
        let between = if std::mem::replace(&mut any, true) { "," } else { "" };
        output::data(&format!("{between}{}", rows.join(",")))
    })?;
    output::data("]}\n")?;
    Ok(any)
}

fn no_fragments() -> Error {
    Error::new(Kind::Usage, "--unit file cannot be used with --relations", "use --unit definition or --unit window")
}

/// Prints `{"calls":[..],"definitions":[..],"version":1}`, piece by piece.
fn print_calls(engine: &Engine) -> Result<Exit> {
    let text = |text: &str| std::iter::once(text.to_owned());
    let pieces = text("{\"calls\":[")
        .chain(listed(engine.located_calls().into_iter().map(call)))
        .chain(text("],\"definitions\":["))
        .chain(listed(engine.named_definitions().map(definition)))
        .chain(text("],\"version\":1}\n"));
    output::stream(None, pieces)?;
    if engine.named_definitions().next().is_none() {
        output::notice("no calls: no files are indexed (see: whichfn status)");
        return Ok(Exit::Nothing);
    }
    Ok(Exit::Found)
}

fn call(call: LocatedCall) -> Value {
    json!({
        "caller": call.caller.0,
        "callee": call.callee.0,
        "line": call.line,
        "column": call.column,
        "reason": call.reason.name(),
    })
}

fn definition(definition: NamedDefinition<'_>) -> Value {
    let row = definition.row;
    let value = json!({
        "id": definition.id.0,
        "start_line": row.start_line,
        "end_line": row.end_line,
        "line": row.line,
        "kind": definition.kind,
        "is_test": row.is_test(),
        "qualified_name": definition.qualified_name,
        "start_byte": row.start_byte,
        "end_byte": row.end_byte,
    });
    with_path(value, definition.path)
}

/// Draws part of the graph and prints it.
fn print_picture(engine: &Engine, part: View, asked: &GraphArgs, ui: Ui) -> Result<Exit> {
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
    let centre = drawing.nodes.iter().find(|node| Some(node.node.id) == drawing.centre)?;
    let all = (centre.callers + centre.callees) as usize;
    let is_centre = |edge: &&DrawnEdge| edge.kind == EdgeKind::Call && ([edge.a, edge.b].contains(&centre.node.id));
    let drawn = drawing.edges.iter().filter(is_centre).count();
    let what = format!("showing {drawn} of {all} callers and callees of {} (use -k N to show more)", centre.label);
    (drawn < all).then_some(what)
}

fn left_out(drawing: &Drawing) -> String {
    let (shown, left_out) = (drawing.nodes.len(), drawing.left_out);
    format!("showing the {shown} most connected nodes; {left_out} not shown (use -k N to show more)")
}
