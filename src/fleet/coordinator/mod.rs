//! Answers a question from the shards of a fleet. This module neither opens connections nor starts
//! threads: a transport, given by the caller, exchanges requests for replies within one process or
//! over any network.
//!
//! ```text
//! count ──sum──> (count synonyms) ──sum──> score ──max──> choose
//!       ──best of all──> measure ──order──> (literals, names ──raise──) fold──> show ──> answer
//! ```
//! A shard that does not answer is left out of everything, including its counts, and the steps that
//! depend on them are repeated. The answer is then the same as from a fleet without this shard, and
//! reports the shard as missing.

mod literals;
mod names;

use super::catalog::{VisibleMember, VisibleShard};
use super::message::{FleetCandidate, FleetQuestion, ShardReply, ShardRequest, ShardTotals, Step};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Instant;
use whichfn_index::store::NamedValueId;
use whichfn_search::answer::{
    Answer, Duplicate, HitGroup, IndexSummary, MemberDefinition, QueriedShards, RepositoryOf, SearchResult, collapse,
    put_values_first,
};
use whichfn_search::search::{
    BestHits, CorpusStatistics, Found, Hit, KindFilter, MeasuredCandidate, PreparedQuery, Shards, depth, search_by_form,
};
use whichfn_syntax::ids::MemberId;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Number of shards that are searched before the other shards, which are skipped if they cannot
/// contain any of the best definitions. A higher number needs fewer rounds; a lower number computes
/// fewer useless scores.
const FIRST_SHARDS: usize = 8;

/// Maximum number of results for one question, because every shard sends the data that determines
/// their order.
const MOST_RESULTS: usize = 1000;

/// Requests by file name of the shard.
pub type Requests = BTreeMap<String, ShardRequest>;

/// Replies by file name of the shard, without the shards that do not answer.
pub type Replies = BTreeMap<String, ShardReply>;

/// A question to a fleet, with the transport to its shards.
pub struct Coordinator<T> {
    question: FleetQuestion,
    prepared: PreparedQuery,
    /// Shards that have answered every request so far, sorted by file name.
    shards: Vec<RemoteShard>,
    /// Repositories of the members of all shards by member number, sorted by member id.
    origins: Vec<RepositoryOf>,
    /// Number of shards at the start.
    all_shards: usize,
    missing: Vec<String>,
    /// Set when a shard or member is left out, because the steps done so far included it.
    is_outdated: bool,
    /// Measured values of the hits.
    candidates: FxHashMap<MemberDefinition, FleetCandidate>,
    transport: T,
    started: Instant,
}

/// What one shard shows of an answer.
#[derive(Default)]
struct ToShow {
    heads: Vec<Hit>,
    duplicates: Vec<MemberDefinition>,
    values: Vec<(MemberId, NamedValueId)>,
}

/// A shard behind the transport.
struct RemoteShard {
    file: String,
    /// Its members with their numbers among all members, sorted by number.
    members: Vec<(MemberId, String)>,
    /// Its counts; `None` until it has counted.
    counted: Option<ShardTotals>,
    /// Best score by words; `None` until it is scored.
    best: Option<f32>,
}

impl<T: FnMut(&Requests) -> Result<Replies>> Coordinator<T> {
    /// Starts answering a question from the visible members of shards.
    ///
    /// # Errors
    /// Returns an error if the question is empty, requests too many results or no results, or names
    /// an unknown language.
    pub fn new(question: FleetQuestion, visible: &[VisibleShard], registry: &Registry, transport: T) -> Result<Self> {
        check(&question, registry)?;
        let (mut shards, mut members) = (Vec::new(), Vec::<(&VisibleMember, usize)>::new());
        for VisibleShard { file, members: own } in visible {
            members.extend(own.iter().map(|member| (member, shards.len())));
            shards.push(RemoteShard { file: file.clone(), members: Vec::new(), counted: None, best: None });
        }
        members.sort_by(|a, b| a.0.id.cmp(&b.0.id));
        for (number, (member, at)) in members.iter().enumerate() {
            shards[*at].members.push((MemberId::new(number), member.id.clone()));
        }
        shards.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(Self {
            prepared: PreparedQuery::new(question.query()),
            question,
            all_shards: shards.len(),
            shards,
            origins: members.iter().map(|(member, _)| member.origin.clone()).collect(),
            missing: Vec::new(),
            is_outdated: false,
            candidates: FxHashMap::default(),
            transport,
            started: Instant::now(),
        })
    }

