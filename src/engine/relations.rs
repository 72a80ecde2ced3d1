//! Answers questions about the graph, such as "who calls NAME", with the operations of the graph
//! commands.

use super::Engine;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use whichfn_index::store::NamedValueId;
use whichfn_search::answer::{
    AskedRelation, Branch, CallDirection, EntryQuestion, GraphSubject, Named, NamedEntries, RelationQuestion,
    ResolvedName, SubjectDefinition, Subtype, TypeDirection, direct_ends, entries, entries_of, flag_readers, handlers,
    is_flag, named_around,
};
use whichfn_search::search::{
    Adjustment, AdjustmentKind, Confidence, Hit, KindFilter, ListingFilter, Query, RERANK_DEPTH, Searcher,
};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{DefinitionKind, LangId};
use whichfn_system::error::Result;
use whichfn_text::{Stemmer, words};

/// Maximum number of qualified names that a name of a question may refer to. A name that refers to
/// more is a common word.
const MAX_NAMED: usize = 8;
/// Maximum number of definitions with these names, with all overloads.
const MAX_OVERLOADED: usize = 64;
/// Probability that the graph's first answer is right.
const RIGHT: f32 = 0.95;
/// The same for a route or flag that the question does not name in full.
const PARTLY_RIGHT: f32 = 0.6;

/// Answer to a question about the graph.
pub(super) struct GraphAnswer {
    pub subject: GraphSubject,
    /// Values that are answers themselves.
    pub values: Vec<NamedValueId>,
    /// Definitions in the order of the relation's command, with tests last; empty if the graph
    /// contains none.
    pub hits: Vec<Hit>,
    /// Files whose calls the answer rests on.
    pub called: Vec<FileId>,
}

impl GraphAnswer {
    /// Checks whether the graph contains an answer.
    pub fn is_found(&self) -> bool {
        !self.hits.is_empty() || !self.values.is_empty()
    }
}

/// Definitions with a relation to others.
struct RelatedDefinitions {
    found: Vec<DefinitionId>,
    /// Number of definitions that are not in the list.
    left_out: usize,
}

impl Engine {
    /// Answers a question about the graph. Returns `None` if the question has another form, or if
    /// its name is unknown or too common.
    ///
    /// # Errors
    /// Returns an error if a language's data is invalid.
    pub(super) fn graph_answer(
        &self,
        text: &str,
        max: usize,
        is_allowed: &dyn Fn(DefinitionId) -> bool,
    ) -> Result<Option<GraphAnswer>> {
        if let Some(mut answer) = self.entry_answer(text, max)? {
            answer.hits.retain(|hit| is_allowed(hit.definition));
            answer.subject.total = answer.hits.len();
            return Ok(Some(answer));
        }
        let Some(question) = RelationQuestion::read(text) else { return Ok(None) };
        let mut relation = question.relation;
        let mut about = self.meant(&question);
        // Of several definitions with the name, the one that is called most is first.
        about.sort_by_key(|named| match named {
            Named::Definition(id) => Reverse(self.generation.graph.callers(*id).len()),
            Named::Value(_) => Reverse(0),
        });
        let is_overloaded = about.len() > MAX_OVERLOADED;
        let subjects = if is_overloaded { Vec::new() } else { self.subjects(&about) };
        let matches = if is_overloaded { about.len() } else { subjects.len() };
        let distinct = subjects.iter().map(|one| &one.location.name).collect::<FxHashSet<_>>().len();
        let names = if is_overloaded { matches } else { distinct };
        if !question.is_marked && is_word_of_a_sentence(relation, names) {
            return Ok(None);
        }
        let subject =
            |relation, of, total| GraphSubject { relation, typed: question.name.clone(), of, matches, total, uses: 0 };
        if matches == 0 || names > MAX_NAMED {
            let subject = subject(relation, Vec::new(), 0);
            return Ok(Some(GraphAnswer { subject, values: Vec::new(), hits: Vec::new(), called: Vec::new() }));
        }
        let definitions = definitions_of(&about);
        let is_function = |&id: &DefinitionId| self.generation.graph.definition(id).kind().is_function();
        let RelatedDefinitions { mut found, left_out } = self.related(relation, &about, max)?;
        if relation == AskedRelation::Implementations && found.is_empty() && definitions.iter().all(is_function) {
            // The only implementation of a function that nothing overrides is its definition.
            (relation, found) = (AskedRelation::Definition, definitions);
        }
        let mut seen = FxHashSet::default();
        found.retain(|&id| seen.insert(id) && is_allowed(id));
        if relation != AskedRelation::Tests {
            found.sort_by_key(|&id| self.is_test(id));
        }
        let values = if relation == AskedRelation::Definition { values_of(&about) } else { Vec::new() };
        let mut subject = subject(relation, subjects, found.len() + left_out + values.len());
        if relation == AskedRelation::Callers && found.is_empty() {
            for &named in &about {
                subject.uses += self.references(named, 0)?.total();
            }
        }
        let called = if relation.rests_on_calls() { self.files_of(&definitions_of(&about)) } else { Vec::new() };
        found.truncate(max);
        let mut hits = self.hits_of(&found);
        if subject.is_list() || subject.total > 1 {
            // No member of a list is more likely than another.
            hits.iter_mut().for_each(|hit| hit.confidence = None);
        }
        Ok(Some(GraphAnswer { subject, values, hits, called }))
    }

