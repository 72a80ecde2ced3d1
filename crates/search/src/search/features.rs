//! Measures the features of the best candidates, which are the input to the reranker. `feature.rs`
//! has the table of all features.
//!
//! A coverage is the share of the question's words that was found, where rare words count more.

use super::bm25f::{FieldMatch, Scores, TermMatches};
use super::feature::{Feature, RawFeatures, share};
use super::field::DocumentField;
use super::issue::MentionedDefinitions;
use super::question::{Question, Section};
use super::weights::{FIRST_WORDS, RARE_WORDS, SHORT_WORDS};
use super::word_vectors::{CandidateWords, QuestionVectors};
use super::wording::QuestionWording;
use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_index::wordvec::{WordId, WordTable};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Field;

/// Features of each group of fields: the feature for the share of words found, and the one for
/// their score.
const FIELD_FEATURES: [(&[DocumentField], Feature, Feature); 10] = [
    (&[DocumentField::Own(Field::Name)], Feature::CoverName, Feature::ShareName),
    (&[DocumentField::Own(Field::Scope)], Feature::CoverScope, Feature::ShareScope),
    (&[DocumentField::Own(Field::Path)], Feature::CoverPath, Feature::SharePath),
    (&[DocumentField::Own(Field::Parameters)], Feature::CoverParameters, Feature::ShareParameters),
    (&[DocumentField::Own(Field::Body)], Feature::CoverBody, Feature::ShareBody),
    (&[DocumentField::Own(Field::Strings)], Feature::CoverStrings, Feature::ShareStrings),
    (&[DocumentField::Own(Field::Summary)], Feature::CoverSummary, Feature::ShareSummary),
    (&[DocumentField::Own(Field::Doc)], Feature::CoverDoc, Feature::ShareDoc),
    (&[DocumentField::CallerNames, DocumentField::CallerDocs], Feature::CoverCallers, Feature::ShareCallers),
    (&[DocumentField::CalleeDocs], Feature::CoverCallees, Feature::ShareCallees),
];

/// Features of each section of a description: the field in which its words are expected, and the
/// feature for the share of words found there.
const SECTION_FEATURES: [(Section, DocumentField, Feature); 4] = [
    (Section::Purpose, DocumentField::Own(Field::Name), Feature::PurposeName),
    (Section::Input, DocumentField::Own(Field::Parameters), Feature::InputParameters),
    (Section::Output, DocumentField::Own(Field::Parameters), Feature::OutputParameters),
    (Section::Procedure, DocumentField::Own(Field::Body), Feature::ProcedureBody),
];

/// Fields that describe a function before its body.
const HEAD: [Field; 4] = [Field::Name, Field::Scope, Field::Parameters, Field::Summary];

/// Features for the similarity of meaning between the question's words and the words in each group
/// of fields.
const NEARNESS_FEATURES: [(&[Field], Feature); 6] = [
    (&HEAD, Feature::NearHead),
    (&Field::ALL, Feature::NearOwn),
    (&[Field::Name], Feature::NearName),
    (&[Field::Parameters], Feature::NearParameters),
    (&[Field::Summary], Feature::NearSummary),
    (&[Field::Scope, Field::Path], Feature::NearScope),
];

/// Data from which features are measured.
pub(super) struct FeatureSource<'a> {
    pub graph: &'a GraphFile,
    pub question: &'a Question,
    pub scores: &'a Scores<'a>,
    pub before: &'a DefinitionScores,
    pub table: WordTable<'a>,
    /// What an issue refers to.
    pub mentioned: Option<&'a MentionedDefinitions>,
}

/// Scores of all definitions found, before reranking.
pub(super) struct DefinitionScores(Vec<(DefinitionId, f32)>);

impl DefinitionScores {
    pub fn new(found: impl Iterator<Item = (DefinitionId, f32)>) -> Self {
        let mut scores: Vec<(DefinitionId, f32)> = found.collect();
        scores.sort_unstable_by_key(|&(id, _)| id);
        Self(scores)
    }

    /// Returns the score of a definition; 0 if it was not found.
    fn score(&self, id: DefinitionId) -> f32 {
        self.0.binary_search_by_key(&id, |&(id, _)| id).map_or(0.0, |at| self.0[at].1)
    }
}

