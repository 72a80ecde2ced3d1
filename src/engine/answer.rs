//! Answers a question: one search, followed by the steps of the plan.

use super::Engine;
use super::line_pattern::LinePattern;
use super::plan::{FollowUp, Plan, ReadAnswer, ReadingRecord, Rerank, TextUse, UnsearchedText, WalkTrace};
use super::relations::GraphAnswer;
use super::second_opinion::DEPTH;
use std::time::Instant;
use whichfn_index::source::Sources;
use whichfn_index::store::{GraphFile, NamedValueId};
use whichfn_llm::{Model, Templates};
use whichfn_read::lookup::{
    FunctionReader, Lookup, LookupOptions, Snippet, choice_of_model, chosen, code_lines, put_first, rescored,
};
use whichfn_read::memwalk::{
    GuidedLimits, GuidedOutcome, ModelGuide, Shape, SummaryTree, WalkOptions, WalkResult, in_order, walk,
    walk_by_model, write_summaries,
};
use whichfn_search::answer::{
    Answer, AnswerBasis, DuplicateKey, HitGroup, LOOK_AHEAD, NameMatch, Named, Presenter, QueryStems, SearchResult,
    add_values, collapse, literals, may_lead, put_named_first, put_values_first, raise_literals, test_title, ungrouped,
    untagged, value_results, words_of,
};
use whichfn_search::search::{Hit, KindFilter, Query, Question, RERANK_DEPTH, Ranker, Searcher, Unit};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Hits of a search, and what happened to them afterwards.
#[derive(Default)]
struct Hits {
    /// Sorted from best to worst.
    hits: Vec<Hit>,
    /// How they were read.
    trace: Option<ReadingRecord>,
    /// Notice of a model that could not reorder them.
    left_out: Option<String>,
}

impl From<Vec<Hit>> for Hits {
    fn from(hits: Vec<Hit>) -> Self {
        Self { hits, ..Self::default() }
    }
}

/// A question in progress.
struct PendingQuestion<'a> {
    engine: &'a Engine,
    sources: &'a Sources<'a>,
    searcher: &'a Searcher<'a>,
    query: &'a Query,
    /// Number of hits to return.
    depth: usize,
    progress: &'a dyn Fn(usize, usize),
}

impl Engine {
    /// Answers a question by one search.
    ///
    /// # Errors
    /// Returns an error if the question is empty or names an unknown language, or the index cannot
    /// be read.
    pub fn ask(&self, query: &Query, snippet_lines: usize) -> Result<Answer> {
        Ok(self.answer(query, &Plan { snippet: Snippet::First(snippet_lines), ..Plan::default() })?.answer)
    }