    /// Answers a question that names a route or a command: with the functions that it runs, or with
    /// the registration if it contains the code.
    ///
    /// # Errors
    /// Returns an error if a language's data is invalid.
    fn entry_answer(&self, text: &str, max: usize) -> Result<Option<GraphAnswer>> {
        let graph = &self.generation.graph;
        let Some(question) = EntryQuestion::read(text) else { return Ok(None) };
        let NamedEntries { entries, is_complete } = entries_of(graph, &question);
        let mut found = Vec::new();
        let mut is_certain = is_complete;
        for &entry in entries.iter().take(max) {
            let mut runs = handlers(graph, entry);
            if is_flag(graph, entry) {
                // The code that reads a flag, then the command that has it, then its registration.
                let mut readers = flag_readers(&self.sources(), &self.registry, entry)?;
                readers.sort_by_key(|reader| !runs.contains(reader));
                is_certain &= readers.first().or(runs.first()).is_some_and(|first| runs.contains(first));
                runs = readers.into_iter().chain(runs).chain([entry]).collect();
            }
            found.extend(if runs.is_empty() { vec![entry] } else { runs });
        }
        let mut about: Vec<Named> = entries.iter().take(MAX_NAMED).copied().map(Named::Definition).collect();
        if let EntryQuestion::Name(name) = &question {
            let defined = self.defined_as(name);
            if entries.is_empty() {
                about.extend(defined.iter().copied().map(Named::Definition));
            }
            // Functions with a query come first, and queries outside functions last.
            let is_outside = |&id: &DefinitionId| graph.traits(id).kind() == DefinitionKind::Entry;
            let (outside, functions): (Vec<_>, Vec<_>) = found.into_iter().partition(is_outside);
            found = [functions, defined, outside].concat();
        }
        let mut seen = FxHashSet::default();
        found.retain(|&id| seen.insert(id));
        found.truncate(max);
        let mut hits = self.hits_of(&found);
        if !is_certain {
            hits.iter_mut().filter_map(|hit| hit.confidence.as_mut()).for_each(|one| one.right = PARTLY_RIGHT);
        }
        let (of, relation) = (self.subjects(&about), AskedRelation::Entry);
        let (matches, total) = (of.len(), hits.len());
        let subject = GraphSubject { relation, typed: text.to_owned(), of, matches, total, uses: 0 };
        let answer = GraphAnswer { subject, values: Vec::new(), hits, called: self.files_of(&entries) };
        Ok(Some(answer).filter(GraphAnswer::is_found))
    }

    fn files_of(&self, definitions: &[DefinitionId]) -> Vec<FileId> {
        definitions.iter().map(|&id| self.generation.graph.file_around(id)).collect()
    }

    /// Returns the types that an entry names: the tables `users` in SQL for `TABLE users`.
    fn defined_as(&self, entry: &str) -> Vec<DefinitionId> {
        let graph = &self.generation.graph;
        let Some((tag, name)) = entry.split_once(' ') else { return Vec::new() };
        let is_defined = |id: &DefinitionId| {
            let language = graph.language(graph.file_around(*id)).map(LangId);
            let head = language.and_then(|language| self.registry.head(language));
            graph.traits(*id).kind().is_type() && head.is_some_and(|head| head.defines.as_deref() == Some(tag))
        };
        graph.named(name).into_iter().filter(is_defined).collect()
    }