/// A candidate with its scores before reranking.
pub(super) struct Candidate {
    pub id: DefinitionId,
    pub score: f32,
    pub related: f32,
    pub name: f32,
    pub test: f32,
}

impl FeatureSource<'_> {
    /// Measures the features of candidates, with the words of each candidate in the same order.
    pub fn measured(&self, candidates: &[Candidate], words: &[CandidateWords]) -> Vec<RawFeatures> {
        let ids: Vec<DefinitionId> = candidates.iter().map(|c| c.id).collect();
        let vectors = QuestionVectors::new(self.table, self.question, self.scores.term_weights());
        let cosines = vectors.cosines(words);
        let nearness_by_word = vectors.nearness(words);
        let compared: Vec<usize> = vectors.compared().collect();
        let matches = self.scores.matches(&ids);
        let wording = QuestionWording::new(&self.table, self.question, self.scores.term_weights());
        let of_one = |(at, candidate): (usize, &Candidate)| {
            let mut out = RawFeatures::new();
            out.set(Feature::Cosine, cosines[at]);
            Self::before(&mut out, candidate);
            self.coverage(&mut out, &matches[at]);
            self.sections(&mut out, &matches[at]);
            wording.measure(&mut out, self.graph, candidate.id, &words[at]);
            self.nearness(&mut out, &words[at], &nearness_by_word, &compared);
            self.shape(&mut out, candidate.id);
            self.neighbours(&mut out, candidate.id);
            self.mentions(&mut out, candidate.id, &matches[at]);
            out
        };
        candidates.iter().enumerate().map(of_one).collect()
    }

    /// Sets the features that are the candidate's scores before reranking.
    fn before(out: &mut RawFeatures, candidate: &Candidate) {
        out.set(Feature::Base, candidate.score);
        out.set(Feature::Related, candidate.related);
        out.set(Feature::Named, candidate.name);
        out.set(Feature::Test, candidate.test);
    }

    /// Sets the features for the share of the question's words found in each field.
    fn coverage(&self, out: &mut RawFeatures, found: &[TermMatches]) {
        let weights = self.scores.term_weights();
        let all: f32 = weights.iter().sum::<f32>().max(1e-6);
        for (fields, coverage, score) in FIELD_FEATURES {
            let (mut cover, mut share) = (0.0, 0.0);
            for (term, found) in found.iter().enumerate() {
                cover += weights[term] * max_score(fields.iter().map(|&f| found[f.number()]));
                share += fields.iter().map(|&f| found[f.number()].score).sum::<f32>();
            }
            out.set(coverage, cover / all);
            out.set(score, share);
        }
        let own = |found: &TermMatches| max_score(found[..Field::COUNT].iter().copied());
        let found_shares: Vec<f32> = found.iter().map(own).collect();
        let weighted_share = |terms: &[usize]| share(terms.iter().map(|&term| (weights[term], found_shares[term])));
        let mut terms: Vec<usize> = (0..found_shares.len()).collect();
        out.set(Feature::CoverOwn, weighted_share(&terms));
        out.set(Feature::CoverFirst, weighted_share(&terms[..terms.len().min(FIRST_WORDS)]));
        terms.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
        out.set(Feature::CoverRare, weighted_share(&terms[..terms.len().min(RARE_WORDS)]));
    }

    /// Sets the features for the words of a description's sections, each looked up in the field
    /// that the section describes.
    fn sections(&self, out: &mut RawFeatures, found: &[TermMatches]) {
        let weights = self.scores.term_weights();
        for (section, field, feature) in SECTION_FEATURES {
            let terms = self.question.terms.iter().enumerate().filter(|(_, term)| term.section == section);
            out.set(feature, share(terms.map(|(at, _)| (weights[at], found[at][field.number()].count.min(1.0)))));
        }
    }

    /// Sets the features for what an issue refers to.
    fn mentions(&self, out: &mut RawFeatures, id: DefinitionId, found: &[TermMatches]) {
        let (Some(mentioned), Some(parts)) = (self.mentioned, &self.question.issue) else { return };
        mentioned.measure(out, self.graph, id);
        let (weights, strings) = (self.scores.term_weights(), Field::Strings as usize);
        let terms = parts.message_terms.iter().map(|&at| (weights[at], found[at][strings].count.min(1.0)));
        out.set(Feature::MessageStrings, share(terms));
    }

    /// Sets the features for the similarity of the question's words to the candidate's words, and
    /// of the words in the candidate's name to the question's words.
    fn nearness(
        &self,
        out: &mut RawFeatures,
        words: &CandidateWords,
        nearness_by_word: &FxHashMap<WordId, Vec<f32>>,
        compared: &[usize],
    ) {
        let weights = self.scores.term_weights();
        let all: f32 = compared.iter().map(|&term| weights[term]).sum::<f32>().max(1e-6);
        for (fields, feature) in NEARNESS_FEATURES {
            let mut nearest = vec![0f32; compared.len()];
            for word in fields.iter().flat_map(|&f| &words.fields[f as usize]) {
                nearest
                    .iter_mut()
                    .zip(&nearness_by_word[word])
                    .for_each(|(nearest, &nearness_by_word)| *nearest = nearest.max(nearness_by_word));
            }
            let weighted = nearest.iter().zip(compared).map(|(nearest, &term)| nearest * weights[term]);
            out.set(feature, weighted.sum::<f32>() / all);
        }
        let explained: Vec<f32> = words.fields[Field::Name as usize]
            .iter()
            .map(|word| nearness_by_word[word].iter().copied().fold(0.0, f32::max))
            .collect();
        out.set(Feature::NameExplained, explained.iter().sum::<f32>() / explained.len().max(1) as f32);
        out.set(Feature::NameExplainedLeast, explained.iter().copied().reduce(f32::min).unwrap_or(0.0));
    }

    /// Sets the features for size, kind and other properties of the definition itself.
    fn shape(&self, out: &mut RawFeatures, id: DefinitionId) {
        let row = self.graph.definition(id);
        let lengths = self.graph.lengths(id);
        let length = |field: Field| f32::from(lengths[field as usize]);
        let words = length(Field::Body) + length(Field::Strings);
        out.set(Feature::Length, words);
        out.set(Feature::Short, f32::from(words < SHORT_WORDS));
        out.set(Feature::Lines, (row.end_line - row.start_line) as f32);
        out.set(Feature::NameLength, length(Field::Name));
        out.set(Feature::Callers, self.graph.callers(id).len() as f32);
        out.set(Feature::Callees, self.graph.calls(id).len() as f32);
        out.set(Feature::Parameters, f32::from(row.parameters()));
        out.set(Feature::NoParameters, f32::from(row.parameters() == 0));
        out.set(Feature::Documented, f32::from(lengths[Field::Summary as usize] > 0));
        out.set(Feature::Method, f32::from(row.kind() == DefinitionKind::Method));
        out.set(Feature::Private, f32::from(self.graph.name(id).starts_with('_')));
        let parent = self.graph.definition(row.parent).kind();
        out.set(Feature::Nested, f32::from(parent.is_function()));
        if let Some(expected) = self.question.parameters {
            out.set(Feature::ParametersAgree, (f32::from(expected) - f32::from(row.parameters())).abs());
        }
    }

    /// Sets the features for the scores of callers, callees, siblings and the parent.
    fn neighbours(&self, out: &mut RawFeatures, id: DefinitionId) {
        let score = |id| self.before.score(id);
        let best =
            |ids: &mut dyn Iterator<Item = DefinitionId>| ids.filter(|&i| i != id).map(score).fold(0.0, f32::max);
        let row = self.graph.definition(id);
        out.set(Feature::CallerScore, best(&mut self.graph.callers(id).iter().copied()));
        out.set(Feature::CalleeScore, best(&mut self.graph.calls(id).iter().map(|call| call.callee)));
        let file = self.graph.definitions_of(row.file);
        let siblings = &mut file.filter(|&other| self.graph.definition(other).parent == row.parent);
        out.set(Feature::SiblingScore, best(siblings));
        out.set(Feature::ParentScore, best(&mut std::iter::once(row.parent)));
    }
}

/// Returns the highest count of a term in any of the given fields, at most 1.
fn max_score(found: impl Iterator<Item = FieldMatch>) -> f32 {
    found.map(|found| found.count).fold(0.0, f32::max).min(1.0)
}
