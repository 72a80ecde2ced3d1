//! What a question about the graph is about, and what the graph contains about it, in words.

use super::{AskedRelation, DefinitionLocation};

/// Maximum number of definitions that are named.
const NAMED: usize = 3;

/// Subject of a question about the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphSubject {
    /// Relation that the question asks for.
    pub relation: AskedRelation,
    /// Name in the question.
    pub typed: String,
    /// Definitions and values that the question is about, with one for all overloads; empty if
    /// nothing has the name, or if too many definitions do.
    pub of: Vec<SubjectDefinition>,
    /// Number of definitions and values with the name, with one for all overloads.
    pub matches: usize,
    /// Number of answers in the graph, including those that are not shown. If it is 0, the results
    /// come from a search.
    pub total: usize,
    /// Number of uses of definitions whose callers are asked for, if they have none.
    pub uses: usize,
}

/// A definition or value that a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubjectDefinition {
    /// Its location.
    pub location: DefinitionLocation,
    /// Title of its language.
    pub language: String,
}

impl GraphSubject {
    /// Returns the qualified names of the definitions and values, without repetitions.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for one in &self.of {
            if !names.contains(&one.location.name.as_str()) {
                names.push(&one.location.name);
            }
        }
        names
    }

    /// Checks whether the answer is a list, of which no member is more likely than another.
    pub fn is_list(&self) -> bool {
        !matches!(self.relation, AskedRelation::Definition | AskedRelation::Entry)
    }

    /// Counts the answers, of which `shown` are shown, in words; `None` if the graph contains none,
    /// or if the answer is no list. `place` formats a location.
    pub fn counted(&self, shown: usize, place: impl Fn(&DefinitionLocation) -> String) -> Option<String> {
        if self.total == 0 || !self.is_list() && self.of.len() < 2 {
            return None;
        }
        let noun = self.relation.noun();
        let count = match (shown < self.total, self.total) {
            (true, total) => format!("{shown} of {total} {noun}s"),
            (false, 1) => format!("1 {noun}"),
            (false, total) => format!("{total} {noun}s"),
        };
        Some(format!("{count} of {}", self.named(place)))
    }

    /// Says that the graph contains no answer, and why; `None` if it does.
    pub fn missing(&self, place: impl Fn(&DefinitionLocation) -> String) -> Option<String> {
        let noun = self.relation.noun();
        Some(match (self.total, self.matches) {
            (1.., _) => return None,
            (0, 0) => {
                let is_any = matches!(self.relation, AskedRelation::Uses | AskedRelation::Definition);
                let what = if is_any { "nothing" } else { "no function or type" };
                format!("{what} is called {} in this repository", self.typed)
            }
            (0, matches) if self.of.is_empty() => format!("{} matches {matches} definitions", self.typed),
            (0, _) => {
                let uses = match self.uses {
                    0 => String::new(),
                    1 => format!(", but 1 other use (whichfn references {})", self.typed),
                    uses => format!(", but {uses} other uses (whichfn references {})", self.typed),
                };
                format!("no {noun}s of {} are known{uses}", self.named(place))
            }
        })
    }

    /// Returns the name of the only definition, or the names, locations and languages of several.
    fn named(&self, place: impl Fn(&DefinitionLocation) -> String) -> String {
        let [first, others @ ..] = &self.of[..] else { return self.typed.clone() };
        if others.is_empty() {
            return first.location.name.clone();
        }
        let is_mixed = others.iter().any(|other| other.language != first.language);
        let name = |one: &SubjectDefinition| {
            let language = if is_mixed { format!(", {}", one.language) } else { String::new() };
            format!("{} ({}{language})", one.location.name, place(&one.location))
        };
        let mut names: Vec<String> = self.of.iter().take(NAMED).map(name).collect();
        if self.of.len() > NAMED {
            names.push(format!("{} more", self.of.len() - NAMED));
        }
        format!("{} definitions: {}", self.of.len(), names.join(", "))
    }
}
