//! The references of a definition or value: every place that uses it, found when the question is
//! asked.
//!
//! The blocks of words select the files that may contain the name. In each such file, every
//! occurrence of the name in code is a candidate: its syntax node determines how the name is used
//! ([`syntax`]), and the names of the linked files determine what it refers to
//! ([`whichfn_graph::UseResolver`]). If the declared types do not determine what a call refers to,
//! linking does. A use of a method that the wanted method overrides is possible, and so is one in
//! the code of a template ([`Registry::code_in_template`]). An occurrence
//! whose object has an unknown type is listed last, as a use by name only.
//!
//! **Invariant:** the declaration itself, comments and strings are never listed.
//!
//! **Cost:** once for all targets with one name ([`targets`]), the text of the files with the words
//! of the name. If the name occurs anywhere but in
//! its declaration, also the facts of all files in the language, and the syntax trees of the files
//! with the name itself, which are not parsed again.

mod candidates;
mod file_uses;
mod syntax;
mod target;
mod targets;

use super::calls::named_around;
use super::location::{DefinitionLocation, qualified_name};
use super::named::{Named, named_location};
use super::place::Place;
use crate::search::ListingFilter;
pub use candidates::NameWords;
pub(super) use candidates::files_with;
use file_uses::FileUses;
use std::collections::BTreeMap;
use syntax::SyntaxOf;
pub use syntax::{FileSyntax, Position};
use target::Target;
use targets::{FoundUses, Targets, UseCounts};
use whichfn_graph::{FileFacts, LinkedFiles, Source, UseResolver};
use whichfn_index::source::Sources;
use whichfn_index::store::{GraphFile, TypeGraph};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_system::error::Result;
use whichfn_text::{file_name, occurrences};

/// How a place uses a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseKind {
    /// The name is called, or an object of the type is created.
    Call,
    /// The name is imported or exported again.
    Import,
    /// The type of a variable, parameter or result.
    Type,
    /// A base type.
    Base,
    /// The type of a caught error.
    Catch,
    /// A raised error.
    Raise,
    /// A decorator, annotation or attribute.
    Decorator,
    /// A member of an object that is read or written.
    Attribute,
    /// Any other use as a value: passed, stored, compared.
    Value,
}

impl UseKind {
    /// Returns the name in text and JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Import => "import",
            Self::Type => "type",
            Self::Base => "base",
            Self::Catch => "catch",
            Self::Raise => "raise",
            Self::Decorator => "decorator",
            Self::Attribute => "attribute",
            Self::Value => "value",
        }
    }
}

/// How certain it is that a place refers to the definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// The place refers to the definition.
    Certain,
    /// The place refers to the given method, which the definition overrides or implements, or to a
    /// member of a type outside the repository; it runs the definition if the object has its type.
    Possible(Option<DefinitionId>),
    /// Only the name indicates that the place refers to the definition.
    ByName,
}

/// A place that uses a definition or value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Position of the name.
    pub place: Place,
    /// How the name is used.
    pub kind: UseKind,
    /// Innermost definition around the place, such as an anonymous function; the file at its top
    /// level.
    pub around: DefinitionId,
    /// Qualified name of the definition around the place; the name of the file at its top level.
    pub inside: String,
    /// True if the place is in a test.
    pub is_test: bool,
    /// How certain it is that the place refers to the definition.
    pub certainty: Certainty,
    /// Qualified name of the overridden method that a possible use refers to.
    pub through: Option<String>,
}

impl Use {
    /// Returns the use with another certainty.
    fn with(&self, graph: &GraphFile, certainty: Certainty) -> Self {
        let through = match certainty {
            Certainty::Possible(base) => base.map(|base| qualified_name(graph, base)),
            Certainty::Certain | Certainty::ByName => None,
        };
        Self { certainty, through, ..self.clone() }
    }

    /// Describes the use: its kind and, unless it is certain, how uncertain it is.
    pub fn phrase(&self) -> String {
        let kind = self.kind.name();
        match (self.certainty, &self.through) {
            (Certainty::Certain, _) => kind.to_owned(),
            (Certainty::Possible(_), Some(base)) => format!("{kind}, possible through {base}"),
            (Certainty::Possible(_), None) => format!("{kind}, possible"),
            (Certainty::ByName, _) => format!("{kind}, by name only"),
        }
    }
}

