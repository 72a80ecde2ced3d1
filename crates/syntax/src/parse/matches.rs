//! Collects the matches of a language's patterns in one tree, indexed by the node at which the walk
//! needs them.

use super::built_names::ReadByName;
use super::matcher::find_matches;
use super::value::Declares;
use crate::lang::{DefinitionKind, Patterns, Role};
use crate::tree::{Node, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

/// The parts of a definition that the patterns captured. Several matches at the same node are
/// merged.
#[derive(Debug, Clone, Default)]
pub(super) struct DefinitionMatch<'t> {
    /// Kind from the first match.
    pub kind: Option<DefinitionKind>,
    pub name: Option<Node<'t>>,
    /// Parts of the name before `name`.
    pub address: Vec<Node<'t>>,
    pub parameters: Option<Node<'t>>,
    /// Declared result of the definition.
    pub returns: Option<Node<'t>>,
    pub body: Option<Node<'t>>,
    /// Type that an out-of-line method belongs to.
    pub receiver: Option<Node<'t>>,
    /// Name that the body uses for the object on which it was called.
    pub self_name: Option<Node<'t>>,
    /// Base types, without the mixins.
    pub bases: Vec<Node<'t>>,
    /// Base types whose members take precedence over those of `bases`.
    pub mixins: Vec<Node<'t>>,
    /// True for an object literal. Without another kind, it is an anonymous definition.
    pub is_object: bool,
    /// How the definition gives access to the member with its name.
    pub accessor: Accessor,
    /// True if the receiver is the type.
    pub receives_type: bool,
    /// True for a type with further parts.
    pub is_partial: bool,
}

/// How a definition gives access to the member with its name.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accessor {
    /// Only as a method.
    #[default]
    None,
    /// Its result is the value of the member.
    Getter,
    /// An assignment to the member calls it.
    Setter,
    /// In another way: it deletes the member.
    Other,
}

/// The parts of a parameter that the patterns captured.
#[derive(Debug, Clone, Copy)]
pub(super) struct ParameterMark<'t> {
    pub name: Node<'t>,
    /// Name by which calls pass the argument; `None` if it is `name`.
    pub label: Option<Node<'t>>,
    pub declared: Option<Node<'t>>,
    pub default: Option<Node<'t>>,
    pub is_variadic: bool,
}

