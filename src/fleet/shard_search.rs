//! Answers the steps of a question for one shard, in all members that the client may see, several
//! in parallel.
//!
//! Members that cannot contain any of the best definitions are skipped: the highest score that a
//! member's terms can reach is known before it is scored ([`CountedIndex::max_score`]), and the
//! most promising members are scored first. The result is the same as if all were scored.
//!
//! **Cost:** a member without any of the rare words takes one dictionary lookup per word.

use super::message::{FleetCandidate, FleetQuestion, ShardReply, ShardRequest, ShardTotals, Step};
use crate::engine::add_code;
use rayon::prelude::*;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use whichfn_index::source::Sources;
use whichfn_index::store::{Shard, ShardMember};
use whichfn_search::answer::{Duplicate, DuplicateKey, HitGroup, MemberDefinition, Presenter, SearchResult, words_of};
use whichfn_search::search::{
    BestHits, CorpusStatistics, CountedIndex, Hit, PreparedQuery, ScoredIndex, Searcher, depth,
};
use whichfn_syntax::ids::MemberId;
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_system::error::{Error, Kind, Result};

/// Number of questions kept between their steps, more than a caller that waits for answers runs at
/// once. A question that was dropped is computed again. Each takes up to 20 bytes per definition of
/// its members.
const KEPT_QUESTIONS: usize = 8;
/// Number of members per thread that are taken in one batch, before checking whether the rest can
/// still contain any of the best.
const AT_ONCE: usize = 4;

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
    asked: Arc<PreparedQuery>,
    members: Vec<MemberSearch<'s>>,
    damaged: Vec<String>,
    /// Counts by which the members are scored; `None` until then.
    counts: Option<CorpusStatistics>,
    /// Best score by which the members' scores are adjusted; `None` until then.
    best: Option<f32>,
}

struct MemberSearch<'s> {
    number: MemberId,
    member: &'s ShardMember,
    state: State<'s>,
}

enum State<'s> {
    /// Placeholder while the member moves to its next step.
    Taken,
    Counted(Box<CountedIndex<'s>>),
    Scored(Box<ScoredIndex<'s>>),
    /// Scored, and adjusted by the best score of all shards.
    Chosen(Box<ScoredIndex<'s>>),
}

impl<'s> ShardSearch<'s> {
    /// Returns the shard with no question in progress.
    pub fn new(shard: &'s Shard, registry: &'s Registry) -> Self {
        Self { shard, registry, kept: VecDeque::new(), found_damaged: BTreeSet::new() }
    }

    /// Returns the ids of damaged members among `ids`, by reading every byte of each.
    pub fn find_damaged(&mut self, ids: &[String]) -> Vec<String> {
        let asked = self.shard.members.iter().filter(|member| ids.contains(&member.record.id));
        let damaged: Vec<String> =
            asked.filter(|member| member.verify().is_err()).map(|member| member.record.id.clone()).collect();
        self.kept.clear();
        self.found_damaged.extend(damaged.iter().cloned());
        damaged
    }

    /// Answers one step. Raises `Damaged`, which `catch_damaged` catches, if the shard is damaged.
    ///
    /// # Errors
    /// When the question names an unknown language or a glob is wrong, or a member is not here.
    pub fn answer(&mut self, request: ShardRequest) -> Result<ShardReply> {
        let ShardRequest { question, members, step } = request;
        let known = self.kept.iter().position(|known| known.question == question && known.numbers == members);
        let mut under_way = match known.and_then(|at| self.kept.remove(at)) {
            Some(known) if known.leads_to(&step) => known,
            _ => self.begin(question, members)?,
        };
        let reply = under_way.answer(step, self.registry)?;
        if !matches!(reply, ShardReply::Shown(..)) {
            self.kept.push_back(under_way);
            let forgotten = self.kept.len().saturating_sub(KEPT_QUESTIONS);
            self.kept.drain(..forgotten);
        }
        Ok(reply)
    }

    fn begin(&self, question: FleetQuestion, numbers: Vec<(MemberId, String)>) -> Result<ActiveQuestion<'s>> {
        let asked = Arc::new(PreparedQuery::new(question.query()));
        let found = numbers.iter().map(|(number, id)| Ok((*number, self.member(id)?))).collect::<Result<Vec<_>>>()?;
        let counted = found.par_iter().filter_map(|&(number, member)| {
            let member = member?;
            let index = Searcher::new(&member.generation, self.registry).count_terms(&asked);
            Some(index.map(|index| MemberSearch { number, member, state: State::Counted(Box::new(index)) }))
        });
        let members = counted.collect::<Result<Vec<_>>>()?;
        let is_damaged = |id: &&String| {
            self.found_damaged.contains(*id) || self.shard.damaged.iter().any(|(record, _)| record.id == **id)
        };
        let damaged = numbers.iter().map(|(_, id)| id).filter(is_damaged).cloned().collect();
        Ok(ActiveQuestion { question, numbers, asked, members, damaged, counts: None, best: None })
    }

    /// Returns a member, or `None` if it is damaged.
    fn member(&self, id: &str) -> Result<Option<&'s ShardMember>> {
        if self.found_damaged.contains(id) {
            return Ok(None);
        }
        let found = self.shard.members.iter().find(|member| member.record.id == id);
        if found.is_none() && self.shard.damaged.iter().all(|(record, _)| record.id != id) {
            let what = format!("{} does not contain {id}", self.shard.path.display());
            return Err(Error::new(Kind::Index, what, "reload the catalog: the shard is not the one that it lists"));
        }
        Ok(found)
    }
}

