//! Answers the steps of a question for one shard, in all members that the client may see.
//!
//! **Cost:** a member without any of the rare words takes one dictionary lookup per word.

use super::message::{FleetCandidate, FleetQuestion, ShardReply, ShardRequest, ShardTotals, Step};
use crate::engine::present;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use whichfn_index::source::Sources;
use whichfn_index::store::{NamedValueId, Shard, ShardMember};
use whichfn_search::answer::{
    Duplicate, DuplicateKey, LiteralMatch, MemberDefinition, NameMatch, Presenter, SearchResult, exactly_named,
    literals, ungrouped, value_results, words_of,
};
use whichfn_search::search::{
    CorpusStatistics, Found, Hit, Indexes, PreparedQuery, Searcher, Shards, choose, depth, score,
};
use whichfn_syntax::ids::{DefinitionId, MemberId};
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_system::error::{Error, Kind, Result};

/// Number of questions that are kept between their steps, more than a caller that waits for answers
/// sends at the same time. A dropped question is computed again. A kept question takes up to 20
/// bytes per definition of its members.
const KEPT_QUESTIONS: usize = 8;

/// An open shard with its questions in progress.
pub struct ShardSearch<'s> {
    shard: &'s Shard,
    registry: &'s Registry,
    kept: VecDeque<ActiveQuestion<'s>>,
    /// Ids of the members in which damage was found.
    found_damaged: BTreeSet<String>,
}

/// A question in progress, with the members that it searches.
struct ActiveQuestion<'s> {
    question: FleetQuestion,
    numbers: Vec<(MemberId, String)>,
    members: BTreeMap<MemberId, &'s ShardMember>,
    indexes: Indexes<'s>,
    damaged: Vec<String>,
    /// Counts that the members are scored with; `None` until then.
    counts: Option<CorpusStatistics>,
    /// Best score that the members' scores are adjusted with; `None` until then.
    best: Option<f32>,
}

impl<'s> ShardSearch<'s> {
    /// Creates a search of the shard with no questions in progress.
    pub fn new(shard: &'s Shard, registry: &'s Registry) -> Self {
        Self { shard, registry, kept: VecDeque::new(), found_damaged: BTreeSet::new() }
    }

    /// Returns the ids of damaged members among these, by reading every byte of each.
    pub fn find_damaged(&mut self, members: &[(MemberId, String)]) -> Vec<String> {
        let is_asked = |member: &&ShardMember| members.iter().any(|(_, id)| *id == member.record.id);
        let asked = self.shard.members.iter().filter(is_asked);
        let damaged: Vec<String> =
            asked.filter(|member| member.verify().is_err()).map(|member| member.record.id.clone()).collect();
        self.kept.clear();
        self.found_damaged.extend(damaged.iter().cloned());
        damaged
    }

    /// Answers one step. If the shard is damaged, raises `Damaged`, which `catch_damaged` catches.
    ///
    /// # Errors
    /// Returns an error if the question names an unknown language, a glob is invalid, or a member
    /// is not in the shard.
    pub fn answer(&mut self, request: &ShardRequest) -> Result<ShardReply> {
        let ShardRequest { question, members, step } = request;
        let known = self.kept.iter().position(|known| known.question == *question && known.numbers == *members);
        let mut active = match known.and_then(|at| self.kept.remove(at)) {
            Some(known) if known.leads_to(step) => known,
            _ => self.begin(question, members)?,
        };
        let reply = active.answer(step, self.registry)?;
        if !matches!(reply, ShardReply::Shown(..)) {
            self.kept.push_back(active);
            let forgotten = self.kept.len().saturating_sub(KEPT_QUESTIONS);
            self.kept.drain(..forgotten);
        }
        Ok(reply)
    }

