//! Extracts the features that the offline reader finds when it reads the top candidates for each
//! question in a set. The order of a memory's candidates is learned from these features. The output
//! has one JSON object per line, and omits questions whose form has no learned order.

use super::lists::{cases_by_repository, opened};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;
use whichfn::eval::Case;
use whichfn_index::source::Sources;
use whichfn_index::wordvec::Lexicon;
use whichfn_read::lookup::{
    FeatureExtractor, FeatureVector, Function, FunctionReader, ParsedQuestion, RERANK_DEPTH, feature_names,
};
use whichfn_search::search::{KindFilter, Query, QuestionForm};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Registry;

/// The candidates for one question, with their features.
pub struct Read {
    pub repo: String,
    /// Number of the question set.
    pub set: usize,
    /// Name of the question's form.
    pub form: String,
    /// Probability that the first result of the search is right.
    pub searched: f32,
    /// For each candidate, whether it is correct, and the search score followed by the features.
    pub rows: Vec<(bool, Vec<f32>)>,
}

/// One line of the file that `train evidence` writes and `train judge` reads.
#[derive(Serialize, Deserialize)]
struct Line {
    repo: String,
    set: usize,
    form: String,
    /// Probability that the first result of the search is right.
    searched: f32,
    /// Names of the features. Only the first line of each repository contains them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
    /// For each candidate, whether it is correct, the search score, and the features.
    candidates: Vec<(bool, f32, Vec<f32>)>,
}

/// Extracts the features for question sets, each given as `ROOT=SET.jsonl`, and writes them to
/// `out`.
pub fn dump(sets: &[&str], out: &Path) {
    let jobs = cases_by_repository(sets);
    let text: Vec<String> = jobs.par_iter().map(|((root, repo), cases)| lines(root, repo, cases)).collect();
    std::fs::write(out, text.concat()).expect("write what was read");
}

fn lines(root: &str, repo: &str, cases: &[(usize, Case)]) -> String {
    let engine = opened(Path::new(root));
    let (registry, searcher) = (Registry::builtin().expect("languages"), engine.searcher());
    let graph = &engine.generation().graph;
    let mut out = String::new();
    for (set, case) in cases {
        let query = Query { k: RERANK_DEPTH, kind: KindFilter::Function, ..Query::new(&case.query) };
        let (form, hits) = (query.question.form, searcher.search(&query).expect("search"));
        if hits.is_empty() || !QuestionForm::LEARNED.contains(&form) {
            continue;
        }
        let mut lexicon = Lexicon::default();
        let parsed = ParsedQuestion::new(&case.query, form, &mut lexicon);
        let sources = Sources::new(engine.root(), engine.generation());
        let reader = FunctionReader::new(&sources, &registry);
        let functions: Vec<Function> = hits.iter().map(|hit| reader.function(hit.definition)).collect();
        let features = FeatureExtractor::new(&parsed, &functions, &mut lexicon).features(&mut lexicon);
        let right = |id: DefinitionId| case.is_answered_by(graph, id);
        let names = if out.is_empty() { feature_names().map(str::to_owned).collect() } else { Vec::new() };
        let values = |features: &FeatureVector| features.iter().map(|(_, value)| *value).collect();
        let candidates = hits.iter().zip(&features);
        let read = Line {
            repo: repo.to_owned(),
            set: *set,
            form: form.name().to_owned(),
            searched: hits[0].confidence.map_or(0.0, |confidence| confidence.right),
            names,
            candidates: candidates.map(|(hit, of)| (right(hit.definition), hit.score, values(of))).collect(),
        };
        out.push_str(&serde_json::to_string(&read).expect("plain data"));
        out.push('\n');
    }
    out
}

/// Reads the output of [`dump`]. Returns the names of the features, and the candidates for each
/// question.
pub fn read(path: &Path) -> (Vec<String>, Vec<Read>) {
    let text = std::fs::read_to_string(path).expect("what was read");
    let lines: Vec<Line> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of `train evidence`")).collect();
    let names = lines.iter().find(|line| !line.names.is_empty()).map(|line| line.names.clone()).unwrap_or_default();
    let row = |(right, score, features): (bool, f32, Vec<f32>)| (right, [vec![score], features].concat());
    let read = |line: Line| Read {
        repo: line.repo,
        set: line.set,
        form: line.form,
        searched: line.searched,
        rows: line.candidates.into_iter().map(row).collect(),
    };
    (names, lines.into_iter().map(read).collect())
}