    /// Ranks routes and commands: those that the question names, or else by the words of their
    /// names and by the best function that each runs. Without a question, returns all of them.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Searcher::search`].
    pub(super) fn ranked_entries(&self, searcher: &Searcher<'_>, query: &Query, max: usize) -> Result<Vec<Hit>> {
        let (graph, text) = (&self.generation.graph, query.question.text.trim());
        let allowed = searcher.allowed(query)?;
        let is_allowed = |id: &DefinitionId| allowed.get(graph.file_around(*id).index()) == Some(&true);
        let named = EntryQuestion::read(text).map(|question| entries_of(graph, &question).entries).unwrap_or_default();
        if text.is_empty() || !named.is_empty() {
            let all = if text.is_empty() { entries(graph).collect() } else { named };
            let shown: Vec<DefinitionId> = all.into_iter().filter(is_allowed).take(max).collect();
            let mut hits = self.hits_of(&shown);
            hits.iter_mut().for_each(|hit| hit.confidence = None);
            return Ok(hits);
        }
        let functions = Query { kind: KindFilter::Function, k: RERANK_DEPTH, ..query.clone() };
        let functions = searcher.search(&functions)?;
        let scores: FxHashMap<DefinitionId, f32> =
            functions.iter().zip(0u16..).map(|(hit, rank)| (hit.definition, 1.0 / (1.0 + f32::from(rank)))).collect();
        let wanted: FxHashSet<String> = query.question.terms.iter().map(|term| term.stem.clone()).collect();
        let score = |id: DefinitionId| {
            let runs = handlers(graph, id).iter().filter_map(|id| scores.get(id)).copied().fold(0.0, f32::max);
            let own = stems(graph.qualified_name(id));
            let found = wanted.iter().filter(|word| own.contains(*word)).count();
            runs + found as f32 / wanted.len().max(1) as f32
        };
        let mut ranked: Vec<(f32, DefinitionId)> =
            entries(graph).filter(is_allowed).map(|id| (score(id), id)).collect();
        ranked.retain(|(score, _)| *score > 0.0);
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let hit = |&(score, id): &(f32, DefinitionId)| {
            let adjustments = vec![Adjustment { kind: AdjustmentKind::Graph, change: score }];
            Hit { adjustments, ..Hit::new(id, graph.file_around(id), score, 0.0) }
        };
        Ok(ranked.iter().take(max).map(hit).collect())
    }

    /// Returns the definitions and values that a question about a relation can mean by its name.
    fn meant(&self, question: &RelationQuestion) -> Vec<Named> {
        let resolved = |name: &String| match self.resolve_named(name) {
            ResolvedName::One(one) => vec![one],
            ResolvedName::Many(all) => all,
            ResolvedName::Corrected(_) | ResolvedName::None { .. } => Vec::new(),
        };
        let relation = question.relation;
        let mut all = question.spellings().iter().map(resolved).find(|all| !all.is_empty()).unwrap_or_default();
        let is_value = |named: &Named| matches!(named, Named::Value(_));
        all.retain(|named| matches!(relation, AskedRelation::Uses | AskedRelation::Definition) || !is_value(named));
        let is_type = |named: &Named| matches!(named, Named::Definition(id) if self.is_type(*id));
        if matches!(relation, AskedRelation::Implementations | AskedRelation::Bases) && all.iter().any(is_type) {
            all.retain(is_type);
        }
        // A name that tests define again means the definition that they test.
        let is_test = |named: &Named| matches!(named, Named::Definition(id) if self.is_test(*id));
        if !all.iter().all(is_test) {
            all.retain(|named| !is_test(named));
        }
        all
    }

    /// Returns the definitions that a question means by a name that several have; `None` if there are
    /// too many.
    pub fn merged(&self, found: &[DefinitionId]) -> Option<Vec<DefinitionId>> {
        let tested: Vec<DefinitionId> = found.iter().copied().filter(|&id| !self.is_test(id)).collect();
        let meant = if tested.is_empty() { found.to_vec() } else { tested };
        let names: FxHashSet<String> = meant.iter().take(MAX_OVERLOADED).map(|&id| self.location(id).name).collect();
        (meant.len() <= MAX_OVERLOADED && names.len() <= MAX_NAMED).then_some(meant)
    }

    /// Returns the definitions with a relation to any of these: all of them, except tests, of which
    /// there may be thousands with long paths.
    fn related(&self, relation: AskedRelation, about: &[Named], max: usize) -> Result<RelatedDefinitions> {
        let definitions = definitions_of(about);
        let found = match relation {
            AskedRelation::Uses => self.around_uses(about)?,
            AskedRelation::Definition => definitions,
            AskedRelation::Tests => {
                let tests = self.tests(&self.parts(&definitions), max, &ListingFilter::ALL).list;
                let found = tests.branches.iter().map(|test| test.location.definition).collect();
                return Ok(RelatedDefinitions { found, left_out: tests.left_out });
            }
            _ => definitions.iter().flat_map(|&id| self.related_to(relation, id)).collect(),
        };
        Ok(RelatedDefinitions { found, left_out: 0 })
    }

