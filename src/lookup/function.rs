//! A function, read: its text, its words by what they are for, and what it does.

use super::flow::FlowSummary;
use crate::fragment::SyntaxTree;
use crate::ids::{DefinitionId, FileId};
use crate::lang::{DefinitionKind, LangId, Registry};
use crate::source::{Sources, piece};
use crate::wordvec::{Lexicon, Stem, distinct};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

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
        // What stands before a type or a default is the name.
        let named = |parameter: &String| parameter.split([':', '=']).next().unwrap_or_default().to_owned();
        Self {
            distinct: distinct(&all),
            all,
            name: lexicon.read(&function.name),
            head: lexicon.read(&function.signature),
            parameters: function.parameters.iter().map(|p| lexicon.read(&named(p))).collect(),
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

    /// Reads a function.
    pub fn function(&self, id: DefinitionId) -> Function {
        let graph = self.sources.graph();
        let row = graph.definition(id);
        let text = self.sources.text(row.file);
        let language = graph.language(row.file).and_then(|number| self.registry.language(LangId(number)).ok());
        let unpack = || Rc::new(SyntaxTree::new(&graph.syntax(row.file)));
        let tree = self.trees.borrow_mut().entry(row.file).or_insert_with(unpack).clone();
        let has_node = (row.node as usize) < tree.nodes().len();
        let flow =
            language.filter(|_| has_node).map(|of| FlowSummary::of(&tree, row.node, of, &text)).unwrap_or_default();
        let name = graph.name(id).to_owned();
        let signature = graph.signature(id).to_owned();
        let scopes = language.map(|language| &language.spec.scopes);
        let receivers = scopes.map_or(&[][..], |scopes| &scopes.receivers);
        let first_is_receiver =
            scopes.is_some_and(|scopes| scopes.receiver_parameter) && row.kind() == DefinitionKind::Method;
        let (parameters, behind) = parameters(&signature, &name, receivers, first_is_receiver);
        let before = language.filter(|language| language.spec.expressions.type_before_name);
        let return_type = before.map_or(behind, |_| type_before(&signature, &name)).to_owned();
        let mut calls: Vec<String> = Vec::new();
        let mut recursive = false;
        for called in flow.calls.iter().filter_map(|&place| called(piece(&text, place))) {
            recursive |= called == name;
            if called != name && !calls.iter().any(|known| known == called) {
                calls.push(called.to_owned());
            }
        }
        let signs =
            |signs: &[&str]| flow.operations.iter().any(|&place| signs.iter().any(|s| piece(&text, place).contains(s)));
        let computes = signs(&[" + ", " - ", " * ", " / ", " % ", "+=", "-=", "*=", "++", "--"]);
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
            name,
            signature,
        }
    }
}

/// The name before the first bracket of a call: `merge` of `self.lines.merge(a, b)`.
fn called(call: &str) -> Option<&str> {
    let head = call.split(['(', '{']).next()?.trim_end_matches(['!', ' ']);
    let name = head.rsplit(|c: char| !c.is_alphanumeric() && c != '_').find(|part| !part.is_empty())?;
    Some(name)
}

/// The parameters of a head on one line, without the receiver, and what stands behind them.
fn parameters<'s>(
    signature: &'s str,
    name: &str,
    receivers: &[String],
    first_is_receiver: bool,
) -> (Vec<String>, &'s str) {
    let Some(open) = opening(signature, name) else { return (Vec::new(), "") };
    let (mut depth, mut start, mut end) = (0, open + 1, signature.len());
    let mut found = Vec::new();
    let mut before = ' ';
    for (at, c) in signature[open..].char_indices().map(|(at, c)| (open + at, c)) {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            // The arrow of a function type closes nothing.
            '>' if before == '-' || before == '=' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        before = c;
        if depth == 0 || (c == ',' && depth == 1) {
            found.push(signature[start..at].trim());
            start = at + 1;
        }
        if depth == 0 {
            end = at + 1;
            break;
        }
    }
    let is_receiver = |parameter: &str| {
        let bare =
            parameter.trim_start_matches(['&', '*']).trim_start_matches("mut ").split(':').next().unwrap_or_default();
        receivers.iter().any(|receiver| receiver == bare.trim())
    };
    let is_one = |(at, parameter): &(usize, &&str)| {
        let is_sign = parameter.is_empty() || ["*", "/", "..."].contains(*parameter);
        let is_first = *at == 0 && first_is_receiver;
        !is_sign && !is_first && !is_receiver(parameter)
    };
    let parameters = found.iter().enumerate().filter(is_one).map(|(_, parameter)| (*parameter).to_owned()).collect();
    (parameters, signature[end..].trim_start_matches([' ', '-', '>', ':', '{']))
}

/// The type in front of a name: `boolean` of `public boolean isOpen()`; none where the name comes first (constructors).
fn type_before<'s>(signature: &'s str, name: &str) -> &'s str {
    let head = signature.split('(').next().unwrap_or_default();
    let before = head.strip_suffix(name).unwrap_or_default().trim_end();
    let kind = before.trim_end_matches(['*', '&']).trim_end();
    let start = kind.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let kind = kind.get(start..).unwrap_or_default();
    if ["public", "protected", "private", "static", "final"].contains(&kind) { "" } else { kind }
}

/// The bracket behind the name of a head, or the first one where the name does not stand before one.
fn opening(signature: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let behind = |at: usize| {
        let (before, after) = (&signature[..at], &signature[at + name.len()..]);
        let stands_alone = !before.ends_with(is_word) && !after.starts_with(is_word);
        (stands_alone && !name.is_empty()).then(|| signature[at..].find('(').map(|open| at + open))?
    };
    signature.match_indices(name).find_map(|(at, _)| behind(at)).or_else(|| signature.find('('))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_told_from_the_receiver_and_from_what_comes_back() {
        let of = |signature: &str, receivers: &[&str], first| {
            let receivers: Vec<String> = receivers.iter().map(|r| (*r).to_owned()).collect();
            let (parameters, behind) = parameters(signature, "f", &receivers, first);
            (parameters.join("|"), behind.to_owned())
        };
        assert_eq!(
            of("def f(self, a: Dict[str, int], *, b=1) -> bool", &[], true),
            ("a: Dict[str, int]|b=1".into(), "bool".into())
        );
        assert_eq!(
            of("fn f(&mut self, g: impl Fn(u8) -> u8) -> u8", &["self"], false),
            ("g: impl Fn(u8) -> u8".into(), "u8".into())
        );
        assert_eq!(of("func (s *Server) f(a, b int) error", &[], false), ("a|b int".into(), "error".into()));
        assert_eq!(of("f", &[], false), (String::new(), String::new()));
    }

    #[test]
    fn a_type_before_the_name_is_what_comes_back() {
        assert_eq!(type_before("public static List<String> names(int n)", "names"), "List<String>");
        assert_eq!(type_before("const char *name(void)", "name"), "char");
        assert_eq!(type_before("public Session(String token)", "Session"), "");
    }

    #[test]
    fn a_call_is_known_by_its_last_name() {
        assert_eq!(called("self.lines.merge(a, b)"), Some("merge"));
        assert_eq!(called("format!(\"{a}\")"), Some("format"));
        assert_eq!(called("new Session(token)"), Some("Session"));
        assert_eq!(called("()"), None);
    }
}
