//! The key for a server: read from the environment, shown to nobody but the server.

use std::fmt;

/// What stands in for a key in whatever people read.
const HIDDEN: &str = "[key]";

/// A key and the environment variable that holds it.
#[derive(Clone, Default)]
pub struct Key {
    variable: String,
    value: Option<String>,
    /// The user named the variable, so that its key is meant for this server.
    meant: bool,
}

impl Key {
    /// The key in an environment variable; `meant` if the user named the variable. An empty name means no key.
    pub fn from_env(variable: &str, meant: bool) -> Self {
        let value = if variable.is_empty() { None } else { std::env::var(variable).ok() };
        Self::new(variable, value.as_deref(), meant)
    }

    /// A key at hand, as if `variable` held it.
    pub fn new(variable: &str, value: Option<&str>, meant: bool) -> Self {
        let value = value.map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned);
        Self { variable: variable.to_owned(), value, meant }
    }

    /// The variable's name; empty if no key is wanted.
    pub fn variable(&self) -> &str {
        &self.variable
    }

    /// Whether there is a key.
    pub fn is_set(&self) -> bool {
        self.value.is_some()
    }

    /// Whether the user named the variable.
    pub fn is_meant(&self) -> bool {
        self.meant
    }

    /// The header that carries it. Only the request may see this.
    pub(super) fn bearer(&self) -> Option<String> {
        self.value.as_ref().map(|value| format!("Bearer {value}"))
    }

    /// A text without the key, should a server repeat it.
    pub(super) fn hide_in(&self, text: &str) -> String {
        self.value.as_ref().map_or_else(|| text.to_owned(), |value| text.replace(value.as_str(), HIDDEN))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.is_set() { HIDDEN } else { "unset" };
        write!(f, "Key({} = {value})", self.variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_shown_to_nobody() {
        let key = Key::new("SHOP_KEY", Some(" sk-secret\n"), false);
        assert_eq!(format!("{key:?}"), "Key(SHOP_KEY = [key])");
        assert_eq!(key.hide_in("bad key sk-secret given"), "bad key [key] given");
        assert_eq!(key.bearer().as_deref(), Some("Bearer sk-secret"));
    }

    #[test]
    fn blank_is_no_key() {
        assert!(!Key::new("SHOP_KEY", Some("  "), false).is_set());
        assert!(!Key::from_env("", true).is_set());
    }
}
