//! The parameters of a function as its callers see them. They are read from the function's header
//! with the names that the parser found.

use super::keys::keys;
use whichfn_syntax::lang::{Idioms, Language, Macros, Spec, is_receiver, parameter_entries};
use whichfn_syntax::parse::{Definition, Symbol, symbol};
use whichfn_text::occurrences;

/// Maximum length in bytes of a function header. A longer header is truncated, and its last
/// parameters stay unknown.
const LONGEST: usize = 16 << 10;

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeadParameter {
    /// Name of the parameter; empty if it is a pattern.
    pub name: String,
    /// True if a call may omit the parameter.
    pub optional: bool,
    /// True if the parameter can be passed only by name.
    pub by_name: bool,
    /// True if the type in the header is that of a function.
    pub takes_function: bool,
    /// Keys of the object that the parameter takes apart; `None` if it may have any.
    pub keys: Option<Vec<String>>,
}

impl HeadParameter {
    /// Returns the symbol of the parameter's name in a call: `size` for `$size`.
    pub fn symbol(&self) -> Symbol {
        symbol(self.name.trim_start_matches('$'))
    }
}

/// The parameters of a function, in order and without the receiver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ParameterList {
    pub parameters: Vec<HeadParameter>,
    /// True if the function accepts any number of additional arguments.
    pub open: bool,
    /// True if the function accepts additional arguments that are passed by name.
    pub open_names: bool,
    /// Name of the parameter that takes additional positional arguments, and the number of positional
    /// parameters before it.
    pub rest: Option<(usize, String)>,
    /// The parameter that calls write before a dot, with its marker: `this type`.
    pub extended: Option<String>,
}

impl ParameterList {
    /// Reads the parameters of a definition from the text of its file. Returns `None` if the header
    /// has no parameter list in brackets.
    pub fn from_definition(definition: &Definition, text: &str, language: &Language) -> Option<Self> {
        let head = head_without_comments(definition, text, &language.spec.head.line_comment);
        let (spec, idioms) = (&language.spec, &language.spec.idioms);
        // Without brackets after the name, the first brackets may be those of a call in the body.
        if idioms.optional_brackets && definition.parameters.is_empty() && !has_brackets(&head, &definition.name) {
            return Some(Self::default());
        }
        let (found, _) = parameter_entries(&head, &definition.name, idioms)?;
        let known: Vec<Symbol> = definition.parameters.iter().map(|parameter| parameter.symbol).collect();
        // Empty brackets are not the list of a function with parameters: `|id| { ... is_none() ...
        // }`.
        let is_empty = found.iter().all(|entry| entry.is_empty());
        if is_empty && known.len() > usize::from(definition.receiver.is_some()) {
            return None;
        }
        let is_pattern = found.iter().any(|entry| entry.starts_with(['{', '[']));
        let mut parsed = Self::default();
        let mut by_name = false;
        for entry in found.into_iter().skip(usize::from(definition.receiver_is_parameter)) {
            let name_in = |entry| words(entry).find(|word| known.contains(&symbol(word))).map(str::to_owned);
            let extended = idioms.extended_markers.iter().find(|marker| entry.starts_with(marker.as_str()));
            if let Some(marker) = extended {
                parsed.extended = name_in(entry).map(|name| format!("{marker}{name}"));
            }
            if is_receiver(entry, idioms, &spec.scopes.receivers) || extended.is_some() || entry.is_empty() {
                continue;
            }
            let is_rest = is_rest(entry, &idioms.rest_signs);
            by_name |= (is_rest && !idioms.keyword_only_markers.is_empty())
                || idioms.keyword_only_markers.iter().any(|marker| marker == entry);
            if idioms.parameter_markers.iter().any(|marker| marker == entry) {
                // C and related languages: `...` after the last parameter.
                parsed.open |=
                    idioms.rest_signs.iter().any(|sign| sign == entry) && idioms.keyword_only_markers.is_empty();
                continue;
            }
            if is_rest {
                let is_named = starts(entry, &idioms.named_rest_signs);
                parsed.open_names |= is_named;
                if !is_named && !starts(entry, &idioms.block_signs) {
                    parsed.open = true;
                    let before = parsed.parameters.iter().filter(|parameter| !parameter.by_name).count();
                    parsed.rest = parsed.rest.or(name_in(entry).map(|name| (before, name)));
                }
                continue;
            }
            parsed.parameters.extend(read_entry(entry, by_name, &known, spec));
        }
        // Brackets without any of the function's parameters are not its parameter list: `|book| {
        // ... (book, 1) ... }`.
        let named = parsed.parameters.iter().filter(|parameter| !parameter.name.is_empty()).count();
        let has_pattern = || parsed.parameters.iter().any(|parameter| parameter.name.is_empty()) && !is_empty;
        let is_list = parsed.parameters.is_empty() || named > 0 || known.is_empty() || (is_pattern && has_pattern());
        is_list.then_some(parsed)
    }

