//! Finds branches of conditionals (`#if`, `#else`) that are no complete declarations or statements.
//! The parser reads all branches, so a brace that two branches open is closed only once.

use super::token::{Token, TokenKind};

/// A conditional whose end has not been read.
struct Conditional {
    /// Positions of its directives among the tokens.
    directives: Vec<usize>,
    /// True if a statement is unfinished where the conditional begins, or a branch is not balanced.
    is_partial: bool,
    branch: Balance,
    first_branch: Option<Balance>,
}

/// Number of brackets that a text opens.
#[derive(Default, Clone, Copy)]
struct Balance {
    /// Number of brackets opened minus the number closed.
    open: i32,
    /// Lowest number up to any token.
    lowest: i32,
}

impl Balance {
    fn add(&mut self, other: Self) {
        self.lowest = self.lowest.min(self.open + other.lowest);
        self.open += other.open;
    }
}

impl Conditional {
    fn end_branch(&mut self, directive: usize) {
        let branch = std::mem::take(&mut self.branch);
        self.is_partial |= branch.open != 0 || branch.lowest < 0;
        self.first_branch.get_or_insert(branch);
        self.directives.push(directive);
    }
}

/// Returns for each token whether it is a directive of a conditional with an incomplete branch, or
/// in another than its first branch.
pub(super) fn partial_branches(source: &str, tokens: &[Token]) -> Vec<bool> {
    let mut removed = vec![0i32; tokens.len() + 1];
    let mut open: Vec<Conditional> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Directive => match directive(&source[token.start..token.end]) {
                "if" | "ifdef" | "ifndef" => open.push(Conditional {
                    directives: vec![at],
                    is_partial: is_unfinished(tokens, at),
                    branch: Balance::default(),
                    first_branch: None,
                }),
                "elif" | "else" | "elifdef" | "elifndef" => {
                    open.last_mut().into_iter().for_each(|around| around.end_branch(at));
                }
                "endif" => {
                    let Some(mut ended) = open.pop() else { continue };
                    ended.end_branch(at);
                    remove(&ended, &mut removed);
                    if let (Some(around), Some(first)) = (open.last_mut(), ended.first_branch) {
                        around.branch.add(first);
                    }
                }
                _ => {}
            },
            TokenKind::Sign(b'{' | b'(' | b'[') => add(&mut open, Balance { open: 1, lowest: 0 }),
            TokenKind::Sign(b'}' | b')' | b']') => add(&mut open, Balance { open: -1, lowest: -1 }),
            _ => {}
        }
    }
    let mut count = 0;
    let sums = removed[..tokens.len()].iter().map(|change| {
        count += change;
        count > 0
    });
    sums.collect()
}

fn add(open: &mut [Conditional], balance: Balance) {
    open.last_mut().into_iter().for_each(|around| around.branch.add(balance));
}

fn directive(text: &str) -> &str {
    let word = text.trim_start_matches(['#', ' ', '\t']);
    &word[..word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len())]
}

/// Marks the first directive, and all tokens from the second one to the last.
fn remove(ended: &Conditional, removed: &mut [i32]) {
    if let (true, [first, second, ..], Some(last)) = (ended.is_partial, &*ended.directives, ended.directives.last()) {
        for (start, end) in [(*first, first + 1), (*second, last + 1)] {
            removed[start] += 1;
            removed[end] -= 1;
        }
    }
}

/// Checks whether the tokens around a directive show that it is inside a statement.
fn is_unfinished(tokens: &[Token], at: usize) -> bool {
    let before = |steps: usize| at.checked_sub(steps).and_then(|at| tokens.get(at));
    let is_open =
        |token: &Token| token.is_one_of(b",([=<>&|+-/?.") || matches!(token.kind, TokenKind::Scope | TokenKind::Arrow);
    let is_list = before(1).is_some_and(|token| token.is(b'{')) && before(2).is_some_and(|token| token.is(b'='));
    let continues = |token: &Token| token.is_one_of(b":,.&|=){?+") || token.kind == TokenKind::Arrow;
    before(1).is_some_and(is_open) || is_list || tokens.get(at + 1).is_some_and(continues)
}
