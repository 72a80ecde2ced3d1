//! Context for code completion.

use super::Engine;
use whichfn_llm::{Model, Templates};
use whichfn_read::context::{Completer, Context, ContextQuery, Iteration, around, context};
use whichfn_system::error::Result;
use whichfn_text::file_name;

/// Number of lines before and after a cursor that are sent to a model.
const SENT_LINES: (usize, usize) = (100, 20);

impl Engine {
    /// Returns the context to prepend to a completion.
    ///
    /// # Errors
    /// When the file cannot be read, or the cursor is past its end.
    pub fn context(&self, query: &ContextQuery) -> Result<Context> {
        context(&self.sources(), query)
    }

    /// Searches `times` times for the context of a completion; from the second time on, the query
    /// includes the model's completion. The model receives only fragments of the index and the code
    /// around the cursor.
    ///
    /// # Errors
    /// The same as [`Self::context`]; when the file of the cursor is not in the index, because it
    /// may be ignored on account of its contents; and when the model fails.
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

    /// Returns the marker of line comments in a file of this name; `#` if its language has none.
    pub fn line_comment(&self, path: &str) -> &str {
        let language = self.registry.detect(file_name(path)).and_then(|id| self.registry.language(id).ok());
        language.map(|language| language.spec.head.line_comment.as_str()).filter(|mark| !mark.is_empty()).unwrap_or("#")
    }
}