    /// Returns the parameters of the constructor that a type's header declares (`record Item(int
    /// id)`), or else its fields, if a marker in the header requires this (`@dataclass`). `fields`
    /// are the offsets after the names of the type's values.
    pub fn of_constructor(definition: &Definition, text: &str, language: &Language, fields: &[usize]) -> Option<Self> {
        let (idioms, span) = (&language.spec.idioms, definition.span);
        let whole = text.get(span.start_byte as usize..span.end_byte as usize)?;
        let name = end_of_name(whole, definition)?;
        let list = without_type_parameters(whole[name..].trim_start());
        let header = &whole[..name + list.find([':', '{']).unwrap_or(0)];
        if idioms.header_constructors && list.starts_with('(') {
            let (entries, _) = parameter_entries(list, "", idioms)?;
            let (rest, single): (Vec<&str>, Vec<&str>) = entries
                .into_iter()
                .filter(|entry| !entry.is_empty())
                .partition(|entry| is_rest(entry, &idioms.rest_signs));
            let parameters = single.into_iter().map(|entry| header_field(entry, language)).collect();
            return Some(Self { parameters, open: !rest.is_empty(), ..Self::default() });
        }
        let is_marked = |marker: &String| occurrences(header, marker).next().is_some();
        let is_own = |at: &&usize| text[**at..].trim_start().starts_with(':');
        idioms.field_constructors.iter().any(is_marked).then_some(())?;
        let fields = fields.iter().filter(is_own).map(|&end| declared_field(text, end, idioms));
        Some(Self { parameters: fields.collect::<Option<_>>()?, ..Self::default() })
    }

    /// Returns the parameter with the given name.
    pub fn named(&self, name: &str) -> Option<&HeadParameter> {
        self.parameters.iter().find(|parameter| !name.is_empty() && parameter.name == name)
    }

    /// Returns the parameter list in the form `(a, b?)`, for messages.
    pub fn shown(&self) -> String {
        let name = |parameter: &HeadParameter| {
            let name = if parameter.name.is_empty() { "…" } else { &parameter.name };
            format!("{name}{}", if parameter.optional { "?" } else { "" })
        };
        let open = (self.open || self.open_names).then(|| "…".to_owned());
        let all = self.extended.iter().cloned().chain(self.parameters.iter().map(name)).chain(open);
        format!("({})", all.collect::<Vec<_>>().join(", "))
    }
}

/// Returns the offset after a definition's name in its text. Comments and decorators before the line
/// of the name may contain the name, too.
pub(super) fn end_of_name(text: &str, definition: &Definition) -> Option<usize> {
    let before = definition.line.saturating_sub(definition.span.start_line) as usize;
    let line: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let name = occurrences(&text[line..], &definition.name).next()?;
    Some(line + name + definition.name.len())
}

