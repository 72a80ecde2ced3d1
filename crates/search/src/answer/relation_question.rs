//! Recognizes questions that the graph answers: "who calls NAME", "which types implement NAME",
//! "which tests cover NAME".
//!
//! The forms of the questions are data (`relation_questions.txt`).

use std::sync::LazyLock;

/// Words before a question that do not change it.
const FRONT: &[&str] = &[
    "please", "show", "me", "list", "find", "give", "print", "display", "all", "every", "each", "the", "a", "an",
    "tell", "and", "of", "get", "any", "is", "are", "there",
];
/// Words after a question that do not change it.
const BACK: &[&str] = &["please", "anywhere", "somewhere", "here", "directly", "exactly", "now"];
/// Words before or after a name that give the kind of the definition.
const KINDS: &[&str] = &[
    "trait",
    "interface",
    "class",
    "exception",
    "function",
    "method",
    "struct",
    "type",
    "enum",
    "module",
    "macro",
    "protocol",
    "constant",
    "variable",
    "setting",
    "option",
    "field",
];
/// Contractions, each with its words.
const CONTRACTIONS: [(&str, &str, &str); 4] =
    [("where's", "where", "is"), ("what's", "what", "is"), ("who's", "who", "is"), ("how's", "how", "is")];

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedRelation {
    /// Definitions that call the named one.
    Callers,
    /// Definitions that the named one calls.
    Callees,
    /// Definitions that use the named one in any way.
    Uses,
    /// Types that implement or extend the named type, or methods that override the named method.
    Implementations,
    /// Types that the named type implements or extends, or methods that the named method overrides.
    Bases,
    /// Tests that reach the named definition.
    Tests,
    /// The named definition itself: its documentation, parameters, type or value.
    Definition,
    /// The functions that the named route or command runs.
    Entry,
}

impl AskedRelation {
    const ALL: [Self; 8] = [
        Self::Callers,
        Self::Callees,
        Self::Uses,
        Self::Implementations,
        Self::Bases,
        Self::Tests,
        Self::Definition,
        Self::Entry,
    ];

    /// Checks whether the relation is found through calls.
    pub fn rests_on_calls(self) -> bool {
        matches!(self, Self::Callers | Self::Callees | Self::Uses | Self::Tests | Self::Entry)
    }

    /// Returns the name shown to people and written to JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Callers => "callers",
            Self::Callees => "callees",
            Self::Uses => "uses",
            Self::Implementations => "implementations",
            Self::Bases => "bases",
            Self::Tests => "tests",
            Self::Definition => "definition",
            Self::Entry => "entry",
        }
    }

    /// Returns the word for one definition with this relation.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Callers => "caller",
            Self::Callees => "callee",
            Self::Uses => "user",
            Self::Implementations => "implementation",
            Self::Bases => "base",
            Self::Tests => "test",
            Self::Definition => "definition",
            Self::Entry => "handler",
        }
    }

    /// Returns the command that shows the same relation in detail; `None` if the answer contains
    /// everything.
    pub fn command(self) -> Option<&'static str> {
        match self {
            Self::Uses => Some("references"),
            Self::Bases => Some("implementations --up"),
            Self::Definition => None,
            Self::Entry => Some("callees"),
            _ => Some(self.name()),
        }
    }
}

/// A question about the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationQuestion {
    /// What is asked for.
    pub relation: AskedRelation,
    /// Name as typed, without quotation marks and the punctuation of the sentence.
    pub name: String,
    /// Punctuation after the name, which may belong to it: `valid?` is a method in Ruby.
    after: String,
    /// True if the name is marked as one: by quotation marks, by a kind ("the trait NAME"), or
    /// because it is written like a name in code, and not like a word of a sentence.
    pub is_marked: bool,
}

/// Punctuation after the last word of a question.
const ENDS: &[char] = &['?', '.', ',', ';', '…'];
/// Quotation marks around a name.
const QUOTES: &[char] = &['`', '"', '\'', '“', '”', '‘', '’', '«', '»', '*'];