/// The references of a definition or value.
#[derive(Debug, Clone)]
pub struct References {
    /// Requested definition or value.
    pub of: DefinitionLocation,
    /// Uses that are shown: first the certain ones, then the possible ones, then those by name
    /// only; within each group, tests last, and otherwise sorted by path and position.
    pub uses: Vec<Use>,
    /// Number of certain uses, including those that are not shown.
    pub certain: usize,
    /// Number of possible uses, including those that are not shown.
    pub possible: usize,
    /// Number of uses by name only, including those that are not shown.
    pub by_name: usize,
    /// Number of uses that the filter does not accept.
    pub filtered: usize,
    /// See [`Sources::notices`]. The uses in files that changed are not listed.
    pub notices: Vec<String>,
}

impl References {
    /// Describes how many uses are possible, and how many are by name only.
    pub fn uncertain(&self) -> String {
        let counts = [(self.possible, "possible"), (self.by_name, "by name only")];
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}")).collect()
    }

    /// Returns the number of all uses, including those that are not shown.
    pub fn total(&self) -> usize {
        self.certain + self.possible + self.by_name
    }
}

/// Finds the references of a definition or value that the filter accepts, and returns at most `max`
/// of them.
///
/// # Errors
/// Returns an error if a language's data is invalid.
pub fn references(
    sources: &Sources<'_>,
    registry: &Registry,
    named: Named,
    max: usize,
    filter: &ListingFilter,
) -> Result<References> {
    let mut found = references_of_all(sources, registry, &[named], max, filter)?;
    Ok(found.pop().unwrap_or_else(|| sources.graph().reject()))
}

/// Finds the references of each definition or value that the filter accepts, and returns at most
/// `max` of each.
///
/// # Errors
/// Returns an error if a language's data is invalid.
pub fn references_of_all(
    sources: &Sources<'_>,
    registry: &Registry,
    all: &[Named],
    max: usize,
    filter: &ListingFilter,
) -> Result<Vec<References>> {
    let graph = sources.graph();
    let types = TypeGraph::new(graph, registry);
    let targets: Vec<Target> = all.iter().map(|&named| Target::new(graph, &types, named)).collect();
    let together = registry.linked_together();
    let mut groups: BTreeMap<(Option<LangId>, &str), Vec<usize>> = BTreeMap::new();
    for (number, target) in targets.iter().enumerate() {
        let language = language_of(graph, registry, target.file).map(|language| together.of(language));
        groups.entry((language, &target.name)).or_default().push(number);
        if target.is_callable {
            sources.needs_calls_of(target.file);
        }
    }
    let mut found: Vec<Option<References>> = all.iter().map(|_| None).collect();
    for ((language, _), members) in groups {
        let mut of_name = Targets::new(members.iter().map(|&number| &targets[number]).collect());
        let mut uses = uses_of(sources, registry, &mut of_name, language)?;
        // The parser also reads the code of an inner template that is code of the language (`${name}`).
        let known = uses.places();
        let in_templates = members.first().map(|&first| uses_in_templates(sources, registry, &targets[first]));
        for (file, one) in in_templates
            .into_iter()
            .flatten()
            .filter(|(file, one)| !known.contains(&(*file, one.place.line, one.place.byte)))
        {
            uses.push_for_all(file, one, Certainty::Possible(None));
        }
        let uses = uses.counted(|file, one| filter.accepts_place(file, one.is_test));
        for (at, &number) in members.iter().enumerate() {
            let (first, UseCounts { by_group: [certain, possible, by_name], filtered }) = uses.of(&of_name, at, max);
            let uses = first.into_iter().map(|(one, certainty)| one.with(graph, certainty)).collect();
            let of = named_location(sources, all[number]);
            let notices = Vec::new();
            found[number] = Some(References { of, uses, certain, possible, by_name, filtered, notices });
        }
    }
    let notices = sources.notices();
    Ok(found.into_iter().flatten().map(|one| References { notices: notices.clone(), ..one }).collect())
}