    /// Answers the question from the shards that answer. A shard whose reply is missing or does not
    /// match the request is left out.
    ///
    /// # Errors
    /// Returns an error if the transport fails.
    pub fn answer(mut self) -> Result<Answer> {
        loop {
            match self.attempt() {
                Err(_) if std::mem::take(&mut self.is_outdated) => {}
                answer => return answer,
            }
        }
    }

    fn attempt(&mut self) -> Result<Answer> {
        let most = depth(&self.prepared.query);
        let mut found = search_by_form(self, most)?;
        self.put_literals_first(&mut found)?;
        let values = self.put_named_first(&mut found)?;
        let Found { mut hits, counts, .. } = found;
        hits.truncate(self.prepared.query.k);
        let key = |hit: &Hit| self.candidates[&id(hit)].likeness.clone();
        let groups = collapse(hits, key, &|id| self.candidates[&id].words.clone(), self.question.k);
        let results = self.show(&counts, &groups, &values)?;
        let mut index = IndexSummary::default();
        for counted in self.shards.iter().flat_map(|shard| &shard.counted) {
            index.files += counted.files;
            index.functions += counted.functions;
            index.skipped += counted.skipped;
        }
        let damaged = self.shards.iter().flat_map(RemoteShard::damaged);
        Ok(Answer {
            query: self.question.question.clone(),
            root: String::new(),
            foreign: None,
            asked_as: self.prepared.query.question.form.name(),
            basis: None,
            strategy: "direct",
            index,
            query_ms: self.started.elapsed().as_secs_f64() * 1e3,
            confidence: groups.first().and_then(|group| group.head.confidence),
            results,
            passages: Vec::new(),
            docs: Vec::new(),
            cut: 0,
            shards: Some(QueriedShards {
                asked: self.all_shards,
                answered: self.shards.len(),
                missing: self.missing.iter().cloned().chain(damaged).collect(),
            }),
        })
    }

    /// Requests the values of hits that determine their order and duplicates.
    fn measured(&mut self, found: &Found, features: bool) -> Result<Vec<(MemberDefinition, FleetCandidate)>> {
        let Found { hits, counts, best } = found;
        let mut own: BTreeMap<usize, Vec<Hit>> = BTreeMap::new();
        for hit in hits {
            own.entry(self.shard_of(hit.member)?).or_default().push(hit.clone());
        }
        let step = |hits| Step::Measure { counts: counts.clone(), best: *best, hits, features };
        let steps = own.into_iter().map(|(at, hits)| (at, step(hits)));
        let measured = self.exchange(steps, |_, step, reply| match (step, reply) {
            (Step::Measure { hits, features, .. }, ShardReply::Measured(candidates))
                if candidates.len() == hits.len() && candidates.iter().all(|one| one.is_valid(*features)) =>
            {
                Some(hits.iter().map(id).zip(candidates).collect::<Vec<_>>())
            }
            _ => None,
        })?;
        Ok(measured.into_iter().flatten().collect())
    }

    /// Requests the values of hits that the search did not find.
    fn measure_new(&mut self, found: &Found) -> Result<()> {
        let is_new = |hit: &&Hit| !self.candidates.contains_key(&id(hit));
        let hits = found.hits.iter().filter(is_new).cloned().collect();
        let new = Found { hits, counts: found.counts.clone(), best: found.best };
        let measured = self.measured(&new, false)?;
        self.candidates.extend(measured);
        Ok(())
    }

