//! Coordinates a question to a fleet: decides which request each shard gets and combines the
//! replies. This module neither sends nor waits: the caller transports requests and replies, within
//! one process or over any network.
//!
//! ```text
//! count ──sum──> (count synonyms) ──sum──> score ──max──> choose
//!       ──best of all──> measure ──order, fold──> show ──> answer
//! ```
//! Between two steps, the replies of all shards are combined by sums, a maximum and a merge. These
//! do not depend on how members are distributed over shards, so a fleet gives the same answer as
//! one index of the same members.
//!
//! Scoring and choosing query the [`FIRST_ASKED`] most promising shards first. The highest score
//! that the others can reach is known from their counts ([`PreparedQuery::max_word_score`]): a
//! shard without the rare words, which cannot contain any of the best, is not queried again.
//!
//! A shard that does not answer is left out of everything, including its counts, and the steps that
//! depend on them are repeated. The answer is then that of a fleet without this shard, and reports
//! the shard as missing.

use super::message::{FleetCandidate, FleetQuestion, ShardReply, ShardRequest, ShardTotals, Step};
use super::results::results;
use super::stage::{Members, Stage, holds, unexpected};
use super::typed_question::{SearchableMember, SearchableShard};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use whichfn_search::answer::{
    Answer, HitGroup, IndexSummary, MemberDefinition, QueriedShards, RepositoryOf, SearchResult, collapse,
};
use whichfn_search::search::{BestHits, CorpusStatistics, Hit, PreparedQuery, best_of, depth, measured_depth, order};
use whichfn_syntax::ids::MemberId;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Number of shards queried before it is known whether the others can contain any of the best. A
/// higher number needs fewer rounds; a lower one computes fewer scores that turn out to be useless.
const FIRST_ASKED: usize = 8;

/// Maximum number of results of one question, because every shard sends what determines their
/// order.
const MOST_RESULTS: usize = 1000;

/// The next action of the caller: requests by shard file name, or the answer.
pub enum Next {
    /// Requests to send; the caller collects all replies.
    Send(BTreeMap<String, ShardRequest>),
    /// The final answer.
    Answer(Box<Answer>),
}

/// Replies by shard file name; `None` for a shard that does not answer.
pub type Replies = BTreeMap<String, Option<ShardReply>>;

/// A question in progress.
pub struct Coordinator {
    question: FleetQuestion,
    asked: PreparedQuery,
    /// Shards that have answered every request so far, by file name.
    shards: BTreeMap<String, CountedShard>,
    /// Repositories of the members of all shards by member number, sorted by member id.
    origins: Vec<RepositoryOf>,
    shards_asked: usize,
    missing: Vec<String>,
    stage: Stage,
    /// File names of the shards that received the last requests.
    sent: BTreeSet<String>,
    started: Instant,
}

/// A shard with the counts that it reported.
struct CountedShard {
    members: Members,
    counted: ShardTotals,
    synonyms: Vec<u64>,
    /// Best score of its words; `None` until it is scored.
    best: Option<f32>,
    /// Set once its best definitions are chosen.
    is_chosen: bool,
}

impl Coordinator {
    /// Starts a question; `shards` are those that contain the members that are visible and in
    /// scope.
    ///
    /// # Errors
    /// When the question is empty or names an unknown language.
    pub fn new(question: FleetQuestion, shards: Vec<SearchableShard>, registry: &Registry) -> Result<Self> {
        if question.question.trim().is_empty() {
            return Err(Error::new(Kind::Usage, "the question is empty", Remedy::AskSomething));
        }
        if !(1..=MOST_RESULTS).contains(&question.k) {
            let what = format!("{} results are requested", question.k);
            return Err(Error::new(Kind::Usage, what, format!("request 1 to {MOST_RESULTS}")));
        }
        let is_known =
            |name: &&String| *name != registry.name(None) && registry.find_by_name_or_extension(name).is_none();
        if let Some(unknown) = question.languages.iter().find(is_known) {
            let what = format!("unknown language `{unknown}`");
            let known: Vec<&str> = registry.ids().map(|id| registry.name(Some(id))).collect();
            return Err(Error::new(Kind::Usage, what, format!("choose from: {}", known.join(", "))));
        }
        let asked = PreparedQuery::new(question.query());
        let mut members: Vec<(&SearchableMember, &str)> =
            shards.iter().flat_map(|shard| shard.members.iter().map(|member| (member, shard.file.as_str()))).collect();
        members.sort_by(|a, b| a.0.id.cmp(&b.0.id));
        let mut shards_by_file: BTreeMap<String, CountedShard> = BTreeMap::new();
        for (number, (member, file)) in members.iter().enumerate() {
            let shard = shards_by_file.entry((*file).to_owned()).or_insert_with(CountedShard::new);
            shard.members.push((MemberId::new(number), member.id.clone()));
        }
        let origins = members.iter().map(|(member, _)| member.origin.clone()).collect();
        let (shards_asked, stage, started) = (shards_by_file.len(), Stage::Count, Instant::now());
        let (shards, missing) = (shards_by_file, Vec::new());
        let sent = BTreeSet::new();
        Ok(Self { question, asked, shards, origins, shards_asked, missing, stage, sent, started })
    }