    /// Returns the definitions and values that an answer is about, with one for all overloads and
    /// variants.
    fn subjects(&self, about: &[Named]) -> Vec<SubjectDefinition> {
        let mut all: Vec<SubjectDefinition> = Vec::new();
        let mut seen: Vec<Named> = Vec::new();
        for &named in about {
            let is_variant = |other: &Named| match (*other, named) {
                (Named::Definition(other), Named::Definition(id)) => self.are_variants(&[other, id]),
                _ => false,
            };
            if seen.iter().any(is_variant) {
                continue;
            }
            seen.push(named);
            let location = self.named_location(named);
            let graph = &self.generation.graph;
            let language = graph.language(graph.file_around(location.definition)).map(LangId);
            let language = language.and_then(|language| self.registry.head(language)).map(|head| head.title());
            all.push(SubjectDefinition { location, language: language.unwrap_or_default() });
        }
        all
    }

    fn related_to(&self, relation: AskedRelation, id: DefinitionId) -> Vec<DefinitionId> {
        let calls = |direction| direct_ends(&self.generation.graph, Some(&self.types()), id, direction);
        let types =
            |direction| flattened(&self.implementations(id, direction, usize::MAX, &ListingFilter::ALL).branches);
        match relation {
            AskedRelation::Callers => calls(CallDirection::Callers),
            AskedRelation::Callees => calls(CallDirection::Callees),
            AskedRelation::Implementations => types(TypeDirection::Down),
            AskedRelation::Bases => types(TypeDirection::Up),
            AskedRelation::Uses | AskedRelation::Definition | AskedRelation::Tests | AskedRelation::Entry => Vec::new(),
        }
    }

    /// Returns the named definitions around the uses of definitions and values.
    fn around_uses(&self, about: &[Named]) -> Result<Vec<DefinitionId>> {
        let mut users = Vec::new();
        for &named in about {
            let uses = self.references(named, usize::MAX)?.uses;
            users.extend(uses.iter().map(|one| named_around(&self.generation.graph, one.around)));
        }
        Ok(users)
    }

    /// Returns hits in the given order. The first has a high confidence.
    fn hits_of(&self, definitions: &[DefinitionId]) -> Vec<Hit> {
        let hit = |(number, &id): (usize, &DefinitionId)| {
            let score = (definitions.len() - number) as f32;
            let adjustments = vec![Adjustment { kind: AdjustmentKind::Graph, change: score }];
            Hit { adjustments, ..Hit::new(id, self.generation.graph.file_around(id), score, 0.0) }
        };
        let mut hits: Vec<Hit> = definitions.iter().enumerate().map(hit).collect();
        hits.iter_mut().take(1).for_each(|hit| hit.confidence = Some(Confidence { right: RIGHT, fits: 1.0 }));
        hits
    }
}

/// Checks whether a name that is written like a word, and that so many definitions have, is probably
/// a word of a description: "how is caching implemented", "where is the config documented".
fn is_word_of_a_sentence(relation: AskedRelation, names: usize) -> bool {
    match relation {
        AskedRelation::Callers | AskedRelation::Callees => false,
        AskedRelation::Uses | AskedRelation::Definition => names != 1,
        _ => names == 0,
    }
}

/// Returns the definitions among definitions and values.
fn definitions_of(about: &[Named]) -> Vec<DefinitionId> {
    let definition = |named: &Named| match named {
        Named::Definition(id) => Some(*id),
        Named::Value(_) => None,
    };
    about.iter().filter_map(definition).collect()
}

/// Returns the values among definitions and values.
fn values_of(about: &[Named]) -> Vec<NamedValueId> {
    let value = |named: &Named| match named {
        Named::Value(id) => Some(*id),
        Named::Definition(_) => None,
    };
    about.iter().filter_map(value).collect()
}

/// Returns the definitions of a tree, level by level.
fn flattened(branches: &[Branch<Subtype>]) -> Vec<DefinitionId> {
    let (mut level, mut out): (Vec<&Branch<Subtype>>, _) = (branches.iter().collect(), Vec::new());
    while !level.is_empty() {
        out.extend(level.iter().map(|branch| branch.location.definition));
        level = level.iter().flat_map(|branch| &branch.branches).collect();
    }
    out
}

/// Returns the stems of the words in a text.
fn stems(text: &str) -> FxHashSet<String> {
    let (mut stemmer, mut found) = (Stemmer::default(), FxHashSet::default());
    words(text, |word| {
        found.insert(stemmer.stem(word).to_owned());
    });
    found
}