    /// Answers a question as the plan specifies.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::ask`], if a language model of the plan fails,
    /// or if the index contains files that are now hidden, which must not be sent to a model.
    pub fn answer(&self, query: &Query, plan: &Plan<'_>) -> Result<ReadAnswer> {
        if query.question.text.trim().is_empty() && query.kind != KindFilter::Entry {
            return Err(Error::new(Kind::Usage, "the question is empty", Remedy::AskSomething));
        }
        if plan.way.asks_model() || matches!(plan.rerank, Rerank::Llm { .. }) {
            self.may_be_sent()?;
        }
        if plan.texts == TextUse::Only {
            return self.passages_only(query, plan);
        }
        let started = Instant::now();
        let typed = &query.question.text;
        let foreign = self.foreign(&query.question);
        let translated = self.translated(query, foreign.as_ref(), plan.texts);
        let query = translated.as_ref().unwrap_or(query);
        let untagged = self.untagged(query, plan)?;
        let query = &self.with_embedding(untagged.as_ref().unwrap_or(query))?;
        let (sources, searcher) = (&self.sources(), &Searcher::new(&self.generation, &self.registry));
        let collapses = plan.collapses && query.unit == Unit::Definition;
        let wanted = query.k.saturating_add(plan.behind);
        let depth = wanted.saturating_mul(if collapses { LOOK_AHEAD } else { 1 });
        let progress = plan.progress.unwrap_or(&|_, _| {});
        let asking = PendingQuestion { engine: self, sources, searcher, query, depth, progress };
        let FoundHits { ranked, values, basis, asked_as, is_related } = asking.found(plan)?;
        let Hits { hits, trace, left_out } = ranked;
        let graph = &self.generation.graph;
        let mut groups = if collapses {
            collapse(hits, |hit| DuplicateKey::new(graph, hit.definition), &|(_, id)| words_of(graph, id), wanted)
        } else {
            ungrouped(hits)
        };
        let behind = groups.split_off(groups.len().min(query.k));
        let query_ms = started.elapsed().as_secs_f64() * 1e3;
        let presenter = Presenter {
            sources,
            question: &query.question,
            language_name: &|number| self.registry.name(number.map(LangId)).to_owned(),
            model_cosine: &|id| self.model_cosine(id, query),
        };
        let mut results = present(&presenter, &groups, &self.registry, plan.snippet);
        self.name_tests(sources, &groups, &mut results);
        if query.kind == KindFilter::Any && query.unit == Unit::Definition && !is_related && plan.pattern.is_none() {
            let weights = searcher.term_weights(query)?;
            add_values(&mut results, &presenter, (&weights, &searcher.allowed(query)?), query.k);
        }
        if query.kind == KindFilter::Entry {
            results = one_for_each_name(results, graph);
        }
        put_values_first(&mut results, value_results(&presenter, &values), query.k);
        let basis = basis.or(untagged.map(|query| AnswerBasis::Untagged(query.question.text)));
        let mut answer = Answer {
            query: typed.clone(),
            foreign,
            asked_as,
            basis,
            root: self.root.to_string_lossy().into_owned(),
            strategy: plan.way.name(),
            confidence: groups.first().and_then(|group| group.head.confidence),
            index: self.summary(),
            query_ms,
            results,
            passages: Vec::new(),
            docs: Vec::new(),
            cut: 0,
            shards: None,
        };
        let unsearched = match plan.texts {
            TextUse::Mixed => self.mix_in_passages(&mut answer, query, plan)?,
            TextUse::IfBetter => self.add_docs(&mut answer, query, plan)?,
            _ => UnsearchedText::default(),
        };
        let behind = behind.iter().map(|group| group.head.definition).collect();
        let notices = [sources.notices(), unsearched.notices(), left_out.into_iter().collect()].concat();
        Ok(ReadAnswer { answer, behind, trace, notices })
    }

    /// Returns the query for the name after the word for its kind, if no entry has this name.
    fn untagged(&self, query: &Query, plan: &Plan<'_>) -> Result<Option<Query>> {
        let text = &query.question.text;
        let is_direct = plan.pattern.is_none() && is_open_to_other_answers(query, &plan.way);
        match untagged(text).filter(|_| is_direct) {
            Some(name) if self.graph_answer(text, 1, &|_| true)?.is_none() => {
                Ok(Some(Query { question: Question::of_description(name), ..query.clone() }))
            }
            _ => Ok(None),
        }
    }

    /// Replaces the names of tests that are anonymous functions by their titles.
    fn name_tests(&self, sources: &Sources<'_>, groups: &[HitGroup], results: &mut [SearchResult]) {
        let title = |id| test_title(sources, &self.registry, id);
        for (group, result) in groups.iter().zip(results) {
            if let Some(title) = title(group.head.definition) {
                (result.kind, result.name, result.qualified_name) = ("test".into(), title.clone(), title);
            }
            for (&(_, id), duplicate) in group.duplicates.iter().zip(&mut result.duplicates) {
                duplicate.qualified_name = title(id).unwrap_or_else(|| std::mem::take(&mut duplicate.qualified_name));
            }
        }
    }

    /// Returns the query with the embedding of its question, if the user chose a model.
    fn with_embedding(&self, query: &Query) -> Result<Query> {
        let vectors = self.model.as_ref().map(|model| model.embed(&[&query.question.text], true)).transpose()?;
        Ok(Query { embedding: vectors.and_then(|mut vectors| vectors.pop()), ..query.clone() })
    }

    /// Returns the cosine similarity between a function and the question according to the user's
    /// embedding model, if there is one.
    pub(super) fn model_cosine(&self, definition: DefinitionId, query: &Query) -> Option<f32> {
        let row = self.generation.embeddings.as_ref()?.definition_row(&self.generation.graph, definition)?;
        Some(row.cosine(query.embedding.as_ref()?))
    }
}

/// Returns the results of groups, each with the lines of code that `snippet` selects.
pub fn present(
    presenter: &Presenter<'_>,
    groups: &[HitGroup],
    registry: &Registry,
    snippet: Snippet,
) -> Vec<SearchResult> {
    let mut results = presenter.results(groups);
    if snippet != Snippet::None {
        let question = presenter.question;
        let (reader, wanted) = (FunctionReader::new(presenter.sources, registry), QueryStems::new(question));
        for found in &mut results {
            found.snippet = code_lines(&reader, question, &wanted, found, snippet);
        }
    }
    results
}