/// Returns all uses of targets in languages that are linked with `language`.
fn uses_of(
    sources: &Sources<'_>,
    registry: &Registry,
    targets: &mut Targets<'_>,
    language: Option<LangId>,
) -> Result<FoundUses> {
    let (graph, mut found) = (sources.graph(), targets.nothing_found());
    let (Some(language), Some(&first)) = (language, targets.all.first()) else { return Ok(found) };
    let together = registry.linked_together();
    let is_linked = |other: LangId| together.of(other) == together.of(language);
    let with_name = files_with(graph, &first.name, |file| language_of(graph, registry, file).is_some_and(is_linked));
    // The tables of names take most of the time.
    let asked = targets.all.iter().copied().find(|target| target.element.is_some()).unwrap_or(first);
    if !with_name.iter().any(|&file| asked.may_be_used(graph, file, &sources.text(file))) {
        return Ok(found);
    }
    let all = linked_sources(graph, registry, is_linked);
    let linked = LinkedFiles::around(first.file, sources.root_name(), &all, registry);
    let mut resolver = UseResolver::new(&linked);
    targets.set_namesakes(&first.declare_all(graph, &mut resolver, &with_name));
    let needs_calls = targets.all.iter().any(|target| target.is_callable);
    let mut syntax = SyntaxOf::new(registry);
    for &file in &with_name {
        let text = sources.text(file);
        // `get` is a part of many other names, and decoding a tree takes longer than this search.
        let mut names = [Some(first.name.as_str()), asked.element.as_deref()].into_iter().flatten();
        if !names.any(|name| occurrences(&text, name).next().is_some()) {
            continue;
        }
        let Some(language) = graph.language(file).map(LangId) else { continue };
        let uses = FileUses::new(graph, (file, &text), syntax.of(language)?, &resolver, needs_calls);
        let at = |offset, kind, name: &str| at(graph, (file, &text), offset, kind, uses.scope_at(offset), name);
        targets.add(graph, (file, &uses), at, &mut found);
    }
    Ok(found)
}

/// Returns the uses of a name in the code of templates, which are possible: a template receives its
/// names when it is rendered.
fn uses_in_templates(sources: &Sources<'_>, registry: &Registry, target: &Target) -> Vec<(FileId, Use)> {
    let (graph, name) = (sources.graph(), &target.name[..]);
    let language = graph.language(target.file);
    // A source file contains templates with names of its own language.
    let may_contain = |file: FileId| match graph.language(file) {
        None => registry.is_template(file_name(graph.path(file))),
        own => own == language,
    };
    let mut found = Vec::new();
    for file in files_with(graph, name, may_contain) {
        let text = sources.text(file);
        let is_template = graph.language(file).is_none();
        let code = if is_template { registry.code_in_template(&text) } else { registry.code_in_inner_templates(&text) };
        let around = graph.file(file).first_definition;
        let is_code = |offset: &usize| {
            code.get(code.partition_point(|range| range.end <= *offset)).is_some_and(|range| range.contains(offset))
        };
        found.extend(occurrences(&text, name).filter(is_code).map(|offset| {
            let is_member = text[..offset].ends_with('.');
            let kind = match text[offset + name.len()..].trim_start().starts_with('(') {
                true => UseKind::Call,
                false if is_member => UseKind::Attribute,
                false => UseKind::Value,
            };
            (file, at(graph, (file, &text), offset, kind, around, name))
        }));
    }
    found
}

fn language_of(graph: &GraphFile, registry: &Registry, file: FileId) -> Option<LangId> {
    graph.language(file).map(LangId).or_else(|| registry.manifest_language(file_name(graph.path(file))))
}

/// Returns all files as inputs of linking. Only those of the wanted languages have facts.
fn linked_sources<'g>(graph: &'g GraphFile, registry: &Registry, wanted: impl Fn(LangId) -> bool) -> Vec<Source<'g>> {
    let source = |file: FileId| {
        let language = language_of(graph, registry, file);
        let facts: Option<FileFacts<'g>> = language.is_some_and(&wanted).then(|| graph.facts(file));
        Source { path: graph.path(file), language, facts, definitions: graph.definitions_of(file).len() as u32 }
    };
    graph.file_ids().map(source).collect()
}

/// Returns the use at an offset of a file's text, as if it were certain.
fn at(
    graph: &GraphFile,
    (file, text): (FileId, &str),
    offset: usize,
    kind: UseKind,
    around: DefinitionId,
    name: &str,
) -> Use {
    Use {
        place: Place::of_name(graph.path(file), text, offset, name),
        kind,
        around,
        inside: qualified_name(graph, named_around(graph, around)),
        is_test: graph.traits(named_around(graph, around)).is_test(),
        certainty: Certainty::Certain,
        through: None,
    }
}
