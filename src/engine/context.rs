//! Collects context for code completion.

use super::Engine;
use whichfn_llm::{Model, Templates};
use whichfn_read::context::{Completer, Context, ContextQuery, Iteration, around, context};
use whichfn_system::error::Result;

/// Number of lines before and after the cursor that are sent to a model.
const SENT_LINES: (usize, usize) = (100, 20);

impl Engine {
    /// Returns the context to prepend to the prompt for a completion.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if the cursor is past the end of the file.
    pub fn context(&self, query: &ContextQuery) -> Result<Context> {
        context(&self.sources(), query)
    }

    /// Searches for the context of a completion `times` times. From the second search on, the query
    /// includes the completion that the model wrote. The model receives only indexed fragments and
    /// the code around the cursor.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::context`], if the model fails, or if the file
    /// is not in the index. Such a file may be ignored because of its contents.
    pub fn context_with(
        &self,
        query: &ContextQuery,
        times: usize,
        model: &dyn Model,
        templates: &Templates,
    ) -> Result<(Context, Vec<Iteration>)> {
        self.may_be_sent()?;
        let sources = self.sources();
        sources.may_be_sent(&query.file)?;
        let cursor = around(&sources, query, SENT_LINES)?;
        let completer = Completer { model, templates, cursor: &cursor, comment: self.line_comment(&query.file) };
        completer
            .iterate(times, query.draft.clone(), |draft| context(&sources, &ContextQuery { draft, ..query.clone() }))
    }

    /// Returns the line-comment marker for a file with this path, or `#` if its language has none.
    pub fn line_comment(&self, path: &str) -> &str {
        let language = self.registry.detect(path).and_then(|id| self.registry.language(id).ok());
        language.map(|language| language.spec.head.line_comment.as_str()).filter(|mark| !mark.is_empty()).unwrap_or("#")
    }
}
