//! Question sets to what the offline reader finds on reading the first candidates: what the order of the memory is learned
//! from. One JSON object a line; those of other forms of question than the learned ones are left out.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use whichfn::engine::Engine;
use whichfn::eval::{Case, read_cases};
use whichfn::ids::DefinitionId;
use whichfn::index::{Options, Silent};
use whichfn::lang::Registry;
use whichfn::lookup::{FeatureExtractor, Function, FunctionReader, ParsedQuestion, RERANK_DEPTH};
use whichfn::search::{Query, QuestionForm};
use whichfn::source::Sources;
use whichfn::wordvec::Lexicon;

/// The candidates of one question.
#[derive(Serialize, Deserialize)]
pub struct Read {
    pub repo: String,
    pub form: String,
    /// Names of the evidence; with the first line of a repository only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// By candidate: whether it is right, the score of the search, its evidence.
    pub candidates: Vec<(bool, f32, Vec<f32>)>,
}

/// Reads the candidates of sets, each `ROOT=SET.jsonl`.
pub fn dump(sets: &[&str], out: &Path) {
    let mut jobs: Vec<(String, String, Vec<Case>)> = Vec::new();
    for set in sets {
        let (root, file) = set.split_once('=').expect("ROOT=SET.jsonl");
        let mut by_repo: BTreeMap<String, Vec<Case>> = BTreeMap::new();
        for case in read_cases(Path::new(file)).expect("question set") {
            by_repo.entry(case.repo.clone()).or_default().push(case);
        }
        jobs.extend(by_repo.into_iter().map(|(repo, cases)| (format!("{root}/{repo}"), repo, cases)));
    }
    let text: Vec<String> = jobs.par_iter().map(|(root, repo, cases)| lines(root, repo, cases)).collect();
    std::fs::write(out, text.concat()).expect("write what was read");
}

fn lines(root: &str, repo: &str, cases: &[Case]) -> String {
    let root = Path::new(root).canonicalize().expect("repository");
    let index = std::env::temp_dir().join("whichfn-train");
    let engine = Engine::open(&root, &index, &Options::default(), &Silent).expect("index");
    let (registry, searcher) = (Registry::builtin().expect("languages"), engine.searcher().expect("index"));
    let graph = &engine.generation().graph;
    let mut out = String::new();
    for case in cases {
        let (question, hits) = searcher.search(&Query { k: RERANK_DEPTH, ..Query::new(&case.query) }).expect("search");
        if hits.is_empty() || !QuestionForm::LEARNED.contains(&question.form) {
            continue;
        }
        let mut lexicon = Lexicon::default();
        let asked = ParsedQuestion::new(&case.query, question.form, &mut lexicon);
        let sources = Sources::new(&root, graph);
        let reader = FunctionReader::new(&sources, &registry);
        let functions: Vec<Function> = hits.iter().map(|hit| reader.function(hit.definition)).collect();
        let evidence = FeatureExtractor::new(&asked, &functions, &mut lexicon).features(&mut lexicon);
        let right = |id: DefinitionId| {
            let (path, name) = (graph.path(graph.definition(id).file), graph.name(id));
            case.gold.iter().any(|g| g.path == path && g.name.as_deref() == Some(name))
        };
        let names =
            if out.is_empty() { evidence[0].iter().map(|(name, _)| (*name).to_owned()).collect() } else { Vec::new() };
        let candidates = hits.iter().zip(&evidence);
        let read = Read {
            repo: repo.to_owned(),
            form: question.form.name().to_owned(),
            names,
            candidates: candidates
                .map(|(hit, evidence)| (right(hit.definition), hit.score, evidence.iter().map(|(_, x)| *x).collect()))
                .collect(),
        };
        out.push_str(&serde_json::to_string(&read).expect("plain data"));
        out.push('\n');
    }
    out
}

/// Reads what [`dump`] wrote: the names of the evidence, and each question.
pub fn read(path: &Path) -> (Vec<String>, Vec<Read>) {
    let text = std::fs::read_to_string(path).expect("what was read");
    let read: Vec<Read> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line of `train evidence`")).collect();
    let names = read.iter().find(|read| !read.names.is_empty()).map(|read| read.names.clone()).unwrap_or_default();
    (names, read)
}