    fn begin(&self, question: &FleetQuestion, numbers: &[(MemberId, String)]) -> Result<ActiveQuestion<'s>> {
        let prepared = Arc::new(PreparedQuery::new(question.query()));
        let (mut members, mut damaged) = (BTreeMap::new(), Vec::new());
        for (number, id) in numbers {
            match self.member(id)? {
                Some(member) => drop(members.insert(*number, member)),
                None => damaged.push(id.clone()),
            }
        }
        let start = |(&number, member): (&MemberId, &&'s ShardMember)| {
            Searcher::new(&member.generation, self.registry).start(&prepared, number)
        };
        let indexes = members.par_iter().map(start).collect::<Result<Vec<_>>>()?;
        Ok(ActiveQuestion {
            question: question.clone(),
            numbers: numbers.to_vec(),
            members,
            indexes: Indexes::new(prepared, indexes),
            damaged,
            counts: None,
            best: None,
        })
    }

    /// Returns a member, or `None` if it is damaged.
    fn member(&self, id: &str) -> Result<Option<&'s ShardMember>> {
        if self.found_damaged.contains(id) {
            return Ok(None);
        }
        let found = self.shard.members.iter().find(|member| member.record.id == id);
        if found.is_none() && self.shard.damaged.iter().all(|(record, _)| record.id != id) {
            let what = format!("{} does not contain {id}", self.shard.path.display());
            return Err(Error::new(
                Kind::Index,
                what,
                "reload the catalog, because the shard is not the one that it lists",
            ));
        }
        Ok(found)
    }
}

impl<'s> ActiveQuestion<'s> {
    /// Checks whether the work done so far used the counts of this step. They differ if a shard
    /// failed in between.
    fn leads_to(&self, step: &Step) -> bool {
        let (counts, best) = step.counts_and_best();
        match counts {
            None => self.counts.is_none(),
            Some(counts) => {
                self.counts.as_ref().is_none_or(|known| known == counts)
                    && (best.is_none() || self.best.is_none() || self.best == best)
            }
        }
    }

    fn answer(&mut self, step: &Step, registry: &Registry) -> Result<ShardReply> {
        if let (Some(counts), best) = step.counts_and_best() {
            self.counts.get_or_insert_with(|| counts.clone());
            self.best = self.best.or(best);
        }
        Ok(match step {
            Step::Count => ShardReply::Counted(self.count()?),
            Step::CountSynonyms { terms } => ShardReply::SynonymsCounted(self.indexes.count_synonyms(terms)?),
            Step::Score { counts } => ShardReply::Scored(score(&mut self.indexes, counts)?),
            Step::Choose { counts, best } => {
                let most = depth(&self.indexes.prepared().query);
                ShardReply::Chosen(choose(&mut self.indexes, counts, *best, most)?)
            }
            Step::Measure { counts, best, hits, features } => {
                let found = Found { hits: hits.clone(), counts: counts.clone(), best: *best };
                ShardReply::Measured(self.measure(&found, *features)?)
            }
            Step::Literals { read, .. } => ShardReply::LiteralsFound(self.literals(read, registry)?),
            Step::Named { .. } => ShardReply::NamedFound(self.named(registry)?),
            Step::Show { counts, heads, duplicates, values } => {
                let (results, duplicates) = self.show(counts, heads.clone(), duplicates, registry)?;
                ShardReply::Shown(results, duplicates, self.values(values, registry)?)
            }
        })
    }

    fn count(&mut self) -> Result<ShardTotals> {
        let mut counted =
            ShardTotals { counts: self.indexes.count()?, damaged: self.damaged.clone(), ..ShardTotals::default() };
        for (index, member) in self.indexes.members.iter().zip(self.members.values()) {
            let (holds, manifest) = (index.has_term(), &member.generation.manifest);
            counted.holds.resize(holds.len(), false);
            counted.holds.iter_mut().zip(holds).for_each(|(any, holds)| *any |= holds);
            counted.files += manifest.files.len();
            counted.functions += manifest.functions as usize;
            counted.skipped += manifest.skipped.len();
        }
        Ok(counted)
    }

    fn measure(&mut self, found: &Found, features: bool) -> Result<Vec<FleetCandidate>> {
        let members = found.hits.iter().map(|hit| self.member(hit.member)).collect::<Result<Vec<_>>>()?;
        let depth = if features { found.hits.len() } else { 0 };
        let mut measured = self.indexes.measure(found, depth)?.into_iter();
        let candidate = |(hit, member): (&Hit, &ShardMember)| FleetCandidate {
            measured: measured.next(),
            likeness: DuplicateKey::new(&member.generation.graph, hit.definition),
            words: words_of(&member.generation.graph, hit.definition),
        };
        Ok(found.hits.iter().zip(members).map(candidate).collect())
    }

