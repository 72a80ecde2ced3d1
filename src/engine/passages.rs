//! Answers with passages of text files: by themselves, or together with functions.

use super::Engine;
use super::line_pattern::{LinePattern, MatchingLines};
use super::plan::{Plan, ReadAnswer, UnsearchedText};
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Instant;
use whichfn_index::source::Sources;
use whichfn_passages::split::Format;
use whichfn_passages::{FileText, PassageHit, PassageIndex, PassageQuery, TextFile};
use whichfn_read::lookup::Snippet;
use whichfn_scan::{DecodedFile, Skip, hidden_texts, read, searched_text};
use whichfn_search::answer::{Answer, AnswerBasis, CodeLine, PassageResult, asks_for_docs};
use whichfn_search::search::{KindFilter, Query, Question, QuestionForm, Searcher, Trust};
use whichfn_syntax::ids::FileId;
use whichfn_system::error::{Error, Kind, Result};

/// Folder of the index of passages, in the folder of the repository's index.
const FOLDER: &str = "text";
/// Number of results of a kind that fits the question better.
const BETTER: usize = 3;
/// Number of passages with a name among which its definition is looked for.
const MENTIONS: usize = 30;

/// The text files of a repository, and how to read them.
struct TextFiles<'a> {
    sources: &'a Sources<'a>,
    /// Files in the index of code, by path.
    indexed: HashMap<&'a str, FileId>,
    /// Texts of the hidden files, by path.
    hidden: HashMap<String, String>,
    /// All of them, sorted by path.
    all: Vec<TextFile>,
    /// Paths of hidden files that are not searched, each with the reason.
    skipped: Vec<(String, Skip)>,
}

impl<'a> TextFiles<'a> {
    /// Lists the files with text in the index of code, and hidden files with settings.
    fn new(engine: &'a Engine, sources: &'a Sources<'a>) -> Result<Self> {
        let (mut indexed, mut all) = (HashMap::new(), Vec::new());
        for (record, number) in engine.generation.manifest.files.iter().zip(0..) {
            if record.language.is_none() || Format::of(&record.path).is_some() {
                indexed.insert(&*record.path, FileId::new(number));
                all.push(TextFile { path: record.path.clone(), hash: record.hash });
            }
        }
        let mut hidden = HashMap::new();
        let mut texts = hidden_texts(&engine.root, engine.options.max_size);
        for path in texts.found.into_iter().filter(|path| !indexed.contains_key(&**path)) {
            match read(&engine.root, &path)? {
                Ok(file) => {
                    all.push(TextFile { path: path.clone(), hash: file.hash });
                    hidden.insert(path.clone(), searched_text(&path, file.text));
                }
                Err(reason) => texts.skipped.push((path, reason)),
            }
        }
        all.sort_by(|a, b| a.path.cmp(&b.path));
        texts.skipped.sort();
        Ok(Self { sources, indexed, hidden, all, skipped: texts.skipped })
    }

    /// Returns the text of a file as it was indexed, or `None` if the file has changed since.
    fn read(&self, path: &str) -> Option<FileText> {
        match self.indexed.get(path) {
            Some(&file) => self.sources.decoded(file).map(|DecodedFile { text, is_cut, .. }| FileText { text, is_cut }),
            None => self.hidden.get(path).map(|text| FileText { text: text.clone(), is_cut: false }),
        }
    }

    fn text(&self, path: &str) -> Option<String> {
        self.read(path).map(|file| file.text)
    }

    /// Returns the lines of a file that match a pattern. `known` keeps them, so that a file with many
    /// passages is read once.
    fn matching<'k>(
        &self,
        pattern: &LinePattern,
        path: &str,
        known: &'k mut HashMap<String, MatchingLines>,
    ) -> &'k MatchingLines {
        known
            .entry(path.to_owned())
            .or_insert_with(|| self.text(path).map_or_else(MatchingLines::default, |text| pattern.matches(&text)))
    }
}

impl Engine {
    /// Answers a question with passages only.
    pub(super) fn passages_only(&self, query: &Query, plan: &Plan<'_>) -> Result<ReadAnswer> {
        let started = Instant::now();
        let foreign = self.foreign(&query.question);
        let translated = self.translated(query, foreign.as_ref(), plan.texts);
        let (passages, unsearched) = self.passages(translated.as_ref().unwrap_or(query), plan, query.k)?;
        let answer = Answer {
            query: query.question.text.clone(),
            foreign,
            root: self.root.to_string_lossy().into_owned(),
            asked_as: "docs",
            basis: None,
            strategy: "direct",
            index: self.summary(),
            query_ms: started.elapsed().as_secs_f64() * 1e3,
            confidence: None,
            results: Vec::new(),
            passages,
            docs: Vec::new(),
            cut: 0,
            shards: None,
        };
        Ok(ReadAnswer { answer, behind: Vec::new(), trace: None, notices: unsearched.notices() })
    }

