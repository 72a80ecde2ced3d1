//! The changed files, parsed in their states before and after the change.

use super::change::{Change, FileChange};
use super::finding::FindingLocation;
use super::head::ParameterList;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::Path;
use whichfn_index::source::Sources;
use whichfn_index::store::{Generation, GraphFile, Manifest};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, ExpressionForm, LangId, Language, Registry, WordSort};
use whichfn_syntax::parse::{Call, Definition, Facts, Parser, Symbol, SymbolicValue, Syntax, SyntaxNode, parse};
use whichfn_system::error::Result;
use whichfn_system::threads;

/// A parsed file, in its state before or after the change.
pub(super) struct ParsedSide<'a> {
    pub text: String,
    pub language: &'a Language,
    /// Id of the language.
    pub id: LangId,
    pub facts: Facts,
    /// Syntax nodes, indexed by node number.
    nodes: Vec<SyntaxNode>,
}

impl<'a> ParsedSide<'a> {
    /// Parses a file's text. Returns `None` if neither the file name nor the text determines a
    /// language, or if the parser gives up.
    pub fn parse(registry: &'a Registry, parser: &mut Parser, path: &str, text: String) -> Result<Option<Self>> {
        let detected = registry.detect_text(path, &text);
        let Some(id) = detected.or_else(|| registry.detect_shebang(text.lines().next().unwrap_or_default())) else {
            return Ok(None);
        };
        let language = registry.language(id)?;
        let Some((facts, _)) = parse(parser, language, path, &text)? else { return Ok(None) };
        let nodes = Syntax::new(&facts.syntax).collect();
        Ok(Some(Self { text, language, id, facts, nodes }))
    }

    /// Returns the innermost definition at an offset.
    pub fn scope_at(&self, at: u32) -> LocalId {
        let definitions = self.facts.definitions.enumerate().skip(1);
        let around = definitions.filter(|(_, one)| (one.span.start_byte..one.span.end_byte).contains(&at));
        around.map(|(id, _)| id).last().unwrap_or(LocalId::FILE)
    }

    /// Returns the functions of the file by qualified name, without names that several functions
    /// share.
    pub fn functions(&self) -> BTreeMap<&str, (LocalId, &Definition)> {
        let mut found: BTreeMap<&str, Option<(LocalId, &Definition)>> = BTreeMap::new();
        for (id, definition) in self.facts.definitions.enumerate() {
            if definition.kind.is_function() && definition.kind != DefinitionKind::Macro && !definition.name.is_empty()
            {
                found.entry(&definition.qualified_name).and_modify(|one| *one = None).or_insert(Some((id, definition)));
            }
        }
        found.into_iter().filter_map(|(name, one)| Some((name, one?))).collect()
    }

    /// Returns the functions of the file that share a qualified name with others, by that name, each
    /// with its parameters. A name with a function whose parameters are unknown is left out.
    pub fn overloads(&self) -> BTreeMap<&str, Vec<(LocalId, ParameterList)>> {
        let mut found: BTreeMap<&str, Vec<(LocalId, Option<ParameterList>)>> = BTreeMap::new();
        for (id, definition) in self.facts.definitions.enumerate() {
            if definition.kind.is_function() && definition.kind != DefinitionKind::Macro && !definition.name.is_empty()
            {
                found.entry(&definition.qualified_name).or_default().push((id, self.head(definition)));
            }
        }
        let known = |all: Vec<(LocalId, Option<ParameterList>)>| all.into_iter().map(|(id, head)| Some((id, head?)));
        found.into_iter().filter_map(|(name, all)| Some((name, known(all).collect::<Option<Vec<_>>>()?))).collect()
    }

    /// Returns the types of the file whose constructors are declared by their header or by their
    /// fields, by qualified name, each with the parameters.
    pub fn constructors(&self) -> BTreeMap<&str, (LocalId, ParameterList)> {
        let types = self.facts.definitions.enumerate().filter(|(_, one)| one.kind.has_members());
        let with_list = |(id, one): (LocalId, _)| {
            let values = self.facts.named_values.iter().filter(|value| value.parent == id);
            let ends: Vec<usize> = values.map(|value| value.name_start as usize + value.name.len()).collect();
            Some((id, one, ParameterList::of_constructor(one, &self.text, self.language, &ends)?))
        };
        types.filter_map(with_list).map(|(id, one, list)| (&one.qualified_name[..], (id, list))).collect()
    }

