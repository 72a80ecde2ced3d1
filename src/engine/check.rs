//! Checks of a change for a reviewer.

use super::Engine;
use std::path::Path;
use whichfn_check::{ChangeOf, CheckReport, QuestionFile, Rule, check, read_change};
use whichfn_system::error::Result;

impl Engine {
    /// Checks a change by these rules. The index must be that of the tree that the change leads to:
    /// the working tree of the repository, or a separate tree. The former contents are read from
    /// git.
    ///
    /// # Errors
    /// When `repository` is not a git repository, a revision is unknown, or git cannot be run.
    pub fn check(
        &self,
        repository: &Path,
        source: &ChangeOf,
        rules: &[Rule],
        questions: &QuestionFile,
    ) -> Result<CheckReport> {
        let change = read_change(repository, source)?;
        check(&self.root, &self.generation, &self.registry, &change, rules, questions)
    }
}
