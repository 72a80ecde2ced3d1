//! Parses a question into weighted terms.
//!
//! RepoQA's numbered parts (Purpose, Input, Output, Procedure) are kept apart, so that the answer
//! can show which part a word comes from. Framing words ("which function ...") are dropped from the
//! front, and stop words everywhere. If nothing is left, all words become terms.

use super::issue::{Issue, TraceFrame, is_issue};
use super::message::is_message;
use super::pasted::{code_names, identifiers, stack_frames};
use super::test_question::asks_for_tests;
use super::type_question::asks_for_type;
use super::weights::{
    FRAME_WORDS, ISSUE_TERMS, MAX_KEYWORDS, MAX_TERMS, PREDICATE_WEIGHT, PREDICATE_WORDS, REPETITION,
};
use rustc_hash::FxHashMap;
use whichfn_text::{
    Conversion, Stemmer, is_framing_verb, is_question, is_scaffold, is_stop_word, is_yes_no_question, joined_words,
    prefix, words,
};

/// Maximum length in bytes of the part of a question in which words are joined.
const LONGEST_JOINED: usize = 64 << 10;

/// Part of a question that a word comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// The purpose of the function, or the whole question if it has no numbered parts.
    Purpose,
    /// The function's input.
    Input,
    /// The function's output.
    Output,
    /// The function's procedure.
    Procedure,
}

impl Section {
    const ALL: [Self; 4] = [Self::Purpose, Self::Input, Self::Output, Self::Procedure];

    /// Returns the name shown to people and written to JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Purpose => "purpose",
            Self::Input => "input",
            Self::Output => "output",
            Self::Procedure => "procedure",
        }
    }
}

/// A distinct word of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// Stem of the word, as in the index.
    pub stem: String,
    /// Spelling of the first occurrence, in lower case.
    pub word: String,
    /// Part of the question with the first occurrence.
    pub section: Section,
    /// Weight: 1 for one occurrence and more for several, but less than in proportion. The words of
    /// a predicate weigh less.
    pub weight: f32,
}

/// Form of a question; the reranker has separate weights for each learned form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum QuestionForm {
    /// Numbered parts: purpose, input, output, procedure.
    Description,
    /// A sentence, as you would ask a colleague.
    #[default]
    Sentence,
    /// Keywords, as for a search engine.
    Keywords,
    /// A pasted identifier or signature.
    Name,
    /// One or more lines of a stack trace.
    Trace,
    /// An error message, whose words occur in strings of the code.
    Message,
    /// A long text that describes a problem, as in an issue tracker.
    Issue,
}

impl QuestionForm {
    /// Forms of questions in a few words or parts, for which the orders of candidates and of a
    /// memory are learned.
    pub const LEARNED: [Self; 3] = [Self::Description, Self::Sentence, Self::Keywords];

    /// Checks whether the reranker has learned weights for the form.
    pub fn has_order(self) -> bool {
        self == Self::Issue || Self::LEARNED.contains(&self)
    }

    /// Returns the name shown to people and used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Description => "description",
            Self::Sentence => "sentence",
            Self::Keywords => "keywords",
            Self::Name => "name",
            Self::Trace => "trace",
            Self::Message => "message",
            Self::Issue => "issue",
        }
    }
}

/// A stem that code may contain in place of several words of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedStem {
    /// Index of the term for the first of the words.
    pub term: usize,
    /// The stem.
    pub stem: String,
    /// True for an abbreviation, false for the same letters.
    pub is_abbreviation: bool,
}

/// A parsed question.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Text of the question.
    pub text: String,
    /// Distinct terms in order of first occurrence.
    pub terms: Vec<Term>,
    /// True if the question has more distinct terms than are used: [`MAX_TERMS`], for an issue 300.
    pub cut: bool,
    /// True if the question is about tests, so that tests get no penalty.
    pub about_tests: bool,
    /// True if the question asks for a type: "class that ...".
    pub asks_for_type: bool,
    /// Number of parameters that a description gives for the function; `None` if it gives no
    /// number.
    pub parameters: Option<u8>,
    /// True if the question describes a function that answers yes or no.
    pub is_yes_no_question: bool,
    /// Input and output of a conversion, if the question describes one.
    pub conversion: Conversion,
    /// Form of the question.
    pub form: QuestionForm,
    /// Pasted names, with dots between their parts.
    pub identifiers: Vec<String>,
    /// Names in code form within a sentence or keywords, with dots between their parts.
    pub code_names: Vec<String>,
    /// Stems that code may contain in place of a term and the words after it.
    pub joined: Vec<JoinedStem>,
    /// Frames of a pasted stack trace, the innermost first.
    pub frames: Vec<TraceFrame>,
    /// Parts of an issue; `None` for other forms.
    pub issue: Option<Box<IssueParts>>,
}

