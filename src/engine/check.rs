//! What a reviewer would want to know of a change.

use super::Engine;
use crate::check::{ChangeOf, CheckReport, QuestionFile, Rule, check, read_change};
use crate::error::Result;
use std::path::Path;

impl Engine {
    /// Checks a change by these rules. The index is that of what the change led to: the working tree of the repository, or a
    /// tree of its own; what was before is read from git.
    ///
    /// # Errors
    /// When the repository is none of git, a revision is not known, or git cannot be run.
    pub fn check(&self, repository: &Path, of: &ChangeOf, rules: &[Rule], asked: &QuestionFile) -> Result<CheckReport> {
        let change = read_change(repository, of)?;
        check(&self.root, &self.generation, &self.registry, &change, rules, asked)
    }
}
