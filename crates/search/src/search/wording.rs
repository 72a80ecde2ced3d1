//! Measures features of a candidate's wording: adjacent question words that are also adjacent in
//! the candidate, opposites, predicate names, and folders outside the program.
//!
//! - **Cost:** one pass over each candidate's name and documentation for each pair of question
//!   words

use super::feature::{Feature, RawFeatures, share};
use super::question::{Question, QuestionForm};
use super::word_vectors::CandidateWords;
use whichfn_index::store::GraphFile;
use whichfn_index::wordvec::{WordId, WordTable};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::parse::Field;
use whichfn_text::{Conversion, is_predicate_name, opposites};

/// Folders that are not the program itself: vendored code, build output, examples, benchmarks,
/// documents.
const ASIDE: &[&str] = &[
    "vendor",
    "vendored",
    "third_party",
    "thirdparty",
    "3rdparty",
    "external",
    "extern",
    "deps",
    "node_modules",
    "bundled",
    // Many JavaScript packages commit the bundle of their sources.
    "dist",
    "compat",
    "examples",
    "example",
    "samples",
    "sample",
    "demo",
    "demos",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "docs",
    "doc",
    "fuzz",
];

/// The words of a question, prepared for comparison with a candidate's wording.
pub(super) struct QuestionWording<'q> {
    /// Pairs of adjacent words, each with the sum of their weights.
    pairs: Vec<([WordId; 2], f32)>,
    opposites: Vec<OpposedWord>,
    /// Sum of the weights of all words.
    all: f32,
    is_yes_no_question: bool,
    conversion: &'q Conversion,
}

/// A word of the question that has opposites.
struct OpposedWord {
    word: WordId,
    weight: f32,
    opposites: Vec<WordId>,
}

impl<'q> QuestionWording<'q> {
    /// Prepares a question; `weights` are the weights of its terms. Skips words that are not in the
    /// table.
    pub fn new(table: &WordTable<'_>, question: &'q Question, weights: &[f32]) -> Self {
        let terms = question.terms.iter().zip(weights);
        let known: Vec<(Option<WordId>, f32)> =
            terms.clone().map(|(term, &weight)| (table.number(&term.stem), weight)).collect();
        let pair = |two: &[(Option<WordId>, f32)]| Some(([two[0].0?, two[1].0?], two[0].1 + two[1].1));
        let opposed = |(at, &(word, weight)): (usize, &(Option<WordId>, f32))| {
            let stems = opposites(&question.terms[at].stem).iter();
            let opposites: Vec<WordId> = stems.filter_map(|stem| table.number(stem)).collect();
            (!opposites.is_empty()).then_some(OpposedWord { word: word?, weight, opposites })
        };
        Self {
            // In a long text, nearly all pairs are chance, and each costs a pass over each
            // candidate.
            pairs: match question.form {
                QuestionForm::Issue => Vec::new(),
                _ => known.windows(2).filter_map(pair).collect(),
            },
            opposites: known.iter().enumerate().filter_map(opposed).collect(),
            all: weights.iter().sum::<f32>().max(f32::MIN_POSITIVE),
            is_yes_no_question: question.is_yes_no_question,
            conversion: &question.conversion,
        }
    }

    /// Sets the features for a candidate's wording.
    pub fn measure(&self, out: &mut RawFeatures, graph: &GraphFile, id: DefinitionId, words: &CandidateWords) {
        let together = |[a, b]: [WordId; 2]| words.order.windows(2).any(|two| two == [a, b] || two == [b, a]);
        out.set(Feature::Together, share(self.pairs.iter().map(|&(pair, w)| (w, f32::from(together(pair))))));
        let name = &words.fields[Field::Name as usize];
        let is_opposite = |opposed: &&OpposedWord| {
            !name.contains(&opposed.word) && opposed.opposites.iter().any(|opposite| name.contains(opposite))
        };
        let opposed_weight: f32 = self.opposites.iter().filter(is_opposite).map(|opposed| opposed.weight).sum();
        out.set(Feature::Opposite, opposed_weight / self.all);
        out.set(Feature::Direction, self.conversion.agreement(&Conversion::from_name(graph.name(id))));
        let answers = is_predicate_name(graph.name(id));
        out.set(Feature::PredicateAsked, f32::from(answers && self.is_yes_no_question));
        out.set(Feature::PredicateUnasked, f32::from(answers && !self.is_yes_no_question));
        out.set(Feature::Aside, f32::from(is_vendored_path(graph.path(graph.definition(id).file))));
    }
}

/// Checks whether a path is in a folder outside the program, such as vendored code, build output or
/// examples.
pub fn is_vendored_path(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|folder| ASIDE.contains(&folder.to_ascii_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_vendored_folders_anywhere() {
        assert!(is_vendored_path("src/third_party/zlib/inflate.c") && is_vendored_path("Examples/a.py"));
        assert!(is_vendored_path("dist/node/axios.cjs"));
        assert!(!is_vendored_path("src/example.py") && !is_vendored_path("vendor.go"));
    }
}
