//! A language that is ready for use: its [`Spec`], with node kinds and fields converted to the
//! parser's numbers.

use super::framework::Framework;
use super::meaning_table::MeaningTable;
use super::node_meaning::NodeMeaning;
use super::pattern::Patterns;
use super::query::QueryText;
use super::rewrites::Rewrites;
use super::role::Role;
use super::spec::{Marker, Spec};
use crate::lang::FlowKind;
use globset::{Glob, GlobSet, GlobSetBuilder};
use std::num::NonZeroU16;
use tree_sitter::Language as Parser;
use whichfn_system::error::{Error, Kind, Result};

/// A language that is ready for use.
pub struct Language {
    /// Contents of the language's grammar file.
    pub spec: Spec,
    /// Tree-sitter parser of the language.
    pub parser: Parser,
    /// Meaning of each node kind, indexed by the parser's number for the kind. The last one is that of
    /// all other kinds, such as errors.
    meanings: Vec<NodeMeaning>,
    /// For each of the `operators` in `[expressions]`, the fields of the value and of the sign.
    pub operator_fields: Vec<[Option<NonZeroU16>; 2]>,
    /// True if reading a member may call a definition (a getter).
    pub has_properties: bool,
    /// True if an assignment to a member may call another method than a read.
    pub has_setters: bool,
    /// Globs that match the paths of test files.
    test_paths: GlobSet,
    test_names: GlobSet,
    case_files: GlobSet,
    /// Globs that match the names of functions that a test runner runs.
    case_names: GlobSet,
    /// Patterns to search for in the language's syntax trees.
    pub patterns: Patterns,
    /// Frameworks of the language.
    pub frameworks: Vec<Framework>,
    /// Forms that the parser cannot read.
    pub rewrites: Rewrites,
}

impl Language {
    /// Compiles a language from its grammar file and queries.
    pub(super) fn new(spec: Spec, parser: Parser, queries: &[QueryText], frameworks: &[(&str, &str)]) -> Result<Self> {
        let meanings = MeaningTable {
            name: &spec.head.name,
            parser: &parser,
            table: vec![NodeMeaning::default(); parser.node_kind_count() + 1],
        }
        .fill(&spec)?;
        let test_paths = globs(&spec.head.name, &spec.tests.paths)?;
        let test_names = globs(&spec.head.name, &spec.tests.names)?;
        let case_files = globs(&spec.head.name, &spec.tests.case_files)?;
        let case_names = globs(&spec.head.name, &spec.tests.cases)?;
        let patterns = Patterns::read(&parser, queries)?;
        let has_properties =
            !spec.scopes.markers(Marker::Property).is_empty() || patterns.roles.contains(&Role::Property);
        let has_setters = !spec.scopes.markers(Marker::Accessor).is_empty() || patterns.roles.contains(&Role::Setter);
        let frameworks = read_frameworks(&spec.head.name, frameworks)?;
        let rewrites = Rewrites::new(&spec.head.name, &spec.expressions.rewrites)?;
        let field = |name: &Option<String>| name.as_ref().and_then(|name| parser.field_id_for_name(name));
        let operator_fields = spec.expressions.operators.iter().map(|one| [field(&one.object), field(&one.sign)]);
        let operator_fields = operator_fields.collect();
        Ok(Self {
            spec,
            parser,
            meanings,
            operator_fields,
            has_properties,
            has_setters,
            test_paths,
            test_names,
            case_files,
            case_names,
            patterns,
            frameworks,
            rewrites,
        })
    }

    /// Returns the meaning of the node kind with the given number.
    pub fn meaning(&self, kind: u16) -> &NodeMeaning {
        let last = self.meanings.len() - 1;
        &self.meanings[usize::from(kind).min(last)]
    }

    /// Checks whether a file contains tests, given its path from the root with slashes.
    pub fn is_test_path(&self, path: &str) -> bool {
        self.test_paths.is_match(path)
    }

    /// Checks whether a definition is a test, given the path of its file and its name.
    pub fn is_test_name(&self, path: &str, name: &str) -> bool {
        self.test_names.is_match(name) && (self.case_files.is_empty() || self.case_files.is_match(path))
    }

    /// Checks whether a node of a kind may be the call that takes the body of a test.
    pub fn is_test_call(&self, kind: u16) -> bool {
        let meaning = self.meaning(kind);
        meaning.case || meaning.flow & FlowKind::Calls.bit() != 0
    }

    /// Checks whether a test runner runs the functions in test code that have this name.
    pub fn is_case_name(&self, name: &str) -> bool {
        self.case_names.is_match(name)
    }
}

/// Reads the frameworks of a language. `texts` contains the name and the contents of each file.
fn read_frameworks(language: &str, texts: &[(&str, &str)]) -> Result<Vec<Framework>> {
    let mut found = Vec::new();
    // The list of languages is on one line, so that other files need not be read.
    let quoted = format!("\"{language}\"");
    let names_it =
        |text: &str| text.lines().find(|line| line.starts_with("languages")).is_some_and(|line| line.contains(&quoted));
    for (name, text) in texts.iter().filter(|(_, text)| names_it(text)) {
        let mut framework: Framework = toml::from_str(text).map_err(|cause| {
            let what = format!("grammars/frameworks/{name}.toml: {}", cause.message());
            Error::new(Kind::Language, what, "see grammars/frameworks/README.md for the fields")
        })?;
        framework.reads.retain(|rule| rule.languages.is_empty() || rule.languages.iter().any(|one| one == language));
        let paths = globs(&format!("frameworks/{name}"), &framework.paths)?;
        found.push(framework.compiled(paths));
    }
    Ok(found)
}

fn globs(name: &str, patterns: &[String]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern).map_err(|cause| {
            Error::new(Kind::Language, format!("grammars/{name}.toml: {cause}"), "correct the glob")
        })?);
    }
    set.build()
        .map_err(|cause| Error::new(Kind::Language, format!("grammars/{name}.toml: {cause}"), "correct the globs"))
}
