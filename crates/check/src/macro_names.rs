//! Names in code that a macro or the preprocessor reads first, so that they may refer to nothing.

use super::private::matches;
use super::sides::Sides;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::{DefinitionKind, Language};
use whichfn_text::occurrences;

/// Checks whether the name at an offset refers to nothing: `scope`, the definition around it,
/// begins with a macro outside the repository that takes the name as an argument
/// (`TEST(Suite, name) { .. }`), or is a macro that declares the name itself (`fn new(name: $ty)`).
pub(super) fn is_macro_name(sides: &Sides<'_>, scope: DefinitionId, text: &str, offset: usize, name: &str) -> bool {
    let row = sides.graph.definition(scope);
    let Some(language) = sides.language(row.file) else { return false };
    let (start, end) = (row.start_byte as usize, row.end_byte as usize);
    match row.kind() {
        DefinitionKind::Macro => text.get(start..end).is_some_and(|own| is_declared_in(language, own, name)),
        _ => text.get(start..offset).is_some_and(|before| is_in_unknown_head(sides, scope, language, before)),
    }
}

/// Checks whether the text of a macro declares a name, by the sign after the names of parameters.
fn is_declared_in(language: &Language, text: &str, name: &str) -> bool {
    let ends = &language.spec.idioms.parameter_name_ends;
    let is_declared = |at: usize| {
        let after = text[at + name.len()..].trim_start();
        ends.iter().any(|end| after.strip_prefix(&end[..]).is_some_and(|rest| !rest.starts_with(&end[..])))
    };
    occurrences(text, name).any(is_declared)
}

/// Checks whether the text from the beginning of a definition is the name of a macro outside the
/// repository and a part of its arguments. Some macros need a type that an argument names.
fn is_in_unknown_head(sides: &Sides<'_>, scope: DefinitionId, language: &Language, before: &str) -> bool {
    let Some((head, arguments)) = before.split_once('(') else { return false };
    let head = head.trim_end();
    let is_word = !head.is_empty() && head.chars().all(|c| c.is_alphanumeric() || c == '_');
    has_preprocessor(language)
        && is_word
        && !arguments.contains([')', '{'])
        && head != sides.graph.name(scope)
        && !matches(&language.spec.tests.fixture_marks, head)
        && sides.graph.named(head).is_empty()
}

/// Checks whether a name is in a condition of the preprocessor, where a name without a definition
/// is no error, and which the build may define: `#ifdef NAME`.
pub(super) fn is_in_condition(language: &Language, text: &str, offset: usize) -> bool {
    let mut lines = text[..offset].rsplit('\n');
    let own = lines.next().unwrap_or_default();
    let continued = lines.take_while(|line| line.trim_end().ends_with('\\'));
    let first = continued.last().unwrap_or(own).trim_start();
    let word = first.strip_prefix('#').map(str::trim_start);
    has_preprocessor(language) && word.is_some_and(|word| word.starts_with("if") || word.starts_with("el"))
}

fn has_preprocessor(language: &Language) -> bool {
    !language.spec.api.paste_sign.is_empty()
}
