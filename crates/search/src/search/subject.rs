//! Answers questions about a subject: "request context handling", "how are routes registered".
//!
//! Such a question asks for a place, not for one function, so the place decides:
//!
//! ```text
//! score(d) = learned(d) - other_kind(d) + FILE_BONUS / (1 + rank of the file of d)
//!                       - FURTHER_IN_FILE * number of definitions of this file before d
//! ```
//! - `learned` is the score of the reranker, the logarithm of odds. Functions have that of a search
//!   for functions, so their order among each other stays as it was learned. Types and modules have
//!   that of a search for all kinds, moved to the scale of the functions, and less `other_kind`,
//!   because the weights were learned from functions.
//! - Files are ranked by all candidates in them (`file_order.rs`), of any kind.
//!
//! "which function ..." asks for one definition, and keeps the learned order.
//!
//! - **Cost:** a second search, for all kinds
//! - **Alternatives:** the same with the files of `--unit file`: nDCG of files 0.003 higher, for a
//!   third search; a model of ten features of both searches, fitted by folds: files alike, functions worse

use super::confidence::Confidence;
use super::file_order::{add_best_definitions, by_file};
use super::hit::{AdjustmentKind, Hit};
use super::order::{measured_depth, order};
use super::part::Aspect;
use super::pipeline::{Found, Shards, search, search_words};
use super::query::{KindFilter, Query, Ranker, Unit};
use super::question::{Question, QuestionForm};
use super::weights::{COMPARED_FIRST, FILE_BONUS, FURTHER_IN_FILE, OTHER_KIND};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use whichfn_syntax::ids::{DefinitionId, FileId, MemberId};
use whichfn_system::error::Result;

/// First words of a sentence that asks for one definition.
const ASKS_FOR_ONE: [&str; 6] = ["which", "what", "where", "who", "find", "show"];
/// First words of a clause that asks for one thing, after a description of the situation.
const ASKS_IN_CLAUSE: [&str; 6] = ["which", "what", "where", "who", "when", "why"];
/// Nouns for an activity, and an ending of others: "session management", "form validation".
const ACTIVITY: [&str; 5] = ["management", "behavior", "behaviour", "lifecycle", "ation"];

/// Checks whether a query is about a subject, so that the files of its candidates count.
fn is_about_subject(query: &Query) -> bool {
    query.unit == Unit::Definition
        && query.ranker == Ranker::Learned
        && matches!(query.kind, KindFilter::Function | KindFilter::Any)
        && names_subject(&query.question)
}

/// Checks whether a question is a sentence about a subject, or keywords that name an activity.
fn names_subject(question: &Question) -> bool {
    let text = question.text.to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let ends_clause = |word: &str| word.ends_with([',', ';', ':', '?', '.']);
    let asks = |pair: &[&str]| ends_clause(pair[0]) && ASKS_IN_CLAUSE.contains(&pair[1]);
    match question.form {
        QuestionForm::Sentence => !ASKS_FOR_ONE.contains(first) && !words.windows(2).any(asks),
        QuestionForm::Keywords => words.len() > 1 && is_activity(last.trim_end_matches('s')),
        _ => false,
    }
}

/// Checks whether a noun names an activity: "handling", but not "string".
fn is_activity(noun: &str) -> bool {
    let is_gerund = noun.strip_suffix("ing").is_some_and(|verb| verb.contains(['a', 'e', 'i', 'o', 'u', 'y']));
    is_gerund || ACTIVITY.iter().any(|ending| noun.ends_with(ending))
}

/// Returns up to `most` hits in the order of the query's ranker, and up to as many definitions of other
/// kinds if the question is about a subject.
///
/// Leaves the shards in the state of a search for the kinds of the query.
///
/// # Errors
/// Returns an error if the shards cannot be searched.
pub fn search_by_form(shards: &mut impl Shards, most: usize) -> Result<Found> {
    let query = &shards.prepared().query;
    if !is_about_subject(query) {
        return search(shards, most);
    }
    let kind = query.kind;
    let found = search_with_files(shards, kind, most);
    shards.restart(kind);
    found
}