/// Checks whether the graph or a literal text may answer a question: it is about definitions, and
/// neither a language model nor a walk determines the order.
fn is_open_to_other_answers(query: &Query, way: &FollowUp<'_>) -> bool {
    let ranks_entries = query.kind == KindFilter::Entry;
    query.unit == Unit::Definition && !ranks_entries && !way.asks_model() && !matches!(way, FollowUp::Walk { .. })
}

/// The hits for a question, and what they are based on.
struct FoundHits {
    ranked: Hits,
    /// Values that precede the hits.
    values: Vec<NamedValueId>,
    basis: Option<AnswerBasis>,
    /// Form of the question, or its relation in the graph.
    asked_as: &'static str,
    /// True if the graph contains the answer.
    is_related: bool,
}

impl<'a> PendingQuestion<'a> {
    /// Answers from the graph, or else by a search, after which come the literal texts and the names
    /// in the question.
    fn found(&self, plan: &Plan<'_>) -> Result<FoundHits> {
        let Query { question, kind, .. } = self.query;
        let is_about_types = question.asks_for_type && *kind == KindFilter::Type;
        let form = if is_about_types { "type" } else { question.form.name() };
        if plan.pattern.is_none()
            && let Some(answer) = self.related(&plan.way)?
        {
            return self.found_in_graph(answer, form, plan);
        }
        let mut ranked = self.searched(plan)?;
        let hits = &mut ranked.hits;
        let (mut values, mut basis) = (Vec::new(), None);
        if plan.pattern.is_none() {
            values = self.put_literals_first(hits, &plan.way)?;
            let name = |&value| self.engine.named_location(Named::Value(value)).name;
            basis = values.first().map(name).map(AnswerBasis::LiteralValue);
            if plan.names && *kind == KindFilter::Function && is_open_to_other_answers(self.query, &plan.way) {
                let named = self.put_named_first(hits)?;
                values.retain(|value| !named.contains(value));
                values.splice(..0, named);
            }
        }
        Ok(FoundHits { ranked, values, basis, asked_as: form, is_related: false })
    }

    fn found_in_graph(&self, answer: GraphAnswer, form: &'static str, plan: &Plan<'_>) -> Result<FoundHits> {
        let (is_related, GraphAnswer { subject, values, hits, called }) = (answer.is_found(), answer);
        // A question about a name that nothing has, or too many definitions, is an ordinary question.
        let is_about_graph = !subject.of.is_empty();
        let mut ranked = if is_related { hits.into() } else { self.searched(plan)? };
        for file in called {
            self.sources.needs_calls_of(file);
        }
        if is_about_graph && !is_related {
            // Any function that the search found is a guess.
            ranked.hits.iter_mut().for_each(|hit| hit.confidence = None);
        }
        let asked_as = if is_about_graph { subject.relation.name() } else { form };
        let basis = Some(AnswerBasis::Graph(subject));
        Ok(FoundHits { ranked, values, basis, asked_as, is_related })
    }

    fn searched(&self, plan: &Plan<'_>) -> Result<Hits> {
        match plan.way {
            _ if let Some(pattern) = plan.pattern => Ok(self.search_matching(pattern)?.into()),
            FollowUp::Read { options, model, templates } if self.is_read() => self.read(options, model, templates),
            FollowUp::Walk { model, templates, writes } if self.is_read() => self.walk(model, templates, writes),
            _ if self.query.kind == KindFilter::Entry => {
                Ok(self.engine.ranked_entries(self.searcher, self.query, self.depth)?.into())
            }
            _ => self.reordered(plan.rerank),
        }
    }

    /// Searches, and lets a model reorder the first hits.
    fn reordered(&self, rerank: Rerank<'_>) -> Result<Hits> {
        if !self.is_read() {
            let left_out = matches!(rerank, Rerank::Llm { .. })
                .then(|| "--rerank llm reorders functions only; these results come from the search".to_owned());
            return Ok(Hits { hits: self.search(self.depth)?, left_out, trace: None });
        }
        let mut hits = self.search(self.depth.max(DEPTH))?;
        let left_out = match rerank {
            Rerank::None => None,
            Rerank::Model => self.engine.reorder(self.query, self.sources, &mut hits),
            Rerank::Llm { model, templates } => self.put_choice_first(&mut hits, model, templates)?,
        };
        hits.truncate(self.depth);
        Ok(Hits { hits, left_out, trace: None })
    }

