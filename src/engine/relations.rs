//! Answers questions about the graph, such as "who calls NAME", with the operations of the graph
//! commands.

use super::Engine;
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_index::store::NamedValueId;
use whichfn_search::answer::{
    AskedRelation, CallDirection, CallLimits, EntryQuestion, GraphSubject, Named, NamedEntries, RelationQuestion,
    ResolvedName, TypeBranch, TypeDirection, entries, entries_of, flag_readers, handlers, is_flag, named_around,
};
use whichfn_search::search::{Adjustment, AdjustmentKind, Confidence, Hit, KindFilter, Query, RERANK_DEPTH, Searcher};
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
    pub relation: AskedRelation,
    /// Qualified names of what the name of the question refers to, with one for all overloads.
    pub names: Vec<String>,
    /// Values that are answers themselves.
    pub values: Vec<NamedValueId>,
    /// Definitions in the order of the relation's command; empty if the graph contains none.
    pub hits: Vec<Hit>,
    /// Files whose calls the answer rests on.
    pub called: Vec<FileId>,
    /// See [`GraphSubject::uses`].
    pub uses: usize,
}

impl GraphAnswer {
    /// Checks whether the graph contains an answer.
    pub fn is_found(&self) -> bool {
        !self.hits.is_empty() || !self.values.is_empty()
    }

    /// Returns how a front end can name the subject of the answer.
    pub fn subject(self) -> GraphSubject {
        GraphSubject { relation: self.relation, is_answered: self.is_found(), names: self.names, uses: self.uses }
    }
}

impl Engine {
    /// Answers a question about the graph. Returns `None` if the question has another form, or if
    /// its name is unknown or too common.
    ///
    /// # Errors
    /// Returns an error if a language's data is invalid.
    pub(super) fn graph_answer(&self, text: &str, max: usize) -> Result<Option<GraphAnswer>> {
        if let Some(answer) = self.entry_answer(text, max)? {
            return Ok(Some(answer));
        }
        let Some(RelationQuestion { mut relation, name, is_marked }) = RelationQuestion::read(text) else {
            return Ok(None);
        };
        let about = self.meant(relation, &name);
        let names = self.names_of(&about);
        let is_common = names.len() > MAX_NAMED || about.len() > MAX_OVERLOADED;
        if names.is_empty() || is_common || names.len() > 1 && !is_marked {
            return Ok(None);
        }
        let definitions = definitions_of(&about);
        let is_function = |&id: &DefinitionId| self.generation.graph.definition(id).kind().is_function();
        let mut found = self.related(relation, &about, max)?;
        if relation == AskedRelation::Implementations && found.is_empty() && definitions.iter().all(is_function) {
            // The only implementation of a function that nothing overrides is its definition.
            (relation, found) = (AskedRelation::Definition, definitions);
        }
        let mut seen = FxHashSet::default();
        found.retain(|&id| seen.insert(id));
        found.truncate(max);
        let values = if relation == AskedRelation::Definition { values_of(&about) } else { Vec::new() };
        let mut uses = 0;
        if relation == AskedRelation::Callers && found.is_empty() {
            for &named in &about {
                uses += self.references(named, 0)?.total();
            }
        }
        let called = if relation.rests_on_calls() { self.files_of(&definitions_of(&about)) } else { Vec::new() };
        Ok(Some(GraphAnswer { relation, names, values, hits: self.hits_of(&found), called, uses }))
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
        let (relation, names, mut hits) = (AskedRelation::Entry, self.names_of(&about), self.hits_of(&found));
        if !is_certain {
            hits.iter_mut().filter_map(|hit| hit.confidence.as_mut()).for_each(|one| one.right = PARTLY_RIGHT);
        }
        let called = self.files_of(&entries);
        let answer = GraphAnswer { relation, names, values: Vec::new(), hits, called, uses: 0 };
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

    /// Returns the definitions and values that a question about a relation can mean by a name.
    fn meant(&self, relation: AskedRelation, name: &str) -> Vec<Named> {
        let resolved = |name: &str| match self.resolve_named(name) {
            ResolvedName::One(one) => vec![one],
            ResolvedName::Many(all) => all,
            ResolvedName::Corrected(_) | ResolvedName::None { .. } => Vec::new(),
        };
        let mut all = resolved(name);
        if all.is_empty() && name.ends_with('!') {
            all = resolved(name.trim_end_matches('!'));
        }
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

    /// Returns the definitions with a relation to any of these.
    fn related(&self, relation: AskedRelation, about: &[Named], max: usize) -> Result<Vec<DefinitionId>> {
        let definitions = definitions_of(about);
        Ok(match relation {
            AskedRelation::Uses => self.around_uses(about, max)?,
            AskedRelation::Definition => definitions,
            _ => definitions.iter().flat_map(|&id| self.related_to(relation, id, max)).collect(),
        })
    }

    /// Returns the qualified names of definitions and values, with one for all overloads.
    fn names_of(&self, about: &[Named]) -> Vec<String> {
        let mut names: Vec<String> = about.iter().map(|&named| self.named_location(named).name).collect();
        let mut seen = FxHashSet::default();
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    fn related_to(&self, relation: AskedRelation, id: DefinitionId, max: usize) -> Vec<DefinitionId> {
        let limits = CallLimits { depth: 1, max };
        let calls = |direction| {
            let tree = self.calls(id, direction, limits);
            tree.branches.iter().map(|branch| branch.location.definition).collect()
        };
        let types = |direction| flattened(&self.implementations(id, direction, max).branches);
        match relation {
            AskedRelation::Callers => calls(CallDirection::Callers),
            AskedRelation::Callees => calls(CallDirection::Callees),
            AskedRelation::Implementations => types(TypeDirection::Down),
            AskedRelation::Bases => types(TypeDirection::Up),
            AskedRelation::Tests => {
                self.tests(&self.parts(&[id]), max).tests.iter().map(|test| test.location.definition).collect()
            }
            AskedRelation::Uses | AskedRelation::Definition => vec![id],
            AskedRelation::Entry => Vec::new(),
        }
    }

    /// Returns the named definitions around the uses of definitions and values.
    fn around_uses(&self, about: &[Named], max: usize) -> Result<Vec<DefinitionId>> {
        let mut users = Vec::new();
        for &named in about {
            let uses = self.references(named, max)?.uses;
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
fn flattened(branches: &[TypeBranch]) -> Vec<DefinitionId> {
    let (mut level, mut out): (Vec<&TypeBranch>, _) = (branches.iter().collect(), Vec::new());
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