fn search_with_files(shards: &mut impl Shards, kind: KindFilter, most: usize) -> Result<Found> {
    shards.restart(KindFilter::Any);
    let mut found = search_words(shards, most)?;
    let mut files = by_file(found.hits.clone(), shards.prepared().further());
    let depth = measured_depth(&shards.prepared().query, found.hits.len());
    let measured = shards.measure(&found, depth)?;
    let is_function = measured.iter().map(|one| one.is_function);
    let is_function: FxHashMap<_, bool> = found.hits.iter().map(id).zip(is_function).collect();
    order(&shards.prepared().query, &found.counts, &mut found.hits, &measured);
    add_best_definitions(&mut files, &found.hits);
    if kind != KindFilter::Any {
        shards.restart(kind);
        let all = std::mem::replace(&mut found, search(shards, most)?).hits;
        add_other_kinds(&mut found.hits, all, &is_function);
    }
    order_by_subject(&mut found.hits, &files);
    Ok(found)
}

fn id(hit: &Hit) -> (MemberId, DefinitionId) {
    (hit.member, hit.definition)
}

/// Adds the definitions of other kinds in `all`, which a search for all kinds found, to functions.
///
/// Both are sorted with the best first. Definitions without a learned score are left out.
fn add_other_kinds(functions: &mut Vec<Hit>, all: Vec<Hit>, is_function: &FxHashMap<(MemberId, DefinitionId), bool>) {
    let in_all: FxHashMap<_, f32> = all.iter().map(|hit| (id(hit), hit.score)).collect();
    let compared = functions.iter().take(COMPARED_FIRST);
    // One definition of either search may have lost its place to others, so the median counts.
    let mut rises: Vec<f32> = compared.filter_map(|hit| Some(hit.score - in_all.get(&id(hit))?)).collect();
    rises.sort_by(f32::total_cmp);
    let Some(&rise) = rises.get(rises.len() / 2) else { return };
    for mut hit in all.into_iter().filter(|hit| is_function.get(&id(hit)) == Some(&false)) {
        hit.adjust(AdjustmentKind::Floor, Aspect::Average, rise);
        hit.adjust(AdjustmentKind::OtherKind, Aspect::Shape, -OTHER_KIND);
        // A definition without a learned score has at most this score.
        if hit.score > 1.0 {
            functions.push(hit);
        }
    }
    functions.sort_by(by_score);
}

/// Orders hits by their learned scores and by their files. The learned hits are sorted with the
/// best first, before and after.
///
/// The confidence was learned for the order of functions, so another first hit has none, unless it is
/// that nothing fits.
fn order_by_subject(hits: &mut [Hit], files: &[Hit]) {
    let learned = hits.iter().take_while(|hit| hit.ranker == Ranker::Learned).count();
    let hits = &mut hits[..learned];
    let Some(lowest) = hits.last().map(|hit| hit.score) else { return };
    let ranks: FxHashMap<(MemberId, FileId), usize> =
        files.iter().map(|file| (file.member, file.file)).zip(0..).collect();
    let learned_first = hits.iter_mut().find_map(|hit| hit.confidence.take().map(|confidence| (id(hit), confidence)));
    for hit in hits.iter_mut() {
        let bonus = ranks.get(&(hit.member, hit.file)).map_or(0.0, |&rank| FILE_BONUS / (2.0 + rank as f32));
        hit.adjust(AdjustmentKind::FileRank, Aspect::Connected, bonus);
    }
    hits.sort_by(by_score);
    let mut shown: FxHashMap<(MemberId, FileId), u32> = FxHashMap::default();
    for hit in hits.iter_mut() {
        let before = shown.entry((hit.member, hit.file)).or_default();
        hit.adjust(AdjustmentKind::FurtherInFile, Aspect::Connected, -FURTHER_IN_FILE * *before as f32);
        *before += 1;
    }
    // The hits after these have scores of at most the lowest.
    let rise = lowest - hits.iter().map(|hit| hit.score).fold(lowest, f32::min);
    hits.iter_mut().for_each(|hit| hit.adjust(AdjustmentKind::Floor, Aspect::Average, rise));
    hits.sort_by(by_score);
    let first = id(&hits[0]);
    let is_known = |(learned, confidence): &(_, Confidence)| *learned == first || !confidence.fits();
    hits[0].confidence = learned_first.filter(is_known).map(|(_, confidence)| confidence);
}

