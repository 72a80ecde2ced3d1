//! Links to locations that a terminal can open (OSC 8): by default only on terminals that are known
//! to support them, and in a pipe only on request.

use std::io::IsTerminal;
use std::path::Path;
use std::str::FromStr;
use std::sync::OnceLock;
use whichfn_system::platform::host_name;
use whichfn_text::percent_encoded;

/// Template for the address of a location; `None` if no links are written.
static FORMAT: OnceLock<Option<String>> = OnceLock::new();

const USUAL: &str = "file://{host}{path}";
/// Template for Kitty, which opens the line.
const KITTY: &str = "file://{host}{path}#{line}";

/// Condition for writing locations as links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Links {
    /// On terminals that are known to support them.
    Auto,
    /// On any terminal and in a pipe.
    Always,
    /// Never.
    Never,
    /// On any terminal, with this address template.
    Format(String),
}

impl FromStr for Links {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, String> {
        match typed {
            "auto" => Ok(Self::Auto),
            "always" => Ok(Self::Always),
            "never" => Ok(Self::Never),
            form if form.contains("{path}") && !form.contains(char::is_control) => Ok(Self::Format(form.to_owned())),
            _ => Err("use auto, always or never, or a template that contains {path}, such as \
                      vscode://file{path}:{line}:{column}"
                .to_owned()),
        }
    }
}

impl<'de> serde::Deserialize<'de> for Links {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Decides whether to write links, and in which form.
pub(super) fn set_links(choice: Option<Links>) {
    let format = match choice.unwrap_or(Links::Auto) {
        Links::Always => Some(usual().to_owned()),
        _ if !std::io::stdout().is_terminal() => None,
        Links::Never => None,
        Links::Format(form) => Some(form),
        Links::Auto => supports_links(&|name| std::env::var(name).ok()).then(|| usual().to_owned()),
    };
    let _ = FORMAT.set(format);
}

fn usual() -> &'static str {
    if std::env::var_os("KITTY_WINDOW_ID").is_some() { KITTY } else { USUAL }
}

/// Checks whether the terminal is known to support links. The terminal of VS Code is not included,
/// because it finds `path:line` by itself and opens the line.
fn supports_links(variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let is = |name: &str, known: &[&str]| variable(name).is_some_and(|value| known.contains(&value.as_str()));
    let term = variable("TERM").unwrap_or_default();
    // Older multiplexers print the address, and their version cannot be queried.
    let is_between = ["screen", "tmux", "dumb"].iter().any(|name| term.starts_with(name));
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let vte = variable("VTE_VERSION").and_then(|version| version.parse::<u32>().ok());
    !is_between
        && (is("TERM_PROGRAM", &["iTerm.app", "WezTerm", "ghostty", "Hyper", "rio", "Tabby"])
            || ["KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "DOMTERM"].into_iter().any(is_set)
            || ["xterm-kitty", "foot", "foot-extra", "alacritty", "contour", "xterm-ghostty"].contains(&term.as_str())
            || vte.is_some_and(|version| version >= 5000))
}

/// Checks whether locations are links.
pub(super) fn are_links() -> bool {
    FORMAT.get().is_some_and(Option::is_some)
}

/// Returns the address of a location, if locations are links.
pub(super) fn address(path: &Path, line: u32, column: u32) -> Option<String> {
    let format = FORMAT.get()?.as_ref()?;
    let path = path.canonicalize().or_else(|_| std::path::absolute(path)).ok()?;
    Some(filled(format, &path, line, column))
}

fn filled(format: &str, path: &Path, line: u32, column: u32) -> String {
    let address = percent_encoded(path);
    let filled = format.replace("{host}", &host()).replace("{line}", &line.to_string());
    filled.replace("{column}", &column.to_string()).replace("{path}", &address)
}

/// Returns the name of this machine, so that a terminal on another machine does not open a file of
/// its own.
fn host() -> String {
    host_name().chars().filter(|c| c.is_ascii_alphanumeric() || ['-', '.'].contains(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_terminals_with_links_by_their_variables() {
        let takes = |set: &[(&str, &str)]| {
            supports_links(&|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(takes(&[("TERM", "xterm-kitty")]) && takes(&[("VTE_VERSION", "7600")]));
        assert!(takes(&[("TERM_PROGRAM", "WezTerm")]));
        assert!(!takes(&[]) && !takes(&[("TERM", "xterm-256color")]) && !takes(&[("TERM_PROGRAM", "vscode")]));
        assert!(!takes(&[("TERM", "tmux-256color"), ("VTE_VERSION", "7600")]), "inside another");
    }

    #[cfg(unix)]
    #[test]
    fn escapes_characters_that_could_end_an_address() {
        let address = filled("x://{path}:{line}:{column}", Path::new("/a b/\u{1b}ö.py"), 3, 7);
        assert_eq!(address, "x:///a%20b/%1B%C3%B6.py:3:7");
        assert!("file".parse::<Links>().is_err() && "{path}\u{1b}".parse::<Links>().is_err());
    }
}