    /// Returns the parameters of a function in the file.
    pub fn head(&self, definition: &Definition) -> Option<ParameterList> {
        ParameterList::from_definition(definition, &self.text, self.language)
    }

    /// Returns the syntax nodes of the file, in preorder.
    pub fn nodes(&self) -> &[SyntaxNode] {
        &self.nodes
    }

    /// Iterates over the leaves that are names, in source order: node number and node.
    pub fn identifiers(&self) -> impl Iterator<Item = (u32, &SyntaxNode)> {
        let is_leaf = |at: usize, node: &SyntaxNode| self.nodes.get(at + 1).is_none_or(|next| next.depth <= node.depth);
        let is_name = |node: &SyntaxNode| {
            let meaning = self.language.meaning(node.kind);
            meaning.words == Some(WordSort::Identifier) || meaning.form == ExpressionForm::Name
        };
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(move |(at, node)| is_name(node) && is_leaf(*at, node)).map(|(at, node)| (at as u32, node))
    }

    /// Iterates over the numbers of a node's direct children.
    pub fn children(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        let depth = self.nodes.get(at as usize).map_or(0, |node| node.depth);
        let inside =
            self.nodes.iter().enumerate().skip(at as usize + 1).take_while(move |(_, node)| node.depth > depth);
        inside.filter(move |(_, node)| node.parent == at).map(|(at, _)| at as u32)
    }

    /// Iterates over the numbers of a node's direct children that are no comments.
    pub fn code_children(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        let is_comment =
            |at: &u32| self.language.meaning(self.nodes[*at as usize].kind).words == Some(WordSort::Comment);
        self.children(at).filter(move |at| !is_comment(at))
    }

    /// Returns the text of the syntax node with the given number.
    pub fn node(&self, number: u32) -> &str {
        let node = self.nodes.get(number as usize).copied().unwrap_or_default();
        self.text.get(node.start as usize..node.end as usize).unwrap_or_default()
    }

    /// Returns the text of a definition.
    pub fn text_of(&self, definition: &Definition) -> &str {
        let span = definition.span;
        self.text.get(span.start_byte as usize..span.end_byte as usize).unwrap_or_default()
    }

    /// Returns the name of the function that a call refers to.
    pub fn called(&self, call: &Call) -> Option<Symbol> {
        let flow = &self.facts.flow;
        match flow.values.get(call.callee)? {
            SymbolicValue::Variable(variable) => flow.variables.get(*variable).map(|variable| variable.symbol),
            SymbolicValue::Free { symbol, .. } | SymbolicValue::Access(_, symbol) => Some(*symbol),
            _ => None,
        }
    }
}

/// A changed file.
pub(super) struct ChangedFile<'a> {
    /// Id of the file in the index, or `None` if the file was deleted.
    pub file: Option<FileId>,
    /// Former path from the root; empty if the file is new.
    pub old_path: String,
    /// The file before the change, or `None` if it is new or was not parsed.
    pub old: Option<ParsedSide<'a>>,
    /// The file after the change, or `None` if it was deleted or not parsed.
    pub new: Option<ParsedSide<'a>>,
    /// Hashes of the old lines, without surrounding whitespace.
    old_lines: FxHashSet<u64>,
    /// Pairs of hashes of old lines that followed each other, without blank lines.
    old_pairs: FxHashSet<(u64, u64)>,
}

impl ChangedFile<'_> {
    /// Returns the lines that are new or changed. Line numbers start at 1.
    pub fn touched_lines(&self) -> FxHashSet<u32> {
        let lines = self.new.iter().flat_map(|new| new.text.lines()).zip(1..);
        let is_code = |line: &str| !line.trim().is_empty();
        lines
            .filter(|(line, _)| is_code(line) && !self.old_lines.contains(&line_hash(line)))
            .map(|(_, at)| at)
            .collect()
    }

    /// Checks whether any line in an inclusive range is new or changed, or the change removed a
    /// line between them. Line numbers start at 1.
    pub fn touches(&self, (first, last): (u32, u32)) -> bool {
        let Some(new) = &self.new else { return false };
        let lines = new.text.lines().skip(first as usize - 1).take((last + 1).saturating_sub(first) as usize);
        let lines: Vec<u64> = lines.filter(|line| !line.trim().is_empty()).map(line_hash).collect();
        lines.iter().any(|line| !self.old_lines.contains(line))
            || lines.windows(2).any(|pair| !self.old_pairs.contains(&(pair[0], pair[1])))
    }
}