    /// Returns the first requests.
    pub fn begin(&mut self) -> Next {
        self.send_all(|_| Some(Step::Count))
    }

    /// Handles the replies to the last requests. A shard whose reply is missing, `None`, or of the
    /// wrong shape is left out.
    ///
    /// # Errors
    /// When a reply does not belong to the request.
    pub fn take(&mut self, mut replies: Replies) -> Result<Next> {
        let (sent, terms) = (std::mem::take(&mut self.sent), self.asked.query.question.terms.len());
        let fitting: BTreeMap<String, ShardReply> = sent
            .iter()
            .filter_map(|file| Some((file.clone(), replies.remove(file)??)))
            .filter(|(file, reply)| {
                self.shards.get(file).is_some_and(|shard| self.stage.fits(reply, &shard.members, terms))
            })
            .collect();
        let is_counting = matches!(self.stage, Stage::Count);
        let missing: Vec<&String> = sent.iter().filter(|file| !fitting.contains_key(*file)).collect();
        for file in &missing {
            self.shards.remove(*file);
            self.missing.push((*file).clone());
        }
        if self.leave_out_damaged(&fitting) {
            self.stage = Stage::Count;
            return Ok(self.begin());
        }
        if !missing.is_empty() && !is_counting {
            // All later steps include the counts of this shard, so they are repeated.
            return Ok(self.after_counting());
        }
        let replies = fitting.into_iter();
        match std::mem::replace(&mut self.stage, Stage::Count) {
            Stage::Count => self.counted(replies),
            Stage::CountSynonyms { .. } => self.synonyms_counted(replies),
            Stage::Score => self.scored(replies),
            Stage::Choose { chosen } => self.chosen(chosen, replies),
            Stage::Measure { hits } => self.measured(hits, replies),
            Stage::Show { groups } => self.shown(groups, replies),
        }
    }

    /// Leaves out members that were found to be damaged, and returns whether there were any.
    fn leave_out_damaged(&mut self, replies: &BTreeMap<String, ShardReply>) -> bool {
        let mut any = false;
        for (file, reply) in replies {
            let (ShardReply::Damaged(ids), Some(shard)) = (reply, self.shards.get_mut(file)) else { continue };
            shard.members.retain(|(_, id)| !ids.contains(id));
            self.missing.extend(ids.iter().map(|id| format!("{file}: {id}")));
            any = true;
        }
        any
    }

    fn counted(&mut self, replies: impl Iterator<Item = (String, ShardReply)>) -> Result<Next> {
        for (file, reply) in replies {
            let ShardReply::Counted(counted) = reply else { return Err(unexpected(&file)) };
            self.missing.extend(counted.damaged.iter().map(|id| format!("{file}: {id}")));
            if let Some(shard) = self.shards.get_mut(&file) {
                shard.counted = counted;
            }
        }
        Ok(self.after_counting())
    }

    /// Starts the step that follows once the counts of all answering shards are known.
    fn after_counting(&mut self) -> Next {
        let terms = self.counts_of_words().unknown_terms();
        for shard in self.shards.values_mut() {
            (shard.synonyms, shard.best, shard.is_chosen) = (Vec::new(), None, false);
        }
        if terms.is_empty() {
            return self.score();
        }
        self.stage = Stage::CountSynonyms { terms: terms.len() };
        self.send_all(|_| Some(Step::CountSynonyms { terms: terms.clone() }))
    }

    fn synonyms_counted(&mut self, replies: impl Iterator<Item = (String, ShardReply)>) -> Result<Next> {
        for (file, reply) in replies {
            let ShardReply::SynonymsCounted(counts) = reply else { return Err(unexpected(&file)) };
            if let Some(shard) = self.shards.get_mut(&file) {
                shard.synonyms = counts;
            }
        }
        Ok(self.score())
    }