    /// Adds passages to an answer with functions, and keeps the first `k` of both.
    ///
    /// The scores of functions and passages are not comparable, so the two lists alternate. A
    /// function comes first if the trust in it is at least likely.
    pub(super) fn mix_in_passages(
        &self,
        answer: &mut Answer,
        query: &Query,
        plan: &Plan<'_>,
    ) -> Result<UnsearchedText> {
        let unsearched;
        (answer.passages, unsearched) = self.passages(query, plan, query.k)?;
        let trust = answer.confidence.map(|confidence| confidence.trust());
        let is_trusted = matches!(trust, Some(Trust::Sure | Trust::Likely)) || answer.basis.is_some();
        let (functions, passages) = interleaved((answer.results.len(), answer.passages.len()), is_trusted, query.k);
        answer.results.truncate(functions.len());
        answer.passages.truncate(passages.len());
        answer.results.iter_mut().zip(functions).for_each(|(one, rank)| one.rank = rank);
        answer.passages.iter_mut().zip(passages).for_each(|(one, rank)| one.rank = rank);
        Ok(unsearched)
    }

    /// Adds the first passages, if the question is about documentation or a setting, or those with the
    /// name of an environment variable, a setting or another entry that no code has.
    ///
    /// **Cost:** nothing for an ordinary question, which never opens the index of passages.
    pub(super) fn add_docs(&self, answer: &mut Answer, query: &Query, plan: &Plan<'_>) -> Result<UnsearchedText> {
        let name = match &answer.basis {
            Some(AnswerBasis::Untagged(name)) => Some(name.clone()),
            // Nothing has the name, so the results come from a search.
            Some(AnswerBasis::Graph(subject)) if subject.of.is_empty() => None,
            Some(_) => return Ok(UnsearchedText::default()),
            None => answer.unknown_name().map(str::to_owned),
        };
        if let Some(name) = name {
            let unsearched;
            (answer.docs, unsearched) = self.passages_with(&name, query, plan)?;
            return Ok(unsearched);
        }
        let is_plain = matches!(query.question.form, QuestionForm::Sentence | QuestionForm::Keywords);
        if query.kind != KindFilter::Function || !is_plain || !asks_for_passages(&query.question.text) {
            return Ok(UnsearchedText::default());
        }
        let unsearched;
        (answer.docs, unsearched) = self.passages(query, plan, BETTER)?;
        Ok(unsearched)
    }

    /// Returns the first passages that contain a name, those of settings before those that only
    /// mention it.
    fn passages_with(
        &self,
        name: &str,
        query: &Query,
        plan: &Plan<'_>,
    ) -> Result<(Vec<PassageResult>, UnsearchedText)> {
        let phrase = Question::of_description(&format!("\"{}\"", name.replace('"', "")));
        let query = &Query { question: phrase, ..query.clone() };
        if !query.languages.is_empty() || PassageQuery::parse(&query.question.text).is_err() {
            return Ok(Default::default());
        }
        let (mut passages, unsearched) = self.passages(query, plan, MENTIONS)?;
        let has_name = |text: &String| text.contains(name);
        passages.retain(|passage| has_name(&passage.best) || passage.headings.iter().any(has_name));
        passages.sort_by_key(|passage| !Format::of(&passage.path).is_some_and(Format::is_settings));
        passages.truncate(BETTER);
        passages.iter_mut().zip(1..).for_each(|(passage, rank)| passage.rank = rank);
        Ok((passages, unsearched))
    }