/// The parts of an issue that are compared with code separately.
#[derive(Debug, Clone, Default)]
pub struct IssueParts {
    /// The issue, taken apart.
    pub issue: Issue,
    /// The title as a question of its own. Its terms are the first terms of the whole question.
    pub title: Question,
    /// Positions of the terms in error messages.
    pub message_terms: Vec<usize>,
}

/// Index of each stem among the terms, while a question is parsed.
#[derive(Default)]
struct SeenStems {
    stemmer: Stemmer,
    terms: FxHashMap<String, usize>,
}

impl Question {
    /// Parses a question.
    pub fn read(text: &str) -> Self {
        match sections(text).len() == 1 && is_issue(text) {
            true => Self::of_issue(text),
            false => Self::of_description(text),
        }
    }

    /// Parses a question that is not an issue, however long it is.
    pub fn of_description(text: &str) -> Self {
        let sections = sections(text);
        let mut question = Self { text: text.to_owned(), ..Self::default() };
        let mut seen = SeenStems::default();
        let mut at_front = sections.len() == 1;
        for (section, part) in &sections {
            words(part, |word| {
                if at_front && (is_scaffold(word) || is_stop_word(word)) {
                    return;
                }
                at_front = false;
                if !is_stop_word(word) {
                    question.add(word, *section, &mut seen);
                }
            });
        }
        if sections.len() == 1 {
            question.lower_predicate_weight();
            question.lower_frame_weights(text);
        }
        if question.terms.is_empty() {
            words(text, |word| question.add(word, Section::Purpose, &mut seen));
        }
        question.parameters =
            sections.iter().find(|(section, _)| *section == Section::Input).and_then(|(_, text)| parameters(text));
        question.conversion = Conversion::from_question(text);
        question.is_yes_no_question = sections.len() == 1 && is_yes_no_question(text);
        question.classify(text, sections.len());
        question.detect_test_question();
        if matches!(question.form, QuestionForm::Sentence | QuestionForm::Keywords) {
            question.asks_for_type = asks_for_type(text);
            question.code_names = code_names(text);
        }
        if sections.len() == 1 {
            question.join_words(text);
        }
        question
    }

    /// Checks whether the question is a single word of plain text. A capitalized word is the name
    /// of a type.
    pub(super) fn is_only_word(&self) -> bool {
        self.terms.len() == 1
            && !self.text.trim().contains(char::is_whitespace)
            && !self.text.trim().starts_with(char::is_uppercase)
    }

    /// Parses a text that describes a problem, as in an issue tracker.
    ///
    /// It never asks for tests: many issues mention them.
    pub fn of_issue(text: &str) -> Self {
        let issue = Issue::read(text);
        let mut title = Self { form: QuestionForm::Issue, ..Self::default() };
        let mut question = Self { text: text.to_owned(), form: QuestionForm::Issue, ..Self::default() };
        for (to, parts) in [(&mut title, [issue.title.as_str(), ""]), (&mut question, [&issue.title, &issue.body])] {
            let mut seen = SeenStems::default();
            let is_kept = |word: &str| !is_stop_word(word);
            for part in parts {
                words(part, |word| {
                    if is_kept(word) {
                        to.add(word, Section::Purpose, &mut seen);
                    }
                });
            }
        }
        if question.terms.is_empty() {
            let mut seen = SeenStems::default();
            words(text, |word| question.add(word, Section::Purpose, &mut seen));
        }
        title.text.clone_from(&issue.title);
        title.conversion = Conversion::from_question(&issue.title);
        let mut stemmer = Stemmer::default();
        let mut message_terms = Vec::new();
        words(&issue.messages, |word| {
            let stem = stemmer.stem(word);
            message_terms.extend(question.terms.iter().position(|term| term.stem == stem));
        });
        message_terms.sort_unstable();
        message_terms.dedup();
        question.issue = Some(Box::new(IssueParts { issue, title, message_terms }));
        question
    }