    /// Requests scores from the most promising shards that are not scored yet.
    fn score(&mut self) -> Next {
        let (counts, best) = (self.counts(), self.best());
        let promise = |shard: &CountedShard| {
            shard.best.is_none().then(|| self.asked.max_word_score(&shard.counted.holds, &counts))
        };
        let files = self.most_promising(self.shards.values().any(|shard| shard.best.is_some()), |shard| {
            promise(shard).filter(|&most| most > best)
        });
        if files.is_empty() {
            return self.choose(BestHits::default());
        }
        self.stage = Stage::Score;
        self.send(&files, |_| Some(Step::Score { counts: counts.clone() }))
    }

    fn scored(&mut self, replies: impl Iterator<Item = (String, ShardReply)>) -> Result<Next> {
        for (file, reply) in replies {
            let ShardReply::Scored(score) = reply else { return Err(unexpected(&file)) };
            if let Some(shard) = self.shards.get_mut(&file) {
                shard.best = Some(score);
            }
        }
        Ok(self.score())
    }

    /// Returns the best score among the shards that are scored.
    fn best(&self) -> f32 {
        self.shards.values().filter_map(|shard| shard.best).fold(0.0, f32::max)
    }

    /// Requests the best definitions from the most promising shards that have not chosen theirs;
    /// `chosen` are those of the others.
    fn choose(&mut self, chosen: BestHits) -> Next {
        let (counts, best, most) = (self.counts(), self.best(), depth(&self.asked.query));
        let last = chosen.hits.get(most - 1).map_or(0.0, |hit| hit.score);
        let is_named = self.asked.names_definitions();
        let promise = |shard: &CountedShard| {
            let words = shard.best.unwrap_or_else(|| self.asked.max_word_score(&shard.counted.holds, &counts));
            let at_most = self.asked.max_adjusted_score(words, best);
            (!shard.is_chosen && (is_named || words > 0.0 && at_most >= last)).then_some(at_most)
        };
        let files = self.most_promising(is_named || self.shards.values().any(|shard| shard.is_chosen), promise);
        if files.is_empty() {
            return self.measure(best, best_of(chosen, most));
        }
        self.stage = Stage::Choose { chosen };
        self.send(&files, |_| Some(Step::Choose { counts: counts.clone(), best }))
    }

    fn chosen(&mut self, mut chosen: BestHits, replies: impl Iterator<Item = (String, ShardReply)>) -> Result<Next> {
        let most = depth(&self.asked.query);
        for (file, reply) in replies {
            let ShardReply::Chosen(hits) = reply else { return Err(unexpected(&file)) };
            chosen.add(hits, most);
            self.shards.entry(file).and_modify(|shard| shard.is_chosen = true);
        }
        Ok(self.choose(chosen))
    }

    /// Returns the shards that can contribute, the most promising first: all of them, or the first
    /// [`FIRST_ASKED`].
    fn most_promising(&self, all: bool, promise: impl Fn(&CountedShard) -> Option<f32>) -> Vec<String> {
        let mut files: Vec<(f32, &String)> =
            self.shards.iter().filter_map(|(file, shard)| Some((promise(shard)?, file))).collect();
        files.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        files.truncate(if all { usize::MAX } else { FIRST_ASKED });
        files.into_iter().map(|(_, file)| file.clone()).collect()
    }

    /// Requests the values that determine the order of the best definitions.
    fn measure(&mut self, best: f32, hits: Vec<Hit>) -> Next {
        if hits.is_empty() {
            return Next::Answer(Box::new(self.answer(Vec::new(), None)));
        }
        let (counts, features) = (self.counts(), measured_depth(&self.asked.query, hits.len()) > 0);
        let step = |members: &Members| {
            let own: Vec<Hit> = hits.iter().filter(|hit| holds(members, hit.member)).cloned().collect();
            (!own.is_empty()).then(|| Step::Measure { counts: counts.clone(), best, hits: own, features })
        };
        let next = self.send_all(step);
        self.stage = Stage::Measure { hits };
        next
    }