/// Compares by score alone. Sorts with it are stable: a wrapper has the same score as the function
/// in front of it.
fn by_score(a: &Hit, b: &Hit) -> Ordering {
    b.score.total_cmp(&a.score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(at: u32, file: usize, score: f32) -> Hit {
        Hit { ranker: Ranker::Learned, ..Hit::new(DefinitionId(at), FileId::new(file), score, score) }
    }

    fn files(hits: &[Hit]) -> Vec<usize> {
        hits.iter().map(|hit| hit.file.index()).collect()
    }

    #[test]
    fn files_take_turns_unless_one_has_much_better_functions() {
        let scores = [(0, 9.0), (0, 8.8), (0, 8.5), (1, 8.0), (2, 4.0), (0, 1.0)];
        let mut hits: Vec<Hit> = scores.iter().zip(0..).map(|(&(file, score), at)| hit(at, file, score)).collect();
        let confidence = Confidence { right: 0.5, fits: 1.0 };
        hits[0].confidence = Some(confidence);
        order_by_subject(&mut hits, &[]);
        assert_eq!(files(&hits), [0, 1, 0, 0, 2, 0]);
        assert_eq!(hits[0].confidence, Some(confidence));
        assert!(hits.iter().all(|hit| hit.score >= 1.0), "the hits after them have scores of at most 1");
    }

    #[test]
    fn the_best_file_raises_its_definitions_and_a_new_first_has_no_confidence() {
        let mut hits = vec![hit(0, 0, 9.0), hit(1, 1, 8.5), hit(2, 1, 7.0)];
        hits[0].confidence = Some(Confidence { right: 0.5, fits: 1.0 });
        order_by_subject(&mut hits, &[hit(9, 1, 5.0), hit(8, 0, 4.0)]);
        assert_eq!(files(&hits), [1, 0, 1]);
        assert!(hits.iter().all(|hit| hit.confidence.is_none()));
    }

    #[test]
    fn a_type_needs_a_better_score_than_a_function() {
        let all = vec![hit(5, 0, 19.0), hit(0, 0, 13.0), hit(6, 1, 12.0), hit(7, 2, 3.0)];
        let is_function = [(0, true), (5, false), (6, false), (7, false)];
        let is_function = is_function.into_iter().map(|(at, is)| ((MemberId(0), DefinitionId(at)), is)).collect();
        let mut functions = vec![hit(0, 0, 10.0), hit(1, 0, 8.0)];
        add_other_kinds(&mut functions, all, &is_function);
        let found: Vec<(u32, f32)> = functions.iter().map(|hit| (hit.definition.0, hit.score)).collect();
        assert_eq!(found, [(5, 13.0), (0, 10.0), (1, 8.0), (6, 6.0)], "less 3 for the scale, and 3 for the kind");
    }

    #[test]
    fn a_question_for_one_function_is_not_about_a_subject() {
        for (text, is_about) in [
            ("how are routes registered in the router", true),
            ("the lifecycle of a request and its context", true),
            ("request context handling", true),
            ("session management", true),
            ("which function registers a route in the router", false),
            ("the page comes back empty after a reload, where is it cleared", false),
            ("where is the token of a session renewed", false),
            ("renew session token", false),
            ("split string", false),
            ("handling", false),
            ("renew_token", false),
        ] {
            assert_eq!(is_about_subject(&Query::new(text)), is_about, "{text}");
        }
    }
}