impl<'s> ActiveQuestion<'s> {
    /// Checks whether the work so far used the counts of this step. They differ if a shard failed
    /// in between.
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

    fn answer(&mut self, step: Step, registry: &Registry) -> Result<ShardReply> {
        if let (Some(counts), best) = step.counts_and_best() {
            self.counts.get_or_insert_with(|| counts.clone());
            self.best = self.best.or(best);
        }
        Ok(match step {
            Step::Count => ShardReply::Counted(self.count()),
            Step::CountSynonyms { terms } => ShardReply::SynonymsCounted(self.count_synonyms(&terms)),
            Step::Score { counts } => ShardReply::Scored(self.score(&counts)),
            Step::Choose { counts, best } => ShardReply::Chosen(self.choose(&counts, best)?),
            Step::Measure { counts, best, hits, features } => {
                ShardReply::Measured(self.measure(&counts, best, &hits, features)?)
            }
            Step::Show { counts, heads, duplicates } => {
                let (shown, duplicates) = self.show(&counts, heads, &duplicates, registry)?;
                ShardReply::Shown(shown, duplicates)
            }
        })
    }

    fn count(&self) -> ShardTotals {
        let of_each = self.members.par_iter().map(MemberSearch::count).collect::<Vec<_>>();
        let mut counted = ShardTotals { damaged: self.damaged.clone(), ..ShardTotals::default() };
        for (counts, search) in of_each.iter().zip(&self.members) {
            let manifest = &search.member.generation.manifest;
            counted.counts.add(counts);
            let holds = search.holds();
            counted.holds.resize(holds.len().max(counted.holds.len()), false);
            counted.holds.iter_mut().zip(holds).for_each(|(any, holds)| *any |= holds);
            counted.files += manifest.files.len();
            counted.functions += manifest.functions as usize;
            counted.skipped += manifest.skipped.len();
        }
        counted
    }

