//! What a person or program is shown, as plain data: ranked hits as results, what a typed name means, what a definition is
//! related to.
//!
//! **Never:** prints, colours or serialises; reads a file but through [`crate::source`].

mod apart;
mod evidence;
mod named;
mod near;
mod relate;
mod snippet;
mod twins;

use crate::fragment::LineEnds;
use crate::ids::DefinitionId;
use crate::search::{Adjustment, Hit, Order, Part as WordPart, Question, Trust};
use crate::source::Sources;
use crate::store::GraphFile;

pub use evidence::Evidence;
pub use named::{Resolved, resolve};
pub use relate::{RelatedSpot, Relations, Spot, Via, relate};
pub use twins::{LOOK_AHEAD, Twins, alone, fold};

/// The whole answer to a question.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The question as asked.
    pub query: String,
    /// The root.
    pub root: String,
    /// How the question was read: `description`, `sentence` or `keywords`.
    pub asked_as: &'static str,
    /// How it was found.
    pub strategy: &'static str,
    /// What the index holds.
    pub index: IndexSummary,
    /// Milliseconds for the search itself.
    pub query_ms: f64,
    /// How far the first result is to be trusted, where that was learned.
    pub trust: Option<Trust>,
    /// Results, the best first.
    pub results: Vec<Found>,
    /// How many more would have matched but for a limit on the output.
    pub cut: usize,
}

/// What the index holds, and what it cost to have it fresh.
#[derive(Debug, Clone, Default)]
pub struct IndexSummary {
    /// Files indexed.
    pub files: usize,
    /// Functions indexed.
    pub functions: usize,
    /// Files left out.
    pub skipped: usize,
    /// Files read anew for this question.
    pub refreshed_files: usize,
    /// Milliseconds for that.
    pub ms: f64,
}

/// One result.
#[derive(Debug, Clone)]
pub struct Found {
    /// 1 for the best.
    pub rank: usize,
    /// The score that ranks.
    pub score: f32,
    /// Its part from the definition itself: its words, its name, whether it is a test.
    pub independent: f32,
    /// Its part from what the definition is connected to: words and scores of callers, callees and siblings. The two
    /// add up to the score.
    pub environment: f32,
    /// The cosine with the question, if a model was chosen and this is a function.
    pub semantic: Option<f32>,
    /// Whether the learned order gave it its place: its score is then the sum of the named changes alone.
    pub learned: bool,
    /// Named changes to the score.
    pub adjustments: Vec<Adjustment>,
    /// `function`, `method`, ...
    pub kind: &'static str,
    /// Language name.
    pub language: String,
    /// Own name.
    pub name: String,
    /// Name with those around it.
    pub qualified_name: String,
    /// Path from the root.
    pub path: String,
    /// First line, decorators and doc comment included.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The line of the name.
    pub line: u32,
    /// Its head on one line.
    pub signature: String,
    /// The head of the type or block around it, where another result could be taken for this one.
    pub inside: String,
    /// First paragraph of its documentation.
    pub doc: String,
    /// Why it was found: the strongest reason of each word, the strongest first.
    pub evidence: Vec<Evidence>,
    /// Every word found in every field: what the score is made of.
    pub all_evidence: Vec<Evidence>,
    /// The first lines of it, if asked for.
    pub snippet: Vec<String>,
    /// Near-duplicates that were folded under it, in order of rank.
    pub alike: Vec<Alike>,
}

/// Where a near-duplicate of a result is.
#[derive(Debug, Clone)]
pub struct Alike {
    /// Path from the root.
    pub path: String,
    /// First line, decorators and doc comment included.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The line of the name.
    pub line: u32,
    /// Name with those around it.
    pub qualified_name: String,
}

/// Where definitions are that were folded under a result.
pub fn alike(graph: &GraphFile, ids: &[DefinitionId]) -> Vec<Alike> {
    let alike = |&id: &DefinitionId| {
        let row = graph.definition(id);
        Alike {
            path: graph.path(row.file).to_owned(),
            start_line: row.start_line,
            end_line: row.end_line,
            line: row.line,
            qualified_name: name_of(graph, id),
        }
    };
    ids.iter().map(alike).collect()
}

/// Dresses hits as results. `snippet_lines` 0 gives none.
pub fn dress(
    sources: &Sources<'_>,
    language_name: impl Fn(Option<u16>) -> String,
    question: &Question,
    hits: &[Hit],
    snippet_lines: usize,
) -> Vec<Found> {
    let graph = sources.graph();
    let mut results: Vec<Found> = hits
        .iter()
        .enumerate()
        .map(|(i, hit)| {
            let (id, row) = (hit.definition, graph.definition(hit.definition));
            let path = graph.path(hit.file);
            let text = sources.text(hit.file);
            let window = hit.window.map(|lines| lines_of(&text, lines));
            let of_definition = row.start_byte as usize..(row.end_byte as usize).min(text.len());
            let span = window.or(text.get(of_definition)).unwrap_or_default();
            let (start_line, end_line) = hit.window.unwrap_or((row.start_line, row.end_line));
            // In the learned order the words of callers and callees are features.
            let counts = |part: &&WordPart| hit.order == Order::Words && !part.field.is_own();
            let words: f32 = hit.parts.iter().filter(counts).map(|p| p.score).sum();
            let scores: f32 = hit.adjustments.iter().filter(|a| a.environment).map(|a| a.change).sum();
            // Adding to zero turns the -0.0 of an empty sum into 0.0.
            let environment = 0.0 + words + scores;
            let all_evidence = evidence::of(graph, id, path, span, question, &hit.parts);
            Found {
                rank: i + 1,
                score: hit.score,
                independent: hit.score - environment,
                environment,
                semantic: hit.semantic,
                learned: hit.order == Order::Learned,
                adjustments: hit.adjustments.clone(),
                kind: if window.is_some() { "window" } else { row.kind().name() },
                language: language_name(graph.language(hit.file)),
                name: shown_name(graph, id),
                qualified_name: name_of(graph, id),
                path: path.to_owned(),
                start_line,
                end_line,
                line: if window.is_some() { start_line } else { row.line },
                signature: if window.is_some() { String::new() } else { graph.signature(id).to_owned() },
                doc: if window.is_some() { String::new() } else { graph.doc(id).to_owned() },
                evidence: evidence::strongest(&all_evidence),
                all_evidence,
                snippet: snippet::of(&text, start_line, end_line, snippet_lines),
                inside: String::new(),
                alike: Vec::new(),
            }
        })
        .collect();
    if hits.iter().all(|hit| hit.window.is_none()) {
        apart::tell(graph, hits, &mut results);
    }
    results
}

/// The text of some lines, both ends included.
fn lines_of(text: &str, (first, last): (u32, u32)) -> &str {
    let (start, end) = LineEnds::of(text).bytes(first, last);
    &text[start as usize..end as usize]
}

/// A definition's name with those around it.
fn name_of(graph: &GraphFile, id: DefinitionId) -> String {
    match graph.qualified_name(id) {
        "" => shown_name(graph, id),
        name => name.to_owned(),
    }
}

/// Files and text have no name of their own: the file's name stands for it.
fn shown_name(graph: &GraphFile, id: DefinitionId) -> String {
    match graph.name(id) {
        "" => {
            let path = graph.path(graph.definition(id).file);
            path.rsplit('/').next().unwrap_or(path).to_owned()
        }
        name => name.to_owned(),
    }
}