/// The object on which a function is called, for a callee that is only the name of the function.
#[derive(Debug, Clone, Copy)]
pub(super) enum CalledOn<'t> {
    Object(Node<'t>),
    /// Each element of a container in turn.
    ElementsOf(Node<'t>),
}

/// Data flow at a node that the patterns captured. It is evaluated in [`super::value`].
#[derive(Debug, Clone, Copy)]
pub(super) enum Mark<'t> {
    Parameter(ParameterMark<'t>),
    Call {
        callee: Node<'t>,
        on: Option<CalledOn<'t>>,
        arguments: Option<Node<'t>>,
        last: Option<Node<'t>>,
    },
    Site {
        callee: Node<'t>,
        arguments: Option<Node<'t>>,
    },
    /// A call if the node names a function without parameters.
    Access,
    Each {
        target: Node<'t>,
        container: Node<'t>,
    },
    Bind {
        target: Node<'t>,
        declares: Declares<'t>,
        value: Option<Node<'t>>,
        declared: Option<Node<'t>>,
    },
    Read(ReadByName<'t>),
    Tested {
        name: Node<'t>,
        of_type: Node<'t>,
    },
    Field {
        name: Node<'t>,
        declared: Option<Node<'t>>,
    },
    Position {
        variant: Option<Node<'t>>,
    },
    Ordered {
        declared: Option<Node<'t>>,
    },
    TypeParameter {
        bound: Option<Node<'t>>,
    },
    Extended,
    /// Another name of a function, or of a member of an object.
    Alias {
        old: Node<'t>,
        object: Option<Node<'t>>,
    },
    Return(Node<'t>),
    Elements(Node<'t>),
    Table(Node<'t>),
    Named {
        name: Node<'t>,
        is_member: bool,
    },
    Import {
        path: Option<Node<'t>>,
        name: Option<Node<'t>>,
        alias: Option<Node<'t>>,
        all: bool,
        is_shared: bool,
    },
}

/// All matches in one file. The keys of the maps are node numbers.
#[derive(Default)]
pub(super) struct QueryMatches<'t> {
    /// Nodes at which a definition begins.
    pub definitions: FxHashMap<usize, DefinitionMatch<'t>>,
    /// Nodes that enclose a definition and belong to its span, each with its decorators.
    pub wrappers: FxHashMap<usize, Vec<Node<'t>>>,
    /// Indexes of each node's first and last mark in `all_marks`.
    marks: FxHashMap<usize, (u32, u32)>,
    /// Marks, each with the index of the next mark at the same node, or `u32::MAX` for the last
    /// one.
    all_marks: Vec<(Mark<'t>, u32)>,
    /// Kinds of nodes at which definitions begin, that wrap definitions, or that mark them as
    /// tests. Most nodes have neither one of these kinds nor a mark, so they need no look-up.
    special_kinds: Kinds,
    /// Kinds of the nodes that have marks.
    marked_kinds: Kinds,
    /// Nodes that mark the definition around them or after them as a test.
    pub tests: FxHashSet<usize>,
    /// Nodes that are documentation.
    pub docs: FxHashSet<usize>,
    /// Nodes that document a part of a definition, such as a parameter.
    pub part_docs: FxHashSet<usize>,
    /// Names that other files can import from the file.
    pub exports: Vec<Node<'t>>,
    /// True if the file also exports names that it does not list.
    pub exports_others: bool,
    /// Name of the package that the file belongs to.
    pub package: Option<Node<'t>>,
    /// Nodes in `docs` that also belong to the next definition if there is one empty line between
    /// them.
    pub spaced_docs: FxHashSet<usize>,
    /// Nodes that belong to the definition directly below them, with their documentation.
    pub attributes: FxHashMap<usize, Option<Node<'t>>>,
    /// Comments that document a private function directly below them.
    pub notes: FxHashSet<usize>,
}

/// A set of node kinds.
#[derive(Default)]
struct Kinds(Vec<bool>);

impl Kinds {
    fn insert(&mut self, kind: u16) {
        let kind = usize::from(kind);
        if self.0.len() <= kind {
            self.0.resize(kind + 1, false);
        }
        self.0[kind] = true;
    }

    fn contains(&self, kind: u16) -> bool {
        self.0.get(usize::from(kind)).copied().unwrap_or(false)
    }
}

impl<'t> QueryMatches<'t> {
    /// Checks whether a node of this kind may begin or wrap a definition, or mark it as a test.
    pub fn is_special(&self, kind: u16) -> bool {
        self.special_kinds.contains(kind)
    }

    /// Finds all matches of a language's patterns in a tree.
    pub fn collect(patterns: &Patterns, tree: &'t Tree, source: &str) -> Self {
        let mut found = Self::default();
        let mut captures = Vec::new();
        find_matches(patterns, tree, source, |one| {
            captures.clear();
            captures.extend(one.iter().map(|&(capture, node)| (patterns.roles[usize::from(capture)], node)));
            found.add(&captures);
        });
        found
    }

    fn add(&mut self, captures: &[(Role, Node<'t>)]) {
        let first = |role: Role| captures.iter().find(|(r, _)| *r == role).map(|&(_, node)| node);
        for &(role, node) in captures {
            if matches!(role, Role::Test | Role::Wrapper | Role::Definition(_) | Role::Attribute | Role::Object) {
                self.special_kinds.insert(node.kind());
            }
            let number = node.number();
            match role {
                Role::Test => drop(self.tests.insert(number)),
                Role::Doc => drop(self.docs.insert(number)),
                Role::DocPart => drop(self.part_docs.insert(number)),
                Role::Export => self.exports.push(node),
                Role::ExportAll => self.exports_others = true,
                Role::Package => self.package = self.package.or(Some(node)),
                Role::DocSpaced => {
                    self.docs.insert(number);
                    self.spaced_docs.insert(number);
                }
                Role::DocNote => drop(self.notes.insert(number)),
                Role::Attribute => {
                    let doc = self.attributes.entry(number).or_default();
                    *doc = doc.or(first(Role::AttributeDoc));
                }
                Role::Object => self.definitions.entry(number).or_default().is_object = true,
                Role::Property => self.definitions.entry(number).or_default().accessor = Accessor::Getter,
                Role::Setter => self.definitions.entry(number).or_default().accessor = Accessor::Setter,
                Role::OfType => self.definitions.entry(number).or_default().receives_type = true,
                Role::Partial => {
                    if let Some(definition) = node.parent() {
                        self.definitions.entry(definition.number()).or_default().is_partial = true;
                    }
                }
                Role::Wrapper => {
                    let decorators = captures.iter().filter(|(r, _)| *r == Role::Decorator).map(|&(_, node)| node);
                    self.wrappers.entry(number).or_default().extend(decorators);
                }
                Role::Definition(kind) => self.definition(node, kind, captures),
                _ => {
                    if let Some(mark) = mark(role, node, first) {
                        self.mark(node, mark);
                    }
                }
            }
        }
    }

    fn definition(&mut self, node: Node<'t>, kind: DefinitionKind, captures: &[(Role, Node<'t>)]) {
        let found = self.definitions.entry(node.number()).or_default();
        found.kind.get_or_insert(kind);
        for &(role, node) in captures {
            let slot = match role {
                Role::Name => &mut found.name,
                Role::Parameters => &mut found.parameters,
                Role::Returns => &mut found.returns,
                Role::Body => &mut found.body,
                Role::Receiver => &mut found.receiver,
                Role::SelfName => &mut found.self_name,
                Role::Base | Role::Mixin | Role::Address => {
                    let list = match role {
                        Role::Base => &mut found.bases,
                        Role::Mixin => &mut found.mixins,
                        _ => &mut found.address,
                    };
                    if !list.contains(&node) {
                        list.push(node);
                    }
                    continue;
                }
                _ => continue,
            };
            slot.get_or_insert(node);
        }
    }

    fn mark(&mut self, node: Node<'t>, mark: Mark<'t>) {
        self.marked_kinds.insert(node.kind());
        let new = self.all_marks.len() as u32;
        self.all_marks.push((mark, u32::MAX));
        let ends = self.marks.entry(node.number()).or_insert((new, new));
        if ends.1 != new {
            self.all_marks[ends.1 as usize].1 = new;
            ends.1 = new;
        }
    }

    /// Returns the marks of a node, in the order of the matches.
    pub fn marks(&self, node: Node<'t>) -> impl Iterator<Item = &Mark<'t>> {
        let known = self.marked_kinds.contains(node.kind()).then(|| self.marks.get(&node.number())).flatten();
        let mut at = known.map_or(u32::MAX, |ends| ends.0);
        std::iter::from_fn(move || {
            let (mark, next) = self.all_marks.get(at as usize)?;
            at = *next;
            Some(mark)
        })
    }
}

/// Returns the mark of a captured node, if all other captures that it needs are there. `first` returns
/// the first node with a role.
fn mark<'t>(role: Role, node: Node<'t>, first: impl Fn(Role) -> Option<Node<'t>>) -> Option<Mark<'t>> {
    Some(match role {
        Role::Return => Mark::Return(node),
        Role::Alias => Mark::Alias { old: first(Role::Value)?, object: first(Role::Receiver) },
        Role::Extended => Mark::Extended,
        Role::Table => Mark::Table(node),
        Role::Elements => Mark::Elements(node),
        Role::Parameter => Mark::Parameter(ParameterMark {
            name: first(Role::Name)?,
            label: first(Role::Label),
            declared: first(Role::Type),
            default: first(Role::Default),
            is_variadic: first(Role::Variadic).is_some(),
        }),
        Role::Call => {
            let elements = first(Role::Each).map(CalledOn::ElementsOf);
            let on = first(Role::Receiver).map(CalledOn::Object).or(elements);
            let (arguments, last) = (first(Role::Arguments), first(Role::Argument));
            Mark::Call { callee: first(Role::Callee)?, on, arguments, last }
        }
        Role::Site => Mark::Site { callee: first(Role::Callee)?, arguments: first(Role::Arguments) },
        Role::Access => Mark::Access,
        Role::Target | Role::Assigned => match first(Role::Each) {
            Some(container) => Mark::Each { target: node, container },
            None => {
                let declares = match role {
                    Role::Target => Declares::Names { within: first(Role::Visible) },
                    _ => Declares::Nothing,
                };
                Mark::Bind { target: node, declares, value: first(Role::Value), declared: first(Role::Type) }
            }
        },
        Role::Tested => Mark::Tested { name: first(Role::Name)?, of_type: first(Role::Type)? },
        Role::Read => Mark::Read(ReadByName {
            object: first(Role::Receiver)?,
            name: first(Role::Name)?,
            default: first(Role::Value),
        }),
        Role::Position => Mark::Position { variant: first(Role::Name) },
        Role::Ordered => Mark::Ordered { declared: first(Role::Type) },
        Role::TypeParameter => Mark::TypeParameter { bound: first(Role::Value) },
        Role::Field => Mark::Field { name: node, declared: first(Role::Type) },
        Role::Import => Mark::Import {
            path: first(Role::ImportPath),
            name: first(Role::ImportName),
            alias: first(Role::ImportAlias),
            all: first(Role::ImportAll).is_some(),
            is_shared: first(Role::ImportShared).is_some(),
        },
        Role::NamedValue | Role::NamedMember => {
            Mark::Named { name: first(Role::Name)?, is_member: role == Role::NamedMember }
        }
        _ => return None,
    })
}