/// Reads the parameters in one entry of a parameter list, which are several if brackets of their own
/// surround them: `{int width, required int height}`. `known` are the names that the parser found.
fn read_entry(entry: &str, by_name: bool, known: &[Symbol], spec: &Spec) -> Vec<HeadParameter> {
    let idioms = &spec.idioms;
    let opens = |brackets: &[String]| brackets.iter().any(|bracket| entry.starts_with(&bracket[..]));
    let (is_named, may_be_left_out) = (opens(&idioms.named_brackets), opens(&idioms.omittable_brackets));
    if is_named || may_be_left_out {
        let inside = entry.trim_matches(['{', '}', '[', ']']);
        let list = format!("({inside})");
        let (entries, _) = parameter_entries(&list, "", idioms).unwrap_or_default();
        let read = |one: &&str| read_entry(one, is_named, known, spec);
        let all = entries.iter().filter(|one| !one.is_empty()).flat_map(read).collect::<Vec<_>>();
        let is_required =
            |one: &&str| one.split_whitespace().any(|word| idioms.required_words.iter().any(|w| w == word));
        let required: Vec<bool> = entries.iter().filter(|one| !one.is_empty()).map(is_required).collect();
        let with =
            |(one, required): (HeadParameter, bool)| HeadParameter { optional: one.optional || !required, ..one };
        return all.into_iter().zip(required).map(with).collect();
    }
    let takes_function = idioms.arrows.iter().any(|arrow| entry.contains(&arrow[..]));
    let mut optional = may_be_omitted(entry, idioms);
    if idioms.parameter_labels {
        let mut names = words(entry);
        let (label, own) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        let name = if label == "_" { own } else { label }.to_owned();
        return vec![HeadParameter { name, optional, by_name: label != "_", takes_function, keys: None }];
    }
    // A pattern has no name of its own.
    let is_pattern = entry.starts_with(['{', '[']);
    let known_name = || words(entry).find(|word| known.contains(&symbol(word))).filter(|_| !is_pattern);
    let before_macro = spec.macros.as_ref().and_then(|macros| name_before_macro(entry, macros));
    let name = before_macro.or_else(known_name).unwrap_or_default();
    let after_keyword = idioms.keyword_signs.iter().find_map(|sign| entry.strip_prefix(name)?.strip_prefix(&sign[..]));
    optional |= after_keyword.is_some_and(|rest| !rest.trim().is_empty());
    let by_name = by_name || after_keyword.is_some();
    vec![HeadParameter { name: name.to_owned(), optional, by_name, takes_function, keys: keys(entry) }]
}

/// Returns the name of a parameter with a macro behind it, which the parser takes for the name:
/// `size_t size UNUSED`.
fn name_before_macro<'e>(entry: &'e str, macros: &Macros) -> Option<&'e str> {
    let [before @ .., name, last] = &words(entry).collect::<Vec<_>>()[..] else { return None };
    let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let is_macro = last.len() > 1 && (last.starts_with("__") || last.chars().all(is_capital));
    let declared = entry.strip_suffix(last)?;
    let type_text = declared.trim_end().strip_suffix(name).filter(|_| declared.ends_with(char::is_whitespace))?;
    let is_in = |lists: &[&Vec<String>], word: &str| lists.iter().any(|list| list.iter().any(|one| one == word));
    let words = [&macros.specifiers, &macros.qualifiers, &macros.groups, &macros.enumerations];
    // The last word is the name behind a type: `unsigned int N`, `struct node N`, `const node N`.
    let is_type = is_in(&words, name) || is_in(&[&macros.types], name);
    let is_named = type_text.trim_end().ends_with('*') || before.last().is_some_and(|word| !is_in(&words, word));
    (is_macro && !is_type && is_named).then_some(name)
}

