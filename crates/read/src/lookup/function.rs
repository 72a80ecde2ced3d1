//! A function as readers use it: its text, its words by role, and its control flow.

use super::flow::FlowSummary;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use whichfn_index::fragment::SyntaxTree;
use whichfn_index::source::{Sources, piece};
use whichfn_index::wordvec::{Lexicon, Stem, distinct};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{
    DefinitionKind, Idioms, LangId, Language, Registry, callee_name, has_sign, parameter_name, parameters, type_before,
};

/// Number of lines in a block that is compared with a sentence, and distance between the starts of
/// consecutive blocks.
const BLOCK: (usize, usize) = (6, 3);

/// A function with everything that readers use.
#[derive(Debug, Clone)]
pub struct Function {
    /// Id in the index.
    pub id: DefinitionId,
    /// Name without its scope.
    pub name: String,
    /// Signature on one line.
    pub signature: String,
    /// First paragraph of the documentation.
    pub doc: String,
    /// Full text, including decorators and the doc comment.
    pub text: String,
    /// Number of lines.
    pub lines: u32,
    /// Summary of the control flow.
    pub flow: FlowSummary,
    /// Parameters as written, without the receiver.
    pub parameters: Vec<String>,
    /// Distinct names of the called functions, in order of the first call, without the function
    /// itself.
    pub calls: Vec<String>,
    /// First line of each step, which is a loop, a condition or a raised error.
    pub steps: Vec<String>,
    /// Returned values as written, in order.
    pub returned: Vec<String>,
    /// Return type as written in the signature; empty if the signature has no return type.
    pub return_type: String,
    /// True if the function calls itself.
    pub recursive: bool,
    /// True if the function contains an arithmetic operation.
    pub computes: bool,
    /// True if the function is a constructor.
    pub constructor: bool,
    /// Idioms of the function's language.
    pub idioms: Arc<Idioms>,
}

impl Function {
    /// Checks whether the text contains any of the given signs.
    pub fn has_any(&self, signs: &[String]) -> bool {
        has_sign(&self.text, signs)
    }

    /// Checks whether the return type contains any of the given lower-case words.
    pub fn returns_any(&self, words: &[String]) -> bool {
        let mut written = self.return_type.split(|c: char| !c.is_alphanumeric());
        written.any(|word| words.contains(&word.to_lowercase()))
    }
}

/// The words of a function, grouped by role.
#[derive(Debug, Clone)]
pub struct FunctionWords {
    /// Words of the whole text, in order.
    pub all: Vec<Stem>,
    /// Distinct words of the whole text.
    pub distinct: Vec<Stem>,
    /// Words of the name without its scope, in order.
    pub name: Vec<Stem>,
    /// Words of the signature (name, parameters and types), in order.
    pub head: Vec<Stem>,
    /// Words in the name of each parameter, without the receiver.
    pub parameters: Vec<Vec<Stem>>,
    /// Words in the name of each called function.
    pub calls: Vec<Vec<Stem>>,
    /// Distinct words of the returned values and the return type.
    pub returned: Vec<Stem>,
    /// Distinct words of each block of six lines. Blocks start three lines apart.
    pub blocks: Vec<Vec<Stem>>,
}

impl FunctionWords {
    /// Collects the words of a function.
    pub fn new(function: &Function, lexicon: &mut Lexicon) -> Self {
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

/// Reads functions from the text and the stored syntax of their files. Caches the syntax tree of
/// each file.
pub struct FunctionReader<'a> {
    sources: &'a Sources<'a>,
    registry: &'a Registry,
    trees: RefCell<FxHashMap<FileId, Rc<SyntaxTree>>>,
}

impl<'a> FunctionReader<'a> {
    /// Creates a reader for the files of an index, with the languages in `registry`.
    pub fn new(sources: &'a Sources<'a>, registry: &'a Registry) -> Self {
        Self { sources, registry, trees: RefCell::default() }
    }

    /// Returns the sources that texts are read from.
    pub fn sources(&self) -> &'a Sources<'a> {
        self.sources
    }

    /// Returns the language of a file, or `None` if the file has no known language.
    pub(super) fn language(&self, file: FileId) -> Option<&'a Language> {
        self.sources.graph().language(file).and_then(|number| self.registry.language(LangId(number)).ok())
    }

    /// Returns the syntax tree of a file at the time of indexing.
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
        let flow = language
            .filter(|_| has_node)
            .map(|language| FlowSummary::from_syntax(&tree, row.node, language, &text))
            .unwrap_or_default();
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
        for called in flow.calls.iter().filter_map(|&place| callee_name(piece(&text, place))) {
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
