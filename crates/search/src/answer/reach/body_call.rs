//! The calls that the body of a test or of a setup function is passed to: `it("adds", () => ..)`.

use super::roles::Role;
use super::titles::{callee_words, ends_before_argument, title, title_in_object};
use whichfn_index::source::piece;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::{DefinitionKind, Language, Tests};
use whichfn_syntax::parse::SyntaxNode;

/// A call that makes its argument a test or a setup function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BodyCall {
    pub role: Role,
    /// The string that names the test.
    pub title: Option<String>,
    /// The function that is called.
    pub callee: String,
    /// Number of lines between the start of the call and the function.
    pub lines: u32,
}

/// A call that a function may be the body of.
pub(super) struct CallText<'t> {
    /// The call up to the function.
    text: &'t str,
    function: &'t str,
    place: Place,
}

/// Where a function is in relation to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The function is the whole call: `test "adds" do .. end`.
    Itself,
    /// The function is in the call, and in no call inside it.
    Inside,
    /// The function is in a call inside the call: `it("adds", wrapped(() => ..))`.
    Deeper,
    /// The function is a block behind the call: `TEST_CASE("adds") { .. }`.
    Behind,
}

impl CallText<'_> {
    /// Returns the call if it makes the function a test or a setup function.
    pub fn in_role(&self, tests: &Tests) -> Option<BodyCall> {
        let words = callee_words(self.text);
        let is_called = |call: &String| call.split('.').eq(words.iter().take(call.split('.').count()));
        let is_string = tests.case_strings && takes_block(self.text);
        let role = match words.last() {
            Some(last) if tests.setups.contains(last) => Role::Setup,
            _ if words.iter().any(|word| tests.case_parts.contains(word)) => return None,
            _ if is_string || tests.case_calls.iter().any(is_called) => Role::Case,
            _ => return None,
        };
        let title = self.title();
        let is_body = match self.place {
            _ if role == Role::Setup => true,
            Place::Itself | Place::Behind => true,
            Place::Inside => ends_before_argument(self.text),
            // In `it.each(rows.map((row) => ..))`, the function is not a test.
            Place::Deeper => title.is_some(),
        };
        let lines = || if self.place == Place::Itself { 0 } else { self.text.matches('\n').count() as u32 };
        is_body.then(|| BodyCall { role, title, callee: words.join("."), lines: lines() })
    }

    /// Returns the string that names the test; a macro may take a word as the name.
    fn title(&self) -> Option<String> {
        match self.place {
            Place::Itself => None,
            Place::Inside | Place::Deeper => title(self.text).or_else(|| title_in_object(self.function)),
            Place::Behind => title(self.text).or_else(|| last_word(self.text)),
        }
    }
}

/// Checks whether a call begins with a string that takes the block behind it (`"adds" { .. }`), and
/// not with a member of the string (`"a,b".split(",").forEach { .. }`).
fn takes_block(call: &str) -> bool {
    let Some(rest) = call.strip_prefix('"') else { return false };
    let end = rest.char_indices().find(|&(at, c)| c == '"' && !rest[..at].ends_with('\\'));
    let after = end.map_or("", |(at, _)| &rest[at + 1..]);
    !after.starts_with('.') || after.starts_with(".config")
}

/// Returns the calls around a function, innermost first, up to the definition around it; without
/// one, the call in front of it.
pub(super) fn calls_around<'t>(
    graph: &GraphFile,
    language: &Language,
    nodes: &[SyntaxNode],
    id: DefinitionId,
    text: &'t str,
) -> Vec<CallText<'t>> {
    let row = graph.definition(id);
    let around = if row.parent == id { 0 } else { graph.definition(row.parent).node };
    let up = |&at: &u32| nodes.get(at as usize).map(|node| node.parent).filter(|&at| at != around && at != 0);
    let calls = std::iter::successors(Some(row.node), up).filter_map(|at| Some((at, nodes.get(at as usize)?)));
    let function = piece(text, (row.start_byte, row.end_byte));
    let before = |call: u32, place| CallText { text: piece(text, (call, row.start_byte)), function, place };
    let mut found: Vec<CallText<'t>> = Vec::new();
    for (at, call) in calls.filter(|(_, node)| language.is_test_call(node.kind)) {
        let is_inner = found.iter().all(|inner| inner.place == Place::Itself);
        found.push(match at == row.node {
            true => CallText { text: piece(text, (call.start, row.end_byte)), function, place: Place::Itself },
            false => before(call.start, if is_inner { Place::Inside } else { Place::Deeper }),
        });
    }
    if found.is_empty() && row.kind() == DefinitionKind::Anonymous {
        found.extend(call_before(language, nodes, row.node).map(|call| before(call, Place::Behind)));
    }
    found
}

/// Returns the offset of the call in the statement directly before a block.
fn call_before(language: &Language, nodes: &[SyntaxNode], block: u32) -> Option<u32> {
    let own = nodes.get(block as usize)?;
    let before = (own.parent + 1..block).rev().find(|&at| nodes[at as usize].depth <= own.depth)?;
    let statement = &nodes[before as usize];
    let is_call = |node: &&SyntaxNode| node.start == statement.start && language.is_test_call(node.kind);
    nodes[before as usize..block as usize].iter().take(2).find(is_call).map(|call| call.start)
}

/// Returns the last word in the arguments of a call.
fn last_word(call: &str) -> Option<String> {
    let (_, arguments) = call.split_once('(')?;
    let mut words = arguments.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.next_back().map(str::to_owned)
}
