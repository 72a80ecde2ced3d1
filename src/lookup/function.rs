//! A function, read: its text, its words by what they are for, and what it does.

use super::flow::FlowSummary;
use crate::fragment::SyntaxTree;
use crate::ids::{DefinitionId, FileId};
use crate::lang::{
    DefinitionKind, Idioms, LangId, Language, Registry, called, has_sign, parameter_name, parameters, type_before,
};
use crate::source::{Sources, piece};
use crate::wordvec::{Lexicon, Stem, distinct};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Lines that are compared with a sentence together, and how far apart such blocks begin.
const BLOCK: (usize, usize) = (6, 3);

/// A function as the reader has it before it.
#[derive(Debug, Clone)]
pub struct Function {
    /// Which it is.
    pub id: DefinitionId,
    /// Its own name.
    pub name: String,
    /// Its head on one line.
    pub signature: String,
    /// The first paragraph of its documentation.
    pub doc: String,
    /// All of it, with decorators and the doc comment before it.
    pub text: String,
    /// Its lines.
    pub lines: u32,
    /// What it does.
    pub flow: FlowSummary,
    /// Its parameters as written, without the receiver.
    pub parameters: Vec<String>,
    /// Names of what it calls, distinct, in order.
    pub calls: Vec<String>,
    /// The first line of each of its steps: what it loops over, the conditions it looks at, what it raises.
    pub steps: Vec<String>,
    /// Each value that it gives back, as written, in order.
    pub returned: Vec<String>,
    /// The type that its head names for what it gives back, as written; empty where it names none.
    pub return_type: String,
    /// It calls itself.
    pub recursive: bool,
    /// It computes.
    pub computes: bool,
    /// It is a constructor.
    pub constructor: bool,
    /// The signs of its language.
    pub idioms: Arc<Idioms>,
}

impl Function {
    /// Whether its text has any of some signs.
    pub fn has_any(&self, signs: &[String]) -> bool {
        has_sign(&self.text, signs)
    }

    /// Whether its return type has any of some words, which are in lower case.
    pub fn returns_any(&self, words: &[String]) -> bool {
        let mut written = self.return_type.split(|c: char| !c.is_alphanumeric());
        written.any(|word| words.contains(&word.to_lowercase()))
    }
}

/// The words of a function, by what they are for.
#[derive(Debug, Clone)]
pub struct FunctionWords {
    /// Of all of it, in order.
    pub all: Vec<Stem>,
    /// Of all of it, distinct.
    pub distinct: Vec<Stem>,
    /// Of its own name, in order.
    pub name: Vec<Stem>,
    /// Of its signature: name, parameters and types, in order.
    pub head: Vec<Stem>,
    /// Of each parameter's name, without the receiver.
    pub parameters: Vec<Vec<Stem>>,
    /// Of the name of each function that it calls.
    pub calls: Vec<Vec<Stem>>,
    /// Of the values that it gives back and their type, distinct.
    pub returned: Vec<Stem>,
    /// Of each block of six lines, the next beginning three lines further down; distinct within a block.
    pub blocks: Vec<Vec<Stem>>,
}

impl FunctionWords {
    /// Reads the words of a function.
    pub fn of(function: &Function, lexicon: &mut Lexicon) -> Self {
        let all = lexicon.read(&function.text);
        let lines: Vec<&str> = function.text.lines().collect();
        let blocks = (0..lines.len())
            .step_by(BLOCK.1)
            .map(|at| distinct(&lexicon.read(&lines[at..lines.len().min(at + BLOCK.0)].join("\n"))))
            .filter(|block| !block.is_empty())
            .collect();
        let named = |parameter| parameter_name(parameter, &function.idioms);
        Self {
            distinct: distinct(&all),
            all,
            name: lexicon.read(&function.name),
            head: lexicon.read(&function.signature),
            parameters: function.parameters.iter().map(|p| lexicon.read(named(p))).collect(),
            calls: function.calls.iter().map(|call| lexicon.read(call)).collect(),
            returned: distinct(&lexicon.read(&format!("{} {}", function.returned.join(" "), function.return_type))),
            blocks,
        }
    }
}