/// A word of a form.
enum FormWord {
    /// The name.
    Name,
    /// One of these words.
    OneOf(Vec<&'static str>),
    /// One of these words, or no word.
    Optional(Vec<&'static str>),
}

/// A form of question.
struct Form {
    relation: AskedRelation,
    words: Vec<FormWord>,
    /// True if the name must be written like one in code.
    needs_code_name: bool,
}

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let lines = include_str!("relation_questions.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(Form::read).collect()
});

impl Form {
    fn read(line: &'static str) -> Option<Self> {
        let (relation, words) = line.split_once(' ')?;
        let relation = AskedRelation::ALL.into_iter().find(|one| one.name() == relation)?;
        let words = words.strip_suffix(" !").map_or((words, false), |words| (words, true));
        let needs_code_name = words.1 || words.0.starts_with("NAME");
        let word = |word: &'static str| {
            let all = |inside: &'static str| inside.split('|').collect();
            match (word, word.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))) {
                ("NAME", _) => FormWord::Name,
                (_, Some(inside)) => FormWord::Optional(all(inside)),
                _ => FormWord::OneOf(all(word.trim_matches(['(', ')']))),
            }
        };
        Some(Self { relation, words: words.0.split(' ').map(word).collect(), needs_code_name })
    }
}

impl RelationQuestion {
    /// Parses a question. Returns `None` if it has a different form.
    pub fn read(text: &str) -> Option<Self> {
        let (words, after) = words_of(text);
        // A colon may introduce a name: "callers of: renew".
        let lower: Vec<String> = words.iter().map(|word| word.trim_end_matches(':').to_lowercase()).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        let end = lower.len() - lower.iter().rev().take_while(|word| BACK.contains(word)).count();
        let front = lower[..end].iter().take_while(|word| FRONT.contains(word)).count();
        // "is NAME tested" begins with a word that others can omit.
        let starts = [0, front].into_iter().take(1 + usize::from(front > 0));
        starts.into_iter().find_map(|start| {
            let asked = Words { typed: &words[start..end], lower: &lower[start..end] };
            FORMS.iter().find_map(|form| {
                let (name, has_kind) = asked.name(&form.words, 0, None)?;
                let plain = name.trim_matches(QUOTES);
                let is_code = is_code_name(plain);
                let is_marked = is_code || has_kind || plain.len() < name.len();
                let is_read = !plain.is_empty() && (is_code || !form.needs_code_name);
                let (relation, name, after) = (form.relation, plain.to_owned(), after.to_owned());
                is_read.then_some(Self { relation, name, after, is_marked })
            })
        })
    }

    /// Returns the spellings of the name, most likely first: the last question mark probably belongs
    /// to the sentence, and other punctuation may belong to the name.
    pub fn spellings(&self) -> Vec<String> {
        let (name, whole) = (self.name.as_str(), format!("{}{}", self.name, self.after));
        let without_mark = if self.after.is_empty() { name } else { whole.strip_suffix('?').unwrap_or(name) };
        let mut all: Vec<String> = Vec::new();
        for spelling in [without_mark, &whole, name, name.trim_end_matches(['?', '!', '.', ',', ';', ':'])] {
            if !spelling.is_empty() && !all.iter().any(|known| known == spelling) {
                all.push(spelling.to_owned());
            }
        }
        all
    }
}

/// Splits a question into words, without the punctuation after them, and with contractions spelled
/// out. Returns the punctuation after the last word as well.
fn words_of(text: &str) -> (Vec<&str>, &str) {
    let text = text.trim_end();
    let last = text.trim_end_matches("?!").trim_end_matches(ENDS).len();
    let (text, after) = text.split_at(last);
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        // Names can end with a question mark or an exclamation mark, as in Ruby.
        let word = word.trim_end_matches(',');
        match CONTRACTIONS.iter().find(|(short, ..)| word.eq_ignore_ascii_case(short)) {
            Some((_, first, second)) => words.extend([*first, *second]),
            None if word.is_empty() => {}
            None => words.push(word),
        }
    }
    (words, after)
}

/// Checks whether a name is written like one in code, and not like a word of a sentence.
pub fn is_code_name(name: &str) -> bool {
    let inside = name.get(1..).unwrap_or_default();
    name.contains(['_', '.', ':', '(', '#', '$', '!'])
        || name.contains(|c: char| c.is_uppercase())
        || inside.contains(|c: char| c.is_ascii_digit())
}

/// The words of a question, as typed and in lower case.
struct Words<'t> {
    typed: &'t [&'t str],
    lower: &'t [&'t str],
}