    /// Returns up to `limit` passages for a question, best first, and the text that was not searched.
    pub(super) fn passages(
        &self,
        query: &Query,
        plan: &Plan<'_>,
        limit: usize,
    ) -> Result<(Vec<PassageResult>, UnsearchedText)> {
        if !query.languages.is_empty() {
            let what = "passages have no programming language";
            return Err(Error::new(Kind::Usage, what, "omit --lang, or limit the files with --path"));
        }
        let parsed = PassageQuery::parse(&query.question.text)?;
        let (sources, searcher) = (&self.sources(), Searcher::new(&self.generation, &self.registry));
        let accepts_path = searcher.path_filter(query)?;
        let files = TextFiles::new(self, sources)?;
        let folder = self.layout.folder().join(FOLDER);
        let (read, progress) = (|path: &str| files.read(path), plan.indexing_text.unwrap_or(&|_, _| {}));
        let matching = RefCell::new(HashMap::new());
        let matches = |hit: &PassageHit| {
            plan.pattern.is_none_or(|pattern| {
                let lines = hit.start_line..=hit.end_line;
                files.matching(pattern, &hit.path, &mut matching.borrow_mut()).any_in(lines)
            })
        };
        let accepts = |hit: &PassageHit| accepts_path(&hit.path) && matches(hit);
        let search = |index: &PassageIndex| index.search(&parsed, limit, &accepts, &|path| files.text(path));
        let mut index = PassageIndex::open(&folder, &files.all, &read, progress)?;
        let hits = search(&index).or_else(|_| {
            index = PassageIndex::rebuild(&folder, &files.all, &read, progress)?;
            search(&index)
        })?;
        let mut texts: HashMap<String, Option<String>> = HashMap::new();
        let shown = |(rank, hit): (usize, PassageHit)| {
            let text = texts.entry(hit.path.clone()).or_insert_with(|| files.text(&hit.path));
            result(rank, hit, text.as_deref().unwrap_or_default(), &parsed, plan.snippet)
        };
        let passages = (1..).zip(hits).map(shown).collect();
        let is_question_cut = parsed.is_cut();
        Ok((passages, UnsearchedText { truncated: index.truncated, skipped: files.skipped, is_question_cut }))
    }
}

/// Checks whether a plain question needs passages. A plain question with an operator in the wrong
/// place ("how do I configure AND") is no query, so it needs none.
fn asks_for_passages(question: &str) -> bool {
    asks_for_docs(question) && PassageQuery::parse(question).is_ok()
}

/// Returns the ranks of functions and of passages, in the order of each list.
fn interleaved((functions, passages): (usize, usize), functions_first: bool, k: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut of_functions, mut of_passages) = (Vec::new(), Vec::new());
    for rank in 1..=k.min(functions + passages) {
        let is_functions_turn = (rank % 2 == 1) == functions_first;
        let has = (of_functions.len() < functions, of_passages.len() < passages);
        match has {
            (true, other) if is_functions_turn || !other => of_functions.push(rank),
            _ => of_passages.push(rank),
        }
    }
    (of_functions, of_passages)
}

fn lines_of<'t>(text: &'t str, hit: &PassageHit) -> Vec<&'t str> {
    let count = (hit.end_line + 1).saturating_sub(hit.start_line) as usize;
    text.lines().skip(hit.start_line as usize - 1).take(count).collect()
}

fn result(rank: usize, hit: PassageHit, text: &str, query: &PassageQuery, snippet: Snippet) -> PassageResult {
    let lines = lines_of(text, &hit);
    let line = |at: usize| CodeLine {
        number: hit.start_line + at as u32,
        text: lines[at].trim_end().to_owned(),
        tokens: Vec::new(),
    };
    let chosen: Vec<usize> = match snippet {
        Snippet::None => Vec::new(),
        Snippet::First(most) => (0..lines.len().min(most)).collect(),
        Snippet::Full => (0..lines.len()).collect(),
        Snippet::Deciding(most) => query.best_lines(&lines, most),
    };
    // The heading is shown already.
    let own = hit.headings.last();
    let is_heading = |line: &str| own.is_some_and(|own| line.contains(own.as_str()));
    let body: Vec<&str> = lines.iter().copied().skip_while(|line| is_heading(line)).collect();
    let best = query.best_lines(&body, 1).first().map(|&at| body[at].trim().to_owned());
    PassageResult {
        rank,
        score: hit.score,
        start_line: hit.start_line,
        end_line: hit.end_line,
        format: Format::of(&hit.path).unwrap_or(Format::Plain).name(),
        best: best.unwrap_or_default(),
        snippet: chosen.into_iter().map(line).collect(),
        path: hit.path,
        headings: hit.headings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_passages_alternate_in_the_order_of_each_list() {
        assert_eq!(interleaved((3, 3), true, 4), (vec![1, 3], vec![2, 4]));
        assert_eq!(interleaved((3, 3), false, 5), (vec![2, 4], vec![1, 3, 5]));
    }

    #[test]
    fn the_longer_list_continues_when_the_other_ends() {
        assert_eq!(interleaved((1, 4), true, 10), (vec![1], vec![2, 3, 4, 5]));
        assert_eq!(interleaved((2, 0), false, 10), (vec![1, 2], vec![]));
        assert_eq!(interleaved((0, 0), true, 10), (vec![], vec![]));
    }
}