/// Reads functions: their text, and the syntax of their files as the index has it. Trees are kept like texts.
pub struct FunctionReader<'a> {
    sources: &'a Sources<'a>,
    registry: &'a Registry,
    trees: RefCell<FxHashMap<FileId, Rc<SyntaxTree>>>,
}

impl<'a> FunctionReader<'a> {
    /// Of the files of an index, in the languages of `registry`.
    pub fn new(sources: &'a Sources<'a>, registry: &'a Registry) -> Self {
        Self { sources, registry, trees: RefCell::default() }
    }

    /// Where the texts come from.
    pub fn sources(&self) -> &'a Sources<'a> {
        self.sources
    }

    /// The language of a file, if it has one.
    pub(super) fn language(&self, file: FileId) -> Option<&'a Language> {
        self.sources.graph().language(file).and_then(|number| self.registry.language(LangId(number)).ok())
    }

    /// The syntax of a file, as it was when the index was made.
    pub(super) fn tree(&self, file: FileId) -> Rc<SyntaxTree> {
        let unpack = || Rc::new(SyntaxTree::new(&self.sources.graph().syntax(file)));
        self.trees.borrow_mut().entry(file).or_insert_with(unpack).clone()
    }

    /// Reads a function.
    pub fn function(&self, id: DefinitionId) -> Function {
        let graph = self.sources.graph();
        let row = graph.definition(id);
        let text = self.sources.text(row.file);
        let (language, tree) = (self.language(row.file), self.tree(row.file));
        let has_node = (row.node as usize) < tree.nodes().len();
        let flow =
            language.filter(|_| has_node).map(|of| FlowSummary::of(&tree, row.node, of, &text)).unwrap_or_default();
        let name = graph.name(id).to_owned();
        let signature = graph.signature(id).to_owned();
        let scopes = language.map(|language| &language.spec.scopes);
        let idioms = language.map(|language| language.spec.idioms.clone()).unwrap_or_default();
        let receivers = scopes.map_or(&[][..], |scopes| &scopes.receivers);
        let first_is_receiver =
            scopes.is_some_and(|scopes| scopes.receiver_parameter) && row.kind() == DefinitionKind::Method;
        let (parameters, behind) = parameters(&signature, &name, &idioms, receivers, first_is_receiver);
        let before = language.filter(|language| language.spec.expressions.type_before_name);
        let return_type = before.map_or(behind, |_| type_before(&signature, &name, &idioms)).to_owned();
        let mut calls: Vec<String> = Vec::new();
        let mut recursive = false;
        for called in flow.calls.iter().filter_map(|&place| called(piece(&text, place))) {
            recursive |= called == name;
            if called != name && !calls.iter().any(|known| known == called) {
                calls.push(called.to_owned());
            }
        }
        let computes = flow.operations.iter().any(|&place| has_sign(piece(&text, place), &idioms.computations));
        let returned = flow.returned.iter().map(|&place| piece(&text, place).to_owned()).collect();
        let head = |&place: &(u32, u32)| piece(&text, place).lines().next().unwrap_or_default().trim().to_owned();
        let steps = flow.steps.iter().map(head).filter(|step| !step.is_empty()).collect();
        let constructor = scopes.is_some_and(|scopes| scopes.constructors.contains(&name));
        Function {
            id,
            doc: graph.doc(id).to_owned(),
            text: piece(&text, (row.start_byte, row.end_byte)).to_owned(),
            lines: row.end_line + 1 - row.start_line,
            flow,
            parameters,
            calls,
            steps,
            returned,
            return_type,
            recursive,
            computes,
            constructor,
            idioms,
            name,
            signature,
        }
    }
}
