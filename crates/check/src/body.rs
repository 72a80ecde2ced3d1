//! Represents a function as a bag of its tokens, to determine whether two functions do the same.
//!
//! **Implements:** Sajnani et al.: SourcererCC, scaling code clone detection to big-code (ICSE
//! 2016): overlap of token bags.
//!
//! **Cost:** one pass over the function's syntax nodes.
//!
//! **Differs from the paper:** all names that a function binds itself become the same token, so a
//! copy with renamed variables is still a copy. Comments and documentation do not count. The kinds
//! of inner syntax nodes count as tokens as well, because a bag contains no other structure.

use super::sides::ParsedSide;
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_syntax::ids::LocalId;
use whichfn_syntax::lang::{FlowKind, WordSort};
use whichfn_syntax::parse::{Definition, Symbol, SyntaxNode, symbol};

/// A multiset of tokens: the number of occurrences of each token.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TokenBag {
    counts: FxHashMap<u64, u32>,
    total: u32,
}

impl TokenBag {
    fn add(&mut self, token: u64) {
        *self.counts.entry(token).or_default() += 1;
        self.total += 1;
    }

    /// Checks whether the bag contains a token.
    pub fn has(&self, token: u64) -> bool {
        self.counts.contains_key(&token)
    }

    /// Returns the number of tokens, counting repetitions.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// Returns the number of tokens that both bags contain, counting repetitions.
    pub fn common(&self, other: &Self) -> u32 {
        self.counts.iter().filter_map(|(token, count)| Some((*count).min(*other.counts.get(token)?))).sum()
    }

    /// Returns the number of common tokens as a share of the larger bag, from 0 to 1; 0 if both
    /// bags are empty.
    pub fn overlap(&self, other: &Self) -> f64 {
        f64::from(self.common(other)) / f64::from(self.total.max(other.total).max(1))
    }
}

/// The tokens of a function, in the forms needed to compare it with another function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Body {
    /// Names, literals and kinds of inner syntax nodes.
    pub tokens: TokenBag,
    /// The literals in `tokens`, and the names that the function does not bind itself, most of
    /// which are functions that it calls.
    pub names: TokenBag,
    /// The same names and literals as in `names`, in source order.
    pub order: Vec<Symbol>,
    /// True if the function contains statements or expressions. False for a mere declaration.
    pub has_steps: bool,
}

/// Minimum share of its tokens that a function keeps unless it was rewritten. This is SourcererCC's
/// threshold.
const KEPT: f64 = 0.7;
/// Token that replaces the function's own name and each name that it binds itself.
const OWN_NAME: u64 = 1;
/// Flow kinds that occur only in a body.
const STEPS: u32 =
    FlowKind::Calls.bit() | FlowKind::Returns.bit() | FlowKind::Branches.bit() | FlowKind::Assignments.bit();
/// Number of leading characters of the documentation that a string literal must begin with to count
/// as the documentation.
const DOC_START: usize = 12;

impl Body {
    /// Builds the token bags of a function in a parsed file.
    pub fn new(side: &ParsedSide<'_>, local: LocalId, definition: &Definition) -> Self {
        let variables = side.facts.flow.variables.iter().filter(|variable| variable.scope == local);
        let own = symbol(&definition.name);
        let bound: FxHashSet<Symbol> = variables.map(|variable| variable.symbol).filter(|name| *name != own).collect();
        let doc: String = definition.doc.chars().take(DOC_START).collect();
        let head_end = end_of_line(side, definition);
        let nodes = side.nodes();
        let mut body = Self::default();
        let inside = |node: &SyntaxNode| node.depth > definition.depth && node.start < definition.span.end_byte;
        let first = definition.node as usize + 1;
        for (at, node) in nodes.iter().enumerate().skip(first).take_while(|(_, node)| inside(node)) {
            let meaning = side.language.meaning(node.kind);
            body.has_steps |= meaning.flow & STEPS != 0;
            let sort = meaning.words;
            if sort == Some(WordSort::Comment) {
                continue;
            }
            if nodes.get(at + 1).is_some_and(|next| next.depth > node.depth) {
                body.tokens.add(u64::from(node.kind) << 8);
                continue;
            }
            let text = side.node(at as u32);
            if sort == Some(WordSort::String) && !doc.is_empty() && text.trim_start().starts_with(&doc) {
                continue;
            }
            // The function's own name occurs in its header and in recursive calls. After a dot, the
            // name belongs to another object: `client.head(url)`.
            let is_own = text == definition.name && (node.start < head_end || !is_member(&side.text, node));
            if is_own || bound.contains(&symbol(text)) {
                body.tokens.add(OWN_NAME);
            } else {
                body.tokens.add(symbol(text));
                body.names.add(symbol(text));
                body.order.push(symbol(text));
            }
        }
        body
    }

    /// Checks whether the body is similar enough to an earlier body to be a later version of it.
    pub fn is_version_of(&self, was: &Self) -> bool {
        was.tokens.overlap(&self.tokens) >= KEPT
    }
}

/// Returns the offset of the end of the line that contains the function's name.
fn end_of_line(side: &ParsedSide<'_>, definition: &Definition) -> u32 {
    let start = definition.span.start_byte;
    let lines = definition.line.saturating_sub(definition.span.start_line) as usize;
    let head: usize = side.text_of(definition).split_inclusive('\n').take(lines + 1).map(str::len).sum();
    start + head as u32
}

fn is_member(text: &str, node: &SyntaxNode) -> bool {
    text.get(..node.start as usize).is_some_and(|before| before.ends_with(['.', ':', '>']))
}