    /// Sets the form, the pasted names and the stack frames.
    fn classify(&mut self, text: &str, sections: usize) {
        (self.frames, self.identifiers) = (stack_frames(text), identifiers(text));
        if self.identifiers.iter().any(|name| text.trim().len() > name.len()) && is_message(text) {
            self.identifiers.clear();
        }
        self.form = match (self.frames.is_empty(), self.identifiers.is_empty()) {
            (false, _) => QuestionForm::Trace,
            (_, false) => QuestionForm::Name,
            _ if is_message(text) => QuestionForm::Message,
            _ => form(text, sections),
        };
    }

    /// Decides whether the question is about tests.
    ///
    /// It is if it contains the word `test`, unless that word is part of a compound ("load test"),
    /// a verb ("test whether"), or negated ("not the tests"). A negated word is dropped.
    fn detect_test_question(&mut self) {
        let at = self.terms.iter().position(|term| term.stem == "test");
        let Some(at) = at else { return };
        let denied = at > 0 && matches!(self.terms[at - 1].word.as_str(), "not" | "no" | "without" | "except");
        if denied && self.terms.len() > 2 {
            self.terms.drain(at - 1..=at);
        }
        self.about_tests = !denied && asks_for_tests(&self.text);
    }

    /// Reduces the weight of a predicate such as "decides whether X" or "checks if X".
    ///
    /// The verb shows only that the answer is yes or no, not what the question is about.
    fn lower_predicate_weight(&mut self) {
        let marks = |term: &Term| matches!(term.word.as_str(), "whether" | "if");
        if let Some(at) = self.terms.iter().take(PREDICATE_WORDS).position(marks) {
            self.terms[..=at].iter_mut().for_each(|term| term.weight *= PREDICATE_WEIGHT);
        }
    }

    /// Reduces the weight of a frame such as "where is it decided how X", "where would I change X"
    /// or "what makes sure that X".
    ///
    /// The frame carries less meaning than the rest of the question.
    fn lower_frame_weights(&mut self, text: &str) {
        if !is_question(text) || self.terms.len() <= FRAME_WORDS {
            return;
        }
        let is_frame = |term: &&mut Term| is_framing_verb(&term.word) && term.weight > PREDICATE_WEIGHT;
        self.terms.iter_mut().take(FRAME_WORDS).filter(is_frame).for_each(|term| term.weight *= PREDICATE_WEIGHT);
    }

    /// Finds words that code may write as one, such as `heredoc` for "here-document".
    fn join_words(&mut self, text: &str) {
        let mut stemmer = Stemmer::default();
        for word in joined_words(prefix(text, LONGEST_JOINED)) {
            let Some(term) = self.terms.iter().position(|term| term.word == word.first) else { continue };
            let stem = stemmer.stem(&word.joined).to_owned();
            self.joined.push(JoinedStem { term, stem, is_abbreviation: word.is_abbreviation });
        }
    }

    fn max_terms(&self) -> usize {
        if self.form == QuestionForm::Issue { ISSUE_TERMS } else { MAX_TERMS }
    }

    fn add(&mut self, word: &str, section: Section, seen: &mut SeenStems) {
        let stem = seen.stemmer.stem(word);
        match seen.terms.get(stem) {
            // A repeated word matters more, but not twice as much.
            Some(&at) => self.terms[at].weight += REPETITION / self.terms[at].weight,
            None if self.terms.len() >= self.max_terms() => self.cut = true,
            None => {
                seen.terms.insert(stem.to_owned(), self.terms.len());
                self.terms.push(Term { stem: stem.to_owned(), word: word.to_owned(), section, weight: 1.0 });
            }
        }
    }
}

/// Returns the number of parameters in the Input part of a description; `None` if the part contains
/// no number.
fn parameters(input: &str) -> Option<u8> {
    const COUNTS: [(&str, u8); 9] = [
        ("no", 0),
        ("none", 0),
        ("nothing", 0),
        ("one", 1),
        ("single", 1),
        ("two", 2),
        ("three", 3),
        ("four", 4),
        ("five", 5),
    ];
    const COUNTED: [&str; 6] = ["parameter", "parameters", "argument", "arguments", "input", "inputs"];
    let text = input.split_once(':').map_or(input, |(_, rest)| rest).to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let number = |word: &str| COUNTS.iter().find(|(name, _)| *name == word).map(|&(_, count)| count);
    if let Some(count @ 0) = words.first().and_then(|word| number(word)) {
        return Some(count);
    }
    let at = words.iter().position(|word| COUNTED.contains(word))?;
    words[at.saturating_sub(2)..at].iter().rev().find_map(|word| number(word))
}

