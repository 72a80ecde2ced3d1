//! Reports globs that select no file, because an empty answer would not show the reason.

use super::Engine;
use whichfn_scan::hidden_texts;
use whichfn_search::search::{Query, Searcher};
use whichfn_system::error::Result;

impl Engine {
    /// Returns a line for each glob of a query that matches no file, neither of the index nor among
    /// the hidden files that are searched for passages.
    ///
    /// # Errors
    /// Returns an error if a glob is invalid, or a language is unknown.
    pub fn unmatched_globs(&self, query: &Query) -> Result<Vec<String>> {
        let searcher = Searcher::new(&self.generation, &self.registry);
        if searcher.unmatched_globs(query, &[])?.is_empty() {
            return Ok(Vec::new());
        }
        let hidden = hidden_texts(&self.root, self.options.max_size).found;
        let unmatched = searcher.unmatched_globs(query, &hidden)?;
        Ok(unmatched.into_iter().map(|glob| format!("`{glob}` matches no file")).collect())
    }
}
