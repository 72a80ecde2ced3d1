//! Finds out whether a question is a name that no definition has.

use super::Answer;
use crate::search::QuestionForm;

impl Answer {
    /// Returns the question if it is a single name in code form, and no result has this name.
    pub fn unknown_name(&self) -> Option<&str> {
        let name = self.query.trim();
        let is_name = self.asked_as == QuestionForm::Name.name() && !name.contains(char::is_whitespace);
        if !is_name || self.basis.is_some() || self.results.is_empty() {
            return None;
        }
        let own = letters(last_part(name));
        let has_name = |text: &str| letters(text).contains(&own);
        let is_found = self.results.iter().any(|result| has_name(&result.qualified_name) || has_name(&result.path));
        (!is_found).then_some(name)
    }
}

/// Returns the last part of a name as people type it: `renew` in `Session.renew()`.
pub fn last_part(name: &str) -> &str {
    name.trim_end_matches("()").rsplit(['.', ':', '/', '#']).next().unwrap_or(name)
}

/// Returns the letters and digits of a name in lower case: `RenewSession` is another spelling of
/// `renew_session`.
fn letters(name: &str) -> String {
    name.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "")
}