    /// Requests the results of values and groups from the shards that contain them.
    fn show(
        &mut self,
        counts: &CorpusStatistics,
        groups: &[HitGroup],
        values: &[(MemberId, NamedValueId)],
    ) -> Result<Vec<SearchResult>> {
        let mut own: BTreeMap<usize, ToShow> = BTreeMap::new();
        for id in values {
            own.entry(self.shard_of(id.0)?).or_default().values.push(*id);
        }
        for HitGroup { head, duplicates } in groups {
            own.entry(self.shard_of(head.member)?).or_default().heads.push(head.clone());
            for id in duplicates {
                own.entry(self.shard_of(id.0)?).or_default().duplicates.push(*id);
            }
        }
        let step = |ToShow { heads, duplicates, values }| {
            let counts = counts.clone();
            Step::Show { counts, heads, duplicates, values }
        };
        let steps = own.into_iter().map(|(at, own)| (at, step(own)));
        let shown = self.exchange(steps, |_, step, reply| match (step, reply) {
            (Step::Show { heads, duplicates, values, .. }, ShardReply::Shown(results, others, named))
                if (results.len(), others.len(), named.len()) == (heads.len(), duplicates.len(), values.len()) =>
            {
                let results = heads.iter().map(id).zip(results).collect::<Vec<_>>();
                let others = duplicates.iter().copied().zip(others).collect::<Vec<_>>();
                Some((results, others, values.iter().copied().zip(named).collect::<Vec<_>>()))
            }
            _ => None,
        })?;
        let (mut results, mut others, mut named) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        for shard in shown {
            results.extend(shard.0);
            others.extend(shard.1);
            named.extend(shard.2);
        }
        let origin = |member: MemberId| self.origins.get(member.index()).cloned();
        let result = |(HitGroup { head, duplicates }, rank): (&HitGroup, usize)| {
            let duplicate = |id: &MemberDefinition| Some(Duplicate { origin: origin(id.0), ..others.remove(id)? });
            let duplicates = duplicates.iter().filter_map(duplicate).collect();
            Some(SearchResult { rank, origin: origin(head.member), duplicates, ..results.remove(&id(head))? })
        };
        let mut all = groups.iter().zip(1..).filter_map(result).collect();
        let value = |id: &(MemberId, NamedValueId)| Some(SearchResult { origin: origin(id.0), ..named.remove(id)? });
        put_values_first(&mut all, values.iter().filter_map(value).collect(), self.question.k);
        Ok(all)
    }

    /// Sends steps to shards, given by position, and reads their replies with `read`, which returns
    /// `None` for a reply that does not match its step. The values in a reply are trusted.
    ///
    /// # Errors
    /// Returns an error if the transport fails, or a shard or member must be left out.
    fn exchange<R>(
        &mut self,
        steps: impl Iterator<Item = (usize, Step)>,
        read: impl Fn(&mut RemoteShard, &Step, ShardReply) -> Option<R>,
    ) -> Result<Vec<R>> {
        let request = |(at, step): (usize, Step)| {
            let RemoteShard { file, members, .. } = &self.shards[at];
            (file.clone(), ShardRequest { question: self.question.clone(), members: members.clone(), step })
        };
        let requests: Requests = steps.map(request).collect();
        if requests.is_empty() {
            return Ok(Vec::new());
        }
        let mut replies = (self.transport)(&requests)?;
        let (mut out, mut lost, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
        for shard in &mut self.shards {
            let Some(request) = requests.get(&shard.file) else { continue };
            match replies.remove(&shard.file) {
                Some(ShardReply::Damaged(ids)) if request.members.iter().any(|(_, id)| ids.contains(id)) => {
                    damaged.extend(ids.iter().map(|id| format!("{}: {id}", shard.file)));
                    shard.members.retain(|(_, id)| !ids.contains(id));
                    shard.counted = None;
                }
                reply => match reply.and_then(|reply| read(shard, &request.step, reply)) {
                    Some(read) => out.push(read),
                    None => lost.push(shard.file.clone()),
                },
            }
        }
        if lost.is_empty() && damaged.is_empty() {
            return Ok(out);
        }
        self.shards.retain(|shard| !lost.contains(&shard.file));
        self.missing.extend(lost.into_iter().chain(damaged));
        self.is_outdated = true;
        Err(unexpected())
    }

    /// Returns the position of the shard with a member.
    fn shard_of(&self, member: MemberId) -> Result<usize> {
        self.shards.iter().position(|shard| shard.contains(member)).ok_or_else(unexpected)
    }
}

impl<T: FnMut(&Requests) -> Result<Replies>> Shards for Coordinator<T> {
    fn prepared(&self) -> &PreparedQuery {
        &self.prepared
    }

    fn restart(&mut self, kind: KindFilter) {
        if kind != self.question.kind {
            self.question.kind = kind;
            self.prepared = PreparedQuery::new(self.question.query());
            self.shards.iter_mut().for_each(|shard| shard.counted = None);
        }
    }

