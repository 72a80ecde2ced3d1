//! What to put before a completion.

use super::Engine;
use crate::context::{Completer, Context, ContextQuery, Iteration, around, context};
use crate::error::Result;
use crate::llm::{Model, Templates};
use crate::text::file_name;

/// Lines before and after a cursor that a model gets.
const SENT_LINES: (usize, usize) = (100, 20);

impl Engine {
    /// What to put before a completion.
    ///
    /// # Errors
    /// When the file cannot be read, or the cursor lies past its end.
    pub fn context(&self, query: &ContextQuery) -> Result<Context> {
        context(&self.sources(), query)
    }

    /// What to put before a completion, looked for `times` times: from the second time on with what a model completes.
    /// The model sees fragments of the index and the code around the cursor, nothing else.
    ///
    /// # Errors
    /// As [`Self::context`]; when the file of the cursor is not in the index, because it may be ignored for what it
    /// holds; and when the model fails.
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

    /// What begins a comment to the end of the line in a file of this name; `#` where its language has none.
    pub fn line_comment(&self, path: &str) -> &str {
        let language = self.registry.detect(file_name(path)).and_then(|id| self.registry.language(id).ok());
        language.map(|language| language.spec.head.line_comment.as_str()).filter(|mark| !mark.is_empty()).unwrap_or("#")
    }
}
