//! Adds constants, variables, fields and enum variants to the results for all kinds
//! ([`KindFilter::Any`]).
//!
//! Values have no words except their names. The match of a value is the share of the question's
//! words in its name, by weight, times the share of its name's words in the question. A value with
//! a match of 1 is placed in the middle between the best and the last definition, and one with a
//! match of a half at the last definition. Only a question that is exactly its name places it next
//! to the best. Values thus never displace the best definitions.
//!
//! **Cost:** splits the names of all values in the searched files.
//!
//! [`KindFilter::Any`]: crate::search::KindFilter::Any

use super::evidence::{Evidence, strongest};
use super::location::qualified_value;
use super::named::{Named, named_location, value_kind};
use super::present::Presenter;
use super::result::SearchResult;
use whichfn_index::store::{NamedValueId, NamedValueRow};
use whichfn_text::{Stemmer, one_line, plain_words};

/// Position of a value with a match of 1 between the last definition (0) and the best (1).
const VALUE_WEIGHT: f32 = 0.5;
/// Minimum match of a value.
const MIN_MATCH: f32 = 0.25;

/// A value that matches the question.
struct FoundValue<'a> {
    value: NamedValueRow<'a>,
    /// Its match, then its score.
    score: f32,
    /// Index of each term of the question that its name contains.
    terms: Vec<usize>,
}

/// Adds the best values to `results`, and keeps the `most` best of both. `weights` contains the
/// weight of each term of the question, and `allowed` whether each file is searched.
pub fn add_values(
    results: &mut Vec<SearchResult>,
    presenter: &Presenter<'_>,
    (weights, allowed): (&[f32], &[bool]),
    most: usize,
) {
    let score = |result: Option<&SearchResult>| result.map_or(1.0, |result| result.score);
    let (best, last) = (score(results.first()), score(results.last()));
    let mut found = found_values(presenter, (weights, allowed));
    for value in &mut found {
        let place = (2.0 * value.score - 1.0) * VALUE_WEIGHT;
        value.score = if is_name(presenter, &value.value) { best } else { last + place * (best - last) };
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.value.id.cmp(&b.value.id)));
    results.extend(found.iter().take(most).map(|found| result(presenter, found, weights)));
    results.sort_by(|a, b| b.score.total_cmp(&a.score));
    results.truncate(most);
    results.iter_mut().zip(1..).for_each(|(result, rank)| result.rank = rank);
}

/// Returns values as results, in order.
pub fn value_results(presenter: &Presenter<'_>, values: &[NamedValueId]) -> Vec<SearchResult> {
    let graph = presenter.sources.graph();
    let value = |&id: &NamedValueId| Some(FoundValue { value: graph.named_value(id)?, score: 1.0, terms: Vec::new() });
    values.iter().filter_map(value).map(|found| result(presenter, &found, &[])).collect()
}

/// Puts values before all results, and keeps the `most` best of both.
pub fn put_values_first(results: &mut Vec<SearchResult>, mut values: Vec<SearchResult>, most: usize) {
    let score = results.first().map_or(1.0, |result| result.score);
    values.iter_mut().for_each(|value| (value.score, value.independent) = (score, score));
    results.splice(..0, values);
    results.truncate(most);
    results.iter_mut().zip(1..).for_each(|(result, rank)| result.rank = rank);
}

fn found_values<'a>(presenter: &Presenter<'a>, (weights, allowed): (&[f32], &[bool])) -> Vec<FoundValue<'a>> {
    let (graph, question) = (presenter.sources.graph(), presenter.question);
    let total: f32 = weights.iter().sum();
    let (mut stemmer, mut found) = (Stemmer::default(), Vec::new());
    for file in graph.file_ids().filter(|file| allowed.get(file.index()) == Some(&true)) {
        for value in graph.named_values_of(file) {
            if graph.traits(value.parent).is_test() && !question.about_tests {
                continue;
            }
            let (mut terms, mut words) = (Vec::new(), 0usize);
            plain_words(value.name, |word| {
                let stem = stemmer.stem(word);
                words += 1;
                terms.extend(question.terms.iter().position(|term| term.stem == stem));
            });
            let matched = terms.len() as f32 / words.max(1) as f32;
            terms.sort_unstable();
            terms.dedup();
            let covered: f32 = terms.iter().filter_map(|&term| weights.get(term)).sum();
            let score = if total > 0.0 { matched * covered / total } else { 0.0 };
            if score >= MIN_MATCH || is_name(presenter, &value) {
                found.push(FoundValue { value, score, terms });
            }
        }
    }
    found
}

/// Checks whether the question is the name of a value.
fn is_name(presenter: &Presenter<'_>, value: &NamedValueRow<'_>) -> bool {
    presenter.question.text.trim() == value.name
}

fn result(presenter: &Presenter<'_>, found: &FoundValue<'_>, weights: &[f32]) -> SearchResult {
    let (graph, value) = (presenter.sources.graph(), &found.value);
    let (place, text) =
        (named_location(presenter.sources, Named::Value(value.id)), presenter.sources.text(value.id.file));
    let name_start = (value.name_start as usize).min(text.len());
    let line_start = text.get(..name_start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let declaration = text.get(value.start_byte as usize..value.end_byte as usize).unwrap_or_default();
    let reason = |&term: &usize| Evidence {
        part: presenter.question.terms[term].section.name().into(),
        query: presenter.question.terms[term].word.clone(),
        found: value.name.to_owned(),
        field: "name".into(),
        weight: weights.get(term).copied().unwrap_or_default(),
    };
    let all_evidence: Vec<Evidence> = found.terms.iter().map(reason).collect();
    SearchResult {
        definition: value.parent,
        origin: None,
        rank: 0,
        score: found.score,
        independent: found.score,
        environment: 0.0,
        semantic: None,
        learned: false,
        adjustments: Vec::new(),
        parts: Vec::new(),
        kind: value_kind(graph, value).into(),
        language: (presenter.language_name)(graph.language(value.id.file)),
        name: value.name.to_owned(),
        qualified_name: qualified_value(graph, value),
        path: place.path,
        start_line: place.start_line,
        end_line: place.end_line,
        line: place.line,
        cell: presenter.sources.cell(value.id.file, place.line),
        column: (name_start - line_start) as u32 + 1,
        signature: one_line(declaration.lines().next().unwrap_or_default()),
        inside: String::new(),
        doc: String::new(),
        evidence: strongest(&all_evidence),
        met: all_evidence.iter().map(|one| one.query.to_lowercase()).collect(),
        reasons: Vec::new(),
        all_evidence,
        snippet: Vec::new(),
        duplicates: Vec::new(),
    }
}