impl<'t> Words<'t> {
    /// Returns the name if the words from `at` have the given form, and whether its kind is given.
    fn name(&self, form: &[FormWord], at: usize, name: Option<(&'t str, bool)>) -> Option<(&'t str, bool)> {
        let Some((first, rest)) = form.split_first() else { return name.filter(|_| at == self.lower.len()) };
        // Articles count only before a name.
        let word = self.lower.get(at).copied();
        let skipped = || (word == Some("the")).then(|| self.name(form, at + 1, name)).flatten();
        match first {
            FormWord::Name => self.named(rest, at),
            FormWord::OneOf(all) if word.is_some_and(|word| all.contains(&word)) => self.name(rest, at + 1, name),
            FormWord::OneOf(_) => skipped(),
            FormWord::Optional(all) => {
                let taken = word.filter(|word| all.contains(word)).and_then(|_| self.name(rest, at + 1, name));
                taken.or_else(|| self.name(rest, at, name)).or_else(skipped)
            }
        }
    }

    /// Reads the name at `at`, with an article and a kind: "the trait NAME" or "the NAME trait".
    fn named(&self, rest: &[FormWord], at: usize) -> Option<(&'t str, bool)> {
        let is_kind = |at: usize| self.lower.get(at).is_some_and(|word| KINDS.contains(word));
        let start = at + self.lower.get(at..)?.iter().take_while(|word| ["the", "a", "an"].contains(word)).count();
        let read = |at: usize, has_kind: bool| {
            let name = *self.typed.get(at)?;
            let after = usize::from(is_kind(at + 1));
            let with = |after: usize| self.name(rest, at + 1 + after, Some((name, has_kind || after > 0)));
            with(after).or_else(|| with(0))
        };
        // "the Option class" is about `Option`, although an option is a kind.
        let follows_kind = is_kind(start) && !is_kind(start + 1);
        follows_kind.then(|| read(start + 1, true)).flatten().or_else(|| read(start, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_questions_about_the_graph() {
        for (text, relation, name) in [
            ("who calls Session.renew?", AskedRelation::Callers, "Session.renew"),
            ("which functions call `parse_date`", AskedRelation::Callers, "parse_date"),
            ("Where is renew called from?", AskedRelation::Callers, "renew"),
            ("what does renew call", AskedRelation::Callees, "renew"),
            ("where is MAX_RETRIES used", AskedRelation::Uses, "MAX_RETRIES"),
            ("which types implement the Store trait?", AskedRelation::Implementations, "Store"),
            ("list all subclasses of Widget", AskedRelation::Implementations, "Widget"),
            ("which interfaces does Session implement", AskedRelation::Bases, "Session"),
            ("which tests cover the function parse_date", AskedRelation::Tests, "parse_date"),
            ("tests for Session", AskedRelation::Tests, "Session"),
        ] {
            let read = RelationQuestion::read(text).map(|asked| (asked.relation, asked.name));
            assert_eq!(read, Some((relation, name.to_owned())), "{text}");
        }
    }

    #[test]
    fn punctuation_and_quotation_marks_do_not_change_a_question() {
        for text in [
            "who calls hidden_in",
            "who calls hidden_in?",
            "Who calls hidden_in ?",
            "who calls hidden_in??",
            "who calls hidden_in?!",
            "who calls hidden_in.",
            "who calls hidden_in;",
            "who calls `hidden_in`?",
            "who calls `hidden_in?`",
            "who calls \"hidden_in\".",
            "who calls “hidden_in”?",
            "callers of: hidden_in",
            "is hidden_in? called",
        ] {
            let read = RelationQuestion::read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(read.relation, AskedRelation::Callers, "{text}");
            assert!(read.spellings().contains(&"hidden_in".to_owned()), "{text}: {:?}", read.spellings());
        }
    }

    #[test]
    fn punctuation_may_belong_to_the_name() {
        for (text, spellings) in [
            ("who calls valid", &["valid"][..]),
            ("who calls valid?", &["valid", "valid?"]),
            ("who calls valid??", &["valid?", "valid??", "valid"]),
            ("who calls `valid?`", &["valid?", "valid"]),
            ("who calls `valid?`?", &["valid?", "valid??", "valid"]),
            ("who calls save!", &["save!", "save"]),
            ("who calls save!?", &["save!", "save!?", "save"]),
            ("where is valid? called", &["valid?", "valid"]),
            ("is valid called?", &["valid", "valid?"]),
            ("who calls addObserver:forKey:", &["addObserver:forKey:", "addObserver:forKey"]),
        ] {
            let read = RelationQuestion::read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(read.spellings(), spellings, "{text}");
        }
    }

    #[test]
    fn other_questions_are_left_to_the_search() {
        for text in ["which function calls the server back", "which tests cover expired sessions", "renew a session"] {
            assert_eq!(RelationQuestion::read(text), None, "{text}");
        }
    }
}
