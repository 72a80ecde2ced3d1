//! Splits a question into sections and sentences, and finds the traits that it mentions.

use super::traits::TRAITS;
use whichfn_index::wordvec::{Lexicon, Stem, distinct};
use whichfn_search::search::{QuestionForm, Section, sections};

/// Minimum number of stems in a sentence. Shorter sentences contain too little to compare.
const SENTENCE: usize = 2;

/// A parsed question.
#[derive(Debug, Clone)]
pub struct ParsedQuestion {
    /// Form of the question.
    pub form: QuestionForm,
    /// Distinct stems of the question, with which [`Lexicon::similarities`] compares.
    pub all: Vec<Stem>,
    /// Indices in `all` of the stems of each [`Section`]. If a question has no sections, each
    /// section consists of the whole question.
    pub parts: [Vec<usize>; 4],
    /// Stems of each sentence.
    pub sentences: Vec<Vec<Stem>>,
    /// Distinct pairs of adjacent stems, and of stems with one other stem in between.
    pub pairs: [Vec<(Stem, Stem)>; 2],
    /// Stems of the procedure section, in order.
    pub procedure: Vec<Stem>,
    /// Number of steps in the procedure section.
    pub steps: usize,
    /// Number of inputs that the input section lists.
    pub inputs: usize,
    /// True if the question states that there is no input.
    pub takes_nothing: bool,
    /// True for each trait in `TRAITS` that the question mentions.
    pub traits: Vec<bool>,
    /// Numbers in the question, as written.
    pub numbers: Vec<String>,
    /// Quoted text in the question.
    pub quoted: Vec<String>,
}

impl ParsedQuestion {
    /// Parses a question, and registers its stems as the ones that `lexicon` compares with.
    pub fn new(text: &str, form: QuestionForm, lexicon: &mut Lexicon) -> Self {
        let found: Vec<(Section, &str)> =
            sections(text).into_iter().map(|(section, part)| (section, without_heading(section, part))).collect();
        let text: String = found.iter().map(|(_, part)| *part).collect::<Vec<_>>().join("\n");
        let part = |wanted: Section| match found.len() {
            1 => text.as_str(),
            _ => found.iter().find(|(section, _)| *section == wanted).map_or("", |(_, part)| part),
        };
        let all = distinct(&lexicon.read(&text));
        lexicon.set_queried(all.clone());
        let mut places = |section: Section| {
            let stems = lexicon.read(part(section));
            (0..all.len()).filter(|&at| stems.contains(&all[at])).collect::<Vec<_>>()
        };
        let parts = [Section::Purpose, Section::Input, Section::Output, Section::Procedure].map(&mut places);
        let ends = |c: char| matches!(c, '.' | '\n' | ';');
        let sentences: Vec<Vec<Stem>> =
            text.split(ends).map(|s| lexicon.read(s)).filter(|s| s.len() >= SENTENCE).collect();
        let apart = |by: usize| {
            let mut pairs: Vec<(Stem, Stem)> = Vec::new();
            for (&a, &b) in sentences.iter().flat_map(|s| s.iter().zip(s.iter().skip(by))) {
                if a != b && !pairs.contains(&(a, b)) {
                    pairs.push((a, b));
                }
            }
            pairs
        };
        let procedure = part(Section::Procedure);
        let clauses = procedure.split(ends).flat_map(|s| s.split(" then ")).flat_map(|s| s.split(", and "));
        let input = part(Section::Input);
        let inputs = input.split([',', ';', '\n']).flat_map(|s| s.split(" and "));
        Self {
            form,
            parts,
            pairs: [apart(1), apart(2)],
            procedure: lexicon.read(procedure),
            steps: clauses.filter(|clause| clause.split_whitespace().count() >= 3).count(),
            inputs: inputs.filter(|input| input.split_whitespace().count() >= 2).count(),
            takes_nothing: found.len() > 1 && takes_nothing(input),
            traits: TRAITS.iter().map(|one| one.is_asked(one.part.map_or(text.as_str(), part))).collect(),
            numbers: numbers(&text),
            quoted: quoted(&text),
            all,
            sentences,
        }
    }
}

/// Returns a section of a description without its heading, and without the next section's number at
/// its end.
fn without_heading(section: Section, part: &str) -> &str {
    let trimmed = part.trim_start();
    let is_heading = trimmed.get(..section.name().len()).is_some_and(|word| word.eq_ignore_ascii_case(section.name()));
    let body = trimmed.split_once(':').filter(|_| is_heading).map_or(part, |(_, body)| body);
    // The number of the next section is at the end, after a whole sentence. A number inside a
    // sentence is part of the description.
    let marked = body.trim_end_matches(['*', '#', '-', ' ', '\n']);
    let before = marked.trim_end_matches(['.', ')']).trim_end_matches(|c: char| c.is_ascii_digit());
    let is_heading = before.len() < marked.len() && before.trim_end_matches(' ').ends_with(['\n', '.', ';']);
    if is_heading { before.trim_end() } else { marked }
}

/// Checks whether the input section starts with a statement that there is no input.
fn takes_nothing(input: &str) -> bool {
    let text = input.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    [
        "none",
        "no ",
        "nothing",
        "does not",
        "the function takes no",
        "the method takes no",
        "this function takes no",
        "this method takes no",
    ]
    .iter()
    .any(|start| text.starts_with(start))
}

/// Returns the numbers in a string that are separate words, without the numbers of list items.
pub(super) fn numbers(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        for word in line.split(|c: char| !c.is_alphanumeric()) {
            if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) && !found.iter().any(|known| known == word)
            {
                found.push(word.to_owned());
            }
        }
    }
    found
}

/// Returns the short strings (2 to 30 bytes) between two equal quotation marks on one line.
pub(super) fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for mark in ['`', '"', '\''] {
        for line in text.lines() {
            let inside = line.split(mark).skip(1).step_by(2);
            found.extend(inside.filter(|s| (2..=30).contains(&s.len())).map(str::to_owned));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: &str = "1. **Purpose**: Merges adjacent strings of a line.\n2. **Input**: A line and a list of indices.\n\
        3. **Output**: Whether it was merged.\n4. **Procedure**: Iterates over the indices; checks each, then merges up to 40.";

    #[test]
    fn parts_have_their_own_words_without_headings() {
        let mut lexicon = Lexicon::default();
        let question = ParsedQuestion::new(QUESTION, QuestionForm::Description, &mut lexicon);
        let stems = lexicon.read("merges lines indices");
        let in_part =
            |part: Section, stem: Stem| question.parts[part as usize].iter().any(|&at| question.all[at] == stem);
        assert!(
            in_part(Section::Purpose, stems[0])
                && in_part(Section::Input, stems[1])
                && in_part(Section::Procedure, stems[2])
        );
        assert!(!in_part(Section::Input, stems[0]));
        assert_eq!((question.inputs, question.takes_nothing), (2, false));
        assert_eq!(question.numbers, ["40"]);
    }

    #[test]
    fn detects_functions_without_inputs() {
        assert!(takes_nothing(" None; it works on the object."));
        assert!(takes_nothing("The function takes no arguments"));
        assert!(!takes_nothing("Nodes of a tree"));
    }

    #[test]
    fn a_question_without_sections_counts_as_each_section() {
        let mut lexicon = Lexicon::default();
        let question = ParsedQuestion::new("merge strings", QuestionForm::Keywords, &mut lexicon);
        assert!(question.parts.iter().all(|part| part == &[0, 1]));
    }
}