/// Classifies a question as a description, a sentence or keywords.
fn form(text: &str, sections: usize) -> QuestionForm {
    if sections > 1 {
        return QuestionForm::Description;
    }
    let mut count = 0;
    let mut is_framed = false;
    words(text, |word| {
        count += 1;
        is_framed |= is_stop_word(word);
    });
    if is_framed || count > MAX_KEYWORDS { QuestionForm::Sentence } else { QuestionForm::Keywords }
}

/// Splits a numbered description into its parts. Returns any other question as a single part, its
/// purpose.
pub fn sections(text: &str) -> Vec<(Section, &str)> {
    let mut marks: Vec<(usize, usize, Section)> = Vec::new();
    for section in Section::ALL {
        let name = section.name();
        let found = text.char_indices().find(|&(at, _)| {
            let starts = text[at..].get(..name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name));
            let before = text[..at].trim_end_matches(['*', ' ', '#']);
            let starts_line = before.is_empty()
                || before.ends_with(['\n', '.', ')', '-'])
                || before.ends_with(|c: char| c.is_ascii_digit());
            starts && starts_line && text[at + name.len()..].trim_start_matches('*').trim_start().starts_with(':')
        });
        if let Some((at, _)) = found {
            marks.push((at, at + name.len(), section));
        }
    }
    if marks.len() < 2 {
        return vec![(Section::Purpose, text)];
    }
    marks.sort_unstable();
    let ends: Vec<usize> = marks.iter().skip(1).map(|m| m.0).chain([text.len()]).collect();
    marks.into_iter().zip(ends).map(|((_, start, section), end)| (section, &text[start..end])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(text: &str) -> Vec<String> {
        Question::read(text).terms.into_iter().map(|t| t.stem).collect()
    }

    #[test]
    fn drops_framing_words_only_at_the_front() {
        assert_eq!(stems("which function parses a function signature"), ["pars", "function", "signatur"]);
        assert_eq!(stems("where is the code that hashes passwords?"), ["hash", "password"]);
    }

    #[test]
    fn framing_words_weigh_less_than_content_words() {
        let weight = |text: &str, word: &str| {
            let terms = Question::read(text).terms;
            terms.iter().find(|term| term.word == word).map(|term| term.weight)
        };
        let change = "where would I change how repeated slashes are merged";
        assert_eq!((weight(change, "change"), weight(change, "merged")), (Some(PREDICATE_WEIGHT), Some(1.0)));
        assert_eq!(weight("change the owner of a file", "change"), Some(1.0), "no question");
        assert_eq!(weight("what handles signals", "handles"), Some(1.0), "nothing else is asked about");
    }

    #[test]
    fn distinguishes_pasted_text_from_questions() {
        let form = |text: &str| Question::read(text).form;
        assert_eq!(form("which function renews the session"), QuestionForm::Sentence);
        assert_eq!(form("renew session"), QuestionForm::Keywords);
        assert_eq!(form("Session.renew"), QuestionForm::Name);
        assert_eq!(form("File \"a.py\", line 3, in renew"), QuestionForm::Trace);
        assert_eq!(form("ValueError: the session has no token"), QuestionForm::Message);
    }

    #[test]
    fn detects_questions_about_tests() {
        assert!(Question::read("which test checks the session").about_tests);
        assert!(!Question::read("how is the load test started").about_tests);
        let denied = Question::read("what renews the session, not the test");
        assert!(!denied.about_tests);
        assert!(denied.terms.iter().all(|term| term.stem != "test"));
    }

    #[test]
    fn question_of_stop_words_keeps_them() {
        assert_eq!(stems("what is it"), ["what", "is", "it"]);
    }

    #[test]
    fn sections_of_a_structured_question_are_separate() {
        let question = Question::read(
            "1. **Purpose**: Joins lines.\n2. **Input**: A list.\n3. **Output**: One string.\n4. **Procedure**: Loops.",
        );
        let sections: Vec<_> = question.terms.iter().map(|t| (t.stem.as_str(), t.section)).collect();
        assert!(sections.contains(&("join", Section::Purpose)) && sections.contains(&("list", Section::Input)));
        assert!(sections.contains(&("string", Section::Output)) && sections.contains(&("loop", Section::Procedure)));
    }
}