/// Checks whether a call may omit the parameter in an entry: a sign outside its brackets shows it.
/// The sign of a function type or a comparison is no default.
fn may_be_omitted(entry: &str, idioms: &Idioms) -> bool {
    let mut depth = 0_i32;
    let mut previous = ' ';
    entry.char_indices().any(|(at, c)| {
        let rest = &entry[at..];
        let is_arrow = rest.starts_with("=>") || (c == '>' && matches!(previous, '-' | '='));
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if is_arrow => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        previous = c;
        depth <= 0 && !is_arrow && idioms.optional_signs.iter().any(|sign| rest.starts_with(&sign[..]))
    })
}

/// Returns the text after the type parameters that follow the name of a type: `(val item: T)`.
fn without_type_parameters(list: &str) -> &str {
    let mut depth = 0_i32;
    let end = list.char_indices().find(|&(_, c)| {
        depth += i32::from(matches!(c, '<' | '[')) - i32::from(matches!(c, '>' | ']'));
        depth == 0
    });
    match end {
        Some((at, '>' | ']')) => list[at + 1..].trim_start(),
        _ => list,
    }
}

/// Reads an entry of a type's header.
fn header_field(entry: &str, language: &Language) -> HeadParameter {
    let idioms = &language.spec.idioms;
    let declared = entry.split('=').next().unwrap_or_default();
    let name = match declared.split_once(':') {
        _ if language.spec.expressions.type_before_name => words(declared).last(),
        Some((before, _)) => words(before).last(),
        None => None,
    };
    let takes_function = idioms.arrows.iter().any(|arrow| entry.contains(&arrow[..]));
    let (name, optional) = (name.unwrap_or_default().to_owned(), may_be_omitted(entry, idioms));
    HeadParameter { name, optional, by_name: false, takes_function, keys: None }
}

/// Reads a field of a type, given the offset after its name. Returns `None` if the field is passed
/// in another way.
fn declared_field(text: &str, end: usize, idioms: &Idioms) -> Option<HeadParameter> {
    let name = words(&text[text[..end].rfind('\n').map_or(0, |at| at + 1)..end]).last()?;
    let line = text[end..].lines().next().unwrap_or_default();
    let is_other = idioms.field_exceptions.iter().any(|sign| line.contains(&sign[..]));
    let (name, optional) = (name.to_owned(), line.contains('='));
    (!is_other).then_some(HeadParameter { name, optional, by_name: false, takes_function: false, keys: None })
}

/// Checks whether the first line with a function's name has brackets after the name.
fn has_brackets(head: &str, name: &str) -> bool {
    let after = head.find(name).map_or("", |at| &head[at + name.len()..]);
    after.lines().next().unwrap_or_default().trim_start().starts_with('(')
}

/// Checks whether an entry of a parameter list accepts any number of values. Signs inside brackets
/// do not count: `pair: tuple[int, ...]`.
pub(super) fn is_rest(entry: &str, signs: &[String]) -> bool {
    let bare = entry.split(['(', '[', '{', '<', '=']).next().unwrap_or_default();
    signs.iter().any(|sign| entry.starts_with(sign.as_str()) || (sign.len() > 1 && bare.contains(sign.as_str())))
}

fn starts(entry: &str, signs: &[String]) -> bool {
    signs.iter().any(|sign| entry.starts_with(&sign[..]))
}

/// Returns the words in a string that may be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

/// Returns the text of a header from the line with the function's name on, without comments at line
/// ends.
fn head_without_comments(definition: &Definition, text: &str, comment: &str) -> String {
    let span = text.get(definition.span.start_byte as usize..definition.span.end_byte as usize).unwrap_or_default();
    let before = definition.line.saturating_sub(definition.span.start_line) as usize;
    let mut head = String::new();
    for line in span.split_inclusive('\n').skip(before) {
        let cut = line.match_indices(comment).map(|(at, _)| at).find(|&at| {
            let before = line[..at].chars().next_back();
            !comment.is_empty() && before.is_none_or(char::is_whitespace)
        });
        head.push_str(&line[..cut.unwrap_or(line.len())]);
        head.push('\n');
        if head.len() > LONGEST {
            break;
        }
    }
    head
}