fn line_hash(line: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(line.trim().as_bytes())
}

/// A parsed change, together with the index of the working tree.
pub(super) struct Sides<'a> {
    pub graph: &'a GraphFile,
    pub registry: &'a Registry,
    root: &'a Path,
    generation: &'a Generation,
    pub files: Vec<ChangedFile<'a>>,
    by_file: FxHashMap<FileId, usize>,
    /// Paths of files that are skipped because of an unresolved merge conflict.
    pub conflicts: Vec<String>,
    /// Paths of files that are skipped because they no longer parse.
    pub broken: Vec<String>,
}

/// The result of loading one file of a change.
enum LoadedSides<'a> {
    Same,
    Conflict(String),
    Broken(String),
    File(Box<ChangedFile<'a>>),
}

impl<'a> Sides<'a> {
    /// Parses the changed files in their states before and after the change.
    ///
    /// # Errors
    /// Returns an error if a language's data files are invalid.
    pub fn new(root: &'a Path, generation: &'a Generation, registry: &'a Registry, change: &Change) -> Result<Self> {
        let graph = &generation.graph;
        let indexed: FxHashMap<&str, FileId> = graph.file_ids().map(|file| (graph.path(file), file)).collect();
        let load =
            |parser: &mut Parser, change: &FileChange| load_sides(root, generation, registry, &indexed, parser, change);
        let loaded: Vec<LoadedSides<'_>> =
            change.files.par_iter().map_init(Parser::default, load).collect::<Result<Vec<_>>>()?;
        let (conflicts, broken, files) = (change.unmerged.clone(), Vec::new(), Vec::new());
        let by_file = FxHashMap::default();
        let mut sides = Self { graph, registry, root, generation, files, by_file, conflicts, broken };
        for loaded in loaded {
            match loaded {
                LoadedSides::Same => {}
                LoadedSides::Conflict(path) => sides.conflicts.push(path),
                LoadedSides::Broken(path) => sides.broken.push(path),
                LoadedSides::File(file) => {
                    sides.by_file.extend(file.file.map(|id| (id, sides.files.len())));
                    sides.files.push(*file);
                }
            }
        }
        Ok(sides)
    }

    /// Returns access to the source text of the working tree.
    pub fn sources(&self) -> Sources<'a> {
        Sources::new(self.root, self.generation)
    }

    /// Returns the changed file with the given id in the index, or `None` if that file did not
    /// change.
    pub fn changed(&self, file: FileId) -> Option<&ChangedFile<'a>> {
        self.by_file.get(&file).map(|&at| &self.files[at])
    }

    /// Returns the index in `files` of the changed file with the given id in the index.
    pub fn changed_index(&self, file: FileId) -> Option<usize> {
        self.by_file.get(&file).copied()
    }

    /// Returns a word for messages with a number of uses, if the index may lack some of them.
    pub fn known(&self) -> &'static str {
        if !self.manifest().unlinked.is_empty() { "known " } else { "" }
    }

    /// Returns the description of the index.
    pub fn manifest(&self) -> &'a Manifest {
        &self.generation.manifest
    }

    /// Returns the name of the repository's directory.
    pub fn root(&self) -> &'a str {
        self.manifest().root_name()
    }

    /// Checks whether all calls of a language are linked.
    pub fn is_linked(&self, language: LangId) -> bool {
        self.manifest().unlinked.iter().all(|one| one.language != language.0)
    }

    /// Returns what is not known about the calls of the changed files, one line each; of all files,
    /// if no change is checked.
    pub fn notices(&self) -> Vec<String> {
        let sources = self.sources();
        for file in &self.files {
            for side in file.old.iter().chain(&file.new) {
                sources.needs_calls_in(side.id.0);
            }
        }
        if self.files.is_empty() {
            sources.needs_all_calls();
        }
        sources.notices()
    }

    /// Returns the location of a definition in the index, with a note.
    pub fn location(&self, id: DefinitionId, note: &str) -> FindingLocation {
        let row = self.graph.definition(id);
        let (path, name) = (self.graph.path(row.file).to_owned(), self.graph.qualified_name(id).to_owned());
        FindingLocation { path, line: row.line, name, note: note.to_owned() }
    }

    /// Returns the language of a file in the index.
    pub fn language(&self, file: FileId) -> Option<&'a Language> {
        self.graph.language(file).and_then(|number| self.registry.language(LangId(number)).ok())
    }

    /// Returns the id in the index of a definition in the new version of a changed file.
    pub fn definition(&self, file: FileId, local: LocalId) -> DefinitionId {
        DefinitionId::new(self.graph.file(file).first_definition.index() + local.index())
    }
}