    fn count_synonyms(&self, terms: &[usize]) -> Vec<u64> {
        let mut sums = vec![0; terms.len()];
        let of_each = self.members.par_iter().map(|member| member.count_synonyms(terms)).collect::<Vec<_>>();
        for counts in of_each {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        sums
    }

    fn score(&mut self, counts: &CorpusStatistics) -> f32 {
        let mut best = 0f32;
        for mut several in self.most_promising(|member| member.most(counts)) {
            if several.iter().all(|&(most, _)| most <= best) {
                break;
            }
            several.par_iter_mut().filter(|(most, _)| *most > best).for_each(|(_, member)| member.score(counts));
            best = several.iter().map(|(_, member)| member.best()).fold(best, f32::max);
        }
        best
    }

    fn choose(&mut self, counts: &CorpusStatistics, best: f32) -> Result<BestHits> {
        let (asked, most) = (Arc::clone(&self.asked), depth(&self.asked.query));
        let mut kept = BestHits::default();
        for mut several in self.most_promising(|member| asked.max_adjusted_score(member.most(counts), best)) {
            let last = kept.hits.get(most - 1).map_or(0.0, |hit| hit.score);
            let promises = |at_most: f32| asked.names_definitions() || at_most > 0.0 && at_most >= last;
            if !several.iter().any(|&(at_most, _)| promises(at_most)) {
                break;
            }
            let chosen = several
                .par_iter_mut()
                .filter(|(at_most, _)| promises(*at_most))
                .map(|(_, member)| member.choose(counts, best, most))
                .collect::<Result<Vec<BestHits>>>()?;
            chosen.into_iter().for_each(|hits| kept.add(hits, most));
        }
        Ok(kept)
    }

    /// Returns the members in batches, the most promising first, each with the highest score it can
    /// reach.
    fn most_promising(
        &mut self,
        promise: impl Fn(&MemberSearch<'s>) -> f32 + Sync,
    ) -> Vec<Vec<(f32, &mut MemberSearch<'s>)>> {
        let mut all: Vec<(f32, &mut MemberSearch<'s>)> =
            self.members.par_iter_mut().map(|asked| (promise(asked), asked)).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.number.cmp(&b.1.number)));
        let at_once = AT_ONCE * rayon::current_num_threads();
        let mut several = Vec::with_capacity(all.len().div_ceil(at_once));
        while !all.is_empty() {
            let rest = all.split_off(all.len().min(at_once));
            several.push(std::mem::replace(&mut all, rest));
        }
        several
    }

    fn measure(
        &mut self,
        counts: &CorpusStatistics,
        best: f32,
        hits: &[Hit],
        features: bool,
    ) -> Result<Vec<FleetCandidate>> {
        let most = depth(&self.asked.query);
        let of_each = self.members.par_iter_mut().map(|asked| {
            let own: Vec<Hit> = hits.iter().filter(|hit| hit.member == asked.number).cloned().collect();
            if own.is_empty() { Ok(Vec::new()) } else { asked.measure(counts, best, most, &own, features) }
        });
        let of_each = of_each.collect::<Result<Vec<_>>>()?;
        self.in_order(hits.iter().map(|hit| hit.member), of_each)
    }

    fn show(
        &mut self,
        counts: &CorpusStatistics,
        heads: Vec<Hit>,
        duplicates: &[MemberDefinition],
        registry: &Registry,
    ) -> Result<(Vec<SearchResult>, Vec<Duplicate>)> {
        let (question, snippet) = (&self.asked.query.question, self.question.snippet());
        let (mut results, mut others) = (Vec::new(), Vec::new());
        for asked in &mut self.members {
            let groups: Vec<HitGroup> = asked.explained(counts, &heads);
            let own: Vec<_> = duplicates.iter().filter(|(member, _)| *member == asked.number).collect();
            if groups.is_empty() && own.is_empty() {
                // Most members show nothing, and creating a presenter parses the question again.
                results.push(Vec::new());
                others.push(Vec::new());
                continue;
            }
            let sources = Sources::from_member(asked.member);
            let presenter = Presenter {
                sources: &sources,
                question,
                language_name: &|number| registry.name(number.map(LangId)).to_owned(),
                model_cosine: &|_| None,
            };
            let mut shown = presenter.results(&groups);
            add_code(&mut shown, &sources, registry, question, snippet);
            results.push(shown);
            others.push(own.into_iter().map(|&(_, id)| presenter.duplicate(id)).collect());
        }
        let results = self.in_order(heads.iter().map(|hit| hit.member), results)?;
        Ok((results, self.in_order(duplicates.iter().map(|&(member, _)| member), others)?))
    }

    /// Puts the members' results, each sorted in its own order, into the order in which they were
    /// requested.
    fn in_order<T>(&self, order: impl Iterator<Item = MemberId>, of_each: Vec<Vec<T>>) -> Result<Vec<T>> {
        let mut of_each: Vec<_> = of_each.into_iter().map(Vec::into_iter).collect();
        let next = |member: MemberId| {
            let at = self.members.iter().position(|known| known.number == member)?;
            of_each[at].next()
        };
        order.map(next).collect::<Option<Vec<T>>>().ok_or_else(|| {
            let what = "the request names a definition of a member that it does not search";
            Error::new(Kind::Index, what, "send the question again")
        })
    }
}

impl<'s> MemberSearch<'s> {
    fn count(&self) -> CorpusStatistics {
        match &self.state {
            State::Counted(index) => index.counts(),
            // A question is counted once; a repeated request starts over.
            _ => CorpusStatistics::default(),
        }
    }