    /// Returns the definitions of members that contain a text of the question literally.
    fn literals(&self, members: &[MemberId], registry: &Registry) -> Result<Vec<LiteralMatch>> {
        let query = &self.indexes.prepared().query;
        // A damaged member is not among the open ones.
        let open = members.iter().filter_map(|&number| Some((number, *self.members.get(&number)?)));
        let in_member = |(number, member): (MemberId, &ShardMember)| {
            let graph = &member.generation.graph;
            let accepts = |id: DefinitionId| query.kind.accepts(graph.traits(id).kind());
            let allowed = Searcher::new(&member.generation, registry).allowed(query)?;
            let found = literals(&Sources::from_member(member), registry, &query.question, &accepts, &allowed);
            Ok(found.definitions.into_iter().map(move |one| LiteralMatch { member: number, ..one }).collect())
        };
        let found: Vec<Vec<LiteralMatch>> =
            open.collect::<Vec<_>>().into_par_iter().map(in_member).collect::<Result<_>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Returns what the question names exactly in the members.
    fn named(&self, registry: &Registry) -> Result<Vec<NameMatch>> {
        let query = &self.indexes.prepared().query;
        let in_member = |(&number, member): (&MemberId, &&ShardMember)| {
            let (graph, sources) = (&member.generation.graph, Sources::from_member(member));
            let allowed = Searcher::new(&member.generation, registry).allowed(query)?;
            let is_allowed = |id| allowed.get(graph.file_around(id).index()) == Some(&true);
            Ok(exactly_named(&sources, number, &query.question.text, &is_allowed))
        };
        let found: Vec<Vec<NameMatch>> = self.members.par_iter().map(in_member).collect::<Result<_>>()?;
        Ok(NameMatch::best_of(found.into_iter().flatten().collect()))
    }

    /// Returns values as results.
    fn values(&self, values: &[(MemberId, NamedValueId)], registry: &Registry) -> Result<Vec<SearchResult>> {
        let language_name = &|number: Option<u16>| registry.name(number.map(LangId)).to_owned();
        let mut results = Vec::with_capacity(values.len());
        for &(number, id) in values {
            let sources = Sources::from_member(self.member(number)?);
            results.extend(value_results(&self.presenter(&sources, language_name), &[id]));
        }
        Ok(results)
    }

    fn show(
        &mut self,
        counts: &CorpusStatistics,
        mut heads: Vec<Hit>,
        duplicates: &[MemberDefinition],
        registry: &Registry,
    ) -> Result<(Vec<SearchResult>, Vec<Duplicate>)> {
        self.indexes.explain(counts, &mut heads);
        let language_name = &|number: Option<u16>| registry.name(number.map(LangId)).to_owned();
        let (mut results, mut others) = (BTreeMap::new(), BTreeMap::new());
        let numbers = heads.iter().map(|head| head.member).chain(duplicates.iter().map(|id| id.0));
        for number in numbers.collect::<BTreeSet<MemberId>>() {
            let sources = Sources::from_member(self.member(number)?);
            let presenter = self.presenter(&sources, language_name);
            let groups = ungrouped(heads.iter().filter(|head| head.member == number).cloned().collect());
            results.insert(number, present(&presenter, &groups, registry, self.question.snippet()).into_iter());
            let own = duplicates.iter().filter(|id| id.0 == number);
            others.insert(number, own.map(|id| presenter.duplicate(id.1)).collect::<Vec<_>>().into_iter());
        }
        let results = heads.iter().filter_map(|head| results.get_mut(&head.member)?.next()).collect();
        Ok((results, duplicates.iter().filter_map(|id| others.get_mut(&id.0)?.next()).collect()))
    }

    fn presenter<'p>(
        &'p self,
        sources: &'p Sources<'p>,
        language_name: &'p dyn Fn(Option<u16>) -> String,
    ) -> Presenter<'p> {
        let question = &self.indexes.prepared().query.question;
        Presenter { sources, question, language_name, model_cosine: &|_| None }
    }

    fn member(&self, number: MemberId) -> Result<&'s ShardMember> {
        self.members.get(&number).copied().ok_or_else(|| {
            let what = "the request names a definition of a member that it does not search";
            Error::new(Kind::Index, what, "send the question again")
        })
    }
}
