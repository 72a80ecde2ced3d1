//! Parses signatures, that is, function headers on one line, into parameters and return type, and
//! extracts the callee's name from a call. Only brackets are handled here; all other signs are part
//! of the language's data.

use super::Idioms;

/// Returns the name before the first bracket in a call: `merge` in `self.lines.merge(a, b)`.
pub fn callee_name(call: &str) -> Option<&str> {
    let head = call.split(['(', '{']).next()?;
    let name = head.rsplit(|c: char| !c.is_alphanumeric() && c != '_').find(|part| !part.is_empty())?;
    Some(name)
}

/// Returns the entries of a signature's parameter list, as written and in order, and the text after
/// the list. Returns `None` if the signature has no list in brackets.
pub fn parameter_entries<'s>(signature: &'s str, name: &str, idioms: &Idioms) -> Option<(Vec<&'s str>, &'s str)> {
    let open = find_parameter_list(signature, name)?;
    let (mut depth, mut start, mut end) = (0, open + 1, signature.len());
    let mut found = Vec::new();
    for (at, c) in signature[open..].char_indices().map(|(at, c)| (open + at, c)) {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            // The arrow of a function type does not close a bracket.
            '>' if idioms.arrows.iter().any(|arrow| signature[..=at].ends_with(arrow)) => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (c == ',' && depth == 1) {
            found.push(signature[start..at].trim());
            start = at + 1;
        }
        if depth == 0 {
            end = at + 1;
            break;
        }
    }
    Some((found, &signature[end..]))
}

/// Checks whether an entry of a parameter list is the receiver, based on its name.
pub fn is_receiver(entry: &str, idioms: &Idioms, receivers: &[String]) -> bool {
    let bare = without_prefixes(entry, &idioms.receiver_prefixes);
    receivers.iter().any(|receiver| receiver == parameter_name(bare, idioms).trim())
}

/// Returns the parameters of a signature without the receiver, and the text after them.
pub fn parameters<'s>(
    signature: &'s str,
    name: &str,
    idioms: &Idioms,
    receivers: &[String],
    first_is_receiver: bool,
) -> (Vec<String>, &'s str) {
    let Some((found, behind)) = parameter_entries(signature, name, idioms) else { return (Vec::new(), "") };
    let is_one = |(at, parameter): &(usize, &&str)| {
        let is_sign = parameter.is_empty() || idioms.parameter_markers.iter().any(|marker| marker == *parameter);
        let is_first = *at == 0 && first_is_receiver;
        !is_sign && !is_first && !is_receiver(parameter, idioms, receivers)
    };
    let parameters = found.iter().enumerate().filter(is_one).map(|(_, parameter)| (*parameter).to_owned()).collect();
    // The type itself may begin with a brace: `: { n: number }`.
    let behind = behind.trim_start();
    let mark = idioms.return_type_marks.iter().filter_map(|mark| behind.strip_prefix(mark.as_str())).next();
    (parameters, mark.unwrap_or(behind).trim_start())
}

/// Returns the type that precedes a name: `boolean` in `public boolean isOpen()`. The result is
/// empty if there is no type, as for constructors.
pub fn type_before<'s>(signature: &'s str, name: &str, idioms: &Idioms) -> &'s str {
    let head = signature.split('(').next().unwrap_or_default();
    let before = head.strip_suffix(name).unwrap_or_default().trim_end();
    let mut kind = before;
    while let Some(rest) = idioms.pointer_signs.iter().find_map(|sign| kind.strip_suffix(sign.as_str())) {
        kind = rest;
    }
    let kind = kind.trim_end();
    let start = kind.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let kind = kind.get(start..).unwrap_or_default();
    if idioms.modifiers.iter().any(|modifier| modifier == kind) { "" } else { kind }
}

/// Returns the name of a parameter as written, which is the text before its type or default.
pub fn parameter_name<'p>(parameter: &'p str, idioms: &Idioms) -> &'p str {
    let ends = idioms.parameter_name_ends.iter().filter_map(|sign| parameter.find(sign.as_str()));
    &parameter[..ends.min().unwrap_or(parameter.len())]
}

/// Repeatedly strips prefixes from a string, each with the white space after it.
fn without_prefixes<'t>(mut text: &'t str, prefixes: &[String]) -> &'t str {
    while let Some(rest) = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix.as_str())) {
        text = rest.trim_start();
    }
    text
}

/// Returns the position of the bracket after a signature's name, or of the first bracket if none
/// follows the name.
fn find_parameter_list(signature: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let behind = |at: usize| {
        let (before, after) = (&signature[..at], &signature[at + name.len()..]);
        let is_separate_word = !before.ends_with(is_word) && !after.starts_with(is_word);
        (is_separate_word && !name.is_empty()).then(|| signature[at..].find('(').map(|open| at + open))?
    };
    signature.match_indices(name).find_map(|(at, _)| behind(at)).or_else(|| signature.find('('))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(signs: &[&str]) -> Vec<String> {
        signs.iter().map(|sign| (*sign).to_owned()).collect()
    }

    #[test]
    fn splits_signature_into_parameters_and_return_type() {
        let split = |signature: &str, receivers: &[&str], first| {
            let idioms = Idioms {
                arrows: signs(&["->"]),
                parameter_markers: signs(&["*"]),
                parameter_name_ends: signs(&[":"]),
                receiver_prefixes: signs(&["&", "mut "]),
                return_type_marks: signs(&["->"]),
                ..Idioms::default()
            };
            let receivers: Vec<String> = receivers.iter().map(|r| (*r).to_owned()).collect();
            let (parameters, behind) = parameters(signature, "f", &idioms, &receivers, first);
            (parameters.join("|"), behind.to_owned())
        };
        assert_eq!(
            split("def f(self, a: Dict[str, int], *, b=1) -> bool", &[], true),
            ("a: Dict[str, int]|b=1".into(), "bool".into())
        );
        assert_eq!(
            split("fn f(&mut self, g: impl Fn(u8) -> u8) -> u8", &["self"], false),
            ("g: impl Fn(u8) -> u8".into(), "u8".into())
        );
        assert_eq!(split("func (s *Server) f(a, b int) error", &[], false), ("a|b int".into(), "error".into()));
        assert_eq!(split("f", &[], false), (String::new(), String::new()));
    }

    #[test]
    fn reads_return_type_before_the_name() {
        let idioms = Idioms { modifiers: signs(&["public"]), pointer_signs: signs(&["*"]), ..Idioms::default() };
        let type_before = |signature, name| type_before(signature, name, &idioms);
        assert_eq!(type_before("public static List<String> names(int n)", "names"), "List<String>");
        assert_eq!(type_before("const char *name(void)", "name"), "char");
        assert_eq!(type_before("public Session(String token)", "Session"), "");
    }

    #[test]
    fn callee_name_is_the_last_name_before_the_parentheses() {
        assert_eq!(callee_name("self.lines.merge(a, b)"), Some("merge"));
        assert_eq!(callee_name("format!(\"{a}\")"), Some("format"));
        assert_eq!(callee_name("new Session(token)"), Some("Session"));
        assert_eq!(callee_name("()"), None);
    }
}