    fn holds(&self) -> &[bool] {
        match &self.state {
            State::Counted(index) => index.has_term(),
            _ => &[],
        }
    }

    fn count_synonyms(&self, terms: &[usize]) -> Vec<u64> {
        match &self.state {
            State::Counted(index) => index.synonym_counts(terms),
            _ => Vec::new(),
        }
    }

    /// Returns the highest score that its words can reach, or its best score once it is scored.
    fn most(&self, counts: &CorpusStatistics) -> f32 {
        match &self.state {
            State::Counted(index) => index.max_score(counts),
            _ => self.best(),
        }
    }

    /// Returns the best score of its words, or 0 before it is scored.
    fn best(&self) -> f32 {
        match &self.state {
            State::Scored(index) | State::Chosen(index) => index.best(),
            State::Counted(_) | State::Taken => 0.0,
        }
    }

    fn score(&mut self, counts: &CorpusStatistics) {
        self.state = match std::mem::replace(&mut self.state, State::Taken) {
            State::Counted(index) => State::Scored(Box::new(index.score(counts))),
            other => other,
        };
    }

    fn choose(&mut self, counts: &CorpusStatistics, best: f32, most: usize) -> Result<BestHits> {
        self.score(counts);
        let (State::Scored(mut index) | State::Chosen(mut index)) = std::mem::replace(&mut self.state, State::Taken)
        else {
            return Ok(BestHits::default());
        };
        let mut chosen = index.choose(best, most)?;
        self.state = State::Chosen(index);
        chosen.hits.iter_mut().for_each(|hit| hit.member = self.number);
        chosen.exact.iter_mut().for_each(|exact| exact.hit.member = self.number);
        Ok(chosen)
    }

    fn measure(
        &mut self,
        counts: &CorpusStatistics,
        best: f32,
        most: usize,
        own: &[Hit],
        features: bool,
    ) -> Result<Vec<FleetCandidate>> {
        if !matches!(self.state, State::Chosen(_)) {
            self.choose(counts, best, most)?;
        }
        let State::Chosen(index) = &self.state else { return Ok(Vec::new()) };
        let graph = &self.member.generation.graph;
        let mut measured = if features { index.measured(own) } else { Vec::new() }.into_iter();
        let candidate = |hit: &Hit| FleetCandidate {
            measured: measured.next(),
            likeness: DuplicateKey::new(graph, hit.definition),
            words: words_of(graph, hit.definition),
        };
        Ok(own.iter().map(candidate).collect())
    }

    /// Returns the member's own heads, with the score that each word of the question adds.
    fn explained(&mut self, counts: &CorpusStatistics, heads: &[Hit]) -> Vec<HitGroup> {
        let mut own: Vec<Hit> = heads.iter().filter(|hit| hit.member == self.number).cloned().collect();
        if own.is_empty() {
            return Vec::new();
        }
        self.score(counts);
        if let State::Scored(index) | State::Chosen(index) = &self.state {
            index.explain(&mut own);
        }
        own.into_iter().map(|head| HitGroup { head, duplicates: Vec::new() }).collect()
    }
}