    fn count(&mut self) -> Result<CorpusStatistics> {
        let terms = self.prepared.query.question.terms.len();
        let uncounted: Vec<usize> = (0..self.shards.len()).filter(|&at| self.shards[at].counted.is_none()).collect();
        self.exchange(uncounted.into_iter().map(|at| (at, Step::Count)), |shard, _, reply| match reply {
            ShardReply::Counted(counted) if counted.is_valid(terms) => {
                shard.counted = Some(counted);
                Some(())
            }
            _ => None,
        })?;
        let mut counts = CorpusStatistics::default();
        for shard in &mut self.shards {
            shard.best = None;
            shard.counted.iter().for_each(|counted| counts.add(&counted.counts));
        }
        Ok(counts)
    }

    fn count_synonyms(&mut self, terms: &[usize]) -> Result<Vec<u64>> {
        let steps = (0..self.shards.len()).map(|at| (at, Step::CountSynonyms { terms: terms.to_vec() }));
        let counted = self.exchange(steps, |_, _, reply| match reply {
            ShardReply::SynonymsCounted(counts) if counts.len() == terms.len() => Some(counts),
            _ => None,
        })?;
        let mut sums = vec![0; terms.len()];
        for counts in counted {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        Ok(sums)
    }

    fn max_scores(&self, counts: &CorpusStatistics) -> Vec<f32> {
        let bound = |counted: &ShardTotals| self.prepared.max_word_score(&counted.holds, counts);
        let max_score = |shard: &RemoteShard| shard.best.or(shard.counted.as_ref().map(bound)).unwrap_or_default();
        self.shards.iter().map(max_score).collect()
    }

    fn batch_sizes(&self) -> (usize, usize) {
        (FIRST_SHARDS, usize::MAX)
    }

    fn score(&mut self, shards: &[usize], counts: &CorpusStatistics) -> Result<f32> {
        let steps = shards.iter().map(|&at| (at, Step::Score { counts: counts.clone() }));
        let scored = self.exchange(steps, |shard, _, reply| match reply {
            ShardReply::Scored(best) if best.is_finite() && best >= 0.0 => {
                shard.best = Some(best);
                Some(best)
            }
            _ => None,
        })?;
        Ok(scored.into_iter().fold(0.0, f32::max))
    }

    fn choose(&mut self, shards: &[usize], counts: &CorpusStatistics, best: f32, _: usize) -> Result<Vec<BestHits>> {
        let steps = shards.iter().map(|&at| (at, Step::Choose { counts: counts.clone(), best }));
        self.exchange(steps, |shard, _, reply| match reply {
            ShardReply::Chosen(chosen) if shard.is_valid(&chosen) => Some(chosen),
            _ => None,
        })
    }

    fn measure(&mut self, found: &Found, depth: usize) -> Result<Vec<MeasuredCandidate>> {
        let measured = self.measured(found, depth > 0)?;
        self.candidates.extend(measured);
        let measured = |hit| self.candidates.get_mut(&id(hit))?.measured.take();
        found.hits[..depth].iter().map(measured).collect::<Option<_>>().ok_or_else(unexpected)
    }
}

impl RemoteShard {
    fn contains(&self, member: MemberId) -> bool {
        self.members.binary_search_by_key(&member, |(number, _)| *number).is_ok()
    }

    /// Checks whether hits are from this shard and have scores that can be compared.
    fn is_valid(&self, chosen: &BestHits) -> bool {
        let own = |hit: &Hit| self.contains(hit.member) && hit.score.is_finite();
        chosen.hits.iter().chain(chosen.further.hits()).all(own)
            && chosen.exact.iter().all(|exact| own(&exact.hit) && exact.bonus.is_finite())
    }

    /// Returns its damaged members, as the answer names them.
    fn damaged(&self) -> impl Iterator<Item = String> {
        self.counted.iter().flat_map(|counted| &counted.damaged).map(|id| format!("{}: {id}", self.file))
    }
}

fn id(hit: &Hit) -> MemberDefinition {
    (hit.member, hit.definition)
}

fn check(question: &FleetQuestion, registry: &Registry) -> Result<()> {
    if question.question.trim().is_empty() {
        return Err(Error::new(Kind::Usage, "the question is empty", Remedy::AskSomething));
    }
    if !(1..=MOST_RESULTS).contains(&question.k) {
        let what = format!("cannot return {} results", question.k);
        return Err(Error::new(Kind::Usage, what, format!("request 1 to {MOST_RESULTS}")));
    }
    for name in question.languages.iter().filter(|name| *name != registry.name(None)) {
        registry.known(name)?;
    }
    Ok(())
}

fn unexpected() -> Error {
    Error::new(Kind::Index, "a shard sent no usable reply", "run the same version of whichfn everywhere")
}
