//! Finds what a line of an issue refers to: names as code writes them, files, and lines of files.

/// Part of an issue where a name occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MentionPlace {
    /// The title.
    Title,
    /// Prose.
    Prose,
    /// Code in a line of prose: in backticks, or a name with parentheses.
    Inline,
    /// A block of code, or a log.
    Block,
    /// An error message.
    Message,
}

impl MentionPlace {
    /// Number of places.
    pub const COUNT: usize = 5;
}

/// Something that a text refers to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Mention {
    /// A name, with the names before its dots.
    Name {
        /// Last part.
        name: String,
        /// Part before it; empty if there is none.
        scope: String,
        /// Part of the issue.
        place: MentionPlace,
    },
    /// A name with at least one dot, as written; it may be a module.
    Dotted(String),
    /// A file.
    Path(String),
    /// Lines of a file, from a link to a repository.
    Lines {
        /// Path in the repository, which may start with other parts of the link.
        path: String,
        /// First and last line, 1-based.
        lines: (u32, u32),
    },
}

/// Maximum length of a path in a link in bytes, so that a line of links takes linear time.
const LONGEST_LINK: usize = 300;
/// Minimum length of a name in bytes.
const SHORTEST: usize = 3;

/// Passes everything that a line refers to, in order.
pub(super) fn mentions(line: &str, place: MentionPlace, mut emit: impl FnMut(Mention)) {
    links(line, &mut emit);
    let mut is_inline = false;
    for (number, piece) in line.split('`').enumerate() {
        is_inline = if number == 0 { false } else { !is_inline };
        let of_code = is_inline && !piece.is_empty();
        names(piece, place, of_code, number == 0, &mut emit);
    }
}

/// Passes the lines that links to a repository name: `/blob/main/src/a.rs#L3-L7`.
fn links(line: &str, emit: &mut impl FnMut(Mention)) {
    for (at, mark) in line.match_indices("/blob/").chain(line.match_indices("/tree/")) {
        let rest = &line[at + mark.len()..];
        let rest = super::text::start_of(rest, LONGEST_LINK);
        let end = rest.find([' ', ')', '>', ']', '"', '\'', '`', '?']).unwrap_or(rest.len());
        // The first part is a branch or a commit.
        let Some((_, rest)) = rest[..end].split_once('/') else { continue };
        let (path, anchor) = rest.split_once('#').unwrap_or((rest, ""));
        let mut numbers = anchor.split('-').filter_map(|number| number.trim_start_matches('L').parse::<u32>().ok());
        match numbers.next() {
            Some(first) => {
                let last = numbers.next().unwrap_or(first).max(first);
                emit(Mention::Lines { path: path.to_owned(), lines: (first, last) });
            }
            None if super::trace::is_file(path) => emit(Mention::Path(path.to_owned())),
            None => {}
        }
    }
}

/// Passes the names and files in a piece of a line.
fn names(piece: &str, place: MentionPlace, is_inline: bool, is_start: bool, emit: &mut impl FnMut(Mention)) {
    let is_part = |c: char| c.is_alphanumeric() || "_./:\\$#-".contains(c);
    let is_block = matches!(place, MentionPlace::Block);
    let mut rest = piece;
    let mut is_first = is_start;
    while let Some(start) = rest.find(is_part) {
        let before = rest[..start].chars().next_back();
        let tail = &rest[start..];
        let end = tail.find(|c| !is_part(c)).unwrap_or(tail.len());
        let (token, after) = (&tail[..end], &tail[end..]);
        rest = after;
        let token = token.trim_matches(|c: char| "./:\\$#-".contains(c));
        if token.starts_with("http:") || token.starts_with("https:") || token.len() > 200 || token.is_empty() {
            continue;
        }
        if token.contains(['/', '\\']) || super::trace::is_file(token) && has_file_ending(token) {
            let path = token.split(':').next().unwrap_or(token).replace('\\', "/");
            if super::trace::is_file(&path) || path.contains('/') {
                emit(Mention::Path(path));
            }
            is_first = false;
            continue;
        }
        let is_call = after.starts_with('(');
        let token = token.replace("::", ".").replace(['#', '$'], ".").replace("->", ".");
        for dotted in token.split([':', '-']).filter(|part| !part.is_empty()) {
            let parts: Vec<&str> = dotted.split('.').filter(|part| !part.is_empty()).collect();
            let Some((name, scopes)) = parts.split_last() else { continue };
            let is_dotted = !scopes.is_empty() || before == Some('.');
            let is_code = is_inline || is_call && !is_block;
            let is_sure =
                is_code || is_dotted || is_call || is_shaped(name) || is_capital(name) && (is_block || !is_first);
            let is_word = name.bytes().all(|b| b.is_ascii_digit()) || name.len() < SHORTEST;
            let at = if is_code && matches!(place, MentionPlace::Prose) { MentionPlace::Inline } else { place };
            if is_sure && !is_word {
                let scope = scopes.last().copied().unwrap_or_default().to_owned();
                emit(Mention::Name { name: (*name).to_owned(), scope, place: at });
            }
            for (at_scope, scope) in scopes.iter().enumerate().filter(|(_, scope)| scope.len() >= SHORTEST) {
                let outer = at_scope.checked_sub(1).map_or("", |at| scopes[at]).to_owned();
                emit(Mention::Name { name: (*scope).to_owned(), scope: outer, place: at });
            }
            if !scopes.is_empty() {
                emit(Mention::Dotted(parts.join(".")));
            }
        }
        is_first = false;
    }
}

/// Checks whether a name is written in a way that no word is: `snake_case`, `camelCase`, `Utf8`.
fn is_shaped(name: &str) -> bool {
    let inner = name.trim_matches('_');
    let bytes = name.as_bytes();
    inner.contains('_')
        || name.starts_with('_')
        || bytes.windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
        || bytes.windows(2).any(|two| two[0].is_ascii_alphabetic() && two[1].is_ascii_digit())
}

fn is_capital(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase()) && name.chars().skip(1).any(char::is_lowercase)
}

/// Checks whether a name without slashes ends like a file rather than like a member.
pub(in crate::search) fn has_file_ending(token: &str) -> bool {
    const ENDINGS: &str = " py pyx rs go java kt js mjs cjs jsx ts tsx vue c h cc cpp cxx hpp hh cs php rb swift scala lua ex exs \
         zig toml yml yaml json cfg ini md rst txt html css xml sh sql ";
    let stem_and_ending = token.split(':').next().and_then(|token| token.rsplit_once('.'));
    stem_and_ending.is_some_and(|(stem, ending)| !stem.contains('.') && ENDINGS.contains(&format!(" {ending} ")))
}