    /// Puts the functions first that a language model chooses among the first hits. Returns a notice if it
    /// chooses none, or if it fails; the order then stays as it was.
    fn put_choice_first(&self, hits: &mut [Hit], model: &dyn Model, templates: &Templates) -> Result<Option<String>> {
        let depth = hits.len().min(DEPTH);
        let first = &mut hits[..depth];
        if depth < 2 {
            return Ok(None);
        }
        let ids: Vec<DefinitionId> = first.iter().map(|hit| hit.definition).collect();
        match choice_of_model(self.sources, &self.query.question, &ids, model, templates) {
            Ok(best) if best.is_empty() => Ok(Some(format!(
                "the reply of {} names none of the functions that it was shown; they are in the order of the search",
                model.name()
            ))),
            Ok(best) => {
                put_first(first, &best);
                Ok(None)
            }
            Err(error) if matches!(error.kind(), Kind::DryRun | Kind::Usage) => Err(error),
            Err(error) => Ok(Some(format!("the language model was left out: {}", error.what()))),
        }
    }

    /// Checks whether functions are read. Questions about files, windows or types are answered by
    /// the search.
    fn is_read(&self) -> bool {
        self.query.unit == Unit::Definition && self.query.kind == KindFilter::Function
    }

    /// Returns the answer to a question about the graph within the searched files, unless a
    /// language model or a walk answers.
    fn related(&self, way: &FollowUp<'_>) -> Result<Option<GraphAnswer>> {
        if !is_open_to_other_answers(self.query, way) {
            return Ok(None);
        }
        self.engine.graph_answer(&self.query.question.text, self.depth, &self.is_allowed()?)
    }

    /// Returns the check whether the filters of the question accept the file of a definition.
    fn is_allowed(&self) -> Result<impl Fn(DefinitionId) -> bool> {
        let (graph, allowed) = (self.sources.graph(), self.searcher.allowed(self.query)?);
        Ok(move |id| allowed.get(graph.file_around(id).index()) == Some(&true))
    }

    /// Moves definitions whose name is the whole question to the front. Returns the values with this
    /// name if no definition has it.
    fn put_named_first(&self, hits: &mut Vec<Hit>) -> Result<Vec<NamedValueId>> {
        let named = self.engine.exactly_named(&self.query.question.text, &self.is_allowed()?);
        put_named_first(hits, &named);
        let most = named.len().min(hits.len());
        self.searcher.explain(self.query, &mut hits[..most])?;
        hits.truncate(self.depth);
        Ok(named.iter().filter_map(NameMatch::value).map(|(_, id)| id).collect())
    }

    /// Moves definitions that contain a text of the question literally to the front, unless a
    /// language model or a walk determined the order. Returns the values that contain the text if
    /// no definition does.
    fn put_literals_first(&self, hits: &mut Vec<Hit>, way: &FollowUp<'_>) -> Result<Vec<NamedValueId>> {
        if !is_open_to_other_answers(self.query, way) || !may_lead(&self.query.question, hits) {
            return Ok(Vec::new());
        }
        let (graph, registry, kind) = (self.sources.graph(), &self.engine.registry, self.query.kind);
        let accepts = |id: DefinitionId| kind.accepts(graph.traits(id).kind());
        let allowed = self.searcher.allowed(self.query)?;
        let found = literals(self.sources, registry, &self.query.question, &accepts, &allowed);
        if !found.definitions.is_empty() {
            let is_trusted = kind == KindFilter::Function && self.query.ranker == Ranker::Learned;
            raise_literals(hits, &found.definitions, is_trusted);
            hits.truncate(self.depth);
        }
        Ok(found.values)
    }

    fn search(&self, depth: usize) -> Result<Vec<Hit>> {
        self.searcher.search(&Query { k: depth, ..self.query.clone() })
    }