fn load_sides<'a>(
    root: &'a Path,
    generation: &'a Generation,
    registry: &'a Registry,
    indexed: &FxHashMap<&str, FileId>,
    parser: &mut Parser,
    change: &FileChange,
) -> Result<LoadedSides<'a>> {
    let file = change.path.as_deref().and_then(|path| indexed.get(path).copied());
    let new_text = file.map(|file| Sources::new(root, generation).text(file).to_string()).unwrap_or_default();
    let is_same = change.old_text.as_deref() == Some(&new_text) && change.old_path == change.path;
    // There is nothing to report about a file that is not indexed, unless the file was deleted.
    if (change.path.is_some() && file.is_none()) || is_same {
        return Ok(LoadedSides::Same);
    }
    let path = change.path.as_deref().or(change.old_path.as_deref()).unwrap_or_default();
    if has_conflict(&new_text) {
        return Ok(LoadedSides::Conflict(path.to_owned()));
    }
    let mut side = |path: &Option<String>, text: Option<String>| match (path, text) {
        (Some(path), Some(text)) => ParsedSide::parse(registry, parser, path, text),
        _ => Ok(None),
    };
    let old = side(&change.old_path, change.old_text.clone())?;
    let new = side(&change.path, file.map(|_| new_text))?;
    let has_errors = |side: &Option<ParsedSide<'_>>| side.as_ref().is_some_and(|side| side.facts.has_errors);
    if has_errors(&new) && old.is_some() && !has_errors(&old) {
        return Ok(LoadedSides::Broken(path.to_owned()));
    }
    let old_path = change.old_path.clone().unwrap_or_default();
    let old_text = change.old_text.as_deref().unwrap_or_default();
    let old_lines = old_text.lines().map(line_hash).collect();
    let code: Vec<u64> = old_text.lines().filter(|line| !line.trim().is_empty()).map(line_hash).collect();
    let old_pairs = code.windows(2).map(|pair| (pair[0], pair[1])).collect();
    Ok(LoadedSides::File(Box::new(ChangedFile { file, old_path, old, new, old_lines, old_pairs })))
}

/// Checks whether a string contains git's conflict markers.
fn has_conflict(text: &str) -> bool {
    let has = |mark: &str| text.lines().any(|line| line.starts_with(mark));
    has("<<<<<<< ") && has(">>>>>>> ")
}

/// A cache of parsed files. The files of the change are already parsed.
pub(super) struct ParsedFiles<'s, 'a> {
    sides: &'s Sides<'a>,
    parser: Parser,
    /// Parsed files outside the change, with `None` for files that could not be parsed.
    read: FxHashMap<FileId, Option<ParsedSide<'a>>>,
}

impl<'s, 'a> ParsedFiles<'s, 'a> {
    /// Creates an empty cache for the files outside a change.
    pub fn new(sides: &'s Sides<'a>) -> Self {
        Self { sides, parser: Parser::default(), read: FxHashMap::default() }
    }

    /// Returns a file in its state in the working tree, or `None` if it could not be parsed.
    ///
    /// # Errors
    /// Returns an error if a language's data files are invalid.
    pub fn side(&mut self, file: FileId) -> Result<Option<&ParsedSide<'a>>> {
        if let Some(side) = self.sides.changed(file).and_then(|changed| changed.new.as_ref()) {
            return Ok(Some(side));
        }
        if !self.read.contains_key(&file) {
            let text = self.sides.sources().text(file).to_string();
            let path = self.sides.graph.path(file);
            let Self { sides, parser, .. } = self;
            let side = threads::in_pool(|| ParsedSide::parse(sides.registry, parser, path, text))??;
            self.read.insert(file, side);
        }
        Ok(self.read.get(&file).and_then(Option::as_ref))
    }
}
