//! What is known of each of the best candidates, as named numbers: what the learned order is made of.
//!
//! Every feature is between -1 and 1 or thereabouts, and says more or less of one thing. Scores are shares of the best
//! score; coverages are shares of the question's words, rare words counting more.

use super::bm25f::{DocumentField, Scores};
use super::meaning::{CandidateWords, Meaning, words_of};
use super::question::{Question, Section};
use crate::ids::DefinitionId;
use crate::lang::DefinitionKind;
use crate::parse::Field;
use crate::store::GraphFile;
use crate::wordvec::{WordId, WordTable};
use rustc_hash::FxHashMap;

macro_rules! features {
    ($($name:ident = $text:literal,)*) => {
        /// A feature of a candidate.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Feature { $(#[doc = $text] $name,)* }

        impl Feature {
            /// All, in the order of their number.
            pub const ALL: &[Self] = &[$(Self::$name,)*];
            /// How many there are.
            pub const COUNT: usize = Self::ALL.len();

            /// The word that people and files read.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

features! {
    Base = "words",
    Related = "related",
    Named = "name asked for",
    Test = "test",
    CoverName = "cover name",
    CoverScope = "cover scope",
    CoverPath = "cover path",
    CoverParameters = "cover parameters",
    CoverBody = "cover body",
    CoverStrings = "cover strings",
    CoverSummary = "cover summary",
    CoverDoc = "cover doc",
    CoverCallers = "cover callers",
    CoverCallees = "cover callees",
    CoverOwn = "cover own",
    CoverRare = "cover rare",
    CoverFirst = "cover first",
    ShareName = "share name",
    ShareScope = "share scope",
    SharePath = "share path",
    ShareParameters = "share parameters",
    ShareBody = "share body",
    ShareStrings = "share strings",
    ShareSummary = "share summary",
    ShareDoc = "share doc",
    ShareCallers = "share callers",
    ShareCallees = "share callees",
    Cosine = "meaning",
    NearOwn = "near own",
    NearName = "near name",
    NearParameters = "near parameters",
    NearSummary = "near summary",
    NearScope = "near scope",
    NameExplained = "name explained",
    NameExplainedLeast = "name explained least",
    CallerScore = "caller score",
    CalleeScore = "callee score",
    SiblingScore = "sibling score",
    ParentScore = "parent score",
    FileScore = "file score",
    Length = "length",
    Short = "short",
    Lines = "lines",
    NameLength = "name length",
    Callers = "callers",
    Callees = "callees",
    Parameters = "parameters",
    NoParameters = "no parameters",
    ParametersAgree = "parameters agree",
    Documented = "documented",
    Method = "method",
    Private = "private",
    Nested = "nested",
    Shared = "shared name",
    PurposeName = "purpose in name",
    InputParameters = "input in parameters",
    ProcedureBody = "procedure in body",
    OutputSignature = "output in parameters",
}

impl Feature {
    /// Whether it comes from what a candidate is connected to, not from itself.
    pub fn is_environment(self) -> bool {
        use Feature::{
            CalleeScore, CallerScore, CoverCallees, CoverCallers, FileScore, ParentScore, Related, ShareCallees,
            ShareCallers, SiblingScore,
        };
        matches!(
            self,
            Related
                | CoverCallers
                | CoverCallees
                | ShareCallers
                | ShareCallees
                | CallerScore
                | CalleeScore
                | SiblingScore
                | ParentScore
                | FileScore
        )
    }
}

/// The features of one candidate.
pub type Features = [f32; Feature::COUNT];

/// Everything that features are taken from.
pub(super) struct Known<'a> {
    pub graph: &'a GraphFile,
    pub question: &'a Question,
    pub scores: &'a Scores<'a>,
    /// Scores before the learned order, of all that were found.
    pub before: &'a FxHashMap<u32, f32>,
    pub table: WordTable<'a>,
}

/// A candidate with what was known before.
pub(super) struct Candidate {
    pub id: DefinitionId,
    pub score: f32,
    pub related: f32,
    pub name: f32,
    pub test: f32,
}

impl Known<'_> {
    /// The features of the candidates, which are in order of their scores.
    pub fn features(&self, candidates: &[Candidate]) -> Vec<Features> {
        let ids: Vec<DefinitionId> = candidates.iter().map(|c| c.id).collect();
        let best = candidates.iter().map(|c| c.score).fold(1e-6, f32::max);
        let words = words_of(self.graph, &self.table, &ids);
        let weights = self.scores.term_weights();
        let meaning = Meaning::new(self.table, self.question, weights);
        let cosines = meaning.cosines(&words);
        let near = meaning.nearness(&words);
        let compared: Vec<usize> = meaning.compared().collect();
        let matrix = self.scores.matrix(&ids);
        let mut names: FxHashMap<&str, u32> = FxHashMap::default();
        ids.iter().for_each(|&id| *names.entry(self.graph.name(id)).or_default() += 1);
        let mut files: FxHashMap<u32, Vec<f32>> = FxHashMap::default();
        for candidate in candidates {
            files.entry(self.graph.definition(candidate.id).file.0).or_default().push(candidate.score);
        }
        candidates
            .iter()
            .enumerate()
            .map(|(at, candidate)| {
                let mut out = [0f32; Feature::COUNT];
                let mut set = |feature: Feature, value: f32| out[feature as usize] = value;
                set(Feature::Base, candidate.score / best);
                set(Feature::Related, candidate.related / best);
                set(Feature::Named, candidate.name / best);
                set(Feature::Test, candidate.test / best);
                set(Feature::Cosine, cosines[at]);
                set(Feature::Shared, (names[self.graph.name(candidate.id)] as f32).ln().min(3.0) / 3.0);
                let in_file = &files[&self.graph.definition(candidate.id).file.0];
                set(Feature::FileScore, (in_file.iter().sum::<f32>() - candidate.score) / best / 10.0);
                self.coverage(&mut out, &matrix[at], weights, best);
                self.nearness(&mut out, &words[at], &near, &compared, weights);
                self.shape(&mut out, candidate.id);
                self.neighbours(&mut out, candidate.id, best);
                out
            })
            .collect()
    }

    /// Which of the question's words a candidate holds, and where.
    fn coverage(&self, out: &mut Features, found: &[[(f32, f32); DocumentField::COUNT]], weights: &[f32], best: f32) {
        /// In the order of the features from [`Feature::CoverName`] and from [`Feature::ShareName`].
        const GROUPS: [&[DocumentField]; 10] = [
            &[DocumentField::Name],
            &[DocumentField::Scope],
            &[DocumentField::Path],
            &[DocumentField::Parameters],
            &[DocumentField::Body],
            &[DocumentField::Strings],
            &[DocumentField::Summary],
            &[DocumentField::Doc],
            &[DocumentField::CallerNames, DocumentField::CallerDocs],
            &[DocumentField::CalleeDocs],
        ];
        let all: f32 = weights.iter().sum::<f32>().max(1e-6);
        for (number, fields) in GROUPS.into_iter().enumerate() {
            let (mut cover, mut share) = (0.0, 0.0);
            for (term, found) in found.iter().enumerate() {
                let most = fields.iter().map(|&f| found[f as usize].0).fold(0.0, f32::max);
                cover += weights[term] * most.min(1.0);
                share += fields.iter().map(|&f| found[f as usize].1).sum::<f32>();
            }
            out[Feature::CoverName as usize + number] = cover / all;
            out[Feature::ShareName as usize + number] = share / best;
        }
        let own = |found: &[(f32, f32); DocumentField::COUNT]| {
            DocumentField::ALL.iter().filter(|f| f.is_own()).map(|&f| found[f as usize].0).fold(0.0, f32::max).min(1.0)
        };
        let held: Vec<f32> = found.iter().map(own).collect();
        let share_of = |terms: &mut dyn Iterator<Item = usize>| {
            let (mut some, mut of) = (0.0, 0.0);
            for term in terms {
                some += weights[term] * held[term];
                of += weights[term];
            }
            if of > 0.0 { some / of } else { 0.0 }
        };
        out[Feature::CoverOwn as usize] = share_of(&mut (0..held.len()));
        let mut rare: Vec<usize> = (0..held.len()).collect();
        rare.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
        out[Feature::CoverRare as usize] = share_of(&mut rare.into_iter().take(3));
        out[Feature::CoverFirst as usize] = share_of(&mut (0..held.len().min(3)));
        let section = |section: Section, field: DocumentField| {
            let (mut some, mut of) = (0.0, 0.0);
            for (at, _) in self.question.terms.iter().enumerate().filter(|(_, t)| t.section == section) {
                some += weights[at] * found[at][field as usize].0.min(1.0);
                of += weights[at];
            }
            if of > 0.0 { some / of } else { 0.0 }
        };
        out[Feature::PurposeName as usize] = section(Section::Purpose, DocumentField::Name);
        out[Feature::InputParameters as usize] = section(Section::Input, DocumentField::Parameters);
        out[Feature::OutputSignature as usize] = section(Section::Output, DocumentField::Parameters);
        out[Feature::ProcedureBody as usize] = section(Section::Procedure, DocumentField::Body);
    }

    /// How near the question's words lie to the candidate's, and the other way about for its name.
    fn nearness(
        &self,
        out: &mut Features,
        words: &CandidateWords,
        near: &FxHashMap<WordId, Vec<f32>>,
        compared: &[usize],
        weights: &[f32],
    ) {
        let all: f32 = compared.iter().map(|&term| weights[term]).sum::<f32>().max(1e-6);
        let covered = |fields: &[Field]| {
            let mut most = vec![0f32; compared.len()];
            for word in fields.iter().flat_map(|&f| &words.fields[f as usize]) {
                most.iter_mut().zip(&near[word]).for_each(|(most, &near)| *most = most.max(near));
            }
            most.iter().zip(compared).map(|(most, &term)| most * weights[term]).sum::<f32>() / all
        };
        out[Feature::NearOwn as usize] = covered(&Field::ALL);
        out[Feature::NearName as usize] = covered(&[Field::Name]);
        out[Feature::NearParameters as usize] = covered(&[Field::Parameters]);
        out[Feature::NearSummary as usize] = covered(&[Field::Summary]);
        out[Feature::NearScope as usize] = covered(&[Field::Scope, Field::Path]);
        let explained: Vec<f32> = words.fields[Field::Name as usize]
            .iter()
            .map(|word| near[word].iter().copied().fold(0.0, f32::max))
            .collect();
        let count = explained.len().max(1) as f32;
        out[Feature::NameExplained as usize] = explained.iter().sum::<f32>() / count;
        out[Feature::NameExplainedLeast as usize] = explained.iter().copied().reduce(f32::min).unwrap_or(0.0);
    }

    /// What a candidate is by itself, whatever is asked. Counts are logarithms, as shares of one that few functions exceed
    /// (1,100 words, 400 lines, 150 callers, 50 calls, 20 parameters or words of a name).
    fn shape(&self, out: &mut Features, id: DefinitionId) {
        let row = self.graph.definition(id);
        let lengths = self.graph.lengths()[id.index()];
        let of = |field: Field| f32::from(lengths[field as usize]);
        let log = |count: f32, most: f32| (1.0 + count).ln().min(most) / most;
        let words = of(Field::Body) + of(Field::Strings);
        let mut set = |feature: Feature, value: f32| out[feature as usize] = value;
        set(Feature::Length, log(words, 7.0));
        set(Feature::Short, f32::from(words < 12.0));
        set(Feature::Lines, log((row.end_line - row.start_line) as f32, 6.0));
        set(Feature::NameLength, log(of(Field::Name), 3.0));
        set(Feature::Callers, log(self.graph.callers(id).len() as f32, 5.0));
        set(Feature::Callees, log(self.graph.calls(id).len() as f32, 4.0));
        set(Feature::Parameters, log(f32::from(row.parameters()), 3.0));
        set(Feature::NoParameters, f32::from(row.parameters() == 0));
        set(Feature::Documented, f32::from(lengths[Field::Summary as usize] > 0));
        set(Feature::Method, f32::from(row.kind() == DefinitionKind::Method));
        set(Feature::Private, f32::from(self.graph.name(id).starts_with('_')));
        let parent = self.graph.definition(row.parent).kind();
        set(Feature::Nested, f32::from(parent.is_function()));
        if let Some(expected) = self.question.parameters {
            let off = (f32::from(expected) - f32::from(row.parameters())).abs();
            set(Feature::ParametersAgree, if off == 0.0 { 1.0 } else { -(off / 3.0).min(1.0) });
        }
    }

    /// How well those around a candidate fit: where they fit better, they are the answer.
    fn neighbours(&self, out: &mut Features, id: DefinitionId, best: f32) {
        let score = |id: DefinitionId| self.before.get(&id.0).copied().unwrap_or(0.0) / best;
        let others =
            |ids: &mut dyn Iterator<Item = DefinitionId>| ids.filter(|&i| i != id).map(score).fold(0.0, f32::max);
        let row = self.graph.definition(id);
        out[Feature::CallerScore as usize] = others(&mut self.graph.callers(id).iter().copied());
        out[Feature::CalleeScore as usize] = others(&mut self.graph.calls(id).iter().map(|call| call.callee));
        let file = self.graph.definitions_of(row.file);
        let siblings = &mut file.filter(|&other| self.graph.definition(other).parent == row.parent);
        out[Feature::SiblingScore as usize] = others(siblings);
        out[Feature::ParentScore as usize] = others(&mut std::iter::once(row.parent));
    }
}
