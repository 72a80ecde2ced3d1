//! Converts hits to results: names, lines, evidence and snippets, read from the index and the
//! sources.

use super::duplicates::HitGroup;
use super::evidence::QueryStems;
use super::location::{HeadLine, own_name, qualified_name};
use super::result::{Duplicate, SearchResult};
use super::{disambiguate, evidence};
use crate::search::{Hit, Question, Ranker, TermScore};
use whichfn_index::fragment::LineEnds;
use whichfn_index::source::Sources;
use whichfn_index::store::{DefinitionRow, GraphFile};
use whichfn_syntax::ids::DefinitionId;

/// Context for building results.
pub struct Presenter<'a> {
    /// Source text of the files.
    pub sources: &'a Sources<'a>,
    /// Question whose words are matched as evidence.
    pub question: &'a Question,
    /// Function that returns the name of a language from its number; `None` means plain text.
    pub language_name: &'a dyn Fn(Option<u16>) -> String,
    /// Function that returns the cosine similarity between a definition and the question according
    /// to the user's embedding model; `None` if there is no model.
    pub model_cosine: &'a dyn Fn(DefinitionId) -> Option<f32>,
}

/// The lines and the text of a result.
struct SnippetText<'t> {
    /// Text of the definition or window.
    span: &'t str,
    start_line: u32,
    end_line: u32,
}

impl Presenter<'_> {
    /// Returns the results, best first, each with its near-duplicates.
    pub fn results(&self, groups: &[HitGroup]) -> Vec<SearchResult> {
        let ids: Vec<DefinitionId> = groups.iter().map(|group| group.head.definition).collect();
        let are_definitions = groups.iter().all(|group| group.head.window.is_none());
        let inside =
            if are_definitions { disambiguate::enclosing_heads(self.graph(), &ids) } else { vec![""; ids.len()] };
        let query_stems = QueryStems::new(self.question);
        let ranked = groups.iter().zip(inside).zip(1..);
        ranked.map(|((group, inside), rank)| self.result(rank, group, inside, &query_stems)).collect()
    }

    fn result(&self, rank: usize, group: &HitGroup, inside: &str, query_stems: &QueryStems) -> SearchResult {
        let (graph, hit) = (self.graph(), &group.head);
        let (id, row) = (hit.definition, graph.definition(hit.definition));
        let path = graph.path(hit.file);
        let text = self.sources.text(hit.file);
        let shown = shown(&text, row, hit);
        let environment = environment(hit);
        let all_evidence = evidence::collect(graph, id, path, shown.span, self.question, query_stems, &hit.term_scores);
        let is_window = hit.window.is_some();
        let unless_window = |text: &str| if is_window { String::new() } else { text.to_owned() };
        let line = if is_window { shown.start_line } else { row.line };
        let model_cosine = if is_window { None } else { (self.model_cosine)(id) };
        SearchResult {
            definition: id,
            origin: None,
            rank,
            score: hit.score,
            independent: hit.score - environment,
            environment,
            semantic: model_cosine.or(hit.semantic),
            learned: hit.ranker == Ranker::Learned,
            adjustments: hit.adjustments.clone(),
            parts: hit.parts.clone(),
            kind: if is_window { "window" } else { row.kind().name() }.into(),
            language: (self.language_name)(graph.language(hit.file)),
            name: own_name(graph, id),
            qualified_name: qualified_name(graph, id),
            path: path.to_owned(),
            start_line: shown.start_line,
            end_line: shown.end_line,
            line,
            cell: self.sources.cell(hit.file, line),
            column: HeadLine::new(&text, line, graph.name(id)).name.start as u32 + 1,
            signature: unless_window(graph.signature(id)),
            inside: inside.to_owned(),
            doc: unless_window(graph.doc(id)),
            evidence: evidence::strongest(&all_evidence),
            met: query_stems.matched_words(self.question, [shown.span, graph.doc(id), graph.signature(id)]),
            reasons: evidence::display_order(&all_evidence),
            all_evidence,
            snippet: Vec::new(),
            duplicates: group.duplicates.iter().map(|&(_, id)| self.duplicate(id)).collect(),
        }
    }

    /// Returns the position of a near-duplicate of a result.
    pub fn duplicate(&self, id: DefinitionId) -> Duplicate {
        let (graph, row) = (self.graph(), self.graph().definition(id));
        Duplicate {
            origin: None,
            path: graph.path(row.file).to_owned(),
            start_line: row.start_line,
            end_line: row.end_line,
            line: row.line,
            qualified_name: qualified_name(graph, id),
        }
    }

    fn graph(&self) -> &GraphFile {
        self.sources.graph()
    }
}

/// Returns the text of a hit, which is the lines of its window or its definition.
fn shown<'t>(text: &'t str, row: DefinitionRow, hit: &Hit) -> SnippetText<'t> {
    let (span, (start_line, end_line)) = match hit.window {
        Some(lines) => (lines_of(text, lines), lines),
        None => {
            let bytes = row.start_byte as usize..(row.end_byte as usize).min(text.len());
            (text.get(bytes).unwrap_or_default(), (row.start_line, row.end_line))
        }
    };
    SnippetText { span, start_line, end_line }
}

/// Returns the part of a hit's score that comes from related definitions.
fn environment(hit: &Hit) -> f32 {
    // In the reranked order, the words of callers and callees are features, which are adjustments.
    let counts = |one: &&TermScore| hit.ranker == Ranker::Words && !one.field.is_own();
    let words: f32 = hit.term_scores.iter().filter(counts).map(|one| one.score).sum();
    let adjustments: f32 = hit.adjustments.iter().filter(|a| a.kind.is_environment()).map(|a| a.change).sum();
    // Adding to zero turns the -0.0 of an empty sum into 0.0.
    0.0 + words + adjustments
}

/// Returns the text of a range of lines, both ends included.
fn lines_of(text: &str, (first, last): (u32, u32)) -> &str {
    let (start, end) = LineEnds::new(text).bytes(first, last);
    &text[start as usize..end as usize]
}