    fn measured(&mut self, mut hits: Vec<Hit>, replies: impl Iterator<Item = (String, ShardReply)>) -> Result<Next> {
        let mut candidates: FxHashMap<MemberDefinition, FleetCandidate> = FxHashMap::default();
        for (file, reply) in replies {
            let ShardReply::Measured(own_candidates) = reply else { return Err(unexpected(&file)) };
            let Some(CountedShard { members, .. }) = self.shards.get(&file) else { continue };
            let own = hits.iter().filter(|hit| holds(members, hit.member)).map(|hit| (hit.member, hit.definition));
            candidates.extend(own.zip(own_candidates));
        }
        let id = |hit: &Hit| (hit.member, hit.definition);
        hits.retain(|hit| candidates.contains_key(&id(hit)));
        let most = measured_depth(&self.asked.query, hits.len());
        let measured: Vec<_> = hits[..most].iter().filter_map(|hit| candidates[&id(hit)].measured.clone()).collect();
        if measured.len() != most {
            return Err(unexpected("a shard"));
        }
        order(&self.asked.query, &mut hits, &measured);
        hits.truncate(self.asked.query.k);
        let words = |id: MemberDefinition| candidates[&id].words.clone();
        let groups = collapse(hits, |hit| candidates[&id(hit)].likeness.clone(), &words, self.question.k);
        let counts = self.counts();
        let step = |members: &Members| {
            let heads = groups.iter().map(|group| &group.head).filter(|head| holds(members, head.member));
            let duplicates = groups.iter().flat_map(|group| &group.duplicates).filter(|id| holds(members, id.0));
            let (heads, duplicates): (Vec<Hit>, Vec<_>) = (heads.cloned().collect(), duplicates.copied().collect());
            (!heads.is_empty() || !duplicates.is_empty()).then(|| Step::Show {
                counts: counts.clone(),
                heads,
                duplicates,
            })
        };
        let next = self.send_all(step);
        self.stage = Stage::Show { groups };
        Ok(next)
    }

    fn shown(&mut self, groups: Vec<HitGroup>, replies: impl Iterator<Item = (String, ShardReply)>) -> Result<Next> {
        let of_each: Vec<(&Members, ShardReply)> =
            replies.filter_map(|(file, reply)| Some((&self.shards.get(&file)?.members, reply))).collect();
        let results = results(&groups, of_each, &self.origins)?;
        Ok(Next::Answer(Box::new(self.answer(results, groups.first()))))
    }

    fn answer(&self, results: Vec<SearchResult>, first: Option<&HitGroup>) -> Answer {
        let mut index = IndexSummary::default();
        for shard in self.shards.values() {
            index.files += shard.counted.files;
            index.functions += shard.counted.functions;
            index.skipped += shard.counted.skipped;
        }
        Answer {
            query: self.question.question.clone(),
            root: String::new(),
            asked_as: self.asked.query.question.form.name(),
            strategy: "direct",
            index,
            query_ms: self.started.elapsed().as_secs_f64() * 1e3,
            confidence: first.and_then(|group| group.head.confidence),
            results,
            cut: 0,
            shards: Some(QueriedShards {
                asked: self.shards_asked,
                answered: self.shards.len(),
                missing: self.missing.clone(),
            }),
        }
    }

    fn counts_of_words(&self) -> CorpusStatistics {
        let mut counts = CorpusStatistics::default();
        self.shards.values().for_each(|shard| counts.add(&shard.counted.counts));
        counts
    }

    /// Returns the counts of all shards that answer, including those of synonyms.
    fn counts(&self) -> CorpusStatistics {
        let mut counts = self.counts_of_words();
        let terms = counts.unknown_terms();
        self.shards.values().for_each(|shard| counts.add_synonyms(&terms, &shard.synonyms));
        counts
    }

    fn send_all(&mut self, step: impl Fn(&Members) -> Option<Step>) -> Next {
        let files: Vec<String> = self.shards.keys().cloned().collect();
        self.send(&files, step)
    }

    /// Builds a request to each of these shards for which there is a step; returns the answer if
    /// there are none.
    fn send(&mut self, files: &[String], step: impl Fn(&Members) -> Option<Step>) -> Next {
        let request = |file: &String| {
            let shard = self.shards.get(file)?;
            let step = step(&shard.members)?;
            Some((file.clone(), ShardRequest { question: self.question.clone(), members: shard.members.clone(), step }))
        };
        let requests: BTreeMap<String, ShardRequest> = files.iter().filter_map(request).collect();
        self.sent = requests.keys().cloned().collect();
        match requests.is_empty() {
            true => Next::Answer(Box::new(self.answer(Vec::new(), None))),
            false => Next::Send(requests),
        }
    }
}

impl CountedShard {
    fn new() -> Self {
        Self {
            members: Vec::new(),
            counted: ShardTotals::default(),
            synonyms: Vec::new(),
            best: None,
            is_chosen: false,
        }
    }
}