    /// Returns the hits among the definitions whose lines match a pattern.
    ///
    /// **Cost:** reads each searched file with such definitions once.
    fn search_matching(&self, pattern: &LinePattern) -> Result<Vec<Hit>> {
        let (graph, allowed) = (self.sources.graph(), self.searcher.allowed(self.query)?);
        let mut matching = Vec::new();
        for file in graph.file_ids().filter(|file| allowed.get(file.index()) == Some(&true)) {
            let ids = graph.definitions_of(file).filter(|&id| self.query.kind.accepts(graph.traits(id).kind()));
            if ids.clone().next().is_none() {
                continue;
            }
            let found = pattern.matches(&self.sources.text(file));
            matching.extend(ids.filter(|&id| {
                let row = graph.definition(id);
                found.any_in(row.start_line..=row.end_line)
            }));
        }
        let mut hits = self.searcher.search_among(self.query, &matching)?;
        // A search among a few functions shows nothing about the rest of the repository.
        hits.iter_mut().for_each(|hit| hit.confidence = None);
        hits.truncate(self.depth);
        Ok(hits)
    }

    /// Reads the functions that the search found, and sorts them by the result of reading.
    fn read(&self, options: LookupOptions, model: Option<&dyn Model>, templates: &Templates) -> Result<Hits> {
        let mut hits = self.search(self.depth.max(RERANK_DEPTH))?;
        hits.retain(|hit| KindFilter::Function.accepts(self.sources.graph().traits(hit.definition).kind()));
        let lookup = Lookup {
            sources: self.sources,
            registry: &self.engine.registry,
            templates,
            text: &self.query.question.text,
            question: &self.query.question,
            hits: &hits,
            allowed: &self.searcher.allowed(self.query)?,
            options,
            progress: self.progress,
        };
        let found = match model {
            Some(model) => lookup.with_model(model)?,
            None => lookup.offline()?,
        };
        let mut ranked = rescored(self.sources.graph(), self.query.question.form, hits, &found.ranked);
        ranked.truncate(self.depth);
        if let Some(first) = ranked.first_mut().filter(|_| found.trace.took_none()) {
            // The reader found no answer, so the first hit has no confidence.
            first.confidence = None;
        }
        let trace = Some(ReadingRecord::Reading(Box::new(found.trace)));
        Ok(Hits { hits: ranked, trace, left_out: None })
    }

    /// Walks the tree of summaries. A search among the functions that the walk found returns the
    /// words that each of them matches.
    fn walk(&self, model: Option<&dyn Model>, templates: &Templates, writes: bool) -> Result<Hits> {
        let (graph, shape) = (self.sources.graph(), Shape::default());
        let tree = SummaryTree::new(graph, &shape);
        let (mut found, trace) = if let Some(model) = model {
            let guide = ModelGuide { sources: self.sources, model, templates };
            let tree = if writes { write_summaries(&guide, &self.engine.layout, tree, &shape)?.tree } else { tree };
            let guided = walk_by_model(&guide, &tree, self.query.question.text.trim(), &GuidedLimits::default())?;
            let (found, no_answer) = match guided.outcome {
                GuidedOutcome::Answer { function, .. } => (vec![(function, 1.0)], None),
                GuidedOutcome::NoAnswer { reason } => (Vec::new(), Some(reason.text())),
            };
            let (reader, share) = (model.name().to_owned(), guided.trace.share());
            (found, WalkTrace { reader, no_answer, share, way: guided.trace })
        } else {
            let WalkResult { found, trace } = walk(graph, self.searcher, &tree, self.query, &WalkOptions::default())?;
            (found, WalkTrace { reader: "offline".to_owned(), no_answer: None, share: trace.share(), way: trace })
        };
        found.truncate(self.depth);
        let ids: Vec<DefinitionId> = found.iter().map(|(id, _)| *id).collect();
        let mut hits = in_order(graph, self.searcher.explain_among(self.query, &ids)?, &found);
        // A search among a few functions shows nothing about the rest of the repository.
        hits.iter_mut().for_each(|hit| hit.confidence = None);
        if let (Some(first), Some(best)) = (hits.first_mut(), self.search(1)?.first()) {
            let agrees = best.definition == first.definition;
            first.confidence = best.confidence.map(|searched| chosen(searched, agrees));
        }
        Ok(Hits { hits, trace: Some(ReadingRecord::Walk(trace)), left_out: None })
    }
}

/// Returns the results with one for each name of an entry: a list of routes that is included twice
/// registers each of them twice.
fn one_for_each_name(results: Vec<SearchResult>, graph: &GraphFile) -> Vec<SearchResult> {
    let mut all = Vec::with_capacity(results.len());
    for result in results {
        for name in graph.entry_names(result.definition) {
            all.push(SearchResult { qualified_name: name.to_owned(), rank: all.len() + 1, ..result.clone() });
        }
    }
    all
}
